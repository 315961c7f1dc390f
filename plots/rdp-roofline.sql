-- rdp-roofline.sql - RDP's variants beneath the ceilings of the machine
-- with roofline.sql
INSERT INTO wanted_impl VALUES ('rdp/serial'), ('rdp/omp-columns'), ('rdp/cpu-simd'), ('rdp/gpu-paper'), ('rdp/gpu-opt');

CREATE TEMP VIEW mark AS SELECT id, CASE batch WHEN 1 THEN '1 frame' ELSE 'batch of ' || batch END AS said, 0 AS at_foot FROM kept;

CREATE TEMP VIEW roof_text AS
SELECT 'RDP' AS title,
       'the distance of a point to a chord, as the recursion has them' AS operation, 'rdp/roofline' AS experiment, '' AS remark;
