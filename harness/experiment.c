/* experiment.c - a descriptor's facts to axes, axes to cells */
#include "harness/experiment.h"

#include "harness/ini.h"
#include "harness/text.h"

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS   100000
#define MAX_VALUES  1000 /* of one key: keeps the search for equal ones short */
#define MAX_KEYS    256  /* that count for a section: more than there are, and few to search */
#define MAX_DEPTH   4    /* of includes */
#define MAX_FILES   32   /* with all that is included */
#define MAX_WHERE   640  /* "PATH:LINE" or "-S key=value" */
#define MAX_PATTERN 63   /* of impl */

/* What describes the descriptor; for the spelling check. */
static const struct bench_key descriptor_keys[] = {
    {"problem", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"include", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"title", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"impl", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_key layout_keys[] = {
    {"rows", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"columns", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"value", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"beside", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"fit", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"linear", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"best", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"over", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"against", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"per", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"reach", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"unit", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"title", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"paper", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {"counters", NULL, "", "", BENCH_WORD, 0, 0, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

/* One key = value that counts for a section, and where it stands.  Text is borrowed. */
struct entry {
    const char *key, *value;
    const char *path; /* NULL: an -S assignment */
    const char *assignment;
    int line;
};

struct entries {
    struct entry *item; /* owned */
    int n, room;
};

/* What stands below one heading, or several of the same name. */
struct section {
    const struct ini_fact **fact; /* [n], in their order; borrowed */
    int n;
};

/* All that lives while one descriptor is read. */
struct reading {
    const char *path;
    struct bench_overrides overrides;
    struct ini_file file[MAX_FILES]; /* owned; [0] is the descriptor */
    int n_files;
    struct entries global;        /* [global] with what it includes */
    struct entries assignments;   /* -S, the last of each key */
    struct entries group;         /* of the section at hand */
    const struct ini_fact **fact; /* of the descriptor, section by section; owned */
    struct section *sections;     /* those with cells, in their order; owned */
    int n_sections;
    const char *section; /* the section at hand */
    int section_line;
    const struct bench_impl **impls; /* [all that are known] of the section at hand; owned */
    int n_impls;
    const struct bench_problem *problem;
    struct bench_experiment *experiment; /* the caller's */
};

static const char *where_of(const struct entry *entry, char where[MAX_WHERE])
{
    if (entry->path == NULL)
        snprintf(where, MAX_WHERE, "-S %.80s",
                 entry->assignment != NULL ? entry->assignment : "");
    else
        snprintf(where, MAX_WHERE, "%.600s:%d", entry->path, entry->line);
    return where;
}

/* Add an entry; one of the same key that stands there already goes. */
static enum bench_status entries_put(struct entries *entries, const struct entry *entry)
{
    char where[MAX_WHERE];
    int n = 0;

    for (int i = 0; i < entries->n; i++)
        if (strcmp(entries->item[i].key, entry->key) != 0)
            entries->item[n++] = entries->item[i];
    entries->n = n;
    if (n == MAX_KEYS)
        return BENCH_FAIL(BENCH_EINPUT, "%s: '%.40s' is one key more than the %d that may be",
                          where_of(entry, where), entry->key, MAX_KEYS);
    if (n == entries->room) {
        const int room = n > 0 ? 2 * n : 32;
        struct entry *item = realloc(entries->item, (size_t)room * sizeof *item);

        if (item == NULL)
            return BENCH_FAIL(BENCH_ENOMEM, "no memory for %d keys", room);
        entries->item = item;
        entries->room = room;
    }
    entries->item[entries->n++] = *entry;
    return BENCH_OK;
}

static const struct entry *entries_find(const struct entries *entries, const char *key)
{
    for (int i = 0; i < entries->n; i++)
        if (strcmp(entries->item[i].key, key) == 0)
            return &entries->item[i];
    return NULL;
}

static const struct bench_key *find_key(const struct bench_key *keys, const char *name)
{
    for (; keys != NULL && keys->name != NULL; keys++)
        if (strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

static enum bench_status refuse_empty(const struct entry *entry)
{
    char where[MAX_WHERE];

    return BENCH_FAIL(BENCH_EINPUT, "%s: %s: expected a value, found an empty one",
                      where_of(entry, where), entry->key);
}

static size_t n_of_impls(void)
{
    size_t n = 0;

    while (bench_impls[n] != NULL)
        n++;
    return n;
}

/* The known variant whose name is nearest, as bench_nearest_key; NULL also when memory is out. */
static const char *nearest_impl(const char *name)
{
    const size_t n = n_of_impls();
    struct bench_key *keys = calloc(n + 1, sizeof *keys);
    const struct bench_key *list[2] = {NULL, NULL};
    const char *nearest;

    if (keys == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        keys[i].name = bench_impls[i]->name;
    list[0] = keys;
    nearest = bench_nearest_key(list, name);
    free(keys);
    return nearest;
}

static enum bench_status refuse_unknown(const char *where, const char *what, const char *name,
                                        const char *nearest)
{
    if (nearest == NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s: unknown %s '%.80s'", where, what, name);
    return BENCH_FAIL(BENCH_EINPUT, "%s: unknown %s '%.80s'; did you mean '%s'?", where, what,
                      name, nearest);
}

/* ---- files ---------------------------------------------------------------------------------- */

static enum bench_status read_file(struct reading *r, const char *path,
                                   const char *const *above, int depth);

/* Read the files of an include, a list. */
static enum bench_status include(struct reading *r, const struct entry *entry,
                                 const char *const *above, int depth)
{
    const char *slash = strrchr(entry->path, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - entry->path) : 0;
    char *list = strdup(entry->value), *rest = list, *name;
    char where[MAX_WHERE];
    enum bench_status status = BENCH_OK;

    if (list == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a list");
    while (status == BENCH_OK && (name = text_next(&rest)) != NULL) {
        char path[512];
        const int n = snprintf(path, sizeof path, "%.*s%s", name[0] == '/' ? 0 : folder,
                               entry->path, name);

        if (name[0] == '\0')
            status = refuse_empty(entry);
        else if (n < 0 || (size_t)n >= sizeof path)
            status = BENCH_FAIL(BENCH_EINPUT, "%s: the path of an included file is too long",
                                where_of(entry, where));
        else if (depth == MAX_DEPTH)
            status = BENCH_FAIL(BENCH_EINPUT, "%s: files include one another more than %d deep",
                                where_of(entry, where), MAX_DEPTH);
        else if (r->n_files == MAX_FILES)
            status = BENCH_FAIL(BENCH_EINPUT, "%s: more than %d files are included",
                                where_of(entry, where), MAX_FILES - 1);
        for (int i = 0; status == BENCH_OK && i <= depth; i++)
            if (text_same_file(above[i], path))
                status = BENCH_FAIL(BENCH_EINPUT, "%s: '%s' includes itself",
                                    where_of(entry, where), name);
        if (status == BENCH_OK)
            status = read_file(r, path, above, depth + 1);
        if (status == BENCH_EIO) { /* say who asked for it */
            char sentence[1024];

            snprintf(sentence, sizeof sentence, "%s", bench_failure());
            status =
                BENCH_FAIL(BENCH_EINPUT, "%s: include: %s", where_of(entry, where), sentence);
        }
    }
    free(list);
    return status;
}

/* Read a file and put its [global] into r->global, after what it includes.  'above': the paths of the files
 * that include one another down to this one, [depth] of them. */
static enum bench_status read_file(struct reading *r, const char *path,
                                   const char *const *above, int depth)
{
    const char *chain[MAX_DEPTH + 1];
    struct ini_file *ini = &r->file[r->n_files];
    const struct ini_fact *fact;

    TRY(ini_read(path, ini));
    r->n_files++;
    for (int i = 0; i < depth; i++)
        chain[i] = above[i];
    chain[depth] = ini->path;

    for (int i = 0; i < ini->n_facts; i++)
        if (ini->fact[i].section[0] == '\0')
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: '%s' stands before the first section", path,
                              ini->fact[i].line, ini->fact[i].key);
    fact = ini_find(ini, "global", "include");
    if (fact != NULL) {
        const struct entry entry = {fact->key, fact->value, ini->path, NULL, fact->line};

        TRY(include(r, &entry, chain, depth));
    }
    for (int i = 0; i < ini->n_facts; i++) {
        const struct entry entry = {ini->fact[i].key, ini->fact[i].value, ini->path, NULL,
                                    ini->fact[i].line};

        if (strcmp(ini->fact[i].section, "global") == 0 && strcmp(entry.key, "include") != 0)
            TRY(entries_put(&r->global, &entry));
    }
    return BENCH_OK;
}

static enum bench_status take_assignments(struct reading *r, char **copies)
{
    for (int i = 0; i < r->overrides.n; i++) {
        const char *text = r->overrides.assignments[i];
        const char *equals = strchr(text, '=');
        struct entry entry = {.assignment = text};

        if (equals == NULL || equals == text)
            return BENCH_FAIL(BENCH_EINPUT, "-S %.80s: expected key=value", text);
        copies[i] = strdup(text);
        if (copies[i] == NULL)
            return BENCH_FAIL(BENCH_ENOMEM, "no memory for -S");
        copies[i][equals - text] = '\0';
        entry.key = copies[i];
        entry.value = copies[i] + (equals - text) + 1;
        if (strcmp(entry.key, "impl") != 0 && find_key(descriptor_keys, entry.key) != NULL)
            return BENCH_FAIL(BENCH_EINPUT, "-S %.80s: only the descriptor itself says its %s",
                              text, entry.key);
        TRY(entries_put(&r->assignments, &entry));
    }
    return BENCH_OK;
}

/* ---- keys ----------------------------------------------------------------------------------- */

static bool is_known_key(const struct bench_problem *problem, const char *name)
{
    if (find_key(bench_plan_keys, name) != NULL || find_key(descriptor_keys, name) != NULL ||
        find_key(problem->keys, name) != NULL)
        return true;
    for (int i = 0; bench_impls[i] != NULL; i++)
        if (bench_impls[i]->problem == problem && find_key(bench_impls[i]->keys, name) != NULL)
            return true;
    return false;
}

static const char *nearest_key(const struct bench_problem *problem, const char *name)
{
    const size_t n = n_of_impls();
    size_t n_lists = 0;
    const struct bench_key **lists = malloc((n + 4) * sizeof *lists);
    const char *nearest;

    if (lists == NULL)
        return NULL;
    if (problem->keys != NULL)
        lists[n_lists++] = problem->keys;
    lists[n_lists++] = bench_plan_keys;
    for (size_t i = 0; i < n; i++)
        if (bench_impls[i]->problem == problem && bench_impls[i]->keys != NULL)
            lists[n_lists++] = bench_impls[i]->keys;
    lists[n_lists++] = descriptor_keys;
    lists[n_lists] = NULL;
    nearest = bench_nearest_key(lists, name);
    free(lists);
    return nearest;
}

static enum bench_status check_entries(const struct reading *r, const struct entries *entries)
{
    char where[MAX_WHERE];

    for (int i = 0; i < entries->n; i++) {
        const struct entry *entry = &entries->item[i];

        if (!is_known_key(r->problem, entry->key))
            return refuse_unknown(where_of(entry, where), "key", entry->key,
                                  nearest_key(r->problem, entry->key));
    }
    return BENCH_OK;
}

/* ---- lists and ranges ----------------------------------------------------------------------- */

struct axis {
    const struct bench_key *key;
    struct bench_param *value; /* [n], distinct, in order; owned */
    int n, room;
    double greatest; /* of the numbers so far */
};

static enum bench_status axis_add(struct axis *axis, const char *text, const char *where)
{
    struct bench_params one = {.n = 0};
    const bool number = axis->key->kind != BENCH_WORD;

    TRY(bench_params_set(&one, axis->key, text, where));
    if (axis->n == 0 || !number ||
        one.item[0].number <= axis->greatest) /* may be there already */
        for (int i = 0; i < axis->n; i++)
            if (strcmp(axis->value[i].text, one.item[0].text) == 0)
                return BENCH_OK;
    if (axis->n == MAX_VALUES)
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: more than %d values", where, axis->key->name,
                          MAX_VALUES);
    if (axis->n == axis->room) {
        const int room = axis->room > 0 ? 2 * axis->room : 8;
        struct bench_param *value = realloc(axis->value, (size_t)room * sizeof *value);

        if (value == NULL)
            return BENCH_FAIL(BENCH_ENOMEM, "no memory for %d values", room);
        axis->value = value;
        axis->room = room;
    }
    if (axis->n == 0 || one.item[0].number > axis->greatest)
        axis->greatest = one.item[0].number;
    axis->value[axis->n++] = one.item[0];
    return BENCH_OK;
}

static enum bench_status axis_add_number(struct axis *axis, double value, const char *where)
{
    char text[BENCH_MAX_VALUE];

    if (axis->key->kind == BENCH_INT && value == floor(value) && fabs(value) < 1e15)
        snprintf(text, sizeof text, "%.0f", value); /* %.9g would round a large one */
    else
        bench_number_text(value, text);
    return axis_add(axis, text, where);
}

/* "first-last+step" or "first-last*factor"; 'after_first' points at the '-'. */
static enum bench_status axis_add_range(struct axis *axis, const char *range, double first,
                                        const char *after_first, const char *where)
{
    const char *name = axis->key->name;
    const double slack = 1e-9; /* so that 0.5-2+0.1 has its 2 */
    double last = 0, step = 0;
    const char *at = bench_number(after_first + 1, &last);
    char operation;

    if (at == NULL || (*at != '+' && *at != '*')) {
        if (at != NULL && *at == '\0')
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s: %s: range '%.80s' has no step: write %s+STEP or *FACTOR",
                              where, name, range, range);
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: %s: expected FIRST-LAST+STEP or FIRST-LAST*FACTOR, found '%.80s'", where, name,
            range);
    }
    operation = *at;
    at = bench_number(at + 1, &step);
    if (at == NULL || *at != '\0')
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: expected a number after '%c', found '%.80s'",
                          where, name, operation, range);
    if (operation == '+' && !(step > 0))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: %s: range '%.80s' does not end: its step must be greater than 0",
                          where, name, range);
    if (operation == '*' && !(step > 1 && first > 0))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: %s: range '%.80s' does not end: it needs a factor greater than 1 and a "
            "first value greater than 0",
            where, name, range);
    if (first > last)
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: range '%.80s' begins above its end", where,
                          name, range);
    if (operation == '+' && !((last - first) / step < MAX_VALUES))
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: range '%.80s' has more than %d values", where,
                          name, range, MAX_VALUES);
    if (operation == '+') {
        const int n = (int)floor((last - first) / step * (1 + slack) + slack) + 1;

        for (int i = 0; i < n; i++)
            TRY(axis_add_number(axis, first + i * step, where));
        return BENCH_OK;
    }
    if (!(log(last / first) / log(step) < MAX_VALUES))
        return BENCH_FAIL(BENCH_EINPUT, "%s: %s: range '%.80s' has more than %d values", where,
                          name, range, MAX_VALUES);
    for (double value = first; value <= last * (1 + slack); value *= step)
        TRY(axis_add_number(axis, value, where));
    return BENCH_OK;
}

static enum bench_status axis_add_element(struct axis *axis, const char *element,
                                          const char *where)
{
    double first = 0;
    const char *after = axis->key->kind != BENCH_WORD ? bench_number(element, &first) : NULL;

    if (after != NULL && *after == '-')
        return axis_add_range(axis, element, first, after, where);
    return axis_add(axis, element, where);
}

/* All values of a list.  On failure, too, the caller frees axis->value. */
static enum bench_status axis_read(struct axis *axis, const struct bench_key *key,
                                   const struct entry *entry)
{
    char where[MAX_WHERE];
    char *list = strdup(entry->value), *rest = list, *element;
    enum bench_status status = BENCH_OK;

    *axis = (struct axis){.key = key};
    where_of(entry, where);
    if (list == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a list");
    while (status == BENCH_OK && (element = text_next(&rest)) != NULL)
        status =
            element[0] != '\0' ? axis_add_element(axis, element, where) : refuse_empty(entry);
    free(list);
    return status;
}

/* ---- the plan ------------------------------------------------------------------------------- */

/* The plan of a variant in the section at hand, but for its axes. */
static enum bench_status make_plan(const struct reading *r, enum bench_target target,
                                   struct bench_plan *plan)
{
    char where[MAX_WHERE];

    plan_default(plan, target);
    for (int i = 0; i < r->group.n; i++) {
        const struct entry *const entry = &r->group.item[i];
        const struct bench_key *const key = find_key(bench_plan_keys, entry->key);

        if (key != NULL && !plan_multiplies(key))
            TRY(plan_read(plan, key, entry->value, where_of(entry, where)));
    }
    for (const struct bench_key *key = bench_plan_keys; key->name != NULL; key++)
        if (r->overrides.quick && entries_find(&r->assignments, key->name) == NULL)
            plan_quicken(plan, key, target);
    return BENCH_OK;
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* The axes of one variant in the section at hand. */
struct axes {
    struct axis *axis; /* owned */
    int n;
};

static void axes_free(struct axes *axes)
{
    for (int i = 0; i < axes->n; i++)
        free(axes->axis[i].value);
    free(axes->axis);
}

/* The declaration by which a key is an axis for 'impl'; NULL: none. */
static const struct bench_key *axis_key(const struct bench_impl *impl, const char *name)
{
    const struct bench_key *key = find_key(bench_plan_keys, name);

    if (key != NULL)
        return plan_is_axis(key, impl->target) ? key : NULL;
    key = find_key(impl->keys, name);
    return key != NULL ? key : find_key(impl->problem->keys, name);
}

static void make_axis_quick(const struct bench_problem *problem, struct axis *axis)
{
    const struct bench_quick *limit = problem->quick;
    int n = 0;

    while (limit != NULL && limit->key != NULL && strcmp(limit->key, axis->key->name) != 0)
        limit++;
    if (limit == NULL || limit->key == NULL)
        return;
    for (int i = 0; i < axis->n; i++)
        if ((limit->most <= 0 || axis->value[i].number <= limit->most) &&
            (limit->n_values == 0 || n < limit->n_values))
            axis->value[n++] = axis->value[i];
    axis->n = n;
}

static enum bench_status axes_read(const struct reading *r, const struct bench_impl *impl,
                                   struct axes *axes)
{
    *axes = (struct axes){.n = 0};
    if (r->group.n == 0)
        return BENCH_OK;
    axes->axis = calloc((size_t)r->group.n, sizeof *axes->axis);
    if (axes->axis == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %d axes", r->group.n);
    for (int i = 0; i < r->group.n; i++) {
        const struct entry *entry = &r->group.item[i];
        const struct bench_key *key = axis_key(impl, entry->key);
        struct axis *axis = &axes->axis[axes->n];

        if (key == NULL)
            continue;
        axes->n++;
        TRY(axis_read(axis, key, entry));
        if (find_key(bench_plan_keys, key->name) == key && plan_is_name(key)) {
            char where[MAX_WHERE];

            for (int j = 0; j < axis->n; j++)
                if (strlen(axis->value[j].text) > 31)
                    return BENCH_FAIL(BENCH_EINPUT,
                                      "%s: %s: expected at most 31 letters, found '%s'",
                                      where_of(entry, where), key->name, axis->value[j].text);
        }
        if (r->overrides.quick && entries_find(&r->assignments, key->name) == NULL)
            make_axis_quick(r->problem, axis);
    }
    return BENCH_OK;
}

/* Room for the product of the axes; *n_new is how many cells that makes. */
static enum bench_status reserve(struct reading *r, const struct axes *axes, int *n_new)
{
    struct bench_experiment *e = r->experiment;
    const size_t free_cells = (size_t)(MAX_CELLS - e->n_cells);
    size_t n = 1;
    struct bench_cell *cells;

    *n_new = 0;
    for (int i = 0; i < axes->n; i++)
        if (axes->axis[i].n == 0)
            return BENCH_OK;
    for (int i = 0; i < axes->n; i++) {
        n *= (size_t)axes->axis[i].n; /* at most MAX_CELLS * MAX_VALUES */
        if (n > free_cells)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: section [%s] brings the descriptor to more than %d cells",
                              r->path, r->section_line, r->section, MAX_CELLS);
    }
    if (n > free_cells) /* no axis at all, and no room for one cell */
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: section [%s] brings the descriptor to more than %d cells",
                          r->path, r->section_line, r->section, MAX_CELLS);
    cells = realloc(e->cells, ((size_t)e->n_cells + n) * sizeof *cells);
    if (cells == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for %zu cells", r->path,
                          (size_t)e->n_cells + n);
    e->cells = cells;
    *n_new = (int)n;
    return BENCH_OK;
}

/* Cell number 'number' of the product, the last axis running fastest. */
static enum bench_status fill_cell(const struct reading *r, const struct axes *axes, int number,
                                   struct bench_cell *cell)
{
    char where[MAX_WHERE];

    snprintf(where, sizeof where, "%.600s:%d", r->path, r->section_line);
    for (int i = axes->n - 1; i >= 0; i--) {
        const struct axis *axis = &axes->axis[i];
        const struct bench_param *value = &axis->value[number % axis->n];

        number /= axis->n;
        if (find_key(bench_plan_keys, axis->key->name) == axis->key)
            plan_set(&cell->plan, axis->key, value);
        else
            TRY(bench_params_set(&cell->params, axis->key, value->text, where));
    }
    TRY(bench_params_default(&cell->params, cell->impl->keys, where));
    TRY(bench_params_default(&cell->params, cell->impl->problem->keys, where));
    plan_settle(&cell->plan);
    return BENCH_OK;
}

static enum bench_status expand(struct reading *r, const struct bench_impl *impl,
                                const char *section)
{
    struct bench_experiment *e = r->experiment;
    struct bench_plan plan;
    struct axes axes;
    int n_new = 0;
    enum bench_status status;

    TRY(make_plan(r, impl->target, &plan));
    status = axes_read(r, impl, &axes); /* and checked, whatever this build has */
    if (status == BENCH_OK && (bench_is_built(impl) || r->overrides.with_absent))
        status = reserve(r, &axes, &n_new);
    for (int i = 0; status == BENCH_OK && i < n_new; i++) {
        struct bench_cell *cell = &e->cells[e->n_cells];

        *cell = (struct bench_cell){
            .section = section, .impl = impl, .plan = plan, .line = r->section_line};
        status = fill_cell(r, &axes, i, cell);
        if (status == BENCH_OK)
            e->n_cells++;
    }
    axes_free(&axes);
    return status;
}

/* ---- variants ------------------------------------------------------------------------------- */

static bool passes_filter(const struct reading *r, const char *name)
{
    return r->overrides.impl_glob == NULL || fnmatch(r->overrides.impl_glob, name, 0) == 0;
}

static enum bench_status add_absent(struct reading *r, const char *name, int line)
{
    struct bench_experiment *e = r->experiment;
    struct bench_absent *absent;

    for (int i = 0; i < e->n_absent; i++)
        if (strcmp(e->absent[i].impl, name) == 0)
            return BENCH_OK;
    absent = realloc(e->absent, ((size_t)e->n_absent + 1) * sizeof *absent);
    if (absent == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the names of variants");
    e->absent = absent;
    absent[e->n_absent] = (struct bench_absent){.line = line};
    snprintf(absent[e->n_absent].impl, sizeof absent->impl, "%s", name);
    e->n_absent++;
    return BENCH_OK;
}

static void add_impl(struct reading *r, const struct bench_impl *impl)
{
    for (int i = 0; i < r->n_impls; i++)
        if (r->impls[i] == impl)
            return;
    r->impls[r->n_impls++] = impl; /* has room for all of them */
}

static enum bench_status refuse_impl(const struct reading *r, const struct entry *entry,
                                     const char *name)
{
    char where[MAX_WHERE], full[128];

    where_of(entry, where);
    if (bench_find_impl(name))
        return BENCH_FAIL(BENCH_EINPUT, "%s: impl: '%.80s' is no variant of problem '%s'",
                          where, name, r->problem->name);
    snprintf(full, sizeof full, "%s/%.63s", r->problem->name, name);
    if (bench_find_impl(full))
        return refuse_unknown(where, "impl", name, full);
    return refuse_unknown(where, "impl", name, nearest_impl(name));
}

/* A name or a pattern: all that the project knows goes to r->impls, what this build lacks of it to 'absent', too. */
static enum bench_status match_impls(struct reading *r, const struct entry *entry,
                                     const char *name)
{
    const int line = entry->path != NULL ? entry->line : 0;
    bool found = false;

    if (strlen(name) > MAX_PATTERN)
        return refuse_impl(r, entry, name);
    for (int i = 0; bench_impls[i] != NULL; i++) {
        const struct bench_impl *impl = bench_impls[i];

        if (impl->problem != r->problem || fnmatch(name, impl->name, 0) != 0)
            continue;
        found = true;
        if (!passes_filter(r, impl->name))
            continue;
        add_impl(r, impl);
        if (!bench_is_built(impl))
            TRY(add_absent(r, impl->name, line));
    }
    return found ? BENCH_OK : refuse_impl(r, entry, name);
}

static enum bench_status read_impls(struct reading *r)
{
    const struct entry *entry = entries_find(&r->group, "impl");
    enum bench_status status = BENCH_OK;
    char *list, *rest, *name;

    r->n_impls = 0;
    if (entry == NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: section [%s] has no impl", r->path,
                          r->section_line, r->section);
    list = strdup(entry->value);
    rest = list;
    if (list == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a list");
    while (status == BENCH_OK && (name = text_next(&rest)) != NULL)
        status = name[0] != '\0' ? match_impls(r, entry, name) : refuse_empty(entry);
    free(list);
    return status;
}

/* A glob of -i that fits no variant of the project at all is a slip; one that fits none here is not. */
static enum bench_status check_filter(const struct reading *r)
{
    if (r->overrides.impl_glob == NULL)
        return BENCH_OK;
    if (strlen(r->overrides.impl_glob) <= MAX_PATTERN) {
        for (int i = 0; bench_impls[i] != NULL; i++)
            if (passes_filter(r, bench_impls[i]->name))
                return BENCH_OK;
    }
    return refuse_unknown("-i", "impl", r->overrides.impl_glob,
                          nearest_impl(r->overrides.impl_glob));
}

/* ---- sections ------------------------------------------------------------------------------- */

/* Descriptor-level keys have their place in [global]. */
static enum bench_status check_place(const struct entry *entry)
{
    char where[MAX_WHERE];

    if (strcmp(entry->key, "problem") != 0 && strcmp(entry->key, "title") != 0 &&
        strcmp(entry->key, "include") != 0)
        return BENCH_OK;
    return BENCH_FAIL(BENCH_EINPUT, "%s: %s belongs in [global]", where_of(entry, where),
                      entry->key);
}

static int by_section(const void *a, const void *b)
{
    const struct ini_fact *const *x = a, *const *y = b;
    const int order = strcmp((*x)->section, (*y)->section);

    return order != 0 ? order : (*x > *y) - (*x < *y);
}

static int by_first_fact(const void *a, const void *b)
{
    const struct section *x = a, *y = b;

    return (x->fact[0] > y->fact[0]) - (x->fact[0] < y->fact[0]);
}

static enum bench_status find_sections(struct reading *r)
{
    const struct ini_file *ini = &r->file[0];
    const size_t n = (size_t)ini->n_facts;
    struct section *at;

    r->fact = calloc(n + 1, sizeof *r->fact);
    r->sections = calloc(n + 1, sizeof *r->sections);
    if (r->fact == NULL || r->sections == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %zu keys", n);
    for (size_t i = 0; i < n; i++)
        r->fact[i] = &ini->fact[i];
    qsort(r->fact, n, sizeof *r->fact, by_section);
    for (size_t i = 0; i < n; i++) {
        const char *name = r->fact[i]->section;

        if (strcmp(name, "global") == 0 || strcmp(name, "show") == 0)
            continue;
        at = r->n_sections > 0 ? &r->sections[r->n_sections - 1] : NULL;
        if (at == NULL || strcmp(at->fact[0]->section, name) != 0) {
            at = &r->sections[r->n_sections++];
            at->fact = &r->fact[i];
        }
        at->n++;
    }
    qsort(r->sections, (size_t)r->n_sections, sizeof *r->sections, by_first_fact);
    return BENCH_OK;
}

/* What counts for a section: [global], its own, -S. */
static enum bench_status gather(struct reading *r, const struct section *section)
{
    r->section = section->fact[0]->section;
    r->section_line = section->fact[0]->line;
    r->group.n = 0;
    for (int i = 0; i < r->global.n; i++)
        TRY(entries_put(&r->group, &r->global.item[i]));
    for (int i = 0; i < section->n; i++) {
        const struct ini_fact *fact = section->fact[i];
        const struct entry entry = {fact->key, fact->value, r->file[0].path, NULL, fact->line};

        TRY(check_place(&entry));
        TRY(entries_put(&r->group, &entry));
    }
    for (int i = 0; i < r->assignments.n; i++) { /* in the place of what they override */
        const struct entry *from = &r->assignments.item[i];
        bool placed = false;

        for (int j = 0; j < r->group.n; j++) {
            if (strcmp(r->group.item[j].key, from->key) == 0) {
                r->group.item[j] = *from;
                placed = true;
            }
        }
        if (!placed)
            TRY(entries_put(&r->group, from));
    }
    return BENCH_OK;
}

static enum bench_status add_section_name(struct bench_experiment *e, const char *name,
                                          const char **kept)
{
    char **names = realloc(e->section_names, ((size_t)e->n_sections + 1) * sizeof *names);

    if (names == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the names of sections");
    e->section_names = names;
    names[e->n_sections] = strdup(name);
    if (names[e->n_sections] == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the names of sections");
    *kept = names[e->n_sections++];
    return BENCH_OK;
}

/* "a, b, c": the sections with cells, for a sentence. */
static const char *list_groups(const struct reading *r, char *text, size_t size)
{
    size_t n = 0;

    text[0] = '\0';
    for (int i = 0; i < r->n_sections && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", n > 0 ? ", " : "",
                              r->sections[i].fact[0]->section);
    return text;
}

static bool is_chosen(const struct reading *r, const char *section)
{
    return r->overrides.group_glob == NULL || fnmatch(r->overrides.group_glob, section, 0) == 0;
}

static enum bench_status read_groups(struct reading *r)
{
    int n_chosen = 0;
    char groups[400];

    r->impls = calloc(n_of_impls() + 1, sizeof *r->impls);
    if (r->impls == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a list of variants");
    TRY(find_sections(r));
    for (int i = 0; i < r->n_sections; i++) {
        const char *section = NULL;

        TRY(gather(r, &r->sections[i]));
        TRY(check_entries(r, &r->group));
        if (!is_chosen(r, r->section))
            continue;
        n_chosen++;
        TRY(read_impls(r));
        TRY(add_section_name(r->experiment, r->section, &section));
        for (int j = 0; j < r->n_impls; j++)
            TRY(expand(r, r->impls[j], section));
    }
    if (r->n_sections == 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: no cells: it has no section but [global] and [show]", r->path);
    if (n_chosen == 0)
        return BENCH_FAIL(BENCH_EINPUT, "-g %.40s: %s has no such section; it has %s",
                          r->overrides.group_glob, r->path,
                          list_groups(r, groups, sizeof groups));
    return BENCH_OK;
}

/* Copy a text of the descriptor into a field of the experiment. */
static enum bench_status copy_text(char *to, size_t size, const char *from, const char *path,
                                   int line, const char *key)
{
    if (strlen(from) >= size)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: expected at most %zu bytes, found %zu",
                          path, line, key, size - 1, strlen(from));
    snprintf(to, size, "%s", from);
    return BENCH_OK;
}

static enum bench_status read_layout(struct reading *r)
{
    const struct ini_file *ini = &r->file[0];
    struct bench_layout *layout = &r->experiment->layout;
    const struct {
        char *text;
        size_t size;
    } field[] = {
        {layout->rows, sizeof layout->rows},        {layout->columns, sizeof layout->columns},
        {layout->value, sizeof layout->value},      {layout->beside, sizeof layout->beside},
        {layout->fit, sizeof layout->fit},          {layout->linear, sizeof layout->linear},
        {layout->best, sizeof layout->best},        {layout->over, sizeof layout->over},
        {layout->against, sizeof layout->against},  {layout->per, sizeof layout->per},
        {layout->reach, sizeof layout->reach},      {layout->unit, sizeof layout->unit},
        {layout->title, sizeof layout->title},      {layout->paper, sizeof layout->paper},
        {layout->counters, sizeof layout->counters}};

    for (int i = 0; i < ini->n_facts; i++) {
        const struct ini_fact *fact = &ini->fact[i];
        const struct entry entry = {fact->key, fact->value, ini->path, NULL, fact->line};
        const struct bench_key *key = find_key(layout_keys, fact->key);
        char where[MAX_WHERE];

        if (strcmp(fact->section, "show") != 0)
            continue;
        if (key == NULL) {
            const struct bench_key *const lists[] = {layout_keys, NULL};

            return refuse_unknown(where_of(&entry, where), "key of [show]", fact->key,
                                  bench_nearest_key(lists, fact->key));
        }
        TRY(copy_text(field[key - layout_keys].text, field[key - layout_keys].size, fact->value,
                      ini->path, fact->line, fact->key));
    }
    return BENCH_OK;
}

/* [global]'s problem and title; they leave the entries, which are about cells from here on. */
static enum bench_status read_problem(struct reading *r)
{
    const struct entry *problem = entries_find(&r->global, "problem");
    const struct entry *title = entries_find(&r->global, "title");
    struct bench_experiment *e = r->experiment;
    int n = 0;

    if (problem == NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s: [global] has no problem", r->path);
    r->problem = bench_find_problem(problem->value);
    if (r->problem == NULL) {
        char where[MAX_WHERE], known[256] = "";
        size_t length = 0;

        for (int i = 0; bench_problems[i] != NULL && length < sizeof known; i++)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                       i > 0 ? ", " : "", bench_problems[i]->name);
        return BENCH_FAIL(BENCH_EINPUT, "%s: unknown problem '%.80s'; expected one of %s",
                          where_of(problem, where), problem->value, known);
    }
    e->problem = r->problem;
    if (title != NULL)
        TRY(copy_text(e->title, sizeof e->title, title->value, title->path, title->line,
                      "title"));
    for (int i = 0; i < r->global.n; i++)
        if (strcmp(r->global.item[i].key, "problem") != 0 &&
            strcmp(r->global.item[i].key, "title") != 0)
            r->global.item[n++] = r->global.item[i];
    r->global.n = n;
    return BENCH_OK;
}

/* "experiments/rdp/fig9.ini" -> "rdp/fig9" */
static enum bench_status name_experiment(struct bench_experiment *e, const char *path)
{
    const char *file = strrchr(path, '/');
    const char *start;
    size_t n;

    if (strlen(path) >= sizeof e->path)
        return BENCH_FAIL(BENCH_EINPUT, "%s: a path has at most %zu bytes", path,
                          sizeof e->path - 1);
    snprintf(e->path, sizeof e->path, "%s", path);
    file = file != NULL ? file + 1 : path;
    start = file;
    if (file > path + 1) { /* the folder's name, unless it is "." or ".." */
        const char *folder = file - 1;

        while (folder > path && folder[-1] != '/')
            folder--;
        if (strncmp(folder, "./", 2) != 0 && strncmp(folder, "../", 3) != 0 && *folder != '/')
            start = folder;
    }
    n = strlen(start);
    if (n > 4 && strcmp(start + n - 4, ".ini") == 0)
        n -= 4;
    if (n >= sizeof e->name)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: the name of an experiment, '%.*s', has at most %zu bytes", path,
                          (int)n, start, sizeof e->name - 1);
    memcpy(e->name, start, n);
    e->name[n] = '\0';
    return BENCH_OK;
}

static enum bench_status read_all(struct reading *r, char **copies)
{
    TRY(name_experiment(r->experiment, r->path));
    TRY(check_filter(r));
    TRY(take_assignments(r, copies));
    TRY(read_file(r, r->path, NULL, 0));
    TRY(read_problem(r));
    TRY(check_entries(r, &r->global));
    TRY(check_entries(r, &r->assignments));
    TRY(read_layout(r));
    return read_groups(r);
}

enum bench_status experiment_read(const char *path, const struct bench_overrides *overrides,
                                  struct bench_experiment *experiment)
{
    struct reading *r = calloc(1, sizeof *r);
    char **copies; /* of -S texts, cut at their '=' */
    int n_copies;
    enum bench_status status;

    *experiment = (struct bench_experiment){.n_cells = 0};
    if (r == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for reading", path);
    r->path = path;
    if (overrides != NULL)
        r->overrides = *overrides;
    r->experiment = experiment;
    n_copies = r->overrides.n > 0 ? r->overrides.n : 0;
    copies = calloc((size_t)n_copies + 1, sizeof *copies);
    if (copies == NULL)
        status = BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for reading", path);
    else
        status = read_all(r, copies);

    for (int i = 0; copies != NULL && i < n_copies; i++)
        free(copies[i]);
    free(copies);
    for (int i = 0; i < r->n_files; i++)
        ini_free(&r->file[i]);
    free(r->global.item);
    free(r->assignments.item);
    free(r->group.item);
    free(r->fact);
    free(r->sections);
    free(r->impls);
    free(r);
    if (status != BENCH_OK)
        experiment_free(experiment);
    return status;
}

void experiment_free(struct bench_experiment *experiment)
{
    for (int i = 0; i < experiment->n_sections; i++)
        free(experiment->section_names[i]);
    free(experiment->section_names);
    free(experiment->cells);
    free(experiment->absent);
    *experiment = (struct bench_experiment){.n_cells = 0};
}

size_t bench_cell_text(const struct bench_cell *cell, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s ", cell->impl->name);

    n += bench_params_text(&cell->params, n < size ? text + n : NULL, n < size ? size - n : 0);
    return n + plan_text(&cell->plan, n < size ? text + n : NULL, n < size ? size - n : 0);
}
