/*
 * scene.c - seeded street scenes: layout, ray casting, a sensor that errs as SGM does
 *
 * (1) Layout: the seed rolls a street (road, pavements, lots with buildings or gardens, what
 * stands along the kerbs, traffic, people) as a list of convex solids.
 * (2) Casting: one ray a pixel against the ground and the solids, nearest hit wins, exact
 * perspective: truth, class, surface.
 * (3) Sensor: semi-global matching's errors around each true pixel, then gross ones: disparity
 * and confidence.
 *
 * World: X to the right, Z ahead, H up; the camera stands at (0, height, 0), level.  A ray is
 * (xr t, height - yr t, t), so t is depth.
 *
 * Same bytes everywhere: integers and + - * / sqrt on doubles only, every random word a pure
 * function of (seed, place), no two rolls in one expression, a total order for sorting.
 */
#include "inputs/scene.h"

#include "harness/random.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* KITTI's rectified pair [Geiger et al., "Vision meets robotics", IJRR 2013], calibration of
 * the object set. */
#define KITTI_WIDTH      1242.0
#define KITTI_HEIGHT     375.0
#define KITTI_F_PX       721.5377
#define KITTI_CX_PX      609.56
#define KITTI_CY_PX      172.85
#define KITTI_BASELINE_M 0.5327
#define KITTI_HEIGHT_M   1.65

#define TALLEST_PX      621.0  /* higher frames of KITTI's width get a longer lens */
#define NEAREST_M       0.4    /* nothing nearer is seen */
#define FARTHEST_M      1200.0 /* the ground ends here: a pixel below the horizon at most */
#define MAX_SOLIDS      4000   /* a street has 600 to 1500 */
#define MAX_HALF_SPACES 8
#define N_KNOTS         16          /* of the road's profile */
#define MAX_CROSSINGS   4           /* side streets of one side */
#define MAX_REACH       24.0        /* a foreground grows no further, however large the frame */
#define WHOLE_SIDE      0xFFFF0000u /* index of the dice for a side as a whole */
#define NOISE_SIDE      256         /* the lattice of random bytes, periodic */

/* Cityscapes train ids. */
enum {
    ROAD,
    SIDEWALK,
    BUILDING,
    WALL,
    FENCE,
    POLE,
    TRAFFIC_LIGHT,
    TRAFFIC_SIGN,
    VEGETATION,
    TERRAIN,
    SKY,
    PERSON,
    RIDER,
    CAR,
    TRUCK,
    BUS,
    TRAIN,
    MOTORCYCLE,
    BICYCLE
};

/* What the matcher sees of a surface: how much there is to hold on to. */
enum surface { TEXTURED, PLAIN, GLASS, LEAVES, OPEN_SKY, N_SURFACES };

/* How a solid's surface departs from its planes. */
enum relief {
    SMOOTH,
    FACADE,  /* recessed windows on a grid of bays and floors */
    FOLIAGE, /* ragged outline, deep noisy surface */
    PICKETS, /* see-through bars */
    PANES    /* glass in a band of heights, on all sides */
};

/* Streams of random words: the counter's highest word. */
enum {
    STREAM_LAYOUT = 1,
    STREAM_LATTICE,
    STREAM_PIXEL,
    STREAM_GAUSS,
    STREAM_BLOB,
    STREAM_NOISE
};

/* ---- random numbers ---------------------------------------------------------------------- */

/* A private sequence for one thing in the scene, so that adding an object does not move the
 * others. */
struct dice {
    uint64_t key;
    uint32_t kind, index, n_rolls;
};

static struct dice dice_for(uint64_t seed, uint32_t kind, uint32_t index)
{
    return (struct dice){.key = seed, .kind = kind, .index = index};
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

/* Towards minus infinity; |x| must fit an int. */
static int int_floor(double x)
{
    const int i = (int)x;

    return i - (x < (double)i);
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static void fill_lattice(uint64_t seed, uint8_t *lattice)
{
    for (uint32_t i = 0; i < NOISE_SIDE * NOISE_SIDE / 16; i++) {
        const struct bench_words p = bench_philox(seed, i, 0, 0, STREAM_LATTICE);

        for (uint32_t k = 0; k < 16; k++)
            lattice[16 * i + k] = (uint8_t)(p.word[k / 4] >> (8 * (k % 4)));
    }
}

/* Smooth noise, 0..1: bilinear in the lattice with a smooth step. */
static double noise2(const uint8_t *lattice, double x, double y)
{
    const int i = int_floor(x), j = int_floor(y);
    const double fx = x - (double)i, fy = y - (double)j;
    const double sx = fx * fx * (3.0 - 2.0 * fx), sy = fy * fy * (3.0 - 2.0 * fy);
    const uint8_t *row0 = lattice + (j & 255) * NOISE_SIDE,
                  *row1 = lattice + ((j + 1) & 255) * NOISE_SIDE;
    const double a = (double)row0[i & 255], b = (double)row0[(i + 1) & 255];
    const double c = (double)row1[i & 255], d = (double)row1[(i + 1) & 255];
    const double top = a + (b - a) * sx, bottom = c + (d - c) * sx;

    return (top + (bottom - top) * sy) / 255.0;
}

/* The same in space: two layers of the lattice, far apart. */
static double noise3(const uint8_t *lattice, double x, double y, double z)
{
    const int k = int_floor(z);
    const double fz = z - (double)k, sz = fz * fz * (3.0 - 2.0 * fz);
    const double a =
        noise2(lattice, x + (double)((k & 255) * 37), y + (double)((k & 255) * 91));
    const double b =
        noise2(lattice, x + (double)(((k + 1) & 255) * 37), y + (double)(((k + 1) & 255) * 91));

    return a + (b - a) * sz;
}

/* ---- solids ------------------------------------------------------------------------------ */

/* A place on the ground: local x to the street's right, z along the street, h up from the road
 * there. */
struct place {
    double x, h, z;      /* of the local origin in the world */
    double cosine, sine; /* the heading: local z is (sine, cosine) in (X, Z) */
    double slope; /* of the ground along local z; what stands on it is sheared, not turned */
};

struct half_space {
    double x, h, z, limit; /* inside: x*lx + h*lh + z*lz <= limit */
};

/* A convex solid: half-spaces, and perhaps an ellipsoid (3 rows) or a vertical cylinder (rows
 * x and z). */
struct solid {
    struct place at;
    struct half_space faces[MAX_HALF_SPACES];
    int n_faces;
    int is_round;                 /* the quadric counts */
    double inverse[3], centre[3]; /* 1 / radius (0: a cylinder's axis) and centre, in x, h, z */
    double lean[2];         /* local x and z moved by this per metre of h above the centre */
    double low[3], high[3]; /* the local box around it all: x, h, z */
    uint8_t label, surface, relief;
    double bay, floor_height, recess; /* FACADE, PICKETS: metres */
    double band_low, band_high; /* PANES: heights; FACADE: where the windows begin and end */
    double rough;               /* FOLIAGE: depth of the leaves, metres */
    /* made by finish_solids() */
    double nearest;
    int u_first, u_last, v_first, v_last, id;
};

struct crossing {
    double first, last; /* Z range of a side street */
};

struct scene {
    uint64_t seed;
    int width, height;
    struct camera camera;
    uint8_t *lattice;     /* [NOISE_SIDE][NOISE_SIDE], owned */
    struct solid *solids; /* [MAX_SOLIDS], owned */
    int n_solids;

    double centre_x, bend; /* the road's middle is centre_x + bend z^2 */
    double half_road, verge, pavement, kerb, end_z;
    int is_green;                                /* the lots' ground is grass */
    struct crossing crossings[2][MAX_CROSSINGS]; /* left, right */
    int n_crossings[2];
    double knot_z[N_KNOTS], knot_h[N_KNOTS], knot_slope[N_KNOTS];
};

static double middle_of_road(const struct scene *s, double z)
{
    return s->centre_x + s->bend * z * z;
}

/* Index of the profile's piece that holds z; the last piece has no end. */
static int profile_piece(const struct scene *s, double z)
{
    int i = 0;

    while (i + 1 < N_KNOTS && z >= s->knot_z[i + 1])
        i++;
    return i;
}

static double profile_curvature(const struct scene *s, int i)
{
    if (i + 1 >= N_KNOTS)
        return 0.0;
    return (s->knot_slope[i + 1] - s->knot_slope[i]) / (s->knot_z[i + 1] - s->knot_z[i]);
}

static double road_height(const struct scene *s, double z)
{
    const int i = profile_piece(s, z);
    const double x = z - s->knot_z[i];

    return s->knot_h[i] + s->knot_slope[i] * x + 0.5 * profile_curvature(s, i) * x * x;
}

static double road_slope(const struct scene *s, double z)
{
    const int i = profile_piece(s, z);

    return s->knot_slope[i] + profile_curvature(s, i) * (z - s->knot_z[i]);
}

/* The place 'across' metres right of the road's middle at z, heading along the road. */
static struct place place_at(const struct scene *s, double across, double z)
{
    const double tangent = 2.0 * s->bend * z, length = sqrt(1.0 + tangent * tangent);
    struct place p;

    p.cosine = 1.0 / length;
    p.sine = tangent / length;
    p.x = middle_of_road(s, z) + across * p.cosine;
    p.z = z - across * p.sine;
    p.h = road_height(s, z);
    p.slope = road_slope(s, z);
    return p;
}

/* Turn a place by a small or large angle given as its tangent of the half: exact with + - * /
 * only. */
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

static struct place reversed(struct place p)
{
    p.cosine = -p.cosine;
    p.sine = -p.sine;
    p.slope = -p.slope;
    return p;
}

static struct place raised(struct place p, double metres)
{
    p.h += metres;
    return p;
}

static struct place upright(struct place p)
{
    p.slope = 0.0;
    return p;
}

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

static void add_face(struct solid *o, double x, double h, double z, double limit)
{
    assert(o->n_faces < MAX_HALF_SPACES);
    o->faces[o->n_faces++] = (struct half_space){x, h, z, limit};
}

struct box {
    double x0, x1, h0, h1, z0, z1;
};

/* Faces 0, 1 look along x, 2 is the top, 3, 4 look along z; a box has no bottom to see but
 * keeps it: 5. */
static struct solid *add_box(struct scene *s, struct place at, struct box b, uint8_t label,
                             uint8_t surface)
{
    struct solid *o = new_solid(s, at, label, surface);

    add_face(o, 1, 0, 0, b.x1);
    add_face(o, -1, 0, 0, -b.x0);
    add_face(o, 0, 1, 0, b.h1);
    add_face(o, 0, 0, 1, b.z1);
    add_face(o, 0, 0, -1, -b.z0);
    add_face(o, 0, -1, 0, -b.h0);
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

static struct solid *add_cylinder(struct scene *s, struct place at, double x, double z,
                                  double radius, double h0, double h1, uint8_t label,
                                  uint8_t surface)
{
    struct solid *o = new_solid(s, at, label, surface);

    o->is_round = 1;
    o->centre[0] = x, o->centre[1] = h0, o->centre[2] = z;
    o->inverse[0] = 1.0 / radius, o->inverse[1] = 0.0, o->inverse[2] = 1.0 / radius;
    add_face(o, 0, 1, 0, h1);
    add_face(o, 0, -1, 0, -h0);
    o->low[0] = x - radius, o->low[1] = h0, o->low[2] = z - radius;
    o->high[0] = x + radius, o->high[1] = h1, o->high[2] = z + radius;
    return o;
}

/* ---- things ------------------------------------------------------------------------------ */

static void add_person(struct scene *s, struct place at, struct dice *d, int is_walking)
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

static void add_two_wheeler(struct scene *s, struct place at, struct dice *d, int is_motor,
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
        add_box(s, at, (struct box){-0.03, 0.03, 0.42, 0.5, -base, base}, label, TEXTURED);
        add_box(s, at, (struct box){-0.03, 0.03, 0.82, 0.88, -0.25, 0.4}, label, TEXTURED);
    }
    add_box(s, at, (struct box){-0.3, 0.3, 0.98, 1.03, 0.38, 0.46}, label,
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

/* Length, width and height vary from a small hatchback to a van; the cabin's glass slants. */
static void add_car(struct scene *s, struct place at, struct dice *d)
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

    o = add_box(s, at, (struct box){-wide, wide, under, waist, -half, half}, CAR, PLAIN);
    add_face(o, 0, 0.9, 1.0, half - 0.25 + 0.9 * waist); /* the bonnet's edge */
    add_face(o, 0, 0.9, -1.0, half - 0.12 + 0.9 * waist);

    /* The cabin: sides lean in by 0.22, windscreen by 1.2 (van 0.5), rear by 0.8 (van 0.1) per
     * metre. */
    o = new_solid(s, at, CAR, PLAIN);
    add_face(o, 1, 0.22, 0, wide - 0.03 + 0.22 * waist);
    add_face(o, -1, 0.22, 0, wide - 0.03 + 0.22 * waist);
    add_face(o, 0, 1, 0, tall);
    add_face(o, 0, type == 5 ? 0.5 : 1.2, 1, front + (type == 5 ? 0.5 : 1.2) * waist);
    add_face(o, 0, type == 5 ? 0.1 : 0.8, -1, tail + (type == 5 ? 0.1 : 0.8) * waist);
    add_face(o, 0, -1, 0, -waist + 0.05);
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

static void add_truck(struct scene *s, struct place at, struct dice *d)
{
    const double half = uniform(d, 3.2, 5.2), tall = uniform(d, 2.9, 3.7);
    struct solid *o;

    add_box(s, at, (struct box){-1.22, 1.22, 0.95, tall, -half, half - 2.0}, TRUCK, PLAIN);
    o = add_box(s, at, (struct box){-1.15, 1.15, 0.5, 2.7, half - 1.85, half}, TRUCK, PLAIN);
    add_face(o, 0, 0.2, 1.0, half + 0.2 * 1.5);
    o->relief = PANES;
    o->band_low = 1.6, o->band_high = 2.4;
    add_box(s, at, (struct box){-0.9, 0.9, 0.55, 0.95, -half + 0.2, half - 1.0}, TRUCK, PLAIN);
    add_wheels(s, at, 1.05, half - 1.3, 0.48, TRUCK);
}

static void add_bus(struct scene *s, struct place at, struct dice *d)
{
    const double half = uniform(d, 4.9, 6.2), tall = uniform(d, 2.9, 3.15);
    struct solid *o =
        add_box(s, at, (struct box){-1.27, 1.27, 0.32, tall, -half, half}, BUS, PLAIN);

    o->relief = PANES;
    o->band_low = 1.1, o->band_high = 2.35;
    add_wheels(s, at, 1.2, half - 2.4, 0.48, BUS);
    add_box(s, at, (struct box){-0.8, 0.8, tall, tall + 0.25, -half + 1.0, half - 5.0}, BUS,
            PLAIN);
}

static void add_tram(struct scene *s, struct place at, struct dice *d)
{
    const int n_cars = 2 + below(d, 2);

    for (int i = 0; i < n_cars; i++) {
        const double z = 9.6 * i;
        struct solid *o =
            add_box(s, at, (struct box){-1.3, 1.3, 0.3, 3.3, z, z + 9.1}, TRAIN, PLAIN);

        o->relief = PANES;
        o->band_low = 1.3, o->band_high = 2.6;
        add_box(s, at, (struct box){-1.05, 1.05, 0.5, 3.0, z + 9.0, z + 9.7}, TRAIN, TEXTURED);
    }
}

static void add_foliage(struct scene *s, struct place at, double x, double h, double z,
                        double rx, double rh, double rough)
{
    struct solid *o = add_ellipsoid(s, at, x, h, z, rx, rh, rx, VEGETATION, LEAVES);

    o->relief = FOLIAGE;
    o->rough = rough;
}

static void add_tree(struct scene *s, struct place at, struct dice *d, double size)
{
    const double trunk = size * uniform(d, 0.30, 0.42), radius = size * uniform(d, 0.24, 0.34);
    const double thick = size * uniform(d, 0.018, 0.03);
    const int n_blobs = 4 + below(d, 4);

    at = upright(at);
    if (chance(d, 0.12)) { /* a conifer: a pile of flat ellipsoids */
        for (int i = 0; i < 5; i++)
            add_foliage(s, at, 0, size * (0.22 + 0.16 * i), 0, radius * (0.85 - 0.16 * i),
                        size * 0.16, 0.5);
        add_cylinder(s, at, 0, 0, thick, -1.0, 0.3 * size, VEGETATION, TEXTURED);
        return;
    }
    add_cylinder(s, at, 0, 0, thick, -1.0, trunk + 0.3 * radius, VEGETATION, TEXTURED);
    add_foliage(s, at, 0, trunk + 0.8 * radius, 0, radius * 0.8, radius * 0.8, 0.25 * radius);
    for (int i = 0; i < n_blobs; i++) {
        const double x = uniform(d, -0.6, 0.6) * radius;
        const double z = uniform(d, -0.6, 0.6) * radius;
        const double h = uniform(d, 0.4, 1.6) * radius;
        const double r = uniform(d, 0.4, 0.7) * radius;

        add_foliage(s, at, x, trunk + h, z, r, 0.85 * r, 0.3 * radius);
    }
}

static void add_bush(struct scene *s, struct place at, struct dice *d, double size)
{
    const int n = 2 + below(d, 3);

    for (int i = 0; i < n; i++) {
        const double x = uniform(d, -0.6, 0.6) * size;
        const double z = uniform(d, -0.8, 0.8) * size;
        const double r = uniform(d, 0.5, 0.9) * size;

        add_foliage(s, at, x, 0.4 * size, z, r, 0.8 * r, 0.2 * size);
    }
}

static void add_lamp(struct scene *s, struct place at, struct dice *d, double towards_road)
{
    const double tall = uniform(d, 5.5, 8.5), reach = uniform(d, 0.8, 2.2) * towards_road;
    const double x0 = reach < 0 ? reach : 0.0, x1 = reach < 0 ? 0.0 : reach;

    at = upright(at);
    add_cylinder(s, at, 0, 0, 0.09, -0.5, tall, POLE, TEXTURED);
    add_cylinder(s, at, 0, 0, 0.14, -0.5, 1.1, POLE, TEXTURED);
    add_box(s, at, (struct box){x0, x1, tall - 0.12, tall, -0.05, 0.05}, POLE, TEXTURED);
    add_ellipsoid(s, at, reach, tall - 0.1, 0, 0.35, 0.1, 0.18, POLE, TEXTURED);
}

static void add_sign(struct scene *s, struct place at, struct dice *d)
{
    const double tall = uniform(d, 2.2, 2.9);
    const int shape = below(d, 3);

    at = upright(at);
    add_cylinder(s, at, 0, 0, 0.045, -0.5, tall + 0.2, POLE, TEXTURED);
    if (shape == 0)
        add_ellipsoid(s, at, 0, tall, -0.06, 0.32, 0.32, 0.02, TRAFFIC_SIGN, PLAIN);
    else if (shape == 1)
        add_box(s, at, (struct box){-0.3, 0.3, tall - 0.35, tall + 0.35, -0.08, -0.05},
                TRAFFIC_SIGN, PLAIN);
    else {
        struct solid *o =
            add_box(s, at, (struct box){-0.42, 0.42, tall - 0.35, tall + 0.42, -0.08, -0.05},
                    TRAFFIC_SIGN, PLAIN);

        /* a triangle: the two upper sides slant */
        add_face(o, 1.8, 1, 0, tall + 0.42);
        add_face(o, -1.8, 1, 0, tall + 0.42);
    }
    if (chance(d, 0.35))
        add_box(s, at, (struct box){-0.3, 0.3, tall - 0.75, tall - 0.42, -0.08, -0.05},
                TRAFFIC_SIGN, PLAIN);
}

static void add_traffic_light(struct scene *s, struct place at, struct dice *d,
                              double towards_road, double reach)
{
    const double far_end = towards_road * reach;
    const int has_arm = chance(d, 0.55);

    at = upright(at);
    add_cylinder(s, at, 0, 0, 0.08, -0.5, has_arm ? 5.7 : 3.5, POLE, TEXTURED);
    add_box(s, at, (struct box){-0.18, 0.18, 2.45, 3.4, -0.4, -0.1}, TRAFFIC_LIGHT, PLAIN);
    if (!has_arm)
        return;
    add_box(s, at,
            (struct box){far_end < 0 ? far_end : 0, far_end < 0 ? 0 : far_end, 5.5, 5.62, -0.06,
                         0.06},
            POLE, TEXTURED);
    add_box(s, at, (struct box){far_end - 0.2, far_end + 0.2, 4.9, 5.9, -0.25, -0.08},
            TRAFFIC_LIGHT, PLAIN);
}

/* A facade that looks at the street, 'depth' metres behind it; side -1 is the street's left. */
static void add_building(struct scene *s, double side, double across, double z, double along,
                         double tall, struct dice *d)
{
    struct place at = upright(place_at(s, 0.0, z));
    const double depth = uniform(d, 9.0, 14.0), half = 0.5 * along;
    const double x0 = side < 0 ? -across - depth : across,
                 x1 = side < 0 ? -across : across + depth;
    const uint8_t surface = chance(d, 0.3) ? PLAIN : TEXTURED;
    struct solid *o =
        add_box(s, at, (struct box){x0, x1, -15.0, tall, -half, half}, BUILDING, surface);

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
        add_face(o, pitch, 1, 0, tall + pitch * (x1 + eaves));
        add_face(o, -pitch, 1, 0, tall - pitch * (x0 - eaves));
        add_face(o, 0, 0, 1, half);
        add_face(o, 0, 0, -1, half);
        add_face(o, 0, -1, 0, -tall);
        o->low[0] = x0 - eaves, o->low[1] = tall, o->low[2] = -half;
        o->high[0] = x1 + eaves, o->high[1] = ridge + eaves * pitch, o->high[2] = half;
        if (chance(d, 0.6)) {
            const double cz = uniform(d, -0.7, 0.7) * half,
                         cx = 0.5 * (x0 + x1) + uniform(d, -2.0, 2.0);

            add_box(s, at,
                    (struct box){cx - 0.4, cx + 0.4, tall, ridge + 0.8, cz - 0.5, cz + 0.5},
                    BUILDING, TEXTURED);
        }
    } else { /* a cornice */
        const double out = uniform(d, 0.15, 0.5);

        add_box(s, at, (struct box){x0 - out, x1 + out, tall - 0.5, tall, -half, half},
                BUILDING, TEXTURED);
    }
    if (chance(d, 0.35)) { /* balconies or bay windows in a column */
        const double cz = uniform(d, -0.6, 0.6) * half, out = uniform(d, 0.6, 1.1);
        const double wide = uniform(d, 1.2, 2.0);
        const double storey = uniform(d, 2.8, 3.4);
        const int is_bay = chance(d, 0.5);
        const double fx0 = side < 0 ? x1 : x0 - out, fx1 = side < 0 ? x1 + out : x0;

        for (double h = 3.4; h + 3.0 < tall; h += storey)
            add_box(s, at,
                    (struct box){fx0, fx1, h, h + (is_bay ? 2.3 : 1.05), cz - wide, cz + wide},
                    BUILDING, TEXTURED);
    }
    if (chance(d, 0.4)) { /* an awning or a porch over the door */
        const double cz = uniform(d, -0.5, 0.5) * half, out = uniform(d, 0.8, 1.6);
        const double wide = uniform(d, 1.5, 3.5);

        add_box(s, at,
                (struct box){side < 0 ? x1 : x0 - out, side < 0 ? x1 + out : x0, 2.6, 2.95,
                             cz - wide, cz + wide},
                BUILDING, TEXTURED);
    }
}

/* ---- layout ------------------------------------------------------------------------------ */

enum style { CANYON, RESIDENTIAL, AVENUE, PARKSIDE, DOWNTOWN, N_STYLES };

enum { /* what the dice are for */
       DICE_STREET = 1,
       DICE_PROFILE,
       DICE_CROSSING,
       DICE_LOT,
       DICE_BACKGROUND,
       DICE_KERB,
       DICE_FURNITURE,
       DICE_TREES,
       DICE_TRAFFIC,
       DICE_PEOPLE,
       DICE_END
};

static int in_crossing(const struct scene *s, int side, double z, double margin)
{
    for (int i = 0; i < s->n_crossings[side]; i++)
        if (z > s->crossings[side][i].first - margin && z < s->crossings[side][i].last + margin)
            return 1;
    return 0;
}

static void lay_profile(struct scene *s, int steep)
{
    struct dice d = dice_for(s->seed, DICE_PROFILE, 0);
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
        if (!steep)
            next = 0.0;
        if (i == N_KNOTS - 2)
            next = 0.0;
        h += 0.5 * (slope + next) * length;
        z += length;
        slope = next;
    }
}

static void lay_street(struct scene *s, enum style style)
{
    struct dice d = dice_for(s->seed, DICE_STREET, 1);
    const int lanes = style == AVENUE || style == DOWNTOWN ? 1 + below(&d, 2) : 1;
    const double lane = uniform(&d, 2.9, 3.5), parking = style == PARKSIDE ? 0.4 : 2.1;

    s->half_road = lanes * lane + parking;
    s->centre_x = -lane * (lanes == 2 && chance(&d, 0.5) ? 1.5 : 0.5);
    s->centre_x += uniform(&d, -0.25, 0.25);
    s->bend = chance(&d, 0.45) ? 0.0 : uniform(&d, -0.0016, 0.0016);
    s->pavement =
        style == AVENUE || style == DOWNTOWN ? uniform(&d, 3.2, 5.0) : uniform(&d, 1.8, 3.2);
    s->verge = style == RESIDENTIAL && chance(&d, 0.5) ? uniform(&d, 0.8, 1.8) : 0.0;
    if (style == PARKSIDE)
        s->verge = uniform(&d, 0.8, 2.5);
    s->kerb = uniform(&d, 0.09, 0.17);
    s->end_z = uniform(&d, 110.0, 220.0);
    s->is_green = style == RESIDENTIAL || style == PARKSIDE;

    for (int side = 0; side < 2; side++) {
        struct dice c =
            dice_for(s->seed, DICE_CROSSING, style == DOWNTOWN ? 0 : (uint32_t)side);
        double z = uniform(&c, 11.0, 48.0);

        while (s->n_crossings[side] < MAX_CROSSINGS && z < s->end_z) {
            const double wide = uniform(&c, 7.0, 14.0);

            if (chance(&c, 0.8))
                s->crossings[side][s->n_crossings[side]++] = (struct crossing){z, z + wide};
            z += wide + uniform(&c, 28.0, 70.0);
        }
    }
}

/* Garden edge of a lot: fence, wall or hedge along z, 'across' metres from the middle. */
static void add_boundary(struct scene *s, double side, double across, double z, double along,
                         struct dice *d)
{
    const int kind = below(d, 4);
    const double tall = kind == 3 ? uniform(d, 1.0, 2.2) : uniform(d, 0.8, 1.7);
    const double thick = kind == 3 ? 0.8 : kind == 2 ? 0.1 : 0.3;
    const double half = 0.5 * along, x = side * (across + 0.5 * thick);
    struct place at = place_at(s, 0.0, z);
    struct box b = {x - 0.5 * thick, x + 0.5 * thick, -0.6, tall, -half, half};
    struct solid *o;

    if (kind <= 1) {
        add_box(s, at, b, kind ? WALL : FENCE, TEXTURED);
    } else if (kind == 2) {
        o = add_box(s, at, b, FENCE, TEXTURED);
        o->relief = PICKETS;
        o->bay = uniform(d, 0.14, 0.3);
        o->band_low = 0.35, o->band_high = tall - 0.15; /* rails below and above */
    } else {
        o = add_box(s, at, b, VEGETATION, LEAVES);
        o->relief = FOLIAGE;
        o->rough = 0.35;
    }
}

/* A bank of grass that rises away from the road, in slices that follow its bend. */
static void add_bank(struct scene *s, double sign, double front, double rise)
{
    for (double z = 0.0; z < s->end_z; z += 12.0) {
        const struct box b = {
            sign < 0 ? -60.0 : front, sign < 0 ? -front : 60.0, -3.0, 14.0, -6.3, 6.3};
        struct solid *o = add_box(s, place_at(s, 0.0, z + 6.0), b, TERRAIN, TEXTURED);

        add_face(o, -sign * rise, 1, 0, s->kerb - rise * front);
    }
}

/* A lot without a house: trees and bushes, perhaps behind a fence. */
static void add_grove(struct scene *s, double sign, double front, double z, double along,
                      struct dice *d)
{
    const int n = 2 + below(d, 4);

    for (int i = 0; i < n; i++) {
        const double across = front + uniform(d, 1.5, 24.0);
        const double tree_z = z + uniform(d, 0.0, along);
        const double size = uniform(d, 5.0, 12.0);

        if (chance(d, 0.7))
            add_tree(s, place_at(s, sign * across, tree_z), d, size);
        else
            add_bush(s, place_at(s, sign * across, tree_z), d, 0.16 * size);
    }
    if (chance(d, 0.35))
        add_boundary(s, sign, front + 0.2, z + 0.5 * along, along, d);
}

/* What stands between a house and the pavement when there is room. */
static void add_garden(struct scene *s, double sign, double front, double setback, double z,
                       double along, double gap, struct dice *d)
{
    const double mid = z + 0.5 * along;

    add_boundary(s, sign, front + 0.1, mid, along + gap - 1.2, d);
    if (chance(d, 0.5))
        add_tree(s, place_at(s, sign * (front + 0.5 * setback), mid), d, uniform(d, 4.0, 7.0));
    if (chance(d, 0.6))
        add_bush(s, place_at(s, sign * (front + 1.2), z + 2.0), d, uniform(d, 0.6, 1.2));
}

static double typical_height(enum style style, struct dice *d)
{
    if (style == DOWNTOWN)
        return uniform(d, 18.0, 40.0);
    if (style == RESIDENTIAL || style == PARKSIDE)
        return uniform(d, 5.0, 9.0);
    return uniform(d, 9.0, 19.0);
}

static void lay_lots_of_side(struct scene *s, enum style style, int side)
{
    const double sign = side ? 1.0 : -1.0, front = s->half_road + s->verge + s->pavement;
    const int is_home = style == RESIDENTIAL, is_city = style == CANYON || style == DOWNTOWN;
    struct dice whole = dice_for(s->seed, DICE_LOT, WHOLE_SIDE + (uint32_t)side);
    const int is_park = style == PARKSIDE && chance(&whole, 0.7);
    const double typical = typical_height(style, &whole);
    uint32_t index = (uint32_t)side << 16;
    double z = -6.0;

    if (is_park)
        add_bank(s, sign, front, uniform(&whole, 0.02, 0.22));
    while (z < s->end_z) {
        struct dice d = dice_for(s->seed, DICE_LOT, index++);
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
                add_building(s, sign, front + setback, z + 0.5 * room, room - 0.5, tall, &d);
            else if (room > 2.0)
                add_boundary(s, sign, front + 0.2, z + 0.5 * room, room - 0.5, &d);
            z += room + 0.2;
            continue;
        }
        if (is_park || (!is_city && chance(&d, 0.12))) {
            add_grove(s, sign, front, z, along, &d);
        } else {
            add_building(s, sign, front + setback, mid, along, tall, &d);
            if (setback > 2.0)
                add_garden(s, sign, front, setback, z, along, gap, &d);
        }
        z += along + gap;
    }
}

/* What is seen through gaps and side streets, and what closes the street at its end. */
static void lay_background(struct scene *s, enum style style)
{
    const double front = s->half_road + s->verge + s->pavement;

    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0;

        for (uint32_t i = 0; i < 16; i++) {
            struct dice d = dice_for(s->seed, DICE_BACKGROUND, i + (uint32_t)side * 64);
            const double z = 16.0 * i + uniform(&d, 0.0, 8.0),
                         across = front + uniform(&d, 24.0, 40.0);

            if (style == PARKSIDE || chance(&d, 0.4)) {
                const double size = uniform(&d, 9.0, 15.0);

                add_tree(s, place_at(s, sign * across, z), &d, size);
                add_bush(s, place_at(s, sign * (across + 4.0), z + 7.0), &d, 4.0);
            } else {
                add_building(s, sign, across, z, 13.0,
                             uniform(&d, 6.0, style == DOWNTOWN ? 45.0 : 16.0), &d);
            }
        }
    }
    for (uint32_t i = 0; i < 12; i++) {
        struct dice d = dice_for(s->seed, DICE_END, i);
        struct dice all = dice_for(s->seed, DICE_END, 999);
        const int kind =
            below(&all, 3); /* houses across, a wood, or an open end with few trees */
        const double across = -78.0 + 13.0 * i + uniform(&d, 0.0, 4.0);
        const double z = s->end_z + uniform(&d, 8.0, 40.0);
        const double size = uniform(&d, 9.0, 18.0);

        if (kind == 0)
            add_building(s, 1.0, across, z, 14.0, size, &d);
        else if (kind == 1 || chance(&d, 0.4))
            add_tree(s, place_at(s, across, z), &d, size);
    }
}

static void lay_kerbsides(struct scene *s, enum style style)
{
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0;
        struct dice whole = dice_for(s->seed, DICE_KERB, WHOLE_SIDE + (uint32_t)side);
        const double density = style == PARKSIDE ? 0.0 : uniform(&whole, 0.2, 0.95);
        double z = uniform(&whole, 4.5, 10.0);
        uint32_t index = (uint32_t)side << 16;

        while (z < s->end_z) {
            struct dice d = dice_for(s->seed, DICE_KERB, index++);
            const double across = s->half_road - 1.0 + uniform(&d, -0.12, 0.1);
            const int kind = below(&d, 40);
            struct place at;

            z += uniform(&d, 5.3, 6.6);
            z += chance(&d, 0.12) ? 4.5 : 0.0;
            if (in_crossing(s, side, z, 5.5) || !chance(&d, density))
                continue;
            at = turned(place_at(s, sign * across, z), uniform(&d, -0.012, 0.012));
            if (side == 0)
                at = reversed(at);
            if (kind == 0 && z > 25.0) {
                z += 4.0;
                add_truck(s,
                          side == 0 ? reversed(place_at(s, sign * across, z))
                                    : place_at(s, sign * across, z),
                          &d);
                z += 4.0;
            } else if (kind <= 2) {
                for (int i = 0; i < 3; i++)
                    add_two_wheeler(s,
                                    turned(place_at(s, sign * across, z - 1.6 + 1.5 * i),
                                           uniform(&d, 0.3, 0.9)),
                                    &d, kind == 1, 0);
            } else {
                add_car(s, at, &d);
            }
        }
    }
}

static void lay_furniture(struct scene *s, enum style style)
{
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0, edge = s->half_road + 0.45;
        struct dice whole = dice_for(s->seed, DICE_FURNITURE, WHOLE_SIDE + (uint32_t)side);
        const double step = uniform(&whole, 18.0, 32.0);
        const int has_trees = style == AVENUE                        ? chance(&whole, 0.9)
                              : style == DOWNTOWN || style == CANYON ? chance(&whole, 0.4)
                                                                     : chance(&whole, 0.5);
        const double tree_step = uniform(&whole, 7.0, 13.0),
                     tree_size = uniform(&whole, 4.5, 9.5);
        const int has_lamps = chance(&whole, 0.75), has_posts = chance(&whole, 0.3);
        uint32_t index = (uint32_t)side << 16;

        for (double z = uniform(&whole, 6.0, step); has_lamps && z < s->end_z; z += step) {
            struct dice d = dice_for(s->seed, DICE_FURNITURE, index++);

            if (!in_crossing(s, side, z, 0.5))
                add_lamp(s, raised(place_at(s, sign * edge, z), s->kerb), &d, -sign);
        }
        for (double z = uniform(&whole, 7.0, 14.0); has_trees && z < s->end_z; z += tree_step) {
            struct dice d = dice_for(s->seed, DICE_TREES, index++);
            const double size = tree_size * uniform(&d, 0.8, 1.25);

            if (!in_crossing(s, side, z, 1.5) && chance(&d, 0.88))
                add_tree(s, place_at(s, sign * (edge + 0.4), z), &d, size);
        }
        for (double z = 7.0; has_posts && z < 60.0; z += 1.9)
            if (!in_crossing(s, side, z, 0.3))
                add_cylinder(s, upright(place_at(s, sign * (s->half_road + 0.25), z)), 0, 0,
                             0.06, -0.3, 1.0, POLE, TEXTURED);
        for (double z = uniform(&whole, 9.0, 20.0); z < s->end_z; z += 0.0) {
            struct dice d = dice_for(s->seed, DICE_FURNITURE, index++);

            if (!in_crossing(s, side, z, 0.5) && chance(&d, 0.6))
                add_sign(s,
                         raised(place_at(s, sign * (edge + uniform(&d, 0.0, 0.4)), z), s->kerb),
                         &d);
            z += uniform(&d, 12.0, 40.0);
        }
        for (int i = 0; i < s->n_crossings[side]; i++) {
            struct dice d = dice_for(s->seed, DICE_FURNITURE, index++);

            if (style != RESIDENTIAL && chance(&d, 0.75))
                add_traffic_light(
                    s,
                    raised(place_at(s, sign * edge, s->crossings[side][i].first - 1.0),
                           s->kerb),
                    &d, -sign, s->half_road * 0.7);
            if (chance(&d, 0.5))
                add_traffic_light(
                    s,
                    raised(place_at(s, sign * edge, s->crossings[side][i].last + 0.8), s->kerb),
                    &d, -sign, s->half_road * 0.6);
        }
    }
}

static void lay_traffic(struct scene *s, enum style style)
{
    struct dice whole = dice_for(s->seed, DICE_TRAFFIC, WHOLE_SIDE);
    const double gap = uniform(&whole, 14.0, 60.0);
    const double parking = style == PARKSIDE ? 0.4 : 2.1;
    const double lanes = s->half_road - parking > 4.5 ? 2.0 : 1.0,
                 lane = (s->half_road - parking) / lanes;
    uint32_t index = 0;

    for (int which = 0; which < (int)lanes * 2; which++) {
        const int is_ours = which < (int)lanes;
        const double across = (is_ours ? 1.0 : -1.0) * lane * (0.5 + (which % (int)lanes));
        const int is_own_lane =
            is_ours && across + s->centre_x < 1.4 && across + s->centre_x > -1.4;
        double z = is_own_lane ? uniform(&whole, 11.0, 30.0) : uniform(&whole, 8.0, 30.0);

        while (z < s->end_z) {
            struct dice d = dice_for(s->seed, DICE_TRAFFIC, index++);
            struct place at = place_at(s, across + uniform(&d, -0.3, 0.3), z);
            const int kind = below(&d, 30);

            at = is_ours ? at : reversed(at);
            if (chance(&d, 0.75)) {
                if (kind == 0 || kind == 1) {
                    z += 4.0;
                    add_truck(
                        s, is_ours ? place_at(s, across, z) : reversed(place_at(s, across, z)),
                        &d);
                } else if (kind == 2 || kind == 3) {
                    z += 6.0;
                    add_bus(s,
                            is_ours ? place_at(s, across, z) : reversed(place_at(s, across, z)),
                            &d);
                } else if (kind == 4 && style != RESIDENTIAL && style != PARKSIDE && z > 20.0) {
                    add_tram(s, upright(place_at(s, across, z)), &d);
                    z += 30.0;
                } else if (kind <= 6) {
                    add_two_wheeler(s, at, &d, kind == 5, 1);
                } else {
                    add_car(s, at, &d);
                }
            }
            z += 7.0 + uniform(&d, 0.2, 1.8) * gap;
        }
    }
    for (uint32_t i = 0; i < 5; i++) { /* cyclists between the lane and the parked cars */
        struct dice d = dice_for(s->seed, DICE_TRAFFIC, 0x10000u + i);
        const double sign = chance(&d, 0.6) ? 1.0 : -1.0, z = uniform(&d, 8.0, 60.0);
        struct place at = place_at(s, sign * (s->half_road - parking - 0.4), z);

        if (chance(&d, 0.4))
            add_two_wheeler(s, sign < 0 ? reversed(at) : at, &d, 0, 1);
    }
}

static void lay_people(struct scene *s, enum style style)
{
    struct dice whole = dice_for(s->seed, DICE_PEOPLE, WHOLE_SIDE);
    const double busy = style == CANYON || style == DOWNTOWN || style == AVENUE
                            ? uniform(&whole, 0.2, 0.8)
                            : uniform(&whole, 0.05, 0.4);

    for (uint32_t i = 0; i < 40; i++) {
        struct dice d = dice_for(s->seed, DICE_PEOPLE, i);
        const double sign = chance(&d, 0.5) ? 1.0 : -1.0;
        const double across = s->half_road + s->verge + uniform(&d, 0.25, 0.9) * s->pavement;
        const double range = uniform(&d, 2.0, 75.0), z = 6.5 + range * uniform(&d, 0.0, 1.0);
        struct place at = raised(upright(place_at(s, sign * across, z)), s->kerb);
        const int n = chance(&d, 0.3) ? 2 : 1;
        const double turn = chance(&d, 0.15) ? uniform(&d, -1.0, 1.0) : uniform(&d, -0.1, 0.1);

        if (!chance(&d, busy))
            continue;
        for (int k = 0; k < n; k++) {
            struct place p = turned(at, turn);

            p.x += 0.6 * k;
            p.z += 0.25 * k;
            add_person(s, p, &d, chance(&d, 0.8));
        }
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

/* ---- ray casting ------------------------------------------------------------------------- */

static int compare_nearest(const void *a, const void *b)
{
    const struct solid *p = a, *q = b;

    if (p->nearest != q->nearest)
        return p->nearest < q->nearest ? -1 : 1;
    return p->id - q->id; /* a total order */
}

/* Bounds on the screen from the local box; solids that cannot be seen are dropped; nearest
 * first. */
static void finish_solids(struct scene *s)
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
        if (nearest <
            NEAREST_M) { /* reaches past the camera: no bound from projected corners */
            u_min = v_min = -1.0;
            u_max = s->width, v_max = s->height;
        }
        u_min = clamp(u_min - 1.0, 0.0, (double)s->width),
        u_max = clamp(u_max + 1.0, -1.0, s->width - 1.0);
        v_min = clamp(v_min - 1.0, 0.0, (double)s->height),
        v_max = clamp(v_max + 1.0, -1.0, s->height - 1.0);
        o->u_first = (int)u_min, o->u_last = (int)u_max;
        o->v_first = (int)v_min, o->v_last = (int)v_max;
        o->nearest = nearest;
        if (o->u_first > o->u_last || o->v_first > o->v_last)
            continue;
        if (n != i)
            s->solids[n] = *o;
        n++;
    }
    s->n_solids = n;
    qsort(s->solids, (size_t)n, sizeof *s->solids, compare_nearest);
}

struct hit {
    double depth;
    uint8_t label, surface;
};

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

/* Is (x, z) on raised ground, and of which class? */
static int raised_ground(const struct scene *s, double x, double z, uint8_t *label)
{
    const double across = x - middle_of_road(s, z), a = across < 0 ? -across : across;

    if (a < s->half_road || in_crossing(s, across > 0, z, 0.0)) {
        *label = ROAD;
        return 0;
    }
    if (a < s->half_road + s->verge)
        *label = TERRAIN;
    else if (a < s->half_road + s->verge + s->pavement)
        *label = SIDEWALK;
    else
        *label = s->is_green ? TERRAIN : SIDEWALK;
    return 1;
}

/* Where the ray meets the ground; z_road, z_kerb are the row's depths at the two levels (0:
 * never). */
static struct hit ground_hit(const struct scene *s, double xr, double z_road, double z_kerb)
{
    struct hit hit = {.depth = 0.0, .label = SKY, .surface = OPEN_SKY};
    uint8_t label;

    if (z_kerb > 0.0 && raised_ground(s, xr * z_kerb, z_kerb, &label)) {
        hit.depth = z_kerb;
        hit.label = label;
        hit.surface = TEXTURED;
    } else if (z_road > 0.0 &&
               (!raised_ground(s, xr * z_road, z_road, &label) || z_kerb <= 0.0)) {
        hit.depth = z_road;
        hit.label = label;
        hit.surface = PLAIN;
    } else if (z_road > 0.0) { /* between: the kerb's face */
        double near = z_kerb, far = z_road;

        for (int i = 0; i < 24; i++) {
            const double mid = 0.5 * (near + far);

            if (raised_ground(s, xr * mid, mid, &label))
                far = mid;
            else
                near = mid;
        }
        hit.depth = far;
        hit.label = SIDEWALK;
        hit.surface = TEXTURED;
    }
    return hit;
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
    double run;

    if (h < o->band_low || h > o->band_high || in_bay < 0.26 || in_bay > 0.74 ||
        in_floor < 0.28 || in_floor > 0.8)
        return;
    run = r->a[through_axis] < 0 ? -r->a[through_axis] : r->a[through_axis];
    if (run >
        1e-6) { /* the recessed pane, unless its reveal hides it: then the reveal is nearer */
        const double further = o->recess / run, limit = 1.5 * o->recess + 0.02 * *t;

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

/* One row of truth; 'hits' [width] is scratch. */
static void cast_row(const struct scene *s, int v, struct hit *hits, uint16_t *truth,
                     uint8_t *label, uint8_t *surface)
{
    const double yr = ((double)v - s->camera.cy_px) / s->camera.fy_px;
    const double z_road = cast_ground(s, yr, 0.0), z_kerb = cast_ground(s, yr, s->kerb);

    for (int u = 0; u < s->width; u++) {
        hits[u] =
            ground_hit(s, ((double)u - s->camera.cx_px) / s->camera.fx_px, z_road, z_kerb);
        if (hits[u].depth <= 0.0)
            hits[u] = (struct hit){.depth = 1e30, .label = SKY, .surface = OPEN_SKY};
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

            if (hits[u].depth <= o->nearest)
                continue;
            r.a[0] = at->cosine * xr - at->sine;
            r.a[2] = at->sine * xr + at->cosine;
            r.a[1] = -yr - at->slope * r.a[2];
            t = cast_solid(s, o, &r, &seen);
            if (t > 0.0 && t < hits[u].depth)
                hits[u] = (struct hit){t, o->label, seen};
        }
    }
    for (int u = 0; u < s->width; u++) {
        truth[u] = hits[u].label == SKY ? 0 : disparity_of(s, hits[u].depth);
        label[u] = hits[u].label;
        surface[u] = hits[u].surface;
    }
}

/* ---- the sensor -------------------------------------------------------------------------- */

/* One column per level.  Lengths are pixels of KITTI's frame and grow with the lens. */
struct sensor {
    double fatten_px;           /* the most that a foreground grows */
    double sigma_px, smooth_px; /* white and correlated noise at large disparity */
    double streak_px;           /* offsets along rows where texture is weak */
    double hole[N_SURFACES]; /* thresholds of the hole field (0..1, bell-shaped around 0.5) */
    double far_hole;         /* added to them at disparity 0, falling to 0 at 20 px */
    double edge_hole, occluded_hole, border_hole;
    double pepper;  /* share of single unmatched pixels */
    double wild;    /* share of single wild pixels */
    double blob;    /* share of cells with a gross error; a quarter of it on the ground */
    double blob_px; /* their largest radius */
};

static const struct sensor sensors[] = {
    [SCENE_EASY] = {.fatten_px = 2.0,
                    .sigma_px = 0.06,
                    .smooth_px = 0.35,
                    .streak_px = 0.3,
                    .hole = {[TEXTURED] = 0.0,
                             [PLAIN] = 0.06,
                             [GLASS] = 0.24,
                             [LEAVES] = 0.1,
                             [OPEN_SKY] = 0.76},
                    .far_hole = 0.06,
                    .edge_hole = 0.12,
                    .occluded_hole = 0.25,
                    .border_hole = 0.35,
                    .pepper = 0.0005,
                    .wild = 0.0,
                    .blob = 0.14,
                    .blob_px = 4.5},
    [SCENE_NORMAL] = {.fatten_px = 3.0,
                      .sigma_px = 0.15,
                      .smooth_px = 0.6,
                      .streak_px = 0.6,
                      .hole = {[TEXTURED] = 0.08,
                               [PLAIN] = 0.2,
                               [GLASS] = 0.38,
                               [LEAVES] = 0.24,
                               [OPEN_SKY] = 0.82},
                      .far_hole = 0.12,
                      .edge_hole = 0.32,
                      .occluded_hole = 0.55,
                      .border_hole = 0.7,
                      .pepper = 0.006,
                      .wild = 0.0012,
                      .blob = 0.17,
                      .blob_px = 5.0},
    [SCENE_HARD] = {.fatten_px = 3.5,
                    .sigma_px = 0.32,
                    .smooth_px = 1.0,
                    .streak_px = 1.8,
                    .hole = {[TEXTURED] = 0.28,
                             [PLAIN] = 0.335,
                             [GLASS] = 0.48,
                             [LEAVES] = 0.4,
                             [OPEN_SKY] = 0.76},
                    .far_hole = 0.13,
                    .edge_hole = 0.5,
                    .occluded_hole = 0.85,
                    .border_hole = 0.95,
                    .pepper = 0.03,
                    .wild = 0.02,
                    .blob = 0.3,
                    .blob_px = 6.0},
};

/* About normal, mean 0, variance 1: twelve uniform numbers of ten bits. */
static double gauss(uint64_t seed, int u, int v)
{
    const struct bench_words p = bench_philox(seed, (uint32_t)u, (uint32_t)v, 0, STREAM_GAUSS);
    int sum = 0;

    for (int i = 0; i < 4; i++)
        sum += (int)(p.word[i] & 1023u) + (int)((p.word[i] >> 10) & 1023u) +
               (int)((p.word[i] >> 20) & 1023u);
    return (double)(sum - 6138) / 1024.0;
}

struct sensor_row {
    uint8_t *occluded; /* [width] 1: not in the other view, 2: outside it */
    int32_t *behind;   /* [width] disparity of the visible background to the left, 1/256 px */
};

/* A pixel is hidden in the other view when one further right lands left of it there. */
static void find_occlusions(const uint16_t *truth, int width, struct sensor_row *row)
{
    int64_t leftmost = INT64_MAX;
    int32_t background = 0;

    for (int u = width - 1; u >= 0; u--) {
        const int64_t lands = (int64_t)u * DISPARITY_SCALE - truth[u];

        row->occluded[u] = lands < 0 ? 2 : leftmost <= lands - DISPARITY_SCALE ? 1 : 0;
        leftmost = lands < leftmost ? lands : leftmost;
    }
    for (int u = 0; u < width; u++) {
        if (row->occluded[u] == 0)
            background = truth[u];
        row->behind[u] = background;
    }
}

/* Sky: little to match; what is matched is low, or wild at the hard level. */
static int sense_sky(const struct scene *s, const struct sensor *m, enum scene_level level,
                     double su, double sv, struct bench_words words, uint16_t *disparity)
{
    const double field = 0.6 * noise2(s->lattice, su / 46.0 + 3.0, sv / 11.0) +
                         0.4 * noise2(s->lattice, su / 9.0, sv / 5.0 + 77.0);
    const double coarse = noise2(s->lattice, su / 13.0 + 31.0, sv / 9.0 + 5.0);
    double px = 0.4 + 2.5 * noise2(s->lattice, su / 3.7, sv / 3.1 + 129.0);

    if (field <= m->hole[OPEN_SKY] - 0.12 ||
        words.word[0] < 0x10000000u * (level == SCENE_HARD ? 6u : 1u))
        return 0;
    if (level != SCENE_EASY)
        px += 12.0 * coarse * coarse;
    if (level == SCENE_HARD && coarse > 0.6)
        px += 60.0 * noise2(s->lattice, su / 30.0, 0.7 * sv);
    *disparity = (uint16_t)(px * DISPARITY_SCALE);
    return 1;
}

/* What stands around a pixel of truth: three rows, 'grow' columns to each side. */
struct surroundings {
    int most, least;
};

static struct surroundings look_around(const uint16_t *const rows[3], int width, int u,
                                       int grow)
{
    const int first = u - grow < 0 ? 0 : u - grow,
              last = u + grow >= width ? width - 1 : u + grow;
    struct surroundings around = {rows[1][u], rows[1][u]};

    for (int k = 0; k < 3; k++) {
        for (int i = first; i <= last; i++) {
            around.most = rows[k][i] > around.most ? rows[k][i] : around.most;
            around.least = rows[k][i] < around.least ? rows[k][i] : around.least;
        }
    }
    return around;
}

/* One matched or unmatched pixel that is not sky. */
struct pixel {
    int u, v, value;      /* value: the disparity that is matched, 1/256 px */
    double su, sv;        /* u, v in pixels of KITTI's frame */
    double coarse, holes; /* smooth fields, 0..1 */
    uint8_t surface;
    int is_edge, is_fat, is_occluded;
};

/* Where the field of holes is below this, nothing is matched. */
static double hole_threshold(const struct sensor *m, const struct pixel *p, int own,
                             int occluded)
{
    const int far_q8 = 20 * DISPARITY_SCALE;
    double threshold = m->hole[p->surface];

    if (own < far_q8)
        threshold += m->far_hole * (double)(far_q8 - own) / (double)far_q8;
    if (p->is_edge && threshold < m->edge_hole)
        threshold = m->edge_hole;
    if (p->is_occluded && threshold < (occluded == 2 ? m->border_hole : m->occluded_hole))
        threshold = occluded == 2 ? m->border_hole : m->occluded_hole;
    return threshold;
}

/* The error in pixels: white, correlated, along rows, and mirrored scenes behind glass. */
static double matching_error(const struct scene *s, const struct sensor *m,
                             enum scene_level level, const struct pixel *p, double weak)
{
    const double px = (double)p->value / DISPARITY_SCALE;
    const double sigma = m->sigma_px * (0.8 + 4.0 / (px + 4.0)) * (p->is_edge ? 2.0 : 1.0);
    const double smooth =
        2.0 * noise2(s->lattice, p->su / 17.0 + 200.0, p->sv / 6.0 + 60.0) - 1.0;
    const double streak =
        2.0 * noise2(s->lattice, p->su / 55.0 + 0.37 * p->v, p->v + 19.0) - 1.0;
    double error = sigma * gauss(s->seed, p->u, p->v);

    error += m->smooth_px * (1.0 + 5.0 / (px + 4.0)) * weak * smooth;
    error += m->streak_px * weak * streak;
    if (p->surface == GLASS && p->coarse > 0.62)
        error -= (p->coarse - 0.62) * 0.6 * px * (level == SCENE_EASY ? 0.3 : 1.0);
    return error;
}

static uint8_t confidence_of(const struct sensor *m, const struct pixel *p, double threshold,
                             double weak, double error, uint32_t word)
{
    const double size = error < 0 ? -error : error;
    double doubt =
        22.0 * weak + 160.0 * (m->sigma_px + 0.2 * m->smooth_px) + 60.0 * size / (1.0 + size);

    if (p->holes < threshold + 0.12)
        doubt += 90.0;
    if (p->is_edge)
        doubt += 45.0;
    if (p->is_fat)
        doubt += 40.0;
    if (p->is_occluded)
        doubt += 60.0;
    return (uint8_t)clamp(252.0 - doubt - (double)(word >> 28), 1.0, 255.0);
}

static void sense_row(const struct scene *s, const struct sensor *m, enum scene_level level,
                      int v, const uint8_t *surfaces, struct sensor_row *row,
                      struct plane *plane)
{
    static const double weakness[N_SURFACES] = {0.45, 1.0, 1.6, 0.45, 1.0};
    const double scale = s->camera.fx_px / KITTI_F_PX;
    const size_t offset = (size_t)v * (size_t)s->width;
    const double fatten = m->fatten_px * (scale < 1.0 ? 1.0 : scale) + 0.5;
    const double reach = fatten < MAX_REACH ? (double)(int)fatten : MAX_REACH;
    uint16_t *disparity = plane->disparity + offset;
    uint8_t *confidence = plane->confidence + offset;
    const uint16_t *rows[3];

    for (int k = 0; k < 3; k++) {
        const int at = v + k - 1 < 0 ? 0 : v + k - 1 >= s->height ? s->height - 1 : v + k - 1;

        rows[k] = plane->truth + (size_t)at * (size_t)s->width;
    }
    find_occlusions(rows[1], s->width, row);
    for (int u = 0; u < s->width; u++) {
        const struct bench_words words =
            bench_philox(s->seed, (uint32_t)u, (uint32_t)v, 0, STREAM_PIXEL);
        const int own = rows[1][u], step = DISPARITY_SCALE + own / 16;
        struct pixel p = {
            .u = u, .v = v, .value = own, .su = (double)u / scale, .sv = (double)v / scale};
        const double fine = noise2(s->lattice, p.su / 3.7, p.sv / 3.1 + 129.0);
        const struct surroundings around =
            look_around(rows, s->width, u, (int)((0.25 + 0.9 * fine) * reach));
        double threshold, error, weak, q8;

        disparity[u] = DISPARITY_INVALID;
        confidence[u] = 0;
        p.surface = surfaces[offset + (size_t)u];
        p.is_edge = around.most - around.least > step;
        p.is_fat = around.most - own > step;
        if (p.is_fat)
            p.value = around.most;
        if (p.value == 0) {
            if (sense_sky(s, m, level, p.su, p.sv, words, &disparity[u]))
                confidence[u] = (uint8_t)(8 + (words.word[1] >> 27));
            continue;
        }
        p.coarse = noise2(s->lattice, p.su / 13.0 + 31.0, p.sv / 9.0 + 5.0);
        p.holes = 0.6 * p.coarse + 0.4 * fine;
        p.is_occluded = row->occluded[u] != 0 && !p.is_fat;
        threshold = hole_threshold(m, &p, own, row->occluded[u]);
        if (p.holes < threshold || words.word[1] < (uint32_t)(m->pepper * 4294967295.0))
            continue;
        if (p.is_occluded && row->occluded[u] == 1 && row->behind[u] > 0 &&
            row->behind[u] < own)
            p.value = row->behind[u]; /* filled with what is seen to the left */
        weak = weakness[p.surface];
        error = matching_error(s, m, level, &p, weak);
        q8 = (double)p.value + error * DISPARITY_SCALE + 0.5;
        if (words.word[2] < (uint32_t)(m->wild * 4294967295.0))
            q8 = (double)bench_below(words.word[3], 128u * DISPARITY_SCALE);
        if (q8 > (double)DISPARITY_MAX) {
            q8 = DISPARITY_MAX;
            plane->n_clamped++;
        }
        disparity[u] = q8 < 1.0 ? 1 : (uint16_t)q8;
        confidence[u] = confidence_of(m, &p, threshold, weak, error, words.word[0]);
    }
}

/* Gross errors: ellipses of wrong disparity or of nothing, at most one per cell of a coarse
 * grid. */
static void paint_blobs(const struct scene *s, const struct sensor *m, struct plane *plane)
{
    const double scale = s->camera.fx_px / KITTI_F_PX;
    const int cell = (int)(18.0 * scale) < 6 ? 6 : (int)(18.0 * scale);
    const double grown = scale < 0.5 ? 0.5 : scale;

    for (int cv = 0; cv * cell < s->height; cv++) {
        for (int cu = 0; cu * cell < s->width; cu++) {
            const struct bench_words a =
                bench_philox(s->seed, (uint32_t)cu, (uint32_t)cv, 0, STREAM_BLOB);
            const struct bench_words b =
                bench_philox(s->seed, (uint32_t)cu, (uint32_t)cv, 1, STREAM_BLOB);
            const int mid_u = cu * cell + (int)bench_below(a.word[1], (uint32_t)cell);
            const int mid_v = cv * cell + (int)bench_below(a.word[2], (uint32_t)cell);
            const double ru =
                (1.5 + m->blob_px * 1.4 * (double)(b.word[0] >> 16) / 65536.0) * grown;
            const double rv =
                (1.0 + m->blob_px * 0.6 * (double)(b.word[1] >> 16) / 65536.0) * grown;
            const int is_hole = (b.word[2] & 3u) == 0;
            int centre, base, is_ground;
            size_t middle;

            if (mid_u >= s->width || mid_v >= s->height)
                continue;
            middle = (size_t)mid_v * (size_t)s->width + (size_t)mid_u;
            is_ground = plane->truth_class[middle] <= SIDEWALK;
            if (a.word[0] >= (uint32_t)(m->blob * (is_ground ? 0.25 : 1.0) * 4294967295.0))
                continue;
            centre = plane->truth[middle];
            /* most are near the truth, as a wrong fringe of a repeated pattern; a quarter are
             * anywhere */
            base = b.word[2] & 12u ? centre + (int)bench_below(b.word[3], 28u * 256u) - 14 * 256
                                   : (int)bench_below(b.word[3], 100u * 256u);
            base = base < 64 ? 64 : base > DISPARITY_MAX ? DISPARITY_MAX : base;
            for (int v = mid_v - (int)rv; v <= mid_v + (int)rv; v++) {
                for (int u = mid_u - (int)ru; u <= mid_u + (int)ru; u++) {
                    const double du = (double)(u - mid_u) / ru, dv = (double)(v - mid_v) / rv;
                    size_t at;

                    if (u < 0 || u >= s->width || v < 0 || v >= s->height ||
                        du * du + dv * dv > 1.0)
                        continue;
                    at = (size_t)v * (size_t)s->width + (size_t)u;
                    if (is_hole) {
                        plane->disparity[at] = DISPARITY_INVALID;
                        plane->confidence[at] = 0;
                    } else if (plane->disparity[at] != DISPARITY_INVALID) {
                        plane->disparity[at] = (uint16_t)base;
                        plane->confidence[at] = (uint8_t)(10u + (b.word[2] >> 26));
                    }
                }
            }
        }
    }
}

/* ---- the two entrances ------------------------------------------------------------------- */

static struct camera camera_for(int width, int height)
{
    const double by_width = width / KITTI_WIDTH, by_height = height / TALLEST_PX;
    const double scale = by_width > by_height
                             ? by_width
                             : by_height; /* square pixels; a tall frame looks closer */

    return (struct camera){
        .fx_px = KITTI_F_PX * scale,
        .fy_px = KITTI_F_PX * scale,
        .cx_px = KITTI_CX_PX * (width / KITTI_WIDTH),
        .cy_px = KITTI_CY_PX * (height / KITTI_HEIGHT),
        .baseline_m = KITTI_BASELINE_M,
        .height_m = KITTI_HEIGHT_M,
        .pitch_rad = 0.0,
    };
}

static void lay_out(struct scene *s, int steep)
{
    const enum style style =
        (enum style)(s->seed % N_STYLES); /* a row of seeds shows every kind */

    lay_profile(s, steep);
    lay_street(s, style);
    lay_traffic(s, style);
    lay_kerbsides(s, style);
    lay_people(s, style);
    lay_furniture(s, style);
    lay_lots_of_side(s, style, 0);
    lay_lots_of_side(s, style, 1);
    lay_background(s, style);
    finish_solids(s);
}

/* "scene-" and the seed in decimal: always fits. */
static void set_name(struct plane *plane, const char *prefix, uint64_t seed)
{
    char digits[24];
    size_t n = 0, at = 0;

    do {
        digits[n++] = (char)('0' + (char)(seed % 10));
        seed /= 10;
    } while (seed != 0);
    while (prefix[at] != '\0') {
        plane->name[at] = prefix[at];
        at++;
    }
    while (n > 0)
        plane->name[at++] = digits[--n];
    plane->name[at] = '\0';
}

static enum bench_status make_frame(const struct scene_options *options, struct scene *s,
                                    uint8_t **surfaces, struct hit **hits,
                                    struct sensor_row *row, struct plane *plane)
{
    const size_t width = (size_t)options->width, n_pixels = width * (size_t)options->height;
    const struct sensor *m = &sensors[options->level];

    plane->truth = malloc(n_pixels * sizeof *plane->truth);
    plane->truth_class = malloc(n_pixels);
    plane->confidence = malloc(n_pixels);
    *surfaces = malloc(n_pixels);
    *hits = malloc(width * sizeof **hits);
    row->occluded = malloc(width * sizeof *row->occluded);
    row->behind = malloc(width * sizeof *row->behind);
    s->lattice = malloc((size_t)NOISE_SIDE * NOISE_SIDE);
    s->solids = malloc(MAX_SOLIDS * sizeof *s->solids);
    if (plane->truth == NULL || plane->truth_class == NULL || plane->confidence == NULL ||
        *surfaces == NULL || *hits == NULL || row->occluded == NULL || row->behind == NULL ||
        s->lattice == NULL || s->solids == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a scene of %d x %d pixels",
                          options->width, options->height);

    fill_lattice(s->seed, s->lattice);
    lay_out(s, options->steep != 0);
    for (int v = 0; v < s->height; v++) {
        const size_t offset = (size_t)v * width;

        cast_row(s, v, *hits, plane->truth + offset, plane->truth_class + offset,
                 *surfaces + offset);
    }
    for (int v = 0; v < s->height; v++)
        sense_row(s, m, options->level, v, *surfaces, row, plane);
    paint_blobs(s, m, plane);
    return BENCH_OK;
}

enum bench_status scene_make(const struct scene_options *options, struct plane *plane)
{
    const int level = (int)options->level;
    struct scene scene;
    struct sensor_row row = {NULL, NULL};
    uint8_t *surfaces = NULL;
    struct hit *hits = NULL;
    enum bench_status status;

    memset(plane, 0, sizeof *plane);
    if (level < SCENE_EASY || level > SCENE_HARD)
        return BENCH_FAIL(BENCH_EINPUT,
                          "scene level %d, expected 0 (easy), 1 (normal) or 2 (hard)", level);
    TRY(plane_alloc(plane, options->width, options->height));
    plane->camera = camera_for(options->width, options->height);
    set_name(plane, "scene-", options->seed);

    memset(&scene, 0, sizeof scene);
    scene.seed = options->seed;
    scene.width = options->width;
    scene.height = options->height;
    scene.camera = plane->camera;
    status = make_frame(options, &scene, &surfaces, &hits, &row, plane);
    free(scene.solids);
    free(scene.lattice);
    free(row.behind);
    free(row.occluded);
    free(hits);
    free(surfaces);
    if (status != BENCH_OK)
        plane_free(plane);
    return status;
}

enum bench_status noise_make(int width, int height, uint64_t seed, struct plane *plane)
{
    memset(plane, 0, sizeof *plane);
    TRY(plane_alloc(plane, width, height));
    set_name(plane, "noise-", seed);
    for (int v = 0; v < height; v++) {
        uint16_t *row = plane->disparity + (size_t)v * (size_t)width;

        for (int u = 0; u < width; u++) {
            const struct bench_words p =
                bench_philox(seed, (uint32_t)u >> 2, (uint32_t)v, 0, STREAM_NOISE);

            row[u] = (uint16_t)bench_below(p.word[u & 3], 127 * DISPARITY_SCALE + 1);
        }
    }
    return BENCH_OK;
}
