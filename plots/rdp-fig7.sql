-- rdp-fig7.sql - of one input, the useful share of each round, for eps 4 and 8
-- with rows.sql
CREATE VIEW may_show AS SELECT rowid AS id, * FROM value WHERE name = 'useful_pct';

CREATE VIEW held AS
SELECT i.input, m.height, m.width, m.impl, m.median
FROM may_show AS m, one_input AS i
ORDER BY m.id
LIMIT 1;

CREATE VIEW share AS
SELECT m.*
FROM may_show AS m
JOIN held AS h ON m.input = h.input AND m.height = h.height AND m.width = h.width AND m.impl = h.impl AND m.median IS h.median
WHERE m.distance = 'vertical' AND m."case" = 'all' AND m.eps IN (4, 8);

CREATE VIEW kept AS
SELECT s.*
FROM whole AS s
JOIN held AS h ON s.input = h.input AND s.height = h.height AND s.width = h.width AND s.impl = h.impl AND s.median IS h.median
WHERE s.distance = 'vertical' AND s."case" = 'all' AND s.eps IN (SELECT eps FROM share);

CREATE VIEW drawn AS SELECT min(id) AS id FROM kept GROUP BY eps;

CREATE VIEW draw_panels AS SELECT eps, 'ε = ' || eps || ' px' AS title FROM share GROUP BY eps ORDER BY min(id);
CREATE VIEW draw_rounds AS SELECT eps, "index" AS round, value AS useful FROM share ORDER BY eps, round;

CREATE VIEW text AS
SELECT 'title' AS name, 'RDP column segmentation: useful computation as the rounds go on' AS value
UNION ALL SELECT 'subtitle', 'input ' || input || ', vertical distance; ' || said FROM held JOIN prepared USING (width, height, median)
UNION ALL SELECT 'note', 'No rows yet for ε = ' || group_concat(eps, ', ') || ' px.'
    FROM (SELECT 4 AS eps UNION ALL SELECT 8) WHERE eps NOT IN (SELECT eps FROM share);
