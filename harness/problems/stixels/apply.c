/*
 * apply.c - `depthbench apply stixels/VARIANT IMAGE`: stixels as list, picture, mesh; a column
 *
 * Source: one column as [STX] Fig. 3 shows it.
 */
#include "harness/problems/apply_image.h"
#include "harness/problems/stixels/stixels.h"
#include "harness/problems/stixels/energy.h"
#include "harness/problems/stixels/picture.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/inputs/camera.h"
#include "harness/inputs/image.h"
#include "harness/inputs/npy.h"
#include "harness/inputs/plane.h"
#include "harness/inputs/semantic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_PLY_PX 1.0 /* disparity at an edge; see stixels_ply() */

static const struct bench_key keys[] = {
    APPLY_IMAGE_KEY,
    {"label_ids", "train", "",
     "what the values of --labels are, train ids or Cityscapes' 0..33", BENCH_CHOICE, 0, 0,
     "train|full"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_option options[] = {
    APPLY_IMAGE_OPTION,
    {"confidence", "IMG", "8 bit, 255 sure, 0 none"},
    {"semantic", "NPY", "probabilities of the classes"},
    {"labels", "PNG", "class ids instead of those"},
    {"camera", "FILE", ".ini, KITTI's .txt, .json"},
    {"ply", "PLY", "the stixels as a mesh"},
    {"input-picture", "PNG", "the disparity that came in"},
    {"column-data", "CSV", "one column's data and stixels"},
    {"column", "U", "which pixel column"},
    {NULL, NULL, NULL},
};

/* ---- what is written --------------------------------------------------------------------- */

/* D = slope * row + intercept, image rows from the top. */
struct line {
    double slope, intercept;
};

/* The middle of block row v: image row (n_rows - 1 - v) block_rows + (block_rows - 1) / 2. */
static struct line image_line(const struct stixels_input *in, const struct stixel *s)
{
    const double a = (double)s->a, b = (double)s->b, rows = in->block_rows;

    return (struct line){.slope = -b / rows,
                         .intercept = a + b * (in->n_rows - 1 + (rows - 1) / (2 * rows))};
}

static int top_row(const struct stixels_input *in, const struct stixel *s)
{
    return in->height - (s->v_top + 1) * in->block_rows;
}

static int bottom_row(const struct stixels_input *in, const struct stixel *s)
{
    return in->height - s->v_bottom * in->block_rows - 1;
}

static const char *const geometry_name[STIXELS_N_GEOMETRIES] = {
    [STIXELS_OBJECT] = "object", [STIXELS_GROUND] = "ground", [STIXELS_SKY] = "sky"};

/* Append a number and what follows it. */
static void add(struct text *text, double number, const char *behind)
{
    text_add_number(text, number);
    text_add(text, behind);
}

/* The id and a comma; without a class the comma alone. */
static void add_semantic(struct text *text, const struct stixel *s)
{
    if (s->semantic != STIXELS_NO_CLASS)
        text_format(text, "%d", s->semantic);
    text_add(text, ",");
}

void stixels_csv(struct text *text, const struct stixels_input *in,
                 const struct stixels_output *out, int frame)
{
    const size_t column = (size_t)frame * (size_t)in->n_cols;

    text_add(text, "u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost\n");
    for (int u = 0; u < in->n_cols; u++)
        for (int32_t i = out->first[column + (size_t)u + 1] - 1;
             i >= out->first[column + (size_t)u]; i--) {
            const struct stixel *const s = &out->list[i];
            const struct line line = image_line(in, s);

            text_format(text, "%d,%d,%d,%d,%s,", u * in->block_cols, in->block_cols,
                        top_row(in, s), bottom_row(in, s), geometry_name[s->geometry]);
            add_semantic(text, s);
            add(text, line.slope, ",");
            add(text, line.intercept, ",");
            add(text, (double)s->cost, "\n");
        }
}

/* Disparity at the upper and lower edge of its pixels; 0: it has no place in the mesh. */
static int edges(const struct stixels_input *in, const struct stixel *s, double disparity_px[2])
{
    const struct line line = image_line(in, s);

    disparity_px[0] = line.slope * (top_row(in, s) - 0.5) + line.intercept;
    disparity_px[1] = line.slope * (bottom_row(in, s) + 0.5) + line.intercept;
    return s->geometry != STIXELS_SKY && disparity_px[0] >= LEAST_PLY_PX &&
           disparity_px[1] >= LEAST_PLY_PX;
}

static void add_vertex(struct text *text, const struct camera *camera, double u, double v,
                       double disparity_px, struct picture_colour colour)
{
    const double z = camera->fx_px * camera->baseline_m / disparity_px;
    const double fy = camera->fy_px > 0 ? camera->fy_px : camera->fx_px;

    add(text, (u - camera->cx_px) * z / camera->fx_px, " ");
    add(text, (v - camera->cy_px) * z / fy, " ");
    add(text, z, "");
    text_format(text, " %d %d %d\n", colour.r, colour.g, colour.b);
}

/* Adds for each class, or geometry without one, a line that says its colour. */
static void add_colours(struct text *text, const struct stixels_output *out, int32_t first,
                        int32_t end)
{
    const struct stixel *seen[STIXELS_NO_CLASS + STIXELS_N_GEOMETRIES] = {NULL};

    for (int32_t i = first; i < end; i++) {
        const struct stixel *const s = &out->list[i];

        seen[s->semantic < STIXELS_NO_CLASS ? s->semantic : STIXELS_NO_CLASS + s->geometry] = s;
    }
    for (int i = 0; i < STIXELS_NO_CLASS + STIXELS_N_GEOMETRIES; i++) {
        const struct picture_colour colour =
            seen[i] ? stixels_colour(seen[i]) : (struct picture_colour){0};

        if (!seen[i])
            continue;
        if (i < STIXELS_NO_CLASS)
            text_format(text, "comment class %d", i);
        else
            text_format(text, "comment %s", geometry_name[i - STIXELS_NO_CLASS]);
        text_format(text, ": %d %d %d\n", colour.r, colour.g, colour.b);
    }
}

void stixels_ply(struct text *text, const struct stixels_input *in,
                 const struct stixels_output *out, int frame, const struct camera *camera,
                 struct stixels_ply_count *count)
{
    const size_t first = (size_t)frame * (size_t)in->n_cols;
    OWNED(text_free) struct text vertices = {0};
    double disparity_px[2];

    memset(count, 0, sizeof *count);
    for (int u = 0; u < in->n_cols; u++)
        for (int32_t i = out->first[first + (size_t)u]; i < out->first[first + (size_t)u + 1];
             i++) {
            const struct stixel *const s = &out->list[i];
            const struct picture_colour colour = stixels_colour(s);
            const double left = u * in->block_cols - 0.5, right = left + in->block_cols;
            const double top = top_row(in, s) - 0.5, bottom = bottom_row(in, s) + 0.5;

            if (!edges(in, s, disparity_px)) {
                ++*(s->geometry == STIXELS_SKY ? &count->n_sky : &count->n_far);
                continue;
            }
            count->n_written++;
            add_vertex(&vertices, camera, left, top, disparity_px[0], colour);
            add_vertex(&vertices, camera, right, top, disparity_px[0], colour);
            add_vertex(&vertices, camera, right, bottom, disparity_px[1], colour);
            add_vertex(&vertices, camera, left, bottom, disparity_px[1], colour);
        }
    text_add(text, "ply\nformat ascii 1.0\n"
                   "comment stixels; metres, x right, y down, z ahead of the left camera\n");
    add_colours(text, out, out->first[first], out->first[first + (size_t)in->n_cols]);
    apply_ply_head(text, 4 * count->n_written, count->n_written);
    text->failed |= vertices.failed;
    if (vertices.size > 0)
        text_bytes(text, vertices.data, vertices.size);
    for (long long i = 0; i < count->n_written; i++)
        text_format(text, "4 %lld %lld %lld %lld\n", 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
}

/* ---- one column -------------------------------------------------------------------------- */

/*
 * A line for each block row, from the bottom:
 *
 *     v, row         block row; image row of its middle, 0 at the top
 *     disparity_px   of the block, empty where it has none
 *     confidence     of the block, 0..255
 *     ground_px      disparity of the expected ground, empty above the horizon
 *     stixel         the column's stixels count from 0 at the bottom
 *     class, semantic, stixel_px
 *                    of the stixel, as in the list; its disparity at this row
 *     colour         of the stixel in pictures, 0xRRGGBB
 */
static void add_column(struct text *text, const struct stixels_input *in,
                       const struct stixels_output *out, int u)
{
    const struct stixels_model *const model = &in->model[0];

    text_add(
        text,
        "v,row,disparity_px,confidence,ground_px,stixel,class,semantic,stixel_px,colour\n");
    for (int32_t i = out->first[u]; i < out->first[u + 1]; i++) {
        const struct stixel *const s = &out->list[i];
        const struct picture_colour colour = stixels_colour(s);

        for (int v = s->v_bottom; v <= s->v_top; v++) {
            const struct stixels_block block = stixels_block_of(in, 0, u, v);

            text_format(text, "%d,", v);
            add(text, (in->n_rows - 1 - v) * in->block_rows + (in->block_rows - 1) / 2.0, ",");
            if (block.valid)
                add(text, block.disparity / 256.0, "");
            text_format(text, ",%d,", block.confidence);
            if (v <= model->horizon)
                add(text, model->mu_b * v + model->mu_a, "");
            text_format(text, ",%d,%s,", (int)(i - out->first[u]), geometry_name[s->geometry]);
            add_semantic(text, s);
            add(text, (double)s->b * v + (double)s->a, ",");
            text_format(text, "0x%02x%02x%02x\n", colour.r, colour.g, colour.b);
        }
    }
}

/* ---- the verb ---------------------------------------------------------------------------- */

static void remark(const struct bench_request *request, const struct stixels_ply_count *count)
{
    const char *const ply = bench_option_value(request, "ply");

    if (!request->message || request->message_size == 0)
        return;
    request->message[0] = '\0';
    if (ply && count->n_sky + count->n_far > 0)
        snprintf(request->message, request->message_size,
                 "--ply: %d of %d stixels; left out are %d of sky and %d below %g px",
                 count->n_written, count->n_written + count->n_sky + count->n_far, count->n_sky,
                 count->n_far, LEAST_PLY_PX);
}

static enum bench_status write_all(const struct bench_request *request,
                                   const struct plane *plane, const void *input,
                                   const void *output, void *own)
{
    const struct stixels_input *const in = input;
    const struct stixels_output *const out = output;
    const char *const ply = bench_option_value(request, "ply");
    const char *const column_data = bench_option_value(request, "column-data");
    const char *const input_picture = bench_option_value(request, "input-picture");
    struct stixels_ply_count count = {0};
    struct picture picture;
    struct text text = {0};
    int column;

    (void)own;
    TRY(stixels_check_output(in, out)); /* maybe nobody has compared it with a reference */
    if (column_data) {
        TRY(apply_column(request, "column-data", in->width, &column));
        add_column(&text, in, out, column / in->block_cols);
        TRY(apply_write_text(column_data, &text));
    }
    if (ply) {
        stixels_ply(&text, in, out, 0, &plane->camera, &count);
        TRY(apply_write_text(ply, &text));
    }
    if (input_picture) {
        TRY(stixels_picture_input(in, &picture));
        TRY(picture_write(input_picture, &picture));
    }
    if (request->picture) {
        TRY(stixels_picture_draw(in, out, 0, plane, &picture));
        if (bench_is(request->params, "legend", "yes"))
            TRY(stixels_picture_legend(out, 0, &picture));
        TRY(picture_write(request->picture, &picture));
    }
    if (request->csv) {
        stixels_csv(&text, in, out, 0);
        TRY(apply_write_text(request->csv, &text));
    }
    remark(request, &count);
    return BENCH_OK;
}

/* There are as many classes as the file has, unless -S classes is given. */
static enum bench_status count_classes(const struct plane *plane, struct bench_params *params)
{
    char text[BENCH_MAX_VALUE];

    for (int i = 0; i < params->n; i++)
        if (strcmp(params->item[i].key->name, "classes") == 0 && !params->item[i].given &&
            plane->probability) {
            snprintf(text, sizeof text, "%d", plane->n_classes);
            return bench_params_set(params, params->item[i].key, text, plane->name);
        }
    return BENCH_OK;
}

/* A pixel's label has the probability 1, unless -S semantic=labels makes a network's errors. */
static enum bench_status read_labels(const char *path, const struct bench_params *params,
                                     struct plane *plane)
{
    const struct semantic_noise none = {.blur_px = 1, .cell_px = 4, .threshold_q8 = 256};
    const int full = bench_has(params, "label_ids") && bench_is(params, "label_ids", "full");
    const int classes = bench_int(params, "classes");
    const int n_classes = classes > 0 ? classes : SEMANTIC_CITYSCAPES;

    TRY(semantic_read_labels(path, plane->width, plane->height,
                             full ? SEMANTIC_LABEL_IDS : SEMANTIC_TRAIN_IDS,
                             &plane->truth_class));
    TRY(memory_allocate(&plane->probability, sizeof *plane->probability, 1, n_classes,
                        plane->height, plane->width));
    plane->n_classes = n_classes;
    return semantic_from_labels(plane->truth_class, plane->width, plane->height, n_classes,
                                &none, 0, plane->probability);
}

/* Read what the options name for a plane of this size. */
static enum bench_status read_companions(const struct bench_request *request,
                                         struct plane *plane)
{
    const char *const confidence = bench_option_value(request, "confidence");
    const char *const semantic = bench_option_value(request, "semantic");
    const char *const labels = bench_option_value(request, "labels");
    const char *const camera = bench_option_value(request, "camera");

    REFUSE_IF(confidence && apply_takes_views(request),
              "--confidence %s: what is made of a pair has no confidence", confidence);
    if (confidence)
        TRY(image_read_u8(confidence, "pixels", plane->width, plane->height,
                          &plane->confidence));
    if (semantic)
        TRY(npy_read_probability(semantic, plane->width, plane->height, &plane->probability,
                                 &plane->n_classes));
    if (labels)
        TRY(read_labels(labels, request->params, plane));
    return camera ? camera_read(camera, &plane->camera) : BENCH_OK;
}

/* The expected ground needs a camera, a mesh its principal point, too. */
static enum bench_status check_camera(const struct bench_request *request,
                                      const struct plane *plane)
{
    const struct camera *const camera = &plane->camera;
    const char *const file = bench_option_value(request, "camera");

    REFUSE_IF(!file && camera->fx_px == 0,
              "%s: its camera is not known; give --camera FILE with fx, cx, cy, baseline_m and "
              "height_m",
              plane->name);
    TRY(camera_check_stereo(camera, file ? file : plane->name));
    REFUSE_IF(bench_option_value(request, "ply") && camera->cx_px == 0,
              "%s: the camera's cx is not known, which --ply needs; give --camera FILE with it",
              file ? file : plane->name);
    return BENCH_OK;
}

/* 'plane' is borrowed and stays as it is. */
static enum bench_status apply_frame(const struct bench_request *request,
                                     const struct plane *plane)
{
    OWNED(plane_free)
    struct plane named = {
        .width = plane->width, .height = plane->height, .camera = plane->camera};
    struct plane whole = *plane;
    struct bench_params params = *request->params;
    struct bench_request counted = *request;

    counted.params = &params;
    TRY(read_companions(request, &named));
    whole.camera = named.camera;
    if (named.confidence)
        whole.confidence = named.confidence;
    if (named.truth_class)
        whole.truth_class = named.truth_class;
    if (named.probability) {
        whole.probability = named.probability;
        whole.n_classes = named.n_classes;
    }
    TRY(check_camera(request, &whole));
    TRY(count_classes(&whole, &params));
    return apply_variant(&counted, &whole, write_all, NULL);
}

static enum bench_status apply(const struct bench_request *request)
{
    static const char *const files[] = {"ply", "input-picture", "column-data", NULL};

    TRY(apply_check_files(request, files));
    REFUSE_IF(bench_option_value(request, "column") &&
                  !bench_option_value(request, "column-data"),
              "--column is for --column-data FILE, which is not given");
    REFUSE_IF(bench_option_value(request, "semantic") && bench_option_value(request, "labels"),
              "--semantic and --labels: expected one of them, found both");
    REFUSE_IF(bench_int(request->params, "columns") > 0,
              "columns = %d: apply takes all columns of an image, expected 0",
              bench_int(request->params, "columns"));
    REFUSE_IF(bench_option_value(request, "ply") && bench_int(request->params, "height") > 0,
              "height = %d: --ply needs the rows that the camera has, expected 0",
              bench_int(request->params, "height"));
    return apply_to_frame(request, apply_frame);
}

static const struct bench_told told[] = {
    {"", "stixels", " stixels"},
    {"", "object_pct", " % of the pixels in objects"},
    {"", "ground_pct", " % ground"},
    {"", "sky_pct", " % sky"},
    {"rms error ", "rms_to_input_px", " px against the image"},
    {NULL, NULL, NULL},
};

static enum bench_status table(const void *input, const void *output, struct text *text)
{
    TRY(stixels_check_output(input, output));
    stixels_csv(text, input, output, 0);
    return text_ok(text);
}

static void size(const void *input, int *height, int *width)
{
    const struct stixels_input *const in = input;

    *height = in->height;
    *width = in->width;
}

/* They take eq. 6 alone. */
static enum bench_status settle(const char *reference, struct bench_params *params)
{
    if (strcmp(reference, "stixels/cubic-serial") != 0 || bench_has(params, "model"))
        return BENCH_OK;
    return bench_params_set(params, bench_find_key(stixels_problem.keys, "model"), "b6",
                            "apply");
}

const struct bench_app stixels_app = {.problem = &stixels_problem,
                                      .keys = keys,
                                      .options = options,
                                      .told = told,
                                      .apply = apply,
                                      .table = table,
                                      .size = size,
                                      .needs_camera = true,
                                      .settle = settle};
