/* share.c - several processes share the work of one start, and lose nothing when one dies */
#include "harness/suite/share.h"

#include "harness/base/listing.h"
#include "harness/base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Units whose hashes agree so far exclude each other for a while, no more. */
#define N_UNITS ((uint64_t)1 << 40)
/* No unit has this byte of their file.  All ranks share its lock, but for one that clears. */
#define HERE    ((int64_t)N_UNITS)
#define N_TRIES 100 /* a rank that leaves may clear what one that comes has just made */

struct bench_share {
    struct share_place place; /* its texts are owned */
    char *folder, *units_path, *own_path;
    int units, own; /* descriptors; -1 */
    int64_t unit;   /* that it has; -1 */
    char *began;    /* the file that says so */
    bool is_part;   /* of a group of several */
    bool is_late;   /* another number of ranks was there when it came */
    bool may_help, may_have_gpu;
    bool no_locks; /* the file system has none, or they exclude nobody */
};

static struct flock lock_of(int64_t at, short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
}

/* *fd is -1 where its folder has just been cleared. */
static enum bench_status open_file(const char *path, int *fd)
{
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    return *fd < 0 && errno != ENOENT
               ? BENCH_FAIL(BENCH_EIO, "%s: cannot be opened: %s", path, strerror(errno))
               : BENCH_OK;
}

static bool is_there(int fd)
{
    struct stat info;

    return fd >= 0 && fstat(fd, &info) == 0 && info.st_nlink > 0;
}

/* The bytes of a rank's file: whether it has a GPU, and, behind its end, that it has left. */
enum said { GPU, LEFT, N_SAID };
#define YES "1"
#define NO  "0"

/* Whether a rank lives, by its file, and what it has said; 0: nothing. */
static bool is_alive(const char *path, char said[N_SAID])
{
    struct flock lock = lock_of(0, F_WRLCK);
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    const bool is = fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

    memset(said, 0, N_SAID);
    if (fd >= 0) {
        (void)!pread(fd, said, N_SAID, 0);
        close(fd);
    }
    return is;
}

/* "<host>.<rank>.<size>": where the host ends. NULL: no file of a rank. */
static const char *end_of_host(const char *name, int *rank, int *size)
{
    int n = 0;

    for (const char *at = name; (at = strchr(at, '.')) != NULL; at++)
        if (sscanf(at, ".%d.%d%n", rank, size, &n) == 2 && !at[n])
            return at;
    return NULL;
}

/* Look at the files of other ranks.  A lock of this host proves nothing about others.  Only one
 * that has just come may be late: those that were there before it keep their units. */
static void look_around(struct bench_share *share, bool has_just_come)
{
    struct listing names;
    int n_here = 0,      /* ranks of its number that live, or left by themselves: */
        n_elsewhere = 0, /* those that died may be of another start; of another host: all */
        n_without = 0;   /* ranks of its number without a GPU */
    bool has_gpu = false;

    if (listing_read(share->folder, "", &names) != BENCH_OK) {
        bench_failure_clear();
        return;
    }
    for (int i = 0; i < names.n; i++) {
        const char *const name = listing_name(names.path[i]);
        int rank, size;
        const char *const end = end_of_host(name, &rank, &size);
        char said[N_SAID];
        bool is_here, lives;

        if (!end)
            continue;
        is_here = !strncmp(name, share->place.host, (size_t)(end - name)) &&
                  !share->place.host[end - name];
        lives = is_alive(names.path[i], said);
        share->may_help |= !share->no_locks && !is_here && lives;
        n_here += is_here && size == share->place.size && (lives || said[LEFT]);
        n_elsewhere += !is_here;
        n_without += size == share->place.size && said[GPU] == *NO;
        has_gpu |= said[GPU] == *YES;
        /* whether one of another host is dead, no lock says */
        share->is_late |= has_just_come && size != share->place.size &&
                          (!is_here || lives || share->no_locks);
    }
    if (!share->no_locks && n_elsewhere == 0)
        share->may_help |= share->place.is_one_host || n_here == share->place.size;
    share->may_help |=
        share->place.size == 1; /* who starts it says that it does what is left */
    share->may_have_gpu = share->place.size > 1 && (has_gpu || n_without < share->place.size);
    listing_free(&names);
}

static enum bench_status name_files(struct bench_share *share, const char *results)
{
    const struct share_place *const place = &share->place;

    if (asprintf(&share->folder, "%s/.share/%s", results, place->campaign) < 0)
        share->folder = NULL;
    if (!share->folder || asprintf(&share->units_path, "%s/units", share->folder) < 0)
        share->units_path = NULL;
    if (!share->folder || asprintf(&share->own_path, "%s/%s.%d.%d", share->folder, place->host,
                                   place->rank, place->size) < 0)
        share->own_path = NULL;
    return place->campaign && place->host && share->units_path && share->own_path
               ? BENCH_OK
               : BENCH_FAIL(BENCH_ENOMEM, "out of memory for the share of a rank");
}

static void close_files(struct bench_share *share)
{
    if (share->own >= 0)
        close(share->own);
    if (share->units >= 0)
        close(share->units);
    share->own = share->units = -1;
}

/* Open and lock both files.  *is_in is false where another rank has cleared them meanwhile. */
static enum bench_status enter(struct bench_share *share, bool *is_in)
{
    const struct share_place *const place = &share->place;
    struct flock own = lock_of(0, F_WRLCK), here = lock_of(HERE, F_RDLCK);
    char said[N_SAID];

    *is_in = false;
    TRY(text_make_folder(share->folder));
    TRY(open_file(share->own_path, &share->own));
    TRY(open_file(share->units_path, &share->units));
    if (share->own < 0 || share->units < 0)
        return BENCH_OK;
    if (fcntl(share->own, F_OFD_SETLK, &own) != 0) {
        if (errno == EAGAIN || errno == EACCES)
            return BENCH_FAIL(BENCH_EINPUT, "rank %d of %d of %s runs already on this host",
                              place->rank, place->size, place->campaign);
        share->no_locks = true; /* ENOLCK, ENOSYS, EINVAL ... by file system */
    }
    while (!share->no_locks && fcntl(share->units, F_OFD_SETLKW, &here) != 0)
        if (errno != EINTR)
            return BENCH_FAIL(BENCH_EIO, "%s: cannot be locked: %s", share->units_path,
                              strerror(errno));
    if (ftruncate(share->own, 0) == 0) /* it may have been here before */
        (void)text_write_all(share->own, place->has_gpu ? YES : NO, 1);
    *is_in = is_there(share->own) && is_there(share->units);
    share->no_locks |= *is_in && !is_alive(share->own_path, said);
    return BENCH_OK;
}

static enum bench_status open_files(struct bench_share *share, const char *results)
{
    enum bench_status status = BENCH_OK;
    bool is_in = false;

    TRY(name_files(share, results));
    for (int i = 0; i < N_TRIES && !is_in && status != BENCH_EINPUT; i++) {
        close_files(share);
        status = enter(share, &is_in); /* its folder may go while it is made, too */
    }
    return is_in || status
               ? status
               : BENCH_FAIL(BENCH_EIO, "%s: is removed again and again", share->folder);
}

enum bench_status share_open(const char *results, const struct share_place *place,
                             struct bench_share **share)
{
    struct bench_share *const opened = calloc(1, sizeof *opened);
    enum bench_status status;

    *share = NULL;
    if (!opened)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the share of a rank");
    opened->place = *place;
    opened->place.campaign = strdup(place->campaign);
    opened->place.host = strdup(place->host);
    opened->units = opened->own = -1;
    opened->unit = -1;
    status = open_files(opened, results);
    if (status) {
        close_files(opened); /* which may be another process's: it has not left */
        share_close(opened);
        return status;
    }
    look_around(opened, true);
    *share = opened;
    return BENCH_OK;
}

/* By the last rank to leave. */
static void clear_folder(struct bench_share *share)
{
    struct listing names;

    if (listing_read(share->folder, "", &names) != BENCH_OK) {
        bench_failure_clear();
        return;
    }
    for (int i = 0; i < names.n; i++)
        unlink(names.path[i]);
    listing_free(&names);
    rmdir(share->folder);
    *strrchr(share->folder, '/') = '\0';
    rmdir(share->folder);
}

/* Whether no other rank has the lock that all share.  Its own goes first, so that of two that
 * leave at once one is the last. */
static bool is_last(const struct bench_share *share)
{
    struct flock none = lock_of(HERE, F_UNLCK), alone = lock_of(HERE, F_WRLCK);

    return share->units >= 0 && share->may_help && !share->no_locks &&
           fcntl(share->units, F_OFD_SETLK, &none) == 0 &&
           fcntl(share->units, F_OFD_SETLK, &alone) == 0 && is_there(share->units);
}

void share_close(struct bench_share *share)
{
    if (!share)
        return;
    if (is_last(share))
        clear_folder(share);
    else if (share->is_late && share->own_path)
        unlink(share->own_path); /* else those of the first number would be late behind it */
    else if (share->own >= 0)
        (void)text_write_all(share->own, YES, 1); /* who dies does not say so */
    close_files(share);
    free((char *)share->place.campaign);
    free((char *)share->place.host);
    free(share->folder);
    free(share->units_path);
    free(share->own_path);
    free(share->began);
    free(share);
}

bool share_is_own(const struct bench_share *share, uint64_t unit)
{
    return !share->is_late && unit % (uint64_t)share->place.size == (uint64_t)share->place.rank;
}

bool share_may_help(struct bench_share *share)
{
    if (!share->may_help && !share->no_locks)
        look_around(share, false);
    return share->may_help;
}

bool share_may_have_gpu(struct bench_share *share)
{
    look_around(share, false);
    return share->may_have_gpu;
}

/* How many ranks have died with units of the group, of which one that is in work may yet end well;
 * 0 where a unit has come to its end: then the others do not end every rank. */
static int count_deaths(const struct bench_share *share, uint64_t group)
{
    struct listing names;
    int n_died = 0;
    bool has_end = false;

    if (listing_read(share->folder, "", &names) != BENCH_OK) {
        bench_failure_clear();
        return 0;
    }
    for (int i = 0; i < names.n && !has_end; i++) {
        const char *const name = listing_name(names.path[i]);
        uint64_t its_group, unit;
        struct flock lock;
        struct stat info;
        int n = 0;

        if (sscanf(name, "%" SCNx64 "-%" SCNx64 "%n", &its_group, &unit, &n) != 2 || name[n] ||
            its_group != group || stat(names.path[i], &info) != 0)
            continue;
        lock = lock_of((int64_t)(unit % N_UNITS), F_WRLCK);
        if (fcntl(share->units, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
            n_died--; /* its owner lives */
        else
            has_end = info.st_size == 0;
        n_died += info.st_size < SHARE_MOST_DEATHS ? (int)info.st_size : SHARE_MOST_DEATHS;
    }
    listing_free(&names);
    return has_end ? 0 : n_died;
}

/* How many ranks have begun the unit, which this one has, or others of its group, and did not
 * come to its end; and that this one has begun, unless these are enough.  What cannot be written
 * is not known. */
static enum bench_status begin_unit(struct bench_share *share, uint64_t group, int *n_died)
{
    struct stat info;
    int fd;

    *n_died =
        share->is_part && share->may_help && !share->no_locks ? count_deaths(share, group) : 0;
    if (asprintf(&share->began, "%s/%" PRIx64 "-%" PRIx64, share->folder, group,
                 (uint64_t)share->unit) < 0) {
        share->began = NULL;
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the share of a rank");
    }
    fd = open(share->began, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return BENCH_OK;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > *n_died)
        *n_died = info.st_size < SHARE_MOST_DEATHS ? (int)info.st_size : SHARE_MOST_DEATHS;
    if (*n_died < SHARE_MOST_DEATHS)
        (void)text_write_all(fd, "1", 1);
    close(fd);
    return BENCH_OK;
}

static void forget_unit(struct bench_share *share)
{
    struct flock lock = lock_of(share->unit, F_UNLCK);

    (void)fcntl(share->units, F_OFD_SETLK, &lock); /* closing gives it back at the latest */
    share->unit = -1;
    free(share->began);
    share->began = NULL;
}

enum bench_status share_take(struct bench_share *share, uint64_t unit, uint64_t group,
                             double wait_s, bool (*stop)(void), bool *taken, int *n_died)
{
    struct flock lock = lock_of((int64_t)(unit % N_UNITS), F_WRLCK);
    const struct timespec pause = {(time_t)wait_s, (long)(fmod(wait_s, 1) * 1e9)};

    assert(share->unit < 0);
    *taken = false;
    *n_died = 0;
    while (!share->no_locks && fcntl(share->units, F_OFD_SETLK, &lock) != 0) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return BENCH_FAIL(BENCH_EIO, "%s: cannot be locked: %s", share->units_path,
                              strerror(errno));
        if ((wait_s <= 0 && errno != EINTR) || (stop && stop()))
            return BENCH_OK;
        nanosleep(&pause, NULL);
    }
    share->unit = lock.l_start;
    share->is_part = unit != group;
    TRY(begin_unit(share, group, n_died));
    *taken = *n_died < SHARE_MOST_DEATHS || share->place.size == 1;
    if (!*taken)
        forget_unit(share);
    return BENCH_OK;
}

void share_give_back(struct bench_share *share)
{
    if (share->unit < 0)
        return;
    if (share->began && share->is_part)
        (void)!truncate(share->began, 0); /* others see that it has come to its end */
    else if (share->began)
        unlink(share->began);
    forget_unit(share);
}
