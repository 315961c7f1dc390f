/* fuzz_image.c - any bytes are an image with every pixel, or one sentence and nothing */
#include "harness/inputs/image.h"
#include "tests/fuzz/fuzz.h"

/* True if the bytes are an image of depth, or one of grey. */
static int is_image(int is_depth24, const uint8_t *data, size_t size)
{
    const struct disparity_coding coding = {3, 1, 1, 1, 0, 1000, 847.6, 0.8};
    struct image image;
    struct plane plane = {0};
    size_t n, n_largest = 0;

    bench_failure_clear();
    if (image_parse(data, size, "a.img", is_depth24 ? IMAGE_COLOURS : IMAGE_GREY, &image) !=
        BENCH_OK) {
        must(strncmp(bench_failure(), "a.img: ", 7) == 0);
        must(image.pixels == NULL && image.width == 0 && image.height == 0);
        return 0;
    }
    must((image.type == IMAGE_DEPTH24) == is_depth24);
    must(image.width >= 1 && image.width <= INPUTS_MAX_SIDE);
    must(image.height >= 1 && image.height <= INPUTS_MAX_SIDE);
    n = (size_t)image.width * (size_t)image.height;
    if (n <= 1 << 22) { /* more would only be slow */
        for (size_t i = 0; is_depth24 && i < n; i++)
            must(((const uint32_t *)image.pixels)[i] <= DEPTH24_MAX);
        must(image_to_disparity(&image, &coding, &plane) == BENCH_OK);
        for (size_t i = 0; i < n; i++)
            n_largest += plane.disparity[i] == DISPARITY_MAX;
        must(plane.values.n == n && plane.values.n_clamped <= n_largest);
        plane_free(&plane);
    }
    image_free(&image);
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* no file is both */
    must(is_image(0, data, size) + is_image(1, data, size) <= 1);
    return 0;
}
