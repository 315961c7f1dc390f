-- history.sql - rows that fit 'asked (wanted)', IMPL,KEY=VALUE,..., or all if that is NULL, as points: configuration by configuration in the order of their first
-- rows, each configuration's oldest first; the steps among them, and which became 'slower' by the floor of 'rule'.  points.sql and slower.sql tell people.

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
SELECT m.*, at_least_ms, coalesce(m.protocol, 'paper') AS timed_by, coalesce(m.input_hash, '') AS hash, c.traits,
       printf(';%s;protocol=%s;input_hash=%s;host=%s;gpu_uuid=%s;', c.traits, coalesce(m.protocol, 'paper'), m.input_hash, m.host, m.gpu_uuid)
           || CASE WHEN c.sms IS NULL THEN 'sms=all;sms=' || coalesce(m.sms, m.sm_count, '') || ';' ELSE '' END
           || CASE WHEN c.scaling IS NULL THEN 'scaling=none;' ELSE '' END AS known
FROM asked
JOIN configuration AS c ON wanted IS NULL OR c.impl = (SELECT text FROM word WHERE at = 0)
JOIN ever AS m ON m.configuration = c.id
JOIN least ON least.id = m.id
WHERE m.withdrawn IS NULL AND m.status IN ('ok', 'past') AND m.stage IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick')
  AND typeof(m.median_ms) = 'real' AND m.median_ms > 0;

CREATE TEMP TABLE fitted AS
SELECT *
FROM candidate
LEFT JOIN (SELECT results, session, min(text) AS committed FROM environment WHERE key = 'commit_date' GROUP BY results, session) USING (results, session)
WHERE NOT EXISTS (SELECT 1 FROM word WHERE at <> 0 AND NOT instr(known, ';' || text || ';') AND NOT instr(known, ';' || same || ';'));

CREATE TEMP TABLE cell AS
SELECT configuration, timed_by, hash, impl, traits, max(at_least_ms) AS at_least_ms, count(*) AS n_points, count(DISTINCT gpu_uuid) AS n_gpus,
       max(gpu_uuid IS NULL) AS some_gpu_unknown, count(DISTINCT host) AS n_hosts, max(host IS NULL) AS some_host_unknown
FROM fitted
GROUP BY configuration, timed_by, hash
ORDER BY min(id);

CREATE TEMP TABLE point AS
SELECT cell.rowid AS cell_number,
       -- of any zone as UTC, so that it sorts as text
       coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', coalesce(committed, utc)), committed, utc) AS date, committed IS NOT NULL OR status = 'past' AS by_commit,
       commit_hash, dirty, printf('%.7s%s', commit_hash, substr('+', 1, coalesce(dirty, 0) NOT IN (0, 'no', 'false'))) AS commit_name, machine AS machine_name, session, row_id, median_ms, coalesce(ci_lo_ms, median_ms) AS ci_lo_ms,
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
CREATE INDEX stretch_first ON stretch (first);

CREATE TEMP TABLE placed AS
SELECT rowid AS id, *, (SELECT s.rowid FROM stretch AS s WHERE s.first <= point.rowid ORDER BY s.first DESC LIMIT 1) AS stretch
FROM point
ORDER BY rowid;

CREATE TEMP TABLE level AS
SELECT stretch, cell_number, median(median_ms) AS ms
FROM placed
GROUP BY stretch;
CREATE INDEX level_stretch ON level (stretch);

CREATE TEMP VIEW stepped AS
SELECT p.*, p.id - s.first_of_cell + 1 AS number, l.ms AS level_ms, CASE WHEN p.id = s.first AND s.before > 0 THEN l.ms / b.ms - 1 END AS step
FROM placed AS p
JOIN stretch AS s ON s.rowid = p.stretch
JOIN level AS l ON l.stretch = p.stretch
LEFT JOIN level AS b ON b.stretch = p.stretch - 1
ORDER BY p.id;

-- Whose last level is above the best by the floor or more; 'stretch' is where it rose for good: none from there on is faster than the last by the floor.
CREATE TEMP TABLE slower AS
SELECT cell_number, best_ms, last_ms, last_ms / best_ms - 1 AS change, least_change,
       (SELECT max(l.stretch) FROM level AS l WHERE l.cell_number = t.cell_number AND last_ms / l.ms - 1 >= least_change) + 1 AS stretch
FROM (SELECT l.*, best_ms, max(floor, at_least_ms / best_ms) AS least_change
      FROM (SELECT cell_number, ms AS last_ms, max(stretch) AS last FROM level GROUP BY cell_number) AS l
      JOIN (SELECT cell_number, min(ms) AS best_ms FROM level GROUP BY cell_number) USING (cell_number)
      JOIN cell ON cell.rowid = cell_number
      JOIN rule) AS t
WHERE last_ms / best_ms - 1 >= least_change
ORDER BY change DESC, cell_number;

CREATE TEMP VIEW outcome AS
SELECT count(*) AS n_bad, count(*) || ' slower than at best' AS sentence FROM slower;

-- What tells a configuration from the others that people are told of.  A hash says nothing to them: only where inputs of one name differ.
CREATE TEMP TABLE told AS
SELECT rowid AS cell_number,
       traits || ';protocol=' || timed_by
           || CASE WHEN EXISTS (SELECT 1 FROM cell AS o WHERE o.configuration = cell.configuration AND o.timed_by = cell.timed_by AND o.hash <> cell.hash)
                   THEN ';input_hash=' || hash ELSE '' END AS traits
FROM cell
WHERE (SELECT wanted FROM asked) IS NOT NULL OR rowid IN (SELECT cell_number FROM slower);
CREATE TEMP TABLE label AS
SELECT cell_number, traits_told(traits, (SELECT group_concat(traits, char(10)) FROM told), 0) AS text
FROM told;

CREATE TEMP VIEW refusal AS
SELECT at AS number, printf('--of %.200s: expected IMPL,KEY=VALUE,... as in rdp/serial,height=1024, found ''%.100s''', wanted, text) AS sentence
FROM asked, word
WHERE at = 0 AND (text = '' OR name <> '') OR at > 0 AND length(name) < 2
UNION ALL
SELECT 1000, printf('--of %.200s: expected a key of its rows, found ''%.100s''', wanted, rtrim(name, '='))
FROM asked, word
WHERE at > 0 AND EXISTS (SELECT 1 FROM candidate) AND NOT EXISTS (SELECT 1 FROM candidate WHERE instr(known, ';' || name))
UNION ALL
SELECT 1001, CASE WHEN EXISTS (SELECT 1 FROM measurement) THEN printf('%sno verified row with a time in %s', CASE WHEN wanted IS NULL THEN '' ELSE printf('--of %.200s: ', wanted) END, path)
                  ELSE printf('%s: expected a folder with results, found none', path) END
FROM asked, folder
WHERE NOT EXISTS (SELECT 1 FROM point);

-- What history.csv keeps of these rows when they go: of the processes of a call one row, by the day of its commit; 'run' is their number.
CREATE TEMP VIEW kept AS
SELECT min(session) AS session, min(row_id) AS row_id, min(coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', coalesce(committed, utc)), utc)) AS utc, 'past' AS status, commit_hash, dirty, protocol, machine,
       host, gpu, gpu_uuid, sm_count, problem, impl, device, keys AS params, threads, input, frame_pick, batch, input_hash, n_inputs, n_frames, reps, transfer, sms, mode_name, scope, series,
       stream_rate, stream_in_flight, stream_arrival, stream_launch, stream_wake, scaling, ranks, rank_gpus, rank_hosts, median(median_ms) AS median_ms, min(coalesce(ci_lo_ms, median_ms)) AS ci_lo_ms,
       max(coalesce(ci_hi_ms, median_ms)) AS ci_hi_ms, median(fps) AS fps, CASE status WHEN 'past' THEN run ELSE count(*) END AS run
FROM fitted
GROUP BY configuration, timed_by, hash, CASE WHEN run_group IS NULL THEN id ELSE run_group || coalesce(host, '') || commit_hash END
ORDER BY min(id);
