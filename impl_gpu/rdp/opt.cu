/*
 * rdp/gpu-opt - lists of segments in shared memory; longer segments are searched by more lanes
 *
 * Source:  [RDP] Algorithm 1 with a list in place of its recursion; exact integers as in
 *          rdp/model.h.
 * Mapping: up to 1024 rows and many columns: one warp has one column, or several of at most 32
 *          words together.  All lanes search long segments one after the other; then 8 lanes
 *          search each medium one, 4 lanes each small one.  Few columns of more than 512 rows:
 *          one block of 4 warps for each; its warps take segments pass by pass.  More than 1024
 *          rows: one block for each column goes level by level over the bits of kept rows.
 * Shared:  y as uint16, the lists, one bit a row.
 * Work:    each node of the recursion tree is read once: rows * mean depth.  gpu-paper reads
 *          rows * rounds * log2(rows).
 *
 * docs/RDP.md#what-is-left-to-try lists what is open.
 */
#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"

static const struct bench_key keys[] = {
    {"layout", "columns", "",
     "rows: upload the image as it comes and transpose it on the device", BENCH_CHOICE, 0, 0,
     "columns|rows"},
    {"warps", "auto", "", "warps that share a column of at most 1024 rows", BENCH_CHOICE, 0, 0,
     "auto|1|2|4|8"},
    {"together", "auto", "columns",
     "columns of at most 32 words in all that one warp takes together", BENCH_CHOICE, 0, 0,
     "auto|1|2|4|8"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/rdp/opt_list.cuh"
#include "impl_gpu/rdp/opt_tall.cuh"

/* A tile of whole rows, if they fit: it reads one piece of memory, as the host's should be. */
#define TILE_ROWS    8
#define TILE_COLS    1280
#define TILE_THREADS 512
#define ROW_THREADS  (TILE_THREADS / TILE_ROWS) /* that load a row */
#define CHUNK        8 /* pixels that a thread loads or stores at once, 16 bytes */

/* Pixels at 'from', a multiple of CHUNK, of 'n' there are in all. */
DEVICE uint4 load_chunk(const uint16_t *__restrict__ image, size_t from, size_t n)
{
    uint4 chunk = make_uint4(0, 0, 0, 0);

    if (from + CHUNK <= n)
        return *(const uint4 *)&image[from];
#pragma unroll 1
    for (size_t k = n; k-- > from;) { /* the image's last ones */
        chunk.w = chunk.w << 16 | chunk.z >> 16;
        chunk.z = chunk.z << 16 | chunk.y >> 16;
        chunk.y = chunk.y << 16 | chunk.x >> 16;
        chunk.x = chunk.x << 16 | image[k];
    }
    return chunk;
}

/* image [n_frames][n_rows][n_cols] -> y [n_frames][n_cols][n_rows]; blockIdx.x = frame and tile
 * of columns, blockIdx.y = tile of rows.  A tile has all chunks of its pixels. */
static __global__ void __launch_bounds__(TILE_THREADS)
    transpose_kernel(const uint16_t *__restrict__ image, int n_cols, int n_rows, int col_tiles,
                     size_t n_pixels, uint16_t *__restrict__ y)
{
    __shared__ uint4 tile[TILE_ROWS][TILE_COLS / CHUNK + 1];
    const size_t frame = blockIdx.x / (unsigned)col_tiles;
    const size_t frame_at = frame * (size_t)n_cols * (size_t)n_rows;
    const int col_0 = (int)(blockIdx.x % (unsigned)col_tiles) * TILE_COLS;
    const int row_0 = (int)blockIdx.y * TILE_ROWS;
    const int here = n_cols - col_0 < TILE_COLS ? n_cols - col_0 : TILE_COLS;
    const int rows_here = n_rows - row_0 < TILE_ROWS ? n_rows - row_0 : TILE_ROWS;
    const size_t at = frame_at + (size_t)row_0 * (size_t)n_cols + (size_t)col_0;
    const int lane = (int)threadIdx.x % ROW_THREADS, own = (int)threadIdx.x / ROW_THREADS;

    if (own < rows_here) {
        const size_t first = at + (size_t)own * (size_t)n_cols;
        const int skipped = (int)(first % CHUNK);

#pragma unroll 3
        for (int k = lane; k * CHUNK < skipped + here; k += ROW_THREADS)
            tile[own][k] =
                load_chunk(image, first - (size_t)skipped + (size_t)(k * CHUNK), n_pixels);
    }
    __syncthreads();
#pragma unroll 1
    for (int c = (int)threadIdx.x; c < here; c += TILE_THREADS) {
        uint16_t *const to =
            y + frame_at + (size_t)(col_0 + c) * (size_t)n_rows + (size_t)row_0;
        unsigned pixel_at = (unsigned)at;
        uint32_t word[TILE_ROWS / 2];

        if (n_rows % TILE_ROWS == 0) {
#pragma unroll
            for (int r = 0; r < TILE_ROWS; r++, pixel_at += (unsigned)n_cols) {
                const uint32_t pixel =
                    ((const uint16_t *)tile[r])[pixel_at % CHUNK + (unsigned)c];

                word[r / 2] = r % 2 ? word[r / 2] | pixel << 16 : pixel;
            }
            *(uint4 *)to = make_uint4(word[0], word[1], word[2], word[3]);
        } else {
#pragma unroll 1
            for (int r = 0; r < rows_here; r++, pixel_at += (unsigned)n_cols)
                to[r] = ((const uint16_t *)tile[r])[pixel_at % CHUNK + (unsigned)c];
        }
    }
}

typedef void list_function(const uint16_t *, unsigned, struct list_shape, uint32_t, uint32_t *,
                           int32_t *, int32_t *);
typedef void tall_function(const uint16_t *, int, int, int, uint32_t, uint32_t *, int32_t *,
                           int32_t *);

struct state {
    struct columns columns;
    list_function *kernel; /* NULL: the tall one */
    tall_function *tall;
    struct list_shape shape;
    unsigned n_blocks;
    int n_threads;
    size_t shared_bytes;
    int col_tiles, row_tiles;
};

#define MANY_COLUMNS 12 /* per SM; up to so many columns get several warps each */

template <bool PERPENDICULAR> static list_function *list_function_of(int warps, int together)
{
    switch (warps) {
    case 1:
        return together > 1 ? warp_kernel<false, PERPENDICULAR>
                            : warp_kernel<true, PERPENDICULAR>;
    case 2:
        return block_kernel<2, PERPENDICULAR>;
    case 4:
        return block_kernel<4, PERPENDICULAR>;
    default:
        return block_kernel<8, PERPENDICULAR>;
    }
}

/* Few columns leave the GPU idle, so each gets more warps.  A warp gets several of many
 * columns, with at most 32 words in all: their small segments fill the lane groups better. */
static void choose_warps(const struct bench_ctx *ctx, size_t n_columns, int n_words, int *warps,
                         int *together)
{
    const size_t per_processor = n_columns / (size_t)ctx->n_sms;

    *warps = bench_int(ctx->params, "warps");
    *together = bench_int(ctx->params, "together");
    if (*warps < 0)
        *warps = per_processor <= MANY_COLUMNS && n_words > 16 ? 4 : 1;
    if (*together < 0)
        *together = per_processor >= 8 * 64 ? 8 : (int)(per_processor / 64);
    if (*together > 32 / n_words)
        *together = 32 / n_words;
    if (*together < 1 || *warps > 1)
        *together = 1;
}

/* The least power of two that is >= n. */
static int power_of_two(int n)
{
    int power = 1;

    while (power < n)
        power *= 2;
    return power;
}

static int reads_raw(const struct bench_params *params)
{
    return bench_is(params, "layout", "rows");
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct rdp_input *in = (const struct rdp_input *)input;
    const bool perpendicular = in->distance == RDP_PERPENDICULAR;
    struct list_shape *shape = &s->shape;
    const void *kernel;

    TRY(columns_setup(&s->columns, ctx, input, output, reads_raw(ctx->params)));
    s->col_tiles = (in->n_cols + TILE_COLS - 1) / TILE_COLS;
    s->row_tiles = (in->n_rows + TILE_ROWS - 1) / TILE_ROWS;

    shape->n_rows = in->n_rows;
    shape->n_words = s->columns.n_words;
    shape->y_bytes = (in->n_rows * (int)sizeof(uint16_t) + 15) / 16 * 16;
    if (in->n_rows > SHORT_COLUMN) {
        s->n_blocks = (unsigned)s->columns.n_columns;
        s->n_threads = TALL_THREADS;
        s->shared_bytes =
            (size_t)shape->y_bytes + 4 * sizeof(uint32_t) * (size_t)shape->n_words;
        s->tall = perpendicular ? tall_kernel<true> : tall_kernel<false>;
        kernel = (const void *)s->tall;
    } else {
        int warps = 1, list_entries;

        choose_warps(ctx, s->columns.n_columns, shape->n_words, &warps, &shape->together);

        shape->medium_length = shape->together > 1 ? 32 * MEDIUM_LANES : MEDIUM_LENGTH;

        /* Pending segments of a class are disjoint, which bounds their number; one more is the
         * root, and rings have room for the segments that are being taken. */
        const int n_long = in->n_rows / (shape->medium_length + 1) + 1;
        const int n_medium = (in->n_rows / (SMALL_LENGTH + 1) + 1) * shape->together;
        const int n_small = (in->n_rows / 2 + 1) * shape->together;

        if (warps == 1) {
            shape->medium_at = n_long;
            shape->small_at = shape->medium_at + n_medium;
            list_entries = shape->small_at + n_small;
        } else {
            shape->medium_at = power_of_two(n_long + warps);
            shape->small_at = shape->medium_at +
                              power_of_two(n_medium + warps * RDP_WARP / BLOCK_MEDIUM_LANES);
            list_entries =
                shape->small_at + power_of_two(n_small + warps * RDP_WARP / SMALL_LANES);
            shape->long_mask = (uint32_t)shape->medium_at - 1;
            shape->medium_mask = (uint32_t)(shape->small_at - shape->medium_at) - 1;
            shape->small_mask = (uint32_t)(list_entries - shape->small_at) - 1;
        }
        shape->y_bytes = shape->together * shape->n_words * 32 * (int)sizeof(uint16_t);
        shape->column_bytes = shape->y_bytes + (int)sizeof(struct column_head) +
                              (list_entries * (int)sizeof(uint32_t) + 15) / 16 * 16;

        const int layouts_per_block = warps == 1 ? WARPS_PER_BLOCK : 1;
        const size_t columns_per_block = (size_t)layouts_per_block * (size_t)shape->together;

        s->n_blocks =
            (unsigned)((s->columns.n_columns + columns_per_block - 1) / columns_per_block);
        s->n_threads = warps * RDP_WARP * layouts_per_block;
        s->shared_bytes = (size_t)layouts_per_block * (size_t)shape->column_bytes;
        s->kernel = perpendicular ? list_function_of<true>(warps, shape->together)
                                  : list_function_of<false>(warps, shape->together);
        kernel = (const void *)s->kernel;
    }
    return bench_set_kernel_info(ctx, kernel, s->n_threads, s->shared_bytes);
}

static enum bench_status run(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct columns *c = &s->columns;

    if (c->d_image) {
        const dim3 tiles((unsigned)(c->in->n_frames * s->col_tiles), (unsigned)s->row_tiles);

        transpose_kernel<<<tiles, TILE_THREADS, 0, c->stream>>>(
            c->d_image, c->in->n_cols, c->in->n_rows, s->col_tiles, c->n_pixels, c->d_y);
        CUDA_TRY_LAUNCH();
        bench_stage(c->ctx->stages, "transpose");
    }
    if (s->kernel)
        s->kernel<<<s->n_blocks, (unsigned)s->n_threads, s->shared_bytes, c->stream>>>(
            c->d_y, (unsigned)c->n_columns, s->shape, c->in->epsilon_q8, c->d_kept,
            c->d_segments, c->d_rounds);
    else
        s->tall<<<s->n_blocks, TALL_THREADS, s->shared_bytes, c->stream>>>(
            c->d_y, c->in->n_rows, c->n_words, s->shape.y_bytes, c->in->epsilon_q8, c->d_kept,
            c->d_segments, c->d_rounds);
    CUDA_TRY_LAUNCH();
    if (c->d_image)
        bench_stage(c->ctx->stages, "segment");
    return BENCH_OK;
}
#endif

BENCH_IMPL(rdp_gpu_opt) = {
    .name = "rdp/gpu-opt",
    .problem = &rdp_problem,
    .target = BENCH_CUDA,
    .source =
        "a work list of segments in shared memory, taken by lane groups of a segment's size",
    .reference = "rdp/serial",
    .other = NULL,
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .reads_raw = reads_raw,
    .setup = setup,
    .upload = columns_upload,
    .take = columns_take,
    .poison = columns_poison,
    .run = run,
    .download = columns_download,
    .teardown = columns_teardown,
#endif
};
