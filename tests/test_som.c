/*
 * test_som.c - every variant of som against a definition written down once more, and the
 * problem's own functions
 *
 * The oracle below keeps no lists, walks no rows and no rings: which neurons a ring holds,
 * which of them lie nearest and which of them a winner takes along is asked of all neurons, one
 * by one.  What it shares with the variants are the random words and the number of links
 * between two neurons, which have tests of their own.  All variants that the registry lists run
 * the cases.
 */
#include "harness/problems/som/som.h"
#include "harness/problems/som/measure.h"
#include "harness/inputs/plane.h"
#include "tests/variants.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#define ALL_LEVELS 65536u /* delta = 1 */

__extension__ typedef unsigned __int128 wide;

/* In [low, high). */
static double between(uint64_t seed, uint32_t i, uint32_t j, double low, double high)
{
    return low + (high - low) * (bench_philox(seed, i, j, 9, 0).word[1] / 4294967296.0);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* ---- the oracle ---- */

/* A cell's part in a round. */
struct pull {
    uint32_t order;
    int cell, cx, cy, winner; /* -1: none */
    float x, y;
};

struct oracle {
    const struct som_input *in;
    int live; /* a search sees what has been pulled before it */
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

/* Over a cell.  Below 2^53: exact. */
static uint64_t oracle_sum(const struct oracle *o, int cx, int cy)
{
    const int size = o->in->cell_size;
    double sum = 0;

    for (int y = cy * size; y < least((cy + 1) * size, o->in->height); y++)
        for (int x = cx * size; x < least((cx + 1) * size, o->in->width); x++)
            sum += oracle_density(o, x, y);
    return (uint64_t)sum;
}

static void oracle_refresh(struct oracle *o)
{
    const struct som_input *in = o->in;

    for (int k = 0; k < o->n_neurons; k++) {
        o->home_x[k] =
            least((int)(o->position[2 * k] / (float)in->cell_size), in->cell_cols - 1);
        o->home_y[k] =
            least((int)(o->position[2 * k + 1] / (float)in->cell_size), in->cell_rows - 1);
    }
    for (int k = o->n_neurons; k-- > 0;) { /* down, so that those before it are still known */
        int n_before = 0;

        for (int i = 0; i < k; i++)
            n_before += o->home_x[i] == o->home_x[k] && o->home_y[i] == o->home_y[k];
        if (n_before >= in->cell_capacity) {
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

/* The least distance from a point to a cell of ring k >= 1 around the point's own, squared and
 * rounded to float. */
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
static int oracle_search(const struct oracle *o, const struct pull *p)
{
    const struct som_input *in = o->in;
    const int all = in->cell_cols + in->cell_rows;
    const int last = in->search_range == SOM_NO_BOUND ? all : in->search_range;
    int winner = -1;
    float best = 0;

    for (int k = 0; k <= last; k++) {
        if (k > 0 && winner >= 0 && best < oracle_ring(o, p, k))
            break;
        for (int i = 0; i < o->n_neurons; i++) {
            const int dx = abs(o->home_x[i] - p->cx), dy = abs(o->home_y[i] - p->cy);
            const float square = oracle_square(o->position + 2 * i, p->x, p->y);

            if (o->home_x[i] < 0 || (dx > dy ? dx : dy) != k)
                continue;
            if (winner < 0 || square < best || (square == best && i < winner)) {
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

    for (int y = p->cy * size; y < least((p->cy + 1) * size, o->in->height); y++)
        for (int x = p->cx * size; x < least((p->cx + 1) * size, o->in->width); x++) {
            at -= oracle_density(o, x, y);
            if (at < 0) {
                p->x = (float)(x + 0.5);
                p->y = (float)(y + 0.5);
                return;
            }
        }
    fail_msg("the oracle's pixel is beyond the cell");
}

static void oracle_pull(struct oracle *o, int round, const struct pull *p)
{
    const struct som_input *in = o->in;
    const float *rates = in->rate + (size_t)round * (size_t)(in->max_radius + 1);

    for (int i = 0; i < o->n_neurons; i++) {
        const int distance = som_distance(i % in->grid_cols, i / in->grid_cols,
                                          p->winner % in->grid_cols, p->winner / in->grid_cols);
        float *const neuron = o->position + 2 * i;

        if (distance <= in->radius[round]) {
            const float rate = rates[distance];
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

/* The cells that take part in a round, with their data points; how many there are. */
static int oracle_extract(const struct oracle *o, const uint64_t *density, uint64_t greatest,
                          uint64_t seed, int round, struct pull *pulls)
{
    const struct som_input *in = o->in;
    int n = 0;

    for (int c = 0; c < som_n_cells(in); c++) {
        const struct bench_words words = bench_philox(seed, (uint32_t)round, 0, (uint32_t)c, 0);
        const wide limit = density[c];

        /* greatest u / 2^32 < S delta / 2^16, either side rounded down */
        if (((wide)greatest * words.word[0]) >> 32 >= (limit * in->delta_q16) >> 16)
            continue;
        pulls[n] = (struct pull){.cell = c,
                                 .cx = c % in->cell_cols,
                                 .cy = c / in->cell_cols,
                                 .order = words.word[2]};
        oracle_pixel(o, &pulls[n++], (double)(uint64_t)((limit * words.word[1]) >> 32));
    }
    return n;
}

static void oracle_round(struct oracle *o, int round, struct pull *pulls, int n_pulls)
{
    for (int i = 0; i < n_pulls; i++)
        pulls[i].winner = oracle_search(o, &pulls[i]);
    qsort(pulls, (size_t)n_pulls, sizeof *pulls, by_order);
    for (int i = 0; i < n_pulls; i++) {
        if (o->live)
            pulls[i].winner = oracle_search(o, &pulls[i]);
        o->counts->misses += pulls[i].winner < 0;
        o->counts->updates += pulls[i].winner >= 0;
        if (pulls[i].winner >= 0)
            oracle_pull(o, round, &pulls[i]);
    }
}

/* Frame f of a batch draws the words of seed + f, modulo 2^64: it is what it would be alone
 * with that seed. */
static void oracle_frame(const struct som_input *in, int frame, struct som_output *out,
                         int live)
{
    const size_t n_neurons = (size_t)som_n_neurons(in), n_cells = (size_t)som_n_cells(in);
    uint64_t *density = keep(calloc(n_cells, sizeof *density), free), greatest = 0;
    struct pull *pulls = keep(calloc(n_cells, sizeof *pulls), free);
    struct oracle o = {.in = in,
                       .live = live,
                       .n_neurons = (int)n_neurons,
                       .grey = som_grey(in, frame),
                       .position = som_position(out, frame),
                       .counts = &out->counts[frame],
                       .home_x = keep(calloc(n_neurons, sizeof(int)), free),
                       .home_y = keep(calloc(n_neurons, sizeof(int)), free)};

    memset(o.counts, 0, sizeof *o.counts);
    for (int c = 0; c < (int)n_cells; c++) {
        density[c] = oracle_sum(&o, c % in->cell_cols, c / in->cell_cols);
        if (density[c] > greatest)
            greatest = density[c];
    }
    for (int k = 0; k < o.n_neurons; k++) {
        const int x = k % in->grid_cols, y = k / in->grid_cols;

        /* a quarter of a node from the left, rows of even number three quarters; the middle of
         * a row */
        o.position[2 * k] =
            (float)(((x + (y % 2 ? 0.25 : 0.75)) * 4 * in->width) / (4.0 * in->grid_cols));
        o.position[2 * k + 1] = (float)(((y + 0.5) * 2 * in->height) / (2.0 * in->grid_rows));
    }
    for (int round = 0; round < in->n_rounds; round++) {
        if (round % in->refresh_rate == 0)
            oracle_refresh(&o);
        oracle_round(
            &o, round, pulls,
            oracle_extract(&o, density, greatest, in->seed + (uint64_t)frame, round, pulls));
    }
}

static void oracle_run(const struct som_input *in, struct som_output *out, int live)
{
    for (int f = 0; f < in->n_frames; f++)
        oracle_frame(in, f, out, live);
}

/* ---- inputs, and outputs with a guard behind each array ---- */

static uint8_t map_grey(const char *map, uint64_t seed, int x, int y, int width, int height)
{
    const double far = hypot(x + 0.5 - 0.6 * width, y + 0.5 - 0.4 * height);
    const double reach = 0.35 * (width < height ? width : height);
    const uint32_t i = (uint32_t)y * (uint32_t)width + (uint32_t)x;

    if (!strcmp(map, "noise")) /* half of it background */
        return draw(seed, i, 1, 2) ? (uint8_t)draw(seed, i, 2, 256) : 0;
    if (!strcmp(map, "sparse"))
        return draw(seed, i, 3, 97) ? 0 : (uint8_t)(1 + draw(seed, i, 4, 255));
    if (!strcmp(map, "dim")) /* levels 0 and 1: a random word often falls between two pixels */
        return (uint8_t)draw(seed, i, 5, 2);
    if (!strcmp(map, "disc")) /* a bright one that fades into a dim plane */
        return (uint8_t)(60 + (far < reach ? 140 * (1 - far / reach) : 0));
    assert_true(!strcmp(map, "flat") || !strcmp(map, "empty"));
    return !strcmp(map, "flat") ? 255 : 0;
}

/* The map of a generated frame, at one level per px. */
static struct plane new_plane(const char *name, int width, int height)
{
    struct plane plane = {.grey_per_px = 1};

    assert_int_equal(plane_alloc(&plane, width, height), BENCH_OK);
    keep(plane.disparity, free);
    snprintf(plane.name, sizeof plane.name, "%s", name);
    return plane;
}

/* After n rounds alpha and sigma come to their final values: the last one is a step before. */
static void check_tables(const struct som_input *in)
{
    assert_int_equal(in->radius[0], in->max_radius);
    for (int r = 0; r < in->n_rounds; r++) {
        const float *const rate = in->rate + (size_t)r * (size_t)(in->max_radius + 1);
        const double part = (double)r / in->n_rounds;
        const double alpha = in->alpha[0] * pow(in->alpha[1] / in->alpha[0], part);
        const double sigma = in->sigma[0] * pow(in->sigma[1] / in->sigma[0], part);

        /* a sigma that is nearly whole may be rounded either way */
        assert_in_range(in->radius[r], (int)(sigma * (1 - 1e-9)), (int)(sigma * (1 + 1e-9)));
        for (int d = 0; d <= in->radius[r]; d++)
            assert_true(fabs((double)rate[d] / (alpha * exp(-d * d / (sigma * sigma))) - 1) <
                        1.2e-7);
    }
}

static char setting[512]; /* of the newest input */

/* Words KEY=VALUE: those of a list's keys are set; how many. */
static int set_words(struct bench_params *params, const struct bench_key *keys,
                     const char *words)
{
    char name[32], value[32];
    int n_set = 0;

    for (int n; sscanf(words, " %31[^=]=%31s%n", name, value, &n) == 2; words += n) {
        const struct bench_key *const key = keys ? bench_find_key(keys, name) : NULL;

        n_set += key != NULL;
        if (key)
            assert_int_equal(bench_params_set(params, key, value, "test"), BENCH_OK);
    }
    return n_set;
}

static struct bench_params params_of(const char *words)
{
    struct bench_params params = {0};

    set_words(&params, som_problem.keys, words);
    assert_int_equal(bench_params_default(&params, som_problem.keys, "test"), BENCH_OK);
    return params;
}

/* The value behind the last "NAME=" of the setting. */
static const char *word(const char *name)
{
    const char *found = NULL;

    for (const char *at = setting; (at = strstr(at, name)) != NULL; at += strlen(name))
        found = at + strlen(name);
    assert_non_null(found);
    return found;
}

/* By words of the problem's keys, and four more: map, frames, draws, which is the seed, and
 * counts, for the test.  Those that are not given are as ordinary as can be.  A later word
 * replaces an earlier one. */
__attribute__((format(printf, 1, 2))) static struct som_input *new_input(const char *format,
                                                                         ...)
{
    static const char usual[] =
        "map=disc counts=any frames=1 draws=77 width=61 height=47 g=6 co=10 "
        "rounds=12 ssr=-1 crr=3 mnpc=1000 sigma=3.5 sigma_final=0.5 ";
    struct bench_params params;
    struct plane plane[3];
    const struct plane *const planes[3] = {&plane[0], &plane[1], &plane[2]};
    int n_frames, width, height;
    char map[32];
    void *input;
    va_list arguments;

    strcpy(setting, usual);
    va_start(arguments, format);
    vsnprintf(setting + strlen(usual), sizeof setting - strlen(usual), format, arguments);
    va_end(arguments);
    params = params_of(setting);
    width = bench_int(&params, "width");
    height = bench_int(&params, "height");
    n_frames = atoi(word("frames="));
    sscanf(word("map="), "%31s", map);
    for (int f = 0; f < n_frames; f++) {
        plane[f] = new_plane("made", width, height);
        for (int i = 0; i < width * height; i++)
            plane[f].disparity[i] =
                (uint16_t)(DISPARITY_SCALE * map_grey(map, 4711 + (uint64_t)f, i % width,
                                                      i / width, width, height));
    }
    assert_int_equal(som_problem.make_input(&params, planes, n_frames, &input), BENCH_OK);
    ((struct som_input *)input)->seed = strtoull(word("draws="), NULL, 0);
    check_tables(input);
    return keep(input, som_problem.free_input);
}

static size_t position_bytes(const struct som_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_neurons * 2 * sizeof(float);
}

static struct som_output guarded_output(const struct som_input *in)
{
    return *(struct som_output *)new_guarded(&som_problem, in);
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

/* Runs the oracle. */
static struct run expected_of(struct som_input *in)
{
    struct run run = {in, guarded_output(in)};

    oracle_run(in, &run.out, in->update == SOM_LIVE);
    check_guards(&som_problem, "the oracle", &run.out);
    return run;
}

/* ---- driving a variant ---- */

/* Live updates of several cells come in whatever order a machine runs them. */
static int has_one_order(const struct som_input *in)
{
    return in->update == SOM_SNAPSHOT || som_n_cells(in) == 1;
}

static struct bench_params params_for(const struct som_input *in)
{
    return params_of(in->update == SOM_LIVE ? "update=live" : "update=snapshot");
}

/* 0: the variant was not run. */
static int drive(const struct bench_impl *impl, const struct bench_params *params,
                 int n_threads, const struct som_input *in, struct som_output *out)
{
    struct som_output once = guarded_output(in);

    return run_counted(impl, params, n_threads, in, out, has_one_order(in) ? &once : NULL);
}

/* By words of the variant's keys; the others are those of its first combination. */
static int drive_words(const struct bench_impl *impl, const char *words, int n_threads,
                       const struct som_input *in, struct som_output *out)
{
    struct bench_params params = params_for(in);

    combine_keys(impl, 0, &params);
    set_words(&params, impl->keys, words);
    return drive(impl, &params, n_threads, in, out);
}

/* Runs a variant of the CPU on one thread. */
static struct som_output output_of(const char *name, const char *words,
                                   const struct som_input *in)
{
    struct som_output out = guarded_output(in);

    assert_int_equal(drive_words(bench_find_impl(name), words, 1, in, &out), 1);
    return out;
}

/* True if a variant must give the bits of som/rounds, and can be run here. */
static bool is_gated(const struct bench_impl *impl)
{
    return is_to_run(&som_problem, impl) && !impl->other &&
           !strcmp(impl->reference ? impl->reference : impl->name, "som/rounds");
}

/* One run of a variant against the expected bits; whether it was run. */
static int check_bits(const struct bench_impl *impl, const struct bench_params *params,
                      int n_threads, const struct run *expected)
{
    struct som_output found = guarded_output(expected->in);
    const int ran = drive(impl, params, n_threads, expected->in, &found);

    if (ran) {
        assert_right(impl, params, setting, expected->in, &expected->out, &found);
        assert_true(same(&expected->out, &found));
    }
    return ran;
}

/*
 * Runs all variants on 'in' in all combinations of their keys against the oracle, whose output
 * it returns; teams of threads take turns, also of more than a machine has processors, or a
 * map rows, points or frames.  Live updates: of one cell alone, which has but one order.  Under
 * a sanitizer one or three of the combinations, others for each input, which differ in all
 * keys; but all where updates are live, since the way of the pulls is a key that has no meaning
 * elsewhere.  The variant of most blocks takes every sixth input then.
 */
#define APART 31 /* a prime: multiples of it are all combinations */
static struct run checked(struct som_input *in)
{
    static const int teams[] = {2, 1, 17, 3, 4};
    static int n_inputs;
    const struct run expected = expected_of(in);
    const int most = small > 256 ? 3 : 1;

    assert_true(has_one_order(in));
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];
        const int is_team = impl->target == BENCH_OPENMP;
        struct bench_params params = params_for(in);
        const int n_rounds = is_gated(impl) ? combine_keys(impl, 0, &params) : 0;
        const int n = small && in->update == SOM_SNAPSHOT ? least(n_rounds, most) : n_rounds;

        if (small && n_inputs % 6 > 0 && !strcmp(impl->name, "som/gpu-multi"))
            continue;
        for (int i = 0; i < n * (is_team ? 2 : 1); i++) {
            params = params_for(in);
            combine_keys(impl, (n * n_inputs + i % n) * APART % n_rounds, &params);
            check_bits(impl, &params, is_team ? teams[(2 * n_inputs + i / n) % N_OF(teams)] : 1,
                       &expected);
        }
    }
    n_inputs++;
    return expected;
}

/* ---- the network ---- */

/* From d links to the right, six sides of d links each, every one turned by 60 degrees from the
 * one before.  Rows of either parity, also where a ring leaves the network to where numbers are
 * negative. */
TEST(a_ring_of_nodes_is_walked_around)
{
    enum { MOST = SOM_MAX_SIGMA + 1, SIDE = 2 * MOST + 1 };

    for (int k = 0; k < 30 * (SOM_MAX_SIGMA + 1); k++) {
        const int d = k / 30, y0 = k % 6 - 3, x0 = k / 6 % 5 - 2;
        int seen[SIDE][SIDE] = {{0}}, x = x0 + d, y = y0, n_wrong = 0;

        for (int i = 0; i < som_ring_nodes(d); i++) {
            int found_x, found_y;

            som_ring_node(x0, y0, d, i, &found_x, &found_y);
            assert_true(found_x == x && found_y == y && abs(x - x0) <= MOST &&
                        abs(y - y0) <= MOST);
            seen[y - y0 + MOST][x - x0 + MOST]++;
            if (d > 0)
                som_neighbour(x, y, (i / d + 2) % 6, &x, &y);
        }
        for (int i = 0; i < SIDE * SIDE && (d < 6 || x0 % 2 == 0); i++)
            n_wrong += seen[i / SIDE][i % SIDE] !=
                       (som_distance(x0, y0, x0 + i % SIDE - MOST, y0 + i / SIDE - MOST) == d);
        assert_int_equal(n_wrong, 0);
    }
}

/* ---- lots ---- */

/* Also by densities of the largest cells; at words at which a cell has just been active, or is
 * not yet. */
TEST(cells_are_active_as_their_densities_say)
{
    const uint64_t most = UINT64_C(16581375) << 20;

    for (uint32_t i = 0; i < 100000; i++) {
        const uint64_t greatest = i % 2 ? 1 + draw(35, i, 0, 9) : most - draw(35, i, 0, 999);
        const uint64_t sum =
            i % 2 ? draw(35, i, 1, (uint32_t)greatest + 1) : greatest >> draw(35, i, 1, 44);
        const uint32_t delta = i % 3 ? ALL_LEVELS : 1 + draw(35, i, 2, ALL_LEVELS);
        const wide limit = ((wide)sum * delta) >> 16;
        const wide border = ((limit << 32) + greatest - 1) / greatest - i % 5 / 4;
        const uint32_t word = border > UINT32_MAX ? UINT32_MAX : (uint32_t)border;

        assert_int_equal(som_is_active(sum, greatest, delta, word),
                         sum > 0 && ((wide)greatest * word) >> 32 < limit);
    }
    assert_false(som_is_active(0, 0, ALL_LEVELS, 0));
}

/* ---- variants against the oracle ---- */

#define FAR_APART                                                               \
    "width=200 height=200 g=100 co=20 rounds=6 crr=2 mnpc=4 sigma=1 alpha=0.5 " \
    "alpha_final=0.1 map=noise draws=11 "

#define IN_ONE_CELL "update=live co=1024 rounds=7 alpha=0.4 map=flat "

/* counts: columns and rows of neurons and of cells, updates, misses, left out. */
static const char *const settings[] = {
    /* all rings, fresh lists */
    "g=4 co=7 rounds=20 crr=1 sigma=6 map=noise draws=1",
    /* ties between neurons */
    "width=60 height=48 co=12 rounds=5 crr=1 sigma=2.5 alpha=0.5 alpha_final=0.1 map=flat "
    "draws=2",
    /* the same with 49 neurons a cell, 7 in a row: 8 places apart in a list are neighbours */
    "width=60 height=48 g=2 co=14 rounds=4 crr=1 sigma=1.5 alpha=0.5 alpha_final=0.1 map=flat "
    "draws=20",
    /* winners alone, which go all of the way to a pixel: ties in and between all rings */
    "width=60 height=48 g=8 co=2 rounds=30 ssr=-1 crr=1 sigma=0.9 sigma_final=0.9 alpha=1 "
    "alpha_final=1 map=flat draws=21",
    /* lists of one round only */
    "g=5 co=9 rounds=25 crr=1000 sigma=5 sigma_final=1 draws=3",
    /* of 32 rounds and more */
    "g=5 co=9 rounds=70 crr=1000 sigma=3 map=noise draws=12",
    "g=5 co=9 rounds=90 crr=45 sigma=3 map=noise draws=13",
    /* rows of a cell whose density nearly needs more than 32 bits, and does */
    "width=300 height=9 g=7 co=256 rounds=40 crr=2 sigma=2 map=flat draws=14",
    "width=300 height=9 g=7 co=300 rounds=40 crr=2 sigma=2 map=flat draws=15",
    /* own cell only */
    "g=4 co=6 rounds=30 ssr=0 crr=2 sigma=3 draws=4",
    /* one ring, lists too short */
    "g=4 co=17 rounds=20 ssr=1 crr=7 mnpc=2 delta=0.3 sigma=4 map=noise draws=5",
    /* one neuron a list */
    "width=53 height=59 g=7 co=23 rounds=30 ssr=3 crr=2 mnpc=1 sigma=6 sigma_final=1.2 "
    "alpha=0.4 alpha_final=0.1 map=noise draws=6",
    /* few bright pixels */
    "width=71 height=33 g=5 co=8 rounds=40 ssr=3 crr=7 map=sparse draws=7",
    /* a dim map */
    "g=5 co=6 rounds=30 ssr=3 crr=2 map=dim draws=8",
    /* a long seed, and ones behind which the next frame's is 0 */
    "width=47 height=61 co=5 ssr=1 crr=1 delta=0.3 sigma=4.5 draws=0xFEDCBA9876543210",
    "map=noise frames=2 draws=0xFFFFFFFFFFFFFFFF",
    "map=noise frames=3 draws=0xFFFFFFFFFFFFFFFF",
    /* two cells of the first round have the same word to be ordered by, and their pulls
     * overlap: the smaller one goes first */
    "width=128 height=128 g=8 co=2 rounds=1 crr=1 sigma=31 sigma_final=1 alpha=0.02 map=flat "
    "draws=119",
    /* more cells than a block sorts in shared memory, more rounds than blocks */
    "width=50 height=45 g=5 co=1 rounds=20 ssr=6 crr=5 sigma=2 map=sparse frames=2 draws=16",
    /* four neurons far apart: winners lie in every ring up to the last, and beyond it */
    FAR_APART "ssr=0",
    FAR_APART "ssr=1",
    FAR_APART "ssr=2",
    FAR_APART "ssr=4",
    FAR_APART "ssr=5",
    FAR_APART "ssr=-1",
    /* live updates of a single cell: nobody is at its side, so all must give the same bits,
     * whichever way they go over a neighbourhood, which here is less than the network, as
     * large, and larger on all sides; winners are all over the map */
    IN_ONE_CELL "g=5 sigma=2.5 draws=90",
    IN_ONE_CELL "g=6 sigma=5.5 draws=91 frames=2",
    IN_ONE_CELL "g=7 sigma=19.5 draws=92",
    /* one cell or pixel, no more rows of threads' than there are */
    "map=flat width=3 height=2 g=1 co=2 sigma=2.5 crr=1 frames=3",
    "map=flat width=3 height=2 g=1 co=2 sigma=2.5 crr=1",
    "map=flat width=1 height=1 g=1 co=1 frames=2",
    "map=noise rounds=40 crr=7 sigma=4.5 frames=2",
    "map=empty frames=2 counts=10,8,7,5,0,0,0",
    "map=flat width=1 height=1 g=1 co=1 counts=1,1,1,1,12,0,0",
    "map=flat co=1024 counts=10,8,1,1,12,0,0",
    "map=flat g=60 frames=2 counts=1,1,7,5,344,0,0",
    "map=flat height=1 g=1 co=7 counts=61,1,9,1,105,0,0",
    "map=flat width=1 height=61 g=1 co=7 counts=1,61,1,9,105,0,0",
    "map=flat width=17 height=13 g=4 co=1 counts=4,3,17,13,2652,0,0",
    /* cells without a neuron */
    "g=12 co=5 ssr=0 counts=5,4,13,10,44,107,0",
    /* all but one of each cell find no room, of one list and of four */
    "co=40 mnpc=1 crr=1000 counts=10,8,2,2,19,0,76",
    "co=40 mnpc=1 counts=10,8,2,2,19,0,307",
    /* a radius of 0 */
    "co=20 rounds=30 sigma=0.9 sigma_final=0.1 counts=10,8,4,3,99,0,0",
};

TEST(settings_by_hand)
{
    for (int i = 0; i < N_OF(settings); i++) {
        const struct run run = checked(new_input("%s", settings[i]));
        const struct som_input *const in = run.in;
        const struct som_counts *const counts = run.out.counts;
        char found[64], expected[64];

        sscanf(word("counts="), "%63s", expected);
        if (!strcmp(expected, "any"))
            continue;
        snprintf(found, sizeof found, "%d,%d,%d,%d,%d,%d,%d", in->grid_cols, in->grid_rows,
                 in->cell_cols, in->cell_rows, (int)counts->updates, (int)counts->misses,
                 (int)counts->left_out);
        assert_string_equal(found, expected);
    }
}

/* Any number of small settings; every fifth of a batch. */
TEST(random_settings)
{
    static const int ranges[] = {0, 1, 3, SOM_NO_BOUND}, rates[] = {1, 2, 7};
    static const int capacities[] = {1, 2, 1000};
    static const char *const maps[] = {"noise", "disc", "sparse", "dim", "flat"};

    for (uint32_t k = 0; k < (small ? 4u : 40u); k++) {
        const double sigma = between(50, k, 9, 0.5, 6.99);

        checked(new_input("frames=%d width=%d height=%d g=%d co=%d rounds=%d ssr=%d crr=%d "
                          "mnpc=%d delta=%g sigma=%.17g sigma_final=%.17g alpha=%.17g "
                          "alpha_final=%.17g map=%s draws=%llu",
                          1 + (k % 5 == 4), 20 + (int)draw(50, k, 0, 60),
                          20 + (int)draw(50, k, 1, 60), 4 + (int)draw(50, k, 2, 4),
                          5 + (int)draw(50, k, 3, 19), 3 + (int)draw(50, k, 4, 38),
                          ranges[draw(50, k, 5, 4)], rates[draw(50, k, 6, 3)],
                          capacities[draw(50, k, 7, 3)], draw(50, k, 8, 2) ? 1 : 0.3, sigma,
                          between(50, k, 10, 0.1, sigma), between(50, k, 11, 0.3, 1),
                          between(50, k, 12, 0.005, 0.3), maps[draw(50, k, 13, N_OF(maps))],
                          (unsigned long long)draw(50, k, 14, UINT32_MAX) << 17));
    }
}

/* A map that has a thread to itself has one order of live updates. */
TEST(live_batch_side_by_side)
{
    struct run expected;
    struct som_output found;

    if (gpu_only)
        skip();
    expected = expected_of(new_input("update=live map=noise rounds=40 crr=7 frames=3"));
    found = guarded_output(expected.in);
    assert_true(drive_words(bench_find_impl("som/openmp"), "", 2, expected.in, &found));
    assert_true(same(&expected.out, &found));
}

/* A neuron on the border of the next ring is as near as the best so far and has the smaller id,
 * so that ring must still be searched.  Neurons get to such places where pulls of the whole way
 * and of half of it take turns. */
TEST(a_tie_with_the_next_ring)
{
    struct som_input *const in =
        new_input("width=38 height=29 g=3 co=3 rounds=7 crr=1 sigma=0.9 sigma_final=0.9 "
                  "alpha=0.5 alpha_final=0.5 map=flat draws=68212");

    assert_int_equal(in->max_radius, 0);
    for (int round = 0; round < in->n_rounds; round++)
        in->rate[round] = round % 2 ? 0.5f : 1;
    checked(in);
}

/* ---- teams of a GPU ---- */

/* Runs gated variants: those with teams, with each of these words of keys, and all others if
 * wanted.  *n_run counts the teams; those for which a card has no room, or no means, are left
 * out. */
static struct run check_teams(struct som_input *in, const char *const *teams, int n_teams,
                              bool all_variants, int *n_run)
{
    const struct run expected = expected_of(in);

    *n_run = 0;
    for (int k = 0; bench_impls[k]; k++)
        for (int t = 0; is_gated(bench_impls[k]) && t < n_teams; t++) {
            const struct bench_impl *impl = bench_impls[k];
            struct bench_params params = params_for(in);
            const bool has_team = set_words(&params, impl->keys, teams[t]) > 0;

            if (!has_team && (t > 0 || !all_variants))
                break;
            assert_int_equal(bench_params_default(&params, impl->keys, "test"), BENCH_OK);
            *n_run += check_bits(impl, &params, 2, &expected) && has_team;
        }
    return expected;
}

/* True if this program has clusters here: by instructions of sm 90, from CUDA 12.1 on. */
static bool has_clusters(void)
{
    const struct bench_device_facts *facts = device ? bench_device_describe(device) : NULL;
    const char *built = bench_device_architectures();

    return facts && facts->cc_major == 9 && facts->runtime >= 12010 &&
           !strstr(built, "instructions of") && (strstr(built, "90") || strstr(built, "all"));
}

#define MANY_PULLS \
    "width=166 height=141 g=2 co=4 sigma=6 sigma_final=1 alpha_final=0.5 draws=5 "

/*
 * Blocks.  24 000 neurons: on a card with 227 KiB of shared memory for a block the mesh has
 * room there, with its lists it has not.  20 x 19 tiles: a warp has one of each of two rows at
 * a time, or five.  A cell has 400 neurons to begin with.  Then more pulls in a round than the
 * words of a warp have bits for (1024), on tiles of which some stick out of the mesh: 11 x 9,
 * of which a warp has one of each of two rows at a time, or four, three at the end of a row,
 * and one row has no other.
 *
 * Clusters and grids, whose blocks have unequal shares, or none: of a mesh of an odd number of
 * neurons (83 x 71, more than a cluster's threads keep of), with more pulls than a grid's block
 * looks at together, on a tile more ranges than a warp has lanes; and of a mesh of three.
 */
TEST(teams_of_all_sizes)
{
    enum { AUTO, BLOCK_256, BLOCK_512, OTHERS };
#define TEAM(kind, blocks, threads) \
    "team=" #kind " team_blocks=" #blocks " team_threads=" #threads
    static const char *const teams[] = {
        TEAM(block, 0, auto),  TEAM(block, 0, 256),    TEAM(block, 0, 512),
        TEAM(cluster, 1, 512), TEAM(cluster, 2, 256),  TEAM(cluster, 3, 512),
        TEAM(cluster, 7, 256), TEAM(cluster, 15, 512), TEAM(cluster, 16, 512),
        TEAM(grid, 1, 256),    TEAM(grid, 2, 256),     TEAM(grid, 3, 512),
        TEAM(grid, 17, 768),   TEAM(grid, 5, 1024)};
    static const struct {
        const char *words;
        int first, n_teams, n_neurons, has_left_out, has_many;
        /* teams there must be, with blocks on a card of at least this compute capability: from
         * 8 on a block has 99 KiB at least, from 9 on 227 */
        int least_cc;
    } cases[] = {
        {"width=160 height=150 g=1 co=20 rounds=3 ssr=1 crr=2 mnpc=395 sigma=3 sigma_final=1 "
         "alpha_final=0.5 map=noise draws=5",
         AUTO, 2, 24000, 1, 0, 9},
        {MANY_PULLS "rounds=4 ssr=3 crr=2 mnpc=100 map=flat frames=2", BLOCK_256, 2, 83 * 71, 0,
         1, 8},
        {MANY_PULLS "rounds=4 ssr=3 crr=2 mnpc=100 map=sparse", BLOCK_256, 2, 83 * 71, 0, 0, 8},
        {MANY_PULLS "rounds=5 ssr=9 crr=2 mnpc=6 map=flat frames=2", OTHERS, 11, 83 * 71, 1, 1,
         0},
        {MANY_PULLS "rounds=5 ssr=9 crr=1 mnpc=100 map=sparse", OTHERS, 11, 83 * 71, 0, 0, 99},
        {"width=6 height=2 g=2 co=4 rounds=5 ssr=9 crr=1 mnpc=100 sigma=6 sigma_final=1 "
         "alpha_final=0.5 map=noise draws=5 frames=3",
         OTHERS, 11, 3, 0, 0, 0}};

    for (int i = 0; i < N_OF(cases); i++) {
        const int is_large =
            device && bench_device_describe(device)->cc_major >= cases[i].least_cc;
        int n_run;
        const struct run run = check_teams(
            new_input("%s%s", cases[i].words, small ? " frames=1 rounds=2 crr=1" : ""),
            &teams[cases[i].first], cases[i].n_teams, cases[i].first == OTHERS, &n_run);
        const struct som_counts *const counts = &run.out.counts[0];

        assert_true(n_run >= (!is_large                                    ? 0
                              : cases[i].first == OTHERS && has_clusters() ? 6
                                                                           : 1));
        assert_int_equal(run.out.n_neurons, cases[i].n_neurons);
        assert_int_equal(counts->left_out > 0, cases[i].has_left_out);
        assert_true(counts->updates > (uint64_t)(cases[i].has_many * run.in->n_rounds * 1024));
    }
}

/* ---- what the harness asks the problem ---- */

/* Judges a mesh; 'wrong': a part of what is said, NULL: nothing is wrong. */
static struct bench_difference assert_judged(const struct run *reference,
                                             const struct som_output *out, const char *wrong)
{
    const struct bench_params params = params_for(reference->in);
    struct bench_difference d = {0};

    som_problem.compare(&params, reference->in, &reference->out, out, &d);
    if ((d.n_wrong > 0) != (wrong != NULL) || (d.where[0] != '\0') != (wrong != NULL) ||
        (wrong && !strstr(d.where, wrong)))
        fail_msg("%zu wrong: '%s', expected '%s'", d.n_wrong, d.where, wrong ? wrong : "none");
    return d;
}

TEST(compare_catches_what_is_wrong)
{
    const struct bench_params snapshot = params_of("update=snapshot");
    const struct run run = expected_of(new_input("frames=2"));
    struct som_output wrong = guarded_output(run.in);
    const size_t n_values = position_bytes(&wrong) / sizeof(float);
    const size_t places[] = {0, n_values / 2, n_values - 1};

    assert_int_equal(som_problem.match(&snapshot), BENCH_EXACT);
    copy_output(&som_problem, &wrong, &run.out);
    assert_judged(&run, &wrong, NULL);
    for (int i = 0; i < 5 * N_OF(places); i++) {
        float *const value = &wrong.position[places[i / 5]];
        uint32_t bits, changed;

        memcpy(&bits, value, sizeof bits);
        /* the last bits, the sign, no number, infinity */
        changed = (const uint32_t[]){bits ^ 1, bits ^ 2, bits ^ 0x80000000, 0x7FC00000,
                                     0x7F800000}[i % 5];
        memcpy(value, &changed, sizeof changed);
        assert_judged(&run, &wrong, "");
        memcpy(value, &bits, sizeof bits);
    }
    for (int k = 0; k < 12; k++) { /* three counts of two maps, one more or less of each */
        uint64_t *const count = (uint64_t *)wrong.counts + k / 2;
        const uint64_t one = k % 2 ? 1 : UINT64_MAX;

        *count += one;
        assert_judged(&run, &wrong, "");
        *count -= one;
    }
    assert_judged(&run, &wrong, NULL);
}

static struct plane patterned_plane(const char *name, int width, int height)
{
    const struct plane plane = new_plane(name, width, height);

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
static struct som_input *made_of(const char *words, const struct plane *a,
                                 const struct plane *b, const char *expected)
{
    const struct bench_params params = params_of(words);
    const struct plane *const planes[] = {a, b};
    const struct som_input *in;
    char found[256];
    void *input;

    assert_int_equal(som_problem.make_input(&params, planes, 2, &input), BENCH_OK);
    in = input;
    check_tables(in);
    snprintf(
        found, sizeof found,
        "%d of %dx%d, neurons %dx%d, cells %dx%d of %d, %d rounds, ssr %d, crr %d, mnpc %d, "
        "update %d, delta %u, seed %llu, radius %d",
        in->n_frames, in->width, in->height, in->grid_cols, in->grid_rows, in->cell_cols,
        in->cell_rows, in->cell_size, in->n_rounds, in->search_range, in->refresh_rate,
        in->cell_capacity, in->update, in->delta_q16, (unsigned long long)in->seed,
        in->radius[0]);
    assert_string_equal(found, expected);
    return keep(input, som_problem.free_input);
}

TEST(input_from_planes)
{
    const struct bench_params params = params_of("");
    struct plane a = patterned_plane("first", 71, 53), b = patterned_plane("second", 71, 53);
    struct plane c = patterned_plane("third", 71, 54);
    const struct plane wide_one = {.width = SOM_MAX_SIDE + 1, .height = 1};
    const struct plane *const wrong[3][2] = {{&a, &c}, {NULL}, {&wide_one}};
    static const char *const says[] = {"third", "at least one frame",
                                       "at most 8192 x 8192 px, found 8193 x 1"};
    struct som_input *in;
    void *input;

    a.grey_per_px = 3;
    a.threshold = 20;
    b.grey_per_px = 0;

    /* each map's own scale and threshold; 2 and 0 where it has none */
    in = made_of("", &a, &b,
                 "2 of 71x53, neurons 12x9, cells 4x3 of 20, 1500 rounds, ssr 4, crr 20, "
                 "mnpc 2000, update 0, delta 65536, seed 1, radius 24");
    check_levels(in, 0, &a, 3, 1, 20);
    check_levels(in, 1, &b, 2, 1, 0);
    assert_true(in->grey_per_px[0] == 3 && in->grey_per_px[1] == 2);

    in = made_of("grey=2.5 threshold=0 g=4 co=7 rounds=9 ssr=-1 crr=3 mnpc=5 delta=0.5 "
                 "seed=2147483647 sigma=5.5 sigma_final=0.5 alpha=0.5 alpha_final=0.25 "
                 "update=live",
                 &a, &b,
                 "2 of 71x53, neurons 18x13, cells 11x8 of 7, 9 rounds, ssr -1, crr 3, mnpc 5, "
                 "update 1, delta 32768, seed 2147483647, radius 5");
    check_levels(in, 0, &a, 5, 2, 0);
    check_levels(in, 1, &b, 5, 2, 0);
    assert_true(in->rate[0] == 0.5f);
    assert_true(fabs((double)in->rate[6 * 8] - 0.5 * pow(0.5, 8 / 9.0)) < 1e-7);

    /* as in the paper's table 2: half a neuron is one, and so is what is left for a cell */
    in = made_of("width=450 height=375", &a, &c,
                 "2 of 450x375, neurons 75x63, cells 23x19 of 20, 1500 rounds, ssr 4, crr 20, "
                 "mnpc 2000, update 0, delta 65536, seed 1, radius 24");
    assert_int_equal(in->grey[0], 0); /* its nearest pixel has no disparity */

    for (int i = 0; i < 3; i++) {
        assert_int_equal(som_problem.make_input(&params, wrong[i], i ? i - 1 : 2, &input),
                         BENCH_EINPUT);
        assert_null(input);
        assert_non_null(strstr(bench_failure(), says[i]));
    }
    som_problem.free_input(NULL);
    som_problem.free_output(NULL);
}

/* A hash of an input must tell inputs apart whose outputs differ. */
TEST(blocks_hold_all_that_matters)
{
    struct som_input *const in = new_input("frames=2");
    const void *const places[] = {
        &in->update,        &in->search_range, &in->refresh_rate,
        &in->cell_capacity, &in->delta_q16,    (char *)&in->seed + 5,
        in->radius,         in->rate,          &in->grey[2 * som_n_pixels(in) - 1]};
    void *made;

    for (int k = 0; k < N_OF(places); k++)
        if (!is_in_blocks(&som_problem, in, places[k]))
            fail_msg("place %d of the input is not in its blocks", k);
    assert_int_equal(som_problem.n_frames(in), 2);
    assert_int_equal(som_problem.make_output(in, &made), BENCH_OK);
    assert_int_equal(
        output_bytes(&som_problem, keep(made, som_problem.free_output)),
        2 * (2 * sizeof(float) * (size_t)som_n_neurons(in) + sizeof(struct som_counts)));
}

/* ---- update = live, and the counterpart of one step at a time ---- */

/* A map and a schedule under which a mesh has time to follow. */
#define SMOOTH "width=120 height=96 g=4 co=8 rounds=120 crr=2 sigma=6 alpha=0.5 draws=5"

/* True if a mesh costs much less than the regular network, and is hardly folded. */
static bool has_followed(const struct som_input *in, const struct som_output *out)
{
    struct som_quality quality, regular;

    assert_int_equal(som_quality_of(in, 0, out->position, &quality), BENCH_OK);
    assert_int_equal(som_quality_of(in, 0, NULL, &regular), BENCH_OK);
    assert_int_equal(regular.n_folded, 0);
    assert_true(quality.n_triangles > 100);
    return quality.cost_pct < 0.6 * regular.cost_pct &&
           quality.n_folded * 100 <= quality.n_triangles;
}

/* Live meshes are compared by their costs and folds: wrong is one that has not moved, has left
 * the map or shrunk, or has a position that is no number; outside is one that is folded; one
 * that is merely another is neither. */
TEST(compare_of_live_meshes)
{
    /* shares of the way from a place, or from where a neuron began; the last one costs 6 points
     * and folds none */
    static const struct {
        float share, x, y; /* x < 0: where it began */
        const char *wrong;
    } blends[] = {{0.01F, 0, 0, "the network began with"},
                  {0.4F, 60, 48, "of the density"}, /* costs less than at the start */
                  {0, -1, -1, "the network began with"},
                  {0.9F, -1, -1, NULL}};
    static const float beyond[] = {-0.01F, -0.01F, 120.01F, 96.01F};
    const struct bench_params live = params_of("update=live");
    struct run run, better;
    struct som_output other;
    float *right, *position; /* of the second map: each is looked at */

    if (small)
        skip();
    assert_int_equal(som_problem.match(&live), BENCH_STATISTICAL);
    assert_false(som_problem.repeatable(&live));
    run = expected_of(new_input(SMOOTH " frames=2"));
    right = som_position(&run.out, 1);
    other = guarded_output(run.in);
    oracle_run(run.in, &other, 1);
    run.in->update = SOM_LIVE; /* which decides how it is judged */
    assert_false(same(&run.out, &other));
    assert_int_equal(assert_judged(&run, &other, NULL).n_outside, 0);

    copy_output(&som_problem, &other, &run.out);
    position = som_position(&other, 1);
    other.counts[1].misses++;
    assert_judged(&run, &other, "cells had a point");
    other.counts[1].misses--;
    position[7] = NAN;
    assert_judged(&run, &other, "neuron (3, 0)");
    for (int k = 0; k < 4; k++) { /* one neuron, a little beyond each border */
        copy_output(&som_problem, &other, &run.out);
        position[2 * 3 + k % 2] = beyond[k];
        assert_judged(&run, &other, "beyond the map");
    }
    copy_output(&som_problem, &other, &run.out);
    for (int k = 0; k + 1 < other.n_neurons; k += 3) { /* with the next one: folded */
        memcpy(&position[2 * k], &right[2 * k + 2], 2 * sizeof *right);
        memcpy(&position[2 * k + 2], &right[2 * k], 2 * sizeof *right);
    }
    assert_int_equal(assert_judged(&run, &other, NULL).n_outside, 1);
    for (int i = 0; i < N_OF(blends); i++) {
        struct bench_difference d;

        som_first_positions(run.in, position);
        for (int k = 0; k < 2 * other.n_neurons; k++) {
            if (blends[i].x >= 0)
                position[k] = k % 2 ? blends[i].y : blends[i].x;
            position[k] += blends[i].share * (right[k] - position[k]);
        }
        d = assert_judged(&run, &other, blends[i].wrong);
        assert_true(blends[i].wrong || (d.n_compared == 2 && d.n_outside == 1));
    }
    better = (struct run){run.in, other}; /* than which so much better is fine */
    assert_int_equal(assert_judged(&better, &run.out, NULL).n_outside, 0);
}

/*
 * Live updates of many cells at once, all of which pull all neurons: none of their pulls may be
 * lost, but by exchanges.
 *
 * The cells are a row (a column) of which each has one dense pixel, at the same height.  So in
 * every round each of them pulls a neuron by the same share of what is left of its way to that
 * height, in whatever order: how much is left says how many pulls there were.  One neuron is
 * enough where threads are sure to be at it together.  Of more, as many as there are cells,
 * threads that meet by chance are seldom at another.
 */
#define ROW_OF_CELLS 64

static struct som_input *row_of_cells(int axis, int seed, int one_neuron)
{
    enum { SIDE = 16, LENGTH = SIDE * ROW_OF_CELLS };
    struct som_input *const in =
        new_input("update=live map=empty width=%d height=%d g=%d co=%d rounds=4 sigma=%g "
                  "sigma_final=0.5 draws=%d",
                  axis ? LENGTH : SIDE, axis ? SIDE : LENGTH, one_neuron ? 2 * LENGTH : SIDE,
                  SIDE, one_neuron ? 0.5 : SOM_MAX_SIGMA, seed);

    assert_int_equal(som_n_neurons(in), one_neuron ? 1 : ROW_OF_CELLS);
    for (int i = 0; i < in->n_rounds * (in->max_radius + 1); i++) {
        in->radius[i / (in->max_radius + 1)] = in->max_radius;
        in->rate[i] = 0.02F; /* however far; after all pulls 0.0057 of the way is left */
    }
    for (int cell = 0; cell < ROW_OF_CELLS; cell++) {
        const int along = SIDE * cell + (int)draw((uint64_t)seed, (uint32_t)cell, 8, SIDE);

        in->grey[axis ? 2 * LENGTH + along : SIDE * along + 2] = 200;
    }
    return in;
}

/* While 'on', threads are interrupted at any instruction and others run: also on one processor,
 * and on a busy machine. */
static void interrupt(int signal)
{
    (void)signal;
    nanosleep(&(struct timespec){0, 1}, NULL);
}

static void interrupt_threads(int on)
{
    const struct sigaction action = {.sa_handler = on ? interrupt : SIG_IGN,
                                     .sa_flags = SA_RESTART};
    const struct timeval between = {0, on ? 500 : 0};

    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &(struct itimerval){between, between}, NULL), 0);
}

TEST(no_live_pull_is_lost)
{
    const int all = 4 * ROW_OF_CELLS;
    int n_lost = 0, n_exchanged = 0;

    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];
        const int on_device = impl->target == BENCH_CUDA,
                  in_teams = impl->target == BENCH_OPENMP;
        struct bench_params params = params_of("update=live");
        const int n_rounds = is_gated(impl) ? combine_keys(impl, 0, &params) : 0;

        for (int i = 0; i < n_rounds * (in_teams ? 100 : 2); i++) {
            const int axis = i % 2;
            struct som_input *in = row_of_cells(axis, i / 2, on_device);
            struct som_output out = guarded_output(in);
            float first[2 * ROW_OF_CELLS];
            char text[512];
            int ran;

            params = params_of("update=live");
            combine_keys(impl, i % n_rounds, &params);
            if (on_device) /* blocks of an emulated card run one after another */
                set_words(&params, impl->keys, axis ? "block_threads=64" : "block_threads=32");
            interrupt_threads(in_teams);
            ran = drive(impl, &params, in_teams ? 4 : 1, in, &out);
            interrupt_threads(0);
            bench_params_text(&params, text, sizeof text);
            som_first_positions(in, first);
            for (int id = axis; ran && id < 2 * som_n_neurons(in); id += 2) {
                const double left =
                    ((double)out.position[id] - 2.5) / ((double)first[id] - 2.5);
                const double n = log(left) / log(1 - (double)in->rate[0]); /* pulls */
                const int may_lose = strstr(text, "atomics=exch") != NULL;

                assert_int_equal(out.counts[0].updates, all);
                if (!(n < all + 0.5 && n > (may_lose ? 3.5 : all - 0.5)))
                    fail_msg("%s (%s): %.2f pulls of %d have come", impl->name, text, n, all);
                n_exchanged += may_lose;
                n_lost += n < all - 0.5;
            }
        }
    }
    /* were no pull lost by exchanges, the cells would not have been at it together, and the
     * others proved nothing */
    assert_true(n_exchanged == 0 || n_lost > 0);
}

/* On one thread the cells' orders are the only ones: the first is that of the words, in which
 * the oracle goes too.  Another order is another mesh of the same points; what is drawn depends
 * on no mesh. */
TEST(live_on_one_thread)
{
    static const char *const orders[] = {"cell_order=0", "cell_order=1", "cell_order=2"};
    struct som_output out[4];
    struct run live;

    if (gpu_only || small)
        skip();
    live = expected_of(new_input(SMOOTH " update=live"));
    for (int k = 0; k < 4; k++)
        out[k] = guarded_output(live.in);
    oracle_run(live.in, &out[3], 0);
    for (int is_snapshot = 0; is_snapshot < 2; is_snapshot++) {
        live.in->update = is_snapshot ? SOM_SNAPSHOT : SOM_LIVE;
        for (int k = 0; k < 3; k++)
            assert_int_equal(
                drive_words(bench_find_impl("som/rounds"), orders[k], 1, live.in, &out[k]),
                !is_snapshot || k == 0);
        assert_true(same(is_snapshot ? &out[3] : &live.out, &out[0]));
        for (int k = 0; k < 4 && !is_snapshot; k++) {
            const struct som_counts *const counts = out[k].counts;

            for (int i = 0; i < k; i++)
                assert_false(same(&out[i], &out[k]));
            assert_int_equal(counts->updates + counts->misses,
                             live.out.counts[0].updates + live.out.counts[0].misses);
            assert_true(k == 1 || k == 2 || has_followed(live.in, &out[k]));
        }
    }
}

/* som/serial by its definition where the nearest of all neurons wins: of two cells, whose lists
 * are a step old at most, or of many with old ones, all of which are visited. */
static void oracle_of_steps(const struct som_input *in, int frame, double *at)
{
    const int n_neurons = som_n_neurons(in), n = in->n_rounds * som_n_cells(in);
    const uint64_t total = som_sum_density(in, frame, NULL);
    const uint8_t *const grey = som_grey(in, frame);

    for (int t = 0; t < n && total > 0; t++) {
        const struct bench_words r =
            bench_philox(in->seed + (uint64_t)frame, (uint32_t)t, 0, UINT32_MAX, 0);
        const uint64_t bits = (uint64_t)r.word[0] << 32 | r.word[1];
        const uint64_t wanted = (uint64_t)(((wide)total * bits) >> 64);
        const double part = (double)t / n;
        const double sigma = in->sigma[0] * pow(in->sigma[1] / in->sigma[0], part);
        const double alpha = in->alpha[0] * pow(in->alpha[1] / in->alpha[0], part);
        uint64_t sum = 0;
        size_t pixel = 0;
        double x, y, least = 1e30;
        int best = 0;

        /* the first up to which there is more */
        while ((sum += som_density(grey[pixel])) <= wanted)
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

/* Maps of few grey levels, so that shares of the density meet those of pixels, and an empty
 * one; positions to a thousandth of a pixel, since rates and sums are rounded otherwise.
 * som/grid is the network that they begin with. */
TEST(steps_by_definition)
{
    if (gpu_only)
        skip();
    for (uint32_t seed = 0; seed < 6; seed++) {
        struct som_input *const in = new_input("width=40 height=32 g=4 co=32 rounds=100 crr=1 "
                                               "sigma=4.5 alpha=0.6 alpha_final=0.02 frames=3 "
                                               "draws=%u",
                                               seed);
        struct som_output grid, out;
        float first[2 * 10 * 8];

        assert_int_equal(2 * som_n_neurons(in), N_OF(first));
        in->update = seed % 2 ? SOM_LIVE : SOM_SNAPSHOT; /* has no meaning here */
        som_first_positions(in, first);
        for (size_t i = 0; i < 3 * som_n_pixels(in); i++)
            in->grey[i] = i / som_n_pixels(in) != 1 && draw(seed, (uint32_t)i, 9, 40) == 0
                              ? (uint8_t)(1 + seed / 2)
                              : 0;
        out = output_of("som/serial", "", in);
        grid = output_of("som/grid", "", in);
        for (int f = 0; f < 3; f++) {
            const struct som_counts none = {0};
            double at[N_OF(first)];

            assert_memory_equal(som_position(&grid, f), first, sizeof first);
            assert_memory_equal(&grid.counts[f], &none, sizeof none);
            for (int k = 0; k < N_OF(at); k++)
                at[k] = (double)first[k];
            oracle_of_steps(in, f, at);
            assert_int_equal(out.counts[f].updates, f == 1 ? 0 : 200);
            for (int k = 0; k < N_OF(at); k++)
                if (fabs((double)som_position(&out, f)[k] - at[k]) > 1e-3)
                    fail_msg("seed %u, frame %d, neuron %d: %g, expected %g", seed, f, k / 2,
                             (double)som_position(&out, f)[k], at[k]);
        }
    }
}

int main(void)
{
    return run_variant_tests();
}
