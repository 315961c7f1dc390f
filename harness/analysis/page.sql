-- page.sql - what report.html asks of the machines, papers, figures and verdicts that report.sql's tables and claim_verdict have

-- What there is of a table or figure of the paper, and how claims name it, who know no pictures: "Fig. 9" of "Fig. 9: time by column height".
ALTER TABLE item ADD COLUMN coverage AS (CASE WHEN title GLOB 'Table [0-9]*:*' OR title GLOB 'Fig. [0-9]*:*'
                                              THEN CASE WHEN why IS NOT NULL THEN 'missing' WHEN lacks IS NOT NULL THEN 'in part' ELSE 'here' END END);
ALTER TABLE item ADD COLUMN place AS (CASE WHEN coverage <> 'missing' AND picture IS NULL THEN substr(title, 1, instr(title, ':') - 1) END);

-- Sign and word beside the colour: nobody has to tell colours apart.  Findings come first.
CREATE TEMP TABLE look AS
SELECT column1 AS verdict, column2 AS sign, column3 AS word, column4 AS means, column5 AS brief, lower(column1) AS class
FROM (VALUES
('CONTRADICTED', '✗', 'contradicted', 'what was measured says otherwise', 'it does not hold'),
('PAPER-INCONSISTENT', '≠', 'paper inconsistent', 'the paper''s own printed numbers do not agree with it, however they were rounded', NULL),
('SCALED-DIFFERS', '≇', 'scaled differs',
 'a GPU cut to the size of the paper''s, its times brought to that clock, is more than a quarter off; memory, caches, lanes and CPU do not scale',
 'a GPU cut to the size of the paper''s is more than a quarter off'),
('REPRODUCED', '✓', 'reproduced', 'it holds; a number is within the tolerance that its claim names', 'it holds'),
('SHAPE-ONLY', '≈', 'shape only', 'it holds, on other hardware or inputs than the paper''s; or a ratio is out of tolerance and within a factor of 2',
 'it holds in shape: on other hardware or inputs, or within a factor of 2'),
('SCALED-AGREES', '≅', 'scaled agrees',
 'a GPU cut to the size of the paper''s, its times brought to that clock, is within a quarter; memory, caches, lanes and CPU do not scale',
 'the cut GPU is within a quarter'),
('NOT-RUN', '○', 'no verdict', 'it cannot be judged here; the word says why', NULL));

CREATE TEMP TABLE reason AS
SELECT column1 AS why, column2 AS means
FROM (VALUES
('other hardware', 'an absolute number of another machine'),
('no data', 'its inputs are not here'),
('undecided', 'the noise of the rows is larger than the difference'),
('not run yet', 'a row would decide it, and there is none'),
('cannot be run', 'no row of this program could hold it'));

CREATE TEMP TABLE subject AS
SELECT column1 AS class, column2 AS means
FROM (VALUES
('measured', 'a time, a rate, a counter: what a kernel or an algorithm does'),
('scaled', 'the same of a GPU cut to the size of the paper''s'),
('values', 'quality and counts of the output, on whatever machine'),
('arithmetic', 'printed numbers held against each other'),
('settings', 'settings, sizes and facts of hardware: checked, and not counted as reproduced'));

-- ---- machines ----

CREATE TEMP VIEW recorded AS SELECT * FROM measurement WHERE withdrawn IS NULL;

-- Each fact as the newest session of the machine has it that knows it.
CREATE TEMP TABLE fact AS
SELECT results AS machine, key, text, max(session) AS session
FROM environment
WHERE text <> ''
GROUP BY results, key;

-- A machine in a reader's words; a session may have been given a few of its cores.
CREATE TEMP TABLE known AS
SELECT number, m.machine, folder, coalesce(gpu, cpu, m.machine) AS name, gpu,
       CASE WHEN cores IS NOT NULL THEN cores || CASE cores WHEN 1 THEN ' core' ELSE ' cores' END || coalesce(' of ' || cpu, '') END AS processors,
       (SELECT count(*) FROM recorded WHERE results = m.machine) AS n_rows, (SELECT count(DISTINCT session) FROM recorded WHERE results = m.machine) AS n_sessions,
       (SELECT max(session) FROM recorded WHERE results = m.machine) AS newest
FROM machine AS m
LEFT JOIN (SELECT results AS machine, max(CASE key WHEN 'gpu' THEN nullif(text, '') END) AS gpu,
                  max(CASE key WHEN 'cpu' THEN nullif(replace(replace(text, '(R)', ''), ' Processor', ''), '') END) AS cpu,
                  max(CASE key WHEN 'cores' THEN CAST(text AS INTEGER) END) AS cores
           FROM environment
           GROUP BY results) AS e ON e.machine = m.machine;

CREATE TEMP VIEW heading AS
SELECT CASE n WHEN 1 THEN 'One paper' WHEN 2 THEN 'Two papers' WHEN 3 THEN 'Three papers' ELSE n || ' papers' END || ', measured again on '
           || (SELECT group_concat(name, ' and ') FROM (SELECT coalesce(gpu, processors, name) AS name FROM known ORDER BY number)) AS text
FROM (SELECT count(*) AS n FROM paper);

-- ---- tables and figures ----

-- Of a list "rdp-fig9, rdp-fig9-scene" those that are there.
CREATE TEMP TABLE drawn AS
SELECT item.id AS item, machine, name, path, figure.title, figure.caption, instr(', ' || coalesce(picture, chart) || ',', ', ' || name || ',') AS at
FROM item
JOIN figure
WHERE at > 0 AND (picture IS NOT NULL OR item.id || machine IN (SELECT item || machine FROM shown));

CREATE TEMP VIEW gap AS
SELECT item, machine, min(rowid) AS number,
       coalesce(count(*) || CASE count(*) WHEN 1 THEN ' configuration of ' ELSE ' configurations of ' END || replace(group_concat(DISTINCT impl), ',', ', ') || ': ', '') || why AS sentence
FROM lack
GROUP BY item, machine, why
UNION ALL
SELECT i.id, m.machine, 1e9,
       CASE WHEN i.picture IS NOT NULL AND i.id || m.machine NOT IN (SELECT item || machine FROM drawn) THEN 'the picture was not drawn: gnuplot is missing, the program is of no commit, or the command failed'
            WHEN i.chart IS NOT NULL AND i.id || m.machine IN (SELECT item || machine FROM shown) AND i.id || m.machine NOT IN (SELECT item || machine FROM drawn)
            THEN 'the chart is not drawn: these rows are not enough for it, gnuplot is missing, or it failed' END AS sentence
FROM item AS i
JOIN machine AS m
WHERE sentence IS NOT NULL;

-- What a machine has of an item.
CREATE TEMP TABLE holding AS
SELECT *, coalesce(n_lacking > n_here, 0) OR coalesce(gaps GLOB '*is not drawn:*', 0) AS is_poor
FROM (SELECT m.number AS machine_number, m.machine, i.id AS item, s.head, s.fixed, s.rows, s.columns, s.caption, s.mixed, coalesce(s.n_first, 0) AS n_first,
       s.n_here, (SELECT count(impl) FROM lack AS l WHERE l.item = i.id AND l.machine = m.machine) AS n_lacking,
       s.item IS NOT NULL OR i.id || m.machine IN (SELECT item || machine FROM drawn) AS is_here,
       (SELECT count(*) FROM drawn AS d WHERE d.item = i.id AND d.machine = m.machine) AS n_drawn,
       CASE WHEN s.n_first > 0 THEN 'All rows' WHEN s.rows IS NULL THEN printf('Its %d rows as a table', (SELECT sum(n_rows) FROM tabled AS t WHERE t.item = i.id AND t.machine = m.machine))
            ELSE 'More of it: other inputs, scopes and values' END AS more,
       CASE WHEN s.n_first > 0 THEN s.n_first WHEN s.rows IS NULL THEN 0 ELSE coalesce(i.open, 2) END AS n_open,
       (SELECT count(*) FROM tabled AS t WHERE t.item = i.id AND t.machine = m.machine) AS n_tables,
       (SELECT group_concat(sentence, '; ') FROM (SELECT sentence FROM gap AS g WHERE g.item = i.id AND g.machine = m.machine ORDER BY g.number)) AS gaps
FROM item AS i
JOIN machine AS m
LEFT JOIN shown AS s ON s.item = i.id AND s.machine = m.machine);

-- A table or figure with what there is of it on the best of the machines; a machine that has less than half of the configurations has a part.
-- What there is: all, a part, nothing yet, or nothing on purpose.
CREATE TEMP TABLE standing AS
SELECT *
FROM (SELECT i.rowid AS number, i.id AS item, i.*, substr(i.title, 1, instr(i.title || ':', ':') - 1) AS name,
             trim(substr(i.title, instr(i.title || ':', ':') + 1)) AS topic, h.*,
             CASE WHEN coalesce(i.picture, i.experiment) IS NULL THEN 'out'
                  WHEN h.n_machines = 0 THEN 'gone'
                  WHEN i.coverage = 'in part' OR h.n_whole = 0 THEN 'part'
                  ELSE 'there' END AS state
      FROM item AS i
      JOIN (SELECT item AS of_item, sum(is_here) AS n_machines, sum(is_here AND NOT is_poor) AS n_whole,
                   n_here, min(CASE WHEN is_here THEN n_lacking END) AS n_lacking -- both of the machine that lacks least
            FROM holding
            GROUP BY item) AS h ON h.of_item = i.id)
JOIN (SELECT 'there' AS state, '●' AS sign, 'here' AS means, 'here' AS counts, '' AS how_much, 'Again' AS again
      UNION ALL SELECT 'part', '◐', 'in part', 'in part', 'in part: ', 'Again'
      UNION ALL SELECT 'gone', '○', 'missing', 'missing', 'all of it: ', 'To measure and draw it'
      UNION ALL SELECT 'out', '–', 'not attempted', 'missing', '', '') USING (state);

-- How much there is of what a paper has: our own figures do not count.
CREATE TEMP VIEW covered AS
SELECT paper, printf('Of its %d tables and figures ', sum(n)) || replace(group_concat(n || CASE WHEN counts > first THEN ' ' WHEN n = 1 THEN ' is ' ELSE ' are ' END || counts, '; '), ';', ',') || '.' AS sentence
FROM (SELECT paper, counts, count(*) AS n, (SELECT min(counts) FROM standing AS o WHERE o.paper = s.paper AND o.coverage IS NOT NULL) AS first
      FROM standing AS s
      WHERE coverage IS NOT NULL
      GROUP BY paper, counts)
GROUP BY paper;

-- What is not there, of all tables and figures.
CREATE TEMP VIEW wanting AS
SELECT *, CASE state WHEN 'out' THEN why ELSE coalesce(lacks || coalesce('; ' || gaps, ''), gaps) END AS what_is
FROM (SELECT s.*, p.short, p."order", (SELECT gaps FROM holding AS h WHERE h.item = s.item AND gaps IS NOT NULL ORDER BY NOT is_here, machine_number LIMIT 1) AS gaps
      FROM standing AS s
      JOIN paper AS p USING (paper)
      WHERE state <> 'there');

-- ---- verdicts ----

-- Each verdict with its machine's number, 0 for the papers' own arithmetic; a setting is checked, not reproduced.
CREATE TEMP TABLE told AS
SELECT v.claim, p.paper, p.short, v.machine, coalesce(m.number, 0) AS source, v.verdict, v.class AS of_class, v.subject, v.why, v.is_elsewhere,
       CASE v.verdict WHEN 'CONTRADICTED' THEN v.is_elsewhere END AS far, v.place, v.words, replace(replace(v.reason, '<=', '≤'), '>=', '≥') AS reason, v.printed, v.value, look.rowid AS rank, look.class, sign,
       CASE WHEN v.verdict = 'NOT-RUN' THEN coalesce(v.why, look.word) WHEN v.subject = 'settings' AND v.verdict = 'REPRODUCED' THEN 'checked' ELSE look.word END AS word,
       CASE v.unit WHEN 'x' THEN '×' ELSE v.unit END AS in_unit, v.is_truth,
       CASE WHEN v.found <> '-' THEN replace(replace(v.found, '<=', '≤'), '>=', '≥') || CASE WHEN v.is_truth THEN '' ELSE coalesce(char(160) || CASE v.unit WHEN 'x' THEN '×' ELSE v.unit END, '') END END AS found
FROM claim_verdict AS v
JOIN look USING (verdict)
JOIN paper AS p ON p.claims = v.paper
LEFT JOIN machine AS m ON m.machine = v.machine;

-- The columns of totals: classes, and the machines of each.
CREATE TEMP TABLE counted_by AS
SELECT s.class AS of_class, t.machine, CASE WHEN (SELECT count(DISTINCT o.machine) FROM verdict_total AS o WHERE o.class = s.class) > 1 THEN coalesce(k.name, 'printed numbers') ELSE '' END AS name
FROM subject AS s
JOIN (SELECT DISTINCT class, machine FROM verdict_total) AS t ON t.class = s.class
LEFT JOIN known AS k ON k.machine = t.machine
ORDER BY s.rowid, coalesce(k.number, 0);

-- Of each claim the verdict that it stands among: a finding, else what was measured, else the paper's arithmetic, else why there is none.
CREATE TEMP TABLE leading AS
SELECT claim, paper, rank, of_class, word, sign, t.class,
       printf('%s %d%d%d%02d%02d%02d', paper, rank = 7, rank > 3 AND of_class = 'settings', rank > 3 AND of_class = 'arithmetic', rank, reason.rowid, subject.rowid) AS at
FROM (SELECT *, min(printf('%d%d%04d', CASE WHEN rank <= 3 THEN rank WHEN rank = 7 THEN 9 WHEN source = 0 THEN 8 ELSE rank END, source = 0, source)) AS first
      FROM told
      GROUP BY claim) AS t
LEFT JOIN reason USING (why)
JOIN subject ON subject.class = of_class;

-- Each claim once.  A quote that is a part of a sentence says so.
CREATE TEMP TABLE claimed AS
SELECT claim, paper, short, place, subject, printed, in_unit, plain.words AS plain, min(told.rowid) AS number,
       CASE WHEN unicode(told.words) BETWEEN 97 AND 122 THEN '… ' ELSE '' END || rtrim(told.words, ' ,;:')
           || CASE WHEN told.words GLOB '*[.!?]' THEN '' ELSE ' …' END AS quote
FROM told
LEFT JOIN plain USING (paper, claim)
GROUP BY claim;

-- Claims of a table or figure: "Fig. 1" is in "sect. 5, Fig. 1a", not in "Fig. 10".
CREATE TEMP TABLE about AS
SELECT item.id AS item, c.claim, c.number
FROM item
JOIN claimed AS c ON c.paper = item.paper AND (c.place GLOB '*' || item.place || '[^0-9]*' OR c.place GLOB '*' || item.place);

-- Claims in groups, each of one verdict and one class.
CREATE TEMP TABLE grouped AS
SELECT paper, at, count(*) AS n, of_class, sign, class, CASE rank WHEN 7 THEN 'no verdict: ' ELSE '' END || word AS word, rank <= 2 AS is_open
FROM leading
GROUP BY at;

-- Each claim on what is measured, or on values, that rows judge: by the first machine that does.
CREATE TEMP TABLE settled AS
SELECT claim, paper, verdict, rank, class, sign, word, far, min(source) AS source
FROM told
WHERE source > 0 AND verdict <> 'NOT-RUN' AND subject <> 'settings'
GROUP BY claim;

CREATE TEMP VIEW tally AS
SELECT paper, verdict, rank, class, sign, word, count(*) AS n
FROM settled
GROUP BY paper, verdict;

CREATE TEMP VIEW outcome AS
SELECT *, printf('%s %s %s', CASE WHEN is_few THEN 'Of these' ELSE printf('%d claims can be judged by what was measured:', n_judged) END,
                 CASE n_held WHEN 0 THEN 'none' ELSE n_held END, CASE WHEN n_held < 2 THEN 'holds' ELSE 'hold' END) AS judged,
       CASE WHEN n_judged = 0 THEN 'Nothing of it can be judged by what is measured here.'
            WHEN is_few THEN printf('Too little of it is measured here to say whether it holds: %d of %d claims.', n_judged, n_claims)
            WHEN n_held >= 0.9 * n_judged THEN 'It holds.'
            WHEN 3 * n_held >= 2 * n_judged THEN 'Most of it holds.'
            WHEN 3 * n_held >= n_judged THEN 'Part of it holds.'
            ELSE 'Most of it does not hold here.' END AS grade
FROM (SELECT *, n_judged < 5 OR 2 * n_judged < n_claims AS is_few
      FROM (SELECT p.paper, (SELECT count(*) FROM claimed AS c WHERE c.paper = p.paper AND c.subject <> 'settings') AS n_claims, count(s.claim) AS n_judged,
                   coalesce(sum(s.verdict IN ('REPRODUCED', 'SHAPE-ONLY', 'SCALED-AGREES')), 0) AS n_held, sum(s.verdict = 'SHAPE-ONLY') AS n_shape,
                   sum(s.verdict = 'CONTRADICTED') AS n_contradicted, sum(s.verdict = 'CONTRADICTED' AND far) AS n_far,
                   sum(s.verdict GLOB 'SCALED-*') AS n_scaled, sum(s.verdict = 'SCALED-AGREES') AS n_agree
            FROM paper AS p
            LEFT JOIN settled AS s USING (paper)
            GROUP BY p.paper));

-- The number that stands for a paper, by the first machine that has it.
CREATE TEMP VIEW headline AS
SELECT p.paper, t.claim, coalesce(short_text(CASE WHEN NOT t.is_truth THEN t.value END, 2) || char(160) || coalesce(t.in_unit, ''), t.found) AS found,
       t.printed || coalesce(char(160) || t.in_unit, '') AS printed, t.class, t.sign, t.word, t.far, plain.words,
       min(CASE WHEN t.source > 0 AND t.found IS NOT NULL THEN t.source ELSE 1e9 END) AS least
FROM paper AS p
JOIN told AS t ON t.claim = p.headline
LEFT JOIN plain ON plain.paper = p.paper AND plain.claim = p.headline
GROUP BY p.paper;

CREATE TEMP VIEW hero AS
SELECT p.paper, f.path, i.alt, min(m.number) AS least
FROM paper AS p
JOIN figure AS f ON f.name = p.hero
JOIN machine AS m ON m.machine = f.machine
JOIN item AS i ON i.paper = p.paper AND instr(', ' || coalesce(i.picture, i.chart) || ',', ', ' || p.hero || ',')
GROUP BY p.paper;

-- Machines of an item, those that have something of it first; a picture is the same on all of them.
CREATE TEMP TABLE placed AS
SELECT *
FROM (SELECT h.*, k.name,
             (SELECT count(*) FROM holding AS o
              WHERE o.item = h.item AND (o.is_here > h.is_here OR o.is_here = h.is_here AND o.machine_number <= h.machine_number)) AS nth
      FROM holding AS h
      JOIN known AS k USING (machine))
WHERE nth = 1 OR item NOT IN (SELECT id FROM item WHERE picture IS NOT NULL);
