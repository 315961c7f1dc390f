/* config.c - configurations as texts */
#include "harness/suite/config.h"

#include "harness/measure/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool config_is_open(const struct bench_key *key)
{
    return bench_choice("threads|sms|mode", key->name) >= 0;
}

/* Adds a key with its value in a list, else its default; a number in one way, however
 * written. */
static void add_key(struct text *keys, const char *list, const char *name, size_t n_name,
                    const char *default_text)
{
    const char *const item = text_item(list, name, n_name);
    const bool is_given =
        item && item[n_name] == '=' && item[n_name + 1] && item[n_name + 1] != ';';
    const char *value = is_given ? item + n_name + 1 : default_text;
    size_t n = value ? strcspn(value, ";") : 0;
    char text[64] = "", number[TEXT_NUMBER];
    double as_number;

    if (!value)
        return;
    if (n < sizeof text)
        memcpy(text, value, n);
    if (text_to_number(text, &as_number)) {
        if (fabs(as_number) < 1e15 && as_number == floor(as_number)) /* a seed has all digits */
            snprintf(number, sizeof number, "%.0f", as_number);
        else
            text_number(number, as_number);
        n = strlen(value = number);
    }
    text_add(keys, keys->size ? ";" : "");
    text_bytes(keys, name, n_name);
    text_add(keys, "=");
    text_bytes(keys, value, n);
}

/* First those that the variant has, then whatever else is given.  A peer need not be known
 * where its rows are read, but its problem is. */
enum bench_status config_keys(const char *impl, const char *problem, const char *given,
                              struct text *keys)
{
    const struct bench_impl *const known = bench_find_impl(impl);
    const struct bench_problem *const solved =
        known ? known->problem : bench_find_problem(problem);
    const struct bench_key *const lists[2] = {solved ? solved->keys : NULL,
                                              known ? known->keys : NULL};

    text_add(keys, "");
    for (int i = 0; i < 2; i++)
        for (const struct bench_key *key = lists[i]; key && key->name; key++)
            add_key(keys, given, key->name, strlen(key->name), key->default_text);
    for (const char *item = given; *item; item += strspn(item, ";")) {
        const size_t n_name = strcspn(item, "=;");

        if (!keys->failed && !text_item(keys->data, item, n_name))
            add_key(keys, item, item, n_name, NULL);
        item += strcspn(item, ";");
    }
    return text_ok(keys);
}

/* The items of a list that another list has not just so. */
static void add_others(struct text *identity, const char *list, const char *usual)
{
    for (size_t n; *list; list += n + (list[n] == ';')) {
        const char *const same = text_item(usual, list, strcspn(list, "=;"));

        n = strcspn(list, ";");
        if (n > 0 && !(same && strcspn(same, ";") == n && !memcmp(same, list, n))) {
            text_add(identity, ";");
            text_bytes(identity, list, n);
        }
    }
}

enum bench_status config_identity(const char *impl, const char *problem, const char *plan,
                                  const char *keys, struct text *identity)
{
    OWNED(text_free) struct text usual = {0};

    text_add(identity, impl);
    text_add(&usual, "");
    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        text_format(&usual, "%s=%s;", key->name, key->default_text);
    if (!usual.failed)
        add_others(identity, plan, usual.data);
    usual.size = 0;
    identity->failed |= usual.failed || config_keys(impl, problem, "", &usual) != BENCH_OK;
    if (!identity->failed)
        add_others(identity, keys, usual.data);
    return text_ok(identity);
}

enum bench_status config_text(const struct bench_config *config, struct text *identity)
{
    const struct bench_impl *const impl = config->impl;
    char params[BENCH_MAX_PARAMS * 64], value[BENCH_PLAN_TEXT];
    OWNED(text_free) struct text keys = {0};
    OWNED(text_free) struct text plan = {0};

    bench_params_text(&config->params, params, sizeof params);
    text_add(&plan, "");
    for (const struct bench_key *key = bench_plan_keys; key->name; key++) {
        plan_value(&config->plan, key, value);
        if (plan_column(key) && plan_is_axis(key, impl->target) && !config_is_open(key))
            text_format(&plan, "%s=%s;", key->name, value);
    }
    TRY(config_keys(impl->name, impl->problem->name, params, &keys));
    TRY(text_ok(&plan));
    return config_identity(impl->name, impl->problem->name, plan.data, keys.data, identity);
}

void config_plan_text(const struct bench_plan *plan, bool realtime, struct text *text)
{
    text_format(text, "frames=%d;stages=%d;values=%d;samples=%d..%d;precision=%g",
                plan->max_frames, plan->stages, plan->values, plan->min_samples,
                plan->max_samples, plan->precision);
    text_format(text, ";min_time=%g;timeout=%g", plan->min_time_s, plan->timeout_s);
    text_add(text, plan->lock_clocks ? ";clocks=max" : "");
    if (plan->energy)
        text_format(text, ";energy=%g", plan->energy_time_s);
    if (plan->series & 1u << BENCH_SUSTAINED)
        text_format(text, ";sustained_time=%g", plan->sustained_time_s);
    if (plan_streams(plan))
        text_format(text, ";rate=%d;in_flight=%d;arrival=%s;launch=%s%s%s;arrivals=%d%s",
                    plan->rate, plan->in_flight, bench_arrival_name[plan->drops],
                    bench_launch_name[plan->by_graph], plan->wake ? ";wake=" : "",
                    plan->wake ? bench_wake_name[plan->wake] : "", plan_arrivals(plan),
                    realtime ? ";realtime=1" : "");
    if (plan->scaling != BENCH_ALONE)
        text_format(text, ";scaling=%s;ranks=%d;devices=%s;interval=%g",
                    bench_scaling_name[plan->scaling], plan->ranks,
                    plan->share_device ? "one" : "each", plan->interval_s);
}
