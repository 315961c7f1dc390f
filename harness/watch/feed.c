/* feed.c - where the frames that are watched come from */
#include "harness/watch/feed.h"

#include "harness/base/listing.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/inputs/plane.h"
#include "harness/measure/problem.h"
#include "harness/problems/apply_image.h"
#include "harness/problems/chain.h"
#include "harness/problems/frames.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S  1000000000LL
#define GIB       (UINT64_C(1) << 30)
#define MAX_BYTES (4 * GIB) /* of a folder's frames */
#define LOOK_MS   50        /* between two looks at whether the user wants to stop */

struct feed {
    const struct feed_maker *maker;
    int width, height; /* of each frame; 0: none was made */
    /* a folder */
    struct feed_frame *frame; /* [n], owned */
    int n;
    /* a pipe: turns n_taken .. n_read - 1 wait at turn % FEED_AHEAD */
    bool is_pipe;
    struct pipe pipe;
    struct feed_file *file;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex; /* of changes of all that follows */
    pthread_cond_t change;
    struct feed_frame *ahead[FEED_AHEAD];
    /* atomic: one may look for a frame without the mutex, which the reader needs */
    atomic_llong n_read;
    atomic_bool is_over;       /* set behind the last n_read */
    atomic_bool is_on_its_way; /* a frame that looked for an offer, and is not among n_read */
    long long n_taken;
    bool is_going, is_closing;
    feed_fill *fill; /* the offer; NULL: none */
    void *fill_self;
    enum bench_status status;
    char sentence[1024];
};

/* ---- a frame ---- */

static void free_frame(const struct feed *feed, struct feed_frame *frame)
{
    feed->maker->app->problem->free_input(frame->input);
    free(frame->name);
    *frame = (struct feed_frame){.name = NULL};
}

/* All frames have the size of the first. */
static enum bench_status check_size(struct feed *feed, const struct plane *plane,
                                    const char *name)
{
    int width, height;

    frame_size(feed->maker->params, plane, &width, &height);
    if (feed->width == 0) {
        feed->width = width;
        feed->height = height;
    }
    REFUSE_IF(!(width == feed->width && height == feed->height),
              "%s: expected %d x %d px as the first frame has, found %d x %d%s", name,
              feed->width, feed->height, width, height,
              bench_find_key(feed->maker->app->problem->keys, "width")
                  ? ": give -S width and -S height"
                  : "");
    return BENCH_OK;
}

/* free_frame() also after a failure. */
static enum bench_status make_frame(struct feed *feed, struct plane *plane, const char *name,
                                    struct feed_frame *frame)
{
    TRY(check_size(feed, plane, name));
    plane->camera = feed->maker->camera;
    frame->values = plane->values;
    frame->name = strdup(name);
    NEED(frame->name, "a name");
    return feed->maker->app->problem->make_input(
        feed->maker->params, &(const struct plane *){plane}, 1, &frame->input);
}

/* ---- a folder ---- */

static bool is_image(const struct feed *feed, const char *path)
{
    static const char *const maps[] = {".png", ".pgm", ".pfm", NULL}, *const views[] = {
                                                                          ".png", ".ppm", NULL};
    const char *const *ends = feed->maker->app->takes_views ? views : maps;
    const char *const end = strrchr(path, '.');

    while (end && *ends && strcasecmp(end, *ends) != 0)
        ends++;
    return end && *ends;
}

static enum bench_status read_file(struct feed *feed, const char *path, const char *right,
                                   struct feed_frame *frame)
{
    const struct bench_request request = {.params = feed->maker->params,
                                          .image = path,
                                          .right = right,
                                          .given = feed->maker->given,
                                          .n_given = feed->maker->n_given};
    OWNED(plane_free) struct plane plane = {0};

    TRY(apply_image_read(&request, &plane));
    return make_frame(feed, &plane, listing_name(path), frame);
}

/* A chain's blocks are those of its first part, and few of its second's. */
static uint64_t bytes_of(const struct bench_problem *problem, const void *input)
{
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    uint64_t n_bytes = 0;

    for (int b = problem->input_blocks(input, blocks); b-- > 0;)
        n_bytes += blocks[b].bytes;
    return chain_of(problem)
               ? n_bytes + bytes_of(chain_of(problem)->second, chain_input_part(input, 1))
               : n_bytes;
}

/* Bytes that the frames of a folder may take: no more than half of the memory. */
static uint64_t room_for_frames(void)
{
    const long n_pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const uint64_t half =
        n_pages > 0 && page > 0 ? (uint64_t)n_pages * (uint64_t)page / 2 : MAX_BYTES;

    return half < MAX_BYTES ? half : MAX_BYTES;
}

static enum bench_status too_large(const char *folder, int n_fit, uint64_t room)
{
    char advice[64] = "the first one alone";

    if (n_fit > 0)
        snprintf(advice, sizeof advice, "--count %d takes those that fit", n_fit);
    return BENCH_FAIL(BENCH_EINPUT, "%s: more than %.3g GiB of frames%s; %s", folder,
                      (double)room / (double)GIB,
                      room < MAX_BYTES ? ", half of the memory" : "", advice);
}

/* Two views that belong together have one name; NULL: no pairs. */
static enum bench_status right_of(const struct feed *feed, const char *folder, const char *left,
                                  struct text *right)
{
    if (!feed->maker->app->takes_views)
        return BENCH_OK;
    text_format(right, "%s/right/%s", folder, listing_name(left));
    return text_ok(right);
}

static enum bench_status read_files(struct feed *feed, const char *folder,
                                    const struct listing *files, int most)
{
    const uint64_t room = room_for_frames();
    uint64_t n_bytes = 0;

    TRY(memory_allocate(&feed->frame, sizeof *feed->frame, 1, 1, 1, files->n + 1));
    for (int i = 0; i < files->n && (most == 0 || feed->n < most); i++) {
        struct feed_frame *const frame = &feed->frame[feed->n];
        OWNED(text_free) struct text right = {0};

        if (!is_image(feed, files->path[i]))
            continue;
        feed->n++;
        TRY(right_of(feed, folder, files->path[i], &right));
        TRY(read_file(feed, files->path[i], right.data, frame));
        n_bytes += bytes_of(feed->maker->app->problem, frame->input);
        if (n_bytes > room)
            return too_large(folder, feed->n - 1, room);
    }
    REFUSE_IF(!(feed->n > 0), "%s: expected images (%s), found none", folder,
              feed->maker->app->takes_views ? ".png, .ppm" : ".png, .pgm, .pfm");
    return BENCH_OK;
}

static enum bench_status new_feed(const struct feed_maker *maker, struct feed **feed)
{
    pthread_condattr_t attributes;

    TRY(memory_allocate(feed, sizeof **feed, 1, 1, 1, 1));
    (*feed)->maker = maker;
    pthread_mutex_init(&(*feed)->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&(*feed)->change, &attributes);
    pthread_condattr_destroy(&attributes);
    return BENCH_OK;
}

static void drop_feed(struct feed **feed)
{
    feed_close(*feed);
}

enum bench_status feed_of_folder(const struct feed_maker *maker, const char *folder, int most,
                                 struct feed **feed)
{
    OWNED(listing_free) struct listing files = {0};
    OWNED(text_free) struct text path = {0};
    OWNED(drop_feed) struct feed *new = NULL;

    *feed = NULL;
    text_format(&path, maker->app->takes_views ? "%s/left" : "%s", folder);
    TRY(text_ok(&path));
    TRY(listing_read(path.data, "", &files));
    TRY(new_feed(maker, &new));
    TRY(read_files(new, folder, &files, most));
    *feed = new;
    new = NULL;
    return BENCH_OK;
}

/* ---- a pipe ---- */

enum bench_status feed_read_file(void *self, void *bytes, size_t n, bool may_wait,
                                 size_t *n_read)
{
    struct feed_file *const file = self;
    long long heard_ns = file->clock->now_ns(file->clock->self);

    *n_read = 0;
    while (*n_read < n) {
        struct pollfd poll_of = {.fd = file->fd, .events = POLLIN};
        const int is_ready = poll(&poll_of, 1, LOOK_MS);
        const long long now_ns = file->clock->now_ns(file->clock->self);
        ssize_t got;

        FAIL_IF(*file->stop || file->is_closing, BENCH_EINTR, "interrupted");
        if (is_ready == 0) {
            REFUSE_IF((!may_wait || *n_read > 0) && now_ns - heard_ns > file->limit_ns,
                      "nothing came for %lld s within a frame", file->limit_ns / NS_PER_S);
            continue;
        }
        got = is_ready > 0 ? read(file->fd, (char *)bytes + *n_read, n - *n_read) : -1;
        if (got == 0)
            return BENCH_OK;
        FAIL_IF(got < 0 && errno != EINTR && errno != EAGAIN, BENCH_EIO,
                "the frames cannot be read: %s", strerror(errno));
        *n_read += got > 0 ? (size_t)got : 0;
        heard_ns = now_ns;
    }
    return BENCH_OK;
}

static long long now_of(const struct feed *feed)
{
    return feed->file->clock->now_ns(feed->file->clock->self);
}

/* Puts it behind the others, and waits until the next is wanted.  False: it is not wanted
 * itself. */
static bool put(struct feed *feed, struct feed_frame *frame)
{
    bool is_wanted;

    frame->arrived_ns = now_of(feed);
    pthread_mutex_lock(&feed->mutex);
    feed->is_on_its_way = false;
    pthread_cond_broadcast(&feed->change);
    frame->has_waited = feed->n_read - feed->n_taken == FEED_AHEAD;
    while (feed->n_read - feed->n_taken == FEED_AHEAD && !feed->is_closing)
        pthread_cond_wait(&feed->change, &feed->mutex);
    is_wanted = !feed->is_closing;
    if (is_wanted) {
        feed->ahead[feed->n_read % FEED_AHEAD] = frame;
        feed->n_read++;
        pthread_cond_broadcast(&feed->change);
    }
    while (!feed->is_going && !feed->is_closing)
        pthread_cond_wait(&feed->change, &feed->mutex);
    pthread_mutex_unlock(&feed->mutex);
    return is_wanted;
}

/* Gives a frame its place, if one is offered. */
static void fill_in(struct feed *feed, struct feed_frame *frame)
{
    feed_fill *fill;

    pthread_mutex_lock(&feed->mutex);
    feed->is_on_its_way = true;
    fill = feed->fill;
    feed->fill = NULL;
    pthread_mutex_unlock(&feed->mutex);
    if (fill)
        fill(feed->fill_self, frame);
    frame->is_filled_in = fill != NULL;
}

/* Read a frame and pass it on.  *is_end: there was none. */
static enum bench_status pass_frame(struct feed *feed, bool *is_end)
{
    OWNED(plane_free) struct plane plane = {0};
    struct feed_frame *frame = NULL;
    enum bench_status status;

    TRY(memory_allocate(&frame, sizeof *frame, 1, 1, 1, 1));
    status = pipe_next(&feed->pipe, &plane, &frame->time_ns, is_end);
    if (!status && !*is_end)
        status = make_frame(feed, &plane, plane.name, frame);
    if (!status && !*is_end)
        fill_in(feed, frame);
    if (status || *is_end || !put(feed, frame)) {
        *is_end = true;
        feed_release(feed, frame);
    }
    return status;
}

static void *read_pipe(void *self)
{
    struct feed *const feed = self;
    bool is_end = false;
    enum bench_status status = BENCH_OK;

    while (!is_end && !status)
        status = pass_frame(feed, &is_end);
    pthread_mutex_lock(&feed->mutex);
    feed->is_over = true;
    feed->status = status;
    snprintf(feed->sentence, sizeof feed->sentence, "%s", status ? bench_failure() : "");
    pthread_cond_broadcast(&feed->change);
    pthread_mutex_unlock(&feed->mutex);
    return NULL;
}

/* A pipe has 16 bits, and says itself how many values a px has. */
static enum bench_status set_coding(const struct feed_maker *maker, struct pipe *pipe)
{
    const struct bench_request request = {
        .params = maker->params, .given = maker->given, .n_given = maker->n_given};

    TRY(apply_coding(&request, &pipe->coding));
    if (!pipe->coding)
        return BENCH_OK;
    REFUSE_IF(pipe->has_pairs, "%s: a pair of views has no --coding", pipe->source.name);
    TRY(coding_check_type(pipe->coding, IMAGE_U16, pipe->source.name));
    REFUSE_IF(pipe->coding->values.scale != pipe->scale,
              "%s: the coding %s has %g values per px, found %u in the header",
              pipe->source.name, pipe->coding->name, pipe->coding->values.scale,
              (unsigned)pipe->scale);
    return BENCH_OK;
}

enum bench_status feed_of_pipe(const struct feed_maker *maker, struct feed_file *file,
                               const char *name, struct feed **feed)
{
    const struct pipe_source source = {feed_read_file, file, name};
    OWNED(drop_feed) struct feed *new = NULL;
    int error;

    *feed = NULL;
    TRY(new_feed(maker, &new));
    new->is_pipe = true;
    new->file = file;
    TRY(pipe_open(&source, maker->app->takes_views, &new->pipe));
    TRY(set_coding(maker, &new->pipe));
    error = pthread_create(&new->thread, NULL, read_pipe, new);
    FAIL_IF(error, BENCH_ENOMEM, "no thread to read frames: %s", strerror(error));
    new->has_thread = true;
    *feed = new;
    new = NULL;
    return BENCH_OK;
}

/* ---- both ---- */

bool feed_is_pipe(const struct feed *feed)
{
    return feed->is_pipe;
}

int feed_n(const struct feed *feed)
{
    return feed->n;
}

enum bench_status feed_first(struct feed *feed, const struct feed_frame **frame)
{
    *frame = feed->frame;
    if (!feed->is_pipe)
        return BENCH_OK;
    pthread_mutex_lock(&feed->mutex);
    while (feed->n_read == 0 && !feed->is_over)
        pthread_cond_wait(&feed->change, &feed->mutex);
    *frame = feed->n_read > 0 ? feed->ahead[0] : NULL;
    pthread_mutex_unlock(&feed->mutex);
    return *frame ? BENCH_OK : feed_status(feed);
}

void feed_go(struct feed *feed)
{
    if (!feed->is_pipe)
        return;
    pthread_mutex_lock(&feed->mutex);
    feed->is_going = true;
    feed->ahead[0]->arrived_ns = now_of(feed);
    pthread_cond_broadcast(&feed->change);
    pthread_mutex_unlock(&feed->mutex);
}

const struct feed_frame *feed_at(const struct feed *feed, int i)
{
    return &feed->frame[i % feed->n];
}

const struct feed_frame *feed_take(struct feed *feed, bool *is_over)
{
    const struct feed_frame *frame;

    *is_over = feed->is_over;
    if (feed->n_taken == feed->n_read)
        return NULL;
    *is_over = false;
    pthread_mutex_lock(&feed->mutex);
    frame = feed->ahead[feed->n_taken++ % FEED_AHEAD];
    pthread_cond_broadcast(&feed->change);
    pthread_mutex_unlock(&feed->mutex);
    return frame;
}

void feed_release(struct feed *feed, const struct feed_frame *frame)
{
    struct feed_frame *const owned = (struct feed_frame *)(uintptr_t)frame;

    if (!feed->is_pipe || !frame)
        return;
    free_frame(feed, owned);
    free(owned);
}

bool feed_offer(struct feed *feed, feed_fill *fill, void *self)
{
    bool is_offered;

    if (fill && (feed->n_taken != feed->n_read || feed->is_on_its_way))
        return false;
    pthread_mutex_lock(&feed->mutex);
    is_offered = fill && feed->n_taken == feed->n_read && !feed->is_on_its_way;
    feed->fill = is_offered ? fill : NULL;
    feed->fill_self = is_offered ? self : feed->fill_self;
    while (!fill && feed->is_on_its_way)
        pthread_cond_wait(&feed->change, &feed->mutex);
    pthread_mutex_unlock(&feed->mutex);
    return is_offered;
}

void feed_wait(struct feed *feed, long long until_ns)
{
    const struct timespec t = {.tv_sec = (time_t)(until_ns / NS_PER_S),
                               .tv_nsec = (long)(until_ns % NS_PER_S)};

    pthread_mutex_lock(&feed->mutex);
    if (feed->n_taken == feed->n_read && !feed->is_over)
        pthread_cond_timedwait(&feed->change, &feed->mutex, &t);
    pthread_mutex_unlock(&feed->mutex);
}

enum bench_status feed_status(struct feed *feed)
{
    enum bench_status status;

    pthread_mutex_lock(&feed->mutex);
    status = feed->status ? BENCH_FAIL(feed->status, "%s", feed->sentence) : BENCH_OK;
    pthread_mutex_unlock(&feed->mutex);
    return status;
}

void feed_close(struct feed *feed)
{
    if (!feed)
        return;
    if (feed->file)
        feed->file->is_closing = true;
    pthread_mutex_lock(&feed->mutex);
    feed->is_closing = true;
    pthread_cond_broadcast(&feed->change);
    pthread_mutex_unlock(&feed->mutex);
    if (feed->has_thread)
        pthread_join(feed->thread, NULL);
    for (; feed->n_taken < feed->n_read; feed->n_taken++)
        feed_release(feed, feed->ahead[feed->n_taken % FEED_AHEAD]);
    for (int i = 0; i < feed->n; i++)
        free_frame(feed, &feed->frame[i]);
    free(feed->frame);
    pipe_close(&feed->pipe);
    pthread_cond_destroy(&feed->change);
    pthread_mutex_destroy(&feed->mutex);
    free(feed);
}
