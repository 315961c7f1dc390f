/*
 * kernels.cu - small right and wrong kernels for test_emulator.c; never compiled for a card
 *
 * All have the same parameters: words of the device, n of them, and others of the host.
 */
#include "tests/emulation/kernels.h"

#define ALL_LANES 0xFFFFFFFFu
#define LOW_HALF  0x0000FFFFu

/* ---- right ---- */

/* Writes the result of each operation of a warp. */
static __global__ void warp_values(uint32_t *out, const uint32_t *host, int n)
{
    const unsigned lane = threadIdx.x;
    uint32_t *const mine = out + N_VALUES * lane;

    mine[0] = __shfl_sync(ALL_LANES, lane * lane, (int)lane + 33); /* modulo 32 */
    mine[1] = __shfl_up_sync(ALL_LANES, lane, 3);
    mine[2] = __shfl_down_sync(ALL_LANES, lane, 5);
    mine[3] = __shfl_xor_sync(ALL_LANES, lane, 17);
    mine[4] = __shfl_sync(ALL_LANES, lane, 10, 8); /* the third of each group */
    mine[5] = __shfl_up_sync(ALL_LANES, lane, 2, 8);
    mine[6] = __shfl_down_sync(ALL_LANES, lane, 2, 8);
    mine[7] = __shfl_xor_sync(ALL_LANES, lane, 9, 8);              /* earlier groups alone */
    mine[8] = (uint32_t)__shfl_xor_sync(ALL_LANES, 0.5 * lane, 1); /* 8 bytes */
    mine[9] = __ballot_sync(ALL_LANES, lane % 3 == 0) | !__any_sync(ALL_LANES, lane == 7) |
              __any_sync(ALL_LANES, 0);
    mine[10] = __reduce_add_sync(ALL_LANES, lane);
    mine[11] = __reduce_max_sync(ALL_LANES, lane ^ 21u);
    mine[12] = (uint32_t)__reduce_min_sync(ALL_LANES, 5 - (int)lane);
    mine[13] = lane < 16 ? __ballot_sync(LOW_HALF, lane & 1) : 0;
}

static __global__ void block_values(uint32_t *out, const uint32_t *host, int n)
{
    const int i = (int)threadIdx.x;
    const int any = __syncthreads_or(i == 70), none = __syncthreads_or(0);

    out[i] = (uint32_t)(1000 * __syncthreads_count(i % 4 == 0) + 2 * (any != 0) + (none != 0));
}

/* Lanes of each warp from 20 on end at once, then the second warp; the others still meet. */
static __global__ void early_ends(uint32_t *out, const uint32_t *host, int n)
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

static __global__ void grid_atomics(uint32_t *out, const uint32_t *host, int n)
{
    atomicAdd(&out[0], 1);
    atomicMax(&out[1], 1000 * blockIdx.y + 100 * blockIdx.x + threadIdx.x);
    atomicOr(&out[2], 1u << threadIdx.x % 32);
    atomicCAS(&out[3], 0, 77);
}

/* The order in which threads get a ticket. */
static __global__ void orders(uint32_t *out, const uint32_t *host, int n)
{
    __shared__ uint32_t next;

    if (threadIdx.x == 0)
        next = 0;
    __syncthreads();
    out[threadIdx.x] = atomicAdd(&next, 1);
}

/* Values reversed through shared memory. */
template <bool BARRIER>
static __global__ void reverse(uint32_t *values, const uint32_t *host, int n)
{
    extern __shared__ uint32_t shared[];
    const int i = (int)threadIdx.x;

    shared[i] = values[i];
    if (BARRIER)
        __syncthreads();
    values[i] = shared[n - 1 - i];
}

/* Each half sums its own values, 16 times over. */
static __global__ void parts_of_warps(uint32_t *out, const uint32_t *host, int n)
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

static __global__ void clock_grows(uint32_t *out, const uint32_t *host, int n)
{
    const long long first = clock64(), second = clock64();

    out[threadIdx.x] = second > first;
}

/* ---- wrong ---- */

static __global__ void shuffle_is_no_barrier(uint32_t *out, const uint32_t *host, int n)
{
    __shared__ uint32_t value[32];
    const unsigned lane = threadIdx.x;

    value[lane] = lane;
    out[lane] = __shfl_sync(ALL_LANES, lane, 0);
    out[lane] += value[lane ^ 1];
}

static __global__ void warp_is_no_block(uint32_t *out, const uint32_t *host, int n)
{
    __shared__ uint32_t value[64];
    const unsigned i = threadIdx.x;

    value[i] = i;
    __syncwarp();
    out[i] = value[i ^ 32];
}

static __global__ void race_of_blocks(uint32_t *out, const uint32_t *host, int n)
{
    out[threadIdx.x] = blockIdx.x;
}

static __global__ void divergent_barrier(uint32_t *out, const uint32_t *host, int n)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

static __global__ void lost_barrier(uint32_t *out, const uint32_t *host, int n)
{
    if (threadIdx.x % 2)
        __syncthreads();
    out[threadIdx.x] = (uint32_t)__any_sync(ALL_LANES, 1);
}

static __global__ void lost_lane(uint32_t *out, const uint32_t *host, int n)
{
    const unsigned lane = threadIdx.x % 32;

    if (threadIdx.x < 32 && lane != 5)
        out[lane] = __shfl_sync(ALL_LANES, lane, 0);
    __syncthreads();
}

static __global__ void reads_ended_lane(uint32_t *out, const uint32_t *host, int n)
{
    if (threadIdx.x == 31)
        return;
    out[threadIdx.x] = __shfl_down_sync(ALL_LANES, threadIdx.x, 1);
}

static __global__ void not_in_mask(uint32_t *out, const uint32_t *host, int n)
{
    out[threadIdx.x] = __ballot_sync(LOW_HALF, 1);
}

static __global__ void odd_width(uint32_t *out, const uint32_t *host, int n)
{
    out[threadIdx.x] = __shfl_sync(ALL_LANES, threadIdx.x, 0, 24);
}

static __global__ void unmet(uint32_t *out, const uint32_t *host, int n)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __ballot_sync(ALL_LANES, 1);
    else
        out[threadIdx.x] = (uint32_t)__any_sync(ALL_LANES, 1);
}

static __global__ void beyond_shared(uint32_t *out, const uint32_t *host, int n)
{
    extern __shared__ uint32_t shared[];

    shared[threadIdx.x + 1] = 1;
    out[threadIdx.x] = 1;
}

static __global__ void beyond_global(uint32_t *out, const uint32_t *host, int n)
{
    out[n] = 1;
}

static __global__ void odd_word(uint32_t *out, const uint32_t *host, int n)
{
    out[0] = out[2] = 0;
    *(unsigned long long *)(void *)(out + 1) = 1;
}

static __global__ void host_memory(uint32_t *out, const uint32_t *host, int n)
{
    out[threadIdx.x] = host[threadIdx.x];
}

static __global__ void unwritten_shared(uint32_t *out, const uint32_t *host, int n)
{
    __shared__ uint32_t value[33];

    value[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = value[threadIdx.x + 1];
}

static __global__ void unwritten_global(uint32_t *out, const uint32_t *host, int n)
{
    out[threadIdx.x] += 1;
}

/* ---- launches ---- */

static const struct {
    const char *name;
    void (*kernel)(uint32_t *out, const uint32_t *host, int n);
    dim3 grid;
    unsigned n_threads;
    size_t shared_bytes;
} kernels[] = {
    {"warp_values", warp_values, 1, 32, 0},
    {"block_values", block_values, 1, 100, 0},
    {"early_ends", early_ends, 1, 70, 0},
    {"grid_atomics", grid_atomics, dim3(7, 3), 40, 0},
    {"orders", orders, 1, 64, 0},
    {"right_reverse", reverse<true>, 1, 64, 64 * 4},
    {"parts_of_warps", parts_of_warps, 1, 32, 0},
    {"clock_grows", clock_grows, 1, 33, 0},
    {"no_barrier", reverse<false>, 1, 64, 64 * 4},
    {"shuffle_is_no_barrier", shuffle_is_no_barrier, 1, 32, 0},
    {"warp_is_no_block", warp_is_no_block, 1, 64, 0},
    {"race_of_blocks", race_of_blocks, 2, 1, 0},
    {"divergent_barrier", divergent_barrier, 1, 64, 0},
    {"lost_barrier", lost_barrier, 1, 32, 0},
    {"lost_lane", lost_lane, 1, 64, 0},
    {"reads_ended_lane", reads_ended_lane, 1, 32, 0},
    {"not_in_mask", not_in_mask, 1, 32, 0},
    {"odd_width", odd_width, 1, 32, 0},
    {"unmet", unmet, 1, 32, 0},
    {"beyond_shared", beyond_shared, 1, 32, 32 * 4},
    {"beyond_global", beyond_global, 1, 1, 0},
    {"odd_word", odd_word, 1, 1, 0},
    {"host_memory", host_memory, 1, 32, 0},
    {"unwritten_shared", unwritten_shared, 1, 32, 0},
    {"unwritten_global", unwritten_global, 1, 32, 0},
    {"too_many_threads", clock_grows, 1, 1025, 0},
    {"too_much_shared", reverse<true>, 1, 32, 49153},
};

int kernels_run(const char *name, const uint32_t *begin, uint32_t *words, int n)
{
    static const uint32_t host[32] = {0};
    const size_t bytes = (size_t)n * sizeof *words;
    void *d = NULL;
    int error = cudaMalloc(&d, bytes);

    if (!error && begin)
        error = cudaMemcpyAsync(d, begin, bytes, cudaMemcpyHostToDevice, NULL);
    for (const auto &k : kernels)
        if (!error && !strcmp(k.name, name)) {
            k.kernel<<<k.grid, k.n_threads, k.shared_bytes>>>((uint32_t *)d, host, n);
            error = cudaGetLastError();
        }
    if (!error)
        error = cudaMemcpyAsync(words, d, bytes, cudaMemcpyDeviceToHost, NULL);
    cudaFree(d);
    return error;
}

/* ---- launches that run together ---- */

/* Words of each device that takes part: one of each block of all, one of each block here. */
struct meeting {
    uint32_t *word[EMULATED_DEVICES];
    unsigned *n_arrived[EMULATED_DEVICES];
    int device, n_devices;
    unsigned n_expected;
};

/* Each block writes its number to all devices, waits for all, and adds the others' numbers. */
static __global__ void meet(struct meeting m)
{
    __shared__ uint32_t mine;
    const unsigned here = (unsigned)m.device * gridDim.x + blockIdx.x;
    const unsigned n_blocks = (unsigned)m.n_devices * gridDim.x;
    uint32_t sum = 0;

    if (threadIdx.x == 0)
        mine = here + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int d = 0; d < m.n_devices; d++)
            m.word[d][here] = mine;
        for (int d = 0; d < m.n_devices; d++)
            atomicAdd_system(m.n_arrived[d], 1u);
        while (emulated_load(m.n_arrived[m.device]) < m.n_expected)
            ;
    }
    __syncthreads();
    for (unsigned b = 0; b < n_blocks; b++)
        sum += m.word[m.device][b];
    if (threadIdx.x == 40)
        m.word[m.device][n_blocks + blockIdx.x] = 100 * mine + sum;
}

int kernels_meet(int n_devices, int n_blocks, int n_missing, uint32_t *words)
{
    const int n = (n_devices + 1) * n_blocks;
    struct meeting m = {
        {NULL}, {NULL}, 0, n_devices, (unsigned)(n_devices * n_blocks + n_missing)};
    int error = 0;

    for (int d = 0; d < n_devices && !error; d++) {
        cudaSetDevice(d);
        error = cudaMalloc((void **)&m.word[d], (size_t)n * sizeof(uint32_t));
        if (!error)
            error = cudaMalloc((void **)&m.n_arrived[d], sizeof(unsigned));
        if (!error)
            error =
                cudaMemsetAsync(m.n_arrived[d], 0, sizeof(unsigned), (cudaStream_t)(size_t)d);
    }
    for (m.device = 0; m.device < n_devices && !error; m.device++) {
        void *arguments[] = {&m};

        cudaSetDevice(m.device);
        error = cudaLaunchCooperativeKernel(meet, dim3((unsigned)n_blocks), dim3(64), arguments,
                                            0, (cudaStream_t)(size_t)m.device);
    }
    if (!error)
        error = cudaDeviceSynchronize();
    for (int d = 0; d < n_devices; d++) {
        cudaSetDevice(d);
        if (!error)
            error = cudaMemcpyAsync(words + d * n_blocks, m.word[d] + n_devices * n_blocks,
                                    (size_t)n_blocks * sizeof *words, cudaMemcpyDeviceToHost,
                                    (cudaStream_t)(size_t)d);
        cudaFree(m.word[d]);
        cudaFree(m.n_arrived[d]);
    }
    cudaSetDevice(0);
    return error;
}
