/* traits.c - lists of traits and what is the same in them */
#include "harness/analysis/traits.h"

#include <string.h>

/* The item behind this one; NULL: it is the last. */
static const char *next(const char *item)
{
    item = strchr(item, ';');
    return item && item[1] ? item + 1 : NULL;
}

/* Whether a list has an item with its value. */
static bool has(const char *list, const char *item)
{
    const size_t n = strcspn(item, ";");

    while (list && (strcspn(list, ";") != n || memcmp(list, item, n) != 0))
        list = next(list);
    return list;
}

/* Whether a list, of one that has the item, has not: another list of its first trait, or one with another value. */
static bool tells(const char *one, const char *item, const char *other)
{
    return !has(other, item) && (has(one, other) || text_item(other, item, strcspn(item, "=")));
}

void traits_add(const char *one, const char *const *all, int n, bool shared, struct text *text)
{
    const char *between = "";

    for (const char *item = one; item; item = next(item)) {
        int n_have = 0, n_told = 0;

        for (int i = 0; i < n; i++) {
            n_have += has(all[i], item);
            n_told += tells(one, item, all[i]);
        }
        if (*item && (shared ? n_have == n : n_told > 0)) {
            text_add(text, between);
            text_bytes(text, item, strcspn(item, ";"));
            between = " ";
        }
    }
}
