/*
 * test_stixels_measure.c - the values of stixels against rates counted by hand
 *
 * Most images here have blocks of one pixel and one row, so that each pixel is a stixel whose
 * disparity the test chooses.
 */
#include "tests/expected.h"
#include "tests/stixels_examples.h"

/* A second copy of what hands values over, with a sink of our own. */
sum_hook our_sum;
values_hook our_values;
#define bench_value    collect_value
#define stixels_sum    our_sum
#define stixels_values our_values
#include "harness/problems/stixels/measure.c"
#undef bench_value
#undef stixels_sum
#undef stixels_values

/* n images against a reference of the first, or each its own. */
static void expect(const struct example *image, int n, const struct example *reference,
                   const struct expected *expected)
{
    const void *inputs[8], *outputs[8], *references[8];
    struct bench_sink sink = {0};

    assert_true(n <= 8);
    for (int i = 0; i < n; i++) {
        inputs[i] = image[i].in;
        outputs[i] = image[i].out;
        references[i] = reference ? reference->out : image[i].out;
    }
    assert_int_equal(values_of(our_sum, our_values, inputs, references, outputs, n, &sink),
                     BENCH_OK);
    assert_values(&sink, expected);
}

/* Expects values of n images, pairs of a name and its value. */
#define EXPECT(image, n, ...) expect(image, n, NULL, VALUES(__VA_ARGS__))

/* ---- outliers ---------------------------------------------------------------------------- */

/* A stixel, and a pixel that came in, are off by more than 3 px, and / or by more than 5 %: at
 * both bounds, just below and just above. */
TEST(outliers_one_by_one)
{
    static const int truths[] = {0, 1, 3 * PX, 10 * PX, 20 * PX, 60 * PX, 100 * PX};
    static const int steps[] = {0, 1, 2, 3};

    for (int i = 0; i < N_OF(truths) * N_OF(steps) * 6; i++) {
        const int truth = truths[i / 6 / N_OF(steps)], sign = i % 2 ? 1 : -1;
        const int bounds[] = {truth / 20, 3 * PX, truth}, by = bounds[(i / 2) % 3];
        const int error = abs(by + steps[i / 6 % N_OF(steps)] - 1);
        const int found = truth + sign * error < 0 ? truth + error : truth + sign * error;
        const double is_and = error > 3 * PX && 20 * error > truth ? 100 : 0;
        const double is_or = error > 3 * PX || 20 * error > truth ? 100 : 0;
        struct example image = EXAMPLE(.truth = 1);

        image.in->truth[0] = (uint16_t)truth;
        image.out->list[0].a = (float)found / PX;
        EXPECT(
            &image, 1, {"d1_pct", is_and}, {"d1_image_mean_pct", is_and},
            {"d1_image_pct[0]", is_and}, {"d1_or_pct", is_or}, {"d1_or_image_mean_pct", is_or},
            {"d1_or_image_pct[0]", is_or}, {"mean_abs_error_px", error / 256.0},
            /* it has none */
            {"input_d1_all_pct", 100}, {"input_d1_or_all_pct", 100}, {"input_density_pct", 0},
            {"input_d1_valid_pct", ABSENT}, {"input_d1_or_valid_pct", ABSENT});

        image.in->disparity[0] = (uint16_t)found;
        image.out->list[0].a = (float)truth / PX;
        EXPECT(&image, 1, {"input_d1_all_pct", is_and}, {"input_d1_valid_pct", is_and},
               {"input_d1_or_all_pct", is_or}, {"input_d1_or_valid_pct", is_or},
               {"input_density_pct", 100}, {"d1_pct", 0}, {"d1_or_pct", 0});
    }
}

/*
 * Three inputs: two frames of four pixels, three pixels without truth, a frame of two pixels.
 * Two of the ten with truth have none after all, two of the other eight no input.  An image
 * without truth has an index and no rate.
 */
TEST(rates_of_several_images)
{
    static const struct {
        uint16_t truth, input;
        float disparity;
    } of[10] = {
        {20 * PX, 20 * PX, 20},
        {20 * PX, 24 * PX, 24},    /* input and, stixel and */
        {20 * PX, 22 * PX, 22},    /* both or */
        {X, 20 * PX, 90},          /* skipped */
        {20 * PX, X, 20},          /* no input */
        {0, 0, 0},                 /* sky */
        {0, 2 * PX, 0},            /* input or */
        {20 * PX, X, 30},          /* no input, stixel and */
        {X, X, 0},                 /* skipped */
        {200 * PX, 206 * PX, 200}, /* 6 px, 3 %: input or */
    };
    struct example image[3] = {EXAMPLE(.n_frames = 2, .n_cols = 4, .truth = 1),
                               EXAMPLE(.n_cols = 3), EXAMPLE(.n_cols = 2, .truth = 1)};

    for (int i = 0; i < 10; i++) {
        const struct example *const e = &image[i < 8 ? 0 : 2];

        e->in->truth[i % 8] = of[i].truth;
        e->in->disparity[i % 8] = of[i].input;
        e->out->list[i % 8].a = of[i].disparity;
    }
    EXPECT(image, 3, {"d1_pct", 100 * 2 / 8.0}, {"d1_or_pct", 100 * 3 / 8.0},
           {"d1_image_pct[0]", 100 / 3.0}, {"d1_image_pct[1]", 25}, {"d1_image_pct[2]", ABSENT},
           {"d1_image_pct[3]", 0}, {"d1_image_pct[4]", ABSENT},
           {"d1_or_image_pct[0]", 200 / 3.0}, {"d1_image_mean_pct", (100 / 3.0 + 25) / 3},
           {"d1_or_image_mean_pct", (200 / 3.0 + 25) / 3}, {"input_d1_all_pct", 100 * 3 / 8.0},
           {"input_d1_valid_pct", 100 * 1 / 6.0}, {"input_d1_or_all_pct", 100 * 6 / 8.0},
           {"input_d1_or_valid_pct", 100 * 4 / 6.0}, {"input_density_pct", 100 * 6 / 8.0},
           {"invalid_pct", 100 * 6 / 13.0}, {"mean_abs_error_px", (4 + 2 + 10) / 8.0},
           {"rms_error_px", sqrt((16 + 4 + 100) / 8.0)}, {"stixels", (8 + 3 + 2) / 4.0},
           /* against the input, of 7: only the 90 is off by "and" */
           {"d1_to_input_pct", 100 * 1 / 7.0},
           {"rms_to_input_px", sqrt((4900 + 4 + 36) / 7.0)});
}

/* ---- classes ----------------------------------------------------------------------------- */

/*
 * Six classes over ten pixels, the last nine of another image: counted over all before it is
 * divided.  Class 3 is found, never true; 4 true, never found; 5 neither, but for a void pixel.
 * Then the likeliest classes of an input: found as 2, class 2 has 1 of 2, class 0 1 of 2, class
 * 1 all.
 */
TEST(iou_by_hand)
{
    static const uint8_t truth[10] = {0, 0, 0, 0, 1, 1, 2, 4, UNLABELLED, UNLABELLED};
    static const uint8_t found[10] = {0, 0, 1, 3, 1, 0, 2, NO_CLASS, 5, 0};
    static const uint16_t probability[3][4] = {
        {100, 300, 200, 0}, {200, 300, 65535, 0}, {300, 299, 65535, 1}};
    struct example image[2] = {EXAMPLE(.n_classes = 6, .truth_class = 1),
                               EXAMPLE(.n_cols = 9, .n_classes = 6, .truth_class = 1)};

    for (int i = 0; i < 10; i++) {
        image[i > 0].in->truth_class[i - (i > 0)] = truth[i];
        image[i > 0].out->list[i - (i > 0)].semantic = found[i];
    }
    EXPECT(image, 2, {"iou_pct[0]", 100 * 2 / 5.0}, {"iou_pct[1]", 100 * 1 / 3.0},
           {"iou_pct[2]", 100}, {"iou_pct[3]", 0}, {"iou_pct[4]", 0}, {"iou_pct[5]", ABSENT},
           {"iou_classes", 5}, {"iou_mean_pct", (40 + 100 / 3.0 + 100) / 5},
           /* all probabilities are equal: class 0 everywhere */
           {"input_iou_classes", 4}, {"input_iou_mean_pct", 100 * (4 / 8.0) / 4},
           {"d1_pct", ABSENT});

    image[0] = EXAMPLE(.n_cols = 4, .n_classes = 3, .truth_class = 1);
    memcpy(image->in->probability, probability, sizeof probability);
    memcpy(image->in->truth_class, (const uint8_t[]){2, 0, 1, 2}, 4);
    EXPECT(image, 1, {"input_iou_mean_pct", 100}, {"input_iou_classes", 3},
           {"iou_mean_pct", 0});
    image->in->truth_class[3] = 0;
    EXPECT(image, 1, {"input_iou_mean_pct", (50 + 50 + 100) / 3.0});
}

/* Nothing is labelled, or labels are not known; nor is a true disparity. */
TEST(absent_without_classes)
{
    for (int known = 0; known < 2; known++) {
        struct example image =
            EXAMPLE(.n_cols = 2, .n_classes = 3, .truth = 1, .truth_class = known);

        EXPECT(&image, 1, {"iou_pct", ABSENT}, {"iou_mean_pct", ABSENT},
               {"iou_classes", ABSENT}, {"input_iou_mean_pct", ABSENT}, {"d1_pct", ABSENT},
               {"d1_image_pct", ABSENT}, {"d1_image_mean_pct", ABSENT},
               {"input_d1_all_pct", ABSENT}, {"input_density_pct", ABSENT},
               {"mean_abs_error_px", ABSENT}, {"rms_error_px", ABSENT}, {"stixels", 2},
               {"invalid_pct", 100});
    }
}

/* ---- counts and shares ------------------------------------------------------------------- */

/* 4 block rows of 2 x 3 pixels, two columns: ground 2, object 1, sky 1, and an object alone. */
static struct example street(void)
{
    struct example image =
        EXAMPLE(.n_rows = 4, .n_cols = 2, .block_rows = 2, .block_cols = 3, .n_classes = 2);
    static const struct stixel list[4] = {
        {.v_top = 1, .geometry = GR, .semantic = 1, .cost = 1.5f},
        {.v_bottom = 2, .v_top = 2, .geometry = OB, .cost = -0.5f},
        {.v_bottom = 3, .v_top = 3, .geometry = SK, .semantic = NO_CLASS, .cost = 4},
        {.v_top = 3, .geometry = OB, .cost = 8}};

    memcpy(image.out->list, list, sizeof list);
    image.out->first[1] = 3;
    image.out->first[2] = 4;
    return image;
}

TEST(counts_of_a_street)
{
    struct example image = street();

    image.in->dropped_pixels = 20;
    image.in->disparity[5] = 0;
    EXPECT(&image, 1, {"stixels", 4}, {"stixels_per_column", 2},
           {"pixels_per_stixel", 8 * 6 / 4.0}, {"dropped_pct", 100 * 20 / 68.0},
           {"ground_pct", 25}, {"object_pct", 100 * 5 / 8.0}, {"sky_pct", 12.5},
           {"mean_energy", (1.5 - 0.5 + 4 + 8) / 2}, {"invalid_pct", 100 * 47 / 48.0},
           {"columns_differing_pct", 0});
}

/* Two columns of four rows: ten pieces, of 20 rows together, that may all be objects. */
TEST(work_of_a_street)
{
    struct example image[2] = {street(), street()};

    image[0].in->model[0].horizon = 1; /* ground: 0..0, 0..1, 1..1; sky: 2..2, 2..3, 3..3 */
    EXPECT(image, 1, {"values_read", (2 + 2) * 48}, {"means_written", (2 + 2) * 8},
           {"downsample_intensity", 192 / (192.0 + 32)}, {"sums_written", (6 + 1 + 2) * 8},
           {"candidates", 2 * (10 + 3 + 3)}, {"row_terms", 2 * (20 + 4 + 4)},
           {"e12_intensity", 32 / (32.0 + 4)}, {"e6_intensity", 56 / (32.0 + 4)});
    image[1].in->model[0].horizon = -1; /* no ground, sky anywhere */
    EXPECT(image, 2, {"values_read", 192}, {"candidates", (32 + 40) / 2.0},
           {"row_terms", (56 + 80) / 2.0}, {"e12_intensity", (32 + 40) / (64.0 + 8)});
    image[1].in->model[0].horizon = 4; /* no sky; ground anywhere but at the top */
    image[1].in->model[0].flat = 1;    /* mean, weight, ground, sky and 129 whole disparities */
    image[1].in->model[0].d_max = 128;
    EXPECT(&image[1], 1, {"candidates", 2 * (10 + 6)}, {"row_terms", 2 * (20 + 10)},
           {"sums_written", (4 + 129 + 2) * 8});
}

/* The frames of a batch are images of their own. */
TEST(work_of_a_batch)
{
    struct example image = EXAMPLE(.n_frames = 2, .n_rows = 2, .n_cols = 3, .block_cols = 4);

    image.in->model[0].horizon = -1; /* objects and sky: 3 pieces of 4 rows each */
    image.in->model[1].horizon = 2;  /* objects, and ground in row 0 */
    EXPECT(&image, 1, {"values_read", 2 * 24}, {"means_written", 2 * 6},
           {"sums_written", 7 * 6}, {"candidates", 3 * (6 + 4) / 2.0},
           {"row_terms", 3 * (8 + 5) / 2.0}, {"e6_intensity", 3 * (8 + 5) / (24.0 + 6)});
}

TEST(columns_that_differ)
{
    static const struct {
        int i; /* that stixel is so: rows, geometry, class, reserved, a, b and cost */
        struct stixel stixel;
        double pct;
    } cases[] = {{0, {0, 1, GR, 1, 0, 7, 0, 1.5F}, 0}, /* planes and costs may differ */
                 {1, {2, 2, OB, 0, 0, 0, 0, 100}, 0},
                 {1, {2, 2, OB, 1, 0, 0, 0, 0}, 50},
                 {1, {2, 2, GR, 0, 0, 0, 0, 0}, 50},
                 {1, {1, 2, OB, 0, 0, 0, 0, 0}, 50}, /* above ground up to row 0 */
                 {3, {0, 3, SK, 0, 0, 0, 0, 0}, 50}};
    const struct example reference = street();
    struct example image;

    for (int i = 0; i < N_OF(cases); i++) {
        image = street();
        image.out->list[cases[i].i] = cases[i].stixel;
        image.out->list[0].v_top = cases[i].stixel.v_bottom == 1 ? 0 : 1;
        expect(&image, 1, &reference, VALUES({"columns_differing_pct", cases[i].pct}));
    }
    image = street(); /* two made one: the second column has moved in the list, and is equal */
    image.out->list[1].v_top = 3;
    image.out->list[2] = image.out->list[3];
    memset(&image.out->list[3], 0, sizeof image.out->list[3]);
    image.out->first[1] = 2;
    image.out->first[2] = 3;
    expect(&image, 1, &reference, VALUES({"columns_differing_pct", 50}));
}

/* Cut once too often, in both columns; the reference says what the whole costs. */
TEST(energy_above_the_reference)
{
    const struct stixels_preset b12 = named("b12");
    struct example image = EXAMPLE(.n_rows = 4, .n_cols = 2), reference;
    double energy[2] = {0}, whole = 0;

    image.in->model[0] = model_of(&b12, &city, 8, 4, 0);
    for (int v = 0; v < 4; v++) {
        set_block(image.in, 0, 0, v, 20 + v, 255);
        set_block(image.in, 0, 1, v, 30, 255);
    }
    reference = (struct example){image.in, guarded_output(image.in)};
    fill_columns(reference.out, 20);
    for (int c = 0; c < 2; c++) {
        struct stixel *const s = &image.out->list[2 * c];

        s[0] = (struct stixel){.v_top = 1, .semantic = NO_CLASS, .reserved = 3, .cost = 7};
        s[1] = (struct stixel){.v_bottom = 2, .v_top = 3, .semantic = NO_CLASS};
        image.out->first[c + 1] = 2 * c + 2;
        energy[c] = stixels_energy(image.in, 0, c, s, 2, NULL);
        reference.out->list[c].cost =
            (float)stixels_energy(image.in, 0, c, &reference.out->list[c], 1, NULL);
        whole += (double)reference.out->list[c].cost;
    }
    expect(&image, 1, &reference,
           VALUES({"energy_excess_pct", 100 * (energy[0] + energy[1] - whole) / whole},
                  {"cut_candidates_pct", 75}, {"block_rows", 4}));
    EXPECT(&reference, 1, {"cut_candidates_pct", ABSENT});
}

/* ---- what is refused --------------------------------------------------------------------- */

/* With nothing measured; which lists make no sense is in test_stixels_problem.c. */
TEST(outputs_that_are_none)
{
    for (int i = 0; i < 6; i++) {
        static const int32_t begins[] = {0, INT32_MAX, INT32_MIN}; /* of the second column */
        struct example image = street();
        struct bench_sink sink = {0};

        if (i < 3)
            image.out->first[1] = begins[i];
        else if (i == 3)
            image.out->list[1].v_bottom = 3;
        else if (i == 4)
            image.out->first[0] = 1;
        else
            image.out->n_cols = 1;
        assert_int_equal(values_of(our_sum, our_values, (const void *const[]){image.in},
                                   (const void *const[]){image.out},
                                   (const void *const[]){image.out}, 1, &sink),
                         BENCH_EMISMATCH);
        assert_non_null(strstr(bench_failure(), i < 4 ? "column" : "output"));
        assert_int_equal(sink.n, 0);
    }
}
