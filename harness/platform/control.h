/*
 * control.h - the power modes of a board: switch, lock its clocks, and bring all of it back,
 * whatever happens
 *
 * nvpmodel switches, jetson_clocks locks.  Before the first change the clocks are stored and a
 * guard is forked, which brings back the mode and the clocks when the program lets go of it or
 * is no more, also by a crash or SIGKILL.  A mode that needs a reboot is refused.
 */
#ifndef BOARD_CONTROL_H
#define BOARD_CONTROL_H

#include "harness/platform/platform.h"
#include "harness/platform/sysfs.h" /* BOARD_WHY */

#include <stdbool.h>
#include <sys/types.h>

/* Others read what stands above the line. */
struct platform_control {
    struct platform_mode mode[PLATFORM_MAX_MODES]; /* all that the board has */
    int n_modes;                                   /* at least one */
    /* by nvpmodel itself, else by its status file; NULL: not known */
    const struct platform_mode *now, *first; /* as it is; as it was when this was opened */
    char nvpmodel[600], jetson_clocks[600];  /* what switches, what locks; "": there is none */
    pid_t guard; /* 0: nothing was changed, nor may have been by an attempt that was refused */
    /* ---- */
    bool may_switch;
    double timeout_s;
    char sysroot[512];
    char folder[300], store[320], first_id[16]; /* of the stored clocks */
    bool is_stored, is_locked;
    int hold; /* a socket: the guard works when this is closed, and says here how it went */
};

/* may_switch: the program has the rights; timeout_s: of each call of a tool.  NULL: out of
 * memory, or this machine has no power modes. */
struct platform_control *platform_control_open(const char *sysroot, bool may_switch,
                                               double timeout_s);

/* True if modes can be switched here; else 'why' has half a sentence. */
bool platform_control_can(const struct platform_control *control, char why[BOARD_WHY]);

enum platform_outcome {
    BOARD_AS_IT_WAS, /* nothing had to be done */
    BOARD_CHANGED,
    /* 'why' has a sentence; the board is in the mode 'now' */
    BOARD_REFUSED
};

/* Be in mode 'name', with its clocks locked to the highest of the mode ('lock') or as they
 * come. */
enum platform_outcome platform_control_set(struct platform_control *control, const char *name,
                                           bool lock, char why[BOARD_WHY]);
/* Bring back what was changed, and wait for that.  false: it could not be; 'why' says what to
 * do.  NULL is fine. */
bool platform_control_close(struct platform_control *control, char why[BOARD_WHY]);

/*
 * Wait until the clocks of GPU and CPU stand still: within 1 % for 2 s.  'wait_s' should keep
 * the board busy.  false: they did not within 'limit_s'.
 */
bool platform_settle(const char *sysroot, double (*now_s)(void *self),
                     void (*wait_s)(void *self, double s), void *self, double limit_s);

#endif
