/*
 * test_camera.c - cameras from our .ini, KITTI's calib.txt and Cityscapes' JSON
 */
#include "harness/inputs/camera.h"
#include "tests/inputs.h"

#include <locale.h>
#include <math.h>

static enum bench_status parse(const char *name, const char *text, size_t n,
                               struct camera *camera)
{
    char *copy = exact_copy(text, n);
    enum bench_status status;

    memset(camera, 0x5A, sizeof *camera);
    bench_failure_clear();
    status = camera_parse(copy, n, name, camera);
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

#define OBJECT                                                      \
    "P2: 7.215377000000e+02 0.000000000000e+00 6.095593000000e+02 " \
    "4.485728000000e+01 0 7.215377000000e+02 1.728540000000e+02 "   \
    "2.163791000000e-01 0 0 1 2.745884000000e-03\n"                 \
    "P3: 7.215377000000e+02 0.000000000000e+00 6.095593000000e+02 " \
    "-3.395242000000e+02 0 7.215377000000e+02 1.728540000000e+02 "  \
    "2.199936000000e+00 0 0 1 2.729905000000e-03\n"

/* A file as in the data set, with numbers that are no doubles by chance. */
#define CITY                                                                                \
    "{\n    \"extrinsic\": {\n        \"baseline\": 0.209313,\n        \"pitch\": 0.038,\n" \
    "        \"roll\": 0.0,\n        \"x\": 1.7,\n        \"y\": 0.1,\n"                    \
    "        \"yaw\": -0.0195,\n        \"z\": 1.22\n    },\n    \"intrinsic\": {\n"        \
    "        \"fx\": 2262.52,\n        \"fy\": 2265.3017905988554,\n"                       \
    "        \"u0\": 1096.98,\n        \"v0\": 513.137\n    }\n}\n"

#if HAVE_JANSSON
#define NO_JSON 0
#else
#define NO_JSON 2 /* cases that cannot be read, the last */
#endif

TEST(cameras)
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
        if (parse(cases[i].name, cases[i].text, strlen(cases[i].text), &camera) != BENCH_OK)
            fail_msg("%s", bench_failure());
        assert_memory_equal(&camera, &cases[i].camera, sizeof camera);
    }
    (void)setlocale(LC_ALL, "C");

    /* the object data set's own numbers: 0.5327 m apart, as every paper has it */
    assert_int_equal(parse("calib.txt", OBJECT, strlen(OBJECT), &camera), BENCH_OK);
    assert_true(fabs(camera.baseline_m - 0.5327) < 5e-5 && camera.fx_px == 721.5377);
}

static void refuse(const char *bytes, size_t n, const char *words)
{
    static const struct camera empty;
    const size_t n_name = strcspn(bytes, " ");
    struct camera camera;
    char name[40];

    snprintf(name, sizeof name, "%.*s", (int)n_name, bytes);
    if (parse(name, bytes + n_name + 1, n - n_name - 1, &camera) != BENCH_EINPUT)
        fail_msg("not refused: %s", bytes);
    assert_says(name, words);
    assert_memory_equal(&camera, &empty, sizeof camera);
}

TEST(damaged_files)
{
    each_damaged("camera", refuse);
#if HAVE_JANSSON
    each_damaged("json", refuse);
#else
    struct camera camera;

    assert_int_equal(parse("c.json", CITY, strlen(CITY), &camera), BENCH_EENV);
    assert_says("", "install libjansson-dev");
    assert_true(camera.fx_px == 0.0 && camera.baseline_m == 0.0);
#endif
}

TEST(files)
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

TEST(what_a_camera_is_good_for)
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
