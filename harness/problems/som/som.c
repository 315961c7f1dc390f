/*
 * som.c - the problem "som": input from maps, output, comparison
 *
 * Source: [SOM] sect. 3, 4, Table 1; som.h has the definition, som/model.h the arithmetic.
 */
#include "harness/problems/som/som.h"
#include "harness/base/memory.h"

#include "harness/problems/arrays.h"
#include "harness/problems/difference.h"
#include "harness/problems/frames.h"
#include "harness/problems/som/measure.h"
#include "harness/inputs/filter.h"
#include "harness/inputs/plane.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#define GREY_PER_PX 2.0 /* of maps that have no scale of their own: 127 px are white */

/* Numbers are those of [SOM] Table 1, but for the search range and sigma, whose two values are
 * of different experiments. */
static const struct bench_key keys[] = {
    {"width", "0", "px", "columns after resampling; 0: as the map is", BENCH_INT, 0,
     SOM_MAX_SIDE, NULL},
    {"height", "0", "px", "rows after resampling; 0: as the map is", BENCH_INT, 0, SOM_MAX_SIDE,
     NULL},
    {"grey", "0", "1/px", "grey levels per pixel of disparity; 0: the map's own, else 2",
     BENCH_REAL, 0, 255, NULL},
    {"threshold", "-1", "", "grey levels up to this are background; -1: the map's own, else 0",
     BENCH_INT, -1, 255, NULL},
    {"g", "6", "px", "grid factor: a neuron for so many pixels each way", BENCH_INT, 1,
     SOM_MAX_SIDE, NULL},
    {"co", "20", "px", "side of a cell", BENCH_INT, 1, SOM_MAX_CELL, NULL},
    {"rounds", "1500", "", "t_max", BENCH_INT, 1, SOM_MAX_ROUNDS, NULL},
    {"alpha", "1", "", "what a pull takes of the way, in the first round", BENCH_REAL, 1e-6, 1,
     NULL},
    {"alpha_final", "0.01", "", "and after the last", BENCH_REAL, 1e-6, 1, NULL},
    {"sigma", "24", "links", "width of the neighbourhood in the first round", BENCH_REAL, 0.01,
     SOM_MAX_SIGMA, NULL},
    {"sigma_final", "1", "links", "and after the last", BENCH_REAL, 0.01, SOM_MAX_SIGMA, NULL},
    {"ssr", "4", "rings", "spiral search range; -1: none", BENCH_INT, SOM_NO_BOUND,
     SOM_MAX_SIDE, NULL},
    {"crr", "20", "rounds", "cell refresh rate", BENCH_INT, 1, SOM_MAX_ROUNDS, NULL},
    {"mnpc", "2000", "neurons", "room in a cell's list", BENCH_INT, 1, 65536, NULL},
    {"delta", "1", "", "how active cells are", BENCH_REAL, 1e-4, 1, NULL},
    {"seed", "1", "", "of the random numbers", BENCH_INT, 0, 2147483647, NULL},
    {"update", "snapshot", "", "what a search sees of a round's pulls: none, or those made",
     BENCH_CHOICE, 0, 0, "snapshot|live"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_quick quick[] = {
    {"height", 2048, 0},     {"seed", 0, 1},  {"rounds", 0, 5},
    {"ssr", 0, 3},           {"crr", 0, 3},   {"co", 0, 2},
    {"block_threads", 0, 4}, {"sigma", 0, 1}, {NULL, 0, 0}};

static int is_live(const struct bench_params *params)
{
    return bench_is(params, "update", "live");
}

/* ---- input ---- */

static_assert(offsetof(struct som_input, grey) ==
                  16 * sizeof(int32_t) + sizeof(uint64_t) + 4 * sizeof(double),
              "the hashed scalars must have no padding");

static int input_arrays(const void *input, struct array *array)
{
    const struct som_input *in = input;

    array[0] = (struct array){"shape", ARRAY_SHAPE, offsetof(struct som_input, grey)};
    array[1] = ARRAY("grey", som_input, grey, in->n_frames, 1, in->height, in->width);
    array[2] = ARRAY("rate", som_input, rate, in->n_rounds, in->max_radius + 1, 1, 1);
    array[3] = ARRAY("radius", som_input, radius, in->n_rounds, 1, 1, 1);
    array[4] = ARRAY("", som_input, grey_per_px, in->n_frames, 1, 1, 1);
    array[5] = ARRAY("", som_input, threshold, in->n_frames, 1, 1, 1);
    return 6;
}

static int output_arrays(const void *output, struct array *array)
{
    const struct som_output *out = output;

    array[0] = ARRAY("position", som_output, position, out->n_frames, out->n_neurons, 2, 1);
    array[1] = ARRAY("counts", som_output, counts, out->n_frames, 1, 1, 1);
    return 2;
}

ARRAYS_HOOKS(input)
ARRAYS_HOOKS(output)
ARRAYS_DROP(input)

/* A width after round t of n: each round takes the same factor of it [sect. 3]. */
static double decayed(const double ends[2], int t, int n)
{
    return ends[0] * exp(log(ends[1] / ends[0]) / n * t);
}

/* By alpha and sigma. */
static void fill_tables(const struct som_input *in)
{
    const int n = in->n_rounds;

    for (int t = 0; t < n; t++) {
        const double sigma = decayed(in->sigma, t, n), alpha = decayed(in->alpha, t, n);
        float *const rate = in->rate + (size_t)t * (size_t)(in->max_radius + 1);
        const int radius = (int)sigma;

        in->radius[t] = radius < in->max_radius ? radius : in->max_radius;
        for (int d = 0; d <= in->max_radius; d++)
            rate[d] = (float)(alpha * exp(-(double)(d * d) / (sigma * sigma)));
    }
}

enum bench_status som_has_corners(const struct som_input *in)
{
    const int n = som_n_neurons(in);

    FAIL_IF(n < 4 || in->width < 2 || in->height < 2, BENCH_ESKIP,
            "expected a map of at least 2 x 2 px and 4 vertices, found %d x %d px and %d",
            in->width, in->height, n);
    return BENCH_OK;
}

void som_levels(const struct som_input *in, int frame, uint8_t level[SOM_N_DISPARITIES])
{
    const double scale = in->grey_per_px[frame] / DISPARITY_SCALE;

    for (int d = 0; d < SOM_N_DISPARITIES; d++) {
        const double grey = floor(d * scale + 0.5);

        level[d] = d == DISPARITY_INVALID || grey <= in->threshold[frame] ? 0
                   : grey < 255                                           ? (uint8_t)grey
                                                                          : 255;
    }
}

static void take_frame(const struct som_input *in, int frame, const uint16_t *disparity)
{
    const size_t n = som_n_pixels(in);
    uint8_t *const grey = in->grey + (size_t)frame * n;
    uint8_t level[SOM_N_DISPARITIES];

    som_levels(in, frame, level);
    for (size_t i = 0; i < n; i++)
        grey[i] = level[disparity[i]];
}

static void take(void *input, const struct bench_map *map, int n_threads)
{
    const struct som_input *const in = input;

    (void)n_threads;
    for (int k = 0; k < in->n_frames; k++)
        take_frame(in, k, map->data + (size_t)k * som_n_pixels(in));
}

/* Grey levels of a map. */
static enum bench_status fill_grey(const struct bench_params *params, const struct plane *plane,
                                   const struct som_input *in, int frame)
{
    const int wanted = bench_int(params, "threshold");
    const double grey_per_px = bench_real(params, "grey") > 0 ? bench_real(params, "grey")
                               : plane->grey_per_px > 0       ? plane->grey_per_px
                                                              : GREY_PER_PX;
    const uint16_t *disparity = plane->disparity;
    OWNED(memory_free) uint16_t *resampled = NULL;

    in->grey_per_px[frame] = grey_per_px;
    in->threshold[frame] = wanted >= 0 ? wanted : plane->threshold;
    if (plane->width != in->width || plane->height != in->height) {
        TRY(memory_allocate(&resampled, sizeof *resampled, 1, 1, in->height, in->width));
        filter_resample(disparity, plane->width, plane->height, resampled, in->width,
                        in->height, RESAMPLE_NEAREST);
        disparity = resampled;
    }
    take_frame(in, frame, disparity);
    return BENCH_OK;
}

/* W / g, rounded half up, at least 1: what the paper's 18 maps have. */
static int grid_side(int side, int grid_factor)
{
    const int n = (2 * side + grid_factor) / (2 * grid_factor);

    return n > 0 ? n : 1;
}

static enum bench_status make_input(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input)
{
    const int g = bench_int(params, "g"), co = bench_int(params, "co");
    const double sigma[2] = {bench_real(params, "sigma"), bench_real(params, "sigma_final")};
    OWNED(drop_input) struct som_input *in = NULL;
    int width, height;

    *input = NULL;
    TRY(frames_size(params, frames, n_frames, &width, &height));
    REFUSE_IF(width > SOM_MAX_SIDE || height > SOM_MAX_SIDE,
              "som expects maps of at most %d x %d px, found %d x %d", SOM_MAX_SIDE,
              SOM_MAX_SIDE, width, height);
    TRY(frames_have_maps(frames, n_frames));

    const struct som_input shape = {
        .n_frames = n_frames,
        .width = width,
        .height = height,
        .grid_cols = grid_side(width, g),
        .grid_rows = grid_side(height, g),
        .cell_size = co,
        .cell_cols = (width + co - 1) / co,
        .cell_rows = (height + co - 1) / co,
        .n_rounds = bench_int(params, "rounds"),
        .search_range = bench_int(params, "ssr"),
        .refresh_rate = bench_int(params, "crr"),
        .cell_capacity = bench_int(params, "mnpc"),
        .update = is_live(params) ? SOM_LIVE : SOM_SNAPSHOT,
        .delta_q16 = (uint32_t)(bench_real(params, "delta") * 65536 + 0.5),
        .max_radius = (int32_t)fmax(sigma[0], sigma[1]),
        .seed = (uint64_t)bench_int(params, "seed"),
        .alpha = {bench_real(params, "alpha"), bench_real(params, "alpha_final")},
        .sigma = {sigma[0], sigma[1]}};

    TRY(arrays_new(&shape, sizeof shape, input_arrays, &in));
    fill_tables(in);
    for (int k = 0; k < n_frames; k++)
        TRY(fill_grey(params, frames[k], in, k));
    *input = in;
    in = NULL;
    return BENCH_OK;
}

void som_first_positions(const struct som_input *in, float *position)
{
    for (int y = 0; y < in->grid_rows; y++)
        for (int x = 0; x < in->grid_cols; x++) {
            *position++ = som_first_x(x, y, in->grid_cols, in->width);
            *position++ = som_first_y(y, in->grid_rows, in->height);
        }
}

__extension__ typedef unsigned __int128 wide;

uint64_t som_sum_density(const struct som_input *in, int frame, uint64_t *prefix)
{
    const uint8_t *const grey = som_grey(in, frame);
    const size_t n = som_n_pixels(in);
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += som_density(grey[i]);
        if (prefix)
            prefix[i] = sum;
    }
    return sum;
}

size_t som_draw(const uint64_t *prefix, size_t n_pixels, uint64_t seed, uint64_t step)
{
    const struct bench_words words =
        bench_philox(seed, (uint32_t)step, (uint32_t)(step >> 32), UINT32_MAX, 0);
    const uint64_t bits = (uint64_t)words.word[0] << 32 | words.word[1];
    const uint64_t wanted = (uint64_t)(((wide)prefix[n_pixels - 1] * bits) >> 64);
    size_t low = 0, high = n_pixels - 1;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (prefix[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* ---- output and blocks ---- */

static enum bench_status make_output(const void *input, void **output)
{
    const struct som_input *in = input;
    const struct som_output shape = {.n_frames = in->n_frames, .n_neurons = som_n_neurons(in)};

    return arrays_new(&shape, sizeof shape, output_arrays, output);
}

static const struct bench_place places[] = {
    {"grey", offsetof(struct som_input, grey), _Alignof(uint8_t), false, false},
    {"position", offsetof(struct som_output, position), _Alignof(float), true, false},
    {"counts", offsetof(struct som_output, counts), _Alignof(uint64_t), true, false},
    {NULL, 0, 0, false, false},
};

static const char *const frame_keys[] = {"width", "height", "grey", "threshold", NULL};

static enum bench_match match(const struct bench_params *params)
{
    return is_live(params) ? BENCH_STATISTICAL : BENCH_EXACT;
}

static int repeatable(const struct bench_params *params)
{
    return !is_live(params);
}

/* ---- comparison ---- */

/* Every bit of every position; max_error in px, 0 for what is no number. */
static void compare_exact(const struct som_output *r, const struct som_output *o,
                          struct bench_difference *difference)
{
    const size_t n = (size_t)r->n_frames * (size_t)r->n_neurons * 2;

    for (size_t i = 0; i < n; i++) {
        uint32_t expected, found;
        double error;

        memcpy(&expected, &r->position[i], sizeof expected);
        memcpy(&found, &o->position[i], sizeof found);
        if (expected == found)
            continue;
        error = fabs((double)r->position[i] - (double)o->position[i]);
        if (error > difference->max_error) /* false for NaN */
            difference->max_error = error;
        difference_wrong(difference, 1,
                         "map %zu, neuron %zu: %c = %.9g px, the reference has %.9g",
                         i / 2 / (size_t)r->n_neurons, i / 2 % (size_t)r->n_neurons,
                         i % 2 ? 'y' : 'x', (double)o->position[i], (double)r->position[i]);
        difference->n_different++;
    }
    difference->n_compared = n;
    for (int k = 0; k < r->n_frames; k++) {
        const struct som_counts *const m = &r->counts[k], *const l = &o->counts[k];

        if (memcmp(m, l, sizeof *m) != 0)
            difference_wrong(
                difference, 1,
                "map %d: %" PRIu64 " updates, %" PRIu64 " misses, %" PRIu64
                " neurons left out, the reference has %" PRIu64 ", %" PRIu64 ", %" PRIu64,
                k, l->updates, l->misses, l->left_out, m->updates, m->misses, m->left_out);
    }
}

/*
 * Live updates: how good the mesh is, not where its neurons are.
 *
 * Wrong is what no order of live updates leaves: another number of points, or a neuron beyond
 * the map (each pull ends between the neuron and a point of the map).  Also a mesh that costs
 * no less than the network that it began as, where the reference does, or that covers less than
 * half of what the reference covers.
 *
 * Outside is a mesh that is right, but further from the reference than two runs of the
 * reference are from each other, with points of other seeds or in other orders.  999 of 1000
 * pairs stay below a band: of the maps and sigmas of experiments/som/band.ini the greatest,
 * rounded up to a tenth (som-bands of docs/queries.sql, commit 0bd1340).  One run in 832
 * was folded.  Beyond the first band are 5 of 57 280 pairs, all of tsukuba, which is the map
 * that scatters most (5 of 6320), beyond the third 4: so often a run is called outside by
 * chance, and on most maps never.  Such rows count in every mean, and are counted.
 */
#define LIVE_COST_BAND     4.2 /* %cost, points above */
#define LIVE_FOLDED_BAND   3.1 /* % of the triangles, points above */
#define LIVE_COVERAGE_BAND 1.5 /* % of the density, points, either way */

static bool is_on_map(const struct som_input *in, const float *position)
{
    for (int i = 0; i < 2 * som_n_neurons(in); i++) /* false for NaN */
        if (!(position[i] >= 0 && position[i] <= (float)(i % 2 ? in->height : in->width)))
            return false;
    return true;
}

/* 'first': the %cost of the network at the start. */
static void judge_live(int map, const struct som_quality *r, const struct som_quality *o,
                       double first, struct bench_difference *difference)
{
    const double cost = o->cost_pct - r->cost_pct, coverage = o->coverage_pct - r->coverage_pct;
    const double folded = /* or flat */
        100 * ((double)(o->n_folded + o->n_flat) - (double)(r->n_folded + r->n_flat)) /
        (o->n_triangles > 0 ? (double)o->n_triangles : 1);

    difference->max_error = fmax(difference->max_error, fabs(cost));
    difference->n_compared++;
    difference->n_different += cost < 0 || cost > 0 || isnan(o->cost_pct) != isnan(r->cost_pct);
    if (o->cost_pct >= first && r->cost_pct < first)
        difference_wrong(
            difference, 1,
            "map %d: %%cost %.2f, the network began with %.2f, the reference has %.2f", map,
            o->cost_pct, first, r->cost_pct);
    if (2 * o->coverage_pct < r->coverage_pct)
        difference_wrong(difference, 1,
                         "map %d: covers %.2f %% of the density, the reference %.2f %%", map,
                         o->coverage_pct, r->coverage_pct);
    difference->n_outside += cost > LIVE_COST_BAND || folded > LIVE_FOLDED_BAND ||
                             fabs(coverage) > LIVE_COVERAGE_BAND;
}

static void compare_live(const struct som_input *in, const struct som_output *r,
                         const struct som_output *o, struct bench_difference *difference)
{
    for (int k = 0; k < r->n_frames; k++) {
        struct som_quality regular, expected, found;
        const struct som_counts *m = &r->counts[k], *l = &o->counts[k];

        /* what is drawn depends on no neuron */
        if (m->updates + m->misses != l->updates + l->misses)
            difference_wrong(difference, 1,
                             "map %d: %" PRIu64 " cells had a point, in the reference %" PRIu64,
                             k, l->updates + l->misses, m->updates + m->misses);
        if (som_quality_of(in, k, NULL, &regular) != BENCH_OK ||
            som_quality_of(in, k, som_position(r, k), &expected) != BENCH_OK ||
            som_quality_of(in, k, som_position(o, k), &found) != BENCH_OK) {
            difference_wrong(difference, 1, "map %d: %.120s", k, bench_failure());
            continue;
        }
        if (!is_on_map(in, som_position(o, k)))
            difference_wrong(difference, 1, "map %d: a neuron is beyond the map", k);
        judge_live(k, &expected, &found, regular.cost_pct, difference);
    }
}

static void compare(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference)
{
    const struct som_output *r = reference, *o = output;

    memset(difference, 0, sizeof *difference);
    if (r->n_frames != o->n_frames || r->n_neurons != o->n_neurons) {
        difference_wrong(difference, 1,
                         "an output of %d x %d neurons, the reference has %d x %d", o->n_frames,
                         o->n_neurons, r->n_frames, r->n_neurons);
        difference->max_error = 1;
        return;
    }
    if (input && is_live(params))
        compare_live(input, r, o, difference);
    else
        compare_exact(r, o, difference);
}

/* A mesh of another kind, or a network that follows another rule: no more than that it is
 * one. */
static void compare_other(const struct bench_params *params, const void *input,
                          const void *reference, const void *output,
                          struct bench_difference *difference)
{
    const struct som_output *const o = output;

    (void)params;
    (void)reference;
    for (int k = 0; k < o->n_frames; k++) {
        OWNED(delaunay_free) struct delaunay d = {0};
        struct som_quality quality;

        if (som_is_network(o, k) ? som_quality_of(input, k, som_position(o, k), &quality)
                                 : som_delaunay_of(input, o, k, &d))
            difference_wrong(difference, 1, "map %d: %.120s", k, bench_failure());
    }
}

/* ---- work ---- */

/* Maps and tables read, positions written once; an operation is one neuron that is pulled. */
static void count_work(const void *input, const void *reference, struct bench_work *work)
{
    const struct som_input *in = input;
    const struct som_output *r = reference;
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    const int n_blocks = output_blocks(reference, blocks);
    double updates = 0, pulled = 0;

    work->bytes = (double)in->n_frames * (double)som_n_pixels(in);
    for (int b = 0; b < n_blocks; b++)
        work->bytes += (double)blocks[b].bytes;
    for (int k = 0; k < r->n_frames; k++)
        updates += (double)r->counts[k].updates;
    for (int t = 0; t < in->n_rounds; t++)
        pulled += 3.0 * in->radius[t] * (in->radius[t] + 1) + 1;
    work->ops = updates * pulled / in->n_rounds; /* but for the borders of the network */
}

static enum bench_status check(const struct bench_params *params)
{
    const double first = bench_real(params, "sigma"), last = bench_real(params, "sigma_final");

    REFUSE_IF(!(first >= last), "sigma = %g: expected at least sigma_final, which is %g", first,
              last);
    return BENCH_OK;
}

/* of rounds of all cells; of the paper's program for one core, one data point of the whole map
 * at a time; of no round at all */
static const char *const references[] = {"som/rounds", "som/serial", "som/grid", NULL};

const struct bench_problem som_problem = {
    .name = "som",
    .title = "deform a hexagonal mesh to the density of a disparity map [SOM]",
    ARRAYS_PROBLEM,
    .quick = quick,
    .check = check,
    .places = places,
    .frame_keys = frame_keys,
    .take = take,
    .repeatable = repeatable,
    .compare = compare,
    .compare_other = compare_other,
    .sum = som_sum,
    .values = som_values,
    .value_names =
        "cost_pct cost_first_pct folded_pct flat_pct coverage_pct honeycombs "
        "pixels_per_neuron updates misses left_out active_pct near_detail surface_known_pct "
        "surface_mean_grey surface_rms_grey surface_max_grey surface_mean_px "
        "surface_rms_px surface_max_px vertices triangles equal_rms_vertices",
};
