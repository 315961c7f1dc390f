-- page.sql - what report.html asks of the machines, papers, figures and verdicts that report.sql's tables and claim_verdict have

-- The coverage of a table or figure of the paper, and its place, by which claims name it, "Fig. 9" of "Fig. 9: time by column height"; they name no picture.
ALTER TABLE item ADD COLUMN coverage;
ALTER TABLE item ADD COLUMN place;
UPDATE item
SET coverage = CASE WHEN why IS NOT NULL THEN 'missing' WHEN lacks IS NOT NULL THEN 'in part' ELSE 'here' END
WHERE title GLOB 'Table [0-9]*:*' OR title GLOB 'Fig. [0-9]*:*';
UPDATE item SET place = substr(title, 1, instr(title, ':') - 1) WHERE coverage <> 'missing' AND picture IS NULL;

-- Classes of claims, in the order of docs/CLAIMS.md.
CREATE TEMP TABLE subject AS
SELECT column1 AS of_class FROM (VALUES ('measured'), ('scaled'), ('values'), ('arithmetic'), ('settings'));

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
SELECT number, m.machine, coalesce(gpu, cpu, m.machine) AS name, gpu,
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
SELECT CASE count(*) WHEN 1 THEN 'One paper' WHEN 2 THEN 'Two papers' WHEN 3 THEN 'Three papers' WHEN 4 THEN 'Four papers' ELSE count(*) || ' papers' END || ', measured again on '
           || (SELECT group_concat(name, ' and ') FROM (SELECT coalesce(gpu, processors, name) AS name FROM known ORDER BY number)) AS text
FROM paper;

-- ---- tables and figures ----

-- Those of a list "rdp-fig9, rdp-fig9-scene" that are there.
CREATE TEMP TABLE drawn AS
SELECT item.id AS item, machine, name, path, instr(', ' || coalesce(picture, chart) || ',', ', ' || name || ',') AS at
FROM item
JOIN figure
WHERE at > 0 AND (picture IS NOT NULL OR item.id || machine IN (SELECT item || machine FROM shown));

-- The pictures of the first screen, each on the page once.
CREATE TEMP TABLE first AS
SELECT paper.paper, item, machine, name, path, alt, min(number)
FROM paper
JOIN drawn ON name = hero AND path GLOB '*.png'
JOIN item ON item.id = drawn.item
JOIN machine USING (machine)
GROUP BY hero
ORDER BY "order";

-- Drawings with what the page says of them.  An SVG becomes a part of it, from behind "<svg", under ids of its own and without title, caption and
-- style, which all share; so the page says its caption, and the rest is seen alone.
CREATE TEMP TABLE inlined AS
SELECT drawn.*, first.path IS NOT NULL AS is_first, note, style,
       replace(replace(replace(replace(replace(replace(substr(text, start, about - start) || substr(text, instr(text, '</style>') + 8), 'viewBox=', 'data-all='),
                                       'data-body=', 'viewBox='), ' id="', ' data-id="'), ' id=''', ' id=''' || prefix), 'href=''#', 'href=''#' || prefix),
               'url(#', 'url(#' || prefix) AS svg
FROM drawn
LEFT JOIN first USING (machine, name, path)
LEFT JOIN (SELECT path, text, instr(text, '<svg') + 4 AS start, instr(text, '<title>') AS about, printf('f%d-', number) AS prefix,
                  substr(text, instr(text, '<desc>') + 6, instr(text, '</desc>') - instr(text, '<desc>') - 6) AS note,
                  substr(text, instr(text, '<style>') + 7, instr(text, '</style>') - instr(text, '<style>') - 7) AS style
           FROM (SELECT path, rowid AS number, drawing(path) AS text FROM figure WHERE path GLOB '*.svg')) USING (path);

CREATE TEMP VIEW gap AS
SELECT item, machine, min(rowid) AS number,
       coalesce(count(*) || CASE count(*) WHEN 1 THEN ' configuration of ' ELSE ' configurations of ' END || replace(group_concat(DISTINCT impl), ',', ', ') || ': ', '') || why AS sentence
FROM lack
GROUP BY item, machine, why
UNION ALL
SELECT i.id, m.machine, 1e9, 'it is not drawn: gnuplot is missing, or these rows, or for a picture the program''s commit'
FROM item AS i
JOIN machine AS m
WHERE i.id || m.machine NOT IN (SELECT item || machine FROM drawn)
  AND (i.picture IS NOT NULL OR i.chart IS NOT NULL AND i.id || m.machine IN (SELECT item || machine FROM shown));

-- The part of an item that a machine has.
CREATE TEMP TABLE holding AS
SELECT m.number AS machine_number, m.machine, i.id AS item, s.head, s.fixed, s.rows, s.columns, s.caption, s.mixed, coalesce(s.n_first, 0) AS n_first,
       s.n_here, (SELECT count(impl) FROM lack AS l WHERE l.item = i.id AND l.machine = m.machine) AS n_lacking,
       s.item IS NOT NULL OR i.id || m.machine IN (SELECT item || machine FROM drawn) AS is_here,
       CASE WHEN s.n_first > 0 THEN s.n_first WHEN s.rows IS NULL THEN 0 ELSE coalesce(i.open, 2) END AS n_open,
       (SELECT count(*) FROM tabled AS t WHERE t.item = i.id AND t.machine = m.machine) AS n_tables,
       (SELECT group_concat(sentence, '; ') FROM (SELECT sentence FROM gap AS g WHERE g.item = i.id AND g.machine = m.machine ORDER BY g.number)) AS gaps
FROM item AS i
JOIN machine AS m
LEFT JOIN shown AS s ON s.item = i.id AND s.machine = m.machine;

-- A table or figure with what there is of it on the best of the machines; a machine that has less than half of the configurations has a part.
-- Its state: all, a part, nothing yet, or nothing on purpose.
CREATE TEMP TABLE standing AS
SELECT *
FROM (SELECT i.rowid AS number, i.id AS item, i.*, substr(i.title, 1, instr(i.title || ':', ':') - 1) AS name, h.*,
             CASE WHEN coalesce(i.picture, i.experiment) IS NULL THEN 'out'
                  WHEN h.n_machines = 0 THEN 'gone'
                  WHEN i.coverage = 'in part' OR h.n_whole = 0 THEN 'part'
                  ELSE 'there' END AS state
      FROM item AS i
      JOIN (SELECT item AS of_item, sum(is_here) AS n_machines,
                   sum(is_here AND NOT (coalesce(n_lacking > n_here, 0) OR coalesce(gaps GLOB '*it is not drawn:*', 0))) AS n_whole,
                   n_here, min(CASE WHEN is_here THEN n_lacking END) AS n_lacking -- both of the machine that lacks least
            FROM holding
            GROUP BY item) AS h ON h.of_item = i.id)
JOIN (SELECT 'there' AS state, '●' AS sign, 'made again' AS means, 'Make it again' AS again
      UNION ALL SELECT 'part', '◐', 'made in part', 'Make it again'
      UNION ALL SELECT 'gone', '○', 'not measured here yet', 'To measure and draw it'
      UNION ALL SELECT 'out', '–', 'not attempted', '') USING (state);

-- The share of a paper that is here; our own figures do not count.
CREATE TEMP VIEW covered AS
SELECT paper, printf('Of its %d tables and figures %d are made again, %d in part.', count(*), sum(state = 'there'), sum(state = 'part')) AS sentence
FROM standing
WHERE coverage IS NOT NULL
GROUP BY paper;

-- ---- verdicts ----

-- Each verdict with its machine's number, 0 for the papers' own arithmetic; a setting is checked, not reproduced.
CREATE TEMP TABLE told AS
SELECT v.claim, p.paper, coalesce(m.number, 0) AS source, v.verdict, v.class AS of_class, v.subject, v.place, v.words,
       replace(replace(v.reason, '<=', '≤'), '>=', '≥') AS reason, v.printed, v.rank, part,
       CASE WHEN v.rank < 2 THEN 'good' WHEN v.rank IN (4, 5) THEN 'bad' ELSE 'open' END AS class, sign,
       CASE WHEN v.subject = 'settings' AND v.rank = 0 THEN 'checked' ELSE v.verdict || CASE WHEN v.why <> v.verdict THEN ', ' || v.why ELSE '' END END AS word,
       v.why IS NULL AS is_judged,
       CASE v.unit WHEN 'x' THEN '×' ELSE v.unit END AS in_unit,
       CASE WHEN v.found <> '-' THEN replace(replace(v.found, '<=', '≤'), '>=', '≥') || CASE WHEN v.is_truth THEN '' ELSE coalesce(char(160) || CASE v.unit WHEN 'x' THEN '×' ELSE v.unit END, '') END END AS found
FROM claim_verdict AS v
JOIN word ON word.verdict = v.verdict AND word.why IS v.why
JOIN paper AS p ON p.claims = v.paper
LEFT JOIN machine AS m ON m.machine = v.machine;

-- A claim stands among those of one verdict: a finding, else what was measured, else the paper's arithmetic, else why there is none.
-- 'at': a group of them, of one verdict and one class.
CREATE TEMP TABLE leading AS
SELECT claim, paper, part, of_class, word, sign, class, found, printed, in_unit,
       printf('%s %d%d%d%02d %s %s', paper, NOT is_judged, part > 4 AND of_class = 'settings', part > 4 AND of_class = 'arithmetic', part, word, of_class) AS at
FROM (SELECT *, min(printf('%02d%d%04d', CASE WHEN part <= 4 THEN part WHEN NOT is_judged THEN 99 WHEN source = 0 THEN 98 ELSE part END, source = 0, source)) AS first
      FROM told
      GROUP BY claim);

-- Each claim once.  A quote that is a part of a sentence says so.
CREATE TEMP TABLE claimed AS
SELECT claim, paper, place, subject, printed, in_unit, min(rowid) AS number,
       CASE WHEN unicode(words) BETWEEN 97 AND 122 THEN '… ' ELSE '' END || rtrim(words, ' ,;:') || CASE WHEN words GLOB '*[.!?]' THEN '' ELSE ' …' END AS quote
FROM told
GROUP BY claim;

-- Claims of a table or figure: "Fig. 1" is in "sect. 5, Fig. 1a", not in "Fig. 10".
CREATE TEMP TABLE about AS
SELECT item.id AS item, c.claim, c.number
FROM item
JOIN claimed AS c ON c.paper = item.paper AND (c.place GLOB '*' || item.place || '[^0-9]*' OR c.place GLOB '*' || item.place);

-- Claims on what is measured, or on values, that rows judge: by the first machine that does.
CREATE TEMP VIEW outcome AS
SELECT *, n_judged - n_held - n_near AS n_differ, n_claims - n_judged AS n_open,
       CASE WHEN n_judged = 0 THEN 'Nothing of it can be judged by what is measured here.'
               WHEN n_judged < 5 OR 2 * n_judged < n_claims THEN printf('Too little of it can be judged here: %d of %d claims.', n_judged, n_claims)
               WHEN n_held >= 0.9 * n_judged THEN 'It holds.'
               WHEN 3 * n_held >= 2 * n_judged THEN 'Most of it holds.'
               WHEN 3 * n_held >= n_judged THEN 'Part of it holds.'
               ELSE 'Most of it does not hold here.' END AS grade
FROM (SELECT p.paper, (SELECT count(*) FROM claimed AS c WHERE c.paper = p.paper AND c.subject <> 'settings') AS n_claims, count(s.claim) AS n_judged,
             coalesce(sum(s.rank < 2), 0) AS n_held, sum(s.rank = 2) AS n_near, sum(s.part = 1) AS n_contradicted
      FROM paper AS p
      LEFT JOIN (SELECT claim, paper, rank, part, min(source) FROM told WHERE source > 0 AND is_judged AND subject <> 'settings' GROUP BY claim) AS s USING (paper)
      GROUP BY p.paper);

-- ---- times ----

-- The least mean of each variant on the input that its paper's 'fast' says, "WORDS: key=value;key=value", of which a variant may lack keys.
CREATE TEMP TABLE fast AS
SELECT p.paper, p.short, p."order", substr(p.fast, 1, instr(p.fast, ': ') - 1) AS work, known.number AS machine_number, known.machine, known.name AS machine_name, m.impl,
       min(m.mean_ms) AS ms,
       CASE WHEN m.device = 'gpu' THEN 'GPU' WHEN m.impl GLOB 'ext/*' THEN '' WHEN m.threads = 1 THEN '1 core' ELSE m.threads || ' cores' END AS on_what
FROM paper AS p
JOIN current AS m
JOIN configuration AS c ON c.id = m.configuration AND c.problem = p.paper AND c.scope = 'kernel' AND c.stage IS NULL AND c.sms IS NULL AND c.batch = 1
JOIN known ON known.machine = m.results
WHERE p.fast IS NOT NULL AND m.mean_ms > 0
  AND NOT EXISTS (SELECT 1
                  FROM json_each('["' || replace(replace(substr(p.fast, instr(p.fast, ': ') + 2), ' ', ''), ';', '","') || '"]') AS wanted
                  WHERE instr(';' || c.traits || ';', ';' || wanted.value || ';') = 0 AND instr(';' || c.traits, ';' || substr(wanted.value, 1, instr(wanted.value, '='))) > 0)
GROUP BY p.paper, known.machine, m.impl;
