/*
 * test_stixels_general.c - models beyond b12 and b6: Pfeiffer's priors, flat stixels, top-down,
 * deviations of each stixel
 *
 * A stixel's cost is written down once more below, with nothing from the implementations,
 * stixels/fit.h or stixels/general.h, and with numbers from the preset and the camera
 * themselves: libm's logarithms, sums row by row.  It is not rounded to 1/1024 nat, so two
 * candidates that are near each other may fall either way.
 */
#include "harness/problems/stixels/float.h"
#include "harness/problems/stixels/general.h"
#include "tests/stixels_oracle.h"

/* ---- logarithms ---- */

TEST(logs_of_lengths_and_normalisers)
{
    for (double px = 1 / 256.0; px < 600; px *= 1.01)
        assert_near(stixels_log_px(px) / NAT, log(floor(px * 256 + 0.5) / 256), 1.1 / NAT);
    assert_int_equal(stixels_log_px(0), stixels_log_px(1 / 256.0)); /* the least there is */
    assert_int_equal(stixels_log_px(-5), stixels_log_px(0));
    for (double sigma2 = 1e-6; sigma2 < 1e29; sigma2 *= 1.003) /* as far as a camera may go */
        assert_near(stixels_log_z(sigma2) / NAT, 0.5 * log(acos(-1.0) * sigma2),
                    (sigma2 > 1e-3 && sigma2 < 2e4 ? 1.1 : 3) / NAT);
}

/* ---- models ---- */

/* A model by its preset, on a road of our own; an input of blocks of one pixel; an output. */
struct world {
    struct stixels_preset preset;
    struct camera camera;
    struct example e;
};

/*
 * The camera that sees 0 px at row 'horizon' and 'slope' px less for each row of 8 px upwards.
 * The first class is an object's, then follow ground's, sky's, and round again.
 */
static struct world world_of(const struct stixels_preset *preset, int n_rows, int n_cols,
                             int n_classes, double horizon, double slope)
{
    struct world w = {.preset = *preset};
    struct stixels_model *model;

    w.camera = (struct camera){.fx_px = 700, .fy_px = 700, .baseline_m = 0.6};
    w.camera.height_m = 8 * w.camera.baseline_m / slope;
    w.camera.cy_px = 8 * (n_rows - 1 - horizon) + (preset->half_block ? 3.5 : 0);
    w.e = EXAMPLE(.n_rows = n_rows, .n_cols = n_cols, .n_classes = n_classes);
    model = w.e.in->model;
    *model = model_of(preset, &w.camera, 8, n_rows, n_classes);
    for (int k = 0; k < n_classes; k++)
        model->geometry_of[k] = k % N_GEO;
    return w;
}

static struct world world_named(const char *model, int n_rows, int n_cols, int n_classes,
                                double horizon, double slope)
{
    const struct stixels_preset p = named(model);

    return world_of(&p, n_rows, n_cols, n_classes, horizon, slope);
}

/* ---- what a stixel costs ---- */

/* Loads a column as oracle_load(), but with the preset's numbers for the model's. */
static void load_world(struct oracle *o, const struct world *world, int u)
{
    const struct stixels_input *const in = world->e.in;
    const struct stixels_preset *const p = &world->preset;

    oracle_load(o, in, u);
    assert_int_equal(o->model->weight_squared, p->weight_squared);
    assert_int_equal(o->pfeiffer, p->prior == STIXELS_PFEIFFER);
    assert_int_equal(o->top_down, p->direction == STIXELS_TOP_DOWN);
    o->world = world;
    o->lam_a = p->s_a > 0 ? pow(p->sigma[GR] / p->s_a, 2) : 0;
    o->lam_b = p->s_b > 0 ? pow(p->sigma[GR] / p->s_b, 2) : 0;
    for (o->horizon = -1;
         o->horizon + 1 < in->n_rows && o->model->mu_a + o->model->mu_b * (o->horizon + 1) > 0;)
        o->horizon++;
}

/* The most that rounding to 1/1024 nat does: 1/2 for a row, its class, a stixel's logs. */
static double rounding(const struct oracle *o, double energy)
{
    return o->n_rows * (3 + o->world->preset.weight_semantic) / NAT + 1e-6 * fabs(energy);
}

static double road_at(const struct oracle *o, int v)
{
    return o->model->mu_a + o->model->mu_b * v;
}

/* By the design's formulas, from the preset and the camera. */
static double oracle_sigma(const struct oracle *o, int g, int v, double d)
{
    const struct stixels_preset *const p = &o->world->preset;
    const struct camera *const c = &o->world->camera;
    const double fb = c->fx_px * c->baseline_m;

    if (p->sigma_rule == STIXELS_SIGMA_CLASS || g == SK)
        return p->sigma[g];
    if (g == GR)
        return sqrt(pow(p->sigma[GR], 2) + pow(fb / c->height_m * p->sigma_alpha, 2) +
                    pow(fmax(road_at(o, v), 0) / c->height_m * p->sigma_height, 2));
    return hypot(p->sigma[OB], d * d * p->depth_uncertainty / fb);
}

/* -log of the normal density's factor; where zg = truncated, of its part in the range. */
static double oracle_log_z(const struct oracle *o, double sigma, double d)
{
    const struct stixels_preset *const p = &o->world->preset;
    const double at = fmin(fmax(d, 0), p->d_max);
    const double share = (erf((p->d_max - at) / sigma) + erf(at / sigma)) / 2;

    if (!p->log_z)
        return 0;
    return log(sigma) + 0.5 * log(acos(-1.0)) +
           (p->zg == STIXELS_ZG_TRUNCATED ? log(share) : 0);
}

/* A row that costs 'fit' with a disparity, and 'perfect' with one that the stixel fits. */
static double oracle_row(const struct oracle *o, int g, int v, double fit, double perfect)
{
    const struct stixels_preset *const p = &o->world->preset;
    const double share = 3 * p->p_geometry_given_invalid[g] * p->p_invalid; /* without one */

    if (o->cell[v].valid)
        return fit - (p->invalid == 1 ? log(1 - share) : 0);
    return p->invalid == 0 ? perfect : p->invalid == 1 && share > 0 ? -log(share) : 0;
}

/* Eq. 6, about the plane or, in a flat model, the road or a whole disparity. */
static double oracle_mixture(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_preset *const p = &o->world->preset;
    const double uniform = p->p_out[g] / p->d_max;
    double whole, energy = 0;

    if (!p->flat)
        energy = (double)oracle_squares(o, g, v_b, v_b - 1, fit) / pow(p->sigma[g], 2);
    if (p->flat && g == GR) {
        fit->a = road_at(o, 0);
        fit->b = o->model->mu_b;
    }
    whole = fmin(floor((double)fit->a + 0.5), floor(p->d_max));
    fit->half = fabsl(fit->a + 0.5L - floorl(fit->a + 1)) < 1e-6L;
    for (int v = v_b; v <= v_t; v++) {
        const double d = !p->flat || g == GR ? (double)(fit->b * v + fit->a)
                         : g == OB           ? whole
                                             : 0;
        const double sigma = oracle_sigma(o, g, v, d), r = ((double)o->cell[v].px - d) / sigma;
        const double top = (1 - p->p_out[g]) * exp(-oracle_log_z(o, sigma, d));
        const double bell = top * exp(-(double)o->cell[v].w * r * r);
        const int least = p->data_term == STIXELS_E6_MIN;

        energy += oracle_row(o, g, v, -log(least ? fmax(uniform, bell) : uniform + bell),
                             -log(least ? fmax(uniform, top) : uniform + top));
    }
    return energy;
}

static double oracle_gauss(const struct oracle *o, int g, int v_b, int v_t,
                           const struct fit *fit)
{
    const double sigma = oracle_sigma(o, g, v_b, (double)fit->a);
    const double log_z = oracle_log_z(o, sigma, (double)(fit->b * (v_b + v_t) / 2 + fit->a));
    double energy = (double)oracle_squares(o, g, v_b, v_t, fit) / (sigma * sigma);

    for (int v = v_b; v <= v_t; v++)
        energy += oracle_row(o, g, v, log_z, log_z);
    return energy;
}

static real oracle_own(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_preset *const p = &o->world->preset;
    double energy = p->plane[g] + p->beta_mc;

    oracle_plane(o, g, v_b, v_t, fit);
    energy += p->data_term == STIXELS_E12 ? oracle_gauss(o, g, v_b, v_t, fit)
                                          : oracle_mixture(o, g, v_b, v_t, fit);
    energy += p->weight_semantic * (double)oracle_class(o, g, v_b, v_t, &fit->semantic);
    if (v_b == 0 && o->pfeiffer)
        energy +=
            log(o->n_rows) + (v_t <= o->horizon ? log(2) : 0) + (g == OB ? log(p->d_max) : 0);
    return energy;
}

static double oracle_pfeiffer(const struct oracle *o, int lower, int upper, int k,
                              double d_lower, double d_upper)
{
    const struct stixels_preset *const p = &o->world->preset;
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

/* 20 rows; road 40 - 4 v, horizon (last row above 0 px) 9: at every row each geometry on each,
 * objects at all half pixels of a range, so also as far apart as epsilon to the last bit.
 * Lengths are rounded to 1/256 px. */
TEST(pfeiffer_by_definition)
{
    static struct oracle o;
    const struct world w = world_named("dh", 20, 1, 0, 10, 4);

    load_world(&o, &w, 0);
    assert_int_equal(o.horizon, 9);
    for (int i = 0; i < 9 * 19 * 80 * 80; i++) {
        const int lower = i % 3, upper = i / 3 % 3, k = 1 + i / 9 % 19;
        const double d_lower = i / 171 % 80 / 2.0, d_upper = i / 171 / 80 / 2.0;
        const double expected = oracle_pfeiffer(&o, lower, upper, k, d_lower, d_upper);
        int allowed = -1;
        const double cost =
            stixels_pfeiffer(o.model, lower, upper, k, 20, d_lower, d_upper, &allowed) / NAT;

        if (allowed != (expected >= 0) || (allowed && !(fabs(cost - expected) <= 0.01)))
            fail_msg("%d on %d at row %d, %g on %g px: allowed %d, %.6f, expected %.6f", upper,
                     lower, k, d_upper, d_lower, allowed, cost, expected);
    }
}

/* ---- against the naive dynamic programming ---- */

static int run_named(const char *variant, const char *arith, struct example e)
{
    return run_variant(bench_find_impl(variant), arith, e);
}

/* Presets of all kinds; 'i' says which: 0 and 1 dh and gs, 2 and 3 those of the fast path. */
static struct stixels_preset kind_of_preset(int i, uint64_t seed)
{
    static const char *const names[] = {"dh", "gs", "b6", "b12"};
    struct stixels_preset p = named(names[i < 4 ? i : i % 2]);

    if (i < 2)
        return p;
    p.weight_squared = (int)draw(seed, 9, 9, i < 4 ? 2 : 3);
    p.invalid = (int)draw(seed, 10, 9, 3);
    p.p_invalid = 0.2;
    p.plane[GR] = -0.5;
    p.plane[SK] = 0.5;
    if (i < 4) {
        p.sigma[OB] = 1.25;
        p.s_a = seed % 2 ? 2 : 0;
        p.s_b = 3;
        p.log_z = i == 2 || draw(seed, 12, 9, 2);
        return p;
    }
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
    p.direction = (int)draw(seed, 11, 9, 2);
    if (i % 8 == 5 || i == 20) /* for float alone, to which Pfeiffer's steps are too steep */
        p.zg = STIXELS_ZG_TRUNCATED;
    return p;
}

TEST(against_the_naive_one)
{
    static struct oracle o;
    int n_same[2] = {0, 0}, n_all[2] = {0, 0}, n_stixels = 0;

    for (int i = 0; i < 96; i++) {
        const uint64_t seed = (uint64_t)(4000 + i);
        const struct stixels_preset p = kind_of_preset(i % 24, seed);
        const int n_rows = 1 + (int)draw(seed, 1, 1, 12);
        struct world w = world_of(&p, n_rows, 12, i % 3 ? 3 : 0,
                                  between(seed, 2, -2, n_rows + 4), between(seed, 3, 0.5, 8));
        char what[64];

        if (i % 4 == 3)
            fill_street(w.e.in, seed, i % 5 < 2 ? 25 : 0);
        else
            fill_noise(w.e.in, seed, i % 5 < 2 ? 25 : 0);
        snprintf(what, sizeof what, "case %d", i);
        if (p.zg == STIXELS_ZG_SIMPLE)
            check_variants(what, w.e, EXACT_ALONE);
        else
            assert_true(run_named(i % 3 ? "stixels/openmp" : "stixels/serial", "float", w.e));
        for (int u = 0; u < w.e.in->n_cols; u++) {
            load_world(&o, &w, u);
            o.near = 2 * rounding(&o, 1000);
            n_same[p.flat] += agrees_with_naive(what, &o, w.e.out, u, rounding(&o, 0));
        }
        n_all[p.flat] += w.e.in->n_cols;
        n_stixels += w.e.out->first[w.e.in->n_cols];
    }
    print_message("as the oracle's: %d of %d flat columns, %d of %d slanted; %d stixels\n",
                  n_same[1], n_all[1], n_same[0], n_all[0], n_stixels);
    assert_true(n_same[0] > n_all[0] * 4 / 5 && n_same[1] > n_all[1] * 4 / 5);
    assert_true(n_stixels > 2 * (n_all[0] + n_all[1]));
}

/* ---- who takes what ---- */

/* Each option by itself takes a model away from the fast path. */
TEST(variants_and_models)
{
    /* of a model whose Z_G is cut off, which has no exact form, what is refused */
    static const char *const cases[][3] = {
        {"stixels/serial", "exact", "zg = truncated"}, {"stixels/serial", "float", NULL},
        {"stixels/openmp", "exact", "zg = truncated"}, {"stixels/openmp", "float", NULL},
        {"stixels/cubic-serial", "exact", ""},         {"stixels/cubic-openmp", "float", ""},
    };

    for (int i = 0; i < 6 * N_OF(cases); i++) {
        const int option = i / N_OF(cases), k = i % N_OF(cases);
        struct stixels_preset p = named("b12");
        const char *refusal;
        struct world w;

        p.prior = option == 0;
        p.direction = option == 1;
        p.sigma_rule = option == 2;
        p.zg = option == 3;
        p.weight_squared = option == 4 ? STIXELS_WEIGHT_NONE : STIXELS_WEIGHT_SQUARED;
        p.flat = option == 5;
        p.data_term = option == 5 ? STIXELS_E6_MIN : STIXELS_E12;
        p.epsilon = 3;
        p.p_ord = p.p_grav = p.p_blg = 0.1;
        w = world_of(&p, 12, 2, 0, 8, 4);
        assert_true(stixels_needs_general(w.e.in->model));
        refusal = k > 3  ? p.flat ? "the references take others" : ""
                  : p.zg ? cases[k][2]
                         : NULL;
        assert_int_equal(run_named(cases[k][0], cases[k][1], w.e), !refusal);
        assert_non_null(strstr(bench_failure(), refusal ? refusal : ""));
    }
}

/* Noise in columns longer than a strip; frames of a batch have models of their own. */
TEST(batches_and_long_columns)
{
    for (int k = 0; k < 2; k++) {
        const char *const model = k ? "gs" : "dh";
        const struct example both = EXAMPLE(.n_frames = 2, .n_rows = 300, .n_cols = 3);
        struct world w[2];

        for (int f = 0; f < 2; f++) {
            w[f] = world_named(model, 300, 3, 0, f ? 90 : 200, f ? 0.9 : 0.4);
            fill_street(w[f].e.in, (uint64_t)(31 + f), 4);
            both.in->model[f] = w[f].e.in->model[0];
            memcpy(both.in->disparity + 900 * f, w[f].e.in->disparity,
                   900 * sizeof *both.in->disparity);
            memcpy(both.in->confidence + 900 * f, w[f].e.in->confidence, 900);
        }
        check_variants(model, both, EXACT_AND_FLOAT);
        for (int f = 0; f < 2; f++) {
            const struct stixels_output *const alone = w[f].e.out;

            run_reference(w[f].e);
            assert_memory_equal(alone->list, both.out->list + both.out->first[3 * f],
                                (size_t)alone->first[3] * sizeof *alone->list);
        }
    }
}

/* Nothing measured, nothing believed, all at infinity or at hand; the horizon out of sight. */
TEST(nothing_to_go_by)
{
    static const double horizons[] = {-3, 0, 8.5, 15, 40};
    static const uint16_t all[] = {X, 0, 65534, 128 * PX};

    for (int i = 0; i < 2 * 2 * N_OF(horizons) * N_OF(all); i++) {
        const int n_rows = i / 2 % 2 ? 16 : 1;
        struct world w =
            world_named(i % 2 ? "gs" : "dh", n_rows, 2, 0, horizons[i / 4 % N_OF(horizons)], 3);

        for (int j = 0; j < 2 * n_rows; j++)
            w.e.in->disparity[j] = all[i / (4 * N_OF(horizons))];
        check_variants("nothing to go by", w.e, EXACT_ALONE);
        for (int j = 0; j < w.e.out->first[2]; j++)
            assert_true(fabsf(w.e.out->list[j].cost) < 1e6f);
    }
}
