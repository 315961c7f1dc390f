-- rdp-fig7.sql - of one input, the useful share of each round, for eps 4 and 8
-- beside scene:
DELETE FROM may_show;
INSERT INTO may_show SELECT rowid, input FROM value WHERE name = 'useful_pct';

CREATE TABLE share AS
SELECT v.*, v.rowid AS id
FROM value AS v
JOIN held USING (input, width, height, impl, median)
WHERE v.name = 'useful_pct' AND v.distance = 'vertical' AND v.frame_pick = 'all' AND v.eps IN (4, 8);

CREATE TABLE kept AS
SELECT s.*
FROM whole AS s
JOIN held USING (input, width, height, impl, median)
WHERE s.distance = 'vertical' AND s.frame_pick = 'all' AND s.eps IN (SELECT eps FROM share);

CREATE VIEW drawn AS SELECT min(id) AS id FROM kept GROUP BY eps;

CREATE VIEW draw_panels AS SELECT eps, 'ε = ' || eps || ' px' AS title FROM share GROUP BY eps ORDER BY min(id);
CREATE VIEW draw_rounds AS SELECT eps, "index" AS round, value AS useful FROM share ORDER BY eps, round;

CREATE VIEW text AS
SELECT 'title' AS name, 'RDP column segmentation: useful computation as the rounds go on' AS value
UNION ALL SELECT 'subtitle', 'input ' || input || ', vertical distance; ' || said FROM held JOIN prepared USING (width, height, median)
UNION ALL SELECT 'note', 'No rows yet for ε = ' || group_concat(eps, ', ') || ' px.'
    FROM (SELECT 4 AS eps UNION ALL SELECT 8) WHERE eps NOT IN (SELECT eps FROM share);
