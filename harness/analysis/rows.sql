-- rows.sql - what show makes of the rows that select.sql has chosen: temporary, anew for each experiment.  Their columns depend on
-- the experiment, so show_rows.c makes 'raw_row' (the rows in the words of files, in the order of 'id'), 'mean_row' (rows that become
-- one) and 'shown_row' (with what they are worth; 'of_what' their n counts).  A text same_but_... is the same in rows that agree in all keys but some.

-- What several processes that one call started say together, at the place of the row that counts: intervals are of the medians.
CREATE TEMP VIEW IF NOT EXISTS together AS
SELECT p.place,
       count(*) AS n,
       CASE count(min_ms) WHEN count(*) THEN median(min_ms) END AS min_ms,
       CASE count(q1_ms) WHEN count(*) THEN median(q1_ms) END AS q1_ms,
       CASE count(median_ms) WHEN count(*) THEN median(median_ms) END AS median_ms,
       CASE count(q3_ms) WHEN count(*) THEN median(q3_ms) END AS q3_ms,
       CASE count(p95_ms) WHEN count(*) THEN median(p95_ms) END AS p95_ms,
       CASE count(max_ms) WHEN count(*) THEN median(max_ms) END AS max_ms,
       CASE count(mean_ms) WHEN count(*) THEN summary(mean_ms, 6) END AS mean_ms,
       CASE count(mean_ms) WHEN count(*) THEN summary(mean_ms, 7) END AS sd_ms,
       CASE count(median_ms) WHEN count(*) THEN summary(median_ms, 8) END AS ci_lo_ms,
       CASE count(median_ms) WHEN count(*) THEN summary(median_ms, 9) END AS ci_hi_ms,
       CASE count(mean_ms) WHEN count(*) THEN summary(mean_ms, 10) END AS fps
FROM (SELECT s.place, max(p.member) AS member
      FROM selected AS s
      JOIN process AS p ON p.measurement = s.measurement
      GROUP BY s.place, p.run) AS p
JOIN measurement AS m ON m.id = p.member
GROUP BY p.place
HAVING count(*) > 1;

-- Of rows that differ in the keys of 'best' alone (NULL: none are asked for) the fastest, and of those whose interval reaches down to
-- its own the one of the smallest team.  Stages go with their whole.
CREATE TEMP VIEW IF NOT EXISTS timed AS
SELECT id, same_but_best, same_but_lap, coalesce(threads, 0) AS team, median_ms AS median, ci_lo_ms AS low, ci_hi_ms AS high
FROM raw_row
WHERE same_but_best IS NOT NULL AND lap IS NULL AND median_ms IS NOT NULL;

CREATE TEMP VIEW IF NOT EXISTS fastest AS
SELECT same_but_best, id, min(median) AS median, coalesce(high, median) AS bound
FROM timed
GROUP BY same_but_best;

CREATE TEMP VIEW IF NOT EXISTS best_setting AS
SELECT t.id, min(t.team * 1000000 + t.id) AS least
FROM timed AS t
JOIN fastest AS f ON f.same_but_best = t.same_but_best
WHERE t.id = f.id OR t.low <= f.bound
GROUP BY t.same_but_best;

CREATE TEMP VIEW IF NOT EXISTS best_row AS
SELECT *
FROM raw_row
WHERE same_but_lap NOT IN (SELECT same_but_lap FROM timed WHERE id NOT IN (SELECT id FROM best_setting));

-- The mean time of rows that become one, by session, for two sessions may be of two machines: of all good rows of their
-- configurations, as another session may have a newer row of some of them.
CREATE TEMP VIEW IF NOT EXISTS session_time AS
SELECT r.same_but_over, g.session, avg(g.mean_ms) AS ms, count(*) > 1 AS is_of_several
FROM best_row AS r
JOIN selected AS s ON s.place = r.id
JOIN measurement AS m ON m.id = s.measurement
JOIN good AS g ON g.configuration = m.configuration AND g.results = m.results
WHERE g.mean_ms IS NOT NULL
GROUP BY r.same_but_over, g.session
HAVING avg(g.mean_ms) > 0;

-- What a profiler counted.  It is of one frame, or one batch: a row that is a mean over several inputs has none.  Sums are per frame,
-- as times are.
CREATE TEMP VIEW IF NOT EXISTS counted_row AS
SELECT s.place,
       k.utc AS ncu_session,
       k.kernels AS ncu_kernels,
       1.0 * k.launches AS ncu_launches,
       k.kernel AS ncu_kernel,
       k.instructions / f.frames AS ncu_instructions,
       k.dram_bytes / f.frames AS ncu_dram_bytes,
       k.l2_bytes / f.frames AS ncu_l2_bytes,
       k.ipc AS ncu_ipc,
       k.achieved_occupancy_pct AS ncu_achieved_occupancy_pct,
       k.issue_active_pct AS ncu_issue_active_pct,
       k.l1_hit_pct AS ncu_l1_hit_pct,
       k.registers AS ncu_registers,
       k.shared_bytes AS ncu_shared_bytes
FROM selected AS s
JOIN measurement AS m ON m.id = s.measurement
JOIN (SELECT id, 1.0 * max(1, coalesce(n_frames, 1)) AS frames FROM measurement) AS f ON f.id = m.id
JOIN counted AS k ON k.configuration = m.configuration AND k.results = m.results AND k.machine IS m.machine
WHERE m.n_inputs = 1;

-- The line below a figure: distinct texts, 24 of each at most, in the order of the rows.
CREATE TEMP VIEW IF NOT EXISTS caption_text AS
SELECT 1 AS part, '' AS label, machine AS text, id FROM raw_row
UNION ALL SELECT 2, '', cpu, id FROM raw_row WHERE device IS NOT 'gpu' -- a processor is named where it did the work
UNION ALL SELECT 3, '', gpu, id FROM raw_row WHERE device = 'gpu'
UNION ALL SELECT 4, 'SMs ', sms, id FROM raw_row
WHERE device = 'gpu' AND EXISTS (SELECT 1 FROM raw_row WHERE sms < sm_count OR sms IS NOT NULL AND sm_count IS NULL)
UNION ALL SELECT 5, 'mode ', mode_name, id FROM raw_row
UNION ALL SELECT 6, 'commit ', substr("commit", 1, 7), id FROM raw_row
UNION ALL SELECT 7, 'input ', input, id FROM raw_row
UNION ALL SELECT 8, 'scope ', scope, id FROM raw_row
UNION ALL SELECT 9, 'series ', series, id FROM raw_row
UNION ALL SELECT 11, 'profile ', profile, id FROM raw_row;

CREATE TEMP VIEW IF NOT EXISTS caption_listed AS
SELECT part, label, text, min(id) AS first
FROM caption_text
WHERE text IS NOT NULL
GROUP BY part, text;

CREATE TEMP VIEW IF NOT EXISTS caption_part AS
SELECT part,
       label || group_concat(CASE WHEN place <= 24 THEN text END, ', ')
           || CASE WHEN max(place) > 24 THEN ', ...' ELSE '' END
           || CASE WHEN part = 6 AND EXISTS (SELECT 1 FROM raw_row WHERE coalesce(dirty, 0) NOT IN (0, 'no', 'false'))
              THEN ' (dirty)' ELSE '' END AS text
FROM (SELECT l.*, count(*) AS place
      FROM caption_listed AS l
      JOIN caption_listed AS o ON o.part = l.part AND o.first <= l.first
      GROUP BY l.part, l.first
      ORDER BY l.part, l.first)
GROUP BY part
UNION ALL
SELECT 10 + 0.1 * (of_what = ' processes'),
       'n ' || min(n) || CASE WHEN min(n) < max(n) THEN '..' || max(n) ELSE '' END || of_what
FROM shown_row
WHERE n IS NOT NULL
GROUP BY of_what
UNION ALL
SELECT 12, sum(verdict = 'outside') || ' of ' || count(*) || ' rows outside the reference''s scatter'
FROM raw_row
WHERE verdict IN ('outside', 'statistical')
GROUP BY '';

-- One table for people, see pivot.sql.
CREATE TEMP TABLE IF NOT EXISTS entry (
    place INTEGER NOT NULL, -- in the order of our rows, then of the paper's
    row_head,
    column_head,            -- NULL: beside the table
    is_printed INTEGER NOT NULL,
    value,
    other,                  -- the deviation of a mean, the other end of an interval
    n INTEGER               -- of a mean over fewer than others
);
CREATE TEMP TABLE IF NOT EXISTS pivot_row (at INTEGER PRIMARY KEY, head);
CREATE TEMP TABLE IF NOT EXISTS pivot_column (at INTEGER PRIMARY KEY, head, is_printed INTEGER NOT NULL);

-- What stands in each cell: the earliest entry.
CREATE TEMP VIEW IF NOT EXISTS pivot_cell AS
SELECT r.at - 1 AS row_at, c.at AS column_at, r.head AS row_head, c.head AS column_head, c.is_printed, e.value, e.other, e.n,
       min(e.place) AS place
FROM entry AS e
JOIN pivot_row AS r ON r.head = e.row_head
JOIN pivot_column AS c ON c.head IS e.column_head AND c.is_printed = e.is_printed
GROUP BY r.at, c.at;

-- Of how many samples or processes the rows of a table are, and how wide the intervals of their medians, in per cent of these.
CREATE TEMP VIEW IF NOT EXISTS pivot_count AS
SELECT min(n), max(n), of_what, 100 * max(CASE WHEN median_ms > 0 THEN (ci_hi_ms - ci_lo_ms) / median_ms END)
FROM ours
WHERE n IS NOT NULL
GROUP BY of_what
ORDER BY of_what DESC;
