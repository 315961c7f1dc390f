-- Which stage of stixels/gpu-opt takes which share of its time?
-- They are timed in a pass of their own, so they add up to more than the whole.
WITH part AS (
  SELECT m.results, m.session, m.gpu_uuid, m.block, m.stage, m.mean_ms
  FROM current AS m JOIN configuration AS c ON c.id = m.configuration
  WHERE m.impl = 'stixels/gpu-opt' AND m.input = 'city' AND m.frame_pick = 'all'
    AND m.model = 'b12' AND m.arith = 'float' AND m.planes = 'float' AND m.classes = 18
    AND m.scope = 'kernel' AND m.series = 'hot' AND c.batch = 1 AND c.sms IS NULL)
SELECT s.block, s.stage, s.mean_ms, round(100.0 * s.mean_ms / whole.mean_ms, 1) AS pct
FROM part AS s JOIN part AS whole USING (results, session, gpu_uuid, block)
WHERE whole.stage IS NULL AND s.stage IS NOT NULL
ORDER BY s.block, s.stage LIKE 'dp:%', s.mean_ms DESC
