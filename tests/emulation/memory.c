/*
 * memory.c - the device's memory, and a look at each access of a kernel to memory
 *
 * The compiler's -fsanitize=thread calls one of the functions at the end before each access; libtsan is not linked, these are
 * all that there is of it.  Two bytes of memory have a cell: who wrote it last, and who has read it since.
 */
#include "tests/emulation/emulator_private.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is known of two bytes ---- */

enum who {
    NO_ONE,
    LANES,
    WARPS,
    BLOCKS
}; /* some lanes of one warp; several warps; several blocks */

struct record {
    uint32_t serial, phase, clock; /* of the block; of the lanes, the smallest */
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

/* ---- device memory ---- */

/* Allocations lie apart, so that an access beyond one is no access to another. */
#define APART 256

struct allocation {
    struct allocation *next;
    char *data;
    size_t bytes;
    struct cell *cells;
};

static struct allocation *allocations;

static struct allocation *find_allocation(const void *pointer)
{
    for (struct allocation *a = allocations; a; a = a->next)
        if ((const char *)pointer >= a->data && (const char *)pointer < a->data + a->bytes)
            return a;
    return NULL;
}

int emulated_malloc(void **pointer, size_t bytes)
{
    struct allocation *const a = calloc(1, sizeof *a);
    /* asan puts its own distance around, and at the very end */
    const size_t all = FIBRE_ASAN ? bytes : (bytes + APART - 1) / APART * APART + APART;

    *pointer = NULL;
    if (!a)
        return ERROR_MEMORY_ALLOCATION;
    a->bytes = bytes;
    a->cells = emulated_sees_memory() ? calloc(n_cells(bytes), sizeof *a->cells) : NULL;
    if (posix_memalign(pointer, APART, all) != 0 || (emulated_sees_memory() && !a->cells)) {
        free(*pointer);
        *pointer = NULL;
        free(a->cells);
        free(a);
        return emulated_refuse(ERROR_MEMORY_ALLOCATION, "no memory for %zu bytes", bytes);
    }
    a->data = *pointer;
    memset(a->data, EMULATED_POISON, all);
    a->next = allocations;
    allocations = a;
    return 0;
}

int emulated_free(void *pointer)
{
    for (struct allocation **at = &allocations; pointer && *at; at = &(*at)->next)
        if ((*at)->data == pointer) {
            struct allocation *const a = *at;

            *at = a->next;
            free(a->data);
            free(a->cells);
            free(a);
            return 0;
        }
    return pointer ? emulated_refuse(ERROR_INVALID_VALUE, "cudaFree of no allocation") : 0;
}

/* The allocation that holds all of a range, or NULL with a sentence. */
static struct allocation *checked_range(const char *what, const void *pointer, size_t bytes)
{
    struct allocation *const a = find_allocation(pointer);

    if (a && bytes <= a->bytes - (size_t)((const char *)pointer - a->data))
        return a;
    emulated_refuse(
        ERROR_INVALID_VALUE,
        a ? "%s of %zu bytes at byte %zu of %zu" : "%s of %zu bytes at no allocation", what,
        bytes, a ? (size_t)((const char *)pointer - a->data) : 0, a ? a->bytes : 0);
    return NULL;
}

/* The host's writes and reads are before all that a later launch does. */
static void mark(struct allocation *a, const void *pointer, size_t bytes, int written)
{
    const size_t from = (size_t)((const char *)pointer - a->data);

    if (a->cells && bytes > 0)
        for (size_t i = from / CELL_BYTES; i <= (from + bytes - 1) / CELL_BYTES; i++) {
            memset(&a->cells[i], 0, sizeof a->cells[i]);
            a->cells[i].written = (uint8_t)written;
        }
}

int emulated_to_device(void *to, const void *from, size_t bytes)
{
    struct allocation *const a =
        bytes ? checked_range("a copy to the device", to, bytes) : NULL;

    if (bytes == 0)
        return 0;
    if (!a)
        return ERROR_INVALID_VALUE;
    memcpy(to, from, bytes);
    mark(a, to, bytes, 1);
    return 0;
}

int emulated_to_host(void *to, const void *from, size_t bytes)
{
    if (bytes == 0)
        return 0;
    if (!checked_range("a copy from the device", from, bytes))
        return ERROR_INVALID_VALUE;
    memcpy(to, from, bytes);
    return 0;
}

int emulated_memset(void *pointer, int byte, size_t bytes)
{
    struct allocation *const a = bytes ? checked_range("a fill", pointer, bytes) : NULL;

    if (bytes == 0)
        return 0;
    if (!a)
        return ERROR_INVALID_VALUE;
    memset(pointer, byte, bytes);
    mark(a, pointer, bytes, byte != EMULATED_POISON);
    return 0;
}

/* ---- shared memory ---- */

char *emulated_dynamic;
size_t emulated_dynamic_bytes;
static struct cell *dynamic_cells;

int emulated_make_dynamic(size_t bytes)
{
    void *memory = NULL;

    free(emulated_dynamic);
    free(dynamic_cells);
    emulated_dynamic = NULL;
    dynamic_cells = NULL;
    emulated_dynamic_bytes = bytes;
    if (bytes == 0)
        return 0;
    if (emulated_sees_memory()) {
        dynamic_cells = calloc(n_cells(bytes), sizeof *dynamic_cells);
        if (!dynamic_cells)
            return -1;
    }
    if (posix_memalign(&memory, APART, FIBRE_ASAN ? bytes : bytes + APART) != 0)
        return -1;
    emulated_dynamic = memory;
    return 0;
}

/* Static shared memory is what a kernel's file has of static variables; a kernel sees no other one that can be written. */
extern char __bss_start[], _end[];

static struct cell *static_cells;

/* ---- one access ---- */

enum access { READ, WRITE, ATOMIC };

static const char *const access_names[] = {"reads", "writes", "changes"};

extern char __executable_start[];

/* Where in the sources, if addr2line is there. */
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

/* Whether all that the record says is before what 'me' does now. */
static bool is_before(const struct record *r, const struct thread *me)
{
    if (r->who == NO_ONE || r->serial < emulated_first_serial)
        return true;
    if (r->who == BLOCKS || r->serial != emulated_serial)
        return false;
    if (r->phase < emulated_phase)
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
        *r = (struct record){.serial = emulated_serial,
                             .phase = emulated_phase,
                             .clock = clock,
                             .lanes = 1u << me->lane,
                             .pc = pc,
                             .warp = (uint16_t)me->warp,
                             .who = LANES,
                             .bytes = bytes};
        return;
    }
    if (r->serial != emulated_serial) {
        r->who = BLOCKS;
        r->serial = emulated_serial;
    } else if (r->who == LANES && r->warp == me->warp) {
        r->lanes |= 1u << me->lane;
        r->clock = clock < r->clock ? clock : r->clock;
    } else if (r->who != BLOCKS) {
        r->who = WARPS;
    }
    r->bytes |= bytes;
    r->pc = pc;
}

/* "at paper.cu:12: reads 4 bytes of static shared memory" */
struct target {
    struct cell *cells;
    const char *name;
    size_t at, bytes; /* place in it, and its size; 0: not known */
    bool shared;
};

static noreturn void fail_at(const struct target *to, const char *address, enum access access,
                             size_t size, uint32_t pc, const char *why,
                             const struct record *other)
{
    char here[256], there[256] = "", what[160];

    place_of(pc, here, sizeof here);
    if (to && to->bytes)
        snprintf(what, sizeof what, "byte %zu of the %zu of %s", to->at, to->bytes, to->name);
    else
        snprintf(what, sizeof what, "%s (%p)", to ? to->name : "no memory of the device",
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

/* Where an address points to; false: nowhere. */
static bool find_target(const char *address, size_t size, struct target *to)
{
    const struct allocation *a;

    if (emulated_dynamic && address >= emulated_dynamic &&
        address + size <= emulated_dynamic + emulated_dynamic_bytes) {
        to->name = "dynamic shared memory";
        to->at = (size_t)(address - emulated_dynamic);
        to->bytes = emulated_dynamic_bytes;
        to->cells = dynamic_cells;
        to->shared = true;
        return true;
    }
    if (address >= __bss_start && address + size <= _end) {
        if (!static_cells)
            static_cells = calloc(n_cells((size_t)(_end - __bss_start)), sizeof *static_cells);
        if (!static_cells)
            emulated_fail("no memory to look at static shared memory");
        to->name = "static shared memory";
        to->at = (size_t)(address - __bss_start);
        to->bytes = 0;
        to->cells = static_cells;
        to->shared = true;
        return true;
    }
    for (a = allocations; a; a = a->next)
        if (address >= a->data && address + size <= a->data + a->bytes)
            break;
    if (!a)
        return false;
    to->name = "an allocation";
    to->at = (size_t)(address - a->data);
    to->bytes = a->bytes;
    to->cells = a->cells;
    to->shared = false;
    return true;
}

/* Say how far beyond what. */
static noreturn void fail_outside(const char *address, enum access access, size_t size,
                                  uint32_t pc)
{
    struct target to = {0};
    char why[160] = "";

    if (emulated_dynamic && address + APART >= emulated_dynamic &&
        address < emulated_dynamic + emulated_dynamic_bytes + APART)
        snprintf(why, sizeof why, "%td bytes from the begin of %zu of dynamic shared memory",
                 address - emulated_dynamic, emulated_dynamic_bytes);
    for (const struct allocation *a = allocations; a && !why[0]; a = a->next)
        if (address + APART >= a->data && address < a->data + a->bytes + APART)
            snprintf(why, sizeof why, "%td bytes from the begin of an allocation of %zu",
                     address - a->data, a->bytes);
    to.name = "outside of the device's memory";
    fail_at(&to, address, access, size, pc, why[0] ? why : "the host's memory, or none", NULL);
}

static bool overlap(const struct record *r, uint8_t bytes)
{
    return (r->bytes & bytes) != 0;
}

static void look_at_cell(struct cell *c, const struct thread *me, enum access access,
                         uint8_t bytes, uint32_t pc, const struct record **race)
{
    const bool joins = access == ATOMIC && c->atomic; /* atomics meet atomics */

    if (access != READ && overlap(&c->read, bytes) && !is_before(&c->read, me))
        *race = &c->read;
    else if (!joins && overlap(&c->write, bytes) && !is_before(&c->write, me))
        *race = &c->write;
    if (*race)
        return;
    if (access == READ) {
        add_record(&c->read, me, bytes, pc);
        return;
    }
    if (!joins)
        c->write.who = NO_ONE; /* it is before this one */
    add_record(&c->write, me, bytes, pc);
    c->atomic = access == ATOMIC;
    c->written = 1;
}

static void look(const char *address, size_t size, enum access access, const void *caller)
{
    const struct thread *const me = emulated_now;
    const uint32_t pc = (uint32_t)((const char *)caller - __executable_start);
    struct target to;
    size_t n_unwritten = 0, n = 0;

    /* its own stack, or what the host does in the same file */
    if (!me ||
        (address >= me->fibre.stack && address < me->fibre.stack + me->fibre.stack_bytes))
        return;
    if (!find_target(address, size, &to))
        fail_outside(address, access, size, pc);
    for (size_t at = to.at; at < to.at + size; n++) {
        struct cell *const c = &to.cells[at / CELL_BYTES];
        const bool both = at % CELL_BYTES == 0 && at + 1 < to.at + size;
        const uint8_t bytes = (uint8_t)(both ? 3 : 1 << at % CELL_BYTES);
        const struct record *race = NULL;

        if (to.shared && c->write.serial != emulated_serial)
            memset(c, 0, sizeof *c); /* another block's, or never used */
        n_unwritten += !c->written;
        look_at_cell(c, me, access, bytes, pc, &race);
        if (race)
            fail_at(&to, address, access, size, pc,
                    race == &c->read ? "a race with a read" : "a race with a write", race);
        at += both ? 2 : 1;
    }
    /* structs that are copied have padding */
    if (access != WRITE && n_unwritten > 0 && (size <= 8 || n_unwritten == n))
        fail_at(&to, address, access, size, pc, "nobody has written it", NULL);
    if (--emulated_accesses_left <= 0)
        emulated_give_way();
}

void emulated_atomic(const void *address, size_t size)
{
    emulated_give_way();
#if !FIBRE_ASAN
    look(address, size, ATOMIC, __builtin_return_address(0));
#else
    (void)address;
    (void)size;
#endif
}

int emulated_sees_memory(void)
{
    return !FIBRE_ASAN;
}

/* ---- what the compiler calls ---- */

#define SIZES(X) X(1) X(2) X(4) X(8) X(16)

#define HOOKS(n)                                              \
    void __tsan_read##n(const void *address);                 \
    void __tsan_write##n(const void *address);                \
    void __tsan_unaligned_read##n(const void *address);       \
    void __tsan_unaligned_write##n(const void *address);      \
    void __tsan_read##n(const void *address)                  \
    {                                                         \
        look(address, n, READ, __builtin_return_address(0));  \
    }                                                         \
    void __tsan_write##n(const void *address)                 \
    {                                                         \
        look(address, n, WRITE, __builtin_return_address(0)); \
    }                                                         \
    void __tsan_unaligned_read##n(const void *address)        \
    {                                                         \
        look(address, n, READ, __builtin_return_address(0));  \
    }                                                         \
    void __tsan_unaligned_write##n(const void *address)       \
    {                                                         \
        look(address, n, WRITE, __builtin_return_address(0)); \
    }

SIZES(HOOKS)

void __tsan_read_range(const void *address, unsigned long size);
void __tsan_write_range(const void *address, unsigned long size);
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);

void __tsan_read_range(const void *address, unsigned long size)
{
    look(address, size, READ, __builtin_return_address(0));
}

void __tsan_write_range(const void *address, unsigned long size)
{
    look(address, size, WRITE, __builtin_return_address(0));
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
