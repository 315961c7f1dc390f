/* fuzz_npy.c - any bytes are probabilities that add up, or one sentence and nothing */
#include "harness/inputs/npy.h"
#include "tests/fuzz/fuzz.h"

static void check(const uint16_t *probability, int n_pixels, int n_classes)
{
    must(n_classes >= 1 && n_classes <= NPY_MAX_CLASSES);
    for (int i = 0; i < n_pixels; i++) {
        int sum = 0;

        for (int k = 0; k < n_classes; k++)
            sum += probability[k * n_pixels + i];
        must(abs(sum - 65535) <= 65535 / 50 + n_classes * 257 / 2);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* those of the corpus, a cube, and what nothing can fill */
    static const int sides[][2] = {{3, 2}, {2, 2}, {1, 1}, {INPUTS_MAX_SIDE, INPUTS_MAX_SIDE}};

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        uint16_t *probability;
        int n_classes;

        bench_failure_clear();
        if (npy_parse_probability(data, size, "a.npy", sides[i][0], sides[i][1], &probability,
                                  &n_classes) == BENCH_OK) {
            check(probability, sides[i][0] * sides[i][1], n_classes);
        } else {
            must(strncmp(bench_failure(), "a.npy: ", 7) == 0);
            must(probability == NULL && n_classes == 0);
        }
        free(probability);
    }
    return 0;
}
