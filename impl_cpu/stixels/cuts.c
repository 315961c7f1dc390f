/* stixels/cuts - team.h on the rows of cuts.h, for eq. 12 and models that are not b6 */
#include "impl_cpu/stixels/team.h"

static const struct bench_key keys[] = {
    CHUNK_KEY,
    PRUNE_KEY,
    STIXELS_CUT_KEYS,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    TRY(check_linear(ctx, input, "stixels/cuts-cubic"));
    return setup_cuts(opaque, ctx, input, output);
}

BENCH_IMPL(stixels_cuts) = {
    .name = "stixels/cuts",
    .source = "[STX] eq. 8, 9 and 12, cut at rows that [RDP] finds",
    .reference = "stixels/serial",
    .other = "cuts at candidate rows",
    TEAM_HOOKS,
};
