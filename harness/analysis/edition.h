/*
 * edition.h - an edition: the commit of which all rows on pages are, and what is to be measured
 *
 * results/EDITION is an .ini file:
 *
 *     [edition]
 *     name   = 1.0
 *     commit = 1234567          of which all rows are; not given: none is measured yet
 *     set    = timeout=1        keys over the descriptors' (-S), in all parts
 *
 *     [xeon-16c_nvidia-h200]    a folder of results/
 *     rdp/fig9 = 3              a part: an experiment, and how many processes measure it
 *     som/table2 small* = 5     the same of some sections: a figure is split by its panels
 *     rdp/stream = 1 timeout=15 keys of this part
 *
 * A part is of one commit, one build, one host and one GPU.
 */
#ifndef ANALYSIS_EDITION_H
#define ANALYSIS_EDITION_H

#include "harness/analysis/store.h"
#include "harness/base/ini.h"
#include "harness/base/listing.h"
#include "harness/base/status.h"

#define EDITION_MOST_SETTINGS 16 /* of a part, and as many for all */

/* Reads the file.  BENCH_EIO; BENCH_EINPUT with the line.  ini_free(). */
enum bench_status edition_read(const char *path, struct ini_file *edition);

/*
 * Adds to a store that has one folder, 'machine', the views of edition.sql: 'finding' (part,
 * name, what), what is not as the edition has it; 'planned' (part, configurations, processes,
 * minutes, state); 'lacking' (part, name, experiment, sections, processes, settings, run): what
 * a build has still to measure on its GPU, by the table 'here' (build_hash, host, group_name),
 * which the caller fills; group_name is the run_group of their rows.  'experiments': paths of
 * all descriptors.  BENCH_EINPUT for a part of what is no experiment.
 */
enum bench_status edition_ask(const struct ini_file *edition, const char *machine,
                              const struct listing *experiments, struct store *store);

#endif
