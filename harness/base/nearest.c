/* nearest.c - "did you mean": the name that a misspelt one is nearest to */
#include "harness/base/nearest.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/param.h>

#define MAX_EDITS 3
#define MAX_NAME  63
#define PREFIX    3 /* letters that tell of what a name is the beginning */

struct nearest nearest_to(const char *wrong)
{
    return (struct nearest){.wrong = wrong, .edits = MAX_EDITS + 1};
}

/* Insertions, deletions, substitutions and swaps that make 'a' of 'b', whatever the case. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { ROOM = MAX_NAME + MAX_EDITS + 2 };
    size_t row[3][ROOM]; /* rows i - 2, i - 1 and i of the table, in turn */
    const size_t n_a = strlen(a), n_b = strlen(b);

    if (n_a >= ROOM || n_b >= ROOM)
        return SIZE_MAX;
    for (size_t j = 0; j <= n_b; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t *now = row[i % 3];
        const size_t *before = row[(i + 2) % 3], *long_before = row[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            const int ca = tolower((unsigned char)a[i - 1]);
            const int cb = tolower((unsigned char)b[j - 1]);

            now[j] = before[j - 1] + (ca != cb);
            now[j] = MIN(now[j], MIN(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2]))
                now[j] = MIN(now[j], long_before[j - 2] + 1);
        }
    }
    return row[n_a % 3][n_b];
}

void nearest_offer(struct nearest *near, const char *name)
{
    const size_t n_wrong = strlen(near->wrong), n_name = strlen(name);
    const size_t n_both = MIN(n_wrong, n_name);
    size_t edits = edit_distance(near->wrong, name);

    if (edits > 1 && (2 * edits > n_name || !n_both ||
                      tolower((unsigned char)*near->wrong) != tolower((unsigned char)*name)))
        edits = MAX_EDITS + 1;
    if (n_both >= PREFIX && !strncasecmp(near->wrong, name, n_both))
        edits = MIN(edits, MAX_EDITS - 1); /* of three letters, too */
    if (edits < near->edits && edits < n_name && n_name < sizeof near->best) {
        near->edits = edits;
        memcpy(near->best, name, n_name + 1);
    }
}

const char *nearest_text(struct nearest *near)
{
    near->text[0] = '\0';
    if (near->best[0])
        snprintf(near->text, sizeof near->text, "; did you mean '%s'?", near->best);
    return near->text;
}
