/* rdp_columns.h - inputs and guarded outputs for tests of rdp's variants, both kept */
#ifndef TESTS_RDP_COLUMNS_H
#define TESTS_RDP_COLUMNS_H

#include "harness/problems/rdp/rdp.h"
#include "tests/drive.h"

static inline struct rdp_input *new_input(int n_frames, int n_cols, int n_rows,
                                          uint32_t epsilon_q8, enum rdp_distance distance)
{
    struct rdp_input *in;

    assert_int_equal(rdp_input_new(n_frames, n_cols, n_rows, &in), BENCH_OK);
    in->epsilon_q8 = epsilon_q8;
    in->distance = distance;
    return keep(in, rdp_problem.free_input);
}

#endif
