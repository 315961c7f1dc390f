-- history.sql - rows of the view 'fitting' as points: cell by cell in the order of their first rows, each cell's oldest first; the steps
-- among them, and what people are told.  Columns that the CSV of a history has too are called as there.
CREATE TEMP TABLE fitted AS
SELECT m.*, coalesce(m.protocol, 'paper') AS timed_by, coalesce(m.input_hash, '') AS hash,
       (SELECT min(text) FROM environment AS e WHERE e.results = m.results AND e.session = m.session AND e.key = 'commit_date') AS committed
FROM fitting
JOIN measurement AS m USING (id)
WHERE m.withdrawn IS NULL AND m.status = 'ok' AND m.stage IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick')
  AND typeof(m.median_ms) = 'real' AND m.median_ms > 0;

CREATE TEMP TABLE point AS
SELECT (SELECT min(id) FROM fitted AS o WHERE o.configuration = p.configuration AND o.timed_by = p.timed_by AND o.hash = p.hash) AS cell,
       -- of any zone as UTC, so that it sorts as text
       coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', coalesce(committed, utc)), committed, utc) AS date, committed IS NOT NULL AS by_commit,
       p.commit_hash AS "commit", p.dirty, p.machine AS machine_name, p.session, p.row_id, p.median_ms,
       coalesce(p.ci_lo_ms, p.median_ms) AS ci_lo_ms, coalesce(p.ci_hi_ms, p.median_ms) AS ci_hi_ms,
       1000 / p.median_ms AS fps, p.host, p.gpu_uuid,
       -- A hash says nothing to people: only where inputs of one name differ.
       c.traits || ';profile=' || timed_by
           || CASE WHEN EXISTS (SELECT 1 FROM fitted AS o WHERE o.configuration = p.configuration AND o.timed_by = p.timed_by AND o.hash <> p.hash)
                   THEN ';input_hash=' || hash ELSE '' END AS traits
FROM fitted AS p
JOIN described AS c ON c.id = p.configuration
ORDER BY 1, 2, p.id;

CREATE TEMP VIEW refusal AS
SELECT 1 AS number, CASE WHEN EXISTS (SELECT 1 FROM measurement) THEN printf('--cell %.200s: no verified row with a time in %s', wanted, path)
                         ELSE printf('%s: expected a folder with results, found none', path) END AS sentence
FROM asked, folder
WHERE NOT EXISTS (SELECT 1 FROM point);

CREATE TEMP TABLE cell AS
SELECT cell, min(id) AS first, count(*) AS n, steps(median_ms) AS begins, traits,
       count(DISTINCT gpu_uuid) AS n_gpus, max(gpu_uuid IS NULL) AS some_gpu_unknown,
       count(DISTINCT host) AS n_hosts, max(host IS NULL) AS some_host_unknown
FROM (SELECT rowid AS id, * FROM point ORDER BY rowid)
GROUP BY cell
ORDER BY 2;

-- Stretches on one level, by their first points.
CREATE TEMP TABLE level AS
SELECT c.rowid AS cell_number, c.first + b.value AS first, b.key AS number, NULL AS ms
FROM cell AS c, json_each(coalesce(begins, '[0]')) AS b
ORDER BY first;
UPDATE level
SET ms = (SELECT median(p.median_ms)
          FROM point AS p
          WHERE p.rowid >= level.first AND p.rowid < coalesce((SELECT min(next.first) FROM level AS next WHERE next.first > level.first), 1e9));

CREATE TEMP TABLE stepped AS
SELECT p.rowid AS id, p.*, l.cell_number, p.rowid - c.first + 1 AS number, l.ms AS level_ms,
       CASE WHEN l.first = p.rowid THEN l.ms / b.ms - 1 END AS step
FROM point AS p
JOIN level AS l ON l.first = (SELECT max(first) FROM level WHERE first <= p.rowid)
JOIN cell AS c ON c.rowid = l.cell_number
LEFT JOIN level AS b ON b.cell_number = l.cell_number AND b.number = l.number - 1
ORDER BY p.rowid;

CREATE TEMP TABLE label AS
SELECT rowid AS cell_number, traits_told(traits, (SELECT group_concat(traits, char(10)) FROM cell), 0) AS text
FROM cell;

CREATE TEMP VIEW listed AS
SELECT replace(wanted, ',', ' ') AS wanted, -- at a comma gnuplot cuts a title
       label.text AS cell, cell_number, number AS point, date, "commit", dirty, machine_name, session, row_id, median_ms, ci_lo_ms, ci_hi_ms, fps,
       level_ms, coalesce(step, 0) AS step, host, gpu_uuid
FROM asked
JOIN stepped
JOIN label USING (cell_number)
ORDER BY id;

-- Lines, or what is wrapped and indented.  Points of several machines are one history, but never silently.
CREATE TEMP TABLE page (text, below, more);
INSERT INTO page (text)
SELECT wanted || ' on ' || coalesce(machine_name, '') || char(10)
FROM asked
JOIN point ON point.rowid = 1;
INSERT INTO page (below, text)
SELECT below, text
FROM (SELECT cell_number, 1 AS line, text AS below, NULL AS text
      FROM label
      WHERE text <> ''
      UNION ALL
      SELECT cell_number, 2, NULL,
             printf('%-20s  %-9s %9s  %19s  step', 'commit of', 'commit', 'median ms', 'interval') || group_concat(
                 printf('%s%-20.20s%s %.7s%-2s %9s  %19s', char(10), date, CASE WHEN by_commit THEN ' ' ELSE '*' END, "commit", substr('+', 1, dirty IS 1),
                        short_text(median_ms, 4), short_text(ci_lo_ms, 4) || ' .. ' || short_text(ci_hi_ms, 4))
                 || CASE WHEN step IS NULL THEN '' ELSE printf('  %+.1f %% %s', 100 * step, CASE WHEN step > 0 THEN 'slower' ELSE 'faster' END) END, '')
             || printf('%s%d points, %d step%s', char(10), count(*), count(step), substr('s', 1, count(step) <> 1))
      FROM stepped
      GROUP BY cell_number
      UNION ALL
      SELECT rowid, 3, NULL,
             CASE WHEN n_gpus + some_gpu_unknown > 1 OR n_hosts + some_host_unknown > 1
                  THEN 'points' || CASE WHEN n_gpus > 0 THEN printf(' of %s%d GPU%s', substr('at least ', 1, 9 * some_gpu_unknown), n_gpus, substr('s', 1, n_gpus <> 1)) ELSE '' END
                       || CASE WHEN n_hosts > 0 THEN printf(' %s %s%d host%s', CASE WHEN n_gpus > 0 THEN 'on' ELSE 'of' END,
                                                            substr('at least ', 1, 9 * some_host_unknown), n_hosts, substr('s', 1, n_hosts <> 1)) ELSE '' END
                       || ': a step may be the machine''s' || char(10)
                  ELSE '' END
      FROM cell)
ORDER BY cell_number, line;
INSERT INTO page (text)
SELECT '* the day of the run: its files do not say when the commit was made'
FROM point
WHERE NOT by_commit
LIMIT 1;
