/* test_show.c - which row a figure gets, what is said of those that are missing, and the tables for people */
#include "harness/analysis/show.h"
#include "tests/support.h"

#include "harness/experiment.h"
#include "harness/impl.h"
#include "harness/params.h"
#include "harness/record.h"

#include <ftw.h>
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

/* Variants of our own with the names of the real ones, so that a build without CUDA tests the same. */
static const struct bench_key problem_keys[] = {
    {.name = "width", .fallback = "1242", .kind = BENCH_INT, .min = 1, .max = 65536},
    {.name = "height", .fallback = "1024", .kind = BENCH_INT, .min = 1, .max = 65536},
    {.name = "eps", .fallback = "4", .kind = BENCH_REAL, .min = 0, .max = 256},
    {0},
};
static const struct bench_key columns_keys[] = {
    {.name = "chunk", .fallback = "8", .kind = BENCH_INT, .min = 1, .max = 65536}, {0}};
static const struct bench_key paper_keys[] = {
    {.name = "unroll", .fallback = "5", .kind = BENCH_INT, .min = 0, .max = 10}, {0}};
static const struct bench_problem problem = {.name = "rdp", .title = "", .keys = problem_keys};
static const struct bench_impl serial = {
    .name = "rdp/serial", .problem = &problem, .target = BENCH_SERIAL};
static const struct bench_impl columns = {.name = "rdp/omp-columns",
                                          .problem = &problem,
                                          .target = BENCH_OPENMP,
                                          .keys = columns_keys};
static const struct bench_impl gpu = {
    .name = "rdp/gpu-paper", .problem = &problem, .target = BENCH_CUDA, .keys = paper_keys};

static char base[500], host[600], out[600];
static struct bench_cell cells[25];
static struct bench_experiment experiment;
static char notes[20000], page[100000];

static int begin(void **unused)
{
    (void)unused;
    snprintf(base, sizeof base, "%s/show", support_place());
    snprintf(host, sizeof host, "%s/results/host", base);
    snprintf(out, sizeof out, "%s/out", base);
    support_remove(base);
    experiment = (struct bench_experiment){.name = "rdp/fig9",
                                           .path = "experiments/rdp/fig9.ini",
                                           .title = "time against height",
                                           .problem = &problem,
                                           .cells = cells};
    return 0;
}

/* ---- cells ---- */

static struct bench_cell *add_cell(const struct bench_impl *impl, const char *height)
{
    struct bench_cell *cell = &cells[experiment.n_cells++];

    *cell = (struct bench_cell){.section = "fig9",
                                .impl = impl,
                                .plan = {.input = "scene",
                                         .batch = 1,
                                         .mode = "any",
                                         .series = 1u << BENCH_FRAMES,
                                         .scopes = 1u << BENCH_KERNEL,
                                         .values = true,
                                         .times = true}};
    assert_int_equal(bench_params_set(&cell->params, &problem_keys[1], height, "test"),
                     BENCH_OK);
    assert_int_equal(bench_params_default(&cell->params, problem_keys, "test"), BENCH_OK);
    assert_int_equal(bench_params_default(&cell->params, impl->keys, "test"), BENCH_OK);
    return cell;
}

/* ---- rows ---- */

/* The next of "a; b; c", cut off; NULL: none is left. */
static char *next(char **list, const char *separator)
{
    char *item = *list, *end = item ? strstr(item, separator) : NULL;

    *list = end ? end + strlen(separator) : NULL;
    if (end)
        *end = '\0';
    return item;
}

/* "column=value; ...": a column of ":name" is a scalar value, ":name:3" an element of a series. */
static void set_fields(struct record_row *row, const char *settings)
{
    char text[1500], *rest = text;

    snprintf(text, sizeof text, "%s", settings);
    for (char *name = next(&rest, "; "); name && *name; name = next(&rest, "; ")) {
        char *const value = strchr(name, '=') + 1;
        char *const index = name[0] == ':' ? strchr(name + 1, ':') : NULL;

        value[-1] = '\0';
        if (index)
            *index = '\0';
        if (name[0] != ':')
            record_text(row, name, value);
        else
            assert_int_equal(
                record_value(row, name + 1, index ? atoi(index + 1) : -1, atof(value), "px"),
                BENCH_OK);
    }
}

/* Write one row of the session of a day of January, "02" or "02b": the columns of 'cell', and what is set otherwise. */
static void put_row(const char *day, const struct bench_cell *cell, const char *settings)
{
    static const char *const device[] = {
        [BENCH_SERIAL] = "serial", [BENCH_OPENMP] = "omp", [BENCH_CUDA] = "gpu"};
    struct record_session *session;
    struct record_row *row;
    char params[512], name[32], fields[1500];
    const struct record_resume resume = {name, "", NULL};

    snprintf(name, sizeof name, "202601%.2sT000000Z-%s", day, day[2] ? day + 2 : "a");
    if (record_open(host, name, &resume, &session) != BENCH_OK)
        fail_msg("%s", bench_failure());
    row = record_row_new(session);
    assert_non_null(row);
    bench_params_text(&cell->params, params, sizeof params);
    snprintf(fields, sizeof fields,
             "utc=%s; build_hash=%s; machine=host; cpu=Some CPU; gpu=Some GPU; "
             "commit=abc1234567890123456789012345678901234567; dirty=0; profile=paper; "
             "problem=rdp; impl=%s; device=%s; params=%s; input=%s; case=%s; threads=%d; "
             "batch=1; mode_name=any; scope=kernel; series=frames; verdict=exact; status=ok; "
             "n=30; %s",
             name, name, cell->impl->name, device[cell->impl->target], params, cell->plan.input,
             bench_case_name[cell->plan.which], cell->impl->target == BENCH_OPENMP ? 8 : 1,
             settings);
    for (int i = 0; i < cell->params.n; i++)
        record_text(row, cell->params.item[i].key->name, cell->params.item[i].text);
    set_fields(row, fields);
    if (record_write(session, row) != BENCH_OK)
        fail_msg("%s", bench_failure());
    record_row_free(row);
    record_close(session);
}

/* A file below the test's folder. */
static const char *put_text(const char *name, const char *text)
{
    static char path[800];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", base, name);
    for (char *slash = path + strlen(base) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0777);
    }
    file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* ---- showing ---- */

static enum bench_status show_as(enum table_format format, const char *folder,
                                 const char *paper)
{
    const char *const folders[] = {host};
    FILE *note_file = fmemopen(notes, sizeof notes, "w");
    FILE *page_file = fmemopen(page, sizeof page, "w");
    const struct show_options options = {.format = format,
                                         .folder = folder,
                                         .out = page_file,
                                         .paper = paper,
                                         .width = 80,
                                         .notes = note_file};
    struct store *store = NULL;
    enum bench_status status;

    assert_non_null(note_file);
    assert_non_null(page_file);
    notes[0] = page[0] = '\0';
    status = store_read(folders, 1, true, options.notes, &store);
    if (!status)
        status = show_write(&experiment, store, &options);
    store_close(store);
    fclose(note_file);
    fclose(page_file);
    return status;
}

/* The page, with the paper's numbers of a folder, has each of the texts up to a NULL. */
static void expect_page(enum table_format format, const char *paper, ...)
{
    const char *text;
    va_list texts;

    if (show_as(format, NULL, paper) != BENCH_OK)
        fail_msg("%s", bench_failure());
    va_start(texts, paper);
    while ((text = va_arg(texts, const char *)) != NULL)
        if (!strstr(page, text))
            fail_msg("expected\n%s\nin\n%s", text, page);
    va_end(texts);
}

static void read_out(const char *name, struct record_table *table)
{
    char path[800];

    snprintf(path, sizeof path, "%s/rdp/%s", out, name);
    if (record_read(path, false, table) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

/* The rows of a file, "a=1; b=2 | a=3": all of them, of each some columns; "a=" is empty, "a=1.5*" begins so, "a=-" is no column. */
static void expect_file(const char *name, const char *expected)
{
    char text[1000], *rest = text;
    struct record_table table;
    int n = 0;

    snprintf(text, sizeof text, "%s", expected);
    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_OK);
    read_out(name, &table);
    for (char *row = *text ? next(&rest, " | ") : NULL; row; row = next(&rest, " | "), n++) {
        assert_true(n < table.n_rows);
        for (char *column = next(&row, "; "); column; column = next(&row, "; ")) {
            char *const value = strchr(column, '=') + 1;
            const size_t n_value = strlen(value);

            value[-1] = '\0';
            assert_int_equal(record_column(&table, column) < 0, !strcmp(value, "-"));
            if (!strcmp(value, "-"))
                continue;
            if (n_value > 0 && value[n_value - 1] == '*')
                assert_memory_equal(record_get(&table, n, column), value, n_value - 1);
            else
                assert_string_equal(record_get(&table, n, column), value);
        }
    }
    assert_int_equal(table.n_rows, n);
    record_table_free(&table);
}

static void expect_rows(const char *expected)
{
    expect_file("fig9.csv", expected);
}

static void set_key(struct bench_cell *cell, const struct bench_key *key, const char *value)
{
    assert_int_equal(bench_params_set(&cell->params, key, value, "test"), BENCH_OK);
}

/* What [show] says, "rows=impl; value=mean_ms". */
static void lay_out(const char *settings)
{
    struct bench_layout *const l = &experiment.layout;
    const struct {
        const char *name;
        char *text;
        size_t size;
    } keys[] = {
#define KEY(name) {#name, l->name, sizeof l->name}
        KEY(rows),  KEY(columns),  KEY(value),   KEY(beside), KEY(fit),   KEY(linear),
        KEY(best),  KEY(over),     KEY(against), KEY(per),    KEY(reach), KEY(title),
        KEY(paper), KEY(counters), KEY(unit)
#undef KEY
    };
    char text[500], *rest = text;

    *l = (struct bench_layout){.unit = ""};
    snprintf(text, sizeof text, "%s", settings);
    for (char *key = next(&rest, "; "); key; key = next(&rest, "; ")) {
        char *const value = strchr(key, '=') + 1;
        size_t i = 0;

        value[-1] = '\0';
        while (strcmp(keys[i].name, key) != 0)
            assert_true(++i < sizeof keys / sizeof *keys);
        snprintf(keys[i].text, keys[i].size, "%s", value);
    }
}

/* What the cell asks for. */
static void ask(struct bench_cell *cell, const char *setting)
{
    const char *const value = strchr(setting, '=') + 1;

    if (!strncmp(setting, "threads", 7))
        cell->plan.threads = atoi(value);
    else if (!strncmp(setting, "sms", 3))
        cell->plan.sms = atoi(value);
    else if (!strncmp(setting, "batch", 5))
        cell->plan.batch = atoi(value);
    else if (!strncmp(setting, "energy", 6))
        cell->plan.energy = true;
    else if (!strncmp(setting, "transfer", 8))
        cell->plan.transfer = !strcmp(value, "mapped") ? BENCH_MAPPED : BENCH_MANAGED;
    else if (!strncmp(setting, "mode", 4))
        snprintf(cell->plan.mode, sizeof cell->plan.mode, "%s", value);
    else
        set_key(cell, &cell->impl->keys[0], value);
}

/* One cell's story up to a NULL: "02 median_ms=1" is a row, "ask sms=8" what is asked for from then on; behind "-> " stands the median
 * that is shown then, or "none", which is said. */
static void tell(const struct bench_impl *impl, const char *const *steps)
{
    struct bench_cell *cell = add_cell(impl, "256");

    for (; *steps; steps++) {
        char text[200], row[64], *expected = text, *step;

        snprintf(text, sizeof text, "%s", *steps);
        step = text_trimmed(next(&expected, "-> "));
        if (!strncmp(step, "ask ", 4))
            ask(cell, step + 4);
        else if (step[0] != '\0') {
            const char *const day = next(&step, " ");

            put_row(day, cell, step);
        }
        if (expected) {
            const bool is_some = strcmp(expected, "none") != 0;

            snprintf(row, sizeof row, "median_ms=%s", expected);
            expect_rows(is_some ? row : "");
            assert_int_equal(notes[0] == '\0', is_some);
        }
    }
}

/* ---- choosing ---- */

static void newest_of_the_best_is_shown(void **unused)
{
    static const char *const steps[] = {
        "-> none",
        "01 median_ms=1; dirty=1; profile=quick -> 1",
        "10 median_ms=2; dirty=1; profile=quick -> 2",
        "02 median_ms=3; dirty=1 -> 3",       /* full before quick */
        "03 median_ms=4; profile=quick -> 4", /* clean before dirty */
        "04 median_ms=5 -> 5",
        "12 median_ms=6 -> 6",
        "11 median_ms=7 -> 6",
        "13 median_ms=8; verdict=wrong",
        "14 median_ms=9; status=wrong",
        "15 median_ms=10; status=unstable",
        "16 median_ms=11; status=throttled -> 6",
        NULL};
    static const char *const withdrawn[] = {
        "20260112T000000Z-a:r000001 fan was off\n",
        "20260112T000000Z-a the whole\n20260111T000000Z-a:r000002 no such row\n"};

    (void)unused;
    tell(&serial, steps);
    for (int i = 0; i < 2; i++) {
        put_text("results/host/WITHDRAWN", withdrawn[i]);
        expect_rows("median_ms=7");
    }
}

/* Of an experiment that asks for energy a row that has it counts, though a newer one has none. */
static void energy_is_shown_where_it_is_asked_for(void **unused)
{
    static const char *const steps[] = {"01 median_ms=1; mj_frame=5", "02 median_ms=2 -> 2",
                                        "ask energy=1 -> 1", "03 median_ms=3; mj_frame=6 -> 3",
                                        NULL};

    (void)unused;
    tell(&serial, steps);
}

static void other_cells_do_not_match(void **unused)
{
    /* the last is a key that this variant does not have */
    static const char *const steps[] = {"01a height=512",         "01b eps=8",
                                        "01c impl=rdp/omp-tasks", "01d input=noise",
                                        "01e case=worst",         "01f batch=64",
                                        "01g scope=frame",        "01h series=hot",
                                        "01i lap=sort",           "01j cutoff=64 -> none",
                                        "01k median_ms=1 -> 1",   NULL};

    (void)unused;
    tell(&serial, steps);
}

static void empty_keys_stand_for_fallbacks(void **unused)
{
    static const char *const steps[] = {
        "01 median_ms=1; chunk=; params=old -> 1", /* from before the key was declared */
        "ask chunk=16 -> none", "01b median_ms=2; chunk=16 -> 2", NULL};

    (void)unused;
    tell(&columns, steps);
}

static void threads_and_modes(void **unused)
{
    /* all cores: the larger team, though older; a machine without modes stands in for one */
    static const char *const steps[] = {"02 median_ms=1; threads=8",
                                        "03 median_ms=2; threads=2 -> 1",
                                        "ask threads=2 -> 2",
                                        "ask threads=4 -> none",
                                        "ask threads=0",
                                        "ask mode=MAXN -> 1",
                                        "01b median_ms=3; mode_name=MAXN",
                                        "04b median_ms=4; mode_name=MODE_10W -> 3",
                                        NULL};

    (void)unused;
    tell(&columns, steps);

    /* two modes on a machine that has none: its row is there once */
    begin(NULL);
    ask(add_cell(&columns, "256"), "mode=MAXN");
    ask(add_cell(&columns, "256"), "mode=MODE_10W");
    put_row("02", &cells[0], "median_ms=1");
    expect_rows("median_ms=1");
}

/* A row of a part of the card is never shown for the whole, and the other way round. */
static void parts_of_a_card_are_told_apart(void **unused)
{
    /* rows from before 'sms' are of the whole; of a card as small as the part, that is the whole */
    static const char *const steps[] = {"05 median_ms=8; sm_count=132; sms=8 -> none",
                                        "01 median_ms=1; sm_count=132 -> 1",
                                        "02 median_ms=2; sm_count=132; sms=132 -> 2",
                                        "03 median_ms=3; sm_count=132 -> 3",
                                        "ask sms=8 -> 8",
                                        "ask sms=132 -> 3",
                                        "06 median_ms=9; sm_count=8; sms=8",
                                        "ask sms=8 -> 9",
                                        "ask sms=0 -> 9",
                                        "ask sms=16 -> none",
                                        NULL};

    (void)unused;
    tell(&gpu, steps);
    assert_non_null(strstr(notes, "sms=16"));
}

static void a_table_has_a_row_for_each_part(void **unused)
{
    static const char *const rows[] = {"sms=132; sm_count=132; mean_ms=1",
                                       "sms=8; sm_count=132; mean_ms=9",
                                       "sms=16; sm_count=132; mean_ms=17"};

    (void)unused;
    for (int i = 0; i < 3; i++) {
        struct bench_cell *cell = add_cell(&gpu, "256");

        cell->plan.sms = 8 * i;
        put_row("05", cell, rows[i]);
    }
    put_row("05", add_cell(&serial, "256"), "mean_ms=50; sm_count=132");
    lay_out("rows=sms; columns=impl; value=mean_ms");
    expect_page(TABLE_MARKDOWN, NULL, "| 8    |             9 |", "| 16   |            17 |",
                "| 132  |             1 |", "SMs 132, 8, 16", NULL);
    assert_null(strstr(page, "**sms")); /* one table */
}

/* A row says how its frames were transferred; one from before that was said copied them. */
static void transfers_are_told_apart(void **unused)
{
    static const char *const steps[] = {"03 median_ms=1; transfer=mapped -> none",
                                        "01b median_ms=2 -> 2",
                                        "02c median_ms=3; transfer=copy -> 3",
                                        "ask transfer=mapped -> 1",
                                        "ask transfer=managed -> none",
                                        NULL};

    (void)unused;
    tell(&gpu, steps);
}

static void scopes_series_and_laps(void **unused)
{
    struct bench_cell *cell = add_cell(&gpu, "256");

    (void)unused;
    cell->plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_DEVICE;
    cell->plan.laps = true;
    put_row("01", cell, "reason=k1");
    put_row("01", cell, "lap=a; reason=old a");
    put_row("01", cell, "lap=gone; reason=old lap");
    put_row("01", cell, "scope=device; reason=d1");
    put_row("02", cell, "lap=a; reason=older a");
    put_row("02", cell, "lap=a; reason=new a");
    put_row("02", cell, "lap=b; reason=new b");
    expect_rows("reason=k1 | reason=new a | reason=new b | reason=d1");
    cell->plan.laps = false;
    expect_rows("reason=k1 | reason=d1");

    begin(NULL); /* no device scope on a CPU: neither shown nor missing */
    cell = add_cell(&serial, "256");
    cell->plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_DEVICE;
    put_row("02", cell, "median_ms=1");
    expect_rows("median_ms=1");
    assert_string_equal(notes, "");
}

/*
 * The project's own variants, of which a build without CUDA lacks some: whatever it has, it shows the rows of each cell
 * and no others, a newer row with other keys of the variant among them.
 */
static void every_build_shows_the_same(void **unused)
{
    static const struct bench_key opt_keys[] = {
        {.name = "layout", .fallback = "columns", .kind = BENCH_WORD}, {0}};
    static const struct bench_impl opt = {
        .name = "rdp/gpu-opt", .problem = &problem, .target = BENCH_CUDA, .keys = opt_keys};
    const struct bench_overrides overrides = {.with_absent = true};
    const struct bench_cell of_gpu = *add_cell(&gpu, "256"), of_opt = *add_cell(&opt, "256"),
                            of_columns = *add_cell(&columns, "256");
    const char *path;

    (void)unused;
    put_row("01", &of_opt, "reason=opt; threads=0");
    put_row("02", &of_opt, "reason=rows; threads=0; layout=rows");
    put_row("02", &of_columns, "reason=columns");
    put_row("01b", &of_gpu, "reason=unroll 5; threads=0");
    put_row("02b", &of_gpu, "reason=unroll 0; threads=0; unroll=0");
    put_row("03b", &of_gpu, "reason=skip; threads=0; skip=1");
    put_row("03c", &of_gpu, "reason=512; threads=0; height=512");
    path = put_text("rdp/fig9.ini",
                    "[global]\nproblem = rdp\nwidth = 1242\neps = 4\nheight = 256\n"
                    "[a]\nimpl = rdp/gpu-opt, rdp/omp-columns\n"
                    "[b]\nimpl = rdp/gpu-paper\nunroll = 0, 5\n"
                    "[c]\nimpl = rdp/gpu-*\nlayout = rows\n"
                    "[d]\nimpl = rdp/gpu-paper\nskip = 0, 1\nunroll = 0\n");
    if (experiment_read(path, &overrides, &experiment) != BENCH_OK)
        fail_msg("%s", bench_failure());
    expect_rows(
        "reason=opt | reason=columns | reason=unroll 0 | reason=unroll 5 | reason=rows");
    assert_string_equal(
        notes, "missing: rdp/gpu-paper barriers=one;distance=vertical;eps=4;height=256;"
               "median=0;resample=linear;skip=1;unroll=0;width=1242 "
               "input=scene case=all kernel/frames: not measured\n");
    experiment_free(&experiment);
}

/* What processes of one call say together; a number that one of them lacks stays the row's own. */
static void processes_of_one_call_are_one_row(void **unused)
{
    const struct bench_cell *cell = add_cell(&serial, "256");

    (void)unused;
    put_row("01", cell, "mean_ms=9; median_ms=9; run_group=other; run=7");
    put_row("02b", cell, "mean_ms=1; median_ms=2; min_ms=1; max_ms=5; run_group=g; run=1");
    put_row("02c", cell, "mean_ms=2; median_ms=7; min_ms=4; run_group=g; run=2");
    put_row("02d", cell, "mean_ms=60; median_ms=4; status=wrong; run_group=g; run=3");
    put_row("02e", cell, "mean_ms=6; median_ms=3; min_ms=3; max_ms=8; run_group=g; run=4");
    expect_rows("n=3; processes=3; mean_ms=3; sd_ms=2.6457*; median_ms=3; min_ms=3; max_ms=8; "
                "ci_lo_ms=2; ci_hi_ms=7; fps=333.3*");
}

/* ---- values ---- */

static void values_are_joined(void **unused)
{
    struct bench_cell *cell = add_cell(&serial, "256");
    struct bench_cell *other = add_cell(&serial, "512");

    (void)unused;
    cell->plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_FRAME;
    /* values come with the first row of a cell only, and no column of a row is overwritten by one */
    put_row("01", cell, ":segments=11.5; :round_share:0=0.75; :round_share:1=0.25; :eps=3");
    put_row("01", cell, "scope=frame");
    put_row("01", other, ":segments=22; :rounds_mean=5");
    expect_rows("segments=11.5; rounds_mean=; eps=4; value_eps=3; round_share=- | "
                "scope=frame; segments=11.5 | segments=22; rounds_mean=5");
    expect_file("fig9.values.csv", /* each set of values once */
                "name=segments | impl=rdp/serial; height=256; name=round_share; index=0; "
                "value=0.75; unit=px | index=1 | name=eps | name=segments | "
                "height=512; name=rounds_mean; index=");
}

static void cells_without_times(void **unused)
{
    struct bench_cell *cell = add_cell(&serial, "256");

    (void)unused;
    cell->plan.times = false;
    put_row("01", cell, "scope=; series=; :segments=11.5");
    expect_rows("segments=11.5");
}

/* ---- missing ---- */

static void missing_cells_are_named(void **unused)
{
    const struct bench_cell *cell = add_cell(&gpu, "2048");

    (void)unused;
    put_row("01", cell, "scope=; series=; status=skipped; reason=above 1024 rows");
    show_as(TABLE_CSV, NULL, NULL);
    assert_string_equal(notes,
                        "missing: rdp/gpu-paper eps=4;height=2048;unroll=5;width=1242 "
                        "input=scene case=all kernel/frames: skipped: above 1024 rows\n");
    put_row("02", cell, "status=wrong; reason=3 values");
    add_cell(&serial, "256");
    add_cell(&serial, "512");
    add_cell(&serial, "768");
    show_as(TABLE_CSV, NULL, NULL);
    assert_non_null(strstr(notes, "kernel/frames: wrong: 3 values\n"));
    assert_non_null(strstr(notes, "missing: rdp/serial eps=4;height=256;width=1242 input=scene "
                                  "case=all kernel/frames: not measured\n"));
    assert_non_null(strstr(notes, "height=768"));
    add_cell(&serial, "1024");
    show_as(TABLE_CSV, NULL, NULL);
    assert_non_null(strstr(notes,
                           "missing: rdp/serial: 4 cells, the first "
                           "eps=4;height=256;width=1242 input=scene case=all kernel/frames: "
                           "not measured\n"));
    assert_null(strstr(notes, "height=768"));
}

static void nothing_measured_still_gives_files(void **unused)
{
    struct record_table table;
    struct text caption;
    char path[800];

    (void)unused;
    add_cell(&serial, "256");
    expect_rows("");
    read_out("fig9.csv", &table);
    assert_true(record_column(&table, "median_ms") >= 0);
    assert_true(record_column(&table, "height") >= 0);
    record_table_free(&table);
    snprintf(path, sizeof path, "%s/rdp/fig9.caption.txt", out);
    assert_int_equal(text_read_file(path, &caption), BENCH_OK);
    assert_string_equal(caption.data, "no rows\n");
    text_free(&caption);
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_string_equal(page, "### rdp/fig9: time against height\n\nNo rows.\n");
}

/* There is room for 24 texts of a column; that there are more is said where there are. */
static void a_caption_says_what_it_leaves_out(void **unused)
{
    (void)unused;
    for (int i = 0; i < 25; i++) {
        struct bench_cell *cell = add_cell(&serial, "256");

        snprintf(cell->plan.input, sizeof cell->plan.input, "i%d", i);
        put_row("01", cell, "median_ms=1");
        if (i >= 23)
            expect_page(TABLE_MARKDOWN, NULL, "; input i0, i1, ",
                        i > 23 ? ", i22, i23, ...;" : ", i22, i23;", NULL);
    }
}

/* What can be read is shown, and what cannot is named. */
static void broken_results_are_no_silence(void **unused)
{
    (void)unused;
    put_row("01", add_cell(&serial, "256"), "median_ms=1");
    put_text("results/host/20260102T000000Z-a.csv", "session,row_id\na,\"b\"c\n");
    expect_rows("median_ms=1");
    assert_non_null(strstr(notes, "20260102T000000Z-a.csv:2: a quote"));
    assert_non_null(strstr(notes, "; left out\n"));
}

static void an_output_folder_that_cannot_be(void **unused)
{
    char path[800];

    (void)unused;
    put_row("01", add_cell(&serial, "256"), "median_ms=1");
    snprintf(path, sizeof path, "%s/out", put_text("file", ""));
    assert_int_equal(show_as(TABLE_CSV, path, NULL), BENCH_EIO);
}

/* ---- for people ---- */

static void put_four_rows(void)
{
    put_row("01", add_cell(&serial, "512"),
            "mean_ms=10.25; median_ms=10; ci_lo_ms=9.9; ci_hi_ms=10.1; n=57");
    put_row("01", add_cell(&gpu, "512"),
            "mean_ms=0.01; median_ms=0.0101; ci_lo_ms=0.01; ci_hi_ms=0.0102; n=30");
    put_row("01", add_cell(&serial, "1024"),
            "mean_ms=21.1552; median_ms=21; ci_lo_ms=20.9; ci_hi_ms=21.11; n=30");
    put_row("01", add_cell(&gpu, "1024"),
            "mean_ms=0.012345; median_ms=0.0122; ci_lo_ms=0.0121; ci_hi_ms=0.0123; n=1000");
}

static void long_table(void **unused)
{
    (void)unused;
    put_four_rows();
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_string_equal(
        page,
        "### rdp/fig9: time against height\n"
        "\n"
        "width 1242, eps 4, unroll 5, input scene, case all, batch 1, threads 1,\n"
        "mode_name any, machine host, scope kernel, series frames, verdict exact,\n"
        "status ok\n"
        "\n"
        "| impl          | height | median ms | mean ms | 95 % of median |    n |\n"
        "| ------------- | -----: | --------: | ------: | -------------: | ---: |\n"
        "| rdp/serial    |    512 |        10 |   10.25 |      9.9..10.1 |   57 |\n"
        "| rdp/gpu-paper |    512 |    0.0101 |    0.01 |   0.01..0.0102 |   30 |\n"
        "| rdp/serial    |   1024 |        21 |   21.16 |    20.9..21.11 |   30 |\n"
        "| rdp/gpu-paper |   1024 |    0.0122 | 0.01235 | 0.0121..0.0123 | 1000 |\n"
        "\n"
        "host; Some CPU; Some GPU; mode any; commit abc1234; input scene; scope kernel; series "
        "frames; n 30..1000 samples of one process; profile paper\n");
}

static void pivot_with_the_printed_numbers(void **unused)
{
    (void)unused;
    put_four_rows();
    lay_out("rows=impl; columns=mode; value=mean_ms; title=Times < all; unit=ms; paper=table1");
    if (show_as(TABLE_MARKDOWN, NULL, "results/paper") != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_string_equal(
        page,
        "### rdp/fig9: Times < all [ms]\n"
        "\n"
        "width 1242, eps 4, unroll 5, input scene, case all, batch 1, threads 1,\n"
        "machine host, scope kernel, series frames\n"
        "\n**height 512**\n\n"
        "| impl          |   any |\n"
        "| ------------- | ----: |\n"
        "| rdp/serial    | 10.25 |\n"
        "| rdp/gpu-paper |  0.01 |\n"
        "\n"
        "n 30..57 samples of one process; 95 % interval of the median at most 2 % wide\n"
        "\n**height 1024**\n\n"
        "| impl            |     any | MODE_10W printed | MODE_15W printed | MAXN printed |\n"
        "| --------------- | ------: | ---------------: | ---------------: | -----------: |\n"
        "| rdp/serial      |   21.16 |             43.9 |            40.10 |        21.15 |\n"
        "| rdp/gpu-paper   | 0.01235 |             5.66 |             2.33 |         1.09 |\n"
        "| rdp/omp-columns |         |             23.3 |            14.31 |         4.97 |\n"
        "\n"
        "n 30..1000 samples of one process; 95 % interval of the median at most 1.6 % wide; "
        "printed: the paper's "
        "table1\n"
        "\n"
        "host; Some CPU; Some GPU; mode any; commit abc1234; input scene; scope kernel; series "
        "frames; n 30..1000 samples of one process; profile paper\n");
}

/* The same tables for a terminal and a browser. */
static void other_formats(void **unused)
{
    (void)unused;
    put_four_rows();
    lay_out("rows=impl; columns=mode; value=mean_ms; title=Times < all; unit=ms; paper=table1");
    expect_page(TABLE_TERMINAL, "results/paper", "rdp/fig9: Times < all [ms]\n\nwidth 1242,",
                "\nheight 512\nimpl             any\n"
                "rdp/serial     10.25\nrdp/gpu-paper   0.01\n"
                "n 30..57 samples of one process;",
                NULL);
    expect_page(TABLE_HTML, "results/paper",
                "<h3>Times &lt; all [ms]</h3>\n<p>width 1242, eps 4,",
                "<caption>height 512</caption>",
                "<th scope=\"col\" class=\"number\">any</th>"
                "<th scope=\"col\" class=\"printed\">MODE_10W printed</th>",
                "<th scope=\"row\">rdp/serial</th><td class=\"number\">21.16"
                "</td><td class=\"printed number\">43.9</td>",
                NULL);
}

/* An interval as wide as that is a plain number too. */
static void a_wide_interval_is_a_plain_number(void **unused)
{
    (void)unused;
    put_row("01", add_cell(&serial, "512"),
            "median_ms=10; mean_ms=10; ci_lo_ms=2; ci_hi_ms=20.4");
    lay_out("rows=impl; columns=mode; value=mean_ms; title=Times < all; unit=ms; paper=table1");
    expect_page(
        TABLE_MARKDOWN, NULL,
        "\nn 30 samples of one process; 95 % interval of the median at most 184 % wide\n",
        NULL);
}

/* With a mode that the paper has, ours stands beside what is printed. */
static void printed_stands_beside_ours(void **unused)
{
    (void)unused;
    put_row("01", add_cell(&gpu, "1024"), "mode_name=MAXN; mean_ms=1.15; case=all");
    lay_out("rows=mode; columns=impl; value=mean_ms; paper=table1");
    expect_page(TABLE_MARKDOWN, "results/paper",
                "| mode     | rdp/gpu-paper | rdp/gpu-paper printed | rdp/serial "
                "printed | rdp/omp-columns printed |\n",
                "| MAXN     |          1.15 |                  1.09 |",
                "| MODE_10W |               |                  5.66 |", NULL);
}

/* A key of one variant alone does not take the others out of the table. */
static void keys_of_one_variant_part_tables(void **unused)
{
    struct bench_cell *cell;

    (void)unused;
    put_row("01", add_cell(&serial, "512"), "mean_ms=9");
    put_row("01", add_cell(&columns, "512"), "mean_ms=2");
    cell = add_cell(&columns, "512");
    set_key(cell, &columns_keys[0], "16");
    put_row("01", cell, "mean_ms=3");
    lay_out("rows=impl; columns=height; value=mean_ms");
    expect_page(TABLE_MARKDOWN, NULL,
                "**chunk 8**\n\n"
                "| impl            | 512 |\n"
                "| --------------- | --: |\n"
                "| rdp/serial      |   9 |\n"
                "| rdp/omp-columns |   2 |\n",
                "**chunk 16**\n\n"
                "| impl            | 512 |\n"
                "| --------------- | --: |\n"
                "| rdp/serial      |   9 |\n"
                "| rdp/omp-columns |   3 |\n",
                NULL);
}

static void a_list_of_values_and_what_is_beside(void **unused)
{
    static const struct {
        const char *input, *height, *values;
    } rows[] = {{"easy", "512", ":err=1.5; :hit=60; :in_err=9; n="},
                {"easy", "1024", ":err=1.25; :hit=70; :in_err=9; n="},
                {"hard", "512", ":err=2.5; :hit=40; :in_err=20; n="},
                {"hard", "1024", ":err=2; :hit=50; :in_err=21; n="}};
    char paper[600];

    (void)unused;
    for (int i = 0; i < 4; i++) {
        struct bench_cell *cell = add_cell(&serial, rows[i].height);

        snprintf(cell->plan.input, sizeof cell->plan.input, "%s", rows[i].input);
        put_row("01", cell, rows[i].values);
    }
    snprintf(paper, sizeof paper, "%s/paper", base);
    put_text("paper/set.csv", "paper,figure,impl,input,height,eps,name,value,printed\n"
                              "set,table9,,KITTI,512,,err,8,8.0\n"
                              "set,table9,,KITTI,512,8,err,7,of another eps\n"
                              "set,table9,,KITTI,,,in_err,9.1,9.10\n"
                              "set,table8,,KITTI,512,,err,6,of another table\n"
                              "set,table9,,SYNTHIA,,,in_err,10.26,10.26\n");
    lay_out("rows=input; columns=height; value=err, hit; beside=in_err; paper=set/table9");
    expect_page(TABLE_MARKDOWN, paper,
                "series frames\n"
                "\n**err**\n\n"
                "| input   | in_err | in_err printed | 512 | 512 printed | 1024 |\n"
                "| ------- | -----: | -------------: | --: | ----------: | ---: |\n"
                "| easy    |      9 |                | 1.5 |             | 1.25 |\n"
                "| hard    | 20..21 |                | 2.5 |             |    2 |\n"
                "| KITTI   |        |           9.10 |     |         8.0 |      |\n"
                "| SYNTHIA |        |          10.26 |     |             |      |\n"
                "\nprinted: the paper's table9\n"
                "\n**hit**\n\n"
                "| input | 512 | 1024 |\n"
                "| ----- | --: | ---: |\n"
                "| easy  |  60 |   70 |\n"
                "| hard  |  40 |   50 |\n"
                "\nhost; Some CPU;",
                NULL);
}

/* Medians 1 2 8 16 at 128 256 512 1024: in powers of two 0 1 3 4, slope 1.4 +- 4.30265 / sqrt 50. */
static void put_a_curve(void)
{
    static const char *const points[][2] = {{"256", "median_ms=2"},
                                            {"128", "median_ms=1"},
                                            {"1024", "median_ms=16"},
                                            {"512", "median_ms=8"}};

    for (int i = 0; i < 4; i++) {
        struct bench_cell *cell = add_cell(&serial, points[i][0]);

        cell->plan.laps = true;
        put_row("01", cell, points[i][1]);
        put_row("01", cell, "median_ms=5; lap=part");
    }
    put_row("01", add_cell(&gpu, "512"), "median_ms=1");
    put_row("01", add_cell(&gpu, "1024"), "median_ms=8");
    put_row("01", add_cell(&columns, "512"), "median_ms=3");
}

static void powers_are_fitted(void **unused)
{
    char paper[700];

    (void)unused;
    put_a_curve();
    lay_out("rows=impl; columns=height; value=median_ms");
    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_OK);
    snprintf(paper, sizeof paper, "%s/rdp/fig9.fit.csv", out);
    assert_int_not_equal(access(paper, F_OK), 0); /* none is asked for */
    lay_out("rows=impl; columns=height; value=median_ms; fit=height; paper=set/table9");
    snprintf(paper, sizeof paper, "%s/paper", base);
    put_text("paper/set.csv", "paper,figure,impl,eps,name,value,printed\n"
                              "set,table9,rdp/serial,8,exponent,9,of another eps\n"
                              "set,table9,rdp/serial,,exponent,2,w h^2\n");
    expect_page(TABLE_MARKDOWN, paper,
                "| impl          |    height | points | exponent | 95 % "
                "interval | last step | printed |\n"
                "| ------------- | --------: | -----: | -------: | "
                "------------: | --------: | ------- |\n"
                "| rdp/serial    | 128..1024 |      4 |      1.4 | "
                "0.7915..2.008 |         1 | w h^2   |\n"
                "| rdp/gpu-paper | 512..1024 |      2 |        3 |            "
                "   |         3 |         |\n",
                NULL);
    expect_file("fig9.fit.csv",
                "impl=rdp/serial; eps=4; x=height; value=median_ms; height=-; exponent=1.4; "
                "x_min=128 | impl=rdp/gpu-paper; exponent_lo=");
}

/* 2 ns a node and 0.5 ns a row; what differs in height is one fit, what differs in eps another; one row is none. */
static void sums_of_two_terms_are_fitted(void **unused)
{
    struct record_table fits;
    double a, b, worst;

    (void)unused;
    put_row("01", add_cell(&serial, "128"), "median_ms=4; :nodes=1e6; :rows=4e6");
    put_row("01", add_cell(&serial, "256"), "median_ms=7; :nodes=3e6; :rows=2e6");
    put_row("01", add_cell(&serial, "512"), "median_ms=2.5; :nodes=1e6; :rows=1e6");
    put_row("01", add_cell(&gpu, "512"), "median_ms=1; :nodes=1; :rows=2");
    lay_out("rows=impl; columns=height; value=median_ms; linear=nodes, rows, height");
    expect_page(TABLE_MARKDOWN, NULL, "median_ms = a nodes + b rows, least squares of",
                "| rdp/serial |    3 | 2 ", NULL);
    expect_file("fig9.linear.csv", "impl=rdp/serial; height=-");
    read_out("fig9.linear.csv", &fits);
    assert_true(record_get_number(&fits, 0, "a_ns", &a) && a > 1.999 && a < 2.001);
    assert_true(record_get_number(&fits, 0, "b_ns", &b) && b > 0.4999 && b < 0.5001);
    assert_true(record_get_number(&fits, 0, "worst_pct", &worst) && worst < 1e-6);
    record_table_free(&fits);
}

/* Teams of 16, 8 and 4: the second is the fastest, the third is as fast as far as the intervals tell. */
static void the_best_setting_is_shown(void **unused)
{
    static const struct {
        int threads;
        const char *whole, *part;
    } teams[] = {{16, "threads=16; median_ms=1.1; ci_lo_ms=1.03; ci_hi_ms=1.2",
                  "threads=16; median_ms=0.5; lap=part"},
                 {8, "threads=8; median_ms=1; ci_lo_ms=0.98; ci_hi_ms=1.02",
                  "threads=8; median_ms=0.5; lap=part"},
                 {4, "threads=4; median_ms=1.01; ci_lo_ms=1.02; ci_hi_ms=1.03",
                  "threads=4; median_ms=0.5; lap=part"}};

    (void)unused;
    put_row("01", add_cell(&serial, "512"), "median_ms=9");
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        struct bench_cell *cell = add_cell(&columns, "512");

        cell->plan.threads = teams[i].threads;
        cell->plan.laps = true;
        put_row("01", cell, teams[i].whole);
        put_row("01", cell, teams[i].part);
    }
    lay_out("best=threads");
    expect_rows("impl=rdp/serial | threads=4; median_ms=1.01 | threads=4; lap=part");
    experiment.layout.best[0] = '\0';
    expect_rows(
        "threads=1 | threads=16 | threads=16 | threads=8 | threads=8 | threads=4 | threads=4");
}

/* Widths stand for seeds. */
static struct bench_cell *add_seed(const struct bench_impl *impl, const char *height,
                                   const char *width)
{
    struct bench_cell *cell = add_cell(impl, height);

    cell->params = (struct bench_params){.n = 0};
    set_key(cell, &problem_keys[0], width);
    set_key(cell, &problem_keys[1], height);
    assert_int_equal(bench_params_default(&cell->params, problem_keys, "test"), BENCH_OK);
    assert_int_equal(bench_params_default(&cell->params, impl->keys, "test"), BENCH_OK);
    return cell;
}

static void put_seeds(void)
{
    put_row("01", add_seed(&serial, "512", "1"), "mean_ms=90; sd_ms=7; :err=10");
    put_row("01", add_seed(&serial, "512", "2"), "mean_ms=110; sd_ms=7; :err=12");
    put_row("01", add_seed(&gpu, "256", "1"), "mean_ms=5; :err=20; :work=1000000");
    put_row("01", add_seed(&gpu, "512", "1"), "mean_ms=9; :err=9; :work=2000000");
    put_row("01", add_seed(&gpu, "512", "2"), "mean_ms=11; :err=13; :work=2000000");
    put_row("01", add_seed(&gpu, "1024", "1"), "mean_ms=40; :err=4; :work=4000000");
    lay_out("rows=height; columns=impl; value=mean_ms, err; over=width");
}

static void runs_are_means(void **unused)
{
    (void)unused;
    put_seeds();
    expect_rows("mean_ms=100; n=2; min_ms=90; err=11; width=; height=512; sd_ms=14.14*; "
                "err_sd=1.414* | width=; err_sd= | height=512 | height=1024");
    expect_page(TABLE_MARKDOWN, NULL, "|    512 |   100 \u00b1 14 |      10 \u00b1 1.4 |\n",
                "|    256 |            |        5, n 1 |\n",
                "n 2 where no other stands: means over width, \u00b1 one standard deviation\n",
                "; n 1..2; ", NULL);
    assert_true(strstr(page, "|    256 |") < strstr(page, "|    512 |")); /* measured after */
}

/* A variant without the key of the rows, or of the columns, is not under an empty head. */
static void no_head_is_empty(void **unused)
{
    struct bench_cell *ten = add_cell(&gpu, "512"), *two = add_cell(&gpu, "512");

    (void)unused;
    set_key(ten, &paper_keys[0], "10");
    set_key(two, &paper_keys[0], "2");
    put_row("01", add_cell(&serial, "512"), "mean_ms=90");
    put_row("01", add_cell(&columns, "512"), "mean_ms=30");
    put_row("01", two, "mean_ms=20");
    put_row("01", ten, "mean_ms=10");
    lay_out("rows=unroll; columns=height; value=mean_ms");
    expect_page(TABLE_MARKDOWN, NULL,
                "| unroll          | 512 |\n"
                "| --------------- | --: |\n"
                "| 2               |  20 |\n"
                "| 10              |  10 |\n"
                "| rdp/serial      |  90 |\n"
                "| rdp/omp-columns |  30 |\n\n",
                NULL);
    lay_out("rows=impl; columns=unroll; value=mean_ms");
    expect_page(TABLE_MARKDOWN, NULL,
                "| impl            |   2 |  10 | none |\n"
                "| --------------- | --: | --: | ---: |\n"
                "| rdp/gpu-paper   |  20 |  10 |      |\n"
                "| rdp/serial      |     |     |   90 |\n"
                "| rdp/omp-columns |     |     |   30 |\n\n",
                NULL);
    two->plan.laps = true;
    put_row("01", two, "lap=search; mean_ms=4");
    lay_out("rows=lap; columns=unroll; value=mean_ms");
    expect_page(TABLE_MARKDOWN, NULL, "| whole run |", "| search    |", NULL);
}

static void rows_are_measured_by_another(void **unused)
{
    (void)unused;
    put_seeds();
    lay_out("over=width; against=rdp/serial, height; per=work, work_ns; reach=err, height");
    /* an error of 11, as the mean of the other; 40 ms are longer */
    expect_rows("acceleration=1; work_ns= | acceleration=20; work_ns=5; reach_ms= | "
                "reach_ms=10; reach_height=512 | reach_ms=");
    /* without the second name only rows of the same height have a measure */
    lay_out("over=width; against=rdp/serial; per=work, work_ns; reach=err, height");
    expect_rows("acceleration=1 | acceleration= | acceleration=10; work_ns=5 | acceleration=");
    /* and without means each run has one of its own */
    experiment.layout.over[0] = '\0';
    expect_rows("sd_ms=7; n=30 | n=30 | n=30 | acceleration=10 | n=30 | n=30");
}

/* Two sessions may be of two machines: one is not divided by the other. */
static void an_acceleration_is_of_one_session(void **unused)
{
    (void)unused;
    put_row("01", add_seed(&serial, "512", "1"), "mean_ms=100");
    put_row("02", add_seed(&gpu, "512", "1"), "mean_ms=10");
    lay_out("rows=height; columns=impl; value=mean_ms, acceleration; over=width; "
            "against=rdp/serial");
    expect_rows("mean_ms=100 | mean_ms=10; acceleration=");
    put_row("01", add_seed(&gpu, "512", "2"), "mean_ms=1");      /* 100 times as fast */
    put_row("02", add_seed(&serial, "512", "2"), "mean_ms=200"); /* 20 times */
    expect_rows("mean_ms=150 | mean_ms=5.5; acceleration=20");

    /* an older one has both of each, though no row of it is shown */
    put_row("00", add_seed(&gpu, "512", "1"), "mean_ms=4");
    put_row("00", add_seed(&gpu, "512", "2"), "mean_ms=6");
    put_row("00", add_seed(&serial, "512", "1"), "mean_ms=100");
    put_row("00", add_seed(&serial, "512", "2"), "mean_ms=200");
    expect_rows("mean_ms=150 | mean_ms=5.5; acceleration=30");
    experiment.layout.over[0] = '\0';
    expect_rows("mean_ms=100 | mean_ms=10 | mean_ms=1 | mean_ms=200");
}

/* What is outside counts in the mean, and is counted. */
static void rows_outside_are_counted(void **unused)
{
    (void)unused;
    put_row("01", add_seed(&gpu, "512", "1"), "mean_ms=10; verdict=statistical");
    put_row("01", add_seed(&gpu, "512", "2"), "mean_ms=20; verdict=outside");
    put_row("01", add_seed(&gpu, "512", "3"), "mean_ms=90; verdict=wrong; status=wrong");
    lay_out("rows=height; columns=impl; value=mean_ms; over=width");
    expect_rows("mean_ms=15; n=2; n_outside=1");
    expect_page(TABLE_MARKDOWN, NULL, "; 1 of 2 rows outside the reference's scatter", NULL);
}

static void what_is_reached_parts_no_tables(void **unused)
{
    (void)unused;
    put_seeds();
    put_row("01", add_seed(&serial, "256", "1"), "mean_ms=60; :err=30");
    lay_out("rows=eps; columns=impl; value=reach_ms; over=width; against=rdp/serial; "
            "reach=err, height");
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_null(strstr(page, "**height"));
}

/* ---- what a profiler counted ---- */

#define NCU                                                                         \
    "utc,machine,impl,input,case,batch,params,kernel,ipc,registers,shared_bytes,"   \
    "achieved_occupancy_pct,issue_active_pct,l1_hit_pct,launches,run_instructions," \
    "run_dram_bytes,run_l2_bytes\n"
#define CELL "20260102T000000Z,host,rdp/gpu-paper,scene,all,1,eps=4;height=512;width=1242,"
#define ONE  "one,2,32,1,40,50,80,1,200,1000,3000\n"

/* Sums over the kernels of one run, means by their cycles, and nothing that is of another cell. */
static void counters_are_joined(void **unused)
{
    static const struct {
        const char *row, *asked, *newer, *counters, *expected;
    } cases[] = {
        /* 100 cycles of the first, 300 of the second */
        {"n_inputs=1", NULL, NULL,
         CELL "one,2,32,1000,40,50,80,1,200,1000,3000\n" CELL
              "two,1,64,2000,80,10,40,3,300,5000,7000\n",
         "mean_ms=2; ncu_session=20260102T000000Z; ncu_kernels=2; ncu_launches=4; "
         "ncu_instructions=500; ncu_dram_bytes=6000; ncu_l2_bytes=10000; ncu_ipc=1.25; "
         "ncu_achieved_occupancy_pct=70; ncu_issue_active_pct=20; ncu_l1_hit_pct=50; "
         "ncu_kernel=two; ncu_registers=64; ncu_shared_bytes=2000"},
        /* what is not known is empty */
        {"n_inputs=1", NULL, NULL,
         CELL "one,2,32,,40,50,80,,,,\n" CELL "two,1,64,,80,10,40,3,300,5000,\n",
         "ncu_kernels=2; ncu_launches=; ncu_instructions=; ncu_dram_bytes=; ncu_l2_bytes=; "
         "ncu_ipc=; ncu_achieved_occupancy_pct="},
        /* the newest is taken whole */
        {"n_inputs=1", NULL,
         "20260103T000000Z,host,rdp/gpu-paper,scene,all,1,eps=4;height=512;width=1242,"
         "new,2,32,,40,50,80,1,10,20,30\n",
         CELL "one,2,32,,40,50,80,1,1000,1000,1000\n",
         "ncu_kernels=1; ncu_kernel=new; ncu_instructions=10"},
        {"n_inputs=1", NULL, NULL,
         "20260102T000000Z,other,rdp/gpu-paper,scene,all,1,eps=4;height=512;width=1242," ONE
         "20260102T000000Z,host,rdp/gpu-opt,scene,all,1,eps=4;height=512;width=1242," ONE
         "20260102T000000Z,host,rdp/gpu-paper,noise,all,1,eps=4;height=512;width=1242," ONE
         "20260102T000000Z,host,rdp/gpu-paper,scene,best,1,eps=4;height=512;width=1242," ONE
         "20260102T000000Z,host,rdp/gpu-paper,scene,all,8,eps=4;height=512;width=1242," ONE
         "20260102T000000Z,host,rdp/gpu-paper,scene,all,1,eps=8;height=512;width=1242," ONE,
         "ncu_session=; ncu_kernels=; ncu_ipc="},
        /* what was counted before or after a key was there is of its default */
        {"n_inputs=1", NULL, NULL,
         "20260102T000000Z,host,rdp/"
         "gpu-paper,scene,all,1,barriers=one;eps=4.0;height=512;width=1242," ONE
         "20260103T000000Z,host,rdp/"
         "gpu-paper,scene,all,1,barriers=two;eps=4;height=512;width=1242," ONE,
         "ncu_kernels=1; ncu_session=20260102T000000Z; ncu_kernel=one"},
        {"n_inputs=1; transfer=mapped", "transfer=mapped", NULL, CELL ONE, "ncu_session="},
        /* a mean over frames has none; a batch is per frame */
        {"n_inputs=25", NULL, NULL, CELL ONE, "ncu_session=; ncu_instructions="},
        {"n_inputs=1; batch=8; n_frames=8", "batch=8", NULL,
         "20260102T000000Z,host,rdp/gpu-paper,scene,all,8,eps=4;height=512;width=1242,"
         "one,2,32,1,40,50,80,1,200,1000,3001\n",
         "ncu_instructions=25; ncu_dram_bytes=125; ncu_l2_bytes=375.125; ncu_ipc=2"},
        {"n_inputs=1", NULL, NULL, "", "ncu_session=; ncu_shared_bytes="},
        /* a file that is broken is named, and the row is there */
        {"n_inputs=1", NULL, NULL, CELL "one,2\n", "mean_ms=2; ncu_session="}};

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench_cell *cell;
        char text[2000];

        begin(NULL);
        /* a folder is a name and no pattern */
        snprintf(host, sizeof host, "%s/results/host%s", base, i == 0 ? " [a]*" : "");
        lay_out("counters=ncu");
        cell = add_cell(&gpu, "512");
        if (cases[i].asked)
            ask(cell, cases[i].asked);
        snprintf(text, sizeof text, "mean_ms=2; n_frames=1; %s", cases[i].row);
        put_row("01", cell, text);
        snprintf(text, sizeof text, "%s%s", NCU, cases[i].counters);
        put_text(i == 0 ? "results/host [a]*/ncu/02.csv" : "results/host/ncu/02.csv", text);
        if (cases[i].newer) {
            snprintf(text, sizeof text, "%s%s", NCU, cases[i].newer);
            put_text("results/host/ncu/03.csv", text);
        }
        expect_rows(cases[i].expected);
    }
    assert_non_null(strstr(notes, "ncu/02.csv:2"));
    lay_out("rows=impl");
    expect_rows("ncu_session=-"); /* only where they are asked for */
}

/* Slips in a descriptor: its lists of columns, and what only tables need. */
static void slips_are_refused(void **unused)
{
    static const char *const slips[][2] = {
        {"fit=hight; value=median_ms", "[show] fit 'hight' is neither"},
        {"linear=err, wrk, height; value=mean_ms", "[show] linear 'wrk' is neither"},
        {"linear=err; value=mean_ms", "[show] linear: expected two values"},
        {"over=wdth", "[show] over 'wdth' is neither"},
        {"reach=err, height", "[show] reach: expected"},
        {"per=work", "[show] per: expected"},
        {"counters=perf", "[show] counters: expected ncu, found 'perf'"},
        {"rows=input; columns=height; value=segmnets", "[show] value 'segmnets' is neither"},
        {"rows=input; columns=height; value=err, hti", "[show] value 'hti' is neither"},
        {"rows=input; columns=height; value=err; beside=in_er",
         "[show] beside 'in_er' is neither"},
        {"rows=input; columns=hight; value=err",
         "[show] columns 'hight' is neither"}};

    (void)unused;
    put_seeds();
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        lay_out(slips[i][0]);
        for (int as_rows = 0; as_rows < (i < 7 ? 2 : 1); as_rows++) {
            assert_int_equal(show_as(as_rows ? TABLE_CSV : TABLE_MARKDOWN, NULL, NULL),
                             BENCH_EINPUT);
            assert_non_null(strstr(bench_failure(), "fig9.ini: "));
            assert_non_null(strstr(bench_failure(), slips[i][1]));
        }
    }
}

static void printed_numbers_are_tables(void **unused)
{
    static const struct {
        const char *name, *path;
        int least;
    } papers[] = {{"rdp", "results/paper/rdp.csv", 36},
                  {"stx", "results/paper/stx.csv", 100},
                  {"som", "results/paper/som.csv", 90}};

    (void)unused;
    for (size_t k = 0; k < sizeof papers / sizeof *papers; k++) {
        struct record_table table;
        double value;

        if (record_read(papers[k].path, false, &table) != BENCH_OK)
            fail_msg("%s", bench_failure());
        assert_true(table.n_rows >= papers[k].least);
        for (int i = 0; i < table.n_rows; i++) {
            assert_string_equal(record_get(&table, i, "paper"), papers[k].name);
            assert_true(record_get_number(&table, i, "value", &value));
            assert_string_not_equal(record_get(&table, i, "where"), "");
            assert_string_not_equal(record_get(&table, i, "printed"), "");
            assert_string_not_equal(record_get(&table, i, "read"), "");
        }
        record_table_free(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(newest_of_the_best_is_shown, begin),
        cmocka_unit_test_setup(energy_is_shown_where_it_is_asked_for, begin),
        cmocka_unit_test_setup(other_cells_do_not_match, begin),
        cmocka_unit_test_setup(empty_keys_stand_for_fallbacks, begin),
        cmocka_unit_test_setup(threads_and_modes, begin),
        cmocka_unit_test_setup(transfers_are_told_apart, begin),
        cmocka_unit_test_setup(parts_of_a_card_are_told_apart, begin),
        cmocka_unit_test_setup(a_table_has_a_row_for_each_part, begin),
        cmocka_unit_test_setup(scopes_series_and_laps, begin),
        cmocka_unit_test_setup(every_build_shows_the_same, begin),
        cmocka_unit_test_setup(processes_of_one_call_are_one_row, begin),
        cmocka_unit_test_setup(values_are_joined, begin),
        cmocka_unit_test_setup(cells_without_times, begin),
        cmocka_unit_test_setup(missing_cells_are_named, begin),
        cmocka_unit_test_setup(nothing_measured_still_gives_files, begin),
        cmocka_unit_test_setup(a_caption_says_what_it_leaves_out, begin),
        cmocka_unit_test_setup(broken_results_are_no_silence, begin),
        cmocka_unit_test_setup(an_output_folder_that_cannot_be, begin),
        cmocka_unit_test_setup(long_table, begin),
        cmocka_unit_test_setup(pivot_with_the_printed_numbers, begin),
        cmocka_unit_test_setup(other_formats, begin),
        cmocka_unit_test_setup(a_wide_interval_is_a_plain_number, begin),
        cmocka_unit_test_setup(printed_stands_beside_ours, begin),
        cmocka_unit_test_setup(keys_of_one_variant_part_tables, begin),
        cmocka_unit_test_setup(a_list_of_values_and_what_is_beside, begin),
        cmocka_unit_test_setup(powers_are_fitted, begin),
        cmocka_unit_test_setup(sums_of_two_terms_are_fitted, begin),
        cmocka_unit_test_setup(the_best_setting_is_shown, begin),
        cmocka_unit_test_setup(runs_are_means, begin),
        cmocka_unit_test_setup(no_head_is_empty, begin),
        cmocka_unit_test_setup(rows_are_measured_by_another, begin),
        cmocka_unit_test_setup(an_acceleration_is_of_one_session, begin),
        cmocka_unit_test_setup(rows_outside_are_counted, begin),
        cmocka_unit_test_setup(what_is_reached_parts_no_tables, begin),
        cmocka_unit_test_setup(counters_are_joined, begin),
        cmocka_unit_test_setup(slips_are_refused, begin),
        cmocka_unit_test_setup(printed_numbers_are_tables, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
