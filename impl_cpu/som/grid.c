/*
 * som/grid - the network as it begins: equal vertices, whatever the map
 *
 * Source: [SOM] Fig. 15, which sets a uniform mesh of as many vertices beside the adapted one.
 *         It makes no update, so its %cost and the error of its surface are what the others are
 *         measured against.  No schedule, so none to be compared with: its own reference.
 * Work:   a position for each neuron.
 */
#include "harness/measure/impl.h"
#include "harness/problems/som/som.h"

#include <string.h>

struct state {
    const struct som_input *in; /* borrowed */
    struct som_output *out;     /* borrowed */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;

    (void)ctx;
    s->in = input;
    s->out = output;
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;

    for (int frame = 0; frame < s->in->n_frames; frame++)
        som_first_positions(s->in,
                            s->out->position + (size_t)frame * (size_t)s->out->n_neurons * 2);
    memset(s->out->counts, 0, (size_t)s->in->n_frames * sizeof *s->out->counts);
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    (void)opaque;
}

BENCH_IMPL(som_grid) = {
    .name = "som/grid",
    .problem = &som_problem,
    .target = BENCH_SERIAL,
    .source = "[SOM] Fig. 15, the uniform mesh",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
