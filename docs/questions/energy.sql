-- How much energy does a frame take? mj_frame_net leaves out what the idle GPU would have drawn.
SELECT m.impl, m.input, c.batch, m.mean_ms, m.mj_frame, m.mj_frame_net, m.watt,
       m.power_source, substr(m.gpu_uuid, 1, 12) AS gpu
FROM good AS m JOIN configuration AS c ON c.id = m.configuration
WHERE m.mj_frame IS NOT NULL ORDER BY m.input, m.impl, c.batch, m.utc
