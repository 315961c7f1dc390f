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

/* Append it escaped for HTML: safe between tags and within quoted attributes. */
void text_html(struct text *text, const char *string);

/* BENCH_ENOMEM when an addition failed. */
enum bench_status text_ok(const struct text *text);
void text_free(struct text *text);

#define TEXT_NUMBER 32

/* %.9g with '.' whatever the locale; "" for a value that is not finite. */
void text_number(char buffer[TEXT_NUMBER], double value);
void text_add_number(struct text *text, double value);

/* For people: 'digits' significant digits, if readable without exponent; "": not finite. */
void text_short_number(char buffer[TEXT_NUMBER], double value, int digits);

/* Reads the decimal number at the start of 'text' ("4", "-0.5", "1e-3"; no blanks, hex, inf or
 * nan), in any locale.  Returns its end; NULL: none is there, or beyond a double's range. */
const char *bench_number(const char *text, double *value);

/* Reads a whole string as a finite decimal number, in any locale; false: it is none. */
bool text_to_number(const char *string, double *value);

/* Words in lines of at most 'width' columns: the first has 'used' before, others 'indent'
 * blanks; no newline ends the last.  text_wrap_list: "a (2), b (3)", cut behind commas. */
void text_wrap(struct text *text, const char *words, int used, int indent, int width);
void text_wrap_list(struct text *text, const char *list, int used, int indent, int width);

/* Without the blanks around it: a place in 'string', which is cut. */
char *text_trimmed(char *string);

/* The next element of "a, b, c", trimmed, cut if it is longer; *list goes behind it, and is
 * NULL behind the last.  NULL: none is left. */
#define TEXT_ELEMENT 4400
char *text_next(const char **list, char element[TEXT_ELEMENT]);

/* The item of a name in a list "NAME=VALUE;NAME=VALUE"; NULL: there is none. */
const char *text_item(const char *list, const char *name, size_t n_name);

/* One of the patterns "a*, b" fits (fnmatch); no pattern of more than 63 bytes does. */
bool text_matches(const char *patterns, const char *name);

/* Both files are there and are one, under whatever names. */
bool text_same_file(const char *a, const char *b);

/* Make a folder and its parents; BENCH_EIO.  Fine when it is there. */
enum bench_status text_make_folder(const char *path);

/* The file to write for 'path', behind links, to be freed; NULL: out of memory.  *in_place: a
 * device or a pipe, which is not replaced (root's rename would replace /dev/null). */
char *text_target(const char *path, bool *in_place);

/* Open a new file that is to become 'path'; -1: errno.  It has no name yet, so a killed program
 * leaves nothing; a file system without such files gets 'temporary', in the same folder.
 * text_name_file: the file is 'path' now and survives a power cut; 0 or errno.  The caller
 * closes it, and after an error unlinks 'temporary'. */
int text_open_unnamed(const char *path, const char *temporary);
int text_name_file(int fd, const char *temporary, const char *path);

/* Write all of 'text' to such a file, which replaces 'path'; BENCH_EIO.  See text_target. */
enum bench_status text_replace_file(const char *path, const struct text *text);

/* All bytes of a regular file, with a NUL behind them; BENCH_EIO, BENCH_ENOMEM. */
enum bench_status text_read_file(const char *path, struct text *text);
/* The same, or more than 'most' bytes of a larger file; 'cannot' says that it is unreadable. */
enum bench_status text_read_bytes(const char *path, size_t most, const char *cannot,
                                  struct text *text);

/* Cleans a page by text_clean() and writes it to 'out'; BENCH_EIO. */
enum bench_status text_print(struct text *text, FILE *out);

/* Write all bytes, however many calls it takes; 0 or errno. */
int text_write_all(int fd, const void *bytes, size_t n_bytes);

/* fsync the folder of 'path': a new or renamed entry survives a power cut; 0 or errno. */
int text_sync_folder(const char *path);

#endif
