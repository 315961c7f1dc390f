-- toy-fig1.sql - the mean time of a map by variant, a panel for each radius; hollow: printed
-- with bars.sql
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'toy/%';

-- Of each variant the fastest team.
CREATE TEMP TABLE kept AS
SELECT *, min(mean_ms) AS ms FROM in_series JOIN held USING (input) GROUP BY variant, radius;

CREATE TEMP VIEW panel AS
SELECT DISTINCT radius AS panel, 'radius ' || radius || ' px' AS title, CAST(radius AS INTEGER) AS place FROM kept;

CREATE TEMP VIEW bar AS
SELECT id, radius AS panel, 0 AS grp, variant AS place, ms AS x, impl, 0 AS kind, title AS label, time_text(ms) AS said FROM kept
UNION ALL
SELECT k.id, p.radius, 0, k.variant, p.value, p.impl, 1, k.title, p.printed || ' ms, ' || p.hardware
FROM printed AS p
JOIN kept AS k ON k.impl = p.impl AND k.radius = p.radius
WHERE p.figure = 'fig1';

CREATE TEMP VIEW draw_looks AS SELECT 'mean time of a map [ms]' AS axis, 0 AS from_zero;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, 'TOY: time by radius' AS value
UNION ALL SELECT 'subtitle', 'input ' || input || ', mean over its frames' FROM held;
