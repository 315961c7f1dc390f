-- What does the paper print for Fig. 9 of RDP, and what is measured here?
-- The paper's Xavier has 8 multiprocessors. config_id leaves out the ablations: keys that are not named are at their defaults.
SELECT p.height, p.printed, p.value AS printed_ms,
       max(CASE WHEN c.sms IS NULL THEN m.mean_ms END) AS whole_gpu_ms,
       max(CASE WHEN c.sms = 8 THEN m.mean_ms END) AS of_8_sms_ms
FROM printed AS p
JOIN current AS m ON m.impl = p.impl AND m.width = p.width AND m.height = p.height
 AND m.frame_pick = p.frame_pick AND m.scope = p.scope AND m.stage IS NULL
JOIN configuration AS c ON c.id = m.configuration
WHERE p.paper = 'rdp' AND p.figure = 'fig9' AND p.name = 'mean_ms' AND c.batch = 1
  AND m.input = 'kitti-sgm' AND m.series = 'frames' AND m.results = 'xeon-16c_nvidia-h200'
  AND c.config_id = config_id(m.impl, m.problem, c.harness_keys, picked(m.keys, 'width;height', 1))
GROUP BY p.height, p.printed, p.value ORDER BY p.height
