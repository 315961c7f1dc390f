-- stixels-fig2.sql - errors and times of both models and sizes of blocks: [STX] Fig. 2
--
-- As in the paper, errors and times are of different frames.  Errors of different data cannot be compared: what is printed has a panel of
-- its own.
-- with stixels-words.sql
INSERT INTO wanted_impl VALUES ('stixels/gpu-paper'), ('stixels/gpu-opt'), ('stixels/gpu-cubic');

CREATE TEMP VIEW rated AS SELECT * FROM whole WHERE scope IS NULL AND d1_pct IS NOT NULL;
CREATE TEMP VIEW both AS
SELECT (SELECT input FROM rated ORDER BY id LIMIT 1) AS rated_input, (SELECT input FROM timed_whole ORDER BY id LIMIT 1) AS timed_input;

CREATE TEMP TABLE kept AS
SELECT t.*, t.mean_ms * r.times AS ms, r.*, e.id AS error_id, e.d1_pct AS off
FROM timed_whole AS t
JOIN stixel_row AS r ON r.id = t.id
JOIN both AS h
JOIN rated AS e ON e.input = h.rated_input AND e.model = t.model AND e.block = t.block
WHERE e.d1_pct > 0;
CREATE TEMP VIEW drawn AS SELECT id FROM kept UNION SELECT error_id FROM kept;

-- What eq. 12 adds to the error of the same image.
CREATE TEMP TABLE pair AS
SELECT n.block, n.value - o.value AS more
FROM shown_value AS n
JOIN shown_value AS o ON o.name = n.name AND o.input = n.input AND o.block = n.block AND o."index" = n."index" AND o.frame_pick = n.frame_pick
JOIN both AS h ON h.rated_input = n.input
WHERE n.name = 'd1_image_pct' AND n.model = 'b12' AND o.model = 'b6' AND n.frame_pick = 'all';
-- panel 1: printed; place: of the machine, 1 a GPU
CREATE TEMP TABLE point AS
SELECT 1 AS panel, p.model || p.hardware AS curve, CASE p.model WHEN 'b6' THEN 1 ELSE 2 END AS kind, 1 AS place, p.block, p.value AS ms, e.value AS error, '-' AS said
FROM printed AS p
JOIN printed AS e ON e.figure = p.figure AND e.name = 'd1_pct' AND e.model = p.model AND e.block = p.block
WHERE p.figure = 'fig2' AND p.name = 'mean_ms'
UNION ALL
SELECT 2, impl || place, kind, CASE WHEN device = 'gpu' THEN 1 ELSE 2 END, block, ms, off,
       CASE WHEN times > 1 THEN 'from ' || columns || ' of ' || all_columns || ' columns' ELSE '-' END
FROM kept;

CREATE TEMP VIEW numbered AS
SELECT p.*, (SELECT count(DISTINCT a.panel || a.curve) FROM point AS a WHERE a.panel || a.curve <= p.panel || p.curve) AS number FROM point AS p;
CREATE TEMP VIEW draw_curves AS SELECT DISTINCT number AS curve, panel, kind, place FROM numbered ORDER BY number;
CREATE TEMP VIEW draw_points AS SELECT number AS curve, panel, kind, block, ms, error, said FROM numbered ORDER BY number, block DESC;
-- What eq. 12 adds to the error, in points; of a printed mean no more is known.
CREATE TEMP VIEW draw_pairs AS
SELECT 1 AS panel, n.block, 0 AS n, n.error - o.error AS mean, 0 AS variance
FROM point AS n
JOIN point AS o ON o.panel = 1 AND o.kind = 1 AND o.block = n.block
WHERE n.panel = 1 AND n.kind = 2
UNION ALL
SELECT 2, block, count(*), avg(more), avg(more * more) - avg(more) * avg(more) FROM pair GROUP BY block HAVING count(*) > 1
ORDER BY 1, 2 DESC;
CREATE TEMP VIEW added AS
SELECT panel, group_concat(printf('%+.2f', mean), ' and ') AS said, group_concat(block || ' × ' || block, ' and ') AS blocks
FROM (SELECT * FROM draw_pairs ORDER BY block DESC)
GROUP BY panel;
CREATE TEMP VIEW draw_kinds AS SELECT kind, impl, said FROM model_word WHERE kind IN (SELECT kind FROM point) ORDER BY kind;
CREATE TEMP VIEW draw_blocks AS SELECT DISTINCT p.block, b.said || ' px' AS said FROM point AS p JOIN block_text AS b ON b.block = p.block ORDER BY p.block DESC;
CREATE TEMP VIEW draw_places AS
SELECT DISTINCT CASE WHEN device = 'gpu' THEN 1 ELSE 2 END AS place, place AS said FROM kept ORDER BY 1;
CREATE TEMP VIEW draw_panels AS
SELECT p.panel, CASE p.panel WHEN 1 THEN 'printed: SYNTHIA-SF, Tegra Xavier'
                ELSE 'here: errors of ' || rated_input || ', times of ' || timed_input END AS title, min(p.ms) AS low, max(p.ms) AS high
FROM point AS p, both
GROUP BY p.panel;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'Eq. 12 changes outliers by ' || h.said || ' points here' || coalesce(', ' || p.said || ' as printed', '') || ' (blocks of ' || h.blocks || ' px)'
    FROM added AS h LEFT JOIN added AS p ON p.panel = 1 AND p.blocks = h.blocks WHERE h.panel = 2), 'Slanted Stixels: accuracy against run time') AS value
UNION ALL SELECT 'subtitle', 'below and left is better; the panels have other images, so heights cannot be compared between them, differences can'
UNION ALL SELECT 'note', 'Behind ±: the 95 % interval of the mean over ' || max(n) || ' images, each with both models. ' FROM draw_pairs WHERE n > 0 GROUP BY NULL HAVING max(n) > 0;
