-- som-table2-work.sql - time and quality of runs of more and more rounds, a panel for each map and sigma; som/gpu-paper is in the setting
-- that stands for the paper, and in the fastest found
INSERT INTO wanted_impl VALUES ('som/gpu-paper'), ('som/gpu-opt');

CREATE TEMP VIEW rated AS SELECT * FROM timed_whole WHERE cost_pct IS NOT NULL;

CREATE TEMP TABLE map (place INTEGER PRIMARY KEY, input TEXT);
INSERT INTO map VALUES (1, 'cones'), (2, 'teddy'), (3, 'conesM'), (4, 'teddyM'), (5, 'conesL');

-- (all maps where none of these is there); curve 0: som/serial, a point and a line of its own
CREATE TEMP TABLE kept AS
SELECT r.*, CASE WHEN r.impl = 'som/serial' THEN 0 WHEN r.impl = 'som/gpu-paper' AND r.block_threads = 1 THEN 100 ELSE r.variant END AS curve
FROM rated AS r
WHERE r.input IN (SELECT input FROM map) OR NOT EXISTS (SELECT 1 FROM rated WHERE input IN (SELECT input FROM map));

CREATE TEMP VIEW drawn AS SELECT id FROM kept WHERE EXISTS (SELECT 1 FROM kept WHERE curve <> 100);

-- aim: the %cost of som/serial at 1500 times cells updates
CREATE TEMP VIEW draw_panels AS
SELECT k.input || ':' || k.sigma AS panel, k.input || ', sigma from ' || k.sigma AS title,
       coalesce((SELECT s.cost_pct FROM kept AS s WHERE s.curve = 0 AND s.rounds = 1500 AND s.input = k.input AND s.sigma = k.sigma ORDER BY s.id DESC LIMIT 1), 0) AS aim
FROM kept AS k
LEFT JOIN map AS m ON m.input = k.input
GROUP BY k.input, k.sigma
ORDER BY min(coalesce(m.place, 1000 + k.id)), k.sigma;

CREATE TEMP VIEW draw_curves AS
SELECT DISTINCT curve, impl, CASE curve WHEN 100 THEN 'GPU, paper''s kernel, 1 thread a block and exchanges' ELSE title END AS name FROM kept ORDER BY curve;

CREATE TEMP VIEW draw_points AS
SELECT k.input || ':' || k.sigma AS panel, k.curve, k.mean_ms AS ms, k.cost_pct, k.cost_pct - coalesce(k.cost_pct_sd, 0) AS low, k.cost_pct + coalesce(k.cost_pct_sd, 0) AS high,
       k.to_quality_ms IS NOT NULL AS reaches
FROM kept AS k
ORDER BY 1, k.curve, k.mean_ms;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'As good as som/serial in ' || group_concat(said, ', ')
    FROM (SELECT number_text(min(mean_ms)) || CASE WHEN max(mean_ms) > min(mean_ms) THEN ' to ' || number_text(max(mean_ms)) ELSE '' END || ' ms with ' || impl AS said
          FROM kept WHERE to_quality_ms > 0 AND curve > 0 AND curve < 100 GROUP BY impl ORDER BY min(mean_ms)) GROUP BY NULL), 'SOM mesh: %cost against the time that it takes') AS value
UNION ALL
SELECT 'subtitle', 'from left to right on a curve more rounds; search range ' || ssr || '. ' ||
    (SELECT sum(cost_pct_sd IS NULL) || ' of ' || count(*) FROM kept) || ' points are one seed, the others means over seeds, bars: one standard deviation'
    FROM held
UNION ALL
SELECT 'note', 'Dotted: the %cost of som/serial after 1500 updates of each cell. Large: the shortest of these runs that is as good, or worse by one deviation of it. ';
