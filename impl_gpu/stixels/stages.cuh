/*
 * stages.cuh - down-sampling and compaction as [STX] has them, for gpu-paper and gpu-cubic
 *
 * Source: [STX] sect. 4.2 and Fig. 4; 4.5.
 * Deviation: the threads of a disparity make the mean of the confidence, too, which the former needs: h W (z - 1) threads,
 *            and each plane is read once.
 */
#ifndef STIXELS_STAGES_CUH
#define STIXELS_STAGES_CUH

#include "impl_gpu/stixels/frame.cuh"

#define DOWNSAMPLE_THREADS 256 /* [STX] 4.2 */
#define SCAN_THREADS       1024
#define COPY_THREADS       128

/* What is summed over a block. */
template <typename T> struct block_sum {
    typedef uint32_t type;
};
template <> struct block_sum<float> {
    typedef float type;
};

/* Where the planes begin, and how many pixels apart frames are.  Those of a disparity and of a confidence are as far. */
template <typename DISPARITY, typename CONFIDENCE, typename PROBABILITY> struct plane_set {
    const DISPARITY *disparity;
    const CONFIDENCE *confidence;
    const PROBABILITY *probability; /* of class 0; the others follow */
    size_t depth_stride, class_stride;
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

/* What a pixel adds to the mean of a class ... */
static __device__ __forceinline__ uint32_t share_of(uint16_t probability)
{
    return probability;
}

static __device__ __forceinline__ float share_of(float probability)
{
    return probability;
}

static __device__ __forceinline__ uint32_t share_of(uint8_t root)
{
    return (uint32_t)root * root;
}

/* ... and that mean, in 1/65535. */
template <typename PROBABILITY>
static __device__ __forceinline__ float class_mean(typename block_sum<PROBABILITY>::type sum,
                                                   int n)
{
    return sizeof(PROBABILITY) == 1
               ? floorf((float)sum * (65535.0f / 65025) / (float)n + 0.5f) /* sum < 2^24 */
               : (float)block_mean(sum, n);
}

static __device__ __forceinline__ void set_invalid(uint16_t *to)
{
    *to = STIXELS_INVALID;
}

static __device__ __forceinline__ void set_invalid(float *to)
{
    *to = -1;
}

/* What a launch works on. */
template <typename DISPARITY, typename CONFIDENCE, typename PROBABILITY, typename T>
struct downsample_task {
    struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes;
    int n_frames, n_classes, height, width;
    int block_rows, block_cols, n_rows, n_cols;
    T *blocks; /* [n_frames][2 + n_classes][n_cols][n_rows] */
};

/* Sum over the threads of a group, with its first; SHUFFLE: of at most 32, a power of two. */
template <bool SHUFFLE, typename SUM>
static __device__ __forceinline__ SUM sum_of_group(SUM sum, int block_cols)
{
    if (SHUFFLE) {
#pragma unroll
        for (int offset = block_cols / 2; offset > 0; offset /= 2)
            sum += __shfl_down_sync(ALL_LANES, sum, (unsigned)offset, block_cols);
    } else {
        __shared__ SUM sums[DOWNSAMPLE_THREADS];
        const int in_block = (int)threadIdx.x;

        __syncthreads(); /* the sums before have been read */
        sums[in_block] = sum;
        __syncthreads();
        if (in_block % block_cols == 0 && in_block + block_cols <= DOWNSAMPLE_THREADS)
            for (int i = 1; i < block_cols; i++)
                sum += sums[in_block + i];
    }
    return sum;
}

/*
 * Mean over blocks of block_rows x block_cols pixels, written transposed.  A group of block_cols threads makes one
 * value: each sums block_rows pixels of its column, then the group reduces, with shuffles where block_cols is a power of
 * two (SHUFFLE) and else in shared memory; its first thread writes.  blockIdx.x: pixels of a row, by whole groups;
 * blockIdx.y: row of blocks, from the top; blockIdx.z: of all frames, disparity and confidence together, then each class.
 * The disparity's mean is over measured pixels of some confidence; the confidence is 0 where nothing is measured.
 * ROWS, COLS: block_rows and block_cols, or 0: known at run time.
 */
template <typename DISPARITY, typename CONFIDENCE, typename PROBABILITY, typename T, int ROWS,
          int COLS, bool SHUFFLE>
static __global__ void __launch_bounds__(DOWNSAMPLE_THREADS)
    downsample_kernel(struct downsample_task<DISPARITY, CONFIDENCE, PROBABILITY, T> task)
{
    typedef
        typename block_sum<T>::type total_type; /* whole numbers below 2^24 in any of them */
    const int block_rows = ROWS ? ROWS : task.block_rows;
    const int block_cols = COLS ? COLS : task.block_cols;
    const int width = task.width, n_block = block_rows * block_cols;
    const int in_block = (int)threadIdx.x;
    const int per_cta = DOWNSAMPLE_THREADS / block_cols * block_cols;
    const int x = (int)blockIdx.x * per_cta + in_block;
    const bool works = in_block < per_cta && x < width;
    const int j = (int)blockIdx.y;
    const unsigned per_frame = 1 + (unsigned)task.n_classes;
    const unsigned frame = task.n_frames == 1 ? 0 : blockIdx.z / per_frame;
    const unsigned z = blockIdx.z - frame * per_frame; /* 0: depth, k + 1: class k */
    const size_t first = (size_t)(j * block_rows) * (size_t)width + (size_t)x;
    const size_t to_plane = (size_t)task.n_cols * (size_t)task.n_rows;
    T *const to = task.blocks + (size_t)frame * (size_t)(per_frame + 1) * to_plane +
                  (size_t)(x / block_cols) * (size_t)task.n_rows +
                  (size_t)(task.n_rows - 1 - j);
    const bool writes = works && in_block % block_cols == 0;

    if (z == 0) {
        const DISPARITY *d = task.planes.disparity + frame * task.planes.depth_stride + first;
        const CONFIDENCE *c = task.planes.confidence + frame * task.planes.depth_stride + first;
        total_type sum = 0, sure = 0;
        int n_valid = 0;

#pragma unroll
        for (int y = 0; works && y < block_rows; y++, d += width, c += width) {
            const DISPARITY disparity = *d;
            const CONFIDENCE confidence = *c;
            const bool measured = is_measured(disparity);
            const bool valid = measured && confidence > 0;

            sum += valid ? (total_type)disparity : 0;
            sure += measured ? (total_type)confidence : 0;
            n_valid += valid;
        }
        sum = sum_of_group<SHUFFLE>(sum, block_cols);
        sure = sum_of_group<SHUFFLE>(sure, block_cols);
        n_valid = sum_of_group<SHUFFLE>(n_valid, block_cols);
        if (writes) {
            if (stixels_block_is_valid((uint32_t)n_valid, (uint32_t)n_block))
                *to = block_mean(sum, n_valid);
            else
                set_invalid(to);
            to[to_plane] = block_mean(sure, n_block);
        }
    } else {
        const PROBABILITY *p = task.planes.probability + frame * task.planes.class_stride +
                               (size_t)(z - 1) * (size_t)task.height * (size_t)width + first;
        total_type sum = 0;

#pragma unroll
        for (int y = 0; works && y < block_rows; y++, p += width)
            sum += (total_type)share_of(*p);
        sum = sum_of_group<SHUFFLE>(sum, block_cols);
        if (writes)
            to[(size_t)(z + 1) * to_plane] =
                (T)class_mean<PROBABILITY>((typename block_sum<PROBABILITY>::type)sum, n_block);
    }
}

/* Blocks of 8 x 8 and 4 x 4 pixels, the paper's, have kernels that know it. */
template <typename DISPARITY, typename CONFIDENCE, typename PROBABILITY, typename T>
static inline enum bench_status
downsample_from(const struct frame *f,
                struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes)
{
    typedef struct downsample_task<DISPARITY, CONFIDENCE, PROBABILITY, T> task_type;
    const struct stixels_input *const in = f->in;
    const int per_cta = DOWNSAMPLE_THREADS / in->block_cols * in->block_cols;
    const dim3 grid((unsigned)((in->width + per_cta - 1) / per_cta), (unsigned)in->n_rows,
                    (unsigned)(in->n_frames * (1 + in->n_classes)));
    const task_type task = {planes,     in->n_frames,    in->n_classes,  in->height,
                            in->width,  in->block_rows,  in->block_cols, in->n_rows,
                            in->n_cols, (T *)f->d_blocks};
    void (*kernel)(task_type);

    if (in->block_rows == 8 && in->block_cols == 8)
        kernel = downsample_kernel<DISPARITY, CONFIDENCE, PROBABILITY, T, 8, 8, true>;
    else if (in->block_rows == 4 && in->block_cols == 4)
        kernel = downsample_kernel<DISPARITY, CONFIDENCE, PROBABILITY, T, 4, 4, true>;
    else if ((in->block_cols & (in->block_cols - 1)) == 0)
        kernel = downsample_kernel<DISPARITY, CONFIDENCE, PROBABILITY, T, 0, 0, true>;
    else
        kernel = downsample_kernel<DISPARITY, CONFIDENCE, PROBABILITY, T, 0, 0, false>;
    kernel<<<grid, DOWNSAMPLE_THREADS, 0, f->stream>>>(task);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

template <typename T>
static inline struct plane_set<T, T, T> dense_planes(const struct frame *f) {
    const T *const first = (const T *)f->d_planes;
    struct plane_set<T, T, T> planes;

    planes.disparity = first;
    planes.confidence = first + f->n_pixels;
    planes.probability = first + 2 * f->n_pixels;
    planes.depth_stride = planes.class_stride = (size_t)f->n_planes * f->n_pixels;
    return planes;
}

template <typename PROBABILITY>
static inline struct plane_set<uint16_t, uint8_t, PROBABILITY>
kept_planes(const struct frame *f, const void *probability) {
    struct plane_set<uint16_t, uint8_t, PROBABILITY> planes;

    planes.disparity = f->d_disparity;
    planes.confidence = f->d_confidence;
    planes.probability = (const PROBABILITY *)probability;
    planes.depth_stride = f->n_pixels;
    planes.class_stride = (size_t)f->in->n_classes * f->n_pixels;
    return planes;
}

template <typename T>
static inline enum bench_status downsample(const struct frame *f)
{
    return downsample_from<T, T, T, T>(f, dense_planes<T>(f));
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
