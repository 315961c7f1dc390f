/*
 * stages.cuh - down-sampling and compaction as [STX] has them, for gpu-paper and gpu-cubic
 *
 * Source: [STX] sect. 4.2 and Fig. 4; 4.5.
 */
#ifndef STIXELS_STAGES_CUH
#define STIXELS_STAGES_CUH

#include "impl_gpu/stixels/frame.cuh"

#define DOWNSAMPLE_THREADS 256 /* [STX] 4.2 */
#define SCAN_THREADS       1024
#define COPY_THREADS       128

/* What is summed over a block. */
template <typename T> struct block_sum;
template <> struct block_sum<uint16_t> {
    typedef uint32_t type;
};
template <> struct block_sum<float> {
    typedef float type;
};

static __device__ __forceinline__ bool is_measured(uint16_t disparity)
{
    return disparity != STIXELS_INVALID;
}

static __device__ __forceinline__ bool is_measured(float disparity)
{
    return disparity >= 0;
}

static __device__ __forceinline__ uint16_t block_mean(uint32_t sum, int n)
{
    return (uint16_t)stixels_mean(sum, (uint32_t)n);
}

static __device__ __forceinline__ float block_mean(float sum, int n)
{
    return floorf(sum / (float)n + 0.5f);
}

static __device__ __forceinline__ void set_invalid(uint16_t *to)
{
    *to = STIXELS_INVALID;
}

static __device__ __forceinline__ void set_invalid(float *to)
{
    *to = -1;
}

/*
 * Mean over blocks of block_rows x block_cols pixels, written transposed.  A group of block_cols threads makes one
 * value: each sums block_rows pixels of its column, then the group reduces, with shuffles where block_cols is a power of
 * two (SHUFFLE) and else in shared memory; its first thread writes.  blockIdx.x: pixels of a row, by whole groups;
 * blockIdx.y: row of blocks, from the top; blockIdx.z: plane of all frames.  Plane 0 is the disparity, whose mean is over
 * measured pixels of some confidence, plane 1 the confidence, 0 where nothing is measured.
 */
template <typename T, bool SHUFFLE>
static __global__ void __launch_bounds__(DOWNSAMPLE_THREADS)
    downsample_kernel(const T *__restrict__ planes, int n_planes, int height, int width,
                      int block_rows, int block_cols, int n_rows, int n_cols,
                      T *__restrict__ blocks)
{
    typedef typename block_sum<T>::type sum_type;
    const int in_block = (int)threadIdx.x;
    const int per_cta = DOWNSAMPLE_THREADS / block_cols * block_cols;
    const int x = (int)blockIdx.x * per_cta + in_block;
    const bool works = in_block < per_cta && x < width;
    const int j = (int)blockIdx.y;
    const size_t plane = blockIdx.z, n_pixels = (size_t)height * (size_t)width;
    const int z = (int)(plane % (size_t)n_planes);
    const T *const pixel =
        planes + plane * n_pixels + (size_t)j * (size_t)block_rows * (size_t)width + (size_t)x;
    sum_type sum = 0;
    int n_valid = 0;

    if (works)
        for (int y = 0; y < block_rows; y++) {
            const T value = pixel[(size_t)y * (size_t)width];

            if (z == 0) {
                const bool valid =
                    is_measured(value) && pixel[n_pixels + (size_t)y * (size_t)width] > 0;

                sum += valid ? (sum_type)value : 0;
                n_valid += valid;
            } else if (z == 1) {
                sum += is_measured(*(pixel - n_pixels + (size_t)y * (size_t)width))
                           ? (sum_type)value
                           : 0;
            } else {
                sum += value;
            }
        }
    if (SHUFFLE) {
        for (int offset = block_cols / 2; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(ALL_LANES, sum, (unsigned)offset, block_cols);
            n_valid += __shfl_down_sync(ALL_LANES, n_valid, (unsigned)offset, block_cols);
        }
    } else {
        __shared__ sum_type sums[DOWNSAMPLE_THREADS];
        __shared__ int counts[DOWNSAMPLE_THREADS];

        sums[in_block] = sum;
        counts[in_block] = n_valid;
        __syncthreads();
        if (works && in_block % block_cols == 0)
            for (int i = 1; i < block_cols; i++) {
                sum += sums[in_block + i];
                n_valid += counts[in_block + i];
            }
    }
    if (works && in_block % block_cols == 0) {
        T *const to = blocks +
                      (plane * (size_t)n_cols + (size_t)(x / block_cols)) * (size_t)n_rows +
                      (size_t)(n_rows - 1 - j);
        const int n_block = block_rows * block_cols;

        if (z > 0)
            *to = block_mean(sum, n_block);
        else if (stixels_block_is_valid((uint32_t)n_valid, (uint32_t)n_block))
            *to = block_mean(sum, n_valid);
        else
            set_invalid(to);
    }
}

template <typename T> static inline enum bench_status downsample(const struct frame *f)
{
    const struct stixels_input *const in = f->in;
    const int per_cta = DOWNSAMPLE_THREADS / in->block_cols * in->block_cols;
    const dim3 grid((unsigned)((in->width + per_cta - 1) / per_cta), (unsigned)in->n_rows,
                    (unsigned)(in->n_frames * f->n_planes));
    const bool shuffle = (in->block_cols & (in->block_cols - 1)) == 0;

    if (shuffle)
        downsample_kernel<T, true><<<grid, DOWNSAMPLE_THREADS, 0, f->stream>>>(
            (const T *)f->d_planes, f->n_planes, in->height, in->width, in->block_rows,
            in->block_cols, in->n_rows, in->n_cols, (T *)f->d_blocks);
    else
        downsample_kernel<T, false><<<grid, DOWNSAMPLE_THREADS, 0, f->stream>>>(
            (const T *)f->d_planes, f->n_planes, in->height, in->width, in->block_rows,
            in->block_cols, in->n_rows, in->n_cols, (T *)f->d_blocks);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

/* counts [n_columns] -> first [n_columns + 1], one block. */
static __global__ void __launch_bounds__(SCAN_THREADS)
    scan_kernel(const int32_t *__restrict__ counts, int n_columns, int32_t *__restrict__ first)
{
    __shared__ int32_t totals[SCAN_THREADS / STIXELS_WARP];
    const int per_thread = (n_columns + SCAN_THREADS - 1) / SCAN_THREADS;
    const int from = (int)threadIdx.x * per_thread;
    const int to = from + per_thread < n_columns ? from + per_thread : n_columns;
    const int lane = (int)threadIdx.x % STIXELS_WARP, warp = (int)threadIdx.x / STIXELS_WARP;
    int32_t own = 0, sum;

    for (int i = from; i < to; i++)
        own += counts[i];
    sum = own;
    for (int offset = 1; offset < STIXELS_WARP; offset *= 2) {
        const int32_t other = __shfl_up_sync(ALL_LANES, sum, (unsigned)offset);

        if (lane >= offset)
            sum += other;
    }
    if (lane == STIXELS_WARP - 1)
        totals[warp] = sum;
    __syncthreads();
    for (int i = 0; i < warp; i++)
        sum += totals[i];
    sum -= own; /* of all threads before */
    for (int i = from; i < to; i++) {
        first[i] = sum;
        sum += counts[i];
    }
    if (threadIdx.x == SCAN_THREADS - 1)
        first[n_columns] = sum;
}

/* Each column's stixels from the end of its slot to their place; what the list does not use is cleared. */
static __global__ void __launch_bounds__(COPY_THREADS)
    copy_kernel(const struct stixel *__restrict__ slots, const int32_t *__restrict__ first,
                int n_columns, int n_rows, struct stixel *__restrict__ list)
{
    const int column = (int)blockIdx.x, begin = first[column], n = first[column + 1] - begin;
    const size_t used = (size_t)first[n_columns];
    const size_t slot = (size_t)column * (size_t)n_rows, end = slot + (size_t)n_rows;
    const struct stixel nothing = {0, 0, 0, 0, 0, 0, 0, 0};

    for (int i = (int)threadIdx.x; i < n; i += COPY_THREADS)
        list[begin + i] = slots[end - (size_t)n + (size_t)i];
    for (size_t i = (slot > used ? slot : used) + threadIdx.x; i < end; i += COPY_THREADS)
        list[i] = nothing;
}

static inline enum bench_status compact(const struct frame *f)
{
    scan_kernel<<<1, SCAN_THREADS, 0, f->stream>>>(f->d_counts, (int)f->n_columns, f->d_first);
    CUDA_TRY_LAUNCH();
    copy_kernel<<<(unsigned)f->n_columns, COPY_THREADS, 0, f->stream>>>(
        f->d_slots, f->d_first, (int)f->n_columns, f->in->n_rows, f->d_list);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

#endif
