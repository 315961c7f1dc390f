-- claims.sql - what the cells of claims ask of one machine: temporary, beside the tables of schema.sql

-- Configurations by the experiments that have them, whichever experiment a row was taken for: claims name these.  Another way to a GPU than
-- a copy is not meant.
CREATE TEMP TABLE taken AS
SELECT e.experiment, d.id AS configuration, d.impl, d.stage, d.sms, c.sm_count, ';' || d.traits || ';' AS traits, c.n_good, c.newest, c.became
FROM (SELECT DISTINCT experiment, configuration FROM measurement WHERE withdrawn IS NULL) AS e
JOIN (SELECT configuration, count(preference) AS n_good, max(id) AS newest, status || coalesce(', ' || reason, '') AS became,
             CASE device WHEN 'gpu' THEN sm_count END AS sm_count
      FROM measurement
      WHERE withdrawn IS NULL
      GROUP BY configuration) AS c ON c.configuration = e.configuration
JOIN described AS d ON d.id = e.configuration
WHERE coalesce(d.transfer, 'copy') = 'copy';

CREATE INDEX temp.taken_for ON taken (experiment, impl);

CREATE TEMP TABLE experiment AS
SELECT DISTINCT experiment
FROM taken;

-- What the processes say together of which one measured a row.
CREATE TEMP TABLE repeated (id INTEGER PRIMARY KEY, n, mean_ms, median_ms, fps, mj_frame, ci_lo_ms, ci_hi_ms, mhz);
INSERT INTO repeated
SELECT p.measurement,
       count(*) AS n,
       summary(m.mean_ms, 6) AS mean_ms,
       median(m.median_ms) AS median_ms,
       summary(m.mean_ms, 10) AS fps,
       median(m.mj_frame) AS mj_frame,
       summary(m.median_ms, 8) AS ci_lo_ms,
       summary(m.median_ms, 9) AS ci_hi_ms,
       median(m.gpu_mhz_med) AS mhz
FROM (SELECT measurement, max(member) AS member
      FROM process
      WHERE measurement IN (SELECT id FROM good WHERE run_group IS NOT NULL)
      GROUP BY measurement, run) AS p
JOIN measurement AS m ON m.id = p.member
GROUP BY p.measurement
HAVING count(*) > 1;

-- Rows that may count: 'traits' are those of their configurations.
CREATE TEMP VIEW countable AS
SELECT t.*,
       m.id,
       m.preference,
       m.session,
       m.row_id,
       m.commit_hash,
       m.scope,
       CASE m.device WHEN 'gpu' THEN m.gpu ELSE m.cpu END AS ran_on,
       lower(coalesce(m.gpu, '')) AS gpu,
       lower(coalesce(m.cpu, '')) AS cpu,
       coalesce(m.sms, m.sm_count) || ' of ' || m.sm_count AS cut_to,
       coalesce(m.dirty, 0) NOT IN (0, 'no', 'false') OR m.protocol IS 'quick' AS is_poor,
       m.verdict = 'outside' AS is_outside,
       m.n < 2 AND o.n IS NULL AS is_once,
       coalesce(o.n, 1) AS n_processes,
       coalesce(o.mhz, m.gpu_mhz_med) AS mhz,
       coalesce(o.ci_lo_ms, m.ci_lo_ms) AS low,
       coalesce(o.ci_hi_ms, m.ci_hi_ms) AS high
FROM taken AS t
CROSS JOIN measurement AS m ON m.configuration = t.configuration
LEFT JOIN repeated AS o ON o.id = m.id
WHERE m.preference IS NOT NULL;
