/*
 * test_stixels_model.c - the arithmetic of stixels against libm, against wider integers and by hand
 *
 * Planes and energies of stixels are held against sums row by row by test_stixels.c.
 */
#include "harness/problems/stixels/float.h"
#include "tests/stixels_examples.h"

/* ---- integers ---- */

static void check_log(uint32_t x)
{
    const double error = fabs(stixels_log(x) - NAT * log((double)x));

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

static void semantic_cost_of_probabilities(void **state)
{
    (void)state;
    assert_int_equal(STIXELS_LEAST_PROBABILITY_COST, lround(NAT * log(1e6)));
    assert_int_equal(stixels_semantic_cost(0), STIXELS_LEAST_PROBABILITY_COST);
    assert_int_equal(stixels_semantic_cost(65535), 0);
    for (uint32_t p = 1; p <= 65535; p++) {
        const int32_t found = stixels_semantic_cost(p);

        assert_true(found <= stixels_semantic_cost(p - 1) && found >= 0);
        assert_near(found, NAT * log(65535.0 / p), 0.53);
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
    for (uint32_t n = 1; n <= STIXELS_MAX_BLOCK * STIXELS_MAX_BLOCK; n++) {
        for (uint32_t sum = 0; sum <= 4 * n; sum++)
            check_mean(sum, n);
        for (uint32_t less = 0; less <= n; less++) /* the largest sums: probabilities of 1 */
            check_mean(n * 65535 - less, n);
    }
}

/* ---- sums over rows ---- */

/* All rows of the largest weight and disparity, brought to the first row of a stixel: no overflow on the way. */
static void sums_at_the_ends_of_the_ranges(void **state)
{
    static struct stixels_sums sums[STIXELS_MAX_ROWS + 1];
    const struct stixels_constants_double no_ground = {.mu_a = 0};
    const double d = 65534 / 256.0;

    (void)state;
    for (int v = 0; v < STIXELS_MAX_ROWS; v++) {
        sums[v + 1] = sums[v];
        stixels_add_row(&sums[v + 1], STIXELS_WEIGHT_ONE, 65534, v);
    }
    assert_true(sums[STIXELS_MAX_ROWS].u < INT64_C(1) << 58);
    for (int v_b = 0; v_b < STIXELS_MAX_ROWS; v_b += 31) /* up to the last row by itself */
        for (int end = STIXELS_MAX_ROWS; end > v_b; end -= 93) {
            const struct stixels_sums all = stixels_between(&sums[v_b], &sums[end]);
            const struct stixels_moments_double m =
                stixels_exact_moments(&no_ground, &all, v_b);
            const double n = end - v_b;

            assert_near(m.s0, n, 1e-12 * n);
            assert_near(m.s1, n * (n - 1) / 2, 1e-12 * n * n);
            assert_near(m.s2, n * (n - 1) * (2 * n - 1) / 6, 1e-12 * n * n * n);
            assert_near(m.t0, n * d, 1e-12 * n * d);
            assert_near(m.r1, n * (n - 1) / 2 * d, 1e-12 * n * n * d);
            assert_near(m.sky, n * d * d, 1e-12 * n * d * d);
        }
}

/* ---- eq. 6 ---- */

static double mixture_cost(double uniform, double gauss, double r2, int data_term)
{
    const double larger = fmax(uniform, gauss - r2), apart = fabs(uniform - (gauss - r2));

    return -larger - (data_term == STIXELS_E6_SUM ? log1p(exp(-apart)) : 0);
}

static void row_costs_are_eq_6(void **state)
{
    static const struct {
        double p_out, sigma, z_uniform;
    } mixtures[] = {
        {0.15, 1, 128}, {0.4, 2, 128}, {0.01, 0.5, 64}, {0.999, 3, 256}, {0.5, 1, 2}};

    (void)state;
    for (int k = 0; k < 2 * N_OF(mixtures); k++) {
        const double p_out = mixtures[k / 2].p_out, sigma = mixtures[k / 2].sigma;
        const double uniform = log(p_out / mixtures[k / 2].z_uniform);
        const double gauss = log((1 - p_out) / (sigma * sqrt(acos(-1))));
        const int term = k % 2 ? STIXELS_E6_SUM : STIXELS_E6_MIN;
        struct stixels_model model = {.data_term = term};
        int32_t before = INT32_MIN;

        for (int g = 0; g < N_GEO; g++) {
            model.k_uniform[g] = (int32_t)lround(NAT * uniform);
            model.k_gauss[g] = (int32_t)lround(NAT * gauss);
        }
        for (int i = 0; i < 8000; i++) { /* 0..20, then to 10^9 */
            const double r2 = i < 4000 ? i * 0.005 : pow(10, (i - 3300) / 500.0);
            const int32_t cost = stixels_row_cost(&model, i % N_GEO, r2);
            const double expected = NAT * mixture_cost(uniform, gauss, r2, term);

            if (!(fabs(cost - expected) <= 2))
                fail_msg("p_out %g, sigma %g, r^2 %g: %d/1024, expected %.2f", p_out, sigma, r2,
                         cost, expected);
            assert_true(cost + 1 >= before); /* farther away is not cheaper */
            before = cost;
            /* no table, no libm */
            assert_near((double)stixels_row_cost_float((float)uniform, (float)gauss, (float)r2,
                                                       term == STIXELS_E6_MIN),
                        mixture_cost(uniform, gauss, (double)(float)r2, term), 1.2e-5);
        }
        /* an outlier and nothing else */
        assert_int_equal(stixels_row_cost(&model, 0, 1e30), -model.k_uniform[0]);
        assert_int_equal(stixels_row_cost(&model, 0, (double)INFINITY), -model.k_uniform[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_of_integers),
        cmocka_unit_test(semantic_cost_of_probabilities),
        cmocka_unit_test(means_are_rounded_half_up),
        cmocka_unit_test(sums_at_the_ends_of_the_ranges),
        cmocka_unit_test(row_costs_are_eq_6),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
