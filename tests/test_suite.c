/* test_suite.c - whole runs: wrong variants, cases by counting, resuming after a kill */
#include "tests/files.h"
#include "tests/rows.h"
#include "tests/session.h"
#include "tests/suite_run.h"

#include "harness/base/text.h"
#include "harness/inputs/dataset.h"
#include "harness/measure/verify.h"
#include "tests/support.h"

#include <limits.h>
#include <stdatomic.h>
#include <math.h>
#include <unistd.h>

extern const struct bench_impl rdp_serial, rdp_cpu_simd, rdp_omp_columns;

/* ---- the serial variant, its runs counted; from 'spoilt_from' on a bit is wrong ---- */

static int n_states, n_runs, spoilt_from; /* all 0 before a test */

struct counted_state {
    void *serial;
    struct rdp_output *out;
};

static enum bench_status counted_setup(void *opaque, const struct bench_ctx *ctx,
                                       const void *input, void *output)
{
    struct counted_state *s = opaque;

    n_states++;
    s->out = output;
    s->serial = calloc(1, rdp_serial.state_size);
    return s->serial ? rdp_serial.setup(s->serial, ctx, input, output) : BENCH_ENOMEM;
}

static enum bench_status counted_run(void *opaque)
{
    struct counted_state *s = opaque;

    TRY(rdp_serial.run(s->serial));
    if (++n_runs >= spoilt_from)
        s->out->kept[rdp_n_words(s->out->n_rows) * (s->out->n_cols - 1)] ^= 4;
    return BENCH_OK;
}

static void counted_teardown(void *opaque)
{
    struct counted_state *s = opaque;

    if (s->serial)
        rdp_serial.teardown(s->serial);
    free(s->serial);
}

/* Keeps the two ends of the first column alone. */
static enum bench_status ends_run(void *opaque)
{
    struct counted_state *s = opaque;
    uint32_t *kept = s->out->kept;
    int first = 0, last = s->out->n_rows - 1;

    TRY(rdp_serial.run(s->serial));
    while (!rdp_is_kept(kept, first))
        first++;
    while (!rdp_is_kept(kept, last))
        last--;
    memset(kept, 0, (size_t)rdp_n_words(s->out->n_rows) * sizeof *kept);
    kept[first / 32] |= 1u << first % 32;
    kept[last / 32] |= 1u << last % 32;
    s->out->segments[0] = s->out->rounds[0] = 1;
    return BENCH_OK;
}

#define IMPL(id, called, for_target, compared_with)                                  \
    static const struct bench_impl id = {.name = called,                             \
                                         .problem = &rdp_problem,                    \
                                         .target = for_target,                       \
                                         .source = "a test",                         \
                                         .reference = compared_with,                 \
                                         .state_size = sizeof(struct counted_state), \
                                         .setup = counted_setup,                     \
                                         .run = counted_run,                         \
                                         .teardown = counted_teardown}
static const struct bench_impl rdp_ends = {.name = "rdp/ends",
                                           .problem = &rdp_problem,
                                           .source = "a test",
                                           .reference = "rdp/serial",
                                           .other = "one column uncut",
                                           .state_size = sizeof(struct counted_state),
                                           .setup = counted_setup,
                                           .run = ends_run,
                                           .teardown = counted_teardown};
IMPL(rdp_wrong, "rdp/wrong", BENCH_SERIAL, "rdp/serial");
IMPL(rdp_alone, "rdp/alone", BENCH_SERIAL, NULL);
IMPL(rdp_counted, "rdp/serial", BENCH_SERIAL, NULL);
IMPL(rdp_elsewhere, "rdp/elsewhere", BENCH_CUDA, "rdp/serial"); /* for a GPU, not there */

/* ---- references made for others: the next but 'n_before_failure' fails ---- */

static atomic_int n_before_failure = -1; /* -1: none */

enum bench_status __real_bench_once(const struct bench_impl *, const struct bench_params *, int,
                                    struct bench_device *, const void *, void *);
enum bench_status __wrap_bench_once(const struct bench_impl *, const struct bench_params *, int,
                                    struct bench_device *, const void *, void *);

enum bench_status __wrap_bench_once(const struct bench_impl *impl,
                                    const struct bench_params *params, int n_threads,
                                    struct bench_device *device, const void *input,
                                    void *output)
{
    if (n_before_failure >= 0 && n_before_failure-- == 0)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory, says the test");
    return __real_bench_once(impl, params, n_threads, device, input, output);
}

/* ---- runs ---- */

static FILE *null_file;

static enum bench_status run(struct bench_config *configs, int n_configs, bool resume)
{
    const struct bench_options options = {.resume = resume, .out = null_file, .err = null_file};
    struct bench_env env;
    const enum bench_status status = run_configs(configs, n_configs, "", options, &env);

    bench_env_close(&env);
    return status;
}

static bool is_same(int row, int other, const char *column)
{
    return !strcmp(record_get(&rows, row, column), record_get(&rows, other, column));
}

static int new_folder(void **state)
{
    static int n;

    snprintf(folder, sizeof folder, "%s/suite-%d-%d", support_place(), (int)getpid(), n++);
    n_states = n_runs = spoilt_from = 0;
    if (!null_file)
        null_file = fopen("/dev/null", "w");
    return null_file ? 0 : -1;
}

#undef TEST
#define TEST(name) TEST_WITH(name, new_folder, free_rows)

/* ---- tests ---- */

TEST(a_wrong_variant_is_recorded_and_not_timed)
{
    struct bench_config configs[] = {config_of(&rdp_wrong), config_of(&rdp_cpu_simd)};

    run_to_rows(configs, 2, false, 2);
    assert_int_equal(summary.n_wrong, 1);
    assert_int_equal(summary.n_ok, 1); /* one failing variant does not stop the table */
    assert_int_equal(summary.worst, BENCH_EMISMATCH);
    check_row(0, "impl=rdp/wrong|status=wrong|verdict=wrong|median_ms=|output_hash=");
    assert_non_null(strstr(record_get(&rows, 0, "reason"), "column 39"));
    check_row(1, "status=ok|verdict=exact");
    assert_string_not_equal(record_get(&rows, 1, "median_ms"), "");
}

/* A value of a row, by its place; NAN: it has none. */
static double value_of(int row, const char *name)
{
    const char *const path = folder;
    const struct store_files files = {&path, 1, true, NULL, NULL};
    struct text sql = {0};
    struct store *store;
    struct table t;
    double value;

    assert_int_equal(store_read_files(&files, NULL, &store), BENCH_OK);
    query_add(&sql,
              "SELECT v.value FROM measurement AS m JOIN value AS v ON v.measurement = m.id "
              "WHERE m.row_id = %Q AND v.name = %Q",
              record_get(&rows, row, "row_id"), name);
    assert_int_equal(query_table(store, sql.data, &t), BENCH_OK);
    value = t.n_rows ? query_number(&t, 0, "value") : (double)NAN;
    table_free(&t);
    store_close(&store);
    text_free(&sql);
    return value;
}

/* Its values are its own; those of the exact ones before and behind it are not. */
TEST(another_rule_is_recorded_as_such)
{
    struct bench_config configs[] = {config_of(&rdp_cpu_simd), config_of(&rdp_ends),
                                     config_of(&rdp_omp_columns), config_of(&rdp_ends)};

    configs[3].plan.times = false;
    run_to_rows(configs, 4, false, 4);
    check_row(0, "impl=rdp/cpu-simd|verdict=exact");
    check_row(1, "impl=rdp/ends|verdict=other|status=ok|n_wrong=0");
    check_row(2, "impl=rdp/omp-columns|verdict=exact");
    check_row(3, "impl=rdp/ends|verdict=other|median_ms=");
    assert_true(isnan(value_of(0, "equal_pct")) && isnan(value_of(2, "equal_pct")));
    assert_true(value_of(1, "equal_pct") == 97.5 && value_of(3, "equal_pct") == 97.5);
    assert_true(value_of(0, "segments") == value_of(2, "segments"));
    assert_true(value_of(1, "segments") < value_of(0, "segments"));
    assert_true(value_of(1, "max_error_px") > value_of(0, "max_error_px"));
}

/* Before anything runs, and by the line of the configuration. */
TEST(impossible_configs_are_refused)
{
    struct bench_config configs[] = {config_of(&rdp_serial), config_of(&rdp_alone)};
    struct record_table all = {0};

    assert_int_equal(run(configs, 2, false), BENCH_EINPUT);
    assert_string_equal(bench_failure(),
                        "test.ini:0: [test] rdp/alone: expected .reference = \"rdp/serial\", "
                        "found none: a variant cannot verify itself");
    assert_int_equal(summary.n_rows, 0);
    configs[1] = config_of(&rdp_serial);
    strcpy(configs[1].plan.input, "nowhere");
    configs[1].line = 17;
    assert_int_equal(run(configs, 2, false), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "test.ini:17"));
    assert_non_null(strstr(bench_failure(), "nowhere"));
    assert_int_equal(summary.n_rows, 0);
    assert_int_equal(read_folder(folder, &all), BENCH_OK);
    assert_int_equal(all.n_rows, 0);
    record_table_free(&all);
}

/* ---- apply ---- */

/* Apply 'impl' to a small scene: it ends so and says so; points are there if all went well. */
static void check_apply(const struct bench_impl *impl, bool is_off, enum bench_status status,
                        const char *said)
{
    struct bench_verification verification = {.n_threads = 2, .is_off = is_off};
    char csv[1024];
    struct bench_params params = config_of(impl).params;
    const struct bench_app *const app = bench_find_app(&rdp_problem);
    const struct bench_request request = {.impl = impl,
                                          .params = &params,
                                          .image = "scene:1:40x50",
                                          .csv = csv,
                                          .once = bench_once_verified,
                                          .machine = &verification};

    assert_int_equal(text_make_folder(folder), BENCH_OK);
    snprintf(csv, sizeof csv, "%s/points.csv", folder);
    unlink(csv);
    assert_int_equal(bench_params_default(&params, app->keys, "test"), BENCH_OK);
    assert_int_equal(app->apply(&request), status);
    assert_int_equal(access(csv, F_OK) == 0, status == BENCH_OK);
    if (status == BENCH_OK)
        assert_string_equal(verification.outcome, said);
    else
        assert_non_null(strstr(bench_failure(), said));
}

/* RDP as if its outputs were judged by their worth, one of them outside the scatter. */
static enum bench_match by_worth(const struct bench_params *params)
{
    return BENCH_STATISTICAL;
}

static void none_wrong(const struct bench_params *params, const void *input,
                       const void *reference, const void *output,
                       struct bench_difference *difference)
{
    *difference = (struct bench_difference){.n_outside = 1};
}

TEST(apply_verifies)
{
    struct bench_problem worth = rdp_problem;
    struct bench_impl simd = rdp_cpu_simd;

    check_apply(&rdp_wrong, false, BENCH_EMISMATCH,
                "rdp/wrong differs from rdp/serial in 1 values");
    assert_non_null(strstr(bench_failure(), "column 39"));
    check_apply(&rdp_alone, false, BENCH_EINPUT, "a variant cannot verify itself");
    check_apply(&rdp_wrong, true, BENCH_OK, "not verified: --no-verify");

    check_apply(
        &rdp_ends, false, BENCH_OK,
        "verified: by another rule, one column uncut: 39 of 40 columns as in rdp/serial");

    worth.match = by_worth;
    worth.compare = none_wrong;
    simd.problem = &worth;
    check_apply(&simd, false, BENCH_OK,
                "verified: right, but outside the scatter of rdp/serial");
}

/* ---- the reference ---- */

/* It is measured first, whatever its place, and what it gave judges the others. */
TEST(a_reference_among_the_configs_runs_for_all)
{
    struct bench_config configs[] = {config_of(&rdp_cpu_simd), config_of(&rdp_counted)};

    spoilt_from = INT_MAX;
    run_to_rows(configs, 2, false, 2);
    assert_int_equal(n_states, 2 + 1); /* of two frames, and of one that is changed */
    check_row(0, "impl=rdp/serial|verdict=reference");
    check_row(1, "impl=rdp/cpu-simd|verdict=exact");
    assert_true(is_same(0, 1, "work_ops"));
    assert_true(is_same(0, 1, "input_hash"));
    assert_true(is_same(0, 1, "output_hash"));
}

TEST(a_reference_that_does_not_repeat_itself_is_wrong)
{
    struct bench_config configs[] = {config_of(&rdp_counted), config_of(&rdp_cpu_simd)};

    spoilt_from = 4;
    run_to_rows(configs, 2, false, 2);
    assert_int_equal(summary.n_wrong, 1);
    check_row(0, "verdict=wrong");
    check_row(1, "verdict=exact"); /* of one made for it */

    /* untimed it would run once, and be compared with nothing */
    configs[0].plan.times = false;
    n_states = n_runs = 0; /* the second run of the second frame is spoilt */
    run_to_rows(configs, 1, false, 1);
    assert_int_equal(n_states, 4);
    assert_int_equal(summary.n_wrong, 1);
    check_row(0, "verdict=wrong");
}

/* The reference fails in any frame: nothing is compared with an output that was not written. */
TEST(a_reference_that_fails_is_said)
{
    for (int frame = 0; frame < 2; frame++) {
        struct bench_config configs[] = {config_of(&rdp_cpu_simd), config_of(&rdp_omp_columns)};

        n_before_failure = frame;
        run_to_rows(configs, 2, false, 2);
        assert_int_equal(n_before_failure, -1);
        check_row(0, "status=failed|reason=the reference rdp/serial: no memory, says the test");
        check_row(1, "status=ok|verdict=exact"); /* made anew */
    }
}

/* ---- a rank without a GPU ---- */

/* A group with a GPU variant is left as a whole, since it is measured side by side; what stands
 * apart is not.  No row of what is left ends its configuration. */
TEST(what_wants_a_gpu_is_left)
{
    const struct launcher_rank rank = {.launcher = "hand", .size = 2};
    struct bench_config configs[] = {config_of(&rdp_elsewhere), config_of(&rdp_serial),
                                     config_of(&rdp_serial)};
    struct bench_options options = {.rank = &rank, .out = null_file, .err = null_file};
    struct bench_env env;

    set_key(&configs[2], "eps", "1"); /* a group of its own: of the other rank */
    assert_int_equal(run_configs(configs, 3, "", options, &env), BENCH_OK);
    bench_env_close(&env);
    read_rows();
    assert_int_equal(rows.n_rows, 2);
    check_row(0, "impl=rdp/serial|rank=0|ranks=2|share_ranks=2|share_config=1|share_configs=|"
                 "status=skipped|reason=its group wants a GPU: no GPU in this test");
    check_row(1, "impl=rdp/elsewhere|share_config=2|share_configs=|status=skipped|"
                 "reason=no GPU in this test");
    assert_int_equal(summary.n_left, 2);
    assert_int_equal(summary.n_others, 1);
    for (int i = 0; i < 3; i++)
        configs[i].plan.times = false; /* then nothing is side by side, and inputs are shared */
    assert_int_equal(run_configs(configs, 3, "", options, &env), BENCH_OK);
    bench_env_close(&env);
    read_rows();
    assert_int_equal(rows.n_rows, 3);
    check_row(
        0, "impl=rdp/serial|status=part|share_configs=3|n_inputs=1|stage=inputs 1 to 1 of 2");
    check_row(1, "impl=rdp/elsewhere|status=skipped|share_configs=|stage=inputs 1 to 1 of 2");
    check_row(2, "impl=rdp/serial|status=part|share_config=3|share_configs=3");
}

/* ---- resuming ---- */

/* A skipped row is tried again, and not written twice. */
TEST(skipped_rows_are_tried_again)
{
    struct bench_config configs[] = {config_of(&rdp_serial), config_of(&rdp_elsewhere)};

    for (int resume = 0; resume < 2; resume++) {
        run_to_rows(configs, 2, resume, 2);
        assert_int_equal(summary.n_kept, resume);
        assert_int_equal(summary.n_ok, !resume);
        assert_int_equal(summary.n_skipped, 1);
        check_row(1, "status=skipped|reason=no GPU in this test");
    }
}

/* Leave the header and the first n_rows rows, as a kill would. */
static void cut_rows(int n_rows)
{
    char path[1024], line[8000];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s.csv", folder, summary.session);
    file = fopen(path, "r");
    for (int i = 0; i <= n_rows; i++)
        assert_true(fgets(line, sizeof line, file) && strchr(line, '\n'));
    assert_int_equal(truncate(path, ftell(file)), 0);
    fclose(file);
}

/* Rows of a configuration that a kill left stay, and the others come, once each. */
TEST(resuming_completes_a_config_that_was_cut)
{
    struct bench_config config = config_of(&rdp_cpu_simd);
    int n_stages = 0, n_rows;

    config.plan.scopes |= 1u << BENCH_END_TO_END;
    config.plan.series |= 1u << BENCH_HOT;
    config.plan.stages = true;
    assert_int_equal(run(&config, 1, false), BENCH_OK);
    read_rows();
    n_rows = rows.n_rows;
    for (int i = 0; i < n_rows; i++)
        n_stages += record_get(&rows, i, "stage")[0] != '\0';
    assert_true(n_rows > 4 && n_stages > 0 && n_stages < n_rows);
    for (int n = 1; n <= n_rows; n++) {
        cut_rows(n);
        run_to_rows(&config, 1, true, n_rows);
        assert_int_equal(summary.n_rows, n_rows - n);
        assert_int_equal(summary.n_kept, n == n_rows);
        for (int i = 0; i < n_rows; i++)
            for (int k = 0; k < i; k++)
                assert_false(is_same(i, k, "scope") && is_same(i, k, "series") &&
                             is_same(i, k, "stage"));
    }
}

/* ---- rows ---- */

/* The date of the commit, and what a row and a note say of the clock. */
TEST(a_clock_before_the_commit_is_said)
{
    static const char *const cases[][2] = {
        {"2001-09-09T01:46:40+00:00", "0"}, {"2999-01-01T00:00:00-11:30", "1"}, {"", ""}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bench_options options = {.results = folder};
        struct record_session *session;
        struct record_row *row;
        struct bench_env env;
        struct bench_build build = *bench_build();
        struct text notes = {0};

        assert_int_equal(bench_env_open(-1, "", &env), BENCH_OK);
        build.commit_date = cases[i][0];
        env.build = &build;
        bench_env_warnings(&env, &notes);
        text_add(&notes, "\n");
        assert_int_equal(strstr(notes.data, "the clock is before") != NULL,
                         cases[i][1][0] == '1');
        text_free(&notes);
        assert_int_equal(suite_open(&env, &options, &session), BENCH_OK);
        snprintf(summary.session, sizeof summary.session, "%s", record_session_name(session));
        row = record_row_new(session);
        bench_env_row(&env, row);
        assert_int_equal(record_write(session, row), BENCH_OK);
        record_row_free(row);
        assert_int_equal(suite_close(&env, session), BENCH_OK);
        bench_env_close(&env);
        read_rows();
        assert_string_equal(record_get(&rows, 0, "clock_behind"), cases[i][1]);
    }
}

/* The median of a row's three samples, ns. */
static double middle_sample(int row)
{
    char path[1024], *samples;
    double ns[3] = {0};
    int n = 0, id;

    snprintf(path, sizeof path, "%s/%s.samples.csv.gz", folder, summary.session);
    samples = unpack(path);
    for (const char *line = samples; n < 3 && (line = strchr(line, '\n')) != NULL; line++)
        n += sscanf(line, "\n\"r%d\",\"%*d\",\"%lf", &id, &ns[n]) == 2 && id == row + 1;
    free(samples);
    assert_int_equal(n, 3);
    return fmax(fmin(ns[0], ns[1]), fmin(fmax(ns[0], ns[1]), ns[2]));
}

/* Times, rate, samples and work are of one frame, whether frames come as a batch or in turn. */
TEST(a_row_is_of_one_frame)
{
    struct bench_config configs[] = {config_of(&rdp_serial), config_of(&rdp_serial),
                                     config_of(&rdp_serial)};

    configs[0].plan.max_frames = configs[1].plan.max_frames = 1;
    configs[1].plan.batch = 5;
    run_to_rows(configs, 3, false, 3); /* the last: two in turn */
    check_row(0, "n_frames=1");
    check_row(1, "n_frames=5");
    assert_true(is_same(0, 1, "work_ops"));
    for (int i = 0; i < 3; i++) {
        double mean, median, fps, sample;

        assert_true(text_to_number(record_get(&rows, i, "mean_ms"), &mean));
        assert_true(text_to_number(record_get(&rows, i, "median_ms"), &median));
        assert_true(text_to_number(record_get(&rows, i, "fps"), &fps));
        sample = 1e-6 * middle_sample(i);
        assert_true(fps * mean > 999.99 && fps * mean < 1000.01);
        assert_true(sample > 0.99 * median - 2e-6 && sample < 1.01 * median + 2e-6);
        assert_true(is_same(i, 0, "work_bytes"));
    }
}

TEST(cases_are_chosen_by_counting)
{
    static const enum bench_frame_pick cases[] = {BENCH_PICK_BEST, BENCH_PICK_WORST,
                                                  BENCH_PICK_TYPICAL};
    struct bench_params params = config_of(&rdp_serial).params;
    struct suite_frames frames = {.n = 0};
    uint64_t count[8];
    double mean = 0;
    int n, found[3];

    assert_int_equal(suite_frames_open(&frames, "scene", "data", 0, 0, 0), BENCH_OK);
    n = frames.n;
    assert_in_range(n, 2, 8);
    assert_int_equal(suite_frames_load(&frames, 0, n), BENCH_OK);
    for (int i = 0; i < n; i++) {
        const struct plane *const frame = suite_frame(&frames, i);
        void *input;

        assert_int_equal(rdp_problem.make_input(&params, &frame, 1, &input), BENCH_OK);
        assert_int_equal(rdp_problem.rank(input, &count[i]), BENCH_OK);
        rdp_problem.free_input(input);
        mean += (double)count[i] / n;
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(suite_pick(&rdp_problem, &params, &frames, cases[i], &found[i]), 0);
    assert_true(count[found[0]] < count[found[1]]); /* or the test would say nothing */
    for (int i = 0; i < n; i++) {
        assert_true(count[i] >= count[found[0]]);
        assert_true(count[i] <= count[found[1]]);
        assert_true(fabs((double)count[i] - mean) >= fabs((double)count[found[2]] - mean));
    }
    suite_frames_close(&frames);
}
