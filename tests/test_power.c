/* test_power.c - how watts are counted: rails, NVML, RAPL, and the pass that repeats work;
 * tests/cases/platform/rails.case says whose */
#include "tests/fake_platform.h"

#include "harness/platform/power.h"
#include "harness/measure/energy.h"

#include <math.h>

static char why[BOARD_WHY];

static void assert_near(double found, double expected, double by)
{
    if (!(fabs(found - expected) <= by))
        fail_msg("expected %g, found %g", expected, found);
}

static struct platform_power *power;

static void open_power(const char *uuid, const struct platform_nvml *library,
                       const char *expected)
{
    const struct platform_power_facts *facts;
    char found[400];

    power = platform_power_open(root, uuid, library, why);
    if (!power)
        fail_msg("%s", why);
    facts = platform_power_describe(power);
    snprintf(found, sizeof found, "%s of %s, %s, %s", facts->source, facts->rails, facts->scope,
             facts->is_counter ? "counted" : "integrated");
    assert_string_equal(found, expected);
}

/* Reads, and checks the sums since 'e' was empty. */
static void read_at(double now_s, struct platform_energy *e, double joules, int n_updates)
{
    assert_true(platform_power_read(power, now_s, e, why));
    assert_near(e->joules, joules, 1e-6);
    assert_int_equal(e->n_updates, n_updates);
}

/* ---- rails ---- */

static void make_xavier(void)
{
    new_machine();
    put_rails(1250);
}

TEST(a_rail_that_may_not_be_read_has_a_command)
{
    char path[700];

    if (geteuid() == 0)
        skip(); /* root may read all there is */
    make_xavier();
    snprintf(path, sizeof path, "%s" IIO "1-0041/iio:device1/in_power2_input", root);
    assert_int_equal(chmod(path, 0), 0);
    assert_null(platform_power_open(root, NULL, NULL, why));
    assert_non_null(strstr(why, "sudo chmod a+r " IIO "1-0041/iio:device1/in_power2_input"));
}

/* ---- a desktop: RAPL for the CPU, NVML for the card ---- */

#define ZONES   "/sys/class/powercap/intel-rapl"
#define PACKAGE ZONES ":0/energy_uj"

static void make_desktop(void)
{
    new_machine();
    put(ZONES ":0/name", "package-0\n");
    put_number(PACKAGE, 1000000);
    put_number(ZONES ":0/max_energy_range_uj", 262143328850);
    put(ZONES ":0:1/name", "dram\n");
    put_number(ZONES ":0:1/energy_uj", 1000000);
}

TEST(packages_and_memory_are_counted)
{
    struct platform_energy e = {0};

    make_desktop();
    open_power(NULL, NULL, "rapl of package-0+dram, part, counted");
    put_number(PACKAGE, 2000000); /* between opening and the first reading: not counted */
    read_at(100, &e, 0, 0);
    put_number(PACKAGE, 5000000);
    put_number(ZONES ":0:1/energy_uj", 1500000);
    read_at(101, &e, 3.5, 1);
    read_at(102, &e, 3.5, 1); /* nothing new */
    assert_int_equal(e.n_readings, 3);
    assert_true(e.seconds == 2);
    put_number(PACKAGE, 262143328850.0 - 1000000);
    read_at(103, &e, 3.5 + 262143.32885 - 6, 2);
    put_number(PACKAGE, 500000); /* it begins anew */
    read_at(104, &e, 3.5 + 262143.32885 - 6 + 1.5, 3);
    platform_power_close(power);
}

/* ---- NVML ---- */

static unsigned long long nvml_mj = 5000000;
static unsigned nvml_mw;
static int n_inits;
static bool has_counter, begins, is_lost;

static int nvml_init(void)
{
    n_inits++;
    return begins ? 0 : 9;
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
    return is_lost ? 15 : 0;
}

static const char *nvml_error(int code)
{
    return code == 9 ? "Driver Not Loaded" : code == 6 ? "Not Found" : "GPU is lost";
}

static const struct platform_nvml nvml = {nvml_init,   nvml_shutdown, nvml_by_uuid,
                                          nvml_energy, nvml_power,    nvml_error};

static void open_card(bool counts)
{
    make_desktop();
    begins = true;
    has_counter = counts;
    open_power("GPU-7", &nvml,
               counts ? "nvml of card, card, counted" : "nvml of card, card, integrated");
}

/* The host draws, too: a card is a part.  An older one has no counter. */
TEST(the_card_counts)
{
    for (int counts = 1; counts >= 0; counts--) {
        struct platform_energy e = {0};

        open_card(counts);
        nvml_mw = 100000;
        read_at(1, &e, 0, 0);
        nvml_mj += 700000;
        nvml_mw = 200000;
        read_at(3, &e, counts ? 700 : 300, 1); /* or a trapezoid of 2 s */
        is_lost = true;
        assert_int_equal(platform_power_read(power, 4, &e, why), counts);
        is_lost = false;
        platform_power_close(power);
        assert_int_equal(n_inits, 0);
    }
    assert_string_equal(why, "NVML cannot read the card's power: GPU is lost");
}

TEST(what_nvml_refuses_has_a_sentence)
{
    struct platform_nvml loaded;

    make_desktop();
    assert_null(platform_power_open(root, "GPU-7", NULL, why));
    assert_string_equal(why, "nothing measures the card's power: no INA3221 rails, and no NVML "
                             "below a sysroot");
    begins = false;
    assert_null(platform_power_open(root, "GPU-7", &nvml, why));
    assert_string_equal(why, "NVML cannot begin: Driver Not Loaded");
    n_inits = 0;
    begins = true;
    assert_null(platform_power_open(root, "GPU-8", &nvml, why));
    assert_string_equal(why, "NVML does not know the card: Not Found");
    assert_int_equal(n_inits, 0);
    assert_false(platform_nvml_load("libnothing-of-that-name.so.1", &loaded, why));
    assert_string_equal(why, "NVML cannot be opened: there is no libnothing-of-that-name.so.1");
    assert_false(platform_nvml_load("libm.so.6", &loaded, why));
    assert_string_equal(why, "NVML cannot be used: libm.so.6 has no nvmlInit_v2");
}

/* ---- the pass ---- */

/* A pass of 'work' of so many seconds; closes 'power'. */
static struct bench_energy pass(double work_s, enum bench_status (*work)(void *, long long *),
                                enum bench_status expected)
{
    static const struct bench_time ticking = {ticking_now_s, no_wait_s, NULL};
    const struct bench_energy_plan plan = {
        .idle_s = 0.5, .work_s = work_s, .period_s = 0.05, .min_updates = 1};
    struct bench_energy e;

    assert_int_equal(bench_energy_pass(power, &plan, &ticking, work, NULL, &e), expected);
    platform_power_close(power);
    return e;
}

#define SIX_RAILS "ina3221 of GPU+CPU+SOC+CV+VDDRQ+SYS5V, module, integrated"

/* Like pass(), on the rails of a Xavier. */
static struct bench_energy pass_on_rails(double work_s,
                                         enum bench_status (*work)(void *, long long *),
                                         enum bench_status expected)
{
    make_xavier();
    open_power("GPU-7", &nvml, SIX_RAILS);
    return pass(work_s, work, expected);
}

static enum bench_status two_runs(void *self, long long *n_runs)
{
    *n_runs += 2;
    return BENCH_OK;
}

static enum bench_status failing(void *self, long long *n_runs)
{
    return BENCH_FAIL(BENCH_ECUDA, "the card fell out");
}

/* With rails that stand still, energy is power times time, however often it is read. */
TEST(work_at_constant_power)
{
    const struct bench_energy e = pass_on_rails(3, two_runs, BENCH_OK);

    assert_true(e.is_measured && !strcmp(e.scope, "module"));
    assert_string_equal(e.note, "");
    assert_true(e.n_runs >= 2 && e.n_runs % 2 == 0);
    assert_true(e.seconds >= 3);
    assert_near(e.joules / e.seconds, 7.5, 1e-6);
    assert_near(e.idle_watt, 7.5, 1e-6);
    assert_string_equal(e.source, "ina3221");
    assert_string_equal(e.rails, "GPU+CPU+SOC+CV+VDDRQ+SYS5V");
    assert_true(e.n_readings >= 2);
}

/* The board draws more while it works. */
static enum bench_status working_harder(void *self, long long *n_runs)
{
    if (*n_runs == 0)
        nvml_mw = 110000;
    ++*n_runs;
    return BENCH_OK;
}

TEST(idle_is_told_apart)
{
    struct bench_energy e;

    open_card(false);
    nvml_mw = 40000;
    e = pass(50, working_harder, BENCH_OK);
    assert_true(e.is_measured);
    assert_near(e.idle_watt, 40, 1e-6);
    assert_true(e.joules / e.seconds > 40 && e.joules / e.seconds <= 110);
}

/* A rail that goes away in the middle costs the energy, not the row. */
static enum bench_status losing_a_rail(void *self, long long *n_runs)
{
    char path[700];

    snprintf(path, sizeof path, "%s" IIO "1-0041/iio:device1/in_power0_input", root);
    remove(path);
    ++*n_runs;
    return BENCH_OK;
}

TEST(a_lost_rail_is_told)
{
    struct bench_energy e = pass_on_rails(1, losing_a_rail, BENCH_OK);
    long long n_runs = 0;

    assert_false(e.is_measured);
    assert_string_equal(e.note,
                        IIO "1-0041/iio:device1/in_power0_input cannot be read: No such "
                            "file or directory");
    /* and when it is gone before the work begins, no work is done */
    make_xavier();
    open_power(NULL, NULL, SIX_RAILS);
    losing_a_rail(NULL, &n_runs);
    e = pass(1, failing, BENCH_OK);
    assert_false(e.is_measured);
}

TEST(failed_work_fails)
{
    pass_on_rails(1, failing, BENCH_ECUDA);
    assert_string_equal(bench_failure(), "the card fell out");
}

TEST(a_pass_is_long_enough)
{
    const struct bench_energy_plan one = bench_energy_plan_of(3),
                                   other = bench_energy_plan_of(1);

    assert_true(one.work_s == 3 && one.idle_s == 5 && one.period_s == 0.05);
    /* room for twice the readings that are needed */
    assert_true(other.work_s / other.period_s >= 2 * other.min_updates - 1e-9);
}
