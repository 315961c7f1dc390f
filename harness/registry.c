/*
 * registry.c - every problem and every variant, by name; the only file of the harness that
 * names them
 *
 * A new variant is one file in impl_cpu/ or impl_gpu/ and one line here, in the order in which
 * all lists have them.
 */
#include "harness/measure/app.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/problems/chain.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define REGISTERED(PROBLEM, APP, IMPL) \
    PROBLEM(rdp_problem)               \
    APP(rdp_app)                       \
    IMPL(rdp_serial)                   \
    IMPL(rdp_omp_columns)              \
    IMPL(rdp_omp_tasks)                \
    IMPL(rdp_cpu_simd)                 \
    IMPL(rdp_geos)                     \
    IMPL(rdp_opencv)                   \
    IMPL(rdp_boost)                    \
    IMPL(rdp_gpu_paper)                \
    IMPL(rdp_gpu_opt)                  \
    PROBLEM(stixels_problem)           \
    APP(stixels_app)                   \
    IMPL(stixels_serial)               \
    IMPL(stixels_openmp)               \
    IMPL(stixels_cubic_serial)         \
    IMPL(stixels_cubic_openmp)         \
    IMPL(stixels_cuts)                 \
    IMPL(stixels_cuts_cubic)           \
    IMPL(stixels_gpu_paper)            \
    IMPL(stixels_gpu_cubic)            \
    IMPL(stixels_gpu_cuts_cubic)       \
    IMPL(stixels_gpu_opt)              \
    PROBLEM(som_problem)               \
    APP(som_app)                       \
    IMPL(som_grid)                     \
    IMPL(som_serial)                   \
    IMPL(som_rounds)                   \
    IMPL(som_openmp)                   \
    IMPL(som_gpu_paper)                \
    IMPL(som_gpu_opt)                  \
    IMPL(som_gpu_multi)                \
    IMPL(som_greedy)                   \
    IMPL(som_rtin)                     \
    IMPL(som_gpu_rtin)                 \
    PROBLEM(sgm_problem)               \
    APP(sgm_app)                       \
    IMPL(sgm_serial)                   \
    IMPL(sgm_openmp)                   \
    IMPL(sgm_gpu_paper)                \
    IMPL(sgm_gpu_opt)                  \
    PROBLEM(probe_problem)             \
    IMPL(probe_serial)                 \
    IMPL(probe_openmp)                 \
    IMPL(probe_gpu_plain)

/* chain, and variants of both problems that make one of its own, named as the second is */
#define CHAINED(X)                                    \
    X(pair_stixels, sgm_serial, stixels_serial)       \
    X(pair_stixels, sgm_serial, stixels_cubic_serial) \
    X(pair_stixels, sgm_openmp, stixels_openmp)       \
    X(pair_stixels, sgm_gpu_paper, stixels_gpu_paper) \
    X(pair_stixels, sgm_gpu_opt, stixels_gpu_opt)     \
    X(pair_rdp, sgm_serial, rdp_serial)               \
    X(pair_rdp, sgm_openmp, rdp_cpu_simd)             \
    X(pair_rdp, sgm_gpu_opt, rdp_gpu_opt)             \
    X(pair_som, sgm_serial, som_serial)               \
    X(pair_som, sgm_serial, som_rounds)               \
    X(pair_som, sgm_serial, som_grid)                 \
    X(pair_som, sgm_openmp, som_openmp)               \
    X(pair_som, sgm_gpu_opt, som_gpu_opt)             \
    X(pair_som, sgm_openmp, som_rtin)                 \
    X(pair_som, sgm_gpu_opt, som_gpu_rtin)

#define CHAINS(X)   \
    X(pair_stixels) \
    X(pair_rdp)     \
    X(pair_som)

#define DECLARED_PROBLEM(id) extern const struct bench_problem id;
#define DECLARED_APP(id)     extern const struct bench_app id;
#define DECLARED_IMPL(id)    extern const struct bench_impl id;
#define LISTED(id)           &id,
#define COUNTED(id)          +1
#define NONE(id)

REGISTERED(DECLARED_PROBLEM, DECLARED_APP, DECLARED_IMPL)

BENCH_CHAIN(pair_stixels, "pair-stixels", "from a stereo pair to stixels [SGM, STX]",
            ((const char *const[]){"pair-stixels/serial", "pair-stixels/cubic-serial", NULL}),
            .first = &sgm_problem, .second = &stixels_problem, .from = "disparity",
            .also = "probability");
BENCH_CHAIN(pair_rdp, "pair-rdp", "from a stereo pair to segments of its columns [SGM, RDP]",
            ((const char *const[]){"pair-rdp/serial", NULL}), .first = &sgm_problem,
            .second = &rdp_problem, .from = "disparity", .without = "layout");
BENCH_CHAIN(pair_som, "pair-som", "from a stereo pair to a mesh [SGM, SOM]",
            ((const char *const[]){"pair-som/rounds", "pair-som/serial", "pair-som/grid",
                                   NULL}),
            .first = &sgm_problem, .second = &som_problem, .from = "disparity");

#define CHAINED_NAME(second)                  second##_of_pair
#define CHAINED_OBJECT(chain, first, second)  static struct bench_chained CHAINED_NAME(second);
#define CHAINED_LISTED(chain, first, second)  &CHAINED_NAME(second).impl,
#define CHAINED_COUNTED(chain, first, second) +1
#define CHAIN_LISTED(id)                      &id.problem,
#define CHAIN_APP_LISTED(id)                  &id.app,
#define CHAIN_ITSELF(id)                      &id,

CHAINED(CHAINED_OBJECT)

const struct bench_problem *const bench_problems[] = {REGISTERED(LISTED, NONE, NONE)
                                                          CHAINS(CHAIN_LISTED) NULL};
static const struct bench_app *const apps[] = {REGISTERED(NONE, LISTED, NONE)
                                                   CHAINS(CHAIN_APP_LISTED) NULL};

/* With room for peers. */
enum { N_IMPLS = 0 REGISTERED(NONE, NONE, COUNTED) CHAINED(CHAINED_COUNTED) };
static const struct bench_impl *all[N_IMPLS + BENCH_MAX_PEERS + 1] = {
    REGISTERED(NONE, NONE, LISTED) CHAINED(CHAINED_LISTED)};
const struct bench_impl *const *const bench_impls = all;

#define MAKE_CHAIN(id) chain_make(&id);
#define MAKE_APP(id)   chain_make_app(&id, bench_find_app(id.second));
#define MAKE_CHAINED(chain, first, second) \
    chained_make(&CHAINED_NAME(second), &chain, &first, &second);

/* Keys and hooks of chains are those of others, which no initialiser may copy. */
__attribute__((constructor)) static void make_chains(void)
{
    CHAINS(MAKE_CHAIN)
    CHAINED(MAKE_CHAINED)
}

enum bench_status bench_add_impl(const struct bench_impl *impl)
{
    int n = 0;

    while (all[n])
        n++;
    REFUSE_IF(n == N_IMPLS + BENCH_MAX_PEERS, "%s is one peer more than the %d that may be",
              impl->name, BENCH_MAX_PEERS);
    REFUSE_IF(bench_find_impl(impl->name), "there are two peers of the name %s", impl->name);
    all[n] = impl;
    return BENCH_OK;
}

const struct bench_impl *bench_find_impl(const char *name)
{
    for (int i = 0; bench_impls[i]; i++)
        if (!strcmp(bench_impls[i]->name, name))
            return bench_impls[i];
    return NULL;
}

void bench_offer_impls(struct nearest *near)
{
    for (int i = 0; bench_impls[i]; i++)
        nearest_offer(near, bench_impls[i]->name);
}

const struct bench_problem *bench_find_problem(const char *name)
{
    for (int i = 0; bench_problems[i]; i++)
        if (!strcmp(bench_problems[i]->name, name))
            return bench_problems[i];
    return NULL;
}

/* The library has problems and no apps: those of chains are made for who asks first. */
const struct bench_app *const *bench_apps(void)
{
    static bool is_made;

    if (!is_made) {
        is_made = true;
        CHAINS(MAKE_APP)
    }
    return apps;
}

const struct bench_app *bench_find_app(const struct bench_problem *problem)
{
    for (const struct bench_app *const *app = bench_apps(); *app; app++)
        if ((*app)->problem == problem)
            return *app;
    return NULL;
}

/* One that is listed, else one that is made for this call. */
enum bench_status bench_find_chained(const struct bench_impl *second,
                                     const struct bench_impl **chained)
{
    static struct bench_chained made;
    static const struct bench_impl *const firsts[] = {[BENCH_SERIAL] = &sgm_serial,
                                                      [BENCH_OPENMP] = &sgm_openmp,
                                                      [BENCH_CUDA] = &sgm_gpu_opt};
    const struct bench_chain *const chains[] = {CHAINS(CHAIN_ITSELF) NULL};
    int i = 0;

    while (chains[i] && chains[i]->second != second->problem)
        i++;
    REFUSE_IF(!chains[i] || second->run_told ||
                  (bench_is_built(second) && !chain_takes_maps(second)),
              "%s takes a map of disparities, and no pair of views", second->name);
    chained_make(&made, chains[i], firsts[second->target], second);
    *chained = bench_find_impl(made.name);
    *chained = *chained ? *chained : &made.impl;
    return BENCH_OK;
}

/* ---- references ---- */

enum bench_status bench_reference_of(const struct bench_impl *impl,
                                     const struct bench_impl **reference)
{
    const char *const *const names = impl->problem->references;
    const char *const wanted = impl->reference ? impl->reference : impl->name;
    char expected[256] = ""; /* "a" or "b" */
    bool is_reference = false, is_known = false;

    for (int i = 0; names && names[i]; i++) {
        const size_t n = strlen(expected);

        snprintf(expected + n, sizeof expected - n, "%s\"%s\"", i ? " or " : "", names[i]);
        is_reference |= !strcmp(names[i], impl->name);
        is_known |= !strcmp(names[i], wanted);
    }
    *reference = NULL;
    REFUSE_IF(is_reference && impl->reference,
              "%s: expected .reference = NULL, since it is a reference of problem "
              "%s, found \"%s\"",
              impl->name, impl->problem->name, impl->reference);
    if (!is_reference && !impl->reference)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: expected .reference = %s, found none: a variant cannot verify itself",
            impl->name, expected);
    *reference = is_reference ? impl : is_known ? bench_find_impl(wanted) : NULL;
    REFUSE_IF(!*reference, "%s: expected .reference = %s, found \"%s\"", impl->name, expected,
              wanted);
    return BENCH_OK;
}

static enum bench_status check_problem(const struct bench_problem *problem)
{
    for (int i = 0; problem->references && problem->references[i]; i++) {
        const struct bench_impl *const impl = bench_find_impl(problem->references[i]);

        REFUSE_IF(!impl || impl->problem != problem || impl->target == BENCH_CUDA,
                  "problem %s: expected references among its variants for the CPU, "
                  "found \"%s\"",
                  problem->name, problem->references[i]);
    }
    return BENCH_OK;
}

static enum bench_status check_impl(const struct bench_impl *impl)
{
    const struct bench_impl *reference;

    TRY(bench_reference_of(impl, &reference));
    REFUSE_IF(impl->other && (reference == impl || !impl->problem->compare_other),
              "%s follows another rule, %s: expected %s", impl->name, impl->other,
              reference == impl ? "a reference to follow its problem's"
                                : "a problem with a compare_other");
    return BENCH_OK;
}

enum bench_status bench_check_references(const struct bench_impl *const *impls)
{
    for (int i = 0; bench_problems[i]; i++)
        TRY(check_problem(bench_problems[i]));
    for (int i = 0; impls[i]; i++)
        TRY(check_impl(impls[i]));
    return BENCH_OK;
}
