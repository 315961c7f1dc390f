/*
 * pipe.h - frames of disparities, or pairs of views, one after the other, as another program
 * writes them: docs/WATCH.md
 *
 * A stream is one header and any number of frames, each a frame header and a plane.  Integers
 * are little-endian.
 *
 *     header  0  char[4]  "DBF1"          frame  0  char[4]  "FRAM"
 *             4  uint32   width                  4  uint32   bytes, 2 width height
 *             8  uint32   height                 8  uint64   the writer's time, ns
 *            12  uint32   values per px         16  uint16[height][width], 65535: none
 *
 * A stream of pairs begins with "DBP1", has 0 values per px, and the planes of a frame are
 * uint8[2][height][width]: the left view and the right one.
 *
 * It ends where a frame might begin.  No byte is believed before it is checked, and a shape is
 * refused before anything is allocated.
 */
#ifndef INPUTS_PIPE_H
#define INPUTS_PIPE_H

#include "harness/inputs/plane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIPE_MAX_SCALE 65535 /* values per px */

/* Bytes come from it. */
struct pipe_source {
    /* Read n bytes, fewer at the end alone.  'may_wait': the first may come whenever it likes.
     * Else a writer that says nothing for long may be refused: BENCH_EINPUT, with half a
     * sentence.  BENCH_EINTR: the user wants to stop. */
    enum bench_status (*read)(void *self, void *bytes, size_t n, bool may_wait, size_t *n_read);
    void *self;
    const char *name; /* in messages: "standard input" */
};

struct value_coding; /* harness/inputs/coding.h */

struct pipe {
    struct pipe_source source;
    bool has_pairs;
    int width, height; /* px of each frame */
    uint32_t scale;    /* values per px */
    /* which p is none, and the offset; NULL: 65535, and 0.  Borrowed, for after pipe_open() */
    const struct value_coding *coding;
    uint64_t at;    /* bytes read */
    long long n;    /* whole frames read */
    uint8_t *bytes; /* of a plane; owned */
};

/*
 * Read the header, of pairs or of disparities.  BENCH_EINPUT for what is none, with one
 * sentence: the source, the byte, what was expected and found.  BENCH_ENOMEM, BENCH_EIO and
 * BENCH_EINTR of the source.  pipe_close() also after a failure.
 */
enum bench_status pipe_open(const struct pipe_source *source, bool has_pairs,
                            struct pipe *pipe);

/*
 * Read the next frame into 'plane', which the caller owns (plane_free) and which has no camera;
 * its name is "frame-N", from 0.  *is_end: there is none, and 'plane' is empty.  Fails as
 * pipe_open, and where most of a frame is lost (coding_check_lost); the sentence names the
 * frame, too, and nothing can be read behind it.
 */
enum bench_status pipe_next(struct pipe *pipe, struct plane *plane, uint64_t *time_ns,
                            bool *is_end);

void pipe_close(struct pipe *pipe);

#endif
