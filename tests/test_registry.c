/* test_registry.c - declarations of problems and variants fit together, and all descriptors */
#include "harness/problems/rdp/rdp.h"
#include "harness/suite/experiment.h"
#include "harness/measure/app.h"
#include "harness/base/params.h"
#include "harness/suite/record.h"
#include "harness/inputs/dataset.h"
#include "tests/drive.h"
#include "tests/session.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#define COLUMN_NAME(name) #name,

/* Words that already have a meaning in descriptors or CSV files. */
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

static void require(bool good, const char *owner, const struct bench_key *key, const char *is)
{
    if (!good)
        fail_msg("%s: key '%s' %s", owner, key->name, is);
}

static void check_choices(const char *owner, const struct bench_key *key)
{
    char word[BENCH_MAX_VALUE + 1], other[BENCH_MAX_VALUE + 1];
    const int n = choice(key->choices, 0, word, sizeof word);

    for (int k = 0; k < n; k++) {
        struct bench_params params = {.n = 0};

        choice(key->choices, k, word, sizeof word);
        require(word[0] && strlen(word) < BENCH_MAX_VALUE, owner, key,
                "has an empty or too long choice");
        require(bench_params_set(&params, key, word, "here") == BENCH_OK, owner, key,
                bench_failure());
        for (int i = 0; i < k; i++) {
            choice(key->choices, i, other, sizeof other);
            require(strcmp(word, other) != 0, owner, key, "has a choice twice");
        }
    }
}

static void check_key(const char *owner, const struct bench_key *key)
{
    const size_t n = strlen(key->name);
    struct bench_params params = {.n = 0};

    require(n > 0 && n <= 31 && islower((unsigned char)key->name[0]) &&
                strspn(key->name, "abcdefghijklmnopqrstuvwxyz0123456789_") == n,
            owner, key, "is no name of a key");
    require(key->help && key->help[0] && key->unit, owner, key, "has no help or no unit");
    if (key->kind != BENCH_CHOICE) {
        require(isfinite(key->min) && isfinite(key->max) && key->min <= key->max, owner, key,
                "has no range");
        require(!key->choices, owner, key, "is a number with choices");
    }
    if (key->kind == BENCH_INT)
        require(key->min >= INT_MIN && key->max <= INT_MAX && key->min == floor(key->min) &&
                    key->max == floor(key->max),
                owner, key, "has bounds that are no int");
    if (key->choices)
        check_choices(owner, key);
    if (!key->default_text)
        return;
    require(bench_params_set(&params, key, key->default_text, "here") == BENCH_OK, owner, key,
            bench_failure());
    require(!strcmp(bench_word(&params, key->name), key->default_text), owner, key,
            "has a default that is not canonical");
}

static void check_keys(const char *owner, const struct bench_key *keys, bool is_own)
{
    for (const struct bench_key *key = keys; key && key->name; key++) {
        check_key(owner, key);
        require(!bench_find_key(key + 1, key->name), owner, key, "is there twice");
        if (!is_own)
            continue;
        /* a key of a problem or variant is a column and a word of its own */
        require(!is_among(columns, key->name), owner, key, "is a fixed column of the CSV");
        require(!bench_find_key(bench_plan_keys, key->name), owner, key,
                "is one of the harness");
        require(!is_among(descriptor_words, key->name), owner, key,
                "means something else in descriptors");
    }
}

TEST(keys_are_complete)
{
    for (int i = 0; bench_problems[i]; i++)
        check_keys(bench_problems[i]->name, bench_problems[i]->keys, true);
    for (int i = 0; bench_apps()[i]; i++)
        check_keys(bench_apps()[i]->problem->name, bench_apps()[i]->keys, false);
    for (int i = 0; bench_impls[i]; i++)
        check_keys(bench_impls[i]->name, bench_impls[i]->keys, true);
    /* some of the harness's are sets ("kernel, end_to_end") or ranges ("30..1000") */
    for (const struct bench_key *key = bench_plan_keys; key->name; key++) {
        assert_true(strlen(key->name) <= 31 && key->help && key->help[0]);
        assert_null(bench_find_key(key + 1, key->name));
        assert_false(is_among(descriptor_words, key->name));
    }
}

TEST(one_name_is_one_kind_in_a_problem)
{
    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *const impl = bench_impls[i];

        for (const struct bench_key *key = impl->keys; key && key->name; key++) {
            require(!bench_find_key(impl->problem->keys, key->name), impl->name, key,
                    "hides the problem's");
            for (int k = 0; bench_impls[k]; k++) {
                const struct bench_key *const other =
                    bench_find_key(bench_impls[k]->keys, key->name);

                require(bench_impls[k]->problem != impl->problem || !other ||
                            other->kind == key->kind,
                        impl->name, key, "is of another kind in another variant");
            }
        }
    }
}

/* ---- problems and variants ---- */

TEST(problems_are_whole)
{
    assert_non_null(bench_problems[0]);
    for (int i = 0; bench_problems[i]; i++) {
        const struct bench_problem *p = bench_problems[i];

        assert_ptr_equal(bench_find_problem(p->name), p); /* the first of its name is itself */
        assert_true(p->title && p->title[0]);
        assert_true(p->make_input && p->free_input && p->make_output && p->free_output);
        assert_true(p->input_blocks && p->output_blocks && p->n_frames);
        assert_true(p->match && p->compare && p->references && p->references[0]);
        assert_true(p->compare_other || !p->other_unit);
        assert_true(!p->ingest == !p->ingest_stage);
    }
}

TEST(apps_are_whole)
{
    for (int i = 0; bench_apps()[i]; i++) {
        const struct bench_app *const app = bench_apps()[i];

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

/* Without CUDA a GPU variant has no hook at all, nor has one without its library; upload,
 * download and poison are for GPU variants, all three; upload_rest if there are scores. */
TEST(variants_are_whole)
{
    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *impl = bench_impls[i];
        const size_t n = strlen(impl->problem->name);
        const bool is_built =
            impl->needs ? bench_is_built(impl) : HAVE_CUDA || impl->target != BENCH_CUDA;
        const bool is_moved = HAVE_CUDA && impl->target == BENCH_CUDA;

        if (strncmp(impl->name, impl->problem->name, n) != 0 || impl->name[n] != '/' ||
            !impl->name[n + 1] || strchr(impl->name + n + 1, '/') || !impl->source ||
            !impl->source[0])
            fail_msg("%s: no name of a variant of %s, or no source", impl->name,
                     impl->problem->name);
        assert_ptr_equal(bench_find_problem(impl->problem->name), impl->problem);
        assert_ptr_equal(bench_find_impl(impl->name), impl); /* so no other has its name */
        assert_int_equal(bench_is_built(impl), is_built);
        if (!(impl->state_size > 0) == is_built || !impl->setup == is_built ||
            !impl->run == is_built || !impl->teardown == is_built ||
            !impl->upload == is_moved || !impl->download == is_moved ||
            !impl->poison == is_moved ||
            !impl->upload_rest == (is_moved && impl->problem->has_scores))
            fail_msg("%s lacks a state or a hook, or has one that it must not have",
                     impl->name);
    }
}

TEST(references_are_references)
{
    if (bench_check_references(bench_impls) != BENCH_OK)
        fail_msg("%s", bench_failure());
    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *const impl = bench_impls[i], *reference;

        assert_int_equal(bench_reference_of(impl, &reference), BENCH_OK);
        assert_ptr_equal(reference->problem, impl->problem);
        assert_true(impl->reference ? reference != impl : reference == impl);
        assert_true(reference->target != BENCH_CUDA);
    }
}

/* "NAME REFERENCE RULE", '-' where there is none, behind whole variants: the program's first
 * words, "" if it is taken.  A problem named plain, like RDP, cannot compare other rules. */
static void check_reference(const char *text, const char *sentence)
{
    struct bench_problem plain = rdp_problem;
    char name[40], reference[40], rule[40], problem[40];
    struct bench_impl impl = {.name = name, .problem = &plain};
    const struct bench_impl *const impls[] = {bench_impls[0], bench_impls[1], &impl, NULL};

    plain.compare_other = NULL;
    assert_int_equal(sscanf(text, "%39s %39s %39s", name, reference, rule), 3);
    snprintf(problem, sizeof problem, "%.*s", (int)strcspn(name, "/"), name);
    if (strcmp(problem, "plain") != 0)
        impl.problem = bench_find_problem(problem);
    impl.reference = !strcmp(reference, "-") ? NULL : strcmp(reference, "''") ? reference : "";
    impl.other = strcmp(rule, "-") ? rule : NULL;
    bench_failure_clear();
    assert_int_equal(bench_check_references(impls), *sentence ? BENCH_EINPUT : BENCH_OK);
    assert_string_equal(bench_failure(), sentence);
}

TEST(missing_and_misspelt_references_are_refused)
{
    each_case("tests/damaged.cases", "references", check_reference);
}

/* ---- descriptors ---- */

static void check_configs(const struct bench_experiment *e)
{
    const char *input = "";
    struct dataset dataset;
    char path[128];

    for (int i = 0; i < e->n_configs; i++) {
        const struct bench_config *const config = &e->configs[i];

        snprintf(path, sizeof path, "experiments/inputs/%s.ini", config->plan.input);
        if ((strcmp(config->plan.input, input) != 0 &&
             dataset_read(path, &dataset) != BENCH_OK) ||
            (e->problem->check && e->problem->check(&config->params) != BENCH_OK))
            fail_msg("%s:%d: %s", e->path, config->line, bench_failure());
        input = config->plan.input;
    }
}

/* A descriptor's folder is its problem's, or it measures the machine; for another problem there
 * is a second one, which ends in '-' and that name.  Scaling begins with RDP.  A pair's is the
 * chain to what the descriptor is named. */
static void check_problem(const struct bench_experiment *e)
{
    const size_t n = strlen(e->name), n_problem = strlen(e->problem->name);
    char folder[48];

    snprintf(folder, sizeof folder, "%.*s", (int)strcspn(e->name, "/"), e->name);
    if (strcmp(folder, "pair") == 0)
        snprintf(folder, sizeof folder, "pair-%s", e->name + strlen("pair/"));
    if (strcmp(folder, "scale") == 0)
        snprintf(folder, sizeof folder, "rdp");
    if (n > n_problem && strcmp(e->name + n - n_problem, e->problem->name) == 0)
        assert_int_equal(e->name[n - n_problem - 1], '-');
    else if (strcmp(e->problem->name, "probe") != 0)
        assert_string_equal(e->problem->name, folder);
}

TEST(experiments_are_read)
{
    glob_t found;
    int n = 0;

    assert_int_equal(glob("experiments/*/*.ini", 0, NULL, &found), 0);
    for (size_t i = 0; i < 2 * found.gl_pathc; i++) {
        const char *const path = found.gl_pathv[i / 2];
        const struct bench_overrides overrides = {.quick = i % 2, .with_absent = true};
        const size_t above = strlen("experiments/");
        struct bench_experiment e;

        if (strstr(path, "/inputs/") || strstr(path, "/claims/") || strstr(path, "/peers/") ||
            strstr(path, "/figures.ini"))
            continue;
        bench_failure_clear();
        if (experiment_read(path, &overrides, &e) != BENCH_OK)
            fail_msg("%s: %s", path, bench_failure());
        assert_int_equal(strlen(e.name), strlen(path) - above - strlen(".ini"));
        assert_memory_equal(e.name, path + above, strlen(e.name));
        check_problem(&e);
        assert_true(e.title[0] != '\0');
        if (e.n_configs == 0)
            fail_msg("%s: no configurations%s", path,
                     overrides.quick ? " in the quick protocol" : "");
        check_configs(&e);
        experiment_free(&e);
        n++;
    }
    globfree(&found);
    assert_true(n >= 2 * 18);
}

TEST(inputs_are_read)
{
    glob_t found;

    assert_int_equal(glob("experiments/inputs/*.ini", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct dataset dataset;
        char path[128];

        if (dataset_read(found.gl_pathv[i], &dataset) != BENCH_OK)
            fail_msg("%s: %s", found.gl_pathv[i], bench_failure());
        snprintf(path, sizeof path, "experiments/inputs/%s.ini", dataset.name);
        assert_string_equal(path, found.gl_pathv[i]);
        if (!dataset.source[0])
            fail_msg("%s: no source", found.gl_pathv[i]);
    }
    globfree(&found);
}
