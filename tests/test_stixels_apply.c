/*
 * test_stixels_apply.c - what apply of stixels draws, and that it takes what a program gives;
 * tests/cases/apply/stixels.case has its lists, meshes, files and refusals
 */
#include "harness/problems/stixels/picture.h"
#include "harness/inputs/image.h"
#include "tests/inputs.h"
#include "tests/stixels_examples.h"

#define APP     stixels_app
#define PROBLEM stixels_problem
#include "tests/apply_drive.h"

/* ---- outputs made here ---- */

/* Each column an object of 10 px without a class; measured 40 px. */
static struct example ten_px(struct shape shape)
{
    const struct example example = new_example(shape);
    const struct stixels_input *const in = example.in;

    for (int i = in->n_frames * in->height * in->width; i-- > 0;)
        in->disparity[i] = 40 * PX;
    fill_columns(example.out, 10);
    return example;
}

#define TEN_PX(...) ten_px((struct shape){__VA_ARGS__})

static const struct camera camera = {
    .fx_px = 100, .fy_px = 100, .cx_px = 1.5, .cy_px = 5.5, .baseline_m = 0.5, .height_m = 1};

/* ---- pictures ---- */

TEST(panels_lie_by_the_shape)
{
    /* rows, columns, of a block; the picture; where the second panel begins */
    static const int shape[][8] = {
        {46, 155, 8, 8, 1240, 2 * 368 + 8, 0, 376}, /* KITTI */
        {60, 80, 8, 8, 2 * 640 + 8, 480, 648, 0},   /* 4:3 */
        {60, 81, 8, 8, 648, 2 * 480 + 8, 0, 488},   /* a little wider */
        {6, 12, 8, 8, 768, 2 * 384 + 8, 0, 392},    /* eight times */
        {1, 1, 1, 1, 8 + 8 + 8, 8, 16, 0},
        {1000, 2, 1, 2, 2 * 8 + 8, 2000, 16, 0},   /* twice, as more than 2048 rows are none */
        {1, 5000, 1, 1, 1667, 2 * 1 + 8, 0, 9},    /* each third */
        {1024, 1, 16, 16, 2 * 2 + 8, 2048, 10, 0}, /* each eighth */
    };

    for (int i = 0; i < N_OF(shape); i++) {
        const int *const of = shape[i], x = of[6], y = of[7];
        const struct example example =
            TEN_PX(.n_rows = of[0], .n_cols = of[1], .block_rows = of[2], .block_cols = of[3]);
        struct picture p;

        assert_int_equal(stixels_picture_draw(example.in, example.out, 0, NULL, &p), BENCH_OK);
        assert_true(p.width == of[4] && p.height == of[5]);
        /* the gap is white from end to end, the pixels around it are not */
        for (int k = 0; k < 10; k++)
            assert_int_equal(
                !memcmp(picture_pixel(&p, x ? x - k : 0, y ? y - k : 0), "\xff\xff\xff", 3),
                k > 0 && k < 9);
        assert_memory_not_equal(picture_pixel(&p, p.width - 1, p.height - 1), "\xff\xff\xff",
                                3);
        picture_free(&p);
    }
}

/* A square for each class that a stixel of the frame has, and for no other. */
TEST(legend_of_classes)
{
    static const struct picture_colour car = {0, 0, 142}, object = {230, 159, 0},
                                       ground = {0, 158, 115};
    const struct example example =
        TEN_PX(.n_rows = 46, .n_cols = 155, .block_rows = 8, .block_cols = 8);
    struct picture p;
    int n_car = 0, n_object = 0, n_ground = 0, top;

    example.out->list[0].semantic = 13;
    assert_int_equal(stixels_picture_draw(example.in, example.out, 0, NULL, &p), BENCH_OK);
    top = p.height;
    assert_int_equal(stixels_picture_legend(example.out, 0, &p), BENCH_OK);
    assert_int_equal(p.height, top + 2 * LEGEND(2));
    for (int y = top; y < p.height; y++)
        for (int x = 0; x < p.width; x++) {
            n_car += !memcmp(picture_pixel(&p, x, y), &car, 3);
            n_object += !memcmp(picture_pixel(&p, x, y), &object, 3);
            n_ground += !memcmp(picture_pixel(&p, x, y), &ground, 3);
        }
    assert_true(n_car == 16 * 16 && n_object == 16 * 16 && n_ground == 0);
    picture_free(&p);
}

/* Panels of 4 x 120 blocks of 8 x 8, not magnified; the middle of block (row from the top,
 * column). */
static const uint8_t *dot(const struct picture *p, int panel, int x, int y)
{
    return picture_pixel(p, x, panel * (4 * 8 + PICTURE_GAP) + y);
}

static const uint8_t *middle(const struct picture *p, int panel, int row, int column)
{
    return dot(p, panel, 8 * column + 4, 8 * row + 4);
}

TEST(colours_and_lines)
{
    struct example example = TEN_PX(.n_frames = 2, .n_rows = 4, .n_cols = 120, .block_rows = 8,
                                    .block_cols = 8, .n_classes = 32);
    struct stixel *const list = example.out->list + 120;
    static const struct stixel own[] = {{0, 3, GR, 0, 0, 40, -13, 0},
                                        {0, 3, SK, 10, 0, 0, 0, 0}, /* then nothing measured */
                                        {0, 3, OB, 13, 0, 0, 0, 0},
                                        {0, 3, OB, 31, 0, 1000, 0, 0},
                                        {0, 1, OB, NO_CLASS, 0, 10, 0, 0},
                                        {2, 3, OB, 13, 0, 10, 0, 0}};
    static const struct {
        int panel, row, column;
        const char *rgb;
    } colours[] = {
        {1, 0, 0, "\x80\x40\x80"}, /* road */
        {1, 0, 1, "\x46\x82\xb4"}, /* sky */
        {1, 0, 2, "\x00\x00\x8e"}, /* car */
        {1, 3, 4, "\xe6\x9f\x00"}, /* an object without a class */
        {1, 0, 4, "\x00\x00\x8e"}, /* on it a car */
        {0, 0, 1, "\xd6\xe2\xf0"}, {0, 0, 2, "\x26\x26\x26"},
        {0, 0, 3, "\xdb\x2c\x2b"}, /* nearer than the range: red */
    };
    struct picture p;
    uint8_t line[3];

    memmove(list + 6, list + 5, 115 * sizeof *list); /* the fifth column has two stixels */
    memcpy(list, own, sizeof own);
    for (int c = 120 + 5; c <= 240; c++)
        example.out->first[c]++;
    assert_int_equal(stixels_picture_draw(example.in, example.out, 1, NULL, &p), BENCH_OK);
    assert_int_equal(p.width, 960);

    for (int i = 0; i < N_OF(colours); i++)
        assert_memory_equal(middle(&p, colours[i].panel, colours[i].row, colours[i].column),
                            colours[i].rgb, 3);
    assert_memory_equal(middle(&p, 0, 3, 10), middle(&p, 0, 0, 4), 3); /* both 10 px */
    assert_true(middle(&p, 0, 3, 0)[0] > middle(&p, 0, 3, 0)[2]);      /* near: more red */
    assert_true(middle(&p, 0, 0, 0)[0] < middle(&p, 0, 0, 0)[2]);      /* far: more blue */

    for (int panel = 0; panel < 2; panel++) { /* lines: darker, on top and at the left alone */
        const uint8_t *const colour = middle(&p, panel, 3, 4);

        for (int k = 0; k < 3; k++)
            line[k] = (uint8_t)((colour[k] + 1) / 2);
        assert_memory_equal(dot(&p, panel, 8 * 4 + 4, 16), line, 3);
        assert_memory_equal(dot(&p, panel, 8 * 4 + 4, 15), middle(&p, panel, 0, 4), 3);
        assert_memory_equal(dot(&p, panel, 8 * 4 + 7, 20), colour, 3);
        assert_true(dot(&p, panel, 8 * 4, 20)[0] < colour[0]);
        assert_true(dot(&p, panel, 8 * 4, 20)[0] > line[0]);
        /* none at the panel's own edge */
        assert_memory_equal(dot(&p, panel, 8 * 4 + 4, 0), middle(&p, panel, 0, 4), 3);
    }
    picture_free(&p);

    /* the first frame has the objects of 10 px alone; over a view, a pixel wider, half of it */
    for (int has_view = 0; has_view < 2; has_view++) {
        struct plane seen = {.width = 961};

        seen.view[0] = has_view ? calloc(32, 961) : NULL;
        for (int i = 0; has_view && i < 32 * 961; i++)
            seen.view[0][i] = (uint8_t)(i % 961 / 8);
        assert_int_equal(stixels_picture_draw(example.in, example.out, 0, &seen, &p), BENCH_OK);
        for (int u = 0; u < 120; u++) {
            const uint8_t half[] = {(uint8_t)((0xe6 + u + 1) / 2),
                                    (uint8_t)((0x9f + u + 1) / 2), (uint8_t)((u + 1) / 2)};

            assert_memory_equal(middle(&p, 1, 2, u),
                                has_view ? half : (const uint8_t *)"\xe6\x9f\x00", 3);
        }
        picture_free(&p);
        plane_free(&seen);
    }
}

TEST(classes_have_colours_of_their_own)
{
    uint32_t seen[32 + N_GEO];

    for (int k = 0; k < 32 + N_GEO; k++) {
        const struct stixel s = {.semantic = (uint8_t)(k < 32 ? k : NO_CLASS),
                                 .geometry = (uint8_t)(k < 32 ? OB : k - 32)};
        const struct picture_colour c = stixels_colour(&s);

        seen[k] = (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
        for (int i = 0; i < k; i++)
            assert_int_not_equal(seen[i], seen[k]);
    }
}

/* ---- the subcommand ---- */

static int is_broken; /* what the variant of this file answers */
static uint8_t seen;  /* the confidence that pixel 9 had */

static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output)
{
    struct stixels_output *const out = output;

    (void)request;
    seen = ((const struct stixels_input *)input)->confidence[9];
    fill_columns(out, 9.5f);
    out->list[0].v_bottom = (uint16_t)is_broken;
    return BENCH_OK;
}

/* 16 x 24 pixels, two by three blocks of 8. */
#define WIDTH    16
#define HEIGHT   24
#define N_PIXELS (HEIGHT * WIDTH)

/* A frame with a camera, to fill. */
static struct plane new_plane(void)
{
    static uint16_t disparity[N_PIXELS];
    static uint8_t confidence[N_PIXELS];

    memset(disparity, 0, sizeof disparity);
    memset(confidence, 7, sizeof confidence);
    return (struct plane){.width = WIDTH,
                          .height = HEIGHT,
                          .disparity = disparity,
                          .confidence = confidence,
                          .camera = camera,
                          .name = "given"};
}

/* It stays as it is beside a companion, also where numbers have commas; a file stays where no
 * result is. */
TEST(a_frame_given_is_borrowed)
{
    static const char half_px[] =
        "u,u_width,v_top,v_bottom,class,semantic,slope,intercept,cost\n"
        "0,8,0,23,object,,0,9.5,0\n8,8,0,23,object,,0,9.5,0\n";
    struct bench_request request =
        request_of("input:scene:typical", "csv=out.csv picture=out.png block=8");
    struct plane plane = new_plane();
    const struct plane before = plane;
    uint8_t sure[N_PIXELS] = {[9] = 3};

    request.frame = &plane;
    for (int comma = 0; comma < 2 && (!comma || support_comma_locale()); comma++) {
        apply_silently(request);
        setlocale(LC_ALL, "C");
        assert_int_equal(seen, 7);
        assert_file(request.csv, half_px);
    }
    pixels_of("out.png", 2 * 8 * WIDTH + 8, 8 * HEIGHT + LEGEND(4));
    write_pgm(path_of("sure.pgm"), WIDTH, HEIGHT, sure);
    give(&request, "confidence", path_of("sure.pgm"));
    apply(&request);
    assert_int_equal(seen, 3);
    assert_memory_equal(&plane, &before, sizeof plane);
    is_broken = 1;
    assert_refused(&request, BENCH_EMISMATCH, "column 0");
    is_broken = 0;
    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    assert_file(request.csv, half_px);
}

/* A picture of what came in: rows of 10, 20 and 30 px, in the colours of such stixels. */
TEST(what_came_in)
{
    static const uint32_t colours[3] = {0x52dcd2, 0x239af6, 0x2b2cdb};
    struct plane plane = new_plane();
    struct bench_request request = request_of("input:came", "block=8 --input-picture=in.png");
    const uint32_t *dot;

    for (int i = 0; i < N_PIXELS; i++)
        plane.disparity[i] = (uint16_t)(10 * PX * (1 + i / WIDTH / 8));
    plane.disparity[0] = X;
    plane.disparity[1] = 0;
    plane.disparity[WIDTH + 2] = 20 * PX;
    request.frame = &plane;
    apply(&request);
    dot = pixels_of("in.png", WIDTH, HEIGHT);
    for (int i = 0; i < N_PIXELS; i++)
        assert_int_equal(dot[i], i == 0   ? 0x262626 /* no measurement */
                                 : i == 1 ? 0xab6328 /* 0 px is as far as it gets */
                                          : colours[i == WIDTH + 2 ? 1 : i / WIDTH / 8]);
}

int main(void)
{
    return run_all_tests(make_folder, remove_folder);
}
