/* test_config.c - which columns and keys make a configuration, by the lists themselves */
#include "harness/analysis/compare.h"
#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "harness/suite/config.h"
#include "harness/suite/record_private.h"
#include "tests/session.h"
#include "tests/support.h"

/* Folders of results.  Each has two rows for each column, which differ in that alone.  They
 * have its name for session, and its number for width, by which pairs differ. */
enum set { PAIR, RATIO, SPEEDUP, BASE, HEAD, DEFAULTS, N_SETS };
static const char *const set_name[N_SETS] = {"pair", "ratio", "speedup",
                                             "base", "head",  "defaults"};
static char path[N_SETS][700];
static struct record_table columns; /* all that a session has */
static struct store *store;

static bool is_in(const char *list, const char *name)
{
    return bench_choice(list, name) >= 0;
}

/* True if rows that differ in this column alone are of two configurations. */
static bool tells(const char *column)
{
    return !record_is_fixed(column) || store_has_column(store, "configuration", column);
}

/* The key of the plan that a column is of; NULL: of none. */
static const struct bench_key *plan_key(const char *column)
{
    const struct bench_key *key = bench_plan_keys;

    while (key->name && !(plan_column(key) && !strcmp(plan_column(key), column)))
        key++;
    return key->name ? key : NULL;
}

/* False for columns of which a row has no other value, or which no row may lack. */
static bool is_walked(enum set set, const char *column)
{
    return !is_in("session|row_id|problem|device|params|sm_count|status", column) &&
           (set != DEFAULTS || plan_key(column)) &&
           !((set == BASE || set == HEAD) && is_in("machine|build_hash", column));
}

/* Returns what a row has in a column by which its pair is not told. */
static const char *usual(enum set set, int row, const char *column)
{
    static const struct {
        enum set set; /* N_SETS: any */
        const char *column, *text[2];
    } all[] = {{SPEEDUP, "problem", {"som", "som"}},
               {SPEEDUP, "impl", {"som/serial", "som/gpu-opt"}},
               {RATIO, "ranks", {"1", "2"}},
               {DEFAULTS, "ranks", {"", ""}},
               {N_SETS, "row_id", {"r1", "r2"}},
               {N_SETS, "problem", {"rdp", "rdp"}},
               {N_SETS, "impl", {"rdp/opt", "rdp/opt"}},
               {N_SETS, "input", {"scene", "scene"}},
               {N_SETS, "frame_pick", {"all", "all"}},
               {N_SETS, "device", {"gpu", "gpu"}},
               {N_SETS, "sm_count", {"1000000", "1000000"}},
               {N_SETS, "scope", {"kernel", "kernel"}},
               {N_SETS, "series", {"hot", "hot"}},
               {N_SETS, "scaling", {"weak", "weak"}},
               {N_SETS, "ranks", {"3", "3"}},
               {N_SETS, "median_ms", {"1", "1"}},
               {N_SETS, "mean_ms", {"1", "1"}},
               {N_SETS, "ci_lo_ms", {"1", "1"}},
               {N_SETS, "ci_hi_ms", {"1", "1"}},
               {N_SETS, "verdict", {"exact", "exact"}},
               {N_SETS, "status", {"ok", "ok"}}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((all[i].set == set || all[i].set == N_SETS) && !strcmp(all[i].column, column))
            return all[i].text[row];
    return "";
}

/* Adds field j of a row of the pair that differs in column i. */
static void add_field(enum set set, int i, int row, int j, struct text *csv)
{
    const char *const column = columns.column[j], *const told = columns.column[i];
    const int value = 1000 + 2 * i + row;

    if (i == j && set == DEFAULTS)
        text_add(csv, row ? "" : plan_key(told)->default_text);
    else if (i == j)
        text_format(csv, "%d", value);
    else if (is_in("session|run_group", column))
        text_add(csv, told);
    else if (!strcmp(column, "device") && !strcmp(told, "threads"))
        text_add(csv, "omp");
    else if (!strcmp(column, "width"))
        text_format(csv, "%d", i);
    else if (!strcmp(column, "params") && !record_is_fixed(told))
        text_format(csv, "%s=%d;width=%d", told, value, i);
    else if (!strcmp(column, "params"))
        text_format(csv, "width=%d", i);
    else
        text_add(csv, usual(set, row, column));
}

static void write_set(enum set set)
{
    struct text csv = {0};

    for (int j = 0; j < columns.n_columns; j++)
        text_format(&csv, "%s%s", j ? "," : "", columns.column[j]);
    for (int i = 0; i < columns.n_columns; i++)
        for (int row = set == HEAD; row <= (set != BASE) && is_walked(set, columns.column[i]);
             row++)
            for (int j = 0; j < columns.n_columns; j++) {
                text_add(&csv, j ? "," : "\n");
                add_field(set, i, row, j, &csv);
            }
    text_add(&csv, "\n");
    snprintf(path[set], sizeof path[set], "%s/config/%s", support_place(), set_name[set]);
    assert_int_equal(text_ok(&csv), BENCH_OK);
    write_text(path[set], "1.csv", csv.data);
    text_free(&csv);
}

static int begin(void **unused)
{
    const char *const folders[] = {path[PAIR], path[RATIO], path[SPEEDUP], path[DEFAULTS]};

    setenv("DEPTHBENCH_CACHE", "", 1);
    assert_int_equal(record_declare(&columns), BENCH_OK);
    for (enum set set = 0; set < N_SETS; set++)
        write_set(set);
    return store_read_files(&(struct store_files){folders, 4, false, NULL, NULL}, NULL, &store);
}

static int end(void **unused)
{
    store_close(&store);
    record_table_free(&columns);
    return 0;
}

/* Checks that 'one' names the pairs of columns that tell no configurations apart, without those
 * that are in 'also', and the pairs in 'but'. */
static void check_pairs(const char *use, const char *one, const char *also, const char *but)
{
    for (int i = 0; i < columns.n_columns; i++) {
        const char *const column = columns.column[i];
        const bool are_two = tells(column) ? !is_in(but, column) : is_in(also, column);

        if (is_walked(PAIR, column) && !text_item(one, column, strlen(column)) != are_two)
            fail_msg("%s: two rows that differ in %s alone are %s", use, column,
                     are_two ? "one" : "two");
    }
}

/* Checks the names that a query gives. */
static void check(struct store *of, const char *use, const char *sql, const char *also,
                  const char *but)
{
    struct text names = {0};
    struct table answer;

    if (query_table(of, sql, &answer))
        fail_msg("%s: %s", use, bench_failure());
    text_add(&names, "");
    for (int row = 0; row < answer.n_rows; row++)
        text_format(&names, "%s;", query_text(&answer, row, "session"));
    table_free(&answer);
    check_pairs(use, names.data, also, but);
    text_free(&names);
}

TEST(columns_tell_configurations_apart)
{
    int n_told = 0, n_keys = 0;

    for (int i = 0; i < columns.n_columns; i++) {
        n_keys += !record_is_fixed(columns.column[i]);
        n_told += record_is_fixed(columns.column[i]) && tells(columns.column[i]) &&
                  !plan_key(columns.column[i]);
    }
    /* problem, which variants imply, impl, scope, series, stage, rank_gpus, rank_hosts */
    assert_int_equal(n_told, 7);
    assert_true(n_keys > 20);
    check(store, "configuration",
          "SELECT session FROM measurement WHERE results = 'pair' GROUP BY session "
          "HAVING count(DISTINCT configuration) = 1",
          "", "");
}

/* The identity lacks what descriptors leave open and what was timed; it has every other key of
 * the plan with a column, unless at its default. */
TEST(identity_has_keys_alone)
{
#define IDENTITIES(set)                                                                 \
    "SELECT session FROM measurement AS m JOIN configuration AS c ON c.id = "           \
    "m.configuration WHERE results = '" set "' GROUP BY session HAVING count(DISTINCT " \
    "config_id) = 1"
    struct table answer;
    int n = 0;

    check(store, "config_id", IDENTITIES("pair"), "",
          "scope|series|stage|rank_gpus|rank_hosts|threads|sms|mode_name");
    for (int i = 0; i < columns.n_columns; i++)
        n += plan_key(columns.column[i]) != NULL;
    assert_int_equal(query_table(store, IDENTITIES("defaults"), &answer), BENCH_OK);
    assert_int_equal(answer.n_rows, n);
    table_free(&answer);
}

TEST(rows_of_two_configurations_are_not_resumed)
{
    struct record_table rows;
    struct text names = {0};
    char file[720];

    snprintf(file, sizeof file, "%s/1.csv", path[PAIR]);
    assert_int_equal(record_read(file, true, &rows), BENCH_OK);
    text_add(&names, "");
    for (int row = 0; row < rows.n_rows; row += 2) {
        struct text identity[2] = {{0}, {0}};

        for (int i = 0; i < 2; i++)
            record_identity(&rows, row + i, &identity[i]);
        assert_int_equal(text_ok(&identity[0]) | text_ok(&identity[1]), BENCH_OK);
        if (!strcmp(identity[0].data, identity[1].data))
            text_format(&names, "%s;", record_get(&rows, row, "session"));
        text_free(&identity[0]);
        text_free(&identity[1]);
    }
    check_pairs("--resume", names.data, "protocol|plan|input_hash|run|rank|reason", "");
    text_free(&names);
    record_table_free(&rows);
}

/* Shows all rows of a set, as if an experiment asked for them. */
static void show(enum set set, const char *more)
{
    static struct bench_experiment made = {.name = "made", .path = "experiments/som/made.ini"};
    struct text sql = {0};
    struct table rows;

    for (const struct bench_key *key = bench_layout_keys; key->name; key++)
        snprintf(made.layout.text[key - bench_layout_keys], sizeof *made.layout.text, "%s",
                 !strcmp(key->name, "mean_over") ? "reason"
                 : !strcmp(key->name, "more")    ? more
                                                 : "");
    query_add(&sql,
              "DROP VIEW IF EXISTS temp.standing; CREATE TEMP VIEW standing AS SELECT 'made', "
              "1, id, id FROM measurement WHERE results = %Q",
              set_name[set]);
    assert_int_equal(query_run(store, &sql), BENCH_OK);
    if (show_rows(&made, store, &rows))
        fail_msg("%s", bench_failure());
    table_free(&rows);
}

TEST(rows_of_two_configurations_are_not_averaged)
{
    check(store, "processes",
          "SELECT session FROM process AS p JOIN measurement AS m ON m.id = p.measurement "
          "WHERE results = 'pair' GROUP BY p.measurement HAVING count(*) = 2",
          "host|protocol|input_hash|run_group|verdict", "");
    show(PAIR, "");
    check(store, "mean_over",
          "SELECT session FROM run AS r JOIN figure_row AS f ON f.at = r.id "
          "JOIN measurement AS m ON m.id = f.measurement WHERE r.n = 2",
          "machine", "");
}

TEST(rows_of_two_configurations_are_not_divided)
{
    check(store, "rank_speedup",
          "SELECT session FROM scaled AS s JOIN measurement AS m ON m.id = s.measurement "
          "WHERE results = 'ratio' AND ranks > 1",
          "protocol|verdict", "rank_gpus|rank_hosts"); /* a rank is on one of each */
    show(SPEEDUP, "serial.sql, updates");
    check(store, "speedup",
          "SELECT session FROM field AS f JOIN figure_row AS r ON r.at = f.id "
          "JOIN measurement AS m ON m.id = r.measurement WHERE f.name = 'speedup' AND "
          "f.id % 2 = 0",
          "machine|protocol|verdict", "threads|update");
}

TEST(rows_of_two_configurations_are_not_compared)
{
    const char *const sides[] = {path[BASE], path[HEAD]};
    struct store *answers;

    if (compare_read(&(struct compare_request){sides, 2, 0.02, 0.05, true, NULL, NULL},
                     &answers))
        fail_msg("%s", bench_failure());
    check(answers, "compare",
          "SELECT session FROM shared AS s JOIN measurement AS m ON m.id = s.last",
          "machine|build_hash|protocol|realtime", "");
    store_close(&answers);
    if (history_read(path[PAIR], "rdp/opt,scaling=weak", 0.02, NULL, &answers))
        fail_msg("%s", bench_failure());
    check(answers, "history",
          "SELECT session FROM point GROUP BY cell_number HAVING count(*) = 2",
          "protocol|input_hash", "");
    store_close(&answers);
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
    assert_lines("tests/defaults.txt", found.data,
                 "UPDATE=yes build/release/tests/test_config");
    text_free(&found);
}

int main(void)
{
    return run_all_tests(begin, end);
}
