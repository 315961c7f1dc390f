-- sgm-roofline.sql - semi-global matching beneath the ceilings of the machine
-- with roofline.sql
INSERT INTO wanted_impl VALUES ('sgm/serial'), ('sgm/openmp'), ('sgm/gpu-paper'), ('sgm/gpu-opt');

CREATE TEMP VIEW mark AS SELECT id, paths || ' paths' AS said, 0 AS at_foot FROM kept;

CREATE TEMP VIEW roof_text AS
SELECT 'Semi-global matching' AS title,
       'a disparity''s cost along a path, at each pixel' AS operation, 'sgm/roofline' AS experiment, '' AS remark;
