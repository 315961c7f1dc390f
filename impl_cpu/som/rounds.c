/*
 * som/rounds - the schedule of the GPU on one thread: all cells of a round, then the next round
 *
 * Source: [SOM] sect. 4.2, Algorithms 1 and 2.  With update = snapshot the reference of every
 *         variant that has rounds; with update = live the cells of a round search and pull one
 *         after the other, in the same random order, or in another one: cell_order.  From runs
 *         of the same points in several orders comes how far live meshes may differ (som.c).
 * Work:   n_rounds x (cells + active cells x (neurons of the cells searched + 3 r (r + 1) +
 *         1)), r = floor(sigma).
 */
#include "impl_cpu/som/mesh.h"

static const struct bench_key keys[] = {
    {"cell_order", "0", "",
     "of live updates: in which order the cells of a round take their turns, 0: that of "
     "snapshot updates; each number is another random one",
     BENCH_INT, 0, 65535, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

struct state {
    struct mesh mesh;
    uint32_t cell_order;
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;

    s->cell_order = (uint32_t)bench_int(ctx->params, "cell_order");
    FAIL_IF(s->cell_order > 0 && ((const struct som_input *)input)->update == SOM_SNAPSHOT,
            BENCH_ESKIP, "update = snapshot has one order, which is cell_order = 0");
    return mesh_set_up_rounds(&s->mesh, ctx, input, output);
}

static void run_round(struct mesh *m, int round, uint32_t cell_order)
{
    const struct som_input *const in = m->in;
    const int snapshot = in->update == SOM_SNAPSHOT;
    int n = 0;

    if (round % in->refresh_rate == 0)
        refresh(m);
    for (int cell = 0; cell < som_n_cells(in); cell++)
        n += extract(m, round, cell, &m->active[n]);
    for (int i = 0; i < n && cell_order > 0; i++)
        m->active[i].order =
            bench_philox(m->seed, (uint32_t)round, 0, (uint32_t)m->active[i].cell, cell_order)
                .word[2];
    for (int i = 0; i < n && snapshot; i++)
        m->active[i].winner = search(m, m->active[i].point);
    sort_active(m, n);
    for (int i = 0; i < n; i++) {
        const struct pair point = m->active[i].point;
        const int winner = snapshot ? m->active[i].winner : search(m, point);

        count(m->counts, winner);
        if (winner >= 0)
            pull(m, winner, point, reach_in(in, round), 0, in->grid_rows, 0);
    }
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;
    struct mesh *const m = &s->mesh;

    for (int frame = 0; frame < m->in->n_frames; frame++) {
        mesh_begin(m, frame);
        add_densities(m);
        for (int round = 0; round < m->in->n_rounds; round++)
            run_round(m, round, s->cell_order);
    }
    return BENCH_OK;
}

BENCH_IMPL(som_rounds) = {
    .name = "som/rounds",
    .problem = &som_problem,
    .target = BENCH_SERIAL,
    .source = "[SOM] Algorithms 1 and 2, a cell after the other",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = mesh_tear_down,
};
