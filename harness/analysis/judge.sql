-- judge.sql - the verdict on a claim, :claim, by the papers' own arithmetic or by the rows of a machine, :machine; docs/CLAIMS.md says why.
-- What is missing begins with why: 'no data: rocks1L is not here'.
-- 'small': so far do decimal numbers miss in binary.

INSERT OR REPLACE INTO verdict
WITH by_paper AS (
    SELECT *, CASE WHEN value IS NULL THEN 'NOT-RUN' WHEN holds OR may AND NOT is_exact THEN 'REPRODUCED' ELSE 'PAPER-INCONSISTENT' END AS verdict
    FROM (SELECT *,
                 CASE WHEN is_truth THEN value > 0 ELSE value >= number - slack - small AND value <= number + slack + small END AS holds,
                 CASE WHEN is_truth THEN high > 0 ELSE high >= number - slack - small AND low <= number + slack + small END AS may
          FROM (SELECT *, half_unit + about * abs(number) AS slack, 1e-9 * max(1, abs(number)) AS small
                FROM found
                JOIN claim ON at = claim
                WHERE claim = :claim AND machine = 'paper'))
),
-- What rows are held against.  A claim that does not fit the paper's own numbers has two readings, and either may be the true one.
reading AS (
    SELECT number AS wanted, 'printed' AS reading, 0 AS is_other FROM claim WHERE at = :claim
    UNION ALL
    SELECT value, 'by the paper''s own numbers', 1 FROM by_paper WHERE verdict = 'PAPER-INCONSISTENT' AND NOT is_truth
),
-- A card that was cut stands for the whole one.  Its tolerance, a quarter, was chosen after first trials.
measured AS (
    SELECT *, half_unit + share * abs(wanted) AS slack, 1e-9 * max(1, abs(wanted)) AS small, is_away OR differs IS NOT NULL AS is_elsewhere
    FROM (SELECT f.*, c.*, r.*, CASE f.is_cut WHEN 1 THEN 0.25 ELSE c.tol END AS share, w.value AS whole
          FROM (SELECT *, max(is_cut) FROM found WHERE claim = :claim AND machine = :machine AND machine <> 'paper' GROUP BY claim) AS f
          JOIN claim AS c ON c.at = f.claim
          JOIN reading AS r
          LEFT JOIN found AS w ON f.is_cut AND w.claim = f.claim AND w.machine = f.machine AND NOT w.is_cut)
),
-- An effect that is at most twice and at least half as large: as a number and, of a factor between two times, in its logarithm, so that 1.1
-- is not the shape of 2.
shaped AS (
    SELECT *,
           kind = 'ratio' AND value / wanted BETWEEN 0.5 AND 2
           AND (unit <> 'x' OR CASE WHEN wanted > 1 THEN value * value >= wanted AND value <= wanted * wanted
                                    ELSE wanted < 1 AND value * value <= wanted AND value >= wanted * wanted END) AS is_shape
    FROM measured
),
-- 1.1 is within 20 % of 1.3, and yet another finding: 'is_near'.
outcome AS (
    SELECT *, CASE WHEN is_elsewhere AND is_absolute AND NOT is_cut THEN 'absolute'
                   WHEN is_single THEN 'single'
                   WHEN is_truth THEN CASE WHEN low > 0 THEN 'holds' WHEN high > 0 THEN 'across' ELSE 'fails' END
                   WHEN is_near AND low >= wanted - slack - small AND high <= wanted + slack + small THEN 'holds'
                   WHEN is_near AND high >= wanted - slack - small AND low <= wanted + slack + small AND (is_cut OR NOT (is_elsewhere AND is_shape))
                   THEN 'across'
                   WHEN is_shape THEN 'has shape'
                   ELSE 'fails' END AS outcome
    FROM (SELECT *, kind <> 'ratio' OR is_shape OR abs(wanted - 1) <= slack AS is_near FROM shaped)
),
by_rows AS (
    SELECT *, min(2 * rank + is_other) AS least
    FROM (SELECT *, CASE WHEN value IS NULL OR outcome IN ('absolute', 'single', 'across') THEN 'NOT-RUN'
                         WHEN is_cut THEN CASE outcome WHEN 'holds' THEN 'SCALED-AGREES' ELSE 'SCALED-DIFFERS' END
                         WHEN outcome = 'fails' THEN 'CONTRADICTED'
                         WHEN outcome = 'holds' AND NOT is_elsewhere THEN 'REPRODUCED'
                         ELSE 'SHAPE-ONLY' END AS verdict
          FROM outcome)
    JOIN known USING (verdict)
    WHERE NOT is_other OR rank <= (SELECT rank FROM known WHERE verdict = 'SCALED-AGREES')
    GROUP BY claim
),
said AS (
    SELECT *,
           CASE WHEN verdict <> 'NOT-RUN' THEN NULL
                WHEN value IS NOT NULL AND outcome = 'absolute' THEN CASE WHEN is_away THEN 'other hardware' ELSE 'no data' END
                WHEN value IS NOT NULL THEN 'undecided'
                WHEN missing GLOB 'not run yet: *' AND is_away AND is_absolute THEN 'other hardware' -- a row would decide nothing
                ELSE substr(missing, 1, instr(missing, ': ') - 1) END AS why,
           coalesce(CASE WHEN is_away THEN '; not ' || substr(ltrim(hardware, '*'), 1, instr(ltrim(hardware, '*') || '*', '*') - 1) END, '')
                  || coalesce('; ' || differs, '')
                  || CASE WHEN is_mixed THEN '; rows of several commits' ELSE '' END
                  || CASE WHEN n_outside > 0 THEN printf('; %d of %d rows outside the reference''s scatter', n_outside, n) ELSE '' END
                  || CASE WHEN whole IS NULL THEN ''
                          WHEN NOT is_truth THEN '; the whole card: ' || short_text(whole, 4)
                          WHEN whole > 0 THEN '; the whole card: it holds'
                          ELSE '; the whole card: it does not' END AS aside
    FROM by_rows
)
SELECT claim, machine, known.rank, verdict, CASE class WHEN 'settings' THEN class ELSE 'arithmetic' END,
       nullif(substr(missing, 1, instr(missing, ': ') - 1), ''), shown, value, low, high, scope, device, nullif(100 * about, 0), 0, 0, :log,
       CASE WHEN value IS NULL THEN substr(missing, instr(missing, ': ') + 2)
            WHEN is_truth AND NOT holds AND verdict = 'REPRODUCED'
            THEN printf('the rounding of the printed numbers allows it; as they stand they say otherwise: %s', shown)
            WHEN is_truth
            THEN 'the printed numbers say ' || CASE WHEN NOT holds THEN 'otherwise' WHEN low > 0 THEN 'so' ELSE 'so; their rounding leaves it open' END || ': ' || shown
            ELSE 'the printed numbers give ' || short_text(value, 4)
                     || CASE WHEN holds OR is_exact THEN '' ELSE printf(', with their rounding %s to %s', short_text(low, 4), short_text(high, 4)) END
                     || CASE WHEN verdict = 'REPRODUCED' THEN '' ELSE printf('%s the paper says %s', CASE WHEN is_exact THEN ',' ELSE ';' END, printed) END
            END
FROM by_paper
JOIN known USING (verdict)
WHERE :machine = 'paper'
UNION ALL
SELECT claim, machine, rank, verdict, CASE WHEN verdict GLOB 'SCALED-*' THEN 'scaled' ELSE class END, why, shown, value, low, high, scope, device,
       CASE WHEN NOT is_cut OR kind IN ('value', 'ratio') THEN nullif(100 * share, 0) END,
       is_cut, value IS NOT NULL AND is_elsewhere, :log,
       CASE WHEN value IS NULL THEN substr(missing, instr(missing, ': ') + 2)
            WHEN is_truth
            THEN printf('%s on %s: %s%s%s', CASE WHEN outcome IN ('single', 'across') THEN 'undecided' WHEN value > 0 THEN 'it holds' ELSE 'it does not hold' END,
                        device, shown,
                        CASE outcome WHEN 'absolute' THEN '; no verdict on an absolute bound'
                                     WHEN 'across' THEN ', within the noise'
                                     WHEN 'single' THEN '; single runs, whose noise is unknown, say ' || CASE WHEN value > 0 THEN 'yes' ELSE 'no' END END,
                        aside)
            ELSE printf('%s%s on %s, %s %s: %s%s', short_text(value, 4), CASE outcome WHEN 'absolute' THEN ' ' || unit END, device, reading,
                        short_text(wanted, 4),
                        CASE outcome WHEN 'absolute' THEN 'no verdict on an absolute value'
                                     WHEN 'single' THEN 'undecided, single runs of unknown noise'
                                     WHEN 'across' THEN printf('undecided, the noise spans the edge of %g%%', 100 * share)
                                     ELSE printf('%s%s%s', CASE WHEN outcome = 'holds' THEN '' WHEN value < wanted THEN 'lower, not ' ELSE 'higher, not ' END,
                                                 CASE share WHEN 0 THEN 'the same' ELSE printf('within %g%%', 100 * share) END, CASE outcome WHEN 'has shape' THEN ', but within a factor of 2' END) END,
                        aside) END
FROM said
