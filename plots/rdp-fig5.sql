-- rdp-fig5.sql - of each input, rounds over all columns by tolerance
CREATE TABLE kept AS
SELECT w.*
FROM whole AS w
JOIN held USING (width, height, impl, median)
WHERE w.distance = 'vertical' AND w.frame_pick = 'all' AND w.rounds_mean IS NOT NULL AND w.eps > 0;

-- (rows that differ in their times alone repeat their values)
CREATE VIEW drawn AS SELECT min(id) AS id FROM kept GROUP BY input, eps;

CREATE VIEW draw_curves AS SELECT min(id) AS curve, input FROM kept GROUP BY input ORDER BY 1;

CREATE VIEW draw_points AS
SELECT c.curve, k.eps, k.rounds_mean, k.rounds_sd, k.rounds_max
FROM drawn AS d
JOIN kept AS k ON k.id = d.id
JOIN draw_curves AS c ON c.input = k.input
ORDER BY c.curve, k.eps;

-- What the text says of eps from 4 to 8.
CREATE VIEW draw_printeds AS
SELECT u.eps, u.value AS usual, m.value AS most
FROM printed AS u
JOIN printed AS m ON m.figure = 'fig5' AND m.name = 'rounds_most' AND m.eps = u.eps
WHERE u.figure = 'fig5' AND u.name = 'rounds_usual';

CREATE VIEW text AS
SELECT 'title' AS name, 'RDP column segmentation: rounds against the tolerance ε' AS value
UNION ALL SELECT 'subtitle', 'vertical distance; ' || said || '; bars: one standard deviation over the columns'
    FROM held JOIN prepared USING (width, height, median);
