/*
 * sgm.c - the problem "sgm": input from both views of frames, output, comparison, work
 *
 * sgm.h has the definition, sgm/model.h the arithmetic.
 */
#include "harness/problems/sgm/sgm.h"

#include "harness/base/memory.h"
#include "harness/inputs/plane.h"
#include "harness/problems/arrays.h"
#include "harness/problems/difference.h"
#include "harness/problems/frames.h"

#include <assert.h>

static_assert(SGM_INVALID == DISPARITY_INVALID && SGM_SCALE == DISPARITY_SCALE,
              "sgm and the planes must encode disparity alike");

static const struct bench_key keys[] = {
    {"width", "0", "px", "columns from the middle of a frame; 0: all", BENCH_INT, 0,
     INPUTS_MAX_SIDE, NULL},
    {"height", "0", "px", "rows from the middle of a frame; 0: all", BENCH_INT, 0,
     INPUTS_MAX_SIDE, NULL},
    {"disparities", "128", "px", "0 to one less are tried", BENCH_CHOICE, 0, 0, "64|128|256"},
    {"paths", "4", "", "directions in which costs are added up", BENCH_CHOICE, 0, 0, "2|4|8"},
    {"p1", "10", "", "penalty where a disparity changes by 1 px", BENCH_INT, 0, SGM_MAX_P2,
     NULL},
    {"p2", "96", "", "penalty where it changes by more", BENCH_INT, 0, SGM_MAX_P2, NULL},
    {"census", "9x7", "px", "window of the centre-symmetric census", BENCH_CHOICE, 0, 0,
     "9x7|5x5"},
    {"lr_check", "1", "px", "left and right may differ by so much; -1: no check", BENCH_INT, -1,
     255, NULL},
    {"uniqueness", "95", "%", "another disparity's cost times this is not less; 100: no check",
     BENCH_INT, 1, 100, NULL},
    {"subpixel", "0", "", "1: a parabola through three costs, in 1/16 px", BENCH_INT, 0, 1,
     NULL},
    {"median", "3", "px", "side of the median filter behind all; 0: none", BENCH_CHOICE, 0, 0,
     "0|3"},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static_assert(offsetof(struct sgm_input, subpixel) == 11 * sizeof(int32_t),
              "the hashed scalars must have no padding");
#define SCALAR_BYTES (13 * sizeof(int32_t))

static int input_arrays(const void *input, struct array *array)
{
    const struct sgm_input *in = input;
    const int n = in->n_frames;

    array[0] = (struct array){"shape", ARRAY_SHAPE, SCALAR_BYTES};
    array[1] = ARRAY("left", sgm_input, left, n, 1, in->n_rows, in->n_cols);
    array[2] = ARRAY("right", sgm_input, right, n, 1, in->n_rows, in->n_cols);
    array[3] = ARRAY("", sgm_input, truth, n, 1, in->n_rows, in->n_cols);
    return 4;
}

static int output_arrays(const void *output, struct array *array)
{
    const struct sgm_output *out = output;

    array[0] =
        ARRAY("disparity", sgm_output, disparity, out->n_frames, 1, out->n_rows, out->n_cols);
    return 1;
}

ARRAYS_HOOKS(input)
ARRAYS_HOOKS(output)
ARRAYS_DROP(input)

/* BENCH_EINPUT unless each frame has both views, and is as large as what is taken of it. */
static enum bench_status check_frames(const struct bench_params *params,
                                      const struct plane *const *frames, int n_frames)
{
    int width, height;

    for (int k = 0; k < n_frames; k++) {
        const struct plane *const f = frames[k];

        REFUSE_IF(!f->view[0] || !f->view[1],
                  "%s has no two views: expected an input of kind pairs, or a scene with views "
                  "= 1",
                  f->name);
        frame_size(params, f, &width, &height);
        REFUSE_IF(width > f->width || height > f->height,
                  "%d x %d pixels are to be taken of %s, which has %d x %d", width, height,
                  f->name, f->width, f->height);
    }
    return BENCH_OK;
}

/* Copies the middle of a frame's plane. */
static void cut(const struct sgm_input *in, const struct plane *frame, const void *from,
                size_t element_bytes, void *to)
{
    const size_t left = (size_t)(frame->width - in->n_cols) / 2,
                 top = (size_t)(frame->height - in->n_rows) / 2,
                 row_bytes = (size_t)in->n_cols * element_bytes;

    for (size_t v = 0; v < (size_t)in->n_rows; v++)
        memcpy((char *)to + v * row_bytes,
               (const char *)from + ((top + v) * (size_t)frame->width + left) * element_bytes,
               row_bytes);
}

static enum bench_status make_input(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input)
{
    const int is_wide = bench_is(params, "census", "9x7");
    struct sgm_input shape = {
        .n_frames = n_frames,
        .n_disparities = bench_int(params, "disparities"),
        .n_paths = bench_int(params, "paths"),
        .p1 = bench_int(params, "p1"),
        .p2 = bench_int(params, "p2"),
        .half_x = is_wide ? 4 : 2,
        .half_y = is_wide ? 3 : 2,
        .lr_check = bench_int(params, "lr_check"),
        .uniqueness = bench_int(params, "uniqueness"),
        .subpixel = bench_int(params, "subpixel"),
        .median = bench_is(params, "median", "3"),
    };
    OWNED(drop_input) struct sgm_input *in = NULL;
    bool have_truth = true;

    *input = NULL;
    TRY(frames_size(params, frames, n_frames, &shape.n_cols, &shape.n_rows));
    TRY(check_frames(params, frames, n_frames));
    TRY(arrays_new(&shape, sizeof shape, input_arrays, &in));
    for (int k = 0; k < n_frames; k++) {
        const size_t at = (size_t)k * sgm_frame_pixels(in);

        cut(in, frames[k], frames[k]->view[0], 1, in->left + at);
        cut(in, frames[k], frames[k]->view[1], 1, in->right + at);
        have_truth = have_truth && frames[k]->truth;
        if (have_truth)
            cut(in, frames[k], frames[k]->truth, sizeof *in->truth, in->truth + at);
    }
    if (!have_truth) {
        free(in->truth);
        in->truth = NULL;
    }
    *input = in;
    in = NULL;
    return BENCH_OK;
}

static enum bench_status make_output(const void *input, void **output)
{
    const struct sgm_input *in = input;
    const struct sgm_output shape = {
        .n_frames = in->n_frames, .n_cols = in->n_cols, .n_rows = in->n_rows};

    return arrays_new(&shape, sizeof shape, output_arrays, output);
}

static enum bench_status check(const struct bench_params *params)
{
    const int p1 = bench_int(params, "p1"), p2 = bench_int(params, "p2");

    REFUSE_IF(p1 > p2, "p1 expects at most p2, which is %d, found %d", p2, p1);
    return BENCH_OK;
}

static enum bench_match match(const struct bench_params *params)
{
    (void)params;
    return BENCH_EXACT;
}

static void compare(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference)
{
    const struct sgm_output *r = reference, *o = output;
    const size_t n_cols = (size_t)r->n_cols, n_rows = (size_t)r->n_rows,
                 n = (size_t)r->n_frames * n_rows * n_cols;

    (void)params;
    (void)input;
    if (!difference_of_shape(&o->n_frames, &r->n_frames, difference)) {
        difference->n_compared = n;
        for (size_t i = 0; i < n; i++)
            if (r->disparity[i] != o->disparity[i])
                difference_wrong(difference, 1,
                                 "frame %zu, row %zu, column %zu: %d/256 px, the reference has "
                                 "%d/256",
                                 i / n_cols / n_rows, i / n_cols % n_rows, i % n_cols,
                                 o->disparity[i], r->disparity[i]);
        difference->n_different = difference->n_wrong;
    }
    difference->max_error = difference->n_wrong > 0 ? 1 : 0;
}

/* Wrong is what is beyond all disparities; different, what the reference does not have. */
static void compare_other(const struct bench_params *params, const void *input,
                          const void *reference, const void *output,
                          struct bench_difference *difference)
{
    const struct sgm_input *const in = input;
    const struct sgm_output *const r = reference, *const o = output;
    const int most = in->n_disparities * SGM_SCALE;

    (void)params;
    difference->n_compared = (size_t)in->n_frames * sgm_frame_pixels(in);
    for (size_t i = 0; i < difference->n_compared; i++) {
        difference->n_different += o->disparity[i] != r->disparity[i];
        if (o->disparity[i] != SGM_INVALID && o->disparity[i] > most)
            difference_wrong(difference, 1, "pixel %zu: %d/256 px, most is %d", i,
                             o->disparity[i], in->n_disparities);
    }
}

/* An operation is a step of a path at one disparity. */
static void count_work(const void *input, const void *reference, struct bench_work *work)
{
    const struct sgm_input *in = input;
    const double n = (double)in->n_frames * (double)sgm_frame_pixels(in);

    (void)reference;
    work->bytes = n * (2 * sizeof *in->left + sizeof(uint16_t));
    work->ops = n * in->n_disparities * in->n_paths;
}

static const struct bench_place places[] = {
    {"left", offsetof(struct sgm_input, left), _Alignof(uint8_t), false, false},
    {"right", offsetof(struct sgm_input, right), _Alignof(uint8_t), false, false},
    {"disparity", offsetof(struct sgm_output, disparity), _Alignof(uint16_t), true, false},
    {NULL, 0, 0, false, false},
};

static const char *const frame_keys[] = {"width", "height", NULL};

static const char *const references[] = {"sgm/serial", NULL};

static const struct bench_quick quick[] = {{"width", 700, 0}, {"scope", 0, 1}, {NULL, 0, 0}};

const struct bench_problem sgm_problem = {
    .name = "sgm",
    .title = "match a stereo pair by semi-global matching [SGM]",
    ARRAYS_PROBLEM,
    .check = check,
    .places = places,
    .frame_keys = frame_keys,
    .quick = quick,
    .compare = compare,
    .compare_other = compare_other,
    .other_unit = "pixels",
    .sum = sgm_sum,
    .values = sgm_values,
    .value_names = "d1_pct d1_valid_pct bad2_pct bad2_valid_pct density_pct mean_abs_error_px",
};
