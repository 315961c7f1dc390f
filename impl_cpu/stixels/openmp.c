/*
 * stixels/openmp - the paper's dynamic programming on all cores: columns over threads, rows of
 * a column over lanes
 *
 * Source: [STX] eq. 8, 9 and 12.  What makes it fast: - The loops are turned round as on the
 *         GPU (sect. 4.4, option B): for each bottom row v_b, all top rows
 *           v_t >= v_b at once, in vectors; the best segmentations below v_b are the same for
 *           all of them.
 *         - Only energies, disparities and bottom rows are kept; semantic class, plane and
 *           geometry below are found again for the few stixels of the result.
 *         - The semantic sums are read class by class over a strip of rows that stays in the
 *         first cache.  - Logarithms of the 65536 probabilities that a block can have come from
 *         a table.  arith = exact runs stixels/serial's own loop over the columns, and so says
 *         nothing of the code above, which is held against the exact optimum, column by column
 *         (compare() in stixels.c, float_by_hand in tests/test_stixels.c).  Models that are
 *         neither b12 nor b6 run that loop, too (column_general.h).
 * Work:   as stixels/serial.
 */
#include "impl_cpu/stixels/column_general.h"
#include "impl_cpu/stixels/team.h"

#define STRIP \
    128 /* top rows that are tried together: one strip of every array fits in the first cache */

/* The cheapest class of geometry g over rows v_b .. k, for the n top rows k from 'from'; 0
 * where there is none. */
static inline void strip_semantics(const struct column *c, int g, int v_b, int from, int n,
                                   int32_t *restrict cheapest)
{
    int any = 0;

    n = n / PADDING * PADDING;
    for (int k = 0; k < c->n_classes; k++) {
        const int32_t *restrict const sum = c->semantic + (size_t)k * c->stride;
        const int32_t *restrict const high = sum + from + 1;
        const int32_t low = sum[v_b];

        if (c->model->geometry_of[k] != g)
            continue;
        if (!any) {
            for (int i = 0; i < n; i++)
                cheapest[i] = high[i] - low;
        } else {
            for (int i = 0; i < n; i++) {
                const int32_t cost = high[i] - low;

                cheapest[i] = cost < cheapest[i] ? cost : cheapest[i];
            }
        }
        any = 1;
    }
    if (!any)
        memset(cheapest, 0, (size_t)n * sizeof *cheapest);
}

/* Try the stixels of geometry g from row v_b up to each of n rows from 'from', a multiple of
 * PADDING of them; those from 'end' on are left as they are.  g and v_b == 0 are constants
 * where this is compiled in. */
static inline __attribute__((always_inline)) void
try_strip(const struct column *c, const struct stixels_constants_float *constants, int g,
          int v_b, int from, int n, int end, const struct table *table)
{
    const struct float_sums *const sums = &c->float_sums;
    const float *restrict const s0 = sums->s0 + from + 1;
    const float *restrict const s1 = sums->s1 + from + 1;
    const float *restrict const s2 = sums->s2 + from + 1;
    const float *restrict const r0 = sums->r0 + from + 1;
    const float *restrict const r1 = sums->r1 + from + 1;
    const float *restrict const ground = sums->ground + from + 1;
    const float *restrict const t0 = sums->t0 + from + 1;
    const float *restrict const object = sums->object + from + 1;
    const float *restrict const sky = sums->sky + from + 1;
    const struct stixels_moments_float low = {
        .s0 = sums->s0[v_b],
        .s1 = sums->s1[v_b],
        .s2 = sums->s2[v_b],
        .r0 = sums->r0[v_b],
        .r1 = sums->r1[v_b],
        .ground = sums->ground[v_b],
        .t0 = sums->t0[v_b],
        .object = sums->object[v_b],
        .sky = sums->sky[v_b],
    };
    const struct stixels_constants_float k = *constants;
    const int32_t *restrict const n_valid = c->n_valid + from + 1;
    const int32_t n_valid_low = c->n_valid[v_b];
    float *restrict const cost = table->cost[g] + from;
    float *restrict const top = table->top[g] + from;
    int32_t *restrict const bottom = table->v_b[g] + from;
    float below_cost[STIXELS_N_GEOMETRIES], below_top[STIXELS_N_GEOMETRIES];
    int32_t semantic[STRIP] = {0};

    n = n / PADDING * PADDING; /* no remainder: compilers see it */
    strip_semantics(c, g, v_b, from, n, semantic);
    for (int lower = 0; lower < STIXELS_N_GEOMETRIES; lower++) {
        below_cost[lower] = v_b > 0 ? table->cost[lower][v_b - 1] : 0;
        below_top[lower] = v_b > 0 ? table->top[lower][v_b - 1] : 0;
    }
#pragma omp simd
    for (int i = 0; i < n; i++) {
        const int v_t = from + i;
        const int valid = n_valid[i] - n_valid_low;
        const struct stixels_moments_float m = {
            .s0 = s0[i] - low.s0,
            .s1 = s1[i] - low.s1,
            .s2 = s2[i] - low.s2,
            .r0 = r0[i] - low.r0,
            .r1 = r1[i] - low.r1,
            .ground = ground[i] - low.ground,
            .t0 = t0[i] - low.t0,
            .object = object[i] - low.object,
            .sky = sky[i] - low.sky,
            .origin = k.origin,
            .centre = STIXELS_CENTRE_PX,
        };
        struct stixels_plane_float plane = {0, 0};
        float energy;
        int below, better;

        if (g == STIXELS_GROUND)
            plane = stixels_fit_ground_float(&k, &m, &energy);
        else if (g == STIXELS_OBJECT)
            plane = stixels_fit_object_float(&k, &m, &energy);
        else
            energy = m.sky * k.inverse_sigma2[STIXELS_SKY];
        energy =
            stixels_own_float(&k, g, energy, valid, v_t + 1 - v_b - valid, (float)semantic[i]);
        if (v_b > 0)
            energy = stixels_link_float(&k, g, energy, stixels_at_float(plane, v_b), below_cost,
                                        below_top, &below);
        better = (energy < cost[i]) & (v_t < end);
        top[i] = better ? stixels_at_float(plane, v_t) : top[i];
        bottom[i] = better ? v_b : bottom[i];
        cost[i] = better ? energy : cost[i];
    }
}

static inline __attribute__((always_inline)) void
try_rows(const struct column *c, const struct stixels_constants_float *constants, int g,
         int v_b, int end, const struct table *table)
{
    for (int from = v_b; from < end; from += STRIP) {
        const int left = (end - from + PADDING - 1) / PADDING * PADDING;
        const int n = left < STRIP ? left : STRIP;

        if (v_b > 0)
            try_strip(c, constants, g, v_b, from, n, end, table);
        else
            try_strip(c, constants, g, 0, from, n, end, table);
    }
}

/* Follow the table from the top, finding again what it does not keep. */
static int follow(struct column *c, const struct stixels_constants_float *constants,
                  const struct table *table)
{
    int v_t = c->n_rows - 1, g = STIXELS_OBJECT, n = 0;

    for (int other = 0; other < STIXELS_N_GEOMETRIES; other++)
        if (table->cost[other][v_t] < table->cost[g][v_t])
            g = other;
    for (;;) {
        const int v_b = table->v_b[g][v_t];
        const int n_valid = c->n_valid[v_t + 1] - c->n_valid[v_b];
        struct stixel *const stixel = &c->found[n++];
        struct stixels_plane_float plane;
        float cost[STIXELS_N_GEOMETRIES] = {0}, top[STIXELS_N_GEOMETRIES] = {0}, energy;
        uint8_t semantic;
        int32_t semantic_cost;
        int below = STIXELS_N_GEOMETRIES;

        energy = depth_energy_float(c, constants, g, v_b, v_t, &plane);
        semantic_cost = cheapest_class(c, g, v_b, v_t, &semantic);
        energy = stixels_own_float(constants, g, energy, n_valid, v_t + 1 - v_b - n_valid,
                                   (float)semantic_cost);
        if (v_b > 0) {
            for (int lower = 0; lower < STIXELS_N_GEOMETRIES; lower++) {
                cost[lower] = table->cost[lower][v_b - 1];
                top[lower] = table->top[lower][v_b - 1];
            }
            (void)stixels_link_float(constants, g, energy, stixels_at_float(plane, v_b), cost,
                                     top, &below);
        }
        *stixel = (struct stixel){
            .v_bottom = (uint16_t)v_b,
            .v_top = (uint16_t)v_t,
            .geometry = (uint8_t)g,
            .semantic = semantic,
            .a = plane.a,
            .b = plane.b,
            .cost = table->cost[g][v_t] - (v_b > 0 ? cost[below] : 0),
        };
        if (v_b == 0)
            return n;
        v_t = v_b - 1;
        g = below;
    }
}

static int segment_float(struct column *c, const struct table *table)
{
    const struct stixels_constants_float constants = stixels_constants_of_float(c->model);
    const int n_rows = c->n_rows, horizon = c->model->horizon;
    const int ground_end = horizon + 1 < n_rows - 1 ? horizon + 1 : n_rows - 1;

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        for (int k = 0; k < n_rows; k++)
            table->cost[g][k] = STIXELS_FORBIDDEN;
    for (int v_b = 0; v_b < n_rows; v_b++) {
        try_rows(c, &constants, STIXELS_OBJECT, v_b, n_rows, table);
        try_rows(c, &constants, STIXELS_GROUND, v_b, ground_end, table);
        if (v_b > horizon)
            try_rows(c, &constants, STIXELS_SKY, v_b, n_rows, table);
    }
    return follow(c, &constants, table);
}

static int segment_one(struct worker *worker, int exact)
{
    return exact ? column_segment(&worker->column, 1)
                 : segment_float(&worker->column, &worker->table);
}

static int segment_general(struct worker *worker, int exact)
{
    return general_segment(&worker->column, &worker->general, exact);
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    const struct stixels_input *in = input;

    TRY(general_check(&in->model[0], bench_is(ctx->params, "arith", "exact"),
                      "stixels/cubic-openmp"));
    return setup_team(opaque, ctx, input, output);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;

    return run_team(s, s->is_general ? segment_general : segment_one);
}

BENCH_IMPL(stixels_openmp) = {
    .name = "stixels/openmp",
    .problem = &stixels_problem,
    .target = BENCH_OPENMP,
    .source = "[STX] eq. 8, 9 and 12, columns over threads, rows over lanes",
    .reference = "stixels/serial",
    .keys = team_keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
