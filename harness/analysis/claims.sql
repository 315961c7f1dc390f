-- claims.sql - what the cells of claims ask of machines, each a folder of results: temporary, beside the tables of schema.sql

CREATE TEMP TABLE machine AS
SELECT id AS at, results AS machine
FROM folder;

-- Rows, as far as claims look at them (a measurement is long), with what the processes of one call say together.
CREATE TEMP TABLE countable AS
SELECT id, results, configuration, experiment, preference, session, row_id, commit_hash, scope, device,
       coalesce(gpu, '') AS gpu, coalesce(cpu, '') AS cpu, input, sms, sm_count, dirty, protocol, verdict, n, run_group, 1 AS n_processes, mean_ms, median_ms, fps,
       mj_frame, ci_lo_ms, ci_hi_ms, gpu_mhz_med
FROM measurement
WHERE withdrawn IS NULL;
CREATE INDEX temp.countable_id ON countable (id);
CREATE INDEX temp.countable_of ON countable (configuration, results, session);
CREATE INDEX temp.countable_device ON countable (results, device);

-- A stage has the clock of its whole run.
UPDATE countable
SET gpu_mhz_med = (SELECT w.gpu_mhz_med
                   FROM configuration AS p
                   CROSS JOIN configuration AS c ON c.config_id = p.config_id AND c.sms IS p.sms AND c.series IS p.series AND c.scope IS p.scope
                       AND c.mode_name IS p.mode_name AND c.stage IS NULL AND c.scaling IS NULL
                   CROSS JOIN countable AS w ON w.configuration = c.id AND w.results = countable.results AND w.session = countable.session
                   WHERE p.id = countable.configuration
                   ORDER BY w.id DESC
                   LIMIT 1)
WHERE gpu_mhz_med IS NULL AND configuration IN (SELECT id FROM configuration WHERE stage IS NOT NULL);

CREATE TEMP TABLE repeated AS
SELECT p.measurement AS id, count(*) AS n, summary(m.mean_ms, 6) AS mean_ms, median(m.median_ms) AS median_ms,
       CASE WHEN max(m.stream_rate) IS NULL THEN summary(m.mean_ms, 10) ELSE avg(m.fps) END AS fps,
       median(m.mj_frame) AS mj_frame, summary(m.median_ms, 8) AS ci_lo_ms, summary(m.median_ms, 9) AS ci_hi_ms, median(m.gpu_mhz_med) AS mhz
FROM (SELECT measurement, max(member) AS member
      FROM process
      WHERE measurement IN (SELECT id FROM countable WHERE preference IS NOT NULL AND run_group IS NOT NULL)
      GROUP BY measurement, run) AS p
JOIN measurement AS m ON m.id = p.member
GROUP BY p.measurement
HAVING count(*) > 1;
UPDATE countable
SET (n_processes, mean_ms, median_ms, fps, mj_frame, ci_lo_ms, ci_hi_ms, gpu_mhz_med) = (
    SELECT n, mean_ms, median_ms, fps, mj_frame, ci_lo_ms, ci_hi_ms, mhz
    FROM repeated
    WHERE repeated.id = countable.id)
WHERE id IN (SELECT id FROM repeated);

-- Configurations by the experiments that have them, whichever experiment a row was taken for: claims name these.  Another way to a GPU than
-- a copy is not meant.
CREATE TEMP TABLE taken AS
SELECT e.results, e.experiment, d.id AS configuration, d.impl, d.stage, d.sms, c.sm_count, ';' || d.traits || ';' AS traits, c.n_good, c.n_other, c.newest
FROM (SELECT DISTINCT results, experiment, configuration FROM countable) AS e
JOIN (SELECT results, configuration, count(preference) AS n_good, count(CASE verdict WHEN 'other' THEN preference END) AS n_other, max(id) AS newest, CASE device WHEN 'gpu' THEN sm_count END AS sm_count
      FROM countable
      GROUP BY results, configuration) AS c USING (results, configuration)
JOIN configuration AS d ON d.id = e.configuration
WHERE coalesce(d.transfer, 'copy') = 'copy';
CREATE INDEX temp.taken_for ON taken (results, experiment, impl);

CREATE TEMP TABLE experiment AS
SELECT DISTINCT results, experiment
FROM taken;

-- What a machine is, and what it could not measure for want of data.
CREATE TEMP TABLE processor AS
SELECT DISTINCT results, lower(gpu) AS gpu, lower(cpu) AS cpu
FROM countable;
CREATE TEMP TABLE without_data AS
SELECT DISTINCT results, experiment, ';input=' || input || ';' AS input, substr(reason, 1, instr(reason || ';', ';') - 1) AS reason
FROM measurement
WHERE status = 'skipped' AND reason GLOB 'input ' || input || ': no files*';

-- Of the cells so far the configurations that fit them: 'team' tells those apart over which a cell is the mean, 'others' must be the same.
CREATE TEMP TABLE fitting (cell TEXT, configuration INTEGER, team, others, PRIMARY KEY (cell, configuration)) WITHOUT ROWID;

-- What the cells of one expression came to: cell.sql, and printed numbers, which are no rows.
CREATE TEMP TABLE seen (
    at INTEGER PRIMARY KEY,
    results, cell, n, value, low, high, n_outside, is_single, is_poor, is_away, is_mixed, is_several, is_of_threads, is_gpu, n_processes, input, commit_hash, session, device,
    scope, rows, why, last
);
CREATE TEMP VIEW together AS
SELECT coalesce(sum(n), 0) AS n, coalesce(sum(n_outside), 0) AS n_outside, total(is_single) > 0 AS is_single, total(is_poor) > 0 AS is_poor, total(is_away) > 0 AS is_away,
       total(is_mixed) > 0 OR count(DISTINCT CASE WHEN n > 0 THEN coalesce(commit_hash, '') END) > 1 AS is_mixed,
       total(is_several) > 0 OR count(DISTINCT CASE WHEN n > 0 THEN coalesce(session, '') END) > 1 AS is_several,
       total(is_of_threads) > 0 AS is_of_threads, count(DISTINCT is_gpu) AS n_targets, min(n_processes) AS n_processes,
       min(CASE is_gpu WHEN 0 THEN n_processes END) AS cpu_processes,
       coalesce((SELECT group_concat(scope, ' and ') FROM (SELECT scope FROM seen WHERE scope <> '' GROUP BY scope ORDER BY min(at))), '') AS scope,
       -- of a quotient the numerator's first
       coalesce((SELECT group_concat(device, ' against ') FROM (SELECT device FROM seen WHERE n > 0 GROUP BY device ORDER BY min(at))), '') AS device
FROM seen;

-- The sessions that have a row of each of these cells, the newest first.
CREATE TEMP VIEW session_of_all AS
SELECT session
FROM (SELECT DISTINCT r.session, f.cell
      FROM seen AS s
      CROSS JOIN fitting AS f ON f.cell = s.cell
      CROSS JOIN countable AS r ON r.configuration = f.configuration AND r.results = s.results AND r.preference IS NOT NULL)
GROUP BY session
HAVING count(*) = (SELECT count(DISTINCT cell) FROM seen)
ORDER BY session DESC;
