/* test_platform.c - made-up machines: an AGX Xavier with JetPack 4, a PC, and one that offers
 * nothing */
#include "tests/fake_platform.h"
#include "tests/session.h"

#include "harness/platform/platform.h"
#include "harness/platform/realtime.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void add_text(struct text *found, const char *fact, const char *value)
{
    if (value[0])
        text_format(found, " %s=%s", fact, value);
}

static void add_number(struct text *found, const char *fact, double value, double unknown)
{
    if (value != unknown)
        text_format(found, " %s=%.*g", fact, value > 1e6 ? 9 : value > 1e3 ? 6 : 4, value);
}

/* All that is known of the machine below 'root': " FACT=VALUE" ... */
static void describe(struct text *found)
{
    struct platform_facts facts;
    struct platform_identity identity;

    memset(&facts, 0xA5, sizeof facts);
    memset(&identity, 0xA5, sizeof identity);
    platform_read(root, &facts);
    platform_identity_read(root, &identity);
    add_text(found, "model", facts.model);
    add_text(found, "l4t", facts.l4t);
    add_number(found, "mode", facts.mode_id, -1);
    assert_int_equal(facts.mode_id >= 0, facts.mode_name[0] != '\0');
    if (facts.mode_name[0])
        text_format(found, " %s", facts.mode_name);
    add_text(found, "governor", facts.governor);
    add_text(found, "os", facts.os);
    add_text(found, "kernel", facts.kernel);
    add_number(found, "mhz", facts.cpu_mhz, 0);
    add_number(found, "gib", facts.memory_gib, 0);
    add_number(found, "load", facts.load_1, -1);
    add_number(found, "temp", facts.temp_c, 0);
    add_number(found, "free", platform_free_bytes(root) / 1024, 0);
    add_number(found, "online", facts.n_online, 0);
    add_number(found, "cpuset", facts.cgroup.n_cpus, 0);
    add_number(found, "quota", facts.cgroup.cpu_quota, 0);
    add_number(found, "stops", (double)facts.cgroup.n_throttled, 0);
    add_text(found, "id", identity.machine_id);
    add_text(found, "serial", identity.serial);
    add_text(found, "address", identity.address);
    assert_true(platform_temperature_c(root) == facts.temp_c);
    assert_true(platform_cpu_mhz(root) == facts.cpu_mhz);
}

/* platform.cases says how. */
static void check_machine(const char *files, const char *expected)
{
    struct text found = {0};

    new_machine();
    put_files(files);
    describe(&found);
    assert_string_equal(found.size > 0 ? found.data + 1 : "nothing", expected);
    text_free(&found);
}

TEST(machines_are_read)
{
    each_case("tests/platform.cases", NULL, check_machine);
}

TEST(nothing_is_there)
{
    struct text found = {0};

    snprintf(root, sizeof root, "/nonexistent/machine");
    describe(&found);
    assert_int_equal(found.size, 0);
    text_free(&found);
}

/* Empty, cut and overlong files: texts are cut to their place, numbers are unknown. */
TEST(odd_files_do_no_harm)
{
    static const char *const overlong[] = {
        "/sys/firmware/devicetree/base/model",
        "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
        "/var/lib/nvpmodel/status",
        "/etc/os-release",
        "/proc/sys/kernel/osrelease",
    };
    static const char *const cut[][2] = {
        {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", ""},
        {"/etc/nv_tegra_release", "# R"},
        {"/proc/cpuinfo", "cpu MHz"},
        {"/proc/meminfo", "MemTotal:"},
        {"/proc/loadavg", ""},
        {"/sys/class/thermal/thermal_zone0/type", ""},
        {"/sys/class/thermal/thermal_zone0/temp", ""},
        {"/sys/class/thermal/thermal_zone1/type", "hot\n"},
        {"/sys/class/thermal/thermal_zone1/temp", "99999999999\n"},
    };
    static char big[20000];
    struct platform_facts facts;
    struct text found = {0}, expected = {0};

    new_machine();
    memset(big, 'x', sizeof big);
    for (size_t i = 0; i < sizeof overlong / sizeof *overlong; i++)
        put_bytes(overlong[i], big, sizeof big);
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
        put(cut[i][0], cut[i][1]);
    describe(&found);
    text_format(&expected, " model=%.*s governor=%.*s", (int)sizeof facts.model - 1, big,
                (int)sizeof facts.governor - 1, big);
    assert_string_equal(found.data, expected.data);
    text_free(&found);
    text_free(&expected);
}

#if defined(__SANITIZE_ADDRESS__) /* it says that memory is locked, and locks none */
#define NOTHING "locked"
#else
#define NOTHING "refused"
#endif

/* What the user may not have is refused, and what was had is given back. */
TEST(real_time_is_asked_for)
{
    struct platform_realtime had = platform_realtime_begin();
    int status;
    pid_t child;

    assert_int_equal(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK,
                     had.is_fifo ? SCHED_FIFO : SCHED_OTHER);
    platform_realtime_end(&had);
    assert_int_equal(sched_getscheduler(0), SCHED_OTHER);

    child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        const bool is_user = setrlimit(RLIMIT_RTPRIO, &none) == 0 &&
                             setrlimit(RLIMIT_MEMLOCK, &none) == 0 &&
                             (geteuid() != 0 || setuid(65534) == 0);

        had = platform_realtime_begin();
        _exit(!(is_user && !strcmp(platform_realtime_name(&had), NOTHING) &&
                sched_getscheduler(0) == SCHED_OTHER));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
