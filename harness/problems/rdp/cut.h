/*
 * cut.h - Algorithm 1 over one column: where it begins, where it divides a segment, in which
 * order it goes on
 *
 * Source: [RDP] Algorithm 1; rdp/model.h has the arithmetic.
 */
#ifndef RDP_CUT_H
#define RDP_CUT_H

#include "harness/problems/rdp/rdp.h"

/* A segment that Algorithm 1 looks at: a node of the column's recursion tree. */
struct rdp_node {
    int first, last; /* rows of its ends */
    int depth;       /* 1 for the root */
    int cut;         /* the row kept inside, -1: none, a leaf */
};

/* The segment between the column's first and last valid rows; 0 when they are not two. */
static inline int find_root(const uint16_t *y, int n_rows, struct rdp_node *root)
{
    int f = 0, l = n_rows - 1;

    while (f < n_rows && y[f] == RDP_INVALID)
        f++;
    while (l > f && y[l] == RDP_INVALID)
        l--;
    *root = (struct rdp_node){f, l, 1, -1};
    return l > f;
}

/* Lines 2-5 of Algorithm 1: the inner row of greatest distance, the smallest among equals, if
 * it exceeds the tolerance, else -1. */
static inline int find_cut(const uint16_t *y, int first, int last, uint32_t epsilon_q8,
                           enum rdp_distance distance)
{
    const int32_t length = last - first, y_first = y[first], dy = y[last] - y_first;
    uint32_t greatest = 0;
    int cut = -1;

    for (int i = first + 1; i < last; i++) {
        if (y[i] != RDP_INVALID) {
            const uint32_t cost = rdp_cost(dy, length, y_first, y[i], i - first);

            if (cost > greatest) {
                greatest = cost;
                cut = i;
            }
        }
    }
    if (distance == RDP_VERTICAL)
        return rdp_exceeds_vertical(greatest, length, epsilon_q8) ? cut : -1;
    return rdp_exceeds_perpendicular(greatest, length, dy, epsilon_q8) ? cut : -1;
}

/* Returns the row inside, of those known to be kept, that Algorithm 1 takes first; -1: none. */
static inline int find_kept(const uint16_t *y, const uint32_t *kept, int first, int last)
{
    const int32_t length = last - first, y_first = y[first], dy = y[last] - y_first;
    uint32_t greatest = 0;
    int cut = -1;

    for (int w = (first + 1) / 32; w <= (last - 1) / 32; w++) {
        const uint32_t from =
            w == (first + 1) / 32 ? UINT32_MAX << (first + 1) % 32 : UINT32_MAX;
        const uint32_t to =
            w == (last - 1) / 32 ? UINT32_MAX >> (31 - (last - 1) % 32) : UINT32_MAX;

        for (uint32_t rest = kept[w] & from & to; rest; rest &= rest - 1) {
            const int i = 32 * w + __builtin_ctz(rest);
            const uint32_t cost = rdp_cost(dy, length, y_first, y[i], i - first);

            if (cut < 0 || cost > greatest) {
                greatest = cost;
                cut = i;
            }
        }
    }
    return cut;
}

/*
 * The nodes of a tree in the order in which Algorithm 1 visits them.  What waits are the right
 * parts of the segments around the current one: disjoint, so RDP_MAX_ROWS of them are enough.
 */
struct rdp_walk {
    struct rdp_node waiting[RDP_MAX_ROWS];
    const uint16_t *y; /* borrowed */
    uint32_t epsilon_q8;
    enum rdp_distance distance;
    int n_waiting;
};

/* Begin with one segment of the column 'y'. */
static inline void rdp_walk_segment(struct rdp_walk *walk, const struct rdp_input *in,
                                    const uint16_t *y, struct rdp_node segment)
{
    walk->y = y;
    walk->epsilon_q8 = in->epsilon_q8;
    walk->distance = in->distance;
    walk->n_waiting = 1;
    walk->waiting[0] = segment;
}

/* Begin with a column, counted over all frames, and give its root.  0: it has not two valid
 * rows, and there is no tree. */
static inline int rdp_walk_column(struct rdp_walk *walk, const struct rdp_input *in,
                                  size_t column, struct rdp_node *root)
{
    const uint16_t *const y = in->y + column * (size_t)in->n_rows;

    if (!find_root(y, in->n_rows, root))
        return 0;
    rdp_walk_segment(walk, in, y, *root);
    return 1;
}

static inline void rdp_walk_divide(struct rdp_walk *walk, const struct rdp_node *node)
{
    if (node->cut >= 0) {
        walk->waiting[walk->n_waiting++] =
            (struct rdp_node){node->cut, node->last, node->depth + 1, -1};
        walk->waiting[walk->n_waiting++] =
            (struct rdp_node){node->first, node->cut, node->depth + 1, -1};
    }
}

/* The next node, left before right; 0 when there is none. */
static inline int rdp_walk_next(struct rdp_walk *walk, struct rdp_node *node)
{
    if (walk->n_waiting == 0)
        return 0;
    *node = walk->waiting[--walk->n_waiting];
    node->cut = find_cut(walk->y, node->first, node->last, walk->epsilon_q8, walk->distance);
    rdp_walk_divide(walk, node);
    return 1;
}

/* The same over a column's kept rows: of the reference's the same nodes, of others those that
 * Algorithm 1 would have come by to them. */
static inline int rdp_walk_kept(struct rdp_walk *walk, const uint32_t *kept,
                                struct rdp_node *node)
{
    if (walk->n_waiting == 0)
        return 0;
    *node = walk->waiting[--walk->n_waiting];
    node->cut = find_kept(walk->y, kept, node->first, node->last);
    rdp_walk_divide(walk, node);
    return 1;
}

#endif
