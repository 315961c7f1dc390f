/* drive.h - what the tests of every problem's variants need: the hooks in the harness's order, the words of a key */
#ifndef TESTS_DRIVE_H
#define TESTS_DRIVE_H

#include "harness/device.h"
#include "harness/impl.h"

/* One run of a variant that was set up, its device's output poisoned before; the host's is the caller's to poison. */
static inline enum bench_status drive_once(const struct bench_impl *impl, void *state,
                                           struct bench_device *device)
{
    if (impl->upload)
        TRY(impl->upload(state));
    if (impl->poison)
        TRY(impl->poison(state));
    TRY(impl->run(state));
    if (impl->download)
        TRY(impl->download(state));
    return impl->target == BENCH_CUDA ? bench_device_sync(device) : BENCH_OK;
}

/* The k-th word of "a|b|c", k modulo their number, which is returned. */
static inline int choice(const char *choices, int k, char *word, size_t size)
{
    int n = 1;
    size_t at = 0;

    for (const char *c = choices; *c; c++)
        n += *c == '|';
    k %= n;
    for (const char *c = choices; *c; c++) {
        if (*c == '|')
            k--;
        else if (k == 0 && at + 1 < size)
            word[at++] = *c;
    }
    word[at] = '\0';
    return n;
}

#endif
