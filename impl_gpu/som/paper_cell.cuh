/* paper_cell.cuh - som/gpu-paper: cells' lists, random numbers, the steps of a cell */
#ifndef SOM_PAPER_CELL_CUH
#define SOM_PAPER_CELL_CUH

#include "impl_gpu/som/mesh.cuh"

#define MAX_ENTRIES 2147483647u /* of the cells' lists: indices are int */
#define MAX_TEXELS  134217728u  /* 2^27: the least width of a linear texture of any GPU */

enum { MOV_1 = 1, MOV_2 = 2 };
enum pull_by { SWAP, SWAP_TEXTURE, EXCHANGE };
enum walk { TURNED, RINGS, ROWS };

/* The neurons of each cell, as columns and rows of the network [SOM Fig. 7]. */
struct lists {
    int capacity; /* M */
    int *n;       /* [n_cells] */
    int *x, *y;   /* mov = 1: k-th neuron of cell c at k * n_cells + c */
    int2 *pair;   /* mov = 2: at c * capacity + k */
};

/* A round of a frame. */
struct task {
    struct mesh mesh;
    struct lists lists;
    struct stamps stamps;
    const uint8_t *grey;
    const unsigned long long *density, *greatest;
    const uint32_t *random; /* [n_words][n_cells] */
    const float *rate;      /* [radius + 1] */
    int radius;
    enum walk walk;
    int sure_rings; /* of each search: it cannot end before the last of them */
    float2 *position;
    cudaTextureObject_t texture; /* mov = 2tex: the positions of all frames */
    int first_texel;
    float2 *point; /* [n_cells], x = NO_POINT: none */
    int *winner;   /* [n_cells], -1: none */
    uint2 *tally;  /* [n_cells]: updates and misses */
};

#define NO_POINT (-1.0f)

/* ---- time ---- */

static __global__ void note_end_kernel(struct stamps stamps)
{
    note_begin(stamps);
}

/* stamp [n + 1] -> span [n], ns */
static __global__ void subtract_stamps_kernel(const uint32_t *__restrict__ stamp, int n,
                                              uint32_t *__restrict__ span)
{
    const int i = thread_number();

    if (i < n)
        span[i] = stamp[i + 1] - stamp[i];
}

/* ---- random numbers ---- */

/* One thread per cell and round: n_words words -> [n_rounds][n_words][n_cells]. */
static __global__ void store_words_kernel(struct stamps stamps, uint64_t seed, int first_round,
                                          int n_rounds, int n_words, int n_cells,
                                          uint32_t *__restrict__ random)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t round = i / (size_t)n_cells, cell = i % (size_t)n_cells;

    note_begin(stamps);
    if (round >= (size_t)n_rounds)
        return;

    const struct bench_words words =
        som_words(seed, (uint32_t)first_round + (uint32_t)round, (uint32_t)cell);

    for (int k = 0; k < n_words; k++)
        random[(round * (size_t)n_words + (size_t)k) * (size_t)n_cells + cell] =
            k == 0   ? words.word[0]
            : k == 1 ? words.word[1]
                     : words.word[2];
}

/* ---- cells' lists ---- */

template <int MOV>
DEVICE void list_neuron(const struct mesh &m, const struct lists &lists, int cell, int k,
                        int id)
{
    const int x = id % m.grid_cols, y = id / m.grid_cols;

    if (MOV == MOV_1) {
        lists.x[k * m.n_cells + cell] = x;
        lists.y[k * m.n_cells + cell] = y;
    } else {
        lists.pair[cell * lists.capacity + k] = make_int2(x, y);
    }
}

template <int MOV>
DEVICE int listed_neuron(const struct mesh &m, const struct lists &lists, int cell, int k)
{
    if (MOV == MOV_1) {
        const int i = k * m.n_cells + cell;

        return lists.y[i] * m.grid_cols + lists.x[i];
    } else {
        const int2 at = lists.pair[cell * lists.capacity + k];

        return at.y * m.grid_cols + at.x;
    }
}

DEVICE int cell_of(const struct mesh &m, float2 at)
{
    return som_cell(at.y, m.cell_size, m.cell_rows) * m.cell_cols +
           som_cell(at.x, m.cell_size, m.cell_cols);
}

/* One thread per cell. */
static __global__ void clear_lists_kernel(struct stamps stamps, int n_cells, int *n)
{
    const int cell = thread_number();

    note_begin(stamps);
    if (cell < n_cells)
        n[cell] = 0;
}

/* One thread per neuron: puts it into the list of its cell, if there is room. */
template <int MOV>
static __global__ void list_neurons_kernel(struct mesh m, struct lists lists,
                                           const float2 *__restrict__ position)
{
    const int id = thread_number();

    if (id >= m.n_neurons)
        return;

    const int cell = cell_of(m, position[id]), k = atomicAdd(&lists.n[cell], 1);

    if (k < lists.capacity)
        list_neuron<MOV>(m, lists, cell, k, id);
}

/* One thread per cell: a list that is too short gets the smallest ids. */
template <int MOV>
static __global__ void trim_lists_kernel(struct mesh m, struct lists lists,
                                         const float2 *__restrict__ position,
                                         struct som_counts *counts)
{
    const int cell = thread_number();

    if (cell >= m.n_cells || lists.n[cell] <= lists.capacity)
        return;
    for (int id = 0, k = 0; k < lists.capacity; id++)
        if (cell_of(m, position[id]) == cell)
            list_neuron<MOV>(m, lists, cell, k++, id);
    atomicAdd((unsigned long long *)&counts->left_out,
              (unsigned long long)(lists.n[cell] - lists.capacity));
    lists.n[cell] = lists.capacity;
}

/* ---- the steps of a cell [SOM Algorithm 2] ---- */

/* Lines 2 to 4: draws a pixel by a loop over the cell; x = NO_POINT if it is not active. */
DEVICE float2 extract(const struct task &t, int cell)
{
    const struct mesh &m = t.mesh;
    const int x0 = cell % m.cell_cols * m.cell_size, y0 = cell / m.cell_cols * m.cell_size;
    const int x1 = min(x0 + m.cell_size, m.width), y1 = min(y0 + m.cell_size, m.height);
    const uint64_t density = t.density[cell];
    uint64_t wanted, sum = 0;

    if (!som_is_active(density, *t.greatest, m.delta_q16, t.random[cell]))
        return make_float2(NO_POINT, NO_POINT);
    wanted = som_scale(density, t.random[m.n_cells + cell]);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            sum += som_density(t.grey[(size_t)y * (size_t)m.width + (size_t)x]);
            if (sum > wanted)
                return make_float2((float)x + 0.5f, (float)y + 0.5f);
        }
    return make_float2(NO_POINT, NO_POINT); /* never: wanted is below the cell's density */
}

/* Line 5: finds the nearest neuron, the smallest id among equals, by a spiral; -1: none. */
template <int MOV> DEVICE int search(const struct task &t, float2 point)
{
    const struct mesh &m = t.mesh;
    const int cx = som_cell(point.x, m.cell_size, m.cell_cols);
    const int cy = som_cell(point.y, m.cell_size, m.cell_rows);
    float least = 0;
    int best = -1;

    for (int ring = 0; ring <= m.last_ring; ring++) {
        if (ring > t.sure_rings && best >= 0 &&
            som_ring_square(point.x, point.y, cx, cy, m.cell_size, ring) > least)
            break;
        for (int i = 0; i < som_ring_cells(ring); i++) {
            int x, y;

            som_ring_cell(cx, cy, ring, i, &x, &y);
            if (x < 0 || y < 0 || x >= m.cell_cols || y >= m.cell_rows)
                continue;

            const int cell = y * m.cell_cols + x, n = t.lists.n[cell];

            for (int k = 0; k < n; k++) {
                const int id = listed_neuron<MOV>(m, t.lists, cell, k);
                const float2 at = load_position(t.position + id);
                const float square = som_square(at.x - point.x, at.y - point.y);

                if (best < 0 || square < least || (!(square > least) && id < best)) {
                    least = square;
                    best = id;
                }
            }
        }
    }
    return best;
}

DEVICE void count(const struct task &t, int cell, int winner)
{
    if (winner >= 0)
        t.tally[cell].x++;
    else
        t.tally[cell].y++;
}

template <enum pull_by BY>
DEVICE void pull_neuron(const struct task &t, int id, float2 point, float rate)
{
    float2 *const at = t.position + id;

    if (BY == EXCHANGE)
        pull_by_exchange(at, point, rate);
    else if (BY == SWAP_TEXTURE)
        pull_by_swap(at, tex1Dfetch<float2>(t.texture, t.first_texel + id), point, rate);
    else
        pull_by_swap(at, load_position(at), point, rate);
}

/* Pulls the neighbourhood row by row from the top. */
template <enum pull_by BY>
DEVICE void learn_rows(const struct task &t, float2 point, int wx, int wy)
{
    const struct mesh &m = t.mesh;
    const int y1 = min(wy + t.radius, m.grid_rows - 1);

    for (int y = max(wy - t.radius, 0); y <= y1; y++) {
        int from, to;

        som_row_within(wx, wy, y, t.radius, &from, &to);
        from = max(from, 0);
        to = min(to, m.grid_cols - 1);
        for (int x = from; x <= to; x++)
            pull_neuron<BY>(t, y * m.grid_cols + x, point, t.rate[som_distance(x, y, wx, wy)]);
    }
}

/* Pulls it ring by ring from the winner; a ring begins at 'turn' / 65536 of the way around. */
template <enum pull_by BY>
DEVICE void learn_rings(const struct task &t, float2 point, int wx, int wy, unsigned turn)
{
    const struct mesh &m = t.mesh;

    for (int d = 0; d <= t.radius; d++) {
        const int n = som_ring_nodes(d), begin = (int)(turn * (unsigned)n >> 16);
        const float rate = t.rate[d];

        for (int i = 0; i < n; i++) {
            int x, y;

            som_ring_node(wx, wy, d, begin + i < n ? begin + i : begin + i - n, &x, &y);
            if (x >= 0 && y >= 0 && x < m.grid_cols && y < m.grid_rows)
                pull_neuron<BY>(t, y * m.grid_cols + x, point, rate);
        }
    }
}

/* Line 6: pull the winner and the neurons around it. */
template <enum pull_by BY>
DEVICE void learn(const struct task &t, int cell, float2 point, int winner)
{
    const struct mesh &m = t.mesh;
    const int wx = winner % m.grid_cols, wy = winner / m.grid_cols;

    if (t.walk == ROWS)
        learn_rows<BY>(t, point, wx, wy);
    else
        learn_rings<BY>(t, point, wx, wy,
                        t.walk == TURNED ? t.random[m.n_cells + cell] & 0xFFFF : 0);
}

#endif
