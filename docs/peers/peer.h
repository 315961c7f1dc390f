/* peer.h - a program for docs/PEERS.md in C, C++: include it, write peer_skip and peer_run */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct peer {
    char *in;  /* the input file, mapped */
    void *out; /* the output file, mapped: its blocks one after the other */
    size_t in_bytes, out_bytes;
};

/* Yours: why not this input, NULL for one that can be done. */
static const char *peer_skip(const struct peer *peer);

/* Yours: what is timed. */
static void peer_run(const struct peer *peer);

/* Set by peer_run if only a part of it is to be timed: that part's nanoseconds. */
static long long peer_ns = -1;

/* The clock, in nanoseconds. */
static long long peer_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* A block of the input; NULL: it has none of this name. */
static const void *peer_block(const struct peer *peer, const char *name)
{
    const char *entry = peer->in + 16; /* of a table of 16 entries: name, begin, bytes */

    for (int i = 0; i < 16; i++, entry += 32)
        if (!strcmp(entry, name))
            return peer->in + *(const uint64_t *)(entry + 16);
    return NULL;
}

static void *peer_map(const char *path, void *before, size_t *bytes)
{
    const int fd = open(path, O_RDWR);

    if (before)
        munmap(before, *bytes);
    *bytes = (size_t)lseek(fd, 0, SEEK_END);
    before = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return before == MAP_FAILED ? NULL : before;
}

int main(void)
{
    char line[1024], output[1024] = "";
    const char *why;
    struct peer peer = {NULL, NULL, 0, 0};
    long long began, took;

    while (fgets(line, sizeof line, stdin) && strcmp(line, "quit\n")) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "output=", 7))
            strcpy(output, line + 7);
        if (!strncmp(line, "load ", 5)) {
            peer.in = (char *)peer_map(line + 5, peer.in, &peer.in_bytes);
            peer.out = peer_map(output, peer.out, &peer.out_bytes);
            why = peer.in && peer.out ? peer_skip(&peer) : "its files cannot be mapped";
            printf("%s%s\n", why ? "skip " : "ok", why ? why : "");
        }
        for (int n = strncmp(line, "run ", 4) ? 0 : atoi(line + 4); n > 0; n--) {
            began = peer_clock();
            peer_run(&peer);
            took = peer_clock() - began;
            printf("%lld\n", peer_ns < 0 ? took : peer_ns);
        }
        fflush(stdout);
    }
    return 0;
}
