-- rows.sql - made-up rows of every figure for tests/test_plots.sh, in the tables that `depthbench draw` makes
--
-- They are no measurements; they have the odd corners of real ones.  The figures whose rows are wanted are asked for.

CREATE TEMP VIEW now AS SELECT value AS name, substr(value, 1, instr(value, '-') - 1) AS paper, substr(value, instr(value, '-') + 1) AS part FROM asked WHERE name = 'figure';
INSERT INTO temp.printed SELECT * FROM main.printed WHERE paper = (SELECT paper FROM now LIMIT 1);
DROP VIEW temp.missing;
CREATE TEMP TABLE missing (id INTEGER PRIMARY KEY, impl TEXT, cell TEXT, why TEXT, folder TEXT);
CREATE TEMP TABLE latency (measurement INTEGER, ms REAL, n_longer INTEGER, n_all INTEGER);

-- Figs. 9 and 10 of RDP: each variant is faster than the one before; one sample has no deviation, another deviates by more than its mean.
WITH f (which, input, times) AS (VALUES ('all', 'scene', 1.0), ('best', 'scene', 0.5), ('worst', 'scene', 1.8), ('all', 'noise', 2.2))
INSERT INTO shown (impl, series, input, frame_pick, threads, width, height, eps, min_ms, median_ms, mean_ms, sd_ms)
SELECT impl, CASE which WHEN 'all' THEN 'frames' END, input, which, CASE WHEN impl LIKE '%p-%' THEN 8 END,
       1242, h, e, 0.9 * t, 9e9, t, CASE h WHEN 512 THEN 1.2 * t WHEN 1024 THEN 0.05 * t END
FROM (SELECT v.impl, f.which, f.input, h.value AS h, e.value AS e, 40.0 / (v.place * v.place * v.place) * h.value / 1024 * f.times * 4 / e.value AS t
      FROM now, variant AS v, json_each('[256, 512, 1024]') AS h, json_each('[4, 8]') AS e, f
      WHERE name IN ('rdp-fig9', 'rdp-fig10') AND v.impl LIKE 'rdp/%' AND NOT v.is_peer
      ORDER BY v.place, h, e);
INSERT INTO missing SELECT NULL, 'rdp/gpu-opt', 'eps=4 input=scene frame_pick=all', 'not measured', NULL FROM now, json_each('[1, 2, 3, 4]') WHERE name = 'rdp-fig9';

-- Several ranks: each step is a little less than twice as fast; kernels alone lose nothing.
INSERT INTO shown (impl, device, gpu, input, scope, series, scaling, ranks, n, median_ms, mean_ms, fps, ci_lo_ms, ci_hi_ms, rank_speedup,
                   rank_speedup_lo, rank_speedup_hi, efficiency_pct, efficiency_lo_pct, efficiency_hi_pct)
SELECT impl, 'gpu', 'a card', 'scene-16', scope, 'sustained', scaling, n, 30, t, t, 1000 / t, 0.98 * t, 1.02 * t, one / t, 0.96 * one / t, 1.04 * one / t,
       100 * one / t / n, 96 * one / t / n, 104 * one / t / n
FROM (SELECT v.value AS impl, s.value AS scope, h.value AS scaling, r.value AS n, CASE s.value WHEN 'kernel' THEN 8.0 ELSE 9.0 END AS one,
             CASE s.value WHEN 'kernel' THEN 8.0 / r.value ELSE 9.0 / r.value + CASE h.value WHEN 'strong' THEN 0.5 ELSE 0.1 END * (r.value > 1) END AS t
      FROM now, json_each('["rdp/gpu-opt", "som/gpu-opt"]') AS v, json_each('["kernel", "end_to_end"]') AS s, json_each('["weak", "strong"]') AS h,
           json_each('[1, 2, 4, 8]') AS r
      WHERE name IN ('scale-gpus', 'scale-processes') AND (h.value = 'weak' OR name = 'scale-gpus' AND v.value LIKE 'rdp%')
      ORDER BY v.key, s.key, h.key, r.key);

-- Several streams: two take twice as many frames, more gain nothing.  The paper's kernel was not measured with one, and is not drawn.
INSERT INTO shown (impl, device, gpu, machine, input, scope, series, n, median_ms, mean_ms, fps, stream_rate, stream_in_flight, stream_arrival)
SELECT v.value, 'gpu', 'a card', 'a-machine', 'scene', 'end_to_end', 'stream', 5000, 1, 1, 1000 * min(2, r.value), 'max', r.value, 'queue'
FROM now, json_each('["rdp/gpu-opt", "rdp/gpu-paper"]') AS v, json_each('[1, 2, 4, 8, 16]') AS r
WHERE name = 'scale-streams' AND NOT (v.value = 'rdp/gpu-paper' AND r.value = 1)
ORDER BY v.key, r.key;

-- Frames on a clock: one frame in a hundred takes ten times as long; the paper's kernel misses one deadline in 500 from 240 a second on.
INSERT INTO shown (impl, device, gpu, machine, input, scope, series, n, median_ms, mean_ms, max_ms, fps, mj_frame, n_missed, planes, stream_rate, stream_in_flight, stream_arrival)
SELECT v.value, 'gpu', 'a card', 'a-machine', 'scene', s.value, 'stream', 5000, 1, 1, 33, coalesce(nullif(r.value, 'max'), 2500), CASE WHEN v.value <> 'rdp/serial' THEN 5000.0 / coalesce(nullif(r.value, 'max'), 2500) END,
       CASE WHEN r.value <> 'max' THEN CASE WHEN v.value = paper || '/gpu-paper' AND CAST(r.value AS INTEGER) >= 240 THEN 10 ELSE 0 END END, p.value, r.value, 1, 'queue'
FROM now, json_each('["serial", "gpu-paper", "gpu-opt"]') AS k, json_each('["end_to_end", "scores_on_gpu"]') AS s, json_each('["float", "root8"]') AS p,
     json_each('["30", "60", "240", "1000", "max"]') AS r, (SELECT impl AS value FROM variant) AS v
WHERE part = 'stream' AND v.value = paper || '/' || k.value AND (paper = 'stixels' AND k.value <> 'serial' OR s.key = 0 AND p.key = 0) AND (k.value <> 'serial' OR r.key < 2)
ORDER BY k.key, s.key, p.key, r.key;
UPDATE shown SET measurement = id WHERE series = 'stream';
INSERT INTO latency
SELECT measurement, t.ms, t.n_longer, 5000
FROM shown, (SELECT 0.9 AS ms, 4999 AS n_longer UNION ALL SELECT 1, 2500 UNION ALL SELECT 2, 50 UNION ALL SELECT 10, 49 UNION ALL SELECT 20, 9 UNION ALL SELECT 33, 0) AS t
WHERE series = 'stream' AND (stream_rate = '30' OR t.ms = 33);

-- Other libraries: times and shares; one is of all columns, but for a few.
INSERT INTO shown (impl, verdict, input, frame_pick, threads, width, height, eps, median_ms, mean_ms, ci_lo_ms, ci_hi_ms, equal_pct)
SELECT v.impl, v.verdict, i.value, 'typical', 1, 1242, 1024, 4, v.ms, v.ms, 0.9 * v.ms, 1.1 * v.ms, v.pct
FROM now, json_each('["kitti-sgm", "street"]') AS i,
     (SELECT 'rdp/serial' AS impl, 'reference' AS verdict, 3.0 AS ms, NULL AS pct UNION ALL SELECT 'rdp/cpu-simd', 'exact', 0.7, NULL UNION ALL SELECT 'rdp/geos', 'exact', 30, NULL
      UNION ALL SELECT 'rdp/opencv', 'other', 12.5, 50 UNION ALL SELECT 'rdp/boost', 'other', 15, 99.96) AS v
WHERE name = 'rdp-peers';

-- Fig. 2: two inputs, of which one has the truth; times repeat the values; and stixels, slanted ones at three betas and flat ones at one.
INSERT INTO shown (impl, series, input, width, height, eps, median, rms_error_px, pixels_per_segment, d1_pct, mean_ms)
SELECT 'rdp/serial', 'frames', i.value, 0, 0, e.value, m.value, 0.3 * e.value, 20 * e.value,
       CASE i.value WHEN 'scene' THEN 5 + e.value END, CASE t.value WHEN 'kernel' THEN 9.0 / e.value END
FROM now, json_each('[5, 0]') AS m, json_each('["scene", "street"]') AS i, json_each('[1, 2, 4, 8, 16]') AS e, json_each('["", "kernel"]') AS t
WHERE name = 'rdp-fig2' AND (t.value = '' OR (m.value = 5 AND i.value = 'scene' AND e.value <> 2))
ORDER BY m.key, i.key, e.key, t.key;
INSERT INTO shown (impl, input, model, block, beta_mc, d1_pct, input_d1_all_pct, rms_to_input_px, pixels_per_stixel)
SELECT 'stixels/openmp', input, model, block, beta, CASE input WHEN 'scene' THEN CASE model WHEN 'dh' THEN 30 ELSE n * b END END,
       CASE input WHEN 'scene' THEN 8.75 END, CASE model WHEN 'dh' THEN 9 ELSE 1.0 * n / b END, CASE model WHEN 'dh' THEN 999 ELSE 40 * n * b END
FROM (SELECT i.value AS input, m.value AS model, k.value AS block, CAST(k.value AS INTEGER) AS n, b.value AS beta,
             CASE b.value WHEN 'model' THEN 1 ELSE 2 END AS b
      FROM now, json_each('["scene", "street"]') AS i, json_each('["b12", "dh"]') AS m, json_each('["8", "4x1"]') AS k, json_each('["model", "16", "64"]') AS b
      WHERE name = 'rdp-fig2-stixels' AND (m.value = 'b12' OR k.value || b.value = '8model')
      ORDER BY i.key, m.key, k.key, b.key);
INSERT INTO shown (impl, series, input, model, block, beta_mc, mean_ms)
SELECT 'stixels/serial', 'frames', 'scene', t.*
FROM now, (VALUES ('b12', '8', 'model', 7.5), ('b12', '4x1', 'model', 44.5), ('dh', '8', 'model', 6.5)) AS t
WHERE name = 'rdp-fig2-stixels';

-- Figs. 5 and 7: rounds, and what is useful of them.
INSERT INTO shown (impl, input, width, height, eps, rounds_mean, rounds_sd, rounds_max)
SELECT 'rdp/serial', i.value, 1242, 1024, e.value, 3 + 6.0 / e.value, 1, 8 + 6 / e.value
FROM now, json_each('["scene", "kitti-sgm"]') AS i, json_each('[0.5, 1, 2, 4, 8, 16]') AS e
WHERE name = 'rdp-fig5' OR (name = 'rdp-fig7' AND i.value = 'scene')
ORDER BY i.key, e.key;
INSERT INTO shown_value (impl, width, height, eps, distance, median, input, frame_pick, name, "index", value)
SELECT 'rdp/serial', 1242, 1024, e.value, 'vertical', 5, 'scene', 'all', n.value, r.value, CASE n.key WHEN 0 THEN 100 / r.value ELSE 7 END
FROM now, json_each('[4, 8]') AS e, json_each('["useful_pct", "rounds_hist"]') AS n, json_each('[1, 2, 3, 4, 5, 6]') AS r
WHERE now.name = 'rdp-fig7';

-- Table 1 of Stixels: powers of the height.
WITH v (impl, model, columns) AS (VALUES ('stixels/serial', 'b12', 32), ('stixels/openmp', 'b12', 32), ('stixels/serial', 'dh', 8),
    ('stixels/cubic-serial', 'b6', 2), ('stixels/gpu-paper', 'b12', 32), ('stixels/gpu-opt', 'b12', 32), ('stixels/gpu-cubic', 'b6', 16))
INSERT INTO shown (impl, input, model, block, height, columns, median_ms, mean_ms, ci_lo_ms, ci_hi_ms)
SELECT impl, 'city', model, '1x8', h, columns, t, t, 0.98 * t, 1.05 * t
FROM (SELECT v.*, h.value AS h, CASE v.model WHEN 'b6' THEN h.value * h.value * h.value / 32768 ELSE h.value * h.value / 1024 END * v.columns / 100.0 AS t
      FROM now, json_each('[32, 64, 128, 256, 512, 1024]') AS h, v
      WHERE name = 'stixels-table1');

-- Figs. 2, 8 and 9: frames with stages, of which one variant is timed on a part of the columns; and the errors of the models.
WITH v (impl, model, columns) AS (VALUES ('stixels/serial', 'b12', 0), ('stixels/openmp', 'b12', 0), ('stixels/cubic-openmp', 'b6', 64),
    ('stixels/gpu-paper', 'b12', 0), ('stixels/gpu-cubic', 'b6', 0)),
l (part, stage) AS (VALUES (1, NULL), (1, 'downsample'), (2, 'dynamic programming'), (3, 'compact'))
INSERT INTO shown (impl, stage, input, threads, model, block, columns, classes, median_ms, mean_ms, fps)
SELECT impl, stage, 'city', CASE WHEN impl LIKE '%openmp' THEN 8 END, model, b, columns, 18, 8e9, CASE WHEN stage IS NULL THEN t ELSE t / part / 4 END, 1000 / t
FROM (SELECT v.impl, v.model, v.columns, l.*, b.value AS b,
             CASE v.model WHEN 'b6' THEN 400.0 ELSE 40.0 END * CASE b.value WHEN 8 THEN 1 ELSE 8 END * CASE v.columns WHEN 0 THEN 1 ELSE v.columns / 512.0 END AS t
      FROM now, json_each('[8, 4]') AS b, v, l
      WHERE name IN ('stixels-fig2', 'stixels-fig8', 'stixels-fig9'));
WITH v (impl, model, more) AS (VALUES ('stixels/cubic-openmp', 'b6', 1.5), ('stixels/openmp', 'b12', 1.75))
INSERT INTO shown (impl, input, model, block, columns, classes, d1_pct)
SELECT impl, 'city-normal', model, b.value, 0, 19, b.value / 2 + more
FROM now, json_each('[8, 4]') AS b, v
WHERE name = 'stixels-fig2';
INSERT INTO shown_value (impl, model, block, input, frame_pick, name, "index", value)
SELECT 'stixels/openmp', m.value, 8, 'city-normal', 'all', 'd1_image_pct', n.value, n.value + m.key * 0.25
FROM now, json_each('["b6", "b12"]') AS m, json_each('[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]') AS n
WHERE now.name = 'stixels-fig2';
INSERT INTO counter (impl, input, block, model, classes, stage, ipc, run_instructions)
SELECT c.*
FROM now, (VALUES ('stixels/gpu-paper', 'city', 8, 'b12', 18, 'downsample', 1.94, 9e9), ('stixels/gpu-paper', 'city', 8, 'b12', 18, 'dynamic programming', 2.38, 2e6),
                  ('stixels/gpu-cubic', 'city', 8, 'b6', 18, 'dynamic programming', 1.19, 1e7)) AS c
WHERE name = 'stixels-fig9';

-- Cuts at candidate rows: at 128 rows twice as fast with eq. 6, at 256 five times, on a GPU thrice, in noise slower; the bound gains more there.
INSERT INTO shown (impl, verdict, input, threads, model, block, prune, columns, median_ms, mean_ms, energy_excess_pct, block_rows)
SELECT 'stixels/' || v.impl, CASE WHEN v.impl LIKE '%cuts%' THEN 'other' ELSE 'within' END, i.value, 1, CASE WHEN v.impl LIKE '%cubic%' THEN 'b6' ELSE 'b12' END, b.value, v.prune, 0,
       9e9, v.ms * CASE WHEN v.impl LIKE '%cuts%' THEN CASE i.value WHEN 'noise' THEN 6 ELSE b.value / 4 END ELSE 6 END,
       CASE WHEN v.impl LIKE '%cuts%' THEN CASE b.value WHEN 8 THEN 0.5 ELSE 0.25 END ELSE 0 END, 1024 / b.value
FROM now, json_each('["noise", "city"]') AS i, json_each('[8, 4]') AS b,
     (SELECT 'cuts' AS impl, 'proved' AS prune, 1.5 AS ms UNION ALL SELECT 'cuts', 'none', 1.75 UNION ALL SELECT 'openmp', 'proved', 0.5 UNION ALL SELECT 'openmp', 'none', 1.25
      UNION ALL SELECT 'cuts-cubic', NULL, 4 UNION ALL SELECT 'cubic-openmp', NULL, 3.5
      UNION ALL SELECT 'gpu-cuts-cubic', NULL, 0.5 UNION ALL SELECT 'gpu-cubic', NULL, 0.25) AS v
WHERE name = 'stixels-cuts';

-- Fig. 7: an image that one of the equations lacks.
INSERT INTO shown (impl, model, block, input)
SELECT 'stixels/openmp', m.value, 4, 'city-easy' FROM now, json_each('["b6", "b12"]') AS m WHERE name = 'stixels-fig7';
WITH v (model, block, name, value, more) AS (VALUES ('b6', 4, 'd1_image_pct', NULL, 0.25), ('b12', 4, 'd1_image_pct', NULL, 0.5),
    ('b12', 8, 'd1_image_pct', 99, 0), ('b12', 4, 'iou_pct', 99, 0))
INSERT INTO shown_value (impl, model, block, input, frame_pick, name, "index", value)
SELECT 'stixels/openmp', v.model, v.block, i.value, 'all', v.name, n.value, coalesce(v.value, n.value / 2 + v.more)
FROM now, json_each('["city-easy", "city-hard"]') AS i, json_each('[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]') AS n, v
WHERE now.name = 'stixels-fig7' AND i.value || n.value || v.model <> 'city-hard9b12';

-- Rooflines: 1e6 operations on 5e5 bytes in 0.1 ms and more; those of stixels are counted, in batches of 64 alone with bytes of DRAM; those of
-- som by a GPU without a counter of DRAM, of which batches of 64 have bytes of the system's memory.
INSERT INTO shown (impl, device, gpu_uuid, input, batch, block, width, mean_ms, median_ms, work_ops, work_bytes, ncu_instructions, ncu_dram_bytes,
                   ncu_l2_bytes, ncu_sysmem_bytes)
SELECT v.value, CASE WHEN v.value LIKE '%/gpu-%' THEN 'gpu' END, CASE WHEN v.value LIKE '%/gpu-%' THEN 'GPU-1' END, 'scene', b.value, 8, 900,
       7e9, 0.1 + b.value / 80.0, 1e6, 5e5, c.*
FROM now,
     json_each(CASE paper WHEN 'rdp' THEN '["rdp/serial", "rdp/omp-columns", "rdp/gpu-paper", "rdp/gpu-opt"]'
                          WHEN 'stixels' THEN '["stixels/openmp", "stixels/gpu-paper", "stixels/gpu-opt"]' ELSE '["som/openmp", "som/gpu-opt"]' END) AS v,
     json_each('[1, 64]') AS b LEFT JOIN (SELECT 2e6, 0 AS dram, 4e6, NULL AS sysmem UNION ALL SELECT 2e6, 1e6, 4e6, NULL
                                                    UNION ALL SELECT 2e6, NULL, 4e6, NULL UNION ALL SELECT 2e6, NULL, 4e6, 1e6) AS c
       ON v.value LIKE '%/gpu-%' AND CASE paper WHEN 'stixels' THEN c.dram = b.value / 64 * 1e6 WHEN 'som' THEN c.dram IS NULL AND (c.sysmem > 0) IS (b.value = 64 OR NULL) END
WHERE part = 'roofline';
-- The ceilings, 8, 2 (in memory) and 4 TB/s, 16, 8 and 20 T operations/s, of cores a thousandth: with stixels another card's, with som
-- those of cores alone.
WITH o (operation, kib, ms, ops) AS (VALUES ('copy', 1024, 2048.0 * 1024 / 8e9, 0), ('copy', 1048576, 2048.0 * 1048576 / 2e9, 0),
    ('copy', 262144, 2048.0 * 262144 / 4e9, 0), ('fma', 4096, 1, 16e9), ('integer', 4096, 1, 8e9), ('mixed', 4096, 1, 20e9))
INSERT INTO shown (impl, gpu_uuid, operation, kib, median_ms, work_ops, work_bytes, mean_ms)
SELECT v.value, CASE WHEN EXISTS (SELECT 1 FROM shown WHERE impl LIKE 'stixels/%') THEN 'GPU-2' ELSE 'GPU-1' END, o.operation, o.kib,
       o.ms * CASE v.key WHEN 0 THEN 1 ELSE 1000 END, o.ops, 2048 * kib, 1
FROM now, json_each('["probe/gpu-plain", "probe/openmp", "probe/serial"]') AS v, o
WHERE name = 'probe-ceilings' AND (v.key > 0 OR NOT EXISTS (SELECT 1 FROM shown WHERE impl LIKE 'som/%'));

-- Parts of a card: 80 ms on 8 of its 132 multiprocessors but for what does not scale, 1 ms; 640 rows on 8 alone.
WITH c (impl, eps, height, block, block_threads) AS (VALUES ('rdp/gpu-paper', 4, 1024, NULL, NULL), ('rdp/gpu-opt', 4, 1024, NULL, NULL),
    ('rdp/gpu-paper', 4, 512, NULL, NULL), ('rdp/gpu-paper', 4, 640, NULL, NULL), ('rdp/gpu-paper', 8, 333, NULL, NULL), ('stixels/gpu-paper', NULL, NULL, 8, NULL),
    ('stixels/gpu-paper', NULL, NULL, 4, NULL), ('som/gpu-paper', NULL, NULL, NULL, 8), ('som/gpu-paper', NULL, NULL, NULL, 32),
    ('som/gpu-opt', NULL, NULL, NULL, NULL))
INSERT INTO shown (impl, device, sm_count, sms, gpu_mhz_med, median_ms, mean_ms, input, series, width, eps, height, block, classes, block_threads, atomics)
SELECT c.impl, 'gpu', 132, n.value, 2000, 7e9, 640.0 / n.value + 1, CASE paper WHEN 'rdp' THEN 'kitti-sgm' WHEN 'stixels' THEN 'city' ELSE 'tsukuba' END,
       CASE paper WHEN 'rdp' THEN 'frames' END, 1242, c.eps, c.height, c.block, 18, c.block_threads, CASE WHEN c.block_threads THEN 'cas64' END
FROM now, c, json_each('[16, 8, 32, 64, 132]') AS n
WHERE part = 'cut' AND substr(c.impl, 1, 2) = substr(paper, 1, 2) AND (paper <> 'som' OR n.value > 8) AND (c.height IS NOT 640 OR n.value = 8);

-- The mesh.  Figs. 8 to 10: organisations of memory, block sizes with stages; 11 to 13 and Table 2: search ranges, rounds, sizes, rounds.
INSERT INTO shown (impl, input, co, mov, kernels, mean_ms)
SELECT CASE mov.key WHEN 3 THEN 'som/rounds' ELSE 'som/gpu-paper' END, map.value, 20, nullif(mov.value, ''), 'single',
       CASE mov.key WHEN 3 THEN 777 ELSE 400 >> mov.key END
FROM now, json_each('["tsukuba", "conesL", "map-M"]') AS map, json_each('["1", "2", "2tex", ""]') AS mov
WHERE name = 'som-fig8'
ORDER BY map.key, mov.key;
INSERT INTO counter (impl, input, mov, kernels, stage, l1_hit_pct)
SELECT 'som/gpu-paper', 'tsukuba', c.*
FROM now, (VALUES ('1', 'single', 'som', 21.4), ('2', 'single', 'som', 78.6), ('2', 'single', 'refresh', 99)) AS c
WHERE name = 'som-fig8';
INSERT INTO dropped (impl, input, mov, reason)
SELECT 'som/gpu-paper', 'tsukuba', '2tex', 'map 0: 5922 folded triangles, the reference has 0' FROM now WHERE name = 'som-fig8';
DELETE FROM shown WHERE input = 'conesL' AND mov IN ('2', '2tex') AND EXISTS (SELECT 1 FROM now WHERE name = 'som-fig8');
INSERT INTO dropped (impl, input, mov, reason)
SELECT 'som/gpu-paper', 'conesL', 2, 'map 0: 5922 folded triangles, the reference has 0' FROM now WHERE name = 'som-fig8';
WITH l (stage, ms, slope) AS (VALUES ('som', 30, 1), ('refresh', 1e6, 0), ('extraction', 300, -1), ('search', 20, 1), ('learning', 10, 1))
INSERT INTO shown (impl, stage, input, co, block_threads, mean_ms)
SELECT 'som/gpu-paper', 'rounds: ' || l.stage, 'conesM', co.value, b.value, l.ms + l.slope * b.value
FROM now, json_each('[10, 20, 30]') AS co, json_each('[1, 8, 16, 32, 64, 128, 256]') AS b, l
WHERE name IN ('som-fig9', 'som-fig10')
UNION ALL
SELECT 'som/rounds', NULL, 'conesM', co.value, NULL, 9000 / co.value
FROM now, json_each('[10, 20, 30]') AS co
WHERE name IN ('som-fig9', 'som-fig10');
INSERT INTO shown (impl, input, ssr, crr, mean_ms, cost_pct)
SELECT v.value, map.value, ssr.value, crr.value, 50 + 3 * ssr.value + 20 / crr.value, 16 + crr.value / 20 + 0.1 * (5 - ssr.value % 5)
FROM now, json_each('["som/gpu-paper", "som/rounds"]') AS v, json_each('["cones", "conesM", "conesL"]') AS map, json_each('[-1, 10, 5, 4, 3, 2]') AS ssr,
     json_each('[1, 10, 20, 100]') AS crr
WHERE name = 'som-fig11'
ORDER BY v.key, map.key, ssr.key, crr.key;
INSERT INTO dropped (impl, input, ssr, crr, reason)
SELECT 'som/gpu-paper', d.*
FROM now, (VALUES ('cones', 2, 30, 'map 0: 17 folded triangles, the reference has 0'), ('conesL', 2, 30, 'map 0: %cost 28.24, the reference has 15.20'),
                  ('conesM', 3, 20, 'map 0: 17 folded triangles, the reference has 0')) AS d
WHERE name = 'som-fig11';
INSERT INTO shown (impl, input, rounds, cost_pct)
SELECT v.value, map.value, r.value, 9000 / r.value + 15
FROM now, json_each('["som/serial", "som/rounds", "som/gpu-opt"]') AS v, json_each('["cones", "teddy", "map-S"]') AS map, json_each('[100, 500, 1500]') AS r
WHERE name = 'som-fig12';
WITH v (impl, input, ms, block_threads) AS (VALUES ('som/serial', 'cones', 9, NULL), ('som/gpu-paper', 'cones', 2, 8), ('som/gpu-paper', 'cones', 1, 1),
    ('som/openmp', 'cones', 3, NULL), ('som/rounds', 'map-L', 1e6, NULL))
INSERT INTO shown (impl, input, width, height, mean_ms, block_threads)
SELECT v.impl, v.input, s.value, s.value, v.ms * s.value, v.block_threads
FROM now, json_each('[400, 800, 1600]') AS s, v
WHERE name = 'som-fig13';
WITH v (impl, fast) AS (VALUES ('som/rounds', 3), ('som/gpu-opt', 9), ('som/serial', 0.5))
INSERT INTO shown (impl, input, sigma, rounds, mean_ms, cost_pct, cost_pct_sd, to_quality_ms)
SELECT v.impl, map.value, s.value, r.value, r.value / v.fast, 2000 / r.value + 15, 0.5, CASE r.value WHEN 1500 THEN 500 END
FROM now, json_each('["cones", "conesM", "teddy"]') AS map, json_each('[12, 24]') AS s, json_each('[100, 500, 1500, 3000]') AS r, v
WHERE name = 'som-table2-work' AND (r.value = 1500 OR v.fast >= 1);

INSERT INTO shown (impl, input, sigma, verdict, threads, background, mean_ms, surface_rms_px, surface_known_pct, vertices, equal_rms_vertices)
SELECT i.value, map.value, 12, CASE WHEN i.key > 3 THEN 'other' ELSE 'exact' END, CASE i.value WHEN 'som/openmp' THEN 16 ELSE 1 END, b.value, 10 + i.key, CASE i.key WHEN 0 THEN 2 WHEN 4 THEN 0.5 ELSE 1.25 END,
       90 + i.key, 4725, CASE i.key WHEN 4 THEN CASE b.value WHEN 'free' THEN 945 ELSE 1890 END END
FROM now, json_each('["cones", "map-S"]') AS map, json_each('["som/grid", "som/rounds", "som/openmp", "som/gpu-opt", "som/greedy", "som/rtin", "som/gpu-rtin"]') AS i,
     json_each('["kept", "free"]') AS b
WHERE name = 'som-peers' AND (i.key > 3 OR b.value = 'kept');
UPDATE shown SET background = NULL WHERE verdict <> 'other';

-- What the rows have where nothing else is said.
UPDATE shown
SET status = 'ok', commit_hash = 'abc1234', mode_name = 'any', frame_pick = coalesce(frame_pick, 'all'), batch = coalesce(batch, 1), sigma = coalesce(sigma, 24),
    ssr = coalesce(ssr, 4), distance = 'vertical', median = coalesce(median, 5), series = coalesce(series, 'hot');
UPDATE shown SET scope = coalesce(scope, 'kernel'), n = 30 WHERE mean_ms IS NOT NULL;

-- What is wrong is never drawn, however fast or good.
CREATE TEMP TABLE wrong AS SELECT * FROM shown WHERE status = 'ok';
UPDATE wrong SET id = NULL, status = 'wrong', mean_ms = 9e9, median_ms = 1e-9, fps = 1e9, cost_pct = 9e9, rms_error_px = 1e9, d1_pct = 1e9, rounds_max = 1e9;
INSERT INTO shown SELECT * FROM wrong;
DROP TABLE wrong;

-- What a caption has of a session: the processor that CPU code is for.
CREATE TEMP TABLE environment AS SELECT 's' AS session, 'flags' AS key, '-O3 -march=x86-64-v3 -DNDEBUG' AS text FROM now WHERE name = 'rdp-fig10';
UPDATE shown
SET session = 's'
WHERE EXISTS (SELECT 1 FROM temp.environment);
