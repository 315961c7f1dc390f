/* control.c - the power modes of a board: switch, lock its clocks, and bring all of it back */
#include "harness/platform/control.h"

#include "harness/platform/sysfs.h"
#include "harness/platform/process.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- reading ---- */

static const struct platform_mode *find_id(const struct platform_control *c, int id)
{
    for (int i = 0; i < c->n_modes; i++)
        if (c->mode[i].id == id)
            return &c->mode[i];
    return NULL;
}

/* "NV Power Mode: MODE_15W" and in the next line "2". */
static const struct platform_mode *ask_mode(const struct platform_control *c)
{
    struct process_result result;
    const char *at;
    char name[32];
    int id;

    if (!c->nvpmodel[0] || !process_run(c->nvpmodel, "-q", NULL, c->timeout_s, &result))
        return NULL;
    at = strstr(result.output, "NV Power Mode:");
    return at && sscanf(at, "NV Power Mode: %31s %d", name, &id) == 2 ? find_id(c, id) : NULL;
}

static void look(struct platform_control *c)
{
    c->now = ask_mode(c);
    if (!c->now)
        c->now = find_id(c, platform_set_mode(c->sysroot).id);
}

struct platform_control *platform_control_open(const char *sysroot, bool may_switch,
                                               double timeout_s)
{
    struct platform_control *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    snprintf(c->sysroot, sizeof c->sysroot, "%s", sysroot);
    c->may_switch = may_switch;
    c->timeout_s = timeout_s;
    c->n_modes = platform_modes(sysroot, c->mode);
    if (c->n_modes == 0) {
        free(c);
        return NULL;
    }
    process_find(sysroot, "nvpmodel", c->nvpmodel, sizeof c->nvpmodel);
    process_find(sysroot, "jetson_clocks", c->jetson_clocks, sizeof c->jetson_clocks);
    look(c);
    c->first = c->now;
    return c;
}

bool platform_control_can(const struct platform_control *c, char why[BOARD_WHY])
{
    why[0] = '\0';
    if (!c->may_switch)
        return sysfs_refuse(why, "switching needs root");
    return c->nvpmodel[0] || sysfs_refuse(why, "there is no nvpmodel to switch");
}

/* ---- the guard ---- */

#define MODE_NOT_BACK   1
#define CLOCKS_NOT_BACK 2
#define NOTHING_BACK    3

static void drop_store(const struct platform_control *c)
{
    unlink(c->store);
    rmdir(c->folder);
}

/* Brings the board back.  The guard is a fork of a program with threads: nothing here
 * allocates. */
static int bring_back(const struct platform_control *c)
{
    struct process_result result;
    int failed = 0;

    if (c->first_id[0] && !process_run(c->nvpmodel, "-m", c->first_id, c->timeout_s, &result))
        failed |= MODE_NOT_BACK;
    if (c->is_stored &&
        !process_run(c->jetson_clocks, "--restore", c->store, c->timeout_s, &result))
        failed |= CLOCKS_NOT_BACK;
    if (!(failed & CLOCKS_NOT_BACK))
        drop_store(c);
    return failed;
}

static int guard(void *self, int hold)
{
    const struct platform_control *const c = self;
    static const char said[] =
        "depthbench: ended early; the power mode and the clocks were brought back\n";
    static const char not_said[] =
        "depthbench: ended early, and the power mode or the clocks could NOT be brought back\n";
    int farewell, failed;

    setsid(); /* no Ctrl-C, and no terminal that hangs up */
    for (int i = 1; i < 32; i++)
        signal(i, i == SIGCHLD ? SIG_DFL : SIG_IGN);
    process_close_all_but(hold);
    farewell = process_hear(hold, -1);
    failed = bring_back(c);
    if (!farewell) { /* the program is gone */
        const char *text = failed ? not_said : said;

        if (write(2, text, strlen(text)) < 0) {
            /* no terminal is left */
        }
    }
    return !process_say(hold, (char)('0' + failed));
}

static bool start_guard(struct platform_control *c, char *why)
{
    const pid_t child = process_fork(guard, c, &c->hold);

    c->guard = child > 0 ? child : 0;
    return child > 0 ||
           sysfs_refuse(why, "nobody could guard the board's mode: %s", strerror(errno));
}

/* A new folder, since jetson_clocks does not write over a file. */
static bool store_clocks(struct platform_control *c, char *why)
{
    const char *tmp = getenv("TMPDIR");
    struct process_result result;
    bool ran;

    if (!c->jetson_clocks[0])
        return true;
    snprintf(c->folder, sizeof c->folder, "%.200s/depthbench-clocks-XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(c->folder))
        return sysfs_refuse(why, "%.200s: cannot be made: %s", c->folder, strerror(errno));
    snprintf(c->store, sizeof c->store, "%s/clocks", c->folder);
    ran = process_run(c->jetson_clocks, "--store", c->store, c->timeout_s, &result);
    c->is_stored = ran && access(c->store, R_OK) == 0;
    if (c->is_stored)
        return true;
    drop_store(c);
    return sysfs_refuse(
        why,
        "nothing is changed, for the clocks cannot be stored: jetson_clocks --store %s%.120s",
        result.timed_out ? "did not end in time" : "failed: ", result.output);
}

/* ---- switching ---- */

static bool refuse_unknown(const struct platform_control *c, const char *name, char *why)
{
    int n = snprintf(why, BOARD_WHY, "this board has no power mode %s:", name);

    for (int i = 0; i < c->n_modes && n < BOARD_WHY; i++)
        n += snprintf(why + n, (size_t)(BOARD_WHY - n), "%s %s", i ? "," : "", c->mode[i].name);
    if (n < BOARD_WHY)
        snprintf(why + n, (size_t)(BOARD_WHY - n), "; -S mode=each measures all of them");
    return false;
}

static bool refuse_reboot(const struct platform_mode *mode, char *why)
{
    return sysfs_refuse(why,
                        "power mode %s needs a reboot, which is refused: sudo nvpmodel -m %d, "
                        "let it reboot, and run this again",
                        mode->name, mode->id);
}

static const char *name_of_now(const struct platform_control *c)
{
    return c->now ? c->now->name : "(unknown)";
}

/* The first line in which a tool complains, else its first. */
static const char *complaint(const char *output)
{
    const char *line = strstr(output, "ERROR");

    while (line && line > output && line[-1] != '\n')
        line--;
    return line ? line : output;
}

static bool switch_to(struct platform_control *c, const struct platform_mode *mode, char *why)
{
    struct process_result result;
    const char *said;
    char id[16];

    snprintf(id, sizeof id, "%d", mode->id);
    process_run(c->nvpmodel, "-m", id, c->timeout_s, &result);
    look(c); /* what it says is not what it did */
    if (c->now == mode)
        return true;
    if (result.timed_out)
        return sysfs_refuse(why, "nvpmodel -m %d did not end within %g s and was stopped",
                            mode->id, c->timeout_s);
    if (strcasestr(result.output, "reboot"))
        return refuse_reboot(mode, why);
    said = complaint(result.output);
    return sysfs_refuse(why, "nvpmodel -m %d left the board in power mode %s (exit %d%s%.*s)",
                        mode->id, name_of_now(c), result.status, *said ? ": " : "",
                        (int)strcspn(said, "\n"), said);
}

/* Once, before anything is changed. */
static bool prepare(struct platform_control *c, char *why)
{
    if (c->guard)
        return true;
    if (!store_clocks(c, why))
        return false;
    if (c->first && c->nvpmodel[0])
        snprintf(c->first_id, sizeof c->first_id, "%d", c->first->id);
    if (start_guard(c, why))
        return true;
    drop_store(c);
    c->is_stored = false;
    return false;
}

static bool set_lock(struct platform_control *c, bool lock, char *why)
{
    struct process_result result;
    const bool ran = process_run(c->jetson_clocks, lock ? NULL : "--restore", c->store,
                                 c->timeout_s, &result);

    /* where it failed is not known: the next call undoes a lock in any case */
    c->is_locked = lock || !ran;
    return ran ||
           sysfs_refuse(why, "jetson_clocks%s %s%.160s", lock ? "" : " --restore",
                        result.timed_out ? "did not end in time" : "failed: ", result.output);
}

/* True if 'mode' and 'lock' can be asked for at all. */
static bool may_set(const struct platform_control *c, const struct platform_mode *mode,
                    bool lock, char *why)
{
    const bool switches = c->now != mode;
    const int mask = c->now ? c->now->tpc_mask : -1;

    if (!c->may_switch)
        return sysfs_refuse(
            why,
            "the board is in power mode %s, and switching needs root: sudo nvpmodel -m %d%s",
            name_of_now(c), mode->id, lock ? " && sudo jetson_clocks" : "");
    if (switches && !c->nvpmodel[0])
        return sysfs_refuse(why, "there is no nvpmodel to switch to power mode %s", mode->name);
    if (switches && !c->first)
        return sysfs_refuse(
            why, "the board does not say its power mode, so that it could not be brought back");
    if (lock && !c->jetson_clocks[0])
        return sysfs_refuse(why, "there is no jetson_clocks to lock the clocks");
    /* other multiprocessors are powered: only at boot.  The mask's own file may read 0 in all
     * modes. */
    if (switches && mask >= 0 && mode->tpc_mask >= 0 && mask != mode->tpc_mask)
        return refuse_reboot(mode, why);
    return true;
}

enum platform_outcome platform_control_set(struct platform_control *c, const char *name,
                                           bool lock, char why[BOARD_WHY])
{
    const struct platform_mode *wanted = NULL;

    why[0] = '\0';
    for (int i = 0; i < c->n_modes && !wanted; i++)
        wanted = strcmp(c->mode[i].name, name) ? NULL : &c->mode[i];
    if (!wanted) {
        refuse_unknown(c, name, why);
        return BOARD_REFUSED;
    }
    look(c); /* somebody else may have switched */
    if (c->now == wanted && c->is_locked == lock)
        return BOARD_AS_IT_WAS;
    return may_set(c, wanted, lock, why) && prepare(c, why) &&
                   /* else the old mode's clocks would stay */
                   (!c->is_locked || set_lock(c, false, why)) &&
                   (c->now == wanted || switch_to(c, wanted, why)) &&
                   (!lock || set_lock(c, true, why))
               ? BOARD_CHANGED
               : BOARD_REFUSED;
}

/* ---- closing ---- */

bool platform_control_close(struct platform_control *c, char why[BOARD_WHY])
{
    int failed = 0, answer;

    why[0] = '\0';
    if (!c)
        return true;
    if (c->guard) {
        if (process_say(c->hold, 'q')) { /* all of its tools may take their time */
            answer = process_hear(c->hold, 3 * c->timeout_s + 10);
            failed = answer > 0 ? answer - '0' : NOTHING_BACK;
        } else { /* somebody killed it */
            failed = bring_back(c);
        }
        close(c->hold);
        waitpid(c->guard, NULL, failed ? WNOHANG : 0);
    }
    if (failed)
        snprintf(why, BOARD_WHY, "the board could not be brought back: %s%.16s%s%s%.200s",
                 failed & MODE_NOT_BACK ? "sudo nvpmodel -m " : "",
                 failed & MODE_NOT_BACK ? c->first_id : "", failed == NOTHING_BACK ? "; " : "",
                 failed & CLOCKS_NOT_BACK ? "sudo jetson_clocks --restore " : "",
                 failed & CLOCKS_NOT_BACK ? c->store : "");
    free(c);
    return failed == 0;
}

/* ---- settling ---- */

bool platform_settle(const char *sysroot, double (*now_s)(void *self),
                     void (*wait_s)(void *self, double s), void *self, double limit_s)
{
    const double t0 = now_s(self);
    double gpu = platform_gpu_mhz(sysroot), cpu = platform_cpu_mhz(sysroot), since = t0;

    while (now_s(self) - t0 < limit_s) {
        double gpu_now, cpu_now;

        wait_s(self, 0.1);
        gpu_now = platform_gpu_mhz(sysroot);
        cpu_now = platform_cpu_mhz(sysroot);
        if (fabs(gpu_now - gpu) > 0.01 * gpu || fabs(cpu_now - cpu) > 0.01 * cpu) {
            gpu = gpu_now;
            cpu = cpu_now;
            since = now_s(self);
        }
        if (now_s(self) - since >= 2)
            return true;
    }
    return false;
}
