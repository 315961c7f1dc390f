/*
 * test_stixels.c - every variant of stixels against a definition written down once more, and the problem's own functions
 *
 * The oracle below takes nothing from the implementations and nothing from stixels/fit.h: pixels to blocks by plain
 * sums, planes from the normal equations about row 0, energies row by row in long double.  (A row's cost under eq. 6 and
 * a probability's come from stixels/model.h, whose rounding decides the last 1/1024 nat; test_stixels_model.c holds them
 * against libm.)  It tries all segmentations that there are of short columns, solves longer ones by a dynamic programming
 * without tables, and evaluates lists that others found.  The cases are run by all variants that the registry lists.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/problems/stixels/stixels.h"
#include "harness/problems/stixels/energy.h"
#include "harness/problems/stixels/float.h"
#include "harness/base/random.h"
#include "harness/inputs/plane.h"
#include "tests/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X           STIXELS_INVALID
#define PX          256    /* one pixel of disparity */
#define UNIT        1024.0 /* one nat */
#define ALL_ROWS    64     /* the longest column that the naive dynamic programming takes */
#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

enum {
    OB = STIXELS_OBJECT,
    GR = STIXELS_GROUND,
    SK = STIXELS_SKY,
    N_GEO = STIXELS_N_GEOMETRIES
};

typedef long double real;

static uint32_t draw(uint64_t seed, uint32_t i, uint32_t j, uint32_t n)
{
    return bench_below(bench_philox(seed, i, j, 0, 0).word[0], n);
}

/* In [low, high). */
static double between(uint64_t seed, uint32_t i, double low, double high)
{
    return low + (high - low) * (bench_philox(seed, i, 99, 0, 0).word[1] / 4294967296.0);
}

/* ---- the oracle ---- */

enum fault {
    FAULT_NONE,
    FAULT_LAST_ROW,    /* the column ends one row early */
    FAULT_SHIFTED,     /* rows are read one too high */
    FAULT_LAST_COLUMN, /* the loop over the columns ends one column early */
    FAULT_LAST_CUT,    /* the last v_b among equals */
    FAULT_LAST_CLASS,  /* the last class among equals */
    FAULT_TRANSITION,  /* neighbours cost nothing */
    FAULT_LOWER_END,   /* the disparity below is read at that stixel's bottom */
    FAULT_INVALID,     /* a row without a disparity takes part as 0 px */
    FAULT_PER_STIXEL   /* beta_mc is forgotten for the first stixel */
};

/* One row of a column of blocks. */
struct cell {
    int valid;
    real w, px; /* 0..1; px */
};

struct oracle {
    const struct stixels_model *model;
    int n_rows, n_classes;
    enum fault fault;
    struct cell cell[STIXELS_MAX_ROWS];
    int32_t class_cost[STIXELS_MAX_CLASSES][STIXELS_MAX_ROWS];
};

struct fit {
    real a, b;
    int semantic;
};

static uint32_t half_up(uint64_t sum, uint64_t n)
{
    return (uint32_t)(sum / n + (sum % n + sum % n >= n));
}

static void oracle_load_block(struct oracle *o, const struct stixels_input *in, int frame,
                              int u, int v)
{
    const size_t width = (size_t)in->width, plane = (size_t)in->height * width;
    const int n = in->block_rows * in->block_cols;
    const int top = (in->n_rows - 1 - v) * in->block_rows;
    uint64_t sum = 0, sure = 0, likely[STIXELS_MAX_CLASSES] = {0};
    int n_valid = 0;

    for (int r = top; r < top + in->block_rows; r++)
        for (int x = u * in->block_cols; x < (u + 1) * in->block_cols; x++) {
            const size_t at = (size_t)r * width + (size_t)x, i = (size_t)frame * plane + at;

            if (in->disparity[i] != X && in->confidence[i] != 0) {
                sum += in->disparity[i];
                sure += in->confidence[i];
                n_valid++;
            }
            for (int k = 0; k < in->n_classes; k++)
                likely[k] +=
                    in->probability[((size_t)frame * (size_t)in->n_classes + (size_t)k) *
                                        plane +
                                    at];
        }
    o->cell[v] = (struct cell){0};
    if (n_valid >= n - n_valid) {
        const real c = (real)half_up(sure, (uint64_t)n) / 255;

        o->cell[v].valid = 1;
        o->cell[v].px = (real)half_up(sum, (uint64_t)n_valid) / PX;
        o->cell[v].w = o->model->weight_squared ? c * c : c;
    } else if (o->fault == FAULT_INVALID) {
        o->cell[v] = (struct cell){1, 1, 0};
    }
    for (int k = 0; k < in->n_classes; k++)
        o->class_cost[k][v] = stixels_semantic_cost(half_up(likely[k], (uint64_t)n));
}

static void oracle_load(struct oracle *o, const struct stixels_input *in, int frame, int u,
                        enum fault fault)
{
    o->model = &in->model[frame];
    o->n_rows = in->n_rows;
    o->n_classes = in->n_classes;
    o->fault = fault;
    for (int v = 0; v < in->n_rows; v++)
        oracle_load_block(o, in, frame, u, v);
    if (fault == FAULT_SHIFTED)
        for (int v = 0; v + 1 < in->n_rows; v++)
            o->cell[v] = o->cell[v + 1];
}

/* [STX] eq. 11: the plane of least energy, from the normal equations in a and b. */
static void oracle_plane(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_model *const m = o->model;
    real s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;

    fit->a = fit->b = 0;
    for (int v = v_b; v <= v_t; v++) {
        const struct cell *const c = &o->cell[v];

        s0 += c->w;
        s1 += c->w * v;
        s2 += c->w * v * v;
        t0 += c->w * c->px;
        t1 += c->w * c->px * v;
    }
    if (g == OB && s0 > 0)
        fit->a = t0 / s0;
    if (g == GR) {
        const real mu_a = (real)m->mu_a, mu_b = (real)m->mu_b, lam_a = (real)m->lam_a,
                   lam_b = (real)m->lam_b;
        const real a0 = s0 + lam_a, a2 = s2 + lam_b, r0 = t0 + lam_a * mu_a,
                   r1 = t1 + lam_b * mu_b;
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

/* [STX] eq. 2-4, 6, 7, 12: what a stixel costs by itself. */
static real oracle_own(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_model *const m = o->model;
    const real sigma2 = (real)m->sigma[g] * (real)m->sigma[g];
    real energy = (real)m->plane[g] + (real)m->beta_mc;
    int64_t least = 0;

    oracle_plane(o, g, v_b, v_t, fit);
    if (g == GR) {
        const real da = fit->a - (real)m->mu_a, db = fit->b - (real)m->mu_b;

        energy += ((real)m->lam_a * da * da + (real)m->lam_b * db * db) / sigma2;
    }
    for (int v = v_b; v <= v_t; v++) {
        const struct cell *const c = &o->cell[v];
        const real r = c->px - (fit->b * v + fit->a), r2 = c->w * r * r / sigma2;

        if (!c->valid)
            energy += (real)m->k_invalid[g] / 1024;
        else if (m->data_term == STIXELS_E12)
            energy += (real)m->k_valid[g] / 1024 + r2;
        else
            energy += (real)(m->k_valid[g] + stixels_row_cost(m, g, (double)r2)) / 1024;
    }
    fit->semantic = STIXELS_NO_CLASS;
    for (int k = 0; k < o->n_classes; k++) {
        int64_t sum = 0;

        if (m->geometry_of[k] != g)
            continue;
        for (int v = v_b; v <= v_t; v++)
            sum += o->class_cost[k][v];
        if (fit->semantic == STIXELS_NO_CLASS || sum < least ||
            (sum == least && o->fault == FAULT_LAST_CLASS)) {
            least = sum;
            fit->semantic = k;
        }
    }
    return energy + (real)m->weight_semantic * (real)least / 1024;
}

/* May rows v_b .. v_t be of geometry g? */
static int oracle_may_be(const struct oracle *o, int g, int v_b, int v_t)
{
    const int horizon = o->model->horizon;

    return g == OB || (g == GR && v_t <= horizon && v_t != o->n_rows - 1) ||
           (g == SK && v_b > horizon);
}

/* What neighbours cost, or -1: impossible.  'd_lower' and 'd_upper' on either side of their border. */
static real oracle_transition(const struct oracle *o, int lower, int upper, real d_lower,
                              real d_upper)
{
    const struct stixels_model *const m = o->model;
    const real apart = fabsl(d_lower - d_upper);
    const int nearer = d_lower < d_upper;
    const int farther = d_lower > d_upper;

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

/* The best segmentation of the rows below that ends in a geometry. */
struct node {
    int possible, v_b, below;
    real cost;
    struct fit fit;
};

struct naive {
    struct node node[ALL_ROWS][N_GEO];
    int tie; /* two candidates were as good as equal: rounding may have decided */
};

static int near_tie(const struct oracle *o, real x, real y)
{
    return fabsl(x - y) < (o->model->data_term == STIXELS_E12 ? 1e-8L : 5e-3L);
}

/* Put the stixel v_b .. k of geometry g on whatever is best below it. */
static void oracle_try(const struct oracle *o, struct naive *naive, int g, int v_b, int k)
{
    struct node *const best = &naive->node[k][g];
    struct fit fit;
    const real own = oracle_own(o, g, v_b, k, &fit);

    for (int below = 0; below < (v_b > 0 ? N_GEO : 1); below++) {
        const struct node *const b = v_b > 0 ? &naive->node[v_b - 1][below] : NULL;
        real cost = own;

        if (b) {
            const int end = o->fault == FAULT_LOWER_END ? b->v_b : v_b - 1;
            const real step =
                oracle_transition(o, below, g, b->fit.b * end + b->fit.a, fit.b * v_b + fit.a);

            if (!b->possible || step < 0)
                continue;
            cost += b->cost + (o->fault == FAULT_TRANSITION ? 0 : step);
        } else if (o->fault == FAULT_PER_STIXEL) {
            cost -= (real)o->model->beta_mc;
        }
        if (best->possible && near_tie(o, cost, best->cost))
            naive->tie = 1;
        if (!best->possible || cost < best->cost ||
            (cost == best->cost && o->fault == FAULT_LAST_CUT))
            *best = (struct node){1, v_b, b ? below : N_GEO, cost, fit};
    }
}

/* [STX] eq. 8 and 9 as stixels.h orders them, every energy from scratch. */
static void oracle_solve(const struct oracle *o, struct naive *naive)
{
    memset(naive, 0, sizeof *naive);
    for (int k = 0; k < o->n_rows; k++)
        for (int v_b = 0; v_b <= k; v_b++)
            for (int g = 0; g < N_GEO; g++)
                if (oracle_may_be(o, g, v_b, k))
                    oracle_try(o, naive, g, v_b, k);
}

/* The geometry that is best on top. */
static int oracle_top(const struct oracle *o, struct naive *naive, int v_t)
{
    const struct node *const node = naive->node[v_t];
    int g = OB;

    for (int other = GR; other < N_GEO; other++) {
        if (node[other].possible && near_tie(o, node[other].cost, node[g].cost))
            naive->tie = 1;
        if (node[other].possible && node[other].cost < node[g].cost)
            g = other;
    }
    return g;
}

/* Append a column's stixels to 'list'; returns how many. */
static int oracle_list(const struct oracle *o, struct naive *naive, struct stixel *list)
{
    struct stixel down[ALL_ROWS];
    int v_t = o->n_rows - 1 - (o->fault == FAULT_LAST_ROW && o->n_rows > 1), n = 0;
    int g = oracle_top(o, naive, v_t);

    for (;;) {
        const struct node *const node = &naive->node[v_t][g];
        const real below = node->v_b > 0 ? naive->node[node->v_b - 1][node->below].cost : 0;

        down[n++] = (struct stixel){.v_bottom = (uint16_t)node->v_b,
                                    .v_top = (uint16_t)v_t,
                                    .geometry = (uint8_t)g,
                                    .semantic = (uint8_t)node->fit.semantic,
                                    .a = (float)node->fit.a,
                                    .b = (float)node->fit.b,
                                    .cost = (float)(node->cost - below)};
        if (node->v_b == 0)
            break;
        g = node->below;
        v_t = node->v_b - 1;
    }
    for (int i = 0; i < n; i++)
        list[i] = down[n - 1 - i];
    return n;
}

/* ---- outputs with a guard behind each array ---- */

static size_t n_columns_of(const struct stixels_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_cols;
}

static size_t first_bytes(const struct stixels_output *out)
{
    return (n_columns_of(out) + 1) * sizeof *out->first;
}

static size_t list_bytes(const struct stixels_output *out)
{
    return n_columns_of(out) * (size_t)out->n_rows * sizeof *out->list;
}

static struct stixels_output guarded_output(const struct stixels_input *in)
{
    struct stixels_output out = {
        .n_frames = in->n_frames, .n_cols = in->n_cols, .n_rows = in->n_rows};

    out.first = guarded(first_bytes(&out));
    out.list = guarded(list_bytes(&out));
    return out;
}

/* The oracle as a whole variant; its columns have at most ALL_ROWS rows.  Returns how many columns hang on a tie. */
static int oracle_run(const struct stixels_input *in, struct stixels_output *out,
                      enum fault fault)
{
    struct oracle *o = malloc(sizeof *o);
    struct naive *naive = malloc(sizeof *naive);
    const int n_columns = in->n_frames * in->n_cols;
    int32_t n = 0, n_ties = 0;

    assert_non_null(o);
    assert_non_null(naive);
    assert_true(in->n_rows <= ALL_ROWS);
    memset(out->list, 0, list_bytes(out));
    for (int c = 0; c < n_columns; c++) {
        out->first[c] = n;
        if (fault == FAULT_LAST_COLUMN && c == n_columns - 1)
            break;
        oracle_load(o, in, c / in->n_cols, c % in->n_cols, fault);
        oracle_solve(o, naive);
        n += oracle_list(o, naive, out->list + n);
        n_ties += naive->tie;
    }
    out->first[n_columns] = n;
    free(o);
    free(naive);
    return n_ties;
}

/* ---- what must hold of any output ---- */

/* Whole columns, bottom to top, without a gap; nothing behind them. */
static void check_structure(const char *what, const struct stixels_input *in,
                            const struct stixels_output *out)
{
    static const struct stixel zero = {0};
    const int n_columns = in->n_frames * in->n_cols;

    if (out->first[0] != 0)
        fail_msg("%s: the list begins at %d", what, out->first[0]);
    for (int c = 0; c < n_columns; c++) {
        const struct stixels_model *const m = &in->model[c / in->n_cols];
        int next = 0;

        if (out->first[c + 1] <= out->first[c] ||
            out->first[c + 1] - out->first[c] > in->n_rows)
            fail_msg("%s, column %d: %d to %d", what, c, out->first[c], out->first[c + 1]);
        for (int i = out->first[c]; i < out->first[c + 1]; i++) {
            const struct stixel *const s = &out->list[i];

            if (s->v_bottom != next || s->v_top < s->v_bottom || s->v_top >= in->n_rows ||
                s->reserved != 0 || s->geometry >= N_GEO)
                fail_msg("%s, column %d: rows %d..%d after row %d, geometry %d, reserved %d",
                         what, c, s->v_bottom, s->v_top, next - 1, s->geometry, s->reserved);
            if (!isfinite(s->a) || !isfinite(s->b) || !isfinite(s->cost) ||
                (s->geometry != GR && s->b != 0) || (s->geometry == SK && s->a != 0))
                fail_msg("%s, column %d: geometry %d has the plane %g %+g v, cost %g", what, c,
                         s->geometry, (double)s->a, (double)s->b, (double)s->cost);
            if ((s->geometry == GR && (s->v_top > m->horizon || s->v_top == in->n_rows - 1)) ||
                (s->geometry == SK && s->v_bottom <= m->horizon))
                fail_msg("%s, column %d: geometry %d on rows %d..%d, the horizon is row %d",
                         what, c, s->geometry, s->v_bottom, s->v_top, m->horizon);
            if (s->semantic == STIXELS_NO_CLASS) {
                for (int k = 0; k < in->n_classes; k++)
                    if (m->geometry_of[k] == s->geometry)
                        fail_msg("%s, column %d: no class", what, c);
            } else if (s->semantic >= in->n_classes ||
                       m->geometry_of[s->semantic] != s->geometry) {
                fail_msg("%s, column %d: class %d of geometry %d", what, c, s->semantic,
                         s->geometry);
            }
            next = s->v_top + 1;
        }
        if (next != in->n_rows)
            fail_msg("%s, column %d: ends at row %d of %d", what, c, next - 1, in->n_rows);
    }
    for (size_t i = (size_t)out->first[n_columns]; i < list_bytes(out) / sizeof *out->list; i++)
        if (memcmp(&out->list[i], &zero, sizeof zero) != 0)
            fail_msg("%s: stixel %zu is none and not 0", what, i);
}

/* 'cost' is 'own' and one of the transitions that the step may mean: a rounding error makes it more or less than 0. */
static int cost_fits(const struct oracle *o, real cost, real own, const struct stixel *lower,
                     const struct stixel *upper, real d_lower, real d_upper)
{
    const real tolerance = 2e-4L + 1e-6L * fabsl(cost);
    const real nudge = 1e-7L;

    for (int i = -1; i <= 1; i++) {
        const real step = i != 0 && fabsl(d_lower - d_upper) > nudge
                              ? -1
                              : oracle_transition(o, lower->geometry, upper->geometry,
                                                  d_lower + i * nudge, d_upper);

        if (step >= 0 && fabsl(cost - own - step) <= tolerance)
            return 1;
    }
    return 0;
}

/* Class, plane and cost of every stixel are those of its rows, by sums over them. */
static void check_energies(const char *what, const struct stixels_input *in,
                           const struct stixels_output *out)
{
    struct oracle *o = malloc(sizeof *o);

    assert_non_null(o);
    for (int c = 0; c < in->n_frames * in->n_cols; c++) {
        real d_lower = 0;

        oracle_load(o, in, c / in->n_cols, c % in->n_cols, FAULT_NONE);
        for (int i = out->first[c]; i < out->first[c + 1]; i++) {
            const struct stixel *const s = &out->list[i];
            const int v_b = s->v_bottom, v_t = s->v_top;
            struct fit fit;
            const real own = oracle_own(o, s->geometry, v_b, v_t, &fit);
            const real near = 1e-4L + 1e-6L * (fabsl(fit.a) + fabsl(fit.b) * v_t);

            if (s->semantic != fit.semantic)
                fail_msg("%s, column %d, rows %d..%d: class %d, expected %d", what, c, v_b, v_t,
                         s->semantic, fit.semantic);
            if (fabsl((real)s->b * v_b + (real)s->a - (fit.b * v_b + fit.a)) > near ||
                fabsl((real)s->b * v_t + (real)s->a - (fit.b * v_t + fit.a)) > near)
                fail_msg("%s, column %d, rows %d..%d: the plane %.9g %+.9g v, expected %.9g "
                         "%+.9g v",
                         what, c, v_b, v_t, (double)s->a, (double)s->b, (double)fit.a,
                         (double)fit.b);
            if (v_b == 0
                    ? fabsl((real)s->cost - own) > 2e-4L + 1e-6L * fabsl(own)
                    : !cost_fits(o, (real)s->cost, own, s - 1, s, d_lower, fit.b * v_b + fit.a))
                fail_msg("%s, column %d, rows %d..%d: costs %.9g, by itself %.9g", what, c, v_b,
                         v_t, (double)s->cost, (double)own);
            d_lower = fit.b * v_t + fit.a;
        }
    }
    free(o);
}

/* ---- driving a variant ---- */

static struct bench_device *device; /* NULL: no card, its variants are left out */
/* Environment: for runs under compute-sanitizer.  'small': 0, or the most rows of long_columns. */
static int gpu_only, small;
static int some_tests; /* not all were asked for: their short columns are all tried */
static int n_cells_run, n_cells_skipped, n_device_runs, n_not_theirs;
static int n_compared_columns, n_columns_as_the_oracle;

/* 0: the variant was not run. */
static int drive(const struct bench_impl *impl, const struct bench_params *params,
                 int n_threads, const struct stixels_input *in, struct stixels_output *out)
{
    struct stixels_output once = guarded_output(in);
    const int ran = drive_twice(impl, params, n_threads, device, in, out, &once);

    release_output(&stixels_problem, &once);
    n_not_theirs += !ran;
    n_device_runs += ran && impl->target == BENCH_CUDA;
    return ran;
}

static struct bench_params with_arith(const char *arith)
{
    const char *const pairs[] = {"arith", arith, NULL};

    return params_with(&stixels_problem, pairs);
}

/* The round-th combination of a variant's keys; returns how many combinations there are. */
static int combination(const struct bench_impl *impl, const char *arith, int round,
                       struct bench_params *params)
{
    *params = with_arith(arith);
    return combine_keys(impl, round, params);
}

/* How the variants are tried on an input. */
enum trial {
    EXACT_ALONE,
    EXACT_AND_FLOAT,    /* within what the problem allows, which is a share of the columns */
    EXACT_AND_SAME_CUTS /* no other segmentation is near: float has no excuse in any column */
};

/* One variant, in all combinations of its keys, against the reference's exact output. */
static void check_variant(const char *what, const struct bench_impl *impl, const char *arith,
                          enum trial trial, const struct stixels_input *in,
                          const struct stixels_output *expected, struct stixels_output *found)
{
    struct bench_params params;
    const int n_rounds = combination(impl, arith, 0, &params);

    /* under a sanitizer a handful of the combinations, others for each input; of tall columns the first alone */
    const int tall = small && in->n_rows > 256;
    const int step = tall ? n_rounds : small && n_rounds > 3 ? (n_rounds + 2) / 3 : 1;

    for (int round = small && !tall ? n_cells_run % step : 0; round < n_rounds; round += step) {
        struct bench_difference difference = {0};
        const int n_threads = impl->target == BENCH_OPENMP ? 1 + n_cells_run % 3 : 1;

        combination(impl, arith, round, &params);
        if (!drive(impl, &params, n_threads, in, found))
            continue;
        n_cells_run++;
        check_structure(impl->name, in, found);
        stixels_problem.compare(&params, in, expected, found, &difference);
        if (difference.n_wrong != 0 ||
            (trial == EXACT_AND_SAME_CUTS &&
             (difference.n_different != 0 ||
              difference.max_error > 0.1 + in->n_rows / UNIT))) { /* eq. 6: rounded rows */
            char text[512];

            bench_params_text(&params, text, sizeof text);
            fail_msg(
                "%s (%s), %d threads, %s: %zu wrong, %zu of %zu different, %g nat, first %s",
                impl->name, text, n_threads, what, difference.n_wrong, difference.n_different,
                difference.n_compared, difference.max_error, difference.where);
        }
        if (!strcmp(arith, "exact") && !same_bits(&stixels_problem, expected, found))
            fail_msg("%s, %d threads, %s: other bits than the reference", impl->name, n_threads,
                     what);
    }
}

/* The exact output of the variant that is the reference for this input's model. */
static void run_reference(const struct stixels_input *in, struct stixels_output *out)
{
    const struct bench_params params = with_arith("exact");

    for (int k = 0; bench_impls[k]; k++)
        if (bench_impls[k]->problem == &stixels_problem && !bench_impls[k]->reference &&
            drive(bench_impls[k], &params, 1, in, out))
            return;
    fail_msg("no reference takes this model");
}

/* Where the oracle is quick enough: the same cuts, unless two segmentations are as good as equal. */
static void check_cuts(const char *what, const struct stixels_input *in,
                       const struct stixels_output *found)
{
    struct stixels_output expected = guarded_output(in);
    const int n_ties = oracle_run(in, &expected, FAULT_NONE);
    int n_others = 0;

    for (int c = 0; c < in->n_frames * in->n_cols; c++) {
        const int n = expected.first[c + 1] - expected.first[c];
        int same = found->first[c + 1] - found->first[c] == n;

        for (int i = 0; i < n && same; i++) {
            const struct stixel *const e = &expected.list[expected.first[c] + i];
            const struct stixel *const f = &found->list[found->first[c] + i];

            same = e->v_bottom == f->v_bottom && e->v_top == f->v_top &&
                   e->geometry == f->geometry && e->semantic == f->semantic;
        }
        n_others += !same;
        n_compared_columns++;
        n_columns_as_the_oracle += same;
    }
    if (n_others > n_ties)
        fail_msg("%s: %d columns are not cut as the oracle's, and %d hang on a tie", what,
                 n_others, n_ties);
    release_output(&stixels_problem, &expected);
}

/* A sanitizer or the emulator slows a kernel down a hundredfold: a few inputs of each size of column. */
static int too_much(const struct stixels_input *in, enum trial trial)
{
    static int n_seen[2][16]; /* without and with float */
    int size = 0;

    if (some_tests && in->n_rows <= 16)
        return 0;
    while (in->n_rows >> size)
        size++;
    if ((size_t)in->n_cols * (size_t)in->n_frames * (size_t)in->n_rows > 8192)
        return 1;
    return n_seen[trial != EXACT_ALONE][size]++ >= 4;
}

/* All variants on 'in'; 'result' (may be NULL) takes the reference's output. */
static void check_input(const char *what, const struct stixels_input *in, enum trial trial,
                        struct stixels_output *result)
{
    const int left_out = small && too_much(in, trial);
    struct stixels_output expected = guarded_output(in), found = guarded_output(in);

    run_reference(in, &expected);
    check_structure(what, in, &expected);
    check_energies(what, in, &expected);
    if (in->n_rows <= ALL_ROWS)
        check_cuts(what, in, &expected);
    for (int k = 0; bench_impls[k] && !left_out; k++) {
        const struct bench_impl *impl = bench_impls[k];

        if (impl->problem != &stixels_problem || (gpu_only && impl->target != BENCH_CUDA))
            continue;
        if (impl->target == BENCH_CUDA && !device) {
            n_cells_skipped++;
            continue;
        }
        check_variant(what, impl, "exact", EXACT_ALONE, in, &expected, &found);
        if (trial != EXACT_ALONE)
            check_variant(what, impl, "float", trial, in, &expected, &found);
    }
    if (result)
        copy_output(&stixels_problem, result, &expected);
    release_output(&stixels_problem, &expected);
    release_output(&stixels_problem, &found);
}

/* ---- inputs ---- */

/* All energies 0, but for the squares: every geometry anywhere, road at 0 px. */
static struct stixels_model plain_model(int n_rows, int data_term)
{
    struct stixels_model m;

    memset(&m, 0, sizeof m);
    for (int g = 0; g < N_GEO; g++) {
        m.sigma[g] = 1;
        m.k_uniform[g] = -(1 << 28); /* eq. 6 without outliers: the square */
    }
    m.lam_a = m.lam_b = 1;
    m.weight_squared = 1;
    m.horizon = n_rows;
    m.data_term = data_term;
    for (int k = 0; k < STIXELS_MAX_CLASSES; k++)
        m.geometry_of[k] = -1;
    return m;
}

/* Numbers as a profile and a camera give them; the road leaves the image at 'horizon_at' of its rows. */
static struct stixels_model street_model(int n_rows, int n_classes, int data_term,
                                         double horizon_at)
{
    struct stixels_model m = plain_model(n_rows, data_term);
    const double log_z[N_GEO] = {0.5724, 0.5724, 0.5724 + 0.6931};

    m.sigma[SK] = 2;
    m.mu_a = 100;
    m.mu_b = -m.mu_a / (horizon_at * n_rows);
    m.horizon = (int32_t)ceil(horizon_at * n_rows) - 1;
    m.horizon = m.horizon > n_rows ? n_rows : m.horizon;
    m.weight_semantic = 1;
    m.beta_mc = 4;
    m.gap_alpha = m.behind_alpha = m.hovering_alpha = m.ordering_alpha = 1;
    m.behind_beta = m.hovering_beta = m.ordering_beta = 1;
    for (int g = 0; g < N_GEO; g++) {
        const double p_out = g == SK ? 0.4 : 0.15;

        if (data_term == STIXELS_E12) {
            m.k_valid[g] = m.k_invalid[g] = (int32_t)lround(UNIT * log_z[g]);
        } else {
            m.k_uniform[g] = (int32_t)lround(UNIT * (log(p_out) - log(128)));
            m.k_gauss[g] = (int32_t)lround(UNIT * (log(1 - p_out) - log_z[g]));
            m.k_invalid[g] = -m.k_gauss[g];
        }
    }
    m.n_classes = n_classes;
    for (int k = 0; k < n_classes; k++)
        m.geometry_of[k] = k % 5 == 0 ? GR : k % 5 == 3 ? SK : OB;
    return m;
}

/* Numbers of any size, all at once. */
static struct stixels_model random_model(uint64_t seed, int n_rows, int n_classes,
                                         int data_term)
{
    struct stixels_model m =
        street_model(n_rows, n_classes, data_term, between(seed, 1, 0.2, 1.3));
    double *const weights[] = {&m.weight_semantic, &m.beta_mc,       &m.gap_alpha,
                               &m.gap_beta,        &m.behind_alpha,  &m.behind_beta,
                               &m.hovering_alpha,  &m.hovering_beta, &m.ordering_alpha,
                               &m.ordering_beta};

    for (int g = 0; g < N_GEO; g++) {
        m.sigma[g] = between(seed, 10 + (uint32_t)g, 0.4, 3);
        m.plane[g] = between(seed, 20 + (uint32_t)g, -2, 2);
        m.k_valid[g] += (int32_t)draw(seed, 30 + (uint32_t)g, 0, 1000) - 300;
        m.k_invalid[g] += (int32_t)draw(seed, 40 + (uint32_t)g, 0, 1000) - 300;
    }
    for (int i = 0; i < N_OF(weights); i++)
        *weights[i] = between(seed, 50 + (uint32_t)i, 0, i % 2 ? 1.5 : 3);
    m.lam_a = between(seed, 70, 0.01, 4);
    m.lam_b = between(seed, 71, 0.01, 4);
    m.weight_squared = draw(seed, 72, 0, 2) == 0;
    for (int k = 0; k < n_classes; k++)
        m.geometry_of[k] = (int32_t)draw(seed, 80 + (uint32_t)k, 0, 4) - 1;
    return m;
}

static struct stixels_input *new_input(int n_frames, int n_rows, int n_cols, int block_rows,
                                       int block_cols, int n_classes)
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
static size_t pixel(const struct stixels_input *in, int frame, int u, int v, int y, int x)
{
    const int row = (in->n_rows - 1 - v) * in->block_rows + y;

    return ((size_t)frame * (size_t)in->height + (size_t)row) * (size_t)in->width +
           (size_t)(u * in->block_cols + x);
}

static void set_block(const struct stixels_input *in, int frame, int u, int v,
                      uint16_t disparity, uint8_t confidence)
{
    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++) {
            in->disparity[pixel(in, frame, u, v, y, x)] = disparity;
            in->confidence[pixel(in, frame, u, v, y, x)] = confidence;
        }
}

static void set_probability(const struct stixels_input *in, int frame, int k, int u, int v,
                            uint16_t probability)
{
    const size_t plane = (size_t)in->height * (size_t)in->width;
    const size_t skip = (size_t)frame * (size_t)(in->n_classes - 1) * plane + (size_t)k * plane;

    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++)
            in->probability[skip + pixel(in, frame, u, v, y, x)] = probability;
}

/* Every pixel for itself: any disparity, any confidence, holes; any probabilities. */
static void fill_noise(const struct stixels_input *in, uint64_t seed, uint32_t hole_pct)
{
    const size_t n = (size_t)in->n_frames * (size_t)in->height * (size_t)in->width;

    for (size_t i = 0; i < n; i++) {
        const struct bench_words r = bench_philox(seed, (uint32_t)i, 1, 0, 0);

        in->disparity[i] = bench_below(r.word[0], 100) < hole_pct
                               ? X
                               : (uint16_t)bench_below(r.word[1], 60 * PX);
        in->confidence[i] = bench_below(r.word[2], 100) < hole_pct / 2
                                ? 0
                                : (uint8_t)(60 + bench_below(r.word[3], 196));
    }
    for (size_t i = 0; i < n * (size_t)in->n_classes; i++)
        in->probability[i] = (uint16_t)bench_below(
            bench_philox(seed, (uint32_t)i, 2, 0, 0).word[0], i % 7 == 0 ? 65536 : 9000);
}

/* What a street looks like: road to a contact, things one behind the other, sky; noise of half a pixel, some holes, and
 * class probabilities that are right most of the time. */
static void fill_street(const struct stixels_input *in, uint64_t seed, uint32_t hole_pct)
{
    for (int c = 0; c < in->n_frames * in->n_cols; c++) {
        const int frame = c / in->n_cols, u = c % in->n_cols, n = in->n_rows;
        const struct stixels_model *const m = &in->model[frame];
        const uint32_t column = (uint32_t)c << 12;
        const int last_road = m->horizon < n ? m->horizon : n;
        const int contact =
            last_road < 2 ? 0
                          : last_road / 3 + (int)draw(seed, column, 7, (uint32_t)last_road / 2);
        const int sky =
            contact + (n - contact) / 2 + (int)draw(seed, column, 8, 1 + (uint32_t)n / 5);
        double thing = m->mu_a + m->mu_b * contact - 0.5;

        for (int v = 0; v < n; v++) {
            const uint32_t i = column + (uint32_t)v;
            const int g = v < contact ? GR : v >= sky && v > m->horizon ? SK : OB;
            double px;

            if (v > contact && draw(seed, i, 9, (uint32_t)n / 4 + 2) == 0)
                thing *= between(seed, i, 0.3, 0.9);
            px = g == GR ? m->mu_a + m->mu_b * v : g == SK ? 0 : thing;
            for (int y = 0; y < in->block_rows; y++)
                for (int x = 0; x < in->block_cols; x++) {
                    const size_t at = pixel(in, frame, u, v, y, x);
                    const struct bench_words r = bench_philox(seed, (uint32_t)at, 3, 0, 0);
                    const double noise = (r.word[0] / 4294967296.0 - 0.5) * (g == SK ? 0.2 : 1);
                    const double d = px + noise;

                    in->disparity[at] = bench_below(r.word[1], 100) < hole_pct ? X
                                        : d <= 0                               ? 0
                                                 : (uint16_t)(d * PX);
                    in->confidence[at] = (uint8_t)(128 + bench_below(r.word[2], 128));
                }
            for (int k = 0; k < in->n_classes; k++) {
                const int likely = m->geometry_of[k] == g && draw(seed, i, 10, 12) != 0;

                set_probability(in, frame, k, u, v,
                                (uint16_t)((likely ? 30000 : 1000) +
                                           draw(seed, i, 20 + (uint32_t)k, 3000)));
            }
        }
    }
}

/* ---- all segmentations that there are ---- */

struct every {
    const struct oracle *o;
    real own[8][8][N_GEO];
    struct fit fit[8][8][N_GEO];
    real least;
    int n_segmentations, n_forbidden; /* the latter: a ground nearer than the object below it */
};

static void try_every(struct every *e, int v_b, int below, const struct fit *lower, real energy)
{
    if (v_b == e->o->n_rows) {
        e->n_segmentations++;
        if (energy < e->least)
            e->least = energy;
        return;
    }
    for (int v_t = v_b; v_t < e->o->n_rows; v_t++)
        for (int g = 0; g < N_GEO; g++) {
            const struct fit *const fit = &e->fit[v_b][v_t][g];
            real step = 0;

            if (!oracle_may_be(e->o, g, v_b, v_t))
                continue;
            if (v_b > 0)
                step = oracle_transition(e->o, below, g, lower->b * (v_b - 1) + lower->a,
                                         fit->b * v_b + fit->a);
            if (step < 0) {
                e->n_forbidden += below == OB && g == GR;
                continue;
            }
            try_every(e, v_t + 1, g, fit, energy + e->own[v_b][v_t][g] + step);
        }
}

static void every_segmentation(struct every *e, const struct oracle *o)
{
    memset(e, 0, sizeof *e);
    e->o = o;
    e->least = HUGE_VALL;
    for (int v_b = 0; v_b < o->n_rows; v_b++)
        for (int v_t = v_b; v_t < o->n_rows; v_t++)
            for (int g = 0; g < N_GEO; g++)
                e->own[v_b][v_t][g] = oracle_own(o, g, v_b, v_t, &e->fit[v_b][v_t][g]);
    try_every(e, 0, N_GEO, NULL, 0);
}

/*
 * The dynamic programming finds the least of all where what neighbours cost does not hang on the planes: then the
 * plane that is stored with the best segmentation below is as good as any.  Two such families:
 *   0  ground that is expected far below 0 px, so that no object is farther away than it, and constants for neighbours of
 *      which one is ground;
 *   1  no ground (no row below the horizon): objects and sky.
 * Otherwise (2) it is a segmentation, so not below the least.
 */
static struct stixels_model family_model(int family, uint64_t seed, int n_rows, int data_term)
{
    struct stixels_model m = random_model(seed, n_rows, 4, data_term);

    if (family == 2)
        return m;
    m.gap_beta = m.behind_beta = m.hovering_beta = m.ordering_beta = 0;
    m.ordering_alpha = 0;
    m.hovering_alpha = m.behind_alpha;
    if (family == 0) {
        m.mu_a = -150;
        m.mu_b = -1;
        m.lam_a = m.lam_b = 1e6;
        m.sigma[GR] = 250;
        m.horizon = (int32_t)draw(seed, 90, 0, (uint32_t)n_rows + 1);
    } else {
        m.horizon = -1;
    }
    return m;
}

static void least_of_all_segmentations(void **state)
{
    struct oracle *o = malloc(sizeof *o);
    struct every *e = malloc(sizeof *e);
    int n_forbidden = 0, n_above = 0, n_segmentations = 0;

    (void)state;
    assert_non_null(o);
    assert_non_null(e);
    for (int family = 0; family < 3; family++)
        for (int term = STIXELS_E12; term <= STIXELS_E6_MIN; term++)
            for (int n_rows = 1; n_rows <= 8; n_rows++) {
                const uint64_t seed = (uint64_t)(1000 + 100 * family + 10 * term + n_rows);
                struct stixels_input *in = new_input(1, n_rows, 4, 2, 2, 4);
                struct stixels_output out = guarded_output(in);
                char what[64];

                in->model[0] = family_model(family, seed, n_rows, term);
                fill_noise(in, seed, n_rows % 3 == 0 ? 40 : 0);
                snprintf(what, sizeof what, "family %d, term %d, %d rows", family, term,
                         n_rows);
                check_input(what, in, EXACT_ALONE, &out);
                for (int u = 0; u < in->n_cols; u++) {
                    double found = 0;

                    for (int i = out.first[u]; i < out.first[u + 1]; i++)
                        found += (double)out.list[i].cost;
                    oracle_load(o, in, 0, u, FAULT_NONE);
                    every_segmentation(e, o);
                    n_segmentations += e->n_segmentations;
                    if (found < (double)e->least - 1e-3 ||
                        (family < 2 && found > (double)e->least + 1e-3))
                        fail_msg("%s, column %d: energy %.9g, the least of %d is %.9g", what, u,
                                 found, e->n_segmentations, (double)e->least);
                    n_above += found > (double)e->least + 1e-3;
                    n_forbidden += family < 2 ? e->n_forbidden : 0;
                }
                release_output(&stixels_problem, &out);
                stixels_input_free(in);
            }
    assert_int_equal(n_forbidden, 0); /* else the families are not what they are said to be */
    print_message(
        "%d segmentations tried; where neighbours cost by their planes, %d of 96 columns "
        "are above the least\n",
        n_segmentations, n_above);
    free(o);
    free(e);
}

/* ---- against the naive dynamic programming, everything on ---- */

static void random_inputs(void **state)
{
    static const int classes[] = {0, 1, 2, 5, 19, 32};
    const int before = n_compared_columns, same_before = n_columns_as_the_oracle;

    (void)state;
    for (uint32_t k = 0; k < 60; k++) {
        const struct bench_words r = bench_philox(2021, k, 0, 0, 0),
                                 s = bench_philox(2021, k, 1, 0, 0);
        const int n_frames = 1 + (int)bench_below(r.word[0], 3);
        const int n_cols = 1 + (int)bench_below(r.word[1], 5);
        const int n_rows = 1 + (int)bench_below(r.word[2], 40);
        const int block_rows = 1 + (int)bench_below(r.word[3], 5);
        const int block_cols = 1 + (int)bench_below(s.word[0], 6);
        const int n_classes = classes[bench_below(s.word[1], N_OF(classes))];
        const int term = k % 2 ? STIXELS_E12 : 1 + (int)(k / 2 % 2);
        struct stixels_input *in =
            new_input(n_frames, n_rows, n_cols, block_rows, block_cols, n_classes);
        char what[96];

        for (int f = 0; f < n_frames; f++)
            in->model[f] = random_model(10 * k + (uint32_t)f, n_rows, n_classes, term);
        if (k % 3 == 0)
            fill_noise(in, k, k % 5 == 0 ? 50 : 0);
        else
            fill_street(in, k, k % 5 == 0 ? 50 : k % 5 == 1 ? 20 : 0);
        snprintf(what, sizeof what, "random case %u: %d x %d x %d blocks of %dx%d, %d classes",
                 k, n_frames, n_cols, n_rows, block_rows, block_cols, n_classes);
        check_input(what, in, EXACT_ALONE, NULL);
        stixels_input_free(in);
    }
    print_message("%d of %d columns are cut as the oracle's; the others hang on ties\n",
                  n_columns_as_the_oracle - same_before, n_compared_columns - before);
    assert_true(n_columns_as_the_oracle - same_before >=
                (n_compared_columns - before) * 95 / 100);
}

/* ---- columns that are known ---- */

/* Road, two things, sky, where the test puts them. */
static void known_columns(void **state)
{
    static const double noises[] = {0, 0.5};

    (void)state;
    for (int k = 0; k < N_OF(noises); k++)
        for (int with_classes = 0; with_classes <= 1; with_classes++)
            for (int term = STIXELS_E12; term <= STIXELS_E6_SUM; term++) {
                const int n_rows = 60, n_cols = 40;
                struct stixels_input *in = new_input(1, n_rows, n_cols, 4, 2, with_classes * 3);
                struct stixels_output out = guarded_output(in);
                int ends[40][4];
                char what[64];

                in->model[0] = street_model(n_rows, with_classes * 3, term, 0.6);
                in->model[0].mu_a = 108; /* 3 px a row: 0 at row 36 */
                in->model[0].mu_b = -3;
                in->model[0].horizon = 35;
                if (with_classes) {
                    in->model[0].geometry_of[0] = GR;
                    in->model[0].geometry_of[1] = OB;
                    in->model[0].geometry_of[2] = SK;
                } else { /* else an object at 0 px is as good as sky */
                    in->model[0].k_valid[SK] -= 1500;
                }
                for (int u = 0; u < n_cols; u++) {
                    const uint32_t c = (uint32_t)u;
                    const int road = 8 + (int)draw(7, c, 0, 18),
                              near = 4 + (int)draw(7, c, 1, 8);
                    const int far = 4 + (int)draw(7, c, 2, 8);
                    const int sky =
                        road + near + far > 36 ? road + near + far : 36 + (int)draw(7, c, 3, 5);
                    const int end[4] = {road, road + near, sky, n_rows};
                    /* 2 px in front of the road: a cut elsewhere would cost more than that */
                    const double px[4] = {0, 108 - 3 * (road - 1) + 2, 14 - draw(7, c, 4, 5),
                                          0};

                    memcpy(ends[u], end, sizeof end);
                    for (int v = 0, part = 0; v < n_rows; v++) {
                        while (v >= end[part])
                            part++;
                        for (int y = 0; y < 4; y++)
                            for (int x = 0; x < 2; x++) {
                                const size_t at = pixel(in, 0, u, v, y, x);
                                const double noise = noises[k] *
                                                     between(9, (uint32_t)at, -1, 1) *
                                                     (part == 3 ? 0.2 : 1);
                                const double d = (part == 0 ? 108 - 3 * v : px[part]) + noise;

                                in->disparity[at] = d > 0 ? (uint16_t)lround(d * PX) : 0;
                                in->confidence[at] = 255;
                            }
                        for (int class = 0; class < in->n_classes; class ++)
                            set_probability(in, 0, class, u, v,
                                            class == (part == 0   ? 0
                                                      : part == 3 ? 2
                                                                  : 1)
                                                ? 52000
                                                : 6700);
                    }
                }
                snprintf(what, sizeof what, "known columns, noise %g, %d classes, term %d",
                         noises[k], in->n_classes, term);
                check_input(what, in, EXACT_AND_SAME_CUTS, &out);
                for (int u = 0; u < n_cols; u++) {
                    static const int geometry[4] = {GR, OB, OB, SK};

                    if (out.first[u + 1] - out.first[u] != 4)
                        fail_msg("%s, column %d: %d stixels", what, u,
                                 out.first[u + 1] - out.first[u]);
                    for (int i = 0; i < 4; i++) {
                        const struct stixel *const s = &out.list[out.first[u] + i];

                        if (s->v_top + 1 != ends[u][i] || s->geometry != geometry[i])
                            fail_msg("%s, column %d: stixel %d of geometry %d ends at row %d, "
                                     "expected %d",
                                     what, u, i, s->geometry, s->v_top, ends[u][i] - 1);
                        if (with_classes)
                            assert_int_equal(s->semantic, i == 0 ? 0 : i == 3 ? 2 : 1);
                    }
                    if (noises[k] == 0) {
                        const struct stixel *const road = &out.list[out.first[u]];

                        assert_true(fabs((double)road->b + 3) < 1e-4);
                        assert_true(fabs((double)road->a - 108) < 1e-3);
                        assert_true(fabs((double)road[1].a - (113 - 3 * ends[u][0])) < 1e-4);
                    }
                }
                release_output(&stixels_problem, &out);
                stixels_input_free(in);
            }
}

/* ---- cases by hand ---- */

struct hand_case {
    const char *name;
    int n_rows, horizon;
    void (*change)(struct stixels_model *model);
    uint16_t d[6]; /* from the bottom, px; NO: none */
    int n;
    struct {
        int v_b, v_t, g;
    } stixel[6];
    int one_best; /* no other segmentation is as good: float must find it too */
};

#define NO 999

static void as_it_is(struct stixels_model *m)
{
    (void)m;
}

static void dear_stixels(struct stixels_model *m)
{
    m->beta_mc = 0.25;
}

static void cheap_stixels(struct stixels_model *m)
{
    m->beta_mc = -1;
}

static void cheap_ground_stixels(struct stixels_model *m)
{
    m->beta_mc = -1;
    m->plane[GR] = -0.5;
}

static void cheap_sky(struct stixels_model *m)
{
    m->beta_mc = 0.25;
    m->plane[SK] = -1;
}

static void objects_alone(struct stixels_model *m)
{
    m->beta_mc = 1;
    m->plane[GR] = m->plane[SK] = 1000;
}

static void ordered_objects(struct stixels_model *m)
{
    objects_alone(m);
    m->ordering_alpha = 90;
    m->ordering_beta = 2;
}

static void cheap_ground_rows(struct stixels_model *m)
{
    m->beta_mc = 0.25;
    m->k_valid[GR] = m->k_invalid[GR] = -1024;
}

static void cheap_sky_rows(struct stixels_model *m)
{
    m->beta_mc = 0.25;
    m->k_valid[SK] = m->k_invalid[SK] = -1024;
}

static void cheap_ground_and_sky_rows(struct stixels_model *m)
{
    cheap_ground_rows(m);
    cheap_sky_rows(m);
}

static void flat_road_at_8(struct stixels_model *m)
{
    cheap_ground_rows(m);
    m->beta_mc = 1.5;
    m->mu_a = 8;
    m->lam_a = m->lam_b = 1048576;
}

static void valid_is_dear(struct stixels_model *m)
{
    dear_stixels(m);
    m->k_valid[OB] = 2048;
    m->plane[GR] = 1000;
}

/* Every energy is a multiple of 1/4 and every sum exact, so that equal energies are equal. */
static const struct hand_case hand_cases[] = {
    {"one row", 1, 0, as_it_is, {5}, 1, {{0, 0, OB}}, 0},
    {"one row without a disparity", 1, 1, as_it_is, {NO}, 1, {{0, 0, OB}}, 0},
    {"one row of sky, as cheap as an object", 1, -1, as_it_is, {0}, 1, {{0, 0, OB}}, 0},
    {"one row of sky, cheaper", 1, -1, cheap_sky, {0}, 1, {{0, 0, SK}}, 1},
    {"one row cannot be ground", 1, 1, cheap_ground_rows, {0}, 1, {{0, 0, OB}}, 1},
    {"nothing anywhere", 5, 2, as_it_is, {NO, NO, NO, NO, NO}, 1, {{0, 4, OB}}, 0},
    {"all at 0 px, the horizon below", 5, -1, as_it_is, {0, 0, 0, 0, 0}, 1, {{0, 4, OB}}, 0},
    {"all at 0 px, the horizon above", 5, 5, as_it_is, {0, 0, 0, 0, 0}, 1, {{0, 4, OB}}, 0},
    {"a stixel for every row: object before ground",
     5,
     5,
     cheap_stixels,
     {NO, NO, NO, NO, NO},
     5,
     {{0, 0, OB}, {1, 1, OB}, {2, 2, OB}, {3, 3, OB}, {4, 4, OB}},
     0},
    {"a stixel for every row, ground up to the top",
     5,
     5,
     cheap_ground_stixels,
     {0, NO, 0, NO, 0},
     5,
     {{0, 0, GR}, {1, 1, GR}, {2, 2, GR}, {3, 3, GR}, {4, 4, OB}},
     0},
    {"sky, object, sky: the lowest cuts among equals",
     4,
     -1,
     cheap_sky,
     {0, 0, 0, 0},
     3,
     {{0, 0, SK}, {1, 1, OB}, {2, 3, SK}},
     0},
    {"a gap goes to the upper object",
     6,
     -1,
     objects_alone,
     {0, 0, NO, NO, 10, 10},
     2,
     {{0, 1, OB}, {2, 5, OB}},
     0},
    {"ground ends at the horizon",
     6,
     2,
     cheap_ground_rows,
     {NO, NO, NO, NO, NO, NO},
     2,
     {{0, 2, GR}, {3, 5, OB}},
     1},
    {"ground ends below the top",
     6,
     6,
     cheap_ground_rows,
     {0, 0, 0, 0, 0, 0},
     2,
     {{0, 4, GR}, {5, 5, OB}},
     1},
    {"sky begins above the horizon",
     6,
     2,
     cheap_sky_rows,
     {NO, NO, NO, NO, NO, NO},
     2,
     {{0, 2, OB}, {3, 5, SK}},
     1},
    {"between ground and sky there is an object, as low as it may",
     6,
     2,
     cheap_ground_and_sky_rows,
     {0, 0, 0, 0, 0, 0},
     3,
     {{0, 1, GR}, {2, 2, OB}, {3, 5, SK}},
     0},
    {"ground may stand on a nearer object",
     6,
     6,
     flat_road_at_8,
     {12, 12, 8, 8, 8, 8},
     3,
     {{0, 1, OB}, {2, 4, GR}, {5, 5, OB}},
     1},
    {"ground may not stand on an object that is farther away",
     6,
     6,
     flat_road_at_8,
     {4, 4, 8, 8, 8, 8},
     2,
     {{0, 1, OB}, {2, 5, OB}},
     1},
    {"a farther object above costs nothing",
     6,
     6,
     ordered_objects,
     {8, 8, 8, 4, 4, 4},
     2,
     {{0, 2, OB}, {3, 5, OB}},
     1},
    {"a nearer object above costs more than one for both", /* 24 < 1 + 90 + 8 */
     6,
     6,
     ordered_objects,
     {4, 4, 4, 8, 8, 8},
     1,
     {{0, 5, OB}},
     1},
    {"unless they are far apart", /* 1 + 90 + 16 < 96 + ... */
     6,
     6,
     ordered_objects,
     {4, 4, 4, 16, 16, 16},
     2,
     {{0, 2, OB}, {3, 5, OB}},
     1},
    {"rows without a disparity have their own constant",
     6,
     6,
     valid_is_dear,
     {NO, 7, NO, 7, NO, 7},
     1,
     {{0, 5, OB}},
     1},
};

static void cases_by_hand(void **state)
{
    (void)state;
    for (int k = 0; k < N_OF(hand_cases); k++)
        for (int term = STIXELS_E12; term <= STIXELS_E6_MIN; term++) {
            const struct hand_case *h = &hand_cases[k];
            struct stixels_input *in = new_input(1, h->n_rows, 1, 1, 1, 0);
            struct stixels_output out = guarded_output(in);

            in->model[0] = plain_model(h->n_rows, term);
            in->model[0].horizon = h->horizon;
            h->change(&in->model[0]);
            for (int v = 0; v < h->n_rows; v++)
                set_block(in, 0, 0, v, h->d[v] == NO ? X : (uint16_t)(h->d[v] * PX), 255);
            check_input(h->name, in, h->one_best ? EXACT_AND_SAME_CUTS : EXACT_AND_FLOAT, &out);
            if (out.first[1] != h->n)
                fail_msg("%s, term %d: %d stixels, expected %d", h->name, term, out.first[1],
                         h->n);
            for (int i = 0; i < h->n; i++) {
                const struct stixel *const s = &out.list[i];

                if (s->v_bottom != h->stixel[i].v_b || s->v_top != h->stixel[i].v_t ||
                    s->geometry != h->stixel[i].g)
                    fail_msg("%s, term %d: stixel %d has rows %d..%d, geometry %d", h->name,
                             term, i, s->v_bottom, s->v_top, s->geometry);
                assert_int_equal(s->semantic, STIXELS_NO_CLASS);
            }
            release_output(&stixels_problem, &out);
            stixels_input_free(in);
        }
}

static void costs_by_hand(void **state)
{
    struct stixels_input *in = new_input(1, 6, 1, 1, 1, 0);
    struct stixels_output out = guarded_output(in);

    (void)state;
    /* three rows at 2 nat, three at 0, one stixel */
    in->model[0] = plain_model(6, STIXELS_E12);
    valid_is_dear(&in->model[0]);
    for (int v = 1; v < 6; v += 2)
        set_block(in, 0, 0, v, 7 * PX, 255);
    check_input("constants of rows", in, EXACT_AND_SAME_CUTS, &out);
    assert_true(fabs((double)out.list[0].cost - 6.25) < 1e-6);
    assert_true(fabs((double)out.list[0].a - 7) < 1e-6);

    /* 4 4 4 under 16 16 16: 1 each, 90 + 2 * 12 between them */
    ordered_objects(&in->model[0]);
    in->model[0].k_valid[OB] = 0;
    for (int v = 0; v < 6; v++)
        set_block(in, 0, 0, v, (uint16_t)((v < 3 ? 4 : 16) * PX), 255);
    check_input("ordering", in, EXACT_AND_SAME_CUTS, &out);
    assert_int_equal(out.first[1], 2);
    assert_true(fabs((double)out.list[0].cost - 1) < 1e-6);
    assert_true(fabs((double)out.list[1].cost - 115) < 1e-6);
    assert_true(out.list[0].a == 4 && out.list[1].a == 16);
    release_output(&stixels_problem, &out);
    stixels_input_free(in);
}

/*
 * What a transition reads: the plane below at its own top row, the plane above at its bottom row.  The road falls 3 px a row, so
 * that a row beside these shows: a step of the ground costs 3/4 nat more or less, a ground may stand where it may not.
 */
static void transitions_by_hand(void **state)
{
    static const struct {
        const char *name;
        int n_object, object_px; /* rows of an object below the ground */
        int n_ground, step_px;   /* rows of ground on the road, then 6 this much above it */
        int n;                   /* stixels, the last an object of two rows */
        int v_t[3];              /* of the others */
        double transition;       /* nat, of the second one */
    } cases[] = {
        {"a step down", 0, 0, 6, -8, 3, {5, 11}, 0.25 * (1 + 45 - 34)},
        {"a step up", 0, 0, 6, 8, 3, {5, 11}, 0.25 * (1 + 50 - 45)},
        {"a ground on an object, 1 px farther", 5, 46, 7, 0, 3, {4, 11}, 0},
        {"a ground that is 1 px nearer has to begin a row later", 5, 44, 7, 0, 3, {5, 11}, 0},
    };

    (void)state;
    for (int k = 0; k < N_OF(cases); k++)
        for (int term = STIXELS_E12; term <= STIXELS_E6_MIN; term++) {
            const int n_rows = 14;
            struct stixels_input *in = new_input(1, n_rows, 1, 1, 1, 0);
            struct stixels_output out = guarded_output(in);
            struct stixels_model *const m = &in->model[0];

            *m = plain_model(n_rows, term);
            m->mu_a = 60;
            m->mu_b = -3;
            m->lam_a = m->lam_b = 1.0 / 64;
            m->beta_mc = 4;
            m->gap_alpha = m->gap_beta = 0.25;
            for (int v = 0; v < n_rows; v++) {
                const int road = 60 - 3 * v;
                const int px = v < cases[k].n_object                       ? cases[k].object_px
                               : v < cases[k].n_object + cases[k].n_ground ? road
                               : v < 12 ? road + cases[k].step_px
                                        : 10;

                set_block(in, 0, 0, v, (uint16_t)(px * PX), 255);
            }
            check_input(cases[k].name, in, EXACT_AND_SAME_CUTS, &out);
            assert_int_equal(out.first[1], cases[k].n);
            for (int i = 0; i + 1 < cases[k].n; i++)
                if (out.list[i].v_top != cases[k].v_t[i])
                    fail_msg("%s, term %d: stixel %d ends at row %d, expected %d",
                             cases[k].name, term, i, out.list[i].v_top, cases[k].v_t[i]);
            /* its plane is drawn to the road a little, and its prior is nearly 8^2 / 64 where there is a step */
            assert_true(fabs((double)out.list[1].cost - 4 - cases[k].transition -
                             (cases[k].step_px != 0)) < 0.25);
            release_output(&stixels_problem, &out);
            stixels_input_free(in);
        }
}

/*
 * 512 rows of one disparity: their energy is 0, made of sums near 10^7.  Rounded once, these leave at most
 * 2^-24 (1.0e7 + 2 * 162 * 1.3e5 + 2 * 1.0e7) = 4.3 nat of it, which is not wrong (5 nat + 5 %); where every 32 rows are
 * rounded again, always down for the first disparity and confidence, 15 nat; where every row is, for the second, 279.
 */
static void sums_by_hand(void **state)
{
    static const int of[][2] = {{54324, 251}, {48510, 254}}; /* 1/256 px, confidence */
    const int n_rows = 512;

    (void)state;
    for (int k = 0; k < N_OF(of); k++) {
        struct stixels_input *in = new_input(1, n_rows, 1, 1, 1, 0);
        struct stixels_output out = guarded_output(in);

        in->model[0] = plain_model(n_rows, STIXELS_E12);
        in->model[0].horizon = -1;
        in->model[0].plane[SK] = 1e6;
        in->model[0].beta_mc = 16;
        for (int v = 0; v < n_rows; v++)
            set_block(in, 0, 0, v, (uint16_t)of[k][0], (uint8_t)of[k][1]);
        check_input("sums that are rounded once", in, EXACT_AND_FLOAT, &out);
        assert_int_equal(out.first[1], 1);
        assert_true(fabs((double)out.list[0].cost - 16) < 1e-3);
        release_output(&stixels_problem, &out);
        stixels_input_free(in);
    }
}

static void classes_by_hand(void **state)
{
    struct stixels_input *in = new_input(1, 4, 1, 3, 2, 5);
    struct stixels_output out = guarded_output(in);
    struct stixels_model *const m = &in->model[0];

    (void)state;
    *m = plain_model(4, STIXELS_E12);
    m->n_classes = 5;
    m->weight_semantic = 2;
    m->beta_mc = 0.25;
    m->geometry_of[1] = OB;
    m->geometry_of[2] = GR;
    m->geometry_of[3] = OB;
    m->geometry_of[4] = SK;
    m->horizon = 1;
    for (int v = 0; v < 4; v++)
        set_block(in, 0, 0, v, 0, 255);
    /* all as likely: object before ground before sky, the smaller of its classes */
    check_input("classes, all equal", in, EXACT_AND_FLOAT, &out);
    assert_int_equal(out.first[1], 1);
    assert_int_equal(out.list[0].geometry, OB);
    assert_int_equal(out.list[0].semantic, 1);
    assert_true(fabs((double)out.list[0].cost - 0.25 - 4 * 2 * log(5)) < 0.01);

    for (int v = 0; v < 4; v++) {
        set_probability(in, 0, 0, 0, v, 65535); /* class 0 is none */
        set_probability(in, 0, 1, 0, v, 13000);
        set_probability(in, 0, 3, 0, v, 13200);
    }
    check_input("the slightly likelier class", in, EXACT_AND_FLOAT, &out);
    assert_int_equal(out.first[1], 1);
    assert_int_equal(out.list[0].semantic, 3);
    for (int v = 0; v < 4; v++) /* by more than the 8 bits of planes = root8 tell apart */
        set_probability(in, 0, 3, 0, v, 14000);
    check_input("the likelier class", in, EXACT_AND_SAME_CUTS, &out);
    assert_int_equal(out.first[1], 1);
    assert_int_equal(out.list[0].semantic, 3);

    /* classes alone cut the column, and impossible is 13.8 nat a row */
    for (int v = 0; v < 4; v++)
        for (int k = 1; k < 5; k++)
            set_probability(in, 0, k, 0, v, k == (v == 0 ? 2 : v == 1 ? 3 : 4) ? 65535 : 0);
    check_input("cut by classes", in, EXACT_AND_SAME_CUTS, &out);
    assert_int_equal(out.first[1], 3);
    for (int i = 0; i < 3; i++) {
        static const struct stixel expected[3] = {
            {.v_bottom = 0, .v_top = 0, .geometry = GR, .semantic = 2},
            {.v_bottom = 1, .v_top = 1, .geometry = OB, .semantic = 3},
            {.v_bottom = 2, .v_top = 3, .geometry = SK, .semantic = 4}};

        assert_int_equal(out.list[i].v_bottom, expected[i].v_bottom);
        assert_int_equal(out.list[i].v_top, expected[i].v_top);
        assert_int_equal(out.list[i].geometry, expected[i].geometry);
        assert_int_equal(out.list[i].semantic, expected[i].semantic);
        assert_true(out.list[i].cost == 0.25f);
    }

    /* no class of an object: it costs nothing, and has none */
    m->geometry_of[1] = m->geometry_of[3] = -1;
    check_input("no class of objects", in, EXACT_AND_SAME_CUTS, &out);
    assert_int_equal(out.first[1], 1);
    assert_int_equal(out.list[0].geometry, OB);
    assert_int_equal(out.list[0].semantic, STIXELS_NO_CLASS);
    release_output(&stixels_problem, &out);
    stixels_input_free(in);
}

/* ---- what rounding can do to a segmentation's energy ---- */

/* Sums, over the rows before one, of the absolute values of what struct stixels_float_row holds. */
struct magnitudes {
    double s0, s1, s2, r0, r1, t0, ground, object, sky;
};

#define ROUNDING     5.9604645e-8 /* 2^-24, half a last place */
#define LEAST_WEIGHT 0.25         /* of a row of the inputs below */

/*
 * The most, to first order, by which float changes the energy of a stixel with the best plane 'plane', and in 'px' [2] its
 * disparity at its bottom and top rows.
 *
 * An entry of a table is rounded once, what a row adds to it at most six times, a form of stixels/fit.h at most eight times;
 * delta(x) is what the first two make of a sum over the stixel's rows.  With alpha and beta the plane's offset and slope
 * from the road's, the energy changes by delta(ground) + 2 |alpha| delta(r0) + 2 |beta| delta(r1) + alpha^2 delta(s0) +
 * 2 |alpha beta| delta(s1) + beta^2 delta(s2), and alpha and beta by the inverse of the normal equations.  Infinite where their
 * determinant is so small that float may take the road's slope.
 */
static double rounding_of_stixel(const struct stixels_constants_double *c, double origin,
                                 const struct magnitudes *below, const struct magnitudes *above,
                                 const struct stixel *s, struct stixels_plane_double plane,
                                 double *px)
{
#define SUM(x)   (above->x - below->x)
#define DELTA(x) (ROUNDING * (below->x + above->x + 6 * SUM(x)))
    const double sigma = c->inverse_sigma2[s->geometry], form = 8 * ROUNDING;

    px[0] = px[1] = 0;
    if (s->geometry == SK)
        return DELTA(sky) * sigma;
    if (s->geometry == OB) {
        const double mean = fabs(plane.a - (double)STIXELS_CENTRE_PX);
        const double centred = fabs(c->mu_b * origin + c->mu_a - (double)STIXELS_CENTRE_PX);
        const double t0 =
            DELTA(t0) + DELTA(r0) + fabs(c->mu_b) * DELTA(s1) + centred * DELTA(s0);

        px[0] = px[1] = (t0 + mean * DELTA(s0)) / SUM(s0) + form * plane.a;
        return (DELTA(object) + 2 * mean * t0 + mean * mean * DELTA(s0) +
                form * (SUM(object) + mean * mean * SUM(s0))) *
               sigma;
    }

    const double alpha = fabs(plane.a + plane.b * origin - (c->mu_a + c->mu_b * origin));
    const double beta = fabs(plane.b - c->mu_b), n = s->v_top - s->v_bottom + 1;
    const double a0 = SUM(s0) + c->lam_a, a1 = SUM(s1) + c->lam_a * origin;
    const double a2 = SUM(s2) + c->lam_b + c->lam_a * origin * origin;
    const double determinant = a0 * (LEAST_WEIGHT * n * (n * n - 1) / 12 + c->lam_b);
    const double e0 = DELTA(r0) + alpha * DELTA(s0) + beta * DELTA(s1);
    const double e1 = DELTA(r1) + alpha * DELTA(s1) + beta * DELTA(s2);
    const double solved = form * (a0 * a2 + a1 * a1); /* the determinant's own rounding */
    const double offset = form * (a2 * SUM(r0) + a1 * SUM(r1)) + alpha * solved;
    const double slope = form * (a0 * SUM(r1) + a1 * SUM(r0)) + beta * solved;

    if (determinant < 4 * (1e-6 * a0 * a2 + a0 * (double)stixels_noise_float((float)origin)))
        return INFINITY;
    for (int i = 0; i < 2; i++) {
        const double v = i ? s->v_top : s->v_bottom;

        px[i] = (a2 * e0 + a1 * e1 + offset + fabs(v - origin) * (a1 * e0 + a0 * e1 + slope)) /
                    determinant +
                form * (fabs(plane.b * v) + fabs(plane.a));
    }
    return (DELTA(ground) + 2 * alpha * DELTA(r0) + 2 * beta * DELTA(r1) +
            alpha * alpha * DELTA(s0) + 2 * alpha * beta * DELTA(s1) + beta * beta * DELTA(s2) +
            (SUM(r0) * offset + SUM(r1) * slope) / determinant +
            form * (SUM(ground) + alpha * SUM(r0) + beta * SUM(r1))) *
           sigma;
#undef DELTA
#undef SUM
}

/* The same for a column's list, with transitions; a row's class is rounded to 1/1024 nat in exact arithmetic. */
static double rounding_of(const struct stixels_input *in, int col, const struct stixel *list,
                          int n)
{
    const struct stixels_model *const m = &in->model[0];
    const struct stixels_constants_double c = stixels_constants_of_double(m);
    const struct stixels_constants_float f = stixels_constants_of_float(m);
    const double origin = (double)f.origin;
    const double step =
        fmax(fmax(c.gap_beta, c.behind_beta), fmax(c.hovering_beta, c.ordering_beta));
    struct magnitudes sum[STIXELS_MAX_ROWS + 1] = {{0}};
    struct stixels_part parts[STIXELS_MAX_ROWS];
    double rounding = 1.1 * c.weight_semantic * in->n_rows, top = 0;

    for (int v = 0; v < in->n_rows; v++) {
        const struct stixels_block b = stixels_block_of(in, 0, col, v);
        const float weight = b.valid ? (float)stixels_weight(b.confidence, m->weight_squared) /
                                           STIXELS_WEIGHT_ONE
                                     : 0;
        const float px = b.valid ? (float)b.disparity / PX : 0;
        const struct stixels_float_row row =
            stixels_float_row_of(&f, m->horizon, weight, px, v);
        struct magnitudes *const next = &sum[v + 1];

        *next = sum[v];
        next->s0 += (double)row.s0;
        next->s1 += fabs((double)row.s1);
        next->s2 += (double)row.s2;
        next->r0 += fabs((double)row.r0);
        next->r1 += fabs((double)row.r1);
        next->t0 += fabs((double)row.t0);
        next->ground += (double)row.ground;
        next->object += (double)row.object;
        next->sky += (double)row.sky;
    }
    stixels_energy(in, 0, col, list, n, parts);
    for (int i = 0; i < n; i++) {
        const struct stixel *const s = &list[i];
        double px[2];

        rounding += rounding_of_stixel(&c, origin, &sum[s->v_bottom], &sum[s->v_top + 1], s,
                                       parts[i].plane, px);
        rounding += i > 0 ? step * (px[0] + top) : 0;
        top = px[1];
    }
    return rounding;
}

/*
 * arith = float against arith = exact, column by column: what a variant's cuts and classes cost in exact arithmetic is not
 * more above the optimum than rounding can make of the two segmentations, and its own account of them not further off.
 * This runs the code that is timed, which arith = exact does not run in stixels/openmp and stixels/gpu-opt.
 */
static void float_by_hand(void **state)
{
    static const struct {
        int n_rows, n_cols, n_classes;
    } sizes[] = {{16, 40, 0}, {40, 24, 5}, {128, 24, 5}, {256, 8, 19}};
    const struct bench_params params = with_arith("float");

    (void)state;
    for (int k = 0; k < (small ? 2 : N_OF(sizes)); k++) {
        struct stixels_input *in =
            new_input(1, sizes[k].n_rows, sizes[k].n_cols, 1, 1, sizes[k].n_classes);
        struct stixels_output best = guarded_output(in), found = guarded_output(in);

        in->model[0] = street_model(in->n_rows, in->n_classes, STIXELS_E12, 0.58);
        in->model[0].gap_beta = 0.5;
        fill_street(in, (uint64_t)(500 + k), 0);
        run_reference(in, &best);
        for (int i = 0; bench_impls[i]; i++) {
            const struct bench_impl *const impl = bench_impls[i];
            struct bench_params own = params;
            double worst = 0, widest = 0;
            int n_judged = 0;

            if (impl->problem != &stixels_problem || (impl->target == BENCH_CUDA && !device) ||
                (gpu_only && impl->target != BENCH_CUDA))
                continue;
            combine_keys(impl, impl->target == BENCH_CUDA && impl->keys ? 1 : 0, &own);
            if (!drive(impl, &own, 1, in, &found))
                continue;
            for (int u = 0; u < in->n_cols; u++) {
                const struct stixel *const b = &best.list[best.first[u]],
                                           *const f = &found.list[found.first[u]];
                const int n_b = best.first[u + 1] - best.first[u],
                          n_f = found.first[u + 1] - found.first[u];
                const double optimum = stixels_energy(in, 0, u, b, n_b, NULL);
                const double energy = stixels_energy(in, 0, u, f, n_f, NULL);
                const double most = rounding_of(in, u, b, n_b) + rounding_of(in, u, f, n_f);
                double account = 0;

                if (isinf(most))
                    continue;
                for (int j = 0; j < n_f; j++)
                    account += (double)f[j].cost;
                n_judged++;
                worst = fmax(worst, fmax(energy - optimum, fabs(account - energy)));
                widest = fmax(widest, most);
                if (energy - optimum > most || fabs(account - energy) > most)
                    fail_msg(
                        "%s, %d rows, column %d: cuts that cost %.9g nat, by its own account "
                        "%.9g; the optimum is %.9g, and rounding makes at most %.3g of it",
                        impl->name, in->n_rows, u, energy, account, optimum, most);
            }
            print_message(
                "%s, %d rows: %d of %d columns, at most %.3g nat off, bounds up to %.3g\n",
                impl->name, in->n_rows, n_judged, in->n_cols, worst, widest);
            assert_true(2 * n_judged > in->n_cols);
        }
        release_output(&stixels_problem, &best);
        release_output(&stixels_problem, &found);
        stixels_input_free(in);
    }
}

/* ---- blocks ---- */

struct block_case {
    const char *name;
    int block_rows, block_cols;
    uint16_t d[16];
    uint8_t c[16];
    double px, cost; /* of one object: 1 nat where there is a disparity, 2 where not */
};

static const struct block_case block_cases[] = {
    {"half of the pixels are enough", 2, 2, {10, X, 20, X}, {9, 9, 9, 9}, 15, 1},
    {"fewer are not", 2, 2, {10, X, X, X}, {9, 9, 9, 9}, 0, 2},
    {"8 of 15",
     3,
     5,
     {1, 2, 3, 4, 5, 6, 7, 8, X, X, X, X, X, X, X},
     {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9},
     5, /* 4.5, half up */
     1},
    {"7 of 15",
     3,
     5,
     {1, 2, 3, 4, 5, 6, 7, X, X, X, X, X, X, X, X},
     {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9},
     0,
     2},
    {"a pixel of no confidence is none", 1, 4, {10, 30, 500, 600}, {1, 1, 0, 0}, 20, 1},
    {"nor do three of them make a half", 1, 4, {10, 500, 500, 500}, {255, 0, 0, 0}, 0, 2},
    {"nor do they count in a block of the paper's",
     4,
     4,
     {10, 10, 10, 10, 10, 10, 10, 10, 500, 500, 500, 500, 500, 500, 500, 500},
     {3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0},
     10,
     1},
    {"half up", 1, 2, {10, 11}, {255, 255}, 11, 1},
    {"below the half", 1, 3, {10, 10, 11}, {255, 255, 255}, 10, 1},
    {"the confidence of a block may be 0", /* 1 and 0 and 0: 1/3 of one step */
     1,
     3,
     {10, 12, X},
     {1, 0, 200},
     0,
     2},
    {"one pixel", 1, 1, {65534}, {1}, 65534, 1},
    {"the largest",
     4,
     4,
     {65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534,
      65534, 65534, 65534},
     {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
     65534,
     1},
};

static void blocks_by_hand(void **state)
{
    (void)state;
    for (int k = 0; k < N_OF(block_cases); k++) {
        const struct block_case *b = &block_cases[k];
        struct stixels_input *in = new_input(1, 1, 1, b->block_rows, b->block_cols, 0);
        struct stixels_output out = guarded_output(in);
        const size_t n = (size_t)(b->block_rows * b->block_cols);

        in->model[0] = plain_model(1, STIXELS_E12);
        in->model[0].k_valid[OB] = 1024;
        in->model[0].k_invalid[OB] = 2048;
        memcpy(in->disparity, b->d, n * sizeof *b->d);
        memcpy(in->confidence, b->c, n * sizeof *b->c);
        check_input(b->name, in, EXACT_AND_SAME_CUTS, &out);
        if (out.list[0].geometry != OB || fabs((double)out.list[0].a * PX - b->px) > 1e-3 ||
            fabs((double)out.list[0].cost - b->cost) > 1e-6)
            fail_msg("%s: %g/256 px, %g nat", b->name, (double)out.list[0].a * PX,
                     (double)out.list[0].cost);
        release_output(&stixels_problem, &out);
        stixels_input_free(in);
    }
}

/* A block's weight: the mean of all its pixels' confidences, those without a disparity counting 0, squared or not. */
static void weights_of_blocks(void **state)
{
    (void)state;
    for (int squared = 0; squared <= 1; squared++) {
        struct stixels_input *in = new_input(1, 2, 1, 1, 2, 0);
        struct stixels_output out = guarded_output(in);
        /* row 0: 100 and 201, half up 151; row 1: one pixel of 200, the other has no disparity, so 100 */
        const double w0 = squared ? 151.0 * 151 : 151.0, w1 = squared ? 100.0 * 100 : 100.0;

        in->model[0] = plain_model(2, STIXELS_E12);
        in->model[0].weight_squared = squared;
        in->model[0].beta_mc = 1e5; /* one stixel */
        in->model[0].plane[GR] = 1e6;
        set_block(in, 0, 0, 0, 10 * PX, 100);
        set_block(in, 0, 0, 1, 40 * PX, 200);
        in->confidence[pixel(in, 0, 0, 0, 0, 1)] = 201;
        in->disparity[pixel(in, 0, 0, 1, 0, 0)] = X;
        check_input("weights", in, EXACT_ALONE, &out);
        assert_int_equal(out.first[1], 1);
        assert_true(fabs((double)out.list[0].a - (10 * w0 + 40 * w1) / (w0 + w1)) < 1e-5);
        release_output(&stixels_problem, &out);
        stixels_input_free(in);
    }
}

/* ---- shapes and ends of the ranges ---- */

static void shapes(void **state)
{
    static const struct {
        int n_frames, n_rows, n_cols, block_rows, block_cols, n_classes;
    } shapes[] = {
        {2, 70, 5, 8, 8, 19},  {2, 66, 7, 4, 4, 18}, {1, 9, 40, 4, 4, 32}, {1, 1, 1, 1, 1, 0},
        {1, 1, 9, 16, 16, 1},  {3, 7, 1, 1, 1, 19},  {1, 40, 33, 1, 1, 2}, {3, 31, 5, 5, 3, 3},
        {1, 32, 4, 16, 16, 5}, {2, 33, 3, 2, 7, 32}, {1, 64, 2, 1, 16, 4}, {1, 65, 2, 16, 1, 0},
        {1, 100, 2, 3, 3, 19},
    };

    (void)state;
    for (int k = 0; k < N_OF(shapes); k++)
        for (int term = STIXELS_E12; term <= STIXELS_E6_MIN; term++) {
            struct stixels_input *in =
                new_input(shapes[k].n_frames, shapes[k].n_rows, shapes[k].n_cols,
                          shapes[k].block_rows, shapes[k].block_cols, shapes[k].n_classes);
            char what[64];

            snprintf(what, sizeof what, "shape %d, term %d", k, term);
            for (int f = 0; f < in->n_frames; f++) /* each frame has a road of its own */
                in->model[f] = street_model(in->n_rows, in->n_classes, term, 0.5 + 0.15 * f);
            fill_street(in, (uint64_t)(50 + k), k % 3 == 0 ? 0 : 15);
            check_input(what, in, EXACT_AND_FLOAT, NULL);
            stixels_input_free(in);
        }
}

/* Inputs of which nothing, or nothing useful, is known; the horizon out of sight on either side. */
static void nothing_to_go_by(void **state)
{
    static const int horizons[] = {-1, 0, 11, 23, 24};

    (void)state;
    for (int k = 0; k < 5 * N_OF(horizons); k++)
        for (int term = STIXELS_E12; term <= STIXELS_E6_SUM; term++) {
            const int n_classes = k % 2 ? 0 : 4, kind = k / N_OF(horizons);
            struct stixels_input *in = new_input(1, 24, 3, 2, 2, n_classes);
            const size_t n = (size_t)in->height * (size_t)in->width;
            char what[64];

            in->model[0] = street_model(24, n_classes, term, 0.6);
            in->model[0].horizon = horizons[k % N_OF(horizons)];
            for (size_t i = 0; i < n; i++) {
                in->disparity[i] = kind == 0   ? X     /* nothing measured */
                                   : kind == 1 ? 5000  /* measured, but not believed */
                                   : kind == 2 ? 0     /* all at infinity */
                                   : kind == 3 ? 65534 /* all at hand */
                                               : (uint16_t)(i % 2 ? 0 : 65534);
                in->confidence[i] = kind == 1 ? 0 : 255;
            }
            for (size_t i = 0; i < n * (size_t)n_classes; i++)
                in->probability[i] = kind % 2 ? 0 : 65535;
            snprintf(what, sizeof what, "kind %d, horizon %d, term %d", kind,
                     in->model[0].horizon, term);
            check_input(what, in, EXACT_AND_FLOAT, NULL);
            stixels_input_free(in);
        }
}

static void long_columns(void **state)
{
    static const struct {
        int n_rows, n_cols, n_classes, term;
    } columns[] = {
        /* where 'small' makes all of them columns of one size, too_much takes four */
        {STIXELS_MAX_ROWS, 2, 5, STIXELS_E12},
        {161, 2, 5, STIXELS_E6_SUM},
        {129, 2, 0, STIXELS_E6_MIN},
        {257, 4, 19, STIXELS_E12},
        {511, 3, 0, STIXELS_E12},
        {128, 40, 5, STIXELS_E12}};

    (void)state;
    for (int k = 0; k < N_OF(columns); k++) {
        const int most = small ? small : STIXELS_MAX_ROWS;
        const int n_rows = columns[k].n_rows < most ? columns[k].n_rows : most;
        const int n_cols = small && n_rows > 128 ? 1 : columns[k].n_cols;
        struct stixels_input *in = new_input(1, n_rows, n_cols, 1, 1, columns[k].n_classes);
        char what[64];

        in->model[0] = street_model(in->n_rows, in->n_classes, columns[k].term, 0.58);
        fill_street(in, (uint64_t)(300 + k), 5);
        snprintf(what, sizeof what, "street of %d rows, term %d", in->n_rows, columns[k].term);
        check_input(what, in, EXACT_AND_FLOAT, NULL);
        stixels_input_free(in);
    }
}

/* Two objects of lengths about those of vectors, warps, strips and blocks: none may be left out. */
static void stixels_of_many_lengths(void **state)
{
    static const int lengths[] = {1,  2,  3,  7,  8,   9,   15,  16,  17,  31,  32,  33,
                                  63, 64, 65, 66, 127, 128, 129, 191, 192, 193, 255, 256};

    (void)state;
    for (int term = STIXELS_E12; term <= STIXELS_E6_SUM; term++) {
        const int n_rows = term == STIXELS_E12 ? 258 : 67;
        const int every = small ? 4 : 1; /* compute-sanitizer takes its time */
        const int n_cols = (term == STIXELS_E12 ? N_OF(lengths) : 16) / every;
        struct stixels_input *in = new_input(1, n_rows, n_cols, 1, 1, 0);
        struct stixels_output out = guarded_output(in);

        in->model[0] = street_model(n_rows, 0, term, 0.6);
        in->model[0].horizon = -1;
        in->model[0].plane[SK] = 1000;
        for (int u = 0; u < n_cols; u++)
            for (int v = 0; v < n_rows; v++)
                set_block(in, 0, u, v, (uint16_t)((v < lengths[u * every] ? 60 : 20) * PX),
                          255);
        check_input("stixels of many lengths", in, EXACT_AND_SAME_CUTS, &out);
        for (int u = 0; u < n_cols; u++) {
            assert_int_equal(out.first[u + 1] - out.first[u], 2);
            assert_int_equal(out.list[out.first[u]].v_top, lengths[u * every] - 1);
        }
        release_output(&stixels_problem, &out);
        stixels_input_free(in);
    }
}

/* Nothing but noise, and the longest list that there can be: a stixel for every row. */
static void as_many_stixels_as_rows(void **state)
{
    static const int heights[] = {1, 2, 31, 32, 33, 300};

    (void)state;
    for (int k = 0; k < N_OF(heights); k++)
        for (int term = STIXELS_E12; term <= STIXELS_E6_SUM; term++) {
            const int most = small || term != STIXELS_E12 ? 100 : STIXELS_MAX_ROWS;
            const int n_rows = heights[k] < most ? heights[k] : most;
            struct stixels_input *in = new_input(1, n_rows, 3, 1, 1, 0);
            struct stixels_output out = guarded_output(in);

            in->model[0] = street_model(n_rows, 0, term, 0.6);
            in->model[0].beta_mc = -200;
            fill_noise(in, (uint64_t)(600 + k), 0);
            /* long columns of noise are no match for float sums */
            check_input("a stixel for every row", in,
                        n_rows < 100 ? EXACT_AND_FLOAT : EXACT_ALONE, &out);
            assert_int_equal(out.first[3], 3 * n_rows);
            release_output(&stixels_problem, &out);
            stixels_input_free(in);
        }
}

/* ---- the test's own test ---- */

/* Columns on which each fault shows. */
static struct stixels_input *faulty_ground(void)
{
    struct stixels_input *in = new_input(2, 24, 12, 2, 2, 4);

    for (int f = 0; f < 2; f++) {
        in->model[f] = street_model(24, 4, STIXELS_E12, 0.6);
        in->model[f].beta_mc = 2;
        in->model[f].geometry_of[1] = in->model[f].geometry_of[2] = OB;
    }
    fill_street(in, 77, 30);
    for (int u = 0; u < 12; u += 3) /* two classes as likely as each other */
        for (int v = 0; v < 24; v++)
            for (int f = 0; f < 2; f++)
                for (int k = 1; k <= 2; k++)
                    set_probability(in, f, k, u, v, 20000);
    for (int u = 1; u < 12; u += 6) /* a gap between two objects: equal cuts */
        for (int v = 0; v < 24; v++)
            set_block(in, 0, u, v, v < 9 ? 0 : v < 14 ? X : 90 * PX, 255);
    return in;
}

static void faults_are_caught(void **state)
{
    static const enum fault faults[] = {FAULT_LAST_ROW,  FAULT_SHIFTED,    FAULT_LAST_COLUMN,
                                        FAULT_LAST_CUT,  FAULT_LAST_CLASS, FAULT_TRANSITION,
                                        FAULT_LOWER_END, FAULT_INVALID,    FAULT_PER_STIXEL};
    const struct bench_params exact = with_arith("exact"), fast = with_arith("float");
    struct stixels_input *in = faulty_ground();
    struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
    struct bench_difference difference;

    (void)state;
    check_input("the columns of the faults", in, EXACT_ALONE, NULL);
    oracle_run(in, &right, FAULT_NONE);
    check_structure("the oracle", in, &right);
    check_energies("the oracle", in, &right);
    stixels_problem.compare(&exact, NULL, &right, &right, &difference);
    assert_int_equal(difference.n_wrong, 0);
    assert_int_equal(difference.n_different, 0);
    assert_string_equal(difference.where, "");
    for (int k = 0; k < N_OF(faults); k++) {
        oracle_run(in, &wrong, faults[k]);
        stixels_problem.compare(&exact, NULL, &right, &wrong, &difference);
        if (difference.n_wrong == 0 || difference.where[0] == '\0')
            fail_msg("fault %d goes unnoticed", (int)faults[k]);
        /* what float may do by itself is another cut or class of the same energy, in few columns */
        stixels_problem.compare(&fast, NULL, &right, &wrong, &difference);
        if (difference.n_wrong == 0 && faults[k] != FAULT_LAST_CUT &&
            faults[k] != FAULT_LAST_CLASS)
            fail_msg("fault %d passes for float", (int)faults[k]);
    }
    poison_output(&stixels_problem, &wrong); /* nothing written */
    for (int float_too = 0; float_too <= 1; float_too++) {
        stixels_problem.compare(float_too ? &fast : &exact, NULL, &right, &wrong, &difference);
        assert_true(difference.n_wrong >= 24);
    }
    release_output(&stixels_problem, &right);
    release_output(&stixels_problem, &wrong);
    stixels_input_free(in);
}

static void shift_first_cut(struct stixels_output *out)
{
    out->list[0].v_top++;
    out->list[1].v_bottom++;
}

static void end_early(struct stixels_output *out)
{
    out->list[out->first[1] - 1].v_top--;
}

static void move_ground(struct stixels_output *out)
{
    for (size_t i = 0; i < list_bytes(out) / sizeof *out->list; i++)
        out->list[i].a += out->list[i].geometry == GR ? 1.0f : 0;
}

static void shift_all_cuts(struct stixels_output *out)
{
    for (size_t c = 0; c < n_columns_of(out); c++)
        for (int i = out->first[c]; i + 1 < out->first[c + 1]; i++) {
            if (out->list[i + 1].v_top > out->list[i + 1].v_bottom) {
                out->list[i].v_top++;
                out->list[i + 1].v_bottom++;
            }
        }
}

/* A right output of a variant, made wrong. */
static void wrong_outputs_are_caught(void **state)
{
    static const struct {
        const char *name;
        void (*spoil)(struct stixels_output *out);
        int under_float; /* wrong there too */
    } errors[] = {
        {"a cut one row too high", shift_first_cut, 0},
        {"a column that ends one row early", end_early, 1},
        {"all cuts one row too high", shift_all_cuts, 1},
        {"a road 1 px off", move_ground, 1},
    };
    const struct bench_params exact = with_arith("exact"), fast = with_arith("float");
    struct stixels_input *in = faulty_ground();
    struct stixels_output right = guarded_output(in), wrong = guarded_output(in);

    (void)state;
    run_reference(in, &right);
    assert_true(right.first[1] >= 2);
    for (int k = 0; k < N_OF(errors); k++) {
        struct bench_difference difference;

        copy_output(&stixels_problem, &wrong, &right);
        errors[k].spoil(&wrong);
        stixels_problem.compare(&exact, NULL, &right, &wrong, &difference);
        if (difference.n_wrong == 0 || difference.where[0] == '\0')
            fail_msg("%s goes unnoticed", errors[k].name);
        stixels_problem.compare(&fast, NULL, &right, &wrong, &difference);
        if (!difference.n_wrong != !errors[k].under_float)
            fail_msg("%s under float: %zu wrong, %s", errors[k].name, difference.n_wrong,
                     difference.where);
    }
    release_output(&stixels_problem, &right);
    release_output(&stixels_problem, &wrong);
    stixels_input_free(in);
}

static double cost_of(const struct stixels_output *out, int c)
{
    double cost = 0;

    for (int i = out->first[c]; i < out->first[c + 1]; i++)
        cost += (double)out->list[i].cost;
    return cost;
}

/* What a segmentation costs, added up stixel by stixel, is what the dynamic programming found. */
static void energy_of_a_segmentation(void **state)
{
    (void)state;
    for (int term = STIXELS_E12; term <= STIXELS_E6_MIN; term++) {
        struct stixels_input *in = faulty_ground();
        struct stixels_output right = guarded_output(in);
        struct stixels_part parts[24];

        for (int f = 0; f < 2; f++) {
            in->model[f] = street_model(24, 4, term, 0.6);
            in->model[f].beta_mc = 2;
        }
        run_reference(in, &right);
        for (int c = 0; c < 24; c++) {
            const struct stixel *const list = &right.list[right.first[c]];
            const int n = right.first[c + 1] - right.first[c];
            const double energy = stixels_energy(in, c / 12, c % 12, list, n, parts);

            assert_true(fabs(energy - cost_of(&right, c)) <= 1e-4 + 1e-6 * fabs(energy));
            assert_true(energy == stixels_energy(in, c / 12, c % 12, list, n, NULL));
            for (int i = 0; i < n; i++) {
                assert_true((float)parts[i].plane.a == list[i].a);
                assert_true((float)parts[i].plane.b == list[i].b);
                assert_true(fabs(parts[i].cost - (double)list[i].cost) <=
                            1e-4 + 1e-6 * fabs(energy));
                assert_true(parts[i].excess >= 0 && parts[i].excess < 1e-6);
                assert_false(parts[i].forbidden);
            }
        }
        release_output(&stixels_problem, &right);
        stixels_input_free(in);
    }
}

/* Move the cut above stixel 'at' by 'n' rows that cost the same on both sides. */
static void move_cut(struct stixels_output *out, int at, int n, const struct stixels_model *m)
{
    const float cost = (float)(n * m->k_invalid[OB] / UNIT);

    out->list[at].v_top = (uint16_t)(out->list[at].v_top + n);
    out->list[at + 1].v_bottom = (uint16_t)(out->list[at].v_top + 1);
    out->list[at].cost += cost;
    out->list[at + 1].cost -= cost;
}

/* Cuts that are wrong, with costs whose sum is right: the sum along any path of a table is. */
static void cuts_are_worth_their_energy(void **state)
{
    const struct bench_params fast = with_arith("float");
    struct stixels_input *in = new_input(1, 40, 20, 1, 1, 0);
    struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
    struct bench_difference difference;
    struct stixel lower;

    (void)state;
    in->model[0] = street_model(40, 0, STIXELS_E12, 0.6);
    in->model[0].horizon = -1;
    in->model[0].plane[SK] = 1000;
    for (int u = 0; u < 20; u++) /* two objects; of the last column's middle nothing is known */
        for (int v = 0; v < 40; v++)
            set_block(in, 0, u, v,
                      u == 19 && v >= 15 && v < 25 ? X : (uint16_t)((v < 20 ? 60 : 20) * PX),
                      255);
    run_reference(in, &right);
    assert_int_equal(right.first[20], 40);

    /* any cut in what is not known costs the same, in as many columns as there are such */
    copy_output(&stixels_problem, &wrong, &right);
    lower = wrong.list[38];
    assert_true(lower.v_top >= 14 && lower.v_top < 24);
    move_cut(&wrong, 38, lower.v_top == 20 ? 1 : 20 - lower.v_top, &in->model[0]);
    stixels_problem.compare(&fast, in, &right, &wrong, &difference);
    assert_int_equal(difference.n_wrong, 0);
    assert_int_equal(difference.n_different, 1);

    /* a cut one row off where all is known is dear */
    copy_output(&stixels_problem, &wrong, &right);
    wrong.list[0].v_top++;
    wrong.list[1].v_bottom++;
    stixels_problem.compare(&fast, NULL, &right, &wrong, &difference);
    assert_int_equal(difference.n_wrong,
                     0); /* it is one, and says of itself that it is as good */
    stixels_problem.compare(&fast, in, &right, &wrong, &difference);
    assert_int_equal(difference.n_wrong, 1);
    assert_non_null(strstr(difference.where, "frame 0, column 0: cuts that cost"));

    /* planes that do not fit their rows, in columns that are cut otherwise at no cost */
    for (int u = 0; u < 20; u++)
        for (int v = 15; v < 25; v++)
            set_block(in, 0, u, v, X, 255);
    run_reference(in, &right);
    for (int off = 0; off <= 1; off++) {
        copy_output(&stixels_problem, &wrong, &right);
        for (int u = 0; u < 20; u++) {
            struct stixel *const s = &wrong.list[2 * u];

            move_cut(&wrong, 2 * u, s->v_top == 20 ? 1 : 20 - s->v_top, &in->model[0]);
            s[1].a += (float)off / 8;
        }
        stixels_problem.compare(&fast, in, &right, &wrong, &difference);
        assert_int_equal(difference.n_different, 20);
        assert_int_equal(difference.n_wrong, off);
        assert_true(!off || strstr(difference.where, "20 of 20 columns are off"));
    }
    release_output(&stixels_problem, &right);
    release_output(&stixels_problem, &wrong);
    stixels_input_free(in);
}

/* A city of one frame: 90 columns of a street with classes, of which 2 may be off. */
enum { CITY_ROWS = 24, CITY_COLS = 90 };

static struct stixels_input *city(void)
{
    struct stixels_input *in = new_input(1, CITY_ROWS, CITY_COLS, 2, 2, 4);

    in->model[0] = street_model(CITY_ROWS, 4, STIXELS_E12, 0.6);
    fill_street(in, 78, 20);
    for (int v = 0; v < 3; v++) /* a hole at the bottom of column 5 */
        set_block(in, 0, 5, v, X, 0);
    return in;
}

static struct stixel *column_at(struct stixels_output *out, int c, int *n)
{
    *n = out->first[c + 1] - out->first[c];
    return &out->list[out->first[c]];
}

/* What passes for a right output where only sums of columns are looked at. */
enum mutation {
    FAR_PLANES,       /* a column's planes are anything */
    SLANTED_OBJECT,   /* 1000 px a row */
    HIGH_SKY,         /* a sky that is not at 0 px */
    FIRST_PAYS,       /* all cost in a column's first stixel */
    ALTERNATING,      /* 50 nat too much, too little */
    ALL_SKY,          /* a column of sky */
    OBJECT_AS_GROUND, /* an object's class is one of the ground's */
    WITHOUT_CLASS,
    UNKNOWN_CLASS, /* one that the input has not */
    GROUND_ON_TOP, /* of the image */
    N_MUTATIONS
};

static void mutate(struct stixels_output *out, int c, enum mutation mutation)
{
    int n;
    struct stixel *const s = column_at(out, c, &n), *const last = &s[n - 1];
    float sum = 0;

    for (int i = 0; i < n; i++) {
        sum += s[i].cost;
        if (mutation == FAR_PLANES)
            s[i].a += s[i].geometry == SK ? 0 : 40.0f;
        if (mutation == SLANTED_OBJECT && s[i].geometry == OB) {
            s[i].b = 1000;
            s[i].a -= 500.0f * (float)(s[i].v_bottom + s[i].v_top);
        }
        if (mutation == HIGH_SKY && s[i].geometry == SK)
            s[i].a = 0.25f;
        if (mutation == ALTERNATING && (i < n - 1 || n % 2 == 0))
            s[i].cost += i % 2 ? -50.0f : 50.0f;
        if (mutation == OBJECT_AS_GROUND && s[i].geometry == OB)
            s[i].semantic = 0; /* likewise only where there is one */
        if (mutation == WITHOUT_CLASS)
            s[i].semantic = STIXELS_NO_CLASS;
        if (mutation == UNKNOWN_CLASS)
            s[i].semantic = 4;
        if (mutation == ALL_SKY) {
            s[i].geometry = SK;
            s[i].semantic = 3;
            s[i].a = s[i].b = 0;
        }
    }
    if (mutation == FIRST_PAYS)
        for (int i = 0; i < n; i++)
            s[i].cost = i == 0 ? sum : 0;
    if (mutation == GROUND_ON_TOP) {
        last->geometry = GR;
        last->semantic = 0;
    }
}

/* Each of them is wrong in one column of many, all else right. */
static void float_outputs_are_looked_into(void **state)
{
    static const char *const says[N_MUTATIONS] = {
        "planes that cost", "b 1000",           "a 0.25",           "has cost",
        "has cost",         "may not be there", "may not be there", "may not be there",
        "class 4",          "may not be there"};
    const struct bench_params fast = with_arith("float");
    struct stixels_input *in = city();
    struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
    struct bench_difference difference;
    int n_tried[N_MUTATIONS] = {0};

    (void)state;
    run_reference(in, &right);
    stixels_problem.compare(&fast, in, &right, &right, &difference);
    assert_int_equal(difference.n_wrong, 0);
    for (int m = 0; m < N_MUTATIONS; m++)
        for (int c = 0; c < CITY_COLS; c++) {
            int n;

            column_at(&right, c, &n);
            copy_output(&stixels_problem, &wrong, &right);
            mutate(&wrong, c, (enum mutation)m);
            if (n < 3 || same_bits(&stixels_problem, &right, &wrong))
                continue; /* nothing there that it would spoil */
            stixels_problem.compare(&fast, in, &right, &wrong, &difference);
            if (difference.n_wrong < 1 || !strstr(difference.where, says[m]))
                fail_msg("mutation %d of column %d: %zu wrong, '%s'", m, c, difference.n_wrong,
                         difference.where);
            n_tried[m]++;
        }
    for (int m = 0; m < N_MUTATIONS; m++)
        if (n_tried[m] < 10)
            fail_msg("mutation %d was tried on %d columns", m, n_tried[m]);
    release_output(&stixels_problem, &right);
    release_output(&stixels_problem, &wrong);
    stixels_input_free(in);
}

/* Planes a little off in many columns, costs that are moved about a little: 2 of 90 may be. */
static void what_is_off_is_counted(void **state)
{
    const struct bench_params fast = with_arith("float");
    struct stixels_input *in = city();
    struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
    struct bench_difference difference;

    (void)state;
    run_reference(in, &right);
    for (int kind = 0; kind < 2; kind++) {
        int n_spoilt = 0;

        copy_output(&stixels_problem, &wrong, &right);
        for (int c = 0; c < CITY_COLS && n_spoilt < 3; c++) {
            int n;
            struct stixel *const s = column_at(&wrong, c, &n);

            if (n < 3)
                continue;
            if (kind == 0) {
                for (int i = 0; i < n; i++) /* of 24 rows some are invalid, weights 0.25 .. 1 */
                    s[i].a += s[i].geometry == SK ? 0 : 0.25f;
            } else {
                s[0].cost += 2;
                s[1].cost -= 2;
            }
            stixels_problem.compare(&fast, in, &right, &wrong, &difference);
            n_spoilt++;
            assert_int_equal(difference.n_wrong, n_spoilt == 3);
        }
        assert_int_equal(n_spoilt, 3);
        assert_string_equal(difference.where, "3 of 90 columns are off, expected at most 2 %");
        assert_int_equal(difference.n_different, 0);
    }
    release_output(&stixels_problem, &right);
    release_output(&stixels_problem, &wrong);
    stixels_input_free(in);
}

/* Float sums of long columns have fewer digits left: more of them may be off. */
static void long_columns_may_be_off(void **state)
{
    static const struct {
        int n_rows, n_off, wrong;
    } cases[] = {{256, 2, 0}, {256, 3, 1}, {257, 5, 0}, {257, 6, 1}};
    const struct bench_params fast = with_arith("float");

    (void)state;
    for (int k = 0; k < N_OF(cases); k++) {
        struct stixels_input *in = new_input(1, cases[k].n_rows, 100, 1, 1, 0);
        struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
        struct bench_difference difference;

        in->model[0] = street_model(cases[k].n_rows, 0, STIXELS_E12, 0.6);
        run_reference(in, &right); /* of nothing */
        copy_output(&stixels_problem, &wrong, &right);
        for (int u = 0; u < cases[k].n_off; u++)
            wrong.list[wrong.first[u]].cost += 1;
        stixels_problem.compare(&fast, in, &right, &wrong, &difference);
        assert_int_equal(difference.n_wrong, cases[k].wrong);
        release_output(&stixels_problem, &right);
        release_output(&stixels_problem, &wrong);
        stixels_input_free(in);
    }
}

/* The energies of a column by its cuts count in the mean, whatever it says of itself. */
static void cuts_count_on_average(void **state)
{
    const struct bench_params fast = with_arith("float");
    struct stixels_input *in = new_input(1, 20, 40, 1, 1, 0);
    struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
    struct bench_difference difference;

    (void)state;
    in->model[0] = street_model(20, 0, STIXELS_E12, 0.6);
    in->model[0].horizon = -1;
    for (int u = 0; u < 40; u++) /* a row between two objects, nearly in the middle */
        for (int v = 0; v < 20; v++)
            set_block(in, 0, u, v,
                      (uint16_t)(v < 10   ? 30 * PX
                                 : v > 10 ? 26 * PX
                                          : 28 * PX + 8),
                      255);
    run_reference(in, &right);
    assert_int_equal(right.first[40], 80);
    for (int n_moved = 0; n_moved <= 40; n_moved += 40) {
        copy_output(&stixels_problem, &wrong, &right);
        for (int u = 0; u < n_moved; u++) {
            struct stixel *const s = &wrong.list[2 * u];
            const int lower = s->v_top == 9;
            struct stixels_part parts[2];
            double energy = cost_of(&right, u);

            s[0].v_top = lower ? 10 : 9;
            s[1].v_bottom = (uint16_t)(s[0].v_top + 1);
            stixels_energy(in, 0, u, s, 2, parts);
            assert_true(parts[0].cost + parts[1].cost - energy > 0.1);
            assert_true(parts[0].cost + parts[1].cost - energy < 0.25);
            for (int i = 0; i < 2; i++) { /* as if it cost no more */
                s[i].a = (float)parts[i].plane.a;
                s[i].cost = (float)(i == 0 ? parts[0].cost : energy - parts[0].cost);
            }
        }
        stixels_problem.compare(&fast, in, &right, &wrong, &difference);
        assert_true(difference.max_error < 1e-4);
        assert_int_equal(difference.n_different, n_moved);
        assert_int_equal(difference.n_wrong, n_moved > 0);
        assert_true(!n_moved || strstr(difference.where, "on average"));
    }
    release_output(&stixels_problem, &right);
    release_output(&stixels_problem, &wrong);
    stixels_input_free(in);
}

/* Of nothing measured, and of one row, there is a plane all the same. */
static void planes_that_nothing_holds(void **state)
{
    static const struct {
        double lam;
        int valid, geometry;
        float da, db; /* about the row */
        int wrong;
    } cases[] = {
        {1, 0, OB, 0.04f, 0, 0},    {1, 0, OB, 0.06f, 0, 1},   {1, 0, OB, 500, 0, 1},
        {1, 1, OB, 0.04f, 0, 0},    {1, 1, OB, 500, 0, 1},     {1, 0, GR, 0.04f, 0, 0},
        {1, 0, GR, 0.3f, 0, 1},     {1, 0, GR, 0, 1000, 1},    {1, 1, GR, 0, 0.01f, 0},
        {1, 1, GR, 0, 1000, 1},     {0, 1, GR, 0, 0.01f, 0},   {0, 1, GR, 0, 1, 1},
        {0, 1, GR, 0, 1000, 1},     {0, 0, GR, 0, 1000, 1},    {0, 0, GR, 0, 0.01f, 0},
        {1e-9, 1, GR, 0, 0.01f, 0}, {1e-9, 1, GR, 0, 1000, 0}, /* costs nothing: see below */
    };
    const struct bench_params fast = with_arith("float");

    (void)state;
    for (int k = 0; k < N_OF(cases); k++) {
        struct stixels_input *in = new_input(1, 3, 1, 1, 1, 0);
        struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
        struct bench_difference difference;
        struct stixels_part parts[2];
        const int g = cases[k].geometry;

        in->model[0] = street_model(3, 0, STIXELS_E12, 2);
        in->model[0].lam_a = in->model[0].lam_b = cases[k].lam;
        set_block(in, 0, 0, 1, 30 * PX, 255);
        set_block(in, 0, 0, 2, 30 * PX, 255);
        if (cases[k].valid)
            set_block(in, 0, 0, 0, 90 * PX, 255);
        memset(right.list, 0, list_bytes(&right));
        right.first[0] = 0;
        right.first[1] = 2;
        right.list[0] = (struct stixel){.geometry = (uint8_t)g, .semantic = STIXELS_NO_CLASS};
        right.list[1] = (struct stixel){
            .v_bottom = 1, .v_top = 2, .geometry = OB, .semantic = STIXELS_NO_CLASS};
        stixels_energy(in, 0, 0, right.list, 2, parts);
        for (int i = 0; i < 2; i++) {
            right.list[i].a = (float)parts[i].plane.a;
            right.list[i].b = (float)parts[i].plane.b;
            right.list[i].cost = (float)parts[i].cost;
        }
        copy_output(&stixels_problem, &wrong, &right);
        wrong.list[0].a += cases[k].da;
        wrong.list[0].b += cases[k].db;
        stixels_problem.compare(&fast, in, &right, &wrong, &difference);
        if (!difference.n_wrong != !cases[k].wrong)
            fail_msg("case %d: %zu wrong, '%s'", k, difference.n_wrong, difference.where);
        release_output(&stixels_problem, &right);
        release_output(&stixels_problem, &wrong);
        stixels_input_free(in);
    }
}

/* A ground on an object as near as itself: rounding may make it nearer, but no more than that. */
static void ground_on_an_object(void **state)
{
    static const struct {
        double nearer; /* px */
        float given;   /* px that the output's ground is farther than the plane that fits */
        int wrong;
    } cases[] = {
        {-1, 0, 0}, {0, 0, 0}, {0.03125, 0, 0}, {0.25, 0, 1}, {5, 0, 1}, {0.25, 0.25f, 0},
    };
    const struct bench_params fast = with_arith("float");

    (void)state;
    for (int k = 0; k < N_OF(cases); k++) {
        struct stixels_input *in = new_input(1, 9, 1, 1, 1, 0);
        struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
        const double at_4 = 30 + cases[k].nearer;
        struct bench_difference difference;
        struct stixels_part parts[3];
        double energy;

        in->model[0] = street_model(9, 0, STIXELS_E12, 2);
        in->model[0].lam_a = in->model[0].lam_b = 0;
        for (int v = 0; v < 9; v++) /* little is known of the road */
            set_block(in, 0, 0, v,
                      (uint16_t)(PX * (v < 4   ? 30
                                       : v < 8 ? at_4 - 0.5 * (v - 4)
                                               : 10)),
                      v >= 4 && v < 8 ? 30 : 255);
        memset(right.list, 0, list_bytes(&right));
        right.first[0] = 0;
        right.first[1] = 3;
        for (int i = 0; i < 3; i++)
            right.list[i] = (struct stixel){.v_bottom = (uint16_t)(4 * i),
                                            .v_top = (uint16_t)(i == 2 ? 8 : 4 * i + 3),
                                            .geometry = (uint8_t)(i == 1 ? GR : OB),
                                            .semantic = STIXELS_NO_CLASS};
        energy = stixels_energy(in, 0, 0, right.list, 3, parts);
        assert_true((energy < (double)STIXELS_FORBIDDEN) == (parts[1].nearer_px == 0));
        assert_true(fabs(parts[1].nearer_px - fmax(cases[k].nearer, 0)) < 1e-6);
        for (int i = 0; i < 3; i++) {
            assert_false(parts[i].forbidden);
            right.list[i].a = (float)parts[i].plane.a - (i == 1 ? cases[k].given : 0);
            right.list[i].b = (float)parts[i].plane.b;
            right.list[i].cost = (float)parts[i].cost;
        }
        stixels_problem.compare(&fast, in, &right, &right, &difference);
        if ((int)difference.n_wrong != cases[k].wrong)
            fail_msg("%g px nearer: %zu wrong, '%s'", cases[k].nearer, difference.n_wrong,
                     difference.where);
        release_output(&stixels_problem, &right);
        release_output(&stixels_problem, &wrong);
        stixels_input_free(in);
    }
}

/* Of a model that stixels_energy() does not know the input still says which classes there are. */
static void classes_of_general_models(void **state)
{
    const struct bench_params fast = with_arith("float");
    struct stixels_input *in = city();
    struct stixels_output right = guarded_output(in), wrong = guarded_output(in);
    struct bench_difference difference;

    (void)state;
    run_reference(in, &right);
    in->model[0].prior = STIXELS_PFEIFFER;
    stixels_problem.compare(&fast, in, &right, &right, &difference);
    assert_int_equal(difference.n_wrong, 0);
    copy_output(&stixels_problem, &wrong, &right);
    wrong.list[0].semantic = 4;
    stixels_problem.compare(&fast, in, &right, &wrong, &difference);
    assert_int_equal(difference.n_wrong, 1);
    assert_non_null(strstr(difference.where, "class 4"));
    wrong.list[0].semantic = 3; /* there is that one, and what it costs is not known */
    stixels_problem.compare(&fast, in, &right, &wrong, &difference);
    assert_int_equal(difference.n_wrong, 0);
    assert_int_equal(difference.n_different, 1);
    release_output(&stixels_problem, &right);
    release_output(&stixels_problem, &wrong);
    stixels_input_free(in);
}

/* ---- from planes to stixels ---- */

/* What is left over beyond whole blocks of 5x3 changes nothing. */
static void input_from_planes(void **state)
{
    const char *const pairs[] = {"arith", "exact", "block", "5x3", "classes", "3", NULL};
    const struct bench_params params = params_with(&stixels_problem, pairs);
    const int height = 5 * 9 + 4, width = 3 * 6 + 2;
    const size_t n = (size_t)height * (size_t)width;
    struct plane plane = {.camera = {.fx_px = 100,
                                     .fy_px = 100,
                                     .cx_px = 10,
                                     .cy_px = 20,
                                     .baseline_m = 0.5,
                                     .height_m = 1.5},
                          .name = "leftover"};
    const struct plane *const frames[2] = {&plane, &plane};
    struct stixels_input *in, *by_hand = new_input(2, 9, 6, 5, 3, 3);
    struct stixels_output a = guarded_output(by_hand), b = guarded_output(by_hand);
    void *made;

    (void)state;
    assert_int_equal(plane_alloc(&plane, width, height), BENCH_OK);
    plane.confidence = malloc(n);
    plane.probability = malloc(3 * n * sizeof *plane.probability);
    plane.n_classes = 3;
    assert_non_null(plane.confidence);
    assert_non_null(plane.probability);
    for (size_t i = 0; i < n; i++) {
        plane.disparity[i] =
            draw(5, (uint32_t)i, 0, 5) == 0
                ? X
                : (uint16_t)(draw(5, (uint32_t)i, 1, 2000) + 900 * (i / n / 8));
        plane.confidence[i] = (uint8_t)draw(5, (uint32_t)i, 2, 256);
        for (size_t k = 0; k < 3; k++)
            plane.probability[k * n + i] =
                (uint16_t)draw(5, (uint32_t)i, 3 + (uint32_t)k, 65536);
    }
    if (stixels_problem.make_input(&params, frames, 2, &made) != BENCH_OK)
        fail_msg("%s", bench_failure());
    in = made;
    assert_int_equal(in->n_rows, 9);
    assert_int_equal(in->n_cols, 6);
    assert_int_equal(in->height, 45);
    assert_int_equal(in->width, 18);
    assert_int_equal(in->dropped_pixels, n - 45 * 18);
    for (int f = 0; f < 2; f++) {
        by_hand->model[f] = in->model[0];
        for (int r = 0; r < 45; r++)
            for (int x = 0; x < 18; x++) {
                const size_t to = (size_t)(f * 45 + r) * 18 + (size_t)x;
                const size_t from = (size_t)r * (size_t)width + (size_t)x;

                by_hand->disparity[to] = plane.disparity[from];
                by_hand->confidence[to] = plane.confidence[from];
                for (size_t k = 0; k < 3; k++)
                    by_hand->probability[((size_t)f * 3 + k) * 45 * 18 + (size_t)r * 18 +
                                         (size_t)x] = plane.probability[k * n + from];
            }
    }
    check_input("leftover", in, EXACT_ALONE, &a);
    check_input("without it", by_hand, EXACT_ALONE, &b);
    assert_true(same_bits(&stixels_problem, &a, &b));
    for (int i = 0; i <= 6; i++) /* the same frame twice */
        assert_int_equal(a.first[6 + i], a.first[6] + a.first[i]);
    stixels_problem.free_input(made);
    stixels_input_free(by_hand);
    release_output(&stixels_problem, &a);
    release_output(&stixels_problem, &b);
    plane_free(&plane);
}

/* Each variant takes one of the two models and leaves the other to others, aloud. */
static void every_model_has_its_variants(void **state)
{
    (void)state;
    for (int k = 0; bench_impls[k]; k++) {
        const struct bench_impl *impl = bench_impls[k];
        int taken[3] = {0};

        if (impl->problem != &stixels_problem || (impl->target == BENCH_CUDA && !device))
            continue;
        for (int term = STIXELS_E12; term <= STIXELS_E6_MIN; term++) {
            struct stixels_input *in = new_input(1, 5, 2, 1, 1, 0);
            struct stixels_output out = guarded_output(in);
            struct bench_params params;

            in->model[0] = street_model(5, 0, term, 0.6);
            combination(impl, "exact", 0, &params);
            taken[term] = drive(impl, &params, 1, in, &out);
            if (!taken[term])
                assert_true(strlen(bench_failure()) > 20);
            release_output(&stixels_problem, &out);
            stixels_input_free(in);
        }
        assert_int_equal(taken[STIXELS_E6_SUM], taken[STIXELS_E6_MIN]);
        assert_int_equal(taken[STIXELS_E12] + taken[STIXELS_E6_SUM], 1);
        if (impl->reference) {
            const struct bench_impl *reference = bench_find_impl(impl->reference);

            assert_non_null(reference);
            assert_null(reference->reference);
            assert_ptr_equal(reference->problem, impl->problem);
        }
    }
}

static void something_was_tested(void **state)
{
    (void)state;
    print_message(
        "%d runs of variants compared with the reference, %d of them on the device; %d "
        "cells were not theirs, %d left out for want of a device\n",
        n_cells_run, n_device_runs, n_not_theirs, n_cells_skipped);
    assert_true(n_cells_run > 0 || gpu_only);
}

/* Counted as skipped where there is no card, so that a report cannot pass for a test of the GPU. */
static void gpu_variants_were_tested(void **state)
{
    (void)state;
    if (!device)
        skip();
    assert_true(n_device_runs > 0);
}

/*
 * TEST_SMALL: how tall a column of long_columns may be, since compute-sanitizer takes minutes over 1024 rows, and one of its
 * tools over 513, which have the same kernels.  Other tests take it for a flag, so that 1 must do, too: with less than 160 rows
 * these columns would be no longer than those of other tests.
 */
static int most_rows(const char *text)
{
    const int n = text ? atoi(text) : 0;

    if (!text)
        return 0;
    return n < 160 ? 160 : n < STIXELS_MAX_ROWS ? n : STIXELS_MAX_ROWS;
}

/* "by_hand": the tests alone whose names contain this. */
int main(int argc, char **argv)
{
    char pattern[64];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_of_all_segmentations),
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(known_columns),
        cmocka_unit_test(cases_by_hand),
        cmocka_unit_test(costs_by_hand),
        cmocka_unit_test(transitions_by_hand),
        cmocka_unit_test(sums_by_hand),
        cmocka_unit_test(float_by_hand),
        cmocka_unit_test(classes_by_hand),
        cmocka_unit_test(blocks_by_hand),
        cmocka_unit_test(weights_of_blocks),
        cmocka_unit_test(shapes),
        cmocka_unit_test(nothing_to_go_by),
        cmocka_unit_test(long_columns),
        cmocka_unit_test(stixels_of_many_lengths),
        cmocka_unit_test(as_many_stixels_as_rows),
        cmocka_unit_test(faults_are_caught),
        cmocka_unit_test(wrong_outputs_are_caught),
        cmocka_unit_test(energy_of_a_segmentation),
        cmocka_unit_test(cuts_are_worth_their_energy),
        cmocka_unit_test(float_outputs_are_looked_into),
        cmocka_unit_test(what_is_off_is_counted),
        cmocka_unit_test(long_columns_may_be_off),
        cmocka_unit_test(cuts_count_on_average),
        cmocka_unit_test(planes_that_nothing_holds),
        cmocka_unit_test(ground_on_an_object),
        cmocka_unit_test(classes_of_general_models),
        cmocka_unit_test(input_from_planes),
        cmocka_unit_test(every_model_has_its_variants),
        cmocka_unit_test(something_was_tested),
        cmocka_unit_test(gpu_variants_were_tested),
    };
    int failed;

    gpu_only = getenv("GPU_ONLY") != NULL;
    small = most_rows(getenv("TEST_SMALL"));
    some_tests = argc > 1 || getenv("TEST_FILTER") != NULL;
    if (argc > 1) {
        snprintf(pattern, sizeof pattern, "*%s*", argv[1]);
        cmocka_set_test_filter(pattern);
    }
    if (bench_device_open(0, &device))
        print_message("%s\n", bench_failure());
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    bench_device_close(device);
    return failed;
}
