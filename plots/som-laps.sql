-- som-laps.sql - of one map, the stages of the rounds on the GPU and the whole of the same schedule on one core
INSERT INTO wanted_impl VALUES ('som/gpu-paper');

CREATE VIEW may_show AS SELECT id, input FROM timed;

CREATE VIEW held AS
SELECT coalesce((SELECT value FROM asked WHERE name = 'input'), (SELECT input FROM whole WHERE input = 'conesM' LIMIT 1),
                (SELECT input FROM whole ORDER BY id LIMIT 1)) AS input,
       (SELECT sigma FROM whole WHERE sigma IS NOT NULL ORDER BY id LIMIT 1) AS sigma,
       (SELECT ssr FROM whole WHERE ssr IS NOT NULL ORDER BY id LIMIT 1) AS ssr;

CREATE VIEW kept AS
SELECT t.*
FROM timed AS t
JOIN held AS h ON h.input = t.input
WHERE (t.lap IS NOT NULL AND t.impl = 'som/gpu-paper') OR (t.lap IS NULL AND t.impl = 'som/rounds');

-- part: of "rounds: search" what stands behind the colon
CREATE VIEW lap AS
SELECT *, substr(lap, CASE WHEN instr(lap, ': ') THEN instr(lap, ': ') + 2 ELSE 1 END) AS part
FROM kept
WHERE lap IS NOT NULL;
