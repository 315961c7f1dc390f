/*
 * views.h - what the two cameras of a stereo pair see: of files, and of generated scenes
 */
#ifndef INPUTS_VIEWS_H
#define INPUTS_VIEWS_H

#include "harness/inputs/plane.h"

/*
 * Draws both views of a scene (scene.h) that is there, so that its truth is theirs exactly.
 * Each surface has a texture of its class; a pixel of the right view shows what lies nearest
 * there, between pixels of the left one, or what the left camera does not see.  Each camera has
 * a noise of its own.  The seed gives the same bytes on every machine.  BENCH_ENOMEM.
 */
enum bench_status views_draw(uint64_t seed, struct plane *plane);

/* Reads one view, 8 bits a channel, as grey; colours are mixed as libpng mixes them.  The first
 * one of an empty plane gives its size; BENCH_EINPUT for another of the second, whose sentence
 * names both.  As image_read. */
enum bench_status views_read(const char *path, int which, struct plane *plane);

#endif
