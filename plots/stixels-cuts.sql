-- stixels-cuts.sql - what cutting at candidate rows alone gains, and what it costs: a line for each input and number of block rows
--
-- Left how many times as fast as the program that cuts at any row, right the energy above the least one.
CREATE TEMP TABLE kept AS SELECT * FROM in_series WHERE impl LIKE 'stixels/%cuts%' OR impl LIKE 'stixels/%openmp' OR impl = 'stixels/gpu-cubic';

-- impl: whose colour it has
CREATE TEMP TABLE kind (kind INTEGER PRIMARY KEY, impl TEXT, said TEXT);
INSERT INTO kind (impl, said)
VALUES ('stixels/cuts-cubic', 'eq. 6'), ('stixels/cuts', 'eq. 12'), ('stixels/cuts', 'eq. 12, against a program that leaves out what cannot win'),
       ('stixels/gpu-cuts-cubic', 'eq. 6 on a GPU');

CREATE TEMP TABLE pair AS
SELECT c.id, f.session IS c.session AS is_one_session, c.input, c.block, c.columns, CAST(c.block_rows AS INTEGER) AS n_rows, c.energy_excess_pct AS excess, f.mean_ms / c.mean_ms AS times,
       CASE WHEN c.impl LIKE '%/gpu%' THEN 4 WHEN c.model = 'b6' THEN 1 WHEN f.prune = 'none' THEN 2 ELSE 3 END AS kind
FROM kept AS c
JOIN kept AS f ON f.impl LIKE CASE WHEN c.impl LIKE '%/gpu%' THEN '%/gpu-cubic' ELSE '%openmp' END AND f.input = c.input AND f.block = c.block AND f.model = c.model AND f.columns IS c.columns AND f.threads IS c.threads
WHERE c.impl LIKE 'stixels/%cuts%' AND coalesce(c.prune, 'proved') = 'proved';
CREATE TEMP VIEW drawn AS SELECT id FROM pair;

CREATE TEMP TABLE line AS
SELECT input, block, n_rows, min(times) AS low, max(times) AS high
FROM pair
GROUP BY input, block, n_rows
ORDER BY input = 'noise', n_rows, input;

CREATE TEMP VIEW draw_rows AS
SELECT l.rowid AS at, l.input || ': ' || l.n_rows || ' rows of ' || b.said || ' px' AS label, l.low, l.high
FROM line AS l
JOIN block_text AS b ON b.block = l.block
ORDER BY l.rowid;
CREATE TEMP VIEW draw_kinds AS SELECT kind, impl, said FROM kind WHERE kind IN (SELECT kind FROM pair) ORDER BY kind;
CREATE TEMP VIEW draw_dots AS
SELECT l.rowid AS row, p.kind, p.times, max(p.excess, 0) AS excess, CASE WHEN p.times = l.high THEN number_text(p.times) || ' ×' ELSE '-' END AS said
FROM pair AS p
JOIN line AS l USING (input, block)
ORDER BY l.rowid, p.kind;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce(
    (SELECT printf('With eq. 6 cuts at rows that RDP finds gain %.2g to %.2g times, not so in noise; at most %.2g %% more energy', min(times), max(times), max(excess))
     FROM pair WHERE kind = 1 AND is_one_session AND input <> 'noise' AND coalesce(columns, 0) = 0 GROUP BY NULL HAVING count(*) > 1), 'Slanted Stixels cut at rows that RDP finds: time and energy') AS value
UNION ALL SELECT 'subtitle', 'against programs that may cut at each row, one core or a GPU; mean times of a frame, down-sampling in both'
UNION ALL SELECT 'note', 'Left of 1 it is slower. In noise nearly each row is a candidate. ' ||
    CASE WHEN EXISTS (SELECT 1 FROM kept WHERE columns > 0) THEN 'Some of eq. 6 on a part of the columns. ' ELSE '' END;
