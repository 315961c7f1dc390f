/*
 * test_stixels_problem.c - the problem stixels without any variant: named models, what a camera makes of them, inputs
 * made of frames, the comparison against hand-made wrong outputs, the dense images
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/problems/stixels/stixels.h"
#include "harness/inputs/plane.h"
#include "harness/inputs/scene.h"
#include "harness/inputs/semantic.h"
#include "tests/stixels_city.h"
#include "tests/support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X           STIXELS_INVALID
#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define NAT         1024.0 /* units of the integer constants */

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.9g, expected %.9g within %g", found, expected, tolerance);
}

static void assert_says(const char *part)
{
    if (!strstr(bench_failure(), part))
        fail_msg("expected '%s' in '%s'", part, bench_failure());
}

/* ---- named models ---- */

/* A model of our own, no number of which is that of another key. */
static const char *const model_lines[] = {
    "data_term = e6-min",
    "weight = plain",
    "half_block = no",
    "invalid = pfeiffer",
    "log_z = yes",
    "sigma_object = 1.25",
    "sigma_ground = 1.5",
    "sigma_sky = 2.5",
    "p_out_object = 0.11",
    "p_out_ground = 0.12",
    "p_out_sky = 0.13",
    "d_max = 99",
    "p_invalid = 0.2",
    "p_object_given_invalid = 0.25",
    "p_ground_given_invalid = 0.35",
    "p_sky_given_invalid = 0.4",
    "s_a = 3",
    "s_b = 4",
    "plane_object = -5",
    "plane_ground = 6",
    "plane_sky = 7",
    "weight_semantic = 0.75",
    "beta_mc = 8",
    "gap_alpha = 9",
    "gap_beta = 10",
    "behind_alpha = 11",
    "behind_beta = 12",
    "hovering_alpha = 13",
    "hovering_beta = 14",
    "ordering_alpha = 15",
    "ordering_beta = 16",
    "ground_classes = 0 1\t31",
    "sky_classes = 10",
    "void_classes = none",
};

#define N_LINES N_OF(model_lines)

/* The lines with one of them replaced (NULL: left out) and one added behind (NULL: none). */
static void model_text(int replaced, const char *by, const char *added, char text[4096])
{
    size_t n = 0;

    text[0] = '\0';
    for (int i = 0; i < N_LINES; i++) {
        const char *line = i == replaced ? by : model_lines[i];

        if (line)
            n += (size_t)snprintf(text + n, 4096 - n, "%s\n", line);
    }
    if (added)
        snprintf(text + n, 4096 - n, "%s\n", added);
}

static int line_of(const char *key)
{
    for (int i = 0; i < N_LINES; i++)
        if (!strncmp(model_lines[i], key, strlen(key)) && model_lines[i][strlen(key)] == ' ')
            return i;
    fail_msg("the tests' model has no %s", key);
    return -1;
}

static enum bench_status parse(const char *text, struct stixels_profile *profile)
{
    memset(profile, 0xA5, sizeof *profile);
    return stixels_profile_parse(text, strlen(text), "models/own.ini", profile);
}

static void assert_own_model(const struct stixels_profile *p)
{
    assert_string_equal(p->name, "own");
    assert_int_equal(p->data_term, STIXELS_E6_MIN);
    assert_int_equal(p->weight_squared, 0);
    assert_int_equal(p->half_block, 0);
    assert_int_equal(p->invalid, 1);
    assert_int_equal(p->log_z, 1);
    assert_true(p->sigma[STIXELS_OBJECT] == 1.25 && p->sigma[STIXELS_GROUND] == 1.5 &&
                p->sigma[STIXELS_SKY] == 2.5);
    assert_true(p->p_out[STIXELS_OBJECT] == 0.11 && p->p_out[STIXELS_GROUND] == 0.12 &&
                p->p_out[STIXELS_SKY] == 0.13);
    assert_true(p->d_max == 99 && p->p_invalid == 0.2);
    assert_true(p->p_geometry_given_invalid[STIXELS_OBJECT] == 0.25 &&
                p->p_geometry_given_invalid[STIXELS_GROUND] == 0.35 &&
                p->p_geometry_given_invalid[STIXELS_SKY] == 0.4);
    assert_true(p->s_a == 3 && p->s_b == 4);
    assert_true(p->plane[STIXELS_OBJECT] == -5 && p->plane[STIXELS_GROUND] == 6 &&
                p->plane[STIXELS_SKY] == 7);
    assert_true(p->weight_semantic == 0.75 && p->beta_mc == 8);
    assert_true(p->gap_alpha == 9 && p->gap_beta == 10);
    assert_true(p->behind_alpha == 11 && p->behind_beta == 12);
    assert_true(p->hovering_alpha == 13 && p->hovering_beta == 14);
    assert_true(p->ordering_alpha == 15 && p->ordering_beta == 16);
    assert_int_equal(p->ground_classes, 0x80000003);
    assert_int_equal(p->sky_classes, 1 << 10);
    assert_int_equal(p->void_classes, 0);
}

static void every_key_has_its_place(void **state)
{
    struct stixels_profile profile;
    char text[4096];

    (void)state;
    model_text(-1, NULL, NULL, text);
    assert_int_equal(parse(text, &profile), BENCH_OK);
    assert_own_model(&profile);
}

static void a_decimal_comma_changes_nothing(void **state)
{
    struct stixels_profile profile;
    char text[4096];

    (void)state;
    if (!support_comma_locale())
        skip();
    model_text(-1, NULL, NULL, text);
    assert_int_equal(parse(text, &profile), BENCH_OK);
    setlocale(LC_ALL, "C");
    assert_own_model(&profile);
}

static void assert_refused(const char *text, const char *sentence)
{
    static const struct stixels_profile empty;
    struct stixels_profile profile;

    bench_failure_clear();
    if (parse(text, &profile) != BENCH_EINPUT)
        fail_msg("accepted, expected '%s'", sentence);
    assert_says(sentence);
    assert_int_equal(strncmp(bench_failure(), "models/own.ini:", 15), 0);
    assert_memory_equal(&profile, &empty, sizeof profile);
}

static void no_key_may_be_missing(void **state)
{
    (void)state;
    for (int i = 0; i < N_LINES; i++) {
        char text[4096], key[64];

        model_text(i, NULL, NULL, text);
        snprintf(key, sizeof key, "'%.*s'", (int)strcspn(model_lines[i], " "), model_lines[i]);
        assert_refused(text, key);
    }
}

static void no_key_may_be_there_twice(void **state)
{
    (void)state;
    for (int i = 0; i < N_LINES; i++) {
        char text[4096], place[64];

        model_text(-1, NULL, model_lines[i], text);
        snprintf(place, sizeof place, "own.ini:%d:", N_LINES + 1);
        assert_refused(text, place);
    }
}

static void impossible_values_are_named(void **state)
{
    static const struct {
        const char *key, *line, *sentence;
    } wrong[] = {
        {"data_term", "data_term = e13", "data_term: expected one of e12|e6|e6-min"},
        {"weight", "weight = 2", "weight: expected one of squared|plain|none"},
        {"invalid", "invalid = none", "invalid: expected one of literal|pfeiffer|zero"},
        {"log_z", "log_z = 1", "log_z: expected one of yes|no"},
        {"sigma_ground", "sigma_ground = 0", "sigma_ground: expected a decimal number from"},
        {"sigma_ground", "sigma_ground = -1", "expected a decimal number"},
        {"sigma_ground", "sigma_ground = nan", "expected a decimal number"},
        {"sigma_sky", "sigma_sky = inf", "expected a decimal number"},
        {"sigma_sky", "sigma_sky = 1,5", "found '1,5'"},
        {"sigma_sky", "sigma_sky = 1e999", "expected a decimal number"},
        {"sigma_object", "sigma_object =", "expected a decimal number"},
        {"p_out_sky", "p_out_sky = 1", "p_out_sky"},
        {"p_out_sky", "p_out_sky = 0", "p_out_sky"},
        {"d_max", "d_max = 0.5", "d_max"},
        {"beta_mc", "beta_mc = -1", "beta_mc"},
        {"ordering_beta", "ordering_beta = 1e5", "ordering_beta"},
        {"s_a", "s_a = 1e-9", "at least 0.001"},
        {"s_b", "s_b = 0.0009", "at least 0.001"},
        {"log_z", "log_z = no", "cannot leave Z_G out"},
        {"p_object_given_invalid", "p_object_given_invalid = 0.3", "add up to 1"},
        {"p_invalid", "p_invalid = 0.9", "at most 0.999"},
        {"p_invalid", "p_invalid = 1e-5", "at least 0.0001"},
        {"p_invalid", "p_invalid = -1", "p_invalid: expected a decimal number"},
        {"ground_classes", "ground_classes = 0 32", "found '32'"},
        {"ground_classes", "ground_classes = 0,1", "found '0,1'"},
        {"ground_classes", "ground_classes = -1", "found '-1'"},
        {"ground_classes", "ground_classes = 4294967296", "found '4294967296'"},
        {"ground_classes", "ground_classes = 1.0", "found '1.0'"},
        {"ground_classes", "ground_classes = road", "found 'road'"},
        {"ground_classes", "ground_classes = 3 none", "found 'none'"},
        {"ground_classes", "ground_classes = 3 4 3", "class 3 is there twice"},
        {"ground_classes", "ground_classes =", "expected none, or a list"},
        {"sky_classes", "sky_classes = 9 1", "among ground_classes"},
        {"void_classes", "void_classes = 10", "among ground_classes or sky_classes"},
        {"void_classes", "void_classes = 31", "among ground_classes or sky_classes"},
    };

    (void)state;
    for (int i = 0; i < N_OF(wrong); i++) {
        const int line = line_of(wrong[i].key);
        char text[4096], place[64];

        model_text(line, wrong[i].line, NULL, text);
        assert_refused(text, wrong[i].sentence);
        snprintf(place, sizeof place, "own.ini:%d: ", line + 1);
        assert_says(place);
    }
}

/* Keys that a model may have; what others then ask for. */
static void options_of_a_model(void **state)
{
    static const char pfeiffer[] = "prior = pfeiffer\nflat = yes\nepsilon = 2.5\np_ord = 0.21\n"
                                   "p_grav = 0.22\np_blg = 0.23\nordering_range = 24";
    static const char stixel[] = "direction = top_down\nsigma_rule = stixel\nflat = yes\n"
                                 "zg = truncated\nsigma_alpha = 0.25\nsigma_height = 0.26\n"
                                 "depth_uncertainty = 27";
    struct stixels_profile p;
    char text[4096];

    (void)state;
    model_text(-1, NULL, NULL, text); /* none: as b12 and b6 */
    assert_int_equal(parse(text, &p), BENCH_OK);
    assert_true(p.prior == STIXELS_LINEAR && p.direction == STIXELS_BOTTOM_UP && !p.flat &&
                p.sigma_rule == STIXELS_SIGMA_CLASS && p.zg == STIXELS_ZG_SIMPLE);
    assert_true(p.epsilon == 0 && p.sigma_alpha == 0 && p.ordering_range == 0);
    model_text(-1, NULL, pfeiffer, text);
    assert_int_equal(parse(text, &p), BENCH_OK);
    assert_true(p.prior == STIXELS_PFEIFFER && p.flat == 1 && p.epsilon == 2.5 &&
                p.p_ord == 0.21 && p.p_grav == 0.22 && p.p_blg == 0.23 &&
                p.ordering_range == 24);
    model_text(-1, NULL, stixel, text);
    assert_int_equal(parse(text, &p), BENCH_OK);
    assert_true(p.direction == STIXELS_TOP_DOWN && p.sigma_rule == STIXELS_SIGMA_STIXEL &&
                p.zg == STIXELS_ZG_TRUNCATED && p.sigma_alpha == 0.25 &&
                p.sigma_height == 0.26 && p.depth_uncertainty == 27);
    model_text(line_of("weight"), "weight = none", "flat = yes", text);
    assert_int_equal(parse(text, &p), BENCH_OK);
    assert_int_equal(p.weight_squared, STIXELS_WEIGHT_NONE);
    model_text(line_of("p_invalid"), "p_invalid = 0", NULL, text);
    assert_int_equal(parse(text, &p), BENCH_OK);
}

static void options_that_do_not_go_together(void **state)
{
    static const struct {
        const char *key, *line, *added, *sentence; /* the line of 'key' replaced */
    } wrong[] = {
        {"d_max", "d_max = 99", "prior = pfeifer", "prior: expected one of linear|pfeiffer"},
        {"d_max", "d_max = 99", "flat = 1", "flat: expected one of yes|no"},
        {"d_max", "d_max = 99", "direction = up", "expected one of bottom_up|top_down"},
        {"d_max", "d_max = 99", "sigma_rule = row", "expected one of class|stixel"},
        {"d_max", "d_max = 99", "zg = cut", "expected one of simple|truncated"},
        {"d_max", "d_max = 99", "epsilon = 0", "epsilon: expected a decimal number from"},
        {"d_max", "d_max = 99", "p_ord = 1", "p_ord"},
        {"d_max", "d_max = 99", "sigma_alfa = 1", "did you mean 'sigma_alpha'?"},
        {"d_max", "d_max = 99", "flat = yes\nprior = pfeiffer\nepsilon = 1",
         "key 'p_ord' must be given where prior = pfeiffer"},
        {"d_max", "d_max = 99", "flat = yes\nsigma_rule = stixel\nsigma_alpha = 0",
         "key 'sigma_height' must be given where sigma_rule = stixel"},
        {"data_term", "data_term = e12", "flat = yes", "expected data_term = e6 or e6-min"},
        {"d_max", "d_max = 99", "direction = top_down", "slanted stixels of eq. 6"},
        {"d_max", "d_max = 99", "zg = truncated", "slanted stixels of eq. 6"},
        {"weight", "weight = none", "flat = no", "slanted stixels of eq. 6"},
        {"d_max", "d_max = 2",
         "flat = yes\nprior = pfeiffer\nepsilon = 2\np_ord = 0.1\np_grav = 0.1\n"
         "p_blg = 0.1\nordering_range = 1",
         "less than d_max"},
        {"d_max", "d_max = 99",
         "flat = yes\nprior = pfeiffer\nepsilon = 2\np_ord = 0.1\np_grav = 0.6\n"
         "p_blg = 0.4\nordering_range = 1",
         "p_grav + p_blg below 1"},
    };
    char text[4096];

    (void)state;
    for (int i = 0; i < N_OF(wrong); i++) {
        model_text(line_of(wrong[i].key), wrong[i].line, wrong[i].added, text);
        assert_refused(text, wrong[i].sentence);
    }
    /* eq. 12 alone can do without Z_G, and then nothing is left to cut off */
    model_text(line_of("data_term"), "data_term = e12", "zg = truncated", text);
    memcpy(strstr(text, "log_z = yes"), "log_z = no ", 11);
    assert_refused(text, "there is no Z_G with log_z = no");
}

static void unknown_keys_name_the_nearest(void **state)
{
    char text[4096];

    (void)state;
    model_text(-1, NULL, "sigma_grund = 1", text);
    assert_refused(text, "'sigma_grund'; did you mean 'sigma_ground'?");
    model_text(-1, NULL, "sky_class = 1", text);
    assert_refused(text, "did you mean 'sky_classes'?");
    model_text(-1, NULL, "something_else_altogether = 1", text);
    assert_refused(text, "no key 'something_else_altogether'");
    assert_null(strstr(bench_failure(), "did you mean"));
    model_text(-1, NULL, "[more]\nsigma_sky = 1", text);
    assert_refused(text, "no sections, found [more]");
    assert_refused("", "must be given");
}

static void a_name_must_fit(void **state)
{
    static const char path[] = "models/a-name-of-a-model-that-is-too-long.ini";
    struct stixels_profile profile;
    char text[4096];

    (void)state;
    model_text(-1, NULL, NULL, text);
    assert_int_equal(stixels_profile_parse(text, strlen(text), path, &profile), BENCH_EINPUT);
    assert_says("1..31 letters");
    assert_int_equal(stixels_profile_parse(text, strlen(text), "own", &profile), BENCH_OK);
    assert_string_equal(profile.name, "own");
}

static void built_in_models(void **state)
{
    static const double two_and_ones[] = {1, 1, 2}; /* object, ground, sky */
    static const double outliers[] = {0.15, 0.15, 0.4};
    struct stixels_profile b12, b6, other;
    int n = 0;

    (void)state;
    while (stixels_profile_names[n]) {
        assert_int_equal(stixels_profile_read(stixels_profile_names[n], &other), BENCH_OK);
        assert_string_equal(other.name, stixels_profile_names[n]);
        n++;
    }
    assert_true(n >= 2);
    assert_int_equal(stixels_profile_read("b12", &b12), BENCH_OK);
    assert_int_equal(stixels_profile_read("b6", &b6), BENCH_OK);
    assert_int_equal(b12.data_term, STIXELS_E12);
    assert_int_equal(b6.data_term, STIXELS_E6_SUM);
    assert_memory_equal(b12.sigma, two_and_ones, sizeof two_and_ones);
    assert_memory_equal(b6.p_out, outliers, sizeof outliers);
    assert_int_equal(b12.weight_squared, 1);
    assert_int_equal(b12.half_block, 1);
    assert_int_equal(b12.invalid, 0);
    assert_int_equal(b12.log_z, 1);
    assert_true(b12.d_max == 128 && b12.s_a == 1 && b12.s_b == 1);
    assert_true(b12.weight_semantic == 1 && b12.beta_mc == 4);
    assert_true(b12.gap_alpha == 1 && b12.gap_beta == 0);
    assert_true(b12.behind_alpha == 1 && b12.behind_beta == 1);
    assert_true(b12.hovering_alpha == 1 && b12.hovering_beta == 1);
    assert_true(b12.ordering_alpha == 1 && b12.ordering_beta == 1);
    assert_int_equal(b12.ground_classes, 1 << 0 | 1 << 1 | 1 << 9);
    assert_int_equal(b12.sky_classes, 1 << 10);
    assert_int_equal(b12.void_classes, 0);

    assert_int_equal(stixels_profile_read("dh", &other), BENCH_OK);
    assert_true(other.flat && other.data_term == STIXELS_E6_MIN &&
                other.prior == STIXELS_PFEIFFER && other.direction == STIXELS_BOTTOM_UP &&
                other.sigma_rule == STIXELS_SIGMA_STIXEL && other.zg == STIXELS_ZG_SIMPLE &&
                other.weight_squared == STIXELS_WEIGHT_NONE);
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) /* exp(-x^2), not exp(-x^2 / 2) */
        assert_near(other.sigma[g],
                    sqrt(2) * (g == STIXELS_SKY      ? 0.1
                               : g == STIXELS_GROUND ? 2
                                                     : 1),
                    1e-8);
    assert_near(other.sigma_alpha, sqrt(2) * 0.05 * acos(-1.0) / 180, 1e-9);
    assert_near(other.sigma_height, sqrt(2) * 0.05, 1e-9);
    assert_near(other.depth_uncertainty, sqrt(2) * 10.2, 1e-6);
    assert_true(other.ordering_range == 10.2 && other.epsilon == 3 && other.p_ord == 0.2 &&
                other.p_grav == 0.1 && other.p_blg == 0.04 && other.d_max == 128 &&
                other.p_invalid == 0 && other.weight_semantic == 0 && other.beta_mc == 0);
    assert_memory_equal(other.p_out, outliers, sizeof outliers);

    assert_int_equal(stixels_profile_read("gs", &other), BENCH_OK);
    assert_true(!other.flat && other.data_term == STIXELS_E12 &&
                other.prior == STIXELS_LINEAR && other.direction == STIXELS_TOP_DOWN &&
                other.sigma_rule == STIXELS_SIGMA_STIXEL && !other.log_z && !other.half_block &&
                other.invalid == 2 && other.weight_squared == STIXELS_WEIGHT_PLAIN);
    assert_memory_equal(other.sigma, two_and_ones, sizeof two_and_ones);
    assert_true(other.sigma_alpha == 0.005 && other.sigma_height == 0.05 &&
                other.depth_uncertainty == 0.3 && other.s_a == 1 && other.s_b == 1 &&
                other.beta_mc == b12.beta_mc && other.ordering_beta == b12.ordering_beta);

    b6.data_term = b12.data_term; /* the one difference */
    memcpy(b6.name, b12.name, sizeof b6.name);
    assert_memory_equal(&b6, &b12, sizeof b6);
}

static void models_in_files(void **state)
{
    struct stixels_profile profile;
    char folder[512], path[600], text[4096];
    FILE *file;

    (void)state;
    assert_int_equal(stixels_profile_read("b13", &profile), BENCH_EINPUT);
    assert_says("b12, b6, ");
    assert_says("'b13'");
    assert_int_equal(profile.name[0], 0);
    assert_int_equal(stixels_profile_read("", &profile), BENCH_EINPUT);
    assert_int_equal(stixels_profile_read(".ini", &profile), BENCH_EINPUT);

    snprintf(folder, sizeof folder, "%s/stixels_problem", support_place());
    support_remove(folder);
    mkdir(support_place(), 0777);
    assert_int_equal(mkdir(folder, 0777), 0);
    snprintf(path, sizeof path, "%s/own.ini", folder);
    assert_int_equal(stixels_profile_read(path, &profile), BENCH_EIO);
    assert_says(path);
    model_text(-1, NULL, NULL, text);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(stixels_profile_read(path, &profile), BENCH_OK);
    assert_own_model(&profile);
    support_remove(folder);
}

/* ---- what a camera makes of a model ---- */

static struct stixels_model model_of(const struct stixels_profile *profile,
                                     const struct camera *camera, int block_rows, int n_rows)
{
    struct stixels_model model;

    memset(&model, 0xA5, sizeof model);
    assert_int_equal(
        stixels_model_make(profile, camera, "frame", block_rows, n_rows, 19, &model), BENCH_OK);
    return model;
}

/* The expected disparity at block row j from the top. */
static double ground_at(const struct stixels_model *model, int n_rows, int j)
{
    return model->mu_b * (n_rows - 1 - j) + model->mu_a;
}

static void ground_of_a_camera(void **state)
{
    struct stixels_profile b12 = named("b12");
    struct stixels_model model = model_of(&b12, &city, 1, 1024);
    struct camera camera = city;

    (void)state;
    assert_near(model.mu_b, -0.17144, 5e-6);
    assert_near(ground_at(&model, 1024, 0), -73.227, 5e-4);
    assert_near(ground_at(&model, 1024, 0) / model.mu_b, 427.1, 0.05); /* image row of 0 px */
    assert_int_equal(model.horizon, 1023 - 428);
    assert_true(ground_at(&model, 1024, 428) > 0 && ground_at(&model, 1024, 427) < 0);

    /* a point on the road, Z ahead: by its image row, and by fx B / Z */
    for (double z = 5; z < 200; z *= 2) {
        const double y = city.height_m * cos(city.pitch_rad) - z * sin(city.pitch_rad);
        const double depth = city.height_m * sin(city.pitch_rad) + z * cos(city.pitch_rad);
        const double row = city.cy_px + city.fy_px * y / depth;

        assert_near(model.mu_b * (1023 - row) + model.mu_a,
                    city.fx_px * city.baseline_m / depth, 1e-9);
    }

    camera.fy_px = 0; /* means fx */
    assert_true(model_of(&b12, &camera, 1, 1024).mu_a == model.mu_a);
    camera.fy_px = city.fx_px / 2; /* rows twice as high: half as many to the horizon */
    camera.pitch_rad = 0;
    model = model_of(&b12, &camera, 1, 1024);
    assert_near(model.mu_b, -2 * city.baseline_m / city.height_m, 1e-12);
    assert_near(ground_at(&model, 1024, 0) / model.mu_b, city.cy_px, 1e-9);
    camera.fy_px = city.fy_px;
    camera.pitch_rad = -0.3; /* looks up */
    model = model_of(&b12, &camera, 1, 1024);
    assert_near(ground_at(&model, 1024, 0) / model.mu_b, city.cy_px - city.fy_px * tan(-0.3),
                1e-8);
}

static void ground_of_block_rows(void **state)
{
    static const struct {
        int block_rows, n_rows;
        double bias_px;
    } cases[] = {{8, 128, 0.60}, {4, 256, 0.26}, {1, 1024, 0}, {16, 64, 1.286}};
    struct stixels_profile with = named("b12"), without = with;

    (void)state;
    without.half_block = 0;
    for (int i = 0; i < N_OF(cases); i++) {
        const int s = cases[i].block_rows, n = cases[i].n_rows;
        const struct stixels_model right = model_of(&with, &city, s, n);
        const struct stixels_model shifted = model_of(&without, &city, s, n);

        assert_near(right.mu_b, -0.17144 * s, 1e-5 * s);
        for (int j = 0; j < n; j += n / 8) /* the mean of the block's rows is at its centre */
            assert_near(ground_at(&right, n, j), 0.171444 * (j * s + (s - 1) / 2.0) - 73.227,
                        0.003);
        assert_near(right.mu_a - shifted.mu_a, cases[i].bias_px, 0.005);
        assert_true(right.mu_b == shifted.mu_b);
    }

    /* rows cut off at the bottom change nothing above: v counts from the last row that is left */
    for (int n = 60; n <= 64; n++) {
        const struct stixels_model model = model_of(&with, &city, 16, n);
        const struct stixels_model whole = model_of(&with, &city, 16, 64);

        assert_near(ground_at(&model, n, 7), ground_at(&whole, 64, 7), 1e-10);
        assert_int_equal(model.horizon, whole.horizon - (64 - n));
    }
}

static void horizons(void **state)
{
    struct stixels_profile b12 = named("b12");
    struct camera camera = city;

    (void)state;
    camera.pitch_rad = 0;
    camera.cy_px = -10;
    assert_int_equal(model_of(&b12, &camera, 8, 50).horizon, 50); /* road up to the top */
    camera.cy_px = 399.5;                                         /* just below the last row */
    assert_int_equal(model_of(&b12, &camera, 8, 50).horizon, -1);
    camera.cy_px = 396; /* row 49's centre is 395.5 */
    assert_int_equal(model_of(&b12, &camera, 8, 50).horizon, -1);
    camera.cy_px = 395;
    assert_int_equal(model_of(&b12, &camera, 8, 50).horizon, 0);
    camera.cy_px = 387.5; /* exactly 0 px at row 1 is no road */
    assert_int_equal(model_of(&b12, &camera, 8, 50).horizon, 0);
    camera.cy_px = 4; /* the top block row's centre is 3.5 */
    assert_int_equal(model_of(&b12, &camera, 8, 50).horizon, 48);
}

static void constants_per_row(void **state)
{
    const double root_pi = sqrt(acos(-1.0)), tolerance = 2 / NAT;
    struct stixels_profile b12 = named("b12"), b6 = named("b6");
    struct stixels_model model = model_of(&b12, &city, 8, 128);

    (void)state;
    assert_near(model.k_valid[STIXELS_OBJECT] / NAT, log(root_pi), tolerance);
    assert_near(model.k_valid[STIXELS_SKY] / NAT, log(2 * root_pi), tolerance);
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        assert_int_equal(model.k_invalid[g], model.k_valid[g]); /* a perfect fit of weight 0 */

    model = model_of(&b6, &city, 8, 128);
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        const double sigma = g == STIXELS_SKY ? 2 : 1, p = g == STIXELS_SKY ? 0.4 : 0.15;

        assert_near(model.k_uniform[g] / NAT, log(p / 128), tolerance);
        assert_near(model.k_gauss[g] / NAT, log((1 - p) / (sigma * root_pi)), tolerance);
        assert_near(model.k_invalid[g] / NAT, -log(p / 128 + (1 - p) / (sigma * root_pi)),
                    2 * tolerance);
        assert_int_equal(model.k_valid[g], 0);
    }
    b6.data_term = STIXELS_E6_MIN;
    model = model_of(&b6, &city, 8, 128);
    assert_near(model.k_invalid[STIXELS_GROUND] / NAT, -log(0.85 / root_pi), tolerance);

    b12.invalid = b6.invalid = 1;
    model = model_of(&b12, &city, 8, 128);
    assert_near(model.k_invalid[STIXELS_OBJECT] / NAT, -log(3 * 0.3 * 0.25), tolerance);
    assert_near(model.k_invalid[STIXELS_GROUND] / NAT, -log(3 * 0.34 * 0.25), tolerance);
    assert_near(model.k_valid[STIXELS_SKY] / NAT, log(2 * root_pi) - log(1 - 3 * 0.36 * 0.25),
                2 * tolerance);
    model = model_of(&b6, &city, 8, 128);
    assert_near(model.k_valid[STIXELS_GROUND] / NAT, -log(1 - 3 * 0.34 * 0.25), tolerance);
    assert_near(model.k_invalid[STIXELS_SKY] / NAT, -log(3 * 0.36 * 0.25), tolerance);

    b12.invalid = b6.invalid = 2;
    model = model_of(&b12, &city, 8, 128);
    assert_near(model.k_valid[STIXELS_OBJECT] / NAT, log(root_pi), tolerance);
    assert_int_equal(model.k_invalid[STIXELS_OBJECT], 0);
    assert_int_equal(model_of(&b6, &city, 8, 128).k_invalid[STIXELS_OBJECT], 0);
    b12.log_z = 0;
    b12.invalid = 0;
    model = model_of(&b12, &city, 8, 128);
    assert_int_equal(model.k_valid[STIXELS_SKY], 0);
    assert_int_equal(model.k_invalid[STIXELS_SKY], 0);
}

static void the_rest_of_a_model(void **state)
{
    struct stixels_profile own;
    struct stixels_model model;
    char text[4096];

    (void)state;
    model_text(-1, NULL, NULL, text);
    assert_int_equal(parse(text, &own), BENCH_OK);
    own.void_classes = 1 << 4;
    model = model_of(&own, &city, 8, 128);
    assert_true(model.sigma[STIXELS_OBJECT] == 1.25 && model.sigma[STIXELS_SKY] == 2.5);
    assert_near(model.lam_a, 1.5 * 1.5 / 9, 1e-15); /* sigma_ground^2 / s_a^2 */
    assert_near(model.lam_b, 1.5 * 1.5 / 16, 1e-15);
    assert_true(model.weight_semantic == 0.75 && model.beta_mc == 8);
    assert_true(model.gap_alpha == 9 && model.gap_beta == 10 && model.behind_alpha == 11 &&
                model.behind_beta == 12 && model.hovering_alpha == 13 &&
                model.hovering_beta == 14 && model.ordering_alpha == 15 &&
                model.ordering_beta == 16);
    assert_true(model.plane[STIXELS_OBJECT] == -5 && model.plane[STIXELS_GROUND] == 6 &&
                model.plane[STIXELS_SKY] == 7);
    assert_int_equal(model.data_term, STIXELS_E6_MIN);
    assert_int_equal(model.weight_squared, 0);
    assert_int_equal(model.n_classes, 19);
    for (int k = 0; k < STIXELS_MAX_CLASSES; k++)
        assert_int_equal(model.geometry_of[k], k > 18 || k == 4 ? -1
                                               : k < 2          ? STIXELS_GROUND
                                               : k == 10        ? STIXELS_SKY
                                                                : STIXELS_OBJECT);
    own.s_a = own.s_b = 0;
    model = model_of(&own, &city, 8, 128);
    assert_true(model.lam_a == 0 && model.lam_b == 0);
}

static void cameras_that_see_no_road(void **state)
{
    static const struct stixels_model empty;
    const struct stixels_profile b12 = named("b12");
    const struct camera good = city;
    struct camera bad[6] = {good, good, good, good, good, good};
    struct stixels_model model;

    (void)state;
    bad[0].fx_px = 0;
    bad[1].baseline_m = 0;
    bad[2].height_m = 0;
    bad[3].pitch_rad = (double)NAN;
    bad[4].height_m = 1e-300; /* a road of infinite disparity */
    bad[5].baseline_m = 1e12;
    for (int i = 0; i < N_OF(bad); i++) {
        memset(&model, 0xA5, sizeof model);
        assert_int_equal(stixels_model_make(&b12, &bad[i], "frame-7", 8, 128, 19, &model),
                         BENCH_EINPUT);
        assert_int_equal(strncmp(bench_failure(), "frame-7: ", 9), 0);
        assert_memory_equal(&model, &empty, sizeof model);
    }
}

/* ---- parameters ---- */

static enum bench_status set_all(const char *const *pairs, struct bench_params *params)
{
    params->n = 0;
    for (; *pairs; pairs += 2) {
        const struct bench_key *key = stixels_problem.keys;

        while (key->name && strcmp(key->name, pairs[0]) != 0)
            key++;
        if (!key->name)
            fail_msg("stixels have no key '%s'", pairs[0]);
        TRY(bench_params_set(params, key, pairs[1], "test"));
    }
    return bench_params_default(params, stixels_problem.keys, "test");
}

static struct bench_params params_of(const char *const *pairs)
{
    struct bench_params params;

    assert_int_equal(set_all(pairs, &params), BENCH_OK);
    assert_int_equal(stixels_problem.check(&params), BENCH_OK);
    return params;
}

#define PARAMS(...) params_of((const char *const[]){__VA_ARGS__, NULL})

static void what_check_refuses(void **state)
{
    static const struct {
        const char *pairs[5], *sentence;
    } wrong[] = {
        {{"block", "0", NULL}, "block: expected"},
        {{"block", "17", NULL}, "found '17'"},
        {{"block", "8x17", NULL}, "found '8x17'"},
        {{"block", "8x", NULL}, "found '8x'"},
        {{"block", "x8", NULL}, "found 'x8'"},
        {{"block", "8x0", NULL}, "block"},
        {{"block", "8x4x2", NULL}, "block"},
        {{"block", "08", NULL}, "block"},
        {{"block", "8X4", NULL}, "block"},
        {{"block", "-8", NULL}, "block"},
        {{"block", "100", NULL}, "block"},
        {{"block", "4294967304", NULL}, "block"},
        {{"w_l", "none", NULL}, "w_l: expected model, or a number"},
        {{"w_l", "-1", NULL}, "found '-1'"},
        {{"w_l", "1x", NULL}, "found '1x'"},
        {{"w_l", "nan", NULL}, "w_l"},
        {{"w_l", "1e5", NULL}, "w_l"},
        {{"beta_mc", "-1", NULL}, "beta_mc: expected model, or a number"},
        {{"model", "b13", NULL}, "expected b12, b6, dh, gs, or a file"},
        {{"model", ".ini", NULL}, "model"},
        {{"semantic", "labels", "classes", "0", NULL}, "classes = 0"},
        {{"semantic", "file", "classes", "0", NULL}, "classes = 0"},
    };

    (void)state;
    for (int i = 0; i < N_OF(wrong); i++) {
        struct bench_params params;

        assert_int_equal(set_all(wrong[i].pairs, &params), BENCH_OK);
        if (stixels_problem.check(&params) != BENCH_EINPUT)
            fail_msg("%s = %s is accepted", wrong[i].pairs[0], wrong[i].pairs[1]);
        assert_says(wrong[i].sentence);
    }
}

static void what_check_accepts(void **state)
{
    (void)state;
    PARAMS("block", "16");
    PARAMS("block", "1x16");
    PARAMS("block", "10x9");
    PARAMS("w_l", "0");
    PARAMS("w_l", "2.5");
    PARAMS("model", "no/such/file.ini"); /* nothing is opened yet */
    PARAMS("semantic", "auto", "classes", "0");
}

static void references_are_exact(void **state)
{
    const struct bench_params cell = PARAMS("block", "8x4", "w_l", "2");
    struct bench_params reference;

    (void)state;
    assert_true(bench_is(&cell, "arith", "float"));
    assert_int_equal(stixels_problem.match(&cell), BENCH_WITHIN);
    stixels_problem.reference_params(&cell, &reference);
    assert_true(bench_is(&reference, "arith", "exact"));
    assert_true(bench_is(&reference, "block", "8x4") && bench_is(&reference, "w_l", "2"));
    assert_int_equal(reference.n, cell.n);
    assert_int_equal(stixels_problem.match(&reference), BENCH_EXACT);
}

/* A model without an exact form: float is held against float. */
static void references_of_a_truncated_model(void **state)
{
    char folder[512], path[600], text[4096];
    FILE *file;

    (void)state;
    snprintf(folder, sizeof folder, "%s/cut", support_place());
    snprintf(path, sizeof path, "%s/cut.ini", folder);
    if (strlen(path) >= BENCH_MAX_VALUE) /* no parameter holds it */
        skip();
    support_remove(folder);
    mkdir(support_place(), 0777);
    assert_int_equal(mkdir(folder, 0777), 0);
    for (int truncated = 0; truncated <= 1; truncated++) {
        struct bench_params reference;

        model_text(line_of("data_term"), "data_term = e12",
                   truncated ? "zg = truncated" : "zg = simple", text);
        file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        assert_int_equal(fclose(file), 0);
        for (int exact = 0; exact <= 1; exact++) {
            const struct bench_params cell =
                PARAMS("model", path, "arith", exact ? "exact" : "float");

            stixels_problem.reference_params(&cell, &reference);
            assert_true(bench_is(&reference, "arith", truncated && !exact ? "float" : "exact"));
        }
    }
    support_remove(folder);
}

/* ---- inputs ---- */

/* Every value tells its place: no two pixels of a frame have the same disparity. */
static struct plane frame_of(const char *name, int width, int height)
{
    struct plane frame;
    const size_t n = (size_t)width * (size_t)height;

    memset(&frame, 0, sizeof frame);
    assert_int_equal(plane_alloc(&frame, width, height), BENCH_OK);
    snprintf(frame.name, sizeof frame.name, "%s", name);
    frame.camera = city;
    frame.confidence = malloc(n);
    frame.truth = malloc(n * sizeof *frame.truth);
    frame.truth_class = malloc(n);
    assert_true(frame.confidence && frame.truth && frame.truth_class);
    for (size_t i = 0; i < n; i++) {
        frame.disparity[i] = (uint16_t)i;
        frame.confidence[i] = (uint8_t)(7 * i);
        frame.truth[i] = (uint16_t)(60000 - i);
        frame.truth_class[i] = (uint8_t)(i % 21 < 20 ? i % 21 : 255);
    }
    return frame;
}

static void add_probability(struct plane *frame, int n_classes)
{
    const size_t n = (size_t)frame->width * (size_t)frame->height;

    frame->n_classes = n_classes;
    frame->probability = malloc(n * (size_t)n_classes * sizeof *frame->probability);
    assert_non_null(frame->probability);
    for (size_t i = 0; i < n * (size_t)n_classes; i++)
        frame->probability[i] = (uint16_t)(i * 31);
}

static struct stixels_input *input_of(const struct bench_params *params,
                                      const struct plane *frame)
{
    void *input = NULL;

    if (stixels_problem.make_input(params, &frame, 1, &input) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return input;
}

static void assert_no_input(const struct bench_params *params,
                            const struct plane *const *frames, int n_frames,
                            const char *sentence)
{
    void *input = &input;

    assert_int_equal(stixels_problem.make_input(params, frames, n_frames, &input),
                     BENCH_EINPUT);
    assert_null(input);
    assert_says(sentence);
}

/* Each plane of frame k of the input at (x, y) against the frame at (source_x, source_y). */
static void assert_pixel(const struct stixels_input *in, int k, int x, int y,
                         const struct plane *frame, int source_x, int source_y)
{
    const size_t n = (size_t)in->width * (size_t)in->height;
    const size_t to = (size_t)y * (size_t)in->width + (size_t)x;
    const size_t at = (size_t)k * n + to;
    const size_t from = (size_t)source_y * (size_t)frame->width + (size_t)source_x;
    const size_t from_n = (size_t)frame->width * (size_t)frame->height;

    assert_int_equal(in->disparity[at], frame->disparity[from]);
    assert_int_equal(in->confidence[at], frame->confidence[from]);
    assert_int_equal(in->truth[at], frame->truth[from]);
    assert_int_equal(in->truth_class[at],
                     frame->truth_class[from] < in->n_classes ? frame->truth_class[from] : 255);
    for (int c = 0; c < in->n_classes; c++)
        assert_int_equal(
            in->probability[((size_t)k * (size_t)in->n_classes + (size_t)c) * n + to],
            frame->probability[(size_t)c * from_n + from]);
}

static void frames_are_cut_from_the_top_left(void **state)
{
    const struct bench_params params = PARAMS("block", "4x3", "classes", "5");
    struct plane frame = frame_of("cut", 20, 30);
    struct stixels_input *in;
    struct stixels_model expected;
    const struct stixels_profile b12 = named("b12");

    (void)state;
    add_probability(&frame, 5);
    in = input_of(&params, &frame);
    assert_int_equal(in->n_frames, 1);
    assert_int_equal(in->height, 28);
    assert_int_equal(in->width, 18);
    assert_int_equal(in->block_rows, 4);
    assert_int_equal(in->block_cols, 3);
    assert_int_equal(in->n_rows, 7);
    assert_int_equal(in->n_cols, 6);
    assert_int_equal(in->n_classes, 5);
    assert_int_equal(in->dropped_pixels, 20 * 30 - 18 * 28);
    assert_int_equal(stixels_problem.n_frames(in), 1);
    for (int y = 0; y < 28; y++)
        for (int x = 0; x < 18; x++)
            assert_pixel(in, 0, x, y, &frame, x, y);
    assert_int_equal(stixels_model_make(&b12, &city, "cut", 4, 7, 5, &expected), BENCH_OK);
    assert_memory_equal(&in->model[0], &expected, sizeof expected);
    stixels_problem.free_input(in);
    plane_free(&frame);
}

static void a_few_columns_of_many(void **state)
{
    static const int taken[3] = {1, 3, 5}; /* of 7: (2 i + 1) 7 / 6 */
    const struct bench_params params = PARAMS("block", "4x3", "classes", "5", "columns", "3");
    struct bench_params all = PARAMS("block", "4x3", "classes", "5", "columns", "7");
    struct plane frame = frame_of("columns", 23, 10);
    const struct plane *const frames[] = {&frame};
    struct stixels_input *in;

    (void)state;
    add_probability(&frame, 5);
    in = input_of(&params, &frame);
    assert_int_equal(in->n_cols, 3);
    assert_int_equal(in->width, 9);
    assert_int_equal(in->dropped_pixels, 9 * 2); /* below the columns that are taken */
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 9; x++)
            assert_pixel(in, 0, x, y, &frame, 3 * taken[x / 3] + x % 3, y);
    stixels_problem.free_input(in);

    in = input_of(&all, &frame);
    for (int x = 0; x < 21; x++)
        assert_pixel(in, 0, x, 7, &frame, x, 7);
    stixels_problem.free_input(in);
    all = PARAMS("block", "4x3", "classes", "5", "columns", "8");
    assert_no_input(&all, frames, 1, "columns = 8, but columns has 7");
    plane_free(&frame);
}

static void rows_are_resampled_with_their_camera(void **state)
{
    const struct bench_params up = PARAMS("block", "1x3", "classes", "5", "height", "25");
    const struct bench_params down = PARAMS("block", "2x3", "classes", "5", "height", "6");
    struct plane frame = frame_of("rows", 20, 10);
    struct stixels_input *in;

    (void)state;
    frame.camera.cy_px = 3; /* the road is in these 10 rows */
    frame.camera.fy_px = 100;
    frame.camera.pitch_rad = 0.01;
    add_probability(&frame, 5);
    in = input_of(&up, &frame);
    assert_int_equal(in->height, 25);
    assert_int_equal(in->dropped_pixels, 25 * 2);
    for (int y = 0; y < 25; y++)
        for (int x = 0; x < 18; x++) /* aligned centres: (y + 1/2) 10 / 25 */
            assert_pixel(in, 0, x, y, &frame, x, (int)((y + 0.5) * 0.4));
    /* the road's disparity at a place of the scene is what it was */
    for (int y = 0; y < 25; y++) {
        const double row = (y + 0.5) * 0.4 - 0.5;
        const double per_height = frame.camera.baseline_m / frame.camera.height_m;
        const double aspect = frame.camera.fx_px / 100;

        assert_near(ground_at(&in->model[0], 25, y),
                    per_height *
                        (aspect * cos(0.01) * (row - 3) + frame.camera.fx_px * sin(0.01)),
                    1e-10);
    }
    stixels_problem.free_input(in);

    in = input_of(&down, &frame);
    assert_int_equal(in->n_rows, 3);
    for (int y = 0; y < 6; y++)
        assert_pixel(in, 0, 5, y, &frame, 5, (2 * y + 1) * 10 / 12);
    stixels_problem.free_input(in);
    plane_free(&frame);
}

static void a_missing_confidence_is_full(void **state)
{
    const struct bench_params params = PARAMS("block", "2", "semantic", "off");
    struct plane frame = frame_of("sure", 8, 6);
    struct stixels_input *in;

    (void)state;
    frame.disparity[9] = X;
    in = input_of(&params, &frame);
    assert_int_equal(in->confidence[9], 63); /* as it is, though nothing was measured */
    stixels_problem.free_input(in);
    free(frame.confidence);
    frame.confidence = NULL;
    in = input_of(&params, &frame);
    for (int i = 0; i < 48; i++)
        assert_int_equal(in->confidence[i], i == 9 ? 0 : 255);
    stixels_problem.free_input(in);
    plane_free(&frame);
}

/* FNV-1a, 64 bits: the known value of the three letters. */
#define SEED_OF_FOO UINT64_C(0xdcb27518fed9d577)

static void probabilities_of_labels(void **state)
{
    static const char *const levels[] = {"easy", "normal", "hard"};
    struct plane frame = frame_of("foo", 40, 32);
    const size_t n = 40 * 32, to_n = 36 * 32;
    uint16_t *expected = malloc(n * 19 * sizeof *expected);

    (void)state;
    assert_non_null(expected);
    for (int i = 0; i < (int)n; i++) /* patches of classes, some unlabelled */
        frame.truth_class[i] = (uint8_t)(i % 40 / 10 + 4 * (i / 400));
    frame.truth_class[77] = 255;
    for (int level = 0; level < 3; level++) {
        const struct bench_params params =
            PARAMS("block", "4x9", "semantic_noise", levels[level], "semantic", "labels");
        const struct semantic_noise noise = semantic_noise_of((enum scene_level)level);
        struct stixels_input *in;

        if (level == 1)
            add_probability(&frame, 3); /* not what was asked for */
        in = input_of(&params, &frame);
        assert_int_equal(in->n_classes, 19);
        assert_int_equal(
            semantic_from_labels(frame.truth_class, 40, 32, 19, &noise, SEED_OF_FOO, expected),
            BENCH_OK);
        for (size_t c = 0; c < 19; c++)
            for (size_t y = 0; y < 32; y++)
                assert_memory_equal(in->probability + c * to_n + y * 36,
                                    expected + c * n + y * 40, 36 * sizeof *expected);
        stixels_problem.free_input(in);
    }
    free(expected);
    plane_free(&frame);
}

static void where_classes_come_from(void **state)
{
    const struct bench_params automatic = PARAMS("block", "4", "classes", "7");
    const struct bench_params none = PARAMS("block", "4", "classes", "0");
    const struct bench_params off = PARAMS("block", "4", "semantic", "off");
    const struct bench_params file = PARAMS("block", "4", "classes", "7", "semantic", "file");
    const struct bench_params labels =
        PARAMS("block", "4", "classes", "7", "semantic", "labels");
    struct plane bare = frame_of("bare", 16, 16), both = frame_of("both", 16, 16);
    const struct plane *const frames[] = {&bare}, *const mixed[] = {&both, &bare};
    struct stixels_input *in;
    int n_cut = 0;

    (void)state;
    add_probability(&both, 7);
    in = input_of(&automatic, &both);
    assert_memory_equal(in->probability, both.probability, 16 * 16 * 7 * 2);
    for (int i = 0; i < 256; i++) {
        const int label = both.truth_class[i];

        assert_int_equal(in->truth_class[i], label < 7 ? label : 255);
        n_cut += label >= 7 && label < 255;
    }
    assert_true(n_cut > 0);
    stixels_problem.free_input(in);
    assert_no_input(&automatic, mixed, 2, "both and bare have not: give semantic");

    in = input_of(&automatic, &bare); /* of its labels */
    assert_int_equal(in->n_classes, 7);
    assert_int_equal(in->model[0].n_classes, 7);
    stixels_problem.free_input(in);
    in = input_of(&none, &both);
    assert_int_equal(in->n_classes, 0);
    assert_true(!in->probability && !in->truth_class && in->truth);
    stixels_problem.free_input(in);
    in = input_of(&off, &both);
    assert_int_equal(in->n_classes, 0);
    assert_int_equal(in->model[0].n_classes, 0);
    stixels_problem.free_input(in);

    assert_no_input(&file, frames, 1, "semantic = file, but bare has no class probabilities");
    free(bare.truth_class);
    bare.truth_class = NULL;
    assert_no_input(&labels, frames, 1, "semantic = labels, but bare has no true classes");
    in = input_of(&automatic, &bare);
    assert_int_equal(in->n_classes, 0);
    stixels_problem.free_input(in);
    both.n_classes = 5;
    assert_no_input(&automatic, mixed, 1,
                    "both has probabilities of 5 classes, but classes = 7");
    plane_free(&bare);
    plane_free(&both);
}

static void what_a_cell_says_goes_before_the_model(void **state)
{
    struct plane frame = frame_of("over", 16, 16);
    const struct bench_params plain = PARAMS("block", "4", "semantic", "off");
    const struct bench_params over =
        PARAMS("block", "4", "semantic", "off", "w_l", "2.5", "beta_mc", "7.25", "invalid_rows",
               "zero", "model", "b6");
    const struct bench_params unknown = PARAMS("block", "4", "model", "no/such.ini");
    const struct plane *const frames[] = {&frame};
    struct stixels_input *in = input_of(&plain, &frame);
    void *input = &frame;

    (void)state;
    assert_true(in->model[0].weight_semantic == 1);
    assert_true(in->model[0].beta_mc == 4);
    assert_int_equal(in->model[0].data_term, STIXELS_E12);
    assert_true(in->model[0].k_invalid[0] > 0);
    stixels_problem.free_input(in);
    in = input_of(&over, &frame);
    assert_true(in->model[0].weight_semantic == 2.5);
    assert_true(in->model[0].beta_mc == 7.25);
    assert_int_equal(in->model[0].data_term, STIXELS_E6_SUM);
    assert_int_equal(in->model[0].k_invalid[0], 0);
    stixels_problem.free_input(in);
    assert_int_equal(stixels_problem.make_input(&unknown, frames, 1, &input), BENCH_EIO);
    assert_null(input);
    plane_free(&frame);
}

static void batches(void **state)
{
    const struct bench_params params = PARAMS("block", "4x3", "classes", "5");
    const struct bench_params height = PARAMS("block", "4x3", "classes", "5", "height", "16");
    struct plane a = frame_of("first", 20, 18), b = frame_of("second", 20, 18);
    struct plane taller = frame_of("taller", 20, 19), wider = frame_of("wider", 21, 18);
    const struct plane *const same[] = {&a, &b, &a}, *const different[] = {&a, &taller};
    const struct plane *const broader[] = {&a, &wider};
    struct stixels_input *in;
    void *input;

    (void)state;
    add_probability(&a, 5);
    add_probability(&b, 5);
    add_probability(&taller, 5);
    add_probability(&wider, 5);
    b.camera.height_m = 2;
    for (int i = 0; i < 20 * 18; i++)
        b.disparity[i] = (uint16_t)(40000 + i);
    assert_int_equal(stixels_problem.make_input(&params, same, 3, &input), BENCH_OK);
    in = input;
    assert_int_equal(in->n_frames, 3);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 18; x++)
            for (int k = 0; k < 3; k++)
                assert_pixel(in, k, x, y, same[k], x, y);
    assert_memory_equal(&in->model[0], &in->model[2], sizeof in->model[0]);
    assert_near(in->model[1].mu_b / in->model[0].mu_b, 1.22 / 2, 1e-12);
    stixels_problem.free_input(in);

    assert_no_input(&params, different, 2, "first has 20 x 18 and taller has 20 x 19");
    assert_int_equal(stixels_problem.make_input(&height, different, 2, &input), BENCH_OK);
    in = input;
    assert_pixel(in, 1, 17, 15, &taller, 17, 31 * 19 / 32);
    stixels_problem.free_input(in);
    assert_no_input(&height, broader, 2, "wider has 21 x 16");
    assert_no_input(&params, same, 0, "at least one frame");

    free(b.truth); /* what one frame lacks, the batch lacks */
    b.truth = NULL;
    assert_int_equal(stixels_problem.make_input(&params, same, 3, &input), BENCH_OK);
    in = input;
    assert_true(!in->truth && in->truth_class);
    stixels_problem.free_input(in);
    b.camera.height_m = 0;
    assert_no_input(&params, same, 3, "second: the camera's height_m");
    plane_free(&a);
    plane_free(&b);
    plane_free(&taller);
    plane_free(&wider);
}

static void shapes_that_make_no_columns(void **state)
{
    static const struct {
        int width, height;
        const char *block, *sentence;
    } cases[] = {
        {8, 7, "8x4", "at least one whole block of 8x4"},
        {3, 8, "8x4", "at least one whole block of 8x4"},
        {4, 1025, "1x4", "block = 2x4 would do"},
        {4, 3075, "2x4", "block = 4x4 would do"}, /* 3 rows: 1025 block rows */
        {4, 16400, "16x4", "give a height"},
    };

    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        const struct bench_params params = PARAMS("block", cases[i].block, "semantic", "off");
        struct plane frame = frame_of("odd", cases[i].width, cases[i].height);
        const struct plane *const frames[] = {&frame};

        assert_no_input(&params, frames, 1, cases[i].sentence);
        plane_free(&frame);
    }
}

static void impossible_inputs(void **state)
{
    struct stixels_input *in = NULL;

    (void)state;
    assert_int_equal(stixels_input_new(0, 8, 8, 8, 8, 0, 0, 0, &in), BENCH_EINPUT);
    assert_int_equal(stixels_input_new(1, 8, 8, 0, 8, 0, 0, 0, &in), BENCH_EINPUT);
    assert_int_equal(stixels_input_new(1, 8, 8, 8, 17, 0, 0, 0, &in), BENCH_EINPUT);
    assert_int_equal(stixels_input_new(1, 12, 8, 8, 8, 0, 0, 0, &in), BENCH_EINPUT);
    assert_int_equal(stixels_input_new(1, 8, 8, 8, 8, 33, 0, 0, &in), BENCH_EINPUT);
    assert_int_equal(stixels_input_new(1, 8, 8, 8, 8, -1, 0, 0, &in), BENCH_EINPUT);
    assert_int_equal(stixels_input_new(1 << 20, 1024, 32768, 8, 8, 0, 0, 0, &in), BENCH_EINPUT);
    assert_says("fewer than 2^31");
    assert_null(in);
    stixels_input_free(NULL);
    stixels_output_free(NULL);
    assert_int_equal(stixels_input_new(1, 1024, 1, 1, 1, 0, 1, 1, &in), BENCH_OK);
    assert_true(in->truth && in->truth_class && !in->probability);
    stixels_input_free(in);
}

static void blocks_cover_the_input(void **state)
{
    const struct bench_params params = PARAMS("block", "4", "classes", "3");
    struct plane frame = frame_of("blocks", 8, 8);
    struct stixels_input *in;
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    size_t bytes = 0;
    int n;

    (void)state;
    add_probability(&frame, 3);
    in = input_of(&params, &frame);
    n = stixels_problem.input_blocks(in, blocks);
    assert_int_equal(n, 7);
    for (int i = 0; i < n; i++)
        bytes += blocks[i].bytes;
    assert_int_equal(bytes,
                     8 * 4 + sizeof(struct stixels_model) + 64 * (2 + 1 + 2 * 3 + 2 + 1));
    assert_ptr_equal(blocks[0].data, in);
    assert_int_equal(blocks[0].bytes, offsetof(struct stixels_input, model));
    stixels_problem.free_input(in);

    free(frame.truth);
    free(frame.truth_class);
    frame.truth = NULL;
    frame.truth_class = NULL;
    in = input_of(&params, &frame);
    assert_int_equal(stixels_problem.input_blocks(in, blocks), 5);
    stixels_problem.free_input(in);
    plane_free(&frame);
}

/* ---- comparison ---- */

#define ROWS 6
#define COLS 20
#define G    STIXELS_GROUND
#define O    STIXELS_OBJECT
#define S    STIXELS_SKY

/* Columns of ground, an object and sky, each of them a little different. */
static struct stixels_output *new_output(int n_cols)
{
    struct stixels_input *in;
    struct stixels_output *out;
    int32_t n = 0;

    assert_int_equal(stixels_input_new(1, ROWS * 2, n_cols * 2, 2, 2, 0, 0, 0, &in), BENCH_OK);
    assert_int_equal(stixels_output_new(in, &out), BENCH_OK);
    stixels_input_free(in);
    memset(out->list, 0, (size_t)(n_cols * ROWS) * sizeof *out->list);
    for (int c = 0; c < n_cols; c++) {
        const float x = (float)c;

        out->first[c] = n;
        out->list[n++] =
            (struct stixel){.v_top = 2, .geometry = G, .a = 20 + x, .b = -1.5F, .cost = 7 + x};
        out->list[n++] = (struct stixel){
            .v_bottom = 3, .v_top = 4, .geometry = O, .semantic = 13, .a = 14 + x, .cost = 100};
        out->list[n++] = (struct stixel){
            .v_bottom = 5, .v_top = 5, .geometry = S, .semantic = STIXELS_NO_CLASS, .cost = 9};
    }
    out->first[n_cols] = n;
    return out;
}

static struct bench_difference compared(const char *arith,
                                        const struct stixels_output *reference,
                                        const struct stixels_output *output)
{
    const struct bench_params params = PARAMS("arith", arith);
    struct bench_difference difference;

    memset(&difference, 0, sizeof difference);
    stixels_problem.compare(&params, NULL, reference, output, &difference);
    return difference;
}

static void equal_outputs(void **state)
{
    struct stixels_output *r = new_output(COLS), *o = new_output(COLS);

    (void)state;
    for (int k = 0; k < 2; k++) {
        const struct bench_difference d = compared(k ? "float" : "exact", r, o);

        assert_int_equal(d.n_wrong, 0);
        assert_int_equal(d.n_different, 0);
        assert_int_equal(d.n_compared, COLS);
        assert_true(d.max_error == 0);
        assert_string_equal(d.where, "");
    }
    stixels_output_free(r);
    stixels_output_free(o);
}

/* One field of column 7's object. */
enum { AT = 7 * 3 + 1 };

static void exact_sees_every_field(void **state)
{
    static const char *const names[] = {"v_bottom 2",  "v_top 5",    "geometry 1",
                                        "semantic 14", "reserved 1", "a 21.0000019",
                                        "b -0",        "cost 101"};
    struct stixels_output *r = new_output(COLS), *o = new_output(COLS);

    (void)state;
    for (int field = 0; field < N_OF(names); field++) {
        struct stixel *s = &o->list[AT];
        const struct stixel before = *s;
        struct bench_difference d;

        s->v_bottom = (uint16_t)(s->v_bottom - (field == 0));
        s->v_top = (uint16_t)(s->v_top + (field == 1));
        s->geometry = (uint8_t)(s->geometry + (field == 2));
        s->semantic = (uint8_t)(s->semantic + (field == 3));
        s->reserved = field == 4;
        s->a = field == 5 ? nextafterf(s->a, 100) : s->a;
        s->b = field == 6 ? -s->b : s->b;
        s->cost += (float)(field == 7);
        d = compared("exact", r, o);
        assert_int_equal(d.n_wrong, 1);
        assert_int_equal(d.n_different, 1);
        if (!strstr(d.where, "frame 0, column 7: stixel 1 has ") ||
            !strstr(d.where, names[field]))
            fail_msg("'%s' should name %s", d.where, names[field]);
        assert_true(d.max_error == (field == 7));
        *s = before;
    }
    stixels_output_free(r);
    stixels_output_free(o);
}

/* Divide column 3's ground in two; the lists from there on move by one. */
static void divide(struct stixels_output *o)
{
    const int at = o->first[3];

    memmove(&o->list[at + 1], &o->list[at], (size_t)(o->first[COLS] - at) * sizeof *o->list);
    o->list[at].v_top = 0;
    o->list[at].cost = 3;
    o->list[at + 1].v_bottom = 1;
    o->list[at + 1].cost -= 3;
    for (int c = 4; c <= COLS; c++)
        o->first[c]++;
}

static void lists_that_are_cut_otherwise(void **state)
{
    struct stixels_output *r = new_output(COLS), *o = new_output(COLS);
    struct bench_difference d;

    (void)state;
    divide(o);
    d = compared("exact", r, o);
    assert_int_equal(d.n_wrong, 1); /* the columns behind it are where they should be */
    assert_non_null(strstr(d.where, "column 3: 4 stixels, the reference has 3"));
    d = compared("float", r, o); /* at the same energy: 1 of 20 columns */
    assert_int_equal(d.n_wrong, 0);
    assert_int_equal(d.n_different, 1);
    assert_true(d.max_error < 1e-5);
    stixels_output_free(r);
    stixels_output_free(o);
}

/* What a variant that writes nothing, or in the wrong place, leaves behind. */
static void lists_that_make_no_sense(void **state)
{
    static const int32_t begins[] = {-1, INT32_MIN, INT32_MAX, COLS * ROWS + 1, 0x25A5A5A5};

    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *const arith = k ? "float" : "exact";
        struct stixels_output *r = new_output(COLS), *o = new_output(COLS);
        struct bench_difference d;

        memset(o->first, 0xA5, (COLS + 1) * sizeof *o->first);
        memset(o->list, 0xA5, COLS * ROWS * sizeof *o->list);
        d = compared(arith, r, o);
        assert_true(d.n_wrong >= COLS);
        stixels_output_free(o);

        for (int i = 0; i < N_OF(begins); i++) {
            o = new_output(COLS);
            o->first[COLS / 2] = begins[i];
            d = compared(arith, r, o);
            assert_true(d.n_wrong >= 2); /* the columns on both sides */
            assert_non_null(strstr(d.where, "of the list"));
            stixels_output_free(o);
        }
        o = new_output(COLS);
        o->first[5] = o->first[4]; /* a column of no stixels, and one of twice as many */
        d = compared(arith, r, o);
        assert_true(d.n_wrong >= 2);
        stixels_output_free(o);

        o = new_output(COLS); /* one entry ahead, all else right */
        memmove(&o->list[1], o->list, COLS * 3 * sizeof *o->list);
        for (int c = 0; c <= COLS; c++)
            o->first[c]++;
        d = compared(arith, r, o);
        assert_int_equal(d.n_wrong, 1);
        assert_non_null(strstr(d.where, "begins at 1, expected 0"));
        stixels_output_free(o);

        o = new_output(COLS);
        o->list[COLS * ROWS - 1].reserved = 1;
        d = compared(arith, r, o);
        assert_int_equal(d.n_wrong, 1);
        assert_int_equal(d.n_different, 0);
        assert_non_null(strstr(d.where, "not 0 behind its end, 60"));
        stixels_output_free(o);

        o = new_output(COLS + 1);
        d = compared(arith, r, o);
        assert_int_equal(d.n_wrong, 1);
        assert_non_null(strstr(d.where, "1 x 21 x 6"));
        stixels_output_free(o);
        stixels_output_free(r);
    }
}

static void float_needs_a_segmentation(void **state)
{
    static const struct {
        struct stixel stixel;
        const char *sentence;
    } wrong[] = {
        {{.v_bottom = 2, .v_top = 4, .cost = 100}, "rows 2 to 4, expected 3"},
        {{.v_bottom = 4, .v_top = 4, .cost = 100}, "rows 4 to 4, expected 3"},
        {{.v_bottom = 3, .v_top = 2, .cost = 100}, "rows 3 to 2"},
        {{.v_bottom = 3, .v_top = 6, .cost = 100}, "rows 3 to 6"},
        {{.v_bottom = 3, .v_top = 3, .cost = 100}, "expected 4"},
        {{.v_bottom = 3, .v_top = 4, .geometry = 3, .cost = 100}, "geometry 3"},
        {{.v_bottom = 3, .v_top = 4, .semantic = 32, .cost = 100}, "class 32"},
        {{.v_bottom = 3, .v_top = 4, .semantic = 254, .cost = 100}, "class 254"},
        {{.v_bottom = 3, .v_top = 4, .reserved = 9, .cost = 100}, "reserved 9"},
        {{.v_bottom = 3, .v_top = 4, .a = NAN, .cost = 100}, "a nan"},
        {{.v_bottom = 3, .v_top = 4, .b = -INFINITY, .cost = 100}, "b -inf"},
        {{.v_bottom = 3, .v_top = 4, .b = 0.25F, .cost = 100}, "geometry 0 with a 0, b 0.25"},
        {{.v_bottom = 3, .v_top = 4, .geometry = 2, .a = 9, .cost = 100},
         "geometry 2 with a 9"},
        {{.v_bottom = 3, .v_top = 4, .cost = NAN}, "cost nan"},
        {{.v_bottom = 3, .v_top = 4, .cost = INFINITY}, "cost inf"},
    };
    struct stixels_output *r = new_output(COLS), *o = new_output(COLS);

    (void)state;
    for (int i = 0; i < N_OF(wrong); i++) {
        const struct stixel before = o->list[AT];
        struct bench_difference d;

        o->list[AT] = wrong[i].stixel;
        d = compared("float", r, o);
        assert_int_equal(d.n_wrong, 1);
        if (!strstr(d.where, "column 7: ") || !strstr(d.where, wrong[i].sentence))
            fail_msg("'%s' should say '%s'", d.where, wrong[i].sentence);
        assert_true(!isfinite((double)wrong[i].stixel.cost) == !isfinite(d.max_error));
        o->list[AT] = before;
    }
    o->list[AT + 1].v_top = 4; /* ends before it begins */
    assert_int_equal(compared("float", r, o).n_wrong, 1);
    o->first[8]--; /* column 7 without its sky: column 8 has it, and begins too high */
    o->list[AT + 1].v_top = 5;
    assert_int_equal(compared("float", r, o).n_wrong, 2 + 1); /* and 2 of 20 differ */
    assert_non_null(strstr(compared("float", r, o).where, "end at row 4, expected 5"));
    stixels_output_free(r);
    stixels_output_free(o);
}

/* Make column 3 off, so that one more is too many of 20. */
static void use_up_what_may_be_off(struct stixels_output *o)
{
    o->list[o->first[3]].cost += 1;
}

/* Column 7: an energy of 123 nat: off beyond 0.25 + 0.123, wrong beyond 5 + 6.15. */
static void float_energies(void **state)
{
    struct stixels_output *r = new_output(COLS), *o = new_output(COLS);
    struct bench_difference d;

    (void)state;
    use_up_what_may_be_off(o);
    for (int sign = -1; sign <= 1; sign += 2) {
        o->list[AT].cost = r->list[AT].cost + (float)sign * 0.37F;
        d = compared("float", r, o);
        assert_int_equal(d.n_wrong, 0);
        assert_int_equal(d.n_different, 0);
        o->list[AT].cost = r->list[AT].cost + (float)sign * 0.38F;
        d = compared("float", r, o);
        assert_int_equal(d.n_wrong, 1);
        assert_string_equal(d.where, "2 of 20 columns are off, expected at most 5 %");
        assert_int_equal(d.n_different, 0); /* but cut and named alike */
    }
    o->list[o->first[3]].cost -= 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        o->list[AT].cost = r->list[AT].cost + (float)sign * 11.1F;
        d = compared("float", r, o);
        assert_int_equal(d.n_wrong, 0); /* off, and the only one */
        assert_near(d.max_error, 11.1, 1e-4);
        o->list[AT].cost = r->list[AT].cost + (float)sign * 11.2F;
        d = compared("float", r, o);
        assert_int_equal(d.n_wrong, 1);
        assert_near(d.max_error, 11.2, 1e-4);
        assert_non_null(strstr(d.where, "frame 0, column 7: an energy of"));
    }
    stixels_output_free(r);
    stixels_output_free(o);
}

static void float_planes(void **state)
{
    struct stixels_output *r = new_output(COLS), *o = new_output(COLS);
    struct stixel *const object = &o->list[AT], *const ground = &o->list[AT - 1];
    struct bench_difference d;

    (void)state;
    for (int u = 10; u < 16; u++) /* 6 of 20 may be off */
        o->list[o->first[u] + 1].a += 1;
    assert_int_equal(compared("float", r, o).n_wrong, 0);
    object->a = 22;
    d = compared("float", r, o);
    assert_int_equal(d.n_wrong, 1);
    assert_string_equal(d.where, "7 of 20 columns are off in a plane, expected at most 30 %");
    object->a = 21.07F; /* of 21 px: 0.071 */
    assert_int_equal(compared("float", r, o).n_wrong, 0);
    object->a = 21.072F;
    assert_int_equal(compared("float", r, o).n_wrong, 1);
    object->a = 20.9F;
    assert_int_equal(compared("float", r, o).n_wrong, 1);
    object->a = 21;
    ground->b = -1.6F; /* right at its bottom, 0.2 px off at its top */
    assert_int_equal(compared("float", r, o).n_wrong, 1);
    ground->b = -1.4F;
    ground->a -= 0.2F; /* right at its top */
    assert_int_equal(compared("float", r, o).n_wrong, 1);
    ground->b = r->list[AT - 1].b;
    ground->a = r->list[AT - 1].a;
    assert_int_equal(compared("float", r, o).n_wrong, 0);

    o->list[AT].geometry = G; /* another geometry has another plane */
    o->list[AT].a = 3;
    d = compared("float", r, o);
    assert_int_equal(d.n_wrong, 0);
    assert_int_equal(d.n_different, 1);
    stixels_output_free(r);
    stixels_output_free(o);
}

/* The sum of a column's costs is right, and none of them. */
static void float_costs_of_stixels(void **state)
{
    struct stixels_output *r = new_output(COLS), *o = new_output(COLS);
    struct bench_difference d;

    (void)state;
    use_up_what_may_be_off(o);
    o->list[AT].cost += 0.37F;
    o->list[AT - 1].cost -= 0.37F;
    assert_int_equal(compared("float", r, o).n_wrong, 0);
    o->list[AT].cost += 0.01F;
    o->list[AT - 1].cost -= 0.01F;
    d = compared("float", r, o);
    assert_int_equal(d.n_wrong, 1);
    assert_string_equal(d.where, "2 of 20 columns are off, expected at most 5 %");
    o->list[o->first[3]].cost -= 1;
    o->list[AT].cost = r->list[AT].cost + 50;
    o->list[AT + 1].cost = r->list[AT + 1].cost - 50;
    d = compared("float", r, o);
    assert_int_equal(d.n_wrong, 1);
    assert_non_null(strstr(d.where, "column 7: stixel 1 has cost 150, expected 100"));
    stixels_output_free(r);
    stixels_output_free(o);
}

/* A little everywhere: no column is off, but all are apart. */
static void float_energies_on_average(void **state)
{
    struct stixels_output *r = new_output(40), *o = new_output(40);
    struct bench_difference d;

    (void)state;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int wrong = 0; wrong < 2; wrong++) {
            for (int u = 0; u < 40; u++) /* 135.5 nat on average: 0.1855 */
                o->list[o->first[u]].cost =
                    r->list[r->first[u]].cost + (float)sign * (wrong ? 0.19F : 0.18F);
            d = compared("float", r, o);
            assert_int_equal(d.n_wrong, wrong);
            assert_true(!wrong ||
                        strstr(d.where, "energies of 40 columns differ by 0.19 nat") != NULL);
        }
    stixels_output_free(r);
    stixels_output_free(o);
}

static void float_may_differ_in_some_columns(void **state)
{
    struct stixels_output *r = new_output(COLS), *o = new_output(COLS);
    struct stixels_output *one_r = new_output(1), *one_o = new_output(1);
    struct bench_difference d;

    (void)state;
    for (int u = 0; u < 3; u++)
        o->list[o->first[u] + 1].semantic = 3;
    d = compared("float", r, o);
    assert_int_equal(d.n_wrong, 0);
    assert_int_equal(d.n_different, 3);
    assert_int_equal(d.n_compared, COLS);
    o->list[AT].semantic = 3; /* 4 of 20 */
    d = compared("float", r, o);
    assert_int_equal(d.n_wrong, 1);
    assert_int_equal(d.n_different, 4);
    assert_string_equal(d.where, "4 of 20 columns differ, expected at most 15 %");
    assert_int_equal(compared("exact", r, o).n_wrong, 4);

    one_o->list[1].semantic = 3; /* a share of few is one */
    d = compared("float", one_r, one_o);
    assert_int_equal(d.n_wrong, 0);
    assert_int_equal(d.n_different, 1);
    stixels_output_free(r);
    stixels_output_free(o);
    stixels_output_free(one_r);
    stixels_output_free(one_o);
}

static void output_blocks_do_not_hang_on_values(void **state)
{
    struct stixels_output *o = new_output(COLS);
    struct bench_block blocks[BENCH_MAX_BLOCKS];

    (void)state;
    memset(o->first, 0xA5, (COLS + 1) * sizeof *o->first);
    assert_int_equal(stixels_problem.output_blocks(o, blocks), 2);
    assert_ptr_equal(blocks[0].data, o->first);
    assert_int_equal(blocks[0].bytes, 4 * (COLS + 1));
    assert_ptr_equal(blocks[1].data, o->list);
    assert_int_equal(blocks[1].bytes, 20 * COLS * ROWS);
    stixels_output_free(o);
}

/* ---- work and dense images ---- */

static void work_of_both_models(void **state)
{
    struct plane frame = frame_of("work", COLS * 2, ROWS * 2);
    struct bench_params params = PARAMS("block", "2", "classes", "5");
    struct stixels_output *o = new_output(COLS);
    struct stixels_input *in;
    struct bench_work work = {0, 0};

    (void)state;
    add_probability(&frame, 5);
    in = input_of(&params, &frame);
    stixels_problem.count_work(in, o, &work);
    assert_true(work.bytes == 480 * (2 + 1 + 10) + 20 * 60 + 4 * 21);
    assert_true(work.ops == COLS * 3 * 21); /* 6 + 5 + .. + 1 stixels of each geometry */
    stixels_problem.free_input(in);
    params = PARAMS("block", "2", "semantic", "off", "model", "b6");
    in = input_of(&params, &frame);
    stixels_problem.count_work(in, o, &work);
    assert_true(work.bytes == 480 * 3 + 20 * 60 + 4 * 21);
    assert_true(work.ops == COLS * 3 * 56); /* 6 1 + 5 2 + 4 3 + 3 4 + 2 5 + 1 6 rows of them */
    stixels_problem.free_input(in);
    stixels_output_free(o);
    plane_free(&frame);
}

/* Two frames of two columns of 4 block rows of 2 pixel rows: what is dense in frame 1. */
static void dense_images(void **state)
{
    /* the row's disparity in column 0: rows 0..7 from the top; v of row r is 3 - (r - 1/2) / 2 */
    static const float expected[8] = {0, 0, 9.5F, 9.5F, 3.5F, 4.5F, 5.5F, 6.5F};
    static const uint8_t classes[8] = {255, 255, 13, 13, 1, 1, 1, 1};
    struct stixels_input *in;
    struct stixels_output *out;
    float disparity[8 * 6 + 1];
    uint8_t semantic[8 * 6 + 1];

    (void)state;
    assert_int_equal(stixels_input_new(2, 8, 6, 2, 3, 0, 0, 0, &in), BENCH_OK);
    assert_int_equal(stixels_output_new(in, &out), BENCH_OK);
    memset(out->list, 0, 16 * sizeof *out->list);
    out->first[0] = 0;
    out->list[0] = (struct stixel){.v_top = 3, .a = 77};
    out->first[1] = 1;
    out->list[1] = (struct stixel){.v_top = 3, .a = 78};
    out->first[2] = 2; /* frame 1, column 0 */
    out->list[2] = (struct stixel){.v_top = 1, .geometry = G, .semantic = 1, .a = 6, .b = -2};
    out->list[3] = (struct stixel){
        .v_bottom = 2, .v_top = 2, .geometry = O, .semantic = 13, .a = 9.5F, .b = 0};
    out->list[4] =
        (struct stixel){.v_bottom = 3, .v_top = 3, .geometry = S, .semantic = STIXELS_NO_CLASS};
    out->first[3] = 5; /* ground that falls below 0: v = 1 is at -1 px, v = 0 at 1 px */
    out->list[5] = (struct stixel){.v_top = 3, .geometry = G, .semantic = 9, .a = 1, .b = -2};
    out->first[4] = 6;

    memset(disparity, 0, sizeof disparity);
    memset(semantic, 0xA5, sizeof semantic);
    disparity[48] = -7;
    stixels_reconstruct(in, out, 1, disparity, semantic);
    for (int r = 0; r < 8; r++)
        for (int x = 0; x < 3; x++) {
            const float falling = r == 7 ? 1.5F : r == 6 ? 0.5F : 0;

            assert_near((double)disparity[6 * r + x], (double)expected[r], 1e-6);
            assert_int_equal(semantic[6 * r + x], classes[r]);
            assert_near((double)disparity[6 * r + 3 + x], (double)falling, 1e-6);
            assert_int_equal(semantic[6 * r + 3 + x], 9);
        }
    assert_true(disparity[48] == -7);
    assert_int_equal(semantic[48], 0xA5);
    stixels_reconstruct(in, out, 0, disparity, NULL);
    assert_true(disparity[0] == 77 && disparity[5] == 78 && disparity[47] == 78);
    stixels_reconstruct(in, out, 0, NULL, semantic);
    assert_int_equal(semantic[47], 0);
    stixels_input_free(in);
    stixels_output_free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_its_place),
        cmocka_unit_test(a_decimal_comma_changes_nothing),
        cmocka_unit_test(no_key_may_be_missing),
        cmocka_unit_test(no_key_may_be_there_twice),
        cmocka_unit_test(impossible_values_are_named),
        cmocka_unit_test(options_of_a_model),
        cmocka_unit_test(options_that_do_not_go_together),
        cmocka_unit_test(unknown_keys_name_the_nearest),
        cmocka_unit_test(a_name_must_fit),
        cmocka_unit_test(built_in_models),
        cmocka_unit_test(models_in_files),
        cmocka_unit_test(ground_of_a_camera),
        cmocka_unit_test(ground_of_block_rows),
        cmocka_unit_test(horizons),
        cmocka_unit_test(constants_per_row),
        cmocka_unit_test(the_rest_of_a_model),
        cmocka_unit_test(cameras_that_see_no_road),
        cmocka_unit_test(what_check_refuses),
        cmocka_unit_test(what_check_accepts),
        cmocka_unit_test(references_are_exact),
        cmocka_unit_test(references_of_a_truncated_model),
        cmocka_unit_test(frames_are_cut_from_the_top_left),
        cmocka_unit_test(a_few_columns_of_many),
        cmocka_unit_test(rows_are_resampled_with_their_camera),
        cmocka_unit_test(a_missing_confidence_is_full),
        cmocka_unit_test(probabilities_of_labels),
        cmocka_unit_test(where_classes_come_from),
        cmocka_unit_test(what_a_cell_says_goes_before_the_model),
        cmocka_unit_test(batches),
        cmocka_unit_test(shapes_that_make_no_columns),
        cmocka_unit_test(impossible_inputs),
        cmocka_unit_test(blocks_cover_the_input),
        cmocka_unit_test(equal_outputs),
        cmocka_unit_test(exact_sees_every_field),
        cmocka_unit_test(lists_that_are_cut_otherwise),
        cmocka_unit_test(lists_that_make_no_sense),
        cmocka_unit_test(float_needs_a_segmentation),
        cmocka_unit_test(float_energies),
        cmocka_unit_test(float_planes),
        cmocka_unit_test(float_costs_of_stixels),
        cmocka_unit_test(float_energies_on_average),
        cmocka_unit_test(float_may_differ_in_some_columns),
        cmocka_unit_test(output_blocks_do_not_hang_on_values),
        cmocka_unit_test(work_of_both_models),
        cmocka_unit_test(dense_images),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
