/* stixels/cubic-serial - one_thread.h for eq. 6 */
#include "impl_cpu/stixels/one_thread.h"

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    TRY(check_cubic(input, "stixels/serial"));
    return setup_any(opaque, ctx, input, output);
}

BENCH_IMPL(stixels_cubic_serial) = {
    .name = "stixels/cubic-serial",
    .problem = &stixels_problem,
    .target = BENCH_SERIAL,
    .source = "[STX] eq. 6, 8 and 9",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
