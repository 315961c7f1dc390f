/*
 * test_modes.c - power modes: switched, refused, and brought back on every way out; with made-up boards and tools
 *
 * Nobody waits: time is the test's own, and a tool that hangs is given 0.05 s.
 */
#include "tests/fake_board.h"

#include "harness/platform/board.h"
#include "harness/platform/control.h"
#include "harness/problems/rdp/rdp.h"
#include "harness/suite/record.h"
#include "harness/suite/suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

extern const struct bench_impl rdp_serial, rdp_cpu_simd;

static char why[BOARD_WHY];
static const struct board_control_options root_may = {.may_switch = true, .timeout_s = 20};
static const struct board_control_options root_may_not = {.may_switch = false, .timeout_s = 20};
static const struct board_control_options impatient = {.may_switch = true, .timeout_s = 0.05};

/* ---- boards ---- */

/* As an AGX Xavier's: MODE_10W turns two groups of multiprocessors off. */
static const char xavier_conf[] = "< PARAM TYPE=FILE NAME=TPC_POWER_GATING >\n"
                                  "TPC_PG_MASK /sys/devices/gpu.0/tpc_pg_mask\n"
                                  "# comments may say POWER_MODEL ID=9 NAME=NONE >\n"
                                  "< POWER_MODEL ID=0 NAME=MAXN >\n"
                                  "TPC_POWER_GATING TPC_PG_MASK 0\n"
                                  "GPU MAX_FREQ -1\n"
                                  "< POWER_MODEL ID=1 NAME=MODE_10W >\n"
                                  "TPC_POWER_GATING TPC_PG_MASK 5\n"
                                  "GPU MAX_FREQ 520000000\n"
                                  "< POWER_MODEL ID=2 NAME=MODE_15W >\n"
                                  "TPC_POWER_GATING TPC_PG_MASK 0\n"
                                  "< POWER_MODEL ID=3 NAME=MODE_30W_ALL >\n"
                                  "< PM_CONFIG DEFAULT=2 >\n";

/* Knows what the configuration has; reboot.N asks as the real one does, fail.N fails, hang.N hangs. */
static const char fake_nvpmodel[] =
    "echo \"nvpmodel $*\" >>\"$root/log\"\n"
    "status=$root/var/lib/nvpmodel/status\n"
    "name() { sed -n \"s/^< POWER_MODEL ID=$1 NAME=\\([^ >]*\\) >.*/\\1/p\" "
    "\"$root/etc/nvpmodel.conf\"; }\n"
    "case $1 in\n"
    "-q) id=$(sed -n 's/^pmode:0*\\([0-9][0-9]*\\).*/\\1/p' \"$status\")\n"
    "    echo 'NVPM WARN: fan mode is not set!'; echo \"NV Power Mode: $(name $id)\"; echo "
    "\"$id\" ;;\n"
    "-m) if [ -e \"$root/hang.$2\" ]; then echo $$ >\"$root/hanging\"; exec sleep 1000; fi\n"
    "    if [ -e \"$root/fail.$2\" ]; then echo checking; echo 'NVPM ERROR: failed to set "
    "power mode!'; exit 255; fi\n"
    "    if [ -e \"$root/reboot.$2\" ]; then\n"
    "        echo \"NVPM WARN: Reboot required for changing to this power mode: $2\"\n"
    "        echo 'NVPM WARN: DO YOU WANT TO REBOOT NOW? enter YES/yes to confirm:'\n"
    "        read answer; echo \"answer $answer\" >>\"$root/log\"; exit 0\n"
    "    fi\n"
    "    printf 'pmode:%04d fmode:quiet\\n' \"$2\" >\"$status\" ;;\n"
    "esac\n";

/* Clocks are the text in /clocks; 'back' is a pipe where the test waits for them. */
static const char fake_clocks[] =
    "echo \"jetson_clocks $1\" >>\"$root/log\"\n"
    "case $1 in\n"
    "--store) if [ -e \"$2\" ] || [ -e \"$root/no-store\" ]; then echo 'cannot store'; exit 1; "
    "fi\n"
    "    cp \"$root/clocks\" \"$2\" ;;\n"
    "--restore) if [ -e \"$root/no-restore\" ]; then exit 3; fi\n"
    "    cp \"$2\" \"$root/clocks\"\n"
    "    if [ -p \"$root/back\" ]; then echo >\"$root/back\"; fi ;;\n"
    "'') if [ -e \"$root/no-lock\" ]; then echo 'Error: no clocks here'; exit 1; fi\n"
    "    echo locked >\"$root/clocks\" ;;\n"
    "esac\n";

#define GPU "/sys/class/devfreq/17000000.gv11b"

static void make_xavier(const char *name)
{
    static const char model[] = "Jetson-AGX";

    new_machine(name);
    setenv("TMPDIR", root, 1); /* of the stored clocks */
    put_bytes("/sys/firmware/devicetree/base/model", model, sizeof model);
    put("/etc/nvpmodel.conf", xavier_conf);
    put("/var/lib/nvpmodel/status", "pmode:0002 fmode:quiet\n");
    put("/sys/devices/gpu.0/tpc_pg_mask", "0\n");
    put("/sys/devices/system/cpu/present", "0-7\n");
    put(GPU "/cur_freq", "905250000\n");
    put(GPU "/min_freq", "114750000\n");
    put(GPU "/max_freq", "1377000000\n");
    put("/sys/class/devfreq/15340000.vic/cur_freq", "115200000\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1190400\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq", "1190400\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "1190400\n");
    put("/sys/kernel/debug/bpmp/debug/clk/emc/rate", "1331200000\n");
    put("/clocks", "free\n");
    put_program("/usr/sbin/nvpmodel", fake_nvpmodel);
    put_program("/usr/bin/jetson_clocks", fake_clocks);
}

static struct board_control *open_board(const struct board_control_options *options)
{
    struct board_control *c = board_control_open(root, options);

    assert_non_null(c);
    return c;
}

static void assert_mode(struct board_control *c, const char *name)
{
    assert_non_null(board_control_mode(c));
    assert_string_equal(board_control_mode(c)->name, name);
}

static void assert_refused(struct board_control *c, const char *name, bool lock,
                           const char *sentence)
{
    assert_int_equal(board_control_set(c, name, lock, why), BOARD_REFUSED);
    assert_string_equal(why, sentence);
}

static void close_board(struct board_control *c)
{
    if (!board_control_close(c, why))
        fail_msg("%s", why);
}

/* ---- switching ---- */

static void a_mode_is_switched_and_brought_back(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("switched");
    c = open_board(&root_may);
    assert_mode(c, "MODE_15W");
    assert_int_equal(board_control_set(c, "MODE_15W", false, why), BOARD_AS_IT_WAS);
    assert_null(strstr(take("/log"), "-m"));
    assert_int_equal(board_control_set(c, "MAXN", false, why), BOARD_CHANGED);
    assert_mode(c, "MAXN");
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0000 fmode:quiet\n");
    assert_int_equal(board_control_set(c, "MODE_30W_ALL", false, why), BOARD_CHANGED);
    assert_mode(c, "MODE_30W_ALL");
    assert_string_equal(board_control_first_mode(c)->name, "MODE_15W");
    put("/clocks", "moved by the mode\n");
    close_board(c);
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
    assert_string_equal(take("/clocks"), "free\n");
    /* stored once, before the first change; restored behind the mode's own clocks */
    assert_string_equal(take("/log"),
                        "nvpmodel -q\nnvpmodel -q\nnvpmodel -q\njetson_clocks --store\n"
                        "nvpmodel -m 0\nnvpmodel -q\nnvpmodel -q\nnvpmodel -m 3\nnvpmodel -q\n"
                        "nvpmodel -m 2\njetson_clocks --restore\n");
}

static void nothing_is_brought_back_that_was_not_changed(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("untouched");
    c = open_board(&root_may);
    assert_int_equal(board_control_set(c, "MODE_15W", false, why), BOARD_AS_IT_WAS);
    close_board(c);
    assert_string_equal(take("/log"), "nvpmodel -q\nnvpmodel -q\n");
}

static void clocks_are_locked_and_let_go(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("locked");
    c = open_board(&root_may);
    assert_int_equal(board_control_set(c, "MODE_15W", true, why), BOARD_CHANGED);
    assert_string_equal(take("/clocks"), "locked\n");
    assert_int_equal(board_control_set(c, "MODE_15W", true, why), BOARD_AS_IT_WAS);
    /* from one mode to the next they are let go, or the old mode's clocks would stay */
    assert_int_equal(board_control_set(c, "MAXN", true, why), BOARD_CHANGED);
    assert_string_equal(take("/clocks"), "locked\n");
    assert_int_equal(board_control_set(c, "MAXN", false, why), BOARD_CHANGED);
    assert_string_equal(take("/clocks"), "free\n");
    close_board(c);
    assert_string_equal(take("/clocks"), "free\n");
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
    assert_string_equal(
        take("/log"),
        "nvpmodel -q\nnvpmodel -q\njetson_clocks --store\njetson_clocks \nnvpmodel -q\n"
        "nvpmodel -q\njetson_clocks --restore\nnvpmodel -m 0\nnvpmodel -q\njetson_clocks \n"
        "nvpmodel -q\njetson_clocks --restore\nnvpmodel -m 2\njetson_clocks --restore\n");
}

static void nvpmodel_is_believed_over_its_file(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("stale");
    put_program("/usr/sbin/nvpmodel", "echo 'NV Power Mode: MAXN'; echo 0\n");
    c = open_board(&root_may);
    assert_mode(c, "MAXN");
    close_board(c);
    put_program("/usr/sbin/nvpmodel", "exit 1\n"); /* it says nothing: the file does */
    c = open_board(&root_may);
    assert_mode(c, "MODE_15W");
    close_board(c);
}

/* ---- refusals ---- */

static void a_reboot_is_refused(void **state)
{
    static const char sentence[] = "power mode %s needs a reboot, which is refused: sudo "
                                   "nvpmodel -m %d, let it reboot, and run this again";
    struct board_control *c;
    char expected[256];

    (void)state;
    make_xavier("reboot");
    put("/reboot.3", "");
    c = open_board(&root_may);
    /* this one is asked for, and answered */
    snprintf(expected, sizeof expected, sentence, "MODE_30W_ALL", 3);
    assert_refused(c, "MODE_30W_ALL", false, expected);
    assert_non_null(strstr(take("/log"), "answer no\n"));
    assert_mode(c, "MODE_15W");
    /* this one is known to need it before anybody is asked */
    snprintf(expected, sizeof expected, sentence, "MODE_10W", 1);
    assert_refused(c, "MODE_10W", false, expected);
    assert_null(strstr(take("/log"), "-m 1"));
    close_board(c);
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
}

static void without_rights_there_is_a_command(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("plain-user");
    c = open_board(&root_may_not);
    assert_mode(c, "MODE_15W");
    assert_int_equal(board_control_set(c, "MODE_15W", false, why), BOARD_AS_IT_WAS);
    assert_refused(
        c, "MAXN", false,
        "the board is in power mode MODE_15W, and switching needs root: sudo nvpmodel -m 0");
    assert_refused(
        c, "MODE_15W", true,
        "the board is in power mode MODE_15W, and switching needs root: sudo nvpmodel "
        "-m 2 && sudo jetson_clocks");
    close_board(c);
    assert_null(strstr(take("/log"), "-m"));
    assert_null(strstr(take("/log"), "jetson_clocks"));
}

static void an_unknown_mode_names_the_known_ones(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("unknown");
    c = open_board(&root_may);
    assert_refused(c, "MODE_50W", false,
                   "this board has no power mode MODE_50W: MAXN, MODE_10W, MODE_15W, "
                   "MODE_30W_ALL");
    close_board(c);
}

static void a_tx2_has_modes_of_its_own(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("tx2");
    put("/etc/nvpmodel.conf",
        "< POWER_MODEL ID=0 NAME=MAXN >\nGPU MAX_FREQ 2147483647\n< POWER_MODEL ID=1 NAME=MAXQ "
        ">\n< POWER_MODEL ID=3 NAME=MAXP_CORE_ARM >\n");
    put("/var/lib/nvpmodel/status", "pmode:0003 fmode:quiet\n");
    c = open_board(&root_may);
    assert_mode(c, "MAXP_CORE_ARM");
    assert_int_equal(board_control_set(c, "MAXQ", false, why), BOARD_CHANGED);
    assert_mode(c, "MAXQ");
    close_board(c);
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0003 fmode:quiet\n");
}

static void a_desktop_has_no_modes(void **state)
{
    (void)state;
    new_machine("desktop");
    assert_null(board_control_open(root, &root_may));
    put("/etc/nvpmodel.conf", "# nothing\n< PM_CONFIG DEFAULT=2 >\n");
    assert_null(board_control_open(root, &root_may));
    assert_true(board_control_close(NULL, why));
}

/* ---- tools that fail ---- */

static void a_failing_tool_is_quoted(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("failing");
    put("/fail.0", "");
    c = open_board(&root_may);
    assert_refused(c, "MAXN", false,
                   "nvpmodel -m 0 left the board in power mode MODE_15W (exit 255: NVPM ERROR: "
                   "failed to set power mode!)");
    assert_mode(c, "MODE_15W");
    close_board(c);
    assert_string_equal(take("/clocks"), "free\n");
}

static void a_hanging_tool_is_ended(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("hanging");
    put("/hang.0", "");
    c = open_board(&root_may);
    board_control_close(c, why);
    put_program("/usr/sbin/nvpmodel", "echo $$ >\"$root/hanging\"; exec sleep 1000\n");
    c = open_board(&impatient); /* it hangs when asked for the mode, too: the file says it */
    assert_mode(c, "MODE_15W");
    assert_int_equal(kill((pid_t)atoi(take("/hanging")), 0), -1);
    put_program("/usr/bin/jetson_clocks", "cp \"$root/clocks\" \"$2\"\n");
    assert_int_equal(board_control_set(c, "MAXN", false, why), BOARD_REFUSED);
    /* a loaded machine may take more than 0.05 s for cp: then nothing was tried */
    assert_true(!strcmp(why, "nvpmodel -m 0 did not end within 0.05 s and was stopped") ||
                !strcmp(why,
                        "nothing is changed, for the clocks cannot be stored: jetson_clocks "
                        "--store did not end in time"));
    assert_int_equal(kill((pid_t)atoi(take("/hanging")), 0), -1);
    board_control_close(c, why); /* what hangs now hangs then: it is told, and ends */
}

static void without_a_store_nothing_is_changed(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("no-store");
    put("/no-store", "");
    c = open_board(&root_may);
    assert_refused(c, "MAXN", false,
                   "nothing is changed, for the clocks cannot be stored: jetson_clocks --store "
                   "failed: cannot store");
    close_board(c);
    assert_null(strstr(take("/log"), "-m"));
}

static void clocks_that_cannot_be_locked_are_told(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("no-lock");
    put("/no-lock", "");
    c = open_board(&root_may);
    assert_refused(c, "MAXN", true, "jetson_clocks failed: Error: no clocks here");
    close_board(c);
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
}

static void missing_tools_are_told(void **state)
{
    char path[700];
    struct board_control *c;

    (void)state;
    make_xavier("missing");
    snprintf(path, sizeof path, "%s/usr/bin/jetson_clocks", root);
    assert_int_equal(remove(path), 0);
    c = open_board(&root_may);
    assert_refused(c, "MAXN", true, "there is no jetson_clocks to lock the clocks");
    assert_int_equal(board_control_set(c, "MAXN", false, why), BOARD_CHANGED);
    close_board(c);
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
    snprintf(path, sizeof path, "%s/usr/sbin/nvpmodel", root);
    assert_int_equal(remove(path), 0);
    c = open_board(&root_may);
    assert_mode(c, "MODE_15W");
    assert_refused(c, "MAXN", false, "there is no nvpmodel to switch to power mode MAXN");
    close_board(c);
}

/* What could not be let go is not taken for free the next time. */
static void clocks_that_stay_locked_are_tried_again(void **state)
{
    struct board_control *c;
    char path[700];

    (void)state;
    make_xavier("stay-locked");
    c = open_board(&root_may);
    assert_int_equal(board_control_set(c, "MODE_15W", true, why), BOARD_CHANGED);
    put("/no-restore", "");
    for (int i = 0; i < 2; i++)
        assert_int_equal(board_control_set(c, "MODE_15W", false, why), BOARD_REFUSED);
    snprintf(path, sizeof path, "%s/no-restore", root);
    assert_int_equal(remove(path), 0);
    assert_int_equal(board_control_set(c, "MODE_15W", false, why), BOARD_CHANGED);
    assert_string_equal(take("/clocks"), "free\n");
    close_board(c);
}

static void what_cannot_be_brought_back_is_told(void **state)
{
    struct board_control *c;

    (void)state;
    make_xavier("not-back");
    c = open_board(&root_may);
    assert_int_equal(board_control_set(c, "MAXN", false, why), BOARD_CHANGED);
    put("/fail.2", "");
    assert_false(board_control_close(c, why));
    assert_string_equal(why, "the board could not be brought back: sudo nvpmodel -m 2");
    make_xavier("not-back-clocks");
    c = open_board(&root_may);
    assert_int_equal(board_control_set(c, "MAXN", false, why), BOARD_CHANGED);
    put("/no-restore", "");
    assert_false(board_control_close(c, why));
    assert_non_null(
        strstr(why, "the board could not be brought back: sudo jetson_clocks --restore "));
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
}

/* ---- every way out ---- */

static void end_by_exit(void)
{
    _exit(0);
}

static void end_by_crash(void)
{
    signal(SIGSEGV, SIG_DFL); /* not the test framework's */
    raise(SIGSEGV);
}

static void end_by_kill(void)
{
    raise(SIGKILL);
}

static void end_by_hangup(void)
{
    signal(SIGHUP, SIG_DFL);
    raise(SIGHUP);
}

/* A program that switched and is no more: the guard brings the board back. */
static void a_program_that_is_gone_leaves_nothing(void **state)
{
    static void (*const ends[])(void) = {end_by_exit, end_by_crash, end_by_kill, end_by_hangup};

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char name[32], path[700], byte;
        pid_t child;
        int back;

        snprintf(name, sizeof name, "gone-%zu", i);
        make_xavier(name);
        snprintf(path, sizeof path, "%s/back", root);
        assert_int_equal(mkfifo(path, 0600), 0);
        child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct board_control *c = board_control_open(root, &root_may);

            if (!c || board_control_set(c, "MAXN", true, why) != BOARD_CHANGED)
                _exit(1);
            put("/switched", take("/var/lib/nvpmodel/status"));
            ends[i]();
            _exit(1);
        }
        alarm(60); /* should nobody ever write */
        back = open(path, O_RDONLY);
        assert_true(back >= 0);
        assert_int_equal(read(back, &byte, 1), 1);
        alarm(0);
        close(back);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_string_equal(take("/switched"), "pmode:0000 fmode:quiet\n");
        assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
        assert_string_equal(take("/clocks"), "free\n");
    }
}

/* A child of this process that runs; 0: none. */
static pid_t find_child(void)
{
    struct dirent **entry = NULL;
    const int n = scandir("/proc", &entry, NULL, NULL);
    pid_t found = 0;

    for (int i = 0; i < n; i++) {
        char path[300], name[64], is = 'Z';
        int pid = 0, parent = 0;
        FILE *file;

        snprintf(path, sizeof path, "/proc/%.200s/stat", entry[i]->d_name);
        file = atoi(entry[i]->d_name) > 0 ? fopen(path, "re") : NULL;
        if (file) {
            if (fscanf(file, "%d %63s %c %d", &pid, name, &is, &parent) == 4 &&
                parent == (int)getpid() && is != 'Z')
                found = pid;
            fclose(file);
        }
        free(entry[i]);
    }
    free(entry);
    return found;
}

static void without_its_guard_a_program_brings_back_itself(void **state)
{
    struct board_control *c;
    pid_t guard;

    (void)state;
    make_xavier("no-guard");
    c = open_board(&root_may);
    assert_int_equal(board_control_set(c, "MAXN", true, why), BOARD_CHANGED);
    guard = find_child();
    assert_true(guard > 0);
    assert_int_equal(kill(guard, SIGKILL), 0);
    assert_int_equal(waitpid(guard, NULL, 0), guard);
    signal(SIGPIPE, SIG_DFL);
    close_board(c);
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
    assert_string_equal(take("/clocks"), "free\n");
}

/* ---- settling, clocks ---- */

struct moving {
    double now;
    int n_steps, step; /* the clock moves so often */
};

static double moving_now_s(void *self)
{
    return ((struct moving *)self)->now;
}

static void moving_wait_s(void *self, double s)
{
    struct moving *m = self;

    m->now += s;
    if (m->step < m->n_steps)
        put_number(GPU "/cur_freq", 1e6 * (200 + 50 * (++m->step % 7)));
}

static void clocks_settle(void **state)
{
    struct moving soon = {.n_steps = 30}, never = {.n_steps = 100000}, at_once = {0};

    (void)state;
    make_xavier("settling");
    assert_true(board_settle(root, moving_now_s, moving_wait_s, &at_once, 15));
    assert_true(fabs(at_once.now - 2) < 0.15);
    assert_true(board_settle(root, moving_now_s, moving_wait_s, &soon, 15));
    assert_true(fabs(soon.now - 5) < 0.15); /* 3 s of steps, and 2 s of rest */
    assert_false(board_settle(root, moving_now_s, moving_wait_s, &never, 15));
    assert_true(fabs(never.now - 15) < 0.15);
}

static void what_moves_is_read(void **state)
{
    struct board_live live;

    (void)state;
    make_xavier("live");
    board_live_read(root, &live);
    assert_int_equal(live.mode_id, 2);
    assert_true(fabs(live.gpu_mhz - 905.25) < 1e-9);
    assert_true(fabs(live.cpu_mhz - 1190.4) < 1e-9);
    assert_true(fabs(live.emc_mhz - 1331.2) < 1e-9);
    assert_int_equal(live.clocks_locked, 0); /* the GPU is free */
    assert_int_equal(live.sm_count, 8);
    assert_int_equal(board_n_cpus(root), 8);
    put(GPU "/min_freq", "1377000000\n");
    put("/sys/devices/gpu.0/tpc_pg_mask", "5\n");
    board_live_read(root, &live);
    assert_int_equal(live.clocks_locked, 1);
    assert_int_equal(live.sm_count, 4);
    put("/sys/devices/system/cpu/cpu3/cpufreq/scaling_min_freq", "100\n");
    put("/sys/devices/system/cpu/cpu3/cpufreq/scaling_max_freq", "200\n");
    board_live_read(root, &live);
    assert_int_equal(live.clocks_locked, 0);
    put("/sys/devices/system/cpu/cpu3/online", "0\n"); /* who sleeps has no clock */
    board_live_read(root, &live);
    assert_int_equal(live.clocks_locked, 1);
    new_machine("live-nothing");
    board_live_read(root, &live);
    assert_int_equal(live.mode_id, -1);
    assert_true(live.gpu_mhz == 0 && live.cpu_mhz == 0 && live.emc_mhz == 0);
    assert_true(live.clocks_locked == -1 && live.tpc_mask == -1 && live.sm_count == 0);
    assert_int_equal(board_n_cpus(root), 0);
}

/* ---- whole runs ---- */

static char folder[700];

static struct bench_cell cell_of(const struct bench_impl *impl, const char *mode)
{
    struct bench_cell cell = {.section = "test", .impl = impl};

    for (const struct bench_key *key = rdp_problem.keys; key->name; key++) {
        if (!strcmp(key->name, "width"))
            assert_int_equal(bench_params_set(&cell.params, key, "40", "test"), BENCH_OK);
        if (!strcmp(key->name, "height"))
            assert_int_equal(bench_params_set(&cell.params, key, "50", "test"), BENCH_OK);
    }
    assert_int_equal(bench_params_default(&cell.params, rdp_problem.keys, "test"), BENCH_OK);
    assert_int_equal(bench_params_default(&cell.params, impl->keys, "test"), BENCH_OK);
    strcpy(cell.plan.input, "scene");
    snprintf(cell.plan.mode, sizeof cell.plan.mode, "%s", mode);
    cell.plan.batch = 1;
    cell.plan.threads = 1;
    cell.plan.series = 1u << BENCH_FRAMES;
    cell.plan.scopes = 1u << BENCH_KERNEL;
    cell.plan.times = true;
    cell.plan.min_samples = cell.plan.max_samples = 3;
    cell.plan.precision = 0.5;
    cell.plan.timeout_s = 100;
    cell.plan.max_frames = 2;
    cell.plan.energy_time_s = 3;
    return cell;
}

static double ticking_now_s(void *self)
{
    static int ticks;

    (void)self;
    return 0.01 * __atomic_add_fetch(&ticks, 1, __ATOMIC_SEQ_CST);
}

static void no_wait_s(void *self, double s)
{
    (void)self;
    (void)s;
}

static const struct bench_time ticking = {ticking_now_s, no_wait_s, NULL};

static enum bench_status run(struct bench_cell *cells, int n_cells, bool resume,
                             struct bench_summary *summary, struct bench_env *env)
{
    struct bench_experiment e = {.name = "test/test",
                                 .path = "test.ini",
                                 .problem = &rdp_problem,
                                 .cells = cells,
                                 .n_cells = n_cells};
    struct bench_options options = {
        .results = folder, .data = "data", .resume = resume, .time = &ticking};
    struct record_session *session = NULL;
    char path[700];
    enum bench_status status;

    snprintf(path, sizeof path, "%s/notes", root);
    options.out = options.err = fopen(path, "a");
    assert_non_null(options.err);
    assert_int_equal(bench_env_open(-1, root, env), BENCH_OK);
    bench_device_close(env->device); /* the same on machines with a card */
    env->device = NULL;
    assert_int_equal(suite_open(env, &options, &session), BENCH_OK);
    status = suite_run(&e, env, &options, session, summary);
    assert_int_equal(record_close(session), BENCH_OK);
    fclose(options.err);
    return status;
}

static void read_rows(const struct bench_summary *summary, struct record_table *rows)
{
    char path[1200];

    snprintf(path, sizeof path, "%s/%s.csv", folder, summary->session);
    assert_int_equal(record_read(path, true, rows), BENCH_OK);
}

static void assert_field(const struct record_table *rows, int row, const char *column,
                         const char *expected)
{
    if (strcmp(record_get(rows, row, column), expected) != 0)
        fail_msg("row %d, %s: expected '%s', found '%s'", row, column, expected,
                 record_get(rows, row, column));
}

static double number(const struct record_table *rows, int row, const char *column)
{
    double value = -1;

    if (!record_get_number(rows, row, column, &value))
        fail_msg("row %d: no %s, but '%s'", row, column, record_get(rows, row, "power_note"));
    return value;
}

static void a_run_goes_through_the_modes(void **state)
{
    struct bench_cell cells[] = {
        cell_of(&rdp_serial, "MAXN"),       cell_of(&rdp_serial, "MODE_10W"),
        cell_of(&rdp_serial, "MODE_15W"),   cell_of(&rdp_cpu_simd, "MAXN"),
        cell_of(&rdp_cpu_simd, "MODE_10W"), cell_of(&rdp_cpu_simd, "MODE_15W"),
    };
    static const char *const modes[] = {"MAXN",     "MAXN",     "MODE_10W",
                                        "MODE_10W", "MODE_15W", "MODE_15W"};
    struct bench_summary summary;
    struct record_table rows;
    struct bench_env env;

    (void)state;
    make_xavier("suite");
    snprintf(folder, sizeof folder, "%s/results", root);
    assert_int_equal(run(cells, 6, false, &summary, &env), BENCH_OK);
    assert_string_equal(env.machine, "jetson-agx-8c");
    assert_string_equal(env.board.mode_name, "MODE_15W"); /* back where it was */
    bench_env_close(&env);
    assert_int_equal(summary.n_ok, 4);
    assert_int_equal(summary.n_skipped, 2);
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
    assert_string_equal(take("/clocks"), "free\n");
    read_rows(&summary, &rows);
    assert_int_equal(rows.n_rows, 6);
    for (int i = 0; i < 6; i++) { /* a mode at a time */
        const bool refused = !strcmp(modes[i], "MODE_10W");

        assert_field(&rows, i, "mode_name", modes[i]);
        assert_field(&rows, i, "mode_id", refused ? "" : i < 2 ? "0" : "2");
        assert_field(&rows, i, "impl", i % 2 ? "rdp/cpu-simd" : "rdp/serial");
        assert_field(&rows, i, "status", refused ? "skipped" : "ok");
        assert_field(&rows, i, "sm_count", "8");
        assert_field(&rows, i, "clocks_locked", "0");
        assert_field(&rows, i, "emc_mhz", "1331.2");
        assert_field(&rows, i, "gpu_mhz_before", refused ? "" : "905.25");
        assert_field(&rows, i, "gpu_mhz_after", refused ? "" : "905.25");
    }
    assert_non_null(strstr(record_get(&rows, 2, "reason"), "MODE_10W needs a reboot"));
    record_table_free(&rows);
    /* said aloud, and once for both variants */
    assert_non_null(strstr(take("/notes"), "note: the board is in power mode MAXN now\n"));
    assert_non_null(
        strstr(take("/notes"),
               "note: mode = MODE_10W is skipped: power mode MODE_10W needs a reboot"));
    assert_null(strstr(strstr(take("/notes"), "is skipped") + 1, "is skipped"));
    assert_non_null(strstr(take("/notes"), "note: the board is back in power mode MODE_15W\n"));
    assert_null(strstr(take("/log"), "-m 1"));
}

/* MAXN is on when its clocks cannot be locked; a cell of any mode does not run in it. */
static void half_a_switch_is_undone_for_the_next_cell(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial, "MAXN"), cell_of(&rdp_serial, "any")};
    struct bench_summary summary;
    struct record_table rows;
    struct bench_env env;

    (void)state;
    make_xavier("suite-half");
    put("/no-lock", "");
    cells[0].plan.lock_clocks = true;
    snprintf(folder, sizeof folder, "%s/results", root);
    assert_int_equal(run(cells, 2, false, &summary, &env), BENCH_OK);
    bench_env_close(&env);
    read_rows(&summary, &rows);
    assert_int_equal(rows.n_rows, 2);
    assert_field(&rows, 0, "status", "skipped");
    assert_field(&rows, 1, "status", "ok");
    assert_field(&rows, 1, "mode_name", "MODE_15W");
    record_table_free(&rows);
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
    assert_string_equal(take("/clocks"), "free\n");
}

static void kept_rows_need_no_switch(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial, "MAXN"), cell_of(&rdp_serial, "any")};
    struct bench_summary summary;
    struct bench_env env;

    (void)state;
    make_xavier("suite-resumed");
    snprintf(folder, sizeof folder, "%s/results", root);
    assert_int_equal(run(cells, 2, true, &summary, &env), BENCH_OK);
    bench_env_close(&env);
    assert_int_equal(summary.n_ok, 2);
    put("/log", "");
    assert_int_equal(run(cells, 2, true, &summary, &env), BENCH_OK);
    bench_env_close(&env);
    assert_int_equal(summary.n_kept, 2);
    assert_string_equal(take("/log"), "nvpmodel -q\n");
}

/* Ctrl-C in the first cell. */
static enum bench_status interrupting_run(void *opaque)
{
    bench_interrupts = 1;
    return rdp_serial.run(opaque);
}

static void an_interrupted_run_brings_the_board_back(void **state)
{
    struct bench_impl impl = rdp_serial;
    struct bench_cell cells[] = {cell_of(&rdp_serial, "MAXN"), cell_of(&rdp_cpu_simd, "MAXN")};
    struct bench_summary summary;
    struct bench_env env;

    (void)state;
    make_xavier("suite-interrupted");
    snprintf(folder, sizeof folder, "%s/results", root);
    impl.name = "rdp/interrupting";
    impl.run = interrupting_run;
    impl.reference = "rdp/serial";
    cells[0].impl = &impl;
    assert_int_equal(run(cells, 2, false, &summary, &env), BENCH_EINTR);
    bench_interrupts = 0;
    bench_env_close(&env);
    assert_int_equal(summary.n_ok, 1);
    assert_int_equal(summary.n_not_run, 1);
    assert_non_null(strstr(take("/log"), "nvpmodel -m 0\n"));
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
    assert_string_equal(take("/clocks"), "free\n");
}

static void a_board_that_stays_switched_is_a_failure(void **state)
{
    struct bench_cell cells[] = {cell_of(&rdp_serial, "MAXN")};
    struct bench_summary summary;
    struct bench_env env;

    (void)state;
    make_xavier("suite-not-back");
    snprintf(folder, sizeof folder, "%s/results", root);
    put("/fail.2", "");
    assert_int_equal(run(cells, 1, false, &summary, &env), BENCH_EENV);
    assert_string_equal(bench_failure(),
                        "the board could not be brought back: sudo nvpmodel -m 2");
    bench_env_close(&env);
    assert_int_equal(summary.n_ok, 1); /* the row is there all the same */
}

/* Somebody else's nvpmodel while the cell runs. */
static enum bench_status disturbed_run(void *opaque)
{
    put("/var/lib/nvpmodel/status", "pmode:0003 fmode:quiet\n");
    return rdp_serial.run(opaque);
}

static void a_mode_that_changed_is_unstable(void **state)
{
    struct bench_impl impl = rdp_serial;
    struct bench_cell cell = cell_of(&impl, "any");
    struct bench_summary summary;
    struct record_table rows;
    struct bench_env env;

    (void)state;
    make_xavier("suite-disturbed");
    snprintf(folder, sizeof folder, "%s/results", root);
    impl.name = "rdp/disturbed";
    impl.run = disturbed_run;
    impl.reference = "rdp/serial";
    assert_int_equal(run(&cell, 1, false, &summary, &env), BENCH_OK);
    bench_env_close(&env);
    read_rows(&summary, &rows);
    assert_field(&rows, 0, "status", "unstable");
    assert_field(&rows, 0, "reason", "somebody switched the board's power mode during the row");
    record_table_free(&rows);
}

static void energy_is_in_the_rows_that_ask_for_it(void **state)
{
    static const char *const names[] = {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"};
    struct bench_cell cells[] = {cell_of(&rdp_serial, "any"), cell_of(&rdp_cpu_simd, "any")};
    struct bench_summary summary;
    struct record_table rows;
    struct bench_env env;

    (void)state;
    make_xavier("suite-energy");
    snprintf(folder, sizeof folder, "%s/results", root);
    for (int i = 0; i < 6; i++) {
        char path[160];

        snprintf(path, sizeof path,
                 "/sys/bus/i2c/drivers/ina3221x/1-004%d/iio:device%d/rail_name_%d", i / 3,
                 i / 3, i % 3);
        put(path, names[i]);
        snprintf(path, sizeof path,
                 "/sys/bus/i2c/drivers/ina3221x/1-004%d/iio:device%d/in_power%d_input", i / 3,
                 i / 3, i % 3);
        put_number(path, 1000);
    }
    cells[0].plan.energy = true;
    cells[0].plan.series |= 1u << BENCH_COLD;
    assert_int_equal(run(cells, 2, false, &summary, &env), BENCH_OK);
    bench_env_close(&env);
    read_rows(&summary, &rows);
    assert_int_equal(rows.n_rows, 3);
    for (int i = 0; i < 3; i++) {
        const bool is_there = !strcmp(record_get(&rows, i, "impl"), "rdp/serial") &&
                              !strcmp(record_get(&rows, i, "series"), "frames");

        if (!is_there) {
            assert_field(&rows, i, "mj_frame", "");
            assert_field(&rows, i, "power_source", "");
            assert_field(&rows, i, "power_note", "");
            continue;
        }
        assert_field(&rows, i, "power_source", "ina3221");
        assert_field(&rows, i, "rails", "GPU+CPU+SOC+CV+VDDRQ+SYS5V");
        assert_field(&rows, i, "power_complete", "1");
        assert_field(&rows, i, "power_note", "");
        assert_true(fabs(number(&rows, i, "watt") - 6) < 1e-6);
        assert_true(fabs(number(&rows, i, "idle_watt") - 6) < 1e-6);
        assert_true(number(&rows, i, "mj_frame") > 0);
        assert_true(fabs(number(&rows, i, "mj_frame_net")) <
                    1e-6 * number(&rows, i, "mj_frame"));
        assert_true(number(&rows, i, "power_n") >= 20);
    }
    record_table_free(&rows);
}

/* Of a desktop whose counter stands still, and of one that has none. */
static void no_energy_has_a_reason(void **state)
{
    struct bench_cell cell = cell_of(&rdp_serial, "any");
    struct bench_summary summary;
    struct record_table rows;
    struct bench_env env;

    (void)state;
    cell.plan.energy = true;
    for (int i = 0; i < 2; i++) {
        new_machine(i ? "suite-none" : "suite-still");
        snprintf(folder, sizeof folder, "%s/results", root);
        if (i == 0) {
            put("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
            put("/sys/class/powercap/intel-rapl:0/energy_uj", "100\n");
        }
        assert_int_equal(run(&cell, 1, false, &summary, &env), BENCH_OK);
        bench_env_close(&env);
        read_rows(&summary, &rows);
        assert_field(&rows, 0, "status", "ok");
        assert_field(&rows, 0, "mode_name", "any");
        assert_field(&rows, 0, "mj_frame", "");
        assert_field(&rows, 0, "power_source", i ? "" : "rapl");
        assert_non_null(strstr(record_get(&rows, 0, "power_note"),
                               i ? "no INA3221 rails" : "0 updates of the counter"));
        record_table_free(&rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mode_is_switched_and_brought_back),
        cmocka_unit_test(nothing_is_brought_back_that_was_not_changed),
        cmocka_unit_test(clocks_are_locked_and_let_go),
        cmocka_unit_test(nvpmodel_is_believed_over_its_file),
        cmocka_unit_test(a_reboot_is_refused),
        cmocka_unit_test(without_rights_there_is_a_command),
        cmocka_unit_test(an_unknown_mode_names_the_known_ones),
        cmocka_unit_test(a_tx2_has_modes_of_its_own),
        cmocka_unit_test(a_desktop_has_no_modes),
        cmocka_unit_test(a_failing_tool_is_quoted),
        cmocka_unit_test(a_hanging_tool_is_ended),
        cmocka_unit_test(without_a_store_nothing_is_changed),
        cmocka_unit_test(clocks_that_cannot_be_locked_are_told),
        cmocka_unit_test(missing_tools_are_told),
        cmocka_unit_test(clocks_that_stay_locked_are_tried_again),
        cmocka_unit_test(what_cannot_be_brought_back_is_told),
        cmocka_unit_test(a_program_that_is_gone_leaves_nothing),
        cmocka_unit_test(without_its_guard_a_program_brings_back_itself),
        cmocka_unit_test(clocks_settle),
        cmocka_unit_test(what_moves_is_read),
        cmocka_unit_test(a_run_goes_through_the_modes),
        cmocka_unit_test(half_a_switch_is_undone_for_the_next_cell),
        cmocka_unit_test(kept_rows_need_no_switch),
        cmocka_unit_test(an_interrupted_run_brings_the_board_back),
        cmocka_unit_test(a_board_that_stays_switched_is_a_failure),
        cmocka_unit_test(a_mode_that_changed_is_unstable),
        cmocka_unit_test(energy_is_in_the_rows_that_ask_for_it),
        cmocka_unit_test(no_energy_has_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
