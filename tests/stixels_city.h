/* stixels_city.h - what tests of stixels' models share: Cityscapes' common camera, profiles by name */
#ifndef TESTS_STIXELS_CITY_H
#define TESTS_STIXELS_CITY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/problems/stixels/stixels.h"
#include "harness/inputs/plane.h"

/* Its pixels are square. */
static const struct camera city = {.fx_px = 2262.52,
                                   .fy_px = 2262.52,
                                   .cx_px = 1096.98,
                                   .cy_px = 513.137,
                                   .baseline_m = 0.209313,
                                   .height_m = 1.22,
                                   .pitch_rad = 0.038};

static inline struct stixels_profile named(const char *name)
{
    struct stixels_profile profile;

    if (stixels_profile_read(name, &profile) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return profile;
}

#endif
