/* test_registry.c - what problems and variants declare of themselves fits together, and so do all descriptors */
#include "harness/suite/experiment.h"
#include "harness/measure/app.h"
#include "harness/measure/impl.h"
#include "harness/base/params.h"
#include "harness/measure/problem.h"
#include "harness/suite/record.h"
#include "harness/inputs/dataset.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#define COLUMN_NAME(name) #name,

/* What a descriptor or a CSV already means something else by. */
static const char *const columns[] = {RECORD_COLUMNS(COLUMN_NAME) NULL};
static const char *const descriptor_words[] = {"title", "include", "problem", "impl", NULL};

static bool is_among(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (!strcmp(*names, name))
            return true;
    return false;
}

/* ---- keys ---- */

static void check_choices(const char *owner, const struct bench_key *key)
{
    const char *at = key->choices;

    for (;;) {
        const size_t n = strcspn(at, "|");
        struct bench_params params = {.n = 0};
        char word[BENCH_MAX_VALUE];

        if (n == 0 || n >= sizeof word)
            fail_msg("%s: key '%s' has an empty or too long choice", owner, key->name);
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        if (bench_params_set(&params, key, word, "here") != BENCH_OK)
            fail_msg("%s: key '%s' refuses its own choice '%s'", owner, key->name, word);
        at += n;
        if (*at++ == '\0')
            break;
        for (const char *later = at; *later;
             later += strcspn(later, "|"), later += *later == '|')
            if (strcspn(later, "|") == n && !strncmp(later, word, n))
                fail_msg("%s: key '%s' has the choice '%s' twice", owner, key->name, word);
    }
}

static void check_range(const char *owner, const struct bench_key *key)
{
    if (!isfinite(key->min) || !isfinite(key->max) || key->min > key->max)
        fail_msg("%s: key '%s' has the range %g to %g", owner, key->name, key->min, key->max);
    if (key->kind == BENCH_INT && (key->min < INT_MIN || key->max > INT_MAX ||
                                   key->min != floor(key->min) || key->max != floor(key->max)))
        fail_msg("%s: key '%s' has bounds that are no int: %.17g to %.17g", owner, key->name,
                 key->min, key->max);
}

static void check_key(const char *owner, const struct bench_key *key)
{
    const size_t n = strlen(key->name);

    if (n == 0 || n > 31 || !islower((unsigned char)key->name[0]) ||
        strspn(key->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != n)
        fail_msg("%s: key '%s' is no name of a key", owner, key->name);
    if (!key->help || !key->help[0] || !key->unit)
        fail_msg("%s: key '%s' has no help or no unit", owner, key->name);
    if (key->kind == BENCH_WORD) {
        if (key->choices)
            check_choices(owner, key);
    } else {
        if (key->choices)
            fail_msg("%s: key '%s' is a number with choices", owner, key->name);
        check_range(owner, key);
    }
    if (key->fallback) {
        struct bench_params params = {.n = 0};

        if (bench_params_set(&params, key, key->fallback, "here") != BENCH_OK)
            fail_msg("%s: key '%s' refuses its fallback: %s", owner, key->name,
                     bench_failure());
        if (strcmp(bench_word(&params, key->name), key->fallback) != 0)
            fail_msg("%s: key '%s' has the fallback '%s', canonical is '%s'", owner, key->name,
                     key->fallback, bench_word(&params, key->name));
    }
}

static void check_keys(const char *owner, const struct bench_key *keys)
{
    for (; keys && keys->name; keys++) {
        check_key(owner, keys);
        if (bench_find_key(keys + 1, keys->name))
            fail_msg("%s: key '%s' is there twice", owner, keys->name);
    }
}

/* A key of a problem or variant is a column of its own and a word of its own in descriptors. */
static void check_own(const char *owner, const char *name)
{
    if (is_among(columns, name))
        fail_msg("%s: key '%s' is a fixed column of the CSV", owner, name);
    if (bench_find_key(bench_plan_keys, name))
        fail_msg("%s: key '%s' is one of the harness", owner, name);
    if (is_among(descriptor_words, name))
        fail_msg("%s: key '%s' means something else in descriptors", owner, name);
}

static void keys_are_complete(void **state)
{
    (void)state;
    for (int i = 0; bench_problems[i]; i++)
        check_keys(bench_problems[i]->name, bench_problems[i]->keys);
    for (int i = 0; bench_apps[i]; i++)
        check_keys(bench_apps[i]->problem->name, bench_apps[i]->keys);
    for (int i = 0; bench_impls[i]; i++)
        check_keys(bench_impls[i]->name, bench_impls[i]->keys);
}

/* Some of them are sets ("scope = kernel, frame") or ranges ("samples = 30..1000"): only their form is checked here. */
static void harness_keys_have_names_and_help(void **state)
{
    (void)state;
    for (const struct bench_key *key = bench_plan_keys; key->name; key++) {
        assert_true(strlen(key->name) <= 31);
        assert_non_null(key->help);
        assert_true(key->help[0] != '\0');
        assert_null(bench_find_key(key + 1, key->name));
        assert_false(is_among(descriptor_words, key->name));
    }
}

static void keys_take_no_other_meaning(void **state)
{
    (void)state;
    for (int i = 0; bench_problems[i]; i++)
        for (const struct bench_key *key = bench_problems[i]->keys; key && key->name; key++)
            check_own(bench_problems[i]->name, key->name);
    for (int i = 0; bench_impls[i]; i++)
        for (const struct bench_key *key = bench_impls[i]->keys; key && key->name; key++)
            check_own(bench_impls[i]->name, key->name);
}

static void one_name_is_one_kind_in_a_problem(void **state)
{
    (void)state;
    for (int i = 0; bench_impls[i]; i++)
        for (const struct bench_key *key = bench_impls[i]->keys; key && key->name; key++) {
            if (bench_find_key(bench_impls[i]->problem->keys, key->name))
                fail_msg("%s: key '%s' hides the problem's", bench_impls[i]->name, key->name);
            for (int k = i + 1; bench_impls[k]; k++) {
                const struct bench_key *other =
                    bench_impls[k]->problem == bench_impls[i]->problem
                        ? bench_find_key(bench_impls[k]->keys, key->name)
                        : NULL;

                if (other && other->kind != key->kind)
                    fail_msg("key '%s' is of another kind in %s and in %s", key->name,
                             bench_impls[i]->name, bench_impls[k]->name);
            }
        }
}

static void parameters_of_a_cell_fit(void **state)
{
    (void)state;
    for (int i = 0; bench_impls[i]; i++) {
        struct bench_params params = {.n = 0};
        int n = 0;

        for (const struct bench_key *key = bench_impls[i]->problem->keys; key && key->name;
             key++)
            n++;
        for (const struct bench_key *key = bench_impls[i]->keys; key && key->name; key++)
            n++;
        assert_true(n <= BENCH_MAX_PARAMS);
        assert_int_equal(bench_params_default(&params, bench_impls[i]->problem->keys, "here"),
                         BENCH_OK);
        if (bench_impls[i]->problem->check)
            assert_int_equal(bench_impls[i]->problem->check(&params), BENCH_OK);
    }
}

/* ---- problems and variants ---- */

static void problems_are_whole(void **state)
{
    (void)state;
    assert_non_null(bench_problems[0]);
    for (int i = 0; bench_problems[i]; i++) {
        const struct bench_problem *p = bench_problems[i];

        assert_ptr_equal(bench_find_problem(p->name), p); /* the first of its name is itself */
        assert_true(p->title && p->title[0]);
        assert_true(p->make_input && p->free_input && p->make_output && p->free_output);
        assert_true(p->input_blocks && p->output_blocks && p->n_frames);
        assert_true(p->match && p->compare);
        assert_true(!p->ingest == !p->ingest_lap);
    }
}

static void apps_are_whole(void **state)
{
    (void)state;
    for (int i = 0; bench_apps[i]; i++) {
        const struct bench_app *const app = bench_apps[i];

        assert_ptr_equal(bench_find_app(app->problem), app);
        assert_non_null(app->apply);
        for (const struct bench_key *key = app->keys; key && key->name; key++)
            assert_null(bench_find_key(app->problem->keys, key->name));
        for (const struct bench_option *o = app->options; o && o->name; o++) {
            assert_true(o->argument && o->help && o->help[0]);
            for (const struct bench_option *other = o + 1; other->name; other++)
                assert_string_not_equal(o->name, other->name);
        }
    }
}

static void variants_are_known(void **state)
{
    (void)state;
    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *impl = bench_impls[i];
        const size_t n = strlen(impl->problem->name);

        for (int k = 0; k < i; k++)
            assert_string_not_equal(impl->name, bench_impls[k]->name);
        if (strncmp(impl->name, impl->problem->name, n) != 0 || impl->name[n] != '/' ||
            !impl->name[n + 1] || strchr(impl->name + n + 1, '/'))
            fail_msg("%s is a variant of %s", impl->name, impl->problem->name);
        assert_ptr_equal(bench_find_problem(impl->problem->name), impl->problem);
        assert_ptr_equal(bench_find_impl(impl->name), impl); /* so no other has its name */
        if (!impl->source || !impl->source[0])
            fail_msg("%s has no source", impl->name);
    }
}

/* In a build without CUDA a GPU variant has no hook at all. */
static void variants_are_whole(void **state)
{
    (void)state;
    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *impl = bench_impls[i];
        const bool on_device = impl->target == BENCH_CUDA;
        const bool is_built = HAVE_CUDA || !on_device;

        assert_int_equal(bench_is_built(impl), is_built);
        if (!(impl->state_size > 0) == is_built || !impl->setup == is_built ||
            !impl->run == is_built || !impl->teardown == is_built)
            fail_msg("%s lacks a state or a hook, or has one without CUDA", impl->name);
        if (!impl->upload == (is_built && on_device) ||
            !impl->download == (is_built && on_device) ||
            !impl->poison == (is_built && on_device))
            fail_msg("%s: upload, download and poison are for GPU variants, all three",
                     impl->name);
    }
}

static void references_are_references(void **state)
{
    (void)state;
    if (bench_check_references(bench_impls) != BENCH_OK)
        fail_msg("%s", bench_failure());
    for (int i = 0; bench_problems[i]; i++)
        if (!bench_problems[i]->references || !bench_problems[i]->references[0])
            fail_msg("problem %s has no reference", bench_problems[i]->name);
    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *const impl = bench_impls[i], *reference;

        assert_int_equal(bench_reference_of(impl, &reference), BENCH_OK);
        assert_ptr_equal(reference->problem, impl->problem);
        assert_true(impl->reference ? reference != impl : reference == impl);
        assert_true(reference->target != BENCH_CUDA);
    }
}

/* A list that begins with whole variants and ends with this one: what the program says when it starts. */
static void refused(const char *problem, const char *name, const char *reference,
                    const char *sentence)
{
    const struct bench_impl impl = {
        .name = name, .problem = bench_find_problem(problem), .reference = reference};
    const struct bench_impl *const impls[] = {bench_impls[0], bench_impls[1], &impl, NULL};

    assert_non_null(impl.problem);
    bench_failure_clear();
    assert_int_equal(bench_check_references(impls), BENCH_EINPUT);
    assert_string_equal(bench_failure(), sentence);
}

static void missing_and_misspelt_references_are_refused(void **state)
{
    (void)state;
    refused(
        "rdp", "rdp/early", NULL,
        "rdp/early: expected .reference = \"rdp/serial\", found none: a variant cannot verify "
        "itself");
    refused(
        "rdp", "rdp/early", "rdp/seriall",
        "rdp/early: expected .reference = \"rdp/serial\", found \"rdp/seriall\"; did you mean "
        "\"rdp/serial\"?");
    refused("rdp", "rdp/early", "rdp/early",
            "rdp/early: expected .reference = \"rdp/serial\", found \"rdp/early\"");
    refused("rdp", "rdp/early", "som/rounds",
            "rdp/early: expected .reference = \"rdp/serial\", found \"som/rounds\"");
    refused("som", "som/early", "som/round",
            "som/early: expected .reference = \"som/rounds\" or \"som/serial\" or "
            "\"som/grid\", found \"som/round\"; did you mean \"som/rounds\"?");
    refused(
        "stixels", "stixels/early", "",
        "stixels/early: expected .reference = \"stixels/serial\" or \"stixels/cubic-serial\", "
        "found \"\"");
    refused(
        "rdp", "rdp/serial", "rdp/omp-columns",
        "rdp/serial: expected .reference = NULL, since it is a reference of problem rdp, found "
        "\"rdp/omp-columns\"");
}

/* ---- descriptors ---- */

/* "experiments/rdp/fig9.ini" -> "rdp/fig9" or, with 'parts' 1, "fig9" */
static void name_of(const char *path, int parts, char *name, size_t size)
{
    const char *from = path + strlen(path);

    while (from > path && parts > 0)
        if (*--from == '/')
            parts--;
    from += *from == '/';
    snprintf(name, size, "%.*s", (int)(strlen(from) - strlen(".ini")), from);
}

static void check_cells(const struct bench_experiment *e)
{
    for (int i = 0; i < e->n_cells; i++) {
        char path[128];
        struct dataset dataset;

        snprintf(path, sizeof path, "experiments/inputs/%s.ini", e->cells[i].plan.input);
        if (i > 0 && !strcmp(e->cells[i].plan.input, e->cells[i - 1].plan.input))
            continue;
        if (dataset_read(path, &dataset) != BENCH_OK)
            fail_msg("%s:%d: %s", e->path, e->cells[i].line, bench_failure());
    }
    for (int i = 0; i < e->n_cells && e->problem->check; i++)
        if (e->problem->check(&e->cells[i].params) != BENCH_OK)
            fail_msg("%s:%d: %s", e->path, e->cells[i].line, bench_failure());
}

static void experiments_are_read(void **state)
{
    glob_t found;
    int n = 0;

    (void)state;
    assert_int_equal(glob("experiments/*/*.ini", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        for (int quick = 0; quick < 2; quick++) {
            const char *path = found.gl_pathv[i];
            const struct bench_overrides overrides = {.quick = quick != 0, .with_absent = true};
            struct bench_experiment e;
            char name[128];

            if (!strncmp(path, "experiments/inputs/", strlen("experiments/inputs/")) ||
                !strncmp(path, "experiments/claims/", strlen("experiments/claims/")) ||
                strstr(path, "/figures.ini") != NULL)
                continue;
            bench_failure_clear();
            if (experiment_read(path, &overrides, &e) != BENCH_OK)
                fail_msg("%s: %s", path, bench_failure());
            name_of(path, 2, name, sizeof name);
            assert_string_equal(e.name, name);
            /* its folder is its paper's, and a paper has one problem; a figure that compares with another has a
             * second descriptor, which ends in that problem's name */
            if (strstr(name, "-stixels") != NULL)
                assert_string_equal(e.problem->name, "stixels");
            else if (strncmp(name, "rdp/", 4) == 0)
                assert_string_equal(e.problem->name, "rdp");
            else if (strncmp(name, "stixels/", 4) == 0)
                assert_string_equal(e.problem->name, "stixels");
            else if (strncmp(name, "som/", 4) == 0)
                assert_string_equal(e.problem->name, "som");
            else if (strncmp(name, "probe/", 6) == 0)
                assert_string_equal(e.problem->name, "probe");
            else
                fail_msg("%s: no paper is called so", path);
            if (e.n_cells == 0)
                fail_msg("%s: no cells%s", path, quick ? " in the quick profile" : "");
            check_cells(&e);
            experiment_free(&e);
            n++;
        }
    globfree(&found);
    assert_true(n > 0);
}

static void inputs_are_read(void **state)
{
    glob_t found;

    (void)state;
    assert_int_equal(glob("experiments/inputs/*.ini", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct dataset dataset;
        char name[128];

        if (dataset_read(found.gl_pathv[i], &dataset) != BENCH_OK)
            fail_msg("%s: %s", found.gl_pathv[i], bench_failure());
        name_of(found.gl_pathv[i], 1, name, sizeof name);
        assert_string_equal(dataset.name, name);
        if (!dataset.source[0])
            fail_msg("%s: no source", found.gl_pathv[i]);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_complete),
        cmocka_unit_test(harness_keys_have_names_and_help),
        cmocka_unit_test(keys_take_no_other_meaning),
        cmocka_unit_test(one_name_is_one_kind_in_a_problem),
        cmocka_unit_test(parameters_of_a_cell_fit),
        cmocka_unit_test(problems_are_whole),
        cmocka_unit_test(apps_are_whole),
        cmocka_unit_test(variants_are_known),
        cmocka_unit_test(variants_are_whole),
        cmocka_unit_test(references_are_references),
        cmocka_unit_test(missing_and_misspelt_references_are_refused),
        cmocka_unit_test(experiments_are_read),
        cmocka_unit_test(inputs_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
