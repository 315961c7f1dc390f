/*
 * stixels_oracle.h - inputs of stixels, and a dynamic programming that takes nothing from the implementations: sums row by row in
 * long double, no tables.  A program that includes it says what stixels and steps between them cost.
 */
#ifndef TESTS_STIXELS_ORACLE_H
#define TESTS_STIXELS_ORACLE_H

#include "harness/base/random.h"
#include "harness/problems/stixels/stixels.h"
#include "tests/drive.h"

#include <math.h>
#include <stdio.h>

#define X           STIXELS_INVALID
#define PX          256    /* one pixel of disparity */
#define NAT         1024.0 /* of the integers that energies are in */
#define ORACLE_ROWS 64     /* the longest column that the dynamic programming takes */
#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

enum {
    OB = STIXELS_OBJECT,
    GR = STIXELS_GROUND,
    SK = STIXELS_SKY,
    N_GEO = STIXELS_N_GEOMETRIES
};

typedef long double real;

static inline uint32_t draw(uint64_t seed, uint32_t i, uint32_t j, uint32_t n)
{
    return bench_below(bench_philox(seed, i, j, 0, 0).word[0], n);
}

/* In [low, high). */
static inline double between(uint64_t seed, uint32_t i, double low, double high)
{
    return low + (high - low) * (bench_philox(seed, i, 99, 0, 0).word[1] / 4294967296.0);
}

static inline void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.9g, expected %.9g within %g", found, expected, tolerance);
}

/* ---- inputs and outputs ---- */

/* Nothing measured, all classes as likely. */
static inline struct stixels_input *new_input(int n_frames, int n_rows, int n_cols,
                                              int block_rows, int block_cols, int n_classes)
{
    struct stixels_input *in;
    size_t n;

    if (stixels_input_new(n_frames, n_rows * block_rows, n_cols * block_cols, block_rows,
                          block_cols, n_classes, 0, 0, &in) != BENCH_OK)
        fail_msg("%s", bench_failure());
    n = (size_t)in->n_frames * (size_t)in->height * (size_t)in->width;
    for (size_t i = 0; i < n; i++) {
        in->disparity[i] = X;
        in->confidence[i] = 255;
    }
    for (size_t i = 0; i < n * (size_t)n_classes; i++)
        in->probability[i] = (uint16_t)(65535 / n_classes);
    return in;
}

/* Index of the pixel (y, x) of the block of row v and column u. */
static inline size_t pixel(const struct stixels_input *in, int frame, int u, int v, int y,
                           int x)
{
    const int row = (in->n_rows - 1 - v) * in->block_rows + y;

    return ((size_t)frame * (size_t)in->height + (size_t)row) * (size_t)in->width +
           (size_t)(u * in->block_cols + x);
}

static inline void set_block(const struct stixels_input *in, int frame, int u, int v,
                             uint16_t disparity, uint8_t confidence)
{
    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++) {
            in->disparity[pixel(in, frame, u, v, y, x)] = disparity;
            in->confidence[pixel(in, frame, u, v, y, x)] = confidence;
        }
}

static inline void set_probability(const struct stixels_input *in, int frame, int k, int u,
                                   int v, int probability)
{
    const size_t plane = (size_t)in->height * (size_t)in->width;
    const size_t skip = (size_t)frame * (size_t)(in->n_classes - 1) * plane + (size_t)k * plane;

    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++)
            in->probability[skip + pixel(in, frame, u, v, y, x)] = (uint16_t)probability;
}

static inline struct stixels_output guarded_output(const struct stixels_input *in)
{
    const size_t n_columns = (size_t)(in->n_frames * in->n_cols);

    return (struct stixels_output){
        .n_frames = in->n_frames,
        .n_cols = in->n_cols,
        .n_rows = in->n_rows,
        .first = guarded((n_columns + 1) * sizeof(int32_t)),
        .list = guarded(n_columns * (size_t)in->n_rows * sizeof(struct stixel))};
}

static inline struct stixel *column_at(const struct stixels_output *out, int c, int *n)
{
    *n = out->first[c + 1] - out->first[c];
    return &out->list[out->first[c]];
}

static inline double energy_of(const struct stixels_output *out, int c)
{
    double energy = 0;

    for (int i = out->first[c]; i < out->first[c + 1]; i++)
        energy += (double)out->list[i].cost;
    return energy;
}

/* "G3 O2 S4": how many rows each stixel of a column has, from the bottom; "O2/7": their class. */
static inline const char *column_text(const struct stixels_output *out, int c)
{
    static char text[512];
    int n_used = 0, n, next = 0;
    const struct stixel *const s = column_at(out, c, &n);

    text[0] = '\0';
    for (int i = 0; i < n && n_used < (int)sizeof text - 24; i++) {
        n_used += snprintf(text + n_used, sizeof text - (size_t)n_used, "%s%c%d", i ? " " : "",
                           s[i].geometry < N_GEO ? "OGS"[s[i].geometry] : '?',
                           s[i].v_bottom == next ? s[i].v_top + 1 - next : -1);
        if (s[i].semantic != STIXELS_NO_CLASS)
            n_used +=
                snprintf(text + n_used, sizeof text - (size_t)n_used, "/%d", s[i].semantic);
        next = s[i].v_top + 1;
    }
    return text;
}

static inline void assert_column(const char *what, const struct stixels_output *out, int c,
                                 const char *expected)
{
    if (strcmp(column_text(out, c), expected) != 0)
        fail_msg("%s, column %d: %s, expected %s", what, c, column_text(out, c), expected);
}

/* ---- the oracle ---- */

/* A column and its model; 'model': road, classes and linear steps. */
struct oracle {
    const struct stixels_model *model;
    const struct world *world; /* of test_stixels_general.c */
    int n_rows, n_classes, horizon, pfeiffer, top_down;
    real lam_a, lam_b;
    real near; /* two energies that are no farther apart may be equal */
    struct {
        int valid;
        real w, px; /* 0..1; px */
    } cell[STIXELS_MAX_ROWS];
    real class_cost[STIXELS_MAX_CLASSES][STIXELS_MAX_ROWS]; /* nat */
};

struct fit {
    real a, b;
    int semantic;
    int half; /* a plane that is rounded is as near to one whole disparity as to another */
};

/* The program's: what rows v_b .. v_t cost as one stixel, and what it costs that one begins on another at row k (-1: it may not). */
static real oracle_own(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit);
static real oracle_step(const struct oracle *o, int lower, int upper, int k, real d_lower,
                        real d_upper);

/* [STX] eq. 11: the plane of least energy, from the normal equations in a and b. */
static inline void oracle_plane(const struct oracle *o, int g, int v_b, int v_t,
                                struct fit *fit)
{
    const real mu_a = (real)o->model->mu_a, mu_b = (real)o->model->mu_b;
    real s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;

    *fit = (struct fit){0};
    for (int v = v_b; v <= v_t; v++) {
        const real w = o->cell[v].w, px = o->cell[v].px;

        s0 += w;
        s1 += w * v;
        s2 += w * v * v;
        t0 += w * px;
        t1 += w * px * v;
    }
    if (g == OB && s0 > 0)
        fit->a = t0 / s0;
    if (g == GR) {
        const real a0 = s0 + o->lam_a, a2 = s2 + o->lam_b;
        const real r0 = t0 + o->lam_a * mu_a, r1 = t1 + o->lam_b * mu_b;
        const real determinant = a0 * a2 - s1 * s1;

        if (determinant > 1e-6L) {
            fit->a = (a2 * r0 - s1 * r1) / determinant;
            fit->b = (a0 * r1 - s1 * r0) / determinant;
        } else { /* the expected slope, through what there is */
            fit->b = mu_b;
            fit->a = a0 > 0 ? (r0 - mu_b * s1) / a0 : mu_a;
        }
    }
}

/* What is left over of the measurements, and the prior of a ground: eq. 12 and 7, times sigma^2. */
static inline real oracle_squares(const struct oracle *o, int g, int v_b, int v_t,
                                  const struct fit *fit)
{
    const real da = fit->a - (real)o->model->mu_a, db = fit->b - (real)o->model->mu_b;
    real sum = g == GR ? o->lam_a * da * da + o->lam_b * db * db : 0;

    for (int v = v_b; v <= v_t; v++) {
        const real r = o->cell[v].px - (fit->b * v + fit->a);

        sum += o->cell[v].w * r * r;
    }
    return sum;
}

/* The likeliest class of a geometry and what it costs; 0 where there is none. */
static inline real oracle_class(const struct oracle *o, int g, int v_b, int v_t, int *class)
{
    real least = 0;

    *class = STIXELS_NO_CLASS;
    for (int k = 0; k < o->n_classes; k++) {
        real sum = 0;

        if (o->model->geometry_of[k] != g)
            continue;
        for (int v = v_b; v <= v_t; v++)
            sum += o->class_cost[k][v];
        if (*class == STIXELS_NO_CLASS || sum < least) {
            least = sum;
            *class = k;
        }
    }
    return least;
}

static inline int oracle_may_be(const struct oracle *o, int g, int v_b, int v_t)
{
    if (g == GR)
        return v_t <= o->horizon && (o->pfeiffer || v_t < o->n_rows - 1);
    return g == OB || (v_b > o->horizon && !(o->pfeiffer && v_b == 0));
}

/* Between neighbours under linear priors, from their disparities on either side of the border. */
static inline real oracle_linear(const struct stixels_model *m, int lower, int upper,
                                 real d_lower, real d_upper)
{
    const real apart = fabsl(d_lower - d_upper);
    const int nearer = d_lower<d_upper, farther = d_lower> d_upper;

    switch (10 * lower + upper) {
    case 10 * GR + GR:
        return farther || nearer ? (real)m->gap_alpha + (real)m->gap_beta * apart : 0;
    case 10 * GR + OB:
        return farther  ? (real)m->behind_alpha + (real)m->behind_beta * apart
               : nearer ? (real)m->hovering_alpha + (real)m->hovering_beta * apart
                        : 0;
    case 10 * OB + OB:
        return nearer ? (real)m->ordering_alpha + (real)m->ordering_beta * apart : 0;
    case 10 * OB + GR:
        return nearer ? -1 : 0;
    case 10 * OB + SK:
    case 10 * SK + OB:
        return 0;
    default:
        return -1;
    }
}

/* ---- [STX] eq. 8 and 9, every energy from scratch ---- */

/* The best segmentation of the rows on one side that ends at a row in a geometry. */
struct node {
    int possible, end, beyond; /* the stixel's other end, and the geometry next to it */
    real cost;
    struct fit fit;
};

struct naive {
    struct node node[ORACLE_ROWS][N_GEO];
    int tie; /* two candidates were as good as equal: rounding may decide */
};

static inline void naive_keep(const struct oracle *o, struct naive *naive, struct node *best,
                              const struct node *candidate)
{
    if (best->possible && fabsl(candidate->cost - best->cost) < o->near)
        naive->tie = 1;
    if (!best->possible || candidate->cost < best->cost)
        *best = *candidate;
}

static inline void naive_try(const struct oracle *o, struct naive *naive, int g, int v_b,
                             int v_t)
{
    const int down = o->top_down, next = down ? v_t + 1 : v_b - 1, k = down ? v_t + 1 : v_b;
    struct node *const best = &naive->node[down ? v_b : v_t][g];
    struct node candidate = {.possible = 1, .end = down ? v_t : v_b, .beyond = N_GEO};
    const real own = oracle_own(o, g, v_b, v_t, &candidate.fit);

    naive->tie |= g == OB && candidate.fit.half;
    candidate.cost = own;
    if (next < 0 || next >= o->n_rows) {
        naive_keep(o, naive, best, &candidate);
        return;
    }
    for (int other = 0; other < N_GEO; other++) {
        const struct node *const n = &naive->node[next][other];
        const struct fit *const low = down ? &candidate.fit : &n->fit;
        const struct fit *const high = down ? &n->fit : &candidate.fit;
        const real step = oracle_step(o, down ? g : other, down ? other : g, k,
                                      low->b * (k - 1) + low->a, high->b * k + high->a);

        if (!n->possible || step < 0)
            continue;
        candidate.cost = own + step + n->cost;
        candidate.beyond = other;
        naive_keep(o, naive, best, &candidate);
    }
}

/* The column's stixels from the bottom; returns how many. */
static inline int naive_solve(const struct oracle *o, struct naive *naive, struct stixel *list,
                              real *energy)
{
    const int n = o->n_rows, down = o->top_down;
    int slot = down ? 0 : n - 1, g = OB, n_found = 0;
    struct stixel found[ORACLE_ROWS];
    struct node best;

    memset(naive, 0, sizeof *naive);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const int v_b = down ? n - 1 - i : j, v_t = down ? n - 1 - j : i;

            for (int k = 0; k < N_GEO; k++)
                if (oracle_may_be(o, k, v_b, v_t))
                    naive_try(o, naive, k, v_b, v_t);
        }
    best = naive->node[slot][OB];
    for (int other = GR; other < N_GEO; other++) {
        const struct node *const node = &naive->node[slot][other];

        if (node->possible && node->cost < best.cost)
            g = other;
        if (node->possible)
            naive_keep(o, naive, &best, node);
    }
    *energy = best.cost;
    for (;;) {
        const struct node *const node = &naive->node[slot][g];

        found[n_found++] = (struct stixel){.v_bottom = (uint16_t)(down ? slot : node->end),
                                           .v_top = (uint16_t)(down ? node->end : slot),
                                           .geometry = (uint8_t)g,
                                           .semantic = (uint8_t)node->fit.semantic,
                                           .a = (float)node->fit.a,
                                           .b = (float)node->fit.b};
        if (node->beyond == N_GEO)
            break;
        g = node->beyond;
        slot = node->end + (down ? 1 : -1);
    }
    for (int i = 0; i < n_found; i++)
        list[i] = found[down ? i : n_found - 1 - i];
    return n_found;
}

/* 1: a column is cut as the oracle's, with its planes and energy; 0: another one, since two segmentations are as good as equal. */
static inline int agrees_with_naive(const char *what, const struct oracle *o,
                                    const struct stixels_output *out, int c, real tolerance)
{
    struct naive *naive = malloc(sizeof *naive);
    int n, first[2] = {0}, same, tie;
    struct stixel list[ORACLE_ROWS];
    const struct stixels_output expected = {.first = first, .list = list};
    const struct stixel *const f = column_at(out, c, &n);
    char text[512];
    real energy;

    assert_non_null(naive);
    assert_true(o->n_rows <= ORACLE_ROWS);
    first[1] = naive_solve(o, naive, list, &energy);
    tie = naive->tie;
    free(naive);
    snprintf(text, sizeof text, "%s", column_text(&expected, 0));
    same = !strcmp(text, column_text(out, c));
    if (!same && !tie)
        fail_msg("%s, column %d: %s, expected %s", what, c, column_text(out, c), text);
    for (int i = 0; i < (tie ? 0 : n); i++) {
        const float ends[] = {f[i].v_bottom, f[i].v_top};

        for (int k = 0; k < 2; k++)
            assert_near((double)(f[i].b * ends[k] + f[i].a),
                        (double)(list[i].b * ends[k] + list[i].a), 2e-3);
    }
    if (!tie)
        assert_near(energy_of(out, c), (double)energy,
                    (double)(tolerance + 1e-6L * fabsl(energy)));
    return same;
}

/* ---- all segmentations that there are ---- */

struct every {
    const struct oracle *o;
    real own[8][8][N_GEO], least;
    struct fit fit[8][8][N_GEO];
    int n_segmentations;
    int n_forbidden; /* a ground on an object that is farther away */
};

static inline void try_every(struct every *e, int v_b, int below, const struct fit *lower,
                             real energy)
{
    if (v_b == e->o->n_rows) {
        e->n_segmentations++;
        e->least = fminl(e->least, energy);
        return;
    }
    for (int v_t = v_b; v_t < e->o->n_rows; v_t++)
        for (int g = 0; g < N_GEO; g++) {
            const struct fit *const fit = &e->fit[v_b][v_t][g];
            real step = 0;

            if (!oracle_may_be(e->o, g, v_b, v_t))
                continue;
            if (v_b > 0)
                step = oracle_step(e->o, below, g, v_b, lower->b * (v_b - 1) + lower->a,
                                   fit->b * v_b + fit->a);
            e->n_forbidden += step < 0 && below == OB && g == GR;
            if (step >= 0)
                try_every(e, v_t + 1, g, fit, energy + e->own[v_b][v_t][g] + step);
        }
}

/* The least energy; counts go on. */
static inline double least_of_all(struct every *e, const struct oracle *o)
{
    e->o = o;
    e->least = HUGE_VALL;
    for (int v_b = 0; v_b < o->n_rows; v_b++)
        for (int v_t = v_b; v_t < o->n_rows; v_t++)
            for (int g = 0; g < N_GEO; g++)
                e->own[v_b][v_t][g] = oracle_own(o, g, v_b, v_t, &e->fit[v_b][v_t][g]);
    try_every(e, 0, N_GEO, NULL, 0);
    return (double)e->least;
}

#endif
