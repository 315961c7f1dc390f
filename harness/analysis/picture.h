/* picture.h - a drawing as a data: URL, as small as it goes */
#ifndef ANALYSIS_PICTURE_H
#define ANALYSIS_PICTURE_H

#include "harness/base/text.h"

/*
 * Append the URL of what scripts/plot drew.  An SVG is as it is; where its root says data-body="x
 * y width height", that part of it alone, for who prints title and caption himself.  A PNG has
 * at most 96 colours, and is made smaller by a whole number until it has at most 'width'
 * pixels in a row (0: as it is).  BENCH_EIO, BENCH_EINPUT for what is no PNG.
 */
enum bench_status picture_add(const char *path, int width, struct text *url);

/* The title and the caption that an SVG leaves to others, as it has them: escaped.  Nothing of a
 * PNG, nor of one without data-body.  BENCH_EIO. */
enum bench_status picture_about(const char *path, struct text *title, struct text *caption);

#endif
