/*
 * test_rdp.c - every variant of rdp against a definition written down once more, and the problem's own functions
 *
 * The oracle below shares nothing with the implementations: it recurses, and takes distances from a cross product in 128
 * bits, x in the unit of y.  The cases are run by all variants that the registry lists.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"
#include "harness/base/random.h"
#include "harness/inputs/plane.h"
#include "tests/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X           RDP_INVALID
#define PX          256 /* one pixel of disparity */
#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

__extension__ typedef __int128 wide;

/* ---- the oracle ---- */

enum fault {
    FAULT_NONE,
    FAULT_LAST_ROW,    /* the loop over a segment ends one row early */
    FAULT_LAST_COLUMN, /* the loop over the columns ends one column early */
    FAULT_AT_LEAST,    /* >= eps instead of > eps */
    FAULT_LAST_TIE,    /* the greatest index among equals */
    FAULT_INVALID      /* invalid rows take part as ordinary values */
};

struct oracle {
    const uint16_t *y;
    wide eps;
    int perpendicular;
    enum fault fault;
    uint32_t *kept;
    int n_kept, deepest;
};

static void oracle_keep(struct oracle *o, int row)
{
    o->kept[row / 32] |= UINT32_C(1) << (row % 32);
    o->n_kept++;
}

static void oracle_divide(struct oracle *o, int f, int l, int depth)
{
    const wide dx = (wide)PX * (l - f), dy = (wide)o->y[l] - o->y[f];
    const int end = o->fault == FAULT_LAST_ROW ? l - 1 : l;
    wide greatest = -1, limit, size;
    int m = -1;

    for (int i = f + 1; i < end; i++) {
        wide cross = dx * ((wide)o->y[f] - o->y[i]) + (wide)PX * (i - f) * dy;

        if (o->y[i] == RDP_INVALID && o->fault != FAULT_INVALID)
            continue;
        if (cross < 0)
            cross = -cross;
        if (cross > greatest || (cross == greatest && o->fault == FAULT_LAST_TIE)) {
            greatest = cross;
            m = i;
        }
    }
    if (m < 0)
        return;
    /* vertical: cross / dx > eps; perpendicular: cross / sqrt(dx^2 + dy^2) > eps, both sides squared */
    size = o->perpendicular ? greatest * greatest : greatest;
    limit = o->perpendicular ? o->eps * o->eps * (dx * dx + dy * dy) : o->eps * dx;
    if (size < limit || (size == limit && o->fault != FAULT_AT_LEAST))
        return;
    oracle_keep(o, m);
    if (depth > o->deepest)
        o->deepest = depth;
    oracle_divide(o, f, m, depth + 1);
    oracle_divide(o, m, l, depth + 1);
}

static void oracle_column(const struct rdp_input *in, size_t c, struct rdp_output *out,
                          enum fault fault)
{
    const size_t n_words = (size_t)rdp_n_words(in->n_rows);
    struct oracle o = {.y = in->y + c * (size_t)in->n_rows,
                       .eps = in->epsilon_q8,
                       .perpendicular = in->distance == RDP_PERPENDICULAR,
                       .fault = fault,
                       .kept = out->kept + c * n_words};
    int f = -1, l = -1;

    memset(o.kept, 0, n_words * sizeof *o.kept);
    for (int v = 0; v < in->n_rows; v++)
        if (o.y[v] != RDP_INVALID) {
            l = v;
            if (f < 0)
                f = v;
        }
    if (l > f) {
        oracle_keep(&o, f);
        oracle_keep(&o, l);
        oracle_divide(&o, f, l, 1);
    }
    out->segments[c] = o.n_kept > 0 ? o.n_kept - 1 : 0;
    out->rounds[c] = 1 + o.deepest;
}

static void oracle_run(const struct rdp_input *in, struct rdp_output *out, enum fault fault)
{
    const size_t n = (size_t)in->n_frames * (size_t)in->n_cols;

    for (size_t c = 0; c < n - (fault == FAULT_LAST_COLUMN); c++)
        oracle_column(in, c, out, fault);
}

/* ---- outputs with a guard behind each array ---- */

static size_t n_columns_of(const struct rdp_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_cols;
}

static size_t kept_bytes(const struct rdp_output *out)
{
    return n_columns_of(out) * (size_t)rdp_n_words(out->n_rows) * sizeof(uint32_t);
}

static struct rdp_output guarded_output(const struct rdp_input *in)
{
    struct rdp_output out = {
        .n_frames = in->n_frames, .n_cols = in->n_cols, .n_rows = in->n_rows};

    out.kept = guarded(kept_bytes(&out));
    out.segments = guarded(n_columns_of(&out) * sizeof(int32_t));
    out.rounds = guarded(n_columns_of(&out) * sizeof(int32_t));
    return out;
}

/* ---- driving a variant ---- */

static struct bench_device *device; /* NULL: no card, its variants are left out */
static int gpu_only, small;         /* environment: for runs under compute-sanitizer */
static int n_cells_run, n_cells_skipped, n_device_runs, n_not_theirs;

/* 0: the variant was not run. */
static int drive(const struct bench_impl *impl, const struct bench_params *params,
                 int n_threads, const struct rdp_input *in, struct rdp_output *out)
{
    struct rdp_output once = guarded_output(in);
    const int ran = drive_twice(impl, params, n_threads, device, in, out, &once);

    release_output(&rdp_problem, &once);
    n_not_theirs += !ran;
    n_device_runs += ran && impl->target == BENCH_CUDA;
    return ran;
}

static const char *const cutoffs[] = {"2", "64", "16384"};

/* The round-th combination of a variant's keys; returns how many combinations there are. */
static int combination(const struct bench_impl *impl, int round, struct bench_params *params)
{
    int n = impl->target == BENCH_OPENMP ? 3 : 1;

    params->n = 0;
    for (const struct bench_key *key = impl->keys; key && key->name; key++) {
        char word[32];

        if (!strcmp(key->name, "cutoff"))
            assert_int_equal(bench_params_set(params, key, cutoffs[round % 3], "test"), 0);
        if (!strcmp(key->name, "chunk"))
            assert_int_equal(bench_params_set(params, key, round ? "1" : "8", "test"), 0);
        if (key->kind == BENCH_WORD && key->choices) {
            const int n_words = choice(key->choices, round / n, word, sizeof word);

            assert_int_equal(bench_params_set(params, key, word, "test"), 0);
            n *= n_words;
        }
    }
    assert_int_equal(bench_params_default(params, impl->keys, "test"), BENCH_OK);
    return n;
}

/* One variant, in all combinations of its keys, against the oracle's output. */
static void check_variant(const char *what, const struct bench_impl *impl,
                          const struct rdp_input *in, const struct rdp_output *expected,
                          struct rdp_output *found)
{
    struct bench_params params;
    const int n_rounds = combination(impl, 0, &params);

    /* under a sanitizer a handful of the combinations, others for each input */
    const int step = small && n_rounds > 6 ? n_rounds / 5 : 1;

    for (int round = small ? n_cells_run % step : 0; round < n_rounds; round += step) {
        struct bench_difference difference = {0};
        const int n_threads = impl->target == BENCH_OPENMP ? 1 + round % 3 : 1;

        combination(impl, round, &params);
        if (!drive(impl, &params, n_threads, in, found))
            continue;
        n_cells_run++;
        rdp_problem.compare(&params, in, expected, found, &difference);
        if (difference.n_wrong != 0) {
            char text[256];

            bench_params_text(&params, text, sizeof text);
            fail_msg("%s (%s), %d threads, %s: %zu wrong, first %s", impl->name, text,
                     n_threads, what, difference.n_wrong, difference.where);
        }
        assert_memory_equal(expected->kept, found->kept, kept_bytes(expected));
        check_guards(&rdp_problem, impl->name, found);
    }
}

/* The tests fill y; a variant that transposes by itself reads the image. */
static void fill_image(const struct rdp_input *in)
{
    for (int k = 0; k < in->n_frames; k++)
        for (int u = 0; u < in->n_cols; u++)
            for (int v = 0; v < in->n_rows; v++)
                in->image[((size_t)k * (size_t)in->n_rows + (size_t)v) * (size_t)in->n_cols +
                          (size_t)u] =
                    in->y[((size_t)k * (size_t)in->n_cols + (size_t)u) * (size_t)in->n_rows +
                          (size_t)v];
}

/* A sanitizer slows a kernel down a hundredfold: a few inputs of each size of column. */
static int too_much(const struct rdp_input *in)
{
    static int n_seen[16];
    int size = 0;

    while (in->n_rows >> size)
        size++;
    if ((size_t)in->n_cols * (size_t)in->n_rows > 8192 || size > 12)
        return 1;
    return n_seen[size]++ >= 3;
}

/* All variants on 'in' against the oracle. */
static void check_input(const char *what, const struct rdp_input *in)
{
    struct rdp_output expected, found;

    if (small && too_much(in))
        return;
    expected = guarded_output(in);
    found = guarded_output(in);
    oracle_run(in, &expected, FAULT_NONE);
    check_guards(&rdp_problem, "the oracle", &expected);
    fill_image(in);
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];

        if (impl->problem != &rdp_problem || (gpu_only && impl->target != BENCH_CUDA))
            continue;
        if (impl->target == BENCH_CUDA && !device)
            n_cells_skipped++;
        else
            check_variant(what, impl, in, &expected, &found);
    }
    release_output(&rdp_problem, &expected);
    release_output(&rdp_problem, &found);
}

static struct rdp_input *new_input(int n_frames, int n_cols, int n_rows, uint32_t epsilon_q8,
                                   enum rdp_distance distance)
{
    struct rdp_input *in;

    assert_int_equal(rdp_input_new(n_frames, n_cols, n_rows, &in), BENCH_OK);
    in->epsilon_q8 = epsilon_q8;
    in->distance = distance;
    return in;
}

/* y [n_cols][n_rows] under both distances. */
static void check_columns(const char *what, const uint16_t *y, int n_cols, int n_rows,
                          uint32_t epsilon_q8)
{
    for (int distance = RDP_VERTICAL; distance <= RDP_PERPENDICULAR; distance++) {
        struct rdp_input *in =
            new_input(1, n_cols, n_rows, epsilon_q8, (enum rdp_distance)distance);

        memcpy(in->y, y, (size_t)n_cols * (size_t)n_rows * sizeof *y);
        check_input(what, in);
        rdp_input_free(in);
    }
}

/* ---- cases by hand: the oracle and the variants must both give these rows ---- */

struct hand_case {
    const char *name;
    enum rdp_distance distance;
    uint32_t epsilon_q8;
    int n_rows;
    uint16_t y[12];
    uint32_t kept;
    int rounds;
};

static const struct hand_case hand_cases[] = {
    {"a point farther than eps is kept", RDP_VERTICAL, 255, 5, {0, 0, 256, 0, 0}, 0x15, 2},
    {"distance equal to eps is dropped", RDP_VERTICAL, 256, 5, {0, 0, 256, 0, 0}, 0x11, 1},
    {"equal to eps on a sloped chord", RDP_VERTICAL, 100, 5, {0, 10, 120, 30, 40}, 0x11, 1},
    {"one more on a sloped chord", RDP_VERTICAL, 99, 5, {0, 10, 120, 30, 40}, 0x15, 2},
    {"eps 0 keeps what is off the chord", RDP_VERTICAL, 0, 5, {0, 0, 1, 0, 0}, 0x1F, 3},
    {"eps 0 keeps nothing on the chord", RDP_VERTICAL, 0, 5, {0, 3, 6, 9, 12}, 0x11, 1},
    {"the smaller row among equals", RDP_VERTICAL, 256, 6, {0, 512, 0, 0, 512, 0}, 0x37, 4},
    {"a tie above and below the chord",
     RDP_VERTICAL,
     300,
     5,
     {999, 699, 1299, 1299, 999},
     0x11,
     1},
    {"that tie, divided at its first row",
     RDP_VERTICAL,
     299,
     5,
     {999, 699, 1299, 1299, 999},
     0x17,
     3},
    {"eps of the full range cuts nothing",
     RDP_VERTICAL,
     RDP_MAX_EPSILON,
     3,
     {0, 65534, 0},
     0x5,
     1},
    {"just below the full range", RDP_VERTICAL, 65533, 3, {0, 65534, 0}, 0x7, 2},
    {"invalid ends", RDP_VERTICAL, 256, 8, {X, X, 0, 999, 0, X, 0, X}, 0x5C, 3},
    {"an invalid row inside costs nothing", RDP_VERTICAL, 0, 5, {7, X, 7, X, 7}, 0x11, 1},
    {"all invalid", RDP_VERTICAL, 256, 5, {X, X, X, X, X}, 0, 1},
    {"one valid row", RDP_VERTICAL, 0, 5, {X, X, 9, X, X}, 0, 1},
    {"two valid rows", RDP_VERTICAL, 0, 5, {X, 3, X, 9, X}, 0x0A, 1},
    {"height 1", RDP_VERTICAL, 0, 1, {5}, 0, 1},
    {"height 1, invalid", RDP_VERTICAL, 0, 1, {X}, 0, 1},
    {"height 2", RDP_VERTICAL, 0, 2, {0, 65534}, 0x3, 1},
    {"height 3", RDP_VERTICAL, 0, 3, {0, 1, 0}, 0x7, 2},
    {"perpendicular: nearer than vertical", RDP_PERPENDICULAR, 182, 3, {0, 512, 512}, 0x5, 1},
    {"vertical: that point again", RDP_VERTICAL, 182, 3, {0, 512, 512}, 0x7, 2},
    {"perpendicular: just exceeded", RDP_PERPENDICULAR, 181, 3, {0, 512, 512}, 0x7, 2},
    {"perpendicular: equal to eps", RDP_PERPENDICULAR, 256, 5, {0, 0, 256, 0, 0}, 0x11, 1},
};

/* 3-4-5: over 4 rows the chord (0,0)-(1024,768) is 1280 long; the point (256, 192 + d) has distance d * 1024 / 1280. */
static void perpendicular_equality_is_dropped(void **state)
{
    const uint16_t y[] = {0, 192 + 320, 384, 576, 768};

    (void)state;
    for (uint32_t eps = 255; eps <= 256; eps++) {
        struct rdp_input *in = new_input(1, 1, 5, eps, RDP_PERPENDICULAR);
        struct rdp_output out = guarded_output(in);

        memcpy(in->y, y, sizeof y);
        oracle_run(in, &out, FAULT_NONE);
        assert_int_equal(out.kept[0] & 2, eps == 255 ? 2 : 0);
        check_input("3-4-5", in);
        release_output(&rdp_problem, &out);
        rdp_input_free(in);
    }
}

static void cases_by_hand(void **state)
{
    (void)state;
    for (int k = 0; k < N_OF(hand_cases); k++) {
        const struct hand_case *h = &hand_cases[k];
        struct rdp_input *in;
        struct rdp_output out;

        in = new_input(1, 1, h->n_rows, h->epsilon_q8, h->distance);
        out = guarded_output(in);
        memcpy(in->y, h->y, (size_t)h->n_rows * sizeof *h->y);
        oracle_run(in, &out, FAULT_NONE);
        if (out.kept[0] != h->kept || out.rounds[0] != h->rounds)
            fail_msg("%s: the oracle keeps %#x in %d rounds, expected %#x in %d", h->name,
                     out.kept[0], out.rounds[0], h->kept, h->rounds);
        assert_int_equal(out.segments[0], h->kept ? __builtin_popcount(h->kept) - 1 : 0);
        check_input(h->name, in);
        release_output(&rdp_problem, &out);
        rdp_input_free(in);
    }
}

/* ---- shapes ---- */

static const int heights[] = {1,  2,  3,  4,  15, 16, 17,  18,  31,
                              32, 33, 63, 64, 65, 66, 100, 375, 1024};

static uint16_t random_value(uint64_t seed, uint32_t c, uint32_t v, uint32_t n)
{
    return (uint16_t)bench_below(bench_philox(seed, c, v, 0, 0).word[0], n);
}

enum shape {
    SHAPE_CONSTANT,
    SHAPE_RAMP,
    SHAPE_LOWEST,
    SHAPE_HIGHEST,
    SHAPE_FULL_STEPS, /* 0 and 65534 in turns: the largest numerators */
    SHAPE_ONE_STEP,
    SHAPE_SPIKE_FIRST,
    SHAPE_SPIKE_LAST,
    SHAPE_LOPSIDED, /* always cut next to the first row: as deep as the column is long */
    SHAPE_NOISE,
    SHAPE_FEW_VALUES, /* many ties */
    SHAPE_HOLES,
    SHAPE_MOSTLY_HOLES,
    N_SHAPES
};

static const char *const shape_names[N_SHAPES] = {
    "constant",   "ramp",        "all 0",       "all 65534", "full-scale steps",
    "one step",   "spike first", "spike last",  "lopsided",  "noise",
    "few values", "holes",       "mostly holes"};

static uint16_t shape_value(enum shape shape, int v, int n_rows, uint64_t seed)
{
    const uint32_t row = (uint32_t)v;
    const int amplitude = 32767 - (int)(32000.0 * v / n_rows);

    switch (shape) {
    case SHAPE_CONSTANT:
        return 12345;
    case SHAPE_RAMP:
        return (uint16_t)(3 * v);
    case SHAPE_LOWEST:
        return 0;
    case SHAPE_HIGHEST:
        return RDP_MAX_VALUE;
    case SHAPE_FULL_STEPS:
        return v % 2 ? RDP_MAX_VALUE : 0;
    case SHAPE_ONE_STEP:
        return v < n_rows / 2 ? 0 : RDP_MAX_VALUE;
    case SHAPE_SPIKE_FIRST:
        return v == 1 ? RDP_MAX_VALUE : 0;
    case SHAPE_SPIKE_LAST:
        return v == n_rows - 2 ? RDP_MAX_VALUE : 0;
    case SHAPE_LOPSIDED:
        return (uint16_t)(32767 + (v % 2 ? amplitude : -amplitude));
    case SHAPE_NOISE:
        return random_value(seed, 0, row, RDP_MAX_VALUE + 1);
    case SHAPE_FEW_VALUES:
        return (uint16_t)(2 * PX * random_value(seed, 1, row, 4));
    case SHAPE_HOLES:
        return random_value(seed, 2, row, 4) == 0 ? X : random_value(seed, 3, row, 8 * PX);
    default:
        return random_value(seed, 4, row, 40) != 0 ? X : random_value(seed, 5, row, 8 * PX);
    }
}

static void shapes_at_heights(void **state)
{
    (void)state;
    for (int h = 0; h < N_OF(heights); h++) {
        const int n_rows = heights[h];
        uint16_t *y = malloc((size_t)N_SHAPES * (size_t)n_rows * sizeof *y);
        char what[64];

        assert_non_null(y);
        for (int shape = 0; shape < N_SHAPES; shape++)
            for (int v = 0; v < n_rows; v++)
                y[(size_t)shape * (size_t)n_rows + (size_t)v] =
                    shape_value((enum shape)shape, v, n_rows, (uint64_t)n_rows);
        snprintf(what, sizeof what, "all shapes, %d rows", n_rows);
        check_columns(what, y, N_SHAPES, n_rows, 0);
        check_columns(what, y, N_SHAPES, n_rows, 4 * PX);
        check_columns(what, y, N_SHAPES, n_rows, 40 * PX);
        free(y);
    }
}

/* One shape at the greatest height. */
static void tallest(enum shape shape, uint32_t epsilon_q8)
{
    struct rdp_input *in = new_input(1, 1, RDP_MAX_ROWS, epsilon_q8, RDP_VERTICAL);

    for (int v = 0; v < RDP_MAX_ROWS; v++)
        in->y[v] = shape_value(shape, v, RDP_MAX_ROWS, 99);
    check_input(shape_names[shape], in);
    rdp_input_free(in);
}

static void full_scale_steps_at_height_16384(void **state)
{
    (void)state;
    tallest(SHAPE_FULL_STEPS, 65533);
    tallest(SHAPE_FULL_STEPS, 4 * PX);
    tallest(SHAPE_ONE_STEP, 0);
    tallest(SHAPE_SPIKE_LAST, 4 * PX);
}

static void noise_and_holes_at_height_16384(void **state)
{
    (void)state;
    tallest(SHAPE_NOISE, 4 * PX);
    tallest(SHAPE_MOSTLY_HOLES, 4 * PX);
}

/* Nothing may depend on the depth of the tree being small. */
static void as_deep_as_the_column_is_long(void **state)
{
    struct rdp_input *in = new_input(1, 1, 8192, 0, RDP_VERTICAL);
    struct rdp_output out = guarded_output(in);

    (void)state;
    for (int v = 0; v < 8192; v++)
        in->y[v] = shape_value(SHAPE_LOPSIDED, v, 8192, 0);
    oracle_run(in, &out, FAULT_NONE);
    assert_true(out.rounds[0] > 8000);
    check_input("lopsided, 8192 rows", in);
    for (int v = 0; v < 8192 / 2; v++) { /* and the other way round */
        const uint16_t y = in->y[v];

        in->y[v] = in->y[8191 - v];
        in->y[8191 - v] = y;
    }
    check_input("lopsided backwards, 8192 rows", in);
    release_output(&rdp_problem, &out);
    rdp_input_free(in);
}

/* A walk with holes, as a disparity column is: flat parts, slopes, jumps. */
static void fill_walk(uint16_t *y, int n, uint64_t seed, int hole_pct)
{
    int value = 20 * PX, slope = 0;

    for (int v = 0; v < n; v++) {
        const struct bench_words r = bench_philox(seed, (uint32_t)v, 0, 0, 0);

        if (bench_below(r.word[0], 30) == 0)
            slope = (int)bench_below(r.word[1], 161) - 80;
        if (bench_below(r.word[0], 97) == 0)
            value = (int)bench_below(r.word[2], 100 * PX);
        value += slope + (int)bench_below(r.word[3], 65) - 32;
        value = value < 0 ? 0 : value > RDP_MAX_VALUE ? RDP_MAX_VALUE : value;
        y[v] = (int)bench_below(r.word[2], 100) < hole_pct ? X : (uint16_t)value;
    }
}

static void random_sizes(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 60; k++) {
        const struct bench_words r = bench_philox(2020, k, 0, 0, 0);
        const int n_frames = 1 + (int)bench_below(r.word[0], 3);
        const int n_cols = 1 + (int)bench_below(r.word[1], 40);
        const int n_rows = 1 + (int)bench_below(r.word[2], k % 3 ? 130 : 700);
        const enum rdp_distance distance = k % 2 ? RDP_PERPENDICULAR : RDP_VERTICAL;
        struct rdp_input *in =
            new_input(n_frames, n_cols, n_rows, bench_below(r.word[3], 10 * PX), distance);
        char what[96];

        for (int c = 0; c < n_frames * n_cols; c++)
            fill_walk(in->y + (size_t)c * (size_t)n_rows, n_rows, 1000 * k + (uint32_t)c,
                      c % 4 == 0 ? 30 : 0);
        snprintf(what, sizeof what, "random case %u: %d x %d x %d, eps %u/256", k, n_frames,
                 n_cols, n_rows, in->epsilon_q8);
        check_input(what, in);
        rdp_input_free(in);
    }
}

/*
 * Spikes of one height on a flat column are equally far from each chord between two of them: the first must be the cut, wherever the
 * others are, in a later vector, group of vectors, lane or stride, and so down the whole tree.
 */
static void ties_near_and_far(void **state)
{
    static const int sizes[] = {40, 129, 600, 1024};

    (void)state;
    for (int h = 0; h < (small ? 3 : 4); h++)
        for (uint32_t k = 0; k < 6; k += small ? 5 : 1) {
            const int n_rows = sizes[h], n_cols = 12;
            struct rdp_input *in = new_input(1, n_cols, n_rows, PX, RDP_VERTICAL);
            char what[96];

            for (int c = 0; c < n_cols; c++) {
                uint16_t *const y = in->y + (size_t)c * (size_t)n_rows;

                for (int v = 0; v < n_rows; v++) {
                    const struct bench_words r =
                        bench_philox(1900 + k, (uint32_t)v, (uint32_t)c, (uint32_t)h, 0);
                    /* from one in four rows to one in 128 */
                    const int spike = v > 0 && v < n_rows - 1 && r.word[0] >> (30 - k) == 0;

                    y[v] = (uint16_t)(c % 3 == 2 && r.word[1] >> 29 == 0 ? X
                                      : spike                            ? 30 * PX
                                                                         : 10 * PX);
                }
            }
            snprintf(what, sizeof what, "spikes of one height, %d rows, seed %u", n_rows, k);
            check_input(what, in);
            rdp_input_free(in);
        }
}

/* ---- the test's own test ---- */

static void faults_are_caught(void **state)
{
    static const struct {
        enum fault fault;
        const char *what;
        uint16_t y[2][6]; /* two columns, eps 1 px */
    } cases[] = {
        {FAULT_LAST_ROW, "row", {{0, 0, 0, 0, 999, 0}, {0, 0, 0, 0, 0, 0}}},
        {FAULT_LAST_COLUMN, "column 1", {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}},
        {FAULT_AT_LEAST, "row", {{0, 0, PX, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}},
        {FAULT_LAST_TIE, "row", {{0, 512, 0, 0, 512, 0}, {0, 0, 0, 0, 0, 0}}},
        {FAULT_INVALID, "row", {{0, 0, X, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}},
    };

    (void)state;
    for (int k = 0; k < N_OF(cases); k++) {
        struct rdp_input *in = new_input(1, 2, 6, PX, RDP_VERTICAL);
        struct rdp_output right = guarded_output(in), wrong = guarded_output(in);
        struct bench_difference difference;

        memcpy(in->y, cases[k].y, sizeof cases[k].y);
        oracle_run(in, &right, FAULT_NONE);
        oracle_run(in, &wrong, cases[k].fault);
        rdp_problem.compare(NULL, NULL, &right, &wrong, &difference);
        if (difference.n_wrong == 0)
            fail_msg("fault %d goes unnoticed", (int)cases[k].fault);
        assert_true(difference.max_error > 0);
        assert_non_null(strstr(difference.where, cases[k].what));
        rdp_problem.compare(NULL, NULL, &right, &right, &difference);
        assert_int_equal(difference.n_wrong, 0);
        assert_string_equal(difference.where, "");
        release_output(&rdp_problem, &right);
        release_output(&rdp_problem, &wrong);
        rdp_input_free(in);
    }
}

static void compare_counts_and_names(void **state)
{
    struct rdp_input *in = new_input(2, 3, 40, PX, RDP_VERTICAL);
    struct rdp_output a = guarded_output(in), b = guarded_output(in);
    struct bench_difference difference;

    (void)state;
    memset(in->y, 0, 2 * 3 * 40 * sizeof *in->y);
    oracle_run(in, &a, FAULT_NONE);
    oracle_run(in, &b, FAULT_NONE);
    b.kept[(1 * 3 + 2) * 2 + 1] ^=
        1u << 3 | 1u << 30; /* frame 1, column 2, rows 35 and 62, the latter no row at all */
    b.rounds[5]++;
    rdp_problem.compare(NULL, NULL, &a, &b, &difference);
    assert_int_equal(difference.n_wrong, 3);
    assert_string_equal(difference.where,
                        "frame 1, column 2, row 35: kept, the reference does not keep it");
    b.kept[11] = a.kept[11];
    b.rounds[5]--;
    b.segments[4] = INT32_MIN;
    rdp_problem.compare(NULL, NULL, &a, &b, &difference);
    assert_int_equal(difference.n_wrong, 1);
    assert_string_equal(difference.where,
                        "frame 1, column 1: -2147483648 segments, the reference has 1");
    poison_output(&rdp_problem, &b); /* every value wrong */
    rdp_problem.compare(NULL, NULL, &a, &b, &difference);
    assert_true(difference.n_wrong >= 2 * 3 * 3);
    release_output(&rdp_problem, &a);
    release_output(&rdp_problem, &b);
    rdp_input_free(in);
}

/* ---- eps ---- */

/* The perpendicular rule is compared in two words of 64 bits: with one of 128 it is the same at the limit, a step below and above, and
 * anywhere. */
static void perpendicular_rule_in_128_bits(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 200000; k++) {
        const struct bench_words r = bench_philox(77, k, 0, 0, 0);
        const int32_t length = 2 + (int32_t)bench_below(r.word[0], RDP_MAX_ROWS - 2);
        const int32_t dy =
            (int32_t)bench_below(r.word[1], 2 * RDP_MAX_VALUE + 1) - RDP_MAX_VALUE;
        const uint32_t eps = r.word[2] >> (16 + r.word[2] % 16);
        const double limit = eps * sqrt((double)length * length + (double)dy * dy / 65536);
        const uint32_t most = 65535u * (uint32_t)length;
        const uint32_t n =
            k % 2 ? r.word[3] % most : (uint32_t)fmin(limit + (int)(r.word[3] % 3) - 1, most);
        const wide left = (wide)n * n * 65536;
        const wide right = (wide)eps * eps * ((wide)65536 * length * length + (wide)dy * dy);

        if (rdp_exceeds_perpendicular(n, length, dy, eps) != (left > right))
            fail_msg("n %u, length %d, dy %d, eps %u/256", n, (int)length, (int)dy, eps);
    }
}

static void epsilon_in_256ths(void **state)
{
    uint32_t e = 0;

    (void)state;
    assert_int_equal(rdp_epsilon(0, &e), BENCH_OK);
    assert_int_equal(e, 0);
    assert_int_equal(rdp_epsilon(4, &e), BENCH_OK);
    assert_int_equal(e, 1024);
    assert_int_equal(rdp_epsilon(4.00390625, &e), BENCH_OK);
    assert_int_equal(e, 1025);
    assert_int_equal(rdp_epsilon(255.9921875, &e), BENCH_OK);
    assert_int_equal(e, 65534);
    assert_int_equal(rdp_epsilon(256, &e), BENCH_OK);
    assert_int_equal(e, RDP_MAX_EPSILON);
    assert_int_equal(rdp_epsilon(1e300, &e), BENCH_OK);
    assert_int_equal(e, RDP_MAX_EPSILON);
}

static void epsilon_errors_say_what_is_wrong(void **state)
{
    uint32_t e = 7;

    (void)state;
    assert_int_equal(rdp_epsilon(-1, &e), BENCH_EINPUT);
    assert_int_equal(rdp_epsilon((double)NAN, &e), BENCH_EINPUT);
    assert_int_equal(rdp_epsilon((double)INFINITY, &e), BENCH_EINPUT);
    assert_int_equal(rdp_epsilon(4.001, &e), BENCH_EINPUT);
    assert_int_equal(e, 7);
    assert_non_null(strstr(bench_failure(), "4.001;"));
    assert_non_null(strstr(bench_failure(), "are 4 and 4.00390625"));
}

/* ---- shapes of inputs and outputs ---- */

static void impossible_sizes(void **state)
{
    struct rdp_input *in = NULL;

    (void)state;
    assert_int_equal(rdp_input_new(1, 1, 0, &in), BENCH_EINPUT);
    assert_int_equal(rdp_input_new(1, 1, RDP_MAX_ROWS + 1, &in), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "16385"));
    assert_int_equal(rdp_input_new(1, 0, 1, &in), BENCH_EINPUT);
    assert_int_equal(rdp_input_new(0, 1, 1, &in), BENCH_EINPUT);
    assert_int_equal(rdp_input_new(INT32_MAX, INT32_MAX, RDP_MAX_ROWS, &in), BENCH_ENOMEM);
    assert_null(in);
    rdp_input_free(NULL);
    rdp_output_free(NULL);
}

static void transposition(void **state)
{
    static const int sizes[][2] = {{1, 1},   {1, 9},    {9, 1},    {7, 7},    {8, 8},
                                   {16, 24}, {17, 531}, {531, 17}, {64, 600}, {139, 261}};

    (void)state;
    for (int k = 0; k < N_OF(sizes); k++) {
        const int n_rows = sizes[k][0], n_cols = sizes[k][1];
        struct rdp_input *in = new_input(2, n_cols, n_rows, 0, RDP_VERTICAL);
        const size_t n = (size_t)n_rows * (size_t)n_cols;

        for (size_t i = 0; i < 2 * n; i++)
            in->image[i] = (uint16_t)(i * 40503);
        for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
            memset(in->y, POISON, 2 * n * sizeof *in->y);
            rdp_transpose(in, n_threads);
            for (size_t i = 0; i < 2 * n; i++) {
                const size_t frame = i / n, v = i % n / (size_t)n_cols, u = i % (size_t)n_cols;

                assert_int_equal(in->y[frame * n + u * (size_t)n_rows + v], in->image[i]);
            }
        }
        rdp_input_free(in);
    }
}

static void make_plane(struct plane *plane, const char *name, int width, int height)
{
    memset(plane, 0, sizeof *plane);
    assert_int_equal(plane_alloc(plane, width, height), BENCH_OK);
    snprintf(plane->name, sizeof plane->name, "%s", name);
    for (int i = 0; i < width * height; i++)
        plane->disparity[i] = (uint16_t)(i % width * 10 + i / width * 1000);
}

static void input_from_planes(void **state)
{
    const char *const own_size[] = {"eps", "2.5", "distance", "perpendicular", NULL};
    const char *const resized[] = {"width", "7",        "height",  "4", "median",
                                   "3",     "resample", "nearest", NULL};
    struct plane a, b, c;
    const struct plane *same[2], *different[2];
    struct bench_params params = params_with(&rdp_problem, own_size);
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    void *input;
    struct rdp_input *in;

    (void)state;
    make_plane(&a, "first", 5, 3);
    make_plane(&b, "second", 5, 3);
    make_plane(&c, "third", 6, 3);
    b.disparity[0] = X;
    same[0] = &a;
    same[1] = different[1] = &b;
    different[0] = &c;

    assert_int_equal(rdp_problem.make_input(&params, same, 2, &input), BENCH_OK);
    in = input;
    assert_int_equal(in->n_frames, 2);
    assert_int_equal(in->n_cols, 5);
    assert_int_equal(in->n_rows, 3);
    assert_int_equal(in->epsilon_q8, 640);
    assert_int_equal(in->distance, RDP_PERPENDICULAR);
    assert_int_equal(rdp_problem.n_frames(in), 2);
    assert_memory_equal(in->image, a.disparity, 15 * sizeof(uint16_t));
    for (int u = 0; u < 5; u++)
        for (int v = 0; v < 3; v++)
            assert_int_equal(in->y[15 + 3 * u + v], b.disparity[5 * v + u]);
    assert_int_equal(rdp_problem.input_blocks(in, blocks), 3);
    assert_int_equal(blocks[0].bytes, 60);
    assert_ptr_equal(blocks[0].data, in->y);
    assert_ptr_equal(blocks[1].data, in->image);
    assert_int_equal(blocks[2].bytes, 20);
    memset(in->y, POISON, 60);
    rdp_problem.ingest(in, 1); /* brings y back from the image */
    assert_int_equal(in->y[3], a.disparity[1]);
    assert_null(in->truth); /* no frame has one */
    rdp_problem.free_input(input);

    a.truth = malloc(15 * sizeof *a.truth);
    assert_non_null(a.truth);
    memset(a.truth, 7, 15 * sizeof *a.truth);
    assert_int_equal(rdp_problem.make_input(&params, same, 2, &input), BENCH_OK);
    in = input;
    assert_null(in->truth); /* not all have */
    rdp_problem.free_input(input);
    b.truth = malloc(15 * sizeof *b.truth);
    assert_non_null(b.truth);
    for (int i = 0; i < 15; i++)
        b.truth[i] = (uint16_t)(100 + i);
    assert_int_equal(rdp_problem.make_input(&params, same, 2, &input), BENCH_OK);
    in = input;
    assert_non_null(in->truth);
    assert_memory_equal(in->truth, a.truth, 15 * sizeof(uint16_t));
    assert_memory_equal(in->truth + 15, b.truth, 15 * sizeof(uint16_t));
    rdp_problem.free_input(input);

    assert_int_equal(rdp_problem.make_input(&params, different, 2, &input), BENCH_EINPUT);
    assert_null(input);
    assert_non_null(strstr(bench_failure(), "third"));
    assert_non_null(strstr(bench_failure(), "give width and height"));

    params = params_with(&rdp_problem, resized);
    assert_int_equal(rdp_problem.make_input(&params, different, 2, &input), BENCH_OK);
    in = input;
    assert_int_equal(in->n_cols, 7);
    assert_int_equal(in->n_rows, 4);
    assert_int_equal(in->image[7 * 4], X); /* stays invalid through median and resampling */
    assert_int_equal(in->y[7 * 4], X);
    assert_null(in->truth);
    rdp_problem.free_input(input);
    assert_int_equal(rdp_problem.make_input(&params, same, 2, &input), BENCH_OK);
    in = input;
    assert_null(in->truth); /* none for frames that are resampled */
    rdp_problem.free_input(input);

    assert_int_equal(rdp_problem.make_input(&params, same, 0, &input), BENCH_EINPUT);
    plane_free(&a);
    plane_free(&b);
    plane_free(&c);
}

/* ---- the tree, the count and the values of one column worked out by hand ---- */

/* 1/2 px off the first segment; an invalid column with one value beside it */
static const uint16_t example[2][8] = {{0, PX / 2, 0, 0, 8 * PX, 8 * PX, 8 * PX, 8 * PX},
                                       {X, X, X, X, X, X, X, 5 * PX}};

static void tree_by_hand(void **state)
{
    static const struct rdp_node expected[] = {
        {0, 7, 3, 1}, {0, 3, -1, 2}, {3, 7, 4, 2}, {3, 4, -1, 3}, {4, 7, -1, 3}};
    struct rdp_node *nodes;
    int n_nodes;

    (void)state;
    assert_int_equal(rdp_tree(example[0], 8, PX, RDP_VERTICAL, &nodes, &n_nodes), BENCH_OK);
    assert_int_equal(n_nodes, N_OF(expected));
    assert_memory_equal(nodes, expected, sizeof expected);
    free(nodes);
    assert_int_equal(rdp_tree(example[1], 8, PX, RDP_VERTICAL, &nodes, &n_nodes), BENCH_OK);
    assert_int_equal(n_nodes, 0);
    free(nodes);
}

/* The tree and the oracle agree wherever the variants do. */
static void trees_of_random_columns(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 50; k++) {
        const int n_rows = 1 + (int)bench_below(bench_philox(5, k, 0, 0, 0).word[0], 300);
        struct rdp_input *in =
            new_input(1, 1, n_rows, 2 * PX, k % 2 ? RDP_PERPENDICULAR : RDP_VERTICAL);
        struct rdp_output out = guarded_output(in);
        uint32_t kept[(300 + 31) / 32 + 1] = {0};
        struct rdp_node *nodes;
        int n_nodes, n_leaves = 0, rounds = 1;

        fill_walk(in->y, n_rows, 77 + k, k % 5 ? 0 : 20);
        oracle_run(in, &out, FAULT_NONE);
        assert_int_equal(
            rdp_tree(in->y, n_rows, in->epsilon_q8, in->distance, &nodes, &n_nodes), BENCH_OK);
        for (int i = 0; i < n_nodes; i++) {
            const struct rdp_node *node = &nodes[i];

            kept[node->first / 32] |= 1u << (node->first % 32);
            kept[node->last / 32] |= 1u << (node->last % 32);
            n_leaves += node->cut < 0;
            if (node->cut >= 0 && rounds < node->depth + 1)
                rounds = node->depth + 1;
        }
        assert_memory_equal(kept, out.kept, kept_bytes(&out));
        assert_int_equal(n_leaves, out.segments[0]);
        assert_int_equal(rounds, out.rounds[0]);
        free(nodes);
        release_output(&rdp_problem, &out);
        rdp_input_free(in);
    }
}

/* The values are caught where rdp/measure.c hands them over: a second copy of it, with a sink of our own. */
struct bench_sink {
    int n;
    struct {
        char name[32];
        int index;
        double value;
    } item[64];
};

static void collect_value(struct bench_sink *sink, const char *name, int index, double value,
                          const char *unit)
{
    assert_non_null(unit);
    assert_true(sink->n < N_OF(sink->item));
    snprintf(sink->item[sink->n].name, sizeof sink->item->name, "%s", name);
    sink->item[sink->n].index = index;
    sink->item[sink->n++].value = value;
}

#define bench_value collect_value
#define rdp_measure measure_into_our_sink
#include "harness/problems/rdp/measure.c"
#undef bench_value
#undef rdp_measure

static double value_of(const struct bench_sink *sink, const char *name, int index)
{
    for (int i = 0; i < sink->n; i++)
        if (!strcmp(sink->item[i].name, name) && sink->item[i].index == index)
            return sink->item[i].value;
    fail_msg("there is no value %s[%d]", name, index);
    return 0;
}

static void values_by_hand(void **state)
{
    static const struct {
        const char *name;
        int index;
        double value;
    } expected[] = {
        {"segments", -1, 1.5},
        {"segments_sd", -1, 1.5},
        {"rounds_mean", -1, 2},
        {"rounds_sd", -1, 1},
        {"rounds_max", -1, 3},
        {"rounds_hist", 1, 50},
        {"rounds_hist", 2, 0},
        {"rounds_hist", 3, 50},
        {"useful_pct", 1, 100},
        {"useful_pct", 2, 43.75}, /* 7 of 8 rows, and none of 8 */
        {"useful_pct", 3, 18.75},
        {"rms_error_px", -1, 0.17677669529663687}, /* sqrt(0.25 / 8) */
        {"mean_abs_error_px", -1, 0.0625},
        {"max_error_px", -1, 0.5},
        {"d1_to_input_pct", -1, 0},
        {"invalid_pct", -1, 43.75},
        {"pixels_per_segment", -1, 16 / 3.0},
        {"compression", -1, 2.25},
        {"points_visited", -1, 13},
        {"nodes_visited", -1, 4}, /* one of the five nodes of `example` has no inner row */
    };
    struct rdp_input *in = new_input(1, 2, 8, PX, RDP_VERTICAL);
    struct rdp_output out = guarded_output(in);
    const void *inputs[2] = {in, in}, *outputs[2] = {&out, &out};
    struct bench_work work;
    uint64_t count;

    (void)state;
    memcpy(in->y, example, sizeof example);
    oracle_run(in, &out, FAULT_NONE);
    for (int n = 1; n <= 2; n++) { /* the same frame twice has the same means */
        struct bench_sink sink = {0};

        assert_int_equal(measure_into_our_sink(NULL, inputs, outputs, outputs, n, &sink),
                         BENCH_OK);
        assert_int_equal(sink.n, N_OF(expected));
        for (int i = 0; i < N_OF(expected); i++)
            if (fabs(value_of(&sink, expected[i].name, expected[i].index) - expected[i].value) >
                1e-12)
                fail_msg("%s[%d] is %.17g, expected %.17g", expected[i].name, expected[i].index,
                         value_of(&sink, expected[i].name, expected[i].index),
                         expected[i].value);
    }
    assert_int_equal(rdp_problem.rank(in, &count), BENCH_OK);
    assert_int_equal(count, 13);
    rdp_problem.count_work(in, &out, &work);
    assert_true(work.bytes == 2 * 8 * 2 + 2 * 4 + 2 * 4 + 2 * 4);
    assert_true(work.ops == 13);
    release_output(&rdp_problem, &out);
    rdp_input_free(in);
}

/*
 * Against the truth, and against the input; eps is 5 px.  Column 0 is one line from 10 to 17 px.  Column 1 begins at row
 * 2 and ends at row 6; rows 4 and 5 are kept between.  Column 2 has no line at all.
 */
static void outliers_by_hand(void **state)
{
    static const uint16_t y[3][8] = {
        {10 * PX, 11 * PX, 16 * PX, X, 14 * PX, 15 * PX, 16 * PX, 17 * PX},
        {X, X, 40 * PX, X, 60 * PX, 40 * PX, 40 * PX, X},
        {X, X, X, X, X, X, X, X},
    };
    static const uint16_t truth[3][8] = {
        /* 1: off by 4; 2, 3: right, other than the input; 5: off by 3, which is allowed; 7: by more */
        {10 * PX, 15 * PX, 12 * PX, 13 * PX, X, 18 * PX, 16 * PX, 20 * PX + 1},
        /* 1, 7: no line; 3: right, other than the input; 4: the input is kept and off by 20 */
        {X, 40 * PX, 40 * PX, 50 * PX, 40 * PX, X, 40 * PX, 40 * PX},
        {X, X, X, X, X, X, X, 5 * PX},
    };
    struct rdp_input *in = new_input(2, 3, 8, 5 * PX, RDP_VERTICAL);
    const void *inputs[1] = {in}, *outputs[1];
    struct bench_sink sink = {0};
    struct rdp_output out;

    (void)state;
    in->truth = malloc(2 * 3 * 8 * sizeof *in->truth);
    assert_non_null(in->truth);
    for (int u = 0; u < 3; u++)
        for (int v = 0; v < 8; v++) {
            /* a second frame that is right everywhere: no truth of the first one is taken for it */
            in->y[u * 8 + v] = y[u][v];
            in->y[(3 + u) * 8 + v] = 7 * PX;
            in->truth[v * 3 + u] = truth[u][v];
            in->truth[24 + v * 3 + u] = 7 * PX;
        }
    out = guarded_output(in);
    outputs[0] = &out;
    oracle_run(in, &out, FAULT_NONE);
    assert_int_equal(measure_into_our_sink(NULL, inputs, outputs, outputs, 1, &sink), BENCH_OK);
    assert_true(fabs(value_of(&sink, "d1_pct", -1) - 100 * (2 + 3 + 1) / 38.0) < 1e-12);
    assert_true(fabs(value_of(&sink, "input_d1_all_pct", -1) - 100 * (4 + 4 + 1) / 38.0) <
                1e-12);
    assert_true(fabs(value_of(&sink, "d1_to_input_pct", -1) - 100 * 1 / 35.0) < 1e-12);
    release_output(&rdp_problem, &out);
    rdp_input_free(in);
}

/* Where nothing is valid, ratios without a denominator are left out and the others are finite. */
static void values_of_an_empty_frame(void **state)
{
    struct rdp_input *in = new_input(1, 2, 8, PX, RDP_VERTICAL);
    struct rdp_output out = guarded_output(in);
    const void *inputs[1] = {in}, *outputs[1] = {&out};
    struct bench_sink sink = {0};

    (void)state;
    memset(in->y, 0xFF, sizeof example);
    oracle_run(in, &out, FAULT_NONE);
    assert_int_equal(measure_into_our_sink(NULL, inputs, outputs, outputs, 1, &sink), BENCH_OK);
    for (int i = 0; i < sink.n; i++) {
        assert_true(isfinite(sink.item[i].value));
        assert_string_not_equal(sink.item[i].name, "compression");
        assert_string_not_equal(sink.item[i].name, "pixels_per_segment");
    }
    assert_true(value_of(&sink, "invalid_pct", -1) == 100);
    release_output(&rdp_problem, &out);
    rdp_input_free(in);
}

static void something_was_tested(void **state)
{
    (void)state;
    print_message("%d runs of variants compared with the oracle, %d of them on the device; %d "
                  "cells were not "
                  "theirs, %d left out for want of a device\n",
                  n_cells_run, n_device_runs, n_not_theirs, n_cells_skipped);
    assert_true(n_cells_run > 0 || gpu_only);
}

/* Counted as skipped where there is no card, so that a report cannot pass for a test of the GPU. */
static void gpu_variants_were_tested(void **state)
{
    (void)state;
    if (!device)
        skip();
    assert_true(n_device_runs > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_by_hand),
        cmocka_unit_test(perpendicular_equality_is_dropped),
        cmocka_unit_test(shapes_at_heights),
        cmocka_unit_test(full_scale_steps_at_height_16384),
        cmocka_unit_test(noise_and_holes_at_height_16384),
        cmocka_unit_test(as_deep_as_the_column_is_long),
        cmocka_unit_test(random_sizes),
        cmocka_unit_test(ties_near_and_far),
        cmocka_unit_test(faults_are_caught),
        cmocka_unit_test(compare_counts_and_names),
        cmocka_unit_test(perpendicular_rule_in_128_bits),
        cmocka_unit_test(epsilon_in_256ths),
        cmocka_unit_test(epsilon_errors_say_what_is_wrong),
        cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(transposition),
        cmocka_unit_test(input_from_planes),
        cmocka_unit_test(tree_by_hand),
        cmocka_unit_test(trees_of_random_columns),
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(outliers_by_hand),
        cmocka_unit_test(values_of_an_empty_frame),
        cmocka_unit_test(something_was_tested),
        cmocka_unit_test(gpu_variants_were_tested),
    };
    int failed;

    gpu_only = getenv("GPU_ONLY") != NULL;
    small = getenv("TEST_SMALL") != NULL;
    if (bench_device_open(0, &device))
        print_message("%s\n", bench_failure());
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    bench_device_close(device);
    return failed;
}
