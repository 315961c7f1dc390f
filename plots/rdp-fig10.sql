-- rdp-fig10.sql - ranked run times on CPUs and GPUs, by power mode: [RDP] Fig. 10
--
-- A dot for each variant, mode and team size, slowest at the top as in the paper; means, since the paper prints means.  Hollow: the
-- paper's Table 1 (1024 rows), measured on a Jetson Xavier with its own programs, which are named by their role.
-- with bars.sql
-- beside scene: street: :8
INSERT INTO wanted_impl SELECT impl FROM variant WHERE impl LIKE 'rdp/%' AND NOT is_peer;

CREATE TEMP TABLE kept AS
SELECT s.*
FROM in_series AS s
JOIN held USING (input, eps, width, batch)
WHERE s.frame_pick = 'all' AND s.height IN (256, 1024);

-- The paper's words for the modes of its board.
CREATE TEMP TABLE mode (mode_name TEXT, said TEXT);
INSERT INTO mode VALUES ('MODE_10W', 'Low Energy'), ('MODE_15W', 'Default Energy'), ('MAXN', 'Max Energy');

-- How many times as fast the paper's GPU is as its best CPU, in one power mode: least and most over the sessions that measured both, of any build.
CREATE TEMP TABLE session_best AS
SELECT k.height, k.mode_name, k.impl, g.results, g.session, min(g.mean_ms) AS ms
FROM kept AS k
JOIN main.measurement AS m ON m.id = k.measurement
JOIN main.good AS g ON g.configuration = m.configuration AND g.results = m.results
WHERE k.impl IN ('rdp/omp-columns', 'rdp/gpu-paper')
GROUP BY k.height, k.mode_name, k.impl, g.results, g.session;
CREATE TEMP VIEW ratio AS
SELECT c.height, nullif(c.mode_name, 'any') AS mode_name, min(c.ms / g.ms) AS low, max(c.ms / g.ms) AS high
FROM session_best AS c
JOIN session_best AS g ON g.height = c.height AND g.mode_name IS c.mode_name AND g.results = c.results AND g.session = c.session
WHERE c.impl = 'rdp/omp-columns' AND g.impl = 'rdp/gpu-paper'
GROUP BY c.height, c.mode_name;

CREATE TEMP VIEW panel AS
SELECT k.height AS panel, h.width || ' × ' || k.height || ' px' AS title, min(k.id) AS place
FROM kept AS k, held AS h
GROUP BY k.height;

CREATE TEMP VIEW bar AS
SELECT id, height AS panel, 0 AS grp, -mean_ms AS place, mean_ms AS x, impl, 0 AS kind,
       title || CASE WHEN threads > 1 THEN ', ' || threads || ' threads' ELSE '' END || coalesce(', ' || nullif(mode_name, 'any'), '') AS label,
       time_text(mean_ms) || CASE WHEN mj_frame IS NULL THEN '' ELSE printf('; %.3g mJ', mj_frame) END AS said
FROM kept
UNION ALL
SELECT 1000000 + p.rowid, p.height, 0, -p.value, p.value, p.impl, 1,
       CASE p.impl WHEN 'rdp/gpu-paper' THEN 'GPU' WHEN 'rdp/serial' THEN 'CPU single-core'
                   WHEN 'rdp/omp-columns' THEN 'CPU multi-core' ELSE p.impl END || ' of a Xavier' || coalesce(', ' || coalesce(m.said, p.mode_name), ''),
       p.printed || ' ms'
FROM printed AS p
LEFT JOIN mode AS m ON m.mode_name = p.mode_name
WHERE p.figure = 'table1' AND p.name = 'mean_ms' AND p.height IN (SELECT height FROM kept);

CREATE TEMP VIEW whisker AS
SELECT id, max(mean_ms - sd_ms, min_ms) AS low, mean_ms + sd_ms AS high FROM kept WHERE sd_ms IS NOT NULL;

CREATE TEMP VIEW draw_looks AS SELECT 'mean time per frame [ms]' AS axis, 0 AS from_zero;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'At ' || height || ' rows the paper''s GPU kernel is ' || printf('%.1f', min(low)) || CASE WHEN max(high) > min(low) THEN printf(' to %.1f', max(high)) ELSE '' END ||
           ' times as fast as its multi-core program' || coalesce('; printed: ' || (SELECT printed FROM printed AS p WHERE p.figure = 'fig10' AND p.height = r.height LIMIT 1), '')
    FROM ratio AS r WHERE height = (SELECT max(height) FROM ratio) GROUP BY height), 'RDP column segmentation: ranked run times') AS value
UNION ALL SELECT 'subtitle', width || ' columns, ε = ' || eps || ' px, input ' || input || ', mean time' ||
    CASE WHEN EXISTS (SELECT 1 FROM kept WHERE mj_frame IS NOT NULL) THEN ' and energy' ELSE '' END ||
    ' per frame; lines: one standard deviation of the samples'
    FROM held
UNION ALL SELECT 'note', coalesce('Here, the paper''s GPU kernel against its multi-core program: ' || (SELECT group_concat(printf('%.1f', low) || CASE WHEN high > low THEN printf(' to %.1f', high) ELSE '' END || ' × as fast at ' ||
        height || ' rows' || coalesce(' in ' || mode_name, '') || coalesce(' (printed: ' || (SELECT printed FROM printed AS p WHERE p.figure = 'fig10' AND p.height = r.height LIMIT 1) || ' ×)', ''), ', ')
    FROM ratio AS r) || ', by session. ', '') || 'Hollow: [RDP] Table 1, on a Jetson Xavier in its power modes, printed for 1024 rows. ';
