/*
 * test_rdp_apply.c - the apply subcommand of rdp and its pictures, on images made here
 *
 * The variant applied is the serial one, which test_rdp.c holds against an oracle.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"
#include "harness/measure/measure.h"
#include "harness/problems/rdp/picture.h"
#include "tests/files.h"

#define APP     rdp_app
#define PROBLEM rdp_problem
#include "tests/apply_drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_OF(array) (sizeof(array) / sizeof *(array))

/* The serial variant. */
static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output)
{
    const struct bench_params none = {0};

    (void)request;
    return bench_once(bench_find_impl("rdp/serial"), &none, 1, NULL, input, output);
}

static void apply(const struct bench_request *request)
{
    assert_int_equal(rdp_app.apply(request), BENCH_OK);
}

/* An image that asks for its points. */
static struct bench_request points_of(const char *name, const uint16_t *grey, int width,
                                      int height)
{
    struct bench_request request = request_for(path_of(name));

    if (grey)
        assert_int_equal(image_write_u16(request.image, grey, width, height), BENCH_OK);
    request.csv = path_of("points.csv");
    return request;
}

/* ---- kept points ---- */

/* Two columns of five rows; 0 is no measurement by default. */
#define TWO_COLUMNS 10 * 256, 0, 10 * 256, 1, 10 * 256, 513, 20 * 256, 0, 20 * 256, 3

static const uint16_t two_columns[] = {TWO_COLUMNS};

static void points_of_small_images(void **state)
{
    static const struct {
        int width, height;
        uint16_t grey[10];
        const char *key[2], *value[2], *points, *message;
    } cases[] = {
        {.width = 2,
         .height = 5,
         .grey = {TWO_COLUMNS},
         .points = "0,0,10\n0,2,10\n0,3,20\n0,4,20\n1,1,0.00390625\n1,4,0.01171875\n"},
        {.width = 2,
         .height = 5,
         .grey = {TWO_COLUMNS},
         .key = {"invalid", "eps"},
         .value = {"none", "16"},
         .points = "0,0,10\n0,4,20\n1,0,0\n1,4,0.01171875\n"},
        {.width = 2,
         .height = 5,
         .grey = {TWO_COLUMNS},
         .key = {"height", "resample"},
         .value = {"10", "nearest"},
         .points = "0,0,10\n0,5,10\n0,6,20\n0,9,20\n1,2,0.00390625\n1,9,0.01171875\n"},
        {.width = 1,
         .height = 4,
         .grey = {256, 65535, 512, 0},
         .key = {"invalid"},
         .value = {"zero-max"},
         .points = "0,0,1\n0,2,2\n"},
        {.width = 1,
         .height = 3,
         .grey = {256, 65535, 65535},
         .points = "0,0,1\n0,1,255.9921875\n0,2,255.9921875\n",
         .message = "2 of 3 values"},
        {.width = 2, .height = 3, .points = "", .message = "no pixel is valid"},
    };

    for (size_t i = 0; i < N_OF(cases); i++) {
        struct bench_request request =
            points_of("small.png", cases[i].grey, cases[i].width, cases[i].height);
        char expected[200];

        for (int k = 0; k < 2 && cases[i].key[k]; k++)
            set(cases[i].key[k], cases[i].value[k]);
        apply(&request);
        snprintf(expected, sizeof expected, "u,v,disparity_px\n%s", cases[i].points);
        assert_file(request.csv, expected);
        if (cases[i].message)
            assert_non_null(strstr(message, cases[i].message));
        else
            assert_string_equal(message, "");
        request.message = NULL; /* not wanted */
        request.message_size = 0;
        request.picture = path_of("small-picture.png");
        apply(&request);
    }
}

static void eight_bit_images_have_scale_1(void **state)
{
    const char pgm[] = "P5\n1 3\n255\n\x07\x00\xff";
    struct bench_request request = points_of("eight.pgm", NULL, 0, 0);

    write_bytes(request.image, pgm, sizeof pgm - 1);
    apply(&request);
    assert_file(request.csv, "u,v,disparity_px\n0,0,7\n0,2,255\n");
    give(&request, "disparity-scale", "2");
    apply(&request);
    assert_file(request.csv, "u,v,disparity_px\n0,0,3.5\n0,2,127.5\n");
}

static void a_frame_given_is_used_as_it_is(void **state)
{
    uint16_t disparity[3] = {256, 0, 512};
    const struct plane plane = {
        .width = 1, .height = 3, .disparity = disparity, .name = "given"};
    struct bench_request request = points_of("input:scene:worst", NULL, 0, 0);

    request.frame = &plane;
    set("eps", "1");
    apply(&request);
    assert_file(request.csv, "u,v,disparity_px\n0,0,1\n0,1,0\n0,2,2\n");
}

static void scenes(void **state)
{
    static const char *const names[3] = {"scene:3:64x48", "scene:3:64x48", "scene:4:64x48"};
    struct text points[3] = {{0}, {0}, {0}}, picture = {0};
    const uint8_t *bytes;

    for (int i = 0; i < 3; i++) {
        struct bench_request request = request_for(names[i]);

        request.csv = path_of("scene.csv");
        request.picture = path_of("scene.png");
        apply(&request);
        assert_int_equal(text_read_file(request.csv, &points[i]), BENCH_OK);
    }
    assert_string_equal(points[0].data, points[1].data);
    assert_string_not_equal(points[0].data, points[2].data);
    assert_non_null(strstr(points[0].data, "\n63,"));
    assert_null(strstr(points[0].data, "\n64,"));
    for (int i = 0; i < 3; i++)
        text_free(&points[i]);

    assert_int_equal(text_read_file(path_of("scene.png"), &picture), BENCH_OK);
    bytes = (const uint8_t *)picture.data;
    assert_true(picture.size > 1000);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(bytes[18] << 8 | bytes[19], 512); /* 8 times 64 */
    assert_int_equal(bytes[22] << 8 | bytes[23], 3 * 384 + 2 * 8);
    text_free(&picture);
}

static void bad_scenes(void **state)
{
    static const char *const bad[] = {"scene:",           "scene:x",
                                      "scene:-1",         "scene:1:",
                                      "scene:1:64",       "scene:1:64x",
                                      "scene:1:0x48",     "scene:1:64x0",
                                      "scene:1:64x48x2",  "scene:1:64x99999999999999999999",
                                      "scene:1:40000x48", "scene:18446744073709551616:64x48",
                                      "scene: 1",         "scene:1:+64x48"};
    struct bench_request request = request_for("scene");

    request.csv = path_of("bad-scene.csv");
    give(&request, "disparity-scale", "16");
    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
    request.n_given = 0;
    for (size_t i = 0; i < N_OF(bad); i++) {
        request.image = bad[i];
        assert_refused(&request, BENCH_EINPUT, "expected scene[:SEED[:WIDTHxHEIGHT]]");
    }
    assert_false(is_there(request.csv));
}

/* ---- bad images and files ---- */

static void bad_images(void **state)
{
    const uint8_t rgb[2 * 2 * 3] = {1, 2, 3};
    struct bench_request request = points_of("rgb.png", NULL, 0, 0);

    write_bytes(request.csv, "old", 3);
    assert_int_equal(image_write_rgb(request.image, rgb, 2, 2), BENCH_OK);
    assert_refused(&request, BENCH_EINPUT, "rgb.png");

    request.image = path_of("nothing.png");
    write_bytes(request.image, "", 0);
    assert_refused(&request, BENCH_EINPUT, "nothing.png");

    request.image = path_of("no-such-file.png");
    assert_refused(&request, BENCH_EIO, "no-such-file.png");

    request = points_of("two.png", two_columns, 2, 5);
    give(&request, "disparity-scale", "-1");
    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
    request.n_given = 0;
    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    assert_file(request.csv, "old");
}

static void an_image_too_tall(void **state)
{
    static uint16_t grey[RDP_MAX_ROWS + 1];
    struct bench_request request;

    for (int v = 0; v <= RDP_MAX_ROWS; v++)
        grey[v] = 256;
    request = points_of("tall.png", grey, 1, RDP_MAX_ROWS + 1);
    assert_refused(&request, BENCH_EINPUT, "at most 16384 rows, found 16385");
    set("height", "100");
    apply(&request);
    assert_file(request.csv, "u,v,disparity_px\n0,0,1\n0,99,1\n");
}

static void requests_that_make_no_sense(void **state)
{
    struct bench_request request = points_of("two.png", two_columns, 2, 5);

    request.csv = NULL;
    assert_refused(&request, BENCH_EINPUT, "nothing to write");
    request.csv = path_of("no-such-folder/two.csv");
    assert_refused(&request, BENCH_EIO, "no-such-folder");
    give(&request, "column", "0");
    assert_refused(&request, BENCH_EINPUT, "--column");
    request.csv = NULL;
    give(&request, "tree", path_of("no-tree.csv"));
    give(&request, "column", "2");
    assert_refused(&request, BENCH_EINPUT, "found 2");
    request.n_given = 0;
    give(&request, "tree", path_of("no-tree.csv"));
    assert_refused(&request, BENCH_EINPUT, "--column");
    assert_false(is_there(bench_option_value(&request, "tree")));
}

/* ---- the tree ---- */

#define TREE_HEAD "kind,row,disparity_px,first,last,cut,depth,order\n"

static void tree_of_a_hand_made_column(void **state)
{
    static const uint16_t empty[2 * 5];
    static const struct {
        const uint16_t *grey;
        const char *column, *tree;
    } cases[] = {
        {two_columns, "0",
         TREE_HEAD "point,0,10,,,,,\n"
                   "point,1,10,,,,,\n"
                   "point,2,10,,,,,\n"
                   "point,3,20,,,,,\n"
                   "point,4,20,,,,,\n"
                   "node,,,0,4,2,1,1\n"
                   "node,,,0,2,,2,2\n"
                   "node,,,2,4,3,2,3\n"
                   "node,,,2,3,,3,4\n"
                   "node,,,3,4,,3,5\n"
                   "kept,0,10,,,,0,1\n"
                   "kept,2,10,,,,1,2\n"
                   "kept,3,20,,,,2,3\n"
                   "kept,4,20,,,,0,4\n"},
        {two_columns, "1",
         TREE_HEAD "point,1,0.00390625,,,,,\n"
                   "point,2,2.00390625,,,,,\n"
                   "point,4,0.01171875,,,,,\n"
                   "node,,,1,4,,1,1\n"
                   "kept,1,0.00390625,,,,0,1\n"
                   "kept,4,0.01171875,,,,0,2\n"},
        {empty, "1", TREE_HEAD},
    };

    for (size_t i = 0; i < N_OF(cases); i++) {
        struct bench_request request = points_of("two.png", cases[i].grey, 2, 5);

        give(&request, "tree", path_of("tree.csv"));
        give(&request, "column", cases[i].column);
        apply(&request);
        assert_file(path_of("tree.csv"), cases[i].tree);
    }
}

/* ---- pictures ---- */

/* Of a plane [n_rows][n_cols] made by 'value', with eps = 4; the caller frees it. */
static struct picture draw(int n_cols, int n_rows, uint16_t (*value)(int u, int v))
{
    struct rdp_input *in;
    struct picture p;
    void *out;

    assert_int_equal(rdp_input_new(1, n_cols, n_rows, &in), BENCH_OK);
    in->epsilon_q8 = 4 * 256;
    for (int i = 0; i < n_rows * n_cols; i++)
        in->image[i] = value(i % n_cols, i / n_cols);
    rdp_transpose(in, 1);
    assert_int_equal(rdp_problem.make_output(in, &out), BENCH_OK);
    assert_int_equal(fill(NULL, in, out), BENCH_OK);
    assert_int_equal(rdp_picture_draw(in, out, 0, &p), BENCH_OK);
    rdp_problem.free_input(in);
    rdp_problem.free_output(out);
    return p;
}

static int panel_height(const struct picture *p)
{
    return (p->height - (RDP_N_PANELS - 1) * PICTURE_GAP) / RDP_N_PANELS;
}

static const uint8_t *pixel(const struct picture *p, int panel, int x, int y)
{
    const int row = panel * (panel_height(p) + PICTURE_GAP) + y;

    return p->rgb + 3 * (row * p->width + x);
}

static size_t n_colours(const struct picture *p, int panel)
{
    uint8_t *const seen = calloc(1, (1u << 24) / 8);
    size_t n = 0;

    assert_non_null(seen);
    for (int y = 0; y < panel_height(p); y++)
        for (int x = 0; x < p->width; x++) {
            const uint8_t *const c = pixel(p, panel, x, y);
            const uint32_t colour = (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];

            if (!((seen[colour / 8] >> (colour % 8)) & 1))
                n++;
            seen[colour / 8] |= (uint8_t)(1 << (colour % 8));
        }
    free(seen);
    return n;
}

/* A wall of 20 px above, a road below, a column of holes at the left. */
static uint16_t street(int u, int v)
{
    return u == 0 ? RDP_INVALID : v < 50 ? 20 * 256 : (uint16_t)((v - 30) * 256);
}

static uint16_t holes(int u, int v)
{
    (void)u;
    (void)v;
    return RDP_INVALID;
}

static void picture_of_a_street(void **state)
{
    struct picture p = draw(160, 100, street);

    assert_true(p.width == 960 && p.height == 3 * 600 + 2 * PICTURE_GAP); /* six times */
    for (int panel = 0; panel < RDP_N_PANELS; panel++) {
        assert_memory_equal(pixel(&p, panel, 0, 300), "\x26\x26\x26", 3); /* no measurement */
        assert_true(n_colours(&p, panel) > 10);
    }
    assert_memory_equal(pixel(&p, 0, 480, 600), "\xff\xff\xff", 3); /* the gap */
    assert_memory_equal(pixel(&p, 1, 480, 0), "\0\0\0", 3);         /* a kept point */
    assert_memory_equal(pixel(&p, 1, 480, 600 - 6), "\0\0\0", 3);   /* the last row's */
    /* wall and road */
    assert_memory_not_equal(pixel(&p, 1, 480, 60), pixel(&p, 1, 480, 500), 3);
    /* the lines pass through a column of two exact lines: the reconstruction is the input */
    for (int y = 0; y < 600; y++)
        assert_memory_equal(pixel(&p, 0, 480, y), pixel(&p, 2, 480, y), 3);
    picture_free(&p);

    p = draw(3, 2, holes);
    for (int panel = 0; panel < RDP_N_PANELS; panel++)
        assert_int_equal(n_colours(&p, panel), 1);
    picture_free(&p);
}

static void large_images_are_thinned_out(void **state)
{
    static const int size[][2] = {{5000, 100}, {4097, 3}, {3, 16384},
                                  {2048, 1},   {1, 1},    {1242, 375}};

    for (size_t i = 0; i < N_OF(size); i++) {
        struct picture p = draw(size[i][0], size[i][1], street);

        assert_in_range(p.width, 1, 2048);
        assert_in_range(panel_height(&p), 1, 2048);
        picture_free(&p);
    }
}

static void looks(void **state)
{
    const uint32_t range = 100 * 256;

    assert_int_equal(rdp_look(0, 100, 50 * 256, 50 * 256, range, 375), RDP_LOOK_UPRIGHT);
    assert_int_equal(rdp_look(180, 374, 0, 100 * 256, range, 375), RDP_LOOK_GROUND);
    assert_int_equal(rdp_look(180, 374, 100 * 256, 0, range, 375), RDP_LOOK_OTHER);
    assert_int_equal(rdp_look(180, 181, 10 * 256, 60 * 256, range, 375), RDP_LOOK_OTHER);
    assert_int_equal(rdp_look(0, 10, 256, 4 * 256, range, 375), RDP_LOOK_FAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_small_images),
        cmocka_unit_test(eight_bit_images_have_scale_1),
        cmocka_unit_test(a_frame_given_is_used_as_it_is),
        cmocka_unit_test(scenes),
        cmocka_unit_test(bad_scenes),
        cmocka_unit_test(bad_images),
        cmocka_unit_test(an_image_too_tall),
        cmocka_unit_test(requests_that_make_no_sense),
        cmocka_unit_test(tree_of_a_hand_made_column),
        cmocka_unit_test(picture_of_a_street),
        cmocka_unit_test(large_images_are_thinned_out),
        cmocka_unit_test(looks),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
