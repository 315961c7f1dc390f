-- rows.sql - what show makes of the rows that select.sql has chosen, anew for each experiment.  Their columns depend on the experiment,
-- so that each is a row of 'field'.  show.c fills 'wish', 'key_name', 'field' and 'printed_field'; derive.sql does the rest.

CREATE TEMP TABLE IF NOT EXISTS wish (word TEXT, at INTEGER, name TEXT); -- [show]: its key, the place in a list, and the text there
CREATE TEMP TABLE IF NOT EXISTS key_name (at INTEGER PRIMARY KEY, name TEXT UNIQUE); -- impl, from 0, and what else tells rows apart
CREATE TEMP TABLE IF NOT EXISTS field (
    id INTEGER NOT NULL, -- selected.place
    name TEXT NOT NULL,  -- a column or a value, in the words of files
    value NOT NULL,
    PRIMARY KEY (name, id)
) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS printed_field (id INTEGER, name TEXT, value, PRIMARY KEY (id, name)); -- of the paper, the same way
CREATE TEMP TABLE IF NOT EXISTS shown_column (at INTEGER PRIMARY KEY, name TEXT UNIQUE); -- the columns of a file, from 1
CREATE TEMP TABLE IF NOT EXISTS telling (at INTEGER PRIMARY KEY, name TEXT); -- the keys that are not the same in all rows
CREATE TEMP TABLE IF NOT EXISTS but (word TEXT, name TEXT); -- the keys in which rows of one group may differ
CREATE TEMP TABLE IF NOT EXISTS same (word TEXT, id INTEGER, text TEXT, PRIMARY KEY (word, id)); -- the same in rows of one group
CREATE TEMP TABLE IF NOT EXISTS member (id INTEGER PRIMARY KEY, whole INTEGER); -- rows that become one: the first of them
CREATE INDEX IF NOT EXISTS temp.member_whole ON member (whole);
CREATE TEMP TABLE IF NOT EXISTS mean (id INTEGER, name TEXT, value);
CREATE TEMP TABLE IF NOT EXISTS time_name (i INTEGER PRIMARY KEY, name TEXT); -- of summary(mean_ms, i)
INSERT OR IGNORE INTO time_name
VALUES (0, 'min_ms'), (1, 'q1_ms'), (2, 'median_ms'), (3, 'q3_ms'), (4, 'p95_ms'), (5, 'max_ms'), (6, 'mean_ms'), (7, 'sd_ms'),
       (8, 'ci_lo_ms'), (9, 'ci_hi_ms'), (10, 'fps');
CREATE TEMP TABLE IF NOT EXISTS yardstick (id INTEGER PRIMARY KEY, by INTEGER); -- the row of 'against' that a row is measured by
CREATE TEMP TABLE IF NOT EXISTS session_time (whole INTEGER, session TEXT, ms REAL, is_of_several INTEGER, PRIMARY KEY (whole, session));
CREATE TEMP TABLE IF NOT EXISTS caption (part REAL, text TEXT);

-- What several processes that one call started say together, at the place of the row that counts: intervals are of the medians.
CREATE TEMP VIEW IF NOT EXISTS together AS
SELECT p.place,
       count(*) AS n,
       count(*) AS processes,
       CASE count(min_ms) WHEN count(*) THEN median(min_ms) END AS min_ms,
       CASE count(q1_ms) WHEN count(*) THEN median(q1_ms) END AS q1_ms,
       CASE count(median_ms) WHEN count(*) THEN median(median_ms) END AS median_ms,
       CASE count(q3_ms) WHEN count(*) THEN median(q3_ms) END AS q3_ms,
       CASE count(p95_ms) WHEN count(*) THEN median(p95_ms) END AS p95_ms,
       CASE count(max_ms) WHEN count(*) THEN median(max_ms) END AS max_ms,
       CASE count(mean_ms) WHEN count(*) THEN summary(mean_ms, 6) END AS mean_ms,
       CASE count(mean_ms) WHEN count(*) THEN summary(mean_ms, 7) END AS sd_ms,
       CASE count(median_ms) WHEN count(*) THEN summary(median_ms, 8) END AS ci_lo_ms,
       CASE count(median_ms) WHEN count(*) THEN summary(median_ms, 9) END AS ci_hi_ms,
       CASE count(mean_ms) WHEN count(*) THEN summary(mean_ms, 10) END AS fps
FROM (SELECT s.place, max(p.member) AS member
      FROM selected AS s
      JOIN process AS p ON p.measurement = s.measurement
      GROUP BY s.place, p.run) AS p
JOIN measurement AS m ON m.id = p.member
GROUP BY p.place
HAVING count(*) > 1;

-- The single values of rows; one with the name of a column of files is told from that.
CREATE TEMP VIEW IF NOT EXISTS scalar AS
SELECT s.place AS id, v.rowid AS at, CASE WHEN c.name IS NULL THEN v.name ELSE 'value_' || v.name END AS name, v.value
FROM selected AS s
JOIN value AS v ON v.measurement = s.valued AND v.idx IS NULL
LEFT JOIN shown_column AS c ON c.name = v.name AND c.at <= (SELECT at FROM shown_column WHERE name = 'processes')
WHERE v.value IS NOT NULL;

-- Whole runs that differ in the keys of 'best' alone: the fastest, and of those whose interval reaches down to its own the one of the
-- smallest team.
CREATE TEMP VIEW IF NOT EXISTS timed AS
SELECT s.id, s.text, coalesce(team.value, 0) AS team, time.value AS median, low.value AS low, coalesce(high.value, time.value) AS high
FROM same AS s
JOIN field AS time ON time.name = 'median_ms' AND time.id = s.id
LEFT JOIN field AS team ON team.name = 'threads' AND team.id = s.id
LEFT JOIN field AS low ON low.name = 'ci_lo_ms' AND low.id = s.id
LEFT JOIN field AS high ON high.name = 'ci_hi_ms' AND high.id = s.id
WHERE s.word = 'best' AND s.id NOT IN (SELECT id FROM field WHERE name = 'lap');

CREATE TEMP VIEW IF NOT EXISTS best_setting AS
SELECT t.id, min(t.team * 1000000 + t.id) AS least
FROM timed AS t
JOIN (SELECT id, text, min(median) AS median, high FROM timed GROUP BY text) AS fastest ON fastest.text = t.text
WHERE t.id = fastest.id OR t.low <= fastest.high
GROUP BY t.text;

-- What a profiler counted.  It is of one frame, or one batch: a row that is a mean over several inputs, or of several rows, has none.
-- Sums are per frame, as times are.
CREATE TEMP VIEW IF NOT EXISTS counted_row AS
SELECT s.place,
       k.utc AS ncu_session,
       k.kernels AS ncu_kernels,
       1.0 * k.launches AS ncu_launches,
       k.kernel AS ncu_kernel,
       k.instructions / f.frames AS ncu_instructions,
       k.dram_bytes / f.frames AS ncu_dram_bytes,
       k.l2_bytes / f.frames AS ncu_l2_bytes,
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

-- The line below a figure: distinct texts in the order of the rows.
CREATE TEMP VIEW IF NOT EXISTS caption_text AS
WITH label (part, label, name) AS (
    VALUES (1, '', 'machine'), (2, '', 'cpu'), (3, '', 'gpu'), (4, 'SMs ', 'sms'), (5, 'mode ', 'mode_name'), (6, 'commit ', 'commit'),
           (7, 'input ', 'input'), (8, 'scope ', 'scope'), (9, 'series ', 'series'), (11, 'profile ', 'profile')
)
SELECT l.part, l.label, CASE l.part WHEN 6 THEN substr(f.value, 1, 7) ELSE f.value END AS text, min(f.id) AS first
FROM label AS l
JOIN field AS f ON f.name = l.name
LEFT JOIN field AS d ON d.name = 'device' AND d.id = f.id AND d.value = 'gpu'
WHERE CASE l.part
      WHEN 2 THEN d.id IS NULL -- a processor is named where it did the work
      WHEN 3 THEN d.id IS NOT NULL
      WHEN 4 THEN d.id IS NOT NULL AND EXISTS (SELECT 1
                                               FROM field AS sms
                                               LEFT JOIN field AS all_sms ON all_sms.name = 'sm_count' AND all_sms.id = sms.id
                                               WHERE sms.name = 'sms' AND (all_sms.value IS NULL OR sms.value < all_sms.value))
      ELSE 1 END
GROUP BY l.part, 3;

CREATE TEMP VIEW IF NOT EXISTS caption_line AS
SELECT coalesce(group_concat(text, '; '), 'no rows') AS line FROM (SELECT text FROM caption ORDER BY part);

-- Of how many samples, processes or runs a row is, and how wide the interval of its median is.
CREATE TEMP VIEW IF NOT EXISTS sampled AS
SELECT n.id,
       n.value AS n,
       CASE WHEN EXISTS (SELECT 1 FROM wish WHERE word = 'over') THEN ''
            WHEN p.value > 1 THEN ' processes' ELSE ' samples of one process' END AS of_what,
       CASE WHEN m.value > 0 THEN 100 * (high.value - low.value) / m.value END AS width_pct
FROM field AS n
LEFT JOIN field AS p ON p.name = 'processes' AND p.id = n.id
LEFT JOIN field AS m ON m.name = 'median_ms' AND m.id = n.id
LEFT JOIN field AS low ON low.name = 'ci_lo_ms' AND low.id = n.id
LEFT JOIN field AS high ON high.name = 'ci_hi_ms' AND high.id = n.id
WHERE n.name = 'n';

-- Columns of files that tables for people, or what stands in them, are made of.
CREATE TEMP VIEW IF NOT EXISTS needed AS
SELECT name FROM key_name
UNION SELECT name FROM wish
UNION SELECT name FROM time_name
UNION VALUES ('n'), ('processes'), ('row_id'), ('status'), ('verdict'), ('device'), ('sms'), ('sm_count'), ('commit'), ('dirty'), ('cpu'),
             ('gpu'), ('profile');

-- The points of the curves that 'fit' and 'linear' ask for; x2 of a power law is x.
CREATE TEMP VIEW IF NOT EXISTS fit_point AS
SELECT w.word, s.text, x.id, x.value AS x, x2.value AS x2, y.value AS y
FROM wish AS w
JOIN wish AS w2 ON w2.word = w.word AND w2.at = (w.word = 'linear')
JOIN wish AS v ON v.word = 'value' AND v.at = 0
JOIN same AS s ON s.word = w.word
JOIN field AS x ON x.name = w.name AND x.id = s.id
JOIN field AS x2 ON x2.name = w2.name AND x2.id = s.id
JOIN field AS y ON y.name = v.name AND y.id = s.id
WHERE w.word IN ('fit', 'linear') AND w.at = 0 AND s.id NOT IN (SELECT id FROM field WHERE name = 'lap')
  AND typeof(x.value) IN ('integer', 'real') AND typeof(x2.value) IN ('integer', 'real') AND typeof(y.value) IN ('integer', 'real');

-- What stands at the sides of a table for people; none where [show] does not say.
CREATE TEMP VIEW IF NOT EXISTS axes AS
SELECT CASE r.name WHEN 'mode' THEN 'mode_name' ELSE r.name END AS row_name,
       CASE c.name WHEN 'mode' THEN 'mode_name' ELSE c.name END AS column_name,
       r.name AS row_title,
       EXISTS (SELECT 1 FROM wish WHERE word = 'over') AS is_mean
FROM wish AS r
JOIN wish AS c ON c.word = 'columns'
WHERE r.word = 'rows' AND EXISTS (SELECT 1 FROM wish WHERE word = 'value');

-- What a descriptor asks for that the rows do not have.
CREATE TEMP VIEW IF NOT EXISTS slip AS
SELECT w.word IN ('rows', 'columns', 'value', 'beside') AS is_of_page,
       w.word || ' ''' || w.name || ''' is neither a column nor a value of these rows' AS sentence
FROM wish AS w
WHERE w.name NOT IN (SELECT name FROM shown_column)
  AND (w.word = 'over' OR w.word IN ('fit', 'per') AND w.at = 0 OR w.word IN ('linear', 'reach') AND w.at < 2
       OR w.word IN ('rows', 'columns', 'value', 'beside') AND w.name NOT IN ('', 'mode') AND EXISTS (SELECT 1 FROM axes))
UNION ALL
SELECT 0, word || ': expected ' || CASE word WHEN 'linear' THEN 'two values' WHEN 'per' THEN 'a value and the name of a column'
                                   ELSE 'a value and a key, and ''against''' END
FROM wish
WHERE word IN ('linear', 'per', 'reach') AND at = 0
  AND (word || 1 NOT IN (SELECT word || at FROM wish) OR word = 'reach' AND 'against0' NOT IN (SELECT word || at FROM wish))
UNION ALL
SELECT 0, 'counters: expected ncu, found ''' || name || '''' FROM wish WHERE word = 'counters' AND name <> 'ncu';

DELETE FROM wish; DELETE FROM key_name; DELETE FROM field; DELETE FROM printed_field; DELETE FROM shown_column; DELETE FROM telling; DELETE FROM but;
DELETE FROM same; DELETE FROM member; DELETE FROM mean; DELETE FROM yardstick; DELETE FROM session_time; DELETE FROM caption;

-- What tells rows apart beside declared keys.  Where all is copied, or all ran on the whole GPU, nobody needs to be told so.
INSERT INTO key_name
VALUES (0, 'impl'), (500, 'input'), (501, 'case'), (502, 'batch'), (503, 'threads'), (504, 'mode_name'), (505, 'machine'), (506, 'scope'),
       (507, 'series'), (508, 'lap');
INSERT INTO key_name SELECT 509, 'transfer' FROM wanted WHERE transfer <> 'copy' LIMIT 1;
INSERT INTO key_name SELECT 510, 'sms' FROM wanted WHERE sms IS NOT NULL LIMIT 1;
