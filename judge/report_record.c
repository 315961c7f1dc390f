/*
 * report_record.c - the machine, the sessions and the environment on the report
 */
#include "judge/report_private.h"

#include <stdlib.h>
#include <string.h>

#define ENV_END ".env.txt"

/* Whether a file knows a card, then how many cores its session had: one may have been given a few of them. */
static int env_rank(const char *env)
{
    char value[256];
    int rank = 0;

    if (report_fact(env, "cores", value, sizeof value))
        rank = (int)strtol(value, NULL, 10);
    rank = rank < 0 || rank > 0xFFFF ? 0 : rank;
    return report_fact(env, "gpu", value, sizeof value) ? 0x10000 + rank : rank;
}

/* The newest of the files that know the most of the machine, as text. */
static enum bench_status newest_env(const struct report *r, struct text *env)
{
    enum bench_status status = BENCH_OK;
    int best = -1;

    for (int i = r->env.n - 1; i >= 0 && !status; i--) {
        struct text file = {0};

        status = text_read_file(r->env.path[i], &file);
        if (!status && env_rank(file.data ? file.data : "") > best) {
            struct text last = *env;

            best = env_rank(file.data ? file.data : "");
            *env = file;
            file = last;
        }
        text_free(&file);
    }
    return status;
}

void report_machine(const struct report *r, struct text *device, struct text *host)
{
    struct text env = {0};
    char gpu[256] = "", cpu[256] = "", cores[32] = "";

    if (newest_env(r, &env) == BENCH_OK && env.data) {
        report_fact(env.data, "gpu", gpu, sizeof gpu);
        report_fact(env.data, "cpu", cpu, sizeof cpu);
        report_fact(env.data, "cores", cores, sizeof cores);
    }
    text_add(device, gpu[0] ? gpu : cpu[0] ? cpu : r->machine);
    if (cores[0])
        text_format(host, "%s%s core%s", gpu[0] ? "" : "no GPU, ", cores,
                    strcmp(cores, "1") != 0 ? "s" : "");
    if (gpu[0] && cpu[0])
        text_format(host, "%s%s", cores[0] ? " of " : "", cpu);
    text_free(&env);
}

/* ---- the machine beside a paper's ---- */

/* What a suffix of a printed number multiplies it by; 0: it is another's unit. */
static double power_of(const char *suffix)
{
    static const struct {
        const char *suffix;
        double power;
    } known[] = {{"Ki", 1024},
                 {"KiB", 1024},
                 {"MiB", 1024 * 1024.},
                 {"GiB", 1024 * 1024 * 1024.},
                 {"kB", 1e3},
                 {"MB", 1e6},
                 {"GB", 1e9}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].suffix, suffix))
            return known[i].power;
    return 0;
}

/* A fact in the unit of the printed one, "96 KiB" or "59.7 GB/s"; only bytes and counts are scaled. */
static void scaled(char *text, size_t size, const char *fact, const char *printed,
                   const char *unit)
{
    const bool is_bytes = !strcmp(unit, "bytes");
    const char *blank = strrchr(printed, ' '), *suffix = blank ? blank + 1 : "";
    const double power = is_bytes || !unit[0] ? power_of(suffix) : 0;
    char shown[TEXT_NUMBER];
    double number;

    snprintf(text, size, "%s", fact);
    if (!text_to_number(fact, &number))
        return;
    text_short_number(shown, number / (power > 0 ? power : 1), 4);
    suffix = is_bytes && power == 0 ? "bytes" : suffix;
    snprintf(text, size, "%s%s%s", shown, suffix[0] ? " " : "", suffix);
}

/* "9.0 Hopper". */
static void with_architecture(char *text, size_t size, const char *cc)
{
    static const char *const of_major[] = {
        [5] = "Maxwell", [6] = "Pascal",     [7] = "Volta",      [8] = "Ampere",
        [9] = "Hopper",  [10] = "Blackwell", [11] = "Blackwell", [12] = "Blackwell"};
    const long major = strtol(cc, NULL, 10);

    snprintf(text, size, "%s%s%s", cc, major >= 5 && major <= 12 ? " " : "",
             !strcmp(cc, "7.5")          ? "Turing"
             : !strcmp(cc, "8.9")        ? "Ada"
             : major >= 5 && major <= 12 ? of_major[major]
                                         : "");
}

/* The column or the row that is called so; a new one where none is. */
static int place_of(const char *name, const char **names, int *n)
{
    for (int i = 0; i < *n; i++)
        if (!strcmp(names[i], name))
            return i;
    names[*n] = name;
    return (*n)++;
}

/* Each printed number of a table beside the fact of that name. */
static void fill_facts(const struct record_table *paper, const char *figure, const char *env,
                       struct table *table, int *n_known)
{
    const char **names = calloc((size_t)paper->n_rows + 1, sizeof *names);
    const char **machines = calloc((size_t)paper->n_rows + 1, sizeof *machines);
    int n_names = 0, n_machines = 0;
    char fact[256], here[300];

    table->failed |= !names || !machines;
    if (!table->failed)
        place_of("gpu", names, &n_names);
    for (int i = 0; i < paper->n_rows && !table->failed; i++) {
        const char *name = record_get(paper, i, "name");
        const char *machine = record_get(paper, i, "hardware");
        const char *printed = record_get(paper, i, "printed");
        int row, column;

        if (strcmp(record_get(paper, i, "figure"), figure) != 0)
            continue;
        row = place_of(name, names, &n_names);
        column = 2 + place_of(machine, machines, &n_machines);
        snprintf(here, sizeof here, "%s printed", machine);
        table_name(table, column, here);
        table->printed[column] = true;
        table_text(table, 0, column, TABLE_TEXT, machine);
        table_text(table, row, column, TABLE_AS_IS, printed);
        *n_known += report_fact(env, name, fact, sizeof fact) && fact[0];
        if (!strcmp(name, "cc"))
            with_architecture(here, sizeof here, fact);
        else
            scaled(here, sizeof here, fact, printed, record_get(paper, i, "unit"));
        if (table_cell(table, row, 1)->kind == TABLE_NONE)
            table_text(table, row, 1, TABLE_AS_IS, fact[0] ? here : "");
    }
    table_name(table, 0, "fact");
    table_name(table, 1, "here");
    for (int i = 0; i < n_names; i++)
        table_text(table, i, 0, TABLE_TEXT, names[i]);
    report_fact(env, "gpu", fact, sizeof fact);
    table_text(table, 0, 1, TABLE_TEXT, fact[0] ? fact : "none");
    table_cut(table, 2 + n_machines);
    table->n_rows = n_names;
    free(names);
    free(machines);
}

enum bench_status report_facts(const struct report *r, const char *name, struct table *table,
                               struct text *caption, bool *known)
{
    const size_t n = strcspn(name, "-");
    struct text path = {0}, env = {0};
    struct record_table paper = {0};
    char machine[256], commit[64], dirty[16];
    int n_known = 0;
    enum bench_status status;

    *table = (struct table){0};
    text_format(&path, "%s/%.*s.csv", r->paper_folder.data, (int)n, name);
    status = text_ok(&path);
    if (!status)
        status = newest_env(r, &env);
    if (!status)
        status = record_read(path.data, false, &paper);
    if (!status)
        status = table_make(table, 2 + paper.n_rows, 1 + paper.n_rows);
    if (!status && env.size > 0) {
        fill_facts(&paper, name + n + (name[n] == '-'), env.data, table, &n_known);
        report_fact(env.data, "machine", machine, sizeof machine);
        report_fact(env.data, "commit", commit, sizeof commit);
        report_fact(env.data, "dirty", dirty, sizeof dirty);
        text_format(caption, "%s; commit %.7s%s", machine, commit,
                    dirty[0] && strcmp(dirty, "0") != 0 ? "-dirty" : "");
        status = table_ok(table);
    }
    *known = n_known > 0;
    record_table_free(&paper);
    text_free(&env);
    text_free(&path);
    return status;
}

/* ---- sessions ---- */

static int count_ok(const struct record_table *rows)
{
    int n = 0;

    for (int row = 0; row < rows->n_rows; row++)
        n += !strcmp(record_get(rows, row, "status"), "ok");
    return n;
}

static void add_session(struct text *page, const struct record_table *rows, int first)
{
    const char *session = record_get(rows, first, "session");
    struct record_table own = *rows;
    struct text experiments = {0};
    int last = first;

    /* the rows of a session follow each other */
    while (last < rows->n_rows && !strcmp(record_get(rows, last, "session"), session))
        last++;
    own.cell = rows->cell + (size_t)first * (size_t)rows->n_columns;
    own.n_rows = last - first;
    report_distinct(&own, "experiment", 40, &experiments);
    text_add(page, "<tr><th scope=\"row\">");
    html_text(page, session);
    text_add(page, "</th><td>");
    html_format(page, "%.7s", record_get(rows, first, "commit"));
    text_add(page, "</td><td class=\"number\">");
    html_format(page, "%d", own.n_rows);
    text_add(page, "</td><td class=\"number\">");
    html_format(page, "%d", count_ok(&own));
    text_add(page, "</td><td>");
    html_text(page, experiments.data ? experiments.data : "");
    text_add(page, "</td></tr>\n");
    page->failed |= experiments.failed;
    text_free(&experiments);
}

static void add_sessions(struct text *page, const struct record_table *rows)
{
    text_add(page,
             "<h3 id=\"sessions\">Sessions</h3>\n<div class=\"scroll\" role=\"region\" "
             "tabindex=\"0\" aria-label=\"Sessions\"><table "
             "class=\"sessions\">\n<caption>Sessions in the "
             "record, oldest first</caption>\n<thead><tr><th scope=\"col\">session</th><th "
             "scope=\"col\">commit</th><th scope=\"col\" class=\"number\">rows</th><th "
             "scope=\"col\" class=\"number\">ok</th><th scope=\"col\">experiments</th></tr>"
             "</thead>\n<tbody>\n");
    for (int row = 0; row < rows->n_rows; row++)
        if (row == 0 ||
            strcmp(record_get(rows, row, "session"), record_get(rows, row - 1, "session")) != 0)
            add_session(page, rows, row);
    text_add(page, "</tbody></table></div>\n");
}

/* ---- environment ---- */

static void add_facts(struct text *page, const char *env)
{
    text_add(page,
             "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Facts of the "
             "environment\"><table class=\"facts\">\n<caption>Facts of the newest "
             "session</caption>\n<thead><tr><th scope=\"col\">fact</th><th "
             "scope=\"col\">value</th></tr></thead>\n<tbody>\n");
    for (const char *line = env; *line;) {
        const size_t size = strcspn(line, "\n");
        const char *equals = memchr(line, '=', size);

        if (equals) {
            text_add(page, "<tr><th scope=\"row\">");
            html_format(page, "%.*s", (int)(equals - line), line);
            text_add(page, "</th><td>");
            html_format(page, "%.*s", (int)(size - (size_t)(equals - line) - 1), equals + 1);
            text_add(page, "</td></tr>\n");
        }
        line += size + (line[size] == '\n');
    }
    text_add(page, "</tbody></table></div>\n");
}

static enum bench_status add_files(struct text *page, const struct report *r)
{
    text_format(page, "<details class=\"more\"><summary>All %d files %s</summary>\n", r->env.n,
                ENV_END);
    for (int i = r->env.n - 1; i >= 0; i--) {
        const char *slash = strrchr(r->env.path[i], '/');
        struct text file = {0};
        enum bench_status status = text_read_file(r->env.path[i], &file);

        if (!status) {
            text_add(page,
                     "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
            html_text(page, slash + 1);
            text_add(page, "\"><pre><b>");
            html_text(page, slash + 1);
            text_add(page, "</b>\n");
            html_text(page, file.data ? file.data : "");
            text_add(page, "</pre></div>\n");
        }
        text_free(&file);
        TRY(status);
    }
    text_add(page, "</details>\n");
    return BENCH_OK;
}

enum bench_status report_environment(struct text *page, const struct report *r)
{
    struct text env = {0};
    enum bench_status status = newest_env(r, &env);

    if (!status) {
        text_add(page, "<section aria-labelledby=\"environment\">\n<h2 "
                       "id=\"environment\">Environment</h2>\n");
        if (env.size > 0)
            add_facts(page, env.data);
        else
            text_add(page, "<p>No session has been recorded on this machine.</p>\n");
        if (r->env.n > 1)
            status = add_files(page, r);
        if (r->has_rows)
            add_sessions(page, &r->all);
        text_add(page, "</section>\n");
    }
    text_free(&env);
    return status;
}
