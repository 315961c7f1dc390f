-- rows.sql - what all charts choose alike of the rows of experiments; for `depthbench draw`, before the SQL of a figure
--
-- A figure has tables or views: kept, the rows of shown that it is about; drawn (id), where it
-- shows the numbers of others; text (name, value): title, subtitle and note; and draw_NAME,
-- what gnuplot gets.  For one input: may_show (id, input).  Behind them stands caption.sql.

CREATE TEMP TABLE wanted_impl (impl TEXT); -- variants that the figure says it lacks

-- Whose a row is: titles divide no times of two sessions.
UPDATE shown
SET (session, results) = (SELECT m.session, m.results FROM main.measurement AS m WHERE m.id = shown.measurement)
WHERE measurement IN (SELECT id FROM main.measurement);

-- ---- rows that may be drawn at all: unverified ones never are ----

CREATE TEMP TABLE good AS
SELECT s.*, v.place AS variant, v.title
FROM shown AS s
JOIN variant AS v ON v.impl = s.impl
WHERE s.status = 'ok'
ORDER BY s.id;
CREATE TEMP TABLE whole AS SELECT * FROM good WHERE stage IS NULL;

-- Times of several machines are never mixed: those of the first are drawn.
CREATE TEMP TABLE machine AS
SELECT (SELECT machine FROM whole WHERE mean_ms IS NOT NULL AND machine IS NOT NULL ORDER BY id LIMIT 1) AS machine,
       (SELECT count(DISTINCT machine) FROM whole WHERE mean_ms IS NOT NULL) AS n;

CREATE TEMP TABLE timed AS
SELECT w.*
FROM good AS w
JOIN machine AS m ON m.machine IS NULL OR w.machine IS NULL OR w.machine = m.machine
WHERE w.scope = 'kernel' AND w.mean_ms > 0
ORDER BY w.id;

CREATE TEMP TABLE timed_whole AS SELECT * FROM timed WHERE stage IS NULL;

-- The series of a row: frames for a whole input, hot for a single frame; cold only where there is nothing else.
CREATE TEMP TABLE in_series AS
SELECT t.*
FROM timed_whole AS t
JOIN (SELECT total(series = 'frames') AS n_frames, total(series = 'hot') AS n_hot FROM whole) AS s
WHERE CASE WHEN t.frame_pick = 'all' AND s.n_frames > 0 THEN t.series = 'frames'
           WHEN s.n_frames + s.n_hot > 0 THEN t.series = 'hot' OR (t.frame_pick <> 'all' AND t.series = 'frames')
           ELSE 1 END
ORDER BY t.id;

-- Of one input: real data before generated, else the first; noise is a case.  The figure may have other rows in may_show.
CREATE TEMP TABLE may_show AS SELECT id, input FROM timed_whole;

CREATE TEMP VIEW main_input AS
SELECT input
FROM may_show
WHERE input <> 'noise'
GROUP BY input
ORDER BY input = 'kitti-sgm' DESC, input = 'scene' DESC, input = 'conesM' DESC, input LIKE 'map-%', min(id)
LIMIT 1;

-- What a figure holds fixed: what is asked for, else the first that there is.
CREATE TEMP VIEW held AS
SELECT coalesce((SELECT value FROM asked WHERE name = 'input'), (SELECT input FROM main_input)) AS input,
       coalesce((SELECT value FROM asked WHERE name = 'eps'), (SELECT eps FROM whole WHERE eps IS NOT NULL ORDER BY id LIMIT 1)) AS eps,
       (SELECT impl FROM whole ORDER BY id LIMIT 1) AS impl,
       (SELECT width FROM whole WHERE width IS NOT NULL ORDER BY id LIMIT 1) AS width,
       (SELECT height FROM whole WHERE height IS NOT NULL ORDER BY id LIMIT 1) AS height,
       (SELECT batch FROM whole WHERE batch IS NOT NULL ORDER BY id LIMIT 1) AS batch,
       (SELECT median FROM whole WHERE median IS NOT NULL ORDER BY id LIMIT 1) AS median,
       (SELECT classes FROM whole WHERE classes IS NOT NULL ORDER BY id LIMIT 1) AS classes,
       (SELECT sigma FROM whole WHERE sigma IS NOT NULL ORDER BY id LIMIT 1) AS sigma,
       (SELECT ssr FROM whole WHERE ssr IS NOT NULL ORDER BY id LIMIT 1) AS ssr,
       (SELECT block_threads FROM whole WHERE block_threads IS NOT NULL ORDER BY id LIMIT 1) AS block_threads,
       (SELECT atomics FROM whole WHERE atomics IS NOT NULL ORDER BY id LIMIT 1) AS atomics;

-- Blocks of stixels, of rows or of rows x columns, in words.
CREATE TEMP TABLE block_text AS
SELECT block, CASE WHEN instr(block, 'x') THEN replace(block, 'x', ' × ') ELSE block || ' × ' || block END AS said,
       CAST(substr(block, instr(block, 'x') + 1) AS INTEGER) AS columns
FROM (SELECT block FROM shown WHERE block IS NOT NULL UNION SELECT block FROM printed WHERE block IS NOT NULL
      UNION SELECT block FROM shown_value WHERE block IS NOT NULL);

-- Equations in [STX], by model.
CREATE TEMP TABLE equation AS
SELECT 'b12' AS model, 'eq. 12' AS said UNION ALL SELECT 'b6', 'eq. 6' UNION ALL SELECT 'dh', 'flat';

-- How frames were made ready, in words.
CREATE TEMP TABLE prepared AS
SELECT DISTINCT width, height, median,
       CASE WHEN width = 0 AND height = 0 THEN 'frames at their own size' ELSE 'frames brought to ' || width || ' × ' || height || ' px' END ||
       CASE WHEN median > 0 THEN ', ' || median || ' × ' || median || ' median filter' ELSE '' END AS said
FROM shown;
