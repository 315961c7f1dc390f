-- names.sql - what a reader of the papers calls what we have; the one list of such names
--
-- title is a variant's in legends and labels: the paper's word or what it is, ours behind it.  One without a paper is of all
-- variants of that name.
CREATE TEMP TABLE variant_name (impl TEXT PRIMARY KEY, said TEXT);
INSERT INTO variant_name
VALUES ('gpu-paper', 'GPU, paper''s kernel'), ('gpu-opt', 'GPU, faster'), ('gpu-cubic', 'GPU, [12]'), ('sgm/gpu-paper', 'GPU, paper''s kernels'),
       ('serial', 'CPU single-core'), ('openmp', 'CPU multi-core'), ('omp-columns', 'CPU multi-core'), ('omp-tasks', 'CPU multi-core, recursive'),
       ('cpu-simd', 'CPU, vectors'), ('cubic-serial', 'CPU single-core, [12]'), ('cubic-openmp', 'CPU multi-core, [12]'),
       ('cuts', 'cuts at candidate rows'), ('cuts-cubic', 'cuts at candidate rows, [12]'), ('gpu-cuts-cubic', 'GPU, cuts at candidate rows, [12]'),
       ('som/serial', 'CPU, point by point'), ('rounds', 'CPU, rounds'), ('som/openmp', 'CPU multi-core, rounds'),
       ('grid', 'regular mesh'), ('greedy', 'greedy insertion'), ('rtin', 'bisection'), ('gpu-rtin', 'GPU, bisection'), ('geos', 'GEOS'), ('opencv', 'OpenCV'), ('boost', 'Boost');

-- The project's variants, in the order in which figures have them; a peer is another library.
CREATE TEMP TABLE variant (place INTEGER PRIMARY KEY, impl TEXT, title TEXT, is_peer INTEGER);
INSERT INTO variant (impl, title, is_peer)
SELECT k.impl, coalesce(coalesce(own.said, of_all.said) || ' (' || k.impl || ')', k.impl), k.needs IS NOT NULL
FROM known AS k
LEFT JOIN variant_name AS own ON own.impl = k.impl
LEFT JOIN variant_name AS of_all ON of_all.impl = substr(k.impl, instr(k.impl, '/') + 1)
ORDER BY k.impl LIKE '%cubic%', place;

-- A machine by its GPU, or by its processor, of which the machine's own name has the number of cores: xeon-16c_nvidia-h200.
CREATE TEMP VIEW machine_name AS
SELECT DISTINCT machine, gpu,
       coalesce(nullif(CAST(substr(machine, instr(machine, '-') + 1) AS INTEGER), 0) || ' cores of ', '') ||
       trim(replace(replace(replace(cpu, '(R)', ''), '(TM)', ''), ' Processor', '')) AS cpu_name
FROM shown;
