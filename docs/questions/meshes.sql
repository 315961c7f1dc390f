-- How good are meshes of the SOM by map, over all seeds, and do two variants differ?
WITH cost AS (
  SELECT m.input, m.seed, m.impl = 'som/gpu-opt' AS is_opt, median(v.value) AS pct
  FROM good AS m JOIN configuration AS c ON c.id = m.configuration
  JOIN value AS v ON v.measurement = m.id AND v.name = 'cost_pct' AND v.idx IS NULL
  WHERE m.results = 'xeon-16c_nvidia-h200' AND m.rounds = 1500 AND m.sigma = 12 AND m.ssr = 4
    AND c.batch = 1 AND c.sms IS NULL AND (m.impl = 'som/gpu-opt' OR
      m.impl = 'som/gpu-paper' AND m.block_threads = 8 AND m.atomics = 'cas64')
  GROUP BY m.input, m.seed, is_opt)
SELECT c.input, p.value AS printed, avg(CASE WHEN NOT is_opt THEN pct END) AS paper_pct,
       avg(CASE WHEN is_opt THEN pct END) AS opt_pct, count(*) - sum(is_opt) AS n_paper,
       sum(is_opt) AS n_opt, mann_whitney(pct, is_opt) AS p
FROM cost AS c JOIN printed AS p
  ON p.paper = 'som' AND p.figure = 'table2' AND p.name = 'cost_pct'
 AND p.impl = '[SOM] GPU' AND p.input = c.input AND p.ssr = 4 AND p.sigma = 12
GROUP BY c.input, p.value ORDER BY c.input
