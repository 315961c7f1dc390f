/* stixels/openmp - team.h for eq. 12, and for models that are neither b12 nor b6 */
#include "impl_cpu/stixels/team.h"

static const struct bench_key keys[] = {
    CHUNK_KEY,
    PRUNE_KEY,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    TRY(check_linear(ctx, input, "stixels/cubic-openmp"));
    return setup_any(opaque, ctx, input, output);
}

BENCH_IMPL(stixels_openmp) = {
    .name = "stixels/openmp",
    .source = "[STX] eq. 8, 9 and 12, columns over threads, rows over lanes",
    .reference = "stixels/serial",
    TEAM_HOOKS,
};
