/* show_caption.c - the line below a figure: of which machine, commit, input its rows are, and how they were timed */
#include "harness/analysis/show_private.h"

#include <string.h>

#define SHORT_COMMIT 7  /* as in the names of sessions */
#define MAX_LISTED   24 /* distinct texts that one caption has room for */

/* The distinct texts of a column in the order of the rows, ", " between.  on_gpu NULL: of all rows; else of those whose
 * work the GPU did, or did not. */
static void list_distinct(const struct record_table *rows, const char *column,
                          const bool *on_gpu, struct text *text)
{
    const bool is_commit = !strcmp(column, "commit");
    const char *listed[MAX_LISTED];
    int n = 0;

    for (int row = 0; row < rows->n_rows; row++) {
        const char *found = record_get(rows, row, column);
        bool known = found[0] == '\0' ||
                     (on_gpu && *on_gpu != !strcmp(record_get(rows, row, "device"), "gpu"));

        for (int i = 0; i < n && !known; i++)
            known = !strcmp(listed[i], found);
        if (known)
            continue;
        if (n == MAX_LISTED) {
            text_add(text, ", ...");
            return;
        }
        text_add(text, n ? ", " : "");
        text_bytes(text, found, strnlen(found, is_commit ? SHORT_COMMIT : strlen(found)));
        listed[n++] = found;
    }
}

static void add_part(struct text *caption, const char *label, const struct text *part)
{
    if (part->size == 0)
        return;
    text_add(caption, caption->size ? "; " : "");
    text_add(caption, label);
    text_add(caption, part->data);
}

static void list_part(struct text *caption, const char *label, const struct record_table *rows,
                      const char *column, const bool *on_gpu)
{
    struct text part = {0};

    list_distinct(rows, column, on_gpu, &part);
    if (part.failed)
        caption->failed = true;
    add_part(caption, label, &part);
    text_free(&part);
}

bool show_is_of_processes(const struct record_table *rows, int row)
{
    double n;

    return record_get_number(rows, row, "processes", &n) && n > 1;
}

/* Of how many samples, processes or means the rows are.  Nothing where there are none of that kind. */
static void count_part(struct text *caption, const struct record_table *rows, const char *of,
                       const bool *of_processes)
{
    char low_text[TEXT_NUMBER], high_text[TEXT_NUMBER];
    double low = 0.0, high = 0.0, value;
    bool found = false;

    for (int row = 0; row < rows->n_rows; row++) {
        if ((of_processes && *of_processes != show_is_of_processes(rows, row)) ||
            !record_get_number(rows, row, "n", &value))
            continue;
        low = !found || value < low ? value : low;
        high = !found || value > high ? value : high;
        found = true;
    }
    if (!found)
        return;
    text_number(low_text, low);
    text_number(high_text, high);
    text_format(caption, "%sn %s", caption->size ? "; " : "", low_text);
    if (low < high)
        text_format(caption, "..%s", high_text);
    text_add(caption, of);
}

/* Rows of live outputs, or of others that are judged by what they are worth: how many are beyond the reference's own scatter.  They
 * are in every mean. */
static void count_outside(struct text *caption, const struct record_table *rows)
{
    int n = 0, n_outside = 0;

    for (int row = 0; row < rows->n_rows; row++) {
        const char *verdict = record_get(rows, row, "verdict");
        const bool is_outside = !strcmp(verdict, "outside");

        n += is_outside || !strcmp(verdict, "statistical");
        n_outside += is_outside;
    }
    if (n > 0)
        text_format(caption, "; %d of %d rows outside the reference's scatter", n_outside, n);
}

enum bench_status show_caption(struct shown *shown, const struct record_table *counted,
                               bool are_means)
{
    static const bool yes = true;
    static const bool no = false;
    struct text *caption = &shown->caption;

    if (shown->rows.n_rows == 0)
        text_add(caption, "no rows");
    list_part(caption, "", &shown->rows, "machine", NULL);
    list_part(caption, "", &shown->rows, "cpu",
              &no); /* a processor is named where it did the work */
    list_part(caption, "", &shown->rows, "gpu", &yes);
    for (int row = 0; row < shown->rows.n_rows; row++)
        if (*record_cut(&shown->rows, row)) {
            list_part(caption, "SMs ", &shown->rows, "sms", &yes);
            break;
        }
    list_part(caption, "mode ", &shown->rows, "mode_name", NULL);
    list_part(caption, "commit ", &shown->rows, "commit", NULL);
    for (int row = 0; row < shown->rows.n_rows; row++)
        if (!record_is_clean(record_get(&shown->rows, row, "dirty"))) {
            text_add(caption, " (dirty)");
            break;
        }
    list_part(caption, "input ", &shown->rows, "input", NULL);
    list_part(caption, "scope ", &shown->rows, "scope", NULL);
    list_part(caption, "series ", &shown->rows, "series", NULL);
    if (are_means)
        count_part(caption, counted, "", NULL);
    else {
        count_part(caption, counted, SHOW_OF_SAMPLES, &no);
        count_part(caption, counted, SHOW_OF_PROCESSES, &yes);
    }
    list_part(caption, "profile ", &shown->rows, "profile", NULL);
    count_outside(caption, &shown->rows);
    TRY(text_ok(caption));
    for (size_t i = 0; i < caption->size; i++)
        if ((unsigned char)caption->data[i] < ' ')
            caption->data[i] = ' ';
    text_add(caption, "\n");
    return text_ok(caption);
}
