/* fuzz_preset.c - any bytes are a model of stixels with finite numbers, or one sentence */
#include "tests/fuzz/fuzz.h"

#include "harness/inputs/plane.h"
#include "harness/problems/stixels/stixels.h"

#include <math.h>

static void must_be_empty(const struct stixels_preset *preset)
{
    const unsigned char *bytes = (const unsigned char *)preset;

    for (size_t i = 0; i < sizeof *preset; i++)
        must(bytes[i] == 0);
}

/* Constants per row stay small enough for 1024 rows of them in 32 bits. */
static void must_be_sound(const struct stixels_model *model)
{
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        must(model->sigma[g] > 0 && isfinite(model->sigma[g]) && isfinite(model->plane[g]));
        must(abs(model->k_valid[g]) < 1 << 20 && abs(model->k_invalid[g]) < 1 << 20);
        must(abs(model->k_uniform[g]) < 1 << 20 && abs(model->k_gauss[g]) < 1 << 20);
    }
    must(model->lam_a >= 0 && isfinite(model->lam_a) && model->lam_b >= 0 &&
         isfinite(model->lam_b));
    must(model->weight_semantic >= 0 && isfinite(model->weight_semantic));
    must(isfinite(model->mu_a) && isfinite(model->mu_b));
    must(model->horizon >= -1 && model->horizon <= 47);
    for (int k = 0; k < STIXELS_MAX_CLASSES; k++)
        must(model->geometry_of[k] >= -1 && model->geometry_of[k] < STIXELS_N_GEOMETRIES &&
             (k < 19 || model->geometry_of[k] == -1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct camera camera = {.fx_px = 721.5,
                                         .fy_px = 721.5,
                                         .cx_px = 609.6,
                                         .cy_px = 172.9,
                                         .baseline_m = 0.54,
                                         .height_m = 1.65};
    struct stixels_preset preset;
    struct stixels_model model;

    bench_failure_clear();
    if (stixels_preset_parse((const char *)data, size, "a.ini", &preset) != BENCH_OK) {
        must(strncmp(bench_failure(), "a.ini:", 6) == 0);
        must_be_empty(&preset);
        return 0;
    }
    must(strcmp(preset.name, "a") == 0);
    must((preset.ground_classes & preset.sky_classes) == 0);
    for (int invalid = 0; invalid < 3; invalid++) { /* as the key invalid_rows may have it */
        preset.invalid = invalid;
        must(stixels_model_make(&preset, &camera, "frame", 8, 47, 19, &model) == BENCH_OK);
        must_be_sound(&model);
    }
    return 0;
}
