/*
 * cuts.cuh - the steps of eq. 6 on candidate rows: which these are, and two passes over them
 *
 * Source:  harness/problems/stixels/cuts.h.  [RDP] Algorithm 1 cuts all segments of the block
 *          column at once, as rdp/gpu-paper.  The bits are those of stixels/cuts-cubic where
 *          arith = exact, and with all rows as candidates those of gpu-cubic.
 * Mapping: a cell is the rows from a candidate to the next, and a block has several threads for
 *          each.  Thread i + k n_cells sums up the rows of cells b + k to i, for all k at once,
 *          which is nearly all of the work and depends on no other stixel.  Then these stixels
 *          are put on what ends below them, one k after the other.
 * Shared:  behind the tables the list of candidates and the best stixels that end in each cell;
 *          before, RDP has the room of the latter.
 * Work:    a barrier for each candidate of both passes; one sum of rows for n_groups of them.
 */
#ifndef STIXELS_CUTS_CUH
#define STIXELS_CUTS_CUH

#include "harness/problems/rdp/rdp.h"
#include "harness/problems/stixels/cuts.h"
#include "impl_gpu/stixels/column.cuh"

/* The room of the steps, which the threads of a column share. */
template <typename REAL> struct cut_room {
    struct best<REAL> *best; /* [n_rows]: of each cell; 'cut' has numbers of candidates */
    int32_t *before;         /* [n_rows]: of the candidates up to a row */
    uint16_t *at;            /* [n_rows + 1]: the candidates' rows, and the end of the column */
};

template <typename REAL> static __host__ __device__ inline size_t cuts_bytes(int n_rows)
{
    const size_t bytes = (size_t)n_rows * (sizeof(struct best<REAL>) + sizeof(int32_t)) +
                         ((size_t)n_rows + 1) * sizeof(uint16_t);

    return (bytes + 15) / 16 * 16;
}

template <typename REAL> DEVICE struct cut_room<REAL> cuts_at(void *memory, int n_rows) {
    struct cut_room<REAL> room;

    room.best = (struct best<REAL> *)memory;
    room.before = (int32_t *)(room.best + n_rows);
    room.at = (uint16_t *)(room.before + n_rows);
    return room;
}

/* True if RDP keeps the row of this thread.  'farthest' [n_rows] has of the segment on a row,
 * and of each round, the greatest distance and the smallest row that has it. */
DEVICE bool
is_kept(const uint16_t *y, int n_rows, uint32_t epsilon_q8, unsigned long long *farthest)
{
    __shared__ int first_valid, last_valid;
    const int v = (int)threadIdx.x;
    bool kept, inside;
    int first, last;

    if (v == 0) {
        first_valid = n_rows;
        last_valid = -1;
    }
    __syncthreads();
    inside = v < n_rows && y[v] != RDP_INVALID;
    if (inside) {
        atomicMin(&first_valid, v);
        atomicMax(&last_valid, v);
    }
    __syncthreads();
    first = first_valid;
    last = last_valid;
    kept = first < last && (v == first || v == last);
    inside = inside && first < v && v < last;
    for (unsigned long long round = 1; __syncthreads_or(inside); round++) {
        if (inside)
            atomicMax(&farthest[first],
                      round << 48 |
                          (unsigned long long)rdp_cost(y[last] - y[first], last - first,
                                                       y[first], y[v], v - first)
                              << 16 |
                          (unsigned)(0xFFFF - v));
        __syncthreads();
        if (inside) {
            const unsigned long long found = farthest[first];
            const int cut = 0xFFFF - (int)(found & 0xFFFF);
            const bool divides =
                rdp_exceeds_vertical((uint32_t)(found >> 16), last - first, epsilon_q8);

            kept = divides && v == cut;
            inside = divides && v != cut;
            first = v > cut ? cut : first;
            last = v < cut ? cut : last;
        }
    }
    return kept;
}

/* Lists the rows that are candidates; returns how many.  Begins and ends with a barrier. */
template <typename REAL>
DEVICE int list_cuts(const struct cut_room<REAL> *room, int n_rows, bool is_candidate,
                     int32_t *totals)
{
    const int v = (int)threadIdx.x;
    int n;

    __syncthreads();
    if (v < n_rows)
        room->before[v] = is_candidate;
    scan_by_block(room->before, 1, n_rows, totals);
    n = room->before[n_rows - 1];
    if (v < n_rows && is_candidate)
        room->at[room->before[v] - 1] = (uint16_t)v;
    if (v == 0)
        room->at[n] = (uint16_t)n_rows;
    __syncthreads();
    return n;
}

/* The cost of a stixel by itself, in each geometry. */
template <typename REAL> struct own {
    REAL energy[STIXELS_N_GEOMETRIES], weight;
    typename forms<REAL>::plane plane[STIXELS_N_GEOMETRIES];
    int place[STIXELS_N_GEOMETRIES];
};

/* The best stixels that end in each cell, by all threads.  Ends with a barrier. */
template <typename REAL, typename CLASSES, bool BY_TABLE>
DEVICE void steps_of_cells(const struct tables<REAL, BY_TABLE> *t,
                           const struct stixels_model *model, const struct class_order *order,
                           const typename forms<REAL>::constants *c, int n_rows,
                           const struct cut_room<REAL> *room, int n_cells)
{
    __shared__ REAL cost[2][STIXELS_N_GEOMETRIES], top[2][STIXELS_N_GEOMETRIES];
    const int n_groups = (int)blockDim.x / n_cells, group = (int)threadIdx.x / n_cells;
    const int i = (int)threadIdx.x % n_cells, v_t = room->at[i + 1] - 1;
    struct best<REAL> *const best = &room->best[i];

    if (group == 0)
        *best = nothing_tried<REAL>();
    for (int begin = 0; begin < n_cells; begin += n_groups) {
        const int from = begin + group;
        const bool tries = group < n_groups && from <= i;
        const int v_b = tries ? room->at[from] : 0;
        struct own<REAL> own = {
        };

        if (tries) {
            const typename forms<REAL>::moments m = moments_of(t, c, v_b, v_t);
            const int n_valid = t->n_valid(v_t + 1) - t->n_valid(v_b);

            own.weight = m.s0;
#pragma unroll
            for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
                if (stixels_may_be(model, g, v_b, v_t, n_rows))
                    own.energy[g] =
                        own_of<REAL, CLASSES, true>(t, model, order, c, &m, g, v_b, v_t,
                                                    n_valid, &own.plane[g], &own.place[g]);
        }
        for (int now = begin; now < n_cells && now < begin + n_groups; now++) {
            const int slot = now & 1; /* the other one is still read by slower threads */

            if (tries && from == now) {
#pragma unroll
                for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
                    if (stixels_may_be(model, g, v_b, v_t, n_rows))
                        keep_if_better(t, c, own.weight, g, v_b, v_t, own.energy[g],
                                       own.plane[g], own.place[g], from, cost[slot ^ 1],
                                       top[slot ^ 1], best);
                if (from == i)
                    finish_row(t, c, best, room->at[best->cut[STIXELS_OBJECT] >> 8], v_t,
                               cost[slot], top[slot]);
            }
            __syncthreads();
        }
    }
}

/* Both passes; returns how many cells the second has, and *n_tried those of the first. */
template <typename REAL, typename CLASSES, bool BY_TABLE>
DEVICE int two_passes(const struct tables<REAL, BY_TABLE> *t, const struct stixels_model *model,
                      const struct class_order *order, const typename forms<REAL>::constants *c,
                      int n_rows, const struct stixels_cuts *cuts,
                      const struct cut_room<REAL> *room, int32_t *totals, int *n_tried)
{
    const int v = (int)threadIdx.x;
    const bool always = v == 0 || v == model->horizon + 1;
    unsigned long long *const farthest = (unsigned long long *)room->best;
    uint16_t *const y = (uint16_t *)(farthest + n_rows);
    bool is_candidate = always || v % cuts->grid == 0;

    if (v < n_rows) {
        y[v] = t->n_valid(v + 1) > t->n_valid(v) ? (uint16_t)(t->rows[2 * v + 1] * 256)
                                                 : (uint16_t)RDP_INVALID;
        farthest[v] = 0;
    }
    const bool kept = is_kept(y, n_rows, cuts->epsilon_q8, farthest);

    if (v < n_rows)
        room->before[v] = kept;
    __syncthreads();
    if (v < n_rows)
        is_candidate |= kept || (v > 0 && room->before[v - 1]);
#pragma unroll 1
    for (int pass = 1;; pass++) {
        const int n = list_cuts(room, n_rows, is_candidate, totals);

        steps_of_cells<REAL, CLASSES>(t, model, order, c, n_rows, room, n);
        if (pass == 2)
            return n;
        *n_tried = n;
        if (v < n_rows)
            room->before[v] = 0;
        __syncthreads();
        if (v == 0) {
            int g = cheapest_of(room->best[n - 1].cost);

            for (int i = n - 1; i >= 0;) {
                const int cut = room->best[i].cut[g];

                room->before[room->at[cut >> 8]] = 1;
                i = (cut >> 8) - 1;
                g = cut & 0xFF;
            }
        }
        __syncthreads();
        is_candidate = always;
        for (int k = v - cuts->reach; k <= v + cuts->reach; k++)
            is_candidate |= k >= 0 && k < n_rows && room->before[k];
    }
}

#endif
