-- som-fig11.sql - of one variant, the paper's or the same schedule on one core, time and quality: a panel for each map, a curve for each
-- search range, a point for each refresh rate
INSERT INTO wanted_impl VALUES ('som/gpu-paper');

CREATE TABLE rated AS SELECT * FROM timed_whole WHERE cost_pct IS NOT NULL;

-- The paper's variant where it has rows.
CREATE VIEW one_impl AS SELECT impl FROM rated ORDER BY impl = 'som/gpu-paper' DESC, id LIMIT 1;

-- Generated maps only where there are no others; the search ranges of the paper.
CREATE TABLE kept AS
SELECT r.*, CASE r.ssr WHEN -1 THEN 1000 ELSE r.ssr END AS curve
FROM rated AS r
JOIN one_impl USING (impl)
WHERE r.input NOT LIKE 'map-%' OR NOT EXISTS (SELECT 1 FROM rated JOIN one_impl USING (impl) WHERE input NOT LIKE 'map-%');

CREATE VIEW shown_range AS SELECT DISTINCT curve, ssr FROM kept WHERE ssr IN (2, 3, 4, 5, 10, -1);

CREATE VIEW drawn AS SELECT id FROM kept WHERE ssr IN (SELECT ssr FROM shown_range);

-- small, medium, large
CREATE VIEW panel AS
SELECT input, min(id) + CASE WHEN input LIKE '%L' THEN 2000000 WHEN input LIKE '%M' THEN 1000000 ELSE 0 END AS panel
FROM kept
GROUP BY input;

CREATE VIEW draw_panels AS SELECT panel, input FROM panel ORDER BY panel;
CREATE VIEW draw_curves AS SELECT curve, 'SSR ' || CASE ssr WHEN -1 THEN '∞' ELSE ssr END AS name FROM shown_range ORDER BY curve;

CREATE VIEW draw_points AS
SELECT p.panel, k.curve, k.mean_ms AS ms, k.cost_pct, k.crr = 1 AS is_each
FROM kept AS k
JOIN panel AS p ON p.input = k.input
ORDER BY p.panel, k.curve, k.id;

CREATE VIEW text AS
SELECT 'title' AS name, 'SOM mesh: search range and refresh rate' AS value
UNION ALL
SELECT 'subtitle', o.impl || ', 1500 rounds, sigma from ' || sigma || ', cells of 20 × 20 px, live updates; means over seeds' FROM one_impl AS o, held
UNION ALL
SELECT 'note', 'Ring: refresh in every round; along a curve to every 100th. [SOM] sect. 6.3, in words: refresh rates matter less than search ranges (SSR); beyond 4 (small map), 3 (medium) and 5 (large) quality gains nothing more. It prints no numbers and names no maps. ';
