-- stixels-fig2.sql - a point for each variant and block: the time of its frames, the error of its model
INSERT INTO wanted_impl VALUES ('stixels/gpu-paper'), ('stixels/gpu-opt'), ('stixels/gpu-cubic');

CREATE VIEW rated AS
SELECT *
FROM whole
WHERE scope IS NULL AND d1_pct IS NOT NULL;

CREATE VIEW both AS
SELECT (SELECT input FROM rated ORDER BY id LIMIT 1) AS rated_input, (SELECT input FROM timed_whole ORDER BY id LIMIT 1) AS timed_input;

-- As in the paper, errors and times are of different frames.
CREATE TABLE kept AS
SELECT t.*, t.mean_ms * r.times AS ms, r.times, e.id AS error_id, e.d1_pct AS error
FROM timed_whole AS t
JOIN stixel_row AS r ON r.id = t.id
JOIN both AS h
JOIN rated AS e ON e.input = h.rated_input AND e.model = t.model AND e.block = t.block
WHERE e.d1_pct > 0;

CREATE VIEW drawn AS
SELECT id FROM kept UNION SELECT error_id FROM kept;

CREATE VIEW draw_points AS
SELECT v.place AS curve, k.block, k.ms, k.error, 0 AS is_printed, k.times > 1 AS is_part, b.said
FROM kept AS k
JOIN variant AS v ON v.impl = k.impl
JOIN block_text AS b ON b.block = k.block
UNION ALL
SELECT 100 + v.place, t.block, t.value, e.value, 1, 0, b.said
FROM printed AS t
JOIN printed AS e ON e.figure = 'fig2' AND e.name = 'd1_pct' AND e.impl = t.impl AND e.block = t.block
JOIN variant AS v ON v.impl = t.impl
JOIN block_text AS b ON b.block = t.block
WHERE t.figure = 'fig2' AND t.name = 'mean_ms'
ORDER BY 1, 2 DESC;

-- (100 and above: printed)
CREATE VIEW draw_curves AS
SELECT p.curve, v.impl, p.curve > 100 AS is_printed,
       CASE WHEN p.curve > 100 THEN '[STX], Tegra Xavier, ' ELSE v.impl || ', ' END ||
       CASE WHEN v.impl LIKE '%cubic%' THEN 'eq. 6' ELSE 'eq. 12' END AS name
FROM (SELECT DISTINCT curve FROM draw_points) AS p
JOIN variant AS v ON v.place = p.curve % 100
ORDER BY p.curve;

CREATE VIEW text AS
SELECT 'title' AS name, 'Slanted stixels: accuracy against run time' AS value
UNION ALL SELECT 'subtitle', 'errors: input ' || rated_input || '; times: input ' || timed_input ||
    ', 2048 px wide; hollow: [STX], errors on SYNTHIA-SF, times on a Tegra Xavier' FROM both
UNION ALL SELECT 'note', 'Ring: from the time of a part of the columns. ' WHERE EXISTS (SELECT 1 FROM kept WHERE times > 1);
