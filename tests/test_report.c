/* test_report.c - the report's parts: what is escaped, which pictures are taken, how questions on a page are answered */
#include "harness/analysis/template.h"
#include "tests/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/files.h"

static struct text page;

/* The tables f (of one row) and t, of which 'recorded' has 30 rows. */
static enum bench_status answer(const char *template)
{
    static const char sql[] =
        "CREATE TABLE f (html, prose, path); INSERT INTO f VALUES ('<s>\"a'' & b', "
        "'`a``<b>` ` c', '%s'); CREATE TABLE t (a, b); INSERT INTO t VALUES (1, '<x>'), "
        "(2, NULL); CREATE VIEW recorded AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL "
        "SELECT id + 1 FROM n WHERE id < 30) SELECT id, 'x' || id AS many, id & 1 AS odd, "
        "NULL AS b FROM n";
    char path[600], all[1500];
    struct store *store;
    enum bench_status status;

    snprintf(path, sizeof path, "%s/picture", support_place());
    snprintf(all, sizeof all, sql, path);
    text_free(&page);
    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_execute(store, (const unsigned char *)all, strlen(all)), BENCH_OK);
    status = template_add(store, (const unsigned char *)template, strlen(template), &page);
    store_close(store);
    return status;
}

static void test_questions_are_answered(void **unused)
{
    static const char *const cases[][2] = {
        {"{{for SELECT * FROM f}}{{html}}{{end}}", "&lt;s&gt;&quot;a&#39; &amp; b"},
        {"{{for SELECT * FROM f}}{{html html}}{{end}}", "<s>\"a' & b"},
        {"{{for SELECT * FROM f}}{{prose prose}}{{end}}",
         "<code>a</code><code>&lt;b&gt;</code> ` c"},
        {"a {{SELECT b FROM t}} {{each odd}} b", "a &lt;x&gt; 1, 0 b"},
        {"{{SELECT a FROM t WHERE a > 2}}, {{each b}}", "not recorded, not recorded"},
        {"{{each many}}", "x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, "
                          "x16, x17, x18, x19, x20, x21, x22, x23, x24, ..."},
        {"{{for SELECT * FROM t}}\n{{a}}{{b}};\n{{end}}\n.", "1&lt;x&gt;;\n2;\n."},
        {"{{for SELECT * FROM t}}{{if :b IS NULL}}{{a}}{{end}}{{end}}", "2"},
        {"{{for SELECT a FROM t}}{{for SELECT b FROM t WHERE a = :a}}{{a}}{{html "
         "b}}{{end}}{{end}}",
         "1<x>2"},
        {"{{part p}}\n{{a}}!{{end}}\n{{for SELECT * FROM t}}{{use p}}{{end}}", "1!2!"}};
    static const char *const bad[][2] = {
        {"{{a}}", "no column is called 'a'"},
        {"{{if :x}}{{end}}", "no column is called 'x'"},
        {"{{use p}}", "no part is called 'p'"},
        {"{{for SELECT c FROM t}}{{end}}", "no such column: c"}};

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(answer(cases[i][0]), BENCH_OK);
        assert_string_equal(page.data, cases[i][1]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(answer(bad[i][0]), BENCH_OK);
        assert_non_null(strstr(bench_failure(), bad[i][1]));
    }
}

/* Of all lengths, as RFC 4648 has it; nothing in a picture can act on the page. */
static void test_pictures(void **unused)
{
    static const char *const cases[][2] = {
        {"<svg>\xff", "data:image/svg+xml;base64,PHN2Zz7/"},
        {"<svg/>a", "data:image/svg+xml;base64,PHN2Zy8+YQ=="},
        {"<svg/>ab", "data:image/svg+xml;base64,PHN2Zy8+YWI="},
        {"\x89PNG\r\n\x1a\n", "data:image/png;base64,iVBORw0KGgo="},
        {"", NULL},
        {"text", NULL}};
    static const char picture[] = "{{for SELECT * FROM f}}{{image path}}{{end}}";
    char path[600];

    (void)unused;
    assert_int_equal(text_make_folder(support_place()), BENCH_OK);
    snprintf(path, sizeof path, "%s/picture", support_place());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_bytes(path, cases[i][0], strlen(cases[i][0]));
        assert_int_equal(answer(picture), cases[i][1] ? BENCH_OK : BENCH_EINPUT);
        if (cases[i][1])
            assert_string_equal(page.data, cases[i][1]);
        else
            assert_non_null(strstr(bench_failure(), "expected a PNG or an SVG"));
    }
    assert_int_equal(remove(path), 0);
    assert_int_equal(answer(picture), BENCH_EIO);
    text_free(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_questions_are_answered),
                                       cmocka_unit_test(test_pictures)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
