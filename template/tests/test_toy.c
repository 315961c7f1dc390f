/* test_toy.c - the variants of toy against an oracle, and values */
#include "harness/inputs/plane.h"
#include "harness/measure/measure.h"
#include "harness/problems/toy/toy.h"
#include "tests/expected.h"
#include "tests/variants.h"

#include <stdio.h>

/* A kept input of one random map, so many times, of which each fifth pixel has no disparity. */
static struct toy_input *input_of(struct bench_params params, int n_cols, int n_rows,
                                  int n_frames)
{
    struct plane map = {0};
    const struct plane *const frames[] = {&map, &map, &map};
    void *in;

    assert_int_equal(plane_alloc(&map, n_cols, n_rows), BENCH_OK);
    for (int i = 0; i < n_cols * n_rows; i++)
        map.disparity[i] = draw(1, (uint32_t)i, 0, 5) == 0
                               ? DISPARITY_INVALID
                               : (uint16_t)draw(2, (uint32_t)i, 0, 32000);
    assert_int_equal(toy_problem.make_input(&params, frames, n_frames, &in), BENCH_OK);
    plane_free(&map);
    return keep(in, toy_problem.free_input);
}

/* The definition of toy.h: all pixels of the row are asked. */
static uint16_t oracle(const struct toy_input *in, size_t at)
{
    const size_t n_cols = (size_t)in->n_cols, x = at % n_cols;
    uint16_t nearest = 0;

    for (size_t i = 0; i < n_cols; i++)
        if ((i > x ? i - x : x - i) <= (size_t)in->radius &&
            in->disparity[at - x + i] > nearest)
            nearest = in->disparity[at - x + i];
    return nearest;
}

/* One pixel, rows narrower than the radius, more pixels than a block, a batch. */
TEST(every_variant_is_exact)
{
    static const int size[][3] = {{1, 1, 1}, {3, 2, 1}, {70, 9, 3}, {301, 5, 1}};
    static const char *const radius[] = {"0", "1", "4", "300"};

    for (int round = 0; round < 4 * N_OF(size); round++) {
        const int *const s = size[round % N_OF(size)];
        const struct bench_params params =
            PARAMS_OF(toy_problem, "radius", radius[round / N_OF(size)]);
        struct toy_input *const in = input_of(params, s[0], s[1], s[2]);
        struct toy_output *const expected = new_guarded(&toy_problem, in);

        for (size_t i = 0; i < toy_pixels(in); i++)
            expected->nearest[i] = oracle(in, i);
        check_all(&toy_problem, params, "random maps", in, expected, 0);
    }
}

void bench_value(struct bench_sink *sink, const char *name, int index, double value,
                 const char *unit)
{
    collect_value(sink, name, index, value, unit);
}

TEST(outputs_by_hand)
{
    const struct bench_params params = PARAMS_OF(toy_problem, NULL);
    struct toy_input *const in = input_of(params, 2, 2, 1);
    struct toy_output *const right = new_guarded(&toy_problem, in);
    struct toy_output *const wrong = new_guarded(&toy_problem, in);
    struct bench_difference none = {0}, one = {0};
    struct bench_work work = {0, 0};
    struct bench_sink sink = {0};
    struct bench_sums sums = {0};

    for (int i = 0; i < 4; i++)
        right->nearest[i] = wrong->nearest[i] = (uint16_t)(i * DISPARITY_SCALE);
    wrong->nearest[3]++;
    toy_problem.compare(&params, in, right, right, &none);
    toy_problem.compare(&params, in, right, wrong, &one);
    assert_true(none.n_wrong == 0 && none.n_compared == 4);
    assert_true(one.n_wrong == 1 && strstr(one.where, "pixel 3: "));
    toy_problem.count_work(in, right, &work);
    assert_true(work.bytes == 4 * 4 && work.ops == 4 * 9);
    assert_int_equal(toy_problem.sum(in, right, right, 0, &sums), BENCH_OK);
    assert_int_equal(toy_problem.values(&sums, &sink), BENCH_OK);
    assert_values(&sink, VALUES({"nearest_px", 1.5}));
    bench_sums_free(&sums);
}

int main(void)
{
    return run_variant_tests();
}
