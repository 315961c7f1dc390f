/* threads.c - the cores of this machine, and OpenMP threads bound to them */
#include "harness/platform/threads.h"

#include <hwloc.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bench_cores cores;
static hwloc_topology_t topology;
static hwloc_bitmap_t usable; /* what the process was allowed to run on when it began */
static bool looked, have_topology;

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

static void look(hwloc_const_bitmap_t allowed)
{
    memset(&cores, 0, sizeof cores);
    cores.first_pu = -1;
    looked = true;
    have_topology = load(allowed);
    if (cores.n_pus < 1)
        cores.n_pus = omp_get_num_procs();
    if (cores.n_cores < 1) /* some virtual machines name no cores */
        cores.n_cores = cores.n_pus;
    if (cores.n_there < cores.n_cores)
        cores.n_there = cores.n_cores;
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
    bench_threads_unbind(); /* the places of the old processors stay behind */
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

int bench_threads_bind(int n_threads, int first, char *text, size_t size)
{
    const char *own = getenv("OMP_PROC_BIND");
    const bool own_set = own && *own;
    bool by_core, bind;
    int team = 1, n_bound = 0;

    bench_cores();
    by_core = have_topology && first + n_threads <= cores.n_cores &&
              hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0;
    bind = have_topology && hwloc_topology_is_thissystem(topology) && !own_set && first >= 0 &&
           first + n_threads <= cores.n_pus;
#pragma omp parallel num_threads(n_threads) reduction(+ : n_bound)
    {
        hwloc_bitmap_t set = bind ? hwloc_bitmap_alloc() : NULL;

        if (!own_set)
            /* new threads inherit the place of the one that made them */
            bench_threads_unbind();
#pragma omp single
        team = omp_get_num_threads();
        if (set && place(first + omp_get_thread_num(), by_core, set) &&
            !hwloc_set_cpubind(topology, set, HWLOC_CPUBIND_THREAD))
            n_bound = 1;
        hwloc_bitmap_free(set);
    }
    if (own_set)
        snprintf(text, size, "OMP_PROC_BIND=%.30s", own);
    else if (n_bound == team)
        snprintf(text, size, "hwloc:%s", by_core ? "core" : "pu");
    else
        snprintf(text, size, "none");
    return team;
}

void bench_threads_unbind(void)
{
    const char *own = getenv("OMP_PROC_BIND");

    if (have_topology && hwloc_topology_is_thissystem(topology) && !(own && *own))
        hwloc_set_cpubind(topology, usable, HWLOC_CPUBIND_THREAD);
}
