/*
 * stixels/gpu-paper - the paper's kernels: down-sampling, a block per column, compaction
 *
 * Source:  [STX] sect. 4.2-4.5, eq. 12; stages.cuh and column.cuh.
 * Mapping: down-sampling: a thread per pixel column of a block; dynamic programming: block =
 *          column, thread = row.
 * Shared:  5 + 3 + n_classes summed area tables and the count of measured rows: 108 bytes a row
 *          with 18 classes.
 * Work:    n_rows steps of one barrier each.
 *
 * Deviations from the paper's text, with their prices where known (an H200):
 *   1 the tables have n_rows + 1 entries; entry 0 precedes all rows, so that a stixel from row
 *     0 needs no branch.
 *   2 float sums are centred: about the middle of the rows up to the horizon, the expected
 *     ground and 50 px; uncentred ones are too rough.  Depth is summed in double and stored in
 *     float.  The object's sum follows from the five others, so the count is the paper's 26.
 *   3 one more table counts the measured rows: the paper does not say what other rows add.
 *   4 the threads keep plane and semantic class with the indices; the index table holds them.
 *   5 the list of a column has room for all its rows; the paper's is "conservatively large".
 *   6 planes are floats in whole units (1/256 px, 1/255, 1/65535) and block means are rounded
 *     to them, so that float and exact arithmetic start from the same numbers.
 *   7 the threads of a disparity also average the confidence, which weights it: h W (z - 1)
 *     threads where the paper has h W z.  8 x 8 and 4 x 4 are known to the compiler.  At 4 x 4
 *     a group makes four blocks, with 16 loads in flight per thread: 44.4 us, 86 % of the peak
 *     bandwidth; with one block 67.9 us.  8 x 8: 43.4 us, 88 %.
 *   8 the kernel is compiled for blocks of up to 512 threads and of up to 1024, which leaves it
 *     64 registers.  A block has a thread per row, 128 and 256; the paper's best has 256.
 *   9 loading sorts classes by geometry.  For the paper's 18 (14 of objects, 3 of ground, 1 of
 *     sky) the kernel knows the numbers, for others it loops.
 *  10 the paper names no compiler flags.  float.cu has --use_fast_math.  Its fused
 *     multiply-adds alone: 0.263 to 0.257 ms a frame at 8 x 8, 0.637 to 0.622 at 4 x 4 (both
 *     before 9). Fast divisions, exponentials and logarithms (without them:
 *     NVFASTFLAGS=--fmad=true): 0.164 to 0.126 and 0.388 to 0.351.
 *  11 a thread has 62 to 64 registers, not 79, so that more blocks are resident; the entries of
 *     a row are adjacent, so that a table is an immediate offset.  7, 9, 10 and 11 together: a
 *     frame from 0.263 to 0.126 ms at 8 x 8, from 0.637 to 0.351 at 4 x 4.
 * Machine code for sm_90: a step of the loop has 364 instructions; a warp runs 230 to 330 of
 * them, by its place relative to the horizon.  The paper's kernel, by Fig. 9a (time x IPC x 8
 * SMs x 1377 MHz), has some 318 (4 x 4) and 355 (8 x 8).  arith = exact runs the same source on
 * 16-bit planes, integer tables and double energies (exact.cu).
 * code = text goes without 7, 10 and 11; text.cu has its counts beside the printed ones.
 */
#include "harness/measure/impl.h"
#include "harness/problems/stixels/stixels.h"

static const struct bench_key keys[] = {
    {"dp", "b", "",
     "b: a thread makes a row of the table, as the paper chose; a: all threads make each row",
     BENCH_CHOICE, 0, 0, "a|b"},
    {"scan", "warp", "", "who sums a table: a warp, as the paper chose, or the block",
     BENCH_CHOICE, 0, 0, "warp|block"},
    {"code", "tuned", "",
     "with points 7, 10 and 11 of the head of paper.cu, or as the text has it", BENCH_CHOICE, 0,
     0, "tuned|text"},
    {"sat", "shared", "", "where the summed area tables lie", BENCH_CHOICE, 0, 0,
     "shared|global"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/stixels/variant.cuh"

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct stixels_input *in = (const struct stixels_input *)input;
    const enum column_form form = bench_is(ctx->params, "dp", "a") ? FORM_A : FORM_B;
    const bool global = bench_is(ctx->params, "sat", "global");
    struct chosen_kernel kernel;

    if (in->model[0].data_term != STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP, "the uniform part of eq. 6 has no constant-time form; "
                                       "stixels/gpu-cubic sums it over the rows");
    if (is_text(ctx) && (form == FORM_A || global))
        return BENCH_FAIL(BENCH_ESKIP, "code = text is what the paper chose: dp = b, sat = "
                                       "shared");
    kernel = bench_is(ctx->params, "arith", "exact") ? stixels_exact_kernel(in, form, global)
             : is_text(ctx)                          ? stixels_text_kernel(in, form)
                                                     : stixels_float_kernel(in, form, global);
    s->scan_by_block = bench_is(ctx->params, "scan", "block");
    return setup_variant(s, ctx, input, output, kernel);
}
#endif

BENCH_IMPL(stixels_gpu_paper) = {
    .name = "stixels/gpu-paper",
    .problem = &stixels_problem,
    .target = BENCH_CUDA,
    .source = "[STX] sect. 4, eq. 12",
    .reference = "stixels/serial",
    .other = NULL,
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    VARIANT_HOOKS,
#endif
};
