-- cut.sql - times by the number of multiprocessors in use, for {rdp,som,stixels}-cut.sql
--
-- The figure of a paper has: may_cut, its rows with a text `piece` for each line that a variant has; board (name, sms, mhz), the paper's
-- GPU; and printed_ms (impl, piece, ms), what the paper prints for it.
CREATE VIEW kept AS SELECT * FROM may_cut WHERE sms > 0;

CREATE VIEW piece AS SELECT piece, min(id) AS place FROM kept GROUP BY piece;

CREATE VIEW fewest AS
SELECT min(sms) AS sms, (SELECT gpu_mhz_med FROM kept WHERE gpu_mhz_med > 0 ORDER BY sms, id LIMIT 1) AS mhz
FROM kept;

CREATE VIEW draw_pieces AS SELECT piece AS name FROM piece ORDER BY place;
CREATE VIEW draw_variants AS SELECT impl FROM variant WHERE impl IN (SELECT impl FROM kept) ORDER BY place;
CREATE VIEW draw_parts AS SELECT DISTINCT sms FROM kept ORDER BY id;

CREATE VIEW curve AS
SELECT 1000 * v.place + p.place AS curve, k.impl, k.piece, (SELECT count(*) FROM piece AS b WHERE b.place <= p.place) AS dash
FROM kept AS k
JOIN variant AS v ON v.impl = k.impl
JOIN piece AS p ON p.piece = k.piece
GROUP BY k.impl, k.piece;

-- first: the time on one, if it falls as 1 / N from the fewest on; 0: not measured there
CREATE VIEW draw_curves AS
SELECT c.curve, c.impl, c.dash, coalesce(f.sms * k.mean_ms, 0) AS first
FROM curve AS c
JOIN fewest AS f
LEFT JOIN kept AS k ON k.impl = c.impl AND k.piece = c.piece AND k.sms = f.sms
GROUP BY c.curve
ORDER BY c.curve;

CREATE VIEW draw_points AS
SELECT c.curve, k.sms, k.mean_ms AS ms
FROM kept AS k
JOIN curve AS c ON c.impl = k.impl AND c.piece = k.piece
ORDER BY c.curve, k.sms;

-- At the clock that was measured here.
CREATE VIEW draw_printeds AS
SELECT p.impl, b.sms, p.ms * b.mhz / f.mhz AS ms
FROM printed_ms AS p, board AS b, fewest AS f
WHERE p.piece IN (SELECT piece FROM piece) AND p.impl IN (SELECT impl FROM kept) AND f.mhz > 0;

CREATE VIEW text AS
SELECT name, value FROM cut_text
UNION ALL SELECT 'fewest', sms FROM fewest
UNION ALL SELECT 'printed_name', 'printed, ' || b.name || ' × ' || b.mhz || printf(' / %.0f MHz', f.mhz) FROM board AS b, fewest AS f
UNION ALL SELECT 'note', 'Hollow: printed for the ' || sms || ' multiprocessors of a ' || name ||
    ', at the clock measured here; memory, caches and lanes a multiprocessor do not scale. '
    FROM board WHERE EXISTS (SELECT 1 FROM draw_printeds);
