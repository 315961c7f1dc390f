/*
 * library.c - what libdepthbench has of its own: the order of calls, and arrays of the caller
 *
 * A context drives a variant by the hooks of impl.h, as measure.c does, so what is timed there
 * is what runs here.  Arrays of the caller take the place of those that the problem has made.
 */
/* these functions are seen outside, whatever the rest is compiled with */
#pragma GCC visibility push(default)
#include "harness/library/depthbench.h"
#pragma GCC visibility pop

#include "harness/base/memory.h"
#include "harness/base/params.h"
#include "harness/inputs/coding.h"
#include "harness/inputs/plane.h"
#include "harness/measure/device.h"
#include "harness/measure/impl.h"
#include "harness/measure/problem.h"

#include <assert.h>
#include <limits.h>
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

/* a status inside is an int outside */
#pragma GCC diagnostic ignored "-Wsign-conversion"

static_assert((int)DEPTHBENCH_ENOMEM == BENCH_ENOMEM &&
                  (int)DEPTHBENCH_EINPUT == BENCH_EINPUT && (int)DEPTHBENCH_EIO == BENCH_EIO &&
                  (int)DEPTHBENCH_ECUDA == BENCH_ECUDA &&
                  (int)DEPTHBENCH_EUNABLE == BENCH_ESKIP && (int)DEPTHBENCH_EENV == BENCH_EENV,
              "errors have the harness's values");

enum step { STEP_NEW, STEP_SHAPED, STEP_PREPARED };

#define MAX_THREADS 1024  /* as descriptors may have */
#define MAX_FRAMES  65535 /* of a run */
#define GPU_ALIGN   16    /* bytes: the widest that a thread of a GPU loads at once */

struct depthbench {
    const struct bench_impl *impl;
    struct bench_params params;
    struct camera camera;
    struct bench_ctx ctx;
    enum step step;
    void *input, *output;      /* the problem's */
    void *state;               /* the variant's */
    struct bench_touch *touch; /* NULL of a CPU variant */
    uint32_t bound;            /* bit i: place i of the problem has an array of the caller's */
    bool ingests;              /* a run begins with the problem's ingest */
    int gpu;                   /* that was current in depthbench_prepare */
    pid_t process;             /* that made it */
};

/* The process whose threads and GPU contexts have used; a child of it has neither, and would
 * wait for them.  0: none has yet. */
static atomic_int user;

const char *depthbench_version(void)
{
    return DEPTHBENCH_VERSION;
}

const char *depthbench_error(void)
{
    return bench_failure();
}

const char *depthbench_status_text(int status)
{
    static const char *const texts[] = {
        [DEPTHBENCH_OK] = "no error",
        [DEPTHBENCH_ENOMEM] = "out of memory",
        [DEPTHBENCH_EINPUT] = "impossible argument or call",
        [DEPTHBENCH_EIO] = "file cannot be read",
        [DEPTHBENCH_ECUDA] = "CUDA error",
        [DEPTHBENCH_EUNABLE] = "not in this variant or build",
        [DEPTHBENCH_EENV] = "GPU of another architecture",
    };
    const bool is_known = status >= 0 && status < (int)(sizeof texts / sizeof *texts);

    return is_known && texts[status] ? texts[status] : "unknown error";
}

/* Those of a problem whose arrays can be bound, and of the problem's own rule. */
static bool is_linked(const struct bench_impl *impl)
{
    return impl->problem->places && !impl->other && !impl->run_told;
}

const char *depthbench_variant(int index)
{
    for (int i = 0; index >= 0 && bench_impls[i]; i++)
        if (is_linked(bench_impls[i]) && bench_is_built(bench_impls[i]) && index-- == 0)
            return bench_impls[i]->name;
    return NULL;
}

const char *depthbench_coding(int index)
{
    for (int i = 0; index >= 0 && value_codings[i].name; i++)
        if (i == index)
            return value_codings[i].name;
    return NULL;
}

int depthbench_decode(const char *coding, const char *type, const void *values, size_t n,
                      uint16_t *disparity, size_t *n_lost)
{
    static const struct {
        const char *name;
        enum image_type type;
    } types[] = {
        {"uint8", IMAGE_U8}, {"uint16", IMAGE_U16}, {"int16", IMAGE_U16}, {"float", IMAGE_F32}};
    const struct value_coding *const named = coding_find(coding ? coding : "", "coding");
    struct disparity_coding how;
    struct counted_values counted;
    size_t i = 0;

    if (!named)
        return BENCH_EINPUT;
    while (i < 4 && (!type || strcmp(types[i].name, type) != 0))
        i++;
    REFUSE_IF(i == 4 || ((!values || !disparity) && n > 0), "depthbench_decode: expected %s",
              i == 4 ? "values of uint8, uint16, int16 or float" : "two arrays");
    TRY(coding_check_type(named, types[i].type, "depthbench_decode"));
    how = named->values;
    how.is_signed |= !strcmp(types[i].name, "int16");
    TRY(coding_decode(types[i].type, values, n, &how, disparity, &counted));
    if (n_lost)
        *n_lost = counted.n_nan + counted.n_infinite + counted.n_negative + counted.n_clamped;
    return coding_check_lost(&counted, "depthbench_decode");
}

int depthbench_new(const char *variant, depthbench **context)
{
    const struct bench_impl *const impl = variant ? bench_find_impl(variant) : NULL;
    depthbench *c = NULL;

    REFUSE_IF(!context, "depthbench_new: no place for the context");
    *context = NULL;
    if (!impl || !is_linked(impl)) {
        struct nearest near = nearest_to(variant ? variant : "");

        bench_offer_impls(&near);
        return BENCH_FAIL(BENCH_EINPUT, "there is no variant '%s'%s", variant ? variant : "",
                          nearest_text(&near));
    }
    FAIL_IF(!bench_is_built(impl), BENCH_ESKIP,
            "%s needs %s, which this library was built without", variant, bench_lacks(impl));
    REFUSE_IF(impl->target != BENCH_SERIAL && user && user != getpid(),
              "%s: this process was forked after another had its threads or GPU: fork before "
              "depthbench_prepare, or start a program",
              variant);
    TRY(memory_allocate(&c, sizeof *c, 1, 1, 1, 1));
    c->process = getpid();
    c->impl = impl;
    c->ctx = (struct bench_ctx){.impl = impl, .params = &c->params};
    c->ctx.n_threads = impl->target == BENCH_OPENMP ? omp_get_max_threads() : 1;
    *context = c;
    return DEPTHBENCH_OK;
}

/* A call that is allowed up to 'last'. */
static enum bench_status check_step(const depthbench *c, enum step first, enum step last,
                                    const char *call)
{
    /* after which a context is at that step; the last is never asked for */
    static const char *const calls[] = {"depthbench_new", "depthbench_shape",
                                        "depthbench_prepare", "depthbench_free"};

    REFUSE_IF(!c, "%s: expected a context, found NULL", call);
    REFUSE_IF(c->process != getpid(),
              "%s: the context is of process %d, from which this one was forked", call,
              (int)c->process);
    REFUSE_IF(c->step < first, "%s: expected after %s", call, calls[first]);
    REFUSE_IF(c->step > last, "%s: expected before %s", call, calls[last + 1]);
    return BENCH_OK;
}

/* ---- parameters ---- */

static const struct bench_key *key_of(const depthbench *c, const char *name)
{
    const struct bench_key *const own = bench_find_key(c->impl->keys, name);
    const char *const *frame = c->impl->problem->frame_keys;

    while (frame && *frame && strcmp(*frame, name) != 0)
        frame++;
    return frame && *frame ? NULL : own ? own : bench_find_key(c->impl->problem->keys, name);
}

int depthbench_set(depthbench *c, const char *key, const char *value)
{
    const struct bench_key *declared;

    TRY(check_step(c, STEP_NEW, STEP_NEW, "depthbench_set"));
    REFUSE_IF(!key || !value, "depthbench_set: expected a key and a value");
    declared = key_of(c, key);
    REFUSE_IF(!declared, "%s has no key '%s'", c->impl->name, key);
    return bench_params_set(&c->params, declared, value, "depthbench_set");
}

const char *depthbench_get(const depthbench *c, const char *key)
{
    const struct bench_key *const declared = c && key ? key_of(c, key) : NULL;

    if (!declared)
        return NULL;
    return bench_has(&c->params, key) ? bench_word(&c->params, key) : declared->default_text;
}

int depthbench_camera(depthbench *c, double fx, double fy, double cx, double cy,
                      double baseline, double height, double pitch)
{
    TRY(check_step(c, STEP_NEW, STEP_NEW, "depthbench_camera"));
    c->camera = (struct camera){fx, fy, cx, cy, baseline, height, pitch};
    return DEPTHBENCH_OK;
}

int depthbench_threads(depthbench *c, int n_threads)
{
    TRY(check_step(c, STEP_NEW, STEP_SHAPED, "depthbench_threads"));
    REFUSE_IF(n_threads < 1 || n_threads > (c->impl->target == BENCH_OPENMP ? MAX_THREADS : 1),
              "%s: expected %s, found %d threads", c->impl->name,
              c->impl->target == BENCH_OPENMP ? "1 to 1024" : "one", n_threads);
    c->ctx.n_threads = n_threads;
    return DEPTHBENCH_OK;
}

int depthbench_stream(depthbench *c, void *stream)
{
    TRY(check_step(c, STEP_NEW, STEP_SHAPED, "depthbench_stream"));
    REFUSE_IF(c->impl->target != BENCH_CUDA, "%s: a CPU variant has no stream", c->impl->name);
    c->ctx.stream = stream;
    return DEPTHBENCH_OK;
}

/* ---- shape and arrays ---- */

/* The problem makes its input of a frame of zeroes: a map and two views. */
static enum bench_status make_plane(const depthbench *c, int height, int width,
                                    struct plane *plane)
{
    plane->camera = c->camera;
    strcpy(plane->name, "the frame");
    TRY(plane_alloc(plane, width, height));
    for (int i = 0; i < 2; i++)
        TRY(memory_allocate(&plane->view[i], 1, 1, 1, height, width));
    if (bench_has(&c->params, "classes"))
        plane->n_classes = bench_int(&c->params, "classes");
    if (plane->n_classes == 0)
        return BENCH_OK;
    return memory_allocate(&plane->probability, sizeof *plane->probability, 1, plane->n_classes,
                           height, width);
}

/* The array of a place, of 'bytes'; NULL: the input has none. */
static void **slot_of(const depthbench *c, const struct bench_place *place, size_t *bytes)
{
    struct bench_block blocks[BENCH_MAX_BLOCKS];
    void *const of = place->is_output ? c->output : c->input;
    const int n = place->is_output ? c->impl->problem->output_blocks(of, blocks)
                                   : c->impl->problem->input_blocks(of, blocks);

    for (int b = 0; b < n; b++)
        if (blocks[b].name && !strcmp(blocks[b].name, place->name)) {
            *bytes = blocks[b].bytes;
            return (void **)((char *)of + place->at);
        }
    return NULL;
}

static int find_place(const depthbench *c, const char *name)
{
    const struct bench_place *const places = c->impl->problem->places;

    for (int i = 0; name && places[i].name; i++)
        if (!strcmp(places[i].name, name))
            return i;
    return -1;
}

static void drop_arrays(depthbench *c)
{
    const struct bench_place *const places = c->impl->problem->places;
    size_t bytes;

    for (int i = 0; places[i].name; i++)
        if (c->bound & UINT32_C(1) << i)
            *slot_of(c, &places[i], &bytes) = NULL;
    c->impl->problem->free_output(c->output);
    c->impl->problem->free_input(c->input);
    c->output = c->input = NULL;
}

/* Before anything is allocated; sides alone are for the problem to refuse. */
static enum bench_status check_size(int n_frames, int height, int width)
{
    REFUSE_IF(n_frames < 1 || n_frames > MAX_FRAMES, "expected 1 to %d frames, found %d",
              MAX_FRAMES, n_frames);
    REFUSE_IF(height > 0 && width > 0 && (int64_t)n_frames * height > INT_MAX / width,
              "expected fewer than 2^31 pixels, found %d frames of %d x %d", n_frames, height,
              width);
    return BENCH_OK;
}

/* True if the arrays have n_frames x height x width: problems cut what they do not use. */
static bool has_pixels(const depthbench *c, int n_frames, int height, int width)
{
    const size_t n = (size_t)n_frames * (size_t)height * (size_t)width;
    size_t bytes = 0;

    return slot_of(c, c->impl->problem->places, &bytes) &&
           bytes == n * c->impl->problem->places->align;
}

static enum bench_status make_input(depthbench *c, int n_frames, int height, int width)
{
    OWNED(memory_free) const struct plane **frames = NULL;
    OWNED(plane_free) struct plane plane = {0};

    TRY(make_plane(c, height, width, &plane));
    TRY(memory_allocate(&frames, sizeof *frames, 1, 1, 1, n_frames));
    for (int k = 0; k < n_frames; k++)
        frames[k] = &plane;
    return c->impl->problem->make_input(&c->params, frames, n_frames, &c->input);
}

int depthbench_shape(depthbench *c, int n_frames, int height, int width)
{
    const struct bench_problem *problem;
    enum bench_status status;

    TRY(check_step(c, STEP_NEW, STEP_NEW, "depthbench_shape"));
    problem = c->impl->problem;
    TRY(check_size(n_frames, height, width));
    TRY(bench_params_default(&c->params, problem->keys, c->impl->name));
    TRY(bench_params_default(&c->params, c->impl->keys, c->impl->name));
    if (problem->check)
        TRY(problem->check(&c->params));
    status = make_input(c, n_frames, height, width);
    if (status == BENCH_OK)
        status = problem->make_output(c->input, &c->output);
    if (status == BENCH_OK && !has_pixels(c, n_frames, height, width))
        status = BENCH_FAIL(BENCH_EINPUT,
                            "%s: expected sides that are multiples of the block, found %d x %d",
                            c->impl->name, height, width);
    if (status != BENCH_OK)
        drop_arrays(c);
    else
        c->step = STEP_SHAPED;
    return status;
}

void *depthbench_array(const depthbench *c, const char *name, size_t *bytes)
{
    const int i = c && c->step >= STEP_SHAPED ? find_place(c, name) : -1;
    size_t n = 0;
    void **const slot = i >= 0 ? slot_of(c, &c->impl->problem->places[i], &n) : NULL;

    if (bytes)
        *bytes = n;
    return slot ? *slot : NULL;
}

/* Refuses an array that cannot replace the library's, of 'expected' bytes. */
static enum bench_status check_array(const depthbench *c, const struct bench_place *place,
                                     const void *data, size_t bytes, size_t expected)
{
    const bool is_gpus = data && bytes == expected && bench_device_of(data) >= 0;
    const size_t align = is_gpus ? GPU_ALIGN : place->align;

    REFUSE_IF(!data || bytes != expected, "%s: expected an array of %zu bytes, found %s of %zu",
              place->name, expected, data ? "one" : "NULL", bytes);
    REFUSE_IF(is_gpus && c->impl->target != BENCH_CUDA,
              "%s: %s is a CPU variant, the array is a GPU's", place->name, c->impl->name);
    REFUSE_IF((uintptr_t)data % align, "%s: expected an address that %zu divides, found %p",
              place->name, align, data);
    return BENCH_OK;
}

int depthbench_bind(depthbench *c, const char *name, void *data, size_t bytes)
{
    size_t expected = 0;
    void **slot;
    int i;

    TRY(check_step(c, STEP_SHAPED, STEP_SHAPED, "depthbench_bind"));
    i = find_place(c, name);
    slot = i >= 0 ? slot_of(c, &c->impl->problem->places[i], &expected) : NULL;
    REFUSE_IF(!slot, "%s has no array '%s'", c->impl->name, name ? name : "");
    TRY(check_array(c, &c->impl->problem->places[i], data, bytes, expected));
    if (!(c->bound & UINT32_C(1) << i))
        free(*slot);
    *slot = data;
    c->bound |= UINT32_C(1) << i;
    return DEPTHBENCH_OK;
}

/* ---- runs ---- */

/* A run begins with ingest, unless the variant reads its input, or its result is bound. */
static enum bench_status plan_ingest(depthbench *c)
{
    const struct bench_problem *const problem = c->impl->problem;
    const bool reads_raw = c->impl->reads_raw && c->impl->reads_raw(&c->params);

    c->ingests = problem->ingest && !reads_raw;
    for (int i = 0; problem->ingest && problem->places[i].name; i++) {
        const struct bench_place *const place = &problem->places[i];
        size_t bytes;

        if (!place->is_ingested || !(c->bound & UINT32_C(1) << i))
            continue;
        REFUSE_IF(reads_raw, "%s does not read '%s' with these parameters", c->impl->name,
                  place->name);
        if (slot_of(c, place, &bytes))
            c->ingests = false;
    }
    return BENCH_OK;
}

/* Refuses arrays on a GPU that is not the context's, or that only the host would read. */
static enum bench_status check_gpu_arrays(const depthbench *c)
{
    for (const struct bench_place *place = c->impl->problem->places; place->name; place++) {
        const int gpu = bench_device_of(depthbench_array(c, place->name, NULL));

        REFUSE_IF(gpu >= 0 && gpu != c->gpu, "%s is on GPU %d, but GPU %d is current",
                  place->name, gpu, c->gpu);
        REFUSE_IF(gpu >= 0 && c->ingests && !place->is_output,
                  "%s has '%s' on the host with these parameters, which is then put in another "
                  "order there",
                  c->impl->name, place->name);
    }
    return BENCH_OK;
}

int depthbench_prepare(depthbench *c)
{
    enum bench_status status;

    TRY(check_step(c, STEP_SHAPED, STEP_SHAPED, "depthbench_prepare"));
    TRY(plan_ingest(c));
    if (c->impl->target == BENCH_CUDA) {
        TRY(bench_device_current(&c->gpu, &c->ctx.n_sms));
        TRY(check_gpu_arrays(c));
    }
    if (c->impl->target != BENCH_SERIAL)
        user = getpid();
    c->ctx.frames_follow = true;
    TRY(memory_allocate(&c->state, c->impl->state_size, 1, 1, 1, 1));
    status = c->impl->setup(c->state, &c->ctx, c->input, c->output);
    if (status == BENCH_OK && c->impl->target == BENCH_CUDA)
        status = bench_device_touch_make(c->ctx.stream, &c->touch);
    if (status == BENCH_OK) {
        c->step = STEP_PREPARED;
        return DEPTHBENCH_OK;
    }
    c->impl->teardown(c->state);
    free(c->state);
    c->state = NULL;
    return status;
}

/* A call that works on what depthbench_prepare has made. */
static enum bench_status check_prepared(const depthbench *c, const char *call)
{
    int gpu;

    TRY(check_step(c, STEP_PREPARED, STEP_PREPARED, call));
    if (c->impl->target != BENCH_CUDA)
        return BENCH_OK;
    TRY(bench_device_current(&gpu, NULL));
    REFUSE_IF(gpu != c->gpu, "%s: the context is of GPU %d, but GPU %d is current", call,
              c->gpu, gpu);
    return BENCH_OK;
}

int depthbench_upload(depthbench *c)
{
    TRY(check_prepared(c, "depthbench_upload"));
    if (c->ingests)
        c->impl->problem->ingest(c->input, c->impl->target == BENCH_CUDA ? omp_get_max_threads()
                                                                         : c->ctx.n_threads);
    if (c->impl->upload)
        TRY(c->impl->upload(c->state));
    return DEPTHBENCH_OK;
}

int depthbench_compute(depthbench *c)
{
    TRY(check_prepared(c, "depthbench_compute"));
    return c->impl->run(c->state);
}

int depthbench_download(depthbench *c)
{
    TRY(check_prepared(c, "depthbench_download"));
    if (c->impl->download)
        TRY(c->impl->download(c->state));
    return DEPTHBENCH_OK;
}

int depthbench_run(depthbench *c)
{
    int status = depthbench_upload(c);

    if (status == DEPTHBENCH_OK)
        status = depthbench_compute(c);
    return status == DEPTHBENCH_OK ? depthbench_download(c) : status;
}

int depthbench_wait(depthbench *c)
{
    TRY(check_prepared(c, "depthbench_wait"));
    if (c->impl->target == BENCH_CUDA)
        TRY(bench_device_wait(c->ctx.stream));
    return DEPTHBENCH_OK;
}

int depthbench_wake(depthbench *c)
{
    TRY(check_prepared(c, "depthbench_wake"));
    return c->impl->target == BENCH_CUDA ? bench_device_touch(c->touch) : BENCH_OK;
}

void depthbench_free(depthbench *c)
{
    if (!c)
        return;
    if (c->state && (c->impl->target != BENCH_CUDA || c->process == getpid())) {
        if (c->impl->target == BENCH_CUDA) /* whichever GPU is current */
            (void)bench_device_wait(c->ctx.stream);
        bench_device_touch_free(c->touch);
        c->impl->teardown(c->state);
        free(c->state);
    }
    if (c->input)
        drop_arrays(c);
    free(c);
}
