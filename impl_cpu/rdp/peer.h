/*
 * peer.h - what the line simplifiers of other libraries have in common: a column as a line of
 * points, and the points that come back as an output
 *
 * For C and C++.  A library simplifies one line at a time, by perpendicular distances in
 * floating point; it knows no invalid rows, no bits of kept rows and no rounds.  So a run makes
 * a line of the valid rows of each column, calls the library, and notes which came back: a user
 * would wait for this as well.  Rounds follow from the kept rows, some 8 a column, by going
 * over these alone: at most 2 % of a run.
 *
 * Vertical distances from perpendicular ones.  The rows are drawn PEER_STRETCH apart, y in
 * 1/256 px.  Let D = 65535 bound y, n be the rows and length those of a segment.
 *   A distance is the vertical one times f = 1 / sqrt(1 + s^2), with a slope s <= D /
 *     (PEER_STRETCH length).  f is the same for all rows of a segment: the farthest stays it.
 *   Vertical distances are multiples of 1 / length.  Half of 1 / n is added to eps: a distance
 *     of eps is not above it whatever the rounding.  The next longer one has 1 / length - 1 /
 *     (2 n) to lose, more than 1 / (2 length), and loses eps s^2 / 2 at most.  The steepest
 *     chord has distances up to D (1 - 1 / length), so that is below 2 (length - 1) / length^3,
 *     which is not above 1 / (2 length) from length 2 on.
 *   The foot of a row on its chord is inside of it, since PEER_STRETCH > D: the distance to the
 *     segment, which libraries take, is that to the line.
 *   Cross products are whole numbers up to D PEER_STRETCH (n - 1), all of which a double has:
 *     up to 16385 rows.  A library that compares these has no rounding.  2^24 would end at
 *     8193.
 */
#ifndef IMPL_CPU_RDP_PEER_H
#define IMPL_CPU_RDP_PEER_H

#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"

#include <stdlib.h>
#include <string.h>

#define PEER_STRETCH 8388608 /* 2^23 */

#if 65535LL * PEER_STRETCH * (RDP_MAX_ROWS - 1) > 1LL << 53
#error "cross products are no whole numbers of a double"
#endif

/* A segment between two kept rows, by their places among these. */
struct peer_part {
    int first, last, depth;
};

struct peer {
    const struct rdp_input *in;   /* borrowed */
    const struct rdp_output *out; /* borrowed */
    double tolerance;             /* 1/256 px */
    int *rows;                    /* [n_rows], kept ones of a column; owned */
    struct peer_part *waiting;    /* [n_rows], owned */
};

struct peer_column {
    const struct peer *peer;
    const uint16_t *y;
    uint32_t *kept;
    int32_t *segments, *rounds;
    int n_rows, n_valid, n_kept;
};

static inline enum bench_status peer_open(struct peer *p, const char *name, const void *input,
                                          const void *output)
{
    p->in = (const struct rdp_input *)input;
    p->out = (const struct rdp_output *)output;
    p->tolerance = p->in->epsilon_q8 + 0.5 / p->in->n_rows;
    FAIL_IF(p->in->distance != RDP_VERTICAL, BENCH_ESKIP, "%s has vertical distances alone",
            name);
    p->rows = (int *)malloc((size_t)p->in->n_rows * sizeof *p->rows);
    p->waiting = (struct peer_part *)malloc((size_t)p->in->n_rows * sizeof *p->waiting);
    NEED(p->rows && p->waiting, "the rows of %s", name);
    return BENCH_OK;
}

static inline void peer_close(struct peer *p)
{
    free(p->rows);
    free(p->waiting);
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

    c.peer = p;
    c.n_rows = p->in->n_rows;
    c.y = p->in->y + column * (size_t)c.n_rows;
    c.kept = p->out->kept + column * n_words;
    c.segments = p->out->segments + column;
    c.rounds = p->out->rounds + column;
    c.n_valid = c.n_kept = 0;
    for (int v = 0; v < c.n_rows; v++)
        c.n_valid += c.y[v] != RDP_INVALID;
    memset(c.kept, 0, n_words * sizeof *c.kept);
    return c;
}

/* The row of a point that came back; the points of a line come in its order. */
static inline void peer_keep(struct peer_column *c, double x)
{
    const int row = (int)(x / PEER_STRETCH);

    c->kept[row / 32] |= UINT32_C(1) << (row % 32);
    c->peer->rows[c->n_kept++] = row;
}

/* The rounds of Algorithm 1 that keep these rows: the farthest first, the first of equals. */
static inline int peer_rounds(const struct peer_column *c, int n_kept)
{
    struct peer_part *const waiting = c->peer->waiting, part = {0, n_kept - 1, 1};
    const int *const rows = c->peer->rows;
    int n_waiting = 0, rounds = 1;

    for (;;) {
        const int32_t first = rows[part.first], length = rows[part.last] - first;
        const int32_t y_first = c->y[first], dy = c->y[rows[part.last]] - y_first;
        uint32_t greatest = 0;
        int cut = part.first + 1;

        if (part.last <= cut) {
            if (n_waiting == 0)
                return rounds;
            part = waiting[--n_waiting];
            continue;
        }
        for (int k = cut; k < part.last; k++) {
            const uint32_t cost = rdp_cost(dy, length, y_first, c->y[rows[k]], rows[k] - first);

            if (cost > greatest) {
                greatest = cost;
                cut = k;
            }
        }
        part.depth++;
        if (rounds < part.depth)
            rounds = part.depth;
        waiting[n_waiting].first = cut;
        waiting[n_waiting].last = part.last;
        waiting[n_waiting++].depth = part.depth;
        part.last = cut;
    }
}

static inline void peer_end(const struct peer_column *c)
{
    *c->segments = c->n_kept > 0 ? c->n_kept - 1 : 0;
    *c->rounds = c->n_kept > 0 ? peer_rounds(c, c->n_kept) : 1;
}

#endif
