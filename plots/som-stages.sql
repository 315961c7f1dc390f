-- som-stages.sql - of one map, the stages of the rounds on the GPU and the whole of the same schedule on one core
CREATE TEMP TABLE kept AS
SELECT t.*
FROM timed AS t
JOIN held USING (input)
WHERE (t.stage IS NOT NULL AND t.impl = 'som/gpu-paper') OR (t.stage IS NULL AND t.impl = 'som/rounds');

-- part: of "rounds: search" what stands behind the colon
CREATE TEMP TABLE stage AS
SELECT *, substr(stage, CASE WHEN instr(stage, ': ') THEN instr(stage, ': ') + 2 ELSE 1 END) AS part
FROM kept
WHERE stage IS NOT NULL;
