/*
 * test_stixels_apply.c - the apply subcommand of stixels: its list, mesh and pictures, of outputs
 * made by hand
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/problems/stixels/stixels.h"
#include "harness/problems/stixels/picture.h"
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"
#include "tests/files.h"

#define APP     stixels_app
#define PROBLEM stixels_problem
#include "tests/apply_drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PX 256

/* ---- outputs made here ------------------------------------------------------------------- */

struct shape {
    int n_frames, n_rows, n_cols, block_rows, block_cols, n_classes;
};

struct example {
    struct stixels_input *in;
    struct stixels_output *out;
};

static void fill_columns(struct stixels_output *out)
{
    const int n_columns = out->n_frames * out->n_cols;

    memset(out->list, 0, (size_t)n_columns * (size_t)out->n_rows * sizeof *out->list);
    for (int c = 0; c <= n_columns; c++)
        out->first[c] = c;
    for (int c = 0; c < n_columns; c++)
        out->list[c] = (struct stixel){.v_top = (uint16_t)(out->n_rows - 1),
                                       .geometry = STIXELS_OBJECT,
                                       .semantic = STIXELS_NO_CLASS,
                                       .a = 10};
}

/* Each column an object of 10 px without a class. */
static struct example new_example(struct shape s)
{
    struct example example;
    size_t n_pixels;

    assert_int_equal(stixels_input_new(s.n_frames, s.n_rows * s.block_rows,
                                       s.n_cols * s.block_cols, s.block_rows, s.block_cols,
                                       s.n_classes, 0, 0, &example.in),
                     BENCH_OK);
    n_pixels = (size_t)s.n_frames * (size_t)example.in->height * (size_t)example.in->width;
    example.in->dropped_pixels = 0;
    memset(example.in->model, 0, (size_t)s.n_frames * sizeof *example.in->model);
    memset(example.in->confidence, 255, n_pixels);
    for (size_t i = 0; i < n_pixels; i++)
        example.in->disparity[i] = 40 * PX;
    assert_int_equal(stixels_output_new(example.in, &example.out), BENCH_OK);
    fill_columns(example.out);
    return example;
}

static void free_example(struct example *example)
{
    stixels_input_free(example->in);
    stixels_output_free(example->out);
}

/* 3 x 2 blocks of 4 x 2 pixels: ground and an object; ground, an object, sky. */
static const struct stixel street_list[5] = {
    {.v_bottom = 0,
     .v_top = 1,
     .geometry = STIXELS_GROUND,
     .semantic = 1,
     .a = 20,
     .b = -2,
     .cost = 1.5f},
    {.v_bottom = 2,
     .v_top = 2,
     .geometry = STIXELS_OBJECT,
     .semantic = STIXELS_NO_CLASS,
     .a = 7.25f,
     .b = -0.0f,
     .cost = -0.25f},
    {.v_bottom = 0,
     .v_top = 0,
     .geometry = STIXELS_GROUND,
     .semantic = 0,
     .a = 0.1f,
     .b = -1.0f / 3,
     .cost = 1e6f},
    {.v_bottom = 1, .v_top = 1, .geometry = STIXELS_OBJECT, .semantic = 13, .a = 10, .cost = 2},
    {.v_bottom = 2, .v_top = 2, .geometry = STIXELS_SKY, .semantic = 10, .cost = 3}};

static void make_street(struct stixels_output *out)
{
    memset(out->list, 0, 6 * sizeof *out->list);
    memcpy(out->list, street_list, sizeof street_list);
    out->first[1] = 2;
    out->first[2] = 5;
}

static struct example street(void)
{
    struct example example = new_example((struct shape){.n_frames = 1,
                                                        .n_rows = 3,
                                                        .n_cols = 2,
                                                        .block_rows = 4,
                                                        .block_cols = 2,
                                                        .n_classes = 19});

    make_street(example.out);
    return example;
}

static const struct camera camera = {
    .fx_px = 100, .fy_px = 100, .cx_px = 1.5, .cy_px = 5.5, .baseline_m = 0.5, .height_m = 1};

/* ---- the list ---------------------------------------------------------------------------- */

/*
 * Block rows 0, 1, 2 have their middles at image rows 9.5, 5.5, 1.5.  The first ground is 20 px
 * at 9.5 and rises half a pixel per row: 15.25 at row 0.  The second has 0.1f at 9.5 and rises
 * a third over four rows.
 */
static const char street_csv[] =
    "u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost\n"
    "0,2,0,3,object,,0,7.25,-0.25\n"
    "0,2,4,11,ground,1,0.5,15.25,1.5\n"
    "2,2,0,3,sky,10,0,0,3\n"
    "2,2,4,7,object,13,0,10,2\n"
    "2,2,8,11,ground,0,0.0833333358,-0.691666689,1000000\n";

static void assert_csv(const struct example *example, int frame, const char *expected)
{
    struct text text = {0};

    stixels_csv(&text, example->in, example->out, frame);
    assert_int_equal(text_ok(&text), BENCH_OK);
    assert_string_equal(text.data, expected);
    text_free(&text);
}

static void list_of_a_street(void **state)
{
    struct example example = street();

    (void)state;
    assert_csv(&example, 0, street_csv);
    if (support_comma_locale()) {
        assert_csv(&example, 0, street_csv);
        setlocale(LC_ALL, "C");
    }
    free_example(&example);
}

static void list_of_the_second_frame(void **state)
{
    struct example example = new_example((struct shape){
        .n_frames = 2, .n_rows = 1, .n_cols = 2, .block_rows = 1, .block_cols = 3});

    (void)state;
    example.out->list[0].a = 1;
    example.out->list[2].a = 5;
    example.out->list[3].a = 6;
    assert_csv(&example, 1,
               "u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost\n"
               "0,3,0,0,object,,0,5,0\n3,3,0,0,object,,0,6,0\n");
    free_example(&example);
}

/* What the list says of a pixel is what the dense image has there, whatever the block. */
static void list_and_dense_image_agree(void **state)
{
    (void)state;
    for (int block = 1; block <= 8; block++) {
        struct example example = new_example((struct shape){
            .n_frames = 1, .n_rows = 6, .n_cols = 1, .block_rows = block, .block_cols = 1});
        struct text text = {0};
        float dense[48];
        int top, bottom, last = -1;
        double slope, intercept;

        example.out->first[1] = 3;
        for (int i = 0; i < 3; i++)
            example.out->list[i] = (struct stixel){.v_bottom = (uint16_t)(2 * i),
                                                   .v_top = (uint16_t)(2 * i + 1),
                                                   .geometry = STIXELS_GROUND,
                                                   .semantic = STIXELS_NO_CLASS,
                                                   .a = 40 - (float)i,
                                                   .b = -1.25f * (float)(i + 1)};
        stixels_reconstruct(example.in, example.out, 0, dense, NULL);
        stixels_csv(&text, example.in, example.out, 0);
        assert_int_equal(text_ok(&text), BENCH_OK);
        for (char *line = strchr(text.data, '\n'); line && line[1];
             line = strchr(line + 1, '\n')) {
            assert_int_equal(sscanf(line + 1, "0,1,%d,%d,ground,,%lf,%lf,0", &top, &bottom,
                                    &slope, &intercept),
                             4);
            assert_int_equal(top, last + 1);
            for (int r = top; r <= bottom; r++)
                assert_true(fabs(slope * r + intercept - (double)dense[r]) < 1e-5);
            last = bottom;
        }
        assert_int_equal(last, 6 * block - 1);
        text_free(&text);
        free_example(&example);
    }
}

/* ---- the mesh ---------------------------------------------------------------------------- */

/* By hand: Z = 100 * 0.5 / 10 = 5 m for the object of 10 px; pixel edges at u = 1.5 and 3.5, v
 * = 3.5 and 7.5. */
static void mesh_of_a_street(void **state)
{
    struct example example = street();
    struct stixels_ply_count count;
    struct text text = {0};

    (void)state;
    example.out->list[0].semantic = STIXELS_NO_CLASS;
    example.out->list[1].a = 0.9f; /* below 1 px */
    stixels_ply(&text, example.in, example.out, 0, &camera, &count);
    assert_int_equal(text_ok(&text), BENCH_OK);
    /* the first ground: 15.25 + 3.5 / 2 = 17 px at its upper edge, 15.25 + 11.5 / 2 = 21 px at
     * its lower one */
    assert_string_equal(text.data, "ply\n"
                                   "format ascii 1.0\n"
                                   "comment stixels; metres, x right, y down, z ahead of the "
                                   "left camera\n"
                                   "element vertex 8\n"
                                   "property float x\n"
                                   "property float y\n"
                                   "property float z\n"
                                   "property uchar red\n"
                                   "property uchar green\n"
                                   "property uchar blue\n"
                                   "element face 2\n"
                                   "property list uchar int vertex_indices\n"
                                   "end_header\n"
                                   "-0.0588235294 -0.0588235294 2.94117647 0 158 115\n"
                                   "0 -0.0588235294 2.94117647 0 158 115\n"
                                   "0 0.142857143 2.38095238 0 158 115\n"
                                   "-0.0476190476 0.142857143 2.38095238 0 158 115\n"
                                   "0 -0.1 5 0 0 142\n"
                                   "0.1 -0.1 5 0 0 142\n"
                                   "0.1 0.1 5 0 0 142\n"
                                   "0 0.1 5 0 0 142\n"
                                   "4 0 1 2 3\n"
                                   "4 4 5 6 7\n");
    assert_int_equal(count.n_written, 2);
    assert_int_equal(count.n_sky, 1);
    assert_int_equal(count.n_far, 2);
    text_free(&text);
    free_example(&example);
}

/* Every vertex of the plane that a flat road has lies as deep below the camera as the road. */
static void a_flat_road_is_flat(void **state)
{
    struct example example = new_example((struct shape){
        .n_frames = 1, .n_rows = 4, .n_cols = 3, .block_rows = 5, .block_cols = 7});
    const struct camera high = {.fx_px = 100,
                                .fy_px = 80,
                                .cx_px = 10,
                                .cy_px = -20,
                                .baseline_m = 0.5,
                                .height_m = 1.25};
    /* disparity = baseline / height * fx / fy * (row - cy) = 0.5 (row + 20); block row 0 has
     * its middle at row 17 */
    const float slope = 0.5f;
    struct stixels_ply_count count;
    struct text text = {0};
    const char *line;

    (void)state;
    for (int u = 0; u < 3; u++) {
        example.out->list[u].geometry = STIXELS_GROUND;
        example.out->list[u].a = slope * (17 + 20);
        example.out->list[u].b = -5 * slope;
    }
    stixels_ply(&text, example.in, example.out, 0, &high, &count);
    assert_int_equal(text_ok(&text), BENCH_OK);
    assert_int_equal(count.n_written, 3);
    line = strstr(text.data, "end_header\n") + strlen("end_header\n");
    for (int i = 0; i < 12; i++, line = strchr(line, '\n') + 1) {
        const double row = i % 4 < 2 ? -0.5 : 19.5;
        const double u = 7 * (i / 4) - 0.5 + (i % 4 == 1 || i % 4 == 2 ? 7 : 0);
        double x, y, z;

        assert_int_equal(sscanf(line, "%lf %lf %lf", &x, &y, &z), 3);
        assert_true(fabs(y - 1.25) < 1e-6);
        assert_true(fabs(z - 100 * 0.5 / (0.5 * (row + 20))) < 1e-6);
        assert_true(fabs(x - (u - 10) * z / 100) < 1e-6);
    }
    text_free(&text);

    for (int u = 0; u < 3; u++) /* none has a place: the road's end at 1 px less a little */
        example.out->list[u].a -= slope * 19.5f - 0.99f;
    stixels_ply(&text, example.in, example.out, 0, &high, &count);
    assert_int_equal(count.n_written, 0);
    assert_int_equal(count.n_far, 3);
    assert_non_null(strstr(text.data, "element vertex 0\n"));
    assert_non_null(strstr(text.data, "element face 0\n"));
    text_free(&text);
    free_example(&example);
}

static void without_fy_the_pixels_are_square(void **state)
{
    struct example example = street();
    struct camera square = camera;
    struct stixels_ply_count count;
    struct text with = {0}, without = {0};

    (void)state;
    stixels_ply(&with, example.in, example.out, 0, &camera, &count);
    square.fy_px = 0;
    stixels_ply(&without, example.in, example.out, 0, &square, &count);
    assert_string_equal(with.data, without.data);
    text_free(&without);
    square.fy_px = 50;
    stixels_ply(&without, example.in, example.out, 0, &square, &count);
    assert_string_not_equal(with.data, without.data);
    text_free(&with);
    text_free(&without);
    free_example(&example);
}

/* ---- pictures ---------------------------------------------------------------------------- */

static const uint8_t *pixel(const struct stixels_picture *p, int panel, int x, int y)
{
    const size_t row = (size_t)(panel ? p->second_y : 0) + (size_t)y;
    const size_t column = (size_t)(panel ? p->second_x : 0) + (size_t)x;

    return p->rgb + 3 * (row * (size_t)p->width + column);
}

static void panels_lie_by_the_shape(void **state)
{
    static const struct {
        int n_rows, n_cols, block_rows, block_cols;
        int width, height, second_x, second_y;
    } shape[] = {
        {46, 155, 8, 8, 1240, 2 * 368 + 8, 0, 376},    /* KITTI */
        {128, 256, 8, 8, 2048, 2 * 1024 + 8, 0, 1032}, /* Cityscapes */
        {60, 80, 8, 8, 2 * 640 + 8, 480, 648, 0},      /* 4:3 */
        {60, 81, 8, 8, 648, 2 * 480 + 8, 0, 488},      /* a little wider */
        {6, 12, 8, 8, 768, 2 * 384 + 8, 0, 392},       /* eight times */
        {1, 1, 1, 1, 8 + 8 + 8, 8, 16, 0},             /* the same */
        {1000, 2, 1, 2, 2 * 8 + 8, 2000, 16, 0},   /* twice, as more than 2048 rows are none */
        {4, 1200, 1, 1, 1200, 2 * 4 + 8, 0, 12},   /* blocks of a pixel */
        {1, 5000, 1, 1, 1667, 2 * 1 + 8, 0, 9},    /* each third */
        {1024, 1, 16, 16, 2 * 2 + 8, 2048, 10, 0}, /* each eighth */
    };

    (void)state;
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        struct example example = new_example((struct shape){.n_frames = 1,
                                                            .n_rows = shape[i].n_rows,
                                                            .n_cols = shape[i].n_cols,
                                                            .block_rows = shape[i].block_rows,
                                                            .block_cols = shape[i].block_cols});
        struct stixels_picture p;

        assert_int_equal(stixels_picture_draw(example.in, example.out, 0, &p), BENCH_OK);
        assert_int_equal(p.width, shape[i].width);
        assert_int_equal(p.height, shape[i].height);
        assert_int_equal(p.second_x, shape[i].second_x);
        assert_int_equal(p.second_y, shape[i].second_y);
        /* the gap is white, the panels' last pixels are not */
        if (p.second_x)
            assert_memory_equal(pixel(&p, 0, p.panel_width, 0), "\xff\xff\xff", 3);
        else
            assert_memory_equal(pixel(&p, 0, 0, p.panel_height), "\xff\xff\xff", 3);
        for (int panel = 0; panel < 2; panel++)
            assert_memory_not_equal(pixel(&p, panel, p.panel_width - 1, p.panel_height - 1),
                                    "\xff\xff\xff", 3);
        stixels_picture_free(&p);
        free_example(&example);
    }
}

/* Blocks of 8 x 8, not magnified: the middle of block (row from the top, column). */
static const uint8_t *middle(const struct stixels_picture *p, int panel, int row, int column)
{
    return pixel(p, panel, 8 * column + 4, 8 * row + 4);
}

static void colours_and_lines(void **state)
{
    struct example example = new_example((struct shape){.n_frames = 2,
                                                        .n_rows = 4,
                                                        .n_cols = 120,
                                                        .block_rows = 8,
                                                        .block_cols = 8,
                                                        .n_classes = 32});
    struct stixel *const list = example.out->list + 120;
    struct stixels_picture p;
    uint8_t line[3];

    (void)state;
    list[0] = (struct stixel){.v_top = 3, .geometry = STIXELS_GROUND, .a = 40, .b = -13};
    list[1] = (struct stixel){.v_top = 3, .geometry = STIXELS_SKY, .semantic = 10};
    list[2] = (struct stixel){.v_top = 3, .a = 0, .semantic = 13}; /* nothing measured */
    list[3] = (struct stixel){.v_top = 3, .a = 1000, .semantic = 31};
    for (int u = 120; u > 5; u--) /* the fifth column has two stixels */
        list[u] = list[u - 1];
    for (int c = 120 + 5; c <= 240; c++)
        example.out->first[c]++;
    list[4] = (struct stixel){.v_top = 1, .a = 10, .semantic = STIXELS_NO_CLASS};
    list[5] = (struct stixel){.v_bottom = 2, .v_top = 3, .a = 10, .semantic = 13};
    assert_int_equal(stixels_picture_draw(example.in, example.out, 1, &p), BENCH_OK);
    assert_int_equal(p.panel_width, 960);

    assert_memory_equal(middle(&p, 1, 0, 0), "\x80\x40\x80", 3); /* road */
    assert_memory_equal(middle(&p, 1, 0, 1), "\x46\x82\xb4", 3); /* sky */
    assert_memory_equal(middle(&p, 1, 0, 2), "\x00\x00\x8e", 3); /* car */
    assert_memory_equal(middle(&p, 1, 3, 4), "\xe6\x9f\x00", 3); /* an object without a class */
    assert_memory_equal(middle(&p, 1, 0, 4), "\x00\x00\x8e", 3); /* on it a car */
    assert_memory_equal(middle(&p, 0, 0, 1), "\xd6\xe2\xf0", 3);
    assert_memory_equal(middle(&p, 0, 0, 2), "\x26\x26\x26", 3);
    assert_memory_equal(middle(&p, 0, 0, 3), "\xdb\x2c\x2b",
                        3); /* nearer than the range: red */
    assert_memory_equal(middle(&p, 0, 3, 10), middle(&p, 0, 0, 4), 3); /* both 10 px */
    assert_true(middle(&p, 0, 3, 0)[0] > middle(&p, 0, 3, 0)[2]);      /* near: more red */
    assert_true(middle(&p, 0, 0, 0)[0] < middle(&p, 0, 0, 0)[2]);      /* far: more blue */

    for (int panel = 0; panel < 2; panel++) { /* lines: darker, on top and at the left alone */
        const uint8_t *const colour = middle(&p, panel, 3, 4);

        for (int k = 0; k < 3; k++)
            line[k] = (uint8_t)((colour[k] + 1) / 2);
        assert_memory_equal(pixel(&p, panel, 8 * 4 + 4, 16), line, 3);
        assert_memory_equal(pixel(&p, panel, 8 * 4 + 4, 15), middle(&p, panel, 0, 4), 3);
        assert_memory_equal(pixel(&p, panel, 8 * 4 + 7, 20), colour, 3);
        assert_true(pixel(&p, panel, 8 * 4, 20)[0] < colour[0]);
        assert_true(pixel(&p, panel, 8 * 4, 20)[0] > line[0]);
        /* none at the panel's own edge */
        assert_memory_equal(pixel(&p, panel, 8 * 4 + 4, 0), middle(&p, panel, 0, 4), 3);
    }
    stixels_picture_free(&p);

    /* the first frame has the objects of 10 px alone */
    assert_int_equal(stixels_picture_draw(example.in, example.out, 0, &p), BENCH_OK);
    for (int u = 0; u < 120; u++)
        assert_memory_equal(middle(&p, 1, 2, u), "\xe6\x9f\x00", 3);
    stixels_picture_free(&p);
    free_example(&example);
}

static void classes_have_colours_of_their_own(void **state)
{
    uint32_t seen[32 + STIXELS_N_GEOMETRIES];
    int n = 0;

    (void)state;
    for (int k = 0; k < 32 + STIXELS_N_GEOMETRIES; k++) {
        const struct stixel s = {.semantic = (uint8_t)(k < 32 ? k : STIXELS_NO_CLASS),
                                 .geometry = (uint8_t)(k < 32 ? STIXELS_OBJECT : k - 32)};
        const struct picture_colour c = stixels_colour(&s);

        seen[n] = (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
        for (int i = 0; i < n; i++)
            assert_int_not_equal(seen[i], seen[n]);
        n++;
    }
}

/* ---- the subcommand ---------------------------------------------------------------------------- */

/* What the variant of this file saw of its input. */
static struct {
    int height, width, n_classes;
    uint8_t confidence[24 * 16];
    uint16_t probability[32][24 * 16];
    double mu_a, mu_b;
} seen;

static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output)
{
    const struct stixels_input *const in = input;
    struct stixels_output *const out = output;
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;

    (void)request;
    memset(&seen, 0, sizeof seen);
    seen.height = in->height;
    seen.width = in->width;
    seen.n_classes = in->n_classes;
    seen.mu_a = in->model[0].mu_a;
    seen.mu_b = in->model[0].mu_b;
    if (n_pixels <= sizeof seen.confidence) {
        memcpy(seen.confidence, in->confidence, n_pixels);
        for (int k = 0; k < in->n_classes; k++)
            memcpy(seen.probability[k], in->probability + (size_t)k * n_pixels,
                   n_pixels * sizeof *in->probability);
    }
    fill_columns(out);
    return BENCH_OK;
}

static enum bench_status fill_with_a_gap(const struct bench_request *request, const void *input,
                                         void *output)
{
    struct stixels_output *const out = output;

    TRY(fill(request, input, output));
    out->list[0].v_bottom = 1;
    return BENCH_OK;
}

static struct bench_request new_request(const char *image)
{
    const struct bench_request request = request_for(image);

    set("block", "8");
    return request;
}

/* 16 x 24 pixels, two by three blocks of 8, all 10 px but for a corner without. */
#define WIDTH  16
#define HEIGHT 24

static const char *disparity_png(void)
{
    static uint16_t grey[HEIGHT * WIDTH];
    const char *const path = path_of("disparity.png");

    for (int i = 1; i < HEIGHT * WIDTH; i++)
        grey[i] = 10 * PX;
    grey[0] = 0;
    assert_int_equal(image_write_u16(path, grey, WIDTH, HEIGHT), BENCH_OK);
    return path;
}

static const char *camera_ini(const char *name, const char *text)
{
    const char *const path = path_of(name);

    write_bytes(path, text, strlen(text));
    return path;
}

static const char *good_camera(void)
{
    return camera_ini("good.ini", "fx = 100\ncx = 7.5\ncy = 11.5\nbaseline_m = 0.5\n"
                                  "height_m = 1\n");
}

/* 8-bit PGM with value(i) at pixel i. */
static const char *grey_pgm(const char *name, int width, int height, uint8_t (*value)(int i))
{
    char bytes[64 + 32 * 32];
    const int head = snprintf(bytes, sizeof bytes, "P5\n%d %d\n255\n", width, height);

    assert_true(width * height <= 32 * 32);
    for (int i = 0; i < width * height; i++)
        bytes[head + i] = (char)value(i);
    write_bytes(path_of(name), bytes, (size_t)(head + width * height));
    return path_of(name);
}

static uint8_t low_byte(int i)
{
    return (uint8_t)i;
}

/* The upper half building, the lower half road, one pixel unlabelled. */
static uint8_t halves(int i)
{
    return i == 5 ? 255 : i < HEIGHT * WIDTH / 2 ? 2 : 0;
}

/* The same in Cityscapes' own ids: building 11, road 7, ego vehicle 1 (not evaluated). */
static uint8_t halves_full(int i)
{
    return i == 5 ? 1 : i < HEIGHT * WIDTH / 2 ? 11 : 7;
}

static uint8_t beyond(int i)
{
    return (uint8_t)(i == 17 ? 19 : 0);
}

/* NumPy's format 1.0: unsigned bytes of shape (n_classes, height, width), class k's share in
 * 255ths. */
static const char *classes_npy(const char *name, int n_classes, int height, int width)
{
    static char bytes[128 + 4 * HEIGHT * WIDTH];
    const size_t n_pixels = (size_t)height * (size_t)width;
    int n;

    assert_true(n_classes <= 4 && n_pixels <= HEIGHT * WIDTH);
    memset(bytes, ' ', 128);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    n = snprintf(bytes + 10, 118,
                 "{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d, %d), }", n_classes,
                 height, width);
    bytes[10 + n] = ' ';
    bytes[127] = '\n';
    for (int k = 0; k < n_classes; k++)
        memset(bytes + 128 + (size_t)k * n_pixels, k == 0 ? 255 - (n_classes - 1) : 1,
               n_pixels);
    write_bytes(path_of(name), bytes, 128 + (size_t)n_classes * n_pixels);
    return path_of(name);
}

static const char ten_px_csv[] =
    "u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost\n"
    "0,8,0,23,object,,0,10,0\n8,8,0,23,object,,0,10,0\n";

static void an_image_and_its_camera(void **state)
{
    struct bench_request request = new_request(disparity_png());
    struct text text = {0};

    (void)state;
    request.csv = path_of("ten.csv");
    request.picture = path_of("ten.png");
    give(&request, "camera", good_camera());
    give(&request, "ply", path_of("ten.ply"));
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_file(request.csv, ten_px_csv);
    assert_string_equal(message, "");
    assert_int_equal(seen.height, HEIGHT);
    assert_int_equal(seen.width, WIDTH);
    /* the ground that the camera expects: half a pixel per row from 11.5 on; block row 0's
     * middle is 19.5 */
    assert_true(fabs(seen.mu_b + 8 * 0.5) < 1e-9);
    assert_true(fabs(seen.mu_a - 0.5 * (19.5 - 11.5)) < 1e-9);

    assert_int_equal(text_read_file(path_of("ten.ply"), &text), BENCH_OK);
    assert_non_null(strstr(text.data, "element vertex 8\n"));
    assert_non_null(strstr(text.data, "end_header\n-0.4 -0.6 5 230 159 0\n0 -0.6 5 "));
    text_free(&text);
    assert_int_equal(text_read_file(request.picture, &text), BENCH_OK);
    assert_memory_equal(text.data, "\x89PNG\r\n\x1a\n", 8);
    text_free(&text);
}

static void confidence_reaches_the_variant(void **state)
{
    struct bench_request request = new_request(disparity_png());

    (void)state;
    request.csv = path_of("confidence.csv");
    give(&request, "camera", good_camera());
    give(&request, "confidence", grey_pgm("confidence.pgm", WIDTH, HEIGHT, low_byte));
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    for (int i = 1; i < HEIGHT * WIDTH; i++)
        assert_int_equal(seen.confidence[i], i & 0xFF);
}

static void probabilities_reach_the_variant(void **state)
{
    struct bench_request request = new_request(disparity_png());

    (void)state;
    request.csv = path_of("semantic.csv");
    give(&request, "camera", good_camera());
    give(&request, "semantic", classes_npy("three.npy", 3, HEIGHT, WIDTH));
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.n_classes, 3);
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        assert_int_equal(seen.probability[0][i], 253 * 257);
        assert_int_equal(seen.probability[2][i], 257);
    }
}

static void labels_reach_the_variant(void **state)
{
    (void)state;
    for (int full = 0; full < 2; full++) {
        struct bench_request request = new_request(disparity_png());

        request.csv = path_of("labels.csv");
        give(&request, "camera", good_camera());
        give(&request, "labels",
             full ? grey_pgm("full.pgm", WIDTH, HEIGHT, halves_full)
                  : grey_pgm("labels.pgm", WIDTH, HEIGHT, halves));
        if (full)
            set("label_ids", "full");
        assert_int_equal(stixels_app.apply(&request), BENCH_OK);
        assert_int_equal(seen.n_classes, 19);
        for (int i = 0; i < HEIGHT * WIDTH; i++) {
            const int label = i < HEIGHT * WIDTH / 2 ? 2 : 0;

            if (i == 5) /* unlabelled: nothing speaks for a class */
                assert_in_range(seen.probability[18][i], 65535 / 19, 65535 / 19 + 19);
            else
                for (int k = 0; k < 19; k++)
                    assert_int_equal(seen.probability[k][i], k == label ? 65535 : 0);
        }
    }
}

/* -S semantic says otherwise: labels with a network's errors, or nothing at all. */
static void the_key_semantic_decides(void **state)
{
    struct bench_request request = new_request(disparity_png());
    int n_sure = 0;

    (void)state;
    request.csv = path_of("decides.csv");
    give(&request, "camera", good_camera());
    give(&request, "labels", grey_pgm("labels.pgm", WIDTH, HEIGHT, halves));
    set("semantic", "labels");
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.n_classes, 19);
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        n_sure += seen.probability[0][i] == 65535 || seen.probability[2][i] == 65535;
    assert_true(n_sure < HEIGHT * WIDTH / 2);
    set("semantic", "off");
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.n_classes, 0);

    request = new_request(
        disparity_png()); /* as many classes as the file has, unless they are given */
    request.csv = path_of("decides.csv");
    give(&request, "camera", good_camera());
    give(&request, "semantic", classes_npy("three.npy", 3, HEIGHT, WIDTH));
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.n_classes, 3);
    assert_int_equal(bench_int(&params, "classes"), 19);
    set("classes", "4");
    assert_refused(&request, BENCH_EINPUT, "classes");
}

static void a_frame_given_is_borrowed(void **state)
{
    static uint16_t disparity[HEIGHT * WIDTH];
    static uint8_t confidence[HEIGHT * WIDTH];
    struct plane plane = {.width = WIDTH,
                          .height = HEIGHT,
                          .disparity = disparity,
                          .confidence = confidence,
                          .camera = camera,
                          .name = "given"};
    const struct plane before = plane;
    struct bench_request request = new_request("input:scene:typical");

    (void)state;
    memset(confidence, 7, sizeof confidence);
    request.frame = &plane;
    request.csv = path_of("frame.csv");
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_file(request.csv, ten_px_csv);
    assert_int_equal(seen.confidence[9], 7);
    give(&request, "confidence", grey_pgm("confidence.pgm", WIDTH, HEIGHT, low_byte));
    give(&request, "semantic", classes_npy("two.npy", 2, HEIGHT, WIDTH));
    give(&request, "camera", good_camera());
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.confidence[9], 9);
    assert_int_equal(seen.n_classes, 2);
    assert_memory_equal(&plane, &before, sizeof plane);
    give(&request, "disparity-scale", "256");
    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
}

/* A sky and a far object: told how many the mesh has not. */
static enum bench_status fill_far(const struct bench_request *request, const void *input,
                                  void *output)
{
    struct stixels_output *const out = output;

    TRY(fill(request, input, output));
    out->list[0].geometry = STIXELS_SKY;
    out->list[1].a = 0.5f;
    return BENCH_OK;
}

static void what_a_mesh_leaves_out_is_told(void **state)
{
    struct bench_request request = new_request(disparity_png());

    (void)state;
    give(&request, "camera", good_camera());
    give(&request, "ply", path_of("far.ply"));
    request.once = fill_far;
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_non_null(strstr(message, "0 of 2 stixels"));
    assert_non_null(strstr(message, "1 of sky and 1 below 1 px"));
    request.message = NULL; /* not wanted */
    request.message_size = 0;
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
}

static void scenes_have_a_camera(void **state)
{
    struct bench_request request = new_request("scene:3:64x48");

    (void)state;
    request.csv = path_of("scene.csv");
    give(&request, "ply", path_of("scene.ply"));
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.height, 48);
    assert_int_equal(seen.width, 64);
    give(&request, "disparity-scale", "16");
    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
}

/* ---- one column, and what came in -------------------------------------------------------- */

/* Ground under an object under sky in each column. */
static enum bench_status fill_street(const struct bench_request *request, const void *input,
                                     void *output)
{
    struct stixels_output *const out = output;

    TRY(fill(request, input, output));
    memset(out->list, 0, 6 * sizeof *out->list);
    for (int u = 0; u < 2; u++) {
        out->first[u] = 3 * u;
        out->list[3 * u] = (struct stixel){
            .v_top = 0, .geometry = STIXELS_GROUND, .semantic = 0, .a = 4.5f + (float)u};
        out->list[3 * u + 1] = (struct stixel){.v_bottom = 1,
                                               .v_top = 1,
                                               .geometry = STIXELS_GROUND,
                                               .semantic = STIXELS_NO_CLASS,
                                               .a = 4,
                                               .b = -1.25f};
        out->list[3 * u + 2] =
            (struct stixel){.v_bottom = 2, .v_top = 2, .geometry = STIXELS_SKY, .semantic = 10};
    }
    out->first[2] = 6;
    return BENCH_OK;
}

/*
 * 16 x 24 pixels in 2 x 3 blocks of 8, left column from the bottom:
 *     rows 16..23  10 px, confidence 100
 *     rows  8..15  32 pixels of 10 px and 32 of 11, 31 of the former without confidence: no
 *                  more than 33 are left, sum 32 * 11 + 10 = 362, 362 / 33 = 10.97 = 2808.2 / 256;
 *                  confidence 33 * 200 / 64 = 103.1
 *     rows  0..7   31 of 64 pixels have one: none
 */
static void columns_of_blocks(struct plane *plane)
{
    for (int r = 0; r < HEIGHT; r++)
        for (int x = 0; x < WIDTH; x++) {
            const int i = r * WIDTH + x, j = r % 8 * 8 + x;
            int px = 10, sure = 100;

            if (x < 8 && r < 8)
                px = j < 31 ? 10 : -1;
            if (x < 8 && r >= 8 && r < 16) {
                px = j < 32 ? 10 : 11;
                sure = j < 31 ? 0 : 200;
            }
            plane->disparity[i] = (uint16_t)(px < 0 ? STIXELS_INVALID : px * PX);
            plane->confidence[i] = (uint8_t)sure;
        }
}

static void one_column(void **state)
{
    static uint16_t disparity[HEIGHT * WIDTH];
    static uint8_t confidence[HEIGHT * WIDTH];
    struct plane plane = {.width = WIDTH,
                          .height = HEIGHT,
                          .disparity = disparity,
                          .confidence = confidence,
                          .camera = camera,
                          .name = "blocks"};
    struct bench_request request = new_request("blocks");

    (void)state;
    columns_of_blocks(&plane);
    request.frame = &plane;
    request.once = fill_street;
    give(&request, "labels", grey_pgm("labels.pgm", WIDTH, HEIGHT, halves));
    give(&request, "column-data", path_of("column.csv"));
    give(&request, "column", "7");
    /* half a pixel of ground per image row from 5.5 on, so 7 px at 19.5; the horizon is between
     * rows 1 and 2 */
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_file(path_of("column.csv"), "v,row,disparity_px,confidence,ground_px,stixel,class,"
                                       "semantic,stixel_px,colour\n"
                                       "0,19.5,10,100,7,0,ground,0,4.5,0x804080\n"
                                       "1,11.5,10.96875,103,3,1,ground,,2.75,0x009e73\n"
                                       "2,3.5,,48,,2,sky,10,0,0x4682b4\n");
    request.n_given = 2;
    give(&request, "column", "8"); /* the first pixel of the other column */
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_file(path_of("column.csv"), "v,row,disparity_px,confidence,ground_px,stixel,class,"
                                       "semantic,stixel_px,colour\n"
                                       "0,19.5,10,100,7,0,ground,0,5.5,0x804080\n"
                                       "1,11.5,10,100,3,1,ground,,2.75,0x009e73\n"
                                       "2,3.5,10,100,,2,sky,10,0,0x4682b4\n");
}

static void columns_that_are_none(void **state)
{
    static const char *const bad[] = {"-1", "16", "7.5", "left", "", "nan", "1e300"};
    struct bench_request request = new_request(disparity_png());

    (void)state;
    give(&request, "camera", good_camera());
    give(&request, "column", "3");
    request.csv = path_of("no-data.csv");
    assert_refused(&request, BENCH_EINPUT, "--column is for --column-data");
    request.n_given = 1;
    give(&request, "column-data", path_of("no-column.csv"));
    give(&request, "ply", path_of("no-column.ply"));
    assert_refused(&request, BENCH_EINPUT, "expected --column U with it, 0 to 15");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        request.n_given = 3;
        give(&request, "column", bad[i]);
        assert_refused(&request, BENCH_EINPUT, "--column: expected 0 to 15");
    }
    assert_int_not_equal(access(path_of("no-data.csv"), F_OK), 0);
    assert_int_not_equal(access(path_of("no-column.csv"), F_OK), 0);
    assert_int_not_equal(access(path_of("no-column.ply"), F_OK), 0);
}

/* Three rows of blocks of 30, 20 and 10 px, from the bottom; each column alike. */
static struct example three_rows(int width, const uint16_t *disparity)
{
    struct example example = new_example((struct shape){
        .n_frames = 1, .n_rows = 3, .n_cols = width / 8, .block_rows = 8, .block_cols = 8});

    memcpy(example.in->disparity, disparity, (size_t)(width * HEIGHT) * sizeof *disparity);
    for (int u = 0; u < width / 8; u++) {
        example.out->first[u + 1] = 3 * (u + 1);
        for (int v = 0; v < 3; v++)
            example.out->list[3 * u + v] = (struct stixel){.v_bottom = (uint16_t)v,
                                                           .v_top = (uint16_t)v,
                                                           .geometry = STIXELS_OBJECT,
                                                           .semantic = STIXELS_NO_CLASS,
                                                           .a = (float)(10 * (3 - v))};
    }
    return example;
}

static void assert_came_in(int width)
{
    static uint16_t disparity[HEIGHT * 400];
    static uint8_t confidence[HEIGHT * 400];
    struct plane plane = {.width = width,
                          .height = HEIGHT,
                          .disparity = disparity,
                          .confidence = confidence,
                          .camera = camera,
                          .name = "came in"};
    struct bench_request request = new_request("came in");
    struct stixels_picture p;
    struct example example;
    struct image image;
    const uint32_t *dot;
    int zoom;

    for (int i = 0; i < width * HEIGHT; i++)
        disparity[i] = (uint16_t)(10 * PX * (1 + i / width / 8));
    disparity[0] = STIXELS_INVALID;
    disparity[1] = 0;
    disparity[width + 2] = 20 * PX;
    request.frame = &plane;
    give(&request, "input-picture", path_of("in.png"));
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_int_equal(image_read_depth24(path_of("in.png"), &image), BENCH_OK);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, HEIGHT);
    dot = image.pixels;
    example = three_rows(width, disparity);
    assert_int_equal(stixels_picture_draw(example.in, example.out, 0, &p), BENCH_OK);
    zoom = p.panel_width / width;
    assert_int_equal(dot[0], 0x262626); /* no measurement */
    assert_int_equal(dot[1], 0xab6328); /* 0 px is as far as it gets */
    for (int i = 2; i < width * HEIGHT; i++) {
        const int row = i == width + 2 ? 1 : i / width / 8;
        const uint8_t *const colour = pixel(&p, 0, 4 * zoom, (8 * row + 4) * zoom);

        assert_int_equal(dot[i], colour[0] + 256 * colour[1] + 65536 * colour[2]);
    }
    image_free(&image);
    stixels_picture_free(&p);
    free_example(&example);
}

/* A picture of what came in has the colours that stixels of the same disparities have. */
static void what_came_in(void **state)
{
    (void)state;
    assert_came_in(16);  /* panels side by side, magnified eight times */
    assert_came_in(400); /* one above the other, magnified twice */
}

/* ---- what is refused --------------------------------------------------------------------- */

static void cameras_that_do_not_do(void **state)
{
    struct bench_request request = new_request(disparity_png());

    (void)state;
    request.csv = path_of("no-camera.csv");
    assert_refused(&request, BENCH_EINPUT, "--camera FILE");
    give(&request, "camera", camera_ini("no-height.ini", "fx = 100\nbaseline_m = 0.5\n"));
    assert_refused(&request, BENCH_EINPUT, "height_m");
    request.n_given = 0;
    give(&request, "camera",
         camera_ini("no-cx.ini", "fx = 100\nbaseline_m = 0.5\nheight_m = 1\ncy = 9\n"));
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    give(&request, "ply", path_of("no-cx.ply"));
    assert_refused(&request, BENCH_EINPUT, "cx");
    assert_non_null(strstr(bench_failure(), "--ply"));
    assert_int_not_equal(access(path_of("no-cx.ply"), F_OK), 0);
    request.n_given = 0;
    give(&request, "camera", path_of("none.ini"));
    bench_failure_clear();
    assert_int_not_equal(stixels_app.apply(&request), BENCH_OK);
    assert_non_null(strstr(bench_failure(), "none.ini"));
    request.n_given = 0;
    give(&request, "camera", camera_ini("broken.ini", "fx = wide\n"));
    assert_refused(&request, BENCH_EINPUT, "broken.ini");
}

static void companions_that_do_not_fit(void **state)
{
    static const uint16_t grey[HEIGHT * WIDTH];
    const struct {
        const char *option, *path;
        const char *words;
    } bad[] = {
        {"confidence", grey_pgm("narrow.pgm", WIDTH - 1, HEIGHT, low_byte), "15 x 24"},
        {"confidence", path_of("sixteen.png"), "16-bit"},
        {"semantic", classes_npy("small.npy", 2, HEIGHT - 1, WIDTH), "small.npy"},
        {"semantic", grey_pgm("no.npy", WIDTH, HEIGHT, low_byte), "no.npy"},
        {"labels", grey_pgm("narrow-labels.pgm", WIDTH - 1, HEIGHT, halves), "narrow-labels"},
        {"labels", grey_pgm("beyond.pgm", WIDTH, HEIGHT, beyond), "19"},
    };

    (void)state;
    assert_int_equal(image_write_u16(path_of("sixteen.png"), grey, WIDTH, HEIGHT), BENCH_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bench_request request = new_request(disparity_png());

        request.csv = path_of("bad.csv");
        give(&request, "camera", good_camera());
        give(&request, bad[i].option, bad[i].path);
        assert_refused(&request, BENCH_EINPUT, bad[i].words);
        give(&request, bad[i].option, path_of("no-such-file"));
        assert_refused(&request, BENCH_EIO, "no-such-file");
        assert_int_not_equal(access(path_of("bad.csv"), F_OK), 0);
    }
}

static void requests_that_make_no_sense(void **state)
{
    struct bench_request request = new_request(disparity_png());

    (void)state;
    assert_refused(&request, BENCH_EINPUT, "nothing to write");
    request.csv = path_of("kept.csv");
    write_bytes(request.csv, "old", 3);
    give(&request, "camera", good_camera());
    give(&request, "semantic", classes_npy("three.npy", 3, HEIGHT, WIDTH));
    give(&request, "labels", grey_pgm("labels.pgm", WIDTH, HEIGHT, halves));
    assert_refused(&request, BENCH_EINPUT, "--labels");
    request.n_given = 1;
    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    request.once = fill_with_a_gap;
    assert_refused(&request, BENCH_EMISMATCH, "column 0");
    assert_file(path_of("kept.csv"), "old");
    request.once = fill;
    set("columns", "1");
    assert_refused(&request, BENCH_EINPUT, "columns = 1");
    set("columns", "0");
    set("height", "16"); /* two blocks: the rows of the list are those */
    request.csv = path_of("resampled.csv");
    assert_int_equal(stixels_app.apply(&request), BENCH_OK);
    assert_file(request.csv, "u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost\n"
                             "0,8,0,15,object,,0,10,0\n8,8,0,15,object,,0,10,0\n");
    give(&request, "ply", path_of("resampled.ply"));
    assert_refused(&request, BENCH_EINPUT, "height = 16");
    set("height", "0");
    request.csv = path_of("no-such-folder/ten.csv");
    assert_refused(&request, BENCH_EIO, "no-such-folder");
    request.image = path_of("no-such-image.png");
    assert_refused(&request, BENCH_EIO, "no-such-image.png");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_of_a_street),
        cmocka_unit_test(list_of_the_second_frame),
        cmocka_unit_test(list_and_dense_image_agree),
        cmocka_unit_test(mesh_of_a_street),
        cmocka_unit_test(a_flat_road_is_flat),
        cmocka_unit_test(without_fy_the_pixels_are_square),
        cmocka_unit_test(panels_lie_by_the_shape),
        cmocka_unit_test(colours_and_lines),
        cmocka_unit_test(classes_have_colours_of_their_own),
        cmocka_unit_test(an_image_and_its_camera),
        cmocka_unit_test(confidence_reaches_the_variant),
        cmocka_unit_test(probabilities_reach_the_variant),
        cmocka_unit_test(labels_reach_the_variant),
        cmocka_unit_test(the_key_semantic_decides),
        cmocka_unit_test(a_frame_given_is_borrowed),
        cmocka_unit_test(what_a_mesh_leaves_out_is_told),
        cmocka_unit_test(scenes_have_a_camera),
        cmocka_unit_test(one_column),
        cmocka_unit_test(columns_that_are_none),
        cmocka_unit_test(what_came_in),
        cmocka_unit_test(cameras_that_do_not_do),
        cmocka_unit_test(companions_that_do_not_fit),
        cmocka_unit_test(requests_that_make_no_sense),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
