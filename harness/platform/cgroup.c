/* cgroup.c - what this process's control groups leave it, of version 1 and 2 */
#include "harness/platform/cgroup.h"

#include "harness/platform/sysfs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 20) /* of /proc/self/mountinfo */

/* A hierarchy of groups; the process is in mount + group, or in mount where that is not
 * there. */
struct hierarchy {
    const char *controller; /* NULL: of version 2 */
    char group[512], mount[512], root[512];
};

/* Is 'word' one of a list with commas? */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ',') && strchr(",", at[n]))
            return true;
    return false;
}

/* A line "4:cpu,cpuacct:/docker/1", or "0::/docker/1" of version 2. */
static void take_group(struct hierarchy *h, char *line)
{
    char *const list = strchr(line, ':'), *const path = list ? strchr(list + 1, ':') : NULL;

    if (!path)
        return;
    *path = '\0';
    if (!(h->controller ? has_word(list + 1, h->controller) : !list[1]))
        return;
    snprintf(h->group, sizeof h->group, "%s", path + 1);
    if (h->controller) /* where distributions mount it */
        snprintf(h->mount, sizeof h->mount, "/sys/fs/cgroup/%s", list + 1);
}

/* A line "40 39 0:30 ROOT MOUNT ro shared:9 - cgroup cgroup rw,cpu,cpuacct". */
static void take_mount(struct hierarchy *h, char *line)
{
    const char *const types = strstr(line, " - ");
    char type[32];
    int at = 0;

    if (types && sscanf(types, " - %31s %*s %n", type, &at) == 1 && at > 0 &&
        (h->controller ? !strcmp(type, "cgroup") && has_word(types + at, h->controller)
                       : !strcmp(type, "cgroup2")))
        sscanf(line, "%*s %*s %*s %511s %511s", h->root, h->mount);
}

/* Each line of a file goes to 'take'. */
static void read_lines(const char *sysroot, const char *path, struct hierarchy *h,
                       void (*take)(struct hierarchy *, char *))
{
    char *const text = malloc(MOST_BYTES), *rest = text;

    if (text)
        sysfs_text(sysroot, text, MOST_BYTES, "%s", path);
    while (rest)
        take(h, strsep(&rest, "\n"));
    free(text);
}

/* Reads a group's files of either version. */
static void read_level(const char *sysroot, const char *folder, struct platform_cgroup *found)
{
    static const char *const cpuset[] = {"cpuset.cpus.effective", "cpuset.effective_cpus",
                                         "cpuset.cpus"};
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
        sysfs_text(sysroot, text, sizeof text, "%s/%s", folder, cpuset[i]);
        found->n_cpus = sysfs_count_cpus(text);
    }
}

/* From the process's own group up to the mount. */
static void read_hierarchy(const char *sysroot, const char *controller,
                           struct platform_cgroup *found)
{
    struct hierarchy h = {.controller = controller, .group = "/", .root = "/"};
    char folder[1100], *end;
    size_t n;

    snprintf(h.mount, sizeof h.mount, "/sys/fs/cgroup%s%s", controller ? "/" : "",
             controller ? controller : "");
    read_lines(sysroot, "/proc/self/cgroup", &h, take_group);
    read_lines(sysroot, "/proc/self/mountinfo", &h, take_mount);
    n = strcmp(h.root, "/") != 0 ? strlen(h.root) : 0;
    /* of a namespace of groups: what is above its root cannot be seen */
    if (strncmp(h.group, h.root, n) != 0 || !strchr("/", h.group[n]) || strstr(h.group, "/.."))
        n = strlen(h.group);
    snprintf(folder, sizeof folder, "%s%s", h.mount, h.group + n);
    do {
        for (end = folder + strlen(folder); end[-1] == '/'; end--)
            end[-1] = '\0';
        read_level(sysroot, folder, found);
        end = strrchr(folder + strlen(h.mount), '/');
        if (end)
            *end = '\0';
    } while (end);
}

void platform_cgroup_read(const char *sysroot, struct platform_cgroup *found)
{
    *found = (struct platform_cgroup){0};
    read_hierarchy(sysroot, NULL, found);
    read_hierarchy(sysroot, "cpu", found);
    read_hierarchy(sysroot, "cpuset", found);
}
