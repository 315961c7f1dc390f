/* record_private.h - what the writing and the reading half of record share */
#ifndef BENCH_RECORD_PRIVATE_H
#define BENCH_RECORD_PRIVATE_H

#include "harness/base/listing.h"
#include "harness/suite/record.h"
#include "harness/base/text.h"

/* As record_read(), of a text, whose memory becomes the table's. */
enum bench_status record_parse(const char *path, bool session, struct text *text,
                               struct record_table *table);

/* The text of <folder>/WITHDRAWN, empty where there is none, and where in it a row's reason is, of *n_bytes; NULL: it counts. */
enum bench_status record_read_withdrawn(const char *folder, struct text *withdrawn);
const char *record_withdrawn(const struct text *withdrawn, const char *session,
                             const char *row_id, size_t *n_bytes);

/* Names of the folder's sessions, oldest first, without ".csv".  A folder that is not there has none. */
enum bench_status record_list_sessions(const char *folder, struct listing *names);

/* How many columns are fixed; a header of ours has them first, then the declared keys. */
#define RECORD_COUNT_COLUMN(name) +1
#define RECORD_N_FIXED            (0 RECORD_COLUMNS(RECORD_COUNT_COLUMN))

/* A table without rows that has the columns of a new session. */
enum bench_status record_declare(struct record_table *table);

#endif
