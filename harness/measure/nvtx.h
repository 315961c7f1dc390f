/*
 * nvtx.h - ranges for nsys and ncu, compiled away where the NVTX v3 headers are missing
 *
 * One domain, "depthbench".  One outer range per implementation and configuration
 * ("rdp/gpu-paper eps=4;height=1024"), inside it a range per phase, named by a registered
 * string so that nsys and ncu can be told to capture 'timed' alone; payload = sample index,
 * category = phase.  docs/PROFILING.md has the filters.
 */
#ifndef BENCH_NVTX_H
#define BENCH_NVTX_H

enum bench_phase {
    BENCH_PHASE_SETUP,
    BENCH_PHASE_VERIFY,
    BENCH_PHASE_WARMUP,
    BENCH_PHASE_TIMED,
    BENCH_PHASE_COPY,
    BENCH_PHASE_ENERGY,
    BENCH_N_PHASES
};

#if HAVE_NVTX
/* Load the tool, if one is there, outside everything that is timed. */
void bench_nvtx_start(void);

/* Ranges nest; every begin has its end, on every path. */
void bench_nvtx_begin(enum bench_phase phase, long long payload);
void bench_nvtx_begin_config(const char *message);
void bench_nvtx_end(void);
#else
#define bench_nvtx_start()               ((void)0)
#define bench_nvtx_begin(phase, payload) ((void)(phase), (void)(payload))
#define bench_nvtx_begin_config(message) ((void)(message))
#define bench_nvtx_end()                 ((void)0)
#endif

#endif
