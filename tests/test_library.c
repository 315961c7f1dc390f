/*
 * test_library.c - libdepthbench: the results of the harness's hooks in arrays of the caller,
 * hooks in the harness's order; refusals, after which a context goes on; threads
 */
#include "tests/test.h"

#include "harness/library/depthbench.h"

#include "harness/inputs/plane.h"
#include "harness/inputs/scene.h"
#include "harness/inputs/views.h"
#include "harness/measure/transfer.h"
#include "tests/drive.h"
#include "tests/inputs.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WIDTH  48
#define HEIGHT 64
#define N_RUNS 3

#define GPU_ALIGN 16 /* bytes */

/* NULL unless there is a GPU, or the emulator. */
#pragma weak bench_array_make
#pragma weak bench_array_free
#pragma weak bench_array_upload
#pragma weak bench_array_download
int cudaSetDevice(int number);
#pragma weak cudaSetDevice

/* The emulator's alone. */
int emulated_device(void);
#pragma weak emulated_device

static struct bench_device *device;

/* Keys and values of a problem, by its name. */
static const char *const pairs[][3] = {
    {"rdp", "eps", "0.5"},         {"rdp", "distance", "perpendicular"},
    {"stixels", "arith", "exact"}, {"stixels", "block", "4"},
    {"stixels", "classes", "3"},   {"som", "rounds", "12"},
    {"som", "sigma", "4"},         {"som", "co", "12"},
    {"som", "crr", "5"},           {"sgm", "subpixel", "1"},
    {"pair-rdp", "map", "1"},      {"pair-stixels", "map", "1"},
    {"pair-som", "map", "1"},      {"pair-stixels", "classes", "3"},
    {"pair-som", "rounds", "9"},   {"pair-som", "sigma", "4"},
};

/* ---- memory, counted where the program is linked with --wrap ---- */

static int n_allocated;

#define COUNTED(name, parameters, ...)                         \
    void *__real_##name parameters;                            \
    void *__wrap_##name parameters;                            \
    void *__wrap_##name parameters                             \
    {                                                          \
        __atomic_fetch_add(&n_allocated, 1, __ATOMIC_RELAXED); \
        return __real_##name(__VA_ARGS__);                     \
    }
#pragma weak __real_malloc
#pragma weak __real_calloc
#pragma weak __real_realloc
#pragma weak __real_aligned_alloc
COUNTED(malloc, (size_t bytes), bytes)
COUNTED(calloc, (size_t n, size_t bytes), n, bytes)
COUNTED(realloc, (void *memory, size_t bytes), memory, bytes)
COUNTED(aligned_alloc, (size_t alignment, size_t bytes), alignment, bytes)

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

/* A frame of its own seed, and the harness's output.  false: the variant does not take it. */
static bool make_frame(const struct bench_impl *impl, const struct bench_params *params,
                       int seed, struct frame *frame)
{
    const struct scene_options options = {
        .width = WIDTH, .height = HEIGHT, .seed = (uint64_t)seed, .level = SCENE_HARD};
    const struct plane *const planes[] = {&frame->plane};

    assert_int_equal(scene_make(&options, &frame->plane), BENCH_OK);
    keep(&frame->plane, free_plane);
    assert_int_equal(views_draw(options.seed, &frame->plane), BENCH_OK);
    frame->plane.camera = (struct camera){50, 50, 24, 20, 0.5, 1.5, 0};
    assert_int_equal(impl->problem->make_input(params, planes, 1, &frame->in), BENCH_OK);
    keep(frame->in, impl->problem->free_input);
    assert_int_equal(impl->problem->make_output(frame->in, &frame->out), BENCH_OK);
    keep(frame->out, impl->problem->free_output);
    return drive(impl, params, frame);
}

/* ---- the same by the library ---- */

static depthbench *new_context(const struct bench_impl *impl, int height, int width)
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
    assert_int_equal(depthbench_shape(c, 1, height, width), DEPTHBENCH_OK);
    return c;
}

/* The place of the caller's arrays.  The emulator takes all of the host for pinned. */
enum where { ON_HOST, PINNED, ON_GPU };

/* An array of the caller's: on the host, and where the library gets it. */
struct array {
    const struct bench_place *place;
    void *host;
    size_t bytes;
    int is_pinned;
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

static void bind(depthbench *c, struct array *a, const struct bench_place *place,
                 enum where where)
{
    const struct bench_ctx ctx = {.stream = device ? bench_device_stream(device) : NULL};
    void *data;

    a->place = place;
    assert_non_null(depthbench_array(c, place->name, &a->bytes));
    a->host = kept_guarded(a->bytes);
    a->is_pinned = where == PINNED && bench_device_pin(a->host, a->bytes);
    if (where == ON_GPU)
        assert_int_equal(bench_array_make(&a->there, &ctx, a->host, a->bytes), BENCH_OK);
    data = where == ON_GPU ? a->there.d : a->host;
    assert_int_equal(depthbench_bind(c, place->name, data, a->bytes), DEPTHBENCH_OK);
    assert_ptr_equal(depthbench_array(c, place->name, NULL), data);
}

/* Bind an array for each place; ingested: those in the place of the others.  How many. */
static int bind_all(depthbench *c, const struct bench_impl *impl, struct array *arrays,
                    bool ingested, enum where where)
{
    const struct bench_place *const places = impl->problem->places;
    int n = 0;

    for (int i = 0; places[i].name; i++)
        if (places[i].is_output || !impl->problem->ingest || places[i].is_ingested == ingested)
            bind(c, &arrays[n++], &places[i], where);
    return n;
}

/* The arrays have a frame, and outputs nothing of it. */
static void fill(const struct bench_impl *impl, struct array *arrays, int n,
                 const struct frame *frame)
{
    struct bench_block blocks[BENCH_MAX_BLOCKS];

    for (int i = 0; i < n; i++) {
        if (arrays[i].place->is_output)
            memset(arrays[i].host, POISON, arrays[i].bytes);
        else
            memcpy(arrays[i].host,
                   block_of(impl->problem, arrays[i].place, frame, blocks)->data,
                   arrays[i].bytes);
        if (arrays[i].there.d)
            assert_int_equal(bench_array_upload(&arrays[i].there), BENCH_OK);
    }
}

/* They hold what the harness's output has. */
static void check_results(const struct bench_impl *impl, struct array *arrays, int n,
                          const struct frame *frame)
{
    struct bench_block blocks[BENCH_MAX_BLOCKS];

    for (int i = 0; i < n; i++) {
        if (!arrays[i].place->is_output)
            continue;
        if (arrays[i].there.d) {
            assert_int_equal(bench_array_download(&arrays[i].there), BENCH_OK);
            assert_int_equal(bench_device_sync(device), BENCH_OK);
        }
        assert_memory_equal(arrays[i].host,
                            block_of(impl->problem, arrays[i].place, frame, blocks)->data,
                            arrays[i].bytes);
        assert_guard(arrays[i].place->name, arrays[i].host, arrays[i].bytes);
    }
}

/* Frames one after the other through arrays of the caller. */
static void check_frames(const struct bench_impl *impl, const struct frame *frames,
                         bool ingested, enum where where)
{
    struct array arrays[BENCH_MAX_BLOCKS] = {0};
    depthbench *const c = new_context(impl, HEIGHT, WIDTH);
    depthbench *const smaller = new_context(impl, HEIGHT / 2, WIDTH / 2);
    const int n = bind_all(c, impl, arrays, ingested, where);
    int n_before = n_allocated;

    assert_int_equal(depthbench_prepare(c), DEPTHBENCH_OK);
    assert_true(n_allocated > n_before || !__real_malloc);
    /* a later context takes nothing away */
    assert_int_equal(depthbench_prepare(smaller), DEPTHBENCH_OK);
    for (int k = 0; k < N_RUNS; k++) {
        fill(impl, arrays, n, &frames[k]);
        n_before = n_allocated;
        assert_int_equal(depthbench_wake(c), DEPTHBENCH_OK);
        assert_int_equal(depthbench_run(c), DEPTHBENCH_OK);
        assert_int_equal(depthbench_wait(c), DEPTHBENCH_OK);
        if (impl->target != BENCH_CUDA) /* CUDA's runtime, or the emulator, allocates */
            assert_int_equal(n_allocated, n_before);
        check_results(impl, arrays, n, &frames[k]);
    }
    depthbench_free(smaller);
    depthbench_free(c);
    for (int i = 0; i < n; i++) {
        if (arrays[i].is_pinned)
            bench_device_unpin(arrays[i].host);
        if (arrays[i].there.d)
            bench_array_free(&arrays[i].there);
    }
}

/* True if it takes such frames. */
static bool check_variant(const struct bench_impl *impl)
{
    struct frame *const frames = keep(calloc(N_RUNS, sizeof *frames), free);
    struct bench_params params;
    bool reads_raw, has_ingest = impl->problem->ingest != NULL;

    if (impl->target == BENCH_CUDA && !device)
        return false;
    set_pairs(impl, &params);
    for (int k = 0; k < N_RUNS; k++)
        if (!make_frame(impl, &params, k, &frames[k]))
            return false;
    reads_raw = impl->reads_raw && impl->reads_raw(&params);
    check_frames(impl, frames, false, ON_HOST);
    if (has_ingest && !reads_raw)
        check_frames(impl, frames, true, ON_HOST);
    if (impl->target == BENCH_CUDA && !emulated_device)
        check_frames(impl, frames, false, PINNED);
    if (impl->target == BENCH_CUDA && bench_array_make)
        check_frames(impl, frames, has_ingest && !reads_raw, ON_GPU);
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
    /* som/gpu-multi needs two */
    assert_true(n_gpu >= (bench_device_count() > 1 ? 6 : bench_device_count() > 0 ? 5 : 0));
}

/* ---- what is refused ---- */

#define REFUSED(status, text, call)                                    \
    do {                                                               \
        assert_int_equal(call, status);                                \
        if (!strstr(depthbench_error(), text))                         \
            fail_msg("'%s' is not in '%s'", text, depthbench_error()); \
    } while (0)

static uint16_t image[8][16];

/* A call as "shape 1 8 16": '-' is NULL, and bind has the image above at a byte, or '-'. */
static int call(depthbench *c, const char *line)
{
    static const struct {
        const char *name;
        int (*call)(depthbench *);
    } plain[] = {{"prepare", depthbench_prepare}, {"upload", depthbench_upload},
                 {"compute", depthbench_compute}, {"download", depthbench_download},
                 {"run", depthbench_run},         {"wait", depthbench_wait},
                 {"wake", depthbench_wake}};
    char copy[100], *rest = copy, *word[8] = {NULL};
    double n[8] = {0};

    snprintf(copy, sizeof copy, "%s", line);
    for (int i = 0; i < 8 && (word[i] = strsep(&rest, " ")) != NULL; i++) {
        n[i] = strtod(word[i], NULL);
        word[i] = strcmp(word[i], "-") ? word[i] : NULL;
    }
    for (int i = 0; i < N_OF(plain); i++)
        if (!strcmp(word[0], plain[i].name))
            return plain[i].call(c);
    if (!strcmp(word[0], "set"))
        return depthbench_set(c, word[1], word[2]);
    if (!strcmp(word[0], "camera"))
        return depthbench_camera(c, n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    if (!strcmp(word[0], "threads"))
        return depthbench_threads(c, (int)n[1]);
    if (!strcmp(word[0], "stream"))
        return depthbench_stream(c, NULL);
    if (!strcmp(word[0], "shape"))
        return depthbench_shape(c, (int)n[1], (int)n[2], (int)n[3]);
    assert_string_equal(word[0], "bind");
    return depthbench_bind(c, word[1], word[2] ? (char *)image + (int)n[2] : NULL,
                           (size_t)n[3]);
}

/* All that take a context, in any order. */
static const char *const every_call[] = {"set eps 4",   "camera 1 1 1 1 1 1 0",
                                         "threads 1",   "stream",
                                         "shape 1 8 8", "bind image 0 1",
                                         "prepare",     "upload",
                                         "compute",     "download",
                                         "run",         "wait",
                                         "wake"};

/* Calls with a ';' between them, which are taken. */
static void take(depthbench *c, const char *calls)
{
    char copy[200], *rest = copy;

    snprintf(copy, sizeof copy, "%s", calls);
    for (const char *one; (one = strsep(&rest, ";")) != NULL;)
        if (call(c, one))
            fail_msg("%s in %s: %s", one, calls, depthbench_error());
}

/* Calls on a new context, of a variant or of rdp/serial: the one behind '!', which may be that
 * for the context, is refused with these words; all others are taken, those behind it too. */
static void refuse_call(const char *calls, size_t n, const char *words)
{
    char copy[200], *rest = copy, *one = copy;
    depthbench *c = NULL;

    assert_true(n < sizeof copy);
    strcpy(copy, calls);
    one = strchr(copy, ':') ? strsep(&rest, ":") : (char[]){"rdp/serial"};
    for (bool is_first = true; one; is_first = false, one = strsep(&rest, ";")) {
        const bool is_refused = strchr(one, '!') != NULL;
        const char *const name = one + strspn(one, " !");
        const int status = is_first ? depthbench_new(name, &c) : call(c, name);

        if (status != (is_refused ? DEPTHBENCH_EINPUT : DEPTHBENCH_OK) ||
            (is_refused && !strstr(depthbench_error(), words)))
            fail_msg("%s in %s: %d, '%s'", one, calls, status, depthbench_error());
        if (is_first && is_refused) {
            assert_null(c);
            return;
        }
    }
    depthbench_free(c);
}

TEST(edges_of_arguments)
{
    each_damaged("library", refuse_call);
    for (int i = 0; i < N_OF(every_call); i++)
        REFUSED(DEPTHBENCH_EINPUT, "expected a context, found NULL", call(NULL, every_call[i]));
    depthbench_free(NULL);
}

TEST(what_a_context_says)
{
    const uint8_t *confidence;
    size_t bytes = 1;
    depthbench *c = (depthbench *)image;

    REFUSED(DEPTHBENCH_EINPUT, "no variant", depthbench_new(NULL, &c));
    assert_null(c);
    REFUSED(DEPTHBENCH_EINPUT, "no place", depthbench_new("rdp/serial", NULL));
    if (!bench_is_built(bench_find_impl("rdp/gpu-opt")))
        REFUSED(DEPTHBENCH_EUNABLE, "needs CUDA", depthbench_new("rdp/gpu-opt", &c));
    assert_null(depthbench_get(NULL, "eps"));
    assert_null(depthbench_array(NULL, "image", NULL));

    assert_int_equal(depthbench_new("rdp/serial", &c), DEPTHBENCH_OK);
    take(c, "set eps 2");
    assert_string_equal(depthbench_get(c, "eps"), "2");
    assert_string_equal(depthbench_get(c, "distance"), "vertical");
    assert_null(depthbench_get(c, "epz"));
    assert_null(depthbench_get(c, NULL));
    assert_null(depthbench_array(c, "image", NULL)); /* it has no shape */
    assert_int_equal(depthbench_shape(c, 1, 8, 16), DEPTHBENCH_OK);
    assert_null(depthbench_array(c, NULL, NULL));
    assert_null(depthbench_array(c, "grey", &bytes));
    assert_int_equal(bytes, 0);
    take(c, "bind image 0 256;prepare;run");
    assert_int_equal(*(int32_t *)depthbench_array(c, "segments", NULL), 1);
    depthbench_free(c);

    c = new_context(bench_find_impl("stixels/serial"), 64, 64);
    confidence = depthbench_array(c, "confidence", &bytes);
    assert_int_equal(bytes, 64 * 64);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(confidence[i], 255);
    depthbench_free(c);
}

TEST(values_of_others_become_disparities)
{
    static const float real[4] = {(float)NAN, -1, 2, 3};
    static const uint8_t narrow[4] = {0, 1, 2, 255};
    int16_t sgm[4] = {-16, 16, 32, 8000};
    uint16_t disparity[4];
    size_t n_lost;
    int n = 0;

    while (depthbench_coding(n))
        n++;
    assert_true(n > 3 && !depthbench_coding(-1));
    assert_int_equal(depthbench_decode("px", "float", real, 4, disparity, &n_lost),
                     DEPTHBENCH_OK);
    assert_true(n_lost == 2 && disparity[0] == 65535 && disparity[3] == 768);
    assert_int_equal(depthbench_decode("px", "uint8", narrow, 4, disparity, NULL),
                     DEPTHBENCH_OK);
    assert_true(disparity[0] == 65535 && disparity[3] == 65280);
    /* in place; 0 is a disparity, below it is none; 500 px are too many */
    assert_int_equal(
        depthbench_decode("sgm16", "int16", sgm, 4, (uint16_t *)(void *)sgm, &n_lost),
        DEPTHBENCH_OK);
    assert_true(n_lost == 1 && (uint16_t)sgm[0] == 65535 && sgm[1] == 256 &&
                (uint16_t)sgm[3] == 65534);
    REFUSED(DEPTHBENCH_EINPUT, "expected px, kitti",
            depthbench_decode(NULL, "float", real, 4, disparity, NULL));
    REFUSED(DEPTHBENCH_EINPUT, "uint8, uint16, int16 or float",
            depthbench_decode("px", NULL, real, 4, disparity, NULL));
    REFUSED(DEPTHBENCH_EINPUT, "two arrays",
            depthbench_decode("px", "float", NULL, 4, disparity, NULL));
    REFUSED(DEPTHBENCH_EINPUT, "has 16 bits",
            depthbench_decode("kitti", "float", real, 4, disparity, NULL));
    REFUSED(DEPTHBENCH_EINPUT, "most values are lost",
            depthbench_decode("zed", "float", real, 4, disparity, NULL));
}

TEST(a_status_has_a_text)
{
    static const bool is_known[] = {1, 1, 1, 1, 1, 0, 1, 1};

    for (int i = -300; i < 300; i++)
        assert_int_equal(strcmp(depthbench_status_text(i), "unknown error") != 0,
                         i >= 0 && i < N_OF(is_known) && is_known[i]);
    for (int i = 0; i < N_OF(is_known); i++) /* and no two have the same */
        for (int k = 0; k < i && is_known[i]; k++)
            assert_string_not_equal(depthbench_status_text(i), depthbench_status_text(k));
    assert_string_equal(depthbench_status_text(DEPTHBENCH_ENOMEM), "out of memory");
    assert_string_equal(depthbench_status_text(INT_MIN), "unknown error");
    assert_string_equal(depthbench_version(), DEPTHBENCH_VERSION);
}

/* ---- threads ---- */

/* Contexts of its own, with values that no thread had before, and its own sentence. */
TEST(threads_have_contexts_and_errors_of_their_own)
{
    int n_wrong = 0;

#pragma omp parallel num_threads(4) reduction(+ : n_wrong)
    for (int k = 1; k <= 500; k++) {
        char value[16], wrong[32];
        depthbench *c;

        snprintf(value, sizeof value, "%d", 4 * k + omp_get_thread_num());
        snprintf(wrong, sizeof wrong, "rdp/%s", value);
        n_wrong += !depthbench_new(wrong, &c) || !strstr(depthbench_error(), wrong) ||
                   depthbench_new("rdp/serial", &c) || depthbench_set(c, "eps", value) ||
                   strcmp(depthbench_get(c, "eps"), value) != 0;
        n_wrong += k % 100 == 0 && (depthbench_shape(c, 1, 16, 16) || depthbench_prepare(c) ||
                                    depthbench_run(c));
        depthbench_free(c);
    }
    assert_int_equal(n_wrong, 0);
}

/* levels: 1: in a caller's team, OpenMP gives a context one thread, whatever it asks for; 2:
 * two teams.  GPU work is on two streams: the first one's, and CUDA's default. */
static void run_two_at_once(const struct bench_impl *impl, const struct frame *frames,
                            int levels)
{
    struct array arrays[2][BENCH_MAX_BLOCKS] = {{{0}}};
    depthbench *c[2];
    bool failed[2];
    int n = 0;

    for (int t = 0; t < 2; t++) {
        c[t] = new_context(impl, HEIGHT, WIDTH);
        if (impl->target == BENCH_CUDA && t > 0)
            assert_int_equal(depthbench_stream(c[t], NULL), DEPTHBENCH_OK);
        n = bind_all(c[t], impl, arrays[t], false, ON_HOST);
        fill(impl, arrays[t], n, &frames[t]);
    }
    omp_set_max_active_levels(levels);
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int t = 0; t < 2; t++) {
        failed[t] = depthbench_prepare(c[t]) != DEPTHBENCH_OK;
        for (int k = 0; k < 20 && !failed[t]; k++)
            failed[t] = depthbench_run(c[t]) || depthbench_wait(c[t]);
    }
    for (int t = 0; t < 2; t++) {
        depthbench_free(c[t]);
        assert_false(failed[t]);
        check_results(impl, arrays[t], n, &frames[t]);
    }
}

TEST(two_threads_run_contexts_at_once)
{
    const char *name;

    for (int i = 0; (name = depthbench_variant(i)); i++) {
        const struct bench_impl *const impl = bench_find_impl(name);
        struct frame *const frames = keep(calloc(2, sizeof *frames), free);
        struct bench_params params;

        if (impl->target == BENCH_CUDA && (!device || emulated_device))
            continue; /* it has one thread */
        set_pairs(impl, &params);
        if (!strcmp(name, "som/gpu-multi") /* one context at a time */ ||
            !make_frame(impl, &params, 0, &frames[0]) ||
            !make_frame(impl, &params, 1, &frames[1]))
            continue;
        run_two_at_once(impl, frames, 1);
        run_two_at_once(impl, frames, 2);
    }
}

/* ---- a forked child ---- */

/* It has no threads and no GPU of its parent's, but all of its memory.  How much is wrong. */
static int be_forked(depthbench *c, const struct bench_impl *impl)
{
    depthbench *other;
    int n_wrong = 0;

    alarm(60);
    for (int i = 0; i < N_OF(every_call); i++)
        n_wrong += call(c, every_call[i]) != DEPTHBENCH_EINPUT ||
                   !strstr(depthbench_error(), ": the context is of process ");
    depthbench_free(c);
    if (impl->target != BENCH_SERIAL)
        n_wrong += depthbench_new(impl->name, &other) != DEPTHBENCH_EINPUT ||
                   !strstr(depthbench_error(), "this process was forked after another had");
    n_wrong += depthbench_new("rdp/serial", &other) || depthbench_shape(other, 1, 8, 16) ||
               depthbench_prepare(other) || depthbench_run(other);
    depthbench_free(other);
    return n_wrong;
}

TEST(a_forked_child_has_a_sentence)
{
    const char *name;

    for (int i = 0, how; (name = depthbench_variant(i)); i++) {
        const struct bench_impl *const impl = bench_find_impl(name);
        depthbench *const c =
            impl->target == BENCH_CUDA && !device ? NULL : new_context(impl, HEIGHT, WIDTH);
        pid_t child;

        if (!c || depthbench_prepare(c) || depthbench_run(c)) {
            depthbench_free(c);
            continue;
        }
        child = fork();
        if (child == 0)
            _exit(be_forked(c, impl));
        assert_int_equal(waitpid(child, &how, 0), child);
        if (how != 0)
            fail_msg("%s: status %#x", name, (unsigned)how);
        assert_int_equal(depthbench_run(c), DEPTHBENCH_OK);
        depthbench_free(c);
    }
}

/* ---- GPUs ---- */

TEST(a_machine_without_a_gpu_says_so)
{
    depthbench *c;

    if (bench_device_count() > 0 || !bench_is_built(bench_find_impl("rdp/gpu-opt")))
        skip();
    assert_int_equal(depthbench_new("rdp/gpu-opt", &c), DEPTHBENCH_OK);
    assert_int_equal(depthbench_shape(c, 1, 8, 16), DEPTHBENCH_OK);
    REFUSED(DEPTHBENCH_ECUDA, "cudaGetDevice", depthbench_prepare(c));
    depthbench_free(c);
}

TEST(arrays_and_calls_of_another_gpu_are_refused)
{
    const struct bench_ctx ctx = {.stream = NULL};
    struct bench_array segments = {.d = NULL};
    depthbench *c;
    size_t bytes;

    if (bench_device_count() == 0)
        SKIP("no GPU: frames in its memory");
    assert_int_equal(depthbench_new("rdp/gpu-opt", &c), DEPTHBENCH_OK);
    assert_int_equal(depthbench_shape(c, 1, 8, 64), DEPTHBENCH_OK);
    assert_non_null(depthbench_array(c, "segments", &bytes));
    assert_int_equal(
        bench_array_make(&segments, &ctx, kept_guarded(bytes + GPU_ALIGN), bytes + GPU_ALIGN),
        BENCH_OK);
    REFUSED(DEPTHBENCH_EINPUT, "an address that 16 divides",
            depthbench_bind(c, "segments", (char *)segments.d + 4, bytes));
    assert_int_equal(depthbench_bind(c, "segments", segments.d, bytes), DEPTHBENCH_OK);
    if (bench_device_count() > 1 || emulated_device) {
        assert_int_equal(cudaSetDevice(1), 0);
        REFUSED(DEPTHBENCH_EINPUT, "segments is on GPU 0, but GPU 1", depthbench_prepare(c));
        assert_int_equal(cudaSetDevice(0), 0);
    }
    assert_int_equal(depthbench_prepare(c), DEPTHBENCH_OK);
    if (bench_device_count() > 1 || emulated_device) {
        assert_int_equal(cudaSetDevice(1), 0);
        for (int i = 7; i < N_OF(every_call); i++)
            REFUSED(DEPTHBENCH_EINPUT, "of GPU 0, but GPU 1 is current",
                    call(c, every_call[i]));
        assert_int_equal(cudaSetDevice(0), 0);
    }
    assert_int_equal(depthbench_run(c), DEPTHBENCH_OK);
    depthbench_free(c);
    bench_array_free(&segments);
}

/* ---- hooks: those of a variant, each of which leaves its name ---- */

static const struct bench_impl *real;
static struct bench_problem spied;
static char called[256];  /* since it was cleared */
static const char *fails; /* the hook that does; "": none */

static enum bench_status note(const char *hook)
{
    if (strlen(called) + strlen(hook) + 2 < sizeof called)
        strcat(strcat(called, hook), " ");
    return strcmp(fails, hook) ? BENCH_OK : BENCH_FAIL(BENCH_ECUDA, "%s failed", hook);
}

static enum bench_status spy_setup(void *state, const struct bench_ctx *ctx, const void *input,
                                   void *output)
{
    TRY(note("setup"));
    return real->setup(state, ctx, input, output);
}

#define SPY(hook)                                    \
    static enum bench_status spy_##hook(void *state) \
    {                                                \
        TRY(note(#hook));                            \
        return real->hook(state);                    \
    }
SPY(upload)
SPY(run)
SPY(download)

static void spy_teardown(void *state)
{
    (void)note("teardown");
    real->teardown(state);
}

static void spy_ingest(void *input, int n_threads)
{
    (void)note("ingest");
    real->problem->ingest(input, n_threads);
}

/* The variant 'of' as that of 'name', which is added to those that there are. */
static void spy_on(struct bench_impl *spy, const char *of, const char *name)
{
    real = bench_find_impl(of);
    spied = *real->problem;
    spied.ingest = spied.ingest ? spy_ingest : NULL;
    *spy = *real;
    spy->name = name;
    spy->problem = &spied;
    spy->setup = spy_setup;
    spy->run = spy_run;
    spy->teardown = spy_teardown;
    if (real->upload)
        spy->upload = spy_upload;
    if (real->download)
        spy->download = spy_download;
    fails = "";
    called[0] = '\0';
    assert_int_equal(bench_add_impl(spy), BENCH_OK);
}

/* Hooks come as impl.h says; test_measure and test_measure_card have the scopes' times. */
TEST(hooks_come_in_the_harness_s_order)
{
    static const char *const of[][3] = {
        {"rdp/serial", "rdp/spied", "setup ingest run teardown "},
        {"stixels/gpu-opt", "stixels/gpu-spied", "setup upload run download teardown "}};
    static struct bench_impl spies[2];

    for (int i = 0; i < (device ? 2 : 1); i++) {
        depthbench *c;

        spy_on(&spies[i], of[i][0], of[i][1]);
        c = new_context(&spies[i], HEIGHT, WIDTH);
        take(c, "prepare;run;wait");
        depthbench_free(c);
        assert_string_equal(called, of[i][2]);
    }
}

TEST(a_context_outlives_errors)
{
    static struct bench_impl spy;
    depthbench *c;

    spy_on(&spy, "rdp/serial", "rdp/fails");
    c = new_context(&spy, HEIGHT, WIDTH);
    fails = "setup";
    REFUSED(DEPTHBENCH_ECUDA, "setup failed", depthbench_prepare(c));
    assert_string_equal(called, "setup teardown ");
    fails = "run";
    assert_int_equal(depthbench_prepare(c), DEPTHBENCH_OK);
    REFUSED(DEPTHBENCH_ECUDA, "run failed", depthbench_run(c));
    REFUSED(DEPTHBENCH_ECUDA, "run failed", depthbench_run(c));
    fails = "";
    assert_int_equal(depthbench_run(c), DEPTHBENCH_OK);
    fails = "run";
    called[0] = '\0';
    REFUSED(DEPTHBENCH_ECUDA, "run failed", depthbench_compute(c));
    assert_string_equal(called, "run ");
    called[0] = '\0';
    depthbench_free(c);
    assert_string_equal(called, "teardown ");
}

int main(void)
{
    if (bench_device_count() > 0 && bench_device_open(0, &device) != BENCH_OK)
        return 1;
    return run_all_tests(NULL, NULL);
}
