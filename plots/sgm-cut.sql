-- sgm-cut.sql - the GPU variants of semi-global matching on a part of the card
-- with cut.sql
INSERT INTO wanted_impl VALUES ('sgm/gpu-paper'), ('sgm/gpu-opt');

CREATE TEMP VIEW kept AS SELECT s.*, s.paths || ' paths' AS piece FROM in_series AS s WHERE s.sms > 0 AND s.impl IN ('sgm/gpu-paper', 'sgm/gpu-opt');

CREATE TEMP VIEW board AS SELECT 'Titan X' AS name, 24 AS sms, 1075 AS mhz;

CREATE TEMP VIEW printed_ms AS
SELECT impl, paths || ' paths' AS piece, 1000 / value AS ms FROM printed WHERE figure = 'fps' AND name = 'fps' AND hardware = 'Titan X';

CREATE TEMP VIEW cut_text AS
SELECT 'SGM' AS title, '640 × 480 px, 128 disparities, no checks, both views on the device' AS subtitle;
