/*
 * sgm/gpu-opt - all paths in two kernels; two costs a word; a volume is moved once
 *
 * Source:  ours; [SGM] computes the same.
 * Mapping: census in tiles.  Columns: a warp goes down a column and another up.  In its first
 *          half a warp stores its costs; in the second it adds those of the other and stores
 *          the sum in the same place.  Diagonals: the same, round the image as if it were a
 *          cylinder.  Rows: the same along a row; the second half adds the sums of the others,
 *          finds the best disparity of each pixel of both images, and checks them.  The best of
 *          the right image moves through the lanes as the pixel moves.  Two paths: one warp a
 *          line, and no halves.
 * Work:    2, 6 or 14 volumes of a byte a disparity are moved for 2, 4 or 8 paths: one is
 *          written, read and written again for each kind of lines, and read by the rows, which
 *          write and read one of their own.  Matching costs are made anew in each path (a POPC
 *          each).
 * Needs:   the census' bits and p2 at most 127, so that two paths fit into a byte.
 */
#include "harness/measure/impl.h"
#include "harness/problems/sgm/sgm.h"

#ifdef __CUDACC__
#include "impl_gpu/sgm/opt_columns.cuh"
#include "impl_gpu/sgm/opt_rows.cuh"

#define CENSUS_PAD 8 /* and the disparities: even */

typedef void columns_function(struct opt_shape, const uint32_t *, const uint32_t *,
                              const uint32_t *, void *);
typedef void rows_function(struct opt_shape, const uint32_t *, const uint32_t *, const void *,
                           void *, uint16_t *, uint8_t *);

struct state {
    struct pair pair; /* first: its hooks are the variant's */
    struct opt_shape shape;
    columns_function *columns;
    rows_function *rows;
    int n_sides, n_kinds; /* see SIDES, KINDS */
    int most_columns, columns_per_block, rows_per_block;
    size_t row_bytes; /* shared, of a row */
    uint32_t *d_left, *d_right, *d_moved, *d_sums, *d_costs;
};

template <typename WAY> static void set_way(struct state *s)
{
    s->rows = rows_kernel<WAY>;
    s->row_bytes = (size_t)row_words_of<WAY>(s->shape) * sizeof(uint32_t);
}

template <int W, int N> static void set_choice(struct state *s)
{
    const enum line lines = N == 2 ? DOWN : N == 4 ? DOWN_AND_UP : ALL;
    const struct sgm_input *const in = s->pair.in;

    s->n_sides = SIDES(N);
    s->n_kinds = KINDS(N);
    s->columns = columns_kernel<W, lines>;
    s->most_columns = MOST_COLUMNS(W, lines);
    if (in->subpixel)
        set_way<way<W, N, SUBPIXEL>>(s);
    else if (in->lr_check >= 0 || in->uniqueness < 100)
        set_way<way<W, N, CHECKED>>(s);
    else
        set_way<way<W, N, W == 2 ? BARE : CHECKED>>(s); /* the paper's; else the same */
}

template <int W> static void set_paths(struct state *s)
{
    (s->pair.in->n_paths == 2   ? set_choice<W, 2>
     : s->pair.in->n_paths == 4 ? set_choice<W, 4>
                                : set_choice<W, 8>)(s);
}

static enum bench_status check_input(const struct sgm_input *in)
{
    const int bits = (2 * in->half_x + 1) * (2 * in->half_y + 1) / 2;

    FAIL_IF(bits + in->p2 > 127, BENCH_ESKIP,
            "two path costs fit in a byte with p2 up to %d, found %d", 127 - bits, in->p2);
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
                 pixel = (size_t)s->pair.in->n_disparities / sizeof(uint32_t),
                 row = (size_t)o->wide * pixel;

    TRY(make_roomy(s, &s->d_left, s->pair.n_pixels, room));
    /* columns of a last block that are not there are loaded a little further */
    TRY(make_roomy(s, &s->d_right, words, room + 2 * (size_t)o->pad));
    TRY(make_roomy(s, &s->d_moved, words, room + 2 * (size_t)o->pad));
    TRY(make_roomy(s, &s->d_sums,
                   (rows + (size_t)(s->n_kinds - 1) * (rows + 2 * OPT_SPARE)) * row,
                   OPT_SPARE * row));
    if (s->n_sides == 1)
        return BENCH_OK;
    return make_roomy(s, &s->d_costs, rows * (row + OPT_SPARE * pixel), OPT_SPARE * row);
}

static enum bench_status run_frame(const struct pair *p, int frame)
{
    const struct state *const s = (const struct state *)p;
    const struct opt_shape *const o = &s->shape;
    const size_t first = (size_t)frame * p->n_pixels;
    const dim3 tiles(blocks_of((size_t)o->n_cols, TILE_COLS),
                     blocks_of((size_t)o->n_rows, TILE_ROWS), 2);
    /* columns without pixels are lines if there are diagonals */
    const int n_lines = s->n_kinds > 1 ? o->round : o->n_cols;
    const dim3 column_blocks(blocks_of((size_t)n_lines, s->columns_per_block),
                             (unsigned)s->n_kinds);
    const unsigned row_blocks = blocks_of((size_t)o->n_rows, s->rows_per_block),
                   column_threads = (unsigned)(s->n_sides * WARP_LANES * s->columns_per_block),
                   row_threads = (unsigned)(s->n_sides * WARP_LANES * s->rows_per_block);

    if (p->in->half_x == 4)
        tile_census_kernel<4, 3><<<tiles, TILE_THREADS, 0, p->stream>>>(
            p->d_view[0] + first, p->d_view[1] + first, *o, s->d_left, s->d_right, s->d_moved);
    else
        tile_census_kernel<2, 2><<<tiles, TILE_THREADS, 0, p->stream>>>(
            p->d_view[0] + first, p->d_view[1] + first, *o, s->d_left, s->d_right, s->d_moved);
    CUDA_TRY_LAUNCH();
    bench_stage(*p->stages, "census");
    s->columns<<<column_blocks, column_threads, 0, p->stream>>>(*o, s->d_left, s->d_right,
                                                                s->d_moved, s->d_sums);
    CUDA_TRY_LAUNCH();
    bench_stage(*p->stages, "columns");
    s->rows<<<row_blocks, row_threads, s->row_bytes *(size_t)s->rows_per_block, p->stream>>>(
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
    o->n_cols = in->n_cols;
    o->n_rows = in->n_rows;
    o->pad = in->n_disparities + CENSUS_PAD;
    in->n_disparities == 64    ? set_paths<1>(s)
    : in->n_disparities == 128 ? set_paths<2>(s)
                               : set_paths<4>(s);
    columns = (in->n_cols + ctx->n_sms - 1) / ctx->n_sms;
    columns = columns < s->most_columns ? columns : s->most_columns;
    s->columns_per_block = columns;
    o->pitch = (o->pad + in->n_cols + 3) / 2 * 2;
    o->round = (int)blocks_of((size_t)in->n_cols + OPT_IDLE, columns) * columns;
    o->round += o->round % 2 * columns;
    o->wide = 2 * o->round - in->n_cols;
    o->volume = (ptrdiff_t)(in->n_rows + 2 * OPT_SPARE) * o->wide * WARP_LANES;
    o->p1 = (uint32_t)in->p1 * 0x10001u;
    o->p2 = (uint32_t)in->p2 * 0x10001u;
    o->lr_check = in->lr_check;
    o->uniqueness = in->uniqueness;
    TRY(device_attribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    s->rows_per_block = s->row_bytes * MOST_ROWS <= (size_t)most_shared ? MOST_ROWS : 1;
    FAIL_IF(s->row_bytes > (size_t)most_shared, BENCH_ESKIP,
            "a row of %d columns needs %zu bytes of shared memory, a block has %d", in->n_cols,
            s->row_bytes, most_shared);
    TRY(allow_shared((const void *)s->rows, most_shared));
    TRY(make_arrays(s));
    return bench_set_kernel_info(ctx, (const void *)s->rows,
                                 s->n_sides * WARP_LANES * s->rows_per_block,
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
