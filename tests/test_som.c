/*
 * test_som.c - every variant of som against a definition written down once more, and the problem's own functions
 *
 * The oracle below keeps no lists, walks no rows and no rings: which neurons a ring holds, which of them lie nearest and which
 * of them a winner takes along is asked of all neurons, one by one.  What it shares with the variants are the random words
 * and the number of links between two neurons, which have tests of their own.  The cases are run by all variants that the
 * registry lists.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/problems/som/som.h"
#include "harness/problems/som/measure.h"
#include "harness/base/random.h"
#include "harness/inputs/plane.h"
#include "tests/drive.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define ALL_LEVELS  65536u /* delta = 1 */

__extension__ typedef unsigned __int128 wide;

static uint32_t draw(uint64_t seed, uint32_t i, uint32_t j, uint32_t n)
{
    return bench_below(bench_philox(seed, i, j, 0, 0).word[0], n);
}

/* In [low, high). */
static double between(uint64_t seed, uint32_t i, uint32_t j, double low, double high)
{
    return low + (high - low) * (bench_philox(seed, i, j, 9, 0).word[1] / 4294967296.0);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* ---- the oracle of update = snapshot ---- */

enum fault {
    FAULT_NONE,
    FAULT_LAST_TIE,      /* the greater id among equals */
    FAULT_CELL_ORDER,    /* the cells pull in the order of their numbers */
    FAULT_NO_REFRESH,    /* the lists of the first round stay */
    FAULT_ALWAYS,        /* the lists are made anew in every round */
    FAULT_EARLY,         /* the search ends with the first ring that holds a neuron */
    FAULT_LATE,          /* it ends at the last ring that it may see */
    FAULT_SHORT_RANGE,   /* one ring less than search_range */
    FAULT_LONG_RANGE,    /* one ring more */
    FAULT_CAPACITY,      /* lists have room for all */
    FAULT_LARGEST_FIRST, /* a full list keeps the greater ids */
    FAULT_LAST_CELL,     /* the loop over the cells ends one cell early */
    FAULT_LAST_ROUND,    /* the loop over the rounds ends one round early */
    FAULT_RADIUS,        /* one link less */
    FAULT_RATE,          /* all within the radius are pulled like the winner */
    FAULT_LIVE,          /* a search sees what has been pulled before it */
    FAULT_DELTA,         /* delta is forgotten */
    FAULT_PIXEL,         /* all pixels that have a density are drawn alike */
    FAULT_CORNER,        /* the data point is a pixel's corner */
    FAULT_SEED,          /* all frames draw the same words */
    N_FAULTS,
    /* these show in tests of their own alone */
    FAULT_EQUAL_WORDS = N_FAULTS, /* the greater cell first among equal words */
    FAULT_EQUAL_BOUND /* the search ends before a ring that may hold but an equally near neuron */
};

/* What a cell does in a round. */
struct pull {
    uint32_t order;
    int cell, cx, cy, winner; /* -1: none */
    float x, y;
};

struct oracle {
    const struct som_input *in;
    enum fault fault;
    int n_neurons;
    const uint8_t *grey;
    float *position;           /* as the cells' pulls leave it */
    struct som_counts *counts; /* of this frame */
    int *home_x, *home_y;      /* the cell that lists a neuron; -1: none does */
};

static double oracle_density(const struct oracle *o, int x, int y)
{
    return pow(o->grey[(size_t)y * (size_t)o->in->width + (size_t)x], 3);
}

/* What a pixel counts for: its density, or 1 where it has one. */
static double oracle_weight(const struct oracle *o, int x, int y, int alike)
{
    return alike ? oracle_density(o, x, y) > 0 : oracle_density(o, x, y);
}

/* Over a cell.  Below 2^53: exact. */
static uint64_t oracle_sum(const struct oracle *o, int cx, int cy, int alike)
{
    const int size = o->in->cell_size;
    double sum = 0;

    for (int y = cy * size; y < least((cy + 1) * size, o->in->height); y++)
        for (int x = cx * size; x < least((cx + 1) * size, o->in->width); x++)
            sum += oracle_weight(o, x, y, alike);
    return (uint64_t)sum;
}

static int oracle_home(double position, int size, int n)
{
    const int cell = (int)floor(position / size);

    return cell < 0 ? 0 : cell >= n ? n - 1 : cell;
}

static void oracle_refresh(struct oracle *o)
{
    const struct som_input *in = o->in;
    const int n = o->n_neurons;

    for (int k = 0; k < n; k++) {
        o->home_x[k] = oracle_home((double)o->position[2 * k], in->cell_size, in->cell_cols);
        o->home_y[k] =
            oracle_home((double)o->position[2 * k + 1], in->cell_size, in->cell_rows);
    }
    for (int step = 0; step < n; step++) {
        /* from the greatest id down, so that those before it are still known */
        const int k = o->fault == FAULT_LARGEST_FIRST ? step : n - 1 - step;
        int n_before = 0;

        for (int i = 0; i < n; i++)
            n_before += (o->fault == FAULT_LARGEST_FIRST ? i > k : i < k) &&
                        o->home_x[i] == o->home_x[k] && o->home_y[i] == o->home_y[k];
        if (n_before >= in->cell_capacity && o->fault != FAULT_CAPACITY) {
            o->home_x[k] = o->home_y[k] = -1;
            o->counts->left_out++;
        }
    }
}

/* (px - x)^2 + (py - y)^2, each operation rounded to float. */
static float oracle_square(const float *neuron, float px, float py)
{
    const float dx = px - neuron[0], dy = py - neuron[1];
    const float xx = dx * dx, yy = dy * dy;

    return xx + yy;
}

/* The least distance from a point to a cell of ring k >= 1 around the point's own, squared and rounded to float. */
static float oracle_ring(const struct oracle *o, const struct pull *p, int k)
{
    const double size = o->in->cell_size;
    double margin = (double)p->x - p->cx * size;

    margin = fmin(margin, (p->cx + 1) * size - (double)p->x);
    margin = fmin(margin, (double)p->y - p->cy * size);
    margin = fmin(margin, (p->cy + 1) * size - (double)p->y);
    margin += (k - 1) * size;
    return (float)(margin * margin);
}

/* The nearest neuron that the rings show; -1: none. */
static int oracle_search(const struct oracle *o, const float *position, const struct pull *p)
{
    const struct som_input *in = o->in;
    int last = in->cell_cols + in->cell_rows, winner = -1;
    float best = 0;

    if (in->search_range != SOM_NO_BOUND)
        last =
            in->search_range - (o->fault == FAULT_SHORT_RANGE) + (o->fault == FAULT_LONG_RANGE);
    for (int k = 0; k <= last; k++) {
        if (k > 0 && winner >= 0 && o->fault != FAULT_LATE &&
            (best < oracle_ring(o, p, k) || o->fault == FAULT_EARLY ||
             (best == oracle_ring(o, p, k) && o->fault == FAULT_EQUAL_BOUND)))
            break;
        for (int i = 0; i < o->n_neurons; i++) {
            const int dx = abs(o->home_x[i] - p->cx), dy = abs(o->home_y[i] - p->cy);
            const float square = oracle_square(position + 2 * i, p->x, p->y);
            const int sooner = o->fault == FAULT_LAST_TIE ? i > winner : i < winner;

            if (o->home_x[i] < 0 || (dx > dy ? dx : dy) != k)
                continue;
            if (winner < 0 || square < best || (square == best && sooner)) {
                best = square;
                winner = i;
            }
        }
    }
    return winner;
}

/* The pixel, in the order of rows, under which the 'at'-th unit of the cell's density lies. */
static void oracle_pixel(const struct oracle *o, struct pull *p, double at)
{
    const int size = o->in->cell_size;
    const double middle = o->fault == FAULT_CORNER ? 0 : 0.5;

    for (int y = p->cy * size; y < least((p->cy + 1) * size, o->in->height); y++)
        for (int x = p->cx * size; x < least((p->cx + 1) * size, o->in->width); x++) {
            at -= oracle_weight(o, x, y, o->fault == FAULT_PIXEL);
            if (at < 0) {
                p->x = (float)(x + middle);
                p->y = (float)(y + middle);
                return;
            }
        }
    fail_msg("the oracle's pixel is beyond the cell");
}

static void oracle_pull(struct oracle *o, int round, const struct pull *p)
{
    const struct som_input *in = o->in;
    const int radius = in->radius[round] - (o->fault == FAULT_RADIUS);
    const float *rates = in->rate + (size_t)round * (size_t)(in->max_radius + 1);

    for (int y = 0; y < in->grid_rows; y++)
        for (int x = 0; x < in->grid_cols; x++) {
            const int distance =
                som_distance(x, y, p->winner % in->grid_cols, p->winner / in->grid_cols);
            float *const neuron = o->position + 2 * (y * in->grid_cols + x);

            if (distance <= radius) {
                const float rate = rates[o->fault == FAULT_RATE ? 0 : distance];
                const float way[2] = {p->x - neuron[0], p->y - neuron[1]};
                const float step[2] = {rate * way[0], rate * way[1]};

                neuron[0] = neuron[0] + step[0];
                neuron[1] = neuron[1] + step[1];
            }
        }
}

static int by_order(const void *left, const void *right)
{
    const struct pull *a = left, *b = right;

    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static int by_order_last_cell_first(const void *left, const void *right)
{
    const struct pull *a = left, *b = right;

    return a->order == b->order ? by_order(right, left) : by_order(left, right);
}

/* The cells that take part in a round, with their data points; how many there are. */
static int oracle_extract(const struct oracle *o, const uint64_t *density, uint64_t greatest,
                          uint64_t seed, int round, struct pull *pulls)
{
    const struct som_input *in = o->in;
    const int n_cells = in->cell_cols * in->cell_rows - (o->fault == FAULT_LAST_CELL);
    const uint32_t delta = o->fault == FAULT_DELTA ? ALL_LEVELS : in->delta_q16;
    int n = 0;

    for (int c = 0; c < n_cells; c++) {
        const struct bench_words words = bench_philox(seed, (uint32_t)round, 0, (uint32_t)c, 0);
        struct pull *p = &pulls[n];
        wide limit = density[c], at;

        /* greatest u / 2^32 < S delta / 2^16, either side rounded down */
        if (((wide)greatest * words.word[0]) >> 32 >= (limit * delta) >> 16)
            continue;
        p->cell = c;
        p->cx = c % in->cell_cols;
        p->cy = c / in->cell_cols;
        p->order = words.word[2];
        if (o->fault == FAULT_PIXEL)
            limit = (wide)oracle_sum(o, p->cx, p->cy, 1);
        at = (limit * words.word[1]) >> 32;
        oracle_pixel(o, p, (double)at);
        n++;
    }
    return n;
}

static void oracle_round(struct oracle *o, int round, struct pull *pulls, int n_pulls)
{
    for (int i = 0; i < n_pulls; i++)
        pulls[i].winner = oracle_search(o, o->position, &pulls[i]);
    if (o->fault != FAULT_CELL_ORDER)
        qsort(pulls, (size_t)n_pulls, sizeof *pulls,
              o->fault == FAULT_EQUAL_WORDS ? by_order_last_cell_first : by_order);
    for (int i = 0; i < n_pulls; i++) {
        if (o->fault == FAULT_LIVE)
            pulls[i].winner = oracle_search(o, o->position, &pulls[i]);
        if (pulls[i].winner < 0) {
            o->counts->misses++;
            continue;
        }
        o->counts->updates++;
        oracle_pull(o, round, &pulls[i]);
    }
}

static void *of_size(size_t n, size_t size)
{
    void *memory = calloc(n, size);

    assert_non_null(memory);
    return memory;
}

static void oracle_frame(const struct som_input *in, int frame, struct som_output *out,
                         enum fault fault)
{
    const size_t n_neurons = (size_t)in->grid_cols * (size_t)in->grid_rows;
    const size_t n_cells = (size_t)in->cell_cols * (size_t)in->cell_rows;
    /* frame f of a batch draws the words of seed + f: it is what it would be alone with that seed */
    const uint64_t seed = in->seed + (fault == FAULT_SEED ? 0 : (uint64_t)frame);
    uint64_t *density = of_size(n_cells, sizeof *density), greatest = 0;
    struct pull *pulls = of_size(n_cells, sizeof *pulls);
    struct oracle o = {.in = in,
                       .fault = fault,
                       .n_neurons = (int)n_neurons,
                       .grey = in->grey + (size_t)frame * som_n_pixels(in),
                       .position = out->position + (size_t)frame * n_neurons * 2,
                       .counts = &out->counts[frame],
                       .home_x = of_size(n_neurons, sizeof(int)),
                       .home_y = of_size(n_neurons, sizeof(int))};

    memset(o.counts, 0, sizeof *o.counts);
    for (int c = 0; c < (int)n_cells; c++) {
        density[c] = oracle_sum(&o, c % in->cell_cols, c / in->cell_cols, 0);
        if (density[c] > greatest)
            greatest = density[c];
    }
    for (int k = 0; k < o.n_neurons; k++) {
        const int x = k % in->grid_cols, y = k / in->grid_cols;

        /* a quarter of a node from the left, rows of even number three quarters; the middle of a row */
        o.position[2 * k] =
            (float)(((x + (y % 2 ? 0.25 : 0.75)) * 4 * in->width) / (4.0 * in->grid_cols));
        o.position[2 * k + 1] = (float)(((y + 0.5) * 2 * in->height) / (2.0 * in->grid_rows));
    }
    for (int round = 0; round < in->n_rounds - (fault == FAULT_LAST_ROUND); round++) {
        const int refreshes = round % in->refresh_rate == 0;
        int n_pulls;

        if (fault == FAULT_NO_REFRESH ? round == 0 : refreshes || fault == FAULT_ALWAYS)
            oracle_refresh(&o);
        n_pulls = oracle_extract(&o, density, greatest, seed, round, pulls);
        oracle_round(&o, round, pulls, n_pulls);
    }
    free(density);
    free(pulls);
    free(o.home_x);
    free(o.home_y);
}

static void oracle_run(const struct som_input *in, struct som_output *out, enum fault fault)
{
    for (int f = 0; f < in->n_frames; f++)
        oracle_frame(in, f, out, fault);
}

/* ---- inputs, and outputs with a guard behind each array ---- */

static char setting[256] = " "; /* the words of the newest input, a blank before each */
static int n_words_known;

/* Behind KEY= in them; NULL: there is no such word. */
static const char *value_of(const char *key)
{
    char word[24];
    const char *at;

    snprintf(word, sizeof word, " %s=", key);
    at = strstr(setting, word);
    n_words_known += at != NULL;
    return at ? at + strlen(word) : NULL;
}

static double number(const char *key, double usual)
{
    const char *const value = value_of(key);

    return value ? strtod(value, NULL) : usual;
}

static int whole(const char *key, int usual)
{
    return (int)number(key, usual);
}

static int is(const char *word, const char *name)
{
    return !strncmp(word, name, strlen(name));
}

static uint8_t map_grey(const char *map, uint64_t seed, int x, int y, int width, int height)
{
    const double far = hypot(x + 0.5 - 0.6 * width, y + 0.5 - 0.4 * height);
    const double reach = 0.35 * (width < height ? width : height);
    const uint32_t i = (uint32_t)y * (uint32_t)width + (uint32_t)x;

    if (is(map, "noise")) /* half of it background */
        return draw(seed, i, 1, 2) ? (uint8_t)draw(seed, i, 2, 256) : 0;
    if (is(map, "sparse"))
        return draw(seed, i, 3, 97) ? 0 : (uint8_t)(1 + draw(seed, i, 4, 255));
    if (is(map, "dim")) /* levels 0 and 1: a random word often falls between two pixels */
        return (uint8_t)draw(seed, i, 5, 2);
    if (is(map, "disc")) /* a bright one that fades into a dim plane */
        return (uint8_t)(60 + (far < reach ? 140 * (1 - far / reach) : 0));
    assert_true(is(map, "flat") || is(map, "empty"));
    return is(map, "flat") ? 255 : 0;
}

static struct som_input *new_input(int n_frames, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* By words KEY=VALUE of the problem's keys, and map=NAME; what is not said is as ordinary as can be. */
static struct som_input *new_input(int n_frames, const char *format, ...)
{
    struct som_input *in = NULL;
    const char *map, *seed;
    size_t pixel = 0;
    int n_words = 0;
    va_list arguments;

    va_start(arguments, format);
    assert_in_range(vsnprintf(setting + 1, sizeof setting - 1, format, arguments), 0,
                    sizeof setting - 2);
    va_end(arguments);
    n_words_known = 0;
    assert_int_equal(som_input_new(n_frames, whole("width", 61), whole("height", 47),
                                   whole("g", 6), whole("co", 10), whole("rounds", 12), &in),
                     BENCH_OK);
    in->search_range = whole("ssr", SOM_NO_BOUND);
    in->refresh_rate = whole("crr", 3);
    in->cell_capacity = whole("mnpc", 1000);
    in->update = whole("live", 0) ? SOM_LIVE : SOM_SNAPSHOT;
    in->delta_q16 = (uint32_t)(number("delta", 1) * ALL_LEVELS);
    in->alpha[0] = number("alpha", 1);
    in->alpha[1] = number("alpha_final", 0.01);
    in->sigma[0] = number("sigma", 3.5);
    in->sigma[1] = number("sigma_final", 0.5);
    seed = value_of("seed");
    in->seed = seed ? strtoull(seed, NULL, 0) : 77;
    map = value_of("map");
    for (int f = 0; f < n_frames; f++)
        for (int y = 0; y < in->height; y++)
            for (int x = 0; x < in->width; x++)
                in->grey[pixel++] = map_grey(map ? map : "disc", 4711 + (uint64_t)f, x, y,
                                             in->width, in->height);
    for (const char *c = setting; *c; c++)
        n_words += *c == '=';
    assert_int_equal(n_words, n_words_known);
    assert_int_equal(som_input_tables(in), BENCH_OK);
    return in;
}

static float *first_positions(const struct som_input *in)
{
    float *const first = of_size((size_t)som_n_neurons(in) * 2, sizeof *first);

    som_first_positions(in, first);
    return first;
}

static size_t position_bytes(const struct som_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_neurons * 2 * sizeof(float);
}

static struct som_output guarded_output(const struct som_input *in)
{
    struct som_output out = {.n_frames = in->n_frames, .n_neurons = som_n_neurons(in)};

    out.position = guarded(position_bytes(&out));
    out.counts = guarded((size_t)in->n_frames * sizeof *out.counts);
    return out;
}

static int same(const struct som_output *one, const struct som_output *other)
{
    return same_bits(&som_problem, one, other);
}

/* An input that is its own, and an output. */
struct run {
    struct som_input *in;
    struct som_output out;
};

static struct run expected_of(struct som_input *in, enum fault fault)
{
    struct run run = {in, guarded_output(in)};

    oracle_run(in, &run.out, fault);
    check_guards(&som_problem, "the oracle", &run.out);
    return run;
}

static void end_run(const struct run *run)
{
    release_output(&som_problem, &run->out);
    som_input_free(run->in);
}

/* Whether the oracle comes to other bits with a fault. */
static int shows(const struct run *right, enum fault fault)
{
    struct som_output wrong = guarded_output(right->in);
    int is_other;

    oracle_run(right->in, &wrong, fault);
    is_other = !same(&right->out, &wrong);
    release_output(&som_problem, &wrong);
    return is_other;
}

/* ---- driving a variant ---- */

static struct bench_device *device; /* NULL: no card, its variants are left out */
static int gpu_only, small;         /* environment: for runs under compute-sanitizer */
static int n_cells_run, n_device_runs, n_not_theirs, n_inputs;

/* Live updates of several cells come in whatever order a machine runs them. */
static int has_one_order(const struct som_input *in)
{
    return in->update == SOM_SNAPSHOT || som_n_cells(in) == 1;
}

/* 0: the variant was not run. */
static int drive(const struct bench_impl *impl, const struct bench_params *params,
                 int n_threads, const struct som_input *in, struct som_output *out)
{
    struct som_output once = guarded_output(in);
    const int ran =
        drive_twice(impl, params, n_threads, device, in, out, has_one_order(in) ? &once : NULL);

    release_output(&som_problem, &once);
    n_not_theirs += !ran;
    n_device_runs += ran && impl->target == BENCH_CUDA;
    return ran;
}

static struct bench_params with_update(const char *update)
{
    const char *const pairs[] = {"update", update, NULL};

    return params_with(&som_problem, pairs);
}

/* The round-th combination of a variant's keys; returns how many combinations there are. */
static int combination(const struct bench_impl *impl, const struct som_input *in, int round,
                       struct bench_params *params)
{
    *params = with_update(in->update == SOM_LIVE ? "live" : "snapshot");
    return combine_keys(impl, round, params);
}

/* Another value for a key of a variant; false: it has no such key. */
static bool set_param(struct bench_params *params, const struct bench_impl *impl,
                      const char *name, const char *value)
{
    for (const struct bench_key *key = impl->keys; key && key->name; key++)
        if (!strcmp(key->name, name)) {
            assert_int_equal(bench_params_set(params, key, value, "test"), BENCH_OK);
            return true;
        }
    return false;
}

/* Whether a variant must give the bits of som/rounds, and can be run here. */
static bool is_gated(const struct bench_impl *impl)
{
    return impl->problem == &som_problem &&
           !strcmp(impl->reference ? impl->reference : impl->name, "som/rounds") &&
           (impl->target == BENCH_CUDA ? device != NULL : !gpu_only);
}

/* One run of a variant against the expected bits, as the harness compares them too; whether it was run. */
static int check_bits(const struct bench_impl *impl, const struct bench_params *params,
                      int n_threads, const struct run *expected)
{
    struct som_output found = guarded_output(expected->in);
    const int ran = drive(impl, params, n_threads, expected->in, &found);

    for (int exactly = 0; ran && exactly < 2; exactly++) {
        struct bench_difference difference;
        char text[512];

        bench_params_text(params, text, sizeof text);
        som_problem.compare(params, exactly ? NULL : expected->in, &expected->out, &found,
                            &difference);
        if (difference.n_wrong != 0)
            fail_msg("%s (%s), %d threads, '%s': %zu wrong, first %s", impl->name, text,
                     n_threads, setting, difference.n_wrong, difference.where);
    }
    assert_true(!ran || same(&expected->out, &found));
    n_cells_run += ran;
    release_output(&som_problem, &found);
    return ran;
}

/*
 * All variants on 'in' in all combinations of their keys against the oracle, whose output is returned.  Live updates: of one cell
 * alone, which has but one order.  Under a sanitizer `small` of the combinations, the next ones for each input; but all where
 * updates are live, since the way of the pulls is a key that has no meaning elsewhere.
 */
static struct run checked(struct som_input *in)
{
    const struct run expected =
        expected_of(in, in->update == SOM_LIVE ? FAULT_LIVE : FAULT_NONE);

    assert_true(has_one_order(in));
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];
        struct bench_params params;
        const int n_rounds = is_gated(impl) ? combination(impl, in, 0, &params) : 0;
        const int n = small && in->update == SOM_SNAPSHOT ? least(n_rounds, small) : n_rounds;

        for (int i = 0; i < n; i++) {
            combination(impl, in, (n * n_inputs + i) % n_rounds, &params);
            check_bits(impl, &params, impl->target == BENCH_OPENMP ? 1 + n_cells_run % 3 : 1,
                       &expected);
        }
    }
    n_inputs++;
    return expected;
}

static void check(struct som_input *in)
{
    const struct run run = checked(in);

    end_run(&run);
}

/* ---- the network ---- */

/* As the network is drawn, neighbour k lies one node away at 60 k degrees; going there and back leads home. */
static void neighbours_are_mutual(void **state)
{
    static const double dx[] = {1, 0.5, -0.5, -1, -0.5, 0.5};
    static const int dy[] = {0, -1, -1, 0, 1, 1};

    (void)state;
    for (int y = -3; y < 9; y++)
        for (int x = -3; x < 9; x++)
            for (int k = 0; k < 6; k++) {
                int nx, ny, back_x, back_y;

                som_neighbour(x, y, k, &nx, &ny);
                som_neighbour(nx, ny, (k + 3) % 6, &back_x, &back_y);
                assert_int_equal(back_x, x);
                assert_int_equal(back_y, y);
                assert_int_equal(som_distance(x, y, nx, ny), 1);
                assert_int_equal(ny - y, dy[k]);
                assert_true(nx + (ny % 2 ? 0 : 0.5) - x - (y % 2 ? 0 : 0.5) == dx[k]);
            }
}

/* From d links to the right, six sides of d links each, every one turned by 60 degrees from the one before. */
static void check_ring(int x0, int y0, int d)
{
    enum { MOST = SOM_MAX_SIGMA + 1 };

    int seen[2 * MOST + 1][2 * MOST + 1] = {{0}}, x = x0, y = y0, n_wrong = 0;

    for (int step = 0; step < d; step++)
        som_neighbour(x, y, 0, &x, &y);
    for (int i = 0; i < som_ring_nodes(d); i++) {
        int found_x, found_y;

        som_ring_node(x0, y0, d, i, &found_x, &found_y);
        assert_int_equal(found_x, x);
        assert_int_equal(found_y, y);
        assert_in_range(y - y0 + MOST, 0, 2 * MOST);
        assert_in_range(x - x0 + MOST, 0, 2 * MOST);
        seen[y - y0 + MOST][x - x0 + MOST]++;
        if (d > 0)
            som_neighbour(x, y, (i / d + 2) % 6, &x, &y);
    }
    for (int dy = -MOST; dy <= MOST; dy++)
        for (int dx = -MOST; dx <= MOST; dx++)
            n_wrong +=
                seen[dy + MOST][dx + MOST] != (som_distance(x0, y0, x0 + dx, y0 + dy) == d);
    assert_int_equal(n_wrong, 0);
}

/* Rows of either parity, also where a ring leaves the network to where numbers are negative. */
static void a_ring_of_nodes_is_walked_around(void **state)
{
    (void)state;
    for (int d = 0; d <= SOM_MAX_SIGMA; d++)
        for (int y0 = -3; y0 <= 2; y0++)
            for (int x0 = -2; x0 <= 2; x0 += d < 6 ? 1 : 4)
                check_ring(x0, y0, d);
}

/* ---- lots ---- */

/* Sums with bits at either end, then random ones. */
static void scale_is_exact(void **state)
{
    static const uint64_t sums[] = {
        0, 1, 0xFFFFFFFF, 0x100000001, INT64_MAX - UINT32_MAX, INT64_MAX};
    static const uint32_t words[] = {0, 1, INT32_MAX, 0x80000000, UINT32_MAX};

    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        const struct bench_words w = bench_philox(32, i, 0, 0, 0);
        const int by_hand = i < N_OF(sums) * N_OF(words);
        const uint64_t high = (uint64_t)w.word[0] << 32 | w.word[1];
        const uint64_t sum = by_hand ? sums[i / N_OF(words)] : high >> (1 + w.word[3] % 63);
        const uint32_t word = by_hand ? words[i % N_OF(words)] : w.word[2];

        assert_true(som_scale(sum, word) == ((wide)sum * word) >> 32);
    }
}

/* Also by densities of the largest cells, at words at which a cell has just been active, or is not yet. */
static void cells_are_active_as_their_densities_say(void **state)
{
    const uint64_t most = UINT64_C(16581375) << 20;

    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        const uint64_t greatest = i % 2 ? 1 + draw(35, i, 0, 9) : most - draw(35, i, 0, 999);
        const uint64_t sum =
            i % 2 ? draw(35, i, 1, (uint32_t)greatest + 1) : greatest >> draw(35, i, 1, 44);
        const uint32_t delta = i % 3 ? ALL_LEVELS : 1 + draw(35, i, 2, ALL_LEVELS);
        const uint64_t limit = (sum * delta) >> 16;
        const uint64_t border = (uint64_t)((((wide)limit << 32) + greatest - 1) / greatest);
        const uint64_t word = border - (i % 5 == 0 && border > 0);

        if (word <= UINT32_MAX)
            assert_int_equal(som_is_active(sum, greatest, delta, (uint32_t)word) != 0,
                             word < border);
        assert_false(som_is_active(0, greatest, delta, 0));
        assert_true(
            som_is_active(greatest, greatest, ALL_LEVELS, UINT32_MAX - draw(35, i, 3, 9)));
    }
    assert_false(som_is_active(0, 0, ALL_LEVELS, 0));
}

/* ---- cells and rings ---- */

static void cells_of_positions(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        const int size = 1 + (int)draw(33, i, 0, 40), n = 1 + (int)draw(33, i, 1, 9);
        const float position = (float)between(33, i, 2, -5, size * n + 5);
        const int on_a_border = (int)draw(33, i, 3, (uint32_t)n + 2);

        assert_int_equal(som_cell(position, size, n), oracle_home((double)position, size, n));
        assert_int_equal(som_cell((float)(size * on_a_border), size, n),
                         least(on_a_border, n - 1));
    }
    assert_int_equal(som_cell(-0.25f, 20, 5), 0);
}

/* No position in a ring is nearer than its bound, also when all is rounded to float; one on its border is as near. */
static void a_ring_is_no_nearer_than_its_bound(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        const int size = 1 + (int)draw(34, i, 0, i % 2 ? 23 : 1024);
        const int cx = (int)draw(34, i, 1, 7), cy = (int)draw(34, i, 2, 7);
        const float px = (float)(cx * size + (int)draw(34, i, 3, (uint32_t)size)) + 0.5f;
        const float py = (float)(cy * size + (int)draw(34, i, 4, (uint32_t)size)) + 0.5f;
        const int k = 1 + (int)draw(34, i, 5, 6);
        const float bound = som_ring_square(px, py, cx, cy, size, k);
        double nearest = HUGE_VAL;

        for (int j = 0; j < som_ring_cells(k); j++) {
            double x, y;
            int rx, ry;

            som_ring_cell(cx, cy, k, j, &rx, &ry);
            /* the cell's nearest point, then any */
            x = fmin(fmax((double)px, rx * (double)size), (rx + 1.0) * size);
            y = fmin(fmax((double)py, ry * (double)size), (ry + 1.0) * size);
            nearest = fmin(nearest, pow((double)px - x, 2) + pow((double)py - y, 2));
            x = (rx + between(34, i, 100 + 2 * (uint32_t)j, 0, 1)) * size;
            y = (ry + between(34, i, 101 + 2 * (uint32_t)j, 0, 1)) * size;
            assert_true(som_square(px - (float)x, py - (float)y) >= bound);
        }
        assert_true((float)nearest == bound);
    }
}

/* ---- the input's tables and sizes ---- */

/* One number of each is wrong. */
static void impossible_inputs(void **state)
{
    /* maps, width, height, g, co, rounds; 0 is too small for each */
    static const int too_large[] = {0, 8193, 8193, 0, 1025, 65537};
    static const struct {
        int number; /* of alpha, alpha_final, sigma, sigma_final */
        double value;
    } schedules[] = {{0, 0}, {0, -1}, {1, 0}, {2, 0}, {2, 64}, {2, 1e9}, {3, 0}, {3, -1}};
    struct som_input *in = NULL;

    (void)state;
    for (int k = 0; k < 2 * N_OF(too_large); k++) {
        int n[] = {1, 61, 47, 6, 20, 3};

        n[k / 2] = k % 2 ? too_large[k / 2] : 0;
        assert_int_equal(som_input_new(n[0], n[1], n[2], n[3], n[4], n[5], &in), BENCH_EINPUT);
        assert_null(in);
    }
    in = new_input(1, "rounds=5");
    for (int i = 0; i < N_OF(schedules); i++) {
        double numbers[] = {1, 0.1, 6, 1};

        numbers[schedules[i].number] = schedules[i].value;
        memcpy(in->alpha, numbers, sizeof in->alpha);
        memcpy(in->sigma, numbers + 2, sizeof in->sigma);
        assert_int_equal(som_input_tables(in), BENCH_EINPUT);
    }
    som_input_free(in);
    som_input_free(NULL);
    som_output_free(NULL);
}

static void tables_follow_the_schedule(void **state)
{
    static const struct {
        double alpha[2], sigma[2];
        int n_rounds;
    } cases[] = {{{1, 0.01}, {12.5, 0.5}, 40},     {{0.5, 0.5}, {3.25, 3.25}, 7},
                 {{0.9, 0.1}, {63.99, 0.01}, 500}, {{1, 0.5}, {0.75, 0.25}, 1},
                 {{0.2, 0.01}, {6.5, 1.5}, 2},     {{1, 0.01}, {12.5, 0.5}, 20000}};

    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        const double *a = cases[i].alpha, *s = cases[i].sigma;
        const int n = cases[i].n_rounds;
        struct som_input *in =
            new_input(1, "rounds=%d alpha=%g alpha_final=%g sigma=%g sigma_final=%g", n, a[0],
                      a[1], s[0], s[1]);

        assert_int_equal(in->max_radius, (int)s[0]);
        assert_int_equal(in->radius[0], in->max_radius);
        assert_true(in->rate[0] == (float)a[0]);
        for (int r = 0; r < n; r++) {
            const float *rate = in->rate + (size_t)r * (size_t)(in->max_radius + 1);
            /* after n rounds they have come to their final values: the last one is a step before */
            const double alpha = a[0] * pow(a[1] / a[0], (double)r / n);
            const double sigma = s[0] * pow(s[1] / s[0], (double)r / n);

            /* a sigma that is nearly whole may be rounded either way */
            assert_in_range(in->radius[r], (int)(sigma * (1 - 1e-9)),
                            (int)(sigma * (1 + 1e-9)));
            assert_true(r == 0 || in->radius[r] <= in->radius[r - 1]);
            for (int d = 0; d <= in->radius[r]; d++) {
                const double expected = alpha * exp(-d * d / (sigma * sigma));

                assert_true(fabs((double)rate[d] / expected - 1) < 1.2e-7);
            }
        }
        som_input_free(in);
    }
}

/* ---- variants against the oracle ---- */

static const char *const settings[] = {
    /* all rings, fresh lists */
    "g=4 co=7 rounds=20 crr=1 sigma=6 map=noise seed=1",
    /* ties between neurons */
    "width=60 height=48 co=12 rounds=5 crr=1 sigma=2.5 alpha=0.5 alpha_final=0.1 map=flat "
    "seed=2",
    /* lists of one round only */
    "g=5 co=9 rounds=25 crr=1000 sigma=5 sigma_final=1 seed=3",
    /* own cell only */
    "g=4 co=6 rounds=30 ssr=0 crr=2 sigma=3 seed=4",
    /* one ring, lists too short */
    "g=4 co=17 rounds=20 ssr=1 crr=7 mnpc=2 delta=0.3 sigma=4 map=noise seed=5",
    /* one neuron a list */
    "width=53 height=59 g=7 co=23 rounds=30 ssr=3 crr=2 mnpc=1 sigma=6 sigma_final=1.2 "
    "alpha=0.4 alpha_final=0.1 map=noise seed=6",
    /* few bright pixels */
    "width=71 height=33 g=5 co=8 rounds=40 ssr=3 crr=7 map=sparse seed=7",
    /* a dim map */
    "g=5 co=6 rounds=30 ssr=3 crr=2 map=dim seed=8",
    /* a long seed */
    "width=47 height=61 co=5 ssr=1 crr=1 delta=0.3 sigma=4.5 seed=0xFEDCBA9876543210",
};

static void settings_by_hand(void **state)
{
    (void)state;
    for (int i = 0; i < N_OF(settings); i++)
        check(new_input(1, "%s", settings[i]));
}

/* Any number of small settings; every fifth of a batch. */
static void random_settings(void **state)
{
    static const int ranges[] = {0, 1, 3, SOM_NO_BOUND}, rates[] = {1, 2, 7};
    static const int capacities[] = {1, 2, 1000};
    static const char *const maps[] = {"noise", "disc", "sparse", "dim", "flat"};

    (void)state;
    for (uint32_t k = 0; k < (small ? 4u : 40u); k++) {
        const double sigma = between(50, k, 9, 0.5, 6.99);

        check(new_input(1 + (k % 5 == 4),
                        "width=%d height=%d g=%d co=%d rounds=%d ssr=%d crr=%d mnpc=%d "
                        "delta=%g sigma=%.17g sigma_final=%.17g alpha=%.17g alpha_final=%.17g "
                        "map=%s seed=%llu",
                        20 + (int)draw(50, k, 0, 60), 20 + (int)draw(50, k, 1, 60),
                        4 + (int)draw(50, k, 2, 4), 5 + (int)draw(50, k, 3, 19),
                        3 + (int)draw(50, k, 4, 38), ranges[draw(50, k, 5, 4)],
                        rates[draw(50, k, 6, 3)], capacities[draw(50, k, 7, 3)],
                        draw(50, k, 8, 2) ? 1 : 0.3, sigma, between(50, k, 10, 0.1, sigma),
                        between(50, k, 11, 0.3, 1), between(50, k, 12, 0.005, 0.3),
                        maps[draw(50, k, 13, N_OF(maps))],
                        (unsigned long long)draw(50, k, 14, UINT32_MAX) << 17));
    }
}

/* Settings would prove little if a wrong algorithm came to the same bits: each fault shows in one of those by hand. */
static void faults_are_caught(void **state)
{
    int n_caught[N_FAULTS] = {0};

    (void)state;
    if (small)
        skip();
    for (int i = 0; i < N_OF(settings); i++) {
        const struct run right = expected_of(new_input(2, "%s", settings[i]), FAULT_NONE);

        for (int fault = FAULT_NONE; fault < N_FAULTS; fault++)
            n_caught[fault] += shows(&right, (enum fault)fault);
        end_run(&right);
    }
    for (int fault = FAULT_NONE; fault < N_FAULTS; fault++)
        if ((n_caught[fault] > 0) != (fault != FAULT_NONE))
            fail_msg("fault %d shows in %d settings", fault, n_caught[fault]);
}

/* Two cells of the first round have the same word to be ordered by, and what they pull overlaps. */
static void equal_words_go_by_cell(void **state)
{
    const struct run run = checked(new_input(
        1, "width=128 height=128 g=8 co=2 rounds=1 crr=1 sigma=31 sigma_final=1 alpha=0.02 "
           "map=flat seed=119"));
    uint32_t *words = of_size(64 * 64, sizeof *words);
    int n_equal = 0;

    (void)state;
    for (uint32_t c = 0; c < 64 * 64; c++) {
        words[c] = som_words(119, 0, c).word[2];
        for (uint32_t before = 0; before < c; before++)
            n_equal += words[before] == words[c];
    }
    free(words);
    assert_int_equal(n_equal, 1);
    assert_true(shows(&run, FAULT_EQUAL_WORDS));
    end_run(&run);
}

/*
 * A neuron on the border of the next ring is as near as the best so far and has the smaller id, so that ring must still be
 * searched.  Neurons get to such places where pulls of the whole way and of half of it take turns.
 */
static void a_tie_with_the_next_ring(void **state)
{
    struct som_input *const in =
        new_input(1, "width=38 height=29 g=3 co=3 rounds=7 crr=1 sigma=0.9 sigma_final=0.9 "
                     "alpha=0.5 alpha_final=0.5 map=flat seed=68212");
    struct run run;

    (void)state;
    assert_int_equal(in->max_radius, 0);
    for (int round = 0; round < in->n_rounds; round++)
        in->rate[round] = round % 2 ? 0.5f : 1;
    run = checked(in);
    assert_true(shows(&run, FAULT_EQUAL_BOUND));
    end_run(&run);
}

/* ---- edges, through all variants ---- */

/* Which neurons and cells there are, and what is counted; where nothing is, nobody moves. */
static void one_of_a_kind(void **state)
{
    static const struct {
        const char *words, *expected;
    } edges[] = {
        {"map=empty", "10 x 8 neurons, 7 x 5 cells: 0, 0 missed, 0 left out"},
        {"map=flat width=1 height=1 g=1 co=1",
         "1 x 1 neurons, 1 x 1 cells: 12, 0 missed, 0 left out"},
        {"map=flat co=1024", "10 x 8 neurons, 1 x 1 cells: 12, 0 missed, 0 left out"},
        {"map=flat g=60", "1 x 1 neurons, 7 x 5 cells: 344, 0 missed, 0 left out"},
        {"map=flat height=1 g=1 co=7",
         "61 x 1 neurons, 9 x 1 cells: 105, 0 missed, 0 left out"},
        {"map=flat width=1 height=61 g=1 co=7",
         "1 x 61 neurons, 1 x 9 cells: 105, 0 missed, 0 left out"},
        {"map=flat width=17 height=13 g=4 co=1",
         "4 x 3 neurons, 17 x 13 cells: 2652, 0 missed, 0 left out"},
        /* cells without a neuron */
        {"g=12 co=5 ssr=0", "5 x 4 neurons, 13 x 10 cells: 44, 107 missed, 0 left out"},
        /* all but one of each cell find no room, of one list and of four */
        {"co=40 mnpc=1 crr=1000", "10 x 8 neurons, 2 x 2 cells: 19, 0 missed, 76 left out"},
        {"co=40 mnpc=1", "10 x 8 neurons, 2 x 2 cells: 19, 0 missed, 307 left out"},
        /* a radius of 0 */
        {"co=20 rounds=30 sigma=0.9 sigma_final=0.1",
         "10 x 8 neurons, 4 x 3 cells: 99, 0 missed, 0 left out"},
    };

    (void)state;
    for (int i = 0; i < N_OF(edges); i++) {
        const struct run run = checked(new_input(1, "%s", edges[i].words));
        const struct som_counts *const counts = run.out.counts;
        float *const first = first_positions(run.in);
        char found[120];

        snprintf(found, sizeof found,
                 "%d x %d neurons, %d x %d cells: %d, %d missed, %d left out",
                 run.in->grid_cols, run.in->grid_rows, run.in->cell_cols, run.in->cell_rows,
                 (int)counts->updates, (int)counts->misses, (int)counts->left_out);
        assert_string_equal(found, edges[i].expected);
        assert_int_equal(!memcmp(run.out.position, first, position_bytes(&run.out)),
                         counts->updates == 0);
        free(first);
        end_run(&run);
    }
}

/* Four neurons over 10 x 10 cells: winners lie in every ring up to the last that a search may go to, and beyond it. */
static void few_neurons_far_apart(void **state)
{
    static const int ranges[] = {0, 1, 2, 3, 4, 5, SOM_NO_BOUND};

    (void)state;
    for (int k = 0; k < 2 * N_OF(ranges); k++)
        check(new_input(1,
                        "width=200 height=200 g=100 co=20 rounds=6 ssr=%d crr=2 mnpc=4 sigma=1 "
                        "alpha=0.5 alpha_final=0.1 map=noise seed=%d",
                        ranges[k % N_OF(ranges)], 11 + k));
}

/* Words of som/gpu-opt's keys. */
struct team {
    const char *team, *blocks, *threads;
};

/*
 * All gated variants on an input; those with teams, with each of these.  *n_run: how many teams there were; those for which a card
 * has no room, or no means, are left out.
 */
static struct run check_teams(struct som_input *in, const struct team *teams, int n_teams,
                              int *n_run)
{
    const struct run expected = expected_of(in, FAULT_NONE);

    *n_run = 0;
    for (int k = 0; bench_impls[k]; k++)
        for (int t = 0; is_gated(bench_impls[k]) && t < n_teams; t++) {
            const struct bench_impl *impl = bench_impls[k];
            struct bench_params params = with_update("snapshot");
            const bool has_team = set_param(&params, impl, "team", teams[t].team);

            if (!has_team && t > 0)
                break;
            set_param(&params, impl, "team_blocks", teams[t].blocks);
            set_param(&params, impl, "team_threads", teams[t].threads);
            assert_int_equal(bench_params_default(&params, impl->keys, "test"), BENCH_OK);
            *n_run += check_bits(impl, &params, 2, &expected) && has_team;
        }
    return expected;
}

/* Whether blocks of this card have room for the runs below: from compute capability 8 on 99 KiB at least, from 9 on 227. */
static bool blocks_are_large(int least_cc)
{
    return device && bench_device_describe(device)->cc_major >= least_cc;
}

#define MANY_PULLS "width=166 height=141 g=2 co=4 sigma=6 sigma_final=1 alpha_final=0.5 seed=5 "

#define MANY_FLAT   MANY_PULLS "rounds=4 ssr=3 crr=2 mnpc=100 map=flat"
#define MANY_SPARSE MANY_PULLS "rounds=4 ssr=3 crr=2 mnpc=100 map=sparse"
#define FILLS_A_BLOCK                                                                     \
    "width=160 height=150 g=1 co=20 rounds=3 ssr=1 crr=2 mnpc=395 sigma=3 sigma_final=1 " \
    "alpha_final=0.5 map=noise seed=5"

/*
 * 24 000 neurons: on a card with 227 KiB of shared memory for a block the mesh has room there, with its lists it has not.  20 x 19
 * tiles: a warp has one of each of two rows at a time, or five.  A cell has 400 neurons to begin with.
 *
 * More pulls in a round than the words of a warp have bits for (1024), on tiles of which some stick out of the mesh: 11 x 9, of which
 * a warp has one of each of two rows at a time, or four, three at the end of a row, and one row has no other.
 */
static void a_mesh_in_a_block(void **state)
{
    static const struct {
        const char *words, *threads;
        int n_frames, least_cc, has_left_out;
        uint64_t n_pulls;
    } cases[] = {{FILLS_A_BLOCK, "256", 1, 9, 1, 0},    {MANY_FLAT, "256", 2, 8, 0, 4 * 1024},
                 {MANY_SPARSE, "256", 1, 8, 0, 0},      {FILLS_A_BLOCK, "auto", 1, 9, 1, 0},
                 {MANY_FLAT, "512", 2, 8, 0, 4 * 1024}, {MANY_SPARSE, "512", 1, 8, 0, 0}};

    (void)state;
    for (int i = 0; i < (small ? 4 : N_OF(cases)); i++) {
        const struct team block = {"block", "0", cases[i].threads};
        int n_blocks;
        const struct run run =
            check_teams(new_input(small ? 1 : cases[i].n_frames, "%s", cases[i].words), &block,
                        1, &n_blocks);

        assert_true(n_blocks > 0 || !blocks_are_large(cases[i].least_cc));
        assert_int_equal(run.out.counts[0].left_out > 0, cases[i].has_left_out);
        assert_true(run.out.counts[0].updates > cases[i].n_pulls);
        end_run(&run);
    }
}

/* Whether this program has clusters on this card: of sm 90, from CUDA 12.1 on. */
static bool has_clusters(void)
{
    const struct bench_device_facts *facts = device ? bench_device_describe(device) : NULL;
    const char *built = bench_device_architectures();

    return facts && facts->cc_major == 9 && facts->runtime >= 12010 &&
           (strstr(built, "90") || strstr(built, "all"));
}

/* Teams whose blocks have unequal shares, or none: of a mesh of an odd number of neurons (83 x 71, more than a cluster's threads keep
 * of), with more pulls than a grid's block looks at together, on a tile more than a warp has lanes; and of one of three. */
static void teams_of_all_sizes(void **state)
{
    static const struct team teams[] = {{"cluster", "1", "512"},  {"cluster", "2", "256"},
                                        {"cluster", "3", "512"},  {"cluster", "7", "256"},
                                        {"cluster", "15", "512"}, {"cluster", "16", "512"},
                                        {"grid", "1", "256"},     {"grid", "3", "512"},
                                        {"grid", "17", "768"},    {"grid", "5", "1024"}};
    /* more ranges than lanes */
    static const char *const cases[] = {
        MANY_PULLS "ssr=9 crr=2 mnpc=6 map=flat", MANY_PULLS "ssr=9 crr=1 mnpc=100 map=sparse",
        "width=6 height=2 g=2 co=4 ssr=9 crr=1 mnpc=100 sigma=6 sigma_final=1 alpha_final=0.5 "
        "map=noise seed=5"};
    const int n_rounds = small ? 3 : 5;

    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        int n_teams;
        const struct run run =
            check_teams(new_input(i == 0 && small ? 1 : (const int[]){2, 1, 3}[i],
                                  "%s rounds=%d", cases[i], n_rounds),
                        teams, N_OF(teams), &n_teams);
        const struct som_counts *const counts = &run.out.counts[0];

        assert_true(i == 1 || n_teams >= (has_clusters() ? 6 : device ? 1 : 0));
        assert_true(i > 0 ||
                    (counts->updates > (uint64_t)n_rounds * 1024 && counts->left_out > 0));
        assert_int_equal(run.out.n_neurons, i < 2 ? 83 * 71 : 3);
        end_run(&run);
    }
}

/* Frame f of a batch draws the words of seed + f, modulo 2^64: that is the rule, so that frames of a batch do not share
 * their lots and each can be made alone.  Here the second frame's seed is 0. */
static void each_frame_of_a_batch_has_a_seed(void **state)
{
    (void)state;
    check(new_input(2, "map=noise seed=0xFFFFFFFFFFFFFFFF"));
    check(new_input(3, "map=noise seed=0xFFFFFFFFFFFFFFFF"));
}

/* ---- what the harness asks the problem ---- */

static size_t wrong_by(const struct som_input *in, const struct som_output *expected,
                       const struct som_output *found)
{
    const struct bench_params params = with_update("snapshot");
    struct bench_difference difference = {0};

    som_problem.compare(&params, in, expected, found, &difference);
    assert_int_equal(difference.n_wrong == 0, difference.where[0] == '\0');
    return difference.n_wrong;
}

static void compare_catches_what_is_wrong(void **state)
{
    const struct bench_params snapshot = with_update("snapshot");
    const struct run run = expected_of(new_input(2, "seed=77"), FAULT_NONE);
    struct som_output wrong = guarded_output(run.in);
    const size_t n_values = position_bytes(&wrong) / sizeof(float);
    const size_t places[] = {0, n_values / 2, n_values - 1};

    (void)state;
    assert_int_equal(som_problem.match(&snapshot), BENCH_EXACT);
    copy_output(&som_problem, &wrong, &run.out);
    assert_int_equal(wrong_by(NULL, &run.out, &wrong), 0);
    for (int i = 0; i < N_OF(places); i++) {
        uint32_t bits;

        memcpy(&bits, &run.out.position[places[i]], sizeof bits);
        /* the last bits, the sign, no number, infinity */
        for (int k = 0; k < 5; k++) {
            const uint32_t changed[] = {bits ^ 1, bits ^ 2, bits ^ 0x80000000, 0x7FC00000,
                                        0x7F800000};

            memcpy(&wrong.position[places[i]], &changed[k], sizeof bits);
            assert_true(wrong_by(run.in, &run.out, &wrong) > 0);
        }
        memcpy(&wrong.position[places[i]], &bits, sizeof bits);
    }
    for (int k = 0; k < 12; k++) { /* three counts of two maps, one more or less of each */
        uint64_t *const count = (uint64_t *)wrong.counts + k / 2;
        const uint64_t one = k % 2 ? 1 : UINT64_MAX;

        *count += one;
        assert_true(wrong_by(run.in, &run.out, &wrong) > 0);
        *count -= one;
    }
    assert_int_equal(wrong_by(run.in, &run.out, &wrong), 0);
    release_output(&som_problem, &wrong);
    end_run(&run);
}

static struct plane new_plane(const char *name, int width, int height)
{
    struct plane plane = {0};

    assert_int_equal(plane_alloc(&plane, width, height), BENCH_OK);
    snprintf(plane.name, sizeof plane.name, "%s", name);
    for (int i = 0; i < width * height; i++)
        plane.disparity[i] = (uint16_t)(i % 11 ? i * 37 % 65535 : DISPARITY_INVALID);
    return plane;
}

/* At numerator / denominator levels per px, rounded half up. */
static void check_levels(const struct som_input *in, int frame, const struct plane *plane,
                         int numerator, int denominator, int threshold)
{
    const int whole_level = denominator * DISPARITY_SCALE;

    for (size_t i = 0; i < som_n_pixels(in); i++) {
        const int disparity = plane->disparity[i];
        const int level = (2 * disparity * numerator + whole_level) / (2 * whole_level);
        const int is_background = disparity == DISPARITY_INVALID || level <= threshold;

        assert_int_equal(in->grey[(size_t)frame * som_n_pixels(in) + i],
                         is_background ? 0 : least(level, 255));
    }
}

/* The input that is made of two maps; its sizes and what else is whole are as expected. */
static struct som_input *made_of(const char *const *pairs, const struct plane *a,
                                 const struct plane *b, const char *expected)
{
    const struct bench_params params = params_with(&som_problem, pairs);
    const struct plane *const planes[] = {a, b};
    const struct som_input *in;
    char found[256];
    void *input;

    assert_int_equal(som_problem.make_input(&params, planes, 2, &input), BENCH_OK);
    in = input;
    snprintf(
        found, sizeof found,
        "%d of %dx%d, neurons %dx%d, cells %dx%d of %d, %d rounds, ssr %d, crr %d, mnpc %d, "
        "update %d, delta %u, seed %llu, radius %d",
        in->n_frames, in->width, in->height, in->grid_cols, in->grid_rows, in->cell_cols,
        in->cell_rows, in->cell_size, in->n_rounds, in->search_range, in->refresh_rate,
        in->cell_capacity, in->update, in->delta_q16, (unsigned long long)in->seed,
        in->radius[0]);
    assert_string_equal(found, expected);
    return input;
}

static void input_from_planes(void **state)
{
    static const char *const all[] = {
        "grey",   "2.5", "threshold",   "0",          "g",      "4",    "co",          "7",
        "rounds", "9",   "ssr",         "-1",         "crr",    "3",    "mnpc",        "5",
        "delta",  "0.5", "seed",        "2147483647", "sigma",  "5.5",  "sigma_final", "0.5",
        "alpha",  "0.5", "alpha_final", "0.25",       "update", "live", NULL};
    static const char *const none[] = {NULL};
    static const char *const resized[] = {"width", "450", "height", "375", NULL};
    const struct bench_params params = params_with(&som_problem, none);
    struct plane a = new_plane("first", 71, 53), b = new_plane("second", 71, 53);
    struct plane c = new_plane("third", 71, 54);
    const struct plane *const different[] = {&a, &c};
    struct som_input *in;
    void *input;

    (void)state;
    a.grey_per_px = 3;
    a.threshold = 20;
    a.camera.fx_px = 500;
    b.camera.baseline_m = 0.25;

    /* each map's own scale and threshold; 2 and 0 where it has none */
    in = made_of(none, &a, &b,
                 "2 of 71x53, neurons 12x9, cells 4x3 of 20, 1500 rounds, ssr 4, crr 20, "
                 "mnpc 2000, update 0, delta 65536, seed 1, radius 24");
    check_levels(in, 0, &a, 3, 1, 20);
    check_levels(in, 1, &b, 2, 1, 0);
    assert_true(in->grey_per_px[0] == 3 && in->focal_px[0] == 500 && in->baseline_m[0] == 0);
    assert_true(in->focal_px[1] == 0 && in->baseline_m[1] == 0.25);
    som_problem.free_input(in);

    in = made_of(all, &a, &b,
                 "2 of 71x53, neurons 18x13, cells 11x8 of 7, 9 rounds, ssr -1, crr 3, mnpc 5, "
                 "update 1, delta 32768, seed 2147483647, radius 5");
    check_levels(in, 0, &a, 5, 2, 0);
    check_levels(in, 1, &b, 5, 2, 0);
    assert_true(in->rate[0] == 0.5f);
    assert_true(fabs((double)in->rate[6 * 8] - 0.5 * pow(0.5, 8 / 9.0)) < 1e-7);
    som_problem.free_input(in);

    /* as in the paper's table 2: half a neuron is one, and so is what is left for a cell */
    in = made_of(resized, &a, &c,
                 "2 of 450x375, neurons 75x63, cells 23x19 of 20, 1500 rounds, ssr 4, crr 20, "
                 "mnpc 2000, update 0, delta 65536, seed 1, radius 24");
    assert_int_equal(in->grey[0], 0); /* its nearest pixel has no disparity */
    som_problem.free_input(in);

    assert_int_equal(som_problem.make_input(&params, different, 2, &input), BENCH_EINPUT);
    assert_null(input);
    assert_non_null(strstr(bench_failure(), "third"));
    assert_int_equal(som_problem.make_input(&params, different, 0, &input), BENCH_EINPUT);
    assert_null(input);
    plane_free(&a);
    plane_free(&b);
    plane_free(&c);
}

/* FNV-1a, over all blocks of an input. */
static uint64_t hash_of(const struct som_input *in)
{
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    const int n = som_problem.input_blocks(in, blocks);
    uint64_t hash = 0xCBF29CE484222325;

    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < blocks[i].bytes; k++)
            hash = (hash ^ ((const uint8_t *)blocks[i].data)[k]) * 0x100000001B3;
    return hash;
}

/* A hash of an input must tell inputs apart whose outputs differ. */
static void blocks_hold_all_that_matters(void **state)
{
    struct som_input *in = new_input(2, "seed=77");
    const uint64_t hash = hash_of(in);
    void *const settings_of[] = {&in->update,        &in->search_range, &in->refresh_rate,
                                 &in->cell_capacity, &in->delta_q16,    (char *)&in->seed + 5};
    void *const arrays[] = {in->radius, in->rate, &in->grey[2 * som_n_pixels(in) - 1]};
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    const struct som_output *out;
    void *made = NULL;
    size_t total = 0;

    (void)state;
    for (int k = 0; k < 9; k++) {
        uint8_t *const byte = k < 6 ? settings_of[k] : arrays[k - 6];

        *byte ^= 1;
        if (hash_of(in) == hash)
            fail_msg("change %d of the input is not in its blocks", k);
        *byte ^= 1;
    }
    assert_int_equal(hash_of(in), hash);
    assert_int_equal(som_problem.n_frames(in), 2);
    assert_int_equal(som_problem.make_output(in, &made), BENCH_OK);
    out = made;
    assert_int_equal(out->n_frames, 2);
    assert_int_equal(out->n_neurons, som_n_neurons(in));
    for (int i = 0, n = som_problem.output_blocks(out, blocks); i < n; i++)
        total += blocks[i].bytes;
    assert_int_equal(total, position_bytes(out) + 2 * sizeof *out->counts);
    som_problem.free_output(made);
    som_input_free(in);
}

/* ---- update = live, and the counterpart of one step at a time ---- */

/* A map and a schedule under which a mesh has time to follow. */
#define SMOOTH "width=120 height=96 g=4 co=8 rounds=120 crr=2 sigma=6 alpha=0.5 seed=5"

/* Of a variant that runs on the CPU alone, on one thread. */
static struct som_output output_of(const char *name, const struct som_input *in)
{
    const struct bench_impl *impl = bench_find_impl(name);
    struct som_output out = guarded_output(in);
    struct bench_params params;

    assert_non_null(impl);
    combination(impl, in, 0, &params);
    assert_int_equal(drive(impl, &params, 1, in, &out), 1);
    n_cells_run++;
    return out;
}

static struct som_quality quality_of(const struct som_input *in, const float *position)
{
    struct som_quality quality;

    assert_int_equal(som_quality_of(in, 0, position, &quality), BENCH_OK);
    return quality;
}

/* Whether a mesh costs much less than the regular network, and is hardly folded. */
static bool has_followed(const struct som_input *in, const struct som_output *out)
{
    const struct som_quality quality = quality_of(in, out->position);
    float *const first = first_positions(in);
    const struct som_quality regular = quality_of(in, first);

    free(first);
    assert_int_equal(regular.n_folded, 0);
    assert_true(quality.n_triangles > 100);
    return quality.cost_pct < 0.6 * regular.cost_pct &&
           quality.n_folded * 100 <= quality.n_triangles;
}

/* Two live meshes, the first the reference; 'wrong': of what is wrong first, NULL: nothing is. */
static void assert_judged(const struct run *reference, const struct som_output *out,
                          const char *wrong, size_t n_outside)
{
    const struct bench_params live = with_update("live");
    struct bench_difference difference = {0};

    som_problem.compare(&live, reference->in, &reference->out, out, &difference);
    if ((difference.n_wrong > 0) != (wrong != NULL) ||
        (wrong && !strstr(difference.where, wrong)))
        fail_msg("%zu wrong: '%s', expected '%s'", difference.n_wrong, difference.where,
                 wrong ? wrong : "none");
    if (!wrong) {
        assert_int_equal(difference.n_compared, reference->in->n_frames);
        assert_int_equal(difference.n_outside, n_outside);
    }
}

static void shrink(struct som_output *to, const struct som_output *from, float share, float x,
                   float y)
{
    for (int k = 0; k < 2 * to->n_neurons; k++)
        to->position[k] = (k % 2 ? y : x) + share * (from->position[k] - (k % 2 ? y : x));
}

/* Live meshes are held against each other by what they cost and fold: wrong is one that has not moved, has left the map or shrunk, or
 * has a position that is no number; outside is one that is folded; one that is merely another is neither. */
static void compare_of_live_meshes(void **state)
{
    const struct bench_params live = with_update("live");
    struct run run, better;
    struct som_output other;
    float swap[2];

    (void)state;
    if (small)
        skip();
    run = expected_of(new_input(1, SMOOTH), FAULT_NONE);
    other = guarded_output(run.in);
    assert_int_equal(som_problem.match(&live), BENCH_STATISTICAL);
    assert_false(som_problem.repeatable(&live));
    oracle_run(run.in, &other, FAULT_LIVE);
    assert_false(same(&run.out, &other));
    assert_judged(&run, &other, NULL, 0);

    for (int k = 0; k < 4; k++) { /* one neuron, a little beyond each border */
        const float beyond[] = {-0.01F, -0.01F, (float)run.in->width + 0.01F,
                                (float)run.in->height + 0.01F};

        copy_output(&som_problem, &other, &run.out);
        other.position[2 * 3 + k % 2] = beyond[k];
        assert_judged(&run, &other, "beyond the map", 0);
    }

    shrink(&other, &run.out, 0.01F, 0, 0); /* into a corner */
    assert_judged(&run, &other, "the network began with", 0);

    copy_output(&som_problem, &other, &run.out);
    other.counts[0].misses++;
    assert_judged(&run, &other, "cells had a point", 0);
    other.counts[0].misses--;
    other.position[7] = NAN;
    assert_judged(&run, &other, "neuron (3, 0)", 0);
    som_first_positions(run.in, other.position);
    assert_judged(&run, &other, "the network began with", 0);

    copy_output(&som_problem, &other, &run.out);
    for (int k = 0; k + 1 < other.n_neurons; k += 3) { /* with the next one: folded */
        memcpy(swap, &other.position[2 * k], sizeof swap);
        memcpy(&other.position[2 * k], &other.position[2 * k + 2], sizeof swap);
        memcpy(&other.position[2 * k + 2], swap, sizeof swap);
    }
    assert_judged(&run, &other, NULL, 1);

    /* a tenth of the way back, which costs 6 points and folds none; so much better is fine */
    som_first_positions(run.in, other.position);
    for (int k = 0; k < 2 * other.n_neurons; k++)
        other.position[k] += 0.9F * (run.out.position[k] - other.position[k]);
    assert_judged(&run, &other, NULL, 1);
    better = (struct run){run.in, other};
    assert_judged(&better, &run.out, NULL, 0);

    /* it costs less than at the start */
    shrink(&other, &run.out, 0.4F, (float)run.in->width / 2, (float)run.in->height / 2);
    assert_judged(&run, &other, "of the density", 0);
    release_output(&som_problem, &other);
    end_run(&run);

    run = expected_of(new_input(2, SMOOTH), FAULT_NONE); /* each map of a batch is looked at */
    other = guarded_output(run.in);
    copy_output(&som_problem, &other, &run.out);
    assert_judged(&run, &other, NULL, 0);
    som_first_positions(run.in, other.position + 2 * (size_t)other.n_neurons);
    assert_judged(&run, &other, "map 1: ", 0);
    release_output(&som_problem, &other);
    end_run(&run);
}

/*
 * Live updates of a single cell: nobody is at its side, so all must give the same bits, whichever way they go over a
 * neighbourhood, which here is less than the network, as large, and larger on all sides; winners are all over the map.
 */
static void live_in_one_cell(void **state)
{
    static const double sigmas[] = {2.5, 5.5, 19.5};

    (void)state;
    for (int k = 0; k < N_OF(sigmas); k++) {
        const struct run run = checked(new_input(
            1 + k % 2, "live=1 co=1024 g=%d rounds=7 sigma=%g alpha=0.4 map=flat seed=%d",
            5 + k, sigmas[k], 90 + k));

        assert_int_equal(run.out.counts[0].updates, 7);
        end_run(&run);
    }
}

/*
 * Live updates of many cells at once, all of which pull all neurons: none of their pulls may be lost, but by exchanges.
 *
 * The cells are a row (a column) of which each has one dense pixel, at the same height, so in every round each of them pulls
 * a neuron by the same share of what is left of its way to that height, in whatever order: how much is left says how many
 * pulls there were.  One neuron is enough where threads are sure to be at it together; of more, as many as there are cells,
 * threads that meet by chance are seldom at another.
 */
#define ROW_OF_CELLS 64

static double pulls_made(const struct som_input *in, const struct som_output *out, int axis,
                         int id)
{
    const double target = 2.5;
    float first[2 * ROW_OF_CELLS];

    som_first_positions(in, first);
    return log(((double)out->position[2 * id + axis] - target) /
               ((double)first[2 * id + axis] - target)) /
           log(1 - (double)in->rate[0]);
}

static struct som_input *row_of_cells(int axis, uint64_t seed, int one_neuron)
{
    enum { SIDE = 16, N_ROUNDS = 4 };
    const int length = SIDE * ROW_OF_CELLS;
    struct som_input *in = NULL;

    assert_int_equal(som_input_new(1, axis ? length : SIDE, axis ? SIDE : length,
                                   one_neuron ? 2 * length : SIDE, SIDE, N_ROUNDS, &in),
                     BENCH_OK);
    assert_int_equal(som_n_neurons(in), one_neuron ? 1 : ROW_OF_CELLS);
    in->update = SOM_LIVE;
    in->search_range = SOM_NO_BOUND;
    in->seed = seed;
    in->sigma[0] = in->sigma[1] = one_neuron ? 0.5 : SOM_MAX_SIGMA;
    assert_int_equal(som_input_tables(in), BENCH_OK);
    for (int i = 0; i < N_ROUNDS * (in->max_radius + 1); i++)
        in->rate[i] = 0.02F; /* however far; after all pulls 0.0057 of the way is left */
    for (int cell = 0; cell < ROW_OF_CELLS; cell++) {
        const int along = SIDE * cell + (int)draw(seed, (uint32_t)cell, 8, SIDE);

        in->grey[axis ? 2 * length + along : SIDE * along + 2] = 200;
    }
    return in;
}

/* While 'on', threads are interrupted at any instruction and others run: also on one processor, and on a busy machine. */
static void interrupt(int signal)
{
    const struct timespec at_once = {0, 1};

    (void)signal;
    nanosleep(&at_once, NULL);
}

static void interrupt_threads(int on)
{
    const struct sigaction action = {.sa_handler = on ? interrupt : SIG_IGN,
                                     .sa_flags = SA_RESTART};
    const struct timeval between = {0, on ? 500 : 0};

    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &(struct itimerval){between, between}, NULL), 0);
}

static void no_live_pull_is_lost(void **state)
{
    const int all = 4 * ROW_OF_CELLS;
    int n_lost = 0, n_exchanged = 0;

    (void)state;
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];
        const int on_device = impl->target == BENCH_CUDA,
                  in_teams = impl->target == BENCH_OPENMP;
        struct bench_params params;
        const int n_rounds =
            is_gated(impl)
                ? combination(impl, &(struct som_input){.update = SOM_LIVE}, 0, &params)
                : 0;

        for (int i = 0; i < n_rounds * (in_teams ? 100 : 2); i++) {
            const int axis = i % 2, round = i % n_rounds;
            struct som_input *in = row_of_cells(axis, (uint64_t)(i / 2), on_device);
            struct som_output out = guarded_output(in);
            char text[512];
            int ran;

            combination(impl, in, round, &params);
            if (on_device) /* blocks of an emulated card run one after another */
                set_param(&params, impl, "block_threads", axis ? "64" : "32");
            interrupt_threads(in_teams);
            ran = drive(impl, &params, in_teams ? 4 : 1, in, &out);
            interrupt_threads(0);
            n_cells_run += ran;
            bench_params_text(&params, text, sizeof text);
            for (int id = 0; ran && id < som_n_neurons(in); id++) {
                const double n = pulls_made(in, &out, axis, id);
                const int may_lose = strstr(text, "atomics=exch") != NULL;

                assert_int_equal(out.counts[0].updates, all);
                if (!(n < all + 0.5 && n > (may_lose ? 3.5 : all - 0.5)))
                    fail_msg("%s (%s): %.2f pulls of %d have come", impl->name, text, n, all);
                n_exchanged += may_lose;
                n_lost += n < all - 0.5;
            }
            release_output(&som_problem, &out);
            som_input_free(in);
        }
    }
    /* were no pull lost by exchanges, the cells would not have been at it together, and the others proved nothing */
    assert_true(n_exchanged == 0 || n_lost > 0);
}

/* On one thread the cells' orders are the only ones: the first is that of the words, in which the oracle goes too.  Another order is
 * another mesh of the same points; the lots do not hang on the mesh. */
static void live_on_one_thread(void **state)
{
    const struct bench_impl *impl = bench_find_impl("som/rounds");
    static const char *const orders[] = {"0", "1", "2"};
    struct som_output out[4];
    struct run live;

    (void)state;
    if (gpu_only || small)
        skip();
    live = expected_of(new_input(1, SMOOTH " live=1"), FAULT_LIVE);
    out[3] = guarded_output(live.in);
    oracle_run(live.in, &out[3], FAULT_NONE);
    for (int k = 0; k < 3; k++) {
        struct bench_params params = with_update("live");

        set_param(&params, impl, "cell_order", orders[k]);
        out[k] = guarded_output(live.in);
        assert_int_equal(drive(impl, &params, 1, live.in, &out[k]), 1);
    }
    assert_true(same(&live.out, &out[0]));
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < k; i++)
            assert_false(same(&out[i], &out[k]));
        assert_int_equal(out[k].counts[0].updates + out[k].counts[0].misses,
                         live.out.counts[0].updates + live.out.counts[0].misses);
        assert_true(k == 1 || k == 2 || has_followed(live.in, &out[k]));
    }
    live.in->update = SOM_SNAPSHOT; /* has one order */
    for (int k = 0; k < 3; k++) {
        struct bench_params params = with_update("snapshot");

        set_param(&params, impl, "cell_order", orders[k]);
        assert_int_equal(drive(impl, &params, 1, live.in, &out[k]), k == 0);
    }
    assert_true(same(&out[0], &out[3]));
    for (int k = 0; k < 4; k++)
        release_output(&som_problem, &out[k]);
    end_run(&live);
}

/* No update, whatever the map. */
static void the_grid_is_the_network_at_the_start(void **state)
{
    static const struct som_counts none[2];
    struct som_input *const in = new_input(2, SMOOTH);
    const struct run run = {in, output_of("som/grid", in)};
    float *const first = first_positions(in);

    (void)state;
    for (int f = 0; f < 2; f++)
        assert_memory_equal(run.out.position + (size_t)f * (size_t)run.out.n_neurons * 2, first,
                            position_bytes(&run.out) / 2);
    assert_memory_equal(run.out.counts, none, sizeof none);
    free(first);
    end_run(&run);
}

static void one_step_at_a_time(void **state)
{
    struct run run;
    struct som_output again, other;

    (void)state;
    if (gpu_only || small)
        skip();
    run.in = new_input(1, SMOOTH);
    run.out = output_of("som/serial", run.in);
    run.in->update = SOM_LIVE; /* has no meaning here */
    again = output_of("som/serial", run.in);
    assert_true(same(&run.out, &again));
    run.in->update = SOM_SNAPSHOT;
    run.in->seed++;
    other = output_of("som/serial", run.in);
    assert_false(same(&run.out, &other));
    assert_true(has_followed(run.in, &run.out));
    release_output(&som_problem, &again);
    release_output(&som_problem, &other);
    end_run(&run);
}

/* som/serial by its definition: of one cell, whose list is as old as a step, so that the nearest of all neurons wins. */
static void oracle_of_steps(const struct som_input *in, double *at)
{
    const int n_neurons = som_n_neurons(in), n = in->n_rounds;
    const size_t n_pixels = som_n_pixels(in);
    uint64_t total = 0;

    for (size_t i = 0; i < n_pixels; i++)
        total += som_density(in->grey[i]);
    for (int t = 0; t < n; t++) {
        const struct bench_words r = bench_philox(in->seed, (uint32_t)t, 0, UINT32_MAX, 0);
        const uint64_t bits = (uint64_t)r.word[0] << 32 | r.word[1];
        const uint64_t wanted = (uint64_t)(((wide)total * bits) >> 64);
        const double part = (double)t / n;
        const double sigma = in->sigma[0] * pow(in->sigma[1] / in->sigma[0], part);
        const double alpha = in->alpha[0] * pow(in->alpha[1] / in->alpha[0], part);
        uint64_t sum = 0;
        size_t pixel = 0;
        double x, y, least = 1e30;
        int best = 0;

        while ((sum += som_density(in->grey[pixel])) <=
               wanted) /* the first up to which there is more */
            pixel++;
        x = (double)(pixel % (size_t)in->width) + 0.5;
        y = (double)(pixel / (size_t)in->width) + 0.5;
        for (int id = 0; id < n_neurons; id++) {
            const double dx = at[2 * id] - x, dy = at[2 * id + 1] - y;

            if (dx * dx + dy * dy < least) {
                least = dx * dx + dy * dy;
                best = id;
            }
        }
        for (int id = 0; id < n_neurons; id++) {
            const int d = som_distance(id % in->grid_cols, id / in->grid_cols,
                                       best % in->grid_cols, best / in->grid_cols);

            if (d > (int)sigma)
                continue;
            at[2 * id] += alpha * exp(-d * d / (sigma * sigma)) * (x - at[2 * id]);
            at[2 * id + 1] += alpha * exp(-d * d / (sigma * sigma)) * (y - at[2 * id + 1]);
        }
    }
}

/* Maps of few grey levels, so that shares of the density meet those of pixels; positions to a thousandth of a pixel, since rates and
 * sums are rounded otherwise. */
static void steps_by_definition(void **state)
{
    (void)state;
    if (gpu_only)
        skip();
    for (uint32_t seed = 0; seed < 6; seed++) {
        struct som_input *const in =
            new_input(1,
                      "width=40 height=32 g=4 co=1024 rounds=200 crr=1 sigma=4.5 alpha=0.6 "
                      "alpha_final=0.02 seed=%u",
                      seed);
        float *const first = first_positions(in);
        double at[2 * 10 * 8];
        struct run run;

        assert_int_equal(som_n_neurons(in), 10 * 8);
        for (size_t i = 0; i < som_n_pixels(in); i++)
            in->grey[i] = draw(seed, (uint32_t)i, 9, 40) == 0 ? (uint8_t)(1 + seed / 2) : 0;
        for (int k = 0; k < N_OF(at); k++)
            at[k] = (double)first[k];
        oracle_of_steps(in, at);
        run = (struct run){in, output_of("som/serial", in)};
        assert_int_equal(run.out.counts[0].updates, 200);
        for (int k = 0; k < N_OF(at); k++)
            if (fabs((double)run.out.position[k] - at[k]) > 1e-3)
                fail_msg("seed %u, neuron %d: %g, expected %g", seed, k / 2,
                         (double)run.out.position[k], at[k]);
        free(first);
        end_run(&run);
    }
}

/* Frames of a batch, maps without density and sizes of one: no crash, nothing outside, nothing unwritten. */
static void edges_one_step_at_a_time(void **state)
{
    static const char *const sizes[] = {"width=1 height=1 g=1 co=1", "g=60", "co=1024"};

    (void)state;
    if (gpu_only)
        skip();
    for (int i = 0; i < 4 * N_OF(sizes); i++) {
        const int has_density = i % 2 == 0;
        struct som_input *const in =
            new_input(2, "%s mnpc=%d map=%s", sizes[i / 4], i % 4 < 2 ? 1 : 1000,
                      has_density ? "flat" : "empty");
        const struct run run = {in, output_of("som/serial", in)};
        const uint64_t n_steps = (uint64_t)in->n_rounds * (uint64_t)som_n_cells(in);

        for (int f = 0; f < 2; f++)
            assert_int_equal(run.out.counts[f].updates + run.out.counts[f].misses,
                             has_density ? n_steps : 0);
        for (size_t v = 0; v < position_bytes(&run.out) / sizeof(float); v++)
            assert_true(run.out.position[v] >= 0 &&
                        run.out.position[v] <= (float)(v % 2 ? in->height : in->width));
        end_run(&run);
    }
}

/* ---- the program ---- */

static void something_was_tested(void **state)
{
    (void)state;
    print_message(
        "%d runs of variants, %d of them on the device; %d times an input was not for them\n",
        n_cells_run, n_device_runs, n_not_theirs);
    assert_true(n_cells_run > 0 || gpu_only);
}

/* Counted as skipped where there is no card, so that a report cannot pass for a test of the GPU. */
static void gpu_variants_were_tested(void **state)
{
    int n_variants = 0;

    (void)state;
    for (int k = 0; bench_impls[k]; k++)
        n_variants += is_gated(bench_impls[k]) && bench_impls[k]->target == BENCH_CUDA;
    if (n_variants == 0)
        skip();
    assert_true(n_device_runs > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_mutual),
        cmocka_unit_test(a_ring_of_nodes_is_walked_around),
        cmocka_unit_test(scale_is_exact),
        cmocka_unit_test(cells_are_active_as_their_densities_say),
        cmocka_unit_test(cells_of_positions),
        cmocka_unit_test(a_ring_is_no_nearer_than_its_bound),
        cmocka_unit_test(impossible_inputs),
        cmocka_unit_test(tables_follow_the_schedule),
        cmocka_unit_test(settings_by_hand),
        cmocka_unit_test(random_settings),
        cmocka_unit_test(faults_are_caught),
        cmocka_unit_test(equal_words_go_by_cell),
        cmocka_unit_test(a_tie_with_the_next_ring),
        cmocka_unit_test(one_of_a_kind),
        cmocka_unit_test(few_neurons_far_apart),
        cmocka_unit_test(a_mesh_in_a_block),
        cmocka_unit_test(teams_of_all_sizes),
        cmocka_unit_test(each_frame_of_a_batch_has_a_seed),
        cmocka_unit_test(compare_catches_what_is_wrong),
        cmocka_unit_test(input_from_planes),
        cmocka_unit_test(blocks_hold_all_that_matters),
        cmocka_unit_test(compare_of_live_meshes),
        cmocka_unit_test(live_in_one_cell),
        cmocka_unit_test(no_live_pull_is_lost),
        cmocka_unit_test(the_grid_is_the_network_at_the_start),
        cmocka_unit_test(live_on_one_thread),
        cmocka_unit_test(one_step_at_a_time),
        cmocka_unit_test(steps_by_definition),
        cmocka_unit_test(edges_one_step_at_a_time),
        cmocka_unit_test(something_was_tested),
        cmocka_unit_test(gpu_variants_were_tested),
    };
    int failed;

    gpu_only = getenv("GPU_ONLY") != NULL;
    if (getenv("TEST_SMALL"))
        small = atoi(getenv("TEST_SMALL")) > 256 ? 3 : 1;
    if (bench_device_open(0, &device))
        print_message("%s\n", bench_failure());
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    bench_device_close(device);
    return failed;
}
