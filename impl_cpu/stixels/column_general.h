/*
 * column_general.h - one column of blocks to stixels by any model that b12 and b6 are not:
 * flat, Pfeiffer's priors, top-down, a deviation for each stixel
 *
 * Source: [STX] sect. 3.2-3.4 and Table 1 (its rows without slant); stixels.h and
 *         stixels/general.h have the definition.  The table of object costs by whole disparity
 *         is the idea of dhernandez0/stixels.
 * Work:   3 n_rows (n_rows + 1) / 2 candidates, each in constant time: slanted ones from the
 *         sums of eq. 11, flat ones from prefix sums of the rows' costs, of which an object has
 *         one for each whole disparity.
 *
 * Written to be read and compared, not to be fast: column.h and openmp.c's vectors stay with
 * b12.
 */
#ifndef IMPL_CPU_STIXELS_COLUMN_GENERAL_H
#define IMPL_CPU_STIXELS_COLUMN_GENERAL_H

#include "harness/problems/stixels/general.h"
#include "impl_cpu/stixels/column.h"
#include "impl_cpu/stixels/flat_tables.h"

/* BENCH_ESKIP where eq. 12's variants cannot take the model. */
static inline enum bench_status general_check(const struct stixels_model *model, int exact,
                                              const char *cubic)
{
    if (model->data_term != STIXELS_E12 && !model->flat)
        return BENCH_FAIL(BENCH_ESKIP,
                          "the uniform part of eq. 6 has no constant-time form; "
                          "%s sums it over the rows",
                          cubic);
    if (exact && model->zg == STIXELS_ZG_TRUNCATED)
        return BENCH_FAIL(BENCH_ESKIP,
                          "zg = truncated needs erf and log, whose last bit differs "
                          "between machines: it has no exact arithmetic");
    return BENCH_OK;
}

/* log Z_G in 1/1024 nat where it is not among the model's constants, else 0. */
static inline int32_t general_log_z(const struct stixels_model *model, double sigma2, double d)
{
    if (!model->own_log_z)
        return 0;
    return model->zg == STIXELS_ZG_TRUNCATED ? stixels_truncated_log_z(sigma2, model->d_max, d)
                                             : stixels_log_z(sigma2);
}

#define REAL    double
#define NAME(x) x##_double
#include "impl_cpu/stixels/column_general_dp.h"
#undef REAL
#undef NAME

#define REAL    float
#define NAME(x) x##_float
#include "impl_cpu/stixels/column_general_dp.h"
#undef REAL
#undef NAME

/* Segment the loaded column; c->found holds its stixels from the top down.  Returns how many,
 * at least 1. */
static inline int general_segment(struct column *c, const struct general *general, int exact)
{
    return exact ? general_segment_double(c, general) : general_segment_float(c, general);
}

#endif
