/*
 * stixels/gpu-paper - the paper's three kernels: down-sampling, one block per column, compaction
 *
 * Source:  [STX] sect. 4.2-4.5, eq. 12; stages.cuh and column.cuh.
 * Mapping: down-sampling: a thread per pixel column of a block; dynamic programming: block = column, thread = row.
 * Shared:  5 + 3 + n_classes summed area tables and the count of measured rows: 108 bytes a row with 18 classes.
 * Work:    n_rows steps of one barrier each.
 *
 * Deviations:
 *   1 the tables have n_rows + 1 entries, before all rows first, so that a stixel from row 0 needs no branch.
 *   2 float sums are taken about the middle of the rows up to the horizon, the expected ground and 50 px, and those of
 *     depth are added up in double and kept in float: the paper's sums, which it does not say how it centres, are too
 *     rough uncentred.  The object's sum follows from the five, so the count is the paper's 26.
 *   3 one table more counts the measured rows: the paper does not say what a row without a disparity adds.
 *   4 the threads keep plane and semantic class with the indices, and the index table carries them.
 *   5 the list of a column has room for all its rows; the paper's is "conservatively large".
 *   6 planes are floats in whole units (1/256 px, 1/255, 1/65535) and block means are rounded to them, so that float and
 *     exact arithmetic start from the same numbers.
 *   7 the disparity's mean reads the confidence and the other way round: 22 planes are read where the paper says z = 20.
 *   8 the kernel is compiled for blocks of up to 512 threads and again for up to 1024, which leaves it 64 registers.
 *   9 each class is compared with the three geometries in the loop, since the map of classes is no constant here.
 * arith = exact runs the same kernel on 16-bit planes, integer tables and double energies: the gate that all variants
 * pass, not what is timed.
 */
#include "impl_gpu/stixels/paper_keys.h"
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

BENCH_IMPL(stixels_gpu_paper) = {
    .name = "stixels/gpu-paper",
    .problem = &stixels_problem,
    .target = BENCH_CUDA,
    .source = "[STX] sect. 4, eq. 12",
    .reference = "stixels/serial",
    .keys = stixels_gpu_paper_keys,
    .state_size = sizeof(struct state),
    .reads_raw = NULL,
    .setup = setup,
    .upload = upload,
    .poison = poison,
    .run = run,
    .download = download,
    .teardown = teardown,
};
