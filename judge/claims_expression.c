/*
 * claims_expression.c - the language of claims: read and computed in one go, with ranges beside the values
 *
 * Nothing is kept: an expression is read again for each machine.  Depth and steps are counted, so that no text makes
 * it deep or slow.
 */
#include "judge/claims_expression.h"

#include "harness/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELL_BYTES 400
#define MAX_WORD_BYTES 48

struct parser {
    const char *text, *at;
    struct claim_source *source;
};

static enum bench_status read_comparison(struct parser *p, struct claim_value *value);

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
    if (sign[0] == '>') {
        const struct claim_value *swap = a;

        a = b;
        b = swap;
    }
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

    if (!(b->low > 0) && !(b->high < 0)) {
        inverse.low = -HUGE_VAL;
        inverse.high = HUGE_VAL;
    }
    return times(a, &inverse);
}

static struct claim_value calculate(char sign, const struct claim_value *a,
                                    const struct claim_value *b)
{
    if (a->missing || b->missing)
        return a->missing ? *a : *b;
    switch (sign) {
    case '+':
        return range_of(a->value + b->value, a->low + b->low, a->high + b->high);
    case '-':
        return range_of(a->value - b->value, a->low - b->high, a->high - b->low);
    case '*':
        return times(a, b);
    default:
        if (!(b->value < 0) && !(b->value > 0))
            return claim_missing("a division by 0");
        return over(a, b);
    }
}

/* ---- text ---- */

static void skip_blanks(struct parser *p)
{
    p->at += strspn(p->at, " \t");
}

static enum bench_status refuse(const struct parser *p, const char *expected)
{
    if (!*p->at)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected %s, found the end of the expression",
                          p->source->path, p->source->line, expected);
    return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected %s, found '%.24s'", p->source->path,
                      p->source->line, expected, p->at);
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
    if (!value->truth)
        return BENCH_OK;
    return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected a number for %s, found a comparison",
                      p->source->path, p->source->line, of);
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static enum bench_status read_word(struct parser *p, const char *what,
                                   char word[MAX_WORD_BYTES])
{
    size_t n = 0;

    while (is_word_byte(p->at[n]))
        n++;
    if (n == 0 || n >= MAX_WORD_BYTES)
        return refuse(p, what);
    memcpy(word, p->at, n);
    word[n] = '\0';
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
    size_t n = strspn(at, "0123456789");

    *decimals = 0;
    if (at[n] == '.') {
        *decimals = (int)strspn(at + n + 1, "0123456789");
        n += 1 + (size_t)*decimals;
    }
    if (at[n] == 'e' || at[n] == 'E') {
        const size_t sign = at[n + 1] == '-' || at[n + 1] == '+';
        const size_t exponent = strspn(at + n + 1 + sign, "0123456789");

        if (exponent > 0) {
            const long power = strtol(at + n + 1, NULL, 10);

            if (power > -400 && power < 400)
                *decimals -= (int)power;
            n += 1 + sign + exponent;
        }
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
    if (n >= sizeof copy)
        return false;
    memcpy(copy, digits, n);
    copy[n] = '\0';
    if (!text_to_number(copy, number))
        return false;
    *half_unit = 0.5 * pow(10, -decimals);
    *end = digits + n;
    return true;
}

static enum bench_status read_number(struct parser *p, struct claim_value *value)
{
    double number = 0, half_unit = 0;
    const char *end;

    if (!claim_digits(p->at, &number, &half_unit, &end))
        return refuse(p, "a number");
    p->at = end;
    *value = claim_number(number);
    return BENCH_OK;
}

/* ---- cells ---- */

/* 'text' is what stands in the parentheses; it is cut up. */
static enum bench_status split_cell(const struct parser *p, char *text, struct claim_cell *cell)
{
    char *comma = strchr(text, ',');

    if (comma)
        *comma = '\0';
    cell->source = text_trimmed(text);
    while (comma) {
        char *part = comma + 1, *equals;

        comma = strchr(part, ',');
        if (comma)
            *comma = '\0';
        equals = strchr(part, '=');
        if (!comma && !equals) {
            cell->column = text_trimmed(part);
            break;
        }
        if (!comma || !equals || cell->n_filters == CLAIM_MAX_FILTERS)
            break;
        *equals = '\0';
        cell->key[cell->n_filters] = text_trimmed(part);
        cell->wanted[cell->n_filters++] = text_trimmed(equals + 1);
    }
    if (!cell->column || !*cell->column || !*cell->source || !strchr(cell->source, '/'))
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: expected (paper/table, key=text, ..., column) with at most "
                          "%d keys, found %s",
                          p->source->path, p->source->line, CLAIM_MAX_FILTERS, cell->text);
    return BENCH_OK;
}

static enum bench_status read_cell(struct parser *p, const char *kind, const char *begin,
                                   struct claim_value *value)
{
    char text[MAX_CELL_BYTES], written[MAX_CELL_BYTES];
    struct claim_cell cell = {.ours = strcmp(kind, "paper") != 0,
                              .counters = !strcmp(kind, "counters"),
                              .text = written};
    const char *close = strchr(p->at, ')');

    if (!close || (size_t)(close - begin) + 2 > sizeof text) {
        if (!close)
            p->at += strlen(p->at);
        return refuse(p, close ? "a cell of less than 400 bytes" : "')' after a cell");
    }
    snprintf(text, sizeof text, "%.*s", (int)(close - p->at), p->at);
    snprintf(written, sizeof written, "%.*s", (int)(close + 1 - begin), begin);
    p->at = close + 1;
    TRY(split_cell(p, text, &cell));
    TRY(p->source->cell(p->source->user, &cell, value));
    return BENCH_OK;
}

/* printed(4.6, sect. 5): a number that stands in a text, with its place. */
static enum bench_status read_printed(struct parser *p, struct claim_value *value)
{
    double number = 0, half_unit = 0;
    const char *close = strchr(p->at, ')'), *place;

    skip_blanks(p);
    if (!claim_digits(p->at, &number, &half_unit, &place))
        return refuse(p, "printed digits");
    p->at = place;
    if (!take(p, ","))
        return refuse(p, "',' and the place after printed digits");
    skip_blanks(p);
    if (!close || close <= p->at)
        return refuse(p, "the place of the printed digits and ')'");
    p->at = close + 1;
    *value = claim_number(number);
    if (!p->source->exact) {
        value->low = number - half_unit;
        value->high = number + half_unit;
    }
    return BENCH_OK;
}

/* ---- functions ---- */

static struct claim_value of_one(const char *name, const struct claim_value *a, double decimals)
{
    const double scale = pow(10, decimals);

    if (!strcmp(name, "abs"))
        return range_of(fabs(a->value),
                        a->low > 0    ? a->low
                        : a->high < 0 ? -a->high
                                      : 0,
                        fmax(fabs(a->low), fabs(a->high)));
    if (!strcmp(name, "log2")) {
        if (!(a->value > 0))
            return claim_missing("log2 of %g", a->value);
        return range_of(log2(a->value), a->low > 0 ? log2(a->low) : -HUGE_VAL, log2(a->high));
    }
    if (!strcmp(name, "ceil"))
        return range_of(ceil(a->value), ceil(a->low), ceil(a->high));
    return range_of(round(a->value * scale) / scale, round(a->low * scale) / scale,
                    round(a->high * scale) / scale);
}

static struct claim_value of_many(const char *name, const struct claim_value *a, int n)
{
    struct claim_value v = a[0];
    const bool is_min = !strcmp(name, "min") || !strcmp(name, "all");
    const bool is_max = !strcmp(name, "max") || !strcmp(name, "any");
    const bool rising = !strcmp(name, "rising"), falling = !strcmp(name, "falling");

    if (rising || falling) {
        v = truth_of(true, true, true);
        for (int i = 1; i < n; i++) {
            const struct claim_value step = compare(rising ? "<" : ">", &a[i - 1], &a[i]);

            v.value = fmin(v.value, step.value);
            v.low = fmin(v.low, step.low);
            v.high = fmin(v.high, step.high);
        }
        return v;
    }
    for (int i = 1; i < n; i++) {
        v.value = is_min   ? fmin(v.value, a[i].value)
                  : is_max ? fmax(v.value, a[i].value)
                           : v.value + a[i].value;
        v.low = is_min   ? fmin(v.low, a[i].low)
                : is_max ? fmax(v.low, a[i].low)
                         : v.low + a[i].low;
        v.high = is_min   ? fmin(v.high, a[i].high)
                 : is_max ? fmax(v.high, a[i].high)
                          : v.high + a[i].high;
    }
    if (!strcmp(name, "mean"))
        v = range_of(v.value / n, v.low / n, v.high / n);
    else if (!v.truth)
        v = range_of(v.value, v.low, v.high);
    return v;
}

static const struct function {
    const char *name;
    int min, max;          /* arguments */
    bool of_truths, truth; /* what it takes and gives */
} functions[] = {
    {"abs", 1, 1, false, false},
    {"log2", 1, 1, false, false},
    {"ceil", 1, 1, false, false},
    {"round", 1, 2, false, false},
    {"min", 1, CLAIM_MAX_ARGUMENTS, false, false},
    {"max", 1, CLAIM_MAX_ARGUMENTS, false, false},
    {"sum", 1, CLAIM_MAX_ARGUMENTS, false, false},
    {"mean", 1, CLAIM_MAX_ARGUMENTS, false, false},
    {"rising", 2, CLAIM_MAX_ARGUMENTS, false, true},
    {"falling", 2, CLAIM_MAX_ARGUMENTS, false, true},
    {"all", 1, CLAIM_MAX_ARGUMENTS, true, true},
    {"any", 1, CLAIM_MAX_ARGUMENTS, true, true},
};

/* What lacks an argument lacks a value. */
static struct claim_value apply(const struct function *f, const struct claim_value *a, int n)
{
    struct claim_value value;

    for (int i = 0; i < n; i++)
        if (a[i].missing) {
            value = a[i];
            value.truth = f->truth;
            return value;
        }
    if (f->max > 2)
        return of_many(f->name, a, n);
    if (n == 2 && (fabs(a[1].value) > 9 || floor(a[1].value) < a[1].value))
        return claim_missing("round to %g decimals", a[1].value);
    return of_one(f->name, &a[0], n == 2 ? a[1].value : 0);
}

static enum bench_status read_arguments(struct parser *p, const struct function *f,
                                        struct claim_value *a, struct claim_value *value)
{
    int n = 0;

    do {
        if (n == f->max)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s takes at most %d arguments, found more",
                              p->source->path, p->source->line, f->name, f->max);
        TRY(read_comparison(p, &a[n]));
        if (!f->of_truths)
            TRY(must_be_number(p, &a[n], f->name));
        else if (!a[n].truth)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: expected a comparison for %s, found a number",
                              p->source->path, p->source->line, f->name);
        n++;
    } while (take(p, ","));
    if (n < f->min)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s takes at least %d arguments, found %d",
                          p->source->path, p->source->line, f->name, f->min, n);
    if (!take(p, ")"))
        return refuse(p, "',' or ')'");
    *value = apply(f, a, n);
    return BENCH_OK;
}

static enum bench_status read_function(struct parser *p, const struct function *f,
                                       struct claim_value *value)
{
    struct claim_value *a = calloc(CLAIM_MAX_ARGUMENTS, sizeof *a);
    enum bench_status status;

    if (!a)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: out of memory for a claim", p->source->path);
    status = read_arguments(p, f, a, value);
    free(a);
    return status;
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
        return read_printed(p, value);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, word))
            return read_function(p, &functions[i], value);
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s:%d: no function '%s': expected paper, printed, ours, counters, abs, "
                      "log2, ceil, round, "
                      "min, max, sum, mean, rising, falling, all or any",
                      p->source->path, p->source->line, word);
}

/* ---- the grammar ---- */

static enum bench_status read_inner(struct parser *p, struct claim_value *value)
{
    if (take(p, "(")) {
        TRY(read_comparison(p, value));
        return take(p, ")") ? BENCH_OK : refuse(p, "')'");
    }
    if (take(p, "$")) {
        char word[MAX_WORD_BYTES] = "";

        TRY(read_word(p, "a name after '$'", word));
        return p->source->name(p->source->user, word, value);
    }
    if (take(p, "-")) {
        const struct claim_value zero = claim_number(0);
        struct claim_value positive = claim_number(0);

        skip_blanks(p);
        p->source->depth++;
        if (p->source->depth > CLAIM_MAX_DEPTH)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: more than %d signs, parentheses and names "
                              "within each other",
                              p->source->path, p->source->line, CLAIM_MAX_DEPTH);
        TRY(read_inner(p, &positive));
        p->source->depth--;
        TRY(must_be_number(p, &positive, "'-'"));
        *value = calculate('-', &zero, &positive);
        return BENCH_OK;
    }
    skip_blanks(p);
    return number_begins(p->at) ? read_number(p, value) : read_call(p, value);
}

static enum bench_status read_factor(struct parser *p, struct claim_value *value)
{
    struct claim_source *s = p->source;

    if (++s->steps > CLAIM_MAX_STEPS)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a claim of more than %d steps", s->path,
                          s->line, CLAIM_MAX_STEPS);
    if (++s->depth > CLAIM_MAX_DEPTH)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: more than %d signs, parentheses and names within each other",
                          s->path, s->line, CLAIM_MAX_DEPTH);
    TRY(read_inner(p, value));
    s->depth--;
    return BENCH_OK;
}

static enum bench_status read_product(struct parser *p, struct claim_value *value)
{
    TRY(read_factor(p, value));
    for (;;) {
        struct claim_value right = claim_number(0);
        char sign;

        skip_blanks(p);
        sign = *p->at;
        if (sign != '*' && sign != '/')
            return BENCH_OK;
        p->at++;
        TRY(must_be_number(p, value, sign == '*' ? "'*'" : "'/'"));
        if (sign == '/') {
            skip_blanks(p);
            if (number_begins(p->at) && !(strtod(p->at, NULL) > 0))
                return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a division by 0", p->source->path,
                                  p->source->line);
        }
        TRY(read_factor(p, &right));
        TRY(must_be_number(p, &right, sign == '*' ? "'*'" : "'/'"));
        *value = calculate(sign, value, &right);
    }
}

static enum bench_status read_sum(struct parser *p, struct claim_value *value)
{
    TRY(read_product(p, value));
    for (;;) {
        struct claim_value right = claim_number(0);
        char sign;

        skip_blanks(p);
        sign = *p->at;
        if (sign != '+' && sign != '-')
            return BENCH_OK;
        p->at++;
        TRY(must_be_number(p, value, sign == '+' ? "'+'" : "'-'"));
        TRY(read_product(p, &right));
        TRY(must_be_number(p, &right, sign == '+' ? "'+'" : "'-'"));
        *value = calculate(sign, value, &right);
    }
}

static const char *take_comparison(struct parser *p)
{
    static const char *const signs[] = {"<=", ">=", "==", "<", ">"};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (take(p, signs[i]))
            return signs[i];
    return NULL;
}

static enum bench_status read_comparison(struct parser *p, struct claim_value *value)
{
    struct claim_value left = claim_number(0), all = truth_of(true, true, true);
    const char *sign;
    bool compared = false;

    TRY(read_sum(p, &left));
    while ((sign = take_comparison(p)) != NULL) {
        struct claim_value right = claim_number(0);

        TRY(must_be_number(p, &left, sign));
        TRY(read_sum(p, &right));
        TRY(must_be_number(p, &right, sign));
        compared = true;
        if (all.missing)
            continue;
        if (left.missing || right.missing) {
            all = left.missing ? left : right;
            all.truth = true;
        } else {
            const struct claim_value step = compare(sign, &left, &right);

            all.value = fmin(all.value, step.value);
            all.low = fmin(all.low, step.low);
            all.high = fmin(all.high, step.high);
        }
        left = right;
    }
    *value = compared ? all : left;
    return BENCH_OK;
}

enum bench_status claim_evaluate(const char *text, struct claim_source *source,
                                 struct claim_value *value)
{
    struct parser p = {.text = text, .at = text, .source = source};

    TRY(read_comparison(&p, value));
    skip_blanks(&p);
    return *p.at ? refuse(&p, "an operator or the end") : BENCH_OK;
}
