-- rdp-fig9.sql - run time by column height: the paper's kernel on the paper's frames, and all variants on the average one
-- beside scene: street: :8
INSERT INTO wanted_impl VALUES ('rdp/gpu-paper'), ('rdp/gpu-opt');

CREATE TEMP TABLE frames (place INTEGER PRIMARY KEY, which TEXT, name TEXT);
INSERT INTO frames (which, name)
VALUES ('all', 'average of the frames'), ('best', 'best frame'), ('worst', 'worst frame'), ('typical', 'typical frame'),
       ('noise', 'full noise');

CREATE TEMP TABLE found AS
SELECT s.*, f.which, f.place AS frames
FROM in_series AS s
JOIN held AS h USING (eps, width, batch)
JOIN frames AS f ON f.which = CASE s.input WHEN 'noise' THEN 'noise' ELSE s.frame_pick END
WHERE s.input IN (h.input, 'noise');

-- The paper's panel has its GPU up to 1024 rows; without a GPU, the first variant there is.
CREATE TEMP TABLE main AS
SELECT impl, title FROM found ORDER BY impl = 'rdp/gpu-paper' DESC, variant LIMIT 1;

CREATE TEMP TABLE matched AS
SELECT 1 AS panel, frames AS line, f.* FROM found AS f WHERE f.impl = (SELECT impl FROM main) AND f.height <= 1024
UNION ALL
SELECT 2, 10 + variant, f.* FROM found AS f WHERE f.which = 'all';

-- A line has rows of one build, flags and number of frames: others are a curve of their own.
CREATE TEMP TABLE built AS
SELECT m.*, substr(m.commit_hash, 1, 7) || coalesce(' (' || substr(e.text, e.at, instr(substr(e.text, e.at) || ' ', ' ') - 1) || ')', '') AS build
FROM matched AS m
LEFT JOIN (SELECT session, text, instr(text, '-march=') + 7 AS at FROM environment WHERE key = 'flags' AND text LIKE '%-march=%') AS e ON e.session = m.session;
CREATE TEMP TABLE kept AS
SELECT b.*, 100 * b.line + (SELECT count(DISTINCT o.build || coalesce(o.n_inputs, ''))
        FROM built AS o WHERE o.line = b.line AND o.build || coalesce(o.n_inputs, '') <= b.build || coalesce(b.n_inputs, '')) AS curve
FROM built AS b;

CREATE TEMP VIEW drawn AS
SELECT id
FROM kept
WHERE EXISTS (SELECT 1 FROM kept WHERE panel = 2);

CREATE TEMP VIEW draw_points AS
SELECT panel, curve, height, mean_ms AS ms, max(mean_ms - coalesce(sd_ms, 0), min_ms) AS low, mean_ms + coalesce(sd_ms, 0) AS high
FROM kept
ORDER BY curve, height;

-- The time at 1024 rows is printed (read = table); two more points follow from the text's growth by height (derived).
CREATE TEMP VIEW draw_printeds AS
SELECT height, value AS ms, "read" = 'table' AS is_printed
FROM printed
WHERE figure = 'fig9' AND name = 'mean_ms';

CREATE TEMP VIEW panel_range AS
SELECT panel, min(ms) AS low, max(ms) AS high
FROM (SELECT panel, ms FROM draw_points UNION ALL SELECT 1, ms FROM draw_printeds)
GROUP BY panel;

-- tall: the kernel for long columns is another
CREATE TEMP VIEW draw_panels AS
SELECT r.panel, CASE r.panel WHEN 1 THEN m.title ELSE 'all variants, ' || f.name END AS title,
       r.panel = 2 AND (SELECT max(height) FROM kept WHERE impl = 'rdp/gpu-opt') > 1024 AS tall, r.low, r.high
FROM panel_range AS r
JOIN main AS m
JOIN frames AS f ON f.which = 'all'
ORDER BY r.panel;

CREATE TEMP VIEW draw_curves AS
SELECT DISTINCT k.panel, k.curve, k.impl, k.frames, k.curve = (SELECT min(o.curve) FROM kept AS o WHERE o.line = k.line) AS is_named,
       CASE k.panel WHEN 1 THEN f.name ELSE k.title END AS name
FROM kept AS k
JOIN frames AS f ON f.place = k.frames
ORDER BY k.curve;

CREATE TEMP VIEW draw_ends AS
SELECT c.name, max(p.height) AS height, p.ms FROM draw_points AS p JOIN draw_curves AS c ON c.curve = p.curve WHERE p.panel = 1 AND c.is_named GROUP BY c.curve
UNION ALL
SELECT 'printed, Xavier', max(height), ms FROM draw_printeds GROUP BY NULL HAVING count(*) > 0
ORDER BY 3 DESC;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, coalesce((
    SELECT min(height) || ' rows take the paper''s kernel ' || time_text(min(ms)) || ', ' || max(height) || ' rows ' || time_text(max(ms)) ||
           coalesce((SELECT '; printed for a Xavier: ' || time_text(min(ms)) || ' and ' || time_text(max(ms)) FROM draw_printeds GROUP BY NULL HAVING min(height) = least AND max(height) = most), '')
    FROM draw_points JOIN (SELECT min(height) AS least, max(height) AS most FROM kept WHERE panel = 1 AND which = 'all')
    WHERE curve IN (SELECT curve FROM kept WHERE panel = 1 AND which = 'all' AND impl = 'rdp/gpu-paper') GROUP BY NULL HAVING count(*) > 1),
    'RDP column segmentation: run time against column height') AS value
UNION ALL SELECT 'subtitle', h.width || ' columns, ε = ' || h.eps || ' px, input ' || h.input ||
    CASE WHEN n.most IS NULL THEN ''
         WHEN n.fewest < n.most THEN ' (' || n.most || ' frames, tall columns ' || n.fewest || ')'
         ELSE ' (' || n.most || CASE n.most WHEN 1 THEN ' frame)' ELSE ' frames)' END END ||
    '; means; bars: one standard deviation of the samples, not below the least'
    FROM held AS h, (SELECT min(n_inputs) AS fewest, max(n_inputs) AS most FROM kept WHERE which = 'all') AS n
UNION ALL SELECT 'note', coalesce((SELECT 'No line joins two builds: ' || group_concat(said, '; ') || '. '
    FROM (SELECT min(height) || CASE WHEN max(height) > min(height) THEN ' to ' || max(height) ELSE '' END || ' rows are of ' || build AS said FROM kept WHERE panel = 2 GROUP BY build ORDER BY min(height))
    GROUP BY NULL HAVING count(*) > 1), (SELECT 'No line joins means of ' || max(n_inputs) || ' and of ' || min(n_inputs) || ' frames. ' FROM kept WHERE panel = 2 GROUP BY NULL HAVING min(n_inputs) < max(n_inputs)), '') ||
    CASE WHEN EXISTS (SELECT 1 FROM draw_printeds) THEN 'Hollow: [RDP] Fig. 9 and Table 1 on a Xavier; its 1.09 ms at 1024 rows are printed, the smaller two follow ' ||
        'from its "× 2.5" and "× 6". ' ELSE '' END;
