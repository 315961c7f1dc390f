/*
 * apply.c - `depthbench apply som/VARIANT MAP`: the mesh as list, picture and surface; a sampling of the map
 *
 * Source: the surface is [SOM] sect. 6.5, Figs. 2 and 14; its camera is that of the authors' own code.
 */
#include "harness/measure/impl.h"
#include "harness/problems/apply_image.h"
#include "harness/problems/picture.h"
#include "harness/problems/som/som.h"
#include "harness/problems/som/measure.h"
#include "harness/problems/som/picture.h"
#include "harness/base/text.h"
#include "harness/base/file.h"
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAPER_FOCAL_PX   374.0
#define PAPER_BASELINE_M 0.16
#define N_SAMPLES        10000 /* [SOM] Fig. 14 */

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

/* ---- list -------------------------------------------------------------------------------- */

void som_csv(struct text *text, const struct som_input *in, const float *position)
{
    text_add(text, "col,row,x,y\n");
    for (int y = 0; y < in->grid_rows; y++)
        for (int x = 0; x < in->grid_cols; x++, position += 2) {
            text_format(text, "%d,%d,", x, y);
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

/* The camera with nothing left unknown; cx and cy count from the map's corner, as positions do, not from a pixel's centre. */
static struct camera whole_camera(const struct som_view *view)
{
    struct camera camera = view->camera;

    if (!is_known(&camera))
        camera = (struct camera){.fx_px = PAPER_FOCAL_PX, .baseline_m = PAPER_BASELINE_M};
    if (camera.fy_px <= 0)
        camera.fy_px = camera.fx_px;
    camera.cx_px = camera.cx_px > 0 ? camera.cx_px + 0.5 : view->width / 2.0;
    camera.cy_px = camera.cy_px > 0 ? camera.cy_px + 0.5 : view->height / 2.0;
    return camera;
}

struct vertex {
    double x, y, z; /* m */
    struct picture_colour colour;
};

/* The pixel that a coordinate is in, or the nearest one. */
static size_t pixel_at(double coordinate, int n)
{
    if (coordinate >= n)
        return (size_t)n - 1;
    return coordinate > 0 ? (size_t)coordinate : 0;
}

static struct vertex vertex_at(const struct som_input *in, int frame, const float *position,
                               const struct som_view *view, const struct camera *camera)
{
    const uint8_t *const map = in->grey + (size_t)frame * som_n_pixels(in);
    const double x = (double)position[0], y = (double)position[1];
    const uint8_t grey =
        map[pixel_at(y, in->height) * (size_t)in->width + pixel_at(x, in->width)];
    const uint8_t level = grey > 0 ? grey : (uint8_t)view->background;
    /* where the map was resampled, the camera still counts in the pixels that it has */
    const double u = x * view->width / in->width, v = y * view->height / in->height;
    const double z = camera->fx_px * camera->baseline_m * in->grey_per_px[frame] / level;
    struct vertex vertex = {.x = (u - camera->cx_px) * z / camera->fx_px,
                            .y = (v - camera->cy_px) * z / camera->fy_px,
                            .z = z,
                            .colour = {level, level, level}};

    if (view->rgb) {
        const uint8_t *const rgb =
            view->rgb +
            3 * (pixel_at(v, view->height) * (size_t)view->width + pixel_at(u, view->width));

        vertex.colour = (struct picture_colour){rgb[0], rgb[1], rgb[2]};
    }
    return vertex;
}

/*
 * Each triangle has two corners in one row and a third in the row above (k = 0) or below (k = 1): it is
 * named there.  Its corners, so that the front is towards the camera; 0: there is no such triangle.
 */
static int triangle(const struct som_input *in, int x, int y, int k, int corner[3])
{
    const int first = k == 0 ? 1 : 4; /* of the two neighbours, which go counter-clockwise */
    int x1, y1, x2, y2;

    som_neighbour(x, y, first, &x1, &y1);
    som_neighbour(x, y, first + 1, &x2, &y2);
    if (x1 < 0 || x1 >= in->grid_cols || x2 < 0 || x2 >= in->grid_cols || y1 < 0 ||
        y1 >= in->grid_rows)
        return 0;
    corner[0] = y * in->grid_cols + x;
    corner[1] = y1 * in->grid_cols + x1;
    corner[2] = y2 * in->grid_cols + x2;
    return 1;
}

/* Add each triangle, its corners counted from 'base', behind 'mark'; or only count them, where 'text' is NULL. */
static size_t add_triangles(struct text *text, const struct som_input *in, const char *mark,
                            int base)
{
    size_t n = 0;
    int c[3];

    for (int y = 0; y < in->grid_rows; y++)
        for (int x = 0; x < in->grid_cols; x++)
            for (int k = 0; k < 2; k++) {
                if (!triangle(in, x, y, k, c))
                    continue;
                n++;
                if (text)
                    text_format(text, "%s %d %d %d\n", mark, base + c[0], base + c[1],
                                base + c[2]);
            }
    return n;
}

/* What the numbers mean, as comments of either format. */
static void add_remarks(struct text *text, const struct som_input *in, int frame,
                        const struct som_view *view, const struct camera *camera,
                        const char *mark)
{
    text_format(
        text, "%s som mesh; metres, x right, y down, z ahead of the left camera\n%s f = ", mark,
        mark);
    text_add_number(text, camera->fx_px);
    text_add(text, " px, B = ");
    text_add_number(text, camera->baseline_m);
    text_add(text, is_known(&view->camera)
                       ? " m, the input's camera\n"
                       : " m, those of the paper's authors: the camera is not known\n");
    text_format(text, "%s disparity = level / ", mark);
    text_add_number(text, in->grey_per_px[frame]);
    text_format(text, " px; background has level %d\n", view->background);
}

static void add_place(struct text *text, const struct vertex *vertex)
{
    text_add_number(text, vertex->x);
    text_add(text, " ");
    text_add_number(text, vertex->y);
    text_add(text, " ");
    text_add_number(text, vertex->z);
}

void som_ply(struct text *text, const struct som_input *in, int frame, const float *position,
             const struct som_view *view)
{
    const struct camera camera = whole_camera(view);

    text_add(text, "ply\nformat ascii 1.0\n");
    add_remarks(text, in, frame, view, &camera, "comment");
    text_format(text,
                "element vertex %d\n"
                "property float x\nproperty float y\nproperty float z\n"
                "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                "element face %zu\nproperty list uchar int vertex_indices\nend_header\n",
                som_n_neurons(in), add_triangles(NULL, in, NULL, 0));
    for (int i = 0; i < som_n_neurons(in); i++) {
        const struct vertex vertex =
            vertex_at(in, frame, position + 2 * (size_t)i, view, &camera);

        add_place(text, &vertex);
        text_format(text, " %d %d %d\n", vertex.colour.r, vertex.colour.g, vertex.colour.b);
    }
    add_triangles(text, in, "3", 0);
}

void som_obj(struct text *text, const struct som_input *in, int frame, const float *position,
             const struct som_view *view)
{
    const struct camera camera = whole_camera(view);

    add_remarks(text, in, frame, view, &camera, "#");
    for (int i = 0; i < som_n_neurons(in); i++) {
        const struct vertex vertex =
            vertex_at(in, frame, position + 2 * (size_t)i, view, &camera);
        const uint8_t colour[3] = {vertex.colour.r, vertex.colour.g, vertex.colour.b};

        text_add(text, "v ");
        add_place(text, &vertex);
        for (int k = 0; k < 3; k++) {
            text_add(text, " ");
            text_add_number(text, colour[k] / 255.0);
        }
        text_add(text, "\n");
    }
    add_triangles(text, in, "f", 1);
}

/* ---- the left view ----------------------------------------------------------------------- */

struct colours {
    int width, height;
    uint8_t *rgb; /* [height][width][3], owned */
};

static int is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next number of a netpbm header, behind blanks and comments; -1: there is none, or it is above 'max'. */
static int header_number(const uint8_t *bytes, size_t n_bytes, size_t *at, int max)
{
    int number = 0;
    size_t first;

    while (*at < n_bytes && (is_blank(bytes[*at]) || bytes[*at] == '#'))
        if (bytes[(*at)++] == '#')
            while (*at < n_bytes && bytes[*at] != '\n' && bytes[*at] != '\r')
                (*at)++;
    for (first = *at; *at < n_bytes && bytes[*at] >= '0' && bytes[*at] <= '9'; (*at)++) {
        number = 10 * number + (bytes[*at] - '0');
        if (number > max)
            return -1;
    }
    return *at > first ? number : -1;
}

/* Binary PPM of 8 bits. */
static enum bench_status parse_ppm(const char *path, const uint8_t *bytes, size_t n_bytes,
                                   struct colours *colours)
{
    size_t at = 2, n;
    const int width = header_number(bytes, n_bytes, &at, INPUTS_MAX_SIDE);
    const int height = width > 0 ? header_number(bytes, n_bytes, &at, INPUTS_MAX_SIDE) : -1;
    const int max = height > 0 ? header_number(bytes, n_bytes, &at, 65535) : -1;

    if (max < 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: broken PPM: expected a width and height of 1 to %d and a "
                          "largest value of 255",
                          path, INPUTS_MAX_SIDE);
    if (max != 255)
        return BENCH_FAIL(BENCH_EINPUT, "%s: a PPM with a largest value of %d, expected 255",
                          path, max);
    if (at >= n_bytes || !is_blank(bytes[at++]))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: broken PPM: expected one blank between header and pixels", path);
    n = 3 * (size_t)width * (size_t)height;
    if (n > n_bytes - at)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: truncated PPM: expected %zu bytes of pixels, found %zu", path, n,
                          n_bytes - at);
    colours->rgb = malloc(n);
    if (!colours->rgb)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for %d x %d pixels", path, width,
                          height);
    memcpy(colours->rgb, bytes + at, n);
    colours->width = width;
    colours->height = height;
    return BENCH_OK;
}

/* An image of grey, or of 24 bits in the channels of a colour picture, lowest first. */
static enum bench_status take_colours(const char *path, const struct image *image,
                                      struct colours *colours)
{
    const size_t n_pixels = (size_t)image->width * (size_t)image->height;

    colours->rgb = malloc(3 * n_pixels);
    if (!colours->rgb)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for %d x %d pixels", path, image->width,
                          image->height);
    colours->width = image->width;
    colours->height = image->height;
    for (size_t i = 0; i < n_pixels; i++) {
        uint32_t value;

        if (image->type == IMAGE_U8)
            value = 0x010101u * ((const uint8_t *)image->pixels)[i];
        else
            value = ((const uint32_t *)image->pixels)[i];
        for (unsigned k = 0; k < 3; k++, value >>= 8)
            colours->rgb[3 * i + k] = (uint8_t)(value & 0xFF);
    }
    return BENCH_OK;
}

/* Kinds of a PNG's pixels, the two bytes of its header behind the sides: bits and kind of colour. */
enum png_pixels { PNG_OTHER, PNG_GREY8, PNG_RGB8 };

static enum png_pixels png_pixels_of(const uint8_t *bytes, size_t n_bytes)
{
    static const uint8_t magic[] = {0x89, 'P', 'N', 'G'};

    if (n_bytes < 33 || memcmp(bytes, magic, sizeof magic) != 0 || bytes[24] != 8)
        return PNG_OTHER;
    return bytes[25] == 0 ? PNG_GREY8 : bytes[25] == 2 || bytes[25] == 6 ? PNG_RGB8 : PNG_OTHER;
}

static enum bench_status parse_colours(const char *path, const uint8_t *bytes, size_t n_bytes,
                                       struct colours *colours)
{
    const enum png_pixels pixels = png_pixels_of(bytes, n_bytes);
    struct image image = {0};
    enum bench_status status;

    if (n_bytes > 2 && bytes[0] == 'P' && bytes[1] == '6')
        return parse_ppm(path, bytes, n_bytes, colours);
    if (pixels == PNG_OTHER)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: neither a PNG of 8 bits (RGB, RGBA or grey) nor a PPM (P6)",
                          path);
    TRY(pixels == PNG_RGB8 ? image_parse_depth24(bytes, n_bytes, path, &image)
                           : image_parse(bytes, n_bytes, path, &image));
    status = take_colours(path, &image, colours);
    image_free(&image);
    return status;
}

/* The left view, which must have the size of the map. */
static enum bench_status read_colours(const char *path, const struct plane *plane,
                                      struct colours *colours)
{
    const uint64_t max_bytes = (uint64_t)INPUTS_MAX_SIDE * INPUTS_MAX_SIDE * 4 + 65536;
    uint8_t *bytes;
    size_t n_bytes;
    enum bench_status status;

    TRY(file_read(path, max_bytes, "image", &bytes, &n_bytes));
    status = parse_colours(path, bytes, n_bytes, colours);
    free(bytes);
    if (status != BENCH_OK)
        return status;
    if (colours->width != plane->width || colours->height != plane->height)
        return BENCH_FAIL(BENCH_EINPUT, "%s: expected %d x %d pixels as %s, found %d x %d",
                          path, plane->width, plane->height, plane->name, colours->width,
                          colours->height);
    return BENCH_OK;
}

/* ---- files ------------------------------------------------------------------------------- */

/* A mesh and all that is needed to write it. */
struct mesh {
    const struct som_input *in;
    const struct som_output *out;
    const struct som_view *view;
};

static enum bench_status write_csv(const char *path, const struct mesh *mesh)
{
    struct text text = {0};
    enum bench_status status;

    som_csv(&text, mesh->in, mesh->out->position);
    status = apply_write_text(path, &text);
    text_free(&text);
    return status;
}

static enum bench_status write_surface(const char *path, const struct mesh *mesh, int is_ply)
{
    struct text text = {0};
    enum bench_status status;

    (is_ply ? som_ply : som_obj)(&text, mesh->in, 0, mesh->out->position, mesh->view);
    status = apply_write_text(path, &text);
    text_free(&text);
    return status;
}

static enum bench_status write_picture(const char *path, struct som_picture *picture)
{
    const enum bench_status status =
        image_write_rgb(path, picture->rgb, picture->width, picture->height);

    som_picture_free(picture);
    return status;
}

static enum bench_status write_all(const struct bench_request *request, const struct mesh *mesh)
{
    const char *const ply = bench_option_value(request, "ply");
    const char *const obj = bench_option_value(request, "obj");
    const char *const sampling = bench_option_value(request, "sampling");
    struct som_picture picture;

    if (ply)
        TRY(write_surface(ply, mesh, 1));
    if (obj)
        TRY(write_surface(obj, mesh, 0));
    if (sampling) {
        TRY(som_picture_sampling(mesh->in, 0, N_SAMPLES, &picture));
        TRY(write_picture(sampling, &picture));
    }
    if (request->picture) {
        TRY(som_picture_draw(mesh->in, 0, mesh->out->position, &picture));
        TRY(write_picture(request->picture, &picture));
    }
    if (request->csv)
        TRY(write_csv(request->csv, mesh));
    return BENCH_OK;
}

/* ---- the verb ---------------------------------------------------------------------------- */

static void remark(const struct bench_request *request, const struct plane *plane,
                   const struct mesh *mesh, const struct som_quality *quality)
{
    const size_t n_pixels = som_n_pixels(mesh->in);
    char cost[TEXT_NUMBER], updates[TEXT_NUMBER], left_out[TEXT_NUMBER] = "";
    size_t i = 0;

    if (!request->message || request->message_size == 0)
        return;
    while (i < n_pixels && mesh->in->grey[i] == 0)
        i++;
    text_short_number(cost, quality->cost_pct, 4);
    text_short_number(updates, (double)mesh->out->counts[0].updates, 9);
    if (mesh->out->counts[0].left_out > 0) /* a cell has more neurons than mnpc */
        text_short_number(left_out, (double)mesh->out->counts[0].left_out, 9);
    if (i == n_pixels)
        snprintf(request->message, request->message_size,
                 "%s: no pixel is above the background, so the mesh stays as it begins",
                 plane->name);
    else
        snprintf(
            request->message, request->message_size,
            "%s: %%cost %s over %d honeycombs, %zu of %zu triangles folded, %s updates%s%s",
            plane->name, cost, quality->n_honeycombs, quality->n_folded, quality->n_triangles,
            updates, left_out[0] ? ", left out of full lists: " : "", left_out);
}

/* The variant's mesh, or the one that it begins with. */
static enum bench_status make_mesh(const struct bench_request *request,
                                   const struct som_input *in, struct som_output *out)
{
    if (!bench_has(request->params, "mesh") || !bench_is(request->params, "mesh", "first"))
        return request->once(request, in, out);
    som_first_positions(in, out->position);
    memset(out->counts, 0, sizeof *out->counts);
    return BENCH_OK;
}

static enum bench_status apply_input(const struct bench_request *request,
                                     const struct plane *plane, const struct som_view *view,
                                     const struct som_input *in)
{
    struct mesh mesh = {.in = in, .view = view};
    struct som_output *out = NULL;
    struct som_quality quality;
    enum bench_status status;

    TRY(som_output_new(in, &out));
    mesh.out = out;
    status = make_mesh(request, in, out);
    /* it also refuses positions that are no numbers: maybe nobody has compared them with a reference */
    if (status == BENCH_OK)
        status = som_quality_of(in, 0, out->position, &quality);
    if (status == BENCH_OK)
        status = write_all(request, &mesh);
    if (status == BENCH_OK)
        remark(request, plane, &mesh, &quality);
    som_output_free(out);
    return status;
}

static enum bench_status apply_plane(const struct bench_request *request,
                                     const struct plane *plane, const struct colours *colours)
{
    const struct bench_problem *const problem = request->impl->problem;
    const struct plane *const frames[1] = {plane};
    const int wanted = bench_int(request->params, "threshold");
    struct som_view view = {.camera = plane->camera,
                            .width = plane->width,
                            .height = plane->height,
                            .background = wanted >= 0 ? wanted : plane->threshold,
                            .rgb = colours->rgb};
    void *input = NULL;
    enum bench_status status;

    if (view.background < 1)
        view.background = 1; /* level 0 is infinitely far */
    TRY(problem->make_input(request->params, frames, 1, &input));
    status = apply_input(request, plane, &view, input);
    problem->free_input(input);
    return status;
}

static enum bench_status apply_frame(const struct bench_request *request,
                                     const struct plane *plane)
{
    const char *const left = bench_option_value(request, "left");
    struct colours colours = {0};
    enum bench_status status = BENCH_OK;

    if (left)
        status = read_colours(left, plane, &colours);
    if (status == BENCH_OK)
        status = apply_plane(request, plane, &colours);
    free(colours.rgb);
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
