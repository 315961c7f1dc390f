-- compare.sql - rows of two sides by cell, the verdict on each cell, and what people are told.  The tables 'asked (path, pass, side, name)'
-- and 'rule (floor, fdr, is_all)' say what is compared and how; of the two passes of a comparison in two stages, the second stands for
-- the cells that it has.  docs/REGRESSION.md has the rule.

CREATE TEMP TABLE whole AS
SELECT m.id, s.pass, s.side, m.configuration, coalesce(m.protocol, 'paper') AS protocol, m.results || '/' || m.session AS process,
       m.machine, m.build_hash, m.commit_hash AS "commit", m.host, m.gpu_uuid, m.status, m.reason, m.input_hash, m.output_hash,
       coalesce(CASE WHEN m.status IN ('ok', 'unstable', 'throttled') THEN m.verdict ELSE m.status END, '') AS outcome,
       CASE WHEN m.status = 'ok' AND typeof(m.median_ms) = 'real' AND m.median_ms > 0 THEN m.median_ms END AS ms,
       -- the least difference in ms per frame: 2 us, or two ticks of the device, of what is timed in one stretch
       0.001 * max(2.0, CASE WHEN m.device = 'gpu' THEN coalesce(2 * s.tick_us, 0) ELSE 0 END)
           / max(1.0, coalesce(m.n_frames, 1)
                          * CASE WHEN m.scope = 'kernel' THEN coalesce(m.reps, 1) ELSE 1 END
                          * CASE WHEN m.scope = 'kernel' AND (m.reps > 1 OR m.series IS NOT 'cold')
                                 THEN coalesce(m.n_inputs, 1) ELSE 1 END) AS at_least_ms
FROM (SELECT *, (SELECT max(CAST(text AS REAL))
                 FROM environment AS e
                 WHERE e.results = folder.results AND e.key = 'device_timer_resolution_us') AS tick_us
      FROM asked
      JOIN folder USING (path)) AS s
JOIN measurement AS m ON m.results = s.results
WHERE m.withdrawn IS NULL AND m.stage IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick');

-- ---- cells ----

CREATE TEMP TABLE trait AS
SELECT d.id AS configuration, d.impl, t.key AS place, t.value AS item, substr(t.value, 1, instr(t.value, '=') - 1) AS name
FROM described AS d, json_each('[' || replace(json_quote(d.traits), ';', '","') || ']') AS t
WHERE d.id IN (SELECT configuration FROM whole) AND t.value <> '';

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
      ORDER BY configuration, place)
GROUP BY configuration;

-- But cells of one side that would become one have no counterpart.
UPDATE cell
SET traits = (SELECT traits FROM described WHERE id = configuration)
WHERE traits IN (SELECT traits
                 FROM (SELECT DISTINCT side, configuration FROM whole)
                 JOIN cell USING (configuration)
                 GROUP BY side, traits
                 HAVING count(*) > 1);

CREATE TEMP TABLE run AS
SELECT whole.*, traits || ';profile=' || protocol AS cell, outcome NOT IN ('wrong', 'failed', 'skipped') AS is_good
FROM whole
JOIN cell USING (configuration);

-- What a side says of a cell: one bad run is a bad cell, and tells why.  Hashes that differ between its good runs are NULL.
CREATE TEMP TABLE said AS
SELECT s.*, run.outcome, run.reason
FROM (SELECT pass, cell, side, max(id) AS last, max(is_good) AS is_possible, max(at_least_ms) AS at_least_ms,
             coalesce(min(CASE WHEN NOT is_good THEN id END), max(id)) AS telling, sum(status IN ('unstable', 'throttled')) AS n_unsteady,
             CASE WHEN sum(is_good) = sum(is_good AND input_hash IS NOT NULL) AND count(DISTINCT CASE WHEN is_good THEN input_hash END) = 1
                  THEN max(CASE WHEN is_good THEN input_hash END) END AS input_hash,
             CASE WHEN sum(is_good) = sum(is_good AND output_hash IS NOT NULL) AND count(DISTINCT CASE WHEN is_good THEN output_hash END) = 1
                  THEN max(CASE WHEN is_good THEN output_hash END) END AS output_hash
      FROM run
      GROUP BY pass, cell, side) AS s
JOIN run ON run.id = s.telling;

-- Cells that both sides have and that one of them could do.
CREATE TEMP TABLE pair AS
SELECT b.pass, b.cell, h.last, b.last AS last_of_base, b.n_unsteady + h.n_unsteady AS n_unsteady, max(b.at_least_ms, h.at_least_ms) AS at_least_ms,
       CASE WHEN b.outcome <> '' AND h.outcome <> '' AND b.outcome <> h.outcome
            THEN 'was ' || b.outcome || ', is ' || h.outcome || coalesce(': ' || h.reason, '')
            WHEN b.input_hash <> h.input_hash
            THEN 'its input is another one: ' || h.input_hash || ', was ' || b.input_hash
            WHEN b.output_hash <> h.output_hash
            THEN 'its output is another one: ' || h.output_hash || ', was ' || b.output_hash END AS changed
FROM said AS b
JOIN said AS h ON h.pass = b.pass AND h.cell = b.cell AND b.side = 0 AND h.side = 1
WHERE b.is_possible OR h.is_possible;

-- What a process says of a cell, with the last of its rows that count.
CREATE TEMP TABLE number AS
SELECT cell, side, ms
FROM run
WHERE pass = (SELECT max(pass) FROM pair WHERE pair.cell = run.cell)
  AND id IN (SELECT max(id) FROM run WHERE ms IS NOT NULL GROUP BY pass, side, cell, process);

CREATE TEMP TABLE build AS
SELECT s.pass, s.side, s.name, count(whole.id) AS n_rows,
       min(coalesce(machine, '')) AS machine, max(coalesce(machine, '')) AS other_machine,
       min(coalesce(build_hash, '')) AS build_hash, max(coalesce(build_hash, '')) AS other_hash,
       min(coalesce("commit", '')) AS "commit", max(coalesce("commit", '')) AS other_commit,
       count(DISTINCT process) AS n_runs,
       (SELECT count(*)
        FROM (SELECT side FROM said WHERE said.pass = s.pass GROUP BY cell HAVING count(*) = 1) AS alone
        WHERE alone.side = s.side) AS n_alone
FROM (SELECT DISTINCT pass, side, name FROM asked) AS s
LEFT JOIN whole ON whole.pass = s.pass AND whole.side = s.side
GROUP BY s.pass, s.side
ORDER BY s.pass, s.side;

-- The cells of the first stage, or the only one, as the second has them; 'number' is rowid.
CREATE TEMP TABLE shared AS
SELECT p.cell, p.last, p.last_of_base, p.n_unsteady, p.at_least_ms, coalesce(p.changed, q.changed) AS changed,
       q.cell IS NULL AND (SELECT max(pass) FROM asked) = 2 AS is_stopped,
       (SELECT count(*) = 2 AND min(build_hash) <> '' AND min(build_hash) = max(build_hash) FROM build WHERE pass = 1) AS is_same_program
FROM pair AS p
LEFT JOIN pair AS q ON q.cell = p.cell AND q.pass = 2
WHERE p.pass = 1
ORDER BY p.cell;

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
SELECT 8, printf('expected at most 64 runs a side, found %d', count(*))
FROM number
GROUP BY cell, side
HAVING count(*) > 64
UNION ALL
SELECT 9, printf('expected cells that both sides have, found none: %d in base alone, %d in head alone', a.n_alone, b.n_alone)
FROM build AS a
JOIN build AS b ON b.pass = 1 AND b.side = 1
WHERE a.pass = 1 AND a.side = 0 AND NOT EXISTS (SELECT 1 FROM shared);

-- ---- what people are told ----

CREATE TEMP VIEW found AS
SELECT v.rowid AS place, v.*, s.cell, m.problem, m.plan, m.impl, CASE m.scope WHEN 'end_to_end' THEN 'frame' ELSE m.scope END AS scope, m.series,
       m.input, m.frame_pick AS "case", m.params, b.params AS base_params, c.traits, c.keys,
       CASE WHEN v.verdict <> 'unclear' THEN v.changed
            ELSE CASE WHEN v.n_unsteady > 0 THEN printf('%d runs were unstable or throttled and do not count; ', v.n_unsteady)
                      WHEN n_base < 2 AND n_head < 2 THEN 'one run a side decides nothing; '
                      ELSE '' END
                 || coalesce('about ' || runs_needed, 'more than 64') || ' runs a side would decide' END AS reason
FROM verdict AS v
JOIN shared AS s ON s.rowid = v.number
JOIN measurement AS m ON m.id = s.last
JOIN described AS c ON c.id = m.configuration
JOIN measurement AS b ON b.id = s.last_of_base;

CREATE TEMP VIEW listed AS
SELECT verdict, impl, scope, series, input, "case", params, n_base, n_head, base_ms, head_ms, change,
       CASE WHEN NOT is_same THEN ci_lo END AS ci_lo, CASE WHEN NOT is_same THEN ci_hi END AS ci_hi,
       CASE WHEN NOT is_same THEN confidence END AS confidence, CASE WHEN change IS NOT NULL THEN p END AS p,
       CASE WHEN change IS NOT NULL THEN q END AS q, floor, runs_needed,
       (SELECT "commit" FROM build WHERE pass = 1 AND side = 0) AS base_commit, (SELECT "commit" FROM build WHERE pass = 1 AND side = 1) AS head_commit,
       reason
FROM found
ORDER BY instr('changed-output slower faster unclear same', verdict), number;

-- Descriptors of a second stage: times alone, and keys that both builds know (no copy is one: older ones have no transfer).
CREATE TEMP VIEW descriptor AS
WITH line AS (
    SELECT problem, number, 1 AS part, 0 AS place, printf('%s[cell-%d]%svalues=0', char(10), number, char(10)) AS text
    FROM found
    WHERE goes_on
    UNION ALL
    SELECT problem, number, 2, t.key, replace(t.value, 'mode_name=', 'mode=')
    FROM found, json_each('[' || replace(json_quote(traits), ';', '","') || ']') AS t
    WHERE goes_on AND t.value NOT IN ('', 'transfer=copy')
      AND (NOT instr(';' || keys || ';', ';' || t.value || ';')
           OR instr(';' || params, ';' || substr(t.value, 1, instr(t.value, '='))) AND instr(';' || base_params, ';' || substr(t.value, 1, instr(t.value, '='))))
    UNION ALL
    SELECT problem, number, 3, p.key,
           CASE WHEN p.value LIKE 'precision=%' THEN printf('precision=%.9g%%', 100 * substr(p.value, 11)) ELSE p.value END -- was a share
    FROM found, json_each('[' || replace(json_quote(plan), ';', '","') || ']') AS p
    WHERE goes_on AND p.value <> '' AND p.value NOT LIKE 'laps=%' AND p.value NOT LIKE 'energy=%' AND p.value NOT LIKE 'values=%'
)
SELECT coalesce(problem, '') AS problem,
       printf('; cells whose first runs were apart%s[global]%sproblem=%s%s', char(10), char(10), problem, char(10)) || group_concat(text || char(10), '') AS text
FROM (SELECT * FROM line ORDER BY problem, number, part, place)
GROUP BY problem;

CREATE TEMP VIEW told AS
SELECT found.*, coalesce(impl, '') || ' '
           || replace(traits_told(cell, (SELECT group_concat(cell, char(10)) FROM shared), 0), 'impl=' || impl, '') AS label
FROM found
JOIN rule
WHERE is_all OR verdict <> 'same';

-- Lines, which are wrapped and indented where 'indent' is no NULL; 'line' counts within a part or cell.
CREATE TEMP VIEW page AS
SELECT 1 AS part, side AS cell, 1 AS line, NULL AS indent,
       printf('%s: commit %.7s, build %s, %d run%s', CASE side WHEN 0 THEN 'base' ELSE 'head' END, coalesce(nullif("commit", ''), 'unknown'),
              coalesce(nullif(build_hash, ''), 'unknown'), n_runs, CASE n_runs WHEN 1 THEN '' ELSE 's' END) AS text
FROM build
WHERE pass = 1
UNION ALL
SELECT 2, 0, c.column1, c.column2, CASE c.column1 WHEN 1 THEN 'all cells:' ELSE traits END
FROM (SELECT traits_told(max(cell), group_concat(cell, char(10)), 1) AS traits FROM shared) AS s, (VALUES (1, NULL), (2, '    ')) AS c
WHERE traits <> ''
UNION ALL
SELECT 3, 0, 0, NULL, printf('left out: %d cells of base alone, %d of head alone', a.n_alone, b.n_alone)
FROM build AS a
JOIN build AS b ON b.pass = 1 AND b.side = 1
WHERE a.pass = 1 AND a.side = 0 AND a.n_alone + b.n_alone > 0
UNION ALL
SELECT 4, 0, 0, NULL, printf('These are rows of %d host%s and %d GPU%s: a difference may be theirs.', n_hosts, CASE n_hosts WHEN 1 THEN '' ELSE 's' END,
                             n_gpus, CASE n_gpus WHEN 1 THEN '' ELSE 's' END)
FROM (SELECT count(DISTINCT host) AS n_hosts, count(DISTINCT gpu_uuid) AS n_gpus FROM whole)
WHERE n_hosts > 1 OR n_gpus > 1
UNION ALL
SELECT 5, 0, 0, NULL, 'Both are the same program: there is no difference to look for.'
FROM shared
WHERE shared.rowid = 1 AND is_same_program
UNION ALL
SELECT 6, place, line, indent, text
FROM (SELECT place, 1 AS line, NULL AS indent,
             printf('%-14s %9s %9s %8s  %-17s %5s %7s', verdict, coalesce(short_text(base_ms, 4), '-'), coalesce(short_text(head_ms, 4), '-'),
                    CASE WHEN change IS NULL THEN '-' ELSE printf('%+.1f', 100 * change) END,
                    CASE WHEN NOT is_same AND confidence >= 0.5
                         THEN printf('%+.1f..%+.1f%s', 100 * ci_lo, 100 * ci_hi, CASE WHEN confidence < 0.95 THEN '*' ELSE '' END)
                         ELSE '-' END,
                    n_base || '+' || n_head, CASE WHEN is_same THEN '-' ELSE short_text(q, 2) END) AS text
      FROM told
      UNION ALL SELECT place, 2, '    ', label FROM told
      UNION ALL SELECT place, 3, '    ', reason FROM told WHERE reason IS NOT NULL)
UNION ALL
SELECT 6, 0, c.column1, NULL, c.column2
FROM (VALUES (1, ''), (2, printf('%-14s %9s %9s %8s  %-17s %5s %7s', 'verdict', 'base ms', 'head ms', 'change %', '95 % interval', 'runs', 'q'))) AS c
WHERE EXISTS (SELECT 1 FROM told)
UNION ALL
SELECT 7, 0, 0, NULL, '* so few runs allow no interval of 95 %: 3 + 3 one of 90 %'
WHERE EXISTS (SELECT 1 FROM told WHERE NOT is_same AND confidence >= 0.5 AND confidence < 0.95)
UNION ALL
SELECT 8, 0, 0, NULL, printf('%s%d cells: %d changed-output, %d slower, %d faster, %d unclear, %d same', char(10), count(*), sum(verdict = 'changed-output'),
                             sum(verdict = 'slower'), sum(verdict = 'faster'), sum(verdict = 'unclear'), sum(verdict = 'same'))
FROM verdict
ORDER BY 1, 2, 3;
