-- report.sql - what the page of a machine asks of its store, which has one folder of results

-- ---- what the program adds ----

CREATE TEMP TABLE page (machine TEXT, explained TEXT, build TEXT, style TEXT);
-- experiments/report/PAPER.ini: a column for each key that there may be; line: "PATH:LINE"
CREATE TEMP TABLE paper (id TEXT PRIMARY KEY, paper TEXT, line TEXT, "order" REAL, short TEXT, title TEXT, by TEXT, published TEXT, doi TEXT,
                         claims TEXT, algorithm TEXT, says TEXT, claim TEXT);
CREATE TEMP TABLE item (id TEXT PRIMARY KEY, paper TEXT, line TEXT, title TEXT, place TEXT, what TEXT, why TEXT, differs TEXT, alt TEXT, experiment TEXT,
                        chart TEXT, picture TEXT, facts TEXT, open TEXT);
CREATE TEMP TABLE plain (paper TEXT, line TEXT, claim TEXT, words TEXT);
CREATE TEMP TABLE claim (claim TEXT PRIMARY KEY, file TEXT, place TEXT, words TEXT, printed TEXT, unit TEXT);
CREATE TEMP TABLE verdict (claim TEXT, measured INTEGER, verdict TEXT, expected TEXT, found TEXT, reason TEXT, far INTEGER);
CREATE TEMP TABLE shown (item TEXT PRIMARY KEY, n_rows INTEGER, rows TEXT, columns TEXT, tables TEXT, caption TEXT);
CREATE TEMP TABLE drawn (item TEXT, name TEXT, path TEXT);
CREATE TEMP TABLE lack (item TEXT, impl TEXT, why TEXT);
CREATE TEMP TABLE elsewhere (item TEXT, results TEXT);

-- Sign and word beside the colour: nobody has to tell colours apart.  Findings come first, and these two are open.
CREATE TEMP TABLE look (verdict TEXT, merit INTEGER, class TEXT, sign TEXT, word TEXT, means TEXT);
INSERT INTO look VALUES
('CONTRADICTED', 5, 'contradicted', '✗', 'contradicted', 'what was measured says otherwise'),
('PAPER-INCONSISTENT', 6, 'inconsistent', '≠', 'paper inconsistent',
 'the paper''s own printed numbers do not agree with it, however they were rounded'),
('SCALED-DIFFERS', 4, 'apart', '≇', 'scaled, differs',
 'a GPU cut to the size of the paper''s, its times brought to that clock, is more than a quarter off; memory, caches, lanes and CPU do not scale'),
('REPRODUCED', 1, 'reproduced', '✓', 'reproduced', 'it holds; a number is within the tolerance that its claim names'),
('SHAPE-ONLY', 2, 'shape', '≈', 'shape only',
 'it holds, on other hardware or inputs than the paper''s; or a ratio is out of tolerance and within a factor of 2'),
('SCALED-AGREES', 3, 'scaled', '≅', 'scaled, agrees',
 'a GPU cut to the size of the paper''s, its times brought to that clock, is within a quarter; memory, caches, lanes and CPU do not scale'),
('NOT-RUN', 7, 'notrun', '○', 'not run',
 'it cannot be judged here: no verified row, an absolute number of other hardware or inputs, or undecided within the noise');

-- ---- the machine ----

CREATE TEMP VIEW recorded AS
SELECT *
FROM measurement
WHERE withdrawn IS NULL;

CREATE TEMP VIEW here AS
SELECT page.*,
       max(CASE key WHEN 'gpu' THEN nullif(text, '') END) AS gpu,
       max(CASE key WHEN 'cpu' THEN nullif(text, '') END) AS cpu,
       max(CASE key WHEN 'cores' THEN nullif(text, '') END) AS cores
FROM page
LEFT JOIN fact;

-- ---- papers, their tables and figures ----

-- What is wrong with the descriptors, a sentence each.
CREATE TEMP VIEW refusal AS
SELECT rowid AS number, printf('%s: expected a title, found none', line) AS sentence
FROM item
WHERE title IS NULL
UNION ALL
SELECT rowid, printf('%s: expected ''alt'', for those who cannot see its figure; found none', line)
FROM item
WHERE coalesce(chart, picture) IS NOT NULL AND alt IS NULL
UNION ALL
SELECT rowid, printf('%s: expected a number as ''order'', found ''%s''', line, "order")
FROM paper
WHERE typeof("order") = 'text'
UNION ALL
SELECT rowid, printf('%s: expected the id of a claim, found ''%s''', line, claim)
FROM plain
WHERE claim NOT IN (SELECT claim FROM claim)
UNION ALL
SELECT rowid, printf('%s: expected order, short, title, by, published, claims, algorithm, says and claim in [paper]', line)
FROM paper
WHERE "order" || short || title || by || published || claims || algorithm || says || claim IS NULL
UNION ALL
SELECT 1, printf('experiments/report/%s.ini: expected [paper] and a section for a table or figure', paper)
FROM (SELECT paper FROM plain UNION SELECT paper FROM item UNION SELECT paper FROM paper)
WHERE paper NOT IN (SELECT paper FROM paper) OR paper NOT IN (SELECT paper FROM item);

-- ---- what is missing ----

CREATE TEMP VIEW lacking AS
SELECT item, min(rowid) AS number,
       count(*) || CASE count(*) WHEN 1 THEN ' cell of ' ELSE ' cells of ' END
           || (SELECT group_concat(impl, ', ')
               FROM (SELECT impl FROM lack AS l WHERE l.item = lack.item AND l.why = lack.why GROUP BY impl ORDER BY min(rowid)))
           || ': ' || why AS sentence
FROM lack
GROUP BY item, why
UNION ALL
SELECT item, 1e9, 'other machines have rows: ' || group_concat('`results/' || results || '`', ', ')
FROM elsewhere
GROUP BY item
UNION ALL
SELECT id, 1e9,
       CASE WHEN picture IS NOT NULL THEN 'The picture was not drawn: gnuplot is missing, or the command failed'
            WHEN facts IS NOT NULL THEN 'None of its facts is known of this machine: no GPU, or none that was asked'
            WHEN experiment IS NULL THEN why
            ELSE 'the chart is not drawn: these rows are not enough for it, gnuplot is missing, or it failed' END
FROM item
WHERE CASE WHEN picture IS NOT NULL THEN id NOT IN (SELECT item FROM drawn)
           WHEN facts IS NOT NULL THEN id NOT IN (SELECT item FROM shown)
           WHEN experiment IS NULL THEN 1
           ELSE chart IS NOT NULL AND id IN (SELECT item FROM shown) AND id NOT IN (SELECT item FROM drawn) END;

-- A table or figure with what there is of it; 'is_gone': it was attempted, and nothing is here.
CREATE TEMP VIEW standing AS
SELECT i.rowid AS number, i.id AS item, i.*, s.n_rows, s.rows, s.columns, s.tables, s.caption,
       substr(i.title, 1, instr(i.title || ':', ':') - 1) AS name,
       coalesce(i.picture, i.facts, i.experiment) IS NULL AS is_out,
       coalesce(i.picture, i.facts, i.experiment) IS NOT NULL AND s.item IS NULL AND i.id NOT IN (SELECT item FROM drawn) AS is_gone,
       (SELECT count(*) FROM drawn WHERE drawn.item = i.id) AS n_drawn,
       (SELECT group_concat(sentence, '; ') FROM (SELECT sentence FROM lacking AS l WHERE l.item = i.id ORDER BY l.number)) AS lacks
FROM item AS i
LEFT JOIN shown AS s ON s.item = i.id;

-- ---- verdicts ----

CREATE TEMP VIEW told AS
SELECT v.rowid AS number, v.*, c.place, c.words, c.printed, c.unit, p.paper, look.rowid AS rank, look.merit, look.class, look.sign, look.word, plain.words AS plain
FROM verdict AS v
JOIN claim AS c USING (claim)
JOIN look ON look.verdict = v.verdict
LEFT JOIN paper AS p ON p.claims = c.file
LEFT JOIN plain ON plain.paper = p.paper AND plain.claim = v.claim;

-- By paper, and of all as paper ''.
CREATE TEMP VIEW tally AS
SELECT paper, measured, verdict, rank, class, sign, word, count(*) AS n, sum(far) AS n_far
FROM (SELECT * FROM told UNION ALL SELECT number, claim, measured, verdict, expected, found, reason, far, place, words, printed, unit, '', rank, merit, class, sign, word, plain FROM told)
GROUP BY paper, measured, verdict;

-- Verdicts that stand in one table: those of a place of the paper ("Fig. 1" is in "sect. 5, Fig. 1a", not in "Fig. 10"), those of a paper in
-- plain words, by rows where there is one, and all of a kind.
CREATE TEMP VIEW listed AS
SELECT item.id AS list, told.*
FROM item
JOIN told ON told.paper = item.paper AND told.measured AND (told.place GLOB '*' || item.place || '[^0-9]*' OR told.place GLOB '*' || item.place)
UNION ALL
SELECT paper, told.*
FROM told
WHERE plain IS NOT NULL AND (measured OR claim NOT IN (SELECT claim FROM verdict WHERE measured))
UNION ALL
SELECT printf('%s %d %s', paper, measured, verdict), told.*
FROM told;

CREATE TEMP VIEW outcome AS
SELECT paper.paper, sum(measured) AS n_rows, sum(measured AND verdict IN ('REPRODUCED', 'SHAPE-ONLY')) AS n_held,
       sum(measured AND verdict = 'SHAPE-ONLY') AS n_shape, sum(measured AND verdict = 'CONTRADICTED') AS n_contradicted, sum(far) AS n_far,
       sum(measured AND verdict IN ('SCALED-AGREES', 'SCALED-DIFFERS')) AS n_scaled, sum(measured AND verdict = 'SCALED-AGREES') AS n_agree,
       sum(NOT measured) AS n_printed, sum(NOT measured AND verdict = 'REPRODUCED') AS n_borne, sum(NOT measured AND verdict = 'PAPER-INCONSISTENT') AS n_inconsistent
FROM paper
LEFT JOIN told ON told.paper = paper.paper
GROUP BY paper.paper;
