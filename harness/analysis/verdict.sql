-- verdict.sql - the rule: the tables 'shared' (configurations), 'number' (what a process says of a configuration) and 'rule' become verdicts; all configurations are
-- one family.  docs/REGRESSION.md says how often it is right.

-- Runs a side with which a lone change can be found at all: p of two sides of n that are fully apart is 2 / C(2n, n).
CREATE TEMP TABLE family AS
WITH RECURSIVE apart (n, p) AS (
    SELECT 1, 1.0
    UNION ALL
    SELECT n + 1, p * (n + 1) / (4 * n + 2) FROM apart WHERE n < 64
)
SELECT floor, fdr, n_cells, coalesce(min(n), 64) AS least_runs
FROM rule
JOIN (SELECT count(*) AS n_cells FROM shared)
LEFT JOIN apart ON n >= 8 AND n % 2 = 0 AND p * n_cells <= fdr;

-- A configuration that was verified and never timed is the same.
CREATE TEMP TABLE tested AS
SELECT s.rowid AS number, s.changed, s.n_unsteady, s.is_stopped, s.is_same_program OR count(n.ms) = 0 AND s.n_unsteady = 0 AS is_same,
       sum(n.side IS 0) AS n_base, sum(n.side IS 1) AS n_head, median(CASE n.side WHEN 0 THEN n.ms END) AS base_ms,
       median(CASE n.side WHEN 1 THEN n.ms END) AS head_ms, summary(CASE n.side WHEN 1 THEN n.ms END, 8) AS head_lo_ms,
       summary(CASE n.side WHEN 1 THEN n.ms END, 9) AS head_hi_ms, mann_whitney(n.ms, n.side) AS p, s.at_least_ms,
       ratio_interval(n.ms, n.side, 0) AS ci_lo, ratio_interval(n.ms, n.side, 1) AS ci_hi, ratio_interval(n.ms, n.side, 2) AS confidence,
       -- deviations as shares of the means
       coalesce(summary(CASE n.side WHEN 0 THEN n.ms END, 7) / summary(CASE n.side WHEN 0 THEN n.ms END, 6), 0) AS base_sd,
       coalesce(summary(CASE n.side WHEN 1 THEN n.ms END, 7) / summary(CASE n.side WHEN 1 THEN n.ms END, 6), 0) AS head_sd,
       max(CASE n.side WHEN 0 THEN n.ms END) < min(CASE n.side WHEN 1 THEN n.ms END)
           OR max(CASE n.side WHEN 1 THEN n.ms END) < min(CASE n.side WHEN 0 THEN n.ms END) AS is_apart
FROM shared AS s
LEFT JOIN number AS n USING (cell)
GROUP BY s.rowid;
UPDATE tested SET p = 1 WHERE p IS NULL OR is_stopped OR is_same;
UPDATE tested SET ci_lo = NULL, ci_hi = NULL, confidence = NULL WHERE is_same;

-- Benjamini and Hochberg: of all p as large or larger the least p n / rank.
CREATE TEMP TABLE ranked AS
SELECT p, (SELECT count(*) FROM tested AS t WHERE t.p <= one.p) AS rank
FROM (SELECT DISTINCT p FROM tested) AS one;

CREATE TEMP TABLE verdict AS
WITH discovered AS (
    SELECT t.*, head_ms / base_ms - 1 AS change, max(f.floor, coalesce(at_least_ms / base_ms, 0)) AS floor,
           min(1, (SELECT min(r.p * f.n_cells / r.rank) FROM ranked AS r WHERE r.p >= t.p)) AS q, f.fdr, f.n_cells, f.least_runs
    FROM tested AS t, family AS f
),
judged AS (
    SELECT *, CASE WHEN changed IS NOT NULL THEN 'changed-output'
                   WHEN is_same THEN 'same'
                   WHEN change IS NULL THEN 'unclear'
                   WHEN abs(change) >= floor AND q <= fdr THEN CASE WHEN change > 0 THEN 'slower' ELSE 'faster' END
                   WHEN confidence >= 0.9 AND ci_lo > -floor AND ci_hi < floor THEN 'same' -- 0.9 is what 3 + 3 runs allow
                   ELSE 'unclear' END AS verdict,
           -- the change as a logarithm, near enough, or what is left to the floor; and z of what finds it in four of five cases
           CASE WHEN abs(change) >= floor THEN 2 * abs(change) / (2 + abs(change)) ELSE floor - abs(change) END AS room,
           0.8416 + normal_quantile(CASE WHEN abs(change) >= floor THEN fdr / n_cells ELSE 0.05 END) AS z
    FROM discovered
)
SELECT *, is_apart AND NOT is_same AS goes_on, -- to a second stage
       instr('changed-output slower faster unclear same', verdict) AS place, -- the worst first
       CASE WHEN verdict <> 'unclear' THEN NULL
            WHEN change IS NULL OR n_base + n_head = 2 THEN least_runs
            ELSE (SELECT CASE WHEN n < 64 THEN max(n, least_runs, min(n_base, n_head) + 2) END
                  FROM (SELECT CAST(2 * z * z / (room * room) * ((n_base - 1) * base_sd * base_sd + (n_head - 1) * head_sd * head_sd)
                                        / (n_base + n_head - 2) AS INTEGER) + 1 AS n)) END AS runs_needed
FROM judged;
