-- What did a commit change, on the same GPU? A ratio above 1 is slower.  One process a side is no proof: depthbench regress.
SELECT substr(a.commit_hash, 1, 7) AS base, substr(b.commit_hash, 1, 7) AS head, a.impl,
       coalesce(a.stage, 'whole run') AS part, count(*) AS pairs,
       geomean(b.median_ms / a.median_ms) AS ratio
FROM good AS a JOIN good AS b
  ON b.results = a.results AND b.configuration = a.configuration
 AND b.gpu_uuid = a.gpu_uuid AND b.host IS a.host
WHERE a.utc < b.utc AND a.commit_hash <> b.commit_hash AND a.device = 'gpu'
GROUP BY base, head, a.impl, part ORDER BY base, head, a.impl, ratio
