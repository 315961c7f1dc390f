-- report.sql - what the program tells a page: descriptors, machines, figures, tables.  page.sql has what the page asks.

CREATE TEMP TABLE page (build TEXT, style TEXT, floor_pct REAL);
-- experiments/PAPER/figures.ini: a column for each key that there may be; line: "PATH:LINE"
CREATE TEMP TABLE paper (id TEXT PRIMARY KEY, paper TEXT, line TEXT, "order" REAL, short TEXT, title TEXT, by TEXT, published TEXT, doi TEXT,
                         claims TEXT, says TEXT, claim TEXT, hero TEXT, quick TEXT, fast TEXT, pick TEXT, words TEXT, answer TEXT);
-- "ID: sentence; ID: sentence ..."
CREATE TEMP VIEW plain AS
SELECT paper, line, key AS number, substr(trim(value), 1, instr(trim(value), ': ') - 1) AS claim, substr(trim(value), instr(trim(value), ': ') + 2) AS sentence
FROM paper
JOIN json_each('[' || replace(json_quote(words), '; ', '","') || ']');
CREATE TEMP TABLE item (id TEXT PRIMARY KEY, paper TEXT, line TEXT, title TEXT, what TEXT, lacks TEXT, why TEXT, differs TEXT,
                        alt TEXT, experiment TEXT, chart TEXT, picture TEXT, open INTEGER, compared TEXT, result TEXT);
-- the machines of the page, as they were asked for; 'number' is from 1
CREATE TEMP TABLE machine (number INTEGER PRIMARY KEY, machine TEXT);
CREATE TEMP TABLE figure (machine TEXT, name TEXT, path TEXT, PRIMARY KEY (machine, name));
-- what there is of an item on a machine, and its tables one by one
CREATE TEMP TABLE shown (item TEXT, machine TEXT, head TEXT, fixed TEXT, rows TEXT, columns TEXT, caption TEXT,
                         n_here INTEGER, n_first INTEGER, mixed TEXT, PRIMARY KEY (item, machine)); -- configurations with a row; tables as the paper prints them
CREATE TEMP TABLE tabled (item TEXT, machine TEXT, number INTEGER, n_rows INTEGER, about TEXT, html TEXT, note TEXT);
CREATE TEMP TABLE slower (machine TEXT, html TEXT);
CREATE TEMP TABLE lack (item TEXT, machine TEXT, impl TEXT, why TEXT); -- impl NULL: a column of all of them

-- Faults of the descriptors, a sentence each.
CREATE TEMP VIEW refusal AS
SELECT rowid AS number,
       line || ': expected ' || CASE WHEN title IS NULL THEN 'a title'
                                     WHEN coalesce(chart, picture) IS NOT NULL AND alt IS NULL THEN '''alt'', for those who cannot see its figure'
                                     WHEN paper NOT IN (SELECT paper FROM paper) THEN 'a section [paper] in its file'
                                     WHEN coalesce(experiment, chart, picture, compared, why) IS NULL THEN 'an experiment, a figure, or ''why'' there is none' END
           || ', found none' AS sentence
FROM item
WHERE sentence IS NOT NULL
UNION ALL
SELECT rowid, printf('%s: expected one of its figures, found ''%s''', line, hero)
FROM paper
WHERE hero IS NOT NULL AND NOT EXISTS (SELECT 1 FROM item WHERE instr(', ' || coalesce(picture, chart) || ',', ', ' || hero || ','))
UNION ALL
SELECT number, printf('%s: expected a claim, found ''%s''', line, claim)
FROM plain
WHERE claim NOT IN (SELECT claim FROM claim_verdict)
UNION ALL
SELECT rowid, printf('%s: expected fast = WORDS: key=value;key=value, found ''%s''', line, fast)
FROM paper
WHERE fast NOT GLOB '?*: ?*=?*'
UNION ALL
SELECT rowid, line || ': expected order (a number), short, title, by, published, claims, says and claim in [paper]'
FROM paper
WHERE "order" || short || title || by || published || claims || says || claim IS NULL OR typeof("order") = 'text';
