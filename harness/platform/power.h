/*
 * power.h - what a machine draws: the rails of a Jetson (INA3221), a GPU (NVML), a processor
 * (RAPL)
 *
 * A source is opened for whoever does the work, the GPU or the CPU: a Jetson's rails for both,
 * else NVML or RAPL.  Time comes from the caller.  Every path is below 'sysroot'; a fake
 * machine ("" is the real one) has no NVML unless it is given.
 */
#ifndef BOARD_POWER_H
#define BOARD_POWER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct platform_power;

/* The functions of NVML that are used; 0 is success.  Filled by platform_nvml_load(), or by a
 * test. */
struct platform_nvml {
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_uuid)(const char *uuid, void **device);
    int (*energy)(void *device, unsigned long long *mj); /* since the driver was loaded */
    int (*power)(void *device, unsigned *mw); /* now, or the mean of the last second */
    const char *(*error)(int code);
};

/* From a library, "libnvidia-ml.so.1", which stays open.  false: it is not there, or not this
 * one; 'why' has a sentence. */
bool platform_nvml_load(const char *library, struct platform_nvml *nvml, char *why,
                        size_t size);

#define BOARD_WHY 400 /* enough for any sentence of this folder */

/*
 * Open what measures the power of the GPU (the GPU of 'gpu_uuid'; NULL: of the CPU).  'nvml'
 * NULL: the machine's own, where sysroot is "".  NULL where there is none that can be read;
 * 'why' says what is missing, and what to do about it.
 */
struct platform_power *platform_power_open(const char *sysroot, const char *gpu_uuid,
                                           const struct platform_nvml *nvml,
                                           char why[BOARD_WHY]);
void platform_power_close(struct platform_power *power); /* NULL is fine */

const char *
platform_power_source(const struct platform_power *power); /* "ina3221", "nvml", "rapl" */
/* What is added up: "GPU+CPU+SOC+CV+VDDRQ+SYS5V", "VDD_IN", "GPU", "package-0+dram". */
const char *platform_power_rails(const struct platform_power *power);
/* Whether that is all that the board draws, and not a part of it. */
bool platform_power_is_complete(const struct platform_power *power);
/* A counter of energy, which misses nothing between readings; else power, which is
 * integrated. */
bool platform_power_is_counter(const struct platform_power *power);

/* Energy between the first reading and the last. */
struct platform_energy {
    double joules, seconds;
    int n_readings, n_updates; /* n_updates: readings that differ from the one before */
    double first_s, last_s;    /* when */
    double last;               /* W, where power is integrated */
};

/* Read now, at 'now_s', and add what was drawn since the last reading (trapezoids; a counter
 * that began anew is counted on once).  'energy' begins as zeroes.  false: it cannot be read,
 * 'why' says what. */
bool platform_power_read(struct platform_power *power, double now_s,
                         struct platform_energy *energy, char why[BOARD_WHY]);

#ifdef __cplusplus
}
#endif

#endif
