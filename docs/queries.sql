-- queries.sql - what pages of docs/ ask of the rows: '-- NAME: what', then one query; scripts/docs writes the answer

-- own: this project's own variants, which the papers do not have: the newest time, and the newest session that has the paper's on the same GPU, too
WITH pair AS (
    SELECT a.problem AS paper, a.session, a.configuration, min(coalesce(a.seed, 0)), avg(b.mean_ms) / avg(a.mean_ms) AS times
    FROM good AS a
    JOIN good AS b
      ON b.session = a.session AND b.gpu_uuid = a.gpu_uuid AND b.experiment = a.experiment AND b.input = a.input AND b.frame_pick = a.frame_pick
     AND b.scope = a.scope AND b.series = a.series AND b.sms IS a.sms AND coalesce(b.batch, 1) = coalesce(a.batch, 1) AND b.height IS a.height
     AND b.eps IS a.eps AND b.median IS a.median AND b.block IS a.block AND b.model IS a.model AND b.stage IS a.stage
     AND b.seed IS a.seed AND b.sigma IS a.sigma AND b.ssr IS a.ssr AND b.rounds IS a.rounds
    WHERE a.results = 'xeon-16c_nvidia-h200' AND a.impl = a.problem || '/gpu-opt' AND b.impl = a.problem || '/gpu-paper' AND a.scope = 'kernel' AND a.stage IS NULL
      AND CASE a.problem WHEN 'rdp' THEN a.experiment = 'rdp/table1' AND a.input = 'kitti-sgm' AND a.frame_pick = 'all' AND a.series = 'frames' AND a.height = 1024 AND a.eps = 4
                         WHEN 'stixels' THEN a.input = 'city' AND a.block = 8 AND a.model = 'b12' AND a.series = 'hot' AND a.planes = 'float' AND coalesce(a.batch, 1) = 1
                              AND coalesce(a.sms, a.sm_count) = a.sm_count
                         ELSE a.experiment = 'som/table2' AND a.input = 'conesM' AND a.sigma = 12 AND b.block_threads = 8 AND b.atomics = 'cas64' END
    GROUP BY a.problem, a.session
)
SELECT '`' || paper || '/gpu-opt`' AS "our own",
       CASE paper WHEN 'rdp' THEN 'a frame of 1242 × 1024 px' WHEN 'stixels' THEN 'a frame of 2048 × 1024 px in blocks of 8 × 8 px' ELSE 'a map of 900 × 750 px' END AS "for",
       short_text((SELECT g.mean_ms FROM good AS g WHERE g.results = 'xeon-16c_nvidia-h200' AND g.configuration = p.configuration ORDER BY g.session DESC LIMIT 1), 3) AS ms,
       short_text(times, 2) || ' times' AS "as fast as the paper's algorithm"
FROM (SELECT *, max(session) FROM pair GROUP BY paper) AS p
ORDER BY paper <> 'rdp', paper = 'som'

-- rdp-targets: the goals of rdp/gpu-opt, us per frame of 1242 columns, series hot
WITH goal(nr, input, eps, height, one, many) AS (VALUES
  (1, 'kitti-sgm', 4, 1024, 10, 2.5), (2, 'kitti-sgm', 4, 512, 8, 1.8), (3, 'kitti-sgm', 4, 256, 7, 1.4),
  (4, 'street', 4, 1024, 20, 5), (5, 'street', 4, 512, 15, 3.5), (6, 'street', 4, 256, 12, 2.5),
  (7, 'street-truth', 8, 1024, 8, 1.2), (8, 'street-zero', 4, 1024, 20, 5), (9, 'street-zero', 4, 512, 15, 3.5),
  (10, 'street-zero', 4, 256, 12, 2.5), (11, 'noise', 4, 1024, NULL, NULL), (12, 'noise', 4, 512, NULL, NULL),
  (13, 'noise', 4, 256, NULL, NULL)),
us AS (
  SELECT g.*, max(CASE WHEN m.impl = 'rdp/gpu-paper' AND c.batch = 1 THEN 1000 * m.median_ms END) AS paper,
         max(CASE WHEN m.impl = 'rdp/gpu-opt' AND c.batch = 1 THEN 1000 * m.median_ms END) AS opt,
         max(CASE WHEN m.impl = 'rdp/gpu-opt' AND c.batch = 64 THEN 1000 * m.median_ms END) AS opt_64
  FROM goal AS g JOIN current AS m ON m.input = g.input AND m.eps = g.eps AND m.height = g.height
  JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.scope = 'kernel' AND m.series = 'hot' AND m.stage IS NULL AND c.sms IS NULL
    AND c.batch IN (1, 64) AND m.median = CASE WHEN g.input LIKE 'street%' AND g.eps = 4 THEN 5 ELSE 0 END
    AND m.frame_pick = CASE WHEN g.input = 'kitti-sgm' AND c.batch = 1 THEN 'typical' ELSE 'all' END
    AND (m.keys LIKE '%;unroll=5;barriers=one;skip=0;ids=no' OR m.keys LIKE '%;layout=columns;warps=auto;together=auto')
  GROUP BY g.nr)
SELECT input || CASE eps WHEN 8 THEN ', eps 8' ELSE '' END AS input, height AS "rows", short_text(paper, 3) AS "gpu-paper",
       short_text(opt, 3) AS "gpu-opt", coalesce(one, 'below gpu-paper') AS goal,
       CASE WHEN opt <= coalesce(one, paper) THEN 'met' ELSE short_text(100 * opt / one - 100, 2) || ' % over' END AS "one frame",
       short_text(opt_64, 3) AS "gpu-opt, batch of 64", coalesce(many, 'below gpu-paper') AS "goal, batch",
       CASE WHEN opt_64 <= coalesce(many, paper) THEN 'met' ELSE short_text(100 * opt_64 / many - 100, 2) || ' % over' END AS "batch"
FROM us ORDER BY nr

-- stixels-targets: the goals of stixels/gpu-opt, us per frame; city of 2048 x 1024 px with 18 classes, street of 1024 x 768 px without
WITH goal(nr, input, block, what, planes, stage, one, many) AS (VALUES
  (1, 'city', '8', 'frame', 'float', NULL, 62, 48), (2, 'city', '8', 'down-sampling', 'float', 'downsample', NULL, NULL),
  (3, 'city', '8', 'dynamic programming', 'float', 'dynamic programming', NULL, NULL), (4, 'city', '8', 'frame, uint16', 'uint16', NULL, 42, 31),
  (5, 'city', '4', 'frame', 'float', NULL, 108, 78), (6, 'city', '4', 'down-sampling', 'float', 'downsample', NULL, NULL),
  (7, 'city', '4', 'dynamic programming', 'float', 'dynamic programming', NULL, NULL), (8, 'street', '1x5', 'frame of street', 'float', NULL, 220, NULL)),
us AS (
  SELECT g.*, max(CASE WHEN m.impl = 'stixels/gpu-paper' AND c.batch = 1 THEN 1000 * m.median_ms END) AS paper,
         max(CASE WHEN m.impl = 'stixels/gpu-opt' AND c.batch = 1 THEN 1000 * m.median_ms END) AS opt,
         max(CASE WHEN m.impl = 'stixels/gpu-opt' AND c.batch = 16 THEN 1000 * m.median_ms END) AS opt_16
  FROM goal AS g JOIN current AS m ON m.input = g.input AND CAST(m.block AS TEXT) = g.block AND m.stage IS g.stage
  JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.scope = 'kernel' AND m.series = 'hot' AND c.sms IS NULL
    AND m.arith = 'float' AND m.model = 'b12' AND c.batch IN (1, 16) AND m.height = 0 AND m.columns = 0
    AND (m.input = 'street' OR m.classes = 18)
    AND (m.keys LIKE '%;dp=b;scan=warp;code=tuned;sat=shared' AND g.planes = 'float' OR m.keys LIKE '%;planes=' || g.planes || ';prune=none;early=auto')
  GROUP BY g.nr)
SELECT CASE block WHEN '1x5' THEN '1 x 5' ELSE block || ' x ' || block END || ' px' AS blocks, what, coalesce(short_text(paper, 3), '') AS "gpu-paper",
       short_text(opt, 3) AS "gpu-opt", coalesce(one, '') AS goal,
       CASE WHEN one IS NULL THEN '' WHEN opt <= one THEN 'met' ELSE short_text(100 * opt / one - 100, 2) || ' % over' END AS "one frame",
       coalesce(short_text(opt_16, 3), '') AS "gpu-opt, batch of 16", coalesce(many, '') AS "goal, batch",
       CASE WHEN many IS NULL OR opt_16 IS NULL THEN '' WHEN opt_16 <= many THEN 'met' ELSE short_text(100 * opt_16 / many - 100, 2) || ' % over' END AS "batch"
FROM us ORDER BY nr

-- stixels-design: kernel time of a frame by stixels/gpu-paper, us, as [STX] designed it and otherwise
SELECT CASE m.dp || m.scan || m.sat WHEN 'bwarpshared' THEN 'as in the paper: a thread per row, a warp sums, tables in shared memory'
            WHEN 'awarpshared' THEN 'all threads on each row' WHEN 'bblockshared' THEN 'the block sums' ELSE 'tables in global memory' END AS design,
       short_text(max(CASE WHEN CAST(m.block AS TEXT) = '8' THEN 1000 * m.median_ms END), 3) AS "8 x 8 px",
       short_text(max(CASE WHEN CAST(m.block AS TEXT) = '4' THEN 1000 * m.median_ms END), 3) AS "4 x 4 px"
FROM current AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'stixels/gpu-paper' AND m.input = 'city' AND m.scope = 'kernel' AND m.series = 'hot'
  AND c.sms IS NULL AND c.batch = 1 AND m.stage IS NULL AND m.arith = 'float' AND m.classes = 18 AND m.height = 0 AND m.columns = 0
GROUP BY m.dp, m.scan, m.sat HAVING "4 x 4 px" IS NOT NULL ORDER BY max(m.median_ms)

-- som-blocks: som/gpu-paper by threads a block and atomics, ms, sigma 12, seed 1
SELECT m.input || ', ' || CASE m.atomics WHEN 'exch' THEN 'exchanges' ELSE 'compare-and-swap' END AS map,
       short_text(max(CASE WHEN m.block_threads = 1 THEN m.mean_ms END), 3) AS "1 thread",
       short_text(max(CASE WHEN m.block_threads = 8 THEN m.mean_ms END), 3) AS "8 threads",
       short_text(max(CASE WHEN m.block_threads = 32 THEN m.mean_ms END), 3) AS "32 threads"
FROM current AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'som/gpu-paper' AND m.input IN ('cones', 'conesM', 'conesL') AND m.seed = 1
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
SELECT input AS map, CAST(sigma AS INTEGER) AS sigma, short_text(opt, 3) AS "one map", one AS goal,
       CASE WHEN opt <= one THEN 'met' ELSE short_text(100 * opt / one - 100, 2) || ' % over' END AS "",
       coalesce(short_text(opt_132, 3), '') AS "batch of 132", coalesce(many, '') AS "goal, batch",
       CASE WHEN opt_132 IS NULL THEN '' WHEN opt_132 <= many THEN 'met' ELSE short_text(100 * opt_132 / many - 100, 2) || ' % over' END AS " "
FROM ms ORDER BY nr

-- som-surface: error of the surface and %cost, of a regular and of an adapted mesh, seed 1
WITH got AS (
  SELECT m.input, m.impl, v.name, v.value
  FROM good AS m JOIN value AS v ON v.measurement = m.id
  WHERE m.results = 'epyc-2c' AND m.experiment = 'som/surface' AND m.impl IN ('som/grid', 'som/rounds') AND m.input NOT LIKE 'map-%'),
pair AS (
  SELECT input, name, max(CASE WHEN impl = 'som/grid' THEN value END) AS grid, max(CASE WHEN impl = 'som/rounds' THEN value END) AS mesh
  FROM got GROUP BY input, name)
SELECT input AS map,
       max(CASE name WHEN 'surface_mean_px' THEN short_text(grid, 3) END) AS "mean error of a regular mesh, px",
       max(CASE name WHEN 'surface_mean_px' THEN short_text(mesh, 3) END) AS "adapted",
       max(CASE name WHEN 'surface_mean_px' THEN short_text(100 * mesh / grid - 100, 2) END) AS "change, %",
       max(CASE name WHEN 'surface_known_pct' THEN short_text(grid, 3) || ', ' || short_text(mesh, 3) END) AS "known on, %",
       max(CASE name WHEN 'cost_pct' THEN short_text(grid, 3) || ', ' || short_text(mesh, 3) END) AS "%cost"
FROM pair GROUP BY input HAVING "adapted" IS NOT NULL ORDER BY max(CASE name WHEN 'surface_mean_px' THEN mesh / grid END)

-- som-peers: error of the surface at equal vertices, of a regular mesh, the SOM's and greedy ones, and times of the same session; newest one
WITH newest AS (SELECT results, max(session) AS session FROM good WHERE experiment = 'som/peers'),
got AS (
  SELECT m.input, m.impl || CASE m.impl WHEN 'som/greedy' THEN ' ' || m.background ELSE '' END AS mesh, m.mean_ms, m.threads,
         short_text(max(CASE v.name WHEN 'surface_rms_px' THEN v.value END), 3) || ' (' ||
         short_text(max(CASE v.name WHEN 'surface_mean_px' THEN v.value END), 3) || ')' AS error, max(CASE v.name WHEN 'surface_known_pct' THEN v.value END) AS known,
         max(CASE v.name WHEN 'vertices' THEN v.value END) AS vertices, max(CASE v.name WHEN 'equal_rms_vertices' THEN v.value END) AS equal,
         max(CASE v.name WHEN 'cost_pct' THEN v.value END) AS cost
  FROM good AS m JOIN newest USING (results, session) JOIN value AS v ON v.measurement = m.id
  WHERE m.experiment = 'som/peers' AND m.scope = 'kernel' AND m.stage IS NULL
  GROUP BY m.id)
SELECT input || ', ' || CAST(max(vertices) AS INTEGER) AS "map, vertices", max(CASE mesh WHEN 'som/grid' THEN error END) AS "regular, px",
       max(CASE mesh WHEN 'som/rounds' THEN error END) || ' on ' || short_text(max(CASE mesh WHEN 'som/rounds' THEN known END), 3) || ' %' AS "SOM, px",
       max(CASE mesh WHEN 'som/greedy kept' THEN error END) AS "greedy, px", max(CASE mesh WHEN 'som/greedy free' THEN error END) AS "background free",
       max(CASE mesh WHEN 'som/greedy kept' THEN CAST(equal AS INTEGER) END) || ', ' || max(CASE mesh WHEN 'som/greedy free' THEN CAST(equal AS INTEGER) END) AS "vertices with the SOM's error",
       short_text(max(CASE mesh WHEN 'som/grid' THEN cost END), 3) || ', ' || short_text(max(CASE mesh WHEN 'som/rounds' THEN cost END), 3) AS "%cost: regular, SOM",
       short_text(max(CASE mesh WHEN 'som/openmp' THEN mean_ms END) / max(CASE mesh WHEN 'som/greedy kept' THEN mean_ms END), 2) || ' on ' || max(CASE mesh WHEN 'som/openmp' THEN threads END) AS "time over greedy's: som/openmp on so many threads"
FROM got GROUP BY input
UNION ALL
SELECT 'not run yet', NULL, NULL, NULL, NULL, NULL, NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM got)

-- energy: what the GPU alone drew for a frame or map, mJ
SELECT m.impl AS variant, m.input || CASE m.problem WHEN 'stixels' THEN ', ' || m.block || ' x ' || m.block || ' px' ELSE '' END AS input,
       c.batch, short_text(m.mj_frame, 3) AS "mJ", short_text(m.mj_frame_net, 3) AS "of it above the idle GPU"
FROM good AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.mj_frame IS NOT NULL AND m.device = 'gpu' AND m.series <> 'stream' AND m.results = 'xeon-16c_nvidia-h200'
GROUP BY m.configuration HAVING m.utc = max(m.utc) ORDER BY m.problem, m.input, m.block DESC, c.batch, m.mj_frame DESC

-- verdicts: how many claims of a paper have which verdict, once each: by rows of the H200, else of another machine, else by the paper's own numbers; no settings
WITH one AS (
  SELECT claim, paper, rank, machine = 'paper' AS is_own, lower(verdict) AS verdict,
         min((verdict IN ('NOT-RUN', 'no row', 'not judged')) || CASE machine WHEN 'xeon-16c_nvidia-h200' THEN 1 WHEN 'xeon-2c' THEN 2 WHEN 'paper' THEN 4 ELSE 3 END) AS first
  FROM claim_verdict
  WHERE claim NOT IN (SELECT claim FROM claim_verdict GROUP BY claim HAVING coalesce(max(CASE WHEN machine <> 'paper' THEN subject END), max(class)) = 'settings')
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
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'rdp/gpu-paper' AND m.input = 'kitti-sgm' AND m.eps = 4 AND m.median = 0 AND m.width = 1242
  AND m.frame_pick = 'all' AND m.scope = 'kernel' AND m.series = 'frames' AND m.stage IS NULL AND c.sms IS NULL AND c.batch = 1
GROUP BY m.unroll, m.barriers, m.skip HAVING variant IS NOT NULL ORDER BY variant <> 'as in the paper', variant

-- rdp-frame: a frame of 1024 rows end to end, ms, typical frame of kitti-sgm, eps 4, hot; newest session
SELECT impl || CASE layout WHEN 'rows' THEN ', the GPU transposes' ELSE '' END || CASE transfer WHEN 'mapped' THEN ', from the host''s memory' ELSE '' END AS variant,
       short_text(min(median_ms), 3) AS "end to end, ms"
FROM good
WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/frame' AND scope = 'end_to_end' AND stage IS NULL AND height = 1024
  AND input = 'kitti-sgm' AND eps = 4 AND series = 'hot' AND frame_pick = 'typical'
  AND session = (SELECT max(session) FROM good WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/frame')
GROUP BY impl, layout, transfer ORDER BY min(median_ms)

-- rdp-cores: kernel time of the typical frame of kitti-sgm by cores, ms, in one session
SELECT impl AS variant, short_text(max(CASE threads WHEN 1 THEN median_ms END), 3) AS "1 core", short_text(max(CASE threads WHEN 2 THEN median_ms END), 3) AS "2",
       short_text(max(CASE threads WHEN 4 THEN median_ms END), 3) AS "4", short_text(max(CASE threads WHEN 8 THEN median_ms END), 3) AS "8",
       short_text(max(CASE threads WHEN 16 THEN median_ms END), 3) AS "16",
       short_text(max(CASE threads WHEN 1 THEN median_ms END) / max(CASE threads WHEN 16 THEN median_ms END), 3) AS "16 cores are so many times as fast"
FROM good
WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/cpu' AND input = 'kitti-sgm' AND scope = 'kernel' AND series = 'hot' AND stage IS NULL
  AND impl IN ('rdp/cpu-simd', 'rdp/omp-columns') AND session = (SELECT max(session) FROM good WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/cpu' AND threads = 16)
GROUP BY impl ORDER BY min(median_ms)

-- stixels-frame: a frame of city from the host's planes to the list, us, by how its scores come, hot; newest session
SELECT impl || coalesce(', planes = ' || planes, '') AS variant, CAST(block AS TEXT) || ' x ' || block || ' px' AS blocks,
       short_text(max(CASE scope WHEN 'kernel' THEN 1000 * median_ms END), 3) AS kernels,
       short_text(max(CASE scope WHEN 'end_to_end' THEN 1000 * median_ms END), 3) AS "end to end",
       short_text(max(CASE scope WHEN 'scores_on_gpu' THEN 1000 * median_ms END), 3) AS "scores on the GPU"
FROM good
WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'stixels/frame' AND impl IN ('stixels/gpu-paper', 'stixels/gpu-opt') AND model = 'b12'
  AND series = 'hot' AND stage IS NULL
  AND session = (SELECT max(session) FROM good WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'stixels/frame')
GROUP BY impl, planes, block ORDER BY CAST(block AS TEXT) DESC, impl DESC, max(CASE scope WHEN 'end_to_end' THEN median_ms END) DESC

-- stixels-street: a frame of street in blocks of 1 x 5 px, us, hot; newest session
SELECT impl || coalesce(', planes = ' || nullif(planes, 'float'), '') AS variant, short_text(max(CASE scope WHEN 'kernel' THEN 1000 * median_ms END), 3) AS kernels,
       short_text(max(CASE scope WHEN 'end_to_end' THEN 1000 * median_ms END), 3) AS "end to end"
FROM good
WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'stixels/targets' AND input = 'street' AND series = 'hot' AND stage IS NULL
  AND session = (SELECT max(session) FROM good WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'stixels/targets' AND input = 'street')
GROUP BY impl, planes ORDER BY impl DESC, planes

-- stixels-planes: kernel time of a frame by stixels/gpu-opt with cold caches, us, by how planes lie on the device
SELECT m.planes, short_text(max(CASE WHEN CAST(m.block AS TEXT) = '8' THEN 1000 * m.median_ms END), 3) AS "8 x 8 px",
       short_text(max(CASE WHEN CAST(m.block AS TEXT) = '4' THEN 1000 * m.median_ms END), 3) AS "4 x 4 px"
FROM current AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'stixels/gpu-opt' AND m.input = 'city' AND m.scope = 'kernel' AND m.series = 'cold'
  AND c.sms IS NULL AND c.batch = 1 AND m.stage IS NULL AND m.arith = 'float' AND m.classes = 18 AND m.model = 'b12' AND m.height = 0
GROUP BY m.planes ORDER BY m.planes = 'root8', m.planes

-- som-quality: mean %cost of the GPU variants, over so many seeds
WITH cost AS (
  SELECT m.input, m.sigma, m.seed, m.impl = 'som/gpu-opt' AS is_opt, median(v.value) AS pct
  FROM good AS m JOIN configuration AS c ON c.id = m.configuration
  JOIN value AS v ON v.measurement = m.id AND v.name = 'cost_pct' AND v.idx IS NULL
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.rounds = 1500 AND m.sigma IN (12, 24) AND m.ssr = CASE WHEN m.input IN ('tsukuba', 'venus') THEN 3 ELSE 4 END AND m.height = 0 AND m.crr = 20 AND m.co = 20
    AND m.input NOT LIKE 'map-%' AND c.batch = 1 AND c.sms IS NULL AND (m.impl = 'som/gpu-opt' OR m.impl = 'som/gpu-paper' AND m.block_threads = 8
      AND m.atomics = 'cas64' AND m.kernels = 'single' AND m.walk = 'turned' AND m.mov = 2 AND m."update" = 'live')
  GROUP BY m.input, m.sigma, m.seed, is_opt),
mean AS (
  SELECT input, sigma, avg(CASE WHEN NOT is_opt THEN pct END) AS paper, avg(CASE WHEN is_opt THEN pct END) AS opt, count(*) - sum(is_opt) AS n_paper,
         sum(is_opt) AS n_opt
  FROM cost GROUP BY input, sigma)
SELECT input AS map, max(CASE sigma WHEN 12 THEN short_text(paper, 3) || ' (' || n_paper || ')' END) AS "gpu-paper, sigma 12",
       max(CASE sigma WHEN 12 THEN short_text(opt, 3) || ' (' || n_opt || ')' END) AS "gpu-opt",
       max(CASE sigma WHEN 12 THEN short_text(opt - paper, 2) END) AS "difference",
       max(CASE sigma WHEN 24 THEN short_text(paper, 3) || ' (' || n_paper || ')' END) AS "gpu-paper, sigma 24",
       max(CASE sigma WHEN 24 THEN short_text(opt, 3) || ' (' || n_opt || ')' END) AS "gpu-opt ",
       max(CASE sigma WHEN 24 THEN short_text(opt - paper, 2) END) AS "difference "
FROM mean WHERE paper IS NOT NULL AND opt IS NOT NULL GROUP BY input
ORDER BY CASE substr(input, length(input)) WHEN 'M' THEN 2 WHEN 'L' THEN 3 ELSE 1 END, input

-- rdp-factors: the time of a CPU variant on its best team over that of rdp/gpu-paper, kitti-sgm, eps 4: the range over all sessions
WITH ms AS (
  SELECT session, commit_hash, height, impl, min(mean_ms) AS ms
  FROM good
  WHERE results = 'xeon-16c_nvidia-h200' AND input = 'kitti-sgm' AND eps = 4 AND median = 0 AND width = 1242 AND scope = 'kernel' AND series = 'frames'
    AND frame_pick = 'all' AND batch = 1 AND stage IS NULL AND coalesce(sms, sm_count) = sm_count AND distance = 'vertical'
    AND (impl <> 'rdp/gpu-paper' OR keys LIKE '%;unroll=5;barriers=one;skip=0;ids=no')
  GROUP BY session, height, impl),
factor AS (SELECT c.height, c.impl, c.ms / g.ms AS factor FROM ms AS c JOIN ms AS g USING (session, height)
           WHERE g.impl = 'rdp/gpu-paper' AND c.impl IN ('rdp/omp-columns', 'rdp/cpu-simd'))
SELECT impl AS "CPU variant", max(CASE height WHEN 256 THEN span END) AS "256 rows", max(CASE height WHEN 512 THEN span END) AS "512 rows",
       max(CASE height WHEN 1024 THEN span END) AS "1024 rows"
FROM (SELECT impl, height, short_text(min(factor), 2) || ' to ' || short_text(max(factor), 2) AS span, count(*) FROM factor GROUP BY impl, height)
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

-- rdp-peers: other line simplifiers on one thread: median time over rdp/serial's, and which share of columns is the reference's; newest session
WITH newest AS (SELECT results, max(session) AS session FROM good WHERE experiment = 'rdp/peers'),
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

-- stixels-prune: what leaving out stixels that cannot win takes off a frame's time, by input: newest session, one core
WITH newest AS (SELECT results, max(session) AS session FROM good WHERE experiment = 'stixels/prune' AND impl = 'stixels/openmp'),
share AS (
  SELECT a.input, a.block, a.classes, short_text(b.median_ms / a.median_ms, 2) AS share
  FROM good AS a JOIN newest USING (results, session) JOIN good AS b
       ON b.results = a.results AND b.session = a.session AND b.experiment = a.experiment AND b.impl = a.impl AND b.input = a.input
          AND b.block = a.block AND b.classes = a.classes AND b.scope = a.scope AND b.stage IS NULL AND b.keys LIKE '%prune=proved'
  WHERE a.experiment = 'stixels/prune' AND a.impl = 'stixels/openmp' AND a.scope = 'kernel' AND a.stage IS NULL AND a.keys LIKE '%prune=none')
SELECT input, CASE classes WHEN 0 THEN 'none' ELSE classes END AS classes, max(CASE CAST(block AS TEXT) WHEN '8' THEN share END) AS "8 x 8 px",
       max(CASE CAST(block AS TEXT) WHEN '4' THEN share END) AS "4 x 4 px", max(CASE CAST(block AS TEXT) WHEN '1x5' THEN share END) AS "1 x 5 px"
FROM share GROUP BY input, classes ORDER BY classes DESC, input

-- streams: frames on a clock on an H200, one in flight
SELECT substr(m.impl, instr(m.impl, '/') + 1) || CASE m.scope WHEN 'scores_on_gpu' THEN ', scores on the GPU' ELSE '' END
           || CASE m.planes WHEN 'root8' THEN ', 8-bit roots' ELSE '' END AS variant,
       m.problem AS paper, m.stream_rate AS "rate, 1/s", short_text(m.median_ms, 3) AS median, short_text(m.p99_ms, 3) AS "99 %",
       coalesce(short_text(m.p999_ms, 3), '') AS "99.9 %", short_text(m.max_ms, 3) AS longest,
       CASE m.stream_rate WHEN 'max' THEN CAST(round(m.fps) AS INTEGER) ELSE '' END AS "frames/s",
       short_text(m.host_ms, 2) AS host, coalesce(short_text(m.gpu_ms, 3), '') AS GPU, coalesce(short_text(m.mj_frame, 3), '') AS "mJ a frame",
       CASE m.results WHEN 'xeon-16c_nvidia-h200' THEN 'yes' ELSE 'no' END AS alone
FROM current AS m
JOIN configuration AS c ON c.id = m.configuration
WHERE (m.results = 'xeon-16c_nvidia-h200' AND m.experiment LIKE '%/stream'
       OR m.results = 'xeon-64c_nvidia-h200'
       AND NOT EXISTS (SELECT 1 FROM current AS o WHERE o.results = 'xeon-16c_nvidia-h200' AND o.configuration = m.configuration AND o.experiment LIKE '%/stream'))
  AND c.stream_launch IS NULL AND c.stream_rate IN ('30', 'max') AND c.stream_in_flight = 1 AND c.stream_arrival = 'queue'
  AND (m.impl NOT LIKE '%paper' OR m.problem = 'rdp')
ORDER BY m.problem <> 'rdp', m.problem = 'som', m.device DESC, m.impl DESC, m.scope, m.planes, c.stream_rate

-- stereo: from a pair of views to stixels, on two cores of one run: times over those of the stixels alone
SELECT a.impl AS peer, a.input, a.arith, a.verdict, CAST(round(a.median_ms / b.median_ms) AS INTEGER) || ' times stixels/openmp alone' AS "a frame takes",
       short_text(100 * b.median_ms / a.median_ms, 2) || ' %' AS "stixels' share"
FROM current AS a
JOIN current AS b ON b.results = a.results AND b.session = a.session AND b.impl = 'stixels/openmp' AND b.input = a.input AND b.arith = a.arith AND b.scope = a.scope
WHERE a.experiment = 'stixels/stereo' AND a.results = 'epyc-2c' AND a.impl LIKE 'ext/%' AND a.impl <> 'ext/stereo-matcher' AND a.scope = 'kernel'
ORDER BY a.input DESC, a.arith DESC

-- rates: how many of 5000 frames missed the next one's arrival, on an H200 that nothing else used
SELECT substr(m.impl, instr(m.impl, '/') + 1) || CASE m.scope WHEN 'scores_on_gpu' THEN ', scores on the GPU' ELSE '' END AS variant,
       m.problem AS paper, c.stream_in_flight AS "in flight",
       coalesce(max(CASE c.stream_rate WHEN '100' THEN m.n_missed || ' of ' || m.n END), '') AS "100/s",
       coalesce(max(CASE c.stream_rate WHEN '240' THEN m.n_missed END), '') AS "240/s",
       coalesce(max(CASE c.stream_rate WHEN '500' THEN m.n_missed END), '') AS "500/s",
       coalesce(max(CASE c.stream_rate WHEN '1000' THEN m.n_missed END), '') AS "1000/s",
       coalesce(max(CASE c.stream_rate WHEN '2000' THEN m.n_missed END), '') AS "2000/s",
       coalesce(max(CASE c.stream_rate WHEN '5000' THEN m.n_missed END), '') AS "5000/s",
       coalesce(max(CASE c.stream_rate WHEN '10000' THEN m.n_missed END), '') AS "10000/s"
FROM current AS m
JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.experiment LIKE '%/stream' AND c.stream_arrival = 'queue' AND CAST(c.stream_rate AS INTEGER) >= 100
GROUP BY m.impl, m.scope, m.planes, c.stream_in_flight
ORDER BY m.problem <> 'rdp', m.problem = 'som', m.device DESC, m.impl DESC, m.scope, c.stream_in_flight

-- launches: a frame enqueued one by one and as a graph, on an H200
SELECT CASE m.problem WHEN 'probe' THEN 'a kernel of 1 KiB' WHEN 'rdp' THEN 'rdp/gpu-opt'
            ELSE 'stixels/gpu-opt' || CASE WHEN m.keys LIKE '%early=off' THEN ', early = off' ELSE '' END END AS frame,
       m.stream_rate AS "rate, 1/s", coalesce(c.stream_launch, 'each') AS launch, short_text(1000 * m.host_ms, 3) AS "host, us",
       short_text(1000 * m.gpu_ms, 3) AS "GPU, us", short_text(1000 * m.median_ms, 3) AS "latency, us",
       CASE m.stream_rate WHEN 'max' THEN CAST(round(m.fps) AS INTEGER) ELSE '' END AS "frames/s"
FROM good AS m
JOIN configuration AS c ON c.id = m.configuration
WHERE m.results = 'xeon-16c_nvidia-h200' AND m.experiment LIKE '%/launches'
  AND m.session = (SELECT max(o.session) FROM good AS o WHERE o.results = m.results AND o.experiment = m.experiment AND o.configuration = m.configuration)
ORDER BY m.problem <> 'probe', m.problem, m.stream_rate = '60', m.keys, c.stream_launch

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
