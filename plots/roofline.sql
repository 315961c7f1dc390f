-- roofline.sql - operations a second of variants, and the ceilings of the machine, for {rdp,stixels,som}-roofline.sql
--
-- The figure of a paper has: mark (id, said, at_foot), what a row is called in a few letters, and whether that stands at the foot of the panel, since
-- rows of that name are above one another; roof_text (title, of the problem, operation, experiment, remark).  Points: by the problem's own count of operations and bytes, which is the same for all
-- variants; and of the GPU's by the instructions and bytes that Nsight Compute counted.
CREATE TEMP TABLE workable AS
SELECT *, CASE WHEN operation = 'copy' THEN work_bytes ELSE work_ops END / median_ms * 1e3 AS rate
FROM timed_whole
WHERE median_ms > 0;

CREATE TEMP TABLE kept AS
SELECT w.*
FROM workable AS w
JOIN held USING (input)
WHERE w.work_ops > 0 AND w.work_bytes > 0 AND w.impl NOT LIKE 'probe/%';

-- Of a run that leaves DRAM alone (below 1 % of the bytes of L2) the bytes of L2 say more.
-- A GPU of a Tegra has no counter of DRAM: what L2 fetched from the system's memory stands for it, and without that nobody knows whether a run leaves
-- memory alone; L2 is all that there is to draw it by.
CREATE TEMP TABLE counted AS
SELECT *, ncu_l2_bytes > 0 AND (memory_bytes IS NULL OR memory_bytes * 100 < ncu_l2_bytes) AS in_l2
FROM (SELECT *, coalesce(ncu_dram_bytes, ncu_sysmem_bytes) AS memory_bytes FROM kept)
WHERE device = 'gpu' AND ncu_instructions > 0 AND (memory_bytes > 0 OR ncu_l2_bytes > 0);

-- Panel 1: GPU, as counted, an instruction of a warp for each of its 32 lanes; 2 and 3: GPU and CPU, by the problem's count.
CREATE TEMP TABLE point AS
SELECT CASE WHEN device = 'gpu' THEN 2 ELSE 3 END AS panel, id, impl, work_ops / work_bytes AS x, work_ops / median_ms * 1e3 AS y,
       NULL AS l2_x, 0 AS in_l2
FROM kept
UNION ALL
SELECT 1, id, impl, 32.0 * ncu_instructions / CASE WHEN in_l2 THEN ncu_l2_bytes ELSE memory_bytes END, 32.0 * ncu_instructions / median_ms * 1e3,
       CASE WHEN ncu_l2_bytes > 0 THEN 32.0 * ncu_instructions / ncu_l2_bytes END, in_l2
FROM counted;

-- ---- ceilings: bytes a second of the largest copy, and of the fastest one, which fits in a cache; operations a second of the
-- fastest chain, where an operation is one instruction of a thread

CREATE TEMP TABLE probe AS SELECT * FROM workable WHERE impl LIKE 'probe/%';

CREATE TEMP TABLE roof AS
SELECT m.impl, m.id AS memory_id, m.rate AS memory, m.kib, h.id AS cache_id, h.rate AS cache, h.kib AS cache_kib, i.id AS chain_id,
       i.rate AS top, i.operation
FROM probe AS m
JOIN probe AS h ON h.id = (SELECT id FROM probe WHERE impl = m.impl AND operation = 'copy' ORDER BY rate DESC, id LIMIT 1)
JOIN probe AS i ON i.id = (SELECT id FROM probe WHERE impl = m.impl AND operation <> 'copy' ORDER BY rate DESC, id LIMIT 1)
WHERE m.id = (SELECT id FROM probe WHERE impl = m.impl AND operation = 'copy' ORDER BY kib DESC, id LIMIT 1);

-- Of a panel: the bandwidths and operations a second that bound it.
CREATE TEMP VIEW draw_panels AS
SELECT p.panel, coalesce(r.memory, 0) AS memory, coalesce(r.top, 0) AS top,
       CASE WHEN p.panel = 1 AND NOT EXISTS (SELECT 1 FROM point WHERE panel = 1 AND l2_x IS NOT NULL) THEN 0 ELSE coalesce(r.cache, 0) END AS cache,
       coalesce(r.kib, 0) AS kib, coalesce(r.cache_kib, 0) AS cache_kib, coalesce(r.operation, '-') AS operation,
       coalesce(core.memory, 0) AS core_memory, coalesce(core.top, 0) AS core_top
FROM (SELECT 1 AS panel, 'probe/gpu-plain' AS impl UNION ALL SELECT 2, 'probe/gpu-plain' UNION ALL SELECT 3, 'probe/openmp') AS p
LEFT JOIN roof AS r ON r.impl = p.impl
LEFT JOIN roof AS core ON core.impl = 'probe/serial' AND p.panel = 3
WHERE p.panel IN (SELECT panel FROM point)
ORDER BY p.panel;

-- A point's share of what bounds it: of the lower one of arithmetic and memory, where bytes of L2 are counted of L2 too, and of a single
-- thread those of one core.
CREATE TEMP VIEW bound AS
SELECT p.rowid AS point, 100 * p.y / min(r.top, CASE WHEN p.in_l2 THEN 9e99 ELSE p.x * r.memory END, coalesce(p.l2_x * r.cache, 9e99)) AS pct
FROM point AS p
JOIN kept AS k ON k.id = p.id
JOIN roof AS r ON r.impl = CASE WHEN p.panel < 3 THEN 'probe/gpu-plain' WHEN k.threads > 1 THEN 'probe/openmp' ELSE 'probe/serial' END;

CREATE TEMP VIEW draw_points AS
SELECT p.panel, p.impl, p.x, p.y, p.l2_x, p.in_l2,
       CASE WHEN c.at_foot AND p.panel > 1 THEN '' ELSE c.said || CASE WHEN b.pct > 0 THEN ' · ' ELSE '' END END ||
           CASE WHEN b.pct > 0 THEN printf(CASE WHEN b.pct >= 10 THEN '%.0f %%' ELSE '%.2g %%' END, b.pct) ELSE '' END AS said
FROM point AS p
JOIN mark AS c ON c.id = p.id
LEFT JOIN bound AS b ON b.point = p.rowid
ORDER BY p.id;
-- level: of the text, above the foot
CREATE TEMP VIEW draw_foots AS
SELECT p.panel, c.said, min(p.x) AS x, (SELECT count(DISTINCT a.said) % 2 FROM mark AS a WHERE a.said < c.said) AS level
FROM point AS p
JOIN mark AS c ON c.id = p.id
WHERE c.at_foot AND p.panel > 1
GROUP BY p.panel, c.said;

CREATE TEMP VIEW draw_names AS SELECT impl, title FROM variant WHERE impl IN (SELECT impl FROM point) ORDER BY place;

CREATE TEMP VIEW drawn AS
SELECT id FROM kept
UNION ALL
SELECT id
FROM probe
WHERE id IN (SELECT memory_id FROM roof UNION ALL SELECT cache_id FROM roof UNION ALL SELECT chain_id FROM roof)
  AND EXISTS (SELECT 1 FROM kept);

CREATE TEMP VIEW lack AS
SELECT EXISTS (SELECT 1 FROM kept WHERE device = 'gpu') AS has_gpu, EXISTS (SELECT 1 FROM kept WHERE device IS NOT 'gpu') AS has_cpu,
       EXISTS (SELECT 1 FROM roof WHERE impl = 'probe/gpu-plain') AS has_gpu_roof,
       EXISTS (SELECT 1 FROM roof WHERE impl = 'probe/openmp') AS has_cpu_roof;

-- What Nsight Compute has not counted.
CREATE TEMP VIEW uncounted AS
SELECT group_concat(said, ', ') AS said
FROM (SELECT impl || ' (' || group_concat(said, ', ') || ')' AS said
      FROM (SELECT DISTINCT k.impl, c.said
            FROM kept AS k
            JOIN mark AS c ON c.id = k.id
            WHERE k.device = 'gpu' AND k.id NOT IN (SELECT id FROM counted))
      GROUP BY impl);

CREATE TEMP VIEW text AS
SELECT 'title' AS name, title || coalesce((
    SELECT ': at most ' || CASE WHEN max(p.y) >= 1e11 THEN printf('%.2g T', max(p.y) / 1e12) ELSE printf('%.2g G', max(p.y) / 1e9) END ||
           CASE p.panel WHEN 1 THEN ' instructions' ELSE ' operations' END || ' a second, of ' || p.impl || CASE WHEN r.top > 0 THEN printf('; %s chains reach %.2g T', r.operation, r.top / 1e12) ELSE '' END
    FROM point AS p LEFT JOIN roof AS r ON r.impl = CASE WHEN p.panel < 3 THEN 'probe/gpu-plain' ELSE 'probe/openmp' END
    WHERE p.panel = (SELECT min(panel) FROM point) GROUP BY NULL HAVING count(*) > 0), ': operations a second, and what this machine could do') AS value
FROM roof_text
UNION ALL SELECT 'subtitle', 'input ' || input || '; an operation is ' || operation || ', and takes several instructions' FROM roof_text, held
UNION ALL SELECT 'note', CASE WHEN EXISTS (SELECT 1 FROM bound) THEN 'Percent: of the roof above the mark' ||
        CASE WHEN EXISTS (SELECT 1 FROM bound JOIN point AS p ON p.rowid = point WHERE p.panel = 3) THEN ', of a single thread that of one core' ELSE '' END || '. ' ELSE '' END ||
    CASE WHEN has_gpu > has_gpu_roof OR has_cpu > has_cpu_roof
         THEN 'No ceilings of this ' || CASE WHEN has_gpu <= has_gpu_roof THEN 'CPU' WHEN has_cpu <= has_cpu_roof THEN 'GPU' ELSE 'machine' END ||
              ' yet: make bench EXP=probe/ceilings. ' ELSE '' END ||
    CASE WHEN has_gpu AND u.said IS NOT NULL THEN 'Not counted by Nsight Compute: ' || u.said || ' (make profile-ncu EXP=' || experiment || '). ' ELSE '' END ||
    CASE WHEN EXISTS (SELECT 1 FROM counted WHERE memory_bytes IS NULL) THEN 'No DRAM counter: points without one are at their bytes of L2, and may use memory. ' ELSE '' END ||
    CASE WHEN EXISTS (SELECT 1 FROM counted WHERE ncu_dram_bytes IS NULL AND memory_bytes >= 0)
         THEN 'Bytes of memory are 32 for each sector of system memory that L2 lacked, a count that no copy of known size has confirmed. ' ELSE '' END ||
    remark ||
    -- two of a kind are not one
    CASE WHEN has_gpu AND cards.n > 1 THEN 'Rows and ceilings are of ' || cards.n || ' GPUs of this kind. ' ELSE '' END
    FROM lack, roof_text, uncounted AS u,
         (SELECT count(DISTINCT gpu_uuid) AS n FROM shown
          WHERE (id IN (SELECT id FROM kept) AND device = 'gpu') OR (id IN (SELECT id FROM probe) AND impl = 'probe/gpu-plain')) AS cards;
