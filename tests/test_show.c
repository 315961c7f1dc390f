/* test_show.c - which row a figure gets, what is said of those that are missing, and the tables for people */
#include "harness/record_private.h"
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

/*
 * Write one row of a session of its own: the columns of 'cell', then "column=value" texts up to NULL.  A column of
 * ":name" is a scalar value, ":name:3" an element of a series.
 */
static void put_row(const char *session_name, const struct bench_cell *cell, ...)
{
    struct record_session *session;
    struct record_row *row;
    char params[512];
    const char *set;
    const struct record_resume resume = {session_name, "", NULL};
    va_list args;

    if (record_open(host, session_name, &resume, &session) != BENCH_OK)
        fail_msg("%s", bench_failure());
    row = record_row_new(session);
    assert_non_null(row);
    bench_params_text(&cell->params, params, sizeof params);
    record_text(row, "utc", session_name);
    record_text(row, "build_hash", session_name);
    record_text(row, "machine", "host");
    record_text(row, "cpu", "Some CPU");
    record_text(row, "gpu", "Some GPU");
    record_text(row, "commit", "abc1234567890123456789012345678901234567");
    record_text(row, "dirty", "0");
    record_text(row, "profile", "paper");
    record_text(row, "problem", "rdp");
    record_text(row, "impl", cell->impl->name);
    record_text(row, "device",
                cell->impl->target == BENCH_CUDA     ? "gpu"
                : cell->impl->target == BENCH_OPENMP ? "omp"
                                                     : "serial");
    record_text(row, "params", params);
    for (int i = 0; i < cell->params.n; i++)
        record_text(row, cell->params.item[i].key->name, cell->params.item[i].text);
    record_text(row, "input", cell->plan.input);
    record_text(row, "case", bench_case_name[cell->plan.which]);
    record_integer(row, "batch", cell->plan.batch);
    record_integer(row, "threads", cell->impl->target == BENCH_OPENMP ? 8 : 1);
    record_text(row, "mode_name", "any");
    record_text(row, "scope", "kernel");
    record_text(row, "series", "frames");
    record_text(row, "verdict", "exact");
    record_text(row, "status", "ok");
    record_integer(row, "n", 30);
    va_start(args, cell);
    while ((set = va_arg(args, const char *)) != NULL) {
        char name[64];
        const char *equals = strchr(set, '=');

        assert_non_null(equals);
        snprintf(name, sizeof name, "%.*s", (int)(equals - set), set);
        if (name[0] == ':') {
            char *colon = strchr(name + 1, ':');

            if (colon)
                *colon = '\0';
            assert_int_equal(record_value(row, name + 1, colon ? atoi(colon + 1) : -1,
                                          atof(equals + 1), "px"),
                             BENCH_OK);
        } else {
            record_text(row, name, equals + 1);
        }
    }
    va_end(args);
    if (record_write(session, row) != BENCH_OK)
        fail_msg("%s", bench_failure());
    record_row_free(row);
    record_close(session);
}

static void put_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
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

static void show_rows(struct record_table *table)
{
    char path[800];

    if (show_as(TABLE_CSV, out, NULL) != BENCH_OK)
        fail_msg("%s", bench_failure());
    snprintf(path, sizeof path, "%s/rdp/fig9.csv", out);
    if (record_read(path, false, table) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

static void read_out(const char *name, struct record_table *table)
{
    char path[800];

    snprintf(path, sizeof path, "%s/rdp/%s", out, name);
    if (record_read(path, false, table) != BENCH_OK)
        fail_msg("%s", bench_failure());
}

/* The median of the only row shown. */
static void expect_median(const char *median)
{
    struct record_table table;

    show_rows(&table);
    if (median) {
        assert_int_equal(table.n_rows, 1);
        assert_string_equal(record_get(&table, 0, "median_ms"), median);
        assert_string_equal(notes, "");
    } else {
        assert_int_equal(table.n_rows, 0);
        assert_string_not_equal(notes, "");
    }
    record_table_free(&table);
}

/* ---- choosing ---- */

static void newest_of_the_best_is_shown(void **unused)
{
    const struct bench_cell *cell = add_cell(&serial, "256");
    char path[800];

    (void)unused;
    expect_median(NULL);
    put_row("20260101T000000Z-a", cell, "median_ms=1", "dirty=1", "profile=quick", NULL);
    expect_median("1");
    put_row("20260102T000000Z-a", cell, "median_ms=2", "dirty=1", "profile=quick", NULL);
    expect_median("2");
    put_row("20260101T000001Z-a", cell, "median_ms=3", "dirty=1", NULL);
    expect_median("3"); /* full before quick */
    put_row("20260101T000002Z-a", cell, "median_ms=4", "profile=quick", NULL);
    expect_median("4"); /* clean before dirty */
    put_row("20260101T000003Z-a", cell, "median_ms=5", NULL);
    expect_median("5");
    put_row("20260104T000000Z-a", cell, "median_ms=6", NULL);
    expect_median("6");
    put_row("20260103T000000Z-a", cell, "median_ms=7", NULL);
    expect_median("6");
    put_row("20260105T000000Z-a", cell, "median_ms=8", "verdict=wrong", NULL);
    put_row("20260106T000000Z-a", cell, "median_ms=9", "status=wrong", NULL);
    put_row("20260107T000000Z-a", cell, "median_ms=10", "status=unstable", NULL);
    put_row("20260108T000000Z-a", cell, "median_ms=11", "status=throttled", NULL);
    expect_median("6");
    snprintf(path, sizeof path, "%s/WITHDRAWN", host);
    put_text(path, "20260104T000000Z-a:r000001 fan was off\n");
    expect_median("7");
    put_text(path, "20260104T000000Z-a the whole\n20260103T000000Z-a:r000002 no such row\n");
    expect_median("7");
}

/* Of an experiment that asks for energy a row that has it counts, though a newer one has none. */
static void energy_is_shown_where_it_is_asked_for(void **unused)
{
    struct bench_cell *cell = add_cell(&serial, "256");

    (void)unused;
    put_row("20260101T000000Z-a", cell, "median_ms=1", "mj_frame=5", NULL);
    put_row("20260102T000000Z-a", cell, "median_ms=2", NULL);
    expect_median("2");
    cell->plan.energy = true;
    expect_median("1");
    put_row("20260103T000000Z-a", cell, "median_ms=3", "mj_frame=6", NULL);
    expect_median("3");
}

static void other_cells_do_not_match(void **unused)
{
    const struct bench_cell *cell = add_cell(&serial, "256");

    (void)unused;
    put_row("20260101T000000Z-a", cell, "height=512", NULL);
    put_row("20260101T000000Z-b", cell, "eps=8", NULL);
    put_row("20260101T000000Z-c", cell, "impl=rdp/omp-tasks", NULL);
    put_row("20260101T000000Z-d", cell, "input=noise", NULL);
    put_row("20260101T000000Z-e", cell, "case=worst", NULL);
    put_row("20260101T000000Z-f", cell, "batch=64", NULL);
    put_row("20260101T000000Z-g", cell, "scope=frame", NULL);
    put_row("20260101T000000Z-h", cell, "series=hot", NULL);
    put_row("20260101T000000Z-i", cell, "lap=sort", NULL);
    put_row("20260101T000000Z-j", cell, "cutoff=64",
            NULL); /* a key that this variant does not have */
    expect_median(NULL);
    put_row("20260101T000000Z-k", cell, "median_ms=1", NULL);
    expect_median("1");
}

static void empty_keys_stand_for_fallbacks(void **unused)
{
    struct bench_cell *cell = add_cell(&columns, "256");

    (void)unused;
    put_row("20260101T000000Z-a", cell, "median_ms=1", "chunk=", "params=old", NULL);
    expect_median("1"); /* from before the key was declared */
    assert_int_equal(bench_params_set(&cell->params, &columns_keys[0], "16", "test"), BENCH_OK);
    expect_median(NULL);
    put_row("20260101T000000Z-b", cell, "median_ms=2", NULL);
    expect_median("2");
}

static void threads_and_modes(void **unused)
{
    struct bench_cell *cell = add_cell(&columns, "256");
    struct record_table table;

    (void)unused;
    put_row("20260102T000000Z-a", cell, "median_ms=1", "threads=8", NULL);
    put_row("20260103T000000Z-a", cell, "median_ms=2", "threads=2", NULL);
    expect_median("1"); /* all cores: the larger team, though older */
    cell->plan.threads = 2;
    expect_median("2");
    cell->plan.threads = 4;
    expect_median(NULL);
    cell->plan.threads = 0;
    snprintf(cell->plan.mode, sizeof cell->plan.mode, "MAXN");
    expect_median("1"); /* a machine without modes stands in */
    put_row("20260101T000000Z-b", cell, "median_ms=3", "mode_name=MAXN", NULL);
    put_row("20260104T000000Z-b", cell, "median_ms=4", "mode_name=MODE_10W", NULL);
    expect_median("3");

    /* two modes on a machine that has none: its row is there once */
    begin(NULL);
    cell = add_cell(&columns, "256");
    snprintf(cell->plan.mode, sizeof cell->plan.mode, "MAXN");
    cell = add_cell(&columns, "256");
    snprintf(cell->plan.mode, sizeof cell->plan.mode, "MODE_10W");
    put_row("20260102T000000Z-a", cell, "median_ms=1", NULL);
    show_rows(&table);
    assert_int_equal(table.n_rows, 1);
    record_table_free(&table);
}

/* A row of a part of the card is never shown for the whole, and the other way round. */
static void parts_of_a_card_are_told_apart(void **unused)
{
    struct bench_cell *cell = add_cell(&gpu, "256");

    (void)unused;
    put_row("20260105T000000Z-a", cell, "median_ms=8", "sm_count=132", "sms=8", NULL);
    expect_median(NULL);
    put_row("20260101T000000Z-a", cell, "median_ms=1", "sm_count=132", NULL);
    expect_median("1"); /* from before rows said so */
    put_row("20260102T000000Z-a", cell, "median_ms=2", "sm_count=132", "sms=132", NULL);
    expect_median("2");
    put_row("20260103T000000Z-a", cell, "median_ms=3", "sm_count=132", NULL);
    expect_median("3"); /* the same cell */
    cell->plan.sms = 8;
    expect_median("8");
    cell->plan.sms = 16;
    expect_median(NULL);
    assert_non_null(strstr(notes, "sms=16"));
    cell->plan.sms = 132;
    expect_median("3");
    /* of a card as small as that, the whole */
    put_row("20260106T000000Z-a", cell, "median_ms=9", "sm_count=8", "sms=8", NULL);
    cell->plan.sms = 8;
    expect_median("9");
    cell->plan.sms = 0;
    expect_median("9");
}

static void a_table_has_a_row_for_each_part(void **unused)
{
    struct bench_cell *cell;

    (void)unused;
    for (int sms = 0; sms <= 16; sms += 8) {
        char column[2][20];

        cell = add_cell(&gpu, "256");
        cell->plan.sms = sms;
        snprintf(column[0], sizeof column[0], "sms=%d", sms ? sms : 132);
        snprintf(column[1], sizeof column[1], "mean_ms=%d", sms + 1);
        put_row("20260105T000000Z-a", cell, column[0], "sm_count=132", column[1], NULL);
    }
    cell = add_cell(&serial, "256");
    put_row("20260105T000000Z-a", cell, "mean_ms=50", "sm_count=132", NULL);
    experiment.layout =
        (struct bench_layout){.rows = "sms", .columns = "impl", .value = "mean_ms"};
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_non_null(strstr(page, "| 8    |             9 |"));
    assert_non_null(strstr(page, "| 16   |            17 |"));
    assert_non_null(strstr(page, "| 132  |             1 |"));
    assert_non_null(strstr(page, "SMs 132, 8, 16"));
    assert_null(strstr(page, "**sms")); /* one table */
}

/* A row says how its frames were transferred; one from before that was said copied them. */
static void transfers_are_told_apart(void **unused)
{
    struct bench_cell *cell = add_cell(&gpu, "256");

    (void)unused;
    put_row("20260103T000000Z-a", cell, "median_ms=1", "transfer=mapped", NULL);
    expect_median(NULL);
    put_row("20260101T000000Z-b", cell, "median_ms=2", NULL);
    expect_median("2");
    put_row("20260102T000000Z-c", cell, "median_ms=3", "transfer=copy", NULL);
    expect_median("3");
    cell->plan.transfer = BENCH_MAPPED;
    expect_median("1");
    cell->plan.transfer = BENCH_MANAGED;
    expect_median(NULL);
}

static void scopes_series_and_laps(void **unused)
{
    struct bench_cell *cell = add_cell(&gpu, "256");
    struct record_table table;
    static const char *const expected[] = {"k1", "new a", "new b", "d1"};

    (void)unused;
    cell->plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_DEVICE;
    cell->plan.laps = true;
    put_row("20260101T000000Z-a", cell, "reason=k1", NULL);
    put_row("20260101T000000Z-a", cell, "lap=a", "reason=old a", NULL);
    put_row("20260101T000000Z-a", cell, "lap=gone", "reason=old lap", NULL);
    put_row("20260101T000000Z-a", cell, "scope=device", "reason=d1", NULL);
    put_row("20260102T000000Z-a", cell, "lap=a", "reason=older a", NULL);
    put_row("20260102T000000Z-a", cell, "lap=a", "reason=new a", NULL);
    put_row("20260102T000000Z-a", cell, "lap=b", "reason=new b", NULL);
    show_rows(&table);
    assert_int_equal(table.n_rows, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(record_get(&table, i, "reason"), expected[i]);
    record_table_free(&table);
    cell->plan.laps = false;
    show_rows(&table);
    assert_int_equal(table.n_rows, 2);
    record_table_free(&table);

    begin(NULL); /* no device scope on a CPU: neither shown nor missing */
    cell = add_cell(&serial, "256");
    cell->plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_DEVICE;
    put_row("20260102T000000Z-a", cell, "median_ms=1", NULL);
    expect_median("1");
}

/*
 * The project's own variants, of which a build without CUDA lacks some: whatever it has, it shows the rows of each cell
 * and no others, a newer row with other keys of the variant among them.
 */
static void every_build_shows_the_same(void **unused)
{
    static const char *const expected[] = {"opt", "columns", "unroll 0", "unroll 5", "rows"};
    static const struct bench_key opt_keys[] = {
        {.name = "layout", .fallback = "columns", .kind = BENCH_WORD}, {0}};
    static const struct bench_impl opt = {
        .name = "rdp/gpu-opt", .problem = &problem, .target = BENCH_CUDA, .keys = opt_keys};
    const struct bench_overrides overrides = {.with_absent = true};
    const struct bench_cell of_gpu = *add_cell(&gpu, "256"), of_opt = *add_cell(&opt, "256"),
                            of_columns = *add_cell(&columns, "256");
    struct record_table table;
    char path[700];

    (void)unused;
    put_row("20260101T000000Z-a", &of_opt, "reason=opt", "threads=0", NULL);
    put_row("20260102T000000Z-a", &of_opt, "reason=rows", "threads=0", "layout=rows", NULL);
    put_row("20260102T000000Z-a", &of_columns, "reason=columns", NULL);
    put_row("20260101T000000Z-b", &of_gpu, "reason=unroll 5", "threads=0", NULL);
    put_row("20260102T000000Z-b", &of_gpu, "reason=unroll 0", "threads=0", "unroll=0", NULL);
    put_row("20260103T000000Z-b", &of_gpu, "reason=skip", "threads=0", "skip=1", NULL);
    put_row("20260103T000000Z-c", &of_gpu, "reason=512", "threads=0", "height=512", NULL);
    snprintf(path, sizeof path, "%s/rdp", base);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(path, sizeof path, "%s/rdp/fig9.ini", base);
    put_text(path, "[global]\nproblem = rdp\nwidth = 1242\neps = 4\nheight = 256\n"
                   "[a]\nimpl = rdp/gpu-opt, rdp/omp-columns\n"
                   "[b]\nimpl = rdp/gpu-paper\nunroll = 0, 5\n"
                   "[c]\nimpl = rdp/gpu-*\nlayout = rows\n"
                   "[d]\nimpl = rdp/gpu-paper\nskip = 0, 1\nunroll = 0\n");
    if (experiment_read(path, &overrides, &experiment) != BENCH_OK)
        fail_msg("%s", bench_failure());
    show_rows(&table);
    assert_int_equal(table.n_rows, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(record_get(&table, i, "reason"), expected[i]);
    assert_string_equal(
        notes, "missing: rdp/gpu-paper barriers=one;distance=vertical;eps=4;height=256;"
               "median=0;resample=linear;skip=1;unroll=0;width=1242 "
               "input=scene case=all kernel/frames: not measured\n");
    record_table_free(&table);
    experiment_free(&experiment);
}

/* ---- values ---- */

static void values_are_joined(void **unused)
{
    struct bench_cell *cell = add_cell(&serial, "256");
    struct bench_cell *other = add_cell(&serial, "512");
    struct record_table rows, values;

    (void)unused;
    cell->plan.scopes = 1u << BENCH_KERNEL | 1u << BENCH_FRAME;
    /* values come with the first row of a cell only */
    put_row("20260101T000000Z-a", cell, ":segments=11.5", ":round_share:0=0.75",
            ":round_share:1=0.25", ":eps=3", NULL);
    put_row("20260101T000000Z-a", cell, "scope=frame", NULL);
    put_row("20260101T000000Z-a", other, ":segments=22", ":rounds_mean=5", NULL);
    show_rows(&rows);
    assert_int_equal(rows.n_rows, 3);
    assert_string_equal(record_get(&rows, 0, "segments"), "11.5");
    assert_string_equal(record_get(&rows, 1, "scope"), "frame");
    assert_string_equal(record_get(&rows, 1, "segments"), "11.5");
    assert_string_equal(record_get(&rows, 2, "segments"), "22");
    assert_string_equal(record_get(&rows, 0, "rounds_mean"), "");
    assert_string_equal(record_get(&rows, 2, "rounds_mean"), "5");
    assert_string_equal(record_get(&rows, 0, "eps"), "4"); /* never overwritten by a value */
    assert_string_equal(record_get(&rows, 0, "value_eps"), "3");
    assert_int_equal(record_column(&rows, "round_share"), -1);
    record_table_free(&rows);

    read_out("fig9.values.csv", &values);
    assert_int_equal(values.n_rows, 6); /* each set of values once */
    assert_string_equal(record_get(&values, 1, "impl"), "rdp/serial");
    assert_string_equal(record_get(&values, 1, "height"), "256");
    assert_string_equal(record_get(&values, 1, "name"), "round_share");
    assert_string_equal(record_get(&values, 1, "index"), "0");
    assert_string_equal(record_get(&values, 1, "value"), "0.75");
    assert_string_equal(record_get(&values, 1, "unit"), "px");
    assert_string_equal(record_get(&values, 5, "height"), "512");
    assert_string_equal(record_get(&values, 5, "name"), "rounds_mean");
    assert_string_equal(record_get(&values, 5, "index"), "");
    record_table_free(&values);
}

static void cells_without_times(void **unused)
{
    struct bench_cell *cell = add_cell(&serial, "256");
    struct record_table table;

    (void)unused;
    cell->plan.times = false;
    put_row("20260101T000000Z-a", cell, "scope=", "series=", ":segments=11.5", NULL);
    show_rows(&table);
    assert_int_equal(table.n_rows, 1);
    assert_string_equal(record_get(&table, 0, "segments"), "11.5");
    record_table_free(&table);
}

/* ---- missing ---- */

static void missing_cells_are_named(void **unused)
{
    const struct bench_cell *cell = add_cell(&gpu, "2048");

    (void)unused;
    put_row("20260101T000000Z-a", cell, "scope=", "series=", "status=skipped",
            "reason=above 1024 rows", NULL);
    show_as(TABLE_CSV, NULL, NULL);
    assert_string_equal(notes,
                        "missing: rdp/gpu-paper eps=4;height=2048;unroll=5;width=1242 "
                        "input=scene case=all kernel/frames: skipped: above 1024 rows\n");
    put_row("20260102T000000Z-a", cell, "status=wrong", "reason=3 values", NULL);
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
    char path[800], line[400];
    FILE *file;

    (void)unused;
    add_cell(&serial, "256");
    show_rows(&table);
    assert_int_equal(table.n_rows, 0);
    assert_true(record_column(&table, "median_ms") >= 0);
    assert_true(record_column(&table, "height") >= 0);
    record_table_free(&table);
    snprintf(path, sizeof path, "%s/rdp/fig9.caption.txt", out);
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "no rows\n");
    fclose(file);
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
        put_row("20260101T000000Z-a", cell, "median_ms=1", NULL);
        if (i < 23)
            continue;
        assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
        assert_non_null(strstr(page, "; input i0, i1, "));
        assert_non_null(strstr(page, i > 23 ? ", i22, i23, ...;" : ", i22, i23;"));
    }
}

/* What can be read is shown, and what cannot is named. */
static void broken_results_are_no_silence(void **unused)
{
    const struct bench_cell *cell = add_cell(&serial, "256");
    struct record_table table;
    char path[800];

    (void)unused;
    put_row("20260101T000000Z-a", cell, "median_ms=1", NULL);
    snprintf(path, sizeof path, "%s/20260102T000000Z-a.csv", host);
    put_text(path, "session,row_id\na,\"b\"c\n");
    show_rows(&table);
    assert_int_equal(table.n_rows, 1);
    record_table_free(&table);
    assert_non_null(strstr(notes, "20260102T000000Z-a.csv:2: a quote"));
    assert_non_null(strstr(notes, "; left out\n"));
}

static void an_output_folder_that_cannot_be(void **unused)
{
    char path[800];

    (void)unused;
    put_row("20260101T000000Z-a", add_cell(&serial, "256"), "median_ms=1", NULL);
    snprintf(path, sizeof path, "%s/file", host);
    put_text(path, "");
    snprintf(path, sizeof path, "%s/file/out", host);
    assert_int_equal(show_as(TABLE_CSV, path, NULL), BENCH_EIO);
}

/* ---- for people ---- */

static void put_four_rows(void)
{
    static const char *const heights[] = {"512", "1024"};

    for (int i = 0; i < 2; i++) {
        put_row("20260101T000000Z-a", add_cell(&serial, heights[i]),
                i ? "mean_ms=21.1552" : "mean_ms=10.25", i ? "median_ms=21" : "median_ms=10",
                i ? "ci_lo_ms=20.9" : "ci_lo_ms=9.9", i ? "ci_hi_ms=21.11" : "ci_hi_ms=10.1",
                i ? "n=30" : "n=57", NULL);
        put_row("20260101T000000Z-a", add_cell(&gpu, heights[i]),
                i ? "mean_ms=0.012345" : "mean_ms=0.01",
                i ? "median_ms=0.0122" : "median_ms=0.0101",
                i ? "ci_lo_ms=0.0121" : "ci_lo_ms=0.01",
                i ? "ci_hi_ms=0.0123" : "ci_hi_ms=0.0102", i ? "n=1000" : "n=30", NULL);
    }
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
    experiment.layout = (struct bench_layout){.rows = "impl",
                                              .columns = "mode",
                                              .value = "mean_ms",
                                              .unit = "ms",
                                              .title = "Times",
                                              .paper = "table1"};
    if (show_as(TABLE_MARKDOWN, NULL, "results/paper") != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_string_equal(
        page,
        "### rdp/fig9: Times [ms]\n"
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

    snprintf(experiment.layout.value, sizeof experiment.layout.value, "segmnets");
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, "results/paper"), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "fig9.ini: [show] value 'segmnets' is neither"));
}

/* The same tables for a terminal and a browser. */
static void other_formats(void **unused)
{
    (void)unused;
    put_four_rows();
    experiment.layout = (struct bench_layout){.rows = "impl",
                                              .columns = "mode",
                                              .value = "mean_ms",
                                              .title = "Times < all",
                                              .paper = "table1"};
    assert_int_equal(show_as(TABLE_TERMINAL, NULL, "results/paper"), BENCH_OK);
    assert_non_null(strstr(page, "rdp/fig9: Times < all\n\nwidth 1242,"));
    assert_non_null(strstr(page, "\nheight 512\nimpl             any\n"
                                 "rdp/serial     10.25\nrdp/gpu-paper   0.01\n"
                                 "n 30..57 samples of one process;"));
    assert_int_equal(show_as(TABLE_HTML, NULL, "results/paper"), BENCH_OK);
    assert_non_null(strstr(page, "<h3>Times &lt; all</h3>\n<p>width 1242, eps 4,"));
    assert_non_null(strstr(page, "<caption>height 512</caption>"));
    assert_non_null(strstr(page, "<th scope=\"col\" class=\"number\">any</th>"
                                 "<th scope=\"col\" class=\"printed\">MODE_10W printed</th>"));
    assert_non_null(strstr(page, "<th scope=\"row\">rdp/serial</th><td class=\"number\">21.16"
                                 "</td><td class=\"printed number\">43.9</td>"));
}

/* An interval as wide as that is a plain number too. */
static void a_wide_interval_is_a_plain_number(void **unused)
{
    struct bench_cell *cell = add_cell(&serial, "512");

    (void)unused;
    put_row("20260101T000000Z-a", cell, "median_ms=10", "mean_ms=10", "ci_lo_ms=2",
            "ci_hi_ms=20.4", NULL);
    experiment.layout =
        (struct bench_layout){.rows = "impl", .columns = "mode", .value = "mean_ms"};
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_non_null(strstr(
        page,
        "\nn 30 samples of one process; 95 % interval of the median at most 184 % wide\n"));
}

/* With a mode that the paper has, ours stands beside what is printed. */
static void printed_stands_beside_ours(void **unused)
{
    struct bench_cell *cell = add_cell(&gpu, "1024");

    (void)unused;
    put_row("20260101T000000Z-a", cell, "mode_name=MAXN", "mean_ms=1.15", "case=all", NULL);
    experiment.layout = (struct bench_layout){
        .rows = "mode", .columns = "impl", .value = "mean_ms", .paper = "table1"};
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, "results/paper"), BENCH_OK);
    assert_non_null(strstr(page,
                           "| mode     | rdp/gpu-paper | rdp/gpu-paper printed | rdp/serial "
                           "printed | rdp/omp-columns printed |\n"));
    assert_non_null(strstr(page, "| MAXN     |          1.15 |                  1.09 |"));
    assert_non_null(strstr(page, "| MODE_10W |               |                  5.66 |"));
}

/* A key of one variant alone does not take the others out of the table. */
static void keys_of_one_variant_part_tables(void **unused)
{
    struct bench_cell *cell;

    (void)unused;
    put_row("20260101T000000Z-a", add_cell(&serial, "512"), "mean_ms=9", NULL);
    cell = add_cell(&columns, "512");
    put_row("20260101T000000Z-a", cell, "mean_ms=2", NULL);
    cell = add_cell(&columns, "512");
    assert_int_equal(bench_params_set(&cell->params, &columns_keys[0], "16", "test"), BENCH_OK);
    put_row("20260101T000000Z-a", cell, "mean_ms=3", NULL);
    experiment.layout =
        (struct bench_layout){.rows = "impl", .columns = "height", .value = "mean_ms"};
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_non_null(strstr(page, "**chunk 8**\n\n"
                                 "| impl            | 512 |\n"
                                 "| --------------- | --: |\n"
                                 "| rdp/serial      |   9 |\n"
                                 "| rdp/omp-columns |   2 |\n"));
    assert_non_null(strstr(page, "**chunk 16**\n\n"
                                 "| impl            | 512 |\n"
                                 "| --------------- | --: |\n"
                                 "| rdp/serial      |   9 |\n"
                                 "| rdp/omp-columns |   3 |\n"));
}

/* A row of an input at a height with two values and what came in. */
static void put_quality(const char *input, const char *height, const char *err, const char *hit,
                        const char *in_err)
{
    struct bench_cell *cell = add_cell(&serial, height);

    snprintf(cell->plan.input, sizeof cell->plan.input, "%s", input);
    put_row("20260101T000000Z-a", cell, err, hit, in_err, "n=", NULL);
}

static void a_list_of_values_and_what_is_beside(void **unused)
{
    char paper[600], path[700];

    (void)unused;
    put_quality("easy", "512", ":err=1.5", ":hit=60", ":in_err=9");
    put_quality("easy", "1024", ":err=1.25", ":hit=70", ":in_err=9");
    put_quality("hard", "512", ":err=2.5", ":hit=40", ":in_err=20");
    put_quality("hard", "1024", ":err=2", ":hit=50", ":in_err=21");
    snprintf(paper, sizeof paper, "%s/paper", base);
    assert_int_equal(mkdir(paper, 0777), 0);
    snprintf(path, sizeof path, "%s/set.csv", paper);
    put_text(path, "paper,figure,impl,input,height,eps,name,value,printed\n"
                   "set,table9,,KITTI,512,,err,8,8.0\n"
                   "set,table9,,KITTI,512,8,err,7,of another eps\n"
                   "set,table9,,KITTI,,,in_err,9.1,9.10\n"
                   "set,table8,,KITTI,512,,err,6,of another table\n"
                   "set,table9,,SYNTHIA,,,in_err,10.26,10.26\n");
    experiment.layout = (struct bench_layout){.rows = "input",
                                              .columns = "height",
                                              .value = "err, hit",
                                              .beside = "in_err",
                                              .paper = "set/table9"};
    if (show_as(TABLE_MARKDOWN, NULL, paper) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_non_null(strstr(page,
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
                           "\nhost; Some CPU;"));
    snprintf(experiment.layout.beside, sizeof experiment.layout.beside, "in_er");
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, paper), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "fig9.ini: [show] beside 'in_er' is neither"));
    snprintf(experiment.layout.beside, sizeof experiment.layout.beside, "in_err");
    snprintf(experiment.layout.value, sizeof experiment.layout.value, "err, hti");
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, paper), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "[show] value 'hti' is neither"));
}

/* Medians 1 2 8 16 at 128 256 512 1024: in powers of two 0 1 3 4, slope 1.4 +- 4.30265 / sqrt 50. */
static void put_a_curve(void)
{
    static const char *const heights[] = {"256", "128", "1024", "512"};
    static const char *const medians[] = {"median_ms=2", "median_ms=1", "median_ms=16",
                                          "median_ms=8"};

    for (int i = 0; i < 4; i++) {
        struct bench_cell *cell = add_cell(&serial, heights[i]);

        cell->plan.laps = true;
        put_row("20260101T000000Z-a", cell, medians[i], NULL);
        put_row("20260101T000000Z-a", cell, "median_ms=5", "lap=part", NULL);
    }
    put_row("20260101T000000Z-a", add_cell(&gpu, "512"), "median_ms=1", NULL);
    put_row("20260101T000000Z-a", add_cell(&gpu, "1024"), "median_ms=8", NULL);
    put_row("20260101T000000Z-a", add_cell(&columns, "512"), "median_ms=3", NULL);
    experiment.layout = (struct bench_layout){.rows = "impl",
                                              .columns = "height",
                                              .value = "median_ms",
                                              .fit = "height",
                                              .paper = "set/table9"};
}

static void powers_are_fitted(void **unused)
{
    char paper[600], path[700];
    struct record_table fits;
    double value;

    (void)unused;
    put_a_curve();
    snprintf(paper, sizeof paper, "%s/paper", base);
    assert_int_equal(mkdir(paper, 0777), 0);
    snprintf(path, sizeof path, "%s/set.csv", paper);
    put_text(path, "paper,figure,impl,eps,name,value,printed\n"
                   "set,table9,rdp/serial,8,exponent,9,of another eps\n"
                   "set,table9,rdp/serial,,exponent,2,w h^2\n");
    if (show_as(TABLE_MARKDOWN, NULL, paper) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_non_null(strstr(page, "| impl          |    height | points | exponent | 95 % "
                                 "interval | last step | printed |\n"
                                 "| ------------- | --------: | -----: | -------: | "
                                 "------------: | --------: | ------- |\n"
                                 "| rdp/serial    | 128..1024 |      4 |      1.4 | "
                                 "0.7915..2.008 |         1 | w h^2   |\n"
                                 "| rdp/gpu-paper | 512..1024 |      2 |        3 |            "
                                 "   |         3 |         |\n"));

    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_OK);
    read_out("fig9.fit.csv", &fits);
    assert_int_equal(fits.n_rows, 2);
    assert_string_equal(record_get(&fits, 0, "impl"), "rdp/serial");
    assert_string_equal(record_get(&fits, 0, "eps"), "4");
    assert_string_equal(record_get(&fits, 0, "x"), "height");
    assert_string_equal(record_get(&fits, 0, "value"), "median_ms");
    assert_int_equal(record_column(&fits, "height"), -1);
    assert_true(record_get_number(&fits, 0, "exponent", &value) && value > 1.3999 &&
                value < 1.4001);
    assert_string_equal(record_get(&fits, 0, "x_min"), "128");
    assert_string_equal(record_get(&fits, 1, "exponent_lo"), "");
    record_table_free(&fits);

    snprintf(experiment.layout.fit, sizeof experiment.layout.fit, "hight");
    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "[show] fit = hight, value = median_ms"));
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, paper), BENCH_EINPUT);
}

static void no_fit_no_file(void **unused)
{
    char path[800];

    (void)unused;
    put_a_curve();
    experiment.layout.fit[0] = '\0';
    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_OK);
    snprintf(path, sizeof path, "%s/rdp/fig9.fit.csv", out);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_null(strstr(page, "exponent"));
}

/* 2 ns a node and 0.5 ns a row; what differs in height is one fit, what differs in eps another. */
static void sums_of_two_terms_are_fitted(void **unused)
{
    static const struct {
        const char *height, *nodes, *rows, *median;
    } points[] = {{"128", ":nodes=1e6", ":rows=4e6", "median_ms=4"},
                  {"256", ":nodes=3e6", ":rows=2e6", "median_ms=7"},
                  {"512", ":nodes=1e6", ":rows=1e6", "median_ms=2.5"}};
    struct record_table fits;
    double a, worst;

    (void)unused;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        put_row("20260101T000000Z-a", add_cell(&serial, points[i].height), points[i].median,
                points[i].nodes, points[i].rows, NULL);
    put_row("20260101T000000Z-a", add_cell(&gpu, "512"), "median_ms=1", ":nodes=1", ":rows=2",
            NULL);
    experiment.layout = (struct bench_layout){.rows = "impl",
                                              .columns = "height",
                                              .value = "median_ms",
                                              .linear = "nodes, rows, height"};
    if (show_as(TABLE_MARKDOWN, NULL, NULL) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_non_null(strstr(page, "median_ms = a nodes + b rows, least squares of"));
    assert_non_null(strstr(page, "| rdp/serial |    3 | 2 "));
    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_OK);
    read_out("fig9.linear.csv", &fits);
    assert_int_equal(fits.n_rows, 1); /* one row is no fit */
    assert_string_equal(record_get(&fits, 0, "impl"), "rdp/serial");
    assert_int_equal(record_column(&fits, "height"), -1);
    assert_true(record_get_number(&fits, 0, "a_ns", &a) && a > 1.999 && a < 2.001);
    assert_true(record_get_number(&fits, 0, "b_ns", &a) && a > 0.4999 && a < 0.5001);
    assert_true(record_get_number(&fits, 0, "worst_pct", &worst) && worst < 1e-6);
    record_table_free(&fits);

    snprintf(experiment.layout.linear, sizeof experiment.layout.linear, "nodes, row, height");
    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "[show] linear = nodes, row, height"));
    snprintf(experiment.layout.linear, sizeof experiment.layout.linear, "nodes");
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_EINPUT);
}

/* Teams of 16, 8 and 4: the second is the fastest, the third is as fast as far as the intervals tell. */
static void the_best_setting_is_shown(void **unused)
{
    static const struct {
        int threads;
        const char *text, *median, *low, *high;
    } teams[] = {{16, "threads=16", "median_ms=1.1", "ci_lo_ms=1.03", "ci_hi_ms=1.2"},
                 {8, "threads=8", "median_ms=1", "ci_lo_ms=0.98", "ci_hi_ms=1.02"},
                 {4, "threads=4", "median_ms=1.01", "ci_lo_ms=1.02", "ci_hi_ms=1.03"}};
    struct record_table table;

    (void)unused;
    put_row("20260101T000000Z-a", add_cell(&serial, "512"), "median_ms=9", NULL);
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        struct bench_cell *cell = add_cell(&columns, "512");

        cell->plan.threads = teams[i].threads;
        cell->plan.laps = true;
        put_row("20260101T000000Z-a", cell, teams[i].text, teams[i].median, teams[i].low,
                teams[i].high, NULL);
        put_row("20260101T000000Z-a", cell, teams[i].text, "median_ms=0.5", "lap=part", NULL);
    }
    experiment.layout = (struct bench_layout){.best = "threads"};
    show_rows(&table);
    assert_int_equal(table.n_rows, 3);
    assert_string_equal(record_get(&table, 0, "impl"), "rdp/serial");
    assert_string_equal(record_get(&table, 1, "threads"), "4");
    assert_string_equal(record_get(&table, 1, "median_ms"), "1.01");
    assert_string_equal(record_get(&table, 2, "lap"), "part");
    assert_string_equal(record_get(&table, 2, "threads"), "4");
    record_table_free(&table);

    experiment.layout.best[0] = '\0';
    show_rows(&table);
    assert_int_equal(table.n_rows, 7);
    record_table_free(&table);
}

/* Widths stand for seeds. */
static struct bench_cell *add_seed(const struct bench_impl *impl, const char *height,
                                   const char *width)
{
    struct bench_cell *cell = add_cell(impl, height);

    cell->params = (struct bench_params){.n = 0};
    assert_int_equal(bench_params_set(&cell->params, &problem_keys[0], width, "test"),
                     BENCH_OK);
    assert_int_equal(bench_params_set(&cell->params, &problem_keys[1], height, "test"),
                     BENCH_OK);
    assert_int_equal(bench_params_default(&cell->params, problem_keys, "test"), BENCH_OK);
    assert_int_equal(bench_params_default(&cell->params, impl->keys, "test"), BENCH_OK);
    return cell;
}

static void put_seeds(void)
{
    static const char *const session = "20260101T000000Z-a";

    put_row(session, add_seed(&serial, "512", "1"), "mean_ms=90", "sd_ms=7", ":err=10", NULL);
    put_row(session, add_seed(&serial, "512", "2"), "mean_ms=110", "sd_ms=7", ":err=12", NULL);
    put_row(session, add_seed(&gpu, "256", "1"), "mean_ms=5", ":err=20", ":work=1000000", NULL);
    put_row(session, add_seed(&gpu, "512", "1"), "mean_ms=9", ":err=9", ":work=2000000", NULL);
    put_row(session, add_seed(&gpu, "512", "2"), "mean_ms=11", ":err=13", ":work=2000000",
            NULL);
    put_row(session, add_seed(&gpu, "1024", "1"), "mean_ms=40", ":err=4", ":work=4000000",
            NULL);
    experiment.layout = (struct bench_layout){
        .rows = "height", .columns = "impl", .value = "mean_ms, err", .over = "width"};
}

static void runs_are_means(void **unused)
{
    struct record_table table;

    (void)unused;
    put_seeds();
    show_rows(&table);
    assert_int_equal(table.n_rows, 4);
    assert_string_equal(record_get(&table, 0, "mean_ms"), "100");
    assert_string_equal(record_get(&table, 0, "n"), "2");
    assert_string_equal(record_get(&table, 0, "min_ms"), "90");
    assert_string_equal(record_get(&table, 0, "err"), "11");
    assert_string_equal(record_get(&table, 0, "width"), "");
    assert_string_equal(record_get(&table, 0, "height"), "512");
    assert_memory_equal(record_get(&table, 0, "sd_ms"), "14.14", 5);
    assert_memory_equal(record_get(&table, 0, "err_sd"), "1.414", 5);
    assert_string_equal(record_get(&table, 1, "width"), "");
    assert_string_equal(record_get(&table, 1, "err_sd"), "");
    record_table_free(&table);

    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_non_null(strstr(page, "|    512 |   100 \u00b1 14 |      10 \u00b1 1.4 |\n"));
    assert_non_null(strstr(page, "|    256 |            |        5, n 1 |\n"));
    assert_true(strstr(page, "|    256 |") < strstr(page, "|    512 |")); /* measured after */
    assert_non_null(strstr(page,
                           "n 2 where no other stands: means over width, \u00b1 one standard "
                           "deviation\n"));
    assert_non_null(strstr(page, "; n 1..2; "));
    snprintf(experiment.layout.over, sizeof experiment.layout.over, "wdth");
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "[show] over 'wdth' is neither"));
}

/* A variant without the key of the rows, or of the columns, is not under an empty head. */
static void no_head_is_empty(void **unused)
{
    static const char *const session = "20260101T000000Z-a";
    struct bench_cell *two, *ten;

    (void)unused;
    ten = add_cell(&gpu, "512");
    two = add_cell(&gpu, "512");
    assert_int_equal(bench_params_set(&ten->params, &paper_keys[0], "10", "test"), BENCH_OK);
    assert_int_equal(bench_params_set(&two->params, &paper_keys[0], "2", "test"), BENCH_OK);
    put_row(session, add_cell(&serial, "512"), "mean_ms=90", NULL);
    put_row(session, add_cell(&columns, "512"), "mean_ms=30", NULL);
    put_row(session, two, "mean_ms=20", NULL);
    put_row(session, ten, "mean_ms=10", NULL);
    experiment.layout =
        (struct bench_layout){.rows = "unroll", .columns = "height", .value = "mean_ms"};
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_non_null(strstr(page, "| unroll          | 512 |\n"
                                 "| --------------- | --: |\n"
                                 "| 2               |  20 |\n"
                                 "| 10              |  10 |\n"
                                 "| rdp/serial      |  90 |\n"
                                 "| rdp/omp-columns |  30 |\n\n"));
    experiment.layout =
        (struct bench_layout){.rows = "impl", .columns = "unroll", .value = "mean_ms"};
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_non_null(strstr(page, "| impl            |   2 |  10 | none |\n"
                                 "| --------------- | --: | --: | ---: |\n"
                                 "| rdp/gpu-paper   |  20 |  10 |      |\n"
                                 "| rdp/serial      |     |     |   90 |\n"
                                 "| rdp/omp-columns |     |     |   30 |\n\n"));
    two->plan.laps = true;
    put_row(session, two, "lap=search", "mean_ms=4", NULL);
    experiment.layout =
        (struct bench_layout){.rows = "lap", .columns = "unroll", .value = "mean_ms"};
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_non_null(strstr(page, "| whole run |"));
    assert_non_null(strstr(page, "| search    |"));
}

static void rows_are_measured_by_another(void **unused)
{
    struct record_table table;

    (void)unused;
    put_seeds();
    snprintf(experiment.layout.against, sizeof experiment.layout.against, "rdp/serial, height");
    snprintf(experiment.layout.per, sizeof experiment.layout.per, "work, work_ns");
    snprintf(experiment.layout.reach, sizeof experiment.layout.reach, "err, height");
    show_rows(&table);
    assert_string_equal(record_get(&table, 0, "acceleration"), "1");
    assert_string_equal(record_get(&table, 0, "work_ns"), "");
    assert_string_equal(record_get(&table, 1, "acceleration"), "20");
    assert_string_equal(record_get(&table, 1, "work_ns"), "5");
    assert_string_equal(record_get(&table, 1, "reach_ms"), "");
    /* 11, as the mean of the other; 40 ms are longer */
    assert_string_equal(record_get(&table, 2, "reach_ms"), "10");
    assert_string_equal(record_get(&table, 2, "reach_height"), "512");
    assert_string_equal(record_get(&table, 3, "reach_ms"), "");
    record_table_free(&table);

    /* without the second name only rows of the same height have a measure */
    snprintf(experiment.layout.against, sizeof experiment.layout.against, "rdp/serial");
    show_rows(&table);
    assert_string_equal(record_get(&table, 1, "acceleration"), "");
    assert_string_equal(record_get(&table, 2, "acceleration"), "10");
    assert_string_equal(record_get(&table, 2, "work_ns"), "5");
    record_table_free(&table);

    /* and without means each run has one of its own */
    experiment.layout.over[0] = '\0';
    show_rows(&table);
    assert_int_equal(table.n_rows, 6);
    assert_string_equal(record_get(&table, 0, "sd_ms"), "7");
    assert_string_equal(record_get(&table, 0, "n"), "30");
    assert_string_equal(record_get(&table, 3, "acceleration"), "10");
    record_table_free(&table);

    experiment.layout.against[0] = '\0';
    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "[show] reach: expected"));
    experiment.layout.reach[0] = '\0';
    snprintf(experiment.layout.per, sizeof experiment.layout.per, "work");
    assert_int_equal(show_as(TABLE_CSV, out, NULL), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "[show] per: expected"));
}

/* Two sessions may be of two machines: one is not divided by the other. */
static void an_acceleration_is_of_one_session(void **unused)
{
    static const char *const zeroth = "20251231T000000Z-a", *const first = "20260101T000000Z-a",
                             *const second = "20260102T000000Z-a";
    struct record_table table;

    (void)unused;
    put_row(first, add_seed(&serial, "512", "1"), "mean_ms=100", NULL);
    put_row(second, add_seed(&gpu, "512", "1"), "mean_ms=10", NULL);
    experiment.layout = (struct bench_layout){.rows = "height",
                                              .columns = "impl",
                                              .value = "mean_ms, acceleration",
                                              .over = "width",
                                              .against = "rdp/serial"};
    show_rows(&table);
    assert_string_equal(record_get(&table, 1, "mean_ms"), "10");
    assert_string_equal(record_get(&table, 1, "acceleration"), "");
    record_table_free(&table);

    put_row(first, add_seed(&gpu, "512", "2"), "mean_ms=1", NULL);       /* 100 times as fast */
    put_row(second, add_seed(&serial, "512", "2"), "mean_ms=200", NULL); /* 20 times */
    show_rows(&table);
    assert_string_equal(record_get(&table, 1, "mean_ms"), "5.5");
    assert_string_equal(record_get(&table, 1, "acceleration"), "20");
    record_table_free(&table);

    /* an older one has both of each, though no row of it is shown */
    put_row(zeroth, add_seed(&gpu, "512", "1"), "mean_ms=4", NULL);
    put_row(zeroth, add_seed(&gpu, "512", "2"), "mean_ms=6", NULL);
    put_row(zeroth, add_seed(&serial, "512", "1"), "mean_ms=100", NULL);
    put_row(zeroth, add_seed(&serial, "512", "2"), "mean_ms=200", NULL);
    show_rows(&table);
    assert_string_equal(record_get(&table, 1, "mean_ms"), "5.5");
    assert_string_equal(record_get(&table, 1, "acceleration"), "30");
    record_table_free(&table);
    experiment.layout.over[0] = '\0';
    show_rows(&table);
    assert_int_equal(table.n_rows, 4);
    record_table_free(&table);
}

/* What is outside counts in the mean, and is counted. */
static void rows_outside_are_counted(void **unused)
{
    static const char *const session = "20260101T000000Z-a";
    struct record_table table;

    (void)unused;
    put_row(session, add_seed(&gpu, "512", "1"), "mean_ms=10", "verdict=statistical", NULL);
    put_row(session, add_seed(&gpu, "512", "2"), "mean_ms=20", "verdict=outside", NULL);
    put_row(session, add_seed(&gpu, "512", "3"), "mean_ms=90", "verdict=wrong", "status=wrong",
            NULL);
    experiment.layout = (struct bench_layout){
        .rows = "height", .columns = "impl", .value = "mean_ms", .over = "width"};
    show_rows(&table);
    assert_int_equal(table.n_rows, 1);
    assert_string_equal(record_get(&table, 0, "mean_ms"), "15");
    assert_string_equal(record_get(&table, 0, "n"), "2");
    assert_string_equal(record_get(&table, 0, "n_outside"), "1");
    record_table_free(&table);
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_non_null(strstr(page, "; 1 of 2 rows outside the reference's scatter"));
}

static void what_is_reached_parts_no_tables(void **unused)
{
    (void)unused;
    put_seeds();
    put_row("20260101T000000Z-a", add_seed(&serial, "256", "1"), "mean_ms=60", ":err=30", NULL);
    experiment.layout = (struct bench_layout){.rows = "eps",
                                              .columns = "impl",
                                              .value = "reach_ms",
                                              .over = "width",
                                              .against = "rdp/serial",
                                              .reach = "err, height"};
    assert_int_equal(show_as(TABLE_MARKDOWN, NULL, NULL), BENCH_OK);
    assert_null(strstr(page, "**height"));
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
        cmocka_unit_test_setup(no_fit_no_file, begin),
        cmocka_unit_test_setup(sums_of_two_terms_are_fitted, begin),
        cmocka_unit_test_setup(the_best_setting_is_shown, begin),
        cmocka_unit_test_setup(runs_are_means, begin),
        cmocka_unit_test_setup(no_head_is_empty, begin),
        cmocka_unit_test_setup(rows_are_measured_by_another, begin),
        cmocka_unit_test_setup(an_acceleration_is_of_one_session, begin),
        cmocka_unit_test_setup(rows_outside_are_counted, begin),
        cmocka_unit_test_setup(what_is_reached_parts_no_tables, begin),
        cmocka_unit_test_setup(printed_numbers_are_tables, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
