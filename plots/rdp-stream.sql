-- rdp-stream.sql - frames on a clock
-- with stream.sql
CREATE TEMP VIEW shown_as AS SELECT 'RDP' AS title;
