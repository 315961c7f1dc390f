/* store.c - from CSV files to an SQLite database in memory; see schema.sql */
#include "harness/analysis/store.h"

#include "harness/analysis/query.h"
#include "harness/base/memory.h"
#include "harness/suite/config.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"
#include "harness/suite/record_private.h"

#include "configure_sql.h"
#include "index_sql.h"
#include "schema_sql.h"

#include <fnmatch.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_NAME 63 /* of a column */

struct store {
    sqlite3 *db;
    FILE *notes; /* borrowed, may be NULL */
    int n_notes;
};

/* ---- statements ---- */

static enum bench_status failed(const struct store *store)
{
    return BENCH_FAIL(sqlite3_errcode(store->db) == SQLITE_NOMEM ? BENCH_ENOMEM : BENCH_EIO,
                      "the store of results: %s", sqlite3_errmsg(store->db));
}

sqlite3 *store_database(struct store *store)
{
    return store->db;
}

enum bench_status store_run(struct store *store, const char *sql)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? BENCH_OK
                                                                       : failed(store);
}

enum bench_status store_execute(struct store *store, const unsigned char *sql, size_t n_bytes)
{
    struct text text = {0};

    text_bytes(&text, sql, n_bytes);
    return query_run(store, &text);
}

enum bench_status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK ? BENCH_OK
                                                                                : failed(store);
}

enum bench_status store_kept(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    *statement = sqlite3_next_stmt(store->db, NULL);
    while (*statement && strcmp(sqlite3_sql(*statement), sql) != 0)
        *statement = sqlite3_next_stmt(store->db, *statement);
    return *statement ? BENCH_OK : store_prepare(store, sql, statement);
}

enum bench_status store_row(struct store *store, sqlite3_stmt *statement, bool *row)
{
    const int step = sqlite3_step(statement);

    *row = step == SQLITE_ROW;
    return *row || step == SQLITE_DONE ? BENCH_OK : failed(store);
}

enum bench_status store_step(struct store *store, sqlite3_stmt *statement)
{
    const int done = sqlite3_step(statement);

    sqlite3_reset(statement);
    return done == SQLITE_DONE ? BENCH_OK : failed(store);
}

void store_reset(sqlite3_stmt **statement)
{
    sqlite3_reset(*statement);
}

void store_finalize(sqlite3_stmt **statement)
{
    sqlite3_finalize(*statement);
}

void store_bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    sqlite3_bind_text(statement, at, text && *text ? text : NULL, -1, SQLITE_STATIC);
}

/* 2e+09 is a real number, 2000000000 a whole one, 007 a text. */
bool store_bind_field(sqlite3_stmt *statement, int at, const char *text)
{
    double number;
    const bool is_number = text && text_to_number(text, &number);

    if (!is_number || (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
        store_bind_text(statement, at, text);
    else if (strspn(text, "-0123456789") == strlen(text) && fabs(number) < 9e18)
        sqlite3_bind_int64(statement, at, strtoll(text, NULL, 10));
    else
        sqlite3_bind_double(statement, at, number);
    return is_number;
}

/* A statement with texts, up to a NULL. */
static enum bench_status put(struct store *store, const char *sql, const char *const *text)
{
    sqlite3_stmt *statement;

    TRY(store_kept(store, sql, &statement));
    for (int i = 0; text[i]; i++)
        store_bind_text(statement, i + 1, text[i]);
    return store_step(store, statement);
}

/* ---- columns ---- */

/* The table that a file's rows go to. */
struct source {
    const char *table;
    const char *results;          /* NULL: of no folder of results, and all names are fine */
    const struct text *withdrawn; /* NULL: no session */
};

/* A column of results, whatever older schemas call it. */
static const char *column_name(const struct source *from, const char *in_file)
{
    static const char *const renamed[][2] = {
        {"commit", "commit_hash"}, {"case", "frame_pick"}, {"lap", "stage"},
        {"profile", "protocol"},   {"figure", "section"},
    };

    for (size_t i = 0; i < sizeof renamed / sizeof *renamed && from->results; i++)
        if (!strcmp(renamed[i][0], in_file))
            return renamed[i][1];
    return in_file;
}

/* Texts may look like numbers: hashes, versions, names.  Whole numbers of REAL columns are
 * divided like others. */
static const char *type_of(const char *column)
{
    static const char texts[] =
        "session;row_id;utc;commit_hash;build_hash;compiler;cuda;flags;cpu;gpu;cc;driver;l4t;"
        "params;input_hash;gpu_uuid;output_hash;reason;rails;host;run_group;power_note;printed;"
        "name;figure;keys;kernel;plan;input;results;mode_name;machine;impl;scope;series;stage;"
        "frame_pick;stream_rate;stream_arrival;stream_launch;stream_wake;device;transfer;"
        "status;verdict;protocol;"
        "experiment;problem;section;"
        "governor;binding;reference;stop_reason;unit;place;read;hardware;power_source;power_"
        "scope";

    if (text_item(texts, column, strlen(column)))
        return "TEXT";
    return fnmatch("@(*?_ms|*?_pct|mj_*|fps|watt|idle_watt|value)", column, FNM_EXTMATCH) == 0
               ? "REAL"
               : "";
}

bool store_has_column(struct store *store, const char *table, const char *name)
{
    return sqlite3_table_column_metadata(store->db, NULL, table, name, NULL, NULL, NULL, NULL,
                                         NULL) == SQLITE_OK;
}

/* The columns that a session of today has, whatever was measured. */
static enum bench_status declare_measurement(struct store *store)
{
    OWNED(record_table_free) struct record_table columns = {0};
    struct text sql = {0};

    TRY(record_declare(&columns));
    text_add(&sql, "CREATE TABLE measurement (id INTEGER PRIMARY KEY, configuration INTEGER, "
                   "preference TEXT, results TEXT NOT NULL, keys TEXT, withdrawn TEXT");
    for (int i = 0; i < columns.n_columns; i++) {
        const char *const name = columns.column[i];

        text_format(&sql, ", \"%s\" %s", name, type_of(name));
    }
    text_add(&sql, ")");
    return query_run(store, &sql);
}

/* Returns the SQL that tells a row's configuration by a column. */
static const char *told_by(const char *column)
{
    static const char *const told[][2] = {
        {"batch", "coalesce(batch, 1)"},
        {"threads", "CASE WHEN coalesce(device, 'omp') = 'omp' THEN threads END"},
        {"transfer", "CASE WHEN device = 'gpu' THEN coalesce(transfer, 'copy') END"},
        /* NULL: the whole GPU */
        {"sms", "CASE WHEN sm_count IS NULL OR sms < sm_count THEN sms END"},
        {"mode_name", "nullif(mode_name, 'any')"},
        /* else of a launcher whose ranks measure alone */
        {"ranks", "CASE WHEN scaling IS NOT NULL THEN ranks END"},
    };

    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (!strcmp(told[i][0], column))
            return told[i][1];
    return column;
}

/* SQL about the columns that make a configuration. */
struct described {
    struct text view, table, traits, plan;
};

/* 'key' NULL: a column of no key. */
static void describe(struct described *d, const char *column, const struct bench_key *key)
{
    const char *const by = told_by(column);

    text_format(&d->view, ", %s AS %s", by, column);
    text_format(&d->table, ", %s %s", column, type_of(column));
    text_format(&d->traits, " || coalesce('%s=' || %s || ';', '')", column, by);
    if (key && !config_is_open(key))
        text_format(&d->plan, " || coalesce('%s=' || %s || ';', '')", key->name, by);
}

/* The view 'described': of each row what makes its configuration, and as a text, 'traits', all
 * of it; and the table 'configuration' with what differs. */
static enum bench_status declare_configuration(struct store *store)
{
    static const char *const others[] = {"scope", "series", "stage", "rank_gpus", "rank_hosts"};
    struct described d = {{0}, {0}, {0}, {0}};

    text_add(&d.view, "CREATE VIEW described AS SELECT id, NULL AS config_id, problem, keys");
    text_add(&d.table, "; CREATE TABLE configuration (id INTEGER PRIMARY KEY, config_id TEXT, "
                       "problem TEXT, keys TEXT");
    text_add(&d.traits, "''");
    text_add(&d.plan, "''");
    describe(&d, "impl", NULL);
    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        if (plan_column(key))
            describe(&d, plan_column(key), key);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        describe(&d, others[i], NULL);
    d.view.failed |= d.traits.failed || d.plan.failed || d.table.failed;
    if (!d.view.failed)
        text_format(
            &d.view,
            ", %s AS harness_keys, %s || coalesce(keys, '') AS traits FROM measurement%s, "
            "harness_keys TEXT, traits TEXT UNIQUE)",
            d.plan.data, d.traits.data, d.table.data);
    text_free(&d.traits);
    text_free(&d.plan);
    text_free(&d.table);
    return query_run(store, &d.view);
}

/* A column of a file, where the table lacks it.  Its name becomes SQL: a plain one that is not
 * ours and makes one column. */
static enum bench_status add_column(struct store *store, const struct source *from,
                                    const char *path, const struct record_table *rows,
                                    int column)
{
    const char *const in_file = rows->column[column], *const name = column_name(from, in_file);
    struct text sql = {0};
    enum bench_status status;
    int most;

    REFUSE_IF(!*name || strlen(name) > MAX_NAME || !sqlite3_strglob("*[^a-zA-Z0-9_]*", name) ||
                  !fnmatch("@(id|configuration|preference|results|keys|withdrawn)", name,
                           FNM_EXTMATCH | FNM_CASEFOLD),
              "%s:1: expected names of columns, found '%.40s'", path, in_file);
    for (int i = 0; i < column; i++)
        REFUSE_IF(!strcasecmp(name, column_name(from, rows->column[i])),
                  "%s:1: columns '%s' and '%s' are one", path, rows->column[i], in_file);
    if (store_has_column(store, from->table, name))
        return BENCH_OK;
    text_format(&sql, "ALTER TABLE %s ADD COLUMN \"%s\" %s", from->table, name,
                *type_of(name) || from->withdrawn ? type_of(name) : "NUMERIC");
    most = sqlite3_limit(store->db, SQLITE_LIMIT_COLUMN, STORE_MOST_COLUMNS);
    status = query_run(store, &sql);
    sqlite3_limit(store->db, SQLITE_LIMIT_COLUMN, most);
    REFUSE_IF(status == BENCH_EIO, "%s:1: expected at most %d columns in all, found more", path,
              STORE_MOST_COLUMNS);
    return status;
}

/* ---- rows ---- */

/* A file on its way into a table. */
struct insertion {
    struct store *store;
    const struct source *from;
    const char *path;
    const struct record_table *rows;
    struct {
        bool is_text, is_time, is_key;
    } kind[STORE_MOST_COLUMNS];
    bool has_keys;           /* in columns of their own; else 'params' has them */
    struct text given, keys; /* of a row */
    sqlite3_stmt *insert;
};

/* A statement for the columns that are in no file and those of the file. */
static enum bench_status prepare(struct insertion *in)
{
    static const char *const own[] = {"results", "keys", "withdrawn"};
    const int n_own = in->from->withdrawn ? 3 : in->from->results ? 2 : 0;
    const bool is_session = in->from->withdrawn;
    OWNED(text_free) struct text sql = {0};
    OWNED(text_free) struct text marks = {0};

    text_format(&sql, "INSERT INTO %s (rowid", in->from->table);
    text_add(&marks, ") VALUES (NULL");
    for (int i = -n_own; i < in->rows->n_columns; i++) {
        const char *const in_file = i < 0 ? own[n_own + i] : in->rows->column[i];
        const char *const name = column_name(in->from, in_file);

        if (i >= 0) {
            TRY(add_column(in->store, in->from, in->path, in->rows, i));
            in->kind[i].is_text = *type_of(name) == 'T';
            in->kind[i].is_time = is_session && !sqlite3_strglob("?*_ms", name);
            in->kind[i].is_key = is_session && !record_is_fixed(name);
            in->has_keys |= in->kind[i].is_key;
        }
        text_format(&sql, ", \"%s\"", name);
        text_add(&marks, !strcmp(name, "scope")        ? ", replace(?, 'frame', 'end_to_end')"
                         : !strcmp(name, "plan")       ? ", replace(?, 'laps=', 'stages=')"
                         : !strcmp(name, "experiment") ? ", replace(?, 'stx/', 'stixels/')"
                                                       : ", ?");
    }
    text_format(&sql, "%s)", marks.failed ? "" : marks.data);
    TRY(text_ok(&sql));
    return store_prepare(in->store, sql.data, &in->insert);
}

static enum bench_status refuse(const struct insertion *in, int row, const char *column,
                                const char *expected)
{
    int line = 2 + row; /* where it begins: fields may have lines of their own */

    for (size_t i = 0; i < (size_t)row * (size_t)in->rows->n_columns; i++)
        for (const char *at = in->rows->cell[i]; (at = strchr(at, '\n')); at++)
            line++;
    return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s: expected %s, found '%.40s'", in->path, line,
                      column, expected, record_get(in->rows, row, column));
}

/* They may become a part of a path or of a drawing. */
static enum bench_status check_names(const struct insertion *in, int row)
{
    static const char *const named[] = {"impl",   "machine", "commit_hash",
                                        "commit", "host",    "input"};

    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const char *const name = record_get(in->rows, row, named[i]);

        if (*name && !record_is_name(name))
            return refuse(in, row, named[i], "a name");
    }
    return BENCH_OK;
}

/* Binds the columns that are in no file. */
static enum bench_status bind_own(struct insertion *in, int row)
{
    const struct record_table *const rows = in->rows;
    const char *why = NULL;
    size_t n_why = 0;

    TRY(check_names(in, row));
    in->keys.size = 0;
    TRY(config_keys(record_get(rows, row, "impl"), record_get(rows, row, "problem"),
                    in->given.data, &in->keys));
    store_bind_text(in->insert, 1, in->from->results);
    store_bind_text(in->insert, 2, in->keys.data);
    if (in->from->withdrawn)
        why = record_withdrawn(in->from->withdrawn, record_get(rows, row, "session"),
                               record_get(rows, row, "row_id"), &n_why);
    if (why && n_why == 0)
        n_why = strlen(why = "withdrawn");
    if (why)
        sqlite3_bind_text(in->insert, 3, why, (int)n_why, SQLITE_STATIC);
    return BENCH_OK;
}

static enum bench_status insert_row(struct insertion *in, int row)
{
    const int n = in->rows->n_columns, first = sqlite3_bind_parameter_count(in->insert) - n + 1;
    char *const *const field = in->rows->cell + (size_t)row * (size_t)n;

    sqlite3_clear_bindings(in->insert);
    in->given.size = 0;
    text_add(&in->given, in->has_keys ? "" : record_get(in->rows, row, "params"));
    for (int i = 0; i < n; i++) {
        if (!*field[i])
            continue; /* NULL */
        if (in->kind[i].is_text)
            store_bind_text(in->insert, first + i, field[i]);
        else if (!store_bind_field(in->insert, first + i, field[i]) && in->kind[i].is_time)
            return refuse(in, row, in->rows->column[i], "a number");
        if (in->kind[i].is_key) {
            text_add(&in->given, in->rows->column[i]);
            text_add(&in->given, "=");
            text_add(&in->given, field[i]);
            text_add(&in->given, ";");
        }
    }
    TRY(text_ok(&in->given));
    if (in->from->results)
        TRY(bind_own(in, row));
    return store_step(in->store, in->insert);
}

static void free_insertion(struct insertion *in)
{
    sqlite3_finalize(in->insert);
    text_free(&in->given);
    text_free(&in->keys);
}

/* Rows of a file into a table, which gets the columns that it lacks. */
static enum bench_status insert(struct store *store, const struct source *from,
                                const char *path, const struct record_table *rows)
{
    OWNED(free_insertion)
    struct insertion in = {.store = store, .from = from, .path = path, .rows = rows};

    TRY(prepare(&in));
    for (int row = 0; row < rows->n_rows; row++)
        TRY(insert_row(&in, row));
    return BENCH_OK;
}

/* ---- a session ---- */

/* Values of rows that were never written, as a kill came first, are dropped. */
static enum bench_status add_values(struct store *store, long long n_before, const char *path)
{
    static const char *const columns[] = {"row_id", "name", "index", "value", "unit"};
    OWNED(record_table_free) struct record_table values = {0};
    sqlite3_stmt *add, *add_sum;
    double value;

    if (access(path, F_OK) != 0)
        return BENCH_OK;
    TRY(store_kept(store,
                   "INSERT OR IGNORE INTO value SELECT min(id), ?2, ?3, ?4, ?5 "
                   "FROM measurement WHERE row_id = ?1 AND id > ?6",
                   &add));
    TRY(store_kept(store,
                   "INSERT OR IGNORE INTO part_value SELECT min(id), ?2, ?3, ?4, ?5 "
                   "FROM measurement WHERE row_id = ?1 AND id > ?6",
                   &add_sum));
    sqlite3_bind_int64(add, 6, n_before);
    sqlite3_bind_int64(add_sum, 6, n_before);
    TRY(record_read(path, true, &values));
    for (int row = 0; row < values.n_rows; row++) {
        const char *const number = record_get(&values, row, "value");
        const bool is_sum = !strcmp(record_get(&values, row, "unit"), RECORD_SUM);
        sqlite3_stmt *const put = is_sum ? add_sum : add;

        for (int i = 0; i < 5; i++)
            store_bind_text(put, i + 1, record_get(&values, row, columns[i]));
        if (is_sum || !*number || text_to_number(number, &value))
            TRY(store_step(store, put));
    }
    return BENCH_OK;
}

/* Lines KEY=TEXT as depthbench env writes them; fine where the file is not there. */
static enum bench_status add_environment(struct store *store, const char *results,
                                         const char *session, const char *path)
{
    OWNED(text_free) struct text text = {0};

    if (access(path, F_OK) != 0)
        return BENCH_OK;
    TRY(text_read_file(path, &text));
    for (char *save = NULL, *line = strtok_r(text.data, "\r\n", &save); line;
         line = strtok_r(NULL, "\r\n", &save)) {
        char *const equals = strchr(line, '=');

        if (!equals)
            continue;
        *equals = '\0';
        TRY(put(store, "INSERT OR IGNORE INTO environment VALUES (?, ?, ?, ?)",
                (const char *[]){results, session, line, equals + 1, NULL}));
    }
    return BENCH_OK;
}

/* Its rows and what lies beside them. */
static enum bench_status add_session(struct store *store, const struct source *from,
                                     const char *stem, const char *path,
                                     const struct record_table *rows)
{
    long long n_before;
    char beside[PATH_MAX];

    if (rows->n_columns == 0)
        return BENCH_OK; /* reserved, or killed before its first row */
    REFUSE_IF(record_column(rows, "session") < 0 || record_column(rows, "row_id") < 0,
              "%s:1: expected the header of a session", path);
    TRY(store_n_measurements(store, &n_before));
    TRY(insert(store, from, path, rows));
    snprintf(beside, sizeof beside, "%s.values.csv", stem);
    TRY(add_values(store, n_before, beside));
    snprintf(beside, sizeof beside, "%s.env.txt", stem);
    return add_environment(
        store, from->results,
        rows->n_rows > 0 ? record_get(rows, 0, "session") : strrchr(stem, '/') + 1, beside);
}

/* ---- files and folders ---- */

static enum bench_status add_file(struct store *store, const struct source *from,
                                  const char *folder, const char *name)
{
    OWNED(record_table_free) struct record_table rows = {0};
    char stem[PATH_MAX - 20], path[PATH_MAX];

    snprintf(stem, sizeof stem, "%s/%s", folder, name);
    snprintf(path, sizeof path, "%s.csv", stem);
    TRY(record_read(path, from->withdrawn, &rows));
    return from->withdrawn ? add_session(store, from, stem, path, &rows)
                           : insert(store, from, path, &rows);
}

enum bench_status store_add_file(struct store *store, const char *table, const char *folder,
                                 const char *name)
{
    return add_file(store, &(struct source){.table = table}, folder, name);
}

void store_note(struct store *store, const char *sentence, const char *end)
{
    store->n_notes++;
    if (store->notes)
        fprintf(store->notes, "note: %s%s\n", sentence, end);
}

/* Each file of a folder, all of it or nothing.  One of results that cannot be read is named on
 * the notes, and the others are read. */
static enum bench_status add_files(struct store *store, const struct source *from,
                                   const char *folder)
{
    OWNED(listing_free) struct listing names = {0};

    TRY(record_list_sessions(folder, &names));
    for (int i = 0; i < names.n; i++) {
        enum bench_status status;

        TRY(store_run(store, "SAVEPOINT file"));
        status = add_file(store, from, folder, names.path[i]);
        if (from->results && (status == BENCH_EINPUT || status == BENCH_EIO)) {
            store_note(store, bench_failure(), STORE_LEFT_OUT);
            bench_failure_clear();
            status = store_run(store, "ROLLBACK TO file");
        }
        TRY(status);
        TRY(store_run(store, "RELEASE file"));
    }
    return BENCH_OK;
}

/* A verdict for each column but the first. */
static enum bench_status add_expected(struct store *store, const char *path)
{
    OWNED(record_table_free) struct record_table rows = {0};

    TRY(record_read(path, false, &rows));
    for (int row = 0; row < rows.n_rows; row++)
        for (int i = 1; i < rows.n_columns; i++)
            TRY(put(store, "INSERT OR IGNORE INTO expected VALUES (?, ?, ?)",
                    (const char *[]){record_get(&rows, row, "claim"), rows.column[i],
                                     record_get(&rows, row, rows.column[i]), NULL}));
    return BENCH_OK;
}

/* Finds the name of a folder: the last part of its path, its machine, or all of the path where
 * another folder has that name. */
static enum bench_status name_folder(struct store *store, const char *folder,
                                     char name[PATH_MAX])
{
    char place[PATH_MAX];
    const char *slash;

    if (!realpath(folder, place)) /* not there yet */
        snprintf(place, sizeof place, "%s", folder);
    slash = strrchr(place, '/');
    snprintf(name, PATH_MAX, "%s", slash && slash[1] ? slash + 1 : place);
    for (int i = 0; i < 2; i++) {
        TRY(put(store, "INSERT OR IGNORE INTO folder (results, path, place) VALUES (?, ?, ?)",
                (const char *[]){name, folder, place, NULL}));
        if (sqlite3_changes(store->db) > 0)
            return BENCH_OK;
        snprintf(name, PATH_MAX, "%s", place);
    }
    return BENCH_FAIL(BENCH_EINPUT, "%s: the folder is given twice", folder);
}

/* A folder, or one session; with what WITHDRAWN says. */
static enum bench_status add_results(struct store *store, const char *path, bool may_be_missing)
{
    char results[PATH_MAX], folder[PATH_MAX];
    char *name = NULL;
    OWNED(text_free) struct text withdrawn = {0};
    const struct source sessions = {"measurement", results, &withdrawn};
    const struct source counters = {"counter", results, NULL};
    struct stat info = {0};

    REFUSE_IF(stat(path, &info) != 0 && !may_be_missing,
              "%s: expected a folder with results, found none", path);
    TRY(name_folder(store, path, results));
    snprintf(folder, sizeof folder, "%s%s", strchr(path, '/') ? "" : "./", path);
    if (S_ISREG(info.st_mode)) {
        name = strrchr(folder, '/');
        *name++ = '\0';
        if (!sqlite3_strglob("?*.csv", name))
            *strrchr(name, '.') = '\0';
    }
    TRY(record_read_withdrawn(folder, &withdrawn));
    if (name)
        return add_file(store, &sessions, folder, name);
    TRY(add_files(store, &sessions, folder));
    snprintf(folder, sizeof folder, "%s/ncu", path);
    return stat(folder, &info) != 0 || S_ISDIR(info.st_mode)
               ? add_files(store, &counters, folder)
               : BENCH_OK;
}

/* ---- the store ---- */

/* One thread asks. */
static enum bench_status open_database(const char *path, int flags, const char *begin,
                                       struct store **store)
{
    *store = NULL;
    TRY(memory_allocate(store, sizeof **store, 1, 1, 1, 1));
    if (sqlite3_open_v2(path, &(*store)->db, flags | SQLITE_OPEN_NOMUTEX, NULL))
        return failed(*store);
    TRY(functions_add((*store)->db));
    return store_run(*store, begin);
}

enum bench_status store_open(struct store **store)
{
    TRY(open_database(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                      "PRAGMA temp_store = MEMORY; BEGIN", store));
    TRY(declare_measurement(*store));
    TRY(declare_configuration(*store));
    return store_execute(*store, schema_sql, sizeof schema_sql);
}

/* In one transaction, which asks once whether the file has changed. */
enum bench_status store_open_file(const char *path, struct store **store)
{
    return open_database(path, SQLITE_OPEN_READONLY,
                         "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; BEGIN; "
                         "SELECT 1 FROM measurement LIMIT 1",
                         store);
}

void store_close(struct store **store)
{
    sqlite3 *const db = *store ? (*store)->db : NULL;
    sqlite3_stmt *kept;

    while (db && (kept = sqlite3_next_stmt(db, NULL)) != NULL)
        sqlite3_finalize(kept);
    sqlite3_close(db);
    free(*store);
    *store = NULL;
}

enum bench_status store_fill(struct store *store, const struct store_files *files, FILE *notes)
{
    store->notes = notes;
    for (int i = 0; i < files->n_folders; i++)
        TRY(add_results(store, files->folder[i], files->may_be_missing));
    TRY(store_add_parts(store));
    if (files->printed)
        TRY(add_files(store, &(struct source){.table = "printed"}, files->printed));
    if (files->expected)
        TRY(add_expected(store, files->expected));
    return store_execute(store, configure_sql, sizeof configure_sql);
}

enum bench_status store_read_files(const struct store_files *files, FILE *notes,
                                   struct store **store)
{
    unsigned long long key;

    if ((*store = store_find(files, &key)))
        return BENCH_OK;
    TRY(store_open(store));
    TRY(store_fill(*store, files, notes));
    TRY(store_execute(*store, index_sql, sizeof index_sql));
    TRY(store_run(*store, "COMMIT"));
    if ((*store)->n_notes == 0)
        store_keep(*store, files, key);
    return BENCH_OK;
}

enum bench_status store_n_measurements(struct store *store, long long *n)
{
    OWNED(store_reset) sqlite3_stmt *last = NULL;
    bool row;

    TRY(store_kept(store, "SELECT max(id) FROM measurement", &last));
    TRY(store_row(store, last, &row));
    *n = sqlite3_column_int64(last, 0);
    return BENCH_OK;
}
