/*
 * claims_table.c - sections that stand for many claims: written out, one for each printed number or combination of values
 *
 * docs/CLAIMS.md, "Adding a claim", says what 'each', 'id' and braces mean.
 */
#include "harness/analysis/query.h"
#include "harness/analysis/claims_private.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WRITTEN 1024 /* claims of all tables of a file */
#define MAX_VALUE   2000 /* bytes of a value that is written out */

/* A section that is written out. */
struct writing {
    struct claims *claims;
    const struct ini_file *file;
    struct ini_file *whole; /* where to */
    int at, end;            /* its facts in 'file' */
    const struct ini_fact *each, *id;
    bool is_list;       /* of values, and of no printed numbers */
    struct table rows;  /* the printed numbers, or combinations of values, that it may be for */
    int row, n_written; /* one of them; claims of the file so far */
};

#define REFUSE(w, fact, ...) claim_refuse((w)->file->path, (fact)->line, __VA_ARGS__)

static const char *field(const struct writing *w, const char *column)
{
    return query_text(&w->rows, w->row, column);
}

static bool has_column(const struct writing *w, const char *column)
{
    for (int i = 0; i < w->rows.n_columns; i++)
        if (!strcmp(w->rows.column[i], column))
            return true;
    return false;
}

/* strsep() at commas that stand in no braces. */
static char *next_part(char **rest)
{
    char *const part = *rest;
    int depth = 0;

    for (char *at = part; at && *rest == part; at++) {
        depth += (*at == '{') - (*at == '}');
        if (!*at)
            *rest = NULL;
        else if (*at == ',' && depth == 0)
            *rest = at + 1;
        if (*rest != part)
            *at = '\0';
    }
    return part;
}

/* Whether 'text' is in a column of some row, or is "*", any. */
static bool is_value(const struct writing *w, const char *column, const char *text)
{
    bool is_there = !strcmp(text, "*");

    for (int row = 0; row < w->rows.n_rows && !is_there; row++)
        is_there = !strcmp(query_text(&w->rows, row, column), text);
    return is_there;
}

/* Add what a column becomes by "text=other, text=other, *=other", which is cut up; what begins with none of its values and '='
 * goes on behind the comma before it.  false: it is not among them. */
static bool add_mapped(const struct writing *w, char *map, const char *column,
                       struct text *written)
{
    const char *const found = field(w, column);
    bool is_it = false;

    for (char *part; (part = next_part(&map)) != NULL;) {
        char *const equals = strchr(part, '=');
        const char *text = part;

        if (equals) {
            *equals = '\0';
            text = text_trimmed(part);
        }
        if (equals && is_value(w, column, text)) {
            if (is_it)
                break;
            is_it = !strcmp(text, found) || !strcmp(text, "*");
            if (is_it)
                text_add(written, text_trimmed(equals + 1));
        } else if (is_it) {
            text_format(written, equals ? ",%s=%s" : ",%s", part, equals ? equals + 1 : "");
        }
    }
    return is_it;
}

static enum bench_status write_text(const struct writing *w, const struct ini_fact *fact,
                                    const char *text, struct text *written);

/* Add what stands for "column" or "column: text=other, ..." in the braces; 'other' may have braces. */
static enum bench_status add_brace(const struct writing *w, const struct ini_fact *fact,
                                   char *brace, struct text *written)
{
    const char *column = text_trimmed(strsep(&brace, ":"));
    struct text other = {0};
    enum bench_status status;

    if (!has_column(w, column))
        return REFUSE(w, fact, "%s have no column '%s'",
                      w->is_list ? "the values" : "printed numbers", column);
    if (!brace) {
        text_add(written, field(w, column));
        return BENCH_OK;
    }
    text_add(&other, "");
    if (!add_mapped(w, brace, column, &other))
        status = REFUSE(w, fact, "expected '{%s: %s=...}' to say what '%s' becomes, found '%s'",
                        column, field(w, column), field(w, column), fact->value);
    else
        status = other.failed ? text_ok(&other) : write_text(w, fact, other.data, written);
    text_free(&other);
    return status;
}

/* Bytes of "{...}" that 'text' begins with; 0: it has no end. */
static size_t brace_size(const char *text)
{
    size_t n = 0;
    int depth = 0;

    do {
        depth += (text[n] == '{') - (text[n] == '}');
        if (!text[n++])
            return 0;
    } while (depth);
    return n;
}

/* A value or key of 'fact', or what its braces become, with its braces filled in. */
static enum bench_status write_text(const struct writing *w, const struct ini_fact *fact,
                                    const char *text, struct text *written)
{
    enum bench_status status = BENCH_OK;

    for (size_t n; *text && !status && strlen(text) <= MAX_VALUE; text += n) {
        char *brace;

        n = strcspn(text, "{");
        text_bytes(written, text, n);
        text += n;
        n = *text ? brace_size(text) : 0;
        if (*text && !n)
            return REFUSE(w, fact, "expected '}' after '{column', found '%s'", text + 1);
        brace = n ? strndup(text + 1, n - 2) : NULL;
        written->failed |= n && !brace;
        if (brace)
            status = add_brace(w, fact, brace, written);
        free(brace);
    }
    text_add(written, "");
    TRY(status);
    TRY(text_ok(written));
    return written->size <= MAX_VALUE && strlen(text) <= MAX_VALUE
               ? BENCH_OK
               : REFUSE(w, fact, "a value of more than %d bytes for '%s'", MAX_VALUE,
                        fact->key);
}

/* A key of the row's own, unless the section says it. */
static enum bench_status add_own(const struct writing *w, const char *id, const char *key,
                                 const char *value)
{
    return *value && !ini_find(w->file, w->each->section, key)
               ? ini_add(w->whole, id, key, value, w->each->line)
               : BENCH_OK;
}

/* "0.32 s" is 0.32, in s; "30+" is 30, in the unit of the CSV. */
static enum bench_status add_printed(const struct writing *w, const char *id)
{
    const char *const printed = field(w, "printed"), *end = printed;
    double number, half_unit;
    char digits[64];

    if (!claim_digits(printed, &number, &half_unit, &end) &&
        !ini_find(w->file, w->each->section, "printed"))
        return REFUSE(w, w->each,
                      "[%s]: expected printed digits, found '%s': say 'printed' or take it out "
                      "of 'each'",
                      id, printed);
    snprintf(digits, sizeof digits, "%.*s", (int)(end - printed), printed);
    TRY(add_own(w, id, "printed", digits));
    return add_own(w, id, "unit", *end == ' ' ? end + 1 : field(w, "unit"));
}

static enum bench_status write_claim(struct writing *w, const char *id)
{
    const struct ini_file *const whole = w->whole;

    if (!*id || strpbrk(id, " \t"))
        return REFUSE(w, w->id ? w->id : w->each, "expected an id without blanks, found '%s'",
                      id);
    if (++w->n_written > MAX_WRITTEN)
        return REFUSE(w, w->each, "tables of more than %d numbers in a file", MAX_WRITTEN);
    if (whole->n_facts && !strcmp(whole->fact[whole->n_facts - 1].section, id) && w->is_list &&
        strcmp(id, CLAIM_NAMES) != 0) /* the facts of both would be one claim's */
        return REFUSE(w, w->id ? w->id : w->each, "[%s] is a claim already", id);
    if (!w->is_list) {
        TRY(ini_add(w->whole, id, "each", w->each->section, w->each->line));
        TRY(add_own(w, id, "where", field(w, "place")));
        TRY(add_printed(w, id));
    }
    for (int i = w->at; i < w->end; i++) {
        const struct ini_fact *fact = &w->file->fact[i];
        struct text key = {0}, value = {0};
        enum bench_status status;

        if (fact == w->each || fact == w->id)
            continue;
        status = write_text(w, fact, fact->key, &key);
        if (!status)
            status = write_text(w, fact, fact->value, &value);
        if (!status &&
            (*text_trimmed(value.data) || !*fact->value)) /* braces may say nothing */
            status = ini_add(w->whole, id, key.data, value.data, fact->line);
        text_free(&key);
        text_free(&value);
        TRY(status);
    }
    return BENCH_OK;
}

/* What 'id' says, else the section and the values: "stixels-dp-8"; of [names-...] all are names. */
static enum bench_status write_id(const struct writing *w, struct text *id)
{
    const char *const section = w->each->section;
    const bool are_names = !strncmp(section, CLAIM_NAMES "-", strlen(CLAIM_NAMES "-"));

    if (w->id)
        return write_text(w, w->id, w->id->value, id);
    text_add(id, are_names ? CLAIM_NAMES : section);
    for (int i = 0; i < w->rows.n_columns && !are_names; i++)
        text_format(id, "-%s", field(w, w->rows.column[i]));
    return text_ok(id);
}

/* Each row, but for what we derived. */
static enum bench_status write_rows(struct writing *w)
{
    const int n_before = w->n_written;

    for (w->row = 0; w->row < w->rows.n_rows; w->row++) {
        struct text id = {0};
        enum bench_status status;

        if (!strcmp(field(w, "read"), "derived"))
            continue;
        status = write_id(w, &id);
        if (!status)
            status = write_claim(w, id.data);
        text_free(&id);
        TRY(status);
    }
    return w->n_written > n_before
               ? BENCH_OK
               : REFUSE(w, w->each, "no printed number for '%s'", w->each->value);
}

/* The printed numbers of "paper/table, column=text, ...". */
static enum bench_status ask_rows(struct writing *w)
{
    struct claim_cell each = {.text = w->each->value};
    sqlite3_stmt *statement;
    char text[512], *sql;
    enum bench_status status;

    snprintf(text, sizeof text, "%s", w->each->value);
    if (strlen(w->each->value) >= sizeof text || !claim_split(text, &each) || each.column)
        return REFUSE(w, w->each,
                      "expected 'paper/table, column=text, ...' with at most %d columns, found "
                      "'%s'",
                      CLAIM_MAX_FILTERS, w->each->value);
    TRY(claim_ask_printed(w->claims, &each, "*", w->file->path, w->each->line, &statement));
    sql = sqlite3_expanded_sql(statement);
    status = sql ? query_table(w->claims->store, sql, &w->rows)
                 : BENCH_FAIL(BENCH_ENOMEM, "out of memory for claims");
    sqlite3_free(sql);
    return status;
}

/* The values "8 b6" of "block model" as a SELECT; the last one may have blanks.  false: there are fewer than names. */
static bool add_values(const char *name, char *values, struct text *sql)
{
    for (size_t n; *name; name += n + strspn(name + n, " ")) {
        char *value = values;

        n = strcspn(name, " ");
        if (name[n])
            strsep(&values, " ");
        if (!value)
            return false;
        query_add(sql, "%Q AS \"%.*w\"%s", value, (int)n, name, name[n] ? ", " : "");
    }
    return true;
}

/* The combinations of "block: 8, 4 by model: b6, b12", the last values running fastest. */
static enum bench_status ask_values(struct writing *w)
{
    char *copy, *next;
    struct text sql = {0};
    bool is_right;

    next = copy = strdup(w->each->value);
    is_right = copy != NULL;
    text_add(&sql, "SELECT * FROM");
    for (char *list = next; list && is_right; list = next) {
        const char *name, *before = list == copy ? " (" : ", (";

        if ((next = strstr(list, " by ")) != NULL) {
            *next = '\0';
            next += strlen(" by ");
        }
        name = text_trimmed(strsep(&list, ":"));
        is_right = list && *name;
        for (char *value; is_right && (value = strsep(&list, ",")) != NULL;
             before = " UNION ALL ") {
            text_format(&sql, "%sSELECT ", before);
            is_right = add_values(name, text_trimmed(value), &sql);
        }
        text_add(&sql, ")");
    }
    free(copy);
    if (is_right)
        return query_ask(w->claims->store, &sql, &w->rows);
    text_free(&sql);
    return REFUSE(w, w->each, "expected 'name: value, value' (by ...), found '%s'",
                  w->each->value);
}

static enum bench_status write_section(struct writing *w)
{
    enum bench_status status;

    w->is_list = w->each->value[strcspn(w->each->value, ":/,=")] == ':';
    if (!w->id && !w->is_list)
        return REFUSE(w, w->each, "[%s] has 'each' and no 'id'", w->each->section);
    TRY(w->is_list ? ask_values(w) : ask_rows(w));
    status = write_rows(w);
    table_free(&w->rows);
    return status;
}

enum bench_status claim_write_out(struct claims *claims, const struct ini_file *file,
                                  struct ini_file *whole)
{
    struct writing w = {.claims = claims, .file = file, .whole = whole};

    *whole = (struct ini_file){.path = strdup(file->path)};
    if (!whole->path)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for claims");
    for (; w.at < file->n_facts; w.at = w.end) {
        const struct ini_fact *const first = &file->fact[w.at];

        for (w.end = w.at + 1;
             w.end < file->n_facts && !strcmp(file->fact[w.end].section, first->section);)
            w.end++;
        w.each = ini_find(file, first->section, "each");
        w.id = ini_find(file, first->section, "id");
        if (w.each)
            TRY(write_section(&w));
        else if (ini_find(whole, first->section, "each"))
            return REFUSE(&w, first, "[%s] is a claim already", first->section);
        for (int i = w.at; i < w.end && !w.each; i++)
            TRY(ini_add(whole, file->fact[i].section, file->fact[i].key, file->fact[i].value,
                        file->fact[i].line));
    }
    return BENCH_OK;
}
