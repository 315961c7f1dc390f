/* session.h - made session files, rows in words; cases as lines of a file */
#ifndef TESTS_SESSION_H
#define TESTS_SESSION_H

#include "tests/files.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static inline void write_text(const char *folder, const char *name, const char *content)
{
    char path[1300];

    assert_int_equal(text_make_folder(folder), BENCH_OK);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_bytes(path, content, strlen(content));
}

/* What gunzip makes of a file, all members. */
static inline char *unpack(const char *path)
{
    enum { MOST = 1 << 20 };
    gzFile file = gzopen(path, "rb");
    char *text = calloc(1, MOST);
    int error;

    assert_non_null(file);
    assert_non_null(text);
    assert_true(gzread(file, text, MOST - 1) >= 0);
    gzerror(file, &error);
    assert_int_equal(error, Z_OK);
    gzclose(file);
    return text;
}

/* The value of a word "KEY=VALUE" that is not the first; NULL: there is none. */
static inline const char *find_word(const char *words, const char *key, size_t n_key)
{
    for (words += strcspn(words, " "); *words; words += strcspn(words, " "))
        if (!strncmp(++words, key, n_key) && words[n_key] == '=')
            return words + n_key + 1;
    return NULL;
}

/* NAME.csv: rows "MS KEY=VALUE KEY=VALUE, MS" are r1, r2, ...  A word of 'usual' is a column,
 * and what a row has that does not say it.  Its first column has the times, by 'factor'. */
static inline void write_session(const char *folder, const char *name, const char *usual,
                                 double factor, const char *rows)
{
    char row[900], file[80];
    struct text csv = {0};

    for (int id = 0; id == 0 || *rows; id++) {
        const size_t n = id ? strcspn(rows, ",") : 0;

        snprintf(row, sizeof row, "%.*s", (int)n, rows);
        text_format(&csv, id ? "%s,r%d" : "session,row_id", name, id);
        for (const char *word = usual; *word; word += strspn(word, " ")) {
            const size_t n_key = strcspn(word, "=");
            const char *const own = find_word(row, word, n_key);
            const char *const value = own ? own : word + n_key + 1;

            if (id == 0)
                text_format(&csv, ",%.*s", (int)n_key, word);
            else if (word == usual)
                text_format(&csv, ",%.9g", factor * atof(row));
            else
                text_format(&csv, ",%.*s", (int)strcspn(value, " "), value);
            word += strcspn(word, " ");
        }
        text_add(&csv, "\n");
        rows += n + strspn(rows + n, ", ");
    }
    snprintf(file, sizeof file, "%s.csv", name);
    write_text(folder, file, csv.data);
    text_free(&csv);
}

/* A line of cases with the texts of the names in it. */
static inline void write_case(const char *line, const char *names, struct text *text)
{
    for (size_t n; *line; line += n) {
        char name[40];
        const char *value;

        n = 1 + (*line == '$' ? strspn(line + 1, "abcdefghijklmnopqrstuvwxyz0123456789") : 0);
        snprintf(name, sizeof name, "\n%.*s = ", (int)n, line);
        value = *line == '$' ? strstr(names, name) : NULL;
        value = value ? value + strlen(name) : NULL;
        text_bytes(text, value ? value : line, value ? strcspn(value, "\n") : n);
    }
}

/* Each "CASE => WHAT IS SAID" of a section "== NAME" of tests/FILE.  "$name = text" stands
 * above them, '~' is a newline, '#' begins a remark; lines go on behind four blanks. */
static inline void each_case(const char *path, const char *section,
                             void (*says)(const char *text, const char *expected))
{
    struct text file = {0};
    bool is_in = false;
    int n = 0;

    assert_int_equal(text_read_file(path, &file), BENCH_OK);
    for (char *c = file.data; (c = strstr(c, "\n    ")) != NULL;)
        memmove(c, c + 5, strlen(c + 5) + 1);
    char *const names = strdup(file.data);
    for (char *rest = file.data, *line; (line = strsep(&rest, "\n")) != NULL;) {
        struct text text = {0};
        char *arrow;

        if (!strncmp(line, "== ", 3))
            is_in = !strcmp(line + 3, section);
        if (!is_in || !*line || strchr("=#", *line))
            continue;
        write_case(line, names, &text);
        for (char *c = text.data; (c = strchr(c, '~')) != NULL;)
            *c = '\n';
        arrow = strstr(text.data, " => ");
        assert_non_null(arrow);
        *arrow = '\0';
        says(text.data, arrow + 4);
        text_free(&text);
        n++;
    }
    assert_true(n > 0);
    free(names);
    text_free(&file);
}

#endif
