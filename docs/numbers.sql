-- numbers.sql - what texts ask of the rows: '-- NAME: what', then a query of one row; {NAME.COLUMN} in a paper's figures.ini and
-- '<!-- is NAME.COLUMN -->' in a page stand for what it answers, "not measured" where that is nothing

-- rdp-gpu: rdp/gpu-paper at 256, 512, 1024 rows, kitti-sgm, eps 4: ms, growth, and us on 8 multiprocessors at the clock of a Xavier; printed ones
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
  FROM cell),
paper AS (
  SELECT max(CASE height WHEN 256 THEN value END) AS p256, max(CASE height WHEN 512 THEN value END) AS p512, max(CASE height WHEN 1024 THEN value END) AS p1024
  FROM printed WHERE paper = 'rdp' AND figure = 'fig9' AND name = 'mean_ms')
SELECT printf('%.3f', ms1024) AS ms, CASE WHEN ms512 > 0 THEN printf('%.1f', ms1024 / ms512) END AS growth, CASE WHEN cut1024 / cut512 > 0 THEN printf('%.1f', cut1024 / cut512) END AS growth_cut,
       (SELECT printed FROM printed WHERE paper = 'rdp' AND name = 'ratio_to_half_height' AND height = 1024) AS growth_printed,
       CASE WHEN cut256 + cut512 + cut1024 > 0 THEN printf('%.0f, %.0f and %.0f', 1000 * cut256, 1000 * cut512, 1000 * cut1024) END AS us_cut,
       short_text(1000 * p256, 3) || ', ' || short_text(1000 * p512, 3) || ' and ' || short_text(1000 * p1024, 4) AS us_printed,
       CASE WHEN noise > 0 THEN printf('%.2f', noise) END AS noise, CASE WHEN noise_cut > 0 THEN printf('%.1f', noise_cut) END AS noise_cut
FROM had, paper WHERE ms1024 > 0

-- rdp-cpu: how many times as fast rdp/gpu-paper is as rdp/omp-columns on 16 cores at 1024 rows: the range over all sessions and builds
WITH ms AS (
  SELECT session, impl, min(mean_ms) AS ms
  FROM good
  WHERE results = 'xeon-16c_nvidia-h200' AND input = 'kitti-sgm' AND eps = 4 AND median = 0 AND width = 1242 AND height = 1024 AND scope = 'kernel'
    AND series = 'frames' AND frame_pick = 'all' AND batch = 1 AND stage IS NULL AND coalesce(sms, sm_count) = sm_count AND distance = 'vertical'
    AND (impl = 'rdp/omp-columns' OR impl = 'rdp/gpu-paper' AND unroll = 5 AND coalesce(barriers, 'one') = 'one' AND skip = 0 AND coalesce(ids, 'no') = 'no')
  GROUP BY session, impl)
SELECT printf('%.1f to %.1f', min(c.ms / g.ms), max(c.ms / g.ms)) AS factor,
       (SELECT printed FROM printed WHERE paper = 'rdp' AND figure = 'fig10' AND name = 'speedup_to_multi_core' AND height = 1024) AS printed
FROM ms AS c JOIN ms AS g USING (session) WHERE c.impl = 'rdp/omp-columns' AND g.impl = 'rdp/gpu-paper' GROUP BY NULL

-- rdp-rounds: rounds and segments of a column at eps 4, kitti-sgm
SELECT max(CASE v.name WHEN 'rounds_mean' THEN printf('%.1f', v.value) END) AS mean, max(CASE v.name WHEN 'rounds_max' THEN printf('%.0f', v.value) END) AS most,
       (SELECT printed FROM printed WHERE paper = 'rdp' AND name = 'rounds_usual' AND eps = 4) AS usual_printed,
       (SELECT printed FROM printed WHERE paper = 'rdp' AND name = 'rounds_most' AND eps = 4) AS most_printed
FROM (SELECT id, max(session) FROM good
      WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/fig5' AND input = 'kitti-sgm' AND eps = 4 AND median = 5 AND height = 1024) AS m
JOIN value AS v ON v.measurement = m.id GROUP BY NULL

-- rdp-useful: share of the threads that still work in a round, eps 4, kitti-sgm
SELECT max(CASE v.idx WHEN 4 THEN printf('%.0f', v.value) END) AS round4, max(CASE v.idx WHEN 6 THEN printf('%.0f', v.value) END) AS round6
FROM (SELECT id, max(session) FROM good
      WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'rdp/fig7' AND input = 'kitti-sgm' AND eps = 4 AND median = 5 AND height = 1024) AS m
JOIN value AS v ON v.measurement = m.id AND v.name = 'useful_pct' GROUP BY NULL

-- rdp-libraries: the fastest other library over rdp/cpu-simd, on one thread, by input; newest session
SELECT printf('%.0f to %.0f', min(times), max(times)) AS times
FROM (SELECT m.input, min(CASE WHEN m.impl IN ('rdp/geos', 'rdp/opencv', 'rdp/boost') THEN m.median_ms END) / min(CASE m.impl WHEN 'rdp/cpu-simd' THEN m.median_ms END) AS times
      FROM good AS m
      WHERE m.experiment = 'rdp/peers' AND m.scope = 'kernel' AND m.series = 'hot' AND m.stage IS NULL
        AND m.session = (SELECT max(session) FROM good WHERE experiment = 'rdp/peers')
      GROUP BY m.input)
GROUP BY NULL

-- stx-gpu: stixels/gpu-paper and gpu-cubic on city, whole and on 8 multiprocessors at a Xavier's clock: with eq. 12 so many times as fast, fps, GB/s of down-sampling
WITH cell AS (
  SELECT CAST(m.block AS INTEGER) AS block, c.sms IS NOT NULL AS is_cut, m.stage, m.model, m.mean_ms AS ms, m.gpu_mhz_med AS mhz
  FROM current AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl IN ('stixels/gpu-paper', 'stixels/gpu-cubic') AND m.input = 'city' AND m.scope = 'kernel' AND m.series = 'hot'
    AND coalesce(c.sms, 8) = 8 AND c.batch = 1 AND m.classes = 18 AND m.arith = 'float' AND m.height = 0 AND m.columns = 0 AND m.block IN (8, 4)
    AND coalesce(m.dp, 'b') = 'b' AND coalesce(m.scan, 'warp') = 'warp' AND coalesce(m.sat, 'shared') = 'shared' AND coalesce(m.code, 'tuned') = 'tuned'),
part AS (
  SELECT block, is_cut, max(CASE WHEN model = 'b6' AND stage = 'dynamic programming' THEN ms END) / max(CASE WHEN model = 'b12' AND stage = 'dynamic programming' THEN ms END) AS dp,
         max(CASE WHEN model = 'b6' AND stage IS NULL THEN ms END) / max(CASE WHEN model = 'b12' AND stage IS NULL THEN ms END) AS frame,
         max(CASE WHEN model = 'b12' AND stage IS NULL THEN 1000 / (ms * mhz / 1377) END) AS fps, max(CASE WHEN model = 'b12' AND stage = 'downsample' THEN ms END) AS ds
  FROM cell GROUP BY block, is_cut),
read AS (
  SELECT CAST(block AS INTEGER) AS block, run_dram_bytes AS bytes, max(utc) FROM counter
  WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'stixels/fig9' AND impl = 'stixels/gpu-paper' AND model = 'b12' AND stage = 'downsample' AND run_dram_bytes > 0
  GROUP BY block),
both AS (
  SELECT e.is_cut, printf('%.1f and %.1f', e.dp, f.dp) AS dp, e.dp AS dp8, f.dp AS dp4, printf('%.1f and %.1f', e.frame, f.frame) AS frame, printf('%.1f', e.frame) AS frame8,
         printf('%.0f and %.0f', e.fps, f.fps) AS fps, e.ds AS ds8, f.ds AS ds4
  FROM part AS e JOIN part AS f USING (is_cut) WHERE e.block = 8 AND f.block = 4 AND e.dp + f.dp + e.frame + f.frame > 0),
moved AS (SELECT is_cut, b8.bytes / ds8 / 1e6 AS gbs8, b4.bytes / ds4 / 1e6 AS gbs4 FROM both JOIN read AS b8 ON b8.block = 8 JOIN read AS b4 ON b4.block = 4),
paper AS (
  SELECT max(CASE WHEN block = 8 AND stage IS NOT NULL THEN printed END) || ' and ' || max(CASE WHEN block = 4 AND stage IS NOT NULL THEN printed END) AS dp,
         max(CASE WHEN block = 8 AND stage IS NULL THEN printed END) AS frame8, max(CASE WHEN block = 4 AND stage IS NULL THEN printed END) AS frame4
  FROM printed WHERE paper = 'stixels' AND name = 'speedup_of_b12')
SELECT whole.dp, cut.dp AS dp_cut, p.dp AS dp_printed, printf('%.1f to %.1f', min(cut.dp8, whole.dp8), max(cut.dp4, whole.dp4)) AS dp_span,
       whole.frame, cut.frame AS frame_cut, p.frame8 || ' and ' || p.frame4 AS frame_printed, cut.frame8 AS frame8_cut, p.frame8 AS frame8_printed,
       (SELECT max(printed) FROM claim_verdict WHERE claim = 'stixels-more-than-8-times-8x8') AS frame8_said, cut.fps AS fps_cut,
       (SELECT group_concat(said, ' and ') FROM (SELECT printf('%.0f', value) AS said FROM printed
        WHERE paper = 'stixels' AND figure = 'fig8' AND hardware = 'Tegra Xavier' AND model = 'b12' ORDER BY CAST(block AS INTEGER) DESC)) AS fps_printed,
       (SELECT printf('%.0f and %.0f', gbs8, gbs4) FROM moved WHERE is_cut) AS ds_cut,
       (SELECT printf('%.0f to %.0f', min(gbs8, gbs4) / 48, max(gbs8, gbs4) / 48) FROM moved WHERE NOT is_cut) AS ds_share
FROM both AS whole JOIN both AS cut JOIN paper AS p WHERE NOT whole.is_cut AND cut.is_cut

-- stx-growth: exponents of the time of one core against block rows in the last step, of two machines' cores
WITH fit AS (
  SELECT results, session, model, power_fit(height, median_ms, 4) AS last
  FROM good
  WHERE experiment = 'stixels/table1' AND impl IN ('stixels/serial', 'stixels/cubic-serial') AND model IN ('b6', 'b12') AND scope = 'kernel' AND series = 'hot'
    AND stage IS NULL AND results IN ('xeon-16c_nvidia-h200', 'xeon-2c')
  GROUP BY results, session, model HAVING count(DISTINCT height) > 4),
span AS (SELECT model, printf('%.2f to %.2f', min(last), max(last)) AS said FROM fit GROUP BY model)
SELECT max(CASE model WHEN 'b12' THEN said END) AS b12, max(CASE model WHEN 'b6' THEN said END) AS b6,
       (SELECT CAST(value AS INTEGER) FROM printed WHERE paper = 'stixels' AND name = 'exponent' AND model = 'b12') AS b12_printed,
       (SELECT CAST(value AS INTEGER) FROM printed WHERE paper = 'stixels' AND name = 'exponent' AND model = 'b6') AS b6_printed
FROM span GROUP BY NULL

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
       (SELECT group_concat(DISTINCT printed) FROM claim_verdict WHERE claim = 'stixels-compact-cityscapes-8') || ' and ' ||
       (SELECT group_concat(DISTINCT printed) FROM claim_verdict WHERE claim = 'stixels-compact-cityscapes-4') AS compact_said,
       max(CASE at WHEN 'd1_pct8' THEN printf('%+.0f to %+.0f', low, high) END) AS error8,
       max(CASE WHEN at IN ('d1_pct8', 'd1_pct4') THEN printf('%.0f', high) END) AS error_most,
       (SELECT max(value) FROM printed WHERE paper = 'stixels' AND name = 'd1_growth_pct_below') AS error_printed
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

-- som-table2: Table 2's maps by size: times of som/gpu-paper as in the paper, of the session that som/serial is of, and factors over this, means over seeds
WITH one AS (
  SELECT session, input, ssr, sigma, impl, avg(mean_ms) AS ms
  FROM good
  WHERE results = 'xeon-16c_nvidia-h200' AND experiment = 'som/table2' AND input NOT LIKE 'map-%' AND input NOT LIKE '%-x2' AND rounds = 1500 AND scope = 'kernel'
    AND series = 'hot' AND stage IS NULL AND batch = 1 AND coalesce(sms, sm_count) = sm_count AND height = 0
    AND (impl = 'som/serial' OR impl = 'som/gpu-paper' AND block_threads = 8 AND atomics = 'cas64' AND kernels = 'single' AND mov = 2 AND walk = 'turned')
  GROUP BY session, input, ssr, sigma, impl),
pair AS (
  SELECT v.sigma, v.ms, s.ms / v.ms AS factor, max(v.session)
  FROM one AS v JOIN one AS s USING (session, input, ssr, sigma)
  WHERE s.impl = 'som/serial' AND v.impl = 'som/gpu-paper'
  GROUP BY v.input, v.ssr, v.sigma)
SELECT max(CASE sigma WHEN 12 THEN factors END) AS factor,
       (SELECT printf('%.0f to %.0f', min(value), max(value)) FROM printed WHERE paper = 'som' AND figure = 'table2' AND name = 'speedup') AS factor_printed,
       max(CASE sigma WHEN 12 THEN seconds END) AS s12, max(CASE sigma WHEN 24 THEN seconds END) AS s24
FROM (SELECT sigma, printf('%.1f to %.0f', min(factor), max(factor)) AS factors, printf('%.2f to %.2f', min(ms) / 1000, max(ms) / 1000) AS seconds FROM pair GROUP BY sigma)
GROUP BY NULL

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
    AND (m.impl IN ('som/serial', 'som/rounds') OR m.impl = 'som/gpu-paper' AND m.block_threads = 8 AND m.atomics = 'cas64')),
pair AS (SELECT a.impl, a.sigma, a.ms / b.ms AS times FROM took AS a JOIN took AS b USING (input, sigma) WHERE b.impl = 'som/gpu-paper' AND a.impl <> b.impl)
SELECT max(CASE WHEN impl = 'som/serial' AND sigma = 12 THEN said END) AS serial12, max(CASE WHEN impl = 'som/serial' AND sigma = 24 THEN said END) AS serial24,
       (SELECT printf('%.1f to %.0f', min(times), max(times)) FROM pair WHERE impl = 'som/rounds' GROUP BY impl) AS rounds
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

-- som-kernels: by how much three kernels take longer than one, each in its fastest blocks, conesM, by size of the cells
WITH fastest AS (
  SELECT m.co, m.stage, min(m.mean_ms) AS ms
  FROM figure_row AS f JOIN measurement AS m ON m.id = f.measurement
  WHERE f.experiment = 'som/fig10' AND m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'som/gpu-paper' AND m.input = 'conesM'
    AND m.stage IN ('som', 'extraction', 'search', 'learning')
  GROUP BY m.co, m.stage),
both AS (
  SELECT co, sum(CASE stage WHEN 'som' THEN ms END) AS one, sum(CASE WHEN stage <> 'som' THEN ms END) AS three FROM fastest
  GROUP BY co HAVING count(*) = 4)
SELECT printf('%.0f to %.0f', min(100 * three / one - 100), max(100 * three / one - 100)) AS pct FROM both GROUP BY NULL

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

-- som-cut: seconds of som/gpu-paper on 16 multiprocessors at the clock of a GTX 570, by search range and sigma, means over seeds; printed ones
WITH ours AS (
  SELECT m.ssr, m.sigma, m.input, avg(m.mean_ms * m.gpu_mhz_med / 1464) / 1000 AS s
  FROM current AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.impl = 'som/gpu-paper' AND c.sms = 16 AND m.block_threads = 8 AND m.atomics = 'cas64'
    AND m.kernels = 'single' AND m.mov = 2 AND m.walk = 'turned' AND m.scope = 'kernel' AND m.series = 'hot' AND m.stage IS NULL AND c.batch = 1 AND m.rounds = 1500
    AND m.height = 0 AND m.input NOT LIKE 'map-%' AND m.input NOT LIKE '%-x2'
  GROUP BY m.ssr, m.sigma, m.input),
paper AS (
  SELECT ssr, input, value / 1000 AS s FROM printed WHERE paper = 'som' AND figure = 'table2' AND name = 'mean_ms' AND impl = '[SOM] GPU')
SELECT max(CASE WHEN ssr = 3 AND sigma = 12 THEN said END) AS s3, max(CASE ssr WHEN 3 THEN printed END) AS s3_printed,
       max(CASE WHEN ssr = 4 AND sigma = 12 THEN said END) AS s4, max(CASE WHEN ssr = 4 AND sigma = 12 THEN printed END) AS s4_printed,
       max(CASE WHEN ssr = 4 AND sigma = 24 THEN said END) AS s4_24
FROM (SELECT ssr, sigma, printf('%.2f to %.2f', min(o.s), max(o.s)) AS said, printf('%.2f to %.2f', min(p.s), max(p.s)) AS printed
      FROM ours AS o JOIN paper AS p USING (ssr, input) GROUP BY ssr, sigma)
GROUP BY NULL

-- som-peers: rms error of the surface of a greedy mesh over that of the SOM's at equal vertices, by map; newest session
WITH one AS (
  SELECT m.input, m.impl, v.value
  FROM good AS m JOIN value AS v ON v.measurement = m.id AND v.name = 'surface_rms_px'
  WHERE m.experiment = 'som/peers' AND m.session = (SELECT max(session) FROM good WHERE experiment = 'som/peers') AND m.scope = 'kernel' AND m.stage IS NULL
    AND (m.impl = 'som/rounds' OR m.impl = 'som/greedy' AND m.background = 'kept'))
SELECT printf('%.2f to %.2f', min(g.value / s.value), max(g.value / s.value)) AS greedy
FROM one AS g JOIN one AS s USING (input) WHERE g.impl = 'som/greedy' AND s.impl = 'som/rounds' GROUP BY NULL
