-- index.sql - done once, behind configure.sql: what questions need, and reading did not

DROP INDEX measurement_row;
CREATE INDEX configuration_of ON configuration (config_id);
CREATE INDEX configuration_key ON configuration (keys, impl, input, scope);
CREATE INDEX measurement_configuration ON measurement (configuration, results);
CREATE INDEX measurement_experiment ON measurement (experiment);
CREATE INDEX value_measurement ON value (measurement, name);
CREATE INDEX printed_source ON printed (paper || '/' || figure, name);

-- The view 'process' for streams: of each process the later row, or the measurement itself.
CREATE TABLE stream_process AS
SELECT id AS measurement, id AS member FROM measurement WHERE stream_rate IS NOT NULL AND run_group IS NULL
UNION
SELECT p.measurement, max(p.member)
FROM process AS p
JOIN measurement AS m ON m.id = p.measurement
WHERE m.stream_rate IS NOT NULL
GROUP BY p.measurement, p.run;
CREATE INDEX stream_process_measurement ON stream_process (measurement);

-- The frames of a stream by their time, ms rounded up by at most 2 %, and how many took longer: of all processes that one call started for a
-- measurement's configuration.
CREATE TABLE latency AS
SELECT measurement, ms, n,
       (SELECT total(v.value) FROM stream_process AS o JOIN value AS v ON v.measurement = o.member AND v.name = 'latency_count' AND v.idx > 10000 * ms + 0.5
        WHERE o.measurement = c.measurement) AS n_longer,
       n_all
FROM (SELECT p.measurement, v.idx / 10000.0 AS ms, CAST(total(v.value) AS INTEGER) AS n
      FROM stream_process AS p
      JOIN value AS v ON v.measurement = p.member AND v.name = 'latency_count'
      GROUP BY p.measurement, v.idx) AS c
JOIN (SELECT p.measurement AS whole, total(m.n) AS n_all
      FROM stream_process AS p
      JOIN measurement AS m ON m.id = p.member
      GROUP BY p.measurement) AS a ON a.whole = c.measurement;
CREATE INDEX latency_measurement ON latency (measurement);
