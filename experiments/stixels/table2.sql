-- table2.sql - [STX] Table 2 as it is printed, pixels per stixel of both models, and what decides: the ratio of ours to [12]
--
-- The paper's data sets are not those of ours, so that rows cannot be paired; a ratio can be compared.
WITH entry (at, label, model, block, value, printed) AS (
    SELECT rowid, input || ' printed', model, block, value, printed FROM printed WHERE paper = 'stixels' AND figure = 'table2'
    UNION ALL
    SELECT 1000000 + r.place, r.input || ' here', r.model, r.block, f.value, told(f.value, NULL)
    FROM shown_row AS r
    JOIN field AS f ON f.name = 'pixels_per_stixel' AND f.id = r.place
),
pair AS (
    SELECT min(a.at) AS at, a.label, a.block, a.printed AS older, b.printed AS newer, printf('%.3f', b.value / a.value) AS ratio
    FROM entry AS a
    JOIN entry AS b ON b.label = a.label AND b.block = a.block AND b.model = 'b12'
    WHERE a.model = 'b6'
    GROUP BY a.label, a.block
)
SELECT w.label AS "input", w.older AS "8×8 [12]", w.newer AS "8×8 ours", w.ratio AS "8×8 ratio", n.older AS "4×4 [12]", n.newer AS "4×4 ours",
       n.ratio AS "4×4 ratio",
       CASE w.at WHEN (SELECT min(at) FROM pair) THEN '[12]: model of eq. 6; ours: that of eq. 12; ratio: of ours to [12]; city-...: generated streets; kitti-sgm: 25 frames of KITTI, without classes' END AS note
FROM pair AS w
LEFT JOIN pair AS n ON n.label = w.label AND n.block = 4
WHERE w.block = 8
ORDER BY w.at
