/* edition.c - reads results/EDITION, and asks edition.sql which rows are of that edition */
#include "harness/analysis/edition.h"

#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/base/text.h"
#include "harness/measure/impl.h"
#include "harness/suite/experiment.h"

#include "edition_sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] = "edition"; /* the section that is no machine's */

static const char tables[] =
    "CREATE TEMP TABLE edition (commit_hash TEXT, machine TEXT NOT NULL);"
    "CREATE TEMP TABLE part_of (part INTEGER PRIMARY KEY, name TEXT NOT NULL, "
    "experiment TEXT NOT NULL, sections TEXT NOT NULL, processes INTEGER NOT NULL, "
    "settings TEXT NOT NULL);"
    "CREATE TEMP TABLE pattern (part INTEGER NOT NULL, glob TEXT NOT NULL);"
    "CREATE TEMP TABLE drawn (experiment TEXT NOT NULL);"
    "CREATE TEMP TABLE unbuilt (impl TEXT NOT NULL);"
    "CREATE TEMP TABLE here (build_hash TEXT NOT NULL, host TEXT, group_name TEXT NOT NULL);";

/* KEY=VALUE, by blanks; whether a key has such a value is for each run to say. */
static enum bench_status check_settings(const struct ini_file *edition,
                                        const struct ini_fact *fact, const char *settings)
{
    int n_settings = 0;

    for (const char *at = settings + strspn(settings, " "); *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        const char *const equals = memchr(at, '=', n);

        REFUSE_IF(!equals || equals == at, "%s:%d: %s: expected KEY=VALUE, found '%.*s'",
                  edition->path, fact->line, fact->key, (int)n, at);
        REFUSE_IF(++n_settings > EDITION_MOST_SETTINGS, "%s:%d: %s: expected at most %d keys",
                  edition->path, fact->line, fact->key, EDITION_MOST_SETTINGS);
        at += n;
    }
    return BENCH_OK;
}

static enum bench_status check_part(const struct ini_file *edition, const struct ini_fact *fact)
{
    char *end;
    const long n = strtol(fact->value, &end, 10);

    REFUSE_IF(end == fact->value || (*end && *end != ' ') || n < 1 || n > RECORD_MAX_RUNS,
              "%s:%d: %s: expected a number of processes, 1 to %d, found '%s'", edition->path,
              fact->line, fact->key, RECORD_MAX_RUNS, fact->value);
    return check_settings(edition, fact, end);
}

enum bench_status edition_read(const char *path, struct ini_file *edition)
{
    TRY(ini_read(path, edition));
    for (int i = 0; i < edition->n_facts; i++) {
        const struct ini_fact *const fact = &edition->fact[i];

        if (strcmp(fact->section, about) != 0)
            TRY(check_part(edition, fact));
        else if (!strcmp(fact->key, "set"))
            TRY(check_settings(edition, fact, fact->value));
        else
            REFUSE_IF(bench_choice("name|commit", fact->key) < 0,
                      "%s:%d: expected name, commit or set, found '%s'", path, fact->line,
                      fact->key);
    }
    return BENCH_OK;
}

/* A part, and a line for each pattern of its sections. */
static enum bench_status add_part(const struct ini_file *edition, const struct ini_fact *fact,
                                  struct text *sql)
{
    char experiment[64], element[TEXT_ELEMENT];
    const size_t n = strcspn(fact->key, " ");
    const char *const sections = fact->key + n + (fact->key[n] == ' '), *rest = sections;
    const struct ini_fact *const set = ini_find(edition, about, "set");

    REFUSE_IF(n >= sizeof experiment, "%s:%d: expected an experiment, found '%s'",
              edition->path, fact->line, fact->key);
    snprintf(experiment, sizeof experiment, "%.*s", (int)n, fact->key);
    query_add(sql, "INSERT INTO part_of VALUES (%d, %Q, %Q, %Q, %d, trim(%Q || ' ' || %Q));",
              fact->line, fact->key, experiment, sections, atoi(fact->value),
              set ? set->value : "", fact->value + strcspn(fact->value, " "));
    if (!*sections)
        query_add(sql, "INSERT INTO pattern VALUES (%d, '*');", fact->line);
    for (const char *glob; (glob = text_next(&rest, element));)
        query_add(sql, "INSERT INTO pattern VALUES (%d, %Q);", fact->line, glob);
    return BENCH_OK;
}

/* Experiments that a figure or a table shows, by the figures.ini beside them. */
static enum bench_status add_drawn(const struct listing *experiments, struct text *sql)
{
    char before[4400] = "", path[4400];

    for (int i = 0; i < experiments->n; i++) {
        OWNED(ini_free) struct ini_file figures = {0};
        const char *const file = experiments->path[i];

        snprintf(path, sizeof path, "%.*sfigures.ini", (int)(listing_name(file) - file), file);
        if (!strcmp(path, before) || access(path, F_OK) != 0)
            continue;
        snprintf(before, sizeof before, "%s", path);
        TRY(ini_read(path, &figures));
        for (int k = 0; k < figures.n_facts; k++)
            if (!strcmp(figures.fact[k].key, "experiment"))
                query_add(sql, "INSERT INTO drawn VALUES (%Q);", figures.fact[k].value);
    }
    return BENCH_OK;
}

enum bench_status edition_ask(const struct ini_file *edition, const char *machine,
                              const struct listing *experiments, struct store *store)
{
    const struct ini_fact *const commit = ini_find(edition, about, "commit");
    struct text sql = {0};

    TRY(show_fill(store, (const char *const *)experiments->path, experiments->n, false));
    text_add(&sql, tables);
    query_add(&sql, "INSERT INTO edition VALUES (%Q, %Q);", commit ? commit->value : NULL,
              machine);
    for (int i = 0; i < edition->n_facts; i++)
        if (!strcmp(edition->fact[i].section, machine))
            TRY(add_part(edition, &edition->fact[i], &sql));
    TRY(add_drawn(experiments, &sql));
    for (int i = 0; bench_impls[i]; i++)
        if (!bench_is_built(bench_impls[i]))
            query_add(&sql, "INSERT INTO unbuilt VALUES (%Q);", bench_impls[i]->name);
    text_bytes(&sql, edition_sql, sizeof edition_sql);
    TRY(query_run(store, &sql));
    return query_refusal(store);
}
