/*
 * plane.c - allocate and release frames
 */
#include "harness/inputs/plane.h"

#include <stdlib.h>
#include <string.h>

void plane_free(struct plane *plane)
{
    free(plane->disparity);
    free(plane->confidence);
    free(plane->truth);
    free(plane->truth_class);
    free(plane->probability);
    memset(plane, 0, sizeof *plane);
}

enum bench_status plane_alloc(struct plane *plane, int width, int height)
{
    if (width < 1 || height < 1 || width > INPUTS_MAX_SIDE || height > INPUTS_MAX_SIDE)
        return BENCH_FAIL(BENCH_EINPUT, "a frame of %d x %d pixels: each side must be 1..%d",
                          width, height, INPUTS_MAX_SIDE);

    /* at most 2^15 * 2^15 * 2 bytes: no overflow where size_t has 32 bits or more */
    const size_t n_bytes = (size_t)width * (size_t)height * sizeof(uint16_t);
    uint16_t *disparity = malloc(n_bytes);

    if (disparity == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the disparity of %d x %d pixels", width,
                          height);
    free(plane->disparity);
    plane->disparity = disparity;
    plane->width = width;
    plane->height = height;
    return BENCH_OK;
}
