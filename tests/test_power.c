/* test_power.c - whose watts are counted, and how: rails of both JetPacks, NVML, RAPL, and the pass that repeats work */
#include "tests/fake_board.h"

#include "harness/platform/power.h"
#include "harness/measure/energy.h"

#include <math.h>

static char why[BOARD_WHY];

static void assert_near(double found, double expected, double by)
{
    if (!(fabs(found - expected) <= by))
        fail_msg("expected %g, found %g", expected, found);
}

/* ---- made-up rails ---- */

/* One channel as JetPack 5 has it, k from 1. */
static void put_hwmon(const char *folder, int k, const char *name, int mv, int ma)
{
    char path[256];

    snprintf(path, sizeof path, "%s/in%d_label", folder, k);
    put(path, name);
    snprintf(path, sizeof path, "%s/in%d_input", folder, k);
    put_number(path, mv);
    snprintf(path, sizeof path, "%s/curr%d_input", folder, k);
    put_number(path, ma);
}

static void make_xavier_4(const char *name)
{
    new_machine(name);
    put_iio("1-0040/iio:device0", 0, "GPU\n", 1000);
    put_iio("1-0040/iio:device0", 1, "CPU\n", 2000);
    put_iio("1-0040/iio:device0", 2, "SOC\n", 3000);
    put_iio("1-0041/iio:device1", 0, "CV\n", 400);
    put_iio("1-0041/iio:device1", 1, "VDDRQ\n", 500);
    put_iio("1-0041/iio:device1", 2, "SYS5V\n", 600);
}

static double watt_of(struct board_power *power)
{
    struct board_energy e = {0};

    assert_true(board_power_read(power, 10, &e, why));
    assert_true(board_power_read(power, 12, &e, why));
    assert_int_equal(e.n_readings, 2);
    assert_true(e.seconds == 2);
    return e.joules / e.seconds;
}

static void check_open(const char *uuid, const char *source, const char *rails, bool complete,
                       double watt)
{
    struct board_power *power = board_power_open(root, uuid, NULL, why);

    if (!power)
        fail_msg("%s", why);
    assert_string_equal(board_power_source(power), source);
    assert_string_equal(board_power_rails(power), rails);
    assert_int_equal(board_power_is_complete(power), complete);
    assert_near(watt_of(power), watt, 1e-9);
    board_power_close(power);
}

static void a_xavier_has_six_rails_and_no_total(void **state)
{
    (void)state;
    make_xavier_4("xavier-4");
    check_open(NULL, "ina3221", "GPU+CPU+SOC+CV+VDDRQ+SYS5V", true, 7.5);
    /* the rails are the whole board's: the card's work is on the same ones */
    check_open("GPU-0", "ina3221", "GPU+CPU+SOC+CV+VDDRQ+SYS5V", true, 7.5);
}

static void with_jetpack_5_too(void **state)
{
    static const char *const tops[] = {"/sys/class/hwmon", "/sys/bus/i2c/devices/1-0040/hwmon"};
    static const char *const others[] = {"/sys/class/hwmon",
                                         "/sys/bus/i2c/devices/1-0041/hwmon"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char name[32], a[128], b[128], path[192];

        snprintf(name, sizeof name, "xavier-5-%d", i);
        new_machine(name);
        snprintf(a, sizeof a, "%s/hwmon3", tops[i]);
        snprintf(b, sizeof b, "%s/hwmon4", others[i]);
        put("/sys/class/hwmon/hwmon0/name", "pwmfan\n");
        put("/sys/class/hwmon/hwmon0/in1_label", "GPU\n"); /* of another chip: no rail */
        snprintf(path, sizeof path, "%s/name", a);
        put(path, "ina3221\n");
        snprintf(path, sizeof path, "%s/name", b);
        put(path, "ina3221\n");
        put_hwmon(a, 1, "GPU\n", 19000, 100); /* 1.9 W */
        put_hwmon(a, 2, "CPU\n", 20000, 50);  /* 1 W */
        put_hwmon(a, 3, "SOC\n", 20000, 100); /* 2 W */
        snprintf(path, sizeof path, "%s/in4_label", a);
        put(path, "sum of shunt voltages\n");
        put_hwmon(b, 1, "CV\n", 20000, 0);
        put_hwmon(b, 2, "VDDRQ\n", 20000, 5);  /* 0.1 W */
        put_hwmon(b, 3, "SYS5V\n", 5000, 400); /* 2 W */
        check_open(NULL, "ina3221", "GPU+CPU+SOC+CV+VDDRQ+SYS5V", true, 7.0);
    }
}

/* What is not there is not guessed: five of six rails are a part. */
static void a_missing_rail_is_told(void **state)
{
    (void)state;
    new_machine("five");
    put_iio("1-0040/iio:device0", 0, "GPU\n", 1000);
    put_iio("1-0040/iio:device0", 1, "CPU\n", 2000);
    put_iio("1-0040/iio:device0", 2, "SOC\n", 3000);
    put_iio("1-0041/iio:device1", 0, "CV\n", 400);
    put_iio("1-0041/iio:device1", 2, "SYS5V\n", 600);
    check_open(NULL, "ina3221", "GPU+CPU+SOC+CV+SYS5V", false, 7.0);
}

/* On a TX2 one rail feeds the others: watts are counted once. */
static void a_tx2_has_a_total(void **state)
{
    (void)state;
    new_machine("tx2");
    put_iio("0-0040/iio:device0", 0, "VDD_SYS_GPU\n", 300);
    put_iio("0-0040/iio:device0", 1, "VDD_SYS_SOC\n", 500);
    put_iio("0-0040/iio:device0", 2, "VDD_4V0_WIFI\n", 20);
    put_iio("0-0041/iio:device1", 0, "VDD_IN\n", 4000);
    put_iio("0-0041/iio:device1", 1, "VDD_SYS_CPU\n", 700);
    put_iio("0-0041/iio:device1", 2, "VDD_SYS_DDR\n", 900);
    check_open(NULL, "ina3221", "VDD_IN", true, 4.0);
}

static void a_rail_that_cannot_be_read_has_a_sentence(void **state)
{
    char path[700];

    (void)state;
    make_xavier_4("broken");
    put(IIO "1-0041/iio:device1/in_power2_input", "much\n");
    assert_null(board_power_open(root, NULL, NULL, why));
    assert_string_equal(why, IIO
                        "1-0041/iio:device1/in_power2_input: expected a number, found 'much'");
    snprintf(path, sizeof path, "%s" IIO "1-0041/iio:device1/in_power2_input", root);
    assert_int_equal(remove(path), 0);
    assert_null(board_power_open(root, NULL, NULL, why));
    assert_string_equal(why, IIO "1-0041/iio:device1/in_power2_input cannot be read: No such "
                                 "file or directory");
    if (geteuid() == 0)
        return; /* root may read all there is */
    put(IIO "1-0041/iio:device1/in_power2_input", "600\n");
    assert_int_equal(chmod(path, 0), 0);
    assert_null(board_power_open(root, NULL, NULL, why));
    assert_non_null(strstr(why, "sudo chmod a+r " IIO "1-0041/iio:device1/in_power2_input"));
}

/* ---- a desktop: RAPL for the CPU, NVML for the card ---- */

#define ZONE "/sys/class/powercap/intel-rapl:0"

static void make_desktop(const char *name)
{
    new_machine(name);
    put(ZONE "/name", "package-0\n");
    put_number(ZONE "/energy_uj", 1000000);
    put_number(ZONE "/max_energy_range_uj", 262143328850.0);
    put("/sys/class/powercap/intel-rapl:0:0/name", "core\n"); /* inside of the package */
    put_number("/sys/class/powercap/intel-rapl:0:0/energy_uj", 5);
    put("/sys/class/powercap/intel-rapl:0:1/name", "dram\n");
    put_number("/sys/class/powercap/intel-rapl:0:1/energy_uj", 1000000);
    put_number("/sys/class/powercap/intel-rapl:0:1/max_energy_range_uj", 65712999613.0);
    put("/sys/class/powercap/intel-rapl:1/name", "psys\n"); /* around it */
    put_number("/sys/class/powercap/intel-rapl:1/energy_uj", 5);
    put("/sys/class/powercap/intel-rapl-mmio:0/name", "package-0\n"); /* the same once more */
    put_number("/sys/class/powercap/intel-rapl-mmio:0/energy_uj", 5);
    put("/sys/class/powercap/dtpm/name", "package-0\n");
}

static void packages_and_memory_are_counted(void **state)
{
    struct board_power *power;
    struct board_energy e = {0};

    (void)state;
    make_desktop("desktop");
    power = board_power_open(root, NULL, NULL, why);
    assert_non_null(power);
    assert_string_equal(board_power_source(power), "rapl");
    assert_string_equal(board_power_rails(power), "package-0+dram");
    assert_false(board_power_is_complete(power));
    assert_true(board_power_is_counter(power));
    put_number(ZONE "/energy_uj",
               2000000); /* between opening and the first reading: not counted */
    assert_true(board_power_read(power, 100, &e, why));
    assert_true(e.joules == 0 && e.n_updates == 0);
    put_number(ZONE "/energy_uj", 5000000);
    put_number("/sys/class/powercap/intel-rapl:0:1/energy_uj", 1500000);
    assert_true(board_power_read(power, 101, &e, why));
    assert_near(e.joules, 3.5, 1e-9);
    assert_true(board_power_read(power, 102, &e, why)); /* nothing new */
    assert_near(e.joules, 3.5, 1e-9);
    assert_int_equal(e.n_updates, 1);
    assert_int_equal(e.n_readings, 3);
    assert_true(e.seconds == 2);
    board_power_close(power);
}

static void a_counter_begins_anew(void **state)
{
    struct board_power *power;
    struct board_energy e = {0};

    (void)state;
    make_desktop("wraps");
    put_number(ZONE "/energy_uj", 262143328850.0 - 1000000);
    power = board_power_open(root, NULL, NULL, why);
    assert_non_null(power);
    assert_true(board_power_read(power, 0, &e, why));
    put_number(ZONE "/energy_uj", 500000);
    assert_true(board_power_read(power, 1, &e, why));
    assert_near(e.joules, 1.5, 1e-6);
    board_power_close(power);
}

static void nothing_measures_here(void **state)
{
    (void)state;
    new_machine("nothing");
    assert_null(board_power_open(root, NULL, NULL, why));
    assert_string_equal(why, "nothing measures the processor's power: no INA3221 rails, no "
                             "/sys/class/powercap/intel-rapl:0");
    assert_null(board_power_open(root, "GPU-0", NULL, why));
    assert_string_equal(why, "nothing measures the card's power: no INA3221 rails, and no NVML "
                             "below a sysroot");
}

/* ---- NVML ---- */

static unsigned long long nvml_mj;
static unsigned nvml_mw;
static int n_inits, nvml_broken;
static bool has_counter;

static int nvml_init(void)
{
    n_inits++;
    return nvml_broken == 1 ? 9 : 0;
}

static int nvml_shutdown(void)
{
    n_inits--;
    return 0;
}

static int nvml_by_uuid(const char *uuid, void **device)
{
    *device = &nvml_mj;
    return strcmp(uuid, "GPU-7") != 0 ? 6 : 0;
}

static int nvml_energy(void *device, unsigned long long *mj)
{
    assert_ptr_equal(device, &nvml_mj);
    *mj = nvml_mj;
    return has_counter ? 0 : 3;
}

static int nvml_power(void *device, unsigned *mw)
{
    assert_ptr_equal(device, &nvml_mj);
    *mw = nvml_mw;
    return nvml_broken == 2 ? 15 : 0;
}

static const char *nvml_error(int code)
{
    return code == 9 ? "Driver Not Loaded" : code == 6 ? "Not Found" : "GPU is lost";
}

static const struct board_nvml nvml = {nvml_init,   nvml_shutdown, nvml_by_uuid,
                                       nvml_energy, nvml_power,    nvml_error};

static void the_card_counts(void **state)
{
    struct board_power *power;
    struct board_energy e = {0};

    (void)state;
    make_desktop("card");
    n_inits = nvml_broken = 0;
    has_counter = true;
    nvml_mj = 5000000;
    power = board_power_open(root, "GPU-7", &nvml, why);
    assert_non_null(power);
    assert_string_equal(board_power_source(power), "nvml");
    assert_string_equal(board_power_rails(power), "card");
    assert_false(board_power_is_complete(power)); /* the host draws, too */
    assert_true(board_power_read(power, 1, &e, why));
    nvml_mj += 700000;
    assert_true(board_power_read(power, 2, &e, why));
    assert_near(e.joules, 700, 1e-9);
    board_power_close(power);
    assert_int_equal(n_inits, 0);
}

static void an_older_card_is_integrated(void **state)
{
    struct board_power *power;
    struct board_energy e = {0};

    (void)state;
    make_desktop("older");
    n_inits = nvml_broken = 0;
    has_counter = false;
    nvml_mw = 100000;
    power = board_power_open(root, "GPU-7", &nvml, why);
    assert_non_null(power);
    assert_false(board_power_is_counter(power));
    assert_true(board_power_read(power, 1, &e, why));
    nvml_mw = 200000;
    assert_true(board_power_read(power, 3, &e, why));
    assert_near(e.joules, 300, 1e-9); /* a trapezoid */
    nvml_broken = 2;
    assert_false(board_power_read(power, 4, &e, why));
    assert_string_equal(why, "NVML cannot read the card's power: GPU is lost");
    board_power_close(power);
    assert_int_equal(n_inits, 0);
}

static void what_nvml_refuses_has_a_sentence(void **state)
{
    struct board_nvml loaded;

    (void)state;
    make_desktop("refusing");
    n_inits = 0;
    nvml_broken = 1;
    assert_null(board_power_open(root, "GPU-7", &nvml, why));
    assert_string_equal(why, "NVML cannot begin: Driver Not Loaded");
    n_inits = nvml_broken = 0;
    assert_null(board_power_open(root, "GPU-8", &nvml, why));
    assert_string_equal(why, "NVML does not know the card: Not Found");
    assert_int_equal(n_inits, 0);
    assert_false(board_nvml_load("libnothing-of-that-name.so.1", &loaded, why, sizeof why));
    assert_string_equal(why, "NVML cannot be opened: there is no libnothing-of-that-name.so.1");
    assert_false(board_nvml_load("libm.so.6", &loaded, why, sizeof why));
    assert_string_equal(why, "NVML cannot be used: libm.so.6 has no nvmlInit_v2");
}

/* ---- the pass ---- */

/* Each look at the clock is 10 ms after the last: nobody waits. */
static double fake_now_s(void *self)
{
    static double now;

    (void)self;
    return now += 0.01;
}

static void fake_wait_s(void *self, double s)
{
    (void)self;
    (void)s;
}

/* The reader's thread and the work's look at one clock in turn; an atomic one that both may move. */
static int clock_ticks;

static double shared_now_s(void *self)
{
    (void)self;
    return 0.01 * __atomic_add_fetch(&clock_ticks, 1, __ATOMIC_SEQ_CST);
}

static const struct bench_time shared_time = {shared_now_s, fake_wait_s, NULL};
static const struct bench_time fake_time = {fake_now_s, fake_wait_s, NULL};

static enum bench_status two_runs(void *self, long long *n_runs)
{
    (void)self;
    *n_runs += 2;
    return BENCH_OK;
}

static enum bench_status failing(void *self, long long *n_runs)
{
    (void)self;
    (void)n_runs;
    return BENCH_FAIL(BENCH_ECUDA, "the card fell out");
}

/* With rails that stand still, energy is power times time whenever somebody looks. */
static void work_at_constant_power(void **state)
{
    const struct bench_energy_plan plan = {
        .idle_s = 0.5, .work_s = 3, .period_s = 0.05, .min_updates = 1};
    struct bench_energy e;
    struct board_power *power;

    (void)state;
    make_xavier_4("constant");
    power = board_power_open(root, NULL, NULL, why);
    assert_non_null(power);
    assert_int_equal(bench_energy_pass(power, &plan, &shared_time, two_runs, NULL, &e), 0);
    assert_true(e.is_measured);
    assert_string_equal(e.note, "");
    assert_true(e.n_runs >= 2 && e.n_runs % 2 == 0);
    assert_true(e.seconds >= 3);
    assert_near(e.joules / e.seconds, 7.5, 1e-6);
    assert_near(e.idle_watt, 7.5, 1e-6);
    assert_true(e.is_complete);
    assert_string_equal(e.source, "ina3221");
    assert_string_equal(e.rails, "GPU+CPU+SOC+CV+VDDRQ+SYS5V");
    assert_true(e.n_readings >= 2);
    board_power_close(power);
}

/* The board draws more while it works. */
static enum bench_status working_harder(void *self, long long *n_runs)
{
    (void)self;
    if (*n_runs == 0)
        nvml_mw = 110000;
    ++*n_runs;
    return BENCH_OK;
}

static void idle_is_told_apart(void **state)
{
    const struct bench_energy_plan plan = {
        .idle_s = 0.5, .work_s = 50, .period_s = 0.05, .min_updates = 1};
    struct bench_energy e;
    struct board_power *power;

    (void)state;
    make_desktop("idle");
    nvml_broken = 0;
    has_counter = false;
    nvml_mw = 40000;
    power = board_power_open(root, "GPU-7", &nvml, why);
    assert_non_null(power);
    assert_int_equal(bench_energy_pass(power, &plan, &shared_time, working_harder, NULL, &e),
                     0);
    assert_true(e.is_measured);
    assert_near(e.idle_watt, 40, 1e-6);
    assert_true(e.joules / e.seconds > 40 && e.joules / e.seconds <= 110);
    board_power_close(power);
}

/* A counter that stands still says nothing, however long somebody looks; nor do three readings. */
static void too_little_is_nothing(void **state)
{
    const struct bench_energy_plan plan = {
        .idle_s = 0.1, .work_s = 1, .period_s = 0.05, .min_updates = 20};
    struct bench_energy e;
    struct board_power *power;

    (void)state;
    make_desktop("still");
    power = board_power_open(root, NULL, NULL, why);
    assert_non_null(power);
    assert_int_equal(bench_energy_pass(power, &plan, &shared_time, two_runs, NULL, &e), 0);
    assert_false(e.is_measured);
    assert_non_null(strstr(e.note, "0 updates of the counter in "));
    assert_non_null(
        strstr(e.note, "are too few to say what was drawn: at least 20 are needed"));
    board_power_close(power);
}

/* A rail that goes away in the middle costs the energy, not the row. */
static enum bench_status losing_a_rail(void *self, long long *n_runs)
{
    char path[700];

    (void)self;
    snprintf(path, sizeof path, "%s" IIO "1-0041/iio:device1/in_power0_input", root);
    remove(path);
    ++*n_runs;
    return BENCH_OK;
}

static void a_lost_rail_is_told(void **state)
{
    const struct bench_energy_plan plan = {
        .idle_s = 0.1, .work_s = 1, .period_s = 0.05, .min_updates = 1};
    struct bench_energy e;
    struct board_power *power;

    (void)state;
    make_xavier_4("lost");
    power = board_power_open(root, NULL, NULL, why);
    assert_non_null(power);
    assert_int_equal(bench_energy_pass(power, &plan, &shared_time, losing_a_rail, NULL, &e), 0);
    assert_false(e.is_measured);
    assert_string_equal(e.note,
                        IIO "1-0041/iio:device1/in_power0_input cannot be read: No such "
                            "file or directory");
    /* and when it is gone before the work begins, no work is done */
    assert_int_equal(bench_energy_pass(power, &plan, &fake_time, failing, NULL, &e), 0);
    assert_false(e.is_measured);
    board_power_close(power);
}

static void failed_work_fails(void **state)
{
    const struct bench_energy_plan plan = {
        .idle_s = 0.1, .work_s = 1, .period_s = 0.05, .min_updates = 1};
    struct bench_energy e;
    struct board_power *power;

    (void)state;
    make_xavier_4("failing");
    power = board_power_open(root, NULL, NULL, why);
    assert_non_null(power);
    assert_int_equal(bench_energy_pass(power, &plan, &shared_time, failing, NULL, &e),
                     BENCH_ECUDA);
    assert_string_equal(bench_failure(), "the card fell out");
    board_power_close(power);
}

static void a_pass_is_long_enough(void **state)
{
    const struct bench_energy_plan one = bench_energy_plan_of(3),
                                   other = bench_energy_plan_of(1);

    (void)state;
    assert_true(one.work_s == 3 && one.idle_s == 5 && one.period_s == 0.05);
    /* room for twice the readings that are needed */
    assert_true(other.work_s / other.period_s >= 2 * other.min_updates - 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_xavier_has_six_rails_and_no_total),
        cmocka_unit_test(with_jetpack_5_too),
        cmocka_unit_test(a_missing_rail_is_told),
        cmocka_unit_test(a_tx2_has_a_total),
        cmocka_unit_test(a_rail_that_cannot_be_read_has_a_sentence),
        cmocka_unit_test(packages_and_memory_are_counted),
        cmocka_unit_test(a_counter_begins_anew),
        cmocka_unit_test(nothing_measures_here),
        cmocka_unit_test(the_card_counts),
        cmocka_unit_test(an_older_card_is_integrated),
        cmocka_unit_test(what_nvml_refuses_has_a_sentence),
        cmocka_unit_test(work_at_constant_power),
        cmocka_unit_test(idle_is_told_apart),
        cmocka_unit_test(too_little_is_nothing),
        cmocka_unit_test(a_lost_rail_is_told),
        cmocka_unit_test(failed_work_fails),
        cmocka_unit_test(a_pass_is_long_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
