/* cgroup.c - what this process's control groups leave it, of version 1 and 2 */
#include "harness/platform/cgroup.h"

#include "harness/platform/platform.h"
#include "harness/platform/sysfs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define V2 "cgroup2"

/* Is 'word' one of a list with commas? */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ',') && strchr(",\n", at[n]))
            return true;
    return false;
}

/* mountinfo writes blanks and the like as \040. */
static void unescape(char *text)
{
    char *to = text;

    for (const char *from = text; *from;) {
        unsigned code;

        if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
            *to++ = (char)code;
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

/* The next line of a file below the sysroot; false: there is none, and all is freed. */
static bool next_line(const char *sysroot, const char *path, FILE **file, char **line,
                      size_t *size)
{
    char full[1024];

    if (!*file && snprintf(full, sizeof full, "%s%s", sysroot, path) < (int)sizeof full)
        *file = fopen(full, "re");
    if (*file && getline(line, size, *file) >= 0)
        return true;
    if (*file)
        fclose(*file);
    free(*line);
    *file = NULL;
    *line = NULL;
    return false;
}

/* The process's group in the hierarchy of 'controller' (NULL: of version 2), "/" if not named, and
 * where that hierarchy usually is. */
static void find_group(const char *sysroot, const char *controller, char group[512],
                       char usual[128])
{
    FILE *file = NULL;
    char *line = NULL;
    size_t size = 0;

    snprintf(group, 512, "/");
    snprintf(usual, 128, "/sys/fs/cgroup%s%s", controller ? "/" : "",
             controller ? controller : "");
    while (next_line(sysroot, "/proc/self/cgroup", &file, &line, &size)) {
        char *const list = strchr(line, ':'), *const path = list ? strchr(list + 1, ':') : NULL;

        if (!path)
            continue;
        *path = '\0';
        if (!(controller ? has_word(list + 1, controller) : !list[1]))
            continue;
        snprintf(group, 512, "%.*s", (int)strcspn(path + 1, "\n"), path + 1);
        if (controller) /* "cpu,cpuacct" */
            snprintf(usual, 128, "/sys/fs/cgroup/%s", list + 1);
    }
}

/* Where the hierarchy is mounted, and which of its groups is the mount's root. */
static bool find_mount(const char *sysroot, const char *controller, char root[512],
                       char mount[512])
{
    FILE *file = NULL;
    char *line = NULL;
    size_t size = 0;
    bool found = false;

    while (next_line(sysroot, "/proc/self/mountinfo", &file, &line, &size)) {
        const char *const types = strstr(line, " - ");
        char type[32], a[512], b[512];
        int at = 0;

        if (found || !types || sscanf(types, " - %31s %*s %n", type, &at) != 1 || at == 0 ||
            sscanf(line, "%*s %*s %*s %511s %511s", a, b) != 2)
            continue;
        found = controller ? !strcmp(type, "cgroup") && has_word(types + at, controller)
                           : !strcmp(type, V2);
        if (!found)
            continue;
        unescape(strcpy(root, a));
        unescape(strcpy(mount, b));
    }
    return found;
}

/* What a group says in the files of either version. */
static void read_level(const char *sysroot, const char *folder, struct platform_cgroup *found)
{
    char text[1024];
    double quota = 0, period = 100000;
    const char *at;

    sysfs_text(sysroot, text, sizeof text, "%s/cpu.max", folder); /* "max 100000": no limit */
    if (sscanf(text, "%lf %lf", &quota, &period) < 1) {
        quota = sysfs_number(sysroot, 0, "%s/cpu.cfs_quota_us", folder); /* -1: no limit */
        period = sysfs_number(sysroot, 0, "%s/cpu.cfs_period_us", folder);
    }
    if (quota > 0 && quota < 1e15 && period > 0 &&
        (found->cpu_quota == 0 || quota / period < found->cpu_quota))
        found->cpu_quota = quota / period;
    sysfs_text(sysroot, text, sizeof text, "%s/cpu.stat", folder);
    at = strstr(text, "nr_throttled ");
    if (at)
        found->n_throttled += strtoll(at + strlen("nr_throttled "), NULL, 10);
    for (int i = 0; i < 3 && found->n_cpus == 0; i++) {
        static const char *const name[] = {"cpuset.cpus.effective", "cpuset.effective_cpus",
                                           "cpuset.cpus"};

        sysfs_text(sysroot, text, sizeof text, "%s/%s", folder, name[i]);
        found->n_cpus = platform_count_cpus(text);
    }
}

/* From the process's own group up to the mount. */
static void read_hierarchy(const char *sysroot, const char *controller,
                           struct platform_cgroup *found)
{
    char group[512], usual[128], root[512] = "/", mount[512], folder[1024], *end;
    size_t n = 0;

    find_group(sysroot, controller, group, usual);
    if (!find_mount(sysroot, controller, root, mount))
        snprintf(mount, sizeof mount, "%s", usual);
    if (strcmp(root, "/") != 0)
        n = strlen(root);
    /* of a namespace of groups: what is above its root cannot be seen */
    if (strncmp(group, root, n) != 0 || !strchr("/", group[n]) || strstr(group, "/.."))
        n = strlen(group);
    snprintf(folder, sizeof folder, "%s%s", mount, group + n);
    end = folder + strlen(folder);
    if (end[-1] == '/')
        *--end = '\0';
    while (true) {
        read_level(sysroot, folder, found);
        end = strrchr(folder + strlen(mount), '/');
        if (!end)
            return;
        *end = '\0';
    }
}

void platform_cgroup_read(const char *sysroot, struct platform_cgroup *found)
{
    *found = (struct platform_cgroup){0};
    read_hierarchy(sysroot, NULL, found);
    read_hierarchy(sysroot, "cpu", found);
    read_hierarchy(sysroot, "cpuset", found);
}
