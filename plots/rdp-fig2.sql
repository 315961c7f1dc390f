-- rdp-fig2.sql - of one input, RDP by its tolerance and Stixels by block and price: an error, the pixels of a piece, and the time
--
-- The error is the share of outliers against the truth where the input has one, else the rms error against what was segmented.
-- beside scene: street:
DELETE FROM may_show;
INSERT INTO may_show SELECT id, input FROM whole WHERE frame_pick = 'all' AND pixels_per_segment IS NOT NULL;

CREATE TEMP TABLE chosen AS
SELECT w.*
FROM whole AS w
JOIN held USING (input, width, height, impl)
WHERE w.frame_pick = 'all' AND w.distance = 'vertical' AND w.eps > 0;

CREATE TEMP TABLE truth AS
SELECT EXISTS (SELECT 1 FROM chosen WHERE pixels_per_segment IS NOT NULL AND d1_pct IS NOT NULL) AS is_known;

-- Stixels: exact values and float times, joined by model and block; beta only moves the values, 0 is that of the model.
CREATE TEMP TABLE stixel AS
SELECT w.*, CASE w.beta_mc WHEN 'model' THEN 0 ELSE w.beta_mc END AS beta
FROM whole AS w
JOIN held USING (input)
WHERE w.impl LIKE 'stixels/%' AND w.frame_pick = 'all';

-- (stixels of other prices are drawn without times)
CREATE TEMP VIEW found AS
SELECT c.id, 'rdp' AS kind, coalesce(c.median, 0) AS model, 0 AS block, c.eps AS at,
       CASE WHEN t.is_known THEN c.d1_pct ELSE c.rms_error_px END AS error, c.pixels_per_segment AS pieces, NULL AS input_error, c.mean_ms AS ms
FROM chosen AS c, truth AS t
UNION ALL
SELECT s.id, 'stixels', s.model, s.block, s.beta, CASE WHEN t.is_known THEN s.d1_pct ELSE s.rms_to_input_px END, s.pixels_per_stixel,
       CASE WHEN t.is_known THEN s.input_d1_all_pct END, CASE s.beta WHEN 0 THEN s.mean_ms END
FROM stixel AS s, truth AS t;

-- (rows of times repeat the values)
CREATE TEMP TABLE kept AS
SELECT *
FROM (SELECT min(id) AS id, kind, model, block, at, error, pieces, input_error
      FROM found
      WHERE error IS NOT NULL AND pieces IS NOT NULL
      GROUP BY kind, model, block, at)
LEFT JOIN (SELECT min(f.id) AS timed, f.kind, f.model, f.block, f.at, f.ms
           FROM found AS f
           JOIN timed_whole AS w ON w.id = f.id
           WHERE w.series = 'frames' AND f.ms IS NOT NULL
           GROUP BY f.kind, f.model, f.block, f.at) USING (kind, model, block, at);

CREATE TEMP VIEW drawn AS
SELECT id FROM kept WHERE EXISTS (SELECT 1 FROM kept WHERE kind = 'rdp')
UNION
SELECT timed FROM kept WHERE timed IS NOT NULL;

-- Curves of one point are flat Stixels, which have one price; hue: of a block of stixels.
CREATE TEMP VIEW stixel_block AS SELECT block, min(id) AS place FROM kept WHERE kind = 'stixels' GROUP BY block;

CREATE TEMP TABLE curve AS
SELECT k.kind, k.model, k.block, max(k.ms IS NOT NULL) AS is_timed,
       min(k.id) + CASE WHEN k.kind = 'rdp' THEN 0 WHEN max(k.at) > 0 THEN 1000000 ELSE 2000000 END AS curve,
       CASE WHEN k.kind = 'rdp' THEN 'rdp' WHEN max(k.at) > 0 THEN 'slanted' ELSE 'flat' END AS look,
       (SELECT count(*) FROM stixel_block AS b WHERE b.place <= (SELECT place FROM stixel_block WHERE block = k.block)) AS hue
FROM kept AS k
GROUP BY k.kind, k.model, k.block;

CREATE TEMP TABLE draw_curves AS
SELECT c.curve, c.look, CASE c.kind WHEN 'rdp' THEN c.model = coalesce(h.median, 0) ELSE c.hue END AS hue,
       c.is_timed,
       CASE WHEN c.kind = 'rdp' AND c.model = 0 THEN 'RDP, no filter'
            WHEN c.kind = 'rdp' THEN 'RDP, ' || c.model || ' × ' || c.model || ' median'
            ELSE CASE c.model WHEN 'b12' THEN 'Stixels ' WHEN 'dh' THEN 'flat Stixels ' ELSE 'Stixels ' || c.model || ' ' END || b.said || ' px' END AS name
FROM curve AS c
JOIN held AS h
LEFT JOIN block_text AS b ON b.block = c.block
ORDER BY c.curve;

-- at_model: a price that is the model's; is_above: drawn above, too, where other prices and flat stixels are not
CREATE TEMP TABLE draw_points AS
SELECT c.curve, k.at, k.error, k.pieces, k.ms, k.at = 0 AS at_model, c.look = 'rdp' AS is_rdp, c.look <> 'flat' AND (c.look = 'rdp' OR k.at = 0) AS is_above
FROM kept AS k
JOIN curve AS c USING (kind, model, block)
ORDER BY c.curve, k.at;

-- ---- texts beside points; place: 6 in the panel of times ----

CREATE TEMP VIEW main_curve AS SELECT curve FROM draw_curves WHERE look = 'rdp' AND hue = 1 LIMIT 1;
CREATE TEMP VIEW beta_curve AS SELECT curve FROM curve WHERE look = 'slanted' ORDER BY curve DESC LIMIT 1;

CREATE TEMP VIEW draw_labels AS
SELECT 1 AS place, pieces AS x, error, 'ε ' || at AS said FROM draw_points JOIN main_curve USING (curve) WHERE at IN (1, 4, 8, 16, 32)
UNION ALL SELECT 2, pieces, error, 'β ' || at FROM draw_points JOIN beta_curve USING (curve) WHERE at > 0
UNION ALL SELECT 6, ms, error, 'ε ' || at FROM draw_points WHERE is_rdp AND ms > 0;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT 'At ε = 4 px RDP has ' || number_text(r.error) || CASE WHEN t.is_known THEN ' % outliers' ELSE ' px rms error' END || ' and ' || number_text(r.pieces) || ' pixels a segment' ||
           coalesce(', ' || replace(c.name, 'Stixels ', 'Stixels of ') || ' ' || number_text(s.error) || CASE WHEN t.is_known THEN ' %' ELSE ' px' END || ' and ' || number_text(s.pieces) || ' a stixel', '')
    FROM main_curve AS m
    JOIN draw_points AS r ON r.curve = m.curve AND r.at = 4
    JOIN truth AS t
    LEFT JOIN draw_points AS s ON s.curve = (SELECT min(curve) FROM draw_curves WHERE look = 'slanted') AND s.at_model
    LEFT JOIN draw_curves AS c ON c.curve = s.curve), 'RDP column segmentation: accuracy and compression') AS value
UNION ALL
SELECT 'subtitle', 'input ' || input || '; vertical distance; ' || CASE WHEN width = 0 AND height = 0 THEN 'frames at their own size'
    ELSE 'frames brought to ' || width || ' × ' || height || ' px' END FROM held
UNION ALL SELECT 'error_text', CASE WHEN is_known THEN 'outliers against the truth [%]' ELSE 'rms error against the input [px]' END FROM truth
UNION ALL SELECT 'error_is_share', is_known FROM truth
UNION ALL SELECT * FROM (SELECT 'input_error', input_error FROM kept WHERE input_error IS NOT NULL ORDER BY id LIMIT 1)
UNION ALL SELECT 'note', 'No rows yet of stixels.' WHERE NOT EXISTS (SELECT 1 FROM stixel_block)
UNION ALL SELECT 'note', 'Stixels: unfiltered, without classes. ' ||
    CASE WHEN EXISTS (SELECT 1 FROM beta_curve) THEN 'Dashed: at the β of the model, as they have no ε. β: price of a stixel, leftmost the one of the model. ' ELSE '' END ||
    'A stixel is as wide as its block, a segment 1 px. ' ||
    CASE WHEN EXISTS (SELECT 1 FROM draw_points WHERE ms > 0)
         THEN 'Times: segmentation alone; the median filter and the transposition are not in those of RDP, down-sampling is in those of Stixels.' ELSE '' END
    WHERE EXISTS (SELECT 1 FROM stixel_block);
