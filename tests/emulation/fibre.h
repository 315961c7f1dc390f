/*
 * fibre.h - a thread of its own stack that gives way only when it says so
 */
#ifndef EMULATION_FIBRE_H
#define EMULATION_FIBRE_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define FIBRE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBRE_ASAN 1
#endif
#endif
#ifndef FIBRE_ASAN
#define FIBRE_ASAN 0
#endif

/* swapcontext calls the kernel for the signal mask, which takes twenty times as long. */
#ifdef __x86_64__
#define FIBRE_UCONTEXT 0
#else
#define FIBRE_UCONTEXT 1
#include <ucontext.h>
#endif

struct fibre {
    /* the lowest byte; borrowed; NULL: the stack that the program came with */
    char *stack;
    size_t stack_bytes;
#if FIBRE_UCONTEXT
    ucontext_t context;
#else
    /* where it stopped */
    void *top;
#endif
#if FIBRE_ASAN
    void *fake_stack;
    /* of the stack that the program came with */
    const void *bottom;
    size_t bottom_bytes;
#endif
};

/* The first switch to 'fibre' begins entry(), which never returns; its old work is gone. */
void fibre_make(struct fibre *fibre, char *stack, size_t stack_bytes, void (*entry)(void));

/* Stop here, in 'from', and go on in 'to'. */
void fibre_switch(struct fibre *from, struct fibre *to);

/* The first thing that an entry() does; 'from' is who switched to it. */
void fibre_arrived(struct fibre *from);

#endif
