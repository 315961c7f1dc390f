-- scale-streams.sql - frames per second of several frames in flight on one GPU, each on a stream of its own, over those of one
-- with scale.sql
INSERT INTO wanted_impl VALUES ('rdp/gpu-opt'), ('stixels/gpu-opt'), ('som/gpu-opt');
CREATE TEMP VIEW rated AS
SELECT w.id, w.stream_in_flight AS number, 0 AS is_strong, w.fps / one.fps AS rate, w.fps / one.fps AS low, w.fps / one.fps AS high
FROM whole AS w
JOIN whole AS one
  ON one.impl = w.impl AND one.input = w.input AND one.scope = w.scope AND one.machine = w.machine AND one.planes IS w.planes
 AND one.stream_rate = 'max' AND one.stream_in_flight = 1 AND one.stream_launch IS w.stream_launch
WHERE w.stream_rate = 'max' AND one.fps > 0
GROUP BY w.id;
CREATE TEMP VIEW shown_as AS
SELECT 'Several streams on one GPU: %s times the frames per second with %d in flight' AS title, 'frames in flight, each on a stream' AS x, 'frames per second, of one in flight: 1' AS y,
       'a frame arrives whenever there is room for it; end to end with copies and preparation, in one process' AS subtitle;
