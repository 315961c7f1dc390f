/* platform.c - the machine around the processors, from procfs, sysfs and the device tree */
#include "harness/platform/platform.h"

#include "harness/platform/sysfs.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPU         "/sys/devices/system/cpu/cpu"
#define DEVICE_TREE "/sys/firmware/devicetree/base/"

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

static double temperature_c(const char *sysroot)
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

int platform_n_cpus(const char *sysroot)
{
    char text[256];

    sysfs_text(sysroot, text, sizeof text, "/sys/devices/system/cpu/present");
    return sysfs_count_cpus(text);
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

bool platform_peak_begin(const char *sysroot)
{
    char path[4096];
    bool is_reset;
    int file;

    malloc_trim(0); /* what was freed before is no peak of what comes */
    snprintf(path, sizeof path, "%s/proc/self/clear_refs", sysroot);
    file = open(path, O_WRONLY | O_CLOEXEC);
    is_reset = file >= 0 && write(file, "5", 1) == 1;
    if (file >= 0)
        close(file);
    return is_reset;
}

double platform_peak_bytes(const char *sysroot)
{
    static const char path[] = "/proc/self/status";
    const double peak = find_number(sysroot, path, "VmHWM:");

    malloc_trim(0);
    return fmax(peak - find_number(sysroot, path, "VmRSS:"), 0) * 1024;
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

/* Tegras, by what `compatible` of the device tree has; where that cannot be read by the GPU's
 * name in its path, or by what the board is called. */
static const struct chip {
    const char *name, *words[4];
    int n_tpcs; /* pairs of multiprocessors; 0: not known */
    bool has_mask;
} chips[] = {
    {"tegra186", {"nvidia,tegra186", "gp10b", "TX2", "quill"}, 1, false},
    {"tegra194", {"nvidia,tegra194", "gv11b", "Xavier", "Jetson-AGX"}, 4, true},
    {"tegra234", {"nvidia,tegra234", "ga10b", "Orin", "Orin"}, 8, true},
    {"tegra264", {"nvidia,tegra264", "gpu-gpc", "Thor", "Thor"}, 0, false},
};

/* NULL: none of them. */
static const struct chip *find_chip(const char *sysroot)
{
    char text[512] = "", model[96], folder[128] = "";

    sysfs_text(sysroot, text, sizeof text, DEVICE_TREE "compatible");
    if (text[0]) { /* a list of texts, each with its NUL */
        for (size_t i = 0; i < sizeof text - 1; i++)
            text[i] = text[i] ? text[i] : ' ';
    } else {
        find_gpu(sysroot, folder, sizeof folder);
        sysfs_text(sysroot, model, sizeof model, DEVICE_TREE "model");
        snprintf(text, sizeof text, "%s %s", folder, model);
    }
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        for (int k = 0; k < 4; k++)
            if (strstr(text, chips[i].words[k]))
                return &chips[i];
    return NULL;
}

/* A line of a mode: a parameter, and what it is set to; -1 is the highest. */
static void take_setting(const char *line, struct platform_mode *mode)
{
    double value;
    int set;

    if (sscanf(line, "TPC_POWER_GATING TPC_PG_MASK %d", &set) == 1)
        mode->tpc_mask = set;
    else if (sscanf(line, "CPU_ONLINE CORE_%*d %d", &set) == 1)
        mode->n_cpus += set == 1;
    else if (sscanf(line, "GPU MAX_FREQ %lf", &value) == 1)
        mode->gpu_hz = value < 0 ? PLATFORM_NO_LIMIT : value;
    else if (sscanf(line, "CPU_%*[^ ] MAX_FREQ %lf", &value) == 1)
        mode->cpu_khz = fmax(mode->cpu_khz, value < 0 ? PLATFORM_NO_LIMIT : value);
}

int platform_modes(const char *sysroot, struct platform_mode modes[PLATFORM_MAX_MODES])
{
    const struct chip *const chip = find_chip(sysroot);
    char path[600], line[256];
    FILE *file;
    int n = 0, id, n_tpcs = chip ? chip->n_tpcs : 0;

    snprintf(path, sizeof path, "%s/etc/nvpmodel.conf", sysroot);
    file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        struct platform_mode found = {.tpc_mask = -1};

        if (sscanf(line, "< POWER_MODEL ID=%d NAME=%31[^ >]", &found.id, found.name) == 2) {
            if (n < PLATFORM_MAX_MODES)
                modes[n++] = found;
        } else if (sscanf(line, "< PM_CONFIG DEFAULT=%d", &id) == 1) {
            for (int i = 0; i < n; i++)
                modes[i].is_default = modes[i].id == id;
        } else if (n > 0) {
            take_setting(line, &modes[n - 1]);
        }
    }
    if (file)
        fclose(file);
    for (int i = 0; i < n; i++) /* at least as many as a mask has bits */
        while (modes[i].tpc_mask > 0 && modes[i].tpc_mask >> n_tpcs)
            n_tpcs++;
    for (int i = 0; i < n; i++)
        modes[i].n_tpcs =
            n_tpcs -
            __builtin_popcount((unsigned)(modes[i].tpc_mask > 0 ? modes[i].tpc_mask : 0));
    return n;
}

/* True if 'a' has less than 'b'. */
static bool is_less(const struct platform_mode *a, const struct platform_mode *b)
{
    /* where no mode says which are on, all have the same */
    const double of_a[] = {a->gpu_hz * fmax(a->n_tpcs, 1), a->n_cpus, a->cpu_khz};
    const double of_b[] = {b->gpu_hz * fmax(b->n_tpcs, 1), b->n_cpus, b->cpu_khz};

    for (int i = 0; i < 3; i++)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i];
    return false;
}

int platform_extreme_mode(const struct platform_mode *modes, int n, bool most)
{
    int at = n > 0 ? 0 : -1;

    for (int i = 1; i < n; i++)
        if (most ? !is_less(&modes[i], &modes[at]) : is_less(&modes[i], &modes[at]))
            at = i;
    return at;
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

/* Counts multiprocessors.  Those that no mode turns on are off, even if the mask's file reads
 * 0. */
static int count_sms(const char *sysroot, int mask)
{
    const struct chip *const chip = find_chip(sysroot);
    struct platform_mode modes[PLATFORM_MAX_MODES];
    const int n = platform_modes(sysroot, modes);
    unsigned never = ~0u;

    if (!chip || (chip->has_mask && mask < 0))
        return 0;
    for (int i = 0; i < n; i++)
        never &= modes[i].tpc_mask < 0 ? 0u : (unsigned)modes[i].tpc_mask;
    never = (n > 0 ? never : 0u) | (chip->has_mask ? (unsigned)mask : 0u);
    return 2 * (chip->n_tpcs - __builtin_popcount(never & ((1u << chip->n_tpcs) - 1)));
}

void platform_live_read(const char *sysroot, struct platform_live *live)
{
    char folder[128];
    double hz;

    memset(live, 0, sizeof *live);
    if (find_gpu(sysroot, folder, sizeof folder)) {
        live->gpu_min_mhz = sysfs_number(sysroot, 0, "%s/min_freq", folder) * 1e-6;
        live->gpu_max_mhz = sysfs_number(sysroot, 0, "%s/max_freq", folder) * 1e-6;
    }
    live->temp_c = temperature_c(sysroot);
    live->mode_id = platform_set_mode(sysroot).id;
    live->gpu_mhz = platform_gpu_mhz(sysroot);
    live->cpu_mhz = platform_cpu_mhz(sysroot);
    hz = sysfs_number(sysroot, 0, "/sys/kernel/debug/bpmp/debug/clk/emc/rate");
    if (hz == 0) /* older releases */
        hz = sysfs_number(sysroot, 0, "/sys/kernel/debug/clk/override.emc/clk_rate");
    if (hz == 0) /* of a Thor without root */
        hz = sysfs_number(sysroot, 0, "/sys/class/devfreq/bwmgr/cur_freq");
    live->emc_mhz = hz * 1e-6;
    live->clocks_locked = read_locked(sysroot);
    live->tpc_mask = (int)sysfs_number(
        sysroot, sysfs_number(sysroot, -1, "/sys/devices/gpu.0/tpc_pg_mask"), /* JetPack 4, 5 */
        "/sys/devices/platform/gpu.0/tpc_pg_mask");
    live->sm_count = count_sms(sysroot, live->tpc_mask);
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
    sysfs_text(sysroot, identity->serial, sizeof identity->serial, DEVICE_TREE "serial-number");
    drop_zeros(identity->serial);
    if (!identity->serial[0])
        sysfs_text(sysroot, identity->serial, sizeof identity->serial,
                   "/sys/devices/soc0/serial_number");
    drop_zeros(identity->serial);
    read_address(sysroot, identity->address, sizeof identity->address);
}

double platform_load(const char *sysroot)
{
    return sysfs_number(sysroot, -1, "/proc/loadavg");
}

void platform_read(const char *sysroot, struct platform_facts *facts)
{
    const struct platform_mode mode = platform_set_mode(sysroot);
    char text[256];
    const struct chip *chip;

    memset(facts, 0, sizeof *facts);
    facts->mode_id = mode.id;
    snprintf(facts->mode_name, sizeof facts->mode_name, "%s", mode.name);
    sysfs_text(sysroot, facts->model, sizeof facts->model, DEVICE_TREE "model");
    chip = find_chip(sysroot);
    snprintf(facts->chip, sizeof facts->chip, "%s", chip ? chip->name : "");
    read_l4t(sysroot, facts->l4t, sizeof facts->l4t);
    sysfs_text(sysroot, facts->governor, sizeof facts->governor,
               CPU "0/cpufreq/scaling_governor");
    find_line(sysroot, "/etc/os-release", "PRETTY_NAME=", facts->os, sizeof facts->os);
    sysfs_text(sysroot, facts->kernel, sizeof facts->kernel, "/proc/sys/kernel/osrelease");
    /* the version, not its builder's name */
    facts->kernel[strspn(facts->kernel, "0123456789.")] = '\0';
    facts->memory_gib = find_number(sysroot, "/proc/meminfo", "MemTotal:") / 1048576.0;
    facts->cpu_mhz = platform_cpu_mhz(sysroot);
    facts->temp_c = temperature_c(sysroot);
    facts->load_1 = platform_load(sysroot);
    sysfs_text(sysroot, text, sizeof text, "/proc/loadavg");
    if (sscanf(text, "%*f %*f %*f %d/", &facts->n_running) != 1)
        facts->n_running = INT_MAX;
    sysfs_text(sysroot, text, sizeof text, "/sys/devices/system/cpu/online");
    facts->n_online = sysfs_count_cpus(text);
    platform_cgroup_read(sysroot, &facts->cgroup);
}
