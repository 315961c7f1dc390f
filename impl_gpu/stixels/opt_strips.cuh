/*
 * opt_strips.cuh - stixels/gpu-opt: planes -> blocks
 *
 * Mapping: warp = STRIP_ROWS-th part of a CTA = a row of blocks, lane = neighbouring pixels.
 */
#ifndef STIXELS_OPT_STRIPS_CUH
#define STIXELS_OPT_STRIPS_CUH

#include "impl_gpu/stixels/early.cuh"
#include "impl_gpu/stixels/stages.cuh"

#define STRIP_ROWS 8 /* rows of blocks that a CTA makes, a warp each */

/* PX neighbouring pixels of a row, loaded at once. */
template <typename T, int PX> struct alignas(sizeof(T) * PX) pixels {
    uint32_t word[sizeof(T) * PX / sizeof(uint32_t)];
};

template <typename T, int PX> DEVICE struct pixels<T, PX> load_pixels(const T *from) {
    return *(const struct pixels<T, PX> *)from;
}

template <int PX>
DEVICE float pixel(const struct pixels<float, PX> *p, int i)
{
    return __int_as_float((int)p->word[i]);
}

template <typename T, int PX> DEVICE uint32_t pixel(const struct pixels<T, PX> *p, int i)
{
    const int in_word = (int)(sizeof(uint32_t) / sizeof(T)), bits = 8 * (int)sizeof(T);

    return p->word[i / in_word] >> bits * (i % in_word) & ((1u << bits) - 1);
}

/* The share of N pixels from FROM on in the mean of a class. */
template <int FROM, int N, int PX, typename T>
DEVICE typename block_sum<T>::type class_share(const struct pixels<T, PX> *p)
{
    typename block_sum<T>::type sum = 0;

#pragma unroll
    for (int i = FROM; i < FROM + N; i++)
        sum += pixel(p, i);
    return sum;
}

/* The squares of four bytes, and more. */
DEVICE uint32_t add_squares(uint32_t bytes, uint32_t sum)
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
DEVICE uint32_t class_share(const struct pixels<uint8_t, PX> *p)
{
    uint32_t sum = 0;

#pragma unroll
    for (int i = FROM / 4; i < (FROM + N) / 4; i++)
        sum = add_squares(p->word[i], sum);
    return sum;
}

/* The sum over a block of LANES neighbouring lanes; valid in the first of them. */
template <int LANES, typename T> DEVICE T block_total(T sum)
{
#pragma unroll
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL_LANES, sum, (unsigned)offset);
    return sum;
}

/* Planes -> blocks, as downsample_kernel, PX pixels a lane, PX dividing the width; blockIdx.z:
 * 0 makes disparity and confidence, k class k - 1.  Sums are whole numbers below 2^24: their
 * order does not matter, in float either. */
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
                    const bool measured = is_measured(value), valid = measured && weight > 0;

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
    let_next_begin();
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

#endif
