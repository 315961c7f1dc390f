-- nodes.sql - the median time of a frame as a nodes + b rows: least squares of the relative residuals; ± 95 % interval
SELECT r.impl AS "variant", printf('%d', r.batch) AS "batch", printf('%d', linear_fit(n.value, p.value, y.value, 0)) AS "frames",
       told_mean(1e6 * linear_fit(n.value, p.value, y.value, 1), 1e6 * linear_fit(n.value, p.value, y.value, 3)) AS "a, ns a node",
       told_mean(1e6 * linear_fit(n.value, p.value, y.value, 2), 1e6 * linear_fit(n.value, p.value, y.value, 4)) AS "b, ns a row",
       printf('%.1f', 100 * linear_fit(n.value, p.value, y.value, 5)) AS "rms residual, %",
       printf('%.1f', 100 * linear_fit(n.value, p.value, y.value, 6)) AS "worst, %"
FROM shown_row AS r
JOIN field AS n ON n.name = 'nodes_visited' AND n.id = r.place
JOIN field AS p ON p.name = 'points_visited' AND p.id = r.place
JOIN field AS y ON y.name = 'median_ms' AND y.id = r.place
GROUP BY r.impl, r.batch
ORDER BY min(r.place)
