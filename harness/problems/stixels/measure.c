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
 *     pixels_per_stixel     of the pixels in whole blocks, as every other value
 *     block_rows            rows of blocks in a column
 *     dropped_pct           of all pixels those beyond the last whole block, which are in no
 *                           stixel and in no value (rows without this value have them in
 *                           pixels_per_stixel)
 *     object_pct, ground_pct, sky_pct
 *                           pixels in stixels of that geometry
 *     invalid_pct           pixels without a disparity in the input
 *     mean_energy           nat, mean over columns of the sum of a column's costs
 *     energy_excess_pct     what the cuts, geometries and classes cost in exact arithmetic
 *                           (stixels_energy), above the reference's energy; of models that it
 *                           knows
 *     cut_candidates_pct    rows at which the variant has tried to cut, of all block rows;
 *                           absent where it has tried all
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
 * Pixels are those in whole blocks.  A value without a denominator is absent: those of truth
 * where there is no truth pixel, IoU without true classes or without semantic input.
 */

#include "harness/base/memory.h"
#include "harness/base/sums.h"
#include "harness/problems/outlier.h"
#include "harness/problems/stixels/energy.h"
#include "harness/problems/stixels/general.h"
#include "harness/problems/stixels/stixels.h"

#include <assert.h>
#include <math.h>

#define Q8 256.0 /* units of disparity per pixel */

#define UNLABELLED 255

#define N_DEPTH_SUMS 7 /* six of struct stixels_sums, and the rows with a disparity */
static_assert(sizeof(struct stixels_sums) == (N_DEPTH_SUMS - 1) * sizeof(int64_t),
              "sums_written counts the sums");

/* Counts of labelled pixels by class. */
struct classes {
    uint64_t hit[STIXELS_MAX_CLASSES], true_[STIXELS_MAX_CLASSES], found[STIXELS_MAX_CLASSES];
};

/* Sums over images, of one input while they are taken, of all when values are made: whole
 * numbers, and others.  off_input: pixels that are outliers against the input; truth: those
 * that have one; measured: of these, where the input has a disparity, too. */
/* clang-format off */
#define WHOLES(X)                                                                        \
    X(images) X(columns) X(stixels) X(differing) X(pixels) X(dropped) X(invalid)         \
    X(values_read) X(means_written) X(sums_written) X(candidates) X(row_terms)           \
    X(off_input) X(truth) X(measured) X(rows) X(tried)
#define REALS(X) /* px^2, nat thrice, px, px^2 */                                        \
    X(error2_to_input) X(energy) X(excess) X(expected) X(abs_error) X(error2)

struct sums {
    WHOLES(SUMS_WHOLE) REALS(SUMS_REAL)
    uint64_t pixels_of[STIXELS_N_GEOMETRIES];
    uint64_t outliers[N_OUTLIER_RULES];
    uint64_t input_outliers[N_OUTLIER_RULES]; /* of 'measured' */
    struct classes found, input; /* of the stixels, of the input */
};

static const struct bench_member members[] = {
#define CLASSES(member) \
    SUMS_IS_WHOLE(member.hit) SUMS_IS_WHOLE(member.true_) SUMS_IS_WHOLE(member.found)
    WHOLES(SUMS_IS_WHOLE) REALS(SUMS_IS_REAL) SUMS_IS_WHOLE(pixels_of) SUMS_IS_WHOLE(outliers)
    SUMS_IS_WHOLE(input_outliers) CLASSES(found) CLASSES(input) {NULL, 0, 0, false}};
/* clang-format on */

/* Each image has, beside these, its pixels with a truth, and its outliers. */
static const char *const image_truth = "image_truth";
static const char *const image_outliers[N_OUTLIER_RULES] = {"image_outliers",
                                                            "image_outliers_or"};

/* ---- sums -------------------------------------------------------------------------------- */

static void count_outliers(uint64_t n[N_OUTLIER_RULES], double error, double truth_px)
{
    for (int r = 0; r < N_OUTLIER_RULES; r++)
        n[r] += (uint64_t)is_outlier(error, truth_px, (enum outlier_rule)r);
}

static void add_depth(struct sums *sums, const uint16_t *truth, const uint16_t *input,
                      const float *disparity_px, size_t n_pixels)
{
    for (size_t i = 0; i < n_pixels; i++) {
        const double truth_px = truth[i] / Q8;
        double error;

        if (truth[i] == STIXELS_INVALID)
            continue;
        error = fabs((double)disparity_px[i] - truth_px);
        sums->truth++;
        sums->abs_error += error;
        sums->error2 += error * error;
        count_outliers(sums->outliers, error, truth_px);
        if (input[i] == STIXELS_INVALID)
            continue;
        error = fabs(input[i] / Q8 - truth_px);
        sums->measured++;
        count_outliers(sums->input_outliers, error, truth_px);
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
        sums->off_input += (uint64_t)is_outlier(error, input[i] / Q8, OUTLIER_AND);
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

static void add_classes(struct sums *sums, const struct stixels_input *in,
                        const uint8_t *semantic, int frame)
{
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;
    const uint8_t *const truth = in->truth_class + (size_t)frame * n_pixels;
    const uint16_t *const probability =
        in->probability + (size_t)frame * (size_t)in->n_classes * n_pixels;

    for (size_t i = 0; i < n_pixels; i++) {
        if (truth[i] == UNLABELLED)
            continue;
        assert(truth[i] < in->n_classes);
        add_class(&sums->found, truth[i], semantic[i]);
        add_class(&sums->input, truth[i],
                  likeliest_class(probability, n_pixels, i, in->n_classes));
    }
}

/* Adds what a column's cuts cost above the reference's energy, and that energy. */
static void add_excess(struct sums *sums, const struct stixels_input *in, size_t c,
                       const struct stixel *found, int n_found, const struct stixel *expected,
                       int n_expected)
{
    struct stixels_part parts[STIXELS_MAX_ROWS];
    double energy = 0;

    for (int i = 0; i < n_expected; i++)
        energy += (double)expected[i].cost;
    sums->expected += energy;
    stixels_energy(in, (int)(c / (size_t)in->n_cols), (int)(c % (size_t)in->n_cols), found,
                   n_found, parts);
    for (int i = 0; i < n_found; i++) /* with grounds that float has put a little too near */
        sums->excess += parts[i].cost;
    sums->excess -= energy;
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

        sums->differing += !stixels_same_cuts(expected, n_expected, found, n_found);
        sums->tried += found[0].reserved;
        if (!stixels_needs_general(&in->model[0]))
            add_excess(sums, in, c, found, n_found, expected, n_expected);
    }
    for (int32_t i = 0; i < out->first[n_columns]; i++) {
        const struct stixel *const s = &out->list[i];

        sums->pixels_of[s->geometry] += (uint64_t)(s->v_top - s->v_bottom + 1) * block;
        sums->energy += (double)s->cost;
    }
    sums->columns += n_columns;
    sums->rows += n_columns * (uint64_t)in->n_rows;
    sums->stixels += (uint64_t)out->first[n_columns];
}

/* Adds the work of one frame.  All its columns have its horizon, and may have the same
 * stixels. */
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
    sums->values_read += n_planes * (uint64_t)in->height * (uint64_t)in->width;
    sums->means_written += n_planes * n_blocks;
    sums->sums_written += n_blocks * (n_depth_sums + (uint64_t)in->n_classes);
    sums->candidates += n_cols * n_candidates;
    sums->row_terms += n_cols * n_row_terms;
}

static void add_frame(struct sums *sums, const struct stixels_input *in,
                      const struct stixels_output *out, int frame, float *disparity_px,
                      uint8_t *semantic)
{
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;
    const uint16_t *const disparity = in->disparity + (size_t)frame * n_pixels;

    add_work(sums, in, frame);
    sums->images++;
    sums->pixels += n_pixels;
    sums->dropped += in->dropped_pixels;
    for (size_t i = 0; i < n_pixels; i++)
        sums->invalid += disparity[i] == STIXELS_INVALID;
    stixels_reconstruct(in, out, frame, disparity_px, semantic);
    add_fit(sums, disparity, disparity_px, n_pixels);
    if (in->truth)
        add_depth(sums, in->truth + (size_t)frame * n_pixels, disparity, disparity_px,
                  n_pixels);
    if (in->truth_class && in->n_classes > 0)
        add_classes(sums, in, semantic, frame);
}

/* Adds what an image adds to the outliers of the images of its input before it. */
static void add_image(struct bench_sums *sums, int image, const struct sums *before,
                      const struct sums *with)
{
    bench_sums_add(sums, image_truth, image, (bench_wide)(with->truth - before->truth));
    for (int r = 0; r < N_OUTLIER_RULES; r++)
        bench_sums_add(sums, image_outliers[r], image,
                       (bench_wide)(with->outliers[r] - before->outliers[r]));
}

enum bench_status stixels_sum(const void *input, const void *reference, const void *output,
                              int first_frame, struct bench_sums *sums)
{
    const struct stixels_input *const in = input;
    struct sums own = {0};
    OWNED(memory_free) float *disparity_px = NULL;
    OWNED(memory_free) uint8_t *semantic = NULL;

    TRY(stixels_check_output(in, reference));
    TRY(stixels_check_output(in, output));
    add_columns(&own, in, output, reference);
    TRY(memory_allocate(&disparity_px, sizeof *disparity_px, in->height, in->width, 1, 1));
    TRY(memory_allocate(&semantic, sizeof *semantic, in->height, in->width, 1, 1));
    for (int f = 0; f < in->n_frames; f++) {
        const struct sums before = own;

        add_frame(&own, in, output, f, disparity_px, semantic);
        add_image(sums, first_frame + f, &before, &own);
    }
    bench_sums_pack(sums, members, &own);
    return bench_sums_ok(sums);
}

/* ---- values ------------------------------------------------------------------------------ */

static void write_percent(struct bench_sink *sink, const char *name, int index, uint64_t part,
                          uint64_t whole)
{
    if (whole > 0)
        bench_value(sink, name, index, 100 * (double)part / (double)whole, "%");
}

/* The rates of one rule, over all images and of each; its names. */
static void write_outliers(const struct sums *all, const struct bench_sums *sums,
                           enum outlier_rule rule, const char *const name[5],
                           struct bench_sink *sink)
{
    const uint64_t n_missing = all->truth - all->measured;
    double sum = 0;
    int n_rated = 0;

    write_percent(sink, name[0], -1, all->outliers[rule], all->truth);
    for (int i = 0; i < (int)all->images; i++) {
        const uint64_t n_truth = (uint64_t)bench_sums_get(sums, image_truth, i);
        const uint64_t n_wrong = (uint64_t)bench_sums_get(sums, image_outliers[rule], i);

        if (n_truth == 0)
            continue;
        write_percent(sink, name[1], i, n_wrong, n_truth);
        sum += 100 * (double)n_wrong / (double)n_truth;
        n_rated++;
    }
    if (n_rated > 0)
        bench_value(sink, name[2], -1, sum / n_rated, "%");
    write_percent(sink, name[3], -1, all->input_outliers[rule] + n_missing, all->truth);
    write_percent(sink, name[4], -1, all->input_outliers[rule], all->measured);
}

static void write_depth(const struct sums *all, const struct bench_sums *sums,
                        struct bench_sink *sink)
{
    static const char *const name[N_OUTLIER_RULES][5] = {
        {"d1_pct", "d1_image_pct", "d1_image_mean_pct", "input_d1_all_pct",
         "input_d1_valid_pct"},
        {"d1_or_pct", "d1_or_image_pct", "d1_or_image_mean_pct", "input_d1_or_all_pct",
         "input_d1_or_valid_pct"}};
    const double n_truth = (double)all->truth;

    for (int r = 0; r < N_OUTLIER_RULES; r++)
        write_outliers(all, sums, (enum outlier_rule)r, name[r], sink);
    write_percent(sink, "input_density_pct", -1, all->measured, all->truth);
    if (all->truth > 0) {
        bench_value(sink, "mean_abs_error_px", -1, all->abs_error / n_truth, "px");
        bench_value(sink, "rms_error_px", -1, sqrt(all->error2 / n_truth), "px");
    }
}

/* 'name' of the series, NULL: without it. */
static void write_iou(const struct classes *classes, const char *name, const char *name_mean,
                      const char *name_classes, struct bench_sink *sink)
{
    double sum = 0;
    int n_there = 0;

    for (int k = 0; k < STIXELS_MAX_CLASSES; k++) {
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

static void write_values(const struct sums *s, const struct bench_sums *sums,
                         struct bench_sink *sink)
{
    const double n_images = (double)s->images, n_columns = (double)s->columns;
    const double n_stixels = (double)s->stixels, n_pixels = (double)s->pixels;
    const double n_values = (double)s->values_read, n_means = (double)s->means_written;
    const double outside = n_means + n_stixels, n_measured = n_pixels - (double)s->invalid;
    const struct {
        const char *name, *unit;
        double part, whole;
    } rows[] = {
        {"stixels", "", n_stixels, n_images},
        {"stixels_per_column", "", n_stixels, n_columns},
        {"pixels_per_stixel", "px", n_pixels, n_stixels},
        {"dropped_pct", "%", 100 * (double)s->dropped, n_pixels + (double)s->dropped},
        {"object_pct", "%", 100 * (double)s->pixels_of[STIXELS_OBJECT], n_pixels},
        {"ground_pct", "%", 100 * (double)s->pixels_of[STIXELS_GROUND], n_pixels},
        {"sky_pct", "%", 100 * (double)s->pixels_of[STIXELS_SKY], n_pixels},
        {"invalid_pct", "%", 100 * (double)s->invalid, n_pixels},
        {"mean_energy", "nat", s->energy, n_columns},
        {"block_rows", "", (double)s->rows, n_columns},
        {"columns_differing_pct", "%", 100 * (double)s->differing, n_columns},
        {"values_read", "", n_values, n_images},
        {"means_written", "", n_means, n_images},
        {"downsample_intensity", "", n_values, n_values + n_means},
        {"sums_written", "", (double)s->sums_written, n_images},
        {"candidates", "", (double)s->candidates, n_images},
        {"row_terms", "", (double)s->row_terms, n_images},
        {"e12_intensity", "", (double)s->candidates, outside},
        {"e6_intensity", "", (double)s->row_terms, outside},
    };

    write_depth(s, sums, sink);
    if (s->tried > 0)
        write_percent(sink, "cut_candidates_pct", -1, s->tried, s->rows);
    if (s->expected != 0 && isfinite(s->excess))
        bench_value(sink, "energy_excess_pct", -1, 100 * s->excess / fabs(s->expected), "%");
    if (n_measured > 0) {
        bench_value(sink, "d1_to_input_pct", -1, 100 * (double)s->off_input / n_measured, "%");
        bench_value(sink, "rms_to_input_px", -1, sqrt(s->error2_to_input / n_measured), "px");
    }
    write_iou(&s->found, "iou_pct", "iou_mean_pct", "iou_classes", sink);
    write_iou(&s->input, NULL, "input_iou_mean_pct", "input_iou_classes", sink);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bench_value(sink, rows[i].name, -1, rows[i].part / rows[i].whole, rows[i].unit);
}

enum bench_status stixels_values(const struct bench_sums *sums, struct bench_sink *sink)
{
    struct sums all = {0};

    bench_sums_unpack(sums, members, &all);
    write_values(&all, sums, sink);
    return BENCH_OK;
}
