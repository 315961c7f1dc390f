/*
 * power.c - what a machine draws: INA3221 and INA238 rails, NVML, RAPL
 *
 * Rails are found by their names, never by the number of a bus.  Which of them make the total
 * differs from board to board: choose_rails().
 */
#include "harness/platform/power.h"

#include "harness/platform/sysfs.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RAILS 16

enum source { INA3221, NVML, RAPL };

struct rail {
    char name[32];
    char path[2][320]; /* of power in mW, or in uW; or of mV and of mA; or of a counter in uJ */
    bool is_uw;
    double last,
        range; /* of a counter: its last reading, -1 before the first; where it wraps */
};

struct platform_power {
    enum source source;
    struct platform_power_facts facts;
    char sysroot[512];
    struct rail rail[MAX_RAILS];
    int n_rails;
    struct platform_nvml nvml;
    void *device;
};

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* ---- INA3221, INA238 ---- */

/* A rail of this name; NULL: it is no rail, or there is no room. */
static struct rail *add_rail(struct platform_power *p, const char *name)
{
    struct rail *rail = &p->rail[p->n_rails];

    /* channels without a name are wired to nothing */
    if (!name[0] || !strcmp(name, "NC") || begins(name, "sum of shunt") ||
        p->n_rails == MAX_RAILS)
        return NULL;
    *rail = (struct rail){.last = -1};
    snprintf(rail->name, sizeof rail->name, "%.31s", name);
    p->n_rails++;
    return rail;
}

/* Chips' folders, and the path to make readable if only root may look. */
static const struct chips {
    const char *folders, *readable;
    bool is_hwmon; /* JetPack 5: of chips of all kinds; else JetPack 4 */
} all_chips[] = {
    {"/sys/bus/i2c/drivers/ina3221x/*/iio*", "/sys/bus/i2c/drivers/ina3221x/", false},
    {"/sys/class/hwmon/hwmon*", "/sys/class/hwmon/*/", true},
    {"/sys/bus/i2c/devices/*/hwmon/hwmon*", "/sys/class/hwmon/*/", true},
};

/* One of a chip's three channels; false: its name may not be read. */
static bool find_rail(struct platform_power *p, bool is_hwmon, const char *folder, int k)
{
    char name[64];
    const int error =
        is_hwmon ? sysfs_text(p->sysroot, name, sizeof name, "%s/in%d_label", folder, k + 1)
                 : sysfs_text(p->sysroot, name, sizeof name, "%s/rail_name_%d", folder, k);
    struct rail *const rail = add_rail(p, name);

    if (rail && is_hwmon) {
        snprintf(rail->path[0], sizeof rail->path[0], "%s/in%d_input", folder, k + 1);
        snprintf(rail->path[1], sizeof rail->path[1], "%s/curr%d_input", folder, k + 1);
    } else if (rail) {
        snprintf(rail->path[0], sizeof rail->path[0], "%s/in_power%d_input", folder, k);
    }
    return error != EACCES;
}

#define SUPPLY "VIN"

/* The one channel of an INA238, which a Thor's kit has before all else; not each has a
 * label. */
static bool find_supply(struct platform_power *p, const char *folder)
{
    char name[64];
    const int error = sysfs_text(p->sysroot, name, sizeof name, "%s/label", folder);
    struct rail *const rail = add_rail(p, name[0] ? name : SUPPLY);

    if (rail) {
        snprintf(rail->path[0], sizeof rail->path[0], "%s/power1_input", folder);
        rail->is_uw = true;
    }
    return error != EACCES;
}

/* false: there are names that may not be read. */
static bool find_rails(struct platform_power *p, const struct chips *chips)
{
    bool may_read = true;
    glob_t folders;

    sysfs_find(p->sysroot, chips->folders, &folders);
    for (size_t i = 0; i < folders.gl_pathc; i++) {
        const char *const folder = folders.gl_pathv[i];
        char name[32];

        sysfs_text(p->sysroot, name, sizeof name, "%s/name", folder);
        if (chips->is_hwmon && !strcmp(name, "ina238"))
            may_read = find_supply(p, folder) && may_read;
        if (chips->is_hwmon && !begins(name, "ina3221"))
            continue;
        for (int k = 0; k < 3; k++)
            may_read = find_rail(p, chips->is_hwmon, folder, k) && may_read;
    }
    globfree(&folders);
    return may_read;
}

static int find_named(const struct platform_power *p, const char *name)
{
    for (int i = 0; i < p->n_rails; i++)
        if (!strcmp(p->rail[i].name, name))
            return i;
    return -1;
}

static bool has_all(const struct platform_power *p, const char *const *names)
{
    while (*names && find_named(p, *names) >= 0)
        names++;
    return !*names;
}

/* Keep the rails that make a total, each watt once: the first of these that is there whole. */
static void choose_rails(struct platform_power *p)
{
    static const struct {
        const char *scope, *names[7];
    } totals[] = {
        {"board", {SUPPLY}},              /* Thor: all that is behind its shunt */
        {"board", {"VDD_IN", "VDD_MUX"}}, /* TX2: the module's, and beside it its carrier's */
        {"module", {"VDD_IN"}},           /* TX2, NX, Orin Nano: feeds the others */
        {"module", {"POM_5V_IN"}},        /* Nano */
        {"module", {"5V_IN"}},
        {"module",
         {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"}},          /* AGX Xavier: side by side */
        {"module", {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"}}, /* AGX Orin */
        {"module", {"VDD_GPU", "VDD_CPU_SOC_MSS", "VIN_SYS_5V0"}}, /* Thor without SUPPLY */
    };
    const int dram = find_named(p, "VDDQ_VDD2_1V8AO"); /* VIN_SYS_5V0 feeds it */
    struct rail kept[MAX_RAILS];
    size_t at = 0;
    int n = 0;

    p->facts.scope = "part";
    while (at < sizeof totals / sizeof *totals && !has_all(p, totals[at].names))
        at++;
    if (at < sizeof totals / sizeof *totals) {
        p->facts.scope = totals[at].scope;
        for (; totals[at].names[n]; n++)
            kept[n] = p->rail[find_named(p, totals[at].names[n])];
        memcpy(p->rail, kept, (size_t)n * sizeof *kept);
        p->n_rails = n;
    } else if (dram >= 0 && find_named(p, "VIN_SYS_5V0") >= 0) {
        p->n_rails--;
        memmove(&p->rail[dram], &p->rail[dram + 1],
                (size_t)(p->n_rails - dram) * sizeof *p->rail);
    }
    p->facts.source = p->n_rails > 0 && p->rail[0].is_uw ? "ina238" : "ina3221";
}

/* false: there are rails, but their names may not be read. */
static bool open_rails(struct platform_power *p, char *why)
{
    const char *unreadable = NULL;

    for (size_t i = 0; i < sizeof all_chips / sizeof *all_chips && p->n_rails == 0; i++)
        if (!find_rails(p, &all_chips[i]) && !unreadable)
            unreadable = all_chips[i].readable;
    if (p->n_rails == 0 && unreadable)
        return sysfs_refuse(
            why,
            "the names of the power rails may be read by root alone: sudo chmod -R a+rX "
            "%s (until the next boot)",
            unreadable);
    p->source = INA3221;
    choose_rails(p);
    return true;
}

/* ---- RAPL ---- */

#define ZONES "/sys/class/powercap/intel-rapl:"

static bool open_rapl(struct platform_power *p, char *why)
{
    glob_t zones;

    sysfs_find(p->sysroot, ZONES "*", &zones);
    for (size_t i = 0; i < zones.gl_pathc; i++) {
        const char *const zone = zones.gl_pathv[i];
        struct rail *rail;
        char name[32];

        sysfs_text(p->sysroot, name, sizeof name, "%s/name", zone);
        /* cores and graphics are inside of their package, psys is around it */
        rail = begins(name, "package") || !strcmp(name, "dram") ? add_rail(p, name) : NULL;
        if (!rail)
            continue;
        snprintf(rail->path[0], sizeof rail->path[0], "%s/energy_uj", zone);
        rail->range = sysfs_number(p->sysroot, 0, "%s/max_energy_range_uj", zone);
    }
    globfree(&zones);
    p->source = RAPL;
    p->facts.source = "rapl";
    p->facts.scope = "part";
    p->facts.is_counter = true;
    return p->n_rails > 0 ||
           sysfs_refuse(why, "nothing measures the processor's power: no INA3221 rails, no %s",
                        ZONES "0");
}

/* ---- NVML ---- */

bool platform_nvml_load(const char *library, struct platform_nvml *nvml, char why[BOARD_WHY])
{
    const struct {
        const char *name;
        void *at;
    } wanted[] = {{"nvmlInit_v2", &nvml->init},
                  {"nvmlShutdown", &nvml->shutdown},
                  {"nvmlDeviceGetHandleByUUID", &nvml->by_uuid},
                  {"nvmlDeviceGetTotalEnergyConsumption", &nvml->energy},
                  {"nvmlDeviceGetPowerUsage", &nvml->power},
                  {"nvmlErrorString", &nvml->error}};
    void *handle;

    memset(nvml, 0, sizeof *nvml);
    handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return sysfs_refuse(why, "NVML cannot be opened: there is no %s", library);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *function = dlsym(handle, wanted[i].name);

        if (!function) {
            dlclose(handle);
            return sysfs_refuse(why, "NVML cannot be used: %s has no %s", library,
                                wanted[i].name);
        }
        memcpy(wanted[i].at, &function, sizeof function); /* POSIX allows it, C does not */
    }
    return true;
}

static bool open_nvml(struct platform_power *p, const char *gpu_uuid,
                      const struct platform_nvml *given, char *why)
{
    unsigned long long mj;
    int code;

    if (given)
        p->nvml = *given;
    else if (p->sysroot[0])
        return sysfs_refuse(why, "nothing measures the card's power: no INA3221 rails, and no "
                                 "NVML below a sysroot");
    else if (!platform_nvml_load("libnvidia-ml.so.1", &p->nvml, why))
        return false;
    code = p->nvml.init();
    if (code)
        return sysfs_refuse(why, "NVML cannot begin: %.160s", p->nvml.error(code));
    p->source = NVML; /* which is shut down from now on */
    p->facts.source = "nvml";
    p->facts.scope = "card";
    code = p->nvml.by_uuid(gpu_uuid, &p->device);
    if (code)
        return sysfs_refuse(why, "NVML does not know the card: %.160s", p->nvml.error(code));
    p->facts.is_counter = p->nvml.energy(p->device, &mj) == 0; /* since Volta */
    return add_rail(p, "card") != NULL;
}

/* ---- all of them ---- */

static bool open_any(struct platform_power *p, const char *gpu_uuid,
                     const struct platform_nvml *nvml, char *why)
{
    struct platform_energy trial = {0};
    size_t n = 0;

    if (!open_rails(p, why) ||
        (p->n_rails == 0 &&
         !(gpu_uuid ? open_nvml(p, gpu_uuid, nvml, why) : open_rapl(p, why))))
        return false;
    for (int i = 0; i < p->n_rails && n < sizeof p->facts.rails; i++)
        n += (size_t)snprintf(p->facts.rails + n, sizeof p->facts.rails - n, "%s%s",
                              i ? "+" : "", p->rail[i].name);
    return platform_power_read(p, 0, &trial, why);
}

struct platform_power *platform_power_open(const char *sysroot, const char *gpu_uuid,
                                           const struct platform_nvml *nvml,
                                           char why[BOARD_WHY])
{
    struct platform_power *p = calloc(1, sizeof *p);

    why[0] = '\0';
    if (!p) {
        sysfs_refuse(why, "out of memory for a source of power");
        return NULL;
    }
    snprintf(p->sysroot, sizeof p->sysroot, "%s", sysroot);
    if (open_any(p, gpu_uuid, nvml, why))
        return p;
    platform_power_close(p);
    return NULL;
}

void platform_power_close(struct platform_power *power)
{
    if (power && power->source == NVML)
        power->nvml.shutdown();
    free(power);
}

const struct platform_power_facts *platform_power_describe(const struct platform_power *power)
{
    return &power->facts;
}

/* ---- reading ---- */

static bool read_file(const struct platform_power *p, const char *path, double *value,
                      char *why)
{
    char text[64], *end;
    const int error = sysfs_text(p->sysroot, text, sizeof text, "%s", path);

    if (error == EACCES || error == EPERM)
        return sysfs_refuse(
            why,
            "%.120s may be read by root alone: sudo chmod a+r %.100s (until the next boot)",
            path, path);
    if (error)
        return sysfs_refuse(why, "%.160s cannot be read: %.60s", path, strerror(error));
    *value = strtod(text, &end);
    return end != text ||
           sysfs_refuse(why, "%.120s: expected a number, found '%.40s'", path, text);
}

static bool read_nvml(const struct platform_power *p, double *value, char *why)
{
    unsigned long long mj = 0;
    unsigned mw = 0;
    const int code =
        p->facts.is_counter ? p->nvml.energy(p->device, &mj) : p->nvml.power(p->device, &mw);

    *value = p->facts.is_counter ? (double)mj : (double)mw;
    return !code ||
           sysfs_refuse(why, "NVML cannot read the card's power: %.160s", p->nvml.error(code));
}

/* mW; of a counter uJ, or mJ of NVML's. */
static bool read_rail(const struct platform_power *p, const struct rail *rail, double *value,
                      char *why)
{
    double current = 1000;

    if (p->source == NVML)
        return read_nvml(p, value, why);
    if (!read_file(p, rail->path[0], value, why) ||
        (rail->path[1][0] && !read_file(p, rail->path[1], &current, why)))
        return false;
    *value *= current / (rail->is_uw ? 1e6 : 1000.0); /* mV and mA */
    return true;
}

bool platform_power_read(struct platform_power *p, double now_s, struct platform_energy *energy,
                         char why[BOARD_WHY])
{
    const double joule = p->source == NVML ? 1e-3 : 1e-6; /* of a count */
    double watt = 0, joules = 0;

    for (int i = 0; i < p->n_rails; i++) {
        struct rail *const rail = &p->rail[i];
        double value = 0;

        if (!read_rail(p, rail, &value, why))
            return false;
        watt += value / 1000.0;
        if (rail->last >= 0)
            joules += joule * (value - rail->last + (value < rail->last ? rail->range : 0.0));
        rail->last = value;
    }
    if (!p->facts.is_counter)
        joules = (watt + energy->last) / 2 * (now_s - energy->last_s);
    if (energy->n_readings++ == 0) {
        energy->first_s = now_s;
    } else {
        energy->joules += joules;
        energy->n_updates += p->facts.is_counter ? joules != 0 : watt != energy->last;
    }
    energy->last = watt;
    energy->last_s = now_s;
    energy->seconds = now_s - energy->first_s;
    return true;
}
