/*
 * apply_image.c - what all apply verbs do: make a plane of IMAGE, run the variant on it, write
 * files of text, each of its own name
 */
#include "harness/problems/apply_image.h"

#include "harness/inputs/image.h"
#include "harness/inputs/scene.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size of a generated scene when none is given: KITTI's frame. */
#define SCENE_WIDTH  1242
#define SCENE_HEIGHT 375

static int is_scene(const char *image)
{
    return strncmp(image, "scene", 5) == 0 && (image[5] == '\0' || image[5] == ':');
}

/* Decimal digits at *text, as a number of at most 'max'; *text moves behind them.  0: there is
 * no such number. */
static int parse_digits(const char **text, uint64_t max, uint64_t *number)
{
    const char *const begin = *text;
    char *end;

    errno = 0;
    *number = strtoull(begin, &end, 10);
    *text = end;
    return *begin >= '0' && *begin <= '9' && errno == 0 && *number <= max;
}

/* scene[:SEED[:WIDTHxHEIGHT]] */
static enum bench_status parse_scene(const char *image, struct scene_options *options)
{
    const char *at = image + strlen("scene");
    uint64_t width = SCENE_WIDTH, height = SCENE_HEIGHT, seed = 1;
    int good = 1;

    if (*at == ':') {
        at++;
        good = parse_digits(&at, UINT64_MAX, &seed);
        if (good && *at == ':') {
            at++;
            good = parse_digits(&at, INPUTS_MAX_SIDE, &width) && *at++ == 'x' &&
                   parse_digits(&at, INPUTS_MAX_SIDE, &height) && width > 0 && height > 0;
        }
    }
    if (!good || *at != '\0')
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: expected scene[:SEED[:WIDTHxHEIGHT]] with sides of 1 to %d pixels, as in "
            "scene:7:640x480",
            image, INPUTS_MAX_SIDE);
    *options = (struct scene_options){
        .width = (int)width, .height = (int)height, .seed = seed, .level = SCENE_NORMAL};
    return BENCH_OK;
}

static enum bench_status make_scene(const struct bench_request *request, struct plane *plane)
{
    struct scene_options options;

    if (bench_option_value(request, "disparity-scale"))
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: a generated scene has no --disparity-scale; it is for image files",
            request->image);
    TRY(parse_scene(request->image, &options));
    return scene_make(&options, plane);
}

static enum bench_status read_image(const struct bench_request *request, struct plane *plane)
{
    const char *const invalid =
        bench_has(request->params, "invalid") ? bench_word(request->params, "invalid") : "zero";
    const char *const scale = bench_option_value(request, "disparity-scale");
    struct disparity_coding coding = {.scale = 0, .offset = 0};
    const char *base = strrchr(request->image, '/');
    struct image image = {0};
    enum bench_status status;

    if (scale && (!text_to_number(scale, &coding.scale) || coding.scale <= 0))
        return BENCH_FAIL(BENCH_EINPUT,
                          "--disparity-scale: expected a number above 0, found '%s'", scale);
    TRY(image_read(request->image, &image));
    if (!scale)
        coding.scale = image.type == IMAGE_U16 ? DISPARITY_SCALE : 1;
    coding.zero_is_invalid = strncmp(invalid, "zero", 4) == 0;
    coding.max_is_invalid = strstr(invalid, "max") != NULL;
    status = image_to_disparity(&image, &coding, plane);
    if (image.type == IMAGE_U8)
        plane->grey_per_px = coding.scale;
    image_free(&image);
    if (status == BENCH_OK)
        snprintf(plane->name, sizeof plane->name, "%s", base ? base + 1 : request->image);
    return status;
}

enum bench_status apply_image_read(const struct bench_request *request, struct plane *plane)
{
    memset(plane, 0, sizeof *plane);
    return is_scene(request->image) ? make_scene(request, plane) : read_image(request, plane);
}

/* The same file as far as names tell: "./a" is "a". */
static const char *plain_name(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 1 + strspn(path + 1, "/");
    return path;
}

enum bench_status apply_check_files(const struct bench_request *request,
                                    const char *const *options)
{
    enum { MAX_FILES = 16 };
    struct {
        const char *dashes, *option, *path;
    } file[MAX_FILES] = {{"-", "o", request->csv}, {"--", "picture", request->picture}};
    int n = 2;

    for (; *options && n < MAX_FILES; options++, n++) {
        file[n].dashes = "--";
        file[n].option = *options;
        file[n].path = bench_option_value(request, *options);
    }
    for (int i = 0; i < n; i++)
        if (file[i].path && request->image && text_same_file(file[i].path, request->image))
            return BENCH_FAIL(BENCH_EINPUT, "%s%s: %s is the image itself, which would be lost",
                              file[i].dashes, file[i].option, file[i].path);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (file[i].path && file[k].path &&
                strcmp(plain_name(file[i].path), plain_name(file[k].path)) == 0)
                return BENCH_FAIL(BENCH_EINPUT,
                                  "%s%s and %s%s: expected two files, found %s twice",
                                  file[k].dashes, file[k].option, file[i].dashes,
                                  file[i].option, file[i].path);
    return BENCH_OK;
}

enum bench_status apply_to_frame(const struct bench_request *request, apply_use *use)
{
    struct plane plane;
    enum bench_status status;

    if (request->frame)
        return use(request, request->frame);
    TRY(apply_image_read(request, &plane));
    status = use(request, &plane);
    plane_free(&plane);
    return status;
}

enum bench_status apply_variant(const struct bench_request *request, const struct plane *plane,
                                apply_write *write)
{
    const struct bench_problem *const problem = request->impl->problem;
    void *input, *output = NULL;
    enum bench_status status;

    TRY(problem->make_input(request->params, &plane, 1, &input));
    status = problem->make_output(input, &output);
    if (status == BENCH_OK)
        status = request->once(request, input, output);
    if (status == BENCH_OK)
        status = write(request, plane, input, output);
    problem->free_output(output);
    problem->free_input(input);
    return status;
}

enum bench_status apply_column(const struct bench_request *request, const char *name, int n,
                               int *column)
{
    const char *const wish = bench_option_value(request, "column");
    double number;

    if (!wish)
        return BENCH_FAIL(BENCH_EINPUT,
                          "--%s: expected --column U with it, 0 to %d for this image", name,
                          n - 1);
    if (!text_to_number(wish, &number) || number < 0 || number >= n ||
        number != (double)(int)number)
        return BENCH_FAIL(BENCH_EINPUT, "--column: expected 0 to %d for this image, found %s",
                          n - 1, wish);
    *column = (int)number;
    return BENCH_OK;
}

enum bench_status apply_write_text(const char *path, struct text *text)
{
    enum bench_status status = text_ok(text);

    if (status == BENCH_OK && strcmp(path, "-") != 0)
        status = text_replace_file(path, text);
    else if (status == BENCH_OK &&
             (fwrite(text->data, 1, text->size, stdout) != text->size || fflush(stdout) != 0))
        status =
            BENCH_FAIL(BENCH_EIO, "standard output: cannot be written: %s", strerror(errno));
    text_free(text);
    return status;
}

void apply_remark_clamped(const struct plane *plane, char *text, size_t size)
{
    text[0] = '\0';
    if (plane->n_clamped > 0)
        snprintf(text, size,
                 "%s: %zu of %zu values were above 255.9921875 px and were taken as that",
                 plane->name, plane->n_clamped, (size_t)plane->width * (size_t)plane->height);
}
