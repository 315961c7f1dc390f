-- judge.sql - the verdict on a claim, :claim, by the papers' own arithmetic or by the rows of a machine, :machine: the ladder of docs/CLAIMS.md
-- What is missing begins with why: 'no data: rocks1L is not here'.
-- 'small': so far do decimal numbers miss in binary.

INSERT OR REPLACE INTO verdict
WITH by_paper AS (
    SELECT *, CASE WHEN value IS NULL THEN 16 WHEN holds OR may AND NOT is_exact THEN 10 ELSE 4 END AS part
    FROM (SELECT *,
                 CASE WHEN is_truth THEN value > 0 ELSE value >= number - slack - small AND value <= number + slack + small END AS holds,
                 CASE WHEN is_truth THEN high > 0 ELSE high >= number - slack - small AND low <= number + slack + small END AS may
          FROM (SELECT *, half_unit + about * abs(number) AS slack, 1e-9 * max(1, abs(number)) AS small
                FROM found
                JOIN claim ON at = claim
                WHERE claim = :claim AND machine = 'paper'))
),
-- What rows are held against.  A claim that does not fit the paper's own numbers has two readings, and either may be the true one.
printed AS (
    SELECT number AS wanted, 'printed' AS by, 0 AS is_other FROM claim WHERE at = :claim
    UNION ALL
    SELECT value, 'by the table', 1 FROM by_paper WHERE part = 4 AND NOT is_truth
),
-- A card that was cut stands for the whole one.  Its tolerance, a quarter, was chosen after first trials.  A power and a count have no
-- rounding.
measured AS (
    SELECT *, share * abs(wanted) + CASE WHEN unit = 'power' OR printed NOT GLOB '*.*' AND unit NOT IN ('ms', 's', 'fps', '%', 'x', 'px', 'MHz', 'GB/s', 'KiB', 'W')
                                             THEN 0 ELSE half_unit END AS slack, 1e-9 * max(1, abs(wanted)) AS small,
           CASE WHEN class <> 'measured' AND (is_of_threads OR inputs IS NOT NULL) THEN 'elsewhere'
                WHEN class = 'values' THEN 'same'
                WHEN is_cut OR is_away AND board = 'counters' THEN 'scaled'
                WHEN is_away THEN 'elsewhere'
                ELSE 'same' END AS work,
           CASE WHEN is_absolute AND unit IS NOT 'power' THEN 5 ELSE 3 END AS least_processes
    FROM (SELECT f.*, c.*, p.*, CASE f.is_cut WHEN 1 THEN 0.25 ELSE c.tol END AS share, w.value AS whole,
                 CASE f.reading WHEN 1 THEN substr(c.reading, 1, instr(c.reading, ': ') - 1) END AS read_as
          FROM (SELECT *, max(is_cut) FROM found WHERE claim = :claim AND machine = :machine AND machine <> 'paper' GROUP BY claim, reading) AS f
          JOIN claim AS c ON c.at = f.claim
          JOIN printed AS p
          LEFT JOIN found AS w ON f.is_cut AND w.claim = f.claim AND w.machine = f.machine AND w.reading = f.reading AND NOT w.is_cut)
),
-- Where each end of the range lies: 7 in the band, 8 on the better side of it, 9 within a factor of two, of a factor between two times also
-- in its logarithm, so that 1.1 is not near 2, and else 10; the decimal says on which side.  A factor in the band is on the printed side of
-- 1, and where the band does not reach 1 nearer to the printed one.
region AS (
    SELECT claim, reading, is_other, count(DISTINCT side) > 1 AS is_across, min(side) AS nearest, CAST(max(CASE column1 WHEN 0 THEN side END) AS INTEGER) AS region
    FROM (SELECT claim, reading, is_other, column1,
                 CASE WHEN is_truth THEN CASE WHEN v > 0 THEN 7 ELSE 10 END
                      WHEN v >= wanted - slack - small AND v <= wanted + slack + small AND is_sided AND (is_near OR abs(wanted - 1) <= slack) THEN 7
                      WHEN better IS CASE WHEN v < wanted THEN 'less' ELSE 'more' END THEN 8
                      ELSE CASE WHEN v / wanted BETWEEN 0.5 AND 2 AND is_near THEN 9 ELSE 10 END + 0.5 * (v > wanted) END AS side
          FROM (SELECT *, unit IS NOT 'x' OR abs(wanted - 1) <= 0.05 OR (v - 1) * (wanted - 1) > 0 AS is_sided,
                       unit IS NOT 'x' OR CASE WHEN wanted > 1 THEN v * v >= wanted AND v <= wanted * wanted
                                                  ELSE wanted < 1 AND v * v <= wanted AND v >= wanted * wanted END AS is_near
                FROM (SELECT *, CASE column1 WHEN 0 THEN value WHEN 1 THEN low ELSE high END AS v FROM measured JOIN (VALUES (0), (1), (2)))))
    GROUP BY claim, reading, is_other
),
outcome AS (
    SELECT *,
           CASE WHEN value IS NULL
                THEN CASE WHEN missing GLOB 'undecided: *' THEN 4
                          WHEN missing GLOB 'other hardware: *' OR missing GLOB 'not run yet: *' AND is_away AND is_absolute THEN 3 -- a row would decide nothing
                          ELSE 1 END
                WHEN apart IS NOT NULL THEN 2
                WHEN is_away AND is_absolute AND work <> 'scaled' THEN 3
                WHEN is_single OR is_few OR is_across THEN 4
                ELSE region END AS step
    FROM (SELECT *, coalesce(cpu_processes < least_processes, 0) AS is_few,
                 coalesce(unlike, CASE WHEN n_targets > 1 AND is_away AND kind IN ('value', 'ratio', 'bound')
                                       THEN 'a GPU''s time by a CPU''s, and neither is the paper''s' END) AS apart
          FROM measured)
    JOIN region USING (claim, reading, is_other)
),
by_rows AS (
    SELECT outcome.*, word.part, min(word.rank * 4 + is_other * 2 + reading)
    FROM outcome
    JOIN word ON word.step = outcome.step AND coalesce(word.work, outcome.work) = outcome.work
        AND (word.step <> 1 OR word.why = substr(missing, 1, instr(missing, ': ') - 1))
    GROUP BY claim
),
banded AS (
    SELECT *,
           CASE WHEN share = 0 AND slack = 0 THEN short_text(wanted, 4)
                ELSE printf('%s to %s', short_text(wanted - slack, 4), short_text(wanted + slack, 4))
                         || CASE WHEN unit IS NOT 'x' OR abs(wanted - 1) <= 0.05 THEN '' WHEN abs(wanted - 1) <= slack THEN ' and on its side of 1'
                                 WHEN (wanted - slack) * (wanted - slack) < wanted AND wanted > 1 OR (wanted + slack) * (wanted + slack) > wanted AND wanted < 1
                                 THEN ' and nearer to it than to 1'
                                 ELSE '' END END AS band
    FROM by_rows
),
told AS (
    SELECT *,
           short_text(value, 4) || CASE WHEN low < high THEN printf(' (%s to %s)', short_text(low, 4), short_text(high, 4)) ELSE '' END
               || CASE WHEN unit IN ('x', 'power', 'setting') THEN '' WHEN unit = '%' THEN ' %' ELSE coalesce(' ' || unit, '') END AS number_found,
           coalesce(CASE WHEN n_processes > 1 THEN printf('; %d processes', n_processes) WHEN n_processes THEN '; 1 process' END, '')
               || CASE WHEN read_as IS NULL THEN '' ELSE '; read as ' || read_as END
               || CASE WHEN is_away THEN '; not ' || substr(ltrim(hardware, '*'), 1, instr(ltrim(hardware, '*') || '*', '*') - 1) ELSE '' END
               || CASE WHEN class = 'measured' THEN '' WHEN inputs IS NOT NULL THEN '; not the paper''s data: ' || inputs
                       WHEN is_of_threads THEN '; the order of threads decides it' ELSE '' END
               || coalesce('; by another rule: ' || rule, '')
               || CASE WHEN is_mixed THEN '; rows of several commits' ELSE '' END
               || CASE WHEN n_outside > 0 THEN printf('; %d of %d rows outside the reference''s scatter', n_outside, n) ELSE '' END
               || CASE WHEN whole IS NULL THEN ''
                       WHEN NOT is_truth THEN '; the whole card: ' || short_text(whole, 4)
                       WHEN whole > 0 THEN '; the whole card: it holds'
                       ELSE '; the whole card: it does not' END AS aside,
           CASE WHEN is_single THEN 'it ran once, and its noise is unknown'
                WHEN is_few THEN printf('%d of the %d processes that a CPU''s %s needs', cpu_processes, least_processes,
                                        CASE least_processes WHEN 5 THEN 'time' ELSE 'part in it' END)
                WHEN is_across AND is_truth THEN 'its range has both answers'
                WHEN is_across THEN 'its range lies across an edge of ' || CASE WHEN nearest < 9 THEN band ELSE printf('half to twice %s', short_text(wanted, 4)) END
           END AS doubt
    FROM banded
),
-- The ten answers, for an explanation; (5) is which reading counts.
answered AS (
    SELECT *,
           CASE WHEN :log IS NOT NULL AND value IS NOT NULL
                THEN printf('  1 a verified row: yes%s  2 comparable: %s%s  3 of hardware that is not here alone: %s%s  4 noise: %s%s  5 reading: %s%s%s  6 work: %s%s',
                            x'0a', coalesce('no: ' || apart, 'yes'), x'0a', CASE WHEN is_away AND is_absolute AND work <> 'scaled' THEN 'yes' ELSE 'no' END, x'0a',
                            coalesce(doubt, 'decided') || CASE n_processes WHEN 1 THEN ', 1 process' ELSE coalesce(', ' || n_processes || ' processes', '') END, x'0a', by, coalesce(', ' || read_as, ''), x'0a', work, x'0a')
                         || CASE WHEN is_truth THEN printf('  7 it holds: %s%s', CASE WHEN value > 0 THEN 'yes' ELSE 'no' END, x'0a')
                                 ELSE printf('  7 in %s: %s%s  8 better: %s%s  9 within a factor of two: %s%s', band, CASE region WHEN 7 THEN 'yes' ELSE 'no' END,
                                             x'0a', CASE WHEN region = 8 THEN 'yes' WHEN better IS NULL THEN 'no side is' ELSE 'no' END, x'0a',
                                             CASE WHEN region IN (7, 9) THEN 'yes' ELSE 'no' END, x'0a') END
                         || printf('  so step %d%s', step, x'0a')
                ELSE '' END AS answers
    FROM told
)
SELECT claim, machine, rank, verdict, CASE class WHEN 'settings' THEN class ELSE 'arithmetic' END,
       why, shown, value, low, high, scope, device, nullif(100 * about, 0), 0, 0, step, :log,
       CASE WHEN value IS NULL THEN substr(missing, instr(missing, ': ') + 2)
            WHEN is_truth AND NOT holds AND part = 10
            THEN printf('the rounding of the printed numbers allows it; as they stand they say otherwise: %s', shown)
            WHEN is_truth
            THEN 'the printed numbers say ' || CASE WHEN NOT holds THEN 'otherwise' WHEN low > 0 THEN 'so' ELSE 'so; their rounding leaves it open' END || ': ' || shown
            ELSE 'the printed numbers give ' || short_text(value, 4)
                     || CASE WHEN holds OR is_exact THEN '' ELSE printf(', with their rounding %s to %s', short_text(low, 4), short_text(high, 4)) END
                     || CASE part WHEN 10 THEN '' ELSE printf('%s the paper says %s', CASE WHEN is_exact THEN ',' ELSE ';' END, printed) END
            END
FROM by_paper
JOIN word USING (part)
WHERE :machine = 'paper'
UNION ALL
SELECT claim, machine, rank, verdict, CASE WHEN word.work = 'scaled' THEN 'scaled' ELSE class END, why, shown, value, low, high, scope, device,
       CASE WHEN NOT is_cut OR kind IN ('value', 'ratio') THEN nullif(100 * share, 0) END,
       is_cut, value IS NOT NULL AND answered.work = 'elsewhere', word.step, :log || answers,
       CASE WHEN value IS NULL THEN substr(missing, instr(missing, ': ') + 2)
            WHEN is_truth
            THEN printf('%s on %s: %s%s%s', CASE word.step WHEN 2 THEN 'not comparable' WHEN 3 THEN 'not judged' WHEN 4 THEN 'undecided' WHEN 7 THEN 'it holds' ELSE 'it does not hold' END,
                        device, shown, CASE word.step WHEN 2 THEN '; ' || apart WHEN 4 THEN '; ' || doubt ELSE '' END, aside)
            ELSE printf('%s on %s, %s %s: %s%s', number_found, device, by, short_text(wanted, 4),
                        CASE word.step WHEN 2 THEN apart
                                       WHEN 3 THEN 'no verdict on an absolute value'
                                       WHEN 4 THEN doubt
                                       WHEN 7 THEN 'within ' || band
                                       ELSE printf('not %s%s%s', CASE WHEN slack > 0 THEN 'within ' ELSE '' END, band,
                                                   CASE word.step WHEN 8 THEN ', and on the better side' WHEN 9 THEN ', within a factor of two' ELSE '' END) END,
                        aside) END
FROM answered
JOIN word USING (part)
