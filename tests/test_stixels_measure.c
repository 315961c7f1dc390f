/*
 * test_stixels_measure.c - the values of stixels against rates counted by hand
 *
 * Most images here have blocks of one pixel and one row, so that each pixel is a stixel whose
 * disparity the test chooses.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/problems/stixels/stixels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stixels_sink.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define UNKNOWN     STIXELS_INVALID
#define VOID_CLASS  255

static void assert_value(const struct bench_sink *sink, const char *name, int index,
                         double expected)
{
    const double *const value = find_value(sink, name, index);

    if (!value)
        fail_msg("there is no value %s[%d]", name, index);
    if (fabs(*value - expected) > 1e-12 * fmax(1, fabs(expected)))
        fail_msg("%s[%d] is %.17g, expected %.17g", name, index, *value, expected);
}

static void assert_absent(const struct bench_sink *sink, const char *name)
{
    for (int i = 0; i < sink->n; i++)
        if (!strcmp(sink->item[i].name, name))
            fail_msg("%s[%d] is %g, expected it absent", name, sink->item[i].index,
                     sink->item[i].value);
}

/* ---- images made here -------------------------------------------------------------------- */

struct shape {
    int n_frames, n_rows, n_cols, block_rows, block_cols, n_classes, truth, truth_class;
};

struct image {
    struct stixels_input *in;
    struct stixels_output *out;
};

/* No disparity, no truth, no label, all classes equally likely; each column an object of 0 px
 * from bottom to top. */
static struct image new_image(struct shape s)
{
    struct image image;
    size_t n_pixels, n_columns;

    assert_int_equal(stixels_input_new(s.n_frames, s.n_rows * s.block_rows,
                                       s.n_cols * s.block_cols, s.block_rows, s.block_cols,
                                       s.n_classes, s.truth, s.truth_class, &image.in),
                     BENCH_OK);
    n_pixels = (size_t)s.n_frames * (size_t)image.in->height * (size_t)image.in->width;
    n_columns = (size_t)s.n_frames * (size_t)s.n_cols;
    image.in->dropped_pixels = 0;
    memset(image.in->disparity, 0xFF, n_pixels * sizeof *image.in->disparity);
    memset(image.in->confidence, 0, n_pixels);
    memset(image.in->model, 0, (size_t)s.n_frames * sizeof *image.in->model);
    if (s.n_classes > 0)
        memset(image.in->probability, 0,
               n_pixels * (size_t)s.n_classes * sizeof *image.in->probability);
    if (s.truth)
        memset(image.in->truth, 0xFF, n_pixels * sizeof *image.in->truth);
    if (s.truth_class)
        memset(image.in->truth_class, VOID_CLASS, n_pixels);
    assert_int_equal(stixels_output_new(image.in, &image.out), BENCH_OK);
    memset(image.out->list, 0, n_columns * (size_t)s.n_rows * sizeof *image.out->list);
    for (size_t c = 0; c < n_columns; c++) {
        image.out->first[c] = (int32_t)c;
        image.out->list[c] = (struct stixel){.v_top = (uint16_t)(s.n_rows - 1),
                                             .geometry = STIXELS_OBJECT,
                                             .semantic = STIXELS_NO_CLASS};
    }
    image.out->first[n_columns] = (int32_t)n_columns;
    return image;
}

/* n pixels in a row, each its own column and stixel. */
static struct image new_row(int n, int n_classes, int truth, int truth_class)
{
    return new_image((struct shape){.n_frames = 1,
                                    .n_rows = 1,
                                    .n_cols = n,
                                    .block_rows = 1,
                                    .block_cols = 1,
                                    .n_classes = n_classes,
                                    .truth = truth,
                                    .truth_class = truth_class});
}

static void free_image(struct image *image)
{
    stixels_input_free(image->in);
    stixels_output_free(image->out);
}

/* The values of n images, each its own reference. */
static struct bench_sink measured(const struct image *image, int n)
{
    const void *inputs[8], *outputs[8];
    struct bench_sink sink = {0};

    assert_true(n <= 8);
    for (int i = 0; i < n; i++) {
        inputs[i] = image[i].in;
        outputs[i] = image[i].out;
    }
    assert_int_equal(measure_into_our_sink(NULL, inputs, outputs, outputs, n, &sink), BENCH_OK);
    return sink;
}

/* The output with 'change' made to it is refused with these words. */
static void assert_refused(const struct image *image, enum bench_status status,
                           const char *words)
{
    const void *const inputs[1] = {image->in}, *const outputs[1] = {image->out};
    struct bench_sink sink = {0};

    bench_failure_clear();
    assert_int_equal(measure_into_our_sink(NULL, inputs, outputs, outputs, 1, &sink), status);
    if (!strstr(bench_failure(), words))
        fail_msg("'%s' does not say '%s'", bench_failure(), words);
    assert_int_equal(sink.n, 0);
}

/* ---- outliers ---------------------------------------------------------------------------- */

#define PX 256

/* A disparity against a true one, in 1/256 px, and what each rule says. */
static const struct {
    int disparity, truth, is_and, is_or;
} pair[] = {
    {10 * PX, 10 * PX, 0, 0},
    {13 * PX, 10 * PX, 0, 1}, /* 3 px exactly; 30 % */
    {13 * PX + 1, 10 * PX, 1, 1},
    {7 * PX, 10 * PX, 0, 1},
    {7 * PX - 1, 10 * PX, 1, 1},
    {103 * PX, 100 * PX, 0, 0},     /* 3 px exactly; 3 % */
    {103 * PX + 1, 100 * PX, 0, 1}, /* above 3 px, not above 5 % */
    {105 * PX, 100 * PX, 0, 1},     /* 5 px and exactly 5 % */
    {105 * PX + 1, 100 * PX, 1, 1},
    {95 * PX, 100 * PX, 0, 1},
    {95 * PX - 1, 100 * PX, 1, 1},
    {63 * PX, 60 * PX, 0, 0}, /* exactly 3 px and exactly 5 % */
    {63 * PX + 1, 60 * PX, 1, 1},
    {10 * PX + 128, 10 * PX, 0, 0},     /* half a pixel and exactly 5 % */
    {10 * PX + 128 + 1, 10 * PX, 0, 1}, /* above 5 %, not above 3 px */
    {2, 1, 0, 1},
    {0, 3 * PX, 0, 1},
    {0, 3 * PX + 1, 1, 1},
    {0, 0, 0, 0}, /* infinitely far */
    {1, 0, 0, 1},
    {3 * PX, 0, 0, 1},
    {3 * PX + 1, 0, 1, 1},
};

static void outliers_one_by_one(void **state)
{
    (void)state;
    for (int i = 0; i < N_OF(pair); i++) {
        struct image image = new_row(1, 0, 1, 0);
        struct bench_sink sink;

        image.in->truth[0] = (uint16_t)pair[i].truth;
        image.out->list[0].a = (float)pair[i].disparity / PX;
        sink = measured(&image, 1);
        assert_value(&sink, "d1_pct", -1, 100 * pair[i].is_and);
        assert_value(&sink, "d1_or_pct", -1, 100 * pair[i].is_or);
        assert_value(&sink, "d1_image_mean_pct", -1, 100 * pair[i].is_and);
        assert_value(&sink, "d1_or_image_mean_pct", -1, 100 * pair[i].is_or);
        assert_value(&sink, "d1_image_pct", 0, 100 * pair[i].is_and);
        assert_value(&sink, "d1_or_image_pct", 0, 100 * pair[i].is_or);
        assert_value(&sink, "mean_abs_error_px", -1,
                     abs(pair[i].disparity - pair[i].truth) / 256.0);
        assert_value(&sink, "input_d1_all_pct", -1, 100); /* it has none */
        assert_value(&sink, "input_d1_or_all_pct", -1, 100);
        assert_value(&sink, "input_density_pct", -1, 0);
        assert_absent(&sink, "input_d1_valid_pct");
        assert_absent(&sink, "input_d1_or_valid_pct");
        free_image(&image);
    }
}

static void outliers_of_the_input_one_by_one(void **state)
{
    (void)state;
    for (int i = 0; i < N_OF(pair); i++) {
        struct image image = new_row(1, 0, 1, 0);
        struct bench_sink sink;

        image.in->truth[0] = (uint16_t)pair[i].truth;
        image.in->disparity[0] = (uint16_t)pair[i].disparity;
        image.out->list[0].a = (float)pair[i].truth / PX;
        sink = measured(&image, 1);
        assert_value(&sink, "input_d1_all_pct", -1, 100 * pair[i].is_and);
        assert_value(&sink, "input_d1_valid_pct", -1, 100 * pair[i].is_and);
        assert_value(&sink, "input_d1_or_all_pct", -1, 100 * pair[i].is_or);
        assert_value(&sink, "input_d1_or_valid_pct", -1, 100 * pair[i].is_or);
        assert_value(&sink, "input_density_pct", -1, 100);
        assert_value(&sink, "d1_pct", -1, 0);
        assert_value(&sink, "d1_or_pct", -1, 0);
        free_image(&image);
    }
}

/* Ten pixels: two without truth, of the other eight two without input. */
static void rates_of_a_row(void **state)
{
    static const struct {
        uint16_t truth, input;
        float disparity;
    } pixel[10] = {
        {20 * PX, 20 * PX, 20},
        {20 * PX, 24 * PX, 24},    /* input and, stixel and */
        {20 * PX, 22 * PX, 22},    /* both or */
        {UNKNOWN, 20 * PX, 90},    /* skipped */
        {20 * PX, UNKNOWN, 20},    /* no input */
        {0, 0, 0},                 /* sky */
        {0, 2 * PX, 0},            /* input or */
        {20 * PX, UNKNOWN, 30},    /* no input, stixel and */
        {UNKNOWN, UNKNOWN, 0},     /* skipped */
        {200 * PX, 206 * PX, 200}, /* 6 px, 3 %: input or */
    };
    struct image image = new_row(10, 0, 1, 0);
    struct bench_sink sink;

    (void)state;
    for (int i = 0; i < 10; i++) {
        image.in->truth[i] = pixel[i].truth;
        image.in->disparity[i] = pixel[i].input;
        image.out->list[i].a = pixel[i].disparity;
    }
    sink = measured(&image, 1);
    assert_value(&sink, "d1_pct", -1, 100 * 2 / 8.0);
    assert_value(&sink, "d1_or_pct", -1, 100 * 3 / 8.0);
    assert_value(&sink, "input_d1_all_pct", -1, 100 * 3 / 8.0);
    assert_value(&sink, "input_d1_valid_pct", -1, 100 * 1 / 6.0);
    assert_value(&sink, "input_d1_or_all_pct", -1, 100 * 6 / 8.0);
    assert_value(&sink, "input_d1_or_valid_pct", -1, 100 * 4 / 6.0);
    assert_value(&sink, "input_density_pct", -1, 100 * 6 / 8.0);
    assert_value(&sink, "invalid_pct", -1, 30);
    assert_value(&sink, "mean_abs_error_px", -1, (4 + 2 + 10) / 8.0);
    assert_value(&sink, "rms_error_px", -1, sqrt((16 + 4 + 100) / 8.0));
    /* against the input, of 7: only the 90 is off by "and" */
    assert_value(&sink, "d1_to_input_pct", -1, 100 * 1 / 7.0);
    assert_value(&sink, "rms_to_input_px", -1, sqrt((4900 + 4 + 36) / 7.0));
    free_image(&image);
}

/*
 * Three inputs: one of two frames (1 of 4 and none of 4 wrong), one without truth, one frame (1
 * of 1 wrong) whose other pixel has none.  An image without truth has an index and no rate.
 */
static void rates_of_several_images(void **state)
{
    struct image image[3] = {new_image((struct shape){.n_frames = 2,
                                                      .n_rows = 1,
                                                      .n_cols = 4,
                                                      .block_rows = 1,
                                                      .block_cols = 1,
                                                      .truth = 1}),
                             new_row(3, 0, 0, 0), new_row(2, 0, 1, 0)};
    struct bench_sink sink;

    (void)state;
    for (int i = 0; i < 8; i++) {
        image[0].in->truth[i] = (uint16_t)((i < 4 ? 50 : 80) * PX);
        image[0].in->disparity[i] = (uint16_t)((i < 4 ? 50 : 80) * PX);
        image[0].out->list[i].a = i == 2 ? 10 : i < 4 ? 50 : 80;
    }
    image[2].in->truth[1] = 50 * PX;
    image[2].out->list[1].a = 46; /* 4 px, 8 % */
    sink = measured(image, 3);
    assert_value(&sink, "d1_pct", -1, 100 * 2 / 9.0);
    assert_value(&sink, "d1_or_pct", -1, 100 * 2 / 9.0);
    assert_value(&sink, "d1_image_mean_pct", -1, (25 + 0 + 100) / 3.0);
    assert_value(&sink, "input_d1_valid_pct", -1, 0);
    assert_value(&sink, "input_density_pct", -1, 100 * 8 / 9.0);
    assert_value(&sink, "d1_image_pct", 0, 25);
    assert_value(&sink, "d1_image_pct", 1, 0);
    assert_value(&sink, "d1_image_pct", 3, 100);
    assert_value(&sink, "d1_or_image_pct", 3, 100);
    assert_null(find_value(&sink, "d1_image_pct", 2));
    assert_null(find_value(&sink, "d1_image_pct", 4));
    assert_value(&sink, "stixels", -1, (8 + 3 + 2) / 4.0);
    free_image(&image[0]);
    free_image(&image[1]);
    free_image(&image[2]);
}

/* Blocks of 4 rows: the ground's plane at each pixel's own row, not at its block's. */
static void slanted_ground_has_no_error(void **state)
{
    struct image image = new_image((struct shape){
        .n_frames = 1, .n_rows = 3, .n_cols = 1, .block_rows = 4, .block_cols = 2, .truth = 1});
    struct bench_sink sink;

    (void)state;
    image.out->list[0].geometry = STIXELS_GROUND;
    image.out->list[0].b = -2; /* per block row: half a pixel per image row */
    image.out->list[0].a = 20;
    for (int r = 0; r < 12; r++)
        for (int x = 0; x < 2; x++) /* block row 0 is rows 8..11, its middle 9.5 */
            image.in->truth[2 * r + x] = (uint16_t)(20 * PX + (2 * r - 19) * (PX / 4));
    sink = measured(&image, 1);
    assert_value(&sink, "mean_abs_error_px", -1, 0);
    assert_value(&sink, "rms_error_px", -1, 0);
    assert_value(&sink, "ground_pct", -1, 100);
    image.out->list[0].b = 0;
    sink = measured(&image, 1);
    assert_value(&sink, "mean_abs_error_px", -1,
                 (19 + 17 + 15 + 13 + 11 + 9 + 7 + 5 + 3 + 1 + 1 + 3) / 4.0 / 12);
    free_image(&image);
}

/* ---- classes ----------------------------------------------------------------------------- */

static void assert_classes(const struct image *image, const double expected[], int n_classes)
{
    const struct bench_sink sink = measured(image, 1);

    for (int k = 0; k < n_classes; k++)
        if (expected[k] < 0)
            assert_null(find_value(&sink, "iou_pct", k));
        else
            assert_value(&sink, "iou_pct", k, expected[k]);
}

/*
 * Six classes over ten pixels.  Class 3 is found, never true; 4 true, never found; 5 neither,
 * but for a void pixel.
 */
static void iou_by_hand(void **state)
{
    static const uint8_t truth[10] = {0, 0, 0, 0, 1, 1, 2, 4, VOID_CLASS, VOID_CLASS};
    static const uint8_t found[10] = {0, 0, 1, 3, 1, 0, 2, STIXELS_NO_CLASS, 5, 0};
    static const double iou[6] = {100 * 2 / 5.0, 100 * 1 / 3.0, 100, 0, 0, -1};
    struct image image = new_row(10, 6, 0, 1);
    struct bench_sink sink;

    (void)state;
    for (int i = 0; i < 10; i++) {
        image.in->truth_class[i] = truth[i];
        image.out->list[i].semantic = found[i];
    }
    assert_classes(&image, iou, 6);
    sink = measured(&image, 1);
    assert_value(&sink, "iou_classes", -1, 5);
    assert_value(&sink, "iou_mean_pct", -1, (40 + 100 / 3.0 + 100) / 5);
    /* all probabilities are equal: class 0 everywhere */
    assert_value(&sink, "input_iou_classes", -1, 4);
    assert_value(&sink, "input_iou_mean_pct", -1, 100 * (4 / 8.0) / 4);
    assert_absent(&sink, "d1_pct");
    free_image(&image);
}

static void likeliest_class_of_the_input(void **state)
{
    static const uint16_t probability[3][4] = {
        {100, 300, 200, 0}, {200, 300, 65535, 0}, {300, 299, 65535, 1}};
    static const uint8_t likeliest[4] = {2, 0, 1, 2};
    struct image image = new_row(4, 3, 0, 1);
    struct bench_sink sink;

    (void)state;
    memcpy(image.in->probability, probability, sizeof probability);
    memcpy(image.in->truth_class, likeliest, 4);
    sink = measured(&image, 1);
    assert_value(&sink, "input_iou_mean_pct", -1, 100);
    assert_value(&sink, "input_iou_classes", -1, 3);
    assert_value(&sink, "iou_mean_pct", -1, 0);
    image.in->truth_class[3] =
        0; /* found as 2: class 2 has 1 of 2, class 0 1 of 2, class 1 all */
    sink = measured(&image, 1);
    assert_value(&sink, "input_iou_mean_pct", -1, (50 + 50 + 100) / 3.0);
    free_image(&image);
}

/* Counted over all images before it is divided: 1 of 1 and 1 of 9 make 2 of 10. */
static void iou_of_two_images(void **state)
{
    struct image image[2] = {new_row(1, 2, 0, 1), new_row(9, 2, 0, 1)};
    struct bench_sink sink;

    (void)state;
    memset(image[0].in->truth_class, 1, 1);
    memset(image[1].in->truth_class, 1, 9);
    image[0].out->list[0].semantic = 1;
    image[1].out->list[8].semantic = 1;
    sink = measured(image, 2);
    assert_value(&sink, "iou_pct", 1, 20);
    assert_value(&sink, "iou_mean_pct", -1, 20);
    assert_value(&sink, "iou_classes", -1, 1);
    free_image(&image[0]);
    free_image(&image[1]);
}

static void absent_without_classes(void **state)
{
    struct image image[2] = {new_row(2, 3, 1, 1), new_row(2, 3, 1, 0)};

    (void)state;
    for (int i = 0; i < 2; i++) { /* nothing is labelled; labels are not known */
        const struct bench_sink sink = measured(&image[i], 1);

        assert_absent(&sink, "iou_pct");
        assert_absent(&sink, "iou_mean_pct");
        assert_absent(&sink, "iou_classes");
        assert_absent(&sink, "input_iou_mean_pct");
        assert_absent(&sink, "d1_pct"); /* nor is a true disparity */
        assert_absent(&sink, "d1_image_pct");
        assert_absent(&sink, "d1_image_mean_pct");
        assert_absent(&sink, "input_d1_all_pct");
        assert_absent(&sink, "input_density_pct");
        assert_absent(&sink, "mean_abs_error_px");
        assert_absent(&sink, "rms_error_px");
        assert_value(&sink, "stixels", -1, 2);
        assert_value(&sink, "invalid_pct", -1, 100);
        free_image(&image[i]);
    }
}

/* ---- counts and shares ------------------------------------------------------------------- */

/* 4 block rows of 2 x 3 pixels, two columns: ground 2, object 1, sky 1, and an object alone. */
static struct image street(void)
{
    struct image image = new_image((struct shape){.n_frames = 1,
                                                  .n_rows = 4,
                                                  .n_cols = 2,
                                                  .block_rows = 2,
                                                  .block_cols = 3,
                                                  .n_classes = 2});
    static const struct stixel list[4] = {
        {.v_bottom = 0, .v_top = 1, .geometry = STIXELS_GROUND, .semantic = 1, .cost = 1.5f},
        {.v_bottom = 2, .v_top = 2, .geometry = STIXELS_OBJECT, .semantic = 0, .cost = -0.5f},
        {.v_bottom = 3,
         .v_top = 3,
         .geometry = STIXELS_SKY,
         .semantic = STIXELS_NO_CLASS,
         .cost = 4},
        {.v_bottom = 0, .v_top = 3, .geometry = STIXELS_OBJECT, .semantic = 0, .cost = 8}};

    memcpy(image.out->list, list, sizeof list);
    image.out->first[1] = 3;
    image.out->first[2] = 4;
    return image;
}

static void counts_of_a_street(void **state)
{
    struct image image = street();
    struct bench_sink sink;

    (void)state;
    image.in->dropped_pixels = 20;
    image.in->disparity[5] = 0;
    sink = measured(&image, 1);
    assert_value(&sink, "stixels", -1, 4);
    assert_value(&sink, "stixels_per_column", -1, 2);
    assert_value(&sink, "pixels_per_stixel", -1, (8 * 6 + 20) / 4.0);
    assert_value(&sink, "ground_pct", -1, 25);
    assert_value(&sink, "object_pct", -1, 100 * 5 / 8.0);
    assert_value(&sink, "sky_pct", -1, 12.5);
    assert_value(&sink, "mean_energy", -1, (1.5 - 0.5 + 4 + 8) / 2);
    assert_value(&sink, "invalid_pct", -1, 100 * 47 / 48.0);
    assert_value(&sink, "columns_differing_pct", -1, 0);
    free_image(&image);
}

/* Two columns of four rows: ten pieces, of 20 rows together, that may all be objects. */
static void work_of_a_street(void **state)
{
    struct image image[2] = {street(), street()};
    struct bench_sink sink;

    (void)state;
    image[0].in->model[0].horizon = 1; /* ground: 0..0, 0..1, 1..1; sky: 2..2, 2..3, 3..3 */
    sink = measured(image, 1);
    assert_value(&sink, "values_read", -1, (2 + 2) * 48);
    assert_value(&sink, "means_written", -1, (2 + 2) * 8);
    assert_value(&sink, "downsample_intensity", -1, 192 / (192.0 + 32));
    assert_value(&sink, "sums_written", -1, (6 + 1 + 2) * 8);
    assert_value(&sink, "candidates", -1, 2 * (10 + 3 + 3));
    assert_value(&sink, "row_terms", -1, 2 * (20 + 4 + 4));
    assert_value(&sink, "e12_intensity", -1, 32 / (32.0 + 4));
    assert_value(&sink, "e6_intensity", -1, 56 / (32.0 + 4));

    image[1].in->model[0].horizon = -1; /* no ground, sky anywhere */
    sink = measured(image, 2);
    assert_value(&sink, "values_read", -1, 192);
    assert_value(&sink, "candidates", -1, (32 + 40) / 2.0);
    assert_value(&sink, "row_terms", -1, (56 + 80) / 2.0);
    assert_value(&sink, "e12_intensity", -1, (32 + 40) / (64.0 + 8));

    image[1].in->model[0].horizon = 4; /* no sky; ground anywhere but at the top */
    sink = measured(&image[1], 1);
    assert_value(&sink, "candidates", -1, 2 * (10 + 6));
    assert_value(&sink, "row_terms", -1, 2 * (20 + 10));
    free_image(&image[0]);
    free_image(&image[1]);
}

/* The frames of a batch are images of their own. */
static void work_of_a_batch(void **state)
{
    struct image image = new_image((struct shape){
        .n_frames = 2, .n_rows = 2, .n_cols = 3, .block_rows = 1, .block_cols = 4});
    struct bench_sink sink;

    (void)state;
    image.in->model[0].horizon = -1; /* objects and sky: 3 pieces of 4 rows each */
    image.in->model[1].horizon = 2;  /* objects, and ground in row 0 */
    sink = measured(&image, 1);
    assert_value(&sink, "values_read", -1, 2 * 24);
    assert_value(&sink, "means_written", -1, 2 * 6);
    assert_value(&sink, "sums_written", -1, 7 * 6);
    assert_value(&sink, "candidates", -1, 3 * (6 + 4) / 2.0);
    assert_value(&sink, "row_terms", -1, 3 * (8 + 5) / 2.0);
    assert_value(&sink, "e6_intensity", -1, 3 * (8 + 5) / (24.0 + 6));
    free_image(&image);
}

static double differing_pct(const struct image *reference, const struct image *image)
{
    const void *const inputs[1] = {image->in}, *const references[1] = {reference->out},
                      *const outputs[1] = {image->out};
    struct bench_sink sink = {0};

    assert_int_equal(measure_into_our_sink(NULL, inputs, references, outputs, 1, &sink),
                     BENCH_OK);
    return *find_value(&sink, "columns_differing_pct", -1);
}

static void columns_that_differ(void **state)
{
    struct image reference = street(), image = street();
    struct stixel *const list = image.out->list;

    (void)state;
    list[0].a = 7; /* planes and costs may differ */
    list[1].cost = 100;
    assert_true(differing_pct(&reference, &image) == 0);
    list[1].semantic = 1;
    assert_true(differing_pct(&reference, &image) == 50);
    list[1].semantic = 0;
    list[1].geometry = STIXELS_GROUND;
    assert_true(differing_pct(&reference, &image) == 50);
    list[1].geometry = STIXELS_OBJECT;
    list[0].v_top = 0;
    list[1].v_bottom = 1;
    assert_true(differing_pct(&reference, &image) == 50);
    list[3].geometry = STIXELS_SKY;
    assert_true(differing_pct(&reference, &image) == 100);
    free_image(&image);

    image = street(); /* two made one: the second column has moved in the list, and is equal */
    image.out->list[1].v_top = 3;
    image.out->list[2] = image.out->list[3];
    memset(&image.out->list[3], 0, sizeof image.out->list[3]);
    image.out->first[1] = 2;
    image.out->first[2] = 3;
    assert_true(differing_pct(&reference, &image) == 50);
    free_image(&image);
    free_image(&reference);
}

/* ---- what is refused --------------------------------------------------------------------- */

static void outputs_that_are_none(void **state)
{
    struct image good = street();

    (void)state;
    for (int i = 0; i < 14; i++) {
        struct image image = street();
        struct stixel *const list = image.out->list;

        switch (i) {
        case 0:
            image.out->first[0] = 1;
            break;
        case 1:
            image.out->first[1] = 0; /* an empty column */
            break;
        case 2:
            image.out->first[1] = INT32_MAX;
            break;
        case 3:
            image.out->first[1] = INT32_MIN;
            break;
        case 4:
            list[0].v_bottom = 1;
            break;
        case 5:
            list[1].v_bottom = 3; /* a gap, and upside down */
            break;
        case 6:
            list[2].v_top = 4;
            break;
        case 7:
            list[3].v_top = 2; /* ends early */
            break;
        case 8:
            list[3].geometry = STIXELS_N_GEOMETRIES;
            break;
        case 9:
            list[3].semantic = 2;
            break;
        case 10:
            list[3].a = NAN;
            break;
        case 11:
            list[3].b = INFINITY;
            break;
        case 12:
            list[0].cost = NAN;
            break;
        default:
            image.out->n_cols = 1;
            break;
        }
        assert_refused(&image, BENCH_EMISMATCH, i == 0 || i == 13 ? "output" : "column");
        free_image(&image);
    }
    measured(&good, 1);
    free_image(&good);
}

static void true_classes_that_do_not_exist(void **state)
{
    struct image image = new_row(2, 3, 0, 1);
    struct bench_sink sink = {0};

    (void)state;
    image.in->truth_class[1] = 3;
    assert_refused(&image, BENCH_EINPUT, "true class 3");
    assert_int_equal(measure_into_our_sink(NULL, NULL, NULL, NULL, 0, &sink), BENCH_EINPUT);
    free_image(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outliers_one_by_one),
        cmocka_unit_test(outliers_of_the_input_one_by_one),
        cmocka_unit_test(rates_of_a_row),
        cmocka_unit_test(rates_of_several_images),
        cmocka_unit_test(slanted_ground_has_no_error),
        cmocka_unit_test(iou_by_hand),
        cmocka_unit_test(likeliest_class_of_the_input),
        cmocka_unit_test(iou_of_two_images),
        cmocka_unit_test(absent_without_classes),
        cmocka_unit_test(counts_of_a_street),
        cmocka_unit_test(work_of_a_street),
        cmocka_unit_test(work_of_a_batch),
        cmocka_unit_test(columns_that_differ),
        cmocka_unit_test(outputs_that_are_none),
        cmocka_unit_test(true_classes_that_do_not_exist),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
