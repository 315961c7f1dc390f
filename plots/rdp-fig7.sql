-- rdp-fig7.sql - of one input, the useful share of each round, for eps 4 and 8
-- beside scene:
DELETE FROM may_show;
INSERT INTO may_show SELECT rowid, input FROM shown_value WHERE name = 'useful_pct';

CREATE TEMP TABLE share AS
SELECT v.*, v.rowid AS id
FROM shown_value AS v
JOIN held USING (input, width, height, impl, median)
WHERE v.name = 'useful_pct' AND v.distance = 'vertical' AND v.frame_pick = 'all' AND v.eps IN (4, 8);

CREATE TEMP TABLE kept AS
SELECT s.*
FROM whole AS s
JOIN held USING (input, width, height, impl, median)
WHERE s.distance = 'vertical' AND s.frame_pick = 'all' AND s.eps IN (SELECT eps FROM share);

CREATE TEMP VIEW drawn AS SELECT min(id) AS id FROM kept GROUP BY eps;

-- A column runs in round r while it needs r rounds or more (rounds_hist); its block then leaves the GPU.
CREATE TEMP TABLE round AS
SELECT s.eps, s."index" AS round, s.value AS useful, total(h.value) AS running
FROM share AS s
LEFT JOIN shown_value AS h ON h.name = 'rounds_hist' AND h.impl = s.impl AND h.input = s.input AND h.frame_pick = s.frame_pick AND h.eps = s.eps AND
    h.width = s.width AND h.height = s.height AND h.distance = s.distance AND h.median IS s.median AND h."index" >= s."index"
GROUP BY s.eps, s."index";

-- Rounds after the 10th are one bar, their mean.
CREATE TEMP VIEW draw_rounds AS
SELECT eps, min(min(round), 11) AS place, avg(useful) AS useful, avg(running) AS running,
       CASE WHEN round <= 10 THEN round WHEN max(round) > 11 THEN '11…' || max(round) ELSE '11' END AS said
FROM round
GROUP BY eps, min(round, 11)
ORDER BY eps, place;

CREATE TEMP VIEW draw_panels AS SELECT eps, 'ε = ' || eps || ' px' AS title FROM share GROUP BY eps ORDER BY min(id);

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'Less than half of the threads do useful work ' || group_concat(said, ', ')
    FROM (SELECT 'from round ' || min(round) || ' on at ε = ' || eps || ' px' AS said
          FROM round AS r
          WHERE (SELECT max(useful) FROM round AS a WHERE a.eps = r.eps AND a.round >= r.round) < 50
          GROUP BY eps ORDER BY eps)), 'RDP column segmentation: what the threads do, round by round') AS value
UNION ALL SELECT 'subtitle', 'input ' || input || ', vertical distance; ' || said || '; rounds after the 10th: their mean'
    FROM held JOIN prepared USING (width, height, median)
UNION ALL SELECT 'note', 'A thread is a row of a column, a block a column. ' ||
    (SELECT group_concat(said, ' ') FROM (
        SELECT 'ε = ' || eps || ': in round ' || round || ', ' || printf('%.1f', running) || ' % of the columns still run, and ' ||
               printf('%.0f', 100 * useful / running) || ' % of their threads are useful.' AS said
        FROM round WHERE round = 5 AND running > 0 ORDER BY eps))
UNION ALL SELECT 'note', 'No rows yet for ε = ' || group_concat(eps, ', ') || ' px.'
    FROM (SELECT 4 AS eps UNION ALL SELECT 8) WHERE eps NOT IN (SELECT eps FROM share);
