/* test_report.c - how questions on the report's page are answered, and what of texts is on it */
#include "harness/analysis/report.h"
#include "tests/test.h"

#include <string.h>

/* The tables f (of one row) and t; 'recorded' has 30 rows; the page, or what is wrong with it. */
static void answers(const char *template, const char *expected)
{
    static const char sql[] =
        "CREATE TABLE f (html, prose); INSERT INTO f VALUES ('<s>\"a'' & b', '`a``<b>` ` c');"
        "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, '<x>'), (2, NULL);"
        "CREATE VIEW recorded AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 "
        "FROM n WHERE id < 30) SELECT id, 'x' || id AS many, id & 1 AS odd, NULL AS b FROM n";
    struct text page = {0};
    struct store *store;
    const char *found = bench_failure();

    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_execute(store, (const unsigned char *)sql, strlen(sql)), BENCH_OK);
    if (!template_add(store, (const unsigned char *)template, strlen(template), &page))
        found = page.data;
    assert_string_equal(found, expected);
    text_free(&page);
    store_close(store);
}

TEST(test_questions_are_answered)
{
    static const char *const cases[][2] = {
        {"{{SELECT html FROM f}}", "&lt;s&gt;&quot;a&#39; &amp; b"},
        {"{{html (SELECT html FROM f)}}", "<s>\"a' & b"},
        {"{{for r: SELECT * FROM f}}{{html prose(prose)}}{{end}}",
         "<code>a</code><code>&lt;b&gt;</code> ` c"},
        {"a {{SELECT b FROM t}} {{each odd}} b", "a &lt;x&gt; 1, 0 b"},
        {"{{SELECT a FROM t WHERE a > 2}}, {{each b}}", "not recorded, not recorded"},
        {"{{each many}}", "x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, "
                          "x16, x17, x18, x19, x20, x21, x22, x23, x24, ..."},
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

int main(void)
{
    return run_all_tests(NULL, NULL);
}
