/*
 * measure.c - the values of stixels that are no time, over all images of the inputs
 *
 * Source: [STX] sect. 5.1.2 (outliers, IoU, pixels per stixel), Tables 2 and 3, Figs. 4, 5 and
 *         7; the outliers of outlier.h.
 *
 * Outliers.  d1 is KITTI's, "and"; what [STX] prints, "or", stands beside it, as d1_or.  The
 * error is |disparity - truth| at the pixel, disparity being what stixels_reconstruct() says.
 * Pixels without truth are skipped (a data set's 0 has become that on reading).
 *
 *     d1_pct                outliers among the truth pixels of all images together
 *     d1_image_pct[i]       the same in image i, which counts the frames of all inputs from 0
 *     d1_image_mean_pct     mean of that over images
 *     input_d1_all_pct      outliers of the disparity that came in; where it has none it is one
 *     input_d1_valid_pct    the same among the truth pixels at which it has one
 *     d1_or_pct, d1_or_image_pct[i], d1_or_image_mean_pct, input_d1_or_all_pct,
 *     input_d1_or_valid_pct these with "or"
 *     input_density_pct     truth pixels at which the input has a disparity
 *     mean_abs_error_px, rms_error_px
 *                           of the stixels, over the truth pixels of all images together
 *     d1_to_input_pct       outliers of the stixels where the input is taken for the truth,
 *                           among the pixels at which it has a disparity; rdp has the same
 *                           value
 *     rms_to_input_px       ... and the error there, which rdp calls rms_error_px
 *     iou_pct[k]            of class k: TP / (TP + FP + FN) of the stixels' classes, counted
 *                           over all images together; unlabelled pixels are left out, a pixel
 *                           whose stixel has no class is FN
 *     iou_mean_pct          mean of that over the classes that are true or found anywhere ...
 *     iou_classes           ... and how many these are
 *     input_iou_mean_pct, input_iou_classes
 *                           the same for each pixel's likeliest class in the input, the
 *                           smallest id among equals
 *     stixels               mean over images
 *     stixels_per_column    mean over columns
 *     pixels_per_stixel     all pixels of the images, those beyond the last whole block, too
 *     object_pct, ground_pct, sky_pct
 *                           pixels in stixels of that geometry
 *     invalid_pct           pixels without a disparity in the input
 *     mean_energy           nat, mean over columns of the sum of a column's costs
 *     columns_differing_pct columns with other cuts, geometries or classes than the reference
 *
 * Work [STX Figs. 4 and 5], mean over images.  What the definition in stixels.h asks for,
 * whatever the variant; values are counted, not bytes, and planes are disparity, confidence and
 * one for each class of the semantic input.
 *
 *     values_read           of all planes: the pixels in whole blocks
 *     means_written         of all planes: the blocks
 *     downsample_intensity  additions (one for each value read) for each value read or written
 *     sums_written          sums over rows, one set for each block: six (struct stixels_sums),
 *                           one of the rows with a disparity, one for each class; of a flat
 *                           model two for the mean, one for ground, sky and each whole
 *                           disparity of an object, one for each class
 *     candidates            rows v_b .. v_t as each geometry that they may be: stixels whose
 *                           energy is looked at
 *     row_terms             the rows of all candidates: what eq. 6 sums, where eq. 12 takes
 *                           differences of sums
 *     e12_intensity, e6_intensity
 *                           candidates, and row_terms, for each value that all stages after the
 *                           down-sampling must read or write together: the means and the
 *                           stixels
 *
 * Pixels are those in whole blocks, but for pixels_per_stixel.  A value without a denominator
 * is absent: those of truth where there is no truth pixel, IoU without true classes or without
 * semantic input.
 */

#include "harness/problems/outlier.h"
#include "harness/problems/stixels/general.h"
#include "harness/problems/stixels/stixels.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define Q8 256.0 /* units of disparity per pixel */

#define UNLABELLED 255

#define N_DEPTH_SUMS 7 /* six of struct stixels_sums, and the rows with a disparity */
static_assert(sizeof(struct stixels_sums) == (N_DEPTH_SUMS - 1) * sizeof(int64_t),
              "sums_written counts the sums");

/* Counts of pixels that have a true disparity. */
struct depth {
    uint64_t n_truth, n_measured; /* the input has a disparity, too */
    uint64_t n_outliers[N_OUTLIER_RULES],
        n_input_outliers[N_OUTLIER_RULES]; /* the latter among n_measured */
    double abs_error, error2;              /* px */
};

/* Counts of labelled pixels by class. */
struct classes {
    uint64_t hit[STIXELS_MAX_CLASSES], true_[STIXELS_MAX_CLASSES], found[STIXELS_MAX_CLASSES];
};

/* Sums over images; whole numbers are kept exact. */
struct sums {
    uint64_t n_images, n_columns, n_stixels, n_differing;
    uint64_t n_pixels, n_dropped, n_invalid;
    uint64_t n_values, n_means, n_sums, n_candidates, n_row_terms;
    uint64_t n_pixels_of[STIXELS_N_GEOMETRIES];
    uint64_t n_off_input;   /* pixels that are outliers against the input */
    double error2_to_input; /* px^2 */
    double energy;
    int n_classes; /* 0: no image has both semantic input and true classes */
    struct classes stixels, input;
    struct depth *image; /* [n_images], owned */
    float *disparity_px; /* [pixels of the largest image], scratch, owned */
    uint8_t *semantic;   /* the same */
};

/* ---- sums -------------------------------------------------------------------------------- */

static void count_outliers(uint64_t n[N_OUTLIER_RULES], double error, double truth_px)
{
    for (int r = 0; r < N_OUTLIER_RULES; r++)
        n[r] += (uint64_t)is_outlier(error, truth_px, (enum outlier_rule)r);
}

static void add_depth(struct depth *depth, const uint16_t *truth, const uint16_t *input,
                      const float *disparity_px, size_t n_pixels)
{
    for (size_t i = 0; i < n_pixels; i++) {
        const double truth_px = truth[i] / Q8;
        double error;

        if (truth[i] == STIXELS_INVALID)
            continue;
        error = fabs((double)disparity_px[i] - truth_px);
        depth->n_truth++;
        depth->abs_error += error;
        depth->error2 += error * error;
        count_outliers(depth->n_outliers, error, truth_px);
        if (input[i] == STIXELS_INVALID)
            continue;
        error = fabs(input[i] / Q8 - truth_px);
        depth->n_measured++;
        count_outliers(depth->n_input_outliers, error, truth_px);
    }
}

/* The stixels against what they were made of. */
static void add_fit(struct sums *sums, const uint16_t *input, const float *disparity_px,
                    size_t n_pixels)
{
    for (size_t i = 0; i < n_pixels; i++) {
        double error;

        if (input[i] == STIXELS_INVALID)
            continue;
        error = fabs((double)disparity_px[i] - input[i] / Q8);
        sums->n_off_input += (uint64_t)is_outlier(error, input[i] / Q8, OUTLIER_AND);
        sums->error2_to_input += error * error;
    }
}

static void add_class(struct classes *classes, int true_class, int found)
{
    classes->true_[true_class]++;
    if (found != STIXELS_NO_CLASS)
        classes->found[found]++;
    classes->hit[true_class] += found == true_class;
}

static int likeliest_class(const uint16_t *probability, size_t n_pixels, size_t pixel,
                           int n_classes)
{
    int best = 0;

    for (int k = 1; k < n_classes; k++)
        if (probability[(size_t)k * n_pixels + pixel] >
            probability[(size_t)best * n_pixels + pixel])
            best = k;
    return best;
}

static enum bench_status add_classes(struct sums *sums, const struct stixels_input *in,
                                     int frame)
{
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;
    const uint8_t *const truth = in->truth_class + (size_t)frame * n_pixels;
    const uint16_t *const probability =
        in->probability + (size_t)frame * (size_t)in->n_classes * n_pixels;

    for (size_t i = 0; i < n_pixels; i++) {
        if (truth[i] == UNLABELLED)
            continue;
        if (truth[i] >= in->n_classes)
            return BENCH_FAIL(BENCH_EINPUT,
                              "frame %d has the true class %d, expected 0 to %d or %d", frame,
                              truth[i], in->n_classes - 1, UNLABELLED);
        add_class(&sums->stixels, truth[i], sums->semantic[i]);
        add_class(&sums->input, truth[i],
                  likeliest_class(probability, n_pixels, i, in->n_classes));
    }
    return BENCH_OK;
}

static void add_columns(struct sums *sums, const struct stixels_input *in,
                        const struct stixels_output *out,
                        const struct stixels_output *reference)
{
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    const uint64_t block = (uint64_t)in->block_rows * (uint64_t)in->block_cols;

    for (size_t c = 0; c < n_columns; c++) {
        const struct stixel *found, *expected;
        const int n_found = stixels_column(out, c, &found);
        const int n_expected = stixels_column(reference, c, &expected);

        sums->n_differing += !stixels_same_cuts(expected, n_expected, found, n_found);
    }
    for (int32_t i = 0; i < out->first[n_columns]; i++) {
        const struct stixel *const s = &out->list[i];

        sums->n_pixels_of[s->geometry] += (uint64_t)(s->v_top - s->v_bottom + 1) * block;
        sums->energy += (double)s->cost;
    }
    sums->n_columns += n_columns;
    sums->n_stixels += (uint64_t)out->first[n_columns];
}

/* Of one frame.  The horizon, and with it what a stixel may be, is that of all its columns. */
static void add_work(struct sums *sums, const struct stixels_input *in, int frame)
{
    const uint64_t n_cols = (uint64_t)in->n_cols, n_blocks = n_cols * (uint64_t)in->n_rows;
    const uint64_t n_planes = 2 + (uint64_t)in->n_classes;
    const uint64_t n_depth_sums = in->model[frame].flat
                                      ? 4 + (uint64_t)stixels_n_disparities(&in->model[frame])
                                      : N_DEPTH_SUMS;
    uint64_t n_candidates = 0, n_row_terms = 0;

    for (int v_b = 0; v_b < in->n_rows; v_b++)
        for (int v_t = v_b; v_t < in->n_rows; v_t++)
            for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
                if (stixels_may_be_in(&in->model[frame], g, v_b, v_t, in->n_rows)) {
                    n_candidates++;
                    n_row_terms += (uint64_t)(v_t - v_b + 1);
                }
    sums->n_values += n_planes * (uint64_t)in->height * (uint64_t)in->width;
    sums->n_means += n_planes * n_blocks;
    sums->n_sums += n_blocks * (n_depth_sums + (uint64_t)in->n_classes);
    sums->n_candidates += n_cols * n_candidates;
    sums->n_row_terms += n_cols * n_row_terms;
}

static enum bench_status add_input(struct sums *sums, const struct stixels_input *in,
                                   const struct stixels_output *out,
                                   const struct stixels_output *reference)
{
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;
    const int has_classes = in->truth_class && in->n_classes > 0;

    TRY(stixels_check_output(in, reference));
    TRY(stixels_check_output(in, out));
    add_columns(sums, in, out, reference);
    for (int f = 0; f < in->n_frames; f++) {
        const uint16_t *const disparity = in->disparity + (size_t)f * n_pixels;

        add_work(sums, in, f);
        sums->n_pixels += n_pixels;
        sums->n_dropped += in->dropped_pixels;
        for (size_t i = 0; i < n_pixels; i++)
            sums->n_invalid += disparity[i] == STIXELS_INVALID;
        stixels_reconstruct(in, out, f, sums->disparity_px, sums->semantic);
        add_fit(sums, disparity, sums->disparity_px, n_pixels);
        if (in->truth)
            add_depth(&sums->image[sums->n_images], in->truth + (size_t)f * n_pixels, disparity,
                      sums->disparity_px, n_pixels);
        if (has_classes)
            TRY(add_classes(sums, in, f));
        sums->n_images++;
    }
    if (has_classes && in->n_classes > sums->n_classes)
        sums->n_classes = in->n_classes;
    return BENCH_OK;
}

/* ---- values ------------------------------------------------------------------------------ */

static void write_percent(struct bench_sink *sink, const char *name, int index, uint64_t part,
                          uint64_t whole)
{
    if (whole > 0)
        bench_value(sink, name, index, 100 * (double)part / (double)whole, "%");
}

/* The rates of one rule; its names. */
static void write_outliers(const struct sums *sums, const struct depth *all,
                           enum outlier_rule rule, const char *const name[5],
                           struct bench_sink *sink)
{
    const uint64_t n_missing = all->n_truth - all->n_measured;
    double sum = 0;
    int n_rated = 0;

    write_percent(sink, name[0], -1, all->n_outliers[rule], all->n_truth);
    for (uint64_t i = 0; i < sums->n_images; i++) {
        const struct depth *const image = &sums->image[i];

        if (image->n_truth == 0)
            continue;
        write_percent(sink, name[1], (int)i, image->n_outliers[rule], image->n_truth);
        sum += 100 * (double)image->n_outliers[rule] / (double)image->n_truth;
        n_rated++;
    }
    if (n_rated > 0)
        bench_value(sink, name[2], -1, sum / n_rated, "%");
    write_percent(sink, name[3], -1, all->n_input_outliers[rule] + n_missing, all->n_truth);
    write_percent(sink, name[4], -1, all->n_input_outliers[rule], all->n_measured);
}

static void write_depth(const struct sums *sums, struct bench_sink *sink)
{
    static const char *const name[N_OUTLIER_RULES][5] = {
        {"d1_pct", "d1_image_pct", "d1_image_mean_pct", "input_d1_all_pct",
         "input_d1_valid_pct"},
        {"d1_or_pct", "d1_or_image_pct", "d1_or_image_mean_pct", "input_d1_or_all_pct",
         "input_d1_or_valid_pct"}};
    struct depth all = {0};

    for (uint64_t i = 0; i < sums->n_images; i++) {
        const struct depth *const image = &sums->image[i];

        all.n_truth += image->n_truth;
        all.n_measured += image->n_measured;
        for (int r = 0; r < N_OUTLIER_RULES; r++) {
            all.n_outliers[r] += image->n_outliers[r];
            all.n_input_outliers[r] += image->n_input_outliers[r];
        }
        all.abs_error += image->abs_error;
        all.error2 += image->error2;
    }
    for (int r = 0; r < N_OUTLIER_RULES; r++)
        write_outliers(sums, &all, (enum outlier_rule)r, name[r], sink);
    write_percent(sink, "input_density_pct", -1, all.n_measured, all.n_truth);
    if (all.n_truth > 0) {
        bench_value(sink, "mean_abs_error_px", -1, all.abs_error / (double)all.n_truth, "px");
        bench_value(sink, "rms_error_px", -1, sqrt(all.error2 / (double)all.n_truth), "px");
    }
}

/* 'name' of the series, NULL: without it. */
static void write_iou(const struct classes *classes, int n_classes, const char *name,
                      const char *name_mean, const char *name_classes, struct bench_sink *sink)
{
    double sum = 0;
    int n_there = 0;

    for (int k = 0; k < n_classes; k++) {
        const uint64_t either = classes->true_[k] + classes->found[k] - classes->hit[k];

        if (either == 0)
            continue;
        n_there++;
        sum += 100 * (double)classes->hit[k] / (double)either;
        if (name)
            write_percent(sink, name, k, classes->hit[k], either);
    }
    if (n_there == 0)
        return;
    bench_value(sink, name_mean, -1, sum / n_there, "%");
    bench_value(sink, name_classes, -1, n_there, "");
}

static void write_values(const struct sums *s, struct bench_sink *sink)
{
    const double n_images = (double)s->n_images, n_columns = (double)s->n_columns;
    const double n_stixels = (double)s->n_stixels, n_pixels = (double)s->n_pixels;
    const double n_values = (double)s->n_values, n_means = (double)s->n_means;
    const double outside = n_means + n_stixels, n_measured = n_pixels - (double)s->n_invalid;
    const struct {
        const char *name, *unit;
        double part, whole;
    } rows[] = {
        {"stixels", "", n_stixels, n_images},
        {"stixels_per_column", "", n_stixels, n_columns},
        {"pixels_per_stixel", "px", (double)(s->n_pixels + s->n_dropped), n_stixels},
        {"object_pct", "%", 100 * (double)s->n_pixels_of[STIXELS_OBJECT], n_pixels},
        {"ground_pct", "%", 100 * (double)s->n_pixels_of[STIXELS_GROUND], n_pixels},
        {"sky_pct", "%", 100 * (double)s->n_pixels_of[STIXELS_SKY], n_pixels},
        {"invalid_pct", "%", 100 * (double)s->n_invalid, n_pixels},
        {"mean_energy", "nat", s->energy, n_columns},
        {"columns_differing_pct", "%", 100 * (double)s->n_differing, n_columns},
        {"values_read", "", n_values, n_images},
        {"means_written", "", n_means, n_images},
        {"downsample_intensity", "", n_values, n_values + n_means},
        {"sums_written", "", (double)s->n_sums, n_images},
        {"candidates", "", (double)s->n_candidates, n_images},
        {"row_terms", "", (double)s->n_row_terms, n_images},
        {"e12_intensity", "", (double)s->n_candidates, outside},
        {"e6_intensity", "", (double)s->n_row_terms, outside},
    };

    write_depth(s, sink);
    if (n_measured > 0) {
        bench_value(sink, "d1_to_input_pct", -1, 100 * (double)s->n_off_input / n_measured,
                    "%");
        bench_value(sink, "rms_to_input_px", -1, sqrt(s->error2_to_input / n_measured), "px");
    }
    write_iou(&s->stixels, s->n_classes, "iou_pct", "iou_mean_pct", "iou_classes", sink);
    write_iou(&s->input, s->n_classes, NULL, "input_iou_mean_pct", "input_iou_classes", sink);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bench_value(sink, rows[i].name, -1, rows[i].part / rows[i].whole, rows[i].unit);
}

enum bench_status stixels_measure(const struct bench_params *params, const void *const *inputs,
                                  const void *const *references, const void *const *outputs,
                                  int n, struct bench_sink *sink)
{
    struct sums sums = {0};
    enum bench_status status = BENCH_OK;
    size_t n_images = 0, n_pixels = 1;

    (void)params;
    if (n < 1)
        return BENCH_FAIL(BENCH_EINPUT, "stixels measures at least one input, found %d", n);
    for (int k = 0; k < n; k++) {
        const struct stixels_input *const in = inputs[k];
        const size_t pixels = (size_t)in->height * (size_t)in->width;

        n_images += (size_t)in->n_frames;
        n_pixels = pixels > n_pixels ? pixels : n_pixels;
    }
    sums.image = calloc(n_images + 1, sizeof *sums.image);
    sums.disparity_px = calloc(n_pixels, sizeof *sums.disparity_px);
    sums.semantic = malloc(n_pixels);
    if (!sums.image || !sums.disparity_px || !sums.semantic)
        status = BENCH_FAIL(BENCH_ENOMEM, "no memory for the errors of %zu images", n_images);
    for (int k = 0; k < n && status == BENCH_OK; k++)
        status = add_input(&sums, inputs[k], outputs[k], references[k]);
    if (status == BENCH_OK)
        write_values(&sums, sink);
    free(sums.image);
    free(sums.disparity_px);
    free(sums.semantic);
    return status;
}
