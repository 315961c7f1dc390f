/* test_experiment.c - descriptors become configurations: limits that no list tells, many
 * sections and keys, a locale; tests/cases/experiment has the others */
#include "harness/suite/experiment.h"
#include "tests/files.h"
#include "tests/support.h"

#include <string.h>

#define HEAD "[global]\nproblem = rdp\nimpl = rdp/serial\n"

static enum bench_status read_with(const char *text, const struct bench_overrides *overrides,
                                   struct bench_experiment *e)
{
    char path[512];

    snprintf(path, sizeof path, "%s/t.ini", support_place());
    write_bytes(path, text, strlen(text));
    bench_failure_clear();
    memset(e, 0xa5, sizeof *e);
    return experiment_read(path, overrides, e);
}

static void accept(const char *text, const struct bench_overrides *overrides,
                   struct bench_experiment *e)
{
    if (read_with(text, overrides, e) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

/* Writes a configuration's samples, precision, limits, seconds at rest, frames, processes. */
static void describe(const struct bench_config *config, struct text *text)
{
    const struct bench_plan *const p = &config->plan;

    text_format(text, "%s%s: %d..%d %g %g %g %g %g %d %d", text->size ? " | " : "",
                config->section, p->min_samples, p->max_samples, p->precision, p->min_time_s,
                p->timeout_s, p->sustained_time_s, p->energy_time_s, p->max_frames, p->runs);
}

/* --quick makes them less, and what the user asks for stays. */
TEST(limits_are_read)
{
#define QUICK "height = 256-4096*4\nframes = 20"
    static const struct {
        const char *text, *expected, *assignments[3];
        bool quick;
    } cases[] = {
        {"eps = 4", "g: 30..1000 0.005 0.5 60 5 3 0 1", {NULL}, false},
        {"impl = rdp/omp-columns", "g: 30..1000 0.005 0.5 15 5 3 0 1", {NULL}, false},
        {"samples = 7\nprecision = 2.5 %\nmin_time = 0.1\ntimeout = 3\nenergy_time = 2\nruns = "
         "4",
         "g: 7..7 0.025 0.1 3 5 2 0 4",
         {NULL},
         false},
        {QUICK,
         "g: 3..3 0.005 0.02 1 0.5 1 3 1 | g: 3..3 0.005 0.02 1 0.5 1 3 1",
         {NULL},
         true},
        {"impl = rdp/cpu-simd\nframes = 20", "g: 5..15 0.005 0.02 1 0.5 1 3 1", {NULL}, true},
        /* less than the limits stays */
        {"impl = rdp/cpu-simd\nsamples = 2..4\nmin_time = 0.01\ntimeout = 0.5\nframes = 2",
         "g: 2..4 0.005 0.01 0.5 0.5 1 2 1",
         {NULL},
         true},
        {QUICK,
         "g: 100..100 0.005 0.02 1 0.5 1 50 1",
         {"height=4096", "samples=100", "frames=50"},
         true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bench_overrides overrides = {.assignments = cases[i].assignments,
                                                  .n = cases[i].assignments[0] ? 3 : 0,
                                                  .quick = cases[i].quick};
        struct text text = {0}, found = {0};
        struct bench_experiment e;

        text_format(&text, HEAD "[g]\n%s\n", cases[i].text);
        accept(text.data, &overrides, &e);
        for (int n = 0; n < e.n_configs; n++)
            describe(&e.configs[n], &found);
        assert_string_equal(found.data, cases[i].expected);
        experiment_free(&e);
        assert_null(e.configs);
        text_free(&text);
        text_free(&found);
    }
}

TEST(lines_are_cut_as_snprintf_cuts)
{
    struct bench_experiment e;
    char text[BENCH_CONFIG_TEXT], start[12];

    accept(HEAD "[g]\neps = 4\n", NULL, &e);
    assert_int_equal(bench_config_text(&e.configs[0], NULL, 0),
                     bench_config_text(&e.configs[0], text, sizeof text));
    bench_config_text(&e.configs[0], start, sizeof start);
    assert_string_equal(start, "rdp/serial ");
    experiment_free(&e);
}

/* The defaults that `depthbench list` shows are those that configurations get. */
TEST(declared_defaults_are_true)
{
    struct text text = {0}, found[2] = {{0}, {0}};
    char line[2][BENCH_CONFIG_TEXT];
    struct bench_experiment e;

    text_add(&text, "[global]\nproblem=rdp\nimpl=rdp/omp-tasks\n[g]\nheight=0\n");
    for (int k = 0; k < 2; k++) {
        accept(text.data, NULL, &e);
        assert_int_equal(e.n_configs, 1);
        describe(&e.configs[0], &found[k]);
        bench_config_text(&e.configs[0], line[k], sizeof line[k]);
        experiment_free(&e);
        for (const struct bench_key *key = bench_plan_keys; key->name; key++)
            text_format(&text, "%s = %s\n", key->name, key->default_text);
    }
    assert_string_equal(found[1].data, found[0].data);
    assert_string_equal(line[1], line[0]);
    text_free(&text);
    text_free(&found[0]);
    text_free(&found[1]);
}

/* Their order is the file's, whatever their names are, and however many there are. */
TEST(many_sections_keep_their_order)
{
    enum { N = 2000 };
    struct text text = {0};
    struct bench_experiment e;

    text_add(&text, HEAD);
    for (int i = 0; i < 2 * N; i++) /* in two pieces each */
        text_format(&text, "[s%d]\n%s = %d\n", (N - i % N) * 7 % N, i < N ? "height" : "width",
                    i % N + 1);
    accept(text.data, NULL, &e);
    assert_int_equal(e.n_configs, N);
    for (int i = 0; i < N; i++) {
        char line[BENCH_CONFIG_TEXT], name[20], expected[2][30];

        snprintf(name, sizeof name, "s%d", (N - i) * 7 % N);
        snprintf(expected[0], sizeof expected[0], ";height=%d;", i + 1);
        snprintf(expected[1], sizeof expected[1], ";width=%d ", i + 1);
        bench_config_text(&e.configs[i], line, sizeof line);
        assert_string_equal(e.configs[i].section, name);
        assert_non_null(strstr(line, expected[0]));
        assert_non_null(strstr(line, expected[1]));
    }
    experiment_free(&e);
    text_free(&text);
}

TEST(too_many_keys_are_refused)
{
    for (int in_global = 0; in_global < 2; in_global++) {
        struct text text = {0};
        struct bench_experiment e;

        text_format(&text, "[global]\nproblem = rdp\n%s",
                    in_global ? "" : "impl = rdp/serial\n[g]\n");
        for (int i = 0; i < 1000; i++)
            text_format(&text, "k%d = 1\n", i);
        assert_int_equal(read_with(text.data, NULL, &e), BENCH_EINPUT);
        assert_non_null(strstr(bench_failure(),
                               in_global
                                   ? ":258: 'k255' is one key more than the 256 that may be"
                                   : ":261: 'k256' is one key more than the 256 that may be"));
        assert_null(e.configs);
        text_free(&text);
    }
}

TEST(locale_changes_nothing)
{
    struct bench_experiment e;

    if (!support_comma_locale()) {
        print_message("skipped: no locale with a decimal comma (apt-get install locales)\n");
        skip();
    }
    accept(HEAD "[g]\neps = 0.5-1.5+0.5\nprecision = 0.5%\n", NULL, &e);
    assert_int_equal(e.n_configs, 3);
    assert_true(e.configs[0].plan.precision == 0.005);
    experiment_free(&e);
    setlocale(LC_ALL, "C");
}
