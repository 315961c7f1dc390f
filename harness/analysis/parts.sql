-- parts.sql - rows that ranks have left of some inputs each: which are of one row, and what is missing of it

CREATE TABLE part AS SELECT * FROM measurement WHERE status = 'part' OR stage GLOB 'inputs [0-9]* to [0-9]*';
DELETE FROM measurement WHERE id IN (SELECT id FROM part);
CREATE INDEX part_value_part ON part_value (part);

-- Of a range that is there twice, the newest.  'whole' has all that names a row of all inputs.  (SQLite takes the other columns from the
-- row that has the maximum.)
CREATE TABLE piece AS
SELECT max(coalesce(utc, '') || printf('%012d', id)) AS newest, id, whole, results, impl, CAST(substr(stage, 8) AS INTEGER) AS first,
       CAST(substr(stage, instr(stage, ' to ') + 4) AS INTEGER) AS last, CAST(substr(stage, instr(stage, ' of ') + 4) AS INTEGER) AS n,
       coalesce(ranks, 1) AS n_ranks, CASE status WHEN 'part' THEN n ELSE -1 END AS n_sums
FROM (SELECT *, results || '|' || coalesce(build_hash, '') || '|' || coalesce(protocol, '') || '|' || coalesce(impl, '') || '|' || coalesce(params, '') || '|'
                || coalesce(plan, '') || '|' || coalesce(input, '') || '|' || coalesce(frame_pick, '') || '|' || coalesce(batch, '') || '|' || coalesce(transfer, '') || '|'
                || coalesce(mode_name, '') || '|' || coalesce(run, '') || '|' || coalesce(ranks, '') || substr(stage, instr(stage, ' of ')) AS whole
      FROM part WHERE withdrawn IS NULL AND instr(stage, ' of '))
GROUP BY whole, stage;
CREATE INDEX piece_whole ON piece (whole, first);

-- Ranges that no rank has left, by the rule of share.c.
CREATE VIEW missing_part AS
WITH RECURSIVE cut (whole, id, impl, n, n_ranks, r) AS (
    SELECT whole, min(id), impl, n, min(n_ranks, n), 0 FROM piece GROUP BY whole
    UNION ALL
    SELECT whole, id, impl, n, n_ranks, r + 1 FROM cut WHERE r + 1 < n_ranks)
SELECT whole, id, impl, r, n * r / n_ranks + 1 AS first, n * (r + 1) / n_ranks AS last, n
FROM cut
WHERE NOT EXISTS (SELECT 1 FROM piece AS p WHERE p.whole = cut.whole AND p.first = cut.n * cut.r / cut.n_ranks + 1);
