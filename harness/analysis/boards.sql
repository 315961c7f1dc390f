-- boards.sql - the rule: each board of 'process_ms' against the others of its kind; 'rule (floor, fdr, least_runs)' says by what they differ.
-- docs/CLUSTER.md says how often it is right.

-- By their times: the exact test has room for 64 numbers a side, so of more every k-th is taken.
CREATE TEMP TABLE by_time AS SELECT * FROM process_ms ORDER BY results, configuration, protocol, ms;
CREATE INDEX temp.by_time_family ON by_time (results, configuration, protocol);
CREATE TEMP TABLE family AS
SELECT results, configuration, protocol, 1 + count(*) / 64 AS step FROM process_ms GROUP BY results, configuration, protocol;
CREATE TEMP TABLE tried_board AS
SELECT results, configuration, protocol, board, count(*) AS n, 1 + count(*) / 65 AS step
FROM process_ms
GROUP BY results, configuration, protocol, board HAVING n >= (SELECT least_runs FROM rule);
CREATE INDEX temp.tried_family ON tried_board (results, configuration, protocol);

-- A board and a configuration; side 1 is the board, side 0 all others.  (In the order of tried_board: nothing of the long join is sorted.)
CREATE TEMP TABLE board_pair AS
SELECT b.results, b.configuration, b.protocol, b.board, b.n, count(*) - b.n AS n_others,
       median(CASE WHEN p.board = b.board THEN p.ms END) AS ms, median(CASE WHEN p.board <> b.board THEN p.ms END) AS others_ms,
       mann_whitney(CASE WHEN p.rowid % CASE p.board WHEN b.board THEN b.step ELSE f.step END = 0 THEN p.ms END, p.board = b.board) AS p
FROM tried_board AS b CROSS JOIN family AS f USING (results, configuration, protocol)
CROSS JOIN by_time AS p ON p.results = b.results AND p.configuration = b.configuration AND p.protocol = b.protocol
WHERE EXISTS (SELECT 1 FROM tried_board AS o
              WHERE o.results = b.results AND o.configuration = b.configuration AND o.protocol = b.protocol AND o.board <> b.board)
GROUP BY b.rowid;

-- Benjamini and Hochberg over all of them: of all p as large or larger the least p n / rank.  A rowid of sorted_p is a rank.
CREATE TEMP TABLE sorted_p AS SELECT p FROM board_pair WHERE p IS NOT NULL ORDER BY p;
CREATE TEMP TABLE ranked AS SELECT p, max(rowid) AS rank FROM sorted_p GROUP BY p;
CREATE TEMP TABLE adjusted AS
SELECT one.p, min(1, (SELECT min(r.p * n / r.rank) FROM ranked AS r WHERE r.p >= one.p)) AS q
FROM ranked AS one, (SELECT count(*) AS n FROM board_pair);
CREATE TEMP TABLE board_verdict AS
SELECT b.*, ms / others_ms - 1 AS change, a.q
FROM board_pair AS b LEFT JOIN adjusted AS a ON a.p = b.p;
CREATE TEMP VIEW odd_board AS
SELECT v.*, CASE WHEN change > 0 THEN 'slower' ELSE 'faster' END AS word
FROM board_verdict AS v, rule
WHERE abs(change) >= rule.floor AND q <= rule.fdr;

-- Times that changed for good while a board ran, by the steps of docs/REGRESSION.md; its processes in their order.
CREATE TEMP TABLE in_turn AS SELECT * FROM process_ms ORDER BY results, configuration, protocol, board, utc, session;
CREATE TEMP TABLE drift AS
WITH levels AS (
  SELECT results, configuration, protocol, board, min(at) + json_extract(steps(ms), '$[1]') AS step, count(*) AS n
  FROM (SELECT rowid AS at, * FROM in_turn ORDER BY rowid)
  GROUP BY results, configuration, protocol, board HAVING n >= (SELECT least_runs FROM rule))
SELECT l.results, l.configuration, l.protocol, l.board, l.n, l.step - min(p.rowid) AS step,
       median(CASE WHEN p.rowid >= l.step THEN p.ms END) / median(CASE WHEN p.rowid < l.step THEN p.ms END) - 1 AS change
FROM levels AS l JOIN in_turn AS p USING (results, configuration, protocol, board)
WHERE l.step IS NOT NULL
GROUP BY l.results, l.configuration, l.protocol, l.board HAVING abs(change) >= (SELECT floor FROM rule);
