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

/* A section that is written out. */
struct writing {
    struct claims *claims;
    const struct ini_file *file;
    struct ini_file *whole; /* where to */
    int at, end;            /* its facts in 'file' */
    const struct ini_fact *each, *id;
    struct record_table t; /* the printed numbers that it is for, and one of them */
    int row, n_written;    /* claims of the file so far */
};

/* They are those of a table, but for what we derived. */
static enum bench_status read_each(struct writing *w)
{
    struct claim_cell each = {.text = w->each->value};
    struct claim_query q = {0};
    char text[512];
    sqlite3_stmt *rows;

    snprintf(text, sizeof text, "%s", w->each->value);
    if (strlen(w->each->value) >= sizeof text || !claim_split(text, &each) || each.column)
        return claim_refuse(w->file->path, w->each->line,
                            "expected 'paper/table, column=text, ...' with at most %d "
                            "columns, found '%s'",
                            CLAIM_MAX_FILTERS, w->each->value);
    TRY(claim_ask_printed(w->claims, "SELECT *", &each, w->file->path, w->each->line, &q));
    for (int i = 0; i < each.n_filters; i++) {
        claim_ask(&q, " AND instr('|' || ? || '|', ", each.wanted[i]);
        text_format(&q.sql, "'|' || \"%s\" || '|')", store_column(each.key[i]));
    }
    text_add(&q.sql, " AND read IS NOT 'derived' ORDER BY m.rowid");
    TRY(claim_prepare(w->claims->printed, &q, &rows));
    TRY(select_more(w->claims->printed, rows, "printed", &w->t));
    return w->t.n_rows ? BENCH_OK
                       : claim_refuse(w->file->path, w->each->line,
                                      "no printed number for '%s'", w->each->value);
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
static enum bench_status add_brace(const struct writing *w, const struct ini_fact *fact,
                                   char *brace, struct text *written)
{
    const char *column = text_trimmed(strsep(&brace, ":")), *found, *other;

    if (record_column(&w->t, column) < 0)
        return claim_refuse(w->file->path, fact->line, "printed numbers have no column '%s'",
                            column);
    found = record_get(&w->t, w->row, column);
    other = brace ? mapped(brace, found) : found;
    if (!other)
        return claim_refuse(w->file->path, fact->line,
                            "expected '{%s: %s=...}' to say what '%s' becomes, found '%s'",
                            column, found, found, fact->value);
    text_add(written, other);
    return BENCH_OK;
}

static enum bench_status write_value(const struct writing *w, const struct ini_fact *fact,
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
            status = rest ? add_brace(w, fact, brace, written)
                          : claim_refuse(w->file->path, fact->line,
                                         "expected '}' after '{column', found '%s'", brace);
    }
    free(copy);
    TRY(status);
    TRY(text_ok(written));
    if (written->size > MAX_VALUE)
        return claim_refuse(w->file->path, fact->line,
                            "a value of more than %d bytes when written out", MAX_VALUE);
    return BENCH_OK;
}

static bool says(const struct writing *w, const char *key)
{
    return ini_find(w->file, w->each->section, key) != NULL;
}

/* "0.32 s" is 0.32, in s; "30+" is 30, in the unit of the CSV. */
static enum bench_status add_printed(const struct writing *w, const char *id)
{
    const char *printed = record_get(&w->t, w->row, "printed"), *end = printed;
    const char *unit = record_get(&w->t, w->row, "unit");
    double number, half_unit;
    char digits[64];

    if (!says(w, "printed")) {
        if (!claim_digits(printed, &number, &half_unit, &end))
            return claim_refuse(w->file->path, w->each->line,
                                "[%s]: expected printed digits, found '%s': say 'printed' "
                                "or take it out of 'each'",
                                id, printed);
        snprintf(digits, sizeof digits, "%.*s", (int)(end - printed), printed);
        TRY(ini_add(w->whole, id, "printed", digits, w->each->line));
    }
    if (*end == ' ')
        unit = end + 1;
    return *unit && !says(w, "unit") ? ini_add(w->whole, id, "unit", unit, w->each->line)
                                     : BENCH_OK;
}

static enum bench_status write_claim(const struct writing *w, const char *id)
{
    if (!*id || strpbrk(id, " \t"))
        return claim_refuse(w->file->path, w->id->line,
                            "expected an id without blanks, found '%s'", id);
    TRY(ini_add(w->whole, id, "each", w->each->section, w->each->line));
    if (!says(w, "where"))
        TRY(ini_add(w->whole, id, "where", record_get(&w->t, w->row, "where"), w->each->line));
    TRY(add_printed(w, id));
    for (int i = w->at; i < w->end; i++) {
        const struct ini_fact *fact = &w->file->fact[i];
        struct text value = {0};
        enum bench_status status;

        if (fact == w->each || fact == w->id)
            continue;
        status = write_value(w, fact, &value);
        if (!status)
            status = ini_add(w->whole, id, fact->key, value.data, fact->line);
        text_free(&value);
        TRY(status);
    }
    return BENCH_OK;
}

static enum bench_status write_table(struct writing *w)
{
    enum bench_status status = read_each(w);

    for (w->row = 0; w->row < w->t.n_rows && !status; w->row++) {
        struct text id = {0};

        if (++w->n_written > MAX_WRITTEN)
            status = claim_refuse(w->file->path, w->each->line,
                                  "tables of more than %d numbers in a file", MAX_WRITTEN);
        if (!status)
            status = write_value(w, w->id, &id);
        if (!status)
            status = write_claim(w, id.data);
        text_free(&id);
    }
    record_table_free(&w->t);
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

        w.end = w.at + 1;
        while (w.end < file->n_facts && !strcmp(file->fact[w.end].section, first->section))
            w.end++;
        w.each = ini_find(file, first->section, "each");
        w.id = ini_find(file, first->section, "id");
        if (w.each && !w.id)
            return claim_refuse(file->path, w.each->line, "[%s] has 'each' and no 'id'",
                                first->section);
        if (!w.each && ini_find(whole, first->section, "each"))
            return claim_refuse(file->path, first->line, "[%s] is a claim already",
                                first->section);
        if (w.each)
            TRY(write_table(&w));
        for (int i = w.at; i < w.end && !w.each; i++)
            TRY(ini_add(whole, file->fact[i].section, file->fact[i].key, file->fact[i].value,
                        file->fact[i].line));
    }
    return BENCH_OK;
}
