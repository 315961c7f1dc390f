-- som-roofline.sql - the mesh's variants beneath the ceilings of the machine
-- with roofline.sql
INSERT INTO wanted_impl VALUES ('som/rounds'), ('som/openmp'), ('som/gpu-paper'), ('som/gpu-opt');

CREATE TEMP VIEW mark AS SELECT id, width || ' px' AS said, 0 AS at_foot FROM kept;

CREATE TEMP VIEW roof_text AS
SELECT 'SOM mesh' AS title,
       'one neuron pulled by one data point' AS operation, 'som/roofline' AS experiment, 'What bounds a mesh is waiting, since each round needs the one before: no roof shows that. ' AS remark;
