-- scale-gpus.sql - efficiency of several GPUs
-- with scale.sql
INSERT INTO wanted_impl VALUES ('rdp/gpu-opt'), ('stixels/gpu-opt'), ('som/gpu-opt');
CREATE VIEW shown_as AS SELECT 'Several GPUs, a process each: efficiency' AS title, 'GPUs' AS x, 'efficiency [%]' AS y, 1 AS by_rank;
