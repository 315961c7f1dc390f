-- table1.sql - [SOM] Table 1 as it is printed: the parameters of all experiments, and those of our rows
WITH parameter (at, label, name) AS (
    VALUES (1, 'alpha_init', 'alpha'), (2, 'alpha_final', 'alpha_final'), (3, 'sigma_init', 'sigma'), (4, 'sigma_init of sect. 6.4', 'sigma_of_6.4'),
           (5, 'sigma_final', 'sigma_final'), (6, 'MNPC: neurons of a cell, at most', 'mnpc'), (7, 'MRSR: memory reuse set rate', 'mrsr'), (8, 'delta', 'delta')
),
here AS (
    SELECT name, group_concat(told(value, NULL), ', ') AS text
    FROM (SELECT DISTINCT CASE WHEN name = 'sigma' AND value = 12 THEN 'sigma_of_6.4' ELSE name END AS name, value FROM field ORDER BY value)
    GROUP BY name
)
SELECT label AS "parameter", p.printed || CASE p.unit WHEN '-' THEN '' ELSE ' ' || p.unit END AS "value printed",
       coalesce((SELECT text FROM here AS h WHERE h.name = q.name), '(no rows)') AS "value here",
       CASE at WHEN 1 THEN (SELECT 'here: rows of ' || replace(group_concat(DISTINCT impl), ',', ' and ') || ', commit ' || replace(group_concat(DISTINCT substr(commit_hash, 1, 7)), ',', ', ')
                            FROM shown_row) END AS note
FROM parameter AS q
JOIN printed AS p ON p.paper = 'som' AND p.figure = 'table1' AND p.name = q.name
ORDER BY at
