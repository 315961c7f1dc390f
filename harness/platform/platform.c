/* platform.c - the machine around the processors, from procfs, sysfs and the device tree */
#include "harness/platform/platform.h"

#include "harness/platform/sysfs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu/cpu"

/* Copy what follows 'key' in one line of a file, without quotes. */
static void find_line(const char *sysroot, const char *path, const char *key, char *value,
                      size_t size)
{
    char text[4096];
    const char *at;
    size_t n;

    sysfs_text(sysroot, text, sizeof text, "%s", path);
    at = strstr(text, key);
    value[0] = '\0';
    if (!at)
        return;
    at += strlen(key);
    at += strspn(at, " \t\":");
    n = strcspn(at, "\"\n");
    snprintf(value, size, "%.*s", (int)(n < size ? n : size - 1), at);
}

static double find_number(const char *sysroot, const char *path, const char *key)
{
    char value[64];

    find_line(sysroot, path, key, value, sizeof value);
    return strtod(value, NULL);
}

double platform_temperature_c(const char *sysroot)
{
    double hottest = 0;

    for (int i = 0; i < 32; i++) {
        const double value =
            sysfs_number(sysroot, -1e9, "/sys/class/thermal/thermal_zone%d/temp", i) / 1000.0;
        char type[64];

        sysfs_text(sysroot, type, sizeof type, "/sys/class/thermal/thermal_zone%d/type", i);
        /* Tegra's PMIC zone reads a constant 100, zones that are off read -256 */
        if (value > hottest && value < 150 && !strstr(type, "PMIC"))
            hottest = value;
    }
    return hottest;
}

double platform_cpu_mhz(const char *sysroot)
{
    const double khz = sysfs_number(sysroot, 0, CPU "0/cpufreq/scaling_cur_freq");

    return khz > 0 ? khz / 1000.0 : find_number(sysroot, "/proc/cpuinfo", "cpu MHz");
}

int platform_count_cpus(const char *list)
{
    int n = 0, first, last, at;

    for (; sscanf(list, "%d%n", &first, &at) == 1; list += at + (list[at] == ',')) {
        if (list[at] == '-' && sscanf(list + at + 1, "%d", &last) == 1) {
            n += last - first;
            at += 1 + (int)strspn(list + at + 1, "0123456789");
        }
        n++;
    }
    return n > 0 ? n : 0;
}

int platform_n_cpus(const char *sysroot)
{
    char text[256];

    sysfs_text(sysroot, text, sizeof text, "/sys/devices/system/cpu/present");
    return platform_count_cpus(text);
}

/* The folder of the GPU's clocks: a Tegra has several, of memory and video as well. */
static bool find_gpu(const char *sysroot, char *folder, size_t size)
{
    static const char *const chips[] = {"gv11b", "gp10b", "ga10b", "gm20b", "gpu"};
    bool found = false;
    glob_t folders;

    sysfs_find(sysroot, "/sys/class/devfreq/*", &folders);
    for (size_t i = 0; i < folders.gl_pathc && !found; i++) {
        const char *const path = folders.gl_pathv[i];
        char name[64];

        sysfs_text(sysroot, name, sizeof name, "%s/device/of_node/name", path);
        for (size_t k = 0; k < sizeof chips / sizeof *chips && !found; k++)
            found = strstr(name[0] ? name : path, chips[k]) != NULL;
        if (found)
            snprintf(folder, size, "%s", path);
    }
    globfree(&folders);
    return found;
}

double platform_gpu_mhz(const char *sysroot)
{
    char folder[128];

    return find_gpu(sysroot, folder, sizeof folder)
               ? sysfs_number(sysroot, 0, "%s/cur_freq", folder) * 1e-6
               : 0;
}

/* 1: all of the processors that are on-line stand on one clock, and so does the GPU where
 * there is one. */
static int read_locked(const char *sysroot)
{
    char folder[128];
    int n_known = 0;

    if (find_gpu(sysroot, folder, sizeof folder)) {
        const double low = sysfs_number(sysroot, 0, "%s/min_freq", folder);

        if (low != sysfs_number(sysroot, 0, "%s/max_freq", folder))
            return 0;
        n_known += low > 0;
    }
    for (int i = 0; i < 64; i++) {
        const double low = sysfs_number(sysroot, 0, CPU "%d/cpufreq/scaling_min_freq", i);

        if (sysfs_number(sysroot, 1, CPU "%d/online", i) == 0)
            continue;
        if (low != sysfs_number(sysroot, 0, CPU "%d/cpufreq/scaling_max_freq", i))
            return 0;
        n_known += low > 0;
    }
    return n_known > 0 ? 1 : -1;
}

double platform_free_bytes(const char *sysroot)
{
    return find_number(sysroot, "/proc/meminfo", "MemAvailable:") * 1024.0;
}

static void read_l4t(const char *sysroot, char *l4t, size_t size)
{
    static const char path[] = "/etc/nv_tegra_release";
    char revision[32];
    int release = 0;
    char text[32];

    l4t[0] = '\0';
    sysfs_text(sysroot, text, sizeof text, "%s", path);
    find_line(sysroot, path, "REVISION:", revision, sizeof revision);
    revision[strcspn(revision, ",")] = '\0';
    if (sscanf(text, "# R%d", &release) == 1)
        snprintf(l4t, size, "R%d.%s", release, revision);
}

int platform_modes(const char *sysroot, struct platform_mode modes[PLATFORM_MAX_MODES])
{
    char path[600], line[256];
    FILE *file;
    int n = 0, mask;

    snprintf(path, sizeof path, "%s/etc/nvpmodel.conf", sysroot);
    file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        struct platform_mode found = {.tpc_mask = -1};

        if (n < PLATFORM_MAX_MODES &&
            sscanf(line, "< POWER_MODEL ID=%d NAME=%31[^ >]", &found.id, found.name) == 2)
            modes[n++] = found;
        else if (n > 0 && sscanf(line, "TPC_POWER_GATING TPC_PG_MASK %d", &mask) == 1)
            modes[n - 1].tpc_mask = mask;
    }
    if (file)
        fclose(file);
    return n;
}

struct platform_mode platform_set_mode(const char *sysroot)
{
    struct platform_mode modes[PLATFORM_MAX_MODES];
    const int n = platform_modes(sysroot, modes);
    char text[256];
    int id = -1;

    sysfs_text(sysroot, text, sizeof text, "/var/lib/nvpmodel/status");
    if (sscanf(text, "pmode:%d", &id) == 1)
        for (int i = 0; i < n; i++)
            if (modes[i].id == id)
                return modes[i];
    return (struct platform_mode){.id = -1, .tpc_mask = -1};
}

void platform_live_read(const char *sysroot, struct platform_live *live)
{
    char folder[128];
    double hz;

    memset(live, 0, sizeof *live);
    live->mode_id = platform_set_mode(sysroot).id;
    live->gpu_mhz = platform_gpu_mhz(sysroot);
    live->cpu_mhz = platform_cpu_mhz(sysroot);
    hz = sysfs_number(sysroot, 0, "/sys/kernel/debug/bpmp/debug/clk/emc/rate");
    if (hz == 0) /* older releases */
        hz = sysfs_number(sysroot, 0, "/sys/kernel/debug/clk/override.emc/clk_rate");
    live->emc_mhz = hz * 1e-6;
    live->clocks_locked = read_locked(sysroot);
    live->tpc_mask = (int)sysfs_number(sysroot, -1, "/sys/devices/gpu.0/tpc_pg_mask");
    if (live->tpc_mask >= 0 && find_gpu(sysroot, folder, sizeof folder) &&
        strstr(folder, "gv11b"))
        live->sm_count = 8 - 2 * __builtin_popcount((unsigned)live->tpc_mask & 15u);
}

/* A text of nothing but zeros is what a board says that was never given a number. */
static void drop_zeros(char *text)
{
    if (text[strspn(text, "0:")] == '\0')
        text[0] = '\0';
}

/* Interfaces of containers, bridges and the loop have no device; an address that was made up
 * is not the machine's. */
static void read_address(const char *sysroot, char *address, size_t size)
{
    glob_t devices;

    address[0] = '\0';
    sysfs_find(sysroot, "/sys/class/net/*/device", &devices);
    for (size_t i = 0; i < devices.gl_pathc && !address[0]; i++) {
        const int n = (int)(strlen(devices.gl_pathv[i]) - strlen("device"));
        const char *const path = devices.gl_pathv[i];

        if (sysfs_number(sysroot, 0, "%.*saddr_assign_type", n, path) == 0)
            sysfs_text(sysroot, address, size, "%.*saddress", n, path);
        drop_zeros(address);
    }
    globfree(&devices);
}

void platform_identity_read(const char *sysroot, struct platform_identity *identity)
{
    memset(identity, 0, sizeof *identity);
    sysfs_text(sysroot, identity->machine_id, sizeof identity->machine_id, "/etc/machine-id");
    if (!strcmp(identity->machine_id, "uninitialized")) /* what systemd writes into images */
        identity->machine_id[0] = '\0';
    sysfs_text(sysroot, identity->serial, sizeof identity->serial,
               "/sys/firmware/devicetree/base/serial-number");
    drop_zeros(identity->serial);
    if (!identity->serial[0])
        sysfs_text(sysroot, identity->serial, sizeof identity->serial,
                   "/sys/devices/soc0/serial_number");
    drop_zeros(identity->serial);
    read_address(sysroot, identity->address, sizeof identity->address);
}

void platform_boot_id(const char *sysroot, char text[64])
{
    sysfs_text(sysroot, text, 64, "/proc/sys/kernel/random/boot_id");
}

double platform_load(const char *sysroot)
{
    return sysfs_number(sysroot, -1, "/proc/loadavg");
}

void platform_read(const char *sysroot, struct platform_facts *facts)
{
    const struct platform_mode mode = platform_set_mode(sysroot);
    char text[256];

    memset(facts, 0, sizeof *facts);
    facts->mode_id = mode.id;
    snprintf(facts->mode_name, sizeof facts->mode_name, "%s", mode.name);
    sysfs_text(sysroot, facts->model, sizeof facts->model,
               "/sys/firmware/devicetree/base/model");
    read_l4t(sysroot, facts->l4t, sizeof facts->l4t);
    sysfs_text(sysroot, facts->governor, sizeof facts->governor,
               CPU "0/cpufreq/scaling_governor");
    find_line(sysroot, "/etc/os-release", "PRETTY_NAME=", facts->os, sizeof facts->os);
    sysfs_text(sysroot, facts->kernel, sizeof facts->kernel, "/proc/sys/kernel/osrelease");
    /* the version, not its builder's name */
    facts->kernel[strspn(facts->kernel, "0123456789.")] = '\0';
    facts->memory_gib = find_number(sysroot, "/proc/meminfo", "MemTotal:") / 1048576.0;
    facts->cpu_mhz = platform_cpu_mhz(sysroot);
    facts->temp_c = platform_temperature_c(sysroot);
    facts->load_1 = platform_load(sysroot);
    sysfs_text(sysroot, text, sizeof text, "/sys/devices/system/cpu/online");
    facts->n_online = platform_count_cpus(text);
    platform_cgroup_read(sysroot, &facts->cgroup);
}
