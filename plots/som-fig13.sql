-- som-fig13.sql - times of one map at all sizes, a curve for each variant; som/gpu-paper is in the setting that stands for the paper, and
-- in the fastest found
INSERT INTO wanted_impl VALUES ('som/gpu-paper'), ('som/gpu-opt');

-- curves: of each variant, then the fastest setting, then the printed
CREATE TEMP TABLE kept AS
SELECT t.*, t.variant + CASE WHEN t.impl = 'som/gpu-paper' AND t.block_threads = 1 THEN 100 ELSE 0 END AS curve
FROM timed_whole AS t
JOIN held USING (input);

CREATE TEMP VIEW draw_points AS
SELECT curve, width * height AS pixels, mean_ms AS ms, coalesce(min_ms, mean_ms) AS low, coalesce(max_ms, mean_ms) AS high FROM (SELECT * FROM kept ORDER BY curve, id)
UNION ALL
SELECT 200 + v.place, p.size, p.value, p.value, p.value
FROM printed AS p
JOIN variant AS v ON v.impl = p.impl
WHERE p.figure = 'fig13' AND p.name = 'mean_ms';

CREATE TEMP VIEW draw_curves AS
SELECT DISTINCT p.curve, v.impl, p.curve / 100 AS kind,
       CASE p.curve / 100 WHEN 0 THEN v.title WHEN 1 THEN 'GPU, paper''s kernel, 1 thread a block and exchanges'
            ELSE CASE WHEN v.impl LIKE '%serial' THEN 'printed: one core' ELSE 'printed: GeForce GTX 570' END END AS name
FROM draw_points AS p
JOIN variant AS v ON v.place = p.curve % 100
ORDER BY p.curve;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT area || ' times as many pixels take ' || group_concat(impl || ' ' || times || ' times as long', ', ')
    FROM (SELECT a.impl, short_text(1.0 * b.width * b.height / (a.width * a.height), 2) AS area, short_text(b.mean_ms / a.mean_ms, 2) AS times
          FROM kept AS a
          JOIN kept AS b ON b.curve = a.curve AND b.session IS a.session
          WHERE a.curve < 100 AND a.width * a.height = (SELECT min(width * height) FROM kept) AND b.width * b.height = (SELECT max(width * height) FROM kept) AND b.id <> a.id
          ORDER BY a.device IS NOT 'gpu', a.curve) GROUP BY area), 'SOM mesh: run time against the size of the map') AS value
UNION ALL
SELECT 'subtitle', 'input ' || input || ' at all sizes, sigma from ' || sigma || ', search range ' || ssr ||
    '; means, bars from the fastest to the slowest run; hollow, printed: averages of the paper''s sets of maps' FROM held;
