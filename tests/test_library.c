/*
 * test_library.c - libdepthbench's functions: what the harness's hooks give, in arrays of the
 * caller, frame after frame; what is refused, and that a context goes on after it
 */
#include "tests/test.h"

#include "harness/library/depthbench.h"

#include "harness/inputs/plane.h"
#include "harness/inputs/scene.h"
#include "harness/measure/transfer.h"
#include "tests/drive.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WIDTH  48
#define HEIGHT 64
#define N_RUNS 3

/* Where there is a GPU, or the emulator; NULL: nowhere. */
#pragma weak bench_array_make
#pragma weak bench_array_free
#pragma weak bench_array_upload
#pragma weak bench_array_download

static struct bench_device *device;

/* Keys and values of a problem, by its name. */
static const char *const pairs[][3] = {
    {"rdp", "eps", "0.5"},         {"rdp", "distance", "perpendicular"},
    {"stixels", "arith", "exact"}, {"stixels", "block", "4"},
    {"stixels", "classes", "3"},   {"som", "rounds", "12"},
    {"som", "sigma", "4"},         {"som", "co", "12"},
    {"som", "crr", "5"},
};

/* ---- what the harness has ---- */

struct frame {
    struct plane plane;
    void *in, *out;
};

static void free_plane(void *plane)
{
    plane_free(plane);
}

static void set_pairs(const struct bench_impl *impl, struct bench_params *params)
{
    *params = (struct bench_params){0};
    for (int i = 0; i < N_OF(pairs); i++)
        if (!strcmp(pairs[i][0], impl->problem->name))
            assert_int_equal(bench_params_set(params,
                                              bench_find_key(impl->problem->keys, pairs[i][1]),
                                              pairs[i][2], "test"),
                             BENCH_OK);
    assert_int_equal(bench_params_default(params, impl->problem->keys, "test"), BENCH_OK);
    assert_int_equal(bench_params_default(params, impl->keys, "test"), BENCH_OK);
}

static bool drive(const struct bench_impl *impl, const struct bench_params *params,
                  const struct frame *frame)
{
    const bool on_device = impl->target == BENCH_CUDA;
    const struct bench_ctx ctx = {.impl = impl,
                                  .params = params,
                                  .n_threads = impl->target == BENCH_OPENMP ? 2 : 1,
                                  .stream = on_device ? bench_device_stream(device) : NULL,
                                  .n_sms = on_device ? bench_device_n_sms(device) : 0};
    void *const state = keep(calloc(1, impl->state_size), free);
    enum bench_status status = impl->setup(state, &ctx, frame->in, frame->out);

    if (status == BENCH_OK)
        status = drive_once(impl, state, device);
    impl->teardown(state);
    assert_true(status == BENCH_OK || status == BENCH_ESKIP);
    return status == BENCH_OK;
}

/* A frame of its own seed, and what the variant makes of it where the harness drives it.  false:
 * the variant does not take it. */
static bool make_frame(const struct bench_impl *impl, const struct bench_params *params,
                       int seed, struct frame *frame)
{
    const struct scene_options options = {
        .width = WIDTH, .height = HEIGHT, .seed = (uint64_t)seed, .level = SCENE_HARD};
    const struct plane *const planes[] = {&frame->plane};

    assert_int_equal(scene_make(&options, &frame->plane), BENCH_OK);
    keep(&frame->plane, free_plane);
    frame->plane.camera = (struct camera){50, 50, 24, 20, 0.5, 1.5, 0};
    assert_int_equal(impl->problem->make_input(params, planes, 1, &frame->in), BENCH_OK);
    keep(frame->in, impl->problem->free_input);
    assert_int_equal(impl->problem->make_output(frame->in, &frame->out), BENCH_OK);
    keep(frame->out, impl->problem->free_output);
    return drive(impl, params, frame);
}

/* ---- the same by the library ---- */

static depthbench *new_context(const struct bench_impl *impl)
{
    depthbench *c;

    assert_int_equal(depthbench_new(impl->name, &c), DEPTHBENCH_OK);
    for (int i = 0; i < N_OF(pairs); i++)
        if (!strcmp(pairs[i][0], impl->problem->name))
            assert_int_equal(depthbench_set(c, pairs[i][1], pairs[i][2]), DEPTHBENCH_OK);
    assert_int_equal(depthbench_camera(c, 50, 50, 24, 20, 0.5, 1.5, 0), DEPTHBENCH_OK);
    if (impl->target == BENCH_OPENMP)
        assert_int_equal(depthbench_threads(c, 2), DEPTHBENCH_OK);
    if (impl->target == BENCH_CUDA)
        assert_int_equal(depthbench_stream(c, bench_device_stream(device)), DEPTHBENCH_OK);
    assert_int_equal(depthbench_shape(c, 1, HEIGHT, WIDTH), DEPTHBENCH_OK);
    return c;
}

/* An array of the caller's for a place: on the host, and where the library is told that it is. */
struct array {
    const struct bench_place *place;
    void *host;
    size_t bytes;
    struct bench_array there; /* if on the GPU */
};

static const struct bench_block *block_of(const struct bench_problem *problem,
                                          const struct bench_place *place,
                                          const struct frame *frame, struct bench_block *blocks)
{
    const int n = place->is_output ? problem->output_blocks(frame->out, blocks)
                                   : problem->input_blocks(frame->in, blocks);

    for (int i = 0; i < n; i++)
        if (!strcmp(blocks[i].name ? blocks[i].name : "", place->name))
            return &blocks[i];
    return NULL;
}

static void bind(depthbench *c, struct array *a, const struct bench_place *place, bool on_gpu)
{
    const struct bench_ctx ctx = {.stream = bench_device_stream(device)};

    a->place = place;
    assert_non_null(depthbench_array(c, place->name, &a->bytes));
    a->host = kept_guarded(a->bytes);
    if (on_gpu)
        assert_int_equal(bench_array_make(&a->there, &ctx, a->host, a->bytes), BENCH_OK);
    assert_int_equal(depthbench_bind(c, place->name, on_gpu ? a->there.d : a->host, a->bytes),
                     DEPTHBENCH_OK);
    assert_ptr_equal(depthbench_array(c, place->name, NULL), on_gpu ? a->there.d : a->host);
}

/* One frame through the arrays; they then hold what the harness's output has. */
static void run_frame(depthbench *c, const struct bench_problem *problem, struct array *arrays,
                      int n, const struct frame *frame)
{
    struct bench_block blocks[BENCH_MAX_BLOCKS];

    for (int i = 0; i < n; i++) {
        if (arrays[i].place->is_output)
            memset(arrays[i].host, POISON, arrays[i].bytes);
        else
            memcpy(arrays[i].host, block_of(problem, arrays[i].place, frame, blocks)->data,
                   arrays[i].bytes);
        if (arrays[i].there.d)
            assert_int_equal(bench_array_upload(&arrays[i].there), BENCH_OK);
    }
    assert_int_equal(depthbench_run(c), DEPTHBENCH_OK);
    assert_int_equal(depthbench_wait(c), DEPTHBENCH_OK);
    for (int i = 0; i < n; i++) {
        if (!arrays[i].place->is_output)
            continue;
        if (arrays[i].there.d) {
            assert_int_equal(bench_array_download(&arrays[i].there), BENCH_OK);
            assert_int_equal(bench_device_sync(device), BENCH_OK);
        }
        assert_memory_equal(arrays[i].host,
                            block_of(problem, arrays[i].place, frame, blocks)->data,
                            arrays[i].bytes);
        assert_guard(arrays[i].place->name, arrays[i].host, arrays[i].bytes);
    }
}

/* Frames one after the other; ingested: those arrays in the place of the others. */
static void check_frames(const struct bench_impl *impl, const struct frame *frames,
                         bool ingested, bool on_gpu)
{
    const struct bench_place *const places = impl->problem->places;
    struct array arrays[BENCH_MAX_BLOCKS] = {0};
    depthbench *const c = new_context(impl);
    int n = 0;

    for (int i = 0; places[i].name; i++)
        if (places[i].is_output || !impl->problem->ingest || places[i].is_ingested == ingested)
            bind(c, &arrays[n++], &places[i], on_gpu);
    assert_int_equal(depthbench_prepare(c), DEPTHBENCH_OK);
    for (int k = 0; k < N_RUNS; k++)
        run_frame(c, impl->problem, arrays, n, &frames[k]);
    depthbench_free(c);
    for (int i = 0; i < n; i++)
        if (arrays[i].there.d)
            bench_array_free(&arrays[i].there);
}

/* false: it does not take such frames. */
static bool check_variant(const struct bench_impl *impl)
{
    struct frame *const frames = keep(calloc(N_RUNS, sizeof *frames), free);
    struct bench_params params;
    bool reads_raw, has_ingest = impl->problem->ingest != NULL;

    set_pairs(impl, &params);
    for (int k = 0; k < N_RUNS; k++)
        if (!make_frame(impl, &params, k, &frames[k]))
            return false;
    reads_raw = impl->reads_raw && impl->reads_raw(&params);
    check_frames(impl, frames, false, false);
    if (has_ingest && !reads_raw)
        check_frames(impl, frames, true, false);
    if (impl->target == BENCH_CUDA && bench_array_make)
        check_frames(impl, frames, has_ingest && !reads_raw, true);
    return true;
}

TEST(each_variant_gives_what_the_harness_gets)
{
    int n_cpu = 0, n_gpu = 0;
    const char *name;

    for (int i = 0; (name = depthbench_variant(i)); i++) {
        const struct bench_impl *const impl = bench_find_impl(name);

        if (check_variant(impl))
            ++*(impl->target == BENCH_CUDA ? &n_gpu : &n_cpu);
    }
    assert_true(n_cpu >= 8);
    assert_true(n_gpu >= (bench_device_count() > 0 ? 6 : 0));
}

/* ---- what is refused ---- */

#define REFUSED(status, text, call)                                    \
    do {                                                               \
        assert_int_equal(call, status);                                \
        if (!strstr(depthbench_error(), text))                         \
            fail_msg("'%s' is not in '%s'", text, depthbench_error()); \
    } while (0)

TEST(calls_and_arguments_are_checked)
{
    static uint16_t image[8][16];
    size_t bytes = 1;
    depthbench *c = (depthbench *)image;

    REFUSED(DEPTHBENCH_EINPUT, "did you mean 'rdp/serial'", depthbench_new("rdp/serail", &c));
    assert_null(c);
    REFUSED(DEPTHBENCH_EINPUT, "no variant", depthbench_new("probe/serial", &c));
    REFUSED(DEPTHBENCH_EINPUT, "no variant", depthbench_new(NULL, &c));
    if (bench_device_count() == 0)
        REFUSED(DEPTHBENCH_EUNABLE, "needs CUDA", depthbench_new("rdp/gpu-opt", &c));
    assert_int_equal(depthbench_new("rdp/serial", &c), DEPTHBENCH_OK);

    REFUSED(DEPTHBENCH_EINPUT, "no key 'epz'", depthbench_set(c, "epz", "4"));
    REFUSED(DEPTHBENCH_EINPUT, "no key 'median'", depthbench_set(c, "median", "3"));
    REFUSED(DEPTHBENCH_EINPUT, "eps", depthbench_set(c, "eps", "-4"));
    REFUSED(DEPTHBENCH_EINPUT, "NULL", depthbench_set(NULL, "eps", "4"));
    assert_int_equal(depthbench_set(c, "eps", "2"), DEPTHBENCH_OK);
    assert_string_equal(depthbench_get(c, "eps"), "2");
    assert_string_equal(depthbench_get(c, "distance"), "vertical");
    assert_null(depthbench_get(c, "epz"));
    REFUSED(DEPTHBENCH_EINPUT, "one, found 2 threads", depthbench_threads(c, 2));
    REFUSED(DEPTHBENCH_EINPUT, "no stream", depthbench_stream(c, NULL));

    REFUSED(DEPTHBENCH_EINPUT, "after depthbench_shape", depthbench_prepare(c));
    REFUSED(DEPTHBENCH_EINPUT, "after depthbench_prepare", depthbench_run(c));
    assert_null(depthbench_array(c, "image", NULL));
    REFUSED(DEPTHBENCH_EINPUT, "found 0", depthbench_shape(c, 0, 8, 16));
    REFUSED(DEPTHBENCH_EINPUT, "", depthbench_shape(c, 1, 8, -16));
    REFUSED(DEPTHBENCH_EINPUT, "", depthbench_shape(c, 1, 20000, 16));
    assert_int_equal(depthbench_shape(c, 1, 8, 16), DEPTHBENCH_OK);
    REFUSED(DEPTHBENCH_EINPUT, "before depthbench_shape", depthbench_set(c, "eps", "4"));
    REFUSED(DEPTHBENCH_EINPUT, "no array 'grey'", depthbench_bind(c, "grey", image, 1));
    REFUSED(DEPTHBENCH_EINPUT, "256 bytes, found one of 255",
            depthbench_bind(c, "image", image, sizeof image - 1));
    REFUSED(DEPTHBENCH_EINPUT, "found NULL", depthbench_bind(c, "image", NULL, sizeof image));
    assert_null(depthbench_array(c, "grey", &bytes));
    assert_int_equal(bytes, 0);
    assert_int_equal(depthbench_bind(c, "image", image, sizeof image), DEPTHBENCH_OK);
    assert_int_equal(depthbench_prepare(c), DEPTHBENCH_OK);
    REFUSED(DEPTHBENCH_EINPUT, "before depthbench_prepare",
            depthbench_bind(c, "image", image, sizeof image));
    assert_int_equal(depthbench_run(c), DEPTHBENCH_OK);
    assert_int_equal(*(int32_t *)depthbench_array(c, "segments", NULL), 1);
    depthbench_free(c);
    depthbench_free(NULL);
}

TEST(stixels_take_whole_blocks)
{
    depthbench *c;

    assert_int_equal(depthbench_new("stixels/serial", &c), DEPTHBENCH_OK);
    REFUSED(DEPTHBENCH_EINPUT, "camera",
            depthbench_shape(c, 1, 64, 64) ? DEPTHBENCH_EINPUT : 0);
    assert_int_equal(depthbench_camera(c, 50, 50, 24, 20, 0.5, 1.5, 0), DEPTHBENCH_OK);
    REFUSED(DEPTHBENCH_EINPUT, "multiples", depthbench_shape(c, 1, 65, 64));
    assert_int_equal(depthbench_shape(c, 1, 64, 64), DEPTHBENCH_OK);
    depthbench_free(c);
}

TEST(a_status_has_a_text)
{
    assert_string_equal(depthbench_status_text(DEPTHBENCH_ENOMEM), "out of memory");
    assert_string_equal(depthbench_status_text(5), "unknown error");
    assert_string_equal(depthbench_status_text(-1), "unknown error");
    assert_string_equal(depthbench_status_text(99), "unknown error");
    assert_string_equal(depthbench_version(), DEPTHBENCH_VERSION);
}

/* ---- threads ---- */

#define N_THREADS 4
#define N_VALUES  500 /* of each, which no other has */

static pthread_barrier_t begin;

/* Contexts of its own, with values that no thread had before, and its own sentence. */
static void *work(void *number)
{
    char value[16], wrong[32];

    pthread_barrier_wait(&begin);
    for (int k = 1; k <= N_VALUES; k++) {
        depthbench *c;

        snprintf(value, sizeof value, "%d", k * N_THREADS + *(const int *)number);
        snprintf(wrong, sizeof wrong, "rdp/%s", value);
        if (!depthbench_new(wrong, &c) || !strstr(depthbench_error(), wrong) ||
            depthbench_new("rdp/serial", &c) || depthbench_set(c, "eps", value) ||
            strcmp(depthbench_get(c, "eps"), value) != 0)
            return (void *)"wrong";
        if (k % 100 == 0 &&
            (depthbench_shape(c, 1, 16, 16) || depthbench_prepare(c) || depthbench_run(c)))
            return (void *)"wrong";
        depthbench_free(c);
    }
    return NULL;
}

TEST(threads_have_contexts_and_errors_of_their_own)
{
    int number[N_THREADS];
    pthread_t thread[N_THREADS];

    assert_int_equal(pthread_barrier_init(&begin, NULL, N_THREADS), 0);
    for (int t = 0; t < N_THREADS; t++) {
        number[t] = t;
        assert_int_equal(pthread_create(&thread[t], NULL, work, &number[t]), 0);
    }
    for (int t = 0; t < N_THREADS; t++) {
        void *result;

        assert_int_equal(pthread_join(thread[t], &result), 0);
        assert_null(result);
    }
}

int main(void)
{
    if (bench_device_count() > 0 && bench_device_open(0, &device) != BENCH_OK)
        return 1;
    return run_all_tests(NULL, NULL);
}
