/* test_experiment.c - descriptors become the configurations that they say, or a sentence says why not */
#include "harness/suite/experiment.h"
#include "tests/session.h"
#include "tests/support.h"

#include <unistd.h>

#define HEAD "[global]\nproblem = rdp\nimpl = rdp/serial\n"

/* A path below the tests' folder: .../exp/NAME. */
static const char *scratch(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/exp/common", support_place());
    assert_int_equal(text_make_folder(path), BENCH_OK);
    snprintf(path, sizeof path, "%s/exp/%s", support_place(), name);
    return path;
}

static enum bench_status read_with(const char *text, const struct bench_overrides *overrides,
                                   struct bench_experiment *e)
{
    write_bytes(scratch("t.ini"), text, strlen(text));
    bench_failure_clear();
    memset(e, 0xa5, sizeof *e);
    return experiment_read(scratch("t.ini"), overrides, e);
}

static void accept(const char *text, const struct bench_overrides *overrides,
                   struct bench_experiment *e)
{
    if (read_with(text, overrides, e) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

static void check_refused(const char *text, const struct bench_overrides *overrides,
                          const char *expected)
{
    const bool is_end = *expected == '*';
    struct bench_experiment e;
    char sentence[1200];
    size_t n;

    assert_int_equal(read_with(text, overrides, &e), BENCH_EINPUT);
    snprintf(sentence, sizeof sentence, "%s%s", *expected == ':' ? scratch("t.ini") : "",
             expected + is_end);
    n = strlen(bench_failure());
    assert_string_equal(bench_failure() +
                            (is_end && n > strlen(sentence) ? n - strlen(sentence) : 0),
                        sentence);
    assert_null(e.configs);
    assert_int_equal(e.n_configs, 0);
}

/* The line of a configuration, and behind it the whole plan, of which the line has what is not usual. */
static void describe(const struct bench_config *config, char *text, size_t size)
{
    const struct bench_plan *const p = &config->plan;
    const size_t n = bench_config_text(config, text, size);

    assert_true(n < size);
    snprintf(text + n, size - n,
             " section=%s impl=%s mode=%s batch=%d threads=%d sms=%d transfer=%d clocks=%d"
             " stages=%d values=%d times=%d energy=%d samples=%d..%d precision=%g min_time=%g"
             " timeout=%g sustained_time=%g energy_time=%g frames=%d runs=%d",
             config->section, config->impl->name, p->mode, p->batch, p->threads, p->sms,
             p->transfer, p->lock_clocks, p->stages, p->values, p->times, p->energy,
             p->min_samples, p->max_samples, p->precision, p->min_time_s, p->timeout_s,
             p->sustained_time_s, p->energy_time_s, p->max_frames, p->runs);
}

/* Behind 'found': " VALUE" of each of the fields "NAME NAME", '-' where the configuration has none. */
static void add_fields(struct text *found, const struct bench_config *config,
                       const char *fields)
{
    char all[BENCH_CONFIG_TEXT];

    describe(config, all, sizeof all);
    for (size_t n; *fields; fields += n + (fields[n] == ' ')) {
        const char *at = all;

        n = strcspn(fields, " ");
        do
            at += strcspn(at + 1, " ;") + 1;
        while (*at && (strncmp(at + 1, fields, n) != 0 || at[1 + n] != '='));
        text_format(found, " %.*s", *at ? (int)strcspn(at + n + 2, " ;") : 1,
                    *at ? at + n + 2 : "-");
    }
}

/* 'expected' is "FIELDS: VALUES". */
static void check_configs(const char *text, const struct bench_overrides *overrides,
                          const char *expected)
{
    struct text found = {0};
    struct bench_experiment e;
    char fields[200];

    snprintf(fields, sizeof fields, "%.*s", (int)strcspn(expected, ":"), expected);
    accept(text, overrides, &e);
    text_format(&found, "%s:", fields);
    for (int i = 0; i < e.n_configs; i++) {
        text_add(&found, i > 0 && strchr(fields, ' ') ? " |" : "");
        add_fields(&found, &e.configs[i], fields);
    }
    assert_string_equal(found.data, expected);
    text_free(&found);
    experiment_free(&e);
}

/* Take "-S KEY=VALUE " or another option off the start of a case. */
static char *take_option(char *line, struct bench_overrides *overrides,
                         const char **assignments)
{
    const char option = strsep(&line, " ")[1];
    char *const value = strchr("Sig", option) ? strsep(&line, " ") : line;

    if (option == 'S')
        assignments[overrides->n++] = value;
    else if (option == 'i')
        overrides->impl_glob = value;
    else if (option == 'g')
        overrides->group_glob = value;
    overrides->quick |= option == 'q';
    overrides->with_absent |= option == 'a';
    return line ? line : strchr(value ? value : "", '\0');
}

/* Write each "\n@FILE\nTEXT" that stands behind a descriptor, and take it off. */
static void write_others(char *text)
{
    for (char *name = strstr(text, "\n@"), *end; name; name = end) {
        char *const body = strchr(name + 2, '\n') + 1;

        end = strstr(body, "\n@");
        *name = body[-1] = '\0';
        write_bytes(scratch(name + 2), body, end ? (size_t)(end - body) : strlen(body));
    }
}

/* experiment.cases says how. */
static void check_case(const char *line, const char *expected)
{
    char *const copy = strdup(line), *text = copy;
    const char *assignments[4];
    struct bench_overrides overrides = {.assignments = assignments};
    struct text whole = {0};

    while (*text == '-')
        text = take_option(text, &overrides, assignments);
    write_others(text);
    text_format(&whole, "%s%s\n", *text && strchr("[\n", *text) ? "" : HEAD "[g]\n",
                *text ? text : "eps = 4");
    if (*expected >= 'a' && *expected <= 'z')
        check_configs(whole.data, &overrides, expected);
    else
        check_refused(whole.data, &overrides, expected);
    text_free(&whole);
    free(copy);
}

static void cases(void **section)
{
    each_case("tests/experiment.cases", *section, check_case);
}

static void defaults_are_as_documented(void)
{
    static const char expected[] =
        "rdp/omp-columns chunk=8;distance=vertical;eps=4;height=0;median=0;resample=linear;"
        "width=0 input=scene frame_pick=all series=frames scope=kernel section=fig9"
        " impl=rdp/omp-columns mode=any batch=1 threads=0 sms=0 transfer=0 clocks=0 stages=0"
        " values=1 times=1 energy=0 samples=30..1000 precision=0.005 min_time=0.5 timeout=15"
        " sustained_time=5 energy_time=3 frames=0 runs=1";
    static const char *const layout[BENCH_LAYOUT_KEYS] = {
        "impl", "mode", "mean_ms, fps", "n",     "height",    "", "", "", "",
        "",     "",     "ms",           "Times", "rdp-table1"};
    struct bench_experiment e;
    char text[BENCH_CONFIG_TEXT], start[12];
    size_t length;

    write_bytes(scratch("common/title.ini"), "[global]\ntitle = Time against height\n", 37);
    accept("[global]\nproblem = rdp\ninclude = common/title.ini\n[fig9]\n"
           "impl = rdp/serial, rdp/omp-columns\n[show]\nrows = impl\ncolumns = mode\n"
           "value = mean_ms, fps\nextra = n\nfit = height\nunit = ms\ntitle = Times\n"
           "paper = rdp-table1\n",
           NULL, &e);
    assert_string_equal(e.name, "exp/t");
    assert_string_equal(e.path, scratch("t.ini"));
    assert_string_equal(e.title, "Time against height");
    assert_ptr_equal(e.problem, bench_find_problem("rdp"));
    for (int i = 0; i < BENCH_LAYOUT_KEYS; i++)
        assert_string_equal(e.layout.text[i], layout[i] ? layout[i] : "");
    assert_string_equal(bench_layout_text(&e.layout, "title"), "Times");
    assert_int_equal(e.n_configs, 2);
    assert_int_equal(e.n_absent, 0);
    assert_int_equal(e.n_sections, 1);
    assert_ptr_equal(e.configs[0].section, e.section_names[0]);
    assert_int_equal(e.configs[0].line, 5);
    assert_true(e.configs[0].plan.timeout_s == 60); /* of a serial variant */
    describe(&e.configs[1], text, sizeof text);
    assert_string_equal(text, expected);
    /* cut as snprintf cuts */
    length = bench_config_text(&e.configs[1], NULL, 0);
    assert_int_equal(bench_config_text(&e.configs[1], start, sizeof start), length);
    assert_string_equal(start, "rdp/omp-col");
    experiment_free(&e);
    assert_null(e.configs);
}

/* The fallbacks that `depthbench list` shows are those that configurations get. */
static void declared_fallbacks_are_the_defaults(void)
{
    struct text text = {0};
    char line[2][BENCH_CONFIG_TEXT];
    struct bench_experiment e;

    text_add(&text, "[global]\nproblem=rdp\nimpl=rdp/omp-tasks\n[g]\nheight=0\n");
    for (int k = 0; k < 2; k++) {
        accept(text.data, NULL, &e);
        assert_int_equal(e.n_configs, 1);
        describe(&e.configs[0], line[k], sizeof line[k]);
        experiment_free(&e);
        for (const struct bench_key *key = bench_plan_keys; key->name; key++)
            text_format(&text, "%s = %s\n", key->name, key->default_text);
    }
    assert_string_equal(line[1], line[0]);
    text_free(&text);
}

/* Their order is the file's, whatever their names are, and however many there are. */
static void many_sections_keep_their_order(void)
{
    enum { N = 2000 };
    struct text text = {0}, expected = {0};

    text_add(&text, HEAD);
    text_add(&expected, "section height width:");
    for (int i = 0; i < 2 * N; i++) { /* in two pieces each */
        const int name = (N - i % N) * 7 % N, size = i % N + 1;

        text_format(&text, "[s%d]\n%s = %d\n", name, i < N ? "height" : "width", size);
        if (i < N)
            text_format(&expected, "%s s%d %d %d", i ? " |" : "", name, size, size);
    }
    check_configs(text.data, NULL, expected.data);
    text_free(&text);
    text_free(&expected);
}

static void too_many_keys_are_refused(void)
{
    for (int in_global = 0; in_global < 2; in_global++) {
        struct text text = {0};

        text_format(&text, "[global]\nproblem = rdp\n%s",
                    in_global ? "" : "impl = rdp/serial\n[g]\n");
        for (int i = 0; i < 1000; i++)
            text_format(&text, "k%d = 1\n", i);
        check_refused(text.data, NULL,
                      in_global ? ":258: 'k255' is one key more than the 256 that may be"
                                : ":261: 'k256' is one key more than the 256 that may be");
        text_free(&text);
    }
}

static void absent_variants_are_listed(void)
{
    const bool is_built = bench_is_built(bench_find_impl("rdp/gpu-paper"));
    struct text found = {0};
    struct bench_experiment e;

    accept("[global]\nproblem = rdp\n[g]\nimpl = rdp/serial, rdp/gpu-paper\nunroll = 0, 5\n"
           "[h]\nimpl = rdp/gpu-*\n",
           NULL, &e);
    text_format(&found, "%d configurations", e.n_configs);
    for (int i = 0; i < e.n_absent; i++)
        text_format(&found, ", no %s in line %d", e.absent[i].impl, e.absent[i].line);
    assert_string_equal(
        found.data,
        is_built ? "5 configurations"
                 : "1 configurations, no rdp/gpu-paper in line 4, no rdp/gpu-opt in line 7");
    text_free(&found);
    experiment_free(&e);
    /* nothing at all to run here is no mistake of the descriptor */
    accept("[global]\nproblem = rdp\n[g]\nimpl = rdp/gpu-*\n", NULL, &e);
    assert_int_equal(e.n_configs + e.n_absent, 2);
    experiment_free(&e);
}

static void names_come_from_the_path(void)
{
    static const char *const names[][2] = {{"common/x.y.ini", "common/x.y"},
                                           {"./plain", "plain"}};
    struct bench_experiment e;

    for (int i = 0; i < 2; i++) {
        write_bytes(scratch(names[i][0]), HEAD "[g]\neps = 4\n", strlen(HEAD "[g]\neps = 4\n"));
        assert_int_equal(experiment_read(scratch(names[i][0]), NULL, &e), BENCH_OK);
        assert_string_equal(e.name, names[i][1]);
        experiment_free(&e);
    }
    assert_int_equal(experiment_read(scratch("nothing.ini"), NULL, &e), BENCH_EIO);
    assert_non_null(strstr(bench_failure(), "nothing.ini: cannot be opened: No such file"));
}

static void locale_changes_nothing(void)
{
    if (!support_comma_locale()) {
        print_message("skipped: no locale with a decimal comma (apt-get install locales)\n");
        skip();
    }
    check_configs(HEAD "[g]\neps = 0.5-1.5+0.5\nprecision = 0.5%\n", NULL, "eps: 0.5 1 1.5");
    setlocale(LC_ALL, "C");
}

int main(void)
{
#define CASES(of) #of, cases, NULL, NULL, (void *)(uintptr_t) #of
    const struct CMUnitTest tests[] = {
        {CASES(lists_and_ranges_expand)},
        {CASES(bad_ranges_are_refused)},
        {CASES(bad_values_are_refused)},
        {CASES(sections_and_axes_keep_their_order)},
        {CASES(plans_are_read)},
        {CASES(variants_have_their_own_axes)},
        {CASES(unknown_names_are_refused)},
        {CASES(descriptors_must_be_whole)},
        {CASES(too_many_configs_are_refused)},
        {CASES(a_section_is_like_another)},
        {CASES(includes_are_read_first)},
        {CASES(the_command_line_overrides)},
        {CASES(quick_is_short)},
        PLAIN_TEST(defaults_are_as_documented, NULL, NULL),
        PLAIN_TEST(declared_fallbacks_are_the_defaults, NULL, NULL),
        PLAIN_TEST(many_sections_keep_their_order, NULL, NULL),
        PLAIN_TEST(too_many_keys_are_refused, NULL, NULL),
        PLAIN_TEST(absent_variants_are_listed, NULL, NULL),
        PLAIN_TEST(names_come_from_the_path, NULL, NULL),
        PLAIN_TEST(locale_changes_nothing, NULL, NULL),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
