/* opt_candidate.cuh - stixels/gpu-opt: the energy of a stixel, and the best one so far */
#ifndef STIXELS_OPT_CANDIDATE_CUH
#define STIXELS_OPT_CANDIDATE_CUH

#include "impl_gpu/stixels/opt_tables.cuh"

/* Multiply and add, rounded once. */
DEVICE float fused(float a, float b, float c)
{
    return fmaf(a, b, c);
}

/* 1 / x, nearly. */
DEVICE float reciprocal(float x)
{
#ifdef __CUDA_ARCH__
    float r;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
#else
    return 1.0f / x;
#endif
}

/* a / x, exact but for ties: no weight or determinant is near the limits of exponents. */
DEVICE float quotient(float a, float x, float reciprocal_of_x)
{
    const float q = a * reciprocal_of_x;

    return fused(fused(-x, q, a), reciprocal_of_x, q);
}

/* The terms of the forms of stixels/fit.h that are the same for all stixels of a column. */
struct opt_constants {
    struct stixels_constants_float c;
    float centred;                     /* mu_a, relative to the centre */
    float anchored;                    /* lam_a origin */
    float a2;                          /* lam_b + lam_a origin^2 */
    float every[STIXELS_N_GEOMETRIES]; /* plane + beta_mc */
};

DEVICE struct opt_constants opt_constants_of(const struct stixels_constants_float *c)
{
    struct opt_constants o;

    o.c = *c;
    o.centred = c->mu_a - STIXELS_CENTRE_PX;
    o.anchored = c->lam_a * c->origin;
    o.a2 = c->lam_b + o.anchored * c->origin;
#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        o.every[g] = c->plane[g] + c->beta_mc;
    return o;
}

/* The geometry beside object that a stixel may have, by its begin and its group. */
enum beside { NOTHING, GROUND, SKY };

/* The upper row of candidates: its sums, some of them with constants. */
template <int OBJECT_QUADS> struct high_row {
    struct depth_row sums;
    int4 classes[places<OBJECT_QUADS>::N_QUADS > 0 ? places<OBJECT_QUADS>::N_QUADS : 1];
    float v;
    float object, ground, sky; /* energies with every[]; ground: forbidden if it may not end */
    float a1, a2;              /* of the ground's normal equations */
};

/* A stixel of rows v_b .. v, without the transition from below. */
struct candidate {
    float own_object, object; /* energy; disparity */
    float clear;              /* disparity less what may be rounding of it (stixels_blur) */
    float own_beside;         /* of ground or sky */
    float bottom, top;        /* of the ground, at v_b and v */
};

/* stixels_fit_object, stixels_fit_ground and stixels_own of stixels/fit.h with fused
 * multiply-adds and without branches.  The sums hold the costs that do not depend on planes. */
template <bool OBJECT, enum beside BESIDE, int OBJECT_QUADS>
DEVICE struct candidate
make_candidate(const struct opt_constants *c, const struct high_row<OBJECT_QUADS> *high,
               const struct depth_row *low, const int4 *low_classes, float v_b)
{
    const float4 a = low->a;
    const float s0 = (high->sums.a.x - a.x) * (1.0f / STIXELS_WEIGHT_ONE);
    struct candidate x = {};

    if (OBJECT) {
        const float t0 = high->sums.a.y - a.y;
        const bool measured = s0 > 0;
        const float divisor = measured ? s0 : 1e30f, over = reciprocal(divisor);
        const float mean = quotient(t0, divisor, over);
        const float energy =
            fused(-mean, t0 * c->c.inverse_sigma2[STIXELS_OBJECT], high->object - a.z);

        x.object = measured ? mean : -STIXELS_CENTRE_PX;
        x.clear = fused(-c->c.blur, over, x.object);
        x.own_object = with_least_class<OBJECT_QUADS, 0>(high->classes, low_classes,
                                                         c->c.weight_semantic, energy);
    }
    if (BESIDE == GROUND) {
        const float4 b = low->b;
        const float r0 = high->sums.b.z - b.z, r1 = high->sums.b.w - b.w;
        const float a0 = s0 + c->c.lam_a, a1 = high->a1 - b.x, a2 = high->a2 - b.y;
        const float product = a0 * a2, determinant = fused(-a1, a1, product);
        const bool solvable = determinant > fused(a0, c->c.noise, 1e-6f * product),
                   weighs = a0 > 0;
        const float divisor = solvable ? determinant : weighs ? a0 : 1;
        const float slanted_alpha = fused(a2, r0, -(a1 * r1));
        const float slanted_beta = fused(a0, r1, -(a1 * r0));
        const float over = reciprocal(divisor);
        const float alpha = quotient(solvable ? slanted_alpha : weighs ? r0 : 0, divisor, over);
        const float beta = quotient(solvable ? slanted_beta : 0, divisor, over);
        const float energy = fused(-fused(beta, r1, alpha * r0),
                                   c->c.inverse_sigma2[STIXELS_GROUND], high->ground - a.w);
        const float slope = c->c.mu_b + beta;
        const float at_0 = fused(-beta, c->c.origin, c->centred + alpha);

        x.bottom = fused(slope, v_b, at_0);
        x.top = fused(slope, high->v, at_0);
        x.own_beside = with_least_class<places<OBJECT_QUADS>::GROUND_QUADS,
                                        4 - places<OBJECT_QUADS>::N_GROUND>(
            high->classes + OBJECT_QUADS, low_classes + OBJECT_QUADS, c->c.weight_semantic,
            energy);
    }
    if (BESIDE == SKY) {
        x.own_beside = high->sky - a.w;
        if (places<OBJECT_QUADS>::N_SKY > 1)
            x.own_beside =
                with_least_class<1, 0>(high->classes + places<OBJECT_QUADS>::N_QUADS - 1,
                                       low_classes + places<OBJECT_QUADS>::N_QUADS - 1,
                                       c->c.weight_semantic, x.own_beside);
    }
    return x;
}

/* The members of struct found_row, for the row below candidates. */
struct row_below {
    float object, nearer, object_top, object_until;
    float beside, behind, hovering, ground_top;
};

/* The sums that do not depend on the candidate. */
DEVICE void complete(const struct opt_constants *c, struct row_below *row)
{
    row->nearer =
        fused(-c->c.ordering_beta, row->object_top, row->object + c->c.ordering_alpha);
    row->behind = fused(c->c.behind_beta, row->ground_top, row->beside + c->c.behind_alpha);
    row->hovering =
        fused(-c->c.hovering_beta, row->ground_top, row->beside + c->c.hovering_alpha);
}

DEVICE struct row_below below_of(const struct found_row *found)
{
    const float4 a = found->a, b = found->b;

    return {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
}

/* stixels_link by the geometry below: the energy of a segmentation below with the transition to
 * a stixel above.  STIXELS_FORBIDDEN absorbs any float energy, so it needs no test. */
DEVICE float object_on_object(const struct opt_constants *c, const struct row_below *below,
                              const struct candidate *x)
{
    const float nearer = fused(c->c.ordering_beta, x->object, below->nearer);

    return x->clear > below->object_until ? nearer : below->object; /* as stixels_step */
}

/* On sky at no cost: its ground_top is no number, and no comparison with it holds. */
DEVICE float object_on_beside(const struct opt_constants *c, const struct row_below *below,
                              float object)
{
    const float behind = fused(-c->c.behind_beta, object, below->behind);
    const float hovering = fused(c->c.hovering_beta, object, below->hovering);
    const float at_ground = object < below->ground_top ? behind : below->beside;

    return object > below->ground_top ? hovering : at_ground;
}

DEVICE float ground_on_object(const struct row_below *below, float bottom)
{
    return bottom > below->object_top ? STIXELS_FORBIDDEN : below->object;
}

DEVICE float ground_on_ground(const struct opt_constants *c, const struct row_below *below,
                              float bottom)
{
    const float step = below->ground_top - bottom;
    const float gap = fused(c->c.gap_beta, fabsf(step), below->beside + c->c.gap_alpha);

    return step < 0 || step > 0 ? gap : below->beside;
}

/* A lane's state of its row; 'beside': ground up to the horizon, else sky. */
struct kept_row {
    float object, beside, object_top, object_clear, ground_top;
    int object_v_b, beside_v_b;
};

/* Equal energies stay with the lower beginning. */
template <bool OBJECT, enum beside BESIDE>
DEVICE void try_candidate(const struct opt_constants *c, const struct candidate *x,
                          const struct row_below *below, int v_b, bool tries,
                          struct kept_row *row)
{
    if (OBJECT) {
        const float energy = x->own_object + fminf(object_on_object(c, below, x),
                                                   object_on_beside(c, below, x->object));
        const bool better = tries && energy < row->object;

        row->object = better ? energy : row->object;
        row->object_top = better ? x->object : row->object_top;
        row->object_clear = better ? x->clear : row->object_clear;
        row->object_v_b = better ? v_b : row->object_v_b;
    }
    if (BESIDE == GROUND) {
        const float energy = x->own_beside + fminf(ground_on_object(below, x->bottom),
                                                   ground_on_ground(c, below, x->bottom));
        const bool better = tries && energy < row->beside;

        row->beside = better ? energy : row->beside;
        row->ground_top = better ? x->top : row->ground_top;
        row->beside_v_b = better ? v_b : row->beside_v_b;
    }
    if (BESIDE == SKY) { /* on an object alone */
        const float energy = x->own_beside + below->object;
        const bool better = tries && energy < row->beside;

        row->beside = better ? energy : row->beside;
        row->beside_v_b = better ? v_b : row->beside_v_b;
    }
}

#endif
