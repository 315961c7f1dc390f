/*
 * ini.h - descriptor files as a list of facts, each with its line number
 *
 * A line of more than 190 bytes and a section name of more than 48 are errors.  A key that is
 * given twice in one section is an error, and so is a section without keys.  A value goes on
 * over indented lines, which are joined by a blank.  ';' begins a comment at the start of a
 * line or after a blank.  A '=' sign in a value is fine.
 */
#ifndef BENCH_INI_H
#define BENCH_INI_H

#include "harness/base/status.h"

struct ini_fact {
    char *section; /* "" before the first section */
    char *key;
    char *value; /* trimmed */
    int line;    /* where the key stands, from 1 */
};

struct ini_file {
    char *path; /* as given: messages begin with it */
    struct ini_fact *fact;
    int n_facts;
};

/* Read a file, or parse 'n_bytes' of text ('name' for messages).  On failure *ini is empty:
 * BENCH_EIO, or BENCH_EINPUT with "path:line: ..." (also a NUL byte, or more than 1 MiB). */
enum bench_status ini_read(const char *path, struct ini_file *ini);
enum bench_status ini_parse_text(const char *text, unsigned long n_bytes, const char *name,
                                 struct ini_file *ini);
void ini_free(struct ini_file *ini);

/* Append a copied fact to a file under construction (path owned, else empty).  BENCH_ENOMEM. */
enum bench_status ini_add(struct ini_file *ini, const char *section, const char *key,
                          const char *value, int line);

const struct ini_fact *ini_find(const struct ini_file *ini, const char *section,
                                const char *key);

#endif
