/* test_params.c - values are checked, have one text each, and do not depend on the locale */
#include "harness/base/params.h"
#include "harness/base/text.h"
#include "tests/inputs.h"

#include <math.h>

static const struct bench_key height = {"height",  "1024", "px",  "rows",
                                        BENCH_INT, 1,      16384, NULL};
static const struct bench_key offset = {"offset",  "0",           "",         "any int",
                                        BENCH_INT, -2147483648.0, 2147483647, NULL};
static const struct bench_key eps = {"eps", "4", "px", "tolerance", BENCH_REAL, 0, 256, NULL};
static const struct bench_key bias = {"bias", "0", "", "", BENCH_REAL, -1e300, 1e300, NULL};
static const struct bench_key distance = {
    "distance", "vertical", "", "", BENCH_CHOICE, 0, 0, "vertical|perpendicular"};
static const struct bench_key mode = {"mode", "any", "", "", BENCH_CHOICE, 0, 0, NULL};

/* A text that is a number has it, a word -1. */
static void check_text(const struct bench_key *key, const char *text, const char *canonical)
{
    struct bench_params params = {.n = 0};
    double number = -1;

    (void)bench_number(canonical, &number);
    assert_int_equal(bench_params_set(&params, key, text, "here"), BENCH_OK);
    assert_int_equal(params.n, 1);
    assert_string_equal(bench_word(&params, key->name), canonical);
    assert_true(bench_real(&params, key->name) == number);
    assert_false(signbit(bench_real(&params, key->name)) && number == 0);
}

#define LONGEST "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk"

static void check_refused(const struct bench_key *key, const char *expected, const char *text)
{
    struct bench_params params = {.n = 0};
    char sentence[256];

    bench_failure_clear();
    assert_int_equal(bench_params_set(&params, key, text, "fig9.ini:12"), BENCH_EINPUT);
    assert_int_equal(params.n, 0);
    snprintf(sentence, sizeof sentence, "fig9.ini:12: %s: expected %s, found '%s'", key->name,
             expected, text);
    assert_string_equal(bench_failure(), sentence);
}

/* Decimal commas of a German desktop change neither reading nor writing. */
static int enter(void **state)
{
    (void)support_comma_locale();
    return 0;
}

TEST(numbers_have_one_text)
{
    static const struct {
        const struct bench_key *key;
        const char *canonical, *texts[9];
    } cases[] = {
        {&eps, "4", {"4", "4.0", "4.00", "+4", "4.", "04", "4e0"}},
        {&eps, "0.5", {".5"}},
        {&eps, "0", {"-0"}},
        /* the program reads the number that its text says, not one digit more */
        {&eps, "0.123456789", {"0.12345678949"}},
        {&eps, "0.1", {"0.1"}},
        {&bias, "0", {"-0.0", "-1e-999"}},
        {&bias, "-2.5", {"-2.5"}},
        {&bias, "-1500", {"-1.5e3"}},
        {&height, "4", {"4", "4.0"}},
        {&height, "16384", {"+0016384"}},
        {&height, "1000", {"1e3"}},
        {&offset, "0", {"-0"}},
        {&offset, "-2147483648", {"-2147483648"}},
        {&offset, "2147483647", {"2147483647"}},
        {&offset, "1234567891", {"1234567891"}}, /* more than %.9g holds */
        {&distance, "vertical", {"vertical"}},
        {&distance, "perpendicular", {"perpendicular"}},
        {&mode, "MODE_10W", {"MODE_10W"}},
        {&mode, "8", {"8"}},
        {&mode, LONGEST, {LONGEST}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (const char *const *text = cases[i].texts; *text; text++)
            check_text(cases[i].key, *text, cases[i].canonical);
}

TEST(what_is_out_of_range_is_refused)
{
    static const char *const no_number[] = {
        "",    " ",   "0x10",  "0X1p3", "inf",      "-inf", "nan",   "NAN",
        "1,5", "1 2", "4px",   "--4",   "+-4",      "e5",   ".",     "+",
        "1e",  "1e+", "1e999", "4;",    "\xd9\xa4", "-",    "1.2.3", "1 "};
    double number = 7;

    static const struct {
        const struct bench_key *key;
        const char *expected, *texts[7];
    } cases[] = {
        {&height, "a whole number from 1 to 16384 px", {"0", "16385", "2.5"}},
        {&offset,
         "a whole number from -2147483648 to 2147483647",
         {"2147483648", "99999999999999999999999999"}},
        {&eps, "a decimal number from 0 to 256 px", {"-0.001", "256.01"}},
        {&distance, "one of vertical|perpendicular", {"vert", "", "vertical|perpendicular"}},
        {&mode, "a word", {"a b", "a=b", "a;b", "a,b", "\"a\"", "\xc3\xa4"}},
        {&mode, "a word of at most 63 letters", {LONGEST "x"}},
    };

    for (size_t k = 0; k < sizeof no_number / sizeof *no_number; k++)
        assert_false(text_to_number(no_number[k], &number));
    assert_true(number == 7);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (const char *const *text = cases[i].texts; *text; text++)
            check_refused(cases[i].key, cases[i].expected, *text);
        for (size_t k = 0; k < sizeof no_number / sizeof *no_number; k++)
            if (cases[i].key->kind != BENCH_CHOICE)
                check_refused(cases[i].key, cases[i].expected, no_number[k]);
    }
}

TEST(params_are_sorted_and_replaced)
{
    struct bench_params params = {.n = 0};
    static const struct {
        const struct bench_key *key;
        const char *text;
    } sets[] = {{&height, "512"}, {&distance, "vertical"}, {&eps, "4"}, {&height, "1024"}};
    char text[80], small[8];

    assert_int_equal(bench_params_text(&params, text, sizeof text), 0);
    assert_string_equal(text, "");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        assert_int_equal(bench_params_set(&params, sets[i].key, sets[i].text, "here"),
                         BENCH_OK);
    assert_int_equal(params.n, 3);
    assert_int_equal(bench_params_text(&params, text, sizeof text), 35);
    assert_string_equal(text, "distance=vertical;eps=4;height=1024");
    assert_int_equal(bench_params_text(&params, NULL, 0), 35);
    assert_int_equal(bench_params_text(&params, small, sizeof small), 35);
    assert_string_equal(small, "distanc");
    assert_int_equal(bench_int(&params, "height"), 1024);
    assert_true(bench_is(&params, "distance", "vertical") &&
                !bench_is(&params, "distance", "perpendicular"));
    assert_true(bench_has(&params, "eps") && !bench_has(&params, "ep"));

    /* a refused value leaves what was there */
    assert_int_equal(bench_params_set(&params, &height, "x", "here"), BENCH_EINPUT);
    assert_int_equal(bench_int(&params, "height"), 1024);
}

TEST(fallbacks_fill_what_is_missing)
{
    const struct bench_key keys[] = {height, eps, {.name = NULL}};
    static const struct bench_key needed[] = {
        {"camera", NULL, "", "which camera it was", BENCH_CHOICE, 0, 0, NULL}, {.name = NULL}};
    struct bench_params params = {.n = 0};

    assert_int_equal(bench_params_set(&params, &keys[0], "256", "here"), BENCH_OK);
    assert_int_equal(bench_params_default(&params, keys, "here"), BENCH_OK);
    assert_int_equal(bench_params_default(&params, NULL, "here"), BENCH_OK);
    assert_int_equal(params.n, 2);
    assert_int_equal(bench_int(&params, "height"), 256);
    assert_string_equal(bench_word(&params, "eps"), "4");
    assert_int_equal(bench_params_default(&params, needed, "a.ini:3"), BENCH_EINPUT);
    assert_says("a.ini:3: key 'camera' must be given (which camera it was)", "");
}

TEST(room_for_params_is_limited)
{
    static char names[BENCH_MAX_PARAMS + 1][8];
    static struct bench_key keys[BENCH_MAX_PARAMS + 1];
    struct bench_params params = {.n = 0};

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

int main(void)
{
    return run_all_tests(enter, NULL);
}
