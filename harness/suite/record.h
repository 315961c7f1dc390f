/*
 * record.h - results on disk: the only place that knows the files' format
 *
 * Four files per session, in results/<machine>/:
 *
 *     <session>.csv            a row per configuration, scope, series and stage ("": whole)
 *     <session>.values.csv     row_id,name,index,value,unit: what figures show beside times
 *     <session>.samples.csv.gz row_id,i,ns,sm_mhz: a gzip member per row, whole after a kill
 *     <session>.env.txt        key=value: the machine and the build
 *
 * with session = <utc>-<commit7>[-dirty]-<host>-<process>[-<counter>], utc as 20260131T235959Z;
 * readers take any name that ends in .csv.  Header in line 1, units in names, '.' decimals
 * whatever the locale, %.9g, an empty field where there is nothing (never 0, -1 or nan).  A row
 * is written last, with one write() and fsync: a kill at any moment leaves whole rows and at
 * most one last line without newline, which readers drop, and which --resume cuts off.
 */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_SCHEMA 10

/*
 * The fixed columns, in order (METHOD.md describes each).  Only append, and raise
 * RECORD_SCHEMA.  After them come one column per key declared by any problem or variant of this
 * build, in registry order, each once.
 */
/* clang-format off */
#define RECORD_COLUMNS(X)                                                                     \
    X(schema) X(session) X(row_id) X(utc) X(commit_hash) X(dirty) X(build_hash) X(compiler)    \
    X(cuda) X(flags) X(protocol) X(machine) X(cpu) X(gpu) X(cc) X(sm_count) X(l2_bytes)        \
    X(integrated) X(driver) X(l4t) X(mode_id) X(mode_name) X(clocks_locked)                   \
    X(gpu_mhz_before) X(gpu_mhz_med) X(gpu_mhz_after) X(cpu_mhz) X(emc_mhz) X(governor)       \
    X(temp_c_before) X(temp_c_after) X(experiment) X(problem) X(section) X(impl) X(device)     \
    X(params) X(plan) X(threads) X(binding) X(threads_per_block) X(input) X(frame_pick) \
    X(batch) X(input_hash) X(n_inputs) X(n_frames) X(transfer) X(pinned) X(gpu_uuid) X(regs)   \
    X(smem_bytes) X(occupancy_pct) X(device_bytes) X(verdict) X(reference) X(n_wrong)         \
    X(max_err) X(output_hash) X(scope) X(series) X(stage) X(first_ms) X(reps) X(graph)        \
    X(warmups) X(n) X(n_outliers) X(n_discarded) X(stop_reason) X(min_ms) X(q1_ms)            \
    X(median_ms) X(q3_ms) X(p95_ms) X(max_ms) X(mean_ms) X(sd_ms) X(ci_lo_ms) X(ci_hi_ms)     \
    X(fps) X(work_bytes) X(work_ops) X(mj_frame) X(mj_frame_net) X(watt) X(idle_watt)         \
    X(rails) X(power_source) X(power_n) X(status) X(reason)                             \
    X(power_complete) X(power_note) X(sms) X(host) X(n_throttled) X(run) X(run_group)  \
    X(campaign) X(launcher) X(rank) X(ranks) X(scaling) X(rank_hosts) X(rank_gpus)  \
    X(stream_rate) X(stream_in_flight) X(stream_arrival) X(n_dropped) X(n_missed)              \
    X(p90_ms) X(p90_lo_ms) X(p90_hi_ms) X(p99_ms) X(p99_lo_ms) X(p99_hi_ms) X(p999_ms)         \
    X(p999_lo_ms) X(p999_hi_ms) X(jitter_ms) X(host_ms) X(gpu_ms) X(realtime) X(stream_launch) \
    X(proof) \
    X(cpus) X(cpus_online) X(cpu_quota) X(cpus_bound) X(clock_behind) \
    X(power_scope) X(share) X(share_ranks) X(share_config) X(share_configs)      \
    X(row_hash) X(stream_wake) X(cpu_ms) X(host_peak_bytes)
/* clang-format on */

/* ---- writing ---- */

/* One row under construction.  Fields not set are empty. */
struct record_row;

struct record_session;

/* The session that may be continued: the newest that the same build began on the same host and
 * that has rows of one of the experiments, else the newest of that build and host.  A rank,
 * which may start again on another host, begins a new one and knows the rows of all that this
 * build has. */
struct record_resume {
    const char *build_hash, *host;
    const char *const *experiments; /* names, NULL-terminated; NULL: any */
    int run;                        /* above 0: only of this process of this group */
    const char *run_group;
    bool is_rank;
};

/*
 * Open a session for appending in 'folder', which is made with its parents.  A number follows
 * 'name' if that is taken.  An empty row file reserves it at once: any number of processes may
 * open sessions in a folder, and none waits or loses rows.  With 'resume', a session that no
 * process has open goes on: its header stays, and a last line without newline is cut off; if
 * there is none, a new one begins.  BENCH_EIO with the path and the system's reason.  The
 * caller owns *session: record_close(), which removes a session without rows, and a folder that
 * was made for it.
 */
enum bench_status record_open(const char *folder, const char *name,
                              const struct record_resume *resume,
                              struct record_session **session);
enum bench_status record_close(struct record_session *session); /* NULL is fine */
const char *record_session_name(const struct record_session *session);

/* Text for <session>.env.txt, kept and written with the first row (replaced when resumed). */
enum bench_status record_env(struct record_session *session, const char *text);
/* Lines behind it, when all rows are there; nothing for a session that wrote none. */
enum bench_status record_env_end(struct record_session *session, const char *lines);

/* A new row with a row_id ("r000001" ..., unique in the session).  NULL: out of memory. */
struct record_row *record_row_new(struct record_session *session);
void record_row_free(struct record_row *row);

/* Set a field by column name, fixed or declared key; an unknown name is a bug (assert).  NULL
 * and numbers that are not finite are empty.  record_write() reports a lack of memory. */
void record_text(struct record_row *row, const char *column, const char *text);
void record_number(struct record_row *row, const char *column, double value);
void record_integer(struct record_row *row, const char *column, long long value);
/* A value of 0 is not known: the field stays empty. */
void record_known(struct record_row *row, const char *column, double value);

/* Keep a value or the raw samples (nanoseconds per frame, as the row's times; sm_mhz NULL or 0
 * where unknown) for the row. */
enum bench_status record_value(struct record_row *row, const char *name, int index,
                               double value, const char *unit);
enum bench_status record_samples(struct record_row *row, const double *ns, const double *sm_mhz,
                                 int n);

/* Keep counts of n latencies: value "latency_count", whose index is a latency in 0.1 us,
 * rounded up to three digits of which the last is even. */
enum bench_status record_latencies(struct record_row *row, const double *ns, int n);

/* Append samples, values and, last, the row; fsync.  The row stays the caller's. */
enum bench_status record_write(struct record_session *session, struct record_row *row);

/* True if the session being resumed has a finished row (status ok, skipped, part) of this
 * configuration (config.h) that was measured in the same way. */
bool record_has(const struct record_session *session, const struct record_row *row);

/* A part of a configuration's inputs gives no result.  Its stage names these inputs, its values
 * are exact sums, its column n their number, and readers add up all ranks' parts. */
#define RECORD_PART "part"
/* The "session" of rows of which a history keeps the times alone; their status is "past". */
#define RECORD_PAST_NAME "history"
#define RECORD_RANGE     "inputs %d to %d of %d"

/* Keep sums, exactly, as the values of a part, in this unit; add one by the fields of its line.
 * false: it is none.  'index' NULL: a scalar. */
#define RECORD_SUM "sum"
struct bench_sums;
enum bench_status record_sums(struct record_row *row, const struct bench_sums *sums);
bool record_read_sum(const char *name, const char *index, const char *value_text,
                     struct bench_sums *sums);

/* ---- looking after them ---- */

struct record_seen {
    int n_sessions, n_rows;
    int n_unhashed; /* rows of before there was a row_hash */
};

/*
 * Check that a folder of sessions is as it was written.  'tell' gets a place and what is odd
 * there.  No link is followed.  *is_safe becomes false if something may not be read: a link, a
 * name that is none of ours, what is no file.  BENCH_ENOMEM.
 */
typedef void record_tell(void *self, const char *place, const char *what);
enum bench_status record_look_after(const char *folder, record_tell *tell, void *self,
                                    struct record_seen *seen, bool *is_safe);

/* ---- reading ---- */

/* A CSV file or several with different headers, as one table.  Everything is text; an absent
 * column or field is "". */
struct record_table {
    int n_columns, n_rows;
    char **column;        /* names */
    char **cell;          /* [n_rows][n_columns] */
    char *texts;          /* what all of them point into */
    size_t n_whole_bytes; /* how much of the file holds whole records */
};

/* Read one CSV: RFC 4180, CRLF or LF, without a byte order mark; 'session': without a last line
 * that a kill has cut.  BENCH_EIO, BENCH_EINPUT "file:line: ...".  Caller owns:
 * record_table_free. */
enum bench_status record_read(const char *path, bool session, struct record_table *table);
void record_table_free(struct record_table *table);

#define RECORD_MAX_RUNS 64 /* processes of one call for a configuration (plan key 'runs') */

/* True if a text is a name as machines, commits, hosts, variants and inputs have it: at most 80
 * letters of ASCII, digits and ._-+:/, a letter or digit first, no "..". */
bool record_is_name(const char *text);

bool record_is_fixed(const char *column); /* one of RECORD_COLUMNS: else it is a key */
int record_column(const struct record_table *table, const char *name); /* -1: none */
const char *record_get(const struct record_table *table, int row,
                       const char *column); /* "" when absent */

#endif
