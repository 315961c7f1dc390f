/* params.c - checked parameters: one declaration, one canonical text, one number */
#include "harness/base/params.h"

#include "harness/base/text.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

/* "a whole number from 1 to 16384", "all or a whole number from 1 to 100000" */
static void describe_range(const struct bench_key *key, char *text, size_t size)
{
    const char *kind = key->kind == BENCH_INT ? "a whole number" : "a decimal number";
    char min[BENCH_MAX_VALUE], max[BENCH_MAX_VALUE];

    if (key->kind == BENCH_INT) { /* all digits: %.9g would round 2147483647 */
        snprintf(min, sizeof min, "%.0f", key->min + (key->choices != NULL));
        snprintf(max, sizeof max, "%.0f", key->max);
    } else {
        text_number(min, key->min);
        text_number(max, key->max);
    }
    snprintf(text, size, "%s%s%s from %s to %s", key->choices != NULL ? key->choices : "",
             key->choices != NULL ? " or " : "", kind, min, max);
}

static enum bench_status refuse(const struct bench_key *key, const char *text,
                                const char *where, const char *expected)
{
    return BENCH_FAIL(BENCH_EINPUT, "%s: %s: expected %s%s%s, found '%.80s'", where, key->name,
                      expected, key->unit != NULL && key->unit[0] != '\0' ? " " : "",
                      key->unit != NULL ? key->unit : "", text);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Thousands of configurations have few values: each is kept once, for good. */
static enum bench_status keep(const char *text, const char **kept)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void *values;
    const char *const *there;

    pthread_mutex_lock(&lock);
    there = tfind(text, &values, compare_texts);
    *kept = there ? *there : strdup(text);
    if (!there && *kept && !tsearch(*kept, &values, compare_texts)) {
        free((void *)(uintptr_t)*kept);
        *kept = NULL;
    }
    pthread_mutex_unlock(&lock);
    return *kept ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a parameter");
}

static enum bench_status check_number(const struct bench_key *key, const char *text,
                                      const char *where, struct bench_param *param)
{
    char expected[192], number[BENCH_MAX_VALUE];
    double value = 0;

    if (key->choices != NULL && strcmp(text, key->choices) == 0) {
        param->number = key->min;
        param->text = key->choices;
        return BENCH_OK;
    }
    if (!text_to_number(text, &value) ||
        !(value >= key->min + (key->choices != NULL) && value <= key->max) ||
        (key->kind == BENCH_INT &&
         (value != floor(value) || value < INT_MIN || value > INT_MAX))) {
        describe_range(key, expected, sizeof expected);
        return refuse(key, text, where, expected);
    }
    if (key->kind == BENCH_INT) {
        param->number = value == 0 ? 0 : value;
        snprintf(number, sizeof number, "%d", (int)value);
    } else {
        text_number(number, value);
        /* The number that the code reads is the one that the CSV shows. */
        bench_number(number, &param->number);
    }
    return keep(number, &param->text);
}

int bench_choice(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    int i = 0;

    for (const char *at = choices; at != NULL; at = strchr(at, '|'), i++) {
        at += *at == '|';
        if (strcspn(at, "|") == length && memcmp(at, word, length) == 0)
            return i;
    }
    return -1;
}

/* True if 'text' can stand in "key=value;key=value", in a list and in a CSV field, unquoted. */
static bool is_word(const char *text)
{
    const char *at = text;

    while (*at > ' ' && *at <= '~' && !strchr(";=,\"'", *at))
        at++;
    return at > text && *at == '\0';
}

static enum bench_status check_word(const struct bench_key *key, const char *text,
                                    const char *where, struct bench_param *param)
{
    char expected[192];

    if (key->choices != NULL && bench_choice(key->choices, text) < 0) {
        snprintf(expected, sizeof expected, "one of %s", key->choices);
        return refuse(key, text, where, expected);
    }
    if (!is_word(text))
        return refuse(key, text, where, "a word");
    if (strlen(text) >= BENCH_MAX_VALUE) {
        snprintf(expected, sizeof expected, "a word of at most %d letters",
                 BENCH_MAX_VALUE - 1);
        return refuse(key, text, where, expected);
    }
    if (!text_to_number(text, &param->number))
        param->number = -1;
    return keep(text, &param->text);
}

enum bench_status bench_params_set(struct bench_params *params, const struct bench_key *key,
                                   const char *text, const char *where)
{
    struct bench_param param = {.key = key};
    int at = 0;

    if (key->kind == BENCH_CHOICE)
        TRY(check_word(key, text, where, &param));
    else
        TRY(check_number(key, text, where, &param));

    param.given = true;
    while (at < params->n && strcmp(params->item[at].key->name, key->name) < 0)
        at++;
    if (at < params->n && strcmp(params->item[at].key->name, key->name) == 0) {
        params->item[at] = param;
        return BENCH_OK;
    }
    REFUSE_IF(params->n >= BENCH_MAX_PARAMS,
              "%s: %s: a configuration has at most %d parameters", where, key->name,
              BENCH_MAX_PARAMS);
    memmove(&params->item[at + 1], &params->item[at],
            (size_t)(params->n - at) * sizeof params->item[0]);
    params->item[at] = param;
    params->n++;
    return BENCH_OK;
}

enum bench_status bench_params_default(struct bench_params *params,
                                       const struct bench_key *keys, const char *where)
{
    for (const struct bench_key *key = keys; key != NULL && key->name != NULL; key++) {
        if (bench_has(params, key->name))
            continue;
        REFUSE_IF(key->default_text == NULL, "%s: key '%s' must be given (%s)", where,
                  key->name, key->help != NULL ? key->help : "it has no default");
        TRY(bench_params_set(params, key, key->default_text, where));
        for (int i = 0; i < params->n; i++)
            if (params->item[i].key == key)
                params->item[i].given = false;
    }
    return BENCH_OK;
}

static const struct bench_param *find(const struct bench_params *params, const char *name)
{
    for (int i = 0; i < params->n; i++)
        if (strcmp(params->item[i].key->name, name) == 0)
            return &params->item[i];
    return NULL;
}

/* Asserts that the key is there; an optimised build reads zero and "" where it is not. */
static const struct bench_param *must_find(const struct bench_params *params, const char *name)
{
    static const struct bench_param nothing = {.text = ""};
    const struct bench_param *param = find(params, name);

    assert(param != NULL);
    return param != NULL ? param : &nothing;
}

enum bench_status bench_params_insist(struct bench_params *params, const struct bench_key *keys,
                                      const char *name, const char *text, const char *why)
{
    const struct bench_key *const key = bench_find_key(keys, name);
    const struct bench_param *const param = key ? find(params, name) : NULL;

    REFUSE_IF(param && param->given && strcmp(param->text, text) != 0,
              "-S %s=%s: %s: expected %s", name, param->text, why, text);
    return key ? bench_params_set(params, key, text, why) : BENCH_OK;
}

bool bench_has(const struct bench_params *params, const char *name)
{
    return find(params, name) != NULL;
}

int bench_int(const struct bench_params *params, const char *name)
{
    return (int)must_find(params, name)->number;
}

double bench_real(const struct bench_params *params, const char *name)
{
    return must_find(params, name)->number;
}

const char *bench_word(const struct bench_params *params, const char *name)
{
    return must_find(params, name)->text;
}

bool bench_is(const struct bench_params *params, const char *name, const char *word)
{
    return strcmp(bench_word(params, name), word) == 0;
}

void bench_frame_size(const struct bench_params *params, int *width, int *height)
{
    *width = bench_has(params, "width") ? bench_int(params, "width") : 0;
    *height = bench_has(params, "height") ? bench_int(params, "height") : 0;
}

size_t bench_params_text(const struct bench_params *params, char *text, size_t size)
{
    size_t length = 0;

    if (size > 0)
        text[0] = '\0';
    for (int i = 0; i < params->n; i++) {
        const bool room = length < size;
        const int n =
            snprintf(room ? text + length : NULL, room ? size - length : 0, "%s%s=%s",
                     i > 0 ? ";" : "", params->item[i].key->name, params->item[i].text);

        if (n > 0)
            length += (size_t)n;
    }
    return length;
}

const struct bench_key *bench_find_key(const struct bench_key *keys, const char *name)
{
    for (; keys != NULL && keys->name != NULL; keys++)
        if (strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

void bench_offer_keys(struct nearest *near, const struct bench_key *const *keys)
{
    for (; *keys != NULL; keys++)
        for (const struct bench_key *key = *keys; key->name != NULL; key++)
            nearest_offer(near, key->name);
}
