/*
 * test_rdp_apply.c - the apply subcommand of rdp and its pictures, on images made here
 *
 * The variant applied is the serial one, which test_rdp.c holds against an oracle.
 */
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"
#include "harness/measure/measure.h"
#include "harness/problems/rdp/picture.h"

#define APP     rdp_app
#define PROBLEM rdp_problem
#include "tests/apply_drive.h"

#include <stdlib.h>

/* The serial variant. */
static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output)
{
    const struct bench_params none = {0};

    (void)request;
    return bench_once(bench_find_impl("rdp/serial"), &none, 1, NULL, input, output);
}

static void write_grey(const char *name, const uint16_t *grey, int width, int height)
{
    assert_int_equal(image_write_u16(path_of(name), grey, width, height), BENCH_OK);
}

#define POINTS "u,v,disparity_px\n"

/* The points that are kept of an image. */
static void assert_points(const struct bench_request *request, const char *expected)
{
    apply(request);
    assert_file(request->csv, expected);
}

/* ---- kept points ---- */

/* Two columns of five rows; 0 is no measurement by default. */
#define TWO_COLUMNS 10 * 256, 0, 10 * 256, 1, 10 * 256, 513, 20 * 256, 0, 20 * 256, 3

static const uint16_t two_columns[] = {TWO_COLUMNS};

TEST(points_of_small_images)
{
    static const struct {
        int width, height;
        uint16_t grey[10];
        const char *words, *points, *message;
    } cases[] = {
        {2,
         5,
         {TWO_COLUMNS},
         "",
         POINTS "0,0,10\n0,2,10\n0,3,20\n0,4,20\n1,1,0.00390625\n1,4,0.01171875\n",
         NULL},
        {2,
         5,
         {TWO_COLUMNS},
         "invalid=none eps=16",
         POINTS "0,0,10\n0,4,20\n1,0,0\n1,4,0.01171875\n",
         NULL},
        {2,
         5,
         {TWO_COLUMNS},
         "height=10 resample=nearest",
         POINTS "0,0,10\n0,5,10\n0,6,20\n0,9,20\n1,2,0.00390625\n1,9,0.01171875\n",
         NULL},
        {1, 4, {256, 65535, 512, 0}, "invalid=zero-max", POINTS "0,0,1\n0,2,2\n", NULL},
        {1,
         4,
         {256, 65535, 65535, 256},
         "",
         POINTS "0,0,1\n0,1,255.9921875\n0,2,255.9921875\n0,3,1\n",
         NULL},
        {2, 3, {0}, "", POINTS, "no pixel is valid"},
    };

    for (int i = 0; i < N_OF(cases); i++) {
        struct bench_request request = request_of("small.png", cases[i].words);

        request.csv = path_of("points.csv");
        write_grey("small.png", cases[i].grey, cases[i].width, cases[i].height);
        assert_points(&request, cases[i].points);
        if (cases[i].message)
            assert_non_null(strstr(message, cases[i].message));
        else
            assert_string_equal(message, "");
        request.picture = path_of("small-picture.png");
        apply_silently(request);
    }
}

/* Values fall from top to bottom, or are above what a disparity can be; nothing else is asked
 * about, and no scene. */
TEST(depth_is_asked_about)
{
    static const struct {
        uint16_t grey[6]; /* one column */
        const char *says[2];
    } cases[] = {
        {{256, 512, 768, 1024, 1280, 1536}, {NULL, NULL}},
        {{2560, 2560, 2048, 2048, 1536, 1536}, {NULL, NULL}},
        {{2560, 2560, 2048, 2048, 1024, 1024},
         {"depth.png: values fall from 10 px in the upper third to 4 px in the lower",
          "depth?"}},
        {{2560, 2560, 0, 0, 0, 0}, {NULL, NULL}},
        {{65535, 1, 1, 1, 1, 65535}, {"2 of 6 values were above 255.99 px", "is this depth?"}},
    };
    struct bench_request request;

    for (int i = 0; i < N_OF(cases); i++) {
        request = request_of("depth.png", "csv=points.csv picture=depth-picture.png");
        write_grey("depth.png", cases[i].grey, 1, 6);
        apply(&request);
        for (int k = 0; k < 2; k++)
            if (cases[i].says[k] ? !strstr(warning, cases[i].says[k]) : *warning != '\0')
                fail_msg("case %d: '%s'", i, warning);
        assert_non_null(strstr(written, "points.csv, "));
        assert_non_null(strstr(written, "depth-picture.png"));
    }
    request = request_of("scene:1:64x48", "csv=points.csv");
    apply(&request);
    assert_string_equal(warning, "");
}

TEST(values_are_coded)
{
    static const uint16_t grey[4] = {65520, 160, 65520, 320}; /* one column */
    struct bench_request request = request_of("sgm.png", "csv=points.csv --coding=sgm16");

    write_grey("sgm.png", grey, 1, 4);
    assert_points(&request, POINTS "0,1,10\n0,3,20\n");
    assert_string_equal(warning, "");
    request = request_of("sgm.png", "csv=points.csv");
    apply(&request);
    assert_non_null(strstr(warning, "sgm.png: 2 of 4 values are 65520"));
}

TEST(eight_bit_images_have_scale_1)
{
    const char pgm[] = "P5\n1 3\n255\n\x07\x00\xff";
    struct bench_request request = request_of("eight.pgm", "csv=points.csv");

    write_bytes(request.image, pgm, sizeof pgm - 1);
    assert_points(&request, POINTS "0,0,7\n0,2,255\n");
    give(&request, "disparity-scale", "2");
    assert_points(&request, POINTS "0,0,3.5\n0,2,127.5\n");
}

TEST(a_frame_given_is_used_as_it_is)
{
    uint16_t disparity[3] = {256, 0, 512};
    const struct plane plane = {
        .width = 1, .height = 3, .disparity = disparity, .name = "given"};
    struct bench_request request = request_of("input:scene:worst", "csv=points.csv eps=1");

    request.frame = &plane;
    assert_points(&request, POINTS "0,0,1\n0,1,0\n0,2,2\n");
}

TEST(scenes)
{
    static const char *const names[3] = {"scene:3:64x48", "scene:3:64x48", "scene:4:64x48"};
    struct text points[3] = {{0}, {0}, {0}}, picture = {0};
    const uint8_t *bytes;

    for (int i = 0; i < 3; i++) {
        const struct bench_request request =
            request_of(names[i], "csv=scene.csv picture=scene.png");

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

TEST(bad_scenes)
{
    static const char *const bad[] = {"scene:",           "scene:x",
                                      "scene:-1",         "scene:1:",
                                      "scene:1:64",       "scene:1:64x",
                                      "scene:1:0x48",     "scene:1:64x0",
                                      "scene:1:64x48x2",  "scene:1:64x99999999999999999999",
                                      "scene:1:40000x48", "scene:18446744073709551616:64x48",
                                      "scene: 1",         "scene:1:+64x48"};
    struct bench_request request =
        request_of("scene:1", "csv=bad-scene.csv --disparity-scale=16");

    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
    request.n_given = 0;
    for (int i = 0; i < N_OF(bad); i++) {
        request.image = bad[i];
        assert_refused(&request, BENCH_EINPUT, "expected scene[:SEED[:WIDTHxHEIGHT]]");
    }
    assert_false(is_there(request.csv));
}

/* ---- bad images and files ---- */

TEST(bad_requests)
{
    static const struct refusal bad[] = {
        {"", BENCH_EINPUT, "nothing to write"},
        {"csv=kept.csv --disparity-scale=-1", BENCH_EINPUT, "--disparity-scale"},
        {"csv=kept.csv --coding=kiti", BENCH_EINPUT, "did you mean 'kitti'?"},
        {"csv=kept.csv --coding=zed", BENCH_EINPUT, "the coding zed has floats, found values"},
        {"csv=kept.csv --coding=kitti --disparity-scale=2", BENCH_EINPUT,
         "--disparity-scale has"},
        {"csv=kept.csv --coding=kitti invalid=max", BENCH_EINPUT, "-S invalid has no place"},
        {"csv=kept.csv --disparity-scale=0.001", BENCH_EINPUT, "most values are lost"},
        {"csv=no-such-folder/two.csv", BENCH_EIO, "no-such-folder"},
        {"csv=kept.csv --column=0", BENCH_EINPUT, "--column"},
        {"--tree=no-tree.csv --column=2", BENCH_EINPUT, "found 2"},
        {"--tree=no-tree.csv", BENCH_EINPUT, "--column"},
    };
    static const uint16_t tall[RDP_MAX_ROWS + 1];
    const uint8_t rgb[2 * 2 * 3] = {1, 2, 3};
    const struct {
        const char *image;
        enum bench_status status;
        const char *says;
    } images[] = {{"rgb.png", BENCH_EINPUT, "rgb.png"},
                  {"nothing.png", BENCH_EINPUT, "nothing.png"},
                  {"no-such-file.png", BENCH_EIO, "no-such-file.png"},
                  {"tall.png", BENCH_EINPUT, "at most 16384 rows, found 16385"}};
    struct bench_request request;

    write_bytes(path_of("kept.csv"), "old", 3);
    write_grey("two.png", two_columns, 2, 5);
    assert_refusals("two.png", bad, N_OF(bad));
    assert_int_equal(image_write_rgb(path_of("rgb.png"), rgb, 2, 2), BENCH_OK);
    write_bytes(path_of("nothing.png"), "", 0);
    write_grey("tall.png", tall, 1, RDP_MAX_ROWS + 1);
    for (int i = 0; i < N_OF(images); i++) {
        request = request_of(images[i].image, "csv=kept.csv");
        assert_refused(&request, images[i].status, images[i].says);
    }
    request = request_of("two.png", "csv=kept.csv");
    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    assert_file(path_of("kept.csv"), "old");
    assert_false(is_there(path_of("no-tree.csv")));
}

TEST(an_image_too_tall_is_resampled)
{
    static uint16_t grey[RDP_MAX_ROWS + 1];
    const struct bench_request request = request_of("tall.png", "csv=points.csv height=100");

    for (int v = 0; v <= RDP_MAX_ROWS; v++)
        grey[v] = 256;
    write_grey("tall.png", grey, 1, RDP_MAX_ROWS + 1);
    assert_points(&request, POINTS "0,0,1\n0,99,1\n");
}

/* ---- the tree ---- */

#define TREE_HEAD "kind,row,disparity_px,first,last,cut,depth,order\n"

TEST(tree_of_a_hand_made_column)
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

    for (int i = 0; i < N_OF(cases); i++) {
        struct bench_request request = request_of("two.png", "--tree=tree.csv");

        write_grey("two.png", cases[i].grey, 2, 5);
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

TEST(picture_of_a_street)
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

TEST(large_images_are_thinned_out)
{
    static const int size[][2] = {{5000, 100}, {4097, 3}, {3, 16384},
                                  {2048, 1},   {1, 1},    {1242, 375}};

    for (int i = 0; i < N_OF(size); i++) {
        struct picture p = draw(size[i][0], size[i][1], street);

        assert_in_range(p.width, 1, 2048);
        assert_in_range(panel_height(&p), 1, 2048);
        picture_free(&p);
    }
}

TEST(looks)
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
    return run_all_tests(make_folder, remove_folder);
}
