-- schema.sql - what the rows of results become: tables as they were written, and the views that say once what a configuration
-- is and which row of it counts.  SQL as SQLite 3.22 has it.  docs/DATABASE.md describes all of it.
--
-- The tables measurement, printed and counter get a column for each of their files'; measurement is there before this is read.

CREATE TABLE counter (
    results TEXT NOT NULL, keys TEXT, utc TEXT, machine TEXT, gpu TEXT, commit_hash TEXT, experiment TEXT, impl TEXT, input TEXT,
    frame_pick TEXT, batch, transfer TEXT, sms, block, model TEXT, classes, mov NUMERIC, kernels TEXT, kernel TEXT, stage TEXT, launches, registers, shared_bytes, ipc, instructions,
    dram_bytes, l2_bytes, run_instructions, run_dram_bytes, run_l2_bytes, run_sysmem_bytes, occupancy_pct REAL, achieved_occupancy_pct REAL, issue_active_pct REAL,
    l1_hit_pct REAL
);

CREATE TABLE printed (
    paper TEXT, figure TEXT, name TEXT, value REAL, printed TEXT, unit TEXT, read TEXT, scope TEXT, place TEXT
);

CREATE INDEX measurement_row ON measurement (row_id); -- as long as values are read

CREATE TABLE folder (
    id INTEGER PRIMARY KEY,
    results TEXT NOT NULL UNIQUE, -- the last part of the place, or all of it where two are called the same
    path TEXT NOT NULL,           -- as it was given
    place TEXT NOT NULL UNIQUE
);

CREATE TABLE value (
    measurement INTEGER NOT NULL, -- measurement.id
    name TEXT NOT NULL,
    idx INTEGER,                  -- of a series; NULL: a single number
    value REAL,
    unit TEXT
);

-- The exact sums of some inputs, until they are added up.
CREATE TABLE part_value (
    part INTEGER NOT NULL, -- part.id
    name TEXT,
    idx TEXT,
    value TEXT,
    unit TEXT
);

CREATE TABLE environment (
    results TEXT NOT NULL,
    session TEXT NOT NULL,
    key TEXT NOT NULL,
    text TEXT
);

CREATE TABLE expected (
    claim TEXT NOT NULL,
    source TEXT NOT NULL, -- 'paper', or a folder of results
    verdict TEXT NOT NULL
);

-- Rows that may stand for their configuration: configure.sql gives these a preference, and says why.
CREATE VIEW good AS
SELECT *
FROM measurement
WHERE preference IS NOT NULL;

-- The row that stands for its configuration in a folder of results.  (SQLite takes the other columns from the row that has the
-- maximum.)
CREATE VIEW current AS
SELECT *, max(preference) AS most
FROM good
GROUP BY results, configuration;

-- The good rows of the processes that one call started for a measurement's configuration, that of the measurement among them.  (What
-- two groups of a descriptor have, or two descriptors, each process measured twice, perhaps with other samples: its later row counts.)
CREATE VIEW process AS
SELECT m.id AS measurement, o.id AS member, o.run
FROM measurement AS m
JOIN good AS o
  ON o.results = m.results AND o.configuration = m.configuration AND o.run_group = m.run_group AND o.host IS m.host
 AND o.protocol IS m.protocol AND o.input_hash IS m.input_hash;

-- The gain of ranks that measured together over one of them in the same session.  Both medians have an interval: the quotient lies
-- between those of the ends that are farthest apart.
CREATE VIEW scaled AS
SELECT measurement,
       rank_speedup, rank_speedup_lo, rank_speedup_hi,
       100 * rank_speedup / ranks AS efficiency_pct,
       100 * rank_speedup_lo / ranks AS efficiency_lo_pct,
       100 * rank_speedup_hi / ranks AS efficiency_hi_pct
FROM (SELECT m.id AS measurement, c.ranks, b.median_ms / m.median_ms AS rank_speedup,
             CASE c.ranks WHEN 1 THEN 1.0 ELSE b.ci_lo_ms / m.ci_hi_ms END AS rank_speedup_lo,
             CASE c.ranks WHEN 1 THEN 1.0 ELSE b.ci_hi_ms / m.ci_lo_ms END AS rank_speedup_hi, max(b.preference)
      FROM configuration AS c
      JOIN configuration AS o
        ON o.keys IS c.keys AND o.impl = c.impl AND o.input = c.input AND o.scope = c.scope AND o.series = c.series AND o.stage IS c.stage
       AND o.frame_pick = c.frame_pick AND o.batch = c.batch AND o.threads IS c.threads AND o.transfer IS c.transfer AND o.sms IS c.sms
       AND o.mode_name IS c.mode_name AND o.stream_rate IS c.stream_rate AND o.stream_in_flight IS c.stream_in_flight
       AND o.stream_arrival IS c.stream_arrival AND o.stream_launch IS c.stream_launch AND o.stream_wake IS c.stream_wake AND o.scaling = c.scaling AND o.ranks = 1
      JOIN good AS m ON m.configuration = c.id
      JOIN good AS b ON b.configuration = o.id AND b.results = m.results AND b.session = m.session
      WHERE m.median_ms > 0 AND m.ci_lo_ms > 0
      GROUP BY m.id);

CREATE VIEW session AS
SELECT results,
       session,
       host,
       commit_hash,
       dirty,
       protocol,
       min(utc) AS first_utc,
       max(utc) AS last_utc,
       count(*) AS n_rows,
       count(DISTINCT gpu_uuid) AS n_gpus,
       sum(status = 'ok') AS n_ok,
       sum(withdrawn IS NOT NULL) AS n_withdrawn
FROM measurement
GROUP BY results, session;

-- The counts of a profiler for a configuration: sums over the kernels of its newest run, means by the cycles of each, and of the longest
-- kernel what is its own.  A number that one of the kernels lacks, the run lacks.
CREATE VIEW counted AS
WITH kernel AS (
    SELECT c.id AS configuration, k.*, 1.0 * k.run_instructions / nullif(k.ipc, 0) AS cycles
    FROM counter AS k
    JOIN configuration AS c
      ON c.impl = k.impl AND c.keys = k.keys AND c.input = k.input AND c.frame_pick = k.frame_pick AND c.batch = k.batch
     AND coalesce(c.transfer, 'copy') = coalesce(k.transfer, 'copy') AND c.sms IS k.sms
    WHERE c.scope = 'kernel' AND c.stage IS NULL
)
SELECT results,
       machine,
       configuration,
       utc,
       count(*) AS kernels,
       CASE WHEN count(launches) = count(*) THEN sum(launches) END AS launches,
       kernel,
       max(coalesce(cycles, 0)) AS most_cycles,
       CASE WHEN count(run_instructions) = count(*) THEN sum(run_instructions) END AS instructions,
       CASE WHEN count(run_dram_bytes) = count(*) THEN sum(run_dram_bytes) END AS dram_bytes,
       CASE WHEN count(run_l2_bytes) = count(*) THEN sum(run_l2_bytes) END AS l2_bytes,
       CASE WHEN count(run_sysmem_bytes) = count(*) THEN sum(run_sysmem_bytes) END AS sysmem_bytes,
       CASE WHEN count(cycles) = count(*) THEN sum(run_instructions) / sum(cycles) END AS ipc,
       CASE WHEN count(cycles * achieved_occupancy_pct) = count(*)
            THEN sum(cycles * achieved_occupancy_pct) / sum(cycles) END AS achieved_occupancy_pct,
       CASE WHEN count(cycles * issue_active_pct) = count(*)
            THEN sum(cycles * issue_active_pct) / sum(cycles) END AS issue_active_pct,
       CASE WHEN count(cycles * l1_hit_pct) = count(*) THEN sum(cycles * l1_hit_pct) / sum(cycles) END AS l1_hit_pct,
       registers,
       shared_bytes
FROM kernel
JOIN (SELECT results, machine, configuration, max(utc) AS utc
      FROM kernel
      GROUP BY results, machine, configuration) AS newest USING (results, machine, configuration, utc)
GROUP BY results, machine, configuration;

-- The facts of the newest session that knows a GPU, else of any; one may have been given a few of the
-- cores.
CREATE VIEW fact AS
SELECT key, text
FROM environment
JOIN (SELECT results, session
      FROM environment
      GROUP BY results, session
      ORDER BY max(key = 'gpu') DESC, results, max(CASE key WHEN 'cores' THEN CAST(text AS INTEGER) END) DESC, session DESC
      LIMIT 1) USING (results, session);
