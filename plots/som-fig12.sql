-- som-fig12.sql - quality by the number of rounds, a panel for each map, a curve for each variant
INSERT INTO wanted_impl VALUES ('som/gpu-paper'), ('som/gpu-opt');

CREATE VIEW rated AS SELECT * FROM whole WHERE cost_pct IS NOT NULL;

-- Generated maps only where there are no others.
CREATE VIEW kept AS
SELECT r.*, v.place AS curve
FROM rated AS r
JOIN variant AS v ON v.impl = r.impl
WHERE r.input NOT LIKE 'map-%' OR NOT EXISTS (SELECT 1 FROM rated WHERE input NOT LIKE 'map-%');

CREATE VIEW panel AS SELECT input, min(id) AS panel FROM kept GROUP BY input;
CREATE VIEW draw_panels AS SELECT panel, input FROM panel ORDER BY panel;
CREATE VIEW draw_curves AS SELECT DISTINCT curve, impl FROM kept ORDER BY curve;

CREATE VIEW draw_points AS
SELECT p.panel, k.curve, k.rounds, k.cost_pct, coalesce(k.cost_pct_sd, 0) AS sd
FROM kept AS k
JOIN panel AS p ON p.input = k.input
ORDER BY p.panel, k.curve, k.id;

CREATE VIEW text AS
SELECT 'title' AS name, 'SOM mesh: quality against rounds' AS value
UNION ALL
SELECT 'subtitle', 'sigma from ' || sigma || ', search range ' || ssr || '; som/serial makes as many times cells single updates; ' ||
    'means over seeds, bars: one standard deviation' FROM held;
