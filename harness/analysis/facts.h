/*
 * facts.h - what is known of a machine, beside what a paper prints of its own
 */
#ifndef ANALYSIS_FACTS_H
#define ANALYSIS_FACTS_H

#include "harness/analysis/store.h"
#include "harness/analysis/table.h"

/*
 * The printed facts of a table, "stixels-table4", beside those that .env.txt files of folders
 * have: of the newest session that knows a GPU, in the first folder that has one, else of any.
 * A path that is a file counts where the folders before it have none.  The note of the table
 * says whose they are; it has no rows where none is known.  BENCH_EINPUT where nothing is
 * printed under that name.  Caller owns: table_free.
 */
enum bench_status facts_read(const char *const *paths, int n, const char *paper_folder,
                             const char *name, struct table *table);

/* Add the view 'fact (key, text)': what that session says. */
enum bench_status facts_views(struct store *store);

#endif
