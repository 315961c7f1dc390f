/* fake_platform.h - made-up machines below a folder of the test's own */
#ifndef TESTS_FAKE_PLATFORM_H
#define TESTS_FAKE_PLATFORM_H

#include "tests/files.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char root[512]; /* of the fake machine that the test builds */

static inline void new_machine(void)
{
    static int n;

    /* a pattern's special letters may be in a name */
    snprintf(root, sizeof root, "%s/board-%d/[m]*-%d", support_place(), (int)getpid(), n++);
    assert_int_equal(text_make_folder(root), BENCH_OK);
}

static inline void put_bytes(const char *path, const void *bytes, size_t n)
{
    char full[1024], above[1024];

    snprintf(full, sizeof full, "%s%s", root, path);
    snprintf(above, sizeof above, "%.*s", (int)(strrchr(full, '/') - full), full);
    assert_int_equal(text_make_folder(above), BENCH_OK);
    write_bytes(full, bytes, n);
}

static inline void put(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

static inline void put_number(const char *path, double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.0f\n", value);
    put(path, text);
}

#define IIO "/sys/bus/i2c/drivers/ina3221x/"

/* The six rails of a Xavier as JetPack 4 has them. */
static inline void put_rails(int mw)
{
    static const char *const names[] = {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"};
    char path[256];

    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, IIO "1-004%d/iio:device%d/rail_name_%d", i / 3, i / 3,
                 i % 3);
        put(path, names[i]);
        snprintf(path, sizeof path, IIO "1-004%d/iio:device%d/in_power%d_input", i / 3, i / 3,
                 i % 3);
        put_number(path, mw);
    }
}

/* A program of this machine, for /bin/sh; $root in it is the machine's folder. */
static inline void put_program(const char *path, const char *script)
{
    char text[8192], full[1024], *real = realpath(root, NULL);

    assert_non_null(real);
    snprintf(text, sizeof text, "#!/bin/sh\nroot='%s'\n%s", real, script);
    free(real);
    put(path, text);
    snprintf(full, sizeof full, "%s%s", root, path);
    assert_int_equal(chmod(full, 0755), 0);
}

/* The text of one of this machine's files; "" when it is not there. */
static inline const char *take(const char *path)
{
    static struct text text;
    char full[1024];

    snprintf(full, sizeof full, "%s%s", root, path);
    text_free(&text);
    (void)text_read_file(full, &text);
    return text.data ? text.data : "";
}

/* A clock for several threads, which goes on by 10 ms at each look: nobody waits. */
static inline double ticking_now_s(void *self)
{
    static int ticks;

    return 0.01 * __atomic_add_fetch(&ticks, 1, __ATOMIC_SEQ_CST);
}

static inline void no_wait_s(void *self, double s)
{
}

#endif
