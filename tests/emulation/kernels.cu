/*
 * kernels.cu - small kernels for test_emulator.c, right ones and wrong ones; never compiled for a card
 */
#include "tests/emulation/kernels.h"

#define ALL_LANES 0xFFFFFFFFu
#define LOW_HALF  0x0000FFFFu

/* ---- right ---- */

static __global__ void warp_values_kernel(uint32_t *out)
{
    const unsigned lane = threadIdx.x;
    uint32_t *const mine = out + N_VALUES * lane;

    mine[0] = __shfl_sync(ALL_LANES, lane * lane, (int)lane + 33); /* modulo 32 */
    mine[1] = __shfl_up_sync(ALL_LANES, lane, 3);
    mine[2] = __shfl_down_sync(ALL_LANES, lane, 5);
    mine[3] = __shfl_xor_sync(ALL_LANES, lane, 17);
    mine[4] = __ballot_sync(ALL_LANES, lane % 3 == 0);
    mine[5] = (uint32_t)(__any_sync(ALL_LANES, lane == 7) + 2 * __any_sync(ALL_LANES, 0));
    mine[6] =
        (uint32_t)(__all_sync(ALL_LANES, lane < 32) + 2 * __all_sync(ALL_LANES, lane != 9));
    mine[7] = __match_any_sync(ALL_LANES, lane / 8);
    mine[8] = __reduce_add_sync(ALL_LANES, lane);
    mine[9] = __reduce_max_sync(ALL_LANES, lane ^ 21u);
    mine[10] = (uint32_t)__reduce_min_sync(ALL_LANES, 5 - (int)lane);
    mine[11] = lane < 16 ? __ballot_sync(LOW_HALF, lane & 1) : 0;
}

static __global__ void narrow_shuffles_kernel(uint32_t *out)
{
    const unsigned lane = threadIdx.x;

    out[4 * lane] = __shfl_sync(ALL_LANES, lane, 10, 8); /* the third of each group */
    out[4 * lane + 1] = __shfl_up_sync(ALL_LANES, lane, 2, 8);
    out[4 * lane + 2] = __shfl_down_sync(ALL_LANES, lane, 2, 8);
    out[4 * lane + 3] = __shfl_xor_sync(ALL_LANES, lane, 9, 8); /* earlier groups alone */
}

static __global__ void block_values_kernel(uint32_t *out)
{
    const int i = (int)threadIdx.x;
    const int any = __syncthreads_or(i == 70), none = __syncthreads_or(0);
    const int all = __syncthreads_and(i >= 0), most = __syncthreads_and(i != 3);

    out[i] = (uint32_t)(1000 * __syncthreads_count(i % 4 == 0) + 8 * (any != 0) +
                        4 * (none != 0) + 2 * (all != 0) + (most != 0));
}

/* Of each warp the lanes from 20 on end at once, then the second warp; the others still meet. */
static __global__ void early_ends_kernel(uint32_t *out)
{
    __shared__ uint32_t sum;
    const unsigned i = threadIdx.x;

    if (i == 0)
        sum = 0;
    __syncthreads();
    if (i % 32 >= 20)
        return;
    __syncwarp();
    if (i / 32 == 1)
        return;
    atomicAdd(&sum, i);
    __syncthreads();
    out[i] = sum + __ballot_sync(ALL_LANES, 1);
}

static __global__ void grid_atomics_kernel(uint32_t *out)
{
    atomicAdd(&out[0], 1);
    atomicMax(&out[1], 1000 * blockIdx.y + 100 * blockIdx.x + threadIdx.x);
    atomicXor(&out[2], 1u << threadIdx.x % 32);
    atomicCAS(&out[3], 0, 77);
}

static __global__ void orders_kernel(uint32_t *out)
{
    __shared__ uint32_t next;

    if (threadIdx.x == 0)
        next = 0;
    __syncthreads();
    out[threadIdx.x] = atomicAdd(&next, 1);
}

static __global__ void doubles_kernel(uint32_t *out, double scale, int add)
{
    out[threadIdx.x] =
        (uint32_t)(__shfl_xor_sync(ALL_LANES, scale * threadIdx.x, 1) + (double)add);
}

template <bool BARRIER> static __global__ void reverse_kernel(uint32_t *values)
{
    extern __shared__ uint32_t shared[];
    const unsigned i = threadIdx.x, n = blockDim.x;

    shared[i] = values[i];
    if (BARRIER)
        __syncthreads();
    values[i] = shared[n - 1 - i];
}

/* Each half sums its own values, 16 times over. */
static __global__ void parts_of_warps_kernel(uint32_t *out)
{
    __shared__ uint32_t value[32];
    const unsigned lane = threadIdx.x, half = lane / 16;
    const unsigned mask = half ? ~LOW_HALF : LOW_HALF;

    value[lane] = lane;
    for (unsigned step = 0; step < 16; step++) {
        uint32_t next;

        __syncwarp(mask);
        next = value[16 * half + (lane + 1) % 16] + 1;
        __syncwarp(mask);
        value[lane] = next;
    }
    out[lane] = value[lane];
}

static __global__ void time_kernel(uint32_t *out)
{
    const long long first = clock64(), second = clock64();

    out[threadIdx.x] = second > first;
}

/* ---- wrong ---- */

static __global__ void shuffle_is_no_barrier_kernel(uint32_t *out)
{
    __shared__ uint32_t value[32];
    const unsigned lane = threadIdx.x;

    value[lane] = lane;
    out[lane] = __shfl_sync(ALL_LANES, lane, 0);
    out[lane] += value[lane ^ 1];
}

static __global__ void warp_is_no_block_kernel(uint32_t *out)
{
    __shared__ uint32_t value[64];
    const unsigned i = threadIdx.x;

    value[i] = i;
    __syncwarp();
    out[i] = value[i ^ 32];
}

static __global__ void race_of_blocks_kernel(uint32_t *out)
{
    out[threadIdx.x] = blockIdx.x;
}

static __global__ void divergent_barrier_kernel(uint32_t *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

static __global__ void lost_barrier_kernel(uint32_t *out)
{
    if (threadIdx.x % 2)
        __syncthreads();
    out[threadIdx.x] = (uint32_t)__any_sync(ALL_LANES, 1);
}

static __global__ void lost_lane_kernel(uint32_t *out)
{
    const unsigned lane = threadIdx.x % 32;

    if (threadIdx.x < 32 && lane != 5)
        out[lane] = __shfl_sync(ALL_LANES, lane, 0);
    __syncthreads();
}

static __global__ void reads_ended_lane_kernel(uint32_t *out)
{
    if (threadIdx.x == 31)
        return;
    out[threadIdx.x] = __shfl_down_sync(ALL_LANES, threadIdx.x, 1);
}

static __global__ void not_in_mask_kernel(uint32_t *out)
{
    out[threadIdx.x] = __ballot_sync(LOW_HALF, 1);
}

static __global__ void odd_width_kernel(uint32_t *out)
{
    out[threadIdx.x] = __shfl_sync(ALL_LANES, threadIdx.x, 0, 24);
}

static __global__ void unmet_kernel(uint32_t *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __ballot_sync(ALL_LANES, 1);
    else
        out[threadIdx.x] = (uint32_t)__any_sync(ALL_LANES, 1);
}

static __global__ void beyond_shared_kernel(uint32_t *out, unsigned beyond)
{
    extern __shared__ uint32_t shared[];

    shared[threadIdx.x + beyond] = 1;
    out[threadIdx.x] = 1;
}

static __global__ void beyond_global_kernel(uint32_t *out, int n)
{
    out[n] = 1;
}

static __global__ void host_memory_kernel(const uint32_t *in, uint32_t *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

static __global__ void unwritten_shared_kernel(uint32_t *out)
{
    __shared__ uint32_t value[33];

    value[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = value[threadIdx.x + 1];
}

static __global__ void unwritten_global_kernel(uint32_t *out)
{
    out[threadIdx.x] += 1;
}

/* ---- launches ---- */

static void launch(enum kernel_case which, uint32_t *d, const uint32_t *host, int n)
{
    switch (which) {
    case WARP_VALUES:
        warp_values_kernel<<<1, 32>>>(d);
        break;
    case NARROW_SHUFFLES:
        narrow_shuffles_kernel<<<1, 32>>>(d);
        break;
    case BLOCK_VALUES:
        block_values_kernel<<<1, n>>>(d);
        break;
    case EARLY_ENDS:
        early_ends_kernel<<<1, 70>>>(d);
        break;
    case GRID_ATOMICS:
        grid_atomics_kernel<<<dim3(7, 3), 40, 0, NULL>>>(d);
        break;
    case ORDERS:
        orders_kernel<<<1, n>>>(d);
        break;
    case DOUBLES: {
        const void *const kernel = (const void *)doubles_kernel;
        double scale = 0.5;
        int add = 100;
        void *arguments[] = {&d, &scale, &add};

        cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, NULL);
        break;
    }
    case RIGHT_REVERSE:
        reverse_kernel<true><<<1, n, n * sizeof *d, NULL>>>(d);
        break;
    case PARTS_OF_WARPS:
        parts_of_warps_kernel<<<1, 32>>>(d);
        break;
    case TIME:
        time_kernel<<<1, n>>>(d);
        break;
    case NO_BARRIER:
        reverse_kernel<false><<<1, n, n * sizeof *d, NULL>>>(d);
        break;
    case SHUFFLE_IS_NO_BARRIER:
        shuffle_is_no_barrier_kernel<<<1, 32>>>(d);
        break;
    case WARP_IS_NO_BLOCK:
        warp_is_no_block_kernel<<<1, 64>>>(d);
        break;
    case RACE_OF_BLOCKS:
        race_of_blocks_kernel<<<2, 1>>>(d);
        break;
    case DIVERGENT_BARRIER:
        divergent_barrier_kernel<<<1, 64>>>(d);
        break;
    case LOST_BARRIER:
        lost_barrier_kernel<<<1, 32>>>(d);
        break;
    case LOST_LANE:
        lost_lane_kernel<<<1, 64>>>(d);
        break;
    case READS_ENDED_LANE:
        reads_ended_lane_kernel<<<1, 32>>>(d);
        break;
    case NOT_IN_MASK:
        not_in_mask_kernel<<<1, 32>>>(d);
        break;
    case ODD_WIDTH:
        odd_width_kernel<<<1, 32>>>(d);
        break;
    case UNMET:
        unmet_kernel<<<1, 32>>>(d);
        break;
    case BEYOND_SHARED:
        beyond_shared_kernel<<<1, 32, 32 * sizeof *d>>>(d, 1u);
        break;
    case BEYOND_GLOBAL:
        beyond_global_kernel<<<1, 1>>>(d, n);
        break;
    case HOST_MEMORY:
        host_memory_kernel<<<1, 32>>>(host, d);
        break;
    case UNWRITTEN_SHARED:
        unwritten_shared_kernel<<<1, 32>>>(d);
        break;
    case UNWRITTEN_GLOBAL:
        unwritten_global_kernel<<<1, 32>>>(d);
        break;
    case TOO_MANY_THREADS:
        time_kernel<<<1, 1025>>>(d);
        break;
    case TOO_MUCH_SHARED:
        reverse_kernel<true><<<1, 32, 49153>>>(d);
        break;
    }
}

int kernels_run(enum kernel_case which, const uint32_t *begin, uint32_t *words, int n)
{
    const size_t bytes = (size_t)n * sizeof *words;
    void *d = NULL;
    int error = emulated_malloc(&d, bytes);

    if (!error && begin)
        error = cudaMemcpyAsync(d, begin, bytes, cudaMemcpyHostToDevice, NULL);
    if (!error) {
        launch(which, (uint32_t *)d, begin, n);
        error = cudaGetLastError();
    }
    if (!error)
        error = cudaMemcpyAsync(words, d, bytes, cudaMemcpyDeviceToHost, NULL);
    cudaFree(d);
    return error;
}
