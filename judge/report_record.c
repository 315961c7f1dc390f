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
