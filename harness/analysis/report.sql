-- report.sql - what the page of a machine asks of its store, which has one folder of results

-- ---- what the program adds ----

CREATE TEMP TABLE page (machine TEXT, folder TEXT, build TEXT, style TEXT);
-- experiments/PAPER/figures.ini: a column for each key that there may be; line: "PATH:LINE"
CREATE TEMP TABLE paper (id TEXT PRIMARY KEY, paper TEXT, line TEXT, "order" REAL, short TEXT, title TEXT, by TEXT, published TEXT, doi TEXT,
                         claims TEXT, algorithm TEXT, says TEXT, claim TEXT);
CREATE TEMP TABLE item (id TEXT PRIMARY KEY, paper TEXT, line TEXT, title TEXT, place TEXT, what TEXT, why TEXT, differs TEXT, alt TEXT, experiment TEXT,
                        chart TEXT, picture TEXT, facts TEXT, open INTEGER, compared TEXT, result TEXT, details TEXT);
CREATE TEMP TABLE plain (paper TEXT, line TEXT, claim TEXT, words TEXT);
CREATE TEMP TABLE claim (claim TEXT PRIMARY KEY, file TEXT, place TEXT, words TEXT, printed TEXT, unit TEXT);
CREATE TEMP TABLE verdict (claim TEXT, measured INTEGER, verdict TEXT, value REAL, truth INTEGER, reason TEXT, far INTEGER);
CREATE TEMP TABLE figure (name TEXT PRIMARY KEY, path TEXT);
-- what there is of an item, and its tables one by one
CREATE TEMP TABLE shown (item TEXT PRIMARY KEY, head TEXT, fixed TEXT, rows TEXT, columns TEXT, caption TEXT);
CREATE TEMP TABLE tabled (item TEXT, number INTEGER, n_rows INTEGER, about TEXT, html TEXT, note TEXT);
CREATE TEMP TABLE lack (item TEXT, impl TEXT, why TEXT);

-- Sign and word beside the colour: nobody has to tell colours apart.  Findings come first, and these two are open.
CREATE TEMP TABLE look AS
SELECT column1 AS verdict, column2 AS merit, column3 AS sign, column4 AS means, lower(column1) AS class, replace(lower(column1), '-', ' ') AS word
FROM (VALUES
('CONTRADICTED', 5, '✗', 'what was measured says otherwise'),
('PAPER-INCONSISTENT', 6, '≠', 'the paper''s own printed numbers do not agree with it, however they were rounded'),
('SCALED-DIFFERS', 4, '≇',
 'a GPU cut to the size of the paper''s, its times brought to that clock, is more than a quarter off; memory, caches, lanes and CPU do not scale'),
('REPRODUCED', 1, '✓', 'it holds; a number is within the tolerance that its claim names'),
('SHAPE-ONLY', 2, '≈', 'it holds, on other hardware or inputs than the paper''s; or a ratio is out of tolerance and within a factor of 2'),
('SCALED-AGREES', 3, '≅',
 'a GPU cut to the size of the paper''s, its times brought to that clock, is within a quarter; memory, caches, lanes and CPU do not scale'),
('NOT-RUN', 7, '○', 'it cannot be judged here: no verified row, an absolute number of other hardware or inputs, or undecided within the noise'));

-- ---- the machine ----

CREATE TEMP VIEW recorded AS SELECT * FROM measurement WHERE withdrawn IS NULL;

CREATE TEMP VIEW here AS
SELECT CASE n WHEN 1 THEN 'One paper' WHEN 2 THEN 'Two papers' WHEN 3 THEN 'Three papers' ELSE n || ' papers' END || ', measured again on ' || coalesce(gpu, cpu, machine) AS heading,
       CASE WHEN gpu IS NULL THEN 'no GPU, ' || cores ELSE cores || coalesce(' of ' || cpu, '') END AS processors
FROM page
JOIN (SELECT count(*) AS n FROM paper)
JOIN (SELECT max(CASE key WHEN 'gpu' THEN nullif(text, '') END) AS gpu, max(CASE key WHEN 'cpu' THEN nullif(text, '') END) AS cpu,
             max(CASE key WHEN 'cores' THEN text || CASE text WHEN '1' THEN ' core' ELSE ' cores' END END) AS cores
      FROM fact);

-- ---- papers, their tables and figures ----

-- What is wrong with the descriptors, a sentence each.
CREATE TEMP VIEW refusal AS
SELECT rowid AS number,
       line || ': expected ' || CASE WHEN title IS NULL THEN 'a title'
                                     WHEN coalesce(chart, picture) IS NOT NULL AND alt IS NULL THEN '''alt'', for those who cannot see its figure'
                                     WHEN paper NOT IN (SELECT paper FROM paper) THEN 'a section [paper] in its file' END || ', found none' AS sentence
FROM item
WHERE sentence IS NOT NULL
UNION ALL
SELECT rowid, printf('%s: expected the id of a claim, found ''%s''', line, claim)
FROM plain
WHERE claim NOT IN (SELECT claim FROM claim)
UNION ALL
SELECT rowid, line || ': expected order (a number), short, title, by, published, claims, algorithm, says and claim in [paper]'
FROM paper
WHERE "order" || short || title || by || published || claims || algorithm || says || claim IS NULL OR typeof("order") = 'text';

-- Of a list "rdp-fig9, rdp-fig9-scene" those that are there.
CREATE TEMP VIEW drawn AS
SELECT item.id AS item, name, path, instr(', ' || coalesce(picture, chart) || ',', ', ' || name || ',') AS at
FROM item
JOIN figure
WHERE at > 0 AND (picture IS NOT NULL OR item.id IN (SELECT item FROM shown));

-- ---- what is missing ----

CREATE TEMP VIEW lacking AS
SELECT item, min(rowid) AS number,
       count(*) || CASE count(*) WHEN 1 THEN ' configuration of ' ELSE ' configurations of ' END || replace(group_concat(DISTINCT impl), ',', ', ') || ': ' || why AS sentence
FROM lack
GROUP BY item, why
UNION ALL
SELECT id, 1e9, CASE WHEN coalesce(picture, facts, experiment) IS NULL THEN why
                     WHEN picture IS NOT NULL AND id NOT IN (SELECT item FROM drawn) THEN 'The picture was not drawn: gnuplot is missing, or the command failed'
                     WHEN facts IS NOT NULL AND id NOT IN (SELECT item FROM shown)
                     THEN 'None of its facts is known of this machine: no GPU, or none that was asked'
                     WHEN chart IS NOT NULL AND id IN (SELECT item FROM shown) AND id NOT IN (SELECT item FROM drawn)
                     THEN 'the chart is not drawn: these rows are not enough for it, gnuplot is missing, or it failed' END AS sentence
FROM item
WHERE sentence IS NOT NULL;

-- A table or figure with what there is of it: here, not attempted, or attempted and nothing is here.
CREATE TEMP VIEW standing AS
SELECT *
FROM (SELECT i.rowid AS number, i.id AS item, i.*, s.head, s.fixed, s.rows, s.columns, s.caption, substr(i.title, 1, instr(i.title || ':', ':') - 1) AS name,
             CASE WHEN coalesce(i.picture, i.facts, i.experiment) IS NULL THEN 'out'
                  WHEN i.id IN (SELECT item FROM shown UNION SELECT item FROM drawn) THEN 'there'
                  ELSE 'gone' END AS state,
             (SELECT count(*) FROM drawn WHERE drawn.item = i.id) AS n_drawn,
             CASE WHEN s.rows IS NULL THEN printf('Its %d rows as a table', (SELECT sum(n_rows) FROM tabled WHERE tabled.item = i.id))
                  ELSE 'More of it: other inputs, scopes and values' END AS more,
             CASE WHEN s.rows IS NULL AND i.facts IS NULL THEN 0 ELSE coalesce(i.open, 2) END AS n_open,
             (SELECT count(*) FROM tabled WHERE tabled.item = i.id) AS n_tables,
             (SELECT group_concat(sentence, '; ') FROM (SELECT sentence FROM lacking AS l WHERE l.item = i.id ORDER BY l.number)) AS lacks
      FROM item AS i
      LEFT JOIN shown AS s ON s.item = i.id)
JOIN (SELECT 'there' AS state, '●' AS sign, 'here' AS means, 'in part' AS how_much, 'lacks' AS says, 'Still missing:' AS first, 'Again' AS again
      UNION ALL SELECT 'out', '–', 'not attempted', 'all of it, on purpose', 'missing', '', ''
      UNION ALL SELECT 'gone', '○', 'missing', 'all of it', 'missing', 'Nothing here yet.', 'To measure and draw it') USING (state);

-- ---- verdicts ----

CREATE TEMP VIEW told AS
SELECT v.rowid AS number, v.*, c.*, p.paper, p.short, look.rowid AS rank, look.*, plain.words AS plain,
       CASE WHEN truth THEN CASE value > 0 WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END
            WHEN value IS NOT NULL THEN printf(CASE WHEN abs(value) BETWEEN 1e3 AND 1e12 THEN '%.0f' ELSE '%.4g' END, value) || coalesce(' ' || in_unit, '') END AS found
FROM verdict AS v
JOIN (SELECT *, CASE unit WHEN 'x' THEN '×' ELSE unit END AS in_unit FROM claim) AS c USING (claim)
JOIN look USING (verdict)
LEFT JOIN paper AS p ON p.claims = c.file
LEFT JOIN plain ON plain.paper = p.paper AND plain.claim = v.claim;

-- By paper, and of all as paper ''.
CREATE TEMP VIEW tally AS
SELECT p.paper, measured, verdict, rank, class, sign, word, count(*) AS n
FROM (SELECT paper FROM paper UNION ALL SELECT '') AS p
JOIN told ON p.paper IN ('', told.paper)
GROUP BY p.paper, measured, verdict;

-- Verdicts that stand in one table: those of a place of the paper ("Fig. 1" is in "sect. 5, Fig. 1a", not in "Fig. 10"), those of a paper in
-- plain words, by rows where there is one, and all of a kind.
CREATE TEMP VIEW listed AS
SELECT item.id AS list, 'Printed and here: ' || item.title AS heading, told.*
FROM item
JOIN told ON told.paper = item.paper AND told.measured AND (told.place GLOB '*' || item.place || '[^0-9]*' OR told.place GLOB '*' || item.place)
UNION ALL
SELECT paper, 'In short: some of its claims', told.*
FROM told
WHERE plain IS NOT NULL AND (measured OR claim NOT IN (SELECT claim FROM verdict WHERE measured))
UNION ALL
SELECT printf('%s %d %s', paper, measured, verdict),
       printf('[%s] %s, %s', short, CASE WHEN measured THEN 'measured' ELSE 'by the paper''s own numbers' END, word), told.*
FROM told;

CREATE TEMP VIEW outcome AS
SELECT paper, sum(measured) AS n_rows, sum(measured AND verdict <> 'NOT-RUN') AS n_judged,
       sum(measured AND verdict IN ('REPRODUCED', 'SHAPE-ONLY')) AS n_held, sum(measured AND verdict = 'SHAPE-ONLY') AS n_shape,
       sum(measured AND verdict = 'CONTRADICTED') AS n_contradicted, sum(far) AS n_far,
       sum(measured AND verdict GLOB 'SCALED-*') AS n_scaled, sum(measured AND verdict = 'SCALED-AGREES') AS n_agree,
       sum(NOT measured) AS n_printed, sum(NOT measured AND verdict = 'REPRODUCED') AS n_borne,
       sum(NOT measured AND verdict = 'PAPER-INCONSISTENT') AS n_inconsistent
FROM told
GROUP BY paper;
