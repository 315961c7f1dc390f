/*
 * check.h - looks whether folders of sessions, from several ranks and machines, are whole
 *
 * Files are looked at by record_look_after().  Rows are whole if each rank of a call is there
 * with all of its configurations, each once, and numbers that must agree on all machines do.
 */
#ifndef ANALYSIS_CHECK_H
#define ANALYSIS_CHECK_H

#include "harness/analysis/table.h"

/* All findings; none: *told says in a line what is there.  BENCH_ENOMEM, BENCH_EIO,
 * BENCH_EINPUT where a folder is given twice.  The caller frees both. */
enum bench_status check_folders(const char *const *folder, int n, struct table *findings,
                                struct text *told);

#endif
