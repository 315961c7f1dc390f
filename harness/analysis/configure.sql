-- configure.sql - when all rows are there: each measurement's configuration, by cell_key, and its preference

INSERT INTO configuration (impl, keys, input, frame_pick, batch, threads, transfer, sms, mode_name, scope, series, stage, scaling, ranks, rank_gpus, rank_hosts,
                           stream_rate, stream_in_flight, stream_arrival, stream_launch)
SELECT DISTINCT impl, keys, input, frame_pick, batch, threads, transfer, sms, mode_name, scope, series, stage, scaling, ranks, rank_gpus, rank_hosts,
       stream_rate, stream_in_flight, stream_arrival, stream_launch
FROM cell_key;

-- A row may stand for its configuration if it is right (be it by another rule: claims.sql leaves that out), was timed without a profiler or a debug build, and is not withdrawn.  The
-- greatest preference does: of a clean build before a dirty one, of the full protocol before --quick, of more threads where these
-- were not asked for, then the newest.  (One UPDATE: a row is long.)
UPDATE measurement
SET preference = CASE
    WHEN withdrawn IS NULL
     AND status = 'ok'
     AND verdict IN ('exact', 'within', 'statistical', 'outside', 'reference', 'other')
     AND coalesce(protocol, 'paper') IN ('paper', 'quick')
    THEN printf('%d%d%06d%s%012d', coalesce(dirty, 0) IN (0, 'no', 'false'),
                coalesce(protocol, 'paper') <> 'quick', coalesce(threads, 0), coalesce(utc, ''), id)
    END,
    configuration = (
    SELECT c.id
    FROM configuration AS c, cell_key AS k
    WHERE k.id = measurement.id
      AND c.impl IS k.impl AND c.keys IS k.keys AND c.input IS k.input AND c.frame_pick IS k.frame_pick
      AND c.batch IS k.batch AND c.threads IS k.threads AND c.transfer IS k.transfer AND c.sms IS k.sms
      AND c.mode_name IS k.mode_name AND c.scope IS k.scope AND c.series IS k.series AND c.stage IS k.stage
      AND c.scaling IS k.scaling AND c.ranks IS k.ranks AND c.rank_gpus IS k.rank_gpus AND c.rank_hosts IS k.rank_hosts
      AND c.stream_rate IS k.stream_rate AND c.stream_in_flight IS k.stream_in_flight AND c.stream_arrival IS k.stream_arrival AND c.stream_launch IS k.stream_launch
);

-- Rows before schema 8 said whether all was measured that the board draws, which was its module.
UPDATE measurement
SET power_scope = CASE WHEN power_source = 'nvml' THEN 'card' WHEN power_complete THEN 'module' ELSE 'part' END
WHERE power_scope IS NULL AND power_complete IS NOT NULL;
