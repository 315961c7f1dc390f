-- configure.sql - when all rows are there: each measurement's configuration, and its preference

INSERT INTO configuration SELECT * FROM described GROUP BY traits HAVING min(id); -- the first row of each
UPDATE configuration SET config_id = config_id(impl, problem, harness_keys, keys);

-- A row may stand for its configuration if it is right (be it by another rule: claims.sql leaves that out), was timed without a profiler or a debug build, and is not withdrawn.  The
-- greatest preference does: of a clean build before a dirty one, of the full protocol before --quick, of more threads where these
-- were not asked for, then the newest.  (One UPDATE: a row is
-- long.)
UPDATE measurement
SET preference = CASE
    WHEN withdrawn IS NULL
     AND status = 'ok'
     AND verdict IN ('exact', 'within', 'statistical', 'outside', 'reference', 'other')
     AND coalesce(protocol, 'paper') IN ('paper', 'quick')
    THEN printf('%d%d%06d%s%012d', coalesce(dirty, 0) IN (0, 'no', 'false'),
                coalesce(protocol, 'paper') <> 'quick', coalesce(threads, 0), coalesce(utc, ''), id)
    END,
    configuration = (SELECT c.id FROM described AS d JOIN configuration AS c ON c.traits = d.traits WHERE d.id = measurement.id);

-- Rows before schema 8 said whether all was measured that the board draws, which was its module.
UPDATE measurement
SET power_scope = CASE WHEN power_source = 'nvml' THEN 'card' WHEN power_complete THEN 'module' ELSE 'part' END
WHERE power_scope IS NULL AND power_complete IS NOT NULL;

-- Rows of which the times alone were kept, in history.csv: no figure, verdict or table asks for them, but a history.
CREATE TABLE past AS SELECT * FROM measurement WHERE status = 'past';
DELETE FROM measurement WHERE status = 'past';
DELETE FROM past WHERE (results, session) IN (SELECT results, session FROM measurement); -- they have not gone yet
CREATE VIEW ever AS SELECT * FROM measurement UNION ALL SELECT * FROM past;
