-- scale.sql - frames per second of several ranks over those of one, for scale-{gpus,processes}.sql
--
-- The figure has: rated (id, rate, low, high), and shown_as (title, x, y).
CREATE VIEW kept AS
SELECT w.*
FROM whole AS w
JOIN machine AS m ON w.machine IS m.machine
WHERE w.scaling IS NOT NULL AND w.rank_speedup > 0;

CREATE VIEW draw_panels AS
SELECT scope AS name, CASE scope WHEN 'kernel' THEN 'kernels alone' WHEN 'end_to_end' THEN 'end to end: with copies and preparation' ELSE scope END AS title
FROM kept
GROUP BY scope
ORDER BY scope = 'kernel' DESC, scope;

CREATE VIEW draw_curves AS
SELECT min(k.id) AS curve, v.impl, k.scope, k.scaling = 'strong' AS is_strong, v.title
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
UNION ALL SELECT 'subtitle', 'frames that all finish in one interval, over those of one rank; bars: from the 95 % intervals of the medians of both'
UNION ALL SELECT 'at_x', x FROM shown_as
UNION ALL SELECT 'at_y', y FROM shown_as;
