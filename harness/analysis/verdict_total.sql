-- verdict_total.sql - verdicts counted; claim_verdict has a row for each claim and each machine that it was judged by

-- 'machine' is a folder of results, or 'paper' for the papers' own arithmetic; 'why' says why there is no verdict.
CREATE TEMP VIEW verdict_total AS
SELECT machine, paper, class, verdict, why, count(*) AS n
FROM claim_verdict
GROUP BY machine, paper, class, rank, why;

-- Each claim once: whether anything says something of it, a machine or the paper's own numbers, and else why not.
CREATE TEMP VIEW claim_total AS
WITH known (rank, why) AS (VALUES (1, 'undecided'), (2, 'no data'), (3, 'cannot be run'), (4, 'not run yet'), (5, 'other hardware')),
one AS (
    SELECT claim, paper, coalesce(max(CASE WHEN machine <> 'paper' THEN subject END), max(class)) AS class, sum(verdict <> 'NOT-RUN') AS n_judged,
           sum(verdict <> 'NOT-RUN' AND machine <> 'paper') AS n_measured, min(known.rank) AS rank
    FROM claim_verdict
    LEFT JOIN known USING (why)
    GROUP BY claim
)
SELECT paper, class, CASE WHEN n_measured > 0 THEN 'rows' WHEN n_judged > 0 THEN 'arithmetic' END AS judged_by, CASE n_judged WHEN 0 THEN why END AS why,
       count(*) AS n
FROM one
LEFT JOIN known USING (rank)
GROUP BY 1, 2, 3, 4;
