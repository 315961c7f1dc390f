/* status.c - the one sentence that says why something could not be done, of each thread */
#include "harness/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char sentence[1024];
static _Thread_local char place[256];

/* The length in bytes of the printable character at 'at'; 0 if there is none. */
static size_t n_bytes_of(const unsigned char *at, size_t n_left)
{
    const size_t n = at[0] < 0x80   ? 1
                     : at[0] < 0xc2 ? 0
                     : at[0] < 0xe0 ? 2
                     : at[0] < 0xf0 ? 3
                                    : 4;

    if (n == 0 || n > n_left || at[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if (n == 1)
        return at[0] >= ' ' && at[0] != 0x7f;
    return at[0] == 0xc2 && at[1] < 0xa0 ? 0 : n; /* the control characters above ASCII */
}

void text_clean(char *bytes, size_t n_bytes, const char *kept)
{
    for (size_t i = 0; i < n_bytes;) {
        const size_t n = n_bytes_of((unsigned char *)bytes + i, n_bytes - i);

        if (n == 0 && (bytes[i] == '\0' || !strchr(kept, bytes[i])))
            bytes[i] = '?';
        i += n > 0 ? n : 1;
    }
}

enum bench_status bench_fail(enum bench_status status, const char *file, int line,
                             const char *format, ...)
{
    char text[sizeof sentence]; /* the sentence before may be a part of it */
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_clean(text, strlen(text), "");
    memcpy(sentence, text, strlen(text) + 1);
    snprintf(place, sizeof place, "%s:%d", file, line);
    return status;
}

const char *bench_failure(void)
{
    return sentence;
}

const char *bench_failure_place(void)
{
    return place;
}

void bench_failure_clear(void)
{
    sentence[0] = '\0';
    place[0] = '\0';
}
