/* modes.c - the power modes of a run: that of each configuration, and back to the first at the
 * end */
#include "harness/suite/modes.h"

#include "harness/base/memory.h"

#include <stdlib.h>
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

/* Sets the mode that rows name from now on. */
static void note_mode(struct bench_env *env, const struct platform_mode *mode)
{
    if (!mode)
        return;
    env->board.mode_id = mode->id;
    snprintf(env->board.mode_name, sizeof env->board.mode_name, "%s", mode->name);
}

static void look_at_cores(struct bench_modes *m)
{
    bench_cores_again();
    m->env->cores = bench_cores();
}

struct platform_control *bench_modes_control(const struct bench_env *env, double timeout_s)
{
    /* a fake machine has nobody's rights */
    return platform_control_open(env->sysroot, geteuid() == 0 || env->sysroot[0],
                                 timeout_s > 0 ? timeout_s : TOOL_TIMEOUT_S);
}

/* ---- which mode a configuration seeks ---- */

#define MAX_SOUGHT 64

/* The modes found for the values of a section, in their order. */
struct found {
    const char *section;
    int n;
    char sought[MAX_SOUGHT][32], mode[MAX_SOUGHT][32];
};

/* The mode of one alternative; "": the board has none. */
static void find_one(const struct platform_mode *modes, int n, const char *word, char mode[32])
{
    int at = -1;

    if (!strcmp(word, "least") || !strcmp(word, "most"))
        at = platform_extreme_mode(modes, n, *word == 'm');
    for (int i = 0; i < n && at < 0; i++)
        if (strcmp(word, "default") ? !strcmp(word, modes[i].name) : modes[i].is_default)
            at = i;
    snprintf(mode, 32, "%s",
             at >= 0                                         ? modes[at].name
             : !strcmp(word, "each") || !strcmp(word, "any") ? word
                                                             : "");
}

/* Returns the mode that is sought; if the board has none of it, the name, which is refused
 * later. */
static const char *find_mode(const struct platform_mode *modes, int n, const char *sought,
                             struct found *f)
{
    char copy[32], mode[32], *rest = copy;
    int i = 0, k;

    while (i < f->n && strcmp(f->sought[i], sought) != 0)
        i++;
    if (i < f->n || i == MAX_SOUGHT)
        return i < f->n ? f->mode[i] : sought;
    snprintf(copy, sizeof copy, "%s", sought);
    snprintf(f->sought[i], sizeof copy, "%s", sought);
    f->mode[i][0] = '\0';
    for (const char *word; (word = strsep(&rest, "|")) != NULL;) {
        find_one(modes, n, word, mode);
        for (k = 0; k < i && strcmp(f->mode[k], mode) != 0;)
            k++;
        if (*mode && (k == i || !f->mode[i][0]))
            snprintf(f->mode[i], sizeof mode, "%s", mode);
        if (*mode && k == i)
            break; /* no value before this one has it */
    }
    if (!f->mode[i][0])
        snprintf(f->mode[i], sizeof copy, "%s", sought);
    return f->mode[f->n++];
}

/* Append 'config' in 'mode', unless its like is there. */
static void add_config(struct bench_experiment *to, struct bench_config config,
                       const char *mode)
{
    char text[BENCH_CONFIG_TEXT], other[BENCH_CONFIG_TEXT];

    snprintf(config.plan.mode, sizeof config.plan.mode, "%s", mode);
    bench_config_text(&config, text, sizeof text);
    for (int i = to->n_configs - 1; i >= 0; i--) {
        if (to->configs[i].section != config.section || to->configs[i].impl != config.impl)
            continue;
        bench_config_text(&to->configs[i], other, sizeof other);
        if (!strcmp(text, other))
            return;
    }
    to->configs[to->n_configs++] = config;
}

static enum bench_status find_modes(const struct platform_mode *modes, int n_modes,
                                    const char *only, struct bench_experiment *e)
{
    struct bench_experiment to = *e;
    OWNED(memory_free) struct found *found = NULL;

    TRY(memory_allocate(&found, sizeof *found, 1, 1, 1, 1));
    TRY(memory_allocate(&to.configs, sizeof *to.configs, e->n_configs, n_modes, 1, 1));
    to.n_configs = 0;
    for (int i = 0; i < e->n_configs; i++) {
        const struct bench_config *const config = &e->configs[i];
        const char *mode = config->plan.mode;

        if (found->section != config->section)
            *found = (struct found){.section = config->section};
        if (plan_seeks_mode(mode))
            mode = only ? only : find_mode(modes, n_modes, mode, found);
        if (strcmp(mode, "each") != 0)
            add_config(&to, *config, mode);
        for (int k = 0; k < n_modes && !strcmp(mode, "each"); k++)
            add_config(&to, *config, modes[k].name);
    }
    free(e->configs);
    *e = to;
    return BENCH_OK;
}

/* "15W, 25W": those that some configuration has. */
static void list_used(const struct platform_mode *modes, int n,
                      const struct bench_experiment *e, FILE *notes)
{
    int n_used = 0;

    for (int k = 0; k < n; k++) {
        int i = 0;

        while (i < e->n_configs && strcmp(e->configs[i].plan.mode, modes[k].name) != 0)
            i++;
        if (i < e->n_configs)
            fprintf(notes, "%s%s", n_used++ ? ", " : "", modes[k].name);
    }
}

enum bench_status bench_modes_find(struct bench_env *env, struct bench_experiment *e,
                                   FILE *notes)
{
    struct platform_control *control;
    const struct platform_mode *now;
    char why[BOARD_WHY];
    int i = 0;
    enum bench_status status;
    bool can;

    while (i < e->n_configs && !plan_seeks_mode(e->configs[i].plan.mode))
        i++;
    control = i < e->n_configs ? bench_modes_control(env, 0) : NULL;
    if (!control)
        return BENCH_OK;
    now = control->now;
    note_mode(env, now);
    can = platform_control_can(control, why);
    status = find_modes(control->mode, control->n_modes,
                        can   ? NULL
                        : now ? now->name
                              : "any",
                        e);
    if (!status && notes) {
        fputs("note: to be measured in power mode ", notes);
        if (can)
            list_used(control->mode, control->n_modes, e, notes);
        else
            fprintf(notes, "%s, which is on: %s", now ? now->name : "(unknown)", why);
        fprintf(notes, "; %s-S mode=NAME takes one, -S mode=each all of the board\n",
                can ? "" : "where modes can be switched ");
    }
    platform_control_close(control, why);
    if (status)
        experiment_free(e);
    return status;
}

/* ---- a run ---- */

void bench_modes_open(struct bench_modes *m)
{
    m->control = bench_modes_control(m->env, m->tool_timeout_s);
    if (m->control)
        note_mode(m->env, m->control->now);
}

const char *bench_modes_wanted(const struct bench_modes *m, const struct bench_plan *plan)
{
    const struct platform_mode *first = m->control ? m->control->first : NULL;

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
    note_mode(m->env, m->control->now);
    if (outcome != BOARD_AS_IT_WAS && m->control->guard) {
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
    const struct platform_mode *first = m->control ? m->control->first : NULL;
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
    note_mode(m->env, &mode);
    look_at_cores(m);
    fprintf(m->err, "note: the board is back in power mode %s\n", mode.name);
    return status;
}
