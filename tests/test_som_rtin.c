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

/* Noise; two levels, so that many errors are equal; a step, a slope, one level, none; with
 * holes, short or long ones and whole rows, or without. */
enum { N_KINDS = 12 };

static struct som_input *new_input(const int size[5], int kind)
{
    const size_t n = (size_t)size[0] * (size_t)size[1], n_frames = (size_t)size[4];
    struct som_input *const in = keep(calloc(1, sizeof *in), free);

    *in = (struct som_input){.n_frames = size[4], .width = size[0], .height = size[1]};
    in->grid_cols = size[2];
    in->grid_rows = size[3];
    in->cell_size = in->cell_cols = in->cell_rows = in->n_rounds = 1;
    in->grey = keep(calloc(n, n_frames), free);
    in->grey_per_px = keep(calloc(n_frames, sizeof(double)), free);
    for (uint32_t i = 0; i < n * n_frames; i++) {
        const uint32_t x = i % (uint32_t)n % (uint32_t)size[0];
        const uint32_t y = i % (uint32_t)n / (uint32_t)size[0], seed = (uint32_t)n * 13;
        const uint32_t slope = 10 + (3 * x + 5 * (y % 9)) % 240, step = x < y ? 200 : 90;
        const uint32_t level[] = {
            1 + draw(1, seed, i, 255), 10 + draw(2, seed, i, 2), step, slope, 77, 0};
        const uint32_t hole = i / (kind > 4 ? 90 : 5);
        const bool is_hole = kind % 2 && (draw(3, seed, hole, 3) == 0 || y % 13 == 12);

        in->grey[i] = (uint8_t)(is_hole ? 0 : level[kind / 2]);
        in->grey_per_px[i / n] = 2;
    }
    return in;
}

/* ---- the oracle ---- */

typedef int corners[3][2]; /* the first has the right angle */

struct vertex {
    double squares; /* of what is off in the triangles that it halves */
    int n_halved, error;
    bool is_chosen;
};

struct oracle {
    const struct som_input *in;
    const uint8_t *grey; /* of the frame */
    bool is_free, changes;
    int side, across, down; /* squares */
    int cols, rows, n_leaves;
    struct vertex *vertex; /* [rows][cols] */
    double *surface;       /* [height][width] */
};

/* The vertex that halves a triangle; NULL: it would be between pixels. */
static struct vertex *halving(const struct oracle *o, corners c)
{
    const int x = c[1][0] + c[2][0], y = c[1][1] + c[2][1];

    return x % 2 || y % 2 ? NULL : &o->vertex[y / 2 * o->cols + x / 2];
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

/* The shares of a triangle's corners in a pixel, and the surface there. */
static double surface_at(const struct oracle *o, corners c, int x, int y, double share[3])
{
    double surface = 0;

    for (int k = 0; k < 3; k++) {
        share[k] = area(c[(k + 1) % 3], c[(k + 2) % 3], (int[]){x, y}) / area(c[0], c[1], c[2]);
        surface += share[k] * oracle_level(o, c[k][0], c[k][1]);
    }
    return surface;
}

/* Adds what is off within a triangle; on the side that is halved, once. */
static void add_squares(const struct oracle *o, corners c, struct vertex *v)
{
    const int w = o->in->width, one = abs(c[1][0] - c[0][0]), other = abs(c[2][0] - c[0][0]);
    const int reach = one > other ? one : other;
    double share[3];

    for (int y = c[0][1] - reach; y <= c[0][1] + reach; y++)
        for (int x = c[0][0] - reach; x <= c[0][0] + reach; x++)
            if (x >= 0 && y >= 0 && x < w && y < o->in->height) {
                const double off = floor(4 * surface_at(o, c, x, y, share) + 0.5);
                const int grey = o->grey[y * w + x];

                if (share[0] >= 0 && (share[0] > 0 || v->n_halved == 0) && share[1] > 0 &&
                    share[2] > 0 && !(o->is_free && grey == 0))
                    v->squares += (off - 4 * grey) * (off - 4 * grey);
            }
    v->n_halved++;
}

/* One that is not halved. */
static void add_leaf(struct oracle *o, corners c)
{
    const int w = o->in->width, h = o->in->height;
    bool is_left = false, is_above = false; /* of the map's right and lower border */
    int first = h - 1, last = 0;            /* row */
    double share[3];

    for (int k = 0; k < 3; k++) {
        is_left |= c[k][0] < w - 1;
        is_above |= c[k][1] < h - 1;
        first = c[k][1] < first ? c[k][1] : first;
        last = c[k][1] > last ? c[k][1] : last;
    }
    o->n_leaves += is_left && is_above;
    for (int i = first * w; i < (last < h ? last + 1 : h) * w; i++) {
        const double surface = surface_at(o, c, i % w, i / w, share);

        if (share[0] >= 0 && share[1] >= 0 && share[2] >= 0)
            o->surface[i] = surface;
    }
}

/* Adds up what is off in triangles, raises the errors of vertices that others need, or goes to
 * the triangles of the mesh alone. */
enum aim { ADD, RAISE, MESH };

static void descend(struct oracle *o, corners c, enum aim aim)
{
    struct vertex *const v = halving(o, c);

    if (aim == MESH && !(v && v->is_chosen))
        add_leaf(o, c);
    if (!v || (aim == MESH && !v->is_chosen))
        return;
    if (aim == ADD)
        add_squares(o, c, v);
    for (int k = 1; k <= 2; k++) {
        corners half = {{(c[1][0] + c[2][0]) / 2, (c[1][1] + c[2][1]) / 2},
                        {c[0][0], c[0][1]},
                        {c[k][0], c[k][1]}};
        const struct vertex *const below = halving(o, half);

        descend(o, half, aim);
        if (aim == RAISE && below && below->error > v->error) {
            v->error = below->error;
            o->changes = true;
        }
    }
}

static void descend_from_squares(struct oracle *o, enum aim aim)
{
    for (int i = 0; i < 2 * o->across * o->down; i++) {
        const int x = i / 2 % o->across, y = i / 2 / o->across;
        const int turn = (x + y) % 2, far = i % 2; /* which diagonal, which side of it */
        corners c = {{1 - (far ^ turn), far}, {turn, 0}, {1 - turn, 1}};

        for (int k = 0; k < 3; k++) {
            c[k][0] = o->side * (x + c[k][0]);
            c[k][1] = o->side * (y + c[k][1]);
        }
        descend(o, c, aim);
    }
}

/* The smallest squares of which at most one vertex in 32 is a corner, or one square. */
static void choose_squares(struct oracle *o)
{
    do {
        o->side += o->side > 0 ? o->side : 1;
        o->across = (o->in->width - 2) / o->side + 1;
        o->down = (o->in->height - 2) / o->side + 1;
    } while (32 * (o->across + 1) * (o->down + 1) > som_n_neurons(o->in) &&
             o->across * o->down > 1);
    o->cols = o->across * o->side + 1;
    o->rows = o->down * o->side + 1;
}

/* The place of the nine leading bits of a sum among all such. */
static int error_of(double sum)
{
    int n_lost = 0;

    for (; sum >= 512; sum = floor(sum / 2))
        n_lost++;
    return 256 * n_lost + (int)sum;
}

/* Those above the least threshold that leaves enough out. */
static int choose_vertices(struct oracle *o)
{
    for (int threshold = 0;; threshold++) {
        int n = 0;

        for (int i = 0; i < o->cols * o->rows; i++) {
            struct vertex *const v = &o->vertex[i];

            v->is_chosen = v->n_halved == 0
                               ? i % o->cols % o->side == 0 && i / o->cols % o->side == 0
                               : v->error > threshold;
            n += v->is_chosen;
        }
        if (n <= som_n_neurons(o->in))
            return n;
    }
}

/* Returns how many vertices a frame has. */
static int run_frame(struct oracle *o)
{
    int n;

    choose_squares(o);
    o->vertex = keep(calloc((size_t)(o->cols * o->rows), sizeof *o->vertex), free);
    o->surface = keep(calloc(som_n_pixels(o->in), sizeof *o->surface), free);
    descend_from_squares(o, ADD);
    for (int i = 0; i < o->cols * o->rows; i++)
        o->vertex[i].error = error_of(o->vertex[i].squares);
    do {
        o->changes = false;
        descend_from_squares(o, RAISE);
    } while (o->changes);
    n = choose_vertices(o);
    descend_from_squares(o, MESH);
    return n;
}

/* Fills a mesh, and the sum of the squared errors of its surface. */
static void oracle_run(const struct som_input *in, bool is_free, struct som_output *out,
                       double *squares, int *n_leaves)
{
    *squares = *n_leaves = 0;
    for (int f = 0; f < in->n_frames; f++) {
        struct oracle o = {.in = in, .grey = som_grey(in, f), .is_free = is_free};
        const int n = run_frame(&o);
        float *position = som_position(out, f);

        memset(position, 0, sizeof(float[2]) * (size_t)out->n_neurons);
        for (int i = 0; i < o.cols * o.rows; i++)
            if (o.vertex[i].is_chosen) {
                *position++ = (float)(i % o.cols + 0.5);
                *position++ = (float)(i / o.cols + 0.5);
            }
        out->counts[f] = (struct som_counts){(uint64_t)n, SOM_NO_NETWORK,
                                             is_free ? SOM_RTIN_FREE : SOM_RTIN_KEPT};
        for (size_t i = 0; i < som_n_pixels(in); i++)
            *squares += o.grey[i] > 0 ? pow(o.surface[i] - o.grey[i], 2) : 0;
        *n_leaves += o.n_leaves;
    }
}

/* ---- the variants ---- */

/* Runs all that bisect; returns how many took the input, which then have the bits expected. */
static int check_bits(const struct som_input *in, bool is_free,
                      const struct som_output *expected)
{
    struct som_output *const found = new_guarded(&som_problem, in);
    int n_run = 0;

    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *const impl = bench_impls[k];
        struct bench_params params = PARAMS_OF(som_problem, "g", "1");

        if (!is_to_run(&som_problem, impl) || !impl->other || strcmp(impl->other, "bisection"))
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

/* Checks what variants make of a map, and what the problem measures of that. */
static void check_map(const int size[5], int kind)
{
    struct som_input *const in = new_input(size, kind);
    struct som_output *const expected = new_guarded(&som_problem, in);
    const bool fits = size[0] > 1 && size[1] > 1 && size[2] * size[3] > 3;

    for (int is_free = 0; is_free < 2; is_free++) {
        OWNED(bench_sums_free) struct bench_sums sums = {0};
        double squares, found;
        int n_leaves, n_run;

        if (fits)
            oracle_run(in, is_free, expected, &squares, &n_leaves);
        n_run = check_bits(in, is_free, expected);
        assert_true((n_run > 0) == fits || gpu_only);
        if (!fits)
            continue;
        assert_int_equal(som_problem.sum(in, expected, expected, 0, &sums), BENCH_OK);
        assert_int_equal((int)bench_sums_get(&sums, "triangles", -1), n_leaves);
        found = bench_wide_real(bench_sums_get(&sums, "grey.squares", -1));
        if (!(fabs(found - squares) <= 1e-9 * squares))
            fail_msg("%d x %d px: squares %g, expected %g", in->width, in->height, found,
                     squares);
    }
}

/* Sides around powers of two, and long ones; few vertices, so that one square has all, and one
 * for each pixel, so that thresholds are 0; too small. */
TEST(maps_of_all_shapes)
{
    static const int size[][5] = {{2, 2, 2, 2, 1},     {3, 2, 2, 2, 1},     {3, 3, 3, 3, 2},
                                  {5, 9, 3, 3, 1},     {17, 17, 8, 6, 1},   {33, 31, 12, 11, 3},
                                  {65, 64, 14, 12, 1}, {70, 45, 24, 20, 2}, {7, 90, 3, 5, 1},
                                  {129, 40, 30, 9, 1}, {41, 37, 41, 37, 1}, {150, 140, 2, 3, 1},
                                  {1, 40, 1, 7, 1},    {40, 1, 7, 1, 1},    {9, 9, 3, 1, 1}};

    for (int i = 0; i < N_OF(size); i++)
        for (int kind = i % 2; kind < N_KINDS; kind += small || size[i][0] > 100 ? 6 : 2)
            check_map(size[i], kind);
    for (uint32_t round = 0; round < (small ? 5 : 40); round++) {
        int any[5];

        for (uint32_t k = 0; k < 5; k++)
            any[k] = (k < 4 ? 2 : 1) + (int)draw(5, round, k, k < 2 ? 40 : k < 4 ? 20 : 2);
        check_map(any, (int)(round % N_KINDS));
    }
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
    struct som_input *const in = new_input((int[]){17, 9, 16, 12, 2}, 0);
    struct som_output *const out = new_guarded(&som_problem, in);
    struct som_counts *const counts = &out->counts[1];
    float *const position = som_position(out, 1);

    for (int i = 0; i < N_OF(wrong) + 2; i++) {
        const char *const why = i < N_OF(wrong) ? wrong[i].why : "has no mesh of 4 to 192";
        struct bench_difference difference = {0};

        memset(out->position, 0, sizeof(float[2]) * 2 * (size_t)out->n_neurons);
        for (int f = 0; f < 2; f++) {
            memcpy(som_position(out, f), right, sizeof right);
            out->counts[f] = (struct som_counts){N_OF(right), SOM_NO_NETWORK, SOM_RTIN_KEPT};
        }
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
