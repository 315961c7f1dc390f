/* test_params.c - values are checked, have one text each, and do not depend on the locale */
#include "harness/base/params.h"
#include "tests/support.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

static const struct bench_key height = {"height",  "1024", "px",  "rows",
                                        BENCH_INT, 1,      16384, NULL};
static const struct bench_key offset = {"offset",  "0",           "",         "any int",
                                        BENCH_INT, -2147483648.0, 2147483647, NULL};
static const struct bench_key eps = {"eps", "4", "px", "tolerance", BENCH_REAL, 0, 256, NULL};
static const struct bench_key bias = {"bias", "0", "", "", BENCH_REAL, -1e300, 1e300, NULL};
static const struct bench_key distance = {"distance", "vertical", "", "",
                                          BENCH_WORD, 0,          0,  "vertical|perpendicular"};
static const struct bench_key mode = {"mode", "any", "", "", BENCH_WORD, 0, 0, NULL};

static void check_text(const struct bench_key *key, const char *text, const char *canonical,
                       double number)
{
    struct bench_params params = {.n = 0};

    assert_int_equal(bench_params_set(&params, key, text, "here"), BENCH_OK);
    assert_int_equal(params.n, 1);
    assert_string_equal(bench_word(&params, key->name), canonical);
    assert_true(bench_real(&params, key->name) == number);
    assert_false(signbit(bench_real(&params, key->name)) && number == 0);
}

static void check_refused(const struct bench_key *key, const char *text, const char *sentence)
{
    struct bench_params params = {.n = 0};

    bench_failure_clear();
    assert_int_equal(bench_params_set(&params, key, text, "fig9.ini:12"), BENCH_EINPUT);
    assert_int_equal(params.n, 0);
    assert_string_equal(bench_failure(), sentence);
}

static void numbers_have_one_text(void **state)
{
    (void)state;
    check_text(&eps, "4", "4", 4);
    check_text(&eps, "4.0", "4", 4);
    check_text(&eps, "4.00", "4", 4);
    check_text(&eps, "+4", "4", 4);
    check_text(&eps, "4.", "4", 4);
    check_text(&eps, "04", "4", 4);
    check_text(&eps, "4e0", "4", 4);
    check_text(&eps, ".5", "0.5", 0.5);
    check_text(&eps, "-0", "0", 0);
    check_text(&bias, "-0.0", "0", 0);
    check_text(&bias, "-1e-999", "0", 0);
    check_text(&bias, "-2.5", "-2.5", -2.5);
    check_text(&height, "4", "4", 4);
    check_text(&height, "4.0", "4", 4);
    check_text(&height, "+0016384", "16384", 16384);
    check_text(&height, "1e3", "1000", 1000);
    check_text(&offset, "-0", "0", 0);
    check_text(&offset, "-2147483648", "-2147483648", -2147483648.0);
    check_text(&offset, "2147483647", "2147483647", 2147483647);
    check_text(&offset, "1234567891", "1234567891", 1234567891); /* more than %.9g holds */
}

/* The number that the program reads is the one that its text says, not one digit more. */
static void number_follows_the_text(void **state)
{
    (void)state;
    check_text(&eps, "0.12345678949", "0.123456789", 0.123456789);
    check_text(&eps, "0.1", "0.1", 0.1);
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",    " ",   "0x10", "0X1p3", "inf", "-inf", "nan", "NAN",   "1,5", "1 2",     "4px",
        "--4", "+-4", "e5",   ".",     "+",   "1e",   "1e+", "1e999", "4;",  "\xd9\xa4"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char sentence[256];

        snprintf(sentence, sizeof sentence,
                 "fig9.ini:12: eps: expected a decimal number from 0 to 256 px, found '%s'",
                 wrong[i]);
        check_refused(&eps, wrong[i], sentence);
        snprintf(sentence, sizeof sentence,
                 "fig9.ini:12: height: expected a whole number from 1 to 16384 px, found '%s'",
                 wrong[i]);
        check_refused(&height, wrong[i], sentence);
    }
}

static void what_is_out_of_range_is_refused(void **state)
{
    (void)state;
    check_refused(&height, "0",
                  "fig9.ini:12: height: expected a whole number from 1 to 16384 px, found '0'");
    check_refused(
        &height, "16385",
        "fig9.ini:12: height: expected a whole number from 1 to 16384 px, found '16385'");
    check_refused(
        &height, "2.5",
        "fig9.ini:12: height: expected a whole number from 1 to 16384 px, found '2.5'");
    check_refused(
        &offset, "2147483648",
        "fig9.ini:12: offset: expected a whole number from -2147483648 to 2147483647, "
        "found '2147483648'");
    check_refused(
        &offset, "99999999999999999999999999",
        "fig9.ini:12: offset: expected a whole number from -2147483648 to 2147483647, "
        "found '99999999999999999999999999'");
    check_refused(
        &eps, "-0.001",
        "fig9.ini:12: eps: expected a decimal number from 0 to 256 px, found '-0.001'");
    check_refused(
        &eps, "256.01",
        "fig9.ini:12: eps: expected a decimal number from 0 to 256 px, found '256.01'");
}

static void words_are_checked(void **state)
{
    char longest[BENCH_MAX_VALUE], too_long[BENCH_MAX_VALUE + 1];
    (void)state;

    check_text(&distance, "vertical", "vertical", -1);
    check_text(&distance, "perpendicular", "perpendicular", -1);
    check_refused(
        &distance, "vert",
        "fig9.ini:12: distance: expected one of vertical|perpendicular, found 'vert'");
    check_refused(&distance, "",
                  "fig9.ini:12: distance: expected one of vertical|perpendicular, found ''");
    check_refused(&distance, "vertical|perpendicular",
                  "fig9.ini:12: distance: expected one of vertical|perpendicular, found "
                  "'vertical|perpendicular'");
    check_text(&mode, "MODE_10W", "MODE_10W", -1);
    check_text(&mode, "8", "8", 8); /* one that is a number has it */
    check_refused(&mode, "a b", "fig9.ini:12: mode: expected a word, found 'a b'");
    check_refused(&mode, "a=b", "fig9.ini:12: mode: expected a word, found 'a=b'");
    check_refused(&mode, "a;b", "fig9.ini:12: mode: expected a word, found 'a;b'");
    check_refused(&mode, "a,b", "fig9.ini:12: mode: expected a word, found 'a,b'");
    check_refused(&mode, "\"a\"", "fig9.ini:12: mode: expected a word, found '\"a\"'");
    check_refused(&mode, "\xc3\xa4", "fig9.ini:12: mode: expected a word, found '\xc3\xa4'");
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    check_text(&mode, longest, longest, -1);
    memset(too_long, 'x', sizeof too_long);
    too_long[sizeof too_long - 1] = '\0';
    {
        struct bench_params params = {.n = 0};

        assert_int_equal(bench_params_set(&params, &mode, too_long, "here"), BENCH_EINPUT);
        assert_non_null(strstr(bench_failure(), "a word of at most 63 letters"));
    }
}

static void params_are_sorted_and_replaced(void **state)
{
    struct bench_params params = {.n = 0};
    char text[80], small[8];
    (void)state;

    assert_int_equal(bench_params_text(&params, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(bench_params_set(&params, &height, "512", "here"), BENCH_OK);
    assert_int_equal(bench_params_set(&params, &distance, "vertical", "here"), BENCH_OK);
    assert_int_equal(bench_params_set(&params, &eps, "4", "here"), BENCH_OK);
    assert_int_equal(bench_params_set(&params, &height, "1024", "here"), BENCH_OK);
    assert_int_equal(params.n, 3);
    assert_int_equal(bench_params_text(&params, text, sizeof text), 35);
    assert_string_equal(text, "distance=vertical;eps=4;height=1024");
    assert_int_equal(bench_params_text(&params, NULL, 0), 35);
    assert_int_equal(bench_params_text(&params, small, sizeof small), 35);
    assert_string_equal(small, "distanc");
    assert_int_equal(bench_int(&params, "height"), 1024);
    assert_true(bench_real(&params, "eps") == 4);
    assert_true(bench_is(&params, "distance", "vertical"));
    assert_false(bench_is(&params, "distance", "perpendicular"));
    assert_true(bench_has(&params, "eps"));
    assert_false(bench_has(&params, "ep"));

    /* a refused value leaves what was there */
    assert_int_equal(bench_params_set(&params, &height, "x", "here"), BENCH_EINPUT);
    assert_int_equal(bench_int(&params, "height"), 1024);
}

static void fallbacks_fill_what_is_missing(void **state)
{
    static const struct bench_key keys[] = {
        {"height", "1024", "px", "rows", BENCH_INT, 1, 16384, NULL},
        {"eps", "4.0", "px", "tolerance", BENCH_REAL, 0, 256, NULL},
        {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL}};
    static const struct bench_key needed[] = {
        {"camera", NULL, "", "which camera it was", BENCH_WORD, 0, 0, NULL},
        {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL}};
    struct bench_params params = {.n = 0};
    (void)state;

    assert_int_equal(bench_params_set(&params, &keys[0], "256", "here"), BENCH_OK);
    assert_int_equal(bench_params_default(&params, keys, "here"), BENCH_OK);
    assert_int_equal(bench_params_default(&params, NULL, "here"), BENCH_OK);
    assert_int_equal(params.n, 2);
    assert_int_equal(bench_int(&params, "height"), 256);
    assert_string_equal(bench_word(&params, "eps"), "4");
    assert_int_equal(bench_params_default(&params, needed, "a.ini:3"), BENCH_EINPUT);
    assert_string_equal(bench_failure(),
                        "a.ini:3: key 'camera' must be given (which camera it was)");
}

static void room_for_params_is_limited(void **state)
{
    static char names[BENCH_MAX_PARAMS + 1][8];
    static struct bench_key keys[BENCH_MAX_PARAMS + 1];
    struct bench_params params = {.n = 0};
    (void)state;

    for (int i = 0; i <= BENCH_MAX_PARAMS; i++) {
        snprintf(names[i], sizeof names[i], "k%02d", BENCH_MAX_PARAMS - i);
        keys[i] = (struct bench_key){names[i], "1", "", "", BENCH_INT, 0, 9, NULL};
        assert_int_equal(bench_params_set(&params, &keys[i], "1", "here"),
                         i < BENCH_MAX_PARAMS ? BENCH_OK : BENCH_EINPUT);
    }
    assert_int_equal(params.n, BENCH_MAX_PARAMS);
    for (int i = 1; i < params.n; i++)
        assert_true(strcmp(params.item[i - 1].key->name, params.item[i].key->name) < 0);
    /* replacing still works */
    assert_int_equal(bench_params_set(&params, &keys[0], "7", "here"), BENCH_OK);
    assert_int_equal(bench_int(&params, names[0]), 7);
}

static void nearest_key_is_found(void **state)
{
    static const struct bench_key a[] = {{.name = "height"}, {.name = "eps"}, {.name = NULL}};
    static const struct bench_key b[] = {
        {.name = "median"}, {.name = "distance"}, {.name = NULL}};
    const struct bench_key *const keys[] = {a, b, NULL};
    const struct bench_key *const none[] = {NULL};
    char longest[300];
    (void)state;

    assert_string_equal(bench_nearest_key(keys, "heigth"), "height");
    assert_string_equal(bench_nearest_key(keys, "Height"), "height");
    assert_string_equal(bench_nearest_key(keys, "hight"), "height");
    assert_string_equal(bench_nearest_key(keys, "distanze"), "distance");
    assert_string_equal(bench_nearest_key(keys, "ep"), "eps");
    assert_string_equal(bench_nearest_key(keys, "mediums"), "median");
    assert_null(bench_nearest_key(keys, "xyz")); /* nothing of eps in it */
    assert_null(bench_nearest_key(keys, "resample"));
    assert_null(bench_nearest_key(keys, ""));
    assert_null(bench_nearest_key(none, "eps"));
    memset(longest, 'e', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_null(bench_nearest_key(keys, longest));
}

static void numbers_are_cut_out_of_text(void **state)
{
    double value = 7;
    const char *end;
    (void)state;

    end = bench_number("256-1024*2", &value);
    assert_string_equal(end, "-1024*2");
    assert_true(value == 256);
    end = bench_number("-1.5e1+3", &value);
    assert_string_equal(end, "+3");
    assert_true(value == -15);
    end = bench_number("0x10", &value);
    assert_string_equal(end, "x10");
    assert_true(value == 0);
    end = bench_number("2exp", &value);
    assert_string_equal(end, "exp");
    assert_true(value == 2);
    value = 7;
    assert_null(bench_number("x", &value));
    assert_null(bench_number(" 1", &value));
    assert_null(bench_number("1e400", &value));
    assert_true(value == 7);
}

/* Decimal commas of a German desktop change neither reading nor writing. */
static void locale_changes_nothing(void **state)
{
    (void)state;

    if (!support_comma_locale()) {
        print_message("no locale with a decimal comma here\n");
        skip();
    }
    check_text(&eps, "2.50", "2.5", 2.5);
    check_refused(&eps, "2,5",
                  "fig9.ini:12: eps: expected a decimal number from 0 to 256 px, found '2,5'");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_one_text),
        cmocka_unit_test(number_follows_the_text),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(what_is_out_of_range_is_refused),
        cmocka_unit_test(words_are_checked),
        cmocka_unit_test(params_are_sorted_and_replaced),
        cmocka_unit_test(fallbacks_fill_what_is_missing),
        cmocka_unit_test(room_for_params_is_limited),
        cmocka_unit_test(nearest_key_is_found),
        cmocka_unit_test(numbers_are_cut_out_of_text),
        cmocka_unit_test(locale_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
