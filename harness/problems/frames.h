/*
 * frames.h - how many frames an input has, and their size, with keys width and height (0: as a
 * frame is)
 */
#ifndef FRAMES_H
#define FRAMES_H

#include "harness/base/params.h"
#include "harness/base/status.h"
#include "harness/inputs/plane.h"

/* bench_problem.n_frames: every input begins with it. */
static inline int frames_of(const void *input)
{
    return *(const int32_t *)input;
}

static inline void frame_size(const struct bench_params *params, const struct plane *plane,
                              int *width, int *height)
{
    bench_frame_size(params, width, height);
    if (*width == 0)
        *width = plane->width;
    if (*height == 0)
        *height = plane->height;
}

/* BENCH_EINPUT for a frame that is no more than two views. */
static inline enum bench_status frames_have_maps(const struct plane *const *frames,
                                                 int n_frames)
{
    for (int k = 0; k < n_frames; k++)
        REFUSE_IF(!frames[k]->disparity, "%s is a pair of views: expected a map of disparities",
                  frames[k]->name);
    return BENCH_OK;
}

/* BENCH_EINPUT for no frame, and where their sizes would differ. */
static inline enum bench_status frames_size(const struct bench_params *params,
                                            const struct plane *const *frames, int n_frames,
                                            int *width, int *height)
{
    REFUSE_IF(n_frames < 1, "expected at least one frame, found %d", n_frames);
    frame_size(params, frames[0], width, height);
    for (int k = 1; k < n_frames; k++) {
        int other_width, other_height;

        frame_size(params, frames[k], &other_width, &other_height);
        REFUSE_IF(other_width != *width || other_height != *height,
                  "the frames of one input must have one size, but %s has %d x %d and %s has "
                  "%d x %d%s",
                  frames[0]->name, *width, *height, frames[k]->name, other_width, other_height,
                  bench_has(params, "width") ? ": give width and height" : "");
    }
    return BENCH_OK;
}

#endif
