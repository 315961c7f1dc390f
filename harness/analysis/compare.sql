-- compare.sql - rows of two sides by configuration: what verdict.sql judges.  The tables 'asked (name, pass, side)' and 'asked_path (pass, side, path)' say
-- what is compared; of the two passes of a comparison in two stages, the second stands for the configurations that it has.  The table 'unrun (side, name,
-- build_hash)' has two commits instead that are one program, of which nothing was run.

CREATE TEMP TABLE whole AS
SELECT m.id, s.pass, s.side, m.configuration, coalesce(m.protocol, 'paper') AS protocol, m.results || '/' || m.session AS process,
       m.machine, m.build_hash, m.commit_hash, m.host, m.gpu_uuid, m.status, m.reason, m.input_hash, m.output_hash, m.realtime, m.device_bytes, m.host_peak_bytes,
       coalesce(CASE WHEN m.status IN ('ok', 'unstable', 'throttled') THEN m.verdict ELSE m.status END, '') AS outcome,
       CASE WHEN m.status = 'ok' AND typeof(m.median_ms) = 'real' AND m.median_ms > 0 THEN m.median_ms END AS ms,
       at_least_ms
FROM (SELECT * FROM asked_path JOIN folder USING (path)) AS s
JOIN measurement AS m ON m.results = s.results
JOIN least ON least.id = m.id
WHERE m.withdrawn IS NULL AND m.stage IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick');

-- Builds that know other keys have these at their defaults: of one thing in two words, the newer words are told.
CREATE TEMP TABLE cell AS
SELECT id AS configuration, printf('%s;%s;%s;%s;%s;%s;%s;%s', config_id, threads, sms, mode_name, scope, series, rank_gpus, rank_hosts) AS same, traits
FROM configuration
WHERE id IN (SELECT configuration FROM whole);
CREATE TEMP TABLE run AS
SELECT whole.*, (SELECT traits || ';protocol=' || protocol || coalesce(';realtime=' || realtime, '')
                 FROM cell AS n
                 WHERE n.same = cell.same
                 ORDER BY configuration DESC
                 LIMIT 1) AS cell, outcome NOT IN ('wrong', 'failed', 'skipped') AS is_good
FROM whole
JOIN cell USING (configuration);

-- A side's word on a configuration: one bad run is a bad configuration, and tells why.  Hashes and memory that differ between its good runs are NULL.
CREATE TEMP TABLE said AS
SELECT s.*, run.outcome, run.reason
FROM (SELECT pass, cell, side, max(id) AS last, max(is_good) AS is_possible, max(at_least_ms) AS at_least_ms,
             coalesce(min(CASE WHEN NOT is_good THEN id END), max(id)) AS telling, sum(status IN ('unstable', 'throttled')) AS n_unsteady,
             CASE WHEN count(DISTINCT CASE WHEN is_good THEN coalesce(input_hash, '') END) = 1 THEN max(CASE WHEN is_good THEN input_hash END) END AS input_hash,
             CASE WHEN count(DISTINCT CASE WHEN is_good THEN coalesce(output_hash, '') END) = 1 THEN max(CASE WHEN is_good THEN output_hash END) END AS output_hash,
             CASE WHEN min(CASE WHEN is_good THEN device_bytes END) = max(CASE WHEN is_good THEN device_bytes END) THEN max(CASE WHEN is_good THEN device_bytes END) END AS device_bytes,
             min(CASE WHEN is_good THEN host_peak_bytes END) AS least_of_host, max(CASE WHEN is_good THEN host_peak_bytes END) AS most_of_host
      FROM run
      GROUP BY pass, cell, side) AS s
JOIN run ON run.id = s.telling;

-- Configurations that both sides have and that one of them could do.
CREATE TEMP TABLE pair AS
SELECT b.pass, b.cell, h.last, b.last AS last_of_base, b.n_unsteady + h.n_unsteady AS n_unsteady, max(b.at_least_ms, h.at_least_ms) AS at_least_ms,
       CASE WHEN b.outcome <> '' AND h.outcome <> '' AND b.outcome <> h.outcome
            THEN 'was ' || b.outcome || ', is ' || h.outcome || coalesce(': ' || h.reason, '')
            WHEN b.input_hash <> h.input_hash
            THEN 'its input is another one: ' || h.input_hash || ', was ' || b.input_hash
            WHEN b.output_hash <> h.output_hash
            THEN 'its output is another one: ' || h.output_hash || ', was ' || b.output_hash END AS changed,
       -- the kernel counts a host's pages roughly: all runs of a side are above all of the other by 1 % and half a MiB
       CASE WHEN b.device_bytes <> h.device_bytes THEN printf('device memory is %s bytes, was %s', h.device_bytes, b.device_bytes)
            WHEN max(h.least_of_host - b.most_of_host, b.least_of_host - h.most_of_host) >= max(0.01 * b.most_of_host, 524288)
            THEN printf('host memory is %s bytes at most, was %s', h.most_of_host, b.most_of_host) END AS memory
FROM said AS b
JOIN said AS h ON h.pass = b.pass AND h.cell = b.cell AND b.side = 0 AND h.side = 1
WHERE b.is_possible OR h.is_possible;

-- A process's number for a configuration, with the last of its rows that count.
CREATE TEMP TABLE number AS
SELECT cell, side, ms
FROM run
WHERE pass = (SELECT max(pass) FROM pair WHERE pair.cell = run.cell)
  AND id IN (SELECT max(id) FROM run WHERE ms IS NOT NULL GROUP BY pass, side, cell, process);

CREATE TEMP TABLE build AS
SELECT side, max(name) AS name, min(coalesce(build_hash, '')) AS build_hash, max(coalesce(build_hash, '')) AS other_hash,
       min(coalesce(commit_hash, '')) AS commit_hash, max(coalesce(commit_hash, '')) AS other_commit,
       count(DISTINCT CASE WHEN pass = 1 THEN process END) AS n_runs
FROM asked
JOIN whole USING (pass, side)
GROUP BY side
UNION ALL
SELECT side, NULL, build_hash, build_hash, name, name, 0
FROM unrun;

CREATE TEMP TABLE alone AS
SELECT total(side = 0) AS n_base, total(side = 1) AS n_head
FROM (SELECT side FROM said WHERE pass = 1 GROUP BY cell HAVING count(*) = 1);

-- The configurations of the first stage, or the only one, as the second has them; 'number' is rowid.
CREATE TEMP TABLE shared AS
SELECT p.cell, p.last, p.last_of_base, p.n_unsteady, p.at_least_ms, coalesce(p.changed, q.changed) AS changed, coalesce(q.memory, p.memory) AS memory,
       q.cell IS NULL AND (SELECT max(pass) FROM asked) = 2 AS is_stopped,
       (SELECT min(build_hash) <> '' AND min(build_hash) = max(build_hash) FROM build) AS is_same_program
FROM pair AS p
LEFT JOIN pair AS q ON q.cell = p.cell AND q.pass = 2
WHERE p.pass = 1
ORDER BY p.cell;

-- One build a side, one machine, and something to compare: what is not so, a sentence each.
CREATE TEMP VIEW refusal AS
SELECT 1 AS number, printf('%.200s: expected rows of whole runs of a release build, found none', name) AS sentence
FROM asked
WHERE NOT EXISTS (SELECT 1 FROM whole WHERE whole.pass = asked.pass AND whole.side = asked.side)
UNION ALL
SELECT 2, printf('%.200s: expected rows of one build, found commits %.7s and %.7s (build_hash %s and %s)', name, commit_hash, other_commit, build_hash, other_hash)
FROM build
WHERE build_hash <> other_hash
UNION ALL
SELECT 3, printf('expected two builds on one machine, found results of %s and of %s', least, most)
FROM (SELECT min(machine) AS least, max(machine) AS most FROM whole)
WHERE least <> most
UNION ALL
SELECT 4, printf('expected at most 64 runs a side, found %d', count(*))
FROM number
GROUP BY cell, side
HAVING count(*) > 64
UNION ALL
SELECT 5, printf('expected configurations that both sides have, found none: %d in base alone, %d in head alone', n_base, n_head)
FROM alone
WHERE NOT EXISTS (SELECT 1 FROM shared) AND NOT EXISTS (SELECT 1 FROM unrun);
