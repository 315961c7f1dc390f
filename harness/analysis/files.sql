-- files.sql - the fits, and the sheets of EXP.csv, EXP.fit.csv and EXP.linear.csv; pivot.sql has those for people

CREATE TEMP TABLE IF NOT EXISTS fit_number (word TEXT, i INTEGER, name TEXT, factor REAL);
CREATE TEMP TABLE IF NOT EXISTS fitted (word TEXT, id INTEGER, at INTEGER, name TEXT, value); -- 'id': the first row of the curve
-- A sheet is a table of fields; its columns follow each other, and so do its rows.
CREATE TEMP TABLE IF NOT EXISTS sheet (
    sheet INTEGER PRIMARY KEY, -- -1: EXP.csv, -2: EXP.fit.csv, -3: EXP.linear.csv; from 1 in the order of the page
    title TEXT,
    about TEXT,
    note TEXT
);
CREATE TEMP TABLE IF NOT EXISTS sheet_column (
    at INTEGER PRIMARY KEY,
    sheet INTEGER,
    name,
    title TEXT,
    kind TEXT,           -- NULL: as it is; number, interval, mean
    other TEXT,          -- of an interval or a mean: the name of the other number
    is_printed INTEGER,
    may_go INTEGER       -- where the page is too narrow
);
CREATE TEMP TABLE IF NOT EXISTS sheet_row (at INTEGER PRIMARY KEY, sheet INTEGER, name); -- 'name': field.id, or a head
CREATE TEMP TABLE IF NOT EXISTS sheet_cell (sheet INTEGER, row_at INTEGER, column_at INTEGER, kind TEXT, value, other, n INTEGER);

-- The cells of a sheet whose columns are fields.
CREATE TEMP VIEW IF NOT EXISTS field_cell AS
SELECT c.sheet, r.at AS row_at, c.at AS column_at, c.kind, f.value, o.value AS other, NULL AS n
FROM sheet_column AS c
CROSS JOIN sheet_row AS r ON r.sheet = c.sheet
CROSS JOIN field AS f ON f.name = c.name AND f.id = r.name
LEFT JOIN field AS o ON o.name = c.other AND o.id = r.name;

-- EXP.values.csv.  Values are a cell's, whatever was timed: each set of them once.
CREATE TEMP VIEW IF NOT EXISTS values_query AS
SELECT 'SELECT m.impl, ' || group_concat(printf('m."%w", ', name), '')
           || 'm.input, m.frame_pick AS "case", m.batch, m.threads, m.mode_name, m.machine, v.name, v.idx AS "index", v.value, v.unit '
           || 'FROM (SELECT min(place) AS place, measurement, valued FROM selected WHERE valued IS NOT NULL GROUP BY valued) AS s '
           || 'JOIN measurement AS m ON m.id = s.measurement JOIN value AS v ON v.measurement = s.valued ORDER BY s.place, v.rowid' AS sql
FROM (SELECT name FROM key_name WHERE at BETWEEN 1 AND 499 ORDER BY at);

DELETE FROM fit_number; DELETE FROM fitted; DELETE FROM sheet; DELETE FROM sheet_column; DELETE FROM sheet_row;
DELETE FROM sheet_cell;

INSERT INTO sheet_row (sheet, name) SELECT DISTINCT -1, id FROM field ORDER BY id;
INSERT INTO sheet_column (sheet, name, title) SELECT -1, name, name FROM shown_column ORDER BY at;

INSERT INTO fit_number
VALUES ('fit', 0, 'n', 1), ('fit', 0, 'x_min', 1), ('fit', 0, 'x_max', 1), ('fit', 1, 'exponent', 1), ('fit', 2, 'exponent_lo', 1),
       ('fit', 3, 'exponent_hi', 1), ('fit', 4, 'exponent_last', 1), ('fit', 5, 'scale', 1),
       ('linear', 0, 'n', 1), ('linear', 1, 'a_ns', 1e6), ('linear', 2, 'b_ns', 1e6), -- of times in ms
       ('linear', 3, 'a_half_ns', 1e6), ('linear', 4, 'b_half_ns', 1e6), ('linear', 5, 'rms_pct', 100), ('linear', 6, 'worst_pct', 100);
INSERT INTO fitted
SELECT p.word, min(p.id), 2000 + n.rowid, n.name,
       CASE n.name
       WHEN 'x_min' THEN min(p.x)
       WHEN 'x_max' THEN max(p.x)
       ELSE n.factor * CASE p.word WHEN 'fit' THEN power_fit(p.x, p.y, n.i) ELSE linear_fit(p.x, p.x2, p.y, n.i) END END
FROM (SELECT * FROM fit_point ORDER BY word, text, id) AS p
JOIN fit_number AS n ON n.word = p.word
GROUP BY p.word, p.text, n.rowid;
DELETE FROM fitted
WHERE NOT EXISTS (SELECT 1 FROM fitted AS n WHERE n.word = fitted.word AND n.id = fitted.id AND n.name = 'n' AND n.value IS NOT NULL);

-- A curve is a row of fields, too, with ids of its own.
INSERT INTO sheet_row (sheet, name)
SELECT DISTINCT sheet, 1000000 * -sheet + id
FROM (SELECT CASE word WHEN 'fit' THEN -2 ELSE -3 END AS sheet, id FROM fitted)
ORDER BY sheet DESC, id;
INSERT INTO sheet_column (sheet, name, title)
SELECT CASE word WHEN 'fit' THEN -2 ELSE -3 END, name, name
FROM (SELECT w.word, k.at, k.name
      FROM wish AS w
      JOIN key_name AS k ON k.name NOT IN (SELECT name FROM but WHERE but.word = w.word)
      WHERE w.at = 0
      UNION ALL SELECT word, 1000 + at, CASE at WHEN 0 THEN 'x' ELSE 'x2' END FROM wish WHERE at < 2
      UNION ALL SELECT word, 1002, 'value' FROM wish WHERE at = 0
      UNION ALL SELECT word, 2000 + rowid, name FROM fit_number)
WHERE word IN (SELECT word FROM wish WHERE word IN ('fit', 'linear'))
ORDER BY word, at;
INSERT INTO field
SELECT r.name, c.name, coalesce(n.value, CASE c.name WHEN 'x' THEN w.name WHEN 'x2' THEN w2.name WHEN 'value' THEN v.name ELSE f.value END)
FROM sheet_row AS r
JOIN sheet_column AS c ON c.sheet = r.sheet
JOIN wish AS w ON w.word = CASE r.sheet WHEN -2 THEN 'fit' ELSE 'linear' END AND w.at = 0
LEFT JOIN wish AS w2 ON w2.word = w.word AND w2.at = 1
JOIN wish AS v ON v.word = 'value' AND v.at = 0
LEFT JOIN fitted AS n ON n.word = w.word AND n.id = r.name % 1000000 AND n.name = c.name
LEFT JOIN field AS f ON f.name = c.name AND f.id = r.name % 1000000
WHERE r.sheet < -1
  AND (n.value IS NOT NULL OR c.name IN ('x', 'x2', 'value') OR f.value IS NOT NULL AND c.name IN (SELECT name FROM key_name));
