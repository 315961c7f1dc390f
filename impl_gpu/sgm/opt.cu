/*
 * sgm/gpu-opt - four paths in two kernels; two costs a word; a path's volume is moved once
 *
 * Source:  ours; [SGM] computes the same.
 * Mapping: census in tiles.  Columns: a warp goes down a column and another up.  In its first
 *          half a warp stores its costs; in the second it adds those of the other and stores
 *          the sum in the same place.  Rows: the same along a row; the second half adds the
 *          sums of the columns, finds the best disparity of each pixel of both images, and
 *          checks them.  The best of the right image moves through the lanes as the pixel
 *          moves.
 * Work:    six volumes of a byte a disparity are moved; matching costs are made anew in each
 *          path (4 POPC a step and lane).
 * Needs:   four paths of 128 disparities; the census' bits and p2 at most 127, so that two
 *          paths fit into a byte and four with a disparity into 16 bits; 256 columns, so that a
 *          half is no shorter than the disparities.
 */
#include "harness/measure/impl.h"
#include "harness/problems/sgm/sgm.h"

#ifdef __CUDACC__
#include "impl_gpu/sgm/opt_columns.cuh"
#include "impl_gpu/sgm/opt_rows.cuh"

#define LEAST_COLUMNS (2 * OPT_DISPARITIES)
#define LEAST_ROWS    2

typedef void rows_function(struct opt_shape, const uint32_t *, const uint32_t *,
                           const uint32_t *, uint32_t *, uint16_t *, uint8_t *);

struct state {
    struct pair pair; /* first: its hooks are the variant's */
    struct opt_shape shape;
    rows_function *rows;
    int columns_per_block, rows_per_block;
    size_t row_bytes; /* shared, of a row */
    uint32_t *d_left, *d_right, *d_moved, *d_sums, *d_costs;
};

static enum bench_status check_input(const struct sgm_input *in)
{
    const int bits = (2 * in->half_x + 1) * (2 * in->half_y + 1) / 2;

    FAIL_IF(in->n_paths != 4 || in->n_disparities != OPT_DISPARITIES, BENCH_ESKIP,
            "sgm/gpu-opt has 4 paths and 128 disparities, not %d and %d", in->n_paths,
            in->n_disparities);
    FAIL_IF(bits + in->p2 > 127, BENCH_ESKIP,
            "two path costs fit in a byte with p2 up to %d, found %d", 127 - bits, in->p2);
    FAIL_IF(in->n_cols < LEAST_COLUMNS || in->n_rows < LEAST_ROWS, BENCH_ESKIP,
            "sgm/gpu-opt takes at least %d x %d pixels, not %d x %d", LEAST_COLUMNS, LEAST_ROWS,
            in->n_cols, in->n_rows);
    return BENCH_OK;
}

/* An array of zeros with room before and behind it, which kernels load from and do not use. */
static enum bench_status make_roomy(struct state *s, uint32_t **array, size_t n, size_t room)
{
    TRY(make_array(&s->pair.arrays, array, n + 2 * room));
    CUDA_TRY(cudaMemsetAsync(*array, 0, (n + 2 * room) * sizeof **array, s->pair.stream));
    *array += room;
    return BENCH_OK;
}

static enum bench_status make_arrays(struct state *s)
{
    const struct opt_shape *const o = &s->shape;
    const size_t rows = (size_t)o->n_rows, words = rows * (size_t)o->pitch,
                 room = (size_t)OPT_SPARE * (size_t)o->pitch,
                 row = (size_t)o->wide * WARP_LANES;

    TRY(make_roomy(s, &s->d_left, s->pair.n_pixels, room));
    /* columns of a last block that are not there are loaded a little further */
    TRY(make_roomy(s, &s->d_right, words, room + 2 * OPT_PAD));
    TRY(make_roomy(s, &s->d_moved, words, room + 2 * OPT_PAD));
    TRY(make_roomy(s, &s->d_sums, rows * row, OPT_SPARE * row));
    return make_roomy(s, &s->d_costs, rows * (row + OPT_SPARE * WARP_LANES), OPT_SPARE * row);
}

static enum bench_status run_frame(const struct pair *p, int frame)
{
    const struct state *const s = (const struct state *)p;
    const struct opt_shape *const o = &s->shape;
    const size_t first = (size_t)frame * p->n_pixels;
    const dim3 tiles(blocks_of((size_t)o->n_cols, TILE_COLS),
                     blocks_of((size_t)o->n_rows, TILE_ROWS), 2);
    const unsigned column_blocks = blocks_of((size_t)o->n_cols, s->columns_per_block),
                   row_blocks = blocks_of((size_t)o->n_rows, s->rows_per_block);

    if (p->in->half_x == 4)
        tile_census_kernel<4, 3><<<tiles, TILE_THREADS, 0, p->stream>>>(
            p->d_view[0] + first, p->d_view[1] + first, *o, s->d_left, s->d_right, s->d_moved);
    else
        tile_census_kernel<2, 2><<<tiles, TILE_THREADS, 0, p->stream>>>(
            p->d_view[0] + first, p->d_view[1] + first, *o, s->d_left, s->d_right, s->d_moved);
    CUDA_TRY_LAUNCH();
    bench_stage(*p->stages, "census");
    columns_kernel<<<column_blocks, 2 * WARP_LANES * s->columns_per_block, 0, p->stream>>>(
        *o, s->d_left, s->d_right, s->d_moved, s->d_sums);
    CUDA_TRY_LAUNCH();
    bench_stage(*p->stages, "columns");
    s->rows<<<row_blocks, 2 * WARP_LANES * s->rows_per_block,
              s->row_bytes *(size_t)s->rows_per_block, p->stream>>>(
        *o, s->d_left, s->d_right, s->d_sums, s->d_costs, p->d_best, p->d_valid);
    CUDA_TRY_LAUNCH();
    bench_stage(*p->stages, "rows");
    return finish_frame(p, frame);
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *const s = (struct state *)opaque;
    struct opt_shape *const o = &s->shape;
    const struct sgm_input *const in = (const struct sgm_input *)input;
    int most_shared, columns;

    TRY(check_input(in));
    TRY(pair_setup(&s->pair, ctx, input, output, run_frame));
    columns = (in->n_cols + ctx->n_sms - 1) / ctx->n_sms;
    s->columns_per_block = columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
    columns = s->columns_per_block;
    o->n_cols = in->n_cols;
    o->n_rows = in->n_rows;
    o->pitch = (OPT_PAD + in->n_cols + 3) / 2 * 2;
    o->wide = (in->n_cols + columns) / columns * columns; /* one pixel more */
    o->p1 = (uint32_t)in->p1 * 0x10001u;
    o->p2 = (uint32_t)in->p2 * 0x10001u;
    o->lr_check = in->lr_check;
    o->uniqueness = in->uniqueness;
    TRY(device_attribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    s->row_bytes = (size_t)row_words_of(*o) * sizeof(uint32_t);
    s->rows_per_block = s->row_bytes * MOST_ROWS <= (size_t)most_shared ? MOST_ROWS : 1;
    FAIL_IF(s->row_bytes > (size_t)most_shared, BENCH_ESKIP,
            "a row of %d columns needs %zu bytes of shared memory, a block has %d", in->n_cols,
            s->row_bytes, most_shared);
    s->rows = in->subpixel                                ? rows_kernel<SUBPIXEL>
              : in->lr_check >= 0 || in->uniqueness < 100 ? rows_kernel<CHECKED>
                                                          : rows_kernel<BARE>;
    TRY(allow_shared((const void *)s->rows, most_shared));
    TRY(make_arrays(s));
    return bench_set_kernel_info(ctx, (const void *)s->rows, 2 * WARP_LANES * s->rows_per_block,
                                 s->row_bytes * (size_t)s->rows_per_block);
}
#endif

BENCH_IMPL(sgm_gpu_opt) = {
    .name = "sgm/gpu-opt",
    .problem = &sgm_problem,
    .target = BENCH_CUDA,
    .source = "a warp from each end of a row and of a column",
    .reference = "sgm/serial",
    .other = NULL,
    .needs = NULL,
    .keys = NULL,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = pair_upload,
    .poison = pair_poison,
    .run = pair_run,
    .download = pair_download,
    .teardown = pair_teardown,
#endif
};
