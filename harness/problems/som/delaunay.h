/*
 * delaunay.h - a Delaunay triangulation of a map's pixels, one vertex at a time, and the
 * surface over it
 *
 * Source: M. Garland, P. Heckbert, "Fast Polygonal Approximation of Terrains and Height
 *         Fields", CMU-CS-95-181, 1995, sect. 4: a new vertex splits the triangle that it lies
 *         in, and links are flipped for as long as a circle around a triangle holds it.
 *
 * Its corners are whole numbers, the centres of pixels, and so is all that is computed: the
 * vertices and their order decide the triangles and their numbers, on any machine.  Of four
 * vertices on a circle, the link that is there stays.
 */
#ifndef SOM_DELAUNAY_H
#define SOM_DELAUNAY_H

#include "harness/base/status.h"

#include <stdint.h>

#define DELAUNAY_CORNERS 4 /* of the map: the first vertices of any triangulation */

struct delaunay_triangle {
    int32_t corner[3]; /* vertices; area > 0: clockwise as drawn, y down */
    int32_t beside[3]; /* the triangle across from a corner; -1: it's the border */
};

struct delaunay {
    int32_t n_vertices, n_triangles;
    int32_t (*vertex)[2];               /* x, y: a pixel of the map; owned, as what follows */
    struct delaunay_triangle *triangle; /* two for each vertex but the first are enough */
};

/* Room for so many vertices, at least DELAUNAY_CORNERS; the caller's to release, whatever is
 * returned.  BENCH_ENOMEM. */
enum bench_status delaunay_allocate(struct delaunay *d, int n_vertices);
void delaunay_free(struct delaunay *d);

/* Begin with the corners of a map of at least 2 x 2 px, row by row, and two triangles around
 * the last of them, the first of which is 0. */
void delaunay_begin(struct delaunay *d, int width, int height);

/* The triangle that a pixel of the map lies in, on the way from another one. */
int delaunay_find(const struct delaunay *d, int from, int x, int y);

/*
 * A vertex in a triangle or on its border, where none is yet; room for it is the caller's
 * concern.  Returns the first of the triangles around it: those that are new or have changed.
 * Each has it as corner 0.
 */
int delaunay_insert(struct delaunay *d, int triangle, int x, int y);

/* Behind a triangle around the newest vertex the next one; 'first' or -1: there is none. */
static inline int delaunay_next(const struct delaunay *d, int triangle)
{
    return d->triangle[triangle].beside[1];
}

/* Twice the area of a, b, c, px squared: > 0 where they go clockwise as drawn (y down). */
static inline int64_t delaunay_area(const int32_t *a, const int32_t *b, const int32_t *c)
{
    return (int64_t)(b[0] - a[0]) * (c[1] - a[1]) - (int64_t)(b[1] - a[1]) * (c[0] - a[0]);
}

/* The surface over a triangle, linear between the levels of its corners. */
struct delaunay_piece {
    int32_t first_row, last_row;
    const int32_t *corner[3];
    int64_t area; /* twice the triangle's, px squared */
    /* area x level: at pixel (0, 0), and what a pixel to the right and a row down add */
    int64_t at, right, down;
};

/* Returns the piece of a triangle, over a map of so many columns. */
static inline struct delaunay_piece delaunay_piece(const struct delaunay *d, int triangle,
                                                   const uint8_t *level, int width)
{
    struct delaunay_piece piece = {.first_row = INT32_MAX};

    for (int k = 0; k < 3; k++)
        piece.corner[k] = d->vertex[d->triangle[triangle].corner[k]];
    for (int k = 0; k < 3; k++) {
        const int32_t *const corner = piece.corner[k];
        const int32_t *const from = piece.corner[(k + 1) % 3], *const to =
                                                                   piece.corner[(k + 2) % 3];
        /* a corner has the share of the area that is across from it */
        const int64_t z = level[(int64_t)corner[1] * width + corner[0]];
        const int64_t right = from[1] - to[1], down = to[0] - from[0];
        const int64_t at = -(down * from[1] + right * from[0]);

        piece.area += at;
        piece.at += z * at;
        piece.right += z * right;
        piece.down += z * down;
        if (corner[1] < piece.first_row)
            piece.first_row = corner[1];
        if (corner[1] > piece.last_row)
            piece.last_row = corner[1];
    }
    return piece;
}

/* The pixels of a row, first_row .. last_row, that are in the triangle or on its border: from
 * *from to *to, of which the last may be before the first. */
static inline void delaunay_row(const struct delaunay_piece *piece, int y, int *from, int *to)
{
    *from = 0;
    *to = INT32_MAX;
    for (int k = 0; k < 3; k++) {
        const int32_t *const a = piece->corner[k], *const b = piece->corner[(k + 1) % 3];
        const int32_t high = b[1] - a[1], way = (b[0] - a[0]) * (y - a[1]);
        int x;

        if (high == 0)
            continue;
        /* rounded into the triangle: down on its right side, up on its left */
        x = a[0] + way / high - (way % high < 0 ? (high > 0 ? 1 : -1) : 0);
        if (high > 0 && x < *to)
            *to = x;
        if (high < 0 && x > *from)
            *from = x;
    }
}

#endif
