-- told.sql - what people are told of verdicts: the CSV 'listed', lines of the 'page', what format_*.txt lay out, and a 'descriptor' for each
-- problem.  The column 'is_all' of the table 'rule' says whether configurations that are the same are named, too.

CREATE TEMP TABLE found AS
SELECT *, coalesce(said || '; ' || memory, said, memory) AS reason
FROM (SELECT v.*, s.cell, s.memory, m.problem, m.plan, m.impl, m.scope, m.series,
             m.input, m.frame_pick, m.params, b.params AS base_params, c.traits, c.keys,
             CASE WHEN v.verdict <> 'unclear' THEN v.changed
                  ELSE CASE WHEN v.n_unsteady > 0 THEN printf('%d runs were unstable or throttled and do not count; ', v.n_unsteady)
                            WHEN n_base < 2 AND n_head < 2 THEN 'one run a side decides nothing; '
                            ELSE '' END
                       || coalesce('about ' || runs_needed, 'more than 64') || ' runs a side would decide' END AS said
      FROM verdict AS v
      JOIN shared AS s ON s.rowid = v.number
      JOIN measurement AS m ON m.id = s.last
      JOIN configuration AS c ON c.id = m.configuration
      JOIN measurement AS b ON b.id = s.last_of_base)
ORDER BY place, abs(change) DESC, number;

-- All of them for other programs: 'configuration' names one in words that depend on no other configuration, and on no key at its default.
CREATE TEMP VIEW exported AS
SELECT *, printf('impl="%s",configuration="%s"', impl, replace(replace(replace(configuration, '\', '\\'), '"', '\"'), char(10), '\n')) AS labels,
       verdict || ': '
           || coalesce(CASE WHEN change IS NOT NULL THEN printf('%s ms, was %s ms, %+.1f %%', short_text(head_ms, 4), short_text(base_ms, 4), 100 * change) END
                           || CASE WHEN confidence >= 0.5 THEN printf(' (%.0f %% interval %+.1f to %+.1f %%)', 100 * confidence, 100 * ci_lo, 100 * ci_hi) ELSE '' END
                           || coalesce('; ' || reason, ''), reason, 'without times') AS message
FROM (SELECT *, replace(replace(substr(cell, length('impl=' || impl) + 2), keys || ';', substr(config_text(impl, problem, '', keys) || ';', length(impl) + 2)),
                       ';', ' ') AS configuration
      FROM found
      ORDER BY found.rowid);

-- Those that people see: 'told' is what tells one from the others.
CREATE TEMP TABLE named AS
SELECT exported.*, rtrim(impl || ' ' || ltrim(replace(traits_told(cell, (SELECT group_concat(cell, char(10)) FROM shared), 0), 'impl=' || impl, ''))) AS told
FROM exported, rule
WHERE is_all OR verdict <> 'same' OR memory IS NOT NULL;

CREATE TEMP VIEW outcome AS
SELECT *, n_changed + n_slower AS n_bad, printf('%d with another output, %d slower', n_changed, n_slower) AS sentence,
       printf('%d configurations: %d changed-output, %d slower, %d faster, %d unclear, %d same', n_cells, n_changed, n_slower, n_faster, n_unclear, n_same) AS totals
FROM (SELECT count(*) AS n_cells, count(CASE verdict WHEN 'changed-output' THEN 1 END) AS n_changed, count(CASE verdict WHEN 'slower' THEN 1 END) AS n_slower,
             count(CASE verdict WHEN 'faster' THEN 1 END) AS n_faster, count(CASE verdict WHEN 'unclear' THEN 1 END) AS n_unclear,
             count(CASE verdict WHEN 'same' THEN 1 END) AS n_same,
             n_cells || ' configurations, ' || sum(coalesce(goes_on, 0)) || ' go on, ' || least_runs || ' runs a side' AS first_stage
      FROM found);

CREATE TEMP VIEW program AS
SELECT side, CASE side WHEN 0 THEN 'base' ELSE 'head' END AS name, coalesce(nullif(commit_hash, ''), 'unknown') AS commit_hash,
       coalesce(nullif(build_hash, ''), 'unknown') AS build_hash, n_runs
FROM build
ORDER BY side;

CREATE TEMP VIEW listed AS
SELECT verdict, impl, scope, series, input, frame_pick, params, n_base, n_head, base_ms, head_ms, change, ci_lo, ci_hi, confidence, p, q, floor, runs_needed,
       (SELECT commit_hash FROM build WHERE side = 0) AS base_commit, (SELECT commit_hash FROM build WHERE side = 1) AS head_commit, reason
FROM found
ORDER BY place, number;

CREATE TEMP TABLE page (text);
INSERT INTO page
SELECT printf('%s: commit %.7s, build %s, %d run%s', name, commit_hash, build_hash, n_runs, substr('s', 1, n_runs <> 1))
FROM program
WHERE n_runs > 0;
INSERT INTO page
SELECT printf('same: %.7s and %.7s are the same program (build_hash %s); nothing was run', base.name, head.name, head.build_hash)
FROM unrun AS base
JOIN unrun AS head ON base.side = 0 AND head.side = 1;
INSERT INTO page
SELECT printf('all configurations:%s    %s', char(10), traits)
FROM (SELECT traits_told(max(cell), group_concat(cell, char(10)), 1) AS traits FROM shared)
WHERE traits <> '';
INSERT INTO page
SELECT printf('left out: %d configurations of base alone, %d of head alone', n_base, n_head)
FROM alone
WHERE n_base + n_head > 0;
INSERT INTO page
SELECT printf('These are rows of %d host%s and %d GPU%s: a difference may be theirs.', n_hosts, substr('s', 1, n_hosts <> 1), n_gpus, substr('s', 1, n_gpus <> 1))
FROM (SELECT count(DISTINCT host) AS n_hosts, count(DISTINCT gpu_uuid) AS n_gpus FROM whole)
WHERE n_hosts > 1 OR n_gpus > 1;
INSERT INTO page
SELECT 'Both are the same program: there is no difference to look for.'
FROM shared
WHERE shared.rowid = 1 AND is_same_program;
INSERT INTO page
SELECT printf('%s%-14s %9s %9s %8s  %-17s %5s %7s', char(10), 'verdict', 'base ms', 'head ms', 'change %', '95 % interval', 'runs', 'q')
FROM named
LIMIT 1;
INSERT INTO page
SELECT printf('%-14s %9s %9s %8s  %-17s %5s %7s%s    %s', verdict, coalesce(short_text(base_ms, 4), '-'), coalesce(short_text(head_ms, 4), '-'),
              CASE WHEN change IS NULL THEN '-' ELSE printf('%+.1f', 100 * change) END,
              CASE WHEN confidence >= 0.5 THEN printf('%+.1f..%+.1f%s', 100 * ci_lo, 100 * ci_hi, substr('*', 1, confidence < 0.95)) ELSE '-' END,
              n_base || '+' || n_head, CASE WHEN is_same THEN '-' ELSE short_text(q, 2) END, char(10), told)
       || coalesce(char(10) || '    ' || reason, '')
FROM named;
INSERT INTO page
SELECT '* so few runs allow no interval of 95 %: 3 + 3 one of 90 %'
FROM named
WHERE confidence >= 0.5 AND confidence < 0.95
LIMIT 1;
INSERT INTO page
SELECT char(10) || totals
FROM outcome
WHERE n_cells > 0;

-- Descriptors of a second stage: times alone, and keys that both builds know (no copy is one: older ones have no transfer).
CREATE TEMP VIEW descriptor AS
WITH line AS (
    SELECT problem, number, CASE WHEN t.value LIKE 'precision=%' THEN printf('precision=%.9g%%', 100 * substr(t.value, 11)) -- was a share
                                 ELSE replace(t.value, 'mode_name=', 'mode=') END || char(10) AS text
    FROM found, json_each('[' || replace(json_quote(traits || ';' || coalesce(plan, '')), ';', '","') || ']') AS t
    WHERE goes_on AND t.value NOT IN ('', 'transfer=copy') AND substr(t.value, 1, instr(t.value, '=')) NOT IN ('stages=', 'energy=', 'values=')
      AND (NOT instr(';' || keys || ';', ';' || t.value || ';')
           OR instr(';' || params, ';' || substr(t.value, 1, instr(t.value, '='))) AND instr(';' || base_params, ';' || substr(t.value, 1, instr(t.value, '='))))
    ORDER BY problem, number, t.key
),
section AS (
    SELECT problem, printf('%s[cell-%d]%svalues=0%s', char(10), number, char(10), char(10)) || group_concat(text, '') AS text
    FROM line
    GROUP BY problem, number
)
SELECT coalesce(problem, '') AS problem,
       printf('; configurations whose first runs were apart%s[global]%sproblem=%s%s', char(10), char(10), problem, char(10)) || group_concat(text, '') AS text
FROM section
GROUP BY problem;
