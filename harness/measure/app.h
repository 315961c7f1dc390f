/*
 * app.h - `depthbench apply`: read an image, run one variant once, write its output
 *
 * One descriptor beside each problem that has it, not in it: measuring needs none of this.
 */
#ifndef BENCH_APP_H
#define BENCH_APP_H

#include "harness/base/params.h"
#include "harness/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct bench_impl;
struct plane; /* harness/inputs/plane.h */
struct text;  /* harness/base/text.h */

/* --NAME ARGUMENT: "tree", "CSV", "one column's recursion tree". */
struct bench_option {
    const char *name, *argument, *help;
};

struct bench_given {
    const char *name, *value;
};

/* A value by which the problem judges an output: "mean error", "mean_abs_error_px", "px". */
struct bench_told {
    const char *before, *value, *behind;
};

/* A request of `depthbench apply IMPL IMAGE`, beyond the parameters. */
struct bench_request {
    const struct bench_impl *impl;
    const struct bench_params *params; /* the problem's and the variant's, checked */
    const char *image;                 /* path, or "scene[:SEED[:WIDTHxHEIGHT]]" */
    const char *right; /* path of the right view, where 'image' is the left one; NULL: a map */
    const char *csv;   /* -o FILE; NULL: none; "-": standard output */
    const char *picture; /* --picture FILE.png; NULL: none */

    /* The frame itself ("input:NAME:CASE"), borrowed, named by 'image'; NULL: read 'image'. */
    const struct plane *frame;

    /* The app's options that were given; bench_option_value() reads them. */
    const struct bench_given *given;
    int n_given;

    /* Texts on success that main prints, "" for none, of n_* bytes; NULL and 0: not wanted:
     * what was made, beside the told values; what is odd about the image; the files written. */
    char *message, *warning, *files;
    size_t message_size, warning_size, files_size;

    /* Fill 'output' from 'input' by the variant, and verify it (bench_once_verified): nothing
     * is written of an output that this refuses. */
    enum bench_status (*once)(const struct bench_request *request, const void *input,
                              void *output);
    /* Tell of it, when all is written; NULL: not wanted. */
    enum bench_status (*tell)(const struct bench_request *request, const void *input,
                              const void *output);
    void *machine; /* for both */
};

struct bench_app {
    const struct bench_problem *problem;
    const struct bench_key *keys;       /* that the app alone reads; ends with a name of NULL */
    const struct bench_key *unset;      /* that it reads, too, and nobody sets; NULL: none */
    const struct bench_option *options; /* ends with a name of NULL */
    const struct bench_told *told;      /* ends with a value of NULL; NULL: none */

    /* Read the image, run the variant once, write each file whole or not at all. */
    enum bench_status (*apply)(const struct bench_request *request);

    /* For `depthbench watch`: the table of `apply -o`, of an input of one frame and its
     * unverified output; and that frame's size in px. */
    enum bench_status (*table)(const void *input, const void *output, struct text *text);
    void (*size)(const void *input, int *height, int *width);
    bool needs_camera; /* so does the model that an input has */
    bool takes_views;  /* a pair of views; else a map */
    bool reads_map;    /* the table has the input's disparities */

    /* Set unset keys whose defaults this reference's variants do not take.  NULL: none. */
    enum bench_status (*settle)(const char *reference, struct bench_params *params);
};

/* All apps, NULL-terminated; registry.c. */
const struct bench_app *const *bench_apps(void);

/* NULL: the problem has none. */
const struct bench_app *bench_find_app(const struct bench_problem *problem);

/* The variant of a chain (harness/problems/chain.h) that ends in this one and takes a pair; it
 * stays until the next call.  BENCH_EINPUT: there is none, or the variant takes no maps where
 * they were made. */
enum bench_status bench_find_chained(const struct bench_impl *second,
                                     const struct bench_impl **chained);

/* The value of one of the app's options, the last where it was given twice; NULL: not given. */
static inline const char *bench_option_value(const struct bench_request *request,
                                             const char *name)
{
    for (int i = request->n_given; i-- > 0;)
        if (!strcmp(request->given[i].name, name))
            return request->given[i].value;
    return NULL;
}

__END_DECLS

#endif
