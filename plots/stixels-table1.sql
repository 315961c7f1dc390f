-- stixels-table1.sql - times of one column by its block rows, the number of columns w only multiplies; a curve is a variant and, where the
-- model is the flat one, which variants of eq. 12 compute as well, another one
INSERT INTO wanted_impl VALUES ('stixels/gpu-paper'), ('stixels/gpu-opt'), ('stixels/gpu-cubic');

CREATE TEMP TABLE kept AS
SELECT t.*, 2 * t.variant + (t.model = 'dh') AS curve, t.model = 'dh' AS is_flat, t.median_ms / t.columns AS ms
FROM timed_whole AS t
WHERE t.median_ms IS NOT NULL AND t.height > 0 AND t.columns > 0;

CREATE TEMP VIEW draw_points AS
SELECT curve, height, ms, ci_lo_ms / columns AS low, ci_hi_ms / columns AS high
FROM kept
ORDER BY curve, height;

CREATE TEMP VIEW shape AS
SELECT h.input, count(DISTINCT k.block) AS n_blocks, max(b.said) AS block, max(k.is_flat) AS has_flat
FROM held AS h, kept AS k
JOIN block_text AS b ON b.block = k.block;

-- With the exponent of a power law through a curve's points, and its interval.
CREATE TEMP VIEW draw_curves AS
SELECT k.curve, k.impl, k.is_flat, CASE k.is_flat WHEN 1 THEN 'Stixel World [2], flat' ELSE e.said END || ': ' || k.title || ', w = ' || k.columns ||
       CASE WHEN h.n_blocks > 1 THEN ', ' || b.said || ' px' ELSE '' END AS name,
       coalesce((SELECT printf('exponent %.2f (%.2f … %.2f), last step %.2f', power_fit(height, median_ms, 1), power_fit(height, median_ms, 2),
                               power_fit(height, median_ms, 3), power_fit(height, median_ms, 4))
                 FROM kept AS f
                 WHERE f.curve = k.curve
                 GROUP BY f.curve
                 HAVING power_fit(height, median_ms, 2) IS NOT NULL), '-') AS fitted
FROM (SELECT *, min(id) AS first FROM kept GROUP BY curve) AS k
JOIN shape AS h
JOIN block_text AS b ON b.block = k.block
JOIN equation AS e ON e.model = k.model
ORDER BY k.curve;

-- The powers that the paper states, through the last point of the serial variants, or where they have no rows of the paper's GPU variants.
CREATE TEMP TABLE stated (power INTEGER, impl TEXT, is_first INTEGER, said TEXT);
INSERT INTO stated
VALUES (2, 'stixels/serial', 1, 'h² as [STX] states for eq. 12'), (2, 'stixels/gpu-paper', 0, 'h² as [STX] states for eq. 12'),
       (3, 'stixels/cubic-serial', 1, 'h³ as [STX] states for eq. 6'), (3, 'stixels/gpu-cubic', 0, 'h³ as [STX] states for eq. 6');

-- (SQLite takes the other columns from the row that has the maximum.)
CREATE TEMP VIEW draw_powers AS
SELECT s.power, s.said || CASE WHEN s.power = 2 AND h.has_flat THEN ' and flat' ELSE '' END AS name, k.height, k.ms,
       max(CASE WHEN k.id IS NULL THEN -1 ELSE 1e9 * s.is_first + k.height END) AS rank
FROM stated AS s
JOIN shape AS h
LEFT JOIN kept AS k ON k.impl = s.impl AND NOT k.is_flat
GROUP BY s.power;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'On one core time grows with block rows to the power ' || group_concat(said, '; ')
    FROM (SELECT printf('%.2f (%.2f to %.2f) with ', power_fit(height, median_ms, 1), power_fit(height, median_ms, 2), power_fit(height, median_ms, 3)) || e.said || ', stated ' || CASE model WHEN 'b6' THEN 3 ELSE 2 END AS said
          FROM kept JOIN equation AS e USING (model)
          WHERE impl IN ('stixels/serial', 'stixels/cubic-serial') AND NOT is_flat
          GROUP BY impl HAVING power_fit(height, median_ms, 2) IS NOT NULL AND count(DISTINCT session) < 2 ORDER BY min(variant))
    GROUP BY NULL HAVING count(*) > 1), 'Slanted Stixels: time against block rows') AS value
UNION ALL SELECT 'subtitle', CASE WHEN n_blocks > 1 THEN '' ELSE 'blocks of ' || block || ' px, ' END || 'input ' || input ||
    '; bars: 95 % interval of the median; exponents: least squares of the logarithms, with 95 % interval' FROM shape;
