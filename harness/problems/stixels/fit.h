/*
 * fit.h - planes, depth energies and transitions, for the number type STIXELS_REAL
 *
 * Included twice by stixels/model.h, for double (exact arithmetic) and float: one text, so one
 * formula.
 *
 * Source: [STX] eq. 7, 11 and 12 in closed form.  With w = c^2, x = v - origin, m(v) = mu_b v +
 *         mu_a and e = d - m:
 *
 *    s0 = sum w, s1 = sum w x, s2 = sum w x^2, r0 = sum w e, r1 = sum w x e, ground = sum w e^2
 *     t0 = sum w (d - centre)       object = sum w (d - centre)^2     sky = sum w d^2
 *
 * The ground's plane is sought as m + alpha + beta x.  Its prior (eq. 7, independent in a and
 * b, the intercept at v = 0) is then lam_a (alpha - origin beta)^2 + lam_b beta^2, and the
 * minimum of eq. 11 solves
 *
 *     (s0 + lam_a) alpha + (s1 - lam_a origin) beta = r0
 *     (s1 - lam_a origin) alpha + (s2 + lam_b + lam_a origin^2) beta = r1
 *
 * with the energy ground - alpha r0 - beta r1 (data and plane prior together), over sigma^2.
 * An object has b = 0 and no prior on a; sky is D = 0.
 */

/* The numbers of a struct stixels_model that the forms below read, and some made of them. */
struct STIXELS_NAME(stixels_constants) {
    STIXELS_REAL inverse_sigma2[STIXELS_N_GEOMETRIES];
    STIXELS_REAL mu_a, mu_b, lam_a, lam_b;
    STIXELS_REAL weight_semantic; /* per 1/1024 nat */
    STIXELS_REAL beta_mc;
    STIXELS_REAL gap_alpha, gap_beta, behind_alpha, behind_beta;
    STIXELS_REAL hovering_alpha, hovering_beta, ordering_alpha, ordering_beta;
    STIXELS_REAL plane[STIXELS_N_GEOMETRIES];
    STIXELS_REAL k_valid[STIXELS_N_GEOMETRIES], k_invalid[STIXELS_N_GEOMETRIES]; /* nat */
    STIXELS_REAL origin; /* v about which float sums are taken: the middle of grounds */
    STIXELS_REAL noise;  /* stixels_noise */
    STIXELS_REAL blur;   /* px: what rounding may make of a mean of weight 1; of float alone */
};

struct STIXELS_NAME(stixels_moments) {
    STIXELS_REAL s0, s1, s2, r0, r1, ground; /* about x = v - origin and the expected ground */
    STIXELS_REAL t0, object;                 /* about 'centre' */
    STIXELS_REAL sky;
    STIXELS_REAL origin; /* v */
    STIXELS_REAL centre; /* px */
};

/* D(v) = b v + a. */
struct STIXELS_NAME(stixels_plane) {
    STIXELS_REAL a, b;
};

/*
 * Rounding may make so much of the determinant of one row's weight 1, which is 0 without a
 * prior.  s0, s1 and s2 are differences of sums over a column, each rounded once; up to the
 * horizon these grow to 2 origin, origin^2 / 2 and 2/3 origin^3.  The worst roundings make 7
 * origin^3 2^-24 of it; in random columns 2.6 were found, near the horizon.  Most grounds lie
 * lower, where sums are small.  This is 0.5: on generated streets 0.03 to 2 pass, and 4 refuses
 * grounds of a few rows of 1024.
 */
static inline BENCH_HD STIXELS_REAL STIXELS_NAME(stixels_noise)(STIXELS_REAL origin)
{
    return (STIXELS_REAL)STIXELS_ROUNDING * (origin * origin * origin);
}

static inline BENCH_HD struct STIXELS_NAME(stixels_constants)
    STIXELS_NAME(stixels_constants_of)(const struct stixels_model *model, int n_rows)
{
    struct STIXELS_NAME(stixels_constants) c;

    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++) {
        c.inverse_sigma2[g] = (STIXELS_REAL)(1 / (model->sigma[g] * model->sigma[g]));
        c.plane[g] = (STIXELS_REAL)model->plane[g];
        c.k_valid[g] = (STIXELS_REAL)(model->k_valid[g] * (1.0 / 1024));
        c.k_invalid[g] = (STIXELS_REAL)(model->k_invalid[g] * (1.0 / 1024));
    }
    c.mu_a = (STIXELS_REAL)model->mu_a;
    c.mu_b = (STIXELS_REAL)model->mu_b;
    c.lam_a = (STIXELS_REAL)model->lam_a;
    c.lam_b = (STIXELS_REAL)model->lam_b;
    c.weight_semantic = (STIXELS_REAL)(model->weight_semantic * (1.0 / 1024));
    c.beta_mc = (STIXELS_REAL)model->beta_mc;
    c.gap_alpha = (STIXELS_REAL)model->gap_alpha;
    c.gap_beta = (STIXELS_REAL)model->gap_beta;
    c.behind_alpha = (STIXELS_REAL)model->behind_alpha;
    c.behind_beta = (STIXELS_REAL)model->behind_beta;
    c.hovering_alpha = (STIXELS_REAL)model->hovering_alpha;
    c.hovering_beta = (STIXELS_REAL)model->hovering_beta;
    c.ordering_alpha = (STIXELS_REAL)model->ordering_alpha;
    c.ordering_beta = (STIXELS_REAL)model->ordering_beta;
    c.origin = (STIXELS_REAL)(model->horizon > 0 ? 0.5 * model->horizon : 0);
    c.noise = STIXELS_NAME(stixels_noise)(c.origin);
    c.blur = (STIXELS_REAL)n_rows / 32768;
    return c;
}

/* An energy that rounding has made negative is none. */
static inline BENCH_HD STIXELS_REAL STIXELS_NAME(stixels_not_below_0)(STIXELS_REAL x)
{
    return x > 0 ? x : 0;
}

/* The ground's plane; *energy: the Gaussian part of eq. 12 and eq. 7, at the minimum. */
static inline BENCH_HD struct STIXELS_NAME(stixels_plane)
    STIXELS_NAME(stixels_fit_ground)(const struct STIXELS_NAME(stixels_constants) * c,
                                     const struct STIXELS_NAME(stixels_moments) * m,
                                     STIXELS_REAL *energy)
{
    const STIXELS_REAL anchored = c->lam_a * m->origin;
    const STIXELS_REAL a0 = m->s0 + c->lam_a;
    const STIXELS_REAL a1 = m->s1 - anchored;
    const STIXELS_REAL a2 = m->s2 + c->lam_b + anchored * m->origin;
    const STIXELS_REAL determinant = a0 * a2 - a1 * a1;
    /* else one row, or all weight on one, or so few that rounding hides them: the expected
     * slope.  Relative: weights may be small */
    const int solvable = determinant > (STIXELS_REAL)1e-6 * a0 * a2 + a0 * c->noise;
    const STIXELS_REAL weight = a0 > 0 ? a0 : 1;
    const STIXELS_REAL divisor = solvable ? determinant : weight;
    const STIXELS_REAL slanted_alpha = a2 * m->r0 - a1 * m->r1;
    const STIXELS_REAL slanted_beta = a0 * m->r1 - a1 * m->r0;
    const STIXELS_REAL flat_alpha = a0 > 0 ? m->r0 : 0;
    const STIXELS_REAL alpha = (solvable ? slanted_alpha : flat_alpha) / divisor;
    const STIXELS_REAL beta = (solvable ? slanted_beta : 0) / divisor;
    struct STIXELS_NAME(stixels_plane) plane;

    *energy = STIXELS_NAME(stixels_not_below_0)(m->ground - alpha * m->r0 - beta * m->r1) *
              c->inverse_sigma2[STIXELS_GROUND];
    plane.b = c->mu_b + beta;
    plane.a = c->mu_a + alpha - beta * m->origin;
    return plane;
}

/* The object's disparity (0 where nothing was measured) and the Gaussian part of eq. 12. */
static inline BENCH_HD struct STIXELS_NAME(stixels_plane)
    STIXELS_NAME(stixels_fit_object)(const struct STIXELS_NAME(stixels_constants) * c,
                                     const struct STIXELS_NAME(stixels_moments) * m,
                                     STIXELS_REAL *energy)
{
    const int measured = m->s0 > 0;
    const STIXELS_REAL weight = measured ? m->s0 : 1;
    const STIXELS_REAL mean = (measured ? m->t0 : 0) / weight;
    const STIXELS_REAL disparity = mean + m->centre;
    struct STIXELS_NAME(stixels_plane) plane;

    plane.a = measured ? disparity : 0;
    plane.b = 0;
    *energy = STIXELS_NAME(stixels_not_below_0)(m->object - mean * m->t0) *
              c->inverse_sigma2[STIXELS_OBJECT];
    return plane;
}

/* eq. 7 alone, for eq. 6, whose data part is a sum over rows: 0 for objects and sky. */
static inline BENCH_HD STIXELS_REAL STIXELS_NAME(stixels_plane_prior)(
    const struct STIXELS_NAME(stixels_constants) * c, struct STIXELS_NAME(stixels_plane) plane)
{
    const STIXELS_REAL da = plane.a - c->mu_a, db = plane.b - c->mu_b;

    return (c->lam_a * da * da + c->lam_b * db * db) * c->inverse_sigma2[STIXELS_GROUND];
}

static inline BENCH_HD STIXELS_REAL STIXELS_NAME(stixels_at)(struct STIXELS_NAME(stixels_plane)
                                                                 plane,
                                                             int v)
{
    return plane.b * (STIXELS_REAL)v + plane.a;
}

/*
 * The step between two objects, 0 where they are equal but for rounding.  A table's entry of
 * n_rows rows is rounded to 2^-24 of it.  So the mean over weight s0 is n_rows times some px
 * times 2^-24 / s0 off: at most 2^-16 n_rows / s0 was found on random columns of 0 to 128 px,
 * with the sums of all variants.  c->blur is twice that.  Objects of n rows of full weight
 * differ by 2^-8 / n^2 px at least, so the band cannot separate all of them (docs/STIXELS.md).
 * blur: what rounding may have made of one object, c->blur / s0; weight: s0 of the other.
 */
static inline BENCH_HD STIXELS_REAL
STIXELS_NAME(stixels_step)(const struct STIXELS_NAME(stixels_constants) * c, STIXELS_REAL step,
                           STIXELS_REAL blur, STIXELS_REAL weight)
{
    const STIXELS_REAL apart = step < 0 ? -step : step;

    return (apart - blur) * weight > c->blur ? step : 0;
}

/* c->blur / s0, 0 where nothing was measured: that object is at 0 px. */
static inline BENCH_HD STIXELS_REAL
STIXELS_NAME(stixels_blur)(const struct STIXELS_NAME(stixels_constants) * c, STIXELS_REAL s0)
{
    return s0 > 0 ? c->blur / s0 : 0;
}

/*
 * Returns what it costs that a stixel of geometry 'upper' stands on one of geometry 'lower';
 * step: the disparity of the lower one at its top row less that of the upper one at its bottom
 * row, 0 where the two count as equal; beta_mc is not in it.  Only for pairs that
 * stixels_may_follow.  Returns 0 in *allowed for a ground that is nearer than the object below
 * it, else 1.
 */
static inline BENCH_HD STIXELS_REAL
STIXELS_NAME(stixels_transition)(const struct STIXELS_NAME(stixels_constants) * c, int lower,
                                 int upper, STIXELS_REAL step, int *allowed)
{
    const STIXELS_REAL equal = /* two objects: the caller has decided */
        lower == STIXELS_GROUND || upper == STIXELS_GROUND ? (STIXELS_REAL)STIXELS_EQUAL : 0;
    STIXELS_REAL farther = 0, nearer = 0;

    *allowed = 1;
    if (lower == STIXELS_GROUND && upper == STIXELS_GROUND) {
        farther = c->gap_alpha + c->gap_beta * step;
        nearer = c->gap_alpha - c->gap_beta * step;
    } else if (lower == STIXELS_GROUND && upper == STIXELS_OBJECT) {
        farther = c->behind_alpha + c->behind_beta * step;
        nearer = c->hovering_alpha - c->hovering_beta * step;
    } else if (lower == STIXELS_OBJECT && upper == STIXELS_OBJECT) {
        nearer = c->ordering_alpha - c->ordering_beta * step;
    } else if (lower == STIXELS_OBJECT && upper == STIXELS_GROUND) {
        *allowed = !(step < -equal);
    }
    nearer = step < -equal ? nearer : 0;
    return step > equal ? farther : nearer;
}

/* r^2 of eq. 6 and 12 for one row: weight 0..1, disparity in px. */
static inline BENCH_HD STIXELS_REAL STIXELS_NAME(stixels_r2)(STIXELS_REAL weight,
                                                             STIXELS_REAL px,
                                                             struct STIXELS_NAME(stixels_plane)
                                                                 plane,
                                                             int v, STIXELS_REAL inverse_sigma2)
{
    const STIXELS_REAL distance = px - STIXELS_NAME(stixels_at)(plane, v);

    return weight * distance * distance * inverse_sigma2;
}

/* A stixel's own energy: depth, semantic term (1/1024 nat, summed over its rows) and the
 * constant per stixel. */
static inline BENCH_HD STIXELS_REAL
STIXELS_NAME(stixels_own)(const struct STIXELS_NAME(stixels_constants) * c, int g,
                          STIXELS_REAL depth, int n_valid, int n_invalid, STIXELS_REAL semantic)
{
    return depth + (STIXELS_REAL)n_valid * c->k_valid[g] +
           (STIXELS_REAL)n_invalid * c->k_invalid[g] + c->plane[g] +
           c->weight_semantic * semantic + c->beta_mc;
}

/*
 * The cheapest way to put a stixel of geometry g on the best segmentations below it [eq. 9]:
 * own energy; 'cost' and 'step' [STIXELS_N_GEOMETRIES] of the row below: energy of the best
 * segmentation that ends in each geometry (STIXELS_FORBIDDEN: there is none) and the step from
 * its last stixel.  Returns the energy, STIXELS_FORBIDDEN when nothing may be below, and in
 * *below the geometry that is.
 */
static inline BENCH_HD STIXELS_REAL STIXELS_NAME(stixels_link)(
    const struct STIXELS_NAME(stixels_constants) * c, int g, STIXELS_REAL own,
    const STIXELS_REAL *cost, const STIXELS_REAL *step, int *below)
{
    STIXELS_REAL best = (STIXELS_REAL)STIXELS_FORBIDDEN;

    *below = STIXELS_N_GEOMETRIES;
    for (int lower = 0; lower < STIXELS_N_GEOMETRIES; lower++) {
        const int possible = cost[lower] < (STIXELS_REAL)STIXELS_FORBIDDEN;
        STIXELS_REAL energy;
        int allowed, better;

        if (!stixels_may_follow(lower, g)) /* g is a constant where this is compiled in */
            continue;
        energy = STIXELS_NAME(stixels_transition)(c, lower, g, step[lower], &allowed);
        energy = own + energy + cost[lower];
        better = possible & allowed & (energy < best);
        best = better ? energy : best;
        *below = better ? lower : *below;
    }
    return best;
}
