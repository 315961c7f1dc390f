/* chain.c - two problems, one behind the other: chain.h */
#include "harness/problems/chain.h"

#include "harness/base/memory.h"
#include "harness/inputs/plane.h"
#include "harness/measure/transfer.h"
#include "harness/problems/difference.h"
#include "harness/problems/frames.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* An input or output of a chain. */
struct both {
    int32_t n_frames; /* first: frames_of() */
    const struct bench_chain *chain;
    void *part[2];                 /* owned */
    void *array[CHAIN_MAX_PLACES]; /* of the chain's places, in the place of the parts' own */
    int width, height;             /* of the maps */
    bool is_output, has_map;       /* map = 1 */
};

/* ---- places ---- */

/* A caller may have put arrays of its own in the chain's places. */
static struct both *settle(const void *object)
{
    struct both *const b = (struct both *)(uintptr_t)object;

    for (int i = 0; b->chain->places[i].name; i++)
        if (b->chain->places[i].is_output == b->is_output)
            memcpy((char *)b->part[b->chain->inner[i].part] + b->chain->inner[i].at,
                   &b->array[i], sizeof b->array[i]);
    return b;
}

/* The first time: the parts' own arrays. */
static void find_arrays(struct both *b)
{
    for (int i = 0; b->chain->places[i].name; i++)
        if (b->chain->places[i].is_output == b->is_output)
            memcpy(&b->array[i],
                   (char *)b->part[b->chain->inner[i].part] + b->chain->inner[i].at,
                   sizeof b->array[i]);
}

static const struct bench_place *find_place(const struct bench_problem *problem,
                                            const char *name, bool is_output)
{
    const struct bench_place *place = problem->places;

    while (place->name && (place->is_output != is_output || strcmp(place->name, name) != 0))
        place++;
    return place->name ? place : NULL;
}

/* Returns where the first's output has the maps. */
static void **map_slot(const struct both *out)
{
    const struct bench_chain *const chain = out->chain;

    return (void **)((char *)out->part[0] + find_place(chain->first, chain->from, true)->at);
}

void *chain_input_part(const void *input, int part)
{
    return settle(input)->part[part];
}

void *chain_output_part(const void *output, int part)
{
    return settle(output)->part[part];
}

struct bench_map chain_map(const void *output)
{
    const struct both *const out = settle(output);

    return (struct bench_map){*map_slot(out), out->width, out->height};
}

void chain_bring(const void *input, const void *output)
{
    const struct bench_map map = chain_map(output);

    settle(input)->chain->second->take(((const struct both *)input)->part[1], &map, 1);
}

/* ---- parameters ---- */

/* Makes those of a part, by the keys of its problem and of its variant, unless NULL. */
static enum bench_status params_of(const struct bench_chain *chain, int part,
                                   const struct bench_impl *impl,
                                   const struct bench_params *params, struct bench_params *own)
{
    const struct bench_problem *const problem = part ? chain->second : chain->first;

    own->n = 0;
    for (int i = 0; i < params->n; i++) {
        const struct bench_param *const p = &params->item[i];
        const bool is_firsts = p->key >= chain->keys && p->key < chain->keys + chain->n_before;
        const struct bench_key *key = NULL;

        if (is_firsts == (part == 0)) {
            key = impl ? bench_find_key(impl->keys, p->key->name) : NULL;
            key = key ? key : bench_find_key(problem->keys, p->key->name);
        }
        if (key)
            TRY(bench_params_set(own, key, p->text, chain->problem.name));
    }
    TRY(bench_params_default(own, problem->keys, chain->problem.name));
    return impl ? bench_params_default(own, impl->keys, chain->problem.name) : BENCH_OK;
}

/* They were checked when they were set, so that this cannot fail. */
static struct bench_params seconds_params(const struct bench_chain *chain,
                                          const struct bench_params *params)
{
    struct bench_params own;
    const enum bench_status status = params_of(chain, 1, NULL, params, &own);

    assert(!status);
    (void)status;
    return own;
}

enum bench_status chain_check(const struct bench_chain *chain,
                              const struct bench_params *params)
{
    for (int part = 0; part < 2; part++) {
        const struct bench_problem *const problem = part ? chain->second : chain->first;
        struct bench_params own;

        TRY(params_of(chain, part, NULL, params, &own));
        if (problem->check)
            TRY(problem->check(&own));
    }
    return BENCH_OK;
}

enum bench_match chain_match(const struct bench_chain *chain, const struct bench_params *params)
{
    const struct bench_params own = seconds_params(chain, params);

    return chain->second->match(&own);
}

int chain_repeatable(const struct bench_chain *chain, const struct bench_params *params)
{
    const struct bench_params own = seconds_params(chain, params);

    return !chain->second->repeatable || chain->second->repeatable(&own);
}

void chain_reference_params(const struct bench_chain *chain, const struct bench_params *params,
                            struct bench_params *reference)
{
    const struct bench_params own = seconds_params(chain, params);
    struct bench_params wanted;

    *reference = *params;
    if (!chain->second->reference_params)
        return;
    chain->second->reference_params(&own, &wanted);
    for (int i = 0; i < wanted.n; i++) {
        const char *const name = wanted.item[i].key->name;
        const struct bench_key *const key = bench_find_key(chain->keys + chain->n_before, name);

        if (key && strcmp(wanted.item[i].text, bench_word(&own, name)) != 0)
            (void)bench_params_set(reference, key, wanted.item[i].text, "reference");
    }
}

/* ---- input and output ---- */

static void free_both(void *object)
{
    struct both *const b = object;

    if (!b)
        return;
    for (int part = 0; part < 2; part++) {
        const struct bench_problem *const problem = part ? b->chain->second : b->chain->first;

        if (b->part[0] && b->part[1])
            settle(b);
        (b->is_output ? problem->free_output : problem->free_input)(b->part[part]);
        b->part[part] = NULL;
    }
    free(b);
}

static void drop_both(struct both **b)
{
    free_both(*b);
}

/* Makes the second's input of frames whose maps are to come, which no sensor is sure of. */
static enum bench_status make_second(const struct bench_params *params,
                                     const struct plane *const *frames, int n, struct both *in)
{
    const struct bench_params own = seconds_params(in->chain, params);
    OWNED(memory_free) struct plane *blank = NULL;
    OWNED(memory_free) const struct plane **borrowed = NULL;
    OWNED(memory_free) uint16_t *map = NULL;

    TRY(memory_allocate(&blank, sizeof *blank, 1, 1, 1, n));
    TRY(memory_allocate(&borrowed, sizeof *borrowed, 1, 1, 1, n));
    TRY(memory_allocate(&map, sizeof *map, 1, 1, in->height, in->width));
    for (int k = 0; k < n; k++) {
        blank[k] = *frames[k];
        blank[k].disparity = map;
        blank[k].confidence = NULL;
        borrowed[k] = &blank[k];
    }
    return in->chain->second->make_input(&own, borrowed, n, &in->part[1]);
}

enum bench_status chain_make_input(const struct bench_chain *chain,
                                   const struct bench_params *params,
                                   const struct plane *const *frames, int n, void **input)
{
    OWNED(drop_both) struct both *in = NULL;
    struct bench_params own;

    *input = NULL;
    TRY(params_of(chain, 0, NULL, params, &own));
    TRY(memory_allocate(&in, sizeof *in, 1, 1, 1, 1));
    *in =
        (struct both){.n_frames = n, .chain = chain, .has_map = bench_int(params, "map") == 1};
    TRY(frames_size(params, frames, n, &in->width, &in->height));
    TRY(chain->first->make_input(&own, frames, n, &in->part[0]));
    TRY(make_second(params, frames, n, in));
    find_arrays(in);
    *input = in;
    in = NULL;
    return BENCH_OK;
}

static enum bench_status make_output(const void *input, void **output)
{
    const struct both *const in = settle(input);
    OWNED(drop_both) struct both *out = NULL;

    *output = NULL;
    TRY(memory_allocate(&out, sizeof *out, 1, 1, 1, 1));
    *out = *in;
    out->part[0] = out->part[1] = NULL;
    out->is_output = true;
    TRY(in->chain->first->make_output(in->part[0], &out->part[0]));
    TRY(in->chain->second->make_output(in->part[1], &out->part[1]));
    find_arrays(out);
    *output = out;
    out = NULL;
    return BENCH_OK;
}

/* The first's, and the second's without what is made of maps. */
static int input_blocks(const void *input, struct bench_block *blocks)
{
    const struct both *const in = settle(input);
    const struct bench_chain *const chain = in->chain;
    struct bench_block others[BENCH_MAX_BLOCKS];
    int n = chain->first->input_blocks(in->part[0], blocks);

    for (int b = chain->second->input_blocks(in->part[1], others); b-- > 0;) {
        const bool is_asked =
            others[b].name && chain->also && !strcmp(others[b].name, chain->also);

        if (!is_asked && others[b].name && find_place(chain->second, others[b].name, false))
            continue;
        blocks[n] = others[b];
        blocks[n++].name = is_asked ? chain->also : NULL;
    }
    return n;
}

static int output_blocks(const void *output, struct bench_block *blocks)
{
    const struct both *const out = settle(output);
    const int n = out->chain->second->output_blocks(out->part[1], blocks);

    return n + (out->has_map ? out->chain->first->output_blocks(out->part[0], blocks + n) : 0);
}

/* ---- what is right ---- */

static void compare(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference)
{
    const struct both *const r = settle(reference), *const o = settle(output);
    const struct bench_params own = seconds_params(r->chain, params);
    struct bench_difference maps = {0};

    if (input)
        chain_bring(input, reference);
    r->chain->second->compare(&own, input ? ((const struct both *)input)->part[1] : NULL,
                              r->part[1], o->part[1], difference);
    if (r->has_map)
        r->chain->first->compare(&own, NULL, r->part[0], o->part[0], &maps);
    if (maps.n_wrong > 0)
        difference_wrong(difference, maps.n_wrong, "%s", maps.where);
}

static void compare_other(const struct bench_params *params, const void *input,
                          const void *reference, const void *output,
                          struct bench_difference *difference)
{
    const struct both *const r = settle(reference), *const o = settle(output);
    const struct bench_params own = seconds_params(r->chain, params);

    chain_bring(input, reference);
    r->chain->second->compare_other(&own, ((const struct both *)input)->part[1], r->part[1],
                                    o->part[1], difference);
}

static enum bench_status sum(const void *input, const void *reference, const void *output,
                             int first_frame, struct bench_sums *sums)
{
    const struct both *const r = settle(reference), *const o = settle(output);

    chain_bring(input, reference);
    return r->chain->second->sum(((const struct both *)input)->part[1], r->part[1], o->part[1],
                                 first_frame, sums);
}

/* ---- what a chain has of both ---- */

const struct bench_chain *chain_brought(const void *input, const void *output)
{
    if (((const struct both *)output)->has_map)
        chain_bring(input, output);
    return ((const struct both *)input)->chain;
}

void chain_size(const void *input, int *height, int *width)
{
    *height = ((const struct both *)input)->height;
    *width = ((const struct both *)input)->width;
}

static void add_keys(struct bench_key *keys, int *n, const struct bench_key *others,
                     const char *const *but)
{
    for (; others && others->name; others++) {
        const char *const *name = but;

        while (name && *name && strcmp(*name, others->name) != 0)
            name++;
        if (name && *name)
            continue;
        assert(*n < CHAIN_MAX_KEYS - 1); /* the last has no name */
        keys[(*n)++] = *others;
    }
}

static void add_place(struct bench_chain *chain, int part, const struct bench_place *place)
{
    int n = 0;

    while (chain->places[n].name)
        n++;
    assert(n < CHAIN_MAX_PLACES);
    chain->places[n] = *place;
    chain->places[n].at = offsetof(struct both, array) + (size_t)n * sizeof(void *);
    chain->inner[n].part = part;
    chain->inner[n].at = place->at;
}

void chain_make(struct bench_chain *chain)
{
    static const struct bench_key own[] = {
        {"map", "0", "", "1: the disparities come to the host, too", BENCH_INT, 0, 1, NULL},
        {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL}};
    const struct bench_problem *const first = chain->first, *const second = chain->second;
    struct bench_problem *const p = &chain->problem;

    add_keys(chain->keys, &chain->n_before, own, NULL);
    add_keys(chain->keys, &chain->n_before, first->keys, first->frame_keys);
    add_keys(chain->keys, &(int){chain->n_before}, second->keys, second->frame_keys);
    for (const struct bench_place *place = first->places; place->name; place++)
        add_place(chain, 0, place);
    for (const struct bench_place *place = second->places; place->name; place++)
        if (place->is_output || (chain->also && !strcmp(place->name, chain->also)))
            add_place(chain, 1, place);
    p->keys = chain->keys;
    p->places = chain->places;
    p->free_input = p->free_output = free_both;
    p->make_output = make_output;
    p->input_blocks = input_blocks;
    p->output_blocks = output_blocks;
    p->n_frames = frames_of;
    p->compare = compare;
    p->compare_other = second->compare_other ? compare_other : NULL;
    p->other_unit = second->other_unit;
    p->has_scores = second->has_scores;
    p->sum = second->sum ? sum : NULL;
    p->values = second->values;
    p->value_names = second->value_names;
}

const struct bench_chain *chain_of(const struct bench_problem *problem)
{
    return problem->make_output == make_output
               ? (const struct bench_chain *)((const char *)problem -
                                              offsetof(struct bench_chain, problem))
               : NULL;
}

/* ---- its variants ---- */

struct state {
    const struct bench_impl *impl[2];
    void *part[2]; /* owned: their states, of those that were set up */
    const struct bench_ctx *ctx;
    struct bench_ctx own[2];
    struct bench_params params[2];
    const struct both *in, *out;
    struct bench_array maps; /* owned, on a GPU */
    struct bench_map map;    /* what the second one takes */
};

static bool on_gpu(const struct state *s)
{
    return s->impl[1]->target == BENCH_CUDA;
}

static enum bench_status set_up_part(struct state *s, int part)
{
    TRY(params_of(s->in->chain, part, s->impl[part], s->ctx->params, &s->params[part]));
    s->own[part] = *s->ctx;
    s->own[part].impl = s->impl[part];
    s->own[part].params = &s->params[part];
    s->own[part].frames_follow = true; /* of the second one, and the first's output is there */
    if (part == 1)
        s->own[part].note = NULL;
    if (part == 1 && on_gpu(s))
        s->own[part].map = &s->map;
    TRY(memory_allocate(&s->part[part], s->impl[part]->state_size, 1, 1, 1, 1));
    return s->impl[part]->setup(s->part[part], &s->own[part], s->in->part[part],
                                s->out->part[part]);
}

/* On a GPU the first one writes to memory of the GPU's own, which the second one reads. */
static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *const s = opaque;
    const struct bench_chained *const chained = (const struct bench_chained *)ctx->impl;
    const size_t n = (size_t)((const struct both *)input)->n_frames;
    void **slot, *host;
    enum bench_status status;

    s->ctx = ctx;
    s->in = settle(input);
    s->out = settle(output);
    for (int part = 0; part < 2; part++)
        s->impl[part] = chained->part[part];
    s->map = chain_map(output);
    slot = map_slot(s->out);
    host = *slot;
    if (on_gpu(s)) {
        struct bench_ctx plain = *ctx;

        plain.transfer = BENCH_COPY;
        TRY(bench_array_make(&s->maps, &plain, host,
                             n * (size_t)s->map.width * (size_t)s->map.height *
                                 sizeof(uint16_t)));
        s->map.data = *slot = s->maps.d;
    }
    status = set_up_part(s, 0);
    *slot = host;
    return status ? status : set_up_part(s, 1);
}

static enum bench_status upload(void *opaque)
{
    const struct state *const s = opaque;

    TRY(s->impl[0]->upload(s->part[0]));
    return s->impl[1]->upload(s->part[1]);
}

static enum bench_status upload_rest(void *opaque)
{
    const struct state *const s = opaque;

    TRY(s->impl[0]->upload(s->part[0]));
    return s->impl[1]->upload_rest(s->part[1]);
}

static enum bench_status poison(void *opaque)
{
    const struct state *const s = opaque;

    TRY(s->impl[0]->poison(s->part[0]));
    return s->impl[1]->poison(s->part[1]);
}

static enum bench_status run(void *opaque)
{
    struct state *const s = opaque;

    s->own[0].stages = s->own[1].stages = s->ctx->stages;
    TRY(s->impl[0]->run(s->part[0]));
    if (on_gpu(s))
        TRY(s->impl[1]->take(s->part[1]));
    else
        s->in->chain->second->take(s->in->part[1], &s->map, s->ctx->n_threads);
    bench_stage(s->ctx->stages, "take");
    TRY(s->impl[1]->run(s->part[1]));
    return BENCH_OK;
}

static enum bench_status download(void *opaque)
{
    const struct state *const s = opaque;

    if (s->out->has_map)
        TRY(bench_array_download(&s->maps));
    return s->impl[1]->download(s->part[1]);
}

static void teardown(void *opaque)
{
    struct state *const s = opaque;

    for (int part = 0; part < 2; part++)
        if (s->part[part]) {
            s->impl[part]->teardown(s->part[part]);
            free(s->part[part]);
        }
    if (s->maps.d)
        bench_array_free(&s->maps);
}

void chained_make(struct bench_chained *chained, const struct bench_chain *chain,
                  const struct bench_impl *first, const struct bench_impl *second)
{
    const char *const problem = chain->problem.name;
    struct bench_impl *const impl = &chained->impl;
    const char *const but[] = {chain->without, NULL};
    const bool is_gpus = second->target == BENCH_CUDA;
    int n_keys = 0;

    memset(chained, 0, sizeof *chained);
    chained->part[0] = first;
    chained->part[1] = second;
    snprintf(chained->name, sizeof chained->name, "%s%s", problem, strchr(second->name, '/'));
    snprintf(chained->source, sizeof chained->source, "%s, then %s", first->name, second->name);
    if (second->reference)
        snprintf(chained->reference, sizeof chained->reference, "%s%s", problem,
                 strchr(second->reference, '/'));
    add_keys(chained->keys, &n_keys, second->keys, but);
    impl->name = chained->name;
    impl->problem = &chain->problem;
    impl->target = second->target;
    impl->source = chained->source;
    impl->reference = second->reference ? chained->reference : NULL;
    impl->other = second->other;
    impl->needs = second->needs;
    impl->keys = n_keys > 0 ? chained->keys : NULL;
    if (!bench_is_built(first) || !bench_is_built(second) || !chain_takes_maps(second))
        return;
    impl->state_size = sizeof(struct state);
    impl->setup = setup;
    impl->upload = is_gpus ? upload : NULL;
    impl->upload_rest = second->upload_rest ? upload_rest : NULL;
    impl->poison = is_gpus ? poison : NULL;
    impl->run = run;
    impl->download = is_gpus ? download : NULL;
    impl->teardown = teardown;
}
