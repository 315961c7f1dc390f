/*
 * measure.c - the values of sgm that are no time, over all frames of the inputs given
 *
 * Source: outliers as outlier.h says; filling as KITTI's development kit.
 *
 *     density_pct         pixels with a disparity
 *     d1_pct, bad2_pct    pixels with a truth that are outliers, or off by more than 2 px, when
 *                         invalid ones are filled; one in a row without any is wrong
 *     d1_valid_pct, bad2_valid_pct, mean_abs_error_px
 *                         of those that have a disparity
 *
 * A pair whose views are swapped, or do not belong together, matches almost nowhere.
 */
#include "harness/base/memory.h"
#include "harness/base/sums.h"
#include "harness/problems/outlier.h"
#include "harness/problems/sgm/sgm.h"

#include <math.h>

/* truth: pixels with one; of these answered, and wrong: when filled, and of the answered. */
/* clang-format off */
#define WHOLES(X)                                       \
    X(pixels) X(valid) X(truth) X(answered) X(off)      \
    X(bad2) X(valid_off) X(valid_bad2)
#define REALS(X)  X(abs_error) /* px */

struct sums {
    WHOLES(SUMS_WHOLE) REALS(SUMS_REAL)
};

static const struct bench_member members[] = {
    WHOLES(SUMS_IS_WHOLE) REALS(SUMS_IS_REAL) {NULL, 0, 0, false}};
/* clang-format on */

/* Fills invalid pixels as KITTI's development kit does: each run of a row with the smaller of
 * the two disparities beside it, or the one that there is; a row without any stays as it is. */
static void fill_row(uint16_t *row, int n_cols)
{
    for (int x = 0, end; x < n_cols; x = end + 1) {
        uint16_t before, after;

        while (x < n_cols && row[x] != SGM_INVALID)
            x++;
        for (end = x; end < n_cols && row[end] == SGM_INVALID;)
            end++;
        /* SGM_INVALID is the largest */
        before = x > 0 ? row[x - 1] : SGM_INVALID;
        after = end < n_cols ? row[end] : SGM_INVALID;
        for (int i = x; i < end; i++)
            row[i] = before < after ? before : after;
    }
}

static void add_pixel(struct sums *sums, uint16_t found, uint16_t filled, uint16_t truth)
{
    const double px = truth / (double)SGM_SCALE,
                 error = filled == SGM_INVALID ? HUGE_VAL
                                               : fabs((double)filled - truth) / SGM_SCALE;
    const uint64_t is_off = is_outlier(error, px, OUTLIER_AND) != 0, is_bad = error > 2;

    sums->truth++;
    sums->off += is_off;
    sums->bad2 += is_bad;
    if (found == SGM_INVALID)
        return;
    sums->answered++;
    sums->valid_off += is_off;
    sums->valid_bad2 += is_bad;
    sums->abs_error += error;
}

/* Refuses what no pair is: of pixels that have all disparities to choose from, more than half
 * fail the check. */
static enum bench_status check_pair(const struct sgm_input *in, const uint16_t *disparity,
                                    int frame)
{
    size_t n = 0, n_failed = 0;

    /* (most pixels have a rival within a half of their best) */
    for (int y = 0; in->lr_check >= 0 && in->uniqueness >= 90 && y < in->n_rows; y++)
        for (int x = in->n_disparities; x < in->n_cols; x++, n++)
            n_failed += disparity[(size_t)y * (size_t)in->n_cols + (size_t)x] == SGM_INVALID;
    REFUSE_IF(2 * n_failed > n,
              "frame %d: %.0f %% of the pixels fail the checks: are its views swapped, or not "
              "rectified?",
              frame + 1, 100 * (double)n_failed / (double)n);
    return BENCH_OK;
}

enum bench_status sgm_sum(const void *input, const void *reference, const void *output,
                          int first_frame, struct bench_sums *sums)
{
    const struct sgm_input *const in = input;
    const struct sgm_output *const out = output;
    const size_t n = sgm_frame_pixels(in);
    OWNED(memory_free) uint16_t *filled = NULL;
    struct sums own = {.pixels = (size_t)in->n_frames * n};

    (void)reference; /* always exact */
    TRY(memory_allocate(&filled, sizeof *filled, 1, 1, in->n_rows, in->n_cols));
    for (int k = 0; k < in->n_frames; k++) {
        const uint16_t *const found = out->disparity + (size_t)k * n;

        TRY(check_pair(in, found, first_frame + k));
        memcpy(filled, found, n * sizeof *filled);
        for (int y = 0; y < in->n_rows; y++)
            fill_row(filled + (size_t)y * (size_t)in->n_cols, in->n_cols);
        for (size_t i = 0; i < n; i++) {
            const uint16_t truth = in->truth ? in->truth[(size_t)k * n + i] : SGM_INVALID;

            own.valid += found[i] != SGM_INVALID;
            if (truth != SGM_INVALID)
                add_pixel(&own, found[i], filled[i], truth);
        }
    }
    bench_sums_pack(sums, members, &own);
    return bench_sums_ok(sums);
}

static double percent(uint64_t part, uint64_t all)
{
    return 100 * (double)part / (double)all;
}

enum bench_status sgm_values(const struct bench_sums *sums, struct bench_sink *sink)
{
    struct sums all = {0};

    bench_sums_unpack(sums, members, &all);
    bench_value(sink, "density_pct", -1, percent(all.valid, all.pixels), "%");
    if (all.truth > 0) {
        bench_value(sink, "d1_pct", -1, percent(all.off, all.truth), "%");
        bench_value(sink, "bad2_pct", -1, percent(all.bad2, all.truth), "%");
    }
    if (all.answered > 0) {
        bench_value(sink, "d1_valid_pct", -1, percent(all.valid_off, all.answered), "%");
        bench_value(sink, "bad2_valid_pct", -1, percent(all.valid_bad2, all.answered), "%");
        bench_value(sink, "mean_abs_error_px", -1, all.abs_error / (double)all.answered, "px");
    }
    return BENCH_OK;
}
