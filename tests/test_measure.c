/* test_measure.c - verification, stop rule, series, scopes, stages, on a toy that cheats */
#include "harness/platform/threads.h"
#include "tests/toy_variant.h"

static void plan_more(void)
{
}

static void set_costs(double a, double b, double c)
{
    memcpy(with.cost, (double[]){a, b, c}, sizeof with.cost);
}

/* All samples of the only row and what is made of them are 'ms'. */
static void all_are(double ms, int reps)
{
    const struct bench_timing *const t = measure_one();

    assert_int_equal(t->reps, reps);
    for (int i = 0; i < t->n; i++)
        assert_near("a sample, ns", t->ns[i], 1e6 * ms);
    assert_near("min", t->stat.min, ms);
    assert_near("median", t->stat.median, ms);
    assert_near("mean", t->stat.mean, ms);
    assert_near("max", t->stat.max, ms);
    assert_near("first", t->first_ms, ms);
}

static void assert_stages(const char *const *stage, int n)
{
    assert_int_equal(config.result.n_timings, n);
    for (int i = 0; i < n; i++)
        assert_string_equal(config.result.timing[i].stage, stage[i]);
}

/* ---- verification ---- */

/* A cheat that shows at once is run once, and never timed.  The last run is verified, too. */
TEST(cheats_are_found)
{
    static const struct {
        enum cheat cheat;
        int from; /* 0: the last run of all */
        bool stages;
        enum bench_status status;
        int n_runs; /* 0: more */
        const char *words;
    } cases[] = {
        {ENDS_EARLY, 1, false, BENCH_EMISMATCH, 1, "toy/variant"},
        {IDLE, 1, false, BENCH_EMISMATCH, 1, "toy/variant"},
        {IDLE, 2, false, BENCH_EMISMATCH, 0, "toy/variant"},
        {IDLE, 0, false, BENCH_EMISMATCH, 0, "in a fresh run after the timing"},
        {WRONG_SUM, 5, false, BENCH_EMISMATCH, 0, "toy/variant"},
        {ANOTHER_IN_STAGES, 1, false, BENCH_OK, 0, ""},
        {ANOTHER_IN_STAGES, 1, true, BENCH_EMISMATCH, 0, "in the pass of stages"},
        {NOT_FOR_THIS_CONFIG, 1, false, BENCH_ESKIP, 0, "not for this configuration"},
        {FAILS, 1, false, BENCH_ENOMEM, 1, "no memory, said the variant"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int n = 1; n <= 2; n++) {
            int last;

            anew(n);
            expect(BENCH_OK, "");
            last = with.n_runs_of[0];
            anew(n);
            with.cheat = cases[i].cheat;
            with.cheats_from = cases[i].from ? cases[i].from : last;
            config.plan.stages = cases[i].stages;
            expect(cases[i].status, cases[i].words);
            assert_int_equal(config.result.verified, cases[i].status == BENCH_OK);
            assert_int_equal(config.result.difference.n_wrong > 0,
                             cases[i].status == BENCH_EMISMATCH);
            if (cases[i].n_runs > 0) {
                assert_int_equal(with.n_runs, cases[i].n_runs);
                assert_int_equal(config.result.n_timings, 0);
            }
        }
}

/* Each of the inputs is compared, before and after. */
TEST(no_input_is_left_out)
{
    anew(3);
    config.plan.times = false;
    expect(BENCH_OK, "");
    assert_int_equal(config.result.n_timings, 0);
    assert_int_equal(with.n_runs, 3);
    assert_int_equal(config.result.difference.n_compared, 3 * N);
    assert_int_equal(config.result.difference.n_different, 1 + 2 + 3);
    /* of the first: no greater number hides it */
    assert_true(isnan(config.result.difference.max_error));
    for (int k = 0; k < MAX_INPUTS; k++) {
        anew(3);
        with.cheat = WRONG_SUM;
        with.cheats_from = 2;
        with.cheats_on = k;
        expect(BENCH_EMISMATCH, "after the timed runs");
        assert_false(config.result.verified);
        anew(3);
        config.reference[k].sum++;
        expect(BENCH_EMISMATCH, "");
        assert_int_equal(config.result.difference.n_wrong, 1);
    }
}

/* The hash is of all blocks of all outputs, in their order, and of nothing else. */
TEST(the_hash_is_of_all_outputs)
{
    struct toy_output a = {{1}, 2, 3}, like = {{1}, 2, 4}, other[] = {{{1}, 3, 3}, {{2}, 2, 3}};
    const uint64_t hash = bench_hash_output(&toy, &a, 0);
    uint64_t all;

    assert_int_equal(bench_hash_output(&toy, &like, 0), hash);
    assert_int_not_equal(bench_hash_output(&toy, &other[0], 0), hash);
    assert_int_not_equal(bench_hash_output(&toy, &other[1], 0), hash);
    bench_poison(&toy, &a, 0xA5);
    assert_true(a.twice[0] == (int)0xA5A5A5A5 && a.sum == a.twice[0] && a.guard == 3);

    anew(3);
    expect(BENCH_OK, "");
    all = config.result.output_hash;
    for (int k = 0; k < MAX_INPUTS; k++) {
        anew(3);
        config.in[k].value[N - 1]++;
        toy_double(&config.in[k], &config.reference[k]);
        expect(BENCH_OK, "");
        assert_int_not_equal(config.result.output_hash, all);
    }
}

/* ---- a frame that is changed ---- */

static struct bench_problem moving;
static struct bench_impl remembering;

/* Measures the variant, of a problem whose frames have arrays. */
static void measure_memory_of(enum toy_memory kind, enum bench_status status, const char *words)
{
    moving = toy;
    moving.make_output = toy_make_output;
    moving.free_output = free;
    moving.places = toy_places;
    moving.ingest = NULL;
    remembering = variant;
    remembering.problem = &moving;
    with.memory = kind;
    ends(&remembering, status, words);
}

/* None gets a row, whatever the series; one that forgets has its own times and frame. */
TEST(what_remembers_is_found)
{
    static const struct {
        enum toy_memory memory;
        const char *words;
    } cases[] = {{KEEPS_ONE, "does not give that frame's output"},
                 {KEEPS_TWO, "remembers what it has seen"}};

    for (int series = BENCH_COLD; series <= BENCH_SUSTAINED; series++)
        for (int n = 1; n <= 2; n++) {
            for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                anew(n);
                config.plan.series = 1u << series;
                measure_memory_of(cases[i].memory, BENCH_EMISMATCH, cases[i].words);
                assert_false(config.result.verified);
                assert_int_equal(config.result.difference.n_wrong, 1);
                assert_int_equal(config.in[0].value[0], 1); /* as it was */
            }
            anew(n);
            set_costs(n == 1 ? 1.5 : 1, 2, 6);
            config.plan.series = 1u << series;
            measure_memory_of(FORGETS, BENCH_OK, "");
            assert_true(config.result.timing[0].is_changed);
            assert_near("median", config.result.timing[0].stat.median, 1.5);
            assert_memory_equal(config.out[0].twice, config.reference[0].twice,
                                sizeof(int) * N);
        }
}

/* Nothing is said of frames without another output, and of runs that are too long. */
TEST(what_cannot_be_changed_says_so)
{
    for (int i = 0; i < N; i++)
        config.in[0].value[i] = 7;
    toy_double(&config.in[0], &config.reference[0]);
    measure_memory_of(FORGETS, BENCH_OK, "");
    assert_false(config.result.timing[0].is_changed);
    anew(1);
    config.plan.timeout_s = 0.007; /* of runs of 1 ms */
    measure_memory_of(FORGETS, BENCH_OK, "");
    assert_false(config.result.timing[0].is_changed);
    expect(BENCH_OK, "");
    assert_false(config.result.timing[0].is_changed);
}

/* ---- rows ---- */

TEST(right_output_is_timed)
{
    config.n = 2;
    config.plan.series = 1u << BENCH_HOT | 1u << BENCH_COLD | 1u << BENCH_FRAMES;
    config.plan.scopes = (1u << BENCH_N_SCOPES) - 1;
    expect(BENCH_OK, "");
    assert_false(config.result.is_reference);
    assert_int_equal(config.result.n_timings, 6); /* two scopes are of a GPU alone */
    for (int i = 0; i < 6; i++) {
        const struct bench_timing *t = &config.result.timing[i];

        assert_int_equal(t->n, SAMPLES);
        assert_int_equal(t->stat.n, SAMPLES);
        assert_string_equal(t->stop_reason, "max_samples");
    }
    /* cold before hot before frames: a hot batch would disturb cold samples */
    assert_int_equal(config.result.timing[0].series, BENCH_COLD);
    assert_int_equal(config.result.timing[5].series, BENCH_FRAMES);
    assert_int_equal(with.n_setups, 2); /* a state per input */
    for (int k = 0; k < 2; k++)
        assert_memory_equal(config.out[k].twice, config.reference[k].twice, sizeof(int) * N);
}

/* With a variant's own threads, and in the scope of a frame alone. */
TEST(ingesting_is_the_frames)
{
    static const struct {
        enum bench_scope scope;
        enum bench_target target;
        int n_threads; /* 0: it is not called */
    } cases[] = {{BENCH_KERNEL, BENCH_SERIAL, 0},
                 {BENCH_END_TO_END, BENCH_SERIAL, 1},
                 {BENCH_END_TO_END, BENCH_OPENMP, 2}};
    char where[128];
    int n_free;

    bench_threads_unbind(); /* of other tests, too */
    n_free = bench_threads_where(1, where, sizeof where);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench_impl impl = variant;

        anew(1);
        impl.target = cases[i].target;
        config.plan.scopes = 1u << cases[i].scope;
        config.machine.n_cores = 2;
        ends(&impl, BENCH_OK, "");
        assert_int_equal(with.n_ingests > 0, cases[i].n_threads > 0);
        assert_int_equal(with.ingest_threads, cases[i].n_threads);
        assert_int_equal(bench_threads_where(1, where, sizeof where), n_free);
    }
}

/* A region that is inside another has one thread, whatever it asks for. */
TEST(a_smaller_team_is_skipped)
{
    struct bench_impl impl = variant;
    enum bench_status status = BENCH_OK;
    char why[256];

    impl.target = BENCH_OPENMP;
    config.plan.threads = 0;
    config.machine.n_cores = 2;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        status = config_measure(&impl, NULL);
        snprintf(why, sizeof why, "%s", bench_failure());
    }
    assert_int_equal(status, BENCH_ESKIP);
    assert_string_equal(why, "2 threads were asked for, and OpenMP gave 1");
    assert_int_equal(with.n_setups, 0);
}

TEST(a_profiler_sees_one_sample)
{
    const struct bench_timing *t;

    config.machine.profile = true;
    expect(BENCH_OK, "");
    t = &config.result.timing[0];
    assert_true(t->n == 1 && t->reps == 1 && t->warmups == 1);
}

static bool interrupted(void)
{
    return with.n_runs > 50;
}

TEST(an_interrupt_stops_between_samples)
{
    config.plan.max_samples = config.plan.min_samples = 1000000;
    assert_int_equal(config_measure(&variant, interrupted), BENCH_EINTR);
    assert_int_equal(config.result.n_timings, 0); /* half a row is no row */
}

/* ---- times ---- */

/* In whatever series: 1, 2 and 6 ms. */
TEST(a_sample_is_the_mean_of_its_inputs)
{
    static const enum bench_series series[] = {BENCH_COLD, BENCH_HOT, BENCH_FRAMES};

    for (int i = 0; i < 3; i++) {
        anew(3);
        set_costs(1, 2, 6);
        config.plan.series = 1u << series[i];
        all_are(3, 1);
        config.plan.scopes = 1u << BENCH_END_TO_END;
        all_are(3 + INGEST_MS, 1);
    }
}

/* Runs of 0.06 ms on average: four fill 0.2 ms.  Frames make passes for at least four runs;
 * runs after a flush are not repeated. */
TEST(short_runs_are_repeated_and_divided)
{
    static const struct {
        enum bench_series series;
        int reps, n_order, order[12]; /* of a sample */
    } cases[] = {{BENCH_HOT, 4, 12, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}},
                 {BENCH_FRAMES, 2, 6, {0, 1, 2, 0, 1, 2}},
                 {BENCH_COLD, 1, 3, {0, 1, 2}}};

    for (int i = 0; i < 3; i++) {
        anew(3);
        set_costs(0.02, 0.04, 0.12);
        config.plan.series = 1u << cases[i].series;
        all_are(0.06, cases[i].reps);
        /* behind the last sample each input is run once more */
        assert_memory_equal(with.order + with.n_runs - 3 - cases[i].n_order, cases[i].order,
                            (size_t)cases[i].n_order * sizeof(int));
    }
}

/* Runs of 6 s of three inputs, timed three times, or once if that takes the time-out. */
TEST(a_long_run_is_given_up_in_time)
{
    static const struct {
        double timeout_s;
        int n;
        int runs; /* of each input, the last a verification again */
    } cases[] = {{150, 9, 1 + 2 + 9 + 1}, {50, 3, 1 + 3 + 1}, {18, 1, 1 + 1 + 1}};

    for (int k = 0; k < 3; k++) {
        anew(3);
        set_costs(6000, 6000, 6000);
        config.plan.timeout_s = cases[k].timeout_s;
        config.plan.max_samples = 100;
        all_are(6000, 1);
        assert_int_equal(with.n_runs, 3 * cases[k].runs);
        assert_int_equal(config.result.timing[0].warmups, 1);
        assert_int_equal(config.result.timing[0].n, cases[k].n);
        assert_string_equal(config.result.timing[0].stop_reason, "timeout");
    }
}

/* ---- stages ---- */

/* In a pass of their own, behind the whole. */
TEST(stages_are_differences_of_marks)
{
    static const char *const stage[] = {"",          "first", "second", "",
                                        "transpose", "first", "second"};
    static const double ms[] = {3,         3.0 / 4, 3.0 * 3 / 4, 3 + INGEST_MS,
                                INGEST_MS, 3.0 / 4, 3.0 * 3 / 4};

    config.n = 3;
    set_costs(1, 2, 6);
    config.plan.stages = true;
    config.plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_END_TO_END;
    expect(BENCH_OK, "");
    assert_stages(stage, 7);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(config.result.timing[i].scope,
                         i < 3 ? BENCH_KERNEL : BENCH_END_TO_END);
        assert_near(stage[i], config.result.timing[i].stat.mean, ms[i]);
    }
}

/* Three parts that took 1, 0 and 3 clocks in each block, in the last 100, 0 and 300. */
TEST(parts_of_a_stage_are_shares_of_its_time)
{
    static const char *const name[] = {"first: a", "first: b", "first: c"};
    static const uint32_t clocks[4][3] = {{1, 0, 3}, {1, 0, 3}, {1, 0, 3}, {100, 0, 300}};
    static const struct parts fused = {name, clocks[0], 3, 4, 1, false};
    static const char *const stage[] = {"",         "first",    "second",
                                        "first: a", "first: b", "first: c"};
    static const double share[] = {0.25, 0, 0.75};
    const struct bench_timing *t;

    with.parts = &fused;
    config.plan.stages = true;
    expect(BENCH_OK, "");
    assert_stages(stage, 6);
    t = config.result.timing;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(t[i].is_share, i >= 3);
        assert_true(i == 0 || t[i].n == t[1].n);
    }
    for (int l = 0; l < 3; l++) /* of the very run whose stage it is */
        for (int i = 0; i < t[1].n; i++)
            assert_true(fabs(t[3 + l].ns[i] - share[l] * t[1].ns[i]) <= 1e-9 * t[1].ns[i]);
    /* two to see and warm up, and those of the stage pass: no other run keeps clocks */
    assert_int_equal(with.n_stamped, 2 + t[1].n);
}

/* Clocks that stand still, more parts than there is room for, parts before any stage. */
TEST(parts_that_say_nothing_are_refused)
{
    static const char *const name[BENCH_MAX_STAGES] = {"a", "b"};
    static const uint32_t still[4], clocks[BENCH_MAX_STAGES] = {1, 1};
    static const struct {
        struct parts parts;
        enum bench_status status;
        const char *words;
        int n_timings;
    } cases[] = {
        {{name, still, 1, 4, 1, false}, BENCH_ESKIP, "'first' are all 0", 0},
        {{name, clocks, BENCH_MAX_STAGES - 1, 1, 2, false},
         BENCH_ESKIP,
         "more than 16 stages",
         0},
        {{name, clocks, 2, 1, 1, true}, BENCH_OK, "", 3},
    };

    for (int i = 0; i < 3; i++) {
        anew(1);
        with.parts = &cases[i].parts;
        config.plan.stages = true;
        expect(cases[i].status, cases[i].words);
        if (cases[i].n_timings > 0)
            assert_int_equal(config.result.n_timings, cases[i].n_timings);
    }
}

TEST(the_stop_rule)
{
    const struct bench_plan plan = {.min_samples = 30,
                                    .max_samples = 1000,
                                    .precision = 0.005,
                                    .min_time_s = 0.5,
                                    .timeout_s = 15};
    const struct {
        int n;
        double median, lo, hi, elapsed;
        const char *reason;
    } row[] = {
        {30, 1, 0.996, 1.004, 0.6, "precision"},
        {30, 1, 0.995, 1.005, 0.6, "precision"}, /* exactly half a per cent */
        {30, 1, 0.994, 1.005, 0.6, ""},
        {29, 1, 1, 1, 0.6, ""}, /* too few */
        {30, 1, 1, 1, 0.4, ""}, /* too short */
        {1000, 1, 0.5, 2, 0.1, "max_samples"},
        {2, 1, 1, 1, 16, ""}, /* three at least, however long it takes */
        {3, 1, 1, 1, 16, "timeout"},
        {1, 1, 1, 1, 14.9, ""},
        {1, 1, 1, 1, 15, "timeout"}, /* but one that takes all the time is enough */
        {500, 1, 0.9, 1.1, 15, "timeout"},
        {500, 1, 0.9, 1.1, 14.9, ""},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct bench_stat stat = {
            .n = row[i].n, .median = row[i].median, .ci_lo = row[i].lo, .ci_hi = row[i].hi};
        const char *reason = bench_stop(&plan, &stat, row[i].elapsed);

        assert_string_equal(reason ? reason : "", row[i].reason);
    }
}
