/*
 * som/openmp - som/rounds with the cells, and then the neurons, spread over threads
 *
 * Source: [SOM] sect. 4.2.  A round has three parts, each of which waits for the one before:
 *         every thread extracts and searches for some of the cells; one sorts what they found;
 *         every thread pulls the neurons of its own rows of the network, by all cells in order.
 *         So no neuron has two writers, and the bits are those of som/rounds.  update = live: a
 *         thread searches and pulls for its cells at once, each neuron by a compare-and-swap of
 *         its pair.
 * Work:   as som/rounds; with update = snapshot every thread looks at every update.
 */
#include "impl_cpu/som/mesh.h"

#include <omp.h>

static const struct bench_key keys[] = {
    {"chunk", "32", "cells", "cells that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

struct state {
    struct mesh mesh;
    uint8_t *is_active; /* [n_cells], owned */
    int n_threads, chunk;
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;

    s->n_threads = ctx->n_threads;
    s->chunk = bench_int(ctx->params, "chunk");
    s->is_active = malloc((size_t)som_n_cells(input));
    if (!s->is_active)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %d cells", som_n_cells(input));
    return mesh_set_up_rounds(&s->mesh, ctx, input, output);
}

/* What the cells have drawn, in the order in which they pull.  Returns their number. */
static int gather(const struct state *s)
{
    const struct mesh *const m = &s->mesh;
    int n = 0;

    for (int cell = 0; cell < som_n_cells(m->in); cell++)
        if (s->is_active[cell])
            m->active[n++] = m->spare[cell];
    for (int i = 0; i < n && m->in->update == SOM_SNAPSHOT; i++)
        count(m->counts, m->active[i].winner);
    sort_active(m, n);
    return n;
}

static void run_frame(struct state *s)
{
    struct mesh *const m = &s->mesh;
    const struct som_input *const in = m->in;
    const int n_cells = som_n_cells(in), snapshot = in->update == SOM_SNAPSHOT;
    uint64_t updates = 0, misses = 0; /* of live updates */
    int n = 0;

#pragma omp parallel num_threads(s->n_threads) reduction(+ : updates, misses)
    {
        const int thread = omp_get_thread_num(), team = omp_get_num_threads();
        const int first_row = (int)((int64_t)in->grid_rows * thread / team);
        const int end_row = (int)((int64_t)in->grid_rows * (thread + 1) / team);

        for (int round = 0; round < in->n_rounds; round++) {
            const struct reach reach = reach_in(in, round);

            if (round % in->refresh_rate == 0) {
#pragma omp single
                refresh(m);
            }
            /* what the cells draw is in 'spare' until it is gathered */
#pragma omp for schedule(dynamic, s->chunk)
            for (int cell = 0; cell < n_cells; cell++) {
                struct extraction *const e = &m->spare[cell];

                s->is_active[cell] = (uint8_t)extract(m, round, cell, e);
                if (s->is_active[cell] && snapshot)
                    e->winner = search(m, e->point);
            }
#pragma omp single
            n = gather(s);
            if (snapshot) {
                for (int i = 0; i < n; i++)
                    if (m->active[i].winner >= 0)
                        pull(m, m->active[i].winner, m->active[i].point, reach, first_row,
                             end_row, 0);
#pragma omp barrier
                continue;
            }
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < n; i++) {
                const struct pair point = m->active[i].point;
                const int winner = search(m, point);

                updates += winner >= 0;
                misses += winner < 0;
                if (winner >= 0)
                    pull(m, winner, point, reach, 0, in->grid_rows, 1);
            }
        }
    }
    m->counts->updates += updates;
    m->counts->misses += misses;
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;

    for (int frame = 0; frame < s->mesh.in->n_frames; frame++) {
        mesh_begin(&s->mesh, frame);
        add_densities(&s->mesh);
        run_frame(s);
    }
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    mesh_tear_down(&s->mesh);
    free(s->is_active);
}

BENCH_IMPL(som_openmp) = {
    .name = "som/openmp",
    .problem = &som_problem,
    .target = BENCH_OPENMP,
    .source = "[SOM] sect. 4.2, cells and then neurons over threads",
    .reference = "som/rounds",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
