/*
 * record_read.c - the reading half of results on disk: CSV files as tables of text
 *
 * libcsv is fed one physical line at a time: so every complaint has its line number, and the
 * end of the last whole record is known.  It drops blank lines and blanks around an unquoted
 * field.
 */
#include "harness/suite/record.h"

#include "harness/base/memory.h"
#include "harness/base/sums.h"
#include "harness/base/text.h"
#include "harness/suite/record_private.h"

#include <csv.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_NAME          80
#define MAX_TABLE_COLUMNS 4096 /* more is no table but a mistake */

/* ---- one file ------------------------------------------------------------------------- */

struct reader {
    const char *path;
    bool session;
    struct record_table *table;
    char *end;      /* of the texts so far */
    size_t n_cells; /* of table->cell */
    int n_fields;   /* of the record being read: the last configurations */
    int line;       /* being fed, from 1 */
    int row_line;   /* where the record began */
    bool whole;     /* a record ended in the line just fed */
    enum bench_status status;
};

static enum bench_status out_of_memory(const struct reader *reader)
{
    return BENCH_FAIL(BENCH_ENOMEM, "%s: out of memory while reading", reader->path);
}

/* A text takes the place of the bytes that it was read from, its NUL that of their comma. */
static enum bench_status take_field(struct reader *reader, const char *bytes, size_t n_bytes)
{
    struct record_table *const table = reader->table;

    REFUSE_IF(reader->n_fields++ == MAX_TABLE_COLUMNS, "%s:%d: more than %d fields in one row",
              reader->path, reader->row_line, MAX_TABLE_COLUMNS);
    if (!memory_grow(&table->cell, sizeof *table->cell, reader->n_cells))
        return out_of_memory(reader);
    table->cell[reader->n_cells++] = memcpy(reader->end, bytes, n_bytes);
    reader->end[n_bytes] = '\0';
    reader->end += n_bytes + 1;
    return BENCH_OK;
}

static enum bench_status take_header(struct reader *reader)
{
    struct record_table *const table = reader->table;

    table->column = table->cell;
    table->cell = NULL;
    reader->n_cells = 0;
    for (int i = 0; i < reader->n_fields; table->n_columns = ++i) {
        REFUSE_IF(!*table->column[i], "%s:%d: column %d of the header has no name",
                  reader->path, reader->row_line, i + 1);
        REFUSE_IF(record_column(table, table->column[i]) >= 0,
                  "%s:%d: column '%s' is there twice", reader->path, reader->row_line,
                  table->column[i]);
    }
    return BENCH_OK;
}

static enum bench_status take_row(struct reader *reader)
{
    struct record_table *const table = reader->table;

    REFUSE_IF(reader->n_fields != table->n_columns,
              "%s:%d: expected %d fields as in the header, found %d", reader->path,
              reader->row_line, table->n_columns, reader->n_fields);
    REFUSE_IF(table->n_rows == INT_MAX, "%s: too many rows", reader->path);
    table->n_rows++;
    return BENCH_OK;
}

static void field_read(void *data, size_t n_bytes, void *user)
{
    struct reader *reader = user;

    if (!reader->status)
        reader->status = take_field(reader, data, n_bytes);
}

static void record_ended(int separator, void *user)
{
    struct reader *reader = user;

    (void)separator;
    if (!reader->status)
        reader->status = reader->table->n_columns == 0 ? take_header(reader) : take_row(reader);
    reader->n_fields = 0;
    reader->whole = true;
}

static enum bench_status feed(struct reader *reader, struct csv_parser *parser,
                              const char *line, size_t n_bytes)
{
    REFUSE_IF(memchr(line, '\0', n_bytes), "%s:%d: a NUL byte in a text file", reader->path,
              reader->line);
    if (csv_parse(parser, line, n_bytes, field_read, record_ended, reader) == n_bytes ||
        reader->status)
        return reader->status;
    REFUSE_IF(csv_error(parser) == CSV_EPARSE, "%s:%d: a quote where none can be", reader->path,
              reader->line);
    return out_of_memory(reader);
}

static enum bench_status read_lines(struct reader *reader, struct csv_parser *parser,
                                    const struct text *text)
{
    size_t at = text->size >= 3 && !memcmp(text->data, "\xef\xbb\xbf", 3) ? 3 : 0;
    bool open_record = false; /* a quoted field goes on from the line before */

    while (at < text->size) {
        const char *const line = text->data + at, *const newline =
                                                      memchr(line, '\n', text->size - at);
        const size_t n = newline ? (size_t)(newline - line) + 1 : text->size - at;
        const bool is_blank = n <= strspn(line, "\r\n");

        if (!newline && reader->session)
            return BENCH_OK; /* it was cut by a kill */
        reader->line++;
        if (!open_record)
            reader->row_line = reader->line;
        reader->whole = false;
        TRY(feed(reader, parser, line, n));
        at += n;
        if (reader->whole && newline)
            reader->table->n_whole_bytes = at;
        open_record = !reader->whole && (open_record || !is_blank);
    }
    if (reader->session)
        return BENCH_OK;
    REFUSE_IF(csv_fini(parser, field_read, record_ended, reader) != 0,
              "%s:%d: a quote is opened and never closed", reader->path, reader->row_line);
    return reader->status;
}

enum bench_status record_parse(const char *path, bool session, struct text *text,
                               struct record_table *table)
{
    struct reader reader = {path, .session = session, .table = table, .end = text->data};
    struct csv_parser parser;
    enum bench_status status;

    *table = (struct record_table){.texts = text->data};
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) == 0) {
        /* by how much its buffer grows for a long field; 128 bytes else */
        csv_set_blk_size(&parser, 1 << 16);
        status = read_lines(&reader, &parser, text);
        csv_free(&parser);
    } else
        status = out_of_memory(&reader);
    if (!status && table->n_columns == 0 && !session)
        status = BENCH_FAIL(BENCH_EINPUT, "%s:1: the header is missing", path);
    if (status)
        record_table_free(table);
    *text = (struct text){0};
    return status;
}

enum bench_status record_read(const char *path, bool session, struct record_table *table)
{
    struct text text;

    *table = (struct record_table){0};
    TRY(text_read_file(path, &text));
    return record_parse(path, session, &text, table);
}

/* ---- tables --------------------------------------------------------------------------- */

void record_table_free(struct record_table *table)
{
    free(table->column);
    free(table->cell);
    free(table->texts);
    *table = (struct record_table){0};
}

bool record_is_name(const char *text)
{
    const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._-+:/");

    return n > 0 && n <= MAX_NAME && text[n] == '\0' && strspn(text, "._-+:/") == 0 &&
           !strstr(text, "..");
}

int record_column(const struct record_table *table, const char *name)
{
    for (int i = 0; i < table->n_columns; i++)
        if (!strcmp(table->column[i], name))
            return i;
    return -1;
}

const char *record_get(const struct record_table *table, int row, const char *column)
{
    const int at = record_column(table, column);
    const char *const cell =
        at < 0 ? NULL : table->cell[(size_t)row * (size_t)table->n_columns + (size_t)at];

    return cell ? cell : "";
}

/* ---- a folder of sessions ------------------------------------------------------------- */

enum bench_status record_read_withdrawn(const char *folder, struct text *withdrawn)
{
    char path[PATH_MAX];

    *withdrawn = (struct text){0};
    snprintf(path, sizeof path, "%s/WITHDRAWN", folder);
    return access(path, F_OK) != 0 && errno == ENOENT ? BENCH_OK
                                                      : text_read_file(path, withdrawn);
}

const char *record_withdrawn(const struct text *withdrawn, const char *session,
                             const char *row_id, size_t *n_bytes)
{
    const size_t n_session = strlen(session);
    const size_t n_row_id = strlen(row_id);
    const char *line = withdrawn->data;

    while (line && *line) {
        const char *name = line + strspn(line, " \t");
        const size_t n = strcspn(name, " \t\r\n");

        if (n_session > 0 && n >= n_session && !memcmp(name, session, n_session) &&
            (n == n_session || (name[n_session] == ':' && n == n_session + 1 + n_row_id &&
                                !memcmp(name + n_session + 1, row_id, n_row_id)))) {
            const char *reason = name + n + strspn(name + n, " \t");

            *n_bytes = strcspn(reason, "\r\n");
            return reason;
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return NULL;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* "FOLDER/NAME.csv" becomes "NAME"; false: it is of values. */
static bool name_session(char *path)
{
    *strrchr(path, '.') = '\0';
    memmove(path, listing_name(path), strlen(listing_name(path)) + 1);
    return fnmatch("?*.values", path, 0) != 0;
}

/* Names begin with the time, so that their order is the order of their beginnings. */
enum bench_status record_list_sessions(const char *folder, struct listing *names)
{
    TRY(listing_read(folder, ".csv", names));
    listing_keep(names, name_session);
    if (names->n > 0) /* without ".csv" behind them they have another order */
        qsort(names->path, (size_t)names->n, sizeof *names->path, compare_names);
    return BENCH_OK;
}

/* ---- rows of some inputs of a configuration: their values are sums -------------------- */

enum bench_status record_sums(struct record_row *row, const struct bench_sums *sums)
{
    for (int i = 0; i < sums->n; i++) {
        char text[BENCH_WIDE_TEXT];

        bench_wide_text(sums->sum[i].value, text);
        TRY(record_value_text(row, sums->sum[i].name, sums->sum[i].index, text, RECORD_SUM));
    }
    record_integer(row, "n", sums->n); /* so many are the part */
    return BENCH_OK;
}

static bool is_sum_name(const char *name)
{
    const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.");

    return n > 0 && !name[n] && n < sizeof((struct bench_sum *)0)->name;
}

/* A file may have been made by anybody. */
bool record_read_sum(const char *name, const char *index, const char *value_text,
                     struct bench_sums *sums)
{
    char *end = "";
    const long i = index ? strtol(index, &end, 10) : -1;
    bench_wide value;

    if (!name || !is_sum_name(name) || *end || i < -1 || i > INT32_MAX || !value_text ||
        !bench_wide_read(value_text, &value))
        return false;
    bench_sums_add(sums, name, (int)i, value);
    return true;
}
