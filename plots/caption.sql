-- caption.sql - what a chart has that does not say, and its texts; read behind its own SQL
CREATE TEMP VIEW IF NOT EXISTS drawn AS SELECT id FROM kept;
CREATE TEMP VIEW IF NOT EXISTS head AS SELECT NULL AS grp, '' AS said WHERE 0;
CREATE TEMP VIEW IF NOT EXISTS whisker AS SELECT NULL AS id, NULL AS low, NULL AS high WHERE 0;
CREATE TEMP VIEW IF NOT EXISTS panel AS SELECT 1 AS panel, '-' AS title, 1 AS place;

-- Ceilings of a roofline are no rows of its experiment.
CREATE TEMP VIEW caption_row AS
SELECT *
FROM shown
WHERE id IN (SELECT id FROM drawn) AND impl NOT LIKE 'probe/%';

-- A mean of rows of several commits has "5ec30f7, 20567f6".
CREATE TEMP VIEW commit_word AS
SELECT substr(j.value, 1, 7) AS word
FROM caption_row AS c, json_each('[' || replace(json_quote(commit_hash), ', ', '","') || ']') AS j
GROUP BY word
ORDER BY min(1000000 * j.key + c.id);

CREATE TEMP VIEW caption_part AS
SELECT 1 AS place, group_concat(DISTINCT gpu) || CASE WHEN count(DISTINCT gpu_uuid) > 1 THEN printf(' (%d cards)', count(DISTINCT gpu_uuid)) ELSE '' END AS said FROM caption_row WHERE device = 'gpu'
UNION ALL SELECT 2, group_concat(DISTINCT n.cpu_name)
    FROM caption_row AS c JOIN machine_name AS n ON n.machine = c.machine AND n.gpu IS c.gpu WHERE c.device IS NOT 'gpu'
UNION ALL SELECT 2.5, 'CPU code -march=' || group_concat(DISTINCT substr(march, 1, instr(march || ' ', ' ') - 1))
    FROM (SELECT substr(e.text, instr(e.text, '-march=') + 7) AS march FROM caption_row AS c JOIN environment AS e ON e.session = c.session
          WHERE c.device IS NOT 'gpu' AND e.key = 'flags' AND e.text LIKE '%-march=%' ORDER BY march)
UNION ALL SELECT 3, 'results/' || group_concat(DISTINCT m.results) FROM caption_row AS c JOIN measurement AS m ON m.id = c.measurement
UNION ALL SELECT 4, 'SMs ' || group_concat(sms) FROM (SELECT DISTINCT sms FROM caption_row WHERE device = 'gpu' ORDER BY sms)
    WHERE EXISTS (SELECT 1 FROM caption_row WHERE sms < sm_count)
UNION ALL SELECT 5, 'mode ' || group_concat(DISTINCT nullif(mode_name, 'any')) FROM caption_row
UNION ALL SELECT 6, 'commit ' || (SELECT group_concat(word) FROM commit_word) || CASE WHEN total(dirty NOT IN (0, 'no', 'false')) > 0 THEN ' (dirty)' ELSE '' END
    FROM caption_row
UNION ALL SELECT 7, 'input ' || group_concat(DISTINCT input) FROM caption_row
UNION ALL SELECT 8, 'time of: ' || group_concat(DISTINCT scope) FROM caption_row WHERE mean_ms IS NOT NULL
UNION ALL SELECT 9, 'series: ' || group_concat(DISTINCT series) FROM caption_row WHERE mean_ms IS NOT NULL
UNION ALL SELECT 10, 'n ' || min(n) || CASE WHEN max(n) > min(n) THEN '..' || max(n) ELSE '' END ||
    CASE kind WHEN 0 THEN ' samples of one process' WHEN 1 THEN ' processes' ELSE '' END
    FROM (SELECT n, CASE WHEN n_outside IS NOT NULL THEN 2 ELSE coalesce(processes, 0) > 1 END AS kind FROM caption_row)
    GROUP BY kind
UNION ALL SELECT 11, 'protocol ' || group_concat(DISTINCT protocol) FROM caption_row
-- rows of live outputs: of a mean each run
UNION ALL SELECT 12, sum(coalesce(n_outside, verdict = 'outside')) || ' of ' ||
    sum(CASE WHEN n_outside IS NULL THEN 1 ELSE n END) || ' rows outside the reference''s scatter'
    FROM caption_row WHERE verdict IN ('outside', 'statistical') OR n_outside > 0
UNION ALL SELECT 12.5, n || CASE n WHEN 1 THEN ' point is' ELSE ' points are' END || ' of meshes that lie mirrored: %cost does not see it'
    FROM (SELECT count(*) AS n FROM caption_row WHERE folded_pct > 50 AND cost_pct IS NOT NULL) WHERE n > 0
UNION ALL SELECT 13, 'by another rule: ' || group_concat(DISTINCT impl) FROM caption_row WHERE verdict = 'other'
UNION ALL SELECT 14, 'ceilings: commit ' || group_concat(DISTINCT substr(commit_hash, 1, 7))
    FROM shown WHERE id IN (SELECT id FROM drawn) AND impl LIKE 'probe/%';

-- (gnuplot takes an empty text at the end of a line for the one before.)
CREATE TEMP VIEW draw_text AS
SELECT name, value FROM all_text WHERE value <> '';

CREATE TEMP VIEW all_text AS
SELECT name, value FROM text WHERE name <> 'note'
UNION ALL
SELECT 'caption', replace(group_concat(said, '; '), ',', ', ')
FROM (SELECT said FROM caption_part WHERE said IS NOT NULL ORDER BY place)
UNION ALL
SELECT 'note', (SELECT CASE WHEN n > 1 THEN 'Times: of ' || machine || ' alone. ' ELSE '' END FROM machine) ||
    coalesce((SELECT value FROM text WHERE name = 'note'), '') ||
    coalesce((SELECT CASE WHEN (SELECT value FROM text WHERE name = 'note') GLOB '*[^ ]' THEN ' ' ELSE '' END || 'No rows yet for ' || group_concat(impl, ', ') || '.'
              FROM wanted_impl WHERE impl NOT IN (SELECT impl FROM kept)), '');

CREATE TEMP VIEW refusal AS
SELECT 'no row with status ok for this figure; measure it first' AS why
WHERE NOT EXISTS (SELECT 1 FROM drawn)
UNION ALL
SELECT 'input ' || input || ' is in the main figure'
FROM main_input
WHERE EXISTS (SELECT 1 FROM asked WHERE name = 'beside') AND input IN (SELECT value FROM asked WHERE name = 'input');
