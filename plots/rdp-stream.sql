-- rdp-stream.sql - frames on a clock
-- with stream.sql
CREATE TEMP VIEW shown_as AS SELECT 'RDP column segmentation: frames that arrive on a clock' AS title;
