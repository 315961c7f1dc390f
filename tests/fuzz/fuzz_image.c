/* fuzz_image.c - any bytes are an image whose every pixel is there, or one sentence and nothing */
#include "inputs/image.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct disparity_coding coding = {3, 1, 1, 1};
    struct image image;
    struct plane plane = {0};

    bench_failure_clear();
    if (image_parse(data, size, "a.img", &image) != BENCH_OK) {
        must(strncmp(bench_failure(), "a.img: ", 7) == 0);
        must(image.pixels == NULL && image.width == 0 && image.height == 0);
        return 0;
    }

    const size_t n_pixels = (size_t)image.width * (size_t)image.height;
    size_t n_clamped = 0;

    must(image.width >= 1 && image.width <= INPUTS_MAX_SIDE);
    must(image.height >= 1 && image.height <= INPUTS_MAX_SIDE);
    if (n_pixels <= 1 << 22) { /* larger ones would only be slow */
        must(image_to_disparity(&image, &coding, &plane) == BENCH_OK);
        for (size_t i = 0; i < n_pixels; i++)
            n_clamped += plane.disparity[i] == DISPARITY_MAX;
        must(plane.n_clamped <= n_clamped);
        plane_free(&plane);
    }
    image_free(&image);
    return 0;
}
