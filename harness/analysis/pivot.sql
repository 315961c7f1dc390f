-- pivot.sql - the sheets for people: pivots as [show] asks for them, with the numbers that the paper prints beside ours, and the fits; or
-- one long sheet of the columns that vary

CREATE TEMP TABLE IF NOT EXISTS placed (value_at INTEGER, id INTEGER, row_head, column_head, value, beside, deviation, n INTEGER, text TEXT);
CREATE TEMP TABLE IF NOT EXISTS parting (value_at INTEGER, at INTEGER, name TEXT); -- the keys that tell the tables of a value apart
CREATE TEMP VIEW IF NOT EXISTS tuple AS -- and what the rows have there, the first of them
SELECT value_at, min(id) AS id, text FROM placed GROUP BY value_at, text;
CREATE TEMP TABLE IF NOT EXISTS stand (sheet INTEGER PRIMARY KEY, value_at INTEGER, id INTEGER, text TEXT); -- what a table is made for
CREATE TEMP TABLE IF NOT EXISTS sheet (sheet INTEGER PRIMARY KEY, title TEXT, about TEXT, note TEXT); -- pivots, then fits; or the long one
CREATE TEMP TABLE IF NOT EXISTS entry (
    sheet INTEGER,
    place INTEGER, -- in the order of our rows, then of the paper's
    row,           -- what stands at the left; in other sheets than pivots field.id
    part INTEGER,  -- columns of a part stand together: in pivots the heads, what is beside the table, our columns, those of the paper alone
    head,          -- what stands above: a number, or a text
    is_printed INTEGER,
    kind TEXT,     -- NULL: as it is; number, interval, mean, told
    value,
    other,         -- the other end of an interval, the deviation of a mean; half the interval of what is told
    n INTEGER      -- of a mean over so many
);
CREATE TEMP TABLE IF NOT EXISTS sheet_row (at INTEGER PRIMARY KEY, sheet INTEGER, row);
CREATE TEMP TABLE IF NOT EXISTS sheet_column (at INTEGER PRIMARY KEY, sheet INTEGER, head, is_printed INTEGER, part INTEGER);
-- The visible texts, by sheet_row.at, 0 for the title of a column, and sheet_column.at; 'kind': it is a number, the column is printed.
CREATE TEMP TABLE IF NOT EXISTS sheet_cell (sheet INTEGER, row_at INTEGER, column_at INTEGER, kind INTEGER, text TEXT);

-- The number of texts that rows have in a key, and for people the least of them.
CREATE TEMP VIEW IF NOT EXISTS key_text AS
SELECT k.at, k.name, count(DISTINCT f.value) AS n, min(CASE typeof(f.value) WHEN 'real' THEN printf('%.9g', f.value) ELSE f.value END) AS text
FROM (SELECT key AS at, name FROM heading WHERE key > 0 OR key = 0 AND EXISTS (SELECT 1 FROM axes)
      UNION ALL SELECT 1000, 'verdict' WHERE NOT EXISTS (SELECT 1 FROM axes)
      UNION ALL SELECT 1001, 'status' WHERE NOT EXISTS (SELECT 1 FROM axes)) AS k
JOIN field AS f ON f.name = k.name
GROUP BY k.at
HAVING k.at > 0 OR n > 1;

-- Keys that may tell tables apart: neither heads nor what was looked for, as one row of all that differ in it was chosen.
CREATE TEMP VIEW IF NOT EXISTS free_key AS
SELECT v.at AS value_at, k.*
FROM wish AS v
JOIN key_text AS k
JOIN axes AS a ON k.name NOT IN (a.row_name, a.column_name)
WHERE v.word = 'value' AND NOT (substr(v.name, 1, 11) = 'to_quality_' AND 'to_quality_' || k.name IN (SELECT name FROM heading));

-- The texts in the table of 'by': a key that a row does not have is no difference.
CREATE TEMP VIEW IF NOT EXISTS belonging AS
SELECT t.value_at, t.id, t.text, o.id AS by
FROM tuple AS t
JOIN tuple AS o ON o.value_at = t.value_at
WHERE NOT EXISTS (SELECT 1
                  FROM parting AS k
                  CROSS JOIN field AS a ON a.name = k.name AND a.id = t.id
                  LEFT JOIN field AS b ON b.name = k.name AND b.id = o.id
                  WHERE k.value_at = t.value_at AND a.value IS NOT b.value);

-- The names in which a printed number and a row differ.
CREATE TEMP VIEW IF NOT EXISTS differing AS
SELECT p.id AS printed, p.name, f.id
FROM printed_field AS p
CROSS JOIN field AS f ON f.name = p.name AND f.value <> p.value;

-- The keys that all rows have in common, and the lines below the tables.
CREATE TEMP VIEW IF NOT EXISTS page_text AS
SELECT (SELECT group_concat(name || ' ' || text, ', ')
        FROM (SELECT name, text
              FROM key_text
              WHERE n = 1 AND (NOT EXISTS (SELECT 1 FROM axes) OR at IN (SELECT at FROM free_key WHERE value_at = 0))
              ORDER BY at)) AS fixed,
       (SELECT group_concat(text, '; ') FROM (SELECT text FROM caption ORDER BY part)) AS caption,
       (SELECT group_concat(name, ', ') FROM unmeasured) AS unmeasured,
       (SELECT group_concat(text, '; ') FROM mixed) AS mixed;

DELETE FROM placed; DELETE FROM parting; DELETE FROM stand; DELETE FROM sheet; DELETE FROM entry;
DELETE FROM sheet_row; DELETE FROM sheet_column; DELETE FROM sheet_cell;

-- ---- pivots ----

-- The rows of all tables: stages and rows without the value are no part of them.  A variant that has no such key stands under its own
-- name, or under 'none' where names are the other heads.
INSERT INTO placed
SELECT v.at, f.id,
       coalesce(r.value, CASE WHEN a.row_name = 'stage' THEN 'whole run' WHEN a.column_name = 'impl' THEN 'none' ELSE i.value END),
       coalesce(c.value, CASE WHEN a.column_name = 'stage' THEN 'whole run' WHEN a.row_name = 'impl' THEN 'none' ELSE i.value END),
       f.value, side.value,
       CASE WHEN a.mean_over IS NOT NULL THEN coalesce(d.value, 0) WHEN v.name IN ('mean_ms', 'median_ms') THEN (t.high - t.low) / 2 END,
       CASE WHEN a.mean_over IS NOT NULL THEN n.value END, NULL
FROM axes AS a
JOIN wish AS v ON v.word = 'value'
JOIN field AS f ON f.name = v.name
JOIN field AS i ON i.name = 'impl' AND i.id = f.id
LEFT JOIN wish AS b ON b.word = 'extra' AND b.at = v.at
LEFT JOIN field AS r ON r.name = a.row_name AND r.id = f.id
LEFT JOIN field AS c ON c.name = a.column_name AND c.id = f.id
LEFT JOIN field AS side ON side.name = b.name AND side.id = f.id
LEFT JOIN field AS d ON d.name = CASE v.name WHEN 'mean_ms' THEN 'sd_ms' ELSE v.name || '_sd' END AND d.id = f.id
LEFT JOIN field AS n ON n.name = 'n' AND n.id = f.id
LEFT JOIN sampled AS t ON t.id = f.id
WHERE 'stage' IN (a.row_name, a.column_name) OR f.id NOT IN (SELECT id FROM field WHERE name = 'stage');

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
UPDATE placed
SET text = coalesce((SELECT group_concat(k.name || ' ' || CASE typeof(f.value) WHEN 'real' THEN printf('%.9g', f.value) ELSE f.value END, ', ')
                     FROM parting AS k
                     CROSS JOIN field AS f ON f.name = k.name AND f.id = placed.id
                     WHERE k.value_at = placed.value_at), '');
INSERT INTO stand (value_at, id, text)
SELECT value_at, id, text
FROM belonging
GROUP BY value_at, id
HAVING count(*) = 1
ORDER BY value_at, id;

-- A value that all columns of a table share stands beside it, from the least to the most.  Behind our entries those of the paper: a number
-- stands where nothing that it and the table's row both say is different.  The head of a row is an entry, too.
INSERT INTO entry
SELECT s.sheet, p.id, p.row_head, 2, p.column_head, 0, CASE WHEN a.mean_over IS NULL THEN 'told' ELSE 'mean' END, p.value, p.deviation, p.n
FROM axes AS a
JOIN stand AS s
JOIN belonging AS b ON b.value_at = s.value_at AND b.by = s.id
JOIN placed AS p ON p.value_at = b.value_at AND p.text = b.text
UNION ALL
SELECT s.sheet, min(p.id), p.row_head, 1, w.name, 0, 'interval', min(p.beside), max(p.beside), NULL
FROM wish AS w
JOIN stand AS s ON s.value_at = w.at
JOIN belonging AS b ON b.value_at = s.value_at AND b.by = s.id
JOIN placed AS p ON p.value_at = b.value_at AND p.text = b.text
WHERE w.word = 'extra'
GROUP BY s.sheet, p.row_head
UNION ALL
SELECT s.sheet, 1000000000 + p.id, r.value,
       CASE v.word WHEN 'extra' THEN 1 ELSE 3 END, CASE v.word WHEN 'extra' THEN v.name ELSE c.value END, 1, NULL, shown.value, NULL, NULL
FROM axes AS a
JOIN stand AS s
JOIN wish AS v ON v.word IN ('value', 'extra') AND v.at = s.value_at
JOIN printed_field AS p ON p.name = 'name' AND p.value = v.name
JOIN printed_field AS r ON r.name = a.row_name AND r.id = p.id
LEFT JOIN printed_field AS c ON c.name = a.column_name AND c.id = p.id
LEFT JOIN printed_field AS shown ON shown.name = 'printed' AND shown.id = p.id
WHERE (v.word = 'extra' OR c.value IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM differing AS d WHERE d.printed = p.id AND d.id = s.id AND d.name NOT IN (a.row_name, a.column_name));
INSERT INTO entry SELECT sheet, min(place), row, 0, a.row_title, 0, NULL, row, NULL, NULL FROM entry JOIN axes AS a GROUP BY sheet, row;

-- The samples or processes of a table's rows, and how sure their medians are; of means over runs the number of these:
-- where rows are of fewer, they say so.
INSERT INTO sheet (sheet, title, note)
SELECT s.sheet,
       nullif(CASE WHEN EXISTS (SELECT 1 FROM wish WHERE word = 'value' AND at > 0)
              THEN v.name || CASE s.text WHEN '' THEN '' ELSE ', ' || s.text END ELSE s.text END, ''),
       (SELECT group_concat(text, '; ')
        FROM (SELECT c.of_what,
                     'n ' || CASE WHEN min(c.n) = max(c.n) THEN max(c.n) WHEN a.mean_over IS NOT NULL THEN max(c.n) || ' where no other stands'
                             ELSE min(c.n) || '..' || max(c.n) END || c.of_what
                         || CASE WHEN a.mean_over IS NOT NULL THEN ': means over ' || a.mean_over || ', ± one standard deviation'
                            WHEN c.is_sure THEN CASE c.of_what WHEN ' processes' THEN '; interval over their medians' ELSE '; 95 % interval of the median' END
                                || ' at most ' || short_text(coalesce(max(100 * (c.high - c.low) / c.median), 0), 2) || ' % wide' ELSE '' END AS text
              FROM axes AS a
              JOIN entry AS o ON o.sheet = s.sheet AND o.part = 2
              JOIN sampled AS c ON c.id = o.place AND c.n IS NOT NULL
              GROUP BY c.of_what
              UNION ALL
              SELECT NULL, 'printed: the paper''s ' || substr(name, 1 + instr(name, '/'))
              FROM wish
              WHERE word = 'paper' AND EXISTS (SELECT 1 FROM entry AS e WHERE e.sheet = s.sheet AND e.is_printed AND e.part > 1)
              ORDER BY of_what DESC))
FROM stand AS s
JOIN wish AS v ON v.word = 'value' AND v.at = s.value_at;

-- ---- one long sheet ----

INSERT INTO sheet (sheet) SELECT 1 FROM field WHERE NOT EXISTS (SELECT 1 FROM axes) LIMIT 1;
INSERT INTO entry
SELECT s.sheet, f.id, f.id, c.part, c.title, 0, c.kind, f.value, CASE c.kind WHEN 'told' THEN (t.high - t.low) / 2 ELSE o.value END, NULL
FROM sheet AS s
JOIN (SELECT 0 AS part, 'impl' AS name, 'impl' AS title, NULL AS kind, NULL AS other
      UNION ALL SELECT at, name, name, CASE WHEN at < 1000 THEN NULL ELSE 'number' END, NULL FROM key_text WHERE n > 1
      UNION ALL VALUES (900, 'median_ms', 'median ms', 'told', NULL), (901, 'mean_ms', 'mean ms', 'told', NULL),
                       (999, 'n', 'n', 'number', NULL)
      UNION ALL SELECT 998, 'ci_lo_ms', CASE WHEN max(value) > 1 THEN 'interval' ELSE '95 % of median' END, 'interval', 'ci_hi_ms' FROM field WHERE name = 'processes'
      UNION ALL SELECT 2000 + at, name, name, 'number', NULL FROM heading WHERE is_value) AS c
CROSS JOIN field AS f ON f.name = c.name
LEFT JOIN field AS o ON o.name = c.other AND o.id = f.id
LEFT JOIN sampled AS t ON t.id = f.id
WHERE s.sheet = 1 AND NOT EXISTS (SELECT 1 FROM axes) AND (c.part <> 998 OR t.is_sure);

-- ---- all of them ----

-- Numbers from the least on, then the other heads in the order of the rows.
INSERT INTO sheet_row (sheet, row)
SELECT sheet, row
FROM entry
GROUP BY sheet, row
ORDER BY sheet, CASE WHEN typeof(row) IN ('integer', 'real') THEN row ELSE 9e999 END, min(place);
INSERT INTO sheet_column (sheet, head, is_printed, part)
SELECT e.sheet, e.head, e.is_printed, h.part
FROM (SELECT DISTINCT sheet, head, is_printed FROM entry) AS e
JOIN (SELECT sheet, head, min(part) AS part, min(place) AS first FROM entry GROUP BY sheet, head) AS h ON h.sheet = e.sheet AND h.head = e.head
ORDER BY e.sheet, h.part, CASE WHEN h.part < 3 AND typeof(e.head) IN ('integer', 'real') THEN e.head ELSE 9e999 END, h.first, e.is_printed;

-- The earliest of entries for one place.
INSERT INTO sheet_cell
SELECT sheet, 0, at, is_printed,
       trim(CASE typeof(head) WHEN 'real' THEN printf('%.9g', head) ELSE head END || CASE WHEN is_printed THEN ' printed' ELSE '' END)
FROM sheet_column;
INSERT INTO sheet_cell
SELECT sheet, row_at, column_at, kind IS NOT NULL AND is_number,
       CASE WHEN NOT is_number THEN value
            WHEN kind IS NULL OR other IS NULL AND printf('%.9g', value) NOT GLOB '*[.e]*' THEN printf('%.9g', value)
            WHEN kind = 'told' THEN told(value, other)
            WHEN kind = 'mean' THEN told_mean(value, other) || CASE WHEN n < most THEN ', n ' || n ELSE '' END
            ELSE told(value, NULL) || CASE WHEN kind = 'interval' THEN coalesce('..' || nullif(told(other, NULL), told(value, NULL)), '') ELSE '' END END
FROM (SELECT e.*, m.most, r.at AS row_at, c.at AS column_at, min(e.place) AS first, typeof(e.value) IN ('integer', 'real') AS is_number
      FROM entry AS e
      JOIN (SELECT sheet, max(n) AS most FROM entry GROUP BY sheet) AS m ON m.sheet = e.sheet
      JOIN sheet_row AS r ON r.sheet = e.sheet AND r.row = e.row
      JOIN sheet_column AS c ON c.sheet = e.sheet AND c.head = e.head AND c.is_printed = e.is_printed
      GROUP BY r.at, c.at);

-- The last columns of the long sheet go until the page is wide enough.
DELETE FROM sheet_cell
WHERE column_at IN (SELECT c.at
                    FROM sheet_column AS c
                    JOIN (SELECT column_at, max(3, max(length(text))) + 3 AS width FROM sheet_cell GROUP BY column_at) AS w ON w.column_at <= c.at
                    WHERE c.part >= 998
                    GROUP BY c.at
                    HAVING sum(w.width) >= 80)
  AND NOT EXISTS (SELECT 1 FROM axes);
