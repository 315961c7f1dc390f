/*
 * test_rdp_apply.c - the apply subcommand of rdp and its pictures, on images made here
 *
 * The variant applied is a recursion of this file, so that nothing but rdp's own definition is trusted.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/problems/rdp/rdp.h"
#include "harness/problems/rdp/picture.h"
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"
#include "tests/files.h"

#define APP     rdp_app
#define PROBLEM rdp_problem
#include "tests/apply_drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a variant of this file ------------------------------------------------------------------------- */

static void keep_row(struct rdp_output *out, int u, int v)
{
    out->kept[(size_t)u * (size_t)rdp_n_words(out->n_rows) + (size_t)v / 32] |= 1u << (v % 32);
}

static int is_kept(const struct rdp_output *out, int u, int v)
{
    return (out->kept[(size_t)u * (size_t)rdp_n_words(out->n_rows) + (size_t)v / 32] >>
            (v % 32)) &
           1;
}

static void segment(const struct rdp_input *in, struct rdp_output *out, int u, int f, int l)
{
    const uint16_t *const y = in->y + (size_t)u * (size_t)in->n_rows;
    int64_t most = 0;
    int cut = -1;

    for (int i = f + 1; i < l; i++) {
        const int64_t n =
            llabs((int64_t)(y[l] - y[f]) * (i - f) + (int64_t)(y[f] - y[i]) * (l - f));

        if (y[i] != RDP_INVALID && n > most) {
            most = n;
            cut = i;
        }
    }
    if (cut < 0 || most <= (int64_t)in->epsilon_q8 * (l - f))
        return;
    keep_row(out, u, cut);
    segment(in, out, u, f, cut);
    segment(in, out, u, cut, l);
}

static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output)
{
    const struct rdp_input *const in = input;
    struct rdp_output *const out = output;

    (void)request;
    memset(out->kept, 0,
           (size_t)in->n_cols * (size_t)rdp_n_words(in->n_rows) * sizeof *out->kept);
    for (int u = 0; u < in->n_cols; u++) {
        const uint16_t *const y = in->y + (size_t)u * (size_t)in->n_rows;
        int f = 0, l = in->n_rows - 1;

        out->segments[u] = 0;
        out->rounds[u] = 1;
        while (f < in->n_rows && y[f] == RDP_INVALID)
            f++;
        while (l > f && y[l] == RDP_INVALID)
            l--;
        if (f >= l)
            continue;
        keep_row(out, u, f);
        keep_row(out, u, l);
        segment(in, out, u, f, l);
    }
    return BENCH_OK;
}

/* ---- a request and the files around it -------------------------------------------------------------- */

/* Two columns of five rows; 0 is no measurement by default. */
static const uint16_t two_columns[5][2] = {
    {10 * 256, 0}, {10 * 256, 1}, {10 * 256, 513}, {20 * 256, 0}, {20 * 256, 3}};

static const char *two_columns_png(void)
{
    const char *const path = path_of("two.png");

    assert_int_equal(image_write_u16(path, two_columns[0], 2, 5), BENCH_OK);
    return path;
}

/* ---- kept points ------------------------------------------------------------------------------------ */

static void points_of_a_hand_made_image(void **state)
{
    struct bench_request request = request_for(two_columns_png());

    (void)state;
    request.csv = path_of("two.csv");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n0,0,10\n0,2,10\n0,3,20\n0,4,20\n"
                             "1,1,0.00390625\n1,4,0.01171875\n");
    assert_string_equal(message, "");
}

static void zero_can_be_a_measurement(void **state)
{
    struct bench_request request = request_for(two_columns_png());

    (void)state;
    set("invalid", "none");
    set("eps", "16");
    request.csv = path_of("none.csv");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n0,0,10\n0,4,20\n1,0,0\n1,4,0.01171875\n");
}

static void largest_value_can_be_no_measurement(void **state)
{
    const uint16_t grey[4] = {256, 65535, 512, 0};
    struct bench_request request = request_for(path_of("max.png"));

    (void)state;
    assert_int_equal(image_write_u16(request.image, grey, 1, 4), BENCH_OK);
    request.csv = path_of("max.csv");
    set("invalid", "zero-max");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n0,0,1\n0,2,2\n");
    assert_string_equal(message, "");
}

static void clamped_values_are_told(void **state)
{
    const uint16_t grey[3] = {256, 65535, 65535};
    struct bench_request request = request_for(path_of("clamped.png"));

    (void)state;
    assert_int_equal(image_write_u16(request.image, grey, 1, 3), BENCH_OK);
    request.csv = path_of("clamped.csv");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n0,0,1\n0,1,255.9921875\n0,2,255.9921875\n");
    assert_non_null(strstr(message, "2 of 3 values"));
    request.message = NULL; /* not wanted */
    request.message_size = 0;
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
}

static void eight_bit_images_have_scale_1(void **state)
{
    const char pgm[] = "P5\n1 3\n255\n\x07\x00\xff";
    struct bench_request request = request_for(path_of("eight.pgm"));

    (void)state;
    write_bytes(request.image, pgm, sizeof pgm - 1);
    request.csv = path_of("eight.csv");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n0,0,7\n0,2,255\n");
    give(&request, "disparity-scale", "2");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n0,0,3.5\n0,2,127.5\n");
}

static void an_image_without_measurement(void **state)
{
    const uint16_t grey[6] = {0};
    struct bench_request request = request_for(path_of("empty.png"));

    (void)state;
    assert_int_equal(image_write_u16(request.image, grey, 2, 3), BENCH_OK);
    request.csv = path_of("empty.csv");
    request.picture = path_of("empty-picture.png");
    give(&request, "tree", path_of("empty-tree.csv"));
    give(&request, "column", "1");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n");
    assert_file(bench_option_value(&request, "tree"),
                "kind,row,disparity_px,first,last,cut,depth,order\n");
    assert_non_null(strstr(message, "no pixel is valid"));
}

#define WIDTH  37
#define HEIGHT 53

/* Noise with holes: every row of the CSV in order, exact, and no kept point missing. */
static void points_of_noise(void **state)
{
    static uint16_t grey[HEIGHT][WIDTH];
    struct bench_request request = request_for(path_of("noise.png"));
    const struct plane *frames[1];
    struct plane plane = {.width = WIDTH, .height = HEIGHT, .disparity = grey[0]};
    void *input, *output;
    FILE *file;
    char line[100];
    uint32_t x = 12345;

    (void)state;
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            x = x * 1664525u + 1013904223u;
            grey[v][u] = x >> 29 == 0 ? 0 : (uint16_t)(x >> 17);
        }
    assert_int_equal(image_write_u16(request.image, grey[0], WIDTH, HEIGHT), BENCH_OK);
    request.csv = path_of("noise.csv");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);

    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++)
            if (grey[v][u] == 0)
                grey[v][u] = RDP_INVALID;
    frames[0] = &plane;
    assert_int_equal(rdp_problem.make_input(&params, frames, 1, &input), BENCH_OK);
    assert_int_equal(rdp_problem.make_output(input, &output), BENCH_OK);
    assert_int_equal(fill(&request, input, output), BENCH_OK);
    file = fopen(request.csv, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (int u = 0; u < WIDTH; u++)
        for (int v = 0; v < HEIGHT; v++) {
            int csv_u, csv_v;
            double disparity;

            if (!is_kept(output, u, v))
                continue;
            assert_non_null(fgets(line, sizeof line, file));
            assert_int_equal(sscanf(line, "%d,%d,%lf", &csv_u, &csv_v, &disparity), 3);
            assert_int_equal(csv_u, u);
            assert_int_equal(csv_v, v);
            assert_true(disparity * 256 - grey[v][u] == 0);
        }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    rdp_problem.free_input(input);
    rdp_problem.free_output(output);
}

static void a_frame_given_is_used_as_it_is(void **state)
{
    uint16_t disparity[3] = {256, 0, 512};
    struct plane plane = {.width = 1, .height = 3, .disparity = disparity, .name = "given"};
    struct bench_request request = request_for("input:scene:worst");

    (void)state;
    request.frame = &plane;
    request.csv = path_of("frame.csv");
    set("eps", "1");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n0,0,1\n0,1,0\n0,2,2\n");
}

static void resampled_only_when_asked(void **state)
{
    struct bench_request request = request_for(two_columns_png());
    struct text text = {0};
    int last_row = -1;

    (void)state;
    request.csv = path_of("resampled.csv");
    set("height", "10");
    set("resample", "nearest");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_int_equal(text_read_file(request.csv, &text), BENCH_OK);
    assert_non_null(strstr(text.data, "\n0,9,20\n"));
    assert_non_null(strstr(text.data, "\n1,9,0.01171875\n"));
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
        if (line[0] == '0')
            last_row = atoi(line + 2);
    assert_int_equal(last_row, 9);
    text_free(&text);
}

static void scenes(void **state)
{
    struct bench_request request = request_for("scene:3:64x48");
    struct text first = {0}, again = {0}, other = {0};

    (void)state;
    request.csv = path_of("scene.csv");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_int_equal(text_read_file(request.csv, &first), BENCH_OK);
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_int_equal(text_read_file(request.csv, &again), BENCH_OK);
    request.image = "scene:4:64x48";
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_int_equal(text_read_file(request.csv, &other), BENCH_OK);
    assert_string_equal(first.data, again.data);
    assert_string_not_equal(first.data, other.data);
    assert_non_null(strstr(first.data, "\n63,"));
    assert_null(strstr(first.data, "\n64,"));
    text_free(&first);
    text_free(&again);
    text_free(&other);
}

static void bad_scenes(void **state)
{
    static const char *const bad[] = {"scene:",           "scene:x",
                                      "scene:-1",         "scene:1:",
                                      "scene:1:64",       "scene:1:64x",
                                      "scene:1:0x48",     "scene:1:64x0",
                                      "scene:1:64x48x2",  "scene:1:64x99999999999999999999",
                                      "scene:1:40000x48", "scene:18446744073709551616:64x48"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bench_request request = request_for(bad[i]);

        request.csv = path_of("bad-scene.csv");
        assert_refused(&request, BENCH_EINPUT, "expected scene[:SEED[:WIDTHxHEIGHT]]");
    }
    {
        struct bench_request request = request_for("scene");

        request.csv = path_of("bad-scene.csv");
        give(&request, "disparity-scale", "16");
        assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
    }
    assert_int_not_equal(access(path_of("bad-scene.csv"), F_OK), 0);
}

/* ---- bad images and files --------------------------------------------------------------------------- */

static void bad_images(void **state)
{
    const uint8_t rgb[2 * 2 * 3] = {1, 2, 3};
    struct bench_request request = request_for(path_of("rgb.png"));

    (void)state;
    request.csv = path_of("kept.csv");
    write_bytes(request.csv, "old", 3);
    assert_int_equal(image_write_rgb(request.image, rgb, 2, 2), BENCH_OK);
    assert_refused(&request, BENCH_EINPUT, "3");
    assert_non_null(strstr(bench_failure(), "rgb.png"));

    request.image = path_of("nothing.png");
    write_bytes(request.image, "", 0);
    assert_refused(&request, BENCH_EINPUT, "nothing.png");

    request.image = path_of("no-such-file.png");
    assert_refused(&request, BENCH_EIO, "no-such-file.png");
    assert_file(path_of("kept.csv"), "old");

    request.image = two_columns_png();
    give(&request, "disparity-scale", "-1");
    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
    request.n_given = 0;
    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    assert_file(path_of("kept.csv"), "old");
}

static void an_image_too_tall(void **state)
{
    const int height = RDP_MAX_ROWS + 1;
    uint16_t *const grey = calloc((size_t)height, sizeof *grey);
    struct bench_request request = request_for(path_of("tall.png"));

    (void)state;
    assert_non_null(grey);
    for (int v = 0; v < height; v++)
        grey[v] = 256;
    assert_int_equal(image_write_u16(request.image, grey, 1, height), BENCH_OK);
    free(grey);
    request.csv = path_of("tall.csv");
    assert_refused(&request, BENCH_EINPUT, "16384");
    assert_non_null(strstr(bench_failure(), "16385"));
    set("height", "100");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,v,disparity_px\n0,0,1\n0,99,1\n");
}

static void requests_that_make_no_sense(void **state)
{
    struct bench_request request = request_for(two_columns_png());

    (void)state;
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
    assert_int_not_equal(access(bench_option_value(&request, "tree"), F_OK), 0);
}

/* ---- the tree --------------------------------------------------------------------------------------- */

static void tree_of_a_hand_made_column(void **state)
{
    struct bench_request request = request_for(two_columns_png());

    (void)state;
    give(&request, "tree", path_of("tree.csv"));
    give(&request, "column", "0");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(bench_option_value(&request, "tree"),
                "kind,row,disparity_px,first,last,cut,depth,order\n"
                "point,0,10,,,,,\n"
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
                "kept,4,20,,,,0,4\n");
    give(&request, "column", "1");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_file(bench_option_value(&request, "tree"),
                "kind,row,disparity_px,first,last,cut,depth,order\n"
                "point,1,0.00390625,,,,,\n"
                "point,2,2.00390625,,,,,\n"
                "point,4,0.01171875,,,,,\n"
                "node,,,1,4,,1,1\n"
                "kept,1,0.00390625,,,,0,1\n"
                "kept,4,0.01171875,,,,0,2\n");
}

/* ---- pictures --------------------------------------------------------------------------------------- */

/* Input and output of a plane [n_rows][n_cols] made by 'value'. */
static void make_case(int n_cols, int n_rows, uint16_t (*value)(int u, int v),
                      struct rdp_input **in, struct rdp_output **out)
{
    const struct bench_request request = request_for("");

    assert_int_equal(rdp_input_new(1, n_cols, n_rows, in), BENCH_OK);
    (*in)->epsilon_q8 = 4 * 256;
    (*in)->distance = RDP_VERTICAL;
    for (int v = 0; v < n_rows; v++)
        for (int u = 0; u < n_cols; u++)
            (*in)->image[(size_t)v * (size_t)n_cols + (size_t)u] = value(u, v);
    rdp_transpose(*in, 1);
    assert_int_equal(rdp_output_new(*in, out), BENCH_OK);
    assert_int_equal(fill(&request, *in, *out), BENCH_OK);
}

static const uint8_t *pixel(const struct rdp_picture *p, int panel, int x, int y)
{
    const size_t row = (size_t)panel * (size_t)(p->panel_height + p->gap) + (size_t)y;

    return p->rgb + 3 * (row * (size_t)p->width + (size_t)x);
}

static size_t n_colours(const struct rdp_picture *p, int panel)
{
    uint8_t *const seen = calloc(1, (1u << 24) / 8);
    size_t n = 0;

    assert_non_null(seen);
    for (int y = 0; y < p->panel_height; y++)
        for (int x = 0; x < p->panel_width; x++) {
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
    struct rdp_input *in;
    struct rdp_output *out;
    struct rdp_picture p;

    (void)state;
    make_case(160, 100, street, &in, &out);
    assert_int_equal(rdp_picture_draw(in, out, 0, &p), BENCH_OK);
    assert_int_equal(p.panel_width, 960); /* six times */
    assert_int_equal(p.panel_height, 600);
    assert_int_equal(p.width, 960);
    assert_int_equal(p.height, 3 * 600 + 2 * p.gap);
    for (int panel = 0; panel < RDP_N_PANELS; panel++) {
        assert_memory_equal(pixel(&p, panel, 0, 300), "\x26\x26\x26", 3); /* no measurement */
        assert_true(n_colours(&p, panel) > 10);
    }
    assert_memory_equal(pixel(&p, 0, 480, p.panel_height), "\xff\xff\xff", 3); /* the gap */
    assert_memory_equal(pixel(&p, 1, 480, 0), "\0\0\0", 3); /* a kept point */
    assert_memory_equal(pixel(&p, 1, 480, p.panel_height - 6), "\0\0\0",
                        3); /* the last row's */
    assert_memory_not_equal(pixel(&p, 1, 480, 60), pixel(&p, 1, 480, 500),
                            3); /* wall and road */
    /* the lines pass through a column of two exact lines, so the reconstruction is the input */
    for (int y = 0; y < p.panel_height; y++)
        assert_memory_equal(pixel(&p, 0, 480, y), pixel(&p, 2, 480, y), 3);
    rdp_picture_free(&p);
    rdp_input_free(in);
    rdp_output_free(out);
}

static void picture_of_holes(void **state)
{
    struct rdp_input *in;
    struct rdp_output *out;
    struct rdp_picture p;

    (void)state;
    make_case(3, 2, holes, &in, &out);
    assert_int_equal(rdp_picture_draw(in, out, 0, &p), BENCH_OK);
    for (int panel = 0; panel < RDP_N_PANELS; panel++)
        assert_int_equal(n_colours(&p, panel), 1);
    rdp_picture_free(&p);
    rdp_input_free(in);
    rdp_output_free(out);
}

static void large_images_are_thinned_out(void **state)
{
    static const int size[][2] = {{5000, 100}, {4097, 3}, {3, 16384},
                                  {2048, 1},   {1, 1},    {1242, 375}};

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        struct rdp_input *in;
        struct rdp_output *out;
        struct rdp_picture p;

        make_case(size[i][0], size[i][1], street, &in, &out);
        assert_int_equal(rdp_picture_draw(in, out, 0, &p), BENCH_OK);
        assert_in_range(p.panel_width, 1, 2048);
        assert_in_range(p.panel_height, 1, 2048);
        rdp_picture_free(&p);
        rdp_input_free(in);
        rdp_output_free(out);
    }
}

static void picture_file(void **state)
{
    struct bench_request request = request_for("scene:1:64x48");
    struct text text = {0};
    const uint8_t *bytes;

    (void)state;
    request.picture = path_of("picture.png");
    assert_int_equal(rdp_app.apply(&request), BENCH_OK);
    assert_int_equal(text_read_file(request.picture, &text), BENCH_OK);
    bytes = (const uint8_t *)text.data;
    assert_true(text.size > 1000);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(bytes[18] << 8 | bytes[19], 512); /* 8 times 64 */
    assert_int_equal(bytes[22] << 8 | bytes[23], 3 * 384 + 2 * 8);
    text_free(&text);
}

static void looks(void **state)
{
    const uint32_t range = 100 * 256;

    (void)state;
    assert_int_equal(rdp_look(0, 100, 50 * 256, 50 * 256, range, 375), RDP_LOOK_UPRIGHT);
    assert_int_equal(rdp_look(180, 374, 0, 100 * 256, range, 375), RDP_LOOK_GROUND);
    assert_int_equal(rdp_look(180, 374, 100 * 256, 0, range, 375), RDP_LOOK_OTHER);
    assert_int_equal(rdp_look(180, 181, 10 * 256, 60 * 256, range, 375), RDP_LOOK_OTHER);
    assert_int_equal(rdp_look(0, 10, 256, 4 * 256, range, 375), RDP_LOOK_FAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_a_hand_made_image),
        cmocka_unit_test(zero_can_be_a_measurement),
        cmocka_unit_test(largest_value_can_be_no_measurement),
        cmocka_unit_test(clamped_values_are_told),
        cmocka_unit_test(eight_bit_images_have_scale_1),
        cmocka_unit_test(an_image_without_measurement),
        cmocka_unit_test(points_of_noise),
        cmocka_unit_test(a_frame_given_is_used_as_it_is),
        cmocka_unit_test(resampled_only_when_asked),
        cmocka_unit_test(scenes),
        cmocka_unit_test(bad_scenes),
        cmocka_unit_test(bad_images),
        cmocka_unit_test(an_image_too_tall),
        cmocka_unit_test(requests_that_make_no_sense),
        cmocka_unit_test(tree_of_a_hand_made_column),
        cmocka_unit_test(picture_of_a_street),
        cmocka_unit_test(picture_of_holes),
        cmocka_unit_test(large_images_are_thinned_out),
        cmocka_unit_test(picture_file),
        cmocka_unit_test(looks),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
