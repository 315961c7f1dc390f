/* experiment.c - the sections of a descriptor to variants, plans and configurations */
#include "harness/suite/experiment.h"

#include "harness/suite/descriptor.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#define MAX_CONFIGS 100000
#define MAX_PATTERN 63 /* of impl */
#define MAX_LIKE    8  /* sections, one like the next */

const struct bench_key bench_layout_keys[] = {
    KEY_OF_TEXT("rows"),
    KEY_OF_TEXT("columns"),
    KEY_OF_TEXT("value"),
    KEY_OF_TEXT("extra"),
    KEY_OF_TEXT("best"),
    KEY_OF_TEXT("mean_over"),
    KEY_OF_TEXT("more"),
    KEY_OF_TEXT("unit"),
    KEY_OF_TEXT("title"),
    KEY_OF_TEXT("paper"),
    KEY_OF_TEXT("counters"),
    KEY_OF_TEXT("first"),
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

/* All that lives while one descriptor is read. */
struct reading {
    const char *path;
    struct bench_overrides overrides;
    struct descriptor descriptor; /* owned */
    struct entries own;           /* of the section at hand, with those that it is like */
    struct entries group;         /* and with [global] and -S: all that counts for it */
    const struct ini_file *ini;   /* that has the sections; borrowed */
    const struct ini_fact *
        *sections; /* the first fact of each that has configurations; owned */
    int n_sections;
    const char *section; /* the section at hand */
    int section_line;
    const struct bench_impl **impls; /* [all that are known] of the section at hand; owned */
    int n_impls;
    struct axis axis[MAX_ENTRIES]; /* [n_axes] of one of them; their values are owned */
    int n_axes;
    const struct bench_key **known; /* lists of all that a section may say; owned */
    const struct bench_problem *problem;
    struct bench_experiment *experiment; /* the caller's */
};

static int n_of_impls(void)
{
    int n = 0;

    while (bench_impls[n] != NULL)
        n++;
    return n;
}

static enum bench_status refuse_key(const char *where, const char *what, const char *name,
                                    const struct bench_key *const *known)
{
    struct nearest near = nearest_to(name);

    bench_offer_keys(&near, known);
    return BENCH_FAIL(BENCH_EINPUT, "%s: unknown %s '%.80s'%s", where, what, name,
                      nearest_text(&near));
}

static enum bench_status refuse_impl(const char *where, const char *name,
                                     const struct bench_problem *problem)
{
    struct nearest near = nearest_to(name);
    char full[128];

    snprintf(full, sizeof full, "%s/%.63s", problem != NULL ? problem->name : "", name);
    REFUSE_IF(bench_find_impl(full) != NULL, "%s: unknown impl '%.80s'; did you mean '%s'?",
              where, name, full);
    bench_offer_impls(&near);
    return BENCH_FAIL(
        BENCH_EINPUT, "%s: unknown impl '%.80s'%s%s", where, name, nearest_text(&near),
        strncmp(name, "ext/", 4) == 0 ? " (--peer FILE gives its descriptor)" : "");
}

/* ---- keys ----------------------------------------------------------------------------- */

static enum bench_status list_known(struct reading *r)
{
    const struct bench_key **known;
    size_t n = 0;

    TRY(memory_allocate(&r->known, sizeof *known, n_of_impls() + 4, 1, 1, 1));
    known = r->known;
    if (r->problem->keys != NULL)
        known[n++] = r->problem->keys;
    known[n++] = bench_plan_keys;
    for (size_t i = 0; bench_impls[i] != NULL; i++)
        if (bench_impls[i]->problem == r->problem && bench_impls[i]->keys != NULL)
            known[n++] = bench_impls[i]->keys;
    known[n] = descriptor_keys;
    return BENCH_OK;
}

static enum bench_status check_entries(const struct reading *r, const struct entries *entries)
{
    for (int i = 0; i < entries->n; i++) {
        const struct entry *entry = &entries->item[i];
        const struct bench_key *const *list = r->known;

        while (*list != NULL && bench_find_key(*list, entry->key) == NULL)
            list++;
        if (*list == NULL)
            return refuse_key(WHERE(entry), "key", entry->key, r->known);
    }
    return BENCH_OK;
}

/* ---- the plan ------------------------------------------------------------------------- */

/* The plan of a variant in the section at hand, but for its axes. */
static enum bench_status make_plan(const struct reading *r, enum bench_target target,
                                   struct bench_plan *plan)
{
    plan_default(plan, target);
    for (int i = 0; i < r->group.n; i++) {
        const struct entry *const entry = &r->group.item[i];
        const struct bench_key *const key = bench_find_key(bench_plan_keys, entry->key);

        if (key != NULL && !plan_multiplies(key))
            TRY(plan_read(plan, key, entry->value, WHERE(entry)));
    }
    for (const struct bench_key *key = bench_plan_keys; key->name != NULL; key++)
        if (r->overrides.quick && entries_find(&r->descriptor.assignments, key->name) == NULL)
            plan_quicken(plan, key, target);
    return BENCH_OK;
}

/* ---- configurations
 * ---------------------------------------------------------------------------- */

/* The declaration by which a key is an axis for 'impl'; NULL: none. */
static const struct bench_key *axis_key(const struct bench_impl *impl, const char *name)
{
    const struct bench_key *key = bench_find_key(bench_plan_keys, name);

    if (key != NULL)
        return plan_is_axis(key, impl->target) ? key : NULL;
    key = bench_find_key(impl->keys, name);
    return key != NULL ? key : bench_find_key(impl->problem->keys, name);
}

static void make_axis_quick(const struct bench_problem *problem, struct axis *axis)
{
    const struct bench_quick *limit = problem->quick;
    int n = 0, most;

    while (limit != NULL && limit->key != NULL && strcmp(limit->key, axis->key->name) != 0)
        limit++;
    if (limit == NULL || limit->key == NULL)
        return;
    for (int i = 0; i < axis->n; i++)
        if (limit->most <= 0 || axis->value[i].number <= limit->most)
            axis->value[n++] = axis->value[i];
    most = limit->n_values > 0 && limit->n_values < n ? limit->n_values : n;
    for (int i = 0; i < most; i++)
        axis->value[i] = axis->value[most > 1 ? i * (n - 1) / (most - 1) : 0];
    axis->n = most;
}

static enum bench_status axes_read(struct reading *r, const struct bench_impl *impl)
{
    for (int i = 0; i < r->group.n; i++) {
        const struct entry *entry = &r->group.item[i];
        const struct bench_key *key = axis_key(impl, entry->key);
        struct axis *axis = &r->axis[r->n_axes];

        if (key == NULL)
            continue;
        r->n_axes++;
        TRY(axis_read(axis, key, entry));
        for (int j = 0; j < axis->n; j++) {
            const char *const text = axis->value[j].text;

            if (bench_find_key(bench_plan_keys, key->name) != key || !plan_is_name(key))
                continue;
            ENTRY_REFUSE_IF(strlen(text) > 31, entry,
                            "%s: expected at most 31 letters, found '%s'", key->name, text);
            ENTRY_REFUSE_IF(*text == '|' || strstr(text, "||") || text[strlen(text) - 1] == '|',
                            entry, "%s: expected a name on each side of '|', found '%s'",
                            key->name, text);
        }
        if (r->overrides.quick && entries_find(&r->descriptor.assignments, key->name) == NULL)
            make_axis_quick(r->problem, axis);
    }
    return BENCH_OK;
}

/* Counts the product of the axes. */
static enum bench_status count_product(const struct reading *r, int *n)
{
    const int most = MAX_CONFIGS - r->experiment->n_configs;

    *n = 1;
    for (int i = 0; i < r->n_axes; i++) /* at most MAX_CONFIGS * MAX_VALUES */
        *n = MIN(*n * r->axis[i].n, most + 1);
    return *n <= most
               ? BENCH_OK
               : BENCH_FAIL(
                     BENCH_EINPUT,
                     "%s:%d: section [%s] brings the descriptor to more than %d configurations",
                     r->ini->path, r->section_line, r->section, MAX_CONFIGS);
}

/* Configuration number 'number' of the product, the last axis running fastest. */
static enum bench_status fill_config(const struct reading *r, int number,
                                     struct bench_config *config)
{
    char where[ENTRY_WHERE];

    snprintf(where, sizeof where, "%.600s:%d", r->ini->path, r->section_line);
    for (int i = r->n_axes - 1; i >= 0; i--) {
        const struct axis *axis = &r->axis[i];
        const struct bench_param *value = &axis->value[number % axis->n];

        number /= axis->n;
        if (bench_find_key(bench_plan_keys, axis->key->name) == axis->key)
            plan_set(&config->plan, axis->key, value);
        else
            TRY(bench_params_set(&config->params, axis->key, value->text, where));
    }
    TRY(bench_params_default(&config->params, config->impl->keys, where));
    TRY(bench_params_default(&config->params, config->impl->problem->keys, where));
    plan_settle(&config->plan);
    return BENCH_OK;
}

static void free_axes(struct reading *r)
{
    while (r->n_axes > 0)
        free(r->axis[--r->n_axes].value);
}

static enum bench_status expand(struct reading *r, const struct bench_impl *impl,
                                const char *section)
{
    struct bench_experiment *e = r->experiment;
    struct bench_plan plan;
    int n_new = 0;

    TRY(make_plan(r, impl->target, &plan));
    free_axes(r);
    TRY(axes_read(r, impl)); /* and checked, whatever this build has */
    if (bench_is_built(impl) || r->overrides.with_absent)
        TRY(count_product(r, &n_new));
    for (int i = 0; i < n_new; i++) {
        NEED(memory_grow(&e->configs, sizeof *e->configs, (size_t)e->n_configs),
             "the configurations of %s", r->path);
        e->configs[e->n_configs] = (struct bench_config){
            .section = section, .impl = impl, .plan = plan, .line = r->section_line};
        TRY(fill_config(r, i, &e->configs[e->n_configs]));
        e->n_configs++;
    }
    return BENCH_OK;
}

/* ---- variants ------------------------------------------------------------------------- */

static bool passes_filter(const struct reading *r, const char *name)
{
    return r->overrides.impl_glob == NULL || text_matches(r->overrides.impl_glob, name);
}

static void add_impl(const struct bench_impl **impls, int *n, const struct bench_impl *impl)
{
    for (int i = 0; i < *n; i++)
        if (impls[i] == impl)
            return;
    impls[(*n)++] = impl; /* has room for all of them */
}

static enum bench_status refuse_value(const struct reading *r, const struct entry *entry,
                                      const char *name)
{
    return bench_find_impl(name) != NULL
               ? ENTRY_FAIL(entry, "impl: '%.80s' is no variant of problem '%s'", name,
                            r->problem->name)
               : refuse_impl(WHERE(entry), name, r->problem);
}

/* A name or a pattern: all that the project knows goes to r->impls, what this build lacks of it
 * to 'absent', too. */
static enum bench_status match_impls(struct reading *r, const struct entry *entry,
                                     const char *name)
{
    bool found = false;

    if (strlen(name) > MAX_PATTERN)
        return refuse_value(r, entry, name);
    for (int i = 0; bench_impls[i] != NULL; i++) {
        const struct bench_impl *impl = bench_impls[i];

        if (impl->problem != r->problem || fnmatch(name, impl->name, 0) != 0)
            continue;
        found = true;
        if (!passes_filter(r, impl->name))
            continue;
        add_impl(r->impls, &r->n_impls, impl);
        if (!bench_is_built(impl))
            add_impl(r->experiment->absent, &r->experiment->n_absent, impl);
    }
    return found ? BENCH_OK : refuse_value(r, entry, name);
}

static enum bench_status read_impls(struct reading *r)
{
    const struct entry *entry = entries_find(&r->group, "impl");
    const char *rest;
    char element[TEXT_ELEMENT];

    r->n_impls = 0;
    REFUSE_IF(entry == NULL, "%s:%d: section [%s] has no impl", r->ini->path, r->section_line,
              r->section);
    rest = entry->value;
    for (const char *name; (name = text_next(&rest, element)) != NULL;)
        TRY(name[0] != '\0' ? match_impls(r, entry, name) : entry_refuse_empty(entry));
    for (int i = 0; r->overrides.beside != NULL && bench_impls[i] != NULL; i++)
        if (bench_impls[i]->problem == r->problem && passes_filter(r, bench_impls[i]->name) &&
            text_matches(r->overrides.beside, bench_impls[i]->name))
            add_impl(r->impls, &r->n_impls, bench_impls[i]);
    return BENCH_OK;
}

/* The i-th name for -i or -g: of a variant of the project, built or not, or of a section. */
static const char *name_at(const struct reading *r, bool of_impl, int i)
{
    return of_impl             ? bench_impls[i] ? bench_impls[i]->name : NULL
           : i < r->n_sections ? r->sections[i]->section
                               : NULL;
}

/* Refuses a pattern of -i or -g that fits nothing: it is a slip. */
static enum bench_status check_patterns(const struct reading *r, const char *patterns)
{
    const bool of_impl = patterns == r->overrides.impl_glob;
    const char *rest = patterns, *name;
    char element[TEXT_ELEMENT], names[400] = "";

    for (const char *one; (one = text_next(&rest, element)) != NULL;) {
        for (int i = 0; (name = name_at(r, of_impl, i)) != NULL && !text_matches(one, name);
             i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     *names ? ", " : "", name);
        if (name == NULL)
            return of_impl
                       ? refuse_impl("-i", one, NULL)
                       : BENCH_FAIL(BENCH_EINPUT, "-g %.40s: %s has no such section; it has %s",
                                    one, r->path, names);
        names[0] = '\0';
    }
    return BENCH_OK;
}

/* ---- sections ------------------------------------------------------------------------- */

/* Finds the sections of the descriptor; where it has none, of the first that it includes. */
static enum bench_status find_sections(struct reading *r)
{
    const struct ini_file *const files = r->descriptor.file;

    for (int f = 0; f < r->descriptor.n_files && r->n_sections == 0; f++)
        for (int i = 0; i < files[f].n_facts; i++) {
            const char *const name = files[f].fact[i].section;
            int k = 0;

            r->ini = &files[f];
            if (strcmp(name, "global") == 0 || strcmp(name, "show") == 0)
                continue;
            while (k < r->n_sections && strcmp(r->sections[k]->section, name) != 0)
                k++;
            if (k < r->n_sections)
                continue;
            NEED(memory_grow(&r->sections, sizeof *r->sections, (size_t)k),
                 "the sections of %s", r->path);
            r->sections[r->n_sections++] = &files[f].fact[i];
        }
    return BENCH_OK;
}

/* Put the keys of section number 'at' into r->own, after those of the section that it is
 * like. */
static enum bench_status take_section(struct reading *r, int at, int depth)
{
    const struct ini_file *const ini = r->ini;
    const struct ini_fact *const fact = ini_find(ini, r->sections[at]->section, "like");

    if (fact != NULL) {
        const struct entry entry = entry_of(ini, fact);
        int like = 0;

        while (like < at && strcmp(r->sections[like]->section, entry.value) != 0)
            like++;
        ENTRY_REFUSE_IF(like == at, &entry,
                        "like: expected a section above this one, found '%.80s'", entry.value);
        ENTRY_REFUSE_IF(depth == MAX_LIKE, &entry,
                        "like: sections are like one another more than %d deep", depth);
        TRY(take_section(r, like, depth + 1));
    }
    for (int i = 0; i < ini->n_facts; i++) {
        const struct entry entry = entry_of(ini, &ini->fact[i]);

        if (&ini->fact[i] == fact ||
            strcmp(ini->fact[i].section, r->sections[at]->section) != 0)
            continue;
        ENTRY_REFUSE_IF(descriptor_has(entry.key), &entry, "%s belongs in [global]", entry.key);
        TRY(entries_replace(&r->own, &entry));
    }
    return BENCH_OK;
}

/* Collects a section's keys: [global] first, then its own, then -S. */
static enum bench_status gather(struct reading *r, int at)
{
    r->section = r->sections[at]->section;
    r->section_line = r->sections[at]->line;
    r->group.n = r->own.n = 0;
    for (int i = 0; i < r->descriptor.global.n; i++)
        if (!descriptor_has(r->descriptor.global.item[i].key))
            TRY(entries_put(&r->group, &r->descriptor.global.item[i]));
    TRY(take_section(r, at, 0));
    for (int i = 0; i < r->own.n; i++)
        TRY(entries_put(&r->group, &r->own.item[i]));
    for (int i = 0; i < r->descriptor.assignments.n; i++)
        TRY(entries_replace(&r->group, &r->descriptor.assignments.item[i]));
    return BENCH_OK;
}

static enum bench_status read_groups(struct reading *r)
{
    struct bench_experiment *const e = r->experiment;
    const char *const chosen = r->overrides.group_glob;

    TRY(find_sections(r));
    REFUSE_IF(r->n_sections == 0,
              "%s: no configurations: it has no section but [global] and [show]", r->path);
    TRY(check_patterns(r, chosen));
    TRY(memory_allocate(&r->impls, sizeof *r->impls, n_of_impls(), 1, 1, 1));
    TRY(memory_allocate(&e->absent, sizeof *e->absent, n_of_impls(), 1, 1, 1));
    for (int i = 0; i < r->n_sections; i++) {
        TRY(gather(r, i));
        TRY(check_entries(r, &r->group));
        if (chosen != NULL && !text_matches(chosen, r->section))
            continue;
        TRY(read_impls(r));
        TRY(listing_add(&e->sections, r->section));
        for (int j = 0; j < r->n_impls; j++)
            TRY(expand(r, r->impls[j], e->sections.path[e->sections.n - 1]));
    }
    return BENCH_OK;
}

/* Copy a text of the descriptor into a field of the experiment. */
static enum bench_status copy_text(char *to, size_t size, const struct entry *entry)
{
    ENTRY_REFUSE_IF(strlen(entry->value) >= size, entry,
                    "%s: expected at most %zu bytes, found %zu", entry->key, size - 1,
                    strlen(entry->value));
    snprintf(to, size, "%s", entry->value);
    return BENCH_OK;
}

static enum bench_status read_layout(struct reading *r)
{
    struct bench_layout *const layout = &r->experiment->layout;
    const struct ini_file *ini = &r->descriptor.file[0];

    for (int i = 0; i < ini->n_facts; i++) {
        const struct entry entry = entry_of(ini, &ini->fact[i]);
        const struct bench_key *key = bench_find_key(bench_layout_keys, entry.key);
        const struct bench_key *const lists[] = {bench_layout_keys, NULL};

        if (strcmp(ini->fact[i].section, "show") != 0)
            continue;
        if (key == NULL)
            return refuse_key(WHERE(&entry), "key of [show]", entry.key, lists);
        TRY(copy_text(layout->text[key - bench_layout_keys], sizeof layout->text[0], &entry));
    }
    if (*bench_layout_text(layout, "columns") && !*bench_layout_text(layout, "rows"))
        snprintf(layout->text[0], sizeof layout->text[0], "impl"); /* rows are the first key */
    return BENCH_OK;
}

const char *bench_layout_text(const struct bench_layout *layout, const char *key)
{
    return layout->text[bench_find_key(bench_layout_keys, key) - bench_layout_keys];
}

/* [global]'s problem, by default that whose folder this is, and title. */
static enum bench_status read_problem(struct reading *r)
{
    const struct entry *problem = entries_find(&r->descriptor.global, "problem");
    const struct entry *title = entries_find(&r->descriptor.global, "title");
    const struct entry *like = entries_find(&r->descriptor.global, "like");
    struct bench_experiment *e = r->experiment;
    char folder[sizeof e->name], known[256] = "";
    size_t n = 0;

    snprintf(folder, sizeof folder, "%.*s", (int)strcspn(e->name, "/"), e->name);
    r->problem = e->problem = bench_find_problem(problem != NULL ? problem->value : folder);
    REFUSE_IF(problem == NULL && (r->problem == NULL || strchr(e->name, '/') == NULL),
              "%s: [global] has no problem", r->path);
    ENTRY_REFUSE_IF(like != NULL, like, "%s belongs in a section, not in [global]", like->key);
    if (r->problem != NULL)
        return title != NULL ? copy_text(e->title, sizeof e->title, title) : BENCH_OK;
    for (int i = 0; bench_problems[i] != NULL && n < sizeof known; i++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i > 0 ? ", " : "",
                              bench_problems[i]->name);
    return ENTRY_FAIL(problem, "unknown problem '%.80s'; expected one of %s", problem->value,
                      known);
}

/* "experiments/rdp/fig9.ini" -> "rdp/fig9" */
static enum bench_status name_experiment(struct bench_experiment *e, const char *path)
{
    const char *const file = listing_name(path), *start = file;
    size_t n;

    REFUSE_IF(strlen(path) >= sizeof e->path, "%s: a path has at most %zu bytes", path,
              sizeof e->path - 1);
    snprintf(e->path, sizeof e->path, "%s", path);
    if (file > path + 1) { /* the folder's name, unless it is "." or ".." */
        for (start--; start > path && start[-1] != '/';)
            start--;
        if (strncmp(start, "./", 2) == 0 || strncmp(start, "../", 3) == 0 || *start == '/')
            start = file;
    }
    n = strlen(start);
    if (n > 4 && strcmp(start + n - 4, ".ini") == 0)
        n -= 4;
    REFUSE_IF(n >= sizeof e->name,
              "%s: the name of an experiment, '%.*s', has at most %zu bytes", path, (int)n,
              start, sizeof e->name - 1);
    snprintf(e->name, sizeof e->name, "%.*s", (int)n, start);
    return BENCH_OK;
}

static enum bench_status read_all(struct reading *r)
{
    TRY(name_experiment(r->experiment, r->path));
    TRY(check_patterns(r, r->overrides.impl_glob));
    TRY(descriptor_read(r->path, r->overrides.assignments, r->overrides.n, &r->descriptor));
    TRY(read_problem(r));
    TRY(list_known(r));
    TRY(check_entries(r, &r->descriptor.global));
    TRY(check_entries(r, &r->descriptor.assignments));
    TRY(read_layout(r));
    return read_groups(r);
}

static void free_reading(struct reading **r)
{
    if (!*r)
        return;
    free_axes(*r);
    descriptor_free(&(*r)->descriptor);
    free((*r)->sections);
    free((*r)->impls);
    free((*r)->known);
    free(*r);
}

enum bench_status experiment_read(const char *path, const struct bench_overrides *overrides,
                                  struct bench_experiment *experiment)
{
    OWNED(free_reading) struct reading *r = NULL;
    enum bench_status status;

    *experiment = (struct bench_experiment){.n_configs = 0};
    TRY(memory_allocate(&r, sizeof *r, 1, 1, 1, 1));
    r->path = path;
    if (overrides != NULL)
        r->overrides = *overrides;
    r->experiment = experiment;
    status = read_all(r);
    if (status != BENCH_OK)
        experiment_free(experiment);
    return status;
}

void experiment_free(struct bench_experiment *experiment)
{
    listing_free(&experiment->sections);
    free(experiment->configs);
    free(experiment->absent);
    *experiment = (struct bench_experiment){.n_configs = 0};
}

size_t bench_config_text(const struct bench_config *config, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s ", config->impl->name);

    n +=
        bench_params_text(&config->params, n < size ? text + n : NULL, n < size ? size - n : 0);
    return n + plan_text(&config->plan, n < size ? text + n : NULL, n < size ? size - n : 0);
}
