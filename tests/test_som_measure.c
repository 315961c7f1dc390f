/*
 * test_som_measure.c - the quality of a mesh against a definition written down once more, and
 * against cases done by hand
 *
 * The oracle below shares nothing with som/measure.c but the positions in 1/256 px: links are
 * pairs at distance 1, triangles triples of which each pair is linked, and every pixel of the
 * map is asked for every triangle.
 *
 * Then the Delaunay triangulation and som/greedy.  The oracle of the mesh asks for each vertex
 * and each triangle whether it lies in its circle, that of the insertion for each pixel and
 * each triangle, at each step.  Links among vertices on one circle are the routine's choice, so
 * the oracle takes its triangles.
 */
#include "harness/problems/som/som.h"
#include "harness/base/random.h"
#include "harness/base/status.h"
#include "tests/drive.h"
#include "tests/sink.h"

/* a second copy, with a sink of our own, and whose parts can be called */
#define bench_value     collect_value
#define som_sum         our_sum
#define som_values      our_values
#define som_quality_of  our_quality_of
#define som_delaunay_of our_delaunay_of
#define som_level_at    our_level_at
#include "harness/problems/som/measure.c"
#undef bench_value
#undef som_sum
#undef som_values
#undef som_quality_of
#undef som_delaunay_of

/* ---- meshes made here ---- */

/* One network over frames of which each has positions of its own. */
struct case_of {
    struct som_input in;
    struct som_output out;
    double grey_per_px[2];
};

/* The regular network, everywhere, over maps of up to two frames without density. */
static struct case_of *new_case(int n_frames, int width, int height, int cols, int rows)
{
    struct case_of *const c = keep(calloc(1, sizeof *c), free);

    c->grey_per_px[0] = c->grey_per_px[1] = 2;
    c->in = (struct som_input){
        .n_frames = n_frames,
        .width = width,
        .height = height,
        .grid_cols = cols,
        .grid_rows = rows,
        .cell_size = 5,
        .cell_cols = (width + 4) / 5,
        .cell_rows = (height + 4) / 5,
        .n_rounds = 1,
        .grey = keep(calloc((size_t)n_frames, (size_t)(width * height)), free),
        .grey_per_px = c->grey_per_px};
    c->out = *(struct som_output *)new_guarded(&som_problem, &c->in);
    memset(c->out.counts, 0, (size_t)n_frames * sizeof *c->out.counts);
    for (int f = 0; f < n_frames; f++)
        som_first_positions(&c->in, som_position(&c->out, f));
    return c;
}

static float *position_of(struct case_of *c, int x, int y)
{
    return c->out.position + 2 * (y * c->in.grid_cols + x);
}

/* A row of random words, each drawn once. */
struct dice {
    uint32_t key, n;
};

static uint32_t roll(struct dice *dice, uint32_t n)
{
    return bench_below(bench_philox(dice->key, dice->n++, 0, 0, 0).word[0], n);
}

static void random_map(struct case_of *c, struct dice *dice)
{
    for (size_t i = 0; i < som_n_pixels(&c->in); i++)
        c->in.grey[i] = roll(dice, 4) ? (uint8_t)roll(dice, 256) : 0;
}

static struct som_quality quality_of(const struct case_of *c)
{
    struct som_quality quality;

    assert_int_equal(our_quality_of(&c->in, 0, c->out.position, &quality), BENCH_OK);
    return quality;
}

/* ---- the oracle ---- */

static int sign(int64_t value)
{
    return (value > 0) - (value < 0);
}

static int64_t units(float px)
{
    return (int64_t)floor(256 * (double)px + 0.5);
}

/* On which side of the line ab the centre of a pixel is, moved to the right by less than
 * anything and down by less than that: never on it, unless a is b. */
static int side(const int64_t *a, const int64_t *b, int x, int y)
{
    const int64_t dx = b[0] - a[0], dy = b[1] - a[1];
    const int at_centre = sign(dx * (256 * y + 128 - a[1]) - dy * (256 * x + 128 - a[0]));

    if (at_centre != 0)
        return at_centre;
    return dy != 0 ? sign(-dy) : sign(dx);
}

/* Twice, and > 0 when the corners go clockwise as drawn. */
static int64_t area_of(const int64_t *a, const int64_t *b, const int64_t *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The level of the pixel that a neuron is in, on the far borders of the last ones; 0: none. */
static double oracle_level(const struct case_of *c, const int64_t *p)
{
    const int64_t width = c->in.width, height = c->in.height;
    const int64_t x = p[0] == 256 * width ? width - 1 : p[0] / 256;
    const int64_t y = p[1] == 256 * height ? height - 1 : p[1] / 256;
    const int is_in = p[0] >= 0 && p[1] >= 0 && x < width && y < height;

    return is_in ? c->in.grey[y * width + x] : 0;
}

/* The density in a triangle.  Where its corners have levels it is a piece of the surface, whose
 * nearest one counts at a pixel, by its centre. */
static uint64_t oracle_triangle(const struct case_of *c, const int64_t *p, const int64_t *q,
                                const int64_t *r, double *surface)
{
    const double levels[] = {oracle_level(c, p), oracle_level(c, q), oracle_level(c, r)};
    uint64_t sum = 0;

    for (int i = 0; i < c->in.width * c->in.height; i++) {
        const int x = i % c->in.width, y = i / c->in.width, s = side(p, q, x, y);
        const int64_t at[] = {256 * x + 128, 256 * y + 128};

        if (s == 0 || side(q, r, x, y) != s || side(r, p, x, y) != s)
            continue;
        sum += (uint64_t)pow(c->in.grey[i], 3);
        if (area_of(p, q, r) != 0 && levels[0] > 0 && levels[1] > 0 && levels[2] > 0)
            surface[i] = fmax(surface[i], ((double)area_of(q, r, at) * levels[0] +
                                           (double)area_of(r, p, at) * levels[1] +
                                           (double)area_of(p, q, at) * levels[2]) /
                                              (double)area_of(p, q, r));
    }
    return sum;
}

static struct som_quality oracle(const struct case_of *c, double *surface)
{
    enum { MOST = 64 };

    const int cols = c->in.grid_cols, n = cols * c->in.grid_rows;
    int64_t at[MOST][2], ideal[MOST][2];
    uint64_t weight[MOST] = {0}, sum = 0, total = 0;
    int n_triangles_at[MOST] = {0};
    struct som_quality q = {.cost_pct = NAN}; /* eq. 2 divides by the mean */
    long double off = 0;

    assert_true(n <= MOST);
    for (int i = 0; i < n; i++) {
        at[i][0] = units(c->out.position[2 * i]);
        at[i][1] = units(c->out.position[2 * i + 1]);
        ideal[i][0] = 2 * (i % cols) + (i / cols % 2 == 0);
        ideal[i][1] = i / cols;
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++) {
                const int corner[3] = {i, j, k};
                int centre = -1, n_links = 0;

                for (int m = 0; m < 3; m++) {
                    const int x = corner[m] % cols, y = corner[m] / cols;
                    const int next = corner[(m + 1) % 3];

                    n_links += som_distance(x, y, next % cols, next / cols) == 1;
                    if (x % 3 == (y % 2 == 0 ? 1 : 0))
                        centre = corner[m];
                }
                if (n_links < 3)
                    continue;
                assert_true(centre >= 0);
                n_triangles_at[centre]++;
                q.n_triangles++;
                q.n_folded += sign(area_of(at[i], at[j], at[k])) ==
                              -sign(area_of(ideal[i], ideal[j], ideal[k]));
                q.n_flat += area_of(at[i], at[j], at[k]) == 0;
                weight[centre] += oracle_triangle(c, at[i], at[j], at[k], surface);
            }
    for (size_t i = 0; i < som_n_pixels(&c->in); i++)
        total += (uint64_t)pow(c->in.grey[i], 3);
    for (int i = 0; i < n; i++) {
        weight[i] *= n_triangles_at[i] == 6; /* complete */
        q.n_honeycombs += n_triangles_at[i] == 6;
        sum += weight[i];
    }
    /* small enough that every number but the last is whole and exact */
    for (int i = 0; i < n; i++)
        if (n_triangles_at[i] == 6)
            off +=
                fabsl((long double)q.n_honeycombs * (long double)weight[i] - (long double)sum);
    if (sum > 0)
        q.cost_pct = (double)(100 * off) / (double)((uint64_t)q.n_honeycombs * sum);
    if (total > 0)
        q.coverage_pct = (double)(100 * sum) / (double)total;
    return q;
}

/* Holds a mesh's quality against the oracle's, which it returns. */
static struct som_quality assert_as_defined(const struct case_of *c, int i)
{
    double *const surface = keep(calloc(som_n_pixels(&c->in), sizeof *surface), free);
    const struct som_quality expected = oracle(c, surface);
    struct errors errors = {0}, e = {0};
    struct som_quality found = {0};

    assert_int_equal(look_at(&c->in, 0, c->out.position, &found, &errors), BENCH_OK);
    if (found.n_honeycombs != expected.n_honeycombs ||
        found.n_triangles != expected.n_triangles || found.n_folded != expected.n_folded ||
        found.n_flat != expected.n_flat)
        fail_msg("mesh %d: %d honeycombs, %zu of %zu triangles folded, expected %d, %zu of %zu",
                 i, found.n_honeycombs, found.n_folded, found.n_triangles,
                 expected.n_honeycombs, expected.n_folded, expected.n_triangles);
    assert_true(found.coverage_pct == expected.coverage_pct);
    assert_true(found.cost_pct == expected.cost_pct ||
                (isnan(found.cost_pct) && isnan(expected.cost_pct)));
    for (size_t k = 0; k < som_n_pixels(&c->in); k++) {
        const double error = surface[k] > 0 ? fabs(surface[k] - c->in.grey[k]) : 0;

        if (c->in.grey[k] == 0)
            continue;
        e.pixels++;
        e.known += surface[k] > 0;
        e.sum += error;
        e.squares += error * error;
        e.error_max = fmax(e.error_max, error);
    }
    assert_true(errors.pixels == e.pixels && errors.known == e.known);
    assert_true(fabs(errors.sum - e.sum) <= 1e-9 * e.sum &&
                fabs(errors.squares - e.squares) <= 1e-9 * e.squares &&
                fabs(errors.error_max - e.error_max) <= 1e-9 * e.error_max);
    return expected;
}

/* ---- against the oracle ---- */

enum disorder {
    JITTER,       /* a regular network whose neurons are moved a little */
    ON_CENTRES,   /* the same, on centres and corners of pixels: edges run through centres */
    SCATTERED,    /* anywhere on the map, and around it */
    ON_FEW_SPOTS, /* on few spots: many triangles without area, many equal corners */
    FAR_AWAY      /* some neurons as far as they may be */
};

static void disturb(struct case_of *c, enum disorder disorder, struct dice *dice)
{
    for (int i = 0; i < 2 * c->out.n_neurons; i++) {
        float *const p = &c->out.position[i];
        const uint32_t side_length = (uint32_t)(i % 2 ? c->in.height : c->in.width);

        if (disorder == JITTER)
            *p += ((float)roll(dice, 4096) - 2048) / 700;
        else if (disorder == ON_CENTRES)
            *p = floorf(2 * *p + (float)roll(dice, 5) - 2) / 2;
        else if (disorder == SCATTERED)
            *p = (float)roll(dice, 3000 * side_length) / 1000 - (float)side_length;
        else if (disorder == ON_FEW_SPOTS)
            *p = (float)roll(dice, 4) * (float)side_length / 4 + 0.5F;
        else if (roll(dice, 3) == 0)
            *p = roll(dice, 2) ? 1e6F : -1e6F;
    }
}

TEST(random_meshes_as_by_definition)
{
    int n_folded = 0, n_even = 0, n_flat = 0, n_twice = 0, n_honeycombs = 0;

    for (int i = 0; i < 150; i++) {
        struct dice dice = {.key = (uint32_t)i, .n = 0};
        const int cols = 1 + (int)roll(&dice, 8), rows = 1 + (int)roll(&dice, 7);
        struct case_of *const c =
            new_case(1, 1 + (int)roll(&dice, 40), 1 + (int)roll(&dice, 32), cols, rows);
        struct som_quality expected;

        random_map(c, &dice);
        disturb(c, (enum disorder)(i % 5), &dice);
        expected = assert_as_defined(c, i);
        n_folded += expected.n_folded > 0;
        n_even += expected.n_folded == 0;
        n_flat += expected.n_flat > 0;
        n_twice += expected.coverage_pct > 100;
        n_honeycombs += expected.n_honeycombs > 1;
    }
    /* the cases are what they are meant to be: some cover pixels twice */
    assert_true(n_folded > 40 && n_even > 10 && n_flat > 10 && n_twice > 0 &&
                n_honeycombs > 40);
}

/* ---- by hand ---- */

/* More than any map has in 64 bits: K W is 2^75 here. */
TEST(sums_beyond_64_bits)
{
    enum { K = 1 << 20 };
    uint64_t *const weight = keep(malloc(K * sizeof *weight), free);

    for (int k = 0; k < K; k++)
        weight[k] = k % 2 ? UINT64_C(1) << 55 : 0;
    assert_true(cost_pct(weight, K) == 100);
    for (int k = 0; k < K; k++)
        weight[k] = k % 2 ? (UINT64_C(1) << 55) + 1 : (UINT64_C(1) << 55) - 1;
    assert_true(cost_pct(weight, K) == 100 / 36028797018963968.0); /* the mean is 2^55 */
}

/* To 1/256 px, halves up on both sides of 0: also whether a neuron lies in a pixel. */
TEST(positions_are_rounded)
{
    struct case_of *const c = new_case(1, 2, 1, 1, 1);

    c->in.grey[0] = 255;
    for (int i = -1200; i < 2000; i++) { /* quarters of a unit */
        const int expected = (i + 2 + 4096) / 4 - 1024;
        const int is_in = expected >= 0 && expected < 256;

        assert_int_equal(snapped(i / 1024.0), expected);
        assert_int_equal(som_level_at(&c->in, 0, (float[]){(float)i / 1024, 0}), 255 * is_in);
    }
}

/* ---- refused ---- */

static enum bench_status measured(struct case_of *const *cases, int n, struct bench_sink *sink)
{
    const void *in[2], *out[2];

    for (int i = 0; i < n; i++) {
        in[i] = &cases[i]->in;
        out[i] = &cases[i]->out;
    }
    bench_failure_clear();
    return values_of(our_sum, our_values, in, NULL, out, n, sink);
}

TEST(positions_that_are_none)
{
    static const float wrong[] = {NAN, -NAN, INFINITY, -INFINITY, 1.01e6F, -1.01e6F, 1e30F};
    struct case_of *const c = new_case(1, 20, 20, 5, 4);
    float *const position = position_of(c, 3, 2);
    struct som_quality quality = {.n_honeycombs = -7};
    struct bench_sink sink = {0};

    for (int i = 0; i < 2 * N_OF(wrong); i++) {
        const float kept = position[i % 2];

        position[i % 2] = wrong[i / 2];
        assert_int_equal(our_quality_of(&c->in, 0, c->out.position, &quality), BENCH_EMISMATCH);
        assert_non_null(strstr(bench_failure(), "neuron (3, 2) of frame 0"));
        assert_int_equal(quality.n_honeycombs, -7);
        position[i % 2] = kept;
    }
    position[0] = 1e6F;
    position[1] = -1e6F;
    quality_of(c);
    position[0] = NAN;
    assert_int_equal(measured(&c, 1, &sink), BENCH_EMISMATCH);
    assert_non_null(strstr(bench_failure(), "neuron (3, 2) of frame 0"));
    assert_int_equal(sink.n, 0);
}

/* ---- values ---- */

/* All values of one or two inputs, to ten digits, as "NAME NUMBER, NAME[INDEX] NUMBER". */
static void assert_values(struct case_of *one, struct case_of *other, const char *expected)
{
    struct case_of *const cases[] = {one, other};
    struct bench_sink sink = {0};
    char found[1000], index[16];
    int n = 0;

    assert_int_equal(measured(cases, other ? 2 : 1, &sink), BENCH_OK);
    for (int i = 0; i < sink.n; i++) {
        snprintf(index, sizeof index, "[%d]", sink.item[i].index);
        n += snprintf(found + n, sizeof found - (size_t)n, "%s%s%s %.10g", i ? ", " : "",
                      sink.item[i].name, sink.item[i].index < 0 ? "" : index,
                      sink.item[i].value);
    }
    assert_string_equal(found, expected);
}

/* 8 x 3 neurons 4 px apart, so two honeycombs: a frame with two dense pixels, one with both
 * alike and turned upside down; then another network; then one that has none. */
TEST(values_by_hand)
{
    struct case_of *const two = new_case(2, 32, 12, 8, 3);
    struct case_of *const one = new_case(1, 12, 16, 3, 4), *const lone =
                                                               new_case(1, 3, 3, 1, 1);
    float *const second = two->out.position + 2 * 24;

    two->in.grey[6 * 32 + 13] = 1;
    memset(two->in.grey + 32 * 12, 3, 32 * 12);
    for (int x = 0; x < 8; x++) { /* rows 0 and 2 of frame 1 change places */
        second[2 * x + 1] = 10;
        second[2 * (16 + x) + 1] = 2;
    }
    /* at first W is 1 and 8; then the right honeycomb moves to where the left one was, and that
     * one away */
    two->in.grey[6 * 32 + 25] = 2;
    for (int i = 0; i < 24; i++)
        two->out.position[2 * i] -= 12;
    memset(one->in.grey, 2, 12 * 16);
    one->in.grey[12 * 7 + 6] = 10; /* 8 off */
    one->grey_per_px[0] = 4;
    two->in.n_rounds = 10; /* 7 x 3 cells, 2 frames */
    one->in.n_rounds = 20; /* 3 x 4 cells: 333 of 660 are active */
    two->out.counts[0] = (struct som_counts){.updates = 100, .misses = 1, .left_out = 7};
    two->out.counts[1] = (struct som_counts){.updates = 30, .misses = 2, .left_out = 0};
    one->out.counts[0] = (struct som_counts){.updates = 200, .misses = 0, .left_out = 2};
    /* costs: 100, since the right one alone holds a dense pixel, 0, 0; at first 700 / 9, 0, 0;
     * covered are 1 of 9, 25 % and, by that pixel, 1376 of 2528; of 320 pixels where the
     * surface is known, one is 8 levels off, 2 px */
    assert_values(two, one,
                  "cost_pct 33.33333333, cost_pct[0] 100, cost_pct[1] 0, cost_pct[2] 0, "
                  "cost_first_pct 25.92592593, folded_pct 33.33333333, flat_pct 0, "
                  "coverage_pct 30.18049695, "
                  "honeycombs 2, pixels_per_neuron 16, updates 110, misses 1, left_out 3, "
                  "active_pct 50.45454545, near_detail 0, surface_known_pct 55.3633218, "
                  "surface_mean_grey 0.025, "
                  "surface_rms_grey 0.4472135955, surface_max_grey 8, surface_mean_px 0.00625, "
                  "surface_rms_px 0.1118033989, "
                  "surface_max_px 2, vertices 20, triangles 22.66666667");
    assert_values(lone, NULL,
                  "folded_pct 0, flat_pct 0, coverage_pct 0, honeycombs 0, "
                  "pixels_per_neuron 9, updates 0, misses 0, left_out 0, active_pct 0, "
                  "vertices 1, triangles 0");
}

/* ---- meshes of pixels ---- */

static int64_t twice_area(const int32_t *a, const int32_t *b, const int32_t *c)
{
    return (int64_t)a[0] * (b[1] - c[1]) + (int64_t)b[0] * (c[1] - a[1]) +
           (int64_t)c[0] * (a[1] - b[1]);
}

static const int32_t *corner_of(const struct delaunay *d, int triangle, int k)
{
    return d->vertex[d->triangle[triangle].corner[k % 3]];
}

static int is_in(const struct delaunay *d, int triangle, const int32_t *at)
{
    for (int k = 0; k < 3; k++)
        if (twice_area(corner_of(d, triangle, k), corner_of(d, triangle, k + 1), at) < 0)
            return 0;
    return 1;
}

static wide squared(wide value)
{
    return value * value;
}

/* By the centre (x, y) / (2 area) of the circle through a triangle's corners. */
static int is_in_circle(const struct delaunay *d, int triangle, const int32_t *at)
{
    const int32_t *const p = corner_of(d, triangle, 0);
    const wide twice =
        2 * (wide)twice_area(p, corner_of(d, triangle, 1), corner_of(d, triangle, 2));
    wide x = 0, y = 0;

    for (int k = 0; k < 3; k++) {
        const int32_t *const a = corner_of(d, triangle, k);
        const int32_t *const b = corner_of(d, triangle, k + 1);
        const int32_t *const c = corner_of(d, triangle, k + 2);
        const wide length = squared(a[0]) + squared(a[1]);

        x += length * (b[1] - c[1]);
        y += length * (c[0] - b[0]);
    }
    return squared(twice * at[0] - x) + squared(twice * at[1] - y) <
           squared(twice * p[0] - x) + squared(twice * p[1] - y);
}

static void assert_delaunay(const struct delaunay *d, int width, int height)
{
    int64_t area = 0;

    for (int t = 0; t < d->n_triangles; t++) {
        area += twice_area(corner_of(d, t, 0), corner_of(d, t, 1), corner_of(d, t, 2));
        assert_true(twice_area(corner_of(d, t, 0), corner_of(d, t, 1), corner_of(d, t, 2)) > 0);
        for (int k = 0; k < 3; k++) {
            const int other = d->triangle[t].beside[k];
            const int32_t *const a = corner_of(d, t, k + 1), *const b = corner_of(d, t, k + 2);
            int n_shared = 0;

            for (int i = 0; other >= 0 && i < 3; i++)
                n_shared += d->triangle[other].beside[i] == t &&
                            corner_of(d, other, i + 1) == b && corner_of(d, other, i + 2) == a;
            if (other < 0)
                assert_true((a[0] == b[0] && (a[0] == 0 || a[0] == width - 1)) ||
                            (a[1] == b[1] && (a[1] == 0 || a[1] == height - 1)));
            else
                assert_int_equal(n_shared, 1);
        }
        for (int v = 0; v < d->n_vertices; v++)
            assert_false(is_in_circle(d, t, d->vertex[v]));
    }
    assert_int_equal(area, 2 * (int64_t)(width - 1) * (height - 1)); /* so none overlap */
}

/* Those around the newest vertex are all that have it, each once. */
static void assert_around(const struct delaunay *d, int first)
{
    const int vertex = d->n_vertices - 1;
    int n = 0, t = first;

    do {
        assert_int_equal(d->triangle[t].corner[0], vertex);
        assert_true(++n <= d->n_triangles);
        t = delaunay_next(d, t);
    } while (t >= 0 && t != first);
    for (int i = 0; i < d->n_triangles; i++)
        for (int k = 0; k < 3; k++)
            n -= d->triangle[i].corner[k] == vertex;
    assert_int_equal(n, 0);
}

static struct delaunay *new_delaunay(int n)
{
    struct delaunay *const d = keep(calloc(1, sizeof *d), free);

    assert_int_equal(delaunay_allocate(d, n), BENCH_OK);
    keep(d->vertex, free);
    keep(d->triangle, free);
    return d;
}

/* Add a pixel unless it is a vertex; by way of whichever triangle the seed says. */
static void add(struct delaunay *d, int x, int y, uint64_t seed)
{
    const int32_t at[] = {x, y};
    int triangle;

    for (int i = 0; i < d->n_vertices; i++)
        if (d->vertex[i][0] == x && d->vertex[i][1] == y)
            return;
    triangle = delaunay_find(d, (int)draw(seed, 0, 0, (uint32_t)d->n_triangles), x, y);
    assert_true(is_in(d, triangle, at));
    assert_around(d, delaunay_insert(d, triangle, x, y));
}

/* Few pixels, so that many are on one circle, on links and on the border; in the end all are
 * vertices. */
TEST(random_vertices)
{
    for (uint32_t round = 0; round < 60; round++) {
        const int width = 2 + (int)draw(1, round, 0, 9), height = 2 + (int)draw(1, round, 1, 9);
        struct delaunay *const d = new_delaunay(width * height);

        delaunay_begin(d, width, height);
        assert_true(d->n_vertices == 4 && d->n_triangles == 2);
        assert_delaunay(d, width, height);
        assert_around(d, 0);
        for (uint32_t i = 2; i < 40; i++) {
            add(d, (int)draw(2, round, i, (uint32_t)width),
                (int)draw(3, round, i, (uint32_t)height), 100 * round + i);
            assert_delaunay(d, width, height);
        }
        for (int i = 0; i < width * height; i++)
            add(d, i % width, i / width, round + (uint64_t)i);
        assert_int_equal(d->n_vertices, width * height);
        assert_int_equal(d->n_triangles, 2 * (width - 1) * (height - 1));
        assert_delaunay(d, width, height);
    }
    for (uint32_t kind = 0; kind < 4;
         kind++) { /* as large as maps are: no product is too large */
        enum { SIDE = SOM_MAX_SIDE };
        struct delaunay *const d = new_delaunay(44);

        delaunay_begin(d, SIDE, SIDE);
        for (uint32_t i = 0; i < 40; i++) { /* all on a line, on the border, anywhere */
            const int x = (int)draw(4, kind, i, SIDE), far = (int)(i % 2 * (SIDE - 1));
            const int y = (int)draw(5, kind, i, SIDE);

            add(d, kind == 1 ? far : x, kind == 0 ? x : kind == 2 ? far : y, i);
        }
        assert_delaunay(d, SIDE, SIDE);
    }
}

/* A square whose fourth corner is the newest vertex keeps the link that was there. */
TEST(links_on_a_circle_stay)
{
    struct delaunay *const d = new_delaunay(7);
    int n_linked = 0;

    delaunay_begin(d, 3, 3);
    add(d, 1, 1, 0); /* vertex 4, linked to all corners */
    add(d, 1, 0, 0);
    add(d, 0, 1, 0);
    for (int t = 0; t < d->n_triangles; t++)
        for (int k = 0; k < 3; k++)
            n_linked +=
                d->triangle[t].corner[k] == 0 && d->triangle[t].corner[(k + 1) % 3] == 4;
    assert_int_equal(n_linked, 1);
}

/* ---- the oracle of greedy insertion ---- */

/* Noise, few levels, steps, a slope or one level, with holes or without. */
static void fill_map(struct case_of *m, uint32_t round)
{
    for (size_t i = 0; i < (size_t)m->in.n_frames * som_n_pixels(&m->in); i++) {
        const uint32_t x = (uint32_t)(i % (size_t)m->in.width), word = (uint32_t)i;
        const uint32_t y = (uint32_t)(i / (size_t)m->in.width);
        const uint32_t level[] = {1 + draw(11, round, word, 255), 1 + draw(11, round, word, 2),
                                  x / 3 % 2 ? 200 : 90, 10 + 3 * x + 5 * (y % 9), 77};
        const int is_hole = round % 2 && draw(12, round, word / 2, 4) == 0;

        m->in.grey[i] = (uint8_t)(is_hole ? 0 : level[round % N_OF(level)]);
    }
}

/* |level - surface| at a pixel as a fraction: all triangles that it is in say the same. */
static void error_at(const struct delaunay *d, const uint8_t *grey, int width, int pixel,
                     int64_t *off, int64_t *area)
{
    const int32_t at[] = {pixel % width, pixel / width};

    *off = *area = 0;
    for (int t = 0; t < d->n_triangles; t++) {
        int64_t sum = 0, all;

        if (!is_in(d, t, at))
            continue;
        for (int k = 0; k < 3; k++) {
            const int32_t *const c = corner_of(d, t, k);

            sum += twice_area(at, corner_of(d, t, k + 1), corner_of(d, t, k + 2)) *
                   (grey[c[1] * width + c[0]] - grey[pixel]);
        }
        all = twice_area(corner_of(d, t, 0), corner_of(d, t, 1), corner_of(d, t, 2));
        sum = sum < 0 ? -sum : sum;
        assert_true(*area == 0 || sum * *area == *off * all);
        *off = sum;
        *area = all;
    }
    assert_true(*area > 0);
}

/* A frame's vertices, where any error up to 'error' is good enough. */
static struct delaunay *oracle_of_insertion(const struct case_of *m, int frame, int error,
                                            int is_free)
{
    const uint8_t *const grey = som_grey(&m->in, frame);
    const int width = m->in.width;
    struct delaunay *const d = new_delaunay(m->out.n_neurons);

    delaunay_begin(d, width, m->in.height);
    while (d->n_vertices < m->out.n_neurons) {
        int64_t most = error, of = 1;
        int worst = -1, t = d->n_triangles;

        for (int i = 0; i < (int)som_n_pixels(&m->in); i++) {
            int64_t off, area;

            error_at(d, grey, width, i, &off, &area);
            if (off * of > most * area && !(is_free && grey[i] == 0)) {
                worst = i;
                most = off;
                of = area;
            }
        }
        if (worst < 0)
            return d;
        while (!is_in(d, --t, (int32_t[]){worst % width, worst / width}))
            ; /* the last one: of two that share a link, not the variant's */
        delaunay_insert(d, t, worst % width, worst / width);
    }
    return d;
}

/* Keys and values; returns whether the map is for the variant. */
static int run(struct case_of *m, const char *error, const char *background)
{
    const struct bench_impl *const impl = bench_find_impl("som/greedy");
    struct bench_params params = PARAMS_OF(som_problem, "g", "1");

    assert_int_equal(
        bench_params_set(&params, bench_find_key(impl->keys, "error"), error, "test"), 0);
    assert_int_equal(
        bench_params_set(&params, bench_find_key(impl->keys, "background"), background, "test"),
        0);
    return drive_twice(impl, &params, 1, NULL, &m->in, &m->out,
                       new_guarded(&som_problem, &m->in));
}

static size_t n_wrong(const struct case_of *m)
{
    struct bench_difference difference = {0};

    som_problem.compare_other(NULL, &m->in, NULL, &m->out, &difference);
    return difference.n_wrong;
}

static void assert_vertices(const struct case_of *m, int frame, const struct delaunay *d)
{
    const float *const position = som_position(&m->out, frame);

    assert_false(som_is_network(&m->out, frame));
    assert_int_equal(m->out.counts[frame].updates, d->n_vertices);
    for (int i = 0; i < 2 * m->out.n_neurons; i++) {
        const double expected =
            i < 2 * d->n_vertices ? (double)d->vertex[i / 2][i % 2] + 0.5 : 0;

        if ((double)position[i] != expected)
            fail_msg("vertex %d is at %c = %g, expected %g", i / 2, i % 2 ? 'y' : 'x',
                     (double)position[i], expected);
    }
}

TEST(the_worst_pixel_comes_next)
{
    static const char *const error[] = {"0", "0", "3", "20"};

    for (uint32_t round = 0; round < 120; round++) {
        const int width = 2 + (int)draw(9, round, 0, 12),
                  height = 2 + (int)draw(9, round, 1, 9);
        const int cols = 2 + (int)draw(9, round, 2, (uint32_t)width - 1);
        const int rows = 2 + (int)draw(9, round, 3, (uint32_t)height - 1);
        const int is_free = (int)draw(9, round, 4, 2), n_frames = round % 7 ? 1 : 3;
        struct case_of *const m = new_case(n_frames, width, height, cols, rows);

        fill_map(m, round);
        assert_true(run(m, error[round % 4], is_free ? "free" : "kept"));
        assert_int_equal(n_wrong(m), 0);
        for (int f = 0; f < n_frames; f++) {
            const struct delaunay *const expected =
                oracle_of_insertion(m, f, atoi(error[round % 4]), is_free);
            struct delaunay found;

            assert_vertices(m, f, expected);
            /* and so the triangles are known from the vertices */
            assert_int_equal(our_delaunay_of(&m->in, &m->out, f, &found), BENCH_OK);
            assert_int_equal(found.n_triangles, expected->n_triangles);
            assert_memory_equal(found.triangle, expected->triangle,
                                (size_t)found.n_triangles * sizeof *found.triangle);
            assert_delaunay(&found, width, height);
            delaunay_free(&found);
        }
    }
}

/* The first n vertices of a frame's mesh of pixels: the sum of the squared errors, each pixel
 * by a triangle that it is in. */
static double squares_with(const struct case_of *c, int frame, uint64_t n)
{
    const uint8_t *const grey = som_grey(&c->in, frame);
    struct som_output out = c->out;
    struct som_counts counts[2] = {{0, SOM_NO_NETWORK, 0}, {0, SOM_NO_NETWORK, 0}};
    struct delaunay d;
    double sum = 0;

    counts[frame].updates = n;
    out.counts = counts;
    out.position = keep(calloc((size_t)(2 * out.n_neurons), 2 * sizeof(float)), free);
    memcpy(som_position(&out, frame), som_position(&c->out, frame), n * 2 * sizeof(float));
    assert_int_equal(our_delaunay_of(&c->in, &out, frame, &d), BENCH_OK);
    for (int i = 0; i < c->in.width * c->in.height; i++) {
        int64_t off, of;

        error_at(&d, grey, c->in.width, i, &off, &of);
        sum += grey[i] > 0 ? pow((double)off / (double)of, 2) : 0;
    }
    delaunay_free(&d);
    return sum;
}

static bool is_new(const float *position, int i)
{
    for (int k = 0; k < i; k++)
        if (memcmp(position + 2 * k, position + 2 * i, 2 * sizeof *position) == 0)
            return false;
    return true;
}

/* The corners of the map and n - 4 other pixels, each once, over a random map. */
static void scatter_vertices(struct case_of *c, struct dice *dice, int frame, int n)
{
    const int width = c->in.width, height = c->in.height;
    const size_t n_pixels = som_n_pixels(&c->in);
    float *const position = som_position(&c->out, frame);

    for (size_t i = 0; i < n_pixels; i++)
        c->in.grey[(size_t)frame * n_pixels + i] =
            roll(dice, 9) ? (uint8_t)(90 + roll(dice, 40)) : 0;
    memset(position, 0, (size_t)c->out.n_neurons * 2 * sizeof *position);
    for (int i = 0; i < n; i++)
        do {
            const int x = i < 4 ? i % 2 * (width - 1) : (int)roll(dice, (uint32_t)width);
            const int y = i < 4 ? i / 2 * (height - 1) : (int)roll(dice, (uint32_t)height);

            position[2 * i] = (float)x + 0.5F;
            position[2 * i + 1] = (float)y + 0.5F;
        } while (!is_new(position, i));
    c->out.counts[frame] = (struct som_counts){(uint64_t)n, SOM_NO_NETWORK, 0};
}

/* The least number of vertices with which a mesh is as good as the regular network; 0: there is
 * none. */
static int first_as_good(struct case_of *c, int frame, double n_pixels)
{
    struct som_quality quality;
    struct errors errors = {0};

    assert_int_equal(look_at(&c->in, frame, NULL, &quality, &errors), BENCH_OK);
    for (uint64_t n = 4; n <= c->out.counts[frame].updates; n++)
        if (squares_with(c, frame, n) / n_pixels <= errors.squares / (double)errors.known)
            return (int)n;
    return 0;
}

TEST(values_of_a_mesh_of_pixels)
{
    int n_without = 0;

    for (uint32_t round = 0; round < 40; round++) {
        struct dice dice = {.key = 900 + round};
        struct case_of *const c = new_case(2, 9, 7, 4, 4), *const r = new_case(2, 9, 7, 4, 4);
        const void *const in = &c->in, *const out = &c->out, *const reference = &r->out;
        struct bench_sink sink = {0};
        double n_vertices = 0, n_equal = 0, squares = 0, n_pixels = 0;
        bool is_reached = true;

        for (int f = 0; f < 2; f++) {
            const int n = 8 + (int)roll(&dice, 9);
            double n_here = 0;
            int equal;

            scatter_vertices(c, &dice, f, n);
            for (size_t i = 0; i < som_n_pixels(&c->in); i++)
                n_here += som_grey(&c->in, f)[i] > 0;
            equal = first_as_good(c, f, n_here);
            is_reached &= equal > 0;
            n_equal += equal;
            n_vertices += n;
            n_pixels += n_here;
            squares += squares_with(c, f, (uint64_t)n);
        }
        assert_int_equal(values_of(our_sum, our_values, &in, &reference, &out, 1, &sink),
                         BENCH_OK);
        assert_null(find_value(&sink, "cost_pct", -1));
        assert_true(*find_value(&sink, "surface_known_pct", -1) == 100);
        assert_true(
            fabs(*find_value(&sink, "surface_rms_grey", -1) - sqrt(squares / n_pixels)) < 1e-9);
        assert_true(*find_value(&sink, "vertices", -1) == n_vertices / 2);
        assert_true(!find_value(&sink, "equal_rms_vertices", -1) == !is_reached);
        if (is_reached)
            assert_true(*find_value(&sink, "equal_rms_vertices", -1) == n_equal / 2);
        n_without += !is_reached;
    }
    assert_true(n_without > 0 && n_without < 40);
}

/* Halves of 144 pixels have 6 neurons, the near one, and 16; the background has 1, one is
 * outside. */
TEST(near_detail_by_hand)
{
    struct case_of *const c = new_case(1, 32, 12, 8, 3);
    float *const position = c->out.position;
    struct bench_sink sink = {0};

    for (int i = 0; i < 32 * 12; i++)
        c->in.grey[i] = i % 32 < 12 ? 5 : i % 32 < 20 ? 0 : 9;
    for (int k = 0; k < 24; k++)
        position[2 * k] = k < 6 ? 31.5F : k < 22 ? 0.5F : k < 23 ? 19.5F : -5;
    assert_int_equal(measured(&c, 1, &sink), BENCH_OK);
    assert_true(fabs(*find_value(&sink, "near_detail", -1) - 6. / 16) < 1e-9);
}

TEST(maps_that_have_no_triangles)
{
    static const int size[][4] = {
        {1, 40, 1, 7}, {40, 1, 7, 1}, {1, 1, 1, 1}, {9, 9, 3, 1}, {9, 9, 1, 1}};

    for (int i = 0; i < N_OF(size); i++)
        assert_false(
            run(new_case(1, size[i][0], size[i][1], size[i][2], size[i][3]), "0", "kept"));
    assert_true(run(new_case(1, 2, 2, 2, 2), "0", "kept"));
}

TEST(meshes_that_are_none)
{
    static const struct {
        int i;
        float value;
        const char *why;
    } wrong[] = {{10, NAN, "vertex 5 of frame 1 is at (nan,"},
                 {10, -0.5f, "vertex 5 of frame 1 is at (-0.5,"},
                 {11, 6.5f, "expected the centre of a pixel"},
                 {11, 3, "expected the centre of a pixel"},
                 {11, 1e30f, "expected the centre of a pixel"},
                 {2, 0.5f, "vertex 1 of frame 1 is no corner of the map"},
                 {24, 0.5f, "vertex 12 of frame 1 is not used, not 0, 0"},
                 {39, NAN, "vertex 19 of frame 1 is not used, not 0, 0"}};
    struct case_of *const m = new_case(2, 7, 6, 5, 4);
    float *const position = som_position(&m->out, 1);
    struct som_counts *const counts = &m->out.counts[1];
    struct delaunay d;

    fill_map(m, 0);
    assert_true(run(m, "0", "kept"));
    counts->updates = 12;
    memset(position + 24, 0, 16 * sizeof *position);
    assert_int_equal(n_wrong(m), 0);
    for (int i = 0; i < N_OF(wrong); i++) {
        const float kept = position[wrong[i].i];

        position[wrong[i].i] = wrong[i].value;
        assert_int_equal(n_wrong(m), 1);
        assert_int_equal(our_delaunay_of(&m->in, &m->out, 1, &d), BENCH_EMISMATCH);
        if (!strstr(bench_failure(), wrong[i].why))
            fail_msg("%s, expected %s", bench_failure(), wrong[i].why);
        delaunay_free(&d);
        position[wrong[i].i] = kept;
    }
    memcpy(position + 22, position + 12, 2 * sizeof *position);
    assert_int_equal(n_wrong(m), 1);
    assert_string_equal(bench_failure(), "vertices 6 and 11 of frame 1 are one");
    for (uint64_t n = 0; n < 30; n++) { /* behind the last, vertices that are not used */
        counts->updates = n == 21 ? UINT64_MAX : n;
        assert_int_equal(n_wrong(m), 1);
    }
    counts->misses = 0; /* a network, whose neurons may be anywhere */
    assert_int_equal(n_wrong(m), 0);
    position[10] = NAN;
    assert_int_equal(n_wrong(m), 1);
}
