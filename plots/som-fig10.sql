-- som-fig10.sql - the fastest single kernel against the fastest three: [SOM] Fig. 10
--
-- For each size of the cells SK at its fastest block size, and the sum of MK_E, MK_S and MK_L, each at its own; stages of the rounds, means.
-- with som-stages.sql
-- with bars.sql
CREATE VIEW fastest AS
SELECT co, part, id, block_threads, min(mean_ms) AS ms
FROM stage
WHERE part <> 'refresh'
GROUP BY co, part;

-- both kinds: one kernel, and the sum of three
CREATE VIEW kernel AS
SELECT co, 'SK' AS kind, ms, block_threads AS blocks FROM fastest WHERE part = 'som'
UNION ALL
SELECT e.co, 'MK', e.ms + s.ms + l.ms, e.block_threads || ' + ' || s.block_threads || ' + ' || l.block_threads
FROM fastest AS e
JOIN fastest AS s ON s.co = e.co AND s.part = 'search'
JOIN fastest AS l ON l.co = e.co AND l.part = 'learning'
WHERE e.part = 'extraction';

CREATE VIEW drawn AS
SELECT id FROM fastest UNION SELECT id FROM kept WHERE stage IS NULL;

CREATE VIEW head AS SELECT min(id) AS grp, 'cells of ' || co || ' × ' || co || ' px' AS said, co FROM kept GROUP BY co;

CREATE VIEW bar AS
SELECT 0 AS id, 1 AS panel, h.grp, CASE k.kind WHEN 'SK' THEN 1 ELSE 2 END AS place, k.ms AS x,
       CASE k.kind WHEN 'SK' THEN 'som/gpu-paper' ELSE 'som/serial' END AS impl, 0 AS kind, k.kind AS label,
       number_text(k.ms) || ' ms' || ' · ' || k.blocks || ' threads a block' ||
       CASE WHEN s.ms IS NULL THEN '' ELSE printf(' · %.2f × SK', k.ms / s.ms) END AS said
FROM kernel AS k
JOIN head AS h ON h.co = k.co
LEFT JOIN kernel AS s ON s.co = k.co AND s.kind = 'SK' AND k.kind = 'MK'
UNION ALL
SELECT k.id, 1, h.grp, 3, k.mean_ms, k.impl, 0, 'som/rounds, one core', number_text(k.mean_ms) || ' ms'
FROM kept AS k
JOIN head AS h ON h.co = k.co
WHERE k.stage IS NULL;

CREATE VIEW draw_looks AS SELECT 180 AS left, 21 AS row_height, 'mean time of all rounds [ms]' AS axis, 1 AS from_zero;

CREATE VIEW text AS
SELECT 'title' AS name, 'SOM mesh: one kernel a round or three' AS value
UNION ALL
SELECT 'subtitle', 'input ' || input || ', 1500 rounds, sigma from ' || sigma || ', search range ' || ssr ||
    ', MOV2; the fastest block size of each kernel, means of stages' FROM held
UNION ALL
SELECT 'note', '[SOM] sect. 6.2, in words: three kernels are slower than one with each size of the cells, and cells of 20 px are the fastest. ';
