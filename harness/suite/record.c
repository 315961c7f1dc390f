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
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define VALUES_HEADER  "\"row_id\",\"name\",\"index\",\"value\",\"unit\"\n"
#define SAMPLES_HEADER "\"row_id\",\"i\",\"ns\",\"sm_mhz\"\n"

#define COLUMN_NAME(name) #name,
static const char *const fixed_columns[] = {RECORD_COLUMNS(COLUMN_NAME)};
#define N_FIXED_COLUMNS (sizeof fixed_columns / sizeof *fixed_columns)

/* What makes two rows the same measurement for --resume. */
static const char *const identity_columns[] = {
    "profile", "impl",   "params",  "plan",     "input", "input_hash",
    "case",    "batch",  "threads", "transfer", "sms",   "mode_name",
    "scope",   "series", "lap",     "status",   "reason"};
#define N_IDENTITY ((int)(sizeof identity_columns / sizeof *identity_columns))

const char *const record_part_suffix[N_PARTS] = {".csv", ".values.csv", ".samples.csv.gz",
                                                 ".env.txt"};

struct record_row {
    struct record_session *session; /* borrowed */
    char **field;                   /* [n_columns]; NULL: empty */
    char id[24];
    struct text values, samples;
    bool failed;
};

/* ---- columns ---- */

int record_find_name(char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

enum bench_status record_add_column(struct record_session *session, const char *name)
{
    char **column;
    char *copy;

    if (record_find_name(session->column, session->n_columns, name) >= 0)
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
    return record_add_column(session, name);
}

/* The keys of all known variants, built or not, so that a CPU build and a CUDA build write the same header. */
enum bench_status record_declare_columns(struct record_session *session)
{
    for (size_t i = 0; i < N_FIXED_COLUMNS; i++)
        TRY(record_add_column(session, fixed_columns[i]));
    for (int i = 0; bench_problems[i]; i++)
        for (const struct bench_key *key = bench_problems[i]->keys; key && key->name; key++)
            TRY(add_key(session, key->name));
    for (int i = 0; bench_impls[i]; i++)
        for (const struct bench_key *key = bench_impls[i]->keys; key && key->name; key++)
            TRY(add_key(session, key->name));
    return BENCH_OK;
}

void record_free_columns(struct record_session *session)
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

enum bench_status record_remember_identity(struct record_session *session,
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
    const int at = record_find_name(row->session->column, row->session->n_columns, column);

    return at >= 0 && row->field[at] ? row->field[at] : "";
}

static void row_identity(const struct record_row *row, struct text *identity)
{
    for (int i = 0; i < N_IDENTITY; i++) {
        text_add(identity, i ? "|" : "");
        text_add(identity, row_field(row, identity_columns[i]));
    }
}

void record_table_identity(const struct record_table *table, int row, struct text *identity)
{
    for (int i = 0; i < N_IDENTITY; i++) {
        text_add(identity, i ? "|" : "");
        text_add(identity, record_get(table, row, identity_columns[i]));
    }
}

bool record_is_finished(const char *status)
{
    return !strcmp(status, "ok") || !strcmp(status, "skipped");
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
    const int at = record_find_name(row->session->column, row->session->n_columns, column);

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
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RECORD_GZIP_WINDOW, 8,
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
    enum bench_status status = record_declare_columns(&session);

    *table = (struct record_table){0};
    header_line(&session, &header);
    record_free_columns(&session);
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
    if (!session->resume || !record_is_finished(row_field(row, "status")))
        return BENCH_OK;
    row_identity(row, &identity);
    return record_remember_identity(session, &identity);
}
