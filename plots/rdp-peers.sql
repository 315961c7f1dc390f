-- rdp-peers.sql - other line simplifiers beside this project's variants, on one thread
--
-- A dot for each, slowest at the top, a panel for each input.  Medians.  Beside each stands which share of the columns it cuts as the
-- reference does, where it follows another rule.
-- with bars.sql
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'rdp/%' AND is_peer;

CREATE TEMP TABLE kept AS
SELECT s.*
FROM in_series AS s
WHERE s.frame_pick = 'typical' AND s.threads = 1 AND s.median_ms > 0;

CREATE TEMP VIEW panel AS
SELECT min(id) AS panel, input || ', ' || width || ' × ' || height || ' px' AS title, min(id) AS place, input AS of_input
FROM kept
GROUP BY input;

-- No share below all columns is written as 100 %.
CREATE TEMP VIEW bar AS
SELECT id, panel, 0 AS grp, -median_ms AS place, median_ms AS x, impl, 0 AS kind, kept.title AS label,
       time_text(median_ms) || CASE verdict WHEN 'other' THEN coalesce('; ' || CASE WHEN equal_pct > 99.9 AND equal_pct < 100 THEN 'over 99.9'
                                                                                     ELSE printf('%.3g', equal_pct) END || ' % of the columns equal', '; another rule')
                                    WHEN 'exact' THEN '; every bit' ELSE '' END AS said
FROM kept
JOIN panel ON of_input = input;

CREATE TEMP VIEW whisker AS SELECT id, ci_lo_ms AS low, ci_hi_ms AS high FROM kept WHERE ci_lo_ms IS NOT NULL;

CREATE TEMP VIEW draw_looks AS SELECT 'median time per frame [ms]' AS axis, 0 AS from_zero;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, 'RDP column segmentation on one thread: ' || coalesce((
    SELECT replace(group_concat(said, '; '), ' ms to ', ' to ')
    FROM (SELECT k.title || ' ' || time_text(min(median_ms)) || CASE WHEN max(median_ms) > min(median_ms) THEN ' to ' || time_text(max(median_ms)) ELSE '' END AS said
          FROM kept AS k JOIN variant AS v ON v.impl = k.impl WHERE v.is_peer OR (k.impl = 'rdp/cpu-simd' AND EXISTS (SELECT 1 FROM kept JOIN variant USING (impl) WHERE is_peer)) GROUP BY k.impl ORDER BY min(median_ms) LIMIT 2)), 'other libraries') AS value
UNION ALL SELECT 'subtitle', 'ε = ' || eps || ' px, one frame back to back, the way into the library''s points and back included; lines: 95 % interval of the median' FROM held
UNION ALL SELECT 'note', 'Rows are drawn far apart, so that perpendicular distances are vertical ones. OpenCV drops kept rows again; Boost rounds where rows are equally far.';
