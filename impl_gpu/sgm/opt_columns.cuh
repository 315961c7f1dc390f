/*
 * opt_columns.cuh - the census in tiles, and the paths down and up: a warp from each end of a
 * column
 */
#ifndef GPU_SGM_OPT_COLUMNS_CUH
#define GPU_SGM_OPT_COLUMNS_CUH

#include "impl_gpu/sgm/opt_step.cuh"

#define TILE_COLS    64
#define TILE_ROWS    16
#define TILE_THREADS 256
#define MOST_COLUMNS 10 /* of a block; as many as make one block an SM */
#define AHEAD        8  /* rows that are loaded before they are needed */

/* Both images, told apart by the grid's third dimension; the right one twice, once moved by a
 * word, so that pairs of words are aligned at odd and even columns. */
template <int HALF_X, int HALF_Y>
static __global__ void __launch_bounds__(TILE_THREADS)
    tile_census_kernel(const uint8_t *__restrict__ left, const uint8_t *__restrict__ right,
                       const struct opt_shape s, uint32_t *__restrict__ of_left,
                       uint32_t *__restrict__ of_right, uint32_t *__restrict__ moved)
{
    __shared__ uint8_t tile[TILE_ROWS + 2 * HALF_Y][TILE_COLS + 2 * HALF_X];
    const int width = TILE_COLS + 2 * HALF_X, window = 2 * HALF_X + 1;
    const uint8_t *const image = blockIdx.z ? right : left;
    const int x0 = (int)blockIdx.x * TILE_COLS, y0 = (int)blockIdx.y * TILE_ROWS;

    for (int i = (int)threadIdx.x; i < (TILE_ROWS + 2 * HALF_Y) * width; i += TILE_THREADS) {
        const int y = y0 + i / width - HALF_Y, x = x0 + i % width - HALF_X;

        tile[i / width][i % width] = y >= 0 && y < s.n_rows && x >= 0 && x < s.n_cols
                                         ? image[(size_t)y * (size_t)s.n_cols + (size_t)x]
                                         : 0;
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < TILE_COLS * TILE_ROWS; i += TILE_THREADS) {
        const int ty = i / TILE_COLS, tx = i % TILE_COLS, y = y0 + ty, x = x0 + tx;
        uint32_t word = 0;

        if (y >= s.n_rows || x >= s.n_cols)
            continue;
        if (y >= HALF_Y && y < s.n_rows - HALF_Y && x >= HALF_X && x < s.n_cols - HALF_X) {
#pragma unroll
            for (int at = 0; at < window * (2 * HALF_Y + 1) / 2; at++) {
                const int dy = at / window, dx = at % window;

                word = word << 1 | (tile[ty + dy][tx + dx] >
                                    tile[ty + 2 * HALF_Y - dy][tx + 2 * HALF_X - dx]);
            }
        }
        if (blockIdx.z) {
            of_right[(size_t)y * (size_t)s.pitch + OPT_PAD + (size_t)x] = word;
            moved[(size_t)y * (size_t)s.pitch + OPT_PAD + (size_t)x + 1] = word;
        } else {
            of_left[(size_t)y * (size_t)s.n_cols + (size_t)x] = word;
        }
    }
}

struct column_row {
    uint32_t word, other;
    uint2 low, high;
};

/* The place that the next rows are loaded from, and a row's stride. */
struct column_at {
    const uint32_t *word, *pairs, *sums;
    ptrdiff_t d_word, d_pairs, d_sums;
};

template <bool SECOND> DEVICE void load_rows(struct column_row *b, struct column_at *at)
{
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        b[i].word = *at->word;
        b[i].low = *(const uint2 *)(const void *)at->pairs;
        b[i].high = *(const uint2 *)(const void *)(at->pairs - 64);
        if (SECOND) {
            b[i].other = *at->sums;
            at->sums += at->d_sums;
        }
        at->word += at->d_word;
        at->pairs += at->d_pairs;
    }
}

/* n of the rows that are loaded; no byte of a sum of two overflows. */
template <bool SECOND>
DEVICE void step_rows(struct path *p, const struct lanes &k, const struct opt_shape &s,
                      const struct column_row *row, int n, uint32_t **to, ptrdiff_t d_sums)
{
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        if (i < n) {
            step(p, k, s, row[i].word, row[i].low, row[i].high);
            **to = __byte_perm(p->even, p->odd, 0x6240) + (SECOND ? row[i].other : 0);
            *to += d_sums;
        }
}

template <bool SECOND>
DEVICE void go_along_column(struct path *p, const struct lanes &k, const struct opt_shape &s,
                            struct column_at at, uint32_t *to, int n)
{
    struct column_row now[AHEAD], next[AHEAD];

    load_rows<SECOND>(now, &at);
    for (; n >= 2 * AHEAD; n -= 2 * AHEAD) {
        load_rows<SECOND>(next, &at);
        step_rows<SECOND>(p, k, s, now, AHEAD, &to, at.d_sums);
        load_rows<SECOND>(now, &at);
        step_rows<SECOND>(p, k, s, next, AHEAD, &to, at.d_sums);
    }
    load_rows<SECOND>(next, &at);
    step_rows<SECOND>(p, k, s, now, n, &to, at.d_sums);
    step_rows<SECOND>(p, k, s, next, n - AHEAD, &to, at.d_sums);
}

/* In its first half a warp stores its costs, in the second it adds those of the other.  All
 * warps take the same branches: what differs between up and down is data. */
static __global__ void __launch_bounds__(2 * MOST_COLUMNS * WARP_LANES)
    columns_kernel(const struct opt_shape s, const uint32_t *__restrict__ left,
                   const uint32_t *__restrict__ right, const uint32_t *__restrict__ moved,
                   uint32_t *sums)
{
    const int warp = (int)threadIdx.x / WARP_LANES, lane = (int)threadIdx.x % WARP_LANES;
    /* there is room behind a row */
    const int x = (int)blockIdx.x * ((int)blockDim.x / (2 * WARP_LANES)) + warp / 2;
    const bool goes_up = warp & 1;
    /* with an odd number of rows both come to the one between the halves */
    const int half = s.n_rows / 2, odd = s.n_rows & 1;
    const int first = goes_up ? s.n_rows - 1 : 0, second = goes_up ? half - 1 : half + odd;
    const struct lanes k = make_lanes(lane);
    /* x - 2l - 1 is even, or the word that was moved is */
    const uint32_t *const pairs =
        (x & 1 ? right + OPT_PAD : moved + OPT_PAD + 1) + x - 2 * lane - 1;
    uint32_t *const column = sums + (ptrdiff_t)x * WARP_LANES + lane;
    const ptrdiff_t d_sums = (ptrdiff_t)s.wide * WARP_LANES;
    struct path p = {0, 0, 0};
    struct column_at at;

    at.d_word = goes_up ? -s.n_cols : s.n_cols;
    at.d_pairs = goes_up ? -s.pitch : s.pitch;
    at.d_sums = goes_up ? -d_sums : d_sums;
    at.word = left + (ptrdiff_t)first * s.n_cols + x;
    at.pairs = pairs + (ptrdiff_t)first * s.pitch;
    at.sums = column + first * d_sums;
    go_along_column<false>(&p, k, s, at, column + first * d_sums, half);
    if (odd) { /* costs from below are put into a row behind the last */
        const uint32_t *const pair = pairs + (ptrdiff_t)half * s.pitch;

        step(&p, k, s, left[(ptrdiff_t)half * s.n_cols + x], *(const uint2 *)(const void *)pair,
             *(const uint2 *)(const void *)(pair - 64));
        column[(goes_up ? s.n_rows : half) * d_sums] = __byte_perm(p.even, p.odd, 0x6240);
    }
    __syncthreads();
    at.word = left + (ptrdiff_t)second * s.n_cols + x;
    at.pairs = pairs + (ptrdiff_t)second * s.pitch;
    at.sums = column + second * d_sums;
    go_along_column<true>(&p, k, s, at, column + second * d_sums, half);
    if (odd && !goes_up)
        column[half * d_sums] += column[s.n_rows * d_sums];
}

#endif
