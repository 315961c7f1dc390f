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

#define MAX_WORD_BYTES 48

struct parser {
    const char *at;
    struct claim_lookup *l;
};

static const struct claim_value always = {.value = 1, .low = 1, .high = 1, .truth = true};

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

/* Applies an operator, of which "<=" and ">=" are 'l' and 'g', or 'm' for min and all, 'M' for
 * max.  A comparison is 1 where it holds. */
static double apply(char sign, double a, double b)
{
    switch (sign) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a * (1 / b);
    case '<':
        return a < b;
    case '>':
        return a > b;
    case 'l':
        return a <= b;
    case 'g':
        return a >= b;
    default:
        return sign == 'm' ? fmin(a, b) : fmax(a, b);
    }
}

/* Returns a range; a number that is not finite is missing, an infinite border is fine. */
static struct claim_value range_of(double value, double low, double high)
{
    if (!isfinite(value))
        return claim_missing(CLAIM_NEVER "the arithmetic leaves the range of numbers");
    return (struct claim_value){.value = value, .low = low, .high = high};
}

/* Each operator rises or falls with either number, so that its range lies between what the ends
 * give. */
struct claim_value claim_combine(char sign, const struct claim_value *a,
                                 const struct claim_value *b)
{
    const double value = apply(sign, a->value, b->value);
    const bool is_open = sign == '/' && b->low <= 0 && b->high >= 0;
    double low = value, high = value;
    struct claim_value range;

    if (a->missing || b->missing)
        return a->missing ? *a : *b;
    if (sign == '/' && !(fabs(b->value) > 0))
        return claim_missing(CLAIM_NEVER "a division by 0");
    if (sign == '=') {
        const struct claim_value least = claim_combine('g', a, b);

        range = claim_combine('l', a, b);
        return claim_combine('m', &least, &range);
    }
    for (int i = 0; i < 4; i++) {
        const double end = apply(sign, i & 1 ? a->high : a->low, i & 2 ? b->high : b->low);

        low = is_open || isnan(end) ? -HUGE_VAL : fmin(low, end);
        high = is_open || isnan(end) ? HUGE_VAL : fmax(high, end);
    }
    range = range_of(value, low, high);
    range.truth = strchr("<>lg", sign) || a->truth;
    return range;
}

/* Shows the numbers compared, as they stand: "4.94 < 6", also where "> 6" was asked for; of
 * a <= b <= c, which asks for a range, "4.94, asked 2 to 6". */
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
    if (sign == 'l' && *so_far)
        snprintf(value->shown, sizeof value->shown, "%s, asked %.*s to %s", left,
                 (int)strcspn(so_far, " "), so_far, right);
    else
        snprintf(value->shown, sizeof value->shown, "%.40s %s %s", *so_far ? so_far : left,
                 holds && strchr("lg", sign) ? as_asked : how, right);
}

/* A chain of comparisons, a < b < c, holds where each of them does. */
static struct claim_value also(const struct claim_value *so_far, char sign,
                               const struct claim_value *a, const struct claim_value *b)
{
    const struct claim_value step = claim_combine(sign, a, b);
    struct claim_value all = claim_combine('m', so_far, &step);

    all.truth = true; /* also of what is missing */
    show(&all, so_far->shown, sign, step.value > 0, a, b);
    return all;
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

bool claim_digits(const char *digits, double *number, double *half_unit, const char **end)
{
    const size_t n = (*digits == '-') + strspn(digits + (*digits == '-'), "0123456789.");
    const char *const point = memchr(digits, '.', n);
    char copy[64];

    snprintf(copy, sizeof copy, "%.*s", (int)n, digits);
    *half_unit = 0.5 * pow(10, point ? (double)(point + 1 - (digits + n)) : 0);
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
    return p->l->find_cell(p->l, &cell, value);
}

/* (4.6, sect. 5): a number that stands in a text, with its place */
static enum bench_status read_printed(struct parser *p, struct claim_value *value)
{
    double number = 0, half_unit = 0;

    p->at += strspn(p->at, " \t");
    if (!claim_digits(p->at, &number, &half_unit, &p->at))
        return refuse(p, "printed digits");
    TRY(must_take(p, ",", "',' and the place after printed digits"));
    p->at += strcspn(p->at, ")");
    if (p->l->claim && p->l->claim->exact)
        half_unit = 0;
    *value = (struct claim_value){
        .value = number, .low = number - half_unit, .high = number + half_unit};
    return must_take(p, ")", "')' after the place of printed digits");
}

/* ---- functions ---- */

static const struct function {
    const char *name;
    /* it takes one number and does not fall; of abs, where that is above 0 */
    double (*of_one)(double);
    char sign;  /* else: what is between its arguments */
    bool truth; /* what it gives */
} functions[] = {
    {"abs", fabs, 0, false},     {"log2", log2, 0, false},     {"ceil", ceil, 0, false},
    {"round", round, 0, false},  {"min", NULL, 'm', false},    {"max", NULL, 'M', false},
    {"rising", NULL, '<', true}, {"falling", NULL, '>', true}, {"all", NULL, 'm', true},
};

static struct claim_value of_one(const struct function *f, const struct claim_value *a)
{
    const bool is_folded = f->of_one == fabs && a->low < 0;
    const double low = is_folded ? fmax(0, -a->high) : a->low,
                 high = is_folded ? fmax(-a->low, a->high) : a->high;

    return a->missing ? *a : range_of(f->of_one(a->value), f->of_one(low), f->of_one(high));
}

/* Lacks a value where an argument does.  A chain is one of comparisons, of two numbers or
 * more. */
static enum bench_status read_function(struct parser *p, const struct function *f,
                                       struct claim_value *value)
{
    const bool is_chain = f->truth && f->sign != 'm', of_truths = f->truth && !is_chain;
    const int max = f->of_one ? 1 : CLAIM_MAX_ARGUMENTS;
    struct claim_value last = claim_number(0), next = last;
    int n = 0;

    do {
        if (n == max)
            return FAIL(p, "%s takes at most %d arguments, found more", f->name, max);
        TRY(read_level(p, 0, &next));
        TRY(must_be(p, of_truths, &next, f->name));
        if (n == 0)
            *value = is_chain ? always : next;
        else if (is_chain)
            *value = also(value, f->sign, &last, &next);
        else
            *value = of_truths ? both(value, &next) : claim_combine(f->sign, value, &next);
        last = next;
        n++;
    } while (take(p, ","));
    if (is_chain && n < 2)
        return FAIL(p, "%s takes at least 2 arguments, found %d", f->name, n);
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
    const char *begin;
    double number, half_unit;

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
        TRY(p->l->find_name(p->l, word, value));
    } else if (take(p, "-")) {
        TRY(read_factor(p, value));
        TRY(must_be(p, false, value, "-"));
        *value = claim_combine('-', &zero, value);
    } else if (claim_digits(p->at, &number, &half_unit, &begin)) {
        p->at = begin;
        *value = claim_number(number);
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
    struct claim_value right = claim_number(0), all = always;
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
        if (sign == '/' && isdigit((unsigned char)*p->at) && !(strtod(p->at, NULL) > 0))
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
