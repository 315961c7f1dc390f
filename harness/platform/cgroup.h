/*
 * cgroup.h - what this process's control groups leave it
 *
 * The limits of its own group and of each one above it hold together.  Version 1 and 2 are
 * read, as /proc/self/cgroup and /proc/self/mountinfo below 'sysroot' name them, else where
 * distributions mount them.
 */
#ifndef BENCH_CGROUP_H
#define BENCH_CGROUP_H

struct platform_cgroup {
    double
        cpu_quota; /* processors' worth of time in a period, the least; 0: no limit is known */
    long long
        n_throttled; /* periods in which a quota stopped the group, of all levels together */
    int n_cpus;      /* of the cpuset; 0: not known */
};

void platform_cgroup_read(const char *sysroot, struct platform_cgroup *found);

#endif
