/*
 * segment.h - one column by Algorithm 1 with an explicit stack; shared by the variants of this
 * folder
 *
 * Source: [RDP] Algorithm 1; rdp/model.h has the arithmetic.
 */
#ifndef IMPL_CPU_RDP_SEGMENT_H
#define IMPL_CPU_RDP_SEGMENT_H

#include "harness/problems/rdp/cut.h"
#include "harness/problems/rdp/rdp.h"

#include <string.h>

/* A segment that waits: its rows and its depth in the recursion tree, 1 for the whole
 * column. */
struct segment {
    int first, last, depth;
};

/* Segments that can wait at once: the right parts of the segments around the current one, which
 * are disjoint, and the current one itself.  'segment_stack_size' of them are enough for any
 * column. */
static inline size_t segment_stack_size(int n_rows)
{
    return (size_t)n_rows + 1;
}

static inline void keep_row(uint32_t *kept, int row)
{
    kept[row / 32] |= UINT32_C(1) << (row % 32);
}

/* Segment y[n_rows]: write all words of 'kept', the number of segments and of rounds.  'stack'
 * has room for segment_stack_size(n_rows). */
static inline void segment_column(const uint16_t *y, int n_rows, uint32_t epsilon_q8,
                                  enum rdp_distance distance, struct segment *stack,
                                  uint32_t *kept, int32_t *n_segments, int32_t *n_rounds)
{
    int n_waiting = 0, first, last;

    memset(kept, 0, (size_t)rdp_n_words(n_rows) * sizeof *kept);
    *n_segments = 0;
    *n_rounds = 1;
    if (!find_ends(y, n_rows, &first, &last))
        return;
    keep_row(kept, first);
    keep_row(kept, last);
    stack[n_waiting++] = (struct segment){first, last, 1};
    while (n_waiting > 0) {
        const struct segment s = stack[--n_waiting];
        const int cut = find_cut(y, s.first, s.last, epsilon_q8, distance);

        if (cut < 0) {
            ++*n_segments; /* the leaves of the tree are the segments of the column */
            continue;
        }
        keep_row(kept, cut);
        if (*n_rounds < s.depth + 1)
            *n_rounds = s.depth + 1;
        stack[n_waiting++] = (struct segment){cut, s.last, s.depth + 1};
        stack[n_waiting++] =
            (struct segment){s.first, cut, s.depth + 1}; /* next: left before right */
    }
}

#endif
