-- facts.sql - what is known of a machine, and a paper's printed facts beside it

-- The facts of the newest session that knows a GPU, else of any, and of a file alone where no folder has one; one may have been
-- given a few of the cores.
CREATE TEMP VIEW fact AS
SELECT key, text
FROM environment
JOIN (SELECT results, session
      FROM environment
      GROUP BY results, session
      ORDER BY results = 'file:', max(key = 'gpu') DESC, results, max(CASE key WHEN 'cores' THEN CAST(text AS INTEGER) END) DESC, session DESC
      LIMIT 1) USING (results, session);

CREATE TEMP TABLE power (suffix TEXT PRIMARY KEY, power REAL);
INSERT INTO power VALUES ('Ki', 1024), ('KiB', 1024), ('MiB', 1048576), ('GiB', 1073741824), ('kB', 1e3), ('MB', 1e6), ('GB', 1e9);

CREATE TEMP TABLE architecture (cc TEXT PRIMARY KEY, name TEXT); -- of all with that major number, or of one
INSERT INTO architecture VALUES ('5', 'Maxwell'), ('6', 'Pascal'), ('7', 'Volta'), ('7.5', 'Turing'), ('8', 'Ampere'), ('8.9', 'Ada'),
                                ('9', 'Hopper'), ('10', 'Blackwell'), ('11', 'Blackwell'), ('12', 'Blackwell');

-- Each printed fact with ours in its unit, "96 KiB" or "59.7 GB/s"; only bytes and counts are scaled.
CREATE TEMP VIEW beside AS
SELECT id, in_table, name, hardware, printed,
       CASE WHEN text IS NULL OR name = 'cc'
            THEN text || coalesce(' ' || (SELECT a.name
                                          FROM architecture AS a
                                          WHERE a.cc IN (text, CAST(CAST(text AS INTEGER) AS TEXT))
                                          ORDER BY length(a.cc) DESC
                                          LIMIT 1), '')
            WHEN text GLOB '*[^-+0-9.e]*' THEN text
            WHEN scaled = CAST(scaled AS INTEGER) THEN CAST(scaled AS INTEGER) || in_unit
            ELSE printf(CASE WHEN scaled < 1000 THEN '%.4g' ELSE '%.0f' END, scaled) || in_unit END AS here
FROM (SELECT p.*, nullif(fact.text, '') AS text, CAST(fact.text AS REAL) / coalesce(power, 1) AS scaled,
             CASE WHEN p.unit = 'bytes' AND power IS NULL THEN ' bytes' ELSE coalesce(' ' || p.suffix, '') END AS in_unit
      FROM (SELECT rowid AS id, *, paper || '-' || figure AS in_table,
                   CASE WHEN instr(printed, ' ') THEN substr(printed, instr(printed, ' ') + 1) END AS suffix
            FROM printed) AS p
      LEFT JOIN fact ON fact.key = p.name
      LEFT JOIN power ON power.suffix = p.suffix AND coalesce(p.unit, 'bytes') = 'bytes');

CREATE TEMP VIEW line AS
SELECT 0 AS id, in_table, 'gpu' AS name, hardware, hardware AS printed, coalesce((SELECT text FROM fact WHERE key = 'gpu'), 'none') AS here
FROM beside
UNION ALL
SELECT id, in_table, name, hardware, printed, here
FROM beside;

-- The question whose answer is a printed table, with a column for each machine in it.
CREATE TEMP VIEW pivot AS
SELECT in_table,
       'SELECT name AS fact, max(here) AS here'
           || group_concat(printf(', max(CASE hardware WHEN %Q THEN printed END) AS "%w printed"', hardware, hardware), '')
           || printf(' FROM line WHERE in_table = %Q GROUP BY name ORDER BY min(id)', in_table) AS sql
FROM (SELECT in_table, hardware FROM beside GROUP BY in_table, hardware ORDER BY min(id))
GROUP BY in_table;

CREATE TEMP VIEW known AS
SELECT printf('%s; commit %.7s%s', machine, "commit", CASE WHEN dirty IN ('', '0') THEN '' ELSE '-dirty' END) AS caption
FROM (SELECT coalesce(max(CASE key WHEN 'machine' THEN text END), '') AS machine, coalesce(max(CASE key WHEN 'commit' THEN text END), '') AS "commit",
             coalesce(max(CASE key WHEN 'dirty' THEN text END), '') AS dirty
      FROM fact);
