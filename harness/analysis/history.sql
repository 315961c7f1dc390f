-- history.sql - rows that fit 'asked (wanted)', IMPL,KEY=VALUE,..., as points: configuration by configuration in the order of their first rows, each configuration's
-- oldest first; the steps among them, and what people are told.  Columns that the CSV of a history has too are called as there.

-- The variant, at 0, and KEY=VALUE; keys have their numbers all alike.  Only rows of a whole GPU and of one process alone fit, unless sms=N
-- or scaling=HOW is asked for.
CREATE TEMP TABLE word AS
SELECT *, name || CASE WHEN value GLOB '*[0-9]*' AND value NOT GLOB '*[^-+.0-9e]*' THEN printf('%.9g', value) ELSE value END AS same
FROM (SELECT at, text, substr(text, 1, instr(text, '=')) AS name, substr(text, instr(text, '=') + 1) AS value
      FROM (SELECT key AS at, value AS text
            FROM asked, json_each('[' || replace(json_quote(wanted), ',', '","') || ']')
            UNION ALL
            SELECT -1, 'sms=all' FROM asked WHERE NOT instr(wanted, ',sms=')
            UNION ALL
            SELECT -1, 'scaling=none' FROM asked WHERE NOT instr(wanted, ',scaling=')));

-- Verified whole runs of the variant, and what may be asked of them; those from before the column 'sms' were of the whole GPU.
CREATE TEMP TABLE candidate AS
SELECT m.*, coalesce(m.protocol, 'paper') AS timed_by, coalesce(m.input_hash, '') AS hash, c.traits,
       printf(';%s;protocol=%s;input_hash=%s;host=%s;gpu_uuid=%s;', c.traits, coalesce(m.protocol, 'paper'), m.input_hash, m.host, m.gpu_uuid)
           || CASE WHEN c.sms IS NULL THEN 'sms=all;sms=' || coalesce(m.sms, m.sm_count, '') || ';' ELSE '' END
           || CASE WHEN c.scaling IS NULL THEN 'scaling=none;' ELSE '' END AS known
FROM word
JOIN configuration AS c ON at = 0 AND c.impl = text
JOIN measurement AS m ON m.configuration = c.id
WHERE m.withdrawn IS NULL AND m.status = 'ok' AND m.stage IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick')
  AND typeof(m.median_ms) = 'real' AND m.median_ms > 0;

CREATE TEMP TABLE fitted AS
SELECT *, (SELECT min(text) FROM environment AS e WHERE e.results = c.results AND e.session = c.session AND e.key = 'commit_date') AS committed
FROM candidate AS c
WHERE NOT EXISTS (SELECT 1 FROM word WHERE at <> 0 AND NOT instr(known, ';' || text || ';') AND NOT instr(known, ';' || same || ';'));

CREATE TEMP TABLE cell AS
SELECT configuration, timed_by, hash, traits, count(DISTINCT gpu_uuid) AS n_gpus, max(gpu_uuid IS NULL) AS some_gpu_unknown,
       count(DISTINCT host) AS n_hosts, max(host IS NULL) AS some_host_unknown
FROM fitted
GROUP BY configuration, timed_by, hash
ORDER BY min(id);

-- A hash says nothing to people: only where inputs of one name differ.
CREATE TEMP TABLE label AS
WITH told AS (
    SELECT rowid AS cell_number,
           traits || ';protocol=' || timed_by
               || CASE WHEN EXISTS (SELECT 1 FROM cell AS o WHERE o.configuration = cell.configuration AND o.timed_by = cell.timed_by AND o.hash <> cell.hash)
                       THEN ';input_hash=' || hash ELSE '' END AS traits
    FROM cell
)
SELECT cell_number, traits_told(traits, (SELECT group_concat(traits, char(10)) FROM told), 0) AS text
FROM told;

CREATE TEMP TABLE point AS
SELECT cell.rowid AS cell_number,
       -- of any zone as UTC, so that it sorts as text
       coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', coalesce(committed, utc)), committed, utc) AS date, committed IS NOT NULL AS by_commit,
       commit_hash, dirty, machine AS machine_name, session, row_id, median_ms, coalesce(ci_lo_ms, median_ms) AS ci_lo_ms,
       coalesce(ci_hi_ms, median_ms) AS ci_hi_ms, CASE WHEN stream_rate IS NULL THEN 1000 / median_ms ELSE fps END AS fps, host, gpu_uuid
FROM fitted
JOIN cell USING (configuration, timed_by, hash)
ORDER BY 1, 2, fitted.id;

-- Stretches on one level, by their first points.
CREATE TEMP TABLE stretch AS
SELECT first + begin.value AS first, begin.key AS before, first AS first_of_cell
FROM (SELECT min(id) AS first, steps(median_ms) AS begins FROM (SELECT rowid AS id, * FROM point ORDER BY rowid) GROUP BY cell_number) AS c,
     json_each(coalesce(begins, '[0]')) AS begin
ORDER BY 1;

CREATE TEMP TABLE placed AS
SELECT rowid AS id, *, (SELECT max(s.rowid) FROM stretch AS s WHERE s.first <= point.rowid) AS stretch
FROM point
ORDER BY rowid;

CREATE TEMP TABLE level AS
SELECT stretch, median(median_ms) AS ms
FROM placed
GROUP BY stretch;

CREATE TEMP VIEW stepped AS
SELECT p.*, p.id - s.first_of_cell + 1 AS number, l.ms AS level_ms, CASE WHEN p.id = s.first AND s.before > 0 THEN l.ms / b.ms - 1 END AS step
FROM placed AS p
JOIN stretch AS s ON s.rowid = p.stretch
JOIN level AS l ON l.stretch = p.stretch
LEFT JOIN level AS b ON b.stretch = p.stretch - 1
ORDER BY p.id;

CREATE TEMP VIEW listed AS
SELECT replace(wanted, ',', ' ') AS wanted, -- at a comma gnuplot cuts a title
       label.text AS cell, cell_number, number AS point, date, commit_hash, dirty, machine_name, session, row_id, median_ms, ci_lo_ms, ci_hi_ms, fps,
       level_ms, coalesce(step, 0) AS step, host, gpu_uuid
FROM asked
JOIN stepped
JOIN label USING (cell_number)
ORDER BY id;

-- Points of several machines are one history, but never silently.
CREATE TEMP TABLE page (text);
INSERT INTO page
SELECT printf('%s on %s%s', wanted, machine_name, char(10))
FROM asked
JOIN point ON point.rowid = 1;
INSERT INTO page
SELECT coalesce('    ' || nullif(text, '') || char(10), '')
       || printf('%-20s  %-9s %9s  %19s  step', 'commit of', 'commit', 'median ms', 'interval')
       || group_concat(printf('%s%-20.20s%s %.7s%-2s %9s  %19s', char(10), date, substr('* ', 1 + by_commit, 1), commit_hash, substr('+', 1, coalesce(dirty, 0) NOT IN (0, 'no', 'false')),
                              short_text(median_ms, 4), short_text(ci_lo_ms, 4) || ' .. ' || short_text(ci_hi_ms, 4))
                       || CASE WHEN step IS NULL THEN '' ELSE printf('  %+.1f %% %s', 100 * step, CASE WHEN step > 0 THEN 'slower' ELSE 'faster' END) END, '')
       || printf('%s%d points, %d step%s%s', char(10), count(*), count(step), substr('s', 1, count(step) <> 1), char(10))
       || CASE WHEN n_gpus + some_gpu_unknown > 1 OR n_hosts + some_host_unknown > 1
               THEN 'points' || CASE WHEN n_gpus > 0 THEN printf(' of %s%d GPU%s', substr('at least ', 1, 9 * some_gpu_unknown), n_gpus, substr('s', 1, n_gpus <> 1)) ELSE '' END
                    || CASE WHEN n_hosts > 0 THEN printf(' %s %s%d host%s', CASE WHEN n_gpus > 0 THEN 'on' ELSE 'of' END,
                                                         substr('at least ', 1, 9 * some_host_unknown), n_hosts, substr('s', 1, n_hosts <> 1)) ELSE '' END
                    || ': a step may be the machine''s' || char(10)
               ELSE '' END
FROM (SELECT * FROM stepped JOIN cell ON cell.rowid = cell_number JOIN label USING (cell_number) ORDER BY id)
GROUP BY cell_number;
INSERT INTO page
SELECT '* the day of the run: its files do not say when the commit was made'
FROM point
WHERE NOT by_commit
LIMIT 1;

CREATE TEMP VIEW refusal AS
SELECT at AS number, printf('--of %.200s: expected IMPL,KEY=VALUE,... as in rdp/serial,height=1024, found ''%.100s''', wanted, text) AS sentence
FROM asked, word
WHERE at = 0 AND (text = '' OR name <> '') OR at > 0 AND length(name) < 2
UNION ALL
SELECT 1000, printf('--of %.200s: expected a key of its rows, found ''%.100s''', wanted, rtrim(name, '='))
FROM asked, word
WHERE at > 0 AND EXISTS (SELECT 1 FROM candidate) AND NOT EXISTS (SELECT 1 FROM candidate WHERE instr(known, ';' || name))
UNION ALL
SELECT 1001, CASE WHEN EXISTS (SELECT 1 FROM measurement) THEN printf('--of %.200s: no verified row with a time in %s', wanted, path)
                  ELSE printf('%s: expected a folder with results, found none', path) END
FROM asked, folder
WHERE NOT EXISTS (SELECT 1 FROM point);
