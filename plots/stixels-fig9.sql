-- stixels-fig9.sql - what each stage takes of a frame, and why eq. 12 is the faster: [STX] Fig. 9
--
-- The paper's Fig. 9 is a table, and so is ours.  Drawn are the two things that its text says of it: the stages' shares of the time with
-- eq. 12, and into what the dynamic programming's speedup over eq. 6 divides: fewer instructions, and more of them in a cycle.
-- with stixels-words.sql
INSERT INTO wanted_impl VALUES ('stixels/gpu-paper'), ('stixels/gpu-opt'), ('stixels/gpu-cubic');

CREATE TEMP TABLE part (part INTEGER PRIMARY KEY, stage TEXT, said TEXT);
INSERT INTO part (stage, said)
VALUES ('downsample', 'down-sampling and transposition'), ('dynamic programming', 'dynamic programming'), ('compact', 'compaction (the paper prints none)');

CREATE TEMP TABLE kept AS
SELECT t.*, r.*, t.mean_ms * r.times AS ms
FROM timed AS t
JOIN held USING (input, classes)
JOIN stixel_row AS r ON r.id = t.id
WHERE t.series = 'hot' AND t.block IN (8, 4) AND t.stage IN (SELECT stage FROM part);

-- kind: as in model_word; a stage that is printed once is of both.  work: instructions, or what is proportional to their number.
CREATE TEMP TABLE took AS
SELECT p.hardware || ' (printed)' AS machine, 1 AS is_printed, p.rowid AS sort, p.block, m.kind, t.part, p.value AS ms, p.value * c.value AS work, NULL AS impl, NULL AS session
FROM printed AS p
JOIN part AS t ON t.stage = p.stage
JOIN model_word AS m ON m.kind = CASE p.model WHEN 'b6' THEN 1 WHEN 'b12' THEN 2 ELSE m.kind END AND m.kind < 3
LEFT JOIN printed AS c ON c.figure = 'fig9' AND c.name = 'ipc' AND c.hardware = p.hardware AND c.block = p.block AND c.stage = p.stage AND c.model IS p.model
WHERE p.figure = 'fig9' AND p.name = 'mean_ms' AND p.block IN (SELECT block FROM kept)
UNION ALL
SELECT k.place || CASE WHEN k.kind = 3 THEN ', gpu-opt' WHEN k.code = 'tuned' THEN ', tuned' ELSE '' END || ' (here)', 0,
       CASE WHEN k.device = 'gpu' THEN 1e6 ELSE 2e6 END + k.kind + CASE WHEN k.code = 'tuned' THEN 0.5 ELSE 0 END, k.block, k.kind,
       t.part, k.ms, (SELECT max(c.run_instructions) FROM counter AS c
                      WHERE c.impl = k.impl AND c.block = k.block AND c.stage = k.stage AND c.model = k.model AND c.classes = k.classes AND c.input = k.input AND c.sms IS NULL
                        AND (k.code IS NULL OR instr(';' || c.keys || ';', ';code=' || k.code || ';'))), k.impl, k.session
FROM kept AS k
JOIN part AS t ON t.stage = k.stage;

-- A line for each machine and program with eq. 12, larger blocks first; beside it eq. 6 on the same machine, but for stixels/openmp, which leaves out what
-- cannot win.
CREATE TEMP TABLE line AS
SELECT n.machine, n.block, n.kind, n.is_printed, n.sort, o.ms / n.ms AS times, 1.0 * o.work / n.work AS fewer, o.session IS n.session AS is_one_session
FROM took AS n
LEFT JOIN took AS o ON o.part = 2 AND o.kind = 1 AND o.block = n.block AND replace(n.machine, ', gpu-opt', '') = o.machine AND n.impl IS NOT 'stixels/openmp'
WHERE n.part = 2 AND n.kind > 1;
CREATE TEMP VIEW ranked AS
SELECT l.*, (SELECT count(*) + 1.2 * count(DISTINCT a.block) FROM line AS a WHERE (-a.block, a.sort) <= (-l.block, l.sort)) AS row FROM line AS l;

CREATE TEMP VIEW draw_rows AS SELECT machine AS label, row AS at FROM ranked ORDER BY row;
CREATE TEMP VIEW draw_heads AS
SELECT 'stixels of ' || b.said || ' px' AS said, min(p.row) - 1 AS row FROM ranked AS p JOIN block_text AS b ON b.block = p.block GROUP BY p.block;
CREATE TEMP VIEW draw_parts AS SELECT part, said FROM part WHERE part IN (SELECT part FROM took) ORDER BY part;

CREATE TEMP VIEW share AS
SELECT p.row, t.is_printed, t.part, (SELECT total(ms) FROM took AS b WHERE b.machine = t.machine AND b.block = t.block AND b.kind = t.kind AND b.part < t.part) AS below,
       t.ms, (SELECT sum(ms) FROM took AS b WHERE b.machine = t.machine AND b.block = t.block AND b.kind = t.kind) AS whole
FROM took AS t
JOIN ranked AS p ON p.machine = t.machine AND p.block = t.block AND p.kind = t.kind
ORDER BY t.is_printed DESC, CASE t.is_printed WHEN 1 THEN t.machine ELSE t.sort END, t.is_printed * t.part,
         CASE t.is_printed WHEN 1 THEN t.block ELSE -t.block END, t.part;
CREATE TEMP VIEW draw_shares AS
SELECT row, is_printed, part, 100 * below / whole AS low, 100 * (below + ms) / whole AS high,
       CASE WHEN ms >= 0.12 * whole THEN printf('%.0f %%', 100 * ms / whole) ELSE '-' END AS said
FROM share;

-- The speedup as a product; without counted instructions it is a single factor.
CREATE TEMP VIEW draw_factors AS
SELECT row, is_printed, coalesce(fewer, 1) AS fewer, times, fewer IS NOT NULL AS is_known,
       number_text(times) || ' ×' || CASE WHEN fewer > 0 THEN ' = ' || number_text(fewer) || ' · ' || number_text(times / fewer) ELSE '' END AS said
FROM ranked
WHERE times > 0
ORDER BY row;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'Dynamic programming is ' || number_text(l.times) || ' times as fast with eq. 12 at ' || b.said || ' px' || CASE WHEN l.fewer > 0 THEN ', of ' || number_text(l.fewer) || ' times fewer instructions' ELSE '' END ||
           coalesce('; printed: ' || (SELECT group_concat(said, ', ') FROM (SELECT DISTINCT number_text(times) || CASE WHEN fewer > 0 THEN ' of ' || number_text(fewer) ELSE '' END AS said FROM line WHERE is_printed AND times > 0 AND block = l.block)), '')
    FROM line AS l JOIN block_text AS b ON b.block = l.block
    WHERE NOT l.is_printed AND l.is_one_session AND l.kind = 2 AND l.times > 0 ORDER BY l.block DESC, l.sort, l.fewer DESC LIMIT 1),
    'Slanted Stixels: what each stage takes, and why eq. 12 is the faster') AS value
UNION ALL SELECT 'subtitle', 'images of 2048 × 1024 px, ' || classes || ' classes, input ' || input || '' FROM held
UNION ALL SELECT 'note', 'Tuned: the paper''s kernel with what its text does not have. ' WHERE EXISTS (SELECT 1 FROM kept WHERE code = 'tuned')
UNION ALL SELECT 'note', 'Pale: its instructions were not counted (make profile-ncu EXP=stixels/fig9). ' WHERE EXISTS (SELECT 1 FROM line WHERE fewer IS NULL AND times > 0);
