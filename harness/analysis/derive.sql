-- derive.sql - done once when 'field' has the rows as they were written: values, the best of some settings, means over repeated runs, and
-- what one row is worth beside another

INSERT INTO shown_column (name)
SELECT name FROM (SELECT name, min(id) AS first, at FROM scalar GROUP BY name) ORDER BY first, at;
INSERT OR REPLACE INTO field SELECT id, name, value FROM scalar ORDER BY at;
UPDATE field SET value = 'frame' WHERE name = 'scope' AND value = 'end_to_end';
INSERT OR IGNORE INTO field SELECT id, 'processes', 1 FROM field WHERE name = 'scope';
INSERT OR IGNORE INTO field -- rows from before the column were of the whole GPU
SELECT id, 'sms', value FROM field WHERE name = 'sm_count' AND id IN (SELECT id FROM field WHERE name = 'device' AND value = 'gpu');

INSERT INTO caption
SELECT part,
       label || group_concat(text, ', ')
           || CASE WHEN part = 6 AND EXISTS (SELECT 1 FROM field WHERE name = 'dirty' AND value NOT IN (0, 'no', 'false'))
              THEN ' (dirty)' ELSE '' END
FROM (SELECT * FROM caption_text ORDER BY part, first)
GROUP BY part;
INSERT INTO caption
SELECT 12, sum(value = 'outside') || ' of ' || count(*) || ' rows outside the reference''s scatter'
FROM field
WHERE name = 'verdict' AND value IN ('outside', 'statistical')
GROUP BY name;

-- A text for each row and word that is the same in rows that agree in all keys but some.  Without 'over' each row stands for itself.
DELETE FROM wish WHERE NOT EXISTS (SELECT 1 FROM selected) AND word <> 'counters'; -- then there are no values, either
INSERT INTO but
SELECT word, name FROM wish WHERE word IN ('best', 'over', 'linear') OR word = 'fit' AND at = 0
UNION ALL SELECT 'along', name FROM wish WHERE word = 'reach' AND at = 1
UNION ALL SELECT o.word, w.name FROM wish AS w JOIN (SELECT 'along' AS word UNION ALL SELECT 'fit' UNION ALL SELECT 'linear') AS o WHERE w.word = 'over'
UNION ALL SELECT CASE word WHEN 'best' THEN 'lap' ELSE word END, 'lap' FROM wish WHERE word IN ('best', 'fit', 'linear') AND at = 0;
INSERT INTO telling
SELECT k.at, k.name
FROM key_name AS k
JOIN field AS f ON f.name = k.name
GROUP BY k.at
HAVING count(*) < (SELECT count(*) FROM selected) OR min(f.value) <> max(f.value);
INSERT INTO same
SELECT word, id, group_concat(part, ';')
FROM (SELECT w.word, f.id, k.at || '=' || f.value AS part
      FROM (SELECT DISTINCT word FROM but) AS w
      CROSS JOIN telling AS k ON k.name NOT IN (SELECT name FROM but WHERE but.word = w.word)
      CROSS JOIN field AS f ON f.name = k.name
      ORDER BY w.word, f.id, k.at)
GROUP BY word, id;
INSERT OR IGNORE INTO same SELECT DISTINCT word, place, '' FROM but JOIN selected; -- what has none of the keys that tell rows apart
INSERT OR IGNORE INTO same
SELECT 'over', place, place FROM selected WHERE NOT EXISTS (SELECT 1 FROM wish WHERE word = 'over');

-- Of rows that differ in the keys of 'best' one stays.  Stages go with their whole.
DELETE FROM same
WHERE id IN (SELECT stage.id
             FROM timed AS t
             JOIN same AS whole ON whole.word = 'lap' AND whole.id = t.id
             JOIN same AS stage ON stage.word = 'lap' AND stage.text = whole.text
             WHERE t.id NOT IN (SELECT id FROM best_setting));
DELETE FROM field WHERE id NOT IN (SELECT id FROM same WHERE word = 'over');

INSERT INTO member
SELECT s.id, g.whole
FROM same AS s
JOIN (SELECT text, min(id) AS whole FROM same WHERE word = 'over' GROUP BY text) AS g ON g.text = s.text
WHERE s.word = 'over';

-- The mean time of rows that become one, by session, for two sessions may be of two machines: of all good rows of their
-- configurations, as another session may have a newer row of some of them.
INSERT INTO session_time
SELECT b.whole, g.session, avg(g.mean_ms), count(*) > 1
FROM member AS b
JOIN selected AS s ON s.place = b.id
JOIN measurement AS m ON m.id = s.measurement
JOIN good AS g ON g.configuration = m.configuration AND g.results = m.results
WHERE g.mean_ms IS NOT NULL AND EXISTS (SELECT 1 FROM wish WHERE word = 'against')
GROUP BY b.whole, g.session
HAVING avg(g.mean_ms) > 0;

-- Means over 'over': of values, of the clock, as no two runs have quite the same, and of times; what else is not the same in all goes.
INSERT INTO mean
SELECT m.whole, f.name, min(f.value)
FROM wish AS w
CROSS JOIN shown_column AS c ON c.name <> w.name AND c.name <> 'gpu_mhz_med' AND c.at <= (SELECT at FROM shown_column WHERE name = 'processes')
CROSS JOIN field AS f ON f.name = c.name
CROSS JOIN member AS m ON m.id = f.id
WHERE w.word = 'over' AND f.name NOT IN (SELECT name FROM time_name)
GROUP BY m.whole, f.name
HAVING count(*) = (SELECT count(*) FROM member AS o WHERE o.whole = m.whole) AND min(f.value) = max(f.value);
INSERT INTO mean
SELECT m.whole, f.name, summary(f.value, 6)
FROM shown_column AS c
CROSS JOIN field AS f ON f.name = c.name
CROSS JOIN member AS m ON m.id = f.id
WHERE c.name = 'gpu_mhz_med' OR c.at > (SELECT at FROM shown_column WHERE name = 'processes')
GROUP BY m.whole, f.name;
INSERT INTO mean -- all of them, as many as there is room for
SELECT m.whole, f.name, substr(replace(group_concat(DISTINCT substr(f.value, 1, 7)), ',', ', '), 1, 250)
FROM field AS f
JOIN member AS m ON m.id = f.id
WHERE f.name = 'commit'
GROUP BY m.whole
HAVING min(f.value) <> max(f.value);
INSERT INTO mean
SELECT m.whole, t.name, summary(f.value, t.i)
FROM time_name AS t
JOIN field AS f ON f.name = 'mean_ms'
JOIN member AS m ON m.id = f.id
GROUP BY m.whole, t.name;
INSERT INTO mean
SELECT m.whole, 'n', count(*) FROM member AS m GROUP BY m.whole
UNION ALL
SELECT m.whole, 'n_outside', sum(coalesce(f.value = 'outside', 0))
FROM member AS m
LEFT JOIN field AS f ON f.name = 'verdict' AND f.id = m.id
GROUP BY m.whole
UNION ALL
SELECT m.whole, c.name || '_sd', CASE WHEN count(*) > 1 THEN summary(f.value, 7) END
FROM shown_column AS c
JOIN field AS f ON f.name = c.name
JOIN member AS m ON m.id = f.id
WHERE c.at > (SELECT at FROM shown_column WHERE name = 'processes')
GROUP BY m.whole, c.name;
INSERT OR IGNORE INTO shown_column (name)
SELECT name
FROM (SELECT 0 AS at, 'n_outside' AS name
      UNION ALL
      SELECT at, name || '_sd' FROM shown_column WHERE at > (SELECT at FROM shown_column WHERE name = 'processes'))
WHERE EXISTS (SELECT 1 FROM wish WHERE word = 'over')
ORDER BY at;
DELETE FROM field WHERE EXISTS (SELECT 1 FROM wish WHERE word = 'over');
INSERT OR REPLACE INTO field
SELECT id, name, value FROM mean WHERE value IS NOT NULL AND EXISTS (SELECT 1 FROM wish WHERE word = 'over');

-- A time over a value, in ns.
INSERT OR IGNORE INTO shown_column (name) SELECT name FROM wish WHERE word = 'per' AND at = 1;
INSERT OR REPLACE INTO field
SELECT f.id, name.name, 1e6 * ms.value / f.value
FROM wish AS w
JOIN wish AS name ON name.word = 'per' AND name.at = 1
JOIN field AS f ON f.name = w.name AND f.value > 0
JOIN field AS ms ON ms.name = 'mean_ms' AND ms.id = f.id
WHERE w.word = 'per' AND w.at = 0;

-- A row's yardstick agrees in all keys that both have, but the listed ones.  How many times as fast a row is, the newest session that has
-- both says, one with several runs of each where there is one.
INSERT INTO yardstick
SELECT r.id, min(o.id)
FROM wish AS w
CROSS JOIN field AS o ON o.name = 'impl' AND o.value = w.name
CROSS JOIN field AS r ON r.name = 'impl'
WHERE w.word = 'against' AND w.at = 0
  AND NOT EXISTS (SELECT 1
                  FROM telling AS k
                  CROSS JOIN field AS a ON a.name = k.name AND a.id = r.id
                  CROSS JOIN field AS b ON b.name = k.name AND b.id = o.id
                  WHERE a.value <> b.value AND k.name NOT IN ('impl', 'threads')
                    AND k.name NOT IN (SELECT name FROM wish WHERE word = 'against'))
GROUP BY r.id;
INSERT OR IGNORE INTO shown_column (name) SELECT 'acceleration' FROM wish WHERE word = 'against' AND at = 0;
INSERT INTO mean
SELECT y.id, 'acceleration', (SELECT theirs.ms / ours.ms
                              FROM session_time AS ours
                              JOIN session_time AS theirs ON theirs.session = ours.session
                              WHERE ours.whole = y.id AND theirs.whole = y.by
                              ORDER BY ours.is_of_several AND theirs.is_of_several DESC, ours.session DESC
                              LIMIT 1)
FROM yardstick AS y
JOIN field AS f ON f.name = 'mean_ms' AND f.id = y.id;

-- Among the rows that differ in one key alone the fastest that is as good as the yardstick.
INSERT OR IGNORE INTO shown_column (name) SELECT CASE at WHEN 0 THEN 'reach_ms' ELSE 'reach_' || name END FROM wish WHERE word = 'reach' ORDER BY at;
WITH tried AS (
    SELECT s.id, s.text, f.value, ms.value AS mean_ms, f.name
    FROM wish AS w
    JOIN field AS f ON f.name = w.name
    JOIN same AS s ON s.word = 'along' AND s.id = f.id
    JOIN field AS ms ON ms.name = 'mean_ms' AND ms.id = f.id
    WHERE w.word = 'reach' AND w.at = 0
)
INSERT INTO mean
SELECT r.id, 'reach_ms', r.mean_ms
FROM tried AS r
JOIN yardstick AS y ON y.id = r.id
JOIN field AS goal ON goal.name = r.name AND goal.id = y.by
WHERE r.value <= goal.value
  AND NOT EXISTS (SELECT 1
                  FROM tried AS o
                  WHERE o.text = r.text AND o.value <= goal.value
                    AND (o.mean_ms < r.mean_ms OR (o.mean_ms = r.mean_ms AND o.id < r.id)));
INSERT OR REPLACE INTO field
SELECT id, name, value FROM mean WHERE name IN ('acceleration', 'reach_ms') AND value IS NOT NULL
UNION ALL
SELECT m.id, 'reach_' || w.name, f.value
FROM mean AS m
JOIN wish AS w ON w.word = 'reach' AND w.at = 1
JOIN field AS f ON f.name = w.name AND f.id = m.id
WHERE m.name = 'reach_ms';

INSERT INTO caption
SELECT 10 + 0.1 * (of_what = ' processes'), 'n ' || min(n) || CASE WHEN min(n) < max(n) THEN '..' || max(n) ELSE '' END || of_what
FROM sampled
GROUP BY of_what;
