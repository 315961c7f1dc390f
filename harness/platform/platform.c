/* platform.c - the machine around the processors, from procfs, sysfs and the device tree */
#include "harness/platform/platform.h"

#include "harness/platform/sysfs.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copy what follows 'key' in one line of 'text', without quotes. */
static void find_line(const char *text, const char *key, char *value, size_t size)
{
    const char *at = strstr(text, key);
    size_t n;

    value[0] = '\0';
    if (!at)
        return;
    at += strlen(key);
    at += strspn(at, " \t\":");
    n = strcspn(at, "\"\n");
    snprintf(value, size, "%.*s", (int)(n < size ? n : size - 1), at);
}

double platform_temperature_c(const char *sysroot)
{
    double hottest = 0;

    for (int i = 0; i < 32; i++) {
        char path[96], type[64];
        double value;

        snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp", i);
        value = sysfs_number(sysroot, path, -1e9) / 1000.0;
        snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/type", i);
        sysfs_text(sysroot, path, type, sizeof type);
        /* Tegra's PMIC zone reads a constant 100, zones that are off read -256 */
        if (value > hottest && value < 150 && !strstr(type, "PMIC"))
            hottest = value;
    }
    return hottest;
}

double platform_cpu_mhz(const char *sysroot)
{
    char text[4096], value[32];
    const double khz =
        sysfs_number(sysroot, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", 0);

    if (khz > 0)
        return khz / 1000.0;
    sysfs_text(sysroot, "/proc/cpuinfo", text, sizeof text);
    find_line(text, "cpu MHz", value, sizeof value);
    return strtod(value, NULL);
}

int platform_n_cpus(const char *sysroot)
{
    char text[64];
    int first, last;

    sysfs_text(sysroot, "/sys/devices/system/cpu/present", text, sizeof text);
    return sscanf(text, "%d-%d", &first, &last) == 2 && last >= first ? last - first + 1 : 0;
}

/* The folder of the GPU's clocks below /sys/class/devfreq: a Tegra has several, of memory and video as well. */
static bool find_gpu(const char *sysroot, char *folder, size_t size)
{
    static const char top[] = "/sys/class/devfreq";
    static const char *const chips[] = {"gv11b", "gp10b", "ga10b", "gm20b", "gpu"};
    char path[1024];
    struct dirent **entry = NULL;
    bool found = false;
    int n;

    snprintf(path, sizeof path, "%s%s", sysroot, top);
    n = scandir(path, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char name[64];

        snprintf(path, sizeof path, "%s/%.64s/device/of_node/name", top, entry[i]->d_name);
        sysfs_text(sysroot, path, name, sizeof name);
        for (size_t k = 0; k < sizeof chips / sizeof *chips && !found; k++)
            found = strstr(name[0] ? name : entry[i]->d_name, chips[k]) != NULL;
        if (found) {
            snprintf(folder, size, "%s/%.64s", top, entry[i]->d_name);
            break;
        }
    }
    for (int i = 0; i < n; i++)
        free(entry[i]);
    free(entry);
    return found;
}

static double read_clock(const char *sysroot, const char *folder, const char *name)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return sysfs_number(sysroot, path, 0);
}

double platform_gpu_mhz(const char *sysroot)
{
    char folder[128];

    return find_gpu(sysroot, folder, sizeof folder)
               ? read_clock(sysroot, folder, "cur_freq") * 1e-6
               : 0;
}

/* 1: all of the processors that are on-line stand on one clock, and so does the GPU where there is one. */
static int read_locked(const char *sysroot)
{
    char folder[128];
    int n_known = 0;

    if (find_gpu(sysroot, folder, sizeof folder)) {
        const double low = read_clock(sysroot, folder, "min_freq");

        if (low != read_clock(sysroot, folder, "max_freq"))
            return 0;
        n_known += low > 0;
    }
    for (int i = 0; i < 64; i++) {
        char cpu[96];
        double low;

        snprintf(cpu, sizeof cpu, "/sys/devices/system/cpu/cpu%d/online", i);
        if (sysfs_number(sysroot, cpu, 1) == 0)
            continue;
        snprintf(cpu, sizeof cpu, "/sys/devices/system/cpu/cpu%d/cpufreq", i);
        low = read_clock(sysroot, cpu, "scaling_min_freq");
        if (low != read_clock(sysroot, cpu, "scaling_max_freq"))
            return 0;
        n_known += low > 0;
    }
    return n_known > 0 ? 1 : -1;
}

double platform_free_bytes(const char *sysroot)
{
    char text[4096], value[64];

    sysfs_text(sysroot, "/proc/meminfo", text, sizeof text);
    find_line(text, "MemAvailable:", value, sizeof value);
    return strtod(value, NULL) * 1024.0;
}

static void read_l4t(const char *sysroot, char *l4t, size_t size)
{
    char text[256], revision[32];
    int release = 0;

    l4t[0] = '\0';
    sysfs_text(sysroot, "/etc/nv_tegra_release", text, sizeof text);
    find_line(text, "REVISION:", revision, sizeof revision);
    revision[strcspn(revision, ",")] = '\0';
    if (sscanf(text, "# R%d", &release) == 1)
        snprintf(l4t, size, "R%d.%s", release, revision);
}

/* The mode that nvpmodel last set, by its status file, named by its configuration. */
static void read_mode(const char *sysroot, struct platform_facts *facts)
{
    char text[256], full[512], line[256];
    FILE *file;
    int id, wanted = -1;

    facts->mode_id = -1;
    sysfs_text(sysroot, "/var/lib/nvpmodel/status", text, sizeof text);
    if (sscanf(text, "pmode:%d", &wanted) != 1)
        return;
    snprintf(full, sizeof full, "%s/etc/nvpmodel.conf", sysroot);
    file = fopen(full, "re");
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "< POWER_MODEL ID=%d NAME=%31[^ >]", &id, facts->mode_name) == 2 &&
            id == wanted) {
            facts->mode_id = id;
            break;
        }
    fclose(file);
    if (facts->mode_id < 0)
        facts->mode_name[0] = '\0';
}

void platform_live_read(const char *sysroot, struct platform_live *live)
{
    struct platform_facts facts = {.mode_id = -1};
    char folder[128];
    double hz;

    memset(live, 0, sizeof *live);
    read_mode(sysroot, &facts);
    live->mode_id = facts.mode_id;
    live->gpu_mhz = platform_gpu_mhz(sysroot);
    live->cpu_mhz = platform_cpu_mhz(sysroot);
    hz = sysfs_number(sysroot, "/sys/kernel/debug/bpmp/debug/clk/emc/rate", 0);
    if (hz == 0) /* older releases */
        hz = sysfs_number(sysroot, "/sys/kernel/debug/clk/override.emc/clk_rate", 0);
    live->emc_mhz = hz * 1e-6;
    live->clocks_locked = read_locked(sysroot);
    live->tpc_mask = (int)sysfs_number(sysroot, "/sys/devices/gpu.0/tpc_pg_mask", -1);
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

/* Interfaces of containers, bridges and the loop have no device; an address that was made up is not the GPU's. */
static void read_address(const char *sysroot, char *address, size_t size)
{
    static const char top[] = "/sys/class/net";
    char path[1024];
    struct dirent **entry = NULL;
    int n;

    address[0] = '\0';
    snprintf(path, sizeof path, "%s%s", sysroot, top);
    n = scandir(path, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s%s/%.64s/device", sysroot, top, entry[i]->d_name);
        if (!address[0] && entry[i]->d_name[0] != '.' && access(path, F_OK) == 0) {
            snprintf(path, sizeof path, "%s/%.64s/addr_assign_type", top, entry[i]->d_name);
            if (sysfs_number(sysroot, path, 0) == 0) {
                snprintf(path, sizeof path, "%s/%.64s/address", top, entry[i]->d_name);
                sysfs_text(sysroot, path, address, size);
                drop_zeros(address);
            }
        }
        free(entry[i]);
    }
    free(entry);
}

void platform_identity_read(const char *sysroot, struct platform_identity *identity)
{
    memset(identity, 0, sizeof *identity);
    sysfs_text(sysroot, "/etc/machine-id", identity->machine_id, sizeof identity->machine_id);
    if (!strcmp(identity->machine_id, "uninitialized")) /* what systemd writes into images */
        identity->machine_id[0] = '\0';
    sysfs_text(sysroot, "/sys/firmware/devicetree/base/serial-number", identity->serial,
               sizeof identity->serial);
    drop_zeros(identity->serial);
    if (!identity->serial[0])
        sysfs_text(sysroot, "/sys/devices/soc0/serial_number", identity->serial,
                   sizeof identity->serial);
    drop_zeros(identity->serial);
    read_address(sysroot, identity->address, sizeof identity->address);
}

void platform_read(const char *sysroot, struct platform_facts *facts)
{
    char text[4096], value[64];

    memset(facts, 0, sizeof *facts);
    sysfs_text(sysroot, "/sys/firmware/devicetree/base/model", facts->model,
               sizeof facts->model);
    read_mode(sysroot, facts);
    read_l4t(sysroot, facts->l4t, sizeof facts->l4t);
    sysfs_text(sysroot, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
               facts->governor, sizeof facts->governor);
    sysfs_text(sysroot, "/etc/os-release", text, sizeof text);
    find_line(text, "PRETTY_NAME=", facts->os, sizeof facts->os);
    sysfs_text(sysroot, "/proc/sys/kernel/osrelease", facts->kernel, sizeof facts->kernel);
    facts->kernel[strspn(facts->kernel, "0123456789.")] =
        '\0'; /* the version, not its builder's name */
    sysfs_text(sysroot, "/proc/meminfo", text, sizeof text);
    find_line(text, "MemTotal:", value, sizeof value);
    facts->memory_gib = strtod(value, NULL) / 1048576.0;
    facts->cpu_mhz = platform_cpu_mhz(sysroot);
    facts->temp_c = platform_temperature_c(sysroot);
    facts->load_1 = sysfs_number(sysroot, "/proc/loadavg", -1);
}
