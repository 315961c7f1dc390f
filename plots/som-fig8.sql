-- som-fig8.sql - memory organisations of the cells' lists: [SOM] Fig. 8
--
-- A row for each, below its map: the time over that of MOV1, from the fastest to the slowest run, and the share of the sectors read that L1
-- had, where scripts/profile_ncu counted it.  The time of one core stands in the map's line.
CREATE TEMP TABLE kept AS SELECT * FROM timed_whole WHERE co = 20 AND impl IN ('som/gpu-paper', 'som/rounds');
-- Generated maps only where there are no others.
DELETE FROM kept WHERE input LIKE 'map-%' AND EXISTS (SELECT 1 FROM kept WHERE input NOT LIKE 'map-%');

CREATE TEMP VIEW map AS SELECT input, min(id) AS place FROM kept GROUP BY input;

CREATE TEMP TABLE organisation AS
SELECT 1 AS place, 1 AS mov, 'MOV1' AS said UNION ALL SELECT 2, 2, 'MOV2' UNION ALL SELECT 3, '2tex', 'MOV2, texture';

-- Of each organisation that any map has, also where a map has no time of it.
CREATE TEMP TABLE told AS
SELECT m.input, m.place AS map, o.place, o.mov, o.said AS label, k.id, k.mean_ms AS ms, k.min_ms, k.max_ms, b.mean_ms AS base_ms, k.session IS b.session AS is_one_session,
       (SELECT count(*) FROM dropped AS d WHERE d.impl = 'som/gpu-paper' AND d.input = m.input AND d.mov = o.mov) AS refused,
       (SELECT c.l1_hit_pct FROM counter AS c
        WHERE c.impl = 'som/gpu-paper' AND c.input = m.input AND c.mov = o.mov AND c.kernels = 'single' AND c.stage = 'som'
        ORDER BY c.rowid DESC LIMIT 1) AS l1
FROM map AS m
JOIN organisation AS o
LEFT JOIN kept AS k ON k.input = m.input AND k.impl = 'som/gpu-paper' AND k.mov = o.mov
LEFT JOIN kept AS b ON b.input = m.input AND b.impl = 'som/gpu-paper' AND b.mov = 1
WHERE EXISTS (SELECT 1 FROM kept AS g WHERE g.input = m.input AND g.impl = 'som/gpu-paper');

-- y: lines from the top, the first of each map its name
CREATE TEMP VIEW draw_points AS
SELECT place, label, (SELECT count(*) + count(DISTINCT a.map) FROM told AS a WHERE a.map < t.map OR (a.map = t.map AND a.place <= t.place)) AS y,
       ms / base_ms AS x, coalesce(min_ms, ms) / base_ms AS low, coalesce(max_ms, ms) / base_ms AS high,
       CASE WHEN ms IS NULL THEN CASE WHEN refused > 0 THEN 'no time: the mesh had folded' ELSE 'not run' END
            ELSE number_text(ms) || ' ms' || CASE WHEN l1 IS NULL THEN '' ELSE printf(', L1 %.0f %%', l1) END ||
                 CASE WHEN refused > 0 THEN '; ' || refused || ' refused' ELSE '' END END AS said
FROM told AS t
ORDER BY map, place;

CREATE TEMP VIEW draw_maps AS
SELECT t.input AS name,
       coalesce((SELECT number_text(k.mean_ms) || ' ms on one core' FROM kept AS k WHERE k.input = t.input AND k.impl = 'som/rounds'), '') AS said,
       (SELECT count(*) + count(DISTINCT a.map) FROM told AS a WHERE a.map < t.map) + 1 AS y
FROM told AS t
GROUP BY t.map;

CREATE TEMP VIEW drawn AS SELECT id FROM kept WHERE EXISTS (SELECT 1 FROM told);

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT group_concat(said, '; ')
    FROM (SELECT label || CASE place WHEN 2 THEN ' takes ' ELSE ' ' END || printf('%.2f', min(ms / base_ms)) || CASE WHEN max(ms / base_ms) > min(ms / base_ms) THEN printf(' to %.2f', max(ms / base_ms)) ELSE '' END || ' times' || CASE place WHEN 2 THEN ' as long as MOV1' ELSE '' END AS said
          FROM told WHERE place > 1 AND ms / base_ms > 0 AND is_one_session GROUP BY place ORDER BY place) GROUP BY NULL), 'SOM mesh: memory organisations') AS value
UNION ALL
SELECT 'subtitle', '1500 rounds, sigma from ' || sigma || ', search range ' || ssr ||
    ', 32 threads a block. Points: means; lines: from the fastest to the slowest run' FROM held
UNION ALL
SELECT 'note', CASE WHEN EXISTS (SELECT 1 FROM told WHERE refused > 0) THEN 'Refused: a run whose mesh had folded, which has no time. ' ELSE '' END ||
    'One core makes the same rounds (som/rounds). ' || CASE WHEN EXISTS (SELECT 1 FROM told WHERE l1 IS NOT NULL)
    THEN 'L1: share of the sectors asked for in the first launch that it had, by Nsight Compute; ' ELSE 'No hit rates of L1 yet; ' END ||
    '[SOM]: about 20 % in MOV1, 80 % in MOV2. [SOM] sect. 6.1, in words: MOV2 is faster than MOV1 on each of its six maps, the texture gains most on the large one. ';
