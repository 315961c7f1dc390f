/*
 * opt_columns.cuh - the census in tiles, and the paths down and up: a warp from each end of a
 * line
 *
 * Eight paths go along columns and both diagonals.  A diagonal goes on at the other side
 * of the image, as on a cylinder, so that all lines are equally long.  Between the sides lie
 * columns without pixels: there a warp turns back, and in the first column a path begins anew.
 */
#ifndef GPU_SGM_OPT_COLUMNS_CUH
#define GPU_SGM_OPT_COLUMNS_CUH

#include "impl_gpu/sgm/opt_step.cuh"

#define TILE_COLS    64
#define TILE_ROWS    16
#define TILE_THREADS 256
#define OPT_IDLE     4 /* columns without pixels, at least: rows from turn to turn */

/* Columns and their diagonals, or columns, or paths down alone.  The first have so many warps
 * that two blocks an SM hide more than rows do that are loaded early. */
enum line { ALL, DOWN_AND_UP, DOWN };

#define MOST_COLUMNS(w, line) ((w) == 4 || (line) == ALL ? 8 : 10)   /* of a block */
#define LEAST_BLOCKS(w, line) ((line) == ALL && (w) < 4 ? 2 : 1)     /* of an SM */
#define AHEAD(w, line)        ((line) == ALL ? 2 : (w) == 4 ? 4 : 8) /* rows; even */

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
            of_right[(ptrdiff_t)y * s.pitch + s.pad + x] = word;
            moved[(ptrdiff_t)y * s.pitch + s.pad + x + 1] = word;
        } else {
            of_left[(size_t)y * (size_t)s.n_cols + (size_t)x] = word;
        }
    }
}

/* By how much all moves from row to row. */
struct stride {
    int word, pair, sum, dx;
};

/* A place on a line: where the next row's census words and sums are. */
template <int W> struct spot {
    const uint32_t *word;
    const uint32_t *pair[2]; /* of this row and the next one, by turns */
    PACKED(W) * sum;
    int nth; /* column of a diagonal, from where its paths begin */
};

template <int W> struct column_row {
    uint32_t word;
    struct seen<W> seen;
    PACKED(W) other;
};

/* W words, in twos that are aligned. */
template <int W> DEVICE void load_words(const uint32_t *from, uint32_t *to)
{
    if (W == 1)
        to[0] = from[0];
#pragma unroll
    for (int j = 0; j + 1 < W; j += 2) {
        const uint2 two = *(const uint2 *)(const void *)(from + j);

        to[j] = two.x;
        to[j + 1] = two.y;
    }
}

/* From behind a diagonal's last column to before its first; each OPT_IDLE rows or fewer. */
template <int W, enum line LINE>
DEVICE void turn(struct spot<W> *at, const struct opt_shape &s, const struct stride &by)
{
    if (LINE == ALL) {
        const bool turns = at->nth >= s.n_cols;
        const int back = turns ? by.dx * s.round : 0;

        at->nth -= turns ? s.round : 0;
        at->word -= back;
        at->pair[0] -= back;
        at->pair[1] -= back;
        at->sum -= back * WARP_LANES;
    }
}

/* AHEAD rows. */
template <int W, enum line LINE, bool SECOND>
DEVICE void load_rows(struct column_row<W> *row, const struct stride &by, struct spot<W> *at)
{
#pragma unroll
    for (int i = 0; i < AHEAD(W, LINE); i++) {
        const uint32_t *const pair = LINE == ALL ? at->pair[i & 1] : at->pair[0];

        row[i].word = *at->word;
        load_words<W>(pair, row[i].seen.low);
        load_words<W>(pair - 32 * W, row[i].seen.high);
        if (SECOND) {
            row[i].other = *at->sum;
            at->sum += by.sum;
        }
        at->word += by.word;
        if (LINE != ALL)
            at->pair[0] += by.pair;
        else
            at->pair[i & 1] += 2 * by.pair;
    }
    at->nth += AHEAD(W, LINE);
}

/* n of the rows that are loaded; no byte of a sum of two overflows. */
template <int W, enum line LINE, bool SECOND>
DEVICE void step_rows(struct path<W> *p, const struct lanes &k, const struct opt_shape &s,
                      const struct stride &by, const struct packing &bytes,
                      const struct column_row<W> *row, int n, struct spot<W> *to)
{
#pragma unroll
    for (int i = 0; i < AHEAD(W, LINE); i++)
        if (i < n) {
            step<W, LINE == ALL>(p, k, s, row[i].word, row[i].seen, to->nth == -i);
            *to->sum = (PACKED(W))(pack(*p, bytes) + (SECOND ? row[i].other : 0));
            to->sum += by.sum;
        }
    to->nth += AHEAD(W, LINE);
}

template <int W, enum line LINE, bool SECOND>
DEVICE void go_along_column(struct path<W> *p, const struct lanes &k, const struct opt_shape &s,
                            const struct stride &by, const struct packing &bytes,
                            struct spot<W> at, int n)
{
    const int ahead = AHEAD(W, LINE);
    struct column_row<W> now[AHEAD(W, LINE)], next[AHEAD(W, LINE)];
    struct spot<W> to = at;

    turn<W, LINE>(&at, s, by);
    load_rows<W, LINE, SECOND>(now, by, &at);
    for (; n >= 2 * ahead; n -= 2 * ahead) {
        turn<W, LINE>(&at, s, by);
        load_rows<W, LINE, SECOND>(next, by, &at);
        turn<W, LINE>(&to, s, by);
        step_rows<W, LINE, SECOND>(p, k, s, by, bytes, now, ahead, &to);
        load_rows<W, LINE, SECOND>(now, by, &at);
        step_rows<W, LINE, SECOND>(p, k, s, by, bytes, next, ahead, &to);
    }
    turn<W, LINE>(&at, s, by);
    load_rows<W, LINE, SECOND>(next, by, &at);
    turn<W, LINE>(&to, s, by);
    step_rows<W, LINE, SECOND>(p, k, s, by, bytes, now, n, &to);
    step_rows<W, LINE, SECOND>(p, k, s, by, bytes, next, n - ahead, &to);
}

/* The arrays of the columns' kernels. */
struct column_arrays {
    const uint32_t *left, *right, *moved;
    void *sums; /* packed, of a kind of lines */
};

/* The spot of a line in a row.  x: the line's column in the first row; dx: by how much it moves
 * from row to row, down. */
template <int W, enum line LINE>
DEVICE struct spot<W> spot_at(const struct opt_shape &s, const struct column_arrays &a, int x,
                              int y, int dx, const struct stride &by, int lane)
{
    struct spot<W> at;

    if (LINE == ALL)
        x = (x + dx * (y % s.round) + s.round) % s.round;
    at.nth = by.dx < 0 ? s.n_cols - 1 - x : by.dx > 0 ? x : -(1 << 30); /* no diagonal */
    at.word = a.left + (ptrdiff_t)y * s.n_cols + x;
    at.sum = (PACKED(W) *)a.sums + ((ptrdiff_t)y * s.wide + x) * WARP_LANES + lane;
    /* the first of two words is at an even place of one of the arrays */
#pragma unroll
    for (int i = 0; i < 2; i++)
        at.pair[i] = ((x + i * by.dx) & 1 ? a.right : a.moved + 1) + (ptrdiff_t)y * s.pitch +
                     s.pad + x + 1 - W * (lane + 1) + i * by.pair;
    return at;
}

/* In its first half a warp stores its costs, in the second it adds those of the other.  All
 * warps take the same branches: what differs between up and down is data.  The grid's second
 * dimension: columns, diagonals to the right, to the left. */
template <int W, enum line LINE>
static __global__ void __launch_bounds__(2 * MOST_COLUMNS(W, LINE) * WARP_LANES,
                                         LEAST_BLOCKS(W, LINE))
    columns_kernel(const struct opt_shape s, const uint32_t *__restrict__ left,
                   const uint32_t *__restrict__ right, const uint32_t *__restrict__ moved,
                   void *sums)
{
    const int sides = LINE == DOWN ? 1 : 2;
    const int warp = (int)threadIdx.x / WARP_LANES, lane = (int)threadIdx.x % WARP_LANES;
    /* there is room behind a row */
    const int x = (int)blockIdx.x * ((int)blockDim.x / (sides * WARP_LANES)) + warp / sides;
    const bool goes_up = LINE != DOWN && (warp & 1);
    /* with an odd number of rows both come to the one between the halves */
    const int half = LINE == DOWN ? s.n_rows : s.n_rows / 2, odd = s.n_rows & 1;
    const int first = goes_up ? s.n_rows - 1 : 0, second = goes_up ? half - 1 : half + odd;
    const int dx = blockIdx.y == 0 ? 0 : blockIdx.y == 1 ? 1 : -1;
    const struct lanes k = make_lanes(lane);
    const struct packing bytes = make_packing<W>(false);
    const struct column_arrays a = {left, right, moved,
                                    (PACKED(W) *)sums + (ptrdiff_t)blockIdx.y * s.volume};
    struct path<W> p = {
    };
    struct stride by;

    by.dx = goes_up ? -dx : dx;
    by.word = (goes_up ? -s.n_cols : s.n_cols) + by.dx;
    by.pair = (goes_up ? -s.pitch : s.pitch) + by.dx;
    by.sum = ((goes_up ? -s.wide : s.wide) + by.dx) * WARP_LANES;
    go_along_column<W, LINE, false>(&p, k, s, by, bytes,
                                    spot_at<W, LINE>(s, a, x, first, dx, by, lane), half);
    if (LINE == DOWN)
        return;
    /* to a row behind those that others load */
    const ptrdiff_t to_last =
        (ptrdiff_t)(s.n_rows + OPT_SPARE - 1 - half) * s.wide * WARP_LANES;
    PACKED(W) *const between = spot_at<W, LINE>(s, a, x, half, dx, by, lane).sum;

    if (odd) { /* costs from below are put there */
        const struct spot<W> at = spot_at<W, LINE>(s, a, x, half, dx, by, lane);
        struct seen<W> seen;

        load_words<W>(at.pair[0], seen.low);
        load_words<W>(at.pair[0] - 32 * W, seen.high);
        step<W, LINE == ALL>(&p, k, s, *at.word, seen, at.nth == 0);
        between[goes_up ? to_last : 0] = pack(p, bytes);
    }
    __syncthreads();
    go_along_column<W, LINE, true>(&p, k, s, by, bytes,
                                   spot_at<W, LINE>(s, a, x, second, dx, by, lane), half);
    if (odd && !goes_up)
        *between = (PACKED(W))(*between + between[to_last]);
}

#endif
