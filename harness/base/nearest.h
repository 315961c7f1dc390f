/*
 * nearest.h - "did you mean": the name that a misspelt one is nearest to
 *
 *     struct nearest near = nearest_to("rdp/fgi5");
 *     nearest_offer(&near, "rdp/fig5");              // each name that there is
 *     BENCH_FAIL(BENCH_EINPUT, "no experiment '%s'%s", name, nearest_text(&near));
 */
#ifndef BENCH_NEAREST_H
#define BENCH_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *wrong; /* borrowed */
    size_t edits;      /* of the best so far */
    char best[64];     /* "": none is near */
    char text[96];
};

struct nearest nearest_to(const char *wrong);

/* A name is near that is one insertion, deletion, substitution or swap of neighbours away,
 * whatever the case; or up to 3, if the first letter is right and half of it stays; or if one
 * begins with the other, as "epsilon" with "eps".  Of equally near names the first stays. */
void nearest_offer(struct nearest *near, const char *name);

/* "; did you mean 'rdp/fig5'?", or "" where none is near; it lives as long as 'near'. */
const char *nearest_text(struct nearest *near);

#endif
