-- scale.sql - frames per second of several ranks over those of one, for scale-{gpus,processes}.sql
--
-- The figure has: rated (id, rate, low, high), and shown_as (title, x, y).
CREATE VIEW kept AS
SELECT w.*, substr(w.impl, 1, instr(w.impl, '/') - 1) AS problem
FROM whole AS w
JOIN machine AS m ON w.machine IS m.machine
WHERE w.scaling IS NOT NULL AND w.rank_speedup > 0;

CREATE VIEW draw_panels AS
SELECT k.problem || ' ' || k.scope AS name, p.title || ': ' || CASE k.scope WHEN 'kernel' THEN 'kernels alone' WHEN 'end_to_end' THEN 'end to end' ELSE k.scope END AS title
FROM kept AS k
JOIN (SELECT 'rdp' AS problem, 1 AS place, 'RDP' AS title UNION ALL SELECT 'stixels', 2, 'Stixels' UNION ALL SELECT 'som', 3, 'SOM') AS p ON p.problem = k.problem
GROUP BY k.problem, k.scope
ORDER BY p.place, k.scope = 'kernel' DESC, k.scope;

-- (in a panel the paper is known)
CREATE VIEW draw_curves AS
SELECT min(k.id) AS curve, v.impl, k.problem || ' ' || k.scope AS panel, k.scope, k.scaling = 'strong' AS is_strong, substr(v.title, 1, instr(v.title || ' (', ' (') - 1) AS title, max(CASE WHEN k.ranks = 1 THEN CAST(round(k.fps) AS INTEGER) END) AS one
FROM kept AS k
JOIN variant AS v ON v.impl = k.impl
GROUP BY k.scope, k.impl, k.input, k.scaling
ORDER BY v.place, k.scope, k.scaling DESC;

CREATE VIEW draw_points AS
SELECT c.curve, k.ranks, r.rate, r.low, r.high
FROM rated AS r
JOIN kept AS k ON k.id = r.id
JOIN draw_curves AS c ON c.impl = k.impl AND c.scope = k.scope AND c.is_strong = (k.scaling = 'strong')
ORDER BY c.curve, k.ranks;

CREATE VIEW draw_steps AS SELECT DISTINCT ranks FROM kept ORDER BY ranks;

CREATE VIEW text AS
SELECT 'title' AS name, title AS value FROM shown_as
UNION ALL SELECT 'subtitle', 'frames that all finish in one interval; end to end with copies and preparation; bars: from the 95 % intervals of both medians'
UNION ALL SELECT 'at_x', x FROM shown_as
UNION ALL SELECT 'at_y', y FROM shown_as;
