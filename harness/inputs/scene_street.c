/* scene_street.c - the seed rolls a street and the convex solids in it: (1) of scene.c */
#include "harness/inputs/scene_private.h"

#include <assert.h>
#include <string.h>

#define WHOLE_SIDE 0xFFFF0000u /* index of the dice for a side as a whole */

/* Dice are for these. */
enum { DICE_STREET = 1, DICE_PROFILE, DICE_CROSSING, DICE_LOT, DICE_BACKGROUND, DICE_KERB };
enum { DICE_FURNITURE = DICE_KERB + 1, DICE_TREES, DICE_TRAFFIC, DICE_PEOPLE, DICE_END };

/* A private sequence for each thing, so that adding an object does not move the others. */
struct dice {
    uint64_t key;
    uint32_t kind, index, n_rolls;
};

static struct dice dice_for(const struct scene *s, uint32_t kind, uint32_t index)
{
    return (struct dice){.key = s->seed, .kind = kind, .index = index};
}

static uint32_t roll(struct dice *d)
{
    return bench_philox(d->key, d->n_rolls++, d->index, d->kind, STREAM_LAYOUT).word[0];
}

static double uniform(struct dice *d, double low, double high)
{
    return low + (high - low) * ((double)roll(d) / 4294967296.0);
}

static int chance(struct dice *d, double probability)
{
    return uniform(d, 0.0, 1.0) < probability;
}

static int below(struct dice *d, uint32_t n)
{
    return (int)bench_below(roll(d), n);
}

/* ---- places ------------------------------------------------------------------------------ */

/* The place 'across' metres right of the road's middle at z, heading along the road. */
static struct place place_at(const struct scene *s, double across, double z)
{
    const double tangent = 2.0 * s->bend * z, length = sqrt(1.0 + tangent * tangent);
    const double cosine = 1.0 / length, sine = tangent / length;
    double x, curvature;
    int i = 0; /* the profile's piece that holds z; the last one has no end */

    while (i + 1 < N_KNOTS && z >= s->knot_z[i + 1])
        i++;
    x = z - s->knot_z[i];
    curvature = profile_curvature(s, i);
    return (struct place){.x = middle_of_road(s, z) + across * cosine,
                          .h = s->knot_h[i] + s->knot_slope[i] * x + 0.5 * curvature * x * x,
                          .z = z - across * sine,
                          .cosine = cosine,
                          .sine = sine,
                          .slope = s->knot_slope[i] + curvature * x};
}

/* Turn a place by an angle, given as the tangent of its half: exact with + - * / only. */
static struct place turned(struct place p, double half_tangent)
{
    const double q = half_tangent * half_tangent, c = (1.0 - q) / (1.0 + q),
                 s = 2.0 * half_tangent / (1.0 + q);
    const double cosine = p.cosine * c - p.sine * s, sine = p.sine * c + p.cosine * s;

    p.cosine = cosine;
    p.sine = sine;
    p.slope = p.slope * c;
    return p;
}

static struct place upright(struct place p)
{
    p.slope = 0.0;
    return p;
}

/* Heading along the road on its right side, against it on its left. */
static struct place lane_at(const struct scene *s, int is_right, double across, double z)
{
    struct place p = place_at(s, across, z);

    if (!is_right) {
        p.cosine = -p.cosine;
        p.sine = -p.sine;
        p.slope = -p.slope;
    }
    return p;
}

static struct place on_kerb(const struct scene *s, double across, double z)
{
    struct place p = place_at(s, across, z);

    p.h += s->kerb;
    return p;
}

/* ---- solids ------------------------------------------------------------------------------ */

/* The next solids stand there, and are of this. */
struct site {
    struct scene *s;
    struct place at;
    uint8_t label, surface;
};

/* The next solid to fill, in a box of x, h and z; when the list is full, the last one is used
 * again: no crash, one object less. */
static struct solid *new_solid(struct site of, double x0, double x1, double h0, double h1,
                               double z0, double z1)
{
    const int i = of.s->n_solids < MAX_SOLIDS ? of.s->n_solids++ : MAX_SOLIDS - 1;
    struct solid *o = &of.s->solids[i];

    *o = (struct solid){.at = of.at,
                        .label = of.label,
                        .surface = of.surface,
                        .relief = SMOOTH,
                        .low = {x0, h0, z0},
                        .high = {x1, h1, z1},
                        .id = i};
    return o;
}

static void add_face(struct solid *o, double x, double h, double z, double limit)
{
    assert(o->n_faces < MAX_HALF_SPACES);
    o->faces[o->n_faces++] = (struct half_space){x, h, z, limit};
}

/* Faces 0, 1 look along x, 2 is the top, 3, 4 look along z; a box has no bottom to see but
 * keeps it: 5. */
static struct solid *add_box(struct site of, double x0, double x1, double h0, double h1,
                             double z0, double z1)
{
    struct solid *o = new_solid(of, x0, x1, h0, h1, z0, z1);

    add_face(o, 1, 0, 0, x1);
    add_face(o, -1, 0, 0, -x0);
    add_face(o, 0, 1, 0, h1);
    add_face(o, 0, 0, 1, z1);
    add_face(o, 0, 0, -1, -z0);
    add_face(o, 0, -1, 0, -h0);
    return o;
}

static struct solid *add_ellipsoid(struct site of, double x, double h, double z, double rx,
                                   double rh, double rz)
{
    struct solid *o = new_solid(of, x - rx, x + rx, h - rh, h + rh, z - rz, z + rz);

    o->is_round = 1;
    o->centre[0] = x, o->centre[1] = h, o->centre[2] = z;
    o->inverse[0] = 1.0 / rx, o->inverse[1] = 1.0 / rh, o->inverse[2] = 1.0 / rz;
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

/* Upright, in the middle of its place. */
static void add_cylinder(struct site of, double radius, double h0, double h1)
{
    struct solid *o = new_solid(of, -radius, radius, h0, h1, -radius, radius);

    o->is_round = 1;
    o->centre[1] = h0;
    o->inverse[0] = o->inverse[2] = 1.0 / radius;
    add_face(o, 0, 1, 0, h1);
    add_face(o, 0, -1, 0, -h0);
}

static void set_panes(struct solid *o, double low, double high)
{
    o->relief = PANES;
    o->band_low = low;
    o->band_high = high;
}

static void set_foliage(struct solid *o, double rough)
{
    o->relief = FOLIAGE;
    o->rough = rough;
}

/* ---- things ------------------------------------------------------------------------------ */

static void add_person(struct scene *s, struct place at, struct dice *d, int is_walking)
{
    const double k = chance(d, 0.15) ? uniform(d, 0.6, 0.8) : uniform(d, 0.92, 1.1);
    const double stride = is_walking ? uniform(d, 0.15, 0.42) : 0.03;
    const double girth = uniform(d, 0.9, 1.25) * k;
    const struct site body = {s, at, PERSON, TEXTURED};

    for (int side = 1; side >= -1; side -= 2) /* legs */
        set_lean(add_ellipsoid(body, 0.10 * k * side, 0.43 * k, 0, 0.09 * girth, 0.47 * k,
                               0.11 * girth),
                 0.0, -stride * side);
    add_ellipsoid(body, 0, 1.13 * k, 0, 0.22 * girth, 0.38 * k, 0.15 * girth);
    for (int side = 1; side >= -1; side -= 2) /* arms */
        set_lean(
            add_ellipsoid(body, 0.26 * girth * side, 1.08 * k, 0, 0.06 * k, 0.34 * k, 0.07 * k),
            0.1 * side, 0.8 * stride * side);
    add_ellipsoid(body, 0, 1.63 * k, 0, 0.10 * k, 0.135 * k, 0.115 * k);
}

static void add_two_wheeler(struct scene *s, struct place at, struct dice *d, int is_motor,
                            int is_ridden)
{
    const double wide = is_motor ? 0.09 : 0.035, radius = is_motor ? 0.31 : 0.34,
                 base = is_motor ? 0.68 : 0.53;
    const double k = uniform(d, 0.94, 1.08);
    const struct site wheel = {s, at, is_motor ? MOTORCYCLE : BICYCLE, TEXTURED};
    const struct site tank = {s, at, MOTORCYCLE, PLAIN}, rider = {s, at, RIDER, TEXTURED};

    add_ellipsoid(wheel, 0, radius, base, wide, radius, radius);
    add_ellipsoid(wheel, 0, radius, -base, wide, radius, radius);
    if (is_motor) {
        add_ellipsoid(tank, 0, 0.68, 0, 0.2, 0.26, 0.75);
    } else {
        add_box(wheel, -0.03, 0.03, 0.42, 0.5, -base, base);
        add_box(wheel, -0.03, 0.03, 0.82, 0.88, -0.25, 0.4);
    }
    add_box(wheel, -0.3, 0.3, 0.98, 1.03, 0.38, 0.46); /* the handlebar */
    if (!is_ridden)
        return;
    for (int side = -1; side <= 1; side += 2) {
        set_lean(add_ellipsoid(rider, 0.13 * side, 0.66 * k, 0.05, 0.09, 0.38 * k, 0.12), 0.0,
                 0.35 * side);
        set_lean(add_ellipsoid(rider, 0.25 * side, 1.2 * k, 0.2, 0.06, 0.3 * k, 0.07), 0.0,
                 -0.7);
    }
    set_lean(add_ellipsoid(rider, 0, 1.22 * k, 0, 0.22, 0.37 * k, 0.17), 0.0, 0.35);
    add_ellipsoid(rider, 0, 1.68 * k, 0.2, 0.11, 0.14 * k, 0.12);
}

static void add_wheels(struct site of, double half_wide, double base, double radius)
{
    for (int i = 0; i < 4; i++)
        add_ellipsoid(of, i & 1 ? half_wide : -half_wide, radius, i & 2 ? base : -base, 0.12,
                      radius, radius);
}

/* Length, width and height vary from a small hatchback to a van; the cabin's glass slants. */
static void add_car(struct scene *s, struct place at, struct dice *d)
{
    enum { SALOON, HATCHBACK = 3, OFF_ROAD, VAN, N_TYPES }; /* 1 and 2: saloons too */
    const struct site body = {s, at, CAR, PLAIN};
    const int type = below(d, N_TYPES);
    const double length = type == HATCHBACK ? 1.9 : type == VAN ? 2.4 : 2.2;
    const double half = length * uniform(d, 0.95, 1.07), wide = uniform(d, 0.84, 0.92);
    const double tall = type == VAN ? 1.95 : type == OFF_ROAD ? 1.72 : 1.45;
    const double waist = type >= OFF_ROAD ? 1.02 : 0.88, under = type == OFF_ROAD ? 0.32 : 0.22;
    const double front = type == VAN ? half - 0.75 : half - 1.15,
                 tail = type == SALOON ? half - 0.75 : half - 0.12;
    /* the cabin leans in by so much per metre */
    const double side = 0.22, windscreen = type == VAN ? 0.5 : 1.2,
                 rear = type == VAN ? 0.1 : 0.8;
    struct solid *o = add_box(body, -wide, wide, under, waist, -half, half);

    add_face(o, 0, 0.9, 1.0, half - 0.25 + 0.9 * waist); /* the bonnet's edge */
    add_face(o, 0, 0.9, -1.0, half - 0.12 + 0.9 * waist);
    o = new_solid(body, -wide, wide, waist - 0.05, tall, -half, half);
    add_face(o, 1, side, 0, wide - 0.03 + side * waist);
    add_face(o, -1, side, 0, wide - 0.03 + side * waist);
    add_face(o, 0, 1, 0, tall);
    add_face(o, 0, windscreen, 1, front + windscreen * waist);
    add_face(o, 0, rear, -1, tail + rear * waist);
    add_face(o, 0, -1, 0, -waist + 0.05);
    set_panes(o, waist + 0.05, tall - 0.1);
    add_wheels(body, wide - 0.1, half - 0.82, 0.32);
    if (chance(d, 0.5)) /* mirrors */
        for (int i = -1; i <= 1; i += 2)
            add_ellipsoid(body, i * (wide + 0.1), waist + 0.08, front - 0.15, 0.1, 0.08, 0.06);
}

static void add_truck(struct scene *s, struct place at, struct dice *d)
{
    const double half = uniform(d, 3.2, 5.2), tall = uniform(d, 2.9, 3.7);
    const struct site body = {s, at, TRUCK, PLAIN};
    struct solid *cabin;

    add_box(body, -1.22, 1.22, 0.95, tall, -half, half - 2.0);
    cabin = add_box(body, -1.15, 1.15, 0.5, 2.7, half - 1.85, half);
    add_face(cabin, 0, 0.2, 1.0, half + 0.2 * 1.5);
    set_panes(cabin, 1.6, 2.4);
    add_box(body, -0.9, 0.9, 0.55, 0.95, -half + 0.2, half - 1.0);
    add_wheels(body, 1.05, half - 1.3, 0.48);
}

static void add_bus(struct scene *s, struct place at, struct dice *d)
{
    const double half = uniform(d, 4.9, 6.2), tall = uniform(d, 2.9, 3.15);
    const struct site body = {s, at, BUS, PLAIN};

    set_panes(add_box(body, -1.27, 1.27, 0.32, tall, -half, half), 1.1, 2.35);
    add_wheels(body, 1.2, half - 2.4, 0.48);
    add_box(body, -0.8, 0.8, tall, tall + 0.25, -half + 1.0, half - 5.0);
}

static void add_tram(struct scene *s, struct place at, struct dice *d)
{
    const int n_cars = 2 + below(d, 2);
    const struct site car = {s, at, TRAIN, PLAIN}, joint = {s, at, TRAIN, TEXTURED};

    for (int i = 0; i < n_cars; i++) {
        const double z = 9.6 * i;

        set_panes(add_box(car, -1.3, 1.3, 0.3, 3.3, z, z + 9.1), 1.3, 2.6);
        add_box(joint, -1.05, 1.05, 0.5, 3.0, z + 9.0, z + 9.7);
    }
}

static void add_tree(struct scene *s, struct place at, struct dice *d, double size)
{
    const double trunk = size * uniform(d, 0.30, 0.42), radius = size * uniform(d, 0.24, 0.34);
    const double thick = size * uniform(d, 0.018, 0.03);
    const int n_blobs = 4 + below(d, 4);
    const struct site wood = {s, upright(at), VEGETATION, TEXTURED};
    const struct site leaves = {s, upright(at), VEGETATION, LEAVES};

    if (chance(d, 0.12)) { /* a conifer: a pile of flat ellipsoids */
        for (int i = 0; i < 5; i++) {
            const double r = radius * (0.85 - 0.16 * i), h = size * (0.22 + 0.16 * i);

            set_foliage(add_ellipsoid(leaves, 0, h, 0, r, size * 0.16, r), 0.5);
        }
        add_cylinder(wood, thick, -1.0, 0.3 * size);
        return;
    }
    add_cylinder(wood, thick, -1.0, trunk + 0.3 * radius);
    set_foliage(add_ellipsoid(leaves, 0, trunk + 0.8 * radius, 0, radius * 0.8, radius * 0.8,
                              radius * 0.8),
                0.25 * radius);
    for (int i = 0; i < n_blobs; i++) {
        const double x = uniform(d, -0.6, 0.6) * radius;
        const double z = uniform(d, -0.6, 0.6) * radius;
        const double h = uniform(d, 0.4, 1.6) * radius;
        const double r = uniform(d, 0.4, 0.7) * radius;

        set_foliage(add_ellipsoid(leaves, x, trunk + h, z, r, 0.85 * r, r), 0.3 * radius);
    }
}

static void add_bush(struct scene *s, struct place at, struct dice *d, double size)
{
    const struct site leaves = {s, at, VEGETATION, LEAVES};
    const int n = 2 + below(d, 3);

    for (int i = 0; i < n; i++) {
        const double x = uniform(d, -0.6, 0.6) * size;
        const double z = uniform(d, -0.8, 0.8) * size;
        const double r = uniform(d, 0.5, 0.9) * size;

        set_foliage(add_ellipsoid(leaves, x, 0.4 * size, z, r, 0.8 * r, r), 0.2 * size);
    }
}

/* From the pole to 'reach', on whichever side. */
static void add_arm(struct site pole, double reach, double low, double high, double half_thick)
{
    add_box(pole, reach < 0 ? reach : 0.0, reach < 0 ? 0.0 : reach, low, high, -half_thick,
            half_thick);
}

static void add_lamp(struct scene *s, struct place at, struct dice *d, double towards_road)
{
    const double tall = uniform(d, 5.5, 8.5), reach = uniform(d, 0.8, 2.2) * towards_road;
    const struct site pole = {s, upright(at), POLE, TEXTURED};

    add_cylinder(pole, 0.09, -0.5, tall);
    add_cylinder(pole, 0.14, -0.5, 1.1);
    add_arm(pole, reach, tall - 0.12, tall, 0.05);
    add_ellipsoid(pole, reach, tall - 0.1, 0, 0.35, 0.1, 0.18);
}

static void add_sign(struct scene *s, struct place at, struct dice *d)
{
    const double tall = uniform(d, 2.2, 2.9);
    const int shape = below(d, 3);
    const struct site pole = {s, upright(at), POLE, TEXTURED};
    const struct site plate = {s, upright(at), TRAFFIC_SIGN, PLAIN};

    add_cylinder(pole, 0.045, -0.5, tall + 0.2);
    if (shape == 0) {
        add_ellipsoid(plate, 0, tall, -0.06, 0.32, 0.32, 0.02);
    } else if (shape == 1) {
        add_box(plate, -0.3, 0.3, tall - 0.35, tall + 0.35, -0.08, -0.05);
    } else { /* a triangle: the two upper sides slant */
        struct solid *o = add_box(plate, -0.42, 0.42, tall - 0.35, tall + 0.42, -0.08, -0.05);

        add_face(o, 1.8, 1, 0, tall + 0.42);
        add_face(o, -1.8, 1, 0, tall + 0.42);
    }
    if (chance(d, 0.35))
        add_box(plate, -0.3, 0.3, tall - 0.75, tall - 0.42, -0.08, -0.05);
}

static void add_traffic_light(struct scene *s, struct place at, struct dice *d, double reach)
{
    const int has_arm = chance(d, 0.55);
    const struct site pole = {s, upright(at), POLE, TEXTURED};
    const struct site light = {s, upright(at), TRAFFIC_LIGHT, PLAIN};

    add_cylinder(pole, 0.08, -0.5, has_arm ? 5.7 : 3.5);
    add_box(light, -0.18, 0.18, 2.45, 3.4, -0.4, -0.1);
    if (!has_arm)
        return;
    add_arm(pole, reach, 5.5, 5.62, 0.06);
    add_box(light, reach - 0.2, reach + 0.2, 4.9, 5.9, -0.25, -0.08);
}

/* A facade that looks at the street from 'across' metres; side -1 is the street's left. */
static void add_building(struct scene *s, double side, double across, double z, double along,
                         double tall, struct dice *d)
{
    const struct place at = upright(place_at(s, 0.0, z));
    const double depth = uniform(d, 9.0, 14.0), half = 0.5 * along;
    const double x0 = side < 0 ? -across - depth : across,
                 x1 = side < 0 ? -across : across + depth;
    const struct site wall = {s, at, BUILDING, chance(d, 0.3) ? PLAIN : TEXTURED};
    const struct site part = {s, at, BUILDING, TEXTURED};
    struct solid *o = add_box(wall, x0, x1, -15.0, tall, -half, half);

    o->relief = FACADE;
    o->bay = uniform(d, 2.2, 4.2);
    o->floor_height = uniform(d, 2.8, 3.6);
    o->recess = uniform(d, 0.15, 0.5);
    o->band_low = chance(d, 0.5) ? 0.3 : 3.4;
    o->band_high = tall - 0.8;
    if (chance(d, 0.45)) { /* a roof whose ridge runs along the street */
        const double pitch = uniform(d, 0.5, 1.0), ridge = tall + 0.5 * depth * pitch;
        const double eaves = uniform(d, 0.2, 0.6);

        o = new_solid(part, x0 - eaves, x1 + eaves, tall, ridge + eaves * pitch, -half, half);
        add_face(o, pitch, 1, 0, tall + pitch * (x1 + eaves));
        add_face(o, -pitch, 1, 0, tall - pitch * (x0 - eaves));
        add_face(o, 0, 0, 1, half);
        add_face(o, 0, 0, -1, half);
        add_face(o, 0, -1, 0, -tall);
        if (chance(d, 0.6)) { /* a chimney */
            const double cz = uniform(d, -0.7, 0.7) * half,
                         cx = 0.5 * (x0 + x1) + uniform(d, -2.0, 2.0);

            add_box(part, cx - 0.4, cx + 0.4, tall, ridge + 0.8, cz - 0.5, cz + 0.5);
        }
    } else { /* a cornice */
        const double out = uniform(d, 0.15, 0.5);

        add_box(part, x0 - out, x1 + out, tall - 0.5, tall, -half, half);
    }
    if (chance(d, 0.35)) { /* balconies or bay windows in a column */
        const double cz = uniform(d, -0.6, 0.6) * half, out = uniform(d, 0.6, 1.1);
        const double wide = uniform(d, 1.2, 2.0), storey = uniform(d, 2.8, 3.4);
        const double high = chance(d, 0.5) ? 2.3 : 1.05;

        for (double h = 3.4; h + 3.0 < tall; h += storey)
            add_box(part, side < 0 ? x1 : x0 - out, side < 0 ? x1 + out : x0, h, h + high,
                    cz - wide, cz + wide);
    }
    if (chance(d, 0.4)) { /* an awning or a porch over the door */
        const double cz = uniform(d, -0.5, 0.5) * half, out = uniform(d, 0.8, 1.6);
        const double wide = uniform(d, 1.5, 3.5);

        add_box(part, side < 0 ? x1 : x0 - out, side < 0 ? x1 + out : x0, 2.6, 2.95, cz - wide,
                cz + wide);
    }
}

/* Garden edge of a lot: fence, wall or hedge along z, 'across' metres from the middle. */
static void add_boundary(struct scene *s, double side, double across, double z, double along,
                         struct dice *d)
{
    static const struct {
        uint8_t label, surface;
        double thick;
    } kinds[] = {{FENCE, TEXTURED, 0.3},
                 {WALL, TEXTURED, 0.3},
                 {FENCE, TEXTURED, 0.1}, /* pickets */
                 {VEGETATION, LEAVES, 0.8}};
    const int kind = below(d, 4);
    const double tall = kind == 3 ? uniform(d, 1.0, 2.2) : uniform(d, 0.8, 1.7);
    const double thick = kinds[kind].thick, half = 0.5 * along,
                 x = side * (across + 0.5 * thick);
    const struct site of = {s, place_at(s, 0.0, z), kinds[kind].label, kinds[kind].surface};
    struct solid *o = add_box(of, x - 0.5 * thick, x + 0.5 * thick, -0.6, tall, -half, half);

    if (kind == 2) {
        o->relief = PICKETS;
        o->bay = uniform(d, 0.14, 0.3);
        o->band_low = 0.35, o->band_high = tall - 0.15; /* rails below and above */
    } else if (kind == 3) {
        set_foliage(o, 0.35);
    }
}

/* ---- the street -------------------------------------------------------------------------- */

static void lay_profile(struct scene *s, int steep)
{
    struct dice d = dice_for(s, DICE_PROFILE, 0);
    const double first = chance(&d, 0.6) ? 1.0 : -1.0;
    double z = 0.0, h = 0.0, slope = 0.0;

    for (int i = 0; i < N_KNOTS; i++) {
        double length = uniform(&d, 14.0, 34.0), next;

        s->knot_z[i] = z, s->knot_h[i] = h, s->knot_slope[i] = slope;
        /* Blocks of a San Francisco street: steep stretches with flat crossings between
         * them. */
        next = i % 3 == 2 ? uniform(&d, -0.02, 0.02) : uniform(&d, 0.09, 0.22);
        if (i == 0)
            length = uniform(&d, 10.0, 20.0);
        if (i % 3 != 2 && (i < 3 ? first : uniform(&d, -0.8, 1.0)) < 0)
            next = -0.7 * next;
        if (!steep || i == N_KNOTS - 2)
            next = 0.0;
        h += 0.5 * (slope + next) * length;
        z += length;
        slope = next;
    }
}

/* The roads of this style leave so much at the kerbs for parked cars. */
static double parking_of(const struct scene *s)
{
    return s->style == PARKSIDE ? 0.4 : 2.1;
}

static void lay_street(struct scene *s)
{
    const int is_wide = s->style == AVENUE || s->style == DOWNTOWN,
              is_home = s->style == RESIDENTIAL;
    struct dice d = dice_for(s, DICE_STREET, 1);
    const int lanes = is_wide ? 1 + below(&d, 2) : 1;
    const double lane = uniform(&d, 2.9, 3.5);

    s->half_road = lanes * lane + parking_of(s);
    s->centre_x = -lane * (lanes == 2 && chance(&d, 0.5) ? 1.5 : 0.5);
    s->centre_x += uniform(&d, -0.25, 0.25);
    s->bend = chance(&d, 0.45) ? 0.0 : uniform(&d, -0.0016, 0.0016);
    s->pavement = is_wide ? uniform(&d, 3.2, 5.0) : uniform(&d, 1.8, 3.2);
    s->verge = is_home && chance(&d, 0.5) ? uniform(&d, 0.8, 1.8) : 0.0;
    if (s->style == PARKSIDE)
        s->verge = uniform(&d, 0.8, 2.5);
    s->front = s->half_road + s->verge + s->pavement;
    s->kerb = uniform(&d, 0.09, 0.17);
    s->end_z = uniform(&d, 110.0, 220.0);
    s->is_green = is_home || s->style == PARKSIDE;

    for (int side = 0; side < 2; side++) {
        struct dice c = dice_for(s, DICE_CROSSING, s->style == DOWNTOWN ? 0 : (uint32_t)side);
        double z = uniform(&c, 11.0, 48.0);

        while (s->n_crossings[side] < MAX_CROSSINGS && z < s->end_z) {
            const double wide = uniform(&c, 7.0, 14.0);

            if (chance(&c, 0.8))
                s->crossings[side][s->n_crossings[side]++] = (struct crossing){z, z + wide};
            z += wide + uniform(&c, 28.0, 70.0);
        }
    }
}

static void lay_traffic(struct scene *s)
{
    struct dice whole = dice_for(s, DICE_TRAFFIC, WHOLE_SIDE);
    const double gap = uniform(&whole, 14.0, 60.0), parking = parking_of(s);
    const int lanes = s->half_road - parking > 4.5 ? 2 : 1;
    const double lane = (s->half_road - parking) / lanes;
    const int has_trams = s->style != RESIDENTIAL && s->style != PARKSIDE;
    uint32_t index = 0;

    for (int which = 0; which < lanes * 2; which++) {
        const int is_ours = which < lanes;
        const double across = (is_ours ? 1.0 : -1.0) * lane * (0.5 + (which % lanes));
        const double off_ours = across + s->centre_x;
        const int is_own_lane = is_ours && off_ours < 1.4 && off_ours > -1.4;
        double z = is_own_lane ? uniform(&whole, 11.0, 30.0) : uniform(&whole, 8.0, 30.0);

        while (z < s->end_z) {
            struct dice d = dice_for(s, DICE_TRAFFIC, index++);
            struct place at = lane_at(s, is_ours, across + uniform(&d, -0.3, 0.3), z);
            const int kind = below(&d, 30);

            if (!chance(&d, 0.75)) {
                /* a gap */
            } else if (kind <= 1) {
                z += 4.0;
                add_truck(s, lane_at(s, is_ours, across, z), &d);
            } else if (kind <= 3) {
                z += 6.0;
                add_bus(s, lane_at(s, is_ours, across, z), &d);
            } else if (kind == 4 && has_trams && z > 20.0) {
                add_tram(s, upright(place_at(s, across, z)), &d);
                z += 30.0;
            } else if (kind <= 6) {
                add_two_wheeler(s, at, &d, kind == 5, 1);
            } else {
                add_car(s, at, &d);
            }
            z += 7.0 + uniform(&d, 0.2, 1.8) * gap;
        }
    }
    for (uint32_t i = 0; i < 5; i++) { /* cyclists between the lane and the parked cars */
        struct dice d = dice_for(s, DICE_TRAFFIC, 0x10000u + i);
        const double sign = chance(&d, 0.6) ? 1.0 : -1.0, z = uniform(&d, 8.0, 60.0);
        const double across = sign * (s->half_road - parking - 0.4);

        if (chance(&d, 0.4))
            add_two_wheeler(s, lane_at(s, sign > 0, across, z), &d, 0, 1);
    }
}

static void lay_kerbside(struct scene *s, int side, double sign)
{
    struct dice whole = dice_for(s, DICE_KERB, WHOLE_SIDE + (uint32_t)side);
    const double density = s->style == PARKSIDE ? 0.0 : uniform(&whole, 0.2, 0.95);
    double z = uniform(&whole, 4.5, 10.0);
    uint32_t index = (uint32_t)side << 16;

    while (z < s->end_z) {
        struct dice d = dice_for(s, DICE_KERB, index++);
        const double across = sign * (s->half_road - 1.0 + uniform(&d, -0.12, 0.1));
        const int kind = below(&d, 40);
        struct place at;

        z += uniform(&d, 5.3, 6.6);
        z += chance(&d, 0.12) ? 4.5 : 0.0;
        if (in_crossing(s, side, z, 5.5) || !chance(&d, density))
            continue;
        at = turned(lane_at(s, side, across, z), uniform(&d, -0.012, 0.012));
        if (kind == 0 && z > 25.0) {
            z += 4.0;
            add_truck(s, lane_at(s, side, across, z), &d);
            z += 4.0;
        } else if (kind <= 2) {
            for (int i = 0; i < 3; i++) {
                const double turn = uniform(&d, 0.3, 0.9);

                at = turned(place_at(s, across, z - 1.6 + 1.5 * i), turn);
                add_two_wheeler(s, at, &d, kind == 1, 0);
            }
        } else {
            add_car(s, at, &d);
        }
    }
}

static void lay_people(struct scene *s)
{
    struct dice whole = dice_for(s, DICE_PEOPLE, WHOLE_SIDE);
    const double busy = s->is_green ? uniform(&whole, 0.05, 0.4) : uniform(&whole, 0.2, 0.8);

    for (uint32_t i = 0; i < 40; i++) {
        struct dice d = dice_for(s, DICE_PEOPLE, i);
        const double sign = chance(&d, 0.5) ? 1.0 : -1.0;
        const double across = s->half_road + s->verge + uniform(&d, 0.25, 0.9) * s->pavement;
        const double range = uniform(&d, 2.0, 75.0), z = 6.5 + range * uniform(&d, 0.0, 1.0);
        const int n = chance(&d, 0.3) ? 2 : 1;
        const double turn = chance(&d, 0.15) ? uniform(&d, -1.0, 1.0) : uniform(&d, -0.1, 0.1);
        struct place at = turned(upright(on_kerb(s, sign * across, z)), turn);

        if (!chance(&d, busy))
            continue;
        for (int k = 0; k < n; k++, at.x += 0.6, at.z += 0.25)
            add_person(s, at, &d, chance(&d, 0.8));
    }
    if (chance(&whole, 0.4)) { /* somebody crosses the road */
        const double z = uniform(&whole, 10.0, 32.0),
                     from = uniform(&whole, -1.0, 1.0) * (s->half_road - 2.2);
        const int n = 1 + below(&whole, 3);

        for (int k = 0; k < n; k++)
            add_person(s, turned(upright(place_at(s, from + 0.7 * k, z + 0.3 * k)), 1.0),
                       &whole, 1);
    }
}

static void lay_furniture(struct scene *s, int side, double sign)
{
    const double edge = s->half_road + 0.45;
    struct dice whole = dice_for(s, DICE_FURNITURE, WHOLE_SIDE + (uint32_t)side);
    const double step = uniform(&whole, 18.0, 32.0);
    const int has_trees = chance(&whole, s->style == AVENUE ? 0.9 : s->is_green ? 0.5 : 0.4);
    const double tree_step = uniform(&whole, 7.0, 13.0), tree_size = uniform(&whole, 4.5, 9.5);
    const int has_lamps = chance(&whole, 0.75), has_posts = chance(&whole, 0.3);
    uint32_t index = (uint32_t)side << 16;

    for (double z = uniform(&whole, 6.0, step); has_lamps && z < s->end_z; z += step) {
        struct dice d = dice_for(s, DICE_FURNITURE, index++);

        if (!in_crossing(s, side, z, 0.5))
            add_lamp(s, on_kerb(s, sign * edge, z), &d, -sign);
    }
    for (double z = uniform(&whole, 7.0, 14.0); has_trees && z < s->end_z; z += tree_step) {
        struct dice d = dice_for(s, DICE_TREES, index++);
        const double size = tree_size * uniform(&d, 0.8, 1.25);

        if (!in_crossing(s, side, z, 1.5) && chance(&d, 0.88))
            add_tree(s, place_at(s, sign * (edge + 0.4), z), &d, size);
    }
    for (double z = 7.0; has_posts && z < 60.0; z += 1.9) {
        const struct place at = upright(place_at(s, sign * (s->half_road + 0.25), z));

        if (!in_crossing(s, side, z, 0.3))
            add_cylinder((struct site){s, at, POLE, TEXTURED}, 0.06, -0.3, 1.0);
    }
    for (double z = uniform(&whole, 9.0, 20.0); z < s->end_z;) {
        struct dice d = dice_for(s, DICE_FURNITURE, index++);

        if (!in_crossing(s, side, z, 0.5) && chance(&d, 0.6))
            add_sign(s, on_kerb(s, sign * (edge + uniform(&d, 0.0, 0.4)), z), &d);
        z += uniform(&d, 12.0, 40.0);
    }
    for (int i = 0; i < s->n_crossings[side]; i++) {
        const struct crossing *c = &s->crossings[side][i];
        struct dice d = dice_for(s, DICE_FURNITURE, index++);

        if (s->style != RESIDENTIAL && chance(&d, 0.75))
            add_traffic_light(s, on_kerb(s, sign * edge, c->first - 1.0), &d,
                              -sign * (s->half_road * 0.7));
        if (chance(&d, 0.5))
            add_traffic_light(s, on_kerb(s, sign * edge, c->last + 0.8), &d,
                              -sign * (s->half_road * 0.6));
    }
}

/* A bank of grass that rises away from the road, in slices that follow its bend. */
static void add_bank(struct scene *s, double sign, double rise)
{
    for (double z = 0.0; z < s->end_z; z += 12.0) {
        const struct site of = {s, place_at(s, 0.0, z + 6.0), TERRAIN, TEXTURED};

        add_face(add_box(of, sign < 0 ? -60.0 : s->front, sign < 0 ? -s->front : 60.0, -3.0,
                         14.0, -6.3, 6.3),
                 -sign * rise, 1, 0, s->kerb - rise * s->front);
    }
}

/* A lot without a house: trees and bushes, perhaps behind a fence. */
static void add_grove(struct scene *s, double sign, double z, double along, struct dice *d)
{
    const int n = 2 + below(d, 4);

    for (int i = 0; i < n; i++) {
        const double across = s->front + uniform(d, 1.5, 24.0);
        const struct place at = place_at(s, sign * across, z + uniform(d, 0.0, along));
        const double size = uniform(d, 5.0, 12.0);

        if (chance(d, 0.7))
            add_tree(s, at, d, size);
        else
            add_bush(s, at, d, 0.16 * size);
    }
    if (chance(d, 0.35))
        add_boundary(s, sign, s->front + 0.2, z + 0.5 * along, along, d);
}

/* Puts something between a house and the pavement when there is room. */
static void add_garden(struct scene *s, double sign, double setback, double z, double along,
                       double gap, struct dice *d)
{
    const double mid = z + 0.5 * along;

    add_boundary(s, sign, s->front + 0.1, mid, along + gap - 1.2, d);
    if (chance(d, 0.5))
        add_tree(s, place_at(s, sign * (s->front + 0.5 * setback), mid), d,
                 uniform(d, 4.0, 7.0));
    if (chance(d, 0.6))
        add_bush(s, place_at(s, sign * (s->front + 1.2), z + 2.0), d, uniform(d, 0.6, 1.2));
}

static void lay_lots(struct scene *s, int side, double sign)
{
    const int is_home = s->style == RESIDENTIAL,
              is_city = s->style == CANYON || s->style == DOWNTOWN;
    struct dice whole = dice_for(s, DICE_LOT, WHOLE_SIDE + (uint32_t)side);
    const int is_park = s->style == PARKSIDE && chance(&whole, 0.7);
    const double typical = s->style == DOWNTOWN ? uniform(&whole, 18.0, 40.0)
                           : s->is_green        ? uniform(&whole, 5.0, 9.0)
                                                : uniform(&whole, 9.0, 19.0);
    uint32_t index = (uint32_t)side << 16;
    double z = -6.0;

    if (is_park)
        add_bank(s, sign, uniform(&whole, 0.02, 0.22));
    while (z < s->end_z) {
        struct dice d = dice_for(s, DICE_LOT, index++);
        const double along = is_home ? uniform(&d, 10.0, 18.0) : uniform(&d, 9.0, 26.0);
        const double tall = typical * uniform(&d, 0.7, 1.3), mid = z + 0.5 * along;
        double setback = 0.0, gap = 0.0;

        if (is_home || chance(&d, 0.45))
            setback = is_home ? uniform(&d, 2.5, 7.0) : uniform(&d, 0.3, 2.8);
        if (is_home || chance(&d, 0.15))
            gap = is_home ? uniform(&d, 1.5, 5.0) : uniform(&d, 2.0, 9.0);
        if (in_crossing(s, side, z, 0.1)) {
            z += 1.0;
            continue;
        }
        if (in_crossing(s, side, mid, 0.5 * along)) {
            /* little room before the side street: a small building, or a low wall */
            double room = 0.0;

            while (!in_crossing(s, side, z + room, 0.1) && room < along)
                room += 0.5;
            if (room > 5.0 && !is_park)
                add_building(s, sign, s->front + setback, z + 0.5 * room, room - 0.5, tall, &d);
            else if (room > 2.0)
                add_boundary(s, sign, s->front + 0.2, z + 0.5 * room, room - 0.5, &d);
            z += room + 0.2;
            continue;
        }
        if (is_park || (!is_city && chance(&d, 0.12))) {
            add_grove(s, sign, z, along, &d);
        } else {
            add_building(s, sign, s->front + setback, mid, along, tall, &d);
            if (setback > 2.0)
                add_garden(s, sign, setback, z, along, gap, &d);
        }
        z += along + gap;
    }
}

/* Puts up what is seen through gaps and side streets. */
static void lay_background(struct scene *s, int side, double sign)
{
    for (uint32_t i = 0; i < 16; i++) {
        struct dice d = dice_for(s, DICE_BACKGROUND, i + (uint32_t)side * 64);
        const double z = 16.0 * i + uniform(&d, 0.0, 8.0),
                     across = s->front + uniform(&d, 24.0, 40.0);

        if (s->style == PARKSIDE || chance(&d, 0.4)) {
            const double size = uniform(&d, 9.0, 15.0);

            add_tree(s, place_at(s, sign * across, z), &d, size);
            add_bush(s, place_at(s, sign * (across + 4.0), z + 7.0), &d, 4.0);
        } else {
            add_building(s, sign, across, z, 13.0,
                         uniform(&d, 6.0, s->style == DOWNTOWN ? 45.0 : 16.0), &d);
        }
    }
}

/* Closes the street: houses across, a wood, or an open end with few trees. */
static void lay_end(struct scene *s)
{
    struct dice all = dice_for(s, DICE_END, 999);
    const int kind = below(&all, 3);

    for (uint32_t i = 0; i < 12; i++) {
        struct dice d = dice_for(s, DICE_END, i);
        const double across = -78.0 + 13.0 * i + uniform(&d, 0.0, 4.0);
        const double z = s->end_z + uniform(&d, 8.0, 40.0);
        const double size = uniform(&d, 9.0, 18.0);

        if (kind == 0)
            add_building(s, 1.0, across, z, 14.0, size, &d);
        else if (kind == 1 || chance(&d, 0.4))
            add_tree(s, place_at(s, across, z), &d, size);
    }
}

static void on_both_sides(struct scene *s, void lay(struct scene *s, int side, double sign))
{
    lay(s, 0, -1.0);
    lay(s, 1, 1.0);
}

void scene_lay_out(struct scene *s, int steep)
{
    s->style = (enum style)(s->seed % N_STYLES); /* a row of seeds shows every kind */
    lay_profile(s, steep);
    lay_street(s);
    lay_traffic(s);
    on_both_sides(s, lay_kerbside);
    lay_people(s);
    on_both_sides(s, lay_furniture);
    on_both_sides(s, lay_lots);
    on_both_sides(s, lay_background);
    lay_end(s);
}
