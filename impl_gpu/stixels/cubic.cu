/*
 * stixels/gpu-cubic - stixels/gpu-paper with the older model: depth is summed row by row
 *
 * Source:  [STX] sect. 4.4, eq. 6 (the model of its ref. 12): semantic tables and the sums for
 *          the planes in shared memory, the disparity and weight of the column beside them;
 *          cost computed in linear time.
 * Mapping: as stixels/gpu-paper; the work of a thread grows with its row, as the paper says.
 * Shared:  that of stixels/gpu-paper and 8 bytes a row.
 *
 * Deviations: those of stixels/gpu-paper, and
 *   1 the tables of the depth energies are still made, though this model needs only the sky's:
 *     a few hundredths of its time.
 *   2 the sum of a row's two densities is log-sum-exp about the Gaussian, by exp2 and log2; no
 *     small density makes it infinite.  Eq. 6 as printed is one instruction a row shorter.
 *   3 the loop sums rows without a measurement as well, with weight 0, and subtracts their
 *     share at the end; so a row needs no test.
 *   4 --use_fast_math (float.cu): ms a frame at 8 x 8 and 4 x 4 on an H200.  --fmad=false and
 *     two polynomials for exp and log 1.567 and 6.12, fused multiply-adds 1.359 and 5.28, the
 *     GPU's exp and log 1.251 and 4.39, all with gpu-paper's changes 0.440 and 2.34.  Today's
 *     code with fused multiply-adds alone (NVFASTFLAGS=--fmad=true): 1.129 and 5.25.
 * Machine code for sm_90: 13 to 17 instructions a row and geometry, the loop included.  The
 * paper's kernels, by Fig. 9a (time x IPC x 8 SMs x 1377 MHz), have some 19 (4 x 4) and 25 (8 x
 * 8) if they run through the same rows.
 */
#include "harness/measure/impl.h"
#include "harness/problems/stixels/stixels.h"

static const struct bench_key keys[] = {
    {"code", "tuned", "", "as of stixels/gpu-paper", BENCH_CHOICE, 0, 0, "tuned|text"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/stixels/variant.cuh"

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    const struct stixels_input *in = (const struct stixels_input *)input;

    TRY(check_cubic(in));
    return setup_variant((struct state *)opaque, ctx, input, output,
                         bench_is(ctx->params, "arith", "exact")
                             ? stixels_exact_kernel(in, FORM_ROWS, false)
                         : is_text(ctx) ? stixels_text_kernel(in, FORM_ROWS)
                                        : stixels_float_kernel(in, FORM_ROWS, false));
}
#endif

BENCH_IMPL(stixels_gpu_cubic) = {
    .name = "stixels/gpu-cubic",
    .problem = &stixels_problem,
    .target = BENCH_CUDA,
    .source = "[STX] sect. 4, eq. 6",
    .reference = "stixels/cubic-serial",
    .other = NULL,
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    VARIANT_HOOKS,
#endif
};
