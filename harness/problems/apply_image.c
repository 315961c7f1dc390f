/*
 * apply_image.c - what all apply verbs do: make a plane of IMAGE, run the variant on it, write
 * files of text, each of its own name
 */
#include "harness/problems/apply_image.h"

#include "harness/base/listing.h"
#include "harness/base/sums.h"
#include "harness/inputs/image.h"
#include "harness/inputs/scene.h"
#include "harness/inputs/views.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/problems/chain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size of a generated scene when none is given: KITTI's frame. */
#define SCENE_WIDTH  "1242"
#define SCENE_HEIGHT "375"

/* A lower third whose mean is a smaller share than this of the upper one's is asked about.  The
 * least of 84 disparity maps of KITTI 2015 and Middlebury is 0.6. */
#define DEPTH_SHARE 0.5

static int is_scene(const char *image)
{
    return strncmp(image, "scene", 5) == 0 && (image[5] == '\0' || image[5] == ':');
}

bool apply_takes_views(const struct bench_request *request)
{
    const struct bench_app *const app =
        request->impl ? bench_find_app(request->impl->problem) : NULL;

    return app && app->takes_views;
}

/* A frame that is in disparities already has no coding. */
static enum bench_status refuse_coding(const struct bench_request *request, const char *what)
{
    static const char *const options[] = {"disparity-scale", "coding"};

    for (int i = 0; i < 2; i++)
        REFUSE_IF(bench_option_value(request, options[i]),
                  "%s: %s has no --%s; it is for image files", request->image, what,
                  options[i]);
    return BENCH_OK;
}

/* scene[:SEED[:WIDTHxHEIGHT]] */
static enum bench_status make_scene(const struct bench_request *request, struct plane *plane)
{
    const char *const image = request->image;
    char seed[32] = "1", width[32] = SCENE_WIDTH, height[32] = SCENE_HEIGHT;
    struct scene_options options = {.level = SCENE_NORMAL};
    uint64_t n_cols, n_rows;
    int end = 0; /* of what could be read */

    TRY(refuse_coding(request, "a generated scene"));
    (void)sscanf(image, "scene%n:%31[0-9]%n:%31[0-9]x%31[0-9]%n", &end, seed, &end, width,
                 height, &end);
    errno = 0;
    options.seed = strtoull(seed, NULL, 10);
    n_cols = strtoull(width, NULL, 10);
    n_rows = strtoull(height, NULL, 10);
    REFUSE_IF(image[end] != '\0' || errno != 0 || n_cols < 1 || n_cols > INPUTS_MAX_SIDE ||
                  n_rows < 1 || n_rows > INPUTS_MAX_SIDE,
              "%s: expected scene[:SEED[:WIDTHxHEIGHT]] with sides of 1 to %d pixels, as in "
              "scene:7:640x480",
              image, INPUTS_MAX_SIDE);
    options.width = (int)n_cols;
    options.height = (int)n_rows;
    TRY(scene_make(&options, plane));
    return apply_takes_views(request) ? views_draw(options.seed, plane) : BENCH_OK;
}

enum bench_status apply_coding(const struct bench_request *request,
                               const struct value_coding **coding)
{
    const char *const name = bench_option_value(request, "coding");
    const char *other =
        bench_option_value(request, "disparity-scale") ? "--disparity-scale" : NULL;

    *coding = NULL;
    if (!name)
        return BENCH_OK;
    for (int i = 0; i < request->params->n; i++)
        if (!strcmp(request->params->item[i].key->name, "invalid") &&
            request->params->item[i].given)
            other = "-S invalid";
    REFUSE_IF(other, "--coding %s: it says all of the values, so %s has no place beside it",
              name, other);
    *coding = coding_find(name, "--coding");
    return *coding ? BENCH_OK : BENCH_EINPUT;
}

static enum bench_status read_image(const struct bench_request *request, struct plane *plane)
{
    const char *const invalid =
        bench_has(request->params, "invalid") ? bench_word(request->params, "invalid") : "zero";
    const char *const scale = bench_option_value(request, "disparity-scale");
    const struct value_coding *named;
    struct disparity_coding coding = {.scale = 0, .offset = 0};
    OWNED(image_free) struct image image = {0};

    REFUSE_IF(scale && (!text_to_number(scale, &coding.scale) || coding.scale <= 0),
              "--disparity-scale: expected a number above 0, found '%s'", scale);
    TRY(apply_coding(request, &named));
    TRY(image_read(request->image, IMAGE_GREY, &image));
    if (named) {
        TRY(coding_check_type(named, image.type, request->image));
        coding = named->values;
    } else {
        if (!scale)
            coding.scale = image.type == IMAGE_U16 ? DISPARITY_SCALE : 1;
        coding.zero_is_invalid = strncmp(invalid, "zero", 4) == 0;
        coding.max_is_invalid = strstr(invalid, "max") != NULL;
    }
    TRY(image_to_disparity(&image, &coding, plane));
    if (image.type == IMAGE_U8)
        plane->grey_per_px = coding.scale;
    snprintf(plane->name, sizeof plane->name, "%s", listing_name(request->image));
    return coding_check_lost(&plane->values, request->image);
}

static enum bench_status read_pair(const struct bench_request *request, struct plane *plane)
{
    TRY(refuse_coding(request, "a pair of views"));
    REFUSE_IF(!request->right, "%s: %s takes a pair, LEFT RIGHT, found one image",
              request->image, request->impl->name);
    TRY(views_read(request->image, 0, plane));
    TRY(views_read(request->right, 1, plane));
    snprintf(plane->name, sizeof plane->name, "%s", listing_name(request->image));
    return BENCH_OK;
}

enum bench_status apply_image_read(const struct bench_request *request, struct plane *plane)
{
    enum bench_status status;

    memset(plane, 0, sizeof *plane);
    status = is_scene(request->image)                       ? make_scene(request, plane)
             : request->right || apply_takes_views(request) ? read_pair(request, plane)
                                                            : read_image(request, plane);
    if (status)
        plane_free(plane);
    return status;
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
    char wishes[160] = "-o FILE, --picture FILE";
    int n = 2, is_wished = request->csv || request->picture;

    for (; *options && n < MAX_FILES; options++, n++) {
        file[n].dashes = "--";
        file[n].option = *options;
        file[n].path = bench_option_value(request, *options);
        is_wished |= file[n].path != NULL;
        snprintf(wishes + strlen(wishes), sizeof wishes - strlen(wishes), "%s --%s FILE",
                 options[1] ? "," : " or", *options);
    }
    REFUSE_IF(!is_wished, "%s: nothing to write; give %s", request->image, wishes);
    for (int i = 0; i < 2 * n; i++) {
        const char *const image = i < n ? request->image : request->right;

        REFUSE_IF(file[i % n].path && image && text_same_file(file[i % n].path, image),
                  "%s%s: %s is the image itself, which would be lost", file[i % n].dashes,
                  file[i % n].option, file[i % n].path);
    }
    for (int i = 0, at = 0; i < n && at < (int)request->files_size; i++)
        if (file[i].path)
            at += snprintf(request->files + at, request->files_size - (size_t)at, "%s%s",
                           at > 0 ? ", " : "",
                           strcmp(file[i].path, "-") != 0 ? file[i].path : "standard output");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            REFUSE_IF(file[i].path && file[k].path &&
                          strcmp(plain_name(file[i].path), plain_name(file[k].path)) == 0,
                      "%s%s and %s%s: expected two files, found %s twice", file[k].dashes,
                      file[k].option, file[i].dashes, file[i].option, file[i].path);
    return BENCH_OK;
}

/* Mean disparity in px of the valid pixels of some rows; 0 where there is none. */
static double mean_of(const struct plane *plane, int first, int end)
{
    const size_t n_cols = (size_t)plane->width;
    double sum = 0, n = 0;

    for (size_t i = (size_t)first * n_cols; i < (size_t)end * n_cols; i++)
        if (plane->disparity[i] != DISPARITY_INVALID) {
            sum += plane->disparity[i];
            n++;
        }
    return n > 0 ? sum / n / DISPARITY_SCALE : 0;
}

/* Tells which values were left out.  Of a file, 'asks': what is near is low in most pictures,
 * and has a large disparity and a small depth, so values that fall to the lower third, or that
 * no disparity has, may be depth. */
static enum bench_status tell_values(const struct plane *plane, bool asks, char *text,
                                     size_t size)
{
    const struct counted_values *const v = &plane->values;
    const double top = mean_of(plane, 0, plane->height / 3);
    const double bottom = mean_of(plane, plane->height - plane->height / 3, plane->height);
    const bool falls = asks && bottom > 0 && bottom < DEPTH_SHARE * top;
    OWNED(text_free) struct text said = {0};

    coding_tell(v, &said);
    if (falls)
        text_format(&said,
                    "%svalues fall from %.3g px in the upper third to %.3g px in the lower",
                    said.size ? "; " : "", top, bottom);
    if (falls || (asks && v->n_clamped > v->n / 100))
        text_add(
            &said,
            ": is this depth? apply takes disparity, which is focal length * baseline / depth");
    TRY(text_ok(&said));
    if (said.size)
        snprintf(text, size, "%s: %s", plane->name, said.data);
    return BENCH_OK;
}

enum bench_status apply_to_frame(const struct bench_request *request, apply_use *use)
{
    OWNED(plane_free) struct plane read = {0};
    const struct plane *const plane = request->frame ? request->frame : &read;

    TRY(request->frame ? refuse_coding(request, "a named input")
                       : apply_image_read(request, &read));
    if (request->warning && !apply_takes_views(request))
        TRY(tell_values(plane, !request->frame && !is_scene(request->image), request->warning,
                        request->warning_size));
    return use(request, plane);
}

/* Files of an output, and what is told of it. */
static enum bench_status finish(const struct bench_request *request, const struct plane *plane,
                                const void *input, const void *output, apply_write *write,
                                void *own)
{
    TRY(write(request, plane, input, output, own));
    return request->tell ? request->tell(request, input, output) : BENCH_OK;
}

/* The second part's, which has the maps that came to the host, too. */
static enum bench_status finish_chain(const struct bench_request *request,
                                      const struct plane *plane, const void *input,
                                      const void *output, apply_write *write, void *own)
{
    const struct bench_chain *const chain = chain_of(request->impl->problem);
    OWNED(bench_sums_free) struct bench_sums sums = {0};
    struct bench_request seconds = *request;
    struct plane matched = *plane;

    TRY(chain->first->sum(chain_input_part(input, 0), NULL, chain_output_part(output, 0), 0,
                          &sums)); /* is it a pair? */
    chain_bring(input, output);
    matched.disparity = (uint16_t *)(uintptr_t)chain_map(output).data;
    seconds.impl = ((const struct bench_chained *)request->impl)->part[1];
    return finish(&seconds, &matched, chain_input_part(input, 1), chain_output_part(output, 1),
                  write, own);
}

enum bench_status apply_variant(const struct bench_request *request, const struct plane *plane,
                                apply_write *write, void *own)
{
    const struct bench_problem *const problem = request->impl->problem;
    const struct bench_chain *const chain = chain_of(problem);
    struct bench_params params = *request->params;
    struct bench_request whole = *request;
    void *input, *output = NULL;
    enum bench_status status;

    whole.params = &params;
    if (chain)
        TRY(bench_params_insist(&params, chain->keys, "map", "1",
                                "what is written is made of the disparities, too"));
    TRY(problem->make_input(&params, &plane, 1, &input));
    status = problem->make_output(input, &output);
    if (status == BENCH_OK)
        status = request->once(&whole, input, output);
    if (status == BENCH_OK)
        status = (chain ? finish_chain : finish)(&whole, plane, input, output, write, own);
    problem->free_output(output);
    problem->free_input(input);
    return status;
}

enum bench_status apply_column(const struct bench_request *request, const char *name, int n,
                               int *column)
{
    const char *const wish = bench_option_value(request, "column");
    double number;

    REFUSE_IF(!wish, "--%s: expected --column U with it, 0 to %d for this image", name, n - 1);
    REFUSE_IF(!text_to_number(wish, &number) || number < 0 || number >= n ||
                  number != (double)(int)number,
              "--column: expected 0 to %d for this image, found %s", n - 1, wish);
    *column = (int)number;
    return BENCH_OK;
}

enum bench_status apply_write_text(const char *path, struct text *text)
{
    OWNED(text_free) struct text owned = *text;

    *text = (struct text){0};
    TRY(text_ok(&owned));
    if (strcmp(path, "-") != 0)
        return text_replace_file(path, &owned);
    FAIL_IF(!(fwrite(owned.data, 1, owned.size, stdout) == owned.size && fflush(stdout) == 0),
            BENCH_EIO, "standard output: cannot be written: %s", strerror(errno));
    return BENCH_OK;
}

void apply_add_disparity(struct text *text, uint16_t y)
{
    char digits[] = ".00000000";
    uint32_t fraction = (uint32_t)(y % DISPARITY_SCALE) * 390625; /* of 10^8 / 256 */
    int end = 9;

    for (int i = 8; i > 0; i--, fraction /= 10)
        digits[i] = (char)('0' + fraction % 10);
    while (end > 1 && digits[end - 1] == '0')
        end--;
    digits[end > 1 ? end : 0] = '\0';
    text_format(text, "%d%s", y / DISPARITY_SCALE, digits);
}

void apply_ply_head(struct text *text, int n_vertices, int n_faces)
{
    text_format(text,
                "element vertex %d\n"
                "property float x\nproperty float y\nproperty float z\n"
                "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                n_vertices, n_faces);
}
