/*
 * apply_image.h - what all apply verbs do: make a plane of IMAGE, write files of text, each of
 * its own name
 */
#ifndef APPLY_IMAGE_H
#define APPLY_IMAGE_H

#include "harness/measure/app.h"
#include "harness/base/text.h"
#include "harness/inputs/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The key and the option of an app that apply_image_read() looks at. */
#define APPLY_IMAGE_KEY                                                                       \
    {                                                                                         \
        "invalid", "zero", "", "which integers of an image are no measurement", BENCH_CHOICE, \
            0, 0, "zero|none|max|zero-max"                                                    \
    }
#define APPLY_IMAGE_OPTION                                       \
    {                                                            \
        "disparity-scale", "N", "values per pixel (16 bit: 256)" \
    }

/*
 * The plane that request->image names: a generated scene, or an image file in disparities.  Not
 * for a request with a frame of its own.  On success the caller owns 'plane' (plane_free); else
 * it is left empty and the status is BENCH_EINPUT for a bad name, scale or image, BENCH_EIO, or
 * BENCH_ENOMEM.
 */
enum bench_status apply_image_read(const struct bench_request *request, struct plane *plane);

/*
 * BENCH_EINPUT where two of the files to be written have the same name or one is the image, so
 * that one would be lost: -o, --picture and the problem's own 'options', names without "--"
 * that end with NULL.
 */
enum bench_status apply_check_files(const struct bench_request *request,
                                    const char *const *options);

/* Write finished text to a file, whole or not at all, or to standard output where path is "-".
 * BENCH_ENOMEM for a text that ran out of memory, BENCH_EIO. */
enum bench_status apply_write_text(const char *path, const struct text *text);

#ifdef __cplusplus
}
#endif

#endif
