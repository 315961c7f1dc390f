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

/* No power of two, tops at one of 64 lines of a page: stacks do not share cache sets. */
#define STACK_BYTES  (FIBRE_ASAN ? (size_t)260 << 10 : (size_t)68 << 10)
#define STACK_TOP(i) ((i) % 64 * 64)
/* at the end of each stack: an overflow is a fault, not a riddle */
#define GUARD_BYTES ((size_t)4096)

/* All threads have looked so often at words that nobody changes: none will. */
#define MOST_LOOKS 300

/* Who is next. */
enum order {
    ORDER_ANY,   /* any thread */
    ORDER_WARPS, /* a warp goes on for as long as it can */
    ORDER_FIRST, /* the first thread that can */
    ORDER_LAST,  /* the last */
    N_ORDERS
};

/* The block that runs, or several at once. */
static struct block *group;
static unsigned n_group;
static struct block *block; /* its static shared memory is in place */
static enum order order;
/* at accesses to memory, too */
static bool gives_way;
/* a block goes on for so many steps, on average */
static uint32_t n_steps;
/* looks of all threads at words, since anything happened */
static unsigned n_looks;
static struct fibre host;

struct thread *emulated_now;
uint32_t emulated_first_serial;
bool emulated_together;
int emulated_accesses_left;

static struct emulated_counts counts;
static struct emulated_place places[EMULATED_MAX_PLACES], left_out;
static bool are_met[EMULATED_MAX_PLACES];
static int n_places;

struct emulated_dim emulated_dim_of(unsigned i, struct emulated_dim size)
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
    memset(are_met, 0, sizeof are_met);
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
static void begin_sentence(const struct block *b)
{
    const struct emulated_launch *const launch = b->launch;

    failed = true;
    failure[0] = '\0';
    say("kernel launched at %s:%d, ", launch->place.file, launch->place.line);
    if (launch->device > 0)
        say("device %d, ", launch->device);
    if (launch->grid.y == 1 && launch->grid.z == 1)
        say("block %u", b->at.x);
    else
        say("block (%u, %u, %u)", b->at.x, b->at.y, b->at.z);
}

void emulated_fail(const char *format, ...)
{
    va_list arguments;

    begin_sentence(emulated_now->block);
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
    t->block->ready[t->warp] |= 1u << t->lane;
    t->block->ready_warps |= 1u << t->warp;
}

static void clear_ready(struct thread *t)
{
    struct block *const b = t->block;

    b->ready[t->warp] &= ~(1u << t->lane);
    if (!b->ready[t->warp])
        b->ready_warps &= ~(1u << t->warp);
}

/* A set bit of so many: the one at a drawn place, or the next. */
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

/* Something has happened that others may wait for. */
static void note_progress(void)
{
    n_looks = 0;
}

/* Lets all threads look again. */
static void wake_lookers(void)
{
    for (unsigned i = 0; i < n_group; i++)
        for (unsigned w = 0; w * WARP_LANES < group[i].n_threads; w++) {
            for (uint32_t left = group[i].looking[w]; left; left &= left - 1)
                set_ready(&group[i].threads[(int)w * WARP_LANES + __builtin_ctz(left)]);
            group[i].looking[w] = 0;
        }
}

/* A block that can go on: the one that did, mostly; NULL: all wait. */
static struct block *next_block(void)
{
    const unsigned first = n_group > 1 ? draw_bit() * n_group / 32 : 0;

    if (block && block->ready_warps && (n_group == 1 || draw_bit() * n_steps >= 32))
        return block;
    for (unsigned i = 0; i < n_group; i++)
        if (group[(first + i) % n_group].ready_warps)
            return &group[(first + i) % n_group];
    return NULL;
}

/* NULL: all wait. */
static struct thread *next_thread(void)
{
    struct block *const b = next_block();
    uint32_t n_warps;

    if (!b)
        return NULL;
    if (b != block && emulated_together)
        emulated_change_block(block, b);
    block = b;
    n_warps = (b->n_threads + WARP_LANES - 1) / WARP_LANES;
    if (order != ORDER_WARPS || !(b->ready_warps >> b->warp & 1))
        b->warp = choose_bit(b->ready_warps, n_warps);
    return &b->threads[b->warp * WARP_LANES + choose_bit(b->ready[b->warp], WARP_LANES)];
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

/* It may be set aside until others have done something, or all of them look or wait. */
void emulated_look_later(struct emulated_place place)
{
    struct thread *const me = emulated_now;

    draw_accesses();
    if (draw_bit() % 2 == 0) {
        me->call.place = place;
        me->state = LOOKING;
        me->block->looking[me->warp] |= 1u << me->lane;
        clear_ready(me);
    }
    wait_here();
}

void emulated_changed(void)
{
    note_progress();
    if (draw_bit() % 4 == 0)
        wake_lookers();
}

/* ---- barriers ---- */

static bool same_place(const struct emulated_place *a, const struct emulated_place *b)
{
    return a->line == b->line && (a->file == b->file || !strcmp(a->file, b->file));
}

/* Notes the place; true if it is to be left out. */
static bool is_left_out(const struct emulated_place *place)
{
    int k = 0;

    if (left_out.file && same_place(&left_out, place))
        return true;
    while (k < n_places && !same_place(&places[k], place))
        k++;
    if (k == n_places && n_places < EMULATED_MAX_PLACES)
        places[n_places++] = *place;
    if (k < n_places)
        are_met[k] = true;
    return false;
}

int emulated_places(const struct emulated_place **all, const bool **met)
{
    *all = places;
    *met = are_met;
    return n_places;
}

void emulated_leave_out(const struct emulated_place *place)
{
    left_out = place ? *place : (struct emulated_place){NULL, 0};
}

/* All that live have come: let them go. */
static void open_barrier(struct block *b)
{
    if (b->n_alive == 0 || b->n_at_barrier < b->n_alive)
        return;
    for (unsigned i = 0; i < b->n_threads; i++) {
        struct thread *const t = &b->threads[i];

        if (t->state != AT_BARRIER)
            continue;
        t->predicate = t->barrier == BARRIER_COUNT ? (int)b->n_true : b->n_true > 0;
        set_ready(t);
    }
    b->n_at_barrier = b->n_true = 0;
    b->phase++;
    counts.n_barriers++;
    note_progress();
}

int emulated_barrier(enum emulated_barrier kind, int predicate, struct emulated_place place)
{
    struct thread *const me = emulated_now;
    struct block *const b = me->block;
    const struct emulated_place *there;

    if (kind == BARRIER_PLAIN && is_left_out(&place))
        return 0;
    me->call.place = place;
    me->barrier = kind;
    me->predicate = predicate;
    if (b->n_at_barrier == 0)
        b->first_at_barrier = me;
    there = &b->first_at_barrier->call.place;
    if (b->first_at_barrier->barrier != kind || !same_place(there, &place))
        emulated_fail("meets the barrier at %s:%d, but thread %u is at that of %s:%d",
                      place.file, place.line, b->first_at_barrier->index, there->file,
                      there->line);
    me->state = AT_BARRIER;
    clear_ready(me);
    b->n_at_barrier++;
    b->n_true += (unsigned)predicate;
    open_barrier(b);
    wait_here();
    return me->predicate;
}

/* ---- warps ---- */

static const char *const operation_names[] = {
    "__syncwarp",        "__shfl_sync",       "__shfl_up_sync",    "__shfl_down_sync",
    "__shfl_xor_sync",   "__ballot_sync",     "__any_sync",        "__reduce_min_sync",
    "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_add_sync"};

static struct thread *lanes_of(const struct thread *t)
{
    return &t->block->threads[t->warp * WARP_LANES];
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

/* The result of a vote or a reduction of the lanes 'who'. */
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

/* When all lanes that t names have come, do their operation.  Called by one of them. */
static void try_warp(const struct thread *t)
{
    const struct emulated_call *const call = &t->call;
    struct thread *const warp = lanes_of(t);
    struct block *const b = t->block;
    const uint32_t who = call->mask & b->alive[t->warp];
    const bool shuffles =
        call->operation >= WARP_SHUFFLE && call->operation <= WARP_SHUFFLE_XOR;
    uint32_t total = 0;

    if ((who & b->waiting[t->warp]) != who)
        return;
    note_progress();
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
    b->waiting[t->warp] &= ~who;
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
    me->block->waiting[me->warp] |= 1u << me->lane;
    clear_ready(me);
    try_warp(me);
    wait_here();
    if (me->call.size)
        memcpy(result, me->result, me->call.size);
}

/* ---- threads ---- */

static const struct emulated_launch *launch_of(const struct thread *t)
{
    return t->block->launch;
}

struct emulated_dim emulated_thread(void)
{
    return emulated_dim_of(emulated_now->index, launch_of(emulated_now)->block);
}

struct emulated_dim emulated_block(void)
{
    return emulated_now->block->at;
}

struct emulated_dim emulated_block_dim(void)
{
    return launch_of(emulated_now)->block;
}

struct emulated_dim emulated_grid_dim(void)
{
    return launch_of(emulated_now)->grid;
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
    struct thread *const warp = lanes_of(t);
    struct block *const b = t->block;

    t->state = GONE;
    b->alive[t->warp] &= ~(1u << t->lane);
    clear_ready(t);
    b->n_alive--;
    note_progress();
    open_barrier(b);
    for (int lane = 0; b->waiting[t->warp] && lane < WARP_LANES; lane++)
        if (b->waiting[t->warp] >> lane & 1)
            try_warp(&warp[lane]);
}

static void begin_thread(void)
{
    fibre_arrived(&host);
    launch_of(emulated_now)->body(launch_of(emulated_now)->thread);
    end_thread(emulated_now);
    for (;;)
        wait_here();
}

/* "a word", "the block's barrier", "__shfl_sync" */
static const char *waits_at(const struct thread *t)
{
    return t->state == AT_BARRIER ? "the block's barrier"
           : t->state == LOOKING  ? "a word"
                                  : operation_names[t->call.operation];
}

/* All threads wait, and not for one another: say who of a block is where. */
static void say_who_waits(const struct block *b)
{
    bool told[MAX_THREADS] = {false};

    begin_sentence(b);
    say(": deadlock");
    for (unsigned i = 0; i < b->n_threads; i++) {
        const struct thread *const first = &b->threads[i];
        const struct emulated_place *const place = &first->call.place;
        unsigned n_more = 0;

        if (told[i] || first->state == GONE)
            continue;
        for (unsigned k = i + 1; k < b->n_threads; k++) {
            const struct thread *const other = &b->threads[k];

            if (other->state == first->state && same_place(&other->call.place, place)) {
                told[k] = true;
                n_more++;
            }
        }
        say("%s thread %u and %u more wait at %s of %s:%d", i > 0 ? "," : ":", i, n_more,
            waits_at(first), place->file, place->line);
    }
    say("; %u of %u have ended", b->n_threads - b->n_alive, b->n_threads);
}

/* All wait: lookers look again, if not too often; else the first unended block says where. */
static void go_on_or_fail(void)
{
    bool someone = false;

    for (unsigned i = 0; i < n_group; i++)
        for (int w = 0; w < MAX_WARPS; w++)
            someone |= group[i].looking[w] != 0;
    if (someone && ++n_looks < MOST_LOOKS) {
        wake_lookers();
        return;
    }
    for (unsigned i = 0; i < n_group && !failed; i++)
        if (group[i].n_alive > 0)
            say_who_waits(&group[i]);
}

static uint32_t last_serial;

uint32_t emulated_next_serial(void)
{
    return last_serial + 1;
}

static void begin_block(struct block *b)
{
    b->n_threads = b->n_alive = b->launch->block.x * b->launch->block.y * b->launch->block.z;
    b->n_at_barrier = b->n_true = 0;
    b->ready_warps = 0;
    memset(b->threads, 0, b->n_threads * sizeof *b->threads);
    memset(b->ready, 0, sizeof b->ready);
    memset(b->alive, 0, sizeof b->alive);
    memset(b->waiting, 0, sizeof b->waiting);
    memset(b->looking, 0, sizeof b->looking);
    b->phase = 0;
    b->serial = ++last_serial;
    for (unsigned i = 0; i < b->n_threads; i++) {
        struct thread *const t = &b->threads[i];

        t->index = i;
        t->block = b;
        t->warp = (int)i / WARP_LANES;
        t->lane = (int)i % WARP_LANES;
        t->clock[t->lane] = 1;
        fibre_make(&t->fibre, b->stacks + i * STACK_BYTES + GUARD_BYTES,
                   STACK_BYTES - GUARD_BYTES - STACK_TOP(i), begin_thread);
        b->alive[t->warp] |= 1u << t->lane;
        set_ready(t);
    }
    counts.n_blocks++;
    counts.n_threads += b->n_threads;
}

bool emulated_run_blocks(struct block *blocks, unsigned n, bool together, uint32_t first_serial)
{
    bool alive = true;

    emulated_first_serial = first_serial;
    emulated_together = together;
    failed = false;
    group = blocks;
    n_group = n;
    block = NULL;
    note_progress();
    order = (enum order)emulated_draw(N_ORDERS);
    gives_way = emulated_draw(2) == 0;
    n_steps = 1u << emulated_draw(6);
    if (!emulated_sees_memory()) /* a change of the block then copies all static memory */
        n_steps *= 32;
    draw_accesses();
    for (unsigned i = 0; i < n; i++)
        begin_block(&blocks[i]);
    while (alive && !failed) {
        emulated_now = next_thread();
        if (emulated_now)
            fibre_switch(&host, &emulated_now->fibre);
        else
            go_on_or_fail();
        emulated_now = NULL;
        alive = false;
        for (unsigned i = 0; i < n && !alive; i++)
            alive = blocks[i].n_alive > 0;
    }
    if (emulated_together)
        emulated_change_block(block, NULL);
    if (failed)
        last_error = cudaErrorLaunchFailure;
    return !failed;
}

struct block *emulated_blocks(unsigned n)
{
    static struct block blocks[MAX_BLOCKS];

    for (unsigned i = 0; i < n; i++) {
        struct block *const b = &blocks[i];
        char *memory;

        if (b->stacks)
            continue;
        b->threads = malloc(MAX_THREADS * sizeof *b->threads);
        memory = mmap(NULL, MAX_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (!b->threads || memory == MAP_FAILED)
            return NULL;
        b->stacks = memory;
        for (int k = 0; k < MAX_THREADS; k++)
            mprotect(memory + (size_t)k * STACK_BYTES, GUARD_BYTES, PROT_NONE);
    }
    return blocks;
}

struct emulated_counts emulated_count(void)
{
    counts.n_launches = emulated_n_launches();
    return counts;
}
