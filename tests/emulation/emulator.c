/*
 * emulator.c - blocks, threads, barriers and the operations of a warp
 */
#include "tests/emulation/emulator_private.h"

#include "harness/base/random.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STACK_BYTES (FIBRE_ASAN ? (size_t)256 << 10 : (size_t)64 << 10)
#define GUARD_BYTES \
    ((size_t)4096) /* at the end of each stack: an overflow is a fault, not a riddle */
#define MAX_KERNELS 256

/* Who is next. */
enum order {
    ORDER_ANY,   /* any thread */
    ORDER_WARPS, /* a warp goes on for as long as it can */
    ORDER_FIRST, /* the first thread that can */
    ORDER_LAST,  /* the last */
    N_ORDERS
};

static const struct emulated_launch *launch; /* that runs */
static struct emulated_dim block;            /* that runs */
static enum order order;                     /* of the block */
static bool gives_way;                       /* at accesses to memory, too */
static struct thread threads[MAX_THREADS];
static unsigned n_threads, n_alive, n_at_barrier, n_true; /* of those, with a predicate */
static const struct thread *first_at_barrier;
static uint32_t ready[MAX_WARPS], ready_warps; /* a bit for each lane, for each warp with any */
static uint32_t alive[MAX_WARPS],
    waiting[MAX_WARPS]; /* lanes that have not ended; that are AT_WARP */
static struct fibre host;
static char *stacks;
static char failure[1024];
static bool failed; /* the launch */
static int last_error;

struct thread *emulated_now;
uint32_t emulated_serial, emulated_first_serial, emulated_phase;
int emulated_accesses_left;

static struct emulated_counts counts;
static struct emulated_place places[EMULATED_MAX_PLACES], left_out;
static int n_places;

/* ---- random numbers ---- */

static uint64_t seed;
static uint32_t n_drawn;
static struct bench_words words;
static uint64_t five_bits; /* as many as are left, twelve times five, below a 1 */

void emulated_seed(uint64_t new_seed)
{
    seed = new_seed;
    n_drawn = 0;
    five_bits = 0;
}

uint32_t emulated_draw(uint32_t n)
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
        five_bits =
            1ull << 60 | (uint64_t)(emulated_draw(1u << 30)) << 30 | emulated_draw(1u << 30);
    bit = five_bits & 31;
    five_bits >>= 5;
    return bit;
}

/* ---- failures ---- */

const char *emulated_failure(void)
{
    return failure;
}

void emulated_forget_failure(void)
{
    failure[0] = '\0';
    last_error = 0;
}

int emulated_refuse(int error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(failure, sizeof failure, format, arguments);
    va_end(arguments);
    last_error = error;
    return error;
}

int emulated_last_error(void)
{
    const int error = last_error;

    last_error = 0;
    return error;
}

/* "kernel launched at paper.cu:12, block 3" */
static int begin_sentence(void)
{
    int n = snprintf(failure, sizeof failure, "kernel launched at %s:%d, block ", launch->file,
                     launch->line);

    if (launch->grid.y == 1 && launch->grid.z == 1)
        n += snprintf(failure + n, sizeof failure - (size_t)n, "%u", block.x);
    else
        n += snprintf(failure + n, sizeof failure - (size_t)n, "(%u, %u, %u)", block.x, block.y,
                      block.z);
    return n;
}

void emulated_fail(const char *format, ...)
{
    va_list arguments;
    int n = begin_sentence();

    n +=
        snprintf(failure + n, sizeof failure - (size_t)n, ", thread %u: ", emulated_now->index);
    va_start(arguments, format);
    vsnprintf(failure + n, sizeof failure - (size_t)n, format, arguments);
    va_end(arguments);
    failed = true;
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
static int any_bit(uint32_t bits, uint32_t n_bits)
{
    const uint32_t first = draw_bit() * n_bits / 32;
    const uint32_t high = bits >> first << first;

    return __builtin_ctz(high ? high : bits);
}

/* NULL: all wait. */
static struct thread *next_thread(void)
{
    static int last_warp;
    const uint32_t n_warps = (n_threads + WARP_LANES - 1) / WARP_LANES;
    int warp, lane;

    if (!ready_warps)
        return NULL;
    switch (order) {
    case ORDER_FIRST:
        warp = __builtin_ctz(ready_warps);
        lane = __builtin_ctz(ready[warp]);
        break;
    case ORDER_LAST:
        warp = 31 - __builtin_clz(ready_warps);
        lane = 31 - __builtin_clz(ready[warp]);
        break;
    case ORDER_WARPS:
        warp = ready_warps >> last_warp & 1 ? last_warp : any_bit(ready_warps, n_warps);
        lane = any_bit(ready[warp], WARP_LANES);
        break;
    default:
        warp = any_bit(ready_warps, n_warps);
        lane = any_bit(ready[warp], WARP_LANES);
        break;
    }
    last_warp = warp;
    return &threads[warp * WARP_LANES + lane];
}

/* Give the processor back; the state says when to come again. */
static void wait_here(void)
{
    fibre_switch(&emulated_now->fibre, &host);
}

static void draw_accesses(void)
{
    emulated_accesses_left = gives_way ? 1 + (int)emulated_draw(200) : 1 << 30;
}

void emulated_give_way(void)
{
    draw_accesses();
    wait_here();
}

/* ---- barriers ---- */

/* Note the place; whether it is to be left out. */
static bool is_left_out(const char *file, int line)
{
    int k = 0;

    if (left_out.file && left_out.line == line && !strcmp(left_out.file, file))
        return true;
    while (k < n_places && (places[k].line != line ||
                            (places[k].file != file && strcmp(places[k].file, file) != 0)))
        k++;
    if (k == n_places && n_places < EMULATED_MAX_PLACES)
        places[n_places++] = (struct emulated_place){file, line};
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

static bool same_place(const struct thread *a, const struct thread *b)
{
    return a->line == b->line && (a->file == b->file || !strcmp(a->file, b->file));
}

/* All that live have come: let them go. */
static void open_barrier(void)
{
    const unsigned n = n_at_barrier;

    if (n_alive == 0 || n < n_alive)
        return;
    for (unsigned i = 0; i < n_threads; i++) {
        struct thread *const t = &threads[i];

        if (t->state != AT_BARRIER)
            continue;
        t->predicate = t->barrier == BARRIER_COUNT ? (int)n_true
                       : t->barrier == BARRIER_AND ? n_true == n
                                                   : n_true > 0;
        set_ready(t);
    }
    n_at_barrier = n_true = 0;
    emulated_phase++;
    counts.n_barriers++;
}

int emulated_barrier(enum emulated_barrier kind, int predicate, const char *file, int line)
{
    struct thread *const me = emulated_now;

    if (kind == BARRIER_PLAIN && is_left_out(file, line))
        return 0;
    me->file = file;
    me->line = line;
    me->barrier = kind;
    me->predicate = predicate;
    if (n_at_barrier == 0)
        first_at_barrier = me;
    else if (first_at_barrier->barrier != kind || !same_place(first_at_barrier, me))
        emulated_fail("meets the barrier at %s:%d, but thread %u is at that of %s:%d", file,
                      line, first_at_barrier->index, first_at_barrier->file,
                      first_at_barrier->line);
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
    "__shfl_xor_sync",   "__ballot_sync",     "__any_sync",        "__all_sync",
    "__match_any_sync",  "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync",
    "__reduce_max_sync", "__reduce_add_sync", "__reduce_and_sync", "__reduce_or_sync",
    "__reduce_xor_sync"};

static struct thread *lanes_of(int warp)
{
    return &threads[warp * WARP_LANES];
}

static uint32_t value_of(const struct thread *t)
{
    uint32_t value;

    memcpy(&value, t->value, sizeof value);
    return value;
}

/* The lane that a shuffle reads. */
static int source_of(const struct thread *t)
{
    const int begin = t->lane & ~(t->width - 1), end = begin + t->width;
    int source;

    switch (t->operation) {
    case WARP_SHUFFLE:
        return begin + (t->from & (t->width - 1)); /* modulo the width */
    case WARP_SHUFFLE_UP:
        source = t->lane - t->from;
        return source < begin ? t->lane : source;
    case WARP_SHUFFLE_DOWN:
        source = t->lane + t->from;
        return source >= end ? t->lane : source;
    default:
        source = t->lane ^ t->from; /* earlier groups may be read, later ones not */
        return source >= end || source < 0 ? t->lane : source;
    }
}

static uint32_t combine(enum emulated_operation operation, uint32_t a, uint32_t b)
{
    switch (operation) {
    case WARP_MIN:
        return a < b ? a : b;
    case WARP_MAX:
        return a > b ? a : b;
    case WARP_MIN_SIGNED:
        return (int32_t)a < (int32_t)b ? a : b;
    case WARP_MAX_SIGNED:
        return (int32_t)a > (int32_t)b ? a : b;
    case WARP_ADD:
        return a + b;
    case WARP_AND:
        return a & b;
    case WARP_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* What a vote or a reduction of the lanes 'who' gives to 't'. */
static uint32_t vote(const struct thread *warp, uint32_t who, const struct thread *t)
{
    uint32_t ballot = 0, same = 0, total = 0;
    bool first = true;

    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint32_t value;

        if (!(who >> lane & 1))
            continue;
        value = value_of(&warp[lane]);
        ballot |= value ? 1u << lane : 0;
        same |= value == value_of(t) ? 1u << lane : 0;
        total = first ? value : combine(t->operation, total, value);
        first = false;
    }
    switch (t->operation) {
    case WARP_BALLOT:
        return ballot;
    case WARP_ANY:
        return ballot != 0;
    case WARP_ALL:
        return ballot == who;
    case WARP_MATCH_ANY:
        return same;
    default:
        return total;
    }
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

/* When all lanes that t names have come, do what they came for.  Called by one of them, or by one that ends. */
static void try_warp(const struct thread *t)
{
    struct thread *const warp = lanes_of(t->warp);
    const uint32_t who = t->mask & alive[t->warp];

    if ((who & waiting[t->warp]) != who)
        return;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const struct thread *const other = &warp[lane];

        if (who >> lane & 1 && (other->operation != t->operation || other->mask != t->mask ||
                                other->size != t->size || other->width != t->width ||
                                /* a __syncwarp() may meet another one, as the manual has it */
                                (t->operation != WARP_SYNC && !same_place(other, t))))
            emulated_fail("the lanes of a warp do not meet: thread %u is at %s(0x%08x) of "
                          "%s:%d, thread %u at %s(0x%08x) of %s:%d",
                          t->index, operation_names[t->operation], t->mask, t->file, t->line,
                          other->index, operation_names[other->operation], other->mask,
                          other->file, other->line);
    }
    waiting[t->warp] &= ~who;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct thread *const each = &warp[lane];

        if (!(who >> lane & 1))
            continue;
        if (t->operation >= WARP_SHUFFLE && t->operation <= WARP_SHUFFLE_XOR) {
            const int source = source_of(each);

            if (!(who >> source & 1))
                emulated_fail("at %s:%d lane %d reads lane %d, which does not take part in "
                              "this %s(0x%08x)",
                              t->file, t->line, lane, source, operation_names[t->operation],
                              t->mask);
            memcpy(each->result, warp[source].value, each->size);
        } else if (t->operation != WARP_SYNC) {
            const uint32_t result = vote(warp, who, each);

            memcpy(each->result, &result, sizeof result);
        }
    }
    if (t->operation == WARP_SYNC)
        join_clocks(warp, who);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (who >> lane & 1)
            set_ready(&warp[lane]);
}

void emulated_warp(enum emulated_operation operation, unsigned mask, const void *value,
                   void *result, size_t size, int from, int width, const char *file, int line)
{
    struct thread *const me = emulated_now;

    if (operation == WARP_SYNC && is_left_out(file, line))
        return;
    if (!(mask >> me->lane & 1))
        emulated_fail("calls %s(0x%08x) at %s:%d, whose mask does not name its lane %d",
                      operation_names[operation], mask, file, line, me->lane);
    if (width < 1 || width > WARP_LANES || (width & (width - 1)) != 0)
        emulated_fail("calls %s at %s:%d with a width of %d, expected a power of two up to 32",
                      operation_names[operation], file, line, width);
    me->file = file;
    me->line = line;
    me->operation = operation;
    me->mask = mask;
    me->size = size;
    me->from = from;
    me->width = width;
    if (size)
        memcpy(me->value, value, size);
    me->state = AT_WARP;
    waiting[me->warp] |= 1u << me->lane;
    clear_ready(me);
    try_warp(me);
    wait_here();
    if (size)
        memcpy(result, me->result, size);
}

/* ---- threads ---- */

struct emulated_dim emulated_thread(void)
{
    const struct emulated_dim size = launch->block;
    const unsigned i = emulated_now->index;

    return (struct emulated_dim){i % size.x, i / size.x % size.y, i / size.x / size.y};
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

void *emulated_shared(void)
{
    return emulated_dynamic;
}

long long emulated_clock(void)
{
    static long long now;

    now += 1 + emulated_draw(100);
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
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (waiting[t->warp] >> lane & 1)
            try_warp(&warp[lane]);
}

static void begin_thread(void)
{
    fibre_arrived(&host);
    launch->body(launch->closure);
    end_thread(emulated_now);
    for (;;)
        wait_here();
}

/* All threads wait, and not for one another: say who is where. */
static void say_who_waits(void)
{
    int n = begin_sentence();
    bool told[MAX_THREADS] = {false};

    n += snprintf(failure + n, sizeof failure - (size_t)n, ": deadlock");
    for (unsigned i = 0; i < n_threads; i++) {
        const struct thread *const first = &threads[i];
        unsigned n_here = 0;

        if (told[i] || first->state == GONE)
            continue;
        for (unsigned k = i; k < n_threads; k++)
            if (threads[k].state == first->state && threads[k].line == first->line &&
                !strcmp(threads[k].file, first->file)) {
                told[k] = true;
                n_here++;
            }
        n += snprintf(failure + n, (size_t)n < sizeof failure ? sizeof failure - (size_t)n : 0,
                      "%s thread %u and %u more wait at %s of %s:%d", i > 0 ? "," : ":", i,
                      n_here - 1,
                      first->state == AT_BARRIER ? "the block's barrier"
                                                 : operation_names[first->operation],
                      first->file, first->line);
        if ((size_t)n >= sizeof failure)
            return;
    }
    snprintf(failure + n, sizeof failure - (size_t)n, "; %u of %u have ended",
             n_threads - n_alive, n_threads);
}

static void run_block(void)
{
    n_alive = n_threads;
    n_at_barrier = n_true = 0;
    ready_warps = 0;
    memset(ready, 0, sizeof ready);
    memset(alive, 0, sizeof alive);
    memset(waiting, 0, sizeof waiting);
    emulated_phase = 0;
    emulated_serial++;
    order = (enum order)emulated_draw(N_ORDERS);
    gives_way = emulated_draw(2) == 0;
    draw_accesses();
    if (emulated_dynamic)
        memset(emulated_dynamic, EMULATED_POISON, emulated_dynamic_bytes);
    for (unsigned i = 0; i < n_threads; i++) {
        struct thread *const t = &threads[i];

        t->index = i;
        t->warp = (int)i / WARP_LANES;
        t->lane = (int)i % WARP_LANES;
        memset(t->clock, 0, sizeof t->clock);
        t->clock[t->lane] = 1;
        fibre_make(&t->fibre, stacks + i * STACK_BYTES + GUARD_BYTES, STACK_BYTES - GUARD_BYTES,
                   begin_thread);
        alive[t->warp] |= 1u << t->lane;
        set_ready(t);
    }
    while (n_alive > 0 && !failed) {
        emulated_now = next_thread();
        if (!emulated_now) {
            say_who_waits();
            failed = true;
        } else {
            fibre_switch(&host, &emulated_now->fibre);
        }
    }
    emulated_now = NULL;
    counts.n_blocks++;
    counts.n_threads += n_threads;
}

/* ---- launches ---- */

static struct {
    const void *kernel;
    emulated_caller *caller; /* NULL: not remembered */
    int allowed_shared;      /* bytes; 0: not asked for */
} kernels[MAX_KERNELS];
static int n_kernels;

/* -1: there is no more room. */
static int find_kernel(const void *kernel, bool add)
{
    for (int k = 0; k < n_kernels; k++)
        if (kernels[k].kernel == kernel)
            return k;
    if (!add || n_kernels == MAX_KERNELS)
        return -1;
    kernels[n_kernels].kernel = kernel;
    return n_kernels++;
}

const void *emulated_remember(const void *kernel, emulated_caller *caller)
{
    const int k = find_kernel(kernel, true);

    if (k >= 0)
        kernels[k].caller = caller;
    return kernel;
}

emulated_caller *emulated_caller_of(const void *kernel)
{
    const int k = find_kernel(kernel, false);

    return k >= 0 ? kernels[k].caller : NULL;
}

int emulated_allow_shared(const void *kernel, int bytes)
{
    const int k = find_kernel(kernel, true);

    if (k < 0 || bytes < 0 || bytes > EMULATED_MAX_SHARED)
        return emulated_refuse(ERROR_INVALID_VALUE,
                               "a block cannot have %d bytes of dynamic shared memory", bytes);
    kernels[k].allowed_shared = bytes;
    return 0;
}

#define WITHOUT_ASKING \
    49152 /* bytes of shared memory that a block has without cudaFuncSetAttribute */

static int check_launch(const struct emulated_launch *l)
{
    const int k = find_kernel(l->kernel, false);
    const int allowed = k >= 0 ? kernels[k].allowed_shared : 0;
    const struct emulated_dim *const g = &l->grid, *const b = &l->block;

    if (g->x < 1 || g->y < 1 || g->z < 1 || g->x > 0x7FFFFFFF || g->y > 65535 || g->z > 65535)
        return emulated_refuse(ERROR_INVALID_CONFIGURATION,
                               "%s:%d launches a grid of %u x %u x %u blocks", l->file, l->line,
                               g->x, g->y, g->z);
    if (b->x < 1 || b->y < 1 || b->z < 1 || b->x > MAX_THREADS || b->y > MAX_THREADS ||
        b->z > 64 || (uint64_t)b->x * b->y * b->z > MAX_THREADS)
        return emulated_refuse(ERROR_INVALID_CONFIGURATION,
                               "%s:%d launches blocks of %u x %u x %u threads", l->file,
                               l->line, b->x, b->y, b->z);
    if (l->shared_bytes > (size_t)(allowed > WITHOUT_ASKING ? allowed : WITHOUT_ASKING))
        return emulated_refuse(ERROR_INVALID_VALUE,
                               "%s:%d launches a kernel with %zu bytes of dynamic shared "
                               "memory, cudaFuncSetAttribute has allowed it %d",
                               l->file, l->line, l->shared_bytes, allowed);
    return 0;
}

/* Stacks and shared memory. */
static int prepare(const struct emulated_launch *l)
{
    if (!stacks) {
        void *const memory = mmap(NULL, MAX_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (memory == MAP_FAILED)
            return emulated_refuse(ERROR_MEMORY_ALLOCATION, "no memory for %d stacks",
                                   MAX_THREADS);
        stacks = memory;
        for (int i = 0; i < MAX_THREADS; i++)
            mprotect(stacks + (size_t)i * STACK_BYTES, GUARD_BYTES, PROT_NONE);
    }
    if (emulated_make_dynamic(l->shared_bytes) != 0)
        return emulated_refuse(ERROR_MEMORY_ALLOCATION, "no memory for %zu bytes of a block",
                               l->shared_bytes);
    return 0;
}

int emulated_run(const struct emulated_launch *l)
{
    const size_t n_blocks = (size_t)l->grid.x * l->grid.y * l->grid.z;
    uint32_t *at;
    int error = check_launch(l);

    if (!error)
        error = prepare(l);
    if (error)
        return error;
    at = malloc(n_blocks * sizeof *at);
    if (!at || n_blocks > UINT32_MAX) {
        free(at);
        return emulated_refuse(ERROR_MEMORY_ALLOCATION, "no memory for the order of %zu blocks",
                               n_blocks);
    }
    for (size_t i = 0; i < n_blocks; i++) { /* Fisher and Yates */
        const size_t k = emulated_draw((uint32_t)i + 1);

        at[i] = at[k];
        at[k] = (uint32_t)i;
    }
    launch = l;
    n_threads = l->block.x * l->block.y * l->block.z;
    emulated_first_serial = emulated_serial + 1;
    failed = false;
    for (size_t i = 0; i < n_blocks && !failed; i++) {
        block.x = at[i] % l->grid.x;
        block.y = at[i] / l->grid.x % l->grid.y;
        block.z = at[i] / l->grid.x / l->grid.y;
        run_block();
    }
    free(at);
    emulated_make_dynamic(0);
    launch = NULL;
    if (failed)
        last_error = ERROR_LAUNCH_FAILURE;
    else
        counts.n_launches++;
    return failed ? ERROR_LAUNCH_FAILURE : 0;
}

struct emulated_counts emulated_count(void)
{
    return counts;
}
