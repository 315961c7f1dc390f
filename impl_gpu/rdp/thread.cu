/*
 * rdp/gpu-thread - a thread for each column goes through Algorithm 1 by itself
 *
 * Source:  [RDP] Algorithm 1 with a list for its recursion; exact integers as in rdp/model.h.
 * Mapping: thread = column; a stack of segments in local memory, so at most 1024 rows.
 * Work:    as rdp/serial.
 */
#include "harness/measure/impl.h"
#include "harness/problems/rdp/rdp.h"

#ifdef __CUDACC__
#include "impl_gpu/rdp/columns.cuh"

#define MAX_ROWS 1024
#define THREADS  64

static __global__ void thread_kernel(const uint16_t *y, int n_columns, int n_rows,
                                     uint32_t epsilon_q8, int vertical, int n_words,
                                     uint32_t *kept, int32_t *segments, int32_t *rounds)
{
    const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int16_t first[MAX_ROWS + 1], last[MAX_ROWS + 1], depth[MAX_ROWS + 1];
    int n = 0, f = 0, l = n_rows - 1, n_segments = 0, n_rounds = 1;

    if (column >= n_columns)
        return;
    y += (size_t)column * n_rows;
    kept += (size_t)column * n_words;
    for (int w = 0; w < n_words; w++)
        kept[w] = 0;
    while (f < n_rows && y[f] == RDP_INVALID)
        f++;
    while (l > f && y[l] == RDP_INVALID)
        l--;
    if (l > f) {
        kept[f / 32] |= 1u << f % 32;
        kept[l / 32] |= 1u << l % 32;
        first[n] = (int16_t)f, last[n] = (int16_t)l, depth[n++] = 1;
    }
    while (n > 0) {
        n--;
        f = first[n], l = last[n];
        const int d = depth[n], length = l - f, dy = y[l] - y[f];
        uint32_t greatest = 0;
        int cut = -1;

        for (int i = f + 1; i < l; i++) {
            const uint32_t cost =
                y[i] == RDP_INVALID ? 0 : rdp_cost(dy, length, y[f], y[i], i - f);

            if (cost > greatest)
                greatest = cost, cut = i;
        }
        if (!(vertical ? rdp_exceeds_vertical(greatest, length, epsilon_q8)
                       : rdp_exceeds_perpendicular(greatest, length, dy, epsilon_q8))) {
            n_segments++;
            continue;
        }
        kept[cut / 32] |= 1u << cut % 32;
        n_rounds = n_rounds < d + 1 ? d + 1 : n_rounds;
        first[n] = (int16_t)cut, last[n] = (int16_t)l, depth[n++] = (int16_t)(d + 1);
        first[n] = (int16_t)f, last[n] = (int16_t)cut, depth[n++] = (int16_t)(d + 1);
    }
    segments[column] = n_segments;
    rounds[column] = n_rounds;
}

struct state {
    struct columns columns;
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;

    if (((const struct rdp_input *)input)->n_rows > MAX_ROWS)
        return BENCH_FAIL(BENCH_ESKIP, "a thread's stack has room for %d rows", MAX_ROWS);
    TRY(columns_setup(&s->columns, ctx, input, output, false));
    return bench_set_kernel_info(ctx, (const void *)thread_kernel, THREADS, 0);
}

static enum bench_status upload(void *opaque)
{
    return columns_upload(&((struct state *)opaque)->columns);
}

static enum bench_status poison(void *opaque)
{
    return columns_poison(&((struct state *)opaque)->columns);
}

static enum bench_status run(void *opaque)
{
    const struct columns *c = &((const struct state *)opaque)->columns;

    thread_kernel<<<(unsigned)(c->n_columns + THREADS - 1) / THREADS, THREADS, 0, c->stream>>>(
        c->d_y, (int)c->n_columns, c->in->n_rows, c->in->epsilon_q8,
        c->in->distance == RDP_VERTICAL, c->n_words, c->d_kept, c->d_segments, c->d_rounds);
    CUDA_TRY_LAUNCH();
    return BENCH_OK;
}

static enum bench_status download(void *opaque)
{
    return columns_download(&((struct state *)opaque)->columns);
}

static void teardown(void *opaque)
{
    columns_teardown(&((struct state *)opaque)->columns);
}
#endif

BENCH_IMPL(rdp_gpu_thread) = {
    .name = "rdp/gpu-thread",
    .problem = &rdp_problem,
    .target = BENCH_CUDA,
    .source = "[RDP] Algorithm 1, a thread a column",
    .reference = "rdp/serial",
    .keys = NULL,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .reads_raw = NULL,
    .setup = setup,
    .upload = upload,
    .poison = poison,
    .run = run,
    .download = download,
    .teardown = teardown,
#endif
};
