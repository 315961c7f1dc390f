/*
 * record.c - the writing half of results on disk: sessions that survive a kill at any moment
 *
 * A row's values and samples are appended and flushed before the row itself: a row on disk has
 * all that belongs to it.  What a kill leaves without its row is never joined to another one: a
 * resumed session counts row ids on from the highest that any of its files has seen.
 */
#include "harness/suite/record.h"

#include "harness/base/memory.h"
#include "harness/suite/config.h"
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
#include <xxhash.h>
#include <zlib.h>

#define VALUES_HEADER  "\"row_id\",\"name\",\"index\",\"value\",\"unit\"\n"
#define SAMPLES_HEADER "\"row_id\",\"i\",\"ns\",\"sm_mhz\"\n"

#define COLUMN_NAME(name) #name,
static const char *const fixed_columns[] = {RECORD_COLUMNS(COLUMN_NAME)};

/* Two rows of one configuration are the same measurement for --resume if these are the same. */
static const char *const identity_columns[] = {
    "protocol", "plan", "input_hash", "threads",   "sms",        "mode_name", "scope", "series",
    "stage",    "run",  "rank",       "rank_gpus", "rank_hosts", "status",    "reason"};
#define N_IDENTITY ((int)(sizeof identity_columns / sizeof *identity_columns))

const char *const record_part_suffix[N_PARTS] = {".csv", ".values.csv", ".samples.csv.gz",
                                                 ".env.txt"};

struct record_row {
    struct record_session *session; /* borrowed */
    struct record_table one;        /* this row: the session's columns, fields that are owned */
    char id[24];
    struct text values, samples;
    bool failed;
};

/* ---- columns -------------------------------------------------------------------------- */

static void csv_line(const char *const *fields, int n, struct text *line)
{
    for (int i = 0; i < n; i++) {
        text_add(line, i ? "," : "");
        text_csv(line, fields[i] ? fields[i] : "");
    }
    text_add(line, "\n");
}

bool record_is_fixed(const char *column)
{
    for (int i = 0; i < RECORD_N_FIXED; i++)
        if (!strcmp(fixed_columns[i], column))
            return true;
    return false;
}

/* One that hides a fixed column would mix two meanings in one field. */
static void add_keys(struct text *header, const struct bench_key *keys)
{
    for (; keys && keys->name; keys++) {
        char quoted[64];

        assert(!record_is_fixed(keys->name));
        snprintf(quoted, sizeof quoted, ",\"%s\"", keys->name);
        if (!header->failed && !strstr(header->data, quoted))
            text_add(header, quoted);
    }
}

/* With the keys of all known variants, built or not: builds with and without CUDA write one
 * header. */
enum bench_status record_declare(struct record_table *table)
{
    OWNED(text_free) struct text header = {0};

    *table = (struct record_table){0};
    for (int i = 0; i < RECORD_N_FIXED; i++)
        text_format(&header, "%s\"%s\"", i ? "," : "", fixed_columns[i]);
    for (int i = 0; bench_problems[i]; i++)
        add_keys(&header, bench_problems[i]->keys);
    for (int i = 0; bench_impls[i]; i++)
        add_keys(&header, bench_impls[i]->keys);
    text_add(&header, "\n");
    TRY(text_ok(&header));
    return record_parse("a new session", true, &header, table);
}

/* ---- identities ----------------------------------------------------------------------- */

static int compare_texts(const void *left, const void *right)
{
    return strcmp(left, right);
}

enum bench_status record_remember_identity(void **tree, struct text *identity)
{
    void *node;

    if (text_ok(identity) != BENCH_OK) {
        text_free(identity);
        return BENCH_ENOMEM;
    }
    node = tsearch(identity->data, tree, compare_texts);
    if (!node || *(char **)node != identity->data)
        text_free(identity); /* no memory for a node, or known already */
    NEED(node, "the rows of a resumed session");
    return BENCH_OK;
}

void record_identity(const struct record_table *table, int row, struct text *identity)
{
    const char *const impl = record_get(table, row, "impl");
    const char *const problem = record_get(table, row, "problem");
    OWNED(text_free) struct text plan = {0};
    OWNED(text_free) struct text keys = {0};

    text_add(&plan, "");
    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        if (plan_column(key) && !config_is_open(key))
            text_format(&plan, "%s=%s;", key->name, record_get(table, row, plan_column(key)));
    if (text_ok(&plan) || config_keys(impl, problem, record_get(table, row, "params"), &keys) ||
        config_identity(impl, problem, plan.data, keys.data, identity))
        identity->failed = true;
    for (int i = 0; i < N_IDENTITY; i++)
        text_format(identity, "|%s", record_get(table, row, identity_columns[i]));
}

bool record_is_finished(const char *status)
{
    return !strcmp(status, "ok") || !strcmp(status, "skipped") || !strcmp(status, RECORD_PART);
}

/* ---- rows ----------------------------------------------------------------------------- */

struct record_row *record_row_new(struct record_session *session)
{
    struct record_row *row = calloc(1, sizeof *row);

    if (!row)
        return NULL;
    row->session = session;
    row->one = (struct record_table){
        .column = session->header.column, .n_columns = session->header.n_columns, .n_rows = 1};
    row->one.cell = calloc((size_t)row->one.n_columns, sizeof *row->one.cell);
    if (!row->one.cell) {
        free(row);
        return NULL;
    }
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
    for (int i = 0; i < row->one.n_columns; i++)
        free(row->one.cell[i]);
    free(row->one.cell);
    text_free(&row->values);
    text_free(&row->samples);
    free(row);
}

void record_text(struct record_row *row, const char *column, const char *text)
{
    const int at = record_column(&row->one, column);

    assert(at >= 0);
    if (at < 0)
        return;
    free(row->one.cell[at]);
    row->one.cell[at] = strdup(text ? text : "");
    if (!row->one.cell[at])
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

void record_known(struct record_row *row, const char *column, double value)
{
    if (value > 0)
        record_number(row, column, value);
}

enum bench_status record_value_text(struct record_row *row, const char *name, int index,
                                    const char *value, const char *unit)
{
    char at[TEXT_NUMBER] = "";

    if (index >= 0)
        snprintf(at, sizeof at, "%d", index);
    csv_line((const char *const[]){row->id, name, at, value, unit}, 5, &row->values);
    return text_ok(&row->values);
}

enum bench_status record_value(struct record_row *row, const char *name, int index,
                               double value, const char *unit)
{
    char number[TEXT_NUMBER];

    text_number(number, value);
    return record_value_text(row, name, index, number, unit);
}

#define TENTH_US       100.0 /* ns */
#define LONGEST_TENTHS 2e9   /* 200 s */

static int rounded_tenths(double ns)
{
    const double tenths = fmin(fmax(ceil(ns / TENTH_US), 1), LONGEST_TENTHS);
    const double step = tenths <= 1000 ? 1 : pow(10, ceil(log10(tenths) - 1e-12) - 3);

    return (int)(ceil(tenths / (2 * step)) * 2 * step);
}

static int compare_integers(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;

    return (a > b) - (a < b);
}

enum bench_status record_latencies(struct record_row *row, const double *ns, int n)
{
    OWNED(memory_free) int *tenths = NULL;

    TRY(memory_allocate(&tenths, sizeof *tenths, n, 1, 1, 1));
    for (int i = 0; i < n; i++)
        tenths[i] = rounded_tenths(ns[i]);
    qsort(tenths, (size_t)n, sizeof *tenths, compare_integers);
    for (int i = 0, first = 0; i < n; i++) {
        if (i + 1 < n && tenths[i + 1] == tenths[i])
            continue;
        TRY(record_value(row, "latency_count", tenths[i], i + 1 - first, "frames"));
        first = i + 1;
    }
    return BENCH_OK;
}

enum bench_status record_samples(struct record_row *row, const double *ns, const double *sm_mhz,
                                 int n)
{
    for (int i = 0; i < n; i++) {
        char at[TEXT_NUMBER], time[400] = "", mhz[TEXT_NUMBER] = "";

        snprintf(at, sizeof at, "%d", i);
        if (isfinite(ns[i]))
            snprintf(time, sizeof time, "%.0f", ns[i]); /* whole ns: no decimal point */
        if (sm_mhz && sm_mhz[i] > 0.0)
            text_number(mhz, sm_mhz[i]);
        csv_line((const char *const[]){row->id, at, time, mhz}, 4, &row->samples);
    }
    return text_ok(&row->samples);
}

bool record_has(const struct record_session *session, const struct record_row *row)
{
    OWNED(text_free) struct text identity = {0};

    record_identity(&row->one, 0, &identity);
    return !identity.failed && tfind(identity.data, &session->finished, compare_texts) != NULL;
}

uint64_t record_row_hash(const struct record_table *table, int row, uint64_t before,
                         const struct text *values)
{
    char *const *const cell = table->cell + (size_t)row * (size_t)table->n_columns;
    uint64_t hash = before;

    for (int i = 0; i < table->n_columns; i++)
        if (cell[i] && *cell[i] && strcmp(table->column[i], "row_hash") != 0)
            hash = XXH64(cell[i], strlen(cell[i]), hash + (uint64_t)i);
    return XXH64(values->data ? values->data : "", values->size, hash);
}

/* ---- to disk -------------------------------------------------------------------------- */

/* 'plain' as one gzip member, appended to 'packed'. */
static enum bench_status add_member(struct text *packed, const char *plain, size_t n_bytes)
{
    z_stream stream = {0};
    unsigned char *room;
    size_t bound;
    int result;

    REFUSE_IF(n_bytes > UINT_MAX / 2, "%zu bytes of samples in one row are too many", n_bytes);
    NEED(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RECORD_GZIP_WINDOW, 8,
                      Z_DEFAULT_STRATEGY) == Z_OK,
         "packing samples");
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

/* Writes a part of the row, behind its header if the file is new; empty: nothing. */
static enum bench_status part_text(const struct record_row *row, enum part part,
                                   struct text *text)
{
    const bool is_new = row->session->part[part].before == 0;

    if (part == ROWS) {
        if (is_new)
            csv_line((const char *const *)row->one.column, row->one.n_columns, text);
        csv_line((const char *const *)row->one.cell, row->one.n_columns, text);
    } else if (part == VALUES) {
        text_add(text, is_new ? VALUES_HEADER : "");
        text_bytes(text, row->values.data, row->values.size);
    } else {
        if (is_new)
            TRY(add_member(text, SAMPLES_HEADER, strlen(SAMPLES_HEADER)));
        TRY(add_member(text, row->samples.data, row->samples.size));
    }
    return text_ok(text);
}

/* Append it in one write. */
static enum bench_status append(const struct record_row *row, enum part i)
{
    struct part_file *part = &row->session->part[i];
    OWNED(text_free) struct text text = {0};
    int error = open_part(part);
    const enum bench_status status = error ? BENCH_OK : part_text(row, i, &text);

    if (!error && !status)
        error = text_write_all(part->fd, text.data, text.size);
    TRY(status);
    if (error == 0 && fsync(part->fd) != 0)
        error = errno;
    if (error == 0 && part->before == 0)
        error = text_sync_folder(part->path);
    FAIL_IF(error, BENCH_EIO, "%s: cannot append a row: %s", part->path, strerror(error));
    return BENCH_OK;
}

/* Leave the files as they were before this row: half a line would hide the next row. */
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

enum bench_status record_write(struct record_session *session, struct record_row *row)
{
    struct text identity = {0};
    enum bench_status status = BENCH_OK;
    const uint64_t hash = record_row_hash(&row->one, 0, session->chain, &row->values);
    char text[20];

    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    record_text(row, "row_hash", text);
    NEED(!row->failed, "row %s", row->id);
    TRY(text_ok(&row->values));
    TRY(text_ok(&row->samples));
    if (session->env_pending)
        TRY(text_replace_file(session->part[ENV].path, &session->env));
    session->env_pending = false;

    for (int i = ROWS; i <= SAMPLES; i++)
        session->part[i].touched = session->part[i].created = false;
    if (row->samples.size > 0)
        status = append(row, SAMPLES);
    if (status == BENCH_OK && row->values.size > 0)
        status = append(row, VALUES);
    if (status == BENCH_OK)
        status = append(row, ROWS); /* the last */
    if (status != BENCH_OK) {
        roll_back(session);
        return status;
    }
    session->is_reserved = false;
    session->chain = hash;
    if (!session->resume || !record_is_finished(record_get(&row->one, 0, "status")))
        return BENCH_OK;
    record_identity(&row->one, 0, &identity);
    return record_remember_identity(&session->finished, &identity);
}
