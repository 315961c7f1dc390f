/* scene_things.c - what stands in a street, made of convex solids */
#include "harness/inputs/scene_private.h"

#include <assert.h>
#include <string.h>

/* The next solid to fill; when the list is full, the last one is used again: no crash, one
 * object less. */
static struct solid *new_solid(struct scene *s, struct place at, uint8_t label, uint8_t surface)
{
    const int i = s->n_solids < MAX_SOLIDS ? s->n_solids++ : MAX_SOLIDS - 1;
    struct solid *o = &s->solids[i];

    memset(o, 0, sizeof *o);
    o->at = at;
    o->label = label;
    o->surface = surface;
    o->relief = SMOOTH;
    o->id = i;
    return o;
}

void scene_add_face(struct solid *o, double x, double h, double z, double limit)
{
    assert(o->n_faces < MAX_HALF_SPACES);
    o->faces[o->n_faces++] = (struct half_space){x, h, z, limit};
}

struct solid *scene_add_box(struct scene *s, struct place at, struct box b, uint8_t label,
                            uint8_t surface)
{
    struct solid *o = new_solid(s, at, label, surface);

    scene_add_face(o, 1, 0, 0, b.x1);
    scene_add_face(o, -1, 0, 0, -b.x0);
    scene_add_face(o, 0, 1, 0, b.h1);
    scene_add_face(o, 0, 0, 1, b.z1);
    scene_add_face(o, 0, 0, -1, -b.z0);
    scene_add_face(o, 0, -1, 0, -b.h0);
    o->low[0] = b.x0, o->low[1] = b.h0, o->low[2] = b.z0;
    o->high[0] = b.x1, o->high[1] = b.h1, o->high[2] = b.z1;
    return o;
}

static struct solid *add_ellipsoid(struct scene *s, struct place at, double x, double h,
                                   double z, double rx, double rh, double rz, uint8_t label,
                                   uint8_t surface)
{
    struct solid *o = new_solid(s, at, label, surface);

    o->is_round = 1;
    o->centre[0] = x, o->centre[1] = h, o->centre[2] = z;
    o->inverse[0] = 1.0 / rx, o->inverse[1] = 1.0 / rh, o->inverse[2] = 1.0 / rz;
    o->low[0] = x - rx, o->low[1] = h - rh, o->low[2] = z - rz;
    o->high[0] = x + rx, o->high[1] = h + rh, o->high[2] = z + rz;
    return o;
}

static void set_lean(struct solid *o, double lean_x, double lean_z)
{
    const double reach = o->high[1] - o->centre[1];
    const double dx = (lean_x < 0 ? -lean_x : lean_x) * reach,
                 dz = (lean_z < 0 ? -lean_z : lean_z) * reach;

    o->lean[0] = lean_x, o->lean[1] = lean_z;
    o->low[0] -= dx, o->high[0] += dx;
    o->low[2] -= dz, o->high[2] += dz;
}

struct solid *scene_add_cylinder(struct scene *s, struct place at, double x, double z,
                                 double radius, double h0, double h1, uint8_t label,
                                 uint8_t surface)
{
    struct solid *o = new_solid(s, at, label, surface);

    o->is_round = 1;
    o->centre[0] = x, o->centre[1] = h0, o->centre[2] = z;
    o->inverse[0] = 1.0 / radius, o->inverse[1] = 0.0, o->inverse[2] = 1.0 / radius;
    scene_add_face(o, 0, 1, 0, h1);
    scene_add_face(o, 0, -1, 0, -h0);
    o->low[0] = x - radius, o->low[1] = h0, o->low[2] = z - radius;
    o->high[0] = x + radius, o->high[1] = h1, o->high[2] = z + radius;
    return o;
}

/* ---- things ------------------------------------------------------------------------------ */

void scene_add_person(struct scene *s, struct place at, struct dice *d, int is_walking)
{
    const double k = chance(d, 0.15) ? uniform(d, 0.6, 0.8) : uniform(d, 0.92, 1.1);
    const double stride = is_walking ? uniform(d, 0.15, 0.42) : 0.03;
    const double girth = uniform(d, 0.9, 1.25) * k;
    struct solid *o;

    o = add_ellipsoid(s, at, 0.10 * k, 0.43 * k, 0, 0.09 * girth, 0.47 * k, 0.11 * girth,
                      PERSON, TEXTURED);
    set_lean(o, 0.0, -stride);
    o = add_ellipsoid(s, at, -0.10 * k, 0.43 * k, 0, 0.09 * girth, 0.47 * k, 0.11 * girth,
                      PERSON, TEXTURED);
    set_lean(o, 0.0, stride);
    add_ellipsoid(s, at, 0, 1.13 * k, 0, 0.22 * girth, 0.38 * k, 0.15 * girth, PERSON,
                  TEXTURED);
    o = add_ellipsoid(s, at, 0.26 * girth, 1.08 * k, 0, 0.06 * k, 0.34 * k, 0.07 * k, PERSON,
                      TEXTURED);
    set_lean(o, 0.1, 0.8 * stride);
    o = add_ellipsoid(s, at, -0.26 * girth, 1.08 * k, 0, 0.06 * k, 0.34 * k, 0.07 * k, PERSON,
                      TEXTURED);
    set_lean(o, -0.1, -0.8 * stride);
    add_ellipsoid(s, at, 0, 1.63 * k, 0, 0.10 * k, 0.135 * k, 0.115 * k, PERSON, TEXTURED);
}

void scene_add_two_wheeler(struct scene *s, struct place at, struct dice *d, int is_motor,
                           int is_ridden)
{
    const uint8_t label = is_motor ? MOTORCYCLE : BICYCLE;
    const double wide = is_motor ? 0.09 : 0.035, radius = is_motor ? 0.31 : 0.34,
                 base = is_motor ? 0.68 : 0.53;
    const double k = uniform(d, 0.94, 1.08);
    struct solid *o;

    add_ellipsoid(s, at, 0, radius, base, wide, radius, radius, label, TEXTURED);
    add_ellipsoid(s, at, 0, radius, -base, wide, radius, radius, label, TEXTURED);
    if (is_motor) {
        add_ellipsoid(s, at, 0, 0.68, 0, 0.2, 0.26, 0.75, label, PLAIN);
    } else {
        scene_add_box(s, at, (struct box){-0.03, 0.03, 0.42, 0.5, -base, base}, label,
                      TEXTURED);
        scene_add_box(s, at, (struct box){-0.03, 0.03, 0.82, 0.88, -0.25, 0.4}, label,
                      TEXTURED);
    }
    scene_add_box(s, at, (struct box){-0.3, 0.3, 0.98, 1.03, 0.38, 0.46}, label,
                  TEXTURED); /* the handlebar */
    if (!is_ridden)
        return;
    for (int side = -1; side <= 1; side += 2) {
        o = add_ellipsoid(s, at, 0.13 * side, 0.66 * k, 0.05, 0.09, 0.38 * k, 0.12, RIDER,
                          TEXTURED);
        set_lean(o, 0.0, 0.35 * side);
        o = add_ellipsoid(s, at, 0.25 * side, 1.2 * k, 0.2, 0.06, 0.3 * k, 0.07, RIDER,
                          TEXTURED);
        set_lean(o, 0.0, -0.7);
    }
    o = add_ellipsoid(s, at, 0, 1.22 * k, 0, 0.22, 0.37 * k, 0.17, RIDER, TEXTURED);
    set_lean(o, 0.0, 0.35);
    add_ellipsoid(s, at, 0, 1.68 * k, 0.2, 0.11, 0.14 * k, 0.12, RIDER, TEXTURED);
}

static void add_wheels(struct scene *s, struct place at, double half_wide, double base,
                       double radius, uint8_t label)
{
    for (int i = 0; i < 4; i++)
        add_ellipsoid(s, at, i & 1 ? half_wide : -half_wide, radius, i & 2 ? base : -base, 0.12,
                      radius, radius, label, PLAIN);
}

void scene_add_car(struct scene *s, struct place at, struct dice *d)
{
    const int type = below(d, 6); /* 0-2 saloon, 3 hatchback, 4 off-road, 5 van */
    const double half = (type == 3 ? 1.9 : type == 5 ? 2.4 : 2.2) * uniform(d, 0.95, 1.07);
    const double wide = uniform(d, 0.84, 0.92), tall = type == 5   ? 1.95
                                                       : type == 4 ? 1.72
                                                                   : 1.45;
    const double waist = type >= 4 ? 1.02 : 0.88, under = type == 4 ? 0.32 : 0.22;
    const double front = type == 5 ? half - 0.75 : half - 1.15,
                 tail = type == 0 ? half - 0.75 : half - 0.12;
    struct solid *o;

    o = scene_add_box(s, at, (struct box){-wide, wide, under, waist, -half, half}, CAR, PLAIN);
    scene_add_face(o, 0, 0.9, 1.0, half - 0.25 + 0.9 * waist); /* the bonnet's edge */
    scene_add_face(o, 0, 0.9, -1.0, half - 0.12 + 0.9 * waist);

    /* The cabin: sides lean in by 0.22, windscreen by 1.2 (van 0.5), rear by 0.8 (van 0.1) per
     * metre. */
    o = new_solid(s, at, CAR, PLAIN);
    scene_add_face(o, 1, 0.22, 0, wide - 0.03 + 0.22 * waist);
    scene_add_face(o, -1, 0.22, 0, wide - 0.03 + 0.22 * waist);
    scene_add_face(o, 0, 1, 0, tall);
    scene_add_face(o, 0, type == 5 ? 0.5 : 1.2, 1, front + (type == 5 ? 0.5 : 1.2) * waist);
    scene_add_face(o, 0, type == 5 ? 0.1 : 0.8, -1, tail + (type == 5 ? 0.1 : 0.8) * waist);
    scene_add_face(o, 0, -1, 0, -waist + 0.05);
    o->low[0] = -wide, o->low[1] = waist - 0.05, o->low[2] = -half;
    o->high[0] = wide, o->high[1] = tall, o->high[2] = half;
    o->relief = PANES;
    o->band_low = waist + 0.05, o->band_high = tall - 0.1;
    add_wheels(s, at, wide - 0.1, half - 0.82, 0.32, CAR);
    if (chance(d, 0.5)) /* mirrors */
        for (int side = -1; side <= 1; side += 2)
            add_ellipsoid(s, at, side * (wide + 0.1), waist + 0.08, front - 0.15, 0.1, 0.08,
                          0.06, CAR, PLAIN);
}

void scene_add_truck(struct scene *s, struct place at, struct dice *d)
{
    const double half = uniform(d, 3.2, 5.2), tall = uniform(d, 2.9, 3.7);
    struct solid *o;

    scene_add_box(s, at, (struct box){-1.22, 1.22, 0.95, tall, -half, half - 2.0}, TRUCK,
                  PLAIN);
    o = scene_add_box(s, at, (struct box){-1.15, 1.15, 0.5, 2.7, half - 1.85, half}, TRUCK,
                      PLAIN);
    scene_add_face(o, 0, 0.2, 1.0, half + 0.2 * 1.5);
    o->relief = PANES;
    o->band_low = 1.6, o->band_high = 2.4;
    scene_add_box(s, at, (struct box){-0.9, 0.9, 0.55, 0.95, -half + 0.2, half - 1.0}, TRUCK,
                  PLAIN);
    add_wheels(s, at, 1.05, half - 1.3, 0.48, TRUCK);
}

void scene_add_bus(struct scene *s, struct place at, struct dice *d)
{
    const double half = uniform(d, 4.9, 6.2), tall = uniform(d, 2.9, 3.15);
    struct solid *o =
        scene_add_box(s, at, (struct box){-1.27, 1.27, 0.32, tall, -half, half}, BUS, PLAIN);

    o->relief = PANES;
    o->band_low = 1.1, o->band_high = 2.35;
    add_wheels(s, at, 1.2, half - 2.4, 0.48, BUS);
    scene_add_box(s, at, (struct box){-0.8, 0.8, tall, tall + 0.25, -half + 1.0, half - 5.0},
                  BUS, PLAIN);
}

void scene_add_tram(struct scene *s, struct place at, struct dice *d)
{
    const int n_cars = 2 + below(d, 2);

    for (int i = 0; i < n_cars; i++) {
        const double z = 9.6 * i;
        struct solid *o =
            scene_add_box(s, at, (struct box){-1.3, 1.3, 0.3, 3.3, z, z + 9.1}, TRAIN, PLAIN);

        o->relief = PANES;
        o->band_low = 1.3, o->band_high = 2.6;
        scene_add_box(s, at, (struct box){-1.05, 1.05, 0.5, 3.0, z + 9.0, z + 9.7}, TRAIN,
                      TEXTURED);
    }
}

static void add_foliage(struct scene *s, struct place at, double x, double h, double z,
                        double rx, double rh, double rough)
{
    struct solid *o = add_ellipsoid(s, at, x, h, z, rx, rh, rx, VEGETATION, LEAVES);

    o->relief = FOLIAGE;
    o->rough = rough;
}

void scene_add_tree(struct scene *s, struct place at, struct dice *d, double size)
{
    const double trunk = size * uniform(d, 0.30, 0.42), radius = size * uniform(d, 0.24, 0.34);
    const double thick = size * uniform(d, 0.018, 0.03);
    const int n_blobs = 4 + below(d, 4);

    at = upright(at);
    if (chance(d, 0.12)) { /* a conifer: a pile of flat ellipsoids */
        for (int i = 0; i < 5; i++)
            add_foliage(s, at, 0, size * (0.22 + 0.16 * i), 0, radius * (0.85 - 0.16 * i),
                        size * 0.16, 0.5);
        scene_add_cylinder(s, at, 0, 0, thick, -1.0, 0.3 * size, VEGETATION, TEXTURED);
        return;
    }
    scene_add_cylinder(s, at, 0, 0, thick, -1.0, trunk + 0.3 * radius, VEGETATION, TEXTURED);
    add_foliage(s, at, 0, trunk + 0.8 * radius, 0, radius * 0.8, radius * 0.8, 0.25 * radius);
    for (int i = 0; i < n_blobs; i++) {
        const double x = uniform(d, -0.6, 0.6) * radius;
        const double z = uniform(d, -0.6, 0.6) * radius;
        const double h = uniform(d, 0.4, 1.6) * radius;
        const double r = uniform(d, 0.4, 0.7) * radius;

        add_foliage(s, at, x, trunk + h, z, r, 0.85 * r, 0.3 * radius);
    }
}

void scene_add_bush(struct scene *s, struct place at, struct dice *d, double size)
{
    const int n = 2 + below(d, 3);

    for (int i = 0; i < n; i++) {
        const double x = uniform(d, -0.6, 0.6) * size;
        const double z = uniform(d, -0.8, 0.8) * size;
        const double r = uniform(d, 0.5, 0.9) * size;

        add_foliage(s, at, x, 0.4 * size, z, r, 0.8 * r, 0.2 * size);
    }
}

void scene_add_lamp(struct scene *s, struct place at, struct dice *d, double towards_road)
{
    const double tall = uniform(d, 5.5, 8.5), reach = uniform(d, 0.8, 2.2) * towards_road;
    const double x0 = reach < 0 ? reach : 0.0, x1 = reach < 0 ? 0.0 : reach;

    at = upright(at);
    scene_add_cylinder(s, at, 0, 0, 0.09, -0.5, tall, POLE, TEXTURED);
    scene_add_cylinder(s, at, 0, 0, 0.14, -0.5, 1.1, POLE, TEXTURED);
    scene_add_box(s, at, (struct box){x0, x1, tall - 0.12, tall, -0.05, 0.05}, POLE, TEXTURED);
    add_ellipsoid(s, at, reach, tall - 0.1, 0, 0.35, 0.1, 0.18, POLE, TEXTURED);
}

void scene_add_sign(struct scene *s, struct place at, struct dice *d)
{
    const double tall = uniform(d, 2.2, 2.9);
    const int shape = below(d, 3);

    at = upright(at);
    scene_add_cylinder(s, at, 0, 0, 0.045, -0.5, tall + 0.2, POLE, TEXTURED);
    if (shape == 0)
        add_ellipsoid(s, at, 0, tall, -0.06, 0.32, 0.32, 0.02, TRAFFIC_SIGN, PLAIN);
    else if (shape == 1)
        scene_add_box(s, at, (struct box){-0.3, 0.3, tall - 0.35, tall + 0.35, -0.08, -0.05},
                      TRAFFIC_SIGN, PLAIN);
    else {
        struct solid *o = scene_add_box(
            s, at, (struct box){-0.42, 0.42, tall - 0.35, tall + 0.42, -0.08, -0.05},
            TRAFFIC_SIGN, PLAIN);

        /* a triangle: the two upper sides slant */
        scene_add_face(o, 1.8, 1, 0, tall + 0.42);
        scene_add_face(o, -1.8, 1, 0, tall + 0.42);
    }
    if (chance(d, 0.35))
        scene_add_box(s, at, (struct box){-0.3, 0.3, tall - 0.75, tall - 0.42, -0.08, -0.05},
                      TRAFFIC_SIGN, PLAIN);
}

void scene_add_traffic_light(struct scene *s, struct place at, struct dice *d,
                             double towards_road, double reach)
{
    const double far_end = towards_road * reach;
    const int has_arm = chance(d, 0.55);

    at = upright(at);
    scene_add_cylinder(s, at, 0, 0, 0.08, -0.5, has_arm ? 5.7 : 3.5, POLE, TEXTURED);
    scene_add_box(s, at, (struct box){-0.18, 0.18, 2.45, 3.4, -0.4, -0.1}, TRAFFIC_LIGHT,
                  PLAIN);
    if (!has_arm)
        return;
    scene_add_box(s, at,
                  (struct box){far_end < 0 ? far_end : 0, far_end < 0 ? 0 : far_end, 5.5, 5.62,
                               -0.06, 0.06},
                  POLE, TEXTURED);
    scene_add_box(s, at, (struct box){far_end - 0.2, far_end + 0.2, 4.9, 5.9, -0.25, -0.08},
                  TRAFFIC_LIGHT, PLAIN);
}

void scene_add_building(struct scene *s, double side, double across, double z, double along,
                        double tall, struct dice *d)
{
    struct place at = upright(place_at(s, 0.0, z));
    const double depth = uniform(d, 9.0, 14.0), half = 0.5 * along;
    const double x0 = side < 0 ? -across - depth : across,
                 x1 = side < 0 ? -across : across + depth;
    const uint8_t surface = chance(d, 0.3) ? PLAIN : TEXTURED;
    struct solid *o =
        scene_add_box(s, at, (struct box){x0, x1, -15.0, tall, -half, half}, BUILDING, surface);

    o->relief = FACADE;
    o->bay = uniform(d, 2.2, 4.2);
    o->floor_height = uniform(d, 2.8, 3.6);
    o->recess = uniform(d, 0.15, 0.5);
    o->band_low = chance(d, 0.5) ? 0.3 : 3.4;
    o->band_high = tall - 0.8;
    if (chance(d, 0.45)) { /* a roof whose ridge runs along the street */
        const double pitch = uniform(d, 0.5, 1.0), ridge = tall + 0.5 * depth * pitch;
        const double eaves = uniform(d, 0.2, 0.6);

        o = new_solid(s, at, BUILDING, TEXTURED);
        scene_add_face(o, pitch, 1, 0, tall + pitch * (x1 + eaves));
        scene_add_face(o, -pitch, 1, 0, tall - pitch * (x0 - eaves));
        scene_add_face(o, 0, 0, 1, half);
        scene_add_face(o, 0, 0, -1, half);
        scene_add_face(o, 0, -1, 0, -tall);
        o->low[0] = x0 - eaves, o->low[1] = tall, o->low[2] = -half;
        o->high[0] = x1 + eaves, o->high[1] = ridge + eaves * pitch, o->high[2] = half;
        if (chance(d, 0.6)) {
            const double cz = uniform(d, -0.7, 0.7) * half,
                         cx = 0.5 * (x0 + x1) + uniform(d, -2.0, 2.0);

            scene_add_box(
                s, at, (struct box){cx - 0.4, cx + 0.4, tall, ridge + 0.8, cz - 0.5, cz + 0.5},
                BUILDING, TEXTURED);
        }
    } else { /* a cornice */
        const double out = uniform(d, 0.15, 0.5);

        scene_add_box(s, at, (struct box){x0 - out, x1 + out, tall - 0.5, tall, -half, half},
                      BUILDING, TEXTURED);
    }
    if (chance(d, 0.35)) { /* balconies or bay windows in a column */
        const double cz = uniform(d, -0.6, 0.6) * half, out = uniform(d, 0.6, 1.1);
        const double wide = uniform(d, 1.2, 2.0);
        const double storey = uniform(d, 2.8, 3.4);
        const int is_bay = chance(d, 0.5);
        const double fx0 = side < 0 ? x1 : x0 - out, fx1 = side < 0 ? x1 + out : x0;

        for (double h = 3.4; h + 3.0 < tall; h += storey)
            scene_add_box(
                s, at,
                (struct box){fx0, fx1, h, h + (is_bay ? 2.3 : 1.05), cz - wide, cz + wide},
                BUILDING, TEXTURED);
    }
    if (chance(d, 0.4)) { /* an awning or a porch over the door */
        const double cz = uniform(d, -0.5, 0.5) * half, out = uniform(d, 0.8, 1.6);
        const double wide = uniform(d, 1.5, 3.5);

        scene_add_box(s, at,
                      (struct box){side < 0 ? x1 : x0 - out, side < 0 ? x1 + out : x0, 2.6,
                                   2.95, cz - wide, cz + wide},
                      BUILDING, TEXTURED);
    }
}
