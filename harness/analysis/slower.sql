-- slower.sql - what people are told of a history of all configurations: those that became slower, the worst first

CREATE TEMP TABLE named AS
SELECT s.rowid AS number, s.*, c.impl, c.n_points, p.host IS NOT b.host OR p.gpu_uuid IS NOT b.gpu_uuid AS is_elsewhere, substr(told.traits, instr(told.traits, ';') + 1) AS traits,
       rtrim(c.impl || ' ' || ltrim(replace(label.text, 'impl=' || c.impl, ''))) AS name, p.date, p.by_commit, p.commit_hash, p.dirty,
       p.commit_name, p.machine_name, p.session, p.row_id
FROM slower AS s
JOIN cell AS c ON c.rowid = s.cell_number
JOIN told USING (cell_number)
JOIN label USING (cell_number)
JOIN stretch ON stretch.rowid = s.stretch
JOIN placed AS p ON p.id = stretch.first
JOIN placed AS b ON b.id = stretch.first - 1
ORDER BY s.rowid;

CREATE TEMP VIEW listed AS
SELECT impl, replace(traits, ';', ' ') AS configuration, best_ms, last_ms, change, least_change AS floor, commit_hash, dirty, date, machine_name, session, row_id,
       n_points, is_elsewhere
FROM named
ORDER BY number;

-- How many there are, as many points as two levels need, and what all that became slower have.
CREATE TEMP TABLE summary AS
SELECT (SELECT count(*) FROM slower) AS n_slower, count(*) AS n_cells, count(CASE WHEN n_points >= 4 THEN 1 END) AS n_long, (SELECT machine_name FROM point LIMIT 1) AS machine_name,
       (SELECT traits_told(max(traits), group_concat(traits, char(10)), 1) FROM told) AS traits
FROM cell;

CREATE TEMP TABLE page (text);
INSERT INTO page
SELECT CASE n_slower WHEN 0 THEN 'Nothing became slower:' ELSE n_slower || ' became slower of' END
       || printf(' %d configurations on %s, %d with the 4 points that a step takes', n_cells, machine_name, n_long)
FROM summary;
INSERT INTO page
SELECT printf('all that did:%s    %s', char(10), traits)
FROM summary
WHERE traits <> '';
INSERT INTO page
SELECT printf('%s%9s %9s  %8s  %-9s commit of', char(10), 'best ms', 'last ms', 'change %', 'commit')
FROM named
LIMIT 1;
INSERT INTO page
SELECT printf('%9s %9s  %+8.1f  %-9s %s%s%s%s    %s', short_text(best_ms, 4), short_text(last_ms, 4), 100 * change, commit_name, substr(date, 1, 10), substr('*', 1, NOT by_commit),
              CASE WHEN is_elsewhere THEN '  maybe the machine''s' ELSE '' END, char(10), name)
FROM named;
INSERT INTO page
SELECT char(10) || '* the day of the run: its files do not say when the commit was made'
FROM named
WHERE NOT by_commit
LIMIT 1;

-- Points, levels and steps of the worst in a box of 240 by 80.
CREATE TEMP TABLE drawn AS
SELECT p.*, 8 + 224.0 * (p.number - 1) / (n_points - 1) AS x, 72 - 64 * (level_ms - lo) / (hi - lo) AS y, 72 - 64 * (median_ms - lo) / (hi - lo) AS y_point
FROM stepped AS p
JOIN (SELECT cell_number, n_points FROM named WHERE number <= 12) USING (cell_number)
JOIN (SELECT cell_number, min(median_ms) AS lo, max(median_ms) AS hi FROM placed GROUP BY cell_number) USING (cell_number)
ORDER BY p.id;
