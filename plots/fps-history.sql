-- fps-history.sql - of what depthbench history --csv wrote, the speed of each configuration by commit, as an index of its first one
--
-- Of many configurations the 20 with the most points.
CREATE TEMP VIEW setting AS
SELECT cell_number, max(cell) AS cell, count(*) AS n, min(point) AS first, max(point) AS last
FROM history
GROUP BY cell_number;

CREATE TEMP TABLE drawn AS
SELECT * FROM setting ORDER BY n DESC, cell_number LIMIT 20;

-- All curves have one axis of commits, by their date.
CREATE TEMP TABLE axis AS
SELECT commit_hash
FROM history
WHERE cell_number IN (SELECT cell_number FROM drawn)
GROUP BY commit_hash
ORDER BY min(date), min(point);

CREATE TEMP TABLE indexed AS
SELECT d.cell_number, h.point, a.rowid AS place, h.point = d.last AS is_last, f.fps AS first_fps, h.fps, h.fps / f.fps AS speed,
       1000 / h.level_ms / f.fps AS level, 1000 / h.ci_hi_ms / f.fps AS low, 1000 / h.ci_lo_ms / f.fps AS high
FROM drawn AS d
JOIN history AS h ON h.cell_number = d.cell_number
JOIN history AS f ON f.cell_number = d.cell_number AND f.point = d.first
JOIN axis AS a ON a.commit_hash = h.commit_hash
ORDER BY d.cell_number, h.point;

-- The highest end first, as their names stand.
CREATE TEMP TABLE curve AS
SELECT i.cell_number, i.level AS end,
       printf('%.2f', i.level) || ' (' || number_text(i.fps) || ' fps)  ' || coalesce(d.cell, '') AS name
FROM indexed AS i
JOIN drawn AS d ON d.cell_number = i.cell_number
WHERE i.is_last
ORDER BY i.level DESC, i.cell_number;

CREATE TEMP VIEW draw_curves AS
SELECT rowid AS curve, end, name FROM curve;

CREATE TEMP VIEW draw_points AS
SELECT c.rowid AS curve, i.place, i.speed, i.level, i.low, i.high
FROM indexed AS i
JOIN curve AS c ON c.cell_number = i.cell_number
ORDER BY c.rowid, i.point;

CREATE TEMP VIEW draw_commits AS SELECT rowid AS place, substr(commit_hash, 1, 7) AS commit_hash FROM axis;

CREATE TEMP VIEW draw_text AS
SELECT 'title' AS name, 'History of ' || (SELECT max(wanted) FROM history) AS value
UNION ALL SELECT 'subtitle', 'frames per second by commit, oldest first, as a multiple of the first point of each configuration'
UNION ALL SELECT 'note', 'Lines: levels between steps of the fit. Bars: 95 % interval of the median. At the end of a line its level, and the frames per second. ' ||
    (SELECT CASE WHEN a.n > d.n THEN (a.n - d.n) || ' more configurations fit: name more keys to see them.' ELSE '' END
     FROM (SELECT count(*) AS n FROM setting) AS a, (SELECT count(*) AS n FROM drawn) AS d)
UNION ALL SELECT 'caption', 'results/' || max(machine_name) FROM history;

CREATE TEMP VIEW refusal AS
SELECT 'no point to draw'
WHERE NOT EXISTS (SELECT 1 FROM history);
