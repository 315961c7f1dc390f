/* claims_made.h - what tests of claims share: a folder with made-up papers and results, claims of a text, what they come to */
#ifndef TESTS_CLAIMS_MADE_H
#define TESTS_CLAIMS_MADE_H

#include "judge/claims.h"
#include "tests/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/files.h"

static char base[500], paper[600], folder[600];
static struct claims claims;
static struct claim_machine machine;

static inline void write_file(const char *in, const char *name, const char *text)
{
    char path[1300];

    assert_int_equal(text_make_folder(in), BENCH_OK);
    snprintf(path, sizeof path, "%s/%s", in, name);
    write_bytes(path, text, strlen(text));
}

static inline int end(void **unused)
{
    (void)unused;
    claims_free(&claims);
    claim_machine_free(&machine);
    support_remove(base);
    return 0;
}

static inline void parse(const char *text)
{
    claims_free(&claims);
    if (claims_parse(text, strlen(text), "c.ini", paper, &claims) != BENCH_OK)
        fail_msg("%s: %s", text, bench_failure());
}

static inline void file_refused(const char *text, const char *why)
{
    claims_free(&claims);
    assert_int_equal(claims_parse(text, strlen(text), "c.ini", paper, &claims), BENCH_EINPUT);
    if (strncmp(bench_failure(), "c.ini:", 6) != 0 || !strstr(bench_failure(), why))
        fail_msg("%s", bench_failure());
    assert_null(claims.claim);
}

static inline struct claim_judgement judge(int i, const struct claim_machine *by)
{
    struct claim_judgement j;

    if (claims_judge(&claims, &claims.claim[i], by, NULL, &j) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return j;
}

/* Of the text's first claim. */
static inline void verdict_is(const char *text, const struct claim_machine *by,
                              enum claim_verdict wanted, const char *reason)
{
    struct claim_judgement j;

    parse(text);
    j = judge(0, by);
    if (j.verdict != wanted || !strstr(j.reason, reason))
        fail_msg("%s: %s: %s", text, claim_verdict_names[j.verdict], j.reason);
}

#endif
