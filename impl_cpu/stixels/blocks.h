/*
 * blocks.h - down-sampling and transposition, shared by the CPU variants of stixels
 *
 * Source: [STX] sect. 4.2.  Integer sums over blocks, means rounded half up (stixels_model.h); a column of blocks is
 * contiguous, v = 0 at the bottom.
 */
#ifndef IMPL_CPU_STIXELS_BLOCKS_H
#define IMPL_CPU_STIXELS_BLOCKS_H

#include "harness/problems/stixels.h"

#include <stdlib.h>
#include <string.h>

struct blocks {
    uint16_t *disparity;   /* [n_frames][n_cols][n_rows], 1/256 px, STIXELS_INVALID; owned */
    uint8_t *confidence;   /* [n_frames][n_cols][n_rows]; owned */
    uint16_t *probability; /* [n_frames][n_cols][n_classes][n_rows]; owned */
    uint32_t *scratch;     /* [n_threads][3][width]; owned */
};

static inline enum bench_status blocks_alloc(struct blocks *blocks,
                                             const struct stixels_input *in, int n_threads)
{
    const size_t n = (size_t)in->n_frames * (size_t)in->n_cols * (size_t)in->n_rows;
    const size_t n_classes = in->n_classes > 0 ? (size_t)in->n_classes : 1;

    blocks->disparity = malloc(n * sizeof *blocks->disparity);
    blocks->confidence = malloc(n * sizeof *blocks->confidence);
    blocks->probability = malloc(n * n_classes * sizeof *blocks->probability);
    blocks->scratch =
        malloc((size_t)n_threads * 3 * (size_t)in->width * sizeof *blocks->scratch);
    if (!blocks->disparity || !blocks->confidence || !blocks->probability || !blocks->scratch)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %zu blocks with %zu classes", n,
                          n_classes);
    return BENCH_OK;
}

static inline void blocks_free(struct blocks *blocks)
{
    free(blocks->disparity);
    free(blocks->confidence);
    free(blocks->probability);
    free(blocks->scratch);
}

/* One row of blocks of disparity and confidence; block row j from the top. */
static inline void downsample_depth(const struct stixels_input *in, int frame, int j,
                                    struct blocks *blocks, uint32_t *scratch)
{
    const int width = in->width, n_block = in->block_rows * in->block_cols;
    const size_t top =
        ((size_t)frame * (size_t)in->height + (size_t)j * (size_t)in->block_rows) *
        (size_t)width;
    uint32_t *restrict const sum = scratch, *restrict const count = scratch + width,
                             *restrict const sure = scratch + 2 * (size_t)width;

    memset(scratch, 0, 3 * (size_t)width * sizeof *scratch);
    for (int y = 0; y < in->block_rows; y++) {
        const uint16_t *restrict const d = in->disparity + top + (size_t)y * (size_t)width;
        const uint8_t *restrict const c = in->confidence + top + (size_t)y * (size_t)width;

        for (int x = 0; x < width; x++) {
            const uint32_t measured = d[x] != STIXELS_INVALID;
            const uint32_t valid = measured && c[x] > 0;

            sum[x] += valid ? d[x] : 0;
            count[x] += valid;
            sure[x] += measured ? c[x] : 0;
        }
    }
    for (int u = 0; u < in->n_cols; u++) {
        const size_t at =
            ((size_t)frame * (size_t)in->n_cols + (size_t)u) * (size_t)in->n_rows +
            (size_t)(in->n_rows - 1 - j);
        uint32_t total = 0, n_valid = 0, confidence = 0;

        for (int x = u * in->block_cols; x < (u + 1) * in->block_cols; x++) {
            total += sum[x];
            n_valid += count[x];
            confidence += sure[x];
        }
        blocks->disparity[at] = stixels_block_is_valid(n_valid, (uint32_t)n_block)
                                    ? (uint16_t)stixels_mean(total, n_valid)
                                    : STIXELS_INVALID;
        blocks->confidence[at] = (uint8_t)stixels_mean(confidence, (uint32_t)n_block);
    }
}

/* One row of blocks of one class's probability. */
static inline void downsample_class(const struct stixels_input *in, int frame, int k, int j,
                                    struct blocks *blocks, uint32_t *restrict sum)
{
    const int width = in->width;
    const uint32_t n_block = (uint32_t)(in->block_rows * in->block_cols);
    const uint16_t *const top =
        in->probability +
        (((size_t)frame * (size_t)in->n_classes + (size_t)k) * (size_t)in->height +
         (size_t)j * (size_t)in->block_rows) *
            (size_t)width;

    memset(sum, 0, (size_t)width * sizeof *sum);
    for (int y = 0; y < in->block_rows; y++) {
        const uint16_t *restrict const p = top + (size_t)y * (size_t)width;

        for (int x = 0; x < width; x++)
            sum[x] += p[x];
    }
    for (int u = 0; u < in->n_cols; u++) {
        const size_t at =
            (((size_t)frame * (size_t)in->n_cols + (size_t)u) * (size_t)in->n_classes +
             (size_t)k) *
                (size_t)in->n_rows +
            (size_t)(in->n_rows - 1 - j);
        uint32_t total = 0;

        for (int x = u * in->block_cols; x < (u + 1) * in->block_cols; x++)
            total += sum[x];
        blocks->probability[at] = (uint16_t)stixels_mean(total, n_block);
    }
}

#endif
