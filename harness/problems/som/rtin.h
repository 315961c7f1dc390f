/*
 * rtin.h - a mesh by bisection: squares over the map, halved into right triangles
 *
 * Source: W. Evans, D. Kirkpatrick, G. Townsend, "Right-Triangulated Irregular Networks",
 *         Algorithmica 30, 2001.
 *
 * Squares of 2^k px lie side by side over the map, and may end beyond it, where a level is that
 * of the nearest pixel of the map.  Two triangles make a square.  The middle of a triangle's
 * longest side, where it is a vertex, halves the triangle, and that on the side's other side.
 * So the vertices decide the triangles, of which none has a vertex on a side.
 *
 * Error of a vertex.  The squares of (surface - map) over the pixels whose surface it changes,
 * those within the two triangles that it halves, are added as they are without it; the error is
 * no less than that of the four vertices that need this one.  The surface is rounded to 1/4
 * level and the sum to its 9 highest bits: whole numbers, the same on any machine.
 *
 * The vertices are those with an error above a threshold, the least with which there are no
 * more than the network has neurons, and the corners of the squares.
 */
#ifndef SOM_RTIN_H
#define SOM_RTIN_H

#include "harness/problems/som/som.h"

#include <sys/cdefs.h>

__BEGIN_DECLS

#define RTIN_ROOTS  32 /* of so many vertices one may be a corner of the squares */
#define RTIN_PARTS  4  /* of a level */
#define RTIN_BITS   8  /* of a sum behind its highest one */
#define RTIN_CODES  (40 << RTIN_BITS) /* errors: sums are below 2^47 */
#define RTIN_CORNER 65535             /* the error of a square's corner, above all */

/* The lattice of the vertices of squares with so many px a side, over a map. */
struct rtin {
    int width, height, side, cols, rows, n_corners;
};

/* Finds the lattice with the smallest squares whose corners are few enough, or with one square.
 * BENCH_ESKIP for an input that is too small for such a mesh. */
enum bench_status rtin_of(const struct som_input *in, struct rtin *r);

/* The highest bit of x > 0. */
static inline BENCH_HD int rtin_top(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return 31 - __clz((int)x);
#else
    return 31 - __builtin_clz(x);
#endif
}

/* Returns the distance, along an axis, of a vertex from the corners of what it halves; at a
 * corner of squares their side. */
static inline BENCH_HD int rtin_step(const struct rtin *r, int x, int y)
{
    const int all = x | y | r->side;

    return all & -all;
}

/*
 * The two triangles that a vertex halves: a square around the middle of a square, or one on
 * its corner.  (along_x, along_y): from the vertex to an end of the halved side, in steps, and
 * (across_x, across_y) to the corner across from it.
 */
struct rtin_pair {
    int x, y, step;
    int along_x, along_y, across_x, across_y;
    /* 2^shift times the surface is base + along x tilt + across x (across > 0 ? fall : rise) */
    int is_middle, shift, base, tilt, rise, fall;
};

/* Returns the level, [height][width], at a vertex or at a corner of its triangles. */
static inline BENCH_HD int rtin_level(const struct rtin *r, const uint8_t *level, int x, int y)
{
    const int u = x < 0 ? 0 : x < r->width ? x : r->width - 1;
    const int v = y < 0 ? 0 : y < r->height ? y : r->height - 1;

    return level[(size_t)v * (size_t)r->width + (size_t)u];
}

/* Returns the triangles of a vertex that is no corner of squares. */
static inline BENCH_HD struct rtin_pair rtin_pair_of(const struct rtin *r, const uint8_t *level,
                                                     int x, int y)
{
    const int h = rtin_step(r, x, y);
    struct rtin_pair p = {x, y, h, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    int ends;

    p.is_middle = (x & h) && (y & h);
    p.along_x = p.is_middle || (x & h);
    /* diagonals of four squares that make a square meet in its middle */
    p.along_y = p.is_middle ? ((x ^ y) & 2 * h ? -1 : 1) : !p.along_x;
    p.across_x = p.along_y != 0;
    p.across_y = p.is_middle ? -p.along_y : p.along_x;
    ends = rtin_level(r, level, x - h * p.along_x, y - h * p.along_y);
    p.tilt = rtin_level(r, level, x + h * p.along_x, y + h * p.along_y) - ends;
    ends += ends + p.tilt;
    p.shift = rtin_top((uint32_t)h) + 1 + p.is_middle;
    p.base = ends << (p.shift - 1);
    p.rise = ends - 2 * rtin_level(r, level, x - h * p.across_x, y - h * p.across_y);
    p.fall = 2 * rtin_level(r, level, x + h * p.across_x, y + h * p.across_y) - ends;
    return p;
}

/* The pixels of row y + dy within the triangles: x + *from to x + *to, on the map, or none. */
static inline BENCH_HD void rtin_row(const struct rtin *r, const struct rtin_pair *p, int dy,
                                     int *from, int *to)
{
    const int reach = p->step - 1 - (p->is_middle ? 0 : dy < 0 ? -dy : dy);

    *from = p->x < reach ? -p->x : -reach;
    *to = p->x + reach < r->width ? reach : r->width - 1 - p->x;
}

/* Returns the square of how far the surface is off at a pixel of the triangles, (dx, dy) from
 * the vertex. */
static inline BENCH_HD uint32_t rtin_square(const struct rtin_pair *p, int dx, int dy, int grey)
{
    const int along = dx * p->along_x + dy * p->along_y;
    const int across = dx * p->across_x + dy * p->across_y;
    const int above = p->base + along * p->tilt + across * (across > 0 ? p->fall : p->rise);
    const int off =
        ((RTIN_PARTS * above + (1 << (p->shift - 1))) >> p->shift) - RTIN_PARTS * grey;

    return (uint32_t)(off * off);
}

/* Returns the error for a sum of squares: that of a larger sum is no smaller. */
static inline BENCH_HD uint16_t rtin_error(uint64_t sum)
{
    const uint32_t high = (uint32_t)(sum >> 32);
    const int over = (high ? 32 + rtin_top(high) : rtin_top((uint32_t)sum | 1)) - RTIN_BITS;

    return (uint16_t)(over > 0 ? ((uint32_t)over << RTIN_BITS) + (uint32_t)(sum >> over) : sum);
}

/* Returns the error of a vertex, [rows][cols], or the greatest of the four that need it: around
 * the middle of a square the middles of its sides, around these those of squares half as large.
 */
static inline BENCH_HD uint16_t rtin_raised(const struct rtin *r, const uint16_t *error, int x,
                                            int y)
{
    const int step = rtin_step(r, x, y), is_middle = (x & step) && (y & step);
    uint16_t most = error[(size_t)y * (size_t)r->cols + (size_t)x];

    for (int k = 0; k < 4; k++) {
        const int first = k % 2 ? step : -step, second = k / 2 ? step : -step;
        const int u = x + (is_middle ? (k / 2) * first : first / 2);
        const int v = y + (is_middle ? (1 - k / 2) * first : second / 2);
        const bool is_one = u >= 0 && v >= 0 && u < r->cols && v < r->rows;

        if (is_one && error[(size_t)v * (size_t)r->cols + (size_t)u] > most)
            most = error[(size_t)v * (size_t)r->cols + (size_t)u];
    }
    return most;
}

/* Returns the level of a background pixel of a row between the last pixel before it and the
 * first behind it that are none; -1 or width: there is none, then that of the other, or 0. */
static inline BENCH_HD uint8_t rtin_between(const uint8_t *row, int width, int from, int to,
                                            int x)
{
    const int left = from >= 0 ? row[from] : to < width ? row[to] : 0;
    const int right = to < width ? row[to] : left;

    return (uint8_t)(left + (right - left) * (x - from) / (to - from));
}

/* Fills levels for the vertices over the background of a map that has none to keep. */
void rtin_fill(int width, int height, const uint8_t *grey, uint8_t *level);

struct delaunay;

/* Fills the triangles, but not their neighbours, of a mesh with room for its vertices: those
 * that are on the map.  BENCH_EMISMATCH as som_delaunay_of, which calls it. */
enum bench_status rtin_triangles(const struct som_output *out, int frame,
                                 const struct rtin *rtin, struct delaunay *d);

/* The levels of the whole lattice, [rows][cols]; the caller's to free.  BENCH_ENOMEM. */
enum bench_status rtin_levels(const struct som_input *in, const struct som_output *out,
                              int frame, const struct rtin *rtin, uint8_t **level);

__END_DECLS

#endif
