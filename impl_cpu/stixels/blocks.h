/*
 * blocks.h - down-sampling and transposition, shared by the CPU variants of stixels
 *
 * Source: [STX] sect. 4.2.  Integer sums over blocks, means rounded half up (stixels/model.h);
 *         a column of blocks is contiguous, v = 0 at the bottom.  A class's means are made for
 *         TILE_ROWS rows of blocks before they are transposed, so that a column is written by
 *         whole lines of the cache.
 */
#ifndef IMPL_CPU_STIXELS_BLOCKS_H
#define IMPL_CPU_STIXELS_BLOCKS_H

#include "harness/problems/stixels/stixels.h"

#include <stdlib.h>
#include <string.h>

#define TILE_ROWS 32 /* 64 bytes of means */

#if defined(__AVX2__)
#define HAS_WIDE_VECTORS 1
#else
#define HAS_WIDE_VECTORS 0
#endif

/* Room for n elements, all bits 0, for a pointer; 0: there is no memory. */
#define ALLOCATE(pointer, n) (((pointer) = calloc(n, sizeof *(pointer))) != NULL)

struct blocks {
    uint16_t *disparity;   /* [n_frames][n_cols][n_rows], 1/256 px, STIXELS_INVALID; owned */
    uint8_t *confidence;   /* [n_frames][n_cols][n_rows]; owned */
    uint16_t *probability; /* [n_frames][n_cols][n_classes][n_rows]; owned */
    uint32_t *scratch;     /* [n_threads][3][width]; owned */
    uint16_t *tile;        /* [n_threads][TILE_ROWS][n_cols]; owned */
};

static inline enum bench_status blocks_alloc(struct blocks *blocks,
                                             const struct stixels_input *in, int n_threads)
{
    const size_t n = (size_t)in->n_frames * (size_t)in->n_cols * (size_t)in->n_rows;
    const size_t n_classes = in->n_classes > 0 ? (size_t)in->n_classes : 1;

    NEED(ALLOCATE(blocks->disparity, n) && ALLOCATE(blocks->confidence, n) &&
             ALLOCATE(blocks->probability, n * n_classes) &&
             ALLOCATE(blocks->scratch, (size_t)n_threads * 3 * (size_t)in->width) &&
             ALLOCATE(blocks->tile, (size_t)n_threads * TILE_ROWS * (size_t)in->n_cols),
         "%zu blocks with %zu classes", n, n_classes);
    return BENCH_OK;
}

static inline void blocks_free(struct blocks *blocks)
{
    free(blocks->disparity);
    free(blocks->confidence);
    free(blocks->probability);
    free(blocks->scratch);
    free(blocks->tile);
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

/* Sums over n rows of a plane, a constant where this is compiled in: the first, or added. */
static inline __attribute__((always_inline)) void
sum_n_rows(const uint16_t *restrict p, int n, int width, int added, uint32_t *restrict sum)
{
    for (int x = 0; x < width; x++) {
        uint32_t total = 0;

        for (int i = 0; i < n; i++)
            total += p[(size_t)i * (size_t)width + (size_t)x];
        sum[x] = (added ? sum[x] : 0) + total;
    }
}

/* Sums over n_rows rows of a plane, eight at a time. */
static inline void sum_rows(const uint16_t *p, int n_rows, int width, uint32_t *sum)
{
    for (int y = 0, n; y < n_rows; y += n, p += (size_t)n * (size_t)width) {
        n = n_rows - y >= 8 ? 8 : n_rows - y >= 4 ? 4 : 1;
        if (n == 8 && y == 0)
            sum_n_rows(p, 8, width, 0, sum);
        else if (n == 8)
            sum_n_rows(p, 8, width, 1, sum);
        else if (n == 4)
            sum_n_rows(p, 4, width, y > 0, sum);
        else
            sum_n_rows(p, 1, width, y > 0, sum);
    }
}

/* Means of blocks of n pixels in 'cols' sums each: vectors if cols is a constant, n = 2^k. */
static inline __attribute__((always_inline)) void means_of(const uint32_t *restrict sum,
                                                           int n_cols, int cols, uint32_t n,
                                                           int is_power,
                                                           uint16_t *restrict mean)
{
    const uint32_t shift = 31 - stixels_leading_zeros(n);

    for (int u = 0; u < n_cols; u++) {
        uint32_t total = 0;

        for (int x = 0; x < cols; x++)
            total += sum[u * cols + x];
        mean[u] = (uint16_t)(is_power ? (total + n / 2) >> shift : stixels_mean(total, n));
    }
}

/* Means of blocks of side x side pixels, a constant 4 or 8.  Four pixels are added as two
 * 32-bit sums in one word.  Slower than sum_rows() with vectors of 128 bits. */
static inline __attribute__((always_inline)) void means_of_squares(const uint16_t *restrict p,
                                                                   int n_cols, int width,
                                                                   const int side,
                                                                   uint16_t *restrict mean)
{
    const uint64_t halves = UINT64_C(0x0000FFFF0000FFFF);
    const uint32_t n = (uint32_t)(side * side);

    for (int u = 0; u < n_cols; u++) {
        uint64_t sums = 0;

        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x += 4) {
                uint64_t four;

                memcpy(&four, p + (size_t)y * (size_t)width + u * side + x, sizeof four);
                sums += (four & halves) + (four >> 16 & halves);
            }
        mean[u] = (uint16_t)(((uint32_t)sums + (uint32_t)(sums >> 32) + n / 2) / n);
    }
}

/* The n rows of blocks from j (from the top) of one class's probability, n <= TILE_ROWS. */
static inline void downsample_class(const struct stixels_input *in, int frame, int k, int j,
                                    int n, struct blocks *blocks, uint32_t *restrict sum,
                                    uint16_t *restrict tile)
{
    const int width = in->width, n_cols = in->n_cols, cols = in->block_cols;
    const uint32_t n_block = (uint32_t)(in->block_rows * cols);
    const int is_power = (n_block & (n_block - 1)) == 0;
    const size_t n_rows = (size_t)in->n_rows, n_classes = (size_t)in->n_classes;

    for (int i = 0; i < n; i++) {
        const uint16_t *const top =
            in->probability + (((size_t)frame * n_classes + (size_t)k) * (size_t)in->height +
                               (size_t)(j + i) * (size_t)in->block_rows) *
                                  (size_t)width;
        uint16_t *const mean =
            tile + (size_t)(n - 1 - i) * (size_t)n_cols; /* v grows upwards */

        if (HAS_WIDE_VECTORS && cols == in->block_rows && (cols == 4 || cols == 8)) {
            if (cols == 4)
                means_of_squares(top, n_cols, width, 4, mean);
            else
                means_of_squares(top, n_cols, width, 8, mean);
            continue;
        }
        sum_rows(top, in->block_rows, width, sum);
        if (cols == 8 && is_power)
            means_of(sum, n_cols, 8, n_block, 1, mean);
        else if (cols == 4 && is_power)
            means_of(sum, n_cols, 4, n_block, 1, mean);
        else
            means_of(sum, n_cols, cols, n_block, 0, mean);
    }
    for (int u = 0; u < n_cols; u++) {
        uint16_t *restrict const to =
            blocks->probability +
            (((size_t)frame * (size_t)n_cols + (size_t)u) * n_classes + (size_t)k) * n_rows +
            (n_rows - (size_t)(j + n));

        for (int i = 0; i < n; i++)
            to[i] = tile[(size_t)i * (size_t)n_cols + (size_t)u];
    }
}

#endif
