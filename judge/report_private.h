/* report_private.h - what the files of the report share */
#ifndef BENCH_REPORT_PRIVATE_H
#define BENCH_REPORT_PRIVATE_H

#include "harness/ini.h"
#include "harness/record.h"
#include "judge/claims.h"
#include "judge/report.h"
#include "harness/analysis/html.h"
#include "harness/analysis/table.h"

/* Sections of experiments/report/PAPER.ini; the others are tables and figures. */
#define REPORT_PAPER "paper" /* the paper itself */
#define REPORT_WORDS "words" /* claims in plain words, ID = sentence */

/* One verdict: on a claim by the papers' numbers, or by the machine's rows. */
struct report_verdict {
    const struct claim *claim; /* borrowed */
    bool measured;
    struct claim_judgement judgement;
};

struct report_counts {
    int n[CLAIM_N_VERDICTS], all;
    int far; /* contradicted by other hardware or inputs than the paper's */
};

enum report_state {
    REPORT_THERE,   /* with rows of this machine, or drawn */
    REPORT_MISSING, /* nothing here yet; 'why' says why, 'command' makes it */
    REPORT_LEFT_OUT /* not attempted; 'why' */
};

/* A table or a figure. */
struct report_item {
    char *id; /* "rdp-fig9": its anchor, and the make target that measures and draws it */
    const char *title; /* borrowed */
    enum report_state state;
    struct text why;
};

struct report_paper {
    struct ini_file file; /* experiments/report/rdp.ini; owned */
    double order;
    const char *claims; /* the base name of its claim file; borrowed */
    struct report_item *item;
    int n_items;
};

/* The names of files in a folder that end alike, sorted. */
struct report_files {
    char **path; /* [n], owned */
    int n;
};

struct report {
    const struct report_request *request;
    char *machine;                    /* the results folder's own name */
    struct text folder, paper_folder; /* without a slash at the end; results/paper */
    struct report_files claim_files;
    struct claims claims;
    struct claim_machine rows; /* its store is there also without rows */
    bool has_rows;
    struct report_other {
        char *name;
        struct store *store;
    } * other; /* the other folders of results/ */
    int n_others;
    struct report_verdict *verdict;
    int n_verdicts;
    struct report_paper paper[CLAIM_MAX_PAPERS];
    int n_papers;
    struct table facts; /* key, text: of the session that knows most of the machine */
    struct text papers; /* their sections of the page */
};

/* ---- report.c ---- */

/* BENCH_EIO; a folder that is not there has no files. */
enum bench_status report_list(const char *folder, const char *end, struct report_files *files);
void report_files_free(struct report_files *files);
/* A table in a scroll box, which 'name' says in a few words. */
void report_table(struct text *page, const struct table *table, const char *name);

/* ---- report_claims.c ---- */

enum bench_status report_judge(struct report *r);
/* Of one paper (NULL: all) by the papers' arithmetic, or by rows. */
struct report_counts report_count(const struct report *r, const struct report_paper *paper,
                                  bool measured);
bool report_belongs(const struct report_verdict *v, const struct report_paper *paper);
const char *report_word(enum claim_verdict verdict); /* "reproduced" */
/* A bar of the counts with its numbers as text below. */
void report_bar(struct text *page, const struct report_counts *counts, const char *what);
/* How many there are of each verdict, by rows and by printed numbers together. */
void report_total_badges(struct text *page, const struct report_counts *rows,
                         const struct report_counts *printed);
/* "Reproduced", with a sign and a colour. */
void report_badge(struct text *page, enum claim_verdict verdict);
/* Verdicts as a table: those of 'take', or nothing where there are none. */
void report_verdict_table(struct text *page, const struct report *r, const char *name,
                          bool (*take)(const struct report_verdict *v, const void *user),
                          const void *user);
void report_claims(struct text *page, const struct report *r);

/* ---- report_paper.c ---- */

enum bench_status report_read_papers(struct report *r);
void report_paper_free(struct report_paper *paper);
/* The text of a key of [paper], "" where it has none. */
const char *report_says(const struct report_paper *paper, const char *section, const char *key);
/* The section of a paper: its sentence, tables and figures; fills the items. */
enum bench_status report_paper(struct text *page, const struct report *r,
                               struct report_paper *paper);

/* ---- report_facts.c ---- */

/* What is known of the machine; "": nothing. */
const char *report_fact(const struct report *r, const char *key);
/* The printed facts of a table, "stx-table4", beside this machine's; *known: some of these are.  The caller frees both. */
enum bench_status report_facts(const struct report *r, const char *name, struct table *table,
                               struct text *caption, bool *known);

#endif
