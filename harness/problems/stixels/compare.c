/* compare.c - whether an output is the reference's, or within what stixels.h allows */
#include "harness/problems/difference.h"
#include "harness/problems/stixels/energy.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The limits of arith = float, see stixels_compare(). */
#define FLOAT_ENERGY_RELATIVE 1e-3 /* of a column's energy ... */
#define FLOAT_ENERGY_NAT      0.25 /* ... and this, or the column is off */
#define FLOAT_WRONG_RELATIVE  0.05 /* of a column's energy ... */
#define FLOAT_WRONG_NAT       5.0  /* ... and this, or it is wrong */
#define FLOAT_EXCESS_NAT      0.1  /* above what fitted planes cost, or a column is off */
#define FLOAT_PLANE_RELATIVE  1e-3 /* of a disparity ... */
#define FLOAT_PLANE_PX        0.05 /* ... and this, where no energy says what a plane is */
#define FLOAT_OFF_PCT         2    /* of the columns may be off, rounded up ... */
#define FLOAT_LONG_ROWS       256  /* ... of at most so many block rows */
#define FLOAT_OFF_LONG_PCT    5 /* ... and of longer ones, whose float sums hold fewer digits */
#define FLOAT_MEAN_NAT        0.05 /* what energies may differ by on average ... */
#define FLOAT_MEAN_RELATIVE   1e-3 /* ... and this, over FLOAT_MEAN_COLUMNS or more */
#define FLOAT_MEAN_COLUMNS    32

/* If it is not known what cuts and planes cost: FLOAT_OFF_LONG_PCT, and of the columns, rounded
 * up, may ... */
#define FLOAT_DIFFERENT_PCT 15 /* ... be cut or named differently */
#define FLOAT_PLANES_PCT    30 /* ... be off in a plane alone, of hardly any confidence */

/* One column of both outputs; what is not known to be right is never used as an index. */
struct column {
    const struct stixels_input *in; /* NULL: what its cuts and planes cost is not known */
    struct bench_difference *difference;
    int frame, col;
    const struct stixel *reference, *output;
    int n_reference, n_output;
};

/* A column is one wrong value, for the reason given.  The expression is 1: wrong. */
#define WRONG(column, format, ...)                                             \
    (difference_wrong((column)->difference, 1, "frame %d, column %d: " format, \
                      (column)->frame, (column)->col, __VA_ARGS__),            \
     1)

int stixels_column(const struct stixels_output *out, size_t c, const struct stixel **list)
{
    const int64_t begin = out->first[c], end = out->first[c + 1];

    *list = NULL;
    if (begin < 0 || end <= begin || end - begin > out->n_rows ||
        end > (int64_t)stixels_capacity(out))
        return -1;
    *list = out->list + begin;
    return (int)(end - begin);
}

static double energy_of(const struct stixel *list, int n)
{
    double energy = 0;

    for (int i = 0; i < n; i++)
        energy += (double)list[i].cost;
    return energy;
}

/* 0 and -0 differ. */
static int same_bits(const void *a, const void *b, size_t n_bytes)
{
    return memcmp(a, b, n_bytes) == 0;
}

static int wrong_field(const struct column *column, int i)
{
    const struct stixel *r = &column->reference[i], *o = &column->output[i];
    const struct {
        const char *name;
        double reference, output;
    } field[] = {
        {"v_bottom", r->v_bottom, o->v_bottom}, {"v_top", r->v_top, o->v_top},
        {"geometry", r->geometry, o->geometry}, {"semantic", r->semantic, o->semantic},
        {"reserved", r->reserved, o->reserved}, {"a", (double)r->a, (double)o->a},
        {"b", (double)r->b, (double)o->b},      {"cost", (double)r->cost, (double)o->cost},
    };

    for (size_t f = 0; f < sizeof field / sizeof *field; f++)
        if (!same_bits(&field[f].reference, &field[f].output, sizeof(double)))
            return WRONG(column, "stixel %d has %s %.9g, the reference has %.9g", i,
                         field[f].name, field[f].output, field[f].reference);
    return WRONG(column, "stixel %d differs", i); /* bits that no field shows */
}

/* arith = exact: every field of every stixel.  1: wrong. */
static int compare_exact(const struct column *column)
{
    if (column->n_output != column->n_reference)
        return WRONG(column, "%d stixels, the reference has %d", column->n_output,
                     column->n_reference);
    for (int i = 0; i < column->n_output; i++)
        if (!same_bits(&column->output[i], &column->reference[i], sizeof *column->output))
            return wrong_field(column, i);
    return 0;
}

/* Does a plane belong to a geometry? */
static int is_plane_of(const struct stixel *s)
{
    return s->geometry == STIXELS_GROUND ||
           (s->b == 0 && (s->geometry == STIXELS_OBJECT || s->a == 0));
}

int stixels_is_segmentation(const struct stixel *list, int n, int n_rows, int n_classes,
                            char *why, size_t size)
{
    int next = 0;

    for (int i = 0; i < n; i++) {
        const struct stixel *const s = &list[i];

        if (s->v_bottom != next || s->v_top < s->v_bottom || s->v_top >= n_rows)
            snprintf(why, size, "stixel %d has the rows %d to %d, expected %d to at most %d", i,
                     s->v_bottom, s->v_top, next, n_rows - 1);
        else if (s->geometry >= STIXELS_N_GEOMETRIES || s->reserved > (i == 0 ? n_rows : 0) ||
                 (s->semantic >= n_classes && s->semantic != STIXELS_NO_CLASS))
            snprintf(why, size, "stixel %d has geometry %d, class %d, reserved %d", i,
                     s->geometry, s->semantic, s->reserved);
        else if (!isfinite(s->a) || !isfinite(s->b) || !isfinite(s->cost))
            snprintf(why, size, "stixel %d has a %g, b %g, cost %g", i, (double)s->a,
                     (double)s->b, (double)s->cost);
        else if (!is_plane_of(s))
            snprintf(why, size, "stixel %d has geometry %d with a %g, b %g", i, s->geometry,
                     (double)s->a, (double)s->b);
        else {
            next = s->v_top + 1;
            continue;
        }
        return 0;
    }
    if (next != n_rows)
        snprintf(why, size, "the stixels end at row %d, expected %d", next - 1, n_rows - 1);
    return next == n_rows;
}

static double disparity_at(const struct stixel *s, double v)
{
    return (double)s->b * v + (double)s->a;
}

static int is_near(double found, double expected)
{
    return fabs(found - expected) <= FLOAT_PLANE_PX + FLOAT_PLANE_RELATIVE * fabs(expected);
}

/* Are the planes of a column that is cut as the reference's near it? */
static int planes_agree(const struct column *column)
{
    for (int i = 0; i < column->n_output; i++) {
        const struct stixel *r = &column->reference[i], *o = &column->output[i];

        if (!is_near(disparity_at(o, r->v_bottom), disparity_at(r, r->v_bottom)) ||
            !is_near(disparity_at(o, r->v_top), disparity_at(r, r->v_top)))
            return 0;
    }
    return 1;
}

enum bench_status stixels_check_output(const struct stixels_input *in,
                                       const struct stixels_output *out)
{
    FAIL_IF(out->n_frames != in->n_frames || out->n_cols != in->n_cols ||
                out->n_rows != in->n_rows || out->first[0] != 0,
            BENCH_EMISMATCH, "the output is none of %d frames of %d x %d blocks", in->n_frames,
            in->n_cols, in->n_rows);
    for (size_t c = 0; c < stixels_n_columns(out); c++) {
        const struct stixel *list;
        const int n = stixels_column(out, c, &list);
        char why[128] = "";

        FAIL_IF(n < 0, BENCH_EMISMATCH,
                "column %zu begins at stixel %d and the next at %d, expected 1 "
                "to %d between them",
                c, out->first[c], out->first[c + 1], in->n_rows);
        FAIL_IF(!stixels_is_segmentation(list, n, in->n_rows, in->n_classes, why, sizeof why),
                BENCH_EMISMATCH, "column %zu: %s", c, why);
    }
    return BENCH_OK;
}

int stixels_same_cuts(const struct stixel *reference, int n_reference,
                      const struct stixel *output, int n_output)
{
    int same = n_output == n_reference;

    for (int i = 0; i < n_output && same; i++) {
        const struct stixel *r = &reference[i], *o = &output[i];

        same = o->v_bottom == r->v_bottom && o->v_top == r->v_top &&
               o->geometry == r->geometry && o->semantic == r->semantic;
    }
    return same;
}

/* A column under arith = float. */
struct verdict {
    int off;
    int differs;     /* in cuts, geometries or classes */
    int unscored;    /* differs, and what that costs is not known */
    int planes_off;  /* where what they cost is not known */
    double expected; /* nat: the reference's energy */
    double apart;    /* nat: the worse of its own account and of what it really costs */
    double slack;    /* nat: steps that float may take for none, struct stixels_part */
};

/*
 * An energy that should be 'expected' differs by so many nat, slack apart: the column is off
 * beyond FLOAT_ENERGY_*.  0: beyond FLOAT_WRONG_*.  Relative to the column's energy where that
 * is larger: a stixel's cost is a difference of such.
 */
static int may_differ(struct verdict *verdict, double expected, double apart)
{
    const double energy = fmax(fabs(expected), fabs(verdict->expected));
    const double nat = apart - verdict->slack; /* a NaN stays */

    verdict->off |= !(nat <= FLOAT_ENERGY_NAT + FLOAT_ENERGY_RELATIVE * energy);
    return nat <= FLOAT_WRONG_NAT + FLOAT_WRONG_RELATIVE * energy;
}

/*
 * A plane that measurements (of one row, with a prior on the slope) hold is as far off as its
 * excess says.  If they do not, is it the one that stixels/fit.h gives, at both edges of the
 * stixel?
 */
static int is_loose_plane_right(const struct stixels_model *model, const struct stixel *s,
                                const struct stixels_part *part)
{
    const double bottom = s->v_bottom - 0.5, top = s->v_top + 0.5;
    const int held = s->geometry != STIXELS_GROUND || model->lam_b > 0 ? part->n_weighted > 0
                                                                       : part->n_weighted > 1;

    return held || (is_near(disparity_at(s, bottom), part->plane.b * bottom + part->plane.a) &&
                    is_near(disparity_at(s, top), part->plane.b * top + part->plane.a));
}

/*
 * Is a ground nearer than the object that it stands on by more than rounding can make it, by
 * the planes that fit and by the output's own?  (Float says little of the plane of a stixel of
 * hardly any confidence; its excess is judged.)
 */
static int is_too_near(const struct stixel *s, const struct stixels_part *part)
{
    const double px = stixels_at_double(part->plane, s->v_bottom);
    const double tolerance = FLOAT_PLANE_PX + FLOAT_PLANE_RELATIVE * fabs(px);

    return part->nearer_px > tolerance && /* so there is one below */
           disparity_at(s, s->v_bottom) - disparity_at(s - 1, s[-1].v_top) > tolerance;
}

/*
 * Has a stixel another cost than the reference's, or where the column is cut otherwise (parts:
 * not NULL then) than its part?
 */
static int are_costs_wrong(const struct column *column, const struct stixels_part *parts,
                           struct verdict *verdict)
{
    for (int i = 0; i < column->n_output; i++) {
        const double found = (double)column->output[i].cost;
        const double expected =
            verdict->differs ? parts[i].cost : (double)column->reference[i].cost;

        if (!may_differ(verdict, expected, fabs(found - expected)))
            return WRONG(column, "stixel %d has cost %.9g, expected %.9g", i, found, expected);
    }
    return 0;
}

/* Is the energy by the output's own account near the reference's?  1: wrong. */
static int is_account_wrong(const struct column *column, struct verdict *verdict)
{
    if (may_differ(verdict, 0, verdict->apart))
        return 0;
    return WRONG(column, "an energy of %.9g nat, the reference has %.9g",
                 energy_of(column->output, column->n_output), verdict->expected);
}

/* Is the output what it says, in exact arithmetic, and as good as the reference?  1: wrong. */
static int judge(const struct column *column, struct verdict *verdict)
{
    const struct stixels_model *const model = &column->in->model[column->frame];
    struct stixels_part parts[STIXELS_MAX_ROWS];
    double energy = 0, excess = 0;

    stixels_energy(column->in, column->frame, column->col, column->output, column->n_output,
                   parts);
    for (int i = 0; i < column->n_output; i++)
        verdict->slack += parts[i].slack;
    if (is_account_wrong(column, verdict))
        return 1;
    for (int i = 0; i < column->n_output; i++) {
        const struct stixel *const o = &column->output[i];
        const struct stixels_part *const part = &parts[i];

        energy += part->cost;
        excess += part->excess;
        if (part->forbidden || is_too_near(o, part))
            return WRONG(column, "stixel %d of geometry %d, class %d may not be there", i,
                         o->geometry, o->semantic);
        if (!is_loose_plane_right(model, o, part))
            return WRONG(column,
                         "stixel %d has the plane %.9g v %+.9g, expected %.9g v %+.9g: too "
                         "little is measured",
                         i, (double)o->b, (double)o->a, part->plane.b, part->plane.a);
    }
    /* by its own account it may be as good as the reference: its cuts' cost counts */
    if (!may_differ(verdict, 0, energy - verdict->expected))
        return WRONG(column, "cuts that cost %.9g nat, the reference's cost %.9g", energy,
                     verdict->expected);
    verdict->off |= !(excess <= FLOAT_EXCESS_NAT);
    if (!may_differ(verdict, 0, excess + verdict->slack))
        return WRONG(column, "planes that cost %.9g nat more than those that fit", excess);
    verdict->apart = fmax(verdict->apart, energy + excess - verdict->expected);
    verdict->apart = fmax(verdict->apart - verdict->slack, 0);
    return are_costs_wrong(column, parts, verdict);
}

/* Compares, without stixels_energy(), a column that is cut as the reference's.  1: wrong. */
static int compare_alike(const struct column *column, struct verdict *verdict)
{
    verdict->unscored = verdict->differs;
    if (is_account_wrong(column, verdict))
        return 1;
    if (verdict->differs)
        return 0;
    verdict->planes_off = !planes_agree(column);
    return are_costs_wrong(column, NULL, verdict);
}

/* arith = float against the exact reference: near-ties may fall otherwise. */
static struct verdict compare_float(const struct column *column, int n_rows, int n_classes)
{
    struct verdict verdict = {.off = 1, .differs = 1, .unscored = 1};
    char why[128];

    verdict.expected = energy_of(column->reference, column->n_reference);
    verdict.apart = fabs(energy_of(column->output, column->n_output) - verdict.expected);
    if (!stixels_is_segmentation(column->output, column->n_output, n_rows, n_classes, why,
                                 sizeof why)) {
        (void)WRONG(column, "%s", why);
        return verdict;
    }
    verdict.differs = !stixels_same_cuts(column->reference, column->n_reference, column->output,
                                         column->n_output);
    verdict.off = verdict.unscored = 0;
    if (column->output[0].reserved != 0)
        (void)WRONG(column, "stixel 0 has reserved %d", column->output[0].reserved);
    else if (column->in)
        judge(column, &verdict);
    else
        compare_alike(column, &verdict);
    return verdict;
}

/* Are the entries of the list that no column has 0?  'first' makes sense. */
static int has_clean_end(const struct stixels_output *out)
{
    static const struct stixel zero = {0};

    for (size_t i = (size_t)out->first[stixels_n_columns(out)]; i < stixels_capacity(out); i++)
        if (!same_bits(&out->list[i], &zero, sizeof zero))
            return 0;
    return 1;
}

/* n of so many columns; more than most_pct of them, rounded up, are one more that is wrong. */
static void check_share(const char *what, size_t n, size_t of, size_t most_pct,
                        struct bench_difference *difference)
{
    if (n <= (of * most_pct + 99) / 100)
        return;
    difference_wrong(difference, 1, "%zu of %zu columns %s, expected at most %zu %%", n, of,
                     what, most_pct);
}

/* Column c of both.  1: one of them makes no sense, which is wrong. */
static int is_broken(const struct stixels_output *r, const struct stixels_output *o, size_t c,
                     struct column *column)
{
    column->frame = (int)(c / (size_t)r->n_cols);
    column->col = (int)(c % (size_t)r->n_cols);
    column->n_reference = stixels_column(r, c, &column->reference);
    column->n_output = stixels_column(o, c, &column->output);
    return (column->n_output < 0 || column->n_reference < 0) &&
           WRONG(column,
                 "its stixels are %" PRId32 " to %" PRId32
                 " of the list, the reference's %" PRId32 " to %" PRId32,
                 o->first[c], o->first[c + 1], r->first[c], r->first[c + 1]);
}

/* Checks a list whose columns make sense. */
static void check_ends(const struct stixels_output *o, struct bench_difference *difference)
{
    if (o->first[0] != 0)
        difference_wrong(difference, 1, "the list begins at %" PRId32 ", expected 0",
                         o->first[0]);
    else if (!has_clean_end(o))
        difference_wrong(difference, 1, "the list is not 0 behind its end, %" PRId32,
                         o->first[stixels_n_columns(o)]);
}

void stixels_compare_other(const struct bench_params *params, const void *input,
                           const void *reference, const void *output,
                           struct bench_difference *difference)
{
    const struct stixels_output *r = reference, *o = output;
    const struct stixels_input *const in = input;
    size_t n_broken = 0;

    (void)params;
    if (difference_of_shape(&o->n_frames, &r->n_frames, difference))
        return;
    difference->n_compared = stixels_n_columns(r);
    for (size_t c = 0; c < difference->n_compared; c++) {
        struct column column = {.difference = difference};
        char why[128] = "";

        if (is_broken(r, o, c, &column))
            n_broken++;
        else if (!stixels_is_segmentation(column.output, column.n_output, r->n_rows,
                                          in->n_classes, why, sizeof why))
            (void)WRONG(&column, "%s", why);
        difference->n_different += !stixels_same_cuts(column.reference, column.n_reference,
                                                      column.output, column.n_output);
    }
    if (n_broken == 0)
        check_ends(o, difference);
}

void stixels_compare(const struct bench_params *params, const void *input,
                     const void *reference, const void *output,
                     struct bench_difference *difference)
{
    const struct stixels_output *r = reference, *o = output;
    const int exact = stixels_problem.match(params) == BENCH_EXACT;
    const struct stixels_input *in = input;
    const int n_classes = in ? in->n_classes : STIXELS_MAX_CLASSES;
    const size_t n = stixels_n_columns(r);
    size_t n_broken = 0, n_unscored = 0, n_off = 0, n_planes_off = 0;
    double apart = 0, energy = 0;

    memset(difference, 0, sizeof *difference);
    if (in && stixels_needs_general(&in->model[0]))
        in = NULL; /* stixels_energy() has no such models */
    if (difference_of_shape(&o->n_frames, &r->n_frames, difference))
        return;
    for (size_t c = 0; c < n; c++) {
        struct column column = {.in = in, .difference = difference};
        struct verdict verdict = {.off = 1, .differs = 1, .unscored = 1};

        if (is_broken(r, o, c, &column)) {
            n_broken++;
        } else {
            const double expected = energy_of(column.reference, column.n_reference);
            const double error = fabs(energy_of(column.output, column.n_output) - expected);

            if (exact) {
                verdict.differs = compare_exact(&column);
            } else {
                verdict = compare_float(&column, r->n_rows, n_classes);
                apart += verdict.apart;
                energy += fabs(expected);
            }
            if (isnan(error) || error > difference->max_error) /* a NaN stays */
                difference->max_error = error;
        }
        difference->n_different += verdict.differs != 0;
        n_unscored += verdict.unscored != 0;
        n_off += verdict.off != 0;
        n_planes_off += verdict.planes_off != 0;
    }
    difference->n_compared = n;
    if (n_broken == 0)
        check_ends(o, difference);
    if (exact)
        return;
    check_share("are off", n_off, n,
                in && r->n_rows <= FLOAT_LONG_ROWS ? FLOAT_OFF_PCT : FLOAT_OFF_LONG_PCT,
                difference);
    check_share("are off in a plane", n_planes_off, n, FLOAT_PLANES_PCT, difference);
    check_share("differ", n_unscored, n, FLOAT_DIFFERENT_PCT, difference);
    if (n >= FLOAT_MEAN_COLUMNS &&
        !(apart <= FLOAT_MEAN_NAT * (double)n + FLOAT_MEAN_RELATIVE * energy))
        difference_wrong(difference, 1, "energies of %zu columns differ by %.3g nat on average",
                         n, apart / (double)n);
}
