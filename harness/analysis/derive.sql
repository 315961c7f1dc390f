-- derive.sql - done once when 'field' has the rows as they were written: values, the best of some settings, means over repeated runs, and
-- what one row is worth beside another

-- What several processes that one call started say together, at the place of the row that counts: intervals are of the medians.  A number
-- that one of them lacks stays the row's own.
INSERT OR IGNORE INTO shown_column (name) VALUES ('processes');
UPDATE shown_column SET is_value = 0;
INSERT OR IGNORE INTO field SELECT 'processes', id, 1 FROM field WHERE name = 'scope';
WITH time AS (
    SELECT p.place, t.i, t.name,
           CASE t.of WHEN 'min_ms' THEN m.min_ms WHEN 'q1_ms' THEN m.q1_ms WHEN 'median_ms' THEN m.median_ms WHEN 'q3_ms' THEN m.q3_ms
                     WHEN 'p95_ms' THEN m.p95_ms WHEN 'max_ms' THEN m.max_ms ELSE m.mean_ms END AS ms
    FROM (SELECT s.place, max(p.member) AS member
          FROM selected AS s
          JOIN process AS p ON p.measurement = s.measurement
          GROUP BY s.place, p.run) AS p
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

-- Of streams the frames of all processes count: what one of them has too few for, all may have enough for.  (d: how many more take longer
-- than should; its square spares a root in the ranks of the interval.)
WITH stream AS (
    SELECT place, measurement
    FROM selected AS s
    JOIN field AS p ON p.name = 'processes' AND p.id = s.place AND p.value > 1
    WHERE s.place IN (SELECT id FROM field WHERE name = 'stream_rate')
),
beyond AS (
    SELECT s.place, t.name, t.share, l.ms, l.n_all, l.n_longer - l.n_all * t.share AS d
    FROM stream AS s
    JOIN latency AS l ON l.measurement = s.measurement
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
                               ELSE avg(m.gpu_ms) END AS of_all
FROM stream AS s
JOIN stream_process AS p ON p.measurement = s.measurement
JOIN measurement AS m ON m.id = p.member
JOIN (SELECT 'n_missed' AS name UNION ALL SELECT 'n_dropped' UNION ALL SELECT 'max_ms' UNION ALL SELECT 'fps'
      UNION ALL SELECT 'jitter_ms' UNION ALL SELECT 'host_ms' UNION ALL SELECT 'gpu_ms') AS c
GROUP BY s.place, c.name
HAVING of_all IS NOT NULL;

INSERT OR IGNORE INTO shown_column (name)
SELECT name FROM (SELECT name, min(id) AS first, at FROM scalar GROUP BY name) ORDER BY first, at;
INSERT OR REPLACE INTO field
SELECT name, id, value
FROM scalar
WHERE name IN needed OR 'all' IN needed OR NOT EXISTS (SELECT 1 FROM axes)
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

-- A text for each row and word that is the same in rows that agree in all keys but some.
INSERT INTO asked SELECT * FROM wish;
DELETE FROM wish WHERE NOT EXISTS (SELECT 1 FROM selected) AND word <> 'counters'; -- then there are no values, either
INSERT INTO agreed -- of keys that are not the same in all rows; what differs most often first
SELECT w.word, k.name, k.at
FROM (SELECT k.at, k.name
      FROM key_name AS k
      JOIN field AS f ON f.name = k.name
      GROUP BY k.at
      HAVING count(*) < (SELECT count(*) FROM selected) OR min(f.value) <> max(f.value)) AS k
JOIN (SELECT DISTINCT word FROM but) AS w
WHERE (w.word, k.name) NOT IN (SELECT word, name FROM but)
ORDER BY w.word, k.at DESC;
INSERT INTO same
SELECT w.word, s.place,
       coalesce((SELECT group_concat(k.at || '=' || f.value, ';')
                 FROM agreed AS k
                 CROSS JOIN field AS f ON f.name = k.name AND f.id = s.place
                 WHERE k.word = w.word), '')
FROM (SELECT DISTINCT word FROM but WHERE word <> 'baseline') AS w
JOIN selected AS s;

-- Of rows that differ in the keys of 'best' one stays.  Stages go with their whole.
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

-- The mean time of rows that become one, by session, for two sessions may be of two machines: of all good rows of their
-- configurations, as another session may have a newer row of some of them.
INSERT INTO session_time
SELECT coalesce(r.whole, s.place) AS whole, g.session, avg(g.mean_ms), count(*) > 1
FROM selected AS s
JOIN measurement AS m ON m.id = s.measurement
JOIN good AS g ON g.configuration = m.configuration AND g.results = m.results
LEFT JOIN run AS r ON r.id = s.place
WHERE g.mean_ms IS NOT NULL AND EXISTS (SELECT 1 FROM wish WHERE word = 'baseline')
GROUP BY 1, g.session
HAVING avg(g.mean_ms) > 0;

-- Means over 'mean_over': of values, of the clock, as no two runs have quite the same, and of times; of commits as many as there is room for;
-- what else is not the same in all goes.
INSERT INTO mean
SELECT c.name, r.whole, min(f.value)
FROM shown_column AS c
CROSS JOIN field AS f ON f.name = c.name
CROSS JOIN run AS r ON r.id = f.id
WHERE NOT c.is_value AND c.name NOT IN (SELECT name FROM time_name UNION SELECT name FROM wish WHERE word = 'mean_over' UNION SELECT 'gpu_mhz_med')
GROUP BY c.at, r.whole
HAVING count(*) = r.n AND min(f.value) = max(f.value)
UNION ALL
SELECT c.name || s.suffix, r.whole, summary(f.value, s.i)
FROM shown_column AS c
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
INSERT OR IGNORE INTO shown_column (name)
SELECT c.name
FROM wish AS w
JOIN (SELECT 0 AS at, 'n_outside' AS name UNION ALL SELECT at, name || '_sd' FROM shown_column WHERE is_value) AS c
WHERE w.word = 'mean_over'
ORDER BY c.at;
DELETE FROM field WHERE EXISTS (SELECT 1 FROM run);
INSERT OR REPLACE INTO field SELECT name, id, value FROM mean WHERE value IS NOT NULL;

-- A time over a value, in ns.
INSERT OR IGNORE INTO shown_column (name) SELECT name FROM wish WHERE word = 'divide_by' AND at = 1;
INSERT OR REPLACE INTO field
SELECT name.name, f.id, 1e6 * ms.value / f.value
FROM wish AS w
JOIN wish AS name ON name.word = 'divide_by' AND name.at = 1
JOIN field AS f ON f.name = w.name AND f.value > 0
JOIN field AS ms ON ms.name = 'mean_ms' AND ms.id = f.id
WHERE w.word = 'divide_by' AND w.at = 0;

-- A row's yardstick agrees in all keys that both have, but the listed ones.  How many times as fast a row is, the newest session that has
-- both says, one with several runs of each where there is one.
INSERT INTO yardstick
SELECT r.id, min(o.id)
FROM wish AS w
CROSS JOIN field AS o ON o.name = 'impl' AND o.value = w.name
CROSS JOIN field AS r ON r.name = 'impl'
WHERE w.word = 'baseline' AND w.at = 0
  AND NOT EXISTS (SELECT 1
                  FROM agreed AS k
                  CROSS JOIN field AS a ON a.name = k.name AND a.id = r.id
                  CROSS JOIN field AS b ON b.name = k.name AND b.id = o.id AND b.value <> a.value
                  WHERE k.word = 'baseline')
GROUP BY r.id;
INSERT OR IGNORE INTO shown_column (name) SELECT 'speedup' FROM wish WHERE word = 'baseline' AND at = 0;
INSERT OR REPLACE INTO field
SELECT 'speedup', id, ratio
FROM (SELECT y.id, (SELECT theirs.ms / ours.ms
                    FROM session_time AS ours
                    JOIN session_time AS theirs ON theirs.session = ours.session
                    WHERE ours.whole = y.id AND theirs.whole = y.by
                    ORDER BY ours.is_of_several AND theirs.is_of_several DESC, ours.session DESC
                    LIMIT 1) AS ratio
      FROM yardstick AS y
      JOIN field AS f ON f.name = 'mean_ms' AND f.id = y.id)
WHERE ratio IS NOT NULL;

-- Among the rows that differ in one key alone the fastest that is as good as the yardstick.
INSERT OR IGNORE INTO shown_column (name) SELECT CASE at WHEN 0 THEN 'to_quality_ms' ELSE 'to_quality_' || name END FROM wish WHERE word = 'time_to_quality' ORDER BY at;
INSERT OR REPLACE INTO field
SELECT 'to_quality_ms', s.id, min(ms.value)
FROM wish AS w
JOIN field AS f ON f.name = w.name
JOIN same AS s ON s.word = 'time_to_quality' AND s.id = f.id
JOIN yardstick AS y ON y.id = f.id
JOIN field AS goal ON goal.name = f.name AND goal.id = y.by AND f.value <= goal.value
JOIN field AS ms ON ms.name = 'mean_ms' AND ms.id = f.id
WHERE w.word = 'time_to_quality' AND w.at = 0
GROUP BY s.text;
INSERT OR REPLACE INTO field
SELECT 'to_quality_' || w.name, f.id, f.value
FROM wish AS w
JOIN field AS reached ON reached.name = 'to_quality_ms'
JOIN field AS f ON f.name = w.name AND f.id = reached.id
WHERE w.word = 'time_to_quality' AND w.at = 1;

INSERT INTO caption
SELECT 10 + 0.1 * (of_what = ' processes'), 'n ' || min(n) || CASE WHEN min(n) < max(n) THEN '..' || max(n) ELSE '' END || of_what
FROM sampled
WHERE n IS NOT NULL
GROUP BY of_what;
INSERT INTO row_at (id) SELECT id FROM field WHERE name = 'impl' ORDER BY id;
