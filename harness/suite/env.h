/*
 * env.h - everything about this machine and this build that a row or its env file says
 */
#ifndef BENCH_ENV_H
#define BENCH_ENV_H

#include "harness/platform/platform.h"
#include "harness/base/build.h"
#include "harness/measure/device.h"
#include "harness/measure/problem.h"
#include "harness/suite/record.h"
#include "harness/base/text.h"
#include "harness/platform/threads.h"

#include <stdbool.h>

#define BENCH_MAX_HOST   32  /* bytes of a host's name: it is part of file names */
#define BENCH_MAX_FOLDER 128 /* bytes of a folder's name in results/ */

struct bench_env {
    const struct bench_build *build;
    const struct bench_cores *cores;
    struct platform_facts board;
    struct bench_device *device; /* owned; NULL: no GPU */
    char no_device[256];         /* why there is none; "" when there is one */
    /* a folder name made of stable words: "xeon-processor-2c", "jetson-agx-8c",
     * "xeon-16c_nvidia-h200" */
    char machine[96];
    char host[BENCH_MAX_HOST + 1]; /* which machine of its kind; "": it cannot be told */
    const char *host_of;           /* what 'host' is made of, or why there is none */
    const char *sysroot;
};

/* Look at the machine and open GPU 'index' (-1: the first; none is no failure).  BENCH_EENV,
 * BENCH_ECUDA, BENCH_EINPUT for a GPU that is there and cannot be used.  Release with
 * bench_env_close, also after a failure. */
enum bench_status bench_env_open(int index, const char *sysroot, struct bench_env *env);
void bench_env_close(struct bench_env *env);

/* BENCH_ESKIP if this build lacks the variant, or there is no GPU for it. */
enum bench_status bench_env_check(const struct bench_env *env, const struct bench_impl *impl);

/* Put a name, of 1 to 32 letters, digits, '.', '_' and '-', a letter or digit first, in the
 * place of the host's hash: XXH64 of the machine-id and the board's serial number, or the
 * permanent address of a network card, which stand in clear nowhere.  BENCH_EINPUT. */
enum bench_status bench_env_set_host(struct bench_env *env, const char *name);

/* Write the name of this machine's folder in results/.  If results/MACHINES has the machine's
 * name, whose rows are part of the repository, four letters of its host follow ("own": it
 * cannot be told). */
void bench_env_folder(const struct bench_env *env, char folder[BENCH_MAX_FOLDER]);

/* Write the time of now by strftime()'s format, in UTC. */
#define BENCH_UTC 32
void bench_utc(const char *format, char text[BENCH_UTC]);

/* key=value lines: what stands in <session>.env.txt and what `depthbench env` prints. */
void bench_env_text(const struct bench_env *env, struct text *text);

/* The columns of the groups identity (but session and profile) and machine, and the state that
 * holds now. */
void bench_env_row(const struct bench_env *env, struct record_row *row);

/* True if others' work made the load when the program began: above 0.5, and above a tenth of
 * the processors, so that the last runs of a large machine do not count. */
bool bench_env_loaded(const struct bench_env *env);

/* One line each of what makes times doubtful here: governor, load, fewer processors than there
 * are, a clock that is behind, a debug build. */
void bench_env_warnings(const struct bench_env *env, struct text *text);

#endif
