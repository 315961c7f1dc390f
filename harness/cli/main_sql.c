/* main_sql.c - the subcommands sql (any query) and draw (those of a figure); env --beside */
#include "harness/cli/main_private.h"

#include "harness/analysis/draw.h"
#include "harness/analysis/facts.h"
#include "harness/analysis/query.h"
#include "harness/analysis/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PAGE_WIDTH 80 /* of what is no terminal */

void main_results(const char *name, char path[4400])
{
    snprintf(path, 4400, "%s/results/%s", bench_home(), name);
    if (strchr(name, '/') || access(name, F_OK) == 0 || access(path, F_OK) != 0)
        snprintf(path, 4400, "%s", name);
}

/* Those of --results, "DIR,NAME"; to be freed. */
static enum bench_status list_folders(const char *list, struct listing *folders)
{
    char *const given = strdup(list), *rest = given, path[4400];
    bool has_all = given;

    *folders = (struct listing){.path = calloc(strlen(list) + 1, sizeof *folders->path)};
    for (char *part; folders->path && has_all && (part = strsep(&rest, ","));) {
        main_results(part, path);
        has_all = !*part || (folders->path[folders->n++] = strdup(path));
    }
    free(given);
    return folders->path && has_all ? BENCH_OK
                                    : BENCH_FAIL(BENCH_ENOMEM, "out of memory for folders");
}

/* Each folder of results/ but that of the papers. */
static enum bench_status list_all(struct listing *folders)
{
    char root[4400];
    int n = 0;

    snprintf(root, sizeof root, "%s/results", bench_home());
    if (!main_is_folder(root))
        return BENCH_FAIL(BENCH_EIO, "%s: no results are there", root);
    TRY(listing_read(root, "", folders));
    for (int i = 0; i < folders->n; i++)
        if (main_is_folder(folders->path[i]) &&
            strcmp(listing_name(folders->path[i]), "paper") != 0)
            folders->path[n++] = folders->path[i];
        else
            free(folders->path[i]);
    folders->n = n;
    return BENCH_OK;
}

static enum bench_status list_own(const char *machine, struct listing *folders)
{
    *folders = (struct listing){.path = calloc(1, sizeof *folders->path)};
    if (!folders->path || asprintf(folders->path, "%s/results/%s", bench_home(), machine) < 0)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for folders");
    folders->n = 1;
    return BENCH_OK;
}

enum bench_status main_read(const struct arguments *a, const char *machine,
                            struct store **store)
{
    const bool is_drawn = !strcmp(a->subcommand, "draw");
    char printed[4400], expected[4400];
    struct listing folders = {0};
    struct store_files files = {0};
    enum bench_status status = a->results || is_drawn
                                   ? list_folders(a->results ? a->results : "", &folders)
                               : machine ? list_own(machine, &folders)
                                         : list_all(&folders);

    snprintf(printed, sizeof printed, "%s/results/paper", bench_home());
    snprintf(expected, sizeof expected, "%s/results/expected.csv", bench_home());
    files.folder = (const char *const *)folders.path;
    files.n_folders = folders.n;
    files.may_be_missing = machine || is_drawn; /* of these some may have no rows yet */
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

static enum bench_status answer(struct store *store, const struct arguments *a,
                                enum table_format format, struct text *text)
{
    char *typed = NULL;
    size_t capacity = 0;
    ssize_t n = 0;
    struct table table;
    enum bench_status status;

    if (a->n_rest == 0 && isatty(0))
        return add_schema(store, main_width(a), text);
    if (a->n_rest == 0 && (n = getdelim(&typed, &capacity, '\0', stdin)) < 0 && ferror(stdin))
        return BENCH_FAIL(BENCH_EIO, "standard input: %s", strerror(errno));
    status = query_table(store, a->n_rest ? a->rest[0] : n > 0 ? typed : "", &table);
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

enum bench_status main_beside(const struct arguments *a)
{
    const size_t n_paper = strcspn(a->beside, "-");
    char paper[4400];
    struct text text = {0};
    struct table facts;
    enum bench_status status;

    snprintf(paper, sizeof paper, "%s/results/paper", bench_home());
    TRY(facts_read((const char *const *)a->rest, a->n_rest, paper, a->beside, &facts));
    text_format(&text, "### %.*s/%s: this machine beside the paper's\n", (int)n_paper,
                a->beside, a->beside + n_paper + (a->beside[n_paper] == '-'));
    table_render(&facts, TABLE_MARKDOWN, 0, &text);
    status = facts.n_rows > 0 ? text_print(&text, stdout)
                              : BENCH_FAIL(BENCH_ESKIP,
                                           "%s: none of its facts is known of %s: no GPU, or "
                                           "none that was asked",
                                           a->beside, facts.note);
    text_free(&text);
    table_free(&facts);
    return status;
}
