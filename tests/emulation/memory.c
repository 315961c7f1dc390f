/*
 * memory.c - the device's memory, and a look at each access of a kernel to memory
 *
 * The compiler's -fsanitize=thread calls one of the functions at the end before each access;
 * libtsan is not linked, these are all that there is of it.  Two bytes of memory have a cell:
 * who wrote it last, and who has read it since.
 */
#include "tests/emulation/emulator_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is known of two bytes ---- */

/* Some lanes of one warp; several warps; several blocks. */
enum who { NO_ONE, LANES, WARPS, BLOCKS };

struct record {
    /* of the block; of the lanes, the smallest */
    uint32_t serial, phase, clock;
    uint32_t lanes, pc;
    uint16_t warp;
    uint8_t who; /* enum who */
    uint8_t bytes;
};

struct cell {
    struct record write, read;
    uint8_t written; /* by the host or a kernel, ever */
    uint8_t atomic;  /* 'write' is of atomics */
};

#define CELL_BYTES 2

static size_t n_cells(size_t bytes)
{
    return bytes / CELL_BYTES + 1;
}

/* ---- areas of memory ---- */

/* Areas lie apart, so that an access beyond one is no access to another. */
#define APART 256

struct area {
    struct area *next;
    const char *name;
    char *data;
    size_t bytes;
    struct cell *cells;
    bool is_shared; /* by the threads of a block alone */
    bool is_hosts;  /* memory of the host, which kernels see too */
    int device;     /* unless shared or the host's */
};

static struct area *allocations;

/* Kernels' static variables, put into a section by the Makefile: no others can be written. */
extern char __start_emulated_shared[], __stop_emulated_shared[];
static struct area statics = {
    .name = "static shared memory", .data = __start_emulated_shared, .is_shared = true};

static size_t static_bytes(void)
{
    return (size_t)(__stop_emulated_shared - __start_emulated_shared);
}

/* False: there is no memory. */
static bool make_area(struct area *a, size_t bytes)
{
    /* asan puts its own distance around, and at the very end */
    const size_t all = FIBRE_ASAN ? bytes : (bytes + APART - 1) / APART * APART + APART;
    void *memory = NULL;

    a->cells = emulated_sees_memory() ? calloc(n_cells(bytes), sizeof *a->cells) : NULL;
    if ((emulated_sees_memory() && !a->cells) || posix_memalign(&memory, APART, all) != 0) {
        free(a->cells);
        a->cells = NULL;
        return false;
    }
    a->data = memset(memory, EMULATED_POISON, all);
    a->bytes = bytes;
    return true;
}

static void free_area(struct area *a)
{
    if (!a->is_hosts)
        free(a->data);
    free(a->cells);
    a->data = NULL;
    a->cells = NULL;
    a->bytes = 0;
}

/* True if all these bytes are in it. */
static bool holds(const struct area *a, const char *address, size_t bytes)
{
    return address >= a->data && address + bytes <= a->data + a->bytes;
}

/* The one that holds all of them, which becomes the first: others will look there, too. */
static struct area *find_allocation(const void *pointer, size_t bytes)
{
    struct area **at = &allocations, *a;

    while (*at && !holds(*at, pointer, bytes))
        at = &(*at)->next;
    a = *at;
    if (a && a != allocations) {
        *at = a->next;
        a->next = allocations;
        allocations = a;
    }
    return a;
}

/* ---- what the host does with them ---- */

static void *add_allocation(struct area *a, const char *name)
{
    a->name = name;
    a->device = emulated_device();
    a->next = allocations;
    allocations = a;
    return a->data;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    struct area *const a = calloc(1, sizeof *a);

    *pointer = NULL;
    if (!a || !make_area(a, bytes)) {
        free(a);
        return emulated_refuse(cudaErrorMemoryAllocation, "no memory for %zu bytes", bytes);
    }
    *pointer = add_allocation(a, "an allocation");
    return cudaSuccess;
}

/* The host's bytes are all written. */
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    struct area *const a = calloc(1, sizeof *a);
    const size_t n = n_cells(bytes);

    (void)flags;
    if (!a || (emulated_sees_memory() && !(a->cells = calloc(n, sizeof *a->cells)))) {
        free(a);
        return emulated_refuse(cudaErrorMemoryAllocation, "no memory for %zu bytes", bytes);
    }
    for (size_t i = 0; a->cells && i < n; i++)
        a->cells[i].written = 1;
    a->data = pointer;
    a->bytes = bytes;
    a->is_hosts = true;
    add_allocation(a, "the host's memory");
    return cudaSuccess;
}

static cudaError_t drop_allocation(void *pointer, bool is_hosts, const char *call)
{
    for (struct area **at = &allocations; pointer && *at; at = &(*at)->next)
        if ((*at)->data == pointer && (*at)->is_hosts == is_hosts) {
            struct area *const a = *at;

            *at = a->next;
            free_area(a);
            free(a);
            return cudaSuccess;
        }
    return pointer ? emulated_refuse(cudaErrorInvalidValue, "%s of no allocation", call)
                   : cudaSuccess;
}

cudaError_t cudaFree(void *pointer)
{
    emulated_finish();
    return drop_allocation(pointer, false, "cudaFree");
}

cudaError_t cudaHostUnregister(void *pointer)
{
    return drop_allocation(pointer, true, "cudaHostUnregister");
}

/* The allocation that holds all of a range, or NULL with a sentence. */
static struct area *checked_range(const char *what, const void *pointer, size_t bytes)
{
    struct area *const a = find_allocation(pointer, bytes);
    const struct area *const begin = find_allocation(pointer, 1);

    if (!a && begin)
        emulated_refuse(cudaErrorInvalidValue, "%s of %zu bytes at byte %td of %zu", what,
                        bytes, (const char *)pointer - begin->data, begin->bytes);
    else if (!a)
        emulated_refuse(cudaErrorInvalidValue, "%s of %zu bytes at no allocation", what, bytes);
    return a;
}

/* The host's writes and reads are before all that a later launch does. */
static void mark(struct area *a, const void *pointer, size_t bytes, bool written)
{
    const size_t from = (size_t)((const char *)pointer - a->data);

    if (a->cells)
        for (size_t i = from / CELL_BYTES; i <= (from + bytes - 1) / CELL_BYTES; i++)
            a->cells[i] = (struct cell){.written = written};
}

int emulated_device_of(const void *pointer)
{
    const struct area *const a = find_allocation(pointer, 1);

    return a && !a->is_hosts ? a->device : -1;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const bool up = kind == cudaMemcpyHostToDevice ||
                    (kind == cudaMemcpyDefault && emulated_device_of(to) >= 0);
    struct area *a;

    if (emulated_check_stream(stream) || emulated_finish())
        return cudaErrorLaunchFailure;
    if (bytes == 0)
        return cudaSuccess;
    a = checked_range(up ? "a copy to the device" : "a copy from the device", up ? to : from,
                      bytes);
    if (!a)
        return cudaErrorInvalidValue;
    memcpy(to, from, bytes);
    if (up)
        mark(a, to, bytes, true);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *pointer, int byte, size_t bytes, cudaStream_t stream)
{
    struct area *a;

    if (emulated_check_stream(stream) || emulated_finish())
        return cudaErrorLaunchFailure;
    a = bytes ? checked_range("a fill", pointer, bytes) : NULL;
    if (!a)
        return bytes ? cudaErrorInvalidValue : cudaSuccess;
    memset(pointer, byte, bytes);
    mark(a, pointer, bytes, byte != EMULATED_POISON);
    return cudaSuccess;
}

/* ---- shared memory ---- */

bool emulated_make_shared(struct block *b, size_t bytes, bool together)
{
    if (b->dynamic && b->dynamic->bytes != bytes)
        emulated_free_shared(b);
    if (!b->dynamic && bytes > 0) {
        struct area *const a = calloc(1, sizeof *a);

        if (!a || !make_area(a, bytes)) {
            free(a);
            return false;
        }
        a->name = "dynamic shared memory";
        a->is_shared = true;
        b->dynamic = a;
    } else if (b->dynamic) {
        memset(b->dynamic->data, EMULATED_POISON, bytes);
    }
    if (!together)
        return true;
    b->statics = malloc(static_bytes() + 1);
    b->static_cells = calloc(n_cells(static_bytes()), sizeof *b->static_cells);
    if (b->statics)
        memset(b->statics, EMULATED_POISON, static_bytes());
    return b->statics && b->static_cells;
}

void emulated_free_shared(struct block *b)
{
    if (b->dynamic)
        free_area(b->dynamic);
    free(b->dynamic);
    free(b->statics);
    free(b->static_cells);
    b->dynamic = NULL;
    b->statics = NULL;
    b->static_cells = NULL;
}

/* The static memory that blocks that run together have used. */
static size_t first_used, end_used;

/* With what asan has put between variables. */
static __attribute__((no_sanitize("address"))) void copy_all(char *to, const char *from,
                                                             size_t n)
{
    typedef uint64_t word __attribute__((aligned(1), may_alias));
    size_t i = 0;

    for (; i + sizeof(word) <= n; i += sizeof(word))
        *(word *)(to + i) = *(const word *)(from + i);
    for (; i < n; i++)
        to[i] = from[i];
}

void emulated_change_block(struct block *from, struct block *to)
{
    static struct cell *own; /* of blocks that do not run together */

    if (!from) {
        own = statics.cells;
        first_used = emulated_sees_memory() ? static_bytes() : 0;
        end_used = emulated_sees_memory() ? 0 : static_bytes();
    } else if (first_used < end_used) {
        copy_all(from->statics + first_used, statics.data + first_used, end_used - first_used);
    }
    if (to && first_used < end_used)
        copy_all(statics.data + first_used, to->statics + first_used, end_used - first_used);
    statics.cells = to ? to->static_cells : own;
    statics.bytes = static_bytes();
}

void *emulated_shared(void)
{
    return emulated_now->block->dynamic ? emulated_now->block->dynamic->data : NULL;
}

/* ---- one access ---- */

/* LOOK: an atomic one that only reads. */
enum access { READ, WRITE, ATOMIC, LOOK };

static const char *const access_names[] = {"reads", "writes", "changes", "looks at"};

extern char __executable_start[];

/* Finds the place in the sources, if addr2line is there. */
static void place_of(uint32_t pc, char *text, size_t size)
{
    char program[512], command[640];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    FILE *pipe = NULL;

    snprintf(text, size, "program + 0x%x", pc);
    if (n <= 0)
        return;
    program[n] = '\0';
    snprintf(command, sizeof command, "addr2line -e '%s' 0x%x 2>/dev/null", program, pc - 1);
    pipe = popen(command, "r");
    if (!pipe)
        return;
    if (fgets(command, sizeof command, pipe) && command[0] != '?') {
        const char *const room = strstr(command, "impl_gpu/");

        command[strcspn(command, " \n")] = '\0';
        snprintf(text, size, "%.*s", (int)size - 1, room ? room : command);
    }
    pclose(pipe);
}

/* True if the record is before what 'me' does now. */
static bool is_before(const struct record *r, const struct thread *me)
{
    if (r->who == NO_ONE || r->serial < emulated_first_serial)
        return true;
    if (r->who == BLOCKS || r->serial != me->block->serial)
        return emulated_together; /* races of waiting blocks are not looked for */
    if (r->phase < me->block->phase)
        return true;
    if (r->who == WARPS || r->warp != me->warp)
        return false;
    for (uint32_t lanes = r->lanes & ~(1u << me->lane); lanes; lanes &= lanes - 1)
        if (me->clock[__builtin_ctz(lanes)] < r->clock)
            return false;
    return true;
}

/* Add what 'me' does now; what is before it needs no remembering. */
static void add_record(struct record *r, const struct thread *me, uint8_t bytes, uint32_t pc)
{
    const uint32_t clock = me->clock[me->lane];

    if (is_before(r, me)) {
        *r = (struct record){.serial = me->block->serial,
                             .phase = me->block->phase,
                             .clock = clock,
                             .lanes = 1u << me->lane,
                             .pc = pc,
                             .warp = (uint16_t)me->warp,
                             .who = LANES,
                             .bytes = bytes};
        return;
    }
    if (r->serial != me->block->serial) {
        r->who = BLOCKS;
        r->serial = me->block->serial;
    } else if (r->who == LANES && r->warp == me->warp) {
        r->lanes |= 1u << me->lane;
        r->clock = clock < r->clock ? clock : r->clock;
    } else if (r->who != BLOCKS) {
        r->who = WARPS;
    }
    r->bytes |= bytes;
    r->pc = pc;
}

/* "at paper.cu:12: reads 4 bytes, static shared memory (0x...): a race with ..." */
static noreturn void fail_at(const struct area *a, const char *address, enum access access,
                             size_t size, uint32_t pc, const char *why,
                             const struct record *other)
{
    char here[256], there[256] = "", what[160];

    place_of(pc, here, sizeof here);
    if (a && a != &statics)
        snprintf(what, sizeof what, "byte %td of the %zu of %s", address - a->data, a->bytes,
                 a->name);
    else
        snprintf(what, sizeof what, "%s (%p)", a ? a->name : "outside of the device's memory",
                 (const void *)address);
    if (other) {
        char place[200];

        place_of(other->pc, place, sizeof place);
        if (other->who == LANES)
            snprintf(there, sizeof there, " by warp %d, lanes 0x%08x, at %s", other->warp,
                     other->lanes, place);
        else
            snprintf(there, sizeof there, " by several %s, one at %s",
                     other->who == WARPS ? "warps" : "blocks", place);
    }
    emulated_fail("at %s: %s %zu bytes, %s: %s%s", here, access_names[access], size, what, why,
                  there);
}

/* The area that an address points to; NULL: none. */
static struct area *find_area(const char *address, size_t size)
{
    struct area *const dynamic = emulated_now->block->dynamic;

    if (dynamic && holds(dynamic, address, size))
        return dynamic;
    if (address < __start_emulated_shared || address + size > __stop_emulated_shared)
        return find_allocation(address, size);
    if (!statics.cells) {
        statics.bytes = static_bytes();
        statics.cells = calloc(n_cells(statics.bytes), sizeof *statics.cells);
        if (!statics.cells)
            emulated_fail("no memory to look at static shared memory");
    }
    return &statics;
}

/* Says how far beyond an area it is. */
static noreturn void fail_outside(const char *address, enum access access, size_t size,
                                  uint32_t pc)
{
    char why[160] = "the host's memory, or none";
    struct area *const dynamic = emulated_now->block->dynamic;

    if (dynamic)
        dynamic->next = allocations;
    for (const struct area *a = dynamic ? dynamic : allocations; a; a = a->next)
        if (a->data && address + APART >= a->data && address < a->data + a->bytes + APART) {
            snprintf(why, sizeof why, "%td bytes from the begin of %s of %zu",
                     address - a->data, a->name, a->bytes);
            break;
        }
    fail_at(NULL, address, access, size, pc, why, NULL);
}

/* True if the record has something of these bytes that is not before what 'me' does now. */
static bool races(const struct record *r, uint8_t bytes, const struct thread *me)
{
    return (r->bytes & bytes) != 0 && !is_before(r, me);
}

/* The record that the access races with, or NULL: it is added. */
static const struct record *look_at_cell(struct cell *c, const struct thread *me,
                                         enum access access, uint8_t bytes, uint32_t pc)
{
    const bool joins = access >= ATOMIC && c->atomic; /* atomics meet atomics */

    if (access != READ && races(&c->read, bytes, me))
        return &c->read;
    if (!joins && races(&c->write, bytes, me))
        return &c->write;
    if (access == READ) {
        add_record(&c->read, me, bytes, pc);
        return NULL;
    }
    if (!joins)
        c->write.who = NO_ONE; /* it is before this one */
    add_record(&c->write, me, bytes, pc);
    c->atomic = access >= ATOMIC;
    c->written |= access != LOOK;
    return NULL;
}

/* 'align': of which the address must be a multiple.  Vectors are loaded word by word here. */
static void look(const char *address, size_t size, size_t align, enum access access,
                 const void *caller)
{
    const struct thread *const me = emulated_now;
    const uint32_t pc = (uint32_t)((const char *)caller - __executable_start);
    const struct area *a;
    size_t n_unwritten = 0, n = 0, at;

    /* its own stack, or what the host does in the same file */
    if (!me ||
        (address >= me->fibre.stack && address < me->fibre.stack + me->fibre.stack_bytes))
        return;
    a = find_area(address, size);
    if (!a)
        fail_outside(address, access, size, pc);
    if ((uintptr_t)address % align != 0)
        fail_at(a, address, access, size, pc, "its address is no multiple of that", NULL);
    if (!a->is_shared && !a->is_hosts &&
        !emulated_reaches(me->block->launch->device, a->device))
        fail_at(a, address, access, size, pc, "memory of a device that is no peer", NULL);
    at = (size_t)(address - a->data);
    if (a == &statics) {
        first_used = at < first_used ? at : first_used;
        end_used = at + size > end_used ? at + size : end_used;
    }
    for (const size_t end = at + size; at < end; n++) {
        struct cell *const c = &a->cells[at / CELL_BYTES];
        const bool both = at % CELL_BYTES == 0 && at + 1 < end;
        const uint8_t bytes = (uint8_t)(both ? 3 : 1 << at % CELL_BYTES);
        const struct record *race;

        if (a->is_shared && c->write.serial != me->block->serial)
            memset(c, 0, sizeof *c); /* another block's, or never used */
        n_unwritten += !c->written;
        race = look_at_cell(c, me, access, bytes, pc);
        if (race)
            fail_at(a, address, access, size, pc,
                    race == &c->read ? "a race with a read" : "a race with a write", race);
        at += both ? 2 : 1;
    }
    /* structs that are copied have padding */
    if (access != WRITE && n_unwritten > 0 && (size <= 8 || n_unwritten == n))
        fail_at(a, address, access, size, pc, "nobody has written it", NULL);
    if (--emulated_accesses_left <= 0)
        emulated_give_way();
}

static void look_unless_asan(const void *address, size_t size, enum access access,
                             const void *caller)
{
    if (!FIBRE_ASAN)
        look(address, size, 1, access, caller);
}

void emulated_atomic(const void *address, size_t size)
{
    emulated_give_way();
    look_unless_asan(address, size, ATOMIC, __builtin_return_address(0));
    emulated_changed();
}

void emulated_look(const void *address, size_t size, struct emulated_place place)
{
    emulated_look_later(place);
    look_unless_asan(address, size, LOOK, __builtin_return_address(0));
}

int emulated_sees_memory(void)
{
    return !FIBRE_ASAN;
}

/* ---- what the compiler calls ---- */

#define HOOK(name, size, align, access)                                  \
    void __tsan_##name(const void *address);                             \
    void __tsan_##name(const void *address)                              \
    {                                                                    \
        look(address, size, align, access, __builtin_return_address(0)); \
    }
/* GCC calls read16 for what is known to be a multiple of 8, too. */
#define HOOKS(n)                                \
    HOOK(read##n, n, (n) < 8 ? (n) : 8, READ)   \
    HOOK(write##n, n, (n) < 8 ? (n) : 8, WRITE) \
    HOOK(unaligned_read##n, n, 1, READ)         \
    HOOK(unaligned_write##n, n, 1, WRITE)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(const void *address, unsigned long size);
void __tsan_write_range(const void *address, unsigned long size);
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);

void __tsan_read_range(const void *address, unsigned long size)
{
    look(address, size, 1, READ, __builtin_return_address(0));
}

void __tsan_write_range(const void *address, unsigned long size)
{
    look(address, size, 1, WRITE, __builtin_return_address(0));
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void)
{
}
