/*
 * test_rdp.c - every variant of rdp against a definition written down once more, and the
 * problem's own functions
 *
 * The oracle below shares nothing with the implementations: it recurses, and takes distances
 * from a cross product in 128 bits, x in the unit of y.  The cases are run by all variants that
 * the registry lists.
 */
#include "harness/problems/rdp/rdp.h"
#include "harness/inputs/plane.h"
#include "tests/expected.h"
#include "tests/rdp_columns.h"
#include "tests/variants.h"

#define X  RDP_INVALID
#define PX 256 /* one pixel of disparity */
#define V  RDP_VERTICAL
#define P  RDP_PERPENDICULAR

__extension__ typedef __int128 wide;

/* ---- the oracle ---- */

struct oracle {
    const uint16_t *y;
    wide eps;
    int perpendicular;
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
    wide greatest = -1, limit, size;
    int m = -1;

    for (int i = f + 1; i < l; i++) {
        wide cross = dx * ((wide)o->y[f] - o->y[i]) + (wide)PX * (i - f) * dy;

        if (o->y[i] == RDP_INVALID)
            continue;
        if (cross < 0)
            cross = -cross;
        if (cross > greatest) {
            greatest = cross;
            m = i;
        }
    }
    if (m < 0)
        return;
    /* vertical: cross / dx > eps; perpendicular: cross / sqrt(dx^2 + dy^2) > eps, both sides
     * squared */
    size = o->perpendicular ? greatest * greatest : greatest;
    limit = o->perpendicular ? o->eps * o->eps * (dx * dx + dy * dy) : o->eps * dx;
    if (size <= limit)
        return;
    oracle_keep(o, m);
    if (depth > o->deepest)
        o->deepest = depth;
    oracle_divide(o, f, m, depth + 1);
    oracle_divide(o, m, l, depth + 1);
}

static void oracle_column(const struct rdp_input *in, size_t c, const struct rdp_output *out)
{
    const size_t n_words = (size_t)rdp_n_words(in->n_rows);
    struct oracle o = {.y = in->y + c * (size_t)in->n_rows,
                       .eps = in->epsilon_q8,
                       .perpendicular = in->distance == RDP_PERPENDICULAR,
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

/* What the oracle makes of an input. */
static struct rdp_output *oracle_of(const struct rdp_input *in)
{
    struct rdp_output *const out = new_output(in);

    for (size_t c = 0; c < (size_t)in->n_frames * (size_t)in->n_cols; c++)
        oracle_column(in, c, out);
    check_guards(&rdp_problem, "the oracle", out);
    return out;
}

/* ---- driving a variant ---- */

/* The round-th combination of a variant's keys; returns how many combinations there are. */
static int combination(const struct bench_impl *impl, int round, struct bench_params *params)
{
    static const char *const cutoffs[] = {"2", "64", "16384"};
    const int n = impl->target == BENCH_OPENMP ? 3 : 1;

    params->n = 0;
    for (const struct bench_key *key = impl->keys; key && key->name; key++)
        if (!strcmp(key->name, "cutoff"))
            assert_int_equal(bench_params_set(params, key, cutoffs[round % 3], "test"), 0);
    return n * combine_keys(impl, round / n, params);
}

/* One variant, in all combinations of its keys, against the oracle's output. */
static void check_variant(const char *what, const struct bench_impl *impl,
                          const struct rdp_input *in, const struct rdp_output *expected)
{
    struct rdp_output *const found = new_output(in), *const once = new_output(in);
    struct bench_params params;
    const int n_rounds = combination(impl, 0, &params);

    /* under a sanitizer a handful of the combinations, others for each input; two of a GPU
     * variant whose other architecture runs them */
    const int most = gpu_only && small == 256 ? 2 : 5;
    const int step = small && n_rounds > 6 ? n_rounds / most : 1;

    for (int round = small ? runs.n_run % step : 0; round < n_rounds; round += step) {
        combination(impl, round, &params);
        if (run_counted(impl, &params, impl->target == BENCH_OPENMP ? 1 + round % 3 : 1, in,
                        found, once))
            assert_right(impl, &params, what, in, expected, found);
    }
}

/* The tests fill y; a variant that transposes by itself reads the image. */
static void fill_image(const struct rdp_input *in)
{
    const size_t n_cols = (size_t)in->n_cols, n_rows = (size_t)in->n_rows;

    for (size_t k = 0; k < (size_t)in->n_frames; k++)
        for (size_t u = 0; u < n_cols; u++)
            for (size_t v = 0; v < n_rows; v++)
                in->image[(k * n_rows + v) * n_cols + u] = in->y[(k * n_cols + u) * n_rows + v];
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
    const struct rdp_output *expected;
    char text[128];

    if (small && too_much(in))
        return;
    expected = oracle_of(in);
    fill_image(in);
    snprintf(text, sizeof text, "%s, %d x %d x %d, eps %u/256", what, in->n_frames, in->n_cols,
             in->n_rows, in->epsilon_q8);
    for (int k = 0; bench_impls[k]; k++)
        if (is_to_run(&rdp_problem, bench_impls[k]))
            check_variant(text, bench_impls[k], in, expected);
}

/* ---- cases by hand: the oracle and the variants must both give these rows ---- */

static const struct {
    const char *name;
    enum rdp_distance distance;
    uint32_t epsilon_q8;
    int n_rows;
    uint16_t y[8];
    uint32_t kept;
    int rounds;
} hand_cases[] = {
    {"a point farther than eps is kept", V, 255, 5, {0, 0, 256, 0, 0}, 0x15, 2},
    {"distance equal to eps is dropped", V, 256, 5, {0, 0, 256, 0, 0}, 0x11, 1},
    {"equal to eps on a sloped chord", V, 100, 5, {0, 10, 120, 30, 40}, 0x11, 1},
    {"one more on a sloped chord", V, 99, 5, {0, 10, 120, 30, 40}, 0x15, 2},
    {"eps 0 keeps what is off the chord", V, 0, 5, {0, 0, 1, 0, 0}, 0x1F, 3},
    {"eps 0 keeps nothing on the chord", V, 0, 5, {0, 3, 6, 9, 12}, 0x11, 1},
    {"the smaller row among equals", V, 256, 6, {0, 512, 0, 0, 512, 0}, 0x37, 4},
    {"a tie above and below the chord", V, 300, 5, {999, 699, 1299, 1299, 999}, 0x11, 1},
    {"that tie, divided at its first row", V, 299, 5, {999, 699, 1299, 1299, 999}, 0x17, 3},
    {"eps of the full range cuts nothing", V, RDP_MAX_EPSILON, 3, {0, 65534, 0}, 0x5, 1},
    {"just below the full range", V, 65533, 3, {0, 65534, 0}, 0x7, 2},
    {"invalid ends", V, 256, 8, {X, X, 0, 999, 0, X, 0, X}, 0x5C, 3},
    {"an invalid row inside costs nothing", V, 0, 5, {7, X, 7, X, 7}, 0x11, 1},
    {"all invalid", V, 256, 5, {X, X, X, X, X}, 0, 1},
    {"one valid row", V, 0, 5, {X, X, 9, X, X}, 0, 1},
    {"two valid rows", V, 0, 5, {X, 3, X, 9, X}, 0x0A, 1},
    {"height 1", V, 0, 1, {5}, 0, 1},
    {"height 1, invalid", V, 0, 1, {X}, 0, 1},
    {"height 2", V, 0, 2, {0, 65534}, 0x3, 1},
    {"height 3", V, 0, 3, {0, 1, 0}, 0x7, 2},
    {"perpendicular: nearer than vertical", P, 182, 3, {0, 512, 512}, 0x5, 1},
    {"vertical: that point again", V, 182, 3, {0, 512, 512}, 0x7, 2},
    {"perpendicular: just exceeded", P, 181, 3, {0, 512, 512}, 0x7, 2},
    {"perpendicular: equal to eps", P, 256, 5, {0, 0, 256, 0, 0}, 0x11, 1},
    /* over 4 rows the chord (0,0)-(1024,768) is 1280 long; (256, 192 + 320) is
     * 320 * 1024 / 1280 from it */
    {"3-4-5: equal to eps", P, 256, 5, {0, 192 + 320, 384, 576, 768}, 0x11, 1},
    {"3-4-5: just exceeded", P, 255, 5, {0, 192 + 320, 384, 576, 768}, 0x13, 2},
};

TEST(cases_by_hand)
{
    for (int k = 0; k < N_OF(hand_cases); k++) {
        const uint32_t kept = hand_cases[k].kept;
        const int n_rows = hand_cases[k].n_rows, rounds = hand_cases[k].rounds;
        const struct rdp_input *const in =
            new_input(1, 1, n_rows, hand_cases[k].epsilon_q8, hand_cases[k].distance);
        const struct rdp_output *out;

        memcpy(in->y, hand_cases[k].y, (size_t)n_rows * sizeof *in->y);
        out = oracle_of(in);
        if (out->kept[0] != kept || out->rounds[0] != rounds)
            fail_msg("%s: the oracle keeps %#x in %d rounds, expected %#x in %d",
                     hand_cases[k].name, out->kept[0], out->rounds[0], kept, rounds);
        assert_int_equal(out->segments[0], kept ? __builtin_popcount(kept) - 1 : 0);
        check_input(hand_cases[k].name, in);
    }
}

/* ---- shapes ---- */

static const int heights[] = {1,  2,  3,  4,  15, 16, 17,  18,  31,
                              32, 33, 63, 64, 65, 66, 100, 375, 1024};

enum shape {
    SHAPE_RAMP,
    SHAPE_LOWEST, /* 0 */
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

static uint16_t shape_value(enum shape shape, int v, int n_rows, uint64_t seed)
{
    const uint32_t row = (uint32_t)v;
    const int amplitude = 32767 - (int)(32000.0 * v / n_rows);
    const uint32_t any = draw(seed, 0, row, RDP_MAX_VALUE + 1);
    const uint16_t value[N_SHAPES] = {
        [SHAPE_RAMP] = (uint16_t)(3 * v),
        [SHAPE_HIGHEST] = RDP_MAX_VALUE,
        [SHAPE_FULL_STEPS] = v % 2 ? RDP_MAX_VALUE : 0,
        [SHAPE_ONE_STEP] = v < n_rows / 2 ? 0 : RDP_MAX_VALUE,
        [SHAPE_SPIKE_FIRST] = v == 1 ? RDP_MAX_VALUE : 0,
        [SHAPE_SPIKE_LAST] = v == n_rows - 2 ? RDP_MAX_VALUE : 0,
        [SHAPE_LOPSIDED] = (uint16_t)(32767 + (v % 2 ? amplitude : -amplitude)),
        [SHAPE_NOISE] = (uint16_t)any,
        [SHAPE_FEW_VALUES] = (uint16_t)(2 * PX * (any % 4)),
        [SHAPE_HOLES] = draw(seed, 2, row, 4) == 0 ? X : (uint16_t)(any % (8 * PX)),
        [SHAPE_MOSTLY_HOLES] = draw(seed, 4, row, 40) != 0 ? X : (uint16_t)(any % (8 * PX)),
    };

    return value[shape];
}

/* All shapes beside each other. */
TEST(shapes_at_heights)
{
    static const uint32_t epsilons[] = {0, 4 * PX, 40 * PX};

    for (int h = 0; h < N_OF(heights); h++)
        for (int k = 0; k < 6; k++) {
            const int n_rows = heights[h];
            const struct rdp_input *const in =
                new_input(1, N_SHAPES, n_rows, epsilons[k / 2], k % 2 ? P : V);

            for (int i = 0; i < N_SHAPES * n_rows; i++)
                in->y[i] =
                    shape_value((enum shape)(i / n_rows), i % n_rows, n_rows, (uint64_t)n_rows);
            check_input("all shapes", in);
        }
}

/* One column each.  Nothing may depend on the depth of the tree being small. */
TEST(long_columns)
{
    static const struct {
        const char *what;
        enum shape shape;
        int n_rows, backwards;
        uint32_t epsilon_q8;
        int least_rounds;
    } cases[] = {
        {"full-scale steps", SHAPE_FULL_STEPS, RDP_MAX_ROWS, 0, 65533, 1},
        {"full-scale steps", SHAPE_FULL_STEPS, RDP_MAX_ROWS, 0, 4 * PX, 1},
        {"one step", SHAPE_ONE_STEP, RDP_MAX_ROWS, 0, 0, 1},
        {"spike last", SHAPE_SPIKE_LAST, RDP_MAX_ROWS, 0, 4 * PX, 1},
        {"noise", SHAPE_NOISE, RDP_MAX_ROWS, 0, 4 * PX, 1},
        {"mostly holes", SHAPE_MOSTLY_HOLES, RDP_MAX_ROWS, 0, 4 * PX, 1},
        {"as deep as long", SHAPE_LOPSIDED, 8192, 0, 0, 8001},
        {"as deep as long, backwards", SHAPE_LOPSIDED, 8192, 1, 0, 8001},
    };

    for (int k = 0; k < N_OF(cases); k++) {
        const int n_rows = cases[k].n_rows;
        const struct rdp_input *const in = new_input(1, 1, n_rows, cases[k].epsilon_q8, V);

        for (int v = 0; v < n_rows; v++)
            in->y[v] = shape_value(cases[k].shape, cases[k].backwards ? n_rows - 1 - v : v,
                                   n_rows, 99);
        assert_true(oracle_of(in)->rounds[0] >= cases[k].least_rounds);
        check_input(cases[k].what, in);
    }
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

TEST(random_sizes)
{
    for (uint32_t k = 0; k < 60; k++) {
        const struct bench_words r = bench_philox(2020, k, 0, 0, 0);
        const int n_frames = 1 + (int)bench_below(r.word[0], 3);
        const int n_cols = 1 + (int)bench_below(r.word[1], 40);
        const int n_rows = 1 + (int)bench_below(r.word[2], k % 3 ? 130 : 700);
        const struct rdp_input *const in =
            new_input(n_frames, n_cols, n_rows, bench_below(r.word[3], 10 * PX), k % 2 ? P : V);

        for (int c = 0; c < n_frames * n_cols; c++)
            fill_walk(in->y + (size_t)c * (size_t)n_rows, n_rows, 1000 * k + (uint32_t)c,
                      c % 4 == 0 ? 30 : 0);
        check_input("a random case", in);
    }
}

/* Spikes of one height on a flat column are equally far from each chord between two of them.
 * The first must be the cut, wherever the others are, in a later vector, group of vectors, lane
 * or stride, and so down the whole tree. */
TEST(ties_near_and_far)
{
    static const int sizes[] = {40, 129, 600, 1024};

    for (int h = 0; h < (small ? 3 : 4); h++)
        for (uint32_t k = 0; k < 6; k += small ? 5 : 1) {
            const int n_rows = sizes[h], n_cols = small ? 6 : 12;
            const struct rdp_input *const in = new_input(1, n_cols, n_rows, PX, V);

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
            check_input("spikes of one height", in);
        }
}

/*
 * Where 16 bits alone would cut at the wrong row.  rdp/cpu-simd looks at a row again whose
 * distance in 16 bits is at most 2 below the greatest.  Here two of them are 2 apart, the wrong
 * way round: row m is farther than row j by less than 1/256 px, but seems nearer by 2.  The
 * other rows lie on two lines that meet below m, so that a column that is cut at j keeps other
 * rows.  Each case is such in vectors of a size of its own, and was found by a search.
 */
TEST(nearly_equal_rows_at_the_bound)
{
    static const struct {
        int length, dy, m, j;
    } cases[] = {
        {11675, -235, 10881, 3379}, /* 512 and 256 bits */
        {7610, -2928, 5089, 590},   /* 128 bits */
    };

    for (int k = 0; k < N_OF(cases); k++) {
        const int length = cases[k].length, m = cases[k].m;
        const struct rdp_input *const in = new_input(1, 1, length + 1, 995, V);
        const struct rdp_output *out;

        for (int v = 0; v <= length; v++) {
            /* rounded up, as the distances of m and j are */
            const int chord = 20000 - -cases[k].dy * v / length;
            const int below = v < m ? 900 * v / m : 900 * (length - v) / (length - m);

            in->y[v] = (uint16_t)(chord + (v == m || v == cases[k].j ? 1000 : below));
        }
        out = oracle_of(in);
        assert_int_equal(out->segments[0], 2);
        assert_true(rdp_is_kept(out->kept, m));
        check_input("two rows at the bound", in);
    }
}

/* A row that is farther than eps by less than 1/256 px, but seems nearer by 1 in 16 bits. */
TEST(rows_just_beyond_eps)
{
    static const int rows[] = {10881, 7105, 5217}; /* in 512, 256 and 128 bits */
    const int length = 11675;

    for (int k = 0; k < N_OF(rows); k++) {
        struct rdp_input *const in = new_input(1, 1, length + 1, 1000, V);

        for (int v = 0; v <= length; v++)
            in->y[v] = (uint16_t)(20000 - 235 * v / length + (v == rows[k] ? 1000 : 0));
        assert_true(rdp_is_kept(oracle_of(in)->kept, rows[k]));
        check_input("a row just beyond eps", in);
        in->epsilon_q8 = 1001;
        assert_int_equal(oracle_of(in)->segments[0], 1);
        check_input("that row within eps", in);
    }
}

/* Columns whose values are as far apart as 15, and 16, bits can say, and one more. */
TEST(widest_columns)
{
    static const int spans[] = {32765, 32766, 32767, 32768, 65533, 65534};

    for (int k = 0; k < N_OF(spans); k++)
        for (int h = 0; h < 2; h++) {
            const int n_rows = h ? 1000 : 140, n_cols = 12;
            const struct rdp_input *const in = new_input(1, n_cols, n_rows, h ? PX : 0, V);

            for (int c = 0; c < n_cols; c++)
                for (int v = 0; v < n_rows; v++) {
                    const int at_end = c < 8 && (v == 0 || v == n_rows - 1);
                    const int is_spike = v == n_rows / 2 + c || (c >= 4 && v == n_rows / 3);

                    in->y[c * n_rows + v] =
                        (uint16_t)((c % 2 ? is_spike : !is_spike) && !(at_end && c % 4 > 1)
                                       ? spans[k]
                                       : 0);
                }
            check_input("wide columns", in);
        }
}

/* Rows that are all as far from a sloped chord but for a fraction of 1/256 px, on both sides of
 * it; other rows are on it. */
TEST(near_ties_on_slopes)
{
    for (uint32_t k = 0; k < (small ? 4 : 40); k++) {
        const struct bench_words r = bench_philox(777, k, 0, 0, 0);
        const int n_rows = 2 + (int)bench_below(r.word[0], k % 4 ? 1200 : 6000), n_cols = 8;
        const int distance = 8 + (int)bench_below(r.word[1], 3000), length = n_rows - 1;
        const struct rdp_input *const in =
            new_input(1, n_cols, n_rows, (uint32_t)distance - 3 + bench_below(r.word[2], 6), V);

        for (int c = 0; c < n_cols; c++) {
            const int dy = (int)draw(778, k, (uint32_t)c, 20001) - 10000;

            for (int v = 0; v < n_rows; v++) {
                const uint32_t any = draw(779 + k, (uint32_t)c, (uint32_t)v, 64);
                const int chord = 30000 * length + dy * v, down = chord / length;
                const int up = (chord + length - 1) / length;
                const int side = v == 0 || v == length || any >= 4u << (c / 2) ? 0
                                 : any % 2                                     ? 1
                                                                               : -1;

                in->y[c * n_rows + v] =
                    (uint16_t)(side > 0 ? up + distance : down + side * distance);
            }
        }
        check_input("near ties", in);
    }
}

/* The first row of the first plateau is cut, however many rows are as high. */
TEST(plateaus)
{
    for (uint32_t k = 0; k < (small ? 3 : 30); k++) {
        const int n_rows = 100 + (int)draw(41, k, 0, 1500), n_cols = 6;
        const struct rdp_input *const in = new_input(1, n_cols, n_rows, PX, k % 2 ? P : V);

        for (int c = 0; c < n_cols; c++) {
            const int first = 1 + (int)draw(42, k, (uint32_t)c, (uint32_t)n_rows - 2);
            const int rows = 1 + (int)draw(43, k, (uint32_t)c, (uint32_t)n_rows - 2);

            for (int v = 0; v < n_rows; v++) {
                const int is_high = v >= first && v < first + rows && v < n_rows - 1;

                in->y[c * n_rows + v] =
                    (uint16_t)(c > 2 && v % 7 == 3 ? X : (is_high != (v % 97 == 0)) * 20 * PX);
            }
        }
        check_input("plateaus", in);
    }
}

/* ---- comparison ---- */

static void assert_difference(const struct rdp_output *right, const struct rdp_output *wrong,
                              size_t n_wrong, const char *where)
{
    struct bench_difference difference = {0};

    rdp_problem.compare(NULL, NULL, right, wrong, &difference);
    assert_int_equal(difference.n_wrong, n_wrong);
    assert_true((difference.max_error > 0) == (n_wrong > 0));
    assert_string_equal(difference.where, where);
}

TEST(compare_counts_and_names)
{
    const struct rdp_input *const in = new_input(2, 3, 40, PX, V);
    const struct rdp_output *right;
    struct rdp_output *wrong;

    memset(in->y, 0, 2 * 3 * 40 * sizeof *in->y);
    right = oracle_of(in);
    wrong = oracle_of(in);
    assert_difference(right, wrong, 0, "");
    /* frame 1, column 2, rows 35 and 62, the latter no row at all */
    wrong->kept[(1 * 3 + 2) * 2 + 1] ^= 1u << 3 | 1u << 30;
    wrong->rounds[5]++;
    assert_difference(right, wrong, 3,
                      "frame 1, column 2, row 35: kept, the reference does not keep it");
    wrong->kept[11] = right->kept[11];
    wrong->kept[10] = 0; /* without row 0 */
    assert_difference(right, wrong, 2,
                      "frame 1, column 2, row 0: not kept, the reference keeps it");
    wrong->kept[10] = right->kept[10];
    wrong->segments[4] = INT32_MIN;
    assert_difference(right, wrong, 2,
                      "frame 1, column 1: -2147483648 segments, the reference has 1");
    wrong->n_cols = 2;
    assert_difference(right, wrong, 1, "an output of 2 x 2 x 40, the reference has 2 x 3 x 40");
    wrong->n_cols = 3;
}

/* ---- eps ---- */

/* The perpendicular rule is compared in two words of 64 bits: with one of 128 it is the same at
 * the limit, a step below and above, and anywhere. */
TEST(perpendicular_rule_in_128_bits)
{
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

TEST(epsilon_in_256ths)
{
    static const struct {
        double px;
        uint32_t expected;
    } cases[] = {{0, 0},
                 {4, 1024},
                 {4.00390625, 1025},
                 {255.9921875, 65534},
                 {256, RDP_MAX_EPSILON},
                 {1e300, RDP_MAX_EPSILON}};
    static const double bad[] = {-1, (double)NAN, (double)INFINITY, 4.001};
    uint32_t e = 0;

    for (int i = 0; i < N_OF(cases); i++) {
        assert_int_equal(rdp_epsilon(cases[i].px, &e), BENCH_OK);
        assert_int_equal(e, cases[i].expected);
    }
    for (int i = 0; i < N_OF(bad); i++)
        assert_int_equal(rdp_epsilon(bad[i], &e), BENCH_EINPUT);
    assert_int_equal(e, RDP_MAX_EPSILON);
    assert_string_equal(bench_failure(),
                        "eps expects a multiple of 1/256 px, found 4.001; its neighbours are 4 "
                        "and 4.00390625");
}

/* ---- shapes of inputs and outputs ---- */

TEST(impossible_sizes)
{
    static const struct {
        int n_frames, n_cols, n_rows;
        enum bench_status status;
    } cases[] = {{1, 1, 0, BENCH_EINPUT},
                 {1, 0, 1, BENCH_EINPUT},
                 {0, 1, 1, BENCH_EINPUT},
                 {INT32_MAX, INT32_MAX, RDP_MAX_ROWS, BENCH_ENOMEM},
                 {1, 1, RDP_MAX_ROWS + 1, BENCH_EINPUT}};
    struct rdp_input *in = NULL;

    for (int i = 0; i < N_OF(cases); i++) {
        assert_int_equal(
            rdp_input_new(cases[i].n_frames, cases[i].n_cols, cases[i].n_rows, &in),
            cases[i].status);
        assert_null(in);
    }
    assert_non_null(strstr(bench_failure(), "16385"));
    rdp_problem.free_input(NULL);
    rdp_problem.free_output(NULL);
}

TEST(transposition)
{
    static const int sizes[][2] = {{1, 1},   {1, 9},    {9, 1},    {7, 7},    {8, 8},
                                   {16, 24}, {17, 531}, {531, 17}, {64, 600}, {139, 261}};

    for (int k = 0; k < N_OF(sizes); k++) {
        const int n_rows = sizes[k][0], n_cols = sizes[k][1];
        struct rdp_input *in = new_input(2, n_cols, n_rows, 0, V);
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
    }
}

enum { WIDE = 5, HIGH = 3, PIXELS = WIDE * HIGH };

static struct rdp_input *input_of(const char *const *pairs, const struct plane *const *frames)
{
    const struct bench_params params = params_with(&rdp_problem, pairs);
    void *input;

    assert_int_equal(rdp_problem.make_input(&params, frames, 2, &input), BENCH_OK);
    return keep(input, rdp_problem.free_input);
}

TEST(input_from_planes)
{
    static const char *const own_size[] = {"eps", "2.5", "distance", "perpendicular", NULL};
    static const char *const resized[] = {"width", "7",        "height",  "4", "median",
                                          "3",     "resample", "nearest", NULL};
    const struct bench_params params = params_with(&rdp_problem, own_size);
    uint16_t pixels[3][2 * PIXELS], right[2][PIXELS];
    struct plane a = {.width = WIDE, .height = HIGH, .disparity = pixels[0], .name = "first"};
    struct plane b = {.width = WIDE, .height = HIGH, .disparity = pixels[1], .name = "second"};
    const struct plane c = {
        .width = WIDE + 1, .height = HIGH, .disparity = pixels[2], .name = "third"};
    const struct plane *const same[2] = {&a, &b}, *const different[2] = {&c, &b};
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    struct rdp_input *in;
    void *input;

    for (int i = 0; i < 3 * 2 * PIXELS; i++)
        pixels[i / (2 * PIXELS)][i % (2 * PIXELS)] = (uint16_t)(1000 + 10 * i);
    for (int i = 0; i < 2 * PIXELS; i++)
        right[i / PIXELS][i % PIXELS] = (uint16_t)(100 + i);
    b.disparity[0] = X;
    in = input_of(own_size, same);
    assert_true(in->n_frames == 2 && rdp_problem.n_frames(in) == 2);
    assert_true(in->n_cols == WIDE && in->n_rows == HIGH);
    assert_true(in->epsilon_q8 == 640 && in->distance == P);
    assert_null(in->truth); /* no frame has one */
    assert_memory_equal(in->image, a.disparity, PIXELS * sizeof(uint16_t));
    assert_int_equal(rdp_problem.input_blocks(in, blocks), 3);
    assert_int_equal(blocks[0].bytes, 60);
    assert_ptr_equal(blocks[0].data, in->y);
    assert_ptr_equal(blocks[1].data, in->image);
    assert_int_equal(blocks[2].bytes, 20);
    for (int again = 0; again < 2; again++) { /* ingest brings y back from the image */
        for (int i = 0; i < PIXELS; i++)
            assert_int_equal(in->y[PIXELS + i], b.disparity[i % HIGH * WIDE + i / HIGH]);
        memset(in->y, POISON, blocks[0].bytes);
        rdp_problem.ingest(in, 1);
    }

    a.truth = right[0];
    assert_null(input_of(own_size, same)->truth); /* not all have one */
    b.truth = right[1];
    assert_memory_equal(input_of(own_size, same)->truth, right, sizeof right);
    assert_null(input_of(resized, same)->truth); /* none for frames that are resampled */
    in = input_of(resized, different);
    assert_true(in->n_cols == 7 && in->n_rows == 4);
    assert_int_equal(in->image[7 * 4], X); /* stays invalid through median and resampling */
    assert_int_equal(in->y[7 * 4], X);

    assert_int_equal(rdp_problem.make_input(&params, different, 2, &input), BENCH_EINPUT);
    assert_null(input);
    assert_non_null(strstr(bench_failure(), "third"));
    assert_non_null(strstr(bench_failure(), "give width and height"));
    assert_int_equal(rdp_problem.make_input(&params, same, 0, &input), BENCH_EINPUT);
}

/* ---- the count and the values of one column worked out by hand ---- */

/* 1/2 px off the first segment; an invalid column with one value beside it */
static const uint16_t example[2][8] = {{0, PX / 2, 0, 0, 8 * PX, 8 * PX, 8 * PX, 8 * PX},
                                       {X, X, X, X, X, X, X, 5 * PX}};

/* The values are caught where rdp/measure.c hands them over: a second copy of it, with a sink
 * of our own. */
sum_hook our_sum;
values_hook our_values;
#define bench_value collect_value
#define rdp_sum     our_sum
#define rdp_values  our_values
#include "harness/problems/rdp/measure.c"
#undef bench_value
#undef rdp_sum
#undef rdp_values

/* Of what the oracle makes of an input, n times. */
static struct bench_sink measured(const struct rdp_input *in, int n)
{
    const void *const inputs[2] = {in, in}, *const one = oracle_of(in),
                      *const outputs[2] = {one, one};
    struct bench_sink sink = {0};

    assert_int_equal(values_of(our_sum, our_values, inputs, outputs, outputs, n, &sink),
                     BENCH_OK);
    return sink;
}

TEST(values_by_hand)
{
    static const struct expected expected[] = {
        {"segments", 1.5},
        {"segments_sd", 1.5},
        {"rounds_mean", 2},
        {"rounds_sd", 1},
        {"rounds_max", 3},
        {"rounds_hist[1]", 50},
        {"rounds_hist[2]", 0},
        {"rounds_hist[3]", 50},
        {"useful_pct[1]", 100},
        {"useful_pct[2]", 43.75}, /* 7 of 8 rows, and none of 8 */
        {"useful_pct[3]", 18.75},
        {"rms_error_px", 0.17677669529663687}, /* sqrt(0.25 / 8) */
        {"mean_abs_error_px", 0.0625},
        {"max_error_px", 0.5},
        {"d1_to_input_pct", 0},
        {"invalid_pct", 43.75},
        {"pixels_per_segment", 16 / 3.0},
        {"compression", 2.25},
        {"points_visited", 13},
        {"nodes_visited", 4}, /* one of the five nodes of `example` has no inner row */
        {NULL, 0},
    };
    const struct rdp_input *const in = new_input(1, 2, 8, PX, V);
    struct bench_work work;
    uint64_t count;

    memcpy(in->y, example, sizeof example);
    for (int n = 1; n <= 2; n++) { /* the same frame twice has the same means */
        const struct bench_sink sink = measured(in, n);

        assert_int_equal(sink.n, N_OF(expected) - 1);
        assert_values(&sink, expected);
    }
    assert_int_equal(rdp_problem.rank(in, &count), BENCH_OK);
    assert_int_equal(count, 13);
    rdp_problem.count_work(in, oracle_of(in), &work);
    assert_true(work.bytes == 2 * 8 * 2 + 2 * 4 + 2 * 4 + 2 * 4);
    assert_true(work.ops == 13);
}

/* Against the truth, and against the input; eps is 5 px.  Column 0 is one line from 10 to 17
 * px.  Column 1 begins at row 2 and ends at row 6; rows 4 and 5 are kept between.  Column 2 has
 * no line at all. */
TEST(outliers_by_hand)
{
    static const uint16_t y[3][8] = {
        {10 * PX, 11 * PX, 16 * PX, X, 14 * PX, 15 * PX, 16 * PX, 17 * PX},
        {X, X, 40 * PX, X, 60 * PX, 40 * PX, 40 * PX, X},
        {X, X, X, X, X, X, X, X},
    };
    static const uint16_t truth[3][8] = {
        /* 1: off by 4; 2, 3: right, other than the input; 5: off by 3, which is allowed; 7: by
         * more */
        {10 * PX, 15 * PX, 12 * PX, 13 * PX, X, 18 * PX, 16 * PX, 20 * PX + 1},
        /* 1, 7: no line; 3: right, other than the input; 4: the input is kept and off by 20 */
        {X, 40 * PX, 40 * PX, 50 * PX, 40 * PX, X, 40 * PX, 40 * PX},
        {X, X, X, X, X, X, X, 5 * PX},
    };
    struct rdp_input *const in = new_input(2, 3, 8, 5 * PX, V);
    struct bench_sink sink;

    in->truth = malloc(2 * 3 * 8 * sizeof *in->truth);
    assert_non_null(in->truth);
    for (int u = 0; u < 3; u++)
        for (int v = 0; v < 8; v++) {
            /* a second frame that is right everywhere: no truth of the first is taken for it */
            in->y[u * 8 + v] = y[u][v];
            in->y[(3 + u) * 8 + v] = 7 * PX;
            in->truth[v * 3 + u] = truth[u][v];
            in->truth[24 + v * 3 + u] = 7 * PX;
        }
    sink = measured(in, 1);
    assert_values(&sink, VALUES({"d1_pct", 100 * (2 + 3 + 1) / 38.0},
                                {"input_d1_all_pct", 100 * (4 + 4 + 1) / 38.0},
                                {"d1_to_input_pct", 100 * 1 / 35.0}));
}

/* Where nothing is valid, ratios without a denominator are left out; the sink takes finite
 * values alone. */
TEST(values_of_an_empty_frame)
{
    const struct rdp_input *const in = new_input(1, 2, 8, PX, V);
    struct bench_sink sink;

    memset(in->y, 0xFF, sizeof example);
    sink = measured(in, 1);
    assert_values(&sink, VALUES({"compression", ABSENT}, {"pixels_per_segment", ABSENT},
                                {"invalid_pct", 100}));
}

int main(void)
{
    return run_variant_tests();
}
