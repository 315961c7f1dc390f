-- som-table2-work.sql - time and quality of runs of more and more rounds, a panel for each map and sigma; som/gpu-paper is in the setting
-- that stands for the paper, and in the fastest found
INSERT INTO wanted_impl VALUES ('som/gpu-paper'), ('som/gpu-opt');

CREATE VIEW rated AS SELECT * FROM timed_whole WHERE cost_pct IS NOT NULL;

CREATE TABLE map (place INTEGER PRIMARY KEY, input TEXT);
INSERT INTO map VALUES (1, 'cones'), (2, 'conesM'), (3, 'conesL');

-- (all maps where none of these is there); curve 0: som/serial, a point and a line of its own
CREATE TABLE kept AS
SELECT r.*, CASE WHEN r.impl = 'som/serial' THEN 0 WHEN r.impl = 'som/gpu-paper' AND r.block_threads = 1 THEN 100 ELSE v.place END AS curve
FROM rated AS r
JOIN variant AS v ON v.impl = r.impl
WHERE r.input IN (SELECT input FROM map) OR NOT EXISTS (SELECT 1 FROM rated WHERE input IN (SELECT input FROM map));

CREATE VIEW drawn AS SELECT id FROM kept WHERE EXISTS (SELECT 1 FROM kept WHERE curve <> 100);

CREATE VIEW column AS
SELECT k.input, coalesce(m.place, 1000 + min(k.id)) AS place
FROM kept AS k
LEFT JOIN map AS m ON m.input = k.input
GROUP BY k.input;

CREATE VIEW line AS SELECT sigma, min(id) AS place FROM rated GROUP BY sigma;

-- line, column: from 1 on; aim: the %cost of som/serial at 1500 times cells updates
CREATE VIEW draw_panels AS
SELECT k.input || ':' || k.sigma AS panel, k.input || ', sigma ' || k.sigma AS title,
       (SELECT count(*) FROM line AS l WHERE l.place <= r.place AND l.sigma IN (SELECT sigma FROM kept)) AS line,
       (SELECT count(*) FROM column AS l WHERE l.place <= c.place) AS column,
       coalesce((SELECT s.cost_pct FROM kept AS s WHERE s.curve = 0 AND s.input = k.input AND s.sigma = k.sigma ORDER BY s.id DESC LIMIT 1), 0) AS aim,
       max(CASE WHEN k.curve < 100 THEN k.cost_pct END) AS most
FROM kept AS k
JOIN column AS c ON c.input = k.input
JOIN line AS r ON r.sigma = k.sigma
GROUP BY k.input, k.sigma
ORDER BY line, column;

CREATE VIEW draw_curves AS
SELECT DISTINCT curve, impl, CASE curve WHEN 100 THEN '  1 thread a block, exch' ELSE impl END AS name FROM kept WHERE curve > 0 ORDER BY curve;

CREATE VIEW draw_points AS
SELECT k.input || ':' || k.sigma AS panel, k.curve, k.mean_ms AS ms, k.cost_pct, coalesce(k.cost_pct_sd, 0) AS sd, k.to_quality_ms IS NOT NULL AS reaches
FROM kept AS k
ORDER BY 1, k.curve, k.mean_ms;

CREATE VIEW text AS
SELECT 'title' AS name, 'SOM mesh: %cost against the time that it takes' AS value
UNION ALL
SELECT 'subtitle', 'from left to right on a curve more rounds; search range ' || ssr || '; means over seeds, bars: one standard deviation'
    FROM held
UNION ALL
SELECT 'note', 'Rings: the shortest of these runs whose %cost is at most that of som/serial. ';
