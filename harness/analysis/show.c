/*
 * show.c - the rows that stand for an experiment's cells, as the files that a figure reads or as tables for people
 *
 * SQL does it, in the temporary tables of rows.sql: select.sql chooses rows, derive.sql makes of them what [show] asks for, files.sql and
 * pivot.sql lay them out.  What depends on the experiment, its keys and columns, are rows there.
 */
#include "harness/analysis/show.h"

#include "harness/analysis/query.h"
#include "harness/record_private.h"

#include "derive_sql.h"
#include "files_sql.h"
#include "pivot_sql.h"
#include "rows_sql.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_COLUMNS 80
#define DIGITS       4 /* of a number in a table for people */

/* ---- what an experiment asks for ---- */

/* The texts of a list "a, b". */
static void wish(const char *word, const char *list, struct text *sql)
{
    char *const copy = strdup(list), *rest = copy;
    int at = 0;

    sql->failed |= !copy;
    while (rest && list[0] != '\0')
        query_add(sql, "INSERT INTO wish VALUES (%Q, %d, %Q);", word, at++,
                  text_trimmed(strsep(&rest, ",")));
    free(copy);
}

/* The keys that problems and variants declare. */
static enum bench_status add_keys(struct text *sql)
{
    struct record_table header;

    TRY(record_declare(&header));
    for (int i = RECORD_N_FIXED; i < header.n_columns; i++)
        query_add(sql, "INSERT INTO key_name VALUES (%d, %Q);", 1 + i - RECORD_N_FIXED,
                  header.column[i]);
    record_table_free(&header);
    return BENCH_OK;
}

static bool is_among(const struct table *names, const char *name)
{
    for (int i = 0; i < names->n_rows; i++)
        if (!strcmp(table_cell(names, i, 0)->text, name))
            return true;
    return false;
}

/* The texts of a row in the words of files, of each field but those 'left_out' one row (its first column, name, value) of a table. */
static enum bench_status add_row(struct store *store, sqlite3_stmt *row, int first,
                                 const bool *left_out, sqlite3_stmt *insert)
{
    for (int i = first; i < sqlite3_column_count(row); i++) {
        if (left_out[i] || sqlite3_column_type(row, i) == SQLITE_NULL)
            continue;
        sqlite3_bind_value(insert, 1, sqlite3_column_value(row, 0));
        sqlite3_bind_text(insert, 2,
                          store_name_in_file("measurement", sqlite3_column_name(row, i)), -1,
                          SQLITE_TRANSIENT);
        sqlite3_bind_value(insert, 3, sqlite3_column_value(row, i));
        TRY(store_step(store, insert));
    }
    return BENCH_OK;
}

/* All rows of a query; the columns of 'field' are those of the files.  'only' (NULL: all) is a query for the names that are used. */
static enum bench_status add_fields(struct store *store, const char *table, const char *query,
                                    int first, const char *only)
{
    sqlite3_stmt *rows, *insert = NULL;
    struct table names = {0};
    bool left_out[1 + STORE_MOST_COLUMNS] = {false};
    struct text sql = {0};
    enum bench_status status;
    bool row;

    if (only)
        TRY(query_table(store, only, &names));
    TRY(store_prepare(store, query, &rows));
    for (int i = first; i < sqlite3_column_count(rows) && !strcmp(table, "field"); i++) {
        const char *const name =
            store_name_in_file("measurement", sqlite3_column_name(rows, i));

        query_add(&sql, "INSERT OR IGNORE INTO shown_column (name) VALUES (%Q);", name);
        left_out[i] = only && !is_among(&names, name);
    }
    table_free(&names);
    status = sql.size ? query_run(store, &sql) : BENCH_OK;
    text_format(&sql, "INSERT OR REPLACE INTO %s (id, name, value) VALUES (?, ?, ?)", table);
    if (!status)
        status = store_prepare(store, sql.data, &insert);
    while (!status && !(status = store_row(store, rows, &row)) && row)
        status = add_row(store, rows, first, left_out, insert);
    sqlite3_finalize(insert);
    sqlite3_finalize(rows);
    text_free(&sql);
    return status;
}

/* BENCH_EINPUT with the first sentence that the query has, if any. */
static enum bench_status refuse(const struct bench_experiment *experiment, struct store *store,
                                const char *query)
{
    struct table slips;
    enum bench_status status;

    TRY(query_table(store, query, &slips));
    status = slips.n_rows ? BENCH_FAIL(BENCH_EINPUT, "%s: [show] %s", experiment->path,
                                       table_cell(&slips, 0, 0)->text)
                          : BENCH_OK;
    table_free(&slips);
    return status;
}

/* Choose rows, and make of them all fields that files have, or those that tables for people need. */
static enum bench_status make_fields(const struct bench_experiment *experiment,
                                     struct store *store, bool for_files)
{
    const struct bench_layout *const l = &experiment->layout;
    const struct {
        const char *word, *list;
    } wishes[] = {{"rows", l->rows},        {"columns", l->columns}, {"value", l->value},
                  {"beside", l->beside},    {"fit", l->fit},         {"linear", l->linear},
                  {"best", l->best},        {"over", l->over},       {"against", l->against},
                  {"per", l->per},          {"reach", l->reach},     {"paper", l->paper},
                  {"counters", l->counters}};
    struct text sql = {0};

    TRY(select_rows(store, experiment));
    TRY(store_execute(store, rows_sql, sizeof rows_sql));
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++)
        wish(wishes[i].word, wishes[i].list, &sql);
    TRY(add_keys(&sql));
    TRY(query_run(store, &sql));
    /* the first columns of measurement are in no file */
    TRY(add_fields(store, "field",
                   "SELECT s.place, m.* FROM selected AS s JOIN measurement AS m "
                   "ON m.id = s.measurement",
                   1 + STORE_OWN_COLUMNS, for_files ? NULL : "SELECT name FROM needed"));
    TRY(add_fields(store, "field", "SELECT * FROM together", 1, NULL));
    TRY(store_execute(store, derive_sql, sizeof derive_sql));
    if (l->counters[0])
        TRY(add_fields(store, "field", "SELECT * FROM counted_row", 1, NULL));
    TRY(refuse(experiment, store, "SELECT sentence FROM slip WHERE NOT is_of_page"));
    return store_execute(store, files_sql, sizeof files_sql);
}

/* ---- sheets ---- */

static const char *text_at(const struct table *answer, int row, int column)
{
    const char *const text = table_cell(answer, row, column)->text;

    return text ? text : "";
}

static void fill(const struct table *columns, const struct table *cells, struct table *table)
{
    for (int i = 0; i < columns->n_rows; i++) {
        table_name(table, i, text_at(columns, i, 0));
        table->printed[i] = table_cell(columns, i, 1)->number > 0;
    }
    for (int i = 0; i < cells->n_rows; i++) {
        const int row = (int)table_cell(cells, i, 0)->number,
                  column = (int)table_cell(cells, i, 1)->number;
        const char *const kind = text_at(cells, i, 2), *const text = text_at(cells, i, 3);

        if (!kind[0])
            table_text(table, row, column, TABLE_AS_IS, text);
        else
            table_pair(table, row, column,
                       strcmp(kind, "mean") != 0 ? TABLE_INTERVAL : TABLE_MEAN, text,
                       text_at(cells, i, 4));
        table_cell(table, row, column)->n = (int)table_cell(cells, i, 5)->number;
    }
}

static enum bench_status read_sheet(struct store *store, int sheet, struct table *table)
{
    struct text sql = {0};
    struct table columns, cells = {0};
    enum bench_status status;

    *table = (struct table){0};
    text_format(
        &sql,
        "SELECT c.title, c.is_printed, c.may_go, (SELECT count(*) FROM sheet_row AS r WHERE "
        "r.sheet = c.sheet) FROM sheet_column AS c WHERE c.sheet = %d ORDER BY c.at",
        sheet);
    TRY(query_ask(store, &sql, &columns));
    text_format(
        &sql,
        "SELECT row_at - (SELECT min(at) FROM sheet_row WHERE sheet = %d), column_at - "
        "(SELECT min(at) FROM sheet_column WHERE sheet = %d), kind, value, other, n FROM "
        "%s WHERE sheet = %d",
        sheet, sheet, sheet < 0 ? "field_cell" : "sheet_cell", sheet);
    status = query_ask(store, &sql, &cells);
    if (!status)
        status = table_make(table, columns.n_rows,
                            columns.n_rows ? (int)table_cell(&columns, 0, 3)->number : 0);
    if (!status)
        fill(&columns, &cells, table);
    table->digits = DIGITS;
    for (int i = columns.n_rows - 1; i >= 0 && !status; i--)
        if (table_cell(&columns, i, 2)->number > 0 && table_page_width(table) > PAGE_COLUMNS)
            table_drop(table, i);
    table_free(&columns);
    table_free(&cells);
    return status ? status : table_ok(table);
}

/* What [show] paper names: "stx/table1" is of stx.csv in the folder. */
static enum bench_status add_printed(const struct bench_experiment *experiment,
                                     struct store *store, const char *folder)
{
    const char *const asked = experiment->layout.paper, *const slash = strchr(asked, '/');
    char name[64], path[4400];
    struct text sql = {0};
    enum bench_status status;

    if (!slash || !folder)
        return BENCH_OK;
    snprintf(name, sizeof name, "%.*s", (int)(slash - asked), asked);
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    if (access(path, F_OK) != 0)
        return BENCH_OK;
    text_add(&sql,
             "DROP TABLE IF EXISTS paper_row; CREATE TEMP TABLE paper_row (section TEXT);");
    TRY(query_run(store, &sql));
    TRY(store_add_file(store, "paper_row", folder, name));
    query_add(&sql, "SELECT rowid, * FROM paper_row WHERE section = %Q", slash + 1);
    status = text_ok(&sql);
    if (!status)
        status = add_fields(store, "printed_field", sql.data, 1, NULL);
    text_free(&sql);
    return status;
}

/* ---- the page ---- */

/* The answer to a query; what others wrote commands the terminal nothing. */
static enum bench_status ask_clean(struct store *store, const char *query, struct table *answer)
{
    TRY(query_table(store, query, answer));
    for (int i = 0; i < answer->n_rows * answer->n_columns; i++)
        if (answer->cell[i].text)
            text_clean(answer->cell[i].text, strlen(answer->cell[i].text), "");
    return BENCH_OK;
}

/* The one text that a query answers with. */
static enum bench_status add_text(struct store *store, const char *query, struct text *text)
{
    struct table answer;

    TRY(ask_clean(store, query, &answer));
    text_add(text, text_at(&answer, 0, 0));
    table_free(&answer);
    return text_ok(text);
}

static enum bench_status add_caption(struct store *store, struct text *caption)
{
    TRY(add_text(store, "SELECT line FROM caption_line", caption));
    text_add(caption, "\n");
    return text_ok(caption);
}

/* The next table of the page, with its texts. */
static enum bench_status add_table(struct store *store, const struct table *sheets, int i,
                                   struct show_page *page)
{
    struct table *const table = &page->table[page->n_tables];
    char **const text[] = {&table->title, &table->about, &table->note};

    TRY(read_sheet(store, (int)table_cell(sheets, i, 0)->number, table));
    page->n_tables++;
    for (int k = 0; k < 3; k++)
        if (text_at(sheets, i, 1 + k)[0])
            table_say(table, text[k], text_at(sheets, i, 1 + k));
    return table_ok(table);
}

static enum bench_status add_tables(struct store *store, struct show_page *page)
{
    struct table sheets;
    enum bench_status status = BENCH_OK;

    TRY(query_table(store, "SELECT sheet, title, about, note FROM sheet ORDER BY sheet",
                    &sheets));
    page->table = calloc((size_t)sheets.n_rows + 1, sizeof *page->table);
    if (!page->table)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for tables");
    for (int i = 0; i < sheets.n_rows && !status; i++)
        status = add_table(store, &sheets, i, page);
    table_free(&sheets);
    return status;
}

/* Of the fields that make_fields() has made. */
static enum bench_status read_page(const struct bench_experiment *experiment,
                                   struct store *store, const char *paper,
                                   struct show_page *page)
{
    const struct bench_layout *const layout = &experiment->layout;

    TRY(ask_clean(store, "SELECT impl, why FROM missing ORDER BY id", &page->missing));
    TRY(add_caption(store, &page->caption));
    text_add(&page->title, layout->title[0] ? layout->title : experiment->title);
    if (layout->unit[0])
        text_format(&page->title, " [%s]", layout->unit);
    TRY(add_printed(experiment, store, paper));
    TRY(refuse(experiment, store, "SELECT sentence FROM slip"));
    TRY(store_execute(store, pivot_sql, sizeof pivot_sql));
    TRY(add_text(store, "SELECT group_concat(name || ' ' || text, ', ') FROM fixed_key",
                 &page->fixed));
    return add_tables(store, page);
}

enum bench_status show_read(const struct bench_experiment *experiment, struct store *store,
                            const char *paper, struct show_page *page)
{
    enum bench_status status = make_fields(experiment, store, false);

    *page = (struct show_page){0};
    if (!status)
        status = read_page(experiment, store, paper, page);
    if (status)
        show_page_free(page);
    return status;
}

void show_page_free(struct show_page *page)
{
    for (int i = 0; i < page->n_tables; i++)
        table_free(&page->table[i]);
    free(page->table);
    table_free(&page->missing);
    text_free(&page->title);
    text_free(&page->fixed);
    text_free(&page->caption);
    *page = (struct show_page){0};
}

enum bench_status show_data(const struct bench_experiment *experiment, struct store *store,
                            struct table *rows, struct table *fits)
{
    enum bench_status status;

    *rows = *fits = (struct table){0};
    TRY(make_fields(experiment, store, true));
    status = read_sheet(store, -1, rows);
    if (!status)
        status = read_sheet(store, -2, fits);
    if (status)
        table_free(rows);
    return status;
}

/* Title, what all rows have in common, tables, caption. */
static void render(const struct show_page *page, const char *name,
                   const struct show_options *options, struct text *text)
{
    const bool as_markdown = options->format == TABLE_MARKDOWN;

    text_format(text, "%s%s%s%s\n\n", as_markdown ? "### " : "", name,
                page->title.size ? ": " : "", page->title.data);
    if (page->n_tables == 0) {
        text_add(text, "No rows.\n");
        return;
    }
    table_wrap(text, page->fixed.data, 0, as_markdown ? PAGE_COLUMNS : options->width);
    text_add(text, page->fixed.size ? "\n" : "");
    for (int i = 0; i < page->n_tables; i++) {
        text_add(text, as_markdown ? "" : "\n");
        table_render(&page->table[i], options->format, options->width, text);
    }
    text_format(text, "\n%s", page->caption.data);
}

/* ---- what is written ---- */

/* To <folder>/<name><suffix>, and makes the folder. */
static enum bench_status write_file(const struct show_options *options, const char *name,
                                    const char *suffix, const struct text *text)
{
    struct text path = {0};
    enum bench_status status;
    char *slash;

    text_format(&path, "%s/%s%s", options->folder, name, suffix);
    TRY(text_ok(&path));
    slash = strrchr(path.data, '/');
    *slash = '\0';
    status = text_make_folder(path.data);
    *slash = '/';
    if (!status)
        status = text_replace_file(path.data, text);
    text_free(&path);
    return status;
}

/* A query that only the database knows has all single and other values. */
static enum bench_status read_values(struct store *store, struct table *table)
{
    struct text sql = {0};

    TRY(add_text(store, "SELECT sql FROM values_query", &sql));
    return query_ask(store, &sql, table);
}

/* The rows last: who finds them finds the others.  Nothing of a table without columns. */
static enum bench_status write_rows(const char *name, struct store *store,
                                    const struct show_options *options)
{
    static const struct {
        const char *suffix;
        int sheet; /* 0: values */
    } files[] = {{".fit.csv", -2}, {".linear.csv", -3}, {".values.csv", 0}, {".csv", -1}};
    struct text text = {0};
    enum bench_status status = BENCH_OK;

    if (options->folder)
        status = add_caption(store, &text);
    if (options->folder && !status)
        status = write_file(options, name, ".caption.txt", &text);
    for (int i = options->folder ? 0 : 3; i < 4 && !status; i++) {
        struct table table = {0};

        text.size = 0;
        status = files[i].sheet ? read_sheet(store, files[i].sheet, &table)
                                : read_values(store, &table);
        table_render(&table, TABLE_CSV, 0, &text);
        if (!status)
            status = text_ok(&text);
        if (!status && !options->folder)
            status = options->out ? text_print(&text, options->out) : BENCH_OK;
        else if (!status && table.n_columns > 0)
            status = write_file(options, name, files[i].suffix, &text);
        table_free(&table);
    }
    text_free(&text);
    return status;
}

static enum bench_status write_page(const struct bench_experiment *experiment,
                                    struct store *store, const struct show_options *options)
{
    struct show_page page = {0};
    struct text text = {0};
    enum bench_status status = read_page(experiment, store, options->paper, &page);

    if (!status)
        render(&page, experiment->name, options, &text);
    if (!status)
        status = text_ok(&text);
    if (!status && options->out)
        status = text_print(&text, options->out);
    text_free(&text);
    show_page_free(&page);
    return status;
}

enum bench_status show_write(const struct bench_experiment *experiment, struct store *store,
                             const struct show_options *options)
{
    struct table lines;

    TRY(make_fields(experiment, store, options->format == TABLE_CSV));
    TRY(ask_clean(store, "SELECT line FROM missing_line", &lines));
    for (int i = 0; i < lines.n_rows && options->notes; i++)
        fprintf(options->notes, "%s\n", text_at(&lines, i, 0));
    table_free(&lines);
    return options->format == TABLE_CSV ? write_rows(experiment->name, store, options)
                                        : write_page(experiment, store, options);
}
