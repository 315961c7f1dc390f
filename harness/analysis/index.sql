-- index.sql - done once, behind configure.sql: what questions need, and reading did not

DROP INDEX measurement_row;
CREATE INDEX configuration_of ON configuration (config_id);
CREATE INDEX configuration_key ON configuration (keys, impl, input, scope);
CREATE INDEX measurement_configuration ON measurement (configuration, results);
CREATE INDEX measurement_experiment ON measurement (experiment);
CREATE INDEX value_measurement ON value (measurement, name);
CREATE INDEX printed_source ON printed (paper || '/' || figure, name);
