-- fleet.sql - machines and GPUs of one kind beside one another: what should be equal and is not, and the numbers that boards.sql judges

CREATE TEMP TABLE board_row AS
SELECT m.id, m.results, m.configuration, m.impl, m.input, m.params, m.frame_pick, c.batch, m.input_hash, m.output_hash, m.commit_hash, m.build_hash,
       coalesce(m.protocol, 'paper') AS protocol, m.session, m.utc, m.status, m.median_ms, m.verdict, m.stage, m.scope, m.series,
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

-- ---- each board against the others of its kind ----

-- A process is one number: its median.
CREATE TEMP TABLE timed AS
SELECT results, configuration, protocol, build_hash, board, session, min(utc) AS utc, median(median_ms) AS ms
FROM board_row
WHERE status = 'ok' AND stage IS NULL AND typeof(median_ms) = 'real' AND median_ms > 0
GROUP BY results, configuration, protocol, build_hash, board, session;

-- Only one build is compared, the one of most processes, of these the newest.  (SQLite takes build_hash from the row of the maximum.)
CREATE TEMP TABLE process_ms AS
WITH build AS (
  SELECT results, build_hash, printf('%012d%s', count(DISTINCT session), max(utc)) AS preference FROM timed GROUP BY results, build_hash),
compared AS (SELECT results, build_hash, max(preference) FROM build GROUP BY results)
SELECT t.*
FROM compared AS c JOIN timed AS t ON t.results = c.results AND t.build_hash = c.build_hash;
