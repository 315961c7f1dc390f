/*
 * test_modes.c - power modes: switched, refused, and brought back on every way out; with
 *                made-up boards and tools
 *
 * Nobody waits: time is the test's own, and a tool that hangs is given 0.05 s.
 */
#include "tests/fake_platform.h"
#include "tests/session.h"
#include "tests/suite_run.h"

#include "harness/platform/platform.h"
#include "harness/platform/control.h"
#include "harness/platform/process.h"
#include "harness/suite/modes.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

extern const struct bench_impl rdp_serial, rdp_cpu_simd;

static char why[BOARD_WHY];
/* ---- boards ---- */

/* In short an AGX Xavier's: MODE_10W turns two pairs of multiprocessors off. */
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

/* Knows the configuration's modes; reboot.N asks like an Orin Nano, fail.N fails. */
static const char fake_nvpmodel[] =
    "echo \"$*\" >>\"$root/log\"\n"
    "status=$root/var/lib/nvpmodel/status\n"
    "name() { sed -n \"s/^< POWER_MODEL ID=$1 NAME=\\([^ >]*\\) >.*/\\1/p\" "
    "\"$root/etc/nvpmodel.conf\"; }\n"
    "case $1 in\n"
    "-q) id=$(sed -n 's/^pmode:0*\\([0-9][0-9]*\\).*/\\1/p' \"$status\")\n"
    "    echo NV Fan Mode:quiet; echo \"NV Power Mode: $(name $id)\"; echo $id ;;\n"
    "-m) if [ -e \"$root/fail.$2\" ]; then echo checking; echo 'NVPM ERROR: failed to set "
    "power mode!'; exit 255; fi\n"
    "    if [ -e \"$root/reboot.$2\" ]; then\n"
    "        echo \"NVPM WARN: Reboot required for changing to this power mode: $2\"\n"
    "        echo 'NVPM WARN: DO YOU WANT TO REBOOT NOW? enter YES/yes to confirm:'\n"
    "        read answer; echo \"answer $answer\" >>\"$root/log\"\n"
    "        echo 'NVPM ERROR: optMask is 1, no request for power mode'; exit 0\n"
    "    fi\n"
    "    printf 'pmode:%04d fmode:quiet\\n' \"$2\" >\"$status\" ;;\n"
    "esac\n";

/* Clocks are the text in /clocks; 'back' is a pipe where the test waits for them. */
static const char fake_clocks[] =
    "echo \"${1:-lock}\" >>\"$root/log\"\n"
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

static int make_xavier(void **state)
{
    static const struct bench_time ticking = {ticking_now_s, no_wait_s, NULL};
    static const char model[] = "Jetson-AGX";

    options.time = &ticking;
    new_machine();
    sysroot = root;
    snprintf(folder, sizeof folder, "%s/results", root);
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
    return 0;
}

#undef TEST
#define TEST(name) TEST_WITH(name, make_xavier, free_rows)

static void take_away(const char *path)
{
    char full[700];

    snprintf(full, sizeof full, "%s%s", root, path);
    assert_int_equal(remove(full), 0);
}

static void put_empty(const char *path)
{
    put(path, "");
}

static struct platform_control *open_board(bool may_switch, double timeout_s)
{
    struct platform_control *c = platform_control_open(root, may_switch, timeout_s);

    assert_non_null(c);
    return c;
}

static void close_board(struct platform_control *c)
{
    if (!platform_control_close(c, why))
        fail_msg("%s", why);
}

/* The Xavier is as make_xavier() made it. */
static void assert_back(void)
{
    assert_string_equal(take("/var/lib/nvpmodel/status"), "pmode:0002 fmode:quiet\n");
    assert_string_equal(take("/clocks"), "free\n");
}

/* ---- switching ---- */

/* modes.cases says how. */
static void check_script(const char *script, const char *expected)
{
    static const char *const outcomes[] = {"as it was", "changed", why};
    bool may_switch = true;
    struct platform_control *c = NULL;
    struct text found = {0};
    char *const copy = strdup(script), *rest = copy;

    make_xavier(NULL);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        char *const lock = strchr(word, '!');

        if (*word == '+' || *word == '-') {
            (*word == '+' ? put_empty : take_away)(word + 1);
        } else if (!strcmp(word, "user")) {
            may_switch = false;
        } else if (!strcmp(word, "move")) {
            put("/clocks", "moved by the mode\n");
        } else {
            if (lock)
                *lock = '\0';
            c = c ? c : open_board(may_switch, 20);
            text_add(&found, outcomes[platform_control_set(c, word, lock != NULL, why)]);
            text_format(&found, ": %s ", c->now->name);
            text_add(&found, take("/clocks"));
        }
    }
    assert_string_equal(c->first->name, "MODE_15W");
    text_add(&found, platform_control_close(c, why) ? "closed" : why);
    text_format(&found, ": %.10s ", take("/var/lib/nvpmodel/status"));
    text_add(&found, take("/clocks"));
    text_add(&found, take("/log"));
    for (char *end; (end = strchr(found.data, '\n')) != NULL;)
        *end = ';';
    if (fnmatch(expected, found.data, 0) != 0)
        assert_string_equal(found.data, expected);
    text_free(&found);
    free(copy);
}

TEST(modes_are_switched_and_brought_back)
{
    each_case("tests/modes.cases", NULL, check_script);
}

/* Answers as jetson_stats' issues have them: with a fan mode, without, none yet, not root. */
TEST(nvpmodel_is_believed_over_its_file)
{
    static const char *const forms[] = {
        "echo NV Fan Mode:quiet; echo NV Power Mode: MAXN; echo 0\n",
        "echo NV Power Mode: MAXN; echo 0\n",
        "echo 'NVPM WARN: fan mode is not set!'; echo NV Power Mode: MAXN; echo 0\n",
        "echo NV Fan Mode:quiet; echo NV Power Mode: MAXN; echo 0\n"
        "echo NVPM ERROR: Error opening /sys/kernel/nvpmodel_emc_cap/emc_iso_cap: 13 >&2\n"
        "echo NVPM ERROR: failed to read PARAM EMC: ARG MAX_FREQ >&2\n",
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct platform_control *c;

        put_program("/usr/sbin/nvpmodel", forms[i]);
        c = open_board(true, 20);
        assert_string_equal(c->now->name, "MAXN");
        close_board(c);
    }
}

/* True if the tool that wrote its number is gone; on a loaded machine it ends before that. */
static bool hangs_no_more(void)
{
    const pid_t pid = (pid_t)atoi(take("/hanging"));

    return pid == 0 || kill(pid, 0) == -1;
}

TEST(a_hanging_tool_is_ended)
{
    struct platform_control *c;

    put_program("/usr/sbin/nvpmodel", "echo $$ >\"$root/hanging\"; exec sleep 1000\n");
    c = open_board(true, 0.05); /* it hangs when asked for the mode, too: the file says it */
    assert_string_equal(c->now->name, "MODE_15W");
    assert_true(hangs_no_more());
    put_program("/usr/bin/jetson_clocks", "cp \"$root/clocks\" \"$2\"\n");
    assert_int_equal(platform_control_set(c, "MAXN", false, why), BOARD_REFUSED);
    /* a loaded machine may take more than 0.05 s for cp: then nothing was tried */
    assert_true(!strcmp(why, "nvpmodel -m 0 did not end within 0.05 s and was stopped") ||
                !strcmp(why,
                        "nothing is changed, for the clocks cannot be stored: jetson_clocks "
                        "--store did not end in time"));
    assert_true(hangs_no_more());
    platform_control_close(c, why); /* a tool that hangs now is told, and ends */
}

/* ---- every way out ---- */

/* The guard brings the board back for a program that switched and ended, by a signal or not. */
TEST(a_program_that_is_gone_leaves_nothing)
{
    static const int ends[] = {0, SIGSEGV, SIGKILL, SIGHUP};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char path[700], byte;
        pid_t child;
        int back;

        make_xavier(NULL);
        snprintf(path, sizeof path, "%s/back", root);
        assert_int_equal(mkfifo(path, 0600), 0);
        child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct platform_control *c = platform_control_open(root, true, 20);

            if (!c || platform_control_set(c, "MAXN", true, why) != BOARD_CHANGED)
                _exit(1);
            put("/switched", take("/var/lib/nvpmodel/status"));
            signal(ends[i], SIG_DFL); /* not the test framework's */
            if (ends[i])
                raise(ends[i]);
            _exit(0);
        }
        alarm(60); /* should nobody ever write */
        back = open(path, O_RDONLY);
        assert_true(back >= 0);
        assert_int_equal(read(back, &byte, 1), 1);
        alarm(0);
        close(back);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_string_equal(take("/switched"), "pmode:0000 fmode:quiet\n");
        assert_back();
    }
}

/* A child of this process that runs; 0: none. */
static pid_t find_child(void)
{
    for (pid_t pid = 1; pid < 1 << 22; pid++)
        if (waitpid(pid, NULL, WNOHANG) == 0)
            return pid;
    return 0;
}

TEST(without_its_guard_a_program_brings_back_itself)
{
    struct platform_control *c;
    pid_t guard;

    c = open_board(true, 20);
    assert_int_equal(platform_control_set(c, "MAXN", true, why), BOARD_CHANGED);
    guard = find_child();
    assert_true(guard > 0);
    assert_int_equal(kill(guard, SIGKILL), 0);
    assert_int_equal(waitpid(guard, NULL, 0), guard);
    signal(SIGPIPE, SIG_DFL);
    close_board(c);
    assert_back();
}

/* ---- settling ---- */

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

TEST(clocks_settle)
{
    struct moving soon = {.n_steps = 30}, never = {.n_steps = 100000}, at_once = {0};

    assert_true(platform_settle(root, moving_now_s, moving_wait_s, &at_once, 15));
    assert_true(fabs(at_once.now - 2) < 0.15);
    assert_true(platform_settle(root, moving_now_s, moving_wait_s, &soon, 15));
    assert_true(fabs(soon.now - 5) < 0.15); /* 3 s of steps, and 2 s of rest */
    assert_false(platform_settle(root, moving_now_s, moving_wait_s, &never, 15));
    assert_true(fabs(never.now - 15) < 0.15);
}

/* ---- whole runs ---- */

static struct bench_config config_in(const struct bench_impl *impl, const char *mode)
{
    struct bench_config config = config_of(impl);

    snprintf(config.plan.mode, sizeof config.plan.mode, "%s", mode);
    return config;
}

static double number(int row, const char *column)
{
    double value = -1;

    if (!text_to_number(record_get(&rows, row, column), &value))
        fail_msg("row %d: no %s, but '%s'", row, column, record_get(&rows, row, "power_note"));
    return value;
}

TEST(a_run_goes_through_the_modes)
{
    struct bench_config configs[] = {
        config_in(&rdp_serial, "MAXN"),       config_in(&rdp_serial, "MODE_10W"),
        config_in(&rdp_serial, "MODE_15W"),   config_in(&rdp_cpu_simd, "MAXN"),
        config_in(&rdp_cpu_simd, "MODE_10W"), config_in(&rdp_cpu_simd, "MODE_15W"),
    };
    char *said;
    size_t n_said;
    static const char *const expected[] = {
        "mode_name=MAXN|mode_id=0|status=ok|gpu_mhz_before=905.25|gpu_mhz_after=905.25",
        "mode_name=MODE_10W|mode_id=|status=skipped|gpu_mhz_before=|gpu_mhz_after=",
        "mode_name=MODE_15W|mode_id=2|status=ok|gpu_mhz_before=905.25|gpu_mhz_after=905.25",
    };

    notes = open_memstream(&said, &n_said);
    run_to_rows(configs, 6, false, 6);
    assert_string_equal(mode_after, "jetson-agx-8c, MODE_15W"); /* back where it was */
    assert_int_equal(summary.n_ok, 4);
    assert_int_equal(summary.n_skipped, 2);
    assert_back();
    for (int i = 0; i < 6; i++) { /* a mode at a time */
        check_row(i, expected[i / 2]);
        check_row(i, i % 2 ? "impl=rdp/cpu-simd" : "impl=rdp/serial");
        check_row(i, "sm_count=8|clocks_locked=0|emc_mhz=1331.2");
    }
    assert_non_null(strstr(record_get(&rows, 2, "reason"), "MODE_10W needs a reboot"));
    /* said aloud, and once for both variants */
    fclose(notes);
    notes = NULL;
    assert_non_null(strstr(said, "note: the board is in power mode MAXN now\n"));
    assert_non_null(
        strstr(said, "note: mode = MODE_10W is skipped: power mode MODE_10W needs a reboot"));
    assert_null(strstr(strstr(said, "is skipped") + 1, "is skipped"));
    assert_non_null(strstr(said, "note: the board is back in power mode MODE_15W\n"));
    free(said);
    assert_null(strstr(take("/log"), "-m 1"));
}

/* MAXN is on when its clocks cannot be locked; the next configuration does not run in it. */
TEST(half_a_switch_is_undone_for_the_next_config)
{
    struct bench_config configs[] = {config_in(&rdp_serial, "MAXN"),
                                     config_in(&rdp_serial, "any")};

    put("/no-lock", "");
    configs[0].plan.lock_clocks = true;
    run_to_rows(configs, 2, false, 2);
    check_row(0, "status=skipped");
    check_row(1, "status=ok|mode_name=MODE_15W");
    assert_back();
}

TEST(kept_rows_need_no_switch)
{
    struct bench_config configs[] = {config_in(&rdp_serial, "MAXN"),
                                     config_in(&rdp_serial, "any")};

    assert_int_equal(run(configs, 2, true), BENCH_OK);
    assert_int_equal(summary.n_ok, 2);
    put("/log", "");
    assert_int_equal(run(configs, 2, true), BENCH_OK);
    assert_int_equal(summary.n_kept, 2);
    assert_string_equal(take("/log"), "-q\n");
}

static enum disturbance { INTERRUPT, SWITCH, STOP } disturbs;

/* Ctrl-C, somebody else's nvpmodel, or a quota while the configuration runs. */
static enum bench_status disturbed_run(void *opaque)
{
    process_interrupts = disturbs == INTERRUPT;
    if (disturbs == SWITCH)
        put("/var/lib/nvpmodel/status", "pmode:0003 fmode:quiet\n");
    if (disturbs == STOP)
        put("/sys/fs/cgroup/job/cpu.stat", "nr_periods 40\nnr_throttled 8\n");
    return rdp_serial.run(opaque);
}

static struct bench_impl disturbed(enum disturbance by)
{
    struct bench_impl impl = rdp_serial;

    disturbs = by;
    impl.name = "rdp/disturbed";
    impl.run = disturbed_run;
    impl.reference = "rdp/serial";
    return impl;
}

TEST(an_interrupted_run_brings_the_board_back)
{
    const struct bench_impl impl = disturbed(INTERRUPT);
    struct bench_config configs[] = {config_in(&impl, "MAXN"),
                                     config_in(&rdp_cpu_simd, "MAXN")};

    assert_int_equal(run(configs, 2, false), BENCH_EINTR);
    process_interrupts = 0;
    assert_int_equal(summary.n_ok, 1);
    assert_int_equal(summary.n_not_run, 1);
    assert_non_null(strstr(take("/log"), "-m 0\n"));
    assert_back();
}

TEST(a_mode_that_changed_is_unstable)
{
    const struct bench_impl impl = disturbed(SWITCH);
    struct bench_config config = config_of(&impl);

    run_to_rows(&config, 1, false, 1);
    check_row(0,
              "status=unstable|reason=somebody switched the board's power mode during the row");
}

TEST(what_a_quota_stopped_is_throttled)
{
    const struct bench_impl impl = disturbed(STOP);
    struct bench_config configs[] = {config_of(&impl), config_of(&rdp_serial)};

    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/cpu.max", "50000 100000\n");
    put("/sys/fs/cgroup/cpu.stat", "nr_periods 90\nnr_throttled 9\n");
    put("/sys/fs/cgroup/job/cpu.stat", "nr_periods 30\nnr_throttled 7\n");
    run_to_rows(configs, 2, false, 2);
    check_row(0, "impl=rdp/serial|status=ok|cpu_quota=0.5|reason=");
    check_row(
        1, "status=throttled|cpu_quota=0.5|cpus=1|reason=the cgroup's CPU quota stopped this "
           "process during the row");
}

TEST(a_board_that_stays_switched_is_a_failure)
{
    struct bench_config config = config_in(&rdp_serial, "MAXN");

    put("/fail.2", "");
    assert_int_equal(run(&config, 1, false), BENCH_EENV);
    assert_string_equal(bench_failure(),
                        "the board could not be brought back: sudo nvpmodel -m 2");
    assert_int_equal(summary.n_ok, 1); /* the row is there all the same */
}

TEST(energy_is_in_the_rows_that_ask_for_it)
{
    struct bench_config configs[] = {config_of(&rdp_serial), config_of(&rdp_cpu_simd)};
    int n_with = 0;

    put_rails(1000);
    configs[0].plan.energy = true;
    configs[0].plan.series |= 1u << BENCH_COLD;
    run_to_rows(configs, 2, false, 3);
    for (int i = 0; i < 3; i++) {
        if (strcmp(record_get(&rows, i, "impl"), "rdp/serial") != 0 ||
            strcmp(record_get(&rows, i, "series"), "frames") != 0) {
            check_row(i, "mj_frame=|power_source=|power_note=");
            continue;
        }
        n_with++;
        check_row(i, "power_source=ina3221|rails=GPU+CPU+SOC+CV+VDDRQ+SYS5V|power_scope=module|"
                     "power_complete=|"
                     "power_note=|watt=6|idle_watt=6");
        assert_true(number(i, "mj_frame") > 0 && number(i, "power_n") >= 20);
        assert_true(fabs(number(i, "mj_frame_net")) < 1e-6 * number(i, "mj_frame"));
    }
    assert_int_equal(n_with, 1);
}

/* A desktop has a counter that stands still, or none. */
TEST(no_energy_has_a_reason)
{
    struct bench_config config = config_of(&rdp_serial);

    config.plan.energy = true;
    for (int i = 0; i < 2; i++) {
        new_machine();
        if (i == 0) {
            put("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
            put_number("/sys/class/powercap/intel-rapl:0/energy_uj", 100);
        }
        run_to_rows(&config, 1, false, 1);
        check_row(0, "status=ok|mode_name=any|mj_frame=");
        check_row(0, i ? "power_source=" : "power_source=rapl");
        assert_int_equal(fnmatch(i ? "*no INA3221 rails*"
                                   : "0 updates of the counter in * s are too few to say what "
                                     "was drawn: at least 20 are needed",
                                 record_get(&rows, 0, "power_note"), 0),
                         0);
    }
}
