/*
 * apply.c - `depthbench apply rdp/VARIANT IMAGE`: one image in, its kept points, picture, and a
 * column's tree and strides out
 *
 * Source: the tree is [RDP] Fig. 4's, of Algorithm 1; the strides are Fig. 6's, of Algorithm 3.
 */
#include "harness/base/text.h"
#include "harness/inputs/plane.h"
#include "harness/problems/apply_image.h"
#include "harness/problems/rdp/cut.h"
#include "harness/problems/rdp/picture.h"
#include "harness/problems/rdp/rdp.h"

#include <stdio.h>

static const struct bench_key keys[] = {
    APPLY_IMAGE_KEY,
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_option options[] = {
    APPLY_IMAGE_OPTION,
    {"tree", "CSV", "one column's data and recursion tree"},
    {"strides", "CSV", "one column's rounds of strided reductions"},
    {"column", "U", "which column"},
    {NULL, NULL, NULL},
};

/* ---- what is written ---- */

static enum bench_status table(const void *input, const void *output, struct text *text)
{
    const struct rdp_input *const in = input;
    const struct rdp_output *const out = output;
    const size_t n_words = (size_t)rdp_n_words(in->n_rows);

    text_add(text, "u,v,disparity_px\n");
    for (int u = 0; u < in->n_cols; u++)
        for (int v = 0; v < in->n_rows; v++)
            if (rdp_is_kept(out->kept + (size_t)u * n_words, v)) {
                text_format(text, "%d,%d,", u, v);
                apply_add_disparity(text, in->y[(size_t)u * (size_t)in->n_rows + (size_t)v]);
                text_add(text, "\n");
            }
    return text_ok(text);
}

static void size(const void *input, int *height, int *width)
{
    const struct rdp_input *const in = input;

    *height = in->n_rows;
    *width = in->n_cols;
}

/* Rows of kind point, node and kept. */
static enum bench_status write_tree(const struct bench_request *request,
                                    const struct rdp_input *in)
{
    struct text text = {0};
    const uint16_t *y;
    struct rdp_walk walk;
    struct rdp_node node;
    int round[RDP_MAX_ROWS]; /* in which a row is kept; -1: it is not */
    int column, n_nodes = 0, n_kept = 0;

    TRY(apply_column(request, "tree", in->n_cols, &column));
    y = in->y + (size_t)column * (size_t)in->n_rows;
    text_add(&text, "kind,row,disparity_px,first,last,cut,depth,order\n");
    for (int v = 0; v < in->n_rows; v++) {
        round[v] = -1;
        if (y[v] == RDP_INVALID)
            continue;
        text_format(&text, "point,%d,", v);
        apply_add_disparity(&text, y[v]);
        text_add(&text, ",,,,,\n");
    }
    if (rdp_walk_column(&walk, in, (size_t)column, &node)) {
        round[node.first] = round[node.last] = 0;
        while (rdp_walk_next(&walk, &node)) {
            text_format(&text, "node,,,%d,%d,", node.first, node.last);
            if (node.cut >= 0) {
                text_format(&text, "%d", node.cut);
                round[node.cut] = node.depth;
            }
            text_format(&text, ",%d,%d\n", node.depth, ++n_nodes);
        }
    }
    for (int v = 0; v < in->n_rows; v++)
        if (round[v] >= 0) {
            text_format(&text, "kept,%d,", v);
            apply_add_disparity(&text, y[v]);
            text_format(&text, ",,,,%d,%d\n", round[v], ++n_kept);
        }
    return apply_write_text(bench_option_value(request, "tree"), &text);
}

/* A slot of Algorithm 3 has the ends of its row's segment, and the greatest of what has come to
 * it: a cost, then the smallest row. */
struct slot {
    int first, last;
    uint64_t best; /* cost << 32 | UINT32_MAX - row */
};

/* Adds a round of rdp/gpu-paper over the slots behind 'first': a row for each of them, for each
 * read of a stride and for each cut.  Returns how many cuts. */
static int add_round(struct text *text, const struct rdp_input *in, const uint16_t *y,
                     struct slot *slots, int first, int last, int round)
{
    int stride = 1, n_cuts = 0;

    for (int i = first + 1; i <= last; i++) {
        struct slot *const s = &slots[i];
        const int length = s->last - s->first, y_first = y[s->first];
        uint32_t cost = 0;

        if (y[i] != RDP_INVALID)
            cost = rdp_cost(y[s->last] - y_first, length, y_first, y[i], i - s->first);
        text_format(text, "slot,%d,,%d,,%d,%d,", round, i, s->first, s->last);
        text_add_number(text, cost / 256.0 / length);
        text_add(text, "\n");
        if (!rdp_exceeds_vertical(cost, length, in->epsilon_q8))
            cost = 0;
        s->best = (uint64_t)cost << 32 | (UINT32_MAX - (uint32_t)i);
    }
    while (2 * stride < in->n_rows)
        stride *= 2;
    for (; stride > 0; stride /= 2)
        for (int i = last; i > first; i--) /* downwards: nothing is read that has changed */
            if (i - stride > slots[i].first) {
                const uint64_t other = slots[i - stride].best;

                text_format(text, "read,%d,%d,%d,%d,,,\n", round, stride, i, i - stride);
                slots[i].best = other > slots[i].best ? other : slots[i].best;
            }
    for (int i = first + 1; i <= last; i++) {
        struct slot *const s = &slots[i];
        const uint64_t best = slots[s->last].best;
        const int cut = (int)(UINT32_MAX - (uint32_t)best);

        if (best >> 32 == 0)
            continue;
        if (cut == i)
            text_format(text, "cut,%d,,%d,,%d,%d,\n", round, i, s->first, s->last);
        n_cuts += cut == i;
        *(cut < i ? &s->first : &s->last) = cut;
    }
    return n_cuts;
}

static enum bench_status write_strides(const struct bench_request *request,
                                       const struct rdp_input *in)
{
    struct slot slots[RDP_MAX_ROWS] = {{0}};
    struct text text = {0};
    struct rdp_node root;
    const uint16_t *y;
    int column;

    TRY(apply_column(request, "strides", in->n_cols, &column));
    REFUSE_IF(in->distance != RDP_VERTICAL,
              "--strides: Algorithm 3 measures vertical distances, not perpendicular ones");
    y = in->y + (size_t)column * (size_t)in->n_rows;
    text_add(&text, "kind,round,stride,row,from,first,last,distance_px\n");
    if (find_root(y, in->n_rows, &root)) {
        for (int i = root.first + 1; i <= root.last; i++)
            slots[i] = (struct slot){.first = root.first, .last = root.last};
        for (int round = 1; add_round(&text, in, y, slots, root.first, root.last, round) > 0;
             round++)
            continue;
    }
    return apply_write_text(bench_option_value(request, "strides"), &text);
}

static void remark(const struct bench_request *request, const struct rdp_input *in)
{
    const size_t n_pixels = (size_t)in->n_cols * (size_t)in->n_rows;
    size_t i = 0;

    if (!request->message || request->message_size == 0)
        return;
    request->message[0] = '\0';
    while (i < n_pixels && in->y[i] == RDP_INVALID)
        i++;
    if (i == n_pixels)
        snprintf(request->message, request->message_size,
                 "no pixel is valid, so no point is kept");
}

static enum bench_status write_all(const struct bench_request *request,
                                   const struct plane *plane, const void *input,
                                   const void *output, void *own)
{
    struct picture picture;
    struct text text = {0};

    (void)own;
    if (bench_option_value(request, "tree"))
        TRY(write_tree(request, input));
    if (bench_option_value(request, "strides"))
        TRY(write_strides(request, input));
    if (request->picture) {
        TRY(rdp_picture_draw(input, output, 0, plane, &picture));
        if (bench_is(request->params, "legend", "yes"))
            TRY(rdp_picture_legend(&picture));
        TRY(picture_write(request->picture, &picture));
    }
    if (request->csv) {
        (void)table(input, output, &text); /* apply_write_text looks at the text */
        TRY(apply_write_text(request->csv, &text));
    }
    remark(request, input);
    return BENCH_OK;
}

/* ---- the verb ---- */

static enum bench_status apply_plane(const struct bench_request *request,
                                     const struct plane *plane)
{
    REFUSE_IF(plane->height > RDP_MAX_ROWS && bench_int(request->params, "height") == 0,
              "%s: expected a height of at most %d rows, found %d%s", plane->name, RDP_MAX_ROWS,
              plane->height, apply_takes_views(request) ? "" : "; -S height=N resamples it");
    return apply_variant(request, plane, write_all, NULL);
}

static enum bench_status apply(const struct bench_request *request)
{
    static const char *const files[] = {"tree", "strides", NULL};

    TRY(apply_check_files(request, files));
    REFUSE_IF(bench_option_value(request, "column") && !bench_option_value(request, "tree") &&
                  !bench_option_value(request, "strides"),
              "--column is for --tree FILE and --strides FILE, none of which is given");
    return apply_to_frame(request, apply_plane);
}

static const struct bench_told told[] = {
    {"", "segments", " segments a column"},
    {"", "compression", " values for each that is kept"},
    {"mean error ", "mean_abs_error_px", " px"},
    {"largest ", "max_error_px", " px"},
    {NULL, NULL, NULL},
};

const struct bench_app rdp_app = {.problem = &rdp_problem,
                                  .keys = keys,
                                  .options = options,
                                  .told = told,
                                  .apply = apply,
                                  .table = table,
                                  .size = size,
                                  .reads_map = true};
