/*
 * store_cache.c - a store that an earlier call made, kept as a file
 *
 * The key is a hash of the program and of all that the store is made of: names, sizes and bytes of the files.  The file is an
 * SQLite database with 8 bytes behind it: the hash of the database, seeded by the key.  They are right only if the file is
 * whole, was made by this very program, and of files that are as they are now.  It appears whole, by a rename, and is never
 * written again, so that readers need no lock.
 */
#include "harness/analysis/store_private.h"

#include "harness/analysis/functions.h"
#include "harness/build.h"
#include "harness/listing.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define MIN_BYTES 262144 /* less is read as fast from the files themselves */

/* ---- the key ---- */

static unsigned long long with_text(unsigned long long hash, const char *text)
{
    return XXH64(text, strlen(text) + 1, hash);
}

static bool add_file(struct store_key *key, const char *path)
{
    struct text bytes;

    if (text_read_file(path, &bytes) != BENCH_OK)
        return false;
    key->hash = with_text(key->hash, path);
    key->hash = XXH64(bytes.data, bytes.size, key->hash + bytes.size);
    key->n_bytes += bytes.size;
    text_free(&bytes);
    return true;
}

static bool is_of_results(const char *path)
{
    const char *const name = listing_name(path);

    return !strcmp(name, "WITHDRAWN") || !sqlite3_strglob("*.csv", name) ||
           !sqlite3_strglob("*.env.txt", name);
}

/* The files of a folder, which may not be there. */
static bool add_folder(struct store_key *key, const char *folder)
{
    struct listing files;
    bool is_read = listing_read(folder, "", &files) == BENCH_OK;

    key->hash = with_text(key->hash, folder);
    for (int i = 0; i < files.n && is_read; i++)
        is_read = !is_of_results(files.path[i]) || add_file(key, files.path[i]);
    listing_free(&files);
    return is_read;
}

static bool add_results(struct store_key *key, const char *folder)
{
    char place[PATH_MAX], ncu[PATH_MAX];

    key->name = with_text(key->name, folder);
    key->hash = with_text(key->hash, realpath(folder, place) ? place : "");
    snprintf(ncu, sizeof ncu, "%s/ncu", folder);
    return add_folder(key, folder) && add_folder(key, ncu);
}

bool store_key(const struct store_files *files, struct store_key *key)
{
    const char *const printed = files->printed ? files->printed : "";
    bool is_read = true;

    *key = (struct store_key){.hash = files->may_be_missing};
    key->name = with_text(0, printed);
    key->hash = with_text(key->hash, bench_build()->hash);
    for (int i = 0; i < files->n_folders && is_read; i++)
        is_read = add_results(key, files->folder[i]);
    is_read = is_read && (!*printed || add_folder(key, printed)) &&
              (!files->expected || add_file(key, files->expected));
    bench_failure_clear();
    return is_read && *bench_build()->hash && key->n_bytes >= MIN_BYTES;
}

/* ---- the file ---- */

/* One for the same folders, whatever is in them: older ones do not pile up. */
static enum bench_status cache_path(const struct store_key *key, struct text *path)
{
    const char *const wish = getenv("DEPTHBENCH_CACHE");

    if (wish && !*wish)
        return BENCH_ESKIP;
    text_format(path, "%s%s/%016llx.sqlite", wish ? wish : bench_home(),
                wish ? "" : "/build/cache", key->name);
    return text_ok(path);
}

/* The hash of the first bytes of a file, which has at least so many; false: it cannot be read. */
static bool hash_file(int fd, size_t n_bytes, const struct store_key *key,
                      unsigned long long *hash)
{
    void *bytes = mmap(NULL, n_bytes, PROT_READ, MAP_PRIVATE, fd, 0);

    if (bytes == MAP_FAILED)
        return false;
    *hash = XXH64(bytes, n_bytes, key->hash);
    return munmap(bytes, n_bytes) == 0;
}

static bool is_whole(int fd, const struct stat *info, const struct store_key *key)
{
    unsigned long long hash, seal;
    const size_t n_bytes = (size_t)info->st_size - sizeof seal;

    return info->st_size > (off_t)sizeof seal && hash_file(fd, n_bytes, key, &hash) &&
           pread(fd, &seal, sizeof seal, (off_t)n_bytes) == sizeof seal && seal == hash;
}

/* In one transaction, which asks once whether the file has changed. */
static bool open_database(const char *path, struct store *store)
{
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;

    return sqlite3_open_v2(path, &store->db, flags, NULL) == SQLITE_OK &&
           functions_add(store->db) == BENCH_OK &&
           store_run(store, "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; BEGIN; "
                            "SELECT 1 FROM measurement LIMIT 1") == BENCH_OK;
}

bool store_open_kept(const struct store_key *key, struct store **store)
{
    struct text path = {0};
    struct stat info, again;
    const int fd = cache_path(key, &path) ? -1 : open(path.data, O_RDONLY | O_CLOEXEC);
    bool is_open = false;

    *store = calloc(1, sizeof **store);
    if (*store && fd >= 0 && fstat(fd, &info) == 0 && is_whole(fd, &info, key))
        /* another may have taken its place: while it is open, no other has its number */
        is_open = open_database(path.data, *store) && stat(path.data, &again) == 0 &&
                  again.st_ino == info.st_ino && again.st_dev == info.st_dev;
    if (fd >= 0)
        close(fd);
    if (!is_open) {
        store_close(*store);
        *store = NULL;
    }
    bench_failure_clear();
    text_free(&path);
    return is_open;
}

bool store_seal(const char *path, const struct store_key *key)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    struct stat info;
    unsigned long long seal;
    const bool is_sealed = fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0 &&
                           hash_file(fd, (size_t)info.st_size, key, &seal) &&
                           pwrite(fd, &seal, sizeof seal, info.st_size) == sizeof seal;

    return fd >= 0 && close(fd) == 0 && is_sealed;
}

void store_keep(struct store *store, const struct store_key *key)
{
    struct text path = {0};

    if (cache_path(key, &path) == BENCH_OK) {
        *strrchr(path.data, '/') = '\0';
        mkdir(path.data, 0777); /* where there is none */
        path.data[strlen(path.data)] = '/';
        store_write(store, path.data, key);
    }
    bench_failure_clear();
    text_free(&path);
}
