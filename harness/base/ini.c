/*
 * ini.c - descriptor files as facts with line numbers, read by libinih
 *
 * libinih (r55) splits lines.  Everything that it would do silently is looked at here, in the
 * reader that feeds it: it cuts lines at 199 bytes and section names at 49, ignores what
 * follows ']', keeps comments in continuation lines, never mentions a section without keys and
 * reports neither lines nor the end of the first error.
 */
#include "harness/base/ini.h"

#include "harness/base/text.h"

#include <ini.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES    (1ul << 20)
#define MAX_LINE_BYTES    190   /* without its end; libinih's buffer holds 199 and a NUL */
#define MAX_SECTION_BYTES 48    /* libinih cuts at 49 */
#define MAX_VALUE_BYTES   65535 /* continuation lines add up */

struct reader {
    const char *path;
    const char *at, *end; /* what is left of the text */
    int line;             /* of the line handed out last, from 1 */
    bool indented;        /* that line begins with a blank */
    bool fresh;           /* no key yet since the last heading, or since the start */
    int heading;          /* line of the last heading; 0: none */
    char section[MAX_SECTION_BYTES + 1];
    enum bench_status status; /* the first failure; its sentence is recorded */
    struct ini_file *ini;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Bytes of the line without its comment: ';' or '#' first, or ';' after a blank. */
static size_t without_comment(const char *line, size_t length)
{
    size_t i = 0;

    while (i < length && is_blank(line[i]))
        i++;
    if (i < length && line[i] == '#')
        return i;
    for (; i < length; i++)
        if (line[i] == ';' && (i == 0 || is_blank(line[i - 1])))
            return i;
    return length;
}

static enum bench_status refuse_empty_section(const struct reader *r)
{
    return r->heading > 0 && r->fresh
               ? BENCH_FAIL(BENCH_EINPUT, "%s:%d: section [%s] has no key", r->path, r->heading,
                            r->section)
               : BENCH_OK;
}

/* A heading must be "[name]" and nothing else; libinih then reads the same name. */
static enum bench_status check_heading(struct reader *r, const char *line, size_t length)
{
    const char *close = memchr(line, ']', length);
    const size_t name = close != NULL ? (size_t)(close - line) - 1 : 0;

    TRY(refuse_empty_section(r));
    if (name == 0 || name + 2 != length)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected a heading '[name]', found '%.*s'",
                          r->path, r->line, (int)length, line);
    if (name > MAX_SECTION_BYTES)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: a section name has at most %d bytes, this one has %zu",
                          r->path, r->line, MAX_SECTION_BYTES, name);
    memcpy(r->section, line + 1, name);
    r->section[name] = '\0';
    r->heading = r->line;
    r->fresh = true;
    return BENCH_OK;
}

static enum bench_status check_bytes(const struct reader *r, const char *line, size_t length)
{
    if (length > MAX_LINE_BYTES)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s:%d: a line has at most %d bytes, this one has %zu; go on in an indented line",
            r->path, r->line, MAX_LINE_BYTES, length);
    for (size_t i = 0; i < length; i++)
        if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: byte 0x%02x does not belong in a text file",
                              r->path, r->line, (unsigned)(unsigned char)line[i]);
    return BENCH_OK;
}

/* One line, without comment and blanks at its end. */
static enum bench_status next_line(struct reader *r, char *buffer, size_t size)
{
    const char *const line = r->at;
    const char *const newline = memchr(line, '\n', (size_t)(r->end - line));
    size_t length = (size_t)((newline != NULL ? newline : r->end) - line);

    r->at = newline != NULL ? newline + 1 : r->end;
    r->line++;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    TRY(check_bytes(r, line, length));
    length = without_comment(line, length);
    while (length > 0 && is_blank(line[length - 1]))
        length--;

    r->indented = length > 0 && is_blank(line[0]);
    if (r->indented && line[strspn(line, " \t")] == '[')
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a heading begins at the start of its line",
                          r->path, r->line);
    if (length > 0 && line[0] == '[')
        TRY(check_heading(r, line, length));
    if (length + 2 > size) /* cannot happen while libinih has 200 bytes */
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: the line is too long for libinih's %zu bytes",
                          r->path, r->line, size);
    memcpy(buffer, line, length);
    memcpy(buffer + length, "\n", 2);
    return BENCH_OK;
}

/* libinih's reader: NULL at the end and after a failure. */
static char *read_line(char *buffer, int size, void *user)
{
    struct reader *r = user;

    if (r->status != BENCH_OK || r->at == r->end)
        return NULL;
    r->status = next_line(r, buffer, (size_t)size);
    return r->status == BENCH_OK ? buffer : NULL;
}

static enum bench_status go_on(struct reader *r, const char *more)
{
    struct ini_fact *fact = &r->ini->fact[r->ini->n_facts - 1];
    const size_t before = strlen(fact->value), n = strlen(more);
    const char *const between = before == 0 || more[0] == ',' ? "" : " ";
    char *value;

    if (before + n + 2 > MAX_VALUE_BYTES)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: the value of '%s' is longer than %d bytes",
                          r->path, r->line, fact->key, MAX_VALUE_BYTES);
    value = realloc(fact->value, before + n + 3);
    if (value == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for a value", r->path);
    fact->value = value;
    snprintf(value + before, n + 3, "%s%s", between, more);
    return BENCH_OK;
}

enum bench_status ini_add(struct ini_file *ini, const char *section, const char *key,
                          const char *value, int line)
{
    const int n = ini->n_facts;
    struct ini_fact *fact = ini->fact;

    if ((n & (n - 1)) == 0) { /* room doubles at each power of 2 */
        fact = realloc(fact, 2 * (size_t)(n > 0 ? n : 1) * sizeof *fact);
        if (fact == NULL)
            return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for its keys", ini->path);
        ini->fact = fact;
    }
    fact[n] = (struct ini_fact){strdup(section), strdup(key), strdup(value), line};
    ini->n_facts++; /* even when half built: ini_free takes that */
    if (fact[n].section == NULL || fact[n].key == NULL || fact[n].value == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for its keys", ini->path);
    return BENCH_OK;
}

static enum bench_status add_fact(const struct reader *r, const char *section, const char *key,
                                  const char *value)
{
    if (key[0] == '\0')
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected 'key = value', found no key", r->path,
                          r->line);
    return ini_add(r->ini, section, key, value, r->line);
}

/* libinih's handler: a key with its value, or the same key again with a continuation line. */
static int take(void *user, const char *section, const char *key, const char *value)
{
    struct reader *r = user;

    if (r->status != BENCH_OK)
        return 0;
    if (r->indented && !r->fresh)
        r->status = go_on(r, value);
    else
        r->status = add_fact(r, section, key, value);
    r->fresh = false;
    return r->status == BENCH_OK;
}

static int by_name(const void *a, const void *b)
{
    const struct ini_fact *const x = a, *const y = b;
    const int order = strcmp(x->section, y->section);

    return order != 0 ? order : strcmp(x->key, y->key);
}

static void keep(void *fact)
{
    (void)fact;
}

/* Name the first line that gives a key once more. */
static enum bench_status refuse_duplicates(const struct ini_file *ini)
{
    enum bench_status status = BENCH_OK;
    void *seen = NULL;

    for (int i = 0; i < ini->n_facts && !status; i++) {
        const struct ini_fact *const fact = &ini->fact[i];
        const struct ini_fact *const *first = tsearch(fact, &seen, by_name);

        if (first == NULL)
            status = BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for its keys", ini->path);
        else if (*first != fact)
            status =
                BENCH_FAIL(BENCH_EINPUT, "%s:%d: key '%s' of [%s] is given already in line %d",
                           ini->path, fact->line, fact->key, fact->section, (*first)->line);
    }
    tdestroy(seen, keep);
    return status;
}

static enum bench_status parse(const char *text, size_t n_bytes, struct ini_file *ini)
{
    struct reader r = {
        .path = ini->path, .at = text, .end = text + n_bytes, .fresh = true, .ini = ini};
    int line;

    /* byte order marks, however many: inih would take one off by itself, unseen by the reader */
    while (r.end - r.at >= 3 && memcmp(r.at, "\xef\xbb\xbf", 3) == 0)
        r.at += 3;
    line = ini_parse_stream(read_line, &r, take, &r);
    if (r.status != BENCH_OK)
        return r.status;
    if (line > 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected 'key = value' or '[section]'",
                          ini->path, line);
    if (line < 0)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for reading", ini->path);
    TRY(refuse_empty_section(&r));
    return refuse_duplicates(ini);
}

enum bench_status ini_parse_text(const char *text, unsigned long n_bytes, const char *name,
                                 struct ini_file *ini)
{
    enum bench_status status;

    *ini = (struct ini_file){.path = strdup(name)};
    if (ini->path == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for reading", name);
    if (n_bytes > MAX_FILE_BYTES)
        status = BENCH_FAIL(BENCH_EINPUT,
                            "%s: a descriptor has at most 1 MiB, this one has more", name);
    else
        status = parse(text, n_bytes, ini);
    if (status != BENCH_OK)
        ini_free(ini);
    return status;
}

enum bench_status ini_read(const char *path, struct ini_file *ini)
{
    struct text text;
    enum bench_status status;

    *ini = (struct ini_file){.path = NULL};
    TRY(text_read_bytes(path, MAX_FILE_BYTES, "cannot be opened", &text));
    status = ini_parse_text(text.data, text.size, path, ini);
    text_free(&text);
    return status;
}

void ini_free(struct ini_file *ini)
{
    for (int i = 0; i < ini->n_facts; i++) {
        free(ini->fact[i].section);
        free(ini->fact[i].key);
        free(ini->fact[i].value);
    }
    free(ini->fact);
    free(ini->path);
    *ini = (struct ini_file){.path = NULL};
}

const struct ini_fact *ini_find(const struct ini_file *ini, const char *section,
                                const char *key)
{
    for (int i = 0; i < ini->n_facts; i++)
        if (strcmp(ini->fact[i].section, section) == 0 && strcmp(ini->fact[i].key, key) == 0)
            return &ini->fact[i];
    return NULL;
}
