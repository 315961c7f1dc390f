-- som-fig10.sql - the fastest single kernel against the fastest three: [SOM] Fig. 10
--
-- For each size of the cells SK at its fastest block size, and the sum of MK_E, MK_S and MK_L, each at its own; stages of the rounds, means.
-- with som-stages.sql
-- with bars.sql
CREATE TEMP VIEW fastest AS
SELECT co, part, id, block_threads, min(mean_ms) AS ms, min_ms AS low, max_ms AS high
FROM stage
WHERE part <> 'refresh'
GROUP BY co, part;

-- both kinds: one kernel, and the sum of three
CREATE TEMP VIEW kernel AS
SELECT id, co, 'SK' AS kind, ms, low, high, block_threads AS blocks, block_threads = 1 AS is_one FROM fastest WHERE part = 'som'
UNION ALL
SELECT -e.id, e.co, 'MK', e.ms + s.ms + l.ms, e.low + s.low + l.low, e.high + s.high + l.high,
       e.block_threads || ', ' || s.block_threads || ' and ' || l.block_threads, 0
FROM fastest AS e
JOIN fastest AS s ON s.co = e.co AND s.part = 'search'
JOIN fastest AS l ON l.co = e.co AND l.part = 'learning'
WHERE e.part = 'extraction';

CREATE TEMP VIEW drawn AS
SELECT id FROM fastest UNION SELECT id FROM kept WHERE stage IS NULL AND EXISTS (SELECT 1 FROM stage);

CREATE TEMP VIEW head AS
SELECT min(id) AS grp, co,
       'cells of ' || co || ' × ' || co || ' px' || coalesce(', one core: ' || number_text(max(CASE WHEN stage IS NULL THEN mean_ms END)) || ' ms', '') AS said
FROM kept
GROUP BY co;

CREATE TEMP VIEW bar AS
SELECT k.id, 1 AS panel, h.grp, CASE k.kind WHEN 'SK' THEN 1 ELSE 2 END AS place, k.ms AS x,
       CASE k.kind WHEN 'SK' THEN 'som/gpu-paper' ELSE '-' END AS impl, 0 AS kind,
       CASE k.kind WHEN 'SK' THEN 'SK, one kernel' ELSE 'MK, three kernels' END AS label,
       number_text(k.ms) || ' ms, ' || k.blocks || CASE WHEN k.is_one THEN ' thread' ELSE ' threads' END || ' a block' ||
       CASE WHEN s.ms IS NULL THEN '' ELSE printf(', %.2f × SK', k.ms / s.ms) END AS said
FROM kernel AS k
JOIN head AS h ON h.co = k.co
LEFT JOIN kernel AS s ON s.co = k.co AND s.kind = 'SK' AND k.kind = 'MK';

CREATE TEMP VIEW whisker AS SELECT id, low, high FROM kernel WHERE high > low;

CREATE TEMP VIEW draw_looks AS SELECT 'mean time of all rounds [ms]' AS axis, 1 AS from_zero;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'With cells of ' || group_concat(co, ', ') || ' px one kernel a round takes ' || group_concat(number_text(one), ', ') || ' ms in all, three ' || group_concat(number_text(three), ', ')
    FROM (SELECT s.co, s.ms AS one, m.ms AS three FROM kernel AS s JOIN kernel AS m ON m.co = s.co AND m.kind = 'MK' WHERE s.kind = 'SK' ORDER BY s.co) GROUP BY NULL),
    'SOM mesh: one kernel a round or three') AS value
UNION ALL
SELECT 'subtitle', 'input ' || input || ', 1500 rounds, sigma from ' || sigma || ', search range ' || ssr ||
    ', MOV2; the fastest block size of each kernel, means of stages, lines from the fastest to the slowest run' FROM held
UNION ALL
SELECT 'note', 'One core makes the same rounds (som/rounds). [SOM] sect. 6.2, in words: three kernels are slower than one with each size of the ' ||
    'cells, and cells of 20 px are the fastest. ';
