/*
 * text.h - text under construction, and files that appear whole
 *
 * A buffer remembers that memory ran out, so that a table can be built without a check per
 * field; whoever uses the finished text asks text_ok() once.
 */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text {
    char *data; /* owned; NUL-terminated once something was added; NULL when empty */
    size_t size, capacity;
    bool failed;
};

void text_bytes(struct text *text, const void *bytes, size_t n_bytes);
void text_add(struct text *text, const char *string);
void text_format(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One CSV field, by libcsv: quoted, quotes doubled; nothing at all for an empty one. */
void text_csv(struct text *text, const char *field);

/* With all that HTML would take for its own replaced: safe between tags and within quoted
 * attributes. */
void text_html(struct text *text, const char *string);

/* BENCH_ENOMEM when an addition failed. */
enum bench_status text_ok(const struct text *text);
void text_free(struct text *text);

#define TEXT_NUMBER 32

/* %.9g with '.' whatever the locale; "" for a value that is not finite. */
void text_number(char buffer[TEXT_NUMBER], double value);
/* Append it in that form. */
void text_add_number(struct text *text, double value);

/* For people: so many significant digits, no exponent where that is readable; "" for a value
 * that is not finite. */
void text_short_number(char buffer[TEXT_NUMBER], double value, int digits);

/* The decimal number at the start of 'text' ("4", "-0.5", "1e-3"; no blanks, hex, inf or nan),
 * whatever the locale.  Returns where it ends, or NULL when there is none or it is beyond a
 * double's range. */
const char *bench_number(const char *text, double *value);

/* A whole string as a finite decimal number, '.' whatever the locale; false: empty or something
 * else. */
bool text_to_number(const char *string, double *value);

/* Words in lines of at most 'width' columns, the first behind 'used' others, those behind it
 * behind 'indent' blanks; no line ends the last one.  text_wrap_list: "a (2), b (3)", which is
 * broken behind commas alone. */
void text_wrap(struct text *text, const char *words, int used, int indent, int width);
void text_wrap_list(struct text *text, const char *list, int used, int indent, int width);

/* Without the blanks around it: a place in 'string', which is cut. */
char *text_trimmed(char *string);

/* The next element of "a, b, c", trimmed; *list goes behind it, and is NULL behind the last; NULL:
 * none is left.  Longer ones are cut. */
#define TEXT_ELEMENT 4400
char *text_next(const char **list, char element[TEXT_ELEMENT]);

/* Where in a list "NAME=VALUE;NAME=VALUE" the item of a name is; NULL: nowhere. */
const char *text_item(const char *list, const char *name, size_t n_name);

/* One of the patterns "a*, b" fits (fnmatch); no pattern of more than 63 bytes does. */
bool text_matches(const char *patterns, const char *name);

/* Both files are there and are one, under whatever names. */
bool text_same_file(const char *a, const char *b);

/* Make a folder and its parents; BENCH_EIO.  Fine when it is there. */
enum bench_status text_make_folder(const char *path);

/*
 * The name of what is to be written for 'path', to be freed: behind links.  *in_place: it is a
 * device or a pipe, which is written to and not replaced (root's rename would put a file in the
 * place of /dev/null).  NULL: out of memory.
 */
char *text_target(const char *path, bool *in_place);

/*
 * A new file that is to become 'path', for writing, -1: errno.  It has no name yet, so a program
 * that is killed leaves nothing; where the file system has no such files it is 'temporary', in
 * the same folder.  text_name_file: what was written is 'path' now and survives a power cut; 0
 * or errno.  The caller closes it, and after an error unlinks 'temporary'.
 */
int text_open_unnamed(const char *path, const char *temporary);
int text_name_file(int fd, const char *temporary, const char *path);

/* Write all of 'text' to such a file, which replaces 'path'; BENCH_EIO.  See text_target. */
enum bench_status text_replace_file(const char *path, const struct text *text);

/* All bytes of a regular file, with a NUL behind them; BENCH_EIO, BENCH_ENOMEM. */
enum bench_status text_read_file(const char *path, struct text *text);
/* The same, or more than 'most' bytes of a file that has more; 'cannot': the words for one that
 * "cannot be opened". */
enum bench_status text_read_bytes(const char *path, size_t most, const char *cannot,
                                  struct text *text);

/* Write a whole page, which text_clean() has cleaned; BENCH_EIO. */
enum bench_status text_print(struct text *text, FILE *out);

/* Write all bytes, however many calls it takes; 0 or errno. */
int text_write_all(int fd, const void *bytes, size_t n_bytes);

/* fsync the folder that holds 'path', so that a new or renamed entry survives a power cut; 0 or
 * errno. */
int text_sync_folder(const char *path);

#endif
