/*
 * learn.h - pulls of rows of the mesh in vectors
 *
 * A vector has LANES / 2 neurons side by side, at places that are multiples of that.  What a
 * vector has beyond the neighbourhood is pulled at a rate of 0, which changes no bit.
 */
#ifndef IMPL_CPU_SOM_LEARN_H
#define IMPL_CPU_SOM_LEARN_H

#include "impl_cpu/som/lists.h"

#define NODES (LANES / 2) /* of a vector */

/* The vectors that hold a row of the neighbourhood, wherever it begins. */
static inline int vectors_within(int radius)
{
    return (2 * radius + NODES - 1) / NODES + 1;
}

/* Pairs from one row of a mesh to the next: whole vectors, and room for its last neuron's. */
static inline size_t mesh_pitch(const struct som_input *in)
{
    return (size_t)((in->grid_cols - 1) / NODES + vectors_within(in->max_radius)) * NODES;
}

/* The pulls of a round, as they act on the rows around the winner's. */
struct learning {
    int radius, n_vectors;
    struct {
        int from[2];       /* the first node from the winner on, whose row is even or odd */
        const float *rate; /* by node, as pairs, from NODES - 1 before the first one on */
    } row[2 * SOM_MAX_SIGMA + 1];
};

/* Floats of a round's rates: for each distance of rows all nodes, NODES - 1 or radius before
 * them, the rest of its vectors behind. */
static inline size_t rates_of_row(int radius)
{
    return 2 * (size_t)(radius + (1 + vectors_within(radius)) * NODES);
}

static inline size_t rates_of_round(int radius)
{
    return (size_t)(radius + 1) * rates_of_row(radius);
}

static inline void set_up_learning(struct learning *l, struct reach reach, float *rates)
{
    const int radius = reach.radius;

    l->radius = radius;
    l->n_vectors = vectors_within(radius);
    memset(rates, 0, rates_of_round(radius) * sizeof *rates);
    for (int k = 0; k <= 2 * radius; k++) {
        const int dy = k - radius, y = 2 * SOM_MAX_SIGMA; /* even, and all rows are above 0 */
        float *const rate = rates + (size_t)(dy < 0 ? -dy : dy) * rates_of_row(radius);
        int from, to;

        som_row_within(0, y + 1, y + 1 + dy, radius, &l->row[k].from[1], &to);
        som_row_within(0, y, y + dy, radius, &from, &to);
        l->row[k].from[0] = from;
        l->row[k].rate = rate;
        for (int x = from; x <= to && dy >= 0; x++) { /* the rows above have the same ones */
            float *const pair = rate + 2 * (x - from + NODES - 1);

            pair[0] = pair[1] = reach.rate[som_distance(x, y + dy, 0, y)];
        }
    }
}

/* Pull what a winner reaches in rows first_row .. end_row - 1 of a mesh of whole vectors. */
static inline __attribute__((always_inline)) void
pull_rows(const struct learning *l, const struct point *point, float *mesh, size_t pitch,
          int first_row, int end_row, int n_vectors)
{
    const int x = point->winner & 0xFFFF, y = point->winner >> 16, odd = y & 1;
    const int top = y - l->radius, begin = top > first_row ? top : first_row;
    const int end = at_most(y + l->radius + 1, end_row);
    const reals target = reals_set_pair(&point->x);

    for (int row = begin; row < end; row++) {
        const int from = x + l->row[row - top].from[odd];
        const int start = (from > 0 ? from : 0) / NODES * NODES;
        const float *const rate = l->row[row - top].rate + 2 * (start - from + NODES - 1);
        reals *const at = (reals *)(void *)(mesh + 2 * (pitch * (size_t)row + (size_t)start));

        for (int i = 0; i < n_vectors; i++) {
            /* as som_pull() */
            const reals step = reals_load(rate + i * LANES) * (target - at[i]);

            at[i] = at[i] + step;
        }
    }
}

/* The pulls of points from .. end - 1 of the n of a round, in their order. */
static inline void learn(const struct learning *l, const struct point *points,
                         const int32_t *turn, int n, int from, int end, float *mesh,
                         size_t pitch, int first_row, int end_row)
{
    for (int i = 0; i < n; i++) {
        const struct point *const p = &points[turn[i]];

        if (turn[i] < from || turn[i] >= end || p->winner == NO_WINNER)
            continue;
        switch (l->n_vectors) { /* most rounds have few: loops of constant length */
        case 1:
            pull_rows(l, p, mesh, pitch, first_row, end_row, 1);
            break;
        case 2:
            pull_rows(l, p, mesh, pitch, first_row, end_row, 2);
            break;
        case 3:
            pull_rows(l, p, mesh, pitch, first_row, end_row, 3);
            break;
        case 4:
            pull_rows(l, p, mesh, pitch, first_row, end_row, 4);
            break;
        default:
            pull_rows(l, p, mesh, pitch, first_row, end_row, l->n_vectors);
        }
    }
}

/* Move the neurons of these rows that a round has pulled, in the lists too: those around each
 * winner, or all if these are fewer. */
static inline void move_pulled(const struct lists *lists, const struct learning *l,
                               const struct point *points, int n, const float *mesh,
                               size_t pitch, int n_cols, int first_row, int end_row)
{
    const int radius = l->radius;

    if (n * (3 * radius * (radius + 1) + 1) > n_cols * (end_row - first_row)) {
        move_rows(lists, mesh, pitch, n_cols, first_row, end_row);
        return;
    }
    for (int i = 0; i < n; i++) {
        const int x = points[i].winner & 0xFFFF, y = points[i].winner >> 16, odd = y & 1;
        const int top = y - radius, begin = top > first_row ? top : first_row;
        const int end = at_most(y + radius + 1, end_row);

        if (points[i].winner == NO_WINNER)
            continue;
        for (int row = begin; row < end; row++) {
            const int from = x + l->row[row - top].from[odd];
            const int n_nodes = 2 * radius + 1 - abs(row - y);

            move_nodes(lists, mesh, pitch, n_cols, row, from > 0 ? from : 0,
                       at_most(from + n_nodes, n_cols));
        }
    }
}

#endif
