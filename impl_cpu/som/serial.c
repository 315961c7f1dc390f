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
#include "harness/measure/impl.h"
#include "impl_cpu/som/mesh.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;

struct state {
    const struct som_input *in; /* borrowed */
    struct som_output *out;     /* borrowed */
    struct lists lists;
    uint64_t *prefix; /* [height][width]: density up to a pixel, row by row, owned */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;

    (void)ctx;
    s->in = input;
    s->out = output;
    s->prefix = malloc(som_n_pixels(s->in) * sizeof *s->prefix);
    if (!s->prefix)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the densities of %zu pixels",
                          som_n_pixels(s->in));
    return lists_alloc(&s->lists, s->in);
}

/* A pixel's centre, each pixel as likely as it is dense [eq. 5], by 64 random bits. */
static struct pair draw(const struct state *s, uint64_t total, uint64_t seed,
                        uint64_t iteration)
{
    const struct bench_words words =
        bench_philox(seed, (uint32_t)iteration, (uint32_t)(iteration >> 32), UINT32_MAX, 0);
    const uint64_t bits = (uint64_t)words.word[0] << 32 | words.word[1];
    const uint64_t wanted = (uint64_t)(((wide)total * bits) >> 64);
    size_t low = 0, high = som_n_pixels(s->in) - 1, row;
    struct pair point;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (s->prefix[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    row = low / (size_t)s->in->width;
    point.x = (float)(low - row * (size_t)s->in->width) + 0.5f;
    point.y = (float)row + 0.5f;
    return point;
}

/* rate[d] = alpha exp(-d^2 / sigma^2) for d = 0 .. radius, from one exponential: d^2 grows by 2
 * d + 1. */
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

static void run_frame(struct state *s, int frame, float *position, struct som_counts *counts)
{
    const struct som_input *const in = s->in;
    const uint64_t n_cells = (uint64_t)som_n_cells(in);
    const uint64_t n = (uint64_t)in->n_rounds * n_cells;
    const uint64_t refresh_rate = (uint64_t)in->refresh_rate * n_cells;
    const uint8_t *const grey = in->grey + (size_t)frame * som_n_pixels(in);
    const double alpha_factor = exp(log(in->alpha[1] / in->alpha[0]) / (double)n);
    const double sigma_factor = exp(log(in->sigma[1] / in->sigma[0]) / (double)n);
    double alpha = in->alpha[0], sigma = in->sigma[0];
    float rate[SOM_MAX_SIGMA + 1];
    uint64_t total = 0;

    for (size_t i = 0; i < som_n_pixels(in); i++)
        s->prefix[i] = total += som_density(grey[i]);
    for (uint64_t i = 0; i < n && total > 0; i++) {
        const int radius = at_most((int)sigma, in->max_radius);
        struct pair point;
        int winner;

        if (i % refresh_rate == 0)
            counts->left_out += refresh(&s->lists, in, position);
        point = draw(s, total, in->seed + (uint64_t)frame, i);
        winner = search(&s->lists, in, position, point);
        if (winner >= 0) {
            fill_rates(alpha, sigma, radius, rate);
            pull(in, position, winner, point, rate, radius, 0, in->grid_rows);
        }
        counts->updates += winner >= 0;
        counts->misses += winner < 0;
        alpha *= alpha_factor;
        sigma *= sigma_factor;
    }
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;

    for (int frame = 0; frame < s->in->n_frames; frame++) {
        float *const position =
            s->out->position + (size_t)frame * (size_t)s->out->n_neurons * 2;
        struct som_counts counts = {0, 0, 0};

        som_first_positions(s->in, position);
        run_frame(s, frame, position, &counts);
        s->out->counts[frame] = counts;
    }
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    lists_free(&s->lists);
    free(s->prefix);
}

BENCH_IMPL(som_serial) = {
    .name = "som/serial",
    .problem = &som_problem,
    .target = BENCH_SERIAL,
    .source = "[SOM] sect. 3, the paper's program for one core",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
