-- work.sql - the left tables of [STX] Figs. 4 and 5: work, memory and arithmetic intensity of each stage, stated as an order of growth there
-- and counted here
--
-- An order of growth leaves out constant factors: what can be compared is how many times as large a number is with blocks of 4 × 4 px as with
-- 8 × 8 px, where there are twice the rows h and the columns w.
WITH line (at, name, label) AS (
    VALUES (1, 'values_read', 'memory reads'), (2, 'means_written', 'memory writes'), (3, 'downsample_intensity', 'arithmetic intensity'),
           (4, 'sums_written', 'SAT gen.: memory writes'), (5, 'row_terms', 'DP [12]: compute work'), (6, 'e6_intensity', 'DP [12]: intensity'),
           (7, 'candidates', 'DP ours: compute work'), (8, 'e12_intensity', 'DP ours: intensity'), (9, 'stixels', 'backtrack: stixels')
),
counted AS (
    SELECT f.name, r.block, f.value FROM shown_row AS r JOIN field AS f ON f.id = r.place
)
SELECT l.label AS " ", substr(p.printed, 1, instr(p.printed || ' =', ' =') - 1) AS "grows as printed",
       CASE p.printed WHEN 'constant' THEN '1' ELSE told(q.value / p.value, NULL) END AS "4×4 : 8×8 printed",
       coalesce(told(b.value / a.value, NULL), '(no rows)') AS "4×4 : 8×8 here", told(a.value, NULL) AS "8×8 here", told(b.value, NULL) AS "4×4 here",
       CASE l.at WHEN 1 THEN '2048 × 1024 px and z = 20 planes; intensity: additions a value moved'
                 WHEN 4 THEN '2048 × 1024 px and 18 classes; DP [12], compute work: sums over rows, DP ours: stixels looked at' END AS note
FROM line AS l
JOIN wish AS w ON w.word = 'paper'
JOIN printed AS p ON p.name = l.name AND p.block = 8 AND p.paper || '/' || p.figure = w.name
JOIN printed AS q ON q.name = l.name AND q.block = 4 AND q.figure = p.figure
LEFT JOIN counted AS a ON a.name = l.name AND a.block = 8
LEFT JOIN counted AS b ON b.name = l.name AND b.block = 4
ORDER BY l.at
