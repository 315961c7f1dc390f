/*
 * plane.c - allocate and release frames
 */
#include "harness/inputs/plane.h"

#include "harness/base/memory.h"

void plane_free(struct plane *plane)
{
    free(plane->disparity);
    free(plane->confidence);
    free(plane->truth);
    free(plane->truth_class);
    free(plane->view[0]);
    free(plane->view[1]);
    free(plane->probability);
    memset(plane, 0, sizeof *plane);
}

enum bench_status plane_alloc(struct plane *plane, int width, int height)
{
    REFUSE_IF(width < 1 || height < 1 || width > INPUTS_MAX_SIDE || height > INPUTS_MAX_SIDE,
              "a frame of %d x %d pixels: each side must be 1..%d", width, height,
              INPUTS_MAX_SIDE);

    free(plane->disparity);
    plane->disparity = NULL;
    TRY(memory_allocate(&plane->disparity, sizeof *plane->disparity, 1, 1, height, width));
    plane->width = width;
    plane->height = height;
    return BENCH_OK;
}
