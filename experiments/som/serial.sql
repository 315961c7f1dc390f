-- serial.sql - rows beside the single updates of som/serial: of Table 2 the time of one update, and how many times as fast a row is; of its
-- work the shortest run with at most the same %cost, among those that differ in rounds alone
WITH own (id, impl) AS (
    SELECT id, value FROM field WHERE name = 'impl'
),
free (name) AS (
    SELECT name
    FROM agreed
    WHERE name NOT IN ('impl', 'threads', 'update') AND NOT (name = 'rounds' AND EXISTS (SELECT 1 FROM wish WHERE name = 'to_quality_ms'))
),
-- The row of som/serial that agrees in all keys that both have.
yardstick AS (
    SELECT r.id, min(o.id) AS by
    FROM own AS r
    JOIN own AS o ON o.impl = 'som/serial'
        AND (NOT EXISTS (SELECT 1 FROM wish WHERE name = 'to_quality_ms') OR EXISTS (SELECT 1 FROM field WHERE id = o.id AND name = 'rounds' AND value = 1500))
    WHERE NOT EXISTS (SELECT 1
                      FROM free AS k
                      CROSS JOIN field AS a ON a.name = k.name AND a.id = r.id
                      CROSS JOIN field AS b ON b.name = k.name AND b.id = o.id AND b.value <> a.value)
    GROUP BY r.id
),
-- The mean time of seeds that became one, by session, for two sessions may be of two machines: of all good rows of their configurations, as
-- another session may have a newer row of some of them.
session_time AS (
    SELECT r.whole, g.session, avg(g.mean_ms) AS ms, count(*) > 1 AS is_of_several
    FROM run AS r
    JOIN figure_row AS f ON f.at = r.id
    JOIN measurement AS m ON m.id = f.measurement
    JOIN good AS g ON g.configuration = m.configuration AND g.results = m.results AND g.mean_ms > 0
    GROUP BY r.whole, g.session
),
-- The newest session that has both says how many times as fast, one with several seeds of each where there is one.  (SQLite takes the other
-- columns from the row that has the maximum.)
ratio AS (
    SELECT y.id, b.ms / a.ms AS speedup, max(printf('%d %s', a.is_of_several AND b.is_of_several, a.session)) AS newest
    FROM yardstick AS y
    JOIN session_time AS a ON a.whole = y.id
    JOIN session_time AS b ON b.whole = y.by AND b.session = a.session
    GROUP BY y.id
),
reached AS (
    SELECT o.id, min(ms.value) AS ms, rounds.value AS rounds
    FROM own AS o
    JOIN yardstick AS y ON y.id = o.id
    JOIN field AS f ON f.name = 'cost_pct' AND f.id = o.id
    JOIN field AS goal ON goal.name = f.name AND goal.id = y.by
    LEFT JOIN field AS sd ON sd.name = 'cost_pct_sd' AND sd.id = y.by
    JOIN field AS ms ON ms.name = 'mean_ms' AND ms.id = o.id
    LEFT JOIN field AS rounds ON rounds.name = 'rounds' AND rounds.id = o.id
    JOIN (SELECT f.id, group_concat(k.key || '=' || f.value, ';') AS text
          FROM agreed AS k
          CROSS JOIN field AS f ON f.name = k.name
          WHERE k.name <> 'rounds'
          GROUP BY f.id) AS same ON same.id = o.id
    WHERE EXISTS (SELECT 1 FROM wish WHERE name = 'to_quality_ms') AND f.value <= goal.value + coalesce(sd.value, 0)
    GROUP BY same.text
)
SELECT o.id, CASE WHEN EXISTS (SELECT 1 FROM wish WHERE name = 'update_ns') THEN 1e6 * t.value / n.value END AS update_ns, r.speedup,
       q.ms AS to_quality_ms, q.rounds AS to_quality_rounds
FROM own AS o
LEFT JOIN field AS t ON t.name = 'mean_ms' AND t.id = o.id
LEFT JOIN field AS n ON n.name = 'updates' AND n.id = o.id AND n.value > 0
LEFT JOIN ratio AS r ON r.id = o.id AND t.value IS NOT NULL
LEFT JOIN reached AS q ON q.id = o.id
