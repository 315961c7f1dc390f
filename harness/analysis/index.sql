-- index.sql - done once when all rows are there: each measurement's configuration, by cell_key
CREATE INDEX configuration_key ON configuration (keys, impl, input, scope, series, stage, threads, sms, batch, frame_pick);
INSERT INTO configuration (impl, keys, input, frame_pick, batch, threads, transfer, sms, mode_name, scope, series, stage)
SELECT DISTINCT impl, keys, input, frame_pick, batch, threads, transfer, sms, mode_name, scope, series, stage
FROM cell_key;
UPDATE measurement
SET configuration = (
    SELECT c.id
    FROM configuration AS c, cell_key AS k
    WHERE k.id = measurement.id
      AND c.impl IS k.impl AND c.keys IS k.keys AND c.input IS k.input AND c.frame_pick IS k.frame_pick
      AND c.batch IS k.batch AND c.threads IS k.threads AND c.transfer IS k.transfer AND c.sms IS k.sms
      AND c.mode_name IS k.mode_name AND c.scope IS k.scope AND c.series IS k.series AND c.stage IS k.stage
);
CREATE INDEX measurement_configuration ON measurement (results, configuration);
CREATE INDEX measurement_experiment ON measurement (experiment);
CREATE INDEX value_measurement ON value (measurement, name);
