/* main_sql.c - the subcommands sql (any query) and draw (those of a figure) */
#include "harness/cli/main_private.h"

#include "harness/analysis/draw.h"
#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/analysis/store.h"
#include "harness/base/memory.h"

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
    OWNED(listing_free) struct listing folders = {0};
    struct store_files files = {0};

    TRY(main_folders(a, machine, &folders));
    snprintf(printed, sizeof printed, "%s/results/paper", bench_home());
    snprintf(expected, sizeof expected, "%s/results/expected.csv", bench_home());
    files.folder = (const char *const *)folders.path;
    files.n_folders = folders.n;
    files.may_be_missing =
        machine || !strcmp(a->subcommand, "draw"); /* some have no rows yet */
    files.printed = access(printed, F_OK) == 0 ? printed : NULL;
    files.expected = !machine && access(expected, F_OK) == 0 ? expected : NULL;
    return store_read_files(&files, a->verbosity >= 0 ? stderr : NULL, store);
}

enum bench_status main_put(const char *path, struct text *text)
{
    TRY(text_ok(text));
    text_clean(text->data, text->size, "\n\t");
    return path && strcmp(path, "-") != 0 ? text_replace_file(path, text)
                                          : text_print(text, stdout);
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

/* Adds what all experiments show: the rows that stand for each of their places, and the numbers
 * too where a query names them. */
static enum bench_status add_figures(struct store *store, const char *sql)
{
    OWNED(listing_free) struct listing paths = {0};

    TRY(main_descriptors(&paths));
    return show_fill(store, (const char *const *)paths.path, paths.n,
                     strcasestr(sql, "cell") != NULL);
}

/* The answer to a query.  Tables that take a second are made when it lacks one of them. */
static enum bench_status ask(struct store *store, const struct arguments *a, const char *sql,
                             struct table *table)
{
    static const char *const made[] = {"claim_verdict", "verdict_total", "claim_total", "place",
                                       "figure_row",    "cell",          "candidate"};
    const enum bench_status status = query_table(store, sql, table);
    const char *const lacked = status ? strstr(bench_failure(), "no such table: ") : NULL;

    for (size_t i = 0; lacked && i < sizeof made / sizeof *made; i++)
        if (!strcmp(lacked + strlen("no such table: "), made[i])) {
            bench_failure_clear();
            TRY(i < 3 ? main_judge(a, store) : add_figures(store, sql));
            return ask(store, a, sql, table);
        }
    return status;
}

static enum bench_status answer(struct store *store, const struct arguments *a,
                                enum table_format format, struct text *text)
{
    OWNED(memory_free) char *typed = NULL;
    OWNED(table_free) struct table table = {0};
    const char *sql;
    size_t capacity = 0;
    ssize_t n = 0;

    if (a->n_rest == 0 && isatty(0))
        return add_schema(store, main_width(a), text);
    FAIL_IF(a->n_rest == 0 && (n = getdelim(&typed, &capacity, '\0', stdin)) < 0 &&
                ferror(stdin),
            BENCH_EIO, "standard input: %s", strerror(errno));
    sql = a->n_rest ? a->rest[0] : n > 0 ? typed : "";
    TRY(ask(store, a, sql, &table));
    table_render(&table, format, main_width(a), text);
    return text_ok(text);
}

enum bench_status main_sql(const struct arguments *a)
{
    enum table_format format = TABLE_TERMINAL;
    OWNED(text_free) struct text text = {0};
    OWNED(store_close) struct store *store = NULL;

    TRY(table_format_of(a->format ? a->format : "text", &format));
    REFUSE_IF(a->n_rest > 1, "sql: expected one query in quotes, found %d words", a->n_rest);
    REFUSE_IF(a->export && a->n_rest == 0 && a->output,
              "sql: -o is for the answer to a query, found none");
    TRY(main_read(a, NULL, &store));
    if (!a->export || a->n_rest > 0)
        TRY(answer(store, a, format, &text));
    if (a->export)
        TRY(store_export(store, a->export));
    return main_put(a->output, &text);
}

enum bench_status main_draw(const struct arguments *a)
{
    OWNED(store_close) struct store *store = NULL;

    REFUSE_IF(!a->out_dir || a->n_rest == 0, "draw: expected FILE.sql and --out-dir DIR");
    TRY(main_read(a, NULL, &store));
    return draw_data(store, a->rest, a->n_rest, a->assignment, a->n_assignments, a->out_dir,
                     a->verbosity >= 0 ? stdout : NULL);
}
