/* main_fleet.c - the subcommand of many machines: gather */
#include "harness/cli/main_private.h"

#include "harness/analysis/fleet.h"
#include "harness/analysis/store.h"
#include "harness/suite/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static void add_table(struct text *page, struct table *table, const char *title, int width)
{
    if (table->n_rows > 0) {
        text_format(page, "%s\n\n", title);
        table_render(table, TABLE_TERMINAL, width, page);
        text_add(page, "\n");
    }
    table_free(table);
}

/* What is wrong with data comes first. *n_differing: outputs. */
static enum bench_status add_differing(struct store *store, int width, struct text *page,
                                       int *n_differing)
{
    struct table outputs, inputs;

    TRY(fleet_differing(store, &outputs, &inputs));
    *n_differing = outputs.n_rows;
    add_table(page, &outputs,
              "OUTPUTS DIFFER: these are exact, so one of the boards computes wrongly", width);
    add_table(page, &inputs, "Inputs of one name are not the same data:", width);
    return text_ok(page);
}

static enum bench_status read_store(const struct arguments *a, const struct listing *folders,
                                    struct store **store)
{
    const struct store_files files = {.folder = (const char *const *)folders->path,
                                      .n_folders = folders->n};
    enum bench_status status =
        store_read_files(&files, a->verbosity >= 0 ? stderr : NULL, store);

    if (!status)
        status = fleet_read(*store);
    return status;
}

/* ---- gather ---- */

/* What campaigns lack, with the command that goes on. */
static enum bench_status tell_missing(const struct arguments *a, const struct listing *folders,
                                      int *n_missing)
{
    enum bench_status status = BENCH_OK;

    for (int i = 0; i < folders->n && !status; i++) {
        struct record_session *seen = NULL;
        struct listing plans;

        TRY(gather_plans(folders->path[i], &plans));
        if (plans.n > 0)
            status = gather_look(folders->path[i], &seen);
        for (int k = 0; k < plans.n && !status; k++) {
            struct gather_missing m;
            struct text line = {0};

            status = gather_missing(seen, plans.path[k], a->verbosity >= 0 ? stdout : NULL, &m);
            if (status == BENCH_EINPUT) { /* somebody else's, or damaged */
                text_format(&line, "note: %s\n", bench_failure());
                (void)text_print(&line, stderr);
                status = BENCH_OK;
                (*n_missing)++;
            } else if (!status) {
                text_format(&line, "%s: %d of %d there\n", plans.path[k],
                            m.n_planned - m.n_missing, m.n_planned);
                if (m.n_missing)
                    text_format(&line, "  the others, where that was called: %s\n", m.command);
                (void)text_print(&line, stdout);
                *n_missing += m.n_missing;
            }
            text_free(&line);
        }
        (void)record_close(seen);
        listing_free(&plans);
    }
    return status;
}

enum bench_status main_gather(const struct arguments *a, bool *unclear)
{
    char results[4400];
    struct gather_count count = {0};
    struct listing folders;
    struct store *store = NULL;
    struct text page = {0};
    enum bench_status status = BENCH_OK;
    int n_missing = 0, n_differing = 0;

    if (a->n_rest == 0)
        return BENCH_FAIL(BENCH_EINPUT, "gather: expected folders, here or as user@host:DIR");
    if (a->results)
        snprintf(results, sizeof results, "%s", a->results);
    else
        snprintf(results, sizeof results, "%s", bench_results());
    for (int i = 0; i < a->n_rest && !status; i++)
        status = gather_take(a->rest[i], results, stderr, &count);
    if (!status)
        status = main_machines(results, &folders);
    if (status)
        return status;
    status = read_store(a, &folders, &store);
    if (!status)
        status = add_differing(store, main_width(a), &page, &n_differing);
    store_close(store);
    text_format(&page,
                "%d sessions seen: %d new, %d longer than before, %d refused; "
                "%d sources not reached\n",
                count.n_sessions, count.n_new, count.n_grown, count.n_refused, count.n_lost);
    if (!status)
        status = text_print(&page, stdout);
    text_free(&page);
    if (!status)
        status = tell_missing(a, &folders, &n_missing);
    listing_free(&folders);
    *unclear = n_missing + count.n_refused + count.n_lost > 0;
    if (!status && n_differing > 0)
        status = BENCH_FAIL(BENCH_EMISMATCH, "outputs differ between boards");
    return status;
}
