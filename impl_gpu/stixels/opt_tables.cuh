/* opt_tables.cuh - stixels/gpu-opt: the summed tables of a column */
#ifndef STIXELS_OPT_TABLES_CUH
#define STIXELS_OPT_TABLES_CUH

#include "impl_gpu/stixels/early.cuh"
#include "impl_gpu/stixels/variant.cuh"

/*
 * Classes are stored in fours: objects, then ground, then sky.  With FEW fours of objects there
 * are 3 classes of ground and 1 of sky, as among the 19 of Cityscapes.  The single class of the
 * sky needs no minimum: it is part of the cost of a row.
 */
#define NO_OBJECT_QUADS   0
#define FEW_OBJECT_QUADS  4
#define MANY_OBJECT_QUADS 8
#define MAX_PLACES        (4 * (MANY_OBJECT_QUADS + 2))

template <int OBJECT_QUADS> struct places {
    enum {
        FEW = OBJECT_QUADS <= FEW_OBJECT_QUADS,
        GROUND = 4 * OBJECT_QUADS, /* the first of them */
        SKY = GROUND + 4,
        N_GROUND = FEW ? 3 : 4,
        N_SKY = FEW ? 1 : 4,
        GROUND_QUADS = OBJECT_QUADS > 0,             /* and so many of sky if it is not FEW */
        N_QUADS = OBJECT_QUADS + GROUND_QUADS + !FEW /* that have sums */
    };
};

/* The class at each place; -1: none, cost 0.  Free places repeat a geometry's first class. */
struct sorted_classes {
    int8_t at[MAX_PLACES];
};

/*
 * Sums over the rows below one: of struct stixels_float_row, and of the costs of rows.
 * a: s0, where 65025 is 1: whole numbers, exact up to 2^24 (258 rows of full weight), and equal
 *    if nothing is measured between; t0; the cost in an object of disparity 'centre'; the cost
 *    in the expected ground, for rows up to the horizon, or in the sky, for rows above it: no
 *    ground goes higher, no sky begins lower.
 * b: s1 s2 r0 r1.
 */
struct depth_row {
    float4 a, b;
};

/* The same while they are summed up: s0 is an integer, and b is double and rounded once. */
struct __align__(16) depth_sums_a
{
    int s0;
    float t0, object, beside;
};

struct __align__(16) depth_sums_b
{
    double s1, s2, r0, r1;
};

struct depth_sums {
    struct depth_sums_a a;
    struct depth_sums_b b;
};

template <int N_QUADS> struct group_sums {
    struct depth_sums depth;
    int4 classes[N_QUADS > 0 ? N_QUADS : 1];
};

/*
 * The results of a row: the least energies of segmentations that end there, by the geometry of
 * the last stixel, and those with the part of a transition that does not depend on the next.
 * a: object; object, to a nearer one; the object's disparity relative to STIXELS_CENTRE_PX, and
 *    up to where another one's may be equal.
 * b: up to the horizon ground; ground, to an object behind it; ground, to one that hovers; the
 *    ground's disparity at the row.  Above it sky, two numbers that are not read, no number.
 */
struct found_row {
    float4 a, b;
};

/* v_b << 2 | the geometry below (once linked) of the last stixel, by its geometry. */
struct row_links {
    uint16_t to[STIXELS_N_GEOMETRIES], spare;
};

/* Candidates that begin in a group, one row v_b = first + j after the other, of lanes >= j. */
#define N_MADE (STIXELS_WARP * (STIXELS_WARP - 1) / 2)

struct made_candidates {
    float4 a[N_MADE + 1]; /* own_object object own_beside bottom; the first is unused */
    float2 b[N_MADE + 2]; /* clear top */
};

/* The place for lane 0; at least 0 for lane 0 itself and j = 1, which reads the unused one. */
DEVICE int made_at(int j)
{
    return STIXELS_WARP * (j - 1) - j * (j - 1) / 2 - j + 1;
}

/* The results of a warp for the rows of a group: energies of object and of ground or sky,
 * disparities of object and ground; v_b in 16 bits each. */
struct part {
    float4 found[STIXELS_WARP];
    uint32_t v_b[STIXELS_WARP];
};

/* Memory used one after the other: totals of each group, a part of each warp, the cuts. */
static __host__ __device__ size_t scratch_bytes(int n_rows, int n_warps, int n_quads)
{
    const int n_groups = (n_rows + STIXELS_WARP - 1) / STIXELS_WARP;
    const size_t totals =
        (size_t)n_groups *
        (sizeof(struct depth_sums) + (size_t)(n_quads > 0 ? n_quads : 1) * sizeof(int4));
    const size_t parts = (size_t)n_warps * sizeof(struct part);
    const size_t cuts = (size_t)n_rows * sizeof(int);
    const size_t more = totals > parts ? totals : parts;

    return more > cuts ? more : cuts;
}

/* The alive rows that a warp may have to list: those of two geometries, shared out. */
static __host__ __device__ int most_listed(int n_rows, int n_warps)
{
    return 2 * n_rows / (n_warps - 1) / 8 * 8 + 8;
}

static __host__ __device__ size_t opt_shared_bytes(int n_rows, int n_warps, bool makes,
                                                   bool prunes, int n_quads)
{
    return ((size_t)n_rows + 1) * (sizeof(struct depth_row) + (size_t)n_quads * sizeof(int4)) +
           (size_t)n_rows * sizeof(struct found_row) +
           (makes ? 2 : 0) * sizeof(struct made_candidates) +
           ((size_t)n_rows + 1) / 2 * 2 * sizeof(struct row_links) +
           scratch_bytes(n_rows, n_warps, n_quads) +
           (prunes ? (size_t)(n_warps * most_listed(n_rows, n_warps)) * sizeof(uint16_t) : 0);
}

/* The moments that planes are fitted to. */
DEVICE struct stixels_moments_float depth_between(const struct stixels_constants_float *c,
                                                  const struct depth_row *high,
                                                  const struct depth_row *low)
{
    struct stixels_moments_float m;

    m.origin = c->origin;
    m.centre = STIXELS_CENTRE_PX;
    m.s0 = (high->a.x - low->a.x) * (1.0f / STIXELS_WEIGHT_ONE);
    m.s1 = high->b.x - low->b.x;
    m.s2 = high->b.y - low->b.y;
    m.r0 = high->b.z - low->b.z;
    m.r1 = high->b.w - low->b.w;
    m.object = m.ground = m.sky = 0; /* energies are there already */
    m.t0 = stixels_float_t0(c, &m);
    return m;
}

/* min(a - b, c) */
DEVICE int least_difference(int a, int b, int c)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return __viaddmin_s32(a, -b, c);
#else
    const int difference = a - b;

    return difference < c ? difference : c;
#endif
}

/* The least cost of the classes in QUADS fours but the last LEFT_OUT, weighed, and an
 * energy. */
template <int QUADS, int LEFT_OUT>
DEVICE float with_least_class(const int4 *high, const int4 *low, float weight, float energy)
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
    return QUADS > 0 ? fmaf((float)least, weight, energy) : energy;
}

/* Inclusive sums of two numbers below 2^14, in one word as long as they fit. */
DEVICE void warp_sum_of_two(int *a, int *b, int lane)
{
    uint32_t both = (uint32_t)*a | (uint32_t)*b << 16;

    for (int offset = 1; offset < 4; offset *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, both, (unsigned)offset);

        if (lane >= offset)
            both += other;
    }
    *a = (int)(both & 0xFFFF);
    *b = (int)(both >> 16);
    for (int offset = 4; offset < STIXELS_WARP; offset *= 2) {
        const int other_a = __shfl_up_sync(ALL_LANES, *a, (unsigned)offset);
        const int other_b = __shfl_up_sync(ALL_LANES, *b, (unsigned)offset);

        if (lane >= offset) {
            *a += other_a;
            *b += other_b;
        }
    }
}

/* Inclusive sums over the 32 rows of a group. */
template <int N_QUADS> DEVICE void scan_group(struct group_sums<N_QUADS> *own, int lane)
{
    own->depth.a.s0 = sum_up_to(own->depth.a.s0, lane);
    own->depth.a.t0 = sum_up_to(own->depth.a.t0, lane);
    own->depth.a.object = sum_up_to(own->depth.a.object, lane);
    own->depth.a.beside = sum_up_to(own->depth.a.beside, lane);
    own->depth.b.s1 = sum_up_to(own->depth.b.s1, lane);
    own->depth.b.s2 = sum_up_to(own->depth.b.s2, lane);
    own->depth.b.r0 = sum_up_to(own->depth.b.r0, lane);
    own->depth.b.r1 = sum_up_to(own->depth.b.r1, lane);
#pragma unroll
    for (int q = 0; q < N_QUADS; q++) {
        warp_sum_of_two(&own->classes[q].x, &own->classes[q].y, lane);
        warp_sum_of_two(&own->classes[q].z, &own->classes[q].w, lane);
    }
}

#endif
