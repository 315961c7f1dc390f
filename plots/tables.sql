-- tables.sql - the tables that charts read, for `depthbench draw`, which fills them before the SQL of a figure is run

-- What `depthbench show` has of one experiment or several.
CREATE TABLE shown (
    id INTEGER PRIMARY KEY,
    status TEXT, verdict TEXT, commit_hash TEXT, dirty NUMERIC, protocol TEXT,
    machine TEXT, cpu TEXT, gpu TEXT, gpu_uuid TEXT, device TEXT, mode_name TEXT, sm_count NUMERIC, sms NUMERIC, gpu_mhz_med REAL,
    impl TEXT, input TEXT, frame_pick TEXT, batch NUMERIC, threads NUMERIC, scope TEXT, series TEXT, stage TEXT, scaling TEXT, ranks NUMERIC, rank_speedup REAL, rank_speedup_lo REAL, rank_speedup_hi REAL,
    efficiency_pct REAL, efficiency_lo_pct REAL, efficiency_hi_pct REAL,
    n NUMERIC, processes NUMERIC, n_inputs NUMERIC, n_outside NUMERIC,
    min_ms REAL, median_ms REAL, max_ms REAL, mean_ms REAL, sd_ms REAL, ci_lo_ms REAL, ci_hi_ms REAL, fps REAL, mj_frame REAL, mj_frame_net REAL,
    work_ops REAL, work_bytes REAL, ncu_instructions REAL, ncu_dram_bytes REAL, ncu_l2_bytes REAL, ncu_sysmem_bytes REAL,
    width NUMERIC, height NUMERIC, eps NUMERIC, distance TEXT, median NUMERIC,
    model TEXT, block NUMERIC, classes NUMERIC, columns NUMERIC, beta_mc NUMERIC,
    sigma NUMERIC, ssr NUMERIC, crr NUMERIC, co NUMERIC, mov NUMERIC, kernels TEXT, block_threads NUMERIC, atomics TEXT, planes TEXT,
    stream_rate TEXT, stream_in_flight NUMERIC, stream_arrival TEXT, stream_launch TEXT, n_missed NUMERIC, n_dropped NUMERIC,
    rounds NUMERIC, operation TEXT, kib NUMERIC,
    equal_pct REAL, rms_error_px REAL, d1_pct REAL, pixels_per_segment REAL, rounds_mean REAL, rounds_sd REAL, rounds_max REAL,
    rms_to_input_px REAL, input_d1_all_pct REAL, pixels_per_stixel REAL,
    cost_pct REAL, cost_pct_sd REAL, folded_pct REAL, to_quality_ms REAL,
    background TEXT, surface_rms_px REAL, surface_mean_px REAL, surface_known_pct REAL, vertices NUMERIC, equal_rms_vertices NUMERIC
);

CREATE TABLE value (
    impl TEXT, input TEXT, frame_pick TEXT, machine TEXT, width NUMERIC, height NUMERIC, eps NUMERIC, distance TEXT, median NUMERIC,
    model TEXT, block NUMERIC, name TEXT, "index" INTEGER, value REAL
);

-- Of streams, how many frames took longer than ms, of how many.
CREATE TABLE latency (
    impl TEXT, machine TEXT, input TEXT, scope TEXT, planes TEXT, stream_rate TEXT, stream_in_flight NUMERIC, stream_arrival TEXT, stream_launch TEXT,
    ms REAL, n_longer NUMERIC, n_all NUMERIC
);

-- Runs whose output was refused, whatever stands for their configuration now.
CREATE TABLE dropped (
    impl TEXT, input TEXT, machine TEXT, sigma NUMERIC, ssr NUMERIC, crr NUMERIC, co NUMERIC, mov NUMERIC, rounds NUMERIC, seed NUMERIC,
    reason TEXT
);

CREATE TABLE missing (impl TEXT, cell TEXT, why TEXT, folder TEXT);
-- What is not there of it, in one line; `depthbench show --all` names the configurations.
CREATE VIEW remark AS
SELECT 'missing: ' || n || CASE n WHEN 1 THEN ' configuration (' ELSE ' configurations (' END || text || ')' AS line
FROM (SELECT sum(n) AS n, group_concat(n || ' ' || what, ', ') AS text
      FROM (SELECT substr(why, 1, instr(why || ':', ':') - 1) AS what, count(*) AS n FROM missing WHERE impl NOT LIKE 'probe/%' GROUP BY what ORDER BY min(rowid)))
WHERE n > 0;

-- The numbers printed in the paper.
CREATE TABLE printed (
    figure TEXT, impl TEXT, hardware TEXT, mode_name TEXT, input TEXT, model TEXT, block NUMERIC, stage TEXT, width NUMERIC,
    height NUMERIC, eps NUMERIC, frame_pick TEXT, ssr NUMERIC, sigma NUMERIC, size NUMERIC, name TEXT, value REAL, printed TEXT,
    "read" TEXT
);

-- What scripts/profile_ncu counted.
CREATE TABLE counter (
    impl TEXT, input TEXT, model TEXT, block NUMERIC, classes NUMERIC, mov NUMERIC, kernels TEXT, stage TEXT, ipc REAL, run_instructions NUMERIC, l1_hit_pct REAL
);

-- What depthbench history --csv wrote.
CREATE TABLE history (
    wanted TEXT, cell TEXT, cell_number INTEGER, point INTEGER, date TEXT, commit_hash TEXT, machine_name TEXT, fps REAL, level_ms REAL,
    ci_lo_ms REAL, ci_hi_ms REAL
);
