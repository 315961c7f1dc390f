/*
 * som/serial - the paper's counterpart on a CPU: one data point of the whole map at a time
 *
 * Source: [SOM] sect. 3 and 6.3: n_rounds x cells iterations, the lists refreshed every
 *         refresh_rate x cells of them, alpha and sigma shrinking from one to the next.  Not
 *         the same work as the variants with rounds, whose cells rest most of the time: another
 *         algorithm, its own reference.
 * Work:   n_rounds x cells x (log2 of the pixels + neurons of the cells searched + 3 r (r + 1)
 *         + 1), r = floor(sigma).
 */
#include "impl_cpu/som/mesh.h"

#include <math.h>

/* One choice: in old lists searches of all cells find other winners, and no key may change a
 * result. */
static const struct bench_key keys[] = {
    {"search", "stop", "",
     "a search ends with the ring behind which no list can have a nearer one", BENCH_CHOICE, 0,
     0, "stop"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

struct state {
    struct mesh mesh;
    uint64_t *prefix; /* [height][width]: density up to a pixel, row by row, owned */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;
    const size_t n_pixels = som_n_pixels(input);

    s->prefix = malloc(n_pixels * sizeof *s->prefix);
    NEED(s->prefix, "the densities of %zu pixels", n_pixels);
    return mesh_set_up(&s->mesh, ctx, input, output);
}

/* rate[d] = alpha exp(-d^2 / sigma^2), d = 0 .. radius, by one exp(): d^2 grows by 2 d + 1. */
static void fill_rates(double alpha, double sigma, int radius, float *rate)
{
    const double q = exp(-1 / (sigma * sigma)), q2 = q * q;
    double value = alpha, factor = q;

    for (int d = 0; d <= radius; d++) {
        rate[d] = (float)value;
        value *= factor;
        factor *= q2;
    }
}

static void run_frame(struct mesh *m, uint64_t *prefix, int frame)
{
    const struct som_input *const in = m->in;
    const uint64_t n_cells = (uint64_t)som_n_cells(in);
    const uint64_t n = (uint64_t)in->n_rounds * n_cells;
    const uint64_t refresh_rate = (uint64_t)in->refresh_rate * n_cells;
    const size_t n_pixels = som_n_pixels(in), width = (size_t)in->width;
    const double alpha_factor = exp(log(in->alpha[1] / in->alpha[0]) / (double)n);
    const double sigma_factor = exp(log(in->sigma[1] / in->sigma[0]) / (double)n);
    double alpha = in->alpha[0], sigma = in->sigma[0];
    float rate[SOM_MAX_SIGMA + 1];

    mesh_begin(m, frame);
    if (som_sum_density(in, frame, prefix) == 0)
        return;
    for (uint64_t i = 0; i < n; i++) {
        const struct reach reach = {rate, at_most((int)sigma, in->max_radius)};
        struct pair point;
        size_t pixel, row;
        int winner;

        if (i % refresh_rate == 0)
            refresh(m);
        pixel = som_draw(prefix, n_pixels, m->seed, i);
        row = pixel / width;
        point.x = (float)(pixel - row * width) + 0.5f;
        point.y = (float)row + 0.5f;
        winner = search(m, point);
        count(m->counts, winner);
        if (winner >= 0) {
            fill_rates(alpha, sigma, reach.radius, rate);
            pull(m, winner, point, reach, 0, in->grid_rows, 0);
        }
        alpha *= alpha_factor;
        sigma *= sigma_factor;
    }
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;

    for (int frame = 0; frame < s->mesh.in->n_frames; frame++)
        run_frame(&s->mesh, s->prefix, frame);
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    mesh_tear_down(&s->mesh);
    free(s->prefix);
}

BENCH_IMPL(som_serial) = {
    .name = "som/serial",
    .problem = &som_problem,
    .target = BENCH_SERIAL,
    .source = "[SOM] sect. 3, the paper's program for one core",
    .keys = keys,
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
