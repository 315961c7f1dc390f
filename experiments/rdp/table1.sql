-- table1.sql - [RDP] Table 1 as it is printed: modes of the board, and the mean time of an average input with 1024 rows
--
-- Ours are means over kitti-sgm at eps 4, or over the generated scene where there are no frames of KITTI.  A machine without power modes
-- has one column.
WITH mode (at, mode_name) AS (VALUES (1, 'MODE_10W'), (2, 'MODE_15W'), (3, 'MAXN'), (4, 'any')),
line (at, label, name, impl) AS (
    VALUES (1, 'GPU clock, MHz', 'gpu_mhz', NULL), (2, 'CPU clock, MHz', 'cpu_mhz', NULL), (3, 'CPUs online', 'n_cpus', NULL),
           (4, 'memory clock, MHz', 'memory_mhz', NULL), (5, 'power budget, W', 'power_w', NULL),
           (6, 'GPU, ms (gpu-paper)', 'mean_ms', 'rdp/gpu-paper'), (7, '1 core, ms (serial)', 'mean_ms', 'rdp/serial'),
           (8, 'cores, ms (omp-columns)', 'mean_ms', 'rdp/omp-columns'), (9, 'ours: GPU, ms (gpu-opt)', 'mean_ms', 'rdp/gpu-opt'),
           (10, 'ours: cores, ms (cpu-simd)', 'mean_ms', 'rdp/cpu-simd')
),
ours AS (
    SELECT *
    FROM shown_row
    WHERE scope = 'kernel' AND stage IS NULL AND eps = 4 AND coalesce("median", 0) = 0 AND ms > 0
      AND input = (SELECT input FROM shown_row WHERE ms > 0 AND input IN ('kitti-sgm', 'scene') ORDER BY input LIMIT 1)
),
-- Facts of a machine are of all its modes; a board's clock of a mode is that of its rows.
known (name, mode_name, text) AS (
    SELECT CASE key WHEN 'sm_clock_max_mhz' THEN 'gpu_mhz' WHEN 'cores' THEN 'n_cpus' ELSE key END, 'any', text
    FROM fact
    WHERE key IN ('sm_clock_max_mhz', 'cpu_mhz', 'cores')
    UNION ALL
    SELECT 'gpu_mhz', mode_name, printf('%.0f', max(gpu_mhz_med)) FROM ours WHERE mode_name <> 'any' GROUP BY mode_name
),
here AS (
    SELECT l.at, m.at AS mode,
           CASE WHEN l.impl IS NOT NULL THEN coalesce(told(o.ms, o.half), '(no rows)') ELSE coalesce(k.text, '(unknown)') END AS text
    FROM line AS l
    JOIN mode AS m ON m.mode_name IN (SELECT coalesce(mode_name, 'any') FROM ours)
    LEFT JOIN ours AS o ON o.impl = l.impl AND coalesce(o.mode_name, 'any') = m.mode_name
    LEFT JOIN known AS k ON k.name = l.name AND k.mode_name = m.mode_name
),
paper AS (
    SELECT l.at, m.at AS mode, p.printed
    FROM printed AS p
    JOIN line AS l ON l.name = p.name AND l.impl IS p.impl
    JOIN mode AS m ON m.mode_name = p.mode_name
    WHERE p.paper = 'rdp' AND p.figure = 'table1'
)
SELECT label AS " ",
       (SELECT printed FROM paper AS p WHERE p.at = l.at AND mode = 1) AS "10 W printed",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 1) AS "10 W here",
       (SELECT printed FROM paper AS p WHERE p.at = l.at AND mode = 2) AS "15 W printed",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 2) AS "15 W here",
       (SELECT printed FROM paper AS p WHERE p.at = l.at AND mode = 3) AS "MAXN printed",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 3) AS "MAXN here",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 4) AS "here",
       CASE at WHEN 1 THEN (SELECT 'printed: a Jetson Xavier in its modes of low, default and most energy; here: ' || coalesce(max(gpu) || ' and ', '')
                                       || max(threads) || ' cores of ' || replace(max(cpu), '(R)', '') || ', mean of ' || max(input) || ' at eps 4, n ' || min(of_n) || '..'
                                       || max(of_n) || ', commit ' || replace(group_concat(DISTINCT substr(commit_hash, 1, 7)), ',', ', ')
                            FROM ours) END AS note
FROM line AS l
ORDER BY at
