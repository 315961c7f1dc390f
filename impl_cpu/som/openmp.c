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
#include "harness/measure/impl.h"
#include "impl_cpu/som/mesh.h"

#include <omp.h>

static const struct bench_key keys[] = {
    {"chunk", "32", "cells", "cells that a thread fetches at a time", BENCH_INT, 1, 32768,
     NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

struct state {
    const struct som_input *in; /* borrowed */
    struct som_output *out;     /* borrowed */
    struct densities densities;
    struct lists lists;
    struct extraction *slot;           /* [n_cells], owned: of every cell */
    struct extraction *active, *spare; /* [n_cells], owned */
    uint8_t *is_active;                /* [n_cells], owned */
    int n_threads, chunk;
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;
    size_t n_cells;

    s->in = input;
    s->out = output;
    s->n_threads = ctx->n_threads;
    s->chunk = bench_int(ctx->params, "chunk");
    n_cells = (size_t)som_n_cells(s->in);
    TRY(densities_alloc(&s->densities, s->in));
    TRY(lists_alloc(&s->lists, s->in));
    s->slot = malloc(n_cells * sizeof *s->slot);
    s->active = malloc(n_cells * sizeof *s->active);
    s->spare = malloc(n_cells * sizeof *s->spare);
    s->is_active = malloc(n_cells);
    if (!s->slot || !s->active || !s->spare || !s->is_active)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the data points of %zu cells", n_cells);
    return BENCH_OK;
}

/* Pull a neuron while others may: nothing that another thread has done is lost. */
static inline void pull_shared(float *position, size_t id, struct pair point, float rate)
{
    position_word *const word = (position_word *)(position + 2 * id);
    uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED), new;
    struct pair at;

    do {
        memcpy(&at, &old, sizeof at);
        at.x = som_pull(at.x, point.x, rate);
        at.y = som_pull(at.y, point.y, rate);
        memcpy(&new, &at, sizeof new);
    } while (
        !__atomic_compare_exchange_n(word, &old, new, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static void pull_all_shared(const struct som_input *in, float *position,
                            const struct extraction *e, const float *rate, int radius)
{
    const int wx = e->winner % in->grid_cols, wy = e->winner / in->grid_cols;

    for (int y = wy - radius > 0 ? wy - radius : 0; y < at_most(wy + radius + 1, in->grid_rows);
         y++) {
        int from, to;

        som_row_within(wx, wy, y, radius, &from, &to);
        from = from > 0 ? from : 0;
        to = at_most(to, in->grid_cols - 1);
        for (int x = from; x <= to; x++)
            pull_shared(position, (size_t)y * (size_t)in->grid_cols + (size_t)x, e->point,
                        rate[som_distance(x, y, wx, wy)]);
    }
}

/* What the cells have drawn, in the order in which they pull.  Returns their number. */
static int gather(struct state *s)
{
    int n = 0;

    for (int cell = 0; cell < som_n_cells(s->in); cell++)
        if (s->is_active[cell])
            s->active[n++] = s->slot[cell];
    sort_extractions(s->active, s->spare, n);
    return n;
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;
    const struct som_input *const in = s->in;
    const int n_cells = som_n_cells(in), snapshot = in->update == SOM_SNAPSHOT;

    for (int frame = 0; frame < in->n_frames; frame++) {
        const uint8_t *const grey = in->grey + (size_t)frame * som_n_pixels(in);
        const uint64_t seed = in->seed + (uint64_t)frame;
        float *const position =
            s->out->position + (size_t)frame * (size_t)s->out->n_neurons * 2;
        uint64_t left_out = 0, updates = 0, misses = 0;
        int n = 0;

        som_first_positions(in, position);
        add_densities(&s->densities, in, grey);
#pragma omp parallel num_threads(s->n_threads) reduction(+ : updates, misses)
        {
            const int thread = omp_get_thread_num(), team = omp_get_num_threads();
            const int first_row = (int)((int64_t)in->grid_rows * thread / team);
            const int end_row = (int)((int64_t)in->grid_rows * (thread + 1) / team);

            for (int round = 0; round < in->n_rounds; round++) {
                const float *const rate =
                    in->rate + (size_t)round * (size_t)(in->max_radius + 1);
                const int radius = in->radius[round];

                if (round % in->refresh_rate == 0) {
#pragma omp single
                    left_out += refresh(&s->lists, in, position);
                }
#pragma omp for schedule(dynamic, s->chunk)
                for (int cell = 0; cell < n_cells; cell++) {
                    struct extraction *const e = &s->slot[cell];

                    s->is_active[cell] =
                        (uint8_t)extract(&s->densities, in, grey, seed, round, cell, e);
                    if (s->is_active[cell] && snapshot)
                        e->winner = search(&s->lists, in, position, e->point);
                }
#pragma omp single
                n = gather(s);
                if (snapshot) {
                    for (int i = 0; i < n; i++)
                        if (s->active[i].winner >= 0)
                            pull(in, position, s->active[i].winner, s->active[i].point, rate,
                                 radius, first_row, end_row);
#pragma omp barrier
#pragma omp single
                    for (int i = 0; i < n; i++) {
                        updates += s->active[i].winner >= 0;
                        misses += s->active[i].winner < 0;
                    }
                    continue;
                }
#pragma omp for schedule(dynamic, 1)
                for (int i = 0; i < n; i++) {
                    struct extraction *const e = &s->active[i];

                    e->winner = search(&s->lists, in, position, e->point);
                    updates += e->winner >= 0;
                    misses += e->winner < 0;
                    if (e->winner >= 0)
                        pull_all_shared(in, position, e, rate, radius);
                }
            }
        }
        s->out->counts[frame].updates = updates;
        s->out->counts[frame].misses = misses;
        s->out->counts[frame].left_out = left_out;
    }
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    densities_free(&s->densities);
    lists_free(&s->lists);
    free(s->slot);
    free(s->active);
    free(s->spare);
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
