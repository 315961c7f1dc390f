/*
 * column_dp.h - the dynamic programming over one column, for the number type REAL
 *
 * Included twice by column.h.
 *
 * Source: [STX] eq. 8 and 9, sect. 3.2; candidates in the order of stixels.h.
 */

/* The depth energy of rows v_b .. v_t as geometry g, and its plane. */
static inline REAL NAME(depth_energy)(const struct column *c,
                                      const struct NAME(stixels_constants) * constants, int g,
                                      int v_b, int v_t, struct NAME(stixels_plane) * plane)
{
    const struct NAME(stixels_moments) moments = NAME(column_moments)(c, constants, v_b, v_t);
    REAL energy;

    if (g == STIXELS_GROUND) {
        *plane = NAME(stixels_fit_ground)(constants, &moments, &energy);
    } else if (g == STIXELS_OBJECT) {
        *plane = NAME(stixels_fit_object)(constants, &moments, &energy);
    } else {
        plane->a = plane->b = 0;
        energy = moments.sky * constants->inverse_sigma2[STIXELS_SKY];
    }
    if (c->model->data_term == STIXELS_E12)
        return energy;
    energy = NAME(column_rows)(c, constants, g, v_b, v_t, *plane);
    return g == STIXELS_GROUND ? energy + NAME(stixels_plane_prior)(constants, *plane) : energy;
}

/* Try the stixel v_b .. v_t as geometry g. */
static inline void NAME(try_stixel)(struct column *c,
                                    const struct NAME(stixels_constants) * constants, int g,
                                    int v_b, int v_t)
{
    struct NAME(best) *const best = &c->NAME(best)[v_t];
    const int n_valid = c->n_valid[v_t + 1] - c->n_valid[v_b];
    struct NAME(stixels_plane) plane;
    uint8_t semantic;
    const int32_t semantic_cost = cheapest_class(c, g, v_b, v_t, &semantic);
    const REAL depth = NAME(depth_energy)(c, constants, g, v_b, v_t, &plane);
    REAL energy = NAME(stixels_own)(constants, g, depth, n_valid, v_t + 1 - v_b - n_valid,
                                    (REAL)semantic_cost);
    int below = STIXELS_N_GEOMETRIES;

    if (v_b > 0)
        energy =
            NAME(stixels_link)(constants, g, energy, NAME(stixels_at)(plane, v_b),
                               c->NAME(best)[v_b - 1].cost, c->NAME(best)[v_b - 1].top, &below);
    if (!(energy < best->cost[g]))
        return;
    best->cost[g] = energy;
    best->top[g] = NAME(stixels_at)(plane, v_t);
    c->choice[v_t].v_b[g] = (uint16_t)v_b;
    c->choice[v_t].below[g] = (uint8_t)below;
    c->choice[v_t].semantic[g] = semantic;
}

/* Follow the choices from the top; the planes are fitted again, to the same bits. */
static inline int NAME(backtrack)(struct column *c,
                                  const struct NAME(stixels_constants) * constants)
{
    int v_t = c->n_rows - 1, g = STIXELS_OBJECT, n = 0;

    for (int other = 0; other < STIXELS_N_GEOMETRIES; other++)
        if (c->NAME(best)[v_t].cost[other] < c->NAME(best)[v_t].cost[g])
            g = other;
    for (;;) {
        const struct choice *const choice = &c->choice[v_t];
        const int v_b = choice->v_b[g], below = choice->below[g];
        struct stixel *const stixel = &c->found[n++];
        struct NAME(stixels_plane) plane;
        REAL cost = c->NAME(best)[v_t].cost[g];

        (void)NAME(depth_energy)(c, constants, g, v_b, v_t, &plane);
        if (v_b > 0)
            cost -= c->NAME(best)[v_b - 1].cost[below];
        *stixel = (struct stixel){
            .v_bottom = (uint16_t)v_b,
            .v_top = (uint16_t)v_t,
            .geometry = (uint8_t)g,
            .semantic = choice->semantic[g],
            .a = (float)plane.a,
            .b = (float)plane.b,
            .cost = (float)cost,
        };
        if (v_b == 0)
            return n;
        v_t = v_b - 1;
        g = below;
    }
}

static inline int NAME(column_segment)(struct column *c)
{
    const struct NAME(stixels_constants) constants = NAME(stixels_constants_of)(c->model);

    for (int k = 0; k < c->n_rows; k++) {
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
            c->NAME(best)[k].cost[g] = (REAL)STIXELS_FORBIDDEN;
        for (int v_b = 0; v_b <= k; v_b++)
            for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
                if (stixels_may_be(c->model, g, v_b, k, c->n_rows))
                    NAME(try_stixel)(c, &constants, g, v_b, k);
    }
    return NAME(backtrack)(c, &constants);
}
