/*
 * report_facts.c - what is known of the machine, beside what a paper prints of its own
 */
#include "judge/report_private.h"

#include <stdlib.h>
#include <string.h>

const char *report_fact(const struct report *r, const char *key)
{
    for (int i = 0; i < r->facts.n_rows; i++)
        if (!strcmp(table_cell(&r->facts, i, 0)->text, key))
            return table_cell(&r->facts, i, 1)->text ? table_cell(&r->facts, i, 1)->text : "";
    return "";
}

/* What a suffix of a printed number multiplies it by; 0: it is another's unit. */
static double power_of(const char *suffix)
{
    static const struct {
        const char *suffix;
        double power;
    } known[] = {{"Ki", 1024},
                 {"KiB", 1024},
                 {"MiB", 1024 * 1024.},
                 {"GiB", 1024 * 1024 * 1024.},
                 {"kB", 1e3},
                 {"MB", 1e6},
                 {"GB", 1e9}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].suffix, suffix))
            return known[i].power;
    return 0;
}

/* A fact in the unit of the printed one, "96 KiB" or "59.7 GB/s"; only bytes and counts are scaled. */
static void scaled(char *text, size_t size, const char *fact, const char *printed,
                   const char *unit)
{
    const bool is_bytes = !strcmp(unit, "bytes");
    const char *blank = strrchr(printed, ' '), *suffix = blank ? blank + 1 : "";
    const double power = is_bytes || !unit[0] ? power_of(suffix) : 0;
    char shown[TEXT_NUMBER];
    double number;

    snprintf(text, size, "%s", fact);
    if (!text_to_number(fact, &number))
        return;
    text_short_number(shown, number / (power > 0 ? power : 1), 4);
    suffix = is_bytes && power == 0 ? "bytes" : suffix;
    snprintf(text, size, "%s%s%s", shown, suffix[0] ? " " : "", suffix);
}

/* "9.0 Hopper". */
static void with_architecture(char *text, size_t size, const char *cc)
{
    static const char *const of_major[] = {
        [5] = "Maxwell", [6] = "Pascal",     [7] = "Volta",      [8] = "Ampere",
        [9] = "Hopper",  [10] = "Blackwell", [11] = "Blackwell", [12] = "Blackwell"};
    const long major = strtol(cc, NULL, 10);

    snprintf(text, size, "%s%s%s", cc, major >= 5 && major <= 12 ? " " : "",
             !strcmp(cc, "7.5")          ? "Turing"
             : !strcmp(cc, "8.9")        ? "Ada"
             : major >= 5 && major <= 12 ? of_major[major]
                                         : "");
}

/* The column or the row that is called so; a new one where none is. */
static int place_of(const char *name, const char **names, int *n)
{
    for (int i = 0; i < *n; i++)
        if (!strcmp(names[i], name))
            return i;
    names[*n] = name;
    return (*n)++;
}

/* Each printed number of a table beside the fact of that name. */
static void fill_facts(const struct report *r, const struct record_table *paper,
                       const char *figure, struct table *table, int *n_known)
{
    const char **names = calloc((size_t)paper->n_rows + 1, sizeof *names);
    const char **machines = calloc((size_t)paper->n_rows + 1, sizeof *machines);
    int n_names = 0, n_machines = 0;
    char here[300];

    table->failed |= !names || !machines;
    if (!table->failed)
        place_of("gpu", names, &n_names);
    for (int i = 0; i < paper->n_rows && !table->failed; i++) {
        const char *name = record_get(paper, i, "name");
        const char *machine = record_get(paper, i, "hardware");
        const char *printed = record_get(paper, i, "printed"), *fact = report_fact(r, name);
        int row, column;

        if (strcmp(record_get(paper, i, "figure"), figure) != 0)
            continue;
        row = place_of(name, names, &n_names);
        column = 2 + place_of(machine, machines, &n_machines);
        snprintf(here, sizeof here, "%s printed", machine);
        table_name(table, column, here);
        table->printed[column] = true;
        table_text(table, 0, column, TABLE_TEXT, machine);
        table_text(table, row, column, TABLE_AS_IS, printed);
        *n_known += fact[0] != '\0';
        if (!strcmp(name, "cc"))
            with_architecture(here, sizeof here, fact);
        else
            scaled(here, sizeof here, fact, printed, record_get(paper, i, "unit"));
        if (table_cell(table, row, 1)->kind == TABLE_NONE)
            table_text(table, row, 1, TABLE_AS_IS, fact[0] ? here : "");
    }
    table_name(table, 0, "fact");
    table_name(table, 1, "here");
    for (int i = 0; i < n_names; i++)
        table_text(table, i, 0, TABLE_TEXT, names[i]);
    table_text(table, 0, 1, TABLE_TEXT,
               *report_fact(r, "gpu") ? report_fact(r, "gpu") : "none");
    table_cut(table, 2 + n_machines);
    table->n_rows = n_names;
    free(names);
    free(machines);
}

enum bench_status report_facts(const struct report *r, const char *name, struct table *table,
                               struct text *caption, bool *known)
{
    const size_t n = strcspn(name, "-");
    const char *dirty = report_fact(r, "dirty");
    struct text path = {0};
    struct record_table paper = {0};
    int n_known = 0;
    enum bench_status status;

    *table = (struct table){0};
    text_format(&path, "%s/%.*s.csv", r->paper_folder.data, (int)n, name);
    status = text_ok(&path);
    if (!status)
        status = record_read(path.data, false, &paper);
    if (!status)
        status = table_make(table, 2 + paper.n_rows, 1 + paper.n_rows);
    if (!status) {
        fill_facts(r, &paper, name + n + (name[n] == '-'), table, &n_known);
        text_format(caption, "%s; commit %.7s%s", report_fact(r, "machine"),
                    report_fact(r, "commit"),
                    dirty[0] && strcmp(dirty, "0") != 0 ? "-dirty" : "");
        status = table_ok(table);
    }
    *known = n_known > 0;
    record_table_free(&paper);
    text_free(&path);
    return status;
}
