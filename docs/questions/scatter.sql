-- How far do GPUs of one kind scatter? Each GPU counts once for each commit, by its median.
WITH gpu AS (
  SELECT configuration, gpu_uuid, commit_hash, median(median_ms) AS ms FROM good
  WHERE results = 'xeon-16c_nvidia-h200' AND device = 'gpu' AND stage IS NULL
    AND (problem = 'rdp' OR problem = 'som' AND input = 'conesM' AND seed = 1 AND sigma = 12)
  GROUP BY configuration, gpu_uuid, commit_hash)
SELECT c.id, c.impl, c.input, min(ms) AS least, median(ms) AS middle, max(ms) AS most,
       count(DISTINCT gpu_uuid) AS gpus, count(DISTINCT commit_hash) AS commits
FROM gpu JOIN configuration AS c ON c.id = gpu.configuration
WHERE c.batch = 1 GROUP BY c.id HAVING gpus >= 4 AND least IS NOT NULL ORDER BY most / least
