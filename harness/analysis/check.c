/* check.c - whether folders of sessions, from several ranks and machines, are whole */
#include "harness/analysis/check.h"

#include "harness/analysis/query.h"
#include "harness/analysis/store.h"

#include "check_sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is found before there is a store, as statements for it. */
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

static enum bench_status answer(const struct store_files *files, struct text *odd,
                                struct table *findings)
{
    struct store *store = NULL;
    struct text sql = {0};
    char *notes = NULL;
    size_t n_notes = 0;
    FILE *const to = open_memstream(&notes, &n_notes);
    enum bench_status status =
        to ? store_read_files(files, to, &store)
           : BENCH_FAIL(BENCH_ENOMEM, "out of memory for what is left out");

    if (to)
        fclose(to);
    if (!status) {
        tell_notes(odd, notes);
        text_add(&sql, "CREATE TEMP TABLE odd (place TEXT, what TEXT);");
        text_bytes(&sql, odd->data, odd->size);
        text_bytes(&sql, check_sql, sizeof check_sql);
        status = query_run(store, &sql);
    }
    if (!status)
        status = query_table(store, "SELECT place, what FROM finding", findings);
    store_close(store);
    free(notes);
    return status;
}

enum bench_status check_folders(const char *const *folder, int n, struct table *findings,
                                struct text *told)
{
    const char **const safe = calloc((size_t)n + 1, sizeof *safe);
    struct store_files files = {.folder = safe};
    struct record_seen seen = {0};
    struct text odd = {0};
    enum bench_status status =
        safe ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for %d folders", n);

    for (int i = 0; i < n && !status; i++) {
        const int n_before = seen.n_sessions;
        bool is_safe;

        status = record_look_after(folder[i], tell, &odd, &seen, &is_safe);
        if (is_safe && seen.n_sessions == n_before && !status)
            tell(&odd, folder[i], "no session is there");
        else if (is_safe)
            safe[files.n_folders++] = folder[i];
    }
    if (!status)
        status = answer(&files, &odd, findings);
    text_format(told, "all is there: %d rows in %d sessions", seen.n_rows, seen.n_sessions);
    if (seen.n_unhashed > 0)
        text_format(told, "; %d of them are of builds that wrote no hashes", seen.n_unhashed);
    text_add(told, "\n");
    text_free(&odd);
    free(safe);
    return status;
}
