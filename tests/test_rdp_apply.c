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
#include "tests/inputs.h"

#include <stdlib.h>

/* The serial variant. */
static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output)
{
    const struct bench_params none = {0};

    (void)request;
    return bench_once(bench_find_impl("rdp/serial"), &none, 1, NULL, input, output);
}

#define POINTS "u,v,disparity_px\n"

/* Two columns of five rows; 0 is no measurement by default. */
static const uint16_t two_columns[] = {10 * 256, 0,        10 * 256, 1,        10 * 256,
                                       513,      20 * 256, 0,        20 * 256, 3};

/* The request for an image of so many columns of n values, and words. */
static struct bench_request grey_request(const char *name, const char *words, int width,
                                         const uint16_t *grey, int n)
{
    const struct bench_request request = request_of(name, words);

    write_grey(path_of(name), grey, width, n / width);
    return request;
}

#define GREY(name, words, width, ...)                                 \
    grey_request(name, words, width, (const uint16_t[]){__VA_ARGS__}, \
                 N_OF(((const uint16_t[]){__VA_ARGS__})))

/* ---- kept points ---- */

/* Its points; of what is said a part, nothing at all where that is "". */
static void assert_points(struct bench_request request, const char *points, const char *said)
{
    apply(&request);
    assert_file(request.csv, points);
    assert_said(message, said);
    assert_true(*said || !*message);
    request.picture = path_of("small-picture.png");
    apply_silently(request);
}

TEST(points_of_small_images)
{
    static const struct {
        const char *words, *points;
    } of_two_columns[] = {
        {"", "0,0,10\n0,2,10\n0,3,20\n0,4,20\n1,1,0.00390625\n1,4,0.01171875\n"},
        {"invalid=none eps=16", "0,0,10\n0,4,20\n1,0,0\n1,4,0.01171875\n"},
        {"height=10 resample=nearest", "0,0,10\n0,5,10\n0,6,20\n0,9,20\n"
                                       "1,2,0.00390625\n1,9,0.01171875\n"}};
    uint16_t disparity[3] = {256, 0, 512}, tall[RDP_MAX_ROWS + 1];
    const struct plane plane = {
        .width = 1, .height = 3, .disparity = disparity, .name = "given"};
    struct bench_request request;

    for (int i = 0; i < N_OF(of_two_columns); i++) {
        char points[200] = POINTS;

        request = grey_request("two.png", of_two_columns[i].words, 2, two_columns, 10);
        request.csv = path_of("points.csv");
        assert_points(request, strcat(points, of_two_columns[i].points), "");
    }
    assert_points(GREY("a.png", "csv=a.csv invalid=zero-max", 1, 256, 65535, 512, 0),
                  POINTS "0,0,1\n0,2,2\n", "");
    assert_points(GREY("a.png", "csv=a.csv", 1, 256, 65535, 65535, 256),
                  POINTS "0,0,1\n0,1,255.9921875\n0,2,255.9921875\n0,3,1\n", "");
    assert_points(GREY("a.png", "csv=a.csv", 2, 0, 0, 0, 0, 0, 0), POINTS, "no pixel is valid");
    assert_points(GREY("a.png", "csv=a.csv --coding=sgm16", 1, 65520, 160, 65520, 320),
                  POINTS "0,1,10\n0,3,20\n", "");
    assert_string_equal(warning, "");
    /* 8 bits have a scale of 1 */
    write_pgm(path_of("eight.pgm"), 1, 3, (const uint8_t *)"\x07\x00\xff");
    request = request_of("eight.pgm", "csv=a.csv");
    assert_points(request, POINTS "0,0,7\n0,2,255\n", "");
    give(&request, "disparity-scale", "2");
    assert_points(request, POINTS "0,0,3.5\n0,2,127.5\n", "");
    /* a frame that is given is used as it is */
    request = request_of("input:scene:worst", "csv=a.csv eps=1");
    request.frame = &plane;
    assert_points(request, POINTS "0,0,1\n0,1,0\n0,2,2\n", "");
    /* an image too tall is resampled */
    for (int v = 0; v <= RDP_MAX_ROWS; v++)
        tall[v] = 256;
    assert_points(grey_request("tall.png", "csv=a.csv height=100", 1, tall, N_OF(tall)),
                  POINTS "0,0,1\n0,99,1\n", "");
}

static void assert_asked(struct bench_request request, const char *one, const char *two)
{
    apply(&request);
    assert_said(warning, one);
    assert_said(warning, two);
    assert_true(*one || !*warning);
    assert_said(written, "points.csv, ");
    assert_said(written, "depth-picture.png");
}

/* Values fall from top to bottom, or are above what a disparity can be, or coded; nothing else
 * is asked about, and no scene. */
TEST(depth_is_asked_about)
{
#define FILES      "csv=points.csv picture=depth-picture.png"
#define DEPTH(...) GREY("depth.png", FILES, 1, __VA_ARGS__)
    assert_asked(DEPTH(256, 512, 768, 1024, 1280, 1536), "", "");
    assert_asked(DEPTH(2560, 2560, 2048, 2048, 1536, 1536), "", "");
    assert_asked(DEPTH(2560, 2560, 0, 0, 0, 0), "", "");
    assert_asked(DEPTH(2560, 2560, 2048, 2048, 1024, 1024),
                 "depth.png: values fall from 10 px in the upper third to 4 px in the lower",
                 "depth?");
    assert_asked(DEPTH(65535, 1, 1, 1, 1, 65535), "2 of 6 values were above 255.99 px",
                 "is this depth?");
    assert_asked(DEPTH(65520, 160, 65520, 320), "depth.png: 2 of 4 values are 65520", "");
    assert_asked(request_of("scene:1:64x48", FILES), "", "");
}

TEST(scenes)
{
    static const char *const names[3] = {"scene:3:64x48", "scene:3:64x48", "scene:4:64x48"};
    struct text points[3] = {{0}, {0}, {0}};

    for (int i = 0; i < 3; i++)
        assert_int_equal(
            text_read_file(applied(names[i], "csv=scene.csv picture=scene.png").csv,
                           &points[i]),
            BENCH_OK);
    assert_string_equal(points[0].data, points[1].data);
    assert_string_not_equal(points[0].data, points[2].data);
    assert_said(points[0].data, "\n63,");
    assert_null(strstr(points[0].data, "\n64,"));
    for (int i = 0; i < 3; i++)
        text_free(&points[i]);
    pixels_of("scene.png", 512, 3 * 384 + 2 * 8); /* 8 times 64 */
}

TEST(bad_scenes)
{
    static const char *const bad[] = {"",           "x",
                                      "-1",         "1:",
                                      "1:64",       "1:64x",
                                      "1:0x48",     "1:64x0",
                                      "1:64x48x2",  "1:64x99999999999999999999",
                                      "1:40000x48", "18446744073709551616:64x48",
                                      " 1",         "1:+64x48"};
    struct bench_request request =
        request_of("scene:1", "csv=bad-scene.csv --disparity-scale=16");
    char name[64];

    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
    request.n_given = 0;
    request.image = name;
    for (int i = 0; i < N_OF(bad); i++) {
        snprintf(name, sizeof name, "scene:%s", bad[i]);
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
    static const struct refusal images[] = {
        {"rgb.png", BENCH_EINPUT, "rgb.png"},
        {"nothing.png", BENCH_EINPUT, "nothing.png"},
        {"no-such-file.png", BENCH_EIO, "no-such-file.png"},
        {"tall.png", BENCH_EINPUT, "at most 16384 rows, found 16385"}};
    static const uint16_t tall[RDP_MAX_ROWS + 1];
    const uint8_t rgb[2 * 2 * 3] = {1, 2, 3};
    struct bench_request request;

    write_bytes(path_of("kept.csv"), "old", 3);
    write_grey(path_of("two.png"), two_columns, 2, 5);
    assert_refusals("two.png", bad, N_OF(bad));
    assert_int_equal(image_write_rgb(path_of("rgb.png"), rgb, 2, 2), BENCH_OK);
    write_bytes(path_of("nothing.png"), "", 0);
    write_grey(path_of("tall.png"), tall, 1, RDP_MAX_ROWS + 1);
    for (int i = 0; i < N_OF(images); i++)
        assert_refusals(images[i].words,
                        &(struct refusal){"csv=kept.csv", images[i].status, images[i].says}, 1);
    request = request_of("two.png", "csv=kept.csv");
    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    assert_file(path_of("kept.csv"), "old");
    assert_false(is_there(path_of("no-tree.csv")));
}

/* ---- the tree ---- */

#define TREE_HEAD "kind,row,disparity_px,first,last,cut,depth,order\n"

static void assert_tree(struct bench_request request, const char *column, const char *tree)
{
    give(&request, "column", column);
    apply(&request);
    assert_file(path_of("tree.csv"), tree);
}

TEST(tree_of_a_hand_made_column)
{
    const struct bench_request two =
        grey_request("two.png", "--tree=tree.csv", 2, two_columns, 10);

    assert_tree(two, "0",
                TREE_HEAD "point,0,10,,,,,\npoint,1,10,,,,,\npoint,2,10,,,,,\n"
                          "point,3,20,,,,,\npoint,4,20,,,,,\n"
                          "node,,,0,4,2,1,1\nnode,,,0,2,,2,2\nnode,,,2,4,3,2,3\n"
                          "node,,,2,3,,3,4\nnode,,,3,4,,3,5\n"
                          "kept,0,10,,,,0,1\nkept,2,10,,,,1,2\nkept,3,20,,,,2,3\n"
                          "kept,4,20,,,,0,4\n");
    assert_tree(two, "1",
                TREE_HEAD "point,1,0.00390625,,,,,\npoint,2,2.00390625,,,,,\n"
                          "point,4,0.01171875,,,,,\nnode,,,1,4,,1,1\n"
                          "kept,1,0.00390625,,,,0,1\nkept,4,0.01171875,,,,0,2\n");
    assert_tree(GREY("empty.png", "--tree=tree.csv", 2, 0, 0, 0, 0), "1", TREE_HEAD);
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

/* Whether a panel has one colour. */
static int is_plain(const struct picture *p, int panel)
{
    int n_others = 0;

    for (int i = 0; i < panel_height(p) * p->width; i++)
        n_others +=
            memcmp(pixel(p, panel, i % p->width, i / p->width), pixel(p, panel, 0, 0), 3) != 0;
    return n_others == 0;
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
        assert_false(is_plain(&p, panel));
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
        assert_true(is_plain(&p, panel));
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
