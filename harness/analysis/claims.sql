-- claims.sql - rows by the experiments that have their configurations, whichever experiment a row was taken for: claims name these

CREATE TEMP TABLE taken AS
SELECT o.experiment, c.impl, c.input, c.frame_pick, c.scope, c.series, c.stage, c.sms, c.transfer, m.id, m.session, m.preference
FROM (SELECT DISTINCT experiment, configuration FROM measurement WHERE withdrawn IS NULL) AS o
JOIN configuration AS c ON c.id = o.configuration
JOIN measurement AS m ON m.configuration = c.id
WHERE m.withdrawn IS NULL;

CREATE INDEX temp.taken_for ON taken (experiment, impl, input, session);

CREATE TEMP TABLE experiment AS
SELECT DISTINCT experiment
FROM taken;
