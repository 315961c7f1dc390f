-- stx-fig8.sql - a bar for each variant and team size, and for what [STX] says, ranked within its block; fps of the mean time
-- with rows.sql
-- with bars.sql
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'stixels/%';

CREATE VIEW may_show AS SELECT id, input FROM timed_whole;

CREATE VIEW held AS
SELECT (SELECT input FROM whole WHERE input IS NOT NULL ORDER BY id LIMIT 1) AS input,
       (SELECT classes FROM whole WHERE classes IS NOT NULL ORDER BY id LIMIT 1) AS classes;

CREATE VIEW kept AS
SELECT s.*, r.all_columns, r.times, r.equation, s.fps / r.times AS all_fps
FROM in_series AS s
JOIN held AS h ON s.input = h.input AND s.classes = h.classes
JOIN stixel_row AS r ON r.id = s.id
WHERE s.block IN (8, 4) AND s.fps > 0;

CREATE VIEW drawn AS SELECT id FROM kept;

CREATE VIEW panel AS
SELECT k.block AS panel, 'stixels of ' || b.said || ' px' AS title, min(k.id) AS place
FROM kept AS k
JOIN block_text AS b ON b.block = k.block
GROUP BY k.block;

CREATE VIEW head AS SELECT NULL AS grp, '' AS said WHERE 0;

CREATE VIEW bar AS
SELECT id, block AS panel, 0 AS grp, -all_fps AS place, all_fps AS x, impl, CASE WHEN times > 1 THEN 2 ELSE 0 END AS kind,
       impl || ', ' || equation || CASE WHEN threads > 1 THEN ', ' || threads || ' threads' ELSE '' END ||
           coalesce(', ' || nullif(mode_name, 'any'), '') AS label,
       printf(CASE WHEN all_fps >= 100 THEN '%.0f' WHEN all_fps >= 10 THEN '%.1f' ELSE '%.2f' END, all_fps) || ' fps' || CASE WHEN times > 1 THEN ' (' || printf(CASE WHEN fps >= 100 THEN '%.0f' WHEN fps >= 10 THEN '%.1f' ELSE '%.2f' END, fps) || ' on ' || columns || ' of ' || all_columns || ' columns)' ELSE '' END AS said
FROM kept
UNION ALL
SELECT 1000000 + p.rowid, p.block, 0, -p.value, p.value, p.impl, 1, '[STX] ' || e.said || ', ' || p.hardware,
       CASE p."read" WHEN 'derived' THEN printf(CASE WHEN p.value >= 100 THEN '%.0f' WHEN p.value >= 10 THEN '%.1f' ELSE '%.2f' END, p.value) || ' fps (from Fig. 9)' ELSE p.printed || ' fps' END
FROM printed AS p
JOIN equation AS e ON e.model = p.model
WHERE p.figure = 'fig8' AND p.name = 'fps' AND p.block IN (SELECT block FROM kept);

CREATE VIEW text AS
SELECT 'title' AS name, 'Slanted stixels: frame rates' AS value
UNION ALL SELECT 'subtitle', '2048 × 1024 px, ' || classes || ' classes, input ' || input ||
    '; filled: measured here, hollow: [STX], its own programs and data' FROM held
UNION ALL SELECT 'note', 'Hatched: timed on a part of the columns, bar drawn for all of them. '
    WHERE EXISTS (SELECT 1 FROM kept WHERE times > 1);
