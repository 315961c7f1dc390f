/*
 * model.h - the arithmetic of the SOM mesh, once, for C and CUDA
 *
 * Source: [SOM] sect. 3, 4; what the paper leaves open is decided in som.h.  Whole numbers
 *         where the paper draws lots, and float operations rounded one by one (no fused
 *         multiply-add) where neurons move: so whoever takes the same steps in the same order
 *         gets the same bits, on any machine.
 */
#ifndef SOM_MODEL_H
#define SOM_MODEL_H

#include "harness/base/random.h"

#include <stdint.h>

#define SOM_MAX_SIDE   8192 /* px of a map */
#define SOM_MAX_SIGMA  63   /* nodes */
#define SOM_MAX_ROUNDS 65536
#define SOM_MAX_CELL   1024 /* px of a cell's side */
#define SOM_NO_BOUND   (-1) /* a spiral search over the whole map */

/* ---- density ---- */

/* Density of a grey level: 0 for what counts as background, its cube else [sect. 3]. */
static inline BENCH_HD uint32_t som_density(uint8_t grey)
{
    return (uint32_t)grey * grey * grey;
}

/* floor(S u / 2^32): a number below S by a random word, for S below 2^63. */
static inline BENCH_HD uint64_t som_scale(uint64_t S, uint32_t u)
{
    return (S >> 32) * u + (((S & 0xFFFFFFFFu) * u) >> 32);
}

/* The words of a cell in a round: 0 activation, 1 pixel, 2 order, 3 spare.  The same that
 * cuRAND's Philox gives with curand_init(seed, cell, 4 * round) and curand4. */
static inline BENCH_HD struct bench_words som_words(uint64_t seed, uint32_t round,
                                                    uint32_t cell)
{
    return bench_philox(seed, round, 0, cell, 0);
}

/* True if a cell of density S takes part in a round [eq. 6]; 'greatest': that of the densest
 * cell; delta in 1/65536. */
static inline BENCH_HD int som_is_active(uint64_t S, uint64_t greatest, uint32_t delta_q16,
                                         uint32_t word)
{
    /* S < 2^44 and delta <= 1 */
    return S > 0 && som_scale(greatest, word) < ((S * delta_q16) >> 16);
}

/* ---- the hexagonal network: rows of even number are shifted right by half a node ---- */

static inline BENCH_HD int som_distance(int x1, int y1, int x2, int y2)
{
    const int dq = (x1 - (y1 + (y1 & 1)) / 2) - (x2 - (y2 + (y2 & 1)) / 2), dr = y1 - y2;
    const int ds = dq + dr;

    return ((dq < 0 ? -dq : dq) + (dr < 0 ? -dr : dr) + (ds < 0 ? -ds : ds)) / 2;
}

/* The k-th of the six neighbours of a node, counter-clockwise as the network is drawn (y down),
 * from the right.  It may lie outside of the network. */
static inline void som_neighbour(int x, int y, int k, int *nx, int *ny)
{
    /* of a row that is not shifted; beside a shifted one nodes are at x and x + 1 */
    static const int dx[] = {1, 0, -1, -1, -1, 0}, dy[] = {0, -1, -1, 0, 1, 1};

    *nx = x + dx[k] + (dy[k] != 0 && !(y & 1));
    *ny = y + dy[k];
}

/*
 * Finds in row y of the network the nodes within 'radius' of the node (x0, y0): those from
 * *from to *to, of which the last may be before the first, and which may lie outside of the
 * network.  A row that is further than the radius has none.
 */
static inline BENCH_HD void som_row_within(int x0, int y0, int y, int radius, int *from,
                                           int *to)
{
    const int dr = y - y0 < 0 ? y0 - y : y - y0;
    /* columns count from the shifted row: x - q is the same for all nodes of a row */
    const int shift = (y + (y & 1)) / 2, q0 = x0 - (y0 + (y0 & 1)) / 2;
    const int low = y > y0 ? -radius : -radius + dr, high = y > y0 ? radius - dr : radius;

    *from = q0 + low + shift;
    *to = q0 + high + shift;
    if (dr > radius)
        *to = *from - 1;
}

/*
 * The ring of nodes at d links from (x0, y0), which has 6 d nodes (1 for d = 0): the i-th of
 * them, counter-clockwise as the network is drawn, from the right.  It may lie outside of the
 * network.
 *
 * A ring is a hexagon.  Along its sides each axial coordinate falls from d to -d over two of
 * them, rests over one, rises over two and rests over one: a distance from the middle of the
 * lower rest, cut off at both ends.  Twice that, so that it is whole.
 */
static inline BENCH_HD void som_ring_node(int x0, int y0, int d, int i, int *x, int *y)
{
    const int from_q = 2 * i < 7 * d ? 7 * d - 2 * i : 2 * i - 7 * d;
    /* this rest comes soon after the beginning: for the last nodes the next one counts */
    const int from_r = 2 * i < 3 * d   ? 3 * d - 2 * i
                       : 2 * i < 9 * d ? 2 * i - 3 * d
                                       : 15 * d - 2 * i;
    const int q2 = from_q < d ? 0 : from_q < 5 * d ? from_q - d : 4 * d;
    const int r2 = from_r < d ? 0 : from_r < 5 * d ? from_r - d : 4 * d;

    *y = y0 + r2 / 2 - d;
    /* columns count from the shifted row, as in som_distance; what is halved is even, above and
     * below 0 */
    *x = x0 + q2 / 2 - d + (*y + (*y & 1) - (y0 + (y0 & 1))) / 2;
}

static inline BENCH_HD int som_ring_nodes(int d)
{
    return d > 0 ? 6 * d : 1;
}

/* Returns where a node begins: x of grid_cols over 'width' px, or y of grid_rows over 'height'
 * px. */
static inline BENCH_HD float som_first_x(int x, int y, int grid_cols, int width)
{
    return (float)((double)((4 * x + 1 + 2 * !(y & 1)) * (int64_t)width) /
                   (4.0 * (double)grid_cols));
}

static inline BENCH_HD float som_first_y(int y, int grid_rows, int height)
{
    return (float)((double)((2 * y + 1) * (int64_t)height) / (2.0 * (double)grid_rows));
}

/* ---- cells and search ---- */

/* The cell of a position, by one coordinate: floor(position / size), brought into 0 .. n -
 * 1. */
static inline BENCH_HD int som_cell(float position, int size, int n)
{
    const int cell = position > 0 ? (int)position / size : 0;

    return cell < n ? cell : n - 1;
}

/* Squared distance of a neuron from a data point. */
static inline BENCH_HD float som_square(float dx, float dy)
{
    const float xx = dx * dx, yy = dy * dy;

    return xx + yy;
}

/*
 * Squared, how far the cells of ring k >= 1 around the cell (cx, cy) of the point (px, py) are
 * at least: a search that has found something nearer may stop.  Nothing at equal distance is
 * missed, whose id may be smaller.
 */
static inline BENCH_HD float som_ring_square(float px, float py, int cx, int cy, int size,
                                             int k)
{
    const float left = px - (float)(cx * size), right = (float)((cx + 1) * size) - px;
    const float above = py - (float)(cy * size), below = (float)((cy + 1) * size) - py;
    const float x = left < right ? left : right, y = above < below ? above : below;
    const float margin = (x < y ? x : y) + (float)((k - 1) * size);

    return margin * margin;
}

/* Ring k around (cx, cy), which has 8 k cells (1 for k = 0): the i-th of them, in the order of
 * rows. */
static inline BENCH_HD void som_ring_cell(int cx, int cy, int k, int i, int *x, int *y)
{
    const int side = 2 * k + 1;

    if (i < side) {
        *x = cx - k + i;
        *y = cy - k;
    } else if (i < side + 2 * (side - 2)) {
        const int j = i - side;

        *x = (j & 1) ? cx + k : cx - k;
        *y = cy - k + 1 + j / 2;
    } else {
        *x = cx - k + (i - side - 2 * (side - 2));
        *y = cy + k;
    }
}

static inline BENCH_HD int som_ring_cells(int k)
{
    return k > 0 ? 8 * k : 1;
}

/* ---- learning ---- */

/* One coordinate of a neuron that is pulled towards a data point [eq. 3]: rate = alpha h. */
static inline BENCH_HD float som_pull(float w, float p, float rate)
{
    const float step = rate * (p - w);

    return w + step;
}

#endif
