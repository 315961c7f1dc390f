/* test_board.c - made-up machines: an AGX Xavier with JetPack 4, a PC, and one that offers nothing */
#include "tests/fake_board.h"

#include "harness/platform/board.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

static void put_zone(int i, const char *type, const char *millidegrees)
{
    char path[128];

    snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/type", i);
    put(path, type);
    snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp", i);
    put(path, millidegrees);
}

/* As JetPack 4.6 lays them out. */
static const char nvpmodel_conf[] =
    "#\n"
    "# FORMAT:\n"
    "# < PARAM TYPE=PARAM_TYPE NAME=PARAM_NAME >\n"
    "# < POWER_MODEL ID=id_num NAME=mode_name >\n"
    "< PARAM TYPE=FILE NAME=CPU_ONLINE >\n"
    "CORE_0 /sys/devices/system/cpu/cpu0/online\n"
    "\n"
    "# MAXN is the NONE power model to release all constraints\n"
    "< POWER_MODEL ID=0 NAME=MAXN >\n"
    "CPU_ONLINE CORE_0 1\n"
    "GPU MAX_FREQ -1\n"
    "< POWER_MODEL ID=1 NAME=MODE_10W >\n"
    "CPU_ONLINE CORE_0 1\n"
    "< POWER_MODEL ID=2 NAME=MODE_15W >\n"
    "CPU_ONLINE CORE_0 1\n"
    "< POWER_MODEL ID=3 NAME=MODE_30W_ALL >\n"
    "CPU_ONLINE CORE_0 1\n"
    "# mandatory section to configure the default mode\n"
    "< PM_CONFIG DEFAULT=2 >\n";

static void make_xavier(const char *name, const char *status)
{
    static const char model[] = "Jetson-AGX"; /* its NUL is in the file */

    new_machine(name);
    put_bytes("/sys/firmware/devicetree/base/model", model, sizeof model);
    put("/etc/nv_tegra_release",
        "# R32 (release), REVISION: 7.1, GCID: 29818004, BOARD: t186ref, EABI: aarch64, "
        "DATE: Sat Feb 19 17:07:00 UTC 2022\n");
    put("/etc/nvpmodel.conf", nvpmodel_conf);
    if (status)
        put("/var/lib/nvpmodel/status", status);
    put_zone(0, "CPU-therm\n", "41500\n");
    put_zone(1, "GPU-therm\n", "-256000\n"); /* the GPU is asleep */
    put_zone(2, "AUX-therm\n", "39500\n");
    put_zone(3, "AO-therm\n", "44000\n");
    put_zone(4, "PMIC-Die\n", "100000\n");
    put_zone(5, "Tdiode_tegra\n", "40750\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2265600\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "schedutil\n");
    put("/etc/os-release", "NAME=\"Ubuntu\"\nVERSION_ID=\"18.04\"\n"
                           "PRETTY_NAME=\"Ubuntu 18.04.6 LTS\"\nID=ubuntu\n");
    put("/proc/sys/kernel/osrelease", "4.9.253-tegra\n");
    put("/proc/meminfo", "MemTotal:       32692940 kB\nMemFree:        29000000 kB\n"
                         "MemAvailable:   30000000 kB\n");
    put("/proc/loadavg", "0.52 0.58 0.59 1/467 9124\n");
    put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: ARMv8 Processor rev 0 (v8l)\n");
}

static void a_xavier_is_read(void **state)
{
    struct board_facts facts;

    (void)state;
    make_xavier("xavier", "pmode:0003\nfmode:fanNull\n");
    board_read(root, &facts);
    assert_string_equal(facts.model, "Jetson-AGX");
    assert_string_equal(facts.l4t, "R32.7.1");
    assert_int_equal(facts.mode_id, 3);
    assert_string_equal(facts.mode_name, "MODE_30W_ALL");
    assert_string_equal(facts.governor, "schedutil");
    assert_string_equal(facts.os, "Ubuntu 18.04.6 LTS");
    assert_string_equal(facts.kernel, "4.9.253");
    assert_true(facts.cpu_mhz == 2265.6);
    assert_true(facts.memory_gib > 31.17 && facts.memory_gib < 31.19);
    assert_true(facts.load_1 == 0.52);
    /* the PMIC's constant 100 and the sleeping GPU's -256 are no temperatures */
    assert_true(facts.temp_c == 44.0);
    assert_true(board_temperature_c(root) == 44.0);
    assert_true(board_cpu_mhz(root) == 2265.6);
    assert_true(board_free_bytes(root) == 30000000.0 * 1024);
}

static void modes_are_told_apart(void **state)
{
    struct board_facts facts;

    (void)state;
    make_xavier("maxn", "pmode:0000\n");
    board_read(root, &facts);
    assert_int_equal(facts.mode_id, 0);
    assert_string_equal(facts.mode_name, "MAXN");

    make_xavier("mode-2", "pmode:0002 fmode:quiet");
    board_read(root, &facts);
    assert_int_equal(facts.mode_id, 2);
    assert_string_equal(facts.mode_name, "MODE_15W");
}

/* Never a mode that the machine may not be in: nvpmodel's default is not read for the mode that is set. */
static void an_unsaid_mode_is_unknown(void **state)
{
    static const char *const statuses[] = {NULL, "", "pmode:\n", "pmode:9\n", "fmode:quiet\n"};

    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        struct board_facts facts;
        char name[32];

        snprintf(name, sizeof name, "no-mode-%zu", i);
        make_xavier(name, statuses[i]);
        board_read(root, &facts);
        assert_int_equal(facts.mode_id, -1);
        assert_string_equal(facts.mode_name, "");
        assert_string_equal(facts.l4t, "R32.7.1");
    }
}

static void a_status_without_configuration_is_unknown(void **state)
{
    struct board_facts facts;

    (void)state;
    new_machine("no-conf");
    put("/var/lib/nvpmodel/status", "pmode:0000\n");
    board_read(root, &facts);
    assert_int_equal(facts.mode_id, -1);
    assert_string_equal(facts.mode_name, "");
}

static void a_pc_is_read(void **state)
{
    struct board_facts facts;

    (void)state;
    new_machine("pc");
    put("/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu MHz\t\t: 2694.872\n"
                         "cache size\t: 33792 KB\n\nprocessor\t: 1\ncpu MHz\t\t: 800.000\n");
    put("/etc/os-release", "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
    put("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    put("/proc/meminfo", "MemTotal:        4194304 kB\n");
    put_zone(0, "acpitz\n", "27800\n");
    put_zone(1, "x86_pkg_temp\n", "52000\n");
    put_zone(7, "iwlwifi_1\n", "not a number\n");
    board_read(root, &facts);
    assert_string_equal(facts.model, "");
    assert_string_equal(facts.l4t, "");
    assert_int_equal(facts.mode_id, -1);
    assert_string_equal(facts.governor, "");
    assert_string_equal(facts.os, "Debian GNU/Linux 12 (bookworm)");
    assert_string_equal(facts.kernel, "6.1.0");
    assert_true(facts.cpu_mhz > 2694.8 && facts.cpu_mhz < 2694.9);
    assert_true(facts.memory_gib == 4.0);
    assert_true(facts.temp_c == 52.0);
    assert_true(board_free_bytes(root) == 0); /* kernels before 3.14 do not say */
}

static void put_card(const char *name, const char *address, const char *assigned, bool physical)
{
    char path[128];

    snprintf(path, sizeof path, "/sys/class/net/%s/address", name);
    put(path, address);
    snprintf(path, sizeof path, "/sys/class/net/%s/addr_assign_type", name);
    put(path, assigned);
    snprintf(path, sizeof path, "/sys/class/net/%s/device/vendor", name);
    if (physical)
        put(path, "0x8086\n");
}

static void machines_are_told_apart(void **state)
{
    static const char serial[] = "1424319028823"; /* its NUL is in the file */
    struct board_identity identity;

    (void)state;
    make_xavier("known", NULL);
    put("/etc/machine-id", "3d1219c7c4c5404aaa1f6d2a48adfda4\n");
    put_bytes("/sys/firmware/devicetree/base/serial-number", serial, sizeof serial);
    put_card("docker0", "02:42:ac:11:00:02\n", "0\n", false);
    put_card("eth0", "00:00:00:00:00:00\n", "0\n", true);
    put_card("eth1", "48:b0:2d:00:00:01\n", "3\n", true); /* given by hand */
    put_card("eth2", "48:b0:2d:00:00:02\n", "0\n", true);
    put_card("eth3", "48:b0:2d:00:00:03\n", "0\n", true);
    put_card("lo", "00:00:00:00:00:00\n", "0\n", false);
    board_identity_read(root, &identity);
    assert_string_equal(identity.machine_id, "3d1219c7c4c5404aaa1f6d2a48adfda4");
    assert_string_equal(identity.serial, "1424319028823");
    assert_string_equal(identity.address, "48:b0:2d:00:00:02");

    new_machine("soc");
    put("/etc/machine-id", "uninitialized\n");
    put("/sys/firmware/devicetree/base/serial-number", "0000000000000000");
    put("/sys/devices/soc0/serial_number", "0x00112233\n");
    put_card("veth12ab", "02:42:ac:11:00:02\n", "0\n", false);
    board_identity_read(root, &identity);
    assert_string_equal(identity.machine_id, "");
    assert_string_equal(identity.serial, "0x00112233");
    assert_string_equal(identity.address, "");
}

static void nothing_is_there(void **state)
{
    struct board_facts facts;
    struct board_identity identity;

    (void)state;
    new_machine("empty");
    memset(&facts, 0xA5, sizeof facts);
    memset(&identity, 0xA5, sizeof identity);
    board_read(root, &facts);
    assert_string_equal(facts.model, "");
    assert_string_equal(facts.l4t, "");
    assert_string_equal(facts.mode_name, "");
    assert_int_equal(facts.mode_id, -1);
    assert_string_equal(facts.governor, "");
    assert_string_equal(facts.os, "");
    assert_string_equal(facts.kernel, "");
    assert_true(facts.cpu_mhz == 0 && facts.memory_gib == 0 && facts.temp_c == 0);
    assert_true(facts.load_1 == -1);
    assert_true(board_temperature_c(root) == 0);
    assert_true(board_cpu_mhz(root) == 0);
    assert_true(board_free_bytes(root) == 0);
    board_identity_read(root, &identity);
    assert_string_equal(identity.machine_id, "");
    assert_string_equal(identity.serial, "");
    assert_string_equal(identity.address, "");
}

static void a_folder_that_is_not_there_is_an_empty_machine(void **state)
{
    struct board_facts facts;

    (void)state;
    board_read("/nonexistent/machine", &facts);
    assert_string_equal(facts.model, "");
    assert_int_equal(facts.mode_id, -1);
    assert_true(facts.load_1 == -1);
}

/* Empty, cut and overlong files: texts are cut to their place, numbers are unknown. */
static void odd_files_do_no_harm(void **state)
{
    static char big[20000];
    struct board_facts facts;

    (void)state;
    new_machine("odd");
    memset(big, 'x', sizeof big);
    put_bytes("/sys/firmware/devicetree/base/model", big, sizeof big);
    put_bytes("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", big, sizeof big);
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "");
    put("/etc/nv_tegra_release", "# R");
    put_bytes("/var/lib/nvpmodel/status", big, sizeof big);
    put_bytes("/etc/os-release", big, sizeof big);
    put("/proc/cpuinfo", "cpu MHz");
    put("/proc/meminfo", "MemTotal:");
    put("/proc/loadavg", "");
    put_bytes("/proc/sys/kernel/osrelease", big, sizeof big);
    put_zone(0, "", "");
    put_zone(1, "hot\n", "99999999999\n");
    board_read(root, &facts);
    assert_int_equal(strlen(facts.model), sizeof facts.model - 1);
    assert_int_equal(strlen(facts.governor), sizeof facts.governor - 1);
    assert_string_equal(facts.l4t, "");
    assert_int_equal(facts.mode_id, -1);
    assert_string_equal(facts.os, "");
    assert_string_equal(facts.kernel, "");
    assert_true(facts.cpu_mhz == 0 && facts.memory_gib == 0 && facts.temp_c == 0);
    assert_true(facts.load_1 == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_xavier_is_read),
        cmocka_unit_test(modes_are_told_apart),
        cmocka_unit_test(an_unsaid_mode_is_unknown),
        cmocka_unit_test(a_status_without_configuration_is_unknown),
        cmocka_unit_test(a_pc_is_read),
        cmocka_unit_test(machines_are_told_apart),
        cmocka_unit_test(nothing_is_there),
        cmocka_unit_test(a_folder_that_is_not_there_is_an_empty_machine),
        cmocka_unit_test(odd_files_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
