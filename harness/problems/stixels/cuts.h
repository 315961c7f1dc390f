/* cuts.h - where stixels/cuts and its like may cut a column: their keys */
#ifndef STIXELS_CUTS_H
#define STIXELS_CUTS_H

#include "harness/problems/stixels/model.h"

/* Pass 1 may cut at both ends of each row that [RDP] Algorithm 1 keeps, at every grid-th row
 * and at the horizon; pass 2 up to 'reach' rows from a cut of pass 1. */
struct stixels_cuts {
    uint32_t epsilon_q8; /* of RDP, 1/256 px */
    int32_t grid, reach; /* rows */
};

#define STIXELS_CUT_KEYS                                                                       \
    {"cut_eps", "1", "px", "tolerance of RDP, a multiple of 1/256", BENCH_REAL, 0, 1e9, NULL}, \
        {"cut_grid", "4", "rows",           "every n-th row may be cut in pass 1",             \
         BENCH_INT,  1,   STIXELS_MAX_ROWS, NULL},                                             \
    {                                                                                          \
        "cut_reach", "1", "rows", "pass 2 may cut so far from a cut of pass 1", BENCH_INT, 0,  \
            STIXELS_MAX_ROWS, NULL                                                             \
    }

#endif
