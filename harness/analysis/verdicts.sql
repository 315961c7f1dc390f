-- verdicts.sql - verdicts on claims and what is said of them: temporary, beside the table 'expected' of schema.sql

CREATE TEMP TABLE claim (
    at INTEGER PRIMARY KEY, -- in the order of the files
    id TEXT NOT NULL UNIQUE,
    place, words, kind, printed, unit, paper,
    "table",                -- NULL: it is no cell of one
    because, hardware, differs, board,
    number, half_unit, about, tol, is_exact, is_truth, is_absolute
);
-- What its expression came to: by printed numbers (machine 'paper'), by the rows of a machine, and by those of a card that was cut.
CREATE TEMP TABLE found (
    claim INTEGER NOT NULL, -- claim.at
    machine TEXT NOT NULL,
    is_cut INTEGER NOT NULL,
    value, low, high, n, n_outside, is_single, is_away, is_mixed, scope, device, why,
    PRIMARY KEY (claim, machine, is_cut)
);
CREATE TEMP TABLE known (rank INTEGER PRIMARY KEY, verdict TEXT UNIQUE);
INSERT INTO known
VALUES (0, 'REPRODUCED'), (1, 'SHAPE-ONLY'), (2, 'SCALED-AGREES'), (3, 'SCALED-DIFFERS'), (4, 'CONTRADICTED'), (5, 'PAPER-INCONSISTENT'), (6, 'NOT-RUN');
CREATE TEMP TABLE verdict ( -- judge.sql
    claim INTEGER NOT NULL,
    machine TEXT NOT NULL,
    rank, verdict, value, low, high, scope, device, tolerance_pct, is_scaled, is_elsewhere, log, reason,
    UNIQUE (claim, machine)
);

CREATE TEMP VIEW judged AS
SELECT c.id, c.place, c.words, c.kind, c.printed, c.unit, c.paper, c."table", c.because, c.hardware, v.*, v.rowid AS at, e.verdict AS expected,
       CASE WHEN value IS NULL THEN '-' WHEN NOT is_truth THEN short_text(value, 4) WHEN value > 0 THEN 'yes' ELSE 'no' END AS found,
       e.verdict IS NOT v.verdict AND (e.verdict IS NOT NULL OR v.machine IN (SELECT source FROM expected)) AS is_unexpected
FROM verdict AS v
JOIN claim AS c ON c.at = v.claim
LEFT JOIN expected AS e ON e.claim = c.id AND e.source = v.machine
ORDER BY v.rowid;

-- Lines for people.  Cells of a table that are NOT-RUN for one reason stand in one.
CREATE TEMP VIEW line AS
SELECT machine,
       min(at) AS at,
       printf('%-40s %8s %9s  %s', CASE count(*) WHEN 1 THEN id ELSE printf('%s: %d cells', "table", count(*)) END,
              CASE count(*) WHEN 1 THEN printed END, found, verdict)
           || CASE WHEN verdict <> 'REPRODUCED' OR found = 'no' THEN x'0a' || '    ' || reason ELSE '' END
           || CASE WHEN is_unexpected THEN x'0a' || '    ' || coalesce('expected was ' || expected, 'no verdict is committed for it') ELSE '' END AS text
FROM judged
GROUP BY machine, CASE WHEN verdict = 'NOT-RUN' AND NOT is_unexpected THEN coalesce("table" || ': ' || reason, at) ELSE at END;

-- The same with all that led to it, of one claim behind the other; 'more' indents what goes on in another line.
CREATE TEMP VIEW explanation AS
SELECT at AS claim,
       0 AS part,
       '    ' AS more,
       printf('%s: %s%s', id, place, x'0a') || coalesce('  "' || words || '"' || x'0a', '') || '  kind ' || kind
           || coalesce(', printed ' || printed || coalesce(' ' || unit, ''), '') || coalesce(', hardware ' || hardware, '')
           || coalesce(', scaled to ' || board, '') || CASE WHEN about > 0 THEN printf(', about %g%%', 100 * about) ELSE '' END
           || CASE WHEN tol > 0 THEN printf(', tolerance %g%%', 100 * tol) ELSE '' END
           || CASE WHEN is_exact THEN ', printed cells as they stand' ELSE '' END
           || coalesce(x'0a' || '  because ' || because, '') || coalesce(x'0a' || '  ours differs: ' || differs, '') AS text
FROM claim
UNION ALL
SELECT claim, at, '    ',
       printf('%s%s%s%s%s', x'0a', CASE machine WHEN 'paper' THEN 'The papers'' own arithmetic' ELSE machine END, x'0a', log, verdict)
FROM judged
WHERE log IS NOT NULL
UNION ALL
SELECT claim, at + 0.5, '', '    ' || reason || coalesce(x'0a' || '    expected: ' || expected, '')
FROM judged
WHERE log IS NOT NULL;

CREATE TEMP VIEW csv AS
SELECT id AS claim, place AS "where", words, kind, printed, unit, machine, value, verdict, expected, reason, paper, "table", low,
       high, tolerance_pct, because, scope, hardware, device
FROM judged;

-- Of a machine, and of all (NULL).
CREATE TEMP VIEW total AS
SELECT machine,
       sum(n) AS n,
       group_concat(n || ' ' || verdict || CASE WHEN far > 0 THEN ' (' || far || ' by other hardware or inputs)' ELSE '' END, ', ') AS counts
FROM (SELECT machine, rank, verdict, count(*) AS n, sum(is_far) AS far
      FROM (SELECT machine, rank, verdict, verdict = 'CONTRADICTED' AND is_elsewhere AS is_far FROM verdict
            UNION ALL
            SELECT NULL, rank, verdict, verdict = 'CONTRADICTED' AND is_elsewhere FROM verdict)
      GROUP BY machine, rank
      ORDER BY machine, rank)
GROUP BY machine;

CREATE TEMP VIEW page AS
SELECT machine, at, text FROM line
UNION ALL
SELECT m.machine, 1e9, '-> ' || coalesce(counts, '') || x'0a0a'
FROM (SELECT machine FROM total UNION SELECT 'paper') AS m
LEFT JOIN total USING (machine);

CREATE TEMP VIEW summary_line AS
SELECT printf('%d cells of tables, %d claims of %d quoted sentences and of figures', count("table"), count(*) - count("table"),
              count(DISTINCT CASE WHEN "table" IS NULL THEN paper || ': ' || words END)) || x'0a'
           || printf('%d claims, %d verdicts: %s; %d unexpected.', count(*), (SELECT n FROM total WHERE machine IS NULL),
                     (SELECT counts FROM total WHERE machine IS NULL), (SELECT sum(is_unexpected) FROM judged)) AS text
FROM claim;

-- The file of expected verdicts: what is judged now, else what stood there.
CREATE TEMP VIEW expectation AS
SELECT c.at, c.id, s.source, e.verdict AS before,
       CASE WHEN s.source IN (SELECT machine FROM verdict) THEN v.verdict ELSE e.verdict END AS now
FROM claim AS c
CROSS JOIN (SELECT source FROM expected UNION SELECT machine FROM verdict) AS s
LEFT JOIN verdict AS v ON v.claim = c.at AND v.machine = s.source
LEFT JOIN expected AS e ON e.claim = c.id AND e.source = s.source
ORDER BY c.at, s.source <> 'paper', s.source;

CREATE TEMP VIEW expectation_line AS
SELECT '"claim",' || group_concat('"' || source || '"') AS line FROM expectation WHERE at = 0
UNION ALL
SELECT '"' || replace(id, '"', '""') || '",' || group_concat(coalesce('"' || now || '"', '')) FROM expectation GROUP BY at;

CREATE TEMP VIEW refusal AS
SELECT 1 AS number, 'expected verdicts: expected one of the claims, found ''' || claim || ''' (claims --expect writes the file anew)' AS sentence
FROM expected
WHERE claim NOT IN (SELECT id FROM claim)
UNION ALL
SELECT 2, 'expected verdicts: ''' || claim || ''' stands in two lines'
FROM expected
GROUP BY claim, source
HAVING count(*) > 1
UNION ALL
SELECT 3, 'expected verdicts: expected a verdict or nothing, found ''' || verdict || ''''
FROM expected
WHERE verdict NOT IN (SELECT verdict FROM known);
