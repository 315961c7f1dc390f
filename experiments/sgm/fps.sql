-- fps.sql - frames a second by paths, as [SGM] prints them and as they are here, times of scope kernel
WITH ours AS (
    SELECT impl, paths, avg(ms) AS ms
    FROM shown_row
    WHERE scope = 'kernel' AND stage IS NULL AND input = 'vga-pair' AND disparities = 128 AND ms > 0
    GROUP BY impl, paths
),
line AS (SELECT DISTINCT paths FROM printed WHERE paper = 'sgm' AND figure = 'fps')
SELECT l.paths AS paths,
       (SELECT printed FROM printed AS p WHERE p.figure = 'fps' AND p.paper = 'sgm' AND p.paths = l.paths AND hardware = 'Tegra X1') AS "X1 printed",
       (SELECT printed FROM printed AS p WHERE p.figure = 'fps' AND p.paper = 'sgm' AND p.paths = l.paths AND hardware = 'Titan X') AS "Titan printed",
       coalesce((SELECT printf('%.0f', 1000 / ms) FROM ours AS o WHERE o.paths = l.paths AND impl = 'sgm/gpu-paper'), '(no rows)') AS "GPU here",
       coalesce((SELECT printf('%.0f', 1000 / ms) FROM ours AS o WHERE o.paths = l.paths AND impl = 'sgm/gpu-opt'), '-') AS "ours here",
       coalesce((SELECT printf('%.3g', 1000 / ms) FROM ours AS o WHERE o.paths = l.paths AND impl = 'sgm/openmp'), '(no rows)') AS "cores here",
       coalesce((SELECT printf('%.3g', 1000 / ms) FROM ours AS o WHERE o.paths = l.paths AND impl = 'sgm/serial'), '(no rows)') AS "1 core here",
       CASE l.paths WHEN '2' THEN 'frames a second of 640 x 480 px, 128 disparities, no checks; printed: Tegra X1, Titan X' END AS note
FROM line AS l
ORDER BY CAST(l.paths AS INTEGER)
