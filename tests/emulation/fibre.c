/*
 * fibre.c - stacks switched by hand on x86-64, by ucontext elsewhere
 */
#include "tests/emulation/fibre.h"

#include <stdint.h>
#include <string.h>

#if FIBRE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !FIBRE_UCONTEXT

/* Save preserved registers and stack pointer (*save), and go on where 'load' was stored. */
void emulated_swap(void **save, void *load);

__asm__(".text\n"
        ".globl emulated_swap\n"
        ".hidden emulated_swap\n"
        ".type emulated_swap, @function\n"
        "emulated_swap:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size emulated_swap, .-emulated_swap\n");

#endif

void fibre_make(struct fibre *fibre, char *stack, size_t stack_bytes, void (*entry)(void))
{
    fibre->stack = stack;
    fibre->stack_bytes = stack_bytes;
#if FIBRE_ASAN
    fibre->fake_stack = NULL;
    __asan_unpoison_memory_region(stack, stack_bytes); /* left by an abandoned fibre */
#endif
#if FIBRE_UCONTEXT
    getcontext(&fibre->context);
    fibre->context.uc_stack.ss_sp = stack;
    fibre->context.uc_stack.ss_size = stack_bytes;
    fibre->context.uc_link = NULL;
    makecontext(&fibre->context, entry, 0);
#else
    /* a function begins 8 bytes below a multiple of 16: six registers, address, no caller */
    uintptr_t *const end = (uintptr_t *)(void *)(stack + stack_bytes / 16 * 16);

    memset(end - 8, 0, 8 * sizeof *end);
    end[-2] = (uintptr_t)entry;
    fibre->top = end - 8;
#endif
}

void fibre_switch(struct fibre *from, struct fibre *to)
{
#if FIBRE_ASAN
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack ? to->stack : to->bottom,
                                   to->stack ? to->stack_bytes : to->bottom_bytes);
#endif
#if FIBRE_UCONTEXT
    swapcontext(&from->context, &to->context);
#else
    emulated_swap(&from->top, to->top);
#endif
#if FIBRE_ASAN
    __sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
#endif
}

void fibre_arrived(struct fibre *from)
{
#if FIBRE_ASAN
    __sanitizer_finish_switch_fiber(NULL, &from->bottom, &from->bottom_bytes);
#else
    (void)from;
#endif
}
