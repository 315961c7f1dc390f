-- edition.sql - which rows that figures show are of an edition, and what is left to be measured.  edition.c fills these, behind show.c's 'place' and 'figure_row':

-- edition (commit_hash, machine); part_of (part: its line, name, experiment, sections, processes, settings); pattern (part, glob); drawn (experiment): figures show it;
-- unbuilt (impl); here (build_hash, host, group_name): of the build that asks.

CREATE TEMP VIEW refusal AS
SELECT part AS number, 'EDITION:' || part || ': expected an experiment and its sections, found ''' || name || '''' AS sentence
FROM part_of AS t
WHERE NOT EXISTS (SELECT 1 FROM place AS p JOIN pattern AS g ON p.section GLOB g.glob WHERE g.part = t.part AND p.experiment = t.experiment);

-- The places of a part; a place is of the first part that names it.
CREATE TEMP VIEW part_place AS
SELECT min(t.part) AS part, p.place, p.impl
FROM place AS p
JOIN part_of AS t ON t.experiment = p.experiment
JOIN pattern AS g ON g.part = t.part AND p.section GLOB g.glob
GROUP BY p.place;

-- How long it took to come to a row: since the one before it, or since its session began; a pause between two calls is none of it.
CREATE TEMP VIEW spent AS
SELECT m.id,
       max(0, min(300, 86400 * (julianday(m.utc) - coalesce(julianday(b.utc), julianday(
           printf('%s-%s-%sT%s:%s:%s', substr(m.session, 1, 4), substr(m.session, 5, 2), substr(m.session, 7, 2), substr(m.session, 10, 2), substr(m.session, 12, 2), substr(m.session, 14, 2))),
           julianday(m.utc))))) AS seconds
FROM measurement AS m
LEFT JOIN measurement AS b ON b.id = m.id - 1 AND b.session = m.session;

-- A row that a part shows.  GPU variants are told by their GPU, the others by their host alone.
CREATE TEMP TABLE held AS
SELECT l.part, r.place, m.id, m.commit_hash, m.dirty, m.build_hash, coalesce(m.host, 'unknown') AS host, CASE WHEN m.device = 'gpu' THEN coalesce(m.gpu_uuid, 'unknown') END AS gpu, s.seconds,
       max(1, (SELECT count(DISTINCT run) FROM process WHERE measurement = m.id)) AS n_processes
FROM figure_row AS r
JOIN part_place AS l ON l.place = r.place
JOIN measurement AS m ON m.id = r.measurement
JOIN spent AS s ON s.id = m.id;

CREATE TEMP TABLE told_part AS
SELECT t.*,
       (SELECT count(*) FROM part_place AS l WHERE l.part = t.part) AS n_places,
       (SELECT count(*) FROM part_place AS l WHERE l.part = t.part AND l.place NOT IN (SELECT place FROM best)) AS n_without,
       count(h.id) AS n_rows, count(DISTINCT h.commit_hash) AS n_commits, count(DISTINCT h.build_hash) AS n_builds, count(DISTINCT h.host) AS n_hosts, count(DISTINCT h.gpu) AS n_gpus,
       sum(substr(h.commit_hash, 1, length(e.commit_hash)) <> e.commit_hash) AS n_other,
       sum(coalesce(h.dirty, 0) NOT IN (0, 'no', 'false')) AS n_dirty,
       sum(h.n_processes < t.processes) AS n_few, min(h.n_processes) AS fewest, total(h.seconds) AS seconds
FROM edition AS e
JOIN part_of AS t
LEFT JOIN held AS h ON h.part = t.part
GROUP BY t.part;

CREATE TEMP VIEW finding AS
SELECT part, name, what FROM (
  SELECT 0 AS part, p.experiment || ' ' || p.section AS name, 'figures show it, and it is no part of ' || (SELECT machine FROM edition) AS what, 0 AS at
  FROM figure_row AS r JOIN place AS p ON p.place = r.place
  WHERE p.experiment IN (SELECT experiment FROM drawn) AND p.place NOT IN (SELECT place FROM part_place) GROUP BY p.experiment, p.section
  UNION ALL SELECT part, name, 'no row', 1 FROM told_part WHERE n_rows = 0
  UNION ALL SELECT part, name, n_other || ' of ' || n_rows || ' rows are of other commits', 2 FROM told_part WHERE n_other > 0
  UNION ALL SELECT part, name, n_commits || ' commits', 3 FROM told_part, edition WHERE n_commits > 1 AND n_other = 0
  UNION ALL SELECT part, name, n_dirty || ' rows of changes that are not committed', 4 FROM told_part WHERE n_dirty > 0
  UNION ALL SELECT part, name, n_builds || ' builds', 5 FROM told_part WHERE n_builds > 1
  UNION ALL SELECT part, name, n_hosts || ' hosts', 6 FROM told_part WHERE n_hosts > 1
  UNION ALL SELECT part, name, n_gpus || ' GPUs', 7 FROM told_part WHERE n_gpus > 1
  UNION ALL SELECT part, name, n_few || ' rows of fewer than ' || processes || ' processes (' || fewest || ')', 8 FROM told_part WHERE n_few > 0)
ORDER BY part, name, at;

CREATE TEMP VIEW planned AS
SELECT t.name AS part, n_places AS configurations, processes, CASE WHEN n_rows > 0 THEN round(seconds * processes / 60, 1) END AS minutes,
       n_without AS "without a row",
       coalesce((SELECT group_concat(what, '; ') FROM finding AS f WHERE f.part = t.part), 'whole') AS state
FROM told_part AS t
ORDER BY t.part;

-- Places of a part that a process of an edition has come to, whatever became of them.
CREATE TEMP VIEW reached AS
SELECT l.part, m.build_hash, m.host, m.run_group, m.run, count(DISTINCT l.place) AS n_places
FROM part_place AS l
JOIN candidate AS a ON a.place = l.place AND a.is_timed_so
JOIN measurement AS m ON m.id = a.measurement
WHERE m.run_group GLOB 'edition-*'
GROUP BY l.part, m.build_hash, m.host, m.run_group, m.run;

CREATE TEMP VIEW lacking AS
WITH RECURSIVE run_of (part, run) AS (SELECT part, 1 FROM part_of UNION ALL SELECT r.part, run + 1 FROM run_of AS r JOIN part_of AS t ON t.part = r.part WHERE run < processes),
built AS (SELECT part, count(*) AS n FROM part_place WHERE impl NOT IN (SELECT impl FROM unbuilt) GROUP BY part),
whole AS (SELECT r.* FROM reached AS r JOIN built AS b ON b.part = r.part WHERE r.n_places >= b.n),
finished AS (SELECT w.part FROM whole AS w JOIN here USING (build_hash) JOIN part_of AS t ON t.part = w.part GROUP BY w.part, w.host, w.run_group HAVING count(DISTINCT w.run) >= t.processes)
SELECT r.part, t.name, t.experiment, t.sections, t.processes, t.settings, r.run
FROM run_of AS r
JOIN part_of AS t ON t.part = r.part
JOIN built AS b ON b.part = r.part
JOIN here AS h
WHERE r.part NOT IN (SELECT part FROM finished)
  AND NOT EXISTS (SELECT 1 FROM whole AS w WHERE w.part = r.part AND w.run = r.run AND w.build_hash = h.build_hash AND w.host = h.host AND w.run_group = h.group_name)
ORDER BY r.part, r.run;
