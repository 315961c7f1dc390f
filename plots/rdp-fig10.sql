-- rdp-fig10.sql - ranked run times on CPUs and GPUs, by power mode: [RDP] Fig. 10
--
-- A bar for each variant, mode and team size, slowest at the top as in the paper; means, since the paper prints means.  Hollow: the
-- paper's Table 1 (1024 rows), measured on a Jetson Xavier with its own programs, which are named by their role.
-- with bars.sql
-- beside scene: street: :8
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'rdp/%';

CREATE TABLE kept AS
SELECT s.*
FROM in_series AS s
JOIN held USING (input, eps, width, batch)
WHERE s.frame_pick = 'all' AND s.height IN (256, 1024);

CREATE VIEW panel AS
SELECT k.height AS panel, h.width || ' × ' || k.height || ' px' AS title, min(k.id) AS place
FROM kept AS k, held AS h
GROUP BY k.height;

CREATE VIEW bar AS
SELECT id, height AS panel, 0 AS grp, -mean_ms AS place, mean_ms AS x, impl, 0 AS kind,
       impl || CASE WHEN threads > 1 THEN ', ' || threads || ' threads' ELSE '' END || coalesce(', ' || nullif(mode_name, 'any'), '') AS label,
       time_text(mean_ms) || CASE WHEN mj_frame IS NULL THEN '' ELSE printf('; %.3g mJ', mj_frame) END AS said
FROM kept
UNION ALL
SELECT 1000000 + rowid, height, 0, -value, value, impl, 1,
       '[RDP] ' || CASE impl WHEN 'rdp/gpu-paper' THEN 'GPU' WHEN 'rdp/serial' THEN 'CPU 1 core'
                             WHEN 'rdp/omp-columns' THEN 'CPU multi-core' ELSE impl END || coalesce(', ' || mode_name, ''),
       printed || ' ms'
FROM printed
WHERE figure = 'table1' AND name = 'mean_ms' AND height IN (SELECT height FROM kept);

CREATE VIEW draw_looks AS SELECT 284 AS left, 21 AS row_height, 'mean time per frame [ms]' AS axis, 0 AS from_zero;

CREATE VIEW text AS
SELECT 'title' AS name, 'RDP column segmentation: ranked run times' AS value
UNION ALL SELECT 'subtitle', width || ' columns, ε = ' || eps || ' px, input ' || input || ', mean time' ||
    CASE WHEN EXISTS (SELECT 1 FROM kept WHERE mj_frame IS NOT NULL) THEN ' and energy' ELSE '' END ||
    ' per frame; filled: measured here, hollow: printed in [RDP] Table 1 (Jetson Xavier)'
    FROM held;
