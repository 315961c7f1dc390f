/*
 * toy.c - the problem "toy": input, output, comparison, work, values
 *
 * toy.h has the definition.
 */
#include "harness/problems/toy/toy.h"

#include "harness/base/sums.h"
#include "harness/problems/arrays.h"
#include "harness/problems/difference.h"
#include "harness/problems/frames.h"

#include <assert.h>

static const struct bench_key keys[] = {
    {"radius", "4", "px", "columns to both sides", BENCH_INT, 0, 1024, NULL},
    {NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL},
};

static_assert(offsetof(struct toy_input, disparity) == 4 * sizeof(int32_t),
              "the hashed scalars must have no padding");

static int input_arrays(const void *input, struct array *array)
{
    const struct toy_input *in = input;

    array[0] = (struct array){"shape", ARRAY_SHAPE, offsetof(struct toy_input, disparity)};
    array[1] =
        ARRAY("disparity", toy_input, disparity, in->n_frames, 1, in->n_rows, in->n_cols);
    return 2;
}

static int output_arrays(const void *output, struct array *array)
{
    const struct toy_output *out = output;

    array[0] =
        ARRAY("nearest", toy_output, nearest, out->n_frames, 1, out->n_rows, out->n_cols);
    return 1;
}

ARRAYS_HOOKS(input)
ARRAYS_HOOKS(output)

static enum bench_status make_input(const struct bench_params *params,
                                    const struct plane *const *frames, int n_frames,
                                    void **input)
{
    struct toy_input shape = {.n_frames = n_frames, .radius = bench_int(params, "radius")};
    uint16_t *to;

    *input = NULL;
    TRY(frames_size(params, frames, n_frames, &shape.n_cols, &shape.n_rows));
    TRY(frames_have_maps(frames, n_frames));
    TRY(arrays_new(&shape, sizeof shape, input_arrays, input));
    to = ((struct toy_input *)*input)->disparity;
    for (int k = 0; k < n_frames; k++)
        for (int i = 0; i < shape.n_rows * shape.n_cols; i++) {
            const uint16_t found = frames[k]->disparity[i];

            *to++ = found == DISPARITY_INVALID ? 0 : found;
        }
    return BENCH_OK;
}

static enum bench_status make_output(const void *input, void **output)
{
    const struct toy_input *in = input;
    const struct toy_output shape = {
        .n_frames = in->n_frames, .n_cols = in->n_cols, .n_rows = in->n_rows};

    return arrays_new(&shape, sizeof shape, output_arrays, output);
}

static enum bench_match match(const struct bench_params *params)
{
    (void)params;
    return BENCH_EXACT;
}

static void compare(const struct bench_params *params, const void *input, const void *reference,
                    const void *output, struct bench_difference *difference)
{
    const struct toy_output *r = reference, *o = output;
    const size_t n = (size_t)r->n_frames * (size_t)r->n_rows * (size_t)r->n_cols;

    (void)params;
    (void)input;
    if (!difference_of_shape(&o->n_frames, &r->n_frames, difference)) {
        difference->n_compared = n;
        for (size_t i = 0; i < n; i++)
            if (r->nearest[i] != o->nearest[i])
                difference_wrong(difference, 1,
                                 "pixel %zu: %d/256 px, the reference has %d/256", i,
                                 o->nearest[i], r->nearest[i]);
        difference->n_different = difference->n_wrong;
    }
    difference->max_error = difference->n_wrong > 0 ? 1 : 0;
}

/* An operation is a comparison. */
static void count_work(const void *input, const void *reference, struct bench_work *work)
{
    const struct toy_input *in = input;
    const double n = (double)toy_pixels(in);

    (void)reference;
    work->bytes = 2 * n * (double)sizeof *in->disparity;
    work->ops = n * (2 * in->radius + 1);
}

/* Values: nearest_px, the mean over all pixels. */
static enum bench_status sum(const void *input, const void *reference, const void *output,
                             int first_frame, struct bench_sums *sums)
{
    const size_t n = toy_pixels(input);
    bench_wide total = 0;

    (void)reference;
    (void)first_frame;
    for (size_t i = 0; i < n; i++)
        total += ((const struct toy_output *)output)->nearest[i];
    bench_sums_add(sums, "nearest", -1, total);
    bench_sums_add(sums, "pixels", -1, (bench_wide)n);
    return bench_sums_ok(sums);
}

static enum bench_status values(const struct bench_sums *sums, struct bench_sink *sink)
{
    bench_value(sink, "nearest_px", -1,
                (double)bench_sums_get(sums, "nearest", -1) / DISPARITY_SCALE /
                    (double)bench_sums_get(sums, "pixels", -1),
                "px");
    return BENCH_OK;
}

static const struct bench_place places[] = {
    {"disparity", offsetof(struct toy_input, disparity), _Alignof(uint16_t), false, false},
    {"nearest", offsetof(struct toy_output, nearest), _Alignof(uint16_t), true, false},
    {NULL, 0, 0, false, false},
};

static const char *const references[] = {"toy/serial", NULL};

const struct bench_problem toy_problem = {
    .name = "toy",
    .title = "what is nearest around each pixel [TOY]",
    ARRAYS_PROBLEM,
    .places = places,
    .compare = compare,
    .sum = sum,
    .values = values,
    .value_names = "nearest_px",
};
