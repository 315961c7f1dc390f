-- table1.sql - [STX] Table 1 as it is printed: inputs, complexity, accuracy and GPU version of each model; of ours the measured exponents
--
-- An exponent of a fit has the digits that its 95 % interval supports; the last step is between the two largest heights.
WITH model (at, model, label, ours) AS (
    VALUES (1, 'dh', 'Stixel World [2]', 'stixels/serial, model dh; no GPU version'),
           (2, 'b6', 'Slanted Stixels [12], eq. 6', 'stixels/gpu-cubic; tables of classes in shared memory, cost in linear time'),
           (3, 'b12', 'ours, eq. 12', 'stixels/gpu-paper, all tables in shared memory; stixels/gpu-opt, float tables of parts of a column')
),
curve AS (
    SELECT r.model, r.impl, r.device, r.commit_hash, count(*) AS n,
           told(power_fit(height, value, 1), (power_fit(height, value, 3) - power_fit(height, value, 2)) / 2) AS exponent,
           printf('%.2f', power_fit(height, value, 4)) AS last
    FROM shown_row AS r
    JOIN field AS y ON y.name = 'median_ms' AND y.id = r.place
    WHERE r.impl IN ('stixels/serial', 'stixels/cubic-serial', 'stixels/gpu-paper', 'stixels/gpu-cubic')
    GROUP BY r.impl, r.model, r.block, r.columns
    HAVING n > 2
)
SELECT label AS "model",
       (SELECT printed FROM printed AS p WHERE p.paper = 'stixels' AND figure = 'table1' AND p.model = m.model AND name = 'inputs') AS "inputs printed",
       (SELECT printed FROM printed AS p WHERE p.paper = 'stixels' AND figure = 'table1' AND p.model = m.model AND name = 'exponent') AS "complexity printed",
       coalesce((SELECT group_concat('h^' || exponent || CASE device WHEN 'gpu' THEN ' (GPU' ELSE ' (1 core' END || ', last step ' || last || ')', ', ')
                 FROM curve AS c WHERE c.model = m.model), '(no rows)') AS "complexity here",
       (SELECT printed FROM printed AS p WHERE p.paper = 'stixels' AND figure = 'table1' AND p.model = m.model AND name = 'accuracy') AS "accuracy printed",
       coalesce((SELECT printf('%.1f %% wrong', v.value)
                 FROM good AS g
                 JOIN value AS v ON v.measurement = g.id AND v.name = 'd1_pct' AND v.idx IS NULL
                 WHERE g.experiment IN ('stixels/table3', 'stixels/fig2') AND g.input = 'city-normal' AND g.model = m.model AND g.block = 8
                 ORDER BY g.preference DESC LIMIT 1), '(no rows)') AS "accuracy here",
       (SELECT printed FROM printed AS p WHERE p.paper = 'stixels' AND figure = 'table1' AND p.model = m.model AND name = 'gpu_version') AS "GPU version printed",
       ours AS "version here",
       CASE at WHEN 1 THEN (SELECT 'h^e: exponent of a power law through median times against block rows; accuracy here: disparities of city-normal, 8×8 px; commit '
                                       || replace(group_concat(DISTINCT substr(commit_hash, 1, 7)), ',', ', ')
                            FROM curve) END AS note
FROM model AS m
ORDER BY at
