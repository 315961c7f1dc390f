/* show.c - the rows that stand for an experiment's cells, and the files that a figure reads */
#include "harness/analysis/show.h"

#include "harness/analysis/html.h"
#include "harness/analysis/select.h"
#include "harness/analysis/show_private.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_COLUMNS 80

/* ---- what is missing ---- */

/* A text of an answer, which is taken. */
static char *take(struct table *answer, int row, int column)
{
    struct table_cell *cell = table_cell(answer, row, column);
    char *text = cell->text;

    cell->text = NULL;
    return text;
}

static enum bench_status read_missing(const struct showing *s, struct show_page *page)
{
    struct text sql = {0};
    struct table missing;

    text_add(&sql, "SELECT impl, why FROM missing ORDER BY id");
    TRY(query_ask(s->store, &sql, &missing));
    page->missing = calloc((size_t)missing.n_rows + 1, sizeof *page->missing);
    for (int i = 0; i < missing.n_rows && page->missing; i++, page->n_missing++) {
        page->missing[i] = (struct show_missing){take(&missing, i, 0), take(&missing, i, 1)};
        text_clean(page->missing[i].why, strlen(page->missing[i].why), "");
    }
    table_free(&missing);
    return page->missing ? BENCH_OK
                         : BENCH_FAIL(BENCH_ENOMEM, "out of memory for what is missing");
}

/* What others wrote commands the terminal nothing. */
static enum bench_status print_missing(const struct showing *s, FILE *notes)
{
    struct text sql = {0};
    struct table lines;

    text_add(&sql, "SELECT line FROM missing_line");
    TRY(query_ask(s->store, &sql, &lines));
    for (int i = 0; i < lines.n_rows; i++) {
        char *line = table_cell(&lines, i, 0)->text;

        text_clean(line, strlen(line), "");
        fprintf(notes, "%s\n", line);
    }
    table_free(&lines);
    return BENCH_OK;
}

/* ---- as files ---- */

static enum bench_status write_one(const char *folder, const char *name, const char *suffix,
                                   const struct text *text)
{
    struct text path = {0};
    enum bench_status status;
    char *slash;

    text_format(&path, "%s/%s", folder, name);
    TRY(text_ok(&path));
    slash = strrchr(path.data, '/');
    *slash = '\0';
    status = text_make_folder(path.data);
    *slash = '/';
    text_add(&path, suffix);
    if (status == BENCH_OK)
        status = text_ok(&path);
    if (status == BENCH_OK)
        status = text_replace_file(path.data, text);
    text_free(&path);
    return status;
}

/* Nothing of a table without columns. */
static enum bench_status write_table(const char *folder, const char *name, const char *suffix,
                                     const struct table *table)
{
    struct text csv = {0};
    enum bench_status status;

    if (table->n_columns == 0)
        return BENCH_OK;
    table_render(table, TABLE_CSV, 0, &csv);
    status = text_ok(&csv);
    if (!status)
        status = write_one(folder, name, suffix, &csv);
    text_free(&csv);
    return status;
}

/* The rows last: who finds them finds the others. */
static enum bench_status write_files(const char *folder, const char *name,
                                     const struct showing *s)
{
    TRY(write_table(folder, name, ".fit.csv", &s->powers));
    TRY(write_table(folder, name, ".linear.csv", &s->sums));
    TRY(write_table(folder, name, ".values.csv", &s->values));
    TRY(write_one(folder, name, ".caption.txt", &s->caption));
    return write_table(folder, name, ".csv", &s->rows);
}

static const char *words(const struct text *text)
{
    return text->size > 0 ? text->data : "";
}

static void add_paragraph(const char *sentence, struct text *text)
{
    text_add(text, "<p>");
    html_text(text, sentence ? sentence : "");
    text_add(text, "</p>\n");
}

static void render_html(const struct show_page *page, struct text *text)
{
    text_add(text, "<h3>");
    html_text(text, words(&page->title));
    text_add(text, "</h3>\n");
    add_paragraph(words(&page->fixed), text);
    for (int i = 0; i < page->n_tables; i++) {
        const struct table *table = &page->table[i];

        if (table->about)
            add_paragraph(table->about, text);
        table_render(table, TABLE_HTML, 0, text);
        if (table->note)
            add_paragraph(table->note, text);
    }
    add_paragraph(words(&page->caption), text);
}

/* Title, what all rows have in common, tables, caption. */
static void render(const struct show_page *page, const char *name,
                   const struct show_options *options, struct text *text)
{
    const bool as_markdown = options->format == TABLE_MARKDOWN;

    text_format(text, "%s%s%s%s\n\n", as_markdown ? "### " : "", name,
                page->title.size ? ": " : "", words(&page->title));
    if (page->n_rows == 0) {
        text_add(text, "No rows.\n");
        return;
    }
    table_wrap(text, words(&page->fixed), 0, as_markdown ? PAGE_COLUMNS : options->width);
    text_add(text, page->fixed.size ? "\n" : "");
    for (int i = 0; i < page->n_tables; i++) {
        text_add(text, as_markdown ? "" : "\n");
        table_render(&page->table[i], options->format, options->width, text);
    }
    text_format(text, "\n%s", words(&page->caption));
}

/* ---- what others ask for ---- */

void show_page_free(struct show_page *page)
{
    for (int i = 0; i < page->n_tables; i++)
        table_free(&page->table[i]);
    for (int i = 0; i < page->n_missing; i++) {
        free(page->missing[i].impl);
        free(page->missing[i].why);
    }
    free(page->table);
    free(page->missing);
    text_free(&page->title);
    text_free(&page->fixed);
    text_free(&page->caption);
    *page = (struct show_page){0};
}

static void showing_free(struct showing *s)
{
    record_table_free(&s->header);
    table_free(&s->rows);
    table_free(&s->values);
    table_free(&s->powers);
    table_free(&s->sums);
    text_free(&s->caption);
}

/* The rows as data and, where they are asked for, tables for people; both are to be freed after a failure, too. */
static enum bench_status read_both(struct showing *s, const char *paper, bool with_tables,
                                   struct show_page *page)
{
    TRY(select_rows(s->store, s->experiment));
    TRY(show_rows(s));
    TRY(read_missing(s, page));
    TRY(show_fits(s));
    page->n_rows = s->rows.n_rows;
    text_bytes(&page->caption, words(&s->caption), s->caption.size);
    return with_tables ? show_tables(s, paper, page) : text_ok(&page->caption);
}

enum bench_status show_read(const struct bench_experiment *experiment, struct store *store,
                            const char *paper, struct show_page *page)
{
    struct showing s = {.experiment = experiment, .store = store};
    enum bench_status status;

    *page = (struct show_page){0};
    status = read_both(&s, paper, true, page);
    if (status)
        show_page_free(page);
    showing_free(&s);
    return status;
}

enum bench_status show_data(const struct bench_experiment *experiment, struct store *store,
                            struct table *rows, struct table *fits)
{
    struct showing s = {.experiment = experiment, .store = store};
    struct show_page page = {0};
    enum bench_status status = read_both(&s, NULL, false, &page);

    *rows = s.rows;
    *fits = s.powers;
    s.rows = s.powers = (struct table){0};
    show_page_free(&page);
    showing_free(&s);
    if (status) {
        table_free(rows);
        table_free(fits);
    }
    return status;
}

enum bench_status show_has_rows(const struct bench_experiment *experiment, struct store *store,
                                bool *has_rows)
{
    struct table first;

    TRY(select_rows(store, experiment));
    TRY(query_table(store, "SELECT place FROM selected LIMIT 1", &first));
    *has_rows = first.n_rows > 0;
    table_free(&first);
    return BENCH_OK;
}

enum bench_status show_write(const struct bench_experiment *experiment, struct store *store,
                             const struct show_options *options)
{
    const bool as_rows = options->format == TABLE_CSV;
    struct showing s = {.experiment = experiment, .store = store};
    struct show_page page = {0};
    struct text text = {0};
    enum bench_status status = read_both(&s, options->paper, !as_rows, &page);

    if (options->notes && page.missing)
        print_missing(&s, options->notes);
    if (!status && as_rows && options->folder) {
        status = write_files(options->folder, experiment->name, &s);
    } else if (!status) {
        if (as_rows)
            table_render(&s.rows, TABLE_CSV, 0, &text);
        else if (options->format == TABLE_HTML)
            render_html(&page, &text);
        else
            render(&page, experiment->name, options, &text);
        status = text_ok(&text);
        if (!status && options->out)
            status = text_print(&text, options->out);
    }
    text_free(&text);
    show_page_free(&page);
    showing_free(&s);
    return status;
}
