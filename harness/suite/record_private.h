/* record_private.h - what the writing and the reading half of record share */
#ifndef BENCH_RECORD_PRIVATE_H
#define BENCH_RECORD_PRIVATE_H

#include "harness/base/listing.h"
#include "harness/suite/record.h"
#include "harness/base/text.h"

#include <stdbool.h>
#include <sys/types.h>

/* Like record_read(), of a text, whose memory becomes the table's. */
enum bench_status record_parse(const char *path, bool session, struct text *text,
                               struct record_table *table);

/* The text of <folder>/WITHDRAWN, empty where there is none, and where in it a row's reason is,
 * of *n_bytes; NULL: it counts. */
enum bench_status record_read_withdrawn(const char *folder, struct text *withdrawn);
const char *record_withdrawn(const struct text *withdrawn, const char *session,
                             const char *row_id, size_t *n_bytes);

/* Names of the folder's sessions, oldest first, without ".csv".  A folder that is not there has
 * none. */
enum bench_status record_list_sessions(const char *folder, struct listing *names);

/* A table without rows that has the columns of a new session. */
enum bench_status record_declare(struct record_table *table);

/* The number of fixed columns, which a header of ours has first, then the declared keys. */
#define RECORD_COUNT_COLUMN(name) +1
#define RECORD_N_FIXED            (0 RECORD_COLUMNS(RECORD_COUNT_COLUMN))

#define RECORD_GZIP_WINDOW (15 + 16) /* zlib: the largest window, in a gzip wrapper */

enum part { ROWS, VALUES, SAMPLES, ENV, N_PARTS };
extern const char *const record_part_suffix[N_PARTS];

struct part_file {
    char *path;
    int fd;       /* -1: not open */
    off_t before; /* size before the row being written */
    bool created; /* by the row being written */
    bool touched; /* by the row being written */
};

struct record_session {
    char *folder;
    char *name;
    struct part_file part[N_PARTS];
    struct record_table header; /* has the columns of this session's file */
    struct text env;
    bool env_pending;
    bool resume;
    bool made_folder; /* by this session */
    bool is_reserved; /* the row file is this session's, and a name alone: it has no row yet */
    long long next_id;
    void *finished; /* tsearch tree of identities */
    uint64_t chain; /* row_hash of the last row; 0: it has none */
};

/* ---- of record.c ---- */

/* The text by which two rows are the same measurement.  A session remembers it in a tree, which
 * takes 'identity' over, also on failure. */
void record_identity(const struct record_table *table, int row, struct text *identity);
enum bench_status record_remember_identity(void **tree, struct text *identity);
bool record_is_finished(const char *status);

/* The value of row_hash: of the row before, of this one's other fields, and of its lines of
 * values. */
uint64_t record_row_hash(const struct record_table *table, int row, uint64_t before,
                         const struct text *values);

/* Keep a value as it is written. */
enum bench_status record_value_text(struct record_row *row, const char *name, int index,
                                    const char *value, const char *unit);

#endif
