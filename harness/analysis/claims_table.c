/*
 * claims_table.c - sections that stand for many claims: written out, one for each printed
 * number or combination of values
 *
 * docs/CLAIMS.md, "Adding a claim", says what 'each', 'id' and braces mean.
 */
#include "harness/analysis/query.h"
#include "harness/analysis/claims_private.h"
#include "harness/base/memory.h"

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
    struct table rows;  /* the printed numbers, or combinations of values, that it is for */
    int row, n_written; /* one of them; claims of the file so far */
};

#define REFUSE(w, fact, ...) claim_refuse((w)->file->path, (fact)->line, __VA_ARGS__)

static const char *field(const struct writing *w, const char *column)
{
    return query_text(&w->rows, w->row, column);
}

/* ---- braces ---- */

/* Returns how many bytes stand before the first 'end' that is in no braces, or in all. */
static size_t before(const char *text, char end)
{
    size_t n = 0;

    for (int depth = 0; text[n] && (depth > 0 || text[n] != end); n++)
        depth += (text[n] == '{') - (text[n] == '}');
    return n;
}

/* True if the row has these bytes, or any has, or they are "*". */
static bool is_value(const struct writing *w, const char *column, const char *bytes, size_t n,
                     bool of_any)
{
    OWNED(memory_free) char *copy = strndup(bytes, n);
    const char *const text = copy ? text_trimmed(copy) : "";
    bool is_there = !strcmp(text, "*") || !strcmp(text, field(w, column));

    for (int row = 0; of_any && row < w->rows.n_rows && !is_there; row++)
        is_there = !strcmp(query_text(&w->rows, row, column), text);
    return is_there;
}

/* Returns what the row's value becomes by "text=other, text=other, *=other"; an item that does
 * not begin with a value of some row and '=' goes on behind the comma before it.  NULL: it is
 * not among them. */
static char *mapped(const struct writing *w, const char *column, const char *map)
{
    const char *begin = NULL, *end = NULL;

    for (size_t n; *map; map += n + (map[n] == ',')) {
        const char *equals;

        n = before(map, ',');
        equals = memchr(map, '=', n);
        if (equals && is_value(w, column, map, (size_t)(equals - map), true)) {
            if (begin)
                break;
            if (is_value(w, column, map, (size_t)(equals - map), false))
                begin = equals + 1;
        }
        end = map + n;
    }
    return begin ? strndup(begin, (size_t)(end - begin)) : NULL;
}

/* Add a value or key of 'fact', or what its braces become, with "{column}" and "{column:
 * text=other, ...}" filled in; 'other' may have braces. */
static enum bench_status write_text(const struct writing *w, const struct ini_fact *fact,
                                    const char *text, struct text *written)
{
    for (size_t n; *text; text += n) {
        n = strcspn(text, "{");
        text_bytes(written, text, n);
        if (!text[n])
            break;
        text += n + 1;
        n = before(text, '}');
        if (!text[n])
            return REFUSE(w, fact, "expected '}' after '{column', found '%s'", text);

        OWNED(memory_free) char *brace = strndup(text, n++);
        OWNED(memory_free) char *other = NULL;
        char *map = brace ? brace : "";
        const char *const column = text_trimmed(strsep(&map, ":"));
        bool is_there = false;

        for (int i = 0; i < w->rows.n_columns; i++)
            is_there |= !strcmp(w->rows.column[i], column);
        if (!is_there)
            return REFUSE(w, fact, "%s have no column '%s'",
                          w->is_list ? "the values" : "printed numbers", column);
        if (map && !(other = mapped(w, column, map)))
            return REFUSE(w, fact,
                          "expected '{%s: %s=...}' to say what '%s' becomes, found '%s'",
                          column, field(w, column), field(w, column), fact->value);
        if (map)
            TRY(write_text(w, fact, text_trimmed(other), written));
        else
            text_add(written, field(w, column));
        if (written->size > MAX_VALUE)
            return REFUSE(w, fact, "a value of more than %d bytes for '%s'", MAX_VALUE,
                          fact->key);
    }
    text_add(written, "");
    return text_ok(written);
}

/* ---- claims ---- */

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
    TRY(ini_add(w->whole, id, "each", w->each->section, w->each->line));
    TRY(add_own(w, id, "where", field(w, "place")));
    TRY(add_own(w, id, "printed", digits));
    return add_own(w, id, "unit", *end == ' ' ? end + 1 : field(w, "unit"));
}

static enum bench_status write_claim(struct writing *w, const char *id)
{
    const struct ini_fact *const place = w->id ? w->id : w->each;
    const struct ini_file *const whole = w->whole;

    if (!*id || strpbrk(id, " \t"))
        return REFUSE(w, place, "expected an id without blanks, found '%s'", id);
    if (++w->n_written > MAX_WRITTEN)
        return REFUSE(w, w->each, "tables of more than %d numbers in a file", MAX_WRITTEN);
    if (whole->n_facts && !strcmp(whole->fact[whole->n_facts - 1].section, id) && w->is_list &&
        strcmp(id, CLAIM_NAMES) != 0) /* the facts of both would be one claim's */
        return REFUSE(w, place, "[%s] is a claim already", id);
    if (!w->is_list)
        TRY(add_printed(w, id));
    for (int i = w->at; i < w->end; i++) {
        const struct ini_fact *fact = &w->file->fact[i];
        OWNED(text_free) struct text key = {0};
        OWNED(text_free) struct text value = {0};

        if (fact == w->each || fact == w->id)
            continue;
        TRY(write_text(w, fact, fact->key, &key));
        TRY(write_text(w, fact, fact->value, &value));
        if (*text_trimmed(value.data) || !*fact->value) /* braces may say nothing */
            TRY(ini_add(w->whole, id, key.data, value.data, fact->line));
    }
    return BENCH_OK;
}

/* Adds what 'id' says, else the section and the values: "stixels-dp-8"; of [names-...] all are
 * names. */
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

/* ---- what sections are for ---- */

/* The printed numbers of "paper/table, column=text, ...". */
static enum bench_status ask_rows(struct writing *w)
{
    struct claim_cell each = {.text = w->each->value};
    OWNED(memory_free) char *copy = strdup(w->each->value);
    sqlite3_stmt *statement;
    char *sql;
    enum bench_status status;

    if (!w->id)
        return REFUSE(w, w->each, "[%s] has 'each' and no 'id'", w->each->section);
    if (!copy || !claim_split(copy, &each) || each.column)
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

/* Adds the values "8 b6" of "block model" as a SELECT; the last one may have blanks.  false:
 * there are fewer than names. */
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
    OWNED(memory_free) char *copy = strdup(w->each->value);
    OWNED(text_free) struct text sql = {0};
    bool is_right = copy != NULL;

    text_add(&sql, "SELECT * FROM");
    for (char *next, *list = copy; list && is_right; list = next) {
        const char *name, *between = list == copy ? " (" : ", (";

        if ((next = strstr(list, " by ")) != NULL) {
            *next = '\0';
            next += strlen(" by ");
        }
        name = text_trimmed(strsep(&list, ":"));
        is_right = list && *name;
        for (char *value; is_right && (value = strsep(&list, ",")) != NULL;
             between = " UNION ALL ") {
            text_format(&sql, "%sSELECT ", between);
            is_right = add_values(name, text_trimmed(value), &sql);
        }
        text_add(&sql, ")");
    }
    if (is_right)
        return query_ask(w->claims->store, &sql, &w->rows);
    return REFUSE(w, w->each, "expected 'name: value, value' (by ...), found '%s'",
                  w->each->value);
}

static enum bench_status write_section(struct writing *w)
{
    w->is_list = w->each->value[strcspn(w->each->value, ":/,=")] == ':';
    TRY(w->is_list ? ask_values(w) : ask_rows(w));
    for (w->row = 0; w->row < w->rows.n_rows; w->row++) {
        OWNED(text_free) struct text id = {0};

        TRY(write_id(w, &id));
        TRY(write_claim(w, id.data));
    }
    if (w->rows.n_rows == 0)
        return REFUSE(w, w->each, "no printed number for '%s'", w->each->value);
    table_free(&w->rows);
    return BENCH_OK;
}

static void free_rows(struct writing *w)
{
    table_free(&w->rows);
}

enum bench_status claim_write_out(struct claims *claims, const struct ini_file *file,
                                  struct ini_file *whole)
{
    OWNED(free_rows) struct writing w = {.claims = claims, .file = file, .whole = whole};

    *whole = (struct ini_file){.path = strdup(file->path)};
    NEED(whole->path, "claims");
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
