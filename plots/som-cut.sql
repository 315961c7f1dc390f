-- som-cut.sql - the mesh's GPU variants on a part of the card; of som/gpu-paper one block size and kind of atomics, the first; what is printed
-- has two readings of sigma
-- with cut.sql
INSERT INTO wanted_impl VALUES ('som/gpu-paper'), ('som/gpu-opt');

CREATE TEMP VIEW kept AS
SELECT s.*, s.input || CASE s.sigma WHEN h.sigma THEN '' ELSE ', sigma ' || s.sigma END AS piece
FROM in_series AS s
JOIN held AS h ON s.ssr = h.ssr AND coalesce(s.block_threads, h.block_threads) IS h.block_threads
              AND coalesce(s.atomics, h.atomics) IS h.atomics
WHERE s.sms > 0 AND s.impl IN ('som/gpu-paper', 'som/gpu-opt');

CREATE TEMP VIEW board AS SELECT 'GTX 570' AS name, 15 AS sms, 1464 AS mhz;

CREATE TEMP VIEW printed_ms AS
SELECT DISTINCT 'som/gpu-paper' AS impl, k.piece, p.value AS ms
FROM printed AS p
JOIN kept AS k ON k.input = p.input AND k.ssr = p.ssr
WHERE p.figure = 'table2' AND p.name = 'mean_ms' AND p.impl = '[SOM] GPU';

CREATE TEMP VIEW cut_text AS
SELECT 'SOM mesh' AS title, 'sigma from ' || sigma || ' unless said, search range ' || ssr || '; som/gpu-paper: blocks of ' || block_threads ||
    ', atomics ' || atomics AS subtitle FROM held;
