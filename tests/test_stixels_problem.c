/*
 * test_stixels_problem.c - the problem stixels without any variant: its arithmetic against
 * libm, named models, what a camera makes of them, inputs made of frames, the comparison
 * against hand-made wrong outputs, the dense images
 */
#include "harness/inputs/scene.h"
#include "harness/inputs/semantic.h"
#include "harness/problems/stixels/float.h"
#include "tests/inputs.h"
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

TEST(log_of_integers)
{
    assert_int_equal(stixels_log(1), 0);
    for (uint32_t x = 1; x <= 65536; x++)
        check_log(x);
    for (uint32_t i = 0; i < 7 * 30; i++)
        check_log((UINT32_C(4) << (i / 7)) + i % 7 - 3);
    for (uint32_t i = 0; i < 200000; i++)
        check_log(1 +
                  (bench_philox(11, i, 0, 0, 0).word[0] >> draw(12, i, 0, 31)) % UINT32_MAX);
    check_log(UINT32_MAX);
}

TEST(tables_are_rounded_to_nearest)
{
    assert_int_equal(STIXELS_LN2_Q20, llroundl(0x1p20L * logl(2)));
    for (uint32_t i = 0; i <= 1024; i++)
        assert_int_equal(stixels_log_entry(i), llroundl(0x1p20L * log1pl(i / 1024.0L)));
    for (uint32_t i = 0; i < STIXELS_SOFTPLUS_LAST; i++)
        assert_int_equal(stixels_softplus_entry(i),
                         llroundl(0x1p16L * log1pl(expl(-(i / 64.0L)))));
    /* from there on less than a quarter of a unit of the result is left */
    assert_int_equal(stixels_softplus_entry(STIXELS_SOFTPLUS_LAST), 0);
}

TEST(semantic_cost_of_probabilities)
{
    assert_int_equal(STIXELS_LEAST_PROBABILITY_COST, lround(NAT * log(1e6)));
    assert_int_equal(stixels_semantic_cost(0), STIXELS_LEAST_PROBABILITY_COST);
    assert_int_equal(stixels_semantic_cost(65535), 0);
    for (uint32_t p = 1; p <= 65535; p++) {
        const int32_t found = stixels_semantic_cost(p);

        assert_true(found <= stixels_semantic_cost(p - 1) && found >= 0);
        assert_near(found, NAT * log(65535.0 / p), 0.53);
    }
}

/* ---- sums over rows ---- */

/* Rows of the largest weight and disparity are brought to a stixel's first without overflow. */
TEST(sums_at_the_ends_of_the_ranges)
{
    static struct stixels_sums sums[STIXELS_MAX_ROWS + 1];
    const struct stixels_constants_double no_ground = {.mu_a = 0};
    const double d = 65534 / 256.0;

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

TEST(row_costs_are_eq_6)
{
    static const struct {
        double p_out, sigma, z_uniform;
    } mixtures[] = {
        {0.15, 1, 128}, {0.4, 2, 128}, {0.01, 0.5, 64}, {0.999, 3, 256}, {0.5, 1, 2}};

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

/* ---- named models ---- */

#define INT(field) 1, offsetof(struct stixels_preset, field)
#define NUM(field) 0, offsetof(struct stixels_preset, field)

/* A model of our own, with another number for each key; where each is read to; b12's. */
static const struct field {
    const char *key, *value; /* NULL: an option, which it leaves out */
    int is_int;
    size_t place;
    double own, b12;
} fields[] = {
    {"data_term", "e6-min", INT(data_term), STIXELS_E6_MIN, STIXELS_E12},
    {"weight", "plain", INT(weight_squared), STIXELS_WEIGHT_PLAIN, STIXELS_WEIGHT_SQUARED},
    {"half_block", "no", INT(half_block), 0, 1},
    {"invalid", "pfeiffer", INT(invalid), 1, 0},
    {"log_z", "yes", INT(log_z), 1, 1},
    {"sigma_object", "1.25", NUM(sigma[OB]), 1.25, 1},
    {"sigma_ground", "1.5", NUM(sigma[GR]), 1.5, 1},
    {"sigma_sky", "2.5", NUM(sigma[SK]), 2.5, 2},
    {"p_out_object", "0.11", NUM(p_out[OB]), 0.11, 0.15},
    {"p_out_ground", "0.12", NUM(p_out[GR]), 0.12, 0.15},
    {"p_out_sky", "0.13", NUM(p_out[SK]), 0.13, 0.4},
    {"d_max", "99", NUM(d_max), 99, 128},
    {"p_invalid", "0.2", NUM(p_invalid), 0.2, 0.25},
    {"p_object_given_invalid", "0.25", NUM(p_geometry_given_invalid[OB]), 0.25, 0.3},
    {"p_ground_given_invalid", "0.35", NUM(p_geometry_given_invalid[GR]), 0.35, 0.34},
    {"p_sky_given_invalid", "0.4", NUM(p_geometry_given_invalid[SK]), 0.4, 0.36},
    {"s_a", "3", NUM(s_a), 3, 1},
    {"s_b", "4", NUM(s_b), 4, 1},
    {"plane_object", "-5", NUM(plane[OB]), -5, 0},
    {"plane_ground", "6", NUM(plane[GR]), 6, 0},
    {"plane_sky", "7", NUM(plane[SK]), 7, 0},
    {"weight_semantic", "0.75", NUM(weight_semantic), 0.75, 1},
    {"beta_mc", "8", NUM(beta_mc), 8, 4},
    {"gap_alpha", "9", NUM(gap_alpha), 9, 1},
    {"gap_beta", "10", NUM(gap_beta), 10, 0},
    {"behind_alpha", "11", NUM(behind_alpha), 11, 1},
    {"behind_beta", "12", NUM(behind_beta), 12, 1},
    {"hovering_alpha", "13", NUM(hovering_alpha), 13, 1},
    {"hovering_beta", "14", NUM(hovering_beta), 14, 1},
    {"ordering_alpha", "15", NUM(ordering_alpha), 15, 1},
    {"ordering_beta", "16", NUM(ordering_beta), 16, 1},
    {"ground_classes", "0 1\t31", INT(ground_classes), 0x80000003, 1 << 0 | 1 << 1 | 1 << 9},
    {"sky_classes", "10", INT(sky_classes), 1 << 10, 1 << 10},
    {"void_classes", "none", INT(void_classes), 0, 0},
    {"prior", NULL, INT(prior), STIXELS_LINEAR, STIXELS_LINEAR},
    {"direction", NULL, INT(direction), STIXELS_BOTTOM_UP, STIXELS_BOTTOM_UP},
    {"sigma_rule", NULL, INT(sigma_rule), STIXELS_SIGMA_CLASS, STIXELS_SIGMA_CLASS},
    {"zg", NULL, INT(zg), STIXELS_ZG_SIMPLE, STIXELS_ZG_SIMPLE},
    {"flat", NULL, INT(flat), 0, 0},
    {"sigma_alpha", NULL, NUM(sigma_alpha), 0, 0},
    {"sigma_height", NULL, NUM(sigma_height), 0, 0},
    {"depth_uncertainty", NULL, NUM(depth_uncertainty), 0, 0},
    {"epsilon", NULL, NUM(epsilon), 0, 0},
    {"p_ord", NULL, NUM(p_ord), 0, 0},
    {"p_grav", NULL, NUM(p_grav), 0, 0},
    {"p_blg", NULL, NUM(p_blg), 0, 0},
    {"ordering_range", NULL, NUM(ordering_range), 0, 0},
};

enum { N_LINES = 34 };

static char model_text[4096];
static struct stixels_preset parsed;

static enum bench_status parse_text(const char *text, const char *path)
{
    memset(&parsed, 0xA5, sizeof parsed);
    return stixels_preset_parse(text, strlen(text), path, &parsed);
}

/* Our own model without one of its lines, and more behind it. */
static enum bench_status parse(int without, const char *more)
{
    size_t n = 0;

    for (int i = 0; i < N_LINES; i++)
        if (i != without)
            n += (size_t)sprintf(model_text + n, "%s = %s\n", fields[i].key, fields[i].value);
    sprintf(model_text + n, "%s\n", more);
    return parse_text(model_text, "models/own.ini");
}

/* The model read has this name and our own one's fields, or b12's, but for 'others'. */
static void assert_model(const char *name, int b12, const char *others)
{
    char found[1024] = "";
    size_t n = 0;

    assert_string_equal(parsed.name, name);
    for (int i = 0; i < N_OF(fields); i++) {
        const void *const place = (const char *)&parsed + fields[i].place;
        const double value =
            fields[i].is_int ? *(const uint32_t *)place : *(const double *)place;

        if (value != (b12 ? fields[i].b12 : fields[i].own))
            n += (size_t)snprintf(found + n, sizeof found - n, "%s %.9g, ", fields[i].key,
                                  value);
    }
    assert_string_equal(found, others);
}

/* In one sentence that begins with the file. */
static void assert_refused(enum bench_status status, const char *words)
{
    static const struct stixels_preset empty;

    if (status != BENCH_EINPUT)
        fail_msg("accepted, expected '%s'", words);
    assert_says("models/own.ini:", words);
    assert_memory_equal(&parsed, &empty, sizeof parsed);
}

/* Each key is there once, and has its place. */
TEST(keys_of_models)
{
    for (int comma = 0; comma < 2 && (!comma || support_comma_locale()); comma++) {
        assert_int_equal(parse(-1, ""), BENCH_OK);
        setlocale(LC_ALL, "C");
        assert_model("own", 0, "");
    }
    for (int i = 0; i < N_OF(fields); i++) {
        char text[70];

        snprintf(text, sizeof text, "%s = nonsense", fields[i].key);
        assert_refused(parse(i, text), i < N_LINES ? "own.ini:34: " : "own.ini:35: ");
        assert_says("", fields[i].key);
        assert_says("", "expected");
        if (i >= N_LINES)
            continue;
        assert_says("", "nonsense");
        snprintf(text, sizeof text, "'%s'", fields[i].key);
        assert_refused(parse(i, ""), text);
        snprintf(text, sizeof text, "%s = %s", fields[i].key, fields[i].value);
        assert_refused(parse(-1, text), "own.ini:35: ");
    }
}

static void refuse_model(const char *bytes, size_t n, const char *words)
{
    memset(&parsed, 0xA5, sizeof parsed);
    assert_refused(stixels_preset_parse(bytes, n, "models/own.ini", &parsed), words);
}

TEST(what_is_impossible_is_named)
{
    each_damaged("model", refuse_model);
    assert_refused(parse_text("something_else_altogether = 1", "models/own.ini"), "no key");
    assert_null(strstr(bench_failure(), "did you mean"));
}

TEST(models_by_what_differs)
{
    static const struct {
        const char *text, *others; /* than b12's */
    } models[] = {
        {"like = b12", ""},
        {"like = b6", "data_term 1, "},
        {"like = gs",
         "weight 0, half_block 0, invalid 2, log_z 0, d_max 64, weight_semantic 9.23, "
         "direction 1, sigma_rule 1, sigma_alpha 0.005, sigma_height 0.05, "
         "depth_uncertainty 0.3, "},
        /* its deviations are sqrt(2) times 1, 2, 0.1, 0.05 degrees, 0.05 and 10.2: exp(-x^2),
         * not exp(-x^2 / 2) */
        {"like = dh", "data_term 2, weight 2, invalid 1, sigma_object 1.41421356, "
                      "sigma_ground 2.82842712, sigma_sky 0.141421356, p_invalid 0, "
                      "p_object_given_invalid 0.28, p_ground_given_invalid 0.36, s_a 0, s_b 0, "
                      "weight_semantic 0, beta_mc 0, gap_alpha 0, behind_alpha 0, "
                      "behind_beta 0, hovering_alpha 0, hovering_beta 0, ordering_alpha 0, "
                      "ordering_beta 0, prior 1, sigma_rule 1, flat 1, "
                      "sigma_alpha 0.00123413415, sigma_height 0.0707106781, "
                      "depth_uncertainty 14.4249783, epsilon 3, p_ord 0.2, p_grav 0.1, "
                      "p_blg 0.04, ordering_range 10.2, "},
        {"like = b6\nd_max = 99\nvoid_classes = 3\np_invalid = 0",
         "data_term 1, d_max 99, p_invalid 0, void_classes 8, "},
        {"weight = none\nflat = yes\nlike = b6", "data_term 1, weight 2, flat 1, "},
        {"like = b6\nprior = pfeiffer\nflat = yes\nepsilon = 2.5\np_ord = 0.21\n"
         "p_grav = 0.22\np_blg = 0.23\nordering_range = 24",
         "data_term 1, prior 1, flat 1, epsilon 2.5, p_ord 0.21, p_grav 0.22, p_blg 0.23, "
         "ordering_range 24, "},
        {"like = b6\ndirection = top_down\nsigma_rule = stixel\nflat = yes\nzg = truncated\n"
         "sigma_alpha = 0.25\nsigma_height = 0.26\ndepth_uncertainty = 27",
         "data_term 1, direction 1, sigma_rule 1, zg 1, flat 1, sigma_alpha 0.25, "
         "sigma_height 0.26, depth_uncertainty 27, "},
    };

    for (int i = 0; i < N_OF(models); i++) {
        assert_int_equal(parse_text(models[i].text, "own.ini"), BENCH_OK);
        assert_model("own", 1, models[i].others);
    }
}

/* ---- what a camera makes of a model ---- */

/*
 * A point on the road: its image row, and fx B / depth.  The mean of a block's rows is at their
 * centre; v counts from the last row that is left, so that rows cut off at the bottom change
 * nothing above.
 */
TEST(ground_of_a_camera)
{
    struct camera cameras[] = {city, city, city, city};
    struct stixels_preset preset = named("b12");
    struct stixels_model model = model_of(&preset, &city, 1, 1024, 19);

    assert_near(model.mu_b, -0.17144, 5e-6);
    assert_near(model.mu_b * 1023 + model.mu_a, -73.227, 5e-4); /* in the top row */
    cameras[1].fy_px = city.fx_px / 2;
    cameras[1].pitch_rad = 0;
    cameras[2].pitch_rad = -0.3; /* looks up */
    cameras[3].pitch_rad = 0.4;  /* down: road up to the top */
    for (int i = 0; i < N_OF(cameras); i++)
        for (int s = 1; s <= 16; s++)
            for (int z = 5; z < 200; z *= 2) {
                const struct camera *const c = &cameras[i];
                const double sine = sin(c->pitch_rad), cosine = cos(c->pitch_rad);
                const double depth = c->height_m * sine + z * cosine;
                const double row =
                    c->cy_px + c->fy_px * (c->height_m * cosine - z * sine) / depth;
                const int n = 1024 / s - z % 4, half = z < 20;
                int h;

                preset.half_block = half;
                model = model_of(&preset, c, s, n, 19);
                assert_near(model.mu_b * (n - 1 - (row - half * (s - 1) / 2.0) / s) +
                                model.mu_a,
                            c->fx_px * c->baseline_m / depth, 1e-9);
                h = model.horizon; /* the last row of road, or n */
                assert_true(h == n ? model.mu_b * (n - 1) + model.mu_a > 0
                                   : model.mu_b * (h + 1) + model.mu_a <= 0 &&
                                         (h < 0 || model.mu_b * h + model.mu_a > 0));
            }
    cameras[0].fy_px = 0; /* means fx */
    assert_true(model_of(&preset, cameras, 1, 9, 19).mu_a ==
                model_of(&preset, &city, 1, 9, 19).mu_a);
}

/* test_stixels_general.c holds its constants against the preset. */
TEST(the_rest_of_a_model)
{
    struct stixels_model m;

    assert_int_equal(parse(-1, ""), BENCH_OK);
    parsed.void_classes = 1 << 4;
    m = model_of(&parsed, &city, 8, 128, 19);
    assert_true(m.gap_alpha == 9 && m.gap_beta == 10 && m.behind_alpha == 11 &&
                m.behind_beta == 12 && m.hovering_alpha == 13 && m.hovering_beta == 14 &&
                m.ordering_alpha == 15 && m.ordering_beta == 16);
    assert_int_equal(m.n_classes, 19);
    for (int k = 0; k < STIXELS_MAX_CLASSES; k++) {
        const int of_19 = k == 4 ? -1 : k < 2 ? GR : k == 10 ? SK : OB;

        assert_int_equal(m.geometry_of[k], k < 19 ? of_19 : -1);
    }
}

/* ---- parameters ---- */

static struct bench_params checked(struct bench_params params)
{
    assert_int_equal(stixels_problem.check(&params), BENCH_OK);
    return params;
}

#define PARAMS(...) checked(PARAMS_OF(stixels_problem, __VA_ARGS__))

TEST(references_are_exact)
{
    const struct bench_params cell = PARAMS("block", "1x16", "w_l", "0");
    struct bench_params reference;

    assert_true(bench_is(&cell, "arith", "float"));
    assert_int_equal(stixels_problem.match(&cell), BENCH_WITHIN);
    stixels_problem.reference_params(&cell, &reference);
    assert_true(bench_is(&reference, "arith", "exact"));
    assert_true(bench_is(&reference, "block", "1x16") && bench_is(&reference, "w_l", "0"));
    assert_int_equal(reference.n, cell.n);
    assert_int_equal(stixels_problem.match(&reference), BENCH_EXACT);
}

/* A model without an exact form: float is held against float. */
TEST(references_of_a_truncated_model)
{
    for (int i = 0; i < 4; i++) {
        const int truncated = i / 2, exact = i % 2;
        const char *const path = scratch("own.ini");
        struct bench_params cell, reference;

        if (strlen(path) >= BENCH_MAX_VALUE) /* no parameter holds it */
            skip();
        snprintf(model_text, sizeof model_text, "like = b12\nzg = %s",
                 truncated ? "truncated" : "simple");
        write_bytes(path, model_text, strlen(model_text));
        cell = PARAMS("model", path, "arith", exact ? "exact" : "float");
        stixels_problem.reference_params(&cell, &reference);
        assert_true(bench_is(&reference, "arith", truncated && !exact ? "float" : "exact"));
    }
}

/* ---- inputs ---- */

static void free_plane(void *plane)
{
    plane_free(plane);
    free(plane);
}

#define DROP(array) (free(array), (array) = NULL)

/* Every value tells its place: no two pixels of a frame have the same disparity.  n_classes 0:
 * without probabilities. */
static struct plane *frame_of(const char *name, int width, int height, int n_classes)
{
    const size_t n = (size_t)width * (size_t)height;
    struct plane *const frame = keep(calloc(1, sizeof *frame), free_plane);

    assert_int_equal(plane_alloc(frame, width, height), BENCH_OK);
    snprintf(frame->name, sizeof frame->name, "%s", name);
    frame->camera = city;
    frame->confidence = malloc(n);
    frame->truth = malloc(n * sizeof *frame->truth);
    frame->truth_class = malloc(n);
    frame->n_classes = n_classes;
    frame->probability =
        n_classes ? malloc(n * (size_t)n_classes * sizeof *frame->probability) : NULL;
    assert_true(frame->confidence && frame->truth && frame->truth_class);
    for (size_t i = 0; i < n; i++) {
        frame->disparity[i] = (uint16_t)i;
        frame->confidence[i] = (uint8_t)(7 * i);
        frame->truth[i] = (uint16_t)(60000 - i);
        frame->truth_class[i] = (uint8_t)(i % 21 < 20 ? i % 21 : 255);
    }
    for (size_t i = 0; i < n * (size_t)n_classes; i++)
        frame->probability[i] = (uint16_t)(i * 31);
    return frame;
}

#define FRAMES(...)                               \
    ((const struct plane *const[]){__VA_ARGS__}), \
        N_OF(((const struct plane *const[]){__VA_ARGS__}))

static struct stixels_input *input_of(const struct plane *const *frames, int n,
                                      struct bench_params params)
{
    void *input = NULL;

    if (stixels_problem.make_input(&params, frames, n, &input) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return keep(input, stixels_problem.free_input);
}

static void assert_no_input(const struct plane *const *frames, int n,
                            struct bench_params params, const char *sentence)
{
    void *input = &input;

    assert_true(stixels_problem.make_input(&params, frames, n, &input) != BENCH_OK);
    assert_null(input);
    assert_says("", sentence);
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

#define COLUMNS(n) PARAMS("block", "4x3", "classes", "5", "columns", n)

TEST(a_few_columns_of_many)
{
    static const int taken[3] = {1, 3, 5}; /* of 7: (2 i + 1) 7 / 6 */
    const struct plane *const frame = frame_of("columns", 23, 10, 5);
    const struct stixels_input *in = input_of(FRAMES(frame), COLUMNS("3"));

    assert_true(in->n_cols == 3 && in->width == 9);
    assert_int_equal(in->dropped_pixels, 9 * 2); /* below the columns that are taken */
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 9; x++)
            assert_pixel(in, 0, x, y, frame, 3 * taken[x / 3] + x % 3, y);
    assert_no_input(FRAMES(frame), COLUMNS("8"), "columns = 8, but columns has 7");
}

TEST(rows_are_resampled_with_their_camera)
{
    struct plane *const frame = frame_of("rows", 20, 10, 5);
    struct camera *const camera = &frame->camera;
    struct stixels_input *in;

    camera->cy_px = 3; /* the road is in these 10 rows */
    camera->fy_px = 100;
    camera->pitch_rad = 0.01;
    in = input_of(FRAMES(frame), PARAMS("block", "1x3", "classes", "5", "height", "25"));
    assert_int_equal(in->height, 25);
    assert_int_equal(in->dropped_pixels, 25 * 2);
    for (int y = 0; y < 25; y++) {
        const double row = (y + 0.5) * 0.4 - 0.5; /* aligned centres: (y + 1/2) 10 / 25 */

        for (int x = 0; x < 18; x++)
            assert_pixel(in, 0, x, y, frame, x, (int)(row + 0.5));
        /* the road's disparity at a place of the scene is what it was */
        assert_near(in->model[0].mu_b * (24 - y) + in->model[0].mu_a,
                    camera->baseline_m / camera->height_m * camera->fx_px *
                        (cos(0.01) * (row - 3) / 100 + sin(0.01)),
                    1e-10);
    }
    in = input_of(FRAMES(frame), PARAMS("block", "2x3", "classes", "5", "height", "6"));
    assert_int_equal(in->n_rows, 3);
    for (int y = 0; y < 6; y++)
        assert_pixel(in, 0, 5, y, frame, 5, (2 * y + 1) * 10 / 12);
}

/* FNV-1a, 64 bits: the known value of the three letters. */
#define SEED_OF_FOO UINT64_C(0xdcb27518fed9d577)

TEST(probabilities_of_labels)
{
    static const char *const levels[] = {"easy", "normal", "hard"};
    static uint16_t expected[19][32][40];

    for (int level = 0; level < 3; level++) {
        const struct semantic_noise noise = semantic_noise_of((enum scene_level)level);
        /* probabilities are not what is asked for */
        struct plane *const frame = frame_of("foo", 40, 32, level == 1 ? 3 : 0);
        struct stixels_input *in;

        for (int i = 0; i < 40 * 32; i++) /* patches of classes, some unlabelled */
            frame->truth_class[i] = (uint8_t)(i % 40 / 10 + 4 * (i / 400));
        frame->truth_class[77] = 255;
        in = input_of(FRAMES(frame), PARAMS("block", "4x9", "semantic_noise", levels[level],
                                            "semantic", "labels"));
        assert_int_equal(in->n_classes, 19);
        assert_int_equal(semantic_from_labels(frame->truth_class, 40, 32, 19, &noise,
                                              SEED_OF_FOO, expected[0][0]),
                         BENCH_OK);
        for (int c = 0; c < 19; c++)
            for (int y = 0; y < 32; y++)
                assert_memory_equal(in->probability + (32 * c + y) * 36, expected[c][y],
                                    36 * sizeof ***expected);
    }
}

TEST(where_classes_come_from)
{
    const struct bench_params params = PARAMS("block", "4", "classes", "7");
    struct plane *const bare = frame_of("bare", 16, 16, 0);
    struct plane *const both = frame_of("both", 16, 16, 7);
    struct stixels_input *in = input_of(FRAMES(both), params);

    assert_memory_equal(in->probability, both->probability, 16 * 16 * 7 * 2);
    for (int i = 0; i < 256; i++)
        assert_int_equal(in->truth_class[i],
                         both->truth_class[i] < 7 ? both->truth_class[i] : 255);
    assert_no_input(FRAMES(both, bare), params, "both and bare have not: give semantic");
    in = input_of(FRAMES(bare), params); /* of its labels */
    assert_true(in->n_classes == 7 && in->model[0].n_classes == 7);
    in = input_of(FRAMES(both), PARAMS("block", "4", "classes", "0"));
    assert_true(in->n_classes == 0 && !in->probability && !in->truth_class && in->truth);
    DROP(bare->truth_class);
    assert_int_equal(input_of(FRAMES(bare), params)->n_classes, 0);
}

/* Pixels beyond whole blocks are cut off on the right and at the bottom. */
TEST(batches_of_cut_frames)
{
    const struct bench_params params = PARAMS("block", "4x3", "classes", "5");
    const struct bench_params height = PARAMS("block", "4x3", "classes", "5", "height", "16");
    struct plane *const a = frame_of("first", 20, 18, 5), *const b =
                                                              frame_of("second", 20, 18, 5);
    const struct plane *const same[] = {a, b, a}, *const taller = frame_of("taller", 20, 19, 5);
    const struct stixels_preset b12 = named("b12");
    struct stixels_input *in;

    b->camera.height_m = 2;
    for (int i = 0; i < 20 * 18; i++)
        b->disparity[i] = i == 9 ? X : (uint16_t)(40000 + i);
    in = input_of(same, 3, params);
    assert_true(in->n_frames == 3 && stixels_problem.n_frames(in) == 3);
    assert_true(in->height == 16 && in->width == 18);
    assert_true(in->block_rows == 4 && in->block_cols == 3);
    assert_true(in->n_rows == 4 && in->n_cols == 6 && in->n_classes == 5);
    assert_int_equal(in->dropped_pixels, 20 * 18 - 16 * 18);
    for (int k = 0; k < 3; k++) {
        struct stixels_model expected;

        for (int i = 0; i < 16 * 18; i++)
            assert_pixel(in, k, i % 18, i / 18, same[k], i % 18, i / 18);
        expected = model_of(&b12, &same[k]->camera, 4, 4, 5);
        assert_memory_equal(&in->model[k], &expected, sizeof expected);
    }

    assert_no_input(FRAMES(a, taller), params, "first has 20 x 18 and taller has 20 x 19");
    in = input_of(FRAMES(a, taller), height);
    assert_pixel(in, 1, 17, 15, taller, 17, 31 * 19 / 32);
    assert_no_input(FRAMES(a, frame_of("wider", 21, 18, 5)), height, "wider has 21 x 16");
    assert_no_input(same, 0, params, "at least one frame");

    DROP(b->truth);      /* what one frame lacks, the batch lacks */
    DROP(b->confidence); /* but that, which is full where something is measured */
    in = input_of(same, 3, params);
    assert_true(!in->truth && in->truth_class);
    for (int i = 0; i < 18; i++)
        assert_int_equal(in->confidence[16 * 18 + i], i == 9 ? 0 : 255);
    b->camera.height_m = 0;
    assert_no_input(same, 3, params, "second: the camera's height_m");
}

TEST(impossible_inputs)
{
    struct stixels_input *in = NULL;

    assert_int_equal(stixels_input_new(1 << 20, 1024, 32768, 8, 8, 0, 0, 0, &in), BENCH_EINPUT);
    assert_says("", "fewer than 2^31");
    assert_null(in);
    stixels_problem.free_input(NULL);
    stixels_problem.free_output(NULL);
}

TEST(blocks_cover_the_input)
{
    const struct bench_params params = PARAMS("block", "4", "classes", "3");
    struct plane *const frame = frame_of("blocks", 8, 8, 3);
    const struct stixels_input *const in = input_of(FRAMES(frame), params);
    const void *const last[] = {
        &in->n_classes, &in->truth_class[63], &in->probability[3 * 64 - 1], in->model,
        &in->truth[63], &in->disparity[63],   &in->confidence[63]};
    struct bench_block blocks[BENCH_MAX_BLOCKS];

    for (int i = 0; i < N_OF(last); i++)
        assert_true(is_in_blocks(&stixels_problem, in, last[i]));
    assert_int_equal(output_bytes(&stixels_problem, guarded_output(in)), 4 * 3 + 20 * 4);
    DROP(frame->truth);
    DROP(frame->truth_class);
    assert_int_equal(stixels_problem.input_blocks(input_of(FRAMES(frame), params), blocks), 5);
}

/* ---- comparison ---- */

#define ROWS 6
#define COLS 20

/* Columns of ground, an object and sky, each of them a little different. */
static struct stixels_output *new_output(int n_cols)
{
    struct stixels_output *const out = EXAMPLE(.n_rows = ROWS, .n_cols = n_cols).out;
    int32_t n = 0;

    for (int c = 0; c < n_cols; c++) {
        const float x = (float)c;
        const struct stixel column[] = {
            {.v_top = 2, .geometry = GR, .a = 20 + x, .b = -1.5F, .cost = 7 + x},
            {.v_bottom = 3, .v_top = 4, .semantic = 13, .a = 14 + x, .cost = 100},
            {.v_bottom = 5, .v_top = 5, .geometry = SK, .semantic = NO_CLASS, .cost = 9}};

        out->first[c] = n;
        memcpy(&out->list[n], column, sizeof column);
        n += N_OF(column);
    }
    out->first[n_cols] = n;
    return out;
}

/* Against a right output of n_cols columns; words must be in what is said.  how: "exact" or
 * "float", as arith; "other": of another energy. */
static struct bench_difference compared(const char *how, int n_cols,
                                        const struct stixels_output *output, size_t n_wrong,
                                        const char *words)
{
    const int is_other = !strcmp(how, "other");
    const struct bench_params params = PARAMS("arith", is_other ? "float" : how);
    const struct stixels_input *const in =
        is_other ? EXAMPLE(.n_rows = ROWS, .n_cols = n_cols, .n_classes = 19).in : NULL;
    struct bench_difference d = {0};

    (is_other ? stixels_problem.compare_other
              : stixels_problem.compare)(&params, in, new_output(n_cols), output, &d);
    if (d.n_wrong != n_wrong || !strstr(d.where, words) || (n_wrong == 0) != !d.where[0])
        fail_msg("%s: %zu wrong, '%s'; expected %zu, '%s'", how, d.n_wrong, d.where, n_wrong,
                 words);
    return d;
}

/* Column 7's object. */
enum { AT = 7 * 3 + 1 };

/* The stixels in its place, in the order of the struct: rows, geometry, class, reserved, a, b
 * and cost; right would be 3, 4, OB, 13, 0, 21, 0, 100. */
static const struct object {
    const char *how, *wrong; /* "": nothing is */
    struct stixel stixel;
    size_t n_different;
} objects[] = {
    /* exact sees every field */
    {"exact", "stixel 1 has v_bottom 2", {2, 4, OB, 13, 0, 21, 0, 100}, 1},
    {"exact", "stixel 1 has v_top 5", {3, 5, OB, 13, 0, 21, 0, 100}, 1},
    {"exact", "stixel 1 has geometry 1", {3, 4, GR, 13, 0, 21, 0, 100}, 1},
    {"exact", "stixel 1 has semantic 14", {3, 4, OB, 14, 0, 21, 0, 100}, 1},
    {"exact", "stixel 1 has reserved 1", {3, 4, OB, 13, 1, 21, 0, 100}, 1},
    {"exact", "stixel 1 has a 21.0000019", {3, 4, OB, 13, 0, 21.000002F, 0, 100}, 1},
    {"exact", "stixel 1 has b -0", {3, 4, OB, 13, 0, 21, -0.0F, 100}, 1},
    {"exact", "stixel 1 has cost 101", {3, 4, OB, 13, 0, 21, 0, 101}, 1},
    /* of another energy any cuts at any cost, as long as they are cuts */
    {"other", "", {3, 4, OB, 13, 0, -99, 0, 1e9F}, 0},
    {"other", "", {3, 4, OB, 12, 0, 21, 0, 0}, 1},
    {"other", "", {3, 4, SK, NO_CLASS, 0, 0, 0, 0}, 1},
    {"other", "stixel 1 has geometry 0, class 19, reserved 0", {3, 4, OB, 19, 0, 0, 0, 0}, 1},
    {"other", "stixel 1 has geometry 2 with a 21", {3, 4, SK, 0, 0, 21, 0, 0}, 1},
    {"other", "stixel 1 has the rows 2 to 4", {2, 4, OB, 0, 0, 0, 0, 0}, 1},
    {"other", "stixel 1 has a inf", {3, 4, OB, 13, 0, INFINITY, 0, 0}, 0},
    /* so float */
    {"float", "rows 2 to 4, expected 3", {2, 4, OB, 0, 0, 0, 0, 100}, 1},
    {"float", "rows 4 to 4, expected 3", {4, 4, OB, 0, 0, 0, 0, 100}, 1},
    {"float", "rows 3 to 2", {3, 2, OB, 0, 0, 0, 0, 100}, 1},
    {"float", "rows 3 to 6", {3, 6, OB, 0, 0, 0, 0, 100}, 1},
    {"float", "expected 4", {3, 3, OB, 0, 0, 0, 0, 100}, 1},
    {"float", "geometry 3", {3, 4, 3, 0, 0, 0, 0, 100}, 1},
    {"float", "class 32", {3, 4, OB, 32, 0, 0, 0, 100}, 1},
    {"float", "class 254", {3, 4, OB, 254, 0, 0, 0, 100}, 1},
    {"float", "reserved 9", {3, 4, OB, 0, 9, 0, 0, 100}, 1},
    {"float", "a nan", {3, 4, OB, 0, 0, NAN, 0, 100}, 1},
    {"float", "b -inf", {3, 4, OB, 0, 0, 0, -INFINITY, 100}, 1},
    {"float", "geometry 0 with a 0, b 0.25", {3, 4, OB, 0, 0, 0, 0.25F, 100}, 1},
    {"float", "geometry 2 with a 9", {3, 4, SK, 0, 0, 9, 0, 100}, 1},
    {"float", "cost nan", {3, 4, OB, 0, 0, 0, 0, NAN}, 1},
    {"float", "cost inf", {3, 4, OB, 0, 0, 0, 0, INFINITY}, 1},
};

TEST(stixels_that_are_wrong)
{
    for (int i = 0; i < N_OF(objects); i++) {
        const struct object *const c = &objects[i];
        struct stixels_output *const o = new_output(COLS);
        struct bench_difference d;

        o->list[AT] = c->stixel;
        d = compared(c->how, COLS, o, c->wrong[0] != '\0', c->wrong);
        assert_true(!c->wrong[0] || strstr(d.where, "column 7: "));
        assert_int_equal(d.n_compared, COLS);
        if (strcmp(c->how, "float") != 0)
            assert_int_equal(d.n_different, c->n_different);
        assert_true(!isfinite((double)c->stixel.cost) == !isfinite(d.max_error));
        assert_true(strcmp(c->how, "exact") || d.max_error == (c->stixel.cost > 100));
    }
}

/* Outputs of a variant that writes nothing, or in the wrong place. */
TEST(lists_that_make_no_sense)
{
    static const int32_t begins[] = {-1, INT32_MIN, INT32_MAX, COLS * ROWS + 1, 0x25A5A5A5};
    static const char *const hows[] = {"exact", "float", "other"};
    struct stixels_output *o = new_output(COLS);

    for (size_t k = 0; k < 3; k++) {
        const size_t is_float = k == 1; /* and too many columns differ */

        o = new_output(COLS);
        o->list[COLS * ROWS - 1].reserved = 1;
        assert_int_equal(compared(hows[k], COLS, o, 1, "not 0 behind its end, 60").n_different,
                         0);
        o = new_output(COLS);
        o->first[5] = o->first[4]; /* a column of no stixels, and one of twice as many */
        compared(hows[k], COLS, o, 2 + is_float, k == 2 ? "4: its stixels are 12 to 12" : "");
        if (k == 2)
            break;
        o = new_output(COLS);
        memset(o->first, 0xA5, (COLS + 1) * sizeof *o->first);
        memset(o->list, 0xA5, COLS * ROWS * sizeof *o->list);
        compared(hows[k], COLS, o, COLS + 2 * is_float, "of the list");
        for (int i = 0; i < N_OF(begins); i++) {
            o = new_output(COLS);
            o->first[COLS / 2] = begins[i];
            compared(hows[k], COLS, o, 2 + is_float, "of the list"); /* on both sides */
        }
        o = new_output(COLS); /* one entry ahead, all else right */
        memmove(&o->list[1], o->list, COLS * 3 * sizeof *o->list);
        for (int c = 0; c <= COLS; c++)
            o->first[c]++;
        compared(hows[k], COLS, o, 1, "begins at 1, expected 0");
        compared(hows[k], COLS, new_output(COLS + 1), 1, "1 x 21 x 6");
    }
    o = new_output(COLS);
    o->list[AT + 1].v_top = 4; /* ends before it begins */
    compared("float", COLS, o, 1, "");
    o->first[8]--; /* column 7 without its sky: column 8 has it, and begins too high */
    o->list[AT + 1].v_top = 5;
    compared("float", COLS, o, 2 + 1, "end at row 4, expected 5"); /* and 2 of 20 differ */
}

/*
 * Costs and planes added to column 7, of an energy of 123 nat: off beyond 0.25 + 0.123, wrong
 * beyond 5 + 6.15; its object of 21 px and the ground's end may be 0.071 px off.  Of the first
 * columns: how many have a ground that costs 1 more (one of 20 may be off), an object 1 px
 * nearer (six), or of another class (three).
 */
TEST(float_tolerances)
{
    static const char *const off = "2 of 20 columns are off, expected at most 5 %";
    static const char *const flat = "7 of 20 columns are off in a plane, expected at most 30 %";
    static const char *const far = "frame 0, column 7: an energy of";
    const struct {
        const char *where; /* NULL: right */
        int n_costly, n_near, n_renamed;
        float ground_cost, object_cost, sky_cost, ground_a, ground_b, object_a;
    } cases[] = {
        {NULL, 1, 0, 0, 0, 0.37F, 0, 0, 0, 0},
        {off, 1, 0, 0, 0, 0.38F, 0, 0, 0, 0},
        {off, 1, 0, 0, 0, -0.38F, 0, 0, 0, 0},
        {NULL, 0, 0, 0, 0, 11.1F, 0, 0, 0, 0}, /* off, and the only one */
        {far, 0, 0, 0, 0, 11.2F, 0, 0, 0, 0},
        {far, 0, 0, 0, 0, -11.2F, 0, 0, 0, 0},
        /* the sum of a column's costs is right, and none of them */
        {NULL, 1, 0, 0, -0.37F, 0.37F, 0, 0, 0, 0},
        {off, 1, 0, 0, -0.38F, 0.38F, 0, 0, 0, 0},
        {"stixel 1 has cost 150, expected 100", 0, 0, 0, 0, 50, -50, 0, 0, 0},
        {NULL, 0, 6, 0, 0, 0, 0, 0, 0, 0},
        {NULL, 0, 6, 0, 0, 0, 0, 0, 0, 0.07F},
        {flat, 0, 6, 0, 0, 0, 0, 0, 0, 0.072F},
        {flat, 0, 6, 0, 0, 0, 0, 0, 0, -0.1F},
        {flat, 0, 6, 0, 0, 0, 0, 0, -0.1F, 0}, /* right at its bottom, then at its top */
        {flat, 0, 6, 0, 0, 0, 0, -0.2F, 0.1F, 0},
        {NULL, 0, 0, 3, 0, 0, 0, 0, 0, 0},
        {"4 of 20 columns differ, expected at most 15 %", 0, 0, 4, 0, 0, 0, 0, 0, 0},
    };

    for (int i = 0; i < N_OF(cases); i++) {
        struct stixels_output *const o = new_output(COLS);
        struct stixel *const s = &o->list[AT];
        struct bench_difference d;

        s[-1].a += cases[i].ground_a;
        s[-1].b += cases[i].ground_b;
        s[-1].cost += cases[i].ground_cost;
        s[0].a += cases[i].object_a;
        s[0].cost += cases[i].object_cost;
        s[1].cost += cases[i].sky_cost;
        for (int u = 0; u < COLS; u++) {
            o->list[3 * u].cost += (float)(u < cases[i].n_costly);
            o->list[3 * u + 1].a += (float)(u < cases[i].n_near);
            if (u < cases[i].n_renamed)
                o->list[3 * u + 1].semantic = 3;
        }
        d = compared("float", COLS, o, cases[i].where != NULL,
                     cases[i].where ? cases[i].where : "");
        assert_int_equal(d.n_different, cases[i].n_renamed);
        if (fabsf(cases[i].object_cost) > 1)
            assert_near(d.max_error, fabs((double)(cases[i].object_cost + cases[i].sky_cost)),
                        1e-4);
        if (cases[i].n_renamed == 4)
            compared("exact", COLS, o, 4, "column 0");
        if (cases[i].n_near == 6 && cases[i].object_a > 0.071F) {
            s->geometry = GR; /* another geometry has another plane */
            assert_int_equal(compared("float", COLS, o, 0, "").n_different, 1);
        }
    }
}

/* No column is off, but all are apart; 135.5 nat on average: 0.1855.  A share of few is one. */
TEST(float_tolerances_of_many_and_of_one)
{
    static const float apart[] = {0.18F, -0.18F, 0.19F, -0.19F};
    struct stixels_output *o;

    for (int k = 0; k < N_OF(apart); k++) {
        o = new_output(40);
        for (int u = 0; u < 40; u++)
            o->list[o->first[u]].cost += apart[k];
        compared("float", 40, o, k > 1,
                 k > 1 ? "energies of 40 columns differ by 0.19 nat" : "");
    }
    o = new_output(1);
    o->list[1].semantic = 3;
    assert_int_equal(compared("float", 1, o, 0, "").n_different, 1);
}

/* ---- work and dense images ---- */

TEST(work_of_models)
{
    const struct plane *const frame = frame_of("work", COLS * 2, ROWS * 2, 5);
    const struct bench_params params[] = {
        PARAMS("block", "2", "classes", "5"),                   /* stixels, */
        PARAMS("block", "2", "semantic", "off", "model", "dh"), /* not rows of them */
        PARAMS("block", "2", "semantic", "off", "model", "b6")};
    static const int bytes[] = {2 + 1 + 10, 3, 3}; /* of a pixel */
    /* of a geometry in a column */
    static const int ops[] = {6 + 5 + 4 + 3 + 2 + 1, 21, 6 + 10 + 12 + 12 + 10 + 6};

    for (int i = 0; i < 3; i++) {
        struct bench_work work = {0, 0};

        stixels_problem.count_work(input_of(FRAMES(frame), params[i]), new_output(COLS), &work);
        assert_true(work.bytes == 480 * bytes[i] + 20 * 60 + 4 * 21);
        assert_true(work.ops == COLS * 3 * ops[i]);
    }
}

/* Two frames of two columns of 4 blocks of 2 x 3 pixels: the images of frame 1. */
TEST(dense_images)
{
    static const int32_t first[] = {0, 1, 2, 5, 6};
    static const struct stixel list[] = {
        {0, 3, OB, 0, 0, 77, 0, 0},    {0, 3, OB, 0, 0, 78, 0, 0},
        {0, 1, GR, 1, 0, 6, -2, 0}, /* frame 1, column 0 */
        {2, 2, OB, 13, 0, 9.5F, 0, 0}, {3, 3, SK, NO_CLASS, 0, 0, 0, 0},
        {0, 3, GR, 9, 0, 1, -2, 0}, /* falls below 0: v = 1 is at -1 px, v = 0 at 1 px */
    };
    /* of columns 0 and 1: rows 0..7 from the top; v of row r is 3 - (r - 1/2) / 2 */
    static const float expected[8][2] = {{0, 0},    {0, 0},    {9.5F, 0},    {9.5F, 0},
                                         {3.5F, 0}, {4.5F, 0}, {5.5F, 0.5F}, {6.5F, 1.5F}};
    static const uint8_t classes[8] = {255, 255, 13, 13, 1, 1, 1, 1};
    const struct example e = BLOCKS(2, 4, 2, 2, 3, 0);
    float disparity[8 * 6 + 1] = {[48] = -7};
    uint8_t semantic[8 * 6 + 1];

    memcpy(e.out->first, first, sizeof first);
    memcpy(e.out->list, list, sizeof list);
    memset(semantic, 0xA5, sizeof semantic);
    stixels_reconstruct(e.in, e.out, 1, disparity, semantic);
    for (int i = 0; i < 48; i++) {
        assert_near((double)disparity[i], (double)expected[i / 6][i % 6 / 3], 1e-6);
        assert_int_equal(semantic[i], i % 6 < 3 ? classes[i / 6] : 9);
    }
    assert_true(disparity[48] == -7 && semantic[48] == 0xA5);
    stixels_reconstruct(e.in, e.out, 0, disparity, NULL);
    assert_true(disparity[0] == 77 && disparity[5] == 78 && disparity[47] == 78);
    stixels_reconstruct(e.in, e.out, 0, NULL, semantic);
    assert_int_equal(semantic[47], 0);
}
