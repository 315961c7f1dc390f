-- fps-history.sql - of what depthbench history --csv wrote, the configurations to draw: the first ones that have more than one point, else
-- the first
CREATE VIEW cell AS
SELECT cell_number, max(cell) AS cell, max(point) AS n
FROM history
GROUP BY cell_number;

CREATE VIEW drawn AS
SELECT c.cell_number, c.cell, (SELECT count(*) FROM cell AS b WHERE b.cell_number < c.cell_number AND (b.n > 1 OR e.n = 1)) + 1 AS curve
FROM cell AS c, (SELECT max(n) AS n FROM cell) AS e
WHERE c.n > 1 OR e.n = 1
ORDER BY c.cell_number
LIMIT 7;

CREATE VIEW draw_curves AS
SELECT curve, coalesce(nullif(cell, ''), (SELECT max(wanted) FROM history)) AS name
FROM drawn;

-- named: all points have one axis of commits
CREATE VIEW draw_points AS
SELECT d.curve, h.point, h.fps, 1000 / h.level_ms AS level, 1000 / h.ci_hi_ms AS low, 1000 / h.ci_lo_ms AS high,
       substr(h.commit_hash, 1, 7) AS commit_hash,
       (SELECT count(*) FROM cell) = 1 AND (SELECT max(point) FROM history) <= 60 AS named
FROM drawn AS d
JOIN history AS h ON h.cell_number = d.cell_number
ORDER BY d.curve, h.point;

CREATE VIEW draw_text AS
SELECT 'title' AS name, 'History of ' || (SELECT max(wanted) FROM history) AS value
UNION ALL SELECT 'note', 'Lines: levels between steps of the fit. Bars: 95 % interval of the median. Sessions of ' ||
    (SELECT max(machine_name) FROM history) || '.' ||
    (SELECT CASE WHEN a.n > d.n THEN ' ' || (a.n - d.n) || ' more configurations fit: name more keys to see them.' ELSE '' END
     FROM (SELECT count(*) AS n FROM cell) AS a, (SELECT count(*) AS n FROM drawn) AS d);

CREATE VIEW refusal AS
SELECT 'no point to draw'
WHERE NOT EXISTS (SELECT 1 FROM history);
