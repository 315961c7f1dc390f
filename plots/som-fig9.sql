-- som-fig9.sql - times by threads per block, a panel for each size of the cells, a curve for each kernel; MK is the sum of three
-- with som-stages.sql
CREATE TEMP TABLE kernel (place INTEGER PRIMARY KEY, part TEXT, name TEXT);
INSERT INTO kernel
VALUES (1, 'som', 'SK, one kernel'), (2, NULL, 'MK, sum of three'), (3, 'extraction', 'MK_E, extraction'), (4, 'search', 'MK_S, search'),
       (5, 'learning', 'MK_L, learning');

-- The fastest block sizes that the paper names (sect. 6.2).
CREATE TEMP TABLE named (co INTEGER, part TEXT, block_threads INTEGER);
INSERT INTO named
VALUES (10, 'som', 64), (10, 'extraction', 256), (10, 'search', 64), (10, 'learning', 64),
       (20, 'som', 8), (20, 'extraction', 16), (20, 'search', 8), (20, 'learning', 16),
       (30, 'som', 1), (30, 'extraction', 8), (30, 'search', 1), (30, 'learning', 8);

CREATE TEMP VIEW drawn AS
SELECT id FROM kept WHERE stage IS NULL AND EXISTS (SELECT 1 FROM stage)
UNION
SELECT l.id FROM stage AS l JOIN kernel AS k ON k.part = l.part;

CREATE TEMP VIEW draw_points AS
SELECT l.co, k.place AS curve, l.block_threads, sum(l.mean_ms) AS ms, sum(coalesce(l.min_ms, l.mean_ms)) AS low,
       sum(coalesce(l.max_ms, l.mean_ms)) AS high, n.co IS NOT NULL AS is_named
FROM stage AS l
JOIN kernel AS k ON k.part = l.part
LEFT JOIN named AS n ON n.co = l.co AND n.part = l.part AND n.block_threads = l.block_threads
GROUP BY l.co, k.place, l.block_threads
UNION ALL
SELECT co, 2, block_threads, sum(mean_ms), sum(coalesce(min_ms, mean_ms)), sum(coalesce(max_ms, mean_ms)), 0
FROM stage
WHERE part IN ('extraction', 'search', 'learning')
GROUP BY co, block_threads
ORDER BY 1, 2, 3;

CREATE TEMP VIEW draw_curves AS SELECT place AS curve, name FROM kernel WHERE place IN (SELECT curve FROM draw_points);

-- one_core: the same schedule on one core, 0: not measured
CREATE TEMP VIEW draw_panels AS
SELECT k.co, 'cells of ' || k.co || ' × ' || k.co || ' px' AS title, coalesce(max(CASE WHEN k.stage IS NULL THEN k.mean_ms END), 0) AS one_core
FROM kept AS k
GROUP BY k.co
ORDER BY min(k.id);

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'Cells of ' || group_concat(co, ', ') || ' px: one kernel is fastest with ' || group_concat(block_threads, ', ') || ' threads a block; [SOM] names ' || group_concat(theirs, ', ')
    FROM (SELECT s.co, s.block_threads, min(s.mean_ms), n.block_threads AS theirs FROM stage AS s JOIN named AS n ON n.co = s.co AND n.part = 'som' WHERE s.part = 'som' GROUP BY s.co ORDER BY s.co)
    GROUP BY NULL), 'SOM mesh: threads per block') AS value
UNION ALL
SELECT 'subtitle', 'input ' || input || ', 1500 rounds, sigma from ' || sigma || ', search range ' || ssr || ', MOV2; times of all rounds: means, bars from the fastest to the slowest run' FROM held
UNION ALL
SELECT 'note', '[SOM] sect. 6.2 prints no times. ';
