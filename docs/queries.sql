-- queries.sql - what pages of docs/ ask of the rows: '-- NAME: what', then one query; scripts/docs writes the answer, or for {NAME.COLUMN} a column
-- of its first row

-- own: this project's own variants, which the papers do not have, in the newest session that has the paper's on the same GPU, too
WITH one AS (SELECT * FROM good WHERE results = 'xeon-16c_nvidia-h200' AND impl IN (problem || '/gpu-opt', problem || '/gpu-paper') AND scope = 'kernel' AND stage IS NULL),
pair AS (
    SELECT a.problem AS paper, a.session, avg(a.mean_ms) AS ms, avg(b.mean_ms) / avg(a.mean_ms) AS times
    FROM one AS a
    JOIN one AS b
      ON b.session = a.session AND b.gpu_uuid = a.gpu_uuid AND b.experiment = a.experiment AND b.input = a.input AND b.frame_pick = a.frame_pick
     AND b.series = a.series AND b.sms IS a.sms AND coalesce(b.batch, 1) = coalesce(a.batch, 1) AND b.height IS a.height
     AND b.eps IS a.eps AND b.median IS a.median AND b.block IS a.block AND b.model IS a.model
     AND b.seed IS a.seed AND b.sigma IS a.sigma AND b.ssr IS a.ssr AND b.rounds IS a.rounds
    WHERE a.impl = a.problem || '/gpu-opt' AND b.impl = a.problem || '/gpu-paper'
      AND CASE a.problem WHEN 'rdp' THEN a.experiment = 'rdp/table1' AND a.input = 'kitti-sgm' AND a.frame_pick = 'all' AND a.series = 'frames' AND a.height = 1024 AND a.eps = 4
                         WHEN 'stixels' THEN a.input = 'city' AND a.block = 8 AND a.model = 'b12' AND a.series = 'hot' AND a.planes = 'float' AND coalesce(a.batch, 1) = 1
                              AND coalesce(a.sms, a.sm_count) = a.sm_count
                         ELSE a.experiment = 'som/table2' AND a.input = 'conesM' AND a.sigma = 12 AND b.block_threads = 8 AND b.atomics = 'cas64' END
    GROUP BY a.problem, a.session
)
SELECT '`' || paper || '/gpu-opt`' AS "our own",
       CASE paper WHEN 'rdp' THEN 'a frame of 1242 × 1024 px' WHEN 'stixels' THEN 'a frame of 2048 × 1024 px in blocks of 8 × 8 px' ELSE 'a map of 900 × 750 px' END AS "for",
       short_text(ms, 3) AS ms,
       short_text(times, 2) || ' times' AS "as fast as the paper's algorithm"
FROM (SELECT *, max(session) FROM pair GROUP BY paper) AS p
ORDER BY paper

-- rdp-targets: the goals of rdp/gpu-opt, us per frame of 1242 columns, series hot
WITH goal(nr, input, eps, height, one, many) AS (VALUES
  (1, 'kitti-sgm', 4, 1024, 10, 2.5), (2, 'kitti-sgm', 4, 512, 8, 1.8), (3, 'kitti-sgm', 4, 256, 7, 1.4),
  (4, 'street', 4, 1024, 20, 5), (5, 'street', 4, 512, 15, 3.5), (6, 'street', 4, 256, 12, 2.5),
  (7, 'street-truth', 8, 1024, 8, 1.2), (8, 'street-zero', 4, 1024, 20, 5), (9, 'street-zero', 4, 512, 15, 3.5),
  (10, 'street-zero', 4, 256, 12, 2.5)),
us AS (
  SELECT g.*, max(CASE WHEN m.impl = 'rdp/gpu-paper' AND c.batch = 1 THEN 1000 * m.median_ms END) AS paper,
         max(CASE WHEN m.impl = 'rdp/gpu-opt' AND c.batch = 1 THEN 1000 * m.median_ms END) AS opt,
         max(CASE WHEN m.impl = 'rdp/gpu-opt' AND c.batch = 64 THEN 1000 * m.median_ms END) AS opt_64
  FROM goal AS g JOIN current AS m ON m.input = g.input AND m.eps = g.eps AND m.height = g.height
  JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.scope = 'kernel' AND m.series = 'hot' AND m.stage IS NULL AND c.sms IS NULL
    AND c.batch IN (1, 64) AND m.median = CASE WHEN g.input LIKE 'street%' AND g.eps = 4 THEN 5 ELSE 0 END
    AND m.frame_pick = CASE WHEN g.input = 'kitti-sgm' AND c.batch = 1 THEN 'typical' ELSE 'all' END
    AND c.config_id = config_id(m.impl, m.problem, c.harness_keys, picked(m.keys, 'width;height;eps;median', 1)) -- all other keys are at their defaults
  GROUP BY g.nr)
SELECT input || CASE eps WHEN 8 THEN ', eps 8' ELSE '' END AS input, height AS "rows", short_text(paper, 3) AS "gpu-paper", short_text(opt, 3) AS "gpu-opt",
       one || CASE WHEN opt <= one THEN ', met' ELSE ', ' || short_text(100 * opt / one - 100, 2) || ' % over' END AS goal, short_text(opt_64, 3) AS "batch of 64",
       many || CASE WHEN opt_64 <= many THEN ', met' ELSE ', ' || short_text(100 * opt_64 / many - 100, 2) || ' % over' END AS "its goal"
FROM us ORDER BY nr

-- stixels-targets: the goals of stixels/gpu-opt, us per frame; city of 2048 x 1024 px with 18 classes, street of 1024 x 768 px without
WITH goal(nr, input, block, planes, one, many) AS (VALUES
  (1, 'city', '8', 'float', 62, 48), (2, 'city', '8', 'uint16', 42, 31), (3, 'city', '4', 'float', 108, 78), (4, 'street', '1x5', 'float', 220, NULL)),
us AS (
  SELECT g.*, max(CASE WHEN m.impl = 'stixels/gpu-paper' AND c.batch = 1 THEN 1000 * m.median_ms END) AS paper,
         max(CASE WHEN m.impl = 'stixels/gpu-opt' AND c.batch = 1 THEN 1000 * m.median_ms END) AS opt,
         max(CASE WHEN m.impl = 'stixels/gpu-opt' AND c.batch = 16 THEN 1000 * m.median_ms END) AS opt_16
  FROM goal AS g JOIN current AS m ON m.input = g.input AND CAST(m.block AS TEXT) = g.block AND m.stage IS NULL
  JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.scope = 'kernel' AND m.series = 'hot' AND c.sms IS NULL
    AND c.batch IN (1, 16) AND (m.input = 'street' OR m.classes = 18) AND coalesce(m.planes, 'float') = g.planes
    AND c.config_id = config_id(m.impl, m.problem, c.harness_keys, picked(m.keys, 'block;classes;planes;semantic', 1)) -- all other keys are at their defaults
  GROUP BY g.nr)
SELECT CASE input WHEN 'street' THEN 'street, 1 x 5 px' ELSE block || ' x ' || block || ' px' || CASE planes WHEN 'float' THEN '' ELSE ', ' || planes END END AS frame,
       coalesce(short_text(paper, 3), '') AS "gpu-paper", short_text(opt, 3) AS "gpu-opt",
       one || CASE WHEN opt <= one THEN ', met' ELSE ', ' || short_text(100 * opt / one - 100, 2) || ' % over' END AS goal,
       coalesce(short_text(opt_16, 3), '') AS "batch of 16",
       coalesce(many || CASE WHEN opt_16 <= many THEN ', met' ELSE ', ' || short_text(100 * opt_16 / many - 100, 2) || ' % over' END, '') AS "its goal"
FROM us ORDER BY nr

-- stixels-design: kernel time of a frame by stixels/gpu-paper, us, as [STX] designed it and otherwise
SELECT CASE m.dp || m.scan || m.sat WHEN 'bwarpshared' THEN 'as in the paper: a thread per row, a warp sums, tables in shared memory'
            WHEN 'awarpshared' THEN 'all threads on each row' WHEN 'bblockshared' THEN 'the block sums' ELSE 'tables in global memory' END AS design,
       short_text(max(CASE WHEN CAST(m.block AS TEXT) = '8' THEN 1000 * m.median_ms END), 3) AS "8 x 8 px",
       short_text(max(CASE WHEN CAST(m.block AS TEXT) = '4' THEN 1000 * m.median_ms END), 3) AS "4 x 4 px"
FROM current AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'stixels/gpu-paper' AND m.input = 'city' AND m.scope = 'kernel' AND m.series = 'hot'
  AND c.sms IS NULL AND c.batch = 1 AND m.stage IS NULL AND m.arith = 'float' AND m.classes = 18 AND m.height = 0 AND m.columns = 0
  AND coalesce(m.code, 'tuned') = 'tuned'
GROUP BY m.dp, m.scan, m.sat HAVING "4 x 4 px" IS NOT NULL ORDER BY max(m.median_ms)

-- som-blocks: som/gpu-paper by threads a block and atomics, ms, sigma 12, seed 1
SELECT m.input || ', ' || CASE m.atomics WHEN 'exch' THEN 'exchanges' ELSE 'compare-and-swap' END AS map,
       short_text(max(CASE WHEN m.block_threads = 1 THEN m.mean_ms END), 3) AS "1 thread",
       short_text(max(CASE WHEN m.block_threads = 8 THEN m.mean_ms END), 3) AS "8 threads",
       short_text(max(CASE WHEN m.block_threads = 32 THEN m.mean_ms END), 3) AS "32 threads"
FROM current AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'som/gpu-paper' AND m.input IN ('cones', 'conesL') AND m.seed = 1
  AND m.sigma = 12 AND m.ssr = 4 AND m.rounds = 1500 AND m.kernels = 'single' AND m.mov = 2 AND m.walk = 'turned' AND m."update" = 'live'
  AND m.series = 'hot' AND m.scope = 'kernel' AND m.stage IS NULL AND c.batch = 1 AND c.sms IS NULL AND m.crr = 20 AND m.co = 20
  AND m.height = 0
GROUP BY m.input, m.atomics ORDER BY length(m.input), m.input DESC, m.atomics

-- som-targets: the goals of som/gpu-opt, ms per map
WITH goal(nr, input, sigma, one, many) AS (VALUES
  (1, 'tsukuba', 12, 4, 0.055), (2, 'teddy', 12, 4.8, 0.135), (3, 'cones', 12, 4.5, 0.125), (4, 'conesM', 12, 6.5, 0.42),
  (5, 'conesL', 12, 13, NULL), (6, 'conesL', 24, 60, NULL)),
ms AS (
  SELECT g.*, max(CASE WHEN c.batch = 1 THEN m.median_ms END) AS opt, max(CASE WHEN c.batch = 132 THEN m.median_ms END) AS opt_132
  FROM goal AS g JOIN current AS m ON m.input = g.input AND m.sigma = g.sigma JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'som/gpu-opt' AND m.ssr = 4 AND m.rounds = 1500 AND m.seed = 1 AND m.scope = 'kernel'
    AND m.series = 'hot' AND m.stage IS NULL AND c.sms IS NULL AND c.batch IN (1, 132) AND m.crr = 20 AND m.co = 20
    AND m.team = 'auto' AND m.height = 0
  GROUP BY g.nr)
SELECT input AS map, CAST(sigma AS INTEGER) AS sigma, short_text(opt, 3) AS "one map",
       one || CASE WHEN opt <= one THEN ', met' ELSE ', ' || short_text(100 * opt / one - 100, 2) || ' % over' END AS goal,
       coalesce(short_text(opt_132, 3), '') AS "batch of 132",
       coalesce(many || CASE WHEN opt_132 <= many THEN ', met' ELSE ', ' || short_text(100 * opt_132 / many - 100, 2) || ' % over' END, '') AS "its goal"
FROM ms ORDER BY nr

-- som-surface: by how much the mean error of the surface of an adapted mesh differs from a regular one's, in %, and the maps where it is larger, seed 1
WITH got AS (
  SELECT m.input, max(CASE m.impl WHEN 'som/rounds' THEN v.value END) / max(CASE m.impl WHEN 'som/grid' THEN v.value END) AS change
  FROM good AS m JOIN value AS v ON v.measurement = m.id AND v.name = 'surface_mean_px'
  WHERE m.results = 'epyc-2c' AND m.experiment = 'som/surface' AND m.input NOT LIKE 'map-%' GROUP BY m.input ORDER BY change)
SELECT printf('%+.0f to %+.0f', 100 * min(change) - 100, 100 * max(change) - 100) AS span, group_concat(CASE WHEN change > 1 THEN input END, ', ') AS worse
FROM got

-- som-multi: time of two GPUs of a host over that of som/gpu-opt on one, of a cluster's largest map and one of 4096 x 4096 px, in one session
WITH pair AS (
  SELECT a.input, short_text(a.median_ms / b.median_ms, 2) AS times
  FROM good AS a JOIN good AS b USING (results, session, experiment, input, scope, series)
  WHERE a.experiment = 'som/multi' AND a.results = 'xeon-64c_nvidia-h200' AND a.impl = 'som/gpu-multi' AND a.gpus = 2 AND b.impl = 'som/gpu-opt'
    AND a.scope = 'kernel' AND a.stage IS NULL AND b.stage IS NULL)
SELECT max(CASE input WHEN 'conesL' THEN times END) AS conesL, max(CASE input WHEN 'map-L' THEN times END) AS large FROM pair GROUP BY NULL

-- som-authors: the program of [SOM]'s authors on an H200 and on one core beside som/gpu-paper and som/serial, as its ini has crr: ms, %cost, medians over processes
WITH run AS (
  SELECT m.input, m.sigma, m.session, CASE m.impl WHEN 'ext/som-authors-gpu' THEN 1 WHEN 'ext/som-authors-cpu' THEN 2 WHEN 'som/gpu-paper' THEN 3 ELSE 4 END AS side,
         m.median_ms AS ms, v.value AS cost
  FROM good AS m JOIN value AS v ON v.measurement = m.id AND v.name = 'cost_pct' AND v.idx IS NULL
  WHERE m.experiment = 'som/authors' AND m.crr <> 1 AND m.scope = 'kernel' AND m.stage IS NULL),
said AS (SELECT input, sigma, side, short_text(median(ms), 3) || ' (' || short_text(median(cost), 3) || ')' AS text FROM run GROUP BY input, sigma, side),
ratio AS (
  SELECT input, sigma, short_text(min(b.ms / a.ms), 2) AS low, short_text(max(b.ms / a.ms), 2) AS high
  FROM run AS a JOIN run AS b USING (input, sigma, session) WHERE a.side = 1 AND b.side = 2 GROUP BY input, sigma)
SELECT input || ', ' || sigma AS "map, sigma", max(CASE side WHEN 1 THEN text END) AS "their GPU program, ms (%cost)", max(CASE side WHEN 2 THEN text END) AS "theirs on one core",
       low || CASE WHEN low <> high THEN ' to ' || high ELSE '' END AS "core over GPU", max(CASE side WHEN 3 THEN text END) AS "som/gpu-paper",
       max(CASE side WHEN 4 THEN text END) AS "som/serial"
FROM said JOIN ratio USING (input, sigma) GROUP BY input, sigma
UNION ALL SELECT 'not run yet', NULL, NULL, NULL, NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM run)

-- som-authors-small: the program of [SOM]'s authors on small maps: how many times as fast as one core it is on an H200, the range over processes
SELECT coalesce(short_text(min(b.median_ms / a.median_ms), 2) || ' to ' || short_text(max(b.median_ms / a.median_ms), 2), 'not run yet') AS times
FROM good AS a JOIN good AS b USING (results, session, experiment, input, sigma, crr, scope)
WHERE a.experiment = 'som/authors' AND a.impl = 'ext/som-authors-gpu' AND b.impl = 'ext/som-authors-cpu' AND a.crr <> 1 AND a.input IN ('cones', 'teddy')

-- sgm-speed: pairs of 640 x 480 px a second with 2, 4, 8 paths, without checks, as sgm/fps has them; time of a larger pair over that of the smallest
WITH row AS (
  SELECT m.impl, m.paths, median(1000 / m.mean_ms) AS fps
  FROM current AS m
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.configuration IN (SELECT configuration FROM good WHERE experiment = 'sgm/fps')
    AND m.scope = 'kernel' AND m.stage IS NULL AND m.device = 'gpu' GROUP BY m.impl, m.paths ORDER BY m.paths),
size AS (
  SELECT impl, max(mean_ms) / min(mean_ms) AS times, 1.0 * max(width * height) / min(width * height) AS area
  FROM current WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'sgm/size' AND disparities = 128 AND device = 'gpu' AND stage IS NULL GROUP BY impl)
SELECT (SELECT group_concat(short_text(fps, 3), ', ') FROM row WHERE impl = 'sgm/gpu-paper') AS paper,
       (SELECT short_text(fps, 3) FROM row WHERE impl = 'sgm/gpu-opt' AND paths = 4) AS opt,
       (SELECT group_concat(said, ', ') FROM (SELECT group_concat(printed, ', ') || ' on a ' || hardware AS said
          FROM (SELECT * FROM printed WHERE paper = 'sgm' AND figure = 'fps' ORDER BY paths) GROUP BY hardware ORDER BY hardware DESC)) AS printed,
       (SELECT short_text(area, 2) FROM size LIMIT 1) AS area, (SELECT short_text(times, 2) FROM size WHERE impl = 'sgm/gpu-opt') AS opt_times,
       (SELECT short_text(times, 2) FROM size WHERE impl = 'sgm/gpu-paper') AS paper_times

-- sgm-cut: pairs a second with 2, 4, 8 paths on the 24 SMs of a Titan X, brought to its clock of 1075 MHz
WITH row AS (
  SELECT m.impl, m.paths, 1000 / m.mean_ms * 1075 / m.gpu_mhz_med AS fps
  FROM current AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.experiment = 'sgm/cut' AND m.scope = 'kernel' AND m.stage IS NULL AND c.sms = 24 ORDER BY m.paths)
SELECT coalesce((SELECT group_concat(short_text(fps, 3), ', ') FROM row WHERE impl = 'sgm/gpu-paper'), 'not run') AS paper,
       coalesce((SELECT group_concat(short_text(fps, 3), ', ') FROM row WHERE impl = 'sgm/gpu-opt'), 'not run') AS opt,
       (SELECT group_concat(printed, ', ') FROM (SELECT printed FROM printed WHERE paper = 'sgm' AND figure = 'fps' AND hardware = 'Titan X' ORDER BY paths)) AS printed

-- sgm-errors: wrong disparities of kitti2012-pair, filled, in %, by paths, and with four paths before the checks
WITH row AS (
  SELECT m.paths, m.lr_check, v.value FROM current AS m JOIN value AS v ON v.measurement = m.id AND v.name = 'd1_pct' AND v.idx IS NULL
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.experiment = 'sgm/quality' AND m.input = 'kitti2012-pair' AND m.median = 3 AND m.subpixel = 0 AND m.census = '9x7')
SELECT (SELECT group_concat(short_text(value, 2), ', ') FROM (SELECT value FROM row WHERE lr_check = 1 ORDER BY paths)) AS checked,
       (SELECT short_text(value, 2) FROM row WHERE lr_check = -1) AS unchecked

-- energy: what the GPU alone drew for a frame or map, mJ
SELECT m.impl AS variant, m.input || CASE m.problem WHEN 'stixels' THEN ', ' || m.block || ' x ' || m.block || ' px' ELSE '' END
         || CASE WHEN c.batch > 1 THEN ', batch of ' || c.batch ELSE '' END AS input,
       short_text(m.mj_frame, 3) AS "mJ", short_text(m.mj_frame_net, 3) AS "above the idle GPU"
FROM good AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.mj_frame IS NOT NULL AND m.device = 'gpu' AND m.series <> 'stream' AND m.results = 'xeon-16c_nvidia-h200'
  AND m.input IN ('kitti-sgm', 'city', 'cones', 'conesL', 'street-pair')
GROUP BY m.configuration HAVING m.utc = max(m.utc) ORDER BY m.problem, m.input, m.block DESC, c.batch, m.mj_frame DESC

-- verdicts: how many claims of a paper have which verdict, once each: by rows of the H200, else of another machine, else by the paper's own numbers; no settings
WITH one AS (
  SELECT claim, paper, rank, machine = 'paper' AS is_own, lower(verdict) AS verdict,
         min((verdict IN ('no row', 'not judged')) || CASE machine WHEN 'xeon-16c_nvidia-h200' THEN 1 WHEN 'xeon-2c' THEN 2 WHEN 'paper' THEN 4 ELSE 3 END) AS first
  FROM claim_verdict
  WHERE same_as IS NULL AND claim NOT IN (SELECT claim FROM claim_verdict GROUP BY claim HAVING coalesce(max(CASE WHEN machine <> 'paper' THEN subject END), max(class)) = 'settings')
  GROUP BY claim)
SELECT paper, CASE WHEN is_own AND verdict NOT LIKE 'by its own %' THEN 'by its own numbers: ' ELSE '' END || verdict AS verdict, count(*) AS n
FROM one GROUP BY paper, is_own, verdict ORDER BY paper, is_own, min(rank), verdict

-- rdp-ablation: kernel time of a frame by rdp/gpu-paper, us, kitti-sgm, eps 4, as the paper has it and otherwise
SELECT CASE m.unroll || m.barriers || m.skip WHEN '5one0' THEN 'as in the paper' WHEN '0one0' THEN 'no stride unrolled'
            WHEN '5two0' THEN 'a second barrier a stride' WHEN '5one1' THEN 'finished segments rest' END AS variant,
       short_text(max(CASE m.height WHEN 256 THEN 1000 * m.mean_ms END), 3) AS "256 rows",
       short_text(max(CASE m.height WHEN 512 THEN 1000 * m.mean_ms END), 3) AS "512 rows",
       short_text(max(CASE m.height WHEN 1024 THEN 1000 * m.mean_ms END), 3) AS "1024 rows"
FROM current AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'rdp/gpu-paper' AND m.input = 'kitti-sgm' AND m.width = 1242
  AND c.config_id = config_id(m.impl, m.problem, c.harness_keys, picked(m.keys, 'width;height;unroll;barriers;skip', 1))
  AND m.frame_pick = 'all' AND m.scope = 'kernel' AND m.series = 'frames' AND m.stage IS NULL AND c.sms IS NULL AND c.batch = 1
GROUP BY m.unroll, m.barriers, m.skip HAVING variant IS NOT NULL ORDER BY variant <> 'as in the paper', variant

-- rdp-frame: a frame of 1024 rows end to end, ms, typical frame of kitti-sgm, eps 4, hot; newest session
SELECT impl || CASE layout WHEN 'rows' THEN ', the GPU transposes' ELSE '' END || CASE transfer WHEN 'mapped' THEN ', from the host''s memory' ELSE '' END AS variant,
       short_text(min(median_ms), 3) AS "end to end, ms"
FROM good
WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/frame' AND scope = 'end_to_end' AND stage IS NULL AND height = 1024
  AND input = 'kitti-sgm' AND eps = 4 AND series = 'hot' AND frame_pick = 'typical'
  AND session = (SELECT max(session) FROM good WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/frame')
GROUP BY impl, layout, transfer HAVING layout IS NOT 'columns' OR transfer <> 'mapped' ORDER BY min(median_ms)

-- rdp-cores: how many times as fast 16 cores are as one, kernel time of the typical frame of kitti-sgm, in one session
WITH times AS (
  SELECT impl, short_text(max(CASE threads WHEN 1 THEN median_ms END) / max(CASE threads WHEN 16 THEN median_ms END), 3) AS said
  FROM good
  WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/cpu' AND input = 'kitti-sgm' AND scope = 'kernel' AND series = 'hot' AND stage IS NULL
    AND session = (SELECT max(session) FROM good WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/cpu' AND threads = 16)
  GROUP BY impl)
SELECT max(CASE impl WHEN 'rdp/cpu-simd' THEN said END) AS simd, max(CASE impl WHEN 'rdp/omp-columns' THEN said END) AS columns FROM times GROUP BY NULL

-- stixels-frame: a frame from the host's planes to the list, us, by how its scores come, hot: city in the newest session, street in its own
SELECT replace(impl, 'stixels/', '') || coalesce(', planes = ' || planes, '') AS variant,
       CASE input WHEN 'street' THEN 'street, 1 x 5 px' ELSE CAST(block AS TEXT) || ' x ' || block || ' px' END AS frame,
       short_text(max(CASE scope WHEN 'kernel' THEN 1000 * median_ms END), 3) AS kernels,
       short_text(max(CASE scope WHEN 'end_to_end' THEN 1000 * median_ms END), 3) AS "end to end",
       coalesce(short_text(max(CASE scope WHEN 'scores_on_gpu' THEN 1000 * median_ms END), 3), '') AS "scores on the GPU"
FROM good AS m
WHERE results = 'xeon-16c_nvidia-h200' AND impl IN ('stixels/gpu-paper', 'stixels/gpu-opt') AND model = 'b12' AND series = 'hot' AND stage IS NULL
  AND (experiment = 'stixels/frame' OR experiment = 'stixels/targets' AND input = 'street' AND impl = 'stixels/gpu-opt')
  AND session = (SELECT max(session) FROM good AS o WHERE o.results = m.results AND o.experiment = m.experiment AND (m.experiment = 'stixels/frame' OR o.input = m.input))
GROUP BY input, impl, planes, block ORDER BY input, CAST(block AS TEXT) DESC, impl DESC, max(CASE scope WHEN 'end_to_end' THEN median_ms END) DESC

-- som-quality: mean %cost of som/gpu-opt less that of som/gpu-paper, over seeds, by size of the map
WITH cost AS (
  SELECT m.input, m.sigma, m.seed, m.impl = 'som/gpu-opt' AS is_opt, median(v.value) AS pct
  FROM good AS m JOIN configuration AS c ON c.id = m.configuration
  JOIN value AS v ON v.measurement = m.id AND v.name = 'cost_pct' AND v.idx IS NULL
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.rounds = 1500 AND m.sigma IN (12, 24) AND m.ssr = CASE WHEN m.input IN ('tsukuba', 'venus') THEN 3 ELSE 4 END AND m.height = 0 AND m.crr = 20 AND m.co = 20
    AND m.input NOT LIKE 'map-%' AND c.batch = 1 AND c.sms IS NULL AND (m.impl = 'som/gpu-opt' OR m.impl = 'som/gpu-paper' AND m.block_threads = 8
      AND m.atomics = 'cas64' AND m.kernels = 'single' AND m.walk = 'turned' AND m.mov = 2 AND m."update" = 'live')
  GROUP BY m.input, m.sigma, m.seed, is_opt),
mean AS (
  SELECT input, sigma, avg(CASE WHEN NOT is_opt THEN pct END) AS paper, avg(CASE WHEN is_opt THEN pct END) AS opt, substr(input, -1) AS size
  FROM cost GROUP BY input, sigma)
SELECT CASE size WHEN 'M' THEN 'medium' WHEN 'L' THEN 'large' ELSE 'small' END AS maps,
       max(CASE sigma WHEN 12 THEN said END) AS "sigma 12", max(CASE sigma WHEN 24 THEN said END) AS "sigma 24"
FROM (SELECT CASE WHEN size IN ('M', 'L') THEN size ELSE '' END AS size, sigma, printf('%+.1f to %+.1f', min(opt - paper), max(opt - paper)) AS said
      FROM mean WHERE paper IS NOT NULL AND opt IS NOT NULL GROUP BY 1, 2)
GROUP BY size ORDER BY size = 'L', size

-- rdp-factors: the time of a CPU variant on its best team over that of rdp/gpu-paper, kitti-sgm, eps 4: the range over all sessions
WITH ms AS (
  SELECT session, commit_hash, height, impl, min(mean_ms) AS ms
  FROM good
  WHERE results = 'xeon-16c_nvidia-h200' AND input = 'kitti-sgm' AND eps = 4 AND median = 0 AND width = 1242 AND scope = 'kernel' AND series = 'frames'
    AND frame_pick = 'all' AND batch = 1 AND stage IS NULL AND coalesce(sms, sm_count) = sm_count AND distance = 'vertical'
    AND (impl <> 'rdp/gpu-paper' OR unroll = 5 AND coalesce(barriers, 'one') = 'one' AND skip = 0 AND coalesce(ids, 'no') = 'no')
  GROUP BY session, height, impl),
factor AS (SELECT c.height, c.impl, c.ms / g.ms AS factor FROM ms AS c JOIN ms AS g USING (session, height)
           WHERE g.impl = 'rdp/gpu-paper' AND c.impl IN ('rdp/omp-columns', 'rdp/cpu-simd'))
SELECT impl AS "CPU variant", max(CASE height WHEN 256 THEN span END) AS "256 rows", max(CASE height WHEN 512 THEN span END) AS "512 rows",
       max(CASE height WHEN 1024 THEN span END) AS "1024 rows"
FROM (SELECT impl, height, printf('%.1f to %.1f', min(factor), max(factor)) AS span FROM factor GROUP BY impl, height)
GROUP BY impl ORDER BY impl DESC

-- som-factors: Table 2's maps, 1500 rounds: the time of som/serial over that of a GPU variant, means over the seeds of one session
WITH one AS (
  SELECT session, input, ssr, sigma, avg(mean_ms) AS ms, impl || CASE block_threads || atomics WHEN '8cas64' THEN ', as in the paper' WHEN '1exch' THEN ', 1 thread, exchanges' ELSE '' END AS variant
  FROM good
  WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'som/table2' AND input NOT LIKE 'map-%' AND input NOT LIKE '%-x2' AND rounds = 1500 AND scope = 'kernel'
    AND series = 'hot' AND stage IS NULL AND batch = 1 AND coalesce(sms, sm_count) = sm_count AND height = 0
    AND (impl <> 'som/gpu-paper' OR block_threads || atomics IN ('8cas64', '1exch') AND kernels = 'single' AND mov = 2 AND walk = 'turned')
  GROUP BY session, input, ssr, sigma, variant),
pair AS (
  SELECT v.sigma, v.variant, v.ms, s.ms / v.ms AS factor, max(v.session), CASE substr(v.input, -1) WHEN 'L' THEN 3 WHEN 'M' THEN 2 ELSE 1 END AS size
  FROM one AS v JOIN one AS s USING (session, input, ssr, sigma)
  WHERE s.variant = 'som/serial' AND v.variant LIKE 'som/gpu%'
  GROUP BY v.variant, v.input, v.ssr, v.sigma),
span AS (
  SELECT sigma, variant, size, short_text(min(factor), 2) || ' to ' || short_text(max(factor), 2) AS factors, min(ms) AS least, max(ms) AS most
  FROM pair GROUP BY sigma, variant, size)
SELECT variant AS "GPU variant", CAST(sigma AS INTEGER) AS sigma, max(CASE size WHEN 1 THEN factors END) AS "small maps", max(CASE size WHEN 2 THEN factors END) AS "medium",
       max(CASE size WHEN 3 THEN factors END) AS "large", short_text(min(least), 3) || ' to ' || short_text(max(most), 3) AS "ms a map"
FROM span GROUP BY variant, sigma ORDER BY variant = 'som/gpu-opt', variant DESC, sigma

-- rdp-peers: other line simplifiers on one thread: median time over rdp/serial's, and which share of columns is the reference's; of the sessions with most of the libraries the newest
WITH newest AS (SELECT results, session FROM good WHERE experiment = 'rdp/peers' GROUP BY results, session ORDER BY count(DISTINCT impl) DESC, session DESC LIMIT 1),
serial AS (
  SELECT m.input, m.median_ms AS ms FROM good AS m JOIN newest USING (results, session)
  WHERE m.experiment = 'rdp/peers' AND m.impl = 'rdp/serial' AND m.scope = 'kernel' AND m.series = 'hot' AND m.stage IS NULL),
cell AS (
  SELECT m.impl, m.input, short_text(m.median_ms / serial.ms, 3) || CASE m.verdict WHEN 'other' THEN ' (' || CASE WHEN v.value > 99.9 AND v.value < 100 THEN 'over 99.9'
         ELSE printf('%.3g', v.value) END || ' %)' WHEN 'exact' THEN ' (all, every bit)' ELSE '' END AS said
  FROM good AS m JOIN newest USING (results, session) JOIN serial USING (input)
       LEFT JOIN value AS v ON v.measurement = m.id AND v.name = 'equal_pct'
  WHERE m.experiment = 'rdp/peers' AND m.scope = 'kernel' AND m.series = 'hot' AND m.stage IS NULL),
variant(nr, impl, rule) AS (VALUES (1, 'rdp/cpu-simd', 'the paper''s'), (2, 'rdp/serial', 'the paper''s: the reference'), (3, 'rdp/geos', 'the paper''s'),
  (4, 'rdp/boost', 'rounds equal distances'), (5, 'rdp/opencv', 'drops kept rows again'))
SELECT impl AS variant, rule, coalesce(max(CASE input WHEN 'kitti-sgm' THEN said END), 'not run yet') AS "kitti-sgm, 1242 x 1024",
       coalesce(max(CASE input WHEN 'scene' THEN said END), 'not run yet') AS "scene, 1242 x 1024",
       coalesce(max(CASE input WHEN 'street' THEN said END), 'not run yet') AS "street, 1024 x 768"
FROM variant LEFT JOIN cell USING (impl) GROUP BY nr ORDER BY nr

-- stixels-prune: what leaving out stixels that cannot win leaves of a frame's time, by size of blocks, the range over inputs: newest session, one core
WITH newest AS (SELECT results, max(session) AS session FROM good WHERE experiment = 'stixels/prune' AND impl = 'stixels/openmp'),
share AS (
  SELECT CAST(a.block AS TEXT) AS block, b.median_ms / a.median_ms AS share
  FROM good AS a JOIN newest USING (results, session) JOIN good AS b
       ON b.results = a.results AND b.session = a.session AND b.experiment = a.experiment AND b.impl = a.impl AND b.input = a.input
          AND b.block = a.block AND b.classes = a.classes AND b.scope = a.scope AND b.stage IS NULL AND b.prune = 'proved'
  WHERE a.experiment = 'stixels/prune' AND a.impl = 'stixels/openmp' AND a.scope = 'kernel' AND a.stage IS NULL AND a.prune = 'none')
SELECT max(CASE block WHEN '8' THEN said END) AS b8, max(CASE block WHEN '4' THEN said END) AS b4
FROM (SELECT block, short_text(min(share), 2) || ' to ' || short_text(max(share), 2) AS said FROM share GROUP BY block)
GROUP BY NULL

-- stx-cuts: cuts at candidate rows against all, one core, and gpu-cubic: how many times as fast, whole frames, as both run by default; medians over the sessions that measured both, and at what energy
WITH pair AS (
  SELECT c.impl LIKE '%/gpu%' AS is_gpu, c.model, c.input, median(f.mean_ms / c.mean_ms) AS times, max(v.value) AS excess
  FROM good AS c JOIN value AS v ON v.measurement = c.id AND v.name = 'energy_excess_pct' AND v.idx IS NULL
  JOIN good AS f ON f.results = c.results AND f.session = c.session AND f.experiment = c.experiment AND f.input = c.input
       AND f.impl LIKE CASE WHEN c.impl LIKE '%/gpu%' THEN '%/gpu-cubic' ELSE '%openmp' END
       AND f.block = c.block AND f.classes = c.classes AND f.columns IS c.columns AND f.model = c.model AND f.scope = c.scope AND f.prune IS c.prune
  WHERE c.experiment = 'stixels/cuts' AND c.impl LIKE 'stixels/%cuts%' AND c.scope = 'kernel' AND coalesce(c.prune, 'proved') = 'proved' AND coalesce(c.columns, 0) = 0
  GROUP BY 1, c.model, c.input, c.block, c.classes, c.columns)
SELECT CASE WHEN count(*) = 0 THEN 'not run yet' ELSE printf('at most %s times as fast with eq. 6%s, %s with eq. 12, in noise %s at least; at most %s %% more energy',
                       short_text(max(CASE WHEN model = 'b6' AND NOT is_gpu THEN times END), 2),
                       coalesce(' (on a GPU ' || nullif(short_text(max(CASE WHEN is_gpu THEN times END), 2), '') || ')', ''), short_text(max(CASE WHEN model = 'b12' THEN times END), 2),
                       short_text(min(CASE WHEN input = 'noise' THEN times END), 2), short_text(max(excess), 2)) END AS said
FROM pair

-- streams: frames on a clock on an H200, one in flight
SELECT m.impl || CASE m.scope WHEN 'scores_on_gpu' THEN ', scores on the GPU' ELSE '' END || coalesce(', ' || c.stream_wake, '') AS variant,
       m.stream_rate AS "rate, 1/s", short_text(m.median_ms, 3) AS median, short_text(m.p99_ms, 3) AS "99 %", short_text(m.max_ms, 3) AS longest,
       CASE m.stream_rate WHEN 'max' THEN CAST(round(m.fps) AS INTEGER) ELSE '' END AS "frames/s",
       short_text(m.host_ms, 2) AS host, coalesce(short_text(m.gpu_ms, 3), '') AS GPU, coalesce(short_text(m.mj_frame, 3), '') AS "mJ a frame",
       CASE m.results WHEN 'xeon-16c_nvidia-h200' THEN 'yes' ELSE 'no' END AS alone
FROM current AS m
JOIN configuration AS c ON c.id = m.configuration
WHERE (m.results = 'xeon-16c_nvidia-h200' AND m.experiment LIKE '%/stream'
       OR m.results = 'xeon-64c_nvidia-h200'
       AND NOT EXISTS (SELECT 1 FROM current AS o WHERE o.results = 'xeon-16c_nvidia-h200' AND o.configuration = m.configuration AND o.experiment LIKE '%/stream'))
  AND c.stream_launch IS NULL AND c.stream_rate IN ('30', 'max') AND c.stream_in_flight = 1 AND c.stream_arrival = 'queue'
  AND (m.impl NOT LIKE '%paper' OR m.problem = 'rdp') AND coalesce(m.planes, '') <> 'root8'
ORDER BY m.problem, m.device DESC, m.impl DESC, m.scope, m.planes, c.stream_rate, c.stream_wake

-- awake: median latencies at 30 frames a second, in ms: asleep before, and the least of both ways of waking in the same session
WITH row AS (
  SELECT m.session, m.problem, c.stream_wake, m.median_ms AS ms
  FROM good AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND c.stream_rate = '30' AND c.stream_in_flight = 1 AND c.stream_arrival = 'queue' AND c.stream_launch IS NULL
    AND (m.experiment = 'rdp/stream' AND m.impl = 'rdp/gpu-opt' OR m.experiment = 'stixels/stream' AND m.impl = 'stixels/gpu-opt' AND m.scope = 'scores_on_gpu')),
both AS (
  SELECT problem, short_text(asleep, 3) AS asleep, short_text(awake, 3) AS awake, max(session)
  FROM (SELECT problem, session, min(CASE WHEN stream_wake IS NULL THEN ms END) AS asleep, min(CASE WHEN stream_wake IS NOT NULL THEN ms END) AS awake FROM row GROUP BY problem, session)
  WHERE asleep > 0 AND awake > 0 GROUP BY problem)
SELECT (SELECT asleep FROM both WHERE problem = 'rdp') AS rdp, (SELECT awake FROM both WHERE problem = 'rdp') AS rdp_awake,
       (SELECT asleep FROM both WHERE problem = 'stixels') AS stixels, (SELECT awake FROM both WHERE problem = 'stixels') AS stixels_awake

-- pairs: from both views in the host's memory to stixels or segments, on a GPU; medians in ms, of the kernels' parts, too
WITH mine AS (SELECT id, session, impl, input, scope, stage, median_ms AS ms FROM current
              WHERE results = 'xeon-16c_nvidia-h200' AND experiment LIKE 'pair/%' AND series = 'frames' AND device = 'gpu'),
part AS (SELECT w.*, t.id AS take FROM mine AS w LEFT JOIN mine AS t ON t.session = w.session AND t.impl = w.impl AND t.input = w.input AND t.scope = 'kernel' AND t.stage = 'take')
SELECT impl AS variant, input AS pair, short_text(max(CASE WHEN scope = 'end_to_end' AND stage IS NULL THEN ms END), 3) AS "end to end",
       short_text(sum(CASE WHEN scope = 'kernel' AND id < take AND stage NOT LIKE '%:%' THEN ms END), 3) AS disparities,
       short_text(sum(CASE WHEN scope = 'kernel' AND id >= take AND stage NOT LIKE '%:%' THEN ms END), 3) AS behind
FROM part WHERE input <> 'kitti2015-pair' GROUP BY impl, input ORDER BY impl LIKE '%paper', impl, input

-- sgm-peers: public programs beside ours on H200s' machines, mean times in ms, and in % the pixels that are ours and outliers (D1); of each program the session with most of its cells
WITH cell AS (SELECT * FROM good WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'sgm/peers' AND scope = 'kernel' AND stage IS NULL),
session_of AS (SELECT impl, session, max(printf('%04d', n) || session) FROM (SELECT impl, session, count(*) AS n FROM cell GROUP BY impl, session) GROUP BY impl),
row AS (SELECT m.*, (SELECT value FROM value AS v WHERE v.measurement = m.id AND v.name = 'd1_pct' AND v.idx IS NULL) AS d1,
               (SELECT value FROM value AS v WHERE v.measurement = m.id AND v.name = 'equal_pct' AND v.idx IS NULL) AS equal
        FROM cell AS m JOIN session_of USING (impl, session))
SELECT CASE WHEN width > 0 THEN width || ' x ' || height ELSE '640 x 480' END || CASE WHEN subpixel = 1 THEN ', sub-pixel' WHEN lr_check = 1 THEN ', checked' ELSE '' END AS pair, paths,
       short_text(max(CASE impl WHEN 'sgm/gpu-opt' THEN mean_ms END), 3) AS "gpu-opt", short_text(max(CASE impl WHEN 'sgm/gpu-paper' THEN mean_ms END), 3) AS "gpu-paper",
       short_text(max(CASE impl WHEN 'ext/sgm-libsgm' THEN mean_ms END), 3) AS libSGM, coalesce(short_text(max(CASE impl WHEN 'sgm/openmp' THEN mean_ms END), 2), '') AS openmp,
       short_text(max(CASE impl WHEN 'ext/sgm-opencv' THEN mean_ms END), 2) AS StereoSGBM, short_text(max(CASE impl WHEN 'ext/sgm-libsgm' THEN equal END), 3) AS "libSGM's equal",
       short_text(max(CASE impl WHEN 'sgm/gpu-opt' THEN d1 END), 3) || ', ' || short_text(max(CASE impl WHEN 'ext/sgm-libsgm' THEN d1 END), 3) || ', ' || short_text(max(CASE impl WHEN 'ext/sgm-opencv' THEN d1 END), 3) AS "D1: ours, libSGM's, StereoSGBM's"
FROM row WHERE width = 0 OR lr_check = 1 GROUP BY width, height, lr_check, subpixel, paths ORDER BY width, lr_check, subpixel, paths

-- pair-clock: pairs of city-pair that arrive on a clock, to stixels on a GPU; latencies in ms
SELECT m.stream_rate AS "rate, 1/s", short_text(m.median_ms, 3) AS median, short_text(m.p99_ms, 3) AS "99 %",
       short_text(m.max_ms, 3) AS longest, coalesce(m.n_missed || ' of ' || m.n, '') AS missed, coalesce(short_text(m.mj_frame, 3), '') AS "mJ a pair"
FROM current AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'pair-stixels/gpu-opt' AND m.input = 'city-pair' AND c.stream_rate IS NOT NULL
ORDER BY c.stream_rate, c.stream_wake

-- stereo: from a pair of views to stixels, on two cores of one run: the share of the stixels alone in it, %
SELECT printf('%.0f to %.0f', min(100 * b.median_ms / a.median_ms), max(100 * b.median_ms / a.median_ms)) AS share
FROM current AS a
JOIN current AS b ON b.results = a.results AND b.session = a.session AND b.impl = 'stixels/openmp' AND b.input = a.input AND b.arith = a.arith AND b.scope = a.scope
WHERE a.experiment = 'stixels/stereo' AND a.results = 'epyc-2c' AND a.impl LIKE 'ext/%' AND a.impl <> 'ext/stereo-matcher' AND a.scope = 'kernel'

-- rates: how many of 5000 frames missed the next one's arrival, on an H200 that nothing else used
SELECT m.impl || CASE m.scope WHEN 'scores_on_gpu' THEN ', scores on the GPU' ELSE '' END AS variant, c.stream_in_flight AS "in flight",
       coalesce(max(CASE c.stream_rate WHEN '240' THEN m.n_missed END), '') AS "240/s",
       coalesce(max(CASE c.stream_rate WHEN '500' THEN m.n_missed END), '') AS "500/s",
       coalesce(max(CASE c.stream_rate WHEN '1000' THEN m.n_missed END), '') AS "1000/s",
       coalesce(max(CASE c.stream_rate WHEN '2000' THEN m.n_missed END), '') AS "2000/s",
       coalesce(max(CASE c.stream_rate WHEN '5000' THEN m.n_missed END), '') AS "5000/s",
       coalesce(max(CASE c.stream_rate WHEN '10000' THEN m.n_missed END), '') AS "10000/s"
FROM current AS m
JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.experiment LIKE '%/stream' AND c.stream_arrival = 'queue' AND CAST(c.stream_rate AS INTEGER) >= 240
GROUP BY m.impl, m.scope, m.planes, c.stream_in_flight
ORDER BY m.problem, m.device DESC, m.impl DESC, m.scope, c.stream_in_flight

-- scale-parts: what two GPUs take from each other, part by part, each alone on both: the time of both together, of half that of one
SELECT CASE WHEN scope = 'end_to_end' THEN printf('copies of %d MiB to the GPU and back', kib / 1024) WHEN operation = 'fma' THEN 'a kernel of arithmetic' ELSE 'a kernel of copies' END AS part,
       printf('%.4g', max(CASE ranks WHEN 1 THEN mean_ms END)) AS "1 GPU [ms]", printf('%.4g', max(CASE ranks WHEN 2 THEN mean_ms END)) AS "2 GPUs [ms]",
       printf('%.3f', 2 * max(CASE ranks WHEN 2 THEN mean_ms END) / max(CASE ranks WHEN 1 THEN mean_ms END)) AS "of half"
FROM current WHERE results = 'xeon-32c_nvidia-h200' AND problem = 'probe' AND scaling = 'weak' GROUP BY scope, operation, kib ORDER BY scope DESC, kib

-- scale-gpus: frames a second together, end to end, weak: a GPU for each rank, on a host of two and on one of four; by the parts: half of one GPU's kernels, and of the rest as copies alone have it
WITH row AS (
  SELECT problem, impl, scope, ranks, results, layout, fps, mean_ms, kib FROM current
  WHERE scaling = 'weak' AND coalesce(rank_gpus, 1) = ranks AND input <> 'scene' AND results IN ('xeon-32c_nvidia-h200', 'xeon-64c_nvidia-h200')),
told AS (
  SELECT problem, impl, scope, coalesce(layout, '') AS layout, kib, max(CASE WHEN ranks = 1 AND results LIKE '%-32c%' THEN mean_ms END) AS one,
         max(CASE WHEN ranks = 2 AND results LIKE '%-32c%' THEN mean_ms END) AS two, max(CASE WHEN ranks = 4 THEN CAST(round(fps) AS INTEGER) END) AS four
  FROM row GROUP BY problem, impl, scope, layout, kib),
parts AS (
  SELECT t.*, (k.one + (t.one - k.one) * 2 * c.two / c.one) / 2 AS said
  FROM told AS t JOIN told AS k ON k.impl = t.impl AND k.layout = t.layout AND k.scope = 'kernel'
  JOIN told AS c ON c.problem = 'probe' AND c.scope = 'end_to_end' AND c.kib = CASE t.problem WHEN 'stixels' THEN 65536 ELSE 1024 END)
SELECT impl || CASE layout WHEN 'rows' THEN ', layout = rows' ELSE '' END AS variant, CAST(round(1000 / one) AS INTEGER) AS "1 GPU", CAST(round(1000 / two) AS INTEGER) AS "2 GPUs",
       CAST(round(1000 / said) AS INTEGER) AS "2 by the parts", printf('%+.1f %%', 100 * (said / two - 1)) AS "parts over 2 GPUs", coalesce(four, '') AS "4 GPUs"
FROM parts WHERE scope = 'end_to_end' AND problem <> 'probe' AND impl LIKE '%gpu-opt' ORDER BY problem, layout

-- scale-cameras: frames at 240 a second on a host of two: how many were late, of how many, and within what ms 99 of 100 came
SELECT sum(n_missed) AS late, sum(n) AS frames, max(CASE WHEN problem = 'rdp' AND configuration IN (SELECT id FROM configuration WHERE stream_in_flight = 8) THEN short_text(p99_ms, 2) END) AS rdp,
       max(CASE problem WHEN 'pair-stixels' THEN short_text(p99_ms, 2) END) AS pair
FROM good WHERE results = 'xeon-32c_nvidia-h200' AND series = 'stream' AND configuration IN (SELECT id FROM configuration WHERE stream_rate = '240')

-- scale-processes: frames a second together, weak: processes that share one GPU, on a host of two
SELECT m.impl || ', ' || replace(m.scope, '_', ' ') AS variant, max(CASE m.ranks WHEN 1 THEN CAST(round(m.fps) AS INTEGER) END) AS "1 process",
       max(CASE m.ranks WHEN 2 THEN CAST(round(m.fps) AS INTEGER) END) AS "2 processes", max(CASE m.ranks WHEN 16 THEN CAST(round(m.fps) AS INTEGER) END) AS "16 processes"
FROM good AS m WHERE m.scaling = 'weak' AND m.impl LIKE '%gpu-opt' AND m.results = 'xeon-32c_nvidia-h200' AND m.experiment LIKE 'scale/processes%'
GROUP BY m.impl, m.scope ORDER BY m.problem, m.scope DESC

-- scale-streams: frames a second by frames in flight on one GPU, end to end
WITH row AS (
  SELECT m.problem, m.impl, m.scope, c.stream_in_flight AS n, CAST(round(m.fps) AS INTEGER) AS fps, max(m.session)
  FROM good AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-64c_nvidia-h200' AND m.experiment LIKE 'scale/streams%' AND m.impl LIKE '%gpu-opt'
  GROUP BY m.problem, m.impl, m.scope, c.stream_in_flight)
SELECT impl || CASE scope WHEN 'scores_on_gpu' THEN ', scores on the GPU' ELSE '' END AS "in flight", max(CASE n WHEN 1 THEN fps END) AS "1", max(CASE n WHEN 2 THEN fps END) AS "2",
       max(CASE n WHEN 4 THEN fps END) AS "4", max(CASE n WHEN 8 THEN fps END) AS "8", max(CASE n WHEN 16 THEN fps END) AS "16"
FROM row GROUP BY impl, scope ORDER BY problem, scope

-- som-bands: what the difference of two runs of the reference schedule of live updates stays below in 999 of 1000 pairs
WITH run AS (
  SELECT m.id, m.input, m.sigma, v.name, v.value FROM good AS m JOIN value AS v ON v.measurement = m.id
  WHERE m.results = 'epyc-2c' AND m.experiment = 'som/band' AND v.name IN ('cost_pct', 'folded_pct', 'coverage_pct')),
pair AS (
  SELECT a.name, a.input, a.sigma, CASE a.name WHEN 'coverage_pct' THEN abs(a.value - b.value) ELSE a.value - b.value END AS apart
  FROM run AS a JOIN run AS b ON b.name = a.name AND b.input = a.input AND b.sigma = a.sigma AND b.id <> a.id),
band AS (
  SELECT name, round(max(below) + 0.04999, 1) AS band FROM (SELECT name, quantile(apart, 0.999) AS below FROM pair GROUP BY name, input, sigma)
  GROUP BY name)
SELECT CASE name WHEN 'cost_pct' THEN '%cost' WHEN 'folded_pct' THEN '% folded' ELSE '% covered' END AS "of", band, count(*) AS pairs,
       sum(apart > band) AS "beyond the band"
FROM pair JOIN band USING (name) GROUP BY name ORDER BY band DESC

-- claims: the number that a paper prints for a claim, and what rows of the H200 have
SELECT claim, max(printed) AS printed, max(CASE machine WHEN 'xeon-16c_nvidia-h200' THEN short_text(value, 2) END) AS found FROM claim_verdict GROUP BY claim

-- rdp-values: rounds of a column, shares of the threads that still work in a round, and segments, kitti-sgm, eps 4 and 8; newest session
SELECT max(CASE v.name WHEN 'rounds_mean' THEN printf('%.1f', v.value) END) AS mean, max(CASE v.name WHEN 'rounds_max' THEN printf('%.0f', v.value) END) AS most,
       max(CASE v.idx WHEN 4 THEN printf('%.0f', v.value) END) AS round4, max(CASE v.idx WHEN 6 THEN printf('%.0f', v.value) END) AS round6,
       max(CASE WHEN v.name = 'segments' AND eps = 4 THEN printf('%.1f', v.value) END) AS segments4, max(CASE WHEN v.name = 'segments' AND eps = 8 THEN printf('%.1f', v.value) END) AS segments8
FROM (SELECT id, eps, max(session) FROM good
      WHERE results = 'xeon-16c_nvidia-h200' AND experiment IN ('rdp/fig5', 'rdp/fig7') AND input = 'kitti-sgm' AND eps IN (4, 8) AND median = 5 AND height = 1024
      GROUP BY experiment, eps) AS m
JOIN value AS v ON v.measurement = m.id AND (v.name = 'segments' OR eps = 4 AND v.name IN ('rounds_mean', 'rounds_max', 'useful_pct'))
GROUP BY NULL

-- rdp-gpu: rdp/gpu-paper at 256, 512, 1024 rows, kitti-sgm, eps 4: ms, growth, and us on 8 multiprocessors at the clock of a Xavier
WITH cell AS (
  SELECT CASE m.input WHEN 'noise' THEN 0 ELSE m.height END AS height, c.sms IS NOT NULL AS is_cut, m.mean_ms AS ms, m.mean_ms * m.gpu_mhz_med / 1377 AS scaled
  FROM current AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'rdp/gpu-paper' AND (m.input = 'kitti-sgm' OR m.input = 'noise' AND m.height = 1024) AND m.eps = 4
    AND m.median = 0 AND m.width = 1242 AND m.frame_pick = 'all' AND m.scope = 'kernel' AND m.series = 'frames' AND m.stage IS NULL AND c.batch = 1
    AND coalesce(c.sms, 8) = 8 AND m.unroll = 5 AND coalesce(m.barriers, 'one') = 'one' AND m.skip = 0 AND coalesce(m.ids, 'no') = 'no'),
had AS (
  SELECT max(CASE WHEN NOT is_cut AND height = 512 THEN ms END) AS ms512, max(CASE WHEN NOT is_cut AND height = 1024 THEN ms END) AS ms1024,
         max(CASE WHEN NOT is_cut AND height = 0 THEN ms END) AS noise, max(CASE WHEN is_cut AND height = 256 THEN scaled END) AS cut256,
         max(CASE WHEN is_cut AND height = 512 THEN scaled END) AS cut512, max(CASE WHEN is_cut AND height = 1024 THEN scaled END) AS cut1024,
         max(CASE WHEN is_cut AND height = 0 THEN scaled END) AS noise_cut
  FROM cell)
SELECT printf('%.3f', ms1024) AS ms, CASE WHEN ms512 > 0 THEN printf('%.1f', ms1024 / ms512) END AS growth, CASE WHEN cut1024 / cut512 > 0 THEN printf('%.1f', cut1024 / cut512) END AS growth_cut,
       CASE WHEN cut256 + cut512 + cut1024 > 0 THEN printf('%.0f, %.0f, %.0f', 1000 * cut256, 1000 * cut512, 1000 * cut1024) END AS us_cut,
       (SELECT group_concat(us, ', ') FROM (SELECT short_text(1000 * value, 4) AS us FROM printed WHERE paper = 'rdp' AND figure = 'fig9' AND name = 'mean_ms' ORDER BY value)) AS us_printed,
       CASE WHEN noise > 0 THEN printf('%.2f', noise) END AS noise, CASE WHEN noise_cut > 0 THEN printf('%.1f', noise_cut) END AS noise_cut
FROM had WHERE ms1024 > 0

-- cards: how many H200s the rows that count are of
SELECT count(DISTINCT gpu_uuid) AS h200 FROM current WHERE gpu = 'NVIDIA H200'

-- stx-gpu: stixels/gpu-paper and gpu-cubic, code = text, on city, whole and on 8 multiprocessors at a Xavier's clock: with eq. 12 so many times as fast, fps, GB/s of down-sampling
WITH cell AS (
  SELECT CAST(m.block AS INTEGER) AS block, c.sms IS NOT NULL AS is_cut, m.stage, m.model, m.mean_ms AS ms, m.gpu_mhz_med AS mhz
  FROM current AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl IN ('stixels/gpu-paper', 'stixels/gpu-cubic') AND m.input = 'city' AND m.scope = 'kernel' AND m.series = 'hot'
    AND coalesce(c.sms, 8) = 8 AND c.batch = 1 AND m.classes = 18 AND m.arith = 'float' AND m.height = 0 AND m.columns = 0 AND m.block IN (8, 4)
    AND coalesce(m.dp, 'b') = 'b' AND coalesce(m.scan, 'warp') = 'warp' AND coalesce(m.sat, 'shared') = 'shared' AND m.code = 'text'),
part AS (
  SELECT block, is_cut, max(CASE WHEN model = 'b6' AND stage = 'dynamic programming' THEN ms END) / max(CASE WHEN model = 'b12' AND stage = 'dynamic programming' THEN ms END) AS dp,
         max(CASE WHEN model = 'b6' AND stage IS NULL THEN ms END) / max(CASE WHEN model = 'b12' AND stage IS NULL THEN ms END) AS frame,
         max(CASE WHEN model = 'b12' AND stage IS NULL THEN 1000 / (ms * mhz / 1377) END) AS fps, max(CASE WHEN model = 'b12' AND stage = 'downsample' THEN ms END) AS ds
  FROM cell GROUP BY block, is_cut),
read AS (
  SELECT CAST(block AS INTEGER) AS block, run_dram_bytes AS bytes, max(utc) FROM counter
  WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'stixels/fig9' AND impl = 'stixels/gpu-paper' AND model = 'b12' AND stage = 'downsample' AND run_dram_bytes > 0
    AND instr(';' || keys || ';', ';code=text;')
  GROUP BY block),
both AS (
  SELECT e.is_cut, printf('%.1f and %.1f', e.dp, f.dp) AS dp, printf('%.1f and %.1f', e.frame, f.frame) AS frame,
         printf('%.0f and %.0f', e.fps, f.fps) AS fps, e.ds AS ds8, f.ds AS ds4
  FROM part AS e JOIN part AS f USING (is_cut) WHERE e.block = 8 AND f.block = 4 AND e.dp + f.dp + e.frame + f.frame > 0),
moved AS (SELECT is_cut, b8.bytes / ds8 / 1e6 AS gbs8, b4.bytes / ds4 / 1e6 AS gbs4 FROM both JOIN read AS b8 ON b8.block = 8 JOIN read AS b4 ON b4.block = 4)
SELECT whole.dp, cut.dp AS dp_cut, whole.frame, cut.frame AS frame_cut, cut.fps AS fps_cut,
       (SELECT printf('%.0f and %.0f', gbs8, gbs4) FROM moved WHERE is_cut) AS ds_cut,
       (SELECT printf('%.0f to %.0f', min(gbs8, gbs4) / 48, max(gbs8, gbs4) / 48) FROM moved WHERE NOT is_cut) AS ds_share
FROM both AS whole JOIN both AS cut WHERE NOT whole.is_cut AND cut.is_cut

-- stx-count: millions of warp instructions of dynamic programming by stixels/gpu-paper and gpu-cubic, code = text, 8 x 8 and 4 x 4
WITH n AS (
  SELECT model, CAST(block AS INTEGER) AS block, run_instructions / 1e6 AS millions, registers, max(utc)
  FROM counter
  WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'stixels/fig9' AND stage = 'dynamic programming' AND instr(';' || keys || ';', ';code=text;') AND sms IS NULL
  GROUP BY model, block)
SELECT group_concat(CASE model WHEN 'b12' THEN printf('%.1f', millions) END, ' and ') AS b12, group_concat(CASE model WHEN 'b6' THEN printf('%.0f', millions) END, ' and ') AS b6,
       max(CASE model WHEN 'b12' THEN registers END) AS registers
FROM (SELECT * FROM n ORDER BY block DESC) GROUP BY 1 = 1 HAVING count(*) = 4

-- stx-growth: exponents of the time of one core against block rows in the last step, of two machines' cores
WITH fit AS (
  SELECT results, session, model, power_fit(height, median_ms, 4) AS last
  FROM good
  WHERE experiment = 'stixels/table1' AND impl IN ('stixels/serial', 'stixels/cubic-serial') AND model IN ('b6', 'b12') AND scope = 'kernel' AND series = 'hot'
    AND stage IS NULL AND results IN ('xeon-16c_nvidia-h200', 'xeon-2c')
  GROUP BY results, session, model HAVING count(DISTINCT height) > 4),
span AS (SELECT model, printf('%.2f to %.2f', min(last), max(last)) AS said FROM fit GROUP BY model)
SELECT max(CASE model WHEN 'b12' THEN said END) AS b12, max(CASE model WHEN 'b6' THEN said END) AS b6 FROM span GROUP BY NULL

-- stx-values: eq. 12 against eq. 6 on all inputs: pixels per stixel less, errors more, in %, by size of blocks; printed ones, of the table and of the sentence
WITH got AS (
  SELECT m.input, CAST(m.block AS INTEGER) AS block, m.model, v.name, v.value, max(m.session)
  FROM good AS m JOIN value AS v ON v.measurement = m.id AND v.idx IS NULL AND v.name IN ('pixels_per_stixel', 'd1_pct')
  WHERE m.results = 'xeon-2c' AND m.experiment = 'stixels/table3' AND m.model IN ('b6', 'b12')
  GROUP BY m.input, m.block, m.model, v.name
  UNION ALL
  SELECT 'printed ' || input, CAST(block AS INTEGER), model, name, value, 0 FROM printed WHERE paper = 'stixels' AND figure IN ('table2', 'table3') AND model IS NOT NULL),
change AS (
  SELECT n.name, n.block, n.input LIKE 'printed%' AS is_printed, CASE n.name WHEN 'd1_pct' THEN 1 ELSE -1 END * 100 * (n.value / o.value - 1) AS pct
  FROM got AS n JOIN got AS o USING (input, block, name) WHERE n.model = 'b12' AND o.model = 'b6' AND n.name <> 'iou_mean_pct'),
span AS (SELECT name || block || CASE is_printed WHEN 1 THEN 'p' ELSE '' END AS at, min(pct) AS low, max(pct) AS high FROM change GROUP BY 1)
SELECT max(CASE at WHEN 'pixels_per_stixel8' THEN printf('%.0f to %.0f', low, high) END) AS compact8,
       max(CASE at WHEN 'pixels_per_stixel4' THEN printf('%.0f to %.0f', low, high) END) AS compact4,
       max(CASE at WHEN 'pixels_per_stixel8p' THEN printf('%.0f to %.0f', low, high) END) AS compact8_printed,
       max(CASE at WHEN 'pixels_per_stixel4p' THEN printf('%.0f to %.0f', low, high) END) AS compact4_printed,
       max(CASE at WHEN 'd1_pct8' THEN printf('%+.0f to %+.0f', low, high) END) AS error8,
       max(CASE WHEN at IN ('d1_pct8', 'd1_pct4') THEN printf('%.0f', high) END) AS error_most
FROM span GROUP BY NULL

-- stx-images: errors of the images of city-normal with both models: points that eq. 12 adds to the mean, and which model is the better in how many
WITH one AS (
  SELECT CAST(m.block AS INTEGER) AS block, v.idx, max(CASE m.model WHEN 'b6' THEN v.value END) AS b6, max(CASE m.model WHEN 'b12' THEN v.value END) AS b12
  FROM good AS m JOIN value AS v ON v.measurement = m.id AND v.name = 'd1_image_pct'
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.input = 'city-normal' AND m.frame_pick = 'all' AND m.model IN ('b6', 'b12') AND m.experiment IN ('stixels/fig2', 'stixels/fig7')
  GROUP BY m.block, v.idx HAVING count(DISTINCT m.model) = 2),
mean AS (
  SELECT block, count(*) AS n, avg(b12 - b6) AS more, sum(b6 < b12) AS better6, sum(b12 < b6) AS better12
  FROM one GROUP BY block)
SELECT max(CASE block WHEN 8 THEN printf('%.2f', more) END) AS more8, max(CASE block WHEN 4 THEN printf('%.2f', more) END) AS more4,
       max(CASE block WHEN 4 THEN n END) AS n, max(CASE block WHEN 4 THEN better6 END) AS better6, max(CASE block WHEN 4 THEN better12 END) AS better12
FROM mean GROUP BY NULL

-- som-cost: by how many points %cost of som/gpu-paper, as in the paper, is above the printed one, means over seeds: most of the maps of a size, by sigma
WITH mean AS (
  SELECT m.input, m.ssr, m.sigma, avg(v.value) AS pct
  FROM good AS m JOIN value AS v ON v.measurement = m.id AND v.name = 'cost_pct' AND v.idx IS NULL
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.experiment = 'som/table2' AND m.impl = 'som/gpu-paper' AND m.block_threads = 8 AND m.atomics = 'cas64'
    AND m.kernels = 'single' AND m.mov = 2 AND m.walk = 'turned' AND m.rounds = 1500 AND m.height = 0
  GROUP BY m.input, m.ssr, m.sigma),
above AS (
  SELECT m.sigma, substr(m.input, -1) = 'L' AS is_large, m.pct - p.value AS points
  FROM mean AS m JOIN printed AS p ON p.paper = 'som' AND p.figure = 'table2' AND p.name = 'cost_pct' AND p.impl = '[SOM] GPU' AND p.input = m.input AND p.ssr = m.ssr)
SELECT max(CASE WHEN NOT is_large AND sigma = 12 THEN CASE WHEN most < 0.5 THEN 'none' ELSE printf('%.0f', most) END END) AS others12,
       max(CASE WHEN is_large AND sigma = 12 THEN printf('%.0f', most) END) AS large12, max(CASE WHEN is_large AND sigma = 24 THEN printf('%.0f', most) END) AS large24
FROM (SELECT sigma, is_large, max(points) AS most FROM above GROUP BY sigma, is_large)
GROUP BY NULL

-- som-work: how many times as fast som/gpu-paper comes to the %cost of som/serial, over this by sigma, and over som/rounds; as `show som/table2-work` has it
WITH took AS (
  SELECT m.input, m.sigma, m.impl, c.value AS ms
  FROM cell AS c JOIN figure_row AS f ON f.at = c.at JOIN measurement AS m ON m.id = f.measurement
  WHERE f.experiment = 'som/table2-work' AND c.name = 'to_quality_ms' AND m.results = 'xeon-16c_nvidia-h200' AND m.input NOT LIKE 'map-%'
    AND c.value IS NOT NULL AND (m.impl IN ('som/serial', 'som/rounds') OR m.impl = 'som/gpu-paper' AND m.block_threads = 8 AND m.atomics = 'cas64')),
pair AS (SELECT a.impl, a.sigma, a.ms / b.ms AS times FROM took AS a JOIN took AS b USING (input, sigma) WHERE b.impl = 'som/gpu-paper' AND a.impl <> b.impl)
SELECT max(CASE WHEN impl = 'som/serial' AND sigma = 12 THEN said END) AS serial12, max(CASE WHEN impl = 'som/serial' AND sigma = 24 THEN said END) AS serial24,
       (SELECT printf('%.1f to %.0f', min(times), max(times)) FROM pair WHERE impl = 'som/rounds' GROUP BY impl) AS rounds,
       coalesce((SELECT group_concat(input, ' and ') FROM (SELECT DISTINCT input FROM took WHERE sigma = 24 AND impl = 'som/serial' AND input NOT IN
                (SELECT input FROM took WHERE sigma = 24 AND impl = 'som/gpu-paper') ORDER BY input)), 'none') AS never24
FROM (SELECT impl, sigma, printf(CASE WHEN max(times) < 10 THEN '%.1f to %.1f' ELSE '%.1f to %.0f' END, min(times), max(times)) AS said FROM pair GROUP BY impl, sigma)
GROUP BY NULL

-- som-memory: som/gpu-paper by the layout of the cells' lists, over that of the first, on the maps of Fig. 8
WITH one AS (
  SELECT m.input, CAST(m.mov AS TEXT) AS mov, m.mean_ms AS ms
  FROM figure_row AS f JOIN measurement AS m ON m.id = f.measurement
  WHERE f.experiment = 'som/fig8' AND m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'som/gpu-paper' AND m.input NOT LIKE 'map-%' AND m.mean_ms > 0 AND m.stage IS NULL)
SELECT printf('%.0f to %.0f', min(100 * t.ms / a.ms - 100), max(100 * t.ms / a.ms - 100)) AS texture, printf('%.2f to %.2f', min(b.ms / a.ms), max(b.ms / a.ms)) AS second
FROM one AS a JOIN one AS b USING (input) JOIN one AS t USING (input)
WHERE a.mov = '1' AND b.mov = '2' AND t.mov = '2tex' GROUP BY NULL

-- som-refresh: %cost of conesL with lists refreshed every 30th and 50th round, over the search ranges, means over seeds
WITH one AS (
  SELECT m.crr, avg(v.value) AS pct
  FROM good AS m JOIN value AS v ON v.measurement = m.id AND v.name = 'cost_pct' AND v.idx IS NULL
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.experiment = 'som/fig11' AND m.impl = 'som/gpu-paper' AND m.input = 'conesL' AND m.block_threads = 32
  GROUP BY m.ssr, m.crr, m.session)
SELECT max(CASE crr WHEN 30 THEN printf('%.0f', most) END) AS every30, max(CASE crr WHEN 50 THEN printf('%.0f', least) END) AS every50
FROM (SELECT crr, min(pct) AS least, max(pct) AS most FROM one GROUP BY crr) GROUP BY NULL

-- som-sizes: one map at sizes from 450 x 375 to 4096 x 4096 px: seconds of som/gpu-paper as in the paper, and of one core
WITH one AS (
  SELECT m.impl, m.mean_ms / 1000 AS s
  FROM figure_row AS f JOIN measurement AS m ON m.id = f.measurement
  WHERE f.experiment = 'som/fig13' AND m.results = 'xeon-16c_nvidia-h200' AND m.input = 'cones'
    AND (m.impl = 'som/serial' OR m.impl = 'som/gpu-paper' AND m.block_threads = 8 AND m.atomics = 'cas64'))
SELECT max(CASE impl WHEN 'som/gpu-paper' THEN printf('%.2f to %.2f', least, most) END) AS gpu, max(CASE impl WHEN 'som/serial' THEN printf('%.2f to %.0f', least, most) END) AS core
FROM (SELECT impl, min(s) AS least, max(s) AS most FROM one GROUP BY impl)
GROUP BY NULL

-- som-ablation: som/gpu-paper on 16 SMs, means over seeds: search range 4 over 3 where searches end early and where they visit all cells, cones and teddy; seconds of conesL at 1464 MHz with 8 blocks an SM
WITH mean AS (
  SELECT input, ssr, search, blocks_per_sm, sigma, avg(mean_ms * gpu_mhz_med / 1464) / 1000 AS s
  FROM good
  WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'som/ablation' AND impl = 'som/gpu-paper' AND sms = 16 AND stage IS NULL
  GROUP BY input, ssr, search, blocks_per_sm, sigma),
growth AS (
  SELECT b.search, printf('%.2f to %.2f', min(b.s / a.s), max(b.s / a.s)) AS said
  FROM mean AS a JOIN mean AS b USING (input, search, blocks_per_sm, sigma)
  WHERE a.ssr = 3 AND b.ssr = 4 AND blocks_per_sm = 0 AND sigma = 12
  GROUP BY b.search)
SELECT (SELECT said FROM growth WHERE search = 'stop') AS stop, (SELECT said FROM growth WHERE search = 'all') AS "all",
       (SELECT printf('%.2f', s) FROM mean WHERE input = 'conesL' AND blocks_per_sm = 8 AND sigma = 24) AS large,
       (SELECT printf('%.2f', s) FROM mean WHERE input = 'conesL' AND blocks_per_sm = 0 AND sigma = 24) AS free

-- som-cut: seconds of som/gpu-paper on 16 multiprocessors at the clock of a GTX 570, by search range and sigma, means over seeds; printed ones
WITH ours AS (
  SELECT m.ssr, m.sigma, m.input, avg(m.mean_ms * m.gpu_mhz_med / 1464) / 1000 AS s
  FROM current AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'som/gpu-paper' AND c.sms = 16 AND m.block_threads = 8 AND m.atomics = 'cas64'
    AND m.kernels = 'single' AND m.mov = 2 AND m.walk = 'turned' AND m.scope = 'kernel' AND m.series = 'hot' AND m.stage IS NULL AND c.batch = 1 AND m.rounds = 1500
    AND coalesce(m.search, 'stop') = 'stop' AND coalesce(m.blocks_per_sm, 0) = 0 AND m.height = 0 AND m.input NOT LIKE 'map-%' AND m.input NOT LIKE '%-x2'
  GROUP BY m.ssr, m.sigma, m.input),
paper AS (
  SELECT ssr, input, value / 1000 AS s FROM printed WHERE paper = 'som' AND figure = 'table2' AND name = 'mean_ms' AND impl = '[SOM] GPU')
SELECT max(CASE WHEN ssr = 3 AND sigma = 12 THEN said END) AS s3, max(CASE ssr WHEN 3 THEN printed END) AS s3_printed,
       max(CASE WHEN ssr = 4 AND sigma = 12 THEN said END) AS s4, max(CASE WHEN ssr = 4 AND sigma = 12 THEN printed END) AS s4_printed,
       max(CASE WHEN ssr = 4 AND sigma = 24 THEN said END) AS s4_24
FROM (SELECT ssr, sigma, printf('%.2f to %.2f', min(o.s), max(o.s)) AS said, printf('%.2f to %.2f', min(p.s), max(p.s)) AS printed
      FROM ours AS o JOIN paper AS p USING (ssr, input) GROUP BY ssr, sigma)
GROUP BY NULL
