/*
 * peer.h - what the line simplifiers of other libraries have in common: a column as a line of
 * points, and the points that come back as an output
 *
 * For C and C++.  A library simplifies one line at a time, by perpendicular distances in
 * floating point; it knows no invalid rows, no bits of kept rows and no rounds.  So a run makes
 * a line of the valid rows of each column, calls the library, and notes which came back: a user
 * would wait for this as well.  Rounds follow from the kept rows, over which rdp_walk_kept() of
 * cut.h goes, some 8 a column.
 *
 * Vertical distances from perpendicular ones.  The rows are drawn PEER_STRETCH apart, y in 1/256
 * px.  Let D = 65535 bound y, n be the rows and length those of a segment.
 *   A distance is the vertical one times f = 1 / sqrt(1 + s^2), with a slope s <= D /
 *     (PEER_STRETCH length).  f is the same for all rows of a segment: the farthest stays it.
 *   Vertical distances are multiples of 1 / length.  Half of 1 / n is added to eps: a distance
 *     of eps is not above it whatever the rounding.  The next longer one has 1 / length - 1 / (2
 *     n) to lose, more than 1 / (2 length), and loses eps s^2 / 2 at most.  The steepest chord
 *     has distances up to D (1 - 1 / length), so that is below 2 (length - 1) / length^3, which
 *     is not above 1 / (2 length) from length 2 on.
 *   The foot of a row on its chord is inside of it, since PEER_STRETCH > D: the distance to the
 *     segment, which libraries take, is that to the line.
 *   Cross products are whole numbers up to D PEER_STRETCH (n - 1), all of which a double has: up
 *     to 16385 rows.  A library that compares these has no rounding.  2^24 would end at 8193.
 */
#ifndef IMPL_CPU_RDP_PEER_H
#define IMPL_CPU_RDP_PEER_H

#include "harness/measure/impl.h"
#include "harness/problems/rdp/cut.h"
#include "harness/problems/rdp/rdp.h"

#include <stdlib.h>
#include <string.h>

#define PEER_STRETCH 8388608 /* 2^23 */

#if 65535LL * PEER_STRETCH * (RDP_MAX_ROWS - 1) > 1LL << 53
#error "cross products are no whole numbers of a double"
#endif

struct peer {
    const struct rdp_input *in;   /* borrowed */
    const struct rdp_output *out; /* borrowed */
    double tolerance;             /* 1/256 px */
    struct rdp_walk *walk;        /* owned */
};

struct peer_column {
    const uint16_t *y;
    uint32_t *kept;
    int32_t *segments, *rounds;
    int n_rows, n_valid;
};

static inline enum bench_status peer_open(struct peer *p, const char *name, const void *input,
                                          const void *output)
{
    p->in = (const struct rdp_input *)input;
    p->out = (const struct rdp_output *)output;
    p->tolerance = p->in->epsilon_q8 + 0.5 / p->in->n_rows;
    if (p->in->distance != RDP_VERTICAL)
        return BENCH_FAIL(BENCH_ESKIP, "%s has vertical distances alone", name);
    p->walk = (struct rdp_walk *)malloc(sizeof *p->walk);
    return p->walk ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "no memory for the walk of %s", name);
}

static inline void peer_close(struct peer *p)
{
    free(p->walk);
}

static inline size_t peer_n_columns(const struct peer *p)
{
    return (size_t)p->in->n_frames * (size_t)p->in->n_cols;
}

/* A column of all frames, of which nothing is kept yet. */
static inline struct peer_column peer_begin(const struct peer *p, size_t column)
{
    const size_t n_words = (size_t)rdp_n_words(p->in->n_rows);
    struct peer_column c;

    c.n_rows = p->in->n_rows;
    c.y = p->in->y + column * (size_t)c.n_rows;
    c.kept = p->out->kept + column * n_words;
    c.segments = p->out->segments + column;
    c.rounds = p->out->rounds + column;
    c.n_valid = 0;
    for (int v = 0; v < c.n_rows; v++)
        c.n_valid += c.y[v] != RDP_INVALID;
    memset(c.kept, 0, n_words * sizeof *c.kept);
    return c;
}

/* The row of a point that came back. */
static inline void peer_keep(struct peer_column *c, double x)
{
    const int row = (int)(x / PEER_STRETCH);

    c->kept[row / 32] |= UINT32_C(1) << (row % 32);
}

/* Segments and rounds of the rows that are kept. */
static inline void peer_end(const struct peer *p, const struct peer_column *c)
{
    struct rdp_node node;

    *c->segments = 0;
    *c->rounds = 1;
    if (!rdp_walk_column(p->walk, p->in, (size_t)(c->segments - p->out->segments), &node))
        return;
    while (rdp_walk_kept(p->walk, c->kept, &node))
        if (node.cut < 0) {
            ++*c->segments;
            if (*c->rounds < node.depth)
                *c->rounds = node.depth;
        }
}

#endif
