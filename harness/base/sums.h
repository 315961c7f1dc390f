/*
 * sums.h - named whole numbers that add up to the same in any order, however frames are cut
 *
 * A number with an index -1 is a scalar, with one >= 0 an element of a series (a round, a
 * class, a frame ...).  Of a name that ends in "_max" the greatest counts, of all others the
 * sum.  What is no whole number is one in units of 2^-56: rounded once for each input, exact
 * from there on.
 */
#ifndef BENCH_SUMS_H
#define BENCH_SUMS_H

#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* squares of 2^32 frames of 2^32 pixels would not fit in 64 bits */
__extension__ typedef __int128 bench_wide;

struct bench_sum {
    char name[32];
    int index;
    bench_wide value;
};

struct bench_sums {
    struct bench_sum *sum; /* by name, then by index; none is 0; owned */
    int n;
    bool failed; /* memory ran out, or 127 bits did: see bench_sums_ok */
};

/* 'name': lower case with '_', at most 31 bytes. */
void bench_sums_add(struct bench_sums *sums, const char *name, int index, bench_wide value);
void bench_sums_merge(struct bench_sums *sums, const struct bench_sums *more);
/* 0 where there is none. */
bench_wide bench_sums_get(const struct bench_sums *sums, const char *name, int index);
/* BENCH_ENOMEM when an addition failed. */
enum bench_status bench_sums_ok(const struct bench_sums *sums);
void bench_sums_free(struct bench_sums *sums);

/* In units of 2^-56; what is not finite, or beyond 2^62, is not when it is read back: NAN. */
bench_wide bench_wide_fixed(double value);
double bench_wide_real(bench_wide fixed);

/* A value in decimal, at most 40 digits with its sign; false: 'text' is none of 128 bits. */
#define BENCH_WIDE_TEXT 48
void bench_wide_text(bench_wide value, char text[BENCH_WIDE_TEXT]);
bool bench_wide_read(const char *text, bench_wide *value);

/* A member of a struct in which one input is summed up: a uint64_t, or a double, or arrays of
 * them, whose elements have the indices 0 ...  A double whose name ends in "_max" is >= 0. */
struct bench_member {
    const char *name; /* NULL: the end of the list */
    size_t offset, size;
    bool is_real;
};

#define BENCH_WHOLE(type, member)                                                         \
    {                                                                                     \
#member, offsetof(struct type, member), sizeof(((struct type *)0)->member), false \
    }
#define BENCH_REAL(type, member)                                                         \
    {                                                                                    \
#member, offsetof(struct type, member), sizeof(((struct type *)0)->member), true \
    }

/* For lists of members, X(NAME) ...: a struct's sums, and their items in its list. */
#define SUMS_WHOLE(member)    uint64_t member;
#define SUMS_REAL(member)     double member;
#define SUMS_IS_WHOLE(member) BENCH_WHOLE(sums, member),
#define SUMS_IS_REAL(member)  BENCH_REAL(sums, member),

/* The struct into sums; and what the sums say into one that is zeroed. */
void bench_sums_pack(struct bench_sums *sums, const struct bench_member *members,
                     const void *from);
void bench_sums_unpack(const struct bench_sums *sums, const struct bench_member *members,
                       void *to);

#endif
