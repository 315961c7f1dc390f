/*
 * modes.h - the power modes of a run: in which one a configuration runs, and that the board is
 * brought back
 *
 * Over harness/platform/control.h: which mode a plan asks for, settling under load, what is
 * said on the way.
 */
#ifndef BENCH_MODES_H
#define BENCH_MODES_H

#include "harness/platform/control.h"
#include "harness/measure/energy.h"
#include "harness/suite/env.h"
#include "harness/suite/experiment.h"

#include <stdbool.h>
#include <stdio.h>

struct bench_modes {
    /* borrowed: board.mode_id, board.mode_name and cores follow the board */
    struct bench_env *env;
    FILE *err;                        /* notes */
    const struct bench_time *time;    /* of settling; NULL: the real one */
    double tool_timeout_s;            /* 0: 30 */
    struct platform_control *control; /* owned; NULL: there are no modes */
    bool has_switched;
    char refused[BOARD_WHY]; /* the last that was said */
};

/*
 * Give each configuration that seeks its mode one of this board: of alternatives the first that
 * the board has and no value before it in the section; least and most are of the GPU; each
 * makes a configuration of every mode.  Equal ones are dropped.  If modes cannot be switched,
 * all are the mode that is on; without modes nothing changes.  'notes' (may be NULL) gets a
 * line of it, 'env' the mode that is on.  A failure frees the experiment.
 */
enum bench_status bench_modes_find(struct bench_env *env, struct bench_experiment *experiment,
                                   FILE *notes);

/* The modes of this board as a run has them; NULL: there are none. 
 * platform_control_close(). */
struct platform_control *bench_modes_control(const struct bench_env *env, double timeout_s);

/* With the members above 'control' set, the others 0.  Changes nothing. */
void bench_modes_open(struct bench_modes *modes);

/* The mode that a plan asks for: "any" is the one that the board was in. */
const char *bench_modes_wanted(const struct bench_modes *modes, const struct bench_plan *plan);

/* Be in that mode, at the clocks that the plan asks for; without power modes all of them are
 * "any".  BENCH_ESKIP where that is refused, which is also said aloud, once. */
enum bench_status bench_modes_enter(struct bench_modes *modes, const struct bench_plan *plan);

/* Bring the board back after a run that ended with 'status', which is returned, or BENCH_EENV:
 * the board stays as it is, and the sentence says what to do. */
enum bench_status bench_modes_close(struct bench_modes *modes, enum bench_status status);

#endif
