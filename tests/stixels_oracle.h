/*
 * stixels_oracle.h - a dynamic programming that takes nothing from the implementations: sums
 * row by row in long double, no tables.  And how every variant is held against the reference.
 * A program that includes it says what stixels and steps between them cost.
 */
#ifndef TESTS_STIXELS_ORACLE_H
#define TESTS_STIXELS_ORACLE_H

#include "tests/stixels_examples.h"
#include "tests/variants.h"

#define ORACLE_ROWS 64 /* the longest column that the dynamic programming takes */

typedef long double real;

/* "G3 O2 S4": the rows of each stixel of a column, from the bottom; "O2/7": and its class. */
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
        if (s[i].semantic != NO_CLASS)
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

/* ---- inputs ---- */

/* Every pixel for itself: any disparity, any confidence, holes; any probabilities. */
static inline void fill_noise(const struct stixels_input *in, uint64_t seed, uint32_t hole_pct)
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

/* Fills in a street: road to a contact, things one behind the other, sky; noise of half a
 * pixel, some holes, and class probabilities that are right most of the time. */
static inline void fill_street(const struct stixels_input *in, uint64_t seed, uint32_t hole_pct)
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

/* ---- what a column has measured ---- */

static inline uint32_t half_up(uint64_t sum, uint64_t n)
{
    return (uint32_t)(sum / n + (sum % n + sum % n >= n));
}

static inline void oracle_load_block(struct oracle *o, const struct stixels_input *in,
                                     int frame, int u, int v)
{
    const size_t plane = (size_t)in->height * (size_t)in->width;
    const int n = in->block_rows * in->block_cols;
    uint64_t sum = 0, sure = 0, likely[STIXELS_MAX_CLASSES] = {0};
    int n_valid = 0;

    for (int y = 0; y < in->block_rows; y++)
        for (int x = 0; x < in->block_cols; x++) {
            const size_t i = pixel(in, frame, u, v, y, x);
            const size_t skip = (size_t)frame * (size_t)(in->n_classes - 1) * plane;

            if (in->disparity[i] != X && in->confidence[i] != 0) {
                sum += in->disparity[i];
                sure += in->confidence[i];
                n_valid++;
            }
            for (int k = 0; k < in->n_classes; k++)
                likely[k] += in->probability[skip + (size_t)k * plane + i];
        }
    o->cell[v].valid = n_valid >= n - n_valid;
    o->cell[v].w = o->cell[v].px = 0;
    if (o->cell[v].valid) {
        const int rule = o->model->weight_squared;
        const real c = rule == STIXELS_WEIGHT_NONE ? 1 : half_up(sure, (uint64_t)n) / 255.0L;

        o->cell[v].px = (real)half_up(sum, (uint64_t)n_valid) / PX;
        o->cell[v].w = rule == STIXELS_WEIGHT_SQUARED ? c * c : c;
    }
    for (int k = 0; k < in->n_classes; k++)
        o->class_cost[k][v] =
            (real)stixels_semantic_cost(half_up(likely[k], (uint64_t)n)) / 1024;
}

/* Column c of all frames. */
static inline void oracle_load(struct oracle *o, const struct stixels_input *in, int c)
{
    const struct stixels_model *const m = &in->model[c / in->n_cols];

    o->model = m;
    o->n_rows = in->n_rows;
    o->n_classes = in->n_classes;
    o->horizon = m->horizon;
    o->pfeiffer = m->prior == STIXELS_PFEIFFER;
    o->top_down = m->direction == STIXELS_TOP_DOWN;
    o->lam_a = (real)m->lam_a;
    o->lam_b = (real)m->lam_b;
    o->near = m->data_term == STIXELS_E12 ? 1e-8L : 5e-3L;
    for (int v = 0; v < in->n_rows; v++)
        oracle_load_block(o, in, c / in->n_cols, c % in->n_cols, v);
}

/* ---- stixels ---- */

/* The program's: what rows v_b .. v_t cost as one stixel, and what it costs that one begins on
 * another at row k (-1: it may not). */
static real oracle_own(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit);
static real oracle_step(const struct oracle *o, int lower, int upper, int k, real d_lower,
                        real d_upper);

/* [STX] eq. 11: the plane of least energy, from the normal equations in a and b. */
static inline void oracle_plane(const struct oracle *o, int g, int v_b, int v_t,
                                struct fit *fit)
{
    const real mu_a = (real)o->model->mu_a, mu_b = (real)o->model->mu_b;
    real s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
    int n = 0;

    *fit = (struct fit){0};
    for (int v = v_b; v <= v_t; v++) {
        const real w = o->cell[v].w, px = o->cell[v].px;

        n += w > 0;
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

        if (n > 1 || (a0 > 0 && o->lam_b > 0)) {
            fit->a = (a2 * r0 - s1 * r1) / determinant;
            fit->b = (a0 * r1 - s1 * r0) / determinant;
        } else { /* the expected slope, through what there is */
            fit->b = mu_b;
            fit->a = a0 > 0 ? (r0 - mu_b * s1) / a0 : mu_a;
        }
    }
}

/* The squares left of the measurements, and a ground's prior: eq. 12 and 7, times sigma^2. */
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

    *class = NO_CLASS;
    for (int k = 0; k < o->n_classes; k++) {
        real sum = 0;

        if (o->model->geometry_of[k] != g)
            continue;
        for (int v = v_b; v <= v_t; v++)
            sum += o->class_cost[k][v];
        if (*class == NO_CLASS || sum < least) {
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

/* Between neighbours under linear priors, from their disparities beside the border. */
static inline real oracle_linear(const struct stixels_model *m, int lower, int upper,
                                 real d_lower, real d_upper)
{
    const real apart = fabsl(d_lower - d_upper); /* sums of integers: equal ones nearly are */
    const int nearer = d_upper - d_lower > 1e-10L, farther = d_lower - d_upper > 1e-10L;

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

/* 1: a column is cut as the oracle's, with its planes and energy; 0: another one, since two
 * segmentations are as good as equal. */
static inline int agrees_with_naive(const char *what, const struct oracle *o,
                                    const struct stixels_output *out, int c, real tolerance)
{
    static struct naive naive;
    int n, first[2] = {0}, same;
    struct stixel list[ORACLE_ROWS];
    const struct stixels_output expected = {.first = first, .list = list};
    const struct stixel *const f = column_at(out, c, &n);
    char text[512];
    real energy;

    assert_true(o->n_rows <= ORACLE_ROWS);
    first[1] = naive_solve(o, &naive, list, &energy);
    snprintf(text, sizeof text, "%s", column_text(&expected, 0));
    same = !strcmp(text, column_text(out, c));
    if (!same && !naive.tie)
        fail_msg("%s, column %d: %s, expected %s", what, c, column_text(out, c), text);
    if (naive.tie)
        return same;
    for (int i = 0; i < n; i++) {
        const float ends[] = {f[i].v_bottom, f[i].v_top};

        for (int k = 0; k < 2; k++)
            assert_near((double)(f[i].b * ends[k] + f[i].a),
                        (double)(list[i].b * ends[k] + list[i].a), 2e-3);
    }
    assert_near(energy_of(out, c), (double)energy, (double)(tolerance + 1e-6L * fabsl(energy)));
    return same;
}

/* ---- every variant against the reference ---- */

/* Not all tests were asked for: the short columns of those that were are all tried. */
static int some_tests;

/* 0: the variant was not run. */
static inline int drive(const struct bench_impl *impl, const struct bench_params *params,
                        int n_threads, const struct stixels_input *in,
                        struct stixels_output *out)
{
    return run_counted(impl, params, n_threads, in, out, guarded_output(in));
}

static inline struct bench_params with_arith(const char *arith)
{
    return PARAMS_OF(stixels_problem, "arith", arith);
}

/* With the first combination of its keys and one thread. */
static inline int run_variant(const struct bench_impl *impl, const char *arith,
                              struct example e)
{
    struct bench_params params = with_arith(arith);

    combine_keys(impl, 0, &params);
    return drive(impl, &params, 1, e.in, e.out);
}

/* The exact output of the variant that is the reference for this input's model. */
static inline void run_reference(struct example e)
{
    for (int k = 0; bench_impls[k]; k++)
        if (bench_impls[k]->problem == &stixels_problem && !bench_impls[k]->reference &&
            run_variant(bench_impls[k], "exact", e))
            return;
    fail_msg("no reference takes this model");
}

/* The ways in which variants are tried on an input. */
enum trial {
    EXACT_ALONE,
    EXACT_AND_FLOAT /* within what the problem allows, which is a share of the columns */
};

/* True if enough inputs of a size have been, without and with float: under a sanitizer kernels
 * take a hundred times as long. */
static inline int too_much(const struct stixels_input *in, enum trial trial)
{
    if (some_tests && in->n_rows <= 16)
        return 0;
    return (size_t)in->n_cols * (size_t)in->n_frames * (size_t)in->n_rows > 8192 ||
           is_enough(trial != EXACT_ALONE, in->n_rows, 4);
}

/* All variants on an input; its output becomes the reference's. */
static inline void check_variants(const char *what, struct example e, enum trial trial)
{
    const int left_out = small && too_much(e.in, trial), tall = e.in->n_rows > 256;

    run_reference(e);
    if (!left_out)
        check_all(&stixels_problem, with_arith("exact"), what, e.in, e.out, tall);
    if (!left_out && trial != EXACT_ALONE)
        check_all(&stixels_problem, with_arith("float"), what, e.in, e.out, tall);
}

#endif
