-- points.sql - what people are told of a history: each point, and the steps

CREATE TEMP VIEW listed AS
SELECT replace(wanted, ',', ' ') AS wanted, -- at a comma gnuplot cuts a title
       label.text AS cell, cell_number, number AS point, date, commit_hash, dirty, machine_name, session, row_id, median_ms, ci_lo_ms, ci_hi_ms, fps,
       level_ms, coalesce(step, 0) AS step, host, gpu_uuid
FROM asked
JOIN stepped
JOIN label USING (cell_number)
ORDER BY id;

-- Points of several machines are one history, but never silently.
CREATE TEMP TABLE page (text);
INSERT INTO page
SELECT printf('%s on %s%s', wanted, machine_name, char(10))
FROM asked
JOIN point ON point.rowid = 1;
INSERT INTO page
SELECT coalesce('    ' || nullif(text, '') || char(10), '')
       || printf('%-20s  %-9s %9s  %19s  step', 'commit of', 'commit', 'median ms', 'interval')
       || group_concat(printf('%s%-20.20s%s %-9s %9s  %19s', char(10), date, substr('* ', 1 + by_commit, 1), commit_name,
                              short_text(median_ms, 4), short_text(ci_lo_ms, 4) || ' .. ' || short_text(ci_hi_ms, 4))
                       || CASE WHEN step IS NULL THEN '' ELSE printf('  %+.1f %% %s', 100 * step, CASE WHEN step > 0 THEN 'slower' ELSE 'faster' END) END, '')
       || printf('%s%d points, %d step%s%s', char(10), count(*), count(step), substr('s', 1, count(step) <> 1), char(10))
       || CASE WHEN n_gpus + some_gpu_unknown > 1 OR n_hosts + some_host_unknown > 1
               THEN 'points' || CASE WHEN n_gpus > 0 THEN printf(' of %s%d GPU%s', substr('at least ', 1, 9 * some_gpu_unknown), n_gpus, substr('s', 1, n_gpus <> 1)) ELSE '' END
                    || CASE WHEN n_hosts > 0 THEN printf(' %s %s%d host%s', CASE WHEN n_gpus > 0 THEN 'on' ELSE 'of' END,
                                                         substr('at least ', 1, 9 * some_host_unknown), n_hosts, substr('s', 1, n_hosts <> 1)) ELSE '' END
                    || ': a step may be the machine''s' || char(10)
               ELSE '' END
FROM (SELECT * FROM stepped JOIN cell ON cell.rowid = cell_number JOIN label USING (cell_number) ORDER BY id)
GROUP BY cell_number;
INSERT INTO page
SELECT '* the day of the run: its files do not say when the commit was made'
FROM point
WHERE NOT by_commit
LIMIT 1;
