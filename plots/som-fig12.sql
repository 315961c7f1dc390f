-- som-fig12.sql - quality by the number of rounds, a panel for each map, a curve for each variant: %cost does not depend on who ran it
-- of every machine
INSERT INTO wanted_impl VALUES ('som/gpu-paper'), ('som/gpu-opt'), ('som/serial'), ('som/rounds');

-- One row where several machines have the same.
CREATE TEMP TABLE kept AS
SELECT w.*, min(w.id), w.variant AS curve
FROM whole AS w
WHERE w.cost_pct IS NOT NULL
GROUP BY w.impl, w.input, w.rounds;
-- Generated maps only where there are no others.
DELETE FROM kept WHERE input LIKE 'map-%' AND EXISTS (SELECT 1 FROM kept WHERE input NOT LIKE 'map-%');

CREATE TEMP VIEW panel AS SELECT input, min(id) AS panel FROM kept GROUP BY input;
CREATE TEMP VIEW draw_panels AS SELECT panel, input FROM panel ORDER BY input;
CREATE TEMP VIEW draw_curves AS SELECT DISTINCT curve, impl, title FROM kept ORDER BY curve;

CREATE TEMP VIEW draw_points AS
SELECT p.panel, k.curve, k.rounds, k.cost_pct, k.cost_pct - coalesce(k.cost_pct_sd, 0) AS low, k.cost_pct + coalesce(k.cost_pct_sd, 0) AS high
FROM kept AS k
JOIN panel AS p ON p.input = k.input
ORDER BY p.panel, k.curve, k.rounds;

-- What Table 2 prints of these maps with the same search range.
CREATE TEMP VIEW printed_cost AS
SELECT p.input, group_concat(p.printed || substr(p.impl, 6), ' and ') AS said, max(p.sigma) AS sigma
FROM printed AS p
JOIN held AS h ON h.ssr = p.ssr
WHERE p.figure = 'table2' AND p.name = 'cost_pct' AND p.input IN (SELECT input FROM kept)
GROUP BY p.input;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT CASE WHEN max(n) > 1 THEN 'Mean %cost' ELSE '%cost of one seed' END || ' after ' || rounds || ' rounds: ' || group_concat(said, '; ')
    FROM (SELECT k.rounds, max(k.n) AS n, k.impl || ' ' || group_concat(printf('%.1f (%s)', k.cost_pct, k.input), ', ') AS said
          FROM (SELECT * FROM kept ORDER BY input) AS k
          WHERE k.rounds = (SELECT max(rounds) FROM kept) AND k.impl IN ('som/gpu-opt', 'som/serial') GROUP BY k.impl)
    GROUP BY NULL HAVING count(*) > 1), 'SOM mesh: quality against rounds, on GPU and CPU') AS value
UNION ALL
SELECT 'subtitle', 'sigma from ' || h.sigma || ', search range ' || h.ssr || '; som/serial makes as many times cells single updates; ' ||
    CASE WHEN max(k.cost_pct_sd) IS NULL THEN 'one seed' ELSE 'means over ' || max(k.n) || ' seeds, bars: one standard deviation' END
FROM held AS h, kept AS k
UNION ALL
SELECT 'note', coalesce((SELECT '[SOM] prints no numbers here. Its Table 2 has, after 1500 rounds and with sigma from ' || max(sigma) || ', ' ||
                                group_concat(input || ': ' || said, '; ') || '. ' FROM printed_cost), '');
