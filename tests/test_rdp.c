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

/* Returns the oracle's output. */
static struct rdp_output *oracle_of(const struct rdp_input *in)
{
    struct rdp_output *const out = new_guarded(&rdp_problem, in);

    for (size_t c = 0; c < (size_t)in->n_frames * (size_t)in->n_cols; c++)
        oracle_column(in, c, out);
    check_guards(&rdp_problem, "the oracle", out);
    return out;
}

/* ---- driving a variant ---- */

/* All variants on 'in' against the oracle, whose output is returned. */
static const struct rdp_output *check_input(const char *what, const struct rdp_input *in)
{
    const struct rdp_output *const expected = oracle_of(in);
    const size_t n_rows = (size_t)in->n_rows, n_cols = (size_t)in->n_cols;
    char text[128];

    if (small && (n_rows > 4095 || n_cols * n_rows > 8192 || is_enough(0, in->n_rows, 3)))
        return expected;
    /* the tests fill y; a variant that transposes by itself reads the image */
    for (size_t i = 0, n = n_rows * n_cols; i < (size_t)in->n_frames * n; i++)
        in->image[i / n * n + i % n_rows * n_cols + i % n / n_rows] = in->y[i];
    snprintf(text, sizeof text, "%s, %d x %d x %d, eps %u/256", what, in->n_frames, in->n_cols,
             in->n_rows, in->epsilon_q8);
    check_all(&rdp_problem, (struct bench_params){0}, text, in, expected, 0);
    return expected;
}

/* An input whose rows are those of a function of the test's case, the column and the row. */
static struct rdp_input *columns(int k, int n_cols, int n_rows, uint32_t epsilon_q8,
                                 enum rdp_distance distance,
                                 int (*value)(uint32_t k, int c, int v, int n_rows))
{
    struct rdp_input *const in = new_input(1, n_cols, n_rows, epsilon_q8, distance);

    for (int i = 0; i < n_cols * n_rows; i++)
        in->y[i] = (uint16_t)value((uint32_t)k, i / n_rows, i % n_rows, n_rows);
    return in;
}

/* ---- shapes ---- */

enum shape {
    RAMP,
    LOWEST,
    HIGHEST,
    FULL_STEPS, /* 0 and 65534 in turns: the largest numerators */
    ONE_STEP,
    SPIKE_FIRST,
    SPIKE_LAST,
    LOPSIDED, /* always cut next to the first row: as deep as the column is long */
    BACKWARDS,
    NOISE,
    FEW_VALUES, /* many ties */
    FAINT,      /* 1/256 px: the smallest numerators, which eps = 0 keeps */
    HOLES,
    MOSTLY_HOLES,
    N_SHAPES
};

static int shape_value(uint32_t shape, int v, int n_rows, uint64_t seed)
{
    const uint32_t row = (uint32_t)v;
    const int up = shape == BACKWARDS ? n_rows - 1 - v : v, far = 32767 - 32000 * up / n_rows;
    const int any = (int)draw(seed, 0, row, RDP_MAX_VALUE + 1);
    const int value[N_SHAPES] = {
        [RAMP] = 3 * v,
        [HIGHEST] = RDP_MAX_VALUE,
        [FULL_STEPS] = v % 2 * RDP_MAX_VALUE,
        [ONE_STEP] = (v >= n_rows / 2) * RDP_MAX_VALUE,
        [SPIKE_FIRST] = (v == 1) * RDP_MAX_VALUE,
        [SPIKE_LAST] = (v == n_rows - 2) * RDP_MAX_VALUE,
        [LOPSIDED] = 32767 + (v % 2 ? far : -far),
        [BACKWARDS] = 32767 + (up % 2 ? far : -far),
        [NOISE] = any,
        [FEW_VALUES] = 2 * PX * (any % 4),
        [FAINT] = any % 2,
        [HOLES] = draw(seed, 2, row, 4) == 0 ? X : any % (8 * PX),
        [MOSTLY_HOLES] = draw(seed, 4, row, 40) != 0 ? X : any % (8 * PX),
    };

    return value[shape];
}

static int every_shape(uint32_t k, int c, int v, int n_rows)
{
    (void)k;
    return shape_value((uint32_t)c, v, n_rows, (uint64_t)n_rows);
}

static int one_shape(uint32_t shape, int c, int v, int n_rows)
{
    (void)c;
    return shape_value(shape, v, n_rows, 99);
}

/* All shapes beside each other. */
TEST(shapes_at_heights)
{
    static const int heights[] = {1,  2,  3,  4,  15, 16, 17,  18,  31,
                                  32, 33, 63, 64, 65, 66, 100, 375, 1024};
    static const uint32_t epsilons[] = {0, 4 * PX, 40 * PX};

    for (int h = 0; h < N_OF(heights); h++)
        for (int k = 0; k < 6; k++)
            check_input("all shapes", columns(k, N_SHAPES, heights[h], epsilons[k / 2],
                                              k % 2 ? P : V, every_shape));
}

/* One column each.  Nothing may depend on the depth of the tree being small. */
TEST(long_columns)
{
    static const struct {
        enum shape shape;
        int n_rows, epsilon_q8;
    } cases[] = {{FULL_STEPS, RDP_MAX_ROWS, 65533},
                 {FULL_STEPS, RDP_MAX_ROWS, 4 * PX},
                 {ONE_STEP, RDP_MAX_ROWS, 0},
                 {SPIKE_LAST, RDP_MAX_ROWS, 4 * PX},
                 {NOISE, RDP_MAX_ROWS, 4 * PX},
                 {MOSTLY_HOLES, RDP_MAX_ROWS, 4 * PX},
                 {LOPSIDED, 8192, 0},
                 {BACKWARDS, 8192, 0}};

    for (int k = 0; k < N_OF(cases); k++) {
        const struct rdp_output *const out =
            check_input("a long column", columns((int)cases[k].shape, 1, cases[k].n_rows,
                                                 (uint32_t)cases[k].epsilon_q8, V, one_shape));

        assert_true(out->rounds[0] > (cases[k].n_rows == 8192 ? 8000 : 0));
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

/* ---- ties ---- */

/* Spikes of one height on a flat column, from one in four rows to one in 128; every third
 * column has holes. */
static int spikes(uint32_t k, int c, int v, int n_rows)
{
    const struct bench_words r = bench_philox(1900 + k, (uint32_t)v, (uint32_t)c, 0, 0);
    const int is_spike = v > 0 && v < n_rows - 1 && r.word[0] >> (30 - k % 6) == 0;

    return c % 3 == 2 && r.word[1] >> 29 == 0 ? X : is_spike ? 30 * PX : 10 * PX;
}

/* They are equally far from each chord between two of them.  The first must be the cut, down
 * the whole tree, also where the others are in a later vector, group of vectors, lane or
 * stride. */
TEST(ties_near_and_far)
{
    static const int sizes[] = {40, 129, 600, 1024};

    for (int k = 0; k < 24; k += small ? 5 : 1)
        check_input("spikes of one height",
                    columns(k, small ? 6 : 12, sizes[k / 6], PX, k % 4 == 3 ? P : V, spikes));
}

/*
 * Columns that 16 bits alone would cut at the wrong row, or at none. rdp/cpu-simd looks at a
 * row again whose distance in 16 bits is at most 2 below the greatest.  In the first cases two
 * are 2 apart, the wrong way round: row m is farther than row j by less than 1/256 px, but
 * seems nearer by 2.  The other rows lie on two lines that meet below m, so that a column that
 * is cut at j keeps other rows.  In the others row m alone is farther than eps by less than
 * 1/256 px, but seems nearer by 1.  Each case is such in vectors of a size of its own, and was
 * found by a search.
 */
static const struct {
    int length, dy, m, j, below; /* below: px / 256 of the meeting lines */
} bounds[] = {
    {11675, -235, 10881, 3379, 900}, /* 512 and 256 bits */
    {7610, -2928, 5089, 590, 900},   /* 128 bits */
    {11675, -235, 10881, -1, 0},     /* in 512, 256 and 128 bits */
    {11675, -235, 7105, -1, 0},      {11675, -235, 5217, -1, 0},
};

static int at_bound(uint32_t k, int c, int v, int n_rows)
{
    const int m = bounds[k].m, length = bounds[k].length;
    /* rounded up, as the distances of m and j are */
    const int chord = 20000 - -bounds[k].dy * v / length;

    (void)c;
    (void)n_rows;
    if (v == m || v == bounds[k].j)
        return chord + 1000;
    return chord + bounds[k].below * (v < m ? v : length - v) / (v < m ? m : length - m);
}

TEST(rows_at_the_bound)
{
    for (int k = 0; k < N_OF(bounds); k++)
        for (uint32_t eps = bounds[k].below ? 995 : 1000; eps != 996 && eps < 1002; eps++) {
            const struct rdp_output *const out = check_input(
                "a row at the bound", columns(k, 1, bounds[k].length + 1, eps, V, at_bound));

            assert_int_equal(out->segments[0], eps > 1000 ? 1 : 2);
            assert_int_equal(rdp_is_kept(out->kept, bounds[k].m), eps <= 1000);
        }
}

/* Columns whose values are as far apart as 15, and 16, bits can say, and one more. */
static int wide_column(uint32_t k, int c, int v, int n_rows)
{
    static const int spans[] = {32765, 32766, 32767, 32768, 65533, 65534};
    const int at_end = c < 8 && (v == 0 || v == n_rows - 1);
    const int is_spike = v == n_rows / 2 + c || (c >= 4 && v == n_rows / 3);

    return (c % 2 == is_spike && !(at_end && c % 4 > 1)) * spans[k / 2];
}

TEST(widest_columns)
{
    for (int k = 0; k < 12; k++)
        check_input("wide columns",
                    columns(k, 12, k % 2 ? 1000 : 140, k % 2 ? PX : 0, V, wide_column));
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
    struct rdp_input *const in = new_input(2, 3, 40, PX, V);
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
    static const double px[] = {4, 4.00390625, 255.9921875, 256, 1e300, 4.001};
    static const uint32_t expected[N_OF(px)] = {1024, 1025, 65534, RDP_MAX_EPSILON,
                                                RDP_MAX_EPSILON}; /* 0: refused */
    uint32_t e = 1;

    assert_true(rdp_epsilon(0, &e) == BENCH_OK && e == 0);
    for (int i = 0; i < N_OF(px); i++) {
        e = 0;
        assert_int_equal(rdp_epsilon(px[i], &e), expected[i] ? BENCH_OK : BENCH_EINPUT);
        assert_int_equal(e, expected[i]);
    }
    assert_string_equal(bench_failure(),
                        "eps expects a multiple of 1/256 px, found 4.001; its neighbours are 4 "
                        "and 4.00390625");
}

/* ---- shapes of inputs and outputs ---- */

TEST(impossible_sizes)
{
    struct rdp_input *in = NULL;

    assert_int_equal(rdp_input_new(1, 1, 0, &in), BENCH_EINPUT);
    assert_null(in);
    assert_int_equal(rdp_input_new(INT32_MAX, INT32_MAX, RDP_MAX_ROWS, &in), BENCH_ENOMEM);
    assert_null(in);
    rdp_problem.free_input(NULL);
    rdp_problem.free_output(NULL);
}

TEST(transposition)
{
    static const int sizes[][2] = {{1, 1},   {1, 9},    {9, 1},    {7, 7},    {8, 8},
                                   {16, 24}, {17, 531}, {531, 17}, {64, 600}, {139, 261}};

    for (int k = 0; k < 2 * N_OF(sizes); k++) { /* by one thread, and by three */
        const int n_rows = sizes[k / 2][0], n_cols = sizes[k / 2][1], n = n_rows * n_cols;
        struct rdp_input *in = new_input(2, n_cols, n_rows, 0, V);

        for (int i = 0; i < 2 * n; i++)
            in->image[i] = (uint16_t)(i * 40503);
        memset(in->y, POISON, 2 * (size_t)n * sizeof *in->y);
        rdp_transpose(in, 1 + k % 2 * 2);
        for (int i = 0; i < 2 * n; i++)
            assert_int_equal(in->y[i / n * n + i % n_cols * n_rows + i % n / n_cols],
                             in->image[i]);
    }
}

enum { WIDE = 5, HIGH = 3, PIXELS = WIDE * HIGH };

static struct rdp_input *input_of(struct bench_params params, const struct plane *a,
                                  const struct plane *b)
{
    const struct plane *const frames[] = {a, b};
    void *input;

    assert_int_equal(rdp_problem.make_input(&params, frames, 2, &input), BENCH_OK);
    return keep(input, rdp_problem.free_input);
}

TEST(input_from_planes)
{
    const struct bench_params own =
        PARAMS_OF(rdp_problem, "eps", "2.5", "distance", "perpendicular");
    const struct bench_params resized = PARAMS_OF(rdp_problem, "width", "7", "height", "4",
                                                  "median", "3", "resample", "nearest");
    uint16_t pixels[3][2 * PIXELS], right[2][PIXELS];
    struct plane a = {.width = WIDE, .height = HIGH, .disparity = pixels[0], .name = "first"};
    struct plane b = {.width = WIDE, .height = HIGH, .disparity = pixels[1], .name = "second"};
    struct plane c = {
        .width = WIDE + 1, .height = HIGH, .disparity = pixels[2], .name = "third"};
    const struct plane *const different[2] = {&c, &b};
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    struct rdp_input *in;
    void *input;

    for (int i = 0; i < 3 * 2 * PIXELS; i++)
        pixels[i / (2 * PIXELS)][i % (2 * PIXELS)] = (uint16_t)(1000 + 10 * i);
    for (int i = 0; i < 2 * PIXELS; i++)
        right[i / PIXELS][i % PIXELS] = (uint16_t)(100 + i);
    b.disparity[0] = X;
    in = input_of(own, &a, &b);
    assert_true(in->n_frames == 2 && rdp_problem.n_frames(in) == 2 && in->n_cols == WIDE &&
                in->n_rows == HIGH && in->epsilon_q8 == 640 && in->distance == P);
    assert_null(in->truth); /* no frame has one */
    assert_memory_equal(in->image, a.disparity, PIXELS * sizeof(uint16_t));
    assert_int_equal(rdp_problem.input_blocks(in, blocks), 3);
    assert_true(blocks[0].bytes == 60 && blocks[2].bytes == 20);
    assert_true(blocks[0].data == in->y && blocks[1].data == in->image);
    for (int again = 0; again < 2; again++) { /* ingest brings y back from the image */
        for (int i = 0; i < PIXELS; i++)
            assert_int_equal(in->y[PIXELS + i], b.disparity[i % HIGH * WIDE + i / HIGH]);
        memset(in->y, POISON, blocks[0].bytes);
        rdp_problem.ingest(in, 1);
    }

    a.truth = right[0];
    assert_null(input_of(own, &a, &b)->truth); /* not all have one */
    b.truth = right[1];
    assert_memory_equal(input_of(own, &a, &b)->truth, right, sizeof right);
    assert_null(input_of(resized, &a, &b)->truth); /* none for frames that are resampled */
    in = input_of(resized, &c, &b);
    assert_true(in->n_cols == 7 && in->n_rows == 4);
    /* stays invalid through median and resampling */
    assert_true(in->image[7 * 4] == X && in->y[7 * 4] == X);

    assert_int_equal(rdp_problem.make_input(&own, different, 2, &input), BENCH_EINPUT);
    assert_null(input);
    assert_non_null(strstr(bench_failure(), "third"));
    assert_non_null(strstr(bench_failure(), "give width and height"));
    assert_int_equal(rdp_problem.make_input(&own, different, 0, &input), BENCH_EINPUT);
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

/* Returns the values of the oracle's output, n times. */
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
    const struct rdp_input *const in = new_input(1, 2, 8, PX, V);
    struct bench_sink sink;
    struct bench_work work;
    uint64_t count;

    memcpy(in->y, example, sizeof example);
    for (int n = 1; n <= 2; n++) { /* the same frame twice has the same means */
        sink = measured(in, n);
        assert_int_equal(sink.n, 20);
        assert_values(
            &sink,
            VALUES({"segments", 1.5}, {"segments_sd", 1.5}, {"rounds_mean", 2},
                   {"rounds_sd", 1}, {"rounds_max", 3}, {"rounds_hist[1]", 50},
                   {"rounds_hist[2]", 0}, {"rounds_hist[3]", 50}, {"useful_pct[1]", 100},
                   {"useful_pct[2]", 43.75}, /* 7 of 8 rows, and none of 8 */
                   {"useful_pct[3]", 18.75}, {"rms_error_px", sqrt(0.25 / 8)},
                   {"mean_abs_error_px", 0.0625}, {"max_error_px", 0.5}, {"d1_to_input_pct", 0},
                   {"invalid_pct", 43.75}, {"pixels_per_segment", 16 / 3.0},
                   {"compression", 2.25}, {"points_visited", 13},
                   {"nodes_visited", 4})); /* one of five nodes has no inner row */
    }
    assert_int_equal(rdp_problem.rank(in, &count), BENCH_OK);
    assert_int_equal(count, 13);
    rdp_problem.count_work(in, oracle_of(in), &work);
    assert_true(work.bytes == 2 * 8 * 2 + 2 * 4 + 2 * 4 + 2 * 4);
    assert_true(work.ops == 13);
    /* where nothing is valid, ratios have no denominator */
    memset(in->y, 0xFF, sizeof example);
    sink = measured(in, 1);
    assert_values(&sink, VALUES({"compression", ABSENT}, {"pixels_per_segment", ABSENT},
                                {"invalid_pct", 100}));
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

int main(void)
{
    return run_variant_tests();
}
