/* test_experiment.c - descriptors become the cells that they say, or one sentence that says why not */
#include "harness/suite/experiment.h"
#include "tests/support.h"

#include <glob.h>
#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <setjmp.h>
#include <cmocka.h>

#define HEAD "[global]\nproblem = rdp\nimpl = rdp/serial\n"

/* A path below the tests' folder: .../exp/NAME. */
static const char *scratch(const char *name)
{
    static char path[512];
    const char *folder = getenv("TEST_TMP");

    if (folder == NULL) {
        mkdir("build", 0777);
        folder = "build/test-tmp";
    }
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/exp", folder);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/exp/common", folder);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/exp/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(scratch(name), "wb");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static enum bench_status read_with(const char *text, const struct bench_overrides *overrides,
                                   struct bench_experiment *e)
{
    write_file("t.ini", text);
    bench_failure_clear();
    memset(e, 0xa5, sizeof *e);
    return experiment_read(scratch("t.ini"), overrides, e);
}

static enum bench_status read_text(const char *text, struct bench_experiment *e)
{
    return read_with(text, NULL, e);
}

static void accept(const char *text, const struct bench_overrides *overrides,
                   struct bench_experiment *e)
{
    if (read_with(text, overrides, e) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

/* The sentence must be "PATH" and 'rest'. */
static void check_refused(const char *text, const char *rest)
{
    struct bench_experiment e;
    char sentence[1200];

    assert_int_equal(read_text(text, &e), BENCH_EINPUT);
    snprintf(sentence, sizeof sentence, "%s%s", scratch("t.ini"), rest);
    assert_string_equal(bench_failure(), sentence);
    assert_null(e.cells);
    assert_int_equal(e.n_cells, 0);
}

static void check_group_refused(const char *line, const char *rest)
{
    char text[4096];

    snprintf(text, sizeof text, HEAD "[g]\n%s\n", line);
    check_refused(text, rest);
}

/* The cells' lines, joined by newlines, must be 'expected'. */
static void check_cells_with(const char *text, const struct bench_overrides *overrides,
                             const char *expected)
{
    struct bench_experiment e;
    char all[8192];
    size_t length = 0;

    accept(text, overrides, &e);
    all[0] = '\0';
    for (int i = 0; i < e.n_cells; i++) {
        char line[512];

        assert_true(bench_cell_text(&e.cells[i], line, sizeof line) < sizeof line);
        length += (size_t)snprintf(all + length, sizeof all - length, "%s\n", line);
        assert_true(length < sizeof all);
    }
    assert_string_equal(all, expected);
    experiment_free(&e);
}

static void check_cells(const char *text, const char *expected)
{
    check_cells_with(text, NULL, expected);
}

/* The values of a key over all cells of 'line' in a group, joined by blanks. */
static void check_axis(const char *line, const char *key, const char *expected)
{
    struct bench_experiment e;
    char text[4096], all[8192] = "";
    size_t length = 0;

    snprintf(text, sizeof text, HEAD "[g]\n%s\n", line);
    accept(text, NULL, &e);
    for (int i = 0; i < e.n_cells; i++) {
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? " " : "",
                                   bench_word(&e.cells[i].params, key));
        assert_true(length < sizeof all);
    }
    assert_string_equal(all, expected);
    experiment_free(&e);
}

static bool has_gpu(void)
{
    return bench_is_built(bench_find_impl("rdp/gpu-paper"));
}

static void defaults_are_as_documented(void **state)
{
    struct bench_experiment e;
    const struct bench_plan *plan;
    static const char *const layout[BENCH_LAYOUT_KEYS] = {
        "impl", "mode", "mean_ms, fps", "n",     "height",    "", "", "", "",
        "",     "",     "ms",           "Times", "rdp-table1"};
    (void)state;

    accept("[global]\nproblem = rdp\ntitle = Time against height\n[fig9]\n"
           "impl = rdp/serial, rdp/omp-columns\n[show]\nrows = impl\ncolumns = mode\n"
           "value = mean_ms, fps\nbeside = n\nfit = height\nunit = ms\ntitle = Times\n"
           "paper = rdp-table1\n",
           NULL, &e);
    assert_string_equal(e.name, "exp/t");
    assert_string_equal(e.path, scratch("t.ini"));
    assert_string_equal(e.title, "Time against height");
    assert_ptr_equal(e.problem, bench_find_problem("rdp"));
    for (int i = 0; i < BENCH_LAYOUT_KEYS; i++)
        assert_string_equal(e.layout.text[i], layout[i] ? layout[i] : "");
    assert_string_equal(bench_layout_text(&e.layout, "title"), "Times");
    assert_int_equal(e.n_cells, 2);
    assert_int_equal(e.n_absent, 0);
    assert_int_equal(e.n_sections, 1);
    assert_string_equal(e.cells[0].section, "fig9");
    assert_ptr_equal(e.cells[0].section, e.section_names[0]);
    assert_string_equal(e.cells[0].impl->name, "rdp/serial");
    assert_string_equal(e.cells[1].impl->name, "rdp/omp-columns");
    assert_int_equal(e.cells[0].line, 5);
    plan = &e.cells[0].plan;
    assert_string_equal(plan->input, "scene");
    assert_string_equal(plan->mode, "any");
    assert_int_equal(plan->which, BENCH_CASE_ALL);
    assert_int_equal(plan->batch, 1);
    assert_int_equal(plan->threads, 0);
    assert_int_equal(plan->series, 1u << BENCH_FRAMES);
    assert_int_equal(plan->scopes, 1u << BENCH_KERNEL);
    assert_false(plan->laps);
    assert_false(plan->lock_clocks);
    assert_false(plan->energy);
    assert_true(plan->energy_time_s == 3);
    assert_int_equal(plan->transfer, BENCH_COPY);
    assert_true(plan->values);
    assert_true(plan->times);
    assert_int_equal(plan->min_samples, 30);
    assert_int_equal(plan->max_samples, 1000);
    assert_true(plan->precision == 0.005);
    assert_true(plan->min_time_s == 0.5);
    assert_true(plan->timeout_s == 60);
    assert_int_equal(plan->max_frames, 0);
    assert_true(e.cells[1].plan.timeout_s == 15);
    /* every key of the problem and of the variant, none of other variants */
    assert_true(bench_has(&e.cells[0].params, "median"));
    assert_false(bench_has(&e.cells[0].params, "chunk"));
    assert_true(bench_has(&e.cells[1].params, "chunk"));
    experiment_free(&e);
    assert_null(e.cells);
}

/* The fallbacks that `depthbench list` shows are those that cells get. */
static void declared_fallbacks_are_the_defaults(void **state)
{
    char text[1024];
    size_t length;
    struct bench_experiment silent, spoken;
    (void)state;

    length =
        (size_t)snprintf(text, sizeof text, "[global]\nproblem=rdp\nimpl=rdp/omp-tasks\n[g]\n");
    for (const struct bench_key *key = bench_plan_keys; key->name != NULL; key++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s = %s\n", key->name,
                                   key->fallback);
    accept(text, NULL, &spoken);
    accept("[global]\nproblem=rdp\nimpl=rdp/omp-tasks\n[g]\nheight=0\n", NULL, &silent);
    assert_int_equal(spoken.n_cells, 1);
    assert_int_equal(silent.n_cells, 1);
    {
        const struct bench_plan *a = &spoken.cells[0].plan, *b = &silent.cells[0].plan;

        assert_string_equal(a->input, b->input);
        assert_string_equal(a->mode, b->mode);
        assert_true(a->which == b->which && a->batch == b->batch && a->threads == b->threads);
        assert_true(a->series == b->series && a->scopes == b->scopes);
        assert_true(a->laps == b->laps && a->values == b->values && a->times == b->times);
        assert_true(a->min_samples == b->min_samples && a->max_samples == b->max_samples);
        assert_true(a->precision == b->precision && a->min_time_s == b->min_time_s);
        assert_true(a->timeout_s == b->timeout_s && a->max_frames == b->max_frames);
    }
    experiment_free(&spoken);
    experiment_free(&silent);
}

static void axes_multiply_in_file_order(void **state)
{
    (void)state;
    /* impl first, wherever it stands; [global] before the section; the last runs fastest */
    check_cells("[global]\nproblem = rdp\neps = 4, 8\n[g]\nheight = 256, 512\n"
                "impl = rdp/serial, rdp/cpu-simd\ncase = all, worst\n",
                "rdp/serial distance=vertical;eps=4;height=256;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n"
                "rdp/serial distance=vertical;eps=4;height=256;median=0;resample=linear;width=0"
                " input=scene case=worst series=hot scope=kernel\n"
                "rdp/serial distance=vertical;eps=4;height=512;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n"
                "rdp/serial distance=vertical;eps=4;height=512;median=0;resample=linear;width=0"
                " input=scene case=worst series=hot scope=kernel\n"
                "rdp/serial distance=vertical;eps=8;height=256;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n"
                "rdp/serial distance=vertical;eps=8;height=256;median=0;resample=linear;width=0"
                " input=scene case=worst series=hot scope=kernel\n"
                "rdp/serial distance=vertical;eps=8;height=512;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n"
                "rdp/serial distance=vertical;eps=8;height=512;median=0;resample=linear;width=0"
                " input=scene case=worst series=hot scope=kernel\n"
                "rdp/cpu-simd "
                "chunk=8;distance=vertical;eps=4;height=256;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n"
                "rdp/cpu-simd "
                "chunk=8;distance=vertical;eps=4;height=256;median=0;resample=linear;width=0"
                " input=scene case=worst series=hot scope=kernel\n"
                "rdp/cpu-simd "
                "chunk=8;distance=vertical;eps=4;height=512;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n"
                "rdp/cpu-simd "
                "chunk=8;distance=vertical;eps=4;height=512;median=0;resample=linear;width=0"
                " input=scene case=worst series=hot scope=kernel\n"
                "rdp/cpu-simd "
                "chunk=8;distance=vertical;eps=8;height=256;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n"
                "rdp/cpu-simd "
                "chunk=8;distance=vertical;eps=8;height=256;median=0;resample=linear;width=0"
                " input=scene case=worst series=hot scope=kernel\n"
                "rdp/cpu-simd "
                "chunk=8;distance=vertical;eps=8;height=512;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n"
                "rdp/cpu-simd "
                "chunk=8;distance=vertical;eps=8;height=512;median=0;resample=linear;width=0"
                " input=scene case=worst series=hot scope=kernel\n");
}

static void sections_override_global_where_they_stand(void **state)
{
    (void)state;
    /* eps is overridden, so it stands behind height now */
    check_axis("height = 1, 2\neps = 5, 6\nmedian = 0", "eps", "5 6 5 6");
    {
        struct bench_experiment e;

        accept("[global]\nproblem = rdp\nimpl = rdp/serial\neps = 4, 8\n[a]\nheight = 1, 2\n"
               "eps = 5, 6\n[b]\nheight = 3, 4\n",
               NULL, &e);
        assert_int_equal(e.n_cells, 8);
        assert_int_equal(e.n_sections, 2);
        assert_string_equal(bench_word(&e.cells[1].params, "eps"), "6"); /* eps runs fastest */
        assert_int_equal(bench_int(&e.cells[1].params, "height"), 1);
        assert_string_equal(e.cells[5].section, "b");
        assert_string_equal(bench_word(&e.cells[5].params, "eps"), "4"); /* height does */
        assert_int_equal(bench_int(&e.cells[5].params, "height"), 4);
        experiment_free(&e);
    }
}

static void a_section_may_come_in_pieces(void **state)
{
    struct bench_experiment e;
    (void)state;

    accept(HEAD "[a]\nheight = 1, 2\n[b]\nheight = 3\n[a]\neps = 5, 6\n", NULL, &e);
    assert_int_equal(e.n_sections, 2);
    assert_int_equal(e.n_cells, 5);
    assert_string_equal(e.cells[4].section, "b");
    experiment_free(&e);
}

/* Their order is the file's, whatever their names are, and however many there are. */
static void sections_keep_their_order(void **state)
{
    enum { N = 2000 };
    static char text[N * 48];
    size_t n = (size_t)snprintf(text, sizeof text, HEAD);
    struct bench_experiment e;
    (void)state;

    for (int i = 0; i < 2 * N; i++) /* in two pieces each */
        n += (size_t)snprintf(text + n, sizeof text - n, "[s%d]\n%s = %d\n",
                              (N - i % N) * 7 % N, i < N ? "height" : "width", i % N + 1);
    assert_true(n < sizeof text);
    accept(text, NULL, &e);
    assert_int_equal(e.n_sections, N);
    assert_int_equal(e.n_cells, N);
    for (int i = 0; i < N; i++) {
        char name[16];

        snprintf(name, sizeof name, "s%d", (N - i) * 7 % N);
        assert_string_equal(e.cells[i].section, name);
        assert_int_equal(bench_int(&e.cells[i].params, "height"), i + 1);
        assert_int_equal(bench_int(&e.cells[i].params, "width"), i + 1);
    }
    experiment_free(&e);
}

static void too_many_keys_are_refused(void **state)
{
    static char text[20000];
    (void)state;

    for (int in_global = 0; in_global < 2; in_global++) {
        size_t n = (size_t)snprintf(text, sizeof text, "[global]\nproblem = rdp\n%s",
                                    in_global ? "" : "impl = rdp/serial\n[g]\n");

        for (int i = 0; i < 1000; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "k%d = 1\n", i);
        check_refused(text, in_global
                                ? ":258: 'k255' is one key more than the 256 that may be"
                                : ":260: 'k255' is one key more than the 256 that may be");
    }
}

static void lists_and_ranges_expand(void **state)
{
    (void)state;
    check_axis("height = 256, 512,1024", "height", "256 512 1024");
    check_axis("height = 256-1024*2", "height", "256 512 1024");
    check_axis("height = 256-1024+256", "height", "256 512 768 1024");
    check_axis("height = 256-1000+256", "height", "256 512 768");
    check_axis("height = 1-100*3", "height", "1 3 9 27 81");
    check_axis("height = 7-7+1, 9-9*2", "height", "7 9");
    check_axis("height = 3,\n  1-2+1,\n  16384", "height", "3 1 2 16384");
    check_axis("eps = 0.5-2+0.1", "eps",
               "0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2");
    check_axis("eps = 0.25-8*2", "eps", "0.25 0.5 1 2 4 8");
    check_axis("eps = 1e-1", "eps", "0.1");
    check_axis("eps = 1e0-3e0+1e0", "eps", "1 2 3");
}

static void equal_values_make_one_cell(void **state)
{
    (void)state;
    check_axis("eps = 4, 4.0, +4, 8, 04, 1-8*2", "eps", "4 8 1 2");
    check_cells("[global]\nproblem = rdp\n[g]\nimpl = rdp/serial, rdp/s*, rdp/serial\n",
                "rdp/serial distance=vertical;eps=4;height=0;median=0;resample=linear;width=0"
                " input=scene case=all series=frames scope=kernel\n");
}

static void bad_ranges_are_refused(void **state)
{
    (void)state;
    check_group_refused(
        "height = 256-1024",
        ":5: height: range '256-1024' has no step: write 256-1024+STEP or *FACTOR");
    check_group_refused("height = 256-1024+0",
                        ":5: height: range '256-1024+0' does not end: its "
                        "step must be greater than 0");
    check_group_refused("height = 256-1024+-8",
                        ":5: height: range '256-1024+-8' does not end: its "
                        "step must be greater than 0");
    check_group_refused(
        "height = 256-1024*1",
        ":5: height: range '256-1024*1' does not end: it needs a factor greater "
        "than 1 and a first value greater than 0");
    check_group_refused("height = 0-1024*2",
                        ":5: height: range '0-1024*2' does not end: it needs a factor greater "
                        "than 1 and a first value greater than 0");
    check_group_refused("height = 1024-256*2",
                        ":5: height: range '1024-256*2' begins above its end");
    check_group_refused("height = 256-*2",
                        ":5: height: expected FIRST-LAST+STEP or FIRST-LAST*FACTOR, found "
                        "'256-*2'");
    check_group_refused("height = 256-1024*",
                        ":5: height: expected a number after '*', found '256-1024*'");
    check_group_refused("height = 256-1024*2x",
                        ":5: height: expected a number after '*', found '256-1024*2x'");
    check_group_refused("eps = 0-256+0.0000001",
                        ":5: eps: range '0-256+0.0000001' has more than 1000 values");
    check_group_refused("eps = 1-1e300+1",
                        ":5: eps: range '1-1e300+1' has more than 1000 values");
    check_group_refused("eps = -1e308-1e308+1e-308",
                        ":5: eps: range '-1e308-1e308+1e-308' has more than 1000 values");
    check_group_refused("eps = 1-200*1.0000001",
                        ":5: eps: range '1-200*1.0000001' has more than 1000 values");
    check_group_refused("height = 1-4+0.5",
                        ":5: height: expected a whole number from 0 to 16384 px, found '1.5'");
    check_group_refused(
        "height = 8192-32768*2",
        ":5: height: expected a whole number from 0 to 16384 px, found '32768'");
}

static void bad_lists_are_refused(void **state)
{
    (void)state;
    check_group_refused("eps =", ":5: eps: expected a value, found an empty one");
    check_group_refused("eps = 4,", ":5: eps: expected a value, found an empty one");
    check_group_refused("eps = 4,,8", ":5: eps: expected a value, found an empty one");
    check_group_refused("series =", ":5: series: expected a value, found an empty one");
    check_group_refused("samples =", ":5: samples: expected a value, found an empty one");
    check_group_refused("impl = ,", ":5: impl: expected a value, found an empty one");
    check_group_refused("laps = 0, 1", ":5: laps takes one value, found the list '0, 1'");
    check_group_refused("timeout = 1, 2", ":5: timeout takes one value, found the list '1, 2'");
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    check_group_refused("height = x",
                        ":5: height: expected a whole number from 0 to 16384 px, found 'x'");
    check_group_refused(
        "height = 0x100",
        ":5: height: expected a whole number from 0 to 16384 px, found '0x100'");
    check_group_refused("distance = euclid",
                        ":5: distance: expected one of vertical|perpendicular, found 'euclid'");
    check_group_refused("case = mean",
                        ":5: case: expected one of all|typical|best|worst, found 'mean'");
    check_group_refused("series = warm",
                        ":5: series: expected one of cold|hot|frames|sustained, found 'warm'");
    check_group_refused("scope = kernel, frames",
                        ":5: scope: expected one of kernel|device|frame, found 'frames'");
    check_group_refused("batch = 0",
                        ":5: batch: expected a whole number from 1 to 4096 frames, found '0'");
    check_group_refused("laps = 2", ":5: laps: expected a whole number from 0 to 1, found '2'");
    check_group_refused(
        "samples = 30...1000",
        ":5: samples: expected a whole number from 1 to 1000000, found '.1000'");
    check_group_refused("samples = 50..30",
                        ":5: samples: expected MIN..MAX, found 50 above 30");
    check_group_refused("samples = 0..30",
                        ":5: samples: expected a whole number from 1 to 1000000, found '0'");
    check_group_refused("precision = 0.5",
                        ":5: precision: expected a share such as 0.5%, found '0.5'");
    check_group_refused(
        "precision = 0%",
        ":5: precision: expected a decimal number from 0.001 to 100 %, found '0'");
    check_group_refused(
        "timeout = 0",
        ":5: timeout: expected a decimal number from 0.001 to 86400 s, found '0'");
    check_group_refused("input = abcdefghijklmnopqrstuvwxyz0123456789",
                        ":5: input: expected at most 31 letters, found "
                        "'abcdefghijklmnopqrstuvwxyz0123456789'");
    check_group_refused("input = two words", ":5: input: expected a word, found 'two words'");
}

static void plan_keys_are_read(void **state)
{
    struct bench_experiment e;
    const struct bench_plan *plan;
    char line[512];
    (void)state;

    accept(
        HEAD
        "[g]\nimpl = rdp/omp-columns\ninput = noise\ncase = worst\nbatch = 64\nthreads = 2\n"
        "mode = MAXN\nseries = hot, cold\nscope = frame, kernel\nlaps = 1\nvalues = 0\n"
        "times = 0\nsamples = 7\nprecision = 2.5 %\nmin_time = 0.1\ntimeout = 3\n"
        "frames = 5\nclocks = max\nenergy = 1\nenergy_time = 2\ntransfer = mapped, managed\n",
        NULL, &e);
    assert_int_equal(e.n_cells, 1); /* a CPU variant transfers nothing */
    plan = &e.cells[0].plan;
    assert_int_equal(plan->transfer, BENCH_COPY);
    assert_true(plan->lock_clocks);
    assert_true(plan->energy);
    assert_true(plan->energy_time_s == 2);
    assert_string_equal(plan->input, "noise");
    assert_int_equal(plan->which, BENCH_CASE_WORST);
    assert_int_equal(plan->batch, 64);
    assert_int_equal(plan->threads, 2);
    assert_string_equal(plan->mode, "MAXN");
    assert_int_equal(plan->series, 1u << BENCH_HOT | 1u << BENCH_COLD);
    assert_int_equal(plan->scopes, 1u << BENCH_KERNEL | 1u << BENCH_FRAME);
    assert_true(plan->laps);
    assert_false(plan->values);
    assert_false(plan->times);
    assert_int_equal(plan->min_samples, 7);
    assert_int_equal(plan->max_samples, 7);
    assert_true(plan->precision == 0.025);
    assert_true(plan->min_time_s == 0.1);
    assert_true(plan->timeout_s == 3);
    assert_int_equal(plan->max_frames, 5);
    bench_cell_text(&e.cells[0], line, sizeof line);
    assert_non_null(strstr(line,
                           " input=noise case=worst series=cold+hot scope=kernel+frame "
                           "batch=64 threads=2 mode=MAXN clocks=max frames=5 laps=1 energy=1 "
                           "values=0 times=0"));
    /* cut as snprintf cuts */
    {
        char small[12];

        assert_int_equal(bench_cell_text(&e.cells[0], small, sizeof small), strlen(line));
        assert_memory_equal(small, line, sizeof small - 1);
        assert_int_equal(small[sizeof small - 1], '\0');
        assert_int_equal(bench_cell_text(&e.cells[0], NULL, 0), strlen(line));
    }
    experiment_free(&e);

    /* an explicit timeout holds for serial variants too */
    accept(HEAD "[g]\ntimeout = 3\nsamples = 10..20\n", NULL, &e);
    assert_true(e.cells[0].plan.timeout_s == 3);
    assert_int_equal(e.cells[0].plan.min_samples, 10);
    assert_int_equal(e.cells[0].plan.max_samples, 20);
    experiment_free(&e);
}

static void one_frame_is_no_series_of_frames(void **state)
{
    struct bench_experiment e;
    (void)state;

    accept(HEAD "[g]\ncase = all, typical, best\nseries = frames, cold\n", NULL, &e);
    assert_int_equal(e.n_cells, 3);
    assert_int_equal(e.cells[0].plan.series, 1u << BENCH_FRAMES | 1u << BENCH_COLD);
    assert_int_equal(e.cells[1].plan.series, 1u << BENCH_HOT | 1u << BENCH_COLD);
    assert_int_equal(e.cells[2].plan.series, 1u << BENCH_HOT | 1u << BENCH_COLD);
    experiment_free(&e);
    accept(HEAD "[g]\ncase = all, worst\nseries = hot\n", NULL, &e);
    assert_int_equal(e.cells[0].plan.series, 1u << BENCH_HOT);
    assert_int_equal(e.cells[1].plan.series, 1u << BENCH_HOT);
    experiment_free(&e);
}

/* A key of some variants is an axis for those; the others run once. */
static void keys_of_some_variants_leave_the_others(void **state)
{
    struct bench_experiment e;
    (void)state;

    accept("[global]\nproblem = rdp\n[g]\nimpl = rdp/serial, rdp/omp-tasks\ncutoff = 16, 64, "
           "256\n",
           NULL, &e);
    assert_int_equal(e.n_cells, 4);
    assert_false(bench_has(&e.cells[0].params, "cutoff"));
    assert_int_equal(bench_int(&e.cells[1].params, "cutoff"), 16);
    assert_int_equal(bench_int(&e.cells[3].params, "cutoff"), 256);
    experiment_free(&e);

    accept(
        "[global]\nproblem = rdp\n[g]\nimpl = rdp/serial, rdp/omp-columns\nthreads = 1-4*2\n",
        NULL, &e);
    assert_int_equal(e.n_cells, 4);
    assert_int_equal(e.cells[0].plan.threads, 0);
    assert_int_equal(e.cells[1].plan.threads, 1);
    assert_int_equal(e.cells[3].plan.threads, 4);
    experiment_free(&e);

    /* keys of GPU variants are known in a build that lacks them */
    accept("[global]\nproblem = rdp\n[g]\nimpl = rdp/serial\nunroll = 0, 5\nskip = 0, 1\n",
           NULL, &e);
    assert_int_equal(e.n_cells, 1);
    assert_false(bench_has(&e.cells[0].params, "unroll"));
    experiment_free(&e);
}

static void absent_variants_are_listed(void **state)
{
    struct bench_experiment e;
    (void)state;

    accept(
        "[global]\nproblem = rdp\n[g]\nimpl = rdp/serial, rdp/gpu-paper\nunroll = 0, 5\n[h]\n"
        "impl = rdp/gpu-*\n",
        NULL, &e);
    if (has_gpu()) {
        assert_int_equal(e.n_absent, 0);
        assert_int_equal(e.n_cells, 1 + 2 + 2);
    } else {
        assert_int_equal(e.n_cells, 1);
        assert_int_equal(e.n_absent, 2);
        assert_string_equal(e.absent[0].impl, "rdp/gpu-paper");
        assert_int_equal(e.absent[0].line, 4);
        assert_string_equal(e.absent[1].impl, "rdp/gpu-opt");
        assert_int_equal(e.absent[1].line, 7);
    }
    experiment_free(&e);

    /* nothing at all to run here is no mistake of the descriptor */
    accept("[global]\nproblem = rdp\n[g]\nimpl = rdp/gpu-*\n", NULL, &e);
    assert_int_equal(e.n_cells + e.n_absent, 2);
    experiment_free(&e);
}

/* To show rows, a build without CUDA has the cells of one with it: own keys, fallbacks and order. */
static void absent_variants_have_cells_to_show(void **state)
{
    const struct bench_overrides overrides = {.with_absent = true};
    (void)state;

#define SIZE   " distance=vertical;eps=4;height=512;"
#define PLAN   "width=60 input=scene case=all series=frames scope=kernel\n"
#define SERIAL "rdp/serial" SIZE "median=0;resample=linear;" PLAN
#define PAPER(n)                                                     \
    "rdp/gpu-paper barriers=one;distance=vertical;eps=4;height=512;" \
    "median=0;resample=linear;skip=0;unroll=" n ";" PLAN
#define OPT(word)                                                                      \
    "rdp/gpu-opt" SIZE "layout=" word ";median=0;resample=linear;together=auto;warps=" \
    "auto;" PLAN
    check_cells_with("[global]\nproblem = rdp\nwidth = 60\nheight = 512\n"
                     "[g]\nimpl = rdp/gpu-opt, rdp/serial, rdp/gpu-paper\n"
                     "layout = rows, columns\nthreads = 1, 2\n"
                     "[h]\nimpl = rdp/gpu-*\nunroll = 0, 5\n",
                     &overrides,
                     OPT("rows") OPT("columns") SERIAL PAPER("5") PAPER("0") PAPER("5")
                         OPT("columns"));
#undef SIZE
#undef PLAN
#undef SERIAL
#undef PAPER
#undef OPT
}

/* A CPU has nothing to transfer: one cell of it. */
static void transfers_are_an_axis_of_gpu_variants(void **state)
{
    const struct bench_overrides overrides = {.with_absent = true};
    (void)state;

#define CELL(impl, first, own, more)                                                  \
    impl " " first "distance=vertical;eps=4;height=512;median=0;resample=linear;" own \
         "width=60 input=scene case=all series=frames scope=kernel" more "\n"
    check_cells_with(
        "[global]\nproblem = rdp\nwidth = 60\nheight = 512\n"
        "[g]\nimpl = rdp/serial, rdp/gpu-paper\n"
        "transfer = copy, mapped, managed\n",
        &overrides,
        CELL("rdp/serial", "", "", "")
            CELL("rdp/gpu-paper", "barriers=one;", "skip=0;unroll=5;", "")
                CELL("rdp/gpu-paper", "barriers=one;", "skip=0;unroll=5;", " transfer=mapped")
                    CELL("rdp/gpu-paper", "barriers=one;", "skip=0;unroll=5;",
                         " transfer=managed"));
#undef CELL
}

/* Nor has it multiprocessors. */
static void multiprocessors_are_an_axis_of_gpu_variants(void **state)
{
    const struct bench_overrides overrides = {.with_absent = true};
    (void)state;

#define CELL(impl, first, own, more)                                                  \
    impl " " first "distance=vertical;eps=4;height=512;median=0;resample=linear;" own \
         "width=60 input=scene case=all series=frames scope=kernel" more "\n"
    check_cells_with("[global]\nproblem = rdp\nwidth = 60\nheight = 512\n"
                     "[g]\nimpl = rdp/serial, rdp/gpu-paper\n"
                     "sms = 8-16*2, all\n",
                     &overrides,
                     CELL("rdp/serial", "", "", "") CELL("rdp/gpu-paper", "barriers=one;",
                                                         "skip=0;unroll=5;", " sms=8")
                         CELL("rdp/gpu-paper", "barriers=one;", "skip=0;unroll=5;", " sms=16")
                             CELL("rdp/gpu-paper", "barriers=one;", "skip=0;unroll=5;", ""));
#undef CELL
    check_refused("[global]\nproblem = rdp\n[g]\nimpl = rdp/gpu-paper\nsms = 0\n",
                  ":5: sms: expected all or a whole number from 1 to 100000, found '0'");
}

/* A build refuses what others would refuse of a variant that it lacks. */
static void keys_of_absent_variants_are_checked(void **state)
{
    (void)state;
    check_group_refused("impl = rdp/gpu-opt\nwarps = 3",
                        ":6: warps: expected one of auto|1|2|4|8, found '3'");
    check_group_refused("impl = rdp/gpu-paper\nunroll =",
                        ":6: unroll: expected a value, found an empty one");
    check_group_refused("unrol = 4", ":5: unknown key 'unrol'; did you mean 'unroll'?");
}

static void patterns_choose_variants(void **state)
{
    struct bench_experiment e;
    (void)state;

    accept("[global]\nproblem = rdp\n[g]\nimpl = rdp/omp-*, rdp/serial\n", NULL, &e);
    assert_int_equal(e.n_cells, 3);
    assert_string_equal(e.cells[0].impl->name, "rdp/omp-columns");
    assert_string_equal(e.cells[1].impl->name, "rdp/omp-tasks");
    assert_string_equal(e.cells[2].impl->name, "rdp/serial");
    experiment_free(&e);
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    check_group_refused("heigth = 4", ":5: unknown key 'heigth'; did you mean 'height'?");
    check_group_refused("sample = 4", ":5: unknown key 'sample'; did you mean 'samples'?");
    check_group_refused("chunks = 4", ":5: unknown key 'chunks'; did you mean 'chunk'?");
    check_group_refused("impls = rdp/serial", ":5: unknown key 'impls'; did you mean 'impl'?");
    check_group_refused("temperature = 4", ":5: unknown key 'temperature'");
    check_group_refused("impl = rdp/serail",
                        ":5: unknown impl 'rdp/serail'; did you mean 'rdp/serial'?");
    check_group_refused("impl = rdp/gpu-papr",
                        ":5: unknown impl 'rdp/gpu-papr'; did you mean 'rdp/gpu-paper'?");
    check_group_refused("impl = serial",
                        ":5: unknown impl 'serial'; did you mean 'rdp/serial'?");
    check_group_refused("impl = rdp/tpu*", ":5: unknown impl 'rdp/tpu*'");
    check_refused("[global]\nheigth = 4\nproblem = rdp\n[g]\nimpl = rdp/serial\n",
                  ":2: unknown key 'heigth'; did you mean 'height'?");
    check_refused(HEAD "[g]\neps = 4\n[show]\nrow = impl\n",
                  ":7: unknown key of [show] 'row'; did you mean 'rows'?");
}

static void descriptors_must_be_whole(void **state)
{
    struct bench_experiment e;
    char long_title[400];
    (void)state;

    check_refused("", ": [global] has no problem");
    check_refused("[g]\nimpl = rdp/serial\n", ": [global] has no problem");
    check_refused("problem = rdp\n", ":1: 'problem' stands before the first section");
    check_refused("[global]\nproblem = rdp\nimpl = rdp/serial\n",
                  ": no cells: it has no section but [global] and [show]");
    check_refused("[global]\nproblem = rdp\n[g]\neps = 4\n", ":4: section [g] has no impl");
    check_refused("[global]\nproblem = rdp\n[g]\n", ":3: section [g] has no key");
    check_refused(HEAD "[g]\nproblem = rdp\n", ":5: problem belongs in [global]");
    check_refused(HEAD "[g]\ntitle = a\n", ":5: title belongs in [global]");
    check_refused(HEAD "[g]\ninclude = a.ini\n", ":5: include belongs in [global]");
    check_refused(HEAD "[g]\neps = 4\neps = 8\n",
                  ":6: key 'eps' of [g] is given already in line 5");
    assert_int_equal(read_text("[global]\nproblem = rpd\n[g]\nimpl = rdp/serial\n", &e),
                     BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), ":2: unknown problem 'rpd'; expected one of rdp"));
    snprintf(long_title, sizeof long_title, HEAD "title = %0160d\n[g]\neps = 4\n", 0);
    check_refused(long_title, ":4: title: expected at most 159 bytes, found 160");
    assert_int_equal(experiment_read(scratch("nothing.ini"), NULL, &e), BENCH_EIO);
    assert_non_null(strstr(bench_failure(), "nothing.ini: cannot be opened: No such file"));
}

static void too_many_cells_are_refused(void **state)
{
    (void)state;
    /* 10^6, then 10^18 and more, which neither 32 nor 53 bits hold */
    check_group_refused("height = 1-1000+1\nwidth = 1-1000+1",
                        ":5: section [g] brings the descriptor to more than 100000 cells");
    check_group_refused("height = 1-1000+1\nwidth = 1-1000+1\nbatch = 1-1000+1\n"
                        "eps = 0-99.9+0.1\nthreads = 1-1000+1\nchunk = 1-1000+1\n"
                        "cutoff = 1-1000+1\nimpl = rdp/omp-*",
                        ":5: section [g] brings the descriptor to more than 100000 cells");
    /* over several sections and variants: the 100001st */
    check_refused("[global]\nproblem = rdp\nimpl = rdp/serial\n"
                  "[a]\nheight = 1-1000+1\nbatch = 1-90+1\n[b]\nheight = 1-1000+1\n"
                  "batch = 1-10+1\n[c]\nheight = 1\n",
                  ":11: section [c] brings the descriptor to more than 100000 cells");
    check_group_refused("height = 1-1001+1",
                        ":5: height: range '1-1001+1' has more than 1000 values");
    check_group_refused("height = 1-1000+1, 1001", ":5: height: more than 1000 values");
}

static void includes_are_read_first(void **state)
{
    struct bench_experiment e;
    (void)state;

    write_file("common/a.ini",
               "[global]\ninclude = b.ini\nproblem = rdp\neps = 4, 8\nwidth = 64\n"
               "[other]\nimpl = nonsense\n");
    write_file("common/b.ini",
               "[global]\nimpl = rdp/serial\nwidth = 32\nmedian = 3\ntitle = B\n");
    accept("[global]\nheight = 7\ninclude = common/a.ini\nmedian = 5\n[g]\ncase = all\n", NULL,
           &e);
    assert_int_equal(e.n_cells, 2);
    assert_int_equal(e.n_sections, 1);
    assert_string_equal(e.title, "B");
    assert_int_equal(bench_int(&e.cells[0].params, "width"), 64);
    assert_int_equal(bench_int(&e.cells[0].params, "height"), 7);
    assert_string_equal(bench_word(&e.cells[0].params, "median"), "5");
    assert_string_equal(bench_word(&e.cells[1].params, "eps"), "8");
    experiment_free(&e);

    /* a sentence about an included line names its file */
    write_file("common/b.ini", "[global]\nimpl = rdp/serial\nwitdh = 32\n");
    assert_int_equal(read_text("[global]\ninclude = common/a.ini\n[g]\ncase = all\n", &e),
                     BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(),
                           "exp/common/b.ini:3: unknown key 'witdh'; did you mean 'width'?"));
}

static void circles_of_includes_are_refused(void **state)
{
    struct bench_experiment e;
    (void)state;

    check_refused("[global]\ninclude = t.ini\n[g]\ncase = all\n",
                  ":2: 't.ini' includes itself");
    write_file("common/a.ini", "[global]\ninclude = b.ini\n");
    write_file("common/b.ini", "[global]\ninclude = ../common/a.ini\n");
    assert_int_equal(read_text("[global]\ninclude = common/a.ini\n[g]\ncase = all\n", &e),
                     BENCH_EINPUT);
    assert_non_null(
        strstr(bench_failure(), "exp/common/b.ini:2: '../common/a.ini' includes itself"));

    write_file("common/1.ini", "[global]\ninclude = 2.ini\n");
    write_file("common/2.ini", "[global]\ninclude = 3.ini\n");
    write_file("common/3.ini", "[global]\ninclude = 4.ini\n");
    write_file("common/4.ini", "[global]\nproblem = rdp\nimpl = rdp/serial\n");
    accept("[global]\ninclude = common/1.ini\n[g]\ncase = all\n", NULL, &e);
    experiment_free(&e);
    write_file("common/4.ini", "[global]\ninclude = 5.ini\n");
    write_file("common/5.ini", "[global]\nproblem = rdp\n");
    assert_int_equal(read_text("[global]\ninclude = common/1.ini\n[g]\ncase = all\n", &e),
                     BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(),
                           "exp/common/4.ini:2: files include one another more than 4 deep"));

    assert_int_equal(read_text("[global]\ninclude = common/none.ini\n[g]\ncase = all\n", &e),
                     BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "t.ini:2: include: "));
    assert_non_null(strstr(bench_failure(), "none.ini: cannot be opened: No such file"));
}

static void assignments_override_all(void **state)
{
    static const char *const assignments[] = {"height=1,2", "eps=9", "samples=7", "eps=5-6+1"};
    const struct bench_overrides overrides = {.assignments = assignments, .n = 4};
    struct bench_experiment e;
    (void)state;

    accept("[global]\nproblem = rdp\neps = 4\n[g]\nimpl = rdp/serial\nheight = 100\nwidth = 3, "
           "4\n",
           &overrides, &e);
    assert_int_equal(e.n_cells, 8);
    /* in the place of what they override: eps, height, width */
    assert_string_equal(bench_word(&e.cells[1].params, "eps"), "5");
    assert_int_equal(bench_int(&e.cells[1].params, "height"), 1);
    assert_int_equal(bench_int(&e.cells[1].params, "width"), 4);
    assert_int_equal(bench_int(&e.cells[2].params, "height"), 2);
    assert_string_equal(bench_word(&e.cells[4].params, "eps"), "6");
    assert_int_equal(e.cells[0].plan.max_samples, 7);
    experiment_free(&e);
}

static void check_assignment_refused(const char *assignment, const char *sentence)
{
    const struct bench_overrides overrides = {.assignments = &assignment, .n = 1};
    struct bench_experiment e;

    assert_int_equal(read_with(HEAD "[g]\neps = 4\n", &overrides, &e), BENCH_EINPUT);
    assert_string_equal(bench_failure(), sentence);
}

static void bad_assignments_are_refused(void **state)
{
    (void)state;
    check_assignment_refused("heigth=512",
                             "-S heigth=512: unknown key 'heigth'; did you mean 'height'?");
    check_assignment_refused("height=x",
                             "-S height=x: height: expected a whole number from 0 to "
                             "16384 px, found 'x'");
    check_assignment_refused("height=",
                             "-S height=: height: expected a value, found an empty one");
    check_assignment_refused("height", "-S height: expected key=value");
    check_assignment_refused("=4", "-S =4: expected key=value");
    check_assignment_refused("problem=som",
                             "-S problem=som: only the descriptor itself says its problem");
    check_assignment_refused("impl=rdp/none*", "-S impl=rdp/none*: unknown impl 'rdp/none*'");
}

static void filter_leaves_the_rest(void **state)
{
    struct bench_overrides overrides = {.impl_glob = "rdp/omp-*"};
    struct bench_experiment e;
    (void)state;

    accept("[global]\nproblem = rdp\n[g]\nimpl = rdp/*\n", &overrides, &e);
    assert_int_equal(e.n_cells, 2);
    assert_int_equal(e.n_absent, 0);
    experiment_free(&e);
    /* none of this descriptor, though the project has them */
    accept(HEAD "[g]\neps = 4\n", &overrides, &e);
    assert_int_equal(e.n_cells, 0);
    experiment_free(&e);
    overrides.impl_glob = "rdp/opm-*";
    assert_int_equal(read_with(HEAD "[g]\neps = 4\n", &overrides, &e), BENCH_EINPUT);
    assert_string_equal(bench_failure(), "-i: unknown impl 'rdp/opm-*'");
    overrides.impl_glob = "rdp/seriel";
    assert_int_equal(read_with(HEAD "[g]\neps = 4\n", &overrides, &e), BENCH_EINPUT);
    assert_string_equal(bench_failure(),
                        "-i: unknown impl 'rdp/seriel'; did you mean 'rdp/serial'?");
}

static void chosen_groups_alone(void **state)
{
    struct bench_overrides overrides = {.group_glob = "s*"};
    const char *text = HEAD "[first]\neps = 4\n[second]\neps = 5, 6\n[show]\nvalue = mean_ms\n"
                            "[sixth]\neps = 7\n";
    struct bench_experiment e;
    (void)state;

    accept(text, &overrides, &e);
    assert_int_equal(e.n_cells, 3);
    assert_string_equal(e.cells[0].section, "second");
    assert_string_equal(e.cells[2].section, "sixth");
    experiment_free(&e);
    /* what is wrong in a section that is left out is wrong all the same */
    assert_int_equal(read_with(HEAD "[first]\nesp = 4\n[second]\neps = 5\n", &overrides, &e),
                     BENCH_EINPUT);
    overrides.group_glob = "show";
    assert_int_equal(read_with(text, &overrides, &e), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "-g show: "));
    assert_non_null(strstr(bench_failure(), "no such section; it has first, second, sixth"));
}

static void quick_is_short(void **state)
{
    static const char *const seeds = "seed=1, 2";
    static const char *const assignments[] = {"height=4096", "samples=100", "frames=50"};
    struct bench_overrides overrides = {.quick = true};
    const char *text =
        "[global]\nproblem = rdp\nimpl = rdp/serial, rdp/cpu-simd\n[g]\n"
        "height = 256-16384*2\nframes = 20\n[h]\nsamples = 2..4\nmin_time = 0.01\n"
        "timeout = 1\nframes = 2\n";
    struct bench_experiment e;
    const struct bench_plan *serial, *simd;
    (void)state;

    accept(text, &overrides, &e);
    assert_int_equal(e.n_cells, 2 * 4 + 2);
    for (int i = 0; i < e.n_cells; i++)
        assert_in_range(bench_int(&e.cells[i].params, "height"), 0, 2048);
    serial = &e.cells[0].plan;
    simd = &e.cells[4].plan;
    assert_int_equal(serial->min_samples, 3);
    assert_int_equal(serial->max_samples, 3);
    assert_int_equal(simd->min_samples, 5);
    assert_int_equal(simd->max_samples, 15);
    assert_true(simd->min_time_s == 0.02);
    assert_true(simd->timeout_s == 1 && serial->timeout_s == 1);
    assert_int_equal(simd->max_frames, 3);
    simd = &e.cells[9].plan; /* less than the limits stays */
    assert_int_equal(simd->min_samples, 2);
    assert_int_equal(simd->max_samples, 4);
    assert_true(simd->min_time_s == 0.01);
    assert_true(simd->timeout_s == 1);
    assert_int_equal(simd->max_frames, 2);
    experiment_free(&e);

    /* what the user asks for on the command line stays */
    overrides.assignments = assignments;
    overrides.n = 3;
    accept(text, &overrides, &e);
    assert_int_equal(e.n_cells, 4);
    assert_int_equal(bench_int(&e.cells[0].params, "height"), 4096);
    assert_int_equal(e.cells[0].plan.max_samples, 100);
    assert_int_equal(e.cells[0].plan.max_frames, 50);
    assert_true(e.cells[0].plan.timeout_s == 1);
    experiment_free(&e);

    /* all heights left out: nothing to run, no mistake */
    overrides.n = 0;
    accept(HEAD "[g]\nheight = 4096, 8192\n", &overrides, &e);
    assert_int_equal(e.n_cells, 0);
    experiment_free(&e);

    /* the first of several seeds, unless they are given */
    overrides = (struct bench_overrides){.quick = true};
    text = "[global]\nproblem = som\nimpl = som/rounds\n[g]\nseed = 3, 1, 2\n";
    accept(text, &overrides, &e);
    assert_int_equal(e.n_cells, 1);
    assert_int_equal(bench_int(&e.cells[0].params, "seed"), 3);
    experiment_free(&e);
    overrides.assignments = &seeds;
    overrides.n = 1;
    accept(text, &overrides, &e);
    assert_int_equal(e.n_cells, 2);
    experiment_free(&e);
}

static void names_come_from_the_path(void **state)
{
    struct bench_experiment e;
    (void)state;

    write_file("common/x.y.ini", HEAD "[g]\neps = 4\n");
    assert_int_equal(experiment_read(scratch("common/x.y.ini"), NULL, &e), BENCH_OK);
    assert_string_equal(e.name, "common/x.y");
    experiment_free(&e);
    write_file("plain", HEAD "[g]\neps = 4\n");
    assert_int_equal(experiment_read(scratch("./plain"), NULL, &e), BENCH_OK);
    assert_string_equal(e.name, "plain");
    experiment_free(&e);
}

/* Every descriptor of the project is one, also with --quick. */
static void our_own_descriptors_are_fine(void **state)
{
    glob_t found;
    (void)state;

    assert_int_equal(glob("experiments/rdp/*.ini", 0, NULL, &found), 0);
    assert_int_equal(glob("experiments/stixels/*.ini", GLOB_APPEND, NULL, &found), 0);
    assert_int_equal(glob("experiments/som/*.ini", GLOB_APPEND, NULL, &found), 0);
    assert_true(found.gl_pathc >= 18);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        for (int quick = 0; quick < 2; quick++) {
            const struct bench_overrides overrides = {.quick = quick != 0};
            struct bench_experiment e;

            if (strstr(found.gl_pathv[i], "/figures.ini"))
                continue;
            if (experiment_read(found.gl_pathv[i], &overrides, &e) != BENCH_OK)
                fail_msg("%s", bench_failure());
            assert_true(e.n_cells + e.n_absent > 0);
            for (int k = 0; k < e.n_cells; k++) /* it can run here */
                assert_non_null(e.cells[k].impl->run);
            assert_true(e.title[0] != '\0');
            experiment_free(&e);
        }
    }
    globfree(&found);
}

static void locale_changes_nothing(void **state)
{
    (void)state;

    if (!support_comma_locale()) {
        print_message("no locale with a decimal comma here\n");
        skip();
    }
    check_axis("eps = 0.5-1.5+0.5\nprecision = 0.5%", "eps", "0.5 1 1.5");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_as_documented),
        cmocka_unit_test(declared_fallbacks_are_the_defaults),
        cmocka_unit_test(axes_multiply_in_file_order),
        cmocka_unit_test(sections_override_global_where_they_stand),
        cmocka_unit_test(a_section_may_come_in_pieces),
        cmocka_unit_test(sections_keep_their_order),
        cmocka_unit_test(too_many_keys_are_refused),
        cmocka_unit_test(lists_and_ranges_expand),
        cmocka_unit_test(equal_values_make_one_cell),
        cmocka_unit_test(bad_ranges_are_refused),
        cmocka_unit_test(bad_lists_are_refused),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(plan_keys_are_read),
        cmocka_unit_test(one_frame_is_no_series_of_frames),
        cmocka_unit_test(keys_of_some_variants_leave_the_others),
        cmocka_unit_test(absent_variants_are_listed),
        cmocka_unit_test(absent_variants_have_cells_to_show),
        cmocka_unit_test(transfers_are_an_axis_of_gpu_variants),
        cmocka_unit_test(multiprocessors_are_an_axis_of_gpu_variants),
        cmocka_unit_test(keys_of_absent_variants_are_checked),
        cmocka_unit_test(patterns_choose_variants),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(descriptors_must_be_whole),
        cmocka_unit_test(too_many_cells_are_refused),
        cmocka_unit_test(includes_are_read_first),
        cmocka_unit_test(circles_of_includes_are_refused),
        cmocka_unit_test(assignments_override_all),
        cmocka_unit_test(bad_assignments_are_refused),
        cmocka_unit_test(filter_leaves_the_rest),
        cmocka_unit_test(chosen_groups_alone),
        cmocka_unit_test(quick_is_short),
        cmocka_unit_test(names_come_from_the_path),
        cmocka_unit_test(our_own_descriptors_are_fine),
        cmocka_unit_test(locale_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
