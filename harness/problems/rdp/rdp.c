/*
 * rdp.c - the problem "rdp": input from planes, output, comparison, exact count of the work
 *
 * Source: [RDP] sect. 2, Algorithm 1; rdp.h has the definition, rdp/model.h the arithmetic.
 */
#include "harness/problems/rdp/rdp.h"
#include "harness/base/memory.h"
#include "harness/problems/rdp/cut.h"

#include "harness/problems/frames.h"
#include "harness/problems/rdp/measure.h"
#include "harness/inputs/filter.h"
#include "harness/inputs/plane.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(RDP_INVALID == DISPARITY_INVALID && RDP_MAX_VALUE == DISPARITY_MAX,
              "rdp and the planes must encode disparity alike");

static const struct bench_key keys[] = {
    {"width", "0", "px", "columns after resampling; 0: as the frame is", BENCH_INT, 0,
     INPUTS_MAX_SIDE, NULL},
    {"height", "0", "px", "rows after resampling; 0: as the frame is", BENCH_INT, 0,
     RDP_MAX_ROWS, NULL},
    {"eps", "4", "px", "tolerance, a multiple of 1/256", BENCH_REAL, 0, 1e9, NULL},
    {"distance", "vertical", "", "how far a point is from its chord", BENCH_CHOICE, 0, 0,
     "vertical|perpendicular"},
    {"resample", "linear", "", "how frames are brought to width x height", BENCH_CHOICE, 0, 0,
     "linear|nearest"},
    {"median", "0", "px", "side of the median filter before resampling; 0: none", BENCH_CHOICE,
     0, 0, "0|3|5"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static const struct bench_quick quick[] = {{"height", 2048, 0}, {NULL, 0, 0}};

void rdp_input_free(void *input)
{
    struct rdp_input *in = input;

    if (!in)
        return;
    free(in->y);
    free(in->image);
    free(in->truth);
    free(in);
}

enum bench_status rdp_input_new(int n_frames, int n_cols, int n_rows, struct rdp_input **input)
{
    struct rdp_input *in;
    enum bench_status status;

    *input = NULL;
    if (n_frames < 1 || n_cols < 1)
        return BENCH_FAIL(BENCH_EINPUT,
                          "rdp expects at least one frame of one column, found %d of %d",
                          n_frames, n_cols);
    if (n_rows < 1 || n_rows > RDP_MAX_ROWS)
        return BENCH_FAIL(BENCH_EINPUT, "rdp expects a height of 1 to %d rows, found %d",
                          RDP_MAX_ROWS, n_rows);
    in = calloc(1, sizeof *in);
    if (!in)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for an input of rdp");
    in->n_frames = n_frames;
    in->n_cols = n_cols;
    in->n_rows = n_rows;
    status = memory_allocate(&in->y, sizeof *in->y, n_frames, 1, n_cols, n_rows);
    if (status == BENCH_OK)
        status = memory_allocate(&in->image, sizeof *in->image, n_frames, 1, n_cols, n_rows);
    if (status != BENCH_OK) {
        rdp_input_free(in);
        return status;
    }
    *input = in;
    return BENCH_OK;
}

void rdp_output_free(void *output)
{
    struct rdp_output *out = output;

    if (!out)
        return;
    free(out->kept);
    free(out->segments);
    free(out->rounds);
    free(out);
}

enum bench_status rdp_output_new(const struct rdp_input *input, struct rdp_output **output)
{
    struct rdp_output *out = calloc(1, sizeof *out);
    enum bench_status status;

    *output = NULL;
    if (!out)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for an output of rdp");
    out->n_frames = input->n_frames;
    out->n_cols = input->n_cols;
    out->n_rows = input->n_rows;
    status = memory_allocate(&out->kept, sizeof *out->kept, out->n_frames, 1, out->n_cols,
                             rdp_n_words(out->n_rows));
    if (status == BENCH_OK)
        status = memory_allocate(&out->segments, sizeof *out->segments, out->n_frames, 1,
                                 out->n_cols, 1);
    if (status == BENCH_OK)
        status = memory_allocate(&out->rounds, sizeof *out->rounds, out->n_frames, 1,
                                 out->n_cols, 1);
    if (status != BENCH_OK) {
        rdp_output_free(out);
        return status;
    }
    *output = out;
    return BENCH_OK;
}

enum bench_status rdp_epsilon(double eps_px, uint32_t *epsilon_q8)
{
    const double scaled = eps_px * DISPARITY_SCALE; /* exact: a power of two */
    double below;

    if (!isfinite(eps_px) || eps_px < 0)
        return BENCH_FAIL(BENCH_EINPUT, "eps expects a number of pixels >= 0, found %g",
                          eps_px);
    if (scaled >= RDP_MAX_EPSILON) {
        *epsilon_q8 = RDP_MAX_EPSILON;
        return BENCH_OK;
    }
    below = floor(scaled);
    if (below < scaled)
        return BENCH_FAIL(BENCH_EINPUT,
                          "eps expects a multiple of 1/256 px, found %.12g; its neighbours are "
                          "%.12g and %.12g",
                          eps_px, below / DISPARITY_SCALE, (below + 1) / DISPARITY_SCALE);
    *epsilon_q8 = (uint32_t)below;
    return BENCH_OK;
}

#define BLOCK 8 /* rows and columns of one transposition in registers */
#define STRIP \
    256         /* columns that are turned together: 256 open lines of y, half of a 32 KiB L1 */
#define BAND 64 /* rows of one thread's tile: two of these lines */

static_assert(STRIP % BLOCK == 0 && BAND % BLOCK == 0, "tiles begin with whole blocks");

typedef uint16_t block_row __attribute__((vector_size(2 * BLOCK)));

/* Interleave the first and the last half of two rows; clang has only the one builtin, gcc before 12 only the other. */
#if defined(__clang__)
#define INTERLEAVE_LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define INTERLEAVE_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define INTERLEAVE_LOW(a, b)  __builtin_shuffle(a, b, (block_row){0, 8, 1, 9, 2, 10, 3, 11})
#define INTERLEAVE_HIGH(a, b) __builtin_shuffle(a, b, (block_row){4, 12, 5, 13, 6, 14, 7, 15})
#endif

/* One 8 x 8 block: three steps of interleaving the rows with the rows 4 further. */
static inline void transpose_block(const uint16_t *restrict from, size_t from_stride,
                                   uint16_t *restrict to, size_t to_stride)
{
    block_row a[BLOCK], b[BLOCK];

    for (int i = 0; i < BLOCK; i++)
        memcpy(&a[i], from + (size_t)i * from_stride, sizeof a[i]);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < BLOCK / 2; i++) {
            b[2 * i] = INTERLEAVE_LOW(a[i], a[i + BLOCK / 2]);
            b[2 * i + 1] = INTERLEAVE_HIGH(a[i], a[i + BLOCK / 2]);
        }
        memcpy(a, b, sizeof a);
    }
    for (int i = 0; i < BLOCK; i++)
        memcpy(to + (size_t)i * to_stride, &a[i], sizeof a[i]);
}

/* BAND rows from 'top' on of STRIP columns from 'left' on, or as many as there are. */
static void transpose_tile(const uint16_t *image, int n_rows, int n_cols, int top, int left,
                           uint16_t *y)
{
    const int end_row = n_rows - top < BAND ? n_rows : top + BAND;
    const int end_col = n_cols - left < STRIP ? n_cols : left + STRIP;
    const int block_rows = end_row - end_row % BLOCK, block_cols = end_col - end_col % BLOCK;
    const size_t row_stride = (size_t)n_cols, col_stride = (size_t)n_rows;

    for (int v = top; v < block_rows; v += BLOCK)
        for (int u = left; u < block_cols; u += BLOCK)
            transpose_block(image + (size_t)v * row_stride + (size_t)u, row_stride,
                            y + (size_t)u * col_stride + (size_t)v, col_stride);
    for (int v = top; v < end_row; v++)
        for (int u = v < block_rows ? block_cols : left; u < end_col; u++)
            y[(size_t)u * col_stride + (size_t)v] = image[(size_t)v * row_stride + (size_t)u];
}

void rdp_transpose(struct rdp_input *input, int n_threads)
{
    const int n_rows = input->n_rows, n_cols = input->n_cols;
    const size_t frame_pixels = (size_t)n_cols * (size_t)n_rows;

#pragma omp parallel for collapse(3) schedule(static) num_threads(n_threads)
    for (int k = 0; k < input->n_frames; k++)
        for (int left = 0; left < n_cols; left += STRIP)
            for (int top = 0; top < n_rows; top += BAND)
                transpose_tile(input->image + (size_t)k * frame_pixels, n_rows, n_cols, top,
                               left, input->y + (size_t)k * frame_pixels);
}

/* plane -> median -> resample -> image [height][width] */
static enum bench_status prepare_image(const struct bench_params *params,
                                       const struct plane *plane, uint16_t *image, int width,
                                       int height)
{
    const enum resample how =
        bench_is(params, "resample", "nearest") ? RESAMPLE_NEAREST : RESAMPLE_LINEAR;
    const int radius = bench_is(params, "median", "0")   ? 0
                       : bench_is(params, "median", "3") ? 1
                                                         : 2;
    const int same_size = width == plane->width && height == plane->height;
    const uint16_t *source = plane->disparity;
    uint16_t *filtered = NULL;

    if (radius > 0 && same_size) {
        filter_median(source, image, width, height, radius);
        return BENCH_OK;
    }
    if (radius > 0) {
        TRY(memory_allocate(&filtered, sizeof *filtered, 1, 1, plane->width, plane->height));
        filter_median(source, filtered, plane->width, plane->height, radius);
        source = filtered;
    }
    if (same_size)
        memcpy(image, source, (size_t)width * (size_t)height * sizeof *image);
    else
        filter_resample(source, plane->width, plane->height, image, width, height, how);
    free(filtered);
    return BENCH_OK;
}

/* What the frames should be, where all of them say it and keep their size: no value then depends on how truth
 * would be resampled. */
static enum bench_status copy_truth(const struct plane *const *frames, struct rdp_input *in)
{
    const size_t n_pixels = (size_t)in->n_cols * (size_t)in->n_rows;

    for (int k = 0; k < in->n_frames; k++)
        if (!frames[k]->truth || frames[k]->width != in->n_cols ||
            frames[k]->height != in->n_rows)
            return BENCH_OK;
    TRY(memory_allocate(&in->truth, sizeof *in->truth, in->n_frames, 1, in->n_cols,
                        in->n_rows));
    for (int k = 0; k < in->n_frames; k++)
        memcpy(in->truth + (size_t)k * n_pixels, frames[k]->truth,
               n_pixels * sizeof *in->truth);
    return BENCH_OK;
}

static enum bench_status make_input(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input)
{
    struct rdp_input *in = NULL;
    enum bench_status status = BENCH_OK;
    uint32_t epsilon_q8;
    int width, height;

    *input = NULL;
    if (n_frames < 1)
        return BENCH_FAIL(BENCH_EINPUT, "rdp expects at least one frame, found %d", n_frames);
    TRY(rdp_epsilon(bench_real(params, "eps"), &epsilon_q8));
    TRY(frames_size(params, frames, n_frames, &width, &height));
    TRY(rdp_input_new(n_frames, width, height, &in));
    in->epsilon_q8 = epsilon_q8;
    in->distance =
        bench_is(params, "distance", "perpendicular") ? RDP_PERPENDICULAR : RDP_VERTICAL;
    for (int k = 0; k < n_frames && status == BENCH_OK; k++)
        status = prepare_image(params, frames[k],
                               in->image + (size_t)k * (size_t)width * (size_t)height, width,
                               height);
    if (status == BENCH_OK)
        status = copy_truth(frames, in);
    if (status != BENCH_OK) {
        rdp_input_free(in);
        return status;
    }
    rdp_transpose(
        in, 1); /* whatever the layout: y is what the reference reads and what is hashed */
    *input = in;
    return BENCH_OK;
}

static enum bench_status make_output(const void *input, void **output)
{
    struct rdp_output *out;

    *output = NULL;
    TRY(rdp_output_new(input, &out));
    *output = out;
    return BENCH_OK;
}

/* n_frames, n_cols, n_rows, epsilon_q8, distance: the members before the pointers */
#define N_SCALARS 5
static_assert(offsetof(struct rdp_input, distance) == (N_SCALARS - 1) * sizeof(int32_t) &&
                  sizeof(enum rdp_distance) == sizeof(int32_t),
              "the hashed scalars must have no padding");

static int input_blocks(const void *input, struct bench_block *blocks)
{
    const struct rdp_input *in = input;

    blocks[0].data = in->y;
    blocks[0].bytes = memory_bytes(sizeof *in->y, in->n_frames, 1, in->n_cols, in->n_rows);
    blocks[1].data = in->image; /* the same values; a variant may upload it instead */
    blocks[1].bytes = blocks[0].bytes;
    blocks[2].data = (void *)(uintptr_t)input;
    blocks[2].bytes = N_SCALARS * sizeof(int32_t);
    return 3;
}

static int output_blocks(const void *output, struct bench_block *blocks)
{
    const struct rdp_output *out = output;
    const int n_words = rdp_n_words(out->n_rows);

    blocks[0].data = out->kept;
    blocks[0].bytes = memory_bytes(sizeof *out->kept, out->n_frames, 1, out->n_cols, n_words);
    blocks[1].data = out->segments;
    blocks[1].bytes = memory_bytes(sizeof *out->segments, out->n_frames, 1, out->n_cols, 1);
    blocks[2].data = out->rounds;
    blocks[2].bytes = memory_bytes(sizeof *out->rounds, out->n_frames, 1, out->n_cols, 1);
    return 3;
}

static int n_frames_of(const void *input)
{
    return ((const struct rdp_input *)input)->n_frames;
}

static enum bench_match match(const struct bench_params *params)
{
    (void)params;
    return BENCH_EXACT;
}

/* Count the wrong rows of one column; the first one goes into 'where' if that is still empty. */
static size_t compare_kept(const uint32_t *reference, const uint32_t *output, int n_words,
                           int frame, int col, struct bench_difference *difference)
{
    size_t n_wrong = 0;

    for (int w = 0; w < n_words; w++) {
        const uint32_t wrong = reference[w] ^ output[w];

        if (wrong == 0)
            continue;
        if (difference->where[0] == '\0') {
            const int bit = __builtin_ctz(wrong);

            snprintf(difference->where, sizeof difference->where,
                     "frame %d, column %d, row %d: %s, the reference %s it", frame, col,
                     32 * w + bit, (output[w] >> bit) & 1 ? "kept" : "not kept",
                     (reference[w] >> bit) & 1 ? "keeps" : "does not keep");
        }
        n_wrong += (size_t)__builtin_popcount(wrong);
    }
    return n_wrong;
}

static size_t compare_count(const char *what, int32_t reference, int32_t output, int frame,
                            int col, struct bench_difference *difference)
{
    if (reference == output)
        return 0;
    if (difference->where[0] == '\0')
        snprintf(difference->where, sizeof difference->where,
                 "frame %d, column %d: %" PRId32 " %s, the reference has %" PRId32, frame, col,
                 output, what, reference);
    return 1;
}

static void compare(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference)
{
    const struct rdp_output *r = reference, *o = output;
    const size_t n_words = (size_t)rdp_n_words(r->n_rows);

    (void)params;
    (void)input;
    memset(difference, 0, sizeof *difference);
    if (r->n_frames != o->n_frames || r->n_cols != o->n_cols || r->n_rows != o->n_rows) {
        difference->n_wrong = 1;
        difference->max_error = 1;
        snprintf(difference->where, sizeof difference->where,
                 "an output of %d x %d x %d, the reference has %d x %d x %d", o->n_frames,
                 o->n_cols, o->n_rows, r->n_frames, r->n_cols, r->n_rows);
        return;
    }
    for (int k = 0; k < r->n_frames; k++)
        for (int u = 0; u < r->n_cols; u++) {
            const size_t column = (size_t)k * (size_t)r->n_cols + (size_t)u;

            difference->n_wrong +=
                compare_kept(r->kept + column * n_words, o->kept + column * n_words,
                             (int)n_words, k, u, difference);
            difference->n_wrong += compare_count("segments", r->segments[column],
                                                 o->segments[column], k, u, difference);
            difference->n_wrong +=
                compare_count("rounds", r->rounds[column], o->rounds[column], k, u, difference);
        }
    difference->max_error = difference->n_wrong > 0 ? 1 : 0;
}

static void ingest(void *input, int n_threads)
{
    rdp_transpose(input, n_threads);
}

/*
 * Algorithm 1 over one column, one segment per call of walk_next.  What waits on the stack are the right parts
 * of the segments around the current one: disjoint, so n_rows entries are enough.
 */
struct walk {
    const uint16_t *y;
    uint32_t epsilon_q8;
    enum rdp_distance distance;
    int n_waiting;
    struct {
        int16_t first, last, depth;
    } waiting[RDP_MAX_ROWS];
};

static_assert(RDP_MAX_ROWS <= INT16_MAX, "rows must fit in the stack's 16 bits");

static void walk_push(struct walk *walk, int first, int last, int depth)
{
    walk->waiting[walk->n_waiting].first = (int16_t)first;
    walk->waiting[walk->n_waiting].last = (int16_t)last;
    walk->waiting[walk->n_waiting].depth = (int16_t)depth;
    walk->n_waiting++;
}

static void walk_begin(struct walk *walk, const uint16_t *y, int n_rows, uint32_t epsilon_q8,
                       enum rdp_distance distance)
{
    int first, last;

    walk->y = y;
    walk->epsilon_q8 = epsilon_q8;
    walk->distance = distance;
    walk->n_waiting = 0;
    if (find_ends(y, n_rows, &first, &last))
        walk_push(walk, first, last, 1);
}

/* The next segment in Algorithm 1's order, left before right; 0 when there is none. */
static int walk_next(struct walk *walk, struct rdp_node *node)
{
    if (walk->n_waiting == 0)
        return 0;
    walk->n_waiting--;
    node->first = walk->waiting[walk->n_waiting].first;
    node->last = walk->waiting[walk->n_waiting].last;
    node->depth = walk->waiting[walk->n_waiting].depth;
    node->cut = find_cut(walk->y, node->first, node->last, walk->epsilon_q8, walk->distance);
    if (node->cut >= 0) {
        walk_push(walk, node->cut, node->last, node->depth + 1);
        walk_push(walk, node->first, node->cut, node->depth + 1);
    }
    return 1;
}

enum bench_status rdp_tree(const uint16_t *y, int n_rows, uint32_t epsilon_q8,
                           enum rdp_distance distance, struct rdp_node **nodes, int *n_nodes)
{
    struct walk walk;
    struct rdp_node node;
    struct rdp_node *list = NULL;
    int n = 0, room = 0;

    *nodes = NULL;
    *n_nodes = 0;
    walk_begin(&walk, y, n_rows, epsilon_q8, distance);
    while (walk_next(&walk, &node)) {
        if (n == room) {
            struct rdp_node *longer;

            room = room ? 2 * room : 64; /* at most 2 n_rows - 3 nodes */
            longer = realloc(list, (size_t)room * sizeof *list);
            if (!longer) {
                free(list);
                return BENCH_FAIL(BENCH_ENOMEM, "no memory for the %d segments of a column",
                                  room);
            }
            list = longer;
        }
        list[n++] = node;
    }
    *nodes = list;
    *n_nodes = n;
    return BENCH_OK;
}

/* Distances that Algorithm 1 evaluates: last - first - 1 for each segment that it looks at. */
static uint64_t points_visited(const struct rdp_input *in)
{
    struct walk walk;
    struct rdp_node node;
    uint64_t n_points = 0;

    for (size_t c = 0; c < (size_t)in->n_frames * (size_t)in->n_cols; c++) {
        walk_begin(&walk, in->y + c * (size_t)in->n_rows, in->n_rows, in->epsilon_q8,
                   in->distance);
        while (walk_next(&walk, &node))
            n_points += (uint64_t)(node.last - node.first - 1);
    }
    return n_points;
}

static enum bench_status rank(const void *input, uint64_t *count)
{
    *count = points_visited(input);
    return BENCH_OK;
}

static void count_work(const void *input, const void *reference, struct bench_work *work)
{
    const struct rdp_input *in = input;
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    const int n_blocks = output_blocks(reference, blocks);

    work->bytes = (double)memory_bytes(sizeof *in->y, in->n_frames, 1, in->n_cols, in->n_rows);
    for (int b = 0; b < n_blocks; b++)
        work->bytes += (double)blocks[b].bytes;
    work->ops = (double)points_visited(in);
}

static enum bench_status check(const struct bench_params *params)
{
    uint32_t epsilon_q8;

    return rdp_epsilon(bench_real(params, "eps"), &epsilon_q8);
}

static const char *const references[] = {"rdp/serial", NULL};

const struct bench_problem rdp_problem = {
    .name = "rdp",
    .title = "segment the columns of a disparity image with Ramer-Douglas-Peucker [RDP]",
    .keys = keys,
    .quick = quick,
    .references = references,
    .check = check,
    .make_input = make_input,
    .free_input = rdp_input_free,
    .make_output = make_output,
    .free_output = rdp_output_free,
    .input_blocks = input_blocks,
    .output_blocks = output_blocks,
    .n_frames = n_frames_of,
    .match = match,
    .compare = compare,
    .ingest = ingest,
    .ingest_lap = "transpose",
    .rank = rank,
    .count_work = count_work,
    .measure = rdp_measure,
};
