/* test_camera.c - cameras from our .ini, KITTI's calib.txt and Cityscapes' JSON */
#include "harness/inputs/camera.h"
#include "tests/inputs.h"

#include <locale.h>
#include <math.h>

static enum bench_status parse(const char *name, const char *text, size_t n,
                               struct camera *camera)
{
    OWNED(memory_free) char *copy = exact_copy(text, n);

    memset(camera, 0x5A, sizeof *camera);
    bench_failure_clear();
    return camera_parse(copy, n, name, camera);
}

/* NAME TEXT => the seven numbers of the camera, read where decimals have a comma. */
static void read_right(const char *bytes, size_t n, const char *numbers)
{
    const size_t n_name = strcspn(bytes, " ");
    struct camera camera;
    double expected[7], *const at = expected;
    char name[60];

    snprintf(name, sizeof name, "%.*s", (int)n_name, bytes);
    assert_int_equal(sscanf(numbers, "%lf %lf %lf %lf %lf %lf %lf", at, at + 1, at + 2, at + 3,
                            at + 4, at + 5, at + 6),
                     7);
    (void)support_comma_locale();
    if (parse(name, bytes + n_name + 1, n - n_name - 1, &camera) != BENCH_OK)
        fail_msg("%s", bench_failure());
    (void)setlocale(LC_ALL, "C");
    assert_memory_equal(&camera, expected, sizeof expected);
}

TEST(cameras)
{
    each_damaged("cameras", read_right);
#if HAVE_JANSSON
    each_damaged("json cameras", read_right);
#endif
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

    assert_int_equal(parse("c.json", "{}", 2, &camera), BENCH_EENV);
    assert_says("", "install libjansson-dev");
    assert_true(camera.fx_px == 0.0 && camera.baseline_m == 0.0);
#endif
}

TEST(files)
{
    static const char pair[] = "P2: 2 0 1 1 0 2 1 0 0 0 1 0\nP3: 2 0 1 0 0 2 1 0 0 0 1 0\n";
    const char *const path = scratch("c.txt");
    struct camera camera;

    write_bytes(path, pair, strlen(pair));
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
