-- cell.sql - what measured rows say of a cell, as one row of 'seen'; claims_cells.c puts in the SQL of a number of rows

INSERT INTO seen (results, cell, n, value, low, high, n_outside, is_single, is_poor, is_away, is_mixed, is_several, is_of_threads, is_gpu, n_processes, input,
                  commit_hash, session, device, scope, rows, why, last)
WITH candidate AS (
    SELECT r.*, f.team, f.others, CASE device WHEN 'gpu' THEN gpu ELSE cpu END AS ran_on,
           lower(gpu) GLOB lower(:hardware) OR lower(cpu) GLOB lower(:hardware) AS is_home, {number} AS number
    FROM fitting AS f
    CROSS JOIN countable AS r ON r.configuration = f.configuration AND r.results = :machine
    WHERE f.cell = :machine || :board || :text AND r.preference IS NOT NULL AND (r.verdict <> 'other' OR :rule IS NOT NULL)
      AND r.session BETWEEN coalesce(:session, '') AND coalesce(:session, x'') -- behind all texts
),
-- Rows that have the number: of each seed of a mean and each team one, by its preference.  'others' must be the same in all of them.
chosen AS (
    SELECT *, max(preference)
    FROM candidate
    WHERE (number + 0 <> 0 OR number IN (0, '0')) AND (:mhz IS NULL OR gpu_mhz_med > 0) AND NOT (:cut AND is_home)
    GROUP BY team, others
    ORDER BY CASE WHEN :best THEN session END DESC, CASE WHEN :best THEN number ELSE quantile(id, 0) END
    LIMIT CASE WHEN :best THEN 1 ELSE -1 END
),
-- At the board's clock where that is asked for, with the range of a time.
scaled AS (
    SELECT *, number * factor AS value, :column IN ('mean_ms', 'median_ms') AND typeof(ci_lo_ms) <> 'text' AND typeof(ci_hi_ms) <> 'text'
               AND (device = 'gpu' OR n_processes > 1) AS has_range, -- one process of a CPU says little of the next
           CASE WHEN NOT :cut THEN ran_on
                ELSE printf(CASE WHEN :mhz IS NULL THEN '%s SMs of %.100s' ELSE '%s SMs of %.100s as at %d MHz' END,
                            coalesce(sms, sm_count) || ' of ' || sm_count, ran_on, :mhz) END AS ran_by
    FROM (SELECT *, CASE WHEN :mhz IS NULL THEN 1 WHEN :column = 'fps' THEN 1.0 * :mhz / gpu_mhz_med ELSE gpu_mhz_med / (1.0 * :mhz) END AS factor FROM chosen)
    CROSS JOIN (SELECT count(*) AS n_chosen FROM chosen)
),
told AS ( -- for an explanation
    SELECT session || ' ' || row_id || CASE WHEN n_processes > 1 THEN printf(', median of %d processes', n_processes) ELSE '' END
               || CASE WHEN :column LIKE 'cost%pct' AND EXISTS (SELECT 1 FROM value WHERE measurement = scaled.id AND name = 'folded_pct' AND idx IS NULL AND value > 50)
                       THEN ', a mesh that lies mirrored' ELSE '' END
               || CASE WHEN :mhz IS NULL THEN ''
                       ELSE printf(': %s at %s MHz', short_text(number, 6), short_text(gpu_mhz_med, 9)) END AS text
    FROM scaled
    LIMIT 3
)
-- (SQLite takes the columns without a function from the row that has the maximum: the last one.)  A mean over several rows has the
-- range that their scatter gives, at 95 % by Student.
SELECT :machine,
       :machine || :board || :text,
       count(*) AS n,
       sum(value / n_chosen),
       CASE count(*) WHEN 1 THEN CASE WHEN has_range THEN coalesce(min(value, factor * ci_lo_ms), value) ELSE value END
                     ELSE sum(value / n_chosen) - student_half(count(*)) * summary(value, 7) END,
       CASE count(*) WHEN 1 THEN CASE WHEN has_range THEN coalesce(max(value, factor * ci_hi_ms), value) ELSE value END
                     ELSE sum(value / n_chosen) + student_half(count(*)) * summary(value, 7) END,
       sum(verdict = 'outside') AS n_outside,
       -- what ran once has no noise that anybody knows
       count(*) = 1 AND (:mean_of <> '' AND NOT :best OR :is_time AND sum(n < 2 AND n_processes = 1) > 0),
       sum(coalesce(dirty, 0) NOT IN (0, 'no', 'false') OR protocol IS 'quick') > 0,
       NOT :cut AND coalesce(sum(is_home) < count(*), NOT EXISTS (SELECT 1 FROM processor WHERE results = :machine AND (gpu GLOB lower(:hardware) OR cpu GLOB lower(:hardware)))),
       count(DISTINCT coalesce(commit_hash, '')) > 1,
       count(DISTINCT session) > 1,
       :is_value AND total(verdict IN ('within', 'outside')) > 0, -- the order of threads decides such an output
       CASE WHEN :is_time THEN device = 'gpu' END,
       CASE WHEN :is_time THEN CASE :mean_of WHEN 'seed;' THEN max(min(n_processes), count(DISTINCT session)) ELSE min(n_processes) END END,
       CASE WHEN :is_value THEN input END,
       commit_hash,
       session,
       ran_by,
       coalesce(:scope, CASE WHEN NOT :is_value THEN scope END),
       CASE WHEN :log
            THEN ' [rows ' || (SELECT group_concat(text, ', ') FROM told) || CASE WHEN count(*) > 3 THEN printf(', ... %d in all', count(*)) ELSE '' END
                     || CASE WHEN sum(verdict = 'outside') > 0 THEN printf(', %d of them outside the reference''s scatter', sum(verdict = 'outside')) ELSE '' END
                     || CASE WHEN ran_by <> '' THEN printf('; %s]', ran_by) ELSE '' END END,
       CASE WHEN count(DISTINCT others) > 1
            THEN printf('undecided: rows that differ in %s: %.150s', traits_told(others, group_concat(others, char(10)), 0), :text)
            WHEN count(*) > 0 THEN NULL
            WHEN :session IS NOT NULL THEN 'not run yet: not in ' || :session
            WHEN :is_of_gpu AND NOT EXISTS (SELECT 1 FROM countable WHERE results = :machine AND device = 'gpu') THEN 'other hardware: no row of a GPU is here'
            ELSE coalesce((SELECT 'no data: ' || reason FROM without_data WHERE results = :machine AND experiment GLOB '' || :source AND instr(:wanted, input)),
                          (SELECT CASE WHEN NOT n_good
                                       THEN (SELECT printf('cannot be run: no verified row of %s: %s', :source,
                                                           CASE verdict WHEN 'other' THEN 'of another rule' ELSE status END
                                                               || coalesce(', ' || substr(reason, 1, instr(reason || ';', ';') - 1), ''))
                                             FROM measurement
                                             WHERE id = newest)
                                       WHEN missed = '' THEN printf('cannot be run: no %s in the rows of %s', :name, :source)
                                       ELSE printf('%s: no row of %s with %s%s',
                                                   CASE WHEN missed GLOB 'mode_name=*' AND :hardware <> '*' THEN 'other hardware' ELSE 'not run yet' END, :source,
                                                   substr(missed, 1, instr(missed, ';') - 1),
                                                   CASE WHEN length(missed) < length(:wanted) - 1 THEN ' and the keys before it' ELSE '' END) END
                           FROM (SELECT misses(traits, :wanted) AS missed, sum(n_good - CASE WHEN :rule IS NULL THEN n_other ELSE 0 END) AS n_good, max(newest) AS newest
                                 FROM taken
                                 WHERE results = :machine
                                   AND experiment IN (SELECT experiment FROM experiment WHERE results = :machine AND experiment GLOB '' || :source)
                                   AND (:stage OR stage IS NULL)
                                   AND CASE WHEN :sms IS NULL THEN sms IS NULL ELSE coalesce(sms, sm_count) = :sms + 0 END
                                 GROUP BY missed
                                 ORDER BY length(missed)
                                 LIMIT 1)),
                          printf('not run yet: no row of %s here', :source)) END,
       max(id)
FROM scaled
