/*
 * record_read.c - the reading half of results on disk: CSV files as tables of text
 *
 * libcsv is fed one physical line at a time, which gives every complaint its line number and tells where the last
 * whole record ends.  What it does by itself and readers of foreign files should know: blanks around an unquoted
 * field are dropped, and so are blank lines.
 */
#include "harness/record.h"

#include "harness/listing.h"
#include "harness/record_private.h"
#include "harness/text.h"

#include <assert.h>
#include <csv.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_NAME          80
#define MAX_TABLE_COLUMNS 4096 /* more is no table but a mistake */

/* ---- one file ---- */

struct reader {
    const char *path;
    bool session;
    struct record_table *table;
    int capacity;    /* rows that table->cell has room for */
    struct text row; /* fields of the record being read, each with its NUL */
    int n_fields;
    int line;     /* being fed, from 1 */
    int row_line; /* where the record began */
    bool whole;   /* a record ended in the line just fed */
    enum bench_status status;
};

static void field_read(void *data, size_t n_bytes, void *user)
{
    struct reader *reader = user;

    if (reader->status != BENCH_OK)
        return;
    if (memchr(data, '\0', n_bytes)) {
        reader->status = BENCH_FAIL(BENCH_EINPUT, "%s:%d: a NUL byte in a text file",
                                    reader->path, reader->line);
        return;
    }
    text_bytes(&reader->row, data, n_bytes);
    text_bytes(&reader->row, "", 1);
    reader->n_fields++;
    if (reader->row.failed)
        reader->status = text_ok(&reader->row);
    if (reader->n_fields > MAX_TABLE_COLUMNS)
        reader->status = BENCH_FAIL(BENCH_EINPUT, "%s:%d: more than %d fields in one row",
                                    reader->path, reader->row_line, MAX_TABLE_COLUMNS);
}

static enum bench_status out_of_memory(const struct reader *reader)
{
    return BENCH_FAIL(BENCH_ENOMEM, "%s: out of memory while reading", reader->path);
}

static enum bench_status take_header(struct reader *reader)
{
    struct record_table *table = reader->table;
    const char *at = reader->row.data;

    for (int i = 0; i < reader->n_fields; i++, at += strlen(at) + 1) {
        if (at[0] == '\0')
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: column %d of the header has no name",
                              reader->path, reader->row_line, i + 1);
        if (record_column(table, at) >= 0)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: column '%s' is there twice", reader->path,
                              reader->row_line, at);
        TRY(record_add_column(table, at));
    }
    return BENCH_OK;
}

static bool is_time(const char *column)
{
    const size_t n = strlen(column);

    return n > 3 && !strcmp(column + n - 3, "_ms");
}

/* A time that is no number would otherwise look like a row that was not timed. */
static enum bench_status check_times(const struct reader *reader)
{
    const struct record_table *table = reader->table;
    const char *at = reader->row.data;
    double number;

    for (int i = 0; i < table->n_columns; i++, at += strlen(at) + 1)
        if (at[0] && is_time(table->column[i]) && !text_to_number(at, &number))
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: expected a number, found '%.40s'",
                              reader->path, reader->row_line, table->column[i], at);
    return BENCH_OK;
}

/* A row's texts are one allocation, which its first cell points to. */
static enum bench_status take_row(struct reader *reader)
{
    struct record_table *table = reader->table;
    char **cells;
    char *texts;

    if (reader->n_fields != table->n_columns)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected %d fields as in the header, found %d",
                          reader->path, reader->row_line, table->n_columns, reader->n_fields);
    if (reader->session)
        TRY(check_times(reader));
    if (table->n_rows == reader->capacity) {
        const int capacity = reader->capacity ? reader->capacity * 2 : 16;
        char **more;

        if (reader->capacity > INT_MAX / 2)
            return BENCH_FAIL(BENCH_EINPUT, "%s: too many rows", reader->path);
        more = realloc(table->cell,
                       (size_t)capacity * (size_t)table->n_columns * sizeof *table->cell);
        if (!more)
            return out_of_memory(reader);
        table->cell = more;
        reader->capacity = capacity;
    }
    texts = malloc(reader->row.size);
    if (!texts)
        return out_of_memory(reader);
    memcpy(texts, reader->row.data, reader->row.size);
    cells = table->cell + (size_t)table->n_rows * (size_t)table->n_columns;
    assert(table->n_columns > 0); /* else the row would be the header */
    for (int i = 0; i < table->n_columns; i++) {
        cells[i] = texts;
        texts += strlen(texts) + 1;
    }
    table->n_rows++;
    return BENCH_OK;
}

static void record_ended(int separator, void *user)
{
    struct reader *reader = user;

    (void)separator;
    if (reader->status == BENCH_OK)
        reader->status = reader->table->n_columns == 0 ? take_header(reader) : take_row(reader);
    reader->row.size = 0;
    reader->n_fields = 0;
    reader->whole = true;
}

static enum bench_status parse_failed(struct reader *reader, struct csv_parser *parser)
{
    const int error = csv_error(parser); /* before csv_fini, which forgets it */

    if (reader->status != BENCH_OK)
        return reader->status;
    if (error == CSV_ENOMEM || error == CSV_ETOOBIG)
        return out_of_memory(reader);
    return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a quote where none can be", reader->path,
                      reader->line);
}

static enum bench_status read_lines(struct reader *reader, struct csv_parser *parser,
                                    const struct text *text, size_t start,
                                    size_t *n_whole_bytes)
{
    size_t at = start;
    bool open_record = false; /* a quoted field goes on from the line before */

    while (at < text->size) {
        const char *newline = memchr(text->data + at, '\n', text->size - at);
        const size_t end = newline ? (size_t)(newline - text->data) + 1 : text->size;

        reader->line++;
        if (!open_record)
            reader->row_line = reader->line;
        reader->whole = false;
        if (csv_parse(parser, text->data + at, end - at, field_read, record_ended, reader) !=
            end - at)
            return parse_failed(reader, parser);
        TRY(reader->status);
        if (reader->whole && newline)
            *n_whole_bytes = end;
        open_record =
            !reader->whole && (open_record || end - at > strspn(text->data + at, "\r\n"));
        at = end;
    }
    if (reader->session)
        return BENCH_OK; /* what has no newline yet was cut by a kill */
    if (csv_fini(parser, field_read, record_ended, reader) != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a quote is opened and never closed",
                          reader->path, reader->row_line);
    return reader->status;
}

static enum bench_status read_text(struct reader *reader, const struct text *text,
                                   size_t *n_whole_bytes)
{
    const size_t start = text->size >= 3 && !memcmp(text->data, "\xef\xbb\xbf", 3) ? 3 : 0;
    struct csv_parser parser;
    enum bench_status status;

    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0)
        return out_of_memory(reader);
    /* by how much its buffer grows for a long field; 128 bytes else */
    csv_set_blk_size(&parser, 1 << 16);
    status = read_lines(reader, &parser, text, start, n_whole_bytes);
    csv_free(&parser);
    text_free(&reader->row);
    TRY(status);
    if (reader->table->n_columns == 0 && !reader->session)
        return BENCH_FAIL(BENCH_EINPUT, "%s:1: the header is missing", reader->path);
    return BENCH_OK;
}

static enum bench_status read_table(const char *path, bool session, struct record_table *table,
                                    size_t *n_whole_bytes)
{
    struct reader reader = {.path = path, .session = session, .table = table};
    struct text text;
    enum bench_status status;

    *table = (struct record_table){0};
    *n_whole_bytes = 0;
    TRY(text_read_file(path, &text));
    status = read_text(&reader, &text, n_whole_bytes);
    text_free(&text);
    if (status != BENCH_OK)
        record_table_free(table);
    return status;
}

enum bench_status record_read(const char *path, bool session, struct record_table *table)
{
    size_t n_whole_bytes;

    return read_table(path, session, table, &n_whole_bytes);
}

enum bench_status record_read_whole(const char *path, struct record_table *table,
                                    size_t *n_whole_bytes)
{
    return read_table(path, true, table, n_whole_bytes);
}

/* ---- tables ---- */

void record_table_free(struct record_table *table)
{
    for (int i = 0; i < table->n_columns; i++)
        free(table->column[i]);
    for (int i = 0; i < table->n_rows; i++)
        free(table->cell[(size_t)i * (size_t)table->n_columns]);
    free(table->column);
    free(table->slot);
    free(table->cell);
    *table = (struct record_table){0};
}

bool record_is_fixed(const char *column)
{
    static const char *const fixed[] = {
#define NAME(name) #name,
        RECORD_COLUMNS(NAME)
#undef NAME
    };

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (!strcmp(fixed[i], column))
            return true;
    return false;
}

bool record_is_name(const char *text)
{
    const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._-+:/");

    return n > 0 && n <= MAX_NAME && text[n] == '\0' && strspn(text, "._-+:/") == 0 &&
           !strstr(text, "..");
}

/* The slot of a name, or the empty one where it belongs: a slot has the number of a column, from 1. */
static int *find_slot(const struct record_table *table, const char *name)
{
    const unsigned n = (unsigned)table->n_slots; /* a power of 2, more than there are columns */
    unsigned at = 5381;

    for (const char *letter = name; *letter; letter++)
        at = at * 33 + (unsigned char)*letter;
    for (at %= n; table->slot[at]; at = (at + 1) % n)
        if (!strcmp(table->column[table->slot[at] - 1], name))
            break;
    return &table->slot[at];
}

/* Put the last column into the index, which grows with them; false: out of memory. */
static bool index_column(struct record_table *table)
{
    int first = table->n_columns - 1;

    if (2 * table->n_columns > table->n_slots) {
        const int n_slots = table->n_slots ? 2 * table->n_slots : 64;
        int *slot = calloc((size_t)n_slots, sizeof *slot);

        if (!slot)
            return false;
        free(table->slot);
        table->slot = slot;
        table->n_slots = n_slots;
        first = 0;
    }
    for (int i = first; i < table->n_columns; i++)
        *find_slot(table, table->column[i]) = i + 1;
    return true;
}

int record_column(const struct record_table *table, const char *name)
{
    if (table->n_slots > 0)
        return *find_slot(table, name) - 1;
    for (int i = 0; i < table->n_columns; i++)
        if (!strcmp(table->column[i], name))
            return i;
    return -1;
}

const char *record_get(const struct record_table *table, int row, const char *column)
{
    const int at = record_column(table, column);

    return at < 0 ? "" : table->cell[(size_t)row * (size_t)table->n_columns + (size_t)at];
}

bool record_get_number(const struct record_table *table, int row, const char *column,
                       double *value)
{
    return text_to_number(record_get(table, row, column), value);
}

enum bench_status record_add_column(struct record_table *table, const char *name)
{
    char **column = realloc(table->column, ((size_t)table->n_columns + 1) * sizeof *column);

    if (!column)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a column");
    table->column = column;
    column[table->n_columns] = strdup(name);
    if (!column[table->n_columns])
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a column");
    table->n_columns++;
    return index_column(table) ? BENCH_OK
                               : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a column");
}

enum bench_status record_add_row(struct record_table *table, const char *const *fields)
{
    const size_t n_columns = (size_t)table->n_columns;
    char **cell = realloc(table->cell, ((size_t)table->n_rows + 1) * n_columns * sizeof *cell);
    size_t n_bytes = 0;
    char *texts;

    assert(table->n_columns > 0);
    if (!cell)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a row");
    table->cell = cell;
    cell += (size_t)table->n_rows * n_columns;
    for (size_t i = 0; i < n_columns; i++)
        n_bytes += strlen(fields[i]) + 1;
    texts = malloc(n_bytes);
    if (!texts)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a row");
    for (size_t i = 0; i < n_columns; i++) {
        n_bytes = strlen(fields[i]) + 1;
        cell[i] = memcpy(texts, fields[i], n_bytes);
        texts += n_bytes;
    }
    table->n_rows++;
    return BENCH_OK;
}

/* ---- a folder of sessions ---- */

enum bench_status record_read_withdrawn(const char *folder, struct text *withdrawn)
{
    struct text path = {0};
    enum bench_status status;

    *withdrawn = (struct text){0};
    text_format(&path, "%s/WITHDRAWN", folder);
    TRY(text_ok(&path));
    if (access(path.data, F_OK) != 0 && errno == ENOENT) {
        text_free(&path);
        return BENCH_OK;
    }
    status = text_read_file(path.data, withdrawn);
    text_free(&path);
    return status;
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

static bool ends_with(const char *name, const char *end)
{
    const size_t n_name = strlen(name);
    const size_t n_end = strlen(end);

    return n_name > n_end && !strcmp(name + n_name - n_end, end);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Names begin with the time, so that their order is the order of their beginnings. */
enum bench_status record_list_sessions(const char *folder, char ***names, int *n)
{
    struct listing files;

    *names = NULL;
    *n = 0;
    TRY(listing_read(folder, ".csv", &files));
    for (int i = 0; i < files.n; i++) {
        char *const path = files.path[i];
        const char *const name = listing_name(path);
        const size_t n_name = strlen(name) - strlen(".csv");

        if (ends_with(name, ".values.csv")) {
            free(path);
            continue;
        }
        memmove(path, name, n_name);
        path[n_name] = '\0';
        files.path[(*n)++] = path;
    }
    *names = files.path;
    if (*n > 0) /* without ".csv" behind them they have another order */
        qsort(*names, (size_t)*n, sizeof **names, compare_names);
    return BENCH_OK;
}

void record_free_names(char **names, int n)
{
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
}
