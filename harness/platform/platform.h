/*
 * platform.h - the machine around the processors: board, governor, clocks, temperature, load
 *
 * Reads alone, but for the process's own peak; control.h switches, power.h measures.  Every
 * path is below 'sysroot' ("" for the real machine), so that fake trees can be read in tests.
 * Each reading is optional: 0, -1 or "" where the machine does not offer it.
 */
#ifndef BOARD_H
#define BOARD_H

#include "harness/platform/cgroup.h"

#include <stdbool.h>

struct platform_facts {
    char model[96]; /* of the board, from the device tree: "Jetson-AGX"; "" on a PC */
    char chip[16];  /* "tegra234"; "" where it is none that is known */
    char l4t[64];   /* "R32.7.1"; "" elsewhere */
    /* the power mode that nvpmodel last set: "MAXN"; "" on a board without modes */
    char mode_name[32];
    int mode_id;       /* its number; -1: none */
    char governor[32]; /* of cpu0: "performance"; "" without cpufreq */
    char os[96];       /* PRETTY_NAME of os-release */
    char kernel[96];
    double cpu_mhz;    /* cpu0 now; 0: not known */
    double memory_gib; /* MemTotal */
    double temp_c;     /* the hottest thermal zone that looks alive; 0: none */
    double load_1;     /* runnable processes, 1-minute mean; -1: not known */
    int n_running;     /* that run now, this one among them; INT_MAX: not known */
    int n_online;      /* processors that are on, this process's or not; 0: not known */
    struct platform_cgroup cgroup;
};

void platform_read(const char *sysroot, struct platform_facts *facts);

#define PLATFORM_MAX_MODES 32

#define PLATFORM_NO_LIMIT 1e12

/* A power mode, as nvpmodel's configuration has it. */
struct platform_mode {
    int id;
    char name[32];
    bool is_default;
    int tpc_mask; /* pairs of multiprocessors (TPCs) that are off, a bit each; -1: not said */
    int n_tpcs;   /* that are on, as far as that is known */
    double gpu_hz, cpu_khz; /* at most; PLATFORM_NO_LIMIT: the highest; 0: not said */
    int n_cpus;             /* processors that it turns on */
};

/* All that the configuration has; returns how many. */
int platform_modes(const char *sysroot, struct platform_mode modes[PLATFORM_MAX_MODES]);
/* The place of the mode with the least of the GPU (its clock times its open TPCs), or the most.
 * Ties: number of processors, then their clock; the last of equal ones is the most.  -1: there
 * are none. */
int platform_extreme_mode(const struct platform_mode *modes, int n, bool most);
/* The one that nvpmodel last set, by its status file; an id of -1: none. */
struct platform_mode platform_set_mode(const char *sysroot);

/* Tells this machine from others of its kind: to be hashed, never to be shown. */
struct platform_identity {
    char machine_id[64]; /* of the installation: boards cloned from one image share it */
    char serial[64];     /* of the board, from the device tree or the chip's driver */
    char address[32];    /* permanent, of the first physical network interface by name */
};

void platform_identity_read(const char *sysroot, struct platform_identity *identity);

/* Values that change while a program runs. */
struct platform_live {
    int mode_id;                     /* as above */
    double temp_c;                   /* the hottest zone; 0: not known */
    double gpu_mhz;                  /* 0: not known */
    double gpu_min_mhz, gpu_max_mhz; /* between which it may move; 0: not known */
    double cpu_mhz;                  /* cpu0; 0: not known */
    double emc_mhz;                  /* the memory's; 0: not known, or only root may know */
    int clocks_locked; /* 1: CPUs and GPU keep their clock; 0: they need not; -1: not known */
    int tpc_mask;      /* pairs of multiprocessors that are off; -1: not known */
    int sm_count;      /* multiprocessors that are on, of a Tegra's; 0: not known */
};

void platform_live_read(const char *sysroot, struct platform_live *live);
double platform_gpu_mhz(const char *sysroot);

/* Processors that the board has, on-line or not: "0-7" are 8; 0: not known. */
int platform_n_cpus(const char *sysroot);

/* cpu0's clock alone. */
double platform_cpu_mhz(const char *sysroot);
double platform_load(const char *sysroot); /* as load_1 */

/* MemAvailable; 0: not known. */
double platform_free_bytes(const char *sysroot);

/* Forgets the most memory that this process has had.  False: the kernel does not let it. */
bool platform_peak_begin(const char *sysroot);
/* Returns the most that it had since then, less what it has by now; 0: not known. */
double platform_peak_bytes(const char *sysroot);

#endif
