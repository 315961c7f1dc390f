/*
 * test_som_apply.c - the apply subcommand of som: its list, pictures and surfaces, of meshes made by hand
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/problems/picture.h"
#include "harness/problems/som/som.h"
#include "harness/problems/som/picture.h"
#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"
#include "tests/files.h"

#define APP     som_app
#define PROBLEM som_problem
#include "tests/apply_drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WIDTH  60
#define HEIGHT 48
#define COLS   10 /* g = 6 */
#define ROWS   8

/* Between two rows of n nodes there are 2 n - 2 triangles, whichever of them is shifted. */
#define N_TRIANGLES ((ROWS - 1) * (2 * COLS - 2))

/* ---- a request and the files around it ------------------------------------------------------ */

/* What the variant of this file saw, and what it made of it. */
static struct {
    int n_runs, width, height;
    double grey_per_px;
    uint8_t grey[WIDTH * HEIGHT];
    float position[ROWS * COLS][2];
} seen;

/* The regular network, each neuron moved by less than half a link: nothing folds. */
static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output)
{
    const struct som_input *const in = input;
    struct som_output *const out = output;

    (void)request;
    seen.n_runs++;
    seen.width = in->width;
    seen.height = in->height;
    seen.grey_per_px = in->grey_per_px[0];
    som_first_positions(in, out->position);
    for (int i = 0; i < 2 * out->n_neurons; i++)
        out->position[i] += (float)((i * 7919) % 100) / 77.7f - 0.5f;
    if (in->width == WIDTH && in->height == HEIGHT) {
        memcpy(seen.grey, in->grey, sizeof seen.grey);
        if (out->n_neurons == ROWS * COLS)
            memcpy(seen.position, out->position, sizeof seen.position);
    }
    out->counts[0] = (struct som_counts){.updates = 1234567890, .misses = 2, .left_out = 3};
    return BENCH_OK;
}

static enum bench_status fill_with_nan(const struct bench_request *request, const void *input,
                                       void *output)
{
    TRY(fill(request, input, output));
    ((struct som_output *)output)->position[17] = NAN;
    return BENCH_OK;
}

static struct bench_request new_request(const char *image)
{
    memset(&seen, 0, sizeof seen);
    return request_for(image);
}

/* The left half 0 .. 59 by row, the right half 200. */
static uint8_t level_at(int x, int y)
{
    return (uint8_t)(x < WIDTH / 2 ? y : 200);
}

static uint8_t white_at(int x, int y)
{
    (void)x;
    (void)y;
    return 255;
}

static uint8_t black_at(int x, int y)
{
    (void)x;
    (void)y;
    return 0;
}

static const char *map_pgm(const char *name, uint8_t (*level)(int x, int y))
{
    static char bytes[64 + WIDTH * HEIGHT];
    const int head = snprintf(bytes, 64, "P5\n%d %d\n255\n", WIDTH, HEIGHT);

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            bytes[head + y * WIDTH + x] = (char)level(x, y);
    write_bytes(path_of(name), bytes, (size_t)(head + WIDTH * HEIGHT));
    return path_of(name);
}

/* R = x, G = y, B = 7: by 'head' as a PPM. */
static const char *left_ppm(const char *name, const char *head, int width, int height)
{
    static char bytes[64 + 3 * 80 * 80];
    const int n = snprintf(bytes, 64, "%s", head);

    assert_true(width <= 80 && height <= 80);
    for (int i = 0; i < width * height; i++) {
        bytes[n + 3 * i] = (char)(i % width);
        bytes[n + 3 * i + 1] = (char)(i / width);
        bytes[n + 3 * i + 2] = 7;
    }
    write_bytes(path_of(name), bytes, (size_t)(n + 3 * width * height));
    return path_of(name);
}

/* A picture of three channels as 24 bits, red lowest. */
static struct image picture_of(const char *path)
{
    struct image image;

    assert_int_equal(image_read_depth24(path, &image), BENCH_OK);
    return image;
}

static uint32_t pixel(const struct image *image, int x, int y)
{
    return ((const uint32_t *)image->pixels)[y * image->width + x];
}

/* ---- list --------------------------------------------------------------------------------- */

static void assert_list(const char *path, const float (*position)[2])
{
    FILE *const file = fopen(path, "r");
    char line[100];
    int col, row;
    float x, y;

    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "col,row,x,y\n");
    for (int i = 0; i < ROWS * COLS; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        assert_int_equal(sscanf(line, "%d,%d,%f,%f", &col, &row, &x, &y), 4);
        assert_int_equal(col, i % COLS);
        assert_int_equal(row, i / COLS);
        assert_memory_equal(&x, &position[i][0], sizeof x);
        assert_memory_equal(&y, &position[i][1], sizeof y);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
}

static void list_gives_the_positions_back(void **state)
{
    struct bench_request request = new_request(map_pgm("map.pgm", level_at));

    (void)state;
    request.csv = path_of("list.csv");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.n_runs, 1);
    assert_list(request.csv, (const float(*)[2])seen.position);
    if (support_comma_locale()) {
        assert_int_equal(som_app.apply(&request), BENCH_OK);
        setlocale(LC_ALL, "C");
        assert_list(request.csv, (const float(*)[2])seen.position);
    }
    request.message = NULL; /* not wanted */
    request.message_size = 0;
    assert_int_equal(som_app.apply(&request), BENCH_OK);
}

static void the_mesh_as_it_begins(void **state)
{
    struct bench_request request = new_request(map_pgm("map.pgm", level_at));
    float first[ROWS * COLS][2];

    (void)state;
    request.csv = path_of("first.csv");
    set("mesh", "first");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.n_runs, 0);
    for (int i = 0; i < ROWS * COLS; i++) {
        first[i][0] = som_first_x(i % COLS, i / COLS, COLS, WIDTH);
        first[i][1] = som_first_y(i / COLS, ROWS, HEIGHT);
    }
    assert_list(request.csv, (const float(*)[2])first);
    assert_non_null(strstr(message, ", 0 updates"));
}

static void one_sentence_is_said(void **state)
{
    struct bench_request request = new_request(map_pgm("map.pgm", level_at));
    char expected[120];

    (void)state;
    request.csv = path_of("said.csv");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    assert_non_null(strstr(message, "map.pgm: %cost "));
    assert_non_null(strstr(message, " honeycombs, "));
    snprintf(expected, sizeof expected,
             ", 0 of %d triangles folded, 1234567890 updates, left out of full lists: 3",
             N_TRIANGLES);
    assert_non_null(strstr(message, expected));

    request = new_request(map_pgm("black.pgm", black_at));
    request.csv = path_of("said.csv");
    give(&request, "sampling", path_of("nothing.png"));
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    assert_non_null(strstr(message, "black.pgm: no pixel is above the background"));
}

/* ---- levels ------------------------------------------------------------------------------- */

static void levels_of_8_bits_are_as_they_are(void **state)
{
    static const char *const scales[] = {NULL, "1", "3", "4", "16", "255"};

    (void)state;
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        struct bench_request request = new_request(map_pgm("map.pgm", level_at));

        request.csv = path_of("levels.csv");
        if (scales[s])
            give(&request, "disparity-scale", scales[s]);
        assert_int_equal(som_app.apply(&request), BENCH_OK);
        assert_true(fabs(seen.grey_per_px - (scales[s] ? atof(scales[s]) : 1)) < 1e-9);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            assert_int_equal(seen.grey[i], level_at(i % WIDTH, i / WIDTH));
        set("threshold", "20");
        assert_int_equal(som_app.apply(&request), BENCH_OK);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const uint8_t level = level_at(i % WIDTH, i / WIDTH);

            assert_int_equal(seen.grey[i], level > 20 ? level : 0);
        }
    }
}

static void levels_of_16_bits_are_those_of_disparity(void **state)
{
    static uint16_t disparity[WIDTH * HEIGHT];
    struct bench_request request = new_request(path_of("sixteen.png"));

    (void)state;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        disparity[i] = (uint16_t)(i % 100 * 256);
    assert_int_equal(image_write_u16(request.image, disparity, WIDTH, HEIGHT), BENCH_OK);
    request.csv = path_of("sixteen.csv");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(seen.grey[i], 2 * (i % 100));
    set("grey", "0.5");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.grey[99], 50); /* 49.5 */
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* A new input of level_at, and a mesh that is regular. */
static struct som_input *new_input(int width, int height, int g, float **position)
{
    struct som_input *in;

    assert_int_equal(som_input_new(1, width, height, g, 20, 1, &in), BENCH_OK);
    *position = malloc(2 * (size_t)som_n_neurons(in) * sizeof **position);
    assert_non_null(*position);
    som_first_positions(in, *position);
    in->grey_per_px[0] = 1;
    return in;
}

static void sizes_of_pictures(void **state)
{
    static const int size[][4] = {
        {384, 288, 1152, 864}, {450, 375, 900, 750}, {60, 48, 480, 384},
        {900, 750, 900, 750},  {40, 600, 120, 1800}, {2048, 10, 2048, 10},
        {4097, 100, 1366, 34}, {1, 1, 8, 8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct som_picture mesh, dots;
        float *position;
        struct som_input *const in = new_input(size[i][0], size[i][1], 6, &position);

        assert_int_equal(som_picture_draw(in, 0, position, &mesh), BENCH_OK);
        assert_int_equal(som_picture_sampling(in, 0, 10, &dots), BENCH_OK);
        assert_int_equal(mesh.width, size[i][2]);
        assert_int_equal(mesh.height, size[i][3]);
        assert_int_equal(dots.width, size[i][2]);
        assert_int_equal(dots.height, size[i][3]);
        som_picture_free(&mesh);
        som_picture_free(&dots);
        free(position);
        som_input_free(in);
    }
}

/* More than half of the colour, within a pixel of a place. */
static int is_link_near(const struct som_picture *p, double x, double y)
{
    for (int v = (int)y - 1; v <= (int)y + 1; v++)
        for (int u = (int)x - 1; u <= (int)x + 1; u++)
            if (u >= 0 && u < p->width && v >= 0 && v < p->height &&
                p->rgb[3 * (v * p->width + u)] > 115 && p->rgb[3 * (v * p->width + u) + 2] < 80)
                return 1;
    return 0;
}

/* On each link, those at distance 1, and about as much ink as they are long. */
static void links_are_drawn(void **state)
{
    float *position;
    struct som_input *const in = new_input(WIDTH, HEIGHT, 6, &position);
    struct som_picture p;
    size_t n_ink = 0;
    double length = 0;

    (void)state;
    for (int i = 0; i < 2 * ROWS * COLS; i++)
        position[i] += (float)(i * 31 % 17) / 8 - 1;
    assert_int_equal(som_picture_draw(in, 0, position, &p), BENCH_OK);
    for (int a = 0; a < ROWS * COLS; a++)
        for (int b = 0; b < a; b++) {
            const double ax = 8 * (double)position[2 * a], ay = 8 * (double)position[2 * a + 1];
            const double bx = 8 * (double)position[2 * b], by = 8 * (double)position[2 * b + 1];

            if (som_distance(a % COLS, a / COLS, b % COLS, b / COLS) != 1)
                continue;
            length += hypot(ax - bx, ay - by);
            for (int i = 0; i <= 10; i++) {
                const double x = ax + (bx - ax) * i / 10, y = ay + (by - ay) * i / 10;

                if (x >= 0 && y >= 0 && x < p.width && y < p.height)
                    assert_true(is_link_near(&p, x, y));
            }
        }
    for (int i = 0; i < p.width * p.height; i++)
        n_ink += p.rgb[3 * i] > 0; /* the map is black */
    assert_true((double)n_ink > length / 2 && (double)n_ink < 2 * length);
    som_picture_free(&p);
    free(position);
    som_input_free(in);
}

/* Far away, at infinity, nowhere: some ink less, and nothing else. */
static void wild_positions_do_no_harm(void **state)
{
    static const float wild[] = {1e5f, -1e6f, 3e38f, INFINITY, -INFINITY, NAN, -0.0f, 60};
    float *position;
    struct som_input *const in = new_input(WIDTH, HEIGHT, 6, &position);
    struct som_picture p;

    (void)state;
    for (int i = 0; i < 2 * ROWS * COLS; i++)
        if (i % 5 == 0)
            position[i] = wild[i / 5 % 8];
    assert_int_equal(som_picture_draw(in, 0, position, &p), BENCH_OK);
    som_picture_free(&p);
    free(position);
    som_input_free(in);
}

static void picture_of_a_map(void **state)
{
    struct bench_request request = new_request(map_pgm("map.pgm", level_at));
    struct image image;
    size_t n_links = 0;

    (void)state;
    request.picture = path_of("mesh.png");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    image = picture_of(request.picture);
    assert_int_equal(image.width, 8 * WIDTH);
    assert_int_equal(image.height, 8 * HEIGHT);
    assert_int_equal(pixel(&image, 8 * WIDTH - 1, 0), 0x646464); /* half of 200 */
    assert_int_equal(pixel(&image, 0, 8 * HEIGHT - 1), 0x171717);
    for (int i = 0; i < image.width * image.height; i++) {
        const uint32_t colour = pixel(&image, i % image.width, i / image.width);

        n_links += (colour & 0xFF) > (colour >> 16) + 100; /* orange, not grey */
    }
    assert_true(n_links > 5000);
    image_free(&image);
}

/* Each drawn pixel is white and no other, as often as density says. */
static void sampling_of_a_map(void **state)
{
    struct bench_request request = new_request(map_pgm("map.pgm", level_at));
    struct image image, again;
    int n_left = 0, n_right = 0;

    (void)state;
    give(&request, "sampling", path_of("dots.png"));
    set("threshold", "40");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    image = picture_of(path_of("dots.png"));
    assert_int_equal(image.width, 8 * WIDTH);
    assert_int_equal(image.height, 8 * HEIGHT);
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            const uint32_t colour = pixel(&image, x, y);

            assert_true(colour == 0 || colour == 0xFFFFFF);
            assert_int_equal(colour, pixel(&image, x / 8 * 8, y / 8 * 8));
            if (colour && x % 8 == 0 && y % 8 == 0) {
                assert_true(level_at(x / 8, y / 8) > 40);
                n_left += x / 8 < WIDTH / 2;
                n_right += x / 8 >= WIDTH / 2;
            }
        }
    /* 41 .. 47 cubed by 30 pixels: some 1.5 % of 200 cubed by 1440, of which all but e^-7 are hit */
    assert_in_range(n_left, 1, 70);
    assert_in_range(n_right, 1400, 1440);
    set("seed", "2");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    again = picture_of(path_of("dots.png"));
    assert_memory_not_equal(image.pixels, again.pixels,
                            4 * (size_t)image.width * (size_t)image.height);
    image_free(&image);
    image_free(&again);
}

/* ---- surfaces ------------------------------------------------------------------------------ */

struct surface {
    int n_vertices, n_faces;
    double at[ROWS * COLS][3], colour[ROWS * COLS][3];
    int corner[N_TRIANGLES + 1][3]; /* from 0 */
};

static void read_ply(const char *path, struct surface *s)
{
    FILE *const file = fopen(path, "r");
    char line[200];

    assert_non_null(file);
    memset(s, 0, sizeof *s);
    do {
        assert_non_null(fgets(line, sizeof line, file));
        sscanf(line, "element vertex %d", &s->n_vertices);
        sscanf(line, "element face %d", &s->n_faces);
    } while (strcmp(line, "end_header\n") != 0);
    assert_int_equal(s->n_vertices, ROWS * COLS);
    assert_int_equal(s->n_faces, N_TRIANGLES);
    for (int i = 0; i < s->n_vertices; i++)
        assert_int_equal(fscanf(file, "%lf %lf %lf %lf %lf %lf", &s->at[i][0], &s->at[i][1],
                                &s->at[i][2], &s->colour[i][0], &s->colour[i][1],
                                &s->colour[i][2]),
                         6);
    for (int i = 0; i < s->n_faces; i++)
        assert_int_equal(
            fscanf(file, " 3 %d %d %d", &s->corner[i][0], &s->corner[i][1], &s->corner[i][2]),
            3);
    assert_int_equal(fscanf(file, " %199s", line), EOF);
    fclose(file);
}

static void read_obj(const char *path, struct surface *s)
{
    FILE *const file = fopen(path, "r");
    char line[200];

    assert_non_null(file);
    memset(s, 0, sizeof *s);
    while (fgets(line, sizeof line, file))
        if (line[0] == 'v') {
            const int i = s->n_vertices++;

            assert_true(i < ROWS * COLS);
            assert_int_equal(sscanf(line, "v %lf %lf %lf %lf %lf %lf", &s->at[i][0],
                                    &s->at[i][1], &s->at[i][2], &s->colour[i][0],
                                    &s->colour[i][1], &s->colour[i][2]),
                             6);
            for (int k = 0; k < 3; k++)
                s->colour[i][k] *= 255;
        } else if (line[0] == 'f') {
            const int i = s->n_faces++;

            assert_true(i < N_TRIANGLES);
            assert_int_equal(sscanf(line, "f %d %d %d", &s->corner[i][0], &s->corner[i][1],
                                    &s->corner[i][2]),
                             3);
            for (int k = 0; k < 3; k++)
                s->corner[i][k]--;
        } else {
            assert_int_equal(line[0], '#');
        }
    fclose(file);
}

/* Each triangle's corners are linked, all differ, none comes twice; its front is towards the camera. */
static void assert_faces(const struct surface *s)
{
    assert_int_equal(s->n_vertices, ROWS * COLS);
    assert_int_equal(s->n_faces, N_TRIANGLES);
    for (int i = 0; i < s->n_faces; i++) {
        const int *const c = s->corner[i];

        for (int k = 0; k < 3; k++) {
            const int a = c[k], b = c[(k + 1) % 3];

            assert_in_range(a, 0, ROWS * COLS - 1);
            assert_int_equal(som_distance(a % COLS, a / COLS, b % COLS, b / COLS), 1);
        }
        for (int k = 0; k < i; k++) {
            const int *const d = s->corner[k];
            int n_common = 0;

            for (int m = 0; m < 9; m++)
                n_common += c[m / 3] == d[m % 3];
            assert_true(n_common < 3);
        }
    }
}

/* The normal's part along the line of sight, for one depth: < 0 when it points to the camera. */
static void assert_fronts(const struct surface *s)
{
    for (int i = 0; i < s->n_faces; i++) {
        const double *const a = s->at[s->corner[i][0]], *const b = s->at[s->corner[i][1]];
        const double *const c = s->at[s->corner[i][2]];

        assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0);
    }
}

static void near_to(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-7 * (1 + fabs(expected))))
        fail_msg("%.12g, expected %.12g", found, expected);
}

static void surface_of_a_map(void **state)
{
    struct bench_request request = new_request(map_pgm("map.pgm", level_at));
    static struct surface ply, obj;
    struct text text = {0};

    (void)state;
    give(&request, "ply", path_of("mesh.ply"));
    give(&request, "obj", path_of("mesh.obj"));
    give(&request, "disparity-scale", "4");
    set("threshold", "20");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    read_ply(path_of("mesh.ply"), &ply);
    read_obj(path_of("mesh.obj"), &obj);
    assert_faces(&ply);
    assert_faces(&obj);
    for (int i = 0; i < ROWS * COLS; i++) {
        const double x = (double)seen.position[i][0], y = (double)seen.position[i][1];
        const int level = level_at((int)x, (int)y) > 20 ? level_at((int)x, (int)y) : 20;
        const double d = level / 4.0;

        near_to(ply.at[i][0], (x - WIDTH / 2.0) * 0.16 / d);
        near_to(ply.at[i][1], (y - HEIGHT / 2.0) * 0.16 / d);
        near_to(ply.at[i][2], 374 * 0.16 / d);
        for (int k = 0; k < 3; k++) {
            near_to(obj.at[i][k], ply.at[i][k]);
            near_to(ply.colour[i][k], level);
            near_to(obj.colour[i][k], level);
        }
    }
    for (int k = 0; k < 2; k++) {
        assert_int_equal(text_read_file(path_of(k ? "mesh.obj" : "mesh.ply"), &text), BENCH_OK);
        assert_non_null(strstr(text.data, "f = 374 px, B = 0.16 m, those of the paper's"));
        assert_non_null(strstr(text.data, "level / 4 px; background has level 20"));
        text_free(&text);
    }
}

static void fronts_are_towards_the_camera(void **state)
{
    struct bench_request request = new_request(map_pgm("white.pgm", white_at));
    static struct surface surface;

    (void)state;
    give(&request, "ply", path_of("flat.ply"));
    set("mesh", "first");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    read_ply(path_of("flat.ply"), &surface);
    assert_fronts(&surface);

    request = new_request(map_pgm("black.pgm", black_at)); /* no depth at all: level 1 */
    give(&request, "ply", path_of("flat.ply"));
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    read_ply(path_of("flat.ply"), &surface);
    assert_fronts(&surface);
    for (int i = 0; i < ROWS * COLS; i++)
        near_to(surface.at[i][2], 374 * 0.16);
}

/* The input's camera, whose pixels stay its own where the map is resampled; a level of its own for background. */
static void a_frame_has_its_camera(void **state)
{
    static uint16_t disparity[WIDTH * HEIGHT];
    const struct plane plane = {
        .width = WIDTH,
        .height = HEIGHT,
        .disparity = disparity,
        .grey_per_px = 8,
        .threshold = 80,
        .camera = {.fx_px = 100, .fy_px = 50, .cx_px = 20, .cy_px = 10, .baseline_m = 0.5},
        .name = "given"};
    struct bench_request request = new_request("input:given:1");
    static struct surface surface;
    struct text text = {0};

    (void)state;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        disparity[i] = i % WIDTH < 30 ? 10 * 256 : 20 * 256;
    request.frame = &plane;
    give(&request, "ply", path_of("frame.ply"));
    give(&request, "left", left_ppm("left.ppm", "P6\n# by hand\n60 48\n255\n", WIDTH, HEIGHT));
    for (int half = 0; half < 2; half++) {
        if (half) { /* as many neurons over half the pixels */
            set("width", "30");
            set("height", "24");
            set("g", "3");
            set("mesh", "first");
        }
        assert_int_equal(som_app.apply(&request), BENCH_OK);
        read_ply(path_of("frame.ply"), &surface);
        for (int i = 0; i < ROWS * COLS; i++) {
            const double x = half ? (double)som_first_x(i % COLS, i / COLS, COLS, WIDTH)
                                  : (double)seen.position[i][0];
            const double y = half ? (double)som_first_y(i / COLS, ROWS, HEIGHT)
                                  : (double)seen.position[i][1];
            const double z = 100 * 0.5 / (x < 30 ? 10 : 20); /* 80: background at 10 px */

            near_to(surface.at[i][2], z);
            near_to(surface.at[i][0], (x - 20.5) * z / 100);
            near_to(surface.at[i][1], (y - 10.5) * z / 50);
            near_to(surface.colour[i][0], floor(x));
            near_to(surface.colour[i][1], floor(y));
            near_to(surface.colour[i][2], 7);
        }
    }
    assert_int_equal(text_read_file(path_of("frame.ply"), &text), BENCH_OK);
    assert_non_null(strstr(text.data, "f = 100 px, B = 0.5 m, the input's camera\n"));
    text_free(&text);
    give(&request, "disparity-scale", "16");
    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
}

/* The same picture as PPM, PNG of colours and PNG of grey. */
static void left_views(void **state)
{
    static uint8_t rgb[3 * WIDTH * HEIGHT];
    struct text ppm = {0}, png = {0};
    struct bench_request request = new_request(map_pgm("map.pgm", level_at));

    (void)state;
    give(&request, "obj", path_of("ppm.obj"));
    give(&request, "left", left_ppm("left.ppm", "P6 60 48 255\n", WIDTH, HEIGHT));
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        rgb[3 * i] = (uint8_t)(i % WIDTH);
        rgb[3 * i + 1] = (uint8_t)(i / WIDTH);
        rgb[3 * i + 2] = 7;
    }
    assert_int_equal(image_write_rgb(path_of("left.png"), rgb, WIDTH, HEIGHT), BENCH_OK);
    request.n_given = 0;
    give(&request, "obj", path_of("png.obj"));
    give(&request, "left", path_of("left.png"));
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    assert_int_equal(text_read_file(path_of("ppm.obj"), &ppm), BENCH_OK);
    assert_int_equal(text_read_file(path_of("png.obj"), &png), BENCH_OK);
    assert_string_equal(ppm.data, png.data);
    text_free(&ppm);
    text_free(&png);
}

/* 2 x 2 pixels of grey, 8 bits: 10, 20 / 30, 40. */
static const uint8_t grey_png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0x57,
    0xdd, 0x52, 0xf8, 0x00, 0x00, 0x00, 0x0e, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xe0,
    0x12, 0x61, 0x90, 0xd3, 0x00, 0x00, 0x00, 0xec, 0x00, 0x65, 0xfd, 0x90, 0x12, 0xa5, 0x00,
    0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

static void a_left_view_of_grey(void **state)
{
    static const uint8_t map[] = "P5 2 2 255 \xff\xff\xff\xff";
    struct bench_request request = new_request(path_of("two.pgm"));
    struct text text = {0};

    (void)state;
    write_bytes(path_of("two.pgm"), map, sizeof map - 1);
    write_bytes(path_of("grey.png"), grey_png, sizeof grey_png);
    give(&request, "ply", path_of("grey.ply"));
    give(&request, "left", path_of("grey.png"));
    set("g", "1");
    set("mesh", "first");
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    assert_int_equal(text_read_file(path_of("grey.ply"), &text), BENCH_OK);
    assert_non_null(strstr(text.data, " 10 10 10\n"));
    assert_non_null(strstr(text.data, " 40 40 40\n3 "));
    text_free(&text);
}

/* ---- what cannot be ------------------------------------------------------------------------ */

static void bad_left_views(void **state)
{
    static const struct {
        const char *head, *words;
        int width, height;
    } bad[] = {
        {"P6\n48 60\n255\n", "expected 60 x 48 pixels as map.pgm, found 48 x 60", 48, 60},
        {"P6\n61 48\n255\n", "expected 60 x 48 pixels as map.pgm, found 61 x 48", 61, 48},
        {"P6\n60 48\n255\n", "truncated PPM: expected 8640 bytes of pixels, found 8460", 60,
         47},
        {"P6\n60 48\n65535\n", "a largest value of 65535, expected 255", 60, 48},
        {"P6\n60 48\n25\n", "a largest value of 25, expected 255", 60, 48},
        {"P6\n60 48\n255", "expected one blank", 0, 0},
        {"P6\n60 48\n", "broken PPM", 0, 0},
        {"P6\n0 48\n255\n", "broken PPM", 1, 1},
        {"P6\n60 -48\n255\n", "broken PPM", 60, 48},
        {"P6\n99999999999 48\n255\n", "broken PPM", 60, 48},
        {"P6", "neither a PNG of 8 bits", 0, 0},
        {"P3\n60 48\n255\n", "neither a PNG of 8 bits", 60, 48},
        {"", "neither a PNG of 8 bits", 0, 0},
        {"\x89PNG", "neither a PNG of 8 bits", 0, 0},
    };
    static uint16_t sixteen[WIDTH * HEIGHT];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bench_request request = new_request(map_pgm("map.pgm", level_at));

        give(&request, "ply", path_of("bad.ply"));
        give(&request, "left", left_ppm("bad.ppm", bad[i].head, bad[i].width, bad[i].height));
        assert_refused(&request, BENCH_EINPUT, bad[i].words);
        assert_non_null(strstr(bench_failure(), "bad.ppm: "));
        assert_int_equal(seen.n_runs, 0);
        assert_false(is_there(path_of("bad.ply")));
    }
    {
        struct bench_request request = new_request(map_pgm("map.pgm", level_at));

        assert_int_equal(image_write_u16(path_of("16.png"), sixteen, WIDTH, HEIGHT), BENCH_OK);
        request.csv = path_of("bad.csv");
        give(&request, "left", path_of("16.png"));
        assert_refused(&request, BENCH_EINPUT, "--left is for --ply FILE and --obj FILE");
        give(&request, "obj", path_of("bad.obj"));
        assert_refused(&request, BENCH_EINPUT, "neither a PNG of 8 bits");
        give(&request, "left", path_of("nowhere.ppm"));
        assert_refused(&request, BENCH_EIO, "nowhere.ppm");
        give(&request, "left", left_ppm("left.ppm", "P6 60 48 255\n", WIDTH, HEIGHT));
        give(&request, "obj", path_of("left.ppm"));
        assert_refused(&request, BENCH_EINPUT, "which would be lost");
        assert_false(is_there(path_of("bad.obj")));
        assert_false(is_there(path_of("bad.csv")));
    }
}

static void bad_requests(void **state)
{
    struct bench_request request = new_request(path_of("nowhere.pgm"));

    (void)state;
    assert_refused(&request, BENCH_EINPUT, "nothing to write");
    request.csv = path_of("bad.csv");
    request.picture = path_of("bad.png");
    assert_refused(&request, BENCH_EIO, "nowhere.pgm");

    request.image = map_pgm("map.pgm", level_at);
    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    request.once = fill_with_nan;
    assert_refused(&request, BENCH_EMISMATCH, "neuron (8, 0)");
    request.once = fill;
    set("g", "6");
    give(&request, "disparity-scale", "0");
    assert_refused(&request, BENCH_EINPUT, "--disparity-scale");
    request.n_given = 0;
    give(&request, "sampling", request.csv);
    assert_refused(&request, BENCH_EINPUT, "-o and --sampling: expected two files");
    request.n_given = 0;
    give(&request, "ply", path_of("map.pgm"));
    assert_refused(&request, BENCH_EINPUT, "is the image itself, which would be lost");
    assert_false(is_there(path_of("bad.csv")));
    assert_false(is_there(path_of("bad.png")));
}

static void unwritable_paths(void **state)
{
    static const char *const options[] = {"ply", "obj", "sampling"};

    (void)state;
    for (int i = 0; i < 5; i++) {
        struct bench_request request = new_request(map_pgm("map.pgm", level_at));

        if (i < 3)
            give(&request, options[i], path_of("no/folder.x"));
        else if (i == 3)
            request.picture = path_of("no/folder.x");
        else
            request.csv = path_of("no/folder.x");
        assert_refused(&request, BENCH_EIO, "no/folder.x");
        assert_string_equal(message, "left over");
        assert_false(is_there(path_of("no")));
    }
}

static void scenes(void **state)
{
    struct bench_request request = new_request("scene:3:90x60");
    struct text text = {0};

    (void)state;
    give(&request, "ply", path_of("scene.ply"));
    assert_int_equal(som_app.apply(&request), BENCH_OK);
    assert_int_equal(seen.width, 90);
    assert_int_equal(seen.height, 60);
    assert_int_equal((int)seen.grey_per_px, 2);
    assert_int_equal(text_read_file(path_of("scene.ply"), &text), BENCH_OK);
    assert_non_null(strstr(text.data, "the input's camera"));
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_gives_the_positions_back),
        cmocka_unit_test(the_mesh_as_it_begins),
        cmocka_unit_test(one_sentence_is_said),
        cmocka_unit_test(levels_of_8_bits_are_as_they_are),
        cmocka_unit_test(levels_of_16_bits_are_those_of_disparity),
        cmocka_unit_test(sizes_of_pictures),
        cmocka_unit_test(links_are_drawn),
        cmocka_unit_test(wild_positions_do_no_harm),
        cmocka_unit_test(picture_of_a_map),
        cmocka_unit_test(sampling_of_a_map),
        cmocka_unit_test(surface_of_a_map),
        cmocka_unit_test(fronts_are_towards_the_camera),
        cmocka_unit_test(a_frame_has_its_camera),
        cmocka_unit_test(left_views),
        cmocka_unit_test(a_left_view_of_grey),
        cmocka_unit_test(bad_left_views),
        cmocka_unit_test(bad_requests),
        cmocka_unit_test(unwritable_paths),
        cmocka_unit_test(scenes),
    };

    return cmocka_run_group_tests_name("som_apply", tests, make_folder, remove_folder);
}
