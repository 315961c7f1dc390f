-- own.sql - what the report says of this project's own variant, which the paper does not have
SELECT printf('Our own `stixels/gpu-opt` takes %.0f µs for a frame of 2048 × 1024 px in blocks of 8 × 8 px, %.1f times as fast as the paper’s algorithm '
              || 'on the same GPU.', 1000 * a.mean_ms, b.mean_ms / a.mean_ms)
FROM good AS a
JOIN good AS b
  ON b.session = a.session AND b.gpu_uuid = a.gpu_uuid AND b.experiment = a.experiment AND b.input = a.input AND b.scope = a.scope AND b.series = a.series
 AND b.block = a.block AND b.model = a.model AND coalesce(b.batch, 1) = coalesce(a.batch, 1) AND b.sms IS a.sms AND b.stage IS a.stage
WHERE a.impl = 'stixels/gpu-opt' AND b.impl = 'stixels/gpu-paper' AND a.input = 'city' AND a.block = 8 AND a.model = 'b12' AND a.scope = 'kernel'
  AND a.series = 'hot' AND coalesce(a.batch, 1) = 1 AND (a.sms IS NULL OR a.sms = a.sm_count) AND a.stage IS NULL
ORDER BY a.session DESC
LIMIT 1
