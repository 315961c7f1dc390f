/*
 * test_camera.c - cameras from our .ini, KITTI's calib.txt and Cityscapes' JSON
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/inputs/camera.h"
#include "tests/support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum bench_status parse(const char *name, const char *text, struct camera *camera)
{
    const size_t n = strlen(text);
    char *copy = malloc(n > 0 ? n : 1); /* no NUL behind it: a sanitizer sees a byte too far */
    enum bench_status status;

    assert_non_null(copy);
    memcpy(copy, text, n);
    memset(camera, 0x5A, sizeof *camera);
    bench_failure_clear();
    status = camera_parse(copy, n, name, camera);
    free(copy);
    return status;
}

static struct camera parsed(const char *name, const char *text)
{
    struct camera camera;

    if (parse(name, text, &camera) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return camera;
}

static void expect_refused(const char *name, const char *text, const char *words)
{
    static const struct camera empty;
    struct camera camera;

    if (parse(name, text, &camera) != BENCH_EINPUT)
        fail_msg("not refused: %s", text);
    if (strstr(bench_failure(), words) == NULL ||
        strncmp(bench_failure(), name, strlen(name)) != 0)
        fail_msg("expected '%s' in: %s", words, bench_failure());
    assert_memory_equal(&camera, &empty, sizeof camera);
}

static void own_file(void **state)
{
    (void)state;
    const struct camera c =
        parsed("a/b.ini", "; mine\nfx = 721.5\nfy = 722\ncx = 609.25\ncy = -1\n"
                          "baseline_m = 0.54\nheight_m = 1.65\npitch_rad = -0.01\n");

    assert_true(c.fx_px == 721.5 && c.fy_px == 722.0 && c.cx_px == 609.25 && c.cy_px == -1.0);
    assert_true(c.baseline_m == 0.54 && c.height_m == 1.65 && c.pitch_rad == -0.01);

    const struct camera little = parsed("c.ini", "fx = 1e3");

    assert_true(little.fx_px == 1000.0 && little.fy_px == 0.0 && little.baseline_m == 0.0);

    expect_refused("c.ini", "", "no key of a camera");
    expect_refused("c.ini", "fx = 1\nfocal = 2\n", "c.ini:2: unknown key 'focal', expected fx");
    expect_refused("c.ini", "basline_m = 1\n", "did you mean 'baseline_m'?");
    expect_refused("c.ini", "fx = 1\nfx = 2\n", "fx");
    expect_refused("c.ini", "[camera]\nfx = 1\n", "c.ini:2: a camera has no sections");
    expect_refused("c.ini", "fx = 721,5\n", "c.ini:1: fx = 721,5: expected a number of 0..");
    expect_refused("c.ini", "fx = -1\n", "expected a number");
    expect_refused("c.ini", "fx = nan\n", "expected a number");
    expect_refused("c.ini", "fx = 1e7\n", "expected a number");
    expect_refused("c.ini", "pitch_rad = 2\n", "expected a number of -1.5..1.5");
    expect_refused("c.ini", "baseline_m = 54 cm\n", "expected a number");
}

/* Matrices as in KITTI's files: 3 x 4 by rows. */
#define GREY                                          \
    "P0: 7e+02 0 6e+02 0 0 7e+02 1.7e+02 0 0 0 1 0\n" \
    "P1: 7e+02 0 6e+02 -3.5e+02 0 7e+02 1.7e+02 0 0 0 1 0\n"
#define P2   "P2: 800 0 600.5 40 0 801 170.25 2.1e-01 0 0 1 2.7e-03\n"
#define P3   "P3: 800 0 600.5 -360 0 801 170.25 2.2 0 0 1 2.7e-03\n"
#define REST "R0_rect: 9.9e-01 9.8e-03 -7.4e-03\nTr_velo_to_cam: 7e-03\n\n"

static void kitti_file(void **state)
{
    (void)state;
    const struct camera colour = parsed("0.txt", GREY P2 P3 REST);
    const struct camera grey = parsed("0.txt", GREY REST);
    const struct camera raw =
        parsed("x/calib_cam_to_cam.txt",
               "calib_time: 09-Jan-2012 13:57:47\r\ncorner_dist: 9.950000e-02\r\n"
               "S_00: 1.392000e+03 5.120000e+02\r\nK_02: 9.597910e+02 0 6.960217e+02\r\n"
               "P_rect_00: 7e+02 0 6e+02 0 0 7e+02 1.7e+02 0 0 0 1 0\r\n"
               "P_rect_02: 800 0 600.5 40 0 801 170.25 0 0 0 1 0\r\n"
               "P_rect_03: 800\t0 600.5  -360 0 801 170.25 0 0 0 1 0"); /* no end of line */

    assert_true(colour.fx_px == 800.0 && colour.fy_px == 801.0 && colour.cx_px == 600.5);
    assert_true(colour.cy_px == 170.25 && colour.baseline_m == 0.5);
    assert_true(colour.height_m == 0.0 && colour.pitch_rad == 0.0);
    assert_true(grey.fx_px == 700.0 && grey.baseline_m == 0.5 && grey.cy_px == 170.0);
    assert_memory_equal(&raw, &colour, sizeof raw);

    /* the object data set's own numbers: 0.5327 m apart, as every paper has it */
    const struct camera object =
        parsed("calib.txt", "P2: 7.215377000000e+02 0.000000000000e+00 6.095593000000e+02 "
                            "4.485728000000e+01 0 7.215377000000e+02 1.728540000000e+02 "
                            "2.163791000000e-01 0 0 1 2.745884000000e-03\n"
                            "P3: 7.215377000000e+02 0.000000000000e+00 6.095593000000e+02 "
                            "-3.395242000000e+02 0 7.215377000000e+02 1.728540000000e+02 "
                            "2.199936000000e+00 0 0 1 2.729905000000e-03\n");

    assert_true(fabs(object.baseline_m - 0.5327) < 5e-5 && object.fx_px == 721.5377);
}

static void broken_kitti_files(void **state)
{
    (void)state;
    expect_refused("0.txt", "", "no KITTI calibration: expected lines P2: and P3:");
    expect_refused("0.txt", REST, "no KITTI calibration");
    expect_refused("0.txt", "P4: 1\nP22: 1\nP: 1\nP2 1\n:\nP_rect_04: 1\nQ2: 1\n", "no KITTI");
    expect_refused("0.txt", GREY P2 REST,
                   "0.txt:3: only one camera of a pair, expected both P2");
    expect_refused("0.txt", GREY P3, "only one camera of a pair");
    expect_refused("0.txt", "\nP_rect_01: 1 0 0 0 0 1 0 0 0 0 1 0\n",
                   "0.txt:2: only one camera of a pair, expected both P_rect_00 and P_rect_01");
    expect_refused("0.txt", P2 P2 P3, "0.txt:2: the same matrix as in line 1 again");
    expect_refused("0.txt", P2 "P3: 800 0 600.5 -360\n",
                   "12 numbers of a 3 x 4 matrix, found 4");
    expect_refused("0.txt", P2 "P3:", "found 0");
    expect_refused("0.txt", P2 "P3: 1 2 3 4 5 6 7 8 9 10 11 12 13\n",
                   "expected the 12 numbers");
    expect_refused("0.txt", P2 "P3: 800 0 600.5 -360 0 801 abc 0 0 0 1 0\n",
                   "0.txt:2: expected a number, found 'abc'");
    expect_refused("0.txt", P2 "P3: 800 0 600,5 -360 0 801 1 0 0 0 1 0\n", "found '600,5'");
    expect_refused("0.txt", P2 "P3: inf 0 600.5 -360 0 801 1 0 0 0 1 0\n", "found 'inf'");
    expect_refused("0.txt", P2 "P3: 800 0 600.5 -360 0 801 170.5 0 0 0 1 0\n",
                   "no rectified pair: cy is 170.25 px in line 1, 170.5 px here");
    expect_refused("0.txt", P2 "P3: 810 0 600.5 -360 0 801 170.25 0 0 0 1 0\n",
                   "no rectified pair: fx");
    expect_refused("0.txt", P2 "P3: 800 0 600.5 40 0 801 170.25 0 0 0 1 0\n",
                   "a baseline of 0 m");
    expect_refused("0.txt", P2 "P3: 800 0 600.5 360 0 801 170.25 0 0 0 1 0\n",
                   "a baseline of -0.4 m, expected one above zero");
    expect_refused("0.txt",
                   "P2: 0 0 600.5 40 0 801 170.25 0 0 0 1 0\n"
                   "P3: 0 0 600.5 -360 0 801 170.25 0 0 0 1 0\n",
                   "fx is 0 px");
    expect_refused(
        "0.txt",
        "P2: 0.000000000000000000000000000000000000000000000000000000000000000000001\n",
        "12 numbers");

    struct camera camera;

    assert_int_equal(camera_parse("P2: 1\0 2\n", 9, "0.txt", &camera), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "not a text file"));
}

/* As in the data set, with numbers that are no doubles by chance. */
#define CITY_BEFORE                                                                         \
    "{\n    \"extrinsic\": {\n        \"baseline\": 0.209313,\n        \"pitch\": 0.038,\n" \
    "        \"roll\": 0.0,\n        \"x\": 1.7,\n        \"y\": 0.1,\n"                    \
    "        \"yaw\": -0.0195,\n        \"z\": 1.22\n    },\n    \"intrinsic\": {\n"
#define CITY                                                                      \
    CITY_BEFORE "        \"fx\": 2262.52,\n        \"fy\": 2265.3017905988554,\n" \
                "        \"u0\": 1096.98,\n        \"v0\": 513.137\n    }\n}\n"

static void cityscapes_file(void **state)
{
    (void)state;
#if HAVE_JANSSON
    const int has_comma = support_comma_locale();
    const struct camera c = parsed("aachen_000000_000019_camera.json", CITY);
    const struct camera whole =
        parsed("c.json", "{\"extrinsic\": {\"baseline\": 1, \"pitch\": 0, \"z\": 2},"
                         "\"intrinsic\": {\"fx\": 3, \"fy\": 4, \"u0\": 5, \"v0\": 6}}");

    if (has_comma)
        (void)setlocale(LC_ALL, "C");
    assert_true(c.fx_px == 2262.52 && c.fy_px == 2265.3017905988554 && c.cx_px == 1096.98);
    assert_true(c.cy_px == 513.137 && c.baseline_m == 0.209313 && c.height_m == 1.22);
    assert_true(c.pitch_rad == 0.038);
    assert_true(whole.fx_px == 3.0 && whole.height_m == 2.0 && whole.cy_px == 6.0);

    expect_refused("c.json", "", "c.json:1: no JSON");
    expect_refused("c.json", "{\n\"extrinsic\": }", "c.json:2: no JSON");
    expect_refused("c.json", CITY "x", "no JSON");
    expect_refused("c.json", "[1]", "nothing at intrinsic.fx, expected a number");
    expect_refused("c.json", "{\"extrinsic\": 4, \"intrinsic\": 5}", "nothing at intrinsic.fx");
    expect_refused("c.json", CITY_BEFORE "\"fx\": \"2262\", \"fy\": 1, \"u0\": 1, \"v0\": 1}}",
                   "no number at intrinsic.fx");
    expect_refused("c.json", CITY_BEFORE "\"fx\": 1, \"fy\": 1, \"u0\": 1}}",
                   "nothing at intrinsic.v0");
    expect_refused("c.json", CITY_BEFORE "\"fx\": -1, \"fy\": 1, \"u0\": 1, \"v0\": 1}}",
                   "intrinsic.fx is -1, expected 0..");
    expect_refused("c.json", CITY_BEFORE "\"fx\": 1, \"fx\": 1, \"u0\": 1, \"v0\": 1}}",
                   "no JSON");
#else
    struct camera camera;

    assert_int_equal(parse("c.json", CITY, &camera), BENCH_EENV);
    assert_non_null(strstr(bench_failure(), "install libjansson-dev"));
    assert_true(camera.fx_px == 0.0);
#endif
}

static void kinds_by_ending(void **state)
{
    (void)state;
    expect_refused("camera", "fx = 1\n", "a camera is a file .ini");
    expect_refused("a.ini/camera", "fx = 1\n", "a camera is a file .ini");
    expect_refused("camera.yaml", "fx = 1\n", "a camera is a file .ini");
    expect_refused("camera.txt", "fx = 1\n", "no KITTI calibration");
    expect_refused("camera.ini", P2 P3, "camera.ini:1");
}

static void files(void **state)
{
    char folder[512], path[600];
    struct camera camera;

    (void)state;
    snprintf(folder, sizeof folder, "%s/camera.txt", support_place());
    support_remove(folder);
    (void)mkdir("build", 0777);
    (void)mkdir(support_place(), 0777);
    assert_int_equal(mkdir(folder, 0777), 0);
    snprintf(path, sizeof path, "%s/c.txt", folder);

    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    assert_true(fputs(P2 P3, out) >= 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(camera_read(path, &camera), BENCH_OK);
    assert_true(camera.baseline_m == 0.5);
    assert_int_equal(truncate(path, (2 << 20)), 0); /* a file of a hole */
    assert_int_equal(camera_read(path, &camera), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "more than any camera file has"));
    assert_true(camera.baseline_m == 0.0);
    assert_int_equal(camera_read(folder, &camera), BENCH_EIO);
    snprintf(path, sizeof path, "%s/none.ini", folder);
    memset(&camera, 0x5A, sizeof camera);
    assert_int_equal(camera_read(path, &camera), BENCH_EIO);
    assert_true(camera.fx_px == 0.0);
    support_remove(folder);
}

static void expect_useless(struct camera camera, const char *words)
{
    bench_failure_clear();
    assert_int_equal(camera_check_stereo(&camera, "street.ini"), BENCH_EINPUT);
    if (strstr(bench_failure(), words) == NULL ||
        strncmp(bench_failure(), "street.ini: ", 12) != 0)
        fail_msg("expected '%s' in: %s", words, bench_failure());
}

static void what_a_camera_is_good_for(void **state)
{
    const struct camera good = {800, 0, 600, 170, 0.5, 1.65, 0.02};
    struct camera c = good;

    (void)state;
    assert_int_equal(camera_check_stereo(&good, "x"), BENCH_OK);
    c.fy_px = 801;
    assert_int_equal(camera_check_stereo(&c, "x"), BENCH_OK);
    c.cx_px = c.cy_px = c.pitch_rad = 0;
    assert_int_equal(camera_check_stereo(&c, "x"), BENCH_OK);

    expect_useless((struct camera){0}, "fx is not known (0)");
    c = good, c.fx_px = -1;
    expect_useless(c, "fx is impossible (-1)");
    c = good, c.fx_px = (double)INFINITY;
    expect_useless(c, "fx is impossible");
    c = good, c.fy_px = -1;
    expect_useless(c, "fy is impossible");
    c = good, c.baseline_m = 0;
    expect_useless(c, "baseline_m is not known (0)");
    c = good, c.baseline_m = (double)NAN;
    expect_useless(c, "baseline_m is impossible");
    c = good, c.height_m = 0;
    expect_useless(c, "height_m is not known (0)");
    c = good, c.cy_px = (double)NAN;
    expect_useless(c, "cx, cy");
    c = good, c.pitch_rad = (double)NAN;
    expect_useless(c, "pitch_rad");
    c = good, c.pitch_rad = 2;
    expect_useless(c, "pitch_rad is 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_file),
        cmocka_unit_test(kitti_file),
        cmocka_unit_test(broken_kitti_files),
        cmocka_unit_test(cityscapes_file),
        cmocka_unit_test(kinds_by_ending),
        cmocka_unit_test(files),
        cmocka_unit_test(what_a_camera_is_good_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
