-- scale-gpus.sql - efficiency of several GPUs
-- with scale.sql
INSERT INTO wanted_impl VALUES ('rdp/gpu-opt'), ('stixels/gpu-opt'), ('som/gpu-opt'), ('sgm/gpu-opt'), ('pair-stixels/gpu-opt');
CREATE TEMP VIEW rated AS SELECT id, number, is_strong, efficiency_pct AS rate, efficiency_lo_pct AS low, efficiency_hi_pct AS high FROM ranked;
CREATE TEMP VIEW shown_as AS SELECT 'Several GPUs, a process each: efficiency of %s %% with %d' AS title, 'GPUs' AS x, 'efficiency [%]' AS y, NULL AS subtitle;
