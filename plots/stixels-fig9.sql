-- stixels-fig9.sql - time of each kernel: [STX] Fig. 9
--
-- A bar for each stage of a variant, stages of one run, means, and for what [STX] prints, below its stage and equation; with the
-- instructions per cycle where they are known, and how many times as fast eq. 12 is as eq. 6 on the same machine.
-- with stixels-bars.sql
-- with bars.sql
INSERT INTO wanted_impl VALUES ('stixels/gpu-paper'), ('stixels/gpu-opt'), ('stixels/gpu-cubic');

CREATE TABLE head (grp INTEGER PRIMARY KEY, stage TEXT, model TEXT, said TEXT);
INSERT INTO head
VALUES (1, 'downsample', NULL, 'down-sampling and transposition'),
       (2, 'dynamic programming', 'b6', 'dynamic programming, eq. 6 (Slanted Stixels)'),
       (3, 'dynamic programming', 'b12', 'dynamic programming, eq. 12'), (4, 'compact', NULL, 'compaction');

CREATE TABLE kept AS
SELECT t.*, g.grp, r.all_columns, r.times, t.mean_ms * r.times AS ms
FROM timed AS t
JOIN held USING (input, classes)
JOIN stixel_row AS r ON r.id = t.id
JOIN head AS g ON g.stage = t.stage AND coalesce(g.model, t.model) = t.model
WHERE t.series = 'hot' AND t.block IN (8, 4);

-- machine: the paper's, or what runs our variant, 'gpu' or 'cpu'
CREATE TABLE timed_bar AS
SELECT p.rowid - 1000000 AS id, p.block, g.grp, p.value AS ms, coalesce(p.impl, '-') AS impl, 1 AS kind, p.hardware AS machine,
       '[STX] ' || p.hardware AS label, p.printed || ' ms' AS said,
       (SELECT c.value FROM printed AS c
        WHERE c.figure = 'fig9' AND c.name = 'ipc' AND c.hardware = p.hardware AND c.block = p.block AND c.stage = p.stage AND c.impl IS p.impl) AS ipc
FROM printed AS p
JOIN head AS g ON g.stage = p.stage AND (g.model IS NULL OR g.model = p.model)
WHERE p.figure = 'fig9' AND p.name = 'mean_ms' AND p.block IN (SELECT block FROM kept)
UNION ALL
SELECT k.id, k.block, k.grp, k.ms, k.impl, CASE WHEN k.times > 1 THEN 2 ELSE 0 END, CASE WHEN k.impl LIKE '%/gpu-%' THEN 'gpu' ELSE 'cpu' END,
       k.impl || CASE WHEN k.threads > 1 THEN ', ' || k.threads || ' threads' ELSE '' END,
       time_text(k.ms) ||
       CASE WHEN k.times > 1 -- the same unit is not said again
            THEN ' (' || replace(time_text(k.mean_ms), substr(time_text(k.ms), -3), '') || ' on ' || k.columns || ' of ' || k.all_columns || ' columns)'
            ELSE '' END,
       (SELECT c.ipc FROM counter AS c
        WHERE c.impl = k.impl AND c.block = k.block AND c.stage = k.stage AND c.model = k.model AND c.classes = k.classes AND c.input = k.input
        ORDER BY c.rowid DESC LIMIT 1) -- of several kernels the last
FROM kept AS k;

CREATE TABLE ratio AS
SELECT b.id, a.ms / b.ms AS times, max(a.id) AS of
FROM timed_bar AS b
JOIN timed_bar AS a ON a.grp = 2 AND a.block = b.block AND a.machine = b.machine
WHERE b.grp = 3
GROUP BY b.id;

CREATE VIEW bar AS
SELECT b.id, b.block AS panel, b.grp, b.id AS place, b.ms AS x, b.impl, b.kind, b.label,
       b.said || CASE WHEN r.times IS NULL THEN '' ELSE printf(CASE WHEN r.times >= 9.95 THEN ' · %.1f' ELSE ' · %.2g' END, r.times) || ' × as fast as eq. 6' END ||
       CASE WHEN b.ipc > 0 THEN printf(' · IPC %.2f', b.ipc) ELSE '' END AS said
FROM timed_bar AS b
LEFT JOIN ratio AS r ON r.id = b.id;

CREATE VIEW draw_looks AS SELECT 244 AS left, 20 AS row_height, 'mean time [ms]' AS axis, 0 AS from_zero;

CREATE VIEW text AS
SELECT 'title' AS name, 'Slanted stixels: time of each kernel' AS value
UNION ALL SELECT 'subtitle', '2048 × 1024 px, ' || classes || ' classes, input ' || input ||
    ', mean of stages; filled: measured here, hollow: [STX], its own programs and data' FROM held
UNION ALL SELECT * FROM note;
