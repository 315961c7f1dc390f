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
#include "harness/measure/impl.h"
#include "impl_cpu/som/mesh.h"

static const struct bench_key keys[] = {
    {"cell_order", "0", "",
     "of live updates: in which order the cells of a round take their turns, 0: that of "
     "snapshot "
     "updates; each number is another random one",
     BENCH_INT, 0, 65535, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

struct state {
    const struct som_input *in; /* borrowed */
    struct som_output *out;     /* borrowed */
    uint32_t cell_order;
    struct densities densities;
    struct lists lists;
    struct extraction *active, *spare; /* [n_cells], owned */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;
    size_t n_cells;

    s->in = input;
    s->out = output;
    s->cell_order = (uint32_t)bench_int(ctx->params, "cell_order");
    if (s->cell_order > 0 && s->in->update == SOM_SNAPSHOT)
        return BENCH_FAIL(BENCH_ESKIP,
                          "update = snapshot has one order, which is cell_order = 0");
    n_cells = (size_t)som_n_cells(s->in);
    TRY(densities_alloc(&s->densities, s->in));
    TRY(lists_alloc(&s->lists, s->in));
    s->active = malloc(n_cells * sizeof *s->active);
    s->spare = malloc(n_cells * sizeof *s->spare);
    if (!s->active || !s->spare)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the data points of %zu cells", n_cells);
    return BENCH_OK;
}

static void run_round(const struct state *s, int round, uint64_t seed, const uint8_t *grey,
                      float *position, struct som_counts *counts)
{
    const struct som_input *const in = s->in;
    const float *const rate = in->rate + (size_t)round * (size_t)(in->max_radius + 1);
    const int radius = in->radius[round];
    const int snapshot = in->update == SOM_SNAPSHOT;
    int n = 0;

    for (int cell = 0; cell < som_n_cells(in); cell++)
        n += extract(&s->densities, in, grey, seed, round, cell, &s->active[n]);
    for (int i = 0; i < n && s->cell_order > 0; i++)
        s->active[i].order =
            bench_philox(seed, (uint32_t)round, 0, (uint32_t)s->active[i].cell, s->cell_order)
                .word[2];
    for (int i = 0; i < n && snapshot; i++)
        s->active[i].winner = search(&s->lists, in, position, s->active[i].point);
    sort_extractions(s->active, s->spare, n);
    for (int i = 0; i < n; i++) {
        struct extraction *const e = &s->active[i];

        if (!snapshot)
            e->winner = search(&s->lists, in, position, e->point);
        if (e->winner < 0) {
            counts->misses++;
            continue;
        }
        counts->updates++;
        pull(in, position, e->winner, e->point, rate, radius, 0, in->grid_rows);
    }
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;
    const struct som_input *const in = s->in;

    for (int frame = 0; frame < in->n_frames; frame++) {
        const uint8_t *const grey = in->grey + (size_t)frame * som_n_pixels(in);
        float *const position =
            s->out->position + (size_t)frame * (size_t)s->out->n_neurons * 2;
        struct som_counts counts = {0, 0, 0};

        som_first_positions(in, position);
        add_densities(&s->densities, in, grey);
        for (int round = 0; round < in->n_rounds; round++) {
            if (round % in->refresh_rate == 0)
                counts.left_out += refresh(&s->lists, in, position);
            run_round(s, round, in->seed + (uint64_t)frame, grey, position, &counts);
        }
        s->out->counts[frame] = counts;
    }
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    densities_free(&s->densities);
    lists_free(&s->lists);
    free(s->active);
    free(s->spare);
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
    .teardown = teardown,
};
