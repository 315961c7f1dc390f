/* check.c - looks whether folders of sessions, from several ranks and machines, are whole */
#include "harness/analysis/check.h"

#include "harness/analysis/query.h"
#include "harness/analysis/store.h"
#include "harness/base/listing.h"
#include "harness/base/memory.h"

#include "check_sql.h"

#include <stdio.h>
#include <string.h>

/* An oddity that is found before there is a store, as a statement for it. */
static void tell(void *self, const char *place, const char *what)
{
    query_add(self, "INSERT INTO odd VALUES (%Q, %Q);", place, what);
}

/* "note: FILE: ...; left out": each of these.  What is missing, the rows say themselves. */
static void tell_notes(struct text *odd, char *notes)
{
    static const char begin[] = "note: ";

    for (char *line; (line = strsep(&notes, "\n"));)
        if (strstr(line, STORE_LEFT_OUT))
            tell(odd, "what readers leave out", line + strlen(begin));
}

/* 'odd' has the statements for what is odd in the files. */
static enum bench_status answer(const struct store_files *files, struct text *odd,
                                struct table *findings)
{
    OWNED(store_close) struct store *store = NULL;
    OWNED(memory_free) char *notes = NULL;
    size_t n_notes = 0;
    FILE *const to = open_memstream(&notes, &n_notes);
    enum bench_status status;

    NEED(to, "what is left out");
    status = store_read_files(files, to, &store);
    fclose(to);
    TRY(status);
    tell_notes(odd, notes);
    text_bytes(odd, check_sql, sizeof check_sql);
    TRY(query_run(store, odd));
    return query_table(store, "SELECT place, what FROM finding", findings);
}

enum bench_status check_folders(const char *const *folder, int n, struct table *findings,
                                struct text *told)
{
    OWNED(listing_free) struct listing safe = {0};
    OWNED(text_free) struct text odd = {0};
    struct record_seen seen = {0};

    text_add(&odd, "CREATE TEMP TABLE odd (place TEXT, what TEXT);");
    for (int i = 0; i < n; i++) {
        const int n_before = seen.n_sessions;
        bool is_safe;

        TRY(record_look_after(folder[i], tell, &odd, &seen, &is_safe));
        if (is_safe && seen.n_sessions == n_before)
            tell(&odd, folder[i], "no session is there");
        else if (is_safe)
            TRY(listing_add(&safe, folder[i]));
    }
    TRY(answer(&(struct store_files){(const char *const *)safe.path, safe.n, false, NULL, NULL},
               &odd, findings));
    text_format(told, "all is there: %d rows in %d sessions", seen.n_rows, seen.n_sessions);
    if (seen.n_unhashed > 0)
        text_format(told, "; %d of them are of builds that wrote no hashes", seen.n_unhashed);
    text_add(told, "\n");
    return BENCH_OK;
}
