-- roofline.sql - operations a second of variants, and the ceilings of the machine, for {rdp,stixels,som}-roofline.sql
--
-- The figure of a paper has: cell (id, said, is_left), what a row is called in a few letters and whether that stands at its left;
-- roof_text (title, operation, experiment).  Points: by the problem's own count of operations and bytes, which is the same for all
-- variants; and of the GPU's by the instructions and bytes that Nsight Compute counted.
CREATE TABLE workable AS
SELECT *, CASE WHEN operation = 'copy' THEN work_bytes ELSE work_ops END / median_ms * 1e3 AS rate
FROM timed_whole
WHERE median_ms > 0;

CREATE TABLE kept AS
SELECT w.*
FROM workable AS w
JOIN held USING (input)
WHERE w.work_ops > 0 AND w.work_bytes > 0 AND w.impl NOT LIKE 'probe/%';

-- Of a run that leaves DRAM alone (below 1 % of the bytes of L2) the bytes of L2 say more.
CREATE TABLE counted AS
SELECT *, ncu_l2_bytes > 0 AND NOT coalesce(ncu_dram_bytes * 100 >= ncu_l2_bytes, 0) AS in_l2
FROM kept
WHERE device = 'gpu' AND ncu_instructions > 0 AND (ncu_dram_bytes > 0 OR ncu_l2_bytes > 0);

CREATE TABLE point AS
SELECT CASE WHEN device = 'gpu' THEN 1 ELSE 3 END AS panel, id, impl, work_ops / work_bytes AS x, work_ops / median_ms * 1e3 AS y,
       NULL AS l2_x, 0 AS in_l2
FROM kept
UNION ALL
SELECT 2, id, impl, ncu_instructions / CASE WHEN in_l2 THEN ncu_l2_bytes ELSE ncu_dram_bytes END, ncu_instructions / median_ms * 1e3,
       CASE WHEN ncu_l2_bytes > 0 THEN ncu_instructions / ncu_l2_bytes END, in_l2
FROM counted;

CREATE VIEW draw_points AS
SELECT p.panel, p.impl, p.x, p.y, p.l2_x, p.in_l2, c.is_left, c.said
FROM point AS p
JOIN cell AS c ON c.id = p.id
ORDER BY p.id;

-- ---- ceilings: bytes a second of the largest copy, and of the fastest one, which fits in a cache; operations a second of the
-- fastest chain, where an operation is one instruction of a thread

CREATE TABLE probe AS SELECT * FROM workable WHERE impl LIKE 'probe/%';

CREATE TABLE ceiling AS
SELECT i.impl,
       (SELECT id FROM probe WHERE impl = i.impl AND operation = 'copy' ORDER BY kib DESC, id LIMIT 1) AS memory,
       (SELECT id FROM probe WHERE impl = i.impl AND operation = 'copy' ORDER BY rate DESC, id LIMIT 1) AS cache,
       (SELECT id FROM probe WHERE impl = i.impl AND operation <> 'copy' ORDER BY rate DESC, id LIMIT 1) AS chain
FROM (SELECT DISTINCT impl FROM probe) AS i;

CREATE TABLE roof AS
SELECT c.impl, m.id AS memory_id, m.rate AS memory, m.kib, h.id AS cache_id, h.rate AS cache, h.kib AS cache_kib, i.id AS chain_id,
       i.rate AS top, i.operation
FROM ceiling AS c
JOIN probe AS m ON m.id = c.memory
JOIN probe AS h ON h.id = c.cache
JOIN probe AS i ON i.id = c.chain;

-- Of a panel: the bandwidths and operations a second that bound it; counted instructions are of warps.
CREATE VIEW draw_panels AS
SELECT p.panel, coalesce(r.memory, 0) AS memory, coalesce(r.top / p.lanes, 0) AS top,
       CASE WHEN p.panel = 2 AND NOT EXISTS (SELECT 1 FROM point WHERE panel = 2 AND l2_x IS NOT NULL) THEN 0 ELSE coalesce(r.cache, 0) END AS cache,
       coalesce(r.kib, 0) AS kib, coalesce(r.cache_kib, 0) AS cache_kib, coalesce(r.operation, '-') AS operation,
       coalesce(core.memory, 0) AS core_memory, coalesce(core.top, 0) AS core_top,
       (SELECT total(in_l2) FROM point WHERE panel = p.panel) AS n_in_l2
FROM (SELECT 1 AS panel, 'probe/gpu-plain' AS impl, 1.0 AS lanes UNION ALL SELECT 2, 'probe/gpu-plain', 32.0
      UNION ALL SELECT 3, 'probe/openmp', 1.0) AS p
LEFT JOIN roof AS r ON r.impl = p.impl
LEFT JOIN roof AS core ON core.impl = 'probe/serial' AND p.panel = 3
WHERE p.panel IN (SELECT panel FROM point)
ORDER BY p.panel;

CREATE VIEW draw_variants AS
SELECT p.panel, v.impl
FROM variant AS v
JOIN point AS p ON p.impl = v.impl
GROUP BY p.panel, v.impl
ORDER BY p.panel, v.place;

CREATE VIEW drawn AS
SELECT id FROM kept
UNION ALL
SELECT id
FROM probe
WHERE id IN (SELECT memory_id FROM roof UNION ALL SELECT cache_id FROM roof UNION ALL SELECT chain_id FROM roof)
  AND EXISTS (SELECT 1 FROM kept);

CREATE VIEW lack AS
SELECT EXISTS (SELECT 1 FROM kept WHERE device = 'gpu') AS has_gpu, EXISTS (SELECT 1 FROM kept WHERE device IS NOT 'gpu') AS has_cpu,
       EXISTS (SELECT 1 FROM roof WHERE impl = 'probe/gpu-plain') AS has_gpu_roof,
       EXISTS (SELECT 1 FROM roof WHERE impl = 'probe/openmp') AS has_cpu_roof;

CREATE VIEW text AS
SELECT 'title' AS name, title AS value FROM roof_text
UNION ALL SELECT 'subtitle', 'input ' || input || '; an operation: ' || operation || '. One takes several instructions' FROM roof_text, held
UNION ALL SELECT 'note',
    CASE WHEN has_gpu > has_gpu_roof OR has_cpu > has_cpu_roof
         THEN 'No ceilings of this ' || CASE WHEN has_gpu <= has_gpu_roof THEN 'CPU' WHEN has_cpu <= has_cpu_roof THEN 'GPU' ELSE 'machine' END ||
              ' yet: make bench EXP=probe/ceilings. ' ELSE '' END ||
    CASE WHEN has_gpu AND NOT EXISTS (SELECT 1 FROM counted)
         THEN 'No counted instructions yet: make profile-ncu EXP=' || experiment || '. ' ELSE '' END ||
    -- two of a kind are not one
    CASE WHEN has_gpu AND cards.n > 1 THEN 'Rows and ceilings are of ' || cards.n || ' cards of this kind. ' ELSE '' END
    FROM lack, roof_text, (SELECT count(DISTINCT gpu_uuid) AS n FROM shown
                           WHERE (id IN (SELECT id FROM kept) AND device = 'gpu') OR (id IN (SELECT id FROM probe) AND impl = 'probe/gpu-plain')) AS cards;
