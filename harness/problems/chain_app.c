/*
 * chain_app.c - what apply and watch have of a chain: chain.h
 *
 * In a file of its own: libdepthbench lacks it, and GCC keeps the hooks of a file together.
 */
#include "harness/measure/app.h"
#include "harness/problems/chain.h"

static enum bench_status table(const void *input, const void *output, struct text *text)
{
    const struct bench_chain *const chain = chain_brought(input, output);

    return bench_find_app(chain->second)
        ->table(chain_input_part(input, 1), chain_output_part(output, 1), text);
}

static enum bench_status settle_keys(const char *reference, struct bench_params *params)
{
    const struct bench_chained *const chained =
        (const struct bench_chained *)bench_find_impl(reference);
    const struct bench_chain *const chain = chain_of(chained->impl.problem);
    struct bench_params own = {.n = 0};

    TRY(bench_find_app(chain->second)->settle(chained->part[1]->name, &own));
    for (int i = 0; i < own.n; i++) {
        const char *const name = own.item[i].key->name;

        if (!bench_has(params, name))
            TRY(bench_params_set(params, bench_find_key(chain->keys, name), own.item[i].text,
                                 "apply"));
    }
    return BENCH_OK;
}

void chain_make_app(struct bench_chain *chain, const struct bench_app *second_app)
{
    chain->app = *second_app;
    chain->app.problem = &chain->problem;
    chain->app.table = table;
    chain->app.size = chain_size;
    chain->app.unset = chain->second->keys;
    chain->app.takes_views = true;
    chain->app.settle = second_app->settle ? settle_keys : NULL;
}
