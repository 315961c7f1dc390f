/* test_ini.c - descriptor files: what libinih would swallow silently is seen */
#include "harness/base/ini.h"
#include "tests/inputs.h"

#include <sys/stat.h>

static enum bench_status parse(const char *text, struct ini_file *ini)
{
    bench_failure_clear();
    memset(ini, 0xa5, sizeof *ini);
    return ini_parse_text(text, strlen(text), "a.ini", ini);
}

/* Each fact as a line "LINE [SECTION] KEY = VALUE". */
static void check_facts(const char *text, const char *facts)
{
    struct ini_file ini;
    struct text found = {0};

    if (parse(text, &ini) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_string_equal(ini.path, "a.ini");
    text_add(&found, "");
    for (int i = 0; i < ini.n_facts; i++) {
        const struct ini_fact *fact = &ini.fact[i];

        assert_ptr_equal(ini_find(&ini, fact->section, fact->key), fact);
        text_format(&found, "%d [%s] %s = %s\n", fact->line, fact->section, fact->key,
                    fact->value);
    }
    assert_string_equal(found.data, facts);
    assert_null(ini_find(&ini, "a", "not"));
    assert_null(ini_find(&ini, "not", "x"));
    text_free(&found);
    ini_free(&ini);
    assert_null(ini.fact);
}

static void check_refused(const char *text, const char *sentence)
{
    struct ini_file ini;

    assert_int_equal(parse(text, &ini), BENCH_EINPUT);
    assert_string_equal(bench_failure(), sentence);
    assert_null(ini.path);
    assert_null(ini.fact);
    assert_int_equal(ini.n_facts, 0);
}

TEST(facts_have_their_lines)
{
    static const char *const cases[][2] = {
        {"top = 1\n; a comment\n[global]   ; another\nproblem=rdp\n\n   \t\n"
         "eps   =  4, 8   ; px\n[fig9]\n  cell = rdp/gpu-paper ? height=1024\n"
         "# also a comment\nempty =\n[global]\nlast = no;comment",
         "1 [] top = 1\n4 [global] problem = rdp\n7 [global] eps = 4, 8\n"
         "9 [fig9] cell = rdp/gpu-paper ? height=1024\n11 [fig9] empty = \n"
         "13 [global] last = no;comment\n"},
        /* a byte order mark and carriage returns */
        {"\xef\xbb\xbf[a]\r\nx = 1, \r\n  2\r\n\r\ny = 3\r\n", "2 [a] x = 1, 2\n5 [a] y = 3\n"},
        /* values go on over indented lines; of an empty element the reader of lists says so */
        {"[a]\nx = 1, 2,\n    3,     ; three\n\n    ; only a comment\n\t4,\n    , 5\n"
         "y =\n    6\n    x = 7\nz = 8\n[b]\n    first = 9\n    10\n",
         "2 [a] x = 1, 2, 3, 4,, 5\n8 [a] y = 6 x = 7\n11 [a] z = 8\n"
         "13 [b] first = 9 10\n"},
        {"[a]\nx = 1\n[b]\nx = 1\n[a]\nX = 1\n", "2 [a] x = 1\n4 [b] x = 1\n6 [a] X = 1\n"},
        {"", ""},
        {"\n", ""},
        {"\xef\xbb\xbf", ""},
        {"; nothing", ""},
        {"\r\n\r\n", ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_facts(cases[i][0], cases[i][1]);
}

/* Of a line or a name of so many bytes. */
TEST(long_lines_and_sections_are_refused)
{
    static const struct {
        const char *text;
        int n;
        const char *facts, *refusal;
    } cases[] = {
        /* "x = " and 186: the longest there may be */
        {"[a]\nx = %s\r\ny = 2\n", 186, "2 [a] x = %s\n3 [a] y = 2\n", NULL},
        {"[a]\nx = %s\ny = 2\n", 187, NULL,
         "a.ini:2: a line has at most 190 bytes, this one has 191; go on in an indented line"},
        /* two of libinih's lines */
        {"[a]\nx = 1\n   %s", 390, NULL,
         "a.ini:3: a line has at most 190 bytes, this one has 393; go on in an indented line"},
        {"[%s]\nx = 1\n", 48, "2 [%s] x = 1\n", NULL},
        {"\n[%s]\nx = 1\n", 49, NULL,
         "a.ini:2: a section name has at most 48 bytes, this one has 49"},
        /* two byte order marks, of which libinih would take one off */
        {"\xef\xbb\xbf\xef\xbb\xbf[%s]\nx = 1\n", 49, NULL,
         "a.ini:1: a section name has at most 48 bytes, this one has 49"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600], part[400] = "", expected[500];

        memset(part, 's', (size_t)cases[i].n);
        snprintf(text, sizeof text, cases[i].text, part);
        if (cases[i].refusal) {
            check_refused(text, cases[i].refusal);
            continue;
        }
        snprintf(expected, sizeof expected, cases[i].facts, part);
        check_facts(text, expected);
    }
}

TEST(faults_are_refused)
{
    static const char nul[] = "[a]\nx = 1\0 2\n";
    static const char *const cases[][2] = {
        {"[a]\nx = 1\ny = 2\nx = 1\ny = 3\n",
         "a.ini:4: key 'x' of [a] is given already in line 2"},
        {"[a]\nx = 1\n[b]\nx = 2\n[a]\nx = 3\n",
         "a.ini:6: key 'x' of [a] is given already in line 2"},
        /* indented below a heading it is a key, not a continuation */
        {"[a]\nx = 1\n[a]\n x = 3\n", "a.ini:4: key 'x' of [a] is given already in line 2"},
        {"[a]\nx = 1\nheight 1024\n", "a.ini:3: expected 'key = value' or '[section]'"},
        {"[a]\n= 4\n", "a.ini:2: expected 'key = value', found no key"},
        {"[a\nx = 1\n", "a.ini:1: expected a heading '[name]', found '[a'"},
        {"[]\nx = 1\n", "a.ini:1: expected a heading '[name]', found '[]'"},
        {"[a] x = 1\n", "a.ini:1: expected a heading '[name]', found '[a] x = 1'"},
        {"[a]\nx = 1\n  [b]\ny = 2\n", "a.ini:3: a heading begins at the start of its line"},
        {"[a]\n[b]\nx = 1\n", "a.ini:1: section [a] has no key"},
        {"[a]\nx = 1\n[b]\n", "a.ini:3: section [b] has no key"},
        {"[a]\nx = \x01\n", "a.ini:2: byte 0x01 does not belong in a text file"},
        {"[a]\nx = 1\ry = 2\n", "a.ini:2: byte 0x0d does not belong in a text file"},
    };
    struct ini_file ini;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i][0], cases[i][1]);
    assert_int_equal(ini_parse_text(nul, sizeof nul - 1, "a.ini", &ini), BENCH_EINPUT);
    assert_string_equal(bench_failure(), "a.ini:2: byte 0x00 does not belong in a text file");
}

/* Of nothing but blank lines there may be 1 MiB; a value has at most 64 KiB. */
TEST(large_files_are_refused)
{
    const size_t limit = 1u << 20;
    char *const text = malloc(limit + 1);
    struct ini_file ini;

    assert_non_null(text);
    memset(text, '\n', limit + 1);
    assert_int_equal(ini_parse_text(text, limit, "a.ini", &ini), BENCH_OK);
    ini_free(&ini);
    assert_int_equal(ini_parse_text(text, limit + 1, "a.ini", &ini), BENCH_EINPUT);
    assert_string_equal(bench_failure(),
                        "a.ini: a descriptor has at most 1 MiB, this one has more");
    (void)snprintf(text, limit, "[a]\nx = 1\n");
    for (char *end = text + strlen(text); end < text + 80000; end += 182)
        (void)snprintf(end, 183, " %0180d\n", 7);
    assert_int_equal(parse(text, &ini), BENCH_EINPUT);
    assert_says("", "the value of 'x' is longer than 65535 bytes");
    free(text);
}

TEST(files_are_read)
{
    const char *const path = scratch("a.ini");
    struct ini_file ini;

    write_bytes(path, "[a]\nx = 1\n", 10);
    assert_int_equal(ini_read(path, &ini), BENCH_OK);
    assert_string_equal(ini.path, path);
    assert_string_equal(ini_find(&ini, "a", "x")->value, "1");
    ini_free(&ini);
    assert_int_equal(unlink(path), 0);

    memset(&ini, 0xa5, sizeof ini);
    assert_int_equal(ini_read(path, &ini), BENCH_EIO);
    assert_says(path, ": cannot be opened: No such file or directory");
    assert_null(ini.fact);
    assert_int_equal(ini_read("tests", &ini), BENCH_EIO);
    assert_string_equal(bench_failure(), "tests: is no regular file");
    assert_int_equal(mkfifo(path, 0600), 0); /* must not wait for a writer */
    assert_int_equal(ini_read(path, &ini), BENCH_EIO);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
