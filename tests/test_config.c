/* test_config.c - which columns and keys make a configuration, by the lists themselves */
#include "harness/analysis/query.h"
#include "harness/suite/config.h"
#include "harness/suite/record_private.h"
#include "tests/session.h"
#include "tests/support.h"

static char folder[600]; /* of results, with one session */

static int begin(void **unused)
{
    setenv("DEPTHBENCH_CACHE", "", 1);
    snprintf(folder, sizeof folder, "%s/config", support_place());
    return 0;
}

/* Asks for a number of two rows that differ in one column; in all others they count. */
static int ask(const char *column, const char *one, const char *other, const char *sql)
{
    const char *const folders[] = {folder};
    const char *const base = !strcmp(column, "threads") ? "omp" : "gpu";
    const char *const usual[][2] = {
        {"session", "s"}, {"row_id", "r%d"},   {"impl", "rdp/opt"}, {"problem", "rdp"},
        {"device", base}, {"sm_count", "100"}, {"scaling", "weak"}, {"stream_rate", "30"}};
    struct text csv = {0};
    struct store *store;
    struct table answer;
    long long n;
    int found;

    for (int row = 0; row < 3; row++) {
        bool is_usual = false;

        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
            const bool is_this = !strcmp(usual[i][0], column);
            const char *const value = is_this ? row == 1 ? one : other : usual[i][1];

            text_add(&csv, i ? "," : "");
            text_format(&csv, row ? value : usual[i][0], row);
            is_usual |= is_this;
        }
        text_format(&csv, is_usual ? "\n" : ",%s\n",
                    row == 0   ? column
                    : row == 1 ? one
                               : other);
    }
    support_remove(folder);
    write_text(folder, "20260101T000000Z-abc1234.csv", csv.data);
    text_free(&csv);
    if (store_read_files(&(struct store_files){folders, 1, false, NULL, NULL}, NULL, &store) ||
        query_table(store, sql, &answer))
        fail_msg("%s: %s", column, bench_failure());
    assert_true(store_n_measurements(store, &n) == BENCH_OK && n == 2);
    found = (int)answer.cell->number;
    for (int i = 0; i < answer.n_columns; i++) /* of the view described */
        found = answer.n_columns == 1 ? found
                : i == 0              ? 0
                                      : found + !strcmp(answer.column[i], column);
    table_free(&answer);
    store_close(&store);
    return found;
}

#define N_CONFIGURATIONS "SELECT count(DISTINCT configuration) FROM measurement"
#define N_IDS            "SELECT count(DISTINCT config_id) FROM configuration"
/* Rows that differ in one column are two configurations if the view described has it, else one.
 * (The parts of 'keys', the session and the rows' numbers are columns of neither kind.) */
TEST(each_column_tells_or_does_not)
{
    struct record_table columns;
    int n_told = 0, n_keys = 0;

    assert_int_equal(record_declare(&columns), BENCH_OK);
    for (int i = 0; i < columns.n_columns; i++) {
        const char *const column = columns.column[i];
        bool tells;

        if (bench_choice("session|row_id|problem|device|params|sm_count|status", column) >= 0)
            continue;
        tells = !record_is_fixed(column) || ask(column, "1", "2", "SELECT * FROM described");
        n_told += tells && record_is_fixed(column);
        n_keys += !record_is_fixed(column);
        if (ask(column, "1", "2", N_CONFIGURATIONS) != 1 + tells)
            fail_msg("%s: expected %d configurations", column, 1 + tells);
    }
    record_table_free(&columns);
    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        n_told -= plan_column(key) != NULL;
    assert_int_equal(n_told, 6); /* impl, scope, series, stage, rank_gpus, rank_hosts */
    assert_true(n_keys > 20);
}

/* The identity lacks what descriptors leave open and what was timed; it has every other key of
 * the plan with a column, unless at its default. */
TEST(identity_has_keys_alone)
{
    static const char *const without[] = {"scope", "series", "stage", "rank_gpus",
                                          "rank_hosts"};

    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        assert_int_equal(ask(without[i], "1", "2", N_IDS), 1);
    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        if (plan_column(key)) {
            assert_int_equal(ask(plan_column(key), "7", "9", N_IDS),
                             bench_choice("threads|sms|mode", key->name) >= 0 ? 1 : 2);
            assert_int_equal(ask(plan_column(key), key->default_text, "", N_IDS), 1);
        }
}

/* A changed default would give old rows another meaning.  UPDATE=yes writes the file. */
TEST(defaults_are_what_they_were)
{
    struct text found = {0};

    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        if (plan_column(key))
            text_format(&found, "%s=%s%s", key->name, key->default_text,
                        key[1].name ? ";" : "");
    text_add(&found, "\n");
    for (int i = 0; bench_impls[i]; i++) {
        struct text keys = {0};

        assert_int_equal(config_keys(bench_impls[i]->name, NULL, "", &keys), BENCH_OK);
        text_format(&found, "%s %s\n", bench_impls[i]->name, keys.data);
        text_free(&keys);
    }
    if (getenv("UPDATE"))
        write_bytes("tests/defaults.txt", found.data, found.size);
    assert_file("tests/defaults.txt", found.data);
    text_free(&found);
}

int main(void)
{
    return run_all_tests(begin, NULL);
}
