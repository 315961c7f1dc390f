/*
 * test_rdp_peers.c - other libraries beside rdp: what they keep as variants, and how an output
 * of another rule is judged; GEOS as an oracle of perpendicular distances
 *
 * test_rdp.c runs the variants on all of its inputs: rdp/geos, which has vertical distances
 * alone, must have every bit, the others be of the right form.  Here each has the rule that its
 * file tells.
 */
#include "harness/problems/rdp/cut.h"
#include "tests/rdp_columns.h"
#include "tests/test.h"

#include <string.h>

#define PX 256

/* Returns a variant's output; NULL: the input is not for it. */
static struct rdp_output *output_of(const char *name, const struct rdp_input *in)
{
    const struct bench_impl *const impl = bench_find_impl(name);
    struct rdp_output *const out = new_guarded(&rdp_problem, in);
    struct bench_params params = {0};

    assert_int_equal(bench_params_default(&params, impl->keys, "test"), BENCH_OK);
    return drive_twice(impl, &params, 2, NULL, in, out, NULL) ? out : NULL;
}

/* A library that this build does not have has no tests. */
static void need(const char *name)
{
    const struct bench_impl *const impl = bench_find_impl(name);

    assert_non_null(impl);
    assert_non_null(impl->needs);
    if (!bench_is_built(impl))
        SKIP("%s: no %s (apt-get install libgeos-dev libboost-dev libopencv-imgproc-dev)", name,
             impl->needs);
}

/* Columns of 2..n_rows rows, each of a kind of its own: walks, steps with many equal distances,
 * noise; every fifth row may be invalid. */
static struct rdp_input *columns(int n_cols, int n_rows, uint32_t epsilon_q8, uint32_t seed)
{
    struct rdp_input *const in = new_input(1, n_cols, n_rows, epsilon_q8, RDP_VERTICAL);

    for (int u = 0; u < n_cols; u++)
        for (int v = 0, value = 20 * PX; v < n_rows; v++) {
            const struct bench_words r = bench_philox(seed, (uint32_t)v, (uint32_t)u, 0, 0);
            const int step = (int)bench_below(r.word[0], 3 * PX) - 3 * PX / 2;

            value += u % 3 == 0 ? step : step / PX * PX;
            value = u % 3 == 2      ? (int)bench_below(r.word[1], RDP_MAX_VALUE + 1)
                    : value < 0     ? 0
                    : value > 20000 ? 20000
                                    : value;
            in->y[u * n_rows + v] = u % 2 && r.word[2] % 5 == 0 ? RDP_INVALID : (uint16_t)value;
        }
    return in;
}

/* ---- the recursion over known rows ---- */

TEST(kept_rows_give_the_recursion_again)
{
    struct rdp_walk *const walk = keep(malloc(sizeof *walk), free);
    struct rdp_walk *const again = keep(malloc(sizeof *again), free);

    for (uint32_t k = 0; k < 24; k++) {
        const struct rdp_input *const in =
            columns(6, 2 + (int)(k * k), k % 4 * PX / 2, 100 + k);
        const struct rdp_output *const out = output_of("rdp/serial", in);

        for (size_t c = 0; c < 6; c++) {
            const uint32_t *const kept = out->kept + c * (size_t)rdp_n_words(in->n_rows);
            struct rdp_node a, b;

            if (!rdp_walk_column(walk, in, c, &a))
                continue;
            rdp_walk_column(again, in, c, &b);
            while (rdp_walk_next(walk, &a)) {
                assert_true(rdp_walk_kept(again, kept, &b));
                assert_memory_equal(&a, &b, sizeof a);
            }
            assert_false(rdp_walk_kept(again, kept, &b));
        }
    }
}

/* ---- how another rule is judged ---- */

static void assert_judged(const struct rdp_input *in, const struct rdp_output *right,
                          const struct rdp_output *found, size_t n_different, const char *wrong)
{
    struct bench_difference d = {0};

    rdp_problem.compare_other(NULL, in, right, found, &d);
    assert_int_equal(d.n_compared, 4);
    assert_int_equal(d.n_different, n_different);
    assert_string_equal(d.where, wrong);
    assert_int_equal(d.n_wrong > 0, wrong[0] != '\0');
}

TEST(another_rule_must_have_the_form)
{
    static const struct {
        const char *wrong;
        int column, row, segments, rounds; /* the row is turned; these are added */
    } cases[] = {
        {"", 0, 4, 1, 0}, /* a row more is another rule */
        {"", 0, 4, 1, 1},
        {"", 2, 35, -1, -1},                                         /* one less, too */
        {"column 1, row 33: kept, which it cannot be", 1, 33, 1, 0}, /* invalid */
        {"column 0, row 0: an end, not kept", 0, 0, -1, 0},
        {"column 2, row 39: an end, not kept", 2, 39, -1, 0},
        {"column 3, row 7: kept, which it cannot be", 3, 7, 0, 0}, /* alone */
        {"column 0, row 63: kept, which it cannot be", 0, 63, 1, 0},
        {"column 0: 1 segments, its kept rows make 2", 0, 4, 0, 0},
        {"column 3: 1 segments, its kept rows make 0", 3, -1, 1, 0},
        {"column 0: 0 rounds of 1 segments", 0, -1, 0, -1},
        {"column 0: 2 rounds of 1 segments", 0, -1, 0, 1},
        {"column 3: 2 rounds of 0 segments", 3, -1, 0, 1},
    };
    const struct rdp_input *const in = new_input(2, 2, 40, PX, RDP_VERTICAL);
    const struct rdp_output *right;

    memset(in->y, 0, 4 * 40 * sizeof *in->y);
    in->y[1 * 40 + 33] = RDP_INVALID;
    in->y[2 * 40 + 35] = 9 * PX;
    memset(in->y + 3 * 40, 0xFF, 40 * sizeof *in->y);
    in->y[3 * 40 + 7] = 0;
    right = output_of("rdp/serial", in);
    assert_int_equal(right->rounds[2], 3); /* the row, then one on either side */
    assert_judged(in, right, right, 0, "");
    for (int i = 0; i < N_OF(cases); i++) {
        struct rdp_output *const found = output_of("rdp/serial", in);

        if (cases[i].row >= 0)
            found->kept[2 * cases[i].column + cases[i].row / 32] ^= 1u << cases[i].row % 32;
        found->segments[cases[i].column] += cases[i].segments;
        found->rounds[cases[i].column] += cases[i].rounds;
        assert_judged(in, right, found, cases[i].row >= 0, cases[i].wrong);
    }
}

/* ---- rdp/geos ---- */

/* Steep chords with a distance that is eps, or the least that is above it: what stretched rows
 * must not change, at the greatest height, too. */
TEST(geos_is_exact_at_its_limit)
{
    const int n_cols = 64;

    need("rdp/geos");
    for (uint32_t k = 0; k < 60; k++) {
        const struct bench_words r = bench_philox(7, k, 0, 0, 0);
        const int length = k < 40 ? 2 + (int)k % 20 : RDP_MAX_ROWS - 1 - (int)k % 3;
        const uint32_t eps = k % 4 ? bench_below(r.word[0], 32767) : 32766;
        const struct rdp_input *const in =
            new_input(1, n_cols, k % 2 ? RDP_MAX_ROWS : length + 1, eps, RDP_VERTICAL);
        const struct rdp_output *expected, *found;

        memset(in->y, 0xFF, (size_t)n_cols * (size_t)in->n_rows * sizeof *in->y);
        for (int u = 0; u < n_cols; u++) {
            uint16_t *const y = in->y + u * in->n_rows;
            const int most = RDP_MAX_VALUE / length,
                      slope = r.word[1] % 2 ? most : 1 + u % most;
            const int dy = slope * length - u % 2; /* odd columns: 1 / length above eps */
            const int row = slope + (int)eps;

            y[0] = u % 4 < 2 ? 0 : RDP_MAX_VALUE;
            y[length] = (uint16_t)(u % 4 < 2 ? dy : RDP_MAX_VALUE - dy);
            y[1] = (uint16_t)(u % 4 < 2 ? row : RDP_MAX_VALUE - row);
        }
        expected = output_of("rdp/serial", in);
        assert_int_equal(expected->segments[2], 1); /* in all even ones */
        assert_int_equal(expected->segments[3], 2);
        found = output_of("rdp/geos", in);
        if (!same_bits(&rdp_problem, expected, found))
            fail_msg("length %d, eps %u/256", length, eps);
    }
}

/* ---- those of another rule ---- */

/* The ends and rows of the reference, of which some are dropped again. */
TEST(opencv_drops_kept_rows)
{
    int n_right = 0, n_found = 0;

    need("rdp/opencv");
    for (uint32_t k = 0; k < 24; k++) {
        const struct rdp_input *const in = columns(9, 2 + (int)(k * 20), PX + k * 97, 300 + k);
        const struct rdp_output *const right = output_of("rdp/serial", in);
        const struct rdp_output *const found = output_of("rdp/opencv", in);

        for (int w = 0; w < 9 * rdp_n_words(in->n_rows); w++) {
            assert_int_equal(found->kept[w] & ~right->kept[w], 0);
            n_right += __builtin_popcount(right->kept[w]);
            n_found += __builtin_popcount(found->kept[w]);
        }
    }
    assert_true(n_found < n_right && n_found > n_right / 2);
}

/* No two rows of noise are equally far. */
TEST(boost_differs_in_equal_distances_alone)
{
    need("rdp/boost");
    for (uint32_t k = 0; k < 24; k++) {
        struct rdp_input *const in = columns(3, 3 + (int)(k * 20), k * 97, 500 + k);
        const struct rdp_output *right, *found;

        memcpy(in->y, in->y + 2 * in->n_rows, (size_t)in->n_rows * sizeof *in->y);
        memcpy(in->y + in->n_rows, in->y, (size_t)in->n_rows * sizeof *in->y);
        right = output_of("rdp/serial", in);
        found = output_of("rdp/boost", in);
        assert_true(same_bits(&rdp_problem, right, found));
    }
}

TEST(perpendicular_distances_are_refused)
{
    const struct rdp_input *const in = new_input(1, 1, 9, PX, RDP_PERPENDICULAR);
    int n = 0;

    memset(in->y, 0, 9 * sizeof *in->y);
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *const impl = bench_impls[k];

        if (impl->problem != &rdp_problem || !impl->needs || !bench_is_built(impl))
            continue;
        n++;
        assert_null(output_of(impl->name, in));
        assert_non_null(strstr(bench_failure(), "has vertical distances alone"));
    }
    if (n == 0)
        skip();
}

/* ---- GEOS against the rule of perpendicular distances ---- */

#if HAVE_GEOS
#include <geos_c.h>

/* GEOS's line simplifier keeps the rows of a column that 'out' keeps: Ramer-Douglas-Peucker by
 * perpendicular distance, strictly greater, first maximum, in double. */
static void assert_as_geos(GEOSContextHandle_t geos, const struct rdp_input *in, int u,
                           const struct rdp_output *out)
{
    GEOSCoordSequence *const points = GEOSCoordSeq_create_r(geos, (unsigned)in->n_rows, 2);
    GEOSGeometry *line, *simple;

    for (int v = 0; v < in->n_rows; v++) {
        GEOSCoordSeq_setX_r(geos, points, (unsigned)v, v * PX);
        GEOSCoordSeq_setY_r(geos, points, (unsigned)v, in->y[u * in->n_rows + v]);
    }
    line = GEOSGeom_createLineString_r(geos, points); /* owns the points */
    assert_non_null(line);
    simple = GEOSSimplify_r(geos, line, in->epsilon_q8 + 1e-9);
    assert_non_null(simple);
    assert_int_equal(GEOSGetNumCoordinates_r(geos, simple), out->segments[u] + 1);
    for (int i = 0; i <= out->segments[u]; i++) {
        double x = -1;

        GEOSCoordSeq_getX_r(geos, GEOSGeom_getCoordSeq_r(geos, simple), (unsigned)i, &x);
        if (!rdp_is_kept(out->kept + u * rdp_n_words(in->n_rows), (int)(x / PX)))
            fail_msg("%d rows, eps %u/256: GEOS keeps row %g", in->n_rows, in->epsilon_q8,
                     x / PX);
    }
    GEOSGeom_destroy_r(geos, simple);
    GEOSGeom_destroy_r(geos, line);
}

/* Steps of less than half a pixel per row: the rule needs slopes below one, because GEOS
 * measures to the segment and not to the line.  test_rdp.c holds the others against serial. */
TEST(geos_has_the_perpendicular_rule)
{
    static const int heights[] = {2, 3, 33, 100, 375, 512};
    static const uint32_t epsilons[] = {64, PX, 4 * PX, 8 * PX};
    GEOSContextHandle_t geos = GEOS_init_r();

    assert_non_null(geos);
    for (uint32_t k = 0; k < 24; k++) {
        const struct rdp_input *const in =
            new_input(1, 40, heights[k / 4], epsilons[k % 4], RDP_PERPENDICULAR);
        const struct rdp_output *out;

        for (int i = 0, value = 60 * PX; i < 40 * in->n_rows; i++) {
            value += (int)draw(1000 * k, (uint32_t)i, 0, 241) - 120;
            value = value < 0 ? 0 : value > 32767 ? 32767 : value;
            in->y[i] = (uint16_t)value;
        }
        out = output_of("rdp/serial", in);
        for (int u = 0; u < 40; u++)
            assert_as_geos(geos, in, u, out);
    }
    GEOS_finish_r(geos);
}
#endif
