-- names.sql - what a reader of the papers calls what we have; the one list of such names
--
-- title is a variant's in legends and labels: the paper's word or what it is, ours behind it.
CREATE TEMP TABLE variant_name (impl TEXT PRIMARY KEY, said TEXT);
INSERT INTO variant_name
VALUES ('rdp/gpu-paper', 'GPU, paper''s kernel'), ('rdp/gpu-opt', 'GPU, faster'),
       ('rdp/serial', 'CPU single-core'), ('rdp/omp-columns', 'CPU multi-core'),
       ('rdp/omp-tasks', 'CPU multi-core, recursive'), ('rdp/cpu-simd', 'CPU, vectors'),
       ('rdp/geos', 'GEOS'), ('rdp/opencv', 'OpenCV'), ('rdp/boost', 'Boost'),
       ('stixels/gpu-paper', 'GPU, paper''s kernel'), ('stixels/gpu-opt', 'GPU, faster'), ('stixels/gpu-cubic', 'GPU, [12]'),
       ('stixels/serial', 'CPU single-core'), ('stixels/openmp', 'CPU multi-core'),
       ('stixels/cubic-serial', 'CPU single-core, [12]'), ('stixels/cubic-openmp', 'CPU multi-core, [12]'),
       ('stixels/cuts', 'cuts at candidate rows'), ('stixels/cuts-cubic', 'cuts at candidate rows, [12]'),
       ('stixels/gpu-cuts-cubic', 'GPU, cuts at candidate rows, [12]'),
       ('sgm/gpu-paper', 'GPU, paper''s kernels'), ('sgm/gpu-opt', 'GPU, faster'),
       ('sgm/serial', 'CPU single-core'), ('sgm/openmp', 'CPU multi-core'),
       ('som/gpu-paper', 'GPU, paper''s kernel'), ('som/gpu-opt', 'GPU, faster'),
       ('som/serial', 'CPU, point by point'), ('som/rounds', 'CPU, rounds'), ('som/openmp', 'CPU multi-core, rounds'),
       ('som/grid', 'regular mesh'), ('som/greedy', 'greedy insertion'), ('som/rtin', 'bisection'), ('som/gpu-rtin', 'GPU, bisection');

-- The project's variants, in the order in which figures have them; a peer is another library.
CREATE TEMP TABLE variant (place INTEGER PRIMARY KEY, impl TEXT, title TEXT, is_peer INTEGER);
INSERT INTO variant (impl, title, is_peer)
SELECT impl, coalesce(said || ' (' || impl || ')', impl), needs IS NOT NULL
FROM known
LEFT JOIN variant_name USING (impl)
ORDER BY impl LIKE 'som/%', impl LIKE 'stixels/%', impl LIKE '%cubic%', place;

-- A machine by its GPU, or by its processor, of which the machine's own name has the number of cores: xeon-16c_nvidia-h200.
CREATE TEMP VIEW machine_name AS
SELECT DISTINCT machine, gpu,
       coalesce(nullif(CAST(substr(machine, instr(machine, '-') + 1) AS INTEGER), 0) || ' cores of ', '') ||
       trim(replace(replace(replace(cpu, '(R)', ''), '(TM)', ''), ' Processor', '')) AS cpu_name
FROM shown;
