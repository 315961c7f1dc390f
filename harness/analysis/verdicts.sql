-- verdicts.sql - what claims_report.c says of verdicts: temporary, beside the table 'expected' of schema.sql

CREATE TEMP TABLE claim (
    at INTEGER PRIMARY KEY, -- in the order of the files
    id TEXT NOT NULL UNIQUE,
    place, words, kind, printed, unit, paper,
    "table",                -- NULL: it is no cell of one
    because, hardware
);
CREATE TEMP TABLE verdict (
    claim INTEGER NOT NULL, -- claim.at
    machine TEXT NOT NULL,  -- 'paper': by the papers' own arithmetic
    rank INTEGER NOT NULL,  -- of the verdicts
    verdict, found, value, low, high, reason, scope, device, tolerance_pct,
    is_far INTEGER NOT NULL, -- contradicted by other hardware or inputs than the paper's
    UNIQUE (claim, machine)
);

CREATE TEMP VIEW judged AS
SELECT c.*, v.*, e.verdict AS expected,
       e.verdict IS NOT v.verdict AND (e.verdict IS NOT NULL OR v.machine IN (SELECT source FROM expected)) AS is_unexpected
FROM verdict AS v
JOIN claim AS c ON c.at = v.claim
LEFT JOIN expected AS e ON e.claim = c.id AND e.source = v.machine
ORDER BY v.rowid;

-- Lines for people.  What 'shares' the same text stands in one: cells of a table that are NOT-RUN for one reason.
CREATE TEMP VIEW line AS
SELECT machine, id, "table", printed, found, verdict,
       CASE WHEN verdict <> 'REPRODUCED' OR found = 'no' THEN reason END AS reason,
       CASE WHEN is_unexpected THEN coalesce('expected was ' || expected, 'no verdict is committed for it') END AS deviation,
       CASE WHEN verdict = 'NOT-RUN' AND NOT is_unexpected THEN "table" || ': ' || reason END AS shares
FROM judged;

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
      FROM (SELECT machine, rank, verdict, is_far FROM verdict UNION ALL SELECT NULL, rank, verdict, is_far FROM verdict)
      GROUP BY machine, rank
      ORDER BY machine, rank)
GROUP BY machine;

CREATE TEMP VIEW summary_line AS
SELECT printf('%d cells of tables, %d claims of %d quoted sentences and of figures', count("table"), count(*) - count("table"),
              count(DISTINCT CASE WHEN "table" IS NULL THEN paper || ': ' || words END)) AS cells,
       printf('%d claims, %d verdicts: %s; %d unexpected.', count(*), (SELECT n FROM total WHERE machine IS NULL),
              (SELECT counts FROM total WHERE machine IS NULL), (SELECT sum(is_unexpected) FROM judged)) AS verdicts,
       (SELECT sum(is_unexpected) FROM judged) AS n_unexpected
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
WHERE verdict NOT IN ('REPRODUCED', 'SHAPE-ONLY', 'SCALED-AGREES', 'SCALED-DIFFERS', 'CONTRADICTED', 'PAPER-INCONSISTENT', 'NOT-RUN');
