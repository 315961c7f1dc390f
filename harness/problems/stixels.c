/*
 * stixels.c - the problem "stixels": input from planes, output, comparison, exact count of the work
 *
 * Source: [STX] sect. 3 and 4.2; stixels.h has the definition, stixels_model.h the arithmetic, stixels_profile.c
 *         the numbers of a model.
 */
#include "harness/problems/stixels.h"
#include "harness/problems/stixels_energy.h"
#include "harness/problems/stixels_measure.h"
#include "inputs/plane.h"
#include "inputs/scene.h"
#include "inputs/semantic.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(STIXELS_INVALID == DISPARITY_INVALID,
              "stixels and the planes must encode disparity alike");
static_assert(STIXELS_MAX_CLASSES == SEMANTIC_MAX_CLASSES,
              "every class that stixels know must have its probability");
static_assert(sizeof(struct stixel) == 20, "hashed: a stixel must have no padding");
static_assert(sizeof(struct stixels_model) == 28 * sizeof(double) + 60 * sizeof(int32_t),
              "hashed: a model must have no padding");

#define MAX_NUMBER 1e4 /* as in a profile */

/* What arith = float may do, see compare(). */
#define FLOAT_ENERGY_RELATIVE 1e-3 /* of a column's energy ... */
#define FLOAT_ENERGY_NAT      0.25 /* ... and this, or the column is off */
#define FLOAT_WRONG_RELATIVE  0.05 /* of a column's energy ... */
#define FLOAT_WRONG_NAT       5.0  /* ... and this, or it is wrong */
#define FLOAT_EXCESS_NAT      0.1 /* more than fitted planes a column's may cost, or it is off */
#define FLOAT_PLANE_RELATIVE  1e-3 /* of a disparity ... */
#define FLOAT_PLANE_PX        0.05 /* ... and this, where no energy says what a plane is */
#define FLOAT_OFF_PCT         2    /* of the columns may be off, rounded up ... */
#define FLOAT_LONG_ROWS       256  /* ... of at most so many block rows */
#define FLOAT_OFF_LONG_PCT    5 /* ... and of longer ones, whose float sums hold fewer digits */
#define FLOAT_MEAN_NAT        0.05 /* what energies may differ by on average ... */
#define FLOAT_MEAN_RELATIVE   1e-3 /* ... and this, over FLOAT_MEAN_COLUMNS or more */
#define FLOAT_MEAN_COLUMNS    32

/* Where it is not known what cuts and planes cost: FLOAT_OFF_LONG_PCT, and of the columns, rounded up, may ... */
#define FLOAT_DIFFERENT_PCT 15 /* ... be cut or named differently */
#define FLOAT_PLANES_PCT    30 /* ... be off in a plane alone: stixels of hardly any confidence */

static const struct bench_key keys[] = {
    {"arith", "float", "", "exact: the same bits in every variant; float: within a tolerance",
     BENCH_WORD, 0, 0, "exact|float"},
    {"model", "b12", "", "a named model, or a file that ends in .ini", BENCH_WORD, 0, 0, NULL},
    {"block", "8", "px", "stixel resolution: 8, or 8x4 for 8 rows of 4 columns", BENCH_WORD, 0,
     0, NULL},
    {"classes", "19", "", "semantic classes; 0: none", BENCH_INT, 0, STIXELS_MAX_CLASSES, NULL},
    {"height", "0", "px", "rows after resampling; 0: as the frame is", BENCH_INT, 0,
     INPUTS_MAX_SIDE, NULL},
    {"columns", "0", "", "stixel columns, spread evenly over the frame; 0: all", BENCH_INT, 0,
     INPUTS_MAX_SIDE, NULL},
    {"semantic", "auto", "",
     "class probabilities: the frame's own, made of its true classes, or none; "
     "auto: the first "
     "of these that there is",
     BENCH_WORD, 0, 0, "auto|off|labels|file"},
    {"semantic_noise", "normal", "", "errors of probabilities made of true classes", BENCH_WORD,
     0, 0, "easy|normal|hard"},
    {"w_l", "model", "", "weight of the semantic term, a number; model: what the model says",
     BENCH_WORD, 0, 0, NULL},
    {"beta_mc", "model", "nat", "what every stixel costs, a number; model: what the model says",
     BENCH_WORD, 0, 0, NULL},
    {"invalid_rows", "model", "",
     "cost of a row without a disparity; model: what the model says", BENCH_WORD, 0, 0,
     "model|literal|pfeiffer|zero"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_quick quick[] = {{"height", 2048, 0}, {NULL, 0, 0}};

/* ---- memory ---- */

/* The product of the counts and the element's size, or 0 when that does not fit in a size_t. */
static size_t checked_bytes(int n_frames, int n_planes, int height, int width,
                            size_t element_bytes)
{
    size_t bytes = (size_t)n_frames;

    if (__builtin_mul_overflow(bytes, (size_t)n_planes, &bytes) ||
        __builtin_mul_overflow(bytes, (size_t)height, &bytes) ||
        __builtin_mul_overflow(bytes, (size_t)width, &bytes) ||
        __builtin_mul_overflow(bytes, element_bytes, &bytes))
        return 0;
    return bytes;
}

static enum bench_status allocate(void *pointer_to_pointer, int n_frames, int n_planes,
                                  int height, int width, size_t element_bytes)
{
    const size_t bytes = checked_bytes(n_frames, n_planes, height, width, element_bytes);
    void *memory = bytes ? malloc(bytes) : NULL;

    if (!memory)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %d frames of %d planes of %d x %d",
                          n_frames, n_planes, width, height);
    memcpy(pointer_to_pointer, &memory, sizeof memory);
    return BENCH_OK;
}

/* The bytes of a plane of the input, of all frames. */
static size_t plane_bytes(const struct stixels_input *in, int n_planes, size_t element_bytes)
{
    return checked_bytes(in->n_frames, n_planes, in->height, in->width, element_bytes);
}

void stixels_input_free(void *input)
{
    struct stixels_input *in = input;

    if (!in)
        return;
    free(in->model);
    free(in->disparity);
    free(in->confidence);
    free(in->probability);
    free(in->truth);
    free(in->truth_class);
    free(in);
}

/* Does a frame of this size make columns of blocks? */
static enum bench_status check_shape(int height, int width, int block_rows, int block_cols)
{
    if (block_rows < 1 || block_rows > STIXELS_MAX_BLOCK || block_cols < 1 ||
        block_cols > STIXELS_MAX_BLOCK)
        return BENCH_FAIL(BENCH_EINPUT,
                          "a block has 1 to %d rows and columns of pixels, found %dx%d",
                          STIXELS_MAX_BLOCK, block_rows, block_cols);
    if (height < block_rows || width < block_cols)
        return BENCH_FAIL(BENCH_EINPUT,
                          "stixels expect at least one whole block of %dx%d (rows x columns) "
                          "pixels, found %d rows of %d",
                          block_rows, block_cols, height, width);
    if (height / block_rows > STIXELS_MAX_ROWS) {
        int enough = block_rows;

        while (enough <= STIXELS_MAX_BLOCK && height / enough > STIXELS_MAX_ROWS)
            enough++;
        if (enough > STIXELS_MAX_BLOCK)
            return BENCH_FAIL(BENCH_EINPUT,
                              "a column has at most %d block rows, and %d pixels are more even "
                              "in blocks of %d rows: give a height",
                              STIXELS_MAX_ROWS, height, STIXELS_MAX_BLOCK);
        return BENCH_FAIL(BENCH_EINPUT,
                          "a column has at most %d block rows, found %d of %d pixels: block = "
                          "%dx%d would do",
                          STIXELS_MAX_ROWS, height / block_rows, block_rows, enough,
                          block_cols);
    }
    return BENCH_OK;
}

static enum bench_status allocate_planes(struct stixels_input *in, int with_truth,
                                         int with_truth_class)
{
    const int n = in->n_frames, height = in->height, width = in->width;

    in->model = calloc((size_t)n, sizeof *in->model);
    if (!in->model)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the models of %d frames", n);
    TRY(allocate(&in->disparity, n, 1, height, width, sizeof *in->disparity));
    TRY(allocate(&in->confidence, n, 1, height, width, sizeof *in->confidence));
    if (in->n_classes > 0)
        TRY(allocate(&in->probability, n, in->n_classes, height, width,
                     sizeof *in->probability));
    if (with_truth)
        TRY(allocate(&in->truth, n, 1, height, width, sizeof *in->truth));
    if (with_truth_class)
        TRY(allocate(&in->truth_class, n, 1, height, width, sizeof *in->truth_class));
    return BENCH_OK;
}

enum bench_status stixels_input_new(int n_frames, int height, int width, int block_rows,
                                    int block_cols, int n_classes, int with_truth,
                                    int with_truth_class, struct stixels_input **input)
{
    struct stixels_input *in;
    enum bench_status status;

    *input = NULL;
    if (n_frames < 1)
        return BENCH_FAIL(BENCH_EINPUT, "stixels expect at least one frame, found %d",
                          n_frames);
    if (n_classes < 0 || n_classes > STIXELS_MAX_CLASSES)
        return BENCH_FAIL(BENCH_EINPUT, "stixels expect 0 to %d classes, found %d",
                          STIXELS_MAX_CLASSES, n_classes);
    TRY(check_shape(height, width, block_rows, block_cols));
    if (height % block_rows || width % block_cols)
        return BENCH_FAIL(BENCH_EINPUT,
                          "stixels expect whole blocks of %dx%d pixels, found %d rows of %d",
                          block_rows, block_cols, height, width);
    if ((int64_t)n_frames * height > INT32_MAX / width)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%d frames of %d x %d pixels: a batch has fewer than 2^31 pixels",
                          n_frames, width, height); /* so 'first' can count stixels */
    in = calloc(1, sizeof *in);
    if (!in)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for an input of stixels");
    in->n_frames = n_frames;
    in->height = height;
    in->width = width;
    in->block_rows = block_rows;
    in->block_cols = block_cols;
    in->n_rows = height / block_rows;
    in->n_cols = width / block_cols;
    in->n_classes = n_classes;
    status = allocate_planes(in, with_truth, with_truth_class);
    if (status != BENCH_OK) {
        stixels_input_free(in);
        return status;
    }
    *input = in;
    return BENCH_OK;
}

void stixels_output_free(void *output)
{
    struct stixels_output *out = output;

    if (!out)
        return;
    free(out->first);
    free(out->list);
    free(out);
}

static size_t n_columns(const struct stixels_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_cols;
}

/* Stixels that there is room for. */
static size_t capacity(const struct stixels_output *out)
{
    return n_columns(out) * (size_t)out->n_rows;
}

enum bench_status stixels_output_new(const struct stixels_input *input,
                                     struct stixels_output **output)
{
    struct stixels_output *out = calloc(1, sizeof *out);

    *output = NULL;
    if (!out)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for an output of stixels");
    out->n_frames = input->n_frames;
    out->n_cols = input->n_cols;
    out->n_rows = input->n_rows;
    /* 4 and 20 bytes for each of fewer than 2^31 blocks: no overflow where size_t has 64 bits */
    out->first = malloc((n_columns(out) + 1) * sizeof *out->first);
    out->list = malloc(capacity(out) * sizeof *out->list);
    if (!out->first || !out->list) {
        stixels_output_free(out);
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %d frames of %d columns of %d stixels",
                          input->n_frames, input->n_cols, input->n_rows);
    }
    *output = out;
    return BENCH_OK;
}

/* ---- parameters ---- */

/* A whole number of 1..99 without a leading zero; where it ends, NULL: there is none. */
static const char *parse_side(const char *text, int *side)
{
    const size_t n = strspn(text, "0123456789");

    if (n < 1 || n > 2 || text[0] == '0')
        return NULL;
    *side = n == 1 ? text[0] - '0' : 10 * (text[0] - '0') + (text[1] - '0');
    return text + n;
}

/* "8" or "8x4": rows x columns */
static enum bench_status parse_block(const char *text, int *rows, int *cols)
{
    const char *at;

    *rows = 0;
    at = parse_side(text, rows);
    *cols = *rows;
    if (at != NULL && *at == 'x')
        at = parse_side(at + 1, cols);
    if (at == NULL || *at != '\0' || *rows > STIXELS_MAX_BLOCK || *cols > STIXELS_MAX_BLOCK)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "block: expected ROWS or ROWSxCOLUMNS of 1 to %d pixels each, as 8 or "
            "8x4, found '%s'",
            STIXELS_MAX_BLOCK, text);
    return BENCH_OK;
}

/* A number in the place of the model's; 'number' stays as it is where 'key' says "model". */
static enum bench_status parse_number(const struct bench_params *params, const char *key,
                                      double *number)
{
    const char *text = bench_word(params, key), *end;
    double found = 0;

    if (strcmp(text, "model") == 0)
        return BENCH_OK;
    end = bench_number(text, &found);
    if (end == NULL || *end != '\0' || !(found >= 0 && found <= MAX_NUMBER))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: expected model, or a number of 0 to %g, found '%s'", key,
                          MAX_NUMBER, text);
    *number = found;
    return BENCH_OK;
}

static int ends_in_ini(const char *name)
{
    const size_t n = strlen(name);

    return n > 4 && strcmp(name + n - 4, ".ini") == 0;
}

static enum bench_status check(const struct bench_params *params)
{
    const int wants_classes =
        bench_is(params, "semantic", "labels") || bench_is(params, "semantic", "file");
    struct stixels_profile profile;
    double number;
    int rows, cols;

    TRY(parse_block(bench_word(params, "block"), &rows, &cols));
    TRY(parse_number(params, "w_l", &number));
    TRY(parse_number(params, "beta_mc", &number));
    if (wants_classes && bench_int(params, "classes") == 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "semantic = %s needs at least one class, found classes = 0",
                          bench_word(params, "semantic"));
    if (!ends_in_ini(bench_word(params, "model"))) /* built in: no file is opened */
        TRY(stixels_profile_read(bench_word(params, "model"), &profile));
    return BENCH_OK;
}

static enum bench_status read_profile(const struct bench_params *params,
                                      struct stixels_profile *profile)
{
    TRY(stixels_profile_read(bench_word(params, "model"), profile));
    if (bench_is(params, "invalid_rows", "literal"))
        profile->invalid = 0;
    else if (bench_is(params, "invalid_rows", "pfeiffer"))
        profile->invalid = 1;
    else if (bench_is(params, "invalid_rows", "zero"))
        profile->invalid = 2;
    TRY(parse_number(params, "w_l", &profile->weight_semantic));
    return parse_number(params, "beta_mc", &profile->beta_mc);
}

static enum bench_match match(const struct bench_params *params)
{
    return bench_is(params, "arith", "exact") ? BENCH_EXACT : BENCH_WITHIN;
}

/* Every variant is held against exact arithmetic; a model that has none (zg = truncated) against float. */
static void reference_params(const struct bench_params *params, struct bench_params *reference)
{
    struct stixels_profile profile;

    *reference = *params;
    if (stixels_profile_read(bench_word(params, "model"), &profile) == BENCH_OK &&
        profile.zg == STIXELS_ZG_TRUNCATED)
        return;
    (void)bench_params_set(reference, &keys[0], "exact", "reference"); /* cannot fail */
}

/* ---- input ---- */

/* Which pixels of a frame are used, and as which. */
struct cut {
    int src_height, src_width; /* the frame's */
    int rows;                  /* after resampling */
    int block_rows, block_cols;
    int n_rows, n_cols; /* blocks that are used */
    int all_cols;       /* blocks that there are in a row */
};

static enum bench_status make_cut(const struct bench_params *params, const struct plane *frame,
                                  struct cut *cut)
{
    const int columns = bench_int(params, "columns"), height = bench_int(params, "height");

    cut->src_height = frame->height;
    cut->src_width = frame->width;
    cut->rows = height > 0 ? height : frame->height;
    TRY(parse_block(bench_word(params, "block"), &cut->block_rows, &cut->block_cols));
    TRY(check_shape(cut->rows, frame->width, cut->block_rows, cut->block_cols));
    cut->n_rows = cut->rows / cut->block_rows;
    cut->all_cols = frame->width / cut->block_cols;
    cut->n_cols = columns > 0 ? columns : cut->all_cols;
    if (cut->n_cols > cut->all_cols)
        return BENCH_FAIL(BENCH_EINPUT, "columns = %d, but %s has %d columns of blocks",
                          columns, frame->name, cut->all_cols);
    return BENCH_OK;
}

/* The row of n that is the nearest to row i of m, centres aligned, half goes up. */
static int nearest(int i, int m, int n)
{
    return (int)((2 * (int64_t)i + 1) * n / (2 * (int64_t)m));
}

/* What the cut keeps of one plane of a frame. */
static void copy_plane(const struct cut *cut, const void *source, size_t element_bytes,
                       void *destination)
{
    const size_t pitch = (size_t)cut->src_width * element_bytes;
    const size_t block = (size_t)cut->block_cols * element_bytes;
    const size_t width = (size_t)cut->n_cols * block;
    const unsigned char *const from = source;
    unsigned char *to = destination;

    for (int r = 0; r < cut->n_rows * cut->block_rows; r++, to += width) {
        const unsigned char *row =
            from + (size_t)nearest(r, cut->rows, cut->src_height) * pitch;

        if (cut->n_cols == cut->all_cols) {
            memcpy(to, row, width);
            continue;
        }
        for (int u = 0; u < cut->n_cols; u++)
            memcpy(to + (size_t)u * block,
                   row + (size_t)nearest(u, cut->n_cols, cut->all_cols) * block, block);
    }
}

/* Where class probabilities come from. */
enum source { SOURCE_NONE, SOURCE_LABELS, SOURCE_FILE };

static enum bench_status source_of(const struct bench_params *params, const struct plane *frame,
                                   enum source *source)
{
    const int n_classes = bench_int(params, "classes");

    *source = SOURCE_NONE;
    if (bench_is(params, "semantic", "off") || n_classes == 0)
        return BENCH_OK;
    if (frame->probability && !bench_is(params, "semantic", "labels")) {
        if (frame->n_classes != n_classes)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s has probabilities of %d classes, but classes = %d",
                              frame->name, frame->n_classes, n_classes);
        *source = SOURCE_FILE;
    } else if (frame->truth_class && !bench_is(params, "semantic", "file")) {
        *source = SOURCE_LABELS;
    } else if (!bench_is(params, "semantic", "auto")) {
        return BENCH_FAIL(BENCH_EINPUT, "semantic = %s, but %s has no %s",
                          bench_word(params, "semantic"), frame->name,
                          bench_is(params, "semantic", "file") ? "class probabilities"
                                                               : "true classes");
    }
    return BENCH_OK;
}

/* FNV-1a: a frame's errors depend on its name alone, not on its place in a data set. */
static uint64_t seed_of(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

/* Made of the whole frame, then cut: a pixel has the same probabilities whatever else is kept. */
static enum bench_status make_probability(const struct bench_params *params,
                                          const struct plane *frame, const struct cut *cut,
                                          int n_classes, uint16_t *probability)
{
    const struct semantic_noise noise =
        semantic_noise_of(bench_is(params, "semantic_noise", "easy")   ? SCENE_EASY
                          : bench_is(params, "semantic_noise", "hard") ? SCENE_HARD
                                                                       : SCENE_NORMAL);
    const size_t from_pixels = (size_t)frame->width * (size_t)frame->height;
    const size_t to_pixels =
        (size_t)(cut->n_rows * cut->block_rows) * (size_t)(cut->n_cols * cut->block_cols);
    uint16_t *whole = NULL;
    const uint16_t *source = frame->probability;
    enum bench_status status = BENCH_OK;

    if (source == NULL || bench_is(params, "semantic", "labels")) {
        TRY(allocate(&whole, 1, n_classes, frame->height, frame->width, sizeof *whole));
        status = semantic_from_labels(frame->truth_class, frame->width, frame->height,
                                      n_classes, &noise, seed_of(frame->name), whole);
        source = whole;
    }
    for (int k = 0; k < n_classes && status == BENCH_OK; k++)
        copy_plane(cut, source + (size_t)k * from_pixels, sizeof *source,
                   probability + (size_t)k * to_pixels);
    free(whole);
    return status;
}

/* The camera of the frame's resampled rows; pixel centres are at whole numbers.
 */
static struct camera resampled_camera(const struct plane *frame, int rows)
{
    const double ratio = (double)rows / frame->height;
    struct camera camera = frame->camera;

    if (rows == frame->height)
        return camera;
    camera.fy_px = (camera.fy_px > 0 ? camera.fy_px : camera.fx_px) * ratio;
    camera.cy_px = (camera.cy_px + 0.5) * ratio - 0.5;
    return camera;
}

static enum bench_status fill_frame(const struct bench_params *params,
                                    const struct stixels_profile *profile,
                                    const struct plane *frame, const struct cut *cut, int k,
                                    struct stixels_input *in)
{
    const struct camera camera = resampled_camera(frame, cut->rows);
    const size_t n = (size_t)in->height * (size_t)in->width, at = (size_t)k * n;
    uint16_t *const disparity = in->disparity + at;
    uint8_t *const confidence = in->confidence + at;

    TRY(stixels_model_make(profile, &camera, frame->name, in->block_rows, in->n_rows,
                           in->n_classes, &in->model[k]));
    copy_plane(cut, frame->disparity, sizeof *disparity, disparity);
    if (frame->confidence)
        copy_plane(cut, frame->confidence, sizeof *confidence, confidence);
    else
        for (size_t i = 0; i < n; i++)
            confidence[i] = disparity[i] == STIXELS_INVALID ? 0 : 255;
    if (in->truth)
        copy_plane(cut, frame->truth, sizeof *in->truth, in->truth + at);
    if (in->truth_class) {
        uint8_t *const label = in->truth_class + at;

        copy_plane(cut, frame->truth_class, sizeof *label, label);
        for (size_t i = 0; i < n; i++)
            label[i] = label[i] < in->n_classes ? label[i] : SEMANTIC_UNLABELLED;
    }
    if (in->n_classes > 0)
        TRY(make_probability(params, frame, cut, in->n_classes,
                             in->probability + at * (size_t)in->n_classes));
    return BENCH_OK;
}

/* What the frames have in common, or a sentence about what they have not. */
static enum bench_status compare_frames(const struct bench_params *params,
                                        const struct plane *const *frames, int n_frames,
                                        struct cut *cut, enum source *source)
{
    TRY(make_cut(params, frames[0], cut));
    TRY(source_of(params, frames[0], source));
    for (int k = 1; k < n_frames; k++) {
        struct cut other;
        enum source other_source;

        TRY(make_cut(params, frames[k], &other));
        TRY(source_of(params, frames[k], &other_source));
        if (other.src_width != cut->src_width || other.rows != cut->rows)
            return BENCH_FAIL(BENCH_EINPUT,
                              "the frames of one input must have one size, but %s "
                              "has %d x %d and %s has "
                              "%d x %d",
                              frames[0]->name, cut->src_width, cut->rows, frames[k]->name,
                              other.src_width, other.rows);
        if (other_source != *source)
            return BENCH_FAIL(
                BENCH_EINPUT,
                "the frames of one input must have their classes from one source, "
                "but %s and %s have not: give semantic",
                frames[0]->name, frames[k]->name);
    }
    return BENCH_OK;
}

static enum bench_status make_input(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input)
{
    struct stixels_input *in = NULL;
    enum bench_status status = BENCH_OK;
    enum source source = SOURCE_NONE;
    struct stixels_profile profile;
    struct cut cut;
    int n_classes, with_truth = 1, with_truth_class;

    *input = NULL;
    if (n_frames < 1)
        return BENCH_FAIL(BENCH_EINPUT, "stixels expect at least one frame, found %d",
                          n_frames);
    TRY(read_profile(params, &profile));
    TRY(compare_frames(params, frames, n_frames, &cut, &source));
    n_classes = source == SOURCE_NONE ? 0 : bench_int(params, "classes");
    with_truth_class = n_classes > 0;
    for (int k = 0; k < n_frames; k++) {
        with_truth = with_truth && frames[k]->truth;
        with_truth_class = with_truth_class && frames[k]->truth_class;
    }
    TRY(stixels_input_new(n_frames, cut.n_rows * cut.block_rows, cut.n_cols * cut.block_cols,
                          cut.block_rows, cut.block_cols, n_classes, with_truth,
                          with_truth_class, &in));
    /* with fewer columns than there are, those are the frame: only rows are left over then */
    in->dropped_pixels =
        (size_t)cut.rows *
            (size_t)(bench_int(params, "columns") > 0 ? in->width : cut.src_width) -
        (size_t)in->height * (size_t)in->width;
    for (int k = 0; k < n_frames && status == BENCH_OK; k++) {
        cut.src_height = frames[k]->height; /* may differ where rows are resampled */
        status = fill_frame(params, &profile, frames[k], &cut, k, in);
    }
    if (status != BENCH_OK) {
        stixels_input_free(in);
        return status;
    }
    *input = in;
    return BENCH_OK;
}

static enum bench_status make_output(const void *input, void **output)
{
    struct stixels_output *out;

    *output = NULL;
    TRY(stixels_output_new(input, &out));
    *output = out;
    return BENCH_OK;
}

static int n_frames_of(const void *input)
{
    return ((const struct stixels_input *)input)->n_frames;
}

/* n_frames .. n_classes: the members before the pointers */
#define N_SCALARS 8
static_assert(offsetof(struct stixels_input, n_classes) == (N_SCALARS - 1) * sizeof(int32_t) &&
                  offsetof(struct stixels_input, model) == N_SCALARS * sizeof(int32_t),
              "the hashed scalars must have no padding");

static int input_blocks(const void *input, struct bench_block *blocks)
{
    const struct stixels_input *in = input;
    int n = 0;

    blocks[n].data = (void *)(uintptr_t)input;
    blocks[n++].bytes = N_SCALARS * sizeof(int32_t);
    blocks[n].data = in->model;
    blocks[n++].bytes = (size_t)in->n_frames * sizeof *in->model;
    blocks[n].data = in->disparity;
    blocks[n++].bytes = plane_bytes(in, 1, sizeof *in->disparity);
    blocks[n].data = in->confidence;
    blocks[n++].bytes = plane_bytes(in, 1, sizeof *in->confidence);
    if (in->probability) {
        blocks[n].data = in->probability;
        blocks[n++].bytes = plane_bytes(in, in->n_classes, sizeof *in->probability);
    }
    if (in->truth) {
        blocks[n].data = in->truth;
        blocks[n++].bytes = plane_bytes(in, 1, sizeof *in->truth);
    }
    if (in->truth_class) {
        blocks[n].data = in->truth_class;
        blocks[n++].bytes = plane_bytes(in, 1, sizeof *in->truth_class);
    }
    return n;
}

static int output_blocks(const void *output, struct bench_block *blocks)
{
    const struct stixels_output *out = output;

    blocks[0].data = out->first;
    blocks[0].bytes = (n_columns(out) + 1) * sizeof *out->first;
    blocks[1].data = out->list;
    blocks[1].bytes = capacity(out) * sizeof *out->list;
    return 2;
}

/* ---- comparison ---- */

/* One column of both outputs; what is not known to be right is never used as an index. */
struct column {
    int frame, col;
    const struct stixel *reference, *output;
    int n_reference, n_output;
};

/* The stixels of column c and how many they are; -1 where 'first' makes no sense. */
static int column_of(const struct stixels_output *out, size_t c, const struct stixel **list)
{
    const int64_t begin = out->first[c], end = out->first[c + 1];

    *list = NULL;
    if (begin < 0 || end <= begin || end - begin > out->n_rows || end > (int64_t)capacity(out))
        return -1;
    *list = out->list + begin;
    return (int)(end - begin);
}

/* The first sentence stays; it begins with the place. */
static void note(struct bench_difference *difference, const struct column *column,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));
static void note(struct bench_difference *difference, const struct column *column,
                 const char *format, ...)
{
    va_list arguments;
    int n;

    if (difference->where[0] != '\0')
        return;
    n = snprintf(difference->where, sizeof difference->where,
                 "frame %d, column %d: ", column->frame, column->col);
    va_start(arguments, format);
    vsnprintf(difference->where + n, sizeof difference->where - (size_t)n, format, arguments);
    va_end(arguments);
}

static double energy_of(const struct stixel *list, int n)
{
    double energy = 0;

    for (int i = 0; i < n; i++)
        energy += (double)list[i].cost;
    return energy;
}

/* 0 and -0 differ. */
static int same_bits(const void *a, const void *b, size_t n_bytes)
{
    return memcmp(a, b, n_bytes) == 0;
}

static void note_field(struct bench_difference *difference, const struct column *column, int i)
{
    const struct stixel *r = &column->reference[i], *o = &column->output[i];
    const struct {
        const char *name;
        double reference, output;
    } field[] = {
        {"v_bottom", r->v_bottom, o->v_bottom}, {"v_top", r->v_top, o->v_top},
        {"geometry", r->geometry, o->geometry}, {"semantic", r->semantic, o->semantic},
        {"reserved", r->reserved, o->reserved}, {"a", (double)r->a, (double)o->a},
        {"b", (double)r->b, (double)o->b},      {"cost", (double)r->cost, (double)o->cost},
    };

    for (size_t f = 0; f < sizeof field / sizeof *field; f++)
        if (!same_bits(&field[f].reference, &field[f].output, sizeof(double))) {
            note(difference, column, "stixel %d has %s %.9g, the reference has %.9g", i,
                 field[f].name, field[f].output, field[f].reference);
            return;
        }
}

/* arith = exact: every field of every stixel.  1: wrong. */
static int compare_exact(const struct column *column, struct bench_difference *difference)
{
    if (column->n_output != column->n_reference) {
        note(difference, column, "%d stixels, the reference has %d", column->n_output,
             column->n_reference);
        return 1;
    }
    for (int i = 0; i < column->n_output; i++)
        if (!same_bits(&column->output[i], &column->reference[i], sizeof *column->output)) {
            note_field(difference, column, i);
            note(difference, column, "stixel %d differs", i); /* bits that no field shows */
            return 1;
        }
    return 0;
}

/* Does a plane belong to a geometry? */
static int is_plane_of(const struct stixel *s)
{
    return s->geometry == STIXELS_GROUND ||
           (s->b == 0 && (s->geometry == STIXELS_OBJECT || s->a == 0));
}

/* Is the output's list a segmentation of the rows 0 .. n_rows - 1 at all, with classes below n_classes? */
static int is_segmentation(const struct column *column, int n_rows, int n_classes,
                           struct bench_difference *difference)
{
    int next = 0;

    for (int i = 0; i < column->n_output; i++) {
        const struct stixel *s = &column->output[i];

        if (s->v_bottom != next || s->v_top < s->v_bottom || s->v_top >= n_rows) {
            note(difference, column,
                 "stixel %d has the rows %d to %d, expected %d to at most %d", i, s->v_bottom,
                 s->v_top, next, n_rows - 1);
            return 0;
        }
        if (s->geometry >= STIXELS_N_GEOMETRIES || s->reserved != 0 ||
            (s->semantic >= n_classes && s->semantic != STIXELS_NO_CLASS)) {
            note(difference, column, "stixel %d has geometry %d, class %d, reserved %d", i,
                 s->geometry, s->semantic, s->reserved);
            return 0;
        }
        if (!isfinite(s->a) || !isfinite(s->b) || !isfinite(s->cost)) {
            note(difference, column, "stixel %d has a %g, b %g, cost %g", i, (double)s->a,
                 (double)s->b, (double)s->cost);
            return 0;
        }
        if (!is_plane_of(s)) {
            note(difference, column, "stixel %d has geometry %d with a %g, b %g", i,
                 s->geometry, (double)s->a, (double)s->b);
            return 0;
        }
        next = s->v_top + 1;
    }
    if (next != n_rows) {
        note(difference, column, "the stixels end at row %d, expected %d", next - 1,
             n_rows - 1);
        return 0;
    }
    return 1;
}

static double disparity_at(const struct stixel *s, double v)
{
    return (double)s->b * v + (double)s->a;
}

static int is_near(double found, double expected)
{
    return fabs(found - expected) <= FLOAT_PLANE_PX + FLOAT_PLANE_RELATIVE * fabs(expected);
}

/* Are the planes of a column that is cut as the reference's near it? */
static int planes_agree(const struct column *column)
{
    for (int i = 0; i < column->n_output; i++) {
        const struct stixel *r = &column->reference[i], *o = &column->output[i];

        if (!is_near(disparity_at(o, r->v_bottom), disparity_at(r, r->v_bottom)) ||
            !is_near(disparity_at(o, r->v_top), disparity_at(r, r->v_top)))
            return 0;
    }
    return 1;
}

/* Does the output have the reference's cuts, geometries and classes? */
static int cuts_agree(const struct column *column)
{
    int same = column->n_output == column->n_reference;

    for (int i = 0; i < column->n_output && same; i++) {
        const struct stixel *r = &column->reference[i], *o = &column->output[i];

        same = o->v_bottom == r->v_bottom && o->v_top == r->v_top &&
               o->geometry == r->geometry && o->semantic == r->semantic;
    }
    return same;
}

/* A column under arith = float. */
struct verdict {
    int wrong, off;
    int differs;             /* in cuts, geometries or classes */
    int unscored;            /* differs, and what that costs is not known */
    int planes_off;          /* where what they cost is not known */
    double expected, energy; /* nat: the reference's, the output's own account */
    double apart;            /* nat: the worse of its own account and of what it really costs */
};

/*
 * An energy that should be 'expected' differs by so many nat: the column is off beyond FLOAT_ENERGY_*.  0: beyond
 * FLOAT_WRONG_*.  Relative to the column's energy where that is larger: a stixel's cost is a difference of such.
 */
static int may_differ(struct verdict *verdict, double expected, double nat)
{
    const double energy = fmax(fabs(expected), fabs(verdict->expected));

    verdict->off |= !(nat <= FLOAT_ENERGY_NAT + FLOAT_ENERGY_RELATIVE * energy);
    return nat <= FLOAT_WRONG_NAT + FLOAT_WRONG_RELATIVE * energy;
}

/*
 * Where measurements (of one row, with a prior on the slope) hold a plane, its excess says how far off it is.  Where they do not,
 * is it the one that stixels_fit.h gives, at both edges of the stixel?
 */
static int is_loose_plane_right(const struct stixels_model *model, const struct stixel *s,
                                const struct stixels_part *part)
{
    const double bottom = s->v_bottom - 0.5, top = s->v_top + 0.5;
    const int held = s->geometry != STIXELS_GROUND || model->lam_b > 0 ? part->n_weighted > 0
                                                                       : part->n_weighted > 1;

    return held || (is_near(disparity_at(s, bottom), part->plane.b * bottom + part->plane.a) &&
                    is_near(disparity_at(s, top), part->plane.b * top + part->plane.a));
}

/*
 * Is a ground nearer than the object that it stands on by more than rounding can make it, by the planes that fit and by the
 * output's own?  (Float says little of the plane of a stixel of hardly any confidence; its excess is judged.)
 */
static int is_too_near(const struct stixel *s, const struct stixels_part *part)
{
    const double px = stixels_at_double(part->plane, s->v_bottom);
    const double tolerance = FLOAT_PLANE_PX + FLOAT_PLANE_RELATIVE * fabs(px);

    return part->nearer_px > tolerance && /* so there is one below */
           disparity_at(s, s->v_bottom) - disparity_at(s - 1, s[-1].v_top) > tolerance;
}

/*
 * Has every stixel the cost of the reference's, or where the column is cut otherwise (parts: not NULL then) that of its part?
 */
static int are_costs_right(const struct column *column, const struct stixels_part *parts,
                           struct verdict *verdict, struct bench_difference *difference)
{
    for (int i = 0; i < column->n_output; i++) {
        const double found = (double)column->output[i].cost;
        const double expected =
            verdict->differs ? parts[i].cost : (double)column->reference[i].cost;

        if (!may_differ(verdict, expected, fabs(found - expected))) {
            note(difference, column, "stixel %d has cost %.9g, expected %.9g", i, found,
                 expected);
            return 0;
        }
    }
    return 1;
}

/* Is the output what it says it is, in exact arithmetic, and as good as the reference?  1: wrong. */
static int judge(const struct stixels_input *in, const struct column *column,
                 struct verdict *verdict, struct bench_difference *difference)
{
    const struct stixels_model *const model = &in->model[column->frame];
    struct stixels_part parts[STIXELS_MAX_ROWS];
    double energy = 0, excess = 0;

    stixels_energy(in, column->frame, column->col, column->output, column->n_output, parts);
    for (int i = 0; i < column->n_output; i++) {
        const struct stixel *const o = &column->output[i];
        const struct stixels_part *const part = &parts[i];

        energy += part->cost;
        excess += part->excess;
        if (part->forbidden || is_too_near(o, part)) {
            note(difference, column, "stixel %d of geometry %d, class %d may not be there", i,
                 o->geometry, o->semantic);
            return 1;
        }
        if (!is_loose_plane_right(model, o, part)) {
            note(difference, column,
                 "stixel %d has the plane %.9g v %+.9g, expected %.9g v %+.9g: too little is "
                 "measured",
                 i, (double)o->b, (double)o->a, part->plane.b, part->plane.a);
            return 1;
        }
    }
    /* by its own account it may be as good as the reference: what counts is what its cuts cost */
    if (!may_differ(verdict, 0, energy - verdict->expected)) {
        note(difference, column, "cuts that cost %.9g nat, the reference's cost %.9g", energy,
             verdict->expected);
        return 1;
    }
    verdict->off |= !(excess <= FLOAT_EXCESS_NAT);
    if (!may_differ(verdict, 0, excess)) {
        note(difference, column, "planes that cost %.9g nat more than those that fit", excess);
        return 1;
    }
    verdict->apart = fmax(verdict->apart, energy + excess - verdict->expected);
    return !are_costs_right(column, parts, verdict, difference);
}

/* Without stixels_energy(): a column that is cut as the reference's is compared with it.  1: wrong. */
static int compare_alike(const struct column *column, struct verdict *verdict,
                         struct bench_difference *difference)
{
    verdict->unscored = verdict->differs;
    if (verdict->differs)
        return 0;
    verdict->planes_off = !planes_agree(column);
    return !are_costs_right(column, NULL, verdict, difference);
}

/*
 * arith = float, against the exact reference: near-ties may fall otherwise, at nearly the same energy.  'in' is NULL where what
 * cuts cost is not known.
 */
static struct verdict compare_float(const struct stixels_input *in, const struct column *column,
                                    int n_rows, int n_classes,
                                    struct bench_difference *difference)
{
    struct verdict verdict = {.wrong = 1, .off = 1, .differs = 1, .unscored = 1};

    verdict.expected = energy_of(column->reference, column->n_reference);
    verdict.energy = energy_of(column->output, column->n_output);
    verdict.apart = fabs(verdict.energy - verdict.expected);
    if (!is_segmentation(column, n_rows, n_classes, difference))
        return verdict;
    verdict.differs = !cuts_agree(column);
    verdict.off = verdict.unscored = 0;
    if (!may_differ(&verdict, 0, verdict.apart)) {
        note(difference, column, "an energy of %.9g nat, the reference has %.9g",
             verdict.energy, verdict.expected);
        return verdict;
    }
    verdict.wrong = in ? judge(in, column, &verdict, difference)
                       : compare_alike(column, &verdict, difference);
    return verdict;
}

/* Entries of the list that no column has, and that are not 0 as they should be; 'first' makes sense. */
static int has_clean_end(const struct stixels_output *out)
{
    static const struct stixel zero = {0};

    for (size_t i = (size_t)out->first[n_columns(out)]; i < capacity(out); i++)
        if (!same_bits(&out->list[i], &zero, sizeof zero))
            return 0;
    return 1;
}

static void check_share(const char *what, size_t n, size_t of, size_t most_pct,
                        struct bench_difference *difference)
{
    if (n <= (of * most_pct + 99) / 100)
        return;
    difference->n_wrong++;
    if (difference->where[0] == '\0')
        snprintf(difference->where, sizeof difference->where,
                 "%zu of %zu columns %s, expected at most %zu %%", n, of, what, most_pct);
}

/*
 * A column is one value.
 *
 * exact: wrong when any field of any stixel differs.
 *
 * float: different when cuts, geometries or classes differ: near-ties may fall otherwise.  What counts is what they cost in
 * exact arithmetic (stixels_energy.h).
 *
 * Wrong: no segmentation of the column; a class that the input has not; anything not finite; an object or sky with a slope, a sky
 * that is not at 0 px; a geometry, class or neighbour that is forbidden (a ground may be nearer than the object below it by
 * FLOAT_PLANE_*, by the planes that fit or by the output's own); a plane that too little was measured of, further than
 * FLOAT_PLANE_* from the one that stixels_fit.h gives; and any of these, further off than FLOAT_WRONG_*:
 *     the column's energy (the sum of 'cost') from the reference's;
 *     what its cuts and classes cost, above the reference's;
 *     what its planes cost, above what those that fit do: of hardly any confidence a plane may be off by many px;
 *     a stixel's cost from the reference's, or where the column is cut otherwise from what its stixels cost.
 * Off: any of these four, further off than FLOAT_ENERGY_*, planes than FLOAT_EXCESS_NAT.  What is wrong in general is wrong in
 * many: one more is wrong when more than FLOAT_OFF_PCT of the columns (FLOAT_OFF_LONG_PCT of long ones) are off, or when energies,
 * for each column the worst of the first three, differ by more than FLOAT_MEAN_* on average.
 *
 * Without the input, or for a model of stixels_general.h, what cuts and planes cost is not known.  Then no more than
 * FLOAT_OFF_LONG_PCT may be off in what remains, no more than FLOAT_DIFFERENT_PCT differ, and in no more than FLOAT_PLANES_PCT, of
 * those cut as the reference's, may a plane be further than FLOAT_PLANE_* from the reference's at an end of a stixel.
 *
 * Both: one more is wrong when the list does not begin at 0 or is not 0 behind its end.  max_error is the largest
 * difference of a column's energy by its own account, nat.
 */
static void compare(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference)
{
    const struct stixels_output *r = reference, *o = output;
    const int exact = match(params) == BENCH_EXACT;
    const struct stixels_input *in = input;
    size_t n, n_broken = 0, n_unscored = 0, n_off = 0, n_planes_off = 0;
    const int n_classes = in ? in->n_classes : STIXELS_MAX_CLASSES;
    double apart = 0, energy = 0;

    memset(difference, 0, sizeof *difference);
    if (in && stixels_needs_general(&in->model[0]))
        in = NULL; /* stixels_energy() has no such models */
    if (r->n_frames != o->n_frames || r->n_cols != o->n_cols || r->n_rows != o->n_rows) {
        difference->n_wrong = 1;
        snprintf(difference->where, sizeof difference->where,
                 "an output of %d x %d x %d, the reference has %d x %d x %d", o->n_frames,
                 o->n_cols, o->n_rows, r->n_frames, r->n_cols, r->n_rows);
        return;
    }
    n = n_columns(r);
    for (size_t c = 0; c < n; c++) {
        struct column column = {.frame = (int)(c / (size_t)r->n_cols),
                                .col = (int)(c % (size_t)r->n_cols)};
        struct verdict verdict = {.wrong = 1, .off = 1, .differs = 1, .unscored = 1};

        column.n_reference = column_of(r, c, &column.reference);
        column.n_output = column_of(o, c, &column.output);
        if (column.n_output < 0 || column.n_reference < 0) {
            note(difference, &column,
                 "its stixels are %" PRId32 " to %" PRId32
                 " of the list, the reference's %" PRId32 " to %" PRId32,
                 o->first[c], o->first[c + 1], r->first[c], r->first[c + 1]);
            n_broken++;
        } else {
            const double expected = energy_of(column.reference, column.n_reference);
            const double error = fabs(energy_of(column.output, column.n_output) - expected);

            if (exact) {
                verdict.wrong = verdict.differs = compare_exact(&column, difference);
            } else {
                verdict = compare_float(in, &column, r->n_rows, n_classes, difference);
                apart += verdict.apart;
                energy += fabs(expected);
            }
            if (isnan(error) || error > difference->max_error) /* a NaN stays */
                difference->max_error = error;
        }
        difference->n_wrong += verdict.wrong != 0;
        difference->n_different += verdict.differs != 0;
        n_unscored += verdict.unscored != 0;
        n_off += verdict.off != 0;
        n_planes_off += verdict.planes_off != 0;
    }
    difference->n_compared = n;
    if (n_broken == 0 && (o->first[0] != 0 || !has_clean_end(o))) {
        difference->n_wrong++;
        if (difference->where[0] == '\0')
            snprintf(difference->where, sizeof difference->where,
                     o->first[0] != 0 ? "the list begins at %" PRId32 ", expected 0"
                                      : "the list is not 0 behind its end, %" PRId32,
                     o->first[o->first[0] != 0 ? 0 : n]);
    }
    if (!exact) {
        check_share("are off", n_off, n,
                    in && r->n_rows <= FLOAT_LONG_ROWS ? FLOAT_OFF_PCT : FLOAT_OFF_LONG_PCT,
                    difference);
        check_share("are off in a plane", n_planes_off, n, FLOAT_PLANES_PCT, difference);
        check_share("differ", n_unscored, n, FLOAT_DIFFERENT_PCT, difference);
        if (n >= FLOAT_MEAN_COLUMNS &&
            !(apart <= FLOAT_MEAN_NAT * (double)n + FLOAT_MEAN_RELATIVE * energy)) {
            difference->n_wrong++;
            if (difference->where[0] == '\0')
                snprintf(difference->where, sizeof difference->where,
                         "energies of %zu columns differ by %.3g nat on average", n,
                         apart / (double)n);
        }
    }
}

/* ---- work ---- */

/*
 * Bytes: every plane of the input once as it is stored, the used part of the list and 'first' once.
 * Ops: eq. 12 and flat models: candidates, 3 n (n + 1) / 2 for a column of n rows; eq. 6 of slanted stixels: the terms
 * of their sums over rows, 3 n (n + 1) (n + 2) / 6 [STX table 1: h^2 against h^3].
 */
static void count_work(const void *input, const void *reference, struct bench_work *work)
{
    const struct stixels_input *in = input;
    const struct stixels_output *out = reference;
    const double n = in->n_rows, columns = (double)n_columns(out);

    work->bytes = (double)plane_bytes(in, 1, sizeof *in->disparity) +
                  (double)plane_bytes(in, 1, sizeof *in->confidence) +
                  (double)out->first[n_columns(out)] * sizeof *out->list +
                  (columns + 1) * sizeof *out->first;
    if (in->n_classes > 0)
        work->bytes += (double)plane_bytes(in, in->n_classes, sizeof *in->probability);
    work->ops = in->model[0].data_term == STIXELS_E12 || in->model[0].flat
                    ? columns * STIXELS_N_GEOMETRIES * (n * (n + 1) / 2)
                    : columns * STIXELS_N_GEOMETRIES * (n * (n + 1) * (n + 2) / 6);
}

/* ---- reconstruction ---- */

static void fill_row(const struct stixels_input *in, const struct stixel *s, int r, size_t at,
                     float *disparity_px, uint8_t *semantic)
{
    /* block rows from the bottom of the row's centre; a whole number where the block has its centre */
    const double v = in->n_rows - 1 - (r - (in->block_rows - 1) / 2.0) / in->block_rows;
    const double px = s->geometry == STIXELS_SKY      ? 0
                      : s->geometry == STIXELS_OBJECT ? (double)s->a
                                                      : (double)s->b * v + (double)s->a;

    for (int x = 0; x < in->block_cols; x++) {
        if (disparity_px)
            disparity_px[at + (size_t)x] = px > 0 ? (float)px : 0;
        if (semantic)
            semantic[at + (size_t)x] = s->semantic;
    }
}

void stixels_reconstruct(const struct stixels_input *input, const struct stixels_output *output,
                         int frame, float *disparity_px, uint8_t *semantic)
{
    for (int u = 0; u < input->n_cols; u++) {
        const size_t c = (size_t)frame * (size_t)input->n_cols + (size_t)u;

        for (int32_t i = output->first[c]; i < output->first[c + 1]; i++) {
            const struct stixel *s = &output->list[i];
            const int top = (input->n_rows - 1 - s->v_top) * input->block_rows;
            const int end = (input->n_rows - s->v_bottom) * input->block_rows;

            for (int r = top; r < end; r++)
                fill_row(input, s, r,
                         (size_t)r * (size_t)input->width +
                             (size_t)u * (size_t)input->block_cols,
                         disparity_px, semantic);
        }
    }
}

/* of the models whose costs come from sums over rows (eq. 12), and of those that look at each row (eq. 6) */
static const char *const references[] = {"stixels/serial", "stixels/cubic-serial", NULL};

const struct bench_problem stixels_problem = {
    .name = "stixels",
    .title = "describe the columns of an image by slanted stixels [STX]",
    .keys = keys,
    .quick = quick,
    .references = references,
    .check = check,
    .make_input = make_input,
    .free_input = stixels_input_free,
    .make_output = make_output,
    .free_output = stixels_output_free,
    .input_blocks = input_blocks,
    .output_blocks = output_blocks,
    .n_frames = n_frames_of,
    .match = match,
    .reference_params = reference_params,
    .compare = compare,
    .count_work = count_work,
    .measure = stixels_measure,
};
