/* sink.c - the thread behind the latency clock */
#include "harness/watch/sink.h"

#include "harness/base/listing.h"
#include "harness/measure/problem.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sink {
    struct sink_options options;
    struct feed *feed;
    struct text table_path, new_path; /* of frames.csv; while it grows, if that needs a name */
    FILE *table;
    struct tell tell;
    bool has_line; /* there is one on the terminal */
    pthread_t thread;
    pthread_mutex_t mutex; /* of all that follows */
    pthread_cond_t change;
    /* jobs n_done .. n_put - 1 are to be done, at job % SINK_JOBS; n_put may be filled in */
    struct sink_job job[SINK_JOBS];
    long long n_put, n_done, n_waits;
    bool is_closing;
    enum bench_status status;
    char sentence[1024];
};

/* ---- what is written ---- */

static enum bench_status cannot_write(const struct sink *sink, int error)
{
    return BENCH_FAIL(BENCH_EIO, "%s: cannot be written: %s", sink->table_path.data,
                      strerror(error));
}

static double ms_of(long long from_ns, long long to_ns)
{
    return (double)(to_ns - from_ns) / 1e6;
}

static enum bench_status write_row(const struct sink *sink, const struct sink_job *job)
{
    const struct arrivals_frame *const f = &job->frame;
    OWNED(text_free) struct text row = {0};

    text_format(&row, "%d,", f->frame);
    text_csv(&row, job->from->name);
    text_format(&row, ",%" PRIu64 ",%lld,", job->from->time_ns, f->arrived_ns);
    if (!f->is_dropped) {
        text_format(&row, "%lld,", f->begun_ns);
        text_add_number(&row, ms_of(f->arrived_ns, f->done_ns));
    } else {
        text_add(&row, ",");
    }
    text_format(&row, ",%d,%d\n", f->is_missed, f->is_dropped);
    TRY(text_ok(&row));
    return fwrite(row.data, 1, row.size, sink->table) == row.size ? BENCH_OK
                                                                  : cannot_write(sink, errno);
}

static enum bench_status write_table(const struct sink *sink, const struct sink_job *job)
{
    OWNED(text_free) struct text table = {0};
    OWNED(text_free) struct text path = {0};

    TRY(sink->options.app->table(job->from->input, job->output, &table));
    text_format(&path, "%s/%010d.csv", sink->options.folder, job->frame.frame);
    TRY(text_ok(&path));
    return text_replace_file(path.data, &table);
}

static enum bench_status write_job(const struct sink *sink, const struct sink_job *job)
{
    if (!sink->table)
        return BENCH_OK;
    if (!job->frame.is_dropped)
        TRY(write_table(sink, job));
    return write_row(sink, job);
}

static void say(struct sink *sink)
{
    struct pollfd terminal = {.fd = sink->options.line, .events = POLLOUT};
    char line[TELL_COLUMNS], shown[TELL_COLUMNS + 1];

    if (!sink->options.line || !tell_line(&sink->tell, line))
        return;
    snprintf(shown, sizeof shown, "\r%-*s", TELL_COLUMNS - 1, line);
    if (poll(&terminal, 1, 0) > 0 && write(terminal.fd, shown, TELL_COLUMNS) == TELL_COLUMNS)
        sink->has_line = true;
    else
        sink->tell.n_unsaid++;
}

/* After a failure frames are counted and released, and nothing else is written. */
static void do_job(struct sink *sink, const struct sink_job *job, bool is_failed)
{
    const enum bench_status status = is_failed ? BENCH_OK : write_job(sink, job);

    tell_add(&sink->tell, &job->frame);
    say(sink);
    feed_release(sink->feed, job->from);
    if (status) {
        pthread_mutex_lock(&sink->mutex);
        sink->status = status;
        snprintf(sink->sentence, sizeof sink->sentence, "%s", bench_failure());
        pthread_mutex_unlock(&sink->mutex);
    }
}

static void *work(void *self)
{
    struct sink *const sink = self;

    pthread_mutex_lock(&sink->mutex);
    while (!sink->is_closing || sink->n_done < sink->n_put) {
        if (sink->n_done < sink->n_put) {
            const struct sink_job *const job = &sink->job[sink->n_done % SINK_JOBS];
            const bool is_failed = sink->status != BENCH_OK;

            pthread_mutex_unlock(&sink->mutex);
            do_job(sink, job, is_failed);
            pthread_mutex_lock(&sink->mutex);
            sink->n_done++;
            pthread_cond_broadcast(&sink->change);
        } else {
            pthread_cond_wait(&sink->change, &sink->mutex);
        }
    }
    pthread_mutex_unlock(&sink->mutex);
    return NULL;
}

/* ---- its life ---- */

/* Tables of another call would be mixed with ours, whether or not it came to frames.csv. */
static enum bench_status check_folder(const char *folder)
{
    OWNED(listing_free) struct listing tables = {0};

    TRY(listing_read(folder, ".csv", &tables));
    REFUSE_IF(tables.n != 0, "%s is there: expected a folder without results", tables.path[0]);
    return BENCH_OK;
}

static enum bench_status open_table(struct sink *sink)
{
    static const char header[] =
        "frame,name,time_ns,arrived_ns,begun_ns,latency_ms,missed,dropped\n";
    const char *const folder = sink->options.folder;
    int fd;

    text_format(&sink->table_path, "%s/frames.csv", folder);
    text_format(&sink->new_path, "%s/.frames.csv-%d", folder, (int)getpid());
    TRY(text_ok(&sink->table_path));
    TRY(text_ok(&sink->new_path));
    TRY(text_make_folder(folder));
    TRY(check_folder(folder));
    fd = text_open_unnamed(sink->table_path.data, sink->new_path.data);
    sink->table = fd < 0 ? NULL : fdopen(fd, "w");
    return sink->table && fputs(header, sink->table) != EOF && fflush(sink->table) == 0
               ? BENCH_OK
               : cannot_write(sink, errno);
}

static enum bench_status make_outputs(struct sink *sink, const struct feed_frame *first)
{
    for (int i = 0; sink->options.folder && i < SINK_JOBS; i++)
        TRY(sink->options.app->problem->make_output(first->input, &sink->job[i].output));
    return BENCH_OK;
}

/* Its rows are whole: they appear under their name, or not at all. */
static enum bench_status close_table(struct sink *sink)
{
    FILE *const table = sink->table;
    int error; /* the first reason */

    if (!table)
        return BENCH_OK;
    sink->table = NULL;
    error = ferror(table) ? EIO
            : fflush(table)
                ? errno
                : text_name_file(fileno(table), sink->new_path.data, sink->table_path.data);
    if (fclose(table) && !error)
        error = errno;
    if (!error)
        return BENCH_OK;
    unlink(sink->new_path.data);
    return cannot_write(sink, error);
}

static void free_sink(struct sink *sink)
{
    if (sink->table) {
        fclose(sink->table);
        unlink(sink->new_path.data);
    }
    for (int i = 0; i < SINK_JOBS; i++)
        sink->options.app->problem->free_output(sink->job[i].output);
    text_free(&sink->table_path);
    text_free(&sink->new_path);
    pthread_cond_destroy(&sink->change);
    pthread_mutex_destroy(&sink->mutex);
    free(sink);
}

enum bench_status sink_open(const struct sink_options *options, struct feed *feed,
                            const struct feed_frame *first, struct sink **sink)
{
    struct sink *const s = calloc(1, sizeof *s);
    enum bench_status status;

    *sink = NULL;
    NEED(s, "results");
    s->options = *options;
    s->feed = feed;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->change, NULL);
    status = make_outputs(s, first);
    if (!status && options->folder)
        status = open_table(s);
    if (!status && (errno = pthread_create(&s->thread, NULL, work, s)) != 0)
        status = BENCH_FAIL(BENCH_ENOMEM, "no thread to write results: %s", strerror(errno));
    if (status)
        free_sink(s);
    else
        *sink = s;
    return status;
}

enum bench_status sink_take(struct sink *sink, struct sink_job **job)
{
    enum bench_status status;

    pthread_mutex_lock(&sink->mutex);
    sink->n_waits += sink->n_put - sink->n_done == SINK_JOBS;
    while (sink->n_put - sink->n_done == SINK_JOBS)
        pthread_cond_wait(&sink->change, &sink->mutex);
    *job = &sink->job[sink->n_put % SINK_JOBS];
    status = sink->status ? BENCH_FAIL(sink->status, "%s", sink->sentence) : BENCH_OK;
    pthread_mutex_unlock(&sink->mutex);
    return status;
}

void sink_put(struct sink *sink)
{
    pthread_mutex_lock(&sink->mutex);
    sink->n_put++;
    pthread_cond_broadcast(&sink->change);
    pthread_mutex_unlock(&sink->mutex);
}

enum bench_status sink_close(struct sink *sink, struct tell *tell, long long *n_waits)
{
    enum bench_status status, closed;

    pthread_mutex_lock(&sink->mutex);
    sink->is_closing = true;
    pthread_cond_broadcast(&sink->change);
    pthread_mutex_unlock(&sink->mutex);
    pthread_join(sink->thread, NULL);
    if (sink->has_line)
        (void)!write(sink->options.line, "\n", 1);
    closed = close_table(sink);
    status = sink->status ? BENCH_FAIL(sink->status, "%s", sink->sentence) : closed;
    *tell = sink->tell;
    *n_waits = sink->n_waits;
    free_sink(sink);
    return status;
}
