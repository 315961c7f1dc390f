/*
 * apply.c - `depthbench apply rdp/VARIANT IMAGE`: one image in, its kept points, picture and a column's tree out
 *
 * Source: the tree is [RDP] Fig. 4's, of Algorithm 1.
 */
#include "harness/measure/impl.h"
#include "harness/problems/apply_image.h"
#include "harness/problems/rdp/rdp.h"
#include "harness/problems/rdp/picture.h"
#include "harness/base/text.h"
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bench_key keys[] = {
    APPLY_IMAGE_KEY,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

/* ---- what is written -------------------------------------------------------------------------------- */

static int is_kept(const uint32_t *kept, int v)
{
    return (kept[v / 32] >> (v % 32)) & 1;
}

/* y / 256 in full: at most eight decimals, none of them a trailing zero, '.' whatever the locale. */
static void add_disparity(struct text *text, uint16_t y)
{
    char digits[] = ".00000000";
    uint32_t fraction = (uint32_t)(y % DISPARITY_SCALE) * 390625; /* of 10^8 / 256 */
    int end = 9;

    for (int i = 8; i > 0; i--, fraction /= 10)
        digits[i] = (char)('0' + fraction % 10);
    while (end > 1 && digits[end - 1] == '0')
        end--;
    digits[end > 1 ? end : 0] = '\0';
    text_format(text, "%d%s", y / DISPARITY_SCALE, digits);
}

static void add_points(struct text *text, const struct rdp_input *in,
                       const struct rdp_output *out)
{
    const size_t n_words = (size_t)rdp_n_words(in->n_rows);

    text_add(text, "u,v,disparity_px\n");
    for (int u = 0; u < in->n_cols; u++) {
        const uint16_t *const y = in->y + (size_t)u * (size_t)in->n_rows;
        const uint32_t *const kept = out->kept + (size_t)u * n_words;

        for (int v = 0; v < in->n_rows; v++)
            if (is_kept(kept, v)) {
                text_format(text, "%d,%d,", u, v);
                add_disparity(text, y[v]);
                text_add(text, "\n");
            }
    }
}

static enum bench_status write_points(const char *path, const struct rdp_input *in,
                                      const struct rdp_output *out)
{
    struct text text = {0};
    enum bench_status status;

    add_points(&text, in, out);
    status = apply_write_text(path, &text);
    text_free(&text);
    return status;
}

/* Rows of kind point, node and kept; 'round' [n_rows] is scratch. */
static void add_tree(struct text *text, const uint16_t *y, int n_rows,
                     const struct rdp_node *nodes, int n_nodes, int *round)
{
    int n_kept = 0;

    for (int v = 0; v < n_rows; v++)
        round[v] = -1;
    if (n_nodes > 0)
        round[nodes[0].first] = round[nodes[0].last] = 0;
    text_add(text, "kind,row,disparity_px,first,last,cut,depth,order\n");
    for (int v = 0; v < n_rows; v++)
        if (y[v] != RDP_INVALID) {
            text_format(text, "point,%d,", v);
            add_disparity(text, y[v]);
            text_add(text, ",,,,,\n");
        }
    for (int i = 0; i < n_nodes; i++) {
        const struct rdp_node *const node = &nodes[i];

        text_format(text, "node,,,%d,%d,", node->first, node->last);
        if (node->cut >= 0) {
            text_format(text, "%d", node->cut);
            round[node->cut] = node->depth;
        }
        text_format(text, ",%d,%d\n", node->depth, i + 1);
    }
    for (int v = 0; v < n_rows; v++)
        if (round[v] >= 0) {
            text_format(text, "kept,%d,", v);
            add_disparity(text, y[v]);
            text_format(text, ",,,,%d,%d\n", round[v], ++n_kept);
        }
}

static enum bench_status write_tree(const struct bench_request *request,
                                    const struct rdp_input *in)
{
    const uint16_t *y;
    struct rdp_node *nodes = NULL;
    struct text text = {0};
    enum bench_status status;
    const char *const wish = bench_option_value(request, "column");
    double column;
    int n_nodes = 0;
    int *round;

    if (!wish)
        return BENCH_FAIL(BENCH_EINPUT,
                          "--tree: expected --column U with it, 0 to %d for this image",
                          in->n_cols - 1);
    if (!text_to_number(wish, &column) || column < 0 || column >= in->n_cols ||
        column != (double)(int)column)
        return BENCH_FAIL(BENCH_EINPUT, "--column: expected 0 to %d for this image, found %s",
                          in->n_cols - 1, wish);
    y = in->y + (size_t)column * (size_t)in->n_rows;
    round = malloc((size_t)in->n_rows * sizeof *round);
    if (!round)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the %d rows of a column", in->n_rows);
    status = rdp_tree(y, in->n_rows, in->epsilon_q8, in->distance, &nodes, &n_nodes);
    if (status == BENCH_OK) {
        add_tree(&text, y, in->n_rows, nodes, n_nodes, round);
        status = apply_write_text(bench_option_value(request, "tree"), &text);
    }
    text_free(&text);
    free(nodes);
    free(round);
    return status;
}

static enum bench_status write_picture(const char *path, const struct rdp_input *in,
                                       const struct rdp_output *out)
{
    struct rdp_picture picture;
    enum bench_status status;

    TRY(rdp_picture_draw(in, out, 0, &picture));
    status = image_write_rgb(path, picture.rgb, picture.width, picture.height);
    rdp_picture_free(&picture);
    return status;
}

static enum bench_status write_all(const struct bench_request *request,
                                   const struct rdp_input *in, const struct rdp_output *out)
{
    if (bench_option_value(request, "tree"))
        TRY(write_tree(request, in));
    if (request->picture)
        TRY(write_picture(request->picture, in, out));
    if (request->csv)
        TRY(write_points(request->csv, in, out));
    return BENCH_OK;
}

/* ---- the verb --------------------------------------------------------------------------------------- */

static void remark(const struct bench_request *request, const struct plane *plane,
                   const struct rdp_input *in)
{
    const size_t n_pixels = (size_t)in->n_cols * (size_t)in->n_rows;
    size_t n_valid = 0;

    if (!request->message || request->message_size == 0)
        return;
    request->message[0] = '\0';
    for (size_t i = 0; i < n_pixels; i++)
        n_valid += in->y[i] != RDP_INVALID;
    if (plane->n_clamped > 0)
        snprintf(request->message, request->message_size,
                 "%s: %zu of %zu values were above 255.9921875 px and were taken as that",
                 plane->name, plane->n_clamped, (size_t)plane->width * (size_t)plane->height);
    else if (n_valid == 0)
        snprintf(request->message, request->message_size,
                 "%s: no pixel is valid, so no point is kept", plane->name);
}

static enum bench_status apply_plane(const struct bench_request *request,
                                     const struct plane *plane)
{
    const struct bench_problem *const problem = request->impl->problem;
    const struct plane *const frames[1] = {plane};
    void *input = NULL, *output = NULL;
    enum bench_status status;

    if (plane->height > RDP_MAX_ROWS && bench_int(request->params, "height") == 0)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: expected a height of at most %d rows, found %d; -S height=N resamples it",
            plane->name, RDP_MAX_ROWS, plane->height);
    TRY(problem->make_input(request->params, frames, 1, &input));
    status = problem->make_output(input, &output);
    if (status == BENCH_OK)
        status = request->once(request, input, output);
    if (status == BENCH_OK)
        status = write_all(request, input, output);
    if (status == BENCH_OK)
        remark(request, plane, input);
    problem->free_output(output);
    problem->free_input(input);
    return status;
}

static const struct bench_option options[] = {
    APPLY_IMAGE_OPTION,
    {"tree", "CSV", "one column's data and recursion tree"},
    {"column", "U", "which column"},
    {NULL, NULL, NULL},
};

static enum bench_status apply(const struct bench_request *request)
{
    struct plane plane = {0};
    enum bench_status status;
    const char *const tree = bench_option_value(request, "tree");
    static const char *const files[] = {"tree", NULL};

    if (!request->csv && !request->picture && !tree)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: nothing to write; give -o FILE, --picture FILE or --tree FILE",
                          request->image);
    if (bench_option_value(request, "column") && !tree)
        return BENCH_FAIL(BENCH_EINPUT, "--column is for --tree FILE, which is not given");
    TRY(apply_check_files(request, files));
    if (request->frame)
        return apply_plane(request, request->frame);
    status = apply_image_read(request, &plane);
    if (status == BENCH_OK)
        status = apply_plane(request, &plane);
    plane_free(&plane);
    return status;
}

const struct bench_app rdp_app = {
    .problem = &rdp_problem, .keys = keys, .options = options, .apply = apply};
