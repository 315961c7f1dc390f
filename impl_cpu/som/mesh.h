/*
 * mesh.h - what the CPU variants of som share: draws, lists of cells, search, learning
 *
 * Source: [SOM] sect. 3, 4.
 */
#ifndef IMPL_CPU_SOM_MESH_H
#define IMPL_CPU_SOM_MESH_H

#include "harness/measure/impl.h"
#include "harness/problems/som/som.h"

#include <stdlib.h>
#include <string.h>

/* A neuron's position in one word, so that threads that update live see no half of one. */
typedef uint64_t __attribute__((may_alias)) position_word;

struct pair {
    float x, y;
};

/* A cell that takes part in a round. */
struct extraction {
    uint32_t order; /* random: who pulls first */
    int32_t cell;
    struct pair point;
    int32_t winner; /* -1: none */
};

/* A variant's state, or the beginning of it. */
struct mesh {
    const struct som_input *in; /* borrowed */
    struct som_output *out;     /* borrowed */

    /* the frame that is run: its map, mesh, counts and seed */
    const uint8_t *grey;
    float *position;
    struct som_counts *counts;
    uint64_t seed;

    /* the cells' lists; owned, as all that follow */
    int32_t *first;   /* [n_cells + 1]: where a cell's neurons begin in 'neuron' */
    int32_t *neuron;  /* [n_neurons], by cell, then by id */
    int32_t *cell_of; /* [n_neurons] */

    /* of variants with rounds; NULL elsewhere */
    uint64_t *row_prefix;              /* [n_cells][cell_size]: density of rows up to one */
    uint64_t *density;                 /* [n_cells] */
    uint64_t greatest;                 /* of the densities */
    struct extraction *active, *spare; /* [n_cells] */
};

/* A hook: what is borrowed, and room for the lists. */
static inline enum bench_status mesh_set_up(void *mesh, const struct bench_ctx *ctx,
                                            const void *input, void *output)
{
    struct mesh *const m = mesh;
    size_t n_cells, n_neurons;

    (void)ctx;
    m->in = input;
    m->out = output;
    n_cells = (size_t)som_n_cells(m->in);
    n_neurons = (size_t)som_n_neurons(m->in);
    m->first = malloc((n_cells + 1) * sizeof *m->first);
    m->neuron = malloc(n_neurons * sizeof *m->neuron);
    m->cell_of = malloc(n_neurons * sizeof *m->cell_of);
    NEED(m->first && m->neuron && m->cell_of, "the lists of %zu neurons", n_neurons);
    return BENCH_OK;
}

/* The same, and what rounds need. */
static inline enum bench_status mesh_set_up_rounds(struct mesh *m, const struct bench_ctx *ctx,
                                                   const struct som_input *in, void *output)
{
    const size_t n = (size_t)som_n_cells(in);

    m->row_prefix = malloc(n * (size_t)in->cell_size * sizeof *m->row_prefix);
    m->density = malloc(n * sizeof *m->density);
    m->active = malloc(n * sizeof *m->active);
    m->spare = malloc(n * sizeof *m->spare);
    NEED(m->row_prefix && m->density && m->active && m->spare, "the data points of %zu cells",
         n);
    return mesh_set_up(m, ctx, in, output);
}

static inline void mesh_tear_down(void *mesh)
{
    struct mesh *const m = mesh;

    free(m->first);
    free(m->neuron);
    free(m->cell_of);
    free(m->row_prefix);
    free(m->density);
    free(m->active);
    free(m->spare);
}

/* Make a frame the current one, its mesh as it begins, nothing counted. */
static inline void mesh_begin(struct mesh *m, int frame)
{
    m->grey = som_grey(m->in, frame);
    m->position = som_position(m->out, frame);
    m->counts = &m->out->counts[frame];
    m->seed = m->in->seed + (uint64_t)frame;
    memset(m->counts, 0, sizeof *m->counts);
    som_first_positions(m->in, m->position);
}

static inline int at_most(int a, int b)
{
    return a < b ? a : b;
}

static inline struct pair load_pair(const float *position, int id)
{
    const uint64_t word =
        __atomic_load_n((const position_word *)(position + 2 * (size_t)id), __ATOMIC_RELAXED);
    struct pair pair;

    memcpy(&pair, &word, sizeof pair);
    return pair;
}

/* ---- density of cells ---- */

static inline void add_densities(struct mesh *m)
{
    const struct som_input *const in = m->in;
    const int size = in->cell_size;

    m->greatest = 0;
    for (int cy = 0; cy < in->cell_rows; cy++)
        for (int cx = 0; cx < in->cell_cols; cx++) {
            const size_t cell = (size_t)cy * (size_t)in->cell_cols + (size_t)cx;
            const int end_x = at_most((cx + 1) * size, in->width);
            const int end_y = at_most((cy + 1) * size, in->height);
            uint64_t sum = 0;

            for (int y = cy * size; y < end_y; y++) {
                const uint8_t *const row = m->grey + (size_t)y * (size_t)in->width;

                for (int x = cx * size; x < end_x; x++)
                    sum += som_density(row[x]);
                m->row_prefix[cell * (size_t)size + (size_t)(y - cy * size)] = sum;
            }
            m->density[cell] = sum;
            m->greatest = sum > m->greatest ? sum : m->greatest;
        }
}

/* The centre of the pixel that a random word stands for: the cell's first, row by row, up to
 * which there is more than that share of the density [eq. 7]. */
static inline struct pair draw_pixel(const struct mesh *m, int cell, uint32_t word)
{
    const struct som_input *const in = m->in;
    const int size = in->cell_size, cx = cell % in->cell_cols, cy = cell / in->cell_cols;
    const uint64_t *const prefix = m->row_prefix + (size_t)cell * (size_t)size;
    uint64_t wanted = som_scale(m->density[cell], word);
    int row = 0, x = cx * size;

    while (prefix[row] <= wanted)
        row++;
    wanted -= row > 0 ? prefix[row - 1] : 0;

    const uint8_t *const pixels = m->grey + (size_t)(cy * size + row) * (size_t)in->width;

    for (uint64_t sum = som_density(pixels[x]); sum <= wanted; sum += som_density(pixels[x]))
        x++;
    return (struct pair){(float)x + 0.5f, (float)(cy * size + row) + 0.5f};
}

/* ---- cells' lists ---- */

/* Sort the neurons into cells.  Counts those beyond the room of a cell: no search sees them. */
static inline void refresh(struct mesh *m)
{
    const struct som_input *const in = m->in;
    const int n_cells = som_n_cells(in), n_neurons = som_n_neurons(in);
    int begin = 0;

    memset(m->first, 0, ((size_t)n_cells + 1) * sizeof *m->first);
    for (int id = 0; id < n_neurons; id++) {
        const struct pair at = load_pair(m->position, id);
        const int cell = som_cell(at.y, in->cell_size, in->cell_rows) * in->cell_cols +
                         som_cell(at.x, in->cell_size, in->cell_cols);

        m->cell_of[id] = cell;
        m->first[cell]++;
    }
    for (int cell = 0; cell <= n_cells; cell++) {
        const int n = cell < n_cells ? m->first[cell] : 0;

        m->first[cell] = begin;
        begin += n;
        m->counts->left_out += n > in->cell_capacity ? (uint64_t)(n - in->cell_capacity) : 0;
    }
    for (int id = 0; id < n_neurons; id++)
        m->neuron[m->first[m->cell_of[id]]++] = id;
    for (int cell = n_cells; cell > 0; cell--) /* each is where the next began */
        m->first[cell] = m->first[cell - 1];
    m->first[0] = 0;
}

/* The neuron nearest to a point within the search's reach, the first of equals; -1: none. */
static inline int search(const struct mesh *m, struct pair point)
{
    const struct som_input *const in = m->in;
    const float *const position = m->position;
    const int size = in->cell_size;
    const int cx = som_cell(point.x, size, in->cell_cols);
    const int cy = som_cell(point.y, size, in->cell_rows);
    const int all = in->cell_cols > in->cell_rows ? in->cell_cols : in->cell_rows;
    const int last = in->search_range == SOM_NO_BOUND ? all : at_most(in->search_range, all);
    float least = 0;
    int best = -1;

    for (int k = 0; k <= last; k++) {
        if (best >= 0 && som_ring_square(point.x, point.y, cx, cy, size, k) > least)
            break;
        for (int i = 0; i < som_ring_cells(k); i++) {
            int x, y, cell, n;

            som_ring_cell(cx, cy, k, i, &x, &y);
            if (x < 0 || y < 0 || x >= in->cell_cols || y >= in->cell_rows)
                continue;
            cell = y * in->cell_cols + x;
            n = at_most(m->first[cell + 1] - m->first[cell], in->cell_capacity);
            for (int j = 0; j < n; j++) {
                const int id = m->neuron[m->first[cell] + j];
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

/* Pull a neuron while others may: nothing that another thread has done is lost. */
static inline void pull_shared(float *neuron, struct pair point, float rate)
{
    position_word *const word = (position_word *)neuron;
    uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED), new;
    struct pair at;

    do {
        memcpy(&at, &old, sizeof at);
        at.x = som_pull(at.x, point.x, rate);
        at.y = som_pull(at.y, point.y, rate);
        memcpy(&new, &at, sizeof new);
    } while (
        !__atomic_compare_exchange_n(word, &old, new, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* The reach of a pull: neurons within 'radius' links, each by its rate. */
struct reach {
    const float *rate; /* [radius + 1] */
    int radius;
};

static inline struct reach reach_in(const struct som_input *in, int round)
{
    return (struct reach){in->rate + (size_t)round * (size_t)(in->max_radius + 1),
                          in->radius[round]};
}

/* Pull the winner's neighbours in rows first_row .. end_row - 1; 'is_shared': so do others. */
static inline void pull(const struct mesh *m, int winner, struct pair point, struct reach reach,
                        int first_row, int end_row, int is_shared)
{
    const int cols = m->in->grid_cols, radius = reach.radius;
    const int wx = winner % cols, wy = winner / cols;
    const int begin = wy - radius > first_row ? wy - radius : first_row;
    const int end = at_most(wy + radius + 1, end_row);

    for (int y = begin; y < end; y++) {
        float *const row = m->position + 2 * (size_t)y * (size_t)cols;
        int from, to;

        som_row_within(wx, wy, y, radius, &from, &to);
        from = from > 0 ? from : 0;
        to = at_most(to, cols - 1);
        for (int x = from; x <= to; x++) {
            const float rate = reach.rate[som_distance(x, y, wx, wy)];

            if (is_shared) {
                pull_shared(row + 2 * x, point, rate);
            } else {
                row[2 * x] = som_pull(row[2 * x], point.x, rate);
                row[2 * x + 1] = som_pull(row[2 * x + 1], point.y, rate);
            }
        }
    }
}

static inline void count(struct som_counts *counts, int winner)
{
    counts->updates += winner >= 0;
    counts->misses += winner < 0;
}

/* ---- the cells that take part in a round ---- */

/* Sort the first n of the active by order; equal ones keep theirs. */
static inline void sort_active(const struct mesh *m, int n)
{
    struct extraction *from = m->active, *to = m->spare;

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
    /* four passes: what is sorted is in 'active' again */
}

/* True if a cell takes part in a round, and with which point. */
static inline int extract(const struct mesh *m, int round, int cell, struct extraction *e)
{
    const struct bench_words words = som_words(m->seed, (uint32_t)round, (uint32_t)cell);

    if (!som_is_active(m->density[cell], m->greatest, m->in->delta_q16, words.word[0]))
        return 0;
    *e = (struct extraction){words.word[2], cell, draw_pixel(m, cell, words.word[1]), -1};
    return 1;
}

#endif
