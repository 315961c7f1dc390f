/* claims_made.h - what tests of claims share: papers and results written by the tests, claims of a text, and their verdicts */
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

#define N(list)      (sizeof(list) / sizeof *(list))
#define HOLDS        CLAIM_REPRODUCED
#define SHAPE        CLAIM_SHAPE_ONLY
#define AGREES       CLAIM_SCALED_AGREES
#define DIFFERS      CLAIM_SCALED_DIFFERS
#define FAILS        CLAIM_CONTRADICTED
#define INCONSISTENT CLAIM_PAPER_INCONSISTENT
#define OPEN         CLAIM_NOT_RUN

/* Claims, to be followed by what they have besides. */
#define CLAIM(kind)    "[r]\nwhere=here\nkind=" kind "\n"
#define ORDER          CLAIM("order")
#define RATIO(printed) CLAIM("ratio") "unit=x\nprinted=" printed "\n"
#define VALUE(printed) CLAIM("value") "unit=ms\nprinted=" printed "\n"
#define TOL            "tol=10%\nbecause=so\n"
#define PAPER(what)    "paper=" what "\n"
#define ROWS(what)     "measured=" what "\n"

static char base[500], paper[600], folder[600];
static const char *expected; /* a file of expected verdicts, if any */
static struct claims claims;
static struct claim_machine machine;

static inline void write_file(const char *in, const char *name, const char *text)
{
    char path[1300];

    assert_int_equal(text_make_folder(in), BENCH_OK);
    snprintf(path, sizeof path, "%s/%s", in, name);
    write_bytes(path, text, strlen(text));
}

/* A session, "20260101T000000Z-1", of rows of experiment x/t on a card, but for what they say themselves. */
static inline void write_session(const char *in, const char *name, const char *rows)
{
    static const char *const usual[][2] = {
        {"utc", "1"},        {"commit", NULL},  {"dirty", "0"},      {"profile", "paper"},
        {"cpu", "a core"},   {"gpu", "a card"}, {"sm_count", "132"}, {"experiment", "x/t"},
        {"device", "gpu"},   {"lap", ""},       {"status", "ok"},    {"verdict", "exact"},
        {"scope", "kernel"}, {"n", "30"}};
    char head[200], file[80], column[40];
    struct text text = {0}, more[2] = {{0}, {0}};

    snprintf(head, sizeof head, ",%.*s,", (int)strcspn(rows, "\n"), rows);
    for (size_t i = 0; i < N(usual); i++) {
        snprintf(column, sizeof column, ",%s,", usual[i][0]);
        if (strstr(head, column))
            continue;
        text_format(&more[0], ",%s", usual[i][0]);
        text_format(&more[1], ",%s", usual[i][1] ? usual[i][1] : name);
    }
    for (const char *line = rows; *line; line += strcspn(line, "\n") + 1)
        text_format(&text, "%s,%.*s%s\n", line == rows ? "session" : name,
                    (int)strcspn(line, "\n"), line, more[line != rows].data);
    snprintf(file, sizeof file, "%s.csv", name);
    write_file(in, file, text.data);
    text_free(&text);
    text_free(&more[0]);
    text_free(&more[1]);
}

static inline void begin_in(const char *name)
{
    snprintf(base, sizeof base, "%s/%s", support_place(), name);
    snprintf(paper, sizeof paper, "%s/paper", base);
    snprintf(folder, sizeof folder, "%s/results/made-up", base);
    support_remove(base);
}

static inline int end(void **unused)
{
    (void)unused;
    claims_free(&claims);
    claim_machine_free(&machine);
    support_remove(base);
    expected = NULL;
    return 0;
}

static inline void parse(const char *text)
{
    claims_free(&claims);
    if (claims_parse(text, strlen(text), "c.ini", paper, expected, &claims) != BENCH_OK)
        fail_msg("%s: %s", text, bench_failure());
}

static inline struct claim_judgement judge(int i, struct claim_machine *by)
{
    struct claim_judgement j;

    if (claims_judge(&claims, &claims.claim[i], by, NULL, &j) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return j;
}

struct refusal {
    const char *text, *why;
};

static inline void all_refused(const struct refusal *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = cases[i].text;

        claims_free(&claims);
        assert_int_equal(claims_parse(text, strlen(text), "c.ini", paper, expected, &claims),
                         BENCH_EINPUT);
        if (strncmp(bench_failure(), "c.ini:", 6) != 0 ||
            !strstr(bench_failure(), cases[i].why))
            fail_msg("%s: %s", text, bench_failure());
        assert_null(claims.claim);
    }
}

/* Of a text's first claim, and a part of the reason. */
struct verdict {
    const char *text;
    enum claim_verdict verdict;
    const char *reason;
};

static inline void all_judged(const struct verdict *cases, size_t n, struct claim_machine *by)
{
    for (size_t i = 0; i < n; i++) {
        struct claim_judgement j;

        parse(cases[i].text);
        j = judge(0, by);
        if (j.verdict != cases[i].verdict || !strstr(j.reason, cases[i].reason))
            fail_msg("%s: %s: %s", cases[i].text, claim_verdict_names[j.verdict], j.reason);
    }
}

/* What claims_report(), 'csv' not NULL, and claims_explain(), 'id' not NULL, write of what was parsed. */
static inline enum bench_status report(struct claim_machine *by, const char *id,
                                       struct text *page, struct text *csv)
{
    char path[700];
    enum bench_status status;
    FILE *out;

    snprintf(path, sizeof path, "%s/page", base);
    assert_non_null(out = fopen(path, "wb"));
    status = claims_report(&claims, by, by != NULL, out, csv);
    if (id)
        assert_int_equal(claims_explain(&claims, id, by, 1, out), BENCH_OK);
    fclose(out);
    text_free(page);
    assert_int_equal(text_read_file(path, page), BENCH_OK);
    return status;
}

static inline void has(const struct text *text, const char *part)
{
    if (!strstr(text->data, part))
        fail_msg("no '%s' in:\n%s", part, text->data);
}

static inline void read_shipped(void)
{
    static const char *const paths[] = {"experiments/claims/rdp.ini",
                                        "experiments/claims/som.ini",
                                        "experiments/claims/stixels.ini"};

    if (claims_read(paths, 3, "results/paper", "experiments/claims/expected.csv", &claims) !=
        BENCH_OK)
        fail_msg("%s", bench_failure());
}

#endif
