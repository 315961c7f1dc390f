-- fleet.sql - what should be equal on all machines and GPUs, and is not

CREATE TEMP TABLE board_row AS
SELECT m.results, m.impl, m.input, m.params, m.frame_pick, c.batch, m.input_hash, m.output_hash, m.commit_hash, m.verdict,
       coalesce(m.host, 'unknown') || CASE WHEN m.gpu_uuid IS NULL OR m.device <> 'gpu' THEN '' ELSE ', ' || substr(m.gpu_uuid, 1, 12) END AS board
FROM measurement AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.withdrawn IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick');

-- ---- outputs that are to be equal and are not ----

CREATE TEMP TABLE differing AS
WITH output AS (
  SELECT DISTINCT impl, params, input, input_hash, frame_pick, batch, commit_hash, output_hash, results || ' ' || board AS place
  FROM board_row
  WHERE verdict IN ('exact', 'reference') AND output_hash IS NOT NULL),
one AS (
  SELECT impl, params, input, input_hash, frame_pick, batch, commit_hash, output_hash, group_concat(place, ', ') AS places, count(*) AS n
  FROM (SELECT * FROM output ORDER BY place)
  GROUP BY impl, params, input, input_hash, frame_pick, batch, commit_hash, output_hash)
SELECT impl, input, params, substr(commit_hash, 1, 7) AS "commit", output_hash AS output, places AS "found on"
FROM one
WHERE (impl, params, input, input_hash, frame_pick, batch, commit_hash) IN
      (SELECT impl, params, input, input_hash, frame_pick, batch, commit_hash FROM one GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING count(*) > 1)
ORDER BY impl, params, input, n DESC;

-- Data of one name that are not the same data.
CREATE TEMP TABLE differing_input AS
WITH seen AS (
  SELECT DISTINCT input, params, impl, frame_pick, batch, commit_hash, input_hash, results || ' ' || board AS place FROM board_row WHERE input_hash IS NOT NULL)
SELECT input, input_hash AS hash, group_concat(DISTINCT place) AS "found on"
FROM seen
WHERE (input, params, impl, frame_pick, batch, commit_hash) IN
      (SELECT input, params, impl, frame_pick, batch, commit_hash FROM seen GROUP BY 1, 2, 3, 4, 5, 6 HAVING count(DISTINCT input_hash) > 1)
GROUP BY input, input_hash ORDER BY input;
