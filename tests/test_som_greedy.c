/*
 * test_som_greedy.c - the Delaunay triangulation and som/greedy against definitions that look
 * at everything
 *
 * The oracle of the mesh asks for each vertex and each triangle whether it lies in its circle.
 * The oracle of the insertion asks for each pixel and each triangle, at each step.  Links among
 * vertices on one circle are the routine's choice, so the oracle takes its triangles.
 */
#include "harness/problems/som/measure.h"
#include "harness/problems/som/som.h"
#include "tests/drive.h"

#include <math.h>
#include <stdio.h>

__extension__ typedef __int128 wide;

/* ---- the mesh ---- */

static int64_t twice_area(const int32_t *a, const int32_t *b, const int32_t *c)
{
    return (int64_t)a[0] * (b[1] - c[1]) + (int64_t)b[0] * (c[1] - a[1]) +
           (int64_t)c[0] * (a[1] - b[1]);
}

static const int32_t *corner_of(const struct delaunay *d, int triangle, int k)
{
    return d->vertex[d->triangle[triangle].corner[k % 3]];
}

static int is_in(const struct delaunay *d, int triangle, const int32_t *at)
{
    for (int k = 0; k < 3; k++)
        if (twice_area(corner_of(d, triangle, k), corner_of(d, triangle, k + 1), at) < 0)
            return 0;
    return 1;
}

static wide square(wide value)
{
    return value * value;
}

/* By the centre (x, y) / (2 area) of the circle through a triangle's corners. */
static int is_in_circle(const struct delaunay *d, int triangle, const int32_t *at)
{
    const int32_t *const p = corner_of(d, triangle, 0);
    const wide twice =
        2 * (wide)twice_area(p, corner_of(d, triangle, 1), corner_of(d, triangle, 2));
    wide x = 0, y = 0;

    for (int k = 0; k < 3; k++) {
        const int32_t *const a = corner_of(d, triangle, k);
        const int32_t *const b = corner_of(d, triangle, k + 1);
        const int32_t *const c = corner_of(d, triangle, k + 2);
        const wide length = square(a[0]) + square(a[1]);

        x += length * (b[1] - c[1]);
        y += length * (c[0] - b[0]);
    }
    return square(twice * at[0] - x) + square(twice * at[1] - y) <
           square(twice * p[0] - x) + square(twice * p[1] - y);
}

static void assert_delaunay(const struct delaunay *d, int width, int height)
{
    int64_t area = 0;

    for (int t = 0; t < d->n_triangles; t++) {
        area += twice_area(corner_of(d, t, 0), corner_of(d, t, 1), corner_of(d, t, 2));
        assert_true(twice_area(corner_of(d, t, 0), corner_of(d, t, 1), corner_of(d, t, 2)) > 0);
        for (int k = 0; k < 3; k++) {
            const int other = d->triangle[t].beside[k];
            const int32_t *const a = corner_of(d, t, k + 1), *const b = corner_of(d, t, k + 2);
            int n_shared = 0;

            for (int i = 0; other >= 0 && i < 3; i++)
                n_shared += d->triangle[other].beside[i] == t &&
                            corner_of(d, other, i + 1) == b && corner_of(d, other, i + 2) == a;
            if (other < 0)
                assert_true((a[0] == b[0] && (a[0] == 0 || a[0] == width - 1)) ||
                            (a[1] == b[1] && (a[1] == 0 || a[1] == height - 1)));
            else
                assert_int_equal(n_shared, 1);
        }
        for (int v = 0; v < d->n_vertices; v++)
            assert_false(is_in_circle(d, t, d->vertex[v]));
    }
    assert_int_equal(area, 2 * (int64_t)(width - 1) * (height - 1)); /* so none overlap */
}

/* Those around the newest vertex are all that have it, each once. */
static void assert_around(const struct delaunay *d, int first)
{
    const int vertex = d->n_vertices - 1;
    int n = 0, t = first;

    do {
        assert_int_equal(d->triangle[t].corner[0], vertex);
        assert_true(++n <= d->n_triangles);
        t = delaunay_next(d, t);
    } while (t >= 0 && t != first);
    for (int i = 0; i < d->n_triangles; i++)
        for (int k = 0; k < 3; k++)
            n -= d->triangle[i].corner[k] == vertex;
    assert_int_equal(n, 0);
}

static struct delaunay *new_delaunay(int n)
{
    struct delaunay *const d = keep(calloc(1, sizeof *d), free);

    assert_int_equal(delaunay_allocate(d, n), BENCH_OK);
    keep(d->vertex, free);
    keep(d->triangle, free);
    return d;
}

/* Add a pixel unless it is a vertex; by way of whichever triangle the seed says. */
static void add(struct delaunay *d, int x, int y, uint64_t seed)
{
    const int32_t at[] = {x, y};
    int triangle;

    for (int i = 0; i < d->n_vertices; i++)
        if (d->vertex[i][0] == x && d->vertex[i][1] == y)
            return;
    triangle = delaunay_find(d, (int)draw(seed, 0, 0, (uint32_t)d->n_triangles), x, y);
    assert_true(is_in(d, triangle, at));
    assert_around(d, delaunay_insert(d, triangle, x, y));
}

/* Few pixels, so that many are on one circle, on links and on the border; in the end all are
 * vertices. */
TEST(random_vertices)
{
    for (uint32_t round = 0; round < 60; round++) {
        const int width = 2 + (int)draw(1, round, 0, 9), height = 2 + (int)draw(1, round, 1, 9);
        struct delaunay *const d = new_delaunay(width * height);

        delaunay_begin(d, width, height);
        assert_true(d->n_vertices == 4 && d->n_triangles == 2);
        assert_delaunay(d, width, height);
        assert_around(d, 0);
        for (uint32_t i = 2; i < 40; i++) {
            add(d, (int)draw(2, round, i, (uint32_t)width),
                (int)draw(3, round, i, (uint32_t)height), 100 * round + i);
            assert_delaunay(d, width, height);
        }
        for (int i = 0; i < width * height; i++)
            add(d, i % width, i / width, round + (uint64_t)i);
        assert_int_equal(d->n_vertices, width * height);
        assert_int_equal(d->n_triangles, 2 * (width - 1) * (height - 1));
        assert_delaunay(d, width, height);
    }
}

/* As large as maps are: no product is too large.  All on a line, on the border, anywhere. */
TEST(vertices_of_the_largest_map)
{
    enum { SIDE = SOM_MAX_SIDE };

    for (uint32_t kind = 0; kind < 4; kind++) {
        struct delaunay *const d = new_delaunay(44);

        delaunay_begin(d, SIDE, SIDE);
        for (uint32_t i = 0; i < 40; i++) {
            const int x = (int)draw(4, kind, i, SIDE), y = (int)draw(5, kind, i, SIDE);

            add(d, kind == 1 ? (int)(i % 2 * (SIDE - 1)) : x,
                kind == 0   ? x
                : kind == 2 ? (int)(i % 2 * (SIDE - 1))
                            : y,
                i);
        }
        assert_delaunay(d, SIDE, SIDE);
    }
}

/* Whichever of two triangles it was found in. */
TEST(a_vertex_on_a_link_has_one_outcome)
{
    struct delaunay *const one = new_delaunay(6), *const other = new_delaunay(6);
    struct delaunay *const both[] = {one, other};

    for (int i = 0; i < 2; i++) {
        delaunay_begin(both[i], 5, 5);
        delaunay_insert(both[i], i, 2, 2); /* the middle of the first link */
        assert_delaunay(both[i], 5, 5);
    }
    assert_memory_equal(one->triangle, other->triangle, 4 * sizeof *one->triangle);
}

/* Of a square whose fourth corner is the newest vertex, the link that was there. */
TEST(links_on_a_circle_stay)
{
    struct delaunay *const d = new_delaunay(7);
    int n_linked = 0;

    delaunay_begin(d, 3, 3);
    add(d, 1, 1, 0); /* vertex 4, linked to all corners */
    add(d, 1, 0, 0);
    add(d, 0, 1, 0);
    for (int t = 0; t < d->n_triangles; t++)
        for (int k = 0; k < 3; k++)
            n_linked +=
                d->triangle[t].corner[k] == 0 && d->triangle[t].corner[(k + 1) % 3] == 4;
    assert_int_equal(n_linked, 1);
}

/* A row's pixels are those that are in the triangle or on its border. */
TEST(rows_of_pieces)
{
    for (uint32_t round = 0; round < 300; round++) {
        enum { SIDE = 9 };
        uint8_t level[SIDE * SIDE];
        struct delaunay *const d = new_delaunay(SIDE);
        int32_t *at;

        delaunay_begin(d, SIDE, SIDE);
        for (uint32_t i = 0; i < SIDE * SIDE; i++)
            level[i] = (uint8_t)draw(6, round, i, 256);
        for (uint32_t i = 0; i < 5; i++)
            add(d, (int)draw(7, round, i, SIDE), (int)draw(8, round, i, SIDE), i);
        for (int t = 0; t < d->n_triangles; t++) {
            const struct delaunay_piece piece = delaunay_piece(d, t, level, SIDE);

            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    int from = 1, to = 0;

                    if (y >= piece.first_row && y <= piece.last_row)
                        delaunay_row(&piece, y, &from, &to);
                    assert_int_equal(from <= x && x <= to, is_in(d, t, (int32_t[]){x, y}));
                }
            for (int k = 0; k < 3; k++) { /* through its corners */
                at = d->vertex[d->triangle[t].corner[k]];
                assert_int_equal(piece.at + at[0] * piece.right + at[1] * piece.down,
                                 piece.area * level[SIDE * at[1] + at[0]]);
            }
        }
    }
}

/* ---- the oracle of greedy insertion ---- */

struct map {
    struct som_input in;
    struct som_output out;
    double grey_per_px[3];
};

/* Of frames without density, with room for a network of 'cols' x 'rows'. */
static struct map *new_map(int n_frames, int width, int height, int cols, int rows)
{
    struct map *const m = keep(calloc(1, sizeof *m), free);

    m->in = (struct som_input){
        .n_frames = n_frames,
        .width = width,
        .height = height,
        .grid_cols = cols,
        .grid_rows = rows,
        .grey = keep(calloc((size_t)n_frames, (size_t)(width * height)), free),
        .grey_per_px = m->grey_per_px};
    m->out = (struct som_output){.n_frames = n_frames, .n_neurons = cols * rows};
    m->out.position =
        kept_guarded((size_t)(n_frames * cols * rows) * 2 * sizeof *m->out.position);
    m->out.counts = kept_guarded((size_t)n_frames * sizeof *m->out.counts);
    return m;
}

/* Noise, few levels, steps, a slope or one level, with holes or without. */
static void fill(struct map *m, uint32_t round)
{
    for (size_t i = 0; i < (size_t)m->in.n_frames * som_n_pixels(&m->in); i++) {
        const uint32_t x = (uint32_t)(i % (size_t)m->in.width), word = (uint32_t)i;
        const uint32_t y = (uint32_t)(i / (size_t)m->in.width);
        const uint32_t level[] = {1 + draw(11, round, word, 255), 1 + draw(11, round, word, 2),
                                  x / 3 % 2 ? 200 : 90, 10 + 3 * x + 5 * (y % 9), 77};
        const int is_hole = round % 2 && draw(12, round, word / 2, 4) == 0;

        m->in.grey[i] = (uint8_t)(is_hole ? 0 : level[round % N_OF(level)]);
    }
}

/* |level - surface| at a pixel as a fraction: all triangles that it is in say the same. */
static void error_at(const struct delaunay *d, const uint8_t *grey, int width, int pixel,
                     int64_t *off, int64_t *area)
{
    const int32_t at[] = {pixel % width, pixel / width};

    *off = *area = 0;
    for (int t = 0; t < d->n_triangles; t++) {
        int64_t sum = 0, all;

        if (!is_in(d, t, at))
            continue;
        for (int k = 0; k < 3; k++) {
            const int32_t *const c = corner_of(d, t, k);

            sum += twice_area(at, corner_of(d, t, k + 1), corner_of(d, t, k + 2)) *
                   (grey[c[1] * width + c[0]] - grey[pixel]);
        }
        all = twice_area(corner_of(d, t, 0), corner_of(d, t, 1), corner_of(d, t, 2));
        sum = sum < 0 ? -sum : sum;
        assert_true(*area == 0 || sum * *area == *off * all);
        *off = sum;
        *area = all;
    }
    assert_true(*area > 0);
}

/* A frame's vertices, where any error up to 'error' is good enough. */
static struct delaunay *oracle(const struct map *m, int frame, int error, int is_free)
{
    const uint8_t *const grey = som_grey(&m->in, frame);
    const int width = m->in.width;
    struct delaunay *const d = new_delaunay(m->out.n_neurons);

    delaunay_begin(d, width, m->in.height);
    while (d->n_vertices < m->out.n_neurons) {
        int64_t most = error, of = 1;
        int worst = -1, t = d->n_triangles;

        for (int i = 0; i < (int)som_n_pixels(&m->in); i++) {
            int64_t off, area;

            error_at(d, grey, width, i, &off, &area);
            if (off * of > most * area && !(is_free && grey[i] == 0)) {
                worst = i;
                most = off;
                of = area;
            }
        }
        if (worst < 0)
            return d;
        while (!is_in(d, --t, (int32_t[]){worst % width, worst / width}))
            ; /* the last one: of two that share a link, not the variant's */
        delaunay_insert(d, t, worst % width, worst / width);
    }
    return d;
}

/* Keys and values; returns whether the map is for the variant. */
static int run(struct map *m, const char *error, const char *background)
{
    const struct bench_impl *const impl = bench_find_impl("som/greedy");
    struct bench_params params = PARAMS_OF(som_problem, "g", "1");
    struct som_output once = m->out;

    once.position =
        kept_guarded((size_t)(m->in.n_frames * m->out.n_neurons) * 2 * sizeof *once.position);
    once.counts = kept_guarded((size_t)m->in.n_frames * sizeof *once.counts);
    assert_int_equal(
        bench_params_set(&params, bench_find_key(impl->keys, "error"), error, "test"), 0);
    assert_int_equal(
        bench_params_set(&params, bench_find_key(impl->keys, "background"), background, "test"),
        0);
    return drive_twice(impl, &params, 1, NULL, &m->in, &m->out, &once);
}

static size_t n_wrong(const struct map *m)
{
    struct bench_difference difference = {0};

    som_problem.compare_other(NULL, &m->in, NULL, &m->out, &difference);
    return difference.n_wrong;
}

static void assert_vertices(const struct map *m, int frame, const struct delaunay *d)
{
    const float *const position = som_position(&m->out, frame);

    assert_false(som_is_network(&m->out, frame));
    assert_int_equal(m->out.counts[frame].updates, d->n_vertices);
    for (int i = 0; i < 2 * m->out.n_neurons; i++) {
        const double expected =
            i < 2 * d->n_vertices ? (double)d->vertex[i / 2][i % 2] + 0.5 : 0;

        if ((double)position[i] != expected)
            fail_msg("vertex %d is at %c = %g, expected %g", i / 2, i % 2 ? 'y' : 'x',
                     (double)position[i], expected);
    }
}

TEST(the_worst_pixel_comes_next)
{
    static const char *const error[] = {"0", "0", "3", "20"};

    for (uint32_t round = 0; round < 120; round++) {
        const int width = 2 + (int)draw(9, round, 0, 12),
                  height = 2 + (int)draw(9, round, 1, 9);
        const int cols = 2 + (int)draw(9, round, 2, (uint32_t)width - 1);
        const int rows = 2 + (int)draw(9, round, 3, (uint32_t)height - 1);
        const int is_free = (int)draw(9, round, 4, 2), n_frames = round % 7 ? 1 : 3;
        struct map *const m = new_map(n_frames, width, height, cols, rows);

        fill(m, round);
        assert_true(run(m, error[round % 4], is_free ? "free" : "kept"));
        assert_int_equal(n_wrong(m), 0);
        for (int f = 0; f < n_frames; f++) {
            const struct delaunay *const expected =
                oracle(m, f, atoi(error[round % 4]), is_free);
            struct delaunay found;

            assert_vertices(m, f, expected);
            /* and so the triangles are known from the vertices */
            assert_int_equal(som_delaunay_of(&m->in, &m->out, f, &found), BENCH_OK);
            assert_int_equal(found.n_triangles, expected->n_triangles);
            assert_memory_equal(found.triangle, expected->triangle,
                                (size_t)found.n_triangles * sizeof *found.triangle);
            assert_delaunay(&found, width, height);
            delaunay_free(&found);
        }
    }
}

TEST(maps_that_have_no_triangles)
{
    static const int size[][4] = {
        {1, 40, 1, 7}, {40, 1, 7, 1}, {1, 1, 1, 1}, {9, 9, 3, 1}, {9, 9, 1, 1}};

    for (int i = 0; i < N_OF(size); i++)
        assert_false(
            run(new_map(1, size[i][0], size[i][1], size[i][2], size[i][3]), "0", "kept"));
    assert_true(run(new_map(1, 2, 2, 2, 2), "0", "kept"));
}

TEST(meshes_that_are_none)
{
    static const struct {
        int i;
        float value;
        const char *why;
    } wrong[] = {{10, NAN, "vertex 5 of frame 1 is at (nan,"},
                 {10, -0.5f, "vertex 5 of frame 1 is at (-0.5,"},
                 {11, 6.5f, "expected the centre of a pixel"},
                 {11, 3, "expected the centre of a pixel"},
                 {11, 1e30f, "expected the centre of a pixel"},
                 {2, 0.5f, "vertex 1 of frame 1 is no corner of the map"},
                 {24, 0.5f, "vertex 12 of frame 1 is not used, not 0, 0"},
                 {39, NAN, "vertex 19 of frame 1 is not used, not 0, 0"}};
    struct map *const m = new_map(2, 7, 6, 5, 4);
    float *const position = som_position(&m->out, 1);
    struct som_counts *const counts = &m->out.counts[1];
    struct delaunay d;

    fill(m, 0);
    assert_true(run(m, "0", "kept"));
    counts->updates = 12;
    memset(position + 24, 0, 16 * sizeof *position);
    assert_int_equal(n_wrong(m), 0);
    for (int i = 0; i < N_OF(wrong); i++) {
        const float kept = position[wrong[i].i];

        position[wrong[i].i] = wrong[i].value;
        assert_int_equal(n_wrong(m), 1);
        assert_int_equal(som_delaunay_of(&m->in, &m->out, 1, &d), BENCH_EMISMATCH);
        if (!strstr(bench_failure(), wrong[i].why))
            fail_msg("%s, expected %s", bench_failure(), wrong[i].why);
        delaunay_free(&d);
        position[wrong[i].i] = kept;
    }
    memcpy(position + 22, position + 12, 2 * sizeof *position);
    assert_int_equal(n_wrong(m), 1);
    assert_string_equal(bench_failure(), "vertices 6 and 11 of frame 1 are one");
    for (uint64_t n = 0; n < 30; n++) { /* behind the last, vertices that are not used */
        counts->updates = n == 21 ? UINT64_MAX : n;
        assert_int_equal(n_wrong(m), 1);
    }
    counts->misses = 0; /* a network */
    assert_int_equal(n_wrong(m), 1);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
