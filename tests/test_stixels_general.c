/*
 * test_stixels_general.c - models beyond b12 and b6: Pfeiffer's priors, flat stixels, top-down, deviations of each stixel
 *
 * What a stixel costs is written down once more below, with nothing from the implementations, stixels/fit.h or
 * stixels/general.h, and with numbers from the profile and the camera themselves: libm's logarithms, sums row by row.  It is not
 * rounded to 1/1024 nat, so two candidates that are near each other may fall either way.
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
#include "harness/inputs/plane.h"
#include "tests/stixels_city.h"
#include "tests/stixels_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stixels_sink.h"

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
    struct stixels_profile dh = named("dh"), gs = named("gs"), b12 = named("b12");
    struct stixels_model model = model_of(&dh, &city, 8, 128, 19);
    static const double whole[][2] = {{0.49, 0}, {0.5, 1}, {127.6, 128}, {250, 128}};
    const double logs[][2] = {
        {model.k_ordered, -log(0.2)},           {model.k_not_ordered, -log(0.8)},
        {model.k_above_ground, -log(0.1)},      {model.k_below_ground, -log(0.04)},
        {model.k_on_ground, -log(0.86)},        {model.k_uniform[OB], log(0.15 / 128)},
        {model.k_uniform[GR], log(0.15 / 128)}, {model.k_uniform[SK], log(0.4 / 128)},
        {model.k_gauss[OB], log(0.85)}, /* without Z_G */
        {model.k_gauss[GR], log(0.85)},         {model.k_gauss[SK], log(0.6)},
    };

    (void)state;
    assert_true(stixels_needs_general(&model) && model.flat && model.own_log_z);
    for (int i = 0; i < N_OF(logs); i++)
        assert_near(logs[i][0] / NAT, logs[i][1], 2 / NAT);
    for (int g = 0; g < N_GEO; g++)
        assert_true(model.k_valid[g] == 0 && model.k_invalid[g] == 0); /* P(invalid) = 0 */
    assert_near(model.focal_baseline, 2262.52 * 0.209313, 1e-9);
    assert_int_equal(stixels_n_disparities(&model), 129);
    for (int i = 0; i < N_OF(whole); i++)
        assert_true(stixels_whole_disparity(&model, whole[i][0]) == whole[i][1]);

    model = model_of(&gs, &city, 8, 128, 19);
    assert_true(stixels_needs_general(&model) && !model.flat && !model.own_log_z);
    assert_int_equal(model.weight_squared, STIXELS_WEIGHT_PLAIN);
    assert_int_equal(model.direction, STIXELS_TOP_DOWN);
    assert_true(model.lam_a == 1 && model.lam_b == 1 && model.beta_mc == 4);
    assert_near(model.weight_semantic, 0.5 * 255 / -log(1e-6), 5e-3);

    /* each option by itself takes a model away from the fast path */
    for (int i = 0; i < 5; i++) {
        struct stixels_profile one = b12;

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

/* 20 rows; road 40 - 4 v, horizon (last row above 0 px) 9; B f = 420 px m, range 10.2 m: 6.538462 px of an object at 20 px. */
static const struct {
    const char *what;
    int lower, upper, k;
    double d_lower, d_upper, odds; /* the cost is their logarithm; 0: forbidden */
} pfeiffer_cases[] = {
    {"ground on ground", GR, GR, 4, 0, 0, 16 / 0.3},
    {"ground on object, however near", OB, GR, 4, 90, 0, 16 / 0.3},
    {"ground on sky", SK, GR, 4, 0, 0, 0},
    {"ground begins on the horizon", GR, GR, 9, 0, 0, 11 / 0.3},
    {"ground above the horizon", GR, GR, 10, 0, 0, 0},
    {"sky on ground that is not at the horizon", GR, SK, 9, 0, 0, 0},
    {"sky on ground, 4 px there", GR, SK, 10, 0, 0, 0},
    {"sky on ground, 0 px there", GR, SK, 11, 0, 0, 9},
    {"sky on an object", OB, SK, 12, 3, 0, 8 * 2},
    {"sky on an object too far", OB, SK, 12, 2.99, 0, 0},
    {"sky on an object below the horizon", OB, SK, 8, 30, 0, 0},
    {"sky on sky", SK, SK, 12, 0, 0, 0},
    /* the road at row 4: 24 px */
    {"object on its ground", GR, OB, 5, 0, 24, 15 / 0.7 / 0.86 * 6},
    {"object on its ground, 3 px nearer", GR, OB, 5, 0, 27, 15 / 0.7 / 0.86 * 6},
    {"object in front of its ground", GR, OB, 5, 0, 27.1, 15 / 0.7 / 0.1 * 101},
    {"object below its ground", GR, OB, 5, 0, 20.9, 15 / 0.7 / 0.04 * 21},
    /* the road at row 12: below 0, counts as 0 */
    {"object where the road is above the horizon", GR, OB, 13, 0, 2, 7 / 0.7 / 0.86 * 6},
    {"object in front of it there", GR, OB, 13, 0, 4, 7 / 0.7 / 0.1 * 125},
    {"object on object, the same", OB, OB, 5, 20, 20, 0},
    {"object on object, within reach", OB, OB, 5, 20, 26.5, 0},
    {"object on object, within reach behind", OB, OB, 5, 20, 13.5, 0},
    {"object in front of the lower one", OB, OB, 5, 20, 26.6, 15 / 0.7 / 0.2 * 101.461538},
    {"object behind the lower one", OB, OB, 5, 20, 13.4, 15 / 0.7 / 0.8 * 13.461538},
    {"object behind it, above the horizon", OB, OB, 12, 20, 13.4, 8 * 2 / 0.8 * 13.461538},
    {"object behind it, last row below", OB, OB, 9, 20, 13.4, 11 / 0.7 / 0.8 * 13.461538},
    {"object behind it, the row above", OB, OB, 10, 20, 13.4, 10 * 2 / 0.8 * 13.461538},
    {"object on one at infinity", OB, OB, 12, 0, 0, 0},
    {"object on one at infinity, in front", OB, OB, 12, 0, 0.5, 8 * 2 / 0.2 * 128},
    {"object on sky", SK, OB, 12, 0, 3.1, 8 * 125},
    {"object on sky, too far", SK, OB, 12, 0, 3, 0},
};

static struct world pfeiffer_world(void)
{
    const struct stixels_profile dh = named("dh");

    return world_of(&dh, 20, 0, 10, 4);
}

static void pfeiffer_by_hand(void **state)
{
    static const struct {
        int g, v_t;
        double odds;
    } first[] = {{GR, 3, 2 * 20}, {OB, 9, 20 * 128 * 2}, {OB, 10, 20 * 128}};
    const struct world w = pfeiffer_world();

    (void)state;
    assert_int_equal(w.model.horizon, 9);
    for (int i = 0; i < N_OF(pfeiffer_cases); i++) {
        const double odds = pfeiffer_cases[i].odds;
        int allowed = -1;
        const double cost =
            stixels_pfeiffer(&w.model, pfeiffer_cases[i].lower, pfeiffer_cases[i].upper,
                             pfeiffer_cases[i].k, 20, pfeiffer_cases[i].d_lower,
                             pfeiffer_cases[i].d_upper, &allowed) /
            NAT;

        if (allowed != (odds > 0) || (allowed && !(fabs(cost - log(odds)) <= 4 / NAT)))
            fail_msg("%s: allowed %d, %.6f, expected %.6f", pfeiffer_cases[i].what, allowed,
                     cost, log(odds));
    }
    for (int i = 0; i < N_OF(first); i++)
        assert_near(stixels_pfeiffer_first(&w.model, first[i].g, first[i].v_t, 20) / NAT,
                    log(first[i].odds), 3 / NAT);
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

/* ---- a world, an input of blocks of one pixel, and an output ---- */

struct scene {
    struct world world;
    struct stixels_input *in;
    struct stixels_output out;
};

/* Of the classes the first is an object's, then ground's, sky's, and round again. */
static struct scene scene_of(const struct stixels_profile *profile, int n_rows, int n_cols,
                             int n_classes, double horizon, double slope)
{
    struct scene s = {.world = world_of(profile, n_rows, n_classes, horizon, slope)};

    for (int k = 0; k < n_classes; k++)
        s.world.model.geometry_of[k] = k % N_GEO;
    s.in = new_input(1, n_rows, n_cols, 1, 1, n_classes);
    s.in->model[0] = s.world.model;
    s.out = guarded_output(s.in);
    return s;
}

static struct scene scene_named(const char *model, int n_rows, int n_cols, int n_classes,
                                double horizon, double slope)
{
    const struct stixels_profile p = named(model);

    return scene_of(&p, n_rows, n_cols, n_classes, horizon, slope);
}

static void scene_free(struct scene *s)
{
    release_output(&stixels_problem, &s->out);
    stixels_input_free(s->in);
}

static void set_px(const struct stixels_input *in, int u, int v, double px)
{
    in->disparity[pixel(in, 0, u, v, 0, 0)] = (uint16_t)lround(px * PX);
}

static void fill_random(const struct stixels_input *in, uint64_t seed, int hole_pct,
                        int most_px)
{
    const struct stixels_model *const m = &in->model[0];

    for (int u = 0; u < in->n_cols; u++) {
        double thing = 0;

        for (int v = 0; v < in->n_rows; v++) {
            const uint32_t i = (uint32_t)(u * 1000 + v);
            const size_t at = pixel(in, 0, u, v, 0, 0);
            double px;

            if (v == 0 || draw(seed, i, 1, 4) == 0) /* another thing: the road, or at will */
                thing = draw(seed, i, 2, 3) == 0 ? -1 : between(seed, i, 0, most_px);
            px = thing < 0 ? fmax(m->mu_b * v + m->mu_a, 0) : thing;
            px = fmin(fmax(px + between(seed, i + 500, -1.5, 1.5), 0), most_px);
            in->disparity[at] =
                draw(seed, i, 3, 100) < (uint32_t)hole_pct ? X : (uint16_t)(px * PX);
            in->confidence[at] = (uint8_t)(100 + draw(seed, i, 4, 156));
        }
    }
    for (int i = 0; i < in->n_rows * in->n_cols * in->n_classes; i++)
        in->probability[i] = (uint16_t)(200 + draw(seed, (uint32_t)i, 5, 60000));
}

/* ---- what a stixel costs ---- */

static void oracle_load(struct oracle *o, const struct world *world,
                        const struct stixels_input *in, int u)
{
    const struct stixels_profile *const p = &world->profile;

    *o = (struct oracle){.model = &world->model,
                         .world = world,
                         .n_rows = in->n_rows,
                         .n_classes = in->n_classes,
                         .horizon = -1,
                         .pfeiffer = p->prior == STIXELS_PFEIFFER,
                         .top_down = p->direction == STIXELS_TOP_DOWN};
    o->lam_a = p->s_a > 0 ? pow(p->sigma[GR] / p->s_a, 2) : 0;
    o->lam_b = p->s_b > 0 ? pow(p->sigma[GR] / p->s_b, 2) : 0;
    while (o->horizon + 1 < in->n_rows &&
           world->model.mu_a + world->model.mu_b * (o->horizon + 1) > 0)
        o->horizon++;
    for (int v = 0; v < in->n_rows; v++) {
        const size_t i = pixel(in, 0, u, v, 0, 0);
        const double c = in->confidence[i] / 255.0;

        o->cell[v].valid = in->disparity[i] != X && in->confidence[i] > 0;
        o->cell[v].px = o->cell[v].valid ? in->disparity[i] / 256.0 : 0;
        o->cell[v].w = !o->cell[v].valid                           ? 0
                       : p->weight_squared == STIXELS_WEIGHT_NONE  ? 1
                       : p->weight_squared == STIXELS_WEIGHT_PLAIN ? c
                                                                   : c * c;
        for (int k = 0; k < in->n_classes; k++)
            o->class_cost[k][v] =
                -log(in->probability[(size_t)(k * in->n_rows * in->n_cols) + i] / 65535.0);
    }
}

/* What rounding to 1/1024 nat may do to the energy of a column: 1/2 for each row, its class, and a stixel's logs. */
static double rounding(const struct oracle *o, double energy)
{
    return o->n_rows * (3 + o->world->profile.weight_semantic) / NAT + 1e-6 * fabs(energy);
}

static double road_at(const struct oracle *o, int v)
{
    return o->model->mu_a + o->model->mu_b * v;
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
    double whole, energy = 0;

    if (g == GR) {
        fit->a = road_at(o, 0);
        fit->b = o->model->mu_b;
    }
    whole = fmin(floor((double)fit->a + 0.5), floor(p->d_max));
    fit->half = fabsl(fit->a + 0.5L - floorl(fit->a + 1)) < 1e-6L;
    for (int v = v_b; v <= v_t; v++) {
        const double d = g == GR ? road_at(o, v) : g == OB ? whole : 0;
        const double sigma = oracle_sigma(o, g, v, d), r = ((double)o->cell[v].px - d) / sigma;
        const double top = (1 - p->p_out[g]) * exp(-oracle_log_z(o, sigma));
        const double bell = top * exp(-(double)o->cell[v].w * r * r);
        const int least = p->data_term == STIXELS_E6_MIN;

        if (o->cell[v].valid)
            energy += oracle_exists(o, g) - log(least ? fmax(uniform, bell) : uniform + bell);
        else
            energy += oracle_invalid(o, g, -log(least ? fmax(uniform, top) : uniform + top));
    }
    return energy;
}

static double oracle_slanted(const struct oracle *o, int g, int v_b, int v_t,
                             const struct fit *fit)
{
    const double sigma = oracle_sigma(o, g, v_b, (double)fit->a);
    double energy = (double)oracle_squares(o, g, v_b, v_t, fit) / (sigma * sigma);

    for (int v = v_b; v <= v_t; v++)
        energy += o->cell[v].valid ? oracle_exists(o, g) + oracle_log_z(o, sigma)
                                   : oracle_invalid(o, g, oracle_log_z(o, sigma));
    return energy;
}

static real oracle_own(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_profile *const p = &o->world->profile;
    double energy = p->plane[g] + p->beta_mc;

    oracle_plane(o, g, v_b, v_t, fit);
    energy += p->flat ? oracle_flat(o, g, v_b, v_t, fit) : oracle_slanted(o, g, v_b, v_t, fit);
    energy += p->weight_semantic * (double)oracle_class(o, g, v_b, v_t, &fit->semantic);
    if (v_b == 0 && o->pfeiffer)
        energy +=
            log(o->n_rows) + (v_t <= o->horizon ? log(2) : 0) + (g == OB ? log(p->d_max) : 0);
    return energy;
}

static double oracle_pfeiffer(const struct oracle *o, int lower, int upper, int k,
                              double d_lower, double d_upper)
{
    const struct stixels_profile *const p = &o->world->profile;
    const double fb = o->world->camera.fx_px * o->world->camera.baseline_m;
    const double u = log(o->n_rows - k), road = fmax(road_at(o, k - 1), 0);
    const int below = k - 1 < o->horizon;

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

static real oracle_step(const struct oracle *o, int lower, int upper, int k, real d_lower,
                        real d_upper)
{
    return o->pfeiffer ? oracle_pfeiffer(o, lower, upper, k, (double)d_lower, (double)d_upper)
                       : oracle_linear(o->model, lower, upper, d_lower, d_upper);
}

/* ---- variants ---- */

/* 0: the variant does not take this model. */
static int run_variant(const char *name, const char *arith, int n_threads,
                       const struct stixels_input *in, struct stixels_output *out)
{
    const char *const pairs[] = {"arith", arith, NULL};
    const struct bench_impl *const impl = bench_find_impl(name);
    struct bench_params params = params_with(&stixels_problem, pairs);
    struct stixels_output once = guarded_output(in);
    int ran;

    combine_keys(impl, 0, &params);
    bench_failure_clear();
    ran = drive_twice(impl, &params, n_threads, NULL, in, out, &once);
    release_output(&stixels_problem, &once);
    return ran;
}

enum { EXACT_ALONE, FLOAT_TOO };

/* The exact output by the reference; openmp to the same bits, float within what the problem allows. */
static void solve(const char *what, const struct stixels_input *in, struct stixels_output *out,
                  int with_float)
{
    struct stixels_output found = guarded_output(in);

    if (!run_variant("stixels/serial", "exact", 1, in, out))
        fail_msg("%s: %s", what, bench_failure());
    for (int fast = 0; fast <= with_float; fast++)
        for (int n_threads = 0; n_threads <= 3; n_threads++) {
            const char *const name = n_threads ? "stixels/openmp" : "stixels/serial";
            const char *const pairs[] = {"arith", fast ? "float" : "exact", NULL};
            const struct bench_params params = params_with(&stixels_problem, pairs);
            struct bench_difference difference = {0};

            assert_true(run_variant(name, pairs[1], n_threads ? n_threads : 1, in, &found));
            stixels_problem.compare(&params, in, out, &found, &difference);
            if (difference.n_wrong > 0)
                fail_msg("%s, %s, %s, %d threads: %zu wrong, first %s", what, name, pairs[1],
                         n_threads, difference.n_wrong, difference.where);
        }
    release_output(&stixels_problem, &found);
}

/* ---- the least of all segmentations ---- */

/*
 * What neighbours cost must not hang on planes for the dynamic programming to find the least.  Linear constants do not but
 * where the sign of a step counts, so steps have one sign: the road is nearer (0) or farther (1) than anything, or
 * there is none (2).
 */
static struct scene family(int kind, int flat, int down, int n_rows, uint64_t seed)
{
    const double horizons[] = {n_rows + 900, n_rows - 2.5, -3}, slopes[] = {0.2, 1e-3, 1};
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
    return scene_of(&p, n_rows, 8, 3, horizons[kind], slopes[kind]);
}

static void least_of_all_segmentations(void **state)
{
    struct oracle *o = malloc(sizeof *o);
    struct every *e = calloc(1, sizeof *e);
    int n_of[N_GEO] = {0}, n_many = 0;

    (void)state;
    assert_non_null(o);
    assert_non_null(e);
    for (int i = 0; i < 2 * 3 * 2 * 7; i++) {
        const int flat = i % 2, kind = i / 2 % 3, down = i / 6 % 2, n_rows = 1 + i / 12;
        const uint64_t seed = (uint64_t)(100 * kind + 10 * n_rows + flat);
        struct scene s = family(kind, flat, down, n_rows, seed);
        char what[128];

        fill_random(s.in, seed, n_rows % 3 == 0 ? 30 : 0, 100);
        for (int j = 0; j < n_rows * 8; j++)
            if (s.in->disparity[j] < 5 * PX)
                s.in->disparity[j] = 5 * PX;
        snprintf(what, sizeof what, "flat %d, kind %d, down %d, %d rows", flat, kind, down,
                 n_rows);
        solve(what, s.in, &s.out, EXACT_ALONE);
        for (int u = 0; u < s.in->n_cols; u++) {
            double least;

            oracle_load(o, &s.world, s.in, u);
            least = least_of_all(e, o);
            if (!(fabs(energy_of(&s.out, u) - least) <= rounding(o, least)))
                fail_msg("%s, column %d: energy %.6f, the least of all is %.6f", what, u,
                         energy_of(&s.out, u), least);
            n_many += s.out.first[u + 1] - s.out.first[u] > 1;
        }
        for (int j = 0; j < s.out.first[s.in->n_cols]; j++)
            n_of[s.out.list[j].geometry]++;
        scene_free(&s);
    }
    print_message(
        "%d segmentations; %d columns of more than one stixel, %d of ground, %d sky\n",
        e->n_segmentations, n_many, n_of[GR], n_of[SK]);
    assert_true(n_many > 100 && n_of[GR] > 20 && n_of[SK] > 20);
    free(o);
    free(e);
}

/* ---- against the naive dynamic programming ---- */

/* Profiles of all kinds; 'i' says which. */
static struct stixels_profile kind_of_profile(int i, uint64_t seed)
{
    struct stixels_profile p = named(i % 2 ? "gs" : "dh");

    if (i < 2)
        return p;
    if (i % 2) { /* slanted: Pfeiffer's priors, normalisers, rows that are missing */
        p.prior = i % 4 == 3 ? STIXELS_PFEIFFER : STIXELS_LINEAR;
        p.log_z = 1;
        p.epsilon = 3;
        p.ordering_range = 5;
        p.p_ord = 0.3;
        p.p_grav = 0.2;
        p.p_blg = 0.1;
        p.d_max = 128;
    } else {
        p.data_term = i % 4 == 2 ? STIXELS_E6_SUM : STIXELS_E6_MIN;
        p.prior = i % 3 == 2 ? STIXELS_LINEAR : STIXELS_PFEIFFER;
        p.gap_alpha = p.behind_alpha = p.hovering_alpha = p.ordering_alpha = 1;
        p.behind_beta = p.hovering_beta = p.ordering_beta = 0.3;
        p.beta_mc = 2;
        p.weight_semantic = 0.3;
    }
    p.sigma_rule = i % 3 == 0 ? STIXELS_SIGMA_CLASS : STIXELS_SIGMA_STIXEL;
    p.weight_squared = (int)draw(seed, 9, 9, 3);
    p.invalid = (int)draw(seed, 10, 9, 3);
    p.p_invalid = 0.2;
    p.direction = (int)draw(seed, 11, 9, 2);
    return p;
}

static void against_the_naive_one(void **state)
{
    struct oracle *o = malloc(sizeof *o);
    int n_same[2] = {0, 0}, n_all[2] = {0, 0}, n_stixels = 0;

    (void)state;
    assert_non_null(o);
    for (int i = 0; i < 96; i++) {
        const uint64_t seed = (uint64_t)(4000 + i);
        const struct stixels_profile p = kind_of_profile(i % 24, seed);
        const int n_rows = 1 + (int)draw(seed, 1, 1, 12);
        struct scene s = scene_of(&p, n_rows, 12, i % 3 ? 3 : 0,
                                  between(seed, 2, -2, n_rows + 4), between(seed, 3, 0.5, 8));
        char what[64];

        fill_random(s.in, seed, i % 5 < 2 ? 25 : 0, 100);
        snprintf(what, sizeof what, "case %d", i);
        solve(what, s.in, &s.out, EXACT_ALONE);
        for (int u = 0; u < s.in->n_cols; u++) {
            oracle_load(o, &s.world, s.in, u);
            o->near = 2 * rounding(o, 1000);
            n_same[p.flat] += agrees_with_naive(what, o, &s.out, u, rounding(o, 0));
        }
        n_all[p.flat] += s.in->n_cols;
        n_stixels += s.out.first[s.in->n_cols];
        scene_free(&s);
    }
    print_message("as the oracle's: %d of %d flat columns, %d of %d slanted; %d stixels\n",
                  n_same[1], n_all[1], n_same[0], n_all[0], n_stixels);
    assert_true(n_same[0] > n_all[0] * 4 / 5 && n_same[1] > n_all[1] * 4 / 5);
    assert_true(n_stixels > 2 * (n_all[0] + n_all[1]));
    free(o);
}

/* ---- columns that are known ---- */

/* Road, a thing that stands on it, sky. */
static void known_columns(void **state)
{
    (void)state;
    for (int gs = 0; gs <= 1; gs++) {
        struct scene s = scene_named(gs ? "gs" : "dh", 48, 12, 3, 28, 3);
        const struct stixels_model *const m = &s.world.model;

        for (int u = 0; u < 12; u++)
            for (int v = 0; v < 48; v++) {
                const int foot = 17 + u % 6, g = v < foot ? GR : v < 30 + u ? OB : SK;

                set_px(s.in, u, v, g == SK ? 0 : m->mu_a + m->mu_b * (g == GR ? v : foot));
                for (int k = 0; k < N_GEO; k++)
                    set_probability(s.in, 0, k, u, v, k == g ? 60000 : 2700);
            }
        solve("known columns", s.in, &s.out, FLOAT_TOO);
        for (int u = 0; u < 12; u++) {
            const struct stixel *const road = &s.out.list[s.out.first[u]];
            /* dh: at 30 px an object may be 30 px off, the road only 3; a row or two above the foot is as well of the road */
            const int foot = gs ? 17 + u % 6 : road->v_top + 1;
            char expected[64];

            assert_true(abs(foot - (17 + u % 6)) <= 2);
            snprintf(expected, sizeof expected, "G%d/1 O%d/0 S%d/2", foot, 30 + u - foot,
                     18 - u);
            assert_column(gs ? "gs" : "dh", &s.out, u, expected);
            assert_near((double)road[1].a, m->mu_a + m->mu_b * (17 + u % 6), 0.2);
            assert_near((double)road[0].b, -3, 1e-3);
            assert_near((double)road[0].a, m->mu_a, 1e-2);
        }
        scene_free(&s);
    }
}

/* Streets with noise: float within what is allowed, and the totals that they had when this was written. */
static void totals_of_a_street(void **state)
{
    static const char *const golden[][2] = {
        {"dh", "315 stixels, rows 2772 1551 1821, 19162 nat"},
        {"gs", "2509 stixels, rows 4141 1319 684, 48687 nat"}};

    (void)state;
    for (int k = 0; k < N_OF(golden); k++) {
        struct scene s = scene_named(golden[k][0], 96, 64, 4, 60, 1.5);
        int rows[N_GEO] = {0};
        double energy = 0;
        char found[96];

        fill_random(s.in, 77, 5, 80);
        for (int u = 0; u < 64; u++)
            for (int v = 70 + u % 7; v < 96; v++)
                set_px(s.in, u, v, draw(7, (uint32_t)v, (uint32_t)u, 30) / 256.0);
        solve(golden[k][0], s.in, &s.out, FLOAT_TOO);
        for (int u = 0; u < 64; u++)
            energy += energy_of(&s.out, u);
        for (int i = 0; i < s.out.first[64]; i++)
            rows[s.out.list[i].geometry] += s.out.list[i].v_top - s.out.list[i].v_bottom + 1;
        snprintf(found, sizeof found, "%d stixels, rows %d %d %d, %.0f nat", s.out.first[64],
                 rows[OB], rows[GR], rows[SK], energy);
        assert_string_equal(found, golden[k][1]);
        scene_free(&s);
    }
}

/* ---- who takes what ---- */

static void variants_and_models(void **state)
{
    static const struct {
        int truncated; /* has no exact form */
        const char *variant, *arith, *refusal;
    } cases[] = {
        {0, "stixels/cubic-serial", "exact", "the references take others"},
        {0, "stixels/cubic-openmp", "float", "the references take others"},
        {0, "stixels/serial", "float", NULL},
        {1, "stixels/serial", "exact", "zg = truncated"},
        {1, "stixels/openmp", "exact", "zg = truncated"},
        {1, "stixels/openmp", "float", NULL},
    };

    (void)state;
    for (int k = 0; k < N_OF(cases); k++) {
        struct stixels_profile p = named("dh");
        struct scene s;

        p.zg = cases[k].truncated ? STIXELS_ZG_TRUNCATED : p.zg;
        s = scene_of(&p, 12, 2, 0, 8, 4);
        assert_int_equal(run_variant(cases[k].variant, cases[k].arith, 1, s.in, &s.out),
                         !cases[k].refusal);
        if (cases[k].refusal)
            assert_non_null(strstr(bench_failure(), cases[k].refusal));
        scene_free(&s);
    }
}

/* Far from both ends of the range Z_G is whole; a row of sky costs log 2 less. */
static void truncation_favours_sky(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const int sky = i % 2;
        double energy[2];

        for (int truncated = 0; truncated <= 1; truncated++) {
            struct stixels_profile p = named(i / 2 ? "dh" : "gs");
            struct scene s;

            p.log_z = 1;
            p.zg = truncated;
            p.d_max = 128;
            p.prior = STIXELS_LINEAR;
            p.sigma[SK] = 0.5;
            p.depth_uncertainty = 0.1; /* narrow, so far from both ends */
            s = scene_of(&p, 10, 1, 0, -5, 1);
            for (int v = 0; v < 10; v++)
                set_px(s.in, 0, v, sky ? 0 : 20);
            assert_true(run_variant("stixels/serial", "float", 1, s.in, &s.out));
            assert_column("far from both ends", &s.out, 0, sky ? "S10" : "O10");
            energy[truncated] = energy_of(&s.out, 0);
            scene_free(&s);
        }
        assert_near(energy[0] - energy[1], sky ? 10 * log(2) : 0, 20 / NAT);
    }
}

/* ---- work ---- */

static void work_of_flat_models(void **state)
{
    static const int heights[] = {10, 20, 40};
    const char *const pairs[] = {"arith", "exact", "model", "dh", NULL};
    const struct bench_params params = params_with(&stixels_problem, pairs);

    (void)state;
    for (int flat = 0; flat <= 1; flat++)
        for (int i = 0; i < N_OF(heights); i++) {
            const int n = heights[i];
            struct scene s = scene_named(flat ? "dh" : "gs", n, 5, 3, n / 2.0, 2);
            const void *const ins[] = {s.in}, *const outs[] = {&s.out};
            struct bench_sink sink = {0};
            struct bench_work work = {0, 0};
            int n_candidates = 0;

            fill_random(s.in, (uint64_t)n, 10, 60);
            assert_true(run_variant("stixels/serial", "exact", 1, s.in, &s.out));
            stixels_problem.count_work(s.in, &s.out, &work);
            assert_true(work.ops == 5 * 3 * (n * (n + 1) / 2)); /* h^2, not h^3 */
            assert_int_equal(measure_into_our_sink(&params, ins, outs, outs, 1, &sink),
                             BENCH_OK);
            for (int v_b = 0; v_b < n; v_b++)
                for (int v_t = v_b; v_t < n; v_t++)
                    n_candidates += 1 + (v_t < n / 2.0) + (v_b >= n / 2.0);
            assert_near(*find_value(&sink, "candidates", -1), 5.0 * n_candidates, 0);
            /* mean, weight, ground, sky and 129 disparities; else six and a count */
            assert_near(*find_value(&sink, "sums_written", -1),
                        5.0 * n * (3 + (flat ? 133 : 7)), 0);
            scene_free(&s);
        }
}

/* Frames of a batch have models of their own, and columns longer than a strip work. */
static void batches_and_long_columns(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *const model = k ? "gs" : "dh";
        struct stixels_input *in = new_input(2, 300, 3, 1, 1, 0);
        struct stixels_output both = guarded_output(in);
        struct scene s[2];

        for (int f = 0; f < 2; f++) {
            s[f] = scene_named(model, 300, 3, 0, f ? 90 : 200, f ? 0.9 : 0.4);
            fill_random(s[f].in, (uint64_t)(31 + f), 4, 70);
            in->model[f] = s[f].world.model;
            memcpy(in->disparity + 900 * f, s[f].in->disparity, 900 * sizeof *in->disparity);
            memcpy(in->confidence + 900 * f, s[f].in->confidence, 900);
        }
        solve(model, in, &both, EXACT_ALONE);
        for (int f = 0; f < 2; f++) {
            const struct stixels_output *const alone = &s[f].out;

            assert_true(run_variant("stixels/serial", "exact", 1, s[f].in, &s[f].out));
            assert_memory_equal(alone->list, both.list + both.first[3 * f],
                                (size_t)alone->first[3] * sizeof *alone->list);
            scene_free(&s[f]);
        }
        release_output(&stixels_problem, &both);
        stixels_input_free(in);
    }
}

/* Nothing measured, nothing believed, all at infinity or at hand; the horizon out of sight. */
static void nothing_to_go_by(void **state)
{
    static const double horizons[] = {-3, 0, 8.5, 15, 40};
    static const uint16_t all[] = {X, 0, 65534, 128 * PX};

    (void)state;
    for (int i = 0; i < 2 * 2 * N_OF(horizons) * N_OF(all); i++) {
        const int n_rows = i / 2 % 2 ? 16 : 1;
        struct scene s =
            scene_named(i % 2 ? "gs" : "dh", n_rows, 2, 0, horizons[i / 4 % N_OF(horizons)], 3);

        for (int j = 0; j < 2 * n_rows; j++)
            s.in->disparity[j] = all[i / (4 * N_OF(horizons))];
        solve("nothing to go by", s.in, &s.out, EXACT_ALONE);
        for (int j = 0; j < s.out.first[2]; j++)
            assert_true(fabsf(s.out.list[j].cost) < 1e6f);
        scene_free(&s);
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
        cmocka_unit_test(where_geometries_may_be),
        cmocka_unit_test(least_of_all_segmentations),
        cmocka_unit_test(against_the_naive_one),
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
