/* test_report.c - answers to questions on the report's page, and texts on it */
#include "harness/analysis/report.h"
#include "tests/test.h"

#include <string.h>

/* The tables f (of one row) and t; the page, or what is wrong with it. */
static void answers(const char *template, const char *expected)
{
    static const char sql[] =
        "CREATE TABLE f (html, prose); INSERT INTO f VALUES ('<s>\"a'' & b', '`a``<b>` ` c');"
        "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, '<x>'), (2, NULL);";
    struct text page = {0};
    struct store *store;
    const char *found = bench_failure();

    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_execute(store, (const unsigned char *)sql, strlen(sql)), BENCH_OK);
    if (!template_add(store, (const unsigned char *)template, strlen(template), &page))
        found = page.data;
    assert_string_equal(found, expected);
    text_free(&page);
    store_close(&store);
}

TEST(test_questions_are_answered)
{
    static const char *const cases[][2] = {
        {"{{SELECT html FROM f}}", "&lt;s&gt;&quot;a&#39; &amp; b"},
        {"{{html (SELECT html FROM f)}}", "<s>\"a' & b"},
        {"{{for r: SELECT * FROM f}}{{html prose(prose)}}{{end}}",
         "<code>a</code><code>&lt;b&gt;</code> ` c"},
        {"a {{SELECT b FROM t}} b", "a &lt;x&gt; b"},
        {"{{SELECT a FROM t WHERE a > 2}}", "not recorded"},
        {"{{for r: SELECT * FROM t}}\n{{a}}{{b}};\n{{end}}\n.", "1&lt;x&gt;;\n2;\n."},
        {"{{for r: SELECT * FROM t ORDER BY a DESC}}{{if b IS NULL}}{{a}}{{end}}.{{end}}",
         "2.."},
        {"{{for r: SELECT a FROM t}}{{for s: SELECT b FROM t WHERE a = r.a}}{{a}}{{html b}}"
         "{{end}}{{end}}",
         "1<x>2"},
        {"{{table p: SELECT * FROM t}}\n{{a}}!{{end}}\n{{for r: SELECT * FROM p}}{{html}}{{b}}"
         "{{end}}",
         "1!&lt;x&gt;2!"},
        {"{{a}}", "sql: no such column: a"},
        {"{{for r: SELECT c FROM t}}{{end}}", "sql: no such column: c"},
        {"{{image('/no.svg')}}", "sql: /no.svg: cannot open: No such file or directory"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        answers(cases[i][0], cases[i][1]);
}
