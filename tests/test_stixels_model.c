/*
 * test_stixels_model.c - the arithmetic of stixels against libm, against wider integers and against sums row by row
 *
 * Energies are written down here once more, as the paper has them: a sum over the rows of a stixel and two squares of a
 * prior (long double), of which the closed forms of stixels/fit.h must be the least.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/problems/stixels/float.h"
#include "harness/problems/stixels/model.h"
#include "harness/base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define PX          256    /* one pixel of disparity */
#define UNIT        1024.0 /* one nat */
#define MAX_ROWS    STIXELS_MAX_ROWS

__extension__ typedef __int128 wide;

enum { OB = STIXELS_OBJECT, GR = STIXELS_GROUND, SK = STIXELS_SKY };

static uint32_t draw(uint64_t seed, uint32_t i, uint32_t j, uint32_t n)
{
    return bench_below(bench_philox(seed, i, j, 0, 0).word[0], n);
}

/* In [0, 1). */
static double uniform(uint64_t seed, uint32_t i, uint32_t j)
{
    return bench_philox(seed, i, j, 0, 0).word[1] / 4294967296.0;
}

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.17g, expected %.17g within %g", found, expected, tolerance);
}

/* ---- integers ---- */

static void check_log(uint32_t x)
{
    const double error = fabs(stixels_log(x) - UNIT * log((double)x));

    if (!(error <= (x < 65536 ? 0.51 : 0.52))) /* 1/2 is the rounding */
        fail_msg("the log of %u is off by %.3f/1024", x, error);
    if (x < UINT32_MAX) /* neighbours fall on either side of every entry of the table */
        assert_true(stixels_log(x) <= stixels_log(x + 1));
}

static void log_of_integers(void **state)
{
    (void)state;
    assert_int_equal(stixels_log(1), 0);
    for (uint32_t x = 1; x <= 65536; x++)
        check_log(x);
    for (uint32_t bit = 2; bit < 32; bit++)
        for (uint32_t i = 0; i < 7; i++)
            check_log((UINT32_C(1) << bit) + i - 3);
    for (uint32_t i = 0; i < 200000; i++) {
        const struct bench_words r = bench_philox(11, i, 0, 0, 0);
        const uint32_t x = (r.word[0] | 1) >> bench_below(r.word[1], 31);

        if (x >= 1)
            check_log(x);
    }
    check_log(UINT32_MAX);
}

static void softplus_of_integers(void **state)
{
    (void)state;
    for (int32_t x = 0; x <= 20 * 1024; x++) {
        const int32_t found = stixels_softplus(x);

        assert_near(found, UNIT * log1p(exp(-x / UNIT)), 1);
        assert_true(found >= 0 && stixels_softplus(x + 1) <= found);
    }
    assert_int_equal(stixels_softplus(1 << 30), 0);
    assert_int_equal(stixels_softplus(INT32_MAX), 0);
}

static void semantic_cost_of_probabilities(void **state)
{
    (void)state;
    assert_int_equal(STIXELS_LEAST_PROBABILITY_COST, lround(UNIT * log(1e6)));
    assert_int_equal(stixels_semantic_cost(0), STIXELS_LEAST_PROBABILITY_COST);
    assert_int_equal(stixels_semantic_cost(65535), 0);
    for (uint32_t p = 1; p <= 65535; p++) {
        const int32_t found = stixels_semantic_cost(p);

        assert_true(found <= stixels_semantic_cost(p - 1) && found >= 0);
        assert_near(found, UNIT * log(65535.0 / p), 0.53);
    }
}

static void check_mean(uint32_t sum, uint32_t n)
{
    const uint32_t floor = sum / n, rest = sum % n;

    if (stixels_mean(sum, n) != floor + (rest + rest >= n))
        fail_msg("the mean of %u values of sum %u is %u", n, sum, stixels_mean(sum, n));
}

static void means_are_rounded_half_up(void **state)
{
    (void)state;
    assert_int_equal(stixels_mean(7, 15), 0);
    assert_int_equal(stixels_mean(8, 15), 1);
    assert_int_equal(stixels_mean(127, 256), 0);
    assert_int_equal(stixels_mean(128, 256), 1);
    for (uint32_t n = 1; n <= STIXELS_MAX_BLOCK * STIXELS_MAX_BLOCK; n++) {
        for (uint32_t sum = 0; sum <= 4 * n; sum++)
            check_mean(sum, n);
        check_mean(n * 65535, n); /* the largest sums: probabilities of 1 */
        check_mean(n * 65535 - n / 2, n);
        check_mean(n * 65535 - (n + 1) / 2, n);
    }
}

static void blocks_are_valid_from_one_half(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= STIXELS_MAX_BLOCK * STIXELS_MAX_BLOCK; n++)
        for (uint32_t k = 0; k <= n; k++)
            assert_int_equal(!!stixels_block_is_valid(k, n), k >= n - k);
}

static void weights(void **state)
{
    (void)state;
    for (int c = 0; c <= 255; c++) {
        assert_int_equal(stixels_weight((uint32_t)c, 1), c * c);
        assert_int_equal(stixels_weight((uint32_t)c, 0), c * 255);
    }
    assert_int_equal(STIXELS_WEIGHT_ONE, 255 * 255);
}

/* ---- sums over rows ---- */

struct row {
    int32_t weight;    /* 0..65025 */
    int32_t disparity; /* 1/256 px */
};

/* sums[v]: of the rows before v; [n + 1]. */
static void sum_up(const struct row *row, int n, struct stixels_sums *sums)
{
    memset(&sums[0], 0, sizeof sums[0]);
    for (int v = 0; v < n; v++) {
        sums[v + 1] = sums[v];
        stixels_add_row(&sums[v + 1], row[v].weight, row[v].disparity, v);
    }
}

static void check_sums(const struct row *row, const struct stixels_sums *sums, int v_b, int v_t)
{
    const struct stixels_sums s = stixels_between(&sums[v_b], &sums[v_t + 1]);
    const int64_t found[] = {s.s0, s.s1, s.s2, s.t0, s.t1, s.u};
    wide expected[6] = {0};

    for (int v = v_b; v <= v_t; v++) {
        const wide w = row[v].weight, d = row[v].disparity;
        const wide of_row[] = {w, w * v, w * v * v, w * d, w * v * d, w * d * d};

        for (int i = 0; i < N_OF(of_row); i++)
            expected[i] += of_row[i];
    }
    for (int i = 0; i < N_OF(found); i++)
        if (found[i] != expected[i])
            fail_msg("sum %d of rows %d..%d is not that of the rows", i, v_b, v_t);
}

static void sums_at_the_ends_of_the_ranges(void **state)
{
    static struct row row[MAX_ROWS];
    static struct stixels_sums sums[MAX_ROWS + 1];
    const struct stixels_constants_double no_ground = {.mu_a = 0};

    (void)state;
    for (int v = 0; v < MAX_ROWS; v++)
        row[v] = (struct row){STIXELS_WEIGHT_ONE, 65534};
    sum_up(row, MAX_ROWS, sums);
    assert_true(sums[MAX_ROWS].u < INT64_C(1) << 58);
    for (int v_b = 0; v_b < MAX_ROWS; v_b += 31) /* up to the last row by itself */
        for (int v_t = v_b; v_t < MAX_ROWS; v_t += 17)
            check_sums(row, sums, v_b, v_t);
    check_sums(row, sums, 0, MAX_ROWS - 1);

    /* brought to their own first row: no overflow on the way */
    for (int v_b = 0; v_b < MAX_ROWS; v_b += 93) {
        const struct stixels_sums all = stixels_between(&sums[v_b], &sums[MAX_ROWS]);
        const struct stixels_moments_double m = stixels_exact_moments(&no_ground, &all, v_b);
        const double n = MAX_ROWS - v_b, d = 65534 / 256.0;

        assert_near(m.s0, n, 1e-12 * n);
        assert_near(m.s1, n * (n - 1) / 2, 1e-12 * n * n);
        assert_near(m.s2, n * (n - 1) * (2 * n - 1) / 6, 1e-12 * n * n * n);
        assert_near(m.t0, n * d, 1e-12 * n * d);
        assert_near(m.r1, n * (n - 1) / 2 * d, 1e-12 * n * n * d);
        assert_near(m.sky, n * d * d, 1e-12 * n * d * d);
    }
}

/* Disparities of all sizes, a third of the weights 0 unless it says otherwise. */
static void fill_random(struct row *row, int n, uint64_t seed, int zeros)
{
    for (int v = 0; v < n; v++) {
        const uint32_t confidence = draw(seed, (uint32_t)v, 1, 236) + 20;

        row[v].weight = (int32_t)(confidence * confidence);
        if (zeros && draw(seed, (uint32_t)v, 2, 3) == 0)
            row[v].weight = 0;
        row[v].disparity = (int32_t)draw(seed, (uint32_t)v, 3, 65535);
    }
}

/* ---- the closed forms ---- */

static long double weight_of(const struct row *row)
{
    return (long double)row->weight / STIXELS_WEIGHT_ONE;
}

static long double px_of(const struct row *row)
{
    return (long double)row->disparity / PX;
}

/* sum w (d - D(v))^2 over the rows: eq. 12 without its constants, times sigma^2. */
static long double direct_data(const struct row *row, int v_b, int v_t, long double a,
                               long double b)
{
    long double sum = 0;

    for (int v = v_b; v <= v_t; v++) {
        const long double r = px_of(&row[v]) - (b * v + a);

        sum += weight_of(&row[v]) * r * r;
    }
    return sum;
}

/* eq. 12 without its constants and, of a ground, eq. 7 without its own. */
static long double direct(const struct stixels_model *model, int g, const struct row *row,
                          int v_b, int v_t, long double a, long double b)
{
    const long double da = a - (long double)model->mu_a, db = b - (long double)model->mu_b;
    const long double sigma = (long double)model->sigma[g];
    const long double prior =
        (long double)model->lam_a * da * da + (long double)model->lam_b * db * db;

    return (direct_data(row, v_b, v_t, a, b) + (g == GR ? prior : 0)) / (sigma * sigma);
}

/* Its road goes through 77 px at row 0 where nothing else is said, and has no prior. */
static struct stixels_model plain_model(void)
{
    struct stixels_model model;

    memset(&model, 0, sizeof model);
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        model.sigma[g] = 1;
    model.mu_a = 77;
    model.mu_b = -0.125;
    return model;
}

static struct stixels_moments_double moments_of(const struct stixels_constants_double *c,
                                                const struct row *row, int v_b, int v_t)
{
    static struct stixels_sums sums[MAX_ROWS + 1];
    struct stixels_sums between;

    sum_up(row, v_t + 1, sums);
    between = stixels_between(&sums[v_b], &sums[v_t + 1]);
    return stixels_exact_moments(c, &between, v_b);
}

/* Of the same moments, but rounded, float makes nearly the same plane and energy. */
static void check_float(const struct stixels_model *model, int g,
                        const struct stixels_moments_double *m, struct stixels_plane_double p,
                        double energy, double made_of)
{
    const struct stixels_constants_float c = stixels_constants_of_float(model);
    const struct stixels_moments_float rounded = {
        (float)m->s0,  (float)m->s1,     (float)m->s2,    (float)m->r0,
        (float)m->r1,  (float)m->ground, (float)m->t0,    (float)m->object,
        (float)m->sky, (float)m->origin, (float)m->centre};
    float found;
    const struct stixels_plane_float q = g == GR
                                             ? stixels_fit_ground_float(&c, &rounded, &found)
                                             : stixels_fit_object_float(&c, &rounded, &found);

    assert_near((double)found, energy, 1e-5 * made_of + 1e-6);
    assert_near((double)q.b, p.b, 1e-4 + 1e-3 * fabs(p.b));
    assert_near((double)stixels_at_float(q, (int)m->origin),
                stixels_at_double(p, (int)m->origin), 0.02);
}

/* The plane of rows v_b .. v_t: its energy is that of the rows, and that of planes around it is not less. */
static struct stixels_plane_double check_fit(const char *what,
                                             const struct stixels_model *model, int g,
                                             const struct row *row, int v_b, int v_t,
                                             double *energy)
{
    static const double steps[] = {1e-3, 0.1, 7};
    const struct stixels_constants_double c = stixels_constants_of_double(model);
    const struct stixels_moments_double m = moments_of(&c, row, v_b, v_t);
    const struct stixels_plane_double p = g == GR ? stixels_fit_ground_double(&c, &m, energy)
                                                  : stixels_fit_object_double(&c, &m, energy);
    const long double a = (long double)p.a, b = (long double)p.b;
    const double least = (double)direct(model, g, row, v_b, v_t, a, b);
    const double parts = (double)direct_data(row, v_b, v_t, a, b) * c.inverse_sigma2[g] +
                         (g == GR ? stixels_plane_prior_double(&c, p) : 0);
    /* what energies are made of before they cancel: their rounding error is relative to this */
    const double made_of = (double)(direct_data(row, v_b, v_t, 0, 0) +
                                    direct_data(row, v_b, v_t, (long double)model->mu_a,
                                                (long double)model->mu_b)) *
                           c.inverse_sigma2[g];
    const double tolerance = 1e-9 * made_of + 1e-12;

    if (!(fabs(*energy - least) <= tolerance && fabs(parts - least) <= tolerance))
        fail_msg("%s, rows %d..%d: the energy is %.17g, its parts' %.17g, its plane's %.17g",
                 what, v_b, v_t, *energy, parts, least);
    assert_true(g == GR || p.b == 0);
    if (model->lam_a + model->lam_b < 10) /* of stiffer priors float has too few digits */
        check_float(model, g, &m, p, *energy, made_of);
    for (int k = 0; k < N_OF(steps); k++)
        for (int i = -1; i <= 1; i++)
            for (int j = -(g == GR); j <= (g == GR); j++) {
                /* turned about the stixel's middle: a steeper plane that stays near the data */
                const long double db = (long double)steps[k] * j / 10;
                const long double da = (long double)steps[k] * i - db * ((v_b + v_t) / 2);
                const double other = (double)direct(model, g, row, v_b, v_t, a + da, b + db);

                if (!(other >= least - tolerance))
                    fail_msg("%s, rows %d..%d: the plane %.9g %+.9g v is not the best, %.9g is "
                             "less than %.9g",
                             what, v_b, v_t, p.a, p.b, other, least);
            }
    return p;
}

static void ground_is_the_best_plane(void **state)
{
    static const double priors[][2] = {{0, 0},    {1, 1},      {4, 0},
                                       {0, 0.25}, {1e-4, 1e4}, {1e6, 1e6}};
    static struct row row[MAX_ROWS];

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++)
        for (int k = 0; k < N_OF(priors); k++) {
            const uint32_t s = (uint32_t)seed;
            const int n = seed % 4 == 3 ? MAX_ROWS : 60;
            const int v_b = (int)draw(seed, s, 10, (uint32_t)n - 3);
            const int v_t = v_b + 2 + (int)draw(seed, s, 11, (uint32_t)(n - v_b - 2));
            struct stixels_model model = plain_model();
            double energy;

            fill_random(row, n, seed, seed % 2 == 0);
            row[v_b].weight = row[v_t].weight = STIXELS_WEIGHT_ONE; /* two rows at least */
            model.sigma[GR] = 0.5 + 3 * uniform(seed, s, 12);
            model.mu_a = 200 * uniform(seed, s, 13) - 50;
            model.mu_b = -3 * uniform(seed, s, 14);
            model.lam_a = priors[k][0];
            model.lam_b = priors[k][1];
            check_fit("random rows", &model, GR, row, v_b, v_t, &energy);
        }
}

/* On a line there is nothing left over, wherever the stixel lies; a prior that expects that line agrees. */
static void ground_on_a_line(void **state)
{
    static struct row row[MAX_ROWS];

    (void)state;
    for (int v = 0; v < MAX_ROWS; v++)
        row[v] = (struct row){(v % 7 + 1) * 9000, 60000 - 32 * v};
    for (int prior = 0; prior <= 1; prior++) {
        struct stixels_model model = plain_model();

        model.mu_a = 60000.0 / PX;
        model.mu_b = -32.0 / PX;
        model.lam_a = model.lam_b = prior;
        for (int v_b = 0; v_b < MAX_ROWS - 1; v_b += 61)
            for (int v_t = v_b + 1; v_t < MAX_ROWS; v_t += 53) {
                double energy;
                const struct stixels_plane_double p =
                    check_fit("a line", &model, GR, row, v_b, v_t, &energy);

                assert_true(energy >= 0 && energy < 1e-6);
                assert_near(p.b, model.mu_b, 1e-6);
                assert_near(stixels_at_double(p, v_t), row[v_t].disparity / 256.0, 1e-5);
            }
    }
}

/* One row; all weight on one of nine, first, inside or last: without a prior through it, as steep as expected.  None: as expected. */
static void planes_of_too_little(void **state)
{
    static const double priors[][2] = {{0, 0}, {1, 1}, {2, 0}, {0, 3}};
    static const int at[] = {0, 1, 57, MAX_ROWS - 9};
    static struct row row[MAX_ROWS];

    (void)state;
    fill_random(row, MAX_ROWS, 5, 0);
    for (int k = 0; k < N_OF(priors); k++)
        for (int i = 0; i < N_OF(at); i++) {
            const int v = at[i];
            struct stixels_model model = plain_model();
            struct row one[MAX_ROWS] = {{0}};
            struct stixels_plane_double p;
            double energy = -1;

            model.sigma[GR] = 2;
            model.lam_a = priors[k][0];
            model.lam_b = priors[k][1];
            for (int where = -1; where < 9; where += where < 0 ? 1 : 4) {
                const int only = where < 0 ? v : v + where;

                memset(one, 0, sizeof one);
                one[only] = row[v];
                p = check_fit("one row", &model, GR, one, v, where < 0 ? v : v + 8, &energy);
                if (k == 0) {
                    assert_near(p.b, model.mu_b, 1e-12);
                    assert_near(stixels_at_double(p, only), row[v].disparity / 256.0, 1e-9);
                    assert_near(energy, 0, 1e-9);
                }
            }
            memset(one, 0, sizeof one);
            for (int j = v; j < v + 9; j++)
                one[j].disparity = 12345;
            p = check_fit("no weight", &model, GR, one, v, v + 8, &energy);
            assert_near(p.a, model.mu_a, 1e-9);
            assert_near(p.b, model.mu_b, 1e-12);
            assert_true(energy == 0);
            p = check_fit("no weight", &model, OB, one, v, v + 8, &energy);
            assert_true(p.a == 0 && energy == 0);
        }
}

static void object_is_the_weighted_mean(void **state)
{
    static struct row row[MAX_ROWS];
    struct stixels_model model = plain_model();

    (void)state;
    model.sigma[OB] = 1.5;
    model.sigma[SK] = 2.5;
    for (uint64_t seed = 100; seed < 150; seed++) {
        const uint32_t s = (uint32_t)seed;
        const int v_b = (int)draw(seed, s, 10, MAX_ROWS);
        const int v_t = v_b + (int)draw(seed, s, 11, (uint32_t)(MAX_ROWS - v_b));
        const struct stixels_constants_double c = stixels_constants_of_double(&model);
        double energy, sky;

        fill_random(row, MAX_ROWS, seed, seed % 2 == 0);
        row[v_b].weight = STIXELS_WEIGHT_ONE;
        check_fit("an object", &model, OB, row, v_b, v_t, &energy);
        sky = (double)direct(&model, SK, row, v_b, v_t, 0, 0);
        assert_near(moments_of(&c, row, v_b, v_t).sky * c.inverse_sigma2[SK], sky, 1e-9 * sky);
    }
}

/* ---- eq. 6 ---- */

struct mixture {
    double p_out, sigma, z_uniform;
};

static const struct mixture mixtures[] = {
    {0.15, 1, 128}, {0.4, 2, 128}, {0.01, 0.5, 64}, {0.999, 3, 256}, {0.5, 1, 2}};

static struct stixels_model mixture_model(const struct mixture *m)
{
    struct stixels_model model = plain_model();

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        model.sigma[g] = m->sigma;
        model.k_uniform[g] = (int32_t)lround(UNIT * (log(m->p_out) - log(m->z_uniform)));
        model.k_gauss[g] =
            (int32_t)lround(UNIT * (log(1 - m->p_out) - log(m->sigma * sqrt(acos(-1)))));
    }
    return model;
}

static double mixture_cost(const struct mixture *m, double r2, int data_term)
{
    const double outlier = log(m->p_out / m->z_uniform);
    const double gauss = log((1 - m->p_out) / (m->sigma * sqrt(acos(-1)))) - r2;
    const double larger = fmax(outlier, gauss);

    return -larger - (data_term == STIXELS_E6_SUM ? log1p(exp(-fabs(outlier - gauss))) : 0);
}

static double residuals(int i)
{
    return i < 4000 ? i * 0.005 : pow(10, (i - 3300) / 500.0); /* 0..20, then to 10^9 */
}

static void row_costs_are_eq_6(void **state)
{
    (void)state;
    for (int k = 0; k < N_OF(mixtures); k++)
        for (int term = STIXELS_E6_SUM; term <= STIXELS_E6_MIN; term++) {
            const struct mixture *const m = &mixtures[k];
            const float uniform = (float)log(m->p_out / m->z_uniform);
            const float gauss = (float)log((1 - m->p_out) / (m->sigma * sqrt(acos(-1))));
            struct stixels_model model = mixture_model(m);
            int32_t before;

            model.data_term = term;
            before = stixels_row_cost(&model, OB, 0);
            for (int i = 0; i < 8000; i++) {
                const double r2 = residuals(i);
                const int32_t cost = stixels_row_cost(&model, i % STIXELS_N_GEOMETRIES, r2);
                const float of_float =
                    stixels_row_cost_float(uniform, gauss, (float)r2, term == STIXELS_E6_MIN);
                const double expected = mixture_cost(m, r2, term);

                if (!(fabs(cost - UNIT * expected) <= 2))
                    fail_msg("p_out %g, sigma %g, r^2 %g: %d/1024, expected %.2f", m->p_out,
                             m->sigma, r2, cost, UNIT * expected);
                assert_true(cost >= before - 1); /* farther away is not cheaper */
                before = cost;
                /* no table, no libm */
                assert_near((double)of_float, mixture_cost(m, (double)(float)r2, term), 2e-5);
            }
            assert_int_equal(stixels_row_cost(&model, 0, 1e30),
                             -model.k_uniform[0]); /* an outlier and nothing else */
            assert_int_equal(stixels_row_cost(&model, 0, (double)INFINITY),
                             -model.k_uniform[0]);
        }
}

static void float_exponentials(void **state)
{
    (void)state;
    for (int i = 0; i <= 200000; i++) {
        const float x = (float)i * 5e-4f; /* 0..100 */
        const double exact = exp(-(double)x), found = (double)stixels_exp_minus(x);

        assert_true(found >= 0);
        assert_near(found, exact, x < 86 ? 8e-6 * exact + 1e-38 : 1e-37);
        assert_near((double)stixels_softplus_float(x), log1p(exact), 1e-5);
    }
    for (int i = 0; i <= 70; i++) {
        const float x = 100.0f * powf(10, (float)i / 10); /* to 10^9 */

        assert_true(stixels_exp_minus(x) == 0 && stixels_softplus_float(x) == 0);
    }
}

/* ---- what may stand where ---- */

static void geometries_and_the_horizon(void **state)
{
    static const struct {
        int horizon, g, v_b, v_t, n_rows, allowed;
    } cases[] = {
        {5, GR, 0, 5, 10, 1},  /* up to the horizon */
        {5, GR, 0, 6, 10, 0},  /* a row beyond it */
        {5, GR, 6, 6, 10, 0},  /* above it */
        {9, GR, 0, 8, 10, 1},  /* below the top */
        {9, GR, 0, 9, 10, 0},  /* never the topmost */
        {10, GR, 3, 9, 10, 0}, /* not even where all is below the horizon */
        {-1, GR, 0, 0, 10, 0}, /* no ground to be seen */
        {5, SK, 6, 9, 10, 1},  /* from the first row above the horizon */
        {5, SK, 5, 9, 10, 0},  /* on it */
        {5, SK, 0, 0, 10, 0},  /* below it */
        {-1, SK, 0, 9, 10, 1}, /* a column of sky */
        {10, SK, 9, 9, 10, 0}, /* the horizon is out of sight */
        {5, OB, 0, 9, 10, 1},  /* anywhere */
        {-1, OB, 0, 0, 1, 1},  {10, OB, 9, 9, 10, 1}, {5, GR, 0, 0, 1, 0}, {-1, SK, 0, 0, 1, 1},
    };

    (void)state;
    for (int k = 0; k < N_OF(cases); k++) {
        struct stixels_model model = plain_model();

        model.horizon = cases[k].horizon;
        if (!stixels_may_be(&model, cases[k].g, cases[k].v_b, cases[k].v_t, cases[k].n_rows) !=
            !cases[k].allowed)
            fail_msg("case %d: geometry %d on rows %d..%d", k, cases[k].g, cases[k].v_b,
                     cases[k].v_t);
    }
}

struct transition {
    int lower, upper, possible;
    double d_lower, d_upper; /* px */
    double cost;
    int allowed;
};

/* gap 1 + 2 step, behind 4 + 8 step, hovering 16 + 32 step, ordering 64 + 128 step */
static const struct transition transitions[] = {
    {GR, GR, 1, 10, 9.5, 2, 1},    {GR, GR, 1, 9.5, 10, 2, 1},
    {GR, GR, 1, 10, 10, 0, 1},     {GR, OB, 1, 10, 9.5, 8, 1},
    {GR, OB, 1, 9.5, 10, 32, 1},   {GR, OB, 1, 10, 10, 0, 1},
    {OB, OB, 1, 10, 9.5, 0, 1},    {OB, OB, 1, 9.5, 10, 128, 1},
    {OB, OB, 1, 10, 10, 0, 1},     {OB, GR, 1, 10, 9.5, 0, 1},
    {OB, GR, 1, 9.5, 10, 0, 0},    {OB, GR, 1, 10, 10, 0, 1},
    {OB, SK, 1, 10, 0, 0, 1},      {OB, SK, 1, 0, 0, 0, 1},
    {OB, SK, 1, -2, 0, 0, 1},      {SK, OB, 1, 0, 10, 0, 1},
    {SK, OB, 1, 0, 0, 0, 1},       {SK, OB, 1, 0, -2, 0, 1},
    {GR, SK, 0, 10, 0, 0, 0},      {SK, GR, 0, 0, 10, 0, 0},
    {SK, SK, 0, 0, 0, 0, 0},       {GR, GR, 1, 100, 0, 201, 1},
    {GR, OB, 1, 100, 0, 804, 1},   {GR, OB, 1, 0, 100, 3216, 1},
    {OB, OB, 1, 0, 100, 12864, 1}, {OB, OB, 1, 100, 0, 0, 1},
    {GR, GR, 1, -3, -1, 5, 1},     {OB, GR, 1, 0, 0.00390625, 0, 0},
};

static struct stixels_model transition_model(void)
{
    struct stixels_model model = plain_model();

    model.gap_alpha = 1;
    model.gap_beta = 2;
    model.behind_alpha = 4;
    model.behind_beta = 8;
    model.hovering_alpha = 16;
    model.hovering_beta = 32;
    model.ordering_alpha = 64;
    model.ordering_beta = 128;
    return model;
}

static void transitions_by_hand(void **state)
{
    const struct stixels_model model = transition_model();
    const struct stixels_constants_double c = stixels_constants_of_double(&model);
    const struct stixels_constants_float f = stixels_constants_of_float(&model);
    int seen[STIXELS_N_GEOMETRIES][STIXELS_N_GEOMETRIES] = {{0}};

    (void)state;
    for (int k = 0; k < N_OF(transitions); k++) {
        const struct transition *t = &transitions[k];
        int allowed = -1, allowed_float = -1;
        double cost;
        float cost_float;

        seen[t->lower][t->upper]++;
        if (!stixels_may_follow(t->lower, t->upper) != !t->possible)
            fail_msg("%d on %d", t->upper, t->lower);
        if (!t->possible)
            continue;
        cost =
            stixels_transition_double(&c, t->lower, t->upper, t->d_lower, t->d_upper, &allowed);
        cost_float = stixels_transition_float(&f, t->lower, t->upper, (float)t->d_lower,
                                              (float)t->d_upper, &allowed_float);
        if (allowed != t->allowed || allowed_float != t->allowed)
            fail_msg("%d on %d, %g on %g px: allowed %d", t->upper, t->lower, t->d_upper,
                     t->d_lower, allowed);
        if (allowed && (cost != t->cost || (double)cost_float != t->cost))
            fail_msg("%d on %d, %g on %g px: %g, expected %g", t->upper, t->lower, t->d_upper,
                     t->d_lower, cost, t->cost);
    }
    for (int lower = 0; lower < STIXELS_N_GEOMETRIES; lower++)
        for (int upper = 0; upper < STIXELS_N_GEOMETRIES; upper++)
            assert_true(seen[lower][upper] > 0);
}

static void own_energy_by_hand(void **state)
{
    struct stixels_model model = plain_model();

    (void)state;
    model.weight_semantic = 0.5;
    model.beta_mc = 4;
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        model.plane[g] = 100 * (g + 1);
        model.k_valid[g] = 512 * (g + 1);    /* 1/2 nat */
        model.k_invalid[g] = -256 * (g + 1); /* 1/4 nat */
    }
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        const struct stixels_constants_double c = stixels_constants_of_double(&model);
        const struct stixels_constants_float f = stixels_constants_of_float(&model);
        const double expected =
            10 + (g + 1) * (6 * 0.5 - 8 * 0.25 + 100) + 3072 / UNIT * 0.5 + 4;

        assert_true(stixels_own_double(&c, g, 10, 6, 8, 3072) == expected);
        assert_true((double)stixels_own_float(&f, g, 10, 6, 8, 3072) == expected);
    }
}

struct link {
    const char *name;
    int g;
    double d_bottom;
    double cost[STIXELS_N_GEOMETRIES], top[STIXELS_N_GEOMETRIES];
    double energy; /* with own = 1000 */
    int below;
};

#define NONE ((double)STIXELS_FORBIDDEN)

static const struct link links[] = {
    {"the cheapest below an object", OB, 5, {30, 20, 10}, {5, 5, 0}, 1010, SK},
    {"object before ground among equals", OB, 5, {7, 7, 7}, {5, 5, 0}, 1007, OB},
    {"ground before sky among equals", OB, 5, {8, 7, 7}, {5, 5, 0}, 1007, GR},
    {"transition included", OB, 5, {0, 50, 70}, {4.5, 5.5, 0}, 1058, GR},
    {"sky cannot carry ground", GR, 5, {30, 20, 10}, {5, 5, 0}, 1020, GR},
    {"an object farther away cannot either", GR, 5, {0, 20, 10}, {4, 5, 0}, 1020, GR},
    {"an object as near can", GR, 5, {0, 20, 10}, {5, 5, 0}, 1000, OB},
    {"sky on objects alone", SK, 0, {30, 20, 10}, {5, 5, 0}, 1030, OB},
    {"nothing below sky", SK, 0, {NONE, 20, 10}, {0, 5, 0}, NONE, STIXELS_N_GEOMETRIES},
    {"nothing below ground", GR, 5, {0, NONE, 10}, {4, 0, 0}, NONE, STIXELS_N_GEOMETRIES},
    {"nothing at all", OB, 5, {NONE, NONE, NONE}, {0, 0, 0}, NONE, STIXELS_N_GEOMETRIES},
    {"ground has no best", OB, 5, {30, NONE, NONE}, {5, 0, 0}, 1030, OB},
    {"below 0", OB, 5, {-3000, -2000, 0}, {5, 5, 0}, -2000, OB},
};

static void links_by_hand(void **state)
{
    const struct stixels_model model = transition_model();
    const struct stixels_constants_double c = stixels_constants_of_double(&model);
    const struct stixels_constants_float f = stixels_constants_of_float(&model);

    (void)state;
    for (int k = 0; k < N_OF(links); k++) {
        const struct link *l = &links[k];
        float cost[STIXELS_N_GEOMETRIES], top[STIXELS_N_GEOMETRIES];
        int below = -1, below_float = -1;
        double energy, energy_float;

        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
            cost[g] = (float)l->cost[g];
            top[g] = (float)l->top[g];
        }
        energy = stixels_link_double(&c, l->g, 1000, l->d_bottom, l->cost, l->top, &below);
        energy_float = (double)stixels_link_float(&f, l->g, 1000, (float)l->d_bottom, cost, top,
                                                  &below_float);
        if (energy != l->energy || below != l->below || energy_float != l->energy ||
            below_float != l->below)
            fail_msg("%s: %g on %d, in float %g on %d", l->name, energy, below, energy_float,
                     below_float);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_of_integers),
        cmocka_unit_test(softplus_of_integers),
        cmocka_unit_test(semantic_cost_of_probabilities),
        cmocka_unit_test(means_are_rounded_half_up),
        cmocka_unit_test(blocks_are_valid_from_one_half),
        cmocka_unit_test(weights),
        cmocka_unit_test(sums_at_the_ends_of_the_ranges),
        cmocka_unit_test(ground_is_the_best_plane),
        cmocka_unit_test(ground_on_a_line),
        cmocka_unit_test(planes_of_too_little),
        cmocka_unit_test(object_is_the_weighted_mean),
        cmocka_unit_test(row_costs_are_eq_6),
        cmocka_unit_test(float_exponentials),
        cmocka_unit_test(geometries_and_the_horizon),
        cmocka_unit_test(transitions_by_hand),
        cmocka_unit_test(own_energy_by_hand),
        cmocka_unit_test(links_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
