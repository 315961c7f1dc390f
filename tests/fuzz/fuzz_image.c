/* fuzz_image.c - any bytes are an image whose every pixel is there, or one sentence and nothing */
#include "harness/inputs/image.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

static void must_be_refused_well(const struct image *image)
{
    must(strncmp(bench_failure(), "a.img: ", 7) == 0);
    must(image->pixels == NULL && image->width == 0 && image->height == 0);
}

/* Returns 1 where the pixels are few enough to look at each; more would only be slow. */
static int check_sides(const struct image *image)
{
    must(image->width >= 1 && image->width <= INPUTS_MAX_SIDE);
    must(image->height >= 1 && image->height <= INPUTS_MAX_SIDE);
    return (size_t)image->width * (size_t)image->height <= 1 << 22;
}

static void check_and_free(struct plane *plane)
{
    const size_t n_pixels = (size_t)plane->width * (size_t)plane->height;
    size_t n_largest = 0;

    for (size_t i = 0; i < n_pixels; i++)
        n_largest += plane->disparity[i] == DISPARITY_MAX;
    must(plane->n_clamped <= n_largest);
    plane_free(plane);
}

static int is_grey(const uint8_t *data, size_t size)
{
    const struct disparity_coding coding = {3, 1, 1, 1};
    struct image image;
    struct plane plane = {0};

    bench_failure_clear();
    if (image_parse(data, size, "a.img", &image) != BENCH_OK) {
        must_be_refused_well(&image);
        return 0;
    }
    must(image.type != IMAGE_DEPTH24);
    if (check_sides(&image)) {
        must(image_to_disparity(&image, &coding, &plane) == BENCH_OK);
        check_and_free(&plane);
    }
    image_free(&image);
    return 1;
}

static int is_depth24(const uint8_t *data, size_t size)
{
    const struct depth_coding coding = {1000, 847.6, 0.8};
    struct image image;
    struct plane plane = {0};

    bench_failure_clear();
    if (image_parse_depth24(data, size, "a.img", &image) != BENCH_OK) {
        must_be_refused_well(&image);
        return 0;
    }
    must(image.type == IMAGE_DEPTH24);
    if (check_sides(&image)) {
        for (size_t i = 0; i < (size_t)image.width * (size_t)image.height; i++)
            must(((const uint32_t *)image.pixels)[i] <= DEPTH24_MAX);
        must(image_depth24_to_disparity(&image, &coding, &plane) == BENCH_OK);
        check_and_free(&plane);
    }
    image_free(&image);
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* no file is both */
    must(is_grey(data, size) + is_depth24(data, size) <= 1);
    return 0;
}
