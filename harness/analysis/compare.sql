-- compare.sql - rows of two sides by cell: what runs in them say, and what becomes of it by statistics.  The table 'side' says which
-- results are whose and how they were called; of the two passes of a comparison in two stages, the second stands for the cells that it
-- has.

CREATE TEMP TABLE whole AS
SELECT m.id, s.pass, s.side, m.configuration, coalesce(m.protocol, 'paper') AS protocol, m.results || '/' || m.session AS process,
       CASE WHEN m.status IN ('ok', 'unstable', 'throttled') THEN m.verdict ELSE m.status END AS outcome,
       -- the least difference in ms per frame: 2 us, or two ticks of the device, of what is timed in one stretch
       0.001 * max(2.0, CASE WHEN m.device = 'gpu' THEN coalesce(2 * s.tick_us, 0) ELSE 0 END)
           / max(1.0, coalesce(m.n_frames, 1)
                          * CASE WHEN m.scope = 'kernel' THEN coalesce(m.reps, 1) ELSE 1 END
                          * CASE WHEN m.scope = 'kernel' AND (m.reps > 1 OR m.series IS NOT 'cold')
                                 THEN coalesce(m.n_inputs, 1) ELSE 1 END) AS at_least_ms
FROM (SELECT side.*, (SELECT max(CAST(text AS REAL))
                      FROM environment AS e
                      WHERE e.results = side.results AND e.key = 'device_timer_resolution_us') AS tick_us
      FROM side) AS s
JOIN measurement AS m ON m.results = s.results
WHERE m.withdrawn IS NULL AND m.stage IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick');

CREATE TEMP TABLE trait AS
WITH RECURSIVE split (configuration, impl, item, rest) AS (
    SELECT id, impl, '', traits || ';'
    FROM described
    WHERE id IN (SELECT configuration FROM whole)
    UNION ALL
    SELECT configuration, impl, substr(rest, 1, instr(rest, ';') - 1), substr(rest, instr(rest, ';') + 1)
    FROM split
    WHERE rest <> ''
)
SELECT configuration, impl, item, substr(item, 1, instr(item, '=') - 1) AS name
FROM split
WHERE item <> '';

-- A key of which one side knows nothing, nor this program a default: the cells of that side are what the other's are without it.
CREATE TEMP TABLE odd AS
SELECT impl, name
FROM (SELECT DISTINCT side, impl, name FROM whole JOIN trait USING (configuration)) AS known
WHERE name NOT IN ('threads', 'transfer', 'sms', 'mode_name', 'scope', 'series')
GROUP BY impl, name
HAVING count(*) < (SELECT count(DISTINCT side)
                   FROM whole
                   JOIN configuration AS c ON c.id = whole.configuration
                   WHERE c.impl = known.impl);

CREATE TEMP TABLE cell AS
SELECT configuration, group_concat(item, ';') AS traits
FROM (SELECT configuration, item
      FROM trait
      WHERE NOT EXISTS (SELECT 1 FROM odd WHERE odd.impl = trait.impl AND odd.name = trait.name)
      ORDER BY trait.rowid)
GROUP BY configuration;

CREATE TEMP TABLE run AS
SELECT w.*, cell.traits || ';profile=' || protocol AS cell, coalesce(outcome, '') NOT IN ('wrong', 'failed', 'skipped') AS is_good
FROM whole AS w
JOIN cell USING (configuration);

-- What a side says of a cell: one bad run is a bad cell.  Hashes that differ between its runs are NULL.
CREATE TEMP VIEW said AS
SELECT t.*, coalesce(m.outcome, '') AS outcome, m.reason
FROM (SELECT r.pass, r.cell, r.side, max(r.id) AS last, coalesce(min(CASE WHEN NOT is_good THEN r.id END), max(r.id)) AS telling,
             count(DISTINCT r.configuration) > 1 AS is_ambiguous,
             sum(m.status IN ('unstable', 'throttled')) AS n_unsteady,
             CASE WHEN sum(is_good) = count(CASE WHEN is_good THEN m.input_hash END)
                   AND count(DISTINCT CASE WHEN is_good THEN m.input_hash END) = 1
                  THEN max(CASE WHEN is_good THEN m.input_hash END) END AS input_hash,
             CASE WHEN sum(is_good) = count(CASE WHEN is_good THEN m.output_hash END)
                   AND count(DISTINCT CASE WHEN is_good THEN m.output_hash END) = 1
                  THEN max(CASE WHEN is_good THEN m.output_hash END) END AS output_hash
      FROM run AS r
      JOIN measurement AS m ON m.id = r.id
      GROUP BY r.pass, r.cell, r.side) AS t
JOIN (SELECT run.id, run.outcome, measurement.reason FROM run JOIN measurement USING (id)) AS m ON m.id = t.telling;

-- Cells that both sides have and that one of them could do.
CREATE TEMP TABLE pair AS
SELECT b.pass, b.cell, h.last, b.last AS last_of_base, b.is_ambiguous OR h.is_ambiguous AS is_ambiguous, b.n_unsteady + h.n_unsteady AS n_unsteady,
       max(this.at_least_ms, other.at_least_ms) AS at_least_ms,
       CASE WHEN b.outcome <> '' AND h.outcome <> '' AND b.outcome <> h.outcome
            THEN 'was ' || b.outcome || ', is ' || h.outcome || coalesce(': ' || h.reason, '')
            WHEN b.input_hash <> h.input_hash
            THEN 'its input is another one: ' || h.input_hash || ', was ' || b.input_hash
            WHEN b.output_hash <> h.output_hash
            THEN 'its output is another one: ' || h.output_hash || ', was ' || b.output_hash END AS changed
FROM said AS b
JOIN said AS h ON h.pass = b.pass AND h.cell = b.cell AND b.side = 0 AND h.side = 1
JOIN run AS this ON this.id = h.last
JOIN run AS other ON other.id = b.last
WHERE this.is_good OR other.is_good;

-- What a process says of a cell, with the last of its rows.
CREATE TEMP TABLE number AS
SELECT r.cell, r.side, m.median_ms AS ms
FROM run AS r
JOIN measurement AS m USING (id)
WHERE r.pass = (SELECT max(pass) FROM pair WHERE pair.cell = r.cell AND NOT is_ambiguous)
  AND r.id IN (SELECT max(run.id)
               FROM run
               JOIN measurement USING (id)
               WHERE status = 'ok' AND typeof(median_ms) = 'real' AND median_ms > 0
               GROUP BY run.pass, run.side, run.cell, process)
ORDER BY r.cell, r.side, r.id;

-- The cells of the first stage, or the only one, as the second has them; 'number' is rowid.
CREATE TEMP TABLE shared AS
SELECT p.cell, p.is_ambiguous, p.n_unsteady, p.at_least_ms, CASE WHEN NOT p.is_ambiguous THEN coalesce(p.changed, q.changed) END AS changed,
       q.cell IS NULL AND (SELECT max(pass) FROM side) = 2 AS is_stopped,
       m.problem, m.plan, m.impl, CASE m.scope WHEN 'end_to_end' THEN 'frame' ELSE m.scope END AS scope, m.series, m.input, m.frame_pick AS "case",
       m.params, b.params AS base_params, c.batch, c.threads, nullif(c.transfer, 'copy') AS transfer, c.sms, c.mode_name AS mode
FROM pair AS p
LEFT JOIN pair AS q ON q.cell = p.cell AND q.pass = 2
JOIN measurement AS m ON m.id = p.last
JOIN configuration AS c ON c.id = m.configuration
JOIN measurement AS b ON b.id = p.last_of_base
WHERE p.pass = 1
ORDER BY p.cell;

CREATE TEMP TABLE build AS
SELECT s.pass, s.side, s.name, count(whole.id) AS n_rows,
       min(coalesce(m.machine, '')) AS machine, max(coalesce(m.machine, '')) AS other_machine,
       min(coalesce(m.build_hash, '')) AS build_hash, max(coalesce(m.build_hash, '')) AS other_hash,
       min(coalesce(m.commit_hash, '')) AS "commit", max(coalesce(m.commit_hash, '')) AS other_commit,
       (SELECT count(DISTINCT m.gpu_uuid) FROM whole JOIN measurement AS m USING (id)) AS n_gpus,
       (SELECT count(DISTINCT m.host) FROM whole JOIN measurement AS m USING (id)) AS n_hosts,
       (SELECT count(DISTINCT m.results || '/' || m.session)
        FROM side
        JOIN measurement AS m USING (results)
        WHERE side.pass = s.pass AND side.side = s.side AND m.withdrawn IS NULL) AS n_runs,
       (SELECT count(*) = 2 AND min(b.build_hash) <> '' AND min(b.build_hash) = max(b.build_hash)
        FROM (SELECT min(coalesce(m.build_hash, '')) AS build_hash
              FROM whole
              JOIN measurement AS m USING (id)
              WHERE whole.pass = 1
              GROUP BY whole.side) AS b) AS is_same,
       (SELECT count(*)
        FROM (SELECT side FROM said WHERE said.pass = s.pass GROUP BY cell HAVING count(*) = 1) AS alone
        WHERE alone.side = s.side) AS n_alone
FROM (SELECT DISTINCT pass, side, name FROM side) AS s
LEFT JOIN whole ON whole.pass = s.pass AND whole.side = s.side
LEFT JOIN measurement AS m ON m.id = whole.id
GROUP BY s.pass, s.side
ORDER BY s.pass, s.side;

-- One build and one machine a side, and something to compare: what is not so, a sentence each.
CREATE TEMP VIEW refusal AS
SELECT 2 * pass + side AS number, printf('%.200s: expected rows of whole runs of a release build, found none', name) AS sentence
FROM build
WHERE n_rows = 0
UNION ALL
SELECT 2 * pass + side, printf('%.200s: expected rows of one machine, found %s and %s', name, machine, other_machine)
FROM build
WHERE machine <> other_machine
UNION ALL
SELECT 2 * pass + side, printf('%.200s: expected rows of one build, found commits %.7s and %.7s (build_hash %s and %s)', name, "commit", other_commit,
                               build_hash, other_hash)
FROM build
WHERE build_hash <> other_hash
UNION ALL
SELECT 2 * b.pass + b.side, printf('expected two builds on one machine, found results of %s and of %s', a.machine, b.machine)
FROM build AS a
JOIN build AS b ON b.machine <> a.machine AND b.machine <> ''
WHERE a.pass = 1 AND a.side = 0 AND a.machine <> ''
UNION ALL
SELECT 2 * b.pass + b.side, printf('expected both stages of one build, found %s in %.150s and %s in %.150s', a.build_hash, a.name, b.build_hash, b.name)
FROM build AS a
JOIN build AS b ON b.side = a.side AND b.pass = 2 AND b.build_hash <> a.build_hash AND b.build_hash <> ''
WHERE a.pass = 1 AND a.build_hash <> ''
UNION ALL
SELECT 9, printf('expected cells that both sides have, found none: %d in base alone, %d in head alone', a.n_alone, b.n_alone)
FROM build AS a
JOIN build AS b ON b.pass = 1 AND b.side = 1
WHERE a.pass = 1 AND a.side = 0 AND NOT EXISTS (SELECT 1 FROM shared);

-- What statistics say.
CREATE TEMP TABLE judged (
    number INTEGER PRIMARY KEY, -- of the shared cell
    place INTEGER,              -- of the verdict: the worst are first
    n_base INTEGER,
    n_head INTEGER,
    base_ms REAL,
    head_ms REAL,
    change REAL,
    ci_lo REAL,
    ci_hi REAL,
    confidence REAL,
    p REAL,
    q REAL,
    floor REAL,
    runs_needed REAL,
    goes_on INTEGER, -- the first stage lets it
    most INTEGER,    -- runs a side of which there may be
    verdict TEXT
);

-- And what people are told.
CREATE TEMP VIEW found AS
SELECT j.*, s.*,
       CASE WHEN verdict <> 'unclear' THEN changed
            WHEN is_ambiguous THEN 'several cells of one side look the same to the other, which lacks a key'
            ELSE CASE WHEN n_unsteady > 0 THEN printf('%d runs were unstable or throttled and do not count; ', n_unsteady)
                      WHEN n_base < 2 AND n_head < 2 THEN 'one run a side decides nothing; '
                      ELSE '' END
                 || CASE WHEN runs_needed IS NULL THEN printf('more than %d runs a side would decide', most)
                         ELSE printf('about %d runs a side would decide', runs_needed) END END AS reason
FROM judged AS j
JOIN shared AS s ON s.rowid = j.number;

CREATE TEMP VIEW listed AS
SELECT verdict, impl, scope, series, input, "case", params, n_base, n_head, base_ms, head_ms, change, ci_lo, ci_hi, confidence, p, q, floor, runs_needed,
       (SELECT "commit" FROM build WHERE pass = 1 AND side = 0) AS base_commit, (SELECT "commit" FROM build WHERE pass = 1 AND side = 1) AS head_commit,
       reason
FROM found
ORDER BY place, number;

-- Descriptors of a second stage: keys that both builds know; a precision is a share in rows and a percentage there; times alone.
CREATE TEMP VIEW descriptor AS
WITH RECURSIVE split (number, depth, item, rest) AS (
    SELECT number, 0, '', coalesce(params || ';', '') || '|;' || coalesce(plan || ';', '')
    FROM found
    WHERE goes_on
    UNION ALL
    SELECT number, depth + 1, substr(rest, 1, instr(rest, ';') - 1), substr(rest, instr(rest, ';') + 1)
    FROM split
    WHERE rest <> ''
),
line AS (
    SELECT s.number, s.depth, s.item, substr(s.item, 1, instr(s.item || '=', '=') - 1) AS key,
           s.depth > (SELECT depth FROM split AS bar WHERE bar.number = s.number AND bar.item = '|') AS is_plan
    FROM split AS s
    WHERE s.item NOT IN ('', '|')
),
section AS (
    SELECT problem, number,
           printf('%s[cell-%d]%s', char(10), number, char(10)) || coalesce('impl=' || impl || char(10), '') || coalesce('input=' || input || char(10), '')
           || coalesce('case=' || "case" || char(10), '') || coalesce('batch=' || batch || char(10), '')
           || coalesce('threads=' || threads || char(10), '') || coalesce('transfer=' || transfer || char(10), '')
           || coalesce('sms=' || sms || char(10), '') || coalesce('mode=' || mode || char(10), '')
           || coalesce('scope=' || scope || char(10), '') || coalesce('series=' || series || char(10), '')
           || coalesce((SELECT group_concat(CASE WHEN is_plan AND key = 'precision' THEN printf('precision=%.9g%%', 100 * substr(item, 11)) ELSE item END, char(10))
                        FROM (SELECT *
                              FROM line
                              WHERE line.number = found.number
                                AND CASE WHEN is_plan THEN key NOT IN ('laps', 'values', 'energy') ELSE instr(';' || base_params, ';' || key || '=') END
                              ORDER BY depth)) || char(10), '')
           || 'values=0' || char(10) AS text
    FROM found
    WHERE goes_on
    ORDER BY number
)
SELECT coalesce(problem, '') AS problem, '; cells whose first runs were apart' || char(10) || '[global]' || char(10) || 'problem=' || problem || char(10)
       || group_concat(text, '') AS text
FROM section
GROUP BY problem;
