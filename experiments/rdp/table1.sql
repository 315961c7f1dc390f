-- table1.sql - [RDP] Table 1 as it is printed: modes of the board, and the mean time of an average input with 1024 rows
--
-- Ours are means over kitti-sgm at eps 4, or over the generated scene where there are no frames of KITTI.  A machine without power modes
-- has one column; modes that the paper's board does not have stand behind its own, by the GPU's clock.  The first row has titles.
WITH paper_mode (at, mode_name) AS (VALUES (1, 'MODE_10W'), (2, 'MODE_15W'), (3, 'MAXN')),
line (at, label, name, impl) AS (
    VALUES (0, NULL, 'mode_name', NULL), (1, 'GPU clock, MHz', 'gpu_mhz', NULL), (2, 'CPU clock, MHz', 'cpu_mhz', NULL), (3, 'CPUs online', 'n_cpus', NULL),
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
other_mode AS (
    SELECT mode_name, max(coalesce(gpu_mhz_med, gpu_mhz_after)) AS mhz, max(mode_id) AS id
    FROM ours
    WHERE mode_name <> 'any' AND mode_name NOT IN (SELECT mode_name FROM paper_mode)
    GROUP BY mode_name
),
mode (at, mode_name) AS (
    SELECT at, mode_name FROM paper_mode
    UNION ALL
    SELECT 4, 'any'
    UNION ALL
    SELECT 4 + (SELECT count(*) FROM other_mode AS o WHERE o.mhz < m.mhz OR o.mhz IS m.mhz AND o.id <= m.id), mode_name FROM other_mode AS m
),
-- Facts of a machine are of all its modes; a board's clock of a mode is that of its rows.
known (name, mode_name, text) AS (
    SELECT CASE key WHEN 'sm_clock_max_mhz' THEN 'gpu_mhz' WHEN 'cores' THEN 'n_cpus' ELSE key END, 'any', text
    FROM fact
    WHERE key IN ('sm_clock_max_mhz', 'cpu_mhz', 'cores')
    UNION ALL
    SELECT name, mode_name, printf('%.0f', max(number))
    FROM (SELECT name, mode_name, CASE name WHEN 'gpu_mhz' THEN coalesce(gpu_mhz_med, gpu_mhz_after) WHEN 'cpu_mhz' THEN cpu_mhz
                                            WHEN 'memory_mhz' THEN emc_mhz WHEN 'n_cpus' THEN threads END AS number
          FROM ours, (SELECT name FROM line))
    WHERE mode_name <> 'any' AND number > 0
    GROUP BY name, mode_name
),
here AS (
    SELECT l.at, m.at AS mode,
           CASE WHEN l.at = 0 THEN coalesce(nullif(m.mode_name, 'any') || ' ', '') || 'here'
                WHEN l.impl NOT GLOB 'rdp/gpu-*' AND o.of_what = ' processes' -- two processes of a CPU differ by more than one tells
                    THEN short_text(o.low, 3) || ' to ' || short_text(o.high, 3)
                WHEN l.impl IS NOT NULL THEN coalesce(told(o.ms, o.half), '(no rows)') ELSE coalesce(k.text, '(unknown)') END AS text
    FROM line AS l
    JOIN mode AS m ON m.mode_name IN (SELECT coalesce(mode_name, 'any') FROM ours)
    LEFT JOIN ours AS o ON o.impl = l.impl AND coalesce(o.mode_name, 'any') = m.mode_name
    LEFT JOIN known AS k ON k.name = l.name AND k.mode_name = m.mode_name
),
paper AS (
    SELECT l.at, m.at AS mode, p.printed
    FROM printed AS p
    JOIN line AS l ON l.name = p.name AND l.impl IS p.impl
    JOIN paper_mode AS m ON m.mode_name = p.mode_name
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
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 5) AS "5",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 6) AS "6",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 7) AS "7",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 8) AS "8",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 9) AS "9",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 10) AS "10",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 11) AS "11",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 12) AS "12",
       (SELECT text FROM here AS h WHERE h.at = l.at AND mode = 13) AS "13",
       CASE at WHEN 1 THEN (SELECT 'printed: a Jetson Xavier in its modes of low, default and most energy; here: ' || coalesce(max(gpu) || ' and ', '')
                                       || max(threads) || ' cores of ' || replace(max(cpu), '(R)', '') || ', mean of ' || max(input) || ' at eps 4, n ' || CASE WHEN min(of_n) < max(of_n) THEN min(of_n) || '..' ELSE '' END
                                       || max(of_n) || max(of_what) || ', commit ' || replace(group_concat(DISTINCT substr(commit_hash, 1, 7)), ',', ', ')
                            FROM ours) END AS note
FROM line AS l
ORDER BY at
