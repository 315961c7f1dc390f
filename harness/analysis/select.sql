-- select.sql - which rows stand for what is asked for: temporary, beside the tables of schema.sql, and anew for each experiment

CREATE TEMP TABLE IF NOT EXISTS wanted (
    id INTEGER PRIMARY KEY, -- in the order of the experiment
    impl TEXT NOT NULL,
    words TEXT NOT NULL,     -- its keys, for people
    config_id TEXT,
    threads INTEGER,         -- NULL: whatever team; the largest stands for it
    is_of_gpu INTEGER,
    sms INTEGER,             -- of a GPU; NULL: the whole of it
    mode_name TEXT NOT NULL, -- 'any' too, and 'each' that there are rows of; a machine without power modes stands in for every mode
    scope TEXT,              -- NULL: no times
    series TEXT,
    with_one_gpu INTEGER,    -- for all ranks of a host; else each has its own
    with_stages INTEGER NOT NULL,
    with_energy INTEGER NOT NULL
);

-- All rows of what is wanted, whatever became of them and whatever was timed.
CREATE TEMP VIEW IF NOT EXISTS matching AS
SELECT w.id AS wanted,
       m.id AS measurement,
       m.results,
       m.preference,
       c.stage,
       coalesce(c.mode_name, 'any') = w.mode_name AS is_of_mode,
       CASE w.mode_name WHEN 'each' THEN coalesce(c.mode_name, 'any') ELSE '' END AS mode,
       c.scope IS w.scope AND c.series IS w.series AS is_timed_so,
       w.with_energy AND m.mj_frame IS NOT NULL AS has_energy,
       c.scope IS NULL AS is_untimed
FROM wanted AS w
JOIN configuration AS c
  ON c.config_id = w.config_id
 AND (w.threads IS NULL OR c.threads = w.threads)
 AND (w.mode_name IN ('any', 'each') OR c.mode_name IS NULL OR c.mode_name = w.mode_name)
 AND coalesce(c.rank_gpus = CASE WHEN w.with_one_gpu THEN c.rank_hosts ELSE c.ranks END, 1)
JOIN measurement AS m ON m.configuration = c.id
WHERE m.withdrawn IS NULL AND (NOT w.is_of_gpu OR c.sms IS w.sms OR (c.sms IS NULL AND m.sm_count = w.sms));

-- Rows that may stand for it: of the mode that is asked for first, then with energy where that is asked for.
CREATE TEMP VIEW IF NOT EXISTS candidate AS
SELECT wanted, measurement, results, mode, stage, is_of_mode || has_energy || preference AS preference
FROM matching
WHERE preference IS NOT NULL AND is_timed_so;

CREATE TEMP TABLE IF NOT EXISTS best (wanted INTEGER, results TEXT, mode TEXT, measurement INTEGER, most TEXT, PRIMARY KEY (wanted, results, mode));

-- Stages of one session, so that the parts of one build are never mixed with those of another.
CREATE TEMP VIEW IF NOT EXISTS best_stages AS
SELECT c.wanted, max(c.measurement) AS measurement
FROM (SELECT wanted, results, mode, measurement, max(preference) AS most
      FROM candidate
      WHERE stage IS NOT NULL
      GROUP BY wanted, results, mode) AS newest
JOIN measurement AS n ON n.id = newest.measurement
JOIN candidate AS c ON c.wanted = newest.wanted AND c.results = newest.results AND c.mode = newest.mode AND c.stage IS NOT NULL
JOIN measurement AS m ON m.id = c.measurement
JOIN best AS whole ON whole.wanted = c.wanted AND whole.results = c.results AND whole.mode = c.mode
JOIN wanted AS w ON w.id = c.wanted AND w.with_stages AND w.scope IS NOT NULL
WHERE m.session = n.session AND m.params IS n.params AND m.threads IS n.threads
GROUP BY c.wanted, c.results, c.mode, m.stage;

-- The rows that stand for it, in order.
CREATE TEMP TABLE IF NOT EXISTS selected (
    place INTEGER PRIMARY KEY,
    measurement INTEGER NOT NULL,
    valued INTEGER -- the row whose values are its own, or those of its configuration in the same session
);

-- What is wanted and not there, in each folder of results, and what became of its newest row.
CREATE TEMP TABLE IF NOT EXISTS missing (
    id INTEGER PRIMARY KEY,
    impl TEXT NOT NULL,
    cell TEXT NOT NULL,
    why TEXT NOT NULL,
    folder TEXT -- NULL: there is only one
);

-- Configurations of one variant that are missing for one reason: up to three a line each, more one; at the place of the first of them.
CREATE TEMP VIEW IF NOT EXISTS missing_line AS
SELECT 'missing: ' || m.impl || CASE WHEN n > 3 THEN ': ' || n || ' configurations, the first' ELSE '' END
           || ' ' || m.cell || ': ' || m.why || coalesce(' (' || m.folder || ')', '') AS line
FROM missing AS m
JOIN (SELECT impl, why, folder, count(*) AS n, min(id) AS first
      FROM missing
      GROUP BY impl, why, folder) AS g
  ON g.impl = m.impl AND g.why = m.why AND g.folder IS m.folder
WHERE n <= 3 OR m.id = first
ORDER BY first, m.id;

-- The same as a number, in one line.
CREATE TEMP VIEW IF NOT EXISTS missing_told AS
SELECT 'missing: ' || n || CASE n WHEN 1 THEN ' configuration (' ELSE ' configurations (' END || text || ')' AS line
FROM (SELECT sum(n) AS n, group_concat(n || ' ' || what, ', ') AS text
      FROM (SELECT substr(why, 1, instr(why || ':', ':') - 1) AS what, count(*) AS n FROM missing GROUP BY what ORDER BY min(id)))
WHERE n > 0;

DELETE FROM wanted;
DELETE FROM best;
DELETE FROM selected;
DELETE FROM missing;
