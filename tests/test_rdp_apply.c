/*
 * test_rdp_apply.c - what apply of rdp draws, and that it takes what a program gives it;
 * tests/cases/apply/rdp.case has its files, warnings and refusals
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

/* A frame that is given is used as it is; a file stays where no variant runs. */
TEST(frames_and_variants_that_are_given)
{
    uint16_t disparity[3] = {256, 0, 512};
    const struct plane plane = {
        .width = 1, .height = 3, .disparity = disparity, .name = "given"};
    struct bench_request request =
        request_of("input:scene:worst", "csv=a.csv picture=a.png eps=1 legend=no");

    request.frame = &plane;
    apply_silently(request);
    assert_file(request.csv, "u,v,disparity_px\n0,0,1\n0,1,0\n0,2,2\n");
    pixels_of("a.png", 8, 3 * 24 + 2 * PICTURE_GAP);
    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    assert_string_equal(message, "left over");
    assert_file(request.csv, "u,v,disparity_px\n0,0,1\n0,1,0\n0,2,2\n");
}

/* ---- pictures ---- */

/* Draws a plane [n_rows][n_cols] made by 'value', with eps = 4; the caller frees it. */
static struct picture draw_over(int n_cols, int n_rows, uint16_t (*value)(int u, int v),
                                const struct plane *seen)
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
    assert_int_equal(rdp_picture_draw(in, out, 0, seen, &p), BENCH_OK);
    rdp_problem.free_input(in);
    rdp_problem.free_output(out);
    return p;
}

static struct picture draw(int n_cols, int n_rows, uint16_t (*value)(int u, int v))
{
    return draw_over(n_cols, n_rows, value, NULL);
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

/* True if a panel has one colour. */
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

    /* segments over a view are half of either; kept points and the other panels stay */
    struct plane seen = {.width = 160, .view = {calloc(100, 160)}};
    struct picture over;

    for (int i = 0; i < 100 * 160; i++)
        seen.view[0][i] = (uint8_t)(i / 160);
    p = draw(160, 100, street);
    over = draw_over(160, 100, street, &seen);
    for (int y = 0; y < panel_height(&p); y++)
        for (int panel = 0; panel < RDP_N_PANELS; panel++) {
            const uint8_t *const was = pixel(&p, panel, 480, y);
            const int is_half = panel == 1 && memcmp(was, "\0\0\0", 3) != 0;

            for (int k = 0; k < 3; k++)
                assert_int_equal(pixel(&over, panel, 480, y)[k],
                                 is_half ? (was[k] + y / 6 + 1) / 2 : was[k]);
        }
    picture_free(&p);
    picture_free(&over);
    plane_free(&seen);

    p = draw(3, 2, holes);
    for (int panel = 0; panel < RDP_N_PANELS; panel++)
        assert_true(is_plain(&p, panel));
    picture_free(&p);
}

/* "first: disparity 0", the scale and its end, of two pixels a dot; and squares. */
TEST(legend)
{
    static const char *const f[8] = {"..##.", ".#..#", ".#...", "###..",
                                     ".#...", ".#...", ".#...", "....."};
    static const struct picture_colour square[] = {
        {38, 38, 38}, {230, 159, 0}, {0, 158, 115}, {86, 180, 233}, {204, 121, 167}, {0, 0, 0}};
    enum { LEFT = 8, SCALE = LEFT + 18 * 12 + 24, WIDTH = 160 };
    struct picture p = draw(160, 100, street), narrow = draw(3, 2, street);
    const int top = p.height + 12, narrow_top = narrow.height;

    assert_int_equal(rdp_picture_legend(&p) | rdp_picture_legend(&narrow), BENCH_OK);
    assert_int_equal(p.height, top - 12 + 2 * LEGEND(3));
    assert_int_equal(narrow.height, narrow_top + LEGEND(10)); /* a line for each entry */
    assert_memory_equal(picture_pixel(&p, 0, 300), "\x26\x26\x26", 3);
    for (int i = 0; i < 10 * 16; i++)
        assert_int_equal(picture_pixel(&p, LEFT + i % 10, top + i / 10)[0],
                         f[i / 20][i % 10 / 2] == '#' ? 0 : 255);
    for (int i = 0; i < WIDTH; i++) {
        const struct picture_colour c = picture_disparity_ramp((uint32_t)(65536 * i / WIDTH));

        assert_memory_equal(picture_pixel(&p, SCALE + i, top), &c, 3);
    }
    assert_memory_equal(picture_pixel(&p, SCALE + WIDTH, top), "\xff\xff\xff", 3);
    for (int i = 0; i < N_OF(square); i++) {
        int n = 0;

        for (int x = 0; x < p.width; x++)
            for (int y = top; y < top + 48; y += 24)
                n += !memcmp(picture_pixel(&p, x, y), &square[i], 3);
        assert_true(n >= 16);
    }
    picture_free(&p);
    picture_free(&narrow);
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
