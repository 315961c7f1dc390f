/*
 * energy.c - what a given segmentation of a column costs, from its pixels
 *
 * Source: [STX] sect. 3; stixels.h says what a block's values are.
 *
 * A judge of what variants find: which terms make an energy, and in which order, is
 * deliberately written down once more here and taken from none of them.  The formulas of the
 * terms are those of stixels/fit.h.
 */
#include "harness/problems/stixels/energy.h"

#include <math.h>
#include <string.h>

/* A row of one column. */
struct row {
    struct stixels_block block;
    int32_t weight; /* 0 where it has no disparity */
};

/* Block row v, 0 at the bottom: the index of its first pixel in a plane of its frame. */
static size_t first_pixel(const struct stixels_input *in, int col, int v)
{
    const size_t top = (size_t)(in->n_rows - 1 - v) * (size_t)in->block_rows;

    return top * (size_t)in->width + (size_t)col * (size_t)in->block_cols;
}

struct stixels_block stixels_block_of(const struct stixels_input *in, int frame, int col, int v)
{
    const size_t n_pixels = (size_t)in->height * (size_t)in->width;
    const size_t at = (size_t)frame * n_pixels + first_pixel(in, col, v);
    const uint32_t n_block = (uint32_t)(in->block_rows * in->block_cols);
    uint32_t sum = 0, n_valid = 0, sure = 0;
    struct stixels_block block;

    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++) {
            const size_t i = at + (size_t)y * (size_t)in->width + (size_t)x;

            if (in->disparity[i] == STIXELS_INVALID || in->confidence[i] == 0)
                continue;
            sum += in->disparity[i];
            sure += in->confidence[i];
            n_valid++;
        }
    block.valid = stixels_block_is_valid(n_valid, n_block);
    block.disparity = block.valid ? (uint16_t)stixels_mean(sum, n_valid) : STIXELS_INVALID;
    block.confidence = (uint8_t)stixels_mean(sure, n_block);
    return block;
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

/* May a stixel of geometry g name that class?  One of its own, or none where it has none. */
static int is_class_of(const struct stixels_model *model, int g, int semantic)
{
    int any = 0;

    for (int k = 0; k < model->n_classes; k++)
        any |= model->geometry_of[k] == g;
    return any ? semantic < model->n_classes && model->geometry_of[semantic] == g
               : semantic == STIXELS_NO_CLASS;
}

/*
 * Returns what eq. 11 minimises, at another plane than the best: a square form in the
 * difference, so that nothing cancels.  (Where stixels/fit.h takes the expected slope, the best
 * there is too.)
 */
static double excess_of(const struct stixels_constants_double *c, const struct stixel *s,
                        struct stixels_plane_double best, const struct row *rows)
{
    const double a = (double)s->a - best.a, b = (double)s->b - best.b;
    double sum = 0;

    for (int v = s->v_bottom; v <= s->v_top; v++) {
        const double apart = b * v + a;

        sum += rows[v].weight * (1.0 / STIXELS_WEIGHT_ONE) * apart * apart;
    }
    if (s->geometry == STIXELS_GROUND)
        sum += c->lam_a * a * a + c->lam_b * b * b;
    return sum * c->inverse_sigma2[s->geometry];
}

/* A stixel by itself, as if it were the bottom one. */
static struct stixels_part part_of(const struct stixels_input *in, int frame, int col,
                                   const struct stixels_constants_double *c,
                                   const struct stixel *s, struct stixels_sums *sums)
{
    const struct stixels_model *const model = &in->model[frame];
    const int v_b = s->v_bottom, v_t = s->v_top, g = s->geometry;
    struct stixels_part part = {0};
    struct row rows[STIXELS_MAX_ROWS];
    struct stixels_moments_double moments;
    int64_t semantic = 0, mixture = 0;
    int n_valid = 0;
    double depth;

    memset(sums, 0, sizeof *sums);
    for (int v = v_b; v <= v_t; v++) {
        const struct stixels_block block = stixels_block_of(in, frame, col, v);

        rows[v].block = block;
        rows[v].weight = block.valid ? stixels_weight_in(model, block.confidence) : 0;
        n_valid += block.valid;
        part.n_weighted += rows[v].weight > 0;
        stixels_add_row(sums, rows[v].weight, block.disparity, v);
    }
    moments = stixels_exact_moments(c, sums, v_b);
    depth = moments.sky * c->inverse_sigma2[STIXELS_SKY];
    if (g == STIXELS_GROUND)
        part.plane = stixels_fit_ground_double(c, &moments, &depth);
    else if (g == STIXELS_OBJECT)
        part.plane = stixels_fit_object_double(c, &moments, &depth);
    if (model->data_term != STIXELS_E12) {
        for (int v = v_b; v <= v_t; v++)
            if (rows[v].block.valid)
                mixture += stixels_row_cost(
                    model, g,
                    stixels_r2_double((double)rows[v].weight * (1.0 / STIXELS_WEIGHT_ONE),
                                      (double)rows[v].block.disparity * (1.0 / 256), part.plane,
                                      v, c->inverse_sigma2[g]));
        depth = (double)mixture * (1.0 / 1024);
        if (g == STIXELS_GROUND)
            depth += stixels_plane_prior_double(c, part.plane);
    }
    if (!is_class_of(model, g, s->semantic))
        part.forbidden = 1;
    else if (s->semantic != STIXELS_NO_CLASS)
        for (int v = v_b; v <= v_t; v++)
            semantic += class_cost(in, frame, s->semantic, col, v);
    if (!stixels_may_be(model, g, v_b, v_t, in->n_rows))
        part.forbidden = 1;
    part.cost =
        stixels_own_double(c, g, depth, n_valid, v_t + 1 - v_b - n_valid, (double)semantic);
    part.excess = excess_of(c, s, part.plane, rows);
    return part;
}

/* px: what float may take for no step between two objects, stixels_step() of stixels/fit.h. */
static double blur_between(const struct stixels_constants_double *c,
                           const struct stixels_sums *lower, const struct stixels_sums *upper)
{
    const double one = 1.0 / STIXELS_WEIGHT_ONE;

    return stixels_blur_double(c, (double)lower->s0 * one) +
           stixels_blur_double(c, (double)upper->s0 * one);
}

double stixels_energy(const struct stixels_input *in, int frame, int col,
                      const struct stixel *list, int n, struct stixels_part *parts)
{
    const struct stixels_model *const model = &in->model[frame];
    const struct stixels_constants_double c = stixels_constants_of_double(model, in->n_rows);
    struct stixels_sums below = {0}, sums;
    double energy = 0, d_below = 0;
    int forbidden = 0;

    for (int i = 0; i < n; i++) {
        const struct stixel *const s = &list[i];
        struct stixels_part part = part_of(in, frame, col, &c, s, &sums);
        int allowed = 1;

        if (i > 0) {
            const double d_bottom = stixels_at_double(part.plane, s->v_bottom);
            const int objects =
                list[i - 1].geometry == STIXELS_OBJECT && s->geometry == STIXELS_OBJECT;
            double step = d_below - d_bottom, prior;

            if (objects)
                step = stixels_exact_step(step, &below, &sums);
            prior = stixels_transition_double(&c, list[i - 1].geometry, s->geometry, step,
                                              &allowed);
            part.cost += prior;
            if (objects && fabs(step) <= 2 * blur_between(&c, &below, &sums))
                part.slack = prior;
            part.nearer_px = allowed ? 0 : d_bottom - d_below;
            part.forbidden |= !stixels_may_follow(list[i - 1].geometry, s->geometry);
        }
        energy += part.cost;
        forbidden |= part.forbidden || !allowed;
        d_below = stixels_at_double(part.plane, s->v_top);
        below = sums;
        if (parts)
            parts[i] = part;
    }
    return forbidden ? (double)STIXELS_FORBIDDEN : energy;
}
