/* record_check.c - whether a folder of sessions is as it was written */
#include "harness/suite/record_private.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LONGEST_NAME 200

struct look {
    record_tell *tell;
    void *self;
    struct record_seen *seen;
    bool *is_safe;
};

/* ---- files ---- */

static void refuse(const struct look *look, const char *place, const char *what)
{
    look->tell(look->self, place, what);
    *look->is_safe = false;
}

/* One word of a bearable length. */
static bool is_file_name(const char *name)
{
    const size_t n = strlen(name);

    return isalnum((unsigned char)*name) && n <= LONGEST_NAME &&
           n == strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789._+-");
}

/* Refuses files of the folder that readers may not open; 'is_inner': a profiler's counters. */
static enum bench_status look_at_files(const struct look *look, const char *folder,
                                       bool is_inner)
{
    OWNED(listing_free) struct listing files = {0};

    TRY(listing_read(folder, "", &files));
    for (int i = 0; i < files.n; i++) {
        const char *const path = files.path[i], *const name = listing_name(path);
        struct stat info;

        if (!is_file_name(name))
            refuse(look, path, "a name of other than letters, digits and ._+-: not read");
        else if (lstat(path, &info) != 0)
            refuse(look, path, "cannot be looked at: not read");
        else if (S_ISLNK(info.st_mode))
            refuse(look, path, "a link: not followed");
        else if (S_ISDIR(info.st_mode) && strstr(name, ".csv"))
            refuse(look, path, "a folder, expected a session: not read");
        else if (S_ISDIR(info.st_mode) && !strcmp(name, "ncu") && !is_inner)
            TRY(look_at_files(look, path, true));
        else if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))
            refuse(look, path, "neither a file nor a folder: not read");
    }
    return BENCH_OK;
}

static enum bench_status look_at_folder(const struct look *look, const char *folder)
{
    struct stat info;

    if (lstat(folder, &info) != 0)
        refuse(look, folder, "no such folder");
    else if (S_ISLNK(info.st_mode))
        refuse(look, folder, "a link: not followed");
    else if (!S_ISDIR(info.st_mode))
        refuse(look, folder, "no folder");
    else
        return look_at_files(look, folder, false);
    return BENCH_OK;
}

/* ---- rows ---- */

/* A session's lines of values, which come in the order of its rows. */
struct lines {
    struct text text;
    const char *at;
};

static void free_lines(struct lines *lines)
{
    text_free(&lines->text);
}

/* Those of a row, as they stand in the file; those before it have lost theirs. */
static void take_lines(struct lines *lines, const char *row_id, struct text *own)
{
    const long long id = *row_id ? strtoll(row_id + 1, NULL, 10) : 0;
    const char *end;

    own->size = 0;
    for (; lines->at && (end = strchr(lines->at, '\n')); lines->at = end + 1) {
        const long long its =
            !strncmp(lines->at, "\"r", 2) ? strtoll(lines->at + 2, NULL, 10) : 0;

        if (its > id)
            break;
        if (its == id)
            text_bytes(own, lines->at, (size_t)(end + 1 - lines->at));
    }
}

static void look_at_rows(const struct look *look, const char *path, const char *session,
                         const struct record_table *rows, struct lines *values)
{
    OWNED(text_free) struct text own = {0};
    uint64_t before = 0;

    for (int i = 0; i < rows->n_rows && strcmp(session, RECORD_PAST_NAME) != 0; i++) {
        const char *const id = record_get(rows, i, "row_id");
        const char *const text = record_get(rows, i, "row_hash");
        const uint64_t hash = strtoull(text, NULL, 16);
        char what[160];

        look->seen->n_rows++;
        look->seen->n_unhashed += !*text;
        take_lines(values, id, &own);
        if (strcmp(record_get(rows, i, "session"), session) != 0) {
            look->tell(look->self, path, "a row of another session: renamed, or copied");
            break;
        }
        if (*text && hash != record_row_hash(rows, i, before, &own)) {
            snprintf(what, sizeof what,
                     "row %.20s: it, its values or the row before it is not as written", id);
            look->tell(look->self, path, what);
        } else if (!*text && before) {
            snprintf(what, sizeof what, "row %.20s: its hash is gone", id);
            look->tell(look->self, path, what);
        }
        before = hash;
    }
}

static enum bench_status look_at_session(const struct look *look, const char *folder,
                                         const char *name)
{
    OWNED(record_table_free) struct record_table rows = {0};
    OWNED(free_lines) struct lines values = {0};
    OWNED(text_free) struct text path = {0};
    OWNED(text_free) struct text beside = {0};
    enum bench_status status;

    text_format(&path, "%s/%s%s", folder, name, record_part_suffix[ROWS]);
    text_format(&beside, "%s/%s%s", folder, name, record_part_suffix[VALUES]);
    TRY(text_ok(&path));
    TRY(text_ok(&beside));
    status = record_read(path.data, true, &rows);
    if (status == BENCH_ENOMEM)
        return status;
    if (status) {
        look->tell(look->self, path.data, "no table of ours: damaged, or cut");
    } else if (rows.n_columns > 0) {
        (void)text_read_file(beside.data,
                             &values.text); /* no row has any, or their hashes say so */
        values.at = values.text.data;
        look->seen->n_sessions++;
        look_at_rows(look, path.data, name, &rows, &values);
    }
    bench_failure_clear();
    return BENCH_OK;
}

enum bench_status record_look_after(const char *folder, record_tell *tell, void *self,
                                    struct record_seen *seen, bool *is_safe)
{
    const struct look look = {tell, self, seen, is_safe};
    OWNED(listing_free) struct listing names = {0};
    char path[PATH_MAX];

    *is_safe = true;
    snprintf(path, sizeof path, "%s", folder);
    /* a link with a slash behind it is a folder to the system */
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
        path[n - 1] = '\0';
    TRY(look_at_folder(&look, path));
    if (*is_safe)
        TRY(record_list_sessions(path, &names));
    for (int i = 0; i < names.n; i++)
        TRY(look_at_session(&look, path, names.path[i]));
    return BENCH_OK;
}
