-- own.sql - what the report says of this project's own variant, which the paper does not have
SELECT printf('Our own `som/gpu-opt` makes the mesh of a map of 900 × 750 px in %.1f ms, %.0f times as fast as the paper’s schedule on the same GPU.',
              avg(a.mean_ms), avg(b.mean_ms) / avg(a.mean_ms))
FROM good AS a
JOIN good AS b
  ON b.session = a.session AND b.gpu_uuid = a.gpu_uuid AND b.experiment = a.experiment AND b.input = a.input AND b.seed = a.seed AND b.scope = a.scope
 AND b.sigma = a.sigma AND b.ssr = a.ssr AND b.rounds = a.rounds AND b.stage IS a.stage
WHERE a.impl = 'som/gpu-opt' AND b.impl = 'som/gpu-paper' AND b.block_threads = 8 AND b.atomics = 'cas64' AND a.experiment = 'som/table2' AND a.input = 'conesM' AND a.sigma = 12 AND a.scope = 'kernel'
  AND a.stage IS NULL
GROUP BY a.session
ORDER BY a.session DESC
LIMIT 1
