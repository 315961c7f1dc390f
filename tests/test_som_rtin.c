/*
 * test_som_rtin.c - som/rtin and som/gpu-rtin against bisection written down once more
 *
 * The oracle halves triangles from the squares down, and so knows of each vertex which ones it
 * halves.  It asks all pixels around these whether they are inside, by shares of areas, raises
 * errors until none changes, and tries all thresholds.
 */
#include "harness/base/sums.h"
#include "harness/problems/som/measure.h"
#include "harness/problems/som/som.h"
#include "tests/variants.h"

#include <math.h>
#include <stdio.h>

/* ---- inputs ---- */

/* Noise; two levels, so that many errors are equal; a step, a slope, one level, none; all but
 * the last with holes, some of which are whole rows, or without. */
enum { N_KINDS = 11 };

static struct som_input *new_input(int width, int height, int cols, int rows, int n_frames,
                                   int kind)
{
    struct som_input *const in = keep(calloc(1, sizeof *in), free);
    const size_t n = (size_t)width * (size_t)height;

    *in =
        (struct som_input){.n_frames = n_frames,
                           .width = width,
                           .height = height,
                           .grid_cols = cols,
                           .grid_rows = rows,
                           .cell_size = 8,
                           .cell_cols = (width + 7) / 8,
                           .cell_rows = (height + 7) / 8,
                           .n_rounds = 1,
                           .grey = keep(calloc(n, (size_t)n_frames), free),
                           .grey_per_px = keep(calloc(sizeof(double), (size_t)n_frames), free)};
    for (size_t i = 0; i < n * (size_t)n_frames; i++) {
        const uint32_t x = (uint32_t)(i % n) % (uint32_t)width, word = (uint32_t)i;
        const uint32_t y = (uint32_t)(i % n) / (uint32_t)width;
        const uint32_t seed = (uint32_t)(width * height + kind);
        const uint32_t level[] = {1 + draw(1, seed, word, 255),
                                  10 + draw(2, seed, word, 2),
                                  x < y ? 200 : 90,
                                  10 + (3 * x + 5 * (y % 9)) % 240,
                                  77,
                                  0};
        const bool is_hole = kind % 2 && (draw(3, seed, word / 5, 3) == 0 || y % 13 == 12);

        in->grey[i] = (uint8_t)(is_hole ? 0 : level[kind / 2]);
        in->grey_per_px[i / n] = 2;
    }
    return in;
}

/* ---- the oracle ---- */

typedef int corners[3][2]; /* the first has the right angle */

struct vertex {
    corners halves[2]; /* those that it halves */
    int n_halves, error;
    bool is_chosen;
};

struct oracle {
    const struct som_input *in;
    const uint8_t *grey; /* of the frame */
    bool is_free;
    int side, cols, rows, n_leaves;
    struct vertex *vertex; /* [rows][cols] */
    double *surface;       /* [height][width] */
};

static struct vertex *vertex_at(const struct oracle *o, int x, int y)
{
    return &o->vertex[y * o->cols + x];
}

/* The vertex that halves a triangle; NULL: it would be between pixels. */
static struct vertex *halving(const struct oracle *o, corners c)
{
    const int x = c[1][0] + c[2][0], y = c[1][1] + c[2][1];

    return x % 2 || y % 2 ? NULL : vertex_at(o, x / 2, y / 2);
}

static void halve(corners c, corners half[2])
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) {
            half[k][0][i] = (c[1][i] + c[2][i]) / 2;
            half[k][1][i] = c[0][i];
            half[k][2][i] = c[1 + k][i];
        }
}

/* At a place; beyond the map the nearest pixel's, over background that is free between those to
 * the left and to the right. */
static double oracle_level(const struct oracle *o, int x, int y)
{
    const int w = o->in->width, h = o->in->height, u = x < w ? x : w - 1;
    const uint8_t *const row = o->grey + (y < h ? y : h - 1) * w;
    int left = u, right = u;

    if (!o->is_free || row[u] > 0)
        return row[u];
    while (left >= 0 && row[left] == 0)
        left--;
    while (right < w && row[right] == 0)
        right++;
    if (left < 0 || right == w)
        return left >= 0 ? row[left] : right < w ? row[right] : 0;
    return row[left] + trunc((double)(row[right] - row[left]) * (u - left) / (right - left));
}

static double area(const int *a, const int *b, const int *c)
{
    return (double)(b[0] - a[0]) * (c[1] - a[1]) - (double)(b[1] - a[1]) * (c[0] - a[0]);
}

/* The surface at a pixel; false: it is not within the triangle, or its longest side. */
static bool is_within(const struct oracle *o, corners c, int x, int y, bool or_on_sides,
                      double *surface)
{
    const int at[] = {x, y};
    const double all = area(c[0], c[1], c[2]);
    double share[3];

    *surface = 0;
    for (int k = 0; k < 3; k++) {
        share[k] = area(c[(k + 1) % 3], c[(k + 2) % 3], at) / all;
        *surface += share[k] * oracle_level(o, c[k][0], c[k][1]);
    }
    return share[0] >= 0 && share[1] >= 0 && share[2] >= 0 &&
           (or_on_sides || (share[1] > 0 && share[2] > 0));
}

/* The squares of the errors at pixels around a vertex that are within what it halves. */
static double squares_around(const struct oracle *o, struct vertex *v, int x, int y)
{
    const int *const end = v->halves[0][1];
    const int reach = abs(end[0] - x) + abs(end[1] - y); /* and more */
    double sum = 0, surface;

    for (int q = y - reach; q <= y + reach; q++)
        for (int p = x - reach; p <= x + reach; p++) {
            const bool is_on_map = p >= 0 && q >= 0 && p < o->in->width && q < o->in->height;
            const int grey = is_on_map ? o->grey[q * o->in->width + p] : 0;

            if (!is_on_map || (o->is_free && grey == 0) ||
                !(is_within(o, v->halves[0], p, q, false, &surface) ||
                  (v->n_halves > 1 && is_within(o, v->halves[1], p, q, false, &surface))))
                continue;
            sum += pow(floor(4 * surface + 0.5) - 4 * grey, 2);
        }
    return sum;
}

/* The number of a sum's leading nine bits among all such: sums with more than nine lose some. */
static int error_of(double sum)
{
    int n_lost = 0;

    for (; sum >= 512; sum = floor(sum / 2))
        n_lost++;
    return 256 * n_lost + (int)sum;
}

/* Notes which vertex halves a triangle and its halves; or those that are not halved. */
static void descend(struct oracle *o, corners c, bool is_mesh)
{
    struct vertex *const v = halving(o, c);
    corners half[2];
    double surface;

    if (v && (!is_mesh || v->is_chosen)) {
        if (!is_mesh)
            memcpy(v->halves[v->n_halves++], c, sizeof(corners));
        halve(c, half);
        descend(o, half[0], is_mesh);
        descend(o, half[1], is_mesh);
    } else if (is_mesh) {
        bool is_left = false, is_above = false; /* of the map's right and lower border */

        for (int k = 0; k < 3; k++) {
            is_left |= c[k][0] < o->in->width - 1;
            is_above |= c[k][1] < o->in->height - 1;
        }
        o->n_leaves += is_left && is_above;
        for (int i = 0; i < o->in->width * o->in->height; i++)
            if (is_within(o, c, i % o->in->width, i / o->in->width, true, &surface))
                o->surface[i] = surface;
    }
}

static void descend_from_squares(struct oracle *o, bool is_mesh)
{
    for (int y = 0; y + o->side < o->rows; y += o->side)
        for (int x = 0; x + o->side < o->cols; x += o->side) {
            const int far_x = x + o->side, far_y = y + o->side;
            const bool falls = (x / o->side + y / o->side) % 2 == 0; /* its diagonal */
            corners above = {{far_x, y}, {x, y}, {far_x, far_y}};
            corners below = {{x, far_y}, {x, y}, {far_x, far_y}};

            if (!falls) {
                memcpy(above, (corners){{x, y}, {far_x, y}, {x, far_y}}, sizeof above);
                memcpy(below, (corners){{far_x, far_y}, {far_x, y}, {x, far_y}}, sizeof below);
            }
            descend(o, above, is_mesh);
            descend(o, below, is_mesh);
        }
}

/* The smallest squares of which at most one vertex in 32 is a corner, or one square. */
static void choose_squares(struct oracle *o)
{
    for (o->side = 1;; o->side *= 2) {
        int across = 1, down = 1;

        while (across * o->side < o->in->width - 1)
            across++;
        while (down * o->side < o->in->height - 1)
            down++;
        o->cols = across * o->side + 1;
        o->rows = down * o->side + 1;
        if (32 * (across + 1) * (down + 1) <= som_n_neurons(o->in) || across * down == 1)
            return;
    }
}

static void find_errors(struct oracle *o)
{
    bool changes = true;

    for (int i = 0; i < o->cols * o->rows; i++)
        if (o->vertex[i].n_halves > 0)
            o->vertex[i].error =
                error_of(squares_around(o, &o->vertex[i], i % o->cols, i / o->cols));
    while (changes) {
        changes = false;
        for (int i = 0; i < 4 * o->cols * o->rows; i++) {
            struct vertex *const v = &o->vertex[i / 4], *below;
            corners half[2];

            if (i / 2 % 2 >= v->n_halves)
                continue;
            halve(v->halves[i / 2 % 2], half);
            below = halving(o, half[i % 2]);
            if (below && below->error > v->error) {
                v->error = below->error;
                changes = true;
            }
        }
    }
}

/* Those above the least threshold that leaves enough out. */
static int choose_vertices(struct oracle *o)
{
    for (int threshold = 0;; threshold++) {
        int n = 0;

        for (int i = 0; i < o->cols * o->rows; i++) {
            struct vertex *const v = &o->vertex[i];

            v->is_chosen = v->n_halves == 0
                               ? i % o->cols % o->side == 0 && i / o->cols % o->side == 0
                               : v->error > threshold;
            n += v->is_chosen;
        }
        if (n <= som_n_neurons(o->in))
            return n;
    }
}

static struct oracle new_oracle(const struct som_input *in, int frame, bool is_free)
{
    struct oracle o = {.in = in, .grey = som_grey(in, frame), .is_free = is_free};

    choose_squares(&o);
    o.vertex = keep(calloc((size_t)(o.cols * o.rows), sizeof *o.vertex), free);
    o.surface = keep(calloc(som_n_pixels(in), sizeof *o.surface), free);
    descend_from_squares(&o, false);
    find_errors(&o);
    return o;
}

static void oracle_run(const struct som_input *in, bool is_free, struct som_output *out)
{
    for (int f = 0; f < in->n_frames; f++) {
        struct oracle o = new_oracle(in, f, is_free);
        const int n = choose_vertices(&o);
        float *position = som_position(out, f);

        memset(position, 0, sizeof(float[2]) * (size_t)out->n_neurons);
        for (int i = 0; i < o.cols * o.rows; i++)
            if (o.vertex[i].is_chosen) {
                *position++ = (float)(i % o.cols + 0.5);
                *position++ = (float)(i / o.cols + 0.5);
            }
        out->counts[f] = (struct som_counts){(uint64_t)n, SOM_NO_NETWORK,
                                             is_free ? SOM_RTIN_FREE : SOM_RTIN_KEPT};
    }
}

/* ---- the variants ---- */

static bool bisects(const struct bench_impl *impl)
{
    return is_to_run(&som_problem, impl) && impl->other && !strcmp(impl->other, "bisection");
}

/* Runs all that bisect; returns how many took the input, which then have the bits expected. */
static int check_bits(const struct som_input *in, bool is_free,
                      const struct som_output *expected)
{
    struct som_output *const found = new_guarded(&som_problem, in);
    int n_run = 0;

    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *const impl = bench_impls[k];
        struct bench_params params = PARAMS_OF(som_problem, "g", "1");

        if (!bisects(impl))
            continue;
        assert_int_equal(combine_keys(impl, is_free, &params), 2);
        if (!run_counted(impl, &params, 1, in, found, new_guarded(&som_problem, in)))
            continue;
        n_run++;
        assert_right(impl, &params, "a map", in, NULL, found);
        if (!same_bits(&som_problem, expected, found))
            fail_msg("%s, %d x %d px, %d vertices, free %d: other bits than expected",
                     impl->name, in->width, in->height, in->grid_cols * in->grid_rows, is_free);
    }
    return n_run;
}

/* What the problem measures of a mesh, by the oracle's triangles. */
static void check_values(const struct som_input *in, bool is_free, const struct som_output *out)
{
    OWNED(bench_sums_free) struct bench_sums sums = {0};
    double squares = 0, n_leaves = 0;

    for (int f = 0; f < in->n_frames; f++) {
        struct oracle o = new_oracle(in, f, is_free);

        choose_vertices(&o);
        descend_from_squares(&o, true);
        n_leaves += o.n_leaves;
        for (size_t i = 0; i < som_n_pixels(in); i++)
            squares += o.grey[i] > 0 ? pow(o.surface[i] - o.grey[i], 2) : 0;
    }
    assert_int_equal(som_problem.sum(in, out, out, 0, &sums), BENCH_OK);
    assert_int_equal((int)bench_sums_get(&sums, "triangles", -1), n_leaves);
    if (!(fabs(bench_wide_real(bench_sums_get(&sums, "grey.squares", -1)) - squares) <=
          1e-9 * squares))
        fail_msg("%d x %d px: squares %g, expected %g", in->width, in->height,
                 bench_wide_real(bench_sums_get(&sums, "grey.squares", -1)), squares);
}

static void check_map(struct som_input *in)
{
    struct som_output *const expected = new_guarded(&som_problem, in);

    for (int is_free = 0; is_free < 2; is_free++) {
        oracle_run(in, is_free, expected);
        assert_true(check_bits(in, is_free, expected) > 0 || gpu_only);
        if (in->width * in->height < 2500)
            check_values(in, is_free, expected);
    }
}

/* Sides around powers of two, and long ones; few vertices, so that one square has all, and one
 * for each pixel, so that thresholds are 0. */
TEST(maps_of_all_shapes)
{
    static const int size[][5] = {
        {2, 2, 2, 2, 1},    {3, 2, 2, 2, 1},     {3, 3, 3, 3, 2},     {5, 9, 3, 3, 1},
        {17, 17, 8, 6, 1},  {33, 31, 12, 11, 3}, {65, 64, 14, 12, 1}, {70, 45, 24, 20, 2},
        {129, 40, 4, 3, 1}, {7, 90, 3, 5, 1},    {41, 37, 41, 37, 1}, {150, 140, 2, 3, 1}};

    for (int i = 0; i < N_OF(size); i++)
        for (int kind = i % 2; kind < N_KINDS; kind += small || size[i][0] > 100 ? 6 : 2)
            check_map(
                new_input(size[i][0], size[i][1], size[i][2], size[i][3], size[i][4], kind));
}

TEST(maps_at_random)
{
    for (uint32_t round = 0; round < (small ? 5 : 40); round++)
        check_map(new_input(2 + (int)draw(5, round, 0, 40), 2 + (int)draw(5, round, 1, 40),
                            2 + (int)draw(5, round, 2, 20), 2 + (int)draw(5, round, 3, 20),
                            1 + (int)draw(5, round, 4, 2), (int)draw(5, round, 5, N_KINDS)));
}

TEST(maps_that_are_too_small)
{
    static const int size[][4] = {{1, 40, 1, 7}, {40, 1, 7, 1}, {9, 9, 3, 1}};

    for (int i = 0; i < N_OF(size); i++)
        assert_int_equal(
            check_bits(new_input(size[i][0], size[i][1], size[i][2], size[i][3], 1, 0), false,
                       NULL),
            0);
}

/* ---- meshes that are none ---- */

/* Two squares of 8 px, their middles and that of their common side; one of these is moved. */
TEST(meshes_that_are_none)
{
    static const float right[][2] = {{0.5f, 0.5f}, {8.5f, 0.5f}, {16.5f, 0.5f},
                                     {4.5f, 4.5f}, {8.5f, 4.5f}, {12.5f, 4.5f},
                                     {0.5f, 8.5f}, {8.5f, 8.5f}, {16.5f, 8.5f}};
    static const struct {
        int i;
        float x, y;
        const char *why;
    } wrong[] = {{0, 0.5f, 0.5f, ""},
                 {1, NAN, 0.5f, "vertex 1 of frame 1 is at (nan, 0.5), expected the centre"},
                 {1, 8, 0.5f, "expected the centre of a pixel"},
                 {8, 17.5f, 8.5f, "expected the centre of a pixel"},
                 {8, 16.5f, 1e30f, "expected the centre of a pixel"},
                 {0, -0.5f, 0.5f, "expected the centre of a pixel"},
                 {4, 4.5f, 4.5f, "vertex 4 of frame 1 is not behind the one before it"},
                 {1, 7.5f, 0.5f, "frame 1 has 5 corners of squares of 8 px"},
                 {3, 3.5f, 4.5f, "frame 1 has a vertex that does not halve"},
                 {5, 13.5f, 5.5f, "frame 1 has a vertex that does not halve"},
                 {9, 0, 0.5f, "vertex 9 of frame 1 is not used, not 0, 0"}};
    struct som_input *const in = new_input(17, 9, 16, 12, 2, 0);
    struct som_output *const out = new_guarded(&som_problem, in);
    struct som_counts *const counts = &out->counts[1];
    float *const position = som_position(out, 1);

    for (int i = 0; i < N_OF(wrong) + 2; i++) {
        const char *const why = i < N_OF(wrong) ? wrong[i].why : "has no mesh of 4 to 192";
        struct bench_difference difference = {0};

        oracle_run(in, false, out);
        memset(position, 0, sizeof(float[2]) * (size_t)out->n_neurons);
        memcpy(position, right, sizeof right);
        *counts = (struct som_counts){N_OF(right), SOM_NO_NETWORK, SOM_RTIN_KEPT};
        if (i < N_OF(wrong))
            memcpy(&position[2 * wrong[i].i], &wrong[i].x, sizeof(float[2]));
        else if (i == N_OF(wrong))
            counts->left_out = SOM_RTIN_FREE + 1;
        else
            counts->updates = 193;
        som_problem.compare_other(NULL, in, NULL, out, &difference);
        assert_int_equal(difference.n_wrong, *why != 0);
        if (!strstr(difference.where, why))
            fail_msg("%s, expected %s", difference.where, why);
    }
}

int main(void)
{
    return run_variant_tests();
}
