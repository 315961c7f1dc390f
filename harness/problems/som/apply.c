/*
 * apply.c - `depthbench apply som/VARIANT MAP`: the mesh as list, picture and surface; a
 * sampling of the map
 *
 * Source: the surface is [SOM] sect. 6.5, Figs. 2 and 14; its camera is that of the authors'
 *         own code.
 */
#include "harness/measure/impl.h"
#include "harness/problems/apply_image.h"
#include "harness/problems/som/som.h"
#include "harness/problems/som/measure.h"
#include "harness/problems/som/picture.h"
#include "harness/base/text.h"
#include "harness/base/file.h"
#include "harness/base/memory.h"
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAPER_FOCAL_PX   374.0
#define PAPER_BASELINE_M 0.16

static const struct bench_key keys[] = {
    APPLY_IMAGE_KEY,
    {"mesh", "last", "", "the variant's mesh, or the regular one that it begins with",
     BENCH_CHOICE, 0, 0, "last|first"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_option options[] = {
    APPLY_IMAGE_OPTION,
    {"ply", "PLY", "the mesh in space"},
    {"obj", "OBJ", "the mesh in space"},
    {"left", "IMAGE", "its colours: 8-bit PNG or PPM"},
    {"sampling", "PNG", "10000 pixels drawn by density"},
    {NULL, NULL, NULL},
};

/* A map, the mesh over it, and what the mesh needs to stand in space. */
struct job {
    const struct bench_request *request;
    /* the map before it was resampled, whose pixels are the camera's and the left view's */
    const struct plane *plane;
    struct som_input *in; /* owned, as what follows */
    struct som_output *out;
    struct image left; /* IMAGE_U8 or, red lowest, IMAGE_DEPTH24; without pixels: grey */
};

/* ---- list -------------------------------------------------------------------------------- */

/* The digits give the floats back. */
static void add_csv(struct text *text, const struct job *job)
{
    const float *position = job->out->position;

    text_add(text, "col,row,x,y\n");
    for (int i = 0; i < som_n_neurons(job->in); i++, position += 2) {
        text_format(text, "%d,%d,", i % job->in->grid_cols, i / job->in->grid_cols);
        text_add_number(text, (double)position[0]);
        text_add(text, ",");
        text_add_number(text, (double)position[1]);
        text_add(text, "\n");
    }
}

/* ---- surface ----------------------------------------------------------------------------- */

/* Whether the camera's own distances are taken, or the paper's. */
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

/* The level that background has in space, 1..255: level 0 is infinitely far. */
static int background_of(const struct job *job)
{
    const int wanted = bench_int(job->request->params, "threshold");
    const int level = wanted >= 0 ? wanted : job->plane->threshold;

    return level < 1 ? 1 : level;
}

/* The pixel that a place is in, or the nearest one. */
static size_t pixel_at(double x, double y, int width, int height)
{
    const size_t u = x >= width ? (size_t)width - 1 : x > 0 ? (size_t)x : 0;
    const size_t v = y >= height ? (size_t)height - 1 : y > 0 ? (size_t)y : 0;

    return v * (size_t)width + u;
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
    const double x = (double)job->out->position[2 * (size_t)neuron];
    const double y = (double)job->out->position[2 * (size_t)neuron + 1];
    const uint8_t grey = in->grey[pixel_at(x, y, in->width, in->height)];
    const uint8_t level = grey > 0 ? grey : (uint8_t)background_of(job);
    /* where the map was resampled, the camera still counts in the pixels that it has */
    const double u = x * plane->width / in->width, v = y * plane->height / in->height;
    const size_t pixel = pixel_at(u, v, plane->width, plane->height);
    const double z = camera->fx_px * camera->baseline_m * in->grey_per_px[0] / level;
    uint32_t colour = 0x010101u * level;

    if (job->left.pixels)
        colour = job->left.type == IMAGE_U8
                     ? 0x010101u * ((const uint8_t *)job->left.pixels)[pixel]
                     : ((const uint32_t *)job->left.pixels)[pixel];
    vertex[0] = (u - camera->cx_px) * z / camera->fx_px;
    vertex[1] = (v - camera->cy_px) * z / camera->fy_px;
    vertex[2] = z;
    for (int k = 0; k < 3; k++)
        vertex[3 + k] = colour >> 8 * k & 0xFF;
}

/* What the numbers mean, as comments of either format. */
static void add_remarks(struct text *text, const struct job *job, const struct camera *camera,
                        const char *mark)
{
    text_format(
        text, "%s som mesh; metres, x right, y down, z ahead of the left camera\n%s f = ", mark,
        mark);
    text_add_number(text, camera->fx_px);
    text_add(text, " px, B = ");
    text_add_number(text, camera->baseline_m);
    text_add(text, is_known(&job->plane->camera)
                       ? " m, the input's camera\n"
                       : " m, those of the paper's authors: the camera is not known\n");
    text_format(text, "%s disparity = level / ", mark);
    text_add_number(text, job->in->grey_per_px[0]);
    text_format(text, " px; background has level %d\n", background_of(job));
}

/* As triangles that show the camera their front side.  PLY is ASCII with a colour for each
 * vertex, OBJ has the colour behind its vertices' coordinates, 0 to 1. */
static void add_surface(struct text *text, const struct job *job, int is_ply)
{
    const struct som_input *const in = job->in;
    const struct camera camera = whole_camera(job->plane);
    const int base = is_ply ? 0 : 1;
    int corner[3];

    text_add(text, is_ply ? "ply\nformat ascii 1.0\n" : "");
    add_remarks(text, job, &camera, is_ply ? "comment" : "#");
    if (is_ply)
        text_format(text,
                    "element vertex %d\n"
                    "property float x\nproperty float y\nproperty float z\n"
                    "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                    "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                    som_n_neurons(in), 2 * (in->grid_cols - 1) * (in->grid_rows - 1));
    for (int i = 0; i < som_n_neurons(in); i++) {
        double vertex[6];

        place_vertex(job, &camera, i, vertex);
        for (int k = 0; k < 6; k++) {
            text_add(text, k > 0 ? " " : is_ply ? "" : "v ");
            text_add_number(text, k < 3 || is_ply ? vertex[k] : vertex[k] / 255.0);
        }
        text_add(text, "\n");
    }
    for (int i = 0; i < som_n_neurons(in); i++)
        for (int k = 1; k < 6; k += 3)
            if (som_triangle(in, i, k, corner))
                text_format(text, "%s %d %d %d\n", is_ply ? "3" : "f", base + corner[0],
                            base + corner[1], base + corner[2]);
}

/* ---- the left view ----------------------------------------------------------------------- */

#define BLANKS " \t\n\v\f\r"

/* The next number of a netpbm header, behind blanks and comments; -1: there is none, or it is
 * above 'max'. */
static int header_number(const char **at, int max)
{
    char *end;
    long number;

    *at += strspn(*at, BLANKS);
    while (**at == '#') {
        *at += strcspn(*at, "\r\n");
        *at += strspn(*at, BLANKS);
    }
    if (**at < '0' || **at > '9')
        return -1;
    number = strtol(*at, &end, 10);
    *at = end;
    return number > max ? -1 : (int)number;
}

/* Binary PPM of 8 bits.  A NUL is behind its bytes. */
static enum bench_status parse_ppm(const char *path, const char *bytes, size_t n_bytes,
                                   struct image *image)
{
    const char *at = bytes + 2;
    const int width = header_number(&at, INPUTS_MAX_SIDE);
    const int height = header_number(&at, INPUTS_MAX_SIDE);
    const int max = header_number(&at, 65535);
    const size_t n = width > 0 && height > 0 ? (size_t)width * (size_t)height : 0;
    const size_t n_left = n_bytes - (size_t)(at - bytes); /* from the blank on */
    uint32_t *pixels = NULL;

    if (n == 0 || max < 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: broken PPM: expected a width and height of 1 to %d and a "
                          "largest value of 255",
                          path, INPUTS_MAX_SIDE);
    if (max != 255)
        return BENCH_FAIL(BENCH_EINPUT, "%s: a PPM with a largest value of %d, expected 255",
                          path, max);
    if (*at == '\0' || !strchr(BLANKS, *at))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: broken PPM: expected one blank between header and pixels", path);
    if (3 * n > n_left - 1)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: truncated PPM: expected %zu bytes of pixels, found %zu", path,
                          3 * n, n_left - 1);
    TRY(memory_allocate(&pixels, sizeof *pixels, 1, 1, height, width));
    for (size_t i = 0; i < 3 * n; i++)
        pixels[i / 3] |= (uint32_t)(uint8_t)at[1 + i] << 8 * (i % 3);
    *image = (struct image){width, height, IMAGE_DEPTH24, pixels};
    return BENCH_OK;
}

static enum bench_status parse_left(const char *path, const uint8_t *bytes, size_t n_bytes,
                                    struct image *image)
{
    /* a PNG's header has bits and kind of colour behind the sides: grey, RGB or RGBA */
    const int is_png = n_bytes >= 33 && memcmp(bytes, "\x89PNG", 4) == 0 && bytes[24] == 8;
    const int kind = is_png ? bytes[25] : -1;

    if (n_bytes > 2 && bytes[0] == 'P' && bytes[1] == '6')
        return parse_ppm(path, (const char *)bytes, n_bytes, image);
    if (kind == 0)
        return image_parse(bytes, n_bytes, path, image);
    if (kind == 2 || kind == 6)
        return image_parse_depth24(bytes, n_bytes, path, image);
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: neither a PNG of 8 bits (RGB, RGBA or grey) nor a PPM (P6)", path);
}

/* The left view, which must have the size of the map. */
static enum bench_status read_left(const char *path, const struct plane *plane,
                                   struct image *left)
{
    const uint64_t max_bytes = (uint64_t)INPUTS_MAX_SIDE * INPUTS_MAX_SIDE * 4 + 65536;
    uint8_t *bytes;
    size_t n_bytes;
    enum bench_status status;

    TRY(file_read(path, max_bytes, "image", &bytes, &n_bytes));
    status = parse_left(path, bytes, n_bytes, left);
    free(bytes);
    if (status == BENCH_OK && (left->width != plane->width || left->height != plane->height))
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected %d x %d pixels as %s, found %d x %d",
                          path, plane->width, plane->height, plane->name, left->width,
                          left->height);
    return status;
}

/* ---- files ------------------------------------------------------------------------------- */

enum list { LIST_CSV, LIST_PLY, LIST_OBJ };

static enum bench_status write_list(const struct job *job, enum list list, const char *path)
{
    struct text text = {0};
    enum bench_status status;

    if (!path)
        return BENCH_OK;
    if (list == LIST_CSV)
        add_csv(&text, job);
    else
        add_surface(&text, job, list == LIST_PLY);
    status = apply_write_text(path, &text);
    text_free(&text);
    return status;
}

static enum bench_status write_picture(const struct job *job, int is_sampling, const char *path)
{
    struct som_picture picture;
    enum bench_status status;

    if (!path)
        return BENCH_OK;
    TRY(is_sampling ? som_picture_sampling(job->in, &picture)
                    : som_picture_draw(job->in, job->out->position, &picture));
    status = image_write_rgb(path, picture.rgb, picture.width, picture.height);
    free(picture.rgb);
    return status;
}

/* ---- the verb ---------------------------------------------------------------------------- */

static void remark(const struct job *job, const struct som_quality *quality)
{
    const struct som_counts *const counts = job->out->counts;
    char *const message = job->request->message;
    char cost[TEXT_NUMBER], left_out[64] = "";

    text_short_number(cost, quality->cost_pct, 4);
    if (counts->left_out > 0) /* a cell has more neurons than mnpc */
        snprintf(left_out, sizeof left_out, ", left out of full lists: %" PRIu64,
                 counts->left_out);
    if (!message || job->request->message_size == 0)
        return;
    if (som_sum_density(job->in, 0, NULL) == 0)
        snprintf(message, job->request->message_size,
                 "%s: no pixel is above the background, so the mesh stays as it begins",
                 job->plane->name);
    else
        snprintf(message, job->request->message_size,
                 "%s: %%cost %s over %d honeycombs, %zu of %zu triangles folded, %" PRIu64
                 " updates%s",
                 job->plane->name, cost, quality->n_honeycombs, quality->n_folded,
                 quality->n_triangles, counts->updates, left_out);
}

/* The variant's mesh, or the one that it begins with. */
static enum bench_status make_mesh(struct job *job)
{
    const struct bench_request *const request = job->request;
    void *input, *output;

    TRY(som_problem.make_input(request->params, &job->plane, 1, &input));
    job->in = input;
    TRY(som_problem.make_output(input, &output));
    job->out = output;
    if (!bench_has(request->params, "mesh") || !bench_is(request->params, "mesh", "first"))
        return request->once(request, input, output);
    som_first_positions(job->in, job->out->position);
    memset(job->out->counts, 0, sizeof *job->out->counts);
    return BENCH_OK;
}

static enum bench_status make_all(struct job *job)
{
    const struct bench_request *const request = job->request;
    const char *const left = bench_option_value(request, "left");
    struct som_quality quality;

    if (left)
        TRY(read_left(left, job->plane, &job->left));
    TRY(make_mesh(job));
    /* refuses positions that are no numbers: no reference may have been compared */
    TRY(som_quality_of(job->in, 0, job->out->position, &quality));
    TRY(write_list(job, LIST_PLY, bench_option_value(request, "ply")));
    TRY(write_list(job, LIST_OBJ, bench_option_value(request, "obj")));
    TRY(write_picture(job, 1, bench_option_value(request, "sampling")));
    TRY(write_picture(job, 0, request->picture));
    TRY(write_list(job, LIST_CSV, request->csv));
    remark(job, &quality);
    return BENCH_OK;
}

static enum bench_status apply_frame(const struct bench_request *request,
                                     const struct plane *plane)
{
    struct job job = {.request = request, .plane = plane};
    const enum bench_status status = make_all(&job);

    som_problem.free_input(job.in);
    som_problem.free_output(job.out);
    image_free(&job.left);
    return status;
}

/* Does the request ask for anything, and for nothing that cannot be? */
static enum bench_status check_request(const struct bench_request *request)
{
    static const char *const files[] = {"ply", "obj", "sampling", NULL};
    const char *const left = bench_option_value(request, "left");
    const int has_surface =
        bench_option_value(request, "ply") || bench_option_value(request, "obj");

    if (!request->csv && !request->picture && !has_surface &&
        !bench_option_value(request, "sampling"))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: nothing to write; give -o FILE, --picture FILE, --ply FILE, "
                          "--obj FILE or --sampling FILE",
                          request->image);
    if (left && !has_surface)
        return BENCH_FAIL(BENCH_EINPUT,
                          "--left is for --ply FILE and --obj FILE, which are not given");
    if (request->frame && bench_option_value(request, "disparity-scale"))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: a named input has no --disparity-scale; it is for image files",
                          request->image);
    TRY(apply_check_files(request, files));
    if (left) { /* nor may this image be lost */
        struct bench_request of_left = *request;

        of_left.image = left;
        TRY(apply_check_files(&of_left, files));
    }
    return BENCH_OK;
}

static enum bench_status apply(const struct bench_request *request)
{
    struct plane plane = {0};
    enum bench_status status;

    TRY(check_request(request));
    if (request->frame)
        return apply_frame(request, request->frame);
    status = apply_image_read(request, &plane);
    if (status == BENCH_OK)
        status = apply_frame(request, &plane);
    plane_free(&plane);
    return status;
}

const struct bench_app som_app = {
    .problem = &som_problem, .keys = keys, .options = options, .apply = apply};
