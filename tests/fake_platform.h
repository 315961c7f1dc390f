/* fake_platform.h - made-up machines below a folder of the test's own */
#ifndef TESTS_FAKE_PLATFORM_H
#define TESTS_FAKE_PLATFORM_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[512]; /* of the fake machine that the test builds */

static inline void make_folders(const char *path)
{
    char part[1024];

    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            fail_msg("%s: %s", part, strerror(errno));
    }
}

static inline void new_machine(const char *name)
{
    const char *tmp = getenv("TEST_TMP");

    snprintf(root, sizeof root, "%s/board-%d/%s", tmp ? tmp : "build/test-tmp", (int)getpid(),
             name);
    make_folders(root);
    if (mkdir(root, 0777) != 0 && errno != EEXIST)
        fail_msg("%s: %s", root, strerror(errno));
}

static inline void put_bytes(const char *path, const void *bytes, size_t n)
{
    char full[1024];
    FILE *file;

    snprintf(full, sizeof full, "%s%s", root, path);
    make_folders(full);
    file = fopen(full, "w");
    if (!file)
        fail_msg("%s: %s", full, strerror(errno));
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static inline void put(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

/* "PATH TEXT; PATH TEXT"; '^' is a NUL. */
static inline void put_files(const char *files)
{
    char *const copy = strdup(files), *rest = copy;

    while (*rest) {
        char *const path = rest, *const text = strchr(path, ' ') + 1,
                    *end = strstr(text, "; /");
        size_t size;

        end = end ? end : text + strlen(text);
        rest = *end ? end + 2 : end;
        text[-1] = *end = '\0';
        size = strlen(text);
        for (char *nul; (nul = strchr(text, '^')) != NULL;)
            *nul = '\0';
        put_bytes(path, text, size);
    }
    free(copy);
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
    static char text[8192];
    char full[1024];
    size_t n = 0;
    FILE *file;

    snprintf(full, sizeof full, "%s%s", root, path);
    file = fopen(full, "r");
    if (file) {
        n = fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    text[n] = '\0';
    return text;
}

/* A clock at which several threads may look, which goes on by 10 ms at each look: nobody waits. */
static inline double ticking_now_s(void *self)
{
    static int ticks;

    (void)self;
    return 0.01 * __atomic_add_fetch(&ticks, 1, __ATOMIC_SEQ_CST);
}

static inline void no_wait_s(void *self, double s)
{
    (void)self;
    (void)s;
}

#endif
