-- scale.sql - frames per second of several ranks over those of one, for scale-{gpus,processes}.sql
--
-- The figure says in shown_as (title, x, y, by_rank): by_rank 1: over as many times those of one, in %.
CREATE VIEW kept AS
SELECT w.*
FROM whole AS w
JOIN machine AS m ON w.machine IS m.machine
WHERE w.scaling IS NOT NULL AND w.median_ms > 0;

-- Both have an interval: the quotient lies between that of the ends that are farthest apart.
CREATE VIEW rated AS
SELECT k.id, k.impl, k.input, k.scope, k.scaling, k.ranks, share * b.median_ms / k.median_ms AS rate, share * b.ci_lo_ms / k.ci_hi_ms AS low,
       share * b.ci_hi_ms / k.ci_lo_ms AS high
FROM (SELECT *, CASE WHEN by_rank THEN 100.0 / ranks ELSE 1.0 END AS share FROM kept, shown_as) AS k
JOIN kept AS b USING (impl, input, scope, scaling)
WHERE b.ranks = 1;

CREATE VIEW drawn AS SELECT id FROM rated;

CREATE VIEW draw_panels AS
SELECT scope AS name, CASE scope WHEN 'kernel' THEN 'kernels alone' WHEN 'end_to_end' THEN 'end to end: with copies and preparation' ELSE scope END AS title
FROM rated
GROUP BY scope
ORDER BY scope = 'kernel' DESC, scope;

CREATE VIEW draw_curves AS
SELECT min(r.id) AS curve, v.impl, r.scope, r.scaling = 'strong' AS is_strong, v.title
FROM rated AS r
JOIN variant AS v ON v.impl = r.impl
GROUP BY r.scope, r.impl, r.input, r.scaling
ORDER BY v.place, r.scope, r.scaling DESC;

CREATE VIEW draw_points AS
SELECT c.curve, r.ranks, r.rate, r.low, r.high
FROM rated AS r
JOIN kept AS k ON k.id = r.id
JOIN draw_curves AS c ON c.impl = r.impl AND c.scope = r.scope AND c.is_strong = (r.scaling = 'strong')
ORDER BY c.curve, r.ranks;

CREATE VIEW draw_steps AS SELECT DISTINCT ranks FROM rated ORDER BY ranks;

CREATE VIEW text AS
SELECT 'title' AS name, title AS value FROM shown_as
UNION ALL SELECT 'subtitle', 'frames that all finish in one interval, over those of one rank; bars: from the 95 % intervals of the medians of both'
UNION ALL SELECT 'at_x', x FROM shown_as
UNION ALL SELECT 'at_y', y FROM shown_as;
