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

/* A Jetson with JetPack 4: two chips with three channels each. */
struct jetson {
    const char *name, *chip[2], *rail[6];
    int mw[6];
    const char *counted;
    bool is_complete;
    double watt;
};

static const struct jetson jetsons[] = {
    /* six rails and no total */
    {"xavier-4",
     {"1-0040/iio:device0", "1-0041/iio:device1"},
     {"GPU\n", "CPU\n", "SOC\n", "CV\n", "VDDRQ\n", "SYS5V\n"},
     {1000, 2000, 3000, 400, 500, 600},
     "GPU+CPU+SOC+CV+VDDRQ+SYS5V",
     true,
     7.5},
    /* what is not there is not guessed: five of six rails are a part */
    {"five",
     {"1-0040/iio:device0", "1-0041/iio:device1"},
     {"GPU\n", "CPU\n", "SOC\n", "CV\n", NULL, "SYS5V\n"},
     {1000, 2000, 3000, 400, 0, 600},
     "GPU+CPU+SOC+CV+SYS5V",
     false,
     7.0},
    /* on a TX2 one rail feeds the others: watts are counted once */
    {"tx2",
     {"0-0040/iio:device0", "0-0041/iio:device1"},
     {"VDD_SYS_GPU\n", "VDD_SYS_SOC\n", "VDD_4V0_WIFI\n", "VDD_IN\n", "VDD_SYS_CPU\n",
      "VDD_SYS_DDR\n"},
     {300, 500, 20, 4000, 700, 900},
     "VDD_IN",
     true,
     4.0},
};

static void make_jetson(const struct jetson *jetson, const char *name)
{
    new_machine(name);
    for (int i = 0; i < 6; i++)
        if (jetson->rail[i])
            put_iio(jetson->chip[i / 3], i % 3, jetson->rail[i], jetson->mw[i]);
}

/* One channel as JetPack 5 has it, k from 1. */
static void put_hwmon(const char *folder, int k, const char *name, int mv, int ma)
{
    char path[256];

    snprintf(path, sizeof path, "%s/name", folder);
    put(path, "ina3221\n");
    snprintf(path, sizeof path, "%s/in%d_label", folder, k);
    put(path, name);
    snprintf(path, sizeof path, "%s/in%d_input", folder, k);
    put_number(path, mv);
    snprintf(path, sizeof path, "%s/curr%d_input", folder, k);
    put_number(path, ma);
}

static struct board_power *open_power(const char *uuid, const struct board_nvml *library)
{
    struct board_power *power = board_power_open(root, uuid, library, why);

    if (!power)
        fail_msg("%s", why);
    return power;
}

static void check_open(const char *uuid, const char *rails, bool complete, double watt)
{
    struct board_power *power = open_power(uuid, NULL);
    struct board_energy e = {0};

    assert_string_equal(board_power_source(power), "ina3221");
    assert_string_equal(board_power_rails(power), rails);
    assert_int_equal(board_power_is_complete(power), complete);
    assert_true(board_power_read(power, 10, &e, why));
    assert_true(board_power_read(power, 12, &e, why));
    assert_int_equal(e.n_readings, 2);
    assert_true(e.seconds == 2);
    assert_near(e.joules / e.seconds, watt, 1e-9);
    board_power_close(power);
}

static void rails_of_a_jetson_are_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof jetsons / sizeof *jetsons; i++) {
        make_jetson(&jetsons[i], jetsons[i].name);
        check_open(NULL, jetsons[i].counted, jetsons[i].is_complete, jetsons[i].watt);
        /* the rails are the whole board's: the card's work is on the same ones */
        check_open("GPU-0", jetsons[i].counted, jetsons[i].is_complete, jetsons[i].watt);
    }
}

static void with_jetpack_5_too(void **state)
{
    static const char *const folders[][2] = {
        {"/sys/class/hwmon/hwmon3", "/sys/class/hwmon/hwmon4"},
        {"/sys/bus/i2c/devices/1-0040/hwmon/hwmon3",
         "/sys/bus/i2c/devices/1-0041/hwmon/hwmon4"}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *const a = folders[i][0], *const b = folders[i][1];
        char path[192];

        new_machine(i ? "xavier-5-i2c" : "xavier-5");
        put("/sys/class/hwmon/hwmon0/name", "pwmfan\n");
        put("/sys/class/hwmon/hwmon0/in1_label", "GPU\n"); /* of another chip: no rail */
        put_hwmon(a, 1, "GPU\n", 19000, 100);              /* 1.9 W */
        put_hwmon(a, 2, "CPU\n", 20000, 50);               /* 1 W */
        put_hwmon(a, 3, "SOC\n", 20000, 100);              /* 2 W */
        snprintf(path, sizeof path, "%s/in4_label", a);
        put(path, "sum of shunt voltages\n");
        put_hwmon(b, 1, "CV\n", 20000, 0);
        put_hwmon(b, 2, "VDDRQ\n", 20000, 5);  /* 0.1 W */
        put_hwmon(b, 3, "SYS5V\n", 5000, 400); /* 2 W */
        check_open(NULL, "GPU+CPU+SOC+CV+VDDRQ+SYS5V", true, 7.0);
    }
}

static void a_rail_that_cannot_be_read_has_a_sentence(void **state)
{
    char path[700];

    (void)state;
    make_jetson(&jetsons[0], "broken");
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
    power = open_power(NULL, NULL);
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
    power = open_power(NULL, NULL);
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
    power = open_power("GPU-7", &nvml);
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
    power = open_power("GPU-7", &nvml);
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

/* The reader's thread and the work's look at one clock in turn, which goes on by 10 ms at each look: nobody waits. */
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

/* A pass of 'work' of so many seconds; closes 'power'. */
static struct bench_energy pass(struct board_power *power, double work_s, int min_updates,
                                enum bench_status (*work)(void *, long long *),
                                enum bench_status expected)
{
    static const struct bench_time ticking = {ticking_now_s, no_wait_s, NULL};
    const struct bench_energy_plan plan = {
        .idle_s = 0.5, .work_s = work_s, .period_s = 0.05, .min_updates = min_updates};
    struct bench_energy e;

    assert_int_equal(bench_energy_pass(power, &plan, &ticking, work, NULL, &e), expected);
    board_power_close(power);
    return e;
}

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
    struct bench_energy e;

    (void)state;
    make_jetson(&jetsons[0], "constant");
    e = pass(open_power(NULL, NULL), 3, 1, two_runs, BENCH_OK);
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
    struct bench_energy e;

    (void)state;
    make_desktop("idle");
    nvml_broken = 0;
    has_counter = false;
    nvml_mw = 40000;
    e = pass(open_power("GPU-7", &nvml), 50, 1, working_harder, BENCH_OK);
    assert_true(e.is_measured);
    assert_near(e.idle_watt, 40, 1e-6);
    assert_true(e.joules / e.seconds > 40 && e.joules / e.seconds <= 110);
}

/* A counter that stands still says nothing, however long somebody looks; nor do three readings. */
static void too_little_is_nothing(void **state)
{
    struct bench_energy e;

    (void)state;
    make_desktop("still");
    e = pass(open_power(NULL, NULL), 1, 20, two_runs, BENCH_OK);
    assert_false(e.is_measured);
    assert_non_null(strstr(e.note, "0 updates of the counter in "));
    assert_non_null(
        strstr(e.note, "are too few to say what was drawn: at least 20 are needed"));
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
    struct board_power *power;
    struct bench_energy e;
    long long n_runs = 0;

    (void)state;
    make_jetson(&jetsons[0], "lost");
    e = pass(open_power(NULL, NULL), 1, 1, losing_a_rail, BENCH_OK);
    assert_false(e.is_measured);
    assert_string_equal(e.note,
                        IIO "1-0041/iio:device1/in_power0_input cannot be read: No such "
                            "file or directory");
    /* and when it is gone before the work begins, no work is done */
    make_jetson(&jetsons[0], "lost");
    power = open_power(NULL, NULL);
    losing_a_rail(NULL, &n_runs);
    e = pass(power, 1, 1, failing, BENCH_OK);
    assert_false(e.is_measured);
}

static void failed_work_fails(void **state)
{
    (void)state;
    make_jetson(&jetsons[0], "failing");
    pass(open_power(NULL, NULL), 1, 1, failing, BENCH_ECUDA);
    assert_string_equal(bench_failure(), "the card fell out");
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
        cmocka_unit_test(rails_of_a_jetson_are_counted),
        cmocka_unit_test(with_jetpack_5_too),
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
