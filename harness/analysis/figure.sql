-- figure.sql - what experiments ask for, and the rows that stand there: temporary, beside the tables of schema.sql.  show.c fills 'place',
-- then 'figure_row' from 'standing'; of the experiment at hand it fills 'wish', 'heading' and 'field', of which number.sql makes the rest.

CREATE TEMP TABLE IF NOT EXISTS place (
    place INTEGER PRIMARY KEY, -- in the order of the experiment
    experiment TEXT NOT NULL,
    section TEXT NOT NULL,   -- of the descriptor
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

CREATE TEMP TABLE IF NOT EXISTS figure_row (
    at INTEGER PRIMARY KEY, -- in the order of the experiment
    experiment TEXT NOT NULL,
    place INTEGER NOT NULL,
    measurement INTEGER NOT NULL,
    valued INTEGER -- the row whose values are its own, or those of its configuration in the same session
);
CREATE INDEX IF NOT EXISTS temp.figure_row_experiment ON figure_row (experiment);

-- The fields that show makes of these rows, of several experiments; 'field' has those of the one at hand.
CREATE TEMP TABLE IF NOT EXISTS cell (experiment TEXT, at INTEGER, name TEXT, value, PRIMARY KEY (at, name)) WITHOUT ROWID;

-- All rows of a place, whatever became of them and whatever was timed; 'rank' is of those that may stand for it: of the mode that is asked
-- for first, then with energy where that is asked for.
CREATE TEMP VIEW IF NOT EXISTS candidate AS
SELECT p.experiment, p.place, m.id AS measurement, m.results, m.session, m.params, m.threads, m.mode_name, m.preference, c.stage,
       CASE p.mode_name WHEN 'each' THEN coalesce(c.mode_name, 'any') ELSE '' END AS mode,
       c.scope IS NULL OR (c.scope IS p.scope AND c.series IS p.series) AS is_timed_so,
       CASE WHEN c.scope IS p.scope AND c.series IS p.series
            THEN (coalesce(c.mode_name, 'any') = p.mode_name) || (p.with_energy AND m.mj_frame IS NOT NULL) || m.preference END AS rank
FROM place AS p
JOIN configuration AS c
  ON c.config_id = p.config_id
 AND (p.threads IS NULL OR c.threads = p.threads)
 AND (p.mode_name IN ('any', 'each') OR c.mode_name IS NULL OR c.mode_name = p.mode_name)
 AND coalesce(c.rank_gpus = CASE WHEN p.with_one_gpu THEN c.rank_hosts ELSE c.ranks END, 1)
JOIN measurement AS m ON m.configuration = c.id
WHERE m.withdrawn IS NULL AND (NOT p.is_of_gpu OR c.sms IS p.sms OR (c.sms IS NULL AND m.sm_count = p.sms));

CREATE TEMP VIEW IF NOT EXISTS best AS -- in each folder of results, and of 'each' mode
SELECT place, results, mode, measurement, max(rank) AS most
FROM candidate
WHERE rank IS NOT NULL AND stage IS NULL
GROUP BY place, results, mode;

-- Stages of one session, so that the parts of one build are never mixed with those of another.
CREATE TEMP VIEW IF NOT EXISTS best_stage AS
SELECT f.place, max(f.measurement) AS measurement
FROM (SELECT place, results, mode, session, params, threads, max(rank) AS most
      FROM candidate
      WHERE rank IS NOT NULL AND stage IS NOT NULL
      GROUP BY place, results, mode) AS newest
JOIN best AS whole ON whole.place = newest.place AND whole.results = newest.results AND whole.mode = newest.mode
JOIN place AS p ON p.place = newest.place AND p.with_stages AND p.scope IS NOT NULL
JOIN candidate AS f ON f.place = newest.place AND f.results = newest.results AND f.mode = newest.mode AND f.rank IS NOT NULL AND f.stage IS NOT NULL
WHERE f.session = newest.session AND f.params IS newest.params AND f.threads IS newest.threads
GROUP BY f.place, f.results, f.mode, f.stage;

-- In the order of the places, then of the folders, stages behind the whole; a row stands where it is asked for first.
CREATE TEMP VIEW IF NOT EXISTS standing AS
SELECT p.experiment, p.place, m.id AS measurement,
       (SELECT o.measurement
        FROM measurement AS t
        JOIN candidate AS o
          ON o.place = s.place AND o.preference IS NOT NULL AND o.results = t.results AND o.session = t.session AND o.params IS t.params
         AND o.threads IS t.threads AND o.mode_name IS t.mode_name
        WHERE t.id = s.measurement AND EXISTS (SELECT 1 FROM value WHERE value.measurement = o.measurement)
        ORDER BY abs(o.measurement - t.id), o.measurement
        LIMIT 1) AS valued
FROM (SELECT measurement, min(place) AS place
      FROM (SELECT place, measurement FROM best UNION ALL SELECT place, measurement FROM best_stage)
      JOIN place USING (place)
      GROUP BY experiment, measurement) AS s
JOIN place AS p ON p.place = s.place
JOIN measurement AS m ON m.id = s.measurement
JOIN folder AS f ON f.results = m.results
ORDER BY s.place, f.id, m.stage IS NOT NULL, m.id;

-- Places without a row, in each folder of results, and what became of their newest row that is no good: also one that came to no times.
-- Places that differ in the mode that is sought are one.
CREATE TEMP VIEW IF NOT EXISTS missing AS
SELECT 1000 * p.place + f.id AS id, p.impl, p.words AS cell, coalesce(m.status || ': ' || coalesce(m.reason, ''), 'not measured') AS why,
       CASE WHEN (SELECT count(*) FROM folder) > 1 THEN f.path END AS folder, max(coalesce(m.utc, '') || printf('%012d', m.id)) AS newest
FROM place AS p
JOIN folder AS f
LEFT JOIN candidate AS a ON a.place = p.place AND a.results = f.results AND a.preference IS NULL AND a.is_timed_so
LEFT JOIN measurement AS m ON m.id = a.measurement
WHERE (p.place, f.results) NOT IN (SELECT place, results FROM best)
  AND (p.mode_name <> 'each' OR p.place IN (SELECT min(place)
                                            FROM place
                                            WHERE mode_name = 'each'
                                            GROUP BY experiment, config_id, threads, sms, scope, series, with_one_gpu, with_stages, with_energy))
GROUP BY p.place, f.id;

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

-- The same as a number, in one line; of a figure without the ceilings that several share.
CREATE TEMP VIEW IF NOT EXISTS missing_told AS
SELECT 'missing: ' || n || CASE n WHEN 1 THEN ' configuration (' ELSE ' configurations (' END || text || ')' AS line
FROM (SELECT sum(n) AS n, group_concat(n || ' ' || what, ', ') AS text
      FROM (SELECT substr(why, 1, instr(why || ':', ':') - 1) AS what, count(*) AS n
      FROM missing
      WHERE impl NOT LIKE 'probe/%' OR NOT EXISTS (SELECT 1 FROM place WHERE impl NOT LIKE 'probe/%')
      GROUP BY what
      ORDER BY min(id)))
WHERE n > 0;

-- ---- the experiment at hand: which columns its rows have depends on it, so that each is a row of 'field' ----

CREATE TEMP TABLE IF NOT EXISTS wish (word TEXT, at INTEGER, name TEXT); -- [show]: its key, the place in a list, and the text there
CREATE TEMP TABLE IF NOT EXISTS known_value (name TEXT PRIMARY KEY) WITHOUT ROWID; -- what problems and the suite may give, measured or not
CREATE TEMP TABLE IF NOT EXISTS field (
    name TEXT NOT NULL,  -- a column or a value, in the words of files
    id INTEGER NOT NULL, -- figure_row.at
    value NOT NULL,
    PRIMARY KEY (name, id)
) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS printed_field (name TEXT, id INTEGER, value, PRIMARY KEY (id, name)); -- of the paper, the same way
CREATE TEMP TABLE IF NOT EXISTS heading (
    at INTEGER PRIMARY KEY,    -- of the columns of a file, from 1
    name TEXT UNIQUE,
    is_value INTEGER DEFAULT 1,
    key INTEGER                -- of impl, from 0, and what else tells rows apart
);
CREATE TEMP TABLE IF NOT EXISTS telling (key INTEGER PRIMARY KEY, name TEXT, part TEXT); -- heading.key of other columns; of a part that rows may have
INSERT OR IGNORE INTO telling
VALUES (0, 'impl', NULL), (500, 'input', NULL), (501, 'frame_pick', NULL), (502, 'batch', NULL), (503, 'threads', NULL), (504, 'mode_name', NULL),
       (505, 'machine', NULL), (506, 'scope', NULL), (507, 'series', NULL), (508, 'stage', NULL), (509, 'transfer', 'way'), (510, 'sms', 'SMs'),
       (511, 'ranks', 'ranks'), (512, 'scaling', 'ranks'), (513, 'rank_hosts', 'ranks'), (514, 'stream_rate', 'stream'),
       (515, 'stream_in_flight', 'stream'), (516, 'stream_arrival', 'stream'), (517, 'stream_launch', 'stream'), (518, 'rank_gpus', 'ranks'), (519, 'stream_wake', 'stream');
CREATE TEMP VIEW IF NOT EXISTS grouping AS -- of rows that agree in all keys but those of the word
SELECT word FROM wish WHERE word IN ('best', 'mean_over') AND at = 0
UNION ALL SELECT 'stage' FROM wish WHERE word = 'best' AND at = 0;
CREATE TEMP TABLE IF NOT EXISTS trait (key INTEGER, name TEXT, id INTEGER, value, PRIMARY KEY (key, id)) WITHOUT ROWID; -- of a row, where rows are grouped
CREATE TEMP TABLE IF NOT EXISTS agreed (word TEXT, name TEXT, key INTEGER); -- the keys in which rows of one group agree
CREATE TEMP TABLE IF NOT EXISTS same (word TEXT, id INTEGER, text TEXT, PRIMARY KEY (word, id)); -- the same in rows of one group
CREATE TEMP TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, whole INTEGER, n INTEGER); -- of n rows that become one: the first of them
CREATE TEMP TABLE IF NOT EXISTS mean (name TEXT, id INTEGER, value);
CREATE TEMP TABLE IF NOT EXISTS caption (part REAL, text TEXT);
CREATE TEMP TABLE IF NOT EXISTS hand (experiment TEXT); -- its name; one that is inserted takes the place of the other
CREATE TEMP TRIGGER IF NOT EXISTS in_hand AFTER INSERT ON hand BEGIN
    DELETE FROM hand WHERE rowid <> new.rowid;
    DELETE FROM wish; DELETE FROM field; DELETE FROM printed_field; DELETE FROM heading;
    DELETE FROM trait; DELETE FROM agreed; DELETE FROM same; DELETE FROM run; DELETE FROM mean; DELETE FROM caption;
END;
CREATE TEMP VIEW IF NOT EXISTS selected AS SELECT f.* FROM hand JOIN figure_row AS f USING (experiment);

CREATE TEMP TABLE IF NOT EXISTS time_name (i INTEGER PRIMARY KEY, name TEXT, of TEXT); -- of summary(of, i)
INSERT OR IGNORE INTO time_name
VALUES (0, 'min_ms', 'min_ms'), (1, 'q1_ms', 'q1_ms'), (2, 'median_ms', 'median_ms'), (3, 'q3_ms', 'q3_ms'), (4, 'p95_ms', 'p95_ms'),
       (5, 'max_ms', 'max_ms'), (6, 'mean_ms', 'mean_ms'), (7, 'sd_ms', 'mean_ms'), (8, 'ci_lo_ms', 'median_ms'),
       (9, 'ci_hi_ms', 'median_ms'), (10, 'fps', 'mean_ms');

-- The single values of rows; one with the name of a column of files is told from that.
CREATE TEMP VIEW IF NOT EXISTS scalar AS
SELECT s.at AS id, v.rowid AS at, CASE WHEN h.name IS NULL THEN v.name ELSE 'value_' || v.name END AS name, v.value
FROM selected AS s
JOIN value AS v ON v.measurement = s.valued AND v.idx IS NULL
LEFT JOIN heading AS h ON h.name = v.name AND NOT h.is_value
WHERE v.value IS NOT NULL;

-- The number of samples, processes or runs of a row, and its median.  Processes of a CPU differ by more than samples of one of them do,
-- so that the interval of one says nothing: 'is_sure' is false.
CREATE TEMP VIEW IF NOT EXISTS sampled AS
SELECT i.id, n.value AS n, coalesce(team.value, 0) AS team, m.value AS median, low.value AS low, coalesce(high.value, m.value) AS high,
       CASE WHEN EXISTS (SELECT 1 FROM wish WHERE word = 'mean_over') THEN ''
            WHEN p.value > 1 THEN ' processes'
            WHEN d.value <> 'gpu' THEN ' samples of one process of a CPU' ELSE ' samples of one process' END AS of_what,
       coalesce(p.value > 1 OR d.value = 'gpu', 1) AS is_sure
FROM field AS i
LEFT JOIN field AS d ON d.name = 'device' AND d.id = i.id
LEFT JOIN field AS n ON n.name = 'n' AND n.id = i.id
LEFT JOIN field AS p ON p.name = 'processes' AND p.id = i.id
LEFT JOIN field AS team ON team.name = 'threads' AND team.id = i.id
LEFT JOIN field AS m ON m.name = 'median_ms' AND m.id = i.id
LEFT JOIN field AS low ON low.name = 'ci_lo_ms' AND low.id = i.id
LEFT JOIN field AS high ON high.name = 'ci_hi_ms' AND high.id = i.id
WHERE i.name = 'impl';

-- For the SELECT of [show] first: the rows with their columns in files, and as 'ms' their mean time, be it of processes or runs; 'half' is
-- half its interval.  What else is told of a row, 'field' has, by 'place'.  Of several folders those of the first row's.
CREATE TEMP VIEW IF NOT EXISTS shown_row AS
SELECT t.id AS place, m.*, mean.value AS ms, (t.high - t.low) / 2 AS half, t.low, t.high, sd.value AS sd, t.n AS of_n, t.of_what
FROM sampled AS t
JOIN figure_row AS s ON s.at = t.id
JOIN measurement AS m
  ON m.id = s.measurement
 AND m.results = (SELECT o.results FROM selected AS first JOIN measurement AS o ON o.id = first.measurement ORDER BY first.at LIMIT 1)
LEFT JOIN field AS mean ON mean.name = 'mean_ms' AND mean.id = t.id
LEFT JOIN field AS sd ON sd.name = 'sd_ms' AND sd.id = t.id;

-- The counts of a profiler.  They are of one frame, or one batch: a row that is a mean over several inputs, or of several rows, has none.
-- Sums are per frame, as times are.
CREATE TEMP VIEW IF NOT EXISTS counted_row AS
SELECT s.at AS id,
       k.utc AS ncu_session,
       k.kernels AS ncu_kernels,
       1.0 * k.launches AS ncu_launches,
       k.kernel AS ncu_kernel,
       k.instructions / f.frames AS ncu_instructions,
       k.dram_bytes / f.frames AS ncu_dram_bytes,
       k.l2_bytes / f.frames AS ncu_l2_bytes,
       k.sysmem_bytes / f.frames AS ncu_sysmem_bytes,
       k.ipc AS ncu_ipc,
       k.achieved_occupancy_pct AS ncu_achieved_occupancy_pct,
       k.issue_active_pct AS ncu_issue_active_pct,
       k.l1_hit_pct AS ncu_l1_hit_pct,
       k.registers AS ncu_registers,
       k.shared_bytes AS ncu_shared_bytes
FROM selected AS s
JOIN measurement AS m ON m.id = s.measurement
JOIN (SELECT id, 1.0 * max(1, coalesce(n_frames, 1)) AS frames FROM measurement) AS f ON f.id = m.id
JOIN counted AS k ON k.configuration = m.configuration AND k.results = m.results AND k.machine IS m.machine
WHERE m.n_inputs = 1 AND s.at IN (SELECT id FROM field WHERE name = 'row_id');

-- The sides of a table for people; none where [show] does not say.
CREATE TEMP VIEW IF NOT EXISTS axes AS
SELECT CASE r.name WHEN 'mode' THEN 'mode_name' ELSE r.name END AS row_name,
       CASE c.name WHEN 'mode' THEN 'mode_name' ELSE c.name END AS column_name,
       r.name AS row_title,
       o.name AS mean_over
FROM wish AS r
JOIN wish AS c ON c.word = 'columns'
LEFT JOIN wish AS o ON o.word = 'mean_over'
WHERE r.word = 'rows' AND EXISTS (SELECT 1 FROM wish WHERE word = 'value');

-- The columns of files that tables for people, or what stands in them, are made of, beside keys; a file has all of them.
CREATE TEMP VIEW IF NOT EXISTS needed AS
SELECT name
FROM (SELECT name FROM wish
      UNION SELECT name FROM telling
      UNION VALUES ('n'), ('processes'), ('row_id'), ('status'), ('verdict'), ('device'), ('sm_count'), ('commit_hash'), ('dirty'), ('cpu'), ('gpu'),
                   ('protocol'), ('median_ms'), ('mean_ms'), ('sd_ms'), ('ci_lo_ms'), ('ci_hi_ms'), ('power_scope'))
WHERE NOT EXISTS (SELECT 1 FROM wish WHERE word = 'file');

-- The columns and values that a descriptor asks for; 'is_named': some row may have it, measured or not.
CREATE TEMP VIEW IF NOT EXISTS asked_column AS
SELECT w.word, w.name, h.key IS NOT NULL AS is_key,
       h.name IS NOT NULL OR w.name = 'n_outside'
           OR EXISTS (SELECT 1 FROM known_value AS k WHERE w.name IN (k.name, k.name || '_sd')) AS is_named
FROM wish AS w
LEFT JOIN heading AS h ON h.name = w.name
WHERE w.word = 'mean_over' OR w.word IN ('rows', 'columns', 'value', 'extra') AND w.name NOT IN ('', 'mode') AND EXISTS (SELECT 1 FROM axes) AND EXISTS (SELECT 1 FROM needed);

CREATE TEMP VIEW IF NOT EXISTS unmeasured AS
SELECT DISTINCT name
FROM asked_column
WHERE name NOT IN (SELECT name FROM field) AND NOT is_key AND word NOT IN ('rows', 'columns') AND EXISTS (SELECT 1 FROM selected);

-- Rows of one name that are not surely of one machine: those before schema 3 have no host.
CREATE TEMP VIEW IF NOT EXISTS mixed AS
SELECT machine || ' is ' || CASE n_hosts WHEN 0 THEN 'unknown hosts' WHEN 1 THEN '1 host' ELSE n_hosts || ' hosts' END
           || CASE WHEN n_hosts > 0 AND is_unknown THEN ' and unknown ones' ELSE '' END
           || CASE WHEN n_gpus > 1 THEN ', ' || n_gpus || ' GPUs' ELSE '' END AS text
FROM (SELECT m.machine, count(DISTINCT m.host) AS n_hosts, max(m.host IS NULL) AS is_unknown, count(DISTINCT m.session) AS n_sessions,
             count(DISTINCT CASE WHEN m.device = 'gpu' THEN m.gpu_uuid END) AS n_gpus
      FROM selected AS s
      JOIN measurement AS m ON m.id = s.measurement
      GROUP BY m.machine)
WHERE n_sessions > 1 AND (is_unknown OR n_hosts > 1 OR n_gpus > 1);

-- Slips of a descriptor.
CREATE TEMP VIEW IF NOT EXISTS slip AS
SELECT word || ' ''' || name || ''' is neither a column, nor a key, nor a value of any problem' AS sentence
FROM asked_column
WHERE NOT is_named
UNION ALL
SELECT word || ': expected one name, found also ''' || name || '''' FROM wish WHERE word IN ('rows', 'columns') AND at > 0
UNION ALL
SELECT 'counters: expected ncu, found ''' || name || '''' FROM wish WHERE word = 'counters' AND name <> 'ncu';
