/* record_parts.c - rows that are no results yet: the sums of some inputs, which another rank adds up */
#include "harness/base/sums.h"
#include "harness/suite/record_private.h"

#include <stdlib.h>
#include <string.h>

/* In the values' column 'unit'. */
static const char *const unit = "sum";

enum bench_status record_sums(struct record_row *row, const struct bench_sums *sums)
{
    for (int i = 0; i < sums->n; i++) {
        char text[BENCH_WIDE_TEXT];

        bench_wide_text(sums->sum[i].value, text);
        TRY(record_value_text(row, sums->sum[i].name, sums->sum[i].index, text, unit));
    }
    record_integer(row, "n", sums->n); /* so many are the part */
    return BENCH_OK;
}

/* A part that is looked for, and what a session says of it. */
struct wanted {
    struct text identity;
    const char *row_id, *host; /* of the session's table; NULL: it has none */
    long n_sums;
    struct bench_sums sums;
    bool is_odd;
};

/* Which part a session's row is; -1: none that is looked for. */
static int find_part(const struct record_table *rows, int row, const struct wanted *wanted,
                     int n)
{
    struct text identity = {0};
    int found = -1;

    record_identity(rows, row, true, &identity);
    for (int i = 0; i < n && found < 0 && !identity.failed; i++)
        if (!strcmp(wanted[i].identity.data, identity.data))
            found = i;
    text_free(&identity);
    return found;
}

/* Whether its rows have any of them. */
static bool note_rows(const struct record_session *session, const struct record_table *rows,
                      const struct record_shared *shared, const bool *is_there,
                      struct wanted *wanted, int n)
{
    bool any = false;

    for (int row = 0; row < rows->n_rows; row++) {
        int part;

        if (strcmp(record_get(rows, row, "status"), RECORD_PART) != 0 ||
            !record_counts(session, rows, row, shared))
            continue;
        part = find_part(rows, row, wanted, n);
        if (part < 0 || is_there[part])
            continue;
        wanted[part].row_id = record_get(rows, row, "row_id");
        wanted[part].host = record_get(rows, row, "host");
        wanted[part].n_sums = strtol(record_get(rows, row, "n"), NULL, 10);
        any = true;
    }
    return any;
}

static bool is_sum_name(const char *name)
{
    const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.");

    return n > 0 && !name[n] && n < sizeof((struct bench_sum *)0)->name;
}

/* What a line of values adds to its part.  A file may have been made by anybody. */
static void add_value(const struct record_table *values, int row, struct wanted *wanted)
{
    const char *const name = record_get(values, row, "name");
    const char *const index = record_get(values, row, "index");
    char *end = "";
    const long i = *index ? strtol(index, &end, 10) : -1;
    bench_wide value;

    if (!is_sum_name(name) || *end || i < -1 || i > INT32_MAX ||
        !bench_wide_read(record_get(values, row, "value"), &value))
        wanted->is_odd = true;
    else
        bench_sums_add(&wanted->sums, name, (int)i, value);
}

static void note_values(const struct record_table *values, struct wanted *wanted, int n)
{
    int last = 0; /* a part's values follow each other */

    for (int row = 0; row < values->n_rows; row++) {
        const char *const id = record_get(values, row, "row_id");

        for (int i = 0; i < n; i++) {
            const int part = (last + i) % n;

            if (!wanted[part].row_id || strcmp(wanted[part].row_id, id) != 0)
                continue;
            add_value(values, row, &wanted[part]);
            last = part;
            break;
        }
    }
}

/* The table of a part of a session; without rows where it is none of ours. */
static enum bench_status read_table(const struct record_session *session, const char *name,
                                    enum part part, struct record_table *table)
{
    struct text path = {0};
    enum bench_status status;

    text_format(&path, "%s/%s%s", session->folder, name, record_part_suffix[part]);
    status = text_ok(&path);
    if (!status)
        status = record_read(path.data, true, table);
    text_free(&path);
    if (!status || status == BENCH_ENOMEM)
        return status;
    bench_failure_clear();
    *table = (struct record_table){0};
    return BENCH_OK;
}

static bool is_whole(const struct wanted *part)
{
    return !part->is_odd && !part->sums.failed && part->sums.n > 0 &&
           part->sums.n == part->n_sums;
}

/* The parts of one session; those that are whole are handed over. */
static enum bench_status read_session(struct record_session *session, const char *name,
                                      const struct record_shared *shared, struct wanted *wanted,
                                      int n, bool *is_there, record_take_part *take, void *self)
{
    struct record_table rows = {0}, values = {0};
    enum bench_status status = read_table(session, name, ROWS, &rows);

    if (!status && note_rows(session, &rows, shared, is_there, wanted, n)) {
        status = read_table(session, name, VALUES, &values);
        if (!status)
            note_values(&values, wanted, n);
    }
    for (int i = 0; i < n; i++) {
        struct wanted *const part = &wanted[i];

        if (part->row_id && is_whole(part) && !status)
            is_there[i] = take(self, i, part->host, &part->sums);
        bench_sums_free(&part->sums);
        part->row_id = NULL;
        part->is_odd = false;
    }
    record_table_free(&values);
    record_table_free(&rows);
    return status;
}

enum bench_status record_read_parts(struct record_session *session,
                                    const struct record_shared *shared,
                                    const struct record_row *const *parts, int n,
                                    bool *is_there, record_take_part *take, void *self)
{
    struct wanted *const wanted = calloc((size_t)n + 1, sizeof *wanted);
    enum bench_status status = wanted ? BENCH_OK : BENCH_ENOMEM;

    for (int i = 0; i < n && !status; i++) {
        record_unit(parts[i], &wanted[i].identity);
        status = text_ok(&wanted[i].identity);
    }
    if (!status)
        status = read_session(session, session->name, shared, wanted, n, is_there, take, self);
    for (int i = 0; i < session->n_seen && !status; i++)
        status = read_session(session, session->seen[i].name, shared, wanted, n, is_there, take,
                              self);
    for (int i = 0; i < n && wanted; i++)
        text_free(&wanted[i].identity);
    free(wanted);
    return wanted ? status : BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d parts", n);
}
