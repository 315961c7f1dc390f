-- som-fig11.sql - of one variant, the paper's or the same schedule on one core, time and quality: for each map a cell for each search range
-- and refresh rate, also for those whose runs were all refused
INSERT INTO wanted_impl VALUES ('som/gpu-paper');

-- The paper's variant where it has rows.
CREATE TEMP VIEW one_impl AS SELECT impl FROM timed_whole WHERE cost_pct IS NOT NULL ORDER BY impl = 'som/gpu-paper' DESC, id LIMIT 1;

CREATE TEMP TABLE kept AS SELECT t.* FROM timed_whole AS t JOIN one_impl USING (impl) WHERE t.cost_pct IS NOT NULL;
-- Generated maps only where there are no others.
DELETE FROM kept WHERE input LIKE 'map-%' AND EXISTS (SELECT 1 FROM kept WHERE input NOT LIKE 'map-%');

-- small, medium, large
CREATE TEMP VIEW map AS
SELECT input, min(id) + CASE WHEN input LIKE '%L' THEN 2000000 WHEN input LIKE '%M' THEN 1000000 ELSE 0 END AS place
FROM kept
GROUP BY input;

CREATE TEMP VIEW refused AS
SELECT d.input, d.ssr, d.crr, count(*) AS n, max(CASE WHEN d.reason NOT LIKE '%folded%' THEN substr(d.reason, instr(d.reason, '%cost ') + 6, 4) END) AS cost
FROM dropped AS d
JOIN one_impl USING (impl)
JOIN map USING (input)
GROUP BY d.input, d.ssr, d.crr;

-- refused: runs of the cell that were; 1000: a search without a bound
CREATE TEMP TABLE square AS
SELECT k.input, CASE k.ssr WHEN -1 THEN 1000 ELSE k.ssr END AS ssr, k.crr, k.cost_pct, k.cost_pct_sd, k.mean_ms, coalesce(r.n, 0) AS refused, NULL AS cost
FROM kept AS k
LEFT JOIN refused AS r ON r.input = k.input AND r.ssr = k.ssr AND r.crr = k.crr
UNION ALL
SELECT input, CASE ssr WHEN -1 THEN 1000 ELSE ssr END, crr, NULL, NULL, NULL, n, cost
FROM refused AS r
WHERE NOT EXISTS (SELECT 1 FROM kept AS k WHERE k.input = r.input AND k.ssr = r.ssr AND k.crr = r.crr);

-- A refresh rate of a map, over the search ranges.
CREATE TEMP VIEW refreshed AS
SELECT input, crr, avg(cost_pct) AS mean, printf('%.3g', min(cost_pct)) || CASE WHEN max(cost_pct) > min(cost_pct) THEN printf(' to %.3g', max(cost_pct)) ELSE '' END AS said
FROM square
WHERE cost_pct IS NOT NULL
GROUP BY input, crr;

CREATE TEMP VIEW draw_crrs AS
SELECT crr AS value, (SELECT count(DISTINCT b.crr) FROM square AS b WHERE b.crr <= a.crr) AS at FROM square AS a GROUP BY crr;
CREATE TEMP VIEW draw_ssrs AS
SELECT CASE ssr WHEN 1000 THEN '∞' ELSE ssr END AS said, ssr AS value, (SELECT count(DISTINCT b.ssr) FROM square AS b WHERE b.ssr <= a.ssr) AS at
FROM square AS a
GROUP BY ssr;

-- the maps' %cost, then their times
CREATE TEMP VIEW draw_panels AS
SELECT input || ': ' || q.said AS title, input, q.place AS quantity,
       (SELECT count(*) FROM square AS c WHERE c.input = map.input AND c.cost_pct_sd IS NOT NULL AND q.place = 1) AS n_seconds
FROM map
JOIN (SELECT 1 AS place, '%cost' AS said UNION ALL SELECT 2, 'mean time [ms]') AS q
ORDER BY q.place, map.place;

-- shade: 0 to 1; cross: 1 where one of the runs was refused, 2 where each was
CREATE TEMP VIEW draw_points AS
SELECT c.input, 1 AS quantity, x.at AS x, y.at AS y, min(1, max(0, (coalesce(c.cost_pct, 40) - 12) / 18.0)) AS shade,
       CASE WHEN c.cost_pct IS NULL THEN coalesce(c.cost, '') ELSE printf('%.1f', c.cost_pct) END AS said,
       CASE WHEN c.cost_pct_sd IS NULL THEN '' ELSE printf('±%.1f', c.cost_pct_sd) END AS more,
       (c.refused > 0) + (c.cost_pct IS NULL) AS "cross"
FROM square AS c
JOIN draw_crrs AS x ON x.value = c.crr
JOIN draw_ssrs AS y ON y.value = c.ssr
UNION ALL
SELECT c.input, 2, x.at, y.at, coalesce((c.mean_ms - r.low) / nullif(r.high - r.low, 0), 0), 
       CASE WHEN c.mean_ms IS NULL THEN '' ELSE printf('%.0f', c.mean_ms) END, '',
       2 * (c.cost_pct IS NULL)
FROM square AS c
JOIN draw_crrs AS x ON x.value = c.crr
JOIN draw_ssrs AS y ON y.value = c.ssr
JOIN (SELECT min(mean_ms) AS low, max(mean_ms) AS high FROM square) AS r;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT b.input || ': %cost ' || b.said || ' with a refresh every ' || b.crr || ' rounds, ' || w.said || ' with one every ' || w.crr || ', over all search ranges'
    FROM refreshed AS b JOIN refreshed AS w ON w.input = b.input AND w.mean > b.mean ORDER BY w.mean - b.mean DESC LIMIT 1), 'SOM mesh: search range and refresh rate') AS value
UNION ALL
SELECT 'subtitle', v.title || ', 1500 rounds, sigma from ' || h.sigma || ', cells of 20 × 20 px, live updates. ' ||
    (SELECT sum(cost_pct_sd IS NULL) || ' of ' || count(*) FROM square WHERE cost_pct IS NOT NULL) ||
    ' cells are one seed, those with ± means over two or three and their standard deviation'
FROM one_impl JOIN variant AS v USING (impl), held AS h
UNION ALL
SELECT 'note', CASE WHEN EXISTS (SELECT 1 FROM square WHERE refused > 0) THEN
    'Crossed: no run could be used, since the mesh had folded (no number) or its %cost (the number) was far outside of the reference''s; orange ' ||
    'corner: so it was with some of its runs. ' ELSE '' END ||
    '[SOM] sect. 6.3, in words: refresh rates (CRR) matter less than search ranges (SSR); beyond 4 (small map), 3 (medium) and 5 (large) quality ' ||
    'gains nothing more. It prints no numbers and names no maps. ';
