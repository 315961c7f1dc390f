/* board.c - the machine around the processors, from procfs, sysfs and the device tree */
#include "board/board.h"

#include "board/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

double board_temperature_c(const char *sysroot)
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

double board_cpu_mhz(const char *sysroot)
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

double board_free_bytes(const char *sysroot)
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
static void read_mode(const char *sysroot, struct board_facts *facts)
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

void board_read(const char *sysroot, struct board_facts *facts)
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
    facts->cpu_mhz = board_cpu_mhz(sysroot);
    facts->temp_c = board_temperature_c(sysroot);
    facts->load_1 = sysfs_number(sysroot, "/proc/loadavg", -1);
}
