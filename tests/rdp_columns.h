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

static inline size_t kept_bytes(const struct rdp_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_cols * (size_t)rdp_n_words(out->n_rows) *
           sizeof(uint32_t);
}

static inline struct rdp_output *new_output(const struct rdp_input *in)
{
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    struct rdp_output *const out = keep(malloc(sizeof *out), free);

    *out = (struct rdp_output){
        .n_frames = in->n_frames, .n_cols = in->n_cols, .n_rows = in->n_rows};
    out->kept = kept_guarded(kept_bytes(out));
    out->segments = kept_guarded(n_columns * sizeof(int32_t));
    out->rounds = kept_guarded(n_columns * sizeof(int32_t));
    return out;
}

#endif
