-- rows.sql - what all charts choose alike of the rows of tables.sql; for `depthbench draw`, before the SQL of a figure
--
-- A figure has tables or views: kept, the rows of shown that it is about; drawn (id), those whose numbers it shows, which the caption is of;
-- text (name, value): title, subtitle and note; and draw_NAME, what gnuplot gets.  For one input: may_show (id, input).

CREATE TABLE wanted_impl (impl TEXT); -- variants that the figure says it lacks

-- ---- rows that may be drawn at all: unverified ones never are ----

CREATE TABLE good AS SELECT * FROM shown WHERE status = 'ok';
CREATE TABLE whole AS SELECT * FROM good WHERE lap IS NULL;

-- Times of several machines are never mixed: those of the first are drawn.
CREATE TABLE machine AS
SELECT coalesce((SELECT value FROM asked WHERE name = 'machine'),
                (SELECT machine FROM whole WHERE mean_ms IS NOT NULL AND machine IS NOT NULL ORDER BY id LIMIT 1)) AS machine,
       (SELECT count(DISTINCT machine) FROM whole WHERE mean_ms IS NOT NULL) AS n;

CREATE TABLE timed AS
SELECT w.*
FROM good AS w
JOIN machine AS m ON m.machine IS NULL OR w.machine IS NULL OR w.machine = m.machine
WHERE w.scope = 'kernel' AND w.mean_ms > 0
ORDER BY w.id;

CREATE TABLE timed_whole AS SELECT * FROM timed WHERE lap IS NULL;

-- The series of a row: frames for a whole input, hot for a single frame; cold only where there is nothing else.
CREATE TABLE in_series AS
SELECT t.*
FROM timed_whole AS t
JOIN (SELECT total(series = 'frames') AS n_frames, total(series = 'hot') AS n_hot FROM whole) AS s
WHERE CASE WHEN t."case" = 'all' AND s.n_frames > 0 THEN t.series = 'frames'
           WHEN s.n_frames + s.n_hot > 0 THEN t.series = 'hot' OR (t."case" <> 'all' AND t.series = 'frames')
           ELSE 1 END
ORDER BY t.id;

-- Of one input: real data before generated, else the first; noise is a case.  The figure may have other rows in may_show.
CREATE TABLE may_show AS SELECT id, input FROM timed_whole;

CREATE VIEW main_input AS
SELECT input
FROM may_show
WHERE input <> 'noise'
GROUP BY input
ORDER BY input = 'kitti-sgm' DESC, input = 'scene' DESC, input = 'conesM' DESC, input LIKE 'map-%', min(id)
LIMIT 1;

-- What a figure holds fixed: what is asked for, else the first that there is.
CREATE VIEW held AS
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
CREATE TABLE block_text AS
SELECT block, CASE WHEN instr(block, 'x') THEN replace(block, 'x', ' × ') ELSE block || ' × ' || block END AS said,
       CAST(substr(block, instr(block, 'x') + 1) AS INTEGER) AS columns
FROM (SELECT block FROM shown WHERE block IS NOT NULL UNION SELECT block FROM printed WHERE block IS NOT NULL
      UNION SELECT block FROM value WHERE block IS NOT NULL);

-- Equations in [STX], by model.
CREATE TABLE equation AS
SELECT 'b12' AS model, 'eq. 12' AS said UNION ALL SELECT 'b6', 'eq. 6' UNION ALL SELECT 'dh', 'flat';

-- Stixels timed on a part of the columns: how many a frame of 2048 px has, how many times as long all of them take.
CREATE TABLE stixel_row AS
SELECT s.id, 2048 / b.columns AS all_columns, coalesce((2048 / b.columns) * 1.0 / nullif(s.columns, 0), 1.0) AS times, e.said AS equation
FROM shown AS s
JOIN block_text AS b ON b.block = s.block
JOIN equation AS e ON e.model = s.model;

-- How frames were made ready, in words.
CREATE TABLE prepared AS
SELECT DISTINCT width, height, median,
       CASE WHEN width = 0 AND height = 0 THEN 'frames at their own size' ELSE 'frames brought to ' || width || ' × ' || height || ' px' END ||
       CASE WHEN median > 0 THEN ', ' || median || ' × ' || median || ' median filter' ELSE '' END AS said
FROM shown;

-- ---- what stands above and below a figure ----

-- Ceilings of a roofline are no rows of its experiment.
CREATE VIEW caption_row AS
SELECT *
FROM shown
WHERE id IN (SELECT id FROM drawn) AND impl NOT LIKE 'probe/%';

-- A mean of rows of several commits has "5ec30f7, 20567f6".
CREATE VIEW commit_word AS
WITH RECURSIVE part (rest, word) AS (
    SELECT "commit" || ', ', NULL FROM caption_row WHERE "commit" IS NOT NULL
    UNION
    SELECT substr(rest, instr(rest, ', ') + 2), substr(rest, 1, min(instr(rest, ', ') - 1, 7)) FROM part WHERE rest <> ''
)
SELECT DISTINCT word FROM part WHERE word IS NOT NULL;

CREATE VIEW caption_part AS
SELECT 1 AS place, group_concat(DISTINCT machine) AS said FROM caption_row
UNION ALL SELECT 2, group_concat(DISTINCT cpu) FROM caption_row WHERE device IS NOT 'gpu'
UNION ALL SELECT 3, group_concat(DISTINCT gpu) FROM caption_row WHERE device = 'gpu'
UNION ALL SELECT 4, 'SMs ' || group_concat(DISTINCT sms) FROM caption_row
    WHERE device = 'gpu' AND EXISTS (SELECT 1 FROM caption_row WHERE sms < sm_count)
UNION ALL SELECT 5, 'mode ' || group_concat(DISTINCT mode_name) FROM caption_row
UNION ALL SELECT 6, 'commit ' || (SELECT group_concat(word) FROM commit_word) || CASE WHEN total(dirty) > 0 THEN ' (dirty)' ELSE '' END
    FROM caption_row
UNION ALL SELECT 7, 'input ' || group_concat(DISTINCT input) FROM caption_row
UNION ALL SELECT 8, 'scope ' || group_concat(DISTINCT scope) FROM caption_row
UNION ALL SELECT 9, 'series ' || group_concat(DISTINCT series) FROM caption_row
UNION ALL SELECT 10, 'n ' || min(n) || CASE WHEN max(n) > min(n) THEN '..' || max(n) ELSE '' END ||
    CASE kind WHEN 0 THEN ' samples of one process' WHEN 1 THEN ' processes' ELSE '' END
    FROM (SELECT n, CASE WHEN n_outside IS NOT NULL THEN 2 ELSE coalesce(processes, 0) > 1 END AS kind FROM caption_row)
    GROUP BY kind
UNION ALL SELECT 11, 'profile ' || group_concat(DISTINCT profile) FROM caption_row
-- rows of live outputs: of a mean each run
UNION ALL SELECT 12, sum(coalesce(n_outside, verdict = 'outside')) || ' of ' ||
    sum(CASE WHEN n_outside IS NULL THEN 1 ELSE n END) || ' rows outside the reference''s scatter'
    FROM caption_row WHERE verdict IN ('outside', 'statistical') OR n_outside > 0
UNION ALL SELECT 13, 'ceilings: commit ' || group_concat(DISTINCT substr("commit", 1, 7))
    FROM shown WHERE id IN (SELECT id FROM drawn) AND impl LIKE 'probe/%';

-- (gnuplot takes an empty text at the end of a line for the one before.)
CREATE VIEW draw_text AS
SELECT name, value FROM all_text WHERE value <> '';

CREATE VIEW all_text AS
SELECT name, value FROM text WHERE name <> 'note'
UNION ALL
SELECT 'caption', replace(group_concat(said, '; '), ',', ', ')
FROM (SELECT said FROM caption_part WHERE said IS NOT NULL ORDER BY place)
UNION ALL
SELECT 'note', (SELECT CASE WHEN n > 1 THEN 'Times: of ' || machine || ' alone. ' ELSE '' END FROM machine) ||
    coalesce((SELECT value FROM text WHERE name = 'note'), '') ||
    coalesce((SELECT 'No rows yet for ' || group_concat(impl, ', ') || '.'
              FROM wanted_impl WHERE impl NOT IN (SELECT impl FROM kept)), '');

CREATE VIEW refusal AS
SELECT 'no row with status ok for this figure; measure it first' AS why
WHERE NOT EXISTS (SELECT 1 FROM drawn)
UNION ALL
SELECT 'input ' || input || ' is in the main figure'
FROM main_input
WHERE EXISTS (SELECT 1 FROM asked WHERE name = 'beside') AND input IN (SELECT value FROM asked WHERE name = 'input');
