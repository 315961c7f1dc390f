-- cut.sql - times by the number of multiprocessors in use, for {rdp,som,stixels}-cut.sql
--
-- The figure of a paper has: cut_text (title, subtitle), where title names the problem; kept, its rows on a number of SMs with a text `piece` for each line that a variant has; board (name, sms, mhz), the paper's
-- GPU; and printed_ms (impl, piece, ms), what the paper prints for it.  A printed time stays as it is printed: ours is brought to its clock.
CREATE TEMP VIEW piece AS SELECT piece, min(id) AS place FROM kept GROUP BY piece;

CREATE TEMP VIEW fewest AS SELECT min(sms) AS sms FROM kept;

-- ---- (a) on as many multiprocessors as the paper's GPU has, or the next number that was measured ----

-- scaled: brought to the clock of the paper's GPU
CREATE TEMP VIEW beside AS
SELECT k.variant AS place, p.place AS piece_place, k.impl, k.piece, k.mean_ms AS ms, k.mean_ms * k.gpu_mhz_med / b.mhz AS scaled, k.gpu_mhz_med AS mhz, k.sms,
       (SELECT ms FROM printed_ms AS t WHERE t.impl = k.impl AND t.piece = k.piece) AS printed, k.title
FROM kept AS k
JOIN board AS b
JOIN piece AS p ON p.piece = k.piece
WHERE k.gpu_mhz_med > 0 AND k.sms = (SELECT min(sms) FROM kept WHERE sms >= b.sms);

CREATE TEMP VIEW draw_rows AS
SELECT (SELECT count(*) FROM beside AS a WHERE (a.place, a.piece_place) <= (b.place, b.piece_place)) AS at, b.impl, b.piece || ', ' || b.title AS label,
       b.ms, b.scaled, coalesce(b.printed, 0) AS printed, max(b.scaled, b.ms, coalesce(b.printed, 0)) AS far,
       time_text(b.scaled) || CASE WHEN b.printed > 0 THEN ', printed ' || time_text(b.printed) || ': ' ||
           CASE WHEN b.printed >= b.scaled THEN number_text(b.printed / b.scaled) || ' × as fast' ELSE number_text(b.scaled / b.printed) || ' × as slow' END
           ELSE '' END AS said
FROM beside AS b
ORDER BY 1;

-- ---- (b) on more of them ----

-- What is measured on several numbers of them, if anything is.
CREATE TEMP VIEW swept AS
WITH part AS (SELECT impl, piece, count(DISTINCT sms) AS n FROM kept GROUP BY impl, piece)
SELECT impl, piece FROM part WHERE n > 1 OR (SELECT max(n) FROM part) = 1;

CREATE TEMP VIEW drawn_piece AS SELECT piece, place FROM piece WHERE piece IN (SELECT piece FROM swept);
CREATE TEMP VIEW draw_pieces AS SELECT piece AS name FROM drawn_piece ORDER BY place;
CREATE TEMP VIEW draw_variants AS SELECT impl, title FROM variant WHERE impl IN (SELECT impl FROM kept) ORDER BY place;
CREATE TEMP VIEW draw_parts AS SELECT DISTINCT sms FROM kept ORDER BY id;

CREATE TEMP VIEW curve AS
SELECT 1000 * v.place + p.place AS curve, k.impl, k.piece, (SELECT count(*) FROM drawn_piece AS b WHERE b.place <= p.place) AS dash
FROM swept AS k
JOIN variant AS v ON v.impl = k.impl
JOIN drawn_piece AS p ON p.piece = k.piece;

-- first: the time on one, if it falls as 1 / N from the fewest on; 0: not measured there
CREATE TEMP VIEW draw_curves AS
SELECT c.curve, c.impl, c.dash, coalesce(f.sms * k.mean_ms, 0) AS first
FROM curve AS c
JOIN fewest AS f
LEFT JOIN kept AS k ON k.impl = c.impl AND k.piece = c.piece AND k.sms = f.sms
GROUP BY c.curve
ORDER BY c.curve;

CREATE TEMP VIEW draw_points AS
SELECT c.curve, k.sms, k.mean_ms AS ms
FROM kept AS k
JOIN curve AS c ON c.impl = k.impl AND c.piece = k.piece
ORDER BY c.curve, k.sms;

CREATE TEMP VIEW clock AS SELECT printf('%.0f MHz', max(mhz)) AS said, max(sms) AS sms FROM beside;
CREATE TEMP VIEW draw_titles AS
SELECT '(a) on ' || c.sms || ' of this GPU''s SMs, at the clock of a ' || b.name || ', which has ' || b.sms AS said FROM board AS b, clock AS c WHERE EXISTS (SELECT 1 FROM beside)
UNION ALL SELECT '(b) on more of its SMs';
CREATE TEMP VIEW draw_marks AS
SELECT 1 AS mark, 'measured here, at ' || c.said AS said FROM clock AS c WHERE c.said IS NOT NULL
UNION ALL SELECT 2, 'the same, brought to the ' || b.mhz || ' MHz of a ' || b.name FROM board AS b, clock AS c WHERE c.said IS NOT NULL
UNION ALL SELECT 3, 'hollow: printed for a ' || name FROM board WHERE EXISTS (SELECT 1 FROM beside WHERE printed > 0);

CREATE TEMP VIEW text AS
SELECT 'title' AS name, title || coalesce((
    SELECT replace(' on ' || a.sms || ' SMs at a ' || b.name || '''s clock: ' || CASE WHEN min(scaled) < max(scaled) THEN time_text(min(scaled)) || ' to ' ELSE '' END || time_text(max(scaled)) ||
           ' by the paper''s kernel; printed ' || CASE WHEN min(printed) < max(printed) THEN time_text(min(printed)) || ' to ' ELSE '' END || time_text(max(printed)), ' ms to ', ' to ')
    FROM beside AS a JOIN board AS b WHERE printed > 0 AND impl LIKE '%/gpu-paper' GROUP BY a.sms), ': a part of this GPU beside the one of the paper') AS value
FROM cut_text
UNION ALL SELECT 'subtitle', subtitle FROM cut_text
UNION ALL SELECT 'fewest', sms FROM fewest
UNION ALL SELECT 'note', 'A part of this GPU is not a ' || name || ': its memory, caches and the lanes of each SM stay its own. ' FROM board WHERE EXISTS (SELECT 1 FROM beside);
