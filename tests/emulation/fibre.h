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

#if !defined(__x86_64__)
#define FIBRE_UCONTEXT 1
#include <ucontext.h>
#else
#define FIBRE_UCONTEXT \
    0 /* swapcontext calls the kernel for the signal mask, twenty times as long */
#endif

struct fibre {
    char *stack; /* the lowest byte; borrowed; NULL: the stack that the program came with */
    size_t stack_bytes;
#if FIBRE_UCONTEXT
    ucontext_t context;
#else
    void *top; /* where it stopped */
#endif
#if FIBRE_ASAN
    void *fake_stack;
    const void *bottom; /* of the stack, for the one that the program came with */
    size_t bottom_bytes;
#endif
};

/* Make 'fibre' begin with entry() when it is switched to first; entry never returns.  What ran
 * on the stack is gone. */
void fibre_make(struct fibre *fibre, char *stack, size_t stack_bytes, void (*entry)(void));

/* Stop here, in 'from', and go on in 'to'. */
void fibre_switch(struct fibre *from, struct fibre *to);

/* The first thing that an entry() does; 'from' is who switched to it. */
void fibre_arrived(struct fibre *from);

#endif
