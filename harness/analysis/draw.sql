-- draw.sql - what charts read beside figure.sql's tables: the rows of all experiments of a figure as one wide table, which draw.c makes of
-- 'cell' and the names here, and what belongs to them

CREATE TEMP TABLE asked (name TEXT, value TEXT); -- on the command line
CREATE TEMP TABLE known (place INTEGER PRIMARY KEY, impl TEXT, needs TEXT); -- variants, and what of other libraries they need

-- The columns of 'shown': all that rows may have, measured or not.
CREATE TEMP TABLE shown_name AS
SELECT n.name, n.name IN (SELECT name FROM cell) AS is_there,
       CASE WHEN m.type = 'TEXT' THEN 'TEXT'
            WHEN n.name GLOB '*_ms' OR n.name GLOB '*_pct*' OR n.name GLOB '*_px' OR n.name GLOB '*_ops' OR n.name GLOB '*_bytes' OR n.name GLOB 'ncu_*'
              OR n.name GLOB 'mj_*' OR n.name GLOB 'pixels_per_*' OR n.name GLOB 'rounds_*' OR n.name GLOB 'rank_speedup*'
              OR n.name IN ('fps', 'gpu_mhz_med') THEN 'REAL'
            ELSE 'NUMERIC' END AS type
FROM (SELECT name FROM pragma_table_info('measurement') UNION SELECT name FROM cell
      UNION VALUES ('processes'), ('n_outside'), ('to_quality_ms')
      UNION SELECT name || suffix FROM known_value JOIN (SELECT '' AS suffix UNION ALL SELECT '_sd')
      UNION SELECT name FROM pragma_table_info('scaled') UNION SELECT name FROM pragma_table_info('counted_row')) AS n
LEFT JOIN pragma_table_info('measurement') AS m ON m.name = n.name
WHERE n.name NOT IN ('id', 'measurement');

-- The values of rows, of a series with their index.
CREATE TEMP TABLE shown_value AS
SELECT m.impl, m.input, m.frame_pick, m.machine, m.width, m.height, m.eps, m.distance, m.median, m.model, m.block, v.name, v.idx AS "index", v.value
FROM (SELECT min(at) AS at, measurement, valued FROM figure_row WHERE valued IS NOT NULL GROUP BY experiment, valued) AS r
JOIN measurement AS m ON m.id = r.measurement
JOIN value AS v ON v.measurement = r.valued
ORDER BY r.at, v.rowid;

-- Runs whose output was refused, whatever stands for their configuration now.
CREATE TEMP TABLE dropped AS
SELECT m.*
FROM (SELECT DISTINCT experiment, measurement FROM candidate) AS f
JOIN measurement AS m ON m.id = f.measurement
WHERE m.status = 'wrong'
ORDER BY m.id;

-- The numbers of the first experiment's paper, and what a profiler counted last of each of its configurations.
CREATE TEMP VIEW first_experiment AS SELECT experiment, substr(experiment, 1, instr(experiment, '/') - 1) AS paper FROM place ORDER BY place LIMIT 1;
CREATE TEMP TABLE printed AS SELECT p.* FROM first_experiment AS f JOIN main.printed AS p ON p.paper = f.paper;
CREATE TEMP TABLE counter AS
SELECT k.*
FROM first_experiment AS f
JOIN main.counter AS k ON k.experiment = f.experiment
WHERE k.utc = (SELECT max(n.utc)
               FROM main.counter AS n
               WHERE n.experiment = k.experiment AND n.impl = k.impl AND n.keys IS k.keys AND n.input IS k.input)
ORDER BY k.rowid;
