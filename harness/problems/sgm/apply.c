/* apply.c - `depthbench apply sgm/VARIANT LEFT RIGHT`: a pair's disparities as list, picture */
#include "harness/problems/apply_image.h"

#include "harness/base/sums.h"
#include "harness/inputs/plane.h"
#include "harness/problems/picture.h"
#include "harness/problems/sgm/sgm.h"

static enum bench_status table(const void *input, const void *output, struct text *text)
{
    const struct sgm_input *const in = input;
    const struct sgm_output *const out = output;

    text_add(text, "u,v,disparity_px\n");
    for (int v = 0; v < in->n_rows; v++)
        for (int u = 0; u < in->n_cols; u++) {
            const uint16_t d = out->disparity[(size_t)v * (size_t)in->n_cols + (size_t)u];

            if (d == SGM_INVALID)
                continue;
            text_format(text, "%d,%d,", u, v);
            apply_add_disparity(text, d);
            text_add(text, "\n");
        }
    return text_ok(text);
}

static void size(const void *input, int *height, int *width)
{
    const struct sgm_input *const in = input;

    *height = in->n_rows;
    *width = in->n_cols;
}

static enum bench_status draw(const struct sgm_output *out, struct picture *picture)
{
    static const struct picture_colour no_measurement = PICTURE_NO_MEASUREMENT;
    const struct picture_scale scale = picture_choose_scale(out->n_cols, out->n_rows, 0);
    uint32_t range_q8;
    char near[32];

    TRY(picture_near(out->disparity, (size_t)out->n_cols * (size_t)out->n_rows, &range_q8));
    TRY(picture_new(picture_scaled(out->n_cols, scale), picture_scaled(out->n_rows, scale), 0,
                    picture));
    picture->range_q8 = range_q8;
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) {
            const uint16_t d =
                out->disparity[(size_t)picture_source(y, scale) * (size_t)out->n_cols +
                               (size_t)picture_source(x, scale)];

            picture_put(picture, x, y,
                        d == SGM_INVALID ? no_measurement
                                         : picture_disparity_colour(d, range_q8));
        }
    return picture_add_legend(picture,
                              (const struct picture_entry[]){
                                  {.text = "disparity 0"},
                                  {.text = picture_range_text(picture, near, sizeof near),
                                   .ramp = picture_disparity_ramp},
                                  {.text = "none", .square = &no_measurement},
                              },
                              3);
}

static enum bench_status write_all(const struct bench_request *request,
                                   const struct plane *plane, const void *input,
                                   const void *output, void *own)
{
    OWNED(bench_sums_free) struct bench_sums sums = {0};
    struct picture picture;
    struct text text = {0};

    (void)plane;
    (void)own;
    TRY(sgm_sum(input, NULL, output, 0, &sums)); /* is it a pair? */
    if (request->picture) {
        TRY(draw(output, &picture));
        TRY(picture_write(request->picture, &picture));
    }
    if (request->csv) {
        (void)table(input, output, &text); /* apply_write_text looks at the text */
        TRY(apply_write_text(request->csv, &text));
    }
    return BENCH_OK;
}

static enum bench_status apply_pair(const struct bench_request *request,
                                    const struct plane *plane)
{
    return apply_variant(request, plane, write_all, NULL);
}

static enum bench_status apply(const struct bench_request *request)
{
    TRY(apply_check_files(request, (const char *const[]){NULL}));
    return apply_to_frame(request, apply_pair);
}

static const struct bench_told told[] = {
    {"", "density_pct", " % of the pixels have a disparity"},
    {"mean error ", "mean_abs_error_px", " px"},
    {NULL, NULL, NULL},
};

const struct bench_app sgm_app = {.problem = &sgm_problem,
                                  .told = told,
                                  .apply = apply,
                                  .table = table,
                                  .size = size,
                                  .takes_views = true};
