-- history.sql - rows of the view 'fitting' as points: cell by cell in the order of their first rows, each cell's oldest first.
-- Columns that the CSV of a history has too are called as there.
CREATE TEMP TABLE point AS
WITH dated AS (
    SELECT results, session, min(text) AS date
    FROM environment
    WHERE key = 'commit_date'
    GROUP BY results, session
),
point AS (
    SELECT m.id, m.configuration, m.host, m.gpu_uuid,
           coalesce(m.protocol, 'paper') AS protocol, coalesce(m.input_hash, '') AS input_hash,
           d.date IS NOT NULL AS by_commit, coalesce(d.date, m.utc) AS date
    FROM fitting AS f
    JOIN measurement AS m ON m.id = f.id
    LEFT JOIN dated AS d ON d.results = m.results AND d.session = m.session
    WHERE m.withdrawn IS NULL AND m.status = 'ok' AND m.stage IS NULL
      AND coalesce(m.protocol, 'paper') IN ('paper', 'quick')
      AND typeof(m.median_ms) = 'real' AND m.median_ms > 0
),
cell AS (
    SELECT configuration, protocol, input_hash, min(id) AS first,
           count(DISTINCT gpu_uuid) AS n_gpus, max(gpu_uuid IS NULL) AS some_gpu_unknown,
           count(DISTINCT host) AS n_hosts, max(host IS NULL) AS some_host_unknown
    FROM point
    GROUP BY configuration, protocol, input_hash
),
several_inputs AS (
    SELECT configuration, protocol
    FROM cell
    GROUP BY configuration, protocol
    HAVING count(*) > 1
)
SELECT cell.first AS cell, cell.n_gpus, cell.some_gpu_unknown, cell.n_hosts, cell.some_host_unknown, p.by_commit,
       coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', p.date), p.date) AS date, -- of any zone as UTC, so that it sorts as text
       m.commit_hash AS "commit", m.dirty, m.machine AS machine_name, m.session, m.row_id, m.median_ms,
       coalesce(m.ci_lo_ms, m.median_ms) AS ci_lo_ms, coalesce(m.ci_hi_ms, m.median_ms) AS ci_hi_ms,
       1000 / m.median_ms AS fps, m.host, m.gpu_uuid,
       -- A hash says nothing to people: only where inputs of one name differ.
       c.traits || ';profile=' || p.protocol
           || CASE WHEN s.protocol IS NOT NULL THEN ';input_hash=' || p.input_hash ELSE '' END AS traits
FROM point AS p
JOIN cell ON cell.configuration = p.configuration AND cell.protocol = p.protocol AND cell.input_hash = p.input_hash
LEFT JOIN several_inputs AS s ON s.configuration = p.configuration AND s.protocol = p.protocol
JOIN measurement AS m ON m.id = p.id
JOIN described AS c ON c.id = p.configuration
ORDER BY cell.first, date, m.id;

-- What is made of points: the level on which one is, and how far that is from the one before, where it is another.
CREATE TEMP TABLE fitted (
    id INTEGER PRIMARY KEY, -- point.rowid
    wanted TEXT,
    label TEXT,             -- what tells the cell from others
    cell_number INTEGER,
    number INTEGER,
    level_ms REAL,
    step REAL
);

CREATE TEMP VIEW history AS
SELECT replace(wanted, ',', ' ') AS wanted, -- at a comma gnuplot cuts a title
       label AS cell, cell_number, number AS point, date, "commit", dirty, machine_name, session, row_id, median_ms, ci_lo_ms, ci_hi_ms, fps, level_ms,
       coalesce(step, 0) AS step, host, gpu_uuid
FROM fitted
JOIN point ON point.rowid = fitted.id
ORDER BY fitted.id
