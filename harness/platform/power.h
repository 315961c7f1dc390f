/*
 * power.h - what a machine draws: the rails of a Jetson (INA3221, INA238), a GPU (NVML), a
 * processor (RAPL)
 *
 * A source is opened for whoever does the work, the GPU or the CPU: a Jetson's rails for both,
 * else NVML or RAPL.  Time comes from the caller.  Every path is below 'sysroot'; a fake
 * machine ("" is the real one) has no NVML unless it is given.
 */
#ifndef BOARD_POWER_H
#define BOARD_POWER_H

#include "harness/platform/sysfs.h"

#include <stdbool.h>

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
bool platform_nvml_load(const char *library, struct platform_nvml *nvml, char why[BOARD_WHY]);

/*
 * Open what measures the power of the GPU (the GPU of 'gpu_uuid'; NULL: of the CPU).  'nvml'
 * NULL: the machine's own, where sysroot is "".  NULL where there is none that can be read;
 * 'why' says what is missing, and what to do about it.
 */
struct platform_power *platform_power_open(const char *sysroot, const char *gpu_uuid,
                                           const struct platform_nvml *nvml,
                                           char why[BOARD_WHY]);
void platform_power_close(struct platform_power *power); /* NULL is fine */

struct platform_power_facts {
    const char *source; /* "ina3221", "ina238", "nvml", "rapl" */
    char rails[256]; /* what is added up: "GPU+CPU+SOC", "VDD_IN", "card", "package-0+dram" */
    const char
        *scope;      /* whose that is: "module", "board" with its carrier, "card"; or "part" */
    bool is_counter; /* of energy, which misses nothing between readings; else of power */
};

const struct platform_power_facts *platform_power_describe(const struct platform_power *power);

/* Energy between the first reading and the last. */
struct platform_energy {
    double joules, seconds;
    int n_readings, n_updates; /* n_updates: readings that differ from the one before */
    double first_s, last_s;    /* when */
    double last;               /* W: power is integrated */
};

/* Read now, at 'now_s', and add what was drawn since the last reading (trapezoids; a counter
 * that began anew is counted on once).  'energy' begins as zeroes.  false: it cannot be read,
 * 'why' says what. */
bool platform_power_read(struct platform_power *power, double now_s,
                         struct platform_energy *energy, char why[BOARD_WHY]);

#endif
