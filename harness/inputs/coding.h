/*
 * coding.h - what the values of a map mean, by the names of those who write them; and how many
 * of them are no disparity
 */
#ifndef INPUTS_CODING_H
#define INPUTS_CODING_H

#include "harness/base/text.h"
#include "harness/inputs/plane.h"

#include <stddef.h>
#include <stdint.h>

/* IMAGE_DEPTH24: uint32_t of 0..DEPTH24_MAX; only an image of the kind IMAGE_COLOURS has it. */
enum image_type { IMAGE_U8, IMAGE_U16, IMAGE_F32, IMAGE_DEPTH24 };

#define DEPTH24_MAX 0xFFFFFFu /* the largest value of 24 bits */

/* Says which values mean nothing, as an integer 0, and how others become px of disparity. */
struct disparity_coding {
    double scale;        /* disparity_px = (value - offset) / scale */
    double offset;       /* 0 unless the format says otherwise (Cityscapes: 1) */
    int zero_is_invalid; /* integer images: 1: value 0 is no measurement */
    int max_is_invalid;  /* integer images: 1: the type's largest value is no measurement */
    int is_signed;       /* 16 bits are two's complement: 1: below 0 is no measurement */
    /* IMAGE_DEPTH24, for which the above means nothing: each above zero and finite;
     * disparity_px = fx_px * baseline_m / depth_m, depth_m = max_m * value / DEPTH24_MAX */
    double max_m, fx_px, baseline_m;
};

/* The codings that have a name: --coding, a descriptor's `coding`, the library. */
struct value_coding {
    const char *name, *source;
    unsigned types; /* bits 1 << enum image_type */
    struct disparity_coding values;
};
extern const struct value_coding value_codings[]; /* ends with a name of NULL */

/* "(p - 1) / 256; not measured: 0; Cityscapes" */
void coding_describe(const struct value_coding *coding, struct text *text);

/* By its name; NULL: there is none, and BENCH_EINPUT is recorded, behind "WHERE: ". */
const struct value_coding *coding_find(const char *name, const char *where);

/* BENCH_EINPUT where a file of that type is none of the coding's. */
enum bench_status coding_check_type(const struct value_coding *coding, enum image_type type,
                                    const char *name);

/*
 * n values become disparities, as [n], and are counted: *counted is overwritten.  Not finite,
 * below zero, and depth 0: DISPARITY_INVALID; above DISPARITY_MAX: that.  BENCH_ENOMEM.
 */
enum bench_status coding_decode(enum image_type type, const void *values, size_t n,
                                const struct disparity_coding *coding, uint16_t *disparity,
                                struct counted_values *counted);

/*
 * BENCH_EINPUT where most of a map is lost: of its numbers, more than half are below zero or
 * above DISPARITY_MAX.  What the coding says is no measurement, NaN and infinity are no such
 * numbers; nor is a value below zero that is the only one there, which stands for no
 * measurement.
 */
enum bench_status coding_check_lost(const struct counted_values *counted, const char *name);

/* Add up what was counted in several maps. */
void coding_add(struct counted_values *sum, const struct counted_values *counted);

/* One sentence of what was left out or taken for something else, without its name and '.';
 * nothing where all is well. */
void coding_tell(const struct counted_values *counted, struct text *text);

#endif
