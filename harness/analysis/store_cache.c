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

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define MIN_BYTES 262144 /* less is read as fast from the files themselves */

/* ---- the key ---- */

static void add_text(struct store_key *key, const char *text)
{
    key->hash = XXH64(text, strlen(text) + 1, key->hash);
}

static bool add_file(struct store_key *key, const char *path)
{
    struct text bytes = {0};
    const bool is_read = access(path, F_OK) != 0 || text_read_file(path, &bytes) == BENCH_OK;

    bench_failure_clear();
    add_text(key, path);
    key->hash = XXH64(bytes.data ? bytes.data : "", bytes.size, key->hash + bytes.size);
    key->n_bytes += bytes.size;
    text_free(&bytes);
    return is_read;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t n_name = strlen(name), n_end = strlen(end);

    return n_name > n_end && !strcmp(name + n_name - n_end, end);
}

static int is_read_by_store(const struct dirent *entry)
{
    return !strcmp(entry->d_name, "WITHDRAWN") || ends_with(entry->d_name, ".csv") ||
           ends_with(entry->d_name, ".env.txt");
}

/* The files of a folder, which may not be there. */
static bool add_folder(struct store_key *key, const char *folder)
{
    struct dirent **entry = NULL;
    const int n = scandir(folder, &entry, is_read_by_store, alphasort);
    bool is_read = true;

    add_text(key, folder);
    for (int i = 0; i < n; i++) {
        struct text path = {0};

        text_format(&path, "%s/%s", folder, entry[i]->d_name);
        is_read = is_read && !path.failed && add_file(key, path.data);
        text_free(&path);
        free(entry[i]);
    }
    free(entry);
    return is_read;
}

static bool add_results(struct store_key *key, const char *folder)
{
    char *place = realpath(folder, NULL);
    struct text ncu = {0};
    bool is_read;

    add_text(key, place ? place : "");
    free(place);
    text_format(&ncu, "%s/ncu", folder);
    is_read = add_folder(key, folder) && !ncu.failed && add_folder(key, ncu.data);
    text_free(&ncu);
    return is_read;
}

bool store_key(const struct store_files *files, struct store_key *key)
{
    *key = (struct store_key){0};
    add_text(key, bench_build()->hash);
    for (int i = 0; i < files->n_folders; i++)
        if ((!files->may_be_missing && access(files->folder[i], F_OK) != 0) ||
            !add_results(key, files->folder[i]))
            return false;
    return (!files->printed || add_folder(key, files->printed)) &&
           (!files->expected || add_file(key, files->expected)) && *bench_build()->hash &&
           key->n_bytes >= MIN_BYTES;
}

/* ---- the file ---- */

/* $DEPTHBENCH_CACHE, where nothing means none; build/cache beside experiments/; or among those of the user. */
static bool cache_folder(struct text *folder)
{
    const char *const wish = getenv("DEPTHBENCH_CACHE"), *const xdg = getenv("XDG_CACHE_HOME"),
                      *const home = getenv("HOME");
    struct stat info;

    if (wish) {
        text_format(folder, "%s%s", *wish == '/' ? "" : "./",
                    wish); /* "file:x" is no path for SQLite */
        return *wish && !folder->failed;
    }
    text_format(folder, "%s/build", bench_home());
    if (!folder->failed && stat(folder->data, &info) == 0 && S_ISDIR(info.st_mode)) {
        text_add(folder, "/cache");
        return !folder->failed;
    }
    folder->size = 0;
    if (xdg && *xdg == '/')
        text_format(folder, "%s/depthbench", xdg);
    else if (home && *home == '/')
        text_format(folder, "%s/.cache/depthbench", home);
    return folder->size > 0 && !folder->failed;
}

/* One file for the same folders, whatever is in them: older ones do not pile up.  false: there is to be none. */
static bool cache_path(const struct store_files *files, struct text *path)
{
    struct store_key name = {0};

    if (!cache_folder(path))
        return false;
    for (int i = 0; i < files->n_folders; i++) {
        char *place = realpath(files->folder[i], NULL);

        add_text(&name, place ? place : files->folder[i]);
        free(place);
    }
    add_text(&name, files->printed ? files->printed : "");
    text_format(path, "/%016llx.sqlite", name.hash);
    return !path->failed;
}

/* The hash of the first bytes of a file, which has at least so many; false: it cannot be read. */
static bool hash_file(int fd, size_t n_bytes, unsigned long long key, unsigned long long *hash)
{
    void *bytes = mmap(NULL, n_bytes, PROT_READ, MAP_PRIVATE, fd, 0);

    if (bytes == MAP_FAILED)
        return false;
    *hash = XXH64(bytes, n_bytes, key);
    return munmap(bytes, n_bytes) == 0;
}

static bool is_whole(int fd, const struct stat *info, unsigned long long key)
{
    const size_t n_bytes = (size_t)info->st_size - sizeof key;
    unsigned long long hash, seal;

    return info->st_size > (off_t)sizeof key && hash_file(fd, n_bytes, key, &hash) &&
           pread(fd, &seal, sizeof seal, (off_t)n_bytes) == sizeof seal && seal == hash;
}

static enum bench_status open_kept(const char *path, struct store *store)
{
    sqlite3_stmt *count;
    enum bench_status status;
    bool row;

    if (sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        return store_failed(store, path);
    TRY(functions_add(store->db));
    /* in one transaction, which asks once whether the file has changed */
    TRY(store_run(store, "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; BEGIN"));
    TRY(store_prepare(store, "SELECT max(id) FROM measurement", &count));
    status = store_row(store, count, &row);
    store->n_measurements = row ? sqlite3_column_int64(count, 0) : 0;
    sqlite3_finalize(count);
    return status;
}

bool store_open_kept(const struct store_files *files, const struct store_key *key,
                     struct store **store)
{
    struct text path = {0};
    struct stat info, again;
    int fd = -1;
    bool is_open = false;

    *store = calloc(1, sizeof **store);
    if (*store && cache_path(files, &path))
        fd = open(path.data, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &info) == 0 && is_whole(fd, &info, key->hash))
        /* another may have taken its place: while it is open, no other has its number */
        is_open = open_kept(path.data, *store) == BENCH_OK && stat(path.data, &again) == 0 &&
                  again.st_ino == info.st_ino && again.st_dev == info.st_dev;
    if (fd >= 0)
        close(fd);
    if (!is_open) {
        store_close(*store);
        *store = NULL;
        bench_failure_clear();
    }
    text_free(&path);
    return is_open;
}

static bool seal_file(const char *path, unsigned long long key)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    struct stat info;
    unsigned long long seal;
    const bool is_sealed = fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0 &&
                           hash_file(fd, (size_t)info.st_size, key, &seal) &&
                           pwrite(fd, &seal, sizeof seal, info.st_size) == sizeof seal;

    return fd >= 0 && close(fd) == 0 && is_sealed;
}

void store_keep(struct store *store, const struct store_files *files,
                const struct store_key *key)
{
    struct text path = {0}, name = {0}, folder = {0};

    if (cache_path(files, &path) && cache_folder(&folder)) {
        text_format(&name, "%s.%ld.new", path.data, (long)getpid());
        if (!name.failed && text_make_folder(folder.data) == BENCH_OK &&
            !(store_copy(store, name.data, name.data,
                         "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") == BENCH_OK &&
              seal_file(name.data, key->hash) && rename(name.data, path.data) == 0))
            unlink(name.data);
        bench_failure_clear();
    }
    text_free(&path);
    text_free(&name);
    text_free(&folder);
}
