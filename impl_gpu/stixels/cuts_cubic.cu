/*
 * stixels/gpu-cuts-cubic - stixels/gpu-cubic, cut at rows that RDP finds
 *
 * Source:  [STX] sect. 4, eq. 6, and for the rows [RDP] Algorithm 1; cuts.cuh.
 * Mapping: as stixels/gpu-cubic, with four threads a row, which share the sums over rows.
 * Shared:  that of stixels/gpu-cubic and 66 bytes a row.
 * Work:    the square of the share of rows that are candidates, of both passes.
 */
#include "harness/measure/impl.h"
#include "harness/problems/stixels/cuts.h"
#include "harness/problems/stixels/stixels.h"

static const struct bench_key keys[] = {
    STIXELS_CUT_KEYS,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/stixels/variant.cuh"

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct stixels_input *in = (const struct stixels_input *)input;

    TRY(check_cubic(in));
    s->cuts.grid = bench_int(ctx->params, "cut_grid");
    s->cuts.reach = bench_int(ctx->params, "cut_reach");
    TRY(rdp_epsilon(bench_real(ctx->params, "cut_eps"), &s->cuts.epsilon_q8));
    return setup_variant(s, ctx, input, output,
                         bench_is(ctx->params, "arith", "exact")
                             ? stixels_exact_kernel(in, FORM_CUTS, false)
                             : stixels_float_kernel(in, FORM_CUTS, false));
}
#endif

BENCH_IMPL(stixels_gpu_cuts_cubic) = {
    .name = "stixels/gpu-cuts-cubic",
    .problem = &stixels_problem,
    .target = BENCH_CUDA,
    .source = "[STX] sect. 4, eq. 6, cut at rows that [RDP] finds",
    .reference = "stixels/cubic-serial",
    .other = "cuts at candidate rows",
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    VARIANT_HOOKS,
#endif
};
