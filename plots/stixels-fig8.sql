-- stixels-fig8.sql - frames per second: [STX] Fig. 8
--
-- A bar for each variant and team size, and for what [STX] says of its own programs, ranked within its block; fps of the mean time.
-- with stixels-bars.sql
-- with bars.sql
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'stixels/%';

CREATE TABLE kept AS
SELECT s.*, r.all_columns, r.times, r.equation, s.fps / r.times AS all_fps
FROM in_series AS s
JOIN held USING (input, classes)
JOIN stixel_row AS r ON r.id = s.id
WHERE s.block IN (8, 4) AND s.fps > 0;

CREATE VIEW bar AS
SELECT id, block AS panel, 0 AS grp, -all_fps AS place, all_fps AS x, impl, CASE WHEN times > 1 THEN 2 ELSE 0 END AS kind,
       impl || ', ' || equation || CASE WHEN threads > 1 THEN ', ' || threads || ' threads' ELSE '' END ||
           coalesce(', ' || nullif(mode_name, 'any'), '') AS label,
       number_text(all_fps) || ' fps' ||
           CASE WHEN times > 1 THEN ' (' || number_text(fps) || ' on ' || columns || ' of ' || all_columns || ' columns)' ELSE '' END AS said
FROM kept
UNION ALL
SELECT 1000000 + p.rowid, p.block, 0, -p.value, p.value, p.impl, 1, '[STX] ' || e.said || ', ' || p.hardware,
       CASE p."read" WHEN 'derived' THEN number_text(p.value) || ' fps (from Fig. 9)' ELSE p.printed || ' fps' END
FROM printed AS p
JOIN equation AS e ON e.model = p.model
WHERE p.figure = 'fig8' AND p.name = 'fps' AND p.block IN (SELECT block FROM kept);

CREATE VIEW draw_looks AS SELECT 284 AS left, 21 AS row_height, 'frames per second' AS axis, 0 AS from_zero;

CREATE VIEW text AS
SELECT 'title' AS name, 'Slanted stixels: frame rates' AS value
UNION ALL SELECT 'subtitle', '2048 × 1024 px, ' || classes || ' classes, input ' || input ||
    '; filled: measured here, hollow: [STX], its own programs and data' FROM held
UNION ALL SELECT * FROM note;
