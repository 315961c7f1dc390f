/*
 * store_cache.c - a store as a file: exported, or kept for the next call
 *
 * The key is a hash of the program and of all that the store is made of: names, sizes and bytes
 * of the files.  A kept file is an SQLite database with 8 bytes behind it: the hash of the
 * database, seeded by the key.  They are right only if the file is whole, was made by this very
 * program, and of files that are as they are now.  It appears whole, by a rename, and is never
 * written again, so that readers need no lock.
 */
#include "harness/analysis/store.h"

#include "harness/base/build.h"
#include "harness/base/listing.h"
#include "harness/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define MIN_BYTES 262144 /* less is read as fast from the files themselves */

typedef unsigned long long hash;

/* ---- the key ---- */

static hash with_text(hash before, const char *text)
{
    return XXH64(text, strlen(text) + 1, before);
}

/* One that cannot be read is its name alone: a store without it is not kept. */
static void add_file(const char *path, hash *key, size_t *n_bytes)
{
    OWNED(text_free) struct text bytes = {0};

    (void)text_read_file(path, &bytes);
    *key = XXH64(bytes.data ? bytes.data : "", bytes.size, with_text(*key, path) + bytes.size);
    *n_bytes += bytes.size;
}

static void add_folder(const char *folder, hash *key, size_t *n_bytes)
{
    OWNED(listing_free) struct listing files = {0};

    (void)listing_read(folder, "", &files);
    *key = with_text(*key, folder);
    for (int i = 0; i < files.n; i++)
        if (sqlite3_strglob("*.gz", files.path[i]) != 0) /* samples are not in the store */
            add_file(files.path[i], key, n_bytes);
}

/* 0: there is so little that no file is worth it. */
static hash key_of(const struct store_files *files)
{
    hash key = with_text(files->may_be_missing, bench_build()->hash);
    char place[PATH_MAX], ncu[PATH_MAX];
    size_t n_bytes = 0;

    for (int i = 0; i < files->n_folders; i++) {
        key = with_text(key, realpath(files->folder[i], place) ? place : "");
        snprintf(ncu, sizeof ncu, "%s/ncu", files->folder[i]);
        add_folder(files->folder[i], &key, &n_bytes);
        add_folder(ncu, &key, &n_bytes);
    }
    if (files->printed)
        add_folder(files->printed, &key, &n_bytes);
    if (files->expected)
        add_file(files->expected, &key, &n_bytes);
    bench_failure_clear();
    return *bench_build()->hash && n_bytes >= MIN_BYTES ? key : 0;
}

/* ---- the file ---- */

/* One for each set of names, whatever is in these files: older ones do not pile up.  false:
 * none. */
static bool find_path(const struct store_files *files, struct text *path)
{
    const char *const wish = getenv("DEPTHBENCH_CACHE");
    hash name = with_text(files->may_be_missing, files->printed ? files->printed : "");

    name = with_text(name, files->expected ? files->expected : "");
    for (int i = 0; i < files->n_folders; i++)
        name = with_text(name, files->folder[i]);
    text_format(path, "%s%s/%016llx.sqlite", wish ? wish : bench_home(),
                wish ? "" : "/build/cache", name);
    return !path->failed && (!wish || *wish);
}

/* Finds the hash of the first bytes of a file; false: they cannot be read. */
static bool find_seal(int fd, off_t n_bytes, hash key, hash *seal)
{
    void *const bytes =
        n_bytes > 0 ? mmap(NULL, (size_t)n_bytes, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;

    if (bytes == MAP_FAILED)
        return false;
    *seal = XXH64(bytes, (size_t)n_bytes, key);
    return munmap(bytes, (size_t)n_bytes) == 0;
}

static struct store *open_sealed(const char *path, int fd, hash key)
{
    struct store *store = NULL;
    struct stat info, again;
    hash seal, found;

    if (fstat(fd, &info) == 0 && find_seal(fd, info.st_size - (off_t)sizeof seal, key, &seal) &&
        pread(fd, &found, sizeof found, info.st_size - (off_t)sizeof seal) == sizeof found &&
        found == seal &&
        /* another may have taken its place: while it is open, no other has its number */
        (store_open_file(path, &store) != BENCH_OK || stat(path, &again) != 0 ||
         again.st_ino != info.st_ino || again.st_dev != info.st_dev))
        store_close(&store);
    return store;
}

struct store *store_find(const struct store_files *files, unsigned long long *key)
{
    OWNED(text_free) struct text path = {0};
    struct store *store = NULL;
    int fd;

    *key = find_path(files, &path) ? key_of(files) : 0;
    if (*key && (fd = open(path.data, O_RDONLY | O_CLOEXEC)) >= 0) {
        store = open_sealed(path.data, fd, *key);
        close(fd);
        bench_failure_clear();
    }
    return store;
}

static bool put_seal(const char *path, hash key)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    struct stat info;
    hash seal;
    const bool is_sealed = fd >= 0 && fstat(fd, &info) == 0 &&
                           find_seal(fd, info.st_size, key, &seal) &&
                           pwrite(fd, &seal, sizeof seal, info.st_size) == sizeof seal;

    return fd >= 0 && close(fd) == 0 && is_sealed;
}

static enum bench_status copy(struct store *store, const char *path, const char *target)
{
    sqlite3 *file = NULL;
    sqlite3_backup *backup = NULL;
    enum bench_status status = BENCH_OK;

    if (sqlite3_open(path, &file) == SQLITE_OK &&
        sqlite3_exec(file, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL,
                     NULL) == SQLITE_OK)
        backup = sqlite3_backup_init(file, "main", store_database(store), "main");
    if (backup)
        sqlite3_backup_step(backup, -1);
    if (!backup || sqlite3_backup_finish(backup) != SQLITE_OK)
        status =
            BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", target, sqlite3_errmsg(file));
    sqlite3_close(file);
    return status;
}

/* Whole or not at all; with a seal where there is a key. */
static enum bench_status write_file(struct store *store, const char *path, hash key)
{
    OWNED(text_free) struct text name = {0};
    enum bench_status status;

    text_format(&name, "%s%s.%ld.new", *path == '/' ? "" : "./", path, /* SQLite's "file:x" */
                (long)getpid());
    TRY(text_ok(&name));
    status = copy(store, name.data, path);
    if (!status && !((!key || put_seal(name.data, key)) && rename(name.data, path) == 0))
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path, strerror(errno));
    if (status)
        unlink(name.data);
    return status;
}

void store_keep(struct store *store, const struct store_files *files, unsigned long long key)
{
    OWNED(text_free) struct text path = {0};

    if (key != 0 && find_path(files, &path) && key_of(files) == key) {
        char *const slash = strrchr(path.data, '/');

        *slash = '\0';
        mkdir(path.data, 0777); /* where there is none */
        *slash = '/';
        (void)write_file(store, path.data, key);
        bench_failure_clear();
    }
}

enum bench_status store_export(struct store *store, const char *path)
{
    bool in_place;
    OWNED(memory_free) char *target = text_target(path, &in_place);

    NEED(target, "a name");
    REFUSE_IF(in_place, "%s: expected the name of a file", path);
    return write_file(store, target, 0);
}
