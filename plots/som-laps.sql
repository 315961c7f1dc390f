-- som-laps.sql - of one map, the stages of the rounds on the GPU and the whole of the same schedule on one core
INSERT INTO wanted_impl VALUES ('som/gpu-paper');

CREATE TABLE kept AS
SELECT t.*
FROM timed AS t
JOIN held USING (input)
WHERE (t.lap IS NOT NULL AND t.impl = 'som/gpu-paper') OR (t.lap IS NULL AND t.impl = 'som/rounds');

-- part: of "rounds: search" what stands behind the colon
CREATE TABLE lap AS
SELECT *, substr(lap, CASE WHEN instr(lap, ': ') THEN instr(lap, ': ') + 2 ELSE 1 END) AS part
FROM kept
WHERE lap IS NOT NULL;
