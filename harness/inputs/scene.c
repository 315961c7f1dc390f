/*
 * scene.c - seeded street scenes: layout, ray casting, a sensor that errs as SGM does
 *
 * (1) Layout (scene_street.c): the seed rolls a street (road, pavements, lots with buildings or
 * gardens, what stands along the kerbs, traffic, people) as a list of convex solids.
 * (2) Casting (scene_cast.c): one ray a pixel against the ground and the solids, nearest hit
 * wins, exact perspective: truth, class, surface.
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

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_fill_lattice(uint64_t seed, uint32_t stream, uint8_t *lattice)
{
    for (uint32_t i = 0; i < NOISE_SIDE * NOISE_SIDE / 16; i++) {
        const struct bench_words p = bench_philox(seed, i, 0, 0, stream);

        for (uint32_t k = 0; k < 16; k++)
            lattice[16 * i + k] = (uint8_t)(p.word[k / 4] >> (8 * (k % 4)));
    }
}

/* ---- the sensor -------------------------------------------------------------------------- */

/* The sensor errs by these, at the levels easy, normal and hard.  Lengths are pixels of KITTI's
 * frame and grow with the lens. */
static const double fatten_px[] = {2.0, 3.0, 3.5};    /* the most that a foreground grows */
static const double sigma_px[] = {0.06, 0.15, 0.32};  /* white noise at large disparity */
static const double smooth_px[] = {0.35, 0.6, 1.0};   /* correlated noise there */
static const double streak_px[] = {0.3, 0.6, 1.8};    /* offsets along rows of weak texture */
static const double pepper[] = {0.0005, 0.006, 0.03}; /* share of single unmatched pixels */
static const double wild[] = {0.0, 0.0012, 0.02};     /* share of single wild pixels */
static const double blob[] = {0.14, 0.17, 0.3};       /* share of cells with a gross error */
static const double blob_px[] = {4.5, 5.0, 6.0};      /* its largest radius */

/* Thresholds of the hole field (0..1, bell-shaped around 0.5). */
static const double hole[N_SURFACES][3] = {[TEXTURED] = {0.0, 0.08, 0.28},
                                           [PLAIN] = {0.06, 0.2, 0.335},
                                           [GLASS] = {0.24, 0.38, 0.48},
                                           [LEAVES] = {0.1, 0.24, 0.4},
                                           [OPEN_SKY] = {0.76, 0.82, 0.76}};
/* Added to them at disparity 0, falling to 0 at 20 px. */
static const double far_hole[] = {0.06, 0.12, 0.13};
/* They are at least so much. */
static const double edge_hole[] = {0.12, 0.32, 0.5}, occluded_hole[] = {0.25, 0.55, 0.85},
                    border_hole[] = {0.35, 0.7, 0.95};

/* Is this random word among the share 'of_all' of all words? */
static int is_among(uint32_t word, double of_all)
{
    return word < (uint32_t)(of_all * 4294967295.0);
}

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

/* A pixel is hidden in the other view when one further right lands left of it there. */
static void find_occlusions(const struct scene *s, const uint16_t *truth, struct scene_row *row)
{
    int64_t leftmost = INT64_MAX;
    int32_t background = 0;

    for (int u = s->width - 1; u >= 0; u--) {
        const int64_t lands = (int64_t)u * DISPARITY_SCALE - truth[u];

        row->occluded[u] = lands < 0 ? 2 : leftmost <= lands - DISPARITY_SCALE ? 1 : 0;
        leftmost = lands < leftmost ? lands : leftmost;
    }
    for (int u = 0; u < s->width; u++) {
        if (row->occluded[u] == 0)
            background = truth[u];
        row->behind[u] = background;
    }
}

/* One pixel on its way through the sensor. */
struct pixel {
    int u, v;
    int own, value;          /* its true disparity, and the one that is matched, 1/256 px */
    double su, sv;           /* u, v in pixels of KITTI's frame */
    double fine, coarse;     /* smooth fields, 0..1 */
    double holes, threshold; /* where the first is below the second, nothing is matched */
    double weak;             /* how little texture there is */
    uint8_t surface;
    int is_edge, is_fat, is_occluded;
};

/* Sky: little to match; what is matched is low, or wild at the hard level. */
static int sense_sky(const struct scene *s, const struct pixel *p, uint32_t word,
                     uint16_t *disparity)
{
    const double field = 0.6 * noise2(s->lattice, p->su / 46.0 + 3.0, p->sv / 11.0) +
                         0.4 * noise2(s->lattice, p->su / 9.0, p->sv / 5.0 + 77.0);
    double px = 0.4 + 2.5 * p->fine;

    if (field <= hole[OPEN_SKY][s->level] - 0.12 ||
        word < 0x10000000u * (s->level == SCENE_HARD ? 6u : 1u))
        return 0;
    if (s->level != SCENE_EASY)
        px += 12.0 * p->coarse * p->coarse;
    if (s->level == SCENE_HARD && p->coarse > 0.6)
        px += 60.0 * noise2(s->lattice, p->su / 30.0, 0.7 * p->sv);
    *disparity = (uint16_t)(px * DISPARITY_SCALE);
    return 1;
}

/* A pixel near one of truth, three rows and 'grow' columns to each side, makes it an edge, or
 * part of a foreground that is fattened. */
static void look_around(const struct scene *s, int grow, struct pixel *p)
{
    const int first = p->u - grow < 0 ? 0 : p->u - grow,
              last = p->u + grow >= s->width ? s->width - 1 : p->u + grow;
    const int top = p->v > 0 ? p->v - 1 : 0,
              bottom = p->v + 1 < s->height ? p->v + 1 : s->height - 1;
    const int step = DISPARITY_SCALE + p->own / 16;
    int most = p->own, least = p->own;

    for (int v = top; v <= bottom; v++) {
        const uint16_t *row = s->plane->truth + (size_t)v * (size_t)s->width;

        for (int i = first; i <= last; i++) {
            most = row[i] > most ? row[i] : most;
            least = row[i] < least ? row[i] : least;
        }
    }
    p->is_edge = most - least > step;
    p->is_fat = most - p->own > step;
    if (p->is_fat)
        p->value = most;
}

static double hole_threshold(enum scene_level level, const struct pixel *p, int occluded)
{
    const int far_q8 = 20 * DISPARITY_SCALE;
    const double hidden = occluded == 2 ? border_hole[level] : occluded_hole[level];
    double threshold = hole[p->surface][level];

    if (p->own < far_q8)
        threshold += far_hole[level] * (double)(far_q8 - p->own) / (double)far_q8;
    if (p->is_edge && threshold < edge_hole[level])
        threshold = edge_hole[level];
    if (p->is_occluded && threshold < hidden)
        threshold = hidden;
    return threshold;
}

/* The error in pixels: white, correlated, along rows, and mirrored scenes behind glass. */
static double matching_error(const struct scene *s, const struct pixel *p)
{
    const double px = (double)p->value / DISPARITY_SCALE;
    const double sigma =
        sigma_px[s->level] * (0.8 + 4.0 / (px + 4.0)) * (p->is_edge ? 2.0 : 1.0);
    const double smooth =
        2.0 * noise2(s->lattice, p->su / 17.0 + 200.0, p->sv / 6.0 + 60.0) - 1.0;
    const double streak =
        2.0 * noise2(s->lattice, p->su / 55.0 + 0.37 * p->v, p->v + 19.0) - 1.0;
    double error = sigma * gauss(s->seed, p->u, p->v);

    error += smooth_px[s->level] * (1.0 + 5.0 / (px + 4.0)) * p->weak * smooth;
    error += streak_px[s->level] * p->weak * streak;
    if (p->surface == GLASS && p->coarse > 0.62)
        error -= (p->coarse - 0.62) * 0.6 * px * (s->level == SCENE_EASY ? 0.3 : 1.0);
    return error;
}

static uint8_t confidence_of(enum scene_level level, const struct pixel *p, double error,
                             uint32_t word)
{
    const double size = error < 0 ? -error : error;
    double doubt = 22.0 * p->weak + 160.0 * (sigma_px[level] + 0.2 * smooth_px[level]) +
                   60.0 * size / (1.0 + size);

    if (p->holes < p->threshold + 0.12)
        doubt += 90.0;
    if (p->is_edge)
        doubt += 45.0;
    if (p->is_fat)
        doubt += 40.0;
    if (p->is_occluded)
        doubt += 60.0;
    return (uint8_t)clamp(252.0 - doubt - (double)(word >> 28), 1.0, 255.0);
}

static void sense_row(const struct scene *s, struct scene_row *row, int v)
{
    static const double weakness[N_SURFACES] = {0.45, 1.0, 1.6, 0.45, 1.0};
    const double scale = s->camera.fx_px / KITTI_F_PX;
    const size_t offset = (size_t)v * (size_t)s->width;
    const double fatten = fatten_px[s->level] * (scale < 1.0 ? 1.0 : scale) + 0.5;
    const double reach = fatten < MAX_REACH ? (double)(int)fatten : MAX_REACH;
    uint16_t *disparity = s->plane->disparity + offset;
    uint8_t *confidence = s->plane->confidence + offset;
    const uint16_t *truth = s->plane->truth + offset;

    find_occlusions(s, truth, row);
    for (int u = 0; u < s->width; u++) {
        const struct bench_words words =
            bench_philox(s->seed, (uint32_t)u, (uint32_t)v, 0, STREAM_PIXEL);
        const double su = (double)u / scale, sv = (double)v / scale;
        struct pixel p = {.u = u,
                          .v = v,
                          .own = truth[u],
                          .value = truth[u],
                          .su = su,
                          .sv = sv,
                          .fine = noise2(s->lattice, su / 3.7, sv / 3.1 + 129.0),
                          .coarse = noise2(s->lattice, su / 13.0 + 31.0, sv / 9.0 + 5.0),
                          .surface = s->surfaces[offset + (size_t)u]};
        double error, q8;

        disparity[u] = DISPARITY_INVALID;
        confidence[u] = 0;
        look_around(s, (int)((0.25 + 0.9 * p.fine) * reach), &p);
        if (p.value == 0) {
            if (sense_sky(s, &p, words.word[0], &disparity[u]))
                confidence[u] = (uint8_t)(8 + (words.word[1] >> 27));
            continue;
        }
        p.holes = 0.6 * p.coarse + 0.4 * p.fine;
        p.weak = weakness[p.surface];
        p.is_occluded = row->occluded[u] != 0 && !p.is_fat;
        p.threshold = hole_threshold(s->level, &p, row->occluded[u]);
        if (p.holes < p.threshold || is_among(words.word[1], pepper[s->level]))
            continue;
        if (p.is_occluded && row->occluded[u] == 1 && row->behind[u] > 0 &&
            row->behind[u] < p.own)
            p.value = row->behind[u]; /* filled with what is seen to the left */
        error = matching_error(s, &p);
        q8 = (double)p.value + error * DISPARITY_SCALE + 0.5;
        if (is_among(words.word[2], wild[s->level]))
            q8 = (double)bench_below(words.word[3], 128u * DISPARITY_SCALE);
        if (q8 > (double)DISPARITY_MAX)
            q8 = DISPARITY_MAX;
        disparity[u] = q8 < 1.0 ? 1 : (uint16_t)q8;
        confidence[u] = confidence_of(s->level, &p, error, words.word[0]);
    }
}

/* Gross errors: ellipses of wrong disparity or of nothing, at most one per cell of a coarse
 * grid. */
static void paint_blobs(const struct scene *s)
{
    struct plane *plane = s->plane;
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
                (1.5 + blob_px[s->level] * 1.4 * (double)(b.word[0] >> 16) / 65536.0) * grown;
            const double rv =
                (1.0 + blob_px[s->level] * 0.6 * (double)(b.word[1] >> 16) / 65536.0) * grown;
            const int is_hole = (b.word[2] & 3u) == 0;
            int centre, base, is_ground;
            size_t middle;

            if (mid_u >= s->width || mid_v >= s->height)
                continue;
            middle = (size_t)mid_v * (size_t)s->width + (size_t)mid_u;
            is_ground = plane->truth_class[middle] <= SIDEWALK;
            if (!is_among(a.word[0], blob[s->level] * (is_ground ? 0.25 : 1.0)))
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

/* Square pixels; a tall frame looks closer. */
static struct camera camera_for(int width, int height)
{
    const double by_width = width / KITTI_WIDTH, by_height = height / TALLEST_PX;
    const double scale = by_width > by_height ? by_width : by_height;

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

static enum bench_status begin_plane(const char *name, int width, int height, uint64_t seed,
                                     struct plane *plane)
{
    memset(plane, 0, sizeof *plane);
    TRY(plane_alloc(plane, width, height));
    snprintf(plane->name, sizeof plane->name, "%s-%" PRIu64, name, seed);
    return BENCH_OK;
}

/* Rows are made side by side, each thread in a 'room' of its own; what is sensed of a row takes
 * all that was cast. */
static void make_frame(struct scene *s, int steep, struct scene_row *room, int n_threads)
{
    scene_fill_lattice(s->seed, STREAM_LATTICE, s->lattice);
    scene_lay_out(s, steep);
    scene_finish_solids(s);
#pragma omp parallel num_threads(n_threads)
    {
        struct scene_row *const row = &room[omp_get_thread_num()];

#pragma omp for schedule(dynamic, 8)
        for (int v = 0; v < s->height; v++)
            scene_cast_row(s, row, v);
#pragma omp for schedule(dynamic, 8)
        for (int v = 0; v < s->height; v++)
            sense_row(s, row, v);
    }
    paint_blobs(s);
}

enum bench_status scene_make(const struct scene_options *options, struct plane *plane)
{
    const int level = (int)options->level, width = options->width, height = options->height;
    const int n_threads = omp_get_max_threads();
    enum bench_status status = BENCH_OK;
    struct scene_row *room;
    struct scene *s;
    size_t n;

    memset(plane, 0, sizeof *plane);
    REFUSE_IF(level < SCENE_EASY || level > SCENE_HARD,
              "scene level %d, expected 0 (easy), 1 (normal) or 2 (hard)", level);
    TRY(begin_plane("scene", width, height, options->seed, plane));
    plane->camera = camera_for(width, height);

    n = (size_t)width * (size_t)height;
    plane->truth = malloc(n * sizeof *plane->truth);
    plane->truth_class = malloc(n);
    plane->confidence = malloc(n);
    room = malloc((size_t)n_threads * sizeof *room);
    s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->seed = options->seed;
        s->level = options->level;
        s->width = width;
        s->height = height;
        s->camera = plane->camera;
        s->plane = plane;
        s->surfaces = malloc(n);
    }
    if (plane->truth && plane->truth_class && plane->confidence && s && s->surfaces && room)
        make_frame(s, options->steep != 0, room, n_threads);
    else
        status =
            BENCH_FAIL(BENCH_ENOMEM, "no memory for a scene of %d x %d pixels", width, height);
    free(s ? s->surfaces : NULL);
    free(s);
    free(room);
    if (status != BENCH_OK)
        plane_free(plane);
    return status;
}

enum bench_status noise_make(int width, int height, uint64_t seed, int most_px,
                             struct plane *plane)
{
    TRY(begin_plane("noise", width, height, seed, plane));
    plane->camera = camera_for(width, height);
    for (int v = 0; v < height; v++) {
        uint16_t *row = plane->disparity + (size_t)v * (size_t)width;

        for (int u = 0; u < width; u++) {
            const struct bench_words p =
                bench_philox(seed, (uint32_t)u >> 2, (uint32_t)v, 0, STREAM_NOISE);

            row[u] =
                (uint16_t)bench_below(p.word[u & 3], (uint32_t)most_px * DISPARITY_SCALE + 1);
        }
    }
    return BENCH_OK;
}
