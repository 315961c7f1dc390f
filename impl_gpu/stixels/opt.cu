/*
 * stixels/gpu-opt - the paper's dynamic programming with fewer instructions a candidate and less waiting a step
 *
 * Source:  [STX] sect. 4, eq. 12; what differs from gpu-paper, and why:
 *   1 down-sampling reads 8 or 16 bytes of a row at a time and has four rows or more in flight; eight rows of blocks
 *     are gathered before they are written, so that a column is written in pieces of 32 bytes; disparity and confidence
 *     are read once, together.  planes = uint16 reads less than half as many bytes, planes = root8 about a
 *     quarter; the squares of four pixels are one instruction.
 *   2 a thread holds the table entries of its own row in registers; those of row v_b are one broadcast for all, four
 *     values a load.
 *   3 classes are sorted by geometry and their sums are integers, so that a class is one instruction (add and
 *     minimum) where the card has it, and only those of possible geometries are looked at.
 *   4 what does not hang on the row below is computed a step ahead, in the same stretch of instructions as what does;
 *     nothing in a candidate branches.
 *   5 a row is written when it is done, and a warp whose rows are done leaves; rows are dealt to the warps so that the
 *     four schedulers get as much each.
 *   6 semantic class and plane are found again for the few stixels of the result, a lane each.
 *   7 one kernel compacts, each block summing the counts before its column, while there are few columns.
 *   8 multiply-adds are fused, divisions have no slow path, and the cost of a probability comes from the card's logarithm:
 *     last bits differ from gpu-paper's, within the tolerance that arith = float has.
 * Mapping: block = column, thread = row, as in gpu-paper; 32 rows that follow one another are a warp's.
 * Shared:  128 bytes a row for up to 16 classes of objects, 4 of ground and 3 of sky, 192 for up to 32 of objects, and 32 for
 *          the rows that are done.
 * Work:    as gpu-paper.
 *
 * arith = exact, more classes of ground or sky than those, and columns too tall for this card's shared memory run
 * gpu-paper's kernels.
 */
#include "impl_gpu/stixels/opt_keys.h"
#include "impl_gpu/stixels/variant.cuh"

/* ---- down-sampling ---- */

#define STRIP_ROWS 8 /* rows of blocks that a CTA makes, a warp each */

/* PX neighbouring pixels of a row, loaded at once. */
template <typename T, int PX> struct alignas(sizeof(T) * PX) pixels {
    uint32_t word[sizeof(T) * PX / sizeof(uint32_t)];
};

template <typename T, int PX>
static __device__ __forceinline__ struct pixels<T, PX> load_pixels(const T *from) {
    return *(const struct pixels<T, PX> *)from;
}

template <int PX>
static __device__ __forceinline__ float pixel(const struct pixels<float, PX> *p, int i)
{
    return __int_as_float((int)p->word[i]);
}

template <int PX>
static __device__ __forceinline__ uint32_t pixel(const struct pixels<uint16_t, PX> *p, int i)
{
    return p->word[i / 2] >> 16 * (i % 2) & 0xFFFF;
}

template <int PX>
static __device__ __forceinline__ uint32_t pixel(const struct pixels<uint8_t, PX> *p, int i)
{
    return p->word[i / 4] >> 8 * (i % 4) & 0xFF;
}

static __device__ __forceinline__ bool is_disparity(float d)
{
    return d >= 0;
}

static __device__ __forceinline__ bool is_disparity(uint32_t d)
{
    return d != STIXELS_INVALID;
}

/* What N pixels from FROM on add to the mean of a class. */
template <int FROM, int N, int PX>
static __device__ __forceinline__ float class_share(const struct pixels<float, PX> *p)
{
    float sum = 0;

#pragma unroll
    for (int i = FROM; i < FROM + N; i++)
        sum += pixel(p, i);
    return sum;
}

template <int FROM, int N, int PX>
static __device__ __forceinline__ uint32_t class_share(const struct pixels<uint16_t, PX> *p)
{
    uint32_t sum = 0;

#pragma unroll
    for (int i = FROM; i < FROM + N; i++)
        sum += pixel(p, i);
    return sum;
}

/* The squares of four bytes, and more. */
static __device__ __forceinline__ uint32_t add_squares(uint32_t bytes, uint32_t sum)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
    return __dp4a(bytes, bytes, sum);
#else
    for (int shift = 0; shift < 32; shift += 8)
        sum += (bytes >> shift & 0xFF) * (bytes >> shift & 0xFF);
    return sum;
#endif
}

template <int FROM, int N, int PX>
static __device__ __forceinline__ uint32_t class_share(const struct pixels<uint8_t, PX> *p)
{
    uint32_t sum = 0;

#pragma unroll
    for (int i = FROM / 4; i < (FROM + N) / 4; i++)
        sum = add_squares(p->word[i], sum);
    return sum;
}

/* The sum over a block, of which LANES neighbouring lanes have a part each; right in the first of them. */
template <int LANES, typename T> static __device__ __forceinline__ T block_total(T sum)
{
#pragma unroll
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL_LANES, sum, (unsigned)offset);
    return sum;
}

/* Planes -> blocks, as downsample_kernel, PX pixels a lane, PX dividing the width; blockIdx.z: 0 makes disparity and
 * confidence, k class k - 1.  Sums are whole numbers below 2^24: their order does not matter, in float either. */
template <int ROWS, int COLS, int PX, typename DISPARITY, typename CONFIDENCE,
          typename PROBABILITY>
static __global__ void __launch_bounds__(STRIP_ROWS *STIXELS_WARP)
    strip_kernel(struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes, int n_classes,
                 int height, int width, int n_rows, int n_cols, float *__restrict__ blocks)
{
    enum {
        LANES = COLS > PX ? COLS / PX : 1, /* that have a part of one block */
        PARTS = PX > COLS ? PX / COLS : 1, /* blocks that a lane has of its own */
        PART = PX / PARTS,
        BLOCKS = STIXELS_WARP * PX / COLS
    };
    typedef typename block_sum<DISPARITY>::type depth_sum;
    typedef typename block_sum<PROBABILITY>::type class_sum;
    __shared__ float made[2][BLOCKS][STRIP_ROWS];
    const int lane = (int)threadIdx.x % STIXELS_WARP, warp = (int)threadIdx.x / STIXELS_WARP;
    const int z = (int)blockIdx.z % (1 + n_classes), frame = (int)blockIdx.z / (1 + n_classes);
    const int x = ((int)blockIdx.x * STIXELS_WARP + lane) * PX;
    const int j = (int)blockIdx.y * STRIP_ROWS + warp;
    const int at = STRIP_ROWS - 1 - warp; /* v grows upwards */
    const size_t n_pixels = (size_t)height * (size_t)width;
    const size_t pixel_at = (size_t)j * (size_t)ROWS * (size_t)width + (size_t)x;
    const size_t first = (size_t)frame * (size_t)(2 + n_classes) + (size_t)(z == 0 ? 0 : z + 1);
    const bool works = x < width && j < n_rows;

    if (z > 0) {
        const PROBABILITY *const p = planes.probability + (size_t)frame * planes.class_stride +
                                     (size_t)(z - 1) * n_pixels + pixel_at;
        class_sum sum[PARTS] = {};

        if (works) {
            struct pixels<PROBABILITY, PX> value[ROWS];

#pragma unroll
            for (int y = 0; y < ROWS; y++)
                value[y] = load_pixels<PROBABILITY, PX>(p + (size_t)y * (size_t)width);
#pragma unroll
            for (int y = 0; y < ROWS; y++) {
                sum[0] += class_share<0, PART>(&value[y]);
                if (PARTS > 1)
                    sum[PARTS - 1] += class_share<(PARTS - 1) * PART, PART>(&value[y]);
            }
        }
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            sum[part] = block_total<LANES>(sum[part]);
            if (lane % LANES == 0)
                made[0][lane / LANES * PARTS + part][at] =
                    class_mean<PROBABILITY>(sum[part], ROWS * COLS);
        }
    } else {
        const DISPARITY *const d =
            planes.disparity + (size_t)frame * planes.depth_stride + pixel_at;
        const CONFIDENCE *const c =
            planes.confidence + (size_t)frame * planes.depth_stride + pixel_at;
        depth_sum sum[PARTS] = {}, sure[PARTS] = {};
        int count[PARTS] = {};

        if (works) {
            struct pixels<DISPARITY, PX> disparity[ROWS];
            struct pixels<CONFIDENCE, PX> confidence[ROWS];

#pragma unroll
            for (int y = 0; y < ROWS; y++) {
                disparity[y] = load_pixels<DISPARITY, PX>(d + (size_t)y * (size_t)width);
                confidence[y] = load_pixels<CONFIDENCE, PX>(c + (size_t)y * (size_t)width);
            }
#pragma unroll
            for (int y = 0; y < ROWS; y++)
#pragma unroll
                for (int i = 0; i < PX; i++) {
                    const depth_sum value = pixel(&disparity[y], i);
                    const depth_sum weight = (depth_sum)pixel(&confidence[y], i);
                    const bool measured = is_disparity(value), valid = measured && weight > 0;

                    sum[i / PART] += valid ? value : 0;
                    count[i / PART] += valid;
                    sure[i / PART] += measured ? weight : 0;
                }
        }
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            sum[part] = block_total<LANES>(sum[part]);
            count[part] = block_total<LANES>(count[part]);
            sure[part] = block_total<LANES>(sure[part]);
            if (lane % LANES == 0) {
                const int block = lane / LANES * PARTS + part;

                made[0][block][at] = stixels_block_is_valid((uint32_t)count[part], ROWS * COLS)
                                         ? (float)block_mean(sum[part], count[part])
                                         : -1;
                made[1][block][at] = (float)block_mean(sure[part], ROWS * COLS);
            }
        }
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < (z == 0 ? 2 : 1) * BLOCKS * STRIP_ROWS;
         i += STRIP_ROWS * STIXELS_WARP) {
        const int row = i % STRIP_ROWS, block = i / STRIP_ROWS % BLOCKS;
        const int plane = i / (STRIP_ROWS * BLOCKS);
        const int u = (int)blockIdx.x * BLOCKS + block;
        const int v = n_rows - STRIP_ROWS * (1 + (int)blockIdx.y) + row;

        if (u < n_cols && v >= 0)
            blocks[((first + (size_t)plane) * (size_t)n_cols + (size_t)u) * (size_t)n_rows +
                   (size_t)v] = made[plane][block][row];
    }
}

/* ---- tables ---- */

/* Classes of each geometry stand in fours; the last number of the last four is no class but counts measured rows. */
#define FEW_OBJECT_QUADS  4
#define MANY_OBJECT_QUADS 8
#define GROUND_CLASSES    4
#define SKY_CLASSES       3
#define MAX_PLACES        (4 * MANY_OBJECT_QUADS + GROUND_CLASSES + SKY_CLASSES)

/* Which class stands at each place: objects, ground, sky; -1: none, its cost is 0.  A geometry's free places repeat its
 * first class, which changes no minimum. */
struct sorted_classes {
    int8_t at[MAX_PLACES];
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

static size_t opt_shared_bytes(int n_rows, int object_quads)
{
    return ((size_t)n_rows + 1) *
               (sizeof(struct depth_row) + (size_t)(object_quads + 2) * sizeof(int4)) +
           (size_t)n_rows * sizeof(struct done_row);
}

/* Rows between two that are summed up to. */
static __device__ __forceinline__ int weight_between(const struct depth_row *high,
                                                     const struct depth_row *low)
{
    return __float_as_int(high->a.x) - __float_as_int(low->a.x);
}

static __device__ __forceinline__ struct stixels_moments_float
depth_between(const struct stixels_constants_float *c, const struct depth_row *high,
              const struct depth_row *low, int n_rows)
{
    struct stixels_moments_float m;

    m.origin = stixels_float_origin(n_rows);
    m.centre = STIXELS_CENTRE_PX;
    m.s0 = (float)weight_between(high, low) * (1.0f / STIXELS_WEIGHT_ONE);
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

/* The least cost of the classes in QUADS fours, less the LEFT_OUT last numbers of the last of them. */
template <int QUADS, int LEFT_OUT>
static __device__ __forceinline__ float least_class(const int4 *high, const int4 *low)
{
    int least = 0x7FFFFFFF;

#pragma unroll
    for (int q = 0; q < QUADS; q++) {
        const int4 b = low[q];

        least = least_difference(high[q].x, b.x, least);
        least = least_difference(high[q].y, b.y, least);
        least = least_difference(high[q].z, b.z, least);
        if (q < QUADS - 1 || LEFT_OUT == 0)
            least = least_difference(high[q].w, b.w, least);
    }
    return (float)least;
}

/* Inclusive sums over the rows of a column, a row a thread.  'group' is the warp's place from the bottom, 'totals'
 * [n_groups][2 + N_QUADS] is shared. */
template <int N_QUADS>
static __device__ __forceinline__ void scan_rows(struct depth_row *row, int4 *quad,
                                                 int4 *totals, int group, int lane)
{
    int4 *const mine = totals + group * (2 + N_QUADS);

    row->a.x = __int_as_float(warp_sum(__float_as_int(row->a.x), lane));
    row->a.y = warp_sum(row->a.y, lane);
    row->a.z = warp_sum(row->a.z, lane);
    row->a.w = warp_sum(row->a.w, lane);
    row->b.x = warp_sum(row->b.x, lane);
    row->b.y = warp_sum(row->b.y, lane);
    row->b.z = warp_sum(row->b.z, lane);
    row->b.w = warp_sum(row->b.w, lane);
#pragma unroll
    for (int q = 0; q < N_QUADS; q++) {
        quad[q].x = warp_sum(quad[q].x, lane);
        quad[q].y = warp_sum(quad[q].y, lane);
        quad[q].z = warp_sum(quad[q].z, lane);
        quad[q].w = warp_sum(quad[q].w, lane);
    }
    if (lane == STIXELS_WARP - 1) {
        *(float4 *)&mine[0] = row->a;
        *(float4 *)&mine[1] = row->b;
#pragma unroll
        for (int q = 0; q < N_QUADS; q++)
            mine[2 + q] = quad[q];
    }
    __syncthreads();
    for (int below = 0; below < group; below++) {
        const int4 *const total = totals + below * (2 + N_QUADS);
        const float4 a = *(const float4 *)&total[0], b = *(const float4 *)&total[1];

        row->a.x = __int_as_float(__float_as_int(row->a.x) + __float_as_int(a.x));
        row->a.y += a.y;
        row->a.z += a.z;
        row->a.w += a.w;
        row->b.x += b.x;
        row->b.y += b.y;
        row->b.z += b.z;
        row->b.w += b.w;
#pragma unroll
        for (int q = 0; q < N_QUADS; q++) {
            const int4 t = total[2 + q];

            quad[q].x += t.x;
            quad[q].y += t.y;
            quad[q].z += t.z;
            quad[q].w += t.w;
        }
    }
}

/* ---- one candidate ---- */

/* Multiply and add, rounded once. */
static __device__ __forceinline__ float fused(float a, float b, float c)
{
    return fmaf(a, b, c);
}

/* 1 / x, and with it a / x: what the division of CUDA computes, without its look at exponents near the limits, which no
 * weight and no determinant has. */
static __device__ __forceinline__ float reciprocal(float x)
{
#ifdef __CUDA_ARCH__
    float r;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return fused(fused(-x, r, 1.0f), r, r);
#else
    return 1.0f / x;
#endif
}

static __device__ __forceinline__ float quotient(float a, float x, float reciprocal_of_x)
{
    const float q = a * reciprocal_of_x;

    return fused(fused(-x, q, a), reciprocal_of_x, q);
}

/* What the forms of stixels_fit.h hang on, as far as it is the same for all stixels of a column. */
struct opt_constants {
    struct stixels_constants_float c;
    float origin;
    float centred;                     /* the expected ground at the origin, less the centre */
    float anchored;                    /* lam_a origin */
    float a2;                          /* lam_b + lam_a origin^2 */
    float every[STIXELS_N_GEOMETRIES]; /* plane + beta_mc */
    float measured[STIXELS_N_GEOMETRIES]; /* k_valid - k_invalid */
};

static __device__ __forceinline__ struct opt_constants
opt_constants_of(const struct stixels_constants_float *c, int n_rows)
{
    struct opt_constants o;

    o.c = *c;
    o.origin = stixels_float_origin(n_rows);
    o.centred = c->mu_b * o.origin + c->mu_a - STIXELS_CENTRE_PX;
    o.anchored = c->lam_a * o.origin;
    o.a2 = c->lam_b + o.anchored * o.origin;
#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        o.every[g] = c->plane[g] + c->beta_mc;
        o.measured[g] = c->k_valid[g] - c->k_invalid[g];
    }
    return o;
}

/* Which geometries beside object the stixels of a warp's rows may have, by where they begin and the warp is. */
enum beside { NOTHING, GROUND, SKY };

/* A stixel of rows v_b .. v, as far as it does not hang on what is below. */
struct candidate {
    float own[STIXELS_N_GEOMETRIES]; /* energies */
    float object;                    /* px */
    float bottom, top;               /* of the ground, px at v_b and v */
};

static __device__ __forceinline__ float own_of(const struct opt_constants *c, int g,
                                               float depth, float n_valid, float n_rows,
                                               float semantic)
{
    float energy = fused(depth, c->c.inverse_sigma2[g], c->every[g]);

    energy = fused(n_valid, c->measured[g], energy);
    energy = fused(n_rows, c->c.k_invalid[g], energy);
    return fused(semantic, c->c.weight_semantic, energy);
}

/* The forms of stixels_fit.h with fused multiply-adds and without a branch: stixels_fit_object, stixels_fit_ground,
 * stixels_own. */
template <enum beside BESIDE, int OBJECT_QUADS>
static __device__ __forceinline__ struct candidate
make_candidate(const struct opt_constants *c, const struct depth_row *high, const int4 *classes,
               const struct depth_row *low, const int4 *low_classes, int v_b, int v)
{
    const int weight = weight_between(high, low);
    const float s0 = (float)weight * (1.0f / STIXELS_WEIGHT_ONE);
    const float s1 = high->a.y - low->a.y, r0 = high->a.w - low->a.w;
    const float t0 = fused(c->centred, s0, fused(c->c.mu_b, s1, r0));
    const float object = high->b.y - low->b.y;
    const int4 last_high = classes[OBJECT_QUADS + 1];
    const int4 last_low = low_classes[OBJECT_QUADS + 1];
    const float n_valid = (float)(last_high.w - last_low.w), n_rows = (float)(v + 1 - v_b);
    struct candidate x;

    {
        const bool measured = weight > 0;
        const float divisor = measured ? s0 : 1;
        const float mean = quotient(measured ? t0 : 0, divisor, reciprocal(divisor));

        x.object = measured ? mean + STIXELS_CENTRE_PX : 0;
        x.own[STIXELS_OBJECT] =
            own_of(c, STIXELS_OBJECT, fmaxf(fused(-mean, t0, object), 0), n_valid, n_rows,
                   least_class<OBJECT_QUADS, 0>(classes, low_classes));
    }
    x.own[STIXELS_GROUND] = x.own[STIXELS_SKY] = x.bottom = x.top = 0;
    if (BESIDE == GROUND) {
        const float r1 = high->b.x - low->b.x, ground = high->b.z - low->b.z;
        const float a0 = s0 + c->c.lam_a, a1 = s1 - c->anchored;
        const float a2 = (high->a.z - low->a.z) + c->a2;
        const float product = a0 * a2, determinant = fused(-a1, a1, product);
        const bool solvable = determinant > 1e-6f * product, weighs = a0 > 0;
        const float divisor = solvable ? determinant : weighs ? a0 : 1;
        const float slanted_alpha = fused(a2, r0, -(a1 * r1));
        const float slanted_beta = fused(a0, r1, -(a1 * r0));
        const float over = reciprocal(divisor);
        const float alpha = quotient(solvable ? slanted_alpha : weighs ? r0 : 0, divisor, over);
        const float beta = quotient(solvable ? slanted_beta : 0, divisor, over);
        const float energy = fused(-beta, r1, fused(-alpha, r0, ground));
        const float b = c->c.mu_b + beta, a = fused(-beta, c->origin, c->c.mu_a + alpha);

        x.bottom = fused(b, (float)v_b, a);
        x.top = fused(b, (float)v, a);
        x.own[STIXELS_GROUND] =
            own_of(c, STIXELS_GROUND, fmaxf(energy, 0), n_valid, n_rows,
                   least_class<1, 0>(classes + OBJECT_QUADS, low_classes + OBJECT_QUADS));
    }
    if (BESIDE == SKY)
        x.own[STIXELS_SKY] = own_of(
            c, STIXELS_SKY, high->b.w - low->b.w, n_valid, n_rows,
            least_class<1, 1>(classes + OBJECT_QUADS + 1, low_classes + OBJECT_QUADS + 1));
    return x;
}

/* What a thread keeps of its row. */
struct kept_row {
    float cost[STIXELS_N_GEOMETRIES], top[2]; /* no sky: its disparity is 0 */
    unsigned link[STIXELS_N_GEOMETRIES];
};

static __device__ __forceinline__ void write_row(struct done_row *done,
                                                 const struct kept_row *row)
{
    done->cost = make_float4(row->cost[STIXELS_OBJECT], row->cost[STIXELS_GROUND],
                             row->cost[STIXELS_SKY], row->top[STIXELS_OBJECT]);
    done->ground_top = row->top[STIXELS_GROUND];
#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        done->link[g] = (uint16_t)row->link[g];
}

static __device__ __forceinline__ void keep(struct kept_row *row, int g, bool better,
                                            float energy, unsigned link)
{
    row->cost[g] = better ? energy : row->cost[g];
    row->link[g] = better ? link : row->link[g];
}

/* stixels_link of all geometries: what is forbidden costs so much that no float energy changes it, so it needs no test.
 * Equal energies stay with the first, as there. */
template <enum beside BESIDE>
static __device__ __forceinline__ void
try_candidate(const struct opt_constants *c, const struct candidate *x,
              const struct done_row *below, int v_b, bool tries, bool may_be_ground,
              struct kept_row *row)
{
    const float4 cost = below->cost; /* and the top of the object in w */
    const float ground_top = below->ground_top;
    const unsigned link = (unsigned)v_b << 2;

    {
        const float own = x->own[STIXELS_OBJECT];
        const float on_object = cost.w - x->object, on_ground = ground_top - x->object;
        const bool farther = on_ground > 0;
        float transition = fused(-c->c.ordering_beta, on_object, c->c.ordering_alpha);
        float energy = own + (on_object < 0 ? transition : 0) + cost.x, other;
        unsigned from = link | STIXELS_OBJECT;
        bool better;

        transition = fused(farther ? c->c.behind_beta : -c->c.hovering_beta, on_ground,
                           farther ? c->c.behind_alpha : c->c.hovering_alpha);
        other = own + (on_ground > 0 || on_ground < 0 ? transition : 0) + cost.y;
        better = other < energy;
        energy = better ? other : energy;
        from = better ? link | STIXELS_GROUND : from;
        other = own + cost.z;
        better = other < energy;
        energy = better ? other : energy;
        from = better ? link | STIXELS_SKY : from;
        better = tries && energy < row->cost[STIXELS_OBJECT];
        keep(row, STIXELS_OBJECT, better, energy, from);
        row->top[STIXELS_OBJECT] = better ? x->object : row->top[STIXELS_OBJECT];
    }
    if (BESIDE == GROUND) {
        const float own = x->own[STIXELS_GROUND];
        const float on_object = cost.w - x->bottom, on_ground = ground_top - x->bottom;
        const float transition = fused(c->c.gap_beta, fabsf(on_ground), c->c.gap_alpha);
        const float other = own + (on_ground > 0 || on_ground < 0 ? transition : 0) + cost.y;
        float energy = on_object < 0 ? STIXELS_FORBIDDEN : own + cost.x;
        const bool ground = other < energy;
        bool better;

        energy = ground ? other : energy;
        better = tries && may_be_ground && energy < row->cost[STIXELS_GROUND];
        keep(row, STIXELS_GROUND, better, energy,
             link | (ground ? STIXELS_GROUND : STIXELS_OBJECT));
        row->top[STIXELS_GROUND] = better ? x->top : row->top[STIXELS_GROUND];
    }
    if (BESIDE == SKY) {
        const float energy = x->own[STIXELS_SKY] + cost.x;

        keep(row, STIXELS_SKY, tries && energy < row->cost[STIXELS_SKY], energy,
             link | STIXELS_OBJECT);
    }
}

/* ---- one column ---- */

/* Begins a branch whose code is not to be merged with that of others, which would put what runs side by side one after
 * the other. */
#define KEEP_APART(number) asm volatile("" : : "n"(number) : "memory")

/* Which rows a warp has, in groups of 32 from the bottom: the higher, the more stixels end there.  Warps are dealt to the
 * four schedulers of a multiprocessor in turn; every other four of them are turned round, and which ones is the other way
 * round in every other column that lies there, so that each scheduler gets as much as the others. */
static __device__ __forceinline__ int group_of(int warp, int n_warps, bool turned)
{
    const int four = warp / 4;

    return (four & 1) != (int)turned && 4 * four + 3 < n_warps ? 8 * four + 3 - warp : warp;
}

struct opt_task {
    const float *blocks;                /* [n_frames][2 + n_classes][n_cols][n_rows] */
    const struct stixels_model *models; /* [n_frames] */
    const struct stixels_constants_float *constants; /* [n_frames] */
    struct sorted_classes sorted;
    int n_cols, n_rows;
    int n_processors;     /* so many columns are the first that they get */
    struct stixel *slots; /* [n_columns][n_rows], as column_kernel */
    int32_t *counts;      /* [n_columns] */
    uint32_t *clocks;     /* [n_columns][COLUMN_STAGES] where LAPS */
};

/* log2(x), as near as the card has it: absolute error 2^-22 or so. */
static __device__ __forceinline__ float log_2(float x)
{
#ifdef __CUDA_ARCH__
    float y;

    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return log2f(x);
#endif
}

#define ROUNDING \
    12582912.0f /* 1.5 * 2^23: what is added to it is rounded to a whole number, in its last bits */

/* stixels_semantic_cost by a logarithm instead of a table: off by 1/1024 nat where its rounding is nearly a tie. */
static __device__ __forceinline__ int cost_of(float probability)
{
    const float one = 11356.5078f; /* -log(1 / 65535) in 1/1024 nat */
    /* of probability 0: what it costs, STIXELS_LEAST_PROBABILITY_COST */
    const float y =
        fmaxf(log_2(probability), (one - STIXELS_LEAST_PROBABILITY_COST) / 709.782713f);

    return __float_as_int(fused(y, -709.782713f, one) + ROUNDING) - __float_as_int(ROUNDING);
}

/* The look-up values of row v: its entries of the tables, before they are summed. */
template <int OBJECT_QUADS>
static __device__ __forceinline__ void
load_rows(const struct opt_task *task, const struct stixels_constants_float *c,
          const struct stixels_model *model, const float *column, int v, struct depth_row *own,
          int4 *classes)
{
    enum { N_QUADS = OBJECT_QUADS + 2 };
    const int n_rows = task->n_rows;
    const size_t plane_stride = (size_t)task->n_cols * (size_t)n_rows;
    const bool in_column = v < n_rows;
    float p[4 * N_QUADS];

    /* all loads first, none of which waits for another: rows that are not there read one that is */
    const float *const at = column + (in_column ? v : 0);
    const float d = at[0], sure = at[plane_stride];

#pragma unroll
    for (int i = 0; i < 4 * N_QUADS - 1; i++) {
        const int k = task->sorted.at[i];

        p[i] = k < 0 ? 65535 : at[(size_t)(2 + k) * plane_stride]; /* k is the same for all */
    }

    const bool valid = in_column && d >= 0;
    const uint32_t confidence = valid ? (uint32_t)sure : 0;
    const int weight = stixels_weight(confidence, model->weight_squared);
    const struct stixels_float_row row =
        stixels_float_row_of(c, model->horizon, (float)weight * (1.0f / STIXELS_WEIGHT_ONE),
                             valid ? d * (1.0f / 256) : 0, v, n_rows);

    own->a = make_float4(__int_as_float(weight), row.s1, row.s2, row.r0);
    own->b = make_float4(row.r1, row.object, row.ground, row.sky);
#pragma unroll
    for (int q = 0; q < N_QUADS; q++) {
        classes[q].x = cost_of(p[4 * q]);
        classes[q].y = cost_of(p[4 * q + 1]);
        classes[q].z = cost_of(p[4 * q + 2]);
        classes[q].w = q == N_QUADS - 1 ? (int)valid : cost_of(p[4 * q + 3]);
    }
}

/* The stixels of a column from the links of its rows, by the warp of the last row; their number. */
static __device__ __forceinline__ int walk_back(const struct done_row *done, int n_rows,
                                                int *cut)
{
    const float4 row = done[n_rows - 1].cost;
    int v_t = n_rows - 1, g = STIXELS_OBJECT, n = 0;

    if (row.y < row.x)
        g = STIXELS_GROUND;
    if (row.z < (g == STIXELS_OBJECT ? row.x : row.y))
        g = STIXELS_SKY;
    for (;;) {
        const int link = done[v_t].link[g], v_b = link >> 2;

        cut[n++] = v_b << 12 | v_t << 2 | g;
        if (v_b == 0)
            return n;
        v_t = v_b - 1;
        g = link & 3;
    }
}

/* One of them: semantic class, plane and own share of the energy. */
template <int OBJECT_QUADS>
static __device__ __forceinline__ struct stixel
make_stixel(const struct opt_task *task, const struct stixels_constants_float *c,
            const struct depth_row *depth, const int4 *semantic, const struct done_row *done,
            int v_b, int v_t, int g)
{
    enum { N_QUADS = OBJECT_QUADS + 2 };
    const struct stixels_moments_float m =
        depth_between(c, &depth[v_t + 1], &depth[v_b], task->n_rows);
    const int from =
        g == STIXELS_OBJECT ? 0 : 4 * (g == STIXELS_GROUND ? OBJECT_QUADS : N_QUADS - 1);
    const int n = g == STIXELS_OBJECT   ? 4 * OBJECT_QUADS
                  : g == STIXELS_GROUND ? GROUND_CLASSES
                                        : SKY_CLASSES;
    const int *const high = (const int *)(semantic + N_QUADS * (v_t + 1));
    const int *const low = (const int *)(semantic + N_QUADS * v_b);
    const float *const row = &done[v_t].cost.x;
    struct stixel stixel;
    float energy = row[g];
    int best = STIXELS_NO_CLASS, least = 0;

    for (int place = from; place < from + n; place++) {
        const int k = task->sorted.at[place], difference = high[place] - low[place];

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
        const struct stixels_plane_float plane = g == STIXELS_OBJECT
                                                     ? stixels_fit_object_float(c, &m, &unused)
                                                     : stixels_fit_ground_float(c, &m, &unused);

        stixel.a = plane.a;
        stixel.b = plane.b;
    }
    if (v_b > 0) {
        const float *const under = &done[v_b - 1].cost.x;

        energy -= under[done[v_t].link[g] & 3];
    }
    stixel.cost = energy;
    return stixel;
}

/*
 * blocks -> slots and counts, as column_kernel; for columns of at most so many rows: the fewer, the more registers.
 *
 * Step v_b tries the stixels that begin there.  While a warp waits for what row v_b - 1 found and goes through it, it has
 * the candidates of the next step in work, which hang on nothing: one stretch of instructions without a branch, so that
 * the two fill each other's gaps.
 */
template <int ROWS, int OBJECT_QUADS, bool LAPS>
static __global__ void __launch_bounds__(ROWS) opt_kernel(struct opt_task task)
{
    enum { N_QUADS = OBJECT_QUADS + 2 };
    extern __shared__ __align__(16) char shared[];
    __shared__ int4 totals[ROWS / STIXELS_WARP * (2 + N_QUADS)];
    __shared__ int cut[ROWS], n_cuts; /* v_b << 12 | v_t << 2 | geometry, from the top */
    const int n_rows = task.n_rows, n_warps = (int)blockDim.x / STIXELS_WARP;
    const int lane = (int)threadIdx.x % STIXELS_WARP;
    const int group = group_of((int)threadIdx.x / STIXELS_WARP, n_warps,
                               ((int)blockIdx.x / task.n_processors & 1) != 0);
    const int v = group * STIXELS_WARP + lane, last_of_warp = v | (STIXELS_WARP - 1);
    const int frame = (int)blockIdx.x / task.n_cols, u = (int)blockIdx.x % task.n_cols;
    struct depth_row *const depth = (struct depth_row *)shared;
    int4 *const semantic = (int4 *)(depth + n_rows + 1);
    struct done_row *const done = (struct done_row *)(semantic + N_QUADS * (n_rows + 1));
    const struct stixels_model *const model = &task.models[frame];
    const struct opt_constants c = opt_constants_of(&task.constants[frame], n_rows);
    const int horizon = model->horizon;
    struct depth_row own;
    int4 classes[N_QUADS];
    uint32_t clock[COLUMN_STAGES];

    if (LAPS)
        clock[0] = stage_clock();
    load_rows<OBJECT_QUADS>(
        &task, &c.c, model,
        task.blocks +
            ((size_t)frame * (size_t)(2 + model->n_classes) * (size_t)task.n_cols + (size_t)u) *
                (size_t)n_rows,
        v, &own, classes);
    scan_rows<N_QUADS>(&own, classes, totals, group, lane);
    if (v < n_rows) {
        depth[v + 1] = own;
#pragma unroll
        for (int q = 0; q < N_QUADS; q++)
            semantic[N_QUADS * (v + 1) + q] = classes[q];
    }
    if (v == 0) {
        depth[0].a = depth[0].b = make_float4(0, 0, 0, 0);
        for (int q = 0; q < N_QUADS; q++)
            semantic[q].x = semantic[q].y = semantic[q].z = semantic[q].w = 0;
    }
    __syncthreads();
    if (LAPS)
        clock[1] = stage_clock();

    const bool may_be_ground = v <= horizon && v < n_rows - 1;
    const bool grounded =
        last_of_warp - (STIXELS_WARP - 1) <= horizon; /* some row of the warp */
    const int last = last_of_warp < n_rows - 1 ? last_of_warp : n_rows - 1;
    struct kept_row row;
    struct candidate now;

    /* row 0 begins a column: nothing is below */
    if (horizon < 0)
        now = make_candidate<SKY, OBJECT_QUADS>(&c, &own, classes, depth, semantic, 0, v);
    else
        now = make_candidate<GROUND, OBJECT_QUADS>(&c, &own, classes, depth, semantic, 0, v);
    row.cost[STIXELS_OBJECT] = now.own[STIXELS_OBJECT];
    row.cost[STIXELS_GROUND] = may_be_ground ? now.own[STIXELS_GROUND] : STIXELS_FORBIDDEN;
    row.cost[STIXELS_SKY] = horizon < 0 ? now.own[STIXELS_SKY] : STIXELS_FORBIDDEN;
    row.top[STIXELS_OBJECT] = now.object;
    row.top[STIXELS_GROUND] = may_be_ground ? now.top : 0;
#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        row.link[g] = STIXELS_N_GEOMETRIES;

    if (horizon < 0)
        now = make_candidate<SKY, OBJECT_QUADS>(&c, &own, classes, depth + 1,
                                                semantic + N_QUADS, 1, v);
    else
        now = make_candidate<GROUND, OBJECT_QUADS>(&c, &own, classes, depth + 1,
                                                   semantic + N_QUADS, 1, v);
#pragma unroll 1
    for (int v_b = 1;; v_b++) {
        /* what begins one row higher: of n_rows, after the last, there is an entry, and nothing comes of it */
        const struct depth_row *const low = &depth[v_b + 1];
        const int4 *const low_classes = semantic + N_QUADS * (v_b + 1);
        const bool tries = v >= v_b && v < n_rows;
        struct candidate next;

        if (v == v_b - 1)
            write_row(&done[v], &row);
        if (v_b == n_rows)
            break;
        __syncthreads(); /* row v_b - 1 has been written */
        if (v_b > last)
            return; /* the whole warp: its rows are done; exited threads are not waited for */
        if (v_b > horizon) {
            KEEP_APART(1);
            if (v_b == horizon + 1) /* the first that may be sky */
                now = make_candidate<SKY, OBJECT_QUADS>(&c, &own, classes, &depth[v_b],
                                                        semantic + N_QUADS * v_b, v_b, v);
            next = make_candidate<SKY, OBJECT_QUADS>(&c, &own, classes, low, low_classes,
                                                     v_b + 1, v);
            try_candidate<SKY>(&c, &now, &done[v_b - 1], v_b, tries, false, &row);
        } else if (grounded) {
            KEEP_APART(2);
            next = make_candidate<GROUND, OBJECT_QUADS>(&c, &own, classes, low, low_classes,
                                                        v_b + 1, v);
            try_candidate<GROUND>(&c, &now, &done[v_b - 1], v_b, tries, may_be_ground, &row);
        } else {
            KEEP_APART(3);
            next = make_candidate<NOTHING, OBJECT_QUADS>(&c, &own, classes, low, low_classes,
                                                         v_b + 1, v);
            try_candidate<NOTHING>(&c, &now, &done[v_b - 1], v_b, tries, false, &row);
        }
        now = next;
    }
    if (LAPS)
        clock[2] = stage_clock();

    /* the warp of the last row is what is left */
    __syncwarp();
    if (v == n_rows - 1) {
        n_cuts = walk_back(done, n_rows, cut);
        task.counts[blockIdx.x] = n_cuts;
    }
    __syncwarp();
    for (int i = lane; i < n_cuts; i += STIXELS_WARP)
        task.slots[((size_t)blockIdx.x + 1) * (size_t)n_rows - 1 - (size_t)i] =
            make_stixel<OBJECT_QUADS>(&task, &c.c, depth, semantic, done, cut[i] >> 12,
                                      cut[i] >> 2 & 1023, cut[i] & 3);
    if (LAPS) {
        __syncwarp();
        if (v == n_rows - 1) {
            uint32_t *const took = task.clocks + (size_t)blockIdx.x * COLUMN_STAGES;

            took[0] = clock[1] - clock[0];
            took[1] = clock[2] - clock[1];
            took[2] = stage_clock() - clock[2];
        }
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
    int n_processors;
    bool fast;
};

/* Sort the classes by geometry into as many places for objects as 'object_quads' has; false when one has more classes. */
static bool sort_classes(const struct stixels_model *model, int object_quads,
                         struct sorted_classes *sorted)
{
    const int from[STIXELS_N_GEOMETRIES + 1] = {
        0, 4 * object_quads, 4 * object_quads + GROUND_CLASSES,
        4 * object_quads + GROUND_CLASSES + SKY_CLASSES};

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

typedef void opt_kernel_fn(struct opt_task task);

template <int OBJECT_QUADS, bool LAPS> static const void *choose_rows(int n_rows)
{
    opt_kernel_fn *const few = opt_kernel<FEW_ROWS, OBJECT_QUADS, LAPS>;
    opt_kernel_fn *const all = opt_kernel<STIXELS_MAX_ROWS, OBJECT_QUADS, LAPS>;

    return (const void *)(n_rows <= FEW_ROWS ? few : all);
}

template <int OBJECT_QUADS> static struct chosen_kernel choose_opt(int n_rows)
{
    struct chosen_kernel kernel;

    kernel.function = choose_rows<OBJECT_QUADS, false>(n_rows);
    kernel.stamped = choose_rows<OBJECT_QUADS, true>(n_rows);
    kernel.shared_bytes = opt_shared_bytes(n_rows, OBJECT_QUADS);
    kernel.workspace_bytes = 0;
    return kernel;
}

/* Whether a block of this card has the shared memory that the kernel wants; gpu-paper's wants less a row. */
static enum bench_status has_room(const struct chosen_kernel *kernel, bool *room)
{
    struct cudaFuncAttributes attributes;
    int device, most_shared;

    CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel->function));
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(
        cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    *room = kernel->shared_bytes + attributes.sharedSizeBytes <= (size_t)most_shared;
    return BENCH_OK;
}

static enum bench_status opt_setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    struct opt_state *s = (struct opt_state *)opaque;
    const struct stixels_input *in = (const struct stixels_input *)input;
    const bool exact = bench_is(ctx->params, "arith", "exact");
    const bool kept = !bench_is(ctx->params, "planes", "float");
    struct chosen_kernel kernel;
    int device;

    if (in->model[0].data_term != STIXELS_E12)
        return BENCH_FAIL(BENCH_ESKIP, "the uniform part of eq. 6 has no constant-time form; "
                                       "stixels/gpu-cubic sums it over the rows");
    if (exact && bench_is(ctx->params, "planes", "root8"))
        return BENCH_FAIL(BENCH_ESKIP, "probabilities of 8 bits are not the ones that arith = "
                                       "exact asks for; planes = uint16 loses nothing");
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&s->n_processors, cudaDevAttrMultiProcessorCount, device));
    if (!exact && kept)
        s->paper.frame.planes =
            bench_is(ctx->params, "planes", "root8") ? PLANES_ROOT8 : PLANES_KEPT;
    s->fast = false;
    if (!exact && sort_classes(&in->model[0], FEW_OBJECT_QUADS, &s->sorted)) {
        kernel = choose_opt<FEW_OBJECT_QUADS>(in->n_rows);
        TRY(has_room(&kernel, &s->fast));
    } else if (!exact && sort_classes(&in->model[0], MANY_OBJECT_QUADS, &s->sorted)) {
        kernel = choose_opt<MANY_OBJECT_QUADS>(in->n_rows);
        TRY(has_room(&kernel, &s->fast));
    }
    if (!s->fast)
        kernel = exact ? choose_kernel<double, 0, false, false, false, false>(in)
                       : choose_kernel<float, 0, false, false, false, false>(in);
    return setup_variant(&s->paper, ctx, input, output, kernel);
}

template <int ROWS, int COLS, int PX, typename DISPARITY, typename CONFIDENCE,
          typename PROBABILITY>
static enum bench_status
launch_strips(const struct frame *f,
              struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes)
{
    const struct stixels_input *const in = f->in;
    const dim3 grid((unsigned)((in->width + PX * STIXELS_WARP - 1) / (PX * STIXELS_WARP)),
                    (unsigned)((in->n_rows + STRIP_ROWS - 1) / STRIP_ROWS),
                    (unsigned)(in->n_frames * (1 + in->n_classes)));

    strip_kernel<ROWS, COLS, PX, DISPARITY, CONFIDENCE, PROBABILITY>
        <<<grid, STRIP_ROWS * STIXELS_WARP, 0, f->stream>>>(planes, in->n_classes, in->height,
                                                            in->width, in->n_rows, in->n_cols,
                                                            (float *)f->d_blocks);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

/* Blocks of 8 x 8 and 4 x 4 in strips of PX pixels a lane where the width has whole ones, others as gpu-paper. */
template <int PX, typename DISPARITY, typename CONFIDENCE, typename PROBABILITY>
static enum bench_status
downsample_planes(const struct frame *f,
                  struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes)
{
    const struct stixels_input *const in = f->in;

    if (in->block_rows == 8 && in->block_cols == 8)
        return launch_strips<8, 8, PX, DISPARITY, CONFIDENCE, PROBABILITY>(f, planes);
    if (in->block_rows == 4 && in->block_cols == 4 && in->width % PX == 0)
        return launch_strips<4, 4, PX, DISPARITY, CONFIDENCE, PROBABILITY>(f, planes);
    if (in->block_rows == 4 && in->block_cols == 4)
        return launch_strips<4, 4, 4, DISPARITY, CONFIDENCE, PROBABILITY>(f, planes);
    return downsample_from<DISPARITY, CONFIDENCE, PROBABILITY, float>(f, planes);
}

static enum bench_status downsample_opt(const struct frame *f)
{
    if (f->exact)
        return downsample<uint16_t>(f);
    if (f->planes == PLANES_KEPT)
        return downsample_planes<8>(f, kept_planes<uint16_t>(f, f->d_probability));
    if (f->planes == PLANES_ROOT8)
        return downsample_planes<8>(f, kept_planes<uint8_t>(f, f->d_planes));
    return downsample_planes<4>(f, dense_planes<float>(f));
}

static enum bench_status launch_opt(const struct opt_state *s)
{
    const struct frame *const f = &s->paper.frame;
    const bool stamped = f->ctx->laps != NULL;
    opt_kernel_fn *const kernel =
        (opt_kernel_fn *)(stamped ? s->paper.kernel.stamped : s->paper.kernel.function);
    struct opt_task task;

    task.blocks = (const float *)f->d_blocks;
    task.models = f->d_models;
    task.constants = (const struct stixels_constants_float *)f->d_constants;
    task.sorted = s->sorted;
    task.n_cols = f->in->n_cols;
    task.n_rows = f->in->n_rows;
    task.n_processors = s->n_processors;
    task.slots = f->d_slots;
    task.counts = f->d_counts;
    task.clocks = f->d_clocks;
    kernel<<<(unsigned)f->n_columns, (unsigned)s->paper.n_threads, s->paper.kernel.shared_bytes,
             f->stream>>>(task);
    CUDA_TRY_LAUNCH();
    lap_columns(&s->paper, stamped);
    return BENCH_OK;
}

static enum bench_status opt_run(void *opaque)
{
    const struct opt_state *s = (const struct opt_state *)opaque;
    const struct frame *const f = &s->paper.frame;

    TRY(downsample_opt(f));
    bench_lap(f->ctx->laps, "downsample");
    TRY(s->fast ? launch_opt(s) : launch_columns(&s->paper));
    if (s->fast && f->n_columns <= FEW_COLUMNS) {
        gather_kernel<<<(unsigned)f->n_columns, COPY_THREADS, 0, f->stream>>>(
            f->d_slots, f->d_counts, (int)f->n_columns, f->in->n_rows, f->d_list, f->d_first);
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
    .keys = stixels_gpu_opt_keys,
    .state_size = sizeof(struct opt_state),
    .reads_raw = NULL,
    .setup = opt_setup,
    .upload = upload,
    .poison = poison,
    .run = opt_run,
    .download = download,
    .teardown = teardown,
};
