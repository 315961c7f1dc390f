/*
 * rdp_cpu.c - the segments of a made-up street by RDP, in arrays of one's own
 *
 *     cc rdp_cpu.c $(pkg-config --cflags --libs depthbench) && ./a.out rdp/cpu-simd
 */
#include <depthbench.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                         \
    if ((call) != DEPTHBENCH_OK) {                        \
        fprintf(stderr, "rdp: %s\n", depthbench_error()); \
        return EXIT_FAILURE;                              \
    }

enum { HEIGHT = 240, WIDTH = 320, N_FRAMES = 3 };

static uint16_t image[HEIGHT][WIDTH];
static int32_t segments[WIDTH];

/* A road that comes nearer, and a box on it that moves to the right. */
static void draw(int frame)
{
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            const int is_box = v >= 100 && v < 180 && u / 40 == 2 + frame;

            image[v][u] = (uint16_t)(256 * (is_box ? 40 : v < 80 ? 1 : (v - 80) / 4));
        }
}

int main(int argc, char **argv)
{
    depthbench *rdp;

    TRY(depthbench_new(argc > 1 ? argv[1] : "rdp/cpu-simd", &rdp));
    TRY(depthbench_set(rdp, "eps", "4"));
    TRY(depthbench_shape(rdp, 1, HEIGHT, WIDTH));
    TRY(depthbench_bind(rdp, "image", image, sizeof image));
    TRY(depthbench_bind(rdp, "segments", segments, sizeof segments));
    TRY(depthbench_prepare(rdp));
    for (int frame = 0; frame < N_FRAMES; frame++) {
        long sum = 0;

        draw(frame);
        TRY(depthbench_run(rdp));
        TRY(depthbench_wait(rdp));
        for (int u = 0; u < WIDTH; u++)
            sum += segments[u];
        printf("frame %d: %ld segments in %d columns\n", frame, sum, WIDTH);
    }
    depthbench_free(rdp);
    return EXIT_SUCCESS;
}
