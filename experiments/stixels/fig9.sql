-- fig9.sql - [STX] Fig. 9 as it is printed, a table: time and instructions per cycle of the two main kernels by block and board; and what
-- sect. 5.2.1 says of it
WITH size (block, said) AS (VALUES (8, '8×8 '), (4, '4×4 ')),
line (at, label, stage, model, impl, code) AS (
    VALUES (1, 'down-sampling, ms', 'downsample', NULL, 'stixels/gpu-paper', 'text'),
           (2, 'DP [12], ms (gpu-cubic)', 'dynamic programming', 'b6', 'stixels/gpu-cubic', 'text'),
           (3, 'DP ours, ms (gpu-paper)', 'dynamic programming', 'b12', 'stixels/gpu-paper', 'text'),
           (4, 'down-sampling, ms (gpu-opt)', 'downsample', '-', 'stixels/gpu-opt', NULL),
           (5, 'DP ours, ms (gpu-opt)', 'dynamic programming', '-', 'stixels/gpu-opt', NULL),
           (6, 'down-sampling, % of both', NULL, NULL, NULL, NULL), (7, 'DP [12] : ours, time', NULL, NULL, NULL, NULL),
           (8, 'DP [12] : ours, instructions', NULL, NULL, NULL, NULL),
           (9, 'down-sampling, ms (tuned)', 'downsample', '-', 'stixels/gpu-paper', 'tuned'),
           (10, 'DP [12], ms (gpu-cubic, tuned)', 'dynamic programming', '-', 'stixels/gpu-cubic', 'tuned'),
           (11, 'DP ours, ms (gpu-paper, tuned)', 'dynamic programming', '-', 'stixels/gpu-paper', 'tuned')
),
paper AS (
    SELECT CASE p.name WHEN 'downsample_pct' THEN 6 WHEN 'speedup_of_b12' THEN 7 WHEN 'instructions_saved' THEN 8 ELSE l.at END AS at, p.*
    FROM printed AS p
    LEFT JOIN line AS l ON p.figure = 'fig9' AND l.stage = p.stage AND l.model IS p.model
    WHERE p.paper = 'stixels' AND (l.at IS NOT NULL OR p.name IN ('downsample_pct', 'instructions_saved') OR p.name = 'speedup_of_b12' AND p.stage IS NOT NULL)
),
counted AS (
    SELECT impl, keys, input, machine, stage, ipc, run_instructions AS instructions, max(utc) AS utc
    FROM counter
    WHERE sms IS NULL
    GROUP BY impl, keys, input, machine, stage
),
ours AS (
    SELECT l.at, s.block, s.ms, coalesce(s.half, 0) AS half, s.gpu, s.commit_hash, c.ipc, c.instructions
    FROM line AS l
    JOIN shown_row AS s ON s.impl = l.impl AND s.stage = l.stage AND s.scope = 'kernel' AND s.code IS l.code
    LEFT JOIN counted AS c USING (impl, keys, input, machine, stage)
),
here AS (
    SELECT at, block, told(ms, half) AS text, printf('%.2f', ipc) AS ipc FROM ours
    UNION ALL
    SELECT at.at, a.block,
           CASE at.at WHEN 6 THEN told(100 * a.ms / (a.ms + b.ms), 100 * (a.half + b.half) / (a.ms + b.ms))
                      WHEN 7 THEN told(a.ms / b.ms, a.ms / b.ms * (a.half / a.ms + b.half / b.ms))
                      ELSE printf('%.1f', 1.0 * a.instructions / b.instructions) END, NULL
    FROM line AS at
    JOIN ours AS b ON b.at = 3
    JOIN ours AS a ON a.block = b.block AND a.at = CASE at.at WHEN 6 THEN 1 ELSE 2 END
    WHERE at.at IN (6, 7, 8) AND (at.at < 8 OR a.instructions / b.instructions > 0)
)
SELECT z.said || label AS " ",
       (SELECT printed FROM paper AS p WHERE p.at = l.at AND p.block = z.block AND hardware = 'Tegra X2' AND name <> 'ipc') AS "Tegra X2 printed",
       (SELECT printed FROM paper AS p WHERE p.at = l.at AND p.block = z.block AND hardware = 'Tegra Xavier' AND name <> 'ipc') AS "Xavier printed",
       coalesce((SELECT text FROM here AS h WHERE h.at = l.at AND h.block = z.block), '(no rows)') AS "here",
       (SELECT printed FROM paper AS p WHERE p.at = l.at AND p.block = z.block AND hardware = 'Tegra X2' AND name = 'ipc') AS "IPC X2 printed",
       (SELECT printed FROM paper AS p WHERE p.at = l.at AND p.block = z.block AND hardware = 'Tegra Xavier' AND name = 'ipc') AS "IPC Xavier printed",
       CASE WHEN l.impl IS NOT NULL
            THEN coalesce((SELECT ipc FROM here AS h WHERE h.at = l.at AND h.block = z.block), '(no counts)') END AS "IPC here",
       CASE WHEN l.at = 1 AND z.block = 8
            THEN (SELECT 'DP: dynamic programming; here: ' || max(gpu) || ', 2048 × 1024 px, commit '
                             || replace(group_concat(DISTINCT substr(commit_hash, 1, 7)), ',', ', ') || '; IPC and instructions by Nsight Compute'
                  FROM ours) END AS note
FROM line AS l, size AS z
ORDER BY z.block DESC, l.at
