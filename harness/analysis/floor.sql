-- floor.sql - the least difference that counts, in ms per frame, whatever share it is: 2 us, or two ticks of the device, of what is timed in one stretch
CREATE TEMP VIEW least AS
SELECT m.id, 0.001 * max(2.0, CASE WHEN m.device = 'gpu' THEN coalesce(2 * tick_us, 0) ELSE 0 END)
                 / max(1.0, coalesce(m.n_frames, 1)
                                * CASE WHEN m.scope = 'kernel' THEN coalesce(m.reps, 1) ELSE 1 END
                                * CASE WHEN m.scope = 'kernel' AND (m.reps > 1 OR m.series IS NOT 'cold')
                                       THEN coalesce(m.n_inputs, 1) ELSE 1 END) AS at_least_ms
FROM ever AS m
LEFT JOIN (SELECT results, max(CAST(text AS REAL)) AS tick_us
           FROM environment
           WHERE key = 'device_timer_resolution_us'
           GROUP BY results) AS t ON t.results = m.results;
