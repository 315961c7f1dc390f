/*
 * experiment.h - from a descriptor to the configurations that are to be run
 *
 * A descriptor (experiments/rdp/fig9.ini) has a [global] section, with the problem if its
 * folder is not named after it, a section per group of configurations, and an optional [show]
 * section for tables.  In a group, every key takes a list:
 *
 *     a, b, c        those values
 *     first-last+step    256-1024+256
 *     first-last*factor  256-1024*2
 *
 * (series and scope: a set; samples, precision ... : one value; impl: names and shell patterns,
 * rdp/gpu-*), and lists multiply in file order (impl first, then as they stand).  A key that
 * only some variants declare makes an axis for those and is left out for the others.  Later
 * sections override [global]; -S key=value overrides both.  A key of [global] stands before
 * those of the section, unless the section gives it: then it stands there.  `like = SECTION`
 * begins a section with the keys of one above it, and its own replace them in their place; at
 * most 8 sections are like one another in turn.  `include = FILE` (relative to the descriptor,
 * in [global]) reads another file's [global] first, at most 4 deep; a descriptor without groups
 * has those of the first such file that has any.  There is no code in descriptors.
 */
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include "harness/measure/impl.h"
#include "harness/base/listing.h"
#include "harness/base/params.h"
#include "harness/measure/plan.h"
#include "harness/measure/problem.h"

#include <stdbool.h>

struct bench_config {
    const char *section; /* the group: the CSV's 'figure' column; owned by the experiment */
    const struct bench_impl *impl;
    struct bench_params params; /* the problem's and the variant's keys, complete */
    struct bench_plan plan;
    int line; /* of the section, for messages */
};

/* [show]: how a table is laid out (see show.h): the texts of these keys; empty where not
 * given. */
#define BENCH_LAYOUT_KEYS 12
#define BENCH_LAYOUT_TEXT 160
extern const struct bench_key bench_layout_keys[BENCH_LAYOUT_KEYS + 1];
struct bench_layout {
    char text[BENCH_LAYOUT_KEYS][BENCH_LAYOUT_TEXT];
};
const char *bench_layout_text(const struct bench_layout *layout, const char *key);

struct bench_experiment {
    char name[64]; /* "rdp/fig9": the last two parts of the path without .ini */
    char path[512];
    char title[160]; /* [global] title = ... */
    const struct bench_problem *problem;
    struct bench_config *configs;
    int n_configs;
    /* variants that it names and this build lacks (a GPU one in a CPU build) */
    const struct bench_impl **absent;
    int n_absent;
    struct bench_layout layout;
    struct listing sections; /* storage of configurations[].section */
};

struct bench_overrides {
    const char *const *assignments; /* "key=value" of each -S; may be NULL */
    int n;
    const char *impl_glob;  /* -i: patterns, "a*, b"; NULL: all */
    const char *beside;     /* names of peers, "ext/a, ext/b", for each section; NULL: none */
    const char *group_glob; /* -g: the same of sections of the descriptor; NULL: all */
    bool with_absent;       /* variants that this build lacks have configurations: to show */
    bool quick; /* plan_quicken(), and problems' own limits; what -S gives stays as it is */
};

/*
 * Read a descriptor and expand it.  On success the caller owns 'experiment' (experiment_free).
 * BENCH_EINPUT "fig9.ini:12: unknown key 'heigth'; did you mean 'height'?" for whatever is
 * wrong.  A known impl that is not in this build goes to 'absent'; its keys are checked, and it
 * has configurations only with 'with_absent'.  There may be 0 configurations if all is absent,
 * or -i or --quick leave none over.
 */
enum bench_status experiment_read(const char *path, const struct bench_overrides *overrides,
                                  struct bench_experiment *experiment);
void experiment_free(struct bench_experiment *experiment);

#define BENCH_CONFIG_TEXT 4096 /* more than a configuration's parameters can take as text */

/* One line: "rdp/serial eps=4;height=1024;width=1242 input=scene frame_pick=all series=frames
 * scope=kernel". */
size_t bench_config_text(const struct bench_config *config, char *text, size_t size);

#endif
