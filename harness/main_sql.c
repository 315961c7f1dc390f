/* main_sql.c - the verbs sql, questions to all results as a database, and draw, those of a figure; env --beside */
#include "harness/main_private.h"

#include "harness/analysis/draw.h"
#include "harness/analysis/facts.h"
#include "harness/analysis/query.h"
#include "harness/analysis/store.h"
#include "harness/listing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PAGE_WIDTH 80 /* of what is no terminal */

void main_results(const char *name, char path[4400])
{
    snprintf(path, 4400, "%s/results/%s", bench_home(), name);
    if (strchr(name, '/') || access(name, F_OK) == 0 || access(path, F_OK) != 0)
        snprintf(path, 4400, "%s", name);
}

/* --results DIR,NAME... */
static enum bench_status list_given(const char *list, struct listing *folders)
{
    char *given = strdup(list), path[4400];

    folders->path = calloc(strlen(list) + 1, sizeof *folders->path);
    for (char *save = NULL, *part = given ? strtok_r(given, ",", &save) : NULL;
         part && folders->path; part = strtok_r(NULL, ",", &save)) {
        main_results(part, path);
        folders->path[folders->n] = strdup(path);
        if (!folders->path[folders->n++])
            break;
    }
    free(given);
    return given && folders->path && (!folders->n || folders->path[folders->n - 1])
               ? BENCH_OK
               : BENCH_FAIL(BENCH_ENOMEM, "out of memory for folders");
}

/* Each folder of results/ but that of the papers. */
static enum bench_status list_all(struct listing *folders)
{
    char root[4400];
    struct listing all;

    snprintf(root, sizeof root, "%s/results", bench_home());
    if (!main_is_folder(root))
        return BENCH_FAIL(BENCH_EIO, "%s: no results are there", root);
    TRY(listing_read(root, "", &all));
    *folders = all;
    folders->n = 0;
    for (int i = 0; i < all.n; i++)
        if (main_is_folder(all.path[i]) && strcmp(listing_name(all.path[i]), "paper") != 0)
            folders->path[folders->n++] = all.path[i];
        else
            free(all.path[i]);
    return BENCH_OK;
}

/* A drawing has rows of the folders that are named, which may have none yet. */
static enum bench_status read_all(const struct arguments *a, struct store **store)
{
    const bool is_drawn = !strcmp(a->verb, "draw");
    char printed[4400], expected[4400];
    struct listing folders = {0};
    struct store_files files = {0};
    enum bench_status status = a->results || is_drawn
                                   ? list_given(a->results ? a->results : "", &folders)
                                   : list_all(&folders);

    snprintf(printed, sizeof printed, "%s/results/paper", bench_home());
    snprintf(expected, sizeof expected, "%s/experiments/claims/expected.csv", bench_home());
    files.folder = (const char *const *)folders.path;
    files.n_folders = folders.n;
    files.may_be_missing = is_drawn;
    files.printed = access(printed, F_OK) == 0 ? printed : NULL;
    files.expected = access(expected, F_OK) == 0 ? expected : NULL;
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

/* Each table with its columns below it. */
static enum bench_status add_schema(struct store *store, int width, struct text *text)
{
    struct table table;

    TRY(query_schema(store, &table));
    for (int row = 0; row < table.n_rows; row++) {
        text_format(text, "%s (%s)\n    ", query_text(&table, row, "name"),
                    query_text(&table, row, "type"));
        table_wrap(text, query_text(&table, row, "columns"), 4, width);
        text_add(text, "\n\n");
    }
    text_add(text,
             "docs/DATABASE.md describes them: depthbench sql \"SELECT ... FROM current\"\n");
    table_free(&table);
    return text_ok(text);
}

static enum bench_status read_question(struct text *question)
{
    char bytes[4096];
    size_t n;

    while ((n = fread(bytes, 1, sizeof bytes, stdin)) > 0)
        text_bytes(question, bytes, n);
    return ferror(stdin) ? BENCH_FAIL(BENCH_EIO, "standard input: %s", strerror(errno))
                         : text_ok(question);
}

static enum bench_status answer(struct store *store, const struct arguments *a,
                                enum table_format format, struct text *text)
{
    struct text question = {0};
    struct table table = {0};
    enum bench_status status = BENCH_OK;

    if (a->n_rest == 0 && isatty(0))
        return add_schema(store, main_width(a), text);
    if (a->n_rest == 1)
        text_add(&question, a->rest[0]);
    else
        status = read_question(&question);
    if (!status)
        status = query_table(store, question.data ? question.data : "", &table);
    if (!status) {
        table_render(&table, format, main_width(a), text);
        status = text_ok(text);
    }
    table_free(&table);
    text_free(&question);
    return status;
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
    status = read_all(a, &store);
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
    TRY(read_all(a, &store));
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
