-- rdp-fig10.sql - a bar for each variant, mode and team size, and for what Table 1 prints, ranked within its height
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'rdp/%';

CREATE VIEW may_show AS SELECT * FROM timed_whole;

CREATE VIEW held AS
SELECT coalesce((SELECT value FROM asked WHERE name = 'eps'), (SELECT eps FROM whole WHERE eps IS NOT NULL ORDER BY id LIMIT 1)) AS eps,
       (SELECT width FROM whole WHERE width IS NOT NULL ORDER BY id LIMIT 1) AS width,
       (SELECT batch FROM whole WHERE batch IS NOT NULL ORDER BY id LIMIT 1) AS batch,
       input
FROM one_input;

CREATE VIEW kept AS
SELECT s.*
FROM in_series AS s
JOIN held AS h ON s.eps = h.eps AND s.width = h.width AND s.batch = h.batch AND s.input = h.input
WHERE s."case" = 'all' AND s.height IN (256, 1024);

CREATE VIEW drawn AS SELECT id FROM kept;

CREATE VIEW bar AS
SELECT id AS place, height, mean_ms AS ms, impl,
       impl || CASE WHEN threads > 1 THEN ', ' || threads || ' threads' ELSE '' END || coalesce(', ' || nullif(mode_name, 'any'), '') AS label,
       0 AS is_printed,
       CASE WHEN mean_ms >= 100 THEN printf('%.0f ms', mean_ms) WHEN mean_ms >= 1 THEN printf('%.2f ms', mean_ms)
            WHEN mean_ms >= 0.1 THEN printf('%.3f ms', mean_ms) ELSE printf('%.1f µs', 1000 * mean_ms) END ||
       CASE WHEN mj_frame IS NULL THEN '' ELSE printf('; %.3g mJ', mj_frame) END AS said
FROM kept
UNION ALL
SELECT 1000000 + rowid, height, value, impl,
       '[RDP] ' || CASE impl WHEN 'rdp/gpu-paper' THEN 'GPU' WHEN 'rdp/serial' THEN 'CPU 1 core'
                             WHEN 'rdp/omp-columns' THEN 'CPU multi-core' ELSE impl END || coalesce(', ' || mode_name, ''),
       1, printed || ' ms'
FROM printed
WHERE figure = 'table1' AND name = 'mean_ms' AND height IN (SELECT height FROM kept);

CREATE VIEW draw_bars AS
SELECT b.height, 1 + total(a.ms < b.ms OR (a.ms = b.ms AND a.place < b.place)) AS rank, b.ms, b.impl, b.is_printed, b.label, b.said
FROM bar AS b
JOIN bar AS a ON a.height = b.height
GROUP BY b.place;

CREATE VIEW draw_panels AS
SELECT b.height, count(*) AS n, (SELECT width FROM held) || ' × ' || b.height || ' px' AS title
FROM bar AS b
JOIN (SELECT height, min(id) AS first FROM kept GROUP BY height) AS k ON k.height = b.height
GROUP BY b.height
ORDER BY k.first;

CREATE VIEW text AS
SELECT 'title' AS name, 'RDP column segmentation: ranked run times' AS value
UNION ALL SELECT 'subtitle', width || ' columns, ε = ' || eps || ' px, input ' || input || ', mean time' ||
    CASE WHEN EXISTS (SELECT 1 FROM kept WHERE mj_frame IS NOT NULL) THEN ' and energy' ELSE '' END ||
    ' per frame; filled: measured here, hollow: printed in [RDP] Table 1 (Jetson Xavier)'
    FROM held;
