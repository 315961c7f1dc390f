/*
 * test_rdp_oracle.c - every variant of rdp against GEOS, which shares neither code nor
 * arithmetic with it
 *
 * GEOS's line simplifier is Ramer-Douglas-Peucker by perpendicular distance: strictly
 * greater, first maximum, in double. perpendicular = vertical / sqrt(1 + slope^2), so with
 * rows drawn far apart the same library checks the vertical rule.
 *
 * Why the vertical comparison is exact. Coordinates are whole numbers, y < 2^15, rows < 2^9,
 * 2^26 from row to row: the cross products of GEOS stay below 2^53, so equal distances are
 * equal there too. No slope is above 2^-11, so no distance becomes shorter than 1 - 2^-23 of
 * itself. Two vertical distances near eps <= 2^11 differ by at least 1 / length, that is by
 * 2^-20 of eps. With half of such a step added to the tolerance, a distance equal to eps is
 * dropped whatever the rounding, and the next longer one is kept. The perpendicular rule
 * needs slopes below one, because GEOS measures to the segment and not to the line.
 */
#include "tests/test.h"

#if HAVE_GEOS

#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"
#include "harness/base/random.h"
#include "tests/rdp_columns.h"

#include <geos_c.h>

#define PX        256 /* 1/256 px in a pixel, and a row when distances are perpendicular */
#define STRETCH   67108864.0 /* 2^26 */
#define N_COLS    40
#define MAX_ROWS  512
#define MAX_VALUE 32767

/* ---- columns ---- */

static int step(int value, int change)
{
    value += change;
    return value < 0 ? 0 : value > MAX_VALUE ? MAX_VALUE : value;
}

/* Sky, things one before the other, a road, some holes: what a column of a street looks
 * like. */
static void fill_scene(uint16_t *y, int n_rows, uint64_t seed)
{
    const struct bench_words size = bench_philox(seed, 0, 0, 0, 1);
    const int horizon = n_rows / 3 + (int)bench_below(size.word[0], (uint32_t)n_rows / 4 + 1);
    int thing = 2 * PX;

    for (int v = 0; v < n_rows; v++) {
        const struct bench_words r = bench_philox(seed, (uint32_t)v, 0, 0, 0);
        const int road = v > horizon ? (v - horizon) * 40 : 0;

        if (bench_below(r.word[0], 60) == 0)
            thing = (int)bench_below(r.word[1], 60 * PX);
        y[v] =
            (uint16_t)step(thing > road ? thing : road, (int)bench_below(r.word[2], 129) - 64);
        if (bench_below(r.word[3], 12) == 0)
            y[v] = RDP_INVALID;
    }
}

/* Steps of less than half a pixel per row: the slope that the perpendicular rule needs. */
static void fill_walk(uint16_t *y, int n_rows, uint64_t seed)
{
    int value = 60 * PX;

    for (int v = 0; v < n_rows; v++) {
        value =
            step(value,
                 (int)bench_below(bench_philox(seed, (uint32_t)v, 0, 0, 0).word[0], 241) - 120);
        y[v] = (uint16_t)value;
    }
}

/* ---- GEOS ---- */

/* The rows that GEOS keeps of one column, 'x_scale' between two rows. */
static void geos_column(GEOSContextHandle_t geos, const uint16_t *y, int n_rows, double x_scale,
                        double tolerance, uint32_t *kept)
{
    GEOSCoordSequence *points;
    GEOSGeometry *line, *simple;
    unsigned n_valid = 0, n_kept = 0;

    memset(kept, 0, (size_t)rdp_n_words(n_rows) * sizeof *kept);
    for (int v = 0; v < n_rows; v++)
        n_valid += y[v] != RDP_INVALID;
    if (n_valid < 2)
        return;
    points = GEOSCoordSeq_create_r(geos, n_valid, 2);
    n_valid = 0;
    for (int v = 0; v < n_rows; v++)
        if (y[v] != RDP_INVALID) {
            GEOSCoordSeq_setX_r(geos, points, n_valid, v * x_scale);
            GEOSCoordSeq_setY_r(geos, points, n_valid, y[v]);
            n_valid++;
        }
    line = GEOSGeom_createLineString_r(geos, points); /* owns the points */
    assert_non_null(line);
    simple = GEOSSimplify_r(geos, line, tolerance);
    assert_non_null(simple);
    assert_true(GEOSCoordSeq_getSize_r(geos, GEOSGeom_getCoordSeq_r(geos, simple), &n_kept));
    for (unsigned i = 0; i < n_kept; i++) {
        double x = -1;
        int v;

        GEOSCoordSeq_getX_r(geos, GEOSGeom_getCoordSeq_r(geos, simple), i, &x);
        v = (int)(x / x_scale + 0.5);
        assert_in_range(v, 0, n_rows - 1);
        kept[v / 32] |= UINT32_C(1) << (v % 32);
    }
    GEOSGeom_destroy_r(geos, simple);
    GEOSGeom_destroy_r(geos, line);
}

/* ---- the variants ---- */

static int n_cells_run;

/* Every variant that needs no device and has no rule of its own. */
static void check(GEOSContextHandle_t geos, const struct rdp_input *in, const char *what)
{
    const int vertical = in->distance == RDP_VERTICAL, n_words = rdp_n_words(in->n_rows);
    const double half_step = 0.5 / in->n_rows;
    const double tolerance = in->epsilon_q8 + (vertical ? half_step : 1e-9);
    const struct rdp_output *const expected = new_output(in);
    struct rdp_output *const out = new_output(in);

    for (int u = 0; u < in->n_cols; u++)
        geos_column(geos, in->y + u * in->n_rows, in->n_rows, vertical ? STRETCH : PX,
                    tolerance, expected->kept + u * n_words);
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *const impl = bench_impls[k];
        struct bench_params params = {0};

        if (impl->problem != &rdp_problem || impl->target == BENCH_CUDA ||
            !bench_is_built(impl) || impl->other)
            continue;
        assert_int_equal(bench_params_default(&params, impl->keys, "test"), BENCH_OK);
        if (!drive_twice(impl, &params, impl->target == BENCH_OPENMP ? 2 : 1, NULL, in, out,
                         NULL))
            continue;
        n_cells_run++;
        for (int i = 0; i < in->n_cols * n_words; i++)
            if (out->kept[i] != expected->kept[i])
                fail_msg("%s, %s: column %d, rows from %d: kept %#x, GEOS keeps %#x",
                         impl->name, what, i / n_words, 32 * (i % n_words), out->kept[i],
                         expected->kept[i]);
    }
}

static void compare_with_geos(enum rdp_distance distance,
                              void (*fill)(uint16_t *y, int n_rows, uint64_t seed))
{
    static const int heights[] = {2, 3, 33, 100, 375, MAX_ROWS};
    static const uint32_t epsilons[] = {64, PX, 4 * PX, 8 * PX};
    GEOSContextHandle_t geos = GEOS_init_r();

    assert_non_null(geos);
    for (unsigned k = 0; k < 24; k++) {
        const unsigned h = k / 4, e = k % 4;
        const struct rdp_input *const in =
            new_input(1, N_COLS, heights[h], epsilons[e], distance);
        char what[64];

        for (unsigned u = 0; u < N_COLS; u++)
            fill(in->y + u * (unsigned)heights[h], heights[h], 1000 * h + 100 * e + u);
        snprintf(what, sizeof what, "%d rows, eps %u/256", heights[h], epsilons[e]);
        check(geos, in, what);
    }
    GEOS_finish_r(geos);
    assert_true(n_cells_run > 0);
}

TEST(vertical)
{
    compare_with_geos(RDP_VERTICAL, fill_scene);
    compare_with_geos(RDP_VERTICAL, fill_walk);
}

TEST(perpendicular)
{
    compare_with_geos(RDP_PERPENDICULAR, fill_walk);
}

#else

TEST(needs_geos)
{
    SKIP("no GEOS: the oracle (apt-get install libgeos-dev)");
}

#endif

int main(void)
{
    return run_all_tests(NULL, NULL);
}
