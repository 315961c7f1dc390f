-- som-fig8.sql - memory organisations of the cells' lists: [SOM] Fig. 8
--
-- A bar for each, below its map; how many times as fast as MOV1, and the share of the sectors read that L1 had, where scripts/profile_ncu
-- counted it.
-- with bars.sql
INSERT INTO wanted_impl VALUES ('som/gpu-paper');

CREATE VIEW could_show AS
SELECT *
FROM timed_whole
WHERE co = 20 AND impl IN ('som/gpu-paper', 'som/rounds');

-- Generated maps only where there are no others.
CREATE TABLE kept AS
SELECT *
FROM could_show
WHERE input NOT LIKE 'map-%' OR NOT EXISTS (SELECT 1 FROM could_show WHERE input NOT LIKE 'map-%');

CREATE VIEW head AS SELECT min(id) AS grp, input AS said FROM kept GROUP BY input;

CREATE VIEW timed_bar AS
SELECT id, input, CASE impl WHEN 'som/rounds' THEN 3e9 ELSE id END AS place, mean_ms AS ms, impl, mov
FROM kept
UNION ALL
-- an organisation that the map has no time of, where it has others
SELECT -1, i.input, 1e9 + m.place, 0, 'som/gpu-paper', m.mov
FROM (SELECT DISTINCT input FROM kept WHERE impl = 'som/gpu-paper') AS i
JOIN (SELECT mov, min(id) AS place FROM kept WHERE impl = 'som/gpu-paper' GROUP BY mov) AS m
WHERE NOT EXISTS (SELECT 1 FROM kept AS k WHERE k.input = i.input AND k.impl = 'som/gpu-paper' AND k.mov = m.mov);

CREATE VIEW told_bar AS
SELECT b.*,
       CASE WHEN b.ms > 0 AND b.mov <> '1' AND b.impl = 'som/gpu-paper'
            THEN (SELECT a.ms / b.ms FROM timed_bar AS a WHERE a.input = b.input AND a.impl = b.impl AND a.mov = '1') END AS times,
       CASE WHEN b.ms > 0
            THEN (SELECT c.l1_hit_pct FROM counter AS c
                  WHERE c.impl = b.impl AND c.input = b.input AND c.mov = b.mov AND c.kernels = 'single' AND c.stage = 'som'
                  ORDER BY c.rowid DESC LIMIT 1) END AS l1
FROM timed_bar AS b;

CREATE VIEW bar AS
SELECT b.id, 1 AS panel, h.grp, b.place, b.ms AS x,
       CASE b.mov WHEN '1' THEN 'mov1' WHEN '2tex' THEN 'mov2tex' ELSE b.impl END AS impl, 0 AS kind,
       CASE WHEN b.mov IS NULL THEN b.impl || ', one core' WHEN b.mov = '2tex' THEN 'MOV2 texture' ELSE 'MOV' || b.mov END AS label,
       CASE WHEN b.ms = 0 THEN 'no time: a wrong mesh or not run' ELSE number_text(b.ms) || ' ms' END ||
       CASE WHEN b.times IS NULL THEN '' ELSE printf(' · %.2f × as fast as MOV1', b.times) END ||
       CASE WHEN b.l1 IS NULL THEN '' ELSE printf(' · L1 %.0f %%', b.l1) END AS said
FROM told_bar AS b
JOIN head AS h ON h.said = b.input;

CREATE VIEW draw_looks AS SELECT 180 AS left, 18 AS row_height, 'mean time [ms]' AS axis, 1 AS from_zero;

CREATE VIEW text AS
SELECT 'title' AS name, 'SOM mesh: memory organisations' AS value
UNION ALL
SELECT 'subtitle', '1500 rounds, sigma from ' || sigma || ', search range ' || ssr ||
    ', 32 threads a block; measured here, the paper prints no numbers' FROM held
UNION ALL
SELECT 'note', CASE WHEN EXISTS (SELECT 1 FROM told_bar WHERE l1 IS NOT NULL)
    THEN 'L1: share of the sectors asked for in the first launch that it had, by Nsight Compute; ' ELSE 'No hit rates of L1 yet; ' END ||
    '[SOM]: about 20 % in MOV1, 80 % in MOV2. [SOM] sect. 6.1, in words: MOV2 is faster than MOV1 on each of its six maps, the texture gains most on the large one. ';
