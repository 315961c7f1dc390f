/*
 * stixels.c - the problem "stixels": input from planes, output, exact count of the work
 *
 * Source: [STX] sect. 3 and 4.2; stixels.h has the definition, stixels/model.h the arithmetic,
 *         stixels/preset.c the numbers of a model.
 */
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/problems/arrays.h"
#include "harness/problems/frames.h"
#include "harness/problems/stixels/stixels.h"
#include "harness/inputs/plane.h"
#include "harness/inputs/semantic.h"

#include <assert.h>
#include <math.h>
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

#define MAX_NUMBER 1e4 /* as in a preset */

static const struct bench_key keys[] = {
    {"arith", "float", "", "exact: the same bits in every variant; float: within a tolerance",
     BENCH_CHOICE, 0, 0, "exact|float"},
    {"model", "b12", "", "a named model, or a file that ends in .ini", BENCH_CHOICE, 0, 0,
     NULL},
    {"block", "8", "px", "stixel resolution: 8, or 8x4 for 8 rows of 4 columns", BENCH_CHOICE,
     0, 0, NULL},
    {"classes", "19", "", "semantic classes; 0: none", BENCH_INT, 0, STIXELS_MAX_CLASSES, NULL},
    {"height", "0", "px", "rows after resampling; 0: as the frame is", BENCH_INT, 0,
     INPUTS_MAX_SIDE, NULL},
    {"columns", "0", "", "stixel columns, spread evenly over the frame; 0: all", BENCH_INT, 0,
     INPUTS_MAX_SIDE, NULL},
    {"semantic", "auto", "",
     "class probabilities: the frame's own, made of its true classes, or none; auto: the first "
     "of these that there is",
     BENCH_CHOICE, 0, 0, "auto|off|labels|file"},
    {"semantic_noise", "normal", "", "errors of probabilities made of true classes",
     BENCH_CHOICE, 0, 0, "easy|normal|hard"},
    {"w_l", "model", "", "weight of the semantic term, a number; model: what the model says",
     BENCH_CHOICE, 0, 0, NULL},
    {"beta_mc", "model", "nat", "what every stixel costs, a number; model: what the model says",
     BENCH_CHOICE, 0, 0, NULL},
    {"invalid_rows", "model", "",
     "cost of a row without a disparity; model: what the model says", BENCH_CHOICE, 0, 0,
     "model|literal|pfeiffer|zero"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_quick quick[] = {{"height", 2048, 0}, {NULL, 0, 0}};

/* ---- memory ---- */

/* The bytes of a plane of the input, of all frames. */
static size_t plane_bytes(const struct stixels_input *in, int n_planes, size_t element_bytes)
{
    return memory_bytes(element_bytes, in->n_frames, n_planes, in->height, in->width);
}

void stixels_roots(const struct stixels_input *in, uint8_t *roots)
{
    const size_t n = plane_bytes(in, in->n_classes, 1);
    uint8_t root[UINT16_MAX + 1];

    for (int p = 0; p <= UINT16_MAX; p++)
        root[p] = (uint8_t)(sqrtf((float)p * (65025.0f / 65535)) + 0.5f);
    for (size_t i = 0; i < n; i++)
        roots[i] = root[in->probability[i]];
}

/* n_frames .. n_classes: the members before the pointers */
#define N_SCALARS 8
static_assert(offsetof(struct stixels_input, n_classes) == (N_SCALARS - 1) * sizeof(int32_t) &&
                  offsetof(struct stixels_input, model) == N_SCALARS * sizeof(int32_t),
              "the hashed scalars must have no padding");

static int input_arrays(const void *input, struct array *array)
{
    const struct stixels_input *in = input;
    const int n = in->n_frames, h = in->height, w = in->width;

    array[0] = (struct array){"shape", ARRAY_SHAPE, N_SCALARS * sizeof(int32_t)};
    array[1] = ARRAY("model", stixels_input, model, n, 1, 1, 1);
    array[2] = ARRAY("disparity", stixels_input, disparity, n, 1, h, w);
    array[3] = ARRAY("confidence", stixels_input, confidence, n, 1, h, w);
    array[4] = ARRAY("probability", stixels_input, probability, n, in->n_classes, h, w);
    array[5] = ARRAY(NULL, stixels_input, truth, n, in->truth != NULL, h, w);
    array[6] = ARRAY(NULL, stixels_input, truth_class, n, in->truth_class != NULL, h, w);
    return 7;
}

static int output_arrays(const void *output, struct array *array)
{
    const struct stixels_output *out = output;

    /* one more than columns */
    array[0] = ARRAY("first", stixels_output, first, (int)stixels_n_columns(out) + 1, 1, 1, 1);
    array[1] = ARRAY("list", stixels_output, list, out->n_frames, out->n_cols, out->n_rows, 1);
    return 2;
}

ARRAYS_HOOKS(input)
ARRAYS_HOOKS(output)
ARRAYS_DROP(input)

/* Does a frame of this size make columns of blocks? */
static enum bench_status check_shape(int height, int width, int block_rows, int block_cols)
{
    REFUSE_IF(height < block_rows || width < block_cols,
              "stixels expect at least one whole block of %dx%d (rows x columns) pixels, found "
              "%d rows of %d",
              block_rows, block_cols, height, width);
    if (height / block_rows > STIXELS_MAX_ROWS) {
        int enough = block_rows;

        while (enough <= STIXELS_MAX_BLOCK && height / enough > STIXELS_MAX_ROWS)
            enough++;
        REFUSE_IF(enough > STIXELS_MAX_BLOCK,
                  "a column has at most %d block rows, and %d pixels are more even in blocks "
                  "of %d rows: give a height",
                  STIXELS_MAX_ROWS, height, STIXELS_MAX_BLOCK);
        return BENCH_FAIL(
            BENCH_EINPUT,
            "a column has at most %d block rows, found %d of %d pixels: block = %dx%d would do",
            STIXELS_MAX_ROWS, height / block_rows, block_rows, enough, block_cols);
    }
    return BENCH_OK;
}

enum bench_status stixels_input_new(int n_frames, int height, int width, int block_rows,
                                    int block_cols, int n_classes, int with_truth,
                                    int with_truth_class, struct stixels_input **input)
{
    *input = NULL;
    assert(n_frames >= 1 && n_classes >= 0 && n_classes <= STIXELS_MAX_CLASSES);
    assert(height % block_rows == 0 && width % block_cols == 0);
    TRY(check_shape(height, width, block_rows, block_cols));
    REFUSE_IF((int64_t)n_frames * height > INT32_MAX / width,
              "%d frames of %d x %d pixels: a batch has fewer than 2^31 pixels", n_frames,
              width, height); /* so 'first' can count stixels */

    const struct stixels_input shape = {.n_frames = n_frames,
                                        .height = height,
                                        .width = width,
                                        .block_rows = block_rows,
                                        .block_cols = block_cols,
                                        .n_rows = height / block_rows,
                                        .n_cols = width / block_cols,
                                        .n_classes = n_classes,
                                        /* wanted: any place but NULL */
                                        .truth = with_truth ? (void *)input : NULL,
                                        .truth_class = with_truth_class ? (void *)input : NULL};

    return arrays_new(&shape, sizeof shape, input_arrays, input);
}

static enum bench_status make_output(const void *input, void **output)
{
    const struct stixels_input *in = input;
    const struct stixels_output shape = {
        .n_frames = in->n_frames, .n_cols = in->n_cols, .n_rows = in->n_rows};

    return arrays_new(&shape, sizeof shape, output_arrays, output);
}

/* ---- parameters ---- */

/* "8" or "8x4": rows x columns, without leading zeros */
static enum bench_status parse_block(const char *text, int *rows, int *cols)
{
    char side[2][3] = {"", ""};
    int end = 0; /* of what could be read */

    (void)sscanf(text, "%2[0-9]%nx%2[0-9]%n", side[0], &end, side[1], &end);
    *rows = atoi(side[0]);
    *cols = atoi(side[1][0] ? side[1] : side[0]);
    REFUSE_IF(
        end == 0 || text[end] != '\0' || side[0][0] == '0' || side[1][0] == '0' ||
            *rows > STIXELS_MAX_BLOCK || *cols > STIXELS_MAX_BLOCK,
        "block: expected ROWS or ROWSxCOLUMNS of 1 to %d pixels each, as 8 or 8x4, found '%s'",
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
    REFUSE_IF(end == NULL || *end != '\0' || !(found >= 0 && found <= MAX_NUMBER),
              "%s: expected model, or a number of 0 to %g, found '%s'", key, MAX_NUMBER, text);
    *number = found;
    return BENCH_OK;
}

static enum bench_status check(const struct bench_params *params)
{
    const int wants_classes =
        bench_is(params, "semantic", "labels") || bench_is(params, "semantic", "file");
    struct stixels_preset preset;
    double number;
    int rows, cols;

    TRY(parse_block(bench_word(params, "block"), &rows, &cols));
    TRY(parse_number(params, "w_l", &number));
    TRY(parse_number(params, "beta_mc", &number));
    REFUSE_IF(wants_classes && bench_int(params, "classes") == 0,
              "semantic = %s needs at least one class, found classes = 0",
              bench_word(params, "semantic"));
    if (!stixels_preset_is_file(bench_word(params, "model"))) /* built in: no file is opened */
        TRY(stixels_preset_read(bench_word(params, "model"), &preset));
    return BENCH_OK;
}

static enum bench_status read_preset(const struct bench_params *params,
                                     struct stixels_preset *preset)
{
    const int invalid =
        bench_choice("literal|pfeiffer|zero", bench_word(params, "invalid_rows"));

    TRY(stixels_preset_read(bench_word(params, "model"), preset));
    if (invalid >= 0)
        preset->invalid = invalid;
    TRY(parse_number(params, "w_l", &preset->weight_semantic));
    return parse_number(params, "beta_mc", &preset->beta_mc);
}

static enum bench_match match(const struct bench_params *params)
{
    return bench_is(params, "arith", "exact") ? BENCH_EXACT : BENCH_WITHIN;
}

/* All variants are held against exact arithmetic, or against float where a model (zg =
 * truncated) has no other. */
static void reference_params(const struct bench_params *params, struct bench_params *reference)
{
    struct stixels_preset preset;

    *reference = *params;
    if (stixels_preset_read(bench_word(params, "model"), &preset) == BENCH_OK &&
        preset.zg == STIXELS_ZG_TRUNCATED)
        return;
    (void)bench_params_set(reference, &keys[0], "exact", "reference"); /* cannot fail */
}

/* ---- input ---- */

/* The pixels of a frame that are used, and as which. */
struct cut {
    int src_height, src_width; /* the frame's */
    int rows;                  /* after resampling */
    int block_rows, block_cols;
    int n_rows, n_cols; /* blocks that are used */
    int all_cols;       /* blocks that there are in a row */
};

static enum bench_status make_cut(const struct bench_params *params, const struct plane *frame,
                                  int rows, struct cut *cut)
{
    const int columns = bench_int(params, "columns");

    cut->src_height = frame->height;
    cut->src_width = frame->width;
    cut->rows = rows;
    TRY(parse_block(bench_word(params, "block"), &cut->block_rows, &cut->block_cols));
    TRY(check_shape(cut->rows, frame->width, cut->block_rows, cut->block_cols));
    cut->n_rows = cut->rows / cut->block_rows;
    cut->all_cols = frame->width / cut->block_cols;
    cut->n_cols = columns > 0 ? columns : cut->all_cols;
    REFUSE_IF(cut->n_cols > cut->all_cols, "columns = %d, but %s has %d columns of blocks",
              columns, frame->name, cut->all_cols);
    return BENCH_OK;
}

/* The row of n that is the nearest to row i of m, centres aligned, half goes up. */
static int nearest(int i, int m, int n)
{
    return (int)((2 * (int64_t)i + 1) * n / (2 * (int64_t)m));
}

/* Copies what the cut keeps of one plane of a frame. */
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

/* Class probabilities come from one of these. */
enum source { SOURCE_NONE, SOURCE_LABELS, SOURCE_FILE };

static enum bench_status source_of(const struct bench_params *params, const struct plane *frame,
                                   enum source *source)
{
    const int n_classes = bench_int(params, "classes");

    *source = SOURCE_NONE;
    if (bench_is(params, "semantic", "off") || n_classes == 0)
        return BENCH_OK;
    if (frame->probability && !bench_is(params, "semantic", "labels")) {
        REFUSE_IF(frame->n_classes != n_classes,
                  "%s has probabilities of %d classes, but classes = %d", frame->name,
                  frame->n_classes, n_classes);
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

/* Made of the whole frame, then cut: what else is kept changes no pixel's probabilities. */
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
    OWNED(memory_free) uint16_t *whole = NULL;
    const uint16_t *source = frame->probability;

    if (source == NULL || bench_is(params, "semantic", "labels")) {
        TRY(memory_allocate(&whole, sizeof *whole, 1, n_classes, frame->height, frame->width));
        TRY(semantic_from_labels(frame->truth_class, frame->width, frame->height, n_classes,
                                 &noise, seed_of(frame->name), whole));
        source = whole;
    }
    for (int k = 0; k < n_classes; k++)
        copy_plane(cut, source + (size_t)k * from_pixels, sizeof *source,
                   probability + (size_t)k * to_pixels);
    return BENCH_OK;
}

/* The camera of the frame's resampled rows; pixel centres are at whole numbers. */
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
                                    const struct stixels_preset *preset,
                                    const struct plane *frame, const struct cut *cut, int k,
                                    struct stixels_input *in)
{
    const struct camera camera = resampled_camera(frame, cut->rows);
    const size_t n = (size_t)in->height * (size_t)in->width, at = (size_t)k * n;
    uint16_t *const disparity = in->disparity + at;
    uint8_t *const confidence = in->confidence + at;

    TRY(stixels_model_make(preset, &camera, frame->name, in->block_rows, in->n_rows,
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

/* Finds what the frames have in common, or says what they have not. */
static enum bench_status compare_frames(const struct bench_params *params,
                                        const struct plane *const *frames, int n_frames,
                                        struct cut *cut, enum source *source)
{
    int width, height;

    TRY(frames_have_maps(frames, n_frames));
    TRY(frames_size(params, frames, n_frames, &width, &height));
    TRY(make_cut(params, frames[0], height, cut));
    TRY(source_of(params, frames[0], source));
    for (int k = 1; k < n_frames; k++) {
        enum source other_source;

        TRY(source_of(params, frames[k], &other_source));
        REFUSE_IF(other_source != *source,
                  "the frames of one input must have their classes from one source, but %s and "
                  "%s have not: give semantic",
                  frames[0]->name, frames[k]->name);
    }
    return BENCH_OK;
}

static enum bench_status make_input(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input)
{
    OWNED(drop_input) struct stixels_input *in = NULL;
    enum source source = SOURCE_NONE;
    struct stixels_preset preset;
    struct cut cut;
    int n_classes, with_truth = 1, with_truth_class;

    *input = NULL;
    TRY(read_preset(params, &preset));
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
    for (int k = 0; k < n_frames; k++) {
        cut.src_height = frames[k]->height; /* may differ where rows are resampled */
        TRY(fill_frame(params, &preset, frames[k], &cut, k, in));
    }
    *input = in;
    in = NULL;
    return BENCH_OK;
}

/* Drops what is left over beyond whole blocks; all confidences are 255. */
static void take(void *input, const struct bench_map *map, int n_threads)
{
    const struct stixels_input *const in = input;

#pragma omp parallel for collapse(2) schedule(static) num_threads(n_threads)
    for (int k = 0; k < in->n_frames; k++)
        for (int v = 0; v < in->height; v++)
            memcpy(in->disparity +
                       ((size_t)k * (size_t)in->height + (size_t)v) * (size_t)in->width,
                   map->data +
                       ((size_t)k * (size_t)map->height + (size_t)v) * (size_t)map->width,
                   (size_t)in->width * sizeof *in->disparity);
}

static const struct bench_place places[] = {
    {"disparity", offsetof(struct stixels_input, disparity), _Alignof(uint16_t), false, false},
    {"confidence", offsetof(struct stixels_input, confidence), _Alignof(uint8_t), false, false},
    {"probability", offsetof(struct stixels_input, probability), _Alignof(uint16_t), false,
     false},
    {"first", offsetof(struct stixels_output, first), _Alignof(int32_t), true, false},
    {"list", offsetof(struct stixels_output, list), _Alignof(struct stixel), true, false},
    {NULL, 0, 0, false, false},
};

static const char *const frame_keys[] = {"height", "columns", "semantic", "semantic_noise",
                                         NULL};

/* ---- work ---- */

/*
 * Bytes: each plane of the input as it is stored, the used part of the list and 'first', once.
 * Ops: eq. 12 and flat models: candidates, 3 n (n + 1) / 2 for a column of n rows; eq. 6 of
 * slanted stixels: the terms of their sums over rows, 3 n (n + 1) (n + 2) / 6 [STX table 1: h^2
 * against h^3].
 */
static void count_work(const void *input, const void *reference, struct bench_work *work)
{
    const struct stixels_input *in = input;
    const struct stixels_output *out = reference;
    const double n = in->n_rows, columns = (double)stixels_n_columns(out);

    work->bytes = (double)plane_bytes(in, 1, sizeof *in->disparity) +
                  (double)plane_bytes(in, 1, sizeof *in->confidence) +
                  (double)out->first[stixels_n_columns(out)] * sizeof *out->list +
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
    /* block rows from the bottom of the row's centre, whole at the block's */
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

/* of the models whose costs come from sums over rows (eq. 12), and of those that look at each
 * row (eq. 6) */
static const char *const references[] = {"stixels/serial", "stixels/cubic-serial", NULL};

const struct bench_problem stixels_problem = {
    .name = "stixels",
    .title = "describe the columns of an image by slanted stixels [STX]",
    ARRAYS_PROBLEM,
    .quick = quick,
    .check = check,
    .places = places,
    .frame_keys = frame_keys,
    .take = take,
    .has_scores = 1,
    .reference_params = reference_params,
    .compare = stixels_compare,
    .compare_other = stixels_compare_other,
    .other_unit = "columns",
    .sum = stixels_sum,
    .values = stixels_values,
    .value_names =
        "d1_pct d1_image_pct d1_image_mean_pct input_d1_all_pct input_d1_valid_pct d1_or_pct "
        "d1_or_image_pct d1_or_image_mean_pct input_d1_or_all_pct input_d1_or_valid_pct "
        "input_density_pct mean_abs_error_px rms_error_px d1_to_input_pct rms_to_input_px "
        "iou_pct iou_mean_pct iou_classes input_iou_mean_pct input_iou_classes stixels "
        "stixels_per_column pixels_per_stixel dropped_pct object_pct ground_pct sky_pct "
        "invalid_pct mean_energy energy_excess_pct cut_candidates_pct block_rows "
        "columns_differing_pct "
        "values_read means_written "
        "downsample_intensity sums_written candidates row_terms e12_intensity e6_intensity",
};
