/*
 * test_measure_card.c - the calls to a card and the times that come of them, on a made-up card
 *
 * The linker puts the calls below in the place of device.h's (Makefile: CARD_CALLS).  The card
 * has a clock of its own.  A run takes 10 us, 13 with cold caches, a flush 30, or 20 when it
 * reads what the one before it has read; each launch has a gap before it, which is shorter
 * inside a graph.  Nothing here is measured: all times are sums of these numbers.
 */
#include "tests/measure_toy.h"

#define MAX_OPS 10000

#define WARM_US      10.0
#define COLD_US      13.0
#define FLUSH_US     30.0
#define FLUSH_HIT_US 20.0
#define HOLD_US      40.0
#define LAUNCH_US    2.0 /* before what a stream launches */
#define GRAPH_US     3.0 /* before the first of a graph */
#define NODE_US      1.0 /* before the others */

/* ---- the card ---- */

struct toy_state {
    const struct toy_input *in;
    struct toy_input uploaded;
    struct toy_output *out, on_card;
    struct CUstream_st *stream;
    struct toy_kept kept;
};

struct op {
    enum { RUN, FLUSH } kind;
    int half;
    struct toy_state *state;
};

struct graph {
    struct op op[MAX_OPS];
    int n;
};

static struct {
    double now_us, run_us; /* run_us: of a long run, added */
    enum toy_memory memory;
    bool in_graph; /* of the executed work */
    bool capturing, is_cold, refuses_graphs, loses_runs, loses_downloads; /* of streams */
    int last_half;
    struct graph begun, graph[8]; /* each is captured on its slot */
    double mark_us[BENCH_MAX_STAGES + 1];
    bool mark_is_new[BENCH_MAX_STAGES + 1]; /* recorded, and nobody asked */
    int n_holds, n_flushes, n_graphs, n_clocks, n_uploads, n_rests;
    const double *mhz; /* readings of its clock, the last one for ever; 0 ends them */
    int n_sms;         /* that the stream has now */
    int seen_sms;      /* that the variant was told of */
    int n_pinned;
    /* of frames in flight, which run side by side for frame_us behind their enqueuing */
    int last_download, n_downloads; /* the one that brings something; 0: each does */
    bool brings_once, has_run;      /* brings_once: what has run since the download before */
    int n_slots, n_open, most_open;
    struct CUstream_st *feeding; /* the stream of the frame that is enqueued; NULL: none is */
    double frame_us, begin_us[BENCH_MAX_IN_FLIGHT], end_us[BENCH_MAX_IN_FLIGHT];
    int slot_of[8], n_graphs_taken, n_launches, n_onto_zero;
    int n_touches, n_reruns;
    bool has_waited; /* the host, since the last frame began */
    double woken_us; /* by a touch or run since then; 0: it was not */
} card;

#define ALL_SMS 132

static struct bench_device *const the_card = (struct bench_device *)&card;

static void execute(const struct op *op)
{
    if (op->kind == FLUSH) {
        card.now_us += op->half == card.last_half ? FLUSH_HIT_US : FLUSH_US;
        card.last_half = op->half;
        card.is_cold = true;
        return;
    }
    card.last_half = -1;
    card.has_run = true;
    if (card.has_waited) {
        card.n_reruns++;
        card.woken_us = card.now_us;
    }
    if (card.memory == FORGETS || (card.memory == KEEPS_CAPTURED && !card.in_graph))
        toy_double(&op->state->uploaded, &op->state->on_card);
    else if (toy_remember(&op->state->kept,
                          card.memory == KEEPS_CAPTURED ? KEEPS_ONE : card.memory,
                          &op->state->uploaded, &op->state->on_card)) {
        card.now_us += 1;
        return;
    }
    card.now_us += card.run_us + (card.is_cold ? COLD_US : WARM_US);
    card.is_cold = false;
}

static void launch(struct op op)
{
    if (card.feeding && !card.capturing && card.loses_runs)
        return;
    if (card.capturing) {
        assert_true(card.begun.n < MAX_OPS);
        card.begun.op[card.begun.n++] = op;
        return;
    }
    card.now_us += LAUNCH_US;
    execute(&op);
}

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names that the linker
 * gives */
#define DEVICE struct bench_device *d
#define CALL(type, name, ...)                     \
    type __wrap_bench_device_##name(__VA_ARGS__); \
    type __wrap_bench_device_##name(__VA_ARGS__)
#define GIVES(type, name, arguments, ...)      \
    type __wrap_bench_device_##name arguments; \
    type __wrap_bench_device_##name arguments  \
    {                                          \
        return __VA_ARGS__;                    \
    }

GIVES(enum bench_status, take_sms, (DEVICE, int n),
      (card.n_sms = n > 0 ? n : ALL_SMS, BENCH_OK))
GIVES(enum bench_status, sync, (DEVICE), BENCH_OK)
GIVES(enum bench_status, flush, (DEVICE, int half),
      (assert_ptr_equal(d, the_card), card.n_flushes++,
       launch((struct op){.kind = FLUSH, .half = half}), BENCH_OK))
GIVES(enum bench_status, block_stream, (DEVICE),
      (card.n_holds++, card.now_us += HOLD_US, BENCH_OK))
GIVES(enum bench_status, take_slots, (DEVICE, int n), (card.n_slots = n, BENCH_OK))
GIVES(enum bench_status, take_graphs, (DEVICE, int n),
      (assert_in_range(n, 0, 8), card.n_graphs_taken = n, BENCH_OK))
GIVES(struct CUstream_st *, stream, (const DEVICE), NULL)
GIVES(struct CUstream_st *, slot_stream, (const DEVICE, int slot),
      (assert_in_range(slot, 0, card.n_slots - 1), (struct CUstream_st *)(uintptr_t)(slot + 1)))
GIVES(int, n_sms, (const DEVICE), card.n_sms)
GIVES(enum bench_status, touch_make, (struct CUstream_st * stream, struct bench_touch **touch),
      (*touch = (struct bench_touch *)&card, BENCH_OK))
GIVES(enum bench_status, touch, (struct bench_touch * touch),
      (assert_ptr_equal(touch, &card), card.n_touches++, card.woken_us = card.now_us, BENCH_OK))
GIVES(int, pin, (void *data, size_t bytes), (card.n_pinned++, data != NULL))

CALL(enum bench_status, mark, DEVICE, int index)
{
    assert_in_range(index, 0, BENCH_MAX_STAGES);
    assert_false(card.mark_is_new[index]); /* it is on its way still */
    card.mark_us[index] = card.now_us;
    card.mark_is_new[index] = true;
    return BENCH_OK;
}

CALL(enum bench_status, marked_ms, DEVICE, int from, int to, double *ms)
{
    assert_true(card.mark_is_new[from] && card.mark_is_new[to]);
    card.mark_is_new[from] = card.mark_is_new[to] = false;
    *ms = 1e-3 * (card.mark_us[to] - card.mark_us[from]);
    return BENCH_OK;
}

CALL(enum bench_status, clock_mhz, DEVICE, double *mhz)
{
    *mhz = *card.mhz;
    card.mhz += card.mhz[1] > 0;
    card.n_clocks++;
    return BENCH_OK;
}

CALL(enum bench_status, slot_mark, DEVICE, int slot, bool is_end)
{
    struct CUstream_st *const stream = __wrap_bench_device_slot_stream(d, slot);

    if (!is_end && card.woken_us > 0)
        assert_true(card.now_us - card.woken_us > 50 && card.now_us - card.woken_us < 401);
    card.woken_us = 0;
    card.has_waited = false;
    card.feeding = is_end ? NULL : stream;
    card.n_open += !is_end;
    card.most_open = card.n_open > card.most_open ? card.n_open : card.most_open;
    *(is_end ? &card.end_us[slot] : &card.begin_us[slot]) =
        card.now_us + (is_end ? card.frame_us : 0);
    return BENCH_OK;
}

CALL(enum bench_status, graph_begin, DEVICE, int slot)
{
    card.capturing = true;
    card.begun.n = 0;
    card.feeding = card.n_slots > 0 ? __wrap_bench_device_slot_stream(d, slot) : NULL;
    return BENCH_OK;
}

CALL(enum bench_status, graph_end, DEVICE, int slot, int place)
{
    assert_in_range(place, 0, card.n_graphs_taken - 1);
    card.capturing = false;
    card.feeding = NULL;
    if (card.refuses_graphs)
        return BENCH_FAIL(BENCH_ESKIP, "this card captures nothing");
    card.graph[place] = card.begun;
    card.slot_of[place] = slot;
    return BENCH_OK;
}

/* A frame's is one kernel between its copies. */
CALL(enum bench_status, graph_launch, DEVICE, int slot, int place)
{
    static const struct toy_output zero = {{0}, 0, 0};
    const struct graph *const graph = &card.graph[place];
    const bool is_frame = card.n_slots > 0;

    assert_in_range(place, 0, card.n_graphs_taken - 1);
    assert_int_equal(slot, card.slot_of[place]);
    assert_true(graph->n > 0);
    ++*(is_frame ? &card.n_launches : &card.n_graphs);
    card.in_graph = true;
    for (int i = 0; i < graph->n; i++) {
        struct toy_state *const state = graph->op[i].state;

        card.now_us += i > 0 ? NODE_US : GRAPH_US;
        card.n_onto_zero +=
            is_frame && !memcmp(state->out->twice, zero.twice, sizeof zero.twice);
        if (graph->op[i].kind == FLUSH || !card.loses_runs)
            execute(&graph->op[i]);
        if (is_frame && !card.loses_downloads) /* it has one, too */
            *state->out = state->on_card;
    }
    card.in_graph = false;
    return BENCH_OK;
}

CALL(enum bench_status, slot_done, DEVICE, int slot, bool *is, double *ms)
{
    card.now_us += 1;
    *is = card.now_us >= card.end_us[slot];
    card.n_open -= *is;
    *ms = *is ? 1e-3 * (card.end_us[slot] - card.begin_us[slot]) : 0;
    return BENCH_OK;
}

CALL(void, unpin, void *data)
{
}

CALL(void, touch_free, struct bench_touch *touch)
{
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* ---- the problem: numbers, to be doubled ---- */

static const struct bench_problem toy = {.name = "toy",
                                         .make_output = toy_make_output,
                                         .free_output = free,
                                         .input_blocks = toy_in_blocks,
                                         .output_blocks = toy_out_blocks,
                                         .compare = toy_compare};

static struct bench_problem moving; /* its frames have arrays */

static enum bench_status toy_setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    struct toy_state *s = opaque;

    card.seen_sms = ctx->n_sms;
    s->stream = ctx->stream;
    s->in = input;
    s->out = output;
    s->on_card.guard = s->out->guard;
    return BENCH_OK;
}

static enum bench_status toy_poison(void *opaque)
{
    bench_poison(&toy, &((struct toy_state *)opaque)->on_card, 0xA5);
    return BENCH_OK;
}

static enum bench_status toy_upload(void *opaque)
{
    struct toy_state *s = opaque;

    card.n_uploads++;
    s->uploaded = *s->in;
    return BENCH_OK;
}

static enum bench_status toy_upload_rest(void *opaque)
{
    struct toy_state *s = opaque;

    card.n_rests++;
    s->uploaded = *s->in;
    return BENCH_OK;
}

static enum bench_status toy_run(void *opaque)
{
    if (card.feeding)
        assert_ptr_equal(((struct toy_state *)opaque)->stream, card.feeding);
    launch((struct op){.kind = RUN, .state = opaque});
    return BENCH_OK;
}

static enum bench_status toy_download(void *opaque)
{
    struct toy_state *s = opaque;

    card.n_downloads++;
    if ((!card.feeding || !card.loses_downloads) &&
        (!card.last_download || card.n_downloads <= card.last_download) &&
        (!card.brings_once || card.has_run))
        *s->out = s->on_card;
    card.has_run = false;
    return BENCH_OK;
}

static void toy_teardown(void *opaque)
{
}

static const struct bench_impl doubling = {.name = "toy/card",
                                           .problem = &toy,
                                           .target = BENCH_CUDA,
                                           .reference = "toy/right",
                                           .state_size = sizeof(struct toy_state),
                                           .setup = toy_setup,
                                           .upload = toy_upload,
                                           .upload_rest = toy_upload_rest,
                                           .poison = toy_poison,
                                           .run = toy_run,
                                           .download = toy_download,
                                           .teardown = toy_teardown};

/* ---- a configuration ---- */

static const double steady[] = {2000, 0};

static int set_up(void **unused)
{
    memset(&card, 0, sizeof card);
    card.last_half = -1;
    card.mhz = steady;
    moving = toy;
    moving.places = toy_places;
    config_begin();
    config.plan.series |= 1u << BENCH_COLD;
    config.machine.device = the_card;
    return 0;
}

static int tear_down(void **unused)
{
    config_end();
    return 0;
}

#define measure() ends(&doubling, BENCH_OK, "")

/* The only row of a series. */
static const struct bench_timing *row_of(enum bench_series series)
{
    const struct bench_timing *found = NULL;

    for (int i = 0; i < config.result.n_timings; i++)
        if (config.result.timing[i].series == series) {
            assert_null(found);
            found = &config.result.timing[i];
        }
    assert_non_null(found);
    return found;
}

static double median_us(enum bench_series series)
{
    return 1e3 * row_of(series)->stat.median;
}

static void is_about(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-6))
        fail_msg("%.9g for %.9g", value, expected);
}

/* ---- cold and hot ---- */

/* A graph's first run has a longer gap.  Flushes take the halves in turn, also of several
 * inputs or an odd number: none reads what the one before has read. */
TEST(runs_differ_in_the_cache_alone)
{
    static const struct {
        int n;
        double run_us;
        bool refuses_graphs;
        enum bench_scope scope;
        double hot_gap, cold_gap;
        int reps[2]; /* of cold, hot; 0: no graph */
    } cases[] = {
        {1, 0, false, BENCH_KERNEL, NODE_US + (GRAPH_US - NODE_US) / 20, NODE_US, {20, 20}},
        {3, 0, false, BENCH_KERNEL, NODE_US + (GRAPH_US - NODE_US) / 60, NODE_US, {7, 20}},
        {1, 500, false, BENCH_KERNEL, GRAPH_US, GRAPH_US, {1, 1}},
        {2, 500, false, BENCH_KERNEL, (GRAPH_US + NODE_US) / 2, NODE_US, {1, 1}},
        /* too long for a graph to matter, what cannot be captured, and what is not */
        {1, 5000, false, BENCH_KERNEL, LAUNCH_US, LAUNCH_US, {0, 0}},
        {1, 0, true, BENCH_KERNEL, LAUNCH_US, LAUNCH_US, {0, 0}},
        {1, 0, false, BENCH_DEVICE, LAUNCH_US, LAUNCH_US, {0, 0}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        anew(cases[i].n);
        card.run_us = cases[i].run_us;
        card.refuses_graphs = cases[i].refuses_graphs;
        config.plan.scopes = 1u << cases[i].scope;
        measure();
        is_about(median_us(BENCH_HOT), cases[i].run_us + WARM_US + cases[i].hot_gap);
        is_about(median_us(BENCH_COLD), cases[i].run_us + COLD_US + cases[i].cold_gap);
        assert_int_equal(card.n_graphs > 0, cases[i].reps[0] > 0);
        for (int series = BENCH_COLD; series <= BENCH_HOT; series++) {
            const struct bench_timing *t = row_of((enum bench_series)series);

            assert_int_equal(t->graph, cases[i].reps[0] > 0);
            if (t->graph) {
                assert_int_equal(t->reps, cases[i].reps[series]);
                assert_int_equal(t->less_flushes,
                                 series == BENCH_COLD && cases[i].n * t->reps > 1);
            }
        }
    }
}

TEST(frames_come_in_turn)
{
    config.n = 3;
    config.plan.series = 1u << BENCH_FRAMES;
    measure();
    is_about(median_us(BENCH_FRAMES), WARM_US + NODE_US + (GRAPH_US - NODE_US) / 21);
}

/* A variant is told what it may use, and afterwards the whole card is there again. */
TEST(a_part_of_the_card_is_given_back)
{
    measure();
    assert_int_equal(card.seen_sms, ALL_SMS);
    anew(1);
    config.plan.sms = 8;
    measure();
    assert_int_equal(card.seen_sms, 8);
    assert_int_equal(card.n_sms, ALL_SMS);
}

TEST(a_profiler_sees_the_runs_alone)
{
    config.machine.profile = true;
    measure();
    assert_int_equal(card.n_graphs + card.n_flushes + card.n_holds + card.n_clocks, 0);
}

/* ---- what a graph leaves ---- */

TEST(a_graph_without_its_runs_is_found)
{
    config.n = 2;
    card.loses_runs = true;
    ends(&doubling, BENCH_EMISMATCH, "after the timed runs");
    assert_false(config.result.verified);
}

/* A second fetch shows that a download brings nothing: older outputs do not count. */
TEST(a_download_that_brings_nothing_is_found)
{
    for (int scope = 0; scope < BENCH_SCORES_ON_GPU; scope++)
        for (int again = 0; again <= (scope != BENCH_KERNEL); again++) {
            anew(1);
            config.plan.scopes = 1u << scope;
            card.last_download = !again;
            card.brings_once = again;
            ends(&doubling, BENCH_EMISMATCH, "after the timed runs");
        }
}

/* Graphs and launches get another frame; one is on its way to a loaded card until then. */
TEST(what_remembers_is_found)
{
    static const struct {
        enum toy_memory memory;
        const char *words;
    } cases[] = {{FORGETS, ""},
                 {KEEPS_ONE, "does not give that frame's output"},
                 {KEEPS_TWO, "remembers what it has seen"},
                 {KEEPS_CAPTURED, "does not give that frame's output"}};
    struct bench_impl remembering = doubling;

    remembering.problem = &moving;
    for (int series = BENCH_COLD; series <= BENCH_SUSTAINED; series++)
        for (int scope = 0; scope < BENCH_SCORES_ON_GPU; scope++)
            for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                const bool is_honest =
                    cases[i].memory == FORGETS ||
                    (cases[i].memory == KEEPS_CAPTURED && scope != BENCH_KERNEL);

                anew(1);
                config.plan.series = 1u << series;
                config.plan.scopes = 1u << scope;
                config.plan.sustained_time_s = 0.001;
                card.memory = cases[i].memory;
                ends(&remembering, is_honest ? BENCH_OK : BENCH_EMISMATCH,
                     is_honest ? "" : cases[i].words);
                assert_true(!is_honest || row_of(series)->is_changed);
            }
}

/* ---- a series under load ---- */

TEST(a_loaded_card_has_no_pauses)
{
    const struct bench_timing *t;

    config.n = 2;
    config.plan.series = 1u << BENCH_SUSTAINED;
    measure();
    t = row_of(BENCH_SUSTAINED);
    assert_int_equal(t->n, SAMPLES);
    assert_int_equal(t->stat.n, SAMPLES);
    assert_int_equal(card.n_flushes, 0);
    assert_int_equal(card.n_holds, 2); /* of the estimate */
    /* 2 ms a sample, of both inputs in turn: 170 of 12 us as they are launched one by one */
    assert_int_equal(t->reps, 84);
    is_about(median_us(BENCH_SUSTAINED), WARM_US + NODE_US + (GRAPH_US - NODE_US) / (2 * 84));
    /* as many samples are on their way as there is room for */
    assert_int_equal(card.n_graphs, t->warmups + t->n + 7);
    assert_int_equal(card.n_clocks, 2);
    for (int i = 0; i < t->n; i++)
        assert_true(t->sm_mhz[i] <= 0);
    is_about(t->gpu_mhz_before, 2000);
    assert_int_equal(t->n_throttled, 0);
}

static enum bench_status go_on(struct world *world, enum bench_status status, double limit_s)
{
    return status;
}

static int before_begin;

static enum bench_status note_graphs(struct world *world, double limit_s)
{
    before_begin = card.n_graphs;
    return BENCH_OK;
}

static double done;

static enum bench_status note_done(struct world *world, bool is_sum, double *values, int n,
                                   double limit_s)
{
    if (is_sum)
        done = values[n - 1];
    return BENCH_OK;
}

/* Samples on their way when ranks begin do not count; later ones do, if they end in time. */
TEST(ranks_begin_on_an_idle_card)
{
    struct bench_together together = {0, 1, true, go_on, note_graphs, note_done, NULL, false};

    config.plan.series = 1u << BENCH_SUSTAINED;
    config.plan.scaling = BENCH_WEAK;
    config.plan.interval_s = 0.01;
    config.machine.together = &together;
    measure();
    assert_true(done > 0);
    assert_int_equal(card.n_graphs - before_begin,
                     (int)lround(done / row_of(BENCH_SUSTAINED)->reps) + 7);
}

/* From end to end a user waits. */
TEST(a_load_may_have_copies)
{
    for (int scope = BENCH_DEVICE; scope <= BENCH_END_TO_END; scope++) {
        anew(2);
        config.plan.series = 1u << BENCH_SUSTAINED;
        config.plan.scopes = 1u << scope;
        measure();
        assert_int_equal(row_of(BENCH_SUSTAINED)->n, SAMPLES);
        assert_int_equal(card.n_holds, 0);
        if (scope == BENCH_DEVICE)
            is_about(median_us(BENCH_SUSTAINED), WARM_US + LAUNCH_US);
    }
}

/* ---- scores on the card ---- */

/* Frames come without scores, but for runs that are verified.  The scope has no row without
 * scores, or if they are not copied. */
TEST(scores_stay_on_the_card)
{
    struct bench_problem with_scores = toy;
    struct bench_impl scored = doubling;

    with_scores.has_scores = 1;
    scored.problem = &with_scores;
    for (int has = 0; has < 2; has++) {
        anew(1);
        config.plan.scopes = 1u << BENCH_SCORES_ON_GPU;
        ends(has ? &scored : &doubling, BENCH_OK, "");
        assert_int_equal(card.n_uploads, 2);
        assert_int_equal(card.n_rests > SAMPLES, has);
        assert_int_equal(config.result.n_timings, 2 * has); /* cold, hot */
    }
    config.plan.transfer = BENCH_MAPPED;
    assert_false(plan_times(&config.plan, &scored, BENCH_SCORES_ON_GPU, BENCH_HOT));
}

/* ---- the clock ---- */

/* The clock before the row and after each of nine samples, all of which count. */
TEST(throttled_samples_count)
{
    static const struct {
        double mhz[12], median; /* of the card's, 0 where any will do */
        int n_throttled;
        bool throttled;
    } cases[] = {
        {{2000, 2000, 2000, 1400, 1400, 1400, 1400, 1400, 1400, 1900, 0}, 1400, 6, true},
        /* slow before the row: three samples are as slow, and not as the others */
        {{1000, 2000, 1000, 2000, 2000, 2000, 2000, 1000, 1000, 2000, 2000, 0}, 0, 3, false},
        {{2000, 0}, 2000, 0, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bench_timing *t;

        anew(1);
        config.plan.series = 1u << BENCH_HOT;
        card.mhz = cases[i].mhz;
        measure();
        t = row_of(BENCH_HOT);
        assert_int_equal(t->n, SAMPLES);
        assert_int_equal(t->stat.n, SAMPLES);
        assert_int_equal(t->n_throttled, cases[i].n_throttled);
        assert_int_equal(t->throttled, cases[i].throttled);
        if (cases[i].median > 0) {
            is_about(t->gpu_mhz_med, cases[i].median);
            assert_false(t->unstable); /* 1900 of 2000 */
        }
    }
}

TEST(a_lower_clock_is_a_boards_own)
{
    static const struct {
        struct bench_timing t;
        const char *on_card, *on_board;
    } row[] = {
        {{.gpu_mhz_before = 2000, .gpu_mhz_after = 1990}, "ok", "ok"},
        {{.throttled = true, .unstable = true}, "throttled", "ok"},
        {{.unstable = true, .gpu_mhz_before = 2000, .gpu_mhz_after = 1500}, "unstable", "ok"},
        /* one that had not clocked up yet: its first samples are too slow */
        {{.unstable = true, .gpu_mhz_before = 1500, .gpu_mhz_after = 2000},
         "unstable",
         "unstable"},
    };
    const char *reason;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_string_equal(bench_timing_status(&row[i].t, false, &reason), row[i].on_card);
        assert_int_equal(reason != NULL, i > 0);
        assert_string_equal(bench_timing_status(&row[i].t, true, &reason), row[i].on_board);
        assert_int_equal(reason != NULL, i > 0); /* a remark, where the row is ok */
    }
}

/* ---- frames in flight ---- */

static long long tell(void *self)
{
    return (long long)(1e3 * card.now_us);
}

static void wait_until(void *self, long long ns)
{
    card.now_us = fmax(card.now_us, 1e-3 * (double)ns);
    card.has_waited = true;
}

static const struct arrivals_clock card_clock = {tell, wait_until, NULL};

static void stream(int n, int in_flight)
{
    anew(n);
    config.plan.series = 1u << BENCH_STREAM;
    config.plan.scopes = 1u << BENCH_END_TO_END;
    config.plan.rate = 1000;
    config.plan.in_flight = in_flight;
    config.plan.arrivals = 1000;
    config.plan.min_time_s = 0.1;
    config.machine.clock = &card_clock;
    card.frame_us = 2500;
}

/* A frame takes 2.5 ms, and one comes every ms: three side by side keep up, two do not. */
TEST(frames_side_by_side)
{
    const struct bench_timing *t;

    stream(2, 3);
    measure();
    t = row_of(BENCH_STREAM);
    assert_int_equal(card.most_open, 3);
    assert_int_equal(card.n_open, 0);
    assert_int_equal(card.n_slots, 0); /* given back */
    assert_int_equal(card.n_pinned, 2 * 1 + 3 * 2);
    assert_int_equal(t->n, 1000);
    assert_int_equal(t->stream.n_missed, 1000); /* of a period of 1 ms */
    assert_true(fabs(t->stream.gpu_ms - (2.5 + 1e-3 * (LAUNCH_US + WARM_US))) < 1e-6);
    assert_true(t->stat.max < 2.52 && t->stat.min > 2.5);
    assert_true(fabs(t->stream.fps - 1000) < 0.1);
    assert_int_equal(t->graph, 0);

    stream(2, 2);
    ends(&doubling, BENCH_ESKIP, "slower than the 1 ms of rate = 1000");
    assert_int_equal(card.n_slots, 0);
}

/* The hash of a configuration is of its inputs, however long the ring is. */
TEST(a_ring_has_the_hash_of_its_inputs)
{
    uint64_t hash;

    stream(2, 2);
    card.frame_us = 100;
    measure();
    hash = config.result.output_hash;
    stream(2, 3);
    measure();
    assert_true(config.result.output_hash == hash);
}

/* Four times a second, where the GPU idles for a while; at 'max' it never does. */
TEST(clocks_along_the_way)
{
    static const double mhz[] = {1980, 1980, 345, 0};
    const struct bench_timing *t;
    int n = 0;

    stream(1, 1);
    config.plan.rate = 100;
    card.mhz = mhz;
    card.n_clocks = 0;
    measure();
    t = row_of(BENCH_STREAM);
    for (int i = 0; i < t->n; i++)
        n += t->sm_mhz[i] > 0;
    assert_in_range(n, 38, 40); /* in 10 s; not in each gap */
    assert_int_equal(card.n_clocks, n + 2);
    assert_true(t->gpu_mhz_before >= 1980 && t->gpu_mhz_med <= 345);

    stream(1, 1);
    config.plan.rate = 0;
    card.n_clocks = 0;
    measure();
    assert_int_equal(card.n_clocks, 2);
    assert_true(row_of(BENCH_STREAM)->gpu_mhz_med <= 0);
}

/* Each frame of the ring is captured once, and launched on its own slot, first onto zeros. */
TEST(a_frame_is_one_launch)
{
    stream(2, 3);
    config.plan.by_graph = true;
    measure();
    assert_in_range(card.n_launches, 1000, 2000);
    assert_int_equal(card.n_onto_zero, 2 * 3); /* before and behind the warm-up */
    assert_int_equal(card.n_graphs_taken, 0);  /* given back */
    assert_int_equal(row_of(BENCH_STREAM)->graph, 1);

    stream(2, 3);
    config.plan.by_graph = true;
    card.refuses_graphs = true;
    ends(&doubling, BENCH_ESKIP, "a frame of toy/card cannot be captured");
}

/* 0.4 ms before each frame, but 0.3 by a clock that is never early; before the first one there
 * is nothing to run again. */
TEST(awake_before_each_frame)
{
    static const struct {
        enum wake_how how;
        bool by_graph;
        int rate, n_touches, n_reruns;
    } cases[] = {{WAKE_NO, false, 100, 0, 0},      {WAKE_TOUCH, false, 100, 1000, 0},
                 {WAKE_TOUCH, true, 100, 1000, 0}, {WAKE_RERUN, false, 100, 0, 999},
                 {WAKE_RERUN, true, 100, 0, 999},  {WAKE_TOUCH, false, 5000, 1000, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stream(2, 2);
        config.plan.rate = cases[i].rate;
        config.plan.wake = cases[i].how;
        config.plan.by_graph = cases[i].by_graph;
        card.frame_us = 100;
        measure();
        assert_int_equal(card.n_touches, cases[i].n_touches);
        assert_int_equal(card.n_reruns, cases[i].n_reruns);
        assert_int_equal(row_of(BENCH_STREAM)->n, 1000);
        assert_true(row_of(BENCH_STREAM)->stat.max < 0.12);
    }
}

TEST(a_stream_is_given_another_frame)
{
    struct bench_impl remembering = doubling;

    remembering.problem = &moving;
    for (int by_graph = 0; by_graph <= 1; by_graph++)
        for (int kind = FORGETS; kind <= KEEPS_CAPTURED; kind++) {
            const bool is_found = kind == KEEPS_ONE || (kind == KEEPS_CAPTURED && by_graph);

            if (kind == KEEPS_TWO) /* by the wall clock, which is not made up here */
                continue;
            stream(2, 3);
            config.plan.by_graph = by_graph;
            card.memory = (enum toy_memory)kind;
            ends(&remembering, is_found ? BENCH_EMISMATCH : BENCH_OK,
                 is_found ? "given another frame" : "");
            assert_true(is_found || row_of(BENCH_STREAM)->is_changed);
        }
}

/* A download of their own would bring the right output, or one brings the earlier runs'. */
TEST(results_that_streams_do_not_bring_are_missed)
{
    for (int i = 0; i < 4; i++) {
        stream(1, 1);
        config.plan.by_graph = i % 2;
        config.plan.rate = 100;
        card.loses_downloads = i < 2;
        card.loses_runs = i >= 2;
        ends(&doubling, BENCH_EMISMATCH, "on the host after the stream");
    }
}

TEST(managed_memory_has_one_frame)
{
    for (int in_flight = 1; in_flight <= 2; in_flight++) {
        stream(1, in_flight);
        config.plan.transfer = BENCH_MANAGED;
        config.plan.wake = in_flight == 1 ? WAKE_RERUN : WAKE_NO;
        ends(&doubling, BENCH_ESKIP, "managed memory while another frame is in work");
    }
}
