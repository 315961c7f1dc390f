/*
 * emulator.c - blocks, threads, barriers and the operations of a warp
 */
#include "tests/emulation/emulator_private.h"

#include "harness/base/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Not a power of two, and the tops at one of 64 lines of a page: else all stacks would share a
 * few sets of the caches. */
#define STACK_BYTES  (FIBRE_ASAN ? (size_t)260 << 10 : (size_t)68 << 10)
#define STACK_TOP(i) ((i) % 64 * 64)
/* at the end of each stack: an overflow is a fault, not a riddle */
#define GUARD_BYTES ((size_t)4096)

/* Who is next. */
enum order {
    ORDER_ANY,   /* any thread */
    ORDER_WARPS, /* a warp goes on for as long as it can */
    ORDER_FIRST, /* the first thread that can */
    ORDER_LAST,  /* the last */
    N_ORDERS
};

/* What runs. */
static const struct emulated_launch *launch;
static struct emulated_dim block;
static enum order order;
/* at accesses to memory, too */
static bool gives_way;
static struct thread threads[MAX_THREADS];
static unsigned n_threads, n_alive;
/* threads there; those of them with a predicate; the first one */
static unsigned n_at_barrier, n_true;
static const struct thread *first_at_barrier;
/* for each warp a bit for each lane that is READY; a bit for each warp that has any */
static uint32_t ready[MAX_WARPS], ready_warps;
/* lanes that have not ended; that are AT_WARP */
static uint32_t alive[MAX_WARPS], waiting[MAX_WARPS];
static struct fibre host;
static char *stacks;

struct thread *emulated_now;
uint32_t emulated_serial, emulated_first_serial, emulated_phase;
int emulated_accesses_left;

static struct emulated_counts counts;
static struct emulated_place places[EMULATED_MAX_PLACES], left_out;
static int n_places;

static struct emulated_dim dim_of(unsigned i, struct emulated_dim size)
{
    if (i < size.x)
        return (struct emulated_dim){i, 0, 0};
    return (struct emulated_dim){i % size.x, i / size.x % size.y, i / size.x / size.y};
}

/* ---- random numbers ---- */

static uint64_t seed;
static uint32_t n_drawn;
static struct bench_words words;
/* as many as are left, twelve times five, below a 1 */
static uint64_t five_bits;

void emulated_seed(uint64_t new_seed)
{
    seed = new_seed;
    n_drawn = 0;
    five_bits = 0;
}

/* In [0, n). */
static uint32_t draw(uint32_t n)
{
    if (n_drawn % 4 == 0)
        words = bench_philox(seed, n_drawn / 4, 0, 0, 0);
    return bench_below(words.word[n_drawn++ % 4], n);
}

/* A bit's number; there are a lot of them to draw. */
static uint32_t draw_bit(void)
{
    uint32_t bit;

    if (five_bits <= 1)
        five_bits = 1ull << 60 | (uint64_t)(draw(1u << 30)) << 30 | draw(1u << 30);
    bit = five_bits & 31;
    five_bits >>= 5;
    return bit;
}

/* ---- failures ---- */

static char failure[1024];
/* the launch */
static bool failed;
static cudaError_t last_error;

const char *emulated_failure(void)
{
    return failure;
}

void emulated_forget_failure(void)
{
    failure[0] = '\0';
    last_error = cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;

    last_error = cudaSuccess;
    return error;
}

static void say_list(const char *format, va_list arguments)
{
    const size_t n = strlen(failure);

    vsnprintf(failure + n, sizeof failure - n, format, arguments);
}

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say_list(format, arguments);
    va_end(arguments);
}

cudaError_t emulated_refuse(cudaError_t error, const char *format, ...)
{
    va_list arguments;

    failure[0] = '\0';
    va_start(arguments, format);
    say_list(format, arguments);
    va_end(arguments);
    return last_error = error;
}

/* "kernel launched at paper.cu:12, block 3" */
static void begin_sentence(void)
{
    failed = true;
    failure[0] = '\0';
    say("kernel launched at %s:%d, block ", launch->place.file, launch->place.line);
    if (launch->grid.y == 1 && launch->grid.z == 1)
        say("%u", block.x);
    else
        say("(%u, %u, %u)", block.x, block.y, block.z);
}

void emulated_fail(const char *format, ...)
{
    va_list arguments;

    begin_sentence();
    say(", thread %u: ", emulated_now->index);
    va_start(arguments, format);
    say_list(format, arguments);
    va_end(arguments);
    fibre_switch(&emulated_now->fibre, &host);
    abort(); /* no one comes back here */
}

/* ---- who is next ---- */

static void set_ready(struct thread *t)
{
    t->state = READY;
    ready[t->warp] |= 1u << t->lane;
    ready_warps |= 1u << t->warp;
}

static void clear_ready(struct thread *t)
{
    ready[t->warp] &= ~(1u << t->lane);
    if (!ready[t->warp])
        ready_warps &= ~(1u << t->warp);
}

/* A bit that is set, of so many: at a place drawn, or the next one that there is. */
static int choose_bit(uint32_t bits, uint32_t n_bits)
{
    uint32_t first, high;

    if (order == ORDER_FIRST)
        return __builtin_ctz(bits);
    if (order == ORDER_LAST)
        return 31 - __builtin_clz(bits);
    first = draw_bit() * n_bits / 32;
    high = bits >> first << first;
    return __builtin_ctz(high ? high : bits);
}

/* NULL: all wait. */
static struct thread *next_thread(void)
{
    static int warp;
    const uint32_t n_warps = (n_threads + WARP_LANES - 1) / WARP_LANES;

    if (!ready_warps)
        return NULL;
    if (order != ORDER_WARPS || !(ready_warps >> warp & 1))
        warp = choose_bit(ready_warps, n_warps);
    return &threads[warp * WARP_LANES + choose_bit(ready[warp], WARP_LANES)];
}

/* Give the processor back; the state says when to come again. */
static void wait_here(void)
{
    fibre_switch(&emulated_now->fibre, &host);
}

static void draw_accesses(void)
{
    emulated_accesses_left = gives_way ? 1 + (int)draw(200) : 1 << 30;
}

void emulated_give_way(void)
{
    draw_accesses();
    wait_here();
}

/* ---- barriers ---- */

static bool same_place(const struct emulated_place *a, const struct emulated_place *b)
{
    return a->line == b->line && (a->file == b->file || !strcmp(a->file, b->file));
}

/* Note the place; whether it is to be left out. */
static bool is_left_out(const struct emulated_place *place)
{
    int k = 0;

    if (left_out.file && same_place(&left_out, place))
        return true;
    while (k < n_places && !same_place(&places[k], place))
        k++;
    if (k == n_places && n_places < EMULATED_MAX_PLACES)
        places[n_places++] = *place;
    return false;
}

int emulated_places(const struct emulated_place **all)
{
    *all = places;
    return n_places;
}

void emulated_leave_out(const struct emulated_place *place)
{
    left_out = place ? *place : (struct emulated_place){NULL, 0};
}

/* All that live have come: let them go. */
static void open_barrier(void)
{
    if (n_alive == 0 || n_at_barrier < n_alive)
        return;
    for (unsigned i = 0; i < n_threads; i++) {
        struct thread *const t = &threads[i];

        if (t->state != AT_BARRIER)
            continue;
        t->predicate = t->barrier == BARRIER_COUNT ? (int)n_true : n_true > 0;
        set_ready(t);
    }
    n_at_barrier = n_true = 0;
    emulated_phase++;
    counts.n_barriers++;
}

int emulated_barrier(enum emulated_barrier kind, int predicate, struct emulated_place place)
{
    struct thread *const me = emulated_now;
    const struct emulated_place *there;

    if (kind == BARRIER_PLAIN && is_left_out(&place))
        return 0;
    me->call.place = place;
    me->barrier = kind;
    me->predicate = predicate;
    if (n_at_barrier == 0)
        first_at_barrier = me;
    there = &first_at_barrier->call.place;
    if (first_at_barrier->barrier != kind || !same_place(there, &place))
        emulated_fail("meets the barrier at %s:%d, but thread %u is at that of %s:%d",
                      place.file, place.line, first_at_barrier->index, there->file,
                      there->line);
    me->state = AT_BARRIER;
    clear_ready(me);
    n_at_barrier++;
    n_true += (unsigned)predicate;
    open_barrier();
    wait_here();
    return me->predicate;
}

/* ---- warps ---- */

static const char *const operation_names[] = {
    "__syncwarp",        "__shfl_sync",       "__shfl_up_sync",    "__shfl_down_sync",
    "__shfl_xor_sync",   "__ballot_sync",     "__any_sync",        "__reduce_min_sync",
    "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_add_sync"};

static struct thread *lanes_of(int warp)
{
    return &threads[warp * WARP_LANES];
}

/* The lane that a shuffle reads. */
static int source_of(const struct thread *t)
{
    const struct emulated_call *const call = &t->call;
    const int begin = t->lane & ~(call->width - 1), end = begin + call->width;
    int source;

    switch (call->operation) {
    case WARP_SHUFFLE:
        return begin + (call->from & (call->width - 1)); /* modulo the width */
    case WARP_SHUFFLE_UP:
        source = t->lane - call->from;
        return source < begin ? t->lane : source;
    case WARP_SHUFFLE_DOWN:
        source = t->lane + call->from;
        return source >= end ? t->lane : source;
    default:
        source = t->lane ^ call->from; /* earlier groups may be read, later ones not */
        return source >= end || source < 0 ? t->lane : source;
    }
}

/* What a vote or a reduction of the lanes 'who' gives. */
static uint32_t vote(const struct thread *warp, uint32_t who, enum emulated_operation operation)
{
    uint32_t ballot = 0, total = 0;
    bool is_first = true;

    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint32_t value;
        bool takes;

        if (!(who >> lane & 1))
            continue;
        memcpy(&value, warp[lane].value, sizeof value);
        ballot |= (uint32_t)(value != 0) << lane;
        if (operation == WARP_ADD)
            value += total;
        takes = operation == WARP_MIN          ? value < total
                : operation == WARP_MAX        ? value > total
                : operation == WARP_MIN_SIGNED ? (int32_t)value < (int32_t)total
                : operation == WARP_MAX_SIGNED ? (int32_t)value > (int32_t)total
                                               : true;
        if (is_first || takes)
            total = value;
        is_first = false;
    }
    return operation == WARP_BALLOT ? ballot : operation == WARP_ANY ? ballot != 0 : total;
}

/* __syncwarp alone orders accesses to memory. */
static void join_clocks(struct thread *warp, uint32_t who)
{
    uint32_t joined[WARP_LANES] = {0};

    for (int lane = 0; lane < WARP_LANES; lane++)
        if (who >> lane & 1)
            for (int i = 0; i < WARP_LANES; i++)
                if (warp[lane].clock[i] > joined[i])
                    joined[i] = warp[lane].clock[i];
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (who >> lane & 1) {
            memcpy(warp[lane].clock, joined, sizeof joined);
            warp[lane].clock[lane]++;
        }
}

static bool same_call(const struct emulated_call *a, const struct emulated_call *b)
{
    return a->operation == b->operation && a->mask == b->mask && a->size == b->size &&
           a->width == b->width &&
           /* a __syncwarp() may meet another one, as the manual has it */
           (a->operation == WARP_SYNC || same_place(&a->place, &b->place));
}

/* When all lanes that t names have come, do what they came for.  Called by one of them, or by
 * one that ends. */
static void try_warp(const struct thread *t)
{
    const struct emulated_call *const call = &t->call;
    struct thread *const warp = lanes_of(t->warp);
    const uint32_t who = call->mask & alive[t->warp];
    const bool shuffles =
        call->operation >= WARP_SHUFFLE && call->operation <= WARP_SHUFFLE_XOR;
    uint32_t total = 0;

    if ((who & waiting[t->warp]) != who)
        return;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const struct emulated_call *const other = &warp[lane].call;

        if (who >> lane & 1 && !same_call(call, other))
            emulated_fail("the lanes of a warp do not meet: thread %u is at %s(0x%08x) of "
                          "%s:%d, thread %u at %s(0x%08x) of %s:%d",
                          t->index, operation_names[call->operation], call->mask,
                          call->place.file, call->place.line, warp[lane].index,
                          operation_names[other->operation], other->mask, other->place.file,
                          other->place.line);
    }
    waiting[t->warp] &= ~who;
    if (call->operation == WARP_SYNC)
        join_clocks(warp, who);
    else if (!shuffles)
        total = vote(warp, who, call->operation);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct thread *const each = &warp[lane];
        const int source = shuffles ? source_of(each) : lane;

        if (!(who >> lane & 1))
            continue;
        if (!(who >> source & 1))
            emulated_fail("at %s:%d lane %d reads lane %d, which does not take part in "
                          "this %s(0x%08x)",
                          call->place.file, call->place.line, lane, source,
                          operation_names[call->operation], call->mask);
        memcpy(each->result, shuffles ? warp[source].value : (void *)&total, call->size);
        set_ready(each);
    }
}

void emulated_warp(const struct emulated_call *call, const void *value, void *result)
{
    struct thread *const me = emulated_now;
    const struct emulated_place *const place = &call->place;
    const char *const name = operation_names[call->operation];

    if (call->operation == WARP_SYNC && is_left_out(place))
        return;
    if (!(call->mask >> me->lane & 1))
        emulated_fail("calls %s(0x%08x) at %s:%d, whose mask does not name its lane %d", name,
                      call->mask, place->file, place->line, me->lane);
    if (call->width < 1 || call->width > WARP_LANES || (call->width & (call->width - 1)) != 0)
        emulated_fail("calls %s at %s:%d with a width of %d, expected a power of two up to 32",
                      name, place->file, place->line, call->width);
    me->call = *call;
    if (call->size)
        memcpy(me->value, value, call->size);
    me->state = AT_WARP;
    waiting[me->warp] |= 1u << me->lane;
    clear_ready(me);
    try_warp(me);
    wait_here();
    if (me->call.size)
        memcpy(result, me->result, me->call.size);
}

/* ---- threads ---- */

struct emulated_dim emulated_thread(void)
{
    return dim_of(emulated_now->index, launch->block);
}

struct emulated_dim emulated_block(void)
{
    return block;
}

struct emulated_dim emulated_block_dim(void)
{
    return launch->block;
}

struct emulated_dim emulated_grid_dim(void)
{
    return launch->grid;
}

long long emulated_clock(void)
{
    static long long now;

    now += 1 + draw(100);
    return now;
}

/* A thread has returned from the kernel: no one waits for it any longer. */
static void end_thread(struct thread *t)
{
    struct thread *const warp = lanes_of(t->warp);

    t->state = GONE;
    alive[t->warp] &= ~(1u << t->lane);
    clear_ready(t);
    n_alive--;
    open_barrier();
    for (int lane = 0; waiting[t->warp] && lane < WARP_LANES; lane++)
        if (waiting[t->warp] >> lane & 1)
            try_warp(&warp[lane]);
}

static void begin_thread(void)
{
    fibre_arrived(&host);
    launch->body(launch->thread);
    end_thread(emulated_now);
    for (;;)
        wait_here();
}

/* All threads wait, and not for one another: say who is where. */
static void say_who_waits(void)
{
    bool told[MAX_THREADS] = {false};

    begin_sentence();
    say(": deadlock");
    for (unsigned i = 0; i < n_threads; i++) {
        const struct thread *const first = &threads[i];
        const struct emulated_place *const place = &first->call.place;
        unsigned n_more = 0;

        if (told[i] || first->state == GONE)
            continue;
        for (unsigned k = i + 1; k < n_threads; k++)
            if (threads[k].state == first->state && same_place(&threads[k].call.place, place)) {
                told[k] = true;
                n_more++;
            }
        say("%s thread %u and %u more wait at %s of %s:%d", i > 0 ? "," : ":", i, n_more,
            first->state == AT_BARRIER ? "the block's barrier"
                                       : operation_names[first->call.operation],
            place->file, place->line);
    }
    say("; %u of %u have ended", n_threads - n_alive, n_threads);
}

static void run_block(void)
{
    n_alive = n_threads;
    n_at_barrier = n_true = 0;
    ready_warps = 0;
    memset(threads, 0, n_threads * sizeof *threads);
    memset(ready, 0, sizeof ready);
    memset(alive, 0, sizeof alive);
    memset(waiting, 0, sizeof waiting);
    emulated_phase = 0;
    emulated_serial++;
    order = (enum order)draw(N_ORDERS);
    gives_way = draw(2) == 0;
    draw_accesses();
    emulated_clear_shared();
    for (unsigned i = 0; i < n_threads; i++) {
        struct thread *const t = &threads[i];

        t->index = i;
        t->warp = (int)i / WARP_LANES;
        t->lane = (int)i % WARP_LANES;
        t->clock[t->lane] = 1;
        fibre_make(&t->fibre, stacks + i * STACK_BYTES + GUARD_BYTES,
                   STACK_BYTES - GUARD_BYTES - STACK_TOP(i), begin_thread);
        alive[t->warp] |= 1u << t->lane;
        set_ready(t);
    }
    while (n_alive > 0 && !failed) {
        emulated_now = next_thread();
        if (emulated_now)
            fibre_switch(&host, &emulated_now->fibre);
        else
            say_who_waits();
    }
    emulated_now = NULL;
    counts.n_blocks++;
    counts.n_threads += n_threads;
}

/* ---- launches ---- */

#define WITHOUT_ASKING 49152

/* Bytes of dynamic shared memory that a block of the kernel may have; NULL: there is no more
 * room for a kernel. */
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
    *allowed = bytes > WITHOUT_ASKING ? bytes : WITHOUT_ASKING;
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

static bool make_stacks(void)
{
    void *const memory = mmap(NULL, MAX_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED)
        return false;
    stacks = memory;
    for (int i = 0; i < MAX_THREADS; i++)
        mprotect(stacks + (size_t)i * STACK_BYTES, GUARD_BYTES, PROT_NONE);
    return true;
}

void emulated_run(const struct emulated_launch *l)
{
    const size_t n_blocks = (size_t)l->grid.x * l->grid.y * l->grid.z;
    uint32_t *at;

    if (check_launch(l))
        return;
    at = n_blocks <= UINT32_MAX ? calloc(n_blocks, sizeof *at) : NULL;
    if (!at || (!stacks && !make_stacks()) || !emulated_make_shared(l->shared_bytes)) {
        free(at);
        emulated_refuse(cudaErrorMemoryAllocation,
                        "no memory for %zu blocks of %zu bytes of shared memory", n_blocks,
                        l->shared_bytes);
        return;
    }
    for (size_t i = 0; i < n_blocks; i++) { /* Fisher and Yates */
        const size_t k = draw((uint32_t)i + 1);

        at[i] = at[k];
        at[k] = (uint32_t)i;
    }
    launch = l;
    n_threads = l->block.x * l->block.y * l->block.z;
    emulated_first_serial = emulated_serial + 1;
    failed = false;
    for (size_t i = 0; i < n_blocks && !failed; i++) {
        block = dim_of(at[i], l->grid);
        run_block();
    }
    free(at);
    emulated_make_shared(0);
    launch = NULL;
    if (failed)
        last_error = cudaErrorLaunchFailure;
    else
        counts.n_launches++;
}

struct emulated_counts emulated_count(void)
{
    return counts;
}
