/*
 * show_table.c - chosen rows as tables for people
 *
 * A table is either a pivot as the descriptor's [show] section asks for it, with the numbers that the paper prints beside
 * ours, or a long one that has the columns which vary and says once what does not.
 */
#include "harness/analysis/show.h"

#include "harness/problem.h"
#include "harness/record_private.h"
#include "harness/analysis/show_private.h"
#include "harness/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_COLUMNS 80
#define DIGITS       4  /* of a number in a table for people */
#define MAX_COLUMNS  96 /* of the long table */

static enum bench_status out_of_memory(void)
{
    return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
}

/* One more table for the page. */
static enum bench_status new_table(struct show_page *page, int n_columns, int n_rows,
                                   struct table **table)
{
    struct table *more = realloc(page->table, ((size_t)page->n_tables + 1) * sizeof *more);

    if (!more)
        return out_of_memory();
    page->table = more;
    *table = &more[page->n_tables++];
    TRY(table_make(*table, n_columns, n_rows));
    (*table)->digits = DIGITS;
    return BENCH_OK;
}

/* Take back the last. */
static void drop_table(struct show_page *page)
{
    table_free(&page->table[--page->n_tables]);
}

static void say(struct table *table, char **where, struct text *sentence)
{
    table->failed |= sentence->failed;
    if (sentence->size > 0)
        table_say(table, where, sentence->data);
    text_free(sentence);
}

/* ---- what the rows have in common ---- */

/* The one text of a column that does not say two things; rows that lack it say nothing.  NULL: there are two. */
static const char *constant(const struct record_table *rows, int column)
{
    const char *only = "";

    for (int row = 0; row < rows->n_rows; row++) {
        const char *found = show_at(rows, row, column);

        if (found[0] != '\0' && only[0] != '\0' && strcmp(found, only) != 0)
            return NULL;
        only = found[0] != '\0' ? found : only;
    }
    return only;
}

static bool is_empty(const char *only)
{
    return only && only[0] == '\0';
}

static void add_constant(struct text *list, const char *name, const char *value)
{
    text_format(list, "%s%s %s", list->size ? ", " : "", name, value);
}

/* ---- the long table ---- */

struct long_column {
    const char *title;
    int at, high; /* columns of the rows; high: the other end of an interval, or -1 */
    bool number;
    bool may_go; /* when the page is too narrow */
};

struct long_table {
    struct long_column column[MAX_COLUMNS];
    int n;
};

static void long_add(struct long_table *table, const struct record_table *rows,
                     const char *title, const char *column, const char *high, bool may_go)
{
    const int at = record_column(rows, column);

    if (table->n < MAX_COLUMNS && at >= 0 && !is_empty(constant(rows, at)))
        table->column[table->n++] =
            (struct long_column){.title = title,
                                 .at = at,
                                 .high = high ? record_column(rows, high) : -1,
                                 .number = strstr(column, "_ms") || may_go,
                                 .may_go = may_go};
}

static enum bench_status fill_long(const struct record_table *rows,
                                   const struct long_table *columns, struct show_page *page)
{
    struct table *table = NULL;

    TRY(new_table(page, columns->n, rows->n_rows, &table));
    for (int i = 0; i < columns->n; i++) {
        const struct long_column *column = &columns->column[i];

        table_name(table, i, column->title);
        for (int row = 0; row < rows->n_rows; row++) {
            const char *found = show_at(rows, row, column->at);

            if (column->number)
                table_pair(table, row, i, TABLE_INTERVAL, found,
                           show_at(rows, row, column->high));
            else
                table_text(table, row, i, TABLE_AS_IS, found);
        }
    }
    return table_ok(table);
}

/* Leave out what may go, the last first, until the lines fit. */
static enum bench_status fit_long(const struct record_table *rows, struct long_table *columns,
                                  struct show_page *page)
{
    TRY(fill_long(rows, columns, page));
    while (table_page_width(&page->table[0]) > PAGE_COLUMNS) {
        int last = columns->n - 1;

        while (last >= 0 && !columns->column[last].may_go)
            last--;
        if (last < 0)
            break;
        columns->n--;
        memmove(&columns->column[last], &columns->column[last + 1],
                (size_t)(columns->n - last) * sizeof *columns->column);
        drop_table(page);
        TRY(fill_long(rows, columns, page));
    }
    return BENCH_OK;
}

static enum bench_status make_long(const struct shown *shown, const struct show_keys *keys,
                                   struct show_page *page)
{
    static const char *const words[] = {"verdict", "status"};
    const struct record_table *rows = &shown->rows;
    struct long_table columns = {.n = 0};
    bool of_processes = false;

    long_add(&columns, rows, "impl", "impl", NULL, false);
    for (int i = 0; i < keys->n + 2; i++) {
        const char *name = i < keys->n ? keys->name[i] : words[i - keys->n];
        const char *only = constant(rows, record_column(rows, name));

        if (!only && i < keys->n)
            long_add(&columns, rows, name, name, NULL, false);
        else if (only && only[0] != '\0')
            add_constant(&page->fixed, name, only);
    }
    long_add(&columns, rows, "median ms", "median_ms", NULL, false);
    long_add(&columns, rows, "mean ms", "mean_ms", NULL, false);
    for (int row = 0; row < rows->n_rows; row++)
        of_processes |= show_is_of_processes(rows, row);
    long_add(&columns, rows, of_processes ? "interval" : "95 % of median", "ci_lo_ms",
             "ci_hi_ms", true);
    long_add(&columns, rows, "n", "n", NULL, true);
    for (int i = 0; i < 2; i++)
        if (!constant(rows, record_column(rows, words[i])))
            long_add(&columns, rows, words[i], words[i], NULL, true);
    for (int i = shown->first_value; i < rows->n_columns; i++)
        long_add(&columns, rows, rows->column[i], rows->column[i], NULL, true);
    return fit_long(rows, &columns, page);
}

/* ---- the pivot ---- */

/* Distinct texts in the order of their appearance; borrowed. */
struct words {
    const char **word;
    int n;
};

static enum bench_status words_add(struct words *words, const char *word)
{
    const char **more;

    for (int i = 0; i < words->n; i++)
        if (!strcmp(words->word[i], word))
            return BENCH_OK;
    more = realloc(words->word, ((size_t)words->n + 1) * sizeof *more);
    if (!more)
        return out_of_memory();
    words->word = more;
    more[words->n++] = word;
    return BENCH_OK;
}

struct pivot {
    const struct bench_experiment *experiment;
    const struct record_table *rows;
    const struct record_table *paper;   /* with no rows where there is none */
    const char *figure;                 /* of the paper; "" for none */
    const char *row_name, *column_name; /* columns of the rows */
    char value[64], beside[64]; /* of the tables at hand; beside "" where there is none */
    int row_at, column_at, value_at, beside_at, lap_at, impl_at;
    int key[128]; /* columns that tell the tables apart */
    int n_keys;

    /* the table at hand */
    int standing;          /* a row that has all its keys */
    int *ours, n_ours;     /* its rows; owned */
    struct words heads[2]; /* at the left and at the top */
    int n_our_columns;     /* the columns behind these only the paper has */
    double most;           /* samples, or runs, of a row */
    struct table *table;   /* of the page */
};

/* A descriptor says 'mode' for the column 'mode_name', ours and the printed numbers'. */
static const char *row_column_name(const char *name)
{
    return !strcmp(name, "mode") ? "mode_name" : name;
}

/* Laps and rows without a value are no part of a pivot. */
static bool in_pivot(const struct pivot *p, int row)
{
    return show_at(p->rows, row, p->value_at)[0] != '\0' &&
           (p->row_at == p->lap_at || p->column_at == p->lap_at ||
            show_at(p->rows, row, p->lap_at)[0] == '\0');
}

/* What stands at the head of a row or column of a table.  A variant that has no such key stands under its own name, or
 * under "none" where the names are the other heads; what is no lap but the whole run, as that. */
static const char *head_of(const struct pivot *p, int row, int at)
{
    const char *found = show_at(p->rows, row, at);

    if (found[0] != '\0')
        return found;
    if (at == p->lap_at)
        return "whole run";
    return p->row_at == p->impl_at || p->column_at == p->impl_at
               ? "none"
               : show_at(p->rows, row, p->impl_at);
}

static bool stands_at(const struct pivot *p, int row, const char *row_head,
                      const char *column_head)
{
    return !strcmp(head_of(p, row, p->row_at), row_head) &&
           (!column_head || !strcmp(head_of(p, row, p->column_at), column_head));
}

/* A key parts tables when two rows would otherwise meet in one place of the table; a key that depends on the row or the
 * column (threads of a variant) does not. */
static bool parts_tables(const struct pivot *p, int key)
{
    const struct record_table *rows = p->rows;

    if (key == p->row_at || key == p->column_at || key < 0 || constant(rows, key))
        return false;
    for (int a = 0; a < rows->n_rows; a++)
        for (int b = 0; b < a; b++)
            if (in_pivot(p, a) && in_pivot(p, b) &&
                stands_at(p, a, head_of(p, b, p->row_at), head_of(p, b, p->column_at)) &&
                strcmp(show_at(rows, a, key), show_at(rows, b, key)) != 0)
                return true;
    return false;
}

/* Whether 'row' belongs into the table that 'standing' stands for: a key that it does not have is no difference. */
static bool belongs(const struct pivot *p, int row, int standing)
{
    for (int i = 0; i < p->n_keys; i++) {
        const char *found = show_at(p->rows, row, p->key[i]);

        if (found[0] != '\0' && strcmp(found, show_at(p->rows, standing, p->key[i])) != 0)
            return false;
    }
    return true;
}

/* Whether a table is made of this row: not where another stands for more, the same keys earlier or more of them anywhere. */
static bool stands(const struct pivot *p, int row)
{
    if (!in_pivot(p, row))
        return false;
    for (int other = 0; other < p->rows->n_rows; other++)
        if (other != row && in_pivot(p, other) && belongs(p, row, other) &&
            !(belongs(p, other, row) && other > row))
            return false;
    return true;
}

/* ---- printed numbers ---- */

/* Columns of the printed numbers that say what they are, not what they belong to. */
#define ABOUT "paper, figure, name, value, printed, unit, read, where"

/* Whether nothing that a printed number and a row both say is different, but in these columns. */
static bool is_about(const struct record_table *paper, int printed,
                     const struct record_table *rows, int row, const char *row_name,
                     const char *column_name)
{
    for (int i = 0; i < paper->n_columns; i++) {
        const char *ours = record_get(rows, row, paper->column[i]);
        const char *theirs = show_at(paper, printed, i);

        if (ours[0] != '\0' && theirs[0] != '\0' && strcmp(ours, theirs) != 0 &&
            !show_is_listed(ABOUT, paper->column[i]) &&
            strcmp(paper->column[i], row_name) != 0 &&
            strcmp(paper->column[i], column_name) != 0)
            return false;
    }
    return true;
}

/* Whether a printed number is one of the table at hand, or of what is beside it. */
static bool is_printed(const struct pivot *p, int printed, bool beside)
{
    const struct record_table *paper = p->paper;

    return !strcmp(record_get(paper, printed, "figure"), p->figure) &&
           !strcmp(record_get(paper, printed, "name"), beside ? p->beside : p->value) &&
           record_get(paper, printed, p->row_name)[0] != '\0' &&
           (beside || record_get(paper, printed, p->column_name)[0] != '\0') &&
           is_about(paper, printed, p->rows, p->standing, p->row_name, p->column_name);
}

/* The next printed number from 'from' on; a head of NULL is any.  -1: none.  'beside': of the value beside the table. */
static int find_printed(const struct pivot *p, int from, bool beside, const char *row_head,
                        const char *column_head)
{
    for (int i = from; i < p->paper->n_rows; i++)
        if (is_printed(p, i, beside) &&
            (!row_head || !strcmp(record_get(p->paper, i, p->row_name), row_head)) &&
            (!column_head || !strcmp(record_get(p->paper, i, p->column_name), column_head)))
            return i;
    return -1;
}

/* ---- one table ---- */

/* Where all that our rows of a table have in column 'at' are numbers: those from the least on, and behind them the heads of what
 * has none (head_of).  Rows come in the order in which they were measured. */
static void sort_numbers(const struct pivot *p, struct words *words, int at)
{
    double value, other;
    bool some = false;

    for (int i = 0; i < p->n_ours; i++) {
        const char *found = show_at(p->rows, p->ours[i], at);

        if (found[0] != '\0' && !text_to_number(found, &value))
            return;
        some |= found[0] != '\0';
    }
    for (int i = 1; i < words->n && some; i++)
        for (int j = i; j > 0; j--) {
            const char *const word = words->word[j];

            if (!text_to_number(word, &value) ||
                (text_to_number(words->word[j - 1], &other) && other <= value))
                break;
            words->word[j] = words->word[j - 1];
            words->word[j - 1] = word;
        }
}

/* Rows and columns of one table: ours, then those that only the paper has. */
static enum bench_status collect(struct pivot *p)
{
    struct words *left = &p->heads[0], *top = &p->heads[1];
    double n;

    p->n_ours = left->n = top->n = 0;
    p->most = 0;
    for (int row = 0; row < p->rows->n_rows; row++) {
        if (!in_pivot(p, row) || !belongs(p, row, p->standing))
            continue;
        p->ours[p->n_ours++] = row;
        TRY(words_add(left, head_of(p, row, p->row_at)));
        TRY(words_add(top, head_of(p, row, p->column_at)));
        if (record_get_number(p->rows, row, "n", &n) && n > p->most)
            p->most = n;
    }
    sort_numbers(p, top, p->column_at);
    p->n_our_columns = top->n;
    for (int i = 0; i < p->paper->n_rows; i++) {
        const bool in_table = is_printed(p, i, false);

        if (in_table || is_printed(p, i, true))
            TRY(words_add(left, record_get(p->paper, i, p->row_name)));
        if (in_table)
            TRY(words_add(top, record_get(p->paper, i, p->column_name)));
    }
    sort_numbers(p, left, p->row_at);
    return BENCH_OK;
}

/* The value of a row; of a mean with the deviation of what it is of, and of how many where others are of more. */
static void fill_ours(const struct pivot *p, int row, struct table *table, int at_row, int at)
{
    struct table_cell *cell = table_cell(table, at_row, at);
    char deviation[80];
    double n;

    table_number(table, at_row, at, show_at(p->rows, row, p->value_at));
    if (p->experiment->layout.over[0] == '\0' || cell->kind != TABLE_NUMBER)
        return;
    cell->kind = TABLE_MEAN;
    snprintf(deviation, sizeof deviation, "%s_sd", p->value);
    record_get_number(p->rows, row, strcmp(p->value, "mean_ms") != 0 ? deviation : "sd_ms",
                      &cell->other);
    if (record_get_number(p->rows, row, "n", &n) && n < p->most)
        cell->n = (int)n;
}

/* What all columns of a table share; where they do not, from the least to the most. */
static void fill_beside(const struct pivot *p, const char *row_head, struct table *table,
                        int at_row, int at)
{
    const char *low = "", *high = "";
    double least = 0, most = 0, value;

    for (int i = 0; i < p->n_ours; i++) {
        const char *found = show_at(p->rows, p->ours[i], p->beside_at);

        if (!stands_at(p, p->ours[i], row_head, NULL) || !text_to_number(found, &value))
            continue;
        low = low[0] == '\0' || value < least ? found : low;
        least = low == found ? value : least;
        high = high[0] == '\0' || value > most ? found : high;
        most = high == found ? value : most;
    }
    table_pair(table, at_row, at, TABLE_INTERVAL, low, high);
}

/* The printed numbers of one column (NULL: of what is beside the table), behind ours. */
static void fill_printed(const struct pivot *p, const char *column_head, int *at)
{
    const struct words *left = &p->heads[0];
    char title[128];

    if (find_printed(p, 0, !column_head, NULL, column_head) < 0)
        return;
    snprintf(title, sizeof title, "%s printed", column_head ? column_head : p->beside);
    table_name(p->table, *at, title);
    p->table->printed[*at] = true;
    for (int row = 0; row < left->n; row++) {
        const int found = find_printed(p, 0, !column_head, left->word[row], column_head);

        if (found >= 0)
            table_text(p->table, row, *at, TABLE_AS_IS, record_get(p->paper, found, "printed"));
    }
    ++*at;
}

static void fill_column(const struct pivot *p, const char *column_head, int at)
{
    const struct words *left = &p->heads[0];

    table_name(p->table, at, column_head);
    for (int row = 0; row < left->n; row++)
        for (int i = 0; i < p->n_ours; i++)
            if (stands_at(p, p->ours[i], left->word[row], column_head)) {
                fill_ours(p, p->ours[i], p->table, row, at);
                break;
            }
}

static void fill_pivot(const struct pivot *p)
{
    const struct words *left = &p->heads[0], *top = &p->heads[1];
    int at = 1;

    table_name(p->table, 0, p->experiment->layout.rows);
    for (int row = 0; row < left->n; row++)
        table_text(p->table, row, 0, TABLE_AS_IS, left->word[row]);
    if (p->beside[0] != '\0') {
        table_name(p->table, at, p->beside);
        for (int row = 0; row < left->n; row++)
            fill_beside(p, left->word[row], p->table, row, at);
        at++;
        fill_printed(p, NULL, &at);
    }
    for (int i = 0; i < top->n; i++) {
        if (i < p->n_our_columns)
            fill_column(p, top->word[i], at++);
        fill_printed(p, top->word[i], &at);
    }
    table_cut(p->table, at);
}

/* ---- below a table ---- */

/* Of how many samples or processes the rows of a table are, and how sure their medians. */
static void count_rows(const struct pivot *p, bool of_processes, struct text *note)
{
    double least = 0, most = 0, widest = 0;
    char number[TEXT_NUMBER];
    bool some = false;

    for (int i = 0; i < p->n_ours; i++) {
        const int row = p->ours[i];
        double n, low, high, median;

        if (show_is_of_processes(p->rows, row) != of_processes ||
            !record_get_number(p->rows, row, "n", &n))
            continue;
        least = !some || n < least ? n : least;
        most = !some || n > most ? n : most;
        some = true;
        if (record_get_number(p->rows, row, "ci_lo_ms", &low) &&
            record_get_number(p->rows, row, "ci_hi_ms", &high) &&
            record_get_number(p->rows, row, "median_ms", &median) && median > 0 &&
            (high - low) / median > widest)
            widest = (high - low) / median;
    }
    if (!some)
        return;
    text_short_number(number, 100 * widest, 2);
    text_format(note, "%sn %.0f", note->size ? "; " : "", least);
    if (least < most)
        text_format(note, "..%.0f", most);
    text_format(
        note, "%s; %s at most %s %% wide", of_processes ? SHOW_OF_PROCESSES : SHOW_OF_SAMPLES,
        of_processes ? "interval over their medians" : "95 % interval of the median", number);
}

/* The same of means over runs: where rows are of fewer, they say so. */
static void count_means(const struct pivot *p, struct text *note)
{
    bool fewer = false;
    double n;

    for (int i = 0; i < p->n_ours; i++)
        fewer |= record_get_number(p->rows, p->ours[i], "n", &n) && n < p->most;
    if (p->most > 0)
        text_format(note, "n %.0f%s: means over %s, \u00b1 one standard deviation", p->most,
                    fewer ? " where no other stands" : "", p->experiment->layout.over);
}

static void add_note(const struct pivot *p)
{
    struct text note = {0};

    if (p->experiment->layout.over[0] != '\0') {
        count_means(p, &note);
    } else {
        count_rows(p, false, &note);
        count_rows(p, true, &note);
    }
    if (find_printed(p, 0, false, NULL, NULL) >= 0)
        text_format(&note, "%sprinted: the paper's %s", note.size ? "; " : "", p->figure);
    say(p->table, &p->table->note, &note);
}

/* ---- all tables ---- */

static enum bench_status make_table(struct pivot *p, bool is_only, struct show_page *page)
{
    struct text title = {0};

    TRY(collect(p));
    TRY(new_table(page, 3 + 2 * p->heads[1].n, p->heads[0].n, &p->table));
    fill_pivot(p);
    text_add(&title, is_only ? "" : p->value);
    for (int k = 0; k < p->n_keys; k++)
        if (show_at(p->rows, p->standing, p->key[k])[0] != '\0')
            add_constant(&title, p->rows->column[p->key[k]],
                         show_at(p->rows, p->standing, p->key[k]));
    say(p->table, &p->table->title, &title);
    add_note(p);
    return table_ok(p->table);
}

/* Whether a key is what was looked for: [show] reach chose one row of all that differ in it, and `reach_KEY` says which. */
static bool is_found(const struct pivot *p, const char *key)
{
    char along[64];

    return !strncmp(p->value, "reach_", 6) &&
           show_list(p->experiment->layout.reach, 1, along, sizeof along) &&
           !strcmp(along, key);
}

/* The tables of one value; what they all have in common is said once. */
static enum bench_status make_tables(struct pivot *p, const struct show_keys *keys,
                                     struct show_page *page)
{
    const bool is_only = strchr(p->experiment->layout.value, ',') == NULL;
    const bool is_first = page->n_tables == 0;

    p->n_keys = 0;
    for (int i = 0; i < keys->n; i++) {
        const int key = record_column(p->rows, keys->name[i]);
        const char *only = constant(p->rows, key);

        if (is_found(p, keys->name[i]))
            continue;
        if (parts_tables(p, key))
            p->key[p->n_keys++] = key;
        else if (is_first && key != p->row_at && key != p->column_at && only && !is_empty(only))
            add_constant(&page->fixed, keys->name[i], only);
    }
    for (int row = 0; row < p->rows->n_rows; row++)
        if (stands(p, row)) {
            p->standing = row;
            TRY(make_table(p, is_only, page));
        }
    return BENCH_OK;
}

/* [show] paper: "table1" of the problem's own file, "stx/table1" of results/paper/stx.csv. */
static enum bench_status read_paper(const struct bench_experiment *experiment,
                                    const char *folder, struct record_table *paper)
{
    const char *figure = experiment->layout.paper, *slash = strchr(figure, '/');
    struct text path = {0};
    enum bench_status status;

    if (!folder || figure[0] == '\0' || !experiment->problem)
        return BENCH_OK;
    text_format(&path, "%s/%.*s.csv", folder,
                slash ? (int)(slash - figure) : (int)strlen(experiment->problem->name),
                slash ? figure : experiment->problem->name);
    status = text_ok(&path);
    if (!status && access(path.data, F_OK) == 0)
        status = record_read(path.data, false, paper);
    text_free(&path);
    return status;
}

static const char *figure_of(const struct bench_layout *layout)
{
    const char *slash = strchr(layout->paper, '/');

    return slash ? slash + 1 : layout->paper;
}

/* The column of a value that [show] names. */
static enum bench_status value_column(const struct pivot *p, const char *key, const char *value,
                                      int *at)
{
    *at = record_column(p->rows, value);
    return *at >= 0 || value[0] == '\0'
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT,
                            "%s: [show] %s '%s' is neither a column nor a value of these rows",
                            p->experiment->path, key, value);
}

static enum bench_status make_pivots(struct pivot *p, const struct show_keys *keys,
                                     struct show_page *page)
{
    const struct bench_layout *layout = &p->experiment->layout;

    if (p->row_at < 0 || p->column_at < 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: [show] names no column of the results: %s",
                          p->experiment->path, p->row_at < 0 ? layout->rows : layout->columns);
    for (int i = 0; show_list(layout->value, i, p->value, sizeof p->value); i++) {
        show_list(layout->beside, i, p->beside, sizeof p->beside);
        TRY(value_column(p, "value", p->value, &p->value_at));
        TRY(value_column(p, "beside", p->beside, &p->beside_at));
        TRY(make_tables(p, keys, page));
    }
    return BENCH_OK;
}

static enum bench_status make_pivot(const struct bench_experiment *experiment,
                                    const struct shown *shown, const struct show_keys *keys,
                                    const struct record_table *paper, struct show_page *page)
{
    const struct bench_layout *layout = &experiment->layout;
    const struct record_table *rows = &shown->rows;
    struct pivot p = {.experiment = experiment,
                      .rows = rows,
                      .paper = paper,
                      .figure = figure_of(layout),
                      .row_name = row_column_name(layout->rows),
                      .column_name = row_column_name(layout->columns),
                      .row_at = record_column(rows, row_column_name(layout->rows)),
                      .column_at = record_column(rows, row_column_name(layout->columns)),
                      .lap_at = record_column(rows, "lap"),
                      .impl_at = record_column(rows, "impl"),
                      .ours = malloc((size_t)rows->n_rows * sizeof *p.ours)};
    const enum bench_status status = p.ours ? make_pivots(&p, keys, page) : out_of_memory();

    free(p.ours);
    free(p.heads[0].word);
    free(p.heads[1].word);
    return status;
}

/* ---- fits ---- */

/* A column of a table of fits: one column of the fits, or two as an interval or with a half. */
struct fit_column {
    const char *title, *number, *other;
    enum table_kind kind;
};

/* A row for each curve: the variant and the keys that are not the same in all, then these columns and what the paper prints. */
static enum bench_status make_fits(const struct record_table *fits, const char *about,
                                   const struct fit_column *columns, int n_columns,
                                   const struct record_table *paper, const char *figure,
                                   struct show_page *page)
{
    const int x = record_column(fits, "x");
    struct table *table = NULL;
    int at = 0;

    if (fits->n_rows == 0)
        return BENCH_OK;
    TRY(new_table(page, x + n_columns + 1, fits->n_rows, &table));
    table_say(table, &table->about, about);
    for (int i = 0; i < x; i++) {
        if (i > 0 && constant(fits, i))
            continue;
        table_name(table, at, fits->column[i]);
        for (int row = 0; row < fits->n_rows; row++)
            table_text(table, row, at, TABLE_AS_IS, show_at(fits, row, i));
        at++;
    }
    for (int i = 0; i < n_columns; i++, at++) {
        table_name(table, at, columns[i].title);
        for (int row = 0; row < fits->n_rows; row++)
            table_pair(table, row, at, columns[i].kind,
                       record_get(fits, row, columns[i].number),
                       columns[i].other ? record_get(fits, row, columns[i].other) : "");
    }
    for (int row = 0; row < fits->n_rows; row++)
        for (int i = 0; i < paper->n_rows && table_cell(table, row, at)->kind == TABLE_NONE;
             i++)
            if (!strcmp(record_get(paper, i, "figure"), figure) &&
                !strcmp(record_get(paper, i, "name"), "exponent") &&
                is_about(paper, i, fits, row, "", "")) {
                table_name(table, at, "printed");
                table->printed[at] = true;
                table_text(table, row, at, TABLE_AS_IS, record_get(paper, i, "printed"));
            }
    table_cut(table, at + table->printed[at]);
    return table_ok(table);
}

static enum bench_status make_all_fits(const struct bench_experiment *experiment,
                                       const struct shown *shown,
                                       const struct record_table *paper, struct show_page *page)
{
    static const struct record_table none = {0};
    const struct record_table *powers = &shown->powers, *sums = &shown->sums;
    const char *x = powers->n_rows ? record_get(powers, 0, "x") : "";
    const struct fit_column of_power[] = {
        {x, "x_min", "x_max", TABLE_INTERVAL},
        {"points", "n", NULL, TABLE_NUMBER},
        {"exponent", "exponent", NULL, TABLE_NUMBER},
        {"95 % interval", "exponent_lo", "exponent_hi", TABLE_INTERVAL},
        {"last step", "exponent_last", NULL, TABLE_NUMBER}};
    static const struct fit_column of_sum[] = {{"rows", "n", NULL, TABLE_NUMBER},
                                               {"a, ns", "a_ns", "a_half_ns", TABLE_MEAN},
                                               {"b, ns", "b_ns", "b_half_ns", TABLE_MEAN},
                                               {"rms, %", "rms_pct", NULL, TABLE_NUMBER},
                                               {"worst, %", "worst_pct", NULL, TABLE_NUMBER}};
    struct text about = {0};
    enum bench_status status;

    if (powers->n_rows > 0)
        text_format(&about,
                    "%s ~ %s^exponent, least squares of the logarithms; last step: between the "
                    "two largest alone",
                    record_get(powers, 0, "value"), x);
    status = text_ok(&about);
    if (!status)
        status = make_fits(powers, about.data, of_power, 5, paper,
                           figure_of(&experiment->layout), page);
    text_free(&about);
    if (sums->n_rows > 0)
        text_format(&about,
                    "%s = a %s + b %s, least squares of the relative residuals; \u00b1 95 %% "
                    "interval; rms and worst residual",
                    record_get(sums, 0, "value"), record_get(sums, 0, "x"),
                    record_get(sums, 0, "x2"));
    if (!status)
        status = text_ok(&about);
    if (!status)
        status = make_fits(sums, about.data, of_sum, 5, &none, "", page);
    text_free(&about);
    return status;
}

/* ---- all of it ---- */

enum bench_status show_tables(const struct bench_experiment *experiment,
                              const struct shown *shown, const struct show_keys *keys,
                              const char *paper_folder, struct show_page *page)
{
    const struct bench_layout *layout = &experiment->layout;
    struct record_table paper = {0};
    enum bench_status status;

    text_add(&page->title, layout->title[0] ? layout->title : experiment->title);
    if (layout->unit[0])
        text_format(&page->title, " [%s]", layout->unit);
    if (shown->rows.n_rows == 0)
        return text_ok(&page->title);
    if (!layout->rows[0] || !layout->columns[0] || !layout->value[0])
        return make_long(shown, keys, page);
    TRY(read_paper(experiment, paper_folder, &paper));
    status = make_pivot(experiment, shown, keys, &paper, page);
    if (!status)
        status = make_all_fits(experiment, shown, &paper, page);
    record_table_free(&paper);
    return status;
}
