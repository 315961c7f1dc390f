/*
 * params.h - the checked parameters of one configuration
 *
 * A key is declared once, by the harness, a problem or a variant; its declaration is the
 * spelling check, the range check, a line of `depthbench list` and a column of the CSV.  A
 * value is kept as the canonical text of the CSV, and as the number that the code reads.
 */
#ifndef BENCH_PARAMS_H
#define BENCH_PARAMS_H

#include "harness/base/nearest.h"
#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

enum bench_kind {
    BENCH_INT,   /* a whole number in [min, max] */
    BENCH_REAL,  /* a finite decimal number in [min, max] */
    BENCH_CHOICE /* one of 'choices', or any word when choices is NULL */
};

/* A key that a problem or a variant reads.  Arrays of keys end with a name of NULL. */
struct bench_key {
    const char *name; /* lower case, letters, digits and '_'; at most 31 bytes */
    /* the value where a descriptor is silent; NULL: it must be given */
    const char *default_text;
    const char *unit; /* "px", "frames", "" */
    const char *help; /* half a sentence */
    enum bench_kind kind;
    double min, max; /* BENCH_INT, BENCH_REAL: inclusive; BENCH_INT within int */
    /* BENCH_CHOICE: "linear|nearest" or NULL; BENCH_INT: a word for min ("all"), or NULL */
    const char *choices;
};

#define BENCH_MAX_PARAMS 48
#define BENCH_MAX_VALUE  64

struct bench_param {
    const struct bench_key *key; /* borrowed from the declaration */
    /* canonical: integers without sign or leading zero, reals by %.9g; below BENCH_MAX_VALUE
     * bytes; it stays until the process ends */
    const char *text;
    double number; /* of a word that is one; -1 for others, as "auto" */
    bool given;    /* false: the key's default */
};

/* The parameters of one configuration, sorted by key.  A plain value: nothing is owned. */
struct bench_params {
    int n;
    struct bench_param item[BENCH_MAX_PARAMS];
};

/* Check 'text' against 'key', and set or replace it.  'where' begins the error sentence
 * ("fig9.ini:12", "-S eps").  BENCH_EINPUT names the text and the range or choices. */
enum bench_status bench_params_set(struct bench_params *params, const struct bench_key *key,
                                   const char *text, const char *where);

/* Sets a key, where there is one; BENCH_EINPUT, which says why: another value was given. */
enum bench_status bench_params_insist(struct bench_params *params, const struct bench_key *keys,
                                      const char *name, const char *text, const char *why);

/* Set the default of each of 'keys' (NULL: none) that is not set.  BENCH_EINPUT: none. */
enum bench_status bench_params_default(struct bench_params *params,
                                       const struct bench_key *keys, const char *where);

bool bench_has(const struct bench_params *params, const char *name);

/* The value of a key that is set; to ask for another is a bug of the program (assert). */
int bench_int(const struct bench_params *params, const char *name); /* -1: a word as "auto" */
double bench_real(const struct bench_params *params, const char *name);
const char *bench_word(const struct bench_params *params, const char *name);

bool bench_is(const struct bench_params *params, const char *name, const char *word);

/* The size in px that keys width and height ask for; 0: no such key, or as a frame is. */
void bench_frame_size(const struct bench_params *params, int *width, int *height);

/* Writes "distance=vertical;eps=4;height=1024"; returns the length needed, as snprintf. */
size_t bench_params_text(const struct bench_params *params, char *text, size_t size);

/* The key of that name; NULL: there is none, or no keys. */
const struct bench_key *bench_find_key(const struct bench_key *keys, const char *name);

/* All keys of a NULL-terminated list of arrays, for "unknown key" sentences. */
void bench_offer_keys(struct nearest *near, const struct bench_key *const *keys);

/* The place of 'word' among "linear|nearest"; -1: it is none of them, or there are none. */
int bench_choice(const char *choices, const char *word);

__END_DECLS

#endif
