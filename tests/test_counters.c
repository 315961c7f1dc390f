/* test_counters.c - what a profiler counted beside the rows of its cells: sums, weighted means, and nothing that is of another */
#include "harness/experiment.h"
#include "harness/impl.h"
#include "harness/params.h"
#include "harness/record.h"
#include "harness/analysis/show.h"
#include "tests/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct bench_key keys[] = {
    {.name = "eps", .fallback = "4", .kind = BENCH_REAL, .min = 0, .max = 256}, {0}};
static const struct bench_problem problem = {.name = "rdp", .title = "", .keys = keys};
static const struct bench_impl gpu = {
    .name = "rdp/gpu-paper", .problem = &problem, .target = BENCH_CUDA};

#define HEADER                                                                      \
    "utc,machine,impl,input,case,batch,params,kernel,ipc,registers,shared_bytes,"   \
    "achieved_occupancy_pct,issue_active_pct,l1_hit_pct,launches,run_instructions," \
    "run_dram_bytes,run_l2_bytes\n"

static char base[500], host[600];
static const char *transfer; /* of the row */
static struct bench_cell cell;
static struct bench_experiment experiment;

static int begin(void **unused)
{
    (void)unused;
    snprintf(base, sizeof base, "%s/counters", support_place());
    snprintf(host, sizeof host, "%s/host", base);
    support_remove(base);
    transfer = "copy";
    cell = (struct bench_cell){.section = "all",
                               .impl = &gpu,
                               .plan = {.input = "scene",
                                        .batch = 1,
                                        .mode = "any",
                                        .series = 1u << BENCH_HOT,
                                        .scopes = 1u << BENCH_KERNEL,
                                        .times = true}};
    assert_int_equal(bench_params_default(&cell.params, keys, "test"), BENCH_OK);
    experiment = (struct bench_experiment){.name = "rdp/roofline",
                                           .path = "experiments/rdp/roofline.ini",
                                           .problem = &problem,
                                           .cells = &cell,
                                           .n_cells = 1,
                                           .layout = {.counters = "ncu"}};
    return 0;
}

/* The one row of the cell, of so many inputs and frames in a batch. */
static void put_row(const char *n_inputs, const char *n_frames)
{
    static const struct record_resume resume = {"a", "", NULL};
    struct record_session *session;
    struct record_row *row;
    char batch[16];

    snprintf(batch, sizeof batch, "%d", cell.plan.batch);
    assert_int_equal(record_open(host, "20260101T000000Z-a", &resume, &session), BENCH_OK);
    row = record_row_new(session);
    assert_non_null(row);
    const char *const texts[] = {"utc",        "20260101T000000Z",
                                 "build_hash", "a",
                                 "machine",    "host",
                                 "profile",    "paper",
                                 "dirty",      "0",
                                 "problem",    "rdp",
                                 "impl",       "rdp/gpu-paper",
                                 "device",     "gpu",
                                 "params",     "eps=4",
                                 "eps",        "4",
                                 "input",      "scene",
                                 "case",       "all",
                                 "threads",    "1",
                                 "mode_name",  "any",
                                 "scope",      "kernel",
                                 "series",     "hot",
                                 "verdict",    "exact",
                                 "status",     "ok",
                                 "mean_ms",    "2",
                                 "n_inputs",   n_inputs,
                                 "n_frames",   n_frames,
                                 "batch",      batch,
                                 "transfer",   transfer};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += 2)
        record_text(row, texts[i], texts[i + 1]);
    if (record_write(session, row) != BENCH_OK)
        fail_msg("%s", bench_failure());
    record_row_free(row);
    record_close(session);
}

/* A table of the profiler's, in the folder's ncu/. */
static void put_counters(const char *name, const char *rows)
{
    char path[800];
    FILE *file;

    snprintf(path, sizeof path, "%s/ncu", host);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/ncu/%s.csv", host, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, HEADER "%s", rows);
    assert_int_equal(fclose(file), 0);
}

static char notes[1000];

static enum bench_status show(struct record_table *table)
{
    const char *const folders[] = {host};
    FILE *file = fmemopen(notes, sizeof notes, "w");
    const struct show_options options = {.format = TABLE_CSV, .folder = base, .notes = file};
    char path[800];
    struct store *store = NULL;
    enum bench_status status;

    assert_non_null(file);
    status = store_read(folders, 1, true, options.notes, &store);
    if (!status)
        status = show_write(&experiment, store, &options);
    store_close(store);
    fclose(file);
    if (status != BENCH_OK)
        return status;
    snprintf(path, sizeof path, "%s/rdp/roofline.csv", base);
    return record_read(path, false, table);
}

/* Pairs of a column and what the only row has in it, up to NULL. */
static void expect(const char *column, ...)
{
    struct record_table table;
    va_list args;

    if (show(&table) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_int_equal(table.n_rows, 1);
    va_start(args, column);
    for (; column; column = va_arg(args, const char *)) {
        assert_true(record_column(&table, column) >= 0);
        assert_string_equal(record_get(&table, 0, column), va_arg(args, const char *));
    }
    va_end(args);
    record_table_free(&table);
}

#define CELL "20260102T000000Z,host,rdp/gpu-paper,scene,all,1,eps=4,"

static void kernels_are_one_run(void **unused)
{
    (void)unused;
    put_row("1", "1");
    /* 100 cycles of the first, 300 of the second */
    put_counters("20260102T000000Z-a", CELL "one,2,32,1000,40,50,80,1,200,1000,3000\n" CELL
                                            "two,1,64,2000,80,10,40,3,300,5000,7000\n");
    expect("mean_ms", "2", "ncu_session", "20260102T000000Z", "ncu_kernels", "2",
           "ncu_launches", "4", "ncu_instructions", "500", "ncu_dram_bytes", "6000",
           "ncu_l2_bytes", "10000", "ncu_ipc", "1.25", "ncu_achieved_occupancy_pct", "70",
           "ncu_issue_active_pct", "20", "ncu_l1_hit_pct", "50", "ncu_kernel", "two",
           "ncu_registers", "64", "ncu_shared_bytes", "2000", NULL);
}

static void what_is_not_known_is_empty(void **unused)
{
    (void)unused;
    put_row("1", "1");
    put_counters("20260102T000000Z-a",
                 CELL "one,2,32,,40,50,80,,,,\n" CELL "two,1,64,,80,10,40,3,300,5000,\n");
    expect("ncu_kernels", "2", "ncu_launches", "", "ncu_instructions", "", "ncu_dram_bytes", "",
           "ncu_l2_bytes", "", "ncu_ipc", "", "ncu_achieved_occupancy_pct", "", NULL);
}

static void the_newest_is_taken_whole(void **unused)
{
    (void)unused;
    put_row("1", "1");
    put_counters("20260103T000000Z-a", "20260103T000000Z,host,rdp/gpu-paper,scene,all,1,eps=4,"
                                       "new,2,32,,40,50,80,1,10,20,30\n");
    put_counters("20260102T000000Z-a", CELL "one,2,32,,40,50,80,1,1000,1000,1000\n");
    expect("ncu_kernels", "1", "ncu_kernel", "new", "ncu_instructions", "10", NULL);
}

static void another_cells_counters_are_not_taken(void **unused)
{
    (void)unused;
    put_row("1", "1");
    put_counters(
        "20260102T000000Z-a",
        "20260102T000000Z,other,rdp/gpu-paper,scene,all,1,eps=4,k,1,1,1,1,1,1,1,1,1,1\n"
        "20260102T000000Z,host,rdp/gpu-opt,scene,all,1,eps=4,k,1,1,1,1,1,1,1,1,1,1\n"
        "20260102T000000Z,host,rdp/gpu-paper,noise,all,1,eps=4,k,1,1,1,1,1,1,1,1,1,1\n"
        "20260102T000000Z,host,rdp/gpu-paper,scene,best,1,eps=4,k,1,1,1,1,1,1,1,1,1,1\n"
        "20260102T000000Z,host,rdp/gpu-paper,scene,all,8,eps=4,k,1,1,1,1,1,1,1,1,1,1\n"
        "20260102T000000Z,host,rdp/gpu-paper,scene,all,1,eps=8,k,1,1,1,1,1,1,1,1,1,1\n");
    expect("ncu_session", "", "ncu_kernels", "", "ncu_ipc", "", NULL);
}

/* What was counted before or after a key was there is of its default. */
static void a_default_is_no_other_cell(void **unused)
{
    (void)unused;
    put_row("1", "1");
    put_counters("20260102T000000Z-a",
                 "20260102T000000Z,host,rdp/gpu-paper,scene,all,1,barriers=one;eps=4.0,"
                 "one,2,32,1,40,50,80,1,200,1000,3000\n"
                 "20260103T000000Z,host,rdp/gpu-paper,scene,all,1,barriers=two;eps=4,"
                 "two,2,32,1,40,50,80,1,200,1000,3000\n");
    expect("ncu_kernels", "1", "ncu_kernel", "one", NULL);
}

static void another_way_to_the_card_is_another_cell(void **unused)
{
    (void)unused;
    transfer = "mapped";
    cell.plan.transfer = BENCH_MAPPED;
    put_row("1", "1");
    put_counters("20260102T000000Z-a", CELL "one,2,32,1,40,50,80,1,200,1000,3000\n");
    expect("ncu_session", "", NULL);
}

static void a_mean_over_frames_has_none(void **unused)
{
    (void)unused;
    put_row("25", "1");
    put_counters("20260102T000000Z-a", CELL "one,2,32,1,40,50,80,1,200,1000,3000\n");
    expect("ncu_session", "", "ncu_instructions", "", NULL);
}

static void a_batch_is_per_frame(void **unused)
{
    (void)unused;
    cell.plan.batch = 8;
    put_row("1", "8");
    put_counters("20260102T000000Z-a", "20260102T000000Z,host,rdp/gpu-paper,scene,all,8,eps=4,"
                                       "one,2,32,1,40,50,80,1,200,1000,3001\n");
    expect("ncu_instructions", "25", "ncu_dram_bytes", "125", "ncu_l2_bytes", "375.125",
           "ncu_ipc", "2", NULL);
}

static void columns_are_there_without_counters(void **unused)
{
    (void)unused;
    put_row("1", "1");
    expect("ncu_session", "", "ncu_shared_bytes", "", NULL);
}

/* A folder is a name and no pattern. */
static void a_folder_may_have_any_name(void **unused)
{
    (void)unused;
    snprintf(host, sizeof host, "%s/host [a]*", base);
    put_row("1", "1");
    put_counters("20260102T000000Z-a", CELL "one,2,32,0,50,40,30,1,100,800,900\n");
    expect("ncu_session", "20260102T000000Z", "ncu_launches", "1", NULL);
}

static void only_where_asked_for(void **unused)
{
    struct record_table table;

    (void)unused;
    put_row("1", "1");
    experiment.layout.counters[0] = '\0';
    assert_int_equal(show(&table), BENCH_OK);
    assert_int_equal(record_column(&table, "ncu_session"), -1);
    record_table_free(&table);
    snprintf(experiment.layout.counters, sizeof experiment.layout.counters, "perf");
    assert_int_equal(show(&table), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected ncu, found 'perf'"));
}

static void a_broken_file_is_named(void **unused)
{
    struct record_table table;

    (void)unused;
    put_row("1", "1");
    put_counters("20260102T000000Z-a", CELL "one,2\n");
    assert_int_equal(show(&table), BENCH_OK);
    assert_int_equal(table.n_rows, 1);
    record_table_free(&table);
    assert_non_null(strstr(notes, "ncu/20260102T000000Z-a.csv:2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(kernels_are_one_run, begin),
        cmocka_unit_test_setup(what_is_not_known_is_empty, begin),
        cmocka_unit_test_setup(the_newest_is_taken_whole, begin),
        cmocka_unit_test_setup(another_cells_counters_are_not_taken, begin),
        cmocka_unit_test_setup(a_default_is_no_other_cell, begin),
        cmocka_unit_test_setup(another_way_to_the_card_is_another_cell, begin),
        cmocka_unit_test_setup(a_mean_over_frames_has_none, begin),
        cmocka_unit_test_setup(a_batch_is_per_frame, begin),
        cmocka_unit_test_setup(columns_are_there_without_counters, begin),
        cmocka_unit_test_setup(a_folder_may_have_any_name, begin),
        cmocka_unit_test_setup(only_where_asked_for, begin),
        cmocka_unit_test_setup(a_broken_file_is_named, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
