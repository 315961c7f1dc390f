/*
 * column_kernel.cuh - one column in one thread block: tables, steps, backtracking
 *
 * Source:  [STX] sect. 4.3-4.5 and Fig. 5.  gpu-paper runs it for eq. 12, gpu-cubic for eq. 6,
 *          gpu-cuts-cubic for eq. 6 at candidate rows.
 * Mapping: blockIdx.x = column of all frames, threadIdx.x = row v, rounded up to whole warps;
 *          more threads for steps that use them (cuts.cuh).
 * Shared:  the tables.  After the last step the index table overwrites them.
 */
#ifndef STIXELS_COLUMN_KERNEL_CUH
#define STIXELS_COLUMN_KERNEL_CUH

#include "impl_gpu/stixels/cuts.cuh"

/* The steps: eq. 12 by option A or B, eq. 6 by B, and eq. 6 at candidate rows (cuts.cuh). */
enum column_form { FORM_A, FORM_B, FORM_ROWS, FORM_CUTS };

/* The tables lie in shared memory, the entries of a row side by side or each table by
 * itself, or each by itself in global memory. */
enum table_memory { SHARED_ROWS, SHARED_TABLES, GLOBAL_TABLES };

/* Bytes of dynamic shared memory for tables and index, and with what the steps keep behind. */
template <typename REAL, bool ROWS, enum table_memory MEMORY>
static __host__ __device__ inline size_t tables_or_index_bytes(int n_rows, int n_classes)
{
    const size_t index = ((size_t)n_rows * sizeof(struct index_row<REAL>) + 15) / 16 * 16;
    const size_t sats =
        MEMORY == GLOBAL_TABLES ? 0 : tables_bytes<REAL, ROWS>(n_rows, n_classes);

    return index > sats ? index : sats;
}

template <typename REAL, enum column_form FORM, enum table_memory MEMORY>
static __host__ __device__ inline size_t column_shared_bytes(int n_rows, int n_classes)
{
    enum { ROWS = FORM >= FORM_ROWS };

    return tables_or_index_bytes<REAL, ROWS, MEMORY>(n_rows, n_classes) +
           (FORM == FORM_A      ? 2 * STIXELS_N_GEOMETRIES * sizeof(REAL) * (size_t)n_rows
            : FORM == FORM_CUTS ? cuts_bytes<REAL>(n_rows)
                                : 0);
}

/* The parameter of a launch: one type for all instantiations. */
struct column_task {
    /* [n_frames][2 + n_classes][n_cols][n_rows], forms<REAL>::element */
    const void *blocks;
    const struct stixels_model *models; /* [n_frames] */
    const void *constants;              /* [n_frames], forms<REAL>::constants */
    int n_cols, n_rows;
    bool scan_by_block;
    char *workspace; /* GLOBAL_TABLES: tables_bytes() for each column */
    /* [n_columns][n_rows]; the stixels of a column are at the end of its slot, bottom first */
    struct stixel *slots;
    int32_t *counts;  /* [n_columns] */
    uint32_t *clocks; /* [n_columns][COLUMN_STAGES] where STAGES: what each stage took */
    struct stixels_cuts cuts; /* FORM_CUTS */
};

/* Copies from global to shared memory, 32 bits a thread.  The caller adds a barrier. */
DEVICE void copy_words(void *to, const void *from, size_t bytes)
{
    for (int i = (int)threadIdx.x; i < (int)(bytes / sizeof(int32_t)); i += (int)blockDim.x)
        ((int32_t *)to)[i] = ((const int32_t *)from)[i];
}

/* THREADS: the most that a block has.  With fewer threads each may have more registers. */
template <typename REAL, typename CLASSES, enum column_form FORM, enum table_memory MEMORY,
          int THREADS, bool STAGES>
static __global__ void __launch_bounds__(THREADS) column_kernel(struct column_task task)
{
    enum { GLOBAL = MEMORY == GLOBAL_TABLES, BY_TABLE = MEMORY != SHARED_ROWS };
    enum { ROWS = FORM >= FORM_ROWS };
    typedef typename forms<REAL>::element element;
    typedef typename forms<REAL>::constants constants_type;
    extern __shared__ __align__(16) char shared[];
    __shared__ struct stixels_model model;
    __shared__ constants_type constants;
    __shared__ struct class_order order;
    __shared__ int64_t totals[MAX_WARPS];
    const int v = (int)threadIdx.x, n_cols = task.n_cols, n_rows = task.n_rows;
    const int frame = (int)blockIdx.x / n_cols, u = (int)blockIdx.x % n_cols;
    uint32_t clock[COLUMN_STAGES];

    if (STAGES)
        clock[0] = stage_clock();
    copy_words(&model, &task.models[frame], sizeof model);
    copy_words(&constants, (const constants_type *)task.constants + frame, sizeof constants);
    __syncthreads();
    order_classes(&model, &order);
    __syncthreads();

    const int n_classes = CLASSES::KNOWN ? (int)CLASSES::N : model.n_classes;
    const size_t sats_bytes = tables_bytes<REAL, ROWS>(n_rows, n_classes);
    const struct tables<REAL, BY_TABLE> t = tables_at<REAL, ROWS, BY_TABLE>(
        GLOBAL ? task.workspace + (size_t)blockIdx.x * sats_bytes : shared, n_rows, n_classes);
    const size_t plane_stride = (size_t)n_cols * (size_t)n_rows;
    struct best<REAL> best = nothing_tried<REAL>();

    if (v < n_rows)
        load_row(&t, &model, &order, &constants,
                 (const element *)task.blocks +
                     ((size_t)frame * (size_t)(2 + n_classes) * (size_t)n_cols + (size_t)u) *
                         (size_t)n_rows,
                 plane_stride, v);
    if (v == 0)
        clear_first(&t, n_classes);
    __syncthreads();
    scan_tables(&t, n_classes, n_rows, task.scan_by_block, totals);
    if (STAGES)
        clock[1] = stage_clock();

    char *const room = shared + tables_or_index_bytes<REAL, ROWS, MEMORY>(n_rows, n_classes);
    const struct cut_room<REAL> cuts = cuts_at<REAL>(room, n_rows);
    int n_cells = n_rows, n_tried = 0; /* a cell is a row */

    if (FORM == FORM_A) {
        option_a<REAL, CLASSES, ROWS>(&t, &model, &order, &constants, n_rows, (REAL *)room,
                                      (REAL *)room + STIXELS_N_GEOMETRIES * n_rows, &best);
    } else if (FORM == FORM_CUTS) {
        n_cells = two_passes<REAL, CLASSES>(&t, &model, &order, &constants, n_rows, &task.cuts,
                                            &cuts, (int32_t *)totals, &n_tried);
        if (v < n_cells)
            best = cuts.best[v];
    } else {
        option_b<REAL, CLASSES, ROWS>(&t, &model, &order, &constants, n_rows, &best);
    }

    if (STAGES)
        clock[2] = stage_clock();

    /* after the last barrier of the loop the index table [STX 4.5] may overwrite the tables */
    struct index_row<REAL> *const index = (struct index_row<REAL> *)shared;

    if (v < n_cells) {
        struct index_row<REAL> *const row = &index[FORM == FORM_CUTS ? cuts.at[v + 1] - 1 : v];

#pragma unroll
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
            const int begin = best.cut[g] >> 8;

            row->cost[g] = best.cost[g];
            row->a[g] = (float)best.plane[g].a;
            row->b[g] = (float)best.plane[g].b;
            row->v_b[g] = (uint16_t)(FORM == FORM_CUTS ? cuts.at[begin] : begin);
            row->below[g] = (uint8_t)(best.cut[g] & 0xFF);
            row->semantic[g] =
                (uint8_t)(best.place[g] == STIXELS_NO_CLASS ? STIXELS_NO_CLASS
                                                            : order.at[best.place[g]]);
        }
    }
    __syncthreads();
    if (v == 0) {
        struct stixel *const end = task.slots + ((size_t)blockIdx.x + 1) * (size_t)n_rows;
        int v_t = n_rows - 1, g = cheapest_of(index[v_t].cost), n = 0;

        for (;;) {
            const struct index_row<REAL> *const row = &index[v_t];
            const int v_b = row->v_b[g], below = row->below[g];
            REAL cost = row->cost[g];

            if (v_b > 0)
                cost -= index[v_b - 1].cost[below];

            const struct stixel stixel = {(uint16_t)v_b,
                                          (uint16_t)v_t,
                                          (uint8_t)g,
                                          row->semantic[g],
                                          (uint16_t)(v_b == 0 ? n_tried : 0),
                                          row->a[g],
                                          row->b[g],
                                          (float)cost};

            n++;
            end[-n] = stixel;
            if (v_b == 0)
                break;
            v_t = v_b - 1;
            g = below;
        }
        task.counts[blockIdx.x] = n;
        if (STAGES) {
            uint32_t *const took = task.clocks + (size_t)blockIdx.x * COLUMN_STAGES;

            took[0] = clock[1] - clock[0];
            took[1] = clock[2] - clock[1];
            took[2] = stage_clock() - clock[2];
        }
    }
}

#endif
