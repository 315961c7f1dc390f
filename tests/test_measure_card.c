/*
 * test_measure_card.c - what is asked of a card, and what times come of it: on one that is made up, with a clock of its own
 *
 * The linker puts the calls below in the place of harness/measure/device.h's (Makefile: CARD_CALLS).  On this card a run takes 10 us,
 * 13 with cold caches, a flush 30, or 20 when it reads what the one before it has read; each launch has a gap before it, which
 * is shorter inside a graph.  Nothing here is measured: all times are sums of these numbers.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N          16
#define MAX_INPUTS 3
#define MAX_OPS    10000

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
    const int *in;
    int *out, on_card[N];
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
    bool capturing, is_cold, refuses_graphs, loses_runs;
    int last_half;
    struct graph begun, graph[BENCH_N_GRAPHS];
    double start_us, stop_us, mark_us[BENCH_MAX_LAPS + 1];
    bool mark_is_new[BENCH_MAX_LAPS + 1]; /* recorded, and nobody asked */
    int n_holds, n_flushes, n_graphs, n_clocks;
    const double *mhz; /* what its clock is found to be, then the last of it; 0 ends it */
    int n_sms;         /* that the stream has now */
    int seen_sms;      /* that the variant was told of */
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
    card.now_us += card.run_us + (card.is_cold ? COLD_US : WARM_US);
    card.is_cold = false;
    card.last_half = -1;
    for (int i = 0; i < N; i++)
        op->state->on_card[i] = 2 * op->state->in[i];
}

static void launch(struct op op)
{
    if (card.capturing) {
        assert_true(card.begun.n < MAX_OPS);
        card.begun.op[card.begun.n++] = op;
        return;
    }
    card.now_us += LAUNCH_US;
    execute(&op);
}

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names that the linker gives */
enum bench_status __wrap_bench_device_flush(struct bench_device *d, int half);
enum bench_status __wrap_bench_device_flush(struct bench_device *d, int half)
{
    assert_ptr_equal(d, the_card);
    card.n_flushes++;
    launch((struct op){.kind = FLUSH, .half = half});
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_hold(struct bench_device *d);
enum bench_status __wrap_bench_device_hold(struct bench_device *d)
{
    (void)d;
    card.n_holds++;
    card.now_us += HOLD_US;
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_start(struct bench_device *d);
enum bench_status __wrap_bench_device_start(struct bench_device *d)
{
    (void)d;
    card.start_us = card.now_us;
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_stop(struct bench_device *d);
enum bench_status __wrap_bench_device_stop(struct bench_device *d)
{
    (void)d;
    card.stop_us = card.now_us;
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_elapsed(struct bench_device *d, double *ms);
enum bench_status __wrap_bench_device_elapsed(struct bench_device *d, double *ms)
{
    (void)d;
    *ms = 1e-3 * (card.stop_us - card.start_us);
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_mark(struct bench_device *d, int index);
enum bench_status __wrap_bench_device_mark(struct bench_device *d, int index)
{
    (void)d;
    assert_in_range(index, 0, BENCH_MAX_LAPS);
    assert_false(card.mark_is_new[index]); /* it is on its way still */
    card.mark_us[index] = card.now_us;
    card.mark_is_new[index] = true;
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_marked_ms(struct bench_device *d, int from, int to,
                                                double *ms);
enum bench_status __wrap_bench_device_marked_ms(struct bench_device *d, int from, int to,
                                                double *ms)
{
    (void)d;
    assert_true(card.mark_is_new[from] && card.mark_is_new[to]);
    card.mark_is_new[from] = card.mark_is_new[to] = false;
    *ms = 1e-3 * (card.mark_us[to] - card.mark_us[from]);
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_graph_begin(struct bench_device *d);
enum bench_status __wrap_bench_device_graph_begin(struct bench_device *d)
{
    (void)d;
    card.capturing = true;
    card.begun.n = 0;
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_graph_end(struct bench_device *d, int place);
enum bench_status __wrap_bench_device_graph_end(struct bench_device *d, int place)
{
    (void)d;
    card.capturing = false;
    if (card.refuses_graphs)
        return BENCH_FAIL(BENCH_ESKIP, "this card captures nothing");
    card.graph[place] = card.begun;
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_graph_launch(struct bench_device *d, int place);
enum bench_status __wrap_bench_device_graph_launch(struct bench_device *d, int place)
{
    const struct graph *graph = &card.graph[place];

    (void)d;
    assert_true(graph->n > 0);
    card.n_graphs++;
    for (int i = 0; i < graph->n; i++) {
        card.now_us += i > 0 ? NODE_US : GRAPH_US;
        if (graph->op[i].kind == FLUSH || !card.loses_runs)
            execute(&graph->op[i]);
    }
    return BENCH_OK;
}

void __wrap_bench_device_graph_drop(struct bench_device *d);
void __wrap_bench_device_graph_drop(struct bench_device *d)
{
    (void)d;
    for (int i = 0; i < BENCH_N_GRAPHS; i++)
        card.graph[i].n = 0;
}

enum bench_status __wrap_bench_device_clock_mhz(struct bench_device *d, double *mhz);
enum bench_status __wrap_bench_device_clock_mhz(struct bench_device *d, double *mhz)
{
    (void)d;
    *mhz = *card.mhz;
    card.mhz += card.mhz[1] > 0;
    card.n_clocks++;
    return BENCH_OK;
}

enum bench_status __wrap_bench_device_sync(struct bench_device *d);
enum bench_status __wrap_bench_device_sync(struct bench_device *d)
{
    (void)d;
    return BENCH_OK;
}

struct CUstream_st *__wrap_bench_device_stream(const struct bench_device *d);
struct CUstream_st *__wrap_bench_device_stream(const struct bench_device *d)
{
    (void)d;
    return NULL;
}

enum bench_status __wrap_bench_device_take_sms(struct bench_device *d, int n);
enum bench_status __wrap_bench_device_take_sms(struct bench_device *d, int n)
{
    (void)d;
    card.n_sms = n > 0 ? n : ALL_SMS;
    return BENCH_OK;
}

int __wrap_bench_device_n_sms(const struct bench_device *d);
int __wrap_bench_device_n_sms(const struct bench_device *d)
{
    (void)d;
    return card.n_sms;
}

int __wrap_bench_device_pin(void *data, size_t bytes);
int __wrap_bench_device_pin(void *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    return 1;
}

void __wrap_bench_device_unpin(void *data);
void __wrap_bench_device_unpin(void *data)
{
    (void)data;
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* ---- the problem: numbers, to be doubled ---- */

static int toy_blocks(const void *numbers, struct bench_block *blocks)
{
    blocks[0].data = (void *)(uintptr_t)numbers;
    blocks[0].bytes = sizeof(int) * N;
    return 1;
}

static void toy_compare(const struct bench_params *params, const void *input,
                        const void *reference, const void *output,
                        struct bench_difference *difference)
{
    (void)params;
    (void)input;
    memset(difference, 0, sizeof *difference);
    difference->n_wrong = memcmp(reference, output, sizeof(int) * N) != 0;
}

static const struct bench_problem toy = {.name = "toy",
                                         .input_blocks = toy_blocks,
                                         .output_blocks = toy_blocks,
                                         .compare = toy_compare};

static enum bench_status toy_setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    card.seen_sms = ctx->n_sms;
    struct toy_state *s = opaque;

    s->in = input;
    s->out = output;
    return BENCH_OK;
}

static enum bench_status toy_poison(void *opaque)
{
    memset(((struct toy_state *)opaque)->on_card, 0xA5, sizeof(int) * N);
    return BENCH_OK;
}

static enum bench_status toy_run(void *opaque)
{
    launch((struct op){.kind = RUN, .state = opaque});
    return BENCH_OK;
}

static enum bench_status toy_download(void *opaque)
{
    struct toy_state *s = opaque;

    memcpy(s->out, s->on_card, sizeof s->on_card);
    return BENCH_OK;
}

static void toy_teardown(void *opaque)
{
    (void)opaque;
}

static const struct bench_impl doubling = {.name = "toy/card",
                                           .problem = &toy,
                                           .target = BENCH_CUDA,
                                           .reference = "toy/right",
                                           .state_size = sizeof(struct toy_state),
                                           .setup = toy_setup,
                                           .poison = toy_poison,
                                           .run = toy_run,
                                           .download = toy_download,
                                           .teardown = toy_teardown};

/* ---- a cell ---- */

static const double steady[] = {2000, 0};

static struct cell {
    int in[MAX_INPUTS][N], out[MAX_INPUTS][N], reference[MAX_INPUTS][N];
    struct bench_plan plan;
    struct bench_machine machine;
    struct bench_result result;
    int n;
} cell;

static int set_up(void **unused)
{
    (void)unused;
    memset(&cell, 0, sizeof cell);
    memset(&card, 0, sizeof card);
    card.last_half = -1;
    card.mhz = steady;
    cell.n = 1;
    for (int k = 0; k < MAX_INPUTS; k++)
        for (int i = 0; i < N; i++) {
            cell.in[k][i] = 100 * k + i + 1;
            cell.reference[k][i] = 2 * cell.in[k][i];
        }
    cell.plan = (struct bench_plan){.series = 1u << BENCH_COLD | 1u << BENCH_HOT,
                                    .scopes = 1u << BENCH_KERNEL,
                                    .times = true,
                                    .min_samples = 3,
                                    .max_samples = 9,
                                    .min_time_s = 1000, /* max_samples decides */
                                    .timeout_s = 1000,
                                    .sustained_time_s = 1e-9};
    cell.machine = (struct bench_machine){.device = the_card, .n_cores = 1};
    return 0;
}

static enum bench_status measure(void)
{
    const struct bench_params params = {.n = 0};
    void *inputs[MAX_INPUTS], *outputs[MAX_INPUTS];
    const void *references[MAX_INPUTS];
    enum bench_status status;

    for (int k = 0; k < cell.n; k++) {
        inputs[k] = cell.in[k];
        outputs[k] = cell.out[k];
        references[k] = cell.reference[k];
    }
    bench_failure_clear();
    status = bench_measure(&doubling, &params, &cell.plan, &cell.machine, inputs, references,
                           outputs, cell.n, NULL, &cell.result);
    if (status)
        print_message("%s\n", bench_failure());
    return status;
}

static int tear_down(void **unused)
{
    (void)unused;
    bench_result_free(&cell.result);
    return 0;
}

/* The only row of a series. */
static const struct bench_timing *row_of(enum bench_series series)
{
    const struct bench_timing *found = NULL;

    for (int i = 0; i < cell.result.n_timings; i++)
        if (cell.result.timing[i].series == series) {
            assert_null(found);
            found = &cell.result.timing[i];
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

static void short_runs_differ_in_the_cache_alone(void **unused)
{
    const struct bench_timing *t;

    (void)unused;
    assert_int_equal(measure(), BENCH_OK);
    /* the gap before the first run of a graph is a longer one */
    is_about(median_us(BENCH_HOT), WARM_US + NODE_US + (GRAPH_US - NODE_US) / 20);
    is_about(median_us(BENCH_COLD), COLD_US + NODE_US);
    for (int series = BENCH_COLD; series <= BENCH_HOT; series++) {
        t = row_of((enum bench_series)series);
        assert_int_equal(t->reps, 20);
        assert_int_equal(t->graph, 1);
        assert_int_equal(t->less_flushes, series == BENCH_COLD);
    }
}

static void long_runs_differ_in_the_cache_alone(void **unused)
{
    (void)unused;
    card.run_us = 500;
    assert_int_equal(measure(), BENCH_OK);
    is_about(median_us(BENCH_HOT), 500 + WARM_US + GRAPH_US);
    is_about(median_us(BENCH_COLD), 500 + COLD_US + GRAPH_US);
    assert_int_equal(row_of(BENCH_COLD)->reps, 1);
    assert_true(row_of(BENCH_COLD)->graph);
    tear_down(NULL);
    set_up(NULL);
    card.run_us = 5000; /* too long for a graph to matter */
    assert_int_equal(measure(), BENCH_OK);
    is_about(median_us(BENCH_COLD) - median_us(BENCH_HOT), COLD_US - WARM_US);
    assert_false(row_of(BENCH_COLD)->graph);
    assert_false(row_of(BENCH_HOT)->graph);
}

/* A variant is told what it may use, and afterwards the whole card is there again. */
static void a_part_of_the_card_is_given_back(void **unused)
{
    (void)unused;
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(card.seen_sms, ALL_SMS);
    tear_down(NULL);
    set_up(NULL);
    cell.plan.sms = 8;
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(card.seen_sms, 8);
    assert_int_equal(card.n_sms, ALL_SMS);
}

/* Of several inputs and an odd number of flushes: none reads what the one before it has read. */
static void flushes_take_the_halves_in_turn(void **unused)
{
    (void)unused;
    cell.n = 3;
    cell.plan.series |= 1u << BENCH_FRAMES;
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(row_of(BENCH_COLD)->reps, 7); /* of three inputs: 21 runs */
    is_about(median_us(BENCH_COLD), COLD_US + NODE_US);
    is_about(median_us(BENCH_FRAMES), WARM_US + NODE_US + (GRAPH_US - NODE_US) / 21);
    tear_down(NULL);
    set_up(NULL);
    cell.n = 2;
    card.run_us = 500;
    assert_int_equal(measure(), BENCH_OK);
    is_about(median_us(BENCH_COLD), 500 + COLD_US + NODE_US);
}

static void what_cannot_be_captured_is_launched(void **unused)
{
    (void)unused;
    card.refuses_graphs = true;
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(card.n_graphs, 0);
    is_about(median_us(BENCH_HOT), WARM_US + LAUNCH_US);
    is_about(median_us(BENCH_COLD), COLD_US + LAUNCH_US);
    assert_false(row_of(BENCH_COLD)->graph);
    assert_false(row_of(BENCH_HOT)->graph);
}

static void other_scopes_are_not_captured(void **unused)
{
    (void)unused;
    cell.plan.scopes = 1u << BENCH_DEVICE;
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(card.n_graphs, 0);
    is_about(median_us(BENCH_COLD), COLD_US + LAUNCH_US);
    is_about(median_us(BENCH_HOT), WARM_US + LAUNCH_US);
}

static void a_profiler_sees_the_runs_alone(void **unused)
{
    (void)unused;
    cell.machine.profile = true;
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(card.n_graphs + card.n_flushes + card.n_holds + card.n_clocks, 0);
}

/* ---- what a graph leaves ---- */

static void a_graph_without_its_runs_is_found(void **unused)
{
    (void)unused;
    cell.n = 2;
    card.loses_runs = true;
    assert_int_equal(measure(), BENCH_EMISMATCH);
    assert_false(cell.result.verified);
    assert_non_null(strstr(bench_failure(), "after the timed runs"));
}

/* ---- a series under load ---- */

static void a_loaded_card_has_no_pauses(void **unused)
{
    const struct bench_timing *t;

    (void)unused;
    cell.n = 2;
    cell.plan.series = 1u << BENCH_SUSTAINED;
    assert_int_equal(measure(), BENCH_OK);
    t = row_of(BENCH_SUSTAINED);
    assert_int_equal(t->n, 9);
    assert_int_equal(t->stat.n, 9);
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

static void a_load_may_have_copies(void **unused)
{
    (void)unused;
    cell.n = 2;
    cell.plan.series = 1u << BENCH_SUSTAINED;
    cell.plan.scopes = 1u << BENCH_DEVICE;
    assert_int_equal(measure(), BENCH_OK);
    is_about(median_us(BENCH_SUSTAINED), WARM_US + LAUNCH_US);
    assert_int_equal(card.n_holds, 0);
    tear_down(NULL);
    set_up(NULL);
    cell.plan.series = 1u << BENCH_SUSTAINED;
    cell.plan.scopes = 1u << BENCH_FRAME; /* a user waits */
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(row_of(BENCH_SUSTAINED)->n, 9);
    assert_int_equal(card.n_holds, 0);
}

/* ---- the clock ---- */

static void throttled_samples_count(void **unused)
{
    static const double falls[] = {2000, 2000, 2000, 1400, 1400, 1400,
                                   1400, 1400, 1400, 1900, 0};
    static const double woken[] = {1000, 2000, 1000, 2000, 2000, 2000,
                                   2000, 1000, 1000, 2000, 2000, 0};
    const struct bench_timing *t;

    (void)unused;
    cell.plan.series = 1u << BENCH_HOT;
    card.mhz = falls; /* before; nine samples, of which six are slow, the last at 1900 */
    assert_int_equal(measure(), BENCH_OK);
    t = row_of(BENCH_HOT);
    assert_int_equal(t->n, 9);
    assert_int_equal(t->stat.n, 9); /* all of them */
    assert_int_equal(t->n_throttled, 6);
    assert_true(t->throttled);
    assert_false(t->unstable); /* 1900 of 2000 */
    is_about(t->gpu_mhz_med, 1400);
    tear_down(NULL);
    set_up(NULL);
    cell.plan.series = 1u << BENCH_HOT;
    card.mhz =
        woken; /* slow before the row: three samples are as slow, and not as the others */
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(row_of(BENCH_HOT)->n_throttled, 3);
    assert_false(row_of(BENCH_HOT)->throttled);
    tear_down(NULL);
    set_up(NULL);
    cell.plan.series = 1u << BENCH_HOT;
    card.mhz = steady;
    assert_int_equal(measure(), BENCH_OK);
    assert_int_equal(row_of(BENCH_HOT)->n_throttled, 0);
    assert_false(row_of(BENCH_HOT)->throttled);
}

static void a_lower_clock_is_a_boards_own(void **unused)
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

    (void)unused;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_string_equal(bench_timing_status(&row[i].t, false, &reason), row[i].on_card);
        assert_int_equal(reason != NULL, i > 0);
        assert_string_equal(bench_timing_status(&row[i].t, true, &reason), row[i].on_board);
        assert_int_equal(reason != NULL, i > 0); /* a remark, where the row is ok */
    }
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FRESH(short_runs_differ_in_the_cache_alone),
        FRESH(long_runs_differ_in_the_cache_alone),
        FRESH(a_part_of_the_card_is_given_back),
        FRESH(flushes_take_the_halves_in_turn),
        FRESH(what_cannot_be_captured_is_launched),
        FRESH(other_scopes_are_not_captured),
        FRESH(a_profiler_sees_the_runs_alone),
        FRESH(a_graph_without_its_runs_is_found),
        FRESH(a_loaded_card_has_no_pauses),
        FRESH(a_load_may_have_copies),
        FRESH(throttled_samples_count),
        FRESH(a_lower_clock_is_a_boards_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
