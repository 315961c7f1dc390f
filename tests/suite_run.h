/* suite_run.h - whole runs of an experiment that a test makes by hand, without a GPU */
#ifndef TESTS_SUITE_RUN_H
#define TESTS_SUITE_RUN_H

#include "harness/base/text.h"
#include "harness/problems/rdp/rdp.h"
#include "harness/suite/record.h"
#include "harness/suite/suite.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static char folder[700];             /* of the results */
static struct bench_options options; /* of run() */
static const char *sysroot = "";
static FILE *notes; /* all that run() says; NULL: nobody keeps it */
static struct bench_summary summary;
static char mode_after[200]; /* "MACHINE, MODE" behind run() */
static struct record_table rows;

static inline int free_rows(void **state)
{
    record_table_free(&rows);
    return 0;
}

static inline void set_key(struct bench_config *config, const char *name, const char *value)
{
    const struct bench_key *const key = bench_find_key(config->impl->problem->keys, name);

    assert_non_null(key);
    assert_int_equal(bench_params_set(&config->params, key, value, "test"), BENCH_OK);
}

/* "KEY=VALUE, KEY=VALUE", and all others by default; two frames, three samples. */
static inline struct bench_config config_with(const struct bench_impl *impl, const char *keys)
{
    struct bench_config config = {.section = "test",
                                  .impl = impl,
                                  .plan = {.input = "scene",
                                           .mode = "any",
                                           .which = BENCH_PICK_ALL,
                                           .batch = 1,
                                           .rate = 30,
                                           .in_flight = 1,
                                           .threads = 1,
                                           .series = 1u << BENCH_FRAMES,
                                           .scopes = 1u << BENCH_KERNEL,
                                           .times = true,
                                           .values = true,
                                           .min_samples = 3,
                                           .max_samples = 3,
                                           .precision = 0.5,
                                           .timeout_s = 100,
                                           .max_frames = 2,
                                           .energy_time_s = 3}};
    char element[TEXT_ELEMENT];

    for (char *value; (value = text_next(&keys, element)) != NULL;) {
        const char *const name = strsep(&value, "=");

        set_key(&config, name, value);
    }
    assert_int_equal(bench_params_default(&config.params, impl->problem->keys, "test"),
                     BENCH_OK);
    assert_int_equal(bench_params_default(&config.params, impl->keys, "test"), BENCH_OK);
    return config;
}

/* Keeps of an output's first column its two ends alone. */
static inline void keep_ends(const struct rdp_output *out)
{
    uint32_t *const kept = out->kept;
    int first = 0, last = out->n_rows - 1;

    while (!rdp_is_kept(kept, first))
        first++;
    while (!rdp_is_kept(kept, last))
        last--;
    memset(kept, 0, (size_t)rdp_n_words(out->n_rows) * sizeof *kept);
    kept[first / 32] |= 1u << first % 32;
    kept[last / 32] |= 1u << last % 32;
    out->segments[0] = out->rounds[0] = 1;
}

/* Frames of 40 x 50 pixels. */
static inline struct bench_config config_of(const struct bench_impl *impl)
{
    return config_with(impl, "width=40, height=50");
}

static inline struct bench_experiment experiment_of(struct bench_config *configs, int n)
{
    return (struct bench_experiment){.name = "test/test",
                                     .path = "test.ini",
                                     .problem = configs->impl->problem,
                                     .configs = configs,
                                     .n_configs = n};
}

/* With 'options', on the machine below 'sysroot' without its cards; results go to 'folder'. */
static inline enum bench_status run(struct bench_config *configs, int n_configs, bool resume)
{
    const struct bench_experiment e = experiment_of(configs, n_configs);
    struct record_session *session = NULL;
    struct bench_env env;
    enum bench_status status;

    notes = notes ? notes : fopen("/dev/null", "w");
    options.results = folder;
    options.data = "data";
    options.resume = resume;
    options.out = options.err = notes;
    assert_int_equal(bench_env_open(-1, sysroot, &env), BENCH_OK);
    bench_device_close(env.device); /* the same on machines with a card */
    env.device = NULL;
    snprintf(env.no_device, sizeof env.no_device, "no GPU in this test");
    assert_int_equal(suite_open(&env, &options, &session), BENCH_OK);
    status = suite_run(&e, &env, &options, session, &summary);
    assert_int_equal(record_close(session), BENCH_OK);
    snprintf(mode_after, sizeof mode_after, "%s, %s", env.machine, env.board.mode_name);
    bench_env_close(&env);
    fflush(notes);
    return status;
}

/* Reads the rows of the last session. */
static inline void read_rows(void)
{
    char path[1200];

    record_table_free(&rows);
    snprintf(path, sizeof path, "%s/%s.csv", folder, summary.session);
    assert_int_equal(record_read(path, true, &rows), BENCH_OK);
}

static inline void run_to_rows(struct bench_config *configs, int n_configs, bool resume,
                               int n_rows)
{
    assert_int_equal(run(configs, n_configs, resume), BENCH_OK);
    read_rows();
    assert_int_equal(rows.n_rows, n_rows);
}

/* The row has each of "COLUMN=FIELD|COLUMN=FIELD". */
static inline void check_row(int row, const char *fields)
{
    char copy[600], *rest = copy;

    snprintf(copy, sizeof copy, "%s", fields);
    for (char *column; (column = strsep(&rest, "|")) != NULL;) {
        char *const expected = strchr(column, '=') + 1;

        expected[-1] = '\0';
        assert_true(record_column(&rows, column) >= 0);
        if (strcmp(record_get(&rows, row, column), expected) != 0)
            fail_msg("row %d, %s: expected '%s', found '%s'", row, column, expected,
                     record_get(&rows, row, column));
    }
}

#endif
