-- ratios.sql - [STX] Tables 2 and 3 as they are printed, pixels per stixel, or errors of both models and of their input; and what decides: the
-- ratio of ours to [12]
--
-- The paper's data sets are not those of ours, so that rows cannot be paired; a ratio can be compared.
WITH metric (rank, paper, name, of_input, said) AS (
    VALUES (0, 'stixels/table2', 'pixels_per_stixel', NULL, ''), (1, 'stixels/table3', 'd1_pct', 'input_d1_all_pct', 'D1, %: '),
           (2, 'stixels/table3', 'iou_mean_pct', 'input_iou_mean_pct', 'IoU, %: ')
),
entry (at, name, label, model, block, value, printed) AS (
    SELECT p.rowid, p.name, p.input || ' printed', p.model, p.block, p.value, p.printed FROM printed AS p JOIN wish AS w ON w.word = 'paper' AND w.name = p.paper || '/' || p.figure
    UNION ALL
    SELECT 1000000 + r.place, f.name, r.input || ' here', CASE WHEN f.name NOT LIKE 'input%' THEN r.model END, r.block, f.value,
           CASE f.name WHEN 'pixels_per_stixel' THEN told(f.value, NULL) ELSE printf('%.2f', f.value) END
    FROM shown_row AS r
    JOIN field AS f ON f.id = r.place AND f.name IN (SELECT name FROM metric UNION ALL SELECT of_input FROM metric)
),
pair AS (
    SELECT min(a.at) AS at, m.rank, m.said, m.of_input, a.label, a.block, a.printed AS older, b.printed AS newer, printf('%.3f', b.value / a.value) AS ratio
    FROM metric AS m
    JOIN wish AS w ON w.word = 'paper' AND w.name = m.paper
    JOIN entry AS a ON a.name = m.name AND a.model = 'b6'
    JOIN entry AS b ON b.name = m.name AND b.label = a.label AND b.block = a.block AND b.model = 'b12'
    GROUP BY m.name, a.label, a.block
)
SELECT w.said || w.label AS "data", (SELECT printed FROM entry AS e WHERE e.name = w.of_input AND e.label = w.label LIMIT 1) AS "input",
       w.older AS "8×8 [12]", w.newer AS "8×8 ours", w.ratio AS "8×8 ratio", n.older AS "4×4 [12]", n.newer AS "4×4 ours", n.ratio AS "4×4 ratio",
       CASE w.at WHEN (SELECT min(at) FROM pair) THEN '[12]: model of eq. 6; ours: that of eq. 12; ratio: of ours to [12]; city-...: generated streets; kitti-sgm: 25 frames of KITTI, without classes' END AS note
FROM pair AS w
LEFT JOIN pair AS n ON n.label = w.label AND n.rank = w.rank AND n.block = 4
WHERE w.block = 8
ORDER BY w.rank, w.at
