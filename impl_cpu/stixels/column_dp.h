/*
 * column_dp.h - the dynamic programming over one column, for the number type REAL
 *
 * Included twice by column.h.  'general' is a constant wherever this is compiled in: 0 for b12
 * and b6, which need none of stixels/general.h.
 *
 * Source: [STX] eq. 8 and 9, sect. 3.2; candidates in the order of stixels.h, whose direction =
 *         top_down is the same turned over.
 */

/* ---- flat ---- */

/* The cost of row v as geometry g about disparity d, 1/1024 nat. */
static inline int32_t NAME(flat_row)(const struct column *c, int g, int v, REAL d, REAL sigma2,
                                     int32_t log_z)
{
    const struct stixels_model *const m = c->model;
    const int valid = c->n_valid[v + 1] > c->n_valid[v];
    const REAL weight = (REAL)c->weight[v] * (REAL)(1.0 / STIXELS_WEIGHT_ONE);
    const REAL apart = (REAL)c->disparity[v] * (REAL)(1.0 / 256) - d;
    const REAL r2 = valid ? weight * apart * apart / sigma2 : 0;

    /* literal: its k_invalid is a perfect fit, of which Z_G is a part */
    if (!valid && !(m->invalid_literal && m->own_log_z))
        return m->k_invalid[g];
    return (valid ? m->k_valid[g] : 0) + stixels_mixture_cost(m->data_term, m->k_uniform[g],
                                                              m->k_gauss[g] - log_z,
                                                              (double)r2);
}

static inline void NAME(load_flat)(const struct column *c)
{
    const struct flat *const flat = &c->flat;
    const struct stixels_model *const m = c->model;
    const int n_disparities = stixels_n_disparities(m); /* of this frame */
    const double sky_sigma2 = stixels_sigma2(m, STIXELS_SKY, 0, 0);
    const int32_t sky_log_z = own_log_z(m, sky_sigma2, 0);

    for (int d = 0; d < n_disparities; d++) {
        flat->sigma2[d] = stixels_sigma2(m, STIXELS_OBJECT, 0, d);
        flat->log_z[d] = own_log_z(m, flat->sigma2[d], d);
    }
    for (int v = 0; v < c->n_rows; v++) {
        const double road = stixels_expected(m, v);
        const double sigma2 = stixels_sigma2(m, STIXELS_GROUND, v, 0);
        const int32_t *const below = flat->object + (size_t)v * (size_t)n_disparities;
        int32_t *const above =
            flat->object + ((size_t)v + 1) * (size_t)n_disparities; /* [0] stays 0 */

        /* above the horizon no ground is tried, and the road is anywhere */
        flat->ground[v + 1] =
            flat->ground[v] + (v <= m->horizon
                                   ? NAME(flat_row)(c, STIXELS_GROUND, v, (REAL)road,
                                                    (REAL)sigma2, own_log_z(m, sigma2, road))
                                   : 0);
        flat->sky[v + 1] =
            flat->sky[v] + NAME(flat_row)(c, STIXELS_SKY, v, 0, (REAL)sky_sigma2, sky_log_z);
        for (int d = 0; d < n_disparities; d++)
            above[d] = below[d] + NAME(flat_row)(c, STIXELS_OBJECT, v, (REAL)d,
                                                 (REAL)flat->sigma2[d], flat->log_z[d]);
    }
}

/* The depth energy of rows v_b .. v_t as geometry g, all of it, and its plane: two look-ups. */
static inline REAL NAME(flat_depth)(const struct column *c,
                                    const struct NAME(stixels_constants) * constants, int g,
                                    int v_b, int v_t, struct NAME(stixels_plane) * plane)
{
    const struct flat *const flat = &c->flat;
    const struct stixels_model *const m = c->model;
    const size_t n_disparities = (size_t)stixels_n_disparities(m);
    int32_t cost;

    plane->a = plane->b = 0;
    if (g == STIXELS_GROUND) {
        plane->a = constants->mu_a;
        plane->b = constants->mu_b;
        cost = flat->ground[v_t + 1] - flat->ground[v_b];
    } else if (g == STIXELS_SKY) {
        cost = flat->sky[v_t + 1] - flat->sky[v_b];
    } else {
        const struct NAME(stixels_moments) moments =
            NAME(column_moments)(c, constants, v_b, v_t);
        REAL ignored;
        size_t d;

        *plane = NAME(stixels_fit_object)(constants, &moments, &ignored);
        plane->a = plane->a > 0 ? plane->a : 0; /* float: a sum about 50 px may miss 0 */
        d = (size_t)stixels_whole_disparity(m, (double)plane->a);
        cost = flat->object[((size_t)v_t + 1) * n_disparities + d] -
               flat->object[(size_t)v_b * n_disparities + d];
    }
    return (REAL)cost * (REAL)(1.0 / 1024);
}

/* ---- slanted ---- */

/* The plane of a stixel of these moments, and its part of eq. 12 and 7 together. */
static inline __attribute__((always_inline)) REAL
NAME(fit)(const struct NAME(stixels_constants) * constants, int g,
          const struct NAME(stixels_moments) * moments, struct NAME(stixels_plane) * plane)
{
    REAL energy;

    plane->a = plane->b = 0;
    if (g == STIXELS_GROUND)
        *plane = NAME(stixels_fit_ground)(constants, moments, &energy);
    else if (g == STIXELS_OBJECT)
        *plane = NAME(stixels_fit_object)(constants, moments, &energy);
    else
        energy = moments->sky * constants->inverse_sigma2[STIXELS_SKY];
    return energy;
}

/* sigma_rule = stixel: sigma^2 of a stixel, px^2, as stixels_sigma2. */
static inline __attribute__((always_inline)) REAL NAME(sigma2)(const struct column *c, int g,
                                                               int v_b, REAL d)
{
    return g == STIXELS_GROUND ? (REAL)stixels_sigma2(c->model, g, v_b, 0)
                               : (REAL)c->model->object_sigma2 +
                                     (REAL)c->model->object_sigma2_per_px4 * (d * d * (d * d));
}

/* The depth energy but for the constants per row that the model has, and the plane. */
static inline __attribute__((always_inline)) REAL
NAME(slanted_depth)(const struct column *c, const struct NAME(stixels_constants) * constants,
                    const int general, int g, int v_b, int v_t,
                    struct NAME(stixels_plane) * plane)
{
    const struct stixels_model *const m = c->model;
    const struct NAME(stixels_moments) moments = NAME(column_moments)(c, constants, v_b, v_t);
    REAL energy = NAME(fit)(constants, g, &moments, plane);
    double sigma2, middle;
    int n_counted;

    if (m->data_term != STIXELS_E12) {
        energy = NAME(column_rows)(c, constants, g, v_b, v_t, *plane);
        return g == STIXELS_GROUND ? energy + NAME(stixels_plane_prior)(constants, *plane)
                                   : energy;
    }
    if (!general)
        return energy;
    sigma2 = stixels_sigma2(m, g, v_b, (double)plane->a);
    if (m->sigma_rule == STIXELS_SIGMA_STIXEL && g != STIXELS_SKY)
        energy /= NAME(sigma2)(c, g, v_b, plane->a); /* 'constants' have 1 */
    if (!m->own_log_z)
        return energy;
    middle = (double)plane->b * (0.5 * (v_b + v_t)) + (double)plane->a;
    n_counted = m->invalid_literal ? v_t + 1 - v_b : c->n_valid[v_t + 1] - c->n_valid[v_b];
    return energy + (REAL)n_counted * ((REAL)own_log_z(m, sigma2, middle) * (REAL)(1.0 / 1024));
}

/* ---- any ---- */

/* A stixel's own energy and plane; its semantic class is found again by those that keep it. */
static inline __attribute__((always_inline)) REAL
NAME(own)(const struct column *c, const struct NAME(stixels_constants) * constants,
          const int general, int g, int v_b, int v_t, struct NAME(stixels_plane) * plane)
{
    const struct stixels_model *const m = c->model;
    const int flat = general && m->flat;
    const int n_valid = flat ? 0 : c->n_valid[v_t + 1] - c->n_valid[v_b];
    const int n_invalid = flat ? 0 : v_t + 1 - v_b - n_valid;
    const REAL depth = flat ? NAME(flat_depth)(c, constants, g, v_b, v_t, plane)
                            : NAME(slanted_depth)(c, constants, general, g, v_b, v_t, plane);
    uint8_t semantic;
    const int32_t semantic_cost =
        m->weight_semantic > 0 ? cheapest_class(c, g, v_b, v_t, &semantic) : 0;
    const REAL energy =
        NAME(stixels_own)(constants, g, depth, n_valid, n_invalid, (REAL)semantic_cost);

    if (general && v_b == 0 && m->prior == STIXELS_PFEIFFER)
        return energy + (REAL)stixels_pfeiffer_first(m, g, v_t, c->n_rows) * (REAL)(1.0 / 1024);
    return energy;
}

/* The cost of 'upper' on 'lower', from row k on; *allowed = 0: it may not stand there. */
static inline REAL NAME(transition)(const struct column *c,
                                    const struct NAME(stixels_constants) * constants, int lower,
                                    int upper, int k, REAL d_lower, REAL d_upper, REAL step,
                                    int *allowed)
{
    if (c->model->prior == STIXELS_PFEIFFER)
        return (REAL)stixels_pfeiffer(c->model, lower, upper, k, c->n_rows, (double)d_lower,
                                      (double)d_upper, allowed) *
               (REAL)(1.0 / 1024);
    *allowed = 0;
    if (!stixels_may_follow(lower, upper))
        return 0;
    return NAME(stixels_transition)(constants, lower, upper, step, allowed);
}

/* The energy of stixel v_b .. v_t with the best segmentations beyond it (below it, or above it
 * if top_down); *beyond: the geometry there, or STIXELS_N_GEOMETRIES. */
static inline __attribute__((always_inline)) REAL
NAME(join)(const struct column *c, const struct NAME(stixels_constants) * constants,
           const int general, int g, int v_b, int v_t, REAL own,
           struct NAME(stixels_plane) plane, int *beyond)
{
    const int down = general && c->model->direction == STIXELS_TOP_DOWN;
    const int next = down ? v_t + 1 : v_b - 1;
    const REAL bottom = NAME(stixels_at)(plane, v_b), top = NAME(stixels_at)(plane, v_t);
    REAL cost[STIXELS_N_GEOMETRIES], edge[STIXELS_N_GEOMETRIES], step[STIXELS_N_GEOMETRIES];
    REAL energy = (REAL)STIXELS_FORBIDDEN;

    *beyond = STIXELS_N_GEOMETRIES;
    if (next < 0 || next >= c->n_rows)
        return own;
    for (int other = 0; other < STIXELS_N_GEOMETRIES; other++) {
        cost[other] = c->NAME(best).cost[other][next];
        edge[other] = c->NAME(best).edge[other][next];
        step[other] = down ? top - edge[other] : edge[other] - bottom;
    }
    if (g == STIXELS_OBJECT) {
        const int end = c->end[STIXELS_OBJECT][next];

        step[STIXELS_OBJECT] = NAME(column_step)(c, constants, step[STIXELS_OBJECT], v_b, v_t,
                                                 down ? next : end, down ? end : next);
    }
    if (!general)
        return NAME(stixels_link)(constants, g, own, cost, step, beyond);
    for (int other = 0; other < STIXELS_N_GEOMETRIES; other++) {
        int allowed;
        REAL sum;

        if (!(cost[other] < (REAL)STIXELS_FORBIDDEN))
            continue;
        sum = down ? NAME(transition)(c, constants, g, other, v_t + 1, top, edge[other],
                                      step[other], &allowed)
                   : NAME(transition)(c, constants, other, g, v_b, edge[other], bottom,
                                      step[other], &allowed);
        sum = own + sum + cost[other];
        if (allowed && sum < energy) {
            energy = sum;
            *beyond = other;
        }
    }
    return energy;
}

/* Try the stixel v_b .. v_t as geometry g. */
static inline __attribute__((always_inline)) void
NAME(try_stixel)(const struct column *c, const struct NAME(stixels_constants) * constants,
                 const int general, int g, int v_b, int v_t)
{
    const int down = general && c->model->direction == STIXELS_TOP_DOWN;
    const int slot = down ? v_b : v_t, end = down ? v_t : v_b;
    struct NAME(stixels_plane) plane;
    const REAL own = NAME(own)(c, constants, general, g, v_b, v_t, &plane);
    int beyond;
    const REAL energy = NAME(join)(c, constants, general, g, v_b, v_t, own, plane, &beyond);

    if (!(energy < c->NAME(best).cost[g][slot]))
        return;
    c->NAME(best).cost[g][slot] = energy;
    c->NAME(best).edge[g][slot] = NAME(stixels_at)(plane, slot); /* where the next one is put */
    c->end[g][slot] = end;
}

/* Follow the best segmentation from its last stixel, and find again, bit for bit, what is not
 * kept.  c->found has the stixels from the top down. */
static inline int NAME(backtrack)(struct column *c,
                                  const struct NAME(stixels_constants) * constants,
                                  const int general)
{
    const int down = general && c->model->direction == STIXELS_TOP_DOWN;
    int slot = down ? 0 : c->n_rows - 1, g = STIXELS_OBJECT, n = 0;

    for (int other = 0; other < STIXELS_N_GEOMETRIES; other++)
        if (c->NAME(best).cost[other][slot] < c->NAME(best).cost[g][slot])
            g = other;
    while (g != STIXELS_N_GEOMETRIES) {
        const int end = c->end[g][slot];
        const int v_b = down ? slot : end, v_t = down ? end : slot;
        const int next = down ? v_t + 1 : v_b - 1;
        struct NAME(stixels_plane) plane;
        const REAL own = NAME(own)(c, constants, general, g, v_b, v_t, &plane);
        REAL cost = c->NAME(best).cost[g][slot];
        uint8_t semantic;
        int beyond;

        (void)NAME(join)(c, constants, general, g, v_b, v_t, own, plane, &beyond);
        (void)cheapest_class(c, g, v_b, v_t, &semantic);
        if (beyond < STIXELS_N_GEOMETRIES)
            cost -= c->NAME(best).cost[beyond][next];
        c->found[n++] = (struct stixel){
            .v_bottom = (uint16_t)v_b,
            .v_top = (uint16_t)v_t,
            .geometry = (uint8_t)g,
            .semantic = semantic,
            .a = (float)plane.a,
            .b = (float)plane.b,
            .cost = (float)cost,
        };
        slot = next;
        g = beyond;
    }
    for (int i = 0; down && i < n / 2; i++) {
        const struct stixel bottom = c->found[i];

        c->found[i] = c->found[n - 1 - i];
        c->found[n - 1 - i] = bottom;
    }
    return n;
}

static inline __attribute__((always_inline)) int NAME(segment)(struct column *c,
                                                               const int general)
{
    struct NAME(stixels_constants) constants = NAME(stixels_constants_of)(c->model, c->n_rows);
    const struct stixels_model *const m = c->model;
    const int n = c->n_rows, down = general && m->direction == STIXELS_TOP_DOWN;
    const int last = c->n_cuts - 1;

    if (m->sigma_rule == STIXELS_SIGMA_STIXEL)
        constants.inverse_sigma2[STIXELS_OBJECT] = constants.inverse_sigma2[STIXELS_GROUND] = 1;
    if (general && m->flat)
        NAME(load_flat)(c);
    for (int v = 0; v < n; v++)
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
            c->NAME(best).cost[g][v] = (REAL)STIXELS_FORBIDDEN;
    /* all stixels on row v_b: what is beyond is final; top_down: the longest first */
    for (int i = 0; i <= last; i++) {
        const int bottom = down ? last - i : i;

        for (int top = last; top >= bottom; top--) {
            const int v_b = c->cut[bottom], v_t = c->cut[top + 1] - 1;

            for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
                if (stixels_may_be_in(m, g, v_b, v_t, n))
                    NAME(try_stixel)(c, &constants, general, g, v_b, v_t);
        }
    }
    return NAME(backtrack)(c, &constants, general);
}
