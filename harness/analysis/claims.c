/*
 * claims.c - claim files, and the verdict on each claim
 */
#include "harness/analysis/query.h"
#include "harness/base/listing.h"
#include "harness/base/memory.h"
#include "harness/base/stats.h"
#include "harness/analysis/claims_private.h"

#include "claims_sql.h"
#include "judge_sql.h"
#include "verdict_total_sql.h"
#include "verdicts_sql.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_WORDS    15 /* quoted of a paper in one claim */
#define CLAIM_MAX_ID 40

#define WHOLE "+([0-9])"
#define SHARE "@(50?(.+(0))|?([0-4])[0-9]?(.*([0-9])))%: *" /* 0 to 50 % */

/* The keys in the order of struct claim: what a text must fit, and what a message calls it. */
static const struct {
    const char *name, *fits, *what;
} claim_keys[] = {
    {"where", "*", ""},
    {"words", "*", "at most 15 quoted words"},
    {"printed", "?(-)" WHOLE "?(.*([0-9]))", "the printed digits of a number"},
    {"unit", "*", ""},
    {"kind", "@(value|ratio|order|monotone|bound)",
     "a kind (value, ratio, order, monotone or bound)"},
    {"paper", "*", ""},
    {"measured", "*", ""},
    {"missing", "@(other hardware|no data|undecided|not run yet|cannot be run): *",
     "'other hardware: ', 'no data: ', 'undecided: ', 'not run yet: ' or 'cannot be run: ' and "
     "a sentence"},
    {"about", SHARE, "'about' as '10%: why', of 0% to 50%"},
    {"tol", SHARE, "'tol' as '10%: why', of 0% to 50%"},
    {"hardware", "*", ""},
    {"scaled", "@(counters|" WHOLE " SMs?( as " WHOLE ") at " WHOLE " MHz)",
     "'scaled' as '8 SMs at 1377 MHz', '15 SMs as 16 at 1464 MHz' or 'counters'"},
    {"session", "one", "'one' for session"},
    {"digits", "@(rounded|exact)", "'exact' or 'rounded' for digits"},
    {"class", "@(measured|values|settings)", "a class (measured, values or settings)"},
    {"better", "@(less|more)", "'less' or 'more' for better"},
    {"unlike", "*", ""},
    {"reading", "?*: ?*", "'reading' as 'NAME: expression'"},
    {"same_as", "*", ""},
    {"rule", "*", ""},
    {"each", "*", ""}, /* of what claims_table.c wrote out */
};

/* True if it is a comparison. */
static bool is_truth(const struct claim *c)
{
    return !claim_is(c->kind, "value") && !claim_is(c->kind, "ratio");
}

/* ---- evaluation ---- */

enum bench_status claim_prepare(struct claims *claims, const char *sql,
                                const char *const (*given)[2], sqlite3_stmt **statement)
{
    TRY(store_kept(claims->store, sql, statement));
    sqlite3_clear_bindings(*statement);
    for (; (*given)[0]; given++)
        sqlite3_bind_text(*statement, sqlite3_bind_parameter_index(*statement, (*given)[0]),
                          (*given)[1], -1, SQLITE_TRANSIENT);
    return BENCH_OK;
}

void claim_log(struct text *log, const char *what, const struct claim_value *value,
               const char *remark)
{
    const bool is_range = value->low < value->high;
    OWNED(text_free) struct text line = {0};
    char number[3][TEXT_NUMBER];

    if (!log)
        return;
    text_short_number(number[0], value->value, 6);
    text_short_number(number[1], value->low, 6);
    text_short_number(number[2], value->high, 6);
    text_format(&line, "  %s\n      ", what);
    if (value->missing)
        text_format(&line, "missing: %s\n", value->why);
    else if (value->truth)
        text_format(&line, "%s%s%s\n", value->value > 0 ? "holds" : "does not hold",
                    is_range ? " as the numbers stand; their ranges leave it open" : "",
                    remark);
    else if (is_range)
        text_format(&line, "= %s (%s to %s)%.399s\n", number[0],
                    number[1][0] ? number[1] : "-inf", number[2][0] ? number[2] : "inf",
                    remark);
    else
        text_format(&line, "= %s%.399s\n", number[0], remark);
    if (line.data && (!log->data || !strstr(log->data, line.data))) /* each once */
        text_add(log, line.data);
}

/* Returns what is evaluated of a fact: of a 'reading' what stands behind its name. */
static const char *expression_of(const struct ini_fact *fact)
{
    return strcmp(fact->key, "reading") ? fact->value : strstr(fact->value, ": ") + 2;
}

/* Evaluate a fact's text; depth and steps go on counting. */
static enum bench_status evaluate(struct claim_lookup *l, const struct ini_fact *fact,
                                  struct claim_value *value)
{
    const struct ini_fact *before = l->fact;

    l->fact = fact;
    TRY(claim_evaluate(expression_of(fact), l, value));
    l->fact = before;
    return BENCH_OK;
}

/* $printed, or a '$name' key above: of the claim itself, else of [names]. */
static enum bench_status find_name(struct claim_lookup *l, const char *name,
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
            (!strcmp(f->section, l->fact->section) || !strcmp(f->section, CLAIM_NAMES)))
            found = f;
    }
    if (!found)
        return CLAIM_REFUSE(l,
                            "expected a name from a '$%s = ...' above, in this claim or "
                            "[" CLAIM_NAMES "], found none",
                            name);
    TRY(evaluate(l, found, value));
    return value->truth ? claim_refuse(l->file->path, found->line,
                                       "expected a number in $%s, found a comparison", name)
                        : BENCH_OK;
}

/* Evaluates what 'l' asks for: its claim, or a name of 'file' alone, by the machine, board and
 * session that it has. */
static enum bench_status compute(struct claim_lookup *l, const struct ini_file *file,
                                 const struct ini_fact *fact, struct claim_value *value)
{
    l->file = file;
    l->find_name = find_name;
    l->find_cell = claim_find_cell;
    l->only_paper = l->claim && fact == l->claim->paper;
    TRY(store_run(l->claims->store, "DELETE FROM seen"));
    TRY(evaluate(l, fact, value));
    claim_log(l->log, fact->value, value,
              l->claim && l->claim->unit && !value->truth ? " (the claim's unit)" : "");
    return BENCH_OK;
}

/* ---- reading ---- */

static enum bench_status read_key(struct claim *c, const struct ini_fact *fact)
{
    int n_words = 0;

    if (!*fact->value)
        return claim_refuse(c->file->path, fact->line, "'%s' has no value", fact->key);
    for (const char *at = fact->value; *at; at += strspn(at, " \t"), n_words++)
        at += strcspn(at, " \t");
    for (size_t i = 0; i < sizeof claim_keys / sizeof *claim_keys; i++) {
        if (strcmp(claim_keys[i].name, fact->key) != 0)
            continue;
        if (fnmatch(claim_keys[i].fits, fact->value, FNM_EXTMATCH) != 0 ||
            (claim_is(fact->key, "words") && n_words > MAX_WORDS))
            return claim_refuse(c->file->path, fact->line, "expected %s, found '%s'",
                                claim_keys[i].what, fact->value);
        c->key[i] = fact->value;
        return BENCH_OK;
    }
    return claim_refuse(c->file->path, fact->line,
                        "no key '%s': expected where, words, printed, unit, kind, paper, "
                        "measured, missing, about, tol, hardware, scaled, session, digits, "
                        "class, better, unlike, reading, same_as, rule, a $name, or each and "
                        "id of a table",
                        fact->key);
}

/* Reads "8 SMs at 1377 MHz", or "15 SMs as 16 at 1464 MHz" where a GPU cannot be cut to so
 * many. */
static void read_board(const char *text, struct claim_board *b)
{
    const char *const as = strstr(text, " as "), *const at = strstr(text, " at ");

    text = as ? as + strlen(" as ") : text;
    snprintf(b->cut, sizeof b->cut, "%.*s", (int)strcspn(text, " "), text);
    snprintf(b->mhz, sizeof b->mhz, "%.*s", (int)strcspn(at + 4, " "), at + 4);
}

/* Refuses keys of a claim that do not go together. */
static enum bench_status check_claim(const struct claim *c, int line)
{
    const struct {
        bool is_wrong;
        const char *what;
    } checks[] = {
        {strlen(c->id) > CLAIM_MAX_ID, "has an id of more than 40 bytes"},
        {!c->where, "has no 'where'"},
        {!c->paper && !c->measured, "has neither 'paper' nor 'measured' nor 'missing'"},
        {c->missing && c->of_measured, "has both 'measured' and 'missing'"},
        {!is_truth(c) && !c->printed, "is a value or a ratio and has no 'printed'"},
        {!is_truth(c) && !c->unit, "is a value or a ratio and has no 'unit'"},
        {is_truth(c) && (c->tol || c->about),
         "is a comparison: tol and about are for kinds value and ratio"},
        {c->scaled && !c->of_measured, "has 'scaled' and no 'measured'"},
        {c->session && !c->of_measured, "has 'session' and no 'measured'"},
        {c->scaled && !c->hardware, "is scaled and has no 'hardware'"},
        {c->reading && !c->of_measured, "has 'reading' and no 'measured'"},
        {is_truth(c) && c->better, "is a comparison: better is for kinds value and ratio"},
    };

    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].is_wrong)
            return claim_refuse(c->file->path, line, "[%s] %s", c->id, checks[i].what);
    return BENCH_OK;
}

/* *of_run: whether it has a number of a run, and no value of the output.  A claim that says no
 * kind is of the one that its expressions have. */
static enum bench_status check_expression(struct claims *claims, const struct ini_file *file,
                                          struct claim *claim, const struct ini_fact *fact,
                                          bool *of_run)
{
    static const char *const names[] = {"a number", "a comparison"};
    struct claim_lookup l = {.claims = claims, .claim = claim};
    struct claim_value value = claim_number(0);

    TRY(compute(&l, file, fact, &value));
    *of_run = l.of_run;
    if (claim && !claim->kind)
        claim->kind = !value.truth ? "value" : claim->printed ? "bound" : "order";
    if (claim && value.truth != is_truth(claim))
        return claim_refuse(file->path, fact->line, "expected %s for kind %s, found %s",
                            names[is_truth(claim)], claim->kind, names[value.truth]);
    return BENCH_OK;
}

/* The facts of a section, [at, end).  'hardware' is of times that say nothing else. */
static enum bench_status read_claim(struct claims *claims, const struct ini_file *file, int at,
                                    int end, const char *hardware, const char *inputs)
{
    const struct ini_fact *const first = &file->fact[at];
    const char *behind;
    struct claim *c;
    bool of_run = false, any;

    for (int i = 0; i < claims->n; i++)
        if (!strcmp(claims->claim[i].id, first->section))
            return claim_refuse(file->path, first->line, "[%s] is a claim already, in %s",
                                first->section, claims->claim[i].file->path);
    NEED(memory_grow(&claims->claim, sizeof *c, (size_t)claims->n), "the claims of %s",
         file->path);
    c = &claims->claim[claims->n++];
    *c = (struct claim){.file = file, .id = first->section};
    for (int i = at; i < end; i++)
        if (file->fact[i].key[0] != '$')
            TRY(read_key(c, &file->fact[i]));
    c->paper = ini_find(file, c->id, "paper");
    c->measured = ini_find(file, c->id, c->of_measured ? "measured" : "missing");
    c->other = ini_find(file, c->id, "reading");
    c->inputs = inputs;
    c->exact = claim_is(c->digits, "exact");
    if (c->printed)
        claim_digits(c->printed, &c->number, &c->half_unit, &behind);
    if (c->scaled && !claim_is(c->scaled, "counters"))
        read_board(c->scaled, &c->board);
    for (int i = at; i < end; i++)
        if (file->fact[i].key[0] == '$')
            TRY(check_expression(claims, file, NULL, &file->fact[i], &any));
    if (c->paper)
        TRY(check_expression(claims, file, c, c->paper, &any));
    if (c->of_measured)
        TRY(check_expression(claims, file, c, c->measured, &of_run));
    if (c->other)
        TRY(check_expression(claims, file, c, c->other, &any));
    if (!c->class)
        c->class = of_run || !c->of_measured ? "measured" : "values";
    if (!c->hardware && c->of_measured && claim_is(c->class, "measured"))
        c->hardware = hardware;
    if (!c->kind)
        c->kind = "value";
    if (!c->unit && claim_is(c->kind, "ratio"))
        c->unit = "x";
    return check_claim(c, first->line);
}

/* A claim that claims_table.c wrote out begins with 'each'. */
static bool goes_on(const struct ini_file *file, int at)
{
    return at < file->n_facts && !strcmp(file->fact[at].section, file->fact[at - 1].section) &&
           strcmp(file->fact[at].key, "each") != 0;
}

static enum bench_status read_file(struct claims *claims, const struct ini_file *file)
{
    const char *hardware = NULL, *inputs = NULL;
    bool of_run;

    for (int at = 0, end; at < file->n_facts; at = end) {
        const struct ini_fact *fact = &file->fact[at];

        for (end = at + 1; goes_on(file, end);)
            end++;
        if (!*fact->section)
            return claim_refuse(file->path, fact->line, "expected '[id]' before '%s'",
                                fact->key);
        if (strcmp(fact->section, CLAIM_NAMES) != 0)
            TRY(read_claim(claims, file, at, end, hardware, inputs));
        for (; at < end && !strcmp(fact->section, CLAIM_NAMES); at++, fact++) {
            if (!strcmp(fact->key, "hardware"))
                hardware = fact->value;
            else if (!strcmp(fact->key, "inputs"))
                inputs = fact->value;
            else if (fact->key[0] != '$')
                return claim_refuse(
                    file->path, fact->line,
                    "expected '$name = ...', hardware or inputs in [%s], found '%s'",
                    CLAIM_NAMES, fact->key);
            else
                TRY(check_expression(claims, file, NULL, fact, &of_run));
        }
    }
    return BENCH_OK;
}

/* The claims of a file, its tables written out. */
static enum bench_status add_file(struct claims *claims, const char *path)
{
    struct ini_file *const file = &claims->file[claims->n_files++];
    OWNED(ini_free) struct ini_file plain = {0};

    TRY(ini_read(path, &plain));
    TRY(claim_write_out(claims, &plain, file));
    return read_file(claims, file);
}

/* ---- measuring ---- */

/* A time, a rate or a setting: another GPU has another, whatever the paper's method is
 * worth. */
static bool is_absolute(const struct claim *c)
{
    return claim_is(c->kind, "bound")
               ? claim_is(c->unit, "ms") || claim_is(c->unit, "s") || claim_is(c->unit, "fps")
               : claim_is(c->kind, "value") && !claim_is(c->class, "values");
}

/* The expression's value, and what was seen of rows, become a row of 'found'. */
static enum bench_status keep(const struct claim_lookup *l, const struct claim_value *v)
{
    const char *const names[] = {":value", ":low", ":high"};
    const double numbers[] = {v->value, v->low, v->high};
    const char *const given[][2] = {
        {":machine", l->machine ? l->machine : CLAIM_PAPER},
        {":cut", l->board ? "1" : "0"},
        {":reading", l->measured && l->measured == l->claim->other ? "1" : "0"},
        {":inputs", l->claim->inputs},
        {":why", v->why},
        {":shown", v->shown},
        {NULL, NULL}};
    sqlite3_stmt *row;

    TRY(claim_prepare(
        l->claims,
        "INSERT OR REPLACE INTO found SELECT :claim, :machine, :cut + 0, :reading + 0, :value, "
        ":low, :high, n, n_outside, is_single, is_away, is_mixed, is_of_threads, n_targets, "
        "n_processes, cpu_processes, (SELECT group_concat(DISTINCT input) FROM seen WHERE "
        "NOT instr('|' || coalesce(:inputs, '') || '|', '|' || input || '|')), scope, device, "
        ":why, :shown FROM together",
        given, &row));
    sqlite3_bind_int64(row, sqlite3_bind_parameter_index(row, ":claim"),
                       l->claim - l->claims->claim);
    for (int i = 0; i < 3 && !v->missing; i++)
        sqlite3_bind_double(row, sqlite3_bind_parameter_index(row, names[i]), numbers[i]);
    return store_step(l->claims->store, row);
}

/* The rows that were seen since compute() began: of several sessions, of one run, of a dirty
 * build or of --quick, of other hardware. */
enum { SEVERAL, SINGLE, POOR, AWAY, N_SEEN };

static enum bench_status look(struct claims *claims, int seen[N_SEEN])
{
    sqlite3_stmt *row;
    bool any;

    TRY(store_kept(claims->store, /* query_table() would make all kept statements anew */
                   "SELECT is_several, is_single, is_poor, is_away FROM together", &row));
    TRY(store_row(claims->store, row, &any));
    for (int i = 0; i < N_SEEN; i++)
        seen[i] = sqlite3_column_int(row, i);
    sqlite3_reset(row);
    return BENCH_OK;
}

/* Evaluates 'measured' by rows of whole GPUs or, with l->board, of cut ones, and keeps it in
 * 'found'; of a cut GPU only what is there.  With session = one the newest session that has all
 * rows counts: before all of a clean build and the full protocol, then of several runs. */
static enum bench_status measure(struct claim_lookup *l, struct claim_value *v)
{
    const struct claim *const c = l->claim;
    OWNED(table_free) struct table sessions = {0};
    struct claim_lookup silent = *l;
    int all[N_SEEN] = {0}, seen[N_SEEN], least = 4;

    silent.log = NULL;
    if (c->session) {
        TRY(compute(&silent, c->file, l->measured, v));
        TRY(look(l->claims, all));
    }
    if (all[SEVERAL] || all[SINGLE])
        TRY(query_table(l->claims->store, "SELECT * FROM session_of_all", &sessions));
    for (int i = 0; i < sessions.n_rows && least > 0; i++) {
        silent.session = sessions.cell[i].text;
        TRY(compute(&silent, c->file, l->measured, v));
        TRY(look(l->claims, seen));
        if (!v->missing && 2 * seen[POOR] + seen[SINGLE] < least) {
            least = 2 * seen[POOR] + seen[SINGLE];
            l->session = silent.session;
        }
    }
    silent.session = NULL;
    if (all[SEVERAL] && !l->session) {
        TRY(compute(&silent, c->file, l->measured, v)); /* what was seen is of all */
        *v = claim_missing(CLAIM_NO_ROW "no session has all of its rows");
    } else {
        TRY(compute(l, c->file, l->measured, v));
    }
    l->session = NULL;
    return l->board && v->missing ? BENCH_OK : keep(l, v);
}

/* The same by a GPU cut to the size of the paper's, where it has the rows. */
static enum bench_status scale(const struct claim_lookup *whole)
{
    const struct claim *const c = whole->claim;
    OWNED(text_free) struct text log = {0};
    struct claim_lookup cut = {.claims = whole->claims,
                               .claim = c,
                               .machine = whole->machine,
                               .measured = whole->measured,
                               .board = &c->board,
                               .as_clock = is_absolute(c),
                               .log = whole->log ? &log : NULL};
    struct claim_value scaled = claim_number(0);

    TRY(measure(&cut, &scaled));
    if (whole->log && scaled.missing)
        text_format(whole->log, "  not scaled: %s\n", scaled.why);
    else if (whole->log)
        text_format(
            whole->log,
            "  scaled to %s: %s\n%s"
            "  what does not scale: memory, caches, FP32 lanes an SM (H200 128, Xavier 64, "
            "GTX 570 32), blocks an SM (32, 32, 8), the CPU\n",
            c->scaled,
            cut.as_clock ? "times x measured clock / its clock" : "ratios as they are",
            log.data ? log.data : "");
    return text_ok(&log);
}

static enum bench_status find(struct claims *claims, const struct claim *c, const char *machine,
                              struct text *log)
{
    struct claim_lookup l = {.claims = claims, .claim = c, .machine = machine, .log = log};
    const struct ini_fact *const readings[] = {c->measured, c->other};
    struct claim_value value = claim_number(0);
    int seen[N_SEEN];

    for (int i = 0; i < 2 && readings[i] && machine && !c->missing; i++) {
        l.measured = readings[i];
        TRY(measure(&l, &value));
        TRY(look(claims, seen));
        if (*c->board.cut && (value.missing || seen[AWAY]))
            TRY(scale(&l));
    }
    if (machine && !c->missing)
        return BENCH_OK;
    TRY(store_run(claims->store, "DELETE FROM seen"));
    if (machine)
        value = claim_missing("%s", c->missing);
    else
        TRY(compute(&l, c->file, c->paper, &value));
    return keep(&l, &value);
}

/* ---- verdicts ---- */

/* Behind the share of a 'tol' or 'about' the reason. */
static const char *because(const char *text)
{
    return text ? strchr(text, ':') + 2 : "";
}

/* For judge.sql. */
static enum bench_status add_claims(struct claims *claims)
{
    struct text sql = {0};

    for (int i = 0; i < claims->n; i++) {
        const struct claim *const c = &claims->claim[i];
        const char *const name = listing_name(c->file->path);

        query_add(
            &sql,
            "%s (%d, %Q, %Q, %Q, %Q, %Q, %Q, %Q, '%.*q', %Q, "
            "nullif(trim(%Q || '; ' || %Q, '; '), ''), %Q, %Q, %Q, %Q, %Q, %Q, %Q, %Q, "
            "%!.17g, %!.17g, coalesce(%Q / 100.0, 0), coalesce(%Q / 100.0, 0), %d, %d, %d)",
            i ? "," : "INSERT INTO claim VALUES", i, c->id, c->where, c->words, c->class,
            c->kind, c->printed, c->unit, (int)strcspn(name, "."), name, c->table,
            because(c->about), because(c->tol), c->hardware, c->scaled, c->session, c->better,
            c->unlike, c->reading, c->same_as, c->rule, c->number, c->half_unit, c->about,
            c->tol, c->exact, is_truth(c), is_absolute(c));
    }
    return query_run(claims->store, &sql);
}

enum bench_status claims_judge(struct claims *claims, const struct claim *c,
                               const char *machine, struct text *log)
{
    OWNED(text_free) struct text sql = {0};
    sqlite3_stmt *verdict;

    TRY(find(claims, c, machine, log));
    if (log)
        text_add(log, "");
    const char *const given[][2] = {{":machine", machine ? machine : CLAIM_PAPER},
                                    {":log", log ? log->data : NULL},
                                    {NULL, NULL}};
    text_bytes(&sql, judge_sql, sizeof judge_sql);
    sql.failed |= log && log->failed;
    TRY(text_ok(&sql));
    TRY(claim_prepare(claims, sql.data, given, &verdict));
    sqlite3_bind_int64(verdict, sqlite3_bind_parameter_index(verdict, ":claim"),
                       c - claims->claim);
    return store_step(claims->store, verdict);
}

/* ---- all of them ---- */

char *claim_machine_name(const char *folder)
{
    OWNED(memory_free) char *place = realpath(folder, NULL);

    return strdup(listing_name(place ? place : folder));
}

/* student_half(n): half the interval of 95 % of a mean over n numbers, by their deviation. */
static void student_half(sqlite3_context *context, int n_arguments, sqlite3_value **argument)
{
    const int n = sqlite3_value_int(argument[0]);

    (void)n_arguments;
    if (n > 1)
        sqlite3_result_double(context, bench_student_95(n - 1) / sqrt(n));
}

enum bench_status claims_open(const struct claims_files *files, struct claims *claims)
{
    char printed[4400], expected[4400];

    *claims = (struct claims){0};
    snprintf(claims->folder, sizeof claims->folder, "%s/experiments/claims", files->home);
    snprintf(printed, sizeof printed, "%s/results/paper", files->home);
    snprintf(expected, sizeof expected, "%s%s", files->expected ? files->expected : files->home,
             files->expected ? "" : "/results/expected.csv");
    TRY(store_read_files(&(struct store_files){files->folder, files->n, false, printed,
                                               access(expected, F_OK) ? NULL : expected},
                         files->notes, &claims->store));
    sqlite3_create_function(store_database(claims->store), "student_half", 1, SQLITE_UTF8, NULL,
                            student_half, NULL, NULL);
    TRY(store_execute(claims->store, claims_sql, sizeof claims_sql));
    TRY(store_execute(claims->store, verdicts_sql, sizeof verdicts_sql));
    TRY(store_execute(claims->store, verdict_total_sql, sizeof verdict_total_sql));
    if (!files->with_empty)
        TRY(store_run(claims->store, "DELETE FROM machine WHERE machine NOT IN (SELECT results "
                                     "FROM measurement)"));
    return query_table(claims->store, "SELECT machine FROM machine ORDER BY at",
                       &claims->machine);
}

/* Frees what claims_add() has allocated. */
static void free_files(struct claims *claims)
{
    for (int i = 0; i < claims->n_files; i++)
        ini_free(&claims->file[i]);
    free(claims->file);
    free(claims->claim);
    claims->file = NULL;
    claims->claim = NULL;
    claims->n = claims->n_files = 0;
}

enum bench_status claims_add(struct claims *claims)
{
    OWNED(listing_free) struct listing files = {0};

    free_files(claims);
    TRY(store_run(claims->store, "DELETE FROM claim; DELETE FROM found; DELETE FROM verdict"));
    TRY(listing_read(claims->folder, ".ini", &files));
    TRY(memory_allocate(&claims->file, sizeof *claims->file, files.n + 1, 1, 1, 1));
    for (int i = 0; i < files.n; i++)
        TRY(add_file(claims, files.path[i]));
    FAIL_IF(claims->n == 0, BENCH_EIO, "%s: no claims are there", claims->folder);
    return add_claims(claims);
}

void claims_free(struct claims *claims)
{
    free_files(claims);
    table_free(&claims->machine);
    store_close(&claims->store);
    *claims = (struct claims){0};
}
