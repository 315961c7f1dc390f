-- stixels-stream.sql - frames on a clock
-- with stream.sql
CREATE TEMP VIEW shown_as AS SELECT 'Slanted stixels' AS title;
