/* keys.c - from the facts of a descriptor to the members of a struct, by a table of keys */
#include "harness/inputs/keys.h"

#include "harness/base/params.h"
#include "harness/base/text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum bench_status keys_name(const char *path, const char *what, char name[], size_t size)
{
    const char *const slash = strrchr(path, '/'), *const last = slash ? slash + 1 : path;
    size_t n = strlen(last);

    if (n > 4 && strcmp(last + n - 4, ".ini") == 0)
        n -= 4;
    REFUSE_IF(n == 0 || n >= size, "%s: the name of %s must have 1..%zu letters", path, what,
              size - 1);
    snprintf(name, size, "%.*s", (int)n, last);
    return BENCH_OK;
}

int keys_is_safe_path(const char *path)
{
    for (size_t n;; path += n + 1) {
        n = strcspn(path, "/");
        if (n <= 2 && strspn(path, ".") == n) /* "", "." or ".." */
            return 0;
        if (path[n] == '\0')
            return 1;
    }
}

/* Split "a, b" into item[][item_size]. */
static enum bench_status read_paths(const struct ini_file *ini, const struct ini_fact *fact,
                                    const struct key *key, char *item)
{
    const char *const end = item + key->size, *value = fact->value;
    char element[TEXT_ELEMENT];

    memset(item, 0, key->size);
    for (const char *path; (path = text_next(&value, element)) != NULL;
         item += key->item_size) {
        const char *const wrong =
            *path == '\0' ? "expected names with commas between them, found an empty one"
            : item == end ? "too many alternatives"
            : strlen(path) >= key->item_size ? "one of the names is too long"
            : !keys_is_safe_path(path)
                ? "expected a path below the data folder, without '.', '..' and '//'"
                : NULL;

        if (wrong)
            return KEYS_REFUSE(ini, fact, wrong);
        memcpy(item, path, strlen(path) + 1);
    }
    return BENCH_OK;
}

static enum bench_status read_fact(const struct ini_file *ini, const struct ini_fact *fact,
                                   const struct key *key, void *member)
{
    const int word = key->words != NULL ? bench_choice(key->words, fact->value) : 0;
    char expected[96], *end;
    double number = 0;

    switch (key->type) {
    case KEY_INT:
    case KEY_REAL:
        if (!text_to_number(fact->value, &number) || number < key->min || number > key->max ||
            (key->type == KEY_INT && number != (double)(int)number)) {
            snprintf(expected, sizeof expected, "expected a %s of %g..%g",
                     key->type == KEY_INT ? "whole number" : "number", key->min, key->max);
            return KEYS_REFUSE(ini, fact, expected);
        }
        if (key->type == KEY_INT)
            *(int *)member = (int)number;
        else
            *(double *)member = number;
        return BENCH_OK;
    case KEY_SEED:
        errno = 0;
        *(uint64_t *)member = strtoull(fact->value, &end, 10);
        if (fact->value[0] < '0' || fact->value[0] > '9' || *end != '\0' || errno != 0)
            return KEYS_REFUSE(ini, fact, "expected a whole number of 0..18446744073709551615");
        return BENCH_OK;
    case KEY_WORD:
    case KEY_BITS:
        if (word < 0) {
            snprintf(expected, sizeof expected, "expected one of %s", key->words);
            return KEYS_REFUSE(ini, fact, expected);
        }
        ((int *)member)[0] = key->type == KEY_BITS ? word & 1 : word;
        if (key->type == KEY_BITS)
            ((int *)member)[1] = word >> 1;
        return BENCH_OK;
    case KEY_TEXT:
        if (strlen(fact->value) >= key->size)
            return KEYS_REFUSE(ini, fact, "the text is too long");
        memcpy(member, fact->value, strlen(fact->value) + 1);
        return BENCH_OK;
    case KEY_PATHS:
        return read_paths(ini, fact, key, member);
    }
    return BENCH_OK;
}

static enum bench_status unknown_key(const struct ini_file *ini, const struct ini_fact *fact,
                                     const struct key *keys, size_t n_keys)
{
    struct nearest near = nearest_to(fact->key);

    for (size_t i = 0; i < n_keys; i++)
        nearest_offer(&near, keys[i].name);
    return BENCH_FAIL(BENCH_EINPUT, "%s:%d: unknown key '%s'%s", ini->path, fact->line,
                      fact->key, nearest_text(&near));
}

enum bench_status keys_read(const struct ini_file *ini, const struct key *keys, size_t n_keys,
                            unsigned kind, const char *what, void *into)
{
    for (int i = 0; i < ini->n_facts; i++) {
        const struct ini_fact *fact = &ini->fact[i];
        const struct ini_fact *said = ini_find(ini, "", "kind");
        const struct key *key = keys;

        REFUSE_IF(fact->section[0] != '\0', "%s:%d: %s has no sections, found [%s]", ini->path,
                  fact->line, what, fact->section);
        while (key < keys + n_keys && strcmp(fact->key, key->name) != 0)
            key++;
        if (key == keys + n_keys)
            return unknown_key(ini, fact, keys, n_keys);
        REFUSE_IF(key->kinds != 0 && (key->kinds & kind) == 0,
                  "%s:%d: the key '%s' means nothing for kind = %s", ini->path, fact->line,
                  key->name, said ? said->value : "files");
        TRY(read_fact(ini, fact, key, (char *)into + key->offset));
    }
    return BENCH_OK;
}
