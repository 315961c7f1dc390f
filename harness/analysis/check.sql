-- check.sql - what rows of several ranks and machines lack, and what is odd in them; 'odd (place, what)' has what is odd in their files

-- Rows of a call, which is what ranks share: of 'ranks' ranks 'share_ranks' have something to do.  A row that ends a configuration, or a
-- range of its inputs, says by share_configs how many its rank has in all.
CREATE TEMP TABLE shared AS
WITH whole AS (
  SELECT id, share, build_hash, protocol, experiment, CASE WHEN scaling IS NULL THEN ranks END AS ranks, CASE WHEN scaling IS NULL THEN rank END AS rank, run, share_ranks,
         share_config, share_configs, results, session, impl, params, input, status, reason, utc, withdrawn FROM measurement
  UNION ALL
  SELECT id, share, build_hash, protocol, experiment, ranks, rank, run, share_ranks, share_config, share_configs, results, session, impl, params, input,
         status, reason, utc, withdrawn FROM part)
SELECT share || ' ' || coalesce(protocol, '') || ' ' || coalesce(run, 0) AS work, build_hash || ' ' || coalesce(ranks, 1) AS way, coalesce(ranks, 1) AS n_ranks,
       coalesce(rank, 0) AS r, rank IS NOT NULL AS is_rank, substr(build_hash, 1, 8) AS build, *
FROM whole
WHERE share IS NOT NULL AND withdrawn IS NULL;
CREATE INDEX temp.shared_way ON shared (work, way, r, share_config);

CREATE TEMP TABLE rank_number AS
WITH RECURSIVE numbered (n_ranks, r) AS (SELECT DISTINCT n_ranks, 0 FROM shared UNION ALL SELECT n_ranks, r + 1 FROM numbered WHERE r + 1 < n_ranks)
SELECT n_ranks, r FROM numbered;
CREATE TEMP TABLE rank_done AS
SELECT work, way, r, min(experiment) AS experiment, min(build) AS build, max(n_ranks) AS n_ranks, max(is_rank) AS is_rank, max(share_ranks) AS share_ranks,
       count(DISTINCT CASE WHEN share_configs IS NOT NULL THEN share_config END) AS n_done, max(share_configs) AS n_own, min(results) AS results
FROM shared
GROUP BY work, way, r;

-- Inputs that no rank has summed up, of configurations of which some have.
CREATE TEMP TABLE missing_range AS
SELECT s.work, s.way, s.results, s.experiment, m.r, s.n_ranks, m.first, m.last, m.n, count(*) AS n_configs
FROM missing_part AS m JOIN shared AS s ON s.id = m.id
GROUP BY s.work, s.way, m.n, m.r;

-- Calls that are not whole, unless the same work is by another build or another number of ranks.
CREATE TEMP TABLE lacking AS
WITH call AS (
  SELECT work, way, min(experiment) AS experiment, min(build) AS build, max(n_ranks) AS n_ranks, max(is_rank) AS is_rank, min(results) AS results,
         sum(n_done >= n_own) >= max(share_ranks) AND NOT EXISTS (SELECT 1 FROM missing_range AS m WHERE m.work = d.work AND m.way = d.way) AS is_whole
  FROM rank_done AS d GROUP BY work, way)
SELECT * FROM call WHERE work NOT IN (SELECT work FROM call WHERE is_whole);

CREATE TEMP TABLE missing AS
SELECT l.work, l.way, n.r, l.experiment, l.build, l.n_ranks, l.is_rank, l.results, d.n_done, d.n_own,
       (SELECT group_concat(DISTINCT o.build) FROM rank_done AS o WHERE o.work = l.work AND o.r = n.r AND o.build <> l.build AND o.n_ranks = l.n_ranks) AS other_builds
FROM lacking AS l JOIN rank_number AS n ON n.n_ranks = l.n_ranks LEFT JOIN rank_done AS d ON d.work = l.work AND d.way = l.way AND d.r = n.r
WHERE d.n_own IS NULL OR d.n_done < d.n_own;

-- Configurations that a rank's machine could not run, or that failed: newest words.
CREATE TEMP TABLE left_over AS
SELECT experiment, r, n_ranks, is_rank, results, impl, params, input, status, reason, max(utc)
FROM shared AS s
WHERE work IN (SELECT work FROM lacking) AND status <> 'ok'
      AND NOT EXISTS (SELECT 1 FROM shared AS d WHERE d.work = s.work AND d.way = s.way AND d.r = s.r AND d.share_config = s.share_config AND d.share_configs IS NOT NULL)
GROUP BY work, way, r, share_config;

-- The share of a rank is fixed: what two sessions of it have, it has done twice.
CREATE TEMP TABLE twice AS
SELECT experiment, r, n_ranks, count(*) AS n, first, last, results
FROM (SELECT experiment, r, n_ranks, min(session) AS first, max(session) AS last, min(results) AS results, work, way FROM shared
      WHERE is_rank AND share_configs IS NOT NULL AND status IN ('ok', 'part')
      GROUP BY work, way, r, share_config HAVING count(DISTINCT session) > 1)
GROUP BY work, way, r, first, last;

CREATE TEMP TABLE copied AS
SELECT session, min(results) AS one, max(results) AS other
FROM (SELECT session, results FROM measurement UNION SELECT session, results FROM part) GROUP BY session HAVING count(*) > 1;
CREATE TEMP TABLE doubled AS
SELECT results, session, row_id FROM (SELECT results, session, row_id FROM measurement WHERE share IS NOT NULL UNION ALL SELECT results, session, row_id FROM part)
GROUP BY results, session, row_id HAVING count(*) > 1;

-- Outputs that are to be equal on all boards, hosts or, for rows of a GPU, that GPU of a host.
CREATE TEMP TABLE board_row AS
SELECT m.impl, m.input, m.params, m.frame_pick, c.batch, m.input_hash, m.output_hash, m.commit_hash, m.verdict,
       m.results || ' ' || coalesce(m.host, 'unknown') || CASE WHEN m.gpu_uuid IS NULL OR m.device <> 'gpu' THEN '' ELSE ', ' || substr(m.gpu_uuid, 1, 12) END AS place
FROM measurement AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.withdrawn IS NULL AND coalesce(m.protocol, 'paper') IN ('paper', 'quick');
CREATE TEMP TABLE differing AS
SELECT 'output' AS what, impl || ' ' || params || ' ' || input AS name, output_hash AS hash, group_concat(DISTINCT place) AS places,
       impl || '|' || params || '|' || input || '|' || input_hash || '|' || frame_pick || '|' || batch || '|' || commit_hash AS same
FROM board_row
WHERE verdict IN ('exact', 'reference') AND output_hash IS NOT NULL GROUP BY same, output_hash;
INSERT INTO differing
SELECT 'data', input, input_hash, group_concat(DISTINCT place), input || '|' || params || '|' || impl || '|' || frame_pick || '|' || batch || '|' || commit_hash AS same
FROM board_row WHERE input_hash IS NOT NULL GROUP BY same, input_hash;

CREATE TEMP VIEW finding AS
SELECT place, what FROM (
  SELECT 1 AS at, place, what FROM odd
  UNION ALL SELECT 2, one, 'session ' || session || ' is in ' || other || ', too' FROM copied
  UNION ALL SELECT 2, results, 'session ' || session || ' has two rows ' || row_id FROM doubled
  UNION ALL SELECT 3, group_concat(places, ' / '),
                   CASE what WHEN 'output' THEN 'OUTPUTS DIFFER, though they are exact, so a machine computes wrongly: ' ELSE 'data of one name are not the same: ' END || name
            FROM (SELECT * FROM differing ORDER BY hash) GROUP BY what, CASE what WHEN 'output' THEN same ELSE name END HAVING count(DISTINCT hash) > 1 AND count(DISTINCT same) < count(*)
  UNION ALL SELECT 4, results, experiment || CASE WHEN is_rank THEN ', rank ' || r || '/' || n_ranks ELSE '' END || ', build ' || build || ': '
                   || CASE WHEN n_done > 0 THEN n_done || CASE WHEN n_own THEN ' of ' || n_own ELSE '' END || ' configurations are there' ELSE 'none of its configurations is there' END
                   || coalesce('; build ' || other_builds || ' has rows of it', '') || '; start it again with --resume' FROM missing
  UNION ALL SELECT 5, results, experiment || ', rank ' || r || '/' || n_ranks || ': inputs ' || first || ' to ' || last || ' of ' || n || ' are missing in ' || n_configs
                   || ' configurations' FROM missing_range WHERE work IN (SELECT work FROM lacking)
  UNION ALL SELECT 6, results, experiment || CASE WHEN is_rank THEN ', rank ' || r || '/' || n_ranks ELSE '' END || ': ' || count(*) || ' ' || status || coalesce(': ' || reason, '')
                   || ' (' || replace(group_concat(DISTINCT impl), ',', ', ') || ')' FROM left_over GROUP BY results, experiment, is_rank, r, n_ranks, status, reason
  UNION ALL SELECT 7, results, experiment || ', rank ' || r || '/' || n_ranks || ': ' || n || ' configurations are done twice: by ' || first || ' and ' || last FROM twice)
ORDER BY at, place, what;
