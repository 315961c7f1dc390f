/* rdp.c - a peer in C: Ramer-Douglas-Peucker of each column.  cc -O2 -o rdp rdp.c */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const char *in; /* the mapped input file */
static uint32_t *out;  /* the mapped output file */
static size_t in_bytes, out_bytes;

static const void *block(const char *name) /* of the table that begins at byte 16 */
{
    const char *b = in + 16;

    for (; strcmp(b, name); b += 32)
        ;
    return in + *(const uint64_t *)(b + 16);
}

/* The segments between two kept rows; *rounds is at least the depth of each. */
static int cut(const uint16_t *y, int f, int l, int64_t eps, int depth, uint32_t *kept,
               int *rounds)
{
    int64_t most = 0, at = 0;

    for (int i = f + 1; i < l; i++) {
        int64_t d = llabs((y[l] - y[f]) * (int64_t)(i - f) + (y[f] - y[i]) * (int64_t)(l - f));

        if (y[i] != 0xFFFF && d > most)
            most = d, at = i;
    }
    *rounds = depth > *rounds ? depth : *rounds;
    if (most <= eps * (l - f))
        return 1;
    kept[at / 32] |= 1u << at % 32;
    return cut(y, f, at, eps, depth + 1, kept, rounds) +
           cut(y, at, l, eps, depth + 1, kept, rounds);
}

static void run(const int32_t *shape) /* n_frames, n_cols, n_rows, eps, distance */
{
    const int n_columns = shape[0] * shape[1], n_rows = shape[2], n_words = (n_rows + 31) / 32;
    int *const segments = (int *)out + n_columns * n_words, *const rounds =
                                                                segments + n_columns;
    const uint16_t *y = block("y");

    memset(out, 0, out_bytes);
    for (int c = 0; c < n_columns; c++, y += n_rows) {
        uint32_t *const kept = out + c * n_words;
        int f = 0, l = n_rows - 1;

        while (f < n_rows && y[f] == 0xFFFF)
            f++;
        while (l > f && y[l] == 0xFFFF)
            l--;
        rounds[c] = 1;
        if (l <= f)
            continue;
        kept[f / 32] |= 1u << f % 32;
        kept[l / 32] |= 1u << l % 32;
        segments[c] = cut(y, f, l, shape[3], 1, kept, &rounds[c]);
    }
}

static void *map(const char *path, void *before, size_t *bytes)
{
    const int fd = open(path, O_RDWR);

    if (before)
        munmap(before, *bytes);
    *bytes = (size_t)lseek(fd, 0, SEEK_END);
    before = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return before;
}

int main(void)
{
    char line[1024], output[1024] = "";
    struct timespec t0, t1;

    while (fgets(line, sizeof line, stdin) && strcmp(line, "quit\n")) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "output=", 7))
            strcpy(output, line + 7);
        if (!strncmp(line, "load ", 5)) {
            in = map(line + 5, (void *)in, &in_bytes);
            out = map(output, out, &out_bytes);
            puts(((const int32_t *)block("shape"))[4] ? "skip vertical distances alone" : "ok");
        }
        for (int n = strncmp(line, "run ", 4) ? 0 : atoi(line + 4); n > 0; n--) {
            clock_gettime(CLOCK_MONOTONIC, &t0);
            run(block("shape"));
            clock_gettime(CLOCK_MONOTONIC, &t1);
            printf("%lld\n", (t1.tv_sec - t0.tv_sec) * 1000000000LL + t1.tv_nsec - t0.tv_nsec);
        }
        fflush(stdout);
    }
    return 0;
}
