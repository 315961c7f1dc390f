/* rdp_columns.h - what the tests of rdp's variants need: inputs, guarded outputs, freed behind
 * each test */
#ifndef TESTS_RDP_COLUMNS_H
#define TESTS_RDP_COLUMNS_H

#include "harness/problems/rdp/rdp.h"
#include "tests/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The inputs and outputs of one test. */
static struct rdp_input *inputs_made[256];
static struct rdp_output outputs_made[256];
static int n_inputs_made, n_outputs_made;

/* Free the last n outputs. */
static inline void free_outputs(int n)
{
    while (n-- > 0)
        release_output(&rdp_problem, &outputs_made[--n_outputs_made]);
}

static inline int free_columns(void **state)
{
    free_outputs(n_outputs_made);
    while (n_inputs_made > 0)
        rdp_problem.free_input(inputs_made[--n_inputs_made]);
    return 0;
}

static inline struct rdp_input *take_input(struct rdp_input *in)
{
    assert_true(n_inputs_made < 256);
    return inputs_made[n_inputs_made++] = in;
}

static inline struct rdp_input *new_input(int n_frames, int n_cols, int n_rows,
                                          uint32_t epsilon_q8, enum rdp_distance distance)
{
    struct rdp_input *in;

    assert_int_equal(rdp_input_new(n_frames, n_cols, n_rows, &in), BENCH_OK);
    in->epsilon_q8 = epsilon_q8;
    in->distance = distance;
    return take_input(in);
}

static inline size_t kept_bytes(const struct rdp_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_cols * (size_t)rdp_n_words(out->n_rows) *
           sizeof(uint32_t);
}

/* With a guard behind each array. */
static inline struct rdp_output *new_output(const struct rdp_input *in)
{
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    struct rdp_output *const out = &outputs_made[n_outputs_made];

    assert_true(n_outputs_made++ < 256);
    *out = (struct rdp_output){
        .n_frames = in->n_frames, .n_cols = in->n_cols, .n_rows = in->n_rows};
    out->kept = guarded(kept_bytes(out));
    out->segments = guarded(n_columns * sizeof(int32_t));
    out->rounds = guarded(n_columns * sizeof(int32_t));
    return out;
}

#endif
