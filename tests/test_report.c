/* test_report.c - the report's parts: what is escaped, which pictures are taken */
#include "judge/report.h"
#include "harness/analysis/html.h"
#include "judge/report_private.h"
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
    (void)unused;
    html_text(&page, "<script>alert('a & b')</script>\"");
    expect("&lt;script&gt;alert(&#39;a &amp; b&#39;)&lt;/script&gt;&quot;");
    html_text(&page, "&lt;");
    expect("&amp;lt;");
    html_text(&page, "\u03b5 = 4 \u2260 \U0001F600");
    expect("\u03b5 = 4 \u2260 \U0001F600");
    html_format(&page, "%d %s", 7, "<b>");
    expect("7 &lt;b&gt;");
    html_format(&page, "<b>%.2s</b> %.*s %d%%", "a<b", 1, "x<", 5);
    expect("<b>a&lt;</b> x 5%");
}

/* What is no character of a page: control characters, lone and overlong bytes, surrogates, a cut at the end. */
static void test_bytes_that_are_no_text(void **unused)
{
    static const char *const bad[] = {"\x01", "\x1b", "\x7f", "\x80",     "\xff",
                                      "\xc0", "\xc3", "\xf5", "\xe2\x82", "\xf0\x9f\x98"};

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        html_text(&page, bad[i]);
        html_text(&page, "a<");
        assert_non_null(strstr(page.data, "\xef\xbf\xbd"));
        assert_null(strstr(page.data, bad[i]));
        assert_non_null(strstr(page.data, "a&lt;"));
        text_free(&page);
    }
    html_text(&page, "\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80");
    assert_null(strpbrk(page.data, "\xc0\xed\xf4"));
    text_free(&page);
    html_text(&page, "a\tb\nc");
    expect("a\tb\nc");
}

static void test_prose_has_code(void **unused)
{
    (void)unused;
    html_prose(&page, "run `make <x>` now");
    expect("run <code>make &lt;x&gt;</code> now");
    html_prose(&page, "a lone ` stays, ");
    html_prose(&page, "`a``b`");
    expect("a lone ` stays, <code>a</code><code>b</code>");
    html_prose(&page, "`a` and ` b");
    expect("<code>a</code> and ` b");
}

/* The vectors of RFC 4648, section 10, and bytes of all kinds. */
static void test_base64(void **unused)
{
    static const char *const plain[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
    static const char *const coded[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    static const unsigned char bytes[] = {0x00, 0xff, 0xfb, 0xef, 0xbe};

    (void)unused;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        html_base64(&page, plain[i], strlen(plain[i]));
        expect(coded[i]);
    }
    html_base64(&page, bytes, sizeof bytes);
    expect("AP/7774=");
}

/* ---- pictures ---- */

static void write_in(const char *name, const void *bytes, size_t n, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", base, name);
    write_bytes(path, bytes, n);
}

static void test_pictures(void **unused)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                        0,    0,   0,   13,  'I',  'H',  'D',  'R',
                                        0,    0,   1,   2,   0,    0,    0,    7};
    static const char svg[] = "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 900 538\"></svg>\n";
    char path[700];

    (void)unused;
    write_in("a.png", png, sizeof png, path, sizeof path);
    assert_int_equal(html_image(&page, path, "a \"chart\" <of> it"), BENCH_OK);
    assert_int_equal(
        strncmp(
            page.data,
            "<img width=\"258\" height=\"7\" alt=\"a &quot;chart&quot; &lt;of&gt; it\" "
            "src=\"data:image/png;base64,iVBORw0KGgo",
            strlen("<img width=\"258\" height=\"7\" alt=\"a &quot;chart&quot; &lt;of&gt; it\" "
                   "src=\"data:image/png;base64,iVBORw0KGgo")),
        0);
    text_free(&page);
    write_in("a.svg", svg, strlen(svg), path, sizeof path);
    assert_int_equal(html_image(&page, path, "x"), BENCH_OK);
    assert_non_null(strstr(page.data, "width=\"900\" height=\"538\""));
    assert_non_null(strstr(page.data, "data:image/svg+xml;base64,PD94"));
    assert_null(strstr(page.data, "<svg")); /* nothing in it can act on the page */
    text_free(&page);
}

static void test_no_pictures(void **unused)
{
    static const char *const bad[] = {"",
                                      "text",
                                      "<svg>no size</svg>",
                                      "\x89PNG\r\n\x1a\n",
                                      "<svg viewBox=\"0 0 0 5\">",
                                      "<svg viewBox=\"0 0 nan 5\">"};
    char path[700];

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_in("bad", bad[i], strlen(bad[i]), path, sizeof path);
        assert_int_equal(html_image(&page, path, "x"), BENCH_EINPUT);
        assert_non_null(strstr(bench_failure(), "expected a PNG or an SVG"));
        assert_int_equal(page.size, 0);
    }
    snprintf(path, sizeof path, "%s/nowhere", base);
    assert_int_equal(html_image(&page, path, "x"), BENCH_EIO);
}

/* ---- what is looked up ---- */

static void test_files(void **unused)
{
    struct report_files files;
    char path[700], folder[600];

    (void)unused;
    write_in("2.env.txt", "1234", 4, path, sizeof path);
    write_in("1.env.txt", "12345", 5, path, sizeof path);
    write_in(".hidden.env.txt", "1", 1, path, sizeof path);
    write_in(".env.txt", "1", 1, path, sizeof path);
    write_in("1.csv", "1", 1, path, sizeof path);
    assert_int_equal(report_list(base, ".env.txt", &files), BENCH_OK);
    assert_int_equal(files.n, 2);
    assert_string_equal(strrchr(files.path[0], '/'), "/1.env.txt");
    assert_string_equal(strrchr(files.path[1], '/'), "/2.env.txt");
    report_files_free(&files);
    for (int i = 0; i < 300; i++) { /* a session a day for a year, nearly */
        char name[20];

        snprintf(name, sizeof name, "%d.log", i);
        write_in(name, "", 0, path, sizeof path);
    }
    assert_int_equal(report_list(base, ".log", &files), BENCH_OK);
    assert_int_equal(files.n, 300);
    report_files_free(&files);
    snprintf(folder, sizeof folder, "%s/nowhere", base);
    assert_int_equal(report_list(folder, ".txt", &files), BENCH_OK);
    assert_int_equal(files.n, 0);
    snprintf(folder, sizeof folder, "%s/1.csv", base);
    assert_int_equal(report_list(folder, ".txt", &files), BENCH_EIO);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_text_is_escaped), TEST(test_bytes_that_are_no_text),
        TEST(test_prose_has_code),  TEST(test_base64),
        TEST(test_pictures),        TEST(test_no_pictures),
        TEST(test_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
