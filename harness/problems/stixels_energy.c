/*
 * stixels_energy.c - what a given segmentation of a column costs: a sum over its stixels, pixel by pixel
 *
 * Source: [STX] sect. 3; stixels_fit.h has the forms, stixels.h what a block's values are.
 */
#include "harness/problems/stixels_energy.h"

/* A row of blocks of one column. */
struct row {
    int valid;
    int32_t weight, disparity;
};

/* Block row v, 0 at the bottom: the index of its first pixel in a plane of its frame. */
static size_t first_pixel(const struct stixels_input *in, int col, int v)
{
    const size_t top = (size_t)(in->n_rows - 1 - v) * (size_t)in->block_rows;

    return top * (size_t)in->width + (size_t)col * (size_t)in->block_cols;
}

static struct row row_of(const struct stixels_input *in, int frame, int col, int v)
{
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;
    const size_t at = (size_t)frame * n_pixels + first_pixel(in, col, v);
    const uint32_t n_block = (uint32_t)(in->block_rows * in->block_cols);
    uint32_t sum = 0, n_valid = 0, sure = 0;
    struct row row = {0};

    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++) {
            const size_t i = at + (size_t)y * (size_t)in->width + (size_t)x;

            if (in->disparity[i] == STIXELS_INVALID)
                continue;
            sure += in->confidence[i];
            if (in->confidence[i] > 0) {
                sum += in->disparity[i];
                n_valid++;
            }
        }
    if (stixels_block_is_valid(n_valid, n_block)) {
        row.valid = 1;
        row.disparity = (int32_t)stixels_mean(sum, n_valid);
        row.weight =
            stixels_weight(stixels_mean(sure, n_block), in->model[frame].weight_squared);
    }
    return row;
}

static int32_t class_cost(const struct stixels_input *in, int frame, int k, int col, int v)
{
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;
    const size_t plane = (size_t)frame * (size_t)in->n_classes + (size_t)k;
    const size_t at = plane * n_pixels + first_pixel(in, col, v);
    uint32_t sum = 0;

    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++)
            sum += in->probability[at + (size_t)y * (size_t)in->width + (size_t)x];
    return stixels_semantic_cost(
        stixels_mean(sum, (uint32_t)(in->block_rows * in->block_cols)));
}

/* Whether a stixel of geometry g may name that class: one of its own, or none where it has none. */
static int is_class_of(const struct stixels_model *model, int g, int semantic)
{
    int any = 0;

    for (int k = 0; k < model->n_classes; k++)
        any |= model->geometry_of[k] == g;
    return any ? semantic < model->n_classes && model->geometry_of[semantic] == g
               : semantic == STIXELS_NO_CLASS;
}

double stixels_energy(const struct stixels_input *in, int frame, int col,
                      const struct stixel *list, int n, struct stixels_plane_double *planes)
{
    const struct stixels_model *const model = &in->model[frame];
    const struct stixels_constants_double c = stixels_constants_of_double(model);
    double energy = 0, d_below = 0;
    int forbidden = 0;

    for (int i = 0; i < n; i++) {
        const struct stixel *const s = &list[i];
        const int v_b = s->v_bottom, v_t = s->v_top, g = s->geometry;
        struct stixels_plane_double plane = {0, 0};
        struct row rows[STIXELS_MAX_ROWS];
        struct stixels_sums sums = {0};
        struct stixels_moments_double moments;
        int64_t semantic = 0, mixture = 0;
        int n_valid = 0, allowed = 1;
        double depth;

        for (int v = v_b; v <= v_t; v++) {
            rows[v] = row_of(in, frame, col, v);
            n_valid += rows[v].valid;
            stixels_add_row(&sums, rows[v].weight, rows[v].disparity, v);
        }
        moments = stixels_exact_moments(&c, &sums, v_b);
        depth = moments.sky * c.inverse_sigma2[STIXELS_SKY];
        if (g == STIXELS_GROUND)
            plane = stixels_fit_ground_double(&c, &moments, &depth);
        else if (g == STIXELS_OBJECT)
            plane = stixels_fit_object_double(&c, &moments, &depth);
        if (model->data_term != STIXELS_E12) {
            for (int v = v_b; v <= v_t; v++)
                if (rows[v].valid)
                    mixture += stixels_row_cost(
                        model, g,
                        stixels_r2_double((double)rows[v].weight * (1.0 / STIXELS_WEIGHT_ONE),
                                          (double)rows[v].disparity * (1.0 / 256), plane, v,
                                          c.inverse_sigma2[g]));
            depth = (double)mixture * (1.0 / 1024);
            if (g == STIXELS_GROUND)
                depth += stixels_plane_prior_double(&c, plane);
        }
        if (!is_class_of(model, g, s->semantic))
            forbidden = 1;
        else if (s->semantic != STIXELS_NO_CLASS)
            for (int v = v_b; v <= v_t; v++)
                semantic += class_cost(in, frame, s->semantic, col, v);
        energy += stixels_own_double(&c, g, depth, n_valid, v_t + 1 - v_b - n_valid,
                                     (double)semantic);
        if (i > 0)
            energy += stixels_transition_double(&c, list[i - 1].geometry, g, d_below,
                                                stixels_at_double(plane, v_b), &allowed);
        if (!stixels_may_be(model, g, v_b, v_t, in->n_rows) || !allowed ||
            (i > 0 && !stixels_may_follow(list[i - 1].geometry, g)))
            forbidden = 1;
        d_below = stixels_at_double(plane, v_t);
        if (planes)
            planes[i] = plane;
    }
    return forbidden ? (double)STIXELS_FORBIDDEN : energy;
}
