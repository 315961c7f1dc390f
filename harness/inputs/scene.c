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
#include "harness/inputs/scene_private.h"

#include <stdlib.h>
#include <string.h>

static void fill_lattice(uint64_t seed, uint8_t *lattice)
{
    for (uint32_t i = 0; i < NOISE_SIDE * NOISE_SIDE / 16; i++) {
        const struct bench_words p = bench_philox(seed, i, 0, 0, STREAM_LATTICE);

        for (uint32_t k = 0; k < 16; k++)
            lattice[16 * i + k] = (uint8_t)(p.word[k / 4] >> (8 * (k % 4)));
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

    scene_lay_profile(s, steep);
    scene_lay_street(s, style);
    scene_lay_traffic(s, style);
    scene_lay_kerbsides(s, style);
    scene_lay_people(s, style);
    scene_lay_furniture(s, style);
    scene_lay_lots_of_side(s, style, 0);
    scene_lay_lots_of_side(s, style, 1);
    scene_lay_background(s, style);
    scene_finish_solids(s);
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

        scene_cast_row(s, v, *hits, plane->truth + offset, plane->truth_class + offset,
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
