-- table4.sql - [STX] Table 4 as it is printed, and this machine's GPU: what the driver tells, what was measured, and what all GPUs of a
-- compute capability have
--
-- Source of cores, registers and shared memory of an SM: CUDA C++ Programming Guide, technical specifications per compute capability.
WITH architecture (cc, name, cores, shared_kib) AS (
    VALUES ('5.0', 'Maxwell', 128, 64), ('5.2', 'Maxwell', 128, 96), ('5.3', 'Maxwell', 128, 64), ('6.0', 'Pascal', 64, 64),
           ('6.1', 'Pascal', 128, 96), ('6.2', 'Pascal', 128, 64), ('7.0', 'Volta', 64, 96), ('7.2', 'Volta', 64, 96),
           ('7.5', 'Turing', 64, 64), ('8.0', 'Ampere', 64, 164), ('8.6', 'Ampere', 128, 100), ('8.7', 'Ampere', 128, 164),
           ('8.9', 'Ada', 128, 100), ('9.0', 'Hopper', 128, 228), ('10.0', 'Blackwell', 128, 228), ('11.0', 'Blackwell', 128, 228),
           ('12.0', 'Blackwell', 128, 100), ('12.1', 'Blackwell', 128, 100)
),
line (at, label, name) AS (
    VALUES (1, 'GPU', 'gpu'), (2, 'architecture', 'cc'), (3, 'clock frequency, MHz', 'sm_clock_max_mhz'), (4, 'number of SMs', 'sm_count'),
           (5, 'number of cores', 'cuda_cores'), (6, 'registers per SM', 'registers_per_sm'), (7, 'shared memory per SM', 'shared_bytes_per_sm'),
           (8, 'device memory size', 'gpu_memory_bytes'), (9, 'device memory bandwidth', 'bandwidth_gb_s'), (10, 'L2 cache size', 'l2_bytes'),
           (11, 'GFLOPS (single precision)', 'gflops'), (12, 'TDP', 'tdp_w')
),
here (name, text) AS (
    SELECT 'cc', text || coalesce(' ' || name, '') FROM fact LEFT JOIN architecture ON cc = text WHERE key = 'cc'
    UNION ALL SELECT 'cuda_cores', sm.text * a.cores FROM fact AS c JOIN architecture AS a ON a.cc = c.text JOIN fact AS sm ON sm.key = 'sm_count' WHERE c.key = 'cc'
    UNION ALL SELECT 'registers_per_sm', '64 Ki' FROM fact JOIN architecture ON cc = text WHERE key = 'cc'
    UNION ALL SELECT 'shared_bytes_per_sm', shared_kib || ' KiB' FROM fact JOIN architecture ON cc = text WHERE key = 'cc'
    UNION ALL SELECT 'gpu_memory_bytes', printf('%.1f GB', text / 1e9) FROM fact WHERE key = 'gpu_memory_bytes'
    UNION ALL SELECT 'l2_bytes', printf('%d KiB', text / 1024) FROM fact WHERE key = 'l2_bytes'
    UNION ALL SELECT key, text FROM fact WHERE key IN ('gpu', 'sm_clock_max_mhz', 'sm_count')
    UNION ALL SELECT 'bandwidth_gb_s', told(work_bytes / ms / 1e6, work_bytes / ms / 1e6 * half / ms) || ' GB/s' FROM shown_row WHERE operation = 'copy'
    UNION ALL SELECT 'gflops', told(2 * work_ops / ms / 1e6, 2 * work_ops / ms / 1e6 * half / ms) FROM shown_row WHERE operation = 'fma'
)
SELECT label AS " ",
       CASE name WHEN 'gpu' THEN 'Tegra X2'
                 ELSE (SELECT printed FROM printed AS p WHERE p.paper = 'stixels' AND p.figure = 'table4' AND p.name = l.name AND hardware = 'Tegra X2') END
           AS "Tegra X2 printed",
       CASE name WHEN 'gpu' THEN 'Tegra Xavier'
                 ELSE (SELECT printed FROM printed AS p WHERE p.paper = 'stixels' AND p.figure = 'table4' AND p.name = l.name AND hardware = 'Tegra Xavier') END
           AS "Tegra Xavier printed",
       coalesce((SELECT text FROM here AS h WHERE h.name = l.name), CASE WHEN name IN ('bandwidth_gb_s', 'gflops') THEN '(no rows)' ELSE '(unknown)' END) AS "here",
       CASE at WHEN 1 THEN (SELECT 'bandwidth and GFLOPS here are measured: bytes read and written by a copy of 1 GiB, and fused multiply-adds, two operations '
                                       || 'each; commit ' || replace(group_concat(DISTINCT substr(commit_hash, 1, 7)), ',', ', ')
                            FROM shown_row) END AS note
FROM line AS l
ORDER BY at
