-- How much faster than rdp/serial is rdp/gpu-opt, by height, within each session?
SELECT height, median(a.mean_ms) AS serial_ms, median(b.mean_ms) AS gpu_ms,
       round(median(a.mean_ms) / median(b.mean_ms), 1) AS speed_up, session
FROM good AS a
JOIN good AS b USING (results, session, gpu_uuid, height, eps, median, input, frame_pick,
                      scope, series)
JOIN configuration AS c ON c.id = b.configuration
WHERE a.impl = 'rdp/serial' AND b.impl = 'rdp/gpu-opt' AND a.input = 'kitti-sgm'
  AND a.eps = 4 AND a.median = 0 AND a.frame_pick = 'all' AND a.scope = 'kernel'
  AND a.series = 'frames' AND a.stage IS NULL AND b.stage IS NULL
  AND c.batch = 1 AND c.sms IS NULL
GROUP BY height, results, session, gpu_uuid ORDER BY height, session
