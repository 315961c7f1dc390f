-- choose.sql - done once when 'wanted' is filled
DELETE FROM wanted -- what differed in the mode that is sought
WHERE mode_name = 'each'
  AND id NOT IN (SELECT min(id)
                 FROM wanted
                 WHERE mode_name = 'each'
                 GROUP BY config_id, threads, sms, scope, series, with_one_gpu, with_stages, with_energy);

INSERT INTO best
SELECT wanted, results, mode, measurement, max(preference)
FROM candidate
WHERE stage IS NULL
GROUP BY wanted, results, mode;

-- In the order of what is wanted, then of the folders, stages behind the whole; a row stands for what is wanted first.
INSERT INTO selected (measurement, valued)
SELECT m.id, (
    SELECT other.id
    FROM matching AS o
    JOIN measurement AS this ON this.id = c.measurement
    JOIN measurement AS other ON other.id = o.measurement
    WHERE o.wanted = c.wanted AND o.preference IS NOT NULL
      AND other.results = this.results AND other.session = this.session AND other.params IS this.params
      AND other.threads IS this.threads AND other.mode_name IS this.mode_name
      AND EXISTS (SELECT 1 FROM value WHERE value.measurement = other.id)
    ORDER BY abs(other.id - this.id), other.id
    LIMIT 1
)
FROM (SELECT measurement, min(wanted) AS wanted
      FROM (SELECT wanted, measurement FROM best UNION ALL SELECT wanted, measurement FROM best_stages)
      GROUP BY measurement) AS c
JOIN measurement AS m ON m.id = c.measurement
JOIN folder AS f ON f.results = m.results
ORDER BY c.wanted, f.id, m.stage IS NOT NULL, m.id;

-- Of a configuration's rows that are no good the newest says why: also one that came to no times.
INSERT INTO missing (impl, cell, why, folder)
SELECT impl,
       words,
       why,
       folder
FROM (SELECT w.*, coalesce(m.status || ': ' || coalesce(m.reason, ''), 'not measured') AS why,
             CASE WHEN (SELECT count(*) FROM folder) > 1 THEN f.path END AS folder, f.id AS folder_id,
             max(coalesce(m.utc, '') || printf('%012d', m.id)) AS newest
      FROM wanted AS w
      JOIN folder AS f
      LEFT JOIN matching AS a
        ON a.wanted = w.id AND a.results = f.results AND a.preference IS NULL AND (a.is_untimed OR a.is_timed_so)
      LEFT JOIN measurement AS m ON m.id = a.measurement
      WHERE (w.id, f.results) NOT IN (SELECT wanted, results FROM best)
      GROUP BY w.id, f.id)
ORDER BY id, folder_id;
