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

#include <sys/cdefs.h>

__BEGIN_DECLS

enum bench_status {
    BENCH_OK = 0,
    BENCH_ENOMEM,    /* host or device memory ran out */
    BENCH_EINPUT,    /* a parameter, descriptor or file says something impossible */
    BENCH_EIO,       /* a file could not be read or written */
    BENCH_ECUDA,     /* any other CUDA error; the message has its text */
    BENCH_EMISMATCH, /* the output differs from the reference beyond tolerance */
    BENCH_ESKIP, /* the variant does not do this configuration; the message says why; no failure */
    BENCH_EENV, /* the machine is not in the state that the descriptor asks for */
    BENCH_EINTR /* the user asked to stop; everything finished so far is kept */
};

/*
 * Record the sentence and return 'status'.  'file' and 'line' are the place in the program,
 * kept for bench_failure_place().  A sentence says what was expected and what was found, names
 * the user's file and line where there is one, has no final period and no newline (what cannot
 * be printed becomes '?').  It may have bench_failure() in it.  Longer than 1023 bytes is cut.
 * Not for use inside a parallel region: one sentence is kept per process.
 */
enum bench_status bench_fail(enum bench_status status, const char *file, int line,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

#ifdef __clang_analyzer__ /* must see that a failure is never BENCH_OK */
#define BENCH_FAIL(status, ...) (bench_fail(status, __FILE__, __LINE__, __VA_ARGS__), (status))
#else
#define BENCH_FAIL(status, ...) bench_fail(status, __FILE__, __LINE__, __VA_ARGS__)
#endif

/* The last sentence recorded, or "" when there is none.  Owned by status.c; valid until the
 * next bench_fail. */
const char *bench_failure(void);

/* Where in the program it was recorded, "file.c:line"; for --verbose. */
const char *bench_failure_place(void);

/* Forget the last sentence (the suite calls it before each configuration). */
void bench_failure_clear(void);

/* Return early with the callee's status.  What is allocated so far stays in the state struct,
 * whose teardown the harness calls on every path. */
#define TRY(call)                               \
    do {                                        \
        enum bench_status try_status_ = (call); \
        if (try_status_ != BENCH_OK)            \
            return try_status_;                 \
    } while (0)

/* Return early with BENCH_EINPUT and a sentence where the condition holds. */
#define REFUSE_IF(condition, ...)                         \
    do {                                                  \
        if (condition)                                    \
            return BENCH_FAIL(BENCH_EINPUT, __VA_ARGS__); \
    } while (0)

/* A variable that its function releases by 'release', which takes its address, on every way out; it is
 * set, if only to {0} or NULL, where it is declared. */
#define OWNED(release) __attribute__((cleanup(release)))

__END_DECLS

#endif
