/*
 * report_files.c - what the report looks up: files of a folder, facts of an environment, texts of a column
 */
#include "judge/report_private.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_DEPTH 4 /* of folders below a results folder */

static enum bench_status add_file(const char *folder, const char *name, const char *end,
                                  struct report_files *files)
{
    const size_t n = strlen(name), n_end = strlen(end);

    if (name[0] == '.' || n <= n_end || strcmp(name + n - n_end, end) != 0)
        return BENCH_OK;
    if (asprintf(&files->path[files->n], "%s/%s", folder, name) < 0)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    files->n++;
    return BENCH_OK;
}

enum bench_status report_list(const char *folder, const char *end, struct report_files *files)
{
    struct dirent **entry = NULL;
    enum bench_status status = BENCH_OK;
    const int n = scandir(folder, &entry, NULL, alphasort);

    *files = (struct report_files){.n = 0};
    if (n < 0 && errno == ENOENT)
        return BENCH_OK;
    if (n < 0)
        return BENCH_FAIL(BENCH_EIO, "%s: cannot list the folder: %s", folder, strerror(errno));
    files->path = calloc((size_t)n + 1, sizeof *files->path);
    if (!files->path)
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for the report");
    for (int i = 0; i < n; i++) {
        if (!status)
            status = add_file(folder, entry[i]->d_name, end, files);
        free(entry[i]);
    }
    free(entry);
    if (status)
        report_files_free(files);
    return status;
}

void report_files_free(struct report_files *files)
{
    for (int i = 0; files->path && i < files->n; i++)
        free(files->path[i]);
    free(files->path);
    *files = (struct report_files){.n = 0};
}

bool report_fact(const char *text, const char *key, char *value, size_t size)
{
    const size_t n = strlen(key);

    value[0] = '\0';
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");

        if (length > n && line[n] == '=' && !strncmp(line, key, n)) {
            snprintf(value, size, "%.*s", (int)(length - n - 1), line + n + 1);
            return true;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

static double bytes_below(const char *folder, int depth)
{
    struct dirent **entry = NULL;
    const int n = scandir(folder, &entry, NULL, NULL);
    double bytes = 0;

    for (int i = 0; i < n; i++) {
        struct stat info;
        char *path = NULL;

        if (entry[i]->d_name[0] != '.' &&
            asprintf(&path, "%s/%s", folder, entry[i]->d_name) >= 0 && !lstat(path, &info)) {
            if (S_ISREG(info.st_mode))
                bytes += (double)info.st_size;
            else if (S_ISDIR(info.st_mode) && depth < MAX_DEPTH)
                bytes += bytes_below(path, depth + 1);
        }
        free(path);
        free(entry[i]);
    }
    free(entry);
    return bytes;
}

double report_bytes(const char *folder)
{
    return bytes_below(folder, 0);
}

/* The first rows that have each text of a column: (*first)[0..n-1], to be freed.  Returns n; -1: out of memory. */
static int find_firsts(const struct record_table *rows, const char *column, int **first)
{
    const char *last = "";
    int n = 0;

    *first = calloc((size_t)rows->n_rows + 1, sizeof **first);
    for (int row = 0; row < rows->n_rows && *first; row++) {
        const char *found = record_get(rows, row, column);
        int i = 0;

        if (!*found || !strcmp(found, last)) /* a text mostly goes on */
            continue;
        while (i < n && strcmp(record_get(rows, (*first)[i], column), found) != 0)
            i++;
        if (i == n)
            (*first)[n++] = row;
        last = found;
    }
    return *first ? n : -1;
}

void report_distinct(const struct record_table *rows, const char *column, int most,
                     struct text *list)
{
    int *first;
    const int n = find_firsts(rows, column, &first);

    list->failed |= n < 0;
    for (int i = 0; i < n && i < most; i++)
        text_format(list, "%s%s", i ? ", " : "", record_get(rows, first[i], column));
    if (n > most)
        text_add(list, ", ...");
    free(first);
}

int report_count_distinct(const struct record_table *rows, const char *column)
{
    int *first;
    const int n = find_firsts(rows, column, &first);

    free(first);
    return n > 0 ? n : 0;
}
