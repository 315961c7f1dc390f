/*
 * claims_expression.c - the language of claims: read and computed in one go, with ranges beside
 * the values
 *
 * Nothing is kept: an expression is read again for each machine.  Depth and steps are counted,
 * so that no text makes it deep or slow.
 */
#include "harness/analysis/claims_private.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS         "0123456789"
#define MAX_WORD_BYTES 48

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

/* What is no finite number is missing; an infinite border is fine. */
static struct claim_value range_of(double value, double low, double high)
{
    if (!isfinite(value))
        return claim_missing(CLAIM_NEVER "the arithmetic leaves the range of numbers");
    return (struct claim_value){.value = value,
                                .low = isnan(low) ? -HUGE_VAL : fmin(low, value),
                                .high = isnan(high) ? HUGE_VAL : fmax(high, value)};
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
        return claim_missing(CLAIM_NEVER "a division by 0");
    if (!(b->low > 0) && !(b->high < 0)) {
        inverse.low = -HUGE_VAL;
        inverse.high = HUGE_VAL;
    }
    return times(a, &inverse);
}

static struct claim_value truth_of(bool as_printed, bool must, bool may)
{
    return (struct claim_value){
        .value = as_printed, .low = must, .high = may || as_printed, .truth = true};
}

struct claim_value claim_combine(char sign, const struct claim_value *a,
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
    case '<':
        return truth_of(a->value < b->value, a->high < b->low, a->low < b->high);
    case 'l':
        return truth_of(a->value <= b->value, a->high <= b->low, a->low <= b->high);
    case '>':
    case 'g':
        return claim_combine(sign == 'g' ? 'l' : '<', b, a);
    case '=':
        return truth_of(!(a->value < b->value) && !(a->value > b->value),
                        !(a->low < b->high) && !(a->high > b->low),
                        a->low <= b->high && b->low <= a->high);
    default:
        return (struct claim_value){.value = of(a->value, b->value),
                                    .low = of(a->low, b->low),
                                    .high = of(a->high, b->high),
                                    .truth = a->truth};
    }
}

/* What is compared, as it stands: "4.94 < 6", also where "> 6" was asked for. */
static void show(struct claim_value *value, const char *so_far, char sign, bool holds,
                 const struct claim_value *a, const struct claim_value *b)
{
    char left[TEXT_NUMBER], right[TEXT_NUMBER];
    const char *const as_asked = sign == 'l' ? "<=" : ">=", *const how =
                                                                a->value < b->value   ? "<"
                                                                : a->value > b->value ? ">"
                                                                                      : "=";

    text_short_number(left, a->value, 4);
    text_short_number(right, b->value, 4);
    snprintf(value->shown, sizeof value->shown, "%.40s %s %s", *so_far ? so_far : left,
             holds && strchr("lg", sign) ? as_asked : how, right);
}

/* A chain of comparisons, a < b < c, holds where each of them does. */
static struct claim_value also(const struct claim_value *so_far, char sign,
                               const struct claim_value *a, const struct claim_value *b)
{
    struct claim_value step = claim_combine(sign, a, b);
    const bool holds = step.value > 0;

    step = claim_combine('m', so_far, &step);
    step.truth = true;
    show(&step, so_far->shown, sign, holds, a, b);
    return step;
}

/* all(a < b, c < d): what each of them shows, or the first that does not hold. */
static struct claim_value both(const struct claim_value *a, const struct claim_value *b)
{
    struct claim_value value = claim_combine('m', a, b);
    const bool all_hold = a->value > 0 && b->value > 0;

    if (all_hold && strlen(a->shown) + strlen(b->shown) + 3 < sizeof value.shown)
        snprintf(value.shown, sizeof value.shown, "%.48s, %.48s", a->shown, b->shown);
    else
        memcpy(value.shown, a->value > 0 ? b->shown : a->shown, sizeof value.shown);
    return value;
}

/* ---- text ---- */

#define FAIL(p, ...) CLAIM_REFUSE((p)->l, __VA_ARGS__)

static enum bench_status refuse(const struct parser *p, const char *expected)
{
    return *p->at ? FAIL(p, "expected %s, found '%.24s'", expected, p->at)
                  : FAIL(p, "expected %s, found the end of the expression", expected);
}

static bool take(struct parser *p, const char *sign)
{
    p->at += strspn(p->at, " \t");
    if (strncmp(p->at, sign, strlen(sign)) != 0)
        return false;
    p->at += strlen(sign);
    return true;
}

static enum bench_status must_take(struct parser *p, const char *sign, const char *expected)
{
    return take(p, sign) ? BENCH_OK : refuse(p, expected);
}

static enum bench_status must_be(const struct parser *p, bool truth,
                                 const struct claim_value *value, const char *of)
{
    return value->truth == truth
               ? BENCH_OK
               : FAIL(p, "expected a %s for '%s', found a %s", truth ? "comparison" : "number",
                      of, truth ? "number" : "comparison");
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
    return isdigit((unsigned char)at[at[0] == '.']);
}

/* digits[.digits][e[sign]digits] */
bool claim_digits(const char *digits, double *number, double *half_unit, const char **end)
{
    char copy[64];
    size_t n = digits[0] == '-', fraction = 0;
    int power = 0, n_power = 0;

    if (!number_begins(digits + n))
        return false;
    n += strspn(digits + n, DIGITS);
    if (digits[n] == '.') {
        fraction = strspn(digits + n + 1, DIGITS);
        n += 1 + fraction;
    }
    if ((digits[n] == 'e' || digits[n] == 'E') &&
        sscanf(digits + n + 1, "%4d%n", &power, &n_power) == 1)
        n += 1 + (size_t)n_power;
    snprintf(copy, sizeof copy, "%.*s", (int)n, digits);
    *half_unit = 0.5 * pow(10, power - (double)fraction);
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

static enum bench_status read_cell(struct parser *p, enum claim_cell_kind kind,
                                   const char *begin, struct claim_value *value)
{
    char text[CLAIM_MAX_CELL], written[CLAIM_MAX_CELL];
    struct claim_cell cell = {.kind = kind, .text = written};
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

/* A number, and half a unit of its last digit. */
static enum bench_status read_number(struct parser *p, const char *what, double *half_unit,
                                     struct claim_value *value)
{
    double number = 0;

    p->at += strspn(p->at, " \t");
    if (!claim_digits(p->at, &number, half_unit, &p->at))
        return refuse(p, what);
    *value = claim_number(number);
    return BENCH_OK;
}

/* (4.6, sect. 5): a number that stands in a text, with its place */
static enum bench_status read_printed(struct parser *p, struct claim_value *value)
{
    double half_unit = 0;

    TRY(read_number(p, "printed digits", &half_unit, value));
    TRY(must_take(p, ",", "',' and the place after printed digits"));
    p->at += strcspn(p->at, ")");
    TRY(must_take(p, ")", "')' after the place of printed digits"));
    if (!(p->l->claim && p->l->claim->exact)) {
        value->low -= half_unit;
        value->high += half_unit;
    }
    return BENCH_OK;
}

/* ---- functions ---- */

static const struct function {
    const char *name;
    double (*of_one)(
        double); /* it takes one number and does not fall; of abs, where that is above 0 */
    char sign;   /* else: what is between its arguments */
    bool of_truths, truth; /* what it takes and gives */
} functions[] = {
    {"abs", fabs, 0, false, false},     {"log2", log2, 0, false, false},
    {"ceil", ceil, 0, false, false},    {"round", round, 0, false, false},
    {"min", NULL, 'm', false, false},   {"max", NULL, 'M', false, false},
    {"rising", NULL, '<', false, true}, {"falling", NULL, '>', false, true},
    {"all", NULL, 'm', true, true},
};

static struct claim_value of_one(const struct function *f, const struct claim_value *a)
{
    double low = a->low, high = a->high;

    if (a->missing)
        return *a;
    if (f->of_one == fabs && low < 0) {
        low = fmax(0, -high);
        high = fmax(-a->low, high);
    }
    return range_of(f->of_one(a->value), f->of_one(low), f->of_one(high));
}

/* What lacks an argument lacks a value. */
static enum bench_status read_function(struct parser *p, const struct function *f,
                                       struct claim_value *value)
{
    const int min = f->truth && !f->of_truths ? 2 : 1,
              max = f->of_one ? 1 : CLAIM_MAX_ARGUMENTS;
    struct claim_value last = claim_number(0), next = last;
    int n = 0;

    do {
        if (n == max)
            return FAIL(p, "%s takes at most %d arguments, found more", f->name, max);
        TRY(read_level(p, 0, &next));
        TRY(must_be(p, f->of_truths, &next, f->name));
        if (n == 0)
            *value = min == 2 ? truth_of(true, true, true) : next;
        else
            *value = min == 2       ? also(value, f->sign, &last, &next)
                     : f->of_truths ? both(value, &next)
                                    : claim_combine(f->sign, value, &next);
        last = next;
        n++;
    } while (take(p, ","));
    if (n < min)
        return FAIL(p, "%s takes at least %d arguments, found %d", f->name, min, n);
    if (f->of_one)
        *value = of_one(f, value);
    value->truth = f->truth;
    return must_take(p, ")", "',' or ')'");
}

static enum bench_status read_call(struct parser *p, struct claim_value *value)
{
    static const char *const cells[] = {
        [CELL_PAPER] = "paper", [CELL_OURS] = "ours", [CELL_COUNTERS] = "counters"};
    const char *begin = p->at;
    char word[MAX_WORD_BYTES] = "";

    TRY(read_word(p, "a number, a cell, a function, '$name' or '('", word));
    TRY(must_take(p, "(", "'(' after a function's name"));
    for (int kind = CELL_PAPER; kind <= CELL_COUNTERS; kind++)
        if (!strcmp(cells[kind], word))
            return read_cell(p, (enum claim_cell_kind)kind, begin, value);
    if (!strcmp(word, "printed"))
        return read_printed(p, value);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, word))
            return read_function(p, &functions[i], value);
    return FAIL(p,
                "no function '%s': expected paper, printed, ours, counters, abs, log2, ceil, "
                "round, min, max, rising, falling or all",
                word);
}

/* ---- the grammar ---- */

static enum bench_status read_factor(struct parser *p, struct claim_value *value)
{
    const struct claim_value zero = claim_number(0);
    char word[MAX_WORD_BYTES] = "";
    double half_unit;

    if (++p->l->steps > CLAIM_MAX_STEPS)
        return FAIL(p, "a claim of more than %d steps", CLAIM_MAX_STEPS);
    if (++p->l->depth > CLAIM_MAX_DEPTH)
        return FAIL(p, "more than %d signs, parentheses and names within each other",
                    CLAIM_MAX_DEPTH);
    if (take(p, "(")) {
        TRY(read_level(p, 0, value));
        TRY(must_take(p, ")", "')'"));
    } else if (take(p, "$")) {
        TRY(read_word(p, "a name after '$'", word));
        TRY(claim_find_name(p->l, word, value));
    } else if (take(p, "-")) {
        TRY(read_factor(p, value));
        TRY(must_be(p, false, value, "-"));
        *value = claim_combine('-', &zero, value);
    } else if (number_begins(p->at)) {
        TRY(read_number(p, "a number", &half_unit, value));
    } else {
        TRY(read_call(p, value));
    }
    p->l->depth--;
    return BENCH_OK;
}

/* The operators of a level, the longer ones first, and how claim_combine() calls them. */
#define N_LEVELS 3
static const struct {
    const char *name[6], *sign;
} levels[N_LEVELS] = {
    {{"<=", ">=", "==", "<", ">"}, "lg=<>"}, {{"+", "-"}, "+-"}, {{"*", "/"}, "*/"}};

/* Comparisons of sums of products of factors. */
static enum bench_status read_level(struct parser *p, int level, struct claim_value *value)
{
    struct claim_value right = claim_number(0), all = truth_of(true, true, true);
    bool compared = false;

    if (level == N_LEVELS)
        return read_factor(p, value);
    TRY(read_level(p, level + 1, value));
    for (int i = 0; levels[level].name[i]; i++) {
        const char *const name = levels[level].name[i];
        const char sign = levels[level].sign[i];

        if (!take(p, name))
            continue;
        TRY(must_be(p, false, value, name));
        p->at += strspn(p->at, " \t");
        if (sign == '/' && number_begins(p->at) && !(strtod(p->at, NULL) > 0))
            return FAIL(p, "a division by 0");
        TRY(read_level(p, level + 1, &right));
        TRY(must_be(p, false, &right, name));
        compared = level == 0;
        if (compared)
            all = also(&all, sign, value, &right);
        *value = compared ? right : claim_combine(sign, value, &right);
        i = -1; /* the next operator may be any */
    }
    if (compared)
        *value = all;
    return BENCH_OK;
}

enum bench_status claim_evaluate(const char *text, struct claim_lookup *l,
                                 struct claim_value *value)
{
    struct parser p = {.at = text, .l = l};

    TRY(read_level(&p, 0, value));
    p.at += strspn(p.at, " \t");
    return *p.at ? refuse(&p, "an operator or the end") : BENCH_OK;
}
