-- How does the time of RDP grow with the height? An exponent of 1 is a time in proportion to the height.
SELECT impl, threads, min(height) AS from_height, max(height) AS to_height,
       count(*) AS heights, power_fit(height, mean_ms, 1) AS exponent, session
FROM good
WHERE experiment = 'rdp/fig9' AND input = 'kitti-sgm' AND eps = 4 AND frame_pick = 'all'
  AND scope = 'kernel' AND series = 'frames' AND stage IS NULL
GROUP BY results, session, gpu_uuid, impl, threads
HAVING heights >= 5 AND heights = count(DISTINCT height)
ORDER BY exponent
