/* stixels/cubic-openmp - team.h for eq. 6 */
#include "impl_cpu/stixels/team.h"

static const struct bench_key keys[] = {
    CHUNK_KEY,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    TRY(check_cubic(input, "stixels/openmp"));
    return setup_any(opaque, ctx, input, output);
}

BENCH_IMPL(stixels_cubic_openmp) = {
    .name = "stixels/cubic-openmp",
    .source = "[STX] eq. 6, 8 and 9, columns over threads",
    .reference = "stixels/cubic-serial",
    TEAM_HOOKS,
};
