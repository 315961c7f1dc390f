/* sums.c - named whole numbers that add up to the same in any order */
#include "harness/base/sums.h"

#include "harness/base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXED_BITS 56
#define BEYOND     ((bench_wide)1 << 118) /* so many units: not finite, or as good as */

/* The place where it is, or belongs. */
static int place_of(const struct bench_sums *sums, const char *name, int index, bool *is_there)
{
    int low = 0, high = sums->n;

    *is_there = false;
    while (low < high && !*is_there) {
        const int middle = low + (high - low) / 2;
        const struct bench_sum *const sum = &sums->sum[middle];
        int order = strcmp(sum->name, name);

        if (order == 0)
            order = (sum->index > index) - (sum->index < index);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
        *is_there = order == 0;
    }
    return high;
}

static bool is_greatest(const char *name)
{
    const size_t n = strlen(name);

    return n >= 4 && strcmp(name + n - 4, "_max") == 0;
}

static struct bench_sum *insert(struct bench_sums *sums, int at, const char *name, int index)
{
    struct bench_sum *sum;

    if (!memory_grow(&sums->sum, sizeof *sum, (size_t)sums->n))
        return NULL;
    sum = &sums->sum[at];
    memmove(sum + 1, sum, (size_t)(sums->n++ - at) * sizeof *sum);
    memset(sum, 0, sizeof *sum);
    snprintf(sum->name, sizeof sum->name, "%s", name);
    sum->index = index;
    return sum;
}

void bench_sums_add(struct bench_sums *sums, const char *name, int index, bench_wide value)
{
    struct bench_sum *sum;
    bool is_there;
    int at;

    assert(strlen(name) < sizeof sum->name);
    if (value == 0 || sums->failed)
        return;
    at = place_of(sums, name, index, &is_there);
    sum = is_there ? &sums->sum[at] : insert(sums, at, name, index);
    if (!sum)
        sums->failed = true;
    else if (!is_greatest(name))
        sums->failed = __builtin_add_overflow(sum->value, value, &sum->value);
    else if (value > sum->value)
        sum->value = value;
}

void bench_sums_merge(struct bench_sums *sums, const struct bench_sums *more)
{
    for (int i = 0; i < more->n; i++)
        bench_sums_add(sums, more->sum[i].name, more->sum[i].index, more->sum[i].value);
    sums->failed |= more->failed;
}

bench_wide bench_sums_get(const struct bench_sums *sums, const char *name, int index)
{
    bool is_there;
    const int at = place_of(sums, name, index, &is_there);

    return is_there ? sums->sum[at].value : 0;
}

enum bench_status bench_sums_ok(const struct bench_sums *sums)
{
    return sums->failed ? BENCH_FAIL(BENCH_ENOMEM, "out of memory for sums") : BENCH_OK;
}

void bench_sums_free(struct bench_sums *sums)
{
    free(sums->sum);
    *sums = (struct bench_sums){0};
}

/* ---- numbers that are not whole ---- */

bench_wide bench_wide_fixed(double value)
{
    const double units = rint(ldexp(value, FIXED_BITS));

    if (!(fabs(units) < (double)BEYOND))
        return BEYOND;
    return (bench_wide)units;
}

double bench_wide_real(bench_wide fixed)
{
    return fixed >= BEYOND ? (double)NAN : ldexp((double)fixed, -FIXED_BITS);
}

/* ---- text ---- */

void bench_wide_text(bench_wide value, char text[BENCH_WIDE_TEXT])
{
    char digits[BENCH_WIDE_TEXT];
    int n = 0;

    do { /* negative, since the least number has no positive */
        const int digit = (int)(value % 10);

        digits[n++] = (char)('0' + (digit < 0 ? -digit : digit));
        if (value / 10 == 0 && value < 0)
            digits[n++] = '-';
        value /= 10;
    } while (value != 0);
    for (int i = 0; i < n; i++)
        text[i] = digits[n - 1 - i];
    text[n] = '\0';
}

bool bench_wide_read(const char *text, bench_wide *value)
{
    const bool is_negative = *text == '-';

    *value = 0;
    text += is_negative;
    if (*text == '\0')
        return false;
    for (; *text; text++) {
        const int digit = *text - '0';

        if (digit < 0 || digit > 9 || __builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, is_negative ? -digit : digit, value))
            return false;
    }
    return true;
}

/* ---- the members of a struct ---- */

/* Doubles >= 0 are in the order of their bits, by which the greatest stays exact. */
static bool is_kept_by_bits(const struct bench_member *member)
{
    return !member->is_real || is_greatest(member->name);
}

/* A double and a uint64_t have the same size. */
static int n_elements(const struct bench_member *member)
{
    return (int)(member->size / sizeof(uint64_t));
}

void bench_sums_pack(struct bench_sums *sums, const struct bench_member *members,
                     const void *from)
{
    for (const struct bench_member *m = members; m->name; m++)
        for (int i = 0, n = n_elements(m); i < n; i++) {
            const char *const at =
                (const char *)from + m->offset + sizeof(uint64_t) * (size_t)i;
            uint64_t whole;
            double real;

            memcpy(&whole, at, sizeof whole);
            memcpy(&real, at, sizeof real);
            bench_sums_add(sums, m->name, n > 1 ? i : -1,
                           is_kept_by_bits(m) ? (bench_wide)whole : bench_wide_fixed(real));
        }
}

void bench_sums_unpack(const struct bench_sums *sums, const struct bench_member *members,
                       void *to)
{
    for (const struct bench_member *m = members; m->name; m++)
        for (int i = 0, n = n_elements(m); i < n; i++) {
            char *const at = (char *)to + m->offset + sizeof(uint64_t) * (size_t)i;
            const bench_wide value = bench_sums_get(sums, m->name, n > 1 ? i : -1);
            const uint64_t whole = (uint64_t)value;
            const double real = bench_wide_real(value);

            memcpy(at, is_kept_by_bits(m) ? (const void *)&whole : &real, sizeof whole);
        }
}
