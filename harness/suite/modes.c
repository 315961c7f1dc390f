/* modes.c - the power modes of a run: that of each configuration, and back to the first at the
 * end */
#include "harness/suite/modes.h"

#include <string.h>
#include <unistd.h>

#define TOOL_TIMEOUT_S 30
#define SETTLE_LIMIT_S 15

static const struct bench_time *time_of(const struct bench_modes *m)
{
    return m->time ? m->time : &bench_real_time;
}

static double busy_now_s(void *self)
{
    const struct bench_time *time = time_of(self);

    return time->now_s(time->self);
}

/* Keep the GPU busy, or one core: clocks are to be looked at under load. */
static void busy_wait_s(void *self, double s)
{
    struct bench_modes *m = self;
    const double t0 = busy_now_s(m);

    if (m->time) {
        m->time->wait_s(m->time->self, s);
        return;
    }
    do
        if (m->env->device && (bench_device_flush(m->env->device, 0) != BENCH_OK ||
                               bench_device_sync(m->env->device) != BENCH_OK))
            bench_failure_clear(); /* the configuration itself will tell */
    while (busy_now_s(m) - t0 < s);
}

/* What rows say of the mode from now on. */
static void note_mode(struct bench_modes *m, const struct platform_mode *mode)
{
    if (!mode)
        return;
    m->env->board.mode_id = mode->id;
    snprintf(m->env->board.mode_name, sizeof m->env->board.mode_name, "%s", mode->name);
}

static void look_at_cores(struct bench_modes *m)
{
    bench_cores_again();
    m->env->cores = bench_cores();
}

void bench_modes_open(struct bench_modes *m)
{
    const struct platform_control_options options = {
        /* a fake machine has nobody's rights */
        .may_switch = geteuid() == 0 || m->env->sysroot[0],
        .timeout_s = m->tool_timeout_s > 0 ? m->tool_timeout_s : TOOL_TIMEOUT_S};

    m->control = platform_control_open(m->env->sysroot, &options);
    if (m->control)
        note_mode(m, platform_control_mode(m->control));
}

const char *bench_modes_wanted(const struct bench_modes *m, const struct bench_plan *plan)
{
    const struct platform_mode *first =
        m->control ? platform_control_first_mode(m->control) : NULL;

    return strcmp(plan->mode, "any") != 0 ? plan->mode
           : first                        ? first->name
                                          : m->env->board.mode_name;
}

static void settle(struct bench_modes *m)
{
    fprintf(m->err, "note: the board is in power mode %s now\n", m->env->board.mode_name);
    if (!platform_settle(m->env->sysroot, busy_now_s, busy_wait_s, m, SETTLE_LIMIT_S))
        fprintf(m->err, "note: its clocks have not settled within %d s\n", SETTLE_LIMIT_S);
}

enum bench_status bench_modes_enter(struct bench_modes *m, const struct bench_plan *plan)
{
    char why[BOARD_WHY];
    enum platform_outcome outcome;

    if (!m->control || m->env->board.mode_id < 0 ||
        (!strcmp(plan->mode, "any") && !plan->lock_clocks && !m->has_switched))
        return BENCH_OK;
    outcome =
        platform_control_set(m->control, bench_modes_wanted(m, plan), plan->lock_clocks, why);
    note_mode(m, platform_control_mode(m->control));
    if (outcome != BOARD_AS_IT_WAS && platform_control_has_begun(m->control)) {
        /* also where half of it was refused: then "any" has to be asked for */
        m->has_switched = true;
        look_at_cores(m);
    }
    if (outcome == BOARD_CHANGED)
        settle(m);
    if (outcome != BOARD_REFUSED)
        return BENCH_OK;
    if (strcmp(why, m->refused) != 0)
        fprintf(m->err, "note: mode = %s is skipped: %s\n", plan->mode, why);
    snprintf(m->refused, sizeof m->refused, "%s", why);
    return BENCH_FAIL(BENCH_ESKIP, "%s", why);
}

enum bench_status bench_modes_close(struct bench_modes *m, enum bench_status status)
{
    const struct platform_mode *first =
        m->control ? platform_control_first_mode(m->control) : NULL;
    struct platform_mode mode = {.id = -1, .tpc_mask = -1};
    char why[BOARD_WHY];

    if (first)
        mode = *first; /* it goes with the control */
    if (!platform_control_close(m->control, why)) {
        m->control = NULL;
        if (status) /* both are to be known: what ended the run, and this */
            fprintf(m->err, "%s\n", bench_failure());
        return BENCH_FAIL(BENCH_EENV, "%s", why);
    }
    m->control = NULL;
    if (!m->has_switched || mode.id < 0)
        return status;
    note_mode(m, &mode);
    look_at_cores(m);
    fprintf(m->err, "note: the board is back in power mode %s\n", mode.name);
    return status;
}
