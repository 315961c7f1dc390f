/* fuzz_camera.c - any bytes of any ending are a camera of numbers in range, or a sentence */
#include "harness/inputs/camera.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.ini", "a.txt", "a.json"};
    static const struct camera empty;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        struct camera c;

        bench_failure_clear();
        if (camera_parse((const char *)data, size, names[i], &c) != BENCH_OK) {
            must(strncmp(bench_failure(), names[i], n) == 0 && bench_failure()[n] == ':');
            must(memcmp(&c, &empty, sizeof c) == 0);
            continue;
        }
        must(c.fx_px >= 0 && c.fx_px <= 1e6 && c.fy_px >= 0 && c.fy_px <= 1e6);
        must(fabs(c.cx_px) <= 1e6 && fabs(c.cy_px) <= 1e6 && fabs(c.pitch_rad) <= 1.5);
        must(c.baseline_m >= 0 && c.baseline_m <= 1e3 && c.height_m >= 0 && c.height_m <= 1e3);
        must((camera_check_stereo(&c, "a") == BENCH_OK) ==
             (c.fx_px > 0 && c.baseline_m > 0 && c.height_m > 0));
    }
    return 0;
}
