/* gather.c - bring the sessions of several machines and ranks together */
#include "harness/suite/gather.h"

#include "harness/base/text.h"
#include "harness/suite/record_private.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_BYTES ((off_t)256 << 20) /* of a file of a session */
#define N_FETCHES  3                  /* a session may grow while it is fetched */

extern char **environ;

/* ---- other machines ---- */

/* What rsync, scp and this call; another program of the same words for tests and odd sites. */
static const char *ssh(void)
{
    const char *const given = getenv("DEPTHBENCH_SSH");

    return given && *given ? given : "ssh";
}

/* Run a program of PATH and wait; its output into 'out' (NULL: none is wanted).  Its exit
 * status; 127: it did not run. */
static int run_tool(const char *const *words, const char *out)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int state = 0, error;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out ? out : "/dev/null",
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    /* it may be another machine that speaks */
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    error = posix_spawnp(&pid, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return 127;
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return 127;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

#define SSH_OPTIONS "-oBatchMode=yes", "-oConnectTimeout=15", "-oServerAliveInterval=15"

/* Whether the files below 'folder' are what the machine has, by its own hashes.  Its list may
 * name no other file. */
static bool are_whole(const char *host, const char *remote, const char *folder)
{
    static const char script[] =
        "cd -- \"$1\" && { [ ! -s ../sums ] || "
        "{ ! grep -qvE '^[0-9a-f]{64}  \\./([^./][^/]*/)?[^./][^/]*$' ../sums && "
        "sha256sum --check --status --strict ../sums; }; }";
    struct text command = {0}, list = {0};
    const char *const check[] = {"sh", "-c", script, "sh", folder, NULL};
    bool are = false;

    text_add(&command, "cd ");
    text_shell_word(&command, remote);
    text_add(&command,
             " && find . -maxdepth 2 -type f \\( -name '*.csv' -o -name '*.csv.gz' -o "
             "-name '*.env.txt' -o -name '*" GATHER_PLAN
             "' \\) ! -path './.*' -exec sha256sum -- {} +");
    text_format(&list, "%s/../sums", folder);
    if (!command.failed && !list.failed) {
        const char *const ask[] = {ssh(), SSH_OPTIONS, "--", host, command.data, NULL};

        are = run_tool(ask, list.data) == 0 && run_tool(check, NULL) == 0;
    }
    text_free(&command);
    text_free(&list);
    return are;
}

static void remove_folder(const char *folder)
{
    const char *const words[] = {"rm", "-rf", "--", folder, NULL};

    (void)run_tool(words, NULL);
}

/* "user@host:DIR" into 'folder', which is there. */
static bool fetch(const char *source, const char *folder)
{
    static const char plans[] = "--include=*" GATHER_PLAN;
    const char *const colon = strchr(source, ':');
    char *const host = strndup(source, (size_t)(colon - source));
    struct text rsync_ssh = {0}, from = {0};
    bool is_whole = false;

    text_format(&rsync_ssh, "%s -oBatchMode=yes -oConnectTimeout=15 -oServerAliveInterval=15",
                ssh());
    text_format(&from, "%s/", source);
    if (host && !rsync_ssh.failed && !from.failed) {
        const char *const by_rsync[] = {"rsync",
                                        "-rt",
                                        "--protect-args",
                                        "--timeout=60",
                                        "--include=*.csv",
                                        "--include=*.csv.gz",
                                        "--include=*.env.txt",
                                        plans,
                                        "--exclude=.*",
                                        "--exclude=/*/*/",
                                        "--include=*/",
                                        "--exclude=*",
                                        "-e",
                                        rsync_ssh.data,
                                        "--",
                                        from.data,
                                        folder,
                                        NULL};
        const char *const by_scp[] = {"scp", "-rpqS", ssh(),  SSH_OPTIONS,
                                      "--",  source,  folder, NULL};

        for (int i = 0; i < N_FETCHES && !is_whole; i++) {
            if (run_tool(by_rsync, NULL) != 0) {
                remove_folder(folder); /* which scp makes, by the name of the other */
                if (run_tool(by_scp, NULL) != 0)
                    break;
            }
            is_whole = are_whole(host, colon + 1, folder);
        }
    }
    free(host);
    text_free(&rsync_ssh);
    text_free(&from);
    return is_whole;
}

/* ---- plans ---- */

/* The next line of a plan, cut at its tabs into 'word', at most n; how many there are. */
static int next_line(char **rest, char **word, int n)
{
    char *line = strsep(rest, "\n");
    int n_words = 0;

    while (line && n_words < n)
        word[n_words++] = strsep(&line, "\t");
    return line ? -1 : n_words;
}

/* The lines before its rows, in this order. */
enum head { REVISION, COMMAND, MACHINE, BUILD, CAMPAIGN, RUN, N_HEADS };

/* What is told to be run must be one call of this program: plain words, and quoted ones. */
static bool is_command(const char *text)
{
    static const char begin[] = "depthbench ";
    bool is_quoted = false;

    if (strncmp(text, begin, strlen(begin)) != 0)
        return false;
    for (; *text; text++) {
        if (*text == '\'')
            is_quoted = !is_quoted;
        else if (*text == '\\' && !is_quoted && text[1] == '\'')
            text++;
        else if (!is_quoted && strchr(";&|<>$`(){}[]*?!~#\"\\", *text))
            return false;
    }
    return !is_quoted;
}

int gather_revision(const char *text)
{
    const size_t n = strspn(text, "0123456789");

    return n < 10 && (!text[n] || text[n] == '\n') ? (int)strtol(text, NULL, 10) : 0;
}

static enum bench_status read_head(const char *path, char **rest, char *value[N_HEADS])
{
    static const char *const name[] = {"revision", "command",  "machine",
                                       "build",    "campaign", "run"};

    for (int i = 0; i < N_HEADS; i++) {
        char *word[2];

        if (next_line(rest, word, 2) != 2 || strcmp(word[0], name[i]) != 0)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected '%s' and a text", path, i + 1,
                              name[i]);
        value[i] = word[1];
    }
    if (!gather_revision(value[REVISION]))
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected a revision of 1 to 9 digits, not 0",
                          path, REVISION + 1);
    return is_command(value[COMMAND])
               ? BENCH_OK
               : BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected a command of depthbench", path,
                            COMMAND + 1);
}

/* ---- files ---- */

struct taking {
    const char *results;
    FILE *notes;
    struct gather_count *count;
};

/* A name that others gave, and a sentence about it. */
static void note(const struct taking *t, const char *path, const char *sentence)
{
    struct text line = {0};

    text_format(&line, "note: %s: %s\n", path, sentence);
    (void)text_print(&line, t->notes);
    text_free(&line);
}

/* Opened for reading if it is a regular file of a bearable size; -1. */
static int open_regular(const char *path, off_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info;

    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size <= MOST_BYTES) {
        *size = info.st_size;
        return fd;
    }
    if (fd >= 0) {
        close(fd);
        errno = EINVAL;
    }
    return -1;
}

/* How much of a text is whole lines: a power cut may leave a part of one, which is cut off when
 * its session is continued. */
static off_t whole_lines(int fd, off_t size)
{
    char bytes[4096];

    while (size > 0) {
        const size_t most = size < (off_t)sizeof bytes ? (size_t)size : sizeof bytes;
        const ssize_t n = pread(fd, bytes, most, size - (off_t)most);

        if (n != (ssize_t)most)
            return 0;
        for (size_t i = most; i > 0; i--, size--)
            if (bytes[i - 1] == '\n')
                return size;
    }
    return 0;
}

/* Whether the first 'size' bytes are the same. */
static bool are_equal(int a, int b, off_t size)
{
    char left[16384], right[sizeof left];

    for (off_t at = 0; at < size;) {
        const size_t most = size - at < (off_t)sizeof left ? (size_t)(size - at) : sizeof left;
        const ssize_t n = pread(a, left, most, at);

        if (n <= 0 || pread(b, right, (size_t)n, at) != n ||
            memcmp(left, right, (size_t)n) != 0)
            return false;
        at += n;
    }
    return true;
}

/* Copy 'size' bytes of 'from' to a new file beside 'path', which it then becomes. */
static enum bench_status copy_whole(int from, off_t size, const char *path)
{
    char *beside, bytes[65536];
    int to, error = 0;

    if (asprintf(&beside, "%s.XXXXXX", path) < 0)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a path");
    to = mkstemp(beside);
    error = to < 0 ? errno : fchmod(to, 0644) ? errno : 0;
    for (off_t at = 0; at < size && !error;) {
        const size_t most =
            size - at < (off_t)sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        const ssize_t n = pread(from, bytes, most, at);

        error = n <= 0 ? EIO : text_write_all(to, bytes, (size_t)n);
        at += n;
    }
    if (!error && fsync(to))
        error = errno;
    if (to >= 0 && close(to) && !error)
        error = errno;
    if (!error && rename(beside, path))
        error = errno;
    if (!error)
        error = text_sync_folder(path);
    else if (to >= 0)
        unlink(beside);
    free(beside);
    return error ? BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", path, strerror(error))
                 : BENCH_OK;
}

enum kept { REFUSED, SAME, NEW, GROWN };

/* LINES: a text that grows line by line.  FOLLOWS: it goes with such a text, and may be written
 * anew: the environment and the last samples of a session that was continued, a plan. */
enum rule { LINES, FOLLOWS };

/* Make 'to' what 'from' is, unless it is that already or goes on from it. */
static enum bench_status take_file(const struct taking *t, const char *from, const char *to,
                                   enum rule rule, enum kept *kept)
{
    off_t size = 0, there = 0;
    const int fd = open_regular(from, &size), old = open_regular(to, &there);
    enum bench_status status = BENCH_OK;

    *kept = REFUSED;
    if (fd < 0)
        note(t, from, "no regular file, or a very large one: left out");
    else if (old < 0 && errno != ENOENT)
        note(t, to, "is there and no file of a session: left as it is");
    else if (old >= 0 && size == there && are_equal(fd, old, size))
        *kept = SAME;
    else if (old >= 0 && rule == LINES) {
        const off_t new_lines = whole_lines(fd, size), old_lines = whole_lines(old, there);

        if (!are_equal(fd, old, new_lines < old_lines ? new_lines : old_lines))
            note(t, from, "another file than that of the same name here: refused");
        else if (new_lines <= old_lines)
            *kept = SAME;
        else {
            status = copy_whole(fd, size, to);
            *kept = GROWN;
        }
    } else {
        status = copy_whole(fd, size, to);
        *kept = old < 0 ? NEW : GROWN;
    }
    if (fd >= 0)
        close(fd);
    if (old >= 0)
        close(old);
    t->count->n_refused += *kept == REFUSED;
    return status;
}

/* Whether a machine may be called so: it is the name of a folder. */
static bool is_machine(const char *name)
{
    return record_is_name(name) && !strpbrk(name, "/:") && strcmp(name, "paper") != 0;
}

/* The name of a session's file or of a plan: one word of a bearable length. */
static bool is_file_name(const char *name)
{
    const size_t n = strlen(name);

    return isalnum((unsigned char)*name) && n <= 200 && !strstr(name, "..") &&
           n == strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789._+-");
}

/* The machine's folder, made.  *is_one is false where something else is there. */
static enum bench_status enter_machine(const struct taking *t, const char *machine,
                                       char **folder, bool *is_one)
{
    struct stat info;

    *is_one = false;
    if (asprintf(folder, "%s/%s", t->results, machine) < 0) {
        *folder = NULL;
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a path");
    }
    if (lstat(*folder, &info) == 0 && !S_ISDIR(info.st_mode))
        return BENCH_OK;
    TRY(text_make_folder(*folder));
    *is_one = true;
    return BENCH_OK;
}

/* The machine that all rows are of; NULL: they are of none or of several, or of another
 * session. */
static const char *machine_of(const struct record_table *rows, const char *session)
{
    const char *const machine = rows->n_rows > 0 ? record_get(rows, 0, "machine") : "";

    if (!is_machine(machine))
        return NULL;
    for (int i = 0; i < rows->n_rows; i++)
        if (strcmp(record_get(rows, i, "machine"), machine) != 0 ||
            strcmp(record_get(rows, i, "session"), session) != 0)
            return NULL;
    return machine;
}

/* The session's part in both folders. */
static enum bench_status name_part(const char *folder, const char *into, const char *session,
                                   enum part part, char **from, char **to)
{
    const char *const suffix = record_part_suffix[part];

    if (asprintf(from, "%s/%s%s", folder, session, suffix) < 0)
        *from = NULL;
    if (asprintf(to, "%s/%s%s", into, session, suffix) < 0)
        *to = NULL;
    return *from && *to ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "out of memory for a path");
}

static void refuse(const struct taking *t, const char *path, const char *sentence)
{
    note(t, path, sentence);
    t->count->n_refused++;
}

/* Whether two files that grow by lines are of one session, as far as both go; *is_older: the first
 * one is shorter. */
static bool are_one(const char *from, const char *to, bool *is_older)
{
    off_t size = 0, there = 0;
    const int fd = open_regular(from, &size), old = open_regular(to, &there);
    bool are = true;

    *is_older = false;
    if (fd >= 0 && old >= 0) {
        const off_t new_lines = whole_lines(fd, size), old_lines = whole_lines(old, there);

        are = are_equal(fd, old, new_lines < old_lines ? new_lines : old_lines);
        *is_older = new_lines < old_lines;
    }
    if (fd >= 0)
        close(fd);
    if (old >= 0)
        close(old);
    return are;
}

/* One part of a session, or, where 'is_asked', whether it may be taken. */
static enum bench_status take_part(const struct taking *t, const char *from, const char *to,
                                   enum part part, bool is_asked, bool *goes_on)
{
    static const enum rule rule[N_PARTS] = {LINES, LINES, FOLLOWS, FOLLOWS};
    enum kept kept = SAME;
    bool is_older;

    if (is_asked) {
        *goes_on = are_one(from, to, &is_older);
        if (!*goes_on)
            refuse(t, from, "another file than that of the same name here: refused");
        *goes_on &= part != ROWS || !is_older;
        return BENCH_OK;
    }
    if (part != ROWS && access(from, F_OK) != 0)
        return BENCH_OK;
    TRY(take_file(t, from, to, rule[part], &kept));
    *goes_on = kept != REFUSED;
    if (part == ROWS) {
        t->count->n_new += kept == NEW;
        t->count->n_grown += kept == GROWN;
    }
    return BENCH_OK;
}

/* The parts of a session, rows last: a reader sees whole sessions.  First rows and values are
 * asked: of a session that is refused, or older than what is there, nothing is taken. */
static enum bench_status take_parts(const struct taking *t, const char *folder,
                                    const char *into, const char *session)
{
    static const enum part order[] = {ROWS, VALUES, ENV, SAMPLES, VALUES, ROWS};
    enum bench_status status = BENCH_OK;
    bool goes_on = true;

    for (size_t i = 0; i < sizeof order / sizeof *order && !status && goes_on; i++) {
        char *from, *to;

        status = name_part(folder, into, session, order[i], &from, &to);
        if (!status)
            status = take_part(t, from, to, order[i], i < 2, &goes_on);
        free(from);
        free(to);
    }
    return status;
}

static enum bench_status take_session(const struct taking *t, const char *folder,
                                      const char *path)
{
    const char *const name = listing_name(path);
    char *const session = strndup(name, strlen(name) - strlen(record_part_suffix[ROWS]));
    struct record_table rows = {0};
    const char *machine = NULL;
    char *into = NULL;
    off_t size = 0;
    const int fd = session && is_file_name(session) ? open_regular(path, &size) : -1;
    enum bench_status status = BENCH_OK;
    bool is_one = false;

    if (fd < 0)
        refuse(t, path, "no file of a session: left out");
    else
        close(fd);
    if (size > 0) { /* else its session has not begun */
        t->count->n_sessions++;
        if (record_read(path, true, &rows) == BENCH_OK)
            machine = machine_of(&rows, session);
        bench_failure_clear();
        if (machine)
            status = enter_machine(t, machine, &into, &is_one);
        if (!status && is_one)
            status = take_parts(t, folder, into, session);
        else if (!status)
            refuse(t, path, "no rows of this session and one machine: refused");
    }
    record_table_free(&rows);
    free(session);
    free(into);
    return status;
}

static bool ends(const char *name, const char *end)
{
    const size_t n = strlen(name), n_end = strlen(end);

    return n > n_end && !strcmp(name + n - n_end, end);
}

/* What a plan says in its first lines.  *plan has the texts. */
static bool read_plan(const char *path, struct text *plan, char *head[N_HEADS])
{
    off_t size;
    const int fd = is_file_name(listing_name(path)) ? open_regular(path, &size) : -1;
    char *rest;
    bool is_plan = false;

    *plan = (struct text){0};
    if (fd >= 0) {
        close(fd);
        if (text_read_file(path, plan) == BENCH_OK) {
            rest = plan->data;
            is_plan = read_head(path, &rest, head) == BENCH_OK && is_machine(head[MACHINE]);
        }
    }
    bench_failure_clear();
    return is_plan;
}

/* Which stands is said by revisions, not by clocks, which may differ: what was to be measured
 * may have become more. */
static enum bench_status keep_plan(const struct taking *t, const char *from, int revision,
                                   const char *to)
{
    struct text plan;
    char *head[N_HEADS];
    const int there = read_plan(to, &plan, head) ? gather_revision(head[REVISION]) : 0;
    off_t size = 0, old_size = 0;
    const int fd = open_regular(from, &size), old = open_regular(to, &old_size);
    const bool is_same = fd >= 0 && old >= 0 && size == old_size && are_equal(fd, old, size);
    enum bench_status status = BENCH_OK;
    enum kept kept;

    text_free(&plan);
    if (fd >= 0)
        close(fd);
    if (old >= 0)
        close(old);
    if (revision > there)
        status = take_file(t, from, to, FOLLOWS, &kept);
    else if (revision == there && !is_same)
        refuse(t, from,
               "another plan than that of the same name here, and none is newer: refused");
    return status;
}

static enum bench_status take_plan(const struct taking *t, const char *path)
{
    struct text plan;
    char *head[N_HEADS], *into = NULL, *to = NULL;
    enum bench_status status = BENCH_OK;
    bool is_one = false;

    if (read_plan(path, &plan, head))
        status = enter_machine(t, head[MACHINE], &into, &is_one);
    if (!status && !is_one)
        refuse(t, path, "no plan of ranks: refused");
    else if (!status && asprintf(&to, "%s/%s", into, listing_name(path)) < 0) {
        to = NULL;
        status = BENCH_FAIL(BENCH_ENOMEM, "out of memory for a path");
    } else if (!status)
        status = keep_plan(t, path, gather_revision(head[REVISION]), to);
    text_free(&plan);
    free(into);
    free(to);
    return status;
}

/* The sessions of a folder, and the plans. */
static enum bench_status take_folder(const struct taking *t, const char *folder)
{
    struct listing files, plans;
    enum bench_status status = BENCH_OK;

    TRY(listing_read(folder, record_part_suffix[ROWS], &files));
    for (int i = 0; i < files.n && !status; i++)
        if (!ends(files.path[i], record_part_suffix[VALUES]))
            status = take_session(t, folder, files.path[i]);
    listing_free(&files);
    TRY(status);
    TRY(listing_read(folder, GATHER_PLAN, &plans));
    for (int i = 0; i < plans.n && !status; i++)
        status = take_plan(t, plans.path[i]);
    listing_free(&plans);
    return status;
}

/* The folder itself, and those in it. */
static enum bench_status take_folders(const struct taking *t, const char *folder)
{
    struct listing below;
    enum bench_status status = BENCH_OK;

    TRY(take_folder(t, folder));
    TRY(listing_read(folder, "", &below));
    for (int i = 0; i < below.n && !status; i++) {
        struct stat info;

        if (lstat(below.path[i], &info) == 0 && S_ISDIR(info.st_mode) &&
            strcmp(listing_name(below.path[i]), "paper") != 0)
            status = take_folder(t, below.path[i]);
    }
    listing_free(&below);
    return status;
}

enum bench_status gather_take(const char *source, const char *results, FILE *notes,
                              struct gather_count *count)
{
    const struct taking t = {results, notes, count};
    const char *const colon = strchr(source, ':'), *const slash = strchr(source, '/');
    char *staging, *files = NULL;
    enum bench_status status = BENCH_OK;
    struct stat info;

    TRY(text_make_folder(results));
    if (stat(source, &info) == 0 && S_ISDIR(info.st_mode)) /* its name may have a colon */
        return take_folders(&t, source);
    if (!colon || (slash && slash < colon)) {
        note(&t, source, "no such folder: nothing was taken");
        count->n_lost++;
        return BENCH_OK;
    }
    if (asprintf(&staging, "%s/.gather-XXXXXX", results) < 0)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for a path");
    if (!mkdtemp(staging) || asprintf(&files, "%s/files", staging) < 0 || mkdir(files, 0700))
        status = BENCH_FAIL(BENCH_EIO, "%s: cannot be made: %s", staging, strerror(errno));
    else if (*source != '-' && fetch(source, files))
        status = take_folders(&t, files);
    else {
        note(&t, source, "could not be fetched whole: nothing was taken");
        count->n_lost++;
    }
    remove_folder(staging);
    free(staging);
    free(files);
    return status;
}

/* ---- what is missing ---- */

enum bench_status gather_plans(const char *folder, struct listing *plans)
{
    return listing_read(folder, GATHER_PLAN, plans);
}

enum bench_status gather_look(const char *folder, struct record_session **seen)
{
    const struct record_shared all = {0};
    struct record_session *const made = calloc(1, sizeof *made);
    enum bench_status status;

    *seen = NULL;
    if (!made)
        return BENCH_FAIL(BENCH_ENOMEM, "out of memory for the sessions of %s", folder);
    for (int i = 0; i < N_PARTS; i++)
        made->part[i].fd = -1;
    made->name = strdup("");
    made->folder = strdup(folder);
    status = made->name && made->folder
                 ? record_look_around(made, &all)
                 : BENCH_FAIL(BENCH_ENOMEM, "out of memory for the sessions of %s", folder);
    if (status)
        record_close(made);
    else
        *seen = made;
    return status;
}

static enum bench_status count_rows(const char *path, char *const *head, char *rest,
                                    const struct record_session *seen, FILE *out,
                                    struct gather_missing *missing)
{
    enum bench_status status = BENCH_OK;

    for (int line = N_HEADS + 1; rest && *rest && !status; line++) {
        char *word[4];
        struct text unit[2] = {{0}, {0}}, name = {0};
        bool is_there = false;

        if (next_line(&rest, word, 4) != 4 || strcmp(word[0], "row") != 0)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected 'row' and three texts", path,
                              line);
        missing->n_planned++;
        for (int i = 0; i < 2 && !status; i++) {
            record_add_campaign(&unit[i], head[BUILD], head[CAMPAIGN], head[RUN]);
            text_add(&unit[i], word[2 + i]);
            status = text_ok(&unit[i]);
            is_there = is_there || (!status && record_knows(&seen->done, unit[i].data));
            text_free(&unit[i]);
        }
        if (is_there || status)
            continue;
        missing->n_missing++;
        text_format(&name, "  %s\n", word[1]);
        if (out)
            (void)text_print(&name, out);
        text_free(&name);
    }
    return status;
}

enum bench_status gather_missing(const struct record_session *seen, const char *path, FILE *out,
                                 struct gather_missing *missing)
{
    struct text plan = {0};
    char *rest, *head[N_HEADS];
    enum bench_status status = text_read_file(path, &plan);

    memset(missing, 0, sizeof *missing);
    rest = plan.data;
    if (!status)
        status = read_head(path, &rest, head);
    if (!status) {
        snprintf(missing->command, sizeof missing->command, "%s", head[COMMAND]);
        status = count_rows(path, head, rest, seen, out, missing);
    }
    text_free(&plan);
    return status;
}
