/*
 * mesh.h - what the CPU variants of som share: draws, lists of cells, search, learning
 *
 * Source: [SOM] sect. 3, 4.
 */
#ifndef IMPL_CPU_SOM_MESH_H
#define IMPL_CPU_SOM_MESH_H

#include "harness/problems/som/som.h"

#include <stdlib.h>
#include <string.h>

/* A neuron's position in one word, so that threads that update live see no half of one. */
typedef uint64_t __attribute__((may_alias)) position_word;

struct pair {
    float x, y;
};

static inline struct pair load_pair(const float *position, int id)
{
    const uint64_t word =
        __atomic_load_n((const position_word *)(position + 2 * (size_t)id), __ATOMIC_RELAXED);
    struct pair pair;

    memcpy(&pair, &word, sizeof pair);
    return pair;
}

/* ---- density of cells ---- */

struct densities {
    uint64_t *row_prefix; /* [n_cells][cell_size]: of a cell's rows up to one */
    uint64_t *sum;        /* [n_cells] */
    uint64_t greatest;    /* of the sums */
};

static inline enum bench_status densities_alloc(struct densities *d, const struct som_input *in)
{
    const size_t n_cells = (size_t)som_n_cells(in);

    d->row_prefix = malloc(n_cells * (size_t)in->cell_size * sizeof *d->row_prefix);
    d->sum = malloc(n_cells * sizeof *d->sum);
    if (!d->row_prefix || !d->sum)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the densities of %zu cells", n_cells);
    return BENCH_OK;
}

static inline void densities_free(struct densities *d)
{
    free(d->row_prefix);
    free(d->sum);
}

static inline int at_most(int a, int b)
{
    return a < b ? a : b;
}

static inline void add_densities(struct densities *d, const struct som_input *in,
                                 const uint8_t *grey)
{
    const int size = in->cell_size;

    d->greatest = 0;
    for (int cy = 0; cy < in->cell_rows; cy++)
        for (int cx = 0; cx < in->cell_cols; cx++) {
            const size_t cell = (size_t)cy * (size_t)in->cell_cols + (size_t)cx;
            const int end_x = at_most((cx + 1) * size, in->width);
            const int end_y = at_most((cy + 1) * size, in->height);
            uint64_t sum = 0;

            for (int y = cy * size; y < end_y; y++) {
                const uint8_t *const row = grey + (size_t)y * (size_t)in->width;

                for (int x = cx * size; x < end_x; x++)
                    sum += som_density(row[x]);
                d->row_prefix[cell * (size_t)size + (size_t)(y - cy * size)] = sum;
            }
            d->sum[cell] = sum;
            d->greatest = sum > d->greatest ? sum : d->greatest;
        }
}

/* The pixel of a cell that a random word stands for: the first, row by row, up to which there
 * is more than that share of the density [eq. 7].  Its centre. */
static inline struct pair draw_pixel(const struct densities *d, const struct som_input *in,
                                     const uint8_t *grey, int cell, uint32_t word)
{
    const int size = in->cell_size, cx = cell % in->cell_cols, cy = cell / in->cell_cols;
    const uint64_t *const prefix = d->row_prefix + (size_t)cell * (size_t)size;
    uint64_t wanted = som_scale(d->sum[cell], word);
    int row = 0, x = cx * size;
    struct pair point;

    while (prefix[row] <= wanted)
        row++;
    wanted -= row > 0 ? prefix[row - 1] : 0;

    const uint8_t *const pixels = grey + (size_t)(cy * size + row) * (size_t)in->width;

    for (uint64_t sum = som_density(pixels[x]); sum <= wanted; sum += som_density(pixels[x]))
        x++;
    point.x = (float)x + 0.5f;
    point.y = (float)(cy * size + row) + 0.5f;
    return point;
}

/* ---- cells' lists ---- */

struct lists {
    int32_t *first;   /* [n_cells + 1]: where a cell's neurons begin in 'neuron' */
    int32_t *neuron;  /* [n_neurons], by cell, then by id */
    int32_t *cell_of; /* [n_neurons] */
};

static inline enum bench_status lists_alloc(struct lists *l, const struct som_input *in)
{
    const size_t n_neurons = (size_t)som_n_neurons(in);

    l->first = malloc(((size_t)som_n_cells(in) + 1) * sizeof *l->first);
    l->neuron = malloc(n_neurons * sizeof *l->neuron);
    l->cell_of = malloc(n_neurons * sizeof *l->cell_of);
    if (!l->first || !l->neuron || !l->cell_of)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the lists of %zu neurons", n_neurons);
    return BENCH_OK;
}

static inline void lists_free(struct lists *l)
{
    free(l->first);
    free(l->neuron);
    free(l->cell_of);
}

/* Sort the neurons into cells.  Returns how many are beyond the room that cells have: a search
 * does not look at them. */
static inline uint64_t refresh(struct lists *l, const struct som_input *in,
                               const float *position)
{
    const int n_cells = som_n_cells(in), n_neurons = som_n_neurons(in);
    uint64_t left_out = 0;
    int begin = 0;

    memset(l->first, 0, ((size_t)n_cells + 1) * sizeof *l->first);
    for (int id = 0; id < n_neurons; id++) {
        const struct pair at = load_pair(position, id);
        const int cell = som_cell(at.y, in->cell_size, in->cell_rows) * in->cell_cols +
                         som_cell(at.x, in->cell_size, in->cell_cols);

        l->cell_of[id] = cell;
        l->first[cell]++;
    }
    for (int cell = 0; cell <= n_cells; cell++) {
        const int n = cell < n_cells ? l->first[cell] : 0;

        l->first[cell] = begin;
        begin += n;
        left_out += n > in->cell_capacity ? (uint64_t)(n - in->cell_capacity) : 0;
    }
    for (int id = 0; id < n_neurons; id++)
        l->neuron[l->first[l->cell_of[id]]++] = id;
    for (int cell = n_cells; cell > 0; cell--) /* each is where the next began */
        l->first[cell] = l->first[cell - 1];
    l->first[0] = 0;
    return left_out;
}

/* The neuron nearest to a point, the smallest id among equals, as far as the search goes; -1:
 * none. */
static inline int search(const struct lists *l, const struct som_input *in,
                         const float *position, struct pair point)
{
    const int size = in->cell_size;
    const int cx = som_cell(point.x, size, in->cell_cols);
    const int cy = som_cell(point.y, size, in->cell_rows);
    const int all = in->cell_cols > in->cell_rows ? in->cell_cols : in->cell_rows;
    const int last = in->search_range == SOM_NO_BOUND ? all : at_most(in->search_range, all);
    float least = 0;
    int best = -1;

    for (int k = 0; k <= last; k++) {
        if (k > 0 && best >= 0 && som_ring_square(point.x, point.y, cx, cy, size, k) > least)
            break;
        for (int i = 0; i < som_ring_cells(k); i++) {
            int x, y, cell, n;

            som_ring_cell(cx, cy, k, i, &x, &y);
            if (x < 0 || y < 0 || x >= in->cell_cols || y >= in->cell_rows)
                continue;
            cell = y * in->cell_cols + x;
            n = at_most(l->first[cell + 1] - l->first[cell], in->cell_capacity);
            for (int j = 0; j < n; j++) {
                const int id = l->neuron[l->first[cell] + j];
                const struct pair at = load_pair(position, id);
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

/* Pull the neurons of rows first_row .. end_row - 1 of the network within 'radius' links of the
 * winner; 'rate' by links. */
static inline void pull(const struct som_input *in, float *position, int winner,
                        struct pair point, const float *rate, int radius, int first_row,
                        int end_row)
{
    const int wx = winner % in->grid_cols, wy = winner / in->grid_cols;
    const int begin = wy - radius > first_row ? wy - radius : first_row;
    const int end = at_most(wy + radius + 1, end_row);

    for (int y = begin; y < end; y++) {
        float *const row = position + 2 * (size_t)y * (size_t)in->grid_cols;
        int from, to;

        som_row_within(wx, wy, y, radius, &from, &to);
        from = from > 0 ? from : 0;
        to = at_most(to, in->grid_cols - 1);
        for (int x = from; x <= to; x++) {
            const float r = rate[som_distance(x, y, wx, wy)];

            row[2 * x] = som_pull(row[2 * x], point.x, r);
            row[2 * x + 1] = som_pull(row[2 * x + 1], point.y, r);
        }
    }
}

/* ---- the cells that take part in a round ---- */

struct extraction {
    uint32_t order; /* random: who pulls first */
    int32_t cell;
    struct pair point;
    int32_t winner; /* -1: none */
};

/* Sort by order; equal ones keep theirs.  'spare' has as much room. */
static inline void sort_extractions(struct extraction *list, struct extraction *spare, int n)
{
    struct extraction *from = list, *to = spare;

    for (int shift = 0; shift < 32; shift += 8) {
        int first[257] = {0};
        struct extraction *const other = from;

        for (int i = 0; i < n; i++)
            first[(from[i].order >> shift & 255) + 1]++;
        for (int digit = 0; digit < 256; digit++)
            first[digit + 1] += first[digit];
        for (int i = 0; i < n; i++)
            to[first[from[i].order >> shift & 255]++] = from[i];
        from = to;
        to = other;
    }
    /* four passes: what is sorted is in 'list' again */
}

/* Whether a cell takes part in a round, and with which point. */
static inline int extract(const struct densities *d, const struct som_input *in,
                          const uint8_t *grey, uint64_t seed, int round, int cell,
                          struct extraction *e)
{
    const struct bench_words words = som_words(seed, (uint32_t)round, (uint32_t)cell);

    if (!som_is_active(d->sum[cell], d->greatest, in->delta_q16, words.word[0]))
        return 0;
    e->order = words.word[2];
    e->cell = cell;
    e->point = draw_pixel(d, in, grey, cell, words.word[1]);
    e->winner = -1;
    return 1;
}

#endif
