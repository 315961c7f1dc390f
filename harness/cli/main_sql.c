/* main_sql.c - the subcommands sql (any query) and draw (those of a figure) */
#include "harness/cli/main_private.h"

#include "harness/analysis/draw.h"
#include "harness/analysis/query.h"
#include "harness/analysis/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PAGE_WIDTH 80 /* of what is no terminal */

enum bench_status main_read(const struct arguments *a, const char *machine,
                            struct store **store)
{
    char printed[4400], expected[4400];
    struct listing folders;
    struct store_files files = {0};
    enum bench_status status = main_folders(a, machine, &folders);

    snprintf(printed, sizeof printed, "%s/results/paper", bench_home());
    snprintf(expected, sizeof expected, "%s/results/expected.csv", bench_home());
    files.folder = (const char *const *)folders.path;
    files.n_folders = folders.n;
    files.may_be_missing =
        machine || !strcmp(a->subcommand, "draw"); /* of these some may have no rows yet */
    files.printed = access(printed, F_OK) == 0 ? printed : NULL;
    files.expected = !machine && access(expected, F_OK) == 0 ? expected : NULL;
    if (!status)
        status = store_read_files(&files, a->verbosity >= 0 ? stderr : NULL, store);
    listing_free(&folders);
    return status;
}

int main_width(const struct arguments *a)
{
    struct winsize size;

    return !a->output && isatty(1) && !ioctl(1, TIOCGWINSZ, &size) && size.ws_col > 0
               ? size.ws_col
               : PAGE_WIDTH;
}

/* Each table with its columns below it; views of measurement name what they add. */
static enum bench_status add_schema(struct store *store, int width, struct text *text)
{
    sqlite3_stmt *listed;
    bool row;
    enum bench_status status;

    TRY(store_kept(
        store,
        "WITH listed AS (SELECT m.name, m.type, group_concat(c.name, ', ') AS columns "
        "FROM sqlite_master AS m, pragma_table_info(m.name) AS c "
        "WHERE m.type IN ('table', 'view') GROUP BY m.name) "
        "SELECT l.name || ' (' || l.type || ')', CASE l.name WHEN 'measurement' THEN l.columns "
        "ELSE replace(l.columns, o.columns, 'all columns of measurement') END "
        "FROM listed AS l JOIN listed AS o ON o.name = 'measurement' ORDER BY l.type, l.name",
        &listed));
    while (!(status = store_row(store, listed, &row)) && row) {
        text_format(text, "%s\n    ", (const char *)sqlite3_column_text(listed, 0));
        table_wrap(text, (const char *)sqlite3_column_text(listed, 1), 4, width);
        text_add(text, "\n\n");
    }
    text_add(text,
             "docs/DATABASE.md describes them: depthbench sql \"SELECT ... FROM current\"\n");
    return status ? status : text_ok(text);
}

/* Verdicts are made when a query asks for them: that takes a second. */
static bool asks_for_verdicts(const char *sql)
{
    static const char *const names[] = {"claim_verdict", "verdict_total", "claim_total"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasestr(sql, names[i]))
            return true;
    return false;
}

static enum bench_status answer(struct store *store, const struct arguments *a,
                                enum table_format format, struct text *text)
{
    const char *sql;
    char *typed = NULL;
    size_t capacity = 0;
    ssize_t n = 0;
    struct table table;
    enum bench_status status;

    if (a->n_rest == 0 && isatty(0))
        return add_schema(store, main_width(a), text);
    if (a->n_rest == 0 && (n = getdelim(&typed, &capacity, '\0', stdin)) < 0 && ferror(stdin))
        return BENCH_FAIL(BENCH_EIO, "standard input: %s", strerror(errno));
    sql = a->n_rest ? a->rest[0] : n > 0 ? typed : "";
    status = asks_for_verdicts(sql) ? main_judge(a, store) : BENCH_OK;
    if (!status)
        status = query_table(store, sql, &table);
    free(typed);
    TRY(status);
    table_render(&table, format, main_width(a), text);
    table_free(&table);
    return text_ok(text);
}

enum bench_status main_sql(const struct arguments *a)
{
    enum table_format format = TABLE_TERMINAL;
    struct text text = {0};
    struct store *store = NULL;
    enum bench_status status;

    TRY(table_format_of(a->format ? a->format : "text", &format));
    if (a->n_rest > 1)
        return BENCH_FAIL(BENCH_EINPUT, "sql: expected one query in quotes, found %d words",
                          a->n_rest);
    if (a->export && a->n_rest == 0 && a->output)
        return BENCH_FAIL(BENCH_EINPUT, "sql: -o is for the answer to a query, found none");
    status = main_read(a, NULL, &store);
    if (!status && (!a->export || a->n_rest > 0))
        status = answer(store, a, format, &text);
    if (!status && a->export)
        status = store_export(store, a->export);
    if (!status && a->output && strcmp(a->output, "-") != 0)
        status = text_replace_file(a->output, &text);
    else if (!status)
        status = text_print(&text, stdout);
    text_free(&text);
    store_close(store);
    return status;
}

enum bench_status main_draw(const struct arguments *a)
{
    struct store *store = NULL;
    enum bench_status status;

    if (!a->out_dir || a->n_rest == 0)
        return BENCH_FAIL(BENCH_EINPUT, "draw: expected FILE.sql and --out-dir DIR");
    TRY(main_read(a, NULL, &store));
    status = draw_data(store, a->rest, a->n_rest, a->assignment, a->n_assignments, a->out_dir,
                       a->verbosity >= 0 ? stdout : NULL);
    store_close(store);
    return status;
}
