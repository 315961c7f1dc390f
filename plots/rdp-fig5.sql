-- rdp-fig5.sql - of each input, rounds over all columns by tolerance
DELETE FROM may_show;
INSERT INTO may_show SELECT id, input FROM whole WHERE rounds_mean IS NOT NULL;

CREATE TEMP TABLE kept AS
SELECT w.*
FROM whole AS w
JOIN held USING (width, height, impl, median)
WHERE w.distance = 'vertical' AND w.frame_pick = 'all' AND w.rounds_mean IS NOT NULL AND w.eps > 0;

-- (rows that differ in their times alone repeat their values)
CREATE TEMP VIEW drawn AS SELECT min(id) AS id FROM kept GROUP BY input, eps;

-- The main input first, which is drawn large.
CREATE TEMP VIEW draw_curves AS
SELECT min(id) AS curve, k.input FROM kept AS k JOIN held AS h GROUP BY k.input ORDER BY k.input = h.input DESC, 1;

CREATE TEMP VIEW draw_points AS
SELECT c.curve, k.eps, k.rounds_mean, k.rounds_sd, k.rounds_max
FROM drawn AS d
JOIN kept AS k ON k.id = d.id
JOIN draw_curves AS c ON c.input = k.input
ORDER BY c.curve, k.eps;

-- What the text says of eps from 4 to 8.
CREATE TEMP VIEW draw_printeds AS
SELECT u.eps, CAST(u.printed AS INTEGER) AS usual_from, u.value AS usual, m.value AS most
FROM printed AS u
JOIN printed AS m ON m.figure = 'fig5' AND m.name = 'rounds_most' AND m.eps = u.eps
WHERE u.figure = 'fig5' AND u.name = 'rounds_usual';

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT printf('At ε = %g px a column of %s takes %.1f rounds on average and %d at most', k.eps, k.input, k.rounds_mean, k.rounds_max) ||
           printf('; printed: below %d or %d, at most %d', p.usual_from, p.usual, p.most)
    FROM drawn JOIN kept AS k USING (id) JOIN held AS h ON h.input = k.input JOIN draw_printeds AS p ON p.eps = k.eps ORDER BY k.eps LIMIT 1),
    'RDP column segmentation: rounds against the tolerance ε') AS value
UNION ALL SELECT 'subtitle', 'vertical distance; ' || said || '; means over all columns, bars: one standard deviation of the columns'
    FROM held JOIN prepared USING (width, height, median)
UNION ALL SELECT 'note', 'The disparities of kitti-sgm are whole pixels: below ε = 1 each step of a slope is a segment of its own. '
    WHERE EXISTS (SELECT 1 FROM kept WHERE input = 'kitti-sgm' AND eps < 1);
