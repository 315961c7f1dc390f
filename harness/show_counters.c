/*
 * show_counters.c - what a profiler counted, joined to the rows that were measured without it
 */
#include "harness/show.h"

#include "harness/analysis/select.h"
#include "harness/record_private.h"
#include "harness/show_private.h"
#include "harness/text.h"

#include <stdlib.h>
#include <string.h>

/* The columns that a row gets, in this order. */
enum column {
    SESSION,
    KERNELS,
    LAUNCHES,
    KERNEL,
    INSTRUCTIONS,
    DRAM_BYTES,
    L2_BYTES,
    IPC,
    OCCUPANCY,
    ISSUE,
    L1_HIT,
    REGISTERS,
    SHARED,
    N_COLUMNS
};

static const char *const column_name[N_COLUMNS] = {
    "ncu_session",          "ncu_kernels",      "ncu_launches",
    "ncu_kernel",           "ncu_instructions", "ncu_dram_bytes",
    "ncu_l2_bytes",         "ncu_ipc",          "ncu_achieved_occupancy_pct",
    "ncu_issue_active_pct", "ncu_l1_hit_pct",   "ncu_registers",
    "ncu_shared_bytes"};

/* ---- which of them are of a row ---- */

/* Counted is one frame, or one batch: a row that is a mean over several inputs has none. */
static bool can_have(const struct record_table *rows, int row)
{
    return !strcmp(record_get(rows, row, "scope"), "kernel") &&
           record_get(rows, row, "lap")[0] == '\0' &&
           !strcmp(record_get(rows, row, "n_inputs"), "1");
}

/* How frames got to the card: copied where a table does not say. */
static const char *transfer_of(const struct record_table *table, int row)
{
    const char *transfer = record_get(table, row, "transfer");

    return transfer[0] ? transfer : "copy";
}

static bool is_of(const struct record_table *rows, int row, const struct record_table *counters,
                  int counted)
{
    static const char *const same[] = {"machine", "impl", "params", "input", "case", "batch"};

    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(record_get(rows, row, same[i]), record_get(counters, counted, same[i])) != 0)
            return false;
    return !strcmp(transfer_of(rows, row), transfer_of(counters, counted)) &&
           !strcmp(record_cut(rows, row), record_cut(counters, counted));
}

/* The newest session that has the row; NULL: none. */
static const char *session_of(const struct record_table *rows, int row,
                              const struct record_table *counters)
{
    const char *newest = NULL;

    for (int i = 0; i < counters->n_rows; i++) {
        const char *utc = record_get(counters, i, "utc");

        if ((!newest || strcmp(utc, newest) > 0) && is_of(rows, row, counters, i))
            newest = utc;
    }
    return newest;
}

/* ---- one run ---- */

/* Sums over the kernels of a run; a number that one of them lacks, the run lacks. */
struct run {
    int n_kernels;
    double launches, instructions, dram_bytes, l2_bytes;
    double cycles;                   /* of a multiprocessor, all kernels */
    double occupancy, issue, l1_hit; /* times the cycles of each */
    bool has_launches, has_instructions, has_dram, has_l2, has_cycles, has_occupancy, has_issue,
        has_l1;
    int longest; /* the kernel with most cycles, row of the counters */
    double most_cycles;
};

static void add(const struct record_table *counters, int kernel, const char *column,
                double factor, double *sum, bool *has)
{
    double value;

    *has = *has && record_get_number(counters, kernel, column, &value);
    if (*has)
        *sum += factor * value;
}

static void add_kernel(const struct record_table *counters, int kernel, struct run *run)
{
    double instructions, ipc, cycles = 0;
    const bool counted =
        record_get_number(counters, kernel, "run_instructions", &instructions) &&
        record_get_number(counters, kernel, "ipc", &ipc) && ipc > 0;

    if (counted)
        cycles = instructions / ipc;
    if (run->n_kernels++ == 0 || cycles > run->most_cycles) {
        run->most_cycles = cycles;
        run->longest = kernel;
    }
    run->has_cycles = run->has_cycles && counted;
    run->cycles += cycles;
    add(counters, kernel, "launches", 1, &run->launches, &run->has_launches);
    add(counters, kernel, "run_instructions", 1, &run->instructions, &run->has_instructions);
    add(counters, kernel, "run_dram_bytes", 1, &run->dram_bytes, &run->has_dram);
    add(counters, kernel, "run_l2_bytes", 1, &run->l2_bytes, &run->has_l2);
    add(counters, kernel, "achieved_occupancy_pct", cycles, &run->occupancy,
        &run->has_occupancy);
    add(counters, kernel, "issue_active_pct", cycles, &run->issue, &run->has_issue);
    add(counters, kernel, "l1_hit_pct", cycles, &run->l1_hit, &run->has_l1);
}

static struct run run_of(const struct record_table *rows, int row,
                         const struct record_table *counters, const char *session)
{
    struct run run = {.has_launches = true,
                      .has_instructions = true,
                      .has_dram = true,
                      .has_l2 = true,
                      .has_cycles = true,
                      .has_occupancy = true,
                      .has_issue = true,
                      .has_l1 = true};

    for (int i = 0; i < counters->n_rows; i++)
        if (!strcmp(record_get(counters, i, "utc"), session) && is_of(rows, row, counters, i))
            add_kernel(counters, i, &run);
    return run;
}

/* ---- columns ---- */

/* A row's new fields: texts of the counters, or numbers of its own. */
struct fields {
    const char *text[N_COLUMNS];
    char number[N_COLUMNS][TEXT_NUMBER];
};

static void put(struct fields *fields, enum column column, bool has, double value)
{
    if (!has)
        return;
    text_number(fields->number[column], value);
    fields->text[column] = fields->number[column];
}

static void describe(const struct record_table *rows, int row,
                     const struct record_table *counters, struct fields *fields)
{
    const char *session = can_have(rows, row) ? session_of(rows, row, counters) : NULL;
    double frames = 1;
    struct run run;

    for (int i = 0; i < N_COLUMNS; i++)
        fields->text[i] = "";
    if (!session)
        return;
    run = run_of(rows, row, counters, session);
    if (!record_get_number(rows, row, "n_frames", &frames) || frames < 1)
        frames = 1; /* sums are per frame, as times are */
    fields->text[SESSION] = session;
    put(fields, KERNELS, true, run.n_kernels);
    put(fields, LAUNCHES, run.has_launches, run.launches);
    fields->text[KERNEL] = record_get(counters, run.longest, "kernel");
    put(fields, INSTRUCTIONS, run.has_instructions, run.instructions / frames);
    put(fields, DRAM_BYTES, run.has_dram, run.dram_bytes / frames);
    put(fields, L2_BYTES, run.has_l2, run.l2_bytes / frames);
    put(fields, IPC, run.has_cycles && run.has_instructions, run.instructions / run.cycles);
    put(fields, OCCUPANCY, run.has_cycles && run.has_occupancy, run.occupancy / run.cycles);
    put(fields, ISSUE, run.has_cycles && run.has_issue, run.issue / run.cycles);
    put(fields, L1_HIT, run.has_cycles && run.has_l1, run.l1_hit / run.cycles);
    fields->text[REGISTERS] = record_get(counters, run.longest, "registers");
    fields->text[SHARED] = record_get(counters, run.longest, "shared_bytes");
}

static enum bench_status join(const struct record_table *rows,
                              const struct record_table *counters, struct record_table *joined)
{
    const char **field = calloc((size_t)rows->n_columns + N_COLUMNS, sizeof *field);
    enum bench_status status = BENCH_OK;
    struct fields fields;

    if (!field)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a row");
    for (int i = 0; i < rows->n_columns && status == BENCH_OK; i++)
        status = record_add_column(joined, rows->column[i]);
    for (int i = 0; i < N_COLUMNS && status == BENCH_OK; i++)
        status = record_add_column(joined, column_name[i]);
    for (int row = 0; row < rows->n_rows && status == BENCH_OK; row++) {
        for (int i = 0; i < rows->n_columns; i++)
            field[i] = rows->cell[(size_t)row * (size_t)rows->n_columns + (size_t)i];
        describe(rows, row, counters, &fields);
        memcpy(field + rows->n_columns, fields.text, sizeof fields.text);
        status = record_add_row(joined, field);
    }
    free(field);
    return status;
}

enum bench_status show_counters(const struct bench_experiment *experiment, struct store *store,
                                struct record_table *rows)
{
    struct record_table counters = {0}, joined = {0};
    enum bench_status status;

    if (!experiment->layout.counters[0])
        return BENCH_OK;
    if (strcmp(experiment->layout.counters, "ncu") != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: [show] counters: expected ncu, found '%s'",
                          experiment->path, experiment->layout.counters);
    status = select_counters(store, &counters);
    if (status == BENCH_OK)
        status = join(rows, &counters, &joined);
    if (status == BENCH_OK) {
        record_table_free(rows);
        *rows = joined;
    } else {
        record_table_free(&joined);
    }
    record_table_free(&counters);
    return status;
}
