/* threads.c - the cores of this machine, and OpenMP threads bound to them */
#include "harness/platform/threads.h"

#include "harness/platform/sysfs.h"

#include <hwloc.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct bench_cores cores;
static int n_usable_cores, n_usable_pus; /* of 'cores', before other limits */
static double most_processors;           /* of bench_cores_limit() */
static hwloc_topology_t topology;
static hwloc_bitmap_t usable; /* what the process was allowed to run on when it began */
static bool looked, have_topology;
static int n_bound; /* threads of the largest team that was bound and is not free again */

static void read_model(void)
{
    hwloc_obj_t root = hwloc_get_root_obj(topology);
    const char *model = hwloc_obj_get_info_by_name(root, "CPUModel");

    for (int i = 0; !model && i < hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE); i++)
        model = hwloc_obj_get_info_by_name(
            hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, (unsigned)i), "CPUModel");
    if (model)
        snprintf(cores.cpu_model, sizeof cores.cpu_model, "%s", model);
    /* some virtual processors fill theirs with blanks */
    for (size_t n = strlen(cores.cpu_model); n > 0 && cores.cpu_model[n - 1] == ' '; n--)
        cores.cpu_model[n - 1] = '\0';
}

static void read_caches(void)
{
    for (hwloc_obj_t pu = NULL;
         (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != NULL;) {
        for (hwloc_obj_t up = pu->parent; up; up = up->parent) {
#if HWLOC_API_VERSION >= 0x20000
            const bool cache = hwloc_obj_type_is_dcache(up->type);
#else
            const bool cache = up->type == HWLOC_OBJ_CACHE;
#endif
            if (cache && up->attr && up->attr->cache.size > cores.llc_bytes)
                cores.llc_bytes = (size_t)up->attr->cache.size;
        }
    }
}

/* OpenMP bound the first thread to one of its places before main() began.  All of them are what
 * the process was allowed to run on before, or what OMP_PLACES leaves of it. */
static void add_places(hwloc_bitmap_t set)
{
    for (int place = 0; place < omp_get_num_places(); place++) {
        const int n = omp_get_place_num_procs(place);
        int *const ids = calloc((size_t)n + 1, sizeof *ids);

        if (ids)
            omp_get_place_proc_ids(place, ids);
        for (int i = 0; ids && i < n; i++)
            hwloc_bitmap_set(set, (unsigned)ids[i]);
        free(ids);
    }
}

/* This machine is measured, whatever hwloc is told to show, to it and to children.  What was
 * told. */
static const char *drop_views(void)
{
    static const char *const views[] = {
        "HWLOC_XMLFILE",    "HWLOC_FORCE_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT",
        "HWLOC_CPUID_PATH", "HWLOC_FORCE_FSROOT",  "HWLOC_THISSYSTEM"};
    static char dropped[128];
    size_t n = strlen(dropped);

    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (getenv(views[i]) && !unsetenv(views[i]))
            n += (size_t)snprintf(dropped + n, sizeof dropped - n, "%s%s", n ? ", " : "",
                                  views[i]);
    return dropped;
}

/* 'allowed': of these processors only; NULL: of those that the process is bound to. */
static bool load(hwloc_const_bitmap_t allowed)
{
    /* where /sys is not there it says so itself, each time */
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
    if (hwloc_topology_init(&topology))
        return false;
    if (hwloc_topology_load(topology))
        return false;
    usable = hwloc_bitmap_alloc();
    if (!usable)
        return false;
    if (allowed)
        hwloc_bitmap_copy(usable, allowed);
    else if (!hwloc_topology_is_thissystem(topology) ||
             hwloc_get_cpubind(topology, usable, HWLOC_CPUBIND_PROCESS))
        hwloc_bitmap_copy(usable, hwloc_topology_get_topology_cpuset(topology));
    else
        add_places(usable);
    hwloc_bitmap_and(usable, usable, hwloc_topology_get_topology_cpuset(topology));
    for (hwloc_obj_t core = NULL;
         (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != NULL;)
        cores.n_cores += hwloc_bitmap_intersects(core->cpuset, usable) ? 1 : 0;
    cores.n_there = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    cores.n_pus = hwloc_bitmap_weight(usable);
    cores.first_pu = hwloc_bitmap_first(usable);
    read_model();
    read_caches();
    return true;
}

__attribute__((format(printf, 1, 2))) static void add_limit(const char *format, ...)
{
    const size_t n = strlen(cores.limits);
    va_list arguments;
    char text[sizeof cores.limits];

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(cores.limits + n, sizeof cores.limits - n, "%s%s", n ? "; " : "", text);
}

static int least(double a, double b)
{
    return (int)fmax(1, floor(fmin(a, b)));
}

/* A team that is larger than what it may have waits for itself. */
static void apply_limits(void)
{
    const int n_online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const double most_threads = omp_get_thread_limit();

    cores.n_cores = n_usable_cores;
    cores.n_pus = n_usable_pus;
    cores.limits[0] = '\0';
    if (n_usable_pus < n_online)
        add_limit("%saffinity or cpuset: %d of %d processors",
                  omp_get_num_places() > 0 ? "OMP_PLACES, " : "", n_usable_pus, n_online);
    if (most_processors > 0 && most_processors < n_usable_pus) {
        add_limit("CPU quota of the cgroup: %g", most_processors);
        cores.n_cores = least(cores.n_cores, most_processors);
        cores.n_pus = least(cores.n_pus, most_processors);
    }
    if (most_threads < cores.n_pus) {
        add_limit("OMP_THREAD_LIMIT=%g", most_threads);
        cores.n_cores = least(cores.n_cores, most_threads);
        cores.n_pus = least(cores.n_pus, most_threads);
    }
}

static void look(hwloc_const_bitmap_t allowed)
{
    memset(&cores, 0, sizeof cores);
    cores.ignored = drop_views();
    cores.first_pu = -1;
    looked = true;
    have_topology = load(allowed);
    if (cores.n_pus < 1)
        cores.n_pus = omp_get_num_procs();
    if (cores.n_cores < 1) /* some virtual machines name no cores */
        cores.n_cores = cores.n_pus;
    if (cores.n_there < cores.n_cores)
        cores.n_there = cores.n_cores;
    n_usable_cores = cores.n_cores;
    n_usable_pus = cores.n_pus;
    apply_limits();
    bench_threads_unbind(); /* where OpenMP has bound it before main() */
}

void bench_cores_limit(double n_processors)
{
    most_processors = n_processors;
    if (looked)
        apply_limits();
}

const struct bench_cores *bench_cores(void)
{
    if (!looked)
        look(NULL);
    return &cores;
}

void bench_cores_again(void)
{
    hwloc_bitmap_t allowed;

    if (!have_topology)
        return;
    /* who might use all that there was may use all that there is */
    allowed = hwloc_bitmap_isequal(usable, hwloc_topology_get_topology_cpuset(topology))
                  ? hwloc_bitmap_alloc_full()
                  : hwloc_bitmap_dup(usable);
    if (!allowed)
        return;
    hwloc_bitmap_free(usable);
    usable = NULL;
    hwloc_topology_destroy(topology);
    look(allowed);
    hwloc_bitmap_free(allowed);
}

/* The i-th place: a core's first usable hardware thread, cores before second threads. */
static bool place(int i, bool by_core, hwloc_bitmap_t set)
{
    const hwloc_obj_type_t type = by_core ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;

    for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(topology, type, o)) != NULL;) {
        if (!hwloc_bitmap_intersects(o->cpuset, usable))
            continue;
        if (i-- == 0) {
            hwloc_bitmap_and(set, o->cpuset, usable);
            hwloc_bitmap_singlify(set);
            return true;
        }
    }
    return false;
}

/* The calling thread's teams have as many threads as are asked for, if there can be. */
static void keep_teams_whole(void)
{
    omp_set_dynamic(0);
    if (omp_get_max_active_levels() < 1)
        omp_set_max_active_levels(1);
}

static void unbind_thread(void)
{
    if (have_topology && hwloc_topology_is_thissystem(topology))
        hwloc_set_cpubind(topology, usable, HWLOC_CPUBIND_THREAD);
}

int bench_threads_bind(int n_threads, int first, char *text, size_t size)
{
    bool by_core, bind;
    int team = 1, n_placed = 0;

    bench_cores();
    keep_teams_whole();
    by_core = have_topology && first + n_threads <= n_usable_cores &&
              hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0;
    bind = have_topology && hwloc_topology_is_thissystem(topology) && first >= 0 &&
           first + n_threads <= n_usable_pus;
    n_bound = n_threads > n_bound ? n_threads : n_bound;
#pragma omp parallel num_threads(n_threads) reduction(+ : n_placed)
    {
        hwloc_bitmap_t set = bind ? hwloc_bitmap_alloc() : NULL;

        /* new threads inherit the place of the one that made them */
        unbind_thread();
#pragma omp single
        team = omp_get_num_threads();
        if (set && place(first + omp_get_thread_num(), by_core, set) &&
            !hwloc_set_cpubind(topology, set, HWLOC_CPUBIND_THREAD))
            n_placed = 1;
        hwloc_bitmap_free(set);
    }
    snprintf(text, size, "%s", n_placed < team ? "none" : by_core ? "hwloc:core" : "hwloc:pu");
    return team;
}

int bench_threads_where(int n_threads, char *text, size_t size)
{
    hwloc_bitmap_t all = hwloc_bitmap_alloc();
    int n = 0;

    text[0] = '\0';
    if (all && have_topology) {
#pragma omp parallel num_threads(n_threads)
        {
            hwloc_bitmap_t own = hwloc_bitmap_alloc();

            if (own && !hwloc_get_cpubind(topology, own, HWLOC_CPUBIND_THREAD)) {
#pragma omp critical
                hwloc_bitmap_or(all, all, own);
            }
            hwloc_bitmap_free(own);
        }
        hwloc_bitmap_list_snprintf(text, size, all);
        n = hwloc_bitmap_weight(all);
    }
    hwloc_bitmap_free(all);
    return n;
}

void bench_threads_unbind(void)
{
    keep_teams_whole();
    unbind_thread(); /* first: what the team lacks by now is made by this thread */
#pragma omp parallel num_threads(n_bound > 1 ? n_bound : 1)
    unbind_thread();
    n_bound = 0;
}

bool bench_threads_check_stacks(char why[BOARD_WHY])
{
    struct rlimit own = {.rlim_cur = RLIM_INFINITY};
    size_t others = SIZE_MAX;

    if (!getrlimit(RLIMIT_STACK, &own) && own.rlim_cur / 1024 < BENCH_STACK_KIB)
        return sysfs_refuse(why, "the stack is limited to %llu KiB, expected %d: ulimit -s %d",
                            (unsigned long long)own.rlim_cur / 1024, BENCH_STACK_KIB,
                            8 * BENCH_STACK_KIB);
    keep_teams_whole();
#pragma omp parallel num_threads(2) reduction(min : others)
    {
        pthread_attr_t attributes;

        if (omp_get_thread_num() > 0 && !pthread_getattr_np(pthread_self(), &attributes)) {
            pthread_attr_getstacksize(&attributes, &others);
            pthread_attr_destroy(&attributes);
        }
    }
    return others / 1024 >= BENCH_STACK_KIB ||
           sysfs_refuse(why,
                        "OpenMP's threads have stacks of %zu KiB, expected %d: "
                        "OMP_STACKSIZE=%dM",
                        others / 1024, BENCH_STACK_KIB, 8 * BENCH_STACK_KIB / 1024);
}
