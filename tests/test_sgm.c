/*
 * test_sgm.c - every variant of sgm against a definition written down once more, and the
 * problem's own functions
 *
 * The oracle below shares nothing with the variants: it asks for the cost of a pixel on a path,
 * which asks for that of the pixel before it.  Pairs of few pixels have all keys by chance.
 */
#include "harness/inputs/scene.h"
#include "harness/inputs/views.h"
#include "harness/problems/chain.h"
#include "harness/problems/sgm/sgm.h"
#include "tests/expected.h"
#include "tests/variants.h"

#define X SGM_INVALID

/* ---- the oracle ---- */

static const struct sgm_input *pair; /* what it looks at */
static int *asked;                   /* [path][y][x][d]: a cost plus 1; 0: nobody has asked */

static int pixel(const uint8_t *image, int x, int y)
{
    return image[y * pair->n_cols + x];
}

static int oracle_cost(int x, int y, int d)
{
    const int hx = pair->half_x, hy = pair->half_y, r = x - d;
    const int sees[2] = {x >= hx && x < pair->n_cols - hx && y >= hy && y < pair->n_rows - hy,
                         r >= hx && r < pair->n_cols - hx && y >= hy && y < pair->n_rows - hy};
    int n = 0;

    for (int dy = -hy; dy <= 0; dy++)
        for (int dx = -hx; dx <= (dy < 0 ? hx : -1); dx++) {
            const int left = sees[0] && pixel(pair->left, x + dx, y + dy) >
                                            pixel(pair->left, x - dx, y - dy);
            const int right = sees[1] && pixel(pair->right, r + dx, y + dy) >
                                             pixel(pair->right, r - dx, y - dy);

            n += left != right;
        }
    return n;
}

static int oracle_path(int path, int x, int y, int d)
{
    static const int step[8][2] = {{1, 0}, {0, 1},  {-1, 0}, {0, -1},
                                   {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    const int n = pair->n_disparities, fx = x - step[path][0], fy = y - step[path][1];
    int *const known = asked + ((path * pair->n_rows + y) * pair->n_cols + x) * n + d;
    int least = 1 << 20, best;

    if (*known > 0)
        return *known - 1;
    *known = 1 + oracle_cost(x, y, d);
    if (fx < 0 || fx >= pair->n_cols || fy < 0 || fy >= pair->n_rows)
        return *known - 1;
    for (int i = 0; i < n; i++)
        least = oracle_path(path, fx, fy, i) < least ? oracle_path(path, fx, fy, i) : least;
    best = least + pair->p2;
    for (int i = d > 0 ? d - 1 : 0; i <= d + 1 && i < n; i++) {
        const int from = oracle_path(path, fx, fy, i) + (i == d ? 0 : pair->p1);

        best = from < best ? from : best;
    }
    *known += best - least;
    return *known - 1;
}

static int oracle_sum(int x, int y, int d)
{
    int sum = 0;

    for (int path = 0; path < pair->n_paths; path++)
        sum += oracle_path(path, x, y, d);
    return sum;
}

/* The best disparity of a pixel; of the right image where 'step' is 1. */
static int oracle_best(int x, int y, int step)
{
    int best = 0;

    for (int d = 1; d < pair->n_disparities && x + step * d < pair->n_cols; d++)
        if (oracle_sum(x + step * d, y, d) < oracle_sum(x + step * best, y, best))
            best = d;
    return best;
}

static int oracle_is_valid(int x, int y, int best)
{
    if (pair->lr_check >= 0 &&
        (x < best || abs(oracle_best(x - best, y, 1) - best) > pair->lr_check))
        return 0;
    for (int d = 0; d < pair->n_disparities; d++)
        if ((d < best - 1 || d > best + 1) &&
            pair->uniqueness * oracle_sum(x, y, d) < 100 * oracle_sum(x, y, best))
            return 0;
    return 1;
}

/* In 1/256 px.  The parabola through (-1, a), (0, b) and (1, c) is lowest at (a - c) / 2 (a -
 * 2 b + c), in exact doubles of few bits but for the division, which no half rounds wrong. */
static int oracle_value(int x, int y, int best)
{
    const int has_both = best > 0 && best < pair->n_disparities - 1;
    double a, b, c;

    if (!pair->subpixel || !has_both)
        return 256 * best;
    a = oracle_sum(x, y, best - 1);
    b = oracle_sum(x, y, best);
    c = oracle_sum(x, y, best + 1);
    return 256 * best +
           (a + c > 2 * b ? 16 * (int)floor(8 * (a - c) / (a - 2 * b + c) + 0.5) : 0);
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int oracle_disparity(int x, int y)
{
    const int best = oracle_best(x, y, 0);
    int around[9];

    if (!oracle_is_valid(x, y, best))
        return X;
    if (!pair->median || x == 0 || y == 0 || x == pair->n_cols - 1 || y == pair->n_rows - 1)
        return oracle_value(x, y, best);
    for (int i = 0; i < 9; i++)
        around[i] = oracle_value(x + i % 3 - 1, y + i / 3 - 1,
                                 oracle_best(x + i % 3 - 1, y + i / 3 - 1, 0));
    qsort(around, 9, sizeof *around, by_value);
    return around[4];
}

/* The output of an input of one frame. */
static struct sgm_output *oracle(const struct sgm_input *in)
{
    const size_t n = (size_t)in->n_cols * (size_t)in->n_rows * (size_t)in->n_disparities;
    struct sgm_output *const out = new_guarded(&sgm_problem, in);

    pair = in;
    asked = calloc(SGM_MAX_PATHS * n, sizeof *asked);
    assert_non_null(asked);
    for (int y = 0; y < in->n_rows; y++)
        for (int x = 0; x < in->n_cols; x++)
            out->disparity[y * in->n_cols + x] = (uint16_t)oracle_disparity(x, y);
    free(asked);
    return out;
}

/* ---- inputs ---- */

/* An input of planes that have these two views; the caller fills them. */
static struct sgm_input *new_input(struct bench_params params, int n_cols, int n_rows,
                                   int n_frames)
{
    struct plane plane = {.width = n_cols, .height = n_rows, .name = "made"};
    const struct plane *const frames[] = {&plane, &plane, &plane};
    void *in;

    for (int k = 0; k < 2; k++)
        plane.view[k] = calloc((size_t)n_cols, (size_t)n_rows);
    assert_int_equal(sgm_problem.make_input(&params, frames, n_frames, &in), BENCH_OK);
    plane_free(&plane);
    return keep(in, sgm_problem.free_input);
}

/* One value of each key by chance; the first rounds are all defaults but for 64 disparities. */
static struct bench_params some_params(uint64_t round)
{
    static const char *const values[][5] = {
        {"paths", "2", "4", "8", "8"},           {"p1", "10", "0", "7", "96"},
        {"p2", "96", "224", "97", "120"},        {"census", "9x7", "5x5", "5x5", "9x7"},
        {"lr_check", "1", "-1", "0", "3"},       {"uniqueness", "95", "100", "1", "80"},
        {"subpixel", "0", "1", "1", "1"},        {"median", "3", "0", "3", "0"},
        {"disparities", "64", "64", "64", "128"}};
    const char *pairs[2 * N_OF(values) + 1] = {NULL};

    for (int i = 0; i < N_OF(values); i++) {
        pairs[2 * i] = values[i][0];
        pairs[2 * i + 1] = values[i][1 + draw(77, (uint32_t)round, (uint32_t)i, 4)];
    }
    return params_with(&sgm_problem, pairs);
}

/* Levels of a kind: noise, few levels (ties), bands that move by two numbers of pixels, so that
 * paths disagree, none, equal. */
static void fill_pair(struct sgm_input *in, uint64_t seed)
{
    const int kind = (int)(seed % 5), shift = (int)draw(seed, 0, 0, 9);
    const size_t n = sgm_frame_pixels(in) * (size_t)in->n_frames;

    for (size_t i = 0; i < n; i++) {
        const uint32_t levels = kind == 1 ? 3 : kind == 3 ? 1 : 256;

        in->left[i] = (uint8_t)draw(seed, (uint32_t)i, 1, levels);
        in->right[i] = (uint8_t)draw(seed, (uint32_t)i, 2, levels);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t width = (size_t)in->n_cols,
                     by = kind == 2 ? (size_t)shift + i / width / 12 % 2 * 5 : 0;

        if ((kind == 2 || kind == 4) && i % width + by < width)
            in->right[i] = in->left[i + by];
    }
}

static struct sgm_input *frame_of(const struct sgm_input *in, struct bench_params params,
                                  int frame)
{
    struct sgm_input *const one = new_input(params, in->n_cols, in->n_rows, 1);
    const size_t n = sgm_frame_pixels(in);

    memcpy(one->left, in->left + (size_t)frame * n, n);
    memcpy(one->right, in->right + (size_t)frame * n, n);
    return one;
}

/* ---- variants ---- */

TEST(random_pairs)
{
    static const int size[][2] = {{1, 1}, {2, 9},   {9, 2},  {9, 7},  {10, 8},  {13, 1},
                                  {5, 5}, {23, 17}, {70, 9}, {33, 8}, {37, 11}, {131, 7}};
    const int n_rounds = small ? 12 : 60;

    for (int round = 0; round < n_rounds; round++) {
        const struct bench_params params = some_params((uint64_t)round);
        const int n_frames = round % 7 == 6 ? 3 : 1;
        const int *const s = size[round % N_OF(size)];
        struct sgm_input *const in = new_input(params, s[0], s[1], n_frames);
        struct sgm_output *const expected = new_guarded(&sgm_problem, in);
        const size_t n = sgm_frame_pixels(in);

        fill_pair(in, (uint64_t)round);
        for (int k = 0; k < n_frames; k++)
            memcpy(expected->disparity + (size_t)k * n,
                   oracle(frame_of(in, params, k))->disparity, n * sizeof(uint16_t));
        check_all(&sgm_problem, params, "a random pair", in, expected, 0);
    }
}

/* More rows than a team has threads, all disparities by all paths by what is chosen, of sizes
 * that a GPU variant divides in its own ways: against the reference.  The last three: path
 * costs of which two, or one, fill a byte.  Noise, ties, and bands. */
TEST(larger_pairs)
{
    static const char *const disparities[] = {"64", "128", "256"}, *const paths[] = {"2", "4",
                                                                                     "8"};
    static const struct {
        const char *lr_check, *uniqueness, *subpixel;
    } choice[] = {{"-1", "100", "0"}, {"1", "95", "0"}, {"3", "95", "1"}, {"1", "95", "1"}};
    static const char *const p2[] = {"224", "140", "224"};
    /* columns, rows, kind of levels */
    static const int shape[][3] = {
        {257, 19, 1}, {130, 33, 2}, {311, 14, 5}, {19, 151, 2}, {641, 12, 5}};

    for (int round = 0; round < 30; round += small ? 4 : 1) {
        const int c = round / 9, *const s = shape[round % N_OF(shape)];
        const struct bench_params params = PARAMS_OF(
            sgm_problem, "disparities", disparities[round % 3], "p1", c == 0 ? "1" : "10",
            "paths", paths[c == 3 ? 2 : round / 3 % 3], "lr_check", choice[c].lr_check,
            "uniqueness", choice[c].uniqueness, "subpixel", choice[c].subpixel, "p2",
            c < 3 ? "96" : p2[round % 3], "census", c < 3 && round % 4 == 3 ? "5x5" : "9x7");
        struct sgm_input *const in = new_input(params, s[0], s[1], 1 + (round == 13));
        struct sgm_output *const expected = new_guarded(&sgm_problem, in), *const once =
                                                                               new_guarded(
                                                                                   &sgm_problem,
                                                                                   in);

        fill_pair(in, (uint64_t)s[2]);
        assert_true(
            drive_twice(bench_find_impl("sgm/serial"), &params, 1, NULL, in, expected, once));
        check_all(&sgm_problem, params, "a larger pair", in, expected, 0);
    }
}

/* Whole pairs whose disparity is known: nothing in them, equal views, views that are moved. */
TEST(pairs_by_hand)
{
    for (int shift = -1; shift < 12; shift += 4) { /* -1: flat */
        const struct bench_params params = PARAMS_OF(sgm_problem, "disparities", "64");
        struct sgm_input *const in = new_input(params, 120, 30, 1);
        struct sgm_output *const expected = oracle(in);

        for (int i = 0; shift >= 0 && i < 120 * 30; i++)
            in->left[i] = in->right[i] = (uint8_t)draw(1, (uint32_t)i, 0, 256);
        for (int i = 0; shift >= 0 && i + shift < 120 * 30; i++)
            in->right[i] = in->left[i + shift];
        memcpy(expected->disparity, oracle(in)->disparity, 120 * 30 * sizeof(uint16_t));
        for (int y = 3; y < 27; y++)
            for (int x = 20; x < 110; x++)
                assert_int_equal(expected->disparity[y * 120 + x], shift > 0 ? shift * 256 : 0);
        check_all(&sgm_problem, params, "a pair by hand", in, expected, 0);
    }
}

/* ---- arithmetic ---- */

TEST(sixteenths_by_hand)
{
    static const int cases[][4] = {
        {5, 5, 5, 0},   {9, 5, 9, 0},    {5, 5, 9, -8},  {9, 5, 5, 8},
        {9, 5, 7, 3},   {7, 5, 9, -3}, /* 8/3 = 2.67 */
        {21, 5, 20, 0}, {2040, 0, 0, 8}, {17, 0, 15, 1}, {15, 0, 17, 0} /* halves upwards */};

    for (int i = 0; i < N_OF(cases); i++)
        assert_int_equal(sgm_sixteenths(cases[i][0], cases[i][1], cases[i][2]), cases[i][3]);
}

/* All values that are 0 or 1 are enough, by the zero-one principle. */
TEST(median_of_nine)
{
    for (int bits = 0; bits < 512; bits++) {
        uint16_t v[9];

        for (int i = 0; i < 9; i++)
            v[i] = (uint16_t)(bits >> i & 1);
        assert_int_equal(sgm_median(v), __builtin_popcount((unsigned)bits) > 4);
    }
}

/* ---- the problem ---- */

TEST(middle_of_a_frame)
{
    uint8_t left[5 * 4], right[5 * 4];
    uint16_t truth[5 * 4];
    struct plane plane = {
        .width = 5, .height = 4, .name = "made", .view = {left, right}, .truth = truth};
    const struct plane *const frames[] = {&plane};
    struct bench_params params = PARAMS_OF(sgm_problem, "width", "2", "height", "3");
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    void *input;

    for (int i = 0; i < 20; i++) {
        left[i] = (uint8_t)i;
        right[i] = (uint8_t)(100 + i);
        truth[i] = (uint16_t)(1000 + i);
    }
    assert_int_equal(sgm_problem.make_input(&params, frames, 1, &input), BENCH_OK);
    const struct sgm_input *const in = keep(input, sgm_problem.free_input);
    for (int i = 0; i < 6; i++) { /* from row 0, column 1 */
        assert_int_equal(in->left[i], i / 2 * 5 + 1 + i % 2);
        assert_int_equal(in->right[i], 101 + i / 2 * 5 + i % 2);
        assert_int_equal(in->truth[i], 1001 + i / 2 * 5 + i % 2);
    }
    assert_int_equal(sgm_problem.input_blocks(in, blocks), 3); /* the truth is in none */
    assert_true(is_in_blocks(&sgm_problem, in, &in->median));
    assert_false(is_in_blocks(&sgm_problem, in, in->truth));
}

TEST(what_is_no_pair)
{
    static uint8_t level[9];
    static uint16_t map[9];
    struct plane plane = {.width = 3, .height = 3, .name = "made", .view = {level, level}};
    const struct plane *const frames[] = {&plane};
    struct bench_params params = PARAMS_OF(sgm_problem, "width", "4");
    void *in;

    assert_int_equal(sgm_problem.make_input(&params, frames, 1, &in), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "4 x 3 pixels are to be taken of made"));
    params = PARAMS_OF(sgm_problem, NULL);
    plane.view[1] = NULL;
    plane.disparity = map;
    assert_int_equal(sgm_problem.make_input(&params, frames, 1, &in), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "made has no two views"));
    assert_null(in);
    params = PARAMS_OF(sgm_problem, "p1", "8", "p2", "7");
    assert_int_equal(sgm_problem.check(&params), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "p1 expects at most p2, which is 7, found 8"));
    params = PARAMS_OF(sgm_problem, "p1", "7", "p2", "7");
    assert_int_equal(sgm_problem.check(&params), BENCH_OK);
}

/* The other problems take no frame without a map. */
TEST(views_are_no_map)
{
    static uint8_t level[9];
    const struct plane plane = {
        .width = 3, .height = 3, .name = "made", .view = {level, level}};
    const struct plane *const frames[] = {&plane};
    int n_refused = 0;

    for (int i = 0; bench_problems[i]; i++) {
        const struct bench_problem *const problem = bench_problems[i];
        const struct bench_params params = params_with(problem, (const char *const[]){NULL});
        void *in = NULL;

        if (chain_of(problem)) /* it takes views, and larger ones */
            continue;
        if (problem->make_input(&params, frames, 1, &in) != BENCH_EINPUT) { /* it takes views */
            problem->free_input(in);
            continue;
        }
        assert_non_null(strstr(bench_failure(), "made is a pair of views"));
        assert_null(in);
        n_refused++;
    }
    assert_true(n_refused >= 3);
}

TEST(a_wrong_pixel_is_seen)
{
    const struct bench_params params = PARAMS_OF(sgm_problem, NULL);
    struct sgm_input *const in = new_input(params, 11, 8, 2);
    struct sgm_output *const right = new_guarded(&sgm_problem, in), *const wrong = new_guarded(
                                                                        &sgm_problem, in);
    struct bench_difference d = {0}, of_shape = {0}, other = {0};
    struct bench_work work = {0, 0};

    wrong->disparity[11 * 8 + 11 + 3] ^= 16;
    sgm_problem.compare(&params, in, right, right, &d);
    assert_int_equal(d.n_wrong, 0);
    assert_int_equal(d.n_compared, 2 * 11 * 8);
    sgm_problem.compare(&params, in, right, wrong, &d);
    assert_int_equal(d.n_wrong, 1);
    assert_string_equal(d.where, "frame 1, row 1, column 3: 42421/256 px, the reference has "
                                 "42405/256");
    right->disparity[0] = SGM_INVALID; /* what no matcher can find is wrong by any rule */
    for (int i = 0; i < 2 * 11 * 8; i++)
        wrong->disparity[i] = i < 3   ? SGM_INVALID
                              : i < 5 ? 128 * 256
                                      : right->disparity[i] & 255;
    wrong->disparity[5] = 128 * 256 + 1;
    sgm_problem.compare_other(&params, in, right, wrong, &other);
    assert_int_equal(other.n_compared, 2 * 11 * 8);
    assert_int_equal(other.n_different, 2 * 11 * 8 - 1);
    assert_int_equal(other.n_wrong, 1);
    assert_string_equal(other.where, "pixel 5: 32769/256 px, most is 128");
    wrong->n_cols--;
    sgm_problem.compare(&params, in, right, wrong, &of_shape);
    assert_int_equal(of_shape.n_wrong, 1);
    sgm_problem.count_work(in, right, &work);
    assert_true(work.bytes == 2 * 11 * 8 * 4 && work.ops == 2 * 11 * 8 * 128 * 4);
}

/* ---- values ---- */

sum_hook our_sum;
values_hook our_values;
#define bench_value collect_value
#define sgm_sum     our_sum
#define sgm_values  our_values
#include "harness/problems/sgm/measure.c"
#undef bench_value
#undef sgm_sum
#undef sgm_values

TEST(invalid_pixels_are_filled)
{
    static const uint16_t cases[][2][6] = {{{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}},
                                           {{X, X, 3, X, X, 2}, {3, 3, 3, 2, 2, 2}},
                                           {{5, X, 9, X, 4, X}, {5, 5, 9, 4, 4, 4}},
                                           {{X, X, X, X, X, X}, {X, X, X, X, X, X}}};

    for (int i = 0; i < N_OF(cases); i++) {
        uint16_t row[6];

        memcpy(row, cases[i][0], sizeof row);
        fill_row(row, 6);
        assert_memory_equal(row, cases[i][1], sizeof row);
    }
}

TEST(values_by_hand)
{
    enum { PX = 256 };
    const struct bench_params params = PARAMS_OF(sgm_problem, "disparities", "64");
    struct sgm_input *const in = new_input(params, 5, 2, 1);
    struct sgm_output *const out = new_guarded(&sgm_problem, in);
    const void *const inputs[] = {in, in}, *const outputs[] = {out, out};
    struct bench_sink of_none = {0}, sink = {0};
    static uint16_t truth[10] = {10 * PX, 10 * PX, 10 * PX, X, 100 * PX,
                                 20 * PX, 20 * PX, 20 * PX, 0, X};
    static const uint16_t found[10] = {10 * PX, 12 * PX + 128, X, X, 104 * PX, 16 * PX, X, X,
                                       X,       30 * PX};

    memcpy(out->disparity, found, sizeof found);
    assert_int_equal(values_of(our_sum, our_values, inputs, NULL, outputs, 2, &of_none),
                     BENCH_OK);
    assert_values(&of_none, VALUES({"density_pct", 50}, {"d1_pct", ABSENT},
                                   {"d1_valid_pct", ABSENT}, {"mean_abs_error_px", ABSENT}));
    in->truth = truth;
    assert_int_equal(values_of(our_sum, our_values, inputs, NULL, outputs, 2, &sink), BENCH_OK);
    in->truth = NULL;
    /* off by 0, 2.5, filled 2.5, 4 of 100; 4, filled 4 and 4, and 16 of 0 */
    assert_values(&sink, VALUES({"density_pct", 50}, {"d1_pct", 50}, {"bad2_pct", 87.5},
                                {"d1_valid_pct", 25}, {"bad2_valid_pct", 75},
                                {"mean_abs_error_px", 10.5 / 4}));
}

/* A generated pair is matched, its views the other way round are not, and are refused. */
TEST(swapped_views)
{
    const struct scene_options options = {360, 120, 3, SCENE_NORMAL, 0};
    struct plane plane;
    const struct plane *const frames[] = {&plane};

    assert_int_equal(scene_make(&options, &plane), BENCH_OK);
    assert_int_equal(views_draw(options.seed, &plane), BENCH_OK);
    /* the third is swapped, too, and few answers are unique enough: that says nothing */
    for (int round = 0; round < 3; round++) {
        const bool is_swapped = round == 1;
        const struct bench_params params =
            PARAMS_OF(sgm_problem, "uniqueness", round < 2 ? "95" : "50", NULL);
        struct bench_sink sink = {0};
        void *input, *out, *once;

        assert_int_equal(sgm_problem.make_input(&params, frames, 1, &input), BENCH_OK);
        keep(input, sgm_problem.free_input);
        out = new_guarded(&sgm_problem, input);
        once = new_guarded(&sgm_problem, input);
        assert_true(
            drive_twice(bench_find_impl("sgm/openmp"), &params, 2, NULL, input, out, once));
        bench_failure_clear();
        assert_int_equal(values_of(our_sum, our_values, (const void *[]){input}, NULL,
                                   (const void *[]){out}, 1, &sink),
                         is_swapped ? BENCH_EINPUT : BENCH_OK);
        if (is_swapped)
            assert_non_null(strstr(bench_failure(), "are its views swapped"));
        else if (round == 0)
            assert_true(*find_value(&sink, "d1_valid_pct", -1) < 8 &&
                        *find_value(&sink, "density_pct", -1) > 75);
        if (round == 0) {
            uint8_t *const left = plane.view[0];

            plane.view[0] = plane.view[1];
            plane.view[1] = left;
        }
    }
    plane_free(&plane);
}

int main(void)
{
    return run_variant_tests();
}
