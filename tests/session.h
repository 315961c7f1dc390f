/* session.h - made session files, rows in words; cases as lines of a file */
#ifndef TESTS_SESSION_H
#define TESTS_SESSION_H

#include "tests/files.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static inline void write_text(const char *into, const char *name, const char *content)
{
    char path[1300];

    assert_int_equal(text_make_folder(into), BENCH_OK);
    snprintf(path, sizeof path, "%s/%s", into, name);
    write_bytes(path, content, strlen(content));
}

/* The text of a gzip file, all members. */
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

/* Each "CASE => WHAT IS SAID" below "== SECTION" of a file (NULL: below any).  "$name = text"
 * stands above them, '~' is a newline, '#' begins a remark; lines go on behind four blanks. */
static inline void each_case(const char *path, const char *section,
                             void (*says)(const char *text, const char *expected))
{
    OWNED(text_free) struct text file = {0};
    bool is_in = false;
    int n = 0;

    assert_int_equal(text_read_file(path, &file), BENCH_OK);
    for (char *c = file.data; (c = strstr(c, "\n    ")) != NULL;)
        memmove(c, c + 5, strlen(c + 5) + 1);
    char *const names = strdup(file.data);
    for (char *rest = file.data, *line; (line = strsep(&rest, "\n")) != NULL;) {
        OWNED(text_free) struct text text = {0};
        char *arrow;

        if (!strncmp(line, "== ", 3))
            is_in = !section || !strcmp(line + 3, section);
        if (!is_in || !*line || strchr("=#", *line))
            continue;
        write_case(line, names, &text);
        for (char *c = text.data; (c = strchr(c, '~')) != NULL;)
            *c = '\n';
        arrow = strstr(text.data, " => ");
        assert_non_null(arrow);
        *arrow = '\0';
        says(text.data, arrow + 4);
        n++;
    }
    assert_true(n > 0);
    free(names);
}

#endif
