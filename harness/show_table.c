/*
 * show_table.c - chosen rows as CSV and as Markdown tables for people
 *
 * A Markdown table is either a pivot as the descriptor's [show] section asks for it, with the numbers that the paper
 * prints beside ours, or a long one that has the columns which vary and says once what does not.
 */
#include "harness/show.h"

#include "harness/problem.h"
#include "harness/record_private.h"
#include "harness/show_private.h"
#include "harness/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_COLUMNS 80
#define DIGITS       4  /* of a number in a table for people */
#define MAX_COLUMNS  96 /* of a Markdown table */

static const char spread[] = " \u00b1 "; /* between a mean and its deviation */
static const char of_runs[] = ", n ";    /* between a mean and how many runs it is of */

static const char *cell_at(const struct record_table *table, int row, int column)
{
    return column < 0 ? ""
                      : table->cell[(size_t)row * (size_t)table->n_columns + (size_t)column];
}

/* ---- CSV ---- */

enum bench_status show_csv(const struct record_table *table, struct text *text)
{
    for (int row = -1; row < table->n_rows; row++)
        for (int i = 0; i < table->n_columns; i++) {
            text_csv(text, row < 0 ? table->column[i] : cell_at(table, row, i));
            text_add(text, i + 1 < table->n_columns ? "," : "\n");
        }
    return text_ok(text);
}

/* ---- a grid of texts, aligned ---- */

struct grid {
    int n_columns, n_rows;
    char **cell; /* [1 + n_rows][n_columns], the header first */
    bool *right; /* [n_columns] numbers */
};

static enum bench_status grid_make(struct grid *grid, int n_columns, int n_rows)
{
    *grid = (struct grid){.n_columns = n_columns, .n_rows = n_rows};
    grid->cell = calloc((size_t)n_columns * ((size_t)n_rows + 1) + 1, sizeof *grid->cell);
    grid->right = calloc((size_t)n_columns + 1, sizeof *grid->right);
    if (!grid->cell || !grid->right)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    return BENCH_OK;
}

static void grid_free(struct grid *grid)
{
    for (size_t i = 0; grid->cell && i < (size_t)grid->n_columns * ((size_t)grid->n_rows + 1);
         i++)
        free(grid->cell[i]);
    free(grid->cell);
    free(grid->right);
    *grid = (struct grid){0};
}

static enum bench_status grid_set(struct grid *grid, int row, int column, const char *text)
{
    char **cell = &grid->cell[(size_t)(row + 1) * (size_t)grid->n_columns + (size_t)column];

    free(*cell);
    *cell = strdup(text);
    if (!*cell)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    for (char *at = *cell; *at; at++)
        if (*at == '|' || (unsigned char)*at < ' ')
            *at = *at == '|' ? '/' : ' '; /* neither can be in a cell of a Markdown table */
    return BENCH_OK;
}

static const char *grid_get(const struct grid *grid, int row, int column)
{
    const char *text = grid->cell[(size_t)(row + 1) * (size_t)grid->n_columns + (size_t)column];

    return text ? text : "";
}

/* Characters, not bytes, of UTF-8. */
static int width_of(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static int grid_width(const struct grid *grid, int column)
{
    int width = 3; /* of the rule below the header */

    for (int row = -1; row < grid->n_rows; row++) {
        const int n = width_of(grid_get(grid, row, column));

        width = n > width ? n : width;
    }
    return width;
}

static void add_blanks(struct text *text, int n)
{
    for (int i = 0; i < n; i++)
        text_add(text, " ");
}

static void grid_line(const struct grid *grid, int row, struct text *text)
{
    for (int i = 0; i < grid->n_columns; i++) {
        const char *cell = grid_get(grid, row, i);
        const int blanks = grid_width(grid, i) - width_of(cell);

        text_add(text, "| ");
        add_blanks(text, grid->right[i] ? blanks : 0);
        text_add(text, cell);
        add_blanks(text, grid->right[i] ? 1 : blanks + 1);
    }
    text_add(text, "|\n");
}

static void grid_print(struct grid *grid, struct text *text)
{
    for (int i = 0; i < grid->n_columns; i++) {
        bool some = false;
        double value;

        grid->right[i] = true;
        for (int row = 0; row < grid->n_rows && grid->right[i]; row++) {
            const char *cell = grid_get(grid, row, i);

            some = some || cell[0] != '\0';
            /* an interval or a spread counts by its beginning */
            if (cell[0] != '\0' && !text_to_number(cell, &value) && !strstr(cell, "..") &&
                !strstr(cell, spread) && !strstr(cell, of_runs))
                grid->right[i] = false;
        }
        grid->right[i] = grid->right[i] && some;
    }
    grid_line(grid, -1, text);
    for (int i = 0; i < grid->n_columns; i++) {
        const int width = grid_width(grid, i);

        text_add(text, "| ");
        for (int k = 0; k < width - 1; k++)
            text_add(text, "-");
        text_add(text, grid->right[i] ? ": " : "- ");
    }
    text_add(text, "|\n");
    for (int row = 0; row < grid->n_rows; row++)
        grid_line(grid, row, text);
}

/* ---- what the rows have in common ---- */

static bool varies(const struct record_table *rows, int column)
{
    for (int row = 1; row < rows->n_rows; row++)
        if (strcmp(cell_at(rows, row, column), cell_at(rows, 0, column)) != 0)
            return true;
    return false;
}

/* The one text of a column that does not say two things; rows that lack it say nothing.  NULL: there are two. */
static const char *constant(const struct record_table *rows, int column)
{
    const char *only = "";

    for (int row = 0; row < rows->n_rows; row++) {
        const char *found = cell_at(rows, row, column);

        if (found[0] != '\0' && only[0] != '\0' && strcmp(found, only) != 0)
            return NULL;
        only = found[0] != '\0' ? found : only;
    }
    return only;
}

static bool all_empty(const struct record_table *rows, int column)
{
    for (int row = 0; row < rows->n_rows; row++)
        if (cell_at(rows, row, column)[0] != '\0')
            return false;
    return true;
}

static void add_constant(struct text *text, const char *name, const char *value, bool *first)
{
    const char *line = text->data ? strrchr(text->data, '\n') : NULL;
    const int used = line ? width_of(line + 1) : 0;
    const bool full = used + width_of(name) + width_of(value) + 4 > PAGE_COLUMNS;

    text_format(text, "%s%s %s", *first ? "" : full ? ",\n" : ", ", name, value);
    *first = false;
}

static void print_title(const struct bench_experiment *experiment, struct text *text)
{
    const char *title =
        experiment->layout.title[0] ? experiment->layout.title : experiment->title;

    text_format(text, "### %s%s%s", experiment->name, title[0] ? ": " : "", title);
    if (experiment->layout.unit[0])
        text_format(text, " [%s]", experiment->layout.unit);
    text_add(text, "\n\n");
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

    if (table->n == MAX_COLUMNS || at < 0 || all_empty(rows, at))
        return;
    table->column[table->n++] = (struct long_column){
        .title = title,
        .at = at,
        .high = high ? record_column(rows, high) : -1,
        .number = strstr(column, "_ms") != NULL || may_go,
        .may_go = may_go,
    };
}

static void long_text(const struct record_table *rows, int row,
                      const struct long_column *column, char *text, size_t size)
{
    char low[TEXT_NUMBER], high[TEXT_NUMBER];
    double value;

    snprintf(text, size, "%s", cell_at(rows, row, column->at));
    if (!column->number || !text_to_number(text, &value))
        return;
    text_short_number(low, value, DIGITS);
    snprintf(text, size, "%s", low);
    if (column->high < 0 || !text_to_number(cell_at(rows, row, column->high), &value))
        return;
    text_short_number(high, value, DIGITS);
    snprintf(text, size, "%s..%s", low, high);
}

static enum bench_status long_grid(const struct record_table *rows,
                                   const struct long_table *table, struct grid *grid)
{
    TRY(grid_make(grid, table->n, rows->n_rows));
    for (int i = 0; i < table->n; i++) {
        TRY(grid_set(grid, -1, i, table->column[i].title));
        for (int row = 0; row < rows->n_rows; row++) {
            char text[256];

            long_text(rows, row, &table->column[i], text, sizeof text);
            TRY(grid_set(grid, row, i, text));
        }
    }
    return BENCH_OK;
}

static int page_width(const struct grid *grid)
{
    int width = 1;

    for (int i = 0; i < grid->n_columns; i++)
        width += grid_width(grid, i) + 3;
    return width;
}

/* Leave out what may go, the last first, until the lines fit. */
static enum bench_status fit_grid(const struct record_table *rows, struct long_table *table,
                                  struct grid *grid)
{
    TRY(long_grid(rows, table, grid));
    while (page_width(grid) > PAGE_COLUMNS) {
        int last = table->n - 1;

        while (last >= 0 && !table->column[last].may_go)
            last--;
        if (last < 0)
            break;
        memmove(&table->column[last], &table->column[last + 1],
                (size_t)(table->n - last - 1) * sizeof *table->column);
        table->n--;
        grid_free(grid);
        TRY(long_grid(rows, table, grid));
    }
    return BENCH_OK;
}

static enum bench_status print_long(const struct shown *shown, const struct show_keys *keys,
                                    struct text *text)
{
    static const char *const words[] = {"verdict", "status"};
    const struct record_table *rows = &shown->rows;
    struct long_table table = {0};
    struct grid grid = {0};
    bool first = true, of_processes = false;
    enum bench_status status;

    long_add(&table, rows, "impl", "impl", NULL, false);
    for (int i = 0; i < keys->n + 2; i++) {
        const char *name = i < keys->n ? keys->name[i] : words[i - keys->n];
        const char *only = constant(rows, record_column(rows, name));

        if (!only && i < keys->n)
            long_add(&table, rows, name, name, NULL, false);
        else if (only && only[0] != '\0')
            add_constant(text, name, only, &first);
    }
    text_add(text, first ? "" : "\n\n");
    long_add(&table, rows, "median ms", "median_ms", NULL, false);
    long_add(&table, rows, "mean ms", "mean_ms", NULL, false);
    for (int row = 0; row < rows->n_rows; row++)
        of_processes |= show_is_of_processes(rows, row);
    long_add(&table, rows, of_processes ? "interval" : "95 % of median", "ci_lo_ms", "ci_hi_ms",
             true);
    long_add(&table, rows, "n", "n", NULL, true);
    for (int i = 0; i < 2; i++)
        if (varies(rows, record_column(rows, words[i])))
            long_add(&table, rows, words[i], words[i], NULL, true);
    for (int i = shown->first_value; i < rows->n_columns; i++)
        long_add(&table, rows, rows->column[i], rows->column[i], NULL, true);
    status = fit_grid(rows, &table, &grid);
    if (status == BENCH_OK)
        grid_print(&grid, text);
    grid_free(&grid);
    return status;
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
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    words->word = more;
    more[words->n++] = word;
    return BENCH_OK;
}

struct pivot {
    const struct bench_layout *layout;
    const struct record_table *rows;
    const struct record_table *paper;   /* with no rows where there is none */
    const char *figure;                 /* of the paper; "" for none */
    const char *row_name, *column_name; /* columns of the rows */
    char value[64], beside[64]; /* of the tables at hand; beside "" where there is none */
    int row_at, column_at, value_at, beside_at, lap_at;
    int key[128]; /* columns that tell the tables apart */
    int n_keys;
    int *table; /* [n_tables] a row that stands for each table */
    int n_tables;
};

/* A descriptor says 'mode' for the column 'mode_name', ours and the printed numbers'. */
static const char *row_column_name(const char *name)
{
    return !strcmp(name, "mode") ? "mode_name" : name;
}

/* Laps and rows without a value are no part of a pivot. */
static bool in_pivot(const struct pivot *pivot, int row)
{
    return cell_at(pivot->rows, row, pivot->value_at)[0] != '\0' &&
           (pivot->row_at == pivot->lap_at || pivot->column_at == pivot->lap_at ||
            cell_at(pivot->rows, row, pivot->lap_at)[0] == '\0');
}

/* What stands at the head of a row or column of a table.  A variant that has no such key stands under its own name, or
 * under "none" where the names are the other heads; what is no lap but the whole run, as that. */
static const char *head_of(const struct pivot *pivot, int row, int at)
{
    const char *found = cell_at(pivot->rows, row, at);
    const int impl = record_column(pivot->rows, "impl");

    if (found[0] != '\0')
        return found;
    if (at == pivot->lap_at)
        return "whole run";
    return pivot->row_at == impl || pivot->column_at == impl ? "none"
                                                             : cell_at(pivot->rows, row, impl);
}

static const char *row_head(const struct pivot *pivot, int row)
{
    return head_of(pivot, row, pivot->row_at);
}

static const char *column_head(const struct pivot *pivot, int row)
{
    return head_of(pivot, row, pivot->column_at);
}

/* A key parts tables when two rows would otherwise meet in one place of the table; a key that hangs on the row or the
 * column (threads of a variant) does not. */
static bool parts_tables(const struct pivot *pivot, int key)
{
    const struct record_table *rows = pivot->rows;

    if (key == pivot->row_at || key == pivot->column_at || key < 0 || constant(rows, key))
        return false;
    for (int a = 0; a < rows->n_rows; a++)
        for (int b = 0; b < a; b++)
            if (in_pivot(pivot, a) && in_pivot(pivot, b) &&
                !strcmp(row_head(pivot, a), row_head(pivot, b)) &&
                !strcmp(column_head(pivot, a), column_head(pivot, b)) &&
                strcmp(cell_at(rows, a, key), cell_at(rows, b, key)) != 0)
                return true;
    return false;
}

/* Whether 'row' belongs into the table that 'standing' stands for: a key that it does not have is no difference. */
static bool belongs(const struct pivot *pivot, int row, int standing)
{
    for (int i = 0; i < pivot->n_keys; i++) {
        const char *found = cell_at(pivot->rows, row, pivot->key[i]);

        if (found[0] != '\0' &&
            strcmp(found, cell_at(pivot->rows, standing, pivot->key[i])) != 0)
            return false;
    }
    return true;
}

static enum bench_status find_tables(struct pivot *pivot)
{
    const int n_rows = pivot->rows->n_rows;

    pivot->table = calloc((size_t)n_rows + 1, sizeof *pivot->table);
    if (!pivot->table)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a table");
    for (int row = 0; row < n_rows; row++) {
        bool stands = in_pivot(pivot, row);

        /* not where another row stands for more: the same keys earlier, or more of them anywhere */
        for (int other = 0; other < n_rows && stands; other++)
            if (other != row && in_pivot(pivot, other) && belongs(pivot, row, other))
                stands = belongs(pivot, other, row) && other > row;
        if (stands)
            pivot->table[pivot->n_tables++] = row;
    }
    return BENCH_OK;
}

/* Columns of the printed numbers that say what they are, not what they belong to. */
static bool is_about(const char *column)
{
    static const char *const about[] = {"paper",   "figure", "name", "value",
                                        "printed", "unit",   "read", "where"};

    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (!strcmp(about[i], column))
            return true;
    return false;
}

/* Whether a printed number is one of the table that 'standing' stands for, or of what is beside it: nothing that both
 * say, rows and columns of the table aside, is different.  -1: of any table. */
static bool is_printed(const struct pivot *pivot, int printed, bool beside, int standing)
{
    const struct record_table *paper = pivot->paper;
    const char *name = beside ? pivot->beside : pivot->value;

    if (strcmp(record_get(paper, printed, "figure"), pivot->figure) != 0 ||
        strcmp(record_get(paper, printed, "name"), name) != 0 ||
        record_get(paper, printed, pivot->row_name)[0] == '\0' ||
        (!beside && record_get(paper, printed, pivot->column_name)[0] == '\0'))
        return false;
    for (int i = 0; i < paper->n_columns && standing >= 0; i++) {
        const char *ours = record_get(pivot->rows, standing, paper->column[i]);
        const char *theirs = cell_at(paper, printed, i);

        if (is_about(paper->column[i]) || !strcmp(paper->column[i], pivot->row_name) ||
            !strcmp(paper->column[i], pivot->column_name))
            continue;
        if (ours[0] != '\0' && theirs[0] != '\0' && strcmp(ours, theirs) != 0)
            return false;
    }
    return true;
}

/* column_word NULL: of the value beside the table. */
static const char *printed_value(const struct pivot *pivot, const char *row_word,
                                 const char *column_word, int standing)
{
    for (int i = 0; i < pivot->paper->n_rows; i++)
        if (is_printed(pivot, i, !column_word, standing) &&
            !strcmp(record_get(pivot->paper, i, pivot->row_name), row_word) &&
            (!column_word ||
             !strcmp(record_get(pivot->paper, i, pivot->column_name), column_word)))
            return record_get(pivot->paper, i, "printed");
    return "";
}

static int our_row(const struct pivot *pivot, const char *row_word, const char *column_word,
                   int standing)
{
    for (int row = 0; row < pivot->rows->n_rows; row++)
        if (in_pivot(pivot, row) && belongs(pivot, row, standing) &&
            !strcmp(row_head(pivot, row), row_word) &&
            !strcmp(column_head(pivot, row), column_word))
            return row;
    return -1;
}

/* Where all that our rows of a table have in column 'at' are numbers: those from the least on, and behind them the heads of what
 * has none (head_of).  Rows come in the order in which they were measured. */
static void sort_numbers(const struct pivot *pivot, int standing, struct words *words, int at)
{
    double value, other;
    bool some = false;

    for (int row = 0; row < pivot->rows->n_rows; row++) {
        const char *found = cell_at(pivot->rows, row, at);

        if (found[0] == '\0' || !in_pivot(pivot, row) || !belongs(pivot, row, standing))
            continue;
        if (!text_to_number(found, &value))
            return;
        some = true;
    }
    if (!some)
        return;
    for (int i = 1; i < words->n; i++)
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
static enum bench_status collect_words(const struct pivot *pivot, int standing,
                                       struct words *row_words, struct words *column_words,
                                       int *n_our_columns)
{
    for (int row = 0; row < pivot->rows->n_rows; row++) {
        if (!in_pivot(pivot, row) || !belongs(pivot, row, standing))
            continue;
        TRY(words_add(row_words, row_head(pivot, row)));
        TRY(words_add(column_words, column_head(pivot, row)));
    }
    sort_numbers(pivot, standing, column_words, pivot->column_at);
    *n_our_columns = column_words->n;
    for (int i = 0; i < pivot->paper->n_rows; i++) {
        const bool in_table = is_printed(pivot, i, false, standing);

        if (in_table || is_printed(pivot, i, true, standing))
            TRY(words_add(row_words, record_get(pivot->paper, i, pivot->row_name)));
        if (in_table)
            TRY(words_add(column_words, record_get(pivot->paper, i, pivot->column_name)));
    }
    sort_numbers(pivot, standing, row_words, pivot->row_at);
    return BENCH_OK;
}

/* column_word NULL: the value beside the table. */
static bool column_is_printed(const struct pivot *pivot, const char *column_word, int standing)
{
    for (int i = 0; i < pivot->paper->n_rows; i++)
        if (is_printed(pivot, i, !column_word, standing) &&
            (!column_word ||
             !strcmp(record_get(pivot->paper, i, pivot->column_name), column_word)))
            return true;
    return false;
}

/* A number as people read it; another text as it is. */
static void short_text(char *text, size_t size, const char *found)
{
    char number[TEXT_NUMBER];
    double value;

    if (text_to_number(found, &value)) {
        text_short_number(number, value, DIGITS);
        found = number;
    }
    snprintf(text, size, "%s", found);
}

/* The value of a row; of a mean with the deviation of what it is of.  "" for no row. */
static void our_text(const struct pivot *pivot, int row, char *text, size_t size)
{
    char sd_column[80], number[TEXT_NUMBER];
    double sd;
    size_t n;

    text[0] = '\0';
    if (row < 0)
        return;
    short_text(text, size, cell_at(pivot->rows, row, pivot->value_at));
    if (!strcmp(pivot->value, "mean_ms"))
        snprintf(sd_column, sizeof sd_column, "sd_ms");
    else
        snprintf(sd_column, sizeof sd_column, "%s_sd", pivot->value);
    if (pivot->layout->over[0] == '\0' || text[0] == '\0' ||
        !record_get_number(pivot->rows, row, sd_column, &sd) || sd <= 0.0)
        return;
    n = strlen(text);
    text_short_number(number, sd, 2);
    snprintf(text + n, size - n, "%s%s", spread, number);
}

/* "low..high" as people read it, one of them where they read alike; "" where either is empty. */
static void interval_text(char *text, size_t size, const char *low, const char *high)
{
    char high_text[TEXT_NUMBER];
    size_t n;

    text[0] = '\0';
    if (low[0] == '\0' || high[0] == '\0')
        return;
    short_text(text, size, low);
    short_text(high_text, sizeof high_text, high);
    n = strlen(text);
    if (strcmp(text, high_text) != 0)
        snprintf(text + n, size - n, "..%s", high_text);
}

/* What all columns of a table share; where they do not, from the least to the most. */
static void beside_text(const struct pivot *pivot, const char *row_word, int standing,
                        char *text, size_t size)
{
    const char *low = "", *high = "";
    double least = 0.0, most = 0.0, value;

    for (int row = 0; row < pivot->rows->n_rows; row++) {
        const char *found = cell_at(pivot->rows, row, pivot->beside_at);

        if (!in_pivot(pivot, row) || !belongs(pivot, row, standing) ||
            strcmp(row_head(pivot, row), row_word) != 0 || !text_to_number(found, &value))
            continue;
        if (low[0] == '\0' || value < least) {
            low = found;
            least = value;
        }
        if (high[0] == '\0' || value > most) {
            high = found;
            most = value;
        }
    }
    interval_text(text, size, low, high);
}

/* The printed numbers of one column, behind ours. */
static enum bench_status fill_printed(const struct pivot *pivot, int standing,
                                      const struct words *row_words, const char *column_word,
                                      struct grid *grid, int *at)
{
    char title[128];

    if (!column_is_printed(pivot, column_word, standing))
        return BENCH_OK;
    snprintf(title, sizeof title, "%s printed", column_word ? column_word : pivot->beside);
    TRY(grid_set(grid, -1, *at, title));
    for (int row = 0; row < row_words->n; row++)
        TRY(grid_set(grid, row, *at,
                     printed_value(pivot, row_words->word[row], column_word, standing)));
    ++*at;
    return BENCH_OK;
}

/* Of how many samples, or runs where they are averaged, the rows of a table are at most. */
static double most_samples(const struct pivot *pivot, int standing)
{
    double most = 0.0, n;

    for (int row = 0; row < pivot->rows->n_rows; row++)
        if (in_pivot(pivot, row) && belongs(pivot, row, standing) &&
            record_get_number(pivot->rows, row, "n", &n) && n > most)
            most = n;
    return most;
}

/* Behind a mean of fewer runs than others of the table: of how many. */
static void note_runs(const struct pivot *pivot, int row, double most, char *text, size_t size)
{
    const size_t length = strlen(text);
    double n;

    if (pivot->layout->over[0] != '\0' && length > 0 &&
        record_get_number(pivot->rows, row, "n", &n) && n < most)
        snprintf(text + length, size - length, "%s%.0f", of_runs, n);
}

static enum bench_status fill_pivot(const struct pivot *pivot, int standing,
                                    const struct words *row_words,
                                    const struct words *column_words, int n_our_columns,
                                    struct grid *grid)
{
    const double most = most_samples(pivot, standing);
    char text[256];
    int at = 1;

    TRY(grid_make(grid, 3 + 2 * column_words->n, row_words->n));
    TRY(grid_set(grid, -1, 0, pivot->layout->rows));
    for (int row = 0; row < row_words->n; row++)
        TRY(grid_set(grid, row, 0, row_words->word[row]));
    if (pivot->beside[0] != '\0') {
        TRY(grid_set(grid, -1, at, pivot->beside));
        for (int row = 0; row < row_words->n; row++) {
            beside_text(pivot, row_words->word[row], standing, text, sizeof text);
            TRY(grid_set(grid, row, at, text));
        }
        at++;
        TRY(fill_printed(pivot, standing, row_words, NULL, grid, &at));
    }
    for (int i = 0; i < column_words->n; i++) {
        const char *word = column_words->word[i];

        if (i < n_our_columns) {
            TRY(grid_set(grid, -1, at, word));
            for (int row = 0; row < row_words->n; row++) {
                const int found = our_row(pivot, row_words->word[row], word, standing);

                our_text(pivot, found, text, sizeof text);
                note_runs(pivot, found, most, text, sizeof text);
                TRY(grid_set(grid, row, at, text));
            }
            at++;
        }
        TRY(fill_printed(pivot, standing, row_words, word, grid, &at));
    }
    return BENCH_OK;
}

/* Columns that were kept free but not needed. */
static enum bench_status trim_grid(const struct grid *grid, struct grid *trimmed)
{
    int n_columns = grid->n_columns;

    while (n_columns > 1 && grid_get(grid, -1, n_columns - 1)[0] == '\0')
        n_columns--;
    TRY(grid_make(trimmed, n_columns, grid->n_rows));
    for (int row = -1; row < grid->n_rows; row++)
        for (int i = 0; i < n_columns; i++)
            TRY(grid_set(trimmed, row, i, grid_get(grid, row, i)));
    return BENCH_OK;
}

static enum bench_status print_pivot_table(const struct pivot *pivot, int standing,
                                           struct text *text)
{
    struct words row_words = {0}, column_words = {0};
    struct grid grid = {0}, trimmed = {0};
    int n_our_columns = 0;
    enum bench_status status =
        collect_words(pivot, standing, &row_words, &column_words, &n_our_columns);

    if (status == BENCH_OK)
        status = fill_pivot(pivot, standing, &row_words, &column_words, n_our_columns, &grid);
    if (status == BENCH_OK)
        status = trim_grid(&grid, &trimmed);
    if (status == BENCH_OK)
        grid_print(&trimmed, text);
    grid_free(&grid);
    grid_free(&trimmed);
    free(row_words.word);
    free(column_words.word);
    return status;
}

/* Of how many samples or processes the rows of a table are, and how sure their medians; false: there is no such row. */
static bool count_rows(const struct pivot *pivot, int standing, bool of_processes,
                       const char *before, struct text *text)
{
    double least = 0.0, most = 0.0, widest = 0.0;
    char number[TEXT_NUMBER];
    bool some = false;

    for (int row = 0; row < pivot->rows->n_rows; row++) {
        double n, low, high, median;

        if (!in_pivot(pivot, row) || !belongs(pivot, row, standing) ||
            show_is_of_processes(pivot->rows, row) != of_processes ||
            !record_get_number(pivot->rows, row, "n", &n))
            continue;
        least = !some || n < least ? n : least;
        most = !some || n > most ? n : most;
        some = true;
        if (record_get_number(pivot->rows, row, "ci_lo_ms", &low) &&
            record_get_number(pivot->rows, row, "ci_hi_ms", &high) &&
            record_get_number(pivot->rows, row, "median_ms", &median) && median > 0.0 &&
            (high - low) / median > widest)
            widest = (high - low) / median;
    }
    if (!some)
        return false;
    text_short_number(number, 100.0 * widest, 2);
    text_format(text, "%sn %.0f", before, least);
    if (least < most)
        text_format(text, "..%.0f", most);
    text_format(
        text, "%s; %s at most %s %% wide", of_processes ? SHOW_OF_PROCESSES : SHOW_OF_SAMPLES,
        of_processes ? "interval over their medians" : "95 % interval of the median", number);
    return true;
}

/* The same of means over runs: where rows are of fewer, they say so. */
static bool count_means(const struct pivot *pivot, int standing, struct text *text)
{
    const double most = most_samples(pivot, standing);
    bool fewer = false;
    double n;

    if (!(most > 0.0))
        return false;
    for (int row = 0; row < pivot->rows->n_rows; row++)
        fewer |= in_pivot(pivot, row) && belongs(pivot, row, standing) &&
                 record_get_number(pivot->rows, row, "n", &n) && n < most;
    text_format(text, "\nn %.0f%s: means over %s, \u00b1 one standard deviation", most,
                fewer ? " where no other stands" : "", pivot->layout->over);
    return true;
}

/* Number of samples and how sure the medians are, below a table. */
static void print_footnote(const struct pivot *pivot, int standing, struct text *text)
{
    bool some;

    if (pivot->layout->over[0] != '\0') {
        some = count_means(pivot, standing, text);
    } else {
        some = count_rows(pivot, standing, false, "\n", text);
        some |= count_rows(pivot, standing, true, some ? "; " : "\n", text);
    }
    for (int i = 0; i < pivot->paper->n_rows; i++)
        if (is_printed(pivot, i, false, standing)) {
            text_format(text, "%sprinted: the paper's %s", some ? "; " : "\n", pivot->figure);
            some = true;
            break;
        }
    text_add(text, some ? "\n" : "");
}

/* Whether a key is what was looked for: [show] reach chose one row of all that differ in it, and `reach_KEY` says which. */
static bool is_found(const struct pivot *pivot, const char *key)
{
    char along[64];

    return !strncmp(pivot->value, "reach_", 6) &&
           show_list(pivot->layout->reach, 1, along, sizeof along) && !strcmp(along, key);
}

/* The tables of one value; what they all have in common only above the first. */
static enum bench_status print_pivot_tables(struct pivot *pivot, const struct show_keys *keys,
                                            bool is_first, bool is_only, struct text *text)
{
    const struct record_table *rows = pivot->rows;
    bool first = true;

    pivot->n_keys = 0;
    for (int i = 0; i < keys->n; i++) {
        const int key = record_column(rows, keys->name[i]);
        const char *only = constant(rows, key);

        if (is_found(pivot, keys->name[i]))
            continue;
        if (parts_tables(pivot, key))
            pivot->key[pivot->n_keys++] = key;
        else if (is_first && key != pivot->row_at && key != pivot->column_at && only &&
                 only[0] != '\0')
            add_constant(text, keys->name[i], only, &first);
    }
    text_add(text, first ? "" : "\n");
    TRY(find_tables(pivot));
    for (int i = 0; i < pivot->n_tables; i++) {
        const int standing = pivot->table[i];

        text_add(text, pivot->n_keys || !is_only ? "\n**" : "");
        text_add(text, is_only ? "" : pivot->value);
        first = is_only;
        for (int k = 0; k < pivot->n_keys; k++)
            if (cell_at(rows, standing, pivot->key[k])[0] != '\0')
                add_constant(text, rows->column[pivot->key[k]],
                             cell_at(rows, standing, pivot->key[k]), &first);
        text_add(text, pivot->n_keys || !is_only ? "**\n\n" : "\n");
        TRY(print_pivot_table(pivot, standing, text));
        print_footnote(pivot, standing, text);
    }
    return BENCH_OK;
}

/* [show] paper: "table1" of the problem's own file, "stx/table1" of results/paper/stx.csv. */
static enum bench_status read_paper(const struct bench_experiment *experiment,
                                    const char *folder, struct record_table *paper)
{
    const char *figure = experiment->layout.paper, *slash = strchr(figure, '/');
    struct text path = {0};
    enum bench_status status = BENCH_OK;

    if (!folder || figure[0] == '\0' || !experiment->problem)
        return BENCH_OK;
    if (slash)
        text_format(&path, "%s/%.*s.csv", folder, (int)(slash - figure), figure);
    else
        text_format(&path, "%s/%s.csv", folder, experiment->problem->name);
    TRY(text_ok(&path));
    if (access(path.data, F_OK) == 0)
        status = record_read(path.data, false, paper);
    text_free(&path);
    return status;
}

static const char *figure_of(const struct bench_layout *layout)
{
    const char *slash = strchr(layout->paper, '/');

    return slash ? slash + 1 : layout->paper;
}

/* The i-th value of [show] and what stands beside it; false: there are fewer. */
static enum bench_status take_value(const struct bench_experiment *experiment,
                                    struct pivot *pivot, int i, bool *found)
{
    const struct bench_layout *layout = &experiment->layout;

    *found = show_list(layout->value, i, pivot->value, sizeof pivot->value);
    if (!*found)
        return BENCH_OK;
    show_list(layout->beside, i, pivot->beside, sizeof pivot->beside);
    pivot->value_at = record_column(pivot->rows, pivot->value);
    pivot->beside_at = record_column(pivot->rows, pivot->beside);
    if (pivot->value_at < 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: [show] value '%s' is neither a column nor a value of these rows",
                          experiment->path, pivot->value);
    if (pivot->beside[0] != '\0' && pivot->beside_at < 0)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: [show] beside '%s' is neither a column nor a value of these rows",
            experiment->path, pivot->beside);
    return BENCH_OK;
}

static enum bench_status print_pivots(const struct bench_experiment *experiment,
                                      const struct show_keys *keys, struct pivot *pivot,
                                      struct text *text)
{
    const bool is_only = strchr(experiment->layout.value, ',') == NULL;
    enum bench_status status = BENCH_OK;
    bool found = true;

    for (int i = 0; found && status == BENCH_OK; i++) {
        status = take_value(experiment, pivot, i, &found);
        if (status == BENCH_OK && found)
            status = print_pivot_tables(pivot, keys, i == 0, is_only, text);
        free(pivot->table);
        pivot->table = NULL;
        pivot->n_tables = 0;
    }
    return status;
}

static enum bench_status print_pivot(const struct bench_experiment *experiment,
                                     const struct shown *shown, const struct show_keys *keys,
                                     const struct record_table *paper, struct text *text)
{
    const struct bench_layout *layout = &experiment->layout;
    struct pivot pivot = {
        .layout = layout,
        .rows = &shown->rows,
        .paper = paper,
        .figure = figure_of(layout),
        .row_name = row_column_name(layout->rows),
        .column_name = row_column_name(layout->columns),
    };

    pivot.row_at = record_column(pivot.rows, pivot.row_name);
    pivot.column_at = record_column(pivot.rows, pivot.column_name);
    pivot.lap_at = record_column(pivot.rows, "lap");
    if (pivot.row_at < 0 || pivot.column_at < 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: [show] names no column of the results: %s",
                          experiment->path, pivot.row_at < 0 ? layout->rows : layout->columns);
    return print_pivots(experiment, keys, &pivot, text);
}

/* ---- power laws ---- */

/* The exponent that the paper gives for the curve of a fit, "" where it gives none. */
static const char *printed_exponent(const struct record_table *paper, const char *figure,
                                    const struct record_table *fits, int fit)
{
    for (int row = 0; row < paper->n_rows; row++) {
        bool same = !strcmp(record_get(paper, row, "figure"), figure) &&
                    !strcmp(record_get(paper, row, "name"), "exponent");

        for (int i = 0; i < paper->n_columns && same; i++) {
            const char *ours = record_get(fits, fit, paper->column[i]);
            const char *theirs = cell_at(paper, row, i);

            same = is_about(paper->column[i]) || ours[0] == '\0' || theirs[0] == '\0' ||
                   !strcmp(ours, theirs);
        }
        if (same)
            return record_get(paper, row, "printed");
    }
    return "";
}

static enum bench_status fill_fits(const struct record_table *fits, const int *key, int n_keys,
                                   const struct record_table *paper, const char *figure,
                                   struct grid *grid)
{
    const char *const titles[] = {record_get(fits, 0, "x"), "points", "exponent",
                                  "95 % interval", "last step"};

    for (int i = 0; i < n_keys; i++)
        TRY(grid_set(grid, -1, i, fits->column[key[i]]));
    for (int i = 0; i < 5; i++)
        TRY(grid_set(grid, -1, n_keys + i, titles[i]));
    for (int row = 0; row < fits->n_rows; row++) {
        const char *printed = printed_exponent(paper, figure, fits, row);
        char text[5][2 * TEXT_NUMBER + 2];

        for (int i = 0; i < n_keys; i++)
            TRY(grid_set(grid, row, i, cell_at(fits, row, key[i])));
        interval_text(text[0], sizeof text[0], record_get(fits, row, "x_min"),
                      record_get(fits, row, "x_max"));
        short_text(text[1], sizeof text[1], record_get(fits, row, "n"));
        short_text(text[2], sizeof text[2], record_get(fits, row, "exponent"));
        interval_text(text[3], sizeof text[3], record_get(fits, row, "exponent_lo"),
                      record_get(fits, row, "exponent_hi"));
        short_text(text[4], sizeof text[4], record_get(fits, row, "exponent_last"));
        for (int i = 0; i < 5; i++)
            TRY(grid_set(grid, row, n_keys + i, text[i]));
        if (printed[0] != '\0') {
            TRY(grid_set(grid, -1, n_keys + 5, "printed"));
            TRY(grid_set(grid, row, n_keys + 5, printed));
        }
    }
    return BENCH_OK;
}

/* The columns that tell curves apart: the variant, and the keys before column x that are not the same in all. */
static int keys_of_curves(const struct record_table *fits, int key[128])
{
    int n = 0;

    key[n++] = 0;
    for (int i = 1; strcmp(fits->column[i], "x") != 0; i++)
        if (!constant(fits, i))
            key[n++] = i;
    return n;
}

/* How the value grows: a line for each curve. */
static enum bench_status print_fits(const struct bench_experiment *experiment,
                                    const struct shown *shown, const struct show_keys *keys,
                                    const struct record_table *paper, struct text *text)
{
    struct record_table fits;
    struct grid grid = {0}, trimmed = {0};
    int key[128], n_keys;
    enum bench_status status;

    TRY(show_fit(experiment, shown, keys, &fits));
    if (fits.n_rows == 0) {
        record_table_free(&fits);
        return BENCH_OK;
    }
    n_keys = keys_of_curves(&fits, key);
    text_format(
        text,
        "\n%s ~ %s^exponent, least squares of the logarithms; last step: between the two "
        "largest alone\n\n",
        record_get(&fits, 0, "value"), record_get(&fits, 0, "x"));
    status = grid_make(&grid, n_keys + 6, fits.n_rows);
    if (status == BENCH_OK)
        status = fill_fits(&fits, key, n_keys, paper, figure_of(&experiment->layout), &grid);
    if (status == BENCH_OK)
        status = trim_grid(&grid, &trimmed);
    if (status == BENCH_OK)
        grid_print(&trimmed, text);
    grid_free(&grid);
    grid_free(&trimmed);
    record_table_free(&fits);
    return status;
}

/* ---- sums of two terms ---- */

/* "3.2 ± 0.4" */
static void half_text(char *text, size_t size, const char *value, const char *half)
{
    char a[TEXT_NUMBER], b[TEXT_NUMBER];

    short_text(a, sizeof a, value);
    short_text(b, sizeof b, half);
    snprintf(text, size, "%s%s%s", a, spread, b);
}

static enum bench_status fill_linear(const struct record_table *fits, const int *key,
                                     int n_keys, struct grid *grid)
{
    static const char *const titles[] = {"rows", "a, ns", "b, ns", "rms, %", "worst, %"};

    for (int i = 0; i < n_keys; i++)
        TRY(grid_set(grid, -1, i, fits->column[key[i]]));
    for (int i = 0; i < 5; i++)
        TRY(grid_set(grid, -1, n_keys + i, titles[i]));
    for (int row = 0; row < fits->n_rows; row++) {
        char text[5][2 * TEXT_NUMBER + sizeof spread];

        for (int i = 0; i < n_keys; i++)
            TRY(grid_set(grid, row, i, cell_at(fits, row, key[i])));
        short_text(text[0], sizeof text[0], record_get(fits, row, "n"));
        half_text(text[1], sizeof text[1], record_get(fits, row, "a_ns"),
                  record_get(fits, row, "a_half_ns"));
        half_text(text[2], sizeof text[2], record_get(fits, row, "b_ns"),
                  record_get(fits, row, "b_half_ns"));
        short_text(text[3], sizeof text[3], record_get(fits, row, "rms_pct"));
        short_text(text[4], sizeof text[4], record_get(fits, row, "worst_pct"));
        for (int i = 0; i < 5; i++)
            TRY(grid_set(grid, row, n_keys + i, text[i]));
    }
    return BENCH_OK;
}

/* A value as a sum of two terms: a line for each curve. */
static enum bench_status print_linear(const struct bench_experiment *experiment,
                                      const struct shown *shown, const struct show_keys *keys,
                                      struct text *text)
{
    struct record_table fits;
    struct grid grid = {0};
    int key[128], n_keys;
    enum bench_status status;

    TRY(show_linear(experiment, shown, keys, &fits));
    if (fits.n_rows == 0) {
        record_table_free(&fits);
        return BENCH_OK;
    }
    n_keys = keys_of_curves(&fits, key);
    text_format(
        text,
        "\n%s = a %s + b %s, least squares of the relative residuals; ± 95 %% interval; rms "
        "and worst residual\n\n",
        record_get(&fits, 0, "value"), record_get(&fits, 0, "x"), record_get(&fits, 0, "x2"));
    status = grid_make(&grid, n_keys + 5, fits.n_rows);
    if (status == BENCH_OK)
        status = fill_linear(&fits, key, n_keys, &grid);
    if (status == BENCH_OK)
        grid_print(&grid, text);
    grid_free(&grid);
    record_table_free(&fits);
    return status;
}

/* ---- all of it ---- */

enum bench_status show_markdown(const struct bench_experiment *experiment,
                                const struct shown *shown, const struct show_keys *keys,
                                const char *paper_folder, struct text *text)
{
    const struct bench_layout *layout = &experiment->layout;
    struct record_table paper = {0};
    enum bench_status status = BENCH_OK;

    print_title(experiment, text);
    if (shown->rows.n_rows == 0) {
        text_add(text, "No rows.\n");
        return text_ok(text);
    }
    if (layout->rows[0] && layout->columns[0] && layout->value[0]) {
        TRY(read_paper(experiment, paper_folder, &paper));
        status = print_pivot(experiment, shown, keys, &paper, text);
        if (status == BENCH_OK)
            status = print_fits(experiment, shown, keys, &paper, text);
        if (status == BENCH_OK)
            status = print_linear(experiment, shown, keys, text);
        record_table_free(&paper);
        TRY(status);
    } else {
        TRY(print_long(shown, keys, text));
    }
    text_format(text, "\n%s", shown->caption.data);
    return text_ok(text);
}
