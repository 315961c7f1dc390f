/* scene_cast.c - one ray a pixel: (2) of scene.c */
#include "harness/inputs/scene_private.h"

#include <stdlib.h>

static int compare_nearest(const void *a, const void *b)
{
    const struct solid *p = a, *q = b;

    if (p->nearest != q->nearest)
        return p->nearest < q->nearest ? -1 : 1;
    return p->id - q->id; /* a total order */
}

void scene_finish_solids(struct scene *s)
{
    int n = 0;

    for (int i = 0; i < s->n_solids; i++) {
        struct solid *o = &s->solids[i];
        double u_min = 1e9, u_max = -1e9, v_min = 1e9, v_max = -1e9, nearest = 1e9,
               farthest = -1e9;

        for (int corner = 0; corner < 8; corner++) {
            const double lx = corner & 1 ? o->high[0] : o->low[0],
                         lh = corner & 2 ? o->high[1] : o->low[1];
            const double lz = corner & 4 ? o->high[2] : o->low[2];
            const double x = o->at.x + o->at.cosine * lx + o->at.sine * lz;
            const double z = o->at.z - o->at.sine * lx + o->at.cosine * lz;
            const double h = o->at.h + lh + o->at.slope * lz;
            const double t = z < NEAREST_M ? NEAREST_M : z;
            const double u = s->camera.cx_px + s->camera.fx_px * x / t;
            const double v = s->camera.cy_px + s->camera.fy_px * (s->camera.height_m - h) / t;

            nearest = z < nearest ? z : nearest;
            farthest = z > farthest ? z : farthest;
            u_min = u < u_min ? u : u_min, u_max = u > u_max ? u : u_max;
            v_min = v < v_min ? v : v_min, v_max = v > v_max ? v : v_max;
        }
        if (farthest <= NEAREST_M)
            continue;
        if (nearest < NEAREST_M) { /* past the camera: its projected corners bound nothing */
            u_min = v_min = -1.0;
            u_max = s->width, v_max = s->height;
        }
        o->u_first = (int)clamp(u_min - 1.0, 0.0, (double)s->width);
        o->u_last = (int)clamp(u_max + 1.0, -1.0, s->width - 1.0);
        o->v_first = (int)clamp(v_min - 1.0, 0.0, (double)s->height);
        o->v_last = (int)clamp(v_max + 1.0, -1.0, s->height - 1.0);
        o->nearest = nearest;
        if (o->u_first <= o->u_last && o->v_first <= o->v_last)
            s->solids[n++] = *o;
    }
    s->n_solids = n;
    qsort(s->solids, (size_t)n, sizeof *s->solids, compare_nearest);
}

/* noise2 in space: two layers of the lattice, far apart. */
static double noise3(const uint8_t *lattice, double x, double y, double z)
{
    const int k = int_floor(z), below = k & 255, above = (k + 1) & 255;
    const double fz = z - (double)k, sz = fz * fz * (3.0 - 2.0 * fz);
    const double a = noise2(lattice, x + (double)(below * 37), y + (double)(below * 91));
    const double b = noise2(lattice, x + (double)(above * 37), y + (double)(above * 91));

    return a + (b - a) * sz;
}

/* Depth where the ray of slope yr (down) first meets the ground 'level' above the road's
 * profile; 0: never. */
static double cast_ground(const struct scene *s, double yr, double level)
{
    for (int i = 0; i < N_KNOTS; i++) {
        const double z0 = s->knot_z[i], z1 = i + 1 < N_KNOTS ? s->knot_z[i + 1] : FARTHEST_M;
        const double above = s->camera.height_m - yr * z0 - level - s->knot_h[i];
        const double fall = yr + s->knot_slope[i], curvature = profile_curvature(s, i);
        const double disc = fall * fall + 2.0 * curvature * above;
        double best = 0.0;

        if (above <= 0.0)
            return z0; /* rounding: the crossing is where two pieces meet */
        /* 0.5 curvature x^2 + fall x - above = 0, in the form that does not cancel */
        if (disc >= 0.0) {
            const double root = sqrt(disc);

            if (fall + root > 0.0)
                best = 2.0 * above / (fall + root);
            if (fall - root > 0.0 && (best <= 0.0 || 2.0 * above / (fall - root) < best))
                best = 2.0 * above / (fall - root);
        }
        if (best > 0.0 && z0 + best <= z1)
            return z0 + best < FARTHEST_M ? z0 + best : 0.0;
    }
    return 0.0;
}

/* The class of the ground at (x, z): ROAD, or what is raised by the kerb. */
static uint8_t ground_label(const struct scene *s, double x, double z)
{
    const double across = x - middle_of_road(s, z), a = across < 0 ? -across : across;

    if (a < s->half_road || in_crossing(s, across > 0, z, 0.0))
        return ROAD;
    if (a < s->half_road + s->verge)
        return TERRAIN;
    return a >= s->front && s->is_green ? TERRAIN : SIDEWALK;
}

struct hit {
    double depth;
    uint8_t label, surface;
};

/* Returns where the ray meets the ground; z_road, z_kerb are the row's depths at the two levels
 * (0: never). */
static struct hit ground_hit(const struct scene *s, double xr, double z_road, double z_kerb)
{
    double near = z_kerb, far = z_road;
    uint8_t label;

    if (z_kerb > 0.0 && (label = ground_label(s, xr * z_kerb, z_kerb)) != ROAD)
        return (struct hit){z_kerb, label, TEXTURED};
    if (z_road <= 0.0)
        return (struct hit){1e30, SKY, OPEN_SKY};
    label = ground_label(s, xr * z_road, z_road);
    if (label == ROAD || z_kerb <= 0.0)
        return (struct hit){z_road, label, PLAIN};
    for (int i = 0; i < 24; i++) { /* between: the kerb's face */
        const double mid = 0.5 * (near + far);

        if (ground_label(s, xr * mid, mid) != ROAD)
            far = mid;
        else
            near = mid;
    }
    return (struct hit){far, SIDEWALK, TEXTURED};
}

/* The ray in a solid's local frame: point = a t + b; b and what follows from it do not depend
 * on the pixel. */
struct local_ray {
    double a[3], b[3];
};

static void apply_facade(const struct solid *o, const struct local_ray *r, int face, double *t,
                         uint8_t *surface)
{
    const int along_axis = face < 2 ? 2 : 0, through_axis = face < 2 ? 0 : 2;
    const double along = r->a[along_axis] * *t + r->b[along_axis] - o->low[along_axis];
    const double h = r->a[1] * *t + r->b[1];
    const double bays = along / o->bay, floors = (h - o->band_low) / o->floor_height;
    const double in_bay = bays - (double)int_floor(bays),
                 in_floor = floors - (double)int_floor(floors);
    double run, further, limit;

    if (h < o->band_low || h > o->band_high || in_bay < 0.26 || in_bay > 0.74 ||
        in_floor < 0.28 || in_floor > 0.8)
        return;
    run = r->a[through_axis] < 0 ? -r->a[through_axis] : r->a[through_axis];
    if (run > 1e-6) { /* the recessed pane; where its reveal is nearer, that hides it */
        further = o->recess / run;
        limit = 1.5 * o->recess + 0.02 * *t;
        *t += further < limit ? further : limit;
    }
    *surface = GLASS;
}

/* The part of a ray inside a solid, and the face where it comes in (-1: none). */
struct span {
    double enter, leave;
    int face;
};

static int clip_by_faces(const struct solid *o, const struct local_ray *r, struct span *span)
{
    for (int i = 0; i < o->n_faces; i++) {
        const struct half_space *f = &o->faces[i];
        const double den = f->x * r->a[0] + f->h * r->a[1] + f->z * r->a[2];
        const double num = f->limit - (f->x * r->b[0] + f->h * r->b[1] + f->z * r->b[2]);

        if (den > 0.0) {
            if (num < span->leave * den)
                span->leave = num / den;
        } else if (den < 0.0) {
            if (num < span->enter * den) {
                span->enter = num / den;
                span->face = i;
            }
        } else if (num < 0.0) {
            return 0;
        }
        if (span->enter >= span->leave)
            return 0;
    }
    return 1;
}

/* Clip by the ellipsoid or cylinder; '*rough' is the outline's noise there, for foliage. */
static int clip_by_round(const struct scene *s, const struct solid *o,
                         const struct local_ray *r, struct span *span, double *rough)
{
    const double ah = r->a[1], bh = r->b[1] - o->centre[1];
    double aa = 0.0, ab = 0.0, bb = 0.0, reach = 1.0, disc, near, far;

    for (int k = 0; k < 3; k++) {
        const double lean = k == 1 ? 0.0 : o->lean[k / 2];
        const double a = (r->a[k] - lean * ah) * o->inverse[k];
        const double b = (r->b[k] - o->centre[k] - lean * bh) * o->inverse[k];

        aa += a * a;
        ab += a * b;
        bb += b * b;
    }
    if (aa <= 0.0)
        return 0;
    if (o->relief == FOLIAGE) { /* ragged: the radius depends on where the ray comes closest */
        const double t = -ab / aa;
        double radius;

        if (bb - ab * ab / aa >= 1.0)
            return 0;
        *rough = noise3(s->lattice, 2.6 * (r->a[0] * t + r->b[0]) + 11.0 * (o->id & 15),
                        2.6 * (r->a[1] * t + r->b[1]), 2.6 * (r->a[2] * t + r->b[2]));
        radius = 1.0 - 0.5 * *rough * *rough - 0.12 * *rough;
        reach = radius * radius;
    }
    disc = ab * ab - aa * (bb - reach);
    if (disc <= 0.0)
        return 0;
    near = (-ab - sqrt(disc)) / aa;
    far = (-ab + sqrt(disc)) / aa;
    if (near > span->enter) {
        span->enter = near;
        span->face = -1;
    }
    span->leave = far < span->leave ? far : span->leave;
    return span->enter < span->leave;
}

/* Intersect; returns the depth or 0 for a miss, and the surface found there. */
static double cast_solid(const struct scene *s, const struct solid *o,
                         const struct local_ray *r, uint8_t *surface)
{
    struct span span = {.enter = NEAREST_M, .leave = FARTHEST_M, .face = -1};
    double rough = 0.0, t, x, h, z;

    *surface = o->surface;
    if (!clip_by_faces(o, r, &span) || (o->is_round && !clip_by_round(s, o, r, &span, &rough)))
        return 0.0;
    if (span.enter <= NEAREST_M)
        return 0.0; /* the camera is inside */
    t = span.enter;
    x = r->a[0] * t + r->b[0];
    h = r->a[1] * t + r->b[1];
    z = r->a[2] * t + r->b[2];

    switch (o->relief) {
    case FACADE:
        if (span.face >= 0 && span.face != 2 && span.face != 5)
            apply_facade(o, r, span.face, &t, surface);
        break;
    case FOLIAGE: {
        const double depth = noise3(s->lattice, 5.0 * x, 5.0 * h, 5.0 * z);

        t += o->rough * (1.6 * depth * depth + 0.5 * rough);
        break;
    }
    case PICKETS:
        z = (z - o->low[2]) / o->bay;
        if (h > o->band_low && h < o->band_high && z - (double)int_floor(z) > 0.5)
            return 0.0;
        break;
    case PANES:
        if (span.face != 2 && h > o->band_low && h < o->band_high)
            *surface = GLASS;
        break;
    default:
        break;
    }
    return t;
}

static uint16_t disparity_of(const struct scene *s, double depth)
{
    const double q =
        (double)DISPARITY_SCALE * s->camera.fx_px * s->camera.baseline_m / depth + 0.5;

    return q >= (double)DISPARITY_MAX ? DISPARITY_MAX : (uint16_t)q;
}

void scene_cast_row(const struct scene *s, struct scene_row *row, int v)
{
    const size_t offset = (size_t)v * (size_t)s->width;
    const double yr = ((double)v - s->camera.cy_px) / s->camera.fy_px;
    const double z_road = cast_ground(s, yr, 0.0), z_kerb = cast_ground(s, yr, s->kerb);
    uint8_t *label = s->plane->truth_class + offset, *surface = s->surfaces + offset;

    for (int u = 0; u < s->width; u++) {
        const double xr = ((double)u - s->camera.cx_px) / s->camera.fx_px;
        const struct hit hit = ground_hit(s, xr, z_road, z_kerb);

        row->depth[u] = hit.depth;
        label[u] = hit.label;
        surface[u] = hit.surface;
    }
    for (int i = 0; i < s->n_solids; i++) {
        const struct solid *o = &s->solids[i];
        const struct place *at = &o->at;
        struct local_ray r;

        if (v < o->v_first || v > o->v_last)
            continue;
        r.b[0] = -at->cosine * at->x + at->sine * at->z;
        r.b[2] = -at->sine * at->x - at->cosine * at->z;
        r.b[1] = s->camera.height_m - at->h - at->slope * r.b[2];
        for (int u = o->u_first; u <= o->u_last; u++) {
            const double xr = ((double)u - s->camera.cx_px) / s->camera.fx_px;
            uint8_t seen;
            double t;

            if (row->depth[u] <= o->nearest)
                continue;
            r.a[0] = at->cosine * xr - at->sine;
            r.a[2] = at->sine * xr + at->cosine;
            r.a[1] = -yr - at->slope * r.a[2];
            t = cast_solid(s, o, &r, &seen);
            if (t > 0.0 && t < row->depth[u]) {
                row->depth[u] = t;
                label[u] = o->label;
                surface[u] = seen;
            }
        }
    }
    for (int u = 0; u < s->width; u++)
        s->plane->truth[offset + (size_t)u] =
            label[u] == SKY ? 0 : disparity_of(s, row->depth[u]);
}
