/*
 * apply.c - `depthbench apply som/VARIANT MAP`: the mesh as list, picture and surface; its
 * cells and searches; a sampling of the map
 *
 * Source: the surface is [SOM] sect. 6.5, Figs. 2 and 14; its camera is that of the authors'
 *         own code.
 */
#include "harness/problems/apply_image.h"
#include "harness/problems/som/som.h"
#include "harness/problems/som/cells.h"
#include "harness/problems/som/measure.h"
#include "harness/problems/som/picture.h"
#include "harness/base/text.h"
#include "harness/base/memory.h"
#include "harness/inputs/camera.h"
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAPER_FOCAL_PX   374.0
#define PAPER_BASELINE_M 0.16
#define LEAST_LIGHT      400 /* of a class's colour, at level 0; 255 more at level 255 */

static const struct bench_key keys[] = {
    APPLY_IMAGE_KEY,
    {"mesh", "last", "", "the variant's mesh, or the regular one that it begins with",
     BENCH_CHOICE, 0, 0, "last|first"},
    {"jump", "1.5", "",
     "no surface where depth grows by more than this factor in a triangle; 0: wherever",
     BENCH_REAL, 0, 255, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_option options[] = {
    APPLY_IMAGE_OPTION,
    {"ply", "PLY", "the mesh in space"},
    {"obj", "OBJ", "the mesh in space"},
    {"camera", "FILE", ".ini, KITTI's .txt, .json"},
    {"left", "IMAGE", "its colours: 8-bit PNG or PPM"},
    {"sampling", "PNG", "10000 pixels drawn by density"},
    {"input-picture", "PNG", "the disparity that came in"},
    {"view", "PNG", "the colours of the mesh in space"},
    {"cells", "CSV", "the cells' neurons, and their places in memory"},
    {"searches", "CSV", "the cells that some searches visit"},
    {NULL, NULL, NULL},
};

/* A map, the mesh over it, and what the mesh needs to stand in space. */
struct job {
    const struct bench_request *request;
    /* the map before it was resampled, whose pixels are the camera's and the left view's */
    const struct plane *plane;
    const struct som_input *in;
    const struct som_output *out;
    struct delaunay delaunay; /* of a mesh that is no network; owned */
    const struct image *left; /* IMAGE_U8 or, red lowest, IMAGE_DEPTH24; without pixels: grey */
};

static void free_job(struct job *job)
{
    delaunay_free(&job->delaunay);
}

static int is_network(const struct job *job)
{
    return som_is_network(job->out, 0);
}

static int n_vertices_of(const struct job *job)
{
    return is_network(job) ? som_n_neurons(job->in) : job->delaunay.n_vertices;
}

/* The i-th triangle, counter-clockwise where it is not folded.  1: there is one, 0: it is
 * beyond the network's border, -1: this was all. */
static int triangle_of(const struct job *job, int i, int corner[3])
{
    const struct delaunay *const d = &job->delaunay;

    if (is_network(job))
        return i < 2 * som_n_neurons(job->in)
                   ? som_triangle(job->in, i / 2, i % 2 ? 4 : 1, corner)
                   : -1;
    for (int k = 0; i < d->n_triangles && k < 3; k++)
        corner[k] = d->triangle[i].corner[2 - k];
    return i < d->n_triangles ? 1 : -1;
}

/* Refuses positions that are no numbers: no reference may have been compared. */
static enum bench_status check_mesh(struct job *job, struct som_quality *quality)
{
    return is_network(job) ? som_quality_of(job->in, 0, job->out->position, quality)
                           : som_delaunay_of(job->in, job->out, 0, &job->delaunay);
}

/* ---- list -------------------------------------------------------------------------------- */

/* The digits give the floats back. */
static void add_csv(struct text *text, const struct job *job)
{
    const float *position = job->out->position;

    text_add(text, is_network(job) ? "col,row,x,y\n" : "vertex,x,y\n");
    for (int i = 0; i < n_vertices_of(job); i++, position += 2) {
        if (is_network(job))
            text_format(text, "%d,%d,", i % job->in->grid_cols, i / job->in->grid_cols);
        else
            text_format(text, "%d,", i);
        text_add_number(text, (double)position[0]);
        text_add(text, ",");
        text_add_number(text, (double)position[1]);
        text_add(text, "\n");
    }
}

/* ---- colours ----------------------------------------------------------------------------- */

/* Returns the pixel of a map or frame that a place is in, or the nearest one. */
static size_t pixel_at(double x, double y, int width, int height)
{
    const size_t u = x >= width ? (size_t)width - 1 : x > 0 ? (size_t)x : 0;
    const size_t v = y >= height ? (size_t)height - 1 : y > 0 ? (size_t)y : 0;

    return v * (size_t)width + u;
}

static struct picture_colour grey_of(uint32_t level)
{
    return (struct picture_colour){(uint8_t)level, (uint8_t)level, (uint8_t)level};
}

/* The left view's, else a generated scene's class, darker where it is far, else the level. */
static struct picture_colour colour_of(const struct job *job, size_t pixel, uint8_t level)
{
    uint32_t rgb;

    if (job->left->pixels && job->left->type == IMAGE_U8)
        return grey_of(((const uint8_t *)job->left->pixels)[pixel]);
    if (job->left->pixels) {
        rgb = ((const uint32_t *)job->left->pixels)[pixel];
        return (struct picture_colour){(uint8_t)rgb, (uint8_t)(rgb >> 8), (uint8_t)(rgb >> 16)};
    }
    if (job->plane->truth_class)
        return picture_mix(grey_of(0), picture_class_colour(job->plane->truth_class[pixel]),
                           LEAST_LIGHT + level, LEAST_LIGHT + 255);
    return grey_of(level);
}

/* ---- surface ----------------------------------------------------------------------------- */

/* True: the camera's own distances are taken; false: the paper's. */
static int is_known(const struct camera *camera)
{
    return camera->fx_px > 0 && camera->baseline_m > 0;
}

/* The camera with nothing left unknown; cx and cy count from the map's corner, as positions do,
 * not from a pixel's centre. */
static struct camera whole_camera(const struct plane *plane)
{
    struct camera camera = plane->camera;

    if (!is_known(&camera))
        camera = (struct camera){.fx_px = PAPER_FOCAL_PX, .baseline_m = PAPER_BASELINE_M};
    if (camera.fy_px <= 0)
        camera.fy_px = camera.fx_px;
    camera.cx_px = camera.cx_px > 0 ? camera.cx_px + 0.5 : plane->width / 2.0;
    camera.cy_px = camera.cy_px > 0 ? camera.cy_px + 0.5 : plane->height / 2.0;
    return camera;
}

/* The grey level under a neuron; 0, no depth: over background or a hole, or outside.  A mesh
 * that is no network has the border's levels beyond the map. */
static uint8_t level_of(const struct job *job, int neuron)
{
    const float *const position = &job->out->position[2 * (size_t)neuron];
    const float at[2] = {fminf(position[0], (float)job->in->width),
                         fminf(position[1], (float)job->in->height)};

    return som_level_at(job->in, 0, is_network(job) ? position : at);
}

/*
 * A neuron's place in space, in metres, and its colour, 0..255: x to the right, y down, z ahead
 * of the left camera's centre.  It lies at the depth of the pixel that it is in, d = level /
 * grey_per_px: Z = fx baseline / d, X = (x - cx) Z / fx, Y = (y - cy) Z / fy.
 */
static void place_vertex(const struct job *job, const struct camera *camera, int neuron,
                         double vertex[6])
{
    const struct som_input *const in = job->in;
    const struct plane *const plane = job->plane;
    /* where the map was resampled, the camera still counts in the pixels that it has */
    const double u = (double)job->out->position[2 * (size_t)neuron] * plane->width / in->width;
    const double v =
        (double)job->out->position[2 * (size_t)neuron + 1] * plane->height / in->height;
    const uint8_t level = level_of(job, neuron);
    const double z = camera->fx_px * camera->baseline_m * in->grey_per_px[0] / level;
    const struct picture_colour colour =
        colour_of(job, pixel_at(u, v, plane->width, plane->height), level);

    vertex[0] = (u - camera->cx_px) * z / camera->fx_px;
    vertex[1] = (v - camera->cy_px) * z / camera->fy_px;
    vertex[2] = z;
    vertex[3] = colour.r;
    vertex[4] = colour.g;
    vertex[5] = colour.b;
}

/* Says as comments of either format how to read the numbers. */
static void add_remarks(struct text *text, const struct job *job, const struct camera *camera,
                        int n_vertices, const char *mark)
{
    text_format(text,
                "%s som mesh of a map of %d x %d px; metres, x right, y down, z ahead of the "
                "left camera\n%s f = ",
                mark, job->in->width, job->in->height, mark);
    text_add_number(text, camera->fx_px);
    text_add(text, " px, B = ");
    text_add_number(text, camera->baseline_m);
    text_add(text, is_known(&job->plane->camera)
                       ? " m, the input's camera\n"
                       : " m, those of the paper's authors: the camera is not known\n");
    text_format(text, "%s disparity = level / ", mark);
    text_add_number(text, job->in->grey_per_px[0]);
    text_format(text, " px; left out: %d of %d %s, which are over no depth\n",
                n_vertices_of(job) - n_vertices, n_vertices_of(job),
                is_network(job) ? "neurons" : "vertices");
}

/* A triangle that may be a piece of the surface: it has depths, and they do not jump. */
static int is_piece(const struct job *job, const int corner[3])
{
    const double jump = bench_real(job->request->params, "jump");
    int least = 255, greatest = 0;

    for (int k = 0; k < 3; k++) {
        const int level = level_of(job, corner[k]);

        least = level < least ? level : least;
        greatest = level > greatest ? level : greatest;
    }
    return least > 0 && (jump <= 0 || greatest <= jump * least);
}

/* Adds triangles that show the camera their front side.  PLY is ASCII with a colour for each
 * vertex, OBJ has the colour behind its vertices' coordinates, 0 to 1. */
static enum bench_status add_surface(struct text *text, const struct job *job, int is_ply)
{
    const struct camera camera = whole_camera(job->plane);
    OWNED(text_free) struct text vertices = {0};
    OWNED(text_free) struct text faces = {0};
    OWNED(memory_free) int *number = NULL; /* of a neuron's vertex */
    int n_vertices = 0, n_faces = 0, corner[3];

    TRY(memory_allocate(&number, sizeof *number, 1, 1, 1, n_vertices_of(job)));
    for (int i = 0; i < n_vertices_of(job); i++) {
        double vertex[6];

        if (level_of(job, i) == 0)
            continue;
        number[i] = n_vertices++ + (is_ply ? 0 : 1);
        place_vertex(job, &camera, i, vertex);
        for (int k = 0; k < 6; k++) {
            text_add(&vertices, k > 0 ? " " : is_ply ? "" : "v ");
            text_add_number(&vertices, k < 3 || is_ply ? vertex[k] : vertex[k] / 255.0);
        }
        text_add(&vertices, "\n");
    }
    for (int i = 0, is_one; (is_one = triangle_of(job, i, corner)) >= 0; i++)
        if (is_one && is_piece(job, corner)) {
            text_format(&faces, "%s %d %d %d\n", is_ply ? "3" : "f", number[corner[0]],
                        number[corner[1]], number[corner[2]]);
            n_faces++;
        }
    text_add(text, is_ply ? "ply\nformat ascii 1.0\n" : "");
    add_remarks(text, job, &camera, n_vertices, is_ply ? "comment" : "#");
    if (is_ply)
        apply_ply_head(text, n_vertices, n_faces);
    text->failed |= vertices.failed || faces.failed;
    text_bytes(text, vertices.data, vertices.size);
    text_bytes(text, faces.data, faces.size);
    return BENCH_OK;
}

/* ---- files ------------------------------------------------------------------------------- */

/* Those that options name, and the other two. */
enum file { PLY, OBJ, SAMPLING, DISPARITY, VIEW, CELLS, SEARCHES, MESH, CSV };
static const char *const files[] = {"ply",  "obj",   "sampling", "input-picture",
                                    "view", "cells", "searches", NULL};

/* The map with its background: its disparity, white where it is nearest, or its colours. */
static enum bench_status draw_pixels(const struct job *job, enum file file,
                                     struct picture *picture)
{
    const struct som_input *const in = job->in;
    const struct plane *const plane = job->plane;
    OWNED(memory_free) struct picture_colour *colour = NULL;
    uint32_t near_q8; /* as bright as can be */

    TRY(picture_near(plane->disparity, (size_t)plane->width * (size_t)plane->height, &near_q8));
    TRY(memory_allocate(&colour, sizeof *colour, 1, 1, in->height, in->width));
    for (int i = 0; i < in->width * in->height; i++) {
        const int x = i % in->width, y = i / in->width;
        const size_t pixel =
            pixel_at((x + 0.5) * plane->width / in->width,
                     (y + 0.5) * plane->height / in->height, plane->width, plane->height);
        const uint16_t disparity = plane->disparity[pixel];
        const uint32_t level =
            disparity == DISPARITY_INVALID ? 0 : 255u * (uint32_t)disparity / near_q8;
        const uint8_t grey = level < 255 ? (uint8_t)level : 255;

        colour[i] = file == VIEW ? colour_of(job, pixel, grey) : grey_of(grey);
    }
    return som_picture_pixels(in, colour, picture);
}

static enum bench_status write_file(const struct job *job, enum file file, const char *path)
{
    struct picture picture;
    struct text text = {0};

    if (!path)
        return BENCH_OK;
    if (file == CSV || file == PLY || file == OBJ || file == CELLS || file == SEARCHES) {
        REFUSE_IF((file == CELLS || file == SEARCHES) && !is_network(job),
                  "%s: cells list the neurons of a network, which this mesh is not", path);
        if (file == CSV)
            add_csv(&text, job);
        else
            TRY(file == CELLS      ? som_cells_table(job->in, job->out->position, &text)
                : file == SEARCHES ? som_searches_table(job->in, job->out->position, &text)
                                   : add_surface(&text, job, file == PLY));
        return apply_write_text(path, &text);
    }
    TRY(file == MESH
            ? som_picture_draw(job->in, job->out->position,
                               is_network(job) ? NULL : &job->delaunay, job->plane, &picture)
        : file == SAMPLING ? som_picture_sampling(job->in, &picture)
                           : draw_pixels(job, file, &picture));
    if (file == MESH)
        TRY(som_picture_legend(&picture));
    return picture_write(path, &picture);
}

/* ---- the verb ---------------------------------------------------------------------------- */

static int is_in_space(const struct bench_request *request)
{
    return bench_option_value(request, "ply") || bench_option_value(request, "obj");
}

/* A mesh in space by a camera that is invented. */
static void warn(const struct job *job)
{
    const struct bench_request *const request = job->request;
    const size_t n = request->warning ? strlen(request->warning) : 0;

    if (n < request->warning_size && is_in_space(request) && !is_known(&job->plane->camera))
        snprintf(request->warning + n, request->warning_size - n,
                 "%s%s: its camera is not known, so that --ply and --obj take the paper "
                 "authors', 374 px and 0.16 m: give --camera FILE for true metres",
                 n ? "; " : "", job->plane->name);
}

static void remark(const struct job *job, const struct som_quality *quality)
{
    const struct som_counts *const counts = job->out->counts;
    const int wanted = bench_int(job->request->params, "threshold");
    OWNED(text_free) struct text said = {0};
    char cost[TEXT_NUMBER] = "not defined";

    if (!job->request->message || job->request->message_size == 0)
        return;
    if (!isnan(quality->cost_pct)) /* there is density in honeycombs */
        text_short_number(cost, quality->cost_pct, 4);
    if (!is_network(job)) {
        text_format(&said, "%d vertices, %d triangles", n_vertices_of(job),
                    (int)job->delaunay.n_triangles);
    } else if (som_sum_density(job->in, 0, NULL) == 0) {
        text_add(&said, "no pixel is above the background, so the mesh stays as it begins");
    } else {
        text_format(&said, "%%cost %s over %d honeycombs, %zu of %zu triangles folded", cost,
                    quality->n_honeycombs, quality->n_folded, quality->n_triangles);
        if (quality->n_flat > 0)
            text_format(&said, ", %zu without area", quality->n_flat);
        text_format(&said, ", %" PRIu64 " updates", counts->updates);
        if (counts->left_out > 0) /* a cell has more neurons than mnpc */
            text_format(&said, ", left out of full lists: %" PRIu64, counts->left_out);
        if (2 * quality->n_folded > quality->n_triangles)
            text_add(&said, "; most are turned over: the mesh lies mirrored, which %cost does "
                            "not see");
        if ((wanted >= 0 ? wanted : job->plane->threshold) == 0)
            text_add(&said, "; threshold 0: no level but 0 is background");
    }
    snprintf(job->request->message, job->request->message_size, "%s",
             said.failed ? "" : said.data);
}

/* In the place of a variant: the mesh that it begins with. */
static enum bench_status begin(const struct bench_request *request, const void *input,
                               void *output)
{
    const struct som_output *const out = output;

    (void)request;
    som_first_positions(input, out->position);
    memset(out->counts, 0, sizeof *out->counts);
    return BENCH_OK;
}

static enum bench_status write_all(const struct bench_request *request,
                                   const struct plane *plane, const void *input,
                                   const void *output, void *own)
{
    OWNED(free_job) struct job job = {request, plane, input, output, {0}, own};
    struct som_quality quality = {0};

    TRY(check_mesh(&job, &quality));
    for (int i = 0; files[i]; i++)
        TRY(write_file(&job, (enum file)i, bench_option_value(request, files[i])));
    TRY(write_file(&job, MESH, request->picture));
    TRY(write_file(&job, CSV, request->csv));
    remark(&job, &quality);
    warn(&job);
    return BENCH_OK;
}

/* Put the camera of a file in the place of the frame's. */
static enum bench_status read_camera(const struct bench_request *request, struct camera *camera)
{
    const char *const path = bench_option_value(request, "camera");

    if (!path)
        return BENCH_OK;
    TRY(camera_read(path, camera));
    REFUSE_IF(!is_known(camera), "%s: a mesh in space needs fx and baseline_m above 0", path);
    return BENCH_OK;
}

static enum bench_status apply_frame(const struct bench_request *request,
                                     const struct plane *plane)
{
    struct plane seen = *plane; /* all but its camera is borrowed */
    struct bench_request asked = *request;
    const char *const path = bench_option_value(request, "left");
    OWNED(image_free) struct image left = {0};

    TRY(read_camera(request, &seen.camera));
    if (path) {
        TRY(image_read(path, IMAGE_VIEW, &left));
        REFUSE_IF(left.width != plane->width || left.height != plane->height,
                  "%s: expected %d x %d pixels as %s, found %d x %d", path, plane->width,
                  plane->height, plane->name, left.width, left.height);
    }
    if (bench_has(request->params, "mesh") && bench_is(request->params, "mesh", "first")) {
        REFUSE_IF(apply_takes_views(request),
                  "-S mesh=first: %s is a pair, which is not matched then", plane->name);
        asked.once = begin;
    }
    return apply_variant(&asked, &seen, write_all, &left);
}

static enum bench_status apply(const struct bench_request *request)
{
    const char *const left = bench_option_value(request, "left");

    TRY(apply_check_files(request, files));
    REFUSE_IF(left && !is_in_space(request) && !bench_option_value(request, "view"),
              "--left is for --ply, --obj and --view FILE, none of which is given");
    REFUSE_IF(bench_option_value(request, "camera") && !is_in_space(request),
              "--camera is for --ply FILE and --obj FILE, which are not given");
    if (left) { /* nor may this image be lost */
        struct bench_request of_left = *request;

        of_left.image = left;
        TRY(apply_check_files(&of_left, files));
    }
    return apply_to_frame(request, apply_frame);
}

static enum bench_status table(const void *input, const void *output, struct text *text)
{
    OWNED(free_job) struct job job = {.in = input, .out = output};
    struct som_quality quality;

    TRY(check_mesh(&job, &quality));
    add_csv(text, &job);
    return text_ok(text);
}

static void size(const void *input, int *height, int *width)
{
    const struct som_input *const in = input;

    *height = in->height;
    *width = in->width;
}

const struct bench_app som_app = {.problem = &som_problem,
                                  .keys = keys,
                                  .options = options,
                                  .apply = apply,
                                  .table = table,
                                  .size = size};
