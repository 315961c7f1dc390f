-- scale-gpus.sql - efficiency of several GPUs
-- with scale.sql
INSERT INTO wanted_impl VALUES ('rdp/gpu-opt'), ('stixels/gpu-opt'), ('som/gpu-opt');
CREATE VIEW rated AS
SELECT id, ranks AS number, scaling = 'strong' AS is_strong, efficiency_pct AS rate, efficiency_lo_pct AS low, efficiency_hi_pct AS high
FROM whole
WHERE scaling IS NOT NULL AND rank_speedup > 0;
CREATE VIEW shown_as AS
SELECT 'Several GPUs, a process each: efficiency' AS title, 'GPUs' AS x, 'efficiency [%]' AS y,
       'frames that all finish in one interval; end to end with copies and preparation; bars: from the 95 % intervals of both medians' AS subtitle;
