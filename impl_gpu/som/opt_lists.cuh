/*
 * opt_lists.cuh - the lists of the neurons in each cell
 */
#ifndef SOM_OPT_LISTS_CUH
#define SOM_OPT_LISTS_CUH

#include "impl_gpu/som/opt_team.cuh"

/* n / cell_size: n cell_size is at most SOM_MAX_SIDE SOM_MAX_CELL. */
DEVICE int in_cells(const struct task &t, int n)
{
    return t.cell_inverse ? divided(n, t.cell_inverse) : n;
}

/* som_cell of both coordinates, without its divisions. */
DEVICE int cell_at(const struct task &t, float2 at)
{
    const int x = at.x > 0 ? in_cells(t, (int)at.x) : 0;
    const int y = at.y > 0 ? in_cells(t, (int)at.y) : 0;

    return min(y, t.mesh.cell_rows - 1) * t.mesh.cell_cols + min(x, t.mesh.cell_cols - 1);
}

#define CELLS_A_THREAD 4

/* By one block: finds where lists begin, and counts the neurons that find no room. */
template <enum team TEAM>
DEVICE void lay_out_lists(const struct task &t, const struct place &p, const struct member &me,
                          int *sums, struct som_counts *counts)
{
    const int n_cells = t.mesh.n_cells;
    int before = 0;
    unsigned long long left_out = 0;

    /* a thread takes consecutive cells, and then the block takes the next ones */
    for (int base = 0; base < n_cells; base += CELLS_A_THREAD * (int)blockDim.x) {
        const int begin = base + (int)threadIdx.x * CELLS_A_THREAD;
        int count[CELLS_A_THREAD], sum = 0, at;

#pragma unroll
        for (int k = 0; k < CELLS_A_THREAD; k++)
            count[k] = begin + k < n_cells ? load_counted<TEAM>(p.count + begin + k) : 0;
#pragma unroll
        for (int k = 0; k < CELLS_A_THREAD; k++)
            sum += min(count[k], t.capacity);
        at = before + sum_before(sum, sums);
#pragma unroll
        for (int k = 0; k < CELLS_A_THREAD; k++)
            if (begin + k < n_cells) {
                store_listed<TEAM>(p.short_first, p.first, begin + k, at);
                p.cursor[begin + k] = count[k] > t.capacity ? INT_MIN : at;
                p.count[begin + k] = 0;
                at += min(count[k], t.capacity);
                left_out += (unsigned long long)max(count[k] - t.capacity, 0);
            }
        if (threadIdx.x == blockDim.x - 1)
            sums[0] = at;
        __syncthreads();
        before = sums[0];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        store_listed<TEAM>(p.short_first, p.first, n_cells, before);
    if (left_out > 0 && me.block == 0)
        atomicAdd((unsigned long long *)&counts->left_out, left_out);

    const int any = __syncthreads_or(left_out > 0);

    if (threadIdx.x == 0)
        *p.n_full = any;
}

/* A barrier of the threads that make lists together: of the block or of the team. */
template <enum team TEAM> DEVICE void lists_barrier(const struct task &t, unsigned *n_arrived)
{
    if (HAS_LISTS(TEAM))
        __syncthreads();
    else
        team_barrier<TEAM>(t, n_arrived);
}

/* The distance of two lanes' ids.  Neighbours share a cell, whose counter takes one thread at a
 * time; it is odd, or lanes load from the same banks. */
DEVICE int ids_between(int n_ids)
{
    return (n_ids + LANES - 1) / LANES | 1;
}

/* The i-th id in the order of lists' makers, of LANES * between; some are none. */
DEVICE int apart(int i, int between)
{
    return i % LANES * between + i / LANES;
}

/* Neurons of which a thread keeps the result of counting: cell << 16 | place in its list. */
#define KEPT(max_threads) ((max_threads) > FEW_THREADS ? 5 : 10)

/* Full lists keep the smallest ids. */
template <enum team TEAM>
DEVICE void make_full_lists(const struct task &t, const struct place &p, int begin, int step)
{
    for (int cell = begin; cell < t.mesh.n_cells; cell += step) {
        int place = load_listed<TEAM>(p.short_first, p.first, cell);
        const int full = load_listed<TEAM>(p.short_first, p.first, cell + 1);

        if (load_counted<TEAM>(p.cursor + cell) >= 0)
            continue;
        for (int id = 0; place < full; id++)
            if (cell_at(t, load<TEAM>(p.position + id)) == cell)
                store_listed<TEAM>(p.short_list, p.list, place++, id);
    }
}

/* Makes new lists.  p.count is 0 before and after; in shared memory pulls overwrite it. */
template <enum team TEAM, int MAX_THREADS>
DEVICE void refresh(const struct task &t, const struct place &p, const struct member &me,
                    int *sums, struct som_counts *counts, unsigned *n_arrived)
{
    const struct mesh &m = t.mesh;
    const int begin = HAS_LISTS(TEAM) ? (int)threadIdx.x : me.thread;
    const int step = HAS_LISTS(TEAM) ? (int)blockDim.x : me.n_threads;
    const int between = ids_between(m.n_neurons), end = between * LANES;
    const bool keeps = HAS_LISTS(TEAM) && end <= KEPT(MAX_THREADS) * step;
    unsigned kept[KEPT(MAX_THREADS)];

    if (HAS_LISTS(TEAM)) {
        for (int cell = begin; cell < m.n_cells; cell += step)
            p.count[cell] = 0;
        __syncthreads();
    }
    if (keeps) {
        float2 at[KEPT(MAX_THREADS)];

#pragma unroll
        for (int u = 0; u < KEPT(MAX_THREADS); u++) {
            const int i = begin + u * step, id = apart(i, between);

            at[u] =
                i < end && id < m.n_neurons ? load<TEAM>(p.position + id) : make_float2(-1, 0);
        }
#pragma unroll
        for (int u = 0; u < KEPT(MAX_THREADS); u++) {
            const int i = begin + u * step;

            kept[u] = ~0u;
            if (i < end && apart(i, between) < m.n_neurons) {
                const int cell = cell_at(t, at[u]), place = atomicAdd(&p.count[cell], 1);

                kept[u] = (unsigned)cell << 16 | (unsigned)place;
            }
        }
    } else {
        for (int i = begin; i < end; i += step) {
            const int id = apart(i, between);

            if (id < m.n_neurons)
                atomicAdd(&p.count[cell_at(t, load<TEAM>(p.position + id))], 1);
        }
    }
    lists_barrier<TEAM>(t, n_arrived);
    if (HAS_LISTS(TEAM) || me.block == (TEAM == TEAM_GPUS ? t.first_block : 0))
        lay_out_lists<TEAM>(t, p, me, sums, counts);
    lists_barrier<TEAM>(t, n_arrived);
    if (keeps) {
#pragma unroll
        for (int u = 0; u < KEPT(MAX_THREADS); u++) {
            const int place = (int)(kept[u] & 0xFFFF), cell = (int)(kept[u] >> 16);

            if (kept[u] != ~0u && place < t.capacity)
                store_listed<TEAM>(p.short_list, p.list,
                                   load_listed<TEAM>(p.short_first, p.first, cell) + place,
                                   apart(begin + u * step, between));
        }
    } else {
        for (int i = begin; i < end; i += step) {
            const int id = apart(i, between);

            if (id < m.n_neurons) {
                const int place =
                    atomicAdd(&p.cursor[cell_at(t, load<TEAM>(p.position + id))], 1);

                if (place >= 0)
                    store_listed<TEAM>(p.short_list, p.list, place, id);
            }
        }
    }
    if (load<TEAM>(p.n_full)) {
        lists_barrier<TEAM>(t, n_arrived);
        make_full_lists<TEAM>(t, p, begin, step);
    }
    team_barrier<TEAM>(t, n_arrived); /* pulls may overwrite the counts */
}

#endif
