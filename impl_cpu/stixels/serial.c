/* stixels/serial - one_thread.h for eq. 12, and for models that are neither b12 nor b6 */
#include "impl_cpu/stixels/one_thread.h"

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    TRY(check_linear(ctx, input, "stixels/cubic-serial"));
    return setup_any(opaque, ctx, input, output);
}

BENCH_IMPL(stixels_serial) = {
    .name = "stixels/serial",
    .problem = &stixels_problem,
    .target = BENCH_SERIAL,
    .source = "[STX] eq. 8, 9 and 12",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
