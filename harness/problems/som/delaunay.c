/*
 * delaunay.c - a Delaunay triangulation of pixels, one vertex at a time
 *
 * Source: delaunay.h.  Sides of a map are below 2^13, so no product passes 2^57.
 */
#include "harness/problems/som/delaunay.h"

#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE (-1)

enum bench_status delaunay_allocate(struct delaunay *d, int n_vertices)
{
    memset(d, 0, sizeof *d);
    TRY(memory_allocate(&d->vertex, sizeof *d->vertex, 1, 1, 1, n_vertices));
    return memory_allocate(&d->triangle, sizeof *d->triangle, 1, 1, 2, n_vertices);
}

void delaunay_free(struct delaunay *d)
{
    free(d->vertex);
    free(d->triangle);
}

void delaunay_begin(struct delaunay *d, int width, int height)
{
    for (int i = 0; i < DELAUNAY_CORNERS; i++) {
        d->vertex[i][0] = i % 2 * (width - 1);
        d->vertex[i][1] = i / 2 * (height - 1);
    }
    d->n_vertices = DELAUNAY_CORNERS;
    d->triangle[0] = (struct delaunay_triangle){{3, 2, 0}, {NONE, 1, NONE}};
    d->triangle[1] = (struct delaunay_triangle){{3, 0, 1}, {NONE, NONE, 0}};
    d->n_triangles = 2;
}

/* On which side of the link across from corner k a place is: > 0 inside, 0 on its line. */
static int64_t side(const struct delaunay *d, int triangle, int k, const int32_t *at)
{
    const int32_t *const corner = d->triangle[triangle].corner;

    return delaunay_area(d->vertex[corner[(k + 1) % 3]], d->vertex[corner[(k + 2) % 3]], at);
}

int delaunay_find(const struct delaunay *d, int from, int x, int y)
{
    const int32_t at[] = {x, y};

    for (int k = 0; k < 3;)
        if (side(d, from, k, at) < 0) { /* in a Delaunay triangulation no way comes back */
            from = d->triangle[from].beside[k];
            k = 0;
        } else {
            k++;
        }
    return from;
}

/* > 0: 'at' is inside the circle through the corners of a triangle. */
static int64_t in_circle(const struct delaunay *d, const int32_t corner[3], const int32_t *at)
{
    int64_t x[3], y[3], square[3];

    for (int k = 0; k < 3; k++) {
        x[k] = d->vertex[corner[k]][0] - at[0];
        y[k] = d->vertex[corner[k]][1] - at[1];
        square[k] = x[k] * x[k] + y[k] * y[k];
    }
    return square[0] * (x[1] * y[2] - x[2] * y[1]) + square[1] * (x[2] * y[0] - x[0] * y[2]) +
           square[2] * (x[0] * y[1] - x[1] * y[0]);
}

/* Across from which corner of a triangle another one is. */
static int across(const struct delaunay *d, int triangle, int other)
{
    int k = 0;

    while (d->triangle[triangle].beside[k] != other)
        k++;
    return k;
}

/* Tell a neighbour, unless it is NONE, that 'now' stands where 'before' stood. */
static void tell(const struct delaunay *d, int neighbour, int before, int now)
{
    if (neighbour != NONE)
        d->triangle[neighbour].beside[across(d, neighbour, before)] = now;
}

/* While the vertex across from corner 0, the newest one, is in the triangle's circle, link
 * these two in place of what is between them.  The triangle that this adds is the next one. */
static void flip_while_inside(struct delaunay *d, int triangle)
{
    struct delaunay_triangle *const t = &d->triangle[triangle];

    while (t->beside[0] != NONE) {
        const int other = t->beside[0], next = t->beside[1];
        const int k = across(d, other, triangle);
        struct delaunay_triangle *const u = &d->triangle[other];
        const int far = u->corner[k];
        const int before_far = u->beside[(k + 1) % 3], behind_far = u->beside[(k + 2) % 3];

        if (in_circle(d, t->corner, d->vertex[far]) <= 0)
            return;
        *u = (struct delaunay_triangle){{t->corner[0], far, t->corner[2]},
                                        {behind_far, next, triangle}};
        tell(d, next, triangle, other);
        tell(d, before_far, other, triangle);
        *t = (struct delaunay_triangle){{t->corner[0], t->corner[1], far},
                                        {before_far, other, t->beside[2]}};
    }
}

/* Two triangles in place of one whose border, across from corner k, has the vertex. */
static void split_border(struct delaunay *d, int triangle, int k, int vertex)
{
    const struct delaunay_triangle t = d->triangle[triangle];
    const int added = d->n_triangles++, i = (k + 1) % 3, j = (k + 2) % 3;

    d->triangle[triangle] = (struct delaunay_triangle){{vertex, t.corner[j], t.corner[k]},
                                                       {t.beside[i], added, NONE}};
    d->triangle[added] = (struct delaunay_triangle){{vertex, t.corner[k], t.corner[i]},
                                                    {t.beside[j], NONE, triangle}};
    tell(d, t.beside[j], triangle, added);
}

/* Three triangles in place of one.  One has no area, until it is flipped, if the vertex is on a
 * link. */
static void split(struct delaunay *d, int triangle, int vertex)
{
    const struct delaunay_triangle t = d->triangle[triangle];
    const int second = d->n_triangles++, third = d->n_triangles++;

    d->triangle[triangle] = (struct delaunay_triangle){{vertex, t.corner[0], t.corner[1]},
                                                       {t.beside[2], second, third}};
    d->triangle[second] = (struct delaunay_triangle){{vertex, t.corner[1], t.corner[2]},
                                                     {t.beside[0], third, triangle}};
    d->triangle[third] = (struct delaunay_triangle){{vertex, t.corner[2], t.corner[0]},
                                                    {t.beside[1], triangle, second}};
    tell(d, t.beside[0], triangle, second);
    tell(d, t.beside[1], triangle, third);
}

int delaunay_insert(struct delaunay *d, int triangle, int x, int y)
{
    const int vertex = d->n_vertices++;
    int32_t *const at = d->vertex[vertex];
    int k = 0, other;

    at[0] = x;
    at[1] = y;
    while (k < 3 && side(d, triangle, k, at) != 0)
        k++;
    other = k < 3 ? d->triangle[triangle].beside[k] : NONE;
    if (k < 3 && other == NONE) {
        split_border(d, triangle, k, vertex);
    } else {
        /* of two that share a link, the same one, whichever was found */
        triangle = other != NONE && other < triangle ? other : triangle;
        split(d, triangle, vertex);
    }
    for (int t = triangle;;) {
        flip_while_inside(d, t);
        t = delaunay_next(d, t);
        if (t == triangle || t == NONE)
            return triangle;
    }
}
