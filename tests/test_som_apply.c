/*
 * test_som_apply.c - the apply subcommand of som: its list and pictures, of meshes made by
 * hand; tests/cases/apply/som.case has its surfaces and refusals
 */
#include "harness/problems/picture.h"
#include "harness/problems/som/som.h"
#include "harness/problems/som/picture.h"
#include "harness/inputs/plane.h"

#define APP     som_app
#define PROBLEM som_problem
#include "tests/apply_drive.h"
#include "tests/inputs.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH  60
#define HEIGHT 48
#define PIXELS (WIDTH * HEIGHT)
#define COLS   10 /* g = 6 */
#define ROWS   8

/* ---- a request and the files around it ---- */

static int n_runs; /* of the variant of this file */

/* Its mesh: nothing folds; a position is no number; it is turned over, and a triangle has no
 * area; the corners of 4 x 6 px, a peak, and a pixel of the background; a square of 8 px over
 * these, and its middle. */
static enum { USUAL, WITH_NAN, MIRRORED, OF_PIXELS, OF_HALVES } how;

/* The regular network, each neuron moved by less than half a link. */
static enum bench_status fill(const struct bench_request *request, const void *input,
                              void *output)
{
    static const float pixels[] = {0.5F, 0.5F, 3.5F, 0.5F, 0.5F, 5.5F,
                                   3.5F, 5.5F, 1.5F, 1.5F, 0.5F, 3.5F};
    static const float halves[N_OF(pixels)] = {0.5F, 0.5F, 8.5F, 0.5F, 4.5F,
                                               4.5F, 0.5F, 8.5F, 8.5F, 8.5F};
    const struct som_input *const in = input;
    struct som_output *const out = output;

    (void)request;
    n_runs++;
    som_first_positions(in, out->position);
    for (int i = 0; i < 2 * out->n_neurons; i++)
        out->position[i] += (float)((i * 7919) % 100) / 77.7f - 0.5f;
    out->counts[0] = (struct som_counts){.updates = 1234567890, .misses = 2, .left_out = 3};
    if (how == WITH_NAN)
        out->position[17] = NAN;
    if (how == MIRRORED) {
        for (int i = 0; i < out->n_neurons; i++)
            out->position[2 * i] = WIDTH - out->position[2 * i];
        memcpy(out->position + 2, out->position, 2 * sizeof *out->position);
    }
    if (how == OF_PIXELS || how == OF_HALVES) {
        const bool is_delaunay = how == OF_PIXELS;

        assert_int_equal(2 * out->n_neurons, N_OF(pixels));
        memcpy(out->position, is_delaunay ? pixels : halves, sizeof pixels);
        out->counts[0] = (struct som_counts){is_delaunay ? 6 : 5, SOM_NO_NETWORK,
                                             is_delaunay ? SOM_DELAUNAY : SOM_RTIN_KEPT};
    }
    return BENCH_OK;
}

/* A request of which the variant makes something else. */
static void apply_as(struct bench_request request, int other)
{
    how = other;
    apply(&request);
    how = USUAL;
}

/* The left half 0 .. 59 by row, the right half 200. */
static uint8_t level_at(int x, int y)
{
    return (uint8_t)(x < WIDTH / 2 ? y : 200);
}

static struct bench_request map_request(const char *words)
{
    uint8_t map[PIXELS];

    for (int i = 0; i < PIXELS; i++)
        map[i] = level_at(i % WIDTH, i / WIDTH);
    write_pgm(path_of("map.pgm"), WIDTH, HEIGHT, map);
    return request_of("map.pgm", words);
}

/* ---- list ---- */

/* Also where numbers have commas; and as the mesh begins, which no variant is asked for. */
TEST(list_gives_the_positions_back)
{
    struct bench_request request = map_request("csv=list.csv g=20");

    for (int comma = 0; comma < 2 && (!comma || support_comma_locale()); comma++) {
        apply(&request);
        setlocale(LC_ALL, "C");
        assert_file(request.csv, "col,row,x,y\n0,0,14.5,11.7445307\n1,0,34.9890594,12.2335911\n"
                                 "2,0,55.4781227,12.7226515\n0,1,4.68018007,35.9247093\n"
                                 "1,1,25.169241,36.4137726\n2,1,45.6583023,35.6158295\n");
    }
    n_runs = 0;
    set("mesh", "first");
    apply_silently(request);
    assert_int_equal(n_runs, 0);
}

TEST(one_sentence_is_said)
{
    struct bench_request request = map_request("csv=said.csv");

    apply(&request);
    assert_said(message, "%cost ");
    assert_said(message, " honeycombs, 0 of 126 triangles folded, 1234567890 updates, "
                         "left out of full lists: 3");
    assert_null(strstr(message, "mirrored"));
    assert_said(message, "; threshold 0: ");
    apply_as(request, MIRRORED);
    assert_said(message, " honeycombs, 125 of 126 triangles folded, 1 without area");
    assert_said(message, "the mesh lies mirrored, which %cost does not see");
}

/* ---- pictures ---- */

static float position[2 * 150 * 125]; /* of a regular mesh, to begin with */

/* A black map of at most 900 x 750 px. */
static struct som_input *new_input(int width, int height)
{
    static uint16_t disparity[900 * 750];
    const struct plane plane = {.width = width, .height = height, .disparity = disparity};
    const struct plane *const frames[1] = {&plane};
    void *input;

    request_for(""); /* keys at their defaults */
    assert_int_equal(som_problem.make_input(&params, frames, 1, &input), BENCH_OK);
    som_first_positions(input, position);
    return input;
}

TEST(sizes_of_pictures)
{
    static const int size[][4] = {{450, 375, 900, 750}, {4097, 100, 1366, 34}, {1, 1, 8, 8}};

    for (int i = 0; i < 2 * N_OF(size); i++) {
        struct som_input *const in = new_input(size[i / 2][0], size[i / 2][1]);
        struct picture p;

        assert_int_equal(i % 2 ? som_picture_draw(in, position, NULL, NULL, &p)
                               : som_picture_sampling(in, &p),
                         BENCH_OK);
        assert_true(p.width == size[i / 2][2] && p.height == size[i / 2][3]);
        free(p.rgb);
        som_problem.free_input(in);
    }
}

/* More than half of the colour, within a pixel of a place. */
static int is_link_near(const struct picture *p, double x, double y)
{
    int n = 0;

    for (int i = 0; i < 9; i++) {
        const int u = (int)x + i % 3 - 1, v = (int)y + i / 3 - 1;

        n += u >= 0 && u < p->width && v >= 0 && v < p->height &&
             p->rgb[3 * (v * p->width + u)] > 115 && p->rgb[3 * (v * p->width + u) + 2] < 80;
    }
    return n > 0;
}

/* On each link, those at distance 1, and about as much ink as they are long. */
TEST(links_are_drawn)
{
    /* far away, at infinity, nowhere: some ink less, and nothing else */
    static const float wild[] = {1e5f, -1e6f, 3e38f, INFINITY, -INFINITY, NAN, -0.0f, 60};
    struct som_input *const in = new_input(WIDTH, HEIGHT);
    struct picture p;
    size_t n_ink = 0;
    double length = 0;

    for (int i = 0; i < 2 * ROWS * COLS; i++)
        position[i] += (float)(i * 31 % 17) / 8 - 1;
    assert_int_equal(som_picture_draw(in, position, NULL, NULL, &p), BENCH_OK);
    for (int i = 0; i < ROWS * COLS * ROWS * COLS; i++) {
        const int a = i / (ROWS * COLS), b = i % (ROWS * COLS);
        const double ax = 8 * (double)position[2 * a], ay = 8 * (double)position[2 * a + 1];
        const double dx = 8 * (double)position[2 * b] - ax;
        const double dy = 8 * (double)position[2 * b + 1] - ay;

        if (b >= a || som_distance(a % COLS, a / COLS, b % COLS, b / COLS) != 1)
            continue;
        length += hypot(dx, dy);
        for (int k = 0; k <= 10; k++) {
            const double x = ax + dx * k / 10, y = ay + dy * k / 10;

            if (x >= 0 && y >= 0 && x < p.width && y < p.height)
                assert_true(is_link_near(&p, x, y));
        }
    }
    for (int i = 0; i < p.width * p.height; i++)
        n_ink += p.rgb[3 * i] > 0; /* the map is black */
    assert_true((double)n_ink > length / 2 && (double)n_ink < 2 * length);
    free(p.rgb);

    /* without a link what the camera saw is as dark as the map would be */
    struct plane seen = {.width = WIDTH, .view = {malloc(WIDTH * HEIGHT)}};

    memset(seen.view[0], 77, WIDTH * HEIGHT);
    for (int i = 0; i < 2 * ROWS * COLS; i++)
        position[i] = NAN;
    assert_int_equal(som_picture_draw(in, position, NULL, &seen, &p), BENCH_OK);
    for (int i = 0; i < 3 * p.width * p.height; i++)
        assert_int_equal(p.rgb[i], 77 / 2);
    free(p.rgb);
    plane_free(&seen);

    for (int i = 0; i < 2 * ROWS * COLS; i++)
        position[i] = 0;
    for (int i = 0; i < 2 * ROWS * COLS; i += 5)
        position[i] = wild[i / 5 % N_OF(wild)];
    assert_int_equal(som_picture_draw(in, position, NULL, NULL, &p), BENCH_OK);
    free(p.rgb);
    som_problem.free_input(in);
}

/* Returns the pixels of a picture of a map at eight times its size. */
static const uint32_t *shown(const char *name)
{
    return pixels_of(name, 8 * WIDTH, 8 * HEIGHT);
}

enum { TOP_RIGHT = 8 * WIDTH - 1, BOTTOM_LEFT = 8 * WIDTH * (8 * HEIGHT - 1) };

TEST(picture_of_a_map)
{
    const struct bench_request request = map_request("picture=mesh.png");
    const uint32_t *p;
    size_t n_links = 0;

    apply(&request);
    p = pixels_of("mesh.png", 8 * WIDTH, 8 * HEIGHT + LEGEND(3));
    assert_int_equal(p[8 * WIDTH * (8 * HEIGHT + 6) + 4], 0x009fe6); /* a link, below */
    assert_int_equal(p[TOP_RIGHT], 0x646464);                        /* half of 200 */
    assert_int_equal(p[BOTTOM_LEFT], 0x171717);
    for (int i = 0; i < 64 * PIXELS; i++)
        n_links += (p[i] & 0xFF) > (p[i] >> 16) + 100; /* orange, not grey */
    assert_true(n_links > 5000);
}

/* Each drawn pixel is white and no other, as often as density says. */
TEST(sampling_of_a_map)
{
    static uint32_t first[64 * PIXELS];
    const struct bench_request request = map_request("--sampling=dots.png threshold=40");
    int n_left = 0, n_right = 0;

    apply(&request);
    memcpy(first, shown("dots.png"), sizeof first);
    for (int i = 0; i < 64 * PIXELS; i++) {
        const int x = i % (8 * WIDTH), y = i / (8 * WIDTH);

        assert_true(first[i] == 0 || first[i] == 0xFFFFFF);
        assert_int_equal(first[i], first[y / 8 * 8 * 8 * WIDTH + x / 8 * 8]);
        if (first[i] && x % 8 == 0 && y % 8 == 0) {
            assert_true(level_at(x / 8, y / 8) > 40);
            n_left += x / 8 < WIDTH / 2;
            n_right += x / 8 >= WIDTH / 2;
        }
    }
    /* 41 .. 47 cubed by 30 pixels: some 1.5 % of 200 cubed by 1440, of which all but e^-7 are
     * hit */
    assert_in_range(n_left, 1, 70);
    assert_in_range(n_right, 1400, 1440);
    set("seed", "2");
    apply(&request);
    assert_memory_not_equal(first, shown("dots.png"), sizeof first);
}

/* The disparity, white where it is nearest, also below the threshold; and its colours: the left
 * view's, a class's or the level's. */
TEST(pictures_of_what_came_in)
{
    uint8_t truth_class[PIXELS] = {0};
    uint16_t disparity[PIXELS];
    uint8_t left[3 * PIXELS];
    const struct plane street = {.width = WIDTH,
                                 .height = HEIGHT,
                                 .disparity = disparity,
                                 .truth_class = truth_class,
                                 .name = "street"};
    struct bench_request request =
        map_request("--input-picture=in.png --view=view.png threshold=100");

    apply(&request);
    for (int k = 0; k < 2; k++) {
        const uint32_t *const p = shown(k ? "view.png" : "in.png");

        assert_true(p[TOP_RIGHT] == 0xFFFFFF && p[BOTTOM_LEFT] == 0x3B3B3B); /* 47 of 200 */
    }
    for (int i = 0; i < 3 * PIXELS; i++)
        left[i] = (uint8_t)(i % 251);
    assert_int_equal(image_write_rgb(path_of("left.png"), left, WIDTH, HEIGHT), BENCH_OK);
    applied("map.pgm", "--view=view.png --left=left.png");
    assert_int_equal(shown("view.png")[8 * WIDTH * 8 * 5 + TOP_RIGHT], 0x4B4A49);

    for (int i = 0; i < PIXELS; i++) {
        disparity[i] = (uint16_t)(i % WIDTH < 30 ? DISPARITY_INVALID : 20 * DISPARITY_SCALE);
        truth_class[i] = 13; /* cars: 0, 0, 142 */
    }
    request = request_of("input:street:1", "--view=view.png");
    request.frame = &street;
    apply(&request);
    assert_int_equal(shown("view.png")[TOP_RIGHT], 0x8E0000);
    assert_int_equal(shown("view.png")[0], 0x570000); /* without disparity as if far away */
}

static bool is_link(uint32_t rgb)
{
    return (rgb & 255) > (rgb >> 16) + 50;
}

/* Its vertices and triangles are not those of the network. */
TEST(a_mesh_of_pixels)
{
    /* where a vertex lies: '@' and ' ' have a depth, what is below '.' has none */
    static const char map[] = "P5 4 6 255 .....@. ....\n.@......\n. ";
    const struct bench_request request =
        request_of("small.pgm", "csv=small.csv picture=small.png --ply=small.ply "
                                "--disparity-scale=4 g=2 jump=0 threshold=16");
    const uint32_t *p;

    write_bytes(request.image, map, sizeof map - 1);
    apply_as(request, OF_PIXELS);
    assert_file(request.csv, "vertex,x,y\n0,0.5,0.5\n1,3.5,0.5\n2,0.5,5.5\n3,3.5,5.5\n"
                             "4,1.5,1.5\n5,0.5,3.5\n");
    assert_has(path_of("small.ply"), "left out: 1 of 6 vertices, which are over no depth\n");
    assert_has(path_of("small.ply"), "element vertex 5\n");
    assert_has(path_of("small.ply"), "element face 2\n");
    assert_string_equal(request.message, "6 vertices, 5 triangles");
    p = pixels_of("small.png", 32, 48 + LEGEND(3));
    for (int i = 0; i < 8; i++) { /* from corner to corner, red above blue; beside them grey */
        assert_true(is_link(p[32 * 4 + 4 + 3 * i]) && is_link(p[32 * (4 + 5 * i) + 4]));
        assert_false(is_link(p[32 * 5 * i + 1]) || is_link(p[32 * 46 + 4 * i % 32]));
    }
    /* beyond the map vertices have the border's depth; a triangle there is none */
    apply_as(request, OF_HALVES);
    assert_file(request.csv,
                "vertex,x,y\n0,0.5,0.5\n1,8.5,0.5\n2,4.5,4.5\n3,0.5,8.5\n4,8.5,8.5\n");
    assert_has(path_of("small.ply"), "left out: 0 of 5 vertices, which are over no depth\n");
    assert_has(path_of("small.ply"), "element face 3\n");
    assert_string_equal(request.message, "5 vertices, 3 triangles");
}

/* ---- what cannot be ---- */

TEST(variants_that_fail)
{
    struct bench_request request = map_request("csv=bad.csv picture=bad.png --ply=bad.ply");

    request.once = refuse;
    assert_refused(&request, BENCH_ECUDA, "refused by the test");
    request.once = fill;
    how = WITH_NAN;
    assert_refused(&request, BENCH_EMISMATCH, "neuron (8, 0)");
    how = USUAL;
    assert_false(is_there(request.csv) || is_there(request.picture) ||
                 is_there(path_of("bad.ply")));
}

int main(void)
{
    return run_all_tests(make_folder, remove_folder);
}
