-- sgm-size.sql - time of a pair by its size, a panel for each number of disparities
--
-- A dot for each variant and size, small pairs at the top; means.
-- with bars.sql
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl IN ('sgm/gpu-paper', 'sgm/gpu-opt', 'sgm/openmp');

CREATE TEMP TABLE kept AS SELECT * FROM in_series;

CREATE TEMP VIEW panel AS
SELECT disparities AS panel, disparities || ' disparities' AS title, min(id) AS place FROM kept GROUP BY disparities;
CREATE TEMP VIEW head AS SELECT width AS grp, width || ' × ' || height || ' px' AS said FROM kept GROUP BY width;

CREATE TEMP VIEW bar AS
SELECT id, disparities AS panel, width AS grp, -mean_ms AS place, mean_ms AS x, impl, 0 AS kind,
       title || CASE WHEN threads > 1 THEN ', ' || threads || ' threads' ELSE '' END AS label, time_text(mean_ms) AS said
FROM kept;

CREATE TEMP VIEW draw_looks AS SELECT 'mean time of a pair [ms]' AS axis, 0 AS from_zero;

-- Pixels and disparities of the largest pair over those of the smallest, and the times.
CREATE TEMP VIEW growth AS
SELECT a.impl, short_text(1.0 * b.width * b.height / (a.width * a.height), 2) AS area, short_text(b.mean_ms / a.mean_ms, 2) AS times
FROM kept AS a
JOIN kept AS b ON b.impl = a.impl AND b.disparities = a.disparities
WHERE a.disparities = 128 AND a.width = (SELECT min(width) FROM kept) AND b.width = (SELECT max(width) FROM kept) AND a.impl = 'sgm/gpu-opt' AND b.session IS a.session;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, 'Semi-global matching: ' || coalesce((SELECT area || ' times as many pixels take sgm/gpu-opt ' || times || ' times as long' FROM growth), 'time by size and disparities') AS value
UNION ALL SELECT 'subtitle', 'four paths, left-right check, uniqueness and median, both views on the device, input ' || input || ', mean time' FROM held;
