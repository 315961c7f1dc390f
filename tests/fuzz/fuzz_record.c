/*
 * fuzz_record.c - any bytes as a results file: read or refused, never more than that
 *
 * Rows that were read come back the same after the program's CSV writer has written them.
 */
#include "tests/fuzz/fuzz.h"

#include "harness/suite/record_private.h"

static void write_table(const struct record_table *table, struct text *text)
{
    for (int row = -1; row < table->n_rows; row++)
        for (int i = 0; i < table->n_columns; i++) {
            const char *field =
                row < 0 ? table->column[i] : record_get(table, row, table->column[i]);

            text_add(text, i ? "," : "");
            if (table->n_columns == 1 && field[0] == '\0')
                text_add(text, "\"\""); /* a line of nothing would be no row */
            text_csv(text, field);
            text_add(text, i + 1 == table->n_columns ? "\n" : "");
        }
}

static void check_round_trip(const struct record_table *table)
{
    struct record_table again;
    struct text text = {0}, second = {0};

    if ((size_t)table->n_columns * (size_t)table->n_rows > 20000)
        return; /* columns are found by name: too slow to be worth it */
    write_table(table, &text);
    must(!text_ok(&text) && text.data);
    put("m/1.csv", text.data, text.size);
    must(!record_read("m/1.csv", false, &again));
    write_table(&again, &second);
    must(!text_ok(&second) && second.data && text.size == second.size);
    must(!memcmp(text.data, second.data, text.size));
    record_table_free(&again);
    text_free(&text);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record_table table, whole;
    size_t n_reason;
    struct text withdrawn = {0};

    if (!folder[0])
        enter("fuzz_record");
    put("m/1.csv", data, size);
    if (record_read("m/1.csv", false, &table) == BENCH_OK) {
        check_round_trip(&table);
        put("m/1.csv", data, size);
        if (record_read("m/1.csv", true, &whole) == BENCH_OK) {
            must(whole.n_whole_bytes <= size && whole.n_rows <= table.n_rows);
            record_table_free(&whole);
        }
        record_table_free(&table);
    }
    text_bytes(&withdrawn, data, size);
    record_withdrawn(&withdrawn, "20260131T235959Z-abc1234", "r000001", &n_reason);
    text_free(&withdrawn);
    return 0;
}
