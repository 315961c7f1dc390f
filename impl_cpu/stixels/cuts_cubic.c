/* stixels/cuts-cubic - team.h on the rows of cuts.h, for eq. 6 */
#include "impl_cpu/stixels/team.h"

static const struct bench_key keys[] = {
    CHUNK_KEY,
    STIXELS_CUT_KEYS,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    TRY(check_cubic(input, "stixels/cuts"));
    return setup_cuts(opaque, ctx, input, output);
}

BENCH_IMPL(stixels_cuts_cubic) = {
    .name = "stixels/cuts-cubic",
    .source = "[STX] eq. 6, 8 and 9, cut at rows that [RDP] finds",
    .reference = "stixels/cubic-serial",
    .other = "cuts at candidate rows",
    TEAM_HOOKS,
};
