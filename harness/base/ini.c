/* ini.c - descriptor files as facts with line numbers */
#include "harness/base/ini.h"

#include "harness/base/memory.h"
#include "harness/base/text.h"

#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES    (1ul << 20)
#define MAX_LINE_BYTES    190
#define MAX_SECTION_BYTES 48
#define MAX_VALUE_BYTES   65535 /* continuation lines add up */

struct reader {
    const char *path;
    int line;    /* from 1 */
    bool fresh;  /* no key yet since the last heading, or since the start */
    int heading; /* line of the last heading; 0: none */
    char section[MAX_SECTION_BYTES + 1];
    struct ini_file *ini;
};

/* A comment: ';' or '#' first, or ';' after a blank. */
static void cut_comment(char *line)
{
    char *const first = line + strspn(line, " \t");

    if (*first == '#')
        *first = '\0';
    for (char *at = line; (at = strchr(at, ';')); at++)
        if (at == line || strchr(" \t", at[-1])) {
            *at = '\0';
            return;
        }
}

static enum bench_status refuse_empty_section(const struct reader *r)
{
    REFUSE_IF(r->heading > 0 && r->fresh, "%s:%d: section [%s] has no key", r->path, r->heading,
              r->section);
    return BENCH_OK;
}

/* "[name]" and nothing else. */
static enum bench_status take_heading(struct reader *r, const char *line)
{
    const size_t name = strcspn(line + 1, "]");

    TRY(refuse_empty_section(r));
    REFUSE_IF(name == 0 || strcmp(line + 1 + name, "]") != 0,
              "%s:%d: expected a heading '[name]', found '%s'", r->path, r->line, line);
    REFUSE_IF(name > MAX_SECTION_BYTES,
              "%s:%d: a section name has at most %d bytes, this one has %zu", r->path, r->line,
              MAX_SECTION_BYTES, name);
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
        REFUSE_IF(((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f,
                  "%s:%d: byte 0x%02x does not belong in a text file", r->path, r->line,
                  (unsigned)(unsigned char)line[i]);
    return BENCH_OK;
}

static enum bench_status go_on(struct reader *r, const char *more)
{
    struct ini_fact *fact = &r->ini->fact[r->ini->n_facts - 1];
    const size_t before = strlen(fact->value), n = strlen(more);
    const char *const between = before == 0 || more[0] == ',' ? "" : " ";
    char *value;

    REFUSE_IF(before + n + 2 > MAX_VALUE_BYTES,
              "%s:%d: the value of '%s' is longer than %d bytes", r->path, r->line, fact->key,
              MAX_VALUE_BYTES);
    value = realloc(fact->value, before + n + 3);
    NEED(value, "a value of %s", r->path);
    fact->value = value;
    snprintf(value + before, n + 3, "%s%s", between, more);
    return BENCH_OK;
}

enum bench_status ini_add(struct ini_file *ini, const char *section, const char *key,
                          const char *value, int line)
{
    struct ini_fact *fact;

    NEED(memory_grow(&ini->fact, sizeof *ini->fact, (size_t)ini->n_facts), "the keys of %s",
         ini->path);
    fact = &ini->fact[ini->n_facts++]; /* even when half built: ini_free takes that */
    *fact = (struct ini_fact){strdup(section), strdup(key), strdup(value), line};
    NEED(fact->section && fact->key && fact->value, "the keys of %s", ini->path);
    return BENCH_OK;
}

/* A line of at most MAX_LINE_BYTES, which is cut up. */
static enum bench_status take_line(struct reader *r, char *line)
{
    char *text, *value;

    cut_comment(line);
    text = text_trimmed(line);
    if (*text == '\0')
        return BENCH_OK;
    if (*text == '[')
        return text == line ? take_heading(r, text)
                            : BENCH_FAIL(BENCH_EINPUT,
                                         "%s:%d: a heading begins at the start of its line",
                                         r->path, r->line);
    if (text > line && !r->fresh)
        return go_on(r, text);
    value = strpbrk(text, "=:");
    REFUSE_IF(value == NULL || value == text, "%s:%d: expected 'key = value'%s", r->path,
              r->line, value ? ", found no key" : " or '[section]'");
    *value++ = '\0';
    r->fresh = false;
    return ini_add(r->ini, r->section, text_trimmed(text), text_trimmed(value), r->line);
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

static enum bench_status parse(const char *at, const char *end, struct ini_file *ini)
{
    struct reader r = {.path = ini->path, .fresh = true, .ini = ini};
    char line[MAX_LINE_BYTES + 1];

    while (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) /* byte order marks */
        at += 3;
    for (const char *next; at < end; at = next) {
        const char *const newline = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((newline != NULL ? newline : end) - at);

        next = at + n + (newline != NULL);
        n -= n > 0 && at[n - 1] == '\r';
        r.line++;
        TRY(check_bytes(&r, at, n));
        snprintf(line, sizeof line, "%.*s", (int)n, at);
        TRY(take_line(&r, line));
    }
    TRY(refuse_empty_section(&r));
    return refuse_duplicates(ini);
}

enum bench_status ini_parse_text(const char *text, unsigned long n_bytes, const char *name,
                                 struct ini_file *ini)
{
    enum bench_status status;

    *ini = (struct ini_file){.path = strdup(name)};
    NEED(ini->path, "reading %s", name);
    if (n_bytes > MAX_FILE_BYTES)
        status = BENCH_FAIL(BENCH_EINPUT,
                            "%s: a descriptor has at most 1 MiB, this one has more", name);
    else
        status = parse(text, text + n_bytes, ini);
    if (status != BENCH_OK)
        ini_free(ini);
    return status;
}

enum bench_status ini_read(const char *path, struct ini_file *ini)
{
    OWNED(text_free) struct text text = {0};

    *ini = (struct ini_file){.path = NULL};
    TRY(text_read_bytes(path, MAX_FILE_BYTES, "cannot be opened", &text));
    return ini_parse_text(text.data, text.size, path, ini);
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
