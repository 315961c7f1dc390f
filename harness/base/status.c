/* status.c - the one sentence that says why something could not be done, of each thread */
#include "harness/base/status.h"

#include "harness/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char sentence[1024];
static _Thread_local char place[256];

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
