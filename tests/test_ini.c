/* test_ini.c - descriptor files: what libinih would swallow silently is seen */
#include "harness/base/ini.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <setjmp.h>
#include <cmocka.h>

static enum bench_status parse(const char *text, struct ini_file *ini)
{
    bench_failure_clear();
    return ini_parse_text(text, strlen(text), "a.ini", ini);
}

static void check_fact(const struct ini_file *ini, int at, const char *section, const char *key,
                       const char *value, int line)
{
    assert_in_range(at, 0, ini->n_facts - 1);
    assert_string_equal(ini->fact[at].section, section);
    assert_string_equal(ini->fact[at].key, key);
    assert_string_equal(ini->fact[at].value, value);
    assert_int_equal(ini->fact[at].line, line);
}

static void check_refused(const char *text, const char *sentence)
{
    struct ini_file ini;

    memset(&ini, 0xa5, sizeof ini);
    assert_int_equal(parse(text, &ini), BENCH_EINPUT);
    assert_string_equal(bench_failure(), sentence);
    assert_null(ini.path);
    assert_null(ini.fact);
    assert_int_equal(ini.n_facts, 0);
}

static void facts_have_their_lines(void **state)
{
    struct ini_file ini;
    (void)state;

    assert_int_equal(parse("top = 1\n"
                           "; a comment\n"
                           "[global]   ; another\n"
                           "problem=rdp\n"
                           "\n"
                           "   \t\n"
                           "eps   =  4, 8   ; px\n"
                           "[fig9]\n"
                           "  cell = rdp/gpu-paper ? height=1024\n"
                           "# also a comment\n"
                           "empty =\n"
                           "[global]\n"
                           "last = no;comment",
                           &ini),
                     BENCH_OK);
    assert_string_equal(ini.path, "a.ini");
    assert_int_equal(ini.n_facts, 6);
    check_fact(&ini, 0, "", "top", "1", 1);
    check_fact(&ini, 1, "global", "problem", "rdp", 4);
    check_fact(&ini, 2, "global", "eps", "4, 8", 7);
    check_fact(&ini, 3, "fig9", "cell", "rdp/gpu-paper ? height=1024", 9);
    check_fact(&ini, 4, "fig9", "empty", "", 11);
    check_fact(&ini, 5, "global", "last", "no;comment", 13);
    assert_ptr_equal(ini_find(&ini, "fig9", "empty"), &ini.fact[4]);
    assert_null(ini_find(&ini, "fig9", "eps"));
    assert_null(ini_find(&ini, "fig", "empty"));
    ini_free(&ini);
    assert_null(ini.fact);
}

static void byte_order_mark_and_crlf_are_fine(void **state)
{
    struct ini_file ini;
    (void)state;

    assert_int_equal(parse("\xef\xbb\xbf[a]\r\nx = 1, \r\n  2\r\n\r\ny = 3\r\n", &ini),
                     BENCH_OK);
    assert_int_equal(ini.n_facts, 2);
    check_fact(&ini, 0, "a", "x", "1, 2", 2);
    check_fact(&ini, 1, "a", "y", "3", 5);
    ini_free(&ini);
}

static void empty_files_are_fine(void **state)
{
    static const char *const texts[] = {"", "\n", "\xef\xbb\xbf", "; nothing", "\r\n\r\n"};
    (void)state;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ini_file ini;

        assert_int_equal(parse(texts[i], &ini), BENCH_OK);
        assert_int_equal(ini.n_facts, 0);
        ini_free(&ini);
    }
}

static void values_go_on_over_indented_lines(void **state)
{
    struct ini_file ini;
    (void)state;

    assert_int_equal(parse("[a]\n"
                           "x = 1, 2,\n"
                           "    3,     ; three\n"
                           "\n"
                           "    ; only a comment\n"
                           "\t4,\n"
                           "    , 5\n"
                           "y =\n"
                           "    6\n"
                           "    x = 7\n"
                           "z = 8\n"
                           "[b]\n"
                           "    first = 9\n"
                           "    10\n",
                           &ini),
                     BENCH_OK);
    assert_int_equal(ini.n_facts, 4);
    check_fact(&ini, 0, "a", "x", "1, 2, 3, 4,, 5",
               2); /* an empty element: the reader of lists says so */
    check_fact(&ini, 1, "a", "y", "6 x = 7", 8);
    check_fact(&ini, 2, "a", "z", "8", 11);
    check_fact(&ini, 3, "b", "first", "9 10", 13);
    ini_free(&ini);
}

static void repeat(char *text, char c, size_t n)
{
    memset(text, c, n);
    text[n] = '\0';
}

static void long_lines_are_refused(void **state)
{
    struct ini_file ini;
    char text[600], line[400];
    (void)state;

    repeat(line, '1', 186); /* "x = " and 186: the longest there may be */
    snprintf(text, sizeof text, "[a]\nx = %s\r\ny = 2\n", line);
    assert_int_equal(parse(text, &ini), BENCH_OK);
    check_fact(&ini, 0, "a", "x", line, 2);
    check_fact(&ini, 1, "a", "y", "2", 3);
    ini_free(&ini);

    repeat(line, '1', 187);
    snprintf(text, sizeof text, "[a]\nx = %s\ny = 2\n", line);
    check_refused(text, "a.ini:2: a line has at most 190 bytes, this one has 191; go on in an "
                        "indented line");
    repeat(line, '1', 390); /* two of libinih's lines */
    snprintf(text, sizeof text, "[a]\nx = 1\n   %s", line);
    check_refused(text, "a.ini:3: a line has at most 190 bytes, this one has 393; go on in an "
                        "indented line");
}

static void long_sections_are_refused(void **state)
{
    struct ini_file ini;
    char name[64], text[200];
    (void)state;

    repeat(name, 's', 48);
    snprintf(text, sizeof text, "[%s]\nx = 1\n", name);
    assert_int_equal(parse(text, &ini), BENCH_OK);
    check_fact(&ini, 0, name, "x", "1", 2);
    ini_free(&ini);
    repeat(name, 's', 49);
    snprintf(text, sizeof text, "\n[%s]\nx = 1\n", name);
    check_refused(text, "a.ini:2: a section name has at most 48 bytes, this one has 49");
}

static void long_values_are_refused(void **state)
{
    const size_t n_lines = 400;
    const size_t size = 16 + n_lines * 190;
    char *text = malloc(size);
    size_t length;
    struct ini_file ini;
    (void)state;

    assert_non_null(text);
    length = (size_t)snprintf(text, size, "[a]\nx = 1\n");
    for (size_t i = 0; i < n_lines; i++)
        length += (size_t)snprintf(text + length, size - length, " %0180d\n", 7);
    assert_int_equal(parse(text, &ini), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "the value of 'x' is longer than 65535 bytes"));
    free(text);
}

static void duplicates_are_refused(void **state)
{
    struct ini_file ini;
    (void)state;

    check_refused("[a]\nx = 1\ny = 2\nx = 1\ny = 3\n",
                  "a.ini:4: key 'x' of [a] is given already in line 2");
    check_refused("[a]\nx = 1\n[b]\nx = 2\n[a]\nx = 3\n",
                  "a.ini:6: key 'x' of [a] is given already in line 2");
    /* indented below a heading it is a key, not a continuation */
    check_refused("[a]\nx = 1\n[a]\n x = 3\n",
                  "a.ini:4: key 'x' of [a] is given already in line 2");
    assert_int_equal(parse("[a]\nx = 1\n[b]\nx = 1\n[a]\nX = 1\n", &ini), BENCH_OK);
    assert_int_equal(ini.n_facts, 3);
    ini_free(&ini);
}

static void malformed_lines_are_refused(void **state)
{
    (void)state;
    check_refused("[a]\nx = 1\nheight 1024\n",
                  "a.ini:3: expected 'key = value' or '[section]'");
    check_refused("[a]\n= 4\n", "a.ini:2: expected 'key = value', found no key");
    check_refused("[a\nx = 1\n", "a.ini:1: expected a heading '[name]', found '[a'");
    check_refused("[]\nx = 1\n", "a.ini:1: expected a heading '[name]', found '[]'");
    check_refused("[a] x = 1\n", "a.ini:1: expected a heading '[name]', found '[a] x = 1'");
    check_refused("[a]\nx = 1\n  [b]\ny = 2\n",
                  "a.ini:3: a heading begins at the start of its line");
    check_refused("[a]\n[b]\nx = 1\n", "a.ini:1: section [a] has no key");
    check_refused("[a]\nx = 1\n[b]\n", "a.ini:3: section [b] has no key");
    check_refused("[a]\nx = \x01\n", "a.ini:2: byte 0x01 does not belong in a text file");
    check_refused("[a]\nx = 1\ry = 2\n", "a.ini:2: byte 0x0d does not belong in a text file");
}

static void nul_bytes_are_refused(void **state)
{
    static const char text[] = "[a]\nx = 1\0 2\n";
    struct ini_file ini;
    (void)state;

    assert_int_equal(ini_parse_text(text, sizeof text - 1, "a.ini", &ini), BENCH_EINPUT);
    assert_string_equal(bench_failure(), "a.ini:2: byte 0x00 does not belong in a text file");
}

static void large_files_are_refused(void **state)
{
    const size_t limit = 1u << 20;
    char *text = malloc(limit + 1);
    struct ini_file ini;
    (void)state;

    assert_non_null(text);
    memset(text, '\n', limit + 1);
    assert_int_equal(ini_parse_text(text, limit, "a.ini", &ini), BENCH_OK);
    ini_free(&ini);
    assert_int_equal(ini_parse_text(text, limit + 1, "a.ini", &ini), BENCH_EINPUT);
    assert_string_equal(bench_failure(),
                        "a.ini: a descriptor has at most 1 MiB, this one has more");
    free(text);
}

/* A path below the tests' folder. */
static const char *scratch(const char *name)
{
    static char path[512];
    const char *folder = getenv("TEST_TMP");

    if (folder == NULL) {
        mkdir("build", 0777);
        folder = "build/test-tmp";
    }
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void files_are_read(void **state)
{
    const char *path = scratch("test_ini.ini");
    FILE *file = fopen(path, "wb");
    struct ini_file ini;
    char sentence[600];
    (void)state;

    assert_non_null(file);
    fputs("[a]\nx = 1\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(ini_read(path, &ini), BENCH_OK);
    assert_string_equal(ini.path, path);
    check_fact(&ini, 0, "a", "x", "1", 2);
    ini_free(&ini);
    unlink(path);

    memset(&ini, 0xa5, sizeof ini);
    assert_int_equal(ini_read(path, &ini), BENCH_EIO);
    snprintf(sentence, sizeof sentence, "%s: cannot be opened: No such file or directory",
             path);
    assert_string_equal(bench_failure(), sentence);
    assert_null(ini.fact);
    assert_int_equal(ini_read("tests", &ini), BENCH_EIO);
    assert_string_equal(bench_failure(), "tests: is no regular file");
    path = scratch("test_ini.pipe"); /* must not wait for a writer */
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(ini_read(path, &ini), BENCH_EIO);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_have_their_lines),
        cmocka_unit_test(byte_order_mark_and_crlf_are_fine),
        cmocka_unit_test(empty_files_are_fine),
        cmocka_unit_test(values_go_on_over_indented_lines),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(long_sections_are_refused),
        cmocka_unit_test(long_values_are_refused),
        cmocka_unit_test(duplicates_are_refused),
        cmocka_unit_test(malformed_lines_are_refused),
        cmocka_unit_test(nul_bytes_are_refused),
        cmocka_unit_test(large_files_are_refused),
        cmocka_unit_test(files_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
