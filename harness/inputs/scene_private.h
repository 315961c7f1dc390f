/* scene_private.h - what the files of a scene share: constants, noise, solids, the scene */
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
#define N_KNOTS         16   /* of the road's profile */
#define MAX_CROSSINGS   4    /* side streets of one side */
#define MAX_REACH       24.0 /* a foreground grows no further, however large the frame */
#define NOISE_SIDE      256  /* the lattice of random bytes, periodic */

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

/* The matcher sees so much of a surface to hold on to. */
enum surface { TEXTURED, PLAIN, GLASS, LEAVES, OPEN_SKY, N_SURFACES };

/* A solid's surface departs from its planes in these ways. */
enum relief {
    SMOOTH,
    FACADE,  /* recessed windows on a grid of bays and floors */
    FOLIAGE, /* ragged outline, deep noisy surface */
    PICKETS, /* see-through bars */
    PANES    /* glass in a band of heights, on all sides */
};

enum style { CANYON, RESIDENTIAL, AVENUE, PARKSIDE, DOWNTOWN, N_STYLES };

/* Streams of random words: the counter's highest word. */
enum {
    STREAM_LAYOUT = 1,
    STREAM_LATTICE,
    STREAM_PIXEL,
    STREAM_GAUSS,
    STREAM_BLOB,
    STREAM_NOISE,
    STREAM_VIEWS /* their lattice */
};

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
    enum scene_level level;
    int width, height;
    struct camera camera;
    struct plane *plane; /* borrowed: what is made */
    uint8_t *surfaces;   /* [height][width], owned */

    uint8_t lattice[NOISE_SIDE * NOISE_SIDE];
    struct solid solids[MAX_SOLIDS];
    int n_solids;

    enum style style;
    double centre_x, bend; /* the road's middle is centre_x + bend z^2 */
    double half_road, verge, pavement, kerb, end_z;
    double front;                                /* from the middle to the lots */
    int is_green;                                /* the lots' ground is grass */
    struct crossing crossings[2][MAX_CROSSINGS]; /* left, right */
    int n_crossings[2];
    double knot_z[N_KNOTS], knot_h[N_KNOTS], knot_slope[N_KNOTS];
};

/* A row while it is made. */
struct scene_row {
    double depth[INPUTS_MAX_SIDE];     /* of what is nearest so far */
    uint8_t occluded[INPUTS_MAX_SIDE]; /* 1: not in the other view, 2: outside it */
    int32_t behind[INPUTS_MAX_SIDE];   /* disparity of the visible background to the left */
};

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

/* scene.c: the lattice of a stream of random words. */
void scene_fill_lattice(uint64_t seed, uint32_t stream, uint8_t *lattice);

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

static inline double middle_of_road(const struct scene *s, double z)
{
    return s->centre_x + s->bend * z * z;
}

static inline double profile_curvature(const struct scene *s, int i)
{
    if (i + 1 >= N_KNOTS)
        return 0.0;
    return (s->knot_slope[i + 1] - s->knot_slope[i]) / (s->knot_z[i + 1] - s->knot_z[i]);
}

static inline int in_crossing(const struct scene *s, int side, double z, double margin)
{
    for (int i = 0; i < s->n_crossings[side]; i++)
        if (z > s->crossings[side][i].first - margin && z < s->crossings[side][i].last + margin)
            return 1;
    return 0;
}

/* scene_street.c: roll the street and all that stands in it. */
void scene_lay_out(struct scene *s, int steep);

/* ---- scene_cast.c ---- */

/* Bounds on the screen from the local box; solids that cannot be seen are dropped; nearest
 * first. */
void scene_finish_solids(struct scene *s);
/* One row of truth, classes and surfaces. */
void scene_cast_row(const struct scene *s, struct scene_row *row, int v);

#endif
