/*
 * status.h - how every function of depthbench reports that it could not do its work
 *
 * A failing function records one sentence with BENCH_FAIL and returns a status; its callers
 * return early with TRY, and the one that decides (main, or the suite that turns a skipped
 * configuration into a row) reads the sentence back.  Nothing is printed on the way, because
 * the same sentence also goes into the CSV's 'reason' column.
 */
#ifndef BENCH_STATUS_H
#define BENCH_STATUS_H

#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

enum bench_status {
    BENCH_OK = 0,
    BENCH_ENOMEM,    /* host or device memory ran out */
    BENCH_EINPUT,    /* a parameter, descriptor or file says something impossible */
    BENCH_EIO,       /* a file could not be read or written */
    BENCH_ECUDA,     /* any other CUDA error; the message has its text */
    BENCH_EMISMATCH, /* the output differs from the reference beyond tolerance */
    BENCH_ESKIP,     /* the variant does not do this configuration; no failure */
    BENCH_EENV,      /* the machine is not in the state that the descriptor asks for */
    BENCH_EINTR      /* the user asked to stop; everything finished so far is kept */
};

/* Record the sentence and return 'status'.  'file' and 'line' are for bench_failure_place().  A
 * sentence says what was expected and what was found, names the user's file and line if there
 * is one, and has no final period and no newline (what cannot be printed becomes '?').  It may
 * quote bench_failure().  It is cut at 1023 bytes.  Each thread has its own. */
enum bench_status bench_fail(enum bench_status status, const char *file, int line,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

#ifdef __clang_analyzer__ /* must see that a failure is never BENCH_OK */
#define BENCH_FAIL(status, ...) (bench_fail(status, __FILE__, __LINE__, __VA_ARGS__), (status))
#else
#define BENCH_FAIL(status, ...) bench_fail(status, __FILE__, __LINE__, __VA_ARGS__)
#endif

/* The last sentence of this thread, or "".  Valid until its next bench_fail. */
const char *bench_failure(void);

/* The "file.c:line" that recorded the sentence; for --verbose. */
const char *bench_failure_place(void);

/* Forget the last sentence (the suite calls it before each configuration). */
void bench_failure_clear(void);

/* Replace all but printable UTF-8 and the bytes of 'kept' ("\n\t") by '?': others may be
 * commands to the terminal. */
void text_clean(char *bytes, size_t n_bytes, const char *kept);

/* Return early with the callee's status.  The state's teardown releases what is allocated. */
#define TRY(call)                               \
    do {                                        \
        enum bench_status try_status_ = (call); \
        if (try_status_ != BENCH_OK)            \
            return try_status_;                 \
    } while (0)

/* Return early with the status and a sentence where the condition holds. */
#define FAIL_IF(condition, status, ...)             \
    do {                                            \
        if (condition)                              \
            return BENCH_FAIL(status, __VA_ARGS__); \
    } while (0)

/* The same with BENCH_EINPUT. */
#define REFUSE_IF(condition, ...) FAIL_IF(condition, BENCH_EINPUT, __VA_ARGS__)

/* The same with BENCH_ENOMEM where 'memory' is not there; the format names what it was for. */
#define NEED(memory, ...) FAIL_IF(!(memory), BENCH_ENOMEM, "out of memory for " __VA_ARGS__)

/* A variable that 'release', given its address, releases at the end of its scope; set it where
 * you declare it, if only to {0} or NULL. */
#define OWNED(release) __attribute__((cleanup(release)))

__END_DECLS

#endif
