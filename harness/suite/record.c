/*
 * record.c - the writing half of results on disk: sessions that survive a kill at any moment
 *
 * A row's values and samples are appended and flushed before the row itself, so that a row on disk always has all
 * that belongs to it; what a kill leaves without its row is never joined to another one, because a resumed session
 * counts row ids on from the highest that any of its files has seen.
 */
#include "harness/suite/record.h"

#include "harness/suite/experiment.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/suite/record_private.h"
#include "harness/base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define VALUES_HEADER  "\"row_id\",\"name\",\"index\",\"value\",\"unit\"\n"
#define SAMPLES_HEADER "\"row_id\",\"i\",\"ns\",\"sm_mhz\"\n"
#define GZIP_WINDOW    (15 + 16) /* zlib: the largest window, in a gzip wrapper */
#define N_TRIES        10 /* a folder may be taken away by a session that ends without rows */

#define COLUMN_NAME(name) #name,
static const char *const fixed_columns[] = {RECORD_COLUMNS(COLUMN_NAME)};
#define N_FIXED_COLUMNS (sizeof fixed_columns / sizeof *fixed_columns)

/* What makes two rows the same measurement for --resume. */
static const char *const identity_columns[] = {
    "profile", "impl",   "params",  "plan",     "input", "input_hash",
    "case",    "batch",  "threads", "transfer", "sms",   "mode_name",
    "scope",   "series", "lap",     "status",   "reason"};
#define N_IDENTITY ((int)(sizeof identity_columns / sizeof *identity_columns))

enum part { ROWS, VALUES, SAMPLES, ENV, N_PARTS };
static const char *const part_suffix[N_PARTS] = {".csv", ".values.csv", ".samples.csv.gz",
                                                 ".env.txt"};

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
    char **column; /* names, as in the header of this session's file */
    int n_columns;
    struct text env;
    bool env_pending;
    bool resume;
    bool made_folder; /* by this session */
    bool is_reserved; /* the row file is this session's, and a name alone: it has no row yet */
    long long next_id;
    void *finished; /* tsearch tree of identities */
};

struct record_row {
    struct record_session *session; /* borrowed */
    char **field;                   /* [n_columns]; NULL: empty */
    char id[24];
    struct text values, samples;
    bool failed;
};

/* ---- columns ---- */

static int find_name(char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

static enum bench_status add_column(struct record_session *session, const char *name)
{
    char **column;
    char *copy;

    if (find_name(session->column, session->n_columns, name) >= 0)
        return BENCH_OK;
    column = realloc(session->column, ((size_t)session->n_columns + 1) * sizeof *column);
    if (!column)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the columns of a session");
    session->column = column;
    copy = strdup(name);
    if (!copy)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the columns of a session");
    column[session->n_columns++] = copy;
    return BENCH_OK;
}

/* A key that hides a fixed column would mix two meanings in one field. */
static enum bench_status add_key(struct record_session *session, const char *name)
{
    for (size_t i = 0; i < N_FIXED_COLUMNS; i++)
        assert(strcmp(fixed_columns[i], name) != 0);
    return add_column(session, name);
}

/* The keys of all known variants, built or not, so that a CPU build and a CUDA build write the same header. */
static enum bench_status declare_columns(struct record_session *session)
{
    for (size_t i = 0; i < N_FIXED_COLUMNS; i++)
        TRY(add_column(session, fixed_columns[i]));
    for (int i = 0; bench_problems[i]; i++)
        for (const struct bench_key *key = bench_problems[i]->keys; key && key->name; key++)
            TRY(add_key(session, key->name));
    for (int i = 0; bench_impls[i]; i++)
        for (const struct bench_key *key = bench_impls[i]->keys; key && key->name; key++)
            TRY(add_key(session, key->name));
    return BENCH_OK;
}

static void free_columns(struct record_session *session)
{
    for (int i = 0; i < session->n_columns; i++)
        free(session->column[i]);
    free(session->column);
    session->column = NULL;
    session->n_columns = 0;
}

/* ---- identities ---- */

static int compare_texts(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* Takes 'identity' over, also on failure. */
static enum bench_status remember_identity(struct record_session *session,
                                           struct text *identity)
{
    void *node;

    if (text_ok(identity) != BENCH_OK) {
        text_free(identity);
        return BENCH_ENOMEM;
    }
    node = tsearch(identity->data, &session->finished, compare_texts);
    if (!node || *(char **)node != identity->data)
        text_free(identity); /* no memory for a node, or known already */
    if (!node)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the rows of a resumed session");
    return BENCH_OK;
}

static const char *row_field(const struct record_row *row, const char *column)
{
    const int at = find_name(row->session->column, row->session->n_columns, column);

    return at >= 0 && row->field[at] ? row->field[at] : "";
}

static void row_identity(const struct record_row *row, struct text *identity)
{
    for (int i = 0; i < N_IDENTITY; i++) {
        text_add(identity, i ? "|" : "");
        text_add(identity, row_field(row, identity_columns[i]));
    }
}

static void table_identity(const struct record_table *table, int row, struct text *identity)
{
    for (int i = 0; i < N_IDENTITY; i++) {
        text_add(identity, i ? "|" : "");
        text_add(identity, record_get(table, row, identity_columns[i]));
    }
}

static bool is_finished(const char *status)
{
    return !strcmp(status, "ok") || !strcmp(status, "skipped");
}

/* ---- resuming ---- */

static void note_id(struct record_session *session, const char *row_id)
{
    long long id;
    char *end;

    if (row_id[0] != 'r' || row_id[1] < '0' || row_id[1] > '9')
        return;
    errno = 0;
    id = strtoll(row_id + 1, &end, 10);
    if (errno == 0 && *end == '\0' && id < LLONG_MAX && id >= session->next_id)
        session->next_id = id + 1;
}

static enum bench_status set_names(struct record_session *session, const char *name)
{
    struct text path = {0};

    free(session->name);
    session->name = strdup(name);
    for (int i = 0; i < N_PARTS; i++) {
        free(session->part[i].path);
        path = (struct text){0};
        text_format(&path, "%s/%s%s", session->folder, name, part_suffix[i]);
        session->part[i].path = path.data;
        if (text_ok(&path) != BENCH_OK)
            return BENCH_ENOMEM;
    }
    if (!session->name)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the name of a session");
    return BENCH_OK;
}

static enum bench_status cut_file(const char *path, size_t n_bytes)
{
    if (truncate(path, (off_t)n_bytes) != 0)
        return BENCH_FAIL(BENCH_EIO, "%s: cannot cut off an unfinished line: %s", path,
                          strerror(errno));
    return BENCH_OK;
}

static enum bench_status resume_values(struct record_session *session)
{
    const char *path = session->part[VALUES].path;
    struct record_table table = {0};
    size_t n_whole;

    if (access(path, F_OK) != 0)
        return BENCH_OK;
    TRY(record_read(path, true, &table));
    n_whole = table.n_whole_bytes;
    for (int i = 0; i < table.n_rows; i++)
        note_id(session, record_get(&table, i, "row_id"));
    record_table_free(&table);
    return cut_file(path, n_whole);
}

/* The row ids of one gzip member's text: the first field of each line. */
static void note_sample_ids(struct record_session *session, const struct text *member)
{
    const char *line = member->data;

    while (line && *line) {
        const char *first = line + (*line == '"');
        const size_t n = strcspn(first, "\",\n");
        char id[24];

        if (n < sizeof id) {
            memcpy(id, first, n);
            id[n] = '\0';
            note_id(session, id);
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
}

/* Inflate member after member as far as they are whole; *n_whole: where the last whole one ends. */
static enum bench_status walk_members(struct record_session *session, struct text *packed,
                                      size_t *n_whole)
{
    z_stream stream = {0};
    struct text member = {0};
    size_t at = 0;
    int result = Z_OK;

    *n_whole = 0;
    if (packed->size > UINT_MAX)
        return BENCH_FAIL(BENCH_EINPUT, "%s: larger than 4 GiB: begin a new session",
                          session->part[SAMPLES].path);
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for inflating samples");
    while (at < packed->size) {
        stream.next_in = (unsigned char *)packed->data + at;
        stream.avail_in = (unsigned)(packed->size - at);
        do {
            unsigned char chunk[16384];

            stream.next_out = chunk;
            stream.avail_out = sizeof chunk;
            result = inflate(&stream, Z_NO_FLUSH);
            text_bytes(&member, chunk, sizeof chunk - stream.avail_out);
        } while (result == Z_OK);
        if (result != Z_STREAM_END)
            break; /* cut by a kill */
        note_sample_ids(session, &member);
        member.size = 0;
        at = packed->size - stream.avail_in;
        *n_whole = at;
        if (inflateReset(&stream) != Z_OK)
            break;
    }
    inflateEnd(&stream);
    result = (int)text_ok(&member);
    text_free(&member);
    return (enum bench_status)result;
}

static enum bench_status resume_samples(struct record_session *session)
{
    const char *path = session->part[SAMPLES].path;
    struct text packed = {0};
    size_t n_whole = 0;
    enum bench_status status;

    if (access(path, F_OK) != 0)
        return BENCH_OK;
    TRY(text_read_file(path, &packed));
    status = walk_members(session, &packed, &n_whole);
    text_free(&packed);
    TRY(status);
    return cut_file(path, n_whole);
}

/* The columns that this build writes must all be there; more do no harm. */
static bool has_all_columns(const struct record_session *session,
                            const struct record_table *table)
{
    for (int i = 0; i < session->n_columns; i++)
        if (record_column(table, session->column[i]) < 0)
            return false;
    return true;
}

static enum bench_status take_header(struct record_session *session,
                                     const struct record_table *table)
{
    free_columns(session);
    for (int i = 0; i < table->n_columns; i++)
        TRY(add_column(session, table->column[i]));
    return BENCH_OK;
}

static enum bench_status take_rows(struct record_session *session,
                                   const struct record_table *table)
{
    struct text withdrawn = {0};
    enum bench_status status = record_read_withdrawn(session->folder, &withdrawn);

    for (int i = 0; i < table->n_rows && status == BENCH_OK; i++) {
        const char *row_id = record_get(table, i, "row_id");
        struct text identity = {0};
        size_t n_reason;

        note_id(session, row_id);
        if (!is_finished(record_get(table, i, "status")) ||
            record_withdrawn(&withdrawn, session->name, row_id, &n_reason))
            continue;
        table_identity(table, i, &identity);
        status = remember_identity(session, &identity);
    }
    text_free(&withdrawn);
    return status;
}

static enum bench_status continue_session(struct record_session *session,
                                          const struct record_table *table)
{
    TRY(cut_file(session->part[ROWS].path, table->n_whole_bytes));
    TRY(take_header(session, table));
    TRY(take_rows(session, table));
    TRY(resume_values(session));
    TRY(resume_samples(session));
    return BENCH_OK;
}

/* Whether its rows are of that build and host, and some of one of those experiments. */
static bool is_wanted(const struct record_table *table, const struct record_resume *wanted)
{
    if (table->n_rows == 0 ||
        strcmp(record_get(table, 0, "build_hash"), wanted->build_hash) != 0 ||
        strcmp(record_get(table, 0, "host"), wanted->host) != 0)
        return false;
    if (!wanted->experiments)
        return true;
    for (int row = 0; row < table->n_rows; row++)
        for (int i = 0; wanted->experiments[i]; i++)
            if (!strcmp(record_get(table, row, "experiment"), wanted->experiments[i]))
                return true;
    return false;
}

/*
 * Continue session 'name' when it is wanted and nobody else is writing it; *taken says whether.  The file is locked
 * before it is read, since a living session's unfinished line must not be cut off.
 */
static enum bench_status try_session(struct record_session *session, const char *name,
                                     const struct record_resume *wanted, bool *taken)
{
    struct part_file *rows = &session->part[ROWS];
    struct record_table table = {0};
    enum bench_status status;

    TRY(set_names(session, name));
    rows->fd = open(rows->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (rows->fd < 0 || flock(rows->fd, LOCK_EX | LOCK_NB) != 0)
        goto not_this;
    /* a file that is no table of ours is no session to continue, whatever it is */
    if (record_read(rows->path, true, &table) != BENCH_OK)
        goto not_this;
    if (!is_wanted(&table, wanted) || !has_all_columns(session, &table))
        goto not_this;
    status = continue_session(session, &table);
    record_table_free(&table);
    *taken = status == BENCH_OK;
    return status;

not_this:
    record_table_free(&table);
    if (rows->fd >= 0)
        close(rows->fd);
    rows->fd = -1;
    return BENCH_OK;
}

/* The newest one with rows of the experiments, else the newest of all. */
static enum bench_status find_session(struct record_session *session,
                                      const struct record_resume *wanted, bool *taken)
{
    struct record_resume any = *wanted;
    struct listing names;
    enum bench_status status = BENCH_OK;

    any.experiments = NULL;
    TRY(record_list_sessions(session->folder, &names));
    for (int i = names.n - 1; i >= 0 && !*taken && status == BENCH_OK; i--)
        status = try_session(session, names.path[i], wanted, taken);
    for (int i = names.n - 1; i >= 0 && !*taken && status == BENCH_OK; i--)
        status = try_session(session, names.path[i], &any, taken);
    listing_free(&names);
    return status;
}

/* ---- opening ---- */

/* Say in whose way a folder is before one is made. */
static enum bench_status check_folder(const char *folder)
{
    char *path = strdup(folder[0] ? folder : ".");
    struct stat info;
    char *slash;
    int error = 0;

    if (!path)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a path");
    while (stat(path, &info) != 0 && errno == ENOENT) {
        slash = strrchr(path, '/');
        if (!slash) {
            memcpy(path, ".", 2);
            break;
        }
        slash[slash == path] = '\0';
    }
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
        error = ENOTDIR;
    else if (access(path, W_OK | X_OK) != 0)
        error = errno;
    free(path);
    if (error != 0)
        return BENCH_FAIL(BENCH_EIO, "%s: results cannot be written here: %s", folder,
                          strerror(error));
    return BENCH_OK;
}

/*
 * Make the row file of session 'name', empty and locked: a name is taken by whoever makes it.  *taken is false where
 * there is one, or another file that would belong to it.
 */
static enum bench_status reserve_name(struct record_session *session, const char *name,
                                      bool *taken)
{
    struct part_file *rows = &session->part[ROWS];

    *taken = false;
    TRY(set_names(session, name));
    for (int part = ROWS + 1; part < N_PARTS; part++)
        if (access(session->part[part].path, F_OK) == 0)
            return BENCH_OK;
    for (int i = 0; i < N_TRIES && rows->fd < 0; i++) {
        TRY(text_make_folder(session->folder));
        rows->fd = open(rows->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (rows->fd < 0 && errno != ENOENT)
            break;
    }
    if (rows->fd < 0 && errno == EEXIST)
        return BENCH_OK;
    if (rows->fd < 0)
        return BENCH_FAIL(BENCH_EIO, "%s: cannot begin a session: %s", rows->path,
                          strerror(errno));
    *taken = session->is_reserved = true;
    while (flock(rows->fd, LOCK_EX) != 0 && errno == EINTR)
        ; /* whoever looks for a session to resume holds it for a moment; not all file systems can */
    return BENCH_OK;
}

/* 'name', or where that is taken the first free one of NAME-2, NAME-3 ... */
static enum bench_status choose_name(struct record_session *session, const char *name)
{
    enum bench_status status;
    bool taken = false;

    session->made_folder = access(session->folder, F_OK) != 0;
    status = reserve_name(session, name, &taken);
    for (int i = 2; status == BENCH_OK && !taken; i++) {
        struct text numbered = {0};

        text_format(&numbered, "%s-%d", name, i);
        status = text_ok(&numbered);
        if (status == BENCH_OK)
            status = reserve_name(session, numbered.data, &taken);
        text_free(&numbered);
    }
    return status;
}

static enum bench_status open_session(struct record_session *session, const char *folder,
                                      const char *name, const struct record_resume *resume)
{
    bool taken = false;

    session->folder = strdup(folder);
    if (!session->folder)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a path");
    TRY(check_folder(folder));
    TRY(declare_columns(session));
    if (resume)
        TRY(find_session(session, resume, &taken));
    if (taken)
        return BENCH_OK;
    return choose_name(session, name);
}

enum bench_status record_open(const char *folder, const char *name,
                              const struct record_resume *resume,
                              struct record_session **session)
{
    struct record_session *opened = calloc(1, sizeof *opened);
    enum bench_status status;

    *session = NULL;
    if (!opened)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a session");
    for (int i = 0; i < N_PARTS; i++)
        opened->part[i].fd = -1;
    opened->next_id = 1;
    opened->resume = resume != NULL;
    status = open_session(opened, folder, name, resume);
    if (status != BENCH_OK) {
        record_close(opened);
        return status;
    }
    *session = opened;
    return BENCH_OK;
}

/* A session without rows leaves nothing, not even the folder that was made for it. */
static void give_name_back(struct record_session *session)
{
    if (!session->is_reserved)
        return;
    for (int i = 0; i < N_PARTS; i++)
        unlink(session->part[i].path);
    if (session->made_folder)
        rmdir(session->folder); /* others may have rows in it by now */
}

enum bench_status record_close(struct record_session *session)
{
    enum bench_status status = BENCH_OK;

    if (!session)
        return BENCH_OK;
    give_name_back(session);
    for (int i = 0; i < N_PARTS; i++) {
        struct part_file *part = &session->part[i];

        if (part->fd >= 0 && close(part->fd) != 0)
            status = BENCH_FAIL(BENCH_EIO, "%s: cannot close: %s", part->path, strerror(errno));
        free(part->path);
    }
    free_columns(session);
    tdestroy(session->finished, free);
    text_free(&session->env);
    free(session->name);
    free(session->folder);
    free(session);
    return status;
}

const char *record_session_name(const struct record_session *session)
{
    return session->name;
}

enum bench_status record_env(struct record_session *session, const char *text)
{
    text_free(&session->env);
    text_add(&session->env, text);
    session->env_pending = true;
    return text_ok(&session->env);
}

/* ---- rows ---- */

struct record_row *record_row_new(struct record_session *session)
{
    struct record_row *row = calloc(1, sizeof *row);

    if (!row)
        return NULL;
    row->field = calloc((size_t)session->n_columns, sizeof *row->field);
    if (!row->field) {
        free(row);
        return NULL;
    }
    row->session = session;
    snprintf(row->id, sizeof row->id, "r%06lld", session->next_id++);
    record_integer(row, "schema", RECORD_SCHEMA);
    record_text(row, "session", session->name);
    record_text(row, "row_id", row->id);
    return row;
}

void record_row_free(struct record_row *row)
{
    if (!row)
        return;
    for (int i = 0; i < row->session->n_columns; i++)
        free(row->field[i]);
    free(row->field);
    text_free(&row->values);
    text_free(&row->samples);
    free(row);
}

void record_text(struct record_row *row, const char *column, const char *text)
{
    const int at = find_name(row->session->column, row->session->n_columns, column);

    assert(at >= 0);
    if (at < 0)
        return;
    free(row->field[at]);
    row->field[at] = strdup(text ? text : "");
    if (!row->field[at])
        row->failed = true;
}

void record_number(struct record_row *row, const char *column, double value)
{
    char number[TEXT_NUMBER];

    text_number(number, value);
    record_text(row, column, number);
}

void record_integer(struct record_row *row, const char *column, long long value)
{
    char number[TEXT_NUMBER];

    snprintf(number, sizeof number, "%lld", value);
    record_text(row, column, number);
}

enum bench_status record_value(struct record_row *row, const char *name, int index,
                               double value, const char *unit)
{
    char number[TEXT_NUMBER];

    text_number(number, value);
    text_csv(&row->values, row->id);
    text_add(&row->values, ",");
    text_csv(&row->values, name);
    text_add(&row->values, ",");
    if (index >= 0)
        text_format(&row->values, "\"%d\"", index);
    text_add(&row->values, ",");
    text_csv(&row->values, number);
    text_add(&row->values, ",");
    text_csv(&row->values, unit ? unit : "");
    text_add(&row->values, "\n");
    return text_ok(&row->values);
}

enum bench_status record_samples(struct record_row *row, const double *ns, const double *sm_mhz,
                                 int n)
{
    for (int i = 0; i < n; i++) {
        char mhz[TEXT_NUMBER] = "";

        text_csv(&row->samples, row->id);
        text_format(&row->samples, ",\"%d\",", i);
        if (isfinite(ns[i]))
            text_format(&row->samples, "\"%.0f\"", ns[i]); /* whole ns: no decimal point */
        text_add(&row->samples, ",");
        if (sm_mhz && sm_mhz[i] > 0.0)
            text_number(mhz, sm_mhz[i]);
        text_csv(&row->samples, mhz);
        text_add(&row->samples, "\n");
    }
    return text_ok(&row->samples);
}

bool record_has(const struct record_session *session, const struct record_row *row)
{
    struct text identity = {0};
    bool has;

    row_identity(row, &identity);
    has = !identity.failed && tfind(identity.data, &session->finished, compare_texts) != NULL;
    text_free(&identity);
    return has;
}

/* ---- to disk ---- */

/* 'plain' as one gzip member, appended to 'packed'. */
static enum bench_status add_member(struct text *packed, const char *plain, size_t n_bytes)
{
    z_stream stream = {0};
    unsigned char *room;
    size_t bound;
    int result;

    if (n_bytes > UINT_MAX / 2)
        return BENCH_FAIL(BENCH_EINPUT, "%zu bytes of samples in one row are too many",
                          n_bytes);
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for packing samples");
    bound = deflateBound(&stream, (unsigned long)n_bytes);
    room = malloc(bound);
    if (!room) {
        deflateEnd(&stream);
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for packing samples");
    }
    stream.next_in =
        (unsigned char *)(size_t)plain; /* zlib reads only, and says so since 1.2.13 */
    stream.avail_in = (unsigned)n_bytes;
    stream.next_out = room;
    stream.avail_out = (unsigned)bound;
    result = deflate(&stream, Z_FINISH);
    if (result == Z_STREAM_END)
        text_bytes(packed, room, bound - stream.avail_out);
    else
        packed->failed = true;
    deflateEnd(&stream);
    free(room);
    return text_ok(packed);
}

static int open_part(struct part_file *part)
{
    struct stat info;

    if (part->fd < 0) { /* not the rows: they are open since the session is */
        part->created = access(part->path, F_OK) != 0;
        part->fd = open(part->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (part->fd < 0) {
            part->created = false;
            return errno;
        }
    }
    if (fstat(part->fd, &info) != 0)
        return errno;
    part->before = info.st_size;
    part->touched = true;
    return 0;
}

/* Append 'text', behind 'header' when the file is new, in one write. */
static int append(struct part_file *part, const struct text *header, struct text *text)
{
    struct text all = {0};
    int error = open_part(part);

    if (error != 0)
        return error;
    if (part->before == 0)
        text_bytes(&all, header->data, header->size);
    text_bytes(&all, text->data, text->size);
    error = all.failed ? ENOMEM : text_write_all(part->fd, all.data, all.size);
    text_free(&all);
    if (error == 0 && fsync(part->fd) != 0)
        error = errno;
    if (error == 0 && part->before == 0)
        error = text_sync_folder(part->path);
    return error;
}

/* Leave the files as they were before this row: half a line would hide the next row from readers. */
static void roll_back(struct record_session *session)
{
    for (int i = ROWS; i <= SAMPLES; i++) {
        struct part_file *part = &session->part[i];

        if (part->touched && ftruncate(part->fd, part->before) != 0)
            continue; /* nothing better to be done; readers drop a line without newline */
        if (part->created) {
            unlink(part->path);
            close(part->fd);
            part->fd = -1;
        }
    }
}

static void row_line(const struct record_row *row, struct text *line)
{
    for (int i = 0; i < row->session->n_columns; i++) {
        text_add(line, i ? "," : "");
        text_csv(line, row->field[i] ? row->field[i] : "");
    }
    text_add(line, "\n");
}

static void header_line(const struct record_session *session, struct text *line)
{
    for (int i = 0; i < session->n_columns; i++) {
        text_add(line, i ? "," : "");
        text_csv(line, session->column[i]);
    }
    text_add(line, "\n");
}

enum bench_status record_declare(struct record_table *table)
{
    struct record_session session = {0};
    struct text header = {0};
    enum bench_status status = declare_columns(&session);

    *table = (struct record_table){0};
    header_line(&session, &header);
    free_columns(&session);
    if (!status)
        status = text_ok(&header);
    if (!status)
        return record_parse("a new session", true, &header, table);
    text_free(&header);
    return status;
}

/* Header and text of each part. */
struct lines {
    struct text header[ENV], text[ENV];
};

static enum bench_status make_lines(const struct record_session *session,
                                    const struct record_row *row, struct lines *lines)
{
    header_line(session, &lines->header[ROWS]);
    row_line(row, &lines->text[ROWS]);
    text_add(&lines->header[VALUES], VALUES_HEADER);
    text_bytes(&lines->text[VALUES], row->values.data, row->values.size);
    if (row->samples.size > 0) {
        TRY(add_member(&lines->header[SAMPLES], SAMPLES_HEADER, strlen(SAMPLES_HEADER)));
        TRY(add_member(&lines->text[SAMPLES], row->samples.data, row->samples.size));
    }
    for (int i = ROWS; i <= SAMPLES; i++) {
        TRY(text_ok(&lines->header[i]));
        TRY(text_ok(&lines->text[i]));
    }
    return BENCH_OK;
}

static enum bench_status write_lines(struct record_session *session, struct lines *lines)
{
    static const enum part order[] = {SAMPLES, VALUES, ROWS}; /* the row last */

    for (int i = ROWS; i <= SAMPLES; i++)
        session->part[i].touched = session->part[i].created = false;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct part_file *part = &session->part[order[i]];
        int error;

        if (lines->text[order[i]].size == 0)
            continue;
        error = append(part, &lines->header[order[i]], &lines->text[order[i]]);
        if (error != 0) {
            roll_back(session);
            return BENCH_FAIL(BENCH_EIO, "%s: cannot append a row: %s", part->path,
                              strerror(error));
        }
    }
    return BENCH_OK;
}

enum bench_status record_write(struct record_session *session, struct record_row *row)
{
    struct lines lines = {0};
    struct text identity = {0};
    enum bench_status status;

    if (row->failed)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for row %s", row->id);
    TRY(text_ok(&row->values));
    TRY(text_ok(&row->samples));
    if (session->env_pending)
        TRY(text_replace_file(session->part[ENV].path, &session->env));
    session->env_pending = false;

    status = make_lines(session, row, &lines);
    if (status == BENCH_OK)
        status = write_lines(session, &lines);
    for (int i = ROWS; i <= SAMPLES; i++) {
        text_free(&lines.header[i]);
        text_free(&lines.text[i]);
    }
    TRY(status);
    session->is_reserved = false;
    if (!session->resume || !is_finished(row_field(row, "status")))
        return BENCH_OK;
    row_identity(row, &identity);
    return remember_identity(session, &identity);
}
