/*
 * claims_table.c - sections that stand for a whole table: written out, one claim for each printed number
 *
 *     [stx-t2]
 *     each     = stx/table2, input=KITTI 2015, name=pixels_per_stixel
 *     id       = stx-t2[KITTI,{block},{model}]
 *     measured = ours(stx/table2, block={block}, impl={model: b6=stixels/cubic-openmp, b12=stixels/openmp}, ...)
 *
 * {column} is the text of that column of the printed number's row, {column: text=other, ...} what it becomes.  'where',
 * 'printed' and 'unit' are the row's own unless the section says them.
 */
#include "judge/claims_private.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WRITTEN 1024 /* claims of all tables of a file */
#define MAX_VALUE   2000 /* bytes of a value that is written out */

/* The printed numbers for which a section is written out, but for those that we derived: no table has them. */
static enum bench_status read_each(struct claims *claims, const struct ini_file *file,
                                   const struct ini_fact *fact, struct record_table *t)
{
    struct claim_cell each = {.text = fact->value};
    struct claim_query q = {0};
    char text[512];
    sqlite3_stmt *rows;

    snprintf(text, sizeof text, "%s", fact->value);
    if (strlen(fact->value) >= sizeof text || !claim_split(text, &each) || each.column)
        return claim_refuse(file->path, fact->line,
                            "expected 'paper/table, column=text, ...' with at most %d "
                            "columns, found '%s'",
                            CLAIM_MAX_FILTERS, fact->value);
    text_add(&q.sql, "SELECT *");
    TRY(claim_ask_printed(claims, &each, file->path, fact->line, &q));
    for (int i = 0; i < each.n_filters; i++) {
        claim_ask(&q, " AND instr('|' || ? || '|', ", each.wanted[i]);
        text_format(&q.sql, "'|' || \"%s\" || '|')", store_column(each.key[i]));
    }
    text_add(&q.sql, " AND read IS NOT 'derived' ORDER BY m.rowid");
    TRY(claim_prepare(claims->printed, &q, &rows));
    TRY(select_more(claims->printed, rows, "printed", t));
    return t->n_rows ? BENCH_OK
                     : claim_refuse(file->path, fact->line, "no printed number for '%s'",
                                    fact->value);
}

/* What 'found' becomes by "text=other, text=other", which is cut up; NULL: it is not among them. */
static const char *mapped(char *map, const char *found)
{
    char *other, *text;

    while ((other = strsep(&map, ",")) != NULL) {
        text = strsep(&other, "=");
        if (other && !strcmp(text_trimmed(text), found))
            return text_trimmed(other);
    }
    return NULL;
}

/* Add what stands for "column" or "column: text=other, ..." in the braces. */
static enum bench_status add_brace(const struct ini_file *file, const struct ini_fact *fact,
                                   const struct record_table *t, int row, char *brace,
                                   struct text *written)
{
    char *colon = strchr(brace, ':');
    const char *column, *found, *other;

    if (colon)
        *colon++ = '\0';
    column = text_trimmed(brace);
    if (record_column(t, column) < 0)
        return claim_refuse(file->path, fact->line, "printed numbers have no column '%s'",
                            column);
    found = record_get(t, row, column);
    other = colon ? mapped(colon, found) : found;
    if (!other)
        return claim_refuse(file->path, fact->line,
                            "expected '{%s: %s=...}' to say what '%s' becomes, found '%s'",
                            column, found, found, fact->value);
    text_add(written, other);
    return BENCH_OK;
}

static enum bench_status write_value(const struct ini_file *file, const struct ini_fact *fact,
                                     const struct record_table *t, int row,
                                     struct text *written)
{
    char *const copy = strdup(fact->value), *rest = copy, *brace;
    enum bench_status status =
        copy ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for claims");

    text_add(written, "");
    while (rest && !status) {
        text_add(written, strsep(&rest, "{"));
        brace = strsep(&rest, "}");
        if (brace)
            status = rest ? add_brace(file, fact, t, row, brace, written)
                          : claim_refuse(file->path, fact->line,
                                         "expected '}' after '{column', found '%s'", brace);
    }
    free(copy);
    TRY(status);
    TRY(text_ok(written));
    if (written->size > MAX_VALUE)
        return claim_refuse(file->path, fact->line,
                            "a value of more than %d bytes when written out", MAX_VALUE);
    return BENCH_OK;
}

static bool is_of(const struct ini_fact *fact, const char *section)
{
    return !strcmp(fact->section, section);
}

/* "0.32 s" is 0.32, in s; "30+" is 30, in the unit of the CSV. */
static enum bench_status add_printed(const struct ini_file *file, const struct ini_fact *each,
                                     const struct record_table *t, int row, const char *id,
                                     struct ini_file *whole)
{
    const char *printed = record_get(t, row, "printed"), *end = printed;
    const char *unit = record_get(t, row, "unit");
    double number, half_unit;
    char digits[64];

    if (!ini_find(file, each->section, "printed")) {
        if (!claim_digits(printed, &number, &half_unit, &end) ||
            (size_t)(end - printed) >= sizeof digits)
            return claim_refuse(file->path, each->line,
                                "[%s]: expected printed digits, found '%s': say 'printed' "
                                "or take it out of 'each'",
                                id, printed);
        snprintf(digits, sizeof digits, "%.*s", (int)(end - printed), printed);
        TRY(ini_add(whole, id, "printed", digits, each->line));
    }
    if (*end == ' ')
        unit = end + 1;
    if (*unit && !ini_find(file, each->section, "unit"))
        TRY(ini_add(whole, id, "unit", unit, each->line));
    return BENCH_OK;
}

static enum bench_status write_row(const struct ini_file *file, int first,
                                   const struct ini_fact *each, const struct record_table *t,
                                   int row, struct ini_file *whole)
{
    const struct ini_fact *name = ini_find(file, each->section, "id");
    struct text id = {0};
    enum bench_status status = write_value(file, name, t, row, &id);

    if (!status && (!*id.data || strpbrk(id.data, " \t")))
        status = claim_refuse(file->path, name->line,
                              "expected an id without blanks, found '%s'", id.data);
    if (!status)
        status = ini_add(whole, id.data, "each", each->section, each->line);
    if (!status && !ini_find(file, each->section, "where"))
        status = ini_add(whole, id.data, "where", record_get(t, row, "where"), each->line);
    if (!status)
        status = add_printed(file, each, t, row, id.data, whole);
    for (int i = first; i < file->n_facts && !status; i++) {
        const struct ini_fact *fact = &file->fact[i];
        struct text value = {0};

        if (!is_of(fact, each->section) || fact == each || fact == name)
            continue;
        status = write_value(file, fact, t, row, &value);
        if (!status)
            status = ini_add(whole, id.data, fact->key, value.data, fact->line);
        text_free(&value);
    }
    text_free(&id);
    return status;
}

static enum bench_status write_table(struct claims *claims, const struct ini_file *file,
                                     int first, const struct ini_fact *fact, int *n_written,
                                     struct ini_file *whole)
{
    struct record_table t = {0};
    enum bench_status status;

    if (!ini_find(file, fact->section, "id"))
        return claim_refuse(file->path, fact->line, "[%s] has 'each' and no 'id'",
                            fact->section);
    status = read_each(claims, file, fact, &t);
    for (int row = 0; row < t.n_rows && !status; row++)
        status = ++*n_written > MAX_WRITTEN
                     ? claim_refuse(file->path, fact->line,
                                    "tables of more than %d numbers in a file", MAX_WRITTEN)
                     : write_row(file, first, fact, &t, row, whole);
    record_table_free(&t);
    return status;
}

enum bench_status claim_write_out(struct claims *claims, const struct ini_file *file,
                                  struct ini_file *whole)
{
    int n_written = 0;

    *whole = (struct ini_file){.path = strdup(file->path)};
    if (!whole->path)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for claims");
    for (int i = 0, end; i < file->n_facts; i = end) {
        const struct ini_fact *const first = &file->fact[i], *each = NULL;

        for (end = i; end < file->n_facts && is_of(&file->fact[end], first->section); end++)
            if (!strcmp(file->fact[end].key, "each"))
                each = &file->fact[end];
        if (each)
            TRY(write_table(claims, file, i, each, &n_written, whole));
        else if (ini_find(whole, first->section, "each"))
            return claim_refuse(file->path, first->line, "[%s] is a claim already",
                                first->section);
        for (; i < end && !each; i++)
            TRY(ini_add(whole, file->fact[i].section, file->fact[i].key, file->fact[i].value,
                        file->fact[i].line));
    }
    return BENCH_OK;
}
