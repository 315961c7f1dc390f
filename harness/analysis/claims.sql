-- claims.sql - what the cells of claims ask of one machine: temporary, beside the tables of schema.sql

-- Rows, as far as claims look at them (a measurement is long), with what the processes of one call say together.  One of another rule
-- backs no claim.
CREATE TEMP TABLE countable (
    id INTEGER PRIMARY KEY,
    configuration INTEGER, experiment, preference, session, row_id, commit_hash, scope, device, gpu, cpu, sms, sm_count, dirty, protocol, verdict, n,
    run_group, n_processes, mean_ms, median_ms, fps, mj_frame, ci_lo_ms, ci_hi_ms, gpu_mhz_med
);
INSERT INTO countable
SELECT id, configuration, experiment, CASE WHEN verdict <> 'other' THEN preference END, session, row_id, commit_hash, scope, device, coalesce(gpu, ''), coalesce(cpu, ''), sms, sm_count,
       dirty, protocol, verdict, n, run_group, 1, mean_ms, median_ms, fps, mj_frame, ci_lo_ms, ci_hi_ms,
       gpu_mhz_med
FROM measurement
WHERE withdrawn IS NULL;
CREATE INDEX temp.countable_of ON countable (configuration, session);

-- A stage has the clock of its whole run.
CREATE TEMP TABLE part_of AS
SELECT p.id AS part, w.id AS whole
FROM configuration AS p
JOIN configuration AS w ON w.impl = p.impl AND w.keys IS p.keys AND w.input IS p.input AND w.sms IS p.sms AND w.series IS p.series AND w.scope IS p.scope
    AND w.frame_pick IS p.frame_pick AND w.batch IS p.batch AND w.transfer IS p.transfer AND w.mode_name IS p.mode_name AND w.stage IS NULL AND w.scaling IS NULL
WHERE p.stage IS NOT NULL;
CREATE INDEX temp.part_of_part ON part_of (part);
UPDATE countable
SET gpu_mhz_med = (SELECT w.gpu_mhz_med
                   FROM part_of
                   JOIN countable AS w ON w.configuration = whole AND w.session = countable.session
                   WHERE part = countable.configuration
                   ORDER BY w.id DESC
                   LIMIT 1)
WHERE gpu_mhz_med IS NULL AND configuration IN (SELECT part FROM part_of);

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
SELECT e.experiment, d.id AS configuration, d.impl, d.stage, d.sms, c.sm_count, ';' || d.traits || ';' AS traits, c.n_good, c.newest
FROM (SELECT DISTINCT experiment, configuration FROM countable) AS e
JOIN (SELECT configuration, count(preference) AS n_good, max(id) AS newest, CASE device WHEN 'gpu' THEN sm_count END AS sm_count
      FROM countable
      GROUP BY configuration) AS c ON c.configuration = e.configuration
JOIN configuration AS d ON d.id = e.configuration
WHERE coalesce(d.transfer, 'copy') = 'copy';
CREATE INDEX temp.taken_for ON taken (experiment, impl);

CREATE TEMP TABLE experiment AS
SELECT DISTINCT experiment
FROM taken;

-- What a machine is, and what it could not measure for want of data.
CREATE TEMP TABLE processor AS
SELECT DISTINCT lower(gpu) AS gpu, lower(cpu) AS cpu
FROM countable;
CREATE TEMP TABLE without_data AS
SELECT DISTINCT experiment, ';input=' || input || ';' AS input, substr(reason, 1, instr(reason || ';', ';') - 1) AS reason
FROM measurement
WHERE status = 'skipped' AND reason GLOB 'input ' || input || ': no files*';

-- Of the cells so far the configurations that fit them: 'team' tells those apart over which a cell is the mean, 'others' must be the same.
CREATE TEMP TABLE fitting (cell TEXT, configuration INTEGER, team, others, PRIMARY KEY (cell, configuration)) WITHOUT ROWID;
