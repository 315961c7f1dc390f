-- verdict_total.sql - the words of verdicts, and verdicts counted; claim_verdict has a row for each claim and each machine that it was judged by

-- The words in the order of pages, findings first.  'step' is that of docs/CLAIMS.md's ladder that ends with it, 'work' whose machine and
-- data it is of; of two readings of a claim the lesser rank counts; 'why', where there is, says why nothing is decided.
CREATE TEMP TABLE word (part INTEGER PRIMARY KEY, step, work, rank, verdict, why, colour, sign, means);
INSERT INTO word
VALUES (1, 10, 'same', 4, 'contradicted on the same work', NULL, 31, '✗', 'the paper''s machine, or a value of the output on its data, says otherwise'),
       (2, 10, 'scaled', 4, 'differs, scaled', NULL, 33, '≇', 'a GPU cut to the size of the paper''s, or what both must execute, says otherwise'),
       (3, 10, 'elsewhere', 4, 'differs elsewhere', NULL, 33, '≠', 'other hardware or other inputs say otherwise'),
       (4, NULL, 'paper', 5, 'contradicts itself', NULL, 35, '⊥', 'the paper''s own printed numbers do not agree, however they were rounded'),
       (5, 9, NULL, 2, 'same direction', NULL, 36, '≈', 'a number out of its band, and within a factor of two'),
       (6, 8, NULL, 1, 'better than printed', NULL, 32, '+', 'a number out of its band on the side that the paper calls better'),
       (7, 7, 'elsewhere', 0, 'holds elsewhere', NULL, 36, '✓', 'on other hardware or inputs than the paper''s'),
       (8, 7, 'scaled', 0, 'holds, scaled', NULL, 32, '✓', 'on a GPU cut to the size of the paper''s, or by what both must execute'),
       (9, 7, 'same', 0, 'holds', NULL, 32, '✓', 'on the paper''s machine, or as a value of the output on its data'),
       (10, 7, 'paper', 0, 'agrees with itself', NULL, 32, '=', 'the paper''s own printed numbers fit it'),
       (11, 4, NULL, 3, 'undecided', 'undecided', 2, '?', 'the noise, or the number of processes, does not tell'),
       (12, 2, NULL, 6, 'not comparable', 'not comparable', 2, '∦', 'both sides do other things'),
       (13, 3, NULL, 7, 'not judged', 'other hardware', 2, '○', 'a time, a rate or a fact of hardware that is not here'),
       (14, 1, NULL, 8, 'no row', 'no data', 2, '○', 'the images are not here'),
       (15, 1, NULL, 8, 'no row', 'not run yet', 2, '○', 'no row is here, and nothing speaks against one'),
       (16, 1, NULL, 8, 'no row', 'cannot be run', 2, '○', 'no verified row comes out, or no row has such a number');

-- 'machine' is a folder of results, or 'paper' for the papers' own arithmetic.  What is counted with another claim is one finding with it.
CREATE TEMP VIEW verdict_total AS
SELECT machine, paper, class, verdict, why, count(*) AS n, rank
FROM claim_verdict
WHERE same_as IS NULL
GROUP BY machine, paper, class, rank, verdict, why;

-- Each claim once: whether anything says something of it, a machine or the paper's own numbers, and else why not.
CREATE TEMP VIEW claim_total AS
WITH one AS (
    SELECT claim, v.paper, coalesce(max(CASE WHEN machine <> 'paper' THEN subject END), max(class)) AS class, sum(v.why IS NULL) AS n_judged,
           sum(v.why IS NULL AND machine <> 'paper') AS n_measured, min(CASE WHEN v.why IS NOT NULL THEN part END) AS part
    FROM claim_verdict AS v
    LEFT JOIN word ON word.why = v.why
    WHERE same_as IS NULL
    GROUP BY claim
)
SELECT paper, class, CASE WHEN n_measured > 0 THEN 'rows' WHEN n_judged > 0 THEN 'arithmetic' END AS judged_by, CASE n_judged WHEN 0 THEN why END AS why,
       count(*) AS n
FROM one
LEFT JOIN word USING (part)
GROUP BY 1, 2, 3, 4;
