-- scale-processes.sql - frames per second of several processes on one GPU, over those of one
-- with scale.sql
INSERT INTO wanted_impl VALUES ('rdp/gpu-opt'), ('stixels/gpu-opt');
CREATE TEMP VIEW rated AS SELECT id, number, is_strong, rank_speedup AS rate, rank_speedup_lo AS low, rank_speedup_hi AS high FROM ranked;
CREATE TEMP VIEW shown_as AS
SELECT 'Several processes on one GPU: %s times the frames per second with %d' AS title, 'processes' AS x, 'frames per second, of one process: 1' AS y, NULL AS subtitle;
