-- som-stream.sql - frames on a clock
-- with stream.sql
CREATE VIEW shown_as AS SELECT 'SOM mesh: frames that arrive on a clock' AS title;
