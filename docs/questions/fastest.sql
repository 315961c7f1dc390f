-- Which variant of each kind is the fastest for RDP at height 1024? min() takes the other columns from its row.
SELECT m.results, m.device, m.impl, min(m.mean_ms) AS mean_ms, m.threads, m.session
FROM current AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.problem = 'rdp' AND m.height = 1024 AND m.eps = 4 AND m.median = 0
  AND m.input = 'kitti-sgm' AND m.frame_pick = 'all' AND m.scope = 'kernel'
  AND m.series = 'frames' AND m.stage IS NULL AND c.batch = 1 AND c.sms IS NULL
GROUP BY m.results, m.device ORDER BY m.results, mean_ms
