-- scale.sql - frames per second over those of one rank or stream, for scale-{gpus,processes,streams}.sql
--
-- The figure has: rated (id, number, is_strong, rate, low, high), and shown_as (title, with a %s for the rates with the most
-- of them, and a %d for how many these are, subtitle, x, y); subtitle NULL: of ranks.

-- Rows of ranks.
CREATE TEMP VIEW ranked AS SELECT *, ranks AS number, scaling = 'strong' AS is_strong FROM whole WHERE scaling IS NOT NULL AND rank_speedup > 0;

-- A panel for each problem and scope, and for what a section has apart: where the image is transposed, what a probe does.
CREATE TEMP VIEW panel_of AS
SELECT id, p.place, is_rows, size, kind || ' ' || size || is_rows || ' ' || scope AS panel,
       CASE kind WHEN 'probe' THEN CASE WHEN operation = 'fma' THEN 'Arithmetic' ELSE 'Copies' || CASE scope WHEN 'end_to_end' THEN printf(' of %d MiB and back', size / 1024) ELSE ' on the GPU' END END || ' alone'
       ELSE coalesce(p.title, kind) || CASE is_rows WHEN 1 THEN ', transposed by the GPU' ELSE '' END || ': ' ||
            CASE scope WHEN 'kernel' THEN 'kernels alone' WHEN 'end_to_end' THEN 'end to end' WHEN 'scores_on_gpu' THEN 'class scores on the GPU' ELSE scope END END AS said
FROM (SELECT *, substr(impl, 1, instr(impl, '/') - 1) AS kind, layout IS 'rows' AS is_rows, coalesce(kib, 0) AS size FROM whole)
LEFT JOIN (SELECT 'rdp' AS kind, 1 AS place, 'RDP' AS title UNION ALL SELECT 'stixels', 2, 'Stixels' UNION ALL SELECT 'som', 3, 'SOM' UNION ALL SELECT 'sgm', 4, 'SGM'
           UNION ALL SELECT 'pair-stixels', 5, 'Pair to Stixels' UNION ALL SELECT 'probe', 6, '') AS p USING (kind);

CREATE TEMP VIEW kept AS
SELECT w.*, l.place, l.is_rows, l.size, l.panel, l.said, r.number, r.is_strong, r.rate, r.low, r.high
FROM whole AS w
JOIN machine AS m ON w.machine IS m.machine
JOIN panel_of AS l ON l.id = w.id
JOIN rated AS r ON r.id = w.id;

CREATE TEMP VIEW draw_panels AS
SELECT panel AS name, said AS title
FROM kept
GROUP BY panel
ORDER BY place IS NULL, place, is_rows, scope = 'kernel' DESC, size, scope;

-- (in a panel the paper is known)
CREATE TEMP VIEW draw_curves AS
SELECT min(k.id) AS curve, k.impl, k.panel, k.scope, k.is_strong, substr(k.title, 1, instr(k.title || ' (', ' (') - 1) AS title, max(CASE WHEN k.number = 1 THEN CAST(round(k.fps) AS INTEGER) END) AS one
FROM kept AS k
GROUP BY k.panel, k.impl, k.input, k.is_strong
ORDER BY k.variant, k.panel, k.is_strong;

CREATE TEMP VIEW draw_points AS
SELECT c.curve, k.number, k.rate, k.low, k.high
FROM kept AS k
JOIN draw_curves AS c ON c.impl = k.impl AND c.panel = k.panel AND c.is_strong = k.is_strong
ORDER BY c.curve, k.number;

CREATE TEMP VIEW draw_steps AS SELECT DISTINCT number FROM kept ORDER BY number;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, CASE WHEN number > 1 THEN printf(title, said, number) ELSE y END AS value
FROM shown_as, (SELECT number, printf('%.3g', min(rate)) || CASE WHEN max(rate) > min(rate) THEN printf(' to %.3g', max(rate)) ELSE '' END AS said FROM kept WHERE number = (SELECT max(number) FROM kept))
UNION ALL SELECT 'subtitle', coalesce(subtitle, 'frames that all finish in one interval; end to end with copies and preparation; bars: from the 95 % intervals of both medians') FROM shown_as
UNION ALL SELECT 'at_x', x FROM shown_as
UNION ALL SELECT 'at_y', y FROM shown_as;
