/*
 * test_camera.c - cameras from our .ini, KITTI's calib.txt and Cityscapes' JSON
 */
#include "harness/inputs/camera.h"
#include "tests/inputs.h"

#include <locale.h>
#include <math.h>

static enum bench_status parse(const char *name, const char *text, struct camera *camera)
{
    char *copy = exact_copy(text, strlen(text));
    enum bench_status status;

    memset(camera, 0x5A, sizeof *camera);
    bench_failure_clear();
    status = camera_parse(copy, strlen(text), name, camera);
    free(copy);
    return status;
}

/* Matrices as in KITTI's files: 3 x 4 by rows. */
#define GREY                                          \
    "P0: 7e+02 0 6e+02 0 0 7e+02 1.7e+02 0 0 0 1 0\n" \
    "P1: 7e+02 0 6e+02 -3.5e+02 0 7e+02 1.7e+02 0 0 0 1 0\n"
#define P2   "P2: 800 0 600.5 40 0 801 170.25 2.1e-01 0 0 1 2.7e-03\n"
#define P3   "P3: 800 0 600.5 -360 0 801 170.25 2.2 0 0 1 2.7e-03\n"
#define REST "R0_rect: 9.9e-01 9.8e-03 -7.4e-03\nTr_velo_to_cam: 7e-03\n\n"

#define RIGHT(fx, tx, cy) "P3: " fx " 0 600.5 " tx " 0 801 " cy " 0 0 0 1 0\n"

/* As in the data set, with numbers that are no doubles by chance. */
#define CITY_BEFORE                                                                         \
    "{\n    \"extrinsic\": {\n        \"baseline\": 0.209313,\n        \"pitch\": 0.038,\n" \
    "        \"roll\": 0.0,\n        \"x\": 1.7,\n        \"y\": 0.1,\n"                    \
    "        \"yaw\": -0.0195,\n        \"z\": 1.22\n    },\n    \"intrinsic\": {\n"
#define CITY                                                                      \
    CITY_BEFORE "        \"fx\": 2262.52,\n        \"fy\": 2265.3017905988554,\n" \
                "        \"u0\": 1096.98,\n        \"v0\": 513.137\n    }\n}\n"

#define CITY_WITH(fx, v0) CITY_BEFORE "\"fx\": " fx ", \"fy\": 1, \"u0\": 1" v0 "}}"

#if HAVE_JANSSON
#define NO_JSON 0
#else
#define NO_JSON 2 /* cases that cannot be read, the last */
#endif

static void cameras(void **state)
{
    static const struct {
        const char *name, *text;
        struct camera camera;
    } cases[] = {
        {"a/b.ini",
         "; mine\nfx = 721.5\nfy = 722\ncx = 609.25\ncy = -1\n"
         "baseline_m = 0.54\nheight_m = 1.65\npitch_rad = -0.01\n",
         {721.5, 722, 609.25, -1, 0.54, 1.65, -0.01}},
        {"c.ini", "fx = 1e3", {.fx_px = 1000}},
        {"0.txt", GREY P2 P3 REST, {800, 801, 600.5, 170.25, 0.5, 0, 0}},
        {"0.txt", GREY REST, {700, 700, 600, 170, 0.5, 0, 0}},
        {"x/calib_cam_to_cam.txt", /* no end of line */
         "calib_time: 09-Jan-2012 13:57:47\r\ncorner_dist: 9.950000e-02\r\n"
         "S_00: 1.392000e+03 5.120000e+02\r\nK_02: 9.597910e+02 0 6.960217e+02\r\n"
         "P_rect_00: 7e+02 0 6e+02 0 0 7e+02 1.7e+02 0 0 0 1 0\r\n"
         "P_rect_02: 800 0 600.5 40 0 801 170.25 0 0 0 1 0\r\n"
         "P_rect_03: 800\t0 600.5  -360 0 801 170.25 0 0 0 1 0",
         {800, 801, 600.5, 170.25, 0.5, 0, 0}},
        {"aachen_000000_000019_camera.json",
         CITY,
         {2262.52, 2265.3017905988554, 1096.98, 513.137, 0.209313, 1.22, 0.038}},
        {"c.json",
         "{\"extrinsic\": {\"baseline\": 1, \"pitch\": 0, \"z\": 2},"
         "\"intrinsic\": {\"fx\": 3, \"fy\": 4, \"u0\": 5, \"v0\": 6}}",
         {3, 4, 5, 6, 1, 2, 0}},
    };
    struct camera camera;

    (void)support_comma_locale();
    for (size_t i = 0; i < sizeof cases / sizeof *cases - NO_JSON; i++) {
        if (parse(cases[i].name, cases[i].text, &camera) != BENCH_OK)
            fail_msg("%s", bench_failure());
        assert_memory_equal(&camera, &cases[i].camera, sizeof camera);
    }
    (void)setlocale(LC_ALL, "C");

    /* the object data set's own numbers: 0.5327 m apart, as every paper has it */
    assert_int_equal(parse("calib.txt",
                           "P2: 7.215377000000e+02 0.000000000000e+00 6.095593000000e+02 "
                           "4.485728000000e+01 0 7.215377000000e+02 1.728540000000e+02 "
                           "2.163791000000e-01 0 0 1 2.745884000000e-03\n"
                           "P3: 7.215377000000e+02 0.000000000000e+00 6.095593000000e+02 "
                           "-3.395242000000e+02 0 7.215377000000e+02 1.728540000000e+02 "
                           "2.199936000000e+00 0 0 1 2.729905000000e-03\n",
                           &camera),
                     BENCH_OK);
    assert_true(fabs(camera.baseline_m - 0.5327) < 5e-5 && camera.fx_px == 721.5377);
}

/* What is said, and the files of which it is said. */
static void broken_cameras(void **state)
{
    static const struct {
        const char *name, *words, *texts[6];
    } cases[] = {
        {"c.ini", "no key of a camera", {""}},
        {"c.ini", "c.ini:2: unknown key 'focal'", {"fx = 1\nfocal = 2\n"}},
        {"c.ini", "did you mean 'baseline_m'?", {"basline_m = 1\n"}},
        {"c.ini", "fx", {"fx = 1\nfx = 2\n"}},
        {"c.ini", "c.ini:2: a camera has no sections", {"[camera]\nfx = 1\n"}},
        {"c.ini", "c.ini:1: fx = 721,5: expected a number of 0..", {"fx = 721,5\n"}},
        {"c.ini", "expected a number of -1.5..1.5", {"pitch_rad = 2\n"}},
        {"c.ini",
         "expected a number",
         {"fx = -1\n", "fx = nan\n", "fx = 1e7\n", "baseline_m = 54 cm\n"}},

        {"camera", "a camera is a file .ini", {"fx = 1\n"}},
        {"a.ini/camera", "a camera is a file .ini", {"fx = 1\n"}},
        {"camera.yaml", "a camera is a file .ini", {"fx = 1\n"}},
        {"camera.txt", "no KITTI calibration", {"fx = 1\n"}},
        {"camera.ini", "camera.ini:1", {P2 P3}},

        {"0.txt", "no KITTI calibration: expected lines P2: and P3:", {""}},
        {"0.txt",
         "no KITTI calibration",
         {REST, "P4: 1\nP22: 1\nP: 1\nP2 1\n:\nP_rect_04: 1\nQ2: 1\n"}},
        {"0.txt", "0.txt:3: only one camera of a pair, expected both P2", {GREY P2 REST}},
        {"0.txt", "only one camera of a pair", {GREY P3}},
        {"0.txt",
         "0.txt:2: only one camera of a pair, expected both P_rect_00 and P_rect_01",
         {"\nP_rect_01: 1 0 0 0 0 1 0 0 0 0 1 0\n"}},
        {"0.txt", "0.txt:2: the same matrix as in line 1 again", {P2 P2 P3}},
        {"0.txt", "12 numbers of a 3 x 4 matrix, found 4", {P2 "P3: 800 0 600.5 -360\n"}},
        {"0.txt",
         "expected the 12 numbers of a 3 x 4 matrix, found ",
         {P2 "P3:", P2 "P3: 1 2 3 4 5 6 7 8 9 10 11 12 13\n",
          "P2: 0.00000000000000000000000000000000000000000000000000000000000000000001\n"}},
        {"0.txt", "0.txt:2: expected a number, found 'abc'", {P2 RIGHT("800", "-360", "abc")}},
        {"0.txt", "found '170,5'", {P2 RIGHT("800", "-360", "170,5")}},
        {"0.txt", "found 'inf'", {P2 RIGHT("inf", "-360", "170.25")}},
        {"0.txt",
         "no rectified pair: cy is 170.25 px in line 1, 170.5 px here",
         {P2 RIGHT("800", "-360", "170.5")}},
        {"0.txt", "no rectified pair: fx is", {P2 RIGHT("810", "-360", "170.25")}},
        {"0.txt", "a baseline of 0 m", {P2 RIGHT("800", "40", "170.25")}},
        {"0.txt",
         "a baseline of -0.4 m, expected one above zero",
         {P2 RIGHT("800", "360", "170.25")}},
        {"0.txt",
         "fx is 0 px",
         {"P2: 0 0 600.5 40 0 801 170.25 0 0 0 1 0\n" RIGHT("0", "-360", "170.25")}},

#if HAVE_JANSSON
        {"c.json", "c.json:1: no JSON", {""}},
        {"c.json", "c.json:2: no JSON", {"{\n\"extrinsic\": }"}},
        {"c.json", "no JSON", {CITY "x", CITY_WITH("1, \"fx\": 1", ", \"v0\": 1")}},
        {"c.json", "nothing at intrinsic.fx, expected a number", {"[1]"}},
        {"c.json", "nothing at intrinsic.fx", {"{\"extrinsic\": 4, \"intrinsic\": 5}"}},
        {"c.json", "no number at intrinsic.fx", {CITY_WITH("\"2262\"", ", \"v0\": 1")}},
        {"c.json", "nothing at intrinsic.v0", {CITY_WITH("1", "")}},
        {"c.json", "intrinsic.fx is -1, expected 0..", {CITY_WITH("-1", ", \"v0\": 1")}},
#endif
    };
    static const struct camera empty;
    struct camera camera;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (const char *const *text = cases[i].texts; *text; text++) {
            if (parse(cases[i].name, *text, &camera) != BENCH_EINPUT)
                fail_msg("not refused: %s", *text);
            assert_says(cases[i].name, cases[i].words);
            assert_memory_equal(&camera, &empty, sizeof camera);
        }
    assert_int_equal(camera_parse("P2: 1\0 2\n", 9, "0.txt", &camera), BENCH_EINPUT);
    assert_says("0.txt", "not a text file");
    if (NO_JSON > 0) {
        assert_int_equal(parse("c.json", CITY, &camera), BENCH_EENV);
        assert_says("", "install libjansson-dev");
        assert_memory_equal(&camera, &empty, sizeof camera);
    }
}

static void files(void **state)
{
    const char *const path = scratch("c.txt");
    struct camera camera;

    write_bytes(path, P2 P3, strlen(P2 P3));
    assert_int_equal(camera_read(path, &camera), BENCH_OK);
    assert_true(camera.baseline_m == 0.5);
    assert_int_equal(truncate(path, (2 << 20)), 0); /* a file of a hole */
    assert_int_equal(camera_read(path, &camera), BENCH_EINPUT);
    assert_says(path, "more than any camera file has");
    assert_true(camera.baseline_m == 0.0);
    assert_int_equal(unlink(path), 0);
    memset(&camera, 0x5A, sizeof camera);
    assert_int_equal(camera_read(path, &camera), BENCH_EIO);
    assert_true(camera.fx_px == 0.0);
}

static void what_a_camera_is_good_for(void **state)
{
    static const struct {
        struct camera camera;
        const char *words; /* NULL: for stereo */
    } cases[] = {
        {{800, 0, 600, 170, 0.5, 1.65, 0.02}, NULL},
        {{800, 801, 600, 170, 0.5, 1.65, 0.02}, NULL},
        {{800, 801, 0, 0, 0.5, 1.65, 0}, NULL},
        {{0, 0, 0, 0, 0, 0, 0}, "fx is not known (0)"},
        {{-1, 0, 600, 170, 0.5, 1.65, 0.02}, "fx is impossible (-1)"},
        {{(double)INFINITY, 0, 600, 170, 0.5, 1.65, 0.02}, "fx is impossible"},
        {{800, -1, 600, 170, 0.5, 1.65, 0.02}, "fy is impossible"},
        {{800, 0, 600, 170, 0, 1.65, 0.02}, "baseline_m is not known (0)"},
        {{800, 0, 600, 170, (double)NAN, 1.65, 0.02}, "baseline_m is impossible"},
        {{800, 0, 600, 170, 0.5, 0, 0.02}, "height_m is not known (0)"},
        {{800, 0, 600, (double)NAN, 0.5, 1.65, 0.02}, "cx, cy"},
        {{800, 0, 600, 170, 0.5, 1.65, (double)NAN}, "pitch_rad"},
        {{800, 0, 600, 170, 0.5, 1.65, 2}, "pitch_rad is 2"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_failure_clear();
        assert_int_equal(camera_check_stereo(&cases[i].camera, "street.ini"),
                         cases[i].words ? BENCH_EINPUT : BENCH_OK);
        if (cases[i].words)
            assert_says("street.ini: ", cases[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cameras),
        cmocka_unit_test(broken_cameras),
        cmocka_unit_test(files),
        cmocka_unit_test(what_a_camera_is_good_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
