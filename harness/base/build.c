/* build.c - which build this is */
#include "harness/base/build.h"

#include "buildinfo.h"
#include "harness/library/depthbench.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* The commit's name has a section of its own, which the hash below leaves out. */
#define INFO __attribute__((section("bench_info"), used))
static const char commit_text[48] INFO = BUILD_COMMIT;
static const char date_text[40] INFO = BUILD_COMMIT_DATE;
static const int dirty_flag INFO = BUILD_DIRTY;

/* Add the named sections of a mapped ELF file to the hash; 0 when it is none. */
static int hash_sections(const unsigned char *file, size_t size, XXH64_hash_t *hash)
{
    static const char *const wanted[] = {".text", ".rodata", ".nv_fatbin"};
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)file;
    const Elf64_Shdr *section;
    const char *names;
    int found = 0;

    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_shoff + (size_t)head->e_shnum * sizeof *section > size ||
        head->e_shstrndx >= head->e_shnum)
        return 0;
    section = (const Elf64_Shdr *)(const void *)(file + head->e_shoff);
    names = (const char *)file + section[head->e_shstrndx].sh_offset;
    for (int i = 0; i < head->e_shnum; i++)
        for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
            if (!strcmp(names + section[i].sh_name, wanted[w]) &&
                section[i].sh_offset + section[i].sh_size <= size) {
                *hash = XXH64(file + section[i].sh_offset, section[i].sh_size, *hash);
                found = 1;
            }
    return found;
}

static void hash_executable(char text[17])
{
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat info;
    void *file = MAP_FAILED;
    XXH64_hash_t hash = 0;

    text[0] = '\0';
    if (fd < 0)
        return;
    if (!fstat(fd, &info) && info.st_size > 0)
        file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return;
    if (hash_sections(file, (size_t)info.st_size, &hash))
        snprintf(text, 17, "%016llx", (unsigned long long)hash);
    munmap(file, (size_t)info.st_size);
}

const struct bench_build *bench_build(void)
{
    static struct bench_build build = {.version = DEPTHBENCH_VERSION,
                                       .commit = commit_text,
                                       .commit_date = date_text,
                                       .compiler = BUILD_COMPILER,
                                       .cuda = BUILD_CUDA,
                                       .flags = BUILD_FLAGS,
                                       .mode = BUILD_MODE};
    static bool is_complete;

    if (!is_complete) {
        /* read from there: no constant of the code */
        const int dirty = *(const volatile int *)&dirty_flag;

        build.dirty = dirty < 0 ? "unknown" : dirty > 0 ? "1" : "0";
        build.is_clean = dirty == 0;
        hash_executable(build.hash);
        is_complete = true;
    }
    return &build;
}

static bool has_experiments(const char *path)
{
    char probe[4200];
    struct stat info;

    snprintf(probe, sizeof probe, "%s/experiments", path);
    return !stat(probe, &info) && S_ISDIR(info.st_mode);
}

/* Cut 'path' up to the nearest parent that holds experiments/; false: none does. */
static bool climb(char *path)
{
    while (*path && !has_experiments(path)) {
        char *const slash = strrchr(path, '/');

        if (!slash)
            return false;
        *slash = '\0';
    }
    return *path;
}

/* PREFIX/bin/depthbench -> PREFIX/share/depthbench; false: no experiments/ there. */
static bool go_to_share(char *path, size_t size)
{
    for (int i = 0; i < 2; i++) {
        char *const slash = strrchr(path, '/');

        if (!slash)
            return false;
        *slash = '\0';
    }
    strncat(path, "/share/depthbench", size - strlen(path) - 1);
    return has_experiments(path);
}

static bool find_executable(char *path, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);

    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static char home_path[4096];
static bool home_is_shared; /* of an installed program: nothing is written there */

const char *bench_home(void)
{
    char *const home = home_path;
    const size_t size = sizeof home_path;
    const char *wish = getenv("DEPTHBENCH_HOME");

    if (home[0])
        return home;
    if (wish && *wish) {
        snprintf(home, size, "%s", wish);
        return home;
    }
    home_is_shared = find_executable(home, size) && go_to_share(home, size);
    if (home_is_shared || (getcwd(home, size) && climb(home)) ||
        (find_executable(home, size) && climb(home)))
        return home;
    snprintf(home, size, ".");
    return home;
}

bool bench_is_installed(void)
{
    bench_home();
    return home_is_shared;
}

const char *bench_results(void)
{
    static char results[sizeof home_path + 8] = "results";

    if (!bench_is_installed())
        snprintf(results, sizeof results, "%s/results", bench_home());
    return results;
}

const char *bench_scripts(void)
{
    static char scripts[sizeof home_path + 8] = "scripts";

    if (bench_is_installed())
        snprintf(scripts, sizeof scripts, "%s/scripts", bench_home());
    return scripts;
}
