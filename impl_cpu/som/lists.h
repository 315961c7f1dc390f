/*
 * lists.h - the cells' lists with the positions of their neurons, searched in vectors
 *
 * A list is as in mesh.h, without the neurons beyond a cell's room; behind each neuron's number
 * stands its position.  Neighbours' lists lie side by side: a row of cells is one range.
 */
#ifndef IMPL_CPU_SOM_LISTS_H
#define IMPL_CPU_SOM_LISTS_H

#include "impl_cpu/som/draws.h"
#include "impl_cpu/som/lanes.h"

struct lists {
    /* [width + 1], [height + 1]: the column of cells of a px, the first cell of its row */
    int32_t *column, *row;
    int32_t *first; /* [n_cells + 1]: where a cell's neurons begin */
    int32_t *end;   /* [n_cells]: of what is there already, while lists are made */
    int32_t *cell;  /* [n_neurons]: of each neuron, while lists are made */
    /* [n_neurons + 1]: where a neuron stands; those that stand nowhere share the last place */
    int32_t *place;

    /* by place, [n_neurons + 1] with LANES behind: row << 16 | column; position */
    int32_t *id;
    float *x, *y;
};

static inline int lists_set_up(struct lists *l, const struct som_input *in)
{
    const size_t n_cells = (size_t)som_n_cells(in), n = (size_t)som_n_neurons(in);
    const size_t with_room = n + 1 + LANES;

    l->column = malloc(((size_t)in->width + 1) * sizeof *l->column);
    l->row = malloc(((size_t)in->height + 1) * sizeof *l->row);
    l->first = malloc((n_cells + 1) * sizeof *l->first);
    l->end = malloc(n_cells * sizeof *l->end);
    l->cell = malloc(n * sizeof *l->cell);
    l->place = malloc(n * sizeof *l->place);
    l->id = calloc(with_room, sizeof *l->id);
    l->x = calloc(with_room, sizeof *l->x);
    l->y = calloc(with_room, sizeof *l->y);
    if (!l->column || !l->row)
        return 0;
    for (int x = 0; x <= in->width; x++)
        l->column[x] = som_cell((float)x, in->cell_size, in->cell_cols);
    for (int y = 0; y <= in->height; y++)
        l->row[y] = som_cell((float)y, in->cell_size, in->cell_rows) * in->cell_cols;
    return l->first && l->end && l->cell && l->place && l->id && l->x && l->y;
}

static inline void lists_tear_down(struct lists *l)
{
    free(l->column);
    free(l->row);
    free(l->first);
    free(l->end);
    free(l->cell);
    free(l->place);
    free(l->id);
    free(l->x);
    free(l->y);
}

/* Neurons from .. end - 1 of a row of a mesh, [rows][pitch] pairs, are where they are now. */
static inline void move_nodes(const struct lists *l, const float *mesh, size_t pitch,
                              int n_cols, int row, int from, int end)
{
    const float *const position = mesh + 2 * pitch * (size_t)row;
    const int32_t *const place = l->place + (size_t)n_cols * (size_t)row;

    for (int x = from; x < end; x++) {
        l->x[place[x]] = position[2 * x];
        l->y[place[x]] = position[2 * x + 1];
    }
}

/* All of rows first_row .. end_row - 1. */
static inline void move_rows(const struct lists *l, const float *mesh, size_t pitch, int n_cols,
                             int first_row, int end_row)
{
    for (int row = first_row; row < end_row; row++)
        move_nodes(l, mesh, pitch, n_cols, row, 0, n_cols);
}

/* Make new lists.  Returns the neurons without room; none ever leaves the map. */
static inline uint64_t make_lists(const struct lists *l, const struct som_input *in,
                                  const float *mesh, size_t pitch)
{
    const int n_cells = som_n_cells(in), n_cols = in->grid_cols;
    int32_t *const n_in = l->end, nowhere = som_n_neurons(in);
    uint64_t left_out = 0;

    memset(n_in, 0, (size_t)n_cells * sizeof *n_in);
    for (int y = 0; y < in->grid_rows; y++) {
        const float *const row = mesh + 2 * pitch * (size_t)y;
        int32_t *const cell = l->cell + (size_t)n_cols * (size_t)y;

        for (int x = 0; x < n_cols; x++) {
            cell[x] = l->row[(int)row[2 * x + 1]] + l->column[(int)row[2 * x]];
            n_in[cell[x]]++;
        }
    }
    l->first[0] = 0;
    for (int cell = 0; cell < n_cells; cell++) {
        const int n = at_most(n_in[cell], in->cell_capacity);

        left_out += (uint64_t)(n_in[cell] - n);
        l->first[cell + 1] = l->first[cell] + n;
        l->end[cell] = l->first[cell];
    }
    for (int y = 0; y < in->grid_rows; y++)
        for (int x = 0; x < n_cols; x++) {
            const size_t neuron = (size_t)n_cols * (size_t)y + (size_t)x;
            const int cell = l->cell[neuron];
            const int has_room = l->end[cell] < l->first[cell + 1];

            l->place[neuron] = has_room ? l->end[cell] : nowhere;
            l->end[cell] += has_room;
            l->id[l->place[neuron]] = y << 16 | x;
        }
    move_rows(l, mesh, pitch, n_cols, 0, in->grid_rows);
    return left_out;
}

/* ---- search ---- */

/* A search's result: the bits of its squared distance, ordered as distances are, and the
 * neuron; INT32_MAX: nothing. */
struct find {
    int32_t square, winner;
};

static inline int is_better(struct find a, struct find b)
{
    return a.square < b.square || (a.square == b.square && a.winner < b.winner);
}

/* Places from .. end - 1. */
struct range {
    int from, end;
};

/*
 * The nearest neuron in some ranges, the smallest id of equals: the least square first, then
 * the ids of those that have it.  'squares': room for all of them, and LANES for each range.
 */
static inline __attribute__((always_inline)) struct find
nearest_in(const struct lists *l, const struct range *ranges, int n_ranges,
           const struct point *point, int32_t *squares)
{
    const reals px = reals_set(point->x), py = reals_set(point->y);
    const lanes none = lanes_set(INT32_MAX);
    lanes least = none, winner = none;
    int32_t *at = squares;
    struct find find;

    for (int r = 0; r < n_ranges; r++)
        for (int i = ranges[r].from; i < ranges[r].end; i += LANES, at += LANES) {
            const reals dx = reals_load(l->x + i) - px, dy = reals_load(l->y + i) - py;
            const reals xx = dx * dx, yy = dy * dy; /* as som_square() */
            const lanes square = lanes_first((lanes)(xx + yy), ranges[r].end - i);

            lanes_store(at, square);
            least = lanes_min(least, square);
        }
    find.square = lanes_least(least);
    least = lanes_set(find.square);
    at = squares;
    for (int r = 0; r < n_ranges; r++)
        for (int i = ranges[r].from; i < ranges[r].end; i += LANES, at += LANES)
            winner =
                lanes_min_where_equal(lanes_load(at), least, winner, lanes_load(l->id + i));
    find.winner = find.square == INT32_MAX ? NO_WINNER : lanes_least(winner);
    return find;
}

/* True if a search goes on to ring k. */
static inline int goes_on(const struct point *p, int cell_size, int k, struct find find)
{
    float square;

    memcpy(&square, &find.square, sizeof square); /* no number where nothing was found */
    return !(som_ring_square(p->x, p->y, p->cx, p->cy, cell_size, k) > square);
}

/* The cells of ring k in row y, as far as they are there: one range, or two cells. */
static inline int ring_in_row(const struct lists *l, const struct som_input *in,
                              const struct point *p, int k, int y, struct range *ranges)
{
    const int32_t *const first = l->first + (size_t)y * (size_t)in->cell_cols;
    const int left = p->cx - k, right = p->cx + k;
    int n = 0;

    if (y == p->cy - k || y == p->cy + k) {
        ranges[0] = (struct range){first[left > 0 ? left : 0],
                                   first[at_most(right, in->cell_cols - 1) + 1]};
        return 1;
    }
    if (left >= 0)
        ranges[n++] = (struct range){first[left], first[left + 1]};
    if (right < in->cell_cols)
        ranges[n++] = (struct range){first[right], first[right + 1]};
    return n;
}

/* The last ring that a search may see. */
static inline int last_ring(const struct som_input *in)
{
    const int all = in->cell_cols > in->cell_rows ? in->cell_cols : in->cell_rows;

    return in->search_range == SOM_NO_BOUND ? all : at_most(in->search_range, all);
}

/* The nearest in rings 0 and 1. */
static inline struct find search_around(const struct lists *l, const struct som_input *in,
                                        const struct point *p, int32_t *squares)
{
    const int cols = in->cell_cols, left = p->cx > 0 ? p->cx - 1 : 0;
    const int end = at_most(p->cx + 2, cols);
    struct range around[3] = {{0, 0}, {0, 0}, {0, 0}};

    for (int dy = -1; dy <= 1; dy++)
        if (p->cy + dy >= 0 && p->cy + dy < in->cell_rows) {
            const int32_t *const first = l->first + (p->cy + dy) * cols;

            around[dy + 1] = (struct range){first[left], first[end]};
        }
    return nearest_in(l, around, 3, p, squares);
}

/* The winner of a point that rings 0 and 1 do not decide, which are few. */
static inline int32_t search_far(const struct lists *l, const struct som_input *in,
                                 const struct point *p, int32_t *squares)
{
    const int last = last_ring(in);
    struct find best = search_around(l, in, p, squares);

    for (int k = 2; k <= last && goes_on(p, in->cell_size, k, best); k++)
        for (int y = p->cy > k ? p->cy - k : 0; y <= at_most(p->cy + k, in->cell_rows - 1);
             y++) {
            struct range ranges[2];
            const int n = ring_in_row(l, in, p, k, y, ranges);
            const struct find find = nearest_in(l, ranges, n, p, squares);

            best = is_better(find, best) ? find : best;
        }
    return best.winner;
}

/* The winners of n points, as search() finds them: first all in their own cells; then the rest
 * in the nine cells around, gathered without a branch.  'further', with room for n numbers, has
 * those that are to be searched for further away.  Returns how many. */
static inline int search_points(const struct lists *l, const struct som_input *in,
                                struct point *points, int n, int32_t *further, int32_t *squares)
{
    const int last = last_ring(in);
    int n_further = 0, n_far = 0;

    for (int i = 0; i < n; i++) {
        struct point *const p = &points[i];
        const int cell = p->cy * in->cell_cols + p->cx;
        const struct range own = {l->first[cell], l->first[cell + 1]};
        const struct find find = nearest_in(l, &own, 1, p, squares);

        p->winner = find.winner;
        further[n_further] = i;
        n_further += goes_on(p, in->cell_size, 1, find);
    }
    for (int k = 0; k < n_further && last > 0; k++) {
        struct point *const p = &points[further[k]];
        const struct find find = search_around(l, in, p, squares);

        p->winner = find.winner;
        further[n_far] = further[k];
        n_far += last > 1 && goes_on(p, in->cell_size, 2, find);
    }
    return n_far;
}

#endif
