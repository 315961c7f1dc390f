/*
 * claims.c - claim files, and the verdict on each claim
 */
#include "harness/listing.h"
#include "judge/claims_private.h"

#include <fnmatch.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS  15 /* quoted of a paper in one claim */
#define NAMES      "names"
#define ABOUT_ZERO 1e-9 /* relative: so far do decimal numbers miss in binary */

const char *const claim_verdict_names[] = {
    "REPRODUCED",   "SHAPE-ONLY",         "SCALED-AGREES", "SCALED-DIFFERS",
    "CONTRADICTED", "PAPER-INCONSISTENT", "NOT-RUN"};
const char *const claim_kind_names[] = {"value", "ratio", "order", "monotone", "bound"};

static bool is_truth(const struct claim *claim)
{
    return claim->kind >= CLAIM_ORDER;
}

static bool is_missing(const struct claim *claim)
{
    return claim->missing && !strcmp(claim->measured->key, "missing");
}

/* ---- evaluation ---- */

/* Evaluate a fact's text; depth and steps go on counting. */
static enum bench_status evaluate(struct claim_lookup *l, const struct ini_fact *fact,
                                  struct claim_value *value)
{
    const struct ini_fact *before = l->fact;

    l->fact = fact;
    TRY(claim_evaluate(fact->value, l, value));
    l->fact = before;
    return BENCH_OK;
}

/* $printed, or a '$name' key above: of the claim itself, else of [names]. */
enum bench_status claim_find_name(struct claim_lookup *l, const char *name,
                                  struct claim_value *value)
{
    const struct ini_fact *found = NULL;

    if (!strcmp(name, "printed") && l->claim && l->claim->printed) {
        *value = claim_number(l->claim->number);
        return BENCH_OK;
    }
    for (ptrdiff_t i = l->fact - l->file->fact; !found && i-- > 0;) {
        const struct ini_fact *f = &l->file->fact[i];

        if (f->key[0] == '$' && !strcmp(f->key + 1, name) &&
            (!strcmp(f->section, l->fact->section) || !strcmp(f->section, NAMES)))
            found = f;
    }
    if (!found)
        return CLAIM_REFUSE(l,
                            "expected a name from a '$%s = ...' above, in this claim or "
                            "[" NAMES "], found none",
                            name);
    TRY(evaluate(l, found, value));
    return value->truth ? claim_refuse(l->file->path, found->line,
                                       "expected a number in $%s, found a comparison", name)
                        : BENCH_OK;
}

/* What 'l' asks for: its claim, or a name of 'file' alone, by the machine, board and session that it has. */
static enum bench_status compute(struct claim_lookup *l, const struct ini_file *file,
                                 const struct ini_fact *fact, struct claim_value *value)
{
    l->file = file;
    l->only_paper = l->claim && fact == l->claim->paper;
    return evaluate(l, fact, value);
}

/* ---- reading ---- */

/* The members that have the texts of keys. */
static const struct {
    const char *name;
    size_t member;
} keys[] = {
    {"where", offsetof(struct claim, where)},
    {"words", offsetof(struct claim, words)},
    {"printed", offsetof(struct claim, printed)},
    {"unit", offsetof(struct claim, unit)},
    {"kind", offsetof(struct claim, text.kind)},
    {"paper", offsetof(struct claim, text.expression)},
    {"measured", offsetof(struct claim, text.expression)},
    {"missing", offsetof(struct claim, missing)},
    {"about", offsetof(struct claim, text.about)},
    {"tol", offsetof(struct claim, text.tol)},
    {"because", offsetof(struct claim, because)},
    {"hardware", offsetof(struct claim, hardware)},
    {"scaled", offsetof(struct claim, board.text)},
    {"session", offsetof(struct claim, session)},
    {"differs", offsetof(struct claim, differs)},
    {"digits", offsetof(struct claim, text.digits)},
    {"each", offsetof(struct claim, table)}, /* what claims_table.c wrote out */
};

static enum bench_status read_key(struct claim *c, const struct ini_fact *fact)
{
    if (!*fact->value)
        return claim_refuse(c->file->path, fact->line, "'%s' has no value", fact->key);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i].name, fact->key)) {
            *(const char **)(void *)((char *)c + keys[i].member) = fact->value;
            return BENCH_OK;
        }
    return claim_refuse(c->file->path, fact->line,
                        "no key '%s': expected where, words, printed, unit, kind, paper, "
                        "measured, missing, about, tol, because, hardware, scaled, session, "
                        "differs, digits, a $name, or each and id of a table",
                        fact->key);
}

/* "10%"; NULL is 0. */
static bool read_share(const char *text, double *share)
{
    double half_unit;
    const char *end = "%";
    const bool is_share = !text || claim_digits(text, share, &half_unit, &end);

    *share /= 100;
    return is_share && !strcmp(end, "%") && *share >= 0 && *share <= 0.5;
}

/* "8 SMs, 1377 MHz"; "15 SMs as 16, 1464 MHz" where a card cannot be cut to so many. */
static bool read_board(struct claim_board *b)
{
    int end = 0;

    if (!b->text)
        return true;
    sscanf(b->text, "%d SMs as %d, %d MHz%n", &b->n_sms, &b->n_cut, &b->mhz, &end);
    if (!end) {
        sscanf(b->text, "%d SMs, %d MHz%n", &b->n_sms, &b->mhz, &end);
        b->n_cut = b->n_sms;
    }
    snprintf(b->cut, sizeof b->cut, "%d", b->n_cut);
    return end && !b->text[end] && b->n_sms > 0 && b->n_cut > 0 && b->mhz > 0;
}

static int count_words(const char *text)
{
    int n = 0;

    for (; *text; text += strspn(text, " \t"), n++)
        text += strcspn(text, " \t");
    return n;
}

/* What the texts say, each for itself. */
static enum bench_status read_values(struct claim *c)
{
    const char *end = "", *const digits = c->text.digits;
    int kind = CLAIM_VALUE;

    while (c->text.kind && kind <= CLAIM_BOUND &&
           strcmp(claim_kind_names[kind], c->text.kind) != 0)
        kind++;
    c->kind = (enum claim_kind)kind;
    c->exact = digits && !strcmp(digits, "exact");
    const struct {
        bool is_right;
        const char *key, *what;
    } checks[] = {
        {kind <= CLAIM_BOUND, "kind", "a kind (value, ratio, order, monotone or bound)"},
        {!c->words || count_words(c->words) <= MAX_WORDS, "words", "at most 15 quoted words"},
        {(!c->printed || claim_digits(c->printed, &c->number, &c->half_unit, &end)) && !*end,
         "printed", "the printed digits of a number"},
        {read_share(c->text.about, &c->about), "about", "'about' from 0% to 50%"},
        {read_share(c->text.tol, &c->tol), "tol", "'tol' from 0% to 50%"},
        {read_board(&c->board), "scaled",
         "'scaled' as '8 SMs, 1377 MHz' or '15 SMs as 16, 1464 MHz'"},
        {!c->session || !strcmp(c->session, "one"), "session", "'one' for session"},
        {!digits || c->exact || !strcmp(digits, "rounded"), "digits",
         "'exact' or 'rounded' for digits"},
    };

    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!checks[i].is_right) {
            const struct ini_fact *fact = ini_find(c->file, c->id, checks[i].key);

            return claim_refuse(c->file->path, fact->line, "expected %s, found '%s'",
                                checks[i].what, fact->value);
        }
    return BENCH_OK;
}

/* What the keys of one claim must be together. */
static enum bench_status check_claim(const struct claim *c, int line)
{
    const bool is_share = c->tol > 0 || c->about > 0;
    const bool is_measured = c->measured && !is_missing(c);
    const struct {
        bool is_wrong;
        const char *what;
    } checks[] = {
        {strlen(c->id) > CLAIM_MAX_ID, "has an id of more than 40 bytes"},
        {!c->where, "has no 'where'"},
        {!c->text.kind, "has no 'kind'"},
        {!c->paper && !c->measured, "has neither 'paper' nor 'measured' nor 'missing'"},
        {c->missing && is_measured, "has both 'measured' and 'missing'"},
        {!is_truth(c) && !c->printed, "is a value or a ratio and has no 'printed'"},
        {!is_truth(c) && !c->unit, "is a value or a ratio and has no 'unit'"},
        {is_truth(c) && is_share,
         "is a comparison: tol and about are for kinds value and ratio"},
        {is_share && !c->because, "has a tolerance and no 'because'"},
        {c->board.n_sms && !is_measured, "has 'scaled' and no 'measured'"},
        {c->session && !is_measured, "has 'session' and no 'measured'"},
        {c->board.n_sms && !c->hardware, "is scaled and has no 'hardware'"},
    };

    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].is_wrong)
            return claim_refuse(c->file->path, line, "[%s] %s", c->id, checks[i].what);
    return BENCH_OK;
}

static enum bench_status check_expression(struct claims *claims, const struct ini_file *file,
                                          const struct claim *claim,
                                          const struct ini_fact *fact)
{
    struct claim_lookup l = {.claims = claims, .claim = claim};
    struct claim_value value = claim_number(0);

    TRY(compute(&l, file, fact, &value));
    if (claim && value.truth != is_truth(claim))
        return claim_refuse(file->path, fact->line, "expected %s for kind %s, found %s",
                            is_truth(claim) ? "a comparison" : "a number",
                            claim_kind_names[claim->kind],
                            value.truth ? "a comparison" : "a number");
    return BENCH_OK;
}

static enum bench_status begin_claim(struct claims *claims, const struct ini_file *file,
                                     const struct ini_fact *first)
{
    struct claim *more;

    for (int i = 0; i < claims->n; i++)
        if (!strcmp(claims->claim[i].id, first->section))
            return claim_refuse(file->path, first->line, "[%s] is a claim already, in %s",
                                first->section, claims->claim[i].file->path);
    more = realloc(claims->claim, ((size_t)claims->n + 1) * sizeof *more);
    if (!more)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: out of memory for claims", file->path);
    claims->claim = more;
    more[claims->n++] = (struct claim){.file = file, .id = first->section};
    return BENCH_OK;
}

/* The facts of a section, [at, end). */
static enum bench_status read_claim(struct claims *claims, const struct ini_file *file, int at,
                                    int end)
{
    struct claim *claim;

    TRY(begin_claim(claims, file, &file->fact[at]));
    claim = &claims->claim[claims->n - 1];
    for (int i = at; i < end; i++)
        if (file->fact[i].key[0] != '$')
            TRY(read_key(claim, &file->fact[i]));
    claim->paper = ini_find(file, claim->id, "paper");
    claim->measured = ini_find(file, claim->id, "measured");
    if (!claim->measured)
        claim->measured = ini_find(file, claim->id, "missing");
    TRY(read_values(claim));
    TRY(check_claim(claim, file->fact[at].line));
    for (int i = at; i < end; i++)
        if (file->fact[i].key[0] == '$')
            TRY(check_expression(claims, file, NULL, &file->fact[i]));
    if (claim->paper)
        TRY(check_expression(claims, file, claim, claim->paper));
    if (claim->measured && !is_missing(claim))
        TRY(check_expression(claims, file, claim, claim->measured));
    return BENCH_OK;
}

/* A claim that claims_table.c wrote out begins with 'each'. */
static bool goes_on(const struct ini_file *file, int at)
{
    return at < file->n_facts && !strcmp(file->fact[at].section, file->fact[at - 1].section) &&
           strcmp(file->fact[at].key, "each") != 0;
}

static enum bench_status read_file(struct claims *claims, const struct ini_file *file)
{
    for (int at = 0, end; at < file->n_facts; at = end) {
        const struct ini_fact *fact = &file->fact[at];

        for (end = at + 1; goes_on(file, end);)
            end++;
        if (!*fact->section)
            return claim_refuse(file->path, fact->line, "expected '[id]' before '%s'",
                                fact->key);
        if (strcmp(fact->section, NAMES) != 0)
            TRY(read_claim(claims, file, at, end));
        for (; !strcmp(fact->section, NAMES) && at < end; at++, fact++) {
            if (fact->key[0] != '$')
                return claim_refuse(file->path, fact->line,
                                    "expected '$name = ...' in [%s], found '%s'", NAMES,
                                    fact->key);
            TRY(check_expression(claims, file, NULL, fact));
        }
    }
    return BENCH_OK;
}

/* The claims of a file, its tables written out. */
static enum bench_status add_file(struct claims *claims, const char *path)
{
    struct ini_file *file = &claims->file[claims->n_files++], plain;
    enum bench_status status;

    TRY(ini_read(path, &plain));
    status = claim_write_out(claims, &plain, file);
    ini_free(&plain);
    return status ? status : read_file(claims, file);
}

enum bench_status claims_read(const char *home, const char *expected, struct claims *claims)
{
    char folder[4300];
    struct listing files;
    enum bench_status status = BENCH_OK;

    *claims = (struct claims){0};
    snprintf(claims->paper_folder, sizeof claims->paper_folder, "%s/results/paper", home);
    snprintf(claims->expected, sizeof claims->expected, "%s%s", expected ? expected : home,
             expected ? "" : "/experiments/claims/expected.csv");
    snprintf(folder, sizeof folder, "%s/experiments/claims", home);
    TRY(listing_read(folder, ".ini", &files));
    claims->file = calloc((size_t)files.n + 1, sizeof *claims->file);
    if (!claims->file)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for claims");
    for (int i = 0; i < files.n && !status; i++)
        status = add_file(claims, files.path[i]);
    if (!status && claims->n == 0)
        status = BENCH_FAIL(BENCH_EIO, "%s: no claims are there", folder);
    listing_free(&files);
    if (status)
        claims_free(claims);
    return status;
}

void claims_free(struct claims *claims)
{
    for (int i = 0; i < claims->n_files; i++)
        ini_free(&claims->file[i]);
    tdestroy(claims->answers, free);
    store_close(claims->store);
    free(claims->file);
    free(claims->claim);
    *claims = (struct claims){0};
}

/* ---- verdicts ---- */

static void say(struct claim_judgement *j, enum claim_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct claim_judgement *j, enum claim_verdict verdict, const char *format, ...)
{
    va_list arguments;

    j->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(j->reason, sizeof j->reason, format, arguments);
    va_end(arguments);
}

/* Whether the two ranges have a number in common, but for what binary fractions do to decimal ones. */
static bool meet(double low, double high, double number, double slack)
{
    const double small = ABOUT_ZERO * fmax(1, fabs(number));

    return high >= number - slack - small && low <= number + slack + small;
}

static void judge_printed(const struct claim *c, const struct claim_value *v,
                          struct claim_judgement *j)
{
    const double slack = c->half_unit + c->about * fabs(c->number);
    const bool holds = is_truth(c) ? v->value > 0 : meet(v->value, v->value, c->number, slack);
    const bool may = is_truth(c) ? v->high > 0 : meet(v->low, v->high, c->number, slack);
    const enum claim_verdict verdict =
        holds || (may && !c->exact) ? CLAIM_REPRODUCED : CLAIM_PAPER_INCONSISTENT;
    char value[TEXT_NUMBER], low[TEXT_NUMBER], high[TEXT_NUMBER], rounding[100];

    if (v->missing) {
        say(j, CLAIM_NOT_RUN, "%s", v->why);
    } else if (is_truth(c)) {
        say(j, verdict,
            !holds && verdict == CLAIM_REPRODUCED
                ? "the rounding of the printed numbers allows it; as they stand they say "
                  "otherwise"
                : "the printed numbers say %s",
            !holds       ? "otherwise"
            : v->low > 0 ? "so"
                         : "so; their rounding leaves it open");
    } else {
        text_short_number(value, v->value, 4);
        text_short_number(low, v->low, 4);
        text_short_number(high, v->high, 4);
        snprintf(rounding, sizeof rounding, ", with their rounding %s to %s", low, high);
        say(j, verdict, "the printed numbers give %s%s%s%s", value,
            holds || c->exact ? "" : rounding,
            verdict == CLAIM_REPRODUCED ? ""
            : c->exact                  ? ", the paper says "
                                        : "; the paper says ",
            verdict == CLAIM_REPRODUCED ? "" : c->printed);
    }
}

/* Whether the rows are of another experiment than the paper's, and "; not Xavier; other maps" about it. */
static bool is_aside(const struct claim *c, const struct claim_lookup *l, char aside[300])
{
    const char *name = l->seen.elsewhere ? c->hardware + strspn(c->hardware, "*") : "";
    int n = snprintf(aside, 300, "%s%.*s%s%s%s", l->seen.elsewhere ? "; not " : "",
                     (int)strcspn(name, "*"), name, c->differs ? "; " : "",
                     c->differs ? c->differs : "",
                     l->seen.mixed ? "; rows of several commits" : "");

    if (l->seen.n_outside > 0 && n < 300)
        snprintf(aside + n, 300 - (size_t)n, "; %d of %d rows outside the reference's scatter",
                 l->seen.n_outside, l->seen.n);
    return l->seen.elsewhere || c->differs;
}

/* A time or a rate: on another card it is another number, whatever the paper's method is worth. */
static bool is_absolute(const struct claim *c)
{
    static const char *const units[] = {"ms", "s", "fps"};

    for (size_t i = 0; i < sizeof units / sizeof *units && c->kind == CLAIM_BOUND; i++)
        if (c->unit && !strcmp(c->unit, units[i]))
            return true;
    return c->kind == CLAIM_VALUE;
}

/* What rows say, and the verdict: by those of the paper's hardware and inputs, by others, or by a card that was cut. */
enum outcome { ABSOLUTE, SINGLE, ACROSS, HOLDS, HAS_SHAPE, FAILS };

static enum claim_verdict verdict_of(enum outcome outcome, const struct claim_lookup *l,
                                     bool is_elsewhere)
{
    static const enum claim_verdict of[][3] = {
        [HOLDS] = {CLAIM_REPRODUCED, CLAIM_SHAPE_ONLY, CLAIM_SCALED_AGREES},
        [HAS_SHAPE] = {CLAIM_SHAPE_ONLY, CLAIM_SHAPE_ONLY, CLAIM_SCALED_DIFFERS},
        [FAILS] = {CLAIM_CONTRADICTED, CLAIM_CONTRADICTED, CLAIM_SCALED_DIFFERS},
    };

    return outcome < HOLDS ? CLAIM_NOT_RUN : of[outcome][l->board ? 2 : is_elsewhere];
}

/* An effect that is at most twice and at least half as large: as a number and, of a factor between two times, in its
 * logarithm, so that 1.1 is not the shape of 2. */
static bool has_shape(const struct claim *c, double found, double number)
{
    const double share = found / number, effect = log(found) / log(number);

    if (c->kind != CLAIM_RATIO || !(share >= 0.5 && share <= 2))
        return false;
    return strcmp(c->unit, "x") != 0 || (effect >= 0.5 && effect <= 2);
}

static enum outcome outcome_of(const struct claim *c, const struct claim_value *v,
                               double number, double slack, const struct claim_lookup *l,
                               bool is_elsewhere)
{
    const double small = ABOUT_ZERO * fmax(1, fabs(number));
    const bool shape = has_shape(c, v->value, number);
    /* 1.1 is within 20 % of 1.3, and yet another finding */
    const bool flat = c->kind == CLAIM_RATIO && !shape && fabs(number - 1) > slack;

    if (is_elsewhere && is_absolute(c) && !l->board)
        return ABSOLUTE;
    if (l->seen.single)
        return SINGLE;
    if (is_truth(c))
        return v->low > 0 ? HOLDS : v->high > 0 ? ACROSS : FAILS;
    if (!flat && v->low >= number - slack - small && v->high <= number + slack + small)
        return HOLDS;
    if (!flat && meet(v->low, v->high, number, slack) && (l->board || !(is_elsewhere && shape)))
        return ACROSS;
    return shape ? HAS_SHAPE : FAILS;
}

static void judge_measured_truth(const struct claim *c, const struct claim_value *v,
                                 const struct claim_lookup *l, struct claim_judgement *j)
{
    char aside[300];
    const bool is_elsewhere = is_aside(c, l, aside), holds = v->value > 0;
    const enum outcome outcome = outcome_of(c, v, 0, 0, l, is_elsewhere);
    const bool is_open = outcome == SINGLE || outcome == ACROSS;

    j->elsewhere = is_elsewhere;
    say(j, verdict_of(outcome, l, is_elsewhere), "%s on %s%s%s",
        is_open ? "undecided"
        : holds ? "it holds"
                : "it does not hold",
        l->seen.device,
        outcome == ABSOLUTE ? ": no verdict on an absolute bound"
        : outcome == ACROSS ? ": within the noise"
        : outcome != SINGLE ? ""
        : holds             ? ": single runs, whose noise is unknown, say yes"
                            : ": single runs, whose noise is unknown, say no",
        aside);
}

/* Against 'number', which is as printed or as the paper's own cells give it ('reading'). */
static void judge_measured_number(const struct claim *c, const struct claim_value *v,
                                  double number, const char *reading,
                                  const struct claim_lookup *l, struct claim_judgement *j)
{
    const double tol = l->board ? CLAIM_SCALED_TOL : c->tol;
    char value[TEXT_NUMBER], wanted[TEXT_NUMBER], aside[300], how[100];
    const bool is_elsewhere = is_aside(c, l, aside);
    const enum outcome outcome =
        outcome_of(c, v, number, c->half_unit + tol * fabs(number), l, is_elsewhere);

    j->elsewhere = is_elsewhere;
    text_short_number(value, v->value, 4);
    text_short_number(wanted, number, 4);
    if (outcome >= HOLDS)
        snprintf(how, sizeof how, "%swithin %g%%%s",
                 outcome == HOLDS    ? ""
                 : v->value < number ? "lower, not "
                                     : "higher, not ",
                 100 * tol, outcome == HAS_SHAPE ? ", but within a factor of 2" : "");
    else if (outcome == ACROSS)
        snprintf(how, sizeof how, "undecided, the noise spans the edge of %g%%", 100 * tol);
    say(j, verdict_of(outcome, l, is_elsewhere), "%s%s%s on %s, %s %s: %s%s", value,
        outcome == ABSOLUTE ? " " : "", outcome == ABSOLUTE ? c->unit : "", l->seen.device,
        reading, wanted,
        outcome == ABSOLUTE ? "no verdict on an absolute value"
        : outcome == SINGLE ? "undecided, single runs of unknown noise"
                            : how,
        aside);
}

/* A claim that does not fit the paper's own numbers has two readings, and either may be the true one. */
static enum bench_status judge_measured(const struct claim *c, const struct claim_value *v,
                                        const struct claim_lookup *l, struct claim_judgement *j)
{
    struct claim_lookup again = {.claims = l->claims, .claim = c};
    struct claim_value printed = {.missing = true};
    struct claim_judgement arithmetic = {0}, other = *j;

    if (v->missing) {
        say(j, CLAIM_NOT_RUN, "%s", v->why);
        return BENCH_OK;
    }
    if (is_truth(c)) {
        judge_measured_truth(c, v, l, j);
        return BENCH_OK;
    }
    judge_measured_number(c, v, c->number, "printed", l, j);
    if (!c->paper || j->verdict == CLAIM_REPRODUCED || j->verdict == CLAIM_SCALED_AGREES)
        return BENCH_OK;
    TRY(compute(&again, c->file, c->paper, &printed));
    judge_printed(c, &printed, &arithmetic);
    if (arithmetic.verdict != CLAIM_PAPER_INCONSISTENT)
        return BENCH_OK;
    judge_measured_number(c, v, printed.value, "by the paper's own numbers", l, &other);
    if (other.verdict <= CLAIM_SCALED_AGREES && other.verdict < j->verdict)
        *j = other;
    return BENCH_OK;
}

/* ---- measuring ---- */

/* Evaluate 'measured' by rows of whole cards or, with l->board, of cut ones; of a claim with session = one, by the
 * newest session that has them all: of a clean build and the full protocol where there is one, then of several runs. */
static enum bench_status measure(const struct claim *c, struct claim_lookup *l,
                                 struct claim_value *v)
{
    const struct table *const sessions = &l->machine->sessions;
    const struct claim_lookup asked = *l;
    const char *best = NULL;
    int least = 4;

    if (c->session) {
        l->log = NULL;
        TRY(compute(l, c->file, c->measured, v));
        for (int i = sessions->n_rows;
             (l->seen.several || l->seen.single) && least > 0 && i-- > 0;) {
            struct claim_lookup one = asked;

            one.log = NULL;
            one.session = sessions->cell[i].text;
            TRY(compute(&one, c->file, c->measured, v));
            if (!v->missing && 2 * one.seen.poor + one.seen.single < least) {
                least = 2 * one.seen.poor + one.seen.single;
                best = one.session;
            }
        }
        if (l->seen.several && !best) {
            *v = claim_missing("no session has all of its rows");
            return BENCH_OK;
        }
        *l = asked;
        l->session = best;
    }
    TRY(compute(l, c->file, c->measured, v));
    claim_log(l->log, c->measured->value, v, "%s",
              c->unit && !v->truth ? " (the claim's unit)" : "");
    return BENCH_OK;
}

/* The same by a card cut to the size of the paper's, in place of 'l' and 'v' where it has the rows. */
static enum bench_status scale(const struct claim *c, struct claim_lookup *l,
                               struct claim_value *v)
{
    struct text log = {0};
    struct claim_lookup cut = {.claims = l->claims,
                               .claim = c,
                               .machine = l->machine,
                               .board = &c->board,
                               .as_clock = is_absolute(c),
                               .log = l->log ? &log : NULL};
    struct claim_value scaled = claim_number(0);
    enum bench_status status = measure(c, &cut, &scaled);

    if (!status && l->log && scaled.missing)
        text_format(l->log, "  not scaled: %s\n", scaled.why);
    else if (!status && l->log)
        text_format(l->log,
                    "  scaled to %s: %s\n%s"
                    "  what does not scale: memory (8 SMs of an H200 reach some 260 GB/s, a "
                    "Xavier has 137), caches, FP32 lanes an SM (H200 128, Xavier 64, GTX 570 "
                    "32), the CPU\n",
                    c->board.text,
                    cut.as_clock ? "times x measured clock / its clock" : "ratios as they are",
                    log.data ? log.data : "");
    if (l->log)
        l->log->failed |= log.failed;
    text_free(&log);
    if (!status && !scaled.missing) {
        cut.log = l->log;
        *l = cut;
        *v = scaled;
    }
    return status;
}

/* What the whole card gives, behind the verdict on a part of it. */
static void add_whole(const struct claim *c, const struct claim_value *whole,
                      struct claim_judgement *j)
{
    const size_t n = strlen(j->reason);
    char number[TEXT_NUMBER];

    text_short_number(number, whole->value, 4);
    if (!whole->missing)
        snprintf(j->reason + n, sizeof j->reason - n, "; the whole card: %s",
                 !is_truth(c)       ? number
                 : whole->value > 0 ? "it holds"
                                    : "it does not");
}

enum bench_status claims_judge(struct claims *claims, const struct claim *c,
                               struct claim_machine *machine, struct text *log,
                               struct claim_judgement *j)
{
    struct claim_lookup l = {.claims = claims, .claim = c, .machine = machine, .log = log};
    struct claim_value value = claim_number(0), whole = value;

    *j = (struct claim_judgement){.truth = is_truth(c)};
    if (machine && is_missing(c)) {
        say(j, CLAIM_NOT_RUN, "%s", c->missing);
        return BENCH_OK;
    }
    if (machine) {
        TRY(measure(c, &l, &value));
        whole = value;
        if (c->board.n_sms && (value.missing || l.seen.elsewhere))
            TRY(scale(c, &l, &value));
    } else {
        TRY(compute(&l, c->file, c->paper, &value));
        claim_log(log, c->paper->value, &value, "%s",
                  c->unit && !value.truth ? " (the claim's unit)" : "");
    }
    j->scaled = l.board != NULL;
    j->has_value = !value.missing;
    j->truth = value.truth;
    j->value = value.value;
    j->low = value.low;
    j->high = value.high;
    snprintf(j->scope, sizeof j->scope, "%s", l.seen.scope);
    snprintf(j->device, sizeof j->device, "%s", l.seen.device);
    if (!machine)
        judge_printed(c, &value, j);
    else
        TRY(judge_measured(c, &value, &l, j));
    if (j->scaled)
        add_whole(c, &whole, j);
    return BENCH_OK;
}
