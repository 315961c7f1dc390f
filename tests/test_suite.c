/*
 * test_suite.c - whole runs: a wrong variant is caught and recorded, cases are chosen by counting, resuming keeps what is
 * the same and nothing else, the table on the terminal fits it and tells cells apart
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/problems/rdp/rdp.h"
#include "harness/suite/record.h"
#include "harness/suite/suite.h"
#include "harness/base/text.h"
#include "harness/measure/verify.h"
#include "harness/inputs/dataset.h"
#include "tests/rows.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

extern const struct bench_impl rdp_serial, rdp_cpu_simd;

/* ---- a deliberately wrong variant: the serial one, and one bit of one column turned over ---- */

struct wrong_state {
    void *serial;
    struct rdp_output *out;
};

static enum bench_status wrong_setup(void *opaque, const struct bench_ctx *ctx,
                                     const void *input, void *output)
{
    struct wrong_state *s = opaque;

    s->out = output;
    s->serial = calloc(1, rdp_serial.state_size);
    return s->serial ? rdp_serial.setup(s->serial, ctx, input, output) : BENCH_ENOMEM;
}

static enum bench_status wrong_run(void *opaque)
{
    struct wrong_state *s = opaque;

    TRY(rdp_serial.run(s->serial));
    s->out->kept[rdp_n_words(s->out->n_rows) * (s->out->n_cols - 1)] ^= 4;
    return BENCH_OK;
}

static void wrong_teardown(void *opaque)
{
    struct wrong_state *s = opaque;

    if (s->serial)
        rdp_serial.teardown(s->serial);
    free(s->serial);
}

static const struct bench_impl rdp_wrong = {.name = "rdp/wrong",
                                            .problem = &rdp_problem,
                                            .target = BENCH_SERIAL,
                                            .source = "a test",
                                            .reference = "rdp/serial",
                                            .state_size = sizeof(struct wrong_state),
                                            .setup = wrong_setup,
                                            .run = wrong_run,
                                            .teardown = wrong_teardown};

/* As wrong, without a reference, or with one that is none. */
#define RDP_WRONG(id, ref)                                                         \
    static const struct bench_impl id = {.name = "rdp/" #id,                       \
                                         .problem = &rdp_problem,                  \
                                         .target = BENCH_SERIAL,                   \
                                         .source = "a test",                       \
                                         .reference = ref,                         \
                                         .state_size = sizeof(struct wrong_state), \
                                         .setup = wrong_setup,                     \
                                         .run = wrong_run,                         \
                                         .teardown = wrong_teardown}
RDP_WRONG(alone, NULL);
RDP_WRONG(misspelt, "rdp/seriall");
RDP_WRONG(trusting, "rdp/cpu-simd");

/* A variant for a card that no test machine has to have. */
static const struct bench_impl rdp_elsewhere = {.name = "rdp/elsewhere",
                                                .problem = &rdp_problem,
                                                .target = BENCH_CUDA,
                                                .source = "a test",
                                                .reference = "rdp/serial",
                                                .state_size = 1};

/* ---- the reference, its runs counted; from the run 'spoilt_from' on one bit is turned over ---- */

static int n_reference_states, n_reference_runs, spoilt_from;

static enum bench_status counted_setup(void *opaque, const struct bench_ctx *ctx,
                                       const void *input, void *output)
{
    n_reference_states++;
    return wrong_setup(opaque, ctx, input, output);
}

static enum bench_status counted_run(void *opaque)
{
    struct wrong_state *s = opaque;

    return ++n_reference_runs < spoilt_from ? rdp_serial.run(s->serial) : wrong_run(opaque);
}

static const struct bench_impl rdp_counted = {.name = "rdp/serial",
                                              .problem = &rdp_problem,
                                              .target = BENCH_SERIAL,
                                              .source = "a test",
                                              .state_size = sizeof(struct wrong_state),
                                              .setup = counted_setup,
                                              .run = counted_run,
                                              .teardown = wrong_teardown};

/* ---- an experiment made by hand ---- */

static char folder[512];
static FILE *null_file;

static struct bench_cell cell_of(const struct bench_impl *impl)
{
    struct bench_cell cell = {.section = "test", .impl = impl};
    const struct bench_key *key;

    for (key = rdp_problem.keys; key->name; key++) {
        if (!strcmp(key->name, "width"))
            assert_int_equal(bench_params_set(&cell.params, key, "40", "test"), BENCH_OK);
        if (!strcmp(key->name, "height"))
            assert_int_equal(bench_params_set(&cell.params, key, "50", "test"), BENCH_OK);
    }
    assert_int_equal(bench_params_default(&cell.params, rdp_problem.keys, "test"), BENCH_OK);
    assert_int_equal(bench_params_default(&cell.params, impl->keys, "test"), BENCH_OK);
    strcpy(cell.plan.input, "scene");
    strcpy(cell.plan.mode, "any");
    cell.plan.which = BENCH_CASE_ALL;
    cell.plan.batch = 1;
    cell.plan.threads = 1;
    cell.plan.series = 1u << BENCH_FRAMES;
    cell.plan.scopes = 1u << BENCH_KERNEL;
    cell.plan.times = cell.plan.values = true;
    cell.plan.min_samples = cell.plan.max_samples = 3;
    cell.plan.precision = 0.5;
    cell.plan.timeout_s = 100;
    cell.plan.max_frames = 2;
    return cell;
}

/* 'out' NULL: no table. */
static enum bench_status run_to(FILE *out, struct bench_cell *cells, int n_cells, bool resume,
                                struct bench_summary *summary)
{
    struct bench_experiment e = {.name = "test/test",
                                 .path = "test.ini",
                                 .problem = &rdp_problem,
                                 .cells = cells,
                                 .n_cells = n_cells};
    struct bench_options options = {.results = folder,
                                    .data = "data",
                                    .resume = resume,
                                    .verbosity = out != NULL,
                                    .out = out ? out : null_file,
                                    .err = null_file};
    struct bench_env env;
    struct record_session *session = NULL;
    enum bench_status status;

    assert_int_equal(bench_env_open(-1, "", &env), BENCH_OK);
    bench_device_close(env.device); /* the same on machines with a card */
    env.device = NULL;
    snprintf(env.no_device, sizeof env.no_device, "no GPU in this test");
    assert_int_equal(suite_open(&env, &options, &session), BENCH_OK);
    status = suite_run(&e, &env, &options, session, summary);
    assert_int_equal(record_close(session), BENCH_OK);
    bench_env_close(&env);
    return status;
}

static struct bench_summary run(struct bench_cell *cells, int n_cells, bool resume)
{
    struct bench_summary summary;

    assert_int_equal(run_to(NULL, cells, n_cells, resume, &summary), BENCH_OK);
    return summary;
}

static void read_rows(const char *session, struct record_table *table)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s.csv", folder, session);
    assert_int_equal(record_read(path, true, table), BENCH_OK);
}

static int new_folder(void **state)
{
    static int n;
    const char *tmp = getenv("TEST_TMP");

    (void)state;
    snprintf(folder, sizeof folder, "%s/suite-%d-%d", tmp ? tmp : "build/test-tmp",
             (int)getpid(), n++);
    if (!null_file)
        null_file = fopen("/dev/null", "w");
    return null_file ? 0 : -1;
}

/* ---- tests ---- */

static void a_wrong_variant_is_recorded_and_not_timed(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_wrong), cell_of(&rdp_cpu_simd)};
    const struct bench_summary s = run(cells, 2, false);
    struct record_table rows;

    (void)state;
    assert_int_equal(s.n_wrong, 1);
    assert_int_equal(s.n_ok, 1); /* one failing variant does not stop the table */
    assert_int_equal(s.worst, BENCH_EMISMATCH);
    read_rows(s.session, &rows);
    assert_int_equal(rows.n_rows, 2);
    assert_string_equal(record_get(&rows, 0, "impl"), "rdp/wrong");
    assert_string_equal(record_get(&rows, 0, "status"), "wrong");
    assert_string_equal(record_get(&rows, 0, "verdict"), "wrong");
    assert_string_equal(record_get(&rows, 0, "median_ms"), "");
    assert_string_equal(record_get(&rows, 0, "output_hash"), "");
    assert_non_null(strstr(record_get(&rows, 0, "reason"), "column 39"));
    assert_string_equal(record_get(&rows, 1, "status"), "ok");
    assert_string_equal(record_get(&rows, 1, "verdict"), "exact");
    assert_string_not_equal(record_get(&rows, 1, "median_ms"), "");
    record_table_free(&rows);
}

static void a_variant_cannot_verify_itself(void **state)
{
    static const struct {
        const struct bench_impl *impl;
        const char *sentence;
    } cases[] = {
        {&alone,
         "test.ini:0: [test] rdp/alone: expected .reference = \"rdp/serial\", found none: a "
         "variant cannot verify itself"},
        {&misspelt,
         "rdp/misspelt: expected .reference = \"rdp/serial\", found \"rdp/seriall\"; did "
         "you mean \"rdp/serial\"?"},
        {&trusting,
         "rdp/trusting: expected .reference = \"rdp/serial\", found \"rdp/cpu-simd\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(cases[i].impl)};
        struct bench_summary s;
        struct record_table rows;

        assert_int_equal(run_to(NULL, cells, 2, false, &s), BENCH_EINPUT);
        if (!strstr(bench_failure(), cases[i].sentence))
            fail_msg("%s", bench_failure());
        assert_int_equal(s.n_rows, 0);
        assert_int_equal(read_folder(folder, &rows), BENCH_OK);
        assert_int_equal(rows.n_rows, 0);
        record_table_free(&rows);
    }
}

/* ---- apply ---- */

/* Apply 'impl' to a small scene; *is_written says whether the points are there afterwards. */
static enum bench_status apply(const struct bench_impl *impl,
                               struct bench_verification *verification, bool *is_written)
{
    char csv[1024];
    struct bench_params params = cell_of(impl).params;
    const struct bench_request request = {.impl = impl,
                                          .params = &params,
                                          .image = "scene:1:40x50",
                                          .csv = csv,
                                          .once = bench_once_verified,
                                          .machine = verification};
    enum bench_status status;

    assert_int_equal(text_make_folder(folder), BENCH_OK);
    snprintf(csv, sizeof csv, "%s/points.csv", folder);
    unlink(csv);
    assert_int_equal(bench_params_default(&params, bench_find_app(&rdp_problem)->keys, "test"),
                     BENCH_OK);
    status = bench_find_app(&rdp_problem)->apply(&request);
    *is_written = access(csv, F_OK) == 0;
    return status;
}

static void apply_verifies(void **state)
{
    struct bench_verification v = {.n_threads = 2};
    bool is_written;

    (void)state;
    assert_int_equal(apply(&rdp_cpu_simd, &v, &is_written), BENCH_OK);
    assert_true(is_written);
    assert_string_equal(v.outcome, "verified: equal to rdp/serial");
    assert_int_equal(apply(&rdp_serial, &v, &is_written), BENCH_OK);
    assert_true(is_written);
    assert_string_equal(v.outcome, "not verified: rdp/serial is the reference itself");

    assert_int_equal(apply(&rdp_wrong, &v, &is_written), BENCH_EMISMATCH);
    assert_false(is_written);
    assert_non_null(strstr(bench_failure(), "rdp/wrong differs from rdp/serial in 1 values"));
    assert_non_null(strstr(bench_failure(), "column 39"));
    assert_int_equal(apply(&alone, &v, &is_written), BENCH_EINPUT);
    assert_false(is_written);

    v.is_off = true;
    assert_int_equal(apply(&rdp_wrong, &v, &is_written), BENCH_OK);
    assert_true(is_written);
    assert_string_equal(v.outcome, "not verified: --no-verify");
}

/* RDP as if its outputs were judged by their worth, 'n_outside' of them outside the scatter. */
static size_t n_outside;

static enum bench_match by_worth(const struct bench_params *params)
{
    (void)params;
    return BENCH_STATISTICAL;
}

static void none_wrong(const struct bench_params *params, const void *input,
                       const void *reference, const void *output,
                       struct bench_difference *difference)
{
    (void)params;
    (void)input;
    (void)reference;
    (void)output;
    memset(difference, 0, sizeof *difference);
    difference->n_outside = n_outside;
}

static void apply_says_what_is_outside(void **state)
{
    struct bench_verification v = {.n_threads = 2};
    struct bench_problem worth = rdp_problem;
    struct bench_impl simd = rdp_cpu_simd;
    bool is_written;

    (void)state;
    worth.match = by_worth;
    worth.compare = none_wrong;
    simd.problem = &worth;
    n_outside = 0;
    assert_int_equal(apply(&simd, &v, &is_written), BENCH_OK);
    assert_string_equal(v.outcome, "verified: as good as rdp/serial within its scatter");
    n_outside = 1;
    assert_int_equal(apply(&simd, &v, &is_written), BENCH_OK);
    assert_true(is_written);
    assert_string_equal(v.outcome, "verified: right, but outside the scatter of rdp/serial");
}

static void equal_outputs_have_equal_hashes(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(&rdp_cpu_simd)};
    const struct bench_summary s = run(cells, 2, false);
    struct record_table rows;

    (void)state;
    read_rows(s.session, &rows);
    assert_int_equal(rows.n_rows, 2);
    assert_string_equal(record_get(&rows, 0, "output_hash"),
                        record_get(&rows, 1, "output_hash"));
    assert_string_equal(record_get(&rows, 0, "input_hash"), record_get(&rows, 1, "input_hash"));
    assert_string_equal(record_get(&rows, 0, "verdict"), "reference");
    record_table_free(&rows);
}

/* It is measured first, whatever its place, and what it gave judges the others: no other run of it is made for that. */
static void a_reference_among_the_cells_runs_for_all(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_cpu_simd), cell_of(&rdp_counted)};
    struct record_table rows;
    struct bench_summary s;

    (void)state;
    n_reference_states = n_reference_runs = 0;
    spoilt_from = INT_MAX;
    s = run(cells, 2, false);
    assert_int_equal(n_reference_states, 2); /* of two frames */
    read_rows(s.session, &rows);
    assert_string_equal(record_get(&rows, 0, "impl"), "rdp/serial");
    assert_string_equal(record_get(&rows, 0, "verdict"), "reference");
    assert_string_equal(record_get(&rows, 1, "verdict"), "exact");
    assert_string_equal(record_get(&rows, 0, "work_ops"), record_get(&rows, 1, "work_ops"));
    record_table_free(&rows);
}

static void a_reference_that_does_not_repeat_itself_is_wrong(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_counted), cell_of(&rdp_cpu_simd)};
    struct record_table rows;
    struct bench_summary s;

    (void)state;
    n_reference_runs = 0;
    spoilt_from = 4;
    s = run(cells, 2, false);
    assert_int_equal(s.n_wrong, 1);
    read_rows(s.session, &rows);
    assert_string_equal(record_get(&rows, 0, "verdict"), "wrong");
    assert_string_equal(record_get(&rows, 1, "verdict"), "exact"); /* of one made for it */
    record_table_free(&rows);
}

/* Untimed it would run once, and be compared with nothing. */
static void an_untimed_reference_is_compared_with_another_run(void **state)
{
    struct bench_cell cell = cell_of(&rdp_counted);
    struct record_table rows;
    struct bench_summary s;

    (void)state;
    cell.plan.times = false;
    n_reference_states = n_reference_runs = 0;
    spoilt_from = 4; /* the second run of the second frame */
    s = run(&cell, 1, false);
    assert_int_equal(n_reference_states, 4);
    assert_int_equal(s.n_wrong, 1);
    read_rows(s.session, &rows);
    assert_string_equal(record_get(&rows, 0, "verdict"), "wrong");
    record_table_free(&rows);
}

static void resuming_keeps_what_is_the_same(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(&rdp_elsewhere)};
    struct bench_summary s = run(cells, 2, false);
    struct record_table rows;

    (void)state;
    assert_int_equal(s.n_ok, 1);
    assert_int_equal(s.n_skipped, 1);
    s = run(cells, 2, true);
    assert_int_equal(s.n_kept, 1);
    assert_int_equal(s.n_ok, 0);
    assert_int_equal(s.n_skipped, 1); /* tried again ... */
    read_rows(s.session, &rows);
    assert_int_equal(rows.n_rows, 2); /* ... and not written twice */
    assert_string_equal(record_get(&rows, 1, "status"), "skipped");
    assert_string_equal(record_get(&rows, 1, "reason"), "no GPU in this test");
    record_table_free(&rows);

    cells[0].plan.max_frames = 1; /* another input */
    assert_int_equal(run(cells, 1, true).n_kept, 0);
    assert_int_equal(run(cells, 1, true).n_kept, 1);
    cells[0].plan.max_samples = 4; /* another protocol */
    assert_int_equal(run(cells, 1, true).n_kept, 0);
    cells[0].plan.laps = true;
    assert_int_equal(run(cells, 1, true).n_kept, 0);
    cells[0].plan.times = false; /* values alone are no times, and times are not values alone */
    assert_int_equal(run(cells, 1, true).n_kept, 0);
    assert_int_equal(run(cells, 1, true).n_kept, 1);
    cells[0].plan.times = true;
    cells[0].plan.scopes |= 1u << BENCH_FRAME;
    assert_int_equal(run(cells, 1, true).n_kept, 0);
}

/* Leave the header and the first n_rows rows, as a kill would. */
static void cut_rows(const char *session, int n_rows)
{
    static char text[1 << 18];
    char path[1024], *end = text;
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "%s/%s.csv", folder, session);
    file = fopen(path, "r+");
    assert_non_null(file);
    n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    for (int i = 0; i <= n_rows; i++) {
        end = strchr(end, '\n');
        assert_non_null(end);
        end++;
    }
    assert_int_equal(ftruncate(fileno(file), end - text), 0);
    fclose(file);
}

/* Of all rows of a cell those that a kill left stay, and the others come, once each: scopes, series and laps. */
static void resuming_completes_a_cell_that_was_cut(void **state)
{
    struct bench_cell cell = cell_of(&rdp_cpu_simd);
    struct bench_summary s;
    struct record_table rows, whole;
    int n_laps = 0;

    (void)state;
    cell.plan.scopes |= 1u << BENCH_FRAME;
    cell.plan.series |= 1u << BENCH_HOT;
    cell.plan.laps = true;
    s = run(&cell, 1, false);
    read_rows(s.session, &whole);
    assert_true(whole.n_rows > 4);
    for (int i = 0; i < whole.n_rows; i++)
        n_laps += record_get(&whole, i, "lap")[0] != '\0';
    assert_true(n_laps > 0 && n_laps < whole.n_rows);
    for (int n = 1; n <= whole.n_rows; n++) {
        cut_rows(s.session, n);
        s = run(&cell, 1, true);
        assert_int_equal(s.n_rows, whole.n_rows - n);
        assert_int_equal(s.n_kept, n == whole.n_rows);
        read_rows(s.session, &rows);
        assert_int_equal(rows.n_rows, whole.n_rows);
        for (int i = 0; i < rows.n_rows; i++)
            for (int k = 0; k <= i; k++) {
                const bool same =
                    !strcmp(record_get(&rows, i, "scope"), record_get(&rows, k, "scope")) &&
                    !strcmp(record_get(&rows, i, "series"), record_get(&rows, k, "series")) &&
                    !strcmp(record_get(&rows, i, "lap"), record_get(&rows, k, "lap"));

                assert_int_equal(same, i == k);
            }
        record_table_free(&rows);
    }
    record_table_free(&whole);
}

static void untimed_rows_do_not_stand_for_timed_ones(void **state)
{
    struct bench_cell cell = cell_of(&rdp_serial);

    (void)state;
    cell.plan.times = false;
    assert_int_equal(run(&cell, 1, false).n_ok, 1);
    cell.plan.times = true;
    assert_int_equal(run(&cell, 1, true).n_kept, 0);
}

static void a_batch_counts_per_frame(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(&rdp_serial)};
    struct bench_summary s;
    struct record_table rows;

    (void)state;
    cells[0].plan.max_frames = cells[1].plan.max_frames = 1;
    cells[1].plan.batch = 5;
    s = run(cells, 2, false);
    read_rows(s.session, &rows);
    assert_int_equal(rows.n_rows, 2);
    assert_string_equal(record_get(&rows, 0, "n_frames"), "1");
    assert_string_equal(record_get(&rows, 1, "n_frames"), "5");
    assert_string_equal(record_get(&rows, 0, "work_bytes"), record_get(&rows, 1, "work_bytes"));
    assert_string_equal(record_get(&rows, 0, "work_ops"), record_get(&rows, 1, "work_ops"));
    record_table_free(&rows);
}

/* The median of a row's three samples, ns. */
static double middle_sample(const char *session, const char *row_id)
{
    char path[1024], line[200], start[64];
    double ns[3] = {0, 0, 0}, least, greatest;
    gzFile file;
    int n = 0;

    snprintf(path, sizeof path, "%s/%s.samples.csv.gz", folder, session);
    snprintf(start, sizeof start, "\"%s\",\"", row_id);
    file = gzopen(path, "rb");
    assert_non_null(file);
    while (gzgets(file, line, sizeof line))
        if (!strncmp(line, start, strlen(start)) && n < 3)
            n += sscanf(line + strlen(start), "%*d\",\"%lf\"", &ns[n]) == 1;
    gzclose(file);
    assert_int_equal(n, 3);
    least = ns[0] < ns[1] ? ns[0] : ns[1];
    greatest = ns[0] < ns[1] ? ns[1] : ns[0];
    return ns[2] < least ? least : ns[2] > greatest ? greatest : ns[2];
}

/* A row's times, rate, samples and work are those of one frame, whether frames come as a batch or in turn. */
static void a_row_is_of_one_frame(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(&rdp_serial),
                                 cell_of(&rdp_serial)};
    struct record_table rows;
    struct bench_summary s;

    (void)state;
    cells[0].plan.max_frames = cells[1].plan.max_frames = 1;
    cells[1].plan.batch = 5;
    s = run(cells, 3, false); /* the last: two in turn */
    read_rows(s.session, &rows);
    assert_int_equal(rows.n_rows, 3);
    for (int i = 0; i < 3; i++) {
        double mean, median, fps, sample;

        assert_true(record_get_number(&rows, i, "mean_ms", &mean));
        assert_true(record_get_number(&rows, i, "median_ms", &median));
        assert_true(record_get_number(&rows, i, "fps", &fps));
        sample = 1e-6 * middle_sample(s.session, record_get(&rows, i, "row_id"));
        assert_true(fps * mean > 999.99 && fps * mean < 1000.01);
        assert_true(sample > 0.99 * median - 2e-6 && sample < 1.01 * median + 2e-6);
        assert_string_equal(record_get(&rows, i, "work_bytes"),
                            record_get(&rows, 0, "work_bytes"));
    }
    record_table_free(&rows);
}

static void cases_are_chosen_by_counting(void **state)
{
    struct bench_params params = cell_of(&rdp_serial).params;
    struct plane *planes;
    uint64_t count[8], least = UINT64_MAX, most = 0;
    double mean = 0, nearest = 1e300;
    int n_planes, best, worst, typical;

    (void)state;
    assert_int_equal(suite_load("scene", "data", 0, 0, &planes, &n_planes), BENCH_OK);
    assert_in_range(n_planes, 2, 8);
    for (int i = 0; i < n_planes; i++) {
        const struct plane *frame = &planes[i];
        void *input;
        struct rdp_node *nodes;
        int n_nodes;

        assert_int_equal(rdp_problem.make_input(&params, &frame, 1, &input), BENCH_OK);
        count[i] = 0;
        for (int u = 0; u < 40;
             u++) { /* rows between the ends of every segment that is looked at */
            const struct rdp_input *in = input;

            assert_int_equal(
                rdp_tree(in->y + 50 * u, 50, in->epsilon_q8, in->distance, &nodes, &n_nodes),
                BENCH_OK);
            for (int k = 0; k < n_nodes; k++)
                count[i] += (uint64_t)(nodes[k].last - nodes[k].first - 1);
            free(nodes);
        }
        rdp_problem.free_input(input);
        mean += (double)count[i] / n_planes;
        least = count[i] < least ? count[i] : least;
        most = count[i] > most ? count[i] : most;
    }
    for (int i = 0; i < n_planes; i++) {
        const double d =
            (double)count[i] > mean ? (double)count[i] - mean : mean - (double)count[i];

        nearest = d < nearest ? d : nearest;
    }
    assert_true(least < most); /* or the test would say nothing */
    assert_int_equal(
        suite_pick(&rdp_problem, &params, planes, n_planes, BENCH_CASE_BEST, &best), 0);
    assert_int_equal(
        suite_pick(&rdp_problem, &params, planes, n_planes, BENCH_CASE_WORST, &worst), 0);
    assert_int_equal(
        suite_pick(&rdp_problem, &params, planes, n_planes, BENCH_CASE_TYPICAL, &typical), 0);
    assert_true(count[best] == least);
    assert_true(count[worst] == most);
    assert_true((double)count[typical] - mean <= nearest &&
                mean - (double)count[typical] <= nearest);
    planes_free(planes, n_planes);
}

static void an_impossible_cell_stops_before_anything_runs(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(&rdp_serial)};
    struct bench_experiment e = {.name = "test/test",
                                 .path = "test.ini",
                                 .problem = &rdp_problem,
                                 .cells = cells,
                                 .n_cells = 2};
    struct bench_options options = {
        .results = folder, .data = "data", .out = null_file, .err = null_file};
    struct bench_env env;
    struct bench_summary summary;
    struct record_session *session = NULL;

    (void)state;
    strcpy(cells[1].plan.input, "nowhere");
    cells[1].line = 17;
    assert_int_equal(bench_env_open(-1, "", &env), BENCH_OK);
    assert_int_equal(suite_open(&env, &options, &session), BENCH_OK);
    assert_int_equal(suite_run(&e, &env, &options, session, &summary), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "test.ini:17"));
    assert_non_null(strstr(bench_failure(), "nowhere"));
    assert_int_equal(summary.n_rows, 0);
    record_close(session);
    bench_env_close(&env);
}

static void an_interrupted_run_counts_what_is_left(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(&rdp_cpu_simd),
                                 cell_of(&rdp_elsewhere)};
    struct bench_summary s = run(cells, 1, false);

    (void)state;
    assert_int_equal(s.n_not_run, 0);
    bench_interrupts = 1;
    assert_int_equal(run_to(NULL, cells, 3, false, &s), BENCH_EINTR);
    bench_interrupts = 0;
    assert_int_equal(s.n_not_run, 3);
    assert_int_equal(s.n_rows, 0);
}

/* ---- the table on the terminal ---- */

static char table[20000];

/* Run, and keep what was printed. */
static void run_printing(struct bench_cell *cells, int n_cells)
{
    FILE *out = fmemopen(table, sizeof table, "w");
    struct bench_summary summary;

    assert_non_null(out);
    assert_int_equal(run_to(out, cells, n_cells, false, &summary), BENCH_OK);
    assert_int_equal(fclose(out), 0);
}

static void set_key(struct bench_cell *cell, const char *name, const char *value)
{
    for (const struct bench_key *key = rdp_problem.keys; key->name; key++)
        if (!strcmp(key->name, name))
            assert_int_equal(bench_params_set(&cell->params, key, value, "test"), BENCH_OK);
}

static size_t widest_line(void)
{
    size_t widest = 0;

    for (const char *at = table; *at; at += strcspn(at, "\n") + 1)
        widest = strcspn(at, "\n") > widest ? strcspn(at, "\n") : widest;
    return widest;
}

static void the_table_has_what_varies(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(&rdp_cpu_simd),
                                 cell_of(&rdp_cpu_simd), cell_of(&rdp_cpu_simd)};

    (void)state;
    for (int i = 0; i < 4; i++)
        cells[i].plan.times = false;
    run_printing(cells, 2); /* nothing varies */
    assert_string_equal(table, "variant      input outcome\n"
                               "rdp/serial   scene verified, no times\n"
                               "rdp/cpu-simd scene verified, no times\n");
    cells[2].plan.threads = 2;
    set_key(&cells[3], "eps", "2.5");
    run_printing(cells, 4);
    assert_string_equal(table, "variant      input outcome                threads eps\n"
                               "rdp/serial   scene verified, no times     1       4\n"
                               "rdp/cpu-simd scene verified, no times     1       4\n"
                               "rdp/cpu-simd scene verified, no times     2       4\n"
                               "rdp/cpu-simd scene verified, no times     1       2.5\n");
    cells[2].plan.threads = 1;
    cells[2].plan.which = BENCH_CASE_WORST;
    cells[3] = cells[1];
    cells[3].plan.batch = 3;
    run_printing(cells, 4);
    assert_string_equal(table, "variant      input case  outcome                batch\n"
                               "rdp/serial   scene all   verified, no times     1\n"
                               "rdp/cpu-simd scene all   verified, no times     1\n"
                               "rdp/cpu-simd scene worst verified, no times     1\n"
                               "rdp/cpu-simd scene all   verified, no times     3\n");
}

/* More keys than an 80-column line has room for. */
static void the_table_fits_the_screen(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial), cell_of(&rdp_cpu_simd),
                                 cell_of(&rdp_cpu_simd)};

    (void)state;
    cells[1].plan.threads = 2;
    set_key(&cells[1], "height", "52");
    set_key(&cells[1], "resample", "nearest");
    set_key(&cells[1], "distance", "perpendicular");
    run_printing(cells, 3); /* the values fit, their names do not */
    assert_ptr_equal(
        strstr(table, "keys, the last columns: threads distance height resample\n"), table);
    assert_non_null(strstr(table, " keys\n"));
    assert_non_null(strstr(table, " 2 perpendicular 52 nearest\n"));
    assert_true(widest_line() <= 80);

    set_key(&cells[1], "eps", "250.53125");
    run_printing(cells, 3);
    assert_ptr_equal(
        strstr(table, "keys, the last columns: threads distance eps height resample\n"), table);
    assert_non_null(strstr(table, " 2 perpendicular 250.5312..\n"));
    assert_int_equal(widest_line(), 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_wrong_variant_is_recorded_and_not_timed, new_folder),
        cmocka_unit_test_setup(a_variant_cannot_verify_itself, new_folder),
        cmocka_unit_test_setup(apply_verifies, new_folder),
        cmocka_unit_test_setup(apply_says_what_is_outside, new_folder),
        cmocka_unit_test_setup(equal_outputs_have_equal_hashes, new_folder),
        cmocka_unit_test_setup(a_reference_among_the_cells_runs_for_all, new_folder),
        cmocka_unit_test_setup(an_untimed_reference_is_compared_with_another_run, new_folder),
        cmocka_unit_test_setup(a_reference_that_does_not_repeat_itself_is_wrong, new_folder),
        cmocka_unit_test_setup(resuming_keeps_what_is_the_same, new_folder),
        cmocka_unit_test_setup(resuming_completes_a_cell_that_was_cut, new_folder),
        cmocka_unit_test_setup(untimed_rows_do_not_stand_for_timed_ones, new_folder),
        cmocka_unit_test_setup(a_batch_counts_per_frame, new_folder),
        cmocka_unit_test_setup(a_row_is_of_one_frame, new_folder),
        cmocka_unit_test_setup(cases_are_chosen_by_counting, new_folder),
        cmocka_unit_test_setup(an_impossible_cell_stops_before_anything_runs, new_folder),
        cmocka_unit_test_setup(an_interrupted_run_counts_what_is_left, new_folder),
        cmocka_unit_test_setup(the_table_has_what_varies, new_folder),
        cmocka_unit_test_setup(the_table_fits_the_screen, new_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
