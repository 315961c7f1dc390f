-- own.sql - what the report says of this project's own variant, which the paper does not have
SELECT printf('Our own `rdp/gpu-opt` takes %.1f µs for a frame of 1242 × 1024 px, %.1f times as fast as the paper’s algorithm on the same GPU.',
              1000 * a.mean_ms, b.mean_ms / a.mean_ms)
FROM good AS a
JOIN good AS b
  ON b.session = a.session AND b.gpu_uuid = a.gpu_uuid AND b.experiment = a.experiment AND b.input = a.input AND b.frame_pick = a.frame_pick
 AND b.scope = a.scope AND b.series = a.series AND b.height = a.height AND b.eps = a.eps AND b.median = a.median AND b.stage IS a.stage
WHERE a.impl = 'rdp/gpu-opt' AND b.impl = 'rdp/gpu-paper' AND a.experiment = 'rdp/table1' AND a.input = 'kitti-sgm' AND a.frame_pick = 'all'
  AND a.scope = 'kernel' AND a.series = 'frames' AND a.height = 1024 AND a.eps = 4 AND a.stage IS NULL
ORDER BY a.session DESC
LIMIT 1
