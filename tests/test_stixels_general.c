/*
 * test_stixels_general.c - models beyond b12 and b6: Pfeiffer's priors, flat stixels, top-down, deviations of each stixel
 *
 * The oracle below takes nothing from the implementations, stixels/fit.h or stixels/general.h, and its numbers from the
 * profile and the camera themselves: libm's logarithms, sums row by row, normal equations about row 0.  What it computes is
 * not rounded to 1/1024 nat, so two candidates that are near each other may fall either way.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/measure/impl.h"
#include "harness/problems/stixels/stixels.h"
#include "harness/problems/stixels/float.h"
#include "harness/problems/stixels/general.h"
#include "harness/base/random.h"
#include "harness/inputs/plane.h"
#include "tests/stixels_city.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stixels_sink.h"

#define X           STIXELS_INVALID
#define PX          256
#define NAT         1024.0
#define MOST_ROWS   60 /* of the oracle */
#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

enum {
    OB = STIXELS_OBJECT,
    GR = STIXELS_GROUND,
    SK = STIXELS_SKY,
    N_GEO = STIXELS_N_GEOMETRIES
};

static uint32_t draw(uint64_t seed, uint32_t i, uint32_t j, uint32_t n)
{
    return bench_below(bench_philox(seed, i, j, 0, 0).word[0], n);
}

/* In [low, high). */
static double between(uint64_t seed, uint32_t i, double low, double high)
{
    return low + (high - low) * (bench_philox(seed, i, 99, 0, 0).word[1] / 4294967296.0);
}

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.9g, expected %.9g within %g", found, expected, tolerance);
}

/* ---- logarithms ---- */

static void logs_of_lengths(void **state)
{
    (void)state;
    for (double px = 1 / 256.0; px < 600; px *= 1.01) {
        const double rounded = floor(px * 256 + 0.5) / 256;

        assert_near(stixels_log_px(px) / NAT, log(rounded), 1.1 / NAT);
    }
    assert_int_equal(stixels_log_px(1), 0);
    assert_near(stixels_log_px(0) / NAT, log(1 / 256.0), 1.1 / NAT); /* the least there is */
    assert_near(stixels_log_px(-5) / NAT, log(1 / 256.0), 1.1 / NAT);
    assert_int_equal(STIXELS_LOG_2, lround(NAT * log(2)));
    assert_int_equal(STIXELS_MINUS_LOG_03, lround(-NAT * log(0.3)));
    assert_int_equal(STIXELS_MINUS_LOG_07, lround(-NAT * log(0.7)));
}

static void logs_of_normalisers(void **state)
{
    (void)state;
    for (double sigma2 = 1e-6; sigma2 < 1e29; sigma2 *= 1.37) /* as far as a camera may go */
        assert_near(stixels_log_z(sigma2) / NAT, 0.5 * log(acos(-1.0) * sigma2), 3 / NAT);
    for (double sigma2 = 1e-3; sigma2 < 2e4; sigma2 *= 1.003)
        assert_near(stixels_log_z(sigma2) / NAT, 0.5 * log(acos(-1.0) * sigma2), 1.1 / NAT);
}

/* Against the integral itself, by the midpoint rule. */
static void truncated_normalisers(void **state)
{
    static const double sigmas[] = {0.2, 1, 3, 20, 300}, at[] = {0, 0.5, 3, 64, 126, 128};

    (void)state;
    for (int i = 0; i < N_OF(sigmas); i++)
        for (int k = 0; k < N_OF(at); k++) {
            const int n = 200000;
            double sum = 0;

            for (int j = 0; j < n; j++) {
                const double x = (128.0 * (j + 0.5) / n - at[k]) / sigmas[i];

                sum += exp(-x * x) * 128.0 / n;
            }
            assert_near(stixels_truncated_log_z(sigmas[i] * sigmas[i], 128, at[k]) / NAT,
                        log(sum), 0.6 / NAT);
        }
    /* far from both ends it is the other form; at an end half of it; beyond, the end */
    assert_near(stixels_truncated_log_z(4, 128, 60), stixels_log_z(4), 1);
    assert_near(stixels_truncated_log_z(4, 128, 0), stixels_log_z(4) - STIXELS_LOG_2, 2);
    assert_int_equal(stixels_truncated_log_z(4, 128, -7), stixels_truncated_log_z(4, 128, 0));
    assert_int_equal(stixels_truncated_log_z(4, 128, 500),
                     stixels_truncated_log_z(4, 128, 128));
}

/* ---- models ---- */

static struct stixels_model model_of(const struct stixels_profile *profile,
                                     const struct camera *camera, int block_rows, int n_rows,
                                     int n_classes)
{
    struct stixels_model model;

    if (stixels_model_make(profile, camera, "frame", block_rows, n_rows, n_classes, &model) !=
        BENCH_OK)
        fail_msg("%s", bench_failure());
    return model;
}

/* A model by its profile, on a road of our own. */
struct world {
    struct stixels_profile profile;
    struct camera camera;
    struct stixels_model model;
};

/* The camera that sees 0 px at row 'horizon' and 'slope' px less for each row of 8 px upwards. */
static struct world world_of(const struct stixels_profile *profile, int n_rows, int n_classes,
                             double horizon, double slope)
{
    struct world w = {.profile = *profile};

    w.camera = (struct camera){.fx_px = 700, .fy_px = 700, .baseline_m = 0.6};
    w.camera.height_m = 8 * w.camera.baseline_m / slope;
    w.camera.cy_px = 8 * (n_rows - 1 - horizon) + (profile->half_block ? 3.5 : 0);
    w.model = model_of(profile, &w.camera, 8, n_rows, n_classes);
    assert_near(w.model.mu_b * horizon + w.model.mu_a, 0, 1e-9);
    assert_near(w.model.mu_b, -slope, 1e-9);
    return w;
}

static void deviations_by_hand(void **state)
{
    struct stixels_profile gs = named("gs"), dh = named("dh"), b12 = named("b12");
    struct stixels_model model = model_of(&gs, &city, 8, 128, 19);
    const double fb = 2262.52 * 0.209313;

    (void)state;
    for (int v = 0; v < 128; v += 5) {
        const double road = fmax(model.mu_b * v + model.mu_a, 0), pitch = 0.005 * fb / 1.22,
                     height = 0.05 * road / 1.22;

        assert_near(stixels_sigma2(&model, GR, v, 1e9), 1 + pitch * pitch + height * height,
                    1e-9);
    }
    for (double d = 0; d < 128; d += 7.3) { /* an object 0.3 m deep; v is not read */
        const double range = fb / (fb / (d + 1e-9)) - fb / (fb / (d + 1e-9) + 0.3);

        assert_near(stixels_sigma2(&model, OB, (int)d, d), 1 + pow(d * d * 0.3 / fb, 2), 1e-9);
        if (d < 20) /* which is about what 0.3 m more make of the disparity */
            assert_near(d * d * 0.3 / fb, range, 0.02 * (1 + range));
    }
    assert_true(stixels_sigma2(&model, SK, 3, 50) == 4);

    model = model_of(&dh, &city, 1, 1024, 0); /* 1/2 in the exponent: sigma^2 is 2 sigma^2 */
    assert_near(stixels_sigma2(&model, OB, 0, 40), 2 * (1 + pow(1600 * 10.2 / fb, 2)), 1e-4);
    assert_near(stixels_sigma2(&model, SK, 0, 0), 2 * 0.01, 1e-8);
    assert_near(stixels_sigma2(&model, GR, 1000, 0), /* above the horizon the pitch is left */
                2 * (4 + pow(0.05 * acos(-1.0) / 180 * fb / 1.22, 2)), 1e-7);

    model = model_of(&b12, &city, 8, 128, 19);
    assert_true(stixels_sigma2(&model, GR, 3, 50) == 1 &&
                stixels_sigma2(&model, OB, 3, 50) == 1);
    assert_false(stixels_needs_general(&model));
}

static void constants_of_a_model(void **state)
{
    struct stixels_profile dh = named("dh"), gs = named("gs"), other;
    struct stixels_model model = model_of(&dh, &city, 8, 128, 19);

    (void)state;
    assert_true(stixels_needs_general(&model) && model.flat && model.own_log_z);
    for (int g = 0; g < N_GEO; g++) {
        const double p = g == SK ? 0.4 : 0.15;

        assert_near(model.k_uniform[g] / NAT, log(p / 128), 2 / NAT);
        assert_near(model.k_gauss[g] / NAT, log(1 - p), 2 / NAT); /* without Z_G */
        assert_int_equal(model.k_valid[g], 0);
        assert_int_equal(model.k_invalid[g], 0); /* P(invalid) = 0 */
    }
    assert_near(model.k_ordered / NAT, -log(0.2), 1 / NAT);
    assert_near(model.k_not_ordered / NAT, -log(0.8), 1 / NAT);
    assert_near(model.k_above_ground / NAT, -log(0.1), 1 / NAT);
    assert_near(model.k_below_ground / NAT, -log(0.04), 1 / NAT);
    assert_near(model.k_on_ground / NAT, -log(0.86), 1 / NAT);
    assert_near(model.focal_baseline, 2262.52 * 0.209313, 1e-9);
    assert_int_equal(stixels_n_disparities(&model), 129);
    assert_int_equal(stixels_whole_disparity(&model, 0.49), 0);
    assert_int_equal(stixels_whole_disparity(&model, 0.5), 1);
    assert_int_equal(stixels_whole_disparity(&model, 127.6), 128);
    assert_int_equal(stixels_whole_disparity(&model, 250), 128);

    model = model_of(&gs, &city, 8, 128, 19);
    assert_true(stixels_needs_general(&model) && !model.flat && !model.own_log_z);
    assert_int_equal(model.weight_squared, STIXELS_WEIGHT_PLAIN);
    assert_int_equal(model.direction, STIXELS_TOP_DOWN);
    assert_true(model.lam_a == 1 && model.lam_b == 1 && model.beta_mc == 4);
    assert_near(model.weight_semantic, 0.5 * 255 / -log(1e-6), 5e-3);

    other = named("b12"); /* each option by itself takes a model away from the fast path */
    for (int i = 0; i < 5; i++) {
        struct stixels_profile one = other;

        one.prior = i == 0;
        one.direction = i == 1;
        one.sigma_rule = i == 2;
        one.zg = i == 3;
        one.weight_squared = i == 4 ? STIXELS_WEIGHT_NONE : STIXELS_WEIGHT_SQUARED;
        one.epsilon = 3;
        one.p_ord = one.p_grav = one.p_blg = 0.1;
        model = model_of(&one, &city, 8, 128, 19);
        assert_true(stixels_needs_general(&model));
        assert_int_equal(model.own_log_z, i == 2 || i == 3);
        assert_near(model.k_valid[SK] / NAT, model.own_log_z ? 0 : log(2 * sqrt(acos(-1.0))),
                    2 / NAT);
    }
    assert_int_equal(stixels_weight_in(&model, 7), STIXELS_WEIGHT_ONE);
}

/* ---- Pfeiffer's priors by hand ---- */

/* 20 rows; road 40 - 4 v, horizon (last row above 0 px) 9; B f = 420 px m, range 10.2 m. */
static const struct pfeiffer_case {
    const char *what;
    int lower, upper, k;
    double d_lower, d_upper, expected; /* -1: forbidden */
} pfeiffer_cases[] = {
    {"ground on ground", GR, GR, 4, 0, 0, 3.976562},  /* log 16 - log 0.3 */
    {"ground on object", OB, GR, 4, 90, 0, 3.976562}, /* however near */
    {"ground on sky", SK, GR, 4, 0, 0, -1},
    {"ground begins on the horizon", GR, GR, 9, 0, 0, 3.601868}, /* log 11 */
    {"ground above the horizon", GR, GR, 10, 0, 0, -1},
    {"sky on ground that is not at the horizon", GR, SK, 9, 0, 0, -1},
    {"sky on ground, 4 px there", GR, SK, 10, 0, 0, -1},
    {"sky on ground, 0 px there", GR, SK, 11, 0, 0, 2.197225}, /* log 9 */
    {"sky on an object", OB, SK, 12, 3, 0, 2.772589},          /* log 8 + log 2 */
    {"sky on an object too far", OB, SK, 12, 2.99, 0, -1},
    {"sky on an object below the horizon", OB, SK, 8, 30, 0, -1},
    {"sky on sky", SK, SK, 12, 0, 0, -1},
    /* log 15 - log 0.7; road at row 4: 24 px */
    {"object on its ground", GR, OB, 5, 0, 24, 5.007310}, /* - log 0.86 + log 6 */
    {"object on its ground, 3 px nearer", GR, OB, 5, 0, 27, 5.007310},
    {"object in front of its ground", GR, OB, 5, 0, 27.1, 9.982431}, /* - log 0.1 + log 101 */
    {"object below its ground", GR, OB, 5, 0, 20.9, 9.328197},       /* - log 0.04 + log 21 */
    /* road at row 12: below 0, counts as 0; log 7 - log 0.7 */
    {"object where the road is above the horizon", GR, OB, 13, 0, 2, 4.245168},
    {"object in front of it there", GR, OB, 13, 0, 4, 9.433484}, /* - log 0.1 + log 125 */
    /* p = 20: reach = 10.2 * 400 / (420 + 204) = 6.538462 */
    {"object on object, the same", OB, OB, 5, 20, 20, -1},
    {"object on object, within reach", OB, OB, 5, 20, 26.5, -1},
    {"object on object, within reach behind", OB, OB, 5, 20, 13.5, -1},
    {"object in front of the lower one", OB, OB, 5, 20, 26.6,
     9.293843},                                                     /* - log 0.2 + log 101.46 */
    {"object behind the lower one", OB, OB, 5, 20, 13.4, 5.887705}, /* - log 0.8 + log 13.46 */
    /* log 8 + log 2 above the horizon: k - 1 >= 9 */
    {"object behind it, above the horizon", OB, OB, 12, 20, 13.4, 5.595569},
    {"object behind it, on the last row below", OB, OB, 9, 20, 13.4,
     5.577550}, /* log 11 - log .7 */
    {"object behind it, on the row above", OB, OB, 10, 20, 13.4, 5.818712}, /* log 10 + log 2 */
    {"object on one at infinity", OB, OB, 12, 0, 0, -1},
    {"object on one at infinity, in front", OB, OB, 12, 0, 0.5,
     9.234057},                                      /* - log 0.2 + log 128 */
    {"object on sky", SK, OB, 12, 0, 3.1, 6.907755}, /* log 8 + log 125 */
    {"object on sky, too far", SK, OB, 12, 0, 3, -1},
};

static struct world pfeiffer_world(void)
{
    const struct stixels_profile dh = named("dh");

    return world_of(&dh, 20, 0, 10, 4);
}

static void pfeiffer_by_hand(void **state)
{
    const struct world w = pfeiffer_world();

    (void)state;
    assert_int_equal(w.model.horizon, 9);
    for (int i = 0; i < N_OF(pfeiffer_cases); i++) {
        const struct pfeiffer_case *const c = &pfeiffer_cases[i];
        int allowed = -1;
        const double cost = stixels_pfeiffer(&w.model, c->lower, c->upper, c->k, 20, c->d_lower,
                                             c->d_upper, &allowed) /
                            NAT;

        if (allowed != (c->expected >= 0))
            fail_msg("%s: %s", c->what, allowed ? "allowed" : "forbidden");
        if (allowed && !(fabs(cost - c->expected) <= 4 / NAT))
            fail_msg("%s: %.6f, expected %.6f", c->what, cost, c->expected);
    }
}

static void pfeiffer_first(void **state)
{
    const struct world w = pfeiffer_world();

    (void)state;
    assert_near(stixels_pfeiffer_first(&w.model, GR, 3, 20) / NAT, log(2) + log(20), 2 / NAT);
    assert_near(stixels_pfeiffer_first(&w.model, OB, 9, 20) / NAT, log(20) + log(128) + log(2),
                3 / NAT);
    assert_near(stixels_pfeiffer_first(&w.model, OB, 10, 20) / NAT, log(20) + log(128),
                2 / NAT);
    assert_false(stixels_may_be_in(&w.model, SK, 0, 5, 20));
}

static void where_geometries_may_be(void **state)
{
    struct world w = pfeiffer_world();

    (void)state;
    for (int v_b = 0; v_b < 20; v_b++)
        for (int v_t = v_b; v_t < 20; v_t++) {
            assert_int_equal(stixels_may_be_in(&w.model, GR, v_b, v_t, 20), v_t <= 9);
            assert_int_equal(stixels_may_be_in(&w.model, SK, v_b, v_t, 20), v_b > 9);
            assert_true(stixels_may_be_in(&w.model, OB, v_b, v_t, 20));
        }
    w.model.horizon = 20; /* road up to the top: Pfeiffer's may end there, the linear one not */
    assert_true(stixels_may_be_in(&w.model, GR, 0, 19, 20));
    w.model.prior = STIXELS_LINEAR;
    assert_false(stixels_may_be_in(&w.model, GR, 0, 19, 20));
    w.model.horizon = -1;
    assert_true(stixels_may_be_in(&w.model, SK, 0, 19, 20));
    w.model.prior = STIXELS_PFEIFFER;
    assert_false(stixels_may_be_in(&w.model, SK, 0, 19, 20));
    assert_true(stixels_may_be_in(&w.model, SK, 1, 19, 20));
}

/* ---- inputs of blocks of one pixel ---- */

static struct stixels_input *new_input(int n_rows, int n_cols, int n_classes,
                                       const struct stixels_model *model)
{
    struct stixels_input *in;

    if (stixels_input_new(1, n_rows, n_cols, 1, 1, n_classes, 0, 0, &in) != BENCH_OK)
        fail_msg("%s", bench_failure());
    in->model[0] = *model;
    for (int i = 0; i < n_rows * n_cols; i++) {
        in->disparity[i] = X;
        in->confidence[i] = 255;
    }
    for (int i = 0; i < n_rows * n_cols * n_classes; i++)
        in->probability[i] = (uint16_t)(65535 / n_classes);
    return in;
}

static int pixel(const struct stixels_input *in, int u, int v)
{
    return (in->n_rows - 1 - v) * in->width + u;
}

static void fill_random(const struct stixels_input *in, uint64_t seed, int hole_pct,
                        int most_px)
{
    const struct stixels_model *const m = &in->model[0];

    for (int u = 0; u < in->n_cols; u++) {
        double thing = 0;

        for (int v = 0; v < in->n_rows; v++) {
            const uint32_t i = (uint32_t)(u * 1000 + v);
            const double road = m->mu_b * v + m->mu_a;
            double px;

            if (v == 0 || draw(seed, i, 1, 4) == 0) /* another thing: the road, or at will */
                thing = draw(seed, i, 2, 3) == 0 ? -1 : between(seed, i, 0, most_px);
            px = (thing < 0 ? fmax(road, 0) : thing) + between(seed, i + 500, -1.5, 1.5);
            px = px < 0 ? 0 : px > most_px ? most_px : px;
            in->disparity[pixel(in, u, v)] =
                draw(seed, i, 3, 100) < (uint32_t)hole_pct ? X : (uint16_t)(px * PX);
            in->confidence[pixel(in, u, v)] = (uint8_t)(100 + draw(seed, i, 4, 156));
        }
    }
    for (int i = 0; i < in->n_rows * in->n_cols * in->n_classes; i++)
        in->probability[i] = (uint16_t)(200 + draw(seed, (uint32_t)i, 5, 60000));
}

/* ---- the oracle ---- */

struct oracle {
    const struct world *world;
    int n_rows, n_classes, horizon;
    int valid[MOST_ROWS];
    double w[MOST_ROWS], px[MOST_ROWS];
    double class_cost[8][MOST_ROWS];
};

struct fit {
    double a, b;
    int semantic;
    int half; /* the mean is as near to one whole disparity as to another */
};

static void oracle_load(struct oracle *o, const struct world *world,
                        const struct stixels_input *in, int u)
{
    o->world = world;
    o->n_rows = in->n_rows;
    o->n_classes = in->n_classes;
    o->horizon = -1;
    assert_true(in->n_rows <= MOST_ROWS && in->n_classes <= 8);
    while (o->horizon + 1 < in->n_rows &&
           world->model.mu_a + world->model.mu_b * (o->horizon + 1) > 0)
        o->horizon++;
    for (int v = 0; v < in->n_rows; v++) {
        const int i = pixel(in, u, v);
        const double c = in->confidence[i] / 255.0;

        o->valid[v] = in->disparity[i] != X && in->confidence[i] > 0;
        o->px[v] = o->valid[v] ? in->disparity[i] / 256.0 : 0;
        o->w[v] = !o->valid[v]                                            ? 0
                  : world->profile.weight_squared == STIXELS_WEIGHT_NONE  ? 1
                  : world->profile.weight_squared == STIXELS_WEIGHT_PLAIN ? c
                                                                          : c * c;
        for (int k = 0; k < in->n_classes; k++)
            o->class_cost[k][v] =
                -log(in->probability[k * in->n_rows * in->n_cols + i] / 65535.0);
    }
}

static double road_at(const struct oracle *o, int v)
{
    return o->world->model.mu_a + o->world->model.mu_b * v;
}

/* By the design's formulas, from the profile and the camera. */
static double oracle_sigma(const struct oracle *o, int g, int v, double d)
{
    const struct stixels_profile *const p = &o->world->profile;
    const struct camera *const c = &o->world->camera;
    const double fb = c->fx_px * c->baseline_m;

    if (p->sigma_rule == STIXELS_SIGMA_CLASS || g == SK)
        return p->sigma[g];
    if (g == GR)
        return sqrt(pow(p->sigma[GR], 2) + pow(fb / c->height_m * p->sigma_alpha, 2) +
                    pow(fmax(road_at(o, v), 0) / c->height_m * p->sigma_height, 2));
    return hypot(p->sigma[OB], d * d * p->depth_uncertainty / fb);
}

/* -log of the normal density's factor. */
static double oracle_log_z(const struct oracle *o, double sigma)
{
    return o->world->profile.log_z ? log(sigma) + 0.5 * log(acos(-1.0)) : 0;
}

static double oracle_invalid(const struct oracle *o, int g, double perfect)
{
    const struct stixels_profile *const p = &o->world->profile;
    const double share = 3 * p->p_geometry_given_invalid[g] * p->p_invalid;

    return p->invalid == 0 ? perfect : p->invalid == 1 && share > 0 ? -log(share) : 0;
}

static double oracle_exists(const struct oracle *o, int g)
{
    const struct stixels_profile *const p = &o->world->profile;

    return p->invalid == 1 ? -log(1 - 3 * p->p_geometry_given_invalid[g] * p->p_invalid) : 0;
}

static double oracle_flat(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_profile *const p = &o->world->profile;
    const double uniform = p->p_out[g] / p->d_max;
    double sum = 0, weight = 0, whole, energy = 0;

    for (int v = v_b; v <= v_t; v++) {
        sum += o->w[v] * o->px[v];
        weight += o->w[v];
    }
    fit->a = g == GR ? road_at(o, 0) : g == OB && weight > 0 ? sum / weight : 0;
    fit->b = g == GR ? o->world->model.mu_b : 0;
    whole = fmin(floor(fit->a + 0.5), floor(p->d_max));
    fit->half = fabs(fit->a + 0.5 - floor(fit->a + 1)) < 1e-6;
    for (int v = v_b; v <= v_t; v++) {
        const double d = g == GR ? road_at(o, v) : g == OB ? whole : 0;
        const double sigma = oracle_sigma(o, g, v, d), r = (o->px[v] - d) / sigma;
        const double top = (1 - p->p_out[g]) * exp(-oracle_log_z(o, sigma));
        const double bell = top * exp(-o->w[v] * r * r);
        const int least = p->data_term == STIXELS_E6_MIN;

        if (o->valid[v])
            energy += oracle_exists(o, g) - log(least ? fmax(uniform, bell) : uniform + bell);
        else
            energy += oracle_invalid(o, g, -log(least ? fmax(uniform, top) : uniform + top));
    }
    return energy;
}

static double oracle_slanted(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_profile *const p = &o->world->profile;
    const struct stixels_model *const m = &o->world->model;
    double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0, sigma, energy, squares = 0;
    const double lam_a = p->s_a > 0 ? pow(p->sigma[GR] / p->s_a, 2) : 0,
                 lam_b = p->s_b > 0 ? pow(p->sigma[GR] / p->s_b, 2) : 0;

    for (int v = v_b; v <= v_t; v++) {
        s0 += o->w[v];
        s1 += o->w[v] * v;
        s2 += o->w[v] * v * v;
        t0 += o->w[v] * o->px[v];
        t1 += o->w[v] * o->px[v] * v;
    }
    fit->a = g == OB && s0 > 0 ? t0 / s0 : 0;
    fit->b = 0;
    fit->half = 0;
    if (g == GR) {
        const double a0 = s0 + lam_a, a2 = s2 + lam_b, r0 = t0 + lam_a * m->mu_a,
                     r1 = t1 + lam_b * m->mu_b, determinant = a0 * a2 - s1 * s1;

        assert_true(determinant > 1e-9); /* the worlds below have a prior */
        fit->a = (a2 * r0 - s1 * r1) / determinant;
        fit->b = (a0 * r1 - s1 * r0) / determinant;
        squares = lam_a * pow(fit->a - m->mu_a, 2) + lam_b * pow(fit->b - m->mu_b, 2);
    }
    sigma = oracle_sigma(o, g, v_b, fit->a);
    for (int v = v_b; v <= v_t; v++)
        squares += o->w[v] * pow(o->px[v] - (fit->b * v + fit->a), 2);
    energy = squares / (sigma * sigma);
    for (int v = v_b; v <= v_t; v++)
        energy += o->valid[v] ? oracle_exists(o, g) + oracle_log_z(o, sigma)
                              : oracle_invalid(o, g, oracle_log_z(o, sigma));
    return energy;
}

static double oracle_own(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_profile *const p = &o->world->profile;
    double energy = p->plane[g] + p->beta_mc, least = 0;

    energy += p->flat ? oracle_flat(o, g, v_b, v_t, fit) : oracle_slanted(o, g, v_b, v_t, fit);
    fit->semantic = STIXELS_NO_CLASS;
    for (int k = 0; k < o->n_classes; k++) {
        double sum = 0;

        for (int v = v_b; v <= v_t; v++)
            sum += o->class_cost[k][v];
        if (o->world->model.geometry_of[k] == g &&
            (fit->semantic == STIXELS_NO_CLASS || sum < least)) {
            least = sum;
            fit->semantic = k;
        }
    }
    energy += p->weight_semantic * least;
    if (v_b == 0 && p->prior == STIXELS_PFEIFFER)
        energy +=
            log(o->n_rows) + (v_t <= o->horizon ? log(2) : 0) + (g == OB ? log(p->d_max) : 0);
    return energy;
}

static int oracle_may_be(const struct oracle *o, int g, int v_b, int v_t)
{
    const int pfeiffer = o->world->profile.prior == STIXELS_PFEIFFER;

    if (g == GR)
        return v_t <= o->horizon && (pfeiffer || v_t < o->n_rows - 1);
    return g == OB || (v_b > o->horizon && !(pfeiffer && v_b == 0));
}

static double oracle_linear(const struct stixels_profile *p, int lower, int upper,
                            double d_lower, double d_upper)
{
    const double apart = fabs(d_lower - d_upper);
    const int nearer = d_upper > d_lower, farther = d_upper < d_lower;

    if (lower == GR && upper == GR)
        return nearer || farther ? p->gap_alpha + p->gap_beta * apart : 0;
    if (lower == GR && upper == OB)
        return farther  ? p->behind_alpha + p->behind_beta * apart
               : nearer ? p->hovering_alpha + p->hovering_beta * apart
                        : 0;
    if (lower == OB && upper == OB)
        return nearer ? p->ordering_alpha + p->ordering_beta * apart : 0;
    if (lower == OB && upper == GR)
        return nearer ? -1 : 0;
    return (lower == OB && upper == SK) || (lower == SK && upper == OB) ? 0 : -1;
}

/* -1: forbidden. 'k': the upper one's bottom row. */
static double oracle_transition(const struct oracle *o, int lower, int upper, int k,
                                double d_lower, double d_upper)
{
    const struct stixels_profile *const p = &o->world->profile;
    const double fb = o->world->camera.fx_px * o->world->camera.baseline_m;
    const double u = log(o->n_rows - k), road = fmax(road_at(o, k - 1), 0);
    const int below = k - 1 < o->horizon;

    if (p->prior == STIXELS_LINEAR)
        return oracle_linear(p, lower, upper, d_lower, d_upper);
    if (upper == GR)
        return lower == SK || !below ? -1 : u - log(0.3);
    if (upper == SK) {
        if (below || lower == SK)
            return -1;
        if (lower == GR)
            return road_at(o, k - 1) < 1 ? u : -1;
        return d_lower >= p->epsilon ? u + log(2) : -1;
    }
    if (lower == GR) {
        if (d_upper > road + p->epsilon)
            return u - log(0.7) - log(p->p_grav) + log(p->d_max - road - p->epsilon);
        if (d_upper < road - p->epsilon)
            return u - log(0.7) - log(p->p_blg) + log(road - p->epsilon);
        return u - log(0.7) - log(1 - p->p_grav - p->p_blg) + log(2 * p->epsilon);
    }
    if (lower == OB) {
        const double reach =
            d_lower > 0 ? d_lower - fb / (fb / d_lower + p->ordering_range) : 0;

        if (d_upper > d_lower + reach)
            return u + (below ? -log(0.7) : log(2)) - log(p->p_ord) +
                   log(p->d_max - d_lower - reach);
        if (d_upper < d_lower - reach)
            return u + (below ? -log(0.7) : log(2)) - log(1 - p->p_ord) + log(d_lower - reach);
        return -1;
    }
    return d_upper > p->epsilon ? u + log(p->d_max - p->epsilon) : -1;
}

/* The best segmentation of the rows on one side that ends at a row in a geometry. */
struct node {
    int possible, end, beyond; /* the stixel's other end, and the geometry next to it */
    double cost;
    struct fit fit;
};

struct naive {
    struct node node[MOST_ROWS][N_GEO];
    double near; /* energies no farther apart than that may be equal ones */
    int tie;
};

/* What rounding to 1/1024 nat may do to the energy of a column: 1/2 for each row, its class, and a stixel's logs. */
static double rounding(const struct oracle *o, double energy)
{
    return o->n_rows * (3 + o->world->profile.weight_semantic) / NAT + 1e-6 * fabs(energy);
}

static void keep_better(struct naive *naive, struct node *best, const struct node *candidate)
{
    if (best->possible && fabs(candidate->cost - best->cost) < naive->near)
        naive->tie = 1;
    if (!best->possible || candidate->cost < best->cost)
        *best = *candidate;
}

static void naive_try(const struct oracle *o, struct naive *naive, int g, int v_b, int v_t)
{
    const int down = o->world->profile.direction == STIXELS_TOP_DOWN;
    const int slot = down ? v_b : v_t, next = down ? v_t + 1 : v_b - 1;
    struct node candidate = {.possible = 1, .end = down ? v_t : v_b, .beyond = N_GEO};
    const double own = oracle_own(o, g, v_b, v_t, &candidate.fit);

    naive->tie |= g == OB && candidate.fit.half;
    if (next < 0 || next >= o->n_rows) {
        candidate.cost = own;
        keep_better(naive, &naive->node[slot][g], &candidate);
        return;
    }
    for (int other = 0; other < N_GEO; other++) {
        const struct node *const n = &naive->node[next][other];
        const struct fit *const low = down ? &candidate.fit : &n->fit;
        const struct fit *const high = down ? &n->fit : &candidate.fit;
        const int k = down ? v_t + 1 : v_b;
        const double step = oracle_transition(o, down ? g : other, down ? other : g, k,
                                              low->b * (k - 1) + low->a, high->b * k + high->a);

        if (!n->possible || step < 0)
            continue;
        candidate.cost = own + step + n->cost;
        candidate.beyond = other;
        keep_better(naive, &naive->node[slot][g], &candidate);
    }
}

/* Returns how many stixels, from the bottom; 'total': their energy. */
static int naive_solve(const struct oracle *o, struct naive *naive, struct stixel *list,
                       double *total)
{
    const int n = o->n_rows, down = o->world->profile.direction == STIXELS_TOP_DOWN;
    int slot = down ? 0 : n - 1, g = OB, n_found = 0;

    memset(naive, 0, sizeof *naive);
    naive->near = 2 * rounding(o, 1000);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const int v_b = down ? n - 1 - i : j, v_t = down ? n - 1 - j : i;

            for (int k = 0; k < N_GEO; k++)
                if (oracle_may_be(o, k, v_b, v_t))
                    naive_try(o, naive, k, v_b, v_t);
        }
    for (int other = 1; other < N_GEO; other++) {
        const struct node *const node = naive->node[slot];

        if (node[other].possible && fabs(node[other].cost - node[g].cost) < naive->near)
            naive->tie = 1;
        if (node[other].possible && node[other].cost < node[g].cost)
            g = other;
    }
    *total = naive->node[slot][g].cost;
    for (;;) {
        const struct node *const node = &naive->node[slot][g];

        list[n_found++] = (struct stixel){.v_bottom = (uint16_t)(down ? slot : node->end),
                                          .v_top = (uint16_t)(down ? node->end : slot),
                                          .geometry = (uint8_t)g,
                                          .semantic = (uint8_t)node->fit.semantic,
                                          .a = (float)node->fit.a,
                                          .b = (float)node->fit.b};
        if (node->beyond == N_GEO)
            break;
        g = node->beyond;
        slot = down ? node->end + 1 : node->end - 1;
    }
    for (int i = 0; !down && i < n_found / 2; i++) {
        const struct stixel stixel = list[i];

        list[i] = list[n_found - 1 - i];
        list[n_found - 1 - i] = stixel;
    }
    return n_found;
}

/* ---- every segmentation ---- */

struct every {
    const struct oracle *o;
    double own[8][8][N_GEO], least;
    struct fit fit[8][8][N_GEO];
    int n_segmentations;
};

static void try_every(struct every *e, int v_b, int below, const struct fit *lower,
                      double energy)
{
    if (v_b == e->o->n_rows) {
        e->n_segmentations++;
        e->least = fmin(e->least, energy);
        return;
    }
    for (int v_t = v_b; v_t < e->o->n_rows; v_t++)
        for (int g = 0; g < N_GEO; g++) {
            const struct fit *const fit = &e->fit[v_b][v_t][g];
            double step = 0;

            if (!oracle_may_be(e->o, g, v_b, v_t))
                continue;
            if (v_b > 0)
                step = oracle_transition(e->o, below, g, v_b, lower->b * (v_b - 1) + lower->a,
                                         fit->b * v_b + fit->a);
            if (step >= 0)
                try_every(e, v_t + 1, g, fit, energy + e->own[v_b][v_t][g] + step);
        }
}

static double least_of_all(struct every *e, const struct oracle *o)
{
    e->o = o;
    e->least = HUGE_VAL;
    for (int v_b = 0; v_b < o->n_rows; v_b++)
        for (int v_t = v_b; v_t < o->n_rows; v_t++)
            for (int g = 0; g < N_GEO; g++)
                e->own[v_b][v_t][g] = oracle_own(o, g, v_b, v_t, &e->fit[v_b][v_t][g]);
    try_every(e, 0, N_GEO, NULL, 0);
    return e->least;
}

/* ---- variants ---- */

static struct bench_params params_of(const char *arith, const char *model)
{
    struct bench_params params = {.n = 0};

    for (const struct bench_key *key = stixels_problem.keys; key->name; key++) {
        if (!strcmp(key->name, "arith"))
            assert_int_equal(bench_params_set(&params, key, arith, "test"), BENCH_OK);
        if (!strcmp(key->name, "model"))
            assert_int_equal(bench_params_set(&params, key, model, "test"), BENCH_OK);
    }
    assert_int_equal(bench_params_default(&params, stixels_problem.keys, "test"), BENCH_OK);
    return params;
}

/* Twice, with poison before each run. */
static enum bench_status run_variant(const char *name, const char *arith, int n_threads,
                                     const struct stixels_input *in, struct stixels_output *out)
{
    const struct bench_impl *const impl = bench_find_impl(name);
    struct bench_params params = params_of(arith, "b12");
    const struct bench_ctx ctx = {.params = &params, .n_threads = n_threads};
    const size_t n_columns = (size_t)(in->n_frames * in->n_cols);
    const size_t n_bytes = n_columns * (size_t)in->n_rows * sizeof *out->list;
    void *state = calloc(1, impl->state_size);
    struct stixel *once = malloc(n_bytes);
    enum bench_status status;

    assert_non_null(state);
    assert_non_null(once);
    assert_int_equal(bench_params_default(&params, impl->keys, "test"), BENCH_OK);
    status = impl->setup(state, &ctx, in, out);
    for (int run = 0; run < 2 && status == BENCH_OK; run++) {
        memset(out->list, 0xA5, n_bytes);
        memset(out->first, 0xA5, (n_columns + 1) * sizeof *out->first);
        status = impl->run(state);
        if (run == 0)
            memcpy(once, out->list, n_bytes);
        else
            assert_memory_equal(once, out->list, n_bytes);
    }
    impl->teardown(state);
    free(state);
    free(once);
    return status;
}

static struct stixels_output *exact_output(const struct stixels_input *in)
{
    struct stixels_output *out;

    assert_int_equal(stixels_output_new(in, &out), BENCH_OK);
    if (run_variant("stixels/serial", "exact", 1, in, out) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return out;
}

/* openmp to the same bits, float within what the problem allows. */
static void check_variants(const char *what, const struct stixels_input *in,
                           const struct stixels_output *expected, int with_float)
{
    static const char *const variants[] = {"stixels/serial", "stixels/openmp"};
    struct stixels_output *found;

    assert_int_equal(stixels_output_new(in, &found), BENCH_OK);
    for (int i = 0; i < 2; i++)
        for (int fast = 0; fast <= with_float; fast++)
            for (int n_threads = 1; n_threads <= (i == 1 ? 3 : 1); n_threads++) {
                const struct bench_params params = params_of(fast ? "float" : "exact", "b12");
                struct bench_difference difference = {0};

                if (run_variant(variants[i], fast ? "float" : "exact", n_threads, in, found) !=
                    BENCH_OK)
                    fail_msg("%s", bench_failure());
                stixels_problem.compare(&params, in, expected, found, &difference);
                if (difference.n_wrong > 0)
                    fail_msg("%s, %s, %s, %d threads: %zu wrong, first %s", what, variants[i],
                             fast ? "float" : "exact", n_threads, difference.n_wrong,
                             difference.where);
            }
    stixels_output_free(found);
}

static double energy_of(const struct stixels_output *out, int u)
{
    double energy = 0;

    for (int i = out->first[u]; i < out->first[u + 1]; i++)
        energy += (double)out->list[i].cost;
    return energy;
}

/* Structure by compare() with itself; energy and cuts by the naive dynamic programming where nothing is near a tie. */
static int against_naive(const char *what, const struct world *world,
                         const struct stixels_input *in, const struct stixels_output *out)
{
    struct oracle *o = malloc(sizeof *o);
    struct naive *naive = malloc(sizeof *naive);
    int n_clear = 0;

    assert_non_null(o);
    assert_non_null(naive);
    for (int u = 0; u < in->n_cols; u++) {
        struct stixel list[MOST_ROWS];
        double total;
        int n;

        oracle_load(o, world, in, u);
        n = naive_solve(o, naive, list, &total);
        if (naive->tie)
            continue;
        n_clear++;
        if (n != out->first[u + 1] - out->first[u])
            fail_msg("%s, column %d: %d stixels, expected %d", what, u,
                     out->first[u + 1] - out->first[u], n);
        for (int i = 0; i < n; i++) {
            const struct stixel *const e = &list[i], *const f = &out->list[out->first[u] + i];

            if (e->v_bottom != f->v_bottom || e->v_top != f->v_top ||
                e->geometry != f->geometry || e->semantic != f->semantic)
                fail_msg(
                    "%s, column %d: rows %d..%d of %d, class %d, expected %d..%d of %d, %d",
                    what, u, f->v_bottom, f->v_top, f->geometry, f->semantic, e->v_bottom,
                    e->v_top, e->geometry, e->semantic);
            assert_near((double)f->a, (double)e->a, 1e-3);
            assert_near((double)f->b, (double)e->b, 1e-4);
        }
        assert_near(energy_of(out, u), total, rounding(o, total));
    }
    free(o);
    free(naive);
    return n_clear;
}

/* ---- the least of all segmentations ---- */

/*
 * What neighbours cost must not hang on planes for the dynamic programming to find the least.  Linear constants do not but
 * where the sign of a step counts, so steps have one sign: the road is nearer (0) or farther (1) than anything, or
 * there is none (2).
 */
static struct world family(int kind, int flat, int down, int n_rows, uint64_t seed)
{
    struct stixels_profile p = named(flat ? "dh" : "gs");

    p.prior = STIXELS_LINEAR;
    p.direction = down;
    p.beta_mc = between(seed, 1, 0.5, 3);
    p.gap_alpha = between(seed, 2, 0, 2);
    p.behind_alpha = between(seed, 3, 0, 2);
    p.hovering_alpha = between(seed, 4, 0, 2);
    p.ordering_alpha = p.ordering_beta = 0;
    p.gap_beta = p.behind_beta = p.hovering_beta = 0;
    if (!flat) { /* the road stays where it is, and costs little to be there */
        p.s_a = p.s_b = 1e-3;
        p.sigma_alpha = 100;
    }
    if (kind == 0)
        p.p_out[GR] = 0.9;
    return kind == 0   ? world_of(&p, n_rows, 3, n_rows + 900, 0.2)
           : kind == 1 ? world_of(&p, n_rows, 3, n_rows - 2.5, 1e-3)
                       : world_of(&p, n_rows, 3, -3, 1);
}

static void least_of_all_segmentations(void **state)
{
    struct oracle *o = malloc(sizeof *o);
    struct every *e = calloc(1, sizeof *e);
    int n_ground = 0, n_sky = 0, n_many = 0;

    (void)state;
    assert_non_null(o);
    assert_non_null(e);
    for (int flat = 0; flat <= 1; flat++)
        for (int kind = 0; kind < 3; kind++)
            for (int down = 0; down <= 1; down++)
                for (int n_rows = 1; n_rows <= 7; n_rows++) {
                    const uint64_t seed = (uint64_t)(100 * kind + 10 * n_rows + flat);
                    const struct world world = family(kind, flat, down, n_rows, seed);
                    struct stixels_input *in = new_input(n_rows, 8, 3, &world.model);
                    struct stixels_output *out;
                    char what[128];

                    in->model[0].geometry_of[0] = OB; /* the world's are ground alone */
                    in->model[0].geometry_of[1] = GR;
                    in->model[0].geometry_of[2] = SK;
                    fill_random(in, seed, n_rows % 3 == 0 ? 30 : 0, 100);
                    for (int i = 0; i < n_rows * 8; i++)
                        if (in->disparity[i] != X && in->disparity[i] < 5 * PX)
                            in->disparity[i] = 5 * PX;
                    snprintf(what, sizeof what, "flat %d, kind %d, down %d, %d rows", flat,
                             kind, down, n_rows);
                    out = exact_output(in);
                    check_variants(what, in, out, 0);
                    for (int u = 0; u < in->n_cols; u++) {
                        struct world seen = world;
                        double least;

                        seen.model = in->model[0];
                        oracle_load(o, &seen, in, u);
                        least = least_of_all(e, o);
                        if (!(fabs(energy_of(out, u) - least) <= rounding(o, least)))
                            fail_msg("%s, column %d: energy %.6f, the least of all is %.6f",
                                     what, u, energy_of(out, u), least);
                        n_many += out->first[u + 1] - out->first[u] > 1;
                        for (int i = out->first[u]; i < out->first[u + 1]; i++) {
                            n_ground += out->list[i].geometry == GR;
                            n_sky += out->list[i].geometry == SK;
                        }
                    }
                    stixels_output_free(out);
                    stixels_input_free(in);
                }
    print_message(
        "%d segmentations; %d columns of more than one stixel, %d of ground, %d sky\n",
        e->n_segmentations, n_many, n_ground, n_sky);
    assert_true(n_many > 100 && n_ground > 20 && n_sky > 20);
    free(o);
    free(e);
}

/* ---- against the naive dynamic programming ---- */

/* Profiles of all kinds; 'i' says which. */
static struct stixels_profile kind_of_profile(int i, uint64_t seed)
{
    struct stixels_profile p = named(i % 2 ? "gs" : "dh");

    if (i >= 2) {
        if (i % 2) { /* slanted: Pfeiffer's priors, normalisers, rows that are missing */
            p.prior = i % 4 == 3 ? STIXELS_PFEIFFER : STIXELS_LINEAR;
            p.log_z = 1;
            p.sigma_rule = i % 3 == 0 ? STIXELS_SIGMA_CLASS : STIXELS_SIGMA_STIXEL;
            p.weight_squared = (int)draw(seed, 9, 9, 3);
            p.epsilon = 3;
            p.ordering_range = 5;
            p.p_ord = 0.3;
            p.p_grav = 0.2;
            p.p_blg = 0.1;
            p.d_max = 128;
        } else {
            p.data_term = i % 4 == 2 ? STIXELS_E6_SUM : STIXELS_E6_MIN;
            p.prior = i % 3 == 2 ? STIXELS_LINEAR : STIXELS_PFEIFFER;
            p.sigma_rule = i % 3 == 0 ? STIXELS_SIGMA_CLASS : STIXELS_SIGMA_STIXEL;
            p.weight_squared = (int)draw(seed, 9, 9, 3);
            p.gap_alpha = p.behind_alpha = p.hovering_alpha = p.ordering_alpha = 1;
            p.behind_beta = p.hovering_beta = p.ordering_beta = 0.3;
            p.beta_mc = 2;
            p.weight_semantic = 0.3;
        }
        p.invalid = (int)draw(seed, 10, 9, 3);
        p.p_invalid = 0.2;
        p.direction = (int)draw(seed, 11, 9, 2);
    }
    return p;
}

static void against_the_naive_one(void **state)
{
    int n_clear[2] = {0, 0}, n_all[2] = {0, 0}, n_stixels = 0;

    (void)state;
    for (int i = 0; i < 96; i++) {
        const uint64_t seed = (uint64_t)(4000 + i);
        const struct stixels_profile p = kind_of_profile(i % 24, seed);
        const int n_rows = 1 + (int)draw(seed, 1, 1, 12), n_classes = i % 3 ? 3 : 0;
        struct world world = world_of(&p, n_rows, n_classes, between(seed, 2, -2, n_rows + 4),
                                      between(seed, 3, 0.5, 8));
        struct stixels_input *in;
        struct stixels_output *out;
        char what[64];

        for (int k = 0; k < n_classes; k++)
            world.model.geometry_of[k] = (OB + k) % N_GEO;
        in = new_input(n_rows, 12, n_classes, &world.model);
        fill_random(in, seed, i % 5 < 2 ? 25 : 0, 100);
        out = exact_output(in);
        snprintf(what, sizeof what, "case %d", i);
        check_variants(what, in, out, 0);
        n_clear[p.flat] += against_naive(what, &world, in, out);
        n_all[p.flat] += in->n_cols;
        n_stixels += out->first[in->n_cols];
        stixels_output_free(out);
        stixels_input_free(in);
    }
    print_message("clear of ties: %d of %d flat columns, %d of %d slanted; %d stixels\n",
                  n_clear[1], n_all[1], n_clear[0], n_all[0], n_stixels);
    assert_true(n_clear[0] > n_all[0] / 2 && n_clear[1] > n_all[1] / 3);
    assert_true(n_stixels > 2 * (n_all[0] + n_all[1]));
}

/* The direction counts where transitions read planes, and only there. */
static void directions_differ_by_planes_alone(void **state)
{
    int n_better[2] = {0, 0};

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct stixels_profile p = named("gs");
        double energy[2][24];

        for (int down = 0; down <= 1; down++) {
            struct world world;
            struct stixels_input *in;
            struct stixels_output *out;

            p.direction = down;
            world = world_of(&p, 24, 0, 15, 5);
            in = new_input(24, 24, 0, &world.model);
            fill_random(in, (uint64_t)i, 0, 90);
            out = exact_output(in);
            for (int u = 0; u < 24; u++)
                energy[down][u] = energy_of(out, u);
            stixels_output_free(out);
            stixels_input_free(in);
        }
        for (int u = 0; u < 24; u++) {
            n_better[0] += energy[0][u] < energy[1][u] - 1e-3;
            n_better[1] += energy[1][u] < energy[0][u] - 1e-3;
        }
    }
    print_message("of 480 columns bottom-up is better in %d, top-down in %d\n", n_better[0],
                  n_better[1]);
    assert_true(n_better[0] + n_better[1] > 0 && n_better[0] + n_better[1] < 480);
}

/* ---- columns that are known ---- */

/* Road, a thing that stands on it, sky. */
static void known_columns(void **state)
{
    static const char *const models[] = {"dh", "gs"};

    (void)state;
    for (int k = 0; k < 2; k++) {
        const struct stixels_profile p = named(models[k]);
        const struct world world = world_of(&p, 48, 0, 28, 3);
        struct stixels_input *in = new_input(48, 12, 3, &world.model);
        struct stixels_output *out;

        in->model[0].n_classes = 3;
        in->model[0].geometry_of[0] = GR;
        in->model[0].geometry_of[1] = OB;
        in->model[0].geometry_of[2] = SK;
        for (int u = 0; u < 12; u++) {
            const int foot = 17 + u % 6, top = 30 + u;

            for (int v = 0; v < 48; v++) {
                const int g = v < foot ? GR : v < top ? OB : SK;
                const double px = g == GR   ? world.model.mu_a + world.model.mu_b * v
                                  : g == OB ? world.model.mu_a + world.model.mu_b * foot
                                            : 0;

                in->disparity[pixel(in, u, v)] = (uint16_t)lround(px * PX);
                for (int c = 0; c < 3; c++)
                    in->probability[c * 48 * 12 + pixel(in, u, v)] = (g == GR   ? 0
                                                                      : g == OB ? 1
                                                                                : 2) == c
                                                                         ? 60000
                                                                         : 2700;
            }
        }
        out = exact_output(in);
        check_variants(models[k], in, out, 1);
        for (int u = 0; u < 12; u++) {
            const struct stixel *const s = &out->list[out->first[u]];
            const int foot = 17 + u % 6;
            const double thing = world.model.mu_a + world.model.mu_b * foot;

            if (out->first[u + 1] - out->first[u] != 3)
                fail_msg("%s, column %d: %d stixels", models[k], u,
                         out->first[u + 1] - out->first[u]);
            assert_int_equal(s[0].geometry, GR);
            assert_int_equal(s[1].geometry, OB);
            assert_int_equal(s[2].geometry, SK);
            /* dh: at 30 px an object may be 30 px off, the road only 3; a row or two above the foot is as well of the
             * road */
            if (abs(s[0].v_top + 1 - foot) > (k == 0 ? 2 : 0))
                fail_msg("%s, column %d: the thing begins at row %d, expected %d", models[k], u,
                         s[0].v_top + 1, foot);
            assert_int_equal(s[1].v_top + 1, 30 + u);
            assert_near((double)s[1].a, thing, 0.2);
            assert_near((double)s[0].b, -3, 1e-3);
            assert_near((double)s[0].a, world.model.mu_a, 1e-2);
            for (int i = 0; i < 3; i++)
                assert_int_equal(s[i].semantic, i);
        }
        stixels_output_free(out);
        stixels_input_free(in);
    }
}

/* Streets with noise: float within what is allowed, and the totals that they had when this was written. */
static void totals_of_a_street(void **state)
{
    static const struct {
        const char *model;
        int n_stixels, rows[N_GEO];
        double energy;
    } golden[] = {{"dh", 315, {2772, 1551, 1821}, 19161.658},
                  {"gs", 2509, {4141, 1319, 684}, 48687.393}};

    (void)state;
    for (int k = 0; k < N_OF(golden); k++) {
        const struct stixels_profile p = named(golden[k].model);
        const struct world world = world_of(&p, 96, 4, 60, 1.5);
        struct stixels_input *in = new_input(96, 64, 4, &world.model);
        struct stixels_output *out;
        int rows[N_GEO] = {0};
        double energy = 0;

        for (int c = 0; c < 4; c++)
            in->model[0].geometry_of[c] = c % N_GEO;
        fill_random(in, 77, 5, 80);
        for (int u = 0; u < 64; u++)
            for (int v = 70 + u % 7; v < 96; v++)
                in->disparity[pixel(in, u, v)] =
                    (uint16_t)draw(7, (uint32_t)v, (uint32_t)u, 30);
        out = exact_output(in);
        check_variants(golden[k].model, in, out, 1);
        for (int u = 0; u < 64; u++)
            energy += energy_of(out, u);
        for (int i = 0; i < out->first[64]; i++)
            rows[out->list[i].geometry] += out->list[i].v_top - out->list[i].v_bottom + 1;
        print_message("%s: %d stixels, rows %d %d %d, %.3f nat\n", golden[k].model,
                      out->first[64], rows[OB], rows[GR], rows[SK], energy);
        assert_int_equal(out->first[64], golden[k].n_stixels);
        for (int g = 0; g < N_GEO; g++)
            assert_int_equal(rows[g], golden[k].rows[g]);
        assert_near(energy, golden[k].energy, 1e-2);
        stixels_output_free(out);
        stixels_input_free(in);
    }
}

/* ---- who takes what ---- */

static enum bench_status setup_alone(const char *name, const char *arith,
                                     const struct stixels_input *in)
{
    struct stixels_output *out;
    enum bench_status status;

    assert_int_equal(stixels_output_new(in, &out), BENCH_OK);
    bench_failure_clear();
    status = run_variant(name, arith, 1, in, out);
    stixels_output_free(out);
    return status;
}

static void variants_and_models(void **state)
{
    struct stixels_profile p = named("dh");
    struct world world = world_of(&p, 12, 0, 8, 4);
    struct stixels_input *in = new_input(12, 2, 0, &world.model);

    (void)state;
    assert_int_equal(setup_alone("stixels/cubic-serial", "exact", in), BENCH_ESKIP);
    assert_non_null(strstr(bench_failure(), "the references take others"));
    assert_int_equal(setup_alone("stixels/cubic-openmp", "float", in), BENCH_ESKIP);
    assert_int_equal(setup_alone("stixels/serial", "float", in), BENCH_OK);

    p.zg = STIXELS_ZG_TRUNCATED; /* no exact form */
    world = world_of(&p, 12, 0, 8, 4);
    in->model[0] = world.model;
    assert_int_equal(setup_alone("stixels/serial", "exact", in), BENCH_ESKIP);
    assert_non_null(strstr(bench_failure(), "zg = truncated"));
    assert_int_equal(setup_alone("stixels/openmp", "exact", in), BENCH_ESKIP);
    assert_int_equal(setup_alone("stixels/openmp", "float", in), BENCH_OK);
    stixels_input_free(in);
}

/* Far from both ends of the range Z_G is whole; a row of sky costs log 2 less. */
static void truncation_favours_sky(void **state)
{
    struct stixels_output *out;
    double energy[2];

    (void)state;
    for (int flat = 0; flat <= 1; flat++)
        for (int sky = 0; sky <= 1; sky++) {
            for (int truncated = 0; truncated <= 1; truncated++) {
                struct stixels_profile p = named(flat ? "dh" : "gs");
                struct world world;
                struct stixels_input *in;

                p.log_z = 1;
                p.zg = truncated;
                p.d_max = 128;
                p.prior = STIXELS_LINEAR;
                p.sigma[SK] = 0.5;
                p.depth_uncertainty = 0.1; /* narrow, so far from both ends */
                world = world_of(&p, 10, 0, -5, 1);
                in = new_input(10, 1, 0, &world.model);
                for (int v = 0; v < 10; v++)
                    in->disparity[pixel(in, 0, v)] = sky ? 0 : 20 * PX;
                assert_int_equal(stixels_output_new(in, &out), BENCH_OK);
                assert_int_equal(run_variant("stixels/serial", "float", 1, in, out), BENCH_OK);
                assert_int_equal(out->first[1], 1);
                assert_int_equal(out->list[0].geometry, sky ? SK : OB);
                energy[truncated] = energy_of(out, 0);
                stixels_output_free(out);
                stixels_input_free(in);
            }
            assert_near(energy[0] - energy[1], sky ? 10 * log(2) : 0, 20 / NAT);
        }
}

/* ---- work ---- */

static void work_of_flat_models(void **state)
{
    static const int heights[] = {10, 20, 40};
    const struct bench_params params = params_of("exact", "dh");

    (void)state;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N_OF(heights); i++) {
            const struct stixels_profile p = named(k == 0 ? "dh" : "gs");
            const int n = heights[i];
            const struct world world = world_of(&p, n, 3, n / 2.0, 2);
            struct stixels_input *in = new_input(n, 5, 3, &world.model);
            struct stixels_output *out;
            const void *ins[1], *outs[1];
            struct bench_sink sink = {0};
            struct bench_work work = {0, 0};
            int n_candidates = 0;

            fill_random(in, (uint64_t)n, 10, 60);
            out = exact_output(in);
            ins[0] = in;
            outs[0] = out;
            stixels_problem.count_work(in, out, &work);
            assert_true(work.ops == 5 * 3 * (n * (n + 1) / 2)); /* h^2, not h^3 */
            assert_int_equal(measure_into_our_sink(&params, ins, outs, outs, 1, &sink),
                             BENCH_OK);
            for (int v_b = 0; v_b < n; v_b++)
                for (int v_t = v_b; v_t < n; v_t++)
                    n_candidates += 1 + (v_t < n / 2.0) + (v_b >= n / 2.0);
            assert_near(*find_value(&sink, "candidates", -1), 5.0 * n_candidates, 0);
            /* mean, weight, ground, sky and 129 disparities; else six and a count */
            assert_near(*find_value(&sink, "sums_written", -1),
                        5.0 * n * (3 + (k == 0 ? 133 : 7)), 0);
            stixels_output_free(out);
            stixels_input_free(in);
        }
}

/* Frames of a batch have models of their own, and columns longer than a strip work. */
static void batches_and_long_columns(void **state)
{
    static const char *const models[] = {"dh", "gs"};

    (void)state;
    for (int k = 0; k < 2; k++) {
        const struct stixels_profile p = named(models[k]);
        struct stixels_input *in, *half;
        struct stixels_output *both, *alone;

        assert_int_equal(stixels_input_new(2, 300, 3, 1, 1, 0, 0, 0, &in), BENCH_OK);
        for (int f = 0; f < 2; f++) {
            const struct world world = world_of(&p, 300, 0, f ? 90 : 200, f ? 0.9 : 0.4);

            half = new_input(300, 3, 0, &world.model);
            fill_random(half, (uint64_t)(31 + f), 4, 70);
            in->model[f] = world.model;
            memcpy(in->disparity + 900 * f, half->disparity, 900 * sizeof *in->disparity);
            memcpy(in->confidence + 900 * f, half->confidence, 900);
            stixels_input_free(half);
        }
        both = exact_output(in);
        check_variants(models[k], in, both, 0);
        for (int f = 0; f < 2; f++) {
            half = new_input(300, 3, 0, &in->model[f]);
            memcpy(half->disparity, in->disparity + 900 * f, 900 * sizeof *in->disparity);
            memcpy(half->confidence, in->confidence + 900 * f, 900);
            alone = exact_output(half);
            assert_memory_equal(alone->list, both->list + both->first[3 * f],
                                (size_t)alone->first[3] * sizeof *alone->list);
            stixels_output_free(alone);
            stixels_input_free(half);
        }
        stixels_output_free(both);
        stixels_input_free(in);
    }
}

/* Nothing measured, nothing believed, all at infinity or at hand; the horizon out of sight. */
static void nothing_to_go_by(void **state)
{
    static const double horizons[] = {-3, 0, 8.5, 15, 40};
    static const uint16_t all[] = {X, 0, 65534, 128 * PX};

    (void)state;
    for (int k = 0; k < 2; k++)
        for (int h = 0; h < N_OF(horizons); h++)
            for (int i = 0; i < N_OF(all); i++)
                for (int n_rows = 1; n_rows <= 16; n_rows += 15) {
                    const struct stixels_profile p = named(k == 0 ? "dh" : "gs");
                    const struct world world = world_of(&p, n_rows, 0, horizons[h], 3);
                    struct stixels_input *in = new_input(n_rows, 2, 0, &world.model);
                    struct stixels_output *out;

                    for (int j = 0; j < 2 * n_rows; j++)
                        in->disparity[j] = all[i];
                    out = exact_output(in);
                    check_variants("nothing to go by", in, out, 0);
                    for (int j = 0; j < out->first[2]; j++)
                        assert_true(isfinite(out->list[j].cost) &&
                                    fabsf(out->list[j].cost) < 1e6f);
                    stixels_output_free(out);
                    stixels_input_free(in);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_of_lengths),
        cmocka_unit_test(logs_of_normalisers),
        cmocka_unit_test(truncated_normalisers),
        cmocka_unit_test(deviations_by_hand),
        cmocka_unit_test(constants_of_a_model),
        cmocka_unit_test(pfeiffer_by_hand),
        cmocka_unit_test(pfeiffer_first),
        cmocka_unit_test(where_geometries_may_be),
        cmocka_unit_test(least_of_all_segmentations),
        cmocka_unit_test(against_the_naive_one),
        cmocka_unit_test(directions_differ_by_planes_alone),
        cmocka_unit_test(known_columns),
        cmocka_unit_test(totals_of_a_street),
        cmocka_unit_test(variants_and_models),
        cmocka_unit_test(truncation_favours_sky),
        cmocka_unit_test(work_of_flat_models),
        cmocka_unit_test(batches_and_long_columns),
        cmocka_unit_test(nothing_to_go_by),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
