/*
 * stixels/gpu-paper - the paper's three kernels: down-sampling, one block per column,
 * compaction
 *
 * Source:  [STX] sect. 4.2-4.5, eq. 12; stages.cuh and column.cuh.
 * Mapping: down-sampling: a thread per pixel column of a block; dynamic programming: block =
 *          column, thread = row.
 * Shared:  5 + 3 + n_classes summed area tables and the count of measured rows: 108 bytes a row
 *          with 18 classes.
 * Work:    n_rows steps of one barrier each.
 *
 * Deviations from the paper's text, each with its price where it is known:
 *   1 the tables have n_rows + 1 entries, before all rows first, so that a stixel from row 0
 *     needs no branch.
 *   2 float sums are taken about the middle of the rows up to the horizon, the expected ground
 *     and 50 px, and those of depth are added up in double and kept in float: the paper's sums,
 *     which it does not say how it centres, are too rough uncentred.  The object's sum follows
 *     from the five, so the count is the paper's 26.
 *   3 one table more counts the measured rows: the paper does not say what a row without a
 *     disparity adds.
 *   4 the threads keep plane and semantic class with the indices, and the index table carries
 *     them.
 *   5 the list of a column has room for all its rows; the paper's is "conservatively large".
 *   6 planes are floats in whole units (1/256 px, 1/255, 1/65535) and block means are rounded
 *     to them, so that float and exact arithmetic start from the same numbers.
 *   7 the threads that make a disparity's mean make the confidence's, too, since a pixel counts
 *     by its confidence: h W (z - 1) threads where the paper has h W z.  Blocks of 8 x 8 and 4
 *     x 4 are known to the compiler.  At 4 x 4 a group makes four blocks, one below the other,
 *     so that a thread has 16 loads under way, not 4, and each of its threads writes one: h W
 *     (z - 1) / 4 threads.  A block a group takes 67.9 us, four 44.4 (an H200, 86 % of its peak
 *     bandwidth; 8 x 8: 43.4 us, 88 %).
 *   8 the kernel is compiled for blocks of up to 512 threads and again for up to 1024, which
 *     leaves it 64 registers.  A block has a thread for each row, 128 and 256; the paper's best
 *     has 256 threads.
 *   9 classes are sorted by geometry when they are loaded; for the paper's 18 (14 of objects, 3
 *     of ground, 1 of sky) the kernel knows how many, for others it loops.  Before, each class
 *     was compared with three geometries in the loop.
 *  10 the paper names no compiler flags.  float.cu has --use_fast_math, whose prices are: fused
 *     multiply-adds alone, 0.263 to 0.257 ms a frame at 8 x 8 and 0.637 to 0.622 at 4 x 4 (both
 *     kernels as they were before 9).  The rest, which is fast divisions, exponentials and
 *     logarithms (NVFASTFLAGS=--fmad=true leaves it out): 0.164 to 0.126 ms at
 *     8 x 8 and 0.388 to 0.351 at 4 x 4.
 *  11 a thread keeps 62 to 64 registers for the paper's 79, so that more blocks are resident;
 *     the entries of a row lie together, so that a table is an immediate offset.  All of 7, 9,
 *     10 and 11 together: a frame from 0.263 to 0.126 ms at 8 x 8, from 0.637 to 0.351 at 4 x
 *     4.
 * Machine code for sm_90, a step of the loop: 364 instructions, of which a warp runs some 230
 * to 330, by where it stands to the horizon.  The paper's kernel, by Fig. 9a (time x IPC x 8
 * SMs x 1377 MHz), has some 318 (4 x 4) and 355 (8 x 8) a step.  arith = exact runs the same
 * source on 16-bit planes, integer tables and double energies (exact.cu).
 */
#include "harness/measure/impl.h"
#include "harness/problems/stixels/stixels.h"

static const struct bench_key keys[] = {
    {"dp", "b", "",
     "b: a thread makes a row of the table, as the paper chose; a: all threads make each row",
     BENCH_CHOICE, 0, 0, "a|b"},
    {"scan", "warp", "", "who sums a table: a warp, as the paper chose, or the block",
     BENCH_CHOICE, 0, 0, "warp|block"},
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
    const bool option_a = bench_is(ctx->params, "dp", "a");
    const bool global = bench_is(ctx->params, "sat", "global");
    struct chosen_kernel kernel;

    if (in->model[0].data_term != STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP, "the uniform part of eq. 6 has no constant-time form; "
                                       "stixels/gpu-cubic sums it over the rows");
    kernel = bench_is(ctx->params, "arith", "exact")
                 ? stixels_exact_kernel(in, false, option_a, global)
                 : stixels_float_kernel(in, false, option_a, global);
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
    .keys = keys,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .reads_raw = NULL,
    .setup = setup,
    .upload = frame_upload,
    .poison = frame_poison,
    .run = run,
    .download = frame_download,
    .teardown = frame_teardown,
#endif
};
