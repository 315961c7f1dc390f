-- stixels-fig8.sql - frames per second: [STX] Fig. 8
--
-- The paper has a chart for each board, of two models and two sizes of blocks.  Here a panel is a machine, a line in it a size of
-- blocks and a dot a model; fps of the mean time.
-- with stixels-words.sql
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'stixels/%' AND NOT is_peer;

CREATE TEMP TABLE kept AS
SELECT s.*, r.*, s.fps / r.times AS all_fps
FROM in_series AS s
JOIN held USING (input, classes)
JOIN stixel_row AS r ON r.id = s.id
WHERE s.block IN (8, 4) AND s.fps > 0;

-- sort: printed boards, then GPUs; processors below them, larger teams first
CREATE TEMP TABLE dot AS
SELECT -rowid AS id, hardware || ' (printed)' AS panel, CASE WHEN impl LIKE '%/gpu-%' THEN 1e3 ELSE 3e6 END + rowid AS sort, block,
       CASE model WHEN 'b6' THEN 1 ELSE 2 END AS kind, value AS fps, value AS low, value AS high, 1 AS is_printed,
       CASE "read" WHEN 'derived' THEN number_text(value) || '¹' ELSE printed END AS said
FROM printed
WHERE figure = 'fig8' AND name = 'fps' AND block IN (SELECT block FROM kept)
UNION ALL
SELECT id, place || ' (measured here)', CASE WHEN device = 'gpu' THEN 2e6 ELSE 4e6 - coalesce(threads, 1) END, block, kind,
       all_fps, all_fps / (1 + coalesce(sd_ms / mean_ms, 0)), all_fps * (1 + coalesce(sd_ms / mean_ms, 0)), 0,
       number_text(all_fps) || CASE WHEN times > 1 THEN '²' ELSE '' END
FROM kept;

-- Rows from the top: that of a panel's name, and one for each size of blocks.
CREATE TEMP TABLE panel_row AS
SELECT panel, min(sort) AS sort, max(is_printed) AS is_printed, count(DISTINCT block) AS n FROM dot GROUP BY panel;
CREATE TEMP TABLE head AS
SELECT panel, is_printed, (SELECT coalesce(sum(n + 1.3), 0) FROM panel_row AS a WHERE a.sort < p.sort) AS row FROM panel_row AS p;
CREATE TEMP TABLE line AS
SELECT d.panel, d.block, h.row + (SELECT count(DISTINCT block) FROM dot AS a WHERE a.panel = d.panel AND a.block >= d.block) AS row,
       min(d.fps) AS low, max(d.fps) AS high, max(CASE d.kind WHEN 1 THEN d.fps END) AS older, max(CASE d.kind WHEN 2 THEN d.fps END) AS newer
FROM dot AS d
JOIN head AS h ON h.panel = d.panel
GROUP BY d.panel, d.block;

-- How many times as fast eq. 12 is, in a session that has both: on one core in each, else in the newest.  stixels/openmp goes by strips and
-- leaves out what cannot win, stixels/cubic-openmp does neither: these are not divided.
CREATE TEMP TABLE pair AS
SELECT o.place || ' (measured here)' AS panel, o.block, o.device, o.measurement AS older, n.measurement AS newer, o.times / n.times AS times,
       CASE WHEN n.session IS o.session THEN n.all_fps / o.all_fps END AS value
FROM kept AS o
JOIN kept AS n ON n.place = o.place AND n.block = o.block AND n.kind = 2
WHERE o.kind = 1 AND n.impl <> 'stixels/openmp';
CREATE TEMP TABLE elsewhere AS
SELECT p.panel, p.block, p.device, p.value IS NULL AS is_needed, a.mean_ms / b.mean_ms * p.times AS value, max(a.session)
FROM pair AS p
JOIN main.measurement AS o ON o.id = p.older
JOIN main.measurement AS n ON n.id = p.newer
JOIN main.good AS a ON a.configuration = o.configuration AND a.results = o.results
JOIN main.good AS b ON b.configuration = n.configuration AND b.results = a.results AND b.session = a.session AND b.experiment = a.experiment
GROUP BY p.panel, p.block, CASE p.device WHEN 'serial' THEN a.id || ' ' || b.id END;
CREATE TEMP VIEW quotient AS
SELECT panel, block, min(value) AS low, max(value) AS high
FROM (SELECT panel, block, value FROM pair WHERE value > 0
      UNION ALL
      SELECT panel, block, value FROM elsewhere WHERE device = 'serial' OR is_needed
      UNION ALL
      SELECT panel, block, newer / older FROM line WHERE panel LIKE '%(printed)' AND older > 0 AND newer > 0)
GROUP BY panel, block;

CREATE TEMP VIEW told AS
SELECT panel, is_printed, sort, group_concat(said, ' and ') AS blocks, group_concat(number_text(low), ' and ') AS times
FROM (SELECT q.panel, q.low, p.is_printed, p.sort, b.said FROM quotient AS q JOIN panel_row AS p USING (panel) JOIN block_text AS b USING (block) WHERE q.low = q.high ORDER BY q.block DESC)
GROUP BY panel;

CREATE TEMP VIEW draw_heads AS SELECT panel AS said, row FROM head ORDER BY row;
CREATE TEMP VIEW draw_rows AS
SELECT l.row AS at, b.said || ' px' AS label, coalesce(l.older, 0) AS older, coalesce(l.newer, 0) AS newer,
       CASE WHEN q.low > 0 THEN number_text(q.low) || CASE WHEN q.high > q.low THEN ' to ' || number_text(q.high) ELSE '' END || ' ×' ELSE '-' END AS said
FROM line AS l
JOIN block_text AS b ON b.block = l.block
LEFT JOIN quotient AS q ON q.panel = l.panel AND q.block = l.block
ORDER BY l.row;
-- Between one dot and the next.
CREATE TEMP VIEW draw_spans AS
SELECT l.row, d.fps AS "from", min(a.fps) AS "to"
FROM dot AS d
JOIN dot AS a ON a.panel = d.panel AND a.block = d.block AND a.fps > d.fps
JOIN line AS l ON l.panel = d.panel AND l.block = d.block
GROUP BY l.row, d.fps;
-- side of its text: the ends of a line have it outside, beyond their range (far), what is between them below
CREATE TEMP VIEW draw_dots AS
SELECT l.row, d.fps, d.low, d.high, d.kind, d.is_printed, d.said,
       CASE WHEN d.fps = l.high THEN 1 WHEN d.fps = l.low THEN -1 ELSE 0 END AS side, CASE WHEN d.fps = l.high THEN d.high ELSE d.low END AS far
FROM dot AS d
JOIN line AS l ON l.panel = d.panel AND l.block = d.block
ORDER BY d.kind;
CREATE TEMP VIEW draw_kinds AS SELECT kind, impl, said FROM model_word WHERE kind IN (SELECT kind FROM dot) ORDER BY kind;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'Blocks of ' || blocks || ' px: eq. 12 is ' || times || ' times as fast as eq. 6 on ' || replace(panel, ' (measured here)', '') ||
           coalesce((SELECT ', ' || p.times || ' on ' || p.panel FROM told AS p WHERE p.is_printed AND p.blocks = h.blocks ORDER BY p.sort LIMIT 1), '')
    FROM told AS h WHERE NOT is_printed ORDER BY sort LIMIT 1), 'Slanted Stixels: frame rates of both models, by machine') AS value
UNION ALL SELECT 'subtitle', 'the default code on images of 2048 × 1024 px, ' || classes || ' classes, input ' || input ||
    '; on a line: how many times as fast eq. 12 is as eq. 6' FROM held
UNION ALL SELECT 'note', 'A bar through a dot: one standard deviation of the samples, where it is wider. ' ||
    CASE WHEN EXISTS (SELECT 1 FROM dot WHERE said LIKE '%¹') THEN '¹ from the times printed in Fig. 9. ' ELSE '' END ||
    CASE WHEN EXISTS (SELECT 1 FROM kept WHERE impl = 'stixels/cubic-openmp') THEN 'Quotients are of one session that has both, on one core of each; with all cores the models'' programs differ in more than the model. ' ELSE '' END ||
    coalesce((SELECT '² from the time of ' || columns || ' of ' || all_columns || ' columns. ' FROM kept WHERE times > 1 LIMIT 1), '');
