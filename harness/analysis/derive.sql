-- derive.sql - done once when 'raw_row' has the rows that [show] makes something of: as texts under the names of their columns, in the
-- order of 'id', with signatures: texts that are the same where rows agree in all keys but some

-- Of rows that differ in the keys of 'best' alone (NULL: none are asked for) the fastest, and of those whose interval reaches down to
-- its own the one of the smallest team.  Stages go with their whole.
CREATE TEMP VIEW IF NOT EXISTS timed AS
SELECT id, same_but_best, same_but_lap, coalesce(CAST(threads AS INTEGER), 0) AS team,
       CAST(median_ms AS REAL) AS median, CAST(ci_lo_ms AS REAL) AS low, CAST(ci_hi_ms AS REAL) AS high
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

DELETE FROM raw_row
WHERE same_but_lap IN (SELECT same_but_lap FROM timed WHERE id NOT IN (SELECT id FROM best_setting));

-- The mean time of rows that become one, by session, for two sessions may be of two machines: of all good rows of their
-- configurations, as another session may have a newer row of some of them.
DROP TABLE IF EXISTS time_in_session;
CREATE TEMP TABLE time_in_session AS
SELECT r.same_but_over, g.session, avg(g.mean_ms) AS ms, count(*) > 1 AS is_of_several
FROM raw_row AS r
JOIN selected AS s
JOIN measurement AS m ON m.id = s.measurement AND m.session = r.session AND m.row_id = r.row_id
JOIN good AS g ON g.configuration = m.configuration AND g.results = m.results
WHERE g.mean_ms IS NOT NULL
GROUP BY r.same_but_over, g.session
HAVING avg(g.mean_ms) > 0;

CREATE INDEX temp.time_of_row ON time_in_session (same_but_over, session);
