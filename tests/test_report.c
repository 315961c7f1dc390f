/* test_report.c - the report's parts: what is escaped, which pictures are taken, how questions on a page are answered */
#include "harness/analysis/html.h"
#include "harness/analysis/template.h"
#include "harness/listing.h"
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

static char base[500];
static struct text page;

static int begin(void **unused)
{
    (void)unused;
    snprintf(base, sizeof base, "%s/report-parts", support_place());
    support_remove(base);
    assert_int_equal(text_make_folder(base), BENCH_OK);
    page = (struct text){0};
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    text_free(&page);
    return 0;
}

static void expect(const char *expected)
{
    assert_int_equal(text_ok(&page), BENCH_OK);
    assert_string_equal(page.data ? page.data : "", expected);
    text_free(&page);
}

/* ---- text ---- */

static void test_text_is_escaped(void **unused)
{
    static const char *const cases[][2] = {
        {"<script>alert('a & b')</script>\"",
         "&lt;script&gt;alert(&#39;a &amp; b&#39;)&lt;/script&gt;&quot;"},
        {"&lt;", "&amp;lt;"},
        {"\u03b5 = 4 \u2260 \U0001F600", "\u03b5 = 4 \u2260 \U0001F600"},
        {"a\tb\nc", "a\tb\nc"}};

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        html_text(&page, cases[i][0]);
        expect(cases[i][1]);
    }
    html_format(&page, "%d %s", 7, "<b>");
    expect("7 &lt;b&gt;");
    html_format(&page, "<b>%.2s</b> %.*s %d%%", "a<b", 1, "x<", 5);
    expect("<b>a&lt;</b> x 5%");
}

/* What is no character of a page: control characters, lone and overlong bytes, surrogates, a cut at the end. */
static void test_bytes_that_are_no_text(void **unused)
{
    static const char *const bad[] = {"\x01",
                                      "\x1b",
                                      "\x7f",
                                      "\x80",
                                      "\xff",
                                      "\xc0",
                                      "\xc3",
                                      "\xf5",
                                      "\xe2\x82",
                                      "\xf0\x9f\x98",
                                      "\xc0\xaf",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80"};

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        html_text(&page, bad[i]);
        html_text(&page, "a<");
        assert_int_equal(strncmp(page.data, "\xef\xbf\xbd", 3), 0);
        assert_null(strpbrk(page.data, "\xc0\xed\xf4"));
        assert_null(strstr(page.data, bad[i]));
        assert_non_null(strstr(page.data, "a&lt;"));
        text_free(&page);
    }
}

static void test_prose_has_code(void **unused)
{
    static const char *const cases[][2] = {
        {"run `make <x>` now", "run <code>make &lt;x&gt;</code> now"},
        {"a lone ` stays", "a lone ` stays"},
        {"`a``b`", "<code>a</code><code>b</code>"},
        {"`a` and ` b", "<code>a</code> and ` b"}};

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        html_prose(&page, cases[i][0]);
        expect(cases[i][1]);
    }
}

/* The vectors of RFC 4648, section 10, and bytes of all kinds. */
static void test_base64(void **unused)
{
    static const char *const coded[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    static const unsigned char bytes[] = {0x00, 0xff, 0xfb, 0xef, 0xbe};

    (void)unused;
    for (size_t i = 0; i < sizeof coded / sizeof *coded; i++) {
        html_base64(&page, "foobar", i);
        expect(coded[i]);
    }
    html_base64(&page, bytes, sizeof bytes);
    expect("AP/7774=");
}

/* ---- pictures ---- */

static const char *write_in(const char *name, const void *bytes, size_t n)
{
    static char path[700];

    snprintf(path, sizeof path, "%s/%s", base, name);
    write_bytes(path, bytes, n);
    return path;
}

static void test_pictures(void **unused)
{
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2\0\0\0\7";
    static const char svg[] = "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 900 538\"></svg>\n";
    static const char image[] =
        "<img width=\"258\" height=\"7\" alt=\"a &quot;chart&quot; &lt;of&gt; it\" "
        "src=\"data:image/png;base64,iVBORw0KGgo";

    (void)unused;
    assert_int_equal(
        html_image(&page, write_in("a.png", png, sizeof png - 1), "a \"chart\" <of> it"),
        BENCH_OK);
    assert_int_equal(strncmp(page.data, image, strlen(image)), 0);
    text_free(&page);
    assert_int_equal(html_image(&page, write_in("a.svg", svg, strlen(svg)), "x"), BENCH_OK);
    assert_non_null(strstr(page.data, "width=\"900\" height=\"538\""));
    assert_non_null(strstr(page.data, "data:image/svg+xml;base64,PD94"));
    assert_null(strstr(page.data, "<svg")); /* nothing in it can act on the page */
}

static void test_no_pictures(void **unused)
{
    static const char *const bad[] = {"",
                                      "text",
                                      "<svg>no size</svg>",
                                      "\x89PNG\r\n\x1a\n",
                                      "<svg viewBox=\"0 0 0 5\">",
                                      "<svg viewBox=\"0 0 nan 5\">"};

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(html_image(&page, write_in("bad", bad[i], strlen(bad[i])), "x"),
                         BENCH_EINPUT);
        assert_non_null(strstr(bench_failure(), "expected a PNG or an SVG"));
        assert_int_equal(page.size, 0);
    }
    assert_int_equal(html_image(&page, "nowhere", "x"), BENCH_EIO);
}

/* ---- what is looked up ---- */

static void test_files(void **unused)
{
    static const char *const names[] = {"2.env.txt", "1.env.txt", ".hidden.env.txt", ".env.txt",
                                        "1.csv"};
    struct listing files;

    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_in(names[i], "1", 1);
    assert_int_equal(listing_read(base, ".env.txt", &files), BENCH_OK);
    assert_int_equal(files.n, 2);
    assert_string_equal(listing_name(files.path[0]), "1.env.txt");
    assert_string_equal(listing_name(files.path[1]), "2.env.txt");
    listing_free(&files);
    assert_int_equal(listing_read("nowhere", ".txt", &files), BENCH_OK);
    assert_int_equal(files.n, 0);
    assert_int_equal(listing_read(write_in("1.csv", "1", 1), ".txt", &files), BENCH_EIO);
}

/* ---- pages with questions ---- */

static enum bench_status answer(const char *template)
{
    static const unsigned char sql[] =
        "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, '<x>'), "
        "(2, NULL); CREATE VIEW recorded AS SELECT a AS id, * FROM t";
    struct store *store;
    enum bench_status status;

    assert_int_equal(store_open(&store), BENCH_OK);
    assert_int_equal(store_execute(store, sql, sizeof sql - 1), BENCH_OK);
    status = template_add(store, (const unsigned char *)template, strlen(template), &page);
    store_close(store);
    return status;
}

static void test_questions_are_answered(void **unused)
{
    static const char *const cases[][2] = {
        {"a {{SELECT a FROM t}} {{each b}} b", "a 1, 2 &lt;x&gt; b"},
        {"{{SELECT a FROM t WHERE a > 2}}", "not recorded"},
        {"{{for SELECT * FROM t}}\n{{a}}{{b}};\n{{end}}\n.", "1&lt;x&gt;;\n2;\n."},
        {"{{for SELECT * FROM t}}{{if :b IS NULL}}{{a}}{{end}}{{end}}", "2"},
        {"{{for SELECT a FROM t}}{{for SELECT b FROM t WHERE a = :a}}{{a}}{{html "
         "b}}{{end}}{{end}}",
         "1<x>2"},
        {"{{part p}}\n{{a}}!{{end}}\n{{for SELECT * FROM t}}{{use p}}{{end}}", "1!2!"},
        {"{{for SELECT 'a `b`' AS c}}{{prose c}}{{end}}", "a <code>b</code>"},
        {"{{table of it: SELECT a FROM t WHERE a = 1}}",
         "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"of it\">"}};
    static const char *const bad[][2] = {
        {"{{a}}", "no column is called 'a'"},
        {"{{if :x}}{{end}}", "no column is called 'x'"},
        {"{{use p}}", "no part is called 'p'"},
        {"{{for SELECT c FROM t}}{{end}}", "no such column: c"}};

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(answer(cases[i][0]), BENCH_OK);
        if (i < sizeof cases / sizeof *cases - 1)
            expect(cases[i][1]);
    }
    assert_int_equal(strncmp(page.data, cases[7][1], strlen(cases[7][1])), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(answer(bad[i][0]), BENCH_OK);
        assert_non_null(strstr(bench_failure(), bad[i][1]));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_text_is_escaped), TEST(test_bytes_that_are_no_text),
        TEST(test_prose_has_code),  TEST(test_base64),
        TEST(test_pictures),        TEST(test_no_pictures),
        TEST(test_files),           TEST(test_questions_are_answered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
