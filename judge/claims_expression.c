/*
 * claims_expression.c - the language of claims: read and computed in one go, with ranges beside the values
 *
 * Nothing is kept: an expression is read again for each machine.  Depth and steps are counted, so that no text makes
 * it deep or slow.
 */
#include "judge/claims_private.h"

#include "harness/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS         "0123456789"
#define MAX_CELL_BYTES 400
#define MAX_WORD_BYTES 48
#define MANY           CLAIM_MAX_ARGUMENTS

struct parser {
    const char *at;
    struct claim_lookup *l;
};

static enum bench_status read_level(struct parser *p, int level, struct claim_value *value);

struct claim_value claim_number(double value)
{
    return (struct claim_value){.value = value, .low = value, .high = value};
}

struct claim_value claim_missing(const char *format, ...)
{
    struct claim_value value = {.missing = true};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(value.why, sizeof value.why, format, arguments);
    va_end(arguments);
    return value;
}

enum bench_status claim_refuse(const char *path, int line, const char *format, ...)
{
    char sentence[600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s", path, line, sentence);
}

/* ---- ranges ---- */

static struct claim_value truth_of(bool as_printed, bool must, bool may)
{
    return (struct claim_value){
        .value = as_printed, .low = must, .high = may || as_printed, .truth = true};
}

/* What is no finite number is missing; an infinite border is fine. */
static struct claim_value range_of(double value, double low, double high)
{
    struct claim_value v = {.value = value, .low = fmin(low, value), .high = fmax(high, value)};

    if (!isfinite(value))
        return claim_missing("the arithmetic leaves the range of numbers");
    if (isnan(low))
        v.low = -HUGE_VAL;
    if (isnan(high))
        v.high = HUGE_VAL;
    return v;
}

static struct claim_value compare(const char *sign, const struct claim_value *a,
                                  const struct claim_value *b)
{
    const bool or_equal = sign[1] == '=';

    if (sign[0] == '=')
        return truth_of(!(a->value < b->value) && !(a->value > b->value),
                        !(a->low < b->high) && !(a->high > b->low),
                        a->low <= b->high && b->low <= a->high);
    if (sign[0] == '>')
        return compare(or_equal ? "<=" : "<", b, a);
    return or_equal ? truth_of(a->value <= b->value, a->high <= b->low, a->low <= b->high)
                    : truth_of(a->value < b->value, a->high < b->low, a->low < b->high);
}

static struct claim_value times(const struct claim_value *a, const struct claim_value *b)
{
    const double p = a->low * b->low, q = a->low * b->high, r = a->high * b->low,
                 s = a->high * b->high;

    return range_of(a->value * b->value, fmin(fmin(p, q), fmin(r, s)),
                    fmax(fmax(p, q), fmax(r, s)));
}

static struct claim_value over(const struct claim_value *a, const struct claim_value *b)
{
    struct claim_value inverse = range_of(1 / b->value, 1 / b->high, 1 / b->low);

    if (!(b->value < 0) && !(b->value > 0))
        return claim_missing("a division by 0");
    if (!(b->low > 0) && !(b->high < 0)) {
        inverse.low = -HUGE_VAL;
        inverse.high = HUGE_VAL;
    }
    return times(a, &inverse);
}

/* By an operator, or by a function of two that is called 'm' for min and all, 'M' for max and any. */
static struct claim_value combine(char sign, const struct claim_value *a,
                                  const struct claim_value *b)
{
    double (*const of)(double, double) = sign == 'm' ? fmin : fmax;

    if (a->missing || b->missing)
        return a->missing ? *a : *b;
    switch (sign) {
    case '+':
        return range_of(a->value + b->value, a->low + b->low, a->high + b->high);
    case '-':
        return range_of(a->value - b->value, a->low - b->high, a->high - b->low);
    case '*':
        return times(a, b);
    case '/':
        return over(a, b);
    default:
        return (struct claim_value){.value = of(a->value, b->value),
                                    .low = of(a->low, b->low),
                                    .high = of(a->high, b->high),
                                    .truth = a->truth};
    }
}

/* A chain of comparisons, a < b < c, holds where each of them does. */
static struct claim_value also(const struct claim_value *so_far, const char *sign,
                               const struct claim_value *a, const struct claim_value *b)
{
    struct claim_value step = a->missing ? *a : *b;

    if (!a->missing && !b->missing)
        step = compare(sign, a, b);
    step = combine('m', so_far, &step);
    step.truth = true;
    return step;
}

/* ---- text ---- */

static void skip_blanks(struct parser *p)
{
    p->at += strspn(p->at, " \t");
}

#define FAIL(p, ...) CLAIM_REFUSE((p)->l, __VA_ARGS__)

static enum bench_status refuse(const struct parser *p, const char *expected)
{
    return *p->at ? FAIL(p, "expected %s, found '%.24s'", expected, p->at)
                  : FAIL(p, "expected %s, found the end of the expression", expected);
}

static bool take(struct parser *p, const char *sign)
{
    skip_blanks(p);
    if (strncmp(p->at, sign, strlen(sign)) != 0)
        return false;
    p->at += strlen(sign);
    return true;
}

static enum bench_status must_be_number(const struct parser *p, const struct claim_value *value,
                                        const char *of)
{
    return value->truth ? FAIL(p, "expected a number for '%s', found a comparison", of)
                        : BENCH_OK;
}

static enum bench_status read_word(struct parser *p, const char *what,
                                   char word[MAX_WORD_BYTES])
{
    size_t n = 0;

    while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_')
        n++;
    if (n == 0 || n >= MAX_WORD_BYTES)
        return refuse(p, what);
    snprintf(word, MAX_WORD_BYTES, "%.*s", (int)n, p->at);
    p->at += n;
    return BENCH_OK;
}

/* Whether text begins as a decimal number does; the rest is strtod's. */
static bool number_begins(const char *at)
{
    return isdigit((unsigned char)at[0]) || (at[0] == '.' && isdigit((unsigned char)at[1]));
}

/* The length of digits[.digits][e[sign]digits]. */
static size_t number_length(const char *at, int *decimals)
{
    size_t n = strspn(at, DIGITS);
    int power, end;

    *decimals = at[n] == '.' ? (int)strspn(at + n + 1, DIGITS) : 0;
    n += at[n] == '.' ? 1 + (size_t)*decimals : 0;
    if ((at[n] == 'e' || at[n] == 'E') && sscanf(at + n + 1, "%4d%n", &power, &end) == 1) {
        *decimals -= power;
        n += 1 + (size_t)end;
    }
    return n;
}

bool claim_digits(const char *digits, double *number, double *half_unit, const char **end)
{
    char copy[64];
    const size_t sign = digits[0] == '-';
    int decimals;
    size_t n;

    if (!number_begins(digits + sign))
        return false;
    n = sign + number_length(digits + sign, &decimals);
    snprintf(copy, sizeof copy, "%.*s", (int)n, digits);
    *half_unit = 0.5 * pow(10, -decimals);
    *end = digits + n;
    return n < sizeof copy && text_to_number(copy, number);
}

/* ---- cells ---- */

bool claim_split(char *text, struct claim_cell *cell)
{
    char *part, *equals;

    cell->source = text_trimmed(strsep(&text, ","));
    while ((part = strsep(&text, ",")) != NULL) {
        equals = strchr(part, '=');
        if (!equals && !text) {
            cell->column = text_trimmed(part);
            break;
        }
        if (!equals || cell->n_filters == CLAIM_MAX_FILTERS)
            return false;
        *equals = '\0';
        cell->key[cell->n_filters] = text_trimmed(part);
        cell->wanted[cell->n_filters++] = text_trimmed(equals + 1);
    }
    return *cell->source && strchr(cell->source, '/');
}

static enum bench_status read_cell(struct parser *p, const char *kind, const char *begin,
                                   struct claim_value *value)
{
    char text[MAX_CELL_BYTES], written[MAX_CELL_BYTES];
    struct claim_cell cell = {.ours = strcmp(kind, "paper") != 0,
                              .counters = !strcmp(kind, "counters"),
                              .text = written};
    const char *close = strchr(p->at, ')');

    if (!close)
        return FAIL(p, "expected ')' after a cell, found the end of the expression");
    if ((size_t)(close - begin) + 2 > sizeof text)
        return refuse(p, "a cell of less than 400 bytes");
    snprintf(text, sizeof text, "%.*s", (int)(close - p->at), p->at);
    snprintf(written, sizeof written, "%.*s", (int)(close + 1 - begin), begin);
    p->at = close + 1;
    if (!claim_split(text, &cell) || !cell.column || !*cell.column)
        return FAIL(p,
                    "expected (paper/table, key=text, ..., column) with at most %d keys, "
                    "found %s",
                    CLAIM_MAX_FILTERS, written);
    return claim_find_cell(p->l, &cell, value);
}

/* A number; in printed(4.6, sect. 5) one that stands in a text, with its place. */
static enum bench_status read_number(struct parser *p, bool printed, struct claim_value *value)
{
    double number = 0, half_unit = 0;
    const char *close = strchr(p->at, ')'), *end;

    skip_blanks(p);
    if (!claim_digits(p->at, &number, &half_unit, &end))
        return refuse(p, printed ? "printed digits" : "a number");
    p->at = end;
    *value = claim_number(number);
    if (!printed)
        return BENCH_OK;
    if (!take(p, ","))
        return refuse(p, "',' and the place after printed digits");
    skip_blanks(p);
    if (!close || close <= p->at)
        return refuse(p, "the place of the printed digits and ')'");
    p->at = close + 1;
    if (!(p->l->claim && p->l->claim->exact)) {
        value->low = number - half_unit;
        value->high = number + half_unit;
    }
    return BENCH_OK;
}

/* ---- functions ---- */

static const struct function {
    const char *name;
    char how;              /* an operator between its arguments, or a sign of its own */
    int min, max;          /* arguments */
    bool of_truths, truth; /* what it takes and gives */
} functions[] = {
    {"abs", 'a', 1, 1, false, false},      {"log2", 'l', 1, 1, false, false},
    {"ceil", 'c', 1, 1, false, false},     {"round", 'r', 1, 1, false, false},
    {"min", 'm', 1, MANY, false, false},   {"max", 'M', 1, MANY, false, false},
    {"sum", '+', 1, MANY, false, false},   {"mean", '+', 1, MANY, false, false},
    {"rising", '<', 2, MANY, false, true}, {"falling", '>', 2, MANY, false, true},
    {"all", 'm', 1, MANY, true, true},     {"any", 'M', 1, MANY, true, true},
};

static struct claim_value of_one(char how, const struct claim_value *a)
{
    if (a->missing)
        return *a;
    switch (how) {
    case 'a':
        return range_of(fabs(a->value), fmax(0, fmax(a->low, -a->high)),
                        fmax(fabs(a->low), fabs(a->high)));
    case 'l':
        return a->value > 0 ? range_of(log2(a->value), a->low > 0 ? log2(a->low) : -HUGE_VAL,
                                       log2(a->high))
                            : claim_missing("log2 of %g", a->value);
    case 'c':
        return range_of(ceil(a->value), ceil(a->low), ceil(a->high));
    default:
        return range_of(round(a->value), round(a->low), round(a->high));
    }
}

static enum bench_status read_argument(struct parser *p, const struct function *f, int n,
                                       struct claim_value *value)
{
    if (n == f->max)
        return FAIL(p, "%s takes at most %d arguments, found more", f->name, f->max);
    TRY(read_level(p, 0, value));
    if (f->of_truths && !value->truth)
        return FAIL(p, "expected a comparison for %s, found a number", f->name);
    return f->of_truths ? BENCH_OK : must_be_number(p, value, f->name);
}

/* What lacks an argument lacks a value. */
static enum bench_status read_function(struct parser *p, const struct function *f,
                                       struct claim_value *value)
{
    struct claim_value last = claim_number(0), next = last, n_all = last;
    const char sign[] = {f->how, '\0'};
    int n = 1;

    TRY(read_argument(p, f, 0, &last));
    *value = *sign == '<' || *sign == '>' ? truth_of(true, true, true) : last;
    for (; take(p, ","); n++, last = next) {
        TRY(read_argument(p, f, n, &next));
        if (*sign == '<' || *sign == '>')
            *value = also(value, sign, &last, &next);
        else
            *value = combine(*sign, value, &next);
    }
    if (n < f->min)
        return FAIL(p, "%s takes at least %d arguments, found %d", f->name, f->min, n);
    if (!take(p, ")"))
        return refuse(p, "',' or ')'");
    n_all = claim_number(n);
    if (f->max == 1)
        *value = of_one(*sign, value);
    else if (!strcmp(f->name, "mean"))
        *value = combine('/', value, &n_all);
    else if (!f->truth && !value->missing)
        *value = range_of(value->value, value->low, value->high);
    value->truth = f->truth;
    return BENCH_OK;
}

static enum bench_status read_call(struct parser *p, struct claim_value *value)
{
    const char *begin = p->at;
    char word[MAX_WORD_BYTES] = "";

    TRY(read_word(p, "a number, a cell, a function, '$name' or '('", word));
    if (!take(p, "("))
        return refuse(p, "'(' after a function's name");
    if (!strcmp(word, "ours") || !strcmp(word, "paper") || !strcmp(word, "counters"))
        return read_cell(p, word, begin, value);
    if (!strcmp(word, "printed"))
        return read_number(p, true, value);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, word))
            return read_function(p, &functions[i], value);
    return FAIL(p,
                "no function '%s': expected paper, printed, ours, counters, abs, log2, ceil, "
                "round, min, max, sum, mean, rising, falling, all or any",
                word);
}

/* ---- the grammar ---- */

static enum bench_status read_factor(struct parser *p, struct claim_value *value)
{
    const struct claim_value zero = claim_number(0);
    char word[MAX_WORD_BYTES] = "";

    if (++p->l->steps > CLAIM_MAX_STEPS)
        return FAIL(p, "a claim of more than %d steps", CLAIM_MAX_STEPS);
    if (++p->l->depth > CLAIM_MAX_DEPTH)
        return FAIL(p, "more than %d signs, parentheses and names within each other",
                    CLAIM_MAX_DEPTH);
    skip_blanks(p);
    if (take(p, "(")) {
        TRY(read_level(p, 0, value));
        if (!take(p, ")"))
            return refuse(p, "')'");
    } else if (take(p, "$")) {
        TRY(read_word(p, "a name after '$'", word));
        TRY(claim_find_name(p->l, word, value));
    } else if (take(p, "-")) {
        TRY(read_factor(p, value));
        TRY(must_be_number(p, value, "-"));
        *value = combine('-', &zero, value);
    } else {
        TRY(number_begins(p->at) ? read_number(p, false, value) : read_call(p, value));
    }
    p->l->depth--;
    return BENCH_OK;
}

#define N_LEVELS 3
static const char *const levels[N_LEVELS][5] = {
    {"<=", ">=", "==", "<", ">"}, {"+", "-"}, {"*", "/"}}; /* the longer signs first */

static const char *take_sign(struct parser *p, const char *const signs[5])
{
    for (int i = 0; i < 5 && signs[i]; i++)
        if (take(p, signs[i]))
            return signs[i];
    return NULL;
}

/* Comparisons of sums of products of factors. */
static enum bench_status read_level(struct parser *p, int level, struct claim_value *value)
{
    struct claim_value left = claim_number(0), right = left, all = truth_of(true, true, true);
    const char *sign = NULL, *next;

    if (level == N_LEVELS)
        return read_factor(p, value);
    TRY(read_level(p, level + 1, &left));
    while ((next = take_sign(p, levels[level])) != NULL) {
        sign = next;
        TRY(must_be_number(p, &left, sign));
        skip_blanks(p);
        if (*sign == '/' && number_begins(p->at) && !(strtod(p->at, NULL) > 0))
            return FAIL(p, "a division by 0");
        TRY(read_level(p, level + 1, &right));
        TRY(must_be_number(p, &right, sign));
        all = level == 0 ? also(&all, sign, &left, &right) : all;
        left = level == 0 ? right : combine(*sign, &left, &right);
    }
    *value = level == 0 && sign ? all : left;
    return BENCH_OK;
}

enum bench_status claim_evaluate(const char *text, struct claim_lookup *l,
                                 struct claim_value *value)
{
    struct parser p = {.at = text, .l = l};

    TRY(read_level(&p, 0, value));
    skip_blanks(&p);
    return *p.at ? refuse(&p, "an operator or the end") : BENCH_OK;
}
