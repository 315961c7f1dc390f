/*
 * preset.c - named models of stixels, and what a camera makes of one
 *
 * Source: [STX] sect. 3.1-3.4; a preset says where each of its numbers comes from.
 *
 * A preset is a list of facts without sections, each key of 'keys' and of the three lists of
 * classes once, or as in the built-in model that the key 'like' names.  The presets of
 * harness/problems/stixels/presets/ are built in: make writes them as bytes into presets.h.
 *
 * Constants per row, in 1/1024 nat, with Z_G = sigma sqrt(pi), Z_U = d_max (log_z = no: log Z_G
 * left out), and for invalid = pfeiffer the probability p = P(g | invalid) P(invalid) / P(g) of
 * no measurement, P(g) = 1/3:
 *
 *                    k_valid                           k_invalid
 *     literal        e12: log Z_G; e6: 0               a valid row's least cost, r = 0
 *     pfeiffer       the same - log(1 - p)             -log p
 *     zero           the same                          0
 *
 *     e6             k_uniform = log p_out - log Z_U   k_gauss = log(1 - p_out) - log Z_G
 *
 * With p = 0 pfeiffer's -log p is infinite in every geometry alike and left out: k_invalid = 0.
 * If each stixel has a Z_G (sigma_rule = stixel, zg = truncated), its log is in none of them:
 * model.own_log_z.
 */
#include "harness/base/ini.h"
#include "harness/base/params.h"
#include "harness/problems/stixels/stixels.h"
#include "harness/inputs/camera.h"
#include "harness/inputs/keys.h"
#include "presets.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the keys ---- */

/* X(key, member, default, words, help), words in the order of their numbers, and X(key, member,
 * unit, min, max, help); a struct stixels_model has those of MODEL_..., too. */
/* clang-format off */
#define MODEL_WORDS(X)                                                                         \
    X(data_term, data_term, NULL, "e12|e6|e6-min", "e12, e6, or the cheaper part of e6")       \
    X(weight, weight_squared, NULL, "plain|squared|none", "w = c, w = c^2 or w = 1")           \
    X(prior, prior, "linear", "linear|pfeiffer", "what neighbours cost")                       \
    X(direction, direction, "bottom_up", "bottom_up|top_down", "where a column begins")        \
    X(sigma_rule, sigma_rule, "class", "class|stixel", "deviation of a geometry, or stixel")   \
    X(zg, zg, "simple", "simple|truncated", "Z_G of the whole Gaussian, or cut off")           \
    X(flat, flat, "no", "no|yes", "disparity alone: ground is the expected road")

#define OWN_WORDS(X)                                                                           \
    X(half_block, half_block, NULL, "no|yes", "expected ground at a block row's centre")       \
    X(invalid, invalid, NULL, "literal|pfeiffer|zero", "what a row without a disparity costs") \
    X(log_z, log_z, NULL, "no|yes", "log Z_G for every row")

#define MODEL_NUMBERS(X)                                                                       \
    X(sigma_object, sigma[STIXELS_OBJECT], "px", 0.01, 100, "deviation of an object")          \
    X(sigma_ground, sigma[STIXELS_GROUND], "px", 0.01, 100, "deviation of the ground")         \
    X(sigma_sky, sigma[STIXELS_SKY], "px", 0.01, 100, "deviation of the sky")                  \
    X(d_max, d_max, "px", 1, 256, "range of disparities")                                      \
    X(plane_object, plane[STIXELS_OBJECT], "nat", -1e4, 1e4, "constant of the plane prior")    \
    X(plane_ground, plane[STIXELS_GROUND], "nat", -1e4, 1e4, "constant of the plane prior")    \
    X(plane_sky, plane[STIXELS_SKY], "nat", -1e4, 1e4, "constant of the plane prior")          \
    X(weight_semantic, weight_semantic, "", 0, 1e4, "w_l")                                     \
    X(beta_mc, beta_mc, "nat", 0, 1e4, "for every stixel")                                     \
    X(gap_alpha, gap_alpha, "nat", 0, 1e4, "ground on ground")                                 \
    X(gap_beta, gap_beta, "nat", 0, 1e4, "ground on ground, per px")                           \
    X(behind_alpha, behind_alpha, "nat", 0, 1e4, "object behind its ground")                   \
    X(behind_beta, behind_beta, "nat", 0, 1e4, "object behind its ground, per px")             \
    X(hovering_alpha, hovering_alpha, "nat", 0, 1e4, "object in front of its ground")          \
    X(hovering_beta, hovering_beta, "nat", 0, 1e4, "object in front of its ground, per px")    \
    X(ordering_alpha, ordering_alpha, "nat", 0, 1e4, "upper object in front")                  \
    X(ordering_beta, ordering_beta, "nat", 0, 1e4, "upper object in front, per px")

#define OWN_NUMBERS(X)                                                                         \
    X(p_out_object, p_out[STIXELS_OBJECT], "", 1e-6, 0.999999, "share of outliers")            \
    X(p_out_ground, p_out[STIXELS_GROUND], "", 1e-6, 0.999999, "share of outliers")            \
    X(p_out_sky, p_out[STIXELS_SKY], "", 1e-6, 0.999999, "share of outliers")                  \
    X(p_invalid, p_invalid, "", 0, 0.999, "rows without a disparity; 0: they are free")        \
    X(p_object_given_invalid, p_geometry_given_invalid[STIXELS_OBJECT], "", 1e-3, 1, "share")  \
    X(p_ground_given_invalid, p_geometry_given_invalid[STIXELS_GROUND], "", 1e-3, 1, "share")  \
    X(p_sky_given_invalid, p_geometry_given_invalid[STIXELS_SKY], "", 1e-3, 1, "share")        \
    X(s_a, s_a, "px", 0, 1e6, "deviation of the ground's intercept; 0: no prior")              \
    X(s_b, s_b, "px", 0, 1e6, "deviation of the ground's slope per block row; 0: no prior")

/* Keys needed only where another says so: X(key, unit, min, max, other, its word, help) */
#define OPTIONS(X)                                                                             \
    X(sigma_alpha, "rad", 0, 1, "sigma_rule", "stixel", "deviation of the camera's pitch")     \
    X(sigma_height, "m", 0, 100, "sigma_rule", "stixel", "deviation of the camera's height")   \
    X(depth_uncertainty, "m", 0, 1e4, "sigma_rule", "stixel", "deviation of object depth")     \
    X(epsilon, "px", 0.01, 100, "prior", "pfeiffer", "disparities that are one")               \
    X(p_ord, "", 1e-6, 0.999999, "prior", "pfeiffer", "upper object before the lower")         \
    X(p_grav, "", 1e-6, 0.999999, "prior", "pfeiffer", "object in front of its ground")        \
    X(p_blg, "", 1e-6, 0.999999, "prior", "pfeiffer", "object farther than its ground")        \
    X(ordering_range, "m", 0, 1e4, "prior", "pfeiffer", "how far an object reaches into depth")
/* clang-format on */

#define OPTION_KEY(key, unit, min, max, by, word, help) \
    {#key, NULL, unit, help, BENCH_REAL, min, max, NULL},
#define NUMBER_KEY(key, member, unit, min, max, help) \
    {#key, NULL, unit, help, BENCH_REAL, min, max, NULL},

#define WORD_KEY(key, member, default_text, choices, help) \
    {#key, default_text, "", help, BENCH_CHOICE, 0, 0, choices},
#define NO_KEY                                        \
    {                                                 \
        NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL \
    }

/* clang-format off */
static const struct bench_key keys[] = {MODEL_WORDS(WORD_KEY) OWN_WORDS(WORD_KEY)
    MODEL_NUMBERS(NUMBER_KEY) OWN_NUMBERS(NUMBER_KEY) NO_KEY};
static const struct bench_key option_keys[] = {OPTIONS(OPTION_KEY) NO_KEY};

/* Lists of numbers are no words: they are read apart. */
static const struct bench_key list_keys[] = {
    WORD_KEY(ground_classes, , NULL, NULL, "semantic classes that are ground")
    WORD_KEY(sky_classes, , NULL, NULL, "semantic classes that are sky")
    WORD_KEY(void_classes, , NULL, NULL, "semantic classes never chosen")
    NO_KEY
};
/* clang-format on */

/* ---- reading ---- */

/* "0 1 9" or "none" -> bits */
static enum bench_status read_classes(const struct ini_file *ini, const struct bench_key *key,
                                      uint32_t *classes)
{
    const struct ini_fact *const fact = ini_find(ini, "", key->name);
    const char *const path = ini->path, *at = fact ? fact->value : "";
    uint32_t found = 0;

    REFUSE_IF(fact == NULL, "%s: key '%s' must be given (%s)", path, key->name, key->help);
    if (strcmp(at, "none") == 0)
        return BENCH_OK;
    do {
        const size_t n = strspn(at, "0123456789");
        const unsigned number = (unsigned)strtoul(at, NULL, 10);

        REFUSE_IF(n < 1 || n > 2 || number >= STIXELS_MAX_CLASSES || !strchr(" \t", at[n]),
                  "%s:%d: %s: expected none, or a list of classes of 0..%d with blanks between "
                  "them, found '%.80s'",
                  path, fact->line, fact->key, STIXELS_MAX_CLASSES - 1, at);
        REFUSE_IF(found >> number & 1, "%s:%d: %s: class %u is there twice", path, fact->line,
                  fact->key, number);
        found |= UINT32_C(1) << number;
        at += n + strspn(at + n, " \t");
    } while (*at != '\0');
    *classes = found;
    return BENCH_OK;
}

static enum bench_status unknown_key(const char *path, const struct ini_fact *fact)
{
    const struct bench_key *const all[] = {keys, option_keys, list_keys, NULL};
    struct nearest near = nearest_to(fact->key);

    bench_offer_keys(&near, all);
    return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a model of stixels has no key '%s'%s", path,
                      fact->line, fact->key, nearest_text(&near));
}

/* Every fact once: ini.h refuses a key that is given twice. */
static enum bench_status read_facts(const struct ini_file *ini, struct bench_params *params)
{
    for (int i = 0; i < ini->n_facts; i++) {
        const struct ini_fact *fact = &ini->fact[i];
        const struct bench_key *number = bench_find_key(keys, fact->key);
        const struct bench_key *key = number ? number : bench_find_key(option_keys, fact->key);
        char where[256];

        REFUSE_IF(fact->section[0] != '\0',
                  "%s:%d: a model of stixels has no sections, found [%s]", ini->path,
                  fact->line, fact->section);
        snprintf(where, sizeof where, "%.200s:%d", ini->path, fact->line);
        if (key != NULL)
            TRY(bench_params_set(params, key, fact->value, where));
        else if (bench_find_key(list_keys, fact->key) == NULL && strcmp(fact->key, "like") != 0)
            return unknown_key(ini->path, fact);
    }
    return bench_params_default(params, keys, ini->path);
}

/* P(no measurement | g), with P(g) = 1/3. */
static double p_no_measurement(const struct stixels_preset *preset, int g)
{
    return 3 * preset->p_geometry_given_invalid[g] * preset->p_invalid;
}

/* Checks what the keys' own ranges cannot say. */
static enum bench_status check_together(const struct ini_file *ini,
                                        const struct stixels_preset *p)
{
    const double *const given_invalid = p->p_geometry_given_invalid;
    const double sum = given_invalid[0] + given_invalid[1] + given_invalid[2];
    const int pfeiffer = p->prior == STIXELS_PFEIFFER, e12 = p->data_term == STIXELS_E12;
    const int general = pfeiffer || p->direction != STIXELS_BOTTOM_UP ||
                        p->sigma_rule != STIXELS_SIGMA_CLASS || p->zg != STIXELS_ZG_SIMPLE ||
                        p->weight_squared == STIXELS_WEIGHT_NONE;
    const struct {
        int right;
        const char *key, *sentence;
    } rules[] = {
        {sum > 1 - 1e-6 && sum < 1 + 1e-6, "p_object_given_invalid",
         "expected the three shares, of object, ground and sky, to add up to 1"},
        {p_no_measurement(p, STIXELS_OBJECT) <= 0.999 &&
             p_no_measurement(p, STIXELS_GROUND) <= 0.999 &&
             p_no_measurement(p, STIXELS_SKY) <= 0.999,
         "p_invalid",
         "expected 3 p_invalid p_..._given_invalid, a class's share of rows without a "
         "disparity, to be at most 0.999"},
        {p->p_invalid == 0 || p->p_invalid >= 1e-4, "p_invalid",
         "expected 0 (no such rows) or at least 0.0001"},
        {e12 || p->log_z, "log_z", "eq. 6 adds two densities and cannot leave Z_G out"},
        {p->s_a == 0 || p->s_a >= 1e-3, "s_a", "expected 0 (no prior) or at least 0.001 px"},
        {p->s_b == 0 || p->s_b >= 1e-3, "s_b", "expected 0 (no prior) or at least 0.001 px"},
        {!(p->sky_classes & p->ground_classes), "sky_classes",
         "one of them is among ground_classes too"},
        {!(p->void_classes & (p->ground_classes | p->sky_classes)), "void_classes",
         "one of them is among ground_classes or sky_classes too"},
        {!(p->flat && e12), "flat",
         "expected data_term = e6 or e6-min, whose rows have a bounded cost"},
        {p->flat || !general || e12, "data_term",
         "slanted stixels of eq. 6 have weight = squared or plain, prior = linear, direction = "
         "bottom_up, sigma_rule = class and zg = simple"},
        {p->zg == STIXELS_ZG_SIMPLE || p->log_z, "zg", "there is no Z_G with log_z = no"},
        {!pfeiffer || p->p_grav + p->p_blg <= 0.999999, "p_grav",
         "expected p_grav + p_blg below 1"},
        {!pfeiffer || p->epsilon < p->d_max, "epsilon", "expected less than d_max"},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct ini_fact *const fact = ini_find(ini, "", rules[i].key);

        REFUSE_IF(!rules[i].right, "%s:%d: %s = %s: %s", ini->path, fact->line, fact->key,
                  fact->value, rules[i].sentence);
    }
    return BENCH_OK;
}

/* A number that is there, or must be since 'by' = 'word'; 0: neither. */
static enum bench_status read_option(const struct ini_file *ini,
                                     const struct bench_params *params, const char *key,
                                     const char *by, const char *word, double *number)
{
    *number = 0;
    if (bench_has(params, key))
        *number = bench_real(params, key);
    else if (bench_is(params, by, word))
        return BENCH_FAIL(BENCH_EINPUT, "%s: key '%s' must be given where %s = %s (%s)",
                          ini->path, key, by, word, bench_find_key(option_keys, key)->help);
    return BENCH_OK;
}

#define SET_OPTION(key, unit, min, max, by, word, help) \
    TRY(read_option(ini, &params, #key, by, word, &preset->key));
#define SET_NUMBER(key, member, unit, min, max, help) \
    preset->member = bench_real(&params, #key);
#define SET_WORD(key, member, default_text, choices, help) \
    preset->member = bench_choice(choices, bench_word(&params, #key));

static enum bench_status interpret(const struct ini_file *ini, struct stixels_preset *preset)
{
    struct bench_params params = {.n = 0};

    TRY(keys_name(ini->path, "a model", preset->name, sizeof preset->name));
    TRY(read_facts(ini, &params));
    TRY(read_classes(ini, &list_keys[0], &preset->ground_classes));
    TRY(read_classes(ini, &list_keys[1], &preset->sky_classes));
    TRY(read_classes(ini, &list_keys[2], &preset->void_classes));
    MODEL_WORDS(SET_WORD)
    OWN_WORDS(SET_WORD)
    MODEL_NUMBERS(SET_NUMBER)
    OWN_NUMBERS(SET_NUMBER)
    OPTIONS(SET_OPTION)
    return check_together(ini, preset);
}

#define BUILT_IN(name, bytes) {name, bytes, sizeof bytes},

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t n_bytes;
} built_in[] = {PRESETS(BUILT_IN)};

int stixels_preset_is_file(const char *name)
{
    const size_t n = strlen(name);

    return n > 4 && strcmp(name + n - 4, ".ini") == 0;
}

/* The facts of a built-in model; 'where' begins the sentence that there is none. */
static enum bench_status read_model(const char *name, const char *where, struct ini_file *ini)
{
    char text[256] = "";
    size_t n = 0;

    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        if (strcmp(name, built_in[i].name) == 0) {
            snprintf(text, sizeof text, "%s.ini", name);
            return ini_parse_text((const char *)built_in[i].bytes, built_in[i].n_bytes, text,
                                  ini);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "%s, ", built_in[i].name);
    }
    return BENCH_FAIL(BENCH_EINPUT, "%s: expected %sor a file that ends in .ini, found '%s'",
                      where, text, name);
}

/* Adds what the built-in model has that 'like' names, in the place of that key's line. */
static enum bench_status inherit(struct ini_file *ini)
{
    const struct ini_fact *const like = ini_find(ini, "", "like");
    const int line = like ? like->line : 0;
    OWNED(ini_free) struct ini_file base = {0};
    char where[256];

    if (like == NULL)
        return BENCH_OK;
    snprintf(where, sizeof where, "%.200s:%d: like", ini->path, line);
    TRY(read_model(like->value, where, &base));
    TRY(inherit(&base)); /* which ends: none is like itself */
    for (int i = 0; i < base.n_facts; i++)
        if (ini_find(ini, "", base.fact[i].key) == NULL)
            TRY(ini_add(ini, "", base.fact[i].key, base.fact[i].value, line));
    return BENCH_OK;
}

/* 'ini' is empty where 'status' is a failure. */
static enum bench_status finish(enum bench_status status, struct ini_file *ini,
                                struct stixels_preset *preset)
{
    struct stixels_preset found = {.name = ""};

    memset(preset, 0, sizeof *preset);
    TRY(status);
    TRY(inherit(ini));
    TRY(interpret(ini, &found));
    *preset = found;
    return BENCH_OK;
}

enum bench_status stixels_preset_parse(const char *text, size_t n_bytes, const char *path,
                                       struct stixels_preset *preset)
{
    OWNED(ini_free) struct ini_file ini = {0};

    return finish(ini_parse_text(text, n_bytes, path, &ini), &ini, preset);
}

enum bench_status stixels_preset_read(const char *name, struct stixels_preset *preset)
{
    OWNED(ini_free) struct ini_file ini = {0};

    return finish(stixels_preset_is_file(name) ? ini_read(name, &ini)
                                               : read_model(name, "model", &ini),
                  &ini, preset);
}

/* ---- what a camera makes of it ---- */

/* log(x) in 1/1024 nat by the integer table, for x around 'one' / 2^16 .. 2^32 / 'one'. */
static int32_t log_q10(double x, uint32_t one)
{
    const double scaled = x * one + 0.5;

    assert(scaled >= 1 && scaled <= UINT32_MAX);
    return stixels_log((uint32_t)scaled) - stixels_log(one);
}

#define ONE_PX          (UINT32_C(1) << 16) /* lengths: up to 65535 px */
#define ONE_PROBABILITY (UINT32_C(1) << 31)
#define SQRT_PI         1.7724538509055160273

/* sin and cos, |x| <= pi / 2, by their series of + * /: a camera gives the same bits
 * everywhere. */
static void sin_cos(double x, double *sin_x, double *cos_x)
{
    double term = 1, sums[2] = {0, 0};

    for (int n = 0; n < 30; n++) { /* (pi / 2)^30 / 30! < 1e-26 */
        sums[n % 2] += n % 4 < 2 ? term : -term;
        term = term * x / (n + 1);
    }
    *cos_x = sums[0];
    *sin_x = sums[1];
}

/*
 * The expected ground in block rows from the bottom, and the horizon.  A ray of image row r
 * meets a level road at the disparity m r + n below; block row j from the top is at r = j
 * block_rows + (block_rows - 1) / 2, its centre, and v = n_rows - 1 - j.
 */
static enum bench_status expect_ground(const struct stixels_preset *preset,
                                       const struct camera *camera, const char *name,
                                       int block_rows, int n_rows, struct stixels_model *model)
{
    const double fy = camera->fy_px > 0 ? camera->fy_px : camera->fx_px;
    const double per_height = camera->baseline_m / camera->height_m,
                 aspect = camera->fx_px / fy;
    double sin_pitch, cos_pitch, m, n, slope, top, bottom;
    int v = 0;

    sin_cos(camera->pitch_rad, &sin_pitch, &cos_pitch);
    m = per_height * aspect * cos_pitch;
    n = per_height * (camera->fx_px * sin_pitch - aspect * camera->cy_px * cos_pitch);
    slope = block_rows * m;
    top = preset->half_block ? n + m * ((block_rows - 1) / 2.0) : n;
    bottom = top + slope * (n_rows - 1);
    REFUSE_IF(!(fabs(top) <= 1e6 && fabs(bottom) <= 1e6),
              "%s: with this camera the road's disparity would be %g px at the top of the "
              "image and %g px at the bottom",
              name, top, bottom);
    model->mu_b = -slope;
    model->mu_a = bottom;
    while (v < n_rows && model->mu_b * v + model->mu_a > 0)
        v++;
    model->horizon = v == n_rows ? n_rows : v - 1;
    return BENCH_OK;
}

static void set_constants(const struct stixels_preset *preset, struct stixels_model *model)
{
    const int mixture = preset->data_term != STIXELS_E12;
    const int own_log_z = preset->log_z && (preset->sigma_rule == STIXELS_SIGMA_STIXEL ||
                                            preset->zg == STIXELS_ZG_TRUNCATED);
    const int class_log_z = preset->log_z && !own_log_z;

    model->own_log_z = own_log_z;
    model->invalid_literal = preset->invalid == 0;
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        const int32_t log_z = class_log_z ? log_q10(preset->sigma[g] * SQRT_PI, ONE_PX) : 0;
        const double p = p_no_measurement(preset, g);

        if (mixture) {
            model->k_uniform[g] =
                log_q10(preset->p_out[g], ONE_PROBABILITY) - log_q10(preset->d_max, ONE_PX);
            model->k_gauss[g] = log_q10(1 - preset->p_out[g], ONE_PROBABILITY) - log_z;
        }
        model->k_valid[g] = mixture ? 0 : log_z;
        if (preset->invalid == 0) {
            model->k_invalid[g] = mixture ? stixels_row_cost(model, g, 0.0) : log_z;
        } else if (preset->invalid == 1 && p > 0) {
            model->k_valid[g] -= log_q10(1 - p, ONE_PROBABILITY);
            model->k_invalid[g] = -log_q10(p, ONE_PROBABILITY);
        }
    }
}

/* The deviations of sigma_rule = stixel, by the camera's height, pitch and range. */
static enum bench_status set_deviations(const struct stixels_preset *preset,
                                        const struct camera *camera, const char *name,
                                        struct stixels_model *model)
{
    const double most = 1e12; /* px^2; so that sums of squares stay far from infinite */
    const double fb = camera->fx_px * camera->baseline_m;
    const double pitch = fb / camera->height_m * preset->sigma_alpha;
    const double height = preset->sigma_height / camera->height_m;
    const double depth = preset->depth_uncertainty / fb;
    const double ground = preset->sigma[STIXELS_GROUND], object = preset->sigma[STIXELS_OBJECT];

    model->focal_baseline = fb;
    if (preset->sigma_rule != STIXELS_SIGMA_STIXEL)
        return BENCH_OK;
    REFUSE_IF(!(pitch * pitch <= most && height * height <= most && depth * depth <= most),
              "%s: with this camera the deviations of a disparity would be %g px, %g px/px and "
              "%g px/px^2",
              name, pitch, height, depth);
    model->ground_sigma2 = ground * ground + pitch * pitch;
    model->ground_sigma2_per_px2 = height * height;
    model->object_sigma2 = object * object;
    model->object_sigma2_per_px4 = depth * depth;
    return BENCH_OK;
}

static void set_pfeiffer(const struct stixels_preset *preset, struct stixels_model *model)
{
    if (preset->prior != STIXELS_PFEIFFER)
        return;
    model->epsilon = preset->epsilon;
    model->ordering_range = preset->ordering_range;
    model->k_ordered = -log_q10(preset->p_ord, ONE_PROBABILITY);
    model->k_not_ordered = -log_q10(1 - preset->p_ord, ONE_PROBABILITY);
    model->k_above_ground = -log_q10(preset->p_grav, ONE_PROBABILITY);
    model->k_below_ground = -log_q10(preset->p_blg, ONE_PROBABILITY);
    model->k_on_ground = -log_q10(1 - preset->p_grav - preset->p_blg, ONE_PROBABILITY);
}

static int32_t geometry_of(const struct stixels_preset *preset, int k)
{
    return preset->void_classes >> k & 1     ? -1
           : preset->ground_classes >> k & 1 ? STIXELS_GROUND
           : preset->sky_classes >> k & 1    ? STIXELS_SKY
                                             : STIXELS_OBJECT;
}

enum bench_status stixels_model_make(const struct stixels_preset *preset,
                                     const struct camera *camera, const char *name,
                                     int block_rows, int n_rows, int n_classes,
                                     struct stixels_model *model)
{
    const double sigma_ground = preset->sigma[STIXELS_GROUND];
    const double a = preset->s_a > 0 ? sigma_ground / preset->s_a : 0;
    const double b = preset->s_b > 0 ? sigma_ground / preset->s_b : 0;

    memset(model, 0, sizeof *model);
    TRY(camera_check_stereo(camera, name));
    TRY(expect_ground(preset, camera, name, block_rows, n_rows, model));
    TRY(set_deviations(preset, camera, name, model));
#define COPY(key, member, ...) model->member = preset->member;
    MODEL_WORDS(COPY)
    MODEL_NUMBERS(COPY)
#undef COPY
    model->lam_a = a * a;
    model->lam_b = b * b;
    set_constants(preset, model);
    set_pfeiffer(preset, model);
    model->n_classes = n_classes;
    for (int k = 0; k < STIXELS_MAX_CLASSES; k++)
        model->geometry_of[k] = k < n_classes ? geometry_of(preset, k) : -1;
    return BENCH_OK;
}
