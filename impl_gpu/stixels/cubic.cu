/*
 * stixels/gpu-cubic - stixels/gpu-paper with the older model, whose depth term is summed over a stixel's rows
 *
 * Source:  [STX] sect. 4.4, eq. 6 (the model of its ref. 12): semantic tables and the sums for the planes in shared memory,
 *          the disparity and weight of the column beside them; cost computed in linear time.
 * Mapping: as stixels/gpu-paper; the work of a thread grows with its row, as the paper says.
 * Shared:  that of stixels/gpu-paper and 8 bytes a row.
 *
 * Deviations: those of stixels/gpu-paper; the tables of the depth energies, which this model has no use for but sky's, are
 * still made, a few hundredths of its time.
 */
#include "impl_gpu/stixels/variant.cuh"

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct stixels_input *in = (const struct stixels_input *)input;
    struct chosen_kernel kernel;

    if (in->model[0].data_term == STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP,
                          "eq. 12 has a constant-time form, which stixels/gpu-paper "
                          "takes; this variant is for eq. 6");
    kernel = bench_is(ctx->params, "arith", "exact")
                 ? stixels_exact_kernel(in, true, false, false)
                 : stixels_float_kernel(in, true, false, false);
    return setup_variant(s, ctx, input, output, kernel);
}

BENCH_IMPL(stixels_gpu_cubic) = {
    .name = "stixels/gpu-cubic",
    .problem = &stixels_problem,
    .target = BENCH_CUDA,
    .source = "[STX] sect. 4, eq. 6",
    .reference = "stixels/cubic-serial",
    .keys = NULL,
    .state_size = sizeof(struct state),
    .reads_raw = NULL,
    .setup = setup,
    .upload = upload,
    .poison = poison,
    .run = run,
    .download = download,
    .teardown = teardown,
};
