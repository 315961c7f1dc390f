/*
 * stixels/gpu-opt - the paper's dynamic programming with fewer instructions a candidate and less waiting a step
 *
 * Source:  [STX] sect. 4, eq. 12; what differs from gpu-paper, and why:
 *   1 down-sampling reads four pixels at a time and has all rows of a block in flight; eight rows of blocks are
 *     gathered before they are written, so that a column is written in pieces of 32 bytes; disparity and confidence
 *     are read once, together.
 *   2 a thread holds the table entries of its own row in registers; those of row v_b are one broadcast for all, four
 *     values a load.
 *   3 classes are sorted by geometry and their sums are integers, so that a class is one instruction (add and
 *     minimum) where the card has it, and only those of possible geometries are looked at.
 *   4 what does not hang on the row below is computed before the barrier that waits for it.
 *   5 a row is written when it is done, and a warp whose rows are done leaves.
 *   6 semantic class and plane are found again for the few stixels of the result, a lane each.
 *   7 one kernel compacts, each block summing the counts before its column, while there are few columns.
 * Mapping: block = column, thread = row, as in gpu-paper.
 * Shared:  132 bytes a row for up to 16 classes of objects, 4 of ground and 4 of sky, and 32 for the rows that are done.
 * Work:    as gpu-paper.
 *
 * arith = exact, and more classes than those, run gpu-paper's kernels.
 */
#include "impl_gpu/stixels/variant.cuh"

/* ---- down-sampling ---- */

#define STRIP_ROWS   8   /* rows of blocks that a CTA makes, a warp each */
#define STRIP_PIXELS 128 /* of a row, four a lane */

static __device__ __forceinline__ void add4(float4 *sum, float4 x)
{
    sum->x += x.x;
    sum->y += x.y;
    sum->z += x.z;
    sum->w += x.w;
}

/* The measured pixels of some confidence, their number, and the confidence of measured pixels. */
static __device__ __forceinline__ void add_depth(float d, float c, float *sum, float *count,
                                                 float *sure)
{
    const bool measured = d >= 0, valid = measured && c > 0;

    *sum += valid ? d : 0;
    *count += valid ? 1.0f : 0.0f;
    *sure += measured ? c : 0;
}

/* The sum over the COLS pixels of a block, of which this lane has four added up; right in the block's first lane. */
template <int COLS> static __device__ __forceinline__ float block_total(float sum)
{
#pragma unroll
    for (int offset = COLS / 8; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL_LANES, sum, (unsigned)offset);
    return sum;
}

/* Planes of float -> blocks, as downsample_kernel; blockIdx.z: 0 makes disparity and confidence, k class k - 1. */
template <int ROWS, int COLS>
static __global__ void __launch_bounds__(STRIP_ROWS *STIXELS_WARP)
    strip_kernel(const float *__restrict__ planes, int n_classes, int height, int width,
                 int n_rows, int n_cols, float *__restrict__ blocks)
{
    enum { BLOCKS = STRIP_PIXELS / COLS };
    __shared__ float made[2][BLOCKS][STRIP_ROWS];
    const int lane = (int)threadIdx.x % STIXELS_WARP, warp = (int)threadIdx.x / STIXELS_WARP;
    const int z = (int)blockIdx.z % (1 + n_classes), frame = (int)blockIdx.z / (1 + n_classes);
    const int x = (int)blockIdx.x * STRIP_PIXELS + 4 * lane;
    const int j = (int)blockIdx.y * STRIP_ROWS + warp;
    const size_t n_pixels = (size_t)height * (size_t)width;
    const size_t first = (size_t)frame * (size_t)(2 + n_classes) + (size_t)(z == 0 ? 0 : z + 1);
    const float *const pixel =
        planes + first * n_pixels + (size_t)j * (size_t)ROWS * (size_t)width + (size_t)x;
    const bool works = x < width && j < n_rows; /* widths are whole blocks of 4 or more */
    float sum = 0, count = 0, sure = 0;

    if (works && z > 0) {
        float4 value[ROWS], total;

#pragma unroll
        for (int y = 0; y < ROWS; y++)
            value[y] = *(const float4 *)(pixel + (size_t)y * (size_t)width);
        total = value[0];
#pragma unroll
        for (int y = 1; y < ROWS; y++)
            add4(&total, value[y]);
        sum = (total.x + total.y) + (total.z + total.w);
    } else if (works) {
#pragma unroll
        for (int y = 0; y < ROWS; y++) {
            const float4 d = *(const float4 *)(pixel + (size_t)y * (size_t)width);
            const float4 c = *(const float4 *)(pixel + n_pixels + (size_t)y * (size_t)width);

            add_depth(d.x, c.x, &sum, &count, &sure);
            add_depth(d.y, c.y, &sum, &count, &sure);
            add_depth(d.z, c.z, &sum, &count, &sure);
            add_depth(d.w, c.w, &sum, &count, &sure);
        }
    }
    sum = block_total<COLS>(sum);
    if (z == 0) { /* the same for the whole CTA */
        count = block_total<COLS>(count);
        sure = block_total<COLS>(sure);
    }
    if (4 * lane % COLS == 0) {
        const int block = 4 * lane / COLS, at = STRIP_ROWS - 1 - warp; /* v grows upwards */

        if (z == 0) {
            made[0][block][at] = stixels_block_is_valid((uint32_t)count, ROWS * COLS)
                                     ? block_mean(sum, (int)count)
                                     : -1;
            made[1][block][at] = block_mean(sure, ROWS * COLS);
        } else {
            made[0][block][at] = block_mean(sum, ROWS * COLS);
        }
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < (z == 0 ? 2 : 1) * BLOCKS * STRIP_ROWS;
         i += STRIP_ROWS * STIXELS_WARP) {
        const int at = i % STRIP_ROWS, block = i / STRIP_ROWS % BLOCKS;
        const int plane = i / (STRIP_ROWS * BLOCKS);
        const int u = (int)blockIdx.x * BLOCKS + block;
        const int v = n_rows - STRIP_ROWS * (1 + (int)blockIdx.y) + at;

        if (u < n_cols && v >= 0)
            blocks[((first + (size_t)plane) * (size_t)n_cols + (size_t)u) * (size_t)n_rows +
                   (size_t)v] = made[plane][block][at];
    }
}

/* ---- tables ---- */

#define OBJECT_QUADS  4 /* classes of each geometry, in fours */
#define GROUND_QUADS  1
#define SKY_QUADS     1
#define N_QUADS       (OBJECT_QUADS + GROUND_QUADS + SKY_QUADS)
#define CLASSES_QUADS (4 * N_QUADS)

/* Which class stands at each place of the sorted semantic sums; -1: none, its cost is 0.  A geometry's free places repeat
 * its first class, which changes no minimum. */
struct sorted_classes {
    int8_t at[CLASSES_QUADS];
};

struct depth_row {
    float4
        a; /* s0 s1 s2 r0; s0 as the bits of an integer, 65025 being 1: exact, so that it is 0 where nothing is measured */
    float4 b; /* r1, object, ground, sky */
};

/* A row that is done: what later rows and backtracking need of it. */
struct done_row {
    float4 cost;      /* object, ground, sky, and the object's disparity there */
    float ground_top; /* the ground's */
    uint16_t link[STIXELS_N_GEOMETRIES], spare; /* v_b and the geometry below, 2 bits */
};

static __host__ __device__ inline size_t opt_shared_bytes(int n_rows)
{
    return ((size_t)n_rows + 1) *
               (sizeof(struct depth_row) + N_QUADS * sizeof(int4) + sizeof(int32_t)) +
           (size_t)n_rows * sizeof(struct done_row);
}

/* The moments of the rows between two that are summed up to. */
static __device__ __forceinline__ struct stixels_moments_float
depth_between(const struct stixels_constants_float *c, const struct depth_row *high,
              const struct depth_row *low, int n_rows)
{
    const int weight = __float_as_int(high->a.x) - __float_as_int(low->a.x);
    struct stixels_moments_float m;

    m.origin = stixels_float_origin(n_rows);
    m.centre = STIXELS_CENTRE_PX;
    m.s0 = (float)weight * (1.0f / STIXELS_WEIGHT_ONE);
    m.s1 = high->a.y - low->a.y;
    m.s2 = high->a.z - low->a.z;
    m.r0 = high->a.w - low->a.w;
    m.r1 = high->b.x - low->b.x;
    m.object = high->b.y - low->b.y;
    m.ground = high->b.z - low->b.z;
    m.sky = high->b.w - low->b.w;
    m.t0 = stixels_float_t0(c, &m);
    return m;
}

/* min(a - b, c) */
static __device__ __forceinline__ int least_difference(int a, int b, int c)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return __viaddmin_s32(a, -b, c);
#else
    const int difference = a - b;

    return difference < c ? difference : c;
#endif
}

template <int FROM, int QUADS>
static __device__ __forceinline__ int least_class(const int4 *high, const int4 *low)
{
    int least = 0x7FFFFFFF;

#pragma unroll
    for (int q = FROM; q < FROM + QUADS; q++) {
        const int4 b = low[q];

        least = least_difference(high[q].x, b.x, least);
        least = least_difference(high[q].y, b.y, least);
        least = least_difference(high[q].z, b.z, least);
        least = least_difference(high[q].w, b.w, least);
    }
    return least;
}

/* Inclusive sums over the rows of a column, one value a thread; 'totals' [MAX_WARPS] is shared and free again after the
 * next barrier but one. */
template <typename T> static __device__ __forceinline__ T block_scan(T value, T *totals)
{
    const int lane = (int)threadIdx.x % STIXELS_WARP, warp = (int)threadIdx.x / STIXELS_WARP;
    T sum = warp_sum(value, lane);

    if (lane == STIXELS_WARP - 1)
        totals[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        sum += totals[w];
    return sum;
}

/* ---- one column ---- */

/* blocks -> slots and counts, as column_kernel; for columns of at most so many rows: the fewer, the more registers. */
template <int ROWS>
static __global__ void __launch_bounds__(ROWS)
    opt_kernel(const float *__restrict__ blocks,
               const struct stixels_model *__restrict__ models, struct sorted_classes sorted,
               int n_cols, int n_rows, struct stixel *__restrict__ slots,
               int32_t *__restrict__ counts)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ struct stixels_constants_float constants;
    __shared__ float totals[2][MAX_WARPS];
    __shared__ int cut[STIXELS_MAX_ROWS],
        n_cuts; /* v_b << 12 | v_t << 2 | geometry, from the top */
    struct depth_row *const depth = (struct depth_row *)shared;
    int4 *const semantic = (int4 *)(depth + n_rows + 1);
    struct done_row *const done =
        (struct done_row *)(semantic + (size_t)N_QUADS * (size_t)(n_rows + 1));
    int32_t *const n_valid = (int32_t *)(done + n_rows); /* before row v */
    const int v = (int)threadIdx.x, frame = (int)blockIdx.x / n_cols;
    const int u = (int)blockIdx.x % n_cols;
    const struct stixels_model *const model = &models[frame];
    const int n_classes = model->n_classes, horizon = model->horizon;
    const size_t plane_stride = (size_t)n_cols * (size_t)n_rows;
    const float *const column =
        blocks +
        ((size_t)frame * (size_t)(2 + n_classes) * (size_t)n_cols + (size_t)u) * (size_t)n_rows;

    if (v == 0)
        constants = stixels_constants_of_float(model);
    __syncthreads();

    const struct stixels_constants_float c = constants;
    const bool in_column = v < n_rows;
    struct depth_row own;
    int4 classes[N_QUADS];
    int own_valid;

    {
        const float d = in_column ? column[v] : -1;
        const bool valid = d >= 0;
        const uint32_t confidence = valid ? (uint32_t)column[plane_stride + (size_t)v] : 0;
        const int weight = stixels_weight(confidence, model->weight_squared);
        const float w = (float)weight * (1.0f / STIXELS_WEIGHT_ONE);
        const struct stixels_float_row row =
            stixels_float_row_of(&c, horizon, w, valid ? d * (1.0f / 256) : 0, v, n_rows);
        float value[8];

        value[0] = __int_as_float(block_scan(weight, (int *)totals[0]));
        value[1] = row.s1;
        value[2] = row.s2;
        value[3] = row.r0;
        value[4] = row.r1;
        value[5] = row.object;
        value[6] = row.ground;
        value[7] = row.sky;
#pragma unroll
        for (int i = 1; i < 8; i++)
            value[i] = block_scan(value[i], totals[i & 1]);
        own.a = make_float4(value[0], value[1], value[2], value[3]);
        own.b = make_float4(value[4], value[5], value[6], value[7]);
        own_valid = block_scan(valid ? 1 : 0, (int *)totals[0]);
    }
#pragma unroll
    for (int q = 0; q < N_QUADS; q++) {
        int cost[4];

#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int k = sorted.at[4 * q + i];

            cost[i] = in_column && k >= 0
                          ? stixels_semantic_cost(
                                (uint32_t)column[(size_t)(2 + k) * plane_stride + (size_t)v])
                          : 0;
            cost[i] = block_scan(cost[i], (int *)totals[~i & 1]);
        }
        classes[q].x = cost[0];
        classes[q].y = cost[1];
        classes[q].z = cost[2];
        classes[q].w = cost[3];
    }
    if (v == 0) {
        depth[0].a = depth[0].b = make_float4(0, 0, 0, 0);
        n_valid[0] = 0;
        for (int q = 0; q < N_QUADS; q++) {
            semantic[q].x = semantic[q].y = semantic[q].z = semantic[q].w = 0;
        }
    }
    if (in_column) {
        depth[v + 1] = own;
        n_valid[v + 1] = own_valid;
#pragma unroll
        for (int q = 0; q < N_QUADS; q++)
            semantic[N_QUADS * (v + 1) + q] = classes[q];
    }
    __syncthreads();

    const int last_of_warp = v | (STIXELS_WARP - 1);
    const bool may_be_ground = v <= horizon && v < n_rows - 1;
    float cost[STIXELS_N_GEOMETRIES], top[STIXELS_N_GEOMETRIES];
    unsigned links[STIXELS_N_GEOMETRIES];

#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        cost[g] = STIXELS_FORBIDDEN;
        top[g] = 0;
        links[g] = 0;
    }
    for (int v_b = 0; v_b < n_rows; v_b++) {
        struct stixels_plane_float plane[STIXELS_N_GEOMETRIES];
        float own_energy[STIXELS_N_GEOMETRIES];
        const bool tries = v >= v_b && in_column;
        const bool may_be_sky = v_b > horizon;

        if (v_b > last_of_warp)
            return; /* the whole warp: its rows are done; exited threads are not waited for */
        if (tries) {
            const struct stixels_moments_float m = depth_between(&c, &own, &depth[v_b], n_rows);
            const int4 *const low = semantic + N_QUADS * v_b;
            const int valid = own_valid - n_valid[v_b], invalid = v + 1 - v_b - valid;
            float energy;

            plane[STIXELS_OBJECT] = stixels_fit_object_float(&c, &m, &energy);
            own_energy[STIXELS_OBJECT] =
                stixels_own_float(&c, STIXELS_OBJECT, energy, valid, invalid,
                                  (float)least_class<0, OBJECT_QUADS>(classes, low));
            if (may_be_ground) {
                plane[STIXELS_GROUND] = stixels_fit_ground_float(&c, &m, &energy);
                own_energy[STIXELS_GROUND] = stixels_own_float(
                    &c, STIXELS_GROUND, energy, valid, invalid,
                    (float)least_class<OBJECT_QUADS, GROUND_QUADS>(classes, low));
            }
            if (may_be_sky) {
                plane[STIXELS_SKY].a = plane[STIXELS_SKY].b = 0;
                own_energy[STIXELS_SKY] = stixels_own_float(
                    &c, STIXELS_SKY, m.sky * c.inverse_sigma2[STIXELS_SKY], valid, invalid,
                    (float)least_class<OBJECT_QUADS + GROUND_QUADS, SKY_QUADS>(classes, low));
            }
        }
        if (v_b > 0)
            __syncthreads(); /* row v_b - 1 has been written */
        if (tries) {
            float below_cost[STIXELS_N_GEOMETRIES], below_top[STIXELS_N_GEOMETRIES];

            if (v_b > 0) {
                const float4 row = done[v_b - 1].cost;

                below_cost[STIXELS_OBJECT] = row.x;
                below_cost[STIXELS_GROUND] = row.y;
                below_cost[STIXELS_SKY] = row.z;
                below_top[STIXELS_OBJECT] = row.w;
                below_top[STIXELS_GROUND] = done[v_b - 1].ground_top;
                below_top[STIXELS_SKY] = 0;
            }
#pragma unroll
            for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
                float energy;
                int below = STIXELS_N_GEOMETRIES;
                bool better;

                if ((g == STIXELS_GROUND && !may_be_ground) ||
                    (g == STIXELS_SKY && !may_be_sky))
                    continue;
                energy = own_energy[g];
                if (v_b > 0)
                    energy = stixels_link_float(&c, g, energy, stixels_at_float(plane[g], v_b),
                                                below_cost, below_top, &below);
                better = energy < cost[g];
                cost[g] = better ? energy : cost[g];
                top[g] = better ? stixels_at_float(plane[g], v) : top[g];
                links[g] = better ? (unsigned)(v_b << 2 | below) : links[g];
            }
            if (v == v_b) {
                done[v].cost = make_float4(cost[STIXELS_OBJECT], cost[STIXELS_GROUND],
                                           cost[STIXELS_SKY], top[STIXELS_OBJECT]);
                done[v].ground_top = top[STIXELS_GROUND];
#pragma unroll
                for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
                    done[v].link[g] = (uint16_t)links[g];
            }
        }
    }

    /* the warp of the last row is what is left */
    __syncwarp();
    if (v == n_rows - 1) {
        const float4 row = done[v].cost;
        int v_t = v, g = STIXELS_OBJECT, n = 0;

        if (row.y < row.x)
            g = STIXELS_GROUND;
        if (row.z < (g == STIXELS_OBJECT ? row.x : row.y))
            g = STIXELS_SKY;
        for (;;) {
            const int link = done[v_t].link[g], v_b = link >> 2;

            cut[n++] = v_b << 12 | v_t << 2 | g;
            if (v_b == 0)
                break;
            v_t = v_b - 1;
            g = link & 3;
        }
        n_cuts = n;
        counts[blockIdx.x] = n;
    }
    __syncwarp();

    /* a lane for each stixel: semantic class, plane and own share of the energy */
    for (int i = v % STIXELS_WARP; i < n_cuts; i += STIXELS_WARP) {
        const int v_b = cut[i] >> 12, v_t = cut[i] >> 2 & 1023, g = cut[i] & 3;
        const struct stixels_moments_float m =
            depth_between(&c, &depth[v_t + 1], &depth[v_b], n_rows);
        const int from = g == STIXELS_OBJECT   ? 0
                         : g == STIXELS_GROUND ? OBJECT_QUADS
                                               : OBJECT_QUADS + GROUND_QUADS;
        const int n = g == STIXELS_OBJECT   ? OBJECT_QUADS
                      : g == STIXELS_GROUND ? GROUND_QUADS
                                            : SKY_QUADS;
        const int *const high = (const int *)(semantic + N_QUADS * (v_t + 1));
        const int *const low = (const int *)(semantic + N_QUADS * v_b);
        struct stixel stixel;
        const float *row = &done[v_t].cost.x;
        float energy = row[g];
        int best = STIXELS_NO_CLASS, least = 0;

        for (int place = 4 * from; place < 4 * (from + n); place++) {
            const int k = sorted.at[place], difference = high[place] - low[place];

            /* the places are not in the order of ids: the smaller id among equals is asked for */
            if (k >= 0 && (best == STIXELS_NO_CLASS || difference < least ||
                           (difference == least && k < best))) {
                best = k;
                least = difference;
            }
        }
        stixel.v_bottom = (uint16_t)v_b;
        stixel.v_top = (uint16_t)v_t;
        stixel.geometry = (uint8_t)g;
        stixel.semantic = (uint8_t)best;
        stixel.reserved = 0;
        stixel.a = stixel.b = 0;
        if (g != STIXELS_SKY) {
            float unused;
            const struct stixels_plane_float plane =
                g == STIXELS_OBJECT ? stixels_fit_object_float(&c, &m, &unused)
                                    : stixels_fit_ground_float(&c, &m, &unused);

            stixel.a = plane.a;
            stixel.b = plane.b;
        }
        if (v_b > 0) {
            const float *const under = &done[v_b - 1].cost.x;

            energy -= under[done[v_t].link[g] & 3];
        }
        stixel.cost = energy;
        slots[((size_t)blockIdx.x + 1) * (size_t)n_rows - 1 - (size_t)i] = stixel;
    }
}

/* ---- compaction ---- */

#define FEW_COLUMNS 4096 /* so many counts are summed by each block, 16 KiB of cache */

/* scan_kernel and copy_kernel in one. */
static __global__ void __launch_bounds__(COPY_THREADS)
    gather_kernel(const struct stixel *__restrict__ slots, const int32_t *__restrict__ counts,
                  int n_columns, int n_rows, struct stixel *__restrict__ list,
                  int32_t *__restrict__ first)
{
    __shared__ int32_t sums[2][COPY_THREADS / STIXELS_WARP];
    const int column = (int)blockIdx.x, lane = (int)threadIdx.x % STIXELS_WARP;
    const int n = counts[column];
    const size_t slot = (size_t)column * (size_t)n_rows, end = slot + (size_t)n_rows;
    const struct stixel nothing = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t before = 0, all = 0;

    for (int i = (int)threadIdx.x; i < n_columns; i += COPY_THREADS) {
        const int32_t count = counts[i];

        all += count;
        before += i < column ? count : 0;
    }
    for (int offset = STIXELS_WARP / 2; offset > 0; offset /= 2) {
        all += __shfl_xor_sync(ALL_LANES, all, offset);
        before += __shfl_xor_sync(ALL_LANES, before, offset);
    }
    if (lane == 0) {
        sums[0][threadIdx.x / STIXELS_WARP] = all;
        sums[1][threadIdx.x / STIXELS_WARP] = before;
    }
    __syncthreads();
    all = before = 0;
    for (int w = 0; w < COPY_THREADS / STIXELS_WARP; w++) {
        all += sums[0][w];
        before += sums[1][w];
    }
    if (threadIdx.x == 0) {
        first[column] = before;
        if (column == n_columns - 1)
            first[n_columns] = all;
    }
    for (int i = (int)threadIdx.x; i < n; i += COPY_THREADS)
        list[before + i] = slots[end - (size_t)n + (size_t)i];
    for (size_t i = (slot > (size_t)all ? slot : (size_t)all) + threadIdx.x; i < end;
         i += COPY_THREADS)
        list[i] = nothing;
}

/* ---- the hooks ---- */

struct opt_state {
    struct state paper; /* what it shares with gpu-paper, and all of it under arith = exact */
    struct sorted_classes sorted;
    bool fast;
};

/* Sort the classes by geometry; false when a geometry has more than its places hold. */
static bool sort_classes(const struct stixels_model *model, struct sorted_classes *sorted)
{
    static const int from[STIXELS_N_GEOMETRIES + 1] = {
        0, 4 * OBJECT_QUADS, 4 * (OBJECT_QUADS + GROUND_QUADS), CLASSES_QUADS};

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        int n = 0;

        for (int k = 0; k < model->n_classes; k++)
            if (model->geometry_of[k] == g) {
                if (from[g] + n >= from[g + 1])
                    return false;
                sorted->at[from[g] + n++] = (int8_t)k;
            }
        for (int place = from[g] + n; place < from[g + 1]; place++)
            sorted->at[place] = n > 0 ? sorted->at[from[g]] : (int8_t)-1;
    }
    return true;
}

static enum bench_status opt_setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    struct opt_state *s = (struct opt_state *)opaque;
    const struct stixels_input *in = (const struct stixels_input *)input;
    const bool exact = bench_is(ctx->params, "arith", "exact");
    struct chosen_kernel kernel;

    if (in->model[0].data_term != STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP, "the uniform part of eq. 6 has no constant-time form; "
                                       "stixels/gpu-cubic sums it over the rows");
    s->fast = !exact && sort_classes(&in->model[0], &s->sorted);
    if (s->fast) {
        kernel.function = in->n_rows <= 512 ? (const void *)opt_kernel<512>
                                            : (const void *)opt_kernel<STIXELS_MAX_ROWS>;
        kernel.shared_bytes = opt_shared_bytes(in->n_rows);
        kernel.workspace_bytes = 0;
    } else {
        kernel = exact ? choose_kernel<double, 0, false, false, false>(in)
                       : choose_kernel<float, 0, false, false, false>(in);
    }
    return setup_variant(&s->paper, ctx, input, output, kernel);
}

template <int ROWS, int COLS> static enum bench_status launch_strips(const struct frame *f)
{
    const struct stixels_input *const in = f->in;
    const dim3 grid((unsigned)((in->width + STRIP_PIXELS - 1) / STRIP_PIXELS),
                    (unsigned)((in->n_rows + STRIP_ROWS - 1) / STRIP_ROWS),
                    (unsigned)(in->n_frames * (1 + in->n_classes)));

    strip_kernel<ROWS, COLS><<<grid, STRIP_ROWS * STIXELS_WARP, 0, f->stream>>>(
        (const float *)f->d_planes, in->n_classes, in->height, in->width, in->n_rows,
        in->n_cols, (float *)f->d_blocks);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

static enum bench_status opt_run(void *opaque)
{
    const struct opt_state *s = (const struct opt_state *)opaque;
    const struct frame *const f = &s->paper.frame;
    const struct stixels_input *const in = f->in;

    if (!s->fast)
        return run(opaque);
    if (in->block_rows == 8 && in->block_cols == 8)
        TRY((launch_strips<8, 8>(f)));
    else if (in->block_rows == 4 && in->block_cols == 4)
        TRY((launch_strips<4, 4>(f)));
    else
        TRY(downsample<float>(f));
    bench_lap(f->ctx->laps, "downsample");
    if (in->n_rows <= 512)
        opt_kernel<512><<<(unsigned)f->n_columns, (unsigned)s->paper.n_threads,
                          s->paper.kernel.shared_bytes, f->stream>>>(
            (const float *)f->d_blocks, f->d_models, s->sorted, in->n_cols, in->n_rows,
            f->d_slots, f->d_counts);
    else
        opt_kernel<STIXELS_MAX_ROWS><<<(unsigned)f->n_columns, (unsigned)s->paper.n_threads,
                                       s->paper.kernel.shared_bytes, f->stream>>>(
            (const float *)f->d_blocks, f->d_models, s->sorted, in->n_cols, in->n_rows,
            f->d_slots, f->d_counts);
    CUDA_TRY_LAUNCH();
    bench_lap(f->ctx->laps, "dynamic programming");
    if (f->n_columns <= FEW_COLUMNS) {
        gather_kernel<<<(unsigned)f->n_columns, COPY_THREADS, 0, f->stream>>>(
            f->d_slots, f->d_counts, (int)f->n_columns, in->n_rows, f->d_list, f->d_first);
        CUDA_TRY_LAUNCH();
    } else {
        TRY(compact(f));
    }
    bench_lap(f->ctx->laps, "compact");
    return BENCH_OK;
}

BENCH_IMPL(stixels_gpu_opt) = {
    .name = "stixels/gpu-opt",
    .problem = &stixels_problem,
    .target = BENCH_CUDA,
    .source = "[STX] eq. 8, 9 and 12, rebuilt for fewer instructions and waits",
    .reference = "stixels/serial",
    .keys = NULL,
    .state_size = sizeof(struct opt_state),
    .reads_raw = NULL,
    .setup = opt_setup,
    .upload = upload,
    .poison = poison,
    .run = opt_run,
    .download = download,
    .teardown = teardown,
};
