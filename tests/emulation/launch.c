/*
 * launch.c - launches, of one kernel at a time or of several that run together, and devices
 */
#include "tests/emulation/emulator_private.h"

#include <stdlib.h>
#include <string.h>

static long long n_launches; /* that have run to their end */

long long emulated_n_launches(void)
{
    return n_launches;
}

/* ---- launches ---- */

#define WITHOUT_ASKING 49152

/* A kernel's dynamic shared memory, most bytes a block; NULL: no more kernels fit. */
static int *allowed_shared(const void *kernel)
{
    static struct {
        const void *kernel;
        int allowed;
    } kernels[1024];
    static int n_kernels;
    int k = 0;

    while (k < n_kernels && kernels[k].kernel != kernel)
        k++;
    if (k == sizeof kernels / sizeof *kernels)
        return NULL;
    if (k == n_kernels) {
        kernels[n_kernels].kernel = kernel;
        kernels[n_kernels++].allowed = WITHOUT_ASKING;
    }
    return &kernels[k].allowed;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute,
                                 int bytes)
{
    int *const allowed = allowed_shared(kernel);

    if (!allowed || attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || bytes < 0 ||
        bytes > EMULATED_MAX_SHARED)
        return emulated_refuse(cudaErrorInvalidValue,
                               "a block cannot have %d bytes of dynamic shared memory", bytes);
    *allowed = bytes;
    return cudaSuccess;
}

static cudaError_t check_launch(const struct emulated_launch *l)
{
    const int *const allowed = allowed_shared(l->kernel);
    const struct emulated_dim *const g = &l->grid, *const b = &l->block;
    const struct emulated_place *const at = &l->place;

    if (g->x < 1 || g->y < 1 || g->z < 1 || g->x > 0x7FFFFFFF || g->y > 65535 || g->z > 65535)
        return emulated_refuse(cudaErrorInvalidConfiguration,
                               "%s:%d launches a grid of %u x %u x %u blocks", at->file,
                               at->line, g->x, g->y, g->z);
    if (b->x < 1 || b->y < 1 || b->z < 1 || b->x > MAX_THREADS || b->y > MAX_THREADS ||
        b->z > 64 || (uint64_t)b->x * b->y * b->z > MAX_THREADS)
        return emulated_refuse(cudaErrorInvalidConfiguration,
                               "%s:%d launches blocks of %u x %u x %u threads", at->file,
                               at->line, b->x, b->y, b->z);
    if (!allowed || l->shared_bytes > (size_t)*allowed)
        return emulated_refuse(cudaErrorInvalidValue,
                               "%s:%d launches a kernel with %zu bytes of dynamic shared "
                               "memory, and %d are allowed",
                               at->file, at->line, l->shared_bytes, allowed ? *allowed : 0);
    return cudaSuccess;
}

/* The blocks of a launch in an order that is drawn; to be freed; NULL: no memory. */
static uint32_t *shuffled(size_t n_blocks)
{
    uint32_t *const at = n_blocks <= UINT32_MAX ? calloc(n_blocks, sizeof *at) : NULL;

    for (size_t i = 0; at && i < n_blocks; i++) { /* Fisher and Yates */
        const size_t k = emulated_draw((uint32_t)i + 1);

        at[i] = at[k];
        at[k] = (uint32_t)i;
    }
    return at;
}

static size_t blocks_of(const struct emulated_launch *l)
{
    return (size_t)l->grid.x * l->grid.y * l->grid.z;
}

static cudaError_t refuse_memory(const struct emulated_launch *l)
{
    return emulated_refuse(cudaErrorMemoryAllocation,
                           "no memory for %zu blocks of %zu bytes of shared memory",
                           blocks_of(l), l->shared_bytes);
}

void emulated_run(const struct emulated_launch *l)
{
    const size_t n_blocks = blocks_of(l);
    const uint32_t first_serial = emulated_next_serial();
    struct block *const b = emulated_blocks(1);
    bool goes_on = true;
    uint32_t *at;

    if (emulated_finish() || check_launch(l))
        return;
    at = shuffled(n_blocks);
    if (!at || !b) {
        free(at);
        refuse_memory(l);
        return;
    }
    for (size_t i = 0; i < n_blocks && goes_on; i++) {
        b->launch = l;
        b->at = emulated_dim_of(at[i], l->grid);
        goes_on = emulated_make_shared(b, l->shared_bytes, false);
        if (!goes_on)
            refuse_memory(l);
        goes_on = goes_on && emulated_run_blocks(b, 1, false, first_serial);
    }
    free(at);
    emulated_free_shared(b);
    n_launches += goes_on;
}

/* ---- launches that run together ---- */

/* At most one of each device. */
static struct emulated_launch pending[EMULATED_DEVICES];
static int n_pending;

int emulated_run_later(const struct emulated_launch *l, size_t thread_bytes)
{
    struct emulated_launch *later;
    void *thread;

    for (int i = 0; i < n_pending; i++)
        if (pending[i].device == l->device && emulated_finish())
            return cudaErrorLaunchFailure;
    if (check_launch(l))
        return cudaErrorInvalidConfiguration;
    if (blocks_of(l) > EMULATED_PROCESSORS)
        return emulated_refuse(cudaErrorCooperativeLaunchTooLarge,
                               "%s:%d launches %zu blocks that wait for each other; "
                               "the device has room for %d",
                               l->place.file, l->place.line, blocks_of(l), EMULATED_PROCESSORS);
    thread = malloc(thread_bytes);
    if (!thread)
        return refuse_memory(l);
    later = &pending[n_pending++];
    *later = *l;
    later->thread = memcpy(thread, l->thread, thread_bytes);
    return cudaSuccess;
}

int emulated_finish(void)
{
    struct block *const blocks = n_pending ? emulated_blocks(MAX_BLOCKS) : NULL;
    const uint32_t first_serial = emulated_next_serial();
    const int n = n_pending;
    bool runs = blocks != NULL;
    unsigned n_blocks = 0;

    n_pending = 0;
    for (int i = 0; i < n && runs; i++)
        for (uint32_t k = 0; k < blocks_of(&pending[i]) && runs; k++) {
            struct block *const b = &blocks[n_blocks++];

            b->launch = &pending[i];
            b->at = emulated_dim_of(k, pending[i].grid);
            runs = emulated_make_shared(b, pending[i].shared_bytes, true);
        }
    if (n > 0 && !runs)
        refuse_memory(&pending[0]);
    runs = runs && emulated_run_blocks(blocks, n_blocks, true, first_serial);
    for (unsigned i = 0; i < n_blocks; i++)
        emulated_free_shared(&blocks[i]);
    for (int i = 0; i < n; i++)
        free((void *)(uintptr_t)pending[i].thread);
    n_launches += runs ? n : 0;
    return n == 0 || runs ? cudaSuccess : cudaErrorLaunchFailure;
}

/* ---- devices ---- */

static int device; /* the current one */
static bool peers[EMULATED_DEVICES][EMULATED_DEVICES];

int emulated_device(void)
{
    return device;
}

bool emulated_reaches(int from, int to)
{
    return from == to || peers[from][to];
}

static bool is_device(int index)
{
    return index >= 0 && index < EMULATED_DEVICES;
}

cudaError_t cudaSetDevice(int index)
{
    if (!is_device(index))
        return emulated_refuse(cudaErrorInvalidDevice, "there is no device %d", index);
    device = index;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)flags;
    if (!is_device(peer) || peer == device)
        return emulated_refuse(cudaErrorInvalidDevice, "device %d is no peer of device %d",
                               peer, device);
    if (peers[device][peer])
        return emulated_refuse(cudaErrorPeerAccessAlreadyEnabled,
                               "device %d has access to device %d already", device, peer);
    peers[device][peer] = true;
    return cudaSuccess;
}

/* The device of a stream's handle: cuda_runtime.h. */
cudaError_t emulated_check_stream(cudaStream_t stream)
{
    const int of = emulated_stream_device(stream);

    return of == device ? cudaSuccess
                        : emulated_refuse(cudaErrorInvalidResourceHandle,
                                          "work for a stream of device %d, while device %d is "
                                          "the current one",
                                          of, device);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return emulated_finish();
}
