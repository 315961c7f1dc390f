-- stream.sql - frames on a clock: how long they take at 30 a second, which rates a variant keeps, and what a frame costs there; for stream.gp
--
-- The figure has shown_as (title), the problem's name.
-- (n_all: frames of all processes)
CREATE TEMP TABLE tail AS
SELECT w.id, l.ms, l.n_longer, l.n_all
FROM whole AS w
JOIN machine AS m ON w.machine IS m.machine
JOIN latency AS l ON l.measurement = w.measurement
WHERE w.series = 'stream' AND w.stream_arrival = 'queue' AND w.stream_launch IS NULL AND w.stream_wake IS NULL;
CREATE TEMP TABLE kept AS
SELECT w.*, w.impl || ' ' || w.scope || coalesce(' ' || w.planes, '') AS curve_of, max(t.n_all) AS n_all FROM whole AS w JOIN tail AS t ON t.id = w.id GROUP BY w.id;

-- One for each variant, and for each way in which its input comes.
CREATE TEMP TABLE curve AS
SELECT k.curve_of, k.impl, substr(k.title, 1, instr(k.title || ' (', ' (') - 1) AS title,
       CASE WHEN k.scope = 'scores_on_gpu' THEN ', class scores on the GPU' ELSE '' END
           || CASE k.planes WHEN 'root8' THEN ', 8-bit roots' WHEN 'uint16' THEN ', 16-bit planes' ELSE '' END AS way,
       1 + (k.scope = 'scores_on_gpu') + 2 * (coalesce(k.planes, 'float') <> 'float') AS dash
FROM kept AS k
WHERE k.stream_rate <> 'max' OR k.mj_frame > 0
GROUP BY k.curve_of
ORDER BY k.variant, dash;
CREATE TEMP VIEW point AS SELECT k.*, c.rowid AS curve FROM kept AS k JOIN curve AS c ON c.curve_of = k.curve_of;
CREATE TEMP VIEW drawn AS SELECT id FROM point;
CREATE TEMP VIEW draw_curves AS SELECT rowid AS curve, impl, title || way AS title, dash FROM curve;

-- At 30 a second, one frame in flight: the share that takes longer, as far as ten frames do, and the longest.
CREATE TEMP VIEW at_30 AS SELECT * FROM point WHERE stream_rate = '30' AND stream_in_flight = 1;
CREATE TEMP VIEW draw_tails AS
SELECT k.curve, t.ms, 1.0 * t.n_longer / t.n_all AS share FROM at_30 AS k JOIN tail AS t ON t.id = k.id WHERE t.n_longer >= 10 ORDER BY k.curve, t.ms;
CREATE TEMP VIEW draw_longests AS SELECT curve, max_ms AS ms, 1.0 / n_all AS share FROM at_30;

-- The highest rate that was tried at which less than one frame in 1000 misses its deadline, as at all lower ones that were tried, in the
-- setting that keeps the highest.
CREATE TEMP VIEW tried AS
SELECT *, CAST(stream_rate AS INTEGER) AS rate, n_missed < 0.001 * n_all AS keeps
FROM point
WHERE stream_rate <> 'max' AND n_all >= 1000;
CREATE TEMP VIEW kept_rate AS
SELECT curve, coalesce(nullif(mode_name, 'any') || ', ', '') AS mode, max(rate) AS rate, stream_in_flight,
       (SELECT max(fps) FROM point AS t
        WHERE t.curve = b.curve AND t.stream_rate = 'max' AND t.mode_name IS b.mode_name AND t.stream_in_flight = b.stream_in_flight) AS most
FROM tried AS b
WHERE keeps AND NOT EXISTS (SELECT 1 FROM tried AS lower
                            WHERE lower.curve = b.curve AND lower.mode_name IS b.mode_name AND lower.stream_in_flight = b.stream_in_flight AND lower.rate < b.rate
                              AND NOT lower.keeps)
GROUP BY curve, mode_name;
CREATE TEMP VIEW draw_bests AS
SELECT b.curve, b.rate, b.mode || b.rate || '/s' || c.way || CASE WHEN b.stream_in_flight > 1 THEN ', ' || b.stream_in_flight || ' in flight' ELSE '' END
           || coalesce('; max: ' || CAST(round(b.most) AS INTEGER) || '/s', '') AS said
FROM kept_rate AS b
JOIN curve AS c ON c.rowid = b.curve
ORDER BY b.curve, b.mode;

-- One frame in flight: what is drawn in all until the next frame comes, and without what the idle machine draws.
CREATE TEMP VIEW draw_energys AS
SELECT curve, CASE stream_rate WHEN 'max' THEN fps ELSE CAST(stream_rate AS INTEGER) END AS rate, mj_frame AS mj, stream_rate = 'max' AS is_max
FROM point
WHERE mj_frame > 0 AND stream_in_flight = 1
ORDER BY curve, 2;

CREATE TEMP VIEW text AS
SELECT 'title' AS name, title || coalesce(': ' || (
    SELECT rate || ' frames a second with under 0.1 % misses by ' || impl || way FROM kept_rate JOIN curve ON curve.rowid = curve ORDER BY rate DESC, curve LIMIT 1) ||
    coalesce((SELECT ', ' || max(rate) || ' by the paper''s kernel' FROM kept_rate JOIN curve ON curve.rowid = curve WHERE impl LIKE '%/gpu-paper' GROUP BY NULL HAVING count(*) > 0), ''),
    ': frames that arrive on a clock') AS value
FROM shown_as
UNION ALL SELECT 'subtitle', 'end to end: from a frame''s arrival on the schedule to its result on the host'
UNION ALL SELECT 'note', 'Left: a curve ends where ten frames take longer; its mark is the longest. '
    || coalesce('No rate that was tried is kept by: ' || (SELECT group_concat(title || way, '; ') FROM curve
                                                        WHERE rowid IN (SELECT curve FROM tried) AND rowid NOT IN (SELECT curve FROM kept_rate)) || '. ', '')
    || CASE WHEN EXISTS (SELECT 1 FROM kept_rate WHERE most IS NOT NULL) THEN 'Max: as fast as frames are done. ' ELSE '' END
    || CASE WHEN EXISTS (SELECT 1 FROM draw_energys) THEN 'Energy: of the part that its counter names, idling between frames included; hollow: at max. ' ELSE '' END;
