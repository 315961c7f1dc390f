-- pivot.sql - the sheets for people: pivots as [show] asks for them, with the numbers that the paper prints beside ours, and the fits; or
-- one long sheet of the columns that vary

CREATE TEMP TABLE IF NOT EXISTS placed (
    value_at INTEGER, id INTEGER, row_head, column_head, value, beside, deviation, n INTEGER
);
CREATE TEMP TABLE IF NOT EXISTS parting (value_at INTEGER, at INTEGER, name TEXT); -- the keys that tell the tables of a value apart
CREATE TEMP TABLE IF NOT EXISTS tuple (value_at INTEGER, id INTEGER, text TEXT);   -- and what the rows have there, the first of them
CREATE TEMP TABLE IF NOT EXISTS stand (sheet INTEGER PRIMARY KEY, value_at INTEGER, id INTEGER); -- the row that a table is made for
CREATE TEMP TABLE IF NOT EXISTS ours (
    sheet INTEGER, id INTEGER, row_head, column_head, value, beside, deviation, n INTEGER
);
CREATE TEMP TABLE IF NOT EXISTS entry (
    sheet INTEGER,
    place INTEGER,   -- in the order of our rows, then of the paper's
    row_head,
    column_head,     -- NULL: beside the table
    is_printed INTEGER,
    value,
    other,           -- the deviation of a mean, the other end of an interval
    n INTEGER        -- of a mean over fewer than others
);

-- How many texts rows have in a key, and for people the least of them.
CREATE TEMP VIEW IF NOT EXISTS key_text AS
SELECT k.at, k.name, count(DISTINCT f.value) AS n, min(CASE typeof(f.value) WHEN 'real' THEN printf('%.9g', f.value) ELSE f.value END) AS text
FROM (SELECT at, name FROM key_name WHERE at > 0
      UNION ALL SELECT 1000, 'verdict' WHERE NOT EXISTS (SELECT 1 FROM axes)
      UNION ALL SELECT 1001, 'status' WHERE NOT EXISTS (SELECT 1 FROM axes)) AS k
JOIN field AS f ON f.name = k.name
GROUP BY k.at;

-- Keys that may tell tables apart: neither heads nor what was looked for, as one row of all that differ in it was chosen.
CREATE TEMP VIEW IF NOT EXISTS free_key AS
SELECT v.at AS value_at, k.*
FROM wish AS v
JOIN key_text AS k
JOIN axes AS a ON k.name NOT IN (a.row_name, a.column_name)
LEFT JOIN wish AS found ON found.word = 'reach' AND found.at = 1 AND substr(v.name, 1, 6) = 'reach_'
WHERE v.word = 'value' AND k.name IS NOT found.name;

-- What all rows have in common.
CREATE TEMP VIEW IF NOT EXISTS fixed_key AS
SELECT name, text
FROM key_text
WHERE n = 1 AND (NOT EXISTS (SELECT 1 FROM axes) OR at IN (SELECT at FROM free_key WHERE value_at = 0))
ORDER BY at;

-- Rows that stand in the table of the row 'by': a key that a row does not have is no difference.
CREATE TEMP VIEW IF NOT EXISTS belonging AS
SELECT p.value_at, p.id, s.id AS by
FROM placed AS p
JOIN tuple AS s ON s.value_at = p.value_at
WHERE NOT EXISTS (SELECT 1
                  FROM parting AS k
                  CROSS JOIN field AS a ON a.name = k.name AND a.id = p.id
                  LEFT JOIN field AS b ON b.name = k.name AND b.id = s.id
                  WHERE k.value_at = p.value_at AND a.value IS NOT b.value);

-- Where a printed number and a row say different things.
CREATE TEMP VIEW IF NOT EXISTS differing AS
SELECT p.id AS printed, p.name, f.id
FROM printed_field AS p
CROSS JOIN field AS f ON f.name = p.name AND f.value <> p.value
WHERE p.name NOT IN ('paper', 'figure', 'name', 'value', 'printed', 'unit', 'read', 'where');

DELETE FROM placed; DELETE FROM parting; DELETE FROM tuple; DELETE FROM stand; DELETE FROM ours; DELETE FROM entry;
DELETE FROM sheet_row; DELETE FROM sheet_column; DELETE FROM sheet_cell;

-- ---- pivots ----

-- The rows of all tables: stages and rows without the value are no part of them.  A variant that has no such key stands under its own
-- name, or under 'none' where names are the other heads.
INSERT INTO placed
SELECT v.at, f.id,
       coalesce(r.value, CASE WHEN a.row_name = 'lap' THEN 'whole run' WHEN a.column_name = 'impl' THEN 'none' ELSE i.value END),
       coalesce(c.value, CASE WHEN a.column_name = 'lap' THEN 'whole run' WHEN a.row_name = 'impl' THEN 'none' ELSE i.value END),
       f.value, side.value, CASE WHEN a.is_mean THEN coalesce(d.value, 0) END, CASE WHEN a.is_mean THEN n.value END
FROM axes AS a
JOIN wish AS v ON v.word = 'value'
JOIN field AS f ON f.name = v.name
JOIN field AS i ON i.name = 'impl' AND i.id = f.id
LEFT JOIN wish AS b ON b.word = 'beside' AND b.at = v.at
LEFT JOIN field AS r ON r.name = a.row_name AND r.id = f.id
LEFT JOIN field AS c ON c.name = a.column_name AND c.id = f.id
LEFT JOIN field AS side ON side.name = b.name AND side.id = f.id
LEFT JOIN field AS d ON d.name = CASE v.name WHEN 'mean_ms' THEN 'sd_ms' ELSE v.name || '_sd' END AND d.id = f.id
LEFT JOIN field AS n ON n.name = 'n' AND n.id = f.id
WHERE f.id < 1000000 AND ('lap' IN (a.row_name, a.column_name) OR f.id NOT IN (SELECT id FROM field WHERE name = 'lap'));

-- A key parts tables when two rows would otherwise meet in one place of a table; a key that depends on the row or the column (threads of a
-- variant) does not.  No table is made where another stands for more, with the same keys earlier or more of them anywhere.
INSERT INTO parting
SELECT DISTINCT value_at, at, name
FROM (SELECT k.value_at, k.at, k.name
      FROM free_key AS k
      JOIN placed AS p ON p.value_at = k.value_at
      LEFT JOIN field AS f ON f.name = k.name AND f.id = p.id
      WHERE k.n > 1
      GROUP BY k.value_at, k.at, p.row_head, p.column_head
      HAVING count(DISTINCT coalesce(f.value, '')) > 1)
ORDER BY value_at, at;
INSERT INTO tuple
SELECT value_at, min(id), text
FROM (SELECT value_at, id, group_concat(text, ', ') AS text
      FROM (SELECT p.value_at, p.id, k.name || ' ' || CASE typeof(f.value) WHEN 'real' THEN printf('%.9g', f.value) ELSE f.value END AS text
            FROM placed AS p
            LEFT JOIN parting AS k ON k.value_at = p.value_at
            LEFT JOIN field AS f ON f.name = k.name AND f.id = p.id
            ORDER BY p.value_at, p.id, k.at)
      GROUP BY value_at, id)
GROUP BY value_at, text;
INSERT INTO stand (value_at, id)
SELECT t.value_at, t.id
FROM tuple AS t
LEFT JOIN belonging AS b ON b.value_at = t.value_at AND b.id = t.id AND b.by <> t.id
WHERE b.by IS NULL
ORDER BY t.value_at, t.id;
INSERT INTO ours
SELECT s.sheet, p.id, p.row_head, p.column_head, p.value, p.beside, p.deviation, p.n
FROM stand AS s
JOIN belonging AS b ON b.value_at = s.value_at AND b.by = s.id
JOIN placed AS p ON p.value_at = b.value_at AND p.id = b.id;

-- What all columns of a table share stands beside it, from the least to the most.  Behind our entries those of the paper: a number
-- stands where nothing that it and the table's row both say is different.
INSERT INTO entry
SELECT o.sheet, o.id, o.row_head, o.column_head, 0, o.value, o.deviation, CASE WHEN o.n < m.most THEN o.n END
FROM ours AS o
JOIN (SELECT sheet, max(n) AS most FROM ours GROUP BY sheet) AS m ON m.sheet = o.sheet;
INSERT INTO entry
SELECT o.sheet, min(o.id), o.row_head, NULL, 0, min(o.beside), max(o.beside), NULL
FROM ours AS o
JOIN stand AS s ON s.sheet = o.sheet
JOIN wish AS b ON b.word = 'beside' AND b.at = s.value_at
GROUP BY o.sheet, o.row_head;
INSERT INTO entry
SELECT s.sheet, 1000000000 + p.id, r.value, c.value, 1, shown.value, NULL, NULL
FROM axes AS a
JOIN stand AS s
JOIN wish AS v ON v.word IN ('value', 'beside') AND v.at = s.value_at
JOIN printed_field AS p ON p.name = 'name' AND p.value = v.name
JOIN printed_field AS r ON r.name = a.row_name AND r.id = p.id
LEFT JOIN printed_field AS c ON c.name = a.column_name AND c.id = p.id AND v.word = 'value'
LEFT JOIN printed_field AS shown ON shown.name = 'printed' AND shown.id = p.id
WHERE (v.word = 'beside' OR c.value IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM differing AS d WHERE d.printed = p.id AND d.id = s.id AND d.name NOT IN (a.row_name, a.column_name));
INSERT INTO entry -- the head of a row is an entry, too
SELECT sheet, min(place), row_head, NULL, NULL, row_head, NULL, NULL
FROM entry
GROUP BY sheet, row_head;

-- Numbers from the least on, then the other heads in the order of the rows.
INSERT INTO sheet_row (sheet, name)
SELECT sheet, row_head
FROM entry
GROUP BY sheet, row_head
ORDER BY sheet, CASE WHEN typeof(row_head) IN ('integer', 'real') THEN row_head ELSE 9e999 END, min(place);

-- The heads of the rows; what is beside the table, with what is printed of it behind; columns that only the paper has last.
INSERT INTO sheet_column (sheet, name, is_printed, kind, title)
SELECT e.sheet, e.column_head, e.is_printed,
       CASE WHEN coalesce(e.is_printed, 1) THEN NULL WHEN a.is_mean AND e.column_head IS NOT NULL THEN 'mean' ELSE 'interval' END,
       CASE WHEN e.is_printed IS NULL THEN a.row_title ELSE coalesce(CASE typeof(e.column_head) WHEN 'real' THEN printf('%.9g', e.column_head) ELSE e.column_head END, b.name) END
           || CASE WHEN e.is_printed THEN ' printed' ELSE '' END
FROM entry AS e
JOIN axes AS a
JOIN stand AS s ON s.sheet = e.sheet
LEFT JOIN wish AS b ON b.word = 'beside' AND b.at = s.value_at
JOIN (SELECT sheet, column_head AS head, min(place) AS first, min(is_printed) AS is_paper FROM entry GROUP BY sheet, column_head) AS h
  ON h.sheet = e.sheet AND h.head IS e.column_head
GROUP BY e.sheet, e.column_head, e.is_printed
ORDER BY e.sheet, e.is_printed IS NOT NULL, e.column_head IS NOT NULL, h.is_paper,
         CASE WHEN NOT h.is_paper AND typeof(e.column_head) IN ('integer', 'real') THEN e.column_head ELSE 9e999 END,
         h.first, e.is_printed;

INSERT INTO sheet_cell
SELECT sheet, row_at, column_at, kind, value, other, n
FROM (SELECT e.*, r.at AS row_at, c.at AS column_at, c.kind, min(e.place) AS first -- the earliest entry
      FROM entry AS e
      JOIN sheet_row AS r ON r.sheet = e.sheet AND r.name = e.row_head
      JOIN sheet_column AS c ON c.sheet = e.sheet AND c.name IS e.column_head AND c.is_printed IS e.is_printed
      GROUP BY r.at, c.at);

-- Of how many samples or processes the rows of a table are, and how sure their medians; of means over runs, of how many these are:
-- where rows are of fewer, they say so.
INSERT INTO sheet (sheet, title, note)
SELECT s.sheet,
       CASE WHEN EXISTS (SELECT 1 FROM wish WHERE word = 'value' AND at > 0)
            THEN v.name || CASE WHEN t.text IS NULL THEN '' ELSE ', ' || t.text END ELSE t.text END,
       (SELECT group_concat(text, '; ')
        FROM (SELECT ' ' || c.of_what AS of_what,
                     CASE WHEN a.is_mean
                     THEN 'n ' || max(c.n) || CASE WHEN min(c.n) < max(c.n) THEN ' where no other stands' ELSE '' END || ': means over '
                         || (SELECT name FROM wish WHERE word = 'over') || ', ± one standard deviation'
                     ELSE 'n ' || min(c.n) || CASE WHEN min(c.n) < max(c.n) THEN '..' || max(c.n) ELSE '' END || c.of_what
                         || CASE c.of_what WHEN ' processes' THEN '; interval over their medians' ELSE '; 95 % interval of the median' END
                         || ' at most ' || printf(CASE WHEN max(c.width_pct) >= 10 THEN '%.0f' ELSE '%.2g' END, coalesce(max(c.width_pct), 0))
                         || ' % wide' END AS text
              FROM ours AS o
              JOIN sampled AS c ON c.id = o.id
              JOIN axes AS a
              WHERE o.sheet = s.sheet
              GROUP BY c.of_what
              UNION ALL
              SELECT '', 'printed: the paper''s ' || substr(name, 1 + instr(name, '/'))
              FROM wish
              WHERE word = 'paper'
                AND EXISTS (SELECT 1 FROM entry AS e WHERE e.sheet = s.sheet AND e.is_printed AND e.column_head IS NOT NULL)
              ORDER BY of_what DESC))
FROM stand AS s
JOIN wish AS v ON v.word = 'value' AND v.at = s.value_at
JOIN tuple AS t ON t.value_at = s.value_at AND t.id = s.id;

-- ---- fits ----

-- A row for each curve: the variant and the keys that are not the same in all, then the numbers and what the paper prints.
INSERT INTO sheet_row (sheet, name) SELECT DISTINCT id / 1000000 * 1000000, id FROM field JOIN axes WHERE id > 1000000 ORDER BY id;
INSERT INTO field
SELECT r.name, 'exponent printed', (SELECT shown.value
                                    FROM printed_field AS p
                                    JOIN printed_field AS shown ON shown.name = 'printed' AND shown.id = p.id
                                    WHERE p.name = 'name' AND p.value = 'exponent'
                                      AND NOT EXISTS (SELECT 1 FROM differing AS d WHERE d.printed = p.id AND d.id = r.name)
                                    ORDER BY p.id LIMIT 1) AS number
FROM sheet_row AS r
WHERE r.sheet >= 1000000 AND number IS NOT NULL;
INSERT INTO sheet (sheet, about)
SELECT DISTINCT r.sheet,
       CASE WHEN x2.value IS NULL
            THEN y.value || ' ~ ' || x.value || '^exponent, least squares of the logarithms; last step: between the two largest alone'
            ELSE y.value || ' = a ' || x.value || ' + b ' || x2.value
                || ', least squares of the relative residuals; ± 95 % interval; rms and worst residual' END
FROM sheet_row AS r
JOIN field AS x ON x.name = 'x' AND x.id = r.name
JOIN field AS y ON y.name = 'value' AND y.id = r.name
LEFT JOIN field AS x2 ON x2.name = 'x2' AND x2.id = r.name
WHERE r.sheet >= 1000000;
INSERT INTO sheet_column (sheet, name, title, kind, other, is_printed)
SELECT sheet, name, title, kind, other, is_printed
FROM (SELECT r.sheet, k.at, k.name, k.name AS title, NULL AS kind, NULL AS other, 0 AS is_printed
      FROM sheet_row AS r
      CROSS JOIN key_name AS k
      CROSS JOIN field AS f ON f.name = k.name AND f.id = r.name
      WHERE r.sheet >= 1000000
      GROUP BY r.sheet, k.at
      HAVING k.at = 0 OR count(DISTINCT f.value) > 1
      UNION ALL
      SELECT 2000000, 1000, 'x_min', name, 'interval', 'x_max', 0 FROM wish WHERE word = 'fit' AND at = 0
      UNION ALL VALUES (2000000, 1001, 'n', 'points', 'number', NULL, 0), (2000000, 1002, 'exponent', 'exponent', 'number', NULL, 0),
                       (2000000, 1003, 'exponent_lo', '95 % interval', 'interval', 'exponent_hi', 0),
                       (2000000, 1004, 'exponent_last', 'last step', 'number', NULL, 0),
                       (3000000, 1000, 'n', 'rows', 'number', NULL, 0), (3000000, 1001, 'a_ns', 'a, ns', 'mean', 'a_half_ns', 0),
                       (3000000, 1002, 'b_ns', 'b, ns', 'mean', 'b_half_ns', 0), (3000000, 1003, 'rms_pct', 'rms, %', 'number', NULL, 0),
                       (3000000, 1004, 'worst_pct', 'worst, %', 'number', NULL, 0)
      UNION ALL
      SELECT DISTINCT r.sheet, 1005, f.name, 'printed', NULL, NULL, 1
      FROM sheet_row AS r
      JOIN field AS f ON f.name = 'exponent printed' AND f.id = r.name)
WHERE sheet IN (SELECT sheet FROM sheet)
ORDER BY sheet, at;
INSERT INTO sheet_cell SELECT c.* FROM field_cell AS c WHERE c.sheet >= 1000000;

-- ---- one long sheet ----

INSERT INTO sheet (sheet) SELECT 1 FROM field WHERE NOT EXISTS (SELECT 1 FROM axes) LIMIT 1;
INSERT INTO sheet_row (sheet, name) SELECT DISTINCT 1, id FROM field WHERE NOT EXISTS (SELECT 1 FROM axes) AND id < 1000000 ORDER BY id;
INSERT INTO sheet_column (sheet, name, title, kind, other, may_go)
SELECT 1, name, title, kind, other, may_go
FROM (SELECT 0 AS part, 0 AS at, 'impl' AS name, 'impl' AS title, NULL AS kind, NULL AS other, 0 AS may_go
      UNION ALL SELECT CASE WHEN at < 1000 THEN 1 ELSE 3 END, at, name, name, CASE WHEN at < 1000 THEN NULL ELSE 'number' END, NULL, at >= 1000 FROM key_text WHERE n > 1
      UNION ALL VALUES (2, 0, 'median_ms', 'median ms', 'number', NULL, 0), (2, 1, 'mean_ms', 'mean ms', 'number', NULL, 0), (2, 3, 'n', 'n', 'number', NULL, 1)
      UNION ALL SELECT 2, 2, 'ci_lo_ms', CASE WHEN max(value) > 1 THEN 'interval' ELSE '95 % of median' END, 'interval', 'ci_hi_ms', 1 FROM field WHERE name = 'processes'
      UNION ALL
      SELECT 4, at, name, name, 'number', NULL, 1 FROM shown_column WHERE at > (SELECT at FROM shown_column WHERE name = 'processes'))
WHERE NOT EXISTS (SELECT 1 FROM axes) AND name IN (SELECT name FROM field WHERE id < 1000000)
ORDER BY part, at;
INSERT INTO sheet_cell SELECT c.* FROM field_cell AS c WHERE c.sheet = 1 AND NOT EXISTS (SELECT 1 FROM axes);
