-- rdp-stripes.sql - time by height, of stripes of columns and of chunks
CREATE TABLE kept AS
SELECT w.*
FROM whole AS w
JOIN held USING (input, eps, width)
WHERE w.mean_ms > 0;

CREATE VIEW drawn AS SELECT id FROM kept;

CREATE VIEW draw_curves AS SELECT min(id) AS curve, impl FROM kept GROUP BY impl ORDER BY 1;

CREATE VIEW draw_points AS
SELECT c.curve, k.height, k.mean_ms FROM kept AS k JOIN draw_curves AS c USING (impl) ORDER BY c.curve, k.height;

CREATE VIEW text AS
SELECT 'title' AS name, 'RDP on a CPU: stripes of columns against chunks' AS value
UNION ALL SELECT 'subtitle', 'input ' || input || ', ε = ' || eps || ' px, mean time per frame' FROM held;
