-- verdicts.sql - verdicts on claims and what is said of them: temporary, beside the table 'expected' of schema.sql

CREATE TEMP TABLE claim (
    at INTEGER PRIMARY KEY, -- in the order of the files
    id TEXT NOT NULL UNIQUE,
    place, words, class, kind, printed, unit, paper,
    "table",                -- NULL: it is no cell of one
    because, hardware, board, session, better, unlike, reading, same_as, rule,
    number, half_unit, about, tol, is_exact, is_truth, is_absolute
);
-- The value of its expression: by printed numbers (machine 'paper'), by the rows of a machine, and by those of a card that was cut; by
-- 'measured' (0) or by its other reading.  The fewest processes behind a time are those of all, and of a CPU's.
CREATE TEMP TABLE found (
    claim INTEGER NOT NULL, -- claim.at
    machine TEXT NOT NULL,
    is_cut INTEGER NOT NULL,
    reading INTEGER NOT NULL,
    value, low, high, n, n_outside, is_single, is_away, is_mixed, is_of_threads, n_targets, n_processes, cpu_processes,
    inputs, -- those that are not the paper's
    scope, device, missing, shown,
    PRIMARY KEY (claim, machine, is_cut, reading)
);
CREATE TEMP TABLE asked (at INTEGER PRIMARY KEY); -- claim.at
CREATE TEMP TABLE verdict ( -- judge.sql
    claim INTEGER NOT NULL,
    machine TEXT NOT NULL,
    rank NOT NULL, verdict NOT NULL, class, why, shown, value, low, high, scope, device, tolerance_pct, is_scaled, is_elsewhere, step, log,
    reason NOT NULL CHECK (reason <> ''),
    UNIQUE (claim, machine)
);

CREATE TEMP VIEW judged AS
SELECT c.id, c.place, c.words, c.kind, c.printed, c.unit, c.paper, c."table", c.because, c.hardware, c.is_truth, c.same_as, c.class AS subject, v.*, v.rowid AS at, e.verdict AS expected,
       CASE WHEN value IS NULL THEN '-' WHEN NOT is_truth THEN short_text(value, 4) ELSE shown END AS found,
       e.verdict IS NOT v.verdict AND (e.verdict IS NOT NULL OR v.machine IN (SELECT source FROM expected)) AS is_unexpected
FROM verdict AS v
JOIN claim AS c ON c.at = v.claim
LEFT JOIN expected AS e ON e.claim = c.id AND e.source = v.machine
ORDER BY v.rowid;

-- Rows that other stores get, by claims_tell().  'subject' is the claim's own class.
CREATE TEMP VIEW claim_verdict AS
SELECT id AS claim, paper, machine, verdict, class, why, value, low, high, found, printed, unit, is_truth, reason, kind, place, words, "table", subject, rank, step,
       same_as, is_elsewhere, expected, is_unexpected
FROM judged;

-- ---- the page: what was found otherwise first, and counts last ----

-- Settings and sizes are counted alone.
CREATE TEMP VIEW parted AS
SELECT j.*, CASE WHEN is_unexpected THEN 0 WHEN class <> 'settings' OR word.rank IN (1, 2, 4, 5) THEN word.part END AS part
FROM judged AS j
JOIN word USING (verdict)
WHERE word.why IS j.why;

-- A sentence of a paper in its words; a cell of a table, and what agrees or has no verdict, by its id.  What lacks one for one reason stands
-- in one line.
CREATE TEMP VIEW entry AS
SELECT machine, part, min(at) AS at,
       '  ' || CASE WHEN part BETWEEN 1 AND 6 AND "table" IS NULL
                    THEN coalesce('"' || words || '"' || x'0a' || '    ' || place, place) || ': ' || reason || x'0a' || '    ' || id
                    ELSE CASE WHEN count(*) = 1 THEN id WHEN count(DISTINCT coalesce("table", id)) = 1 THEN printf('%s: %d cells', "table", count(*))
                              ELSE printf('%s and %d more', id, count(*) - 1) END
                             || CASE WHEN part NOT BETWEEN 7 AND 10 THEN ': ' || reason
                                     WHEN is_truth THEN ': ' || found
                                     ELSE printf(': %s, printed %s %s', found, printed, unit) || CASE WHEN reason LIKE '%; read as %' THEN substr(reason, instr(reason, '; read as '), 1 + instr(substr(reason, instr(reason, '; read as ') + 2) || ';', ';')) ELSE '' END END END
           || CASE WHEN is_unexpected THEN x'0a' || '    ' || verdict || ': ' || coalesce('expected was ' || expected, 'no verdict is committed for it')
                   ELSE '' END AS text
FROM parted
WHERE part IS NOT NULL
GROUP BY machine, part, CASE WHEN part > 10 THEN paper || ': ' || reason ELSE at END;

-- "times and counters, 12 verdicts: 4 holds elsewhere, 5 differs elsewhere, 3 no row (2 no data, 1 not run yet)"; what is counted with
-- another claim is not counted again
CREATE TEMP VIEW total AS
SELECT machine, class,
       printf('%s, %d %s: ', CASE class WHEN 'measured' THEN 'times and counters' WHEN 'values' THEN 'values of outputs' WHEN 'scaled' THEN 'on a cut GPU'
                                        WHEN 'arithmetic' THEN 'the papers'' own arithmetic' ELSE 'settings and sizes' END,
              sum(n), CASE sum(n) WHEN 1 THEN 'verdict' ELSE 'verdicts' END)
           || group_concat(n || ' ' || verdict || CASE WHEN whys <> verdict THEN ' (' || whys || ')' ELSE '' END, ', ') AS text
FROM (SELECT machine, class, rank, verdict, sum(n) AS n, CASE WHEN count(why) > 1 THEN group_concat(n || ' ' || why, ', ') ELSE coalesce(max(why), verdict) END AS whys
      FROM (SELECT machine, class, rank, verdict, why, count(*) AS n
            FROM judged
            WHERE same_as IS NULL
            GROUP BY machine, class, rank, verdict, why
            ORDER BY machine, class, rank, n DESC)
      GROUP BY machine, class, rank, verdict
      ORDER BY machine, class, rank)
GROUP BY machine, class;

CREATE TEMP VIEW page AS
SELECT machine, part, 0 AS at, x'0a' || CASE part WHEN 0 THEN 'These verdicts are not the expected ones'
                                                ELSE upper(substr(word.verdict, 1, 1)) || substr(word.verdict, 2)
                                                         || CASE WHEN word.why <> word.verdict THEN ', ' || word.why ELSE '' END || ': ' || means END
                                     || ' (' || count(*) || ')' AS text, '' AS more, coalesce(colour, 31) AS colour
FROM parted
LEFT JOIN word USING (part)
GROUP BY machine, part
UNION ALL
SELECT machine, part, at, text, '  ', NULL FROM entry
UNION ALL
SELECT machine, 100, 0, x'0a' || 'In all', '', 1 FROM judged GROUP BY machine
UNION ALL
SELECT machine, 100, 1 + instr('measured values scaled arithmetic settings', class), '  ' || text, '  ', NULL FROM total;

CREATE TEMP VIEW summary_line AS
WITH claims AS (
    SELECT class = 'settings' AS is_setting, judged_by IS NOT NULL AS is_judged, CASE WHEN judged_by IS NULL THEN why END AS why, sum(n) AS n
    FROM claim_total
    GROUP BY 1, 2, 3
    ORDER BY n DESC
)
SELECT printf('%d claims, %d verdicts, %d unexpected. %d claims are settings and sizes, %d of them checked.', (SELECT sum(n) FROM claims),
              (SELECT count(*) FROM judged), (SELECT total(is_unexpected) FROM judged), (SELECT total(n) FROM claims WHERE is_setting),
              (SELECT total(n) FROM claims WHERE is_setting AND is_judged))
           || (SELECT printf(' Of the other %d, ', n) || CASE n WHEN n_judged THEN 'all have a verdict' ELSE printf('%d have a verdict and %d none', n_judged, n - n_judged) END
               FROM (SELECT total(n) AS n, total(n * is_judged) AS n_judged FROM claims WHERE NOT is_setting))
           || coalesce(': ' || (SELECT group_concat(n || ' ' || why, ', ') FROM claims WHERE NOT is_setting AND NOT is_judged), '') || '.' AS text;

-- All of it: what was measured stands first.
CREATE TEMP VIEW report AS
WITH shown AS (SELECT * FROM machine UNION ALL SELECT 1e9, 'paper')
SELECT text, more, colour
FROM (SELECT shown.at AS place, -1 AS part, 0 AS at, '==== ' || CASE machine WHEN 'paper' THEN 'The papers'' own arithmetic' ELSE machine END || ' ====' AS text,
             '' AS more, 1 AS colour
      FROM shown
      UNION ALL
      SELECT shown.at, part, page.at, text, more, colour FROM page JOIN shown USING (machine)
      UNION ALL
      SELECT at, 1000, 0, x'0a', '', NULL FROM shown
      UNION ALL
      SELECT 2e9, 0, 0, text, '', 1 FROM summary_line
      ORDER BY place, part, at);

-- The same with all that led to it, of one claim behind the other; 'more' indents what goes on in another line.
CREATE TEMP VIEW explanation AS
SELECT CASE WHEN part = 0 AND claim > (SELECT min(at) FROM asked) THEN x'0a' ELSE '' END || text AS text, more, colour
FROM (SELECT at AS claim,
             0 AS part,
             '    ' AS more,
             1 AS colour,
             printf('%s: %s%s', id, place, x'0a') || coalesce('  "' || words || '"' || x'0a', '') || '  kind ' || kind
                 || coalesce(', printed ' || printed || coalesce(' ' || unit, ''), '') || coalesce(', hardware ' || hardware, '')
                 || coalesce(', scaled to ' || board, '') || coalesce(', rows of ' || session || ' session', '')
                 || CASE WHEN about > 0 THEN printf(', about %g%%', 100 * about) ELSE '' END
                 || CASE WHEN tol > 0 THEN printf(', tolerance %g%%', 100 * tol) ELSE '' END
                 || CASE WHEN is_exact THEN ', printed cells as they stand' ELSE '' END
                 || coalesce(', ' || better || ' is better', '') || coalesce(', counted with ' || same_as, '')
                 || coalesce(x'0a' || '  because ' || because, '') || coalesce(x'0a' || '  not comparable: ' || unlike, '') AS text
      FROM claim
      WHERE at IN (SELECT at FROM asked)
      UNION ALL
      SELECT claim, at, '    ', NULL,
             printf('%s%s%s%s%s', x'0a', CASE machine WHEN 'paper' THEN 'The papers'' own arithmetic' ELSE machine END, x'0a', log, verdict || CASE WHEN why <> verdict THEN ' (' || why || ')' ELSE '' END)
      FROM judged
      UNION ALL
      SELECT claim, at + 0.5, '', NULL, '    ' || reason || coalesce(x'0a' || '    expected: ' || expected, '')
      FROM judged)
ORDER BY claim, part;

CREATE TEMP VIEW csv AS
SELECT id AS claim, place AS "where", words, kind, printed, unit, machine, value, verdict, expected, reason, paper, "table", low,
       high, tolerance_pct, because, scope, hardware, device, class, why, step, same_as
FROM judged;

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
SELECT 4 AS number, 'claim ''' || id || ''': expected another claim for same_as, found ''' || same_as || '''' AS sentence
FROM claim
WHERE same_as NOT IN (SELECT c.id FROM claim AS c WHERE c.same_as IS NULL)
UNION ALL
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
WHERE verdict NOT IN (SELECT verdict FROM word);
