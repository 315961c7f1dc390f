/*
 * test_stixels.c - every variant of stixels against a definition written down once more, and
 * the problem's own functions
 *
 * The definition takes nothing from the implementations and nothing from stixels/fit.h: pixels
 * to blocks by plain sums, energies row by row.  (A row's cost under eq. 6 and a probability's
 * come from stixels/model.h, whose rounding decides the last 1/1024 nat; test_stixels_problem.c
 * holds them against libm.)  The cases are run by all variants that the registry lists.
 */
#include "harness/problems/stixels/energy.h"
#include "tests/stixels_oracle.h"

/* ---- what a stixel costs ---- */

/* [STX] eq. 2-4, 6, 7, 12: what a stixel costs by itself. */
static real oracle_own(const struct oracle *o, int g, int v_b, int v_t, struct fit *fit)
{
    const struct stixels_model *const m = o->model;
    const real sigma2 = (real)m->sigma[g] * (real)m->sigma[g];
    real energy = (real)m->plane[g] + (real)m->beta_mc;

    oracle_plane(o, g, v_b, v_t, fit);
    if (m->data_term == STIXELS_E12)
        energy += oracle_squares(o, g, v_b, v_t, fit) / sigma2;
    else
        energy += oracle_squares(o, g, v_b, v_b - 1, fit) / sigma2; /* the prior alone */
    for (int v = v_b; v <= v_t; v++) {
        const real r = o->cell[v].px - (fit->b * v + fit->a);

        if (!o->cell[v].valid)
            energy += (real)m->k_invalid[g] / 1024;
        else if (m->data_term == STIXELS_E12)
            energy += (real)m->k_valid[g] / 1024;
        else
            energy += (real)(m->k_valid[g] +
                             stixels_row_cost(m, g, (double)(o->cell[v].w * r * r / sigma2))) /
                      1024;
    }
    return energy + (real)m->weight_semantic * oracle_class(o, g, v_b, v_t, &fit->semantic);
}

static real oracle_step(const struct oracle *o, int lower, int upper, int k, real d_lower,
                        real d_upper)
{
    (void)k;
    return oracle_linear(o->model, lower, upper, d_lower, d_upper);
}

/* ---- the reference against it ---- */

static int n_compared_columns, n_columns_as_the_oracle;

/*
 * The reference's output: a segmentation whose stixels may be where they are, with the planes
 * and costs that stixels_energy() finds from row to row; where the oracle is quick enough, its
 * cuts, classes, planes and energy.
 */
static void check_reference(const char *what, struct example e)
{
    const struct bench_params fast = with_arith("float");
    const struct stixels_input *const in = e.in;
    static struct oracle o;
    struct bench_difference difference;

    stixels_problem.compare(&fast, in, e.out, e.out, &difference);
    if (difference.n_wrong)
        fail_msg("%s: %s", what, difference.where);
    for (int c = 0; c < in->n_frames * in->n_cols; c++) {
        struct stixels_part parts[STIXELS_MAX_ROWS];
        int n;
        const struct stixel *const s = column_at(e.out, c, &n);
        const double energy = stixels_energy(in, c / in->n_cols, c % in->n_cols, s, n, parts);

        assert_near(energy_of(e.out, c), energy, 1e-4 + 1e-6 * fabs(energy));
        assert_true(energy == stixels_energy(in, c / in->n_cols, c % in->n_cols, s, n, NULL));
        for (int i = 0; i < n; i++) {
            assert_true((float)parts[i].plane.a == s[i].a && (float)parts[i].plane.b == s[i].b);
            assert_near(parts[i].cost, (double)s[i].cost, 1e-4 + 1e-6 * fabs(energy));
            assert_true(parts[i].excess >= 0 && parts[i].excess < 1e-6 && !parts[i].forbidden);
        }
        if (in->n_rows <= ORACLE_ROWS) {
            oracle_load(&o, in, c);
            n_compared_columns++;
            n_columns_as_the_oracle +=
                agrees_with_naive(what, &o, e.out, c, 1e-4L * in->n_rows);
        }
    }
}

/* All variants on an input, whose output becomes the reference's. */
static void check_input(const char *what, struct example e, enum trial trial)
{
    check_variants(what, e, trial);
    check_reference(what, e);
}

/* The same, and column 0 must be cut like that. */
static void check_column(const char *what, struct example e, enum trial trial,
                         const char *expected)
{
    check_input(what, e, trial);
    assert_column(what, e.out, 0, expected);
}

/* ---- inputs ---- */

/* The name of a case, until the next one. */
static const char *text_of(const char *format, int a, int b)
{
    static char text[64];

    snprintf(text, sizeof text, format, a, b);
    return text;
}

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

/* Whole quarters of a nat, few of them, so that many segmentations cost the same; a road that
 * is flat and held there, or free. */
static struct stixels_model tie_model(uint64_t seed, int n_rows, int n_classes, int data_term)
{
    struct stixels_model m = plain_model(n_rows, data_term);
    double *const nats[] = {&m.beta_mc,        &m.plane[GR],    &m.plane[SK],
                            &m.gap_alpha,      &m.behind_alpha, &m.hovering_alpha,
                            &m.ordering_alpha, &m.ordering_beta};

    for (int i = 0; i < N_OF(nats); i++)
        *nats[i] = 0.25 * draw(seed, 1, (uint32_t)i, 5) - (i < 3 ? 0.5 : 0);
    for (int g = 0; g < N_GEO; g++) {
        m.k_valid[g] = 256 * ((int32_t)draw(seed, 2, (uint32_t)g, 4) - 2);
        m.k_invalid[g] = 256 * ((int32_t)draw(seed, 3, (uint32_t)g, 4) - 2);
    }
    for (int k = 0; k < n_classes; k++)
        m.geometry_of[k] = (int32_t)draw(seed, 4, (uint32_t)k, 4) - 1;
    m.n_classes = n_classes;
    m.weight_semantic = 1;
    m.horizon = (int32_t)draw(seed, 5, 0, (uint32_t)n_rows + 2) - 1;
    m.mu_a = seed % 2 ? 8 : 0;
    m.lam_a = m.lam_b = seed % 2 ? 1048576 : 1;
    return m;
}

/* b12, or with its numbers eq. 6; the road leaves the image at 'horizon_at' of its rows. */
static struct stixels_model street_model(int n_rows, int n_classes, int data_term,
                                         double horizon_at)
{
    struct stixels_preset b12 = named("b12");
    struct stixels_model m;

    b12.data_term = data_term;
    m = model_of(&b12, &city, 8, n_rows, n_classes);
    m.mu_a = 100;
    m.mu_b = -m.mu_a / (horizon_at * n_rows);
    m.horizon = (int32_t)ceil(horizon_at * n_rows) - 1;
    m.horizon = m.horizon > n_rows ? n_rows : m.horizon;
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
    m.lam_a = seed % 3 ? between(seed, 70, 0.01, 4) : 0;
    m.lam_b = seed % 3 ? between(seed, 71, 0.01, 4) : 0;
    m.weight_squared = draw(seed, 72, 0, 2) == 0;
    for (int k = 0; k < n_classes; k++)
        m.geometry_of[k] = (int32_t)draw(seed, 80 + (uint32_t)k, 0, 4) - 1;
    return m;
}

/* Whole pixels in runs, so that one object after the other has the disparity of the one below:
 * cut by classes, whose runs are others.  Means of 6, 7 and 8 px are equal, too. */
static void fill_whole(const struct stixels_input *in, uint64_t seed, int sure)
{
    for (int c = 0; c < in->n_frames * in->n_cols; c++) {
        const uint32_t column = (uint32_t)c << 12;
        int px = 0, class = 0;

        for (int v = 0; v < in->n_rows; v++) {
            const uint32_t i = column + (uint32_t)v;

            if (v == 0 || draw(seed, i, 1, 6) == 0)
                px = 6 + (int)draw(seed, i, 2, 3) * (c % 4 > 0);
            if (v == 0 || draw(seed, i, 3, 3) == 0)
                class = (int)draw(seed, i, 4, 32);
            set_block(in, c / in->n_cols, c % in->n_cols, v, px,
                      (uint8_t)(sure ? 255 : draw(seed, i, 5, 256)));
            for (int k = 0; k < in->n_classes; k++)
                set_probability(in, c / in->n_cols, k, c % in->n_cols, v,
                                k == class % in->n_classes ? 52000 : 900);
        }
    }
}

/* One thing without noise. */
static void fill_columns_of(const struct stixels_input *in, int px)
{
    for (int i = 0; i < in->n_frames * in->height * in->width; i++)
        in->disparity[i] = (uint16_t)(px * PX);
}

/* Few whole disparities, and few probabilities: equal ones of many classes. */
static void fill_ties(const struct stixels_input *in, uint64_t seed)
{
    static const double px[] = {NO_PX, 0, 4, 8, 8, 12};

    for (int i = 0; i < in->n_frames * in->n_cols * in->n_rows; i++) {
        const int c = i / in->n_rows, v = i % in->n_rows;

        set_block(in, c / in->n_cols, c % in->n_cols, v, px[draw(seed, (uint32_t)i, 1, 6)],
                  255);
        for (int k = 0; k < in->n_classes; k++)
            set_probability(in, c / in->n_cols, k, c % in->n_cols, v,
                            draw(seed, (uint32_t)i, 2 + (uint32_t)k, 3) ? 13000 : 65535);
    }
}

/* ---- small frames, each column by itself ---- */

/* Columns whose cuts cost more in exact arithmetic than the optimum, are said to cost something
 * else, or have planes that cost more.  This runs the code that is timed, which arith = exact
 * leaves out in stixels/openmp and stixels/gpu-opt.  The bound is far below a stixel's cost. */
static int n_off(struct example best, const struct stixels_output *found)
{
    const struct stixels_input *const in = best.in;
    const double most = 0.02 + in->n_rows / 4000.0;
    int n = 0;

    for (int c = 0; c < in->n_frames * in->n_cols; c++) {
        struct stixels_part parts[STIXELS_MAX_ROWS];
        int n_there, is_off;
        const struct stixel *const list = column_at(found, c, &n_there);
        const double energy =
            stixels_energy(in, c / in->n_cols, c % in->n_cols, list, n_there, parts);

        is_off = !(energy - energy_of(best.out, c) <= most &&
                   fabs(energy_of(found, c) - energy) <= most);
        for (int i = 0; i < n_there; i++)
            is_off |= !(parts[i].excess <= most);
        n += is_off;
    }
    return n;
}

/* In float; a variant for a GPU with the second word of its first key, which loses nothing.  0:
 * it is of another rule, or does not take the model. */
static int run_float(const struct bench_impl *impl, struct example e)
{
    struct bench_params params = with_arith("float");

    combine_keys(impl, impl->target == BENCH_CUDA && impl->keys ? 1 : 0, &params);
    return !impl->other && drive(impl, &params, 1, e.in, e.out);
}

/* Models and frames of all kinds, in blocks of all sizes, many of them with ties, some larger.
 * Rounding may make a step of two planes that are as near, in few columns. */
TEST(small_frames_by_hand)
{
    static const int classes[] = {0, 1, 2, 5, 19, 32};
    int n_columns = 0, n_wrong[64] = {0};

    for (uint32_t k = 0; k < (small ? 48 : 480); k++) {
        const int large = k % 16 == 5 || k % 16 == 8, term = (int)(k / 4 % 3);
        const int n_classes = large ? classes[draw(61, k, 4, 6)] : (int)draw(61, k, 4, 4) * 2;
        const int n_rows = (large ? 21 : 1) + (int)draw(61, k, 0, large ? 20 : 15);
        const int n_cols = 1 + (int)draw(61, k, 1, 6), n_frames = 1 + (k % 7 == 0);
        const struct example e = BLOCKS(n_frames + (large && k % 3 == 0), n_rows, n_cols,
                                        1 + (int)draw(61, k, 2, large ? 5 : 3),
                                        1 + (int)draw(61, k, 3, large ? 6 : 4), n_classes);
        const struct example found = {e.in, guarded_output(e.in)};

        for (int f = 0; f < e.in->n_frames; f++) { /* of the same classes */
            e.in->model[f] =
                k % 4 == 0   ? tie_model(k / 4 + (uint32_t)f, n_rows, n_classes, term)
                : k % 4 == 1 ? random_model(10 * k + (uint32_t)f, n_rows, n_classes, term)
                             : street_model(n_rows, n_classes, term, 0.6);
            memcpy(e.in->model[f].geometry_of, e.in->model[0].geometry_of,
                   sizeof e.in->model[f].geometry_of);
        }
        if (k % 4 == 0)
            fill_ties(e.in, k);
        else if (k % 4 == 1)
            fill_noise(e.in, k, k % 8 == 1 ? 30 : k % 16 == 5 ? 0 : 80);
        else if (k % 4 == 2)
            fill_street(e.in, k, k % 8 == 2 ? 0 : 20);
        else
            fill_whole(e.in, k, k % 8 == 3);
        check_input(text_of("small frame %d, term %d", (int)k, term), e, EXACT_ALONE);
        n_columns += e.in->n_frames * n_cols;
        for (int i = 0; i < N_OF(n_wrong) && bench_impls[i]; i++) {
            if (!is_to_run(&stixels_problem, bench_impls[i]) ||
                !run_float(bench_impls[i], found))
                continue;
            n_wrong[i] += n_off(e, found.out);
            if (n_wrong[i] > 1 + n_columns / 500)
                fail_msg("%s, small frame %d: %d of %d columns are off", bench_impls[i]->name,
                         (int)k, n_wrong[i], n_columns);
        }
    }
    print_message("%d of %d columns are cut as the oracle's; in the others there are ties\n",
                  n_columns_as_the_oracle, n_compared_columns);
    assert_true(n_columns_as_the_oracle >= n_compared_columns * 95 / 100);
}

/* One column of whole disparities from the bottom, as "4 X 16"; X: without one. */
static struct example column_of_px(const char *px, int data_term)
{
    int n_rows = 1;
    struct example e;

    for (const char *c = px; *c; c++)
        n_rows += *c == ' ';
    e = EXAMPLE(.n_rows = n_rows);
    e.in->model[0] = plain_model(n_rows, data_term);
    for (int v = 0; v < n_rows; v++, px += strcspn(px, " ") + 1)
        set_block(e.in, 0, 0, v, *px == 'X' ? NO_PX : atoi(px), 255);
    return e;
}

/* The rule of ties, and where a geometry may be: the numbers of a model that are not 0.  Every
 * energy is a multiple of 1/4 and every sum exact, so that equal energies are equal. */
static const struct hand_case {
    const char *name, *px;
    int horizon;
    const char *expected;
    double each, ground, sky, ground_row, sky_row;
} hand_cases[] = {
    {"one row without a disparity", "X", 1, "O1", 0, 0, 0, 0, 0},
    {"one row of sky, as cheap as an object", "0", -1, "O1", 0, 0, 0, 0, 0},
    {"one row of sky, cheaper", "0", -1, "S1", 0.25, 0, -1, 0, 0},
    {"one row cannot be ground", "0", 1, "O1", 0.25, 0, 0, -1, 0},
    {"all at 0 px, the horizon below", "0 0 0 0 0", -1, "O5", 0, 0, 0, 0, 0},
    {"object before ground", "X X X X X", 5, "O1 O1 O1 O1 O1", -1, 0, 0, 0, 0},
    {"ground up to the top", "0 X 0 X 0", 5, "G1 G1 G1 G1 O1", -1, -0.5, 0, 0, 0},
    {"the lowest cuts among equals", "0 0 0 0", -1, "S1 O1 S2", 0.25, 0, -1, 0, 0},
    {"a gap goes to the upper object", "0 0 X X 10 10", -1, "O2 O4", 1, 1000, 1000, 0, 0},
    {"ground ends at the horizon", "X X X X X X", 2, "G3 O3", 0.25, 0, 0, -1, 0},
    {"ground ends below the top", "0 0 0 0 0 0", 6, "G5 O1", 0.25, 0, 0, -1, 0},
    {"sky begins above the horizon", "X X X X X X", 2, "O3 S3", 0.25, 0, 0, 0, -1},
    {"an object between, as low as it may", "0 0 0 0 0 0", 2, "G2 O1 S3", 0.25, 0, 0, -1, -1},
};

TEST(cases_by_hand)
{
    for (int i = 0; i < 3 * N_OF(hand_cases); i++) {
        const struct hand_case *const h = &hand_cases[i / 3];
        const struct example e = column_of_px(h->px, i % 3);
        struct stixels_model *const m = &e.in->model[0];

        m->horizon = h->horizon;
        m->beta_mc = h->each;
        m->plane[GR] = h->ground;
        m->plane[SK] = h->sky;
        m->k_valid[GR] = m->k_invalid[GR] = (int32_t)(h->ground_row * NAT);
        m->k_valid[SK] = m->k_invalid[SK] = (int32_t)(h->sky_row * NAT);
        m->gap_alpha = m->behind_alpha = m->hovering_alpha = 1000; /* there are no steps */
        check_column(h->name, e, EXACT_AND_FLOAT, h->expected);
    }
}

/*
 * 512 rows of one disparity: their energy is 0, made of sums near 10^7.  Rounded once, these
 * leave at most 2^-24 (1.0e7 + 2 * 162 * 1.3e5 + 2 * 1.0e7) = 4.3 nat of it, which is not wrong
 * (5 nat + 5 %); where every 32 rows are rounded again, always down for the first disparity and
 * confidence, 15 nat; where every row is, for the second, 279.
 */
TEST(sums_by_hand)
{
    static const int of[][2] = {{54324, 251}, {48510, 254}}; /* 1/256 px, confidence */
    const int n = small && small <= 256 ? 1 : N_OF(of);      /* emulated, each takes seconds */

    for (int k = 0; k < n; k++) {
        const struct example e = EXAMPLE(.n_rows = 512);

        e.in->model[0] = plain_model(512, STIXELS_E12);
        e.in->model[0].horizon = -1;
        e.in->model[0].plane[SK] = 1e6;
        e.in->model[0].beta_mc = 16;
        for (int v = 0; v < 512; v++)
            set_block(e.in, 0, 0, v, (double)of[k][0] / PX, (uint8_t)of[k][1]);
        check_column("sums that are rounded once", e, EXACT_AND_FLOAT, "O512");
        assert_near((double)e.out->list[0].cost, 16, 1e-3);
    }
}

/* ---- what is left out has lost ---- */

/* Each variant with a key 'prune' gives the bits that it gives without, whatever the model. */
TEST(pruned_by_hand)
{
    int n_same = 0;

    for (uint32_t k = 0; k < (small ? 8 : 48); k++) {
        const struct example all =
            new_example((struct shape){.n_rows = (int[]){30, 64, 97, 256}[k / 4 % 4],
                                       .n_cols = 6,
                                       .n_classes = (int)(k % 3 * 9)});
        const struct example pruned = {all.in, guarded_output(all.in)};

        all.in->model[0] = k % 2 ? random_model(k, all.in->n_rows, all.in->n_classes, 0)
                                 : street_model(all.in->n_rows, all.in->n_classes, 0, 0.55);
        if (k % 3) { /* as grounds need it */
            all.in->model[0].gap_beta = 0;
            all.in->model[0].lam_b = between(k, 1, 0.2, 4);
        }
        if (k % 4 == 0)
            fill_street(all.in, k, k % 8 ? 30 : 0);
        else if (k % 4 == 1)
            fill_whole(all.in, k, 0);
        else if (k % 4 == 2 || k % 8 == 7)
            fill_noise(all.in, k, 20);
        else /* every beginning costs the same, and none can be left out */
            fill_columns_of(all.in, 20);
        for (int i = 0; bench_impls[i]; i++) {
            const struct bench_impl *const impl = bench_impls[i];
            const struct bench_key *key = impl->keys;
            struct bench_params params = with_arith("float");

            for (; key && key->name && strcmp(key->name, "prune"); key++)
                ;
            if (!is_to_run(&stixels_problem, impl) || !key || !key->name)
                continue;
            assert_int_equal(bench_params_set(&params, key, "proved", "test"), 0);
            assert_int_equal(bench_params_default(&params, impl->keys, "test"), 0);
            assert_true(drive(impl, &params, 1, all.in, pruned.out));
            assert_int_equal(bench_params_set(&params, key, "none", "test"), 0);
            assert_true(drive(impl, &params, 1, all.in, all.out));
            if (!same_bits(&stixels_problem, all.out, pruned.out))
                fail_msg("%s, case %u: left out what is better", impl->name, k);
            n_same++;
        }
    }
    assert_true(n_same > 0 || gpu_only);
}

/* ---- cuts at candidate rows ---- */

/* The cuts that a column may have: each grid-th row, the horizon, and both of each row that
 * Algorithm 1 of [RDP] keeps, by its definition. */
struct allowed {
    uint16_t px[STIXELS_MAX_ROWS]; /* 1/256, X: without one */
    int at[STIXELS_MAX_ROWS + 1];
};

static void allow_between(struct allowed *a, int first, int last, int eps)
{
    const int length = last - first, dy = a->px[last] - a->px[first];
    int most = eps * length, cut = -1;

    a->at[first] = a->at[first + 1] = a->at[last] = a->at[last + 1] = 1;
    for (int v = first + 1; v < last; v++) {
        const int off = abs((a->px[v] - a->px[first]) * length - dy * (v - first));

        if (a->px[v] != X && off > most) {
            most = off;
            cut = v;
        }
    }
    if (cut >= 0) {
        allow_between(a, first, cut, eps);
        allow_between(a, cut, last, eps);
    }
}

static void allow(struct allowed *a, const struct stixels_input *in, int col, int grid, int eps)
{
    uint16_t *const px = a->px;
    int first = 0, last = in->n_rows - 1;

    for (int v = 0; v < in->n_rows; v++) {
        px[v] = stixels_block_of(in, 0, col, v).disparity;
        a->at[v] = v % grid == 0 || v == in->model[0].horizon + 1;
    }
    for (; first < last && px[first] == X; first++)
        ;
    for (; last > first && px[last] == X; last--)
        ;
    if (first < last)
        allow_between(a, first, last, (int)(eps * PX));
}

/* Drives a variant that cuts at candidate rows. */
static void run_cuts(const struct bench_impl *impl, struct example e, const char *arith,
                     int eps, int grid, int reach)
{
    struct bench_params params = with_arith(arith);
    const char *const names[] = {"cut_eps", "cut_grid", "cut_reach"};
    const int values[] = {eps, grid, reach};

    for (int i = 0; i < N_OF(names); i++) {
        char text[16];

        snprintf(text, sizeof text, "%d", values[i]);
        assert_int_equal(
            bench_params_set(&params, bench_find_key(impl->keys, names[i]), text, "test"), 0);
    }
    assert_int_equal(bench_params_default(&params, impl->keys, "test"), 0);
    assert_true(drive(impl, &params, 1 + grid % 2, e.in, e.out));
}

/* The stixels of e begin where they may in pass 1 or, by what pass 1 has found ('first', else
 * NULL), at most a row below or above.  Counts those there, a row below and a row above. */
static void check_cuts(struct example e, const struct stixels_output *first, int eps, int grid,
                       int n_at[3])
{
    for (int c = 0; c < e.in->n_cols; c++) {
        struct allowed a = {0};
        int n, n_first = 0;
        const struct stixel *const list = column_at(e.out, c, &n);
        const struct stixel *const other = first ? column_at(first, c, &n_first) : NULL;

        if (!first)
            allow(&a, e.in, c, grid, eps);
        a.at[e.in->model[0].horizon + 1] = 1;
        for (int i = 0; i < n_first; i++)
            a.at[other[i].v_bottom] = 1;
        for (int i = 0; i < n; i++) {
            const int v = list[i].v_bottom, there = a.at[v];
            const int is_below = first && a.at[v + 1], is_above = first && v && a.at[v - 1];

            if (!there && !is_below && !is_above)
                fail_msg("column %d is cut at row %d (eps %d, grid %d)", c, v, eps, grid);
            n_at[0] += there;
            n_at[1] += !there && !is_above;
            n_at[2] += !there && !is_below;
        }
    }
}

/* With all rows as candidates a variant has the bits of the one that cuts anywhere. */
static void check_all_rows(const struct bench_impl *cuts, const char *anywhere,
                           struct example e, int eps)
{
    const struct bench_impl *const full = bench_find_impl(anywhere);
    const struct example best = {e.in, guarded_output(e.in)};

    for (int f = 0; f < 2; f++) {
        struct bench_params params = with_arith(f ? "float" : "exact");

        combine_keys(full, 0, &params);
        assert_true(drive(full, &params, 1, e.in, best.out));
        run_cuts(cuts, e, f ? "float" : "exact", eps, 1, STIXELS_MAX_ROWS);
        for (int c = 0; c < e.in->n_cols; c++) {
            assert_int_equal(e.out->list[e.out->first[c]].reserved, e.in->n_rows);
            e.out->list[e.out->first[c]].reserved = 0;
        }
        if (!same_bits(&stixels_problem, best.out, e.out))
            fail_msg("%s: other bits with all rows as candidates", cuts->name);
    }
}

/* ... and with fewer the cuts are among these, plain loops (exact) and strips (float) find as
 * good ones, and a GPU finds the same. */
TEST(cuts_by_hand)
{
    const struct bench_impl *const gpu = bench_find_impl("stixels/gpu-cuts-cubic");
    int n_at[3] = {0}, n_wrong = 0, n_columns = 0;

    for (uint32_t k = 0; k < (small ? 24 : 96); k++) {
        const int term = k % 3 == 2 ? STIXELS_E6_SUM : STIXELS_E12;
        const int n_rows =
            k == 14 ? 1 : 1 + (int)draw(67, k, 0, term == STIXELS_E12 ? 150 : 50);
        const int eps = (int)draw(67, k, 1, 3), grid = (int)draw(67, k, 2, 3) ? 5 : 1024;
        const int n_classes = (int)(k % 4 * 3);
        const int fill =
            term == STIXELS_E12 ? (int)(k / 2 % 3) : (int[]){0, 2, 1, 2}[k / 6 % 4];
        const struct example e = BLOCKS(1, n_rows, 5, 1, 1, n_classes);
        const struct example best = {e.in, guarded_output(e.in)};
        const struct example other = {e.in, guarded_output(e.in)};
        const struct bench_impl *const cuts =
            bench_find_impl(term == STIXELS_E12 ? "stixels/cuts" : "stixels/cuts-cubic");

        e.in->model[0] = k % 2 ? random_model(k, n_rows, n_classes, term)
                               : street_model(n_rows, n_classes, term, 0.55);
        if (fill == 0)
            fill_street(e.in, k, 20);
        else if (fill == 1)
            fill_noise(e.in, k, 30);
        else
            fill_whole(e.in, k, 0);
        check_all_rows(cuts, term == STIXELS_E12 ? "stixels/openmp" : "stixels/cubic-openmp", e,
                       eps);
        run_cuts(cuts, best, "exact", eps, grid, 0);
        check_cuts(best, NULL, eps, grid, n_at);
        run_cuts(cuts, e, "float", eps, grid, 0);
        if (k % 2 == 0 && fill < 2) { /* what float can tell */
            n_wrong += n_off(best, e.out);
            n_columns += e.in->n_cols;
        }
        run_cuts(cuts, e, "exact", eps, grid, 1);
        check_cuts(e, best.out, eps, grid, n_at);
        if (term == STIXELS_E12 || !is_to_run(&stixels_problem, gpu))
            continue;
        for (int reach = 0; reach < 2; reach++) {
            run_cuts(gpu, other, "exact", eps, grid, reach);
            if (!same_bits(&stixels_problem, reach ? e.out : best.out, other.out))
                fail_msg("case %u, %d rows, eps %d, grid %d, reach %d: other bits than the CPU",
                         k, n_rows, eps, grid, reach);
        }
        check_all_rows(gpu, "stixels/gpu-cubic", other, eps);
    }
    print_message("%d cuts as in pass 1, %d below, %d above; %d of %d columns are off\n",
                  n_at[0], n_at[1], n_at[2], n_wrong, n_columns);
    assert_true(n_at[1] > 0 && n_at[2] > 0 && n_wrong <= 1 + n_columns / 500);
}

/* A run of a variant that is set up, with another hook in place of its upload(). */
static void run_again(const struct bench_impl *impl, enum bench_status (*upload)(void *state),
                      void *state, const struct stixels_output *out)
{
    struct bench_impl again = *impl;

    again.upload = upload;
    if (drive_once(&again, state, device) != BENCH_OK)
        fail_msg("%s: %s", impl->name, bench_failure());
    check_guards(&stixels_problem, impl->name, out);
}

static void *set_up(const struct bench_impl *impl, const struct bench_params *params,
                    struct example e)
{
    struct bench_ctx *const ctx = keep(calloc(1, sizeof *ctx), free); /* as long as 'state' */
    void *const state = keep(calloc(1, impl->state_size), free);

    *ctx = (struct bench_ctx){.params = params,
                              .n_threads = 1,
                              .stream = bench_device_stream(device),
                              .n_sms = bench_device_n_sms(device)};
    assert_int_equal(impl->setup(state, ctx, e.in, e.out), BENCH_OK);
    return state;
}

/* A run uploads all, then of another frame with the same scores the rest, to the same place;
 * its output has fewer stixels then. */
TEST(scores_stay_on_the_gpu_by_hand)
{
    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *const impl = bench_impls[i];
        struct bench_params params = with_arith("float");
        const int n_rounds = combine_keys(impl, 0, &params);

        if (!is_to_run(&stixels_problem, impl) || !impl->upload_rest)
            continue;
        for (int round = 0; round < n_rounds; round += small ? 3 : 1) {
            const struct example e = BLOCKS(1, 32, 8, 4, 4, 5),
                                 next = BLOCKS(1, 32, 8, 4, 4, 5);
            const size_t n = 32 * 4 * 8 * 4;
            void *state;

            e.in->model[0] = street_model(32, 5, STIXELS_E12, 0.5);
            next.in->model[0] = street_model(32, 5, STIXELS_E12, 0.6);
            fill_street(e.in, 1, 20);
            fill_columns_of(next.in, 20);
            memcpy(next.in->probability, e.in->probability, n * 5 * sizeof(uint16_t));
            params = with_arith("float");
            combine_keys(impl, round, &params);
            if (!drive(impl, &params, 1, next.in, next.out))
                continue;
            poison_output(&stixels_problem, e.out);
            state = set_up(impl, &params, e);
            run_again(impl, impl->upload, state, e.out);
            memcpy(e.in->model, next.in->model, sizeof *next.in->model);
            memcpy(e.in->disparity, next.in->disparity, n * sizeof(uint16_t));
            memcpy(e.in->confidence, next.in->confidence, n);
            memset(e.in->probability, 0, n * 5 * sizeof(uint16_t));
            run_again(impl, impl->upload_rest, state, e.out);
            impl->teardown(state);
            if (!same_bits(&stixels_problem, next.out, e.out))
                fail_msg("%s, round %d: another output than of the whole frame", impl->name,
                         round);
        }
    }
}

/* ---- batches ---- */

/* A GPU may run parts of a batch side by side: each frame has the bits that it has alone, in
 * each of many runs. */
TEST(batches_by_parts)
{
    enum { N_FRAMES = 9, N_ROWS = 40, N_CLASSES = 5 };
    const int is_slow =
        small || !device ||
        !strncmp(bench_device_describe(device)->name, "emulated", strlen("emulated"));
    const struct shape shape = SHAPE(N_FRAMES, N_ROWS, is_slow ? 6 : 300, 4, 4, N_CLASSES);
    const struct example batch = new_example(shape);

    for (int f = 0; f < N_FRAMES; f++) { /* of the same classes */
        batch.in->model[f] = random_model((uint32_t)f, N_ROWS, N_CLASSES, STIXELS_E12);
        memcpy(batch.in->model[f].geometry_of, batch.in->model[0].geometry_of,
               sizeof batch.in->model[f].geometry_of);
    }
    fill_street(batch.in, 1, 10);
    for (int i = 0; bench_impls[i]; i++) {
        const struct bench_impl *const impl = bench_impls[i];
        const struct example alone = BLOCKS(1, N_ROWS, shape.n_cols, 4, 4, N_CLASSES);
        const struct stixels_output *const once = guarded_output(batch.in);
        const size_t n = (size_t)alone.in->height * (size_t)alone.in->width;
        struct bench_params params = with_arith("float");
        void *state;

        if (!is_to_run(&stixels_problem, impl) || impl->target != BENCH_CUDA ||
            !run_variant(impl, "float", batch)) /* of another model */
            continue;
        copy_output(&stixels_problem, once, batch.out);
        combine_keys(impl, 0, &params);
        state = set_up(impl, &params, batch);
        for (int run = 0; run < (is_slow ? 2 : 10000); run++) {
            poison_output(&stixels_problem, batch.out);
            run_again(impl, run ? NULL : impl->upload, state, batch.out);
            if (!same_bits(&stixels_problem, once, batch.out))
                fail_msg("%s: run %d of a batch has other bits", impl->name, run);
        }
        impl->teardown(state);
        for (int f = 0; f < N_FRAMES; f++) {
            const size_t at = (size_t)f * n;

            memcpy(alone.in->disparity, batch.in->disparity + at, n * sizeof(uint16_t));
            memcpy(alone.in->confidence, batch.in->confidence + at, n);
            memcpy(alone.in->probability, batch.in->probability + N_CLASSES * at,
                   N_CLASSES * n * sizeof(uint16_t));
            alone.in->model[0] = batch.in->model[f];
            assert_true(run_variant(impl, "float", alone));
            for (int u = 0; u < shape.n_cols; u++) {
                int n_alone, n_there;
                const struct stixel *const a = column_at(alone.out, u, &n_alone);
                const struct stixel *const b =
                    column_at(batch.out, f * shape.n_cols + u, &n_there);

                if (n_alone != n_there || memcmp(a, b, (size_t)n_alone * sizeof *a))
                    fail_msg("%s: column %d of frame %d differs in a batch", impl->name, u, f);
            }
        }
    }
}

/* stixels/gpu-opt computes candidates in advance where columns are few.  A frame has the bits
 * that each of two such frames has. */
TEST(few_columns_and_many)
{
    static const int heights[] = {1, 2, 15, 16, 17, 18, 31, 32, 33, 48, 49, 50, 64, 65, 90};
    static const uint8_t geometries[] = {STIXELS_GROUND, STIXELS_OBJECT, STIXELS_SKY,
                                         STIXELS_OBJECT};
    const struct bench_impl *const impl = bench_find_impl("stixels/gpu-opt");
    const int n_cols =
        device && strncmp(bench_device_describe(device)->name, "emulated", 8) != 0 ? 200 : 4;

    if (!is_to_run(&stixels_problem, impl))
        skip();
    for (int i = 0; i < 2 * N_OF(heights); i++) {
        const int n_rows = heights[i / 2], n_classes = 4 * (i % 2);
        const struct example few = BLOCKS(1, n_rows, n_cols, 1, 1, n_classes);
        const struct example many = BLOCKS(2, n_rows, n_cols, 1, 1, n_classes);
        const size_t n = (size_t)n_rows * (size_t)n_cols;

        few.in->model[0] = random_model((uint32_t)i, n_rows, n_classes, STIXELS_E12);
        memcpy(few.in->model[0].geometry_of, geometries, sizeof geometries);
        fill_street(few.in, (uint64_t)i, 10);
        for (size_t at = 0; i % 3 == 2 && at < n; at++) /* many begin at equal energies */
            few.in->disparity[at] = STIXELS_INVALID;
        for (size_t f = 0; f < 2; f++) {
            many.in->model[f] = few.in->model[0];
            memcpy(many.in->disparity + f * n, few.in->disparity, n * sizeof(uint16_t));
            memcpy(many.in->confidence + f * n, few.in->confidence, n);
            if (n_classes > 0)
                memcpy(many.in->probability + f * n * (size_t)n_classes, few.in->probability,
                       n * (size_t)n_classes * sizeof(uint16_t));
        }
        assert_true(run_variant(impl, "float", few) && run_variant(impl, "float", many));
        for (int u = 0; u < 2 * n_cols; u++) {
            int n_few, n_many;
            const struct stixel *const a = column_at(few.out, u % n_cols, &n_few);
            const struct stixel *const b = column_at(many.out, u, &n_many);

            if (n_few != n_many || memcmp(a, b, (size_t)n_few * sizeof *a))
                fail_msg("%d rows, %d classes: column %d is another one", n_rows, n_classes, u);
        }
    }
}

/* ---- shapes and ends of the ranges ---- */

/* Under a sanitizer columns of less than 160 rows are no longer than those of other tests. */
static int n_rows_of(struct shape shape)
{
    const int most = small > 0 && small < 160 ? 160 : small;

    return small && most < shape.n_rows ? most : shape.n_rows;
}

/* Streets of all heights; as in small frames, but no column may be off. */
TEST(streets)
{
    enum { EACH = -1 };
    static const struct {
        struct shape shape;
        int term;
    } cases[] = {{SHAPE(2, 70, 5, 8, 8, 19), EACH},
                 {SHAPE(2, 66, 7, 4, 4, 18), EACH},
                 {SHAPE(1, 1, 1, 1, 1, 0), EACH},
                 {SHAPE(1, 1, 9, 16, 16, 1), EACH},
                 {SHAPE(1, 32, 4, 16, 16, 5), EACH},
                 {SHAPE(2, 33, 3, 2, 7, 32), EACH},
                 {SHAPE(1, 64, 2, 1, 16, 4), EACH},
                 {SHAPE(1, 100, 2, 3, 3, 19), EACH},
                 {SHAPE(1, STIXELS_MAX_ROWS, 2, 1, 1, 5), STIXELS_E12},
                 {SHAPE(1, 161, 2, 1, 1, 5), STIXELS_E6_SUM},
                 {SHAPE(1, 129, 2, 1, 1, 0), STIXELS_E6_MIN},
                 {SHAPE(1, 257, 4, 1, 1, 19), STIXELS_E12},
                 {SHAPE(1, 511, 3, 1, 1, 0), STIXELS_E12},
                 {SHAPE(1, 128, 40, 1, 1, 5), STIXELS_E12}};

    for (int i = 0; i < 3 * N_OF(cases); i++) {
        const int k = i / 3, term = i % 3;
        struct shape shape = cases[k].shape;
        struct example e, found;

        if (cases[k].term != EACH && cases[k].term != term)
            continue;
        shape.n_rows = n_rows_of(shape);
        shape.n_cols = small && shape.n_rows > 128 ? 1 : shape.n_cols;
        e = new_example(shape);
        for (int f = 0; f < shape.n_frames; f++) { /* each frame has a road of its own */
            e.in->model[f] = street_model(shape.n_rows, shape.n_classes, term, 0.5 + 0.15 * f);
            e.in->model[f].gap_beta = 0.25 * (k % 3);
        }
        fill_street(e.in, (uint64_t)(50 + k), k % 3 == 0 ? 0 : 15);
        check_input(text_of("street %d, term %d", k, term), e, EXACT_AND_FLOAT);
        found = (struct example){e.in, guarded_output(e.in)};
        for (int n = 0; bench_impls[n] && term == STIXELS_E12; n++)
            if (is_to_run(&stixels_problem, bench_impls[n]) &&
                run_float(bench_impls[n], found) && n_off(e, found.out) > 0)
                fail_msg("%s, street %d: columns are off", bench_impls[n]->name, k);
    }
}

/* Objects as near as those below them: no variant takes rounding for a step, and the sums of
 * some confidences are no whole numbers. */
TEST(equal_disparities)
{
    static const struct shape sizes[] = {SHAPE(1, 12, 60, 1, 1, 4),  SHAPE(2, 31, 20, 2, 3, 19),
                                         SHAPE(1, 47, 33, 1, 1, 5),  SHAPE(1, 94, 40, 2, 2, 19),
                                         SHAPE(1, 128, 40, 1, 1, 5), SHAPE(1, 256, 8, 1, 1, 5)};

    for (int i = 0; i < 4 * N_OF(sizes); i++) {
        const int term = i % 2 ? STIXELS_E6_SUM : STIXELS_E12, sure = i / 2 % 2;
        struct shape shape = sizes[i / 4];
        struct example e;

        if (shape.n_rows > (small ? 48 : i % 2 ? 128 : 256) || (small && shape.n_frames > 1))
            continue; /* emulated, or cubic: minutes */
        shape.n_cols = small && shape.n_cols > 12 ? 12 : shape.n_cols;
        e = new_example(shape);
        for (int f = 0; f < shape.n_frames; f++)
            e.in->model[f] = street_model(shape.n_rows, shape.n_classes, term, 0.4);
        fill_whole(e.in, (uint64_t)(900 + i), sure);
        check_input(text_of("whole pixels %d, term %d", i / 2, term), e, EXACT_AND_FLOAT);
    }
}

/* Nothing, or nothing useful, is known; the horizon may be out of sight on either side. */
TEST(nothing_to_go_by)
{
    static const int horizons[] = {-1, 0, 11, 23, 24};
    /* nothing measured; measured, but not believed; all at infinity, at hand, or both */
    static const uint16_t disparity[][2] = {
        {X, X}, {5000, 5000}, {0, 0}, {65534, 65534}, {65534, 0}};

    for (int i = 0; i < 2 * 5 * N_OF(horizons); i++) {
        const int term = i % 2, k = i / 2, kind = k / N_OF(horizons);
        const struct example e = BLOCKS(1, 24, 3, 2, 2, k % 2 ? 0 : 4);
        const size_t n = (size_t)e.in->height * (size_t)e.in->width;

        e.in->model[0] = street_model(24, e.in->n_classes, term, 0.6);
        e.in->model[0].horizon = horizons[k % N_OF(horizons)];
        memset(e.in->confidence, kind == 1 ? 0 : 255, n);
        for (size_t at = 0; at < n; at++)
            e.in->disparity[at] = disparity[kind][at % 2];
        if (e.in->n_classes > 0)
            memset(e.in->probability, kind % 2 ? 0 : 255,
                   n * (size_t)e.in->n_classes * sizeof *e.in->probability);
        check_input(text_of("nothing %d, term %d", k, term), e, EXACT_AND_FLOAT);
    }
}

/* Nothing but noise, and the longest list that there can be: a stixel for every row. */
TEST(as_many_stixels_as_rows)
{
    static const int heights[] = {1, 2, 31, 32, 33, 300};

    for (int i = 0; i < 3 * N_OF(heights); i++) {
        const int most = small || i % 3 != STIXELS_E12 ? 100 : STIXELS_MAX_ROWS;
        const int n_rows = heights[i / 3] < most ? heights[i / 3] : most;
        const struct example e = EXAMPLE(.n_rows = n_rows, .n_cols = 3);

        e.in->model[0] = street_model(n_rows, 0, i % 3, 0.6);
        e.in->model[0].beta_mc = -200;
        fill_noise(e.in, (uint64_t)(600 + i / 3), 0);
        /* long columns of noise are no match for float sums */
        check_input("a stixel for every row", e, n_rows < 100 ? EXACT_AND_FLOAT : EXACT_ALONE);
        assert_int_equal(e.out->first[3], 3 * n_rows);
    }
}

/* ---- what compare() says of float outputs ---- */

/* The reference's output of an input, and a copy to be spoilt. */
struct judged {
    struct stixels_input *in;
    struct stixels_output *right, *wrong;
    struct bench_difference found;
};

static struct judged judged_of(struct example e)
{
    const struct judged j = {.in = e.in, .right = e.out, .wrong = guarded_output(e.in)};

    run_reference(e);
    copy_output(&stixels_problem, j.wrong, j.right);
    return j;
}

static void assert_judged(struct judged *j, size_t n_wrong, size_t n_different,
                          const char *where)
{
    const struct bench_params fast = with_arith("float");

    stixels_problem.compare(&fast, j->in, j->right, j->wrong, &j->found);
    if (j->found.n_wrong != n_wrong || j->found.n_different != n_different ||
        !strstr(j->found.where, where))
        fail_msg("%zu wrong, %zu different, '%s', expected %zu, %zu, '%s'", j->found.n_wrong,
                 j->found.n_different, j->found.where, n_wrong, n_different, where);
}

/* Objects of 60 px below the middle and 20 px above it; rows gap .. end - 1 have none. */
static void two_objects(const struct stixels_input *in, int u, int gap, int end)
{
    for (int v = 0; v < in->n_rows; v++)
        set_block(in, 0, u, v, v >= gap && v < end ? NO_PX : v < in->n_rows / 2 ? 60 : 20, 255);
}

/* Move the cut above s, in rows that cost the same on both sides, to row 20, or from it. */
static void move_cut(struct stixel *s, const struct stixels_model *m)
{
    const int n = s->v_top == 20 ? 1 : 20 - s->v_top;
    const float cost = (float)(n * m->k_invalid[OB] / NAT);

    s[0].v_top = (uint16_t)(s->v_top + n);
    s[1].v_bottom = (uint16_t)(s->v_top + 1);
    s[0].cost += cost;
    s[1].cost -= cost;
}

/* So many columns without ground, and without sky where its plane is dear. */
static struct example objects_alone(int n_rows, int n_cols, double sky)
{
    const struct example e = EXAMPLE(.n_rows = n_rows, .n_cols = n_cols);

    e.in->model[0] = street_model(n_rows, 0, STIXELS_E12, 0.6);
    e.in->model[0].horizon = -1;
    e.in->model[0].plane[SK] += sky;
    return e;
}

/* Cuts that are wrong, with costs whose sum is right: the sum along any path of a table is. */
TEST(cuts_are_worth_their_energy)
{
    const struct example e = objects_alone(40, 20, 1000);
    struct judged j;

    for (int u = 0; u < 20; u++) /* of the last column's middle nothing is known */
        two_objects(e.in, u, 15, u == 19 ? 25 : 0);
    j = judged_of(e);
    assert_int_equal(j.right->first[20], 40);

    /* any cut in what is not known costs the same, in as many columns as there are such */
    assert_true(j.wrong->list[38].v_top >= 14 && j.wrong->list[38].v_top < 24);
    move_cut(&j.wrong->list[38], e.in->model);
    assert_judged(&j, 0, 1, "");

    /* a cut one row off where all is known is dear */
    copy_output(&stixels_problem, j.wrong, j.right);
    j.wrong->list[0].v_top++;
    j.wrong->list[1].v_bottom++;
    j.in = NULL; /* it is one, and says of itself that it is as good */
    assert_judged(&j, 0, 1, "");
    j.in = e.in;
    assert_judged(&j, 1, 1, "frame 0, column 0: cuts that cost");

    /* planes that do not fit their rows, in columns that are cut otherwise at no cost */
    for (int u = 0; u < 20; u++)
        two_objects(e.in, u, 15, 25);
    j = judged_of(e);
    for (int u = 0; u < 20; u++)
        move_cut(&j.wrong->list[2 * u], e.in->model);
    assert_judged(&j, 0, 20, "");
    for (int u = 0; u < 20; u++)
        j.wrong->list[2 * u + 1].a += 0.125f;
    assert_judged(&j, 1, 20, "20 of 20 columns are off");
}

/* Faults that pass where only sums of columns are looked at; where stixels_energy() does not
 * know the model, the input says which classes it has. */
TEST(costs_and_classes)
{
    const struct example e = BLOCKS(1, 24, 90, 2, 2, 4);
    struct stixel *s;
    struct judged j;
    int n;

    e.in->model[0] = street_model(24, 4, STIXELS_E12, 0.6);
    fill_street(e.in, 78, 20);
    for (int k = 0; k < 4; k++) {
        static const char *const says[] = {"has cost", "may not be there", "may not be there",
                                           "class 4"};

        j = judged_of(e);
        s = column_at(j.wrong, 0, &n);
        assert_true(n > 2);
        s[0].cost += k == 0 ? 50 : 0;
        s[1].cost -= k == 0 ? 50 : 0;
        s[n - 1].geometry = k == 1 ? GR : s[n - 1].geometry; /* up to the top */
        s[n - 1].semantic = k == 1 ? 0 : s[n - 1].semantic;
        s[0].semantic = k == 2 ? 1 : k == 3 ? 4 : s[0].semantic; /* another geometry's; none */
        assert_judged(&j, 1, k > 0, says[k]);
    }
    j = judged_of(e);
    j.in->model[0].prior = STIXELS_PFEIFFER;
    assert_judged(&j, 0, 0, "");
    j.wrong->list[0].semantic = 4;
    assert_judged(&j, 1, 1, "class 4");
    j.wrong->list[0].semantic = 3; /* there is that one, and what it costs is not known */
    assert_judged(&j, 0, 1, "");
}

/* Float sums of long columns have fewer digits left: more of them may be off. */
TEST(long_columns_may_be_off)
{
    for (int n_rows = 256; n_rows <= 257; n_rows++) {
        const struct example e = EXAMPLE(.n_rows = n_rows, .n_cols = 100);
        struct judged j;

        e.in->model[0] = street_model(n_rows, 0, STIXELS_E12, 0.6);
        j = judged_of(e); /* of nothing */
        for (int u = 0; u <= (n_rows == 256 ? 2 : 5); u++) {
            assert_judged(&j, 0, 0, "");
            j.wrong->list[j.wrong->first[u]].cost += 1;
        }
        assert_judged(&j, 1, 0, "columns are off");
    }
}

/* The energies of a column by its cuts count in the mean, whatever it says of itself. */
TEST(cuts_count_on_average)
{
    const struct example e = objects_alone(20, 40, 0);
    struct judged j;

    for (int i = 0; i < 40 * 20; i++) /* a row between two objects, nearly in the middle */
        set_block(e.in, 0, i / 20, i % 20,
                  i % 20 < 10   ? 30
                  : i % 20 > 10 ? 26
                                : 28 + 8.0 / PX,
                  255);
    j = judged_of(e);
    assert_int_equal(j.right->first[40], 80);
    assert_judged(&j, 0, 0, "");
    for (int u = 0; u < 40; u++) {
        struct stixel *const s = &j.wrong->list[2 * u];
        struct stixels_part parts[2];
        const double energy = energy_of(j.right, u);

        s[0].v_top = s->v_top == 9 ? 10 : 9;
        s[1].v_bottom = (uint16_t)(s[0].v_top + 1);
        stixels_energy(e.in, 0, u, s, 2, parts);
        assert_near(parts[0].cost + parts[1].cost - energy, 0.175, 0.075);
        for (int i = 0; i < 2; i++) { /* as if it cost no more */
            s[i].a = (float)parts[i].plane.a;
            s[i].cost = (float)(i == 0 ? parts[0].cost : energy - parts[0].cost);
        }
    }
    assert_judged(&j, 1, 40, "on average");
    assert_true(j.found.max_error < 1e-4);
}

/* A column of so many px and a road's prior of lam, to be cut by set_right(). */
static struct judged judged_px(const char *px, double lam)
{
    const struct example e = column_of_px(px, STIXELS_E12);

    e.in->model[0] = street_model(e.in->n_rows, 0, STIXELS_E12, 2);
    e.in->model[0].lam_a = e.in->model[0].lam_b = lam;
    return judged_of(e);
}

/* Right and wrong are cut like this, with the planes and costs that go with it; the energy. */
static double set_right(struct judged *j, int n, const struct stixel *list,
                        struct stixels_part *parts)
{
    struct stixel *const s = j->right->list;
    const double energy = stixels_energy(j->in, 0, 0, list, n, parts);

    memset(s, 0, (size_t)j->in->n_rows * sizeof *s);
    j->right->first[1] = n;
    for (int i = 0; i < n; i++)
        s[i] = (struct stixel){
            list[i].v_bottom,        list[i].v_top,           list[i].geometry,    NO_CLASS, 0,
            (float)parts[i].plane.a, (float)parts[i].plane.b, (float)parts[i].cost};
    copy_output(&stixels_problem, j->wrong, j->right);
    return energy;
}

/* Nothing measured, and one row, have a plane all the same. */
TEST(planes_that_nothing_holds)
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

    for (int k = 0; k < N_OF(cases); k++) {
        const struct stixel list[] = {{0, 0, (uint8_t)cases[k].geometry, NO_CLASS, 0, 0, 0, 0},
                                      {1, 2, OB, NO_CLASS, 0, 0, 0, 0}};
        struct judged j = judged_px(cases[k].valid ? "90 30 30" : "X 30 30", cases[k].lam);
        struct stixels_part parts[2];

        set_right(&j, 2, list, parts);
        j.wrong->list[0].a += cases[k].da;
        j.wrong->list[0].b += cases[k].db;
        assert_judged(&j, (size_t)cases[k].wrong, 0, "");
    }
}

/* A ground on an object as near as itself: rounding may make it nearer, but nothing else. */
TEST(ground_on_an_object)
{
    static const struct stixel list[] = {{0, 3, OB, NO_CLASS, 0, 0, 0, 0},
                                         {4, 7, GR, NO_CLASS, 0, 0, 0, 0},
                                         {8, 8, OB, NO_CLASS, 0, 0, 0, 0}};
    /* px that it is nearer, and that the output's is farther than the plane that fits */
    static const double nearer[] = {-1, 0, 0.03125, 0.25, 5, 0.25};
    static const float given[N_OF(nearer)] = {[5] = 0.25f};

    for (int k = 0; k < N_OF(nearer); k++) {
        const size_t is_wrong = nearer[k] - (double)given[k] > 0.1;
        struct judged j = judged_px("30 30 30 30 0 0 0 0 10", 0);
        struct stixels_part parts[3];

        for (int v = 4; v < 8; v++) /* little is known of the road */
            set_block(j.in, 0, 0, v, 32 - 0.5 * v + nearer[k], 30);
        assert_true((set_right(&j, 3, list, parts) < (double)STIXELS_FORBIDDEN) ==
                    (nearer[k] <= 0));
        assert_near(parts[1].nearer_px, fmax(nearer[k], 0), 1e-6);
        assert_false(parts[0].forbidden || parts[1].forbidden || parts[2].forbidden);
        j.right->list[1].a -= given[k];
        copy_output(&stixels_problem, j.wrong, j.right);
        assert_judged(&j, is_wrong, 0, is_wrong ? "may not be there" : "");
    }
}

/* ---- which variants there are ---- */

/* Each variant takes one of the two models and leaves the other to others, aloud. */
TEST(every_model_has_its_variants)
{
    for (int i = 0; bench_impls[i]; i++) {
        int taken[3] = {0};

        for (int term = 0; term < 3 && is_to_run(&stixels_problem, bench_impls[i]); term++) {
            const struct example e = EXAMPLE(.n_rows = 5, .n_cols = 2);

            e.in->model[0] = street_model(5, 0, term, 0.6);
            taken[term] = run_variant(bench_impls[i], "exact", e);
            assert_true(taken[term] || strlen(bench_failure()) > 20);
        }
        if (is_to_run(&stixels_problem, bench_impls[i]))
            assert_true(taken[STIXELS_E12] + taken[STIXELS_E6_SUM] == 1 &&
                        taken[STIXELS_E6_SUM] == taken[STIXELS_E6_MIN]);
    }
}

/* "by_hand": the tests alone whose names contain this. */
int main(int argc, char **argv)
{
    char pattern[64];

    some_tests = argc > 1 || getenv("TEST_FILTER") != NULL;
    if (argc > 1) {
        snprintf(pattern, sizeof pattern, "*%s*", argv[1]);
        cmocka_set_test_filter(pattern);
    }
    return run_variant_tests();
}
