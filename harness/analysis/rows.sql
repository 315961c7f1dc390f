-- rows.sql - what show makes of the rows that select.sql has chosen, anew for each experiment.  Which columns they have depends on the
-- experiment, so that each is a row of 'field'.  show.c fills 'wish', 'key_name', 'shown_column' and 'field'; derive.sql does the rest.

CREATE TEMP TABLE IF NOT EXISTS wish (word TEXT, at INTEGER, name TEXT); -- [show]: its key, the place in a list, and the text there
CREATE TEMP TABLE IF NOT EXISTS asked (word TEXT, at INTEGER, name TEXT); -- the same, also where there are no rows
CREATE TEMP TABLE IF NOT EXISTS known_value (name TEXT PRIMARY KEY) WITHOUT ROWID; -- what problems and the suite may give, measured or not
CREATE TEMP TABLE IF NOT EXISTS key_name (at INTEGER PRIMARY KEY, name TEXT UNIQUE); -- impl, from 0, and what else tells rows apart
CREATE TEMP TABLE IF NOT EXISTS field (
    name TEXT NOT NULL,  -- a column or a value, in the words of files
    id INTEGER NOT NULL, -- selected.place
    value NOT NULL,
    PRIMARY KEY (name, id)
) WITHOUT ROWID;
-- The columns of files that are looked at: of tables for people, or what stands in them, is made of these.
CREATE TEMP TABLE IF NOT EXISTS needed (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS printed_field (name TEXT, id INTEGER, value, PRIMARY KEY (id, name)); -- of the paper, the same way
CREATE TEMP TABLE IF NOT EXISTS shown_column (at INTEGER PRIMARY KEY, name TEXT UNIQUE, is_value INTEGER DEFAULT 1); -- of a file, from 1
CREATE TEMP TABLE IF NOT EXISTS row_at (at INTEGER PRIMARY KEY, id INTEGER UNIQUE); -- the rows of a file
CREATE TEMP TABLE IF NOT EXISTS agreed (word TEXT, name TEXT, at INTEGER); -- the keys in which rows of one group agree
CREATE INDEX IF NOT EXISTS temp.agreed_word ON agreed (word);
CREATE TEMP TABLE IF NOT EXISTS same (word TEXT, id INTEGER, text TEXT, PRIMARY KEY (word, id)); -- the same in rows of one group
CREATE TEMP TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, whole INTEGER, n INTEGER); -- of n rows that become one: the first of them
CREATE TEMP TABLE IF NOT EXISTS mean (name TEXT, id INTEGER, value);
CREATE TEMP TABLE IF NOT EXISTS time_name (i INTEGER PRIMARY KEY, name TEXT, of TEXT); -- of summary(of, i)
INSERT OR IGNORE INTO time_name
VALUES (0, 'min_ms', 'min_ms'), (1, 'q1_ms', 'q1_ms'), (2, 'median_ms', 'median_ms'), (3, 'q3_ms', 'q3_ms'), (4, 'p95_ms', 'p95_ms'),
       (5, 'max_ms', 'max_ms'), (6, 'mean_ms', 'mean_ms'), (7, 'sd_ms', 'mean_ms'), (8, 'ci_lo_ms', 'median_ms'),
       (9, 'ci_hi_ms', 'median_ms'), (10, 'fps', 'mean_ms');
CREATE TEMP TABLE IF NOT EXISTS yardstick (id INTEGER PRIMARY KEY, by INTEGER); -- the row of 'baseline' that a row is measured by
CREATE TEMP TABLE IF NOT EXISTS session_time (whole INTEGER, session TEXT, ms REAL, is_of_several INTEGER, PRIMARY KEY (whole, session));
CREATE TEMP TABLE IF NOT EXISTS caption (part REAL, text TEXT);

-- The keys in which rows of one group may differ.
CREATE TEMP VIEW IF NOT EXISTS but AS
SELECT word, name FROM wish WHERE word IN ('best', 'mean_over', 'baseline') OR word = 'time_to_quality' AND at = 1
UNION ALL SELECT o.word, w.name FROM wish AS w JOIN wish AS o ON o.word = 'time_to_quality' AND o.at = 0 WHERE w.word = 'mean_over'
UNION ALL SELECT CASE word WHEN 'best' THEN 'stage' ELSE word END, 'stage' FROM wish WHERE word = 'best' AND at = 0
UNION ALL SELECT 'baseline', 'impl' UNION ALL SELECT 'baseline', 'threads';

-- The single values of rows; one with the name of a column of files is told from that.
CREATE TEMP VIEW IF NOT EXISTS scalar AS
SELECT s.place AS id, v.rowid AS at, CASE WHEN c.name IS NULL THEN v.name ELSE 'value_' || v.name END AS name, v.value
FROM selected AS s
JOIN value AS v ON v.measurement = s.valued AND v.idx IS NULL
LEFT JOIN shown_column AS c ON c.name = v.name AND NOT c.is_value
WHERE v.value IS NOT NULL;

-- Of how many samples, processes or runs a row is, and its median.
CREATE TEMP VIEW IF NOT EXISTS sampled AS
SELECT i.id, n.value AS n, coalesce(team.value, 0) AS team, m.value AS median, low.value AS low, coalesce(high.value, m.value) AS high,
       CASE WHEN EXISTS (SELECT 1 FROM wish WHERE word = 'mean_over') THEN ''
            WHEN p.value > 1 THEN ' processes' ELSE ' samples of one process' END AS of_what
FROM field AS i
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
SELECT t.id AS place, m.*, mean.value AS ms, (t.high - t.low) / 2 AS half, sd.value AS sd, t.n AS of_n
FROM sampled AS t
JOIN selected AS s ON s.place = t.id
JOIN measurement AS m
  ON m.id = s.measurement
 AND m.results = (SELECT o.results FROM selected AS first JOIN measurement AS o ON o.id = first.measurement ORDER BY first.place LIMIT 1)
LEFT JOIN field AS mean ON mean.name = 'mean_ms' AND mean.id = t.id
LEFT JOIN field AS sd ON sd.name = 'sd_ms' AND sd.id = t.id;

-- Whole runs that differ in the keys of 'best' alone: the fastest, and of those whose interval reaches down to its own the one of the
-- smallest team.
CREATE TEMP VIEW IF NOT EXISTS timed AS
SELECT s.text, t.*
FROM same AS s
JOIN sampled AS t ON t.id = s.id AND t.median IS NOT NULL
WHERE s.word = 'best' AND s.id NOT IN (SELECT id FROM field WHERE name = 'stage');

CREATE TEMP VIEW IF NOT EXISTS best_setting AS
SELECT t.id, min(t.team * 1000000 + t.id) AS least
FROM timed AS t
JOIN (SELECT id, text, min(median) AS median, high FROM timed GROUP BY text) AS fastest ON fastest.text = t.text
WHERE t.id = fastest.id OR t.low <= fastest.high
GROUP BY t.text;

-- What a profiler counted.  It is of one frame, or one batch: a row that is a mean over several inputs, or of several rows, has none.
-- Sums are per frame, as times are.
CREATE TEMP VIEW IF NOT EXISTS counted_row AS
SELECT s.place AS id,
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
WHERE m.n_inputs = 1 AND s.place IN (SELECT id FROM field WHERE name = 'row_id');

-- What stands at the sides of a table for people; none where [show] does not say.
CREATE TEMP VIEW IF NOT EXISTS axes AS
SELECT CASE r.name WHEN 'mode' THEN 'mode_name' ELSE r.name END AS row_name,
       CASE c.name WHEN 'mode' THEN 'mode_name' ELSE c.name END AS column_name,
       r.name AS row_title,
       o.name AS mean_over
FROM wish AS r
JOIN wish AS c ON c.word = 'columns'
LEFT JOIN wish AS o ON o.word = 'mean_over'
WHERE r.word = 'rows' AND EXISTS (SELECT 1 FROM wish WHERE word = 'value');

-- What a descriptor asks for: columns of rows, or values.
CREATE TEMP VIEW IF NOT EXISTS asked_column AS
SELECT *
FROM asked
WHERE word = 'mean_over' OR word = 'divide_by' AND at = 0 OR word = 'time_to_quality' AND at < 2
   OR word IN ('rows', 'columns', 'value', 'extra') AND name NOT IN ('', 'mode') AND 'all' NOT IN needed
      AND 3 = (SELECT count(DISTINCT word) FROM asked WHERE word IN ('rows', 'columns', 'value'));

-- What rows may have, and what show makes of it; nobody need have measured it.
CREATE TEMP VIEW IF NOT EXISTS known_name AS
SELECT name FROM shown_column
UNION ALL SELECT name FROM key_name
UNION ALL SELECT name || suffix FROM known_value JOIN (SELECT '' AS suffix UNION ALL SELECT '_sd')
UNION ALL SELECT name FROM asked WHERE word = 'divide_by' AND at = 1
UNION ALL SELECT 'to_quality_' || name FROM asked WHERE word = 'time_to_quality' AND at = 1
UNION ALL SELECT name FROM (SELECT 'speedup' AS name UNION ALL SELECT 'to_quality_ms' UNION ALL SELECT 'n_outside');

CREATE TEMP VIEW IF NOT EXISTS unmeasured AS
SELECT DISTINCT name
FROM asked_column
WHERE name NOT IN (SELECT name FROM field UNION ALL SELECT name FROM key_name) AND word NOT IN ('rows', 'columns') AND EXISTS (SELECT 1 FROM selected);

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

-- What is wrong with a descriptor: names that nothing has, and lists that are too short.
CREATE TEMP VIEW IF NOT EXISTS slip AS
SELECT word || ' ''' || name || ''' is neither a column, nor a key, nor a value of any problem' AS sentence
FROM asked_column
WHERE name NOT IN (SELECT name FROM known_name)
UNION ALL
SELECT word || ': expected ' || CASE word WHEN 'divide_by' THEN 'a value and the name of a column'
                                ELSE 'a value and a key, and ''baseline''' END
FROM asked
WHERE word IN ('divide_by', 'time_to_quality') AND at = 0
  AND (word || 1 NOT IN (SELECT word || at FROM asked) OR word = 'time_to_quality' AND 'baseline0' NOT IN (SELECT word || at FROM asked))
UNION ALL
SELECT 'counters: expected ncu, found ''' || name || '''' FROM asked WHERE word = 'counters' AND name <> 'ncu';

CREATE TEMP VIEW IF NOT EXISTS chosen_configuration AS
SELECT DISTINCT c.*
FROM selected AS s
JOIN measurement AS m ON m.id = s.measurement
JOIN configuration AS c ON c.id = m.configuration;

DELETE FROM wish; DELETE FROM asked; DELETE FROM known_value; DELETE FROM needed; DELETE FROM key_name; DELETE FROM field; DELETE FROM printed_field; DELETE FROM shown_column; DELETE FROM row_at;
DELETE FROM agreed; DELETE FROM same; DELETE FROM run; DELETE FROM mean; DELETE FROM yardstick; DELETE FROM session_time;
DELETE FROM caption;

INSERT INTO needed
VALUES ('n'), ('processes'), ('row_id'), ('status'), ('verdict'), ('device'), ('sms'), ('sm_count'), ('commit_hash'), ('dirty'), ('cpu'), ('gpu'),
       ('protocol'), ('median_ms'), ('mean_ms'), ('sd_ms'), ('ci_lo_ms'), ('ci_hi_ms'), ('name'), ('printed'), ('power_scope');

-- What tells rows apart beside declared keys.  Where all is copied, or all ran on the whole GPU, nobody needs to be told so.
INSERT INTO key_name
VALUES (0, 'impl'), (500, 'input'), (501, 'frame_pick'), (502, 'batch'), (503, 'threads'), (504, 'mode_name'), (505, 'machine'), (506, 'scope'),
       (507, 'series'), (508, 'stage');
INSERT INTO key_name
SELECT at, name
FROM (SELECT 509 AS at, 'transfer' AS name, transfer <> 'copy' AS tells FROM chosen_configuration
      UNION ALL SELECT 510, 'sms', sms IS NOT NULL FROM chosen_configuration
      UNION ALL SELECT at, name, scaling IS NOT NULL
      FROM chosen_configuration, (SELECT 511 AS at, 'ranks' AS name UNION ALL SELECT 512, 'scaling' UNION ALL SELECT 513, 'rank_hosts')
      UNION ALL SELECT at, name, stream_rate IS NOT NULL
      FROM chosen_configuration, (SELECT 514 AS at, 'stream_rate' AS name UNION ALL SELECT 515, 'stream_in_flight' UNION ALL SELECT 516, 'stream_arrival'
                                  UNION ALL SELECT 517, 'stream_launch'))
WHERE tells
GROUP BY at;
