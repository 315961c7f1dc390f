-- rdp-fig9.sql - a curve for each variant and kind of frames; the corrupt case is the input 'noise'
-- beside scene: street: :8
INSERT INTO wanted_impl VALUES ('rdp/gpu-paper'), ('rdp/gpu-opt');

CREATE TABLE frames (place INTEGER PRIMARY KEY, which TEXT, name TEXT);
INSERT INTO frames (which, name)
VALUES ('all', 'average frame'), ('best', 'best frame'), ('worst', 'worst frame'), ('typical', 'typical frame'), ('noise', 'full noise');

CREATE TABLE kept AS
SELECT s.*, f.which, 10 * v.place + f.place AS curve, f.place AS frames
FROM in_series AS s
JOIN held AS h USING (eps, width, batch)
JOIN variant AS v ON v.impl = s.impl
JOIN frames AS f ON f.which = CASE s.input WHEN 'noise' THEN 'noise' ELSE s.frame_pick END
WHERE s.input IN (h.input, 'noise');

CREATE VIEW drawn AS
SELECT id
FROM kept
WHERE EXISTS (SELECT 1 FROM kept WHERE which <> 'noise');

CREATE VIEW draw_points AS
SELECT curve, height, mean_ms AS ms, max(mean_ms - coalesce(sd_ms, 0), min_ms) AS low, mean_ms + coalesce(sd_ms, 0) AS high
FROM kept
ORDER BY curve, height;

CREATE VIEW draw_curves AS SELECT DISTINCT curve, impl, frames FROM kept ORDER BY curve;
CREATE VIEW draw_variants AS SELECT impl FROM kept GROUP BY impl ORDER BY min(curve);
CREATE VIEW draw_frames AS SELECT place AS frames, name FROM frames WHERE place IN (SELECT frames FROM kept);

-- The time at 1024 rows is printed (read = table); two more points follow from the text's growth by height (derived).
CREATE VIEW draw_printeds AS
SELECT height, value AS ms, "read" = 'table' AS is_printed
FROM printed
WHERE figure = 'fig9' AND name = 'mean_ms';

CREATE VIEW text AS
SELECT 'title' AS name, 'RDP column segmentation: run time against column height' AS value
UNION ALL SELECT 'subtitle', h.width || ' columns, ε = ' || h.eps || ' px, input ' || h.input ||
    CASE WHEN n.most IS NULL THEN ''
         WHEN n.fewest < n.most THEN ' (' || n.most || ' frames, tall columns ' || n.fewest || ')'
         ELSE ' (' || n.most || CASE n.most WHEN 1 THEN ' frame)' ELSE ' frames)' END END ||
    '; bars: one standard deviation of the samples, not below the least'
    FROM held AS h, (SELECT min(n_inputs) AS fewest, max(n_inputs) AS most FROM kept WHERE which = 'all') AS n;
