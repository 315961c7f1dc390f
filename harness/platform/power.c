/*
 * power.c - what a machine draws: INA3221 rails, NVML, RAPL
 *
 * Rails are found by their names, never by the number of a bus.  Which of them make the total differs from board to board:
 * one is the supply of all others where there is one of TOTALS; an AGX Xavier has six side by side and none above them.
 */
#include "harness/platform/power.h"

#include "harness/platform/sysfs.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RAILS 16

enum source { INA3221, NVML, RAPL };
static const char *const source_name[] = {"ina3221", "nvml", "rapl"};

struct rail {
    char name[32];
    char path[3][320]; /* of power in mW; or of mV and mA; or of a counter in uJ */
    int n_paths;
    double last, range; /* of a counter, uJ */
};

struct platform_power {
    enum source source;
    char sysroot[512];
    struct rail rail[MAX_RAILS];
    int n_rails;
    char rails[256];
    bool is_complete, is_counter;
    struct platform_nvml nvml;
    void *device;
    double counter; /* the last reading, J */
};

static bool say(char *why, const char *sentence, const char *what)
{
    snprintf(why, BOARD_WHY, sentence, what);
    return false;
}

static bool say_unreadable(char *why, const char *path, int error)
{
    if (error == EACCES || error == EPERM)
        snprintf(
            why, BOARD_WHY,
            "%.120s may be read by root alone: sudo chmod a+r %.100s (until the next boot)",
            path, path);
    else
        snprintf(why, BOARD_WHY, "%.160s cannot be read: %.60s", path, strerror(error));
    return false;
}

/* ---- folders ---- */

/* Names in a folder, sorted; 0 where it is not there.  free_names() afterwards. */
static int list(const char *sysroot, const char *path, struct dirent ***names)
{
    char full[1024];
    int n;

    *names = NULL;
    snprintf(full, sizeof full, "%s%s", sysroot, path);
    n = scandir(full, names, NULL, alphasort);
    return n > 0 ? n : 0;
}

static void free_names(struct dirent **names, int n)
{
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* ---- INA3221 ---- */

/* A rail of this name; NULL: it is no rail, or there is no room. */
static struct rail *add_rail(struct platform_power *p, const char *name)
{
    struct rail *rail = &p->rail[p->n_rails];

    /* channels without a name are wired to nothing */
    if (!name[0] || !strcmp(name, "NC") || begins(name, "sum of shunt") ||
        p->n_rails == MAX_RAILS)
        return NULL;
    *rail = (struct rail){.n_paths = 0};
    snprintf(rail->name, sizeof rail->name, "%.31s", name);
    p->n_rails++;
    return rail;
}

/* JetPack 4: .../ina3221x/1-0040/iio:device0/{rail_name_0,in_power0_input}, mW. */
static int find_iio(struct platform_power *p)
{
    static const char top[] = "/sys/bus/i2c/drivers/ina3221x";
    struct dirent **chip, **device;
    const int n_chips = list(p->sysroot, top, &chip);
    int error = 0;

    for (int c = 0; c < n_chips; c++) {
        char path[300];
        int n_devices;

        snprintf(path, sizeof path, "%s/%.64s", top, chip[c]->d_name);
        n_devices = chip[c]->d_name[0] == '.' ? 0 : list(p->sysroot, path, &device);
        for (int d = 0; d < n_devices; d++) {
            const char *name = device[d]->d_name;

            for (int k = 0; k < 3 && begins(name, "iio"); k++) {
                char label[320], text[64];
                struct rail *rail;

                snprintf(label, sizeof label, "%.120s/%.64s/rail_name_%d", path, name, k);
                error =
                    sysfs_text(p->sysroot, label, text, sizeof text) == EACCES ? EACCES : error;
                rail = add_rail(p, text);
                if (!rail)
                    continue;
                snprintf(rail->path[0], sizeof rail->path[0], "%.120s/%.64s/in_power%d_input",
                         path, name, k);
                rail->n_paths = 1;
            }
        }
        if (n_devices > 0)
            free_names(device, n_devices);
    }
    free_names(chip, n_chips);
    return error;
}

/* JetPack 5: hwmonN with name ina3221 has inN_label, inN_input (mV) and currN_input (mA). */
static int find_in_hwmon(struct platform_power *p, const char *folder)
{
    int error = 0;

    for (int k = 1; k <= 3; k++) {
        char label[320], text[64];
        struct rail *rail;

        snprintf(label, sizeof label, "%.200s/in%d_label", folder, k);
        error = sysfs_text(p->sysroot, label, text, sizeof text) == EACCES ? EACCES : error;
        rail = add_rail(p, text);
        if (!rail)
            continue;
        snprintf(rail->path[0], sizeof rail->path[0], "%.200s/in%d_input", folder, k);
        snprintf(rail->path[1], sizeof rail->path[1], "%.200s/curr%d_input", folder, k);
        rail->n_paths = 2;
    }
    return error;
}

static int find_hwmon_below(struct platform_power *p, const char *top)
{
    struct dirent **hwmon;
    const int n = list(p->sysroot, top, &hwmon);
    int error = 0;

    for (int i = 0; i < n; i++) {
        char folder[300], path[320], name[32];

        if (!begins(hwmon[i]->d_name, "hwmon"))
            continue;
        snprintf(folder, sizeof folder, "%.200s/%.64s", top, hwmon[i]->d_name);
        snprintf(path, sizeof path, "%s/name", folder);
        sysfs_text(p->sysroot, path, name, sizeof name);
        if (begins(name, "ina3221") && find_in_hwmon(p, folder) == EACCES)
            error = EACCES;
    }
    free_names(hwmon, n);
    return error;
}

static int find_hwmon(struct platform_power *p)
{
    static const char top[] = "/sys/bus/i2c/devices";
    int error = find_hwmon_below(p, "/sys/class/hwmon"), n;
    struct dirent **device;

    if (p->n_rails > 0 || error)
        return error;
    n = list(p->sysroot, top, &device);
    for (int i = 0; i < n; i++) {
        char path[300];

        snprintf(path, sizeof path, "%s/%.64s/hwmon", top, device[i]->d_name);
        if (device[i]->d_name[0] != '.' && find_hwmon_below(p, path) == EACCES)
            error = EACCES;
    }
    free_names(device, n);
    return error;
}

static int find_named(const struct platform_power *p, const char *name)
{
    for (int i = 0; i < p->n_rails; i++)
        if (!strcmp(p->rail[i].name, name))
            return i;
    return -1;
}

static void name_rails(struct platform_power *p)
{
    size_t n = 0;

    for (int i = 0; i < p->n_rails && n < sizeof p->rails; i++)
        n += (size_t)snprintf(p->rails + n, sizeof p->rails - n, "%s%s", i ? "+" : "",
                              p->rail[i].name);
}

/* Keep the rails that make the total, each watt once. */
static void choose_rails(struct platform_power *p)
{
    static const char *const totals[] = {"VDD_IN", "POM_5V_IN", "5V_IN"}; /* of TX2, NX, Nano */
    static const char *const agx_xavier[] = {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"};

    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
        const int at = find_named(p, totals[i]);

        if (at < 0)
            continue;
        p->rail[0] = p->rail[at];
        p->n_rails = 1;
        p->is_complete = true;
        return;
    }
    p->is_complete = p->n_rails == 6;
    for (size_t i = 0; i < sizeof agx_xavier / sizeof *agx_xavier; i++)
        p->is_complete = p->is_complete && find_named(p, agx_xavier[i]) >= 0;
}

/* 1: open; 0: there are no rails; -1: there are, and 'why' says why they cannot be read. */
static int open_rails(struct platform_power *p, char *why)
{
    const int in_iio = find_iio(p);
    const int in_hwmon = p->n_rails == 0 ? find_hwmon(p) : 0;
    struct platform_energy trial = {0};

    if (p->n_rails == 0 && (in_iio == EACCES || in_hwmon == EACCES)) {
        snprintf(why, BOARD_WHY,
                 "the names of the power rails may be read by root alone: sudo chmod -R a+rX "
                 "%s (until the next boot)",
                 in_iio == EACCES ? "/sys/bus/i2c/drivers/ina3221x/" : "/sys/class/hwmon/*/");
        return -1;
    }
    if (p->n_rails == 0)
        return 0;
    p->source = INA3221;
    choose_rails(p);
    name_rails(p);
    return platform_power_read(p, 0, &trial, why) ? 1 : -1;
}

/* ---- RAPL ---- */

static bool open_rapl(struct platform_power *p, char *why)
{
    static const char top[] = "/sys/class/powercap";
    struct dirent **zone;
    const int n = list(p->sysroot, top, &zone);
    struct platform_energy trial = {0};

    for (int i = 0; i < n; i++) {
        char path[320], name[32];
        struct rail *rail;

        if (!begins(zone[i]->d_name, "intel-rapl:"))
            continue;
        snprintf(path, sizeof path, "%s/%.64s/name", top, zone[i]->d_name);
        sysfs_text(p->sysroot, path, name, sizeof name);
        /* cores and graphics are inside of their package, psys is around it */
        if (!begins(name, "package") && strcmp(name, "dram") != 0)
            continue;
        rail = add_rail(p, name);
        if (!rail)
            continue;
        snprintf(rail->path[0], sizeof rail->path[0], "%s/%.64s/energy_uj", top,
                 zone[i]->d_name);
        rail->n_paths = 1;
        snprintf(path, sizeof path, "%s/%.64s/max_energy_range_uj", top, zone[i]->d_name);
        rail->range = sysfs_number(p->sysroot, path, 0);
        rail->last = -1;
    }
    free_names(zone, n);
    if (p->n_rails == 0)
        return say(
            why, "nothing measures the processor's power: no INA3221 rails, no %s/intel-rapl:0",
            top);
    p->source = RAPL;
    p->is_counter = true;
    name_rails(p);
    return platform_power_read(p, 0, &trial, why);
}

/* ---- NVML ---- */

bool platform_nvml_load(const char *library, struct platform_nvml *nvml, char *why, size_t size)
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
    if (!handle) {
        snprintf(why, size, "NVML cannot be opened: there is no %s", library);
        return false;
    }
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *function = dlsym(handle, wanted[i].name);

        if (!function) {
            snprintf(why, size, "NVML cannot be used: %s has no %s", library, wanted[i].name);
            dlclose(handle);
            return false;
        }
        memcpy(wanted[i].at, &function, sizeof function); /* POSIX allows it, C does not */
    }
    return true;
}

static bool open_nvml(struct platform_power *p, const char *gpu_uuid,
                      const struct platform_nvml *given, char *why)
{
    struct platform_energy trial = {0};
    unsigned long long mj;
    int code;

    if (given)
        p->nvml = *given;
    else if (p->sysroot[0])
        return say(why, "nothing measures the card's power: no INA3221 rails, and %s",
                   "no NVML below a sysroot");
    else if (!platform_nvml_load("libnvidia-ml.so.1", &p->nvml, why, BOARD_WHY))
        return false;
    code = p->nvml.init();
    if (code)
        return say(why, "NVML cannot begin: %.160s", p->nvml.error(code));
    p->source = NVML;
    p->device = NULL;
    code = p->nvml.by_uuid(gpu_uuid, &p->device);
    if (code) {
        say(why, "NVML does not know the card: %.160s", p->nvml.error(code));
        p->nvml.shutdown();
        return false;
    }
    snprintf(p->rails, sizeof p->rails, "card");
    p->is_counter = p->nvml.energy(p->device, &mj) == 0; /* since Volta */
    if (platform_power_read(p, 0, &trial, why))
        return true;
    p->nvml.shutdown();
    return false;
}

/* ---- all of them ---- */

struct platform_power *platform_power_open(const char *sysroot, const char *gpu_uuid,
                                           const struct platform_nvml *nvml,
                                           char why[BOARD_WHY])
{
    struct platform_power *p = calloc(1, sizeof *p);
    int rails;

    why[0] = '\0';
    if (!p) {
        say(why, "out of memory for %s", "a source of power");
        return NULL;
    }
    snprintf(p->sysroot, sizeof p->sysroot, "%s", sysroot);
    rails = open_rails(p, why);
    if (rails > 0 ||
        (rails == 0 && (gpu_uuid ? open_nvml(p, gpu_uuid, nvml, why) : open_rapl(p, why))))
        return p;
    free(p);
    return NULL;
}

void platform_power_close(struct platform_power *power)
{
    if (power && power->source == NVML)
        power->nvml.shutdown();
    free(power);
}

const char *platform_power_source(const struct platform_power *power)
{
    return source_name[power->source];
}

const char *platform_power_rails(const struct platform_power *power)
{
    return power->rails;
}

bool platform_power_is_complete(const struct platform_power *power)
{
    return power->is_complete;
}

bool platform_power_is_counter(const struct platform_power *power)
{
    return power->is_counter;
}

/* ---- reading ---- */

static bool read_file(const struct platform_power *p, const char *path, double *value,
                      char *why)
{
    char text[64], *end;
    const int error = sysfs_text(p->sysroot, path, text, sizeof text);

    if (error)
        return say_unreadable(why, path, error);
    *value = strtod(text, &end);
    if (end != text)
        return true;
    snprintf(why, BOARD_WHY, "%.120s: expected a number, found '%.40s'", path, text);
    return false;
}

/* W */
static bool read_rails(const struct platform_power *p, double *watt, char *why)
{
    *watt = 0;
    for (int i = 0; i < p->n_rails; i++) {
        const struct rail *rail = &p->rail[i];
        double value = 0, current = 0;

        if (!read_file(p, rail->path[0], &value, why))
            return false;
        if (rail->n_paths == 2) {
            if (!read_file(p, rail->path[1], &current, why))
                return false;
            value *= current / 1000.0; /* mV and mA */
        }
        *watt += value / 1000.0;
    }
    return true;
}

/* J since the last reading of each zone. */
static bool read_zones(struct platform_power *p, double *joules, char *why)
{
    *joules = 0;
    for (int i = 0; i < p->n_rails; i++) {
        struct rail *rail = &p->rail[i];
        double value = 0;

        if (!read_file(p, rail->path[0], &value, why))
            return false;
        if (rail->last >= 0)
            *joules += 1e-6 * (value - rail->last + (value < rail->last ? rail->range : 0.0));
        rail->last = value;
    }
    return true;
}

static bool read_nvml(struct platform_power *p, double *value, char *why)
{
    unsigned long long mj = 0;
    unsigned mw = 0;
    const int code =
        p->is_counter ? p->nvml.energy(p->device, &mj) : p->nvml.power(p->device, &mw);

    *value = p->is_counter ? 1e-3 * (double)mj : 1e-3 * (double)mw;
    return code ? say(why, "NVML cannot read the card's power: %.160s", p->nvml.error(code))
                : true;
}

bool platform_power_read(struct platform_power *p, double now_s, struct platform_energy *energy,
                         char why[BOARD_WHY])
{
    const bool is_first = energy->n_readings == 0;
    double value = 0, joules = 0;
    bool is_new;

    if (p->source == RAPL   ? !read_zones(p, &joules, why)
        : p->source == NVML ? !read_nvml(p, &value, why)
                            : !read_rails(p, &value, why))
        return false;
    if (p->source == NVML && p->is_counter) {
        joules = value - p->counter;
        p->counter = value;
    }
    if (p->is_counter) {
        is_new = joules != 0;
    } else {
        is_new = value != energy->last;
        joules = (value + energy->last) / 2 * (now_s - energy->last_s);
        energy->last = value;
    }
    if (is_first) {
        energy->first_s = now_s;
    } else {
        energy->joules += joules;
        energy->n_updates += is_new;
    }
    energy->last_s = now_s;
    energy->seconds = now_s - energy->first_s;
    energy->n_readings++;
    return true;
}
