-- compare.sql - rows of two sides by cell: what runs in them say, before statistics.  The table 'side' says which results are whose;
-- of the two passes of a comparison in two stages, the second stands for the cells that it has.

CREATE TEMP TABLE whole AS
SELECT m.id, s.pass, s.side, m.configuration, coalesce(m.protocol, 'paper') AS protocol, m.results || '/' || m.session AS process,
       CASE WHEN m.status IN ('ok', 'unstable', 'throttled') THEN m.verdict ELSE m.status END AS outcome,
       -- the least difference in ms per frame: 2 us, or two ticks of the device, of what is timed in one stretch
       0.001 * max(2.0, CASE WHEN m.device = 'gpu' THEN coalesce(2 * s.tick_us, 0) ELSE 0 END)
           / max(1.0, coalesce(m.n_frames, 1)
                          * CASE WHEN m.scope = 'kernel' THEN coalesce(m.reps, 1) ELSE 1 END
                          * CASE WHEN m.scope = 'kernel' AND (m.reps > 1 OR m.series IS NOT 'cold')
                                 THEN coalesce(m.n_inputs, 1) ELSE 1 END) AS at_least_ms
FROM (SELECT side.*, (SELECT max(CAST(text AS REAL))
                      FROM environment AS e
                      WHERE e.results = side.results AND e.key = 'device_timer_resolution_us') AS tick_us
      FROM side) AS s
JOIN measurement AS m ON m.results = s.results
WHERE m.withdrawn IS NULL AND m.stage IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick');

CREATE TEMP TABLE trait AS
WITH RECURSIVE split (configuration, impl, item, rest) AS (
    SELECT id, impl, '', traits || ';'
    FROM described
    WHERE id IN (SELECT configuration FROM whole)
    UNION ALL
    SELECT configuration, impl, substr(rest, 1, instr(rest, ';') - 1), substr(rest, instr(rest, ';') + 1)
    FROM split
    WHERE rest <> ''
)
SELECT configuration, impl, item, substr(item, 1, instr(item, '=') - 1) AS name
FROM split
WHERE item <> '';

-- A key of which one side knows nothing, nor this program a default: the cells of that side are what the other's are without it.
CREATE TEMP TABLE odd AS
SELECT impl, name
FROM (SELECT DISTINCT side, impl, name FROM whole JOIN trait USING (configuration)) AS known
WHERE name NOT IN ('threads', 'transfer', 'sms', 'mode_name', 'scope', 'series')
GROUP BY impl, name
HAVING count(*) < (SELECT count(DISTINCT side)
                   FROM whole
                   JOIN configuration AS c ON c.id = whole.configuration
                   WHERE c.impl = known.impl);

CREATE TEMP TABLE cell AS
SELECT configuration, group_concat(item, ';') AS traits
FROM (SELECT configuration, item
      FROM trait
      WHERE NOT EXISTS (SELECT 1 FROM odd WHERE odd.impl = trait.impl AND odd.name = trait.name)
      ORDER BY trait.rowid)
GROUP BY configuration;

CREATE TEMP TABLE run AS
SELECT w.*, cell.traits || ';profile=' || protocol AS cell, coalesce(outcome, '') NOT IN ('wrong', 'failed', 'skipped') AS is_good
FROM whole AS w
JOIN cell USING (configuration);

-- What a side says of a cell: one bad run is a bad cell.  Hashes that differ between its runs are NULL.
CREATE TEMP VIEW said AS
SELECT t.*, coalesce(m.outcome, '') AS outcome, m.reason
FROM (SELECT r.pass, r.cell, r.side, max(r.id) AS last, coalesce(min(CASE WHEN NOT is_good THEN r.id END), max(r.id)) AS telling,
             count(DISTINCT r.configuration) > 1 AS is_ambiguous,
             sum(m.status IN ('unstable', 'throttled')) AS n_unsteady,
             CASE WHEN sum(is_good) = count(CASE WHEN is_good THEN m.input_hash END)
                   AND count(DISTINCT CASE WHEN is_good THEN m.input_hash END) = 1
                  THEN max(CASE WHEN is_good THEN m.input_hash END) END AS input_hash,
             CASE WHEN sum(is_good) = count(CASE WHEN is_good THEN m.output_hash END)
                   AND count(DISTINCT CASE WHEN is_good THEN m.output_hash END) = 1
                  THEN max(CASE WHEN is_good THEN m.output_hash END) END AS output_hash
      FROM run AS r
      JOIN measurement AS m ON m.id = r.id
      GROUP BY r.pass, r.cell, r.side) AS t
JOIN (SELECT run.id, run.outcome, measurement.reason FROM run JOIN measurement USING (id)) AS m ON m.id = t.telling;

-- Cells that both sides have and that one of them could do.
CREATE TEMP TABLE pair AS
SELECT b.pass, b.cell, h.last, b.last AS last_of_base, b.is_ambiguous OR h.is_ambiguous AS is_ambiguous, b.n_unsteady + h.n_unsteady AS n_unsteady,
       max(this.at_least_ms, other.at_least_ms) AS at_least_ms,
       CASE WHEN b.outcome <> '' AND h.outcome <> '' AND b.outcome <> h.outcome
            THEN 'was ' || b.outcome || ', is ' || h.outcome || coalesce(': ' || h.reason, '')
            WHEN b.input_hash <> h.input_hash
            THEN 'its input is another one: ' || h.input_hash || ', was ' || b.input_hash
            WHEN b.output_hash <> h.output_hash
            THEN 'its output is another one: ' || h.output_hash || ', was ' || b.output_hash END AS changed
FROM said AS b
JOIN said AS h ON h.pass = b.pass AND h.cell = b.cell AND b.side = 0 AND h.side = 1
JOIN run AS this ON this.id = h.last
JOIN run AS other ON other.id = b.last
WHERE this.is_good OR other.is_good;

-- What a process says of a cell, with the last of its rows.
CREATE TEMP TABLE number AS
SELECT r.cell, r.side, m.median_ms AS ms
FROM run AS r
JOIN measurement AS m USING (id)
WHERE r.pass = (SELECT max(pass) FROM pair WHERE pair.cell = r.cell AND NOT is_ambiguous)
  AND r.id IN (SELECT max(run.id)
               FROM run
               JOIN measurement USING (id)
               WHERE status = 'ok' AND typeof(median_ms) = 'real' AND median_ms > 0
               GROUP BY run.pass, run.side, run.cell, process)
ORDER BY r.cell, r.side, r.id;

CREATE TEMP VIEW build AS
SELECT s.pass, s.side, count(whole.id) AS n_rows,
       min(coalesce(m.machine, '')) AS machine, max(coalesce(m.machine, '')) AS other_machine,
       min(coalesce(m.build_hash, '')) AS build_hash, max(coalesce(m.build_hash, '')) AS other_hash,
       min(coalesce(m.commit_hash, '')) AS "commit", max(coalesce(m.commit_hash, '')) AS other_commit,
       (SELECT count(DISTINCT m.gpu_uuid) FROM whole JOIN measurement AS m USING (id)) AS n_gpus,
       (SELECT count(DISTINCT m.host) FROM whole JOIN measurement AS m USING (id)) AS n_hosts,
       (SELECT count(DISTINCT m.results || '/' || m.session)
        FROM side
        JOIN measurement AS m USING (results)
        WHERE side.pass = s.pass AND side.side = s.side AND m.withdrawn IS NULL) AS n_runs
FROM (SELECT DISTINCT pass, side FROM side) AS s
LEFT JOIN whole ON whole.pass = s.pass AND whole.side = s.side
LEFT JOIN measurement AS m ON m.id = whole.id
GROUP BY s.pass, s.side;

CREATE TEMP TABLE judged (
    cell TEXT PRIMARY KEY,
    place INTEGER, -- of the verdict: the worst are first
    verdict TEXT,
    n_base INTEGER,
    n_head INTEGER,
    base_ms REAL,
    head_ms REAL,
    change REAL,
    ci_lo REAL,
    ci_hi REAL,
    confidence REAL,
    p REAL,
    q REAL,
    floor REAL,
    runs_needed REAL,
    reason TEXT
);
