/*
 * rtin.c - a mesh by bisection: its lattice, and its triangles once more from its vertices
 *
 * Source: rtin.h.
 */
#include "harness/problems/som/rtin.h"

#include "harness/base/memory.h"
#include "harness/problems/som/delaunay.h"

enum bench_status rtin_of(const struct som_input *in, struct rtin *r)
{
    const int n = som_n_neurons(in);

    TRY(som_has_corners(in));
    *r = (struct rtin){.width = in->width, .height = in->height};
    for (int side = 1; r->side == 0; side *= 2) {
        const int across = (in->width - 2 + side) / side, down = (in->height - 2 + side) / side;

        r->cols = across * side + 1;
        r->rows = down * side + 1;
        r->n_corners = (across + 1) * (down + 1);
        if (across * down == 1 || r->n_corners <= n / RTIN_ROOTS)
            r->side = side;
    }
    return BENCH_OK;
}

void rtin_fill(int width, int height, const uint8_t *grey, uint8_t *level)
{
    for (int y = 0; y < height; y++, grey += width, level += width)
        for (int x = 0, from = -1, to = 0; x < width; x++) {
            if (grey[x] > 0) {
                level[x] = grey[from = x];
                continue;
            }
            for (to = x > to ? x : to; to < width && grey[to] == 0;)
                to++;
            level[x] = rtin_between(grey, width, from, to, x);
        }
}

/* ---- once more from the vertices ---- */

/* A mesh while it is halved. */
struct halving {
    const struct rtin *r;
    struct delaunay *d;
    int32_t *number; /* [rows][cols]: of a vertex, from 1; 0: there is none */
    uint64_t n_halved;
};

static int32_t *number_at(const struct halving *h, int x, int y)
{
    return &h->number[(size_t)y * (size_t)h->r->cols + (size_t)x];
}

/* Adds a triangle with its right angle at the first corner, clockwise, or its halves. */
static void add_triangle(struct halving *h, int32_t corner[3][2])
{
    const int x = corner[1][0] + corner[2][0], y = corner[1][1] + corner[2][1];

    if (x % 2 == 0 && y % 2 == 0 && *number_at(h, x / 2, y / 2) > 0) {
        int32_t half[2][3][2] = {
            {{x / 2, y / 2}, {corner[0][0], corner[0][1]}, {corner[1][0], corner[1][1]}},
            {{x / 2, y / 2}, {corner[2][0], corner[2][1]}, {corner[0][0], corner[0][1]}}};

        h->n_halved++;
        add_triangle(h, half[0]);
        add_triangle(h, half[1]);
        return;
    }
    for (int i = 0; i < 2; i++) { /* beyond the map */
        const int last = (i ? h->r->height : h->r->width) - 1;

        if (corner[0][i] >= last && corner[1][i] >= last && corner[2][i] >= last)
            return;
    }
    for (int k = 0; k < 3; k++)
        h->d->triangle[h->d->n_triangles].corner[k] =
            *number_at(h, corner[k][0], corner[k][1]) - 1;
    h->d->n_triangles++;
}

/* Numbers the vertices; *n_halves: of triangles that they ask for. */
static enum bench_status number_vertices(const struct halving *h, const float *position,
                                         int frame, uint64_t *n_halves)
{
    const int cols = h->r->cols, rows = h->r->rows, side = h->r->side;
    int n_corners = 0;

    for (int i = 0; i < h->d->n_vertices; i++, position += 2) {
        const bool is_near = position[0] > 0 && position[0] < (float)cols && position[1] > 0 &&
                             position[1] < (float)rows; /* false for NaN */
        const int x = is_near ? (int)position[0] : 0, y = is_near ? (int)position[1] : 0;
        int32_t(*const at)[2] = &h->d->vertex[i];

        if (!(position[0] == (float)x + 0.5f && position[1] == (float)y + 0.5f))
            return BENCH_FAIL(
                BENCH_EMISMATCH,
                "vertex %d of frame %d is at (%g, %g), expected the centre of a pixel", i,
                frame, (double)position[0], (double)position[1]);
        (*at)[0] = x;
        (*at)[1] = y;
        FAIL_IF(i > 0 && y * (int64_t)cols + x <= at[-1][1] * (int64_t)cols + at[-1][0],
                BENCH_EMISMATCH, "vertex %d of frame %d is not behind the one before it", i,
                frame);
        *number_at(h, x, y) = i + 1;
        if (rtin_step(h->r, x, y) == side)
            n_corners++;
        else
            *n_halves += x == 0 || y == 0 || x == cols - 1 || y == rows - 1 ? 1 : 2;
    }
    FAIL_IF(n_corners != h->r->n_corners, BENCH_EMISMATCH,
            "frame %d has %d corners of squares of %d px", frame, n_corners, side);
    return BENCH_OK;
}

enum bench_status rtin_triangles(const struct som_output *out, int frame,
                                 const struct rtin *rtin, struct delaunay *d)
{
    /* of the squares that are halved from the upper left, and from the upper right */
    static const int8_t root[2][2][3][2] = {
        {{{1, 0}, {1, 1}, {0, 0}}, {{0, 1}, {0, 0}, {1, 1}}},
        {{{0, 0}, {1, 0}, {0, 1}}, {{1, 1}, {0, 1}, {1, 0}}}};
    const int side = rtin->side, across = (rtin->cols - 1) / side;
    const int down = (rtin->rows - 1) / side;
    OWNED(memory_free) int32_t *number = NULL;
    struct halving h = {.r = rtin, .d = d};
    uint64_t n_halves = 0;

    TRY(memory_allocate(&number, sizeof *number, 1, 1, rtin->rows, rtin->cols));
    h.number = number;
    d->n_vertices = (int32_t)out->counts[frame].updates;
    TRY(number_vertices(&h, som_position(out, frame), frame, &n_halves));
    for (int i = 0; i < 2 * across * down; i++) {
        const int x = i / 2 % across, y = i / 2 / across;
        int32_t corner[3][2];

        for (int k = 0; k < 3; k++) {
            corner[k][0] = side * (x + root[(x + y) % 2][i % 2][k][0]);
            corner[k][1] = side * (y + root[(x + y) % 2][i % 2][k][1]);
        }
        add_triangle(&h, corner);
    }
    FAIL_IF(h.n_halved != n_halves, BENCH_EMISMATCH,
            "frame %d has a vertex that does not halve all triangles around it", frame);
    return BENCH_OK;
}

enum bench_status rtin_levels(const struct som_input *in, const struct som_output *out,
                              int frame, const struct rtin *rtin, uint8_t **level)
{
    const uint8_t *grey = som_grey(in, frame);
    OWNED(memory_free) uint8_t *filled = NULL;

    TRY(memory_allocate(level, 1, 1, 1, rtin->rows, rtin->cols));
    TRY(memory_allocate(&filled, 1, 1, 1, in->height, in->width));
    if (out->counts[frame].left_out == SOM_RTIN_FREE) {
        rtin_fill(in->width, in->height, grey, filled);
        grey = filled;
    }
    for (int i = 0; i < rtin->rows * rtin->cols; i++)
        (*level)[i] = (uint8_t)rtin_level(rtin, grey, i % rtin->cols, i / rtin->cols);
    return BENCH_OK;
}
