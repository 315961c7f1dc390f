-- bars.sql - bars or dots in rows from the top, in panels, below the heads of groups; for bars.gp
--
-- A figure has: bar (id, panel, grp, place, x, impl, kind, label, said), where place is the order within a group, kind is 0 measured,
-- 1 printed, and said stands beside the bar; draw_looks (axis, its name; from_zero, 1 for
-- bars, 0 for dots on a logarithmic axis); where there are several, panel (panel, title), in order, and head (grp, said); where values
-- have a range, whisker (id, low, high).
CREATE TEMP VIEW draw_bars AS
SELECT b.panel, b.x, b.impl, b.kind, b.label, b.said, max(b.x, coalesce(w.high, b.x)) AS far, w.low, w.high,
       (SELECT count(*) FROM bar AS a
        WHERE a.panel = b.panel AND (a.grp < b.grp OR (a.grp = b.grp AND (a.place < b.place OR (a.place = b.place AND a.id <= b.id))))) +
       (SELECT count(DISTINCT a.grp) FROM bar AS a JOIN head AS h ON h.grp = a.grp WHERE a.panel = b.panel AND a.grp <= b.grp) AS row
FROM bar AS b
LEFT JOIN whisker AS w ON w.id = b.id
ORDER BY b.id;

CREATE TEMP VIEW draw_whiskers AS SELECT panel, row, impl, low, high FROM draw_bars WHERE low IS NOT NULL;

CREATE TEMP VIEW draw_heads AS
SELECT a.panel, h.said,
       (SELECT count(*) FROM bar AS b WHERE b.panel = a.panel AND b.grp < a.grp) +
       (SELECT count(DISTINCT b.grp) FROM bar AS b WHERE b.panel = a.panel AND b.grp <= a.grp) AS row
FROM bar AS a
JOIN head AS h ON h.grp = a.grp
GROUP BY a.panel, a.grp;

CREATE TEMP VIEW draw_panels AS
SELECT p.panel, p.title, count(*) + count(DISTINCT h.grp) AS n
FROM panel AS p
JOIN bar AS b ON b.panel = p.panel
LEFT JOIN head AS h ON h.grp = b.grp
GROUP BY p.panel
ORDER BY min(p.place);
