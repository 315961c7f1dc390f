/*
 * som/gpu-paper - the paper's rounds: a thread per cell draws, searches the winner, and pulls
 *
 * Source:  [SOM] sect. 4.2, 5, Algorithms 1 and 2, Fig. 7.
 * Mapping: one thread per cell (blocks of block_threads); to list neurons and to store random
 *          numbers, one thread for each of these.
 * Work:    n_rounds x active cells x (pixels of the cell + neurons of the cells searched + 3 r
 *          (r + 1) + 1), r = floor(sigma); the slowest cell determines the time of a kernel.
 *
 * kernels = single is Algorithm 2 as printed.  multi is its sect. 5.2.2: points and winners
 * pass through global memory, and all searches come before the first pull.
 *
 * The default of each key is what stands for the paper: one kernel a round, MOV2, and
 *   block_threads = 8  sect. 6.2: the fastest for one kernel and cells of 20 px, as in Table 2
 *   atomics = cas64    sect. 5.1: "the CUDA atomic function which performs a read-modify-write
 *                      atomic operation without interference from any other threads"
 * The text decided both, before Table 2 was measured.  On a GPU of today neither is fastest.
 *
 * Deviations that cost or gain time, in ms of 1500 rounds on one H200, sigma 12, search range
 * 4, seed 1; a round's kernels on conesM, sigma 24, 8 threads, 20 px take 585 ms (som/fig9).
 *   1 block size and atomics, by the text; with 1, 8 and 32 threads a block (see som/blocks):
 *         cas64  cones 171, 275, 384    conesM 170, 286, 402    conesL 180, 281, 379
 *         exch   cones 146, 430, 922    conesM 144, 467, 1031   conesL 156, 478, 1059
 *     The text's setting costs 104 ms of 275 on cones against one thread, 129 against one
 *     thread and exchanges.  With 8 threads, exchanges would cost 155 ms more.
 *   2 compare-and-swap moves a neuron's position, one word of 64 bits.  The authors' program
 *     exchanges x and then y, and may lose pulls: atomics = exch.  Price: see 1.
 *   3 --fmad=false gives update = snapshot the bits of the CPU: 3 ms of 284 on cones, 1 of 289
 *     on conesM.
 *   4 a neighbourhood is walked "starting from the closest one (winner neuron)" [sect. 4.2],
 *     here in rings; the paper does not say where a ring begins.  Cells that all walk the same
 *     way drag the mesh, since the last pulls on a neuron come from one side.  walk = turned:
 *     the rings of a cell begin at a random angle.  It is the lower half of the word that drew
 *     the pixel, whose upper half nearly decides alone, so no third word is stored.  rings: all
 *     begin at the right.  rows: row by row from the top.  Cones, 8 threads: 282 ms turned, 279
 *     rings, 217 rows (som/blocks [walk]).
 *   5 the host makes a table of alpha exp(-d^2 / sigma^2) by d; a pull needs no exponential.
 *     Gain not measured, as no variant computes it.
 *   6 mov = 2tex: the paper binds positions to a texture that the same kernel writes, so it may
 *     be stale.  Here it gives the value that the first compare-and-swap expects; a stale one
 *     costs another try.  12 to 15 % slower than MOV2 with 32 threads (som/fig8).
 * Deviations of parts that take hardly any time, by the stages of som/fig9 (ms of 585):
 *   7 the stored random numbers are the words of som.h, two for each cell and round, from
 *     Philox by counters, not from cuRAND: the result does not depend on mrsr.  All: 0.02.
 *   8 a cell compares whole numbers [eq. 6] in its round: there is no array of probabilities.
 *     The kernel of the densities, whose sums have 64 bits, also finds the greatest one: 0.02.
 *   9 the paper does not say what happens when a list is full.  Here a kernel fills such a list
 *     again with the smallest ids.  Other lists have the order of the atomics; a search prefers
 *     the smaller id among equals, so the order does not matter.  A list has room for at most
 *     all neurons.  All refreshes: 0.6.
 *  10 each thread counts its updates and misses in memory: a word read and written for each
 *     cell and round.  Price: 4 ms of 284 on cones, 1 of 289 on conesM.
 *
 * update = snapshot is the check that all variants pass, and is not timed.  Points and winners
 * come from the kernels above; two kernels that the paper does not have apply the pulls in the
 * order of som.h (mesh.cuh).
 *
 * Stages: the rounds are one stage, and their kernels its parts.  In the stage pass the first
 *       kernel of each part notes the global timer when it begins, so that a part holds the gap
 *       to the next one.
 */
#include "harness/measure/impl.h"
#include "harness/problems/som/som.h"

static const struct bench_key keys[] = {
    {"kernels", "single", "",
     "a round is one kernel, or three: extraction, search, learning; single is what the paper "
     "goes on with",
     BENCH_CHOICE, 0, 0, "single|multi"},
    {"mov", "2", "",
     "memory organisation of the cells' lists [SOM Fig. 7]; 2tex: positions are read through a "
     "texture, too, where neurons move",
     BENCH_CHOICE, 0, 0, "1|2|2tex"},
    {"block_threads", "8", "threads",
     "of the kernels that have a thread for each cell; 8 is the fastest of one kernel with "
     "cells of 20 px by the paper's sect. 6.2",
     BENCH_INT, 1, 256, NULL},
    {"atomics", "cas64", "",
     "how live updates write a neuron: its pair by compare-and-swap, or each coordinate by an "
     "exchange, which may lose a pull",
     BENCH_CHOICE, 0, 0, "cas64|exch"},
    {"walk", "turned", "",
     "how a cell goes over the neighbourhood of its winner under live updates: in rings from "
     "the winner outwards, each begun at a random node (turned) or to the right (rings), or "
     "row "
     "by row",
     BENCH_CHOICE, 0, 0, "turned|rings|rows"},
    {"search", "stop", "",
     "a search ends with the ring behind which no list can have a nearer one, or visits all "
     "cells in range",
     BENCH_CHOICE, 0, 0, "stop|all"},
    {"blocks_per_sm", "0", "blocks",
     "of the kernels that have a thread for each cell, that an SM holds at once: idle shared "
     "memory keeps others out; 0: as many as fit. A Fermi GPU, as the paper's, holds 8",
     BENCH_INT, 0, 32, NULL},
    {"mrsr", "1000", "rounds", "for so many rounds random numbers are stored", BENCH_INT, 1,
     65536, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

#ifdef __CUDACC__
#include "impl_gpu/som/paper_cell.cuh"

#include <string.h>

/* ---- kernels of a round, one thread per cell ---- */

/* All steps. */
template <int MOV, enum pull_by BY> static __global__ void run_round_kernel(struct task t)
{
    const int cell = thread_number();

    note_begin(t.stamps);
    if (cell >= t.mesh.n_cells)
        return;

    const float2 point = extract(t, cell);

    if (point.x < 0)
        return;

    const int winner = search<MOV>(t, point);

    count(t, cell, winner);
    if (winner >= 0)
        learn<BY>(t, cell, point, winner);
}

/* All steps except the last one, for update = snapshot. */
template <int MOV> static __global__ void find_winners_kernel(struct task t)
{
    const int cell = thread_number();
    int winner = -1;

    note_begin(t.stamps);
    if (cell >= t.mesh.n_cells)
        return;

    const float2 point = extract(t, cell);

    if (point.x >= 0) {
        winner = search<MOV>(t, point);
        count(t, cell, winner);
    }
    t.point[cell] = point;
    t.winner[cell] = winner;
}

static __global__ void extract_points_kernel(struct task t)
{
    const int cell = thread_number();

    note_begin(t.stamps);
    if (cell < t.mesh.n_cells)
        t.point[cell] = extract(t, cell);
}

template <int MOV> static __global__ void search_winners_kernel(struct task t)
{
    const int cell = thread_number();
    int winner = -1;

    note_begin(t.stamps);
    if (cell >= t.mesh.n_cells)
        return;

    const float2 point = t.point[cell];

    if (point.x >= 0) {
        winner = search<MOV>(t, point);
        count(t, cell, winner);
    }
    t.winner[cell] = winner;
}

template <enum pull_by BY> static __global__ void learn_points_kernel(struct task t)
{
    const int cell = thread_number();

    note_begin(t.stamps);
    if (cell >= t.mesh.n_cells)
        return;

    const int winner = t.winner[cell];

    if (winner >= 0)
        learn<BY>(t, cell, t.point[cell], winner);
}

/* After the last round. */
static __global__ void sum_tallies_kernel(int n_cells, const uint2 *__restrict__ tally,
                                          struct som_counts *counts)
{
    const int cell = thread_number();

    if (cell >= n_cells)
        return;
    if (tally[cell].x > 0)
        atomicAdd((unsigned long long *)&counts->updates, (unsigned long long)tally[cell].x);
    if (tally[cell].y > 0)
        atomicAdd((unsigned long long *)&counts->misses, (unsigned long long)tally[cell].y);
}

/* ---- the variant ---- */

typedef void round_kernel_fn(struct task task);

#define MAX_PARTS 5
enum { RANDOM_NUMBERS, REFRESH, STEPS };
/* the parts of a round in Algorithm 1, and with kernels = multi in Algorithm 2 */
static const char *const single_parts[] = {"random numbers", "refresh", "som"};
static const char *const multi_parts[] = {"random numbers", "refresh", "extraction", "search",
                                          "learning"};

struct state {
    struct maps maps;
    bool snapshot, multi;
    int mov;
    enum walk walk;
    bool visits_all;
    int n_threads; /* of a block with a thread for each cell */
    size_t idle;   /* bytes of shared memory that nobody uses; they bound its blocks an SM */
    int stored;    /* rounds whose random numbers are stored at once */
    int n_words;   /* of a cell and round */
    int n_parts;
    round_kernel_fn *whole;          /* kernels = single */
    round_kernel_fn *search, *learn; /* multi; the last is NULL under update = snapshot */
    /* of 'maps.arrays', as all d_ below */
    struct lists lists;
    uint32_t *d_random;           /* [stored][n_words][n_cells] */
    float2 *d_point;              /* [n_cells] */
    int *d_winner;                /* [n_cells] */
    uint2 *d_tally;               /* [n_cells] */
    struct ordered_pull *d_pulls; /* [n_cells], snapshot; otherwise NULL */
    int *d_n_pulls;
    cudaTextureObject_t texture; /* 0: none */
    uint32_t *d_stamps;          /* [n_frames][n_rounds][n_parts], and one more */
    uint32_t *d_spans;           /* [n_frames][n_rounds][n_parts] */
};

/* The stage pass's progress through its stamps. */
struct progress {
    uint32_t *stamps; /* NULL: no stages are taken */
    size_t n;
};

template <int MOV> static void choose_kernels(struct state *s, enum pull_by by)
{
    /* by enum pull_by */
    static round_kernel_fn *const whole[] = {run_round_kernel<MOV, SWAP>,
                                             run_round_kernel<MOV, SWAP_TEXTURE>,
                                             run_round_kernel<MOV, EXCHANGE>};
    static round_kernel_fn *const learn[] = {learn_points_kernel<SWAP>,
                                             learn_points_kernel<SWAP_TEXTURE>,
                                             learn_points_kernel<EXCHANGE>};

    s->search = search_winners_kernel<MOV>;
    s->whole = s->snapshot ? find_winners_kernel<MOV> : whole[by];
    s->learn = s->snapshot ? NULL : learn[by];
}

static enum bench_status read_keys(struct state *s, const struct bench_ctx *ctx,
                                   const struct som_input *in)
{
    const bool texture = bench_is(ctx->params, "mov", "2tex");
    const bool exchange = bench_is(ctx->params, "atomics", "exch");
    const int mrsr = bench_int(ctx->params, "mrsr");
    const enum pull_by by = exchange ? EXCHANGE : texture ? SWAP_TEXTURE : SWAP;

    if (texture && exchange)
        return BENCH_FAIL(BENCH_ESKIP, "mov = 2tex has no atomics = exch: a position that is "
                                       "read through a texture may be old, which only a "
                                       "compare-and-swap finds out");
    s->snapshot = in->update == SOM_SNAPSHOT;
    if (s->snapshot && bench_is(ctx->params, "search", "all"))
        return BENCH_FAIL(BENCH_ESKIP, "search = all is of live updates: between refreshes it "
                                       "finds other winners than som/rounds, which stops");
    s->multi = bench_is(ctx->params, "kernels", "multi");
    s->mov = bench_is(ctx->params, "mov", "1") ? MOV_1 : MOV_2;
    s->walk = bench_is(ctx->params, "walk", "turned")  ? TURNED
              : bench_is(ctx->params, "walk", "rings") ? RINGS
                                                       : ROWS;
    s->visits_all = bench_is(ctx->params, "search", "all");
    s->n_threads = bench_int(ctx->params, "block_threads");
    s->stored = mrsr < in->n_rounds ? mrsr : in->n_rounds;
    s->n_words = s->snapshot ? 3 : 2;
    s->n_parts = s->multi ? 5 : 3;
    if (s->mov == MOV_1)
        choose_kernels<MOV_1>(s, by);
    else
        choose_kernels<MOV_2>(s, by);
    return BENCH_OK;
}

/* Lets an SM hold n blocks of the kernels with a thread for each cell; 0: all that fit. */
static enum bench_status bound_blocks(struct state *s, int n)
{
    const void *const kernels[] = {(const void *)s->whole, (const void *)extract_points_kernel,
                                   (const void *)s->search, (const void *)s->learn};
    int most, of_sm, reserved = 0;

    if (n == 0)
        return BENCH_OK;
    TRY(device_attribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    TRY(device_attribute(&of_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor));
#if !defined CUDART_VERSION || CUDART_VERSION >= 11010 /* before, nothing was reserved */
    TRY(device_attribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock));
#endif
    s->idle = (size_t)(of_sm / n - reserved) / 128 * 128;
    if (s->idle > (size_t)most)
        return BENCH_FAIL(BENCH_ESKIP,
                          "blocks_per_sm = %d: a block may have %d bytes of shared memory, and "
                          "so few blocks need %zu",
                          n, most, s->idle);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i])
            TRY(allow_shared(kernels[i], most));
    return BENCH_OK;
}

static enum bench_status allocate_lists(struct state *s, const struct som_input *in)
{
    struct device_arrays *const arrays = &s->maps.arrays;
    struct lists *const lists = &s->lists;
    const int n_neurons = som_n_neurons(in);
    const size_t n_cells = (size_t)som_n_cells(in);
    size_t n_entries;

    lists->capacity = in->cell_capacity < n_neurons ? in->cell_capacity : n_neurons;
    n_entries = n_cells * (size_t)lists->capacity;
    if (n_entries > MAX_ENTRIES)
        return BENCH_FAIL(BENCH_ESKIP,
                          "the lists of %zu cells with room for %d neurons each have %zu "
                          "entries; indices go to %u",
                          n_cells, lists->capacity, n_entries, MAX_ENTRIES);
    TRY(make_array(arrays, &lists->n, n_cells));
    if (s->mov == MOV_2)
        return make_array(arrays, &lists->pair, n_entries);
    TRY(make_array(arrays, &lists->x, n_entries));
    return make_array(arrays, &lists->y, n_entries);
}

static enum bench_status allocate_cells(struct state *s, const struct som_input *in)
{
    const size_t n_cells = (size_t)som_n_cells(in);
    const size_t n_stamps = (size_t)in->n_frames * (size_t)in->n_rounds * (size_t)s->n_parts;
    struct device_arrays *const arrays = &s->maps.arrays;

    if (n_stamps >= INT32_MAX)
        return BENCH_FAIL(BENCH_ESKIP, "%d frames of %d rounds are too many for stages",
                          in->n_frames, in->n_rounds);
    TRY(make_array(arrays, &s->d_random, (size_t)s->stored * (size_t)s->n_words * n_cells));
    TRY(make_array(arrays, &s->d_point, n_cells));
    TRY(make_array(arrays, &s->d_winner, n_cells));
    TRY(make_array(arrays, &s->d_tally, n_cells));
    TRY(make_array(arrays, &s->d_stamps, n_stamps + 1));
    TRY(make_array(arrays, &s->d_spans, n_stamps));
    if (!s->snapshot)
        return BENCH_OK;
    TRY(make_array(arrays, &s->d_pulls, n_cells));
    return make_array(arrays, &s->d_n_pulls, 1);
}

/* Makes the positions of all frames a texture of pairs. */
static enum bench_status bind_texture(struct state *s, const struct som_input *in)
{
    const size_t n = (size_t)in->n_frames * (size_t)s->maps.mesh.n_neurons;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc description;

    if (n > MAX_TEXELS)
        return BENCH_FAIL(BENCH_ESKIP,
                          "mov = 2tex: a texture has at most %u pairs, these frames have %zu "
                          "neurons",
                          MAX_TEXELS, n);
    memset(&resource, 0, sizeof resource);
    memset(&description, 0, sizeof description);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = s->maps.d_position;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat);
    resource.res.linear.sizeInBytes = n * sizeof *s->maps.d_position;
    description.readMode = cudaReadModeElementType;
    CUDA_TRY(cudaCreateTextureObject(&s->texture, &resource, &description, NULL));
    return BENCH_OK;
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = (struct state *)opaque;
    const struct som_input *in = (const struct som_input *)input;

    TRY(read_keys(s, ctx, in));
    TRY(bound_blocks(s, bench_int(ctx->params, "blocks_per_sm")));
    TRY(maps_setup(&s->maps, ctx, input, output));
    TRY(allocate_lists(s, in));
    TRY(allocate_cells(s, in));
    if (bench_is(ctx->params, "mov", "2tex"))
        TRY(bind_texture(s, in));
    if (s->snapshot)
        return bench_set_kernel_info(ctx, (const void *)pull_neurons_kernel, THREADS_OF_NEURONS,
                                     0);
    return bench_set_kernel_info(ctx, (const void *)(s->multi ? s->learn : s->whole),
                                 s->n_threads, s->idle);
}

static const struct stamps no_stamps = {NULL, 0};

/* For the kernel that begins a part of the round that n_rounds precede. */
static struct stamps stamps_of(const struct state *s, struct progress *p, size_t n_rounds,
                               int part)
{
    const size_t end = n_rounds * (size_t)s->n_parts + (size_t)part + 1;
    struct stamps stamps = no_stamps;

    if (p->stamps) {
        stamps.at = p->stamps + p->n;
        stamps.n = (int)(end - p->n);
        p->n = end;
    }
    return stamps;
}

static enum bench_status store_words(const struct state *s, struct stamps stamps, int frame,
                                     int round)
{
    const struct maps *const f = &s->maps;
    const int left = f->in->n_rounds - round, n = s->stored < left ? s->stored : left;

    return launch(store_words_kernel, (size_t)n * (size_t)f->mesh.n_cells, THREADS_A_BLOCK,
                  f->stream, stamps, f->in->seed + (uint64_t)frame, round, n, s->n_words,
                  f->mesh.n_cells, s->d_random);
}

template <int MOV>
static enum bench_status refresh(const struct state *s, struct stamps stamps,
                                 const float2 *position, struct som_counts *counts)
{
    const struct mesh *const m = &s->maps.mesh;
    const cudaStream_t stream = s->maps.stream;
    const size_t n_cells = (size_t)m->n_cells;

    TRY(launch(clear_lists_kernel, n_cells, s->n_threads, stream, stamps, m->n_cells,
               s->lists.n));
    TRY(launch(list_neurons_kernel<MOV>, (size_t)m->n_neurons, THREADS_A_BLOCK, stream, *m,
               s->lists, position));
    return launch(trim_lists_kernel<MOV>, n_cells, s->n_threads, stream, *m, s->lists, position,
                  counts);
}

static enum bench_status launch_step(const struct state *s, round_kernel_fn *kernel,
                                     struct stamps stamps, struct task *task)
{
    task->stamps = stamps;
    return launch_with(s->idle, kernel, (size_t)s->maps.mesh.n_cells, s->n_threads,
                       s->maps.stream, *task);
}

/* The last step of a round under update = snapshot. */
static enum bench_status pull_in_order(const struct state *s, struct stamps stamps,
                                       const struct task *task)
{
    const struct mesh *const m = &task->mesh;
    const cudaStream_t stream = s->maps.stream;

    TRY(launch(rank_cells_kernel, (size_t)m->n_cells, THREADS_OF_NEURONS, stream, stamps,
               m->n_cells, m->grid_cols, task->random + 2 * (size_t)m->n_cells, task->winner,
               task->point, s->d_pulls, s->d_n_pulls));
    return launch(pull_neurons_kernel, (size_t)m->n_neurons, THREADS_OF_NEURONS, stream, *m,
                  s->d_pulls, s->d_n_pulls, task->rate, task->radius, task->position);
}

/* 'before': the rounds of this run that precede this one. */
static enum bench_status run_round(const struct state *s, struct progress *p, size_t before,
                                   int round, struct task *task)
{
    const struct som_input *const in = s->maps.in;
    const size_t row = (size_t)(round % s->stored);

    task->random = s->d_random + row * (size_t)s->n_words * (size_t)task->mesh.n_cells;
    task->rate = s->maps.d_rate + (size_t)round * (size_t)(in->max_radius + 1);
    task->radius = in->radius[round];
    if (s->multi) {
        struct stamps stamps;

        TRY(launch_step(s, extract_points_kernel, stamps_of(s, p, before, STEPS), task));
        TRY(launch_step(s, s->search, stamps_of(s, p, before, STEPS + 1), task));
        stamps = stamps_of(s, p, before, STEPS + 2);
        return s->snapshot ? pull_in_order(s, stamps, task)
                           : launch_step(s, s->learn, stamps, task);
    }
    TRY(launch_step(s, s->whole, stamps_of(s, p, before, STEPS), task));
    return s->snapshot ? pull_in_order(s, no_stamps, task) : BENCH_OK;
}

/* [SOM] Algorithm 1 from line 5 on. */
static enum bench_status run_frame(const struct state *s, struct progress *p, int frame)
{
    const struct maps *const f = &s->maps;
    const struct som_input *const in = f->in;
    const size_t n_cells = (size_t)f->mesh.n_cells;
    struct som_counts *const counts = f->d_counts + frame;
    struct task task;

    memset(&task, 0, sizeof task);
    task.mesh = f->mesh;
    task.lists = s->lists;
    task.grey = f->d_grey + (size_t)frame * som_n_pixels(in);
    task.density = f->d_density + (size_t)frame * n_cells;
    task.greatest = f->d_greatest + frame;
    task.walk = s->walk;
    task.sure_rings = s->visits_all ? f->mesh.last_ring : 0;
    task.position = f->d_position + (size_t)frame * (size_t)f->mesh.n_neurons;
    task.texture = s->texture;
    task.first_texel = s->texture ? frame * f->mesh.n_neurons : 0;
    task.point = s->d_point;
    task.winner = s->d_winner;
    task.tally = s->d_tally;
    CUDA_TRY(cudaMemsetAsync(s->d_tally, 0, n_cells * sizeof *s->d_tally, f->stream));
    for (int round = 0; round < in->n_rounds; round++) {
        const size_t before = (size_t)frame * (size_t)in->n_rounds + (size_t)round;

        if (round % s->stored == 0)
            TRY(store_words(s, stamps_of(s, p, before, RANDOM_NUMBERS), frame, round));
        if (round % in->refresh_rate == 0) {
            const struct stamps stamps = stamps_of(s, p, before, REFRESH);

            TRY(s->mov == MOV_1 ? refresh<MOV_1>(s, stamps, task.position, counts)
                                : refresh<MOV_2>(s, stamps, task.position, counts));
        }
        TRY(run_round(s, p, before, round, &task));
    }
    return launch(sum_tallies_kernel, n_cells, THREADS_A_BLOCK, f->stream, (int)n_cells,
                  s->d_tally, counts);
}

/* The stage of all rounds, and the parts of them. */
static enum bench_status stage_rounds(const struct state *s, struct progress *p)
{
    const struct maps *const f = &s->maps;
    const size_t n_rounds = (size_t)f->in->n_frames * (size_t)f->in->n_rounds;
    const int n = (int)(n_rounds * (size_t)s->n_parts);

    if (!p->stamps)
        return BENCH_OK;
    note_end_kernel<<<1, 1, 0, f->stream>>>(stamps_of(s, p, n_rounds, 0));
    CUDA_TRY_LAUNCH();
    bench_stage(f->ctx->stages, "rounds");
    subtract_stamps_kernel<<<blocks_of((size_t)n, THREADS_A_BLOCK), THREADS_A_BLOCK, 0,
                             f->stream>>>(s->d_stamps, n, s->d_spans);
    CUDA_TRY_LAUNCH();
    bench_stage_parts(f->ctx->stages, s->multi ? multi_parts : single_parts, s->n_parts,
                      s->d_spans, n_rounds);
    return BENCH_OK;
}

static enum bench_status run(void *opaque)
{
    const struct state *s = (const struct state *)opaque;
    const struct maps *const f = &s->maps;
    struct progress progress = {f->ctx->stages ? s->d_stamps : NULL, 0};

    TRY(maps_begin(f, s->n_threads));
    bench_stage(f->ctx->stages, "densities");
    for (int frame = 0; frame < f->in->n_frames; frame++)
        TRY(run_frame(s, &progress, frame));
    return stage_rounds(s, &progress);
}

static void teardown(void *opaque)
{
    struct state *s = (struct state *)opaque;

    if (s->texture)
        cudaDestroyTextureObject(s->texture);
    maps_teardown(opaque);
}
#endif

BENCH_IMPL(som_gpu_paper) = {
    .name = "som/gpu-paper",
    .problem = &som_problem,
    .target = BENCH_CUDA,
    .source = "[SOM] sect. 5, Algorithms 1 and 2",
    .reference = "som/rounds",
    .other = NULL,
    .needs = NULL,
    .keys = keys,
#ifdef __CUDACC__
    .state_size = sizeof(struct state),
    .setup = setup,
    .upload = maps_upload,
    .take = maps_take,
    .poison = maps_poison,
    .run = run,
    .download = maps_download,
    .teardown = teardown,
#endif
};
