-- number.sql - done once when 'field' has the rows of the experiment at hand as they were written: what tells them apart, values, the best of
-- some settings, and means over repeated runs

-- Other columns tell rows apart beside declared keys.  Where all is copied, or all ran on the whole GPU, nobody needs to be told so.
UPDATE heading SET is_value = 0;
INSERT OR REPLACE INTO heading
SELECT h.at, h.name, 0, t.key
FROM telling AS t
JOIN heading AS h USING (name)
WHERE t.part IS NULL
   OR EXISTS (SELECT 1
              FROM selected AS s
              JOIN measurement AS m ON m.id = s.measurement
              JOIN configuration AS c ON c.id = m.configuration
              WHERE CASE t.part WHEN 'way' THEN c.transfer <> 'copy' WHEN 'SMs' THEN c.sms IS NOT NULL WHEN 'ranks' THEN c.scaling IS NOT NULL
                                ELSE c.stream_rate IS NOT NULL END);

-- Several processes that one call started speak together, at the place of the row that counts: intervals are of the medians.  A number
-- that one of them lacks stays the row's own.
INSERT OR IGNORE INTO heading (name, is_value) VALUES ('processes', 0);
INSERT OR IGNORE INTO field SELECT 'processes', id, 1 FROM field WHERE name = 'scope';
WITH time AS (
    SELECT p.place, t.i, t.name,
           CASE t.of WHEN 'min_ms' THEN m.min_ms WHEN 'q1_ms' THEN m.q1_ms WHEN 'median_ms' THEN m.median_ms WHEN 'q3_ms' THEN m.q3_ms
                     WHEN 'p95_ms' THEN m.p95_ms WHEN 'max_ms' THEN m.max_ms ELSE m.mean_ms END AS ms
    FROM (SELECT s.at AS place, max(p.member) AS member
          FROM selected AS s
          JOIN process AS p ON p.measurement = s.measurement
          GROUP BY s.at, p.run) AS p
    JOIN measurement AS m ON m.id = p.member
    JOIN time_name AS t
)
INSERT OR REPLACE INTO field
SELECT name, place, CASE WHEN i < 6 THEN median(ms) ELSE summary(ms, i) END
FROM time
GROUP BY place, i
HAVING count(*) > 1 AND count(ms) = count(*)
UNION ALL
SELECT n.name, place, count(*)
FROM time
JOIN (SELECT 'n' AS name UNION ALL SELECT 'processes') AS n
WHERE i = 0
GROUP BY place, n.name
HAVING count(*) > 1;

-- Streams count the frames of all processes: one of them may have too few for what all have enough for.  (d: how many more take longer
-- than should; its square spares a root in the ranks of the interval.)
WITH stream AS (
    SELECT at AS place, measurement
    FROM field AS r
    CROSS JOIN field AS p ON p.name = 'processes' AND p.id = r.id AND p.value > 1
    CROSS JOIN figure_row AS s ON s.at = r.id
    WHERE r.name = 'stream_rate'
),
beyond AS (
    SELECT s.place, t.name, t.share, l.ms, l.n_all, l.n_longer - l.n_all * t.share AS d
    FROM stream AS s
    CROSS JOIN latency AS l ON l.measurement = s.measurement
    JOIN (SELECT 'p90' AS name, 0.1 AS share UNION ALL SELECT 'p99', 0.01 UNION ALL SELECT 'p999', 0.001) AS t
    WHERE l.n_all * t.share >= 10
)
INSERT OR REPLACE INTO field
SELECT b.name || e.suffix, b.place, min(b.ms)
FROM beyond AS b
JOIN (SELECT '_ms' AS suffix, 0 AS side UNION ALL SELECT '_lo_ms', -1 UNION ALL SELECT '_hi_ms', 1) AS e
WHERE CASE e.side WHEN 0 THEN d <= 0
                  WHEN -1 THEN d <= 0 OR d * d <= 1.96 * 1.96 * n_all * share * (1 - share)
                  ELSE d < 0 AND d * d >= 1.96 * 1.96 * n_all * share * (1 - share) OR ms = (SELECT max(ms) FROM beyond AS o WHERE o.place = b.place) END
GROUP BY b.place, b.name, e.suffix
UNION ALL
SELECT c.name, s.place, CASE c.name WHEN 'n_missed' THEN sum(m.n_missed) WHEN 'n_dropped' THEN sum(m.n_dropped) WHEN 'max_ms' THEN max(m.max_ms)
                               WHEN 'fps' THEN avg(m.fps) WHEN 'jitter_ms' THEN avg(m.jitter_ms) WHEN 'host_ms' THEN avg(m.host_ms)
                               WHEN 'cpu_ms' THEN avg(m.cpu_ms) ELSE avg(m.gpu_ms) END AS of_all
FROM stream AS s
CROSS JOIN stream_process AS p ON p.measurement = s.measurement
JOIN measurement AS m ON m.id = p.member
JOIN (SELECT 'n_missed' AS name UNION ALL SELECT 'n_dropped' UNION ALL SELECT 'max_ms' UNION ALL SELECT 'fps'
      UNION ALL SELECT 'jitter_ms' UNION ALL SELECT 'host_ms' UNION ALL SELECT 'gpu_ms' UNION ALL SELECT 'cpu_ms') AS c
GROUP BY s.place, c.name
HAVING of_all IS NOT NULL;

INSERT OR IGNORE INTO heading (name)
SELECT name FROM (SELECT name, min(id) AS first, at FROM scalar GROUP BY name) ORDER BY first, at;
INSERT OR REPLACE INTO field
SELECT name, id, value
FROM scalar
WHERE name IN needed OR NOT EXISTS (SELECT 1 FROM needed) OR NOT EXISTS (SELECT 1 FROM axes)
ORDER BY name, id, at;
INSERT OR IGNORE INTO field -- rows from before the column were of the whole GPU
SELECT 'sms', id, value FROM field WHERE name = 'sm_count' AND id IN (SELECT id FROM field WHERE name = 'device' AND value = 'gpu');

-- The line below a figure: distinct texts in the order of the rows.  A processor is named where it did the work.
WITH label (part, label, name, is_gpu) AS (
    VALUES (1, '', 'machine', NULL), (2, '', 'cpu', 0), (3, '', 'gpu', 1), (4, 'SMs ', 'sms', 1), (5, 'mode ', 'mode_name', NULL),
           (6, 'commit ', 'commit_hash', NULL), (7, 'input ', 'input', NULL), (8, 'scope ', 'scope', NULL), (9, 'series ', 'series', NULL),
           (9.5, 'energy of the ', 'power_scope', NULL), (11, 'protocol ', 'protocol', NULL)
)
INSERT INTO caption
SELECT part,
       label || group_concat(text, ', ')
           || CASE WHEN part = 6 AND EXISTS (SELECT 1 FROM field WHERE name = 'dirty' AND value NOT IN (0, 'no', 'false'))
              THEN ' (dirty)' ELSE '' END
FROM (SELECT l.part, l.label, CASE l.part WHEN 6 THEN substr(f.value, 1, 7) ELSE f.value END AS text
      FROM label AS l
      JOIN field AS f ON f.name = l.name
      LEFT JOIN field AS d ON d.name = 'device' AND d.id = f.id
      WHERE l.is_gpu IS NULL OR l.is_gpu = (coalesce(d.value, '') = 'gpu')
      GROUP BY l.part, 3
      ORDER BY l.part, min(f.id))
WHERE part <> 4 OR EXISTS (SELECT 1
                           FROM field AS sms
                           JOIN field AS whole ON whole.name = 'sm_count' AND whole.id = sms.id AND whole.value > sms.value
                           WHERE sms.name = 'sms')
GROUP BY part
UNION ALL
SELECT 12, sum(value = 'outside') || ' of ' || count(*) || ' rows outside the reference''s scatter'
FROM field
WHERE name = 'verdict' AND value IN ('outside', 'statistical')
GROUP BY name
UNION ALL
SELECT 12.5, count(*) || CASE count(*) WHEN 1 THEN ' mesh lies' ELSE ' meshes lie' END || ' mirrored, which %cost does not see'
FROM scalar
WHERE name = 'folded_pct' AND value > 50 AND EXISTS (SELECT 1 FROM field WHERE name LIKE 'cost%pct')
GROUP BY name
UNION ALL
SELECT 13, 'by another rule: ' || group_concat(DISTINCT impl.value)
FROM field AS v
JOIN field AS impl ON impl.name = 'impl' AND impl.id = v.id
WHERE v.name = 'verdict' AND v.value = 'other'
GROUP BY v.name;

-- A text for each row and word that is the same in rows that agree in all keys but some, of those that are not the same in all rows; what
-- differs most often stands first.  A row from before a key has its default.
INSERT INTO trait
SELECT h.key, h.name, s.at, coalesce(f.value, nullif(rtrim(substr(picked(m.keys, h.name, 1), length(h.name) + 2), ';'), ''))
FROM heading AS h
JOIN selected AS s
JOIN measurement AS m ON m.id = s.measurement
LEFT JOIN field AS f ON f.name = h.name AND f.id = s.at
WHERE h.key IS NOT NULL AND EXISTS (SELECT 1 FROM grouping);
INSERT INTO agreed
SELECT w.word, k.name, k.key
FROM (SELECT key, name
      FROM trait
      GROUP BY key
      HAVING count(value) BETWEEN 1 AND count(*) - 1 OR min(value) <> max(value)) AS k
JOIN grouping AS w
WHERE k.name <> 'stage' OR w.word <> 'stage'
ORDER BY w.word, k.key DESC;
DELETE FROM agreed WHERE (word, name) IN (SELECT word, name FROM wish);
INSERT INTO same
SELECT w.word, s.at,
       coalesce((SELECT group_concat(k.key || '=' || t.value, ';')
                 FROM agreed AS k
                 CROSS JOIN trait AS t ON t.key = k.key AND t.id = s.at
                 WHERE k.word = w.word), '')
FROM grouping AS w
JOIN selected AS s;

-- One of whole runs that differ in the keys of 'best' alone stays: the fastest, and of those whose interval reaches down to its own the one
-- of the smallest team.  Stages go with their whole.
WITH timed AS (
    SELECT s.text, t.*
    FROM same AS s
    JOIN sampled AS t ON t.id = s.id AND t.median IS NOT NULL
    WHERE s.word = 'best' AND s.id NOT IN (SELECT id FROM field WHERE name = 'stage')
),
best_setting AS (
    SELECT t.id, min(t.team * 1000000 + t.id) AS least
    FROM timed AS t
    JOIN (SELECT id, text, min(median) AS median, high FROM timed GROUP BY text) AS fastest ON fastest.text = t.text
    WHERE t.id = fastest.id OR t.low <= fastest.high
    GROUP BY t.text
)
DELETE FROM same
WHERE id IN (SELECT stage.id
             FROM timed AS t
             JOIN same AS whole ON whole.word = 'stage' AND whole.id = t.id
             JOIN same AS stage ON stage.word = 'stage' AND stage.text = whole.text
             WHERE t.id NOT IN (SELECT id FROM best_setting));
DELETE FROM field WHERE EXISTS (SELECT 1 FROM wish WHERE word = 'best') AND id NOT IN (SELECT id FROM same WHERE word = 'best');

INSERT INTO run
SELECT s.id, g.whole, g.n
FROM same AS s
JOIN (SELECT text, min(id) AS whole, count(*) AS n FROM same WHERE word = 'mean_over' GROUP BY text) AS g ON g.text = s.text
WHERE s.word = 'mean_over';

-- Means over 'mean_over': of values, of the clock, as no two runs have quite the same, and of times; of commits as many as there is room for;
-- what else is not the same in all goes.
INSERT INTO mean
SELECT c.name, r.whole, min(f.value)
FROM heading AS c
CROSS JOIN field AS f ON f.name = c.name
CROSS JOIN run AS r ON r.id = f.id
WHERE c.name NOT IN (SELECT name FROM time_name UNION SELECT name FROM wish WHERE word = 'mean_over')
GROUP BY c.at, r.whole
HAVING count(*) = r.n AND min(f.value) = max(f.value)
UNION ALL
SELECT c.name || s.suffix, r.whole, summary(f.value, s.i)
FROM heading AS c
CROSS JOIN (SELECT '' AS suffix, 6 AS i UNION ALL SELECT '_sd', 7) AS s
CROSS JOIN field AS f ON f.name = c.name
CROSS JOIN run AS r ON r.id = f.id
WHERE c.is_value OR c.name = 'gpu_mhz_med' AND s.i = 6
GROUP BY c.at, s.i, r.whole
HAVING count(*) > 1 OR s.i = 6
UNION ALL
SELECT f.name, r.whole, substr(replace(group_concat(DISTINCT substr(f.value, 1, 7)), ',', ', '), 1, 250)
FROM run AS r
JOIN field AS f ON f.name = 'commit_hash' AND f.id = r.id
GROUP BY r.whole
HAVING min(f.value) <> max(f.value)
UNION ALL
SELECT t.name, r.whole, summary(f.value, t.i)
FROM run AS r
JOIN field AS f ON f.name = 'mean_ms' AND f.id = r.id
JOIN time_name AS t
GROUP BY r.whole, t.i
UNION ALL
SELECT n.name, r.whole, CASE n.name WHEN 'n' THEN count(*) ELSE total(f.value = 'outside') END
FROM run AS r
JOIN (SELECT 'n' AS name UNION ALL SELECT 'n_outside') AS n
LEFT JOIN field AS f ON f.name = 'verdict' AND f.id = r.id
GROUP BY r.whole, n.name;
INSERT OR IGNORE INTO heading (name)
SELECT c.name
FROM wish AS w
JOIN (SELECT 0 AS at, 'n_outside' AS name UNION ALL SELECT at, name || '_sd' FROM heading WHERE is_value) AS c
WHERE w.word = 'mean_over'
ORDER BY c.at;
DELETE FROM field WHERE EXISTS (SELECT 1 FROM run);
INSERT OR REPLACE INTO field SELECT name, id, value FROM mean WHERE value IS NOT NULL;

INSERT INTO caption
SELECT 10 + CASE of_what WHEN ' processes' THEN 0.2 ELSE 0.1 * (NOT is_sure) END, 'n ' || min(n) || CASE WHEN min(n) < max(n) THEN '..' || max(n) ELSE '' END || of_what
FROM sampled
WHERE n IS NOT NULL
GROUP BY of_what;
