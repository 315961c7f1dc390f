/* scene_private.h - what the files of a scene share: constants, dice, noise, places, solids,
 * the scene */
#ifndef INPUTS_SCENE_PRIVATE_H
#define INPUTS_SCENE_PRIVATE_H

#include "harness/base/random.h"
#include "harness/inputs/scene.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

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

static inline struct dice dice_for(uint64_t seed, uint32_t kind, uint32_t index)
{
    return (struct dice){.key = seed, .kind = kind, .index = index};
}

static inline uint32_t roll(struct dice *d)
{
    return bench_philox(d->key, d->n_rolls++, d->index, d->kind, STREAM_LAYOUT).word[0];
}

static inline double uniform(struct dice *d, double low, double high)
{
    return low + (high - low) * ((double)roll(d) / 4294967296.0);
}

static inline int chance(struct dice *d, double probability)
{
    return uniform(d, 0.0, 1.0) < probability;
}

static inline int below(struct dice *d, uint32_t n)
{
    return (int)bench_below(roll(d), n);
}

/* Towards minus infinity; |x| must fit an int. */
static inline int int_floor(double x)
{
    const int i = (int)x;

    return i - (x < (double)i);
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Smooth noise, 0..1: bilinear in the lattice with a smooth step. */
static inline double noise2(const uint8_t *lattice, double x, double y)
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
static inline double noise3(const uint8_t *lattice, double x, double y, double z)
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
    /* made by scene_finish_solids() */
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

static inline double middle_of_road(const struct scene *s, double z)
{
    return s->centre_x + s->bend * z * z;
}

/* Index of the profile's piece that holds z; the last piece has no end. */
static inline int profile_piece(const struct scene *s, double z)
{
    int i = 0;

    while (i + 1 < N_KNOTS && z >= s->knot_z[i + 1])
        i++;
    return i;
}

static inline double profile_curvature(const struct scene *s, int i)
{
    if (i + 1 >= N_KNOTS)
        return 0.0;
    return (s->knot_slope[i + 1] - s->knot_slope[i]) / (s->knot_z[i + 1] - s->knot_z[i]);
}

static inline double road_height(const struct scene *s, double z)
{
    const int i = profile_piece(s, z);
    const double x = z - s->knot_z[i];

    return s->knot_h[i] + s->knot_slope[i] * x + 0.5 * profile_curvature(s, i) * x * x;
}

static inline double road_slope(const struct scene *s, double z)
{
    const int i = profile_piece(s, z);

    return s->knot_slope[i] + profile_curvature(s, i) * (z - s->knot_z[i]);
}

/* The place 'across' metres right of the road's middle at z, heading along the road. */
static inline struct place place_at(const struct scene *s, double across, double z)
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
static inline struct place turned(struct place p, double half_tangent)
{
    const double q = half_tangent * half_tangent, c = (1.0 - q) / (1.0 + q),
                 s = 2.0 * half_tangent / (1.0 + q);
    const double cosine = p.cosine * c - p.sine * s, sine = p.sine * c + p.cosine * s;

    p.cosine = cosine;
    p.sine = sine;
    p.slope = p.slope * c;
    return p;
}

static inline struct place reversed(struct place p)
{
    p.cosine = -p.cosine;
    p.sine = -p.sine;
    p.slope = -p.slope;
    return p;
}

static inline struct place raised(struct place p, double metres)
{
    p.h += metres;
    return p;
}

static inline struct place upright(struct place p)
{
    p.slope = 0.0;
    return p;
}

struct box {
    double x0, x1, h0, h1, z0, z1;
};

static inline int in_crossing(const struct scene *s, int side, double z, double margin)
{
    for (int i = 0; i < s->n_crossings[side]; i++)
        if (z > s->crossings[side][i].first - margin && z < s->crossings[side][i].last + margin)
            return 1;
    return 0;
}

/* ---- scene_things.c ---- */

void scene_add_face(struct solid *o, double x, double h, double z, double limit);
/* Faces 0, 1 look along x, 2 is the top, 3, 4 look along z; a box has no bottom to see but
 * keeps it: 5. */
struct solid *scene_add_box(struct scene *s, struct place at, struct box b, uint8_t label,
                            uint8_t surface);
struct solid *scene_add_cylinder(struct scene *s, struct place at, double x, double z,
                                 double radius, double h0, double h1, uint8_t label,
                                 uint8_t surface);
void scene_add_person(struct scene *s, struct place at, struct dice *d, int is_walking);
void scene_add_two_wheeler(struct scene *s, struct place at, struct dice *d, int is_motor,
                           int is_ridden);
/* Length, width and height vary from a small hatchback to a van; the cabin's glass slants. */
void scene_add_car(struct scene *s, struct place at, struct dice *d);
void scene_add_truck(struct scene *s, struct place at, struct dice *d);
void scene_add_bus(struct scene *s, struct place at, struct dice *d);
void scene_add_tram(struct scene *s, struct place at, struct dice *d);
void scene_add_tree(struct scene *s, struct place at, struct dice *d, double size);
void scene_add_bush(struct scene *s, struct place at, struct dice *d, double size);
void scene_add_lamp(struct scene *s, struct place at, struct dice *d, double towards_road);
void scene_add_sign(struct scene *s, struct place at, struct dice *d);
void scene_add_traffic_light(struct scene *s, struct place at, struct dice *d,
                             double towards_road, double reach);
/* A facade that looks at the street, 'depth' metres behind it; side -1 is the street's left. */
void scene_add_building(struct scene *s, double side, double across, double z, double along,
                        double tall, struct dice *d);

/* ---- scene_layout.c ---- */

enum style { CANYON, RESIDENTIAL, AVENUE, PARKSIDE, DOWNTOWN, N_STYLES };

void scene_lay_profile(struct scene *s, int steep);
void scene_lay_street(struct scene *s, enum style style);
void scene_lay_lots_of_side(struct scene *s, enum style style, int side);
/* What is seen through gaps and side streets, and what closes the street at its end. */
void scene_lay_background(struct scene *s, enum style style);
void scene_lay_kerbsides(struct scene *s, enum style style);
void scene_lay_furniture(struct scene *s, enum style style);
void scene_lay_traffic(struct scene *s, enum style style);
void scene_lay_people(struct scene *s, enum style style);

/* ---- scene_cast.c ---- */

struct hit {
    double depth;
    uint8_t label, surface;
};

/* Bounds on the screen from the local box; solids that cannot be seen are dropped; nearest
 * first. */
void scene_finish_solids(struct scene *s);
/* One row of truth; 'hits' [width] is scratch. */
void scene_cast_row(const struct scene *s, int v, struct hit *hits, uint16_t *truth,
                    uint8_t *label, uint8_t *surface);

#endif
