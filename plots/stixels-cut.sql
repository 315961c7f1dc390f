-- stixels-cut.sql - the GPU variants of Slanted Stixels on a part of the card
-- with cut.sql
INSERT INTO wanted_impl VALUES ('stixels/gpu-paper'), ('stixels/gpu-opt'), ('stixels/gpu-cubic');

CREATE TEMP VIEW kept AS
SELECT s.*, b.said || ' px' || CASE s.code WHEN 'text' THEN ', text' ELSE '' END AS piece
FROM in_series AS s
JOIN held USING (input, classes)
JOIN block_text AS b ON b.block = s.block
WHERE s.sms > 0 AND s.impl IN (SELECT impl FROM wanted_impl);

CREATE TEMP VIEW board AS SELECT 'Xavier' AS name, 8 AS sms, 1377 AS mhz;

CREATE TEMP VIEW printed_ms AS
SELECT p.impl, b.said || ' px' || CASE WHEN EXISTS (SELECT 1 FROM kept WHERE code = 'text') THEN ', text' ELSE '' END AS piece,
       1000 / p.value AS ms
FROM printed AS p
JOIN block_text AS b ON b.block = p.block
WHERE p.figure = 'fig8' AND p.name = 'fps' AND p.hardware = 'Tegra Xavier';

CREATE TEMP VIEW cut_text AS
SELECT 'Slanted Stixels' AS title, '2048 × 1024 px, ' || classes || ' classes, input ' || input || '; gpu-cubic: eq. 6, the others: eq. 12; text: only what the paper''s text says' AS subtitle FROM held;
