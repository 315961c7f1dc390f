/* fleet.c - what fleet.sql is asked */
#include "harness/analysis/fleet.h"

#include "harness/analysis/query.h"

#include "boards_sql.h"
#include "fleet_sql.h"

enum bench_status fleet_read(struct store *store, const struct fleet_rule *rule)
{
    struct text sql = {0};

    text_bytes(&sql, fleet_sql, sizeof fleet_sql);
    if (rule) {
        query_add(&sql,
                  "CREATE TEMP TABLE rule AS SELECT %!.17g AS floor, %!.17g AS fdr, %d AS "
                  "least_runs;",
                  rule->floor, rule->fdr, rule->least_runs);
        text_bytes(&sql, boards_sql, sizeof boards_sql);
    }
    return query_run(store, &sql);
}

enum bench_status fleet_differing(struct store *store, struct table *outputs,
                                  struct table *inputs)
{
    enum bench_status status = query_table(store, "SELECT * FROM differing", outputs);

    if (!status) {
        status = query_table(store, "SELECT * FROM differing_input", inputs);
        if (status)
            table_free(outputs);
    }
    return status;
}

enum bench_status fleet_boards(struct store *store, int most, struct table *boards,
                               struct table *odd)
{
    struct text sql = {0};
    enum bench_status status;

    TRY(query_table(
        store,
        "SELECT v.results AS machine, v.board, count(*) AS configs, min(v.n) AS runs, "
        "count(s.board) AS slower, count(f.board) AS faster, "
        "(SELECT count(*) FROM drift AS d WHERE d.results = v.results AND d.board = v.board) "
        "AS drifts, short_text(100 * median(v.change), 2) AS \"median %\" "
        "FROM board_verdict AS v "
        "LEFT JOIN odd_board AS s ON s.results = v.results AND s.configuration = "
        "v.configuration AND s.protocol = v.protocol AND s.board = v.board AND s.word = "
        "'slower' "
        "LEFT JOIN odd_board AS f ON f.results = v.results AND f.configuration = "
        "v.configuration AND f.protocol = v.protocol AND f.board = v.board AND f.word = "
        "'faster' "
        "GROUP BY v.results, v.board ORDER BY v.results, slower DESC, faster DESC, v.board",
        boards));
    query_add(&sql,
              "SELECT o.board, o.word AS \"is\", short_text(100 * o.change, 2) AS \"by %%\", "
              "short_text(o.ms, 3) AS ms, short_text(o.others_ms, 3) AS others, "
              "short_text(o.q, 2) AS q, r.impl || ' ' || r.params || ' ' || r.input || ', ' || "
              "r.scope || '/' || r.series AS configuration "
              "FROM odd_board AS o JOIN (SELECT DISTINCT configuration, impl, params, input, "
              "scope, series FROM board_row) AS r USING (configuration) "
              "ORDER BY abs(o.change) DESC LIMIT %d",
              most);
    status = query_ask(store, &sql, odd);
    if (status)
        table_free(boards);
    return status;
}
