/* descriptor.c - a descriptor and what it includes, and the assignments of the command line */
#include "harness/suite/descriptor.h"

#include "harness/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 4 /* of includes */

const struct bench_key descriptor_keys[] = {
    KEY_OF_TEXT("problem"), KEY_OF_TEXT("include"),
    KEY_OF_TEXT("like"),    KEY_OF_TEXT("title"),
    KEY_OF_TEXT("impl"),    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

const char *entry_where(const struct entry *entry, char where[ENTRY_WHERE])
{
    if (entry->path == NULL)
        snprintf(where, ENTRY_WHERE, "-S %.80s",
                 entry->assignment != NULL ? entry->assignment : "");
    else
        snprintf(where, ENTRY_WHERE, "%.600s:%d", entry->path, entry->line);
    return where;
}

bool descriptor_has(const char *key)
{
    return strcmp(key, "impl") != 0 && bench_find_key(descriptor_keys, key) != NULL;
}

struct entry entry_of(const struct ini_file *ini, const struct ini_fact *fact)
{
    return (struct entry){fact->key, fact->value, ini->path, NULL, fact->line};
}

enum bench_status entries_put(struct entries *entries, const struct entry *entry)
{
    int n = 0;

    for (int i = 0; i < entries->n; i++)
        if (strcmp(entries->item[i].key, entry->key) != 0)
            entries->item[n++] = entries->item[i];
    entries->n = n;
    ENTRY_REFUSE_IF(n == MAX_ENTRIES, entry, "'%.40s' is one key more than the %d that may be",
                    entry->key, MAX_ENTRIES);
    entries->item[entries->n++] = *entry;
    return BENCH_OK;
}

enum bench_status entries_replace(struct entries *entries, const struct entry *entry)
{
    for (int i = 0; i < entries->n; i++)
        if (strcmp(entries->item[i].key, entry->key) == 0) {
            entries->item[i] = *entry;
            return BENCH_OK;
        }
    return entries_put(entries, entry);
}

const struct entry *entries_find(const struct entries *entries, const char *key)
{
    for (int i = 0; i < entries->n; i++)
        if (strcmp(entries->item[i].key, key) == 0)
            return &entries->item[i];
    return NULL;
}

enum bench_status entry_refuse_empty(const struct entry *entry)
{
    return ENTRY_FAIL(entry, "%s: expected a value, found an empty one", entry->key);
}

/* ---- files ---------------------------------------------------------------------------- */

static enum bench_status read_file(struct descriptor *d, const char *path,
                                   const char *const *above, int depth);

static enum bench_status include_file(struct descriptor *d, const struct entry *entry,
                                      const char *name, const char *const *above, int depth)
{
    const char *const slash = name[0] == '/' ? NULL : strrchr(entry->path, '/');
    char path[512];
    const int n = snprintf(path, sizeof path, "%.*s%s",
                           slash ? (int)(slash + 1 - entry->path) : 0, entry->path, name);
    enum bench_status status;

    if (name[0] == '\0')
        return entry_refuse_empty(entry);
    REFUSE_IF(n < 0 || (size_t)n >= sizeof path, "%s: the path of an included file is too long",
              WHERE(entry));
    ENTRY_REFUSE_IF(depth == MAX_DEPTH, entry, "files include one another more than %d deep",
                    depth);
    ENTRY_REFUSE_IF(d->n_files == DESCRIPTOR_MAX_FILES, entry,
                    "more than %d files are included", d->n_files - 1);
    for (int i = 0; i <= depth; i++)
        ENTRY_REFUSE_IF(text_same_file(above[i], path), entry, "'%s' includes itself", name);
    status = read_file(d, path, above, depth + 1);
    ENTRY_REFUSE_IF(status == BENCH_EIO, entry, "include: %s", bench_failure()); /* who asked */
    return status;
}

/* Read the files of an include, a list. */
static enum bench_status include(struct descriptor *d, const struct entry *entry,
                                 const char *const *above, int depth)
{
    const char *rest = entry->value;
    char element[TEXT_ELEMENT];

    for (const char *name; (name = text_next(&rest, element)) != NULL;)
        TRY(include_file(d, entry, name, above, depth));
    return BENCH_OK;
}

/* Read a file and put its [global] into d->global, after what it includes.  above[depth]: the
 * paths of the files that include one another down to this one. */
static enum bench_status read_file(struct descriptor *d, const char *path,
                                   const char *const *above, int depth)
{
    const char *chain[MAX_DEPTH + 1];
    struct ini_file *ini = &d->file[d->n_files];
    const struct ini_fact *fact;

    TRY(ini_read(path, ini));
    d->n_files++;
    for (int i = 0; i < depth; i++)
        chain[i] = above[i];
    chain[depth] = ini->path;

    for (int i = 0; i < ini->n_facts; i++)
        REFUSE_IF(ini->fact[i].section[0] == '\0',
                  "%s:%d: '%s' stands before the first section", path, ini->fact[i].line,
                  ini->fact[i].key);
    fact = ini_find(ini, "global", "include");
    if (fact != NULL) {
        const struct entry entry = entry_of(ini, fact);

        TRY(include(d, &entry, chain, depth));
    }
    for (int i = 0; i < ini->n_facts; i++) {
        const struct entry entry = entry_of(ini, &ini->fact[i]);

        if (strcmp(ini->fact[i].section, "global") == 0 && strcmp(entry.key, "include") != 0)
            TRY(entries_put(&d->global, &entry));
    }
    return BENCH_OK;
}

static enum bench_status take_assignment(struct descriptor *d, const char *text)
{
    char element[TEXT_ELEMENT], *const equals = strchr(text, '=');
    const struct ini_fact *fact;

    REFUSE_IF(equals == NULL || equals == text, "-S %.80s: expected key=value", text);
    snprintf(element, sizeof element, "%.*s", (int)(equals - text), text);
    REFUSE_IF(descriptor_has(element), "-S %.80s: only the descriptor itself says its %s", text,
              element);
    TRY(ini_add(&d->given, "", element, equals + 1, 0));
    fact = &d->given.fact[d->given.n_facts - 1];
    return entries_put(&d->assignments, &(struct entry){fact->key, fact->value, NULL, text, 0});
}

enum bench_status descriptor_read(const char *path, const char *const *assignments, int n,
                                  struct descriptor *d)
{
    for (int i = 0; i < n; i++)
        TRY(take_assignment(d, assignments[i]));
    return read_file(d, path, NULL, 0);
}

void descriptor_free(struct descriptor *d)
{
    ini_free(&d->given);
    for (int i = 0; i < d->n_files; i++)
        ini_free(&d->file[i]);
}
