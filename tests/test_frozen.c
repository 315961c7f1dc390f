/*
 * test_frozen.c - the rows and chart data that committed results show, by their hashes
 *
 * results/frozen.txt has lines "rows FOLDER EXPERIMENT N HASH" and "data FOLDER CHART HASH";
 * its last line names the columns and sessions that count, so that new ones change nothing.  If
 * a commit changes a line, it says which cells, and why.  UPDATE=yes writes the file.
 */
#include "harness/analysis/draw.h"
#include "harness/analysis/show.h"
#include "harness/base/listing.h"
#include "tests/files.h"
#include "tests/support.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define FROZEN "results/frozen.txt"

static struct text before, after, found; /* found: names */
static bool updates;
static char place[600]; /* of the folders with the sessions that count */

/* A session "FOLDER/NAME" or a column counts if the line "names ..." has it. */
static bool counts(const char *name)
{
    char word[500];
    struct text *const names = updates ? &found : &before;

    snprintf(word, sizeof word, " %s ", name);
    if (names->data && strstr(names->data, word))
        return true;
    if (updates)
        text_add(&found, word + (found.size > 0));
    return updates;
}

/* ---- hashes ---- */

/* Hashes the cells with a text, in the order of rows and of columns that count. */
static XXH64_hash_t hash_rows(const struct table *rows)
{
    XXH64_hash_t hash = (XXH64_hash_t)rows->n_rows;
    bool of_column[STORE_MOST_COLUMNS];

    for (int i = 0; i < rows->n_columns; i++)
        of_column[i] = counts(rows->column[i]);
    for (int i = 0; i < rows->n_rows * rows->n_columns; i++) {
        const char *const name = rows->column[i % rows->n_columns];
        const char *const text = rows->cell[i].text;

        if (text && of_column[i % rows->n_columns])
            hash = XXH64(text, strlen(text) + 1, XXH64(name, strlen(name), hash));
    }
    return hash;
}

/* Hashes all files of a folder, and removes them. */
static XXH64_hash_t take_files(const char *folder)
{
    struct listing files;
    XXH64_hash_t hash = 0;

    assert_int_equal(listing_read(folder, ".tsv", &files), BENCH_OK);
    for (int i = 0; i < files.n; i++) {
        const char *const name = listing_name(files.path[i]);
        struct text text = {0};

        assert_int_equal(text_read_file(files.path[i], &text), BENCH_OK);
        hash = XXH64(text.data, text.size, XXH64(name, strlen(name), hash));
        text_free(&text);
        unlink(files.path[i]);
    }
    listing_free(&files);
    return hash;
}

static void freeze_experiment(struct store *store, const char *folder, const char *ini)
{
    const struct bench_overrides overrides = {.with_absent = true};
    struct bench_experiment e;
    struct table rows;

    if (experiment_read(ini, &overrides, &e))
        fail_msg("%s", bench_failure());
    if (show_rows(&e, store, &rows))
        fail_msg("%s: %s", ini, bench_failure());
    if (rows.n_rows > 0)
        text_format(&after, "rows %s %s %d %016llx\n", folder, e.name, rows.n_rows,
                    (unsigned long long)hash_rows(&rows));
    table_free(&rows);
    experiment_free(&e);
}

/* Asks like scripts/plot: plots/PAPER-NAME.sql of experiments/PAPER/NAME.ini and NAME-*.ini. */
static void freeze_chart(struct store *store, const char *folder, const char *sql)
{
    char *words[24] = {"plots/names.sql"};
    char experiment[200], names[24][300], out[700];
    struct text text = {0};
    struct listing all;
    int n = 1, n_names = 0;
    char *end;

    snprintf(experiment, sizeof experiment, "experiments/%s", listing_name(sql));
    *strrchr(experiment, '.') = '\0';
    *strchr(experiment, '-') = '/';
    snprintf(out, sizeof out, "%s.ini", experiment);
    words[n++] = strcpy(names[n_names++], out);
    *strrchr(out, '/') = '\0';
    assert_int_equal(listing_read(out, ".ini", &all), BENCH_OK);
    for (int i = 0; i < all.n; i++)
        if (!strncmp(all.path[i], experiment, strlen(experiment)) &&
            all.path[i][strlen(experiment)] == '-')
            words[n++] = strcpy(names[n_names++], all.path[i]);
    listing_free(&all);
    if (strstr(sql, "-roofline"))
        words[n++] = "experiments/probe/ceilings.ini";
    words[n++] = "plots/rows.sql";
    assert_int_equal(text_read_file(sql, &text), BENCH_OK);
    for (char *at = text.data; (at = strstr(at, "\n-- with ")) != NULL;) {
        at += strlen("\n-- with ");
        end = at + strcspn(at, "\n");
        snprintf(names[n_names], sizeof *names, "plots/%.*s", (int)(end - at), at);
        words[n++] = names[n_names++];
    }
    text_free(&text);
    words[n++] = strcpy(names[n_names], sql);
    words[n++] = "plots/caption.sql";
    snprintf(out, sizeof out, "%s/out", place);
    if (access(names[0], R_OK) == 0 &&
        draw_data(store, words, n, NULL, 0, out, NULL) == BENCH_OK)
        text_format(&after, "data %s %s %016llx\n", folder, listing_name(sql),
                    (unsigned long long)take_files(out));
    bench_failure_clear();
}

/* ---- a folder ---- */

/* Links to its sessions that count, and to its other files; true if it has a session. */
static bool link_folder(const char *folder, const char *target)
{
    struct listing all;
    bool has_any = false;

    assert_int_equal(text_make_folder(target), BENCH_OK);
    assert_int_equal(listing_read(folder, "", &all), BENCH_OK);
    for (int i = 0; i < all.n; i++) {
        const char *const name = listing_name(all.path[i]);
        char session[400], path[1400], here[4096];
        const bool is_session = *name == '2';

        snprintf(session, sizeof session, "%s/%.*s", listing_name(folder),
                 (int)strcspn(name, "."), name);
        if (is_session && !counts(session))
            continue;
        has_any |= is_session;
        assert_non_null(realpath(all.path[i], here));
        snprintf(path, sizeof path, "%s/%s", target, name);
        assert_int_equal(symlink(here, path), 0);
    }
    listing_free(&all);
    return has_any;
}

static void freeze_folder(const char *folder)
{
    char target[900];
    const char *const folders[] = {target};
    struct listing papers, each;
    struct store *store;

    snprintf(target, sizeof target, "%s/%s", place, listing_name(folder));
    if (!strcmp(listing_name(folder), "paper") || !link_folder(folder, target))
        return;
    if (store_read_files(&(struct store_files){folders, 1, false, "results/paper", NULL}, NULL,
                         &store))
        fail_msg("%s", bench_failure());
    assert_int_equal(listing_read("experiments", "", &papers), BENCH_OK);
    for (int i = 0; i < papers.n; i++) {
        if (!strcmp(papers.path[i], "experiments/claims") ||
            !strcmp(papers.path[i], "experiments/inputs"))
            continue;
        assert_int_equal(listing_read(papers.path[i], ".ini", &each), BENCH_OK);
        for (int k = 0; k < each.n; k++)
            if (strcmp(listing_name(each.path[k]), "figures.ini") != 0)
                freeze_experiment(store, listing_name(folder), each.path[k]);
        listing_free(&each);
    }
    listing_free(&papers);
    assert_int_equal(listing_read("plots", ".sql", &each), BENCH_OK);
    for (int i = 0; i < each.n; i++)
        if (strchr(listing_name(each.path[i]), '-'))
            freeze_chart(store, listing_name(folder), each.path[i]);
    listing_free(&each);
    store_close(&store);
}

/* Lines of a text that another lacks, but for names. */
static int say_lines(const char *sign, const struct text *text, const struct text *other)
{
    int n = 0;

    for (const char *line = text->data; line && *(line += strspn(line, "\n"));) {
        char name[40000];
        const int length = (int)strcspn(line, "\n");

        snprintf(name, sizeof name, "\n%.*s\n", length, line);
        if ((!strncmp(line, "rows ", 5) || !strncmp(line, "data ", 5)) &&
            !(other->data && strstr(other->data, name))) {
            print_message("%s %.*s\n", sign, length, line);
            n++;
        }
        line += length;
    }
    return n;
}

TEST(results_show_what_they_showed)
{
    struct listing folders;
    struct text old = {0};

    updates = getenv("UPDATE") && !strcmp(getenv("UPDATE"), "yes");
    if (!updates && !getenv("ALL_RESULTS"))
        SKIP("ALL_RESULTS=yes asks for all that committed results show, 20 s");
    snprintf(place, sizeof place, "%s/frozen", support_place());
    support_remove(place);
    text_add(&before, "\n");
    text_add(&after, "\n");
    if (!updates && text_read_file(FROZEN, &old))
        fail_msg("%s", bench_failure());
    text_add(&before, old.data ? old.data : "");
    assert_int_equal(listing_read("results", "", &folders), BENCH_OK);
    for (int i = 0; i < folders.n; i++)
        if (!strchr(listing_name(folders.path[i]), '.') &&
            !isupper(*listing_name(folders.path[i]))) /* MACHINES, EDITION */
            freeze_folder(folders.path[i]);
    listing_free(&folders);
    if (updates) {
        text_format(&after, "names%s\n", found.data);
        write_bytes(FROZEN, after.data + 1, after.size - 1);
    }
    if (!updates && say_lines("-", &before, &after) + say_lines("+", &after, &before) > 0)
        fail_msg("other rows or data than " FROZEN " says");
    text_free(&old);
    text_free(&found);
    text_free(&before);
    text_free(&after);
    support_remove(place);
}
