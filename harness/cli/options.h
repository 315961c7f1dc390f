/* options.h - the command line: its subcommands and options, each said once; help, man page and
 * completion come from here */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "harness/measure/app.h"
#include "harness/base/status.h"
#include "harness/base/text.h"

#include <stdbool.h>

#define MAX_ASSIGNMENTS 64
#define MAX_GIVEN       32

/* A command line.  All text is borrowed from argv; NULL: not given. */
struct arguments {
    const char *subcommand; /* one of the subcommands, "help" or "version" */
    char **argv;            /* all of it */
    char **rest;            /* the words behind the subcommand */
    int n_rest;
    const char *assignment[MAX_ASSIGNMENTS]; /* "KEY=VALUE" */
    int n_assignments;
    const char *glob, *group, *format, *output, *results, *data, *out_dir, *sysroot, *picture,
        *disparity, *csv, *explain, *suspects, *config, *figures, *expect, *host, *export,
        *peers, *rank, *same, *frames, *rate, *in_flight, *arrival, *wake, *count, *minutes,
        *references, *past;
    struct bench_given given[MAX_GIVEN]; /* options of problems */
    int n_given, device, verbosity;
    int max_pixels;    /* 0: the default */
    double floor, fdr; /* shares */
    bool dry_run, verify_only, profile, realtime, resume, quick, machine, strict, no_verify,
        all, prepare;
    char runs[24]; /* of --runs, as an assignment */
    int run;       /* of main_repeat: this is process 1, 2 ... of run_group; 0: of none */
    const char *run_group;
};

/* Options may stand anywhere; an option that the subcommand has not is an error.
 * BENCH_EINPUT. */
enum bench_status options_parse(int argc, char **argv, struct arguments *arguments);

/* Read a whole number of an option; NULL: not given, and *value stays.  BENCH_EINPUT, which
 * says 'or', too: what else may be given. */
enum bench_status options_number(const char *option, const char *text, int min, int max,
                                 const char * or, int *value);

/* True if a subcommand has the option. */
bool options_take(const char *subcommand, const char *option);

/*
 * Add what `depthbench help TOPIC` prints.  NULL: the overview; the name of a subcommand: its
 * options; "man": a man page (roff); "bash": completion for bash, to be read with source.
 * BENCH_EINPUT for another topic.
 */
enum bench_status options_help(const char *topic, struct text *text);

/* "  NAME   text ...", wrapped. */
void main_add_item(struct text *page, int indent, int column, const char *name,
                   const char *said, int width);

#endif
