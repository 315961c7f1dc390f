/* record_session.c - the files of a session: its name, its folder, what a resumed one keeps */
#include "harness/suite/record_private.h"

#include "harness/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define N_TRIES 10 /* a folder may be taken away by a session that ends without rows */

/* ---- resuming ------------------------------------------------------------------------- */

/* "r000012", and whatever follows the digits. */
static void note_id(struct record_session *session, const char *row_id)
{
    const long long id = row_id[0] == 'r' ? strtoll(row_id + 1, NULL, 10) : 0;

    if (id >= session->next_id && id < LLONG_MAX)
        session->next_id = id + 1;
}

static enum bench_status set_names(struct record_session *session, const char *name)
{
    free(session->name);
    session->name = strdup(name);
    for (int i = 0; i < N_PARTS; i++) {
        char **const path = &session->part[i].path;

        free(*path);
        if (asprintf(path, "%s/%s%s", session->folder, name, record_part_suffix[i]) < 0)
            *path = NULL;
        NEED(session->name && *path, "the name of a session");
    }
    return BENCH_OK;
}

static enum bench_status cut_file(const char *path, size_t n_bytes)
{
    FAIL_IF(truncate(path, (off_t)n_bytes) != 0, BENCH_EIO,
            "%s: cannot cut off an unfinished line: %s", path, strerror(errno));
    return BENCH_OK;
}

static enum bench_status read_values(struct record_session *session, size_t *n_whole)
{
    OWNED(record_table_free) struct record_table table = {0};

    TRY(record_read(session->part[VALUES].path, true, &table));
    for (int i = 0; i < table.n_rows; i++)
        note_id(session, record_get(&table, i, "row_id"));
    *n_whole = table.n_whole_bytes;
    return BENCH_OK;
}

/* The row ids of one gzip member's text: the first field of each line. */
static void note_sample_ids(struct record_session *session, const struct text *member)
{
    for (const char *line = member->data; line && *line; line += *line == '\n') {
        note_id(session, line + (*line == '"'));
        line += strcspn(line, "\n");
    }
}

/* Inflate members as far as they are whole; *n_whole: where the last whole one ends. */
static enum bench_status read_samples(struct record_session *session, size_t *n_whole)
{
    z_stream stream = {0};
    OWNED(text_free) struct text packed = {0};
    OWNED(text_free) struct text member = {0};
    size_t at = 0;
    int result = Z_OK;

    *n_whole = 0;
    TRY(text_read_file(session->part[SAMPLES].path, &packed));
    REFUSE_IF(packed.size > UINT_MAX, "%s: larger than 4 GiB: begin a new session",
              session->part[SAMPLES].path);
    NEED(inflateInit2(&stream, RECORD_GZIP_WINDOW) == Z_OK, "inflating samples");
    while (at < packed.size) {
        stream.next_in = (unsigned char *)packed.data + at;
        stream.avail_in = (unsigned)(packed.size - at);
        do {
            unsigned char chunk[16384];

            stream.next_out = chunk;
            stream.avail_out = sizeof chunk;
            result = inflate(&stream, Z_NO_FLUSH);
            text_bytes(&member, chunk, sizeof chunk - stream.avail_out);
        } while (result == Z_OK);
        if (result != Z_STREAM_END)
            break; /* cut by a kill */
        note_sample_ids(session, &member);
        member.size = 0;
        at = packed.size - stream.avail_in;
        *n_whole = at;
        if (inflateReset(&stream) != Z_OK)
            break;
    }
    inflateEnd(&stream);
    return text_ok(&member);
}

/* The columns that this build writes must all be there; more do no harm. */
static bool has_all_columns(const struct record_session *session,
                            const struct record_table *table)
{
    for (int i = 0; i < session->header.n_columns; i++)
        if (record_column(table, session->header.column[i]) < 0)
            return false;
    return true;
}

/* Remembers the rows of session 'name' that need not be measured again. */
static enum bench_status take_rows(struct record_session *session, const char *name,
                                   const struct record_table *table)
{
    OWNED(text_free) struct text withdrawn = {0};

    TRY(record_read_withdrawn(session->folder, &withdrawn));
    for (int i = 0; i < table->n_rows; i++) {
        const char *row_id = record_get(table, i, "row_id");
        struct text identity = {0};
        size_t n_reason;

        note_id(session, row_id);
        if (!record_is_finished(record_get(table, i, "status")) ||
            record_withdrawn(&withdrawn, name, row_id, &n_reason))
            continue;
        record_identity(table, i, &identity);
        TRY(record_remember_identity(&session->finished, &identity));
    }
    return BENCH_OK;
}

static enum bench_status continue_session(struct record_session *session,
                                          const struct record_table *table)
{
    TRY(cut_file(session->part[ROWS].path, table->n_whole_bytes));
    TRY(take_rows(session, session->name, table));
    session->chain = strtoull(record_get(table, table->n_rows - 1, "row_hash"), NULL, 16);
    for (int i = VALUES; i <= SAMPLES; i++) {
        const char *const path = session->part[i].path;
        size_t n_whole = 0;

        if (access(path, F_OK) != 0)
            continue;
        TRY(i == VALUES ? read_values(session, &n_whole) : read_samples(session, &n_whole));
        TRY(cut_file(path, n_whole));
    }
    return BENCH_OK;
}

/* True if its rows are of that build, host and process, and some of one of those
 * experiments. */
static bool is_wanted(const struct record_table *table, const struct record_resume *wanted)
{
    if (table->n_rows == 0 ||
        strcmp(record_get(table, 0, "build_hash"), wanted->build_hash) != 0 ||
        strcmp(record_get(table, 0, "host"), wanted->host) != 0)
        return false;
    if (wanted->run > 0 && (atoi(record_get(table, 0, "run")) != wanted->run ||
                            strcmp(record_get(table, 0, "run_group"), wanted->run_group) != 0))
        return false;
    if (!wanted->experiments)
        return true;
    for (int row = 0; row < table->n_rows; row++)
        for (int i = 0; wanted->experiments[i]; i++)
            if (!strcmp(record_get(table, row, "experiment"), wanted->experiments[i]))
                return true;
    return false;
}

/*
 * Continue session 'name' when it is wanted and no process is writing it; *taken says whether.
 * The file is locked before it is read: an unfinished line of a living session stays.
 */
static enum bench_status try_session(struct record_session *session, const char *name,
                                     const struct record_resume *wanted, bool *taken)
{
    struct part_file *rows = &session->part[ROWS];
    OWNED(record_table_free) struct record_table table = {0};
    enum bench_status status;

    TRY(set_names(session, name));
    rows->fd = open(rows->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (rows->fd < 0 || flock(rows->fd, LOCK_EX | LOCK_NB) != 0)
        goto not_this;
    /* a file that is no table of ours is no session to continue, whatever it is */
    if (record_read(rows->path, true, &table) != BENCH_OK)
        goto not_this;
    if (!is_wanted(&table, wanted) || !has_all_columns(session, &table))
        goto not_this;
    status = continue_session(session, &table);
    *taken = status == BENCH_OK;
    if (*taken) { /* its header stays */
        const struct record_table declared = session->header;

        session->header = table;
        table = declared;
    }
    return status;

not_this:
    if (rows->fd >= 0)
        close(rows->fd);
    rows->fd = -1;
    return BENCH_OK;
}

/* The newest one with rows of the experiments, else the newest of all. */
static enum bench_status find_session(struct record_session *session,
                                      const struct record_resume *wanted, bool *taken)
{
    struct record_resume any = *wanted;
    OWNED(listing_free) struct listing names = {0};

    any.experiments = NULL;
    TRY(record_list_sessions(session->folder, &names));
    for (int i = 2 * names.n - 1; i >= 0 && !*taken; i--)
        TRY(try_session(session, names.path[i % names.n], i < names.n ? &any : wanted, taken));
    return BENCH_OK;
}

/* Remembers the rows of this build in all sessions of the folder. */
static enum bench_status take_sessions(struct record_session *session,
                                       const struct record_resume *wanted)
{
    OWNED(listing_free) struct listing names = {0};

    TRY(record_list_sessions(session->folder, &names));
    for (int i = 0; i < names.n; i++) {
        OWNED(record_table_free) struct record_table table = {0};

        TRY(set_names(session, names.path[i]));
        /* a file that is no table of ours has nothing, whatever it is */
        if (record_read(session->part[ROWS].path, true, &table) == BENCH_OK &&
            table.n_rows > 0 &&
            !strcmp(record_get(&table, 0, "build_hash"), wanted->build_hash))
            TRY(take_rows(session, names.path[i], &table));
        else
            bench_failure_clear();
    }
    return BENCH_OK;
}

/* ---- opening -------------------------------------------------------------------------- */

/* Say in whose way a folder is before one is made. */
static enum bench_status check_folder(const char *folder)
{
    char path[PATH_MAX], *at = path;
    struct stat info;
    int error = 0;

    snprintf(path, sizeof path, "%s", folder[0] ? folder : ".");
    while (stat(at, &info) != 0 && errno == ENOENT)
        at = dirname(at); /* "." or "/" at last, which is there */
    if (stat(at, &info) == 0 && !S_ISDIR(info.st_mode))
        error = ENOTDIR;
    else if (access(at, W_OK | X_OK) != 0)
        error = errno;
    FAIL_IF(error != 0, BENCH_EIO, "%s: results cannot be written here: %s", folder,
            strerror(error));
    return BENCH_OK;
}

/*
 * Make the row file of session 'name', empty and locked: whoever makes it takes the name.
 * *taken is false where there is one, or another file that would belong to it.
 */
static enum bench_status reserve_name(struct record_session *session, const char *name,
                                      bool *taken)
{
    struct part_file *rows = &session->part[ROWS];

    *taken = false;
    TRY(set_names(session, name));
    for (int part = ROWS + 1; part < N_PARTS; part++)
        if (access(session->part[part].path, F_OK) == 0)
            return BENCH_OK;
    for (int i = 0; i < N_TRIES && rows->fd < 0; i++) {
        TRY(text_make_folder(session->folder));
        rows->fd = open(rows->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (rows->fd < 0 && errno != ENOENT)
            break;
    }
    if (rows->fd < 0 && errno == EEXIST)
        return BENCH_OK;
    FAIL_IF(rows->fd < 0, BENCH_EIO, "%s: cannot begin a session: %s", rows->path,
            strerror(errno));
    *taken = session->is_reserved = true;
    while (flock(rows->fd, LOCK_EX) != 0 && errno == EINTR)
        ; /* a process that looks for a session holds it for a moment; not all can lock */
    return BENCH_OK;
}

/* 'name', or where that is taken the first free one of NAME-2, NAME-3 ... */
static enum bench_status choose_name(struct record_session *session, const char *name)
{
    bool taken = false;

    session->made_folder = access(session->folder, F_OK) != 0;
    for (int i = 1; !taken; i++) {
        OWNED(text_free) struct text numbered = {0};

        text_add(&numbered, name);
        if (i > 1)
            text_format(&numbered, "-%d", i);
        TRY(text_ok(&numbered));
        TRY(reserve_name(session, numbered.data, &taken));
    }
    return BENCH_OK;
}

static void drop_session(struct record_session **session)
{
    (void)record_close(*session);
}

enum bench_status record_open(const char *folder, const char *name,
                              const struct record_resume *resume,
                              struct record_session **session)
{
    OWNED(drop_session) struct record_session *opened = NULL;
    bool taken = false;

    *session = NULL;
    TRY(memory_allocate(&opened, sizeof *opened, 1, 1, 1, 1));
    for (int i = 0; i < N_PARTS; i++)
        opened->part[i].fd = -1;
    opened->next_id = 1;
    opened->resume = resume != NULL;
    opened->folder = strdup(folder);
    NEED(opened->folder, "a path");
    TRY(check_folder(folder));
    TRY(record_declare(&opened->header));
    if (resume)
        TRY(resume->is_rank ? take_sessions(opened, resume)
                            : find_session(opened, resume, &taken));
    if (!taken)
        TRY(choose_name(opened, name));
    *session = opened;
    opened = NULL;
    return BENCH_OK;
}

enum bench_status record_close(struct record_session *session)
{
    enum bench_status status = BENCH_OK;

    if (!session)
        return BENCH_OK;
    for (int i = 0; i < N_PARTS; i++) {
        struct part_file *part = &session->part[i];

        if (session->is_reserved) /* without rows it leaves nothing */
            unlink(part->path);

        if (part->fd >= 0 && close(part->fd) != 0)
            status = BENCH_FAIL(BENCH_EIO, "%s: cannot close: %s", part->path, strerror(errno));
        free(part->path);
    }
    if (session->is_reserved && session->made_folder)
        rmdir(session->folder); /* others may have rows in it by now */
    record_table_free(&session->header);
    tdestroy(session->finished, free);
    text_free(&session->env);
    free(session->name);
    free(session->folder);
    free(session);
    return status;
}

const char *record_session_name(const struct record_session *session)
{
    return session->name;
}

enum bench_status record_env(struct record_session *session, const char *text)
{
    text_free(&session->env);
    text_add(&session->env, text);
    session->env_pending = true;
    return text_ok(&session->env);
}

enum bench_status record_env_end(struct record_session *session, const char *lines)
{
    if (session->env_pending)
        return BENCH_OK;
    text_add(&session->env, lines);
    TRY(text_ok(&session->env));
    return text_replace_file(session->part[ENV].path, &session->env);
}
