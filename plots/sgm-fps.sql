-- sgm-fps.sql - pairs a second by paths, measured here and printed in [SGM]
--
-- A dot for each variant, slowest at the top; means.  Hollow: the paper's GPUs, with its own program.
-- with bars.sql
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'sgm/%' AND NOT is_peer;

CREATE TEMP TABLE kept AS SELECT * FROM in_series WHERE disparities = 128;

CREATE TEMP VIEW panel AS
SELECT paths AS panel, paths || ' paths' AS title, min(id) AS place FROM kept GROUP BY paths;

CREATE TEMP VIEW bar AS
SELECT id, paths AS panel, 0 AS grp, 1000 / mean_ms AS place, 1000 / mean_ms AS x, impl, 0 AS kind,
       title || CASE WHEN threads > 1 THEN ', ' || threads || ' threads' ELSE '' END AS label, short_text(1000 / mean_ms, 3) || ' a second' AS said
FROM kept
UNION ALL
SELECT 1000000 + rowid, paths, 0, value, value, impl, 1, 'GPU of a ' || hardware, printed || ' a second'
FROM printed
WHERE figure = 'fps' AND name = 'fps' AND paths IN (SELECT paths FROM kept);

CREATE TEMP VIEW draw_looks AS SELECT 'pairs a second' AS axis, 0 AS from_zero;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, 'Semi-global matching: ' || coalesce((SELECT short_text(max(1000 / mean_ms), 3) FROM kept WHERE impl = 'sgm/gpu-opt' AND paths = 4) || ' pairs a second with four paths, '
    || (SELECT short_text(max(1000 / mean_ms), 3) FROM kept WHERE impl = 'sgm/gpu-paper' AND paths = 4) || ' by the paper''s kernels', 'pairs a second by paths') AS value
UNION ALL SELECT 'subtitle', '640 × 480 px, 128 disparities, no checks, both views on the device, mean time; hollow: printed for a Tegra X1 and a Titan X';
