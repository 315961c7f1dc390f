/*
 * test_ranges.c - a configuration whose frames are taken range by range: the same sums,
 * values and row as all frames at once, bit for bit, and no more inputs in memory than a range
 */
#include "tests/same_sums.h"
#include "tests/suite_run.h"

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/problems/rdp/rdp.h"
#include "harness/suite/suite_private.h"
#include "tests/support.h"

#include <math.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>
#include <xxhash.h>

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define RANGE       8
#define N_FRAMES    19 /* two ranges and a part of one */

/* ---- a process of its own ---- */

static struct bench_env env;
static int n_runs; /* of a variant below */

static int new_folder(void **state)
{
    static int n;

    snprintf(folder, sizeof folder, "%s/%d", getenv("DEPTHBENCH_HOME"), n++);
    options =
        (struct bench_options){.data = "data", .out = notes, .err = notes, .range = RANGE};
    n_runs = 0;
    return text_make_folder(folder) != BENCH_OK;
}

#undef TEST
#define TEST(name) TEST_WITH(name, new_folder, NULL)

static struct run new_run(const struct bench_experiment *e, struct bench_result *result)
{
    return (struct run){.experiment = e,
                        .env = &env,
                        .options = &options,
                        .summary = &summary,
                        .host.machine = {.n_cores = 2},
                        .task = {.config = e->configs, .result = result}};
}

static void leave_run(struct run *run)
{
    suite_drop_group(&run->group);
    suite_frames_close(&run->group.frames);
}

/* A configuration of all frames of the input, without times. */
static struct bench_config config_of_values(const struct bench_impl *impl, const char *keys)
{
    struct bench_config config = config_with(impl, keys);

    strcpy(config.plan.input, "many");
    config.plan.max_frames = 0;
    config.plan.times = false;
    return config;
}

/* ---- cuts ---- */

/* Ranges, range k from begin[k] to begin[k + 1] - 1, each by a process of its own. */
static void sum_up(struct bench_config *config, const int *order, int n_ranges,
                   const int *begin, struct bench_sums *sums)
{
    const struct bench_experiment e = experiment_of(config, 1);

    for (int k = 0; k < n_ranges; k++) {
        const int range = order[k];
        struct bench_result result = {.verified = false};
        struct run run = new_run(&e, &result); /* which knows nothing of the others */
        struct bench_sums part = {0};

        assert_int_equal(suite_enter_group(&run), BENCH_OK);
        assert_int_equal(run.group.n_all, N_FRAMES);
        if (suite_sum(&run, begin[range], begin[range + 1], &part))
            fail_msg("%s", bench_failure());
        assert_true(result.verified);
        assert_true(run.group.n_inputs <= RANGE);
        bench_sums_merge(sums, &part);
        bench_sums_free(&part);
        leave_run(&run);
    }
}

/* The begins of ranges, of which so many in N_FRAMES frames do, and the ranges in any order. */
static int cut(uint32_t seed, uint32_t likely, int *begin, int *order)
{
    int n = 0;

    for (int i = 0; i < N_FRAMES; i++)
        if (i == 0 ||
            bench_below(bench_philox(seed, (uint32_t)i, 0, 0, 0).word[0], N_FRAMES) < likely)
            begin[n++] = i;
    begin[n] = N_FRAMES;
    for (int i = 0; i < n; i++) {
        const int other =
            (int)bench_below(bench_philox(seed, (uint32_t)i, 1, 0, 0).word[0], (uint32_t)i + 1);

        order[i] = order[other];
        order[other] = i;
    }
    return n;
}

static void check_cuts(const char *impl, const char *keys)
{
    static const uint32_t likely[] = {0, 1, 3, 7, N_FRAMES};
    static const int all_of_them[] = {0, N_FRAMES}, first[] = {0};
    struct bench_config config = config_of_values(bench_find_impl(impl), keys);
    const struct bench_experiment e = experiment_of(&config, 1);
    OWNED(bench_sums_free) struct bench_sums expected = {0};

    sum_up(&config, first, 1, all_of_them, &expected);
    assert_true(expected.n > N_FRAMES);
    for (uint32_t i = 0; i < 5; i++) {
        int begin[N_FRAMES + 1], order[N_FRAMES];
        struct bench_sums sums = {0};
        struct bench_result result = {.verified = true};
        struct run run = new_run(&e, &result);

        sum_up(&config, order, cut(i, likely[i], begin, order), begin, &sums);
        assert_same_sums(&sums, &expected);

        assert_int_equal(suite_enter_group(&run), BENCH_OK);
        assert_int_equal(suite_conclude(&run, &sums, 0, N_FRAMES), BENCH_OK);
        assert_true(run.group.values.n > 3);
        bench_sums_merge(&sums, &expected); /* a part that comes twice */
        assert_int_equal(suite_conclude(&run, &sums, 0, N_FRAMES), BENCH_EINPUT);
        bench_sums_free(&sums);
        leave_run(&run);
    }
}

TEST(cuts_of_rdp)
{
    check_cuts("rdp/serial", "eps=1");
    check_cuts("rdp/cpu-simd", "eps=3, distance=perpendicular");
}

TEST(cuts_of_stixels)
{
    check_cuts("stixels/serial", "arith=exact, classes=5");
    check_cuts("stixels/openmp", "classes=5");
}

TEST(cuts_of_som)
{
    check_cuts("som/rounds", "rounds=20, sigma=3");
}

/* ---- what is in memory ---- */

static int n_live, most_live, n_made;

static enum bench_status make_counted(const struct bench_params *params,
                                      const struct plane *const *frames, int n_frames,
                                      void **input)
{
    TRY(rdp_problem.make_input(params, frames, n_frames, input));
    n_made++;
    n_live++;
    most_live = MAX(n_live, most_live);
    return BENCH_OK;
}

static void free_counted(void *input)
{
    n_live -= input != NULL;
    rdp_problem.free_input(input);
}

/* RDP's reference, of a problem that counts its inputs. */
static struct bench_impl counted_impl(struct bench_problem *problem)
{
    struct bench_impl impl = *bench_find_impl("rdp/serial");

    *problem = rdp_problem;
    problem->make_input = make_counted;
    problem->free_input = free_counted;
    impl.problem = problem;
    n_live = most_live = n_made = 0;
    return impl;
}

TEST(inputs_of_a_range_are_in_memory)
{
    static const enum bench_frame_pick cases[] = {BENCH_PICK_ALL, BENCH_PICK_WORST};
    struct bench_problem problem;
    const struct bench_impl impl = counted_impl(&problem);
    struct bench_config config = config_of_values(&impl, "eps=1");
    const struct bench_experiment e = experiment_of(&config, 1);

    for (int i = 0; i < 2; i++) {
        struct bench_sums sums = {0};
        struct bench_result result = {.verified = false};
        struct run run = new_run(&e, &result);

        config.plan.which = cases[i];
        n_made = most_live = 0;
        assert_int_equal(suite_enter_group(&run), BENCH_OK);
        assert_int_equal(suite_sum(&run, 0, run.group.n_all, &sums), BENCH_OK);
        assert_int_equal(n_made, i == 0 ? N_FRAMES : N_FRAMES + 1); /* each is ranked */
        assert_int_equal(most_live, i == 0 ? RANGE : 1);
        assert_true(run.group.frames.n_planes <= RANGE);
        bench_sums_free(&sums);
        leave_run(&run);
        assert_int_equal(n_live, 0);
    }
}

/* By the size of an input: these are so small that they are all there together. */
TEST(as_many_inputs_as_fit)
{
    struct bench_config config = config_of_values(bench_find_impl("rdp/serial"), "eps=1");
    const struct bench_experiment e = experiment_of(&config, 1);
    struct run run = new_run(&e, NULL);
    int n;

    options.range = 0;
    assert_int_equal(suite_enter_group(&run), BENCH_OK);
    assert_int_equal(suite_range(&run, 0, &n), BENCH_OK);
    assert_int_equal(n, N_FRAMES);
    assert_true(run.group.bytes >= 2 * 2 * 64 * 40 && run.group.bytes < 10 * 2 * 64 * 40);
    assert_int_equal(run.group.frame_bytes, (2 + 2 + 1 + 1) * 64 * 40);
    run.group.bytes = SUITE_RANGE_BYTES / 11 - run.group.frame_bytes;
    assert_int_equal(suite_range(&run, 0, &n), BENCH_OK);
    assert_int_equal(n, 11);
    run.group.bytes = SUITE_RANGE_BYTES;
    assert_int_equal(suite_range(&run, 0, &n), BENCH_OK);
    assert_int_equal(n, SUITE_RANGE);
    leave_run(&run);
}

/* ---- rows ---- */

static void hash_inputs(const struct bench_params *params, uint64_t hash[N_FRAMES])
{
    struct suite_frames frames = {.n = 0};

    assert_int_equal(suite_frames_open(&frames, "many", "data", 0, 0, 0), BENCH_OK);
    assert_int_equal(suite_frames_load(&frames, 0, N_FRAMES), BENCH_OK);
    for (int i = 0; i < N_FRAMES; i++) {
        const struct plane *const frame = suite_frame(&frames, i);
        void *input;

        assert_int_equal(rdp_problem.make_input(params, &frame, 1, &input), BENCH_OK);
        hash[i] = bench_hash_input(&rdp_problem, input, 0);
        rdp_problem.free_input(input);
    }
    suite_frames_close(&frames);
}

static void check_hash(const struct bench_params *params)
{
    uint64_t hash[N_FRAMES], all = 0;
    char expected[20];

    hash_inputs(params, hash);
    for (int i = 0; i < N_FRAMES; i++)
        all = XXH64(&hash[i], sizeof *hash, all);
    snprintf(expected, sizeof expected, "%016llx", (unsigned long long)all);
    assert_string_equal(record_get(&rows, rows.n_rows - 1, "input_hash"), expected);
}

/* With times all inputs are there at once; their row says the same. */
TEST(the_row_is_of_all_frames)
{
    static const char *const columns[] = {"input_hash", "output_hash", "n_inputs",
                                          "n_frames",   "work_bytes",  "work_ops",
                                          "max_err",    "n_wrong",     "verdict"};
    struct bench_problem problem;
    const struct bench_impl impl = counted_impl(&problem);
    struct bench_config config = config_of_values(&impl, "eps=1");
    char field[N_OF(columns)][40];

    run_to_rows(&config, 1, false, 1);
    check_hash(&config.params);
    assert_string_equal(record_get(&rows, 0, "status"), "ok");
    assert_string_equal(record_get(&rows, 0, "n_inputs"), "19");
    assert_int_equal(most_live, RANGE);
    for (int i = 0; i < N_OF(columns); i++)
        snprintf(field[i], sizeof *field, "%s", record_get(&rows, 0, columns[i]));

    run_to_rows(&config, 1, true, 1); /* its identity is found range by range, too */
    assert_int_equal(summary.n_kept, 1);
    assert_int_equal(most_live, RANGE);

    config.plan.times = true;
    config.plan.series = 1u << BENCH_FRAMES;
    config.plan.scopes = 1u << BENCH_KERNEL;
    config.plan.min_samples = config.plan.max_samples = 1;
    config.plan.timeout_s = 100;
    run_to_rows(&config, 1, false, 1);
    assert_int_equal(most_live, N_FRAMES);
    for (int i = 0; i < N_OF(columns); i++)
        assert_string_equal(record_get(&rows, 0, columns[i]), field[i]);
}

/* The memory on the GPU differs for each way to cut the inputs; the host's is no variant's. */
TEST(memory_is_of_timed_rows)
{
    static const char *const expected[] = {"", "7"};
    struct bench_config config = config_of_values(bench_find_impl("rdp/gpu-opt"), "eps=1");
    const struct bench_experiment e = experiment_of(&config, 1);
    struct bench_result result = {.device_bytes = 7};
    char path[1200];

    for (int times = 0; times < 2; times++) {
        struct run run = new_run(&e, &result);
        struct record_row *row;

        config.plan.times = times;
        run.task.host_peak_bytes = 8;
        options.results = folder;
        assert_int_equal(suite_open(&env, &options, &run.session), BENCH_OK);
        row = suite_new_row(&run);
        suite_result_fields(&run, row);
        assert_int_equal(record_write(run.session, row), BENCH_OK);
        record_table_free(&rows);
        snprintf(path, sizeof path, "%s/%s.csv", folder, record_session_name(run.session));
        assert_int_equal(record_read(path, true, &rows), BENCH_OK);
        assert_string_equal(record_get(&rows, 0, "device_bytes"), expected[times]);
        assert_string_equal(record_get(&rows, 0, "host_peak_bytes"), "");
        record_row_free(row);
        assert_int_equal(record_close(run.session), BENCH_OK);
    }
}

/* ---- a variant that is wrong in one frame ---- */

extern const struct bench_impl rdp_serial;

static uint64_t spoilt_hash; /* of the input whose output is wrong */

static struct bench_impl rdp_spoilt; /* rdp/serial but for these */
static void *spoilt_state;           /* that of the input whose output is wrong, and its rows */
static uint32_t *spoilt_kept;

static enum bench_status spoilt_setup(void *state, const struct bench_ctx *ctx,
                                      const void *input, void *output)
{
    if (bench_hash_input(&rdp_problem, input, 0) == spoilt_hash) {
        spoilt_state = state;
        spoilt_kept = ((struct rdp_output *)output)->kept;
    } else if (state == spoilt_state) {
        spoilt_state = NULL;
    }
    return rdp_serial.setup(state, ctx, input, output);
}

static enum bench_status spoilt_run(void *state)
{
    TRY(rdp_serial.run(state));
    if (state == spoilt_state)
        *spoilt_kept ^= 4;
    n_runs++;
    return BENCH_OK;
}

static void run_spoilt(int frame)
{
    struct bench_config config;
    uint64_t hash[N_FRAMES];

    rdp_spoilt = rdp_serial;
    rdp_spoilt.name = "rdp/spoilt";
    rdp_spoilt.reference = "rdp/serial";
    rdp_spoilt.setup = spoilt_setup;
    rdp_spoilt.run = spoilt_run;
    config = config_of_values(&rdp_spoilt, "eps=1");
    hash_inputs(&config.params, hash);
    spoilt_hash = hash[frame];
    run_to_rows(&config, 1, false, 1);
}

/* A rank verifies its own inputs, and no other; -1: there are no ranks. */
TEST(a_late_frame_is_verified)
{
    static const struct {
        int rank, n_runs;
        const char *stage, *status;
    } cases[] = {{-1, N_FRAMES - 1, "", "wrong"},
                 {0, N_FRAMES / 2, "inputs 1 to 9 of 19", RECORD_PART},
                 {1, N_FRAMES - 1 - N_FRAMES / 2, "inputs 10 to 19 of 19", "wrong"}};

    struct bench_config config;

    for (int i = 0; i < N_OF(cases); i++) {
        const struct launcher_rank rank = {
            .launcher = "hand", .rank = cases[i].rank, .size = 2};

        options.rank = rank.rank < 0 ? NULL : &rank;
        n_runs = 0;
        run_spoilt(N_FRAMES - 2);
        assert_string_equal(record_get(&rows, 0, "stage"), cases[i].stage);
        assert_string_equal(record_get(&rows, 0, "status"), cases[i].status);
        assert_int_equal(summary.n_wrong, cases[i].rank != 0);
        assert_int_equal(n_runs, cases[i].n_runs);
        if (rank.rank >= 0)
            continue;
        assert_string_equal(record_get(&rows, 0, "n_wrong"), "1");
        config = config_of_values(&rdp_spoilt, "eps=1");
        check_hash(&config.params);
    }
}

/* ---- numbers ---- */

TEST(numbers_survive_text)
{
    const bench_wide half = (bench_wide)1 << 126, most = half - 1 + half;
    const bench_wide values[] = {
        0, 1, -1, 10, INT64_MAX, (bench_wide)UINT64_MAX + 1, most, -most, -most - 1};
    static const char *const none[] = {
        "", "-", "1e3", " 1", "1 ", "+1", "12-", "170141183460469231731687303715884105728"};
    char text[BENCH_WIDE_TEXT];
    bench_wide value;

    for (int i = 0; i < N_OF(values); i++) {
        bench_wide_text(values[i], text);
        assert_true(bench_wide_read(text, &value) && value == values[i]);
    }
    assert_string_equal(text, "-170141183460469231731687303715884105728");
    for (int i = 0; i < N_OF(none); i++)
        assert_false(bench_wide_read(none[i], &value));
}

TEST(numbers_that_are_not_whole)
{
    static const double exact[] = {0, 1, -1, 0.1, 1.0 / 3, 1e15, -1e15, -123456.789e-3};
    static const double beyond[] = {NAN, INFINITY, -INFINITY, 1e19, -1e19};

    for (int i = 0; i < N_OF(exact); i++) {
        const double error = bench_wide_real(bench_wide_fixed(exact[i])) - exact[i];

        assert_true(error <= 0x1p-57 && error >= -0x1p-57);
    }
    for (int i = 0; i < N_OF(beyond); i++)
        assert_true(isnan(bench_wide_real(bench_wide_fixed(beyond[i]) + 7)));
}

TEST(the_greatest_counts)
{
    struct bench_sums sums = {0}, more = {0};
    struct {
        double part, part_max;
    } given = {0.5, 1e-300}, found = {0, 0};
    const struct bench_member members[] = {
        {"part", 0, sizeof(double), true},
        {"part_max", sizeof(double), sizeof(double), true},
        {NULL, 0, 0, false},
    };

    bench_sums_add(&sums, "n", -1, 3);
    bench_sums_add(&sums, "n_max", 2, 3);
    bench_sums_add(&more, "n_max", 2, 2);
    bench_sums_add(&more, "n", -1, 2);
    bench_sums_add(&more, "n", 2, -7);
    bench_sums_pack(&sums, members, &given);
    given.part_max = 1e-301;
    bench_sums_pack(&more, members, &given);
    bench_sums_merge(&sums, &more);
    assert_true(bench_sums_get(&sums, "n", -1) == 5);
    assert_true(bench_sums_get(&sums, "n", 2) == -7);
    assert_true(bench_sums_get(&sums, "n_max", 2) == 3);
    assert_true(bench_sums_get(&sums, "n_max", -1) == 0);
    bench_sums_unpack(&sums, members, &found);
    assert_true(found.part == 1 && found.part_max == 1e-300);
    bench_sums_free(&sums);
    bench_sums_free(&more);
}

/* A home with one input, of many small frames. */
static int enter(void **state)
{
    static const char input[] = "kind = scene\nwidth = 64\nheight = 40\nseed = 3\n"
                                "frames = 19\nlevel = hard\nsteep = 1\n";
    OWNED(text_free) struct text text = {0};
    char home[600], path[700];

    snprintf(home, sizeof home, "%s/ranges-%d", support_place(), (int)getpid());
    snprintf(path, sizeof path, "%s/experiments/inputs", home);
    if (setenv("DEPTHBENCH_HOME", home, 1) || text_make_folder(path))
        return -1;
    snprintf(path, sizeof path, "%s/experiments/inputs/many.ini", home);
    text_add(&text, input);
    notes = fopen("/dev/null", "w");
    if (text_replace_file(path, &text) || !notes)
        return -1;
    return bench_env_open(-1, "", &env) != BENCH_OK;
}

static int leave(void **state)
{
    record_table_free(&rows);
    bench_env_close(&env);
    support_remove(getenv("DEPTHBENCH_HOME"));
    return fclose(notes);
}

int main(void)
{
    return run_all_tests(enter, leave);
}
