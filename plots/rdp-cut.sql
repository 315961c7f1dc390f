-- rdp-cut.sql - RDP's GPU variants on a part of the card
-- with cut.sql
INSERT INTO wanted_impl VALUES ('rdp/gpu-paper'), ('rdp/gpu-opt');

CREATE TEMP VIEW kept AS
SELECT s.*, s.height || ' rows' AS piece
FROM in_series AS s
JOIN held USING (input, eps, width)
WHERE s.sms > 0 AND s.frame_pick = 'all' AND s.impl IN ('rdp/gpu-paper', 'rdp/gpu-opt');

CREATE TEMP VIEW board AS SELECT 'Xavier' AS name, 8 AS sms, 1377 AS mhz;

CREATE TEMP VIEW printed_ms AS
SELECT impl, height || ' rows' AS piece, value AS ms
FROM printed
WHERE figure = 'fig9' AND name = 'mean_ms' AND frame_pick = 'all';

CREATE TEMP VIEW cut_text AS
SELECT 'RDP' AS title, width || ' columns, ε = ' || eps || ' px, input ' || input || ', average frame; printed at 256 and 512 rows: by the paper''s ''× 2.5'' and ''× 6''' AS subtitle FROM held;
