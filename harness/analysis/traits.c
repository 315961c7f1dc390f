/* traits.c - lists of traits and what is the same in them */
#include "harness/analysis/traits.h"

#include <stdio.h>
#include <string.h>

/* Whether a list has an item. */
static bool has(const char *list, const char *item, size_t n)
{
    for (size_t k = strcspn(list, ";"); *list; k = strcspn(list, ";")) {
        if (k == n && !memcmp(list, item, n))
            return true;
        list += k + (list[k] == ';');
    }
    return false;
}

/* Whether 'a' has an item that 'b' has not. */
static bool has_more(const char *a, const char *b, char trait[TRAIT_NAME])
{
    for (size_t n = strcspn(a, ";"); *a; n = strcspn(a, ";")) {
        if (n > 0 && !has(b, a, n)) {
            snprintf(trait, TRAIT_NAME, "%.*s", (int)strcspn(a, "=;"), a);
            return true;
        }
        a += n + (a[n] == ';');
    }
    return false;
}

bool traits_differ(const char *a, const char *b, char trait[TRAIT_NAME])
{
    return has_more(a, b, trait) || has_more(b, a, trait);
}

void traits_pick(const char *list, const char *names, bool named, struct text *picked)
{
    for (size_t n = strcspn(list, ";"); *list; n = strcspn(list, ";")) {
        if (n > 0 && traits_have(names, list, strcspn(list, "=;")) == named) {
            text_bytes(picked, list, n);
            text_add(picked, ";");
        }
        list += n + (list[n] == ';');
    }
}

bool traits_have(const char *traits, const char *name, size_t n_name)
{
    for (size_t n = strcspn(traits, ";"); *traits; n = strcspn(traits, ";")) {
        if (strcspn(traits, "=;") == n_name && !memcmp(traits, name, n_name))
            return true;
        traits += n + (traits[n] == ';');
    }
    return false;
}

/* Whether a list, of one that has the item, has not: another list of its first trait, or one with another value. */
static bool tells(const char *one, const char *item, size_t n, const char *other)
{
    const size_t n_first = strcspn(one, ";");

    return !has(other, item, n) &&
           ((strcspn(other, ";") == n_first && !memcmp(one, other, n_first)) ||
            traits_have(other, item, strcspn(item, "=")));
}

void traits_add(const char *one, const char *const *all, int n, bool shared, struct text *text)
{
    const char *between = "", *item = one;

    for (size_t k = strcspn(item, ";"); *item; k = strcspn(item, ";")) {
        bool is_shared = true, is_told = false;

        for (int i = 0; i < n; i++) {
            is_shared &= has(all[i], item, k);
            is_told |= tells(one, item, k, all[i]);
        }
        if (k > 0 && (shared ? is_shared : is_told)) {
            text_add(text, between);
            text_bytes(text, item, k);
            between = " ";
        }
        item += k + (item[k] == ';');
    }
}
