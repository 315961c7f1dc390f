/*
 * rdp.c - the problem "rdp": input from planes, output, comparison, exact count of the work
 *
 * Source: [RDP] sect. 2, Algorithm 1; rdp.h has the definition, rdp/model.h the arithmetic.
 */
#include "harness/problems/rdp/rdp.h"

#include "harness/base/memory.h"
#include "harness/inputs/filter.h"
#include "harness/inputs/plane.h"
#include "harness/problems/arrays.h"
#include "harness/problems/difference.h"
#include "harness/problems/frames.h"
#include "harness/problems/rdp/cut.h"
#include <assert.h>
#include <math.h>

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

/* ---- input and output ---- */

/* n_frames, n_cols, n_rows, epsilon_q8, distance: the members before the pointers */
#define N_SCALARS 5
static_assert(offsetof(struct rdp_input, distance) == (N_SCALARS - 1) * sizeof(int32_t) &&
                  sizeof(enum rdp_distance) == sizeof(int32_t),
              "the hashed scalars must have no padding");

static int input_arrays(const void *input, struct array *array)
{
    const struct rdp_input *in = input;
    const int n = in->n_frames;

    array[0] = ARRAY("y", rdp_input, y, n, 1, in->n_cols, in->n_rows);
    array[1] = ARRAY("image", rdp_input, image, n, 1, in->n_cols, in->n_rows);
    array[2] = ARRAY("", rdp_input, truth, 0, 1, 1, 1);
    array[3] = (struct array){"shape", ARRAY_SHAPE, N_SCALARS * sizeof(int32_t)};
    return 4;
}

static int output_arrays(const void *output, struct array *array)
{
    const struct rdp_output *out = output;
    const int n = out->n_frames;

    array[0] = ARRAY("kept", rdp_output, kept, n, 1, out->n_cols, rdp_n_words(out->n_rows));
    array[1] = ARRAY("segments", rdp_output, segments, n, 1, out->n_cols, 1);
    array[2] = ARRAY("rounds", rdp_output, rounds, n, 1, out->n_cols, 1);
    return 3;
}

ARRAYS_HOOKS(input)
ARRAYS_HOOKS(output)
ARRAYS_DROP(input)

enum bench_status rdp_input_new(int n_frames, int n_cols, int n_rows, struct rdp_input **input)
{
    const struct rdp_input shape = {.n_frames = n_frames, .n_cols = n_cols, .n_rows = n_rows};

    *input = NULL;
    assert(n_frames >= 1 && n_cols >= 1);
    REFUSE_IF(n_rows < 1 || n_rows > RDP_MAX_ROWS,
              "rdp expects a height of 1 to %d rows, found %d", RDP_MAX_ROWS, n_rows);
    return arrays_new(&shape, sizeof shape, input_arrays, input);
}

static enum bench_status make_output(const void *input, void **output)
{
    const struct rdp_input *in = input;
    const struct rdp_output shape = {
        .n_frames = in->n_frames, .n_cols = in->n_cols, .n_rows = in->n_rows};

    return arrays_new(&shape, sizeof shape, output_arrays, output);
}

enum bench_status rdp_epsilon(double eps_px, uint32_t *epsilon_q8)
{
    const double scaled = eps_px * DISPARITY_SCALE; /* exact: a power of two */
    double below;

    if (scaled >= RDP_MAX_EPSILON) {
        *epsilon_q8 = RDP_MAX_EPSILON;
        return BENCH_OK;
    }
    below = floor(scaled);
    REFUSE_IF(
        below < scaled,
        "eps expects a multiple of 1/256 px, found %.12g; its neighbours are %.12g and %.12g",
        eps_px, below / DISPARITY_SCALE, (below + 1) / DISPARITY_SCALE);
    *epsilon_q8 = (uint32_t)below;
    return BENCH_OK;
}

/* Rows and columns of one transposition in registers, and of a tile: whole cache lines. */
#define BLOCK     8
#define TILE_ROWS 64
#define TILE_COLS 32

static_assert(TILE_ROWS % BLOCK == 0 && TILE_COLS % BLOCK == 0, "a tile has whole blocks");

typedef uint16_t block_row __attribute__((vector_size(2 * BLOCK)));

/* Interleave the first and the last half of two rows; clang has only the one builtin, gcc
 * before 12 only the other. */
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

/* A tile of an image of n_cols to where it is among columns of n_rows.  Where the height is a
 * power of two, all columns share a few sets of the cache, so each line is written once and
 * whole. */
static inline __attribute__((always_inline)) void transpose_tile(const uint16_t *image,
                                                                 int n_cols, uint16_t *y,
                                                                 int n_rows, int tile_rows,
                                                                 int tile_cols)
{
    const size_t row_stride = (size_t)n_cols, col_stride = (size_t)n_rows;
    const int block_rows = tile_rows - tile_rows % BLOCK;
    const int block_cols = tile_cols - tile_cols % BLOCK;
    uint16_t tile[TILE_COLS][TILE_ROWS];

    for (int v = 0; v < block_rows; v += BLOCK)
        for (int u = 0; u < block_cols; u += BLOCK)
            transpose_block(image + (size_t)v * row_stride + (size_t)u, row_stride, &tile[u][v],
                            TILE_ROWS);
    for (int v = 0; v < tile_rows; v++)
        for (int u = v < block_rows ? block_cols : 0; u < tile_cols; u++)
            tile[u][v] = image[(size_t)v * row_stride + (size_t)u];
    for (int u = 0; u < tile_cols; u++)
        memcpy(y + (size_t)u * col_stride, tile[u], (size_t)tile_rows * sizeof *y);
}

void rdp_transpose(void *input, int n_threads)
{
    const struct rdp_input *const in = input;
    const int n_rows = in->n_rows, n_cols = in->n_cols;
    const size_t frame_pixels = (size_t)n_cols * (size_t)n_rows;

#pragma omp parallel for collapse(3) schedule(static) num_threads(n_threads)
    for (int k = 0; k < in->n_frames; k++)
        for (int top = 0; top < n_rows; top += TILE_ROWS)
            for (int left = 0; left < n_cols; left += TILE_COLS) {
                const uint16_t *const from = in->image + (size_t)k * frame_pixels +
                                             (size_t)top * (size_t)n_cols + (size_t)left;
                uint16_t *const to = in->y + (size_t)k * frame_pixels +
                                     (size_t)left * (size_t)n_rows + (size_t)top;
                const int rows = n_rows - top, cols = n_cols - left;

                if (rows >= TILE_ROWS && cols >= TILE_COLS) /* sizes that are constants */
                    transpose_tile(from, n_cols, to, n_rows, TILE_ROWS, TILE_COLS);
                else
                    transpose_tile(from, n_cols, to, n_rows,
                                   rows < TILE_ROWS ? rows : TILE_ROWS,
                                   cols < TILE_COLS ? cols : TILE_COLS);
            }
}

static void take(void *input, const struct bench_map *map, int n_threads)
{
    const struct rdp_input *const in = input;

    memcpy(in->image, map->data,
           (size_t)in->n_frames * (size_t)map->height * (size_t)map->width * sizeof *in->image);
    rdp_transpose(input, n_threads);
}

/* plane -> median -> resample -> image [height][width] */
static enum bench_status prepare_image(const struct bench_params *params,
                                       const struct plane *plane, uint16_t *image, int width,
                                       int height)
{
    const enum resample how =
        bench_is(params, "resample", "nearest") ? RESAMPLE_NEAREST : RESAMPLE_LINEAR;
    const int radius = bench_int(params, "median") / 2;
    const uint16_t *source = plane->disparity;
    OWNED(memory_free) uint16_t *filtered = NULL;

    if (radius > 0) {
        TRY(memory_allocate(&filtered, sizeof *filtered, 1, 1, plane->width, plane->height));
        filter_median(source, filtered, plane->width, plane->height, radius);
        source = filtered;
    }
    if (width == plane->width && height == plane->height)
        memcpy(image, source, (size_t)width * (size_t)height * sizeof *image);
    else
        filter_resample(source, plane->width, plane->height, image, width, height, how);
    return BENCH_OK;
}

/* Copies the truth, where all frames have it and keep their size: no value then depends on how
 * truth would be resampled. */
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
    OWNED(drop_input) struct rdp_input *in = NULL;
    uint32_t epsilon_q8 = 0;
    int width = 0, height = 0;

    *input = NULL;
    TRY(rdp_epsilon(bench_real(params, "eps"), &epsilon_q8));
    TRY(frames_have_maps(frames, n_frames));
    TRY(frames_size(params, frames, n_frames, &width, &height));
    TRY(rdp_input_new(n_frames, width, height, &in));
    in->epsilon_q8 = epsilon_q8;
    in->distance =
        bench_is(params, "distance", "perpendicular") ? RDP_PERPENDICULAR : RDP_VERTICAL;
    for (int k = 0; k < n_frames; k++)
        TRY(prepare_image(params, frames[k],
                          in->image + (size_t)k * (size_t)width * (size_t)height, width,
                          height));
    TRY(copy_truth(frames, in));
    /* whatever the layout: y is what the reference reads and what is hashed */
    rdp_transpose(in, 1);
    *input = in;
    in = NULL;
    return BENCH_OK;
}

static const struct bench_place places[] = {
    {"image", offsetof(struct rdp_input, image), _Alignof(uint16_t), false, false},
    {"y", offsetof(struct rdp_input, y), _Alignof(uint16_t), false, true},
    {"kept", offsetof(struct rdp_output, kept), _Alignof(uint32_t), true, false},
    {"segments", offsetof(struct rdp_output, segments), _Alignof(int32_t), true, false},
    {"rounds", offsetof(struct rdp_output, rounds), _Alignof(int32_t), true, false},
    {NULL, 0, 0, false, false},
};

static const char *const frame_keys[] = {"width", "height", "resample", "median", NULL};

static enum bench_match match(const struct bench_params *params)
{
    (void)params;
    return BENCH_EXACT;
}

static void compare_kept(const uint32_t *reference, const uint32_t *output, int n_words,
                         int frame, int col, struct bench_difference *difference)
{
    for (int w = 0; w < n_words; w++) {
        const uint32_t wrong = reference[w] ^ output[w];

        if (wrong)
            difference_wrong(difference, (size_t)__builtin_popcount(wrong),
                             "frame %d, column %d, row %d: %s", frame, col,
                             32 * w + __builtin_ctz(wrong),
                             wrong & -wrong & output[w] ? "kept, the reference does not keep it"
                                                        : "not kept, the reference keeps it");
    }
}

static void compare(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference)
{
    const struct rdp_output *r = reference, *o = output;
    const size_t n_words = (size_t)rdp_n_words(r->n_rows);
    size_t column = 0;

    (void)params;
    (void)input;
    if (!difference_of_shape(&o->n_frames, &r->n_frames, difference))
        for (int k = 0; k < r->n_frames; k++)
            for (int u = 0; u < r->n_cols; u++, column++) {
                const int32_t found[] = {o->segments[column], o->rounds[column]};
                const int32_t expected[] = {r->segments[column], r->rounds[column]};

                compare_kept(r->kept + column * n_words, o->kept + column * n_words,
                             (int)n_words, k, u, difference);
                for (int i = 0; i < 2; i++)
                    if (found[i] != expected[i])
                        difference_wrong(difference, 1,
                                         "frame %d, column %d: %d %s, the reference has %d", k,
                                         u, found[i], i ? "rounds" : "segments", expected[i]);
            }
    difference->max_error = difference->n_wrong > 0 ? 1 : 0;
}

/* A column of another rule is no segmentation by its ends, rows that cannot be kept, counts
 * that are not those of its kept rows. */
static void check_column(const struct rdp_input *in, const struct rdp_output *out,
                         size_t column, struct bench_difference *difference)
{
    const uint16_t *const y = in->y + column * (size_t)in->n_rows;
    const size_t n_words = (size_t)rdp_n_words(in->n_rows);
    const uint32_t *const kept = out->kept + column * n_words;
    const int rounds = out->rounds[column];
    int n_kept = 0, n_segments;
    struct rdp_node root;

    if (!find_root(y, in->n_rows, &root))
        root = (struct rdp_node){-1, -1, 0, -1};
    for (int v = 0; v < 32 * (int)n_words; v++) {
        const int is_end = v == root.first || v == root.last;
        const int may_be = v < root.last && v > root.first && y[v] != RDP_INVALID;

        n_kept += rdp_is_kept(kept, v);
        if (rdp_is_kept(kept, v) ? !is_end && !may_be : is_end)
            difference_wrong(difference, 1, "column %zu, row %d: %s", column, v,
                             is_end ? "an end, not kept" : "kept, which it cannot be");
    }
    n_segments = n_kept > 0 ? n_kept - 1 : 0;
    if (out->segments[column] != n_segments)
        difference_wrong(difference, 1, "column %zu: %d segments, its kept rows make %d",
                         column, out->segments[column], n_segments);
    if (rounds < 1 || rounds > n_segments + (n_segments == 0))
        difference_wrong(difference, 1, "column %zu: %d rounds of %d segments", column, rounds,
                         n_segments);
}

static void compare_other(const struct bench_params *params, const void *input,
                          const void *reference, const void *output,
                          struct bench_difference *difference)
{
    const struct rdp_output *r = reference, *o = output;
    const size_t n_words = (size_t)rdp_n_words(r->n_rows);

    (void)params;
    difference->n_compared = (size_t)r->n_frames * (size_t)r->n_cols;
    for (size_t c = 0; c < difference->n_compared; c++) {
        check_column(input, o, c, difference);
        difference->n_different += memcmp(r->kept + c * n_words, o->kept + c * n_words,
                                          n_words * sizeof *r->kept) != 0;
    }
}

/* Distances that Algorithm 1 evaluates: last - first - 1 for each segment that it looks at. */
static enum bench_status rank(const void *input, uint64_t *count)
{
    const struct rdp_input *in = input;
    struct rdp_walk walk;
    struct rdp_node node;

    *count = 0;
    for (size_t c = 0; c < (size_t)in->n_frames * (size_t)in->n_cols; c++)
        if (rdp_walk_column(&walk, in, c, &node))
            while (rdp_walk_next(&walk, &node))
                *count += (uint64_t)(node.last - node.first - 1);
    return BENCH_OK;
}

static void count_work(const void *input, const void *reference, struct bench_work *work)
{
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    uint64_t n_points;

    input_blocks(input, blocks);
    work->bytes = (double)blocks[0].bytes;
    for (int b = output_blocks(reference, blocks); b-- > 0;)
        work->bytes += (double)blocks[b].bytes;
    rank(input, &n_points);
    work->ops = (double)n_points;
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
    ARRAYS_PROBLEM,
    .quick = quick,
    .check = check,
    .places = places,
    .frame_keys = frame_keys,
    .compare = compare,
    .compare_other = compare_other,
    .other_unit = "columns",
    .ingest = rdp_transpose,
    .ingest_stage = "transpose",
    .take = take,
    .rank = rank,
    .sum = rdp_sum,
    .values = rdp_values,
    .value_names =
        "segments segments_sd rounds_mean rounds_sd rounds_max rounds_hist useful_pct "
        "rms_error_px mean_abs_error_px max_error_px d1_to_input_pct d1_pct input_d1_all_pct "
        "invalid_pct pixels_per_segment compression points_visited nodes_visited",
};
