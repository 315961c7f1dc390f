/*
 * som/grid - the network as it begins: equal vertices, whatever the map
 *
 * Source: [SOM] Fig. 15, which sets a uniform mesh of as many vertices beside the adapted one.
 *         It makes no update, so its %cost and the error of its surface are what the others are
 *         measured against.  No schedule, so none to be compared with: its own reference.
 * Work:   a position for each neuron.
 */
#include "impl_cpu/som/mesh.h"

static enum bench_status run(void *opaque)
{
    struct mesh *const m = opaque;

    for (int frame = 0; frame < m->in->n_frames; frame++)
        mesh_begin(m, frame);
    return BENCH_OK;
}

BENCH_IMPL(som_grid) = {
    .name = "som/grid",
    .problem = &som_problem,
    .target = BENCH_SERIAL,
    .source = "[SOM] Fig. 15, the uniform mesh",
    .state_size = sizeof(struct mesh),
    .setup = mesh_set_up,
    .run = run,
    .teardown = mesh_tear_down,
};
