/*
 * stages.cuh - down-sampling and compaction of [STX], for gpu-paper and gpu-cubic
 *
 * Source: [STX] sect. 4.2 and Fig. 4; 4.5.
 * Deviations: one thread sums disparity and confidence of a pixel, since the mean of the former
 *             needs the latter: h W (z - 1) threads, and each plane is read once.  At 4 x 4 a
 *             thread sums its column of four blocks, one below the other: h W (z - 1) / 4
 *             threads with 16 loads in flight each.  One block has 4, too few for the device
 *             memory.  Then each of the four threads of a group writes one value; together
 *             they write 16 bytes of a column.  For all other blocks a group makes one value,
 *             as the paper says.
 */
#ifndef STIXELS_STAGES_CUH
#define STIXELS_STAGES_CUH

#include "impl_gpu/stixels/frame.cuh"

#define DOWNSAMPLE_THREADS 256 /* [STX] 4.2 */
#define SCAN_THREADS       1024
#define COPY_THREADS       128

template <typename T> struct block_sum {
    typedef uint32_t type;
};
template <> struct block_sum<float> {
    typedef float type;
};

/* The begins of planes, and the distance of frames in pixels, equal for both depth planes. */
template <typename DISPARITY, typename CONFIDENCE, typename PROBABILITY> struct plane_set {
    const DISPARITY *disparity;
    const CONFIDENCE *confidence;
    const PROBABILITY *probability; /* of class 0; the others follow */
    size_t depth_stride, class_stride;
};

template <typename T> DEVICE bool is_measured(T disparity)
{
    return disparity != STIXELS_INVALID;
}

DEVICE bool is_measured(float disparity)
{
    return disparity >= 0;
}

DEVICE uint16_t block_mean(uint32_t sum, int n)
{
    return (uint16_t)stixels_mean(sum, (uint32_t)n);
}

DEVICE float block_mean(float sum, int n)
{
    return floorf(sum / (float)n + 0.5f);
}

/* The share of a pixel in the mean of a class ... */
template <typename T> DEVICE typename block_sum<T>::type share_of(T probability)
{
    return probability;
}

DEVICE uint32_t share_of(uint8_t root)
{
    return (uint32_t)root * root;
}

/* ... and that mean, in 1/65535. */
template <typename PROBABILITY>
DEVICE float class_mean(typename block_sum<PROBABILITY>::type sum, int n)
{
    return sizeof(PROBABILITY) == 1
               ? floorf((float)sum * (65535.0f / 65025) / (float)n + 0.5f) /* sum < 2^24 */
               : (float)block_mean(sum, n);
}

/* The parameter of a launch. */
template <typename DISPARITY, typename CONFIDENCE, typename PROBABILITY, typename T>
struct downsample_task {
    struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes;
    int n_frames, n_classes, height, width;
    int block_rows, block_cols, n_rows, n_cols;
    T *blocks; /* [n_frames][2 + n_classes][n_cols][n_rows] */
};

/* Pixels from the first of N blocks, one below the other, to the i-th; to block 'last' if there
 * is no i-th, so that all loads overlap (its sum is dropped). */
template <int N> DEVICE size_t to_block(int i, int last, int block_rows, int width)
{
    return N == 1 ? 0
                  : (size_t)(unsigned)((i < last ? i : last) * block_rows) * (unsigned)width;
}

/*
 * Sums each of N numbers over the block_cols threads of a group; thread i returns the sum of
 * number i * N / block_cols.  SHUFFLE: block_cols and N are powers of two, and N <= block_cols
 * <= 32.  Otherwise N is 1, and only the first thread returns the sum.
 */
template <bool SHUFFLE, int N, typename SUM>
DEVICE SUM sum_of_group(SUM (&sum)[N], int block_cols)
{
    const int in_block = (int)threadIdx.x;

    if (SHUFFLE) {
        int offset = block_cols / 2;

        /* each half of the threads continues with half of the numbers */
#pragma unroll
        for (int n = N / 2; n > 0; n /= 2, offset /= 2) {
            const bool upper = (in_block & offset) != 0;

#pragma unroll
            for (int i = 0; i < n; i++) {
                const SUM own = upper ? sum[i + n] : sum[i];
                const SUM others = upper ? sum[i] : sum[i + n];

                sum[i] = own + __shfl_xor_sync(ALL_LANES, others, offset);
            }
        }
#pragma unroll
        for (; offset > 0; offset /= 2)
            sum[0] += __shfl_xor_sync(ALL_LANES, sum[0], offset);
    } else {
        __shared__ SUM sums[DOWNSAMPLE_THREADS];

        __syncthreads(); /* the previous sums have been read */
        sums[in_block] = sum[0];
        __syncthreads();
        if (threadIdx.x % (unsigned)block_cols == 0 &&
            in_block + block_cols <= DOWNSAMPLE_THREADS)
            for (int i = 1; i < block_cols; i++)
                sum[0] += sums[in_block + i];
    }
    return sum[0];
}

/*
 * Writes the means over blocks of block_rows x block_cols pixels, transposed.  A group of
 * block_cols threads makes the values of N blocks, one below the other.  Each thread sums
 * block_rows pixels of its column for each block.  Then the group reduces: with shuffles where
 * block_cols is a power of two (SHUFFLE), otherwise in shared memory.  N of its threads, evenly
 * spread, write one value each; these are adjacent in memory.
 *
 * blockIdx.x: pixels of a row, in whole groups.  blockIdx.y: N rows of blocks, from the top.
 * blockIdx.z: for each frame, disparity and confidence together, then each class.
 * ROWS, COLS: block_rows and block_cols, or 0 where only known at run time.
 *
 * The mean disparity is over measured pixels whose confidence is not 0.  The confidence of a
 * pixel that is not measured counts as 0.
 */
template <typename DISPARITY, typename CONFIDENCE, typename PROBABILITY, typename T, int ROWS,
          int COLS, bool SHUFFLE, int N>
static __global__ void __launch_bounds__(DOWNSAMPLE_THREADS)
    downsample_kernel(struct downsample_task<DISPARITY, CONFIDENCE, PROBABILITY, T> task)
{
    /* whole numbers below 2^24 in either type */
    typedef typename block_sum<T>::type total_type;
    const int block_rows = ROWS ? ROWS : task.block_rows;
    const int block_cols = COLS ? COLS : task.block_cols;
    const int width = task.width, n_block = block_rows * block_cols;
    const int in_block = (int)threadIdx.x, in_group = (int)(threadIdx.x % (unsigned)block_cols);
    const int per_cta = DOWNSAMPLE_THREADS / block_cols * block_cols;
    const int x = (int)blockIdx.x * per_cta + in_block;
    const bool works = in_block < per_cta && x < width;
    const int j = (int)blockIdx.y * N, last = task.n_rows - 1 - j;
    /* this thread writes block j + own */
    const int own = N == 1 ? 0 : in_group * N / block_cols;
    const unsigned per_frame = 1 + (unsigned)task.n_classes;
    const unsigned frame = task.n_frames == 1 ? 0 : blockIdx.z / per_frame;
    const unsigned z = blockIdx.z - frame * per_frame; /* 0: depth, k + 1: class k */
    const size_t first = (size_t)(unsigned)(j * block_rows) * (unsigned)width + (unsigned)x;
    const size_t to_plane = (size_t)task.n_cols * (size_t)task.n_rows;
    T *const to = task.blocks + (size_t)frame * (size_t)(per_frame + 1) * to_plane +
                  (size_t)(x / block_cols) * (size_t)task.n_rows + (ptrdiff_t)(last - own);
    const bool writes = works && in_group % (block_cols / N) == 0 && own <= last;

    if (z == 0) {
        const DISPARITY *const d_first =
            task.planes.disparity + frame * task.planes.depth_stride + first;
        const CONFIDENCE *const c_first =
            task.planes.confidence + frame * task.planes.depth_stride + first;
        total_type sums[N] = {}, sures[N] = {};
        int n_valids[N] = {};

#pragma unroll
        for (int i = 0; works && i < N; i++) {
            const size_t skipped = to_block<N>(i, last, block_rows, width);
            const DISPARITY *d = d_first + skipped;
            const CONFIDENCE *c = c_first + skipped;

#pragma unroll
            for (int y = 0; y < block_rows; y++, d += width, c += width) {
                const DISPARITY disparity = *d;
                const CONFIDENCE confidence = *c;
                const bool measured = is_measured(disparity);
                const bool valid = measured && confidence > 0;

                sums[i] += valid ? (total_type)disparity : 0;
                sures[i] += measured ? (total_type)confidence : 0;
                n_valids[i] += valid;
            }
        }

        const total_type sum = sum_of_group<SHUFFLE>(sums, block_cols);
        const total_type sure = sum_of_group<SHUFFLE>(sures, block_cols);
        const int n_valid = sum_of_group<SHUFFLE>(n_valids, block_cols);

        if (writes) {
            if (stixels_block_is_valid((uint32_t)n_valid, (uint32_t)n_block))
                *to = block_mean(sum, n_valid);
            else
                *to = sizeof(T) == sizeof(float) ? (T)-1 : (T)STIXELS_INVALID;
            to[to_plane] = block_mean(sure, n_block);
        }
    } else {
        const PROBABILITY *const p_first =
            task.planes.probability + frame * task.planes.class_stride +
            (size_t)(z - 1) * (size_t)task.height * (size_t)width + first;
        total_type sums[N] = {};

#pragma unroll
        for (int i = 0; works && i < N; i++) {
            const PROBABILITY *p = p_first + to_block<N>(i, last, block_rows, width);

#pragma unroll
            for (int y = 0; y < block_rows; y++, p += width)
                sums[i] += (total_type)share_of(*p);
        }

        const total_type sum = sum_of_group<SHUFFLE>(sums, block_cols);

        if (writes)
            to[(size_t)(z + 1) * to_plane] =
                (T)class_mean<PROBABILITY>((typename block_sum<PROBABILITY>::type)sum, n_block);
    }
}

template <int ROWS, int COLS, bool SHUFFLE, int N, typename DISPARITY, typename CONFIDENCE,
          typename PROBABILITY, typename T>
static inline enum bench_status
launch_downsample(const struct frame *f,
                  const struct downsample_task<DISPARITY, CONFIDENCE, PROBABILITY, T> *task)
{
    const int per_cta = DOWNSAMPLE_THREADS / task->block_cols * task->block_cols;
    const dim3 grid((unsigned)((task->width + per_cta - 1) / per_cta),
                    (unsigned)((task->n_rows + N - 1) / N),
                    (unsigned)(task->n_frames * (1 + task->n_classes)));

    downsample_kernel<DISPARITY, CONFIDENCE, PROBABILITY, T, ROWS, COLS, SHUFFLE, N>
        <<<grid, DOWNSAMPLE_THREADS, 0, f->stream>>>(*task);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

/* The paper's blocks of 8 x 8 and 4 x 4 pixels have kernels of their own.  'text': a group
 * makes one block, whatever its size. */
template <typename DISPARITY, typename CONFIDENCE, typename PROBABILITY, typename T>
static inline enum bench_status
downsample_from(const struct frame *f,
                struct plane_set<DISPARITY, CONFIDENCE, PROBABILITY> planes, bool text = false)
{
    const struct stixels_input *const in = f->in;
    const struct downsample_task<DISPARITY, CONFIDENCE, PROBABILITY, T> task = {
        planes, in->n_frames, in->n_classes, in->height, in->width, in->block_rows,
            in->block_cols, in->n_rows, in->n_cols, (T *)f->d_blocks
    };

    if (in->block_rows == 8 && in->block_cols == 8)
        return launch_downsample<8, 8, true, 1>(f, &task);
    if (in->block_rows == 4 && in->block_cols == 4)
        return text ? launch_downsample<4, 4, true, 1>(f, &task)
                    : launch_downsample<4, 4, true, 4>(f, &task);
    if ((in->block_cols & (in->block_cols - 1)) == 0)
        return launch_downsample<0, 0, true, 1>(f, &task);
    return launch_downsample<0, 0, false, 1>(f, &task);
}

template <typename T>
static inline struct plane_set<T, T, T> dense_planes(const struct frame *f) {
    const T *const first = (const T *)f->d_planes;
    const size_t stride = (size_t)f->n_planes * f->n_pixels;

    return {first, first + f->n_pixels, first + 2 * f->n_pixels, stride, stride};
}

template <typename PROBABILITY>
static inline struct plane_set<uint16_t, uint8_t, PROBABILITY>
kept_planes(const struct frame *f, const void *probability) {
    return {f->d_disparity, f->d_confidence, (const PROBABILITY *)probability, f->n_pixels,
            (size_t)f->in->n_classes * f->n_pixels};
}

template <typename T>
static inline enum bench_status downsample(const struct frame *f, bool text = false)
{
    return downsample_from<T, T, T, T>(f, dense_planes<T>(f), text);
}

/* counts [n_columns] -> first [n_columns + 1], by one thread block. */
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
    sum = sum_up_to(own, lane);
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

/* Moves the n stixels at the end of a column's slot, which is slot .. end - 1, to list[begin];
 * clears these entries of the list from 'used' on.  By a block of COPY_THREADS. */
DEVICE void move_column(const struct stixel *__restrict__ slots, size_t slot, size_t end,
                        int begin, int n, size_t used, struct stixel *__restrict__ list)
{
    const struct stixel nothing = {0, 0, 0, 0, 0, 0, 0, 0};

    for (int i = (int)threadIdx.x; i < n; i += COPY_THREADS)
        list[begin + i] = slots[end - (size_t)n + (size_t)i];
    for (size_t i = (slot > used ? slot : used) + threadIdx.x; i < end; i += COPY_THREADS)
        list[i] = nothing;
}

static __global__ void __launch_bounds__(COPY_THREADS)
    copy_kernel(const struct stixel *__restrict__ slots, const int32_t *__restrict__ first,
                int n_columns, int n_rows, struct stixel *__restrict__ list)
{
    const int column = (int)blockIdx.x, begin = first[column], n = first[column + 1] - begin;
    const size_t used = (size_t)first[n_columns];
    const size_t slot = (size_t)column * (size_t)n_rows, end = slot + (size_t)n_rows;

    move_column(slots, slot, end, begin, n, used, list);
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
