/* support.h - an empty folder for a test program, and a locale with a decimal comma */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <ftw.h>
#include <locale.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* The folder below which tests may write. */
static inline const char *support_place(void)
{
    const char *place = getenv("TEST_TMP");

    return place && place[0] ? place : "build/test-tmp";
}

static inline int support_remove_entry(const char *path, const struct stat *info, int type,
                                       struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

/* Remove a folder with all that is in it; fine when it is not there. */
static inline void support_remove(const char *path)
{
    nftw(path, support_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* No file may become longer than 'most', until this is called with RLIM_INFINITY. */
static inline void support_room(rlim_t most)
{
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_FSIZE, &limit))
        abort();
    limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
    if (setrlimit(RLIMIT_FSIZE, &limit))
        abort();
}

/* Skips statistics that are the same on any processor where programs run many times slower. */
#define SKIP_IF_SLOW()            \
    do {                          \
        if (getenv("TEST_SMALL")) \
            skip();               \
    } while (0)

/* Set a locale with a decimal comma, of the system or made.  0: there is none, it says. */
static inline int support_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "es_ES.UTF-8",
                                        "fr_FR.UTF-8"};
    char command[600];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]))
            return 1;
    snprintf(
        command, sizeof command,
        "mkdir -p '%s' && cd '%s' && { [ -d %s ] || localedef -c -f UTF-8 -i de_DE ./%s; } "
        ">/dev/null 2>&1",
        support_place(), support_place(), names[0], names[0]);
    setenv("LOCPATH", support_place(), 1);
    if (system(command) != -1 && setlocale(LC_ALL, names[0]))
        return 1;
    unsetenv("LOCPATH");
    printf("no locale with a decimal comma on this machine: '.' is not put to the test\n");
    return 0;
}

#endif
