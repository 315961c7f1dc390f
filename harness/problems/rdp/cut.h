/*
 * cut.h - where Algorithm 1 begins and where it divides a segment
 *
 * Source: [RDP] Algorithm 1; rdp/model.h has the arithmetic.
 */
#ifndef RDP_CUT_H
#define RDP_CUT_H

#include "harness/problems/rdp/rdp.h"

/* The column's first and last valid rows; 0 when they are not two. */
static inline int find_ends(const uint16_t *y, int n_rows, int *first, int *last)
{
    int f = 0, l = n_rows - 1;

    while (f < n_rows && y[f] == RDP_INVALID)
        f++;
    while (l > f && y[l] == RDP_INVALID)
        l--;
    *first = f;
    *last = l;
    return l > f;
}

/* Whether the greatest numerator of a segment is beyond the tolerance. */
static inline int exceeds(enum rdp_distance distance, uint32_t cost, int32_t length, int32_t dy,
                          uint32_t epsilon_q8)
{
    return distance == RDP_VERTICAL ? rdp_exceeds_vertical(cost, length, epsilon_q8)
                                    : rdp_exceeds_perpendicular(cost, length, dy, epsilon_q8);
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
    return exceeds(distance, greatest, length, dy, epsilon_q8) ? cut : -1;
}

#endif
