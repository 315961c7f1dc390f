/*
 * draws.h - data points of many rounds, drawn before the rounds
 *
 * A round's active cells, their points and the order of their pulls depend on no neuron, but on
 * seed, round and cell.  So any thread can draw rounds ahead.  The words are those of
 * som_words(), for many cells at a time.
 */
#ifndef IMPL_CPU_SOM_DRAWS_H
#define IMPL_CPU_SOM_DRAWS_H

#include "impl_cpu/som/mesh.h"

/* Rounds that are drawn together at most. */
#define DRAWN_ROUNDS 32

/* Cells whose words are drawn together. */
#define DRAWN_CELLS 64

/* Cells of more px a side are drawn as by som/rounds: 32 bits may not hold a row's density. */
#define DRAWN_SIDE 256

/* The data point of a cell that takes part in a round. */
struct point {
    float x, y;
    uint16_t cx, cy;
    /* row << 16 | column of the neuron to pull first: ordered as ids; NO_WINNER */
    int32_t winner;
};
#define NO_WINNER INT32_MAX

/* A thread's room while it draws a round. */
struct draw_room {
    uint64_t *keys;  /* [2][n_cells] */
    uint32_t *word;  /* [n_cells] */
    int32_t *of;     /* [n_cells] */
    uint32_t *begin; /* [2 n_cells + 1] */
};

struct draws {
    int n_cells;

    /* [n_cells] and room: dense cells, and for each the greatest word that lets it be active */
    int32_t *cell;
    struct place {
        uint16_t x, y;
    } * place;
    uint32_t *last_word;
    int n_dense;

    /* of a map: [height][width], densities of a cell's row so far; NULL beyond DRAWN_SIDE */
    uint32_t *prefix;

    /* [DRAWN_ROUNDS][n_cells] each: points by cell, their order; and their number a round */
    struct point *points;
    int32_t *turns;
    int n_points[DRAWN_ROUNDS];
};

static inline int draws_set_up(struct draws *d, const struct som_input *in)
{
    const size_t n = (size_t)som_n_cells(in);

    d->n_cells = (int)n;
    d->cell = calloc(n + DRAWN_CELLS, sizeof *d->cell);
    d->place = malloc(n * sizeof *d->place);
    d->last_word = malloc(n * sizeof *d->last_word);
    d->points = malloc(DRAWN_ROUNDS * n * sizeof *d->points);
    d->turns = malloc(DRAWN_ROUNDS * n * sizeof *d->turns);
    if (in->cell_size <= DRAWN_SIDE)
        d->prefix = malloc(som_n_pixels(in) * sizeof *d->prefix);
    return d->cell && d->place && d->last_word && d->points && d->turns &&
           (d->prefix || in->cell_size > DRAWN_SIDE);
}

static inline void draws_tear_down(struct draws *d)
{
    free(d->cell);
    free(d->place);
    free(d->last_word);
    free(d->prefix);
    free(d->points);
    free(d->turns);
}

static inline int draw_room_set_up(struct draw_room *room, size_t n_cells)
{
    room->keys = malloc(2 * n_cells * sizeof *room->keys);
    room->word = malloc(n_cells * sizeof *room->word);
    room->of = malloc(n_cells * sizeof *room->of);
    room->begin = malloc((2 * n_cells + 1) * sizeof *room->begin);
    return room->keys && room->word && room->of && room->begin;
}

static inline void draw_room_tear_down(struct draw_room *room)
{
    free(room->keys);
    free(room->word);
    free(room->of);
    free(room->begin);
}

/* ---- of a map ---- */

/* Finds a map's dense cells.  The greater a word, the less a cell is active. */
static inline void find_dense_cells(struct draws *d, const struct mesh *m)
{
    const uint32_t delta = m->in->delta_q16;

    d->n_dense = 0;
    for (int cell = 0; cell < d->n_cells; cell++) {
        const uint64_t density = m->density[cell];
        uint32_t word = 0;

        if (!som_is_active(density, m->greatest, delta, word))
            continue;
        for (uint32_t bit = UINT32_C(1) << 31; bit > 0; bit >>= 1)
            if (som_is_active(density, m->greatest, delta, word | bit))
                word |= bit;
        d->cell[d->n_dense] = cell;
        d->place[d->n_dense] = (struct place){(uint16_t)(cell % m->in->cell_cols),
                                              (uint16_t)(cell / m->in->cell_cols)};
        d->last_word[d->n_dense++] = word;
    }
}

/* The densities of rows of cells, of these rows of the map. */
static inline void add_rows(const struct draws *d, const struct mesh *m, int first_row,
                            int end_row)
{
    const int width = m->in->width, size = m->in->cell_size;

    for (int y = first_row; y < end_row && d->prefix; y++) {
        const uint8_t *const grey = m->grey + (size_t)y * (size_t)width;
        uint32_t *const prefix = d->prefix + (size_t)y * (size_t)width;

        for (int begin = 0; begin < width; begin += size) {
            uint32_t sum = 0;

            for (int x = begin; x < at_most(begin + size, width); x++)
                prefix[x] = sum += som_density(grey[x]);
        }
    }
}

/* ---- of a round ---- */

/* The active cells: of[i] is the number among the dense ones, word[i] the random word for the
 * pixel, the upper half of keys[i] that for the order.  Returns their number. */
static inline int draw_cells(const struct draws *d, uint64_t seed, int round,
                             const struct draw_room *room)
{
    int n = 0;

    for (int first = 0; first < d->n_dense; first += DRAWN_CELLS) {
        uint32_t c[4][DRAWN_CELLS];

        for (int i = 0; i < DRAWN_CELLS; i++) {
            c[0][i] = (uint32_t)round;
            c[2][i] = (uint32_t)d->cell[first + i];
            c[1][i] = c[3][i] = 0;
        }
        for (int k = 0; k < BENCH_PHILOX_ROUNDS; k++)
#pragma omp simd
            for (int i = 0; i < DRAWN_CELLS; i++) {
                const struct bench_words w = bench_philox_round(
                    (struct bench_words){{c[0][i], c[1][i], c[2][i], c[3][i]}}, seed, k);

                c[0][i] = w.word[0];
                c[1][i] = w.word[1];
                c[2][i] = w.word[2];
                c[3][i] = w.word[3];
            }
        for (int i = 0; i < at_most(DRAWN_CELLS, d->n_dense - first); i++) {
            room->of[n] = first + i;
            room->word[n] = c[1][i];
            room->keys[n] = (uint64_t)c[2][i] << 32 | (uint32_t)n;
            n += c[0][i] <= d->last_word[first + i];
        }
    }
    return n;
}

/* Sort the cells by word, then by number: a pass by the highest bits leaves few swaps. */
static inline void sort_turns(const struct draw_room *room, int n_cells, int n, int32_t *turn)
{
    const uint64_t *const from = room->keys;
    uint64_t *const to = room->keys + n_cells;
    uint32_t *const begin = room->begin;
    int shift = 63;

    while (shift > 32 && UINT64_C(1) << (64 - shift) < (uint64_t)n)
        shift--;
    memset(begin, 0, ((UINT64_C(1) << (64 - shift)) + 1) * sizeof *begin);
    for (int i = 0; i < n; i++)
        begin[(from[i] >> shift) + 1]++;
    for (uint64_t k = 0; k < UINT64_C(1) << (64 - shift); k++)
        begin[k + 1] += begin[k];
    for (int i = 0; i < n; i++)
        to[begin[from[i] >> shift]++] = from[i];
    for (int i = 1; i < n; i++) {
        const uint64_t key = to[i];
        int k = i;

        for (; k > 0 && to[k - 1] > key; k--)
            to[k] = to[k - 1];
        to[k] = key;
    }
    for (int i = 0; i < n; i++)
        turn[i] = (int32_t)(uint32_t)to[i];
}

/* draw_pixel() for n cells, without unpredictable branches: it counts the sums that are not
 * above the wanted one.  It takes the rows first, and fetches the memory needed next. */
static inline void draw_from_prefix(const struct draws *d, const struct mesh *m, int n,
                                    const struct draw_room *room, struct point *points)
{
    const int size = m->in->cell_size, width = m->in->width, height = m->in->height;

    for (int i = 0; i < n; i++) {
        const int cell = d->cell[room->of[i]],
                  n_rows = at_most(size, height - size * points[i].cy);
        const uint64_t *const rows = m->row_prefix + (size_t)cell * (size_t)size;
        const uint64_t wanted = som_scale(m->density[cell], room->word[i]);
        int y = 0;

        for (int k = 0; k < n_rows; k++)
            y += rows[k] <= wanted;
        room->word[i] = (uint32_t)(wanted - (y > 0 ? rows[y - 1] : 0));
        y += size * points[i].cy;
        points[i].y = (float)y + 0.5f;
        room->of[i] = width * y + size * points[i].cx;
        __builtin_prefetch(d->prefix + room->of[i]);
        __builtin_prefetch(d->prefix + room->of[i] + 16);
    }
    for (int i = 0; i < n; i++) {
        const int begin = size * points[i].cx, n_cols = at_most(size, width - begin);
        const uint32_t *const prefix = d->prefix + room->of[i];
        int x = begin;

        for (int k = 0; k < n_cols; k++)
            x += prefix[k] <= room->word[i];
        points[i].x = (float)x + 0.5f;
    }
}

/* Draw a round, the slot-th of those that are drawn together. */
static inline void draw_round(struct draws *d, const struct mesh *m, int round, int slot,
                              const struct draw_room *room)
{
    const int n = draw_cells(d, m->seed, round, room);
    struct point *const points = d->points + (size_t)slot * (size_t)d->n_cells;

    sort_turns(room, d->n_cells, n, d->turns + (size_t)slot * (size_t)d->n_cells);
    d->n_points[slot] = n;
    for (int i = 0; i < n; i++) {
        const struct place place = d->place[room->of[i]];

        points[i] = (struct point){0, 0, place.x, place.y, NO_WINNER};
    }
    if (d->prefix) {
        draw_from_prefix(d, m, n, room, points);
        return;
    }
    for (int i = 0; i < n; i++) {
        const struct pair at = draw_pixel(m, d->cell[room->of[i]], room->word[i]);

        points[i].x = at.x;
        points[i].y = at.y;
    }
}

#endif
