-- som-peers.sql - the error of the surface of meshes of as many vertices, a panel for each map; for bars.sql
--
-- The SOM's variants give one mesh, those that bisect another one, and so bars of one length; their times differ.
-- with bars.sql
CREATE TEMP TABLE kept AS SELECT * FROM timed_whole WHERE surface_rms_px IS NOT NULL;
DELETE FROM kept WHERE input LIKE 'map-%' AND EXISTS (SELECT 1 FROM kept WHERE input NOT LIKE 'map-%');

CREATE TEMP VIEW panel AS
SELECT min(id) AS panel, input, input || ', ' || CAST(max(vertices) AS INTEGER) || ' vertices' AS title, min(id) AS place
FROM kept
GROUP BY input;

CREATE TEMP TABLE mesh AS
SELECT 1 AS place, 'som/grid' AS impl, NULL AS background, 'regular mesh' AS said
UNION ALL SELECT 2, 'som/rounds', NULL, 'SOM, one core'
UNION ALL SELECT 3, 'som/openmp', NULL, 'SOM'
UNION ALL SELECT 4, 'som/gpu-opt', NULL, 'SOM, GPU'
UNION ALL SELECT 5, 'som/greedy', 'kept', 'greedy insertion'
UNION ALL SELECT 6, 'som/greedy', 'free', 'greedy, background free'
UNION ALL SELECT 7, 'som/rtin', 'kept', 'bisection'
UNION ALL SELECT 8, 'som/gpu-rtin', 'kept', 'bisection, GPU'
UNION ALL SELECT 9, 'som/rtin', 'free', 'bisection, background free'
UNION ALL SELECT 10, 'som/gpu-rtin', 'free', 'bisection, GPU, free';

CREATE TEMP VIEW bar AS
SELECT k.id, p.panel, 0 AS grp, m.place, k.surface_rms_px AS x, k.impl, 0 AS kind,
       m.said || CASE k.impl WHEN 'som/openmp' THEN ', ' || k.threads || ' cores' ELSE '' END AS label,
       printf('%.3g px on %.3g %%, ', k.surface_rms_px, k.surface_known_pct) || time_text(k.mean_ms) AS said
FROM kept AS k
JOIN panel AS p ON p.input = k.input
JOIN mesh AS m ON m.impl = k.impl AND (m.background IS NULL OR m.background = k.background);

-- Vertices with which a greedy mesh has the error of the SOM's, in % of them.
CREATE TEMP VIEW equal AS
SELECT input || ' ' || CASE WHEN min(part) < max(part) THEN printf('%.0f to ', min(part)) ELSE '' END || printf('%.0f %%', max(part)) AS said
FROM (SELECT id, input, 100.0 * equal_rms_vertices / vertices AS part FROM kept WHERE equal_rms_vertices > 0)
GROUP BY input
ORDER BY min(id);

-- How a mesh by bisection with the background free compares with the SOM's on a GPU.
CREATE TEMP VIEW versus AS
SELECT s.mean_ms / f.mean_ms AS times, f.surface_rms_px / s.surface_rms_px AS error
FROM kept AS s
JOIN kept AS f ON f.input = s.input AND f.impl = 'som/gpu-rtin' AND f.background = 'free'
WHERE s.impl = 'som/gpu-opt' AND f.session IS s.session;

CREATE TEMP VIEW draw_looks AS SELECT 'root of the mean square error of the surface [px]' AS axis, 1 AS from_zero;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce(
    (SELECT printf('With the background free bisection is %.2g to %.3g times as fast as the SOM on a GPU, with %.2g to %.2g of its error',
                   min(times), max(times), min(error), max(error)) FROM versus GROUP BY NULL HAVING count(*) > 1), 'Meshes of as many vertices: error of the surface') AS value
UNION ALL
SELECT 'subtitle', 'behind each bar: the error, the share of the map''s pixels where it is taken, and the mean time'
UNION ALL
SELECT 'note', coalesce('Greedy insertion has the SOM''s error with a part of its vertices: ' || (SELECT group_concat(said, ', ') FROM equal) || '. ', '') ||
    'The SOM optimises %cost, the spread of density over its honeycombs, not this error. ';
