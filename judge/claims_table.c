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
#define MAX_FILTERS 8    /* of 'each' */
#define MAX_VALUE   2000 /* bytes of a value that is written out */

/* 'each': the printed numbers for which a section is written out. */
struct each {
    const char *source; /* "stx/table2" */
    const char *key[MAX_FILTERS], *wanted[MAX_FILTERS];
    int n_filters;
    char text[512];
};

static enum bench_status read_each(const struct ini_file *file, const struct ini_fact *fact,
                                   struct each *each)
{
    char *part = each->text, *next;
    bool fine = strlen(fact->value) < sizeof each->text;

    *each = (struct each){0};
    snprintf(each->text, sizeof each->text, "%s", fact->value);
    for (; part && fine; part = next) {
        char *equals;

        next = strchr(part, ',');
        if (next)
            *next++ = '\0';
        if (!each->source) {
            each->source = text_trimmed(part);
            fine = strchr(each->source, '/') != NULL;
            continue;
        }
        equals = strchr(part, '=');
        fine = equals && each->n_filters < MAX_FILTERS;
        if (fine) {
            *equals = '\0';
            each->key[each->n_filters] = text_trimmed(part);
            each->wanted[each->n_filters++] = text_trimmed(equals + 1);
        }
    }
    if (!fine)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: expected 'paper/table, column=text, ...' with at most %d "
                          "columns, found '%s'",
                          file->path, fact->line, MAX_FILTERS, fact->value);
    return BENCH_OK;
}

static enum bench_status check_columns(const struct ini_file *file, const struct ini_fact *fact,
                                       const struct each *each, const struct record_table *t)
{
    for (int i = 0; i < each->n_filters; i++)
        if (record_column(t, each->key[i]) < 0)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: printed numbers have no column '%s'",
                              file->path, fact->line, each->key[i]);
    return BENCH_OK;
}

/* Numbers that we derived are not printed in a table. */
static bool is_for(const struct each *each, const struct record_table *t, int row)
{
    if (strcmp(record_get(t, row, "figure"), strchr(each->source, '/') + 1) != 0 ||
        claim_is_derived(t, row))
        return false;
    for (int i = 0; i < each->n_filters; i++)
        if (!claim_text_fits(record_get(t, row, each->key[i]), each->wanted[i]))
            return false;
    return true;
}

/* What 'found' becomes by "text=other, text=other"; NULL: it is not among them. */
static const char *mapped(const char *map, const char *found, size_t *n_bytes)
{
    const size_t n_found = strlen(found);

    while (*(map += strspn(map, " ,"))) {
        const char *equals = strchr(map, '=');
        const char *end;

        if (!equals)
            return NULL;
        end = equals + 1 + strcspn(equals + 1, ",");
        if ((size_t)(equals - map) == n_found && !strncmp(map, found, n_found)) {
            *n_bytes = (size_t)(end - equals) - 1;
            while (*n_bytes > 0 && equals[*n_bytes] == ' ')
                --*n_bytes;
            return equals + 1;
        }
        map = end;
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
    size_t n_bytes = 0;

    if (colon)
        *colon++ = '\0';
    column = text_trimmed(brace);
    if (record_column(t, column) < 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: printed numbers have no column '%s'",
                          file->path, fact->line, column);
    found = record_get(t, row, column);
    if (!colon) {
        text_add(written, found);
        return BENCH_OK;
    }
    other = mapped(colon, found, &n_bytes);
    if (!other)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: expected '{%s: %s=...}' to say what '%s' becomes, found "
                          "none in '%s'",
                          file->path, fact->line, column, found, found, text_trimmed(colon));
    text_bytes(written, other, n_bytes);
    return BENCH_OK;
}

static enum bench_status write_value(const struct ini_file *file, const struct ini_fact *fact,
                                     const struct record_table *t, int row,
                                     struct text *written)
{
    const char *at = fact->value;

    text_add(written, "");
    while (*at) {
        const size_t plain = strcspn(at, "{"), n = strcspn(at + plain, "}");
        char brace[256];

        text_bytes(written, at, plain);
        at += plain;
        if (!*at)
            break;
        if (at[n] != '}' || n >= sizeof brace)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: expected '}' after '{column' within %d bytes", file->path,
                              fact->line, (int)sizeof brace);
        memcpy(brace, at + 1, n - 1);
        brace[n - 1] = '\0';
        TRY(add_brace(file, fact, t, row, brace, written));
        at += n + 1;
    }
    TRY(text_ok(written));
    if (written->size > MAX_VALUE)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a value of more than %d bytes when written out",
                          file->path, fact->line, MAX_VALUE);
    return BENCH_OK;
}

static bool is_of(const struct ini_fact *fact, const char *section)
{
    return !strcmp(fact->section, section);
}

/* Facts of one name would be one claim, whose keys the last one says. */
static bool is_taken(const struct ini_file *file, const struct ini_file *whole, const char *id)
{
    for (int i = 0; i < whole->n_facts; i++)
        if (is_of(&whole->fact[i], id))
            return true;
    for (int i = 0; i < file->n_facts; i++)
        if (is_of(&file->fact[i], id) && !ini_find(file, id, "each"))
            return true;
    return false;
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
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: [%s]: expected printed digits, found '%s': say 'printed' "
                              "or take it out of 'each'",
                              file->path, each->line, id, printed);
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
        status = BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected an id without blanks, found '%s'",
                            file->path, name->line, id.data);
    if (!status && is_taken(file, whole, id.data))
        status = BENCH_FAIL(BENCH_EINPUT, "%s:%d: [%s] is a claim already", file->path,
                            name->line, id.data);
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
    const struct record_table *t = NULL;
    struct each each;
    int n = 0;

    if (!ini_find(file, fact->section, "id"))
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: [%s] has 'each' and no 'id'", file->path,
                          fact->line, fact->section);
    TRY(read_each(file, fact, &each));
    TRY(claim_read_paper(claims, each.source, file->path, fact->line, &t));
    TRY(check_columns(file, fact, &each, t));
    for (int row = 0; row < t->n_rows; row++) {
        if (!is_for(&each, t, row))
            continue;
        if (++*n_written > MAX_WRITTEN)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: tables of more than %d numbers in a file",
                              file->path, fact->line, MAX_WRITTEN);
        TRY(write_row(file, first, fact, t, row, whole));
        n++;
    }
    if (n == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: no printed number for '%s'", file->path,
                          fact->line, fact->value);
    return BENCH_OK;
}

/* The section of fact 'at' is written out where it begins, whatever stands between its parts. */
static bool begins_section(const struct ini_file *file, int at)
{
    if (at > 0 && is_of(&file->fact[at - 1], file->fact[at].section))
        return false;
    for (int i = 0; i < at; i++)
        if (is_of(&file->fact[i], file->fact[at].section))
            return false;
    return true;
}

enum bench_status claim_write_out(struct claims *claims, const struct ini_file *file,
                                  struct ini_file *whole)
{
    const struct ini_fact *each = NULL;
    int n_written = 0;

    *whole = (struct ini_file){.path = strdup(file->path)};
    if (!whole->path)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for claims");
    for (int i = 0; i < file->n_facts; i++) {
        const struct ini_fact *fact = &file->fact[i];

        if (i == 0 || !is_of(&file->fact[i - 1], fact->section))
            each = ini_find(file, fact->section, "each");
        if (!each)
            TRY(ini_add(whole, fact->section, fact->key, fact->value, fact->line));
        else if (begins_section(file, i))
            TRY(write_table(claims, file, i, each, &n_written, whole));
    }
    return BENCH_OK;
}
