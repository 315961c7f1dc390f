/*
 * measure.h - one configuration: verify, warm up, sample, verify again
 *
 * Scopes, never mixed in one figure.  KERNEL: the run hook alone, device events on CUDA, the
 * wall clock on CPU targets.  DEVICE: upload, run, download by device events (CUDA only).
 * END_TO_END: the host's wall clock around all that a user waits for: the problem's ingest,
 * upload, run, download.  SCORES_ON_GPU: the same without the upload of class scores (CUDA
 * only).
 *
 * Series.  COLD: the caches are flushed before every run.  HOT: runs back to back on one input.
 * FRAMES: the inputs in turn, as a camera delivers them; one sample is one pass over all of
 * them, divided by their number.  SUSTAINED: as frames, but that the GPU never waits for the
 * host: some seconds of load, then samples without a pause between them.  STREAM: the inputs in
 * turn as frames that arrive on a clock; a sample is the latency of one of them (arrivals.h).
 *
 * Kernel times below 200 us are repeated inside one pair of events (a graph of 'reps' launches)
 * and divided.  Of cold ones the graph is of flushes with a run behind each, and the time of a
 * graph of these flushes alone is taken off it, so that as many gaps between launches are left
 * in it as in a hot one.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "harness/measure/arrivals.h"
#include "harness/measure/device.h"
#include "harness/measure/energy.h"
#include "harness/measure/plan.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/measure/together.h"
#include "harness/base/stats.h"

#include <stdbool.h>
#include <stdint.h>

/* All pointers are borrowed. */
struct bench_machine {
    struct bench_device *device; /* NULL: no GPU */
    int n_cores;                 /* that a team may use */
    size_t llc_bytes;            /* last-level cache of the CPU, for the flush */

    /* of what does the work; NULL: none, and no_power says why */
    struct platform_power *power;
    const char *no_power;

    /* of the pass for energy, and of streams; NULL: the real ones */
    const struct bench_time *time;
    const struct arrivals_clock *clock;

    bool realtime; /* streams: before all other threads, memory locked, if it may */

    /* one warm-up, one sample, no graph, no flush, no clock probe */
    bool profile;

    /* of a plan that scales; NULL: this process is alone */
    struct bench_together *together;
    int first_core; /* that a team is bound to; -1: none, since others use these cores, too */
};

#define BENCH_N_TAILS 3 /* 90 %, 99 %, 99.9 % */

/* A stream's values beside its latencies. */
struct bench_stream {
    bool has_deadline; /* a period: there is a rate */
    int n_dropped, n_missed;
    struct bench_bounded tail[BENCH_N_TAILS]; /* ms; 0: not told */
    double jitter_ms, fps;                    /* as arrivals.h has them */
    double host_ms; /* mean time in which the host begins a frame; on a CPU the whole run */
    double gpu_ms;  /* mean time between a frame's two events; 0 on a CPU */
    double cpu_ms;  /* CPU time of the process for a frame that arrived, waiting included */
    const char *realtime; /* of platform_realtime_name(); NULL: not asked for */
};

/* Times of one scope x series, or of one stage of it. */
struct bench_timing {
    enum bench_scope scope;
    enum bench_series series;
    char stage[32]; /* "" for the whole */

    /* of a stage that the clocks of the kernel's blocks tell apart: see stages.h */
    bool is_share;

    /* ms per run of one input; of a batch, divide by its n_frames */
    struct bench_stat stat;

    double first_ms; /* the first of the warm-up samples */
    int reps;        /* runs of each input inside one sample */
    int warmups;
    /* "precision", "max_samples", "timeout", "interval", "arrivals" */
    const char *stop_reason;
    int n;

    /* with another frame, the timed runs gave that frame's output */
    bool is_changed;

    /* the runs of a sample were one CUDA graph */
    bool graph;

    /* cold: a sample is the time of flushes and runs, less that of the flushes alone */
    bool less_flushes;

    /* Runs by another program, whose clock gives all these times: their mean by ours, question
     * and answer included.  0: there are none. */
    double wall_ms;

    double *ns;     /* [n] raw samples, ns per run; owned */
    double *sm_mhz; /* [n] or NULL; 0 where it was not read; owned */

    /* Samples taken while the clock was below 75 % of what it was before the row, or of the
     * row's 90th percentile where that is more.  They count as all others do. */
    int n_throttled;
    bool throttled; /* most of those whose clock is known */

    double gpu_mhz_before, gpu_mhz_med, gpu_mhz_after; /* 0: not known */
    bool unstable; /* the clock moved by more than 5 % between before and after */
    struct bench_energy energy;
    struct bench_stream stream; /* of that series alone */
};

#define BENCH_MAX_TIMINGS 64

struct bench_result {
    struct bench_difference difference;
    bool verified; /* compared with the reference and equal, or right by another rule */
    bool is_reference;
    bool repeatable;      /* output_hash means something */
    bool pinned;          /* CUDA: the host's copies are pinned */
    uint64_t output_hash; /* of all outputs, XXH64 */

    /* of the team, counted inside a parallel region; 1 for serial; 0 for CUDA */
    int threads;
    char binding[48];     /* "hwloc:core", "hwloc:pu", "none" */
    char cpus_bound[512]; /* "0-3": where the team could run, looked up behind the timing */
    struct bench_kernel_info note;
    char remark[200];    /* of the variant, for its rows; "": none */
    size_t device_bytes; /* device memory that setup took */
    int n_timings;
    struct bench_timing timing[BENCH_MAX_TIMINGS];
};

/* Called between samples; true: stop after this sample with BENCH_EINTR (Ctrl-C). */
typedef bool bench_interrupted_fn(void);

/*
 * Measure 'impl' on inputs[0..n_inputs-1] (n_inputs > 1 only makes sense for series frames),
 * with references[i] the verified reference output of inputs[i].  'references' is NULL for a
 * reference itself that is timed: its first run is what all others must repeat, whatever the
 * problem says of repeating.
 *
 * Each output is poisoned, computed once and compared before anything is timed.  If one is
 * wrong nothing is timed: BENCH_EMISMATCH, and result->difference says by how much.  Each
 * series begins with poisoned outputs, and what its last runs leave must be what was verified;
 * so must, at the end, another run into poison.  A series ends with a sample on another frame,
 * and no run of a frame that was never seen may take much longer than one that was: a variant
 * that remembers its outputs is wrong.  These checks have no off switch.
 *
 * outputs[i] (made by the caller with make_output) hold verified outputs afterwards, of the
 * last run.  'interrupted' may be NULL.  'result' is to be released with bench_result_free
 * whatever is returned.
 */
enum bench_status
bench_measure(const struct bench_impl *impl, const struct bench_params *params,
              const struct bench_plan *plan, const struct bench_machine *machine,
              void *const *inputs, const void *const *references, void *const *outputs,
              int n_inputs, bench_interrupted_fn *interrupted, struct bench_result *result);
void bench_result_free(struct bench_result *result);

/* Run once into 'output' (poisoned first), without timing: references, apply, tests. */
enum bench_status bench_once(const struct bench_impl *impl, const struct bench_params *params,
                             int n_threads, struct bench_device *device, const void *input,
                             void *output);

/* Compare an output with the reference's.  BENCH_EMISMATCH with a sentence that says where, and
 * 'when' ("", " after the timed runs"); '*difference' (zeroed by the caller) has the counts. */
enum bench_status bench_compare(const struct bench_impl *impl,
                                const struct bench_params *params, const void *input,
                                const void *reference, const void *output, const char *when,
                                struct bench_difference *difference);

/*
 * The stop rule: NULL to go on, else the reason.  Stops when n >= min_samples, elapsed >=
 * min_time and the half width of the median's interval is within plan->precision; or n =
 * max_samples; or elapsed >= timeout (then at least min(3, min_samples) samples are taken, one
 * where each takes longer than timeout).
 */
const char *bench_stop(const struct bench_plan *plan, const struct bench_stat *stat,
                       double elapsed_s);

/*
 * The status of a row, by what the clock did while it was taken: "ok", "unstable" (it moved) or
 * "throttled".  *reason: a sentence, NULL where there is nothing to say.  A board that clocks
 * down under its power limit is what it is, and its row ok with the sentence as a remark; a
 * GPU that does is not itself.
 */
const char *bench_timing_status(const struct bench_timing *timing, bool is_board,
                                const char **reason);

/* Poison and hash through the problem's blocks. */
void bench_poison(const struct bench_problem *problem, void *output, int byte);
uint64_t bench_hash_output(const struct bench_problem *problem, const void *output,
                           uint64_t seed);
uint64_t bench_hash_input(const struct bench_problem *problem, const void *input,
                          uint64_t seed);

#endif
