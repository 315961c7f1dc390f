-- stixels-roofline.sql - Slanted Stixels' variants beneath the ceilings of the machine
-- with roofline.sql
INSERT INTO wanted_impl VALUES ('stixels/serial'), ('stixels/openmp'), ('stixels/cubic-openmp'), ('stixels/gpu-cubic'), ('stixels/gpu-paper'), ('stixels/gpu-opt');

CREATE TEMP VIEW mark AS SELECT id, CASE model WHEN 'b6' THEN 'eq. 6, ' ELSE '' END || said || ' px' AS said, 1 AS at_foot FROM kept JOIN block_text USING (block);

CREATE TEMP VIEW roof_text AS
SELECT 'Slanted Stixels' AS title,
       'the cost of a stixel of one kind between two rows; of eq. 6 a row of it' AS operation, 'stixels/roofline' AS experiment, '' AS remark;
