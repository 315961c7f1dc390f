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
    int all_listed;            /* nothing was left out, and nobody has moved since */
};

static double oracle_density(const struct oracle *o, int x, int y)
{
    return pow(o->grey[(size_t)y * (size_t)o->in->width + (size_t)x], 3);
}

/* Below 2^53: exact. */
static uint64_t oracle_cell_density(const struct oracle *o, int cx, int cy)
{
    const int size = o->in->cell_size;
    double sum = 0;

    for (int y = cy * size; y < least((cy + 1) * size, o->in->height); y++)
        for (int x = cx * size; x < least((cx + 1) * size, o->in->width); x++)
            sum += oracle_density(o, x, y);
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
    const uint64_t left_out = o->counts->left_out;

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
    o->all_listed = o->counts->left_out == left_out;
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

/* The nearest of all neurons. */
static int oracle_nearest(const struct oracle *o, const struct pull *p)
{
    int winner = 0;

    for (int i = 1; i < o->n_neurons; i++)
        if (oracle_square(o->position + 2 * i, p->x, p->y) <
            oracle_square(o->position + 2 * winner, p->x, p->y))
            winner = i;
    return winner;
}

/* The pixel, in the order of rows, under which the 'at'-th unit of the cell's density lies. */
static void oracle_pixel(const struct oracle *o, struct pull *p, double at)
{
    const int size = o->in->cell_size;
    const double middle = o->fault == FAULT_CORNER ? 0 : 0.5;

    for (int y = p->cy * size; y < least((p->cy + 1) * size, o->in->height); y++)
        for (int x = p->cx * size; x < least((p->cx + 1) * size, o->in->width); x++) {
            const double density = oracle_density(o, x, y);

            at -= o->fault == FAULT_PIXEL ? density > 0 : density;
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

/* How many pixels of a cell have a density. */
static int oracle_n_lit(const struct oracle *o, int cx, int cy)
{
    const int size = o->in->cell_size;
    int n = 0;

    for (int y = cy * size; y < least((cy + 1) * size, o->in->height); y++)
        for (int x = cx * size; x < least((cx + 1) * size, o->in->width); x++)
            n += oracle_density(o, x, y) > 0;
    return n;
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
            limit = (wide)oracle_n_lit(o, p->cx, p->cy);
        at = (limit * words.word[1]) >> 32;
        oracle_pixel(o, p, (double)at);
        n++;
    }
    return n;
}

static void oracle_round(struct oracle *o, int round, struct pull *pulls, int n_pulls)
{
    const int may_be_checked = o->fault == FAULT_NONE && o->all_listed &&
                               o->in->refresh_rate == 1 && o->in->search_range == SOM_NO_BOUND;

    for (int i = 0; i < n_pulls; i++) {
        pulls[i].winner = oracle_search(o, o->position, &pulls[i]);
        /* the rings are a shortcut: with fresh lists and no bound they must show the nearest of all */
        if (may_be_checked)
            assert_int_equal(pulls[i].winner, oracle_nearest(o, &pulls[i]));
    }
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
        density[c] = oracle_cell_density(&o, c % in->cell_cols, c / in->cell_cols);
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

/* ---- outputs with a guard behind each array ---- */

static size_t position_bytes(const struct som_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_neurons * 2 * sizeof(float);
}

static size_t counts_bytes(const struct som_output *out)
{
    return (size_t)out->n_frames * sizeof *out->counts;
}

static struct som_output guarded_output(const struct som_input *in)
{
    struct som_output out = {.n_frames = in->n_frames, .n_neurons = som_n_neurons(in)};

    out.position = guarded(position_bytes(&out));
    out.counts = guarded(counts_bytes(&out));
    return out;
}

/* ---- driving a variant ---- */

static struct bench_device *device; /* NULL: no card, its variants are left out */
static int gpu_only, small;         /* environment: for runs under compute-sanitizer */
static int n_cells_run, n_cells_skipped, n_device_runs, n_not_theirs, n_inputs;

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
static int combination(const struct bench_impl *impl, const char *update, int round,
                       struct bench_params *params)
{
    *params = with_update(update);
    return combine_keys(impl, round, params);
}

/* Another value for a key of a variant, where it has that key. */
static void set_param(struct bench_params *params, const struct bench_impl *impl,
                      const char *name, const char *value)
{
    for (const struct bench_key *key = impl->keys; key && key->name; key++)
        if (!strcmp(key->name, name))
            assert_int_equal(bench_params_set(params, key, value, "test"), BENCH_OK);
}

/* The first value that differs, in words. */
static const char *first_difference(const struct som_output *a, const struct som_output *b)
{
    static char text[200];

    for (int f = 0; f < a->n_frames; f++) {
        const struct som_counts *m = &a->counts[f], *n = &b->counts[f];

        if (memcmp(m, n, sizeof *m) != 0) {
            snprintf(text, sizeof text,
                     "frame %d: updates %llu, %llu; misses %llu, %llu; left out %llu, %llu", f,
                     (unsigned long long)m->updates, (unsigned long long)n->updates,
                     (unsigned long long)m->misses, (unsigned long long)n->misses,
                     (unsigned long long)m->left_out, (unsigned long long)n->left_out);
            return text;
        }
    }
    for (size_t i = 0; i < position_bytes(a) / sizeof(float); i++)
        if (memcmp(&a->position[i], &b->position[i], sizeof(float)) != 0) {
            snprintf(text, sizeof text, "frame %zu, neuron %zu, %c: %.9g, %.9g",
                     i / 2 / (size_t)a->n_neurons, i / 2 % (size_t)a->n_neurons,
                     i % 2 ? 'y' : 'x', (double)a->position[i], (double)b->position[i]);
            return text;
        }
    return "none";
}

/*
 * One variant, in all combinations of its keys, against the expected bits.  Under a sanitizer `small` of them, the next ones
 * for each input; but all where updates are live, since the way of the pulls is a key that has no meaning elsewhere.
 */
static void check_variant(const char *what, const struct bench_impl *impl,
                          const struct som_input *in, const struct som_output *expected,
                          struct som_output *found)
{
    const char *const update = in->update == SOM_LIVE ? "live" : "snapshot";
    struct bench_params params;
    const int n_rounds = combination(impl, update, 0, &params);
    const int n = small && in->update == SOM_SNAPSHOT ? least(n_rounds, small) : n_rounds;

    for (int i = 0; i < n; i++) {
        const int round = (n * n_inputs + i) % n_rounds;
        struct bench_difference difference = {0};
        const int n_threads = impl->target == BENCH_OPENMP ? 1 + n_cells_run % 3 : 1;
        char text[512];

        combination(impl, update, round, &params);
        if (!drive(impl, &params, n_threads, in, found))
            continue;
        n_cells_run++;
        som_problem.compare(&params, in, expected, found, &difference);
        bench_params_text(&params, text, sizeof text);
        if (!same_bits(&som_problem, expected, found))
            fail_msg("%s (%s), %d threads, %s: other bits, first (expected, found) %s",
                     impl->name, text, n_threads, what, first_difference(expected, found));
        if (difference.n_wrong != 0)
            fail_msg("%s (%s), %d threads, %s: %zu wrong, first %s", impl->name, text,
                     n_threads, what, difference.n_wrong, difference.where);
    }
}

/* Whether a variant must give the bits of som/rounds. */
static int is_gated(const struct bench_impl *impl)
{
    return impl->problem == &som_problem &&
           !strcmp(impl->reference ? impl->reference : impl->name, "som/rounds");
}

/* All variants on 'in' against the oracle, whose output is left in 'expected'.  Live updates: of one cell alone, which has but
 * one order. */
static void check_output(const char *what, const struct som_input *in,
                         struct som_output *expected)
{
    struct som_output found = guarded_output(in);

    assert_true(has_one_order(in));
    oracle_run(in, expected, in->update == SOM_LIVE ? FAULT_LIVE : FAULT_NONE);
    check_guards(&som_problem, "the oracle", expected);
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];

        if (!is_gated(impl) || (gpu_only && impl->target != BENCH_CUDA))
            continue;
        if (impl->target == BENCH_CUDA && !device)
            n_cells_skipped++;
        else
            check_variant(what, impl, in, expected, &found);
    }
    n_inputs++;
    release_output(&som_problem, &found);
}

/* ---- inputs ---- */

enum map {
    MAP_NOISE, /* half of it background */
    MAP_PATCH, /* a bright disc that fades into a dim plane */
    MAP_SPARSE,
    MAP_DIM, /* levels 0 and 1: a random word often falls between two pixels */
    MAP_FLAT,
    MAP_EMPTY
};

struct setting {
    const char *name;
    int width, height, grid_factor, cell_size, n_rounds;
    int search_range, refresh_rate, cell_capacity;
    uint32_t delta_q16;
    double sigma[2], alpha[2];
    enum map map;
    uint64_t seed;
};

static uint8_t map_grey(enum map map, uint64_t seed, int x, int y, int width, int height)
{
    const double far = hypot(x + 0.5 - 0.6 * width, y + 0.5 - 0.4 * height);
    const double reach = 0.35 * (width < height ? width : height);
    const uint32_t i = (uint32_t)y * (uint32_t)width + (uint32_t)x;

    switch (map) {
    case MAP_NOISE:
        return draw(seed, i, 1, 2) ? (uint8_t)draw(seed, i, 2, 256) : 0;
    case MAP_PATCH:
        return (uint8_t)(60 + (far < reach ? 140 * (1 - far / reach) : 0));
    case MAP_SPARSE:
        return draw(seed, i, 3, 97) ? 0 : (uint8_t)(1 + draw(seed, i, 4, 255));
    case MAP_DIM:
        return (uint8_t)draw(seed, i, 5, 2);
    case MAP_FLAT:
        return 255;
    default:
        return 0;
    }
}

static struct som_input *new_input(const struct setting *s, int n_frames)
{
    struct som_input *in = NULL;

    assert_int_equal(som_input_new(n_frames, s->width, s->height, s->grid_factor, s->cell_size,
                                   s->n_rounds, &in),
                     BENCH_OK);
    in->search_range = s->search_range;
    in->refresh_rate = s->refresh_rate;
    in->cell_capacity = s->cell_capacity;
    in->update = SOM_SNAPSHOT;
    in->delta_q16 = s->delta_q16;
    in->seed = s->seed;
    for (int i = 0; i < 2; i++) {
        in->alpha[i] = s->alpha[i];
        in->sigma[i] = s->sigma[i];
    }
    for (int f = 0; f < n_frames; f++)
        for (int y = 0; y < s->height; y++)
            for (int x = 0; x < s->width; x++)
                in->grey[((size_t)f * (size_t)s->height + (size_t)y) * (size_t)s->width +
                         (size_t)x] =
                    map_grey(s->map, 4711 + (uint64_t)f, x, y, s->width, s->height);
    assert_int_equal(som_input_tables(in), BENCH_OK);
    return in;
}

static void check_setting(const struct setting *s, int n_frames)
{
    struct som_input *in = new_input(s, n_frames);
    struct som_output expected = guarded_output(in);

    check_output(s->name, in, &expected);
    release_output(&som_problem, &expected);
    som_input_free(in);
}

/* ---- the network ---- */

enum { NET_COLS = 13, NET_ROWS = 12 };

/* Links from one node to all others, by steps to neighbours alone; a shortest way need not leave the network. */
static void walk(int x0, int y0, int links[NET_ROWS][NET_COLS])
{
    int queue[NET_COLS * NET_ROWS], n = 0;

    memset(links, -1, NET_ROWS * sizeof *links);
    links[y0][x0] = 0;
    queue[n++] = y0 * NET_COLS + x0;
    for (int at = 0; at < n; at++)
        for (int k = 0; k < 6; k++) {
            const int x = queue[at] % NET_COLS, y = queue[at] / NET_COLS;
            int nx, ny;

            som_neighbour(x, y, k, &nx, &ny);
            if (nx < 0 || nx >= NET_COLS || ny < 0 || ny >= NET_ROWS || links[ny][nx] >= 0)
                continue;
            links[ny][nx] = links[y][x] + 1;
            queue[n++] = ny * NET_COLS + nx;
        }
    assert_int_equal(n, NET_COLS * NET_ROWS);
}

static void distance_is_the_shortest_walk(void **state)
{
    int links[NET_ROWS][NET_COLS];

    (void)state;
    for (int y0 = 0; y0 < NET_ROWS; y0++)
        for (int x0 = 0; x0 < NET_COLS; x0++) {
            walk(x0, y0, links);
            for (int y = 0; y < NET_ROWS; y++)
                for (int x = 0; x < NET_COLS; x++)
                    assert_int_equal(som_distance(x0, y0, x, y), links[y][x]);
        }
}

static void rings_and_balls_of_a_hexagonal_network(void **state)
{
    (void)state;
    for (int y0 = 100; y0 <= 101; y0++)
        for (int radius = 1; radius <= 40; radius++) {
            int ring = 0, ball = 0;

            for (int y = 0; y < 201; y++)
                for (int x = 0; x < 201; x++) {
                    ring += som_distance(100, y0, x, y) == radius;
                    ball += som_distance(100, y0, x, y) <= radius;
                }
            assert_int_equal(ring, 6 * radius);
            assert_int_equal(ball, 3 * radius * (radius + 1) + 1);
        }
}

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

static void rows_within_a_radius(void **state)
{
    (void)state;
    for (int y0 = 0; y0 < 4; y0++)
        for (int x0 = -1; x0 < 3; x0++)
            for (int radius = 0; radius <= 8; radius++)
                for (int y = y0 - 12; y <= y0 + 12; y++) {
                    int from, to;

                    som_row_within(x0, y0, y, radius, &from, &to);
                    for (int x = x0 - 20; x <= x0 + 20; x++)
                        assert_int_equal(x >= from && x <= to,
                                         som_distance(x0, y0, x, y) <= radius);
                    assert_true(abs(y - y0) <= radius || to < from);
                }
}

/* From d links to the right, six sides of d links each, every one turned by 60 degrees from the one before. */
static void check_ring(int x0, int y0, int d)
{
    enum { MOST = 25 };

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
    static const int distances[] = {0, 1, 2, 3, 4, 5, 8, 13, 24};

    (void)state;
    for (int k = 0; k < N_OF(distances); k++)
        for (int y0 = -3; y0 <= 2; y0++)
            for (int x0 = -2; x0 <= 2; x0++)
                check_ring(x0, y0, distances[k]);
    for (int d = 0; d <= SOM_MAX_SIGMA; d++) /* steps of one link, also on the largest rings */
        for (int i = 0; i < som_ring_nodes(d); i++) {
            int x, y, next_x, next_y;

            som_ring_node(5, 7, d, i, &x, &y);
            som_ring_node(5, 7, d, (i + 1) % som_ring_nodes(d), &next_x, &next_y);
            assert_int_equal(som_distance(5, 7, x, y), d);
            assert_int_equal(som_distance(x, y, next_x, next_y), d > 0);
        }
}

/* ---- lots ---- */

static void words_of_a_cell(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        const struct bench_words w = bench_philox(31, i, 0, 0, 0);
        const uint64_t seed = (uint64_t)w.word[0] << 32 | w.word[1];
        const uint32_t round = w.word[2] >> 16, cell = w.word[3] >> 8;
        const struct bench_words expected = bench_philox(seed, round, 0, cell, 0);
        const struct bench_words found = som_words(seed, round, cell);

        assert_memory_equal(&expected, &found, sizeof expected);
    }
}

static void scale_is_exact(void **state)
{
    static const uint64_t sums[] = {0,
                                    1,
                                    2,
                                    UINT64_C(0xFFFFFFFF),
                                    UINT64_C(0x100000000),
                                    UINT64_C(0x100000001),
                                    UINT64_C(0x7FFFFFFF00000000),
                                    UINT64_C(0x7FFFFFFFFFFFFFFF)};
    static const uint32_t words[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};

    (void)state;
    for (int i = 0; i < N_OF(sums); i++)
        for (int j = 0; j < N_OF(words); j++)
            assert_true(som_scale(sums[i], words[j]) == ((wide)sums[i] * words[j]) >> 32);
    for (uint32_t i = 0; i < 100000; i++) {
        const struct bench_words w = bench_philox(32, i, 0, 0, 0);
        const uint64_t sum = ((uint64_t)w.word[0] << 32 | w.word[1]) >> (1 + w.word[3] % 63);

        assert_true(som_scale(sum, w.word[2]) == ((wide)sum * w.word[2]) >> 32);
        assert_true(sum == 0 || som_scale(sum, w.word[2]) < sum);
    }
}

/* Over the words h 2^16, h < 2^16: greatest h / 2^16 < T, T = floor(S delta), for the smallest ceil(T 2^16 / greatest) of
 * them. */
static void as_many_cells_are_active_as_the_densities_say(void **state)
{
    static const struct {
        uint64_t sum, greatest;
        uint32_t delta_q16;
    } cases[] = {
        {1, 1, ALL_LEVELS},
        {1, 2, ALL_LEVELS},
        {1, 3, ALL_LEVELS},
        {1, 2, 32768}, /* half of 1 is rounded to none */
        {2, 2, 32768},
        {3, 7, 32768},
        {500, 1000, 32768},
        {1000, 1000, 32768},
        {999, 1000, 20000},
        {UINT64_C(16581375) * 400, UINT64_C(16581375) * 400, ALL_LEVELS},
        {UINT64_C(16581375) * 399, UINT64_C(16581375) * 400, 1},
        {UINT64_C(16581375) << 20, UINT64_C(16581375) << 20, 32768},
        {12345678, UINT64_C(16581375) << 20, ALL_LEVELS},
    };

    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        const uint64_t limit = (cases[i].sum * cases[i].delta_q16) >> 16;
        const uint64_t expected = ((limit << 16) + cases[i].greatest - 1) / cases[i].greatest;
        uint64_t n = 0;

        for (uint32_t h = 0; h < 65536; h++) {
            n += som_is_active(cases[i].sum, cases[i].greatest, cases[i].delta_q16, h << 16) !=
                 0;
            assert_false(som_is_active(0, cases[i].greatest, ALL_LEVELS, h << 16));
            assert_true(som_is_active(cases[i].greatest, cases[i].greatest, ALL_LEVELS,
                                      h << 16 | 0xFFFF));
        }
        assert_int_equal(n, expected);
    }
    assert_false(som_is_active(0, 0, ALL_LEVELS, 0));
}

static void densities_are_cubes(void **state)
{
    (void)state;
    for (int grey = 0; grey < 256; grey++)
        assert_true(som_density((uint8_t)grey) == pow(grey, 3));
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

static void a_ring_is_enumerated_once(void **state)
{
    (void)state;
    for (int k = 0; k <= 5; k++) {
        int seen[13][13] = {{0}}, last = -1;

        for (int i = 0; i < som_ring_cells(k); i++) {
            int x, y;

            som_ring_cell(6, 6, k, i, &x, &y);
            assert_in_range(x, 0, 12);
            assert_in_range(y, 0, 12);
            assert_true(y * 13 + x > last); /* in the order of rows */
            last = y * 13 + x;
            seen[y][x]++;
        }
        for (int y = 0; y < 13; y++)
            for (int x = 0; x < 13; x++) {
                const int dx = abs(x - 6), dy = abs(y - 6);

                assert_int_equal(seen[y][x], (dx > dy ? dx : dy) == k);
            }
    }
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
            const double share_x = between(34, i, 100 + 2 * (uint32_t)j, 0, 1);
            const double share_y = between(34, i, 101 + 2 * (uint32_t)j, 0, 1);
            double dx, dy;
            float x, y;
            int rx, ry;

            som_ring_cell(cx, cy, k, j, &rx, &ry);
            x = (float)((rx + share_x) * size);
            y = (float)((ry + share_y) * size);
            assert_true(som_square(px - x, py - y) >= bound);
            /* the nearest point of the cell itself */
            dx = (double)px - fmin(fmax((double)px, rx * (double)size), (rx + 1.0) * size);
            dy = (double)py - fmin(fmax((double)py, ry * (double)size), (ry + 1.0) * size);
            nearest = fmin(nearest, dx * dx + dy * dy);
        }
        assert_true((float)nearest == bound);
    }
}

/* ---- the input's tables and sizes ---- */

static void sizes_of_the_papers_table_2(void **state)
{
    static const int sizes[][6] = {
        {384, 288, 64, 48, 20, 15},     {425, 370, 71, 62, 22, 19},
        {427, 370, 71, 62, 22, 19},     {434, 383, 72, 64, 22, 20},
        {450, 375, 75, 63, 23, 19},     {638, 555, 106, 93, 32, 28},
        {641, 555, 107, 93, 33, 28},    {900, 750, 150, 125, 45, 38},
        {1276, 1110, 213, 185, 64, 56}, {1282, 1110, 214, 185, 65, 56},
        {1800, 1500, 300, 250, 90, 75},
    };

    (void)state;
    for (int i = 0; i < N_OF(sizes); i++) {
        struct som_input *in = NULL;

        assert_int_equal(som_input_new(1, sizes[i][0], sizes[i][1], 6, 20, 3, &in), BENCH_OK);
        assert_int_equal(in->n_frames, 1);
        assert_int_equal(in->width, sizes[i][0]);
        assert_int_equal(in->height, sizes[i][1]);
        assert_int_equal(in->grid_cols, sizes[i][2]);
        assert_int_equal(in->grid_rows, sizes[i][3]);
        assert_int_equal(in->cell_cols, sizes[i][4]);
        assert_int_equal(in->cell_rows, sizes[i][5]);
        assert_int_equal(in->cell_size, 20);
        assert_int_equal(in->n_rounds, 3);
        for (size_t p = 0; p < som_n_pixels(in); p++)
            assert_int_equal(in->grey[p], 0);
        som_input_free(in);
    }
}

static void impossible_sizes(void **state)
{
    static const int sizes[][6] = {{0, 61, 47, 6, 20, 3},   {1, 0, 47, 6, 20, 3},
                                   {1, 61, 0, 6, 20, 3},    {1, 61, 47, 0, 20, 3},
                                   {1, 61, 47, 6, 0, 3},    {1, 61, 47, 6, 20, 0},
                                   {1, 8193, 47, 6, 20, 3}, {1, 61, 8193, 6, 20, 3},
                                   {1, 61, 47, 6, 1025, 3}, {1, 61, 47, 6, 20, 65537}};

    (void)state;
    for (int i = 0; i < N_OF(sizes); i++) {
        struct som_input *in = NULL;

        assert_int_equal(som_input_new(sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3],
                                       sizes[i][4], sizes[i][5], &in),
                         BENCH_EINPUT);
        assert_null(in);
    }
    som_input_free(NULL);
    som_output_free(NULL);
}

static struct som_input *table_input(double alpha0, double alpha1, double sigma0, double sigma1,
                                     int n_rounds)
{
    struct som_input *in = NULL;

    assert_int_equal(som_input_new(1, 61, 47, 6, 20, n_rounds, &in), BENCH_OK);
    in->alpha[0] = alpha0;
    in->alpha[1] = alpha1;
    in->sigma[0] = sigma0;
    in->sigma[1] = sigma1;
    return in;
}

static void tables_follow_the_schedule(void **state)
{
    static const struct {
        double alpha[2], sigma[2];
        int n_rounds;
    } cases[] = {{{1, 0.01}, {12.5, 0.5}, 40},    {{0.5, 0.5}, {3.25, 3.25}, 7},
                 {{0.9, 0.1}, {63.5, 0.01}, 500}, {{1, 0.5}, {0.75, 0.25}, 1},
                 {{0.2, 0.01}, {6.5, 1.5}, 2},    {{1, 0.01}, {12.5, 0.5}, 20000}};

    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        const double *a = cases[i].alpha, *s = cases[i].sigma;
        const int n = cases[i].n_rounds;
        struct som_input *in = table_input(a[0], a[1], s[0], s[1], n);

        assert_int_equal(som_input_tables(in), BENCH_OK);
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

/* The factor of one round is taken n - 1 times, not n times and not so that the last round has the final value. */
static void the_last_round_is_a_step_before_the_end(void **state)
{
    struct som_input *in = table_input(1, 0.0625, 16.5, 4.125, 2);

    (void)state;
    assert_int_equal(som_input_tables(in), BENCH_OK);
    assert_int_equal(in->radius[0], 16);
    assert_int_equal(in->radius[1], 8); /* 8.25 = 4.125 (16.5 / 4.125)^(1 / 2) */
    assert_true(fabs((double)in->rate[17] - 0.25) < 1e-7);
    assert_true(fabs((double)in->rate[17 + 8] - 0.25 * exp(-64 / (8.25 * 8.25))) < 1e-7);
    som_input_free(in);
}

static void impossible_schedules(void **state)
{
    static const double cases[][4] = {{0, 0.1, 6, 1},   {1, 0, 6, 1},    {1, 0.1, 0, 1},
                                      {1, 0.1, 6, 0},   {-1, 0.1, 6, 1}, {1, 0.1, 64, 1},
                                      {1, 0.1, 1e9, 1}, {1, 0.1, 6, -1}};
    struct som_input *in;

    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        in = table_input(cases[i][0], cases[i][1], cases[i][2], cases[i][3], 5);
        assert_int_equal(som_input_tables(in), BENCH_EINPUT);
        som_input_free(in);
    }
    in = table_input(1, 0.1, 63.99, 1, 5);
    assert_int_equal(som_input_tables(in), BENCH_OK);
    assert_int_equal(in->max_radius, 63);
    som_input_free(in);
}

/* Half a node of margin on all sides of the map, whatever the parity of the rows. */
static void first_positions_are_a_regular_network(void **state)
{
    struct som_input *in = NULL;
    float *position;

    (void)state;
    assert_int_equal(som_input_new(1, 384, 288, 6, 20, 1, &in), BENCH_OK);
    position = guarded((size_t)som_n_neurons(in) * 2 * sizeof *position);
    som_first_positions(in, position);
    assert_guard("som_first_positions", position,
                 (size_t)som_n_neurons(in) * 2 * sizeof *position);
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 64; x++) {
            assert_true(position[2 * (64 * y + x)] == (float)(6 * x) + (y % 2 ? 1.5f : 4.5f));
            assert_true(position[2 * (64 * y + x) + 1] == (float)(6 * y + 3));
        }
    free(position);
    som_input_free(in);
}

/* ---- variants against the oracle ---- */

#define PAPER_ALPHA \
    {               \
        1, 0.01     \
    }

static const struct setting settings[] = {
    {"all rings, fresh lists",
     61,
     47,
     4,
     7,
     20,
     SOM_NO_BOUND,
     1,
     1000,
     ALL_LEVELS,
     {6, 0.5},
     PAPER_ALPHA,
     MAP_NOISE,
     1},
    {"ties between neurons",
     60,
     48,
     6,
     12,
     5,
     SOM_NO_BOUND,
     1,
     1000,
     ALL_LEVELS,
     {2.5, 0.5},
     {0.5, 0.1},
     MAP_FLAT,
     2},
    {"lists of one round only",
     61,
     47,
     5,
     9,
     25,
     SOM_NO_BOUND,
     1000,
     1000,
     ALL_LEVELS,
     {5, 1},
     PAPER_ALPHA,
     MAP_PATCH,
     3},
    {"own cell only",
     61,
     47,
     4,
     6,
     30,
     0,
     2,
     1000,
     ALL_LEVELS,
     {3, 0.5},
     PAPER_ALPHA,
     MAP_PATCH,
     4},
    {"one ring, lists too short",
     61,
     47,
     4,
     17,
     20,
     1,
     7,
     2,
     20000,
     {4, 0.5},
     PAPER_ALPHA,
     MAP_NOISE,
     5},
    {"one neuron a list",
     53,
     59,
     7,
     23,
     30,
     3,
     2,
     1,
     ALL_LEVELS,
     {6, 1.2},
     {0.4, 0.1},
     MAP_NOISE,
     6},
    {"few bright pixels",
     71,
     33,
     5,
     8,
     40,
     3,
     7,
     1000,
     ALL_LEVELS,
     {3.5, 0.5},
     PAPER_ALPHA,
     MAP_SPARSE,
     7},
    {"dim", 61, 47, 5, 6, 30, 3, 2, 1000, ALL_LEVELS, {3.5, 0.5}, PAPER_ALPHA, MAP_DIM, 8},
    {"a long seed",
     47,
     61,
     6,
     5,
     12,
     1,
     1,
     1000,
     20000,
     {4.5, 0.5},
     PAPER_ALPHA,
     MAP_PATCH,
     UINT64_C(0xFEDCBA9876543210)},
};

/* The k-th of any number of small settings. */
static struct setting random_setting(uint32_t k)
{
    static const int ranges[] = {0, 1, 3, SOM_NO_BOUND}, rates[] = {1, 2, 7};
    static const int capacities[] = {1, 2, 1000};
    struct setting s = {.name = "random", .alpha = {1, 0.01}};

    s.width = 20 + (int)draw(50, k, 0, 60);
    s.height = 20 + (int)draw(50, k, 1, 60);
    s.grid_factor = 4 + (int)draw(50, k, 2, 4);
    s.cell_size = 5 + (int)draw(50, k, 3, 19);
    s.n_rounds = 3 + (int)draw(50, k, 4, 38);
    s.search_range = ranges[draw(50, k, 5, 4)];
    s.refresh_rate = rates[draw(50, k, 6, 3)];
    s.cell_capacity = capacities[draw(50, k, 7, 3)];
    s.delta_q16 = draw(50, k, 8, 2) ? ALL_LEVELS : 20000;
    s.sigma[0] = between(50, k, 9, 0.5, 6.99);
    s.sigma[1] = between(50, k, 10, 0.1, s.sigma[0]);
    s.alpha[0] = between(50, k, 11, 0.3, 1);
    s.alpha[1] = between(50, k, 12, 0.005, 0.3);
    s.map = (enum map)draw(50, k, 13, MAP_EMPTY);
    s.seed = (uint64_t)draw(50, k, 14, UINT32_MAX) << 17;
    return s;
}

static void settings_by_hand(void **state)
{
    (void)state;
    for (int i = 0; i < N_OF(settings); i++)
        check_setting(&settings[i], 1);
}

static void random_settings(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < (small ? 4u : 40u); k++) {
        struct setting s = random_setting(k);
        char name[32];

        snprintf(name, sizeof name, "random setting %u", (unsigned)k);
        s.name = name;
        check_setting(&s, 1 + (int)(k % 5 == 4));
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
        struct som_input *in = new_input(&settings[i], 2);
        struct som_output right = guarded_output(in), wrong = guarded_output(in);

        oracle_run(in, &right, FAULT_NONE);
        for (int fault = FAULT_NONE; fault < N_FAULTS; fault++) {
            oracle_run(in, &wrong, (enum fault)fault);
            n_caught[fault] += !same_bits(&som_problem, &right, &wrong);
        }
        release_output(&som_problem, &right);
        release_output(&som_problem, &wrong);
        som_input_free(in);
    }
    assert_int_equal(n_caught[FAULT_NONE], 0);
    for (int fault = FAULT_NONE + 1; fault < N_FAULTS; fault++)
        if (n_caught[fault] == 0)
            fail_msg("fault %d makes no difference", fault);
}

/* Two cells of the first round have the same word to be ordered by, and what they pull overlaps. */
static void equal_words_go_by_cell(void **state)
{
    struct setting s = {.name = "equal words",
                        .width = 128,
                        .height = 128,
                        .grid_factor = 8,
                        .cell_size = 2,
                        .n_rounds = 1,
                        .search_range = SOM_NO_BOUND,
                        .refresh_rate = 1,
                        .cell_capacity = 1000,
                        .delta_q16 = ALL_LEVELS,
                        .sigma = {31, 1},
                        .alpha = {0.02, 0.01},
                        .map = MAP_FLAT,
                        .seed = 119};
    struct som_input *in = new_input(&s, 1);
    struct som_output right = guarded_output(in), wrong = guarded_output(in);
    uint32_t *words = of_size(64 * 64, sizeof *words);
    int n_equal = 0;

    (void)state;
    for (uint32_t c = 0; c < 64 * 64; c++) {
        words[c] = som_words(s.seed, 0, c).word[2];
        for (uint32_t before = 0; before < c; before++)
            n_equal += words[before] == words[c];
    }
    free(words);
    assert_int_equal(n_equal, 1);
    check_output(s.name, in, &right);
    oracle_run(in, &wrong, FAULT_EQUAL_WORDS);
    assert_false(same_bits(&som_problem, &right, &wrong));
    release_output(&som_problem, &right);
    release_output(&som_problem, &wrong);
    som_input_free(in);
}

/*
 * A neuron on the border of the next ring is as near as the best so far and has the smaller id, so that ring must still be
 * searched.  Neurons get to such places where pulls of the whole way and of half of it take turns.
 */
static void a_tie_with_the_next_ring(void **state)
{
    const struct setting s = {.name = "a tie with the next ring",
                              .width = 38,
                              .height = 29,
                              .grid_factor = 3,
                              .cell_size = 3,
                              .n_rounds = 7,
                              .search_range = SOM_NO_BOUND,
                              .refresh_rate = 1,
                              .cell_capacity = 1000,
                              .delta_q16 = ALL_LEVELS,
                              .sigma = {0.9, 0.9},
                              .alpha = {0.5, 0.5},
                              .map = MAP_FLAT,
                              .seed = 68212};
    struct som_input *in = new_input(&s, 1);
    struct som_output right = guarded_output(in), wrong = guarded_output(in);

    (void)state;
    assert_int_equal(in->max_radius, 0);
    for (int round = 0; round < s.n_rounds; round++)
        in->rate[round] = round % 2 ? 0.5f : 1;
    check_output(s.name, in, &right);
    oracle_run(in, &wrong, FAULT_EQUAL_BOUND);
    assert_false(same_bits(&som_problem, &right, &wrong));
    release_output(&som_problem, &right);
    release_output(&som_problem, &wrong);
    som_input_free(in);
}

/* ---- edges, through all variants ---- */

/* As ordinary as can be: what an edge needs is changed. */
static const struct setting plain = {.name = "plain",
                                     .width = 61,
                                     .height = 47,
                                     .grid_factor = 6,
                                     .cell_size = 10,
                                     .n_rounds = 12,
                                     .search_range = SOM_NO_BOUND,
                                     .refresh_rate = 3,
                                     .cell_capacity = 1000,
                                     .delta_q16 = ALL_LEVELS,
                                     .sigma = {3.5, 0.5},
                                     .alpha = {1, 0.01},
                                     .map = MAP_PATCH,
                                     .seed = 77};

static void nothing_moves_over_background(void **state)
{
    struct setting s = plain;
    struct som_input *in;
    struct som_output out;
    float *first;

    (void)state;
    s.name = "background";
    s.map = MAP_EMPTY;
    in = new_input(&s, 1);
    out = guarded_output(in);
    check_output(s.name, in, &out);
    first = of_size((size_t)out.n_neurons * 2, sizeof *first);
    som_first_positions(in, first);
    assert_memory_equal(out.position, first, position_bytes(&out));
    assert_int_equal(out.counts[0].updates, 0);
    assert_int_equal(out.counts[0].misses, 0);
    assert_int_equal(out.counts[0].left_out, 0);
    free(first);
    release_output(&som_problem, &out);
    som_input_free(in);
}

/* Sizes at which a cell, a neuron or the map is alone: the densest cell takes part in each round when delta is 1. */
static void alone(const char *name, int width, int height, int grid_factor, int cell_size,
                  int n_neurons, int n_cells)
{
    struct setting s = plain;
    struct som_input *in;
    struct som_output out;

    s.name = name;
    s.width = width;
    s.height = height;
    s.grid_factor = grid_factor;
    s.cell_size = cell_size;
    s.map = MAP_FLAT;
    in = new_input(&s, 1);
    assert_int_equal(som_n_neurons(in), n_neurons);
    assert_int_equal(som_n_cells(in), n_cells);
    out = guarded_output(in);
    check_output(s.name, in, &out);
    assert_true(out.counts[0].updates >= (uint64_t)s.n_rounds);
    assert_true(n_cells > 1 || out.counts[0].updates == (uint64_t)s.n_rounds);
    assert_int_equal(out.counts[0].misses, 0);
    release_output(&som_problem, &out);
    som_input_free(in);
}

static void one_of_a_kind(void **state)
{
    (void)state;
    alone("one pixel", 1, 1, 1, 1, 1, 1);
    alone("one cell", 61, 47, 6, 1024, 80, 1);
    alone("one neuron", 61, 47, 60, 10, 1, 35);
    alone("one row", 61, 1, 1, 7, 61, 9);
    alone("one column", 1, 61, 1, 7, 61, 9);
    alone("cells of one pixel", 17, 13, 4, 1, 12, 221);
}

static void empty_cells_miss(void **state)
{
    struct setting s = plain;
    struct som_input *in;
    struct som_output out;

    (void)state;
    s.name = "empty cells";
    s.grid_factor = 12; /* 5 x 4 neurons for 13 x 10 cells */
    s.cell_size = 5;
    s.search_range = 0;
    in = new_input(&s, 1);
    out = guarded_output(in);
    check_output(s.name, in, &out);
    assert_true(out.counts[0].misses > 0);
    assert_true(out.counts[0].updates > 0);
    release_output(&som_problem, &out);
    som_input_free(in);
}

/* The regular network of 10 x 8 over 2 x 2 cells of 40 px, listed once: all but one of each cell are left out. */
static void full_lists_are_counted(void **state)
{
    struct setting s = plain;
    struct som_input *in;
    struct som_output out;

    (void)state;
    s.name = "full lists";
    s.cell_size = 40;
    s.refresh_rate = 1000;
    s.cell_capacity = 1;
    in = new_input(&s, 1);
    out = guarded_output(in);
    check_output(s.name, in, &out);
    assert_int_equal(out.counts[0].left_out, 10 * 8 - 4);
    release_output(&som_problem, &out);
    som_input_free(in);
    s.refresh_rate = 3; /* four refreshes; each leaves at least 80 - 4 */
    in = new_input(&s, 1);
    out = guarded_output(in);
    check_output(s.name, in, &out);
    assert_true(out.counts[0].left_out >= 4 * (10 * 8 - 4));
    release_output(&som_problem, &out);
    som_input_free(in);
}

/* Four neurons over 10 x 10 cells: winners lie in every ring up to the last that a search may go to, and beyond it. */
static void few_neurons_far_apart(void **state)
{
    static const int ranges[] = {0, 1, 2, 3, 4, 5, SOM_NO_BOUND};

    (void)state;
    for (int k = 0; k < 2 * N_OF(ranges); k++) {
        const struct setting s = {.name = "few neurons far apart",
                                  .width = 200,
                                  .height = 200,
                                  .grid_factor = 100,
                                  .cell_size = 20,
                                  .n_rounds = 6,
                                  .search_range = ranges[k % N_OF(ranges)],
                                  .refresh_rate = 2,
                                  .cell_capacity = 4,
                                  .delta_q16 = 65536,
                                  .sigma = {1, 0.5},
                                  .alpha = {0.5, 0.1},
                                  .map = MAP_NOISE,
                                  .seed = 11 + (uint64_t)k};

        check_setting(&s, 1);
    }
}

/* Words of som/gpu-opt's keys. */
struct team {
    const char *team, *blocks, *threads;
};

/* The keys of a variant with these for its team, if it has any; returns whether. */
static bool choose_team(const struct bench_impl *impl, const struct team *team,
                        struct bench_params *params)
{
    bool has_team = false;

    *params = with_update("snapshot");
    for (const struct bench_key *key = impl->keys; key && key->name; key++) {
        const char *const word = !strcmp(key->name, "team")           ? team->team
                                 : !strcmp(key->name, "team_blocks")  ? team->blocks
                                 : !strcmp(key->name, "team_threads") ? team->threads
                                                                      : NULL;

        if (word)
            assert_int_equal(bench_params_set(params, key, word, "test"), BENCH_OK);
        has_team = has_team || word;
    }
    assert_int_equal(bench_params_default(params, impl->keys, "test"), BENCH_OK);
    return has_team;
}

/*
 * All gated variants; those with teams, with each of these.  'expected' is made here and the caller's to release.  Returns how many
 * teams there were: those for which a card has no room, or no means, are left out.
 */
static int check_teams(const struct setting *s, int n_frames, const struct team *teams,
                       int n_teams, struct som_output *expected)
{
    struct som_input *in = new_input(s, n_frames);
    struct som_output found = guarded_output(in);
    int n_run = 0;

    *expected = guarded_output(in);
    oracle_run(in, expected, FAULT_NONE);
    assert_guard("the oracle", expected->position, position_bytes(expected));
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];

        if (!is_gated(impl) || (impl->target == BENCH_CUDA ? !device : gpu_only))
            continue;
        for (int t = 0; t < n_teams; t++) {
            struct bench_params params;
            const bool has_team = choose_team(impl, &teams[t], &params);

            if ((!has_team && t > 0) || !drive(impl, &params, 2, in, &found))
                continue;
            if (!same_bits(&som_problem, expected, &found))
                fail_msg(
                    "%s, %s, %s of %s blocks with %s threads: other bits, first (expected, "
                    "found) %s",
                    impl->name, s->name, teams[t].team, teams[t].blocks, teams[t].threads,
                    first_difference(expected, &found));
            n_run += has_team;
        }
    }
    release_output(&som_problem, &found);
    som_input_free(in);
    return n_run;
}

/* The same with a block of so many threads for each map. */
static int check_blocks(const struct setting *s, int n_frames, const char *block_threads,
                        struct som_output *expected)
{
    const struct team block = {"block", "0", block_threads};

    return check_teams(s, n_frames, &block, 1, expected);
}

/* Whether blocks of this card have room for the runs below: from compute capability 8 on 99 KiB at least, from 9 on 227. */
static bool blocks_are_large(int least_cc)
{
    return device && bench_device_describe(device)->cc_major >= least_cc;
}

/* 24 000 neurons: on a card with 227 KiB of shared memory for a block the mesh has room there, with its lists it has not. */
static void a_mesh_that_fills_a_block(void **state)
{
    const struct setting s = {.name = "a mesh that fills a block",
                              .width = 160,
                              .height = 150,
                              .grid_factor = 1,
                              .cell_size = 20,
                              .n_rounds = 3,
                              .search_range = 1,
                              .refresh_rate = 2,
                              .cell_capacity = 395, /* of the 400 to begin with */
                              .delta_q16 = 65536,
                              .sigma = {3, 1},
                              .alpha = {1, 0.5},
                              .map = MAP_NOISE,
                              .seed = 5};
    /* 20 x 19 tiles: a warp has one of each of two rows at a time, or five */
    static const char *const block_threads[] = {"auto", "256"};

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct som_output out;
        const int n_blocks = check_blocks(&s, 1, block_threads[k], &out);

        assert_true(n_blocks > 0 || !blocks_are_large(9));
        assert_true(out.counts[0].left_out > 0);
        release_output(&som_problem, &out);
    }
}

/* More pulls in a round than the words of a warp have bits for (1024), on tiles of which some stick out of the mesh: 11 x 9, of which
 * a warp has one of each of two rows at a time, or four, three at the end of a row, and one row has no other. */
static void a_round_of_many_pulls(void **state)
{
    struct setting s = {.width = 166,
                        .height = 141,
                        .grid_factor = 2,
                        .cell_size = 4,
                        .n_rounds = 4,
                        .search_range = 3,
                        .refresh_rate = 2,
                        .cell_capacity = 100,
                        .delta_q16 = 65536,
                        .sigma = {6, 1},
                        .alpha = {1, 0.5},
                        .seed = 5};
    static const char *const block_threads[] = {"256", "512"};

    (void)state;
    for (int k = 0; k < (small ? 1 : 2); k++) {
        struct som_output out;
        int n_blocks;

        s.name = "a round of many pulls";
        s.map = MAP_FLAT;
        n_blocks = check_blocks(&s, small ? 1 : 2, block_threads[k], &out);
        assert_true(n_blocks > 0 || !blocks_are_large(8));
        assert_true(out.counts[0].updates > (uint64_t)s.n_rounds * 1024);
        release_output(&som_problem, &out);
        s.name = "pulls here and there";
        s.map = MAP_SPARSE;
        check_blocks(&s, 1, block_threads[k], &out);
        release_output(&som_problem, &out);
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
    struct setting s = {.width = 166,
                        .height = 141,
                        .grid_factor = 2,
                        .cell_size = 4,
                        .n_rounds = small ? 3 : 5,
                        .search_range = 9, /* more ranges than lanes */
                        .refresh_rate = 2,
                        .cell_capacity = 6,
                        .delta_q16 = 65536,
                        .sigma = {6, 1},
                        .alpha = {1, 0.5},
                        .seed = 5};
    struct som_output out;
    int n_teams;

    (void)state;
    s.name = "many pulls, teams of all sizes";
    s.map = MAP_FLAT;
    n_teams = check_teams(&s, small ? 1 : 2, teams, N_OF(teams), &out);
    assert_true(n_teams >= (has_clusters() ? 6 : device ? 1 : 0));
    assert_true(out.counts[0].updates > (uint64_t)s.n_rounds * 1024);
    assert_true(out.counts[0].left_out > 0);
    release_output(&som_problem, &out);
    s.name = "pulls here and there, teams of all sizes";
    s.map = MAP_SPARSE;
    s.refresh_rate = 1;
    s.cell_capacity = 100;
    check_teams(&s, 1, teams, N_OF(teams), &out);
    release_output(&som_problem, &out);
    s.name = "three neurons, teams of all sizes";
    s.map = MAP_NOISE;
    s.width = 6;
    s.height = 2;
    n_teams = check_teams(&s, 3, teams, N_OF(teams), &out);
    assert_int_equal(out.n_neurons, 3);
    assert_true(n_teams >= (has_clusters() ? 6 : device ? 1 : 0));
    release_output(&som_problem, &out);
}

/* Frame f of a batch draws the words of seed + f, modulo 2^64: that is the rule, so that frames of a batch do not share
 * their lots and each can be made alone. */
static void frames_of_a_batch_are_frames_alone(void **state)
{
    (void)state;
    for (int n_frames = 2; n_frames <= 3; n_frames++) {
        struct setting s = plain;
        struct som_input *batch, *single;
        struct som_output all, one;
        size_t n_pixels;

        s.name = "batch";
        s.map = MAP_NOISE;
        s.seed = UINT64_MAX; /* the second frame's is 0 */
        batch = new_input(&s, n_frames);
        single = new_input(&s, 1);
        all = guarded_output(batch);
        one = guarded_output(single);
        n_pixels = som_n_pixels(single);
        check_output(s.name, batch, &all);
        for (int f = 0; f < n_frames; f++) {
            memcpy(single->grey, batch->grey + (size_t)f * n_pixels, n_pixels);
            single->seed = s.seed + (uint64_t)f;
            check_output("a frame of a batch, alone", single, &one);
            assert_memory_equal(one.position,
                                all.position + (size_t)f * (size_t)all.n_neurons * 2,
                                position_bytes(&one));
            assert_memory_equal(one.counts, &all.counts[f], sizeof *one.counts);
        }
        release_output(&som_problem, &all);
        release_output(&som_problem, &one);
        som_input_free(batch);
        som_input_free(single);
    }
}

/* A neuron that has moved was a winner: at most one in a pull. */
static void radius_0_moves_winners_alone(void **state)
{
    struct setting s = plain;
    struct som_input *in;
    struct som_output out;
    float *first;
    uint64_t n_moved = 0;

    (void)state;
    s.name = "radius 0";
    s.n_rounds = 1;
    s.sigma[0] = 0.9;
    s.sigma[1] = 0.1;
    s.cell_size = 20;
    in = new_input(&s, 1);
    assert_int_equal(in->max_radius, 0);
    out = guarded_output(in);
    check_output(s.name, in, &out);
    first = of_size((size_t)out.n_neurons * 2, sizeof *first);
    som_first_positions(in, first);
    for (int k = 0; k < out.n_neurons; k++)
        n_moved += memcmp(&first[2 * k], &out.position[2 * k], 2 * sizeof *first) != 0;
    assert_in_range(n_moved, 1, out.counts[0].updates);
    free(first);
    release_output(&som_problem, &out);
    som_input_free(in);
    s.n_rounds = 30;
    check_setting(&s, 2);
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
    struct som_input *in = new_input(&plain, 2);
    struct som_output right = guarded_output(in), wrong = guarded_output(in);
    const size_t n_values = position_bytes(&right) / sizeof(float);
    const size_t places[] = {0, n_values / 2, n_values - 1};

    (void)state;
    assert_int_equal(som_problem.match(&snapshot), BENCH_EXACT);
    oracle_run(in, &right, FAULT_NONE);
    copy_output(&som_problem, &wrong, &right);
    assert_int_equal(wrong_by(in, &right, &wrong), 0);
    assert_int_equal(wrong_by(NULL, &right, &wrong), 0);
    for (int i = 0; i < N_OF(places); i++) {
        for (int bit = 0; bit < 32;
             bit += bit ? 30 : 1) { /* 0, 1, 31: the last ones, the sign */
            uint32_t bits;

            memcpy(&bits, &wrong.position[places[i]], sizeof bits);
            bits ^= UINT32_C(1) << bit;
            memcpy(&wrong.position[places[i]], &bits, sizeof bits);
            assert_true(wrong_by(in, &right, &wrong) > 0);
            copy_output(&som_problem, &wrong, &right);
        }
        wrong.position[places[i]] = NAN;
        assert_true(wrong_by(in, &right, &wrong) > 0);
        wrong.position[places[i]] = INFINITY;
        assert_true(wrong_by(in, &right, &wrong) > 0);
        copy_output(&som_problem, &wrong, &right);
    }
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < 6; k++) {
            uint64_t *const counts[] = {&wrong.counts[f].updates, &wrong.counts[f].misses,
                                        &wrong.counts[f].left_out};

            *counts[k / 2] += k % 2 ? 1 : UINT64_MAX; /* one more, one less */
            assert_true(wrong_by(in, &right, &wrong) > 0);
            copy_output(&som_problem, &wrong, &right);
        }
    assert_int_equal(wrong_by(in, &right, &wrong), 0);
    release_output(&som_problem, &right);
    release_output(&som_problem, &wrong);
    som_input_free(in);
}

static void make_plane(struct plane *plane, const char *name, int width, int height)
{
    memset(plane, 0, sizeof *plane);
    assert_int_equal(plane_alloc(plane, width, height), BENCH_OK);
    snprintf(plane->name, sizeof plane->name, "%s", name);
    for (int i = 0; i < width * height; i++)
        plane->disparity[i] = (uint16_t)(i % 11 ? i * 37 % 65535 : DISPARITY_INVALID);
}

/* The level of a disparity at numerator / denominator levels per px, rounded half up. */
static uint8_t level_of(uint16_t disparity, int numerator, int denominator, int threshold)
{
    const int whole = denominator * DISPARITY_SCALE;
    const int level = (2 * disparity * numerator + whole) / (2 * whole);

    if (disparity == DISPARITY_INVALID || level <= threshold)
        return 0;
    return (uint8_t)least(level, 255);
}

static void check_levels(const struct som_input *in, int frame, const struct plane *plane,
                         int numerator, int denominator, int threshold)
{
    for (size_t i = 0; i < som_n_pixels(in); i++)
        assert_int_equal(in->grey[(size_t)frame * som_n_pixels(in) + i],
                         level_of(plane->disparity[i], numerator, denominator, threshold));
}

static void input_from_planes(void **state)
{
    static const char *const all[] = {
        "grey",   "2.5", "threshold",   "0",          "g",      "4",    "co",          "7",
        "rounds", "9",   "ssr",         "-1",         "crr",    "3",    "mnpc",        "5",
        "delta",  "0.5", "seed",        "2147483647", "sigma",  "5.5",  "sigma_final", "0.5",
        "alpha",  "0.5", "alpha_final", "0.25",       "update", "live", NULL};
    static const char *const none[] = {NULL};
    static const char *const resized[] = {"width", "425", "height", "370", NULL};
    struct bench_params params = params_with(&som_problem, none);
    struct plane a, b, c;
    const struct plane *same[2], *different[2];
    struct som_input *in;
    void *input;

    (void)state;
    make_plane(&a, "first", 71, 53);
    make_plane(&b, "second", 71, 53);
    make_plane(&c, "third", 71, 54);
    a.grey_per_px = 3;
    a.threshold = 20;
    a.camera.fx_px = 500;
    b.camera.baseline_m = 0.25;
    same[0] = different[0] = &a;
    same[1] = &b;
    different[1] = &c;

    /* each map's own scale and threshold; 2 and 0 where it has none */
    assert_int_equal(som_problem.make_input(&params, same, 2, &input), BENCH_OK);
    in = input;
    assert_int_equal(in->n_frames, 2);
    assert_int_equal(in->width, 71);
    assert_int_equal(in->height, 53);
    assert_int_equal(in->grid_cols, 12);
    assert_int_equal(in->grid_rows, 9);
    assert_int_equal(in->cell_cols, 4);
    assert_int_equal(in->cell_rows, 3);
    assert_int_equal(in->update, SOM_SNAPSHOT);
    assert_int_equal(in->delta_q16, ALL_LEVELS);
    check_levels(in, 0, &a, 3, 1, 20);
    check_levels(in, 1, &b, 2, 1, 0);
    assert_true(in->grey_per_px[0] == 3 && in->focal_px[0] == 500 && in->baseline_m[0] == 0);
    assert_true(in->focal_px[1] == 0 && in->baseline_m[1] == 0.25);
    som_problem.free_input(input);

    params = params_with(&som_problem, all);
    assert_int_equal(som_problem.make_input(&params, same, 2, &input), BENCH_OK);
    in = input;
    check_levels(in, 0, &a, 5, 2, 0);
    check_levels(in, 1, &b, 5, 2, 0);
    assert_int_equal(in->grid_cols, 18);
    assert_int_equal(in->cell_size, 7);
    assert_int_equal(in->n_rounds, 9);
    assert_int_equal(in->search_range, SOM_NO_BOUND);
    assert_int_equal(in->refresh_rate, 3);
    assert_int_equal(in->cell_capacity, 5);
    assert_int_equal(in->delta_q16, 32768);
    assert_int_equal(in->update, SOM_LIVE);
    assert_true(in->seed == 2147483647);
    assert_int_equal(in->max_radius, 5);
    assert_int_equal(in->radius[0], 5);
    assert_true(in->rate[0] == 0.5f);
    assert_true(fabs((double)in->rate[6 * 8] - 0.5 * pow(0.5, 8 / 9.0)) < 1e-7);
    som_problem.free_input(input);

    params = params_with(&som_problem, resized);
    assert_int_equal(som_problem.make_input(&params, different, 2, &input), BENCH_OK);
    in = input;
    assert_int_equal(in->grid_cols, 71);
    assert_int_equal(in->grid_rows, 62);
    assert_int_equal(in->cell_cols, 22);
    assert_int_equal(in->cell_rows, 19);
    assert_int_equal(in->grey[0], 0); /* its nearest pixel has no disparity */
    som_problem.free_input(input);

    params = params_with(&som_problem, none);
    assert_int_equal(som_problem.make_input(&params, different, 2, &input), BENCH_EINPUT);
    assert_null(input);
    assert_non_null(strstr(bench_failure(), "third"));
    assert_int_equal(som_problem.make_input(&params, same, 0, &input), BENCH_EINPUT);
    assert_null(input);
    plane_free(&a);
    plane_free(&b);
    plane_free(&c);
}

/* All blocks of an input, one after the other. */
static size_t gather(const struct som_input *in, unsigned char *bytes, size_t size)
{
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    const int n = som_problem.input_blocks(in, blocks);
    size_t total = 0;

    for (int i = 0; i < n; i++) {
        assert_true(total + blocks[i].bytes <= size);
        memcpy(bytes + total, blocks[i].data, blocks[i].bytes);
        total += blocks[i].bytes;
    }
    return total;
}

/* A hash of an input must tell inputs apart whose outputs differ. */
static void blocks_hold_all_that_matters(void **state)
{
    enum { SIZE = 1 << 20 };

    struct som_input *in = new_input(&plain, 2);
    struct som_output *out = NULL;
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    unsigned char *before = of_size(SIZE, 1), *after = of_size(SIZE, 1);
    const size_t n_bytes = gather(in, before, SIZE);
    void *made = NULL;
    size_t total = 0;

    (void)state;
    for (int k = 0; k < 9; k++) {
        struct som_input saved = *in;
        const uint8_t grey = in->grey[2 * som_n_pixels(in) - 1];
        const float rate = in->rate[0];

        in->seed ^= (uint64_t)(k == 0) << 40;
        in->update ^= k == 1;
        in->search_range += k == 2;
        in->refresh_rate += k == 3;
        in->cell_capacity += k == 4;
        in->delta_q16 -= k == 5;
        in->radius[0] -= k == 6;
        in->grey[2 * som_n_pixels(in) - 1] ^= k == 7;
        in->rate[0] += k == 8 ? 0.25f : 0;
        assert_int_equal(gather(in, after, SIZE), n_bytes);
        if (!memcmp(before, after, n_bytes))
            fail_msg("change %d of the input is not in its blocks", k);
        in->grey[2 * som_n_pixels(in) - 1] = grey;
        in->rate[0] = rate;
        in->radius[0] += k == 6;
        *in = saved;
    }
    assert_int_equal(som_problem.n_frames(in), 2);
    assert_int_equal(som_problem.make_output(in, &made), BENCH_OK);
    out = made;
    assert_int_equal(out->n_frames, 2);
    assert_int_equal(out->n_neurons, som_n_neurons(in));
    for (int i = 0, n = som_problem.output_blocks(out, blocks); i < n; i++)
        total += blocks[i].bytes;
    assert_int_equal(total, position_bytes(out) + counts_bytes(out));
    som_problem.free_output(out);
    free(before);
    free(after);
    som_input_free(in);
}

/* ---- update = live, and the counterpart of one step at a time ---- */

/* A map and a schedule under which a mesh has time to follow. */
static const struct setting smooth = {.name = "smooth",
                                      .width = 120,
                                      .height = 96,
                                      .grid_factor = 4,
                                      .cell_size = 8,
                                      .n_rounds = 120,
                                      .search_range = SOM_NO_BOUND,
                                      .refresh_rate = 2,
                                      .cell_capacity = 1000,
                                      .delta_q16 = ALL_LEVELS,
                                      .sigma = {6, 0.5},
                                      .alpha = {0.5, 0.01},
                                      .map = MAP_PATCH,
                                      .seed = 5};

/* One of the variants that run on the CPU alone. */
static void run_on_one_thread(const char *name, const char *update, const struct som_input *in,
                              struct som_output *out)
{
    const struct bench_impl *impl = bench_find_impl(name);
    struct bench_params params;

    assert_non_null(impl);
    combination(impl, update, 0, &params);
    assert_int_equal(drive(impl, &params, 1, in, out), 1);
    n_cells_run++;
}

static double cost_of_the_regular_network(const struct som_input *in)
{
    float *first = of_size((size_t)som_n_neurons(in) * 2, sizeof *first);
    struct som_quality quality;

    som_first_positions(in, first);
    assert_int_equal(som_quality_of(in, 0, first, &quality), BENCH_OK);
    assert_int_equal(quality.n_folded, 0);
    free(first);
    return quality.cost_pct;
}

/* Live meshes are held against each other by what they cost and fold: wrong is one that has not moved, has left the map or shrunk, or
 * has a position that is no number; outside is one that is folded; one that is merely another is neither. */
static void compare_of_live_meshes(void **state)
{
    const struct bench_params live = with_update("live");
    struct som_input *in;
    struct som_output reference, other;
    struct bench_difference difference = {0};
    float swap[2];

    (void)state;
    if (small)
        skip();
    in = new_input(&smooth, 1);
    reference = guarded_output(in);
    other = guarded_output(in);
    assert_int_equal(som_problem.match(&live), BENCH_STATISTICAL);
    assert_false(som_problem.repeatable(&live));
    oracle_run(in, &reference, FAULT_NONE);
    oracle_run(in, &other, FAULT_LIVE);
    assert_false(same_bits(&som_problem, &reference, &other));
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_int_equal(difference.n_wrong, 0);
    assert_int_equal(difference.n_outside, 0);

    for (int k = 0; k < 4; k++) { /* one neuron, a little beyond each border */
        const float beyond[] = {-0.01F, -0.01F, (float)in->width + 0.01F,
                                (float)in->height + 0.01F};

        copy_output(&som_problem, &other, &reference);
        other.position[2 * 3 + k % 2] = beyond[k];
        som_problem.compare(&live, in, &reference, &other, &difference);
        assert_int_equal(difference.n_wrong, 1);
    }

    for (int k = 0; k < 2 * other.n_neurons; k++) /* in a corner */
        other.position[k] = reference.position[k] / 100;
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_true(difference.n_wrong > 0);

    copy_output(&som_problem, &other, &reference); /* of another number of points */
    other.counts[0].misses++;
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_true(difference.n_wrong > 0);

    copy_output(&som_problem, &other, &reference);
    other.position[7] = NAN;
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_true(difference.n_wrong > 0);

    som_first_positions(in, other.position);
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_true(difference.n_wrong > 0);

    copy_output(&som_problem, &other,
                &reference); /* every third neuron changes places with the next one */
    for (int k = 0; k + 1 < other.n_neurons; k += 3) {
        memcpy(swap, &other.position[2 * k], sizeof swap);
        memcpy(&other.position[2 * k], &other.position[2 * k + 2], sizeof swap);
        memcpy(&other.position[2 * k + 2], swap, sizeof swap);
    }
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_int_equal(difference.n_wrong, 0);
    assert_int_equal(difference.n_outside, 1);

    som_first_positions(
        in, other.position); /* a tenth of the way back, which costs 6 points and folds none */
    for (int k = 0; k < 2 * other.n_neurons; k++)
        other.position[k] += 0.9F * (reference.position[k] - other.position[k]);
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_int_equal(difference.n_wrong, 0);
    assert_int_equal(difference.n_outside, 1);
    som_problem.compare(&live, in, &other, &reference,
                        &difference); /* so much better is fine */
    assert_int_equal(difference.n_wrong, 0);
    assert_int_equal(difference.n_outside, 0);

    for (int k = 0; k < 2 * other.n_neurons;
         k++) { /* shrunk: it costs less than at the start */
        const float middle = (float)(k % 2 ? in->height : in->width) / 2;

        other.position[k] = middle + 0.4F * (reference.position[k] - middle);
    }
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_int_equal(difference.n_wrong, 1);
    release_output(&som_problem, &reference);
    release_output(&som_problem, &other);
    som_input_free(in);

    in = new_input(&smooth, 2); /* each map of a batch is looked at */
    reference = guarded_output(in);
    other = guarded_output(in);
    oracle_run(in, &reference, FAULT_NONE);
    copy_output(&som_problem, &other, &reference);
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_int_equal(difference.n_compared, 2);
    assert_int_equal(difference.n_wrong, 0);
    som_first_positions(in, other.position + 2 * (size_t)other.n_neurons);
    som_problem.compare(&live, in, &reference, &other, &difference);
    assert_int_equal(difference.n_wrong, 1);
    release_output(&som_problem, &reference);
    release_output(&som_problem, &other);
    som_input_free(in);
}

/*
 * Live updates of a single cell: nobody is at its side, so all must give the same bits, whichever way they go over a
 * neighbourhood, which here is less than the network, as large, and larger on all sides.
 */
static void live_in_one_cell(void **state)
{
    static const double sigmas[] = {2.5, 5.5, 19.5};

    (void)state;
    for (int k = 0; k < N_OF(sigmas); k++) {
        struct setting s = plain;
        struct som_input *in;
        struct som_output out;

        s.name = "live in one cell";
        s.cell_size = 1024;
        s.grid_factor = 5 + k;
        s.n_rounds = 7; /* winners all over the map */
        s.sigma[0] = sigmas[k];
        s.alpha[0] = 0.4;
        s.map = MAP_FLAT;
        s.seed = 90 + (uint64_t)k;
        in = new_input(&s, 1 + k % 2);
        in->update = SOM_LIVE;
        out = guarded_output(in);
        check_output(s.name, in, &out);
        assert_int_equal(out.counts[0].updates, s.n_rounds);
        release_output(&som_problem, &out);
        som_input_free(in);
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
    int n_lost = 0, n_exchanged = 0;

    (void)state;
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];
        struct bench_params params;
        const int n_rounds = is_gated(impl) ? combination(impl, "live", 0, &params) : 0;
        const int on_device = impl->target == BENCH_CUDA;

        if ((on_device && !device) || (gpu_only && !on_device))
            continue;
        for (int round = 0; round < n_rounds; round++)
            for (int k_run = 0; k_run < (impl->target == BENCH_OPENMP ? 100 : 2); k_run++) {
                const int axis = k_run % 2;
                struct som_input *in =
                    row_of_cells(axis, (uint64_t)(round + k_run / 2), on_device);
                struct som_output out = guarded_output(in);
                char text[512];

                combination(impl, "live", round, &params);
                if (on_device) /* blocks of an emulated card run one after another */
                    set_param(&params, impl, "block_threads", axis ? "64" : "32");
                interrupt_threads(impl->target == BENCH_OPENMP);

                const int ran =
                    drive(impl, &params, impl->target == BENCH_OPENMP ? 4 : 1, in, &out);

                interrupt_threads(0);
                n_cells_run += ran;
                bench_params_text(&params, text, sizeof text);
                for (int id = 0; ran && id < som_n_neurons(in); id++) {
                    const double n = pulls_made(in, &out, axis, id);
                    const int all = 4 * ROW_OF_CELLS;

                    assert_int_equal(out.counts[0].updates, all);
                    if (!strstr(text, "atomics=exch")) {
                        if (fabs(n - all) > 0.5)
                            fail_msg("%s (%s): %.2f pulls of %d have come", impl->name, text, n,
                                     all);
                    } else {
                        assert_true(n > 3.5 && n < all + 0.5);
                        n_exchanged++;
                        n_lost += n < all - 0.5;
                    }
                }
                release_output(&som_problem, &out);
                som_input_free(in);
            }
    }
    /* were no pull lost by exchanges, the cells would not have been at it together, and the others proved nothing */
    assert_true(n_exchanged == 0 || n_lost > 0);
}

/* Another order is another mesh of the same points. */
static void orders_of_cells(void **state)
{
    const struct bench_impl *impl = bench_find_impl("som/rounds");
    struct bench_params snapshot = with_update("snapshot");
    struct som_input *in;
    struct som_output out[3];

    (void)state;
    if (gpu_only || small)
        skip();
    in = new_input(&smooth, 1);
    in->update = SOM_LIVE;
    for (int k = 0; k < 3; k++) {
        struct bench_params params = with_update("live");
        char text[12];

        snprintf(text, sizeof text, "%d", k);
        set_param(&params, impl, "cell_order", text);
        out[k] = guarded_output(in);
        assert_int_equal(drive(impl, &params, 1, in, &out[k]), 1);
        for (int i = 0; i < k; i++) {
            assert_false(same_bits(&som_problem, &out[i], &out[k]));
            assert_int_equal(out[i].counts[0].updates + out[i].counts[0].misses,
                             out[k].counts[0].updates + out[k].counts[0].misses);
        }
    }
    in->update = SOM_SNAPSHOT; /* has one */
    set_param(&snapshot, impl, "cell_order", "1");
    assert_int_equal(drive(impl, &snapshot, 1, in, &out[0]), 0);
    for (int k = 0; k < 3; k++)
        release_output(&som_problem, &out[k]);
    som_input_free(in);
}

/* No update, whatever the map. */
static void the_grid_is_the_network_at_the_start(void **state)
{
    struct som_input *in = new_input(&smooth, 2);
    struct som_output out = guarded_output(in);
    float *first = of_size((size_t)som_n_neurons(in) * 2, sizeof *first);

    (void)state;
    som_first_positions(in, first);
    run_on_one_thread("som/grid", "snapshot", in, &out);
    for (int f = 0; f < 2; f++) {
        assert_memory_equal(out.position + (size_t)f * (size_t)out.n_neurons * 2, first,
                            (size_t)out.n_neurons * 2 * sizeof *first);
        assert_int_equal(out.counts[f].updates, 0);
        assert_int_equal(out.counts[f].misses, 0);
        assert_int_equal(out.counts[f].left_out, 0);
    }
    free(first);
    release_output(&som_problem, &out);
    som_input_free(in);
}

static void live_on_one_thread(void **state)
{
    struct som_input *in;
    struct som_output snapshot, live, again;
    struct som_quality quality;

    (void)state;
    if (gpu_only || small)
        skip();
    in = new_input(&smooth, 1);
    snapshot = guarded_output(in);
    live = guarded_output(in);
    again = guarded_output(in);
    run_on_one_thread("som/rounds", "snapshot", in, &snapshot);
    in->update = SOM_LIVE;
    run_on_one_thread("som/rounds", "live", in, &live);
    run_on_one_thread("som/rounds", "live", in, &again);
    assert_true(same_bits(&som_problem, &live, &again));
    assert_false(same_bits(&som_problem, &live, &snapshot));
    /* on one thread there is but one order: that of the words, in which the oracle goes too */
    oracle_run(in, &again, FAULT_LIVE);
    assert_true(same_bits(&som_problem, &live, &again));
    /* the lots do not hang on the mesh */
    assert_int_equal(live.counts[0].updates + live.counts[0].misses,
                     snapshot.counts[0].updates + snapshot.counts[0].misses);
    assert_int_equal(som_quality_of(in, 0, live.position, &quality), BENCH_OK);
    assert_true(quality.n_triangles > 100);
    assert_true(quality.n_folded * 100 <= quality.n_triangles);
    assert_true(quality.cost_pct < 0.6 * cost_of_the_regular_network(in));
    assert_int_equal(som_quality_of(in, 0, snapshot.position, &quality), BENCH_OK);
    assert_true(quality.n_folded * 100 <= quality.n_triangles);
    assert_true(quality.cost_pct < 0.6 * cost_of_the_regular_network(in));
    release_output(&som_problem, &snapshot);
    release_output(&som_problem, &live);
    release_output(&som_problem, &again);
    som_input_free(in);
}

static void one_step_at_a_time(void **state)
{
    struct som_input *in;
    struct som_output out, again, other;
    struct som_quality quality;

    (void)state;
    if (gpu_only || small)
        skip();
    in = new_input(&smooth, 1);
    out = guarded_output(in);
    again = guarded_output(in);
    other = guarded_output(in);
    run_on_one_thread("som/serial", "snapshot", in, &out);
    run_on_one_thread("som/serial", "snapshot", in, &again);
    assert_true(same_bits(&som_problem, &out, &again));
    in->update = SOM_LIVE; /* has no meaning here */
    run_on_one_thread("som/serial", "live", in, &again);
    assert_true(same_bits(&som_problem, &out, &again));
    in->update = SOM_SNAPSHOT;
    in->seed++;
    run_on_one_thread("som/serial", "snapshot", in, &other);
    in->seed--;
    assert_false(same_bits(&som_problem, &out, &other));
    assert_int_equal(out.counts[0].updates + out.counts[0].misses,
                     (uint64_t)in->n_rounds * (uint64_t)som_n_cells(in));
    for (int k = 0; k < out.n_neurons; k++) {
        assert_true(out.position[2 * k] >= 0 && out.position[2 * k] <= (float)in->width);
        assert_true(out.position[2 * k + 1] >= 0 &&
                    out.position[2 * k + 1] <= (float)in->height);
    }
    assert_int_equal(som_quality_of(in, 0, out.position, &quality), BENCH_OK);
    assert_true(quality.cost_pct < 0.6 * cost_of_the_regular_network(in));
    release_output(&som_problem, &out);
    release_output(&som_problem, &again);
    release_output(&som_problem, &other);
    som_input_free(in);
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
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct som_input *in = NULL;
        struct som_output out;
        double at[2 * 10 * 8];
        float first[2 * 10 * 8];

        assert_int_equal(som_input_new(1, 40, 32, 4, 1024, 200, &in), BENCH_OK);
        assert_int_equal(som_n_neurons(in), 10 * 8);
        in->seed = seed;
        in->search_range = SOM_NO_BOUND;
        in->refresh_rate = 1;
        in->sigma[0] = 4.5;
        in->sigma[1] = 0.5;
        in->alpha[0] = 0.6;
        in->alpha[1] = 0.02;
        assert_int_equal(som_input_tables(in), BENCH_OK);
        for (size_t i = 0; i < som_n_pixels(in); i++)
            in->grey[i] = draw(seed, (uint32_t)i, 9, 40) == 0 ? (uint8_t)(1 + seed / 2) : 0;
        som_first_positions(in, first);
        for (int k = 0; k < N_OF(first); k++)
            at[k] = (double)first[k];
        oracle_of_steps(in, at);
        out = guarded_output(in);
        run_on_one_thread("som/serial", "snapshot", in, &out);
        assert_int_equal(out.counts[0].updates, 200);
        for (int k = 0; k < N_OF(at); k++)
            if (fabs((double)out.position[k] - at[k]) > 1e-3)
                fail_msg("seed %d, neuron %d: %g, expected %g", (int)seed, k / 2,
                         (double)out.position[k], at[k]);
        release_output(&som_problem, &out);
        som_input_free(in);
    }
}

/* Frames of a batch, maps without density and sizes of one: no crash, nothing outside, nothing unwritten. */
static void edges_one_step_at_a_time(void **state)
{
    static const int sizes[][4] = {{1, 1, 1, 1}, {61, 47, 60, 10}, {61, 47, 6, 1024}};

    (void)state;
    if (gpu_only)
        skip();
    for (int i = 0; i < 4 * N_OF(sizes); i++) {
        struct setting s = plain;
        struct som_input *in;
        struct som_output out;

        s.width = sizes[i / 4][0];
        s.height = sizes[i / 4][1];
        s.grid_factor = sizes[i / 4][2];
        s.cell_size = sizes[i / 4][3];
        s.map = i % 2 ? MAP_EMPTY : MAP_FLAT;
        s.cell_capacity = i % 4 < 2 ? 1 : 1000;
        in = new_input(&s, 2);
        out = guarded_output(in);
        run_on_one_thread("som/serial", "snapshot", in, &out);
        for (int f = 0; f < 2; f++) {
            if (s.map == MAP_EMPTY)
                assert_int_equal(out.counts[f].updates, 0);
            else
                assert_int_equal(out.counts[f].updates + out.counts[f].misses,
                                 (uint64_t)s.n_rounds * (uint64_t)som_n_cells(in));
        }
        for (size_t v = 0; v < position_bytes(&out) / sizeof(float); v++)
            assert_true(out.position[v] >= 0 &&
                        out.position[v] <= (float)(v % 2 ? in->height : in->width));
        release_output(&som_problem, &out);
        som_input_free(in);
    }
}

/* ---- the program ---- */

static void something_was_tested(void **state)
{
    (void)state;
    print_message("%d runs of variants compared with the oracle, %d of them on the device; %d "
                  "cells were not theirs, %d left out for want of a device\n",
                  n_cells_run, n_device_runs, n_not_theirs, n_cells_skipped);
    assert_true(n_cells_run > 0 || gpu_only);
}

/* Counted as skipped where there is no card, so that a report cannot pass for a test of the GPU. */
static void gpu_variants_were_tested(void **state)
{
    int n_variants = 0;

    (void)state;
    for (int k = 0; bench_impls[k]; k++)
        n_variants += is_gated(bench_impls[k]) && bench_impls[k]->target == BENCH_CUDA;
    if (!device || n_variants == 0)
        skip();
    assert_true(n_device_runs > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_the_shortest_walk),
        cmocka_unit_test(rings_and_balls_of_a_hexagonal_network),
        cmocka_unit_test(neighbours_are_mutual),
        cmocka_unit_test(rows_within_a_radius),
        cmocka_unit_test(a_ring_of_nodes_is_walked_around),
        cmocka_unit_test(words_of_a_cell),
        cmocka_unit_test(scale_is_exact),
        cmocka_unit_test(as_many_cells_are_active_as_the_densities_say),
        cmocka_unit_test(densities_are_cubes),
        cmocka_unit_test(cells_of_positions),
        cmocka_unit_test(a_ring_is_enumerated_once),
        cmocka_unit_test(a_ring_is_no_nearer_than_its_bound),
        cmocka_unit_test(sizes_of_the_papers_table_2),
        cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(tables_follow_the_schedule),
        cmocka_unit_test(the_last_round_is_a_step_before_the_end),
        cmocka_unit_test(impossible_schedules),
        cmocka_unit_test(first_positions_are_a_regular_network),
        cmocka_unit_test(settings_by_hand),
        cmocka_unit_test(random_settings),
        cmocka_unit_test(faults_are_caught),
        cmocka_unit_test(equal_words_go_by_cell),
        cmocka_unit_test(a_tie_with_the_next_ring),
        cmocka_unit_test(nothing_moves_over_background),
        cmocka_unit_test(one_of_a_kind),
        cmocka_unit_test(empty_cells_miss),
        cmocka_unit_test(full_lists_are_counted),
        cmocka_unit_test(few_neurons_far_apart),
        cmocka_unit_test(a_mesh_that_fills_a_block),
        cmocka_unit_test(a_round_of_many_pulls),
        cmocka_unit_test(teams_of_all_sizes),
        cmocka_unit_test(frames_of_a_batch_are_frames_alone),
        cmocka_unit_test(radius_0_moves_winners_alone),
        cmocka_unit_test(compare_catches_what_is_wrong),
        cmocka_unit_test(input_from_planes),
        cmocka_unit_test(blocks_hold_all_that_matters),
        cmocka_unit_test(compare_of_live_meshes),
        cmocka_unit_test(live_in_one_cell),
        cmocka_unit_test(no_live_pull_is_lost),
        cmocka_unit_test(the_grid_is_the_network_at_the_start),
        cmocka_unit_test(live_on_one_thread),
        cmocka_unit_test(orders_of_cells),
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
