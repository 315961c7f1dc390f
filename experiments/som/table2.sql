-- table2.sql - [SOM] Table 2 as it is printed: seconds and %cost of both programs by map, with the average of each set
--
-- Ours are means over seeds at sigma 12, as the footnote of the paper's Table 1 has it: som/gpu-paper with blocks of 8 threads and
-- compare-and-swap, which stands for the paper (table2.ini), and som/serial.  AF divides times, as printed; of equal work it divides times of one
-- update, of which the rounds leave most out.  An average is of whole sets alone.
WITH map AS (
    SELECT min(p.rowid) AS at, p.input, p.ssr, substr(p.place, 10, instr(substr(p.place, 10), ',') - 1) AS name, CASE substr(p.input, -1) WHEN 'M' THEN 'medium' WHEN 'L' THEN 'large' ELSE 'small' END AS class,
           max(CASE name WHEN 'image_cols' THEN printed END) || ' × ' || max(CASE name WHEN 'image_rows' THEN printed END) AS image,
           max(CASE name WHEN 'grid_cols' THEN printed END) || ' × ' || max(CASE name WHEN 'grid_rows' THEN printed END) AS grid,
           max(CASE name WHEN 'cell_cols' THEN printed END) || ' × ' || max(CASE name WHEN 'cell_rows' THEN printed END) AS cells
    FROM printed AS p
    WHERE paper = 'som' AND figure = 'table2'
    GROUP BY p.input, p.ssr
),
paper AS (
    SELECT figure, input, ssr, CASE impl WHEN '[SOM] GPU' THEN 'gpu' WHEN '[SOM] CPU' THEN 'cpu' END AS side, name, replace(printed, ' s', '') AS printed
    FROM printed
    WHERE paper = 'som' AND figure GLOB 'table2*'
),
run AS (
    SELECT r.input, r.ssr, CASE r.impl WHEN 'som/serial' THEN 'cpu' ELSE 'gpu' END AS side, r.ms, r.sd, r.of_n, r.gpu, r.cpu, r.commit_hash,
           (SELECT value FROM field AS f WHERE f.name = 'cost_pct' AND f.id = r.place) AS cost,
           (SELECT value FROM field AS f WHERE f.name = 'cost_pct_sd' AND f.id = r.place) AS cost_sd,
           (SELECT value FROM field AS f WHERE f.name = 'speedup' AND f.id = r.place) AS speedup,
           (SELECT value FROM field AS f WHERE f.name = 'update_ns' AND f.id = r.place) AS update_ns
    FROM shown_row AS r
    WHERE r.sigma = 12 AND (r.input, r.ssr) IN (SELECT input, ssr FROM map) AND (r.impl = 'som/serial' OR r.impl = 'som/gpu-paper' AND r.block_threads = 8 AND r.atomics = 'cas64')
),
here AS (
    SELECT m.at, m.class, m.ssr, g.ms AS gpu_ms, c.ms AS cpu_ms, g.cost AS gpu_cost, c.cost AS cpu_cost, g.speedup, c.update_ns / g.update_ns AS equal,
           g.sd AS gpu_sd, c.sd AS cpu_sd, g.cost_sd AS gpu_cost_sd, c.cost_sd AS cpu_cost_sd, coalesce(g.sd / g.ms, 0) + coalesce(c.sd / c.ms, 0) AS share,
           told_mean(g.ms / 1000, g.sd / 1000) AS gpu_text, told_mean(c.ms / 1000, c.sd / 1000) AS cpu_text, told_mean(g.cost, g.cost_sd) AS gpu_cost_text,
           told_mean(c.cost, c.cost_sd) AS cpu_cost_text
    FROM map AS m
    LEFT JOIN run AS g ON g.input = m.input AND g.ssr = m.ssr AND g.side = 'gpu'
    LEFT JOIN run AS c ON c.input = m.input AND c.ssr = m.ssr AND c.side = 'cpu'
),
line AS (
    SELECT m.at, m.name, 'table2' AS figure, m.input, m.ssr, m.image, m.grid, m.cells, h.gpu_text, h.cpu_text, h.gpu_cost_text, h.cpu_cost_text,
           told(h.speedup, h.speedup * h.share) AS speedup, told(h.equal, h.equal * h.share) AS equal
    FROM map AS m
    JOIN here AS h ON h.at = m.at
    UNION ALL
    SELECT max(h.at) + 0.5, 'Average', 'table2-average', h.class, h.ssr, (SELECT printed FROM paper AS p WHERE p.name = 'pixels' AND p.input = h.class AND p.ssr = h.ssr) || ' px', NULL, NULL,
           CASE count(gpu_ms) WHEN count(*) THEN told(avg(gpu_ms) / 1000, avg(gpu_sd) / 1000) WHEN 0 THEN NULL ELSE printf('(%d of %d)', count(gpu_ms), count(*)) END,
           CASE count(cpu_ms) WHEN count(*) THEN told(avg(cpu_ms) / 1000, avg(cpu_sd) / 1000) WHEN 0 THEN NULL ELSE printf('(%d of %d)', count(cpu_ms), count(*)) END,
           CASE count(gpu_cost) WHEN count(*) THEN told(avg(gpu_cost), avg(gpu_cost_sd)) END, CASE count(cpu_cost) WHEN count(*) THEN told(avg(cpu_cost), avg(cpu_cost_sd)) END,
           CASE count(gpu_ms + cpu_ms) WHEN count(*) THEN told(avg(cpu_ms) / avg(gpu_ms), avg(cpu_ms) / avg(gpu_ms) * avg(share)) END, CASE count(equal) WHEN count(*) THEN told(avg(equal), avg(equal * share)) END
    FROM here AS h
    GROUP BY h.class, h.ssr
)
SELECT name AS "map", image AS "image printed", grid AS "grid printed", cells AS "cells printed", ssr AS "SSR",
       (SELECT printed FROM paper AS p WHERE p.figure = l.figure AND p.input = l.input AND p.ssr = l.ssr AND side = 'gpu' AND name = 'mean_ms') AS "GPU s printed",
       coalesce(gpu_text, '(no rows)') AS "GPU s here",
       (SELECT printed FROM paper AS p WHERE p.figure = l.figure AND p.input = l.input AND p.ssr = l.ssr AND side = 'cpu' AND name = 'mean_ms') AS "CPU s printed",
       coalesce(cpu_text, '(no rows)') AS "CPU s here",
       (SELECT printed FROM paper AS p WHERE p.figure = l.figure AND p.input = l.input AND p.ssr = l.ssr AND side = 'gpu' AND name = 'cost_pct') AS "%cost GPU printed",
       gpu_cost_text AS "%cost GPU here",
       (SELECT printed FROM paper AS p WHERE p.figure = l.figure AND p.input = l.input AND p.ssr = l.ssr AND side = 'cpu' AND name = 'cost_pct') AS "%cost CPU printed",
       cpu_cost_text AS "%cost CPU here",
       (SELECT printed FROM paper AS p WHERE p.figure = l.figure AND p.input = l.input AND p.ssr = l.ssr AND side = 'gpu' AND name = 'speedup') AS "AF printed",
       speedup AS "AF here", equal AS "AF of equal work here",
       CASE at WHEN (SELECT min(at) FROM line)
               THEN (SELECT 'g 6, co 20, CRR 20, 1500 iterations; ± one standard deviation of ' || min(of_n) || '..' || max(of_n) || ' seeds; here: ' || coalesce(max(gpu), '')
                                || ' and one core of ' || replace(max(cpu), '(R)', '') || ', som/gpu-paper (8 threads, compare-and-swap) and som/serial, commit '
                                || replace(group_concat(DISTINCT substr(commit_hash, 1, 7)), ',', ', ') || '; AF: CPU time over GPU time; of equal work: the times of one update divided'
                     FROM run) END AS note
FROM line AS l
ORDER BY at
