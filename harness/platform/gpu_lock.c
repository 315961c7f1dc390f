/* gpu_lock.c - programs that would measure on one GPU at once take turns */
#include "harness/platform/gpu_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* false: the name is too long. */
static bool find_file(const char *name, char path[4096])
{
    const char *folder = getenv("TMPDIR");

    if (!folder || !*folder)
        folder = "/tmp";
    return snprintf(path, 4096, "%s/depthbench-%s.lock", folder, name) < 4096;
}

bool gpu_lock_is_taken(const char *name)
{
    char path[4096];
    const int file =
        find_file(name, path) ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    const bool is_taken = file >= 0 && flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;

    gpu_lock_release(file);
    return is_taken;
}

int gpu_lock_acquire(const char *name, bool (*stop)(void))
{
    char path[4096];
    struct stat info;
    int turn;

    if (!find_file(name, path))
        return -1;
    /* whoever comes first makes it for all users; a link is not followed */
    turn = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (turn < 0)
        turn = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (turn < 0)
        return -1;
    /* what somebody else has put there, a second name of root's file even, keeps its mode */
    if (!fstat(turn, &info) && info.st_uid == geteuid() && info.st_nlink == 1 &&
        S_ISREG(info.st_mode))
        (void)fchmod(turn, 0666);
    while (flock(turn, LOCK_EX)) {
        if (errno != EINTR || (stop && stop())) {
            close(turn);
            return -1;
        }
    }
    return turn;
}

void gpu_lock_release(int turn)
{
    if (turn >= 0)
        close(turn); /* gives the lock back */
}
