/*
 * apply_image.h - what all apply verbs do: make a plane of IMAGE, run the variant on it, write
 * files of text, each of its own name
 */
#ifndef APPLY_IMAGE_H
#define APPLY_IMAGE_H

#include "harness/measure/app.h"
#include "harness/base/text.h"
#include "harness/inputs/coding.h"

/* The keys and the options of an app of images. */
#define APPLY_IMAGE_KEY                                                                       \
    {"legend",     "yes", "", "what panels and colours are, below a picture",                 \
     BENCH_CHOICE, 0,     0,  "yes|no"},                                                      \
    {                                                                                         \
        "invalid", "zero", "", "which integers of an image are no measurement", BENCH_CHOICE, \
            0, 0, "zero|none|max|zero-max"                                                    \
    }
#define APPLY_IMAGE_OPTION                                                               \
    {"disparity-scale", "N", "values per pixel (16 bit: 256)"},                          \
    {                                                                                    \
        "coding", "NAME", "what values mean, as kitti: depthbench list codings has them" \
    }

/* The coding that --coding names; NULL: it is not given.  BENCH_EINPUT for an unknown one, and
 * beside --disparity-scale or -S invalid. */
enum bench_status apply_coding(const struct bench_request *request,
                               const struct value_coding **coding);

/* True if the variant takes two views, and makes of them what others take. */
bool apply_takes_views(const struct bench_request *request);

/*
 * The plane that request->image names: a generated scene, an image file in disparities, or
 * with request->right two views.  Not for a request with a frame of its own.  On success the
 * caller owns 'plane' (plane_free); else it is left empty and the status is BENCH_EINPUT for a
 * bad name, scale, coding or image, and one that lost most of its values, BENCH_EIO, or
 * BENCH_ENOMEM.
 */
enum bench_status apply_image_read(const struct bench_request *request, struct plane *plane);

/*
 * The files to be written are -o, --picture and the problem's own 'options', names without "--"
 * that end with NULL.  BENCH_EINPUT where there is none, and where two have the same name or
 * one is the image, so that one would be lost.
 */
enum bench_status apply_check_files(const struct bench_request *request,
                                    const char *const *options);

/* Call 'use' with the frame that the request has, else with the plane of apply_image_read,
 * whose file is asked whether it is depth.  request->warning also says which values were left
 * out.  BENCH_EINPUT for a frame with --disparity-scale or --coding. */
typedef enum bench_status apply_use(const struct bench_request *request,
                                    const struct plane *plane);
enum bench_status apply_to_frame(const struct bench_request *request, apply_use *use);

/* Make the problem's input of the plane and an output, run the variant once and call 'write'
 * with both and what is the app's own.  With a chain (chain.h) these are the second problem's,
 * and the plane has the first one's map.  BENCH_EINPUT for two views that are no pair. */
typedef enum bench_status apply_write(const struct bench_request *request,
                                      const struct plane *plane, const void *input,
                                      const void *output, void *own);
enum bench_status apply_variant(const struct bench_request *request, const struct plane *plane,
                                apply_write *write, void *own);

/* The value of --column, one of n, which the option --NAME needs.  BENCH_EINPUT. */
enum bench_status apply_column(const struct bench_request *request, const char *name, int n,
                               int *column);

/* Write finished text to a file, whole or not at all, or to standard output where path is "-";
 * free it, written or not.  BENCH_ENOMEM for a text that ran out of memory, BENCH_EIO. */
enum bench_status apply_write_text(const char *path, struct text *text);

/* Append y / 256 in full: at most eight decimals, no trailing zero, '.' whatever the locale. */
void apply_add_disparity(struct text *text, uint16_t y);

/* The head of a PLY of coloured vertices, behind its comments. */
void apply_ply_head(struct text *text, int n_vertices, int n_faces);

#endif
