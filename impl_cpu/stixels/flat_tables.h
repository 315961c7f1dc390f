/*
 * flat_tables.h - memory for the prefix sums of a flat model's costs, which column_general.h
 * fills
 *
 * Source: the table of object costs by whole disparity is the idea of dhernandez0/stixels.
 */
#ifndef IMPL_CPU_STIXELS_FLAT_TABLES_H
#define IMPL_CPU_STIXELS_FLAT_TABLES_H

#include "harness/problems/stixels/stixels.h"
#include "harness/problems/stixels/general.h"

#include <stdlib.h>

/* What a flat model needs of one column; empty for others. */
struct general {
    int n_disparities;
    int32_t *ground, *sky; /* [n_rows + 1], cost of the rows before v, 1/1024 nat; owned */
    int32_t *object;       /* [n_rows + 1][n_disparities], the same about each; owned */
    double *sigma2;        /* [n_disparities], of an object; owned */
    int32_t *log_z;        /* [n_disparities], 1/1024 nat; 0 where k_gauss has it; owned */
};

/* A row's cost must fit so often into a prefix sum: 2^31 / 2^10 rows / 2^10. */
#if (STIXELS_MAX_ROWS > 1024)
#error "prefix sums of costs of 2^21 / 1024 nat are too small for so many rows"
#endif

static inline enum bench_status general_alloc(struct general *g, const struct stixels_input *in)
{
    const size_t n_rows = (size_t)in->n_rows + 1;
    size_t n_disparities = 0;

    for (int f = 0; f < in->n_frames; f++)
        if (in->model[f].flat && (size_t)stixels_n_disparities(&in->model[f]) > n_disparities)
            n_disparities = (size_t)stixels_n_disparities(&in->model[f]);
    if (n_disparities == 0)
        return BENCH_OK;
    g->n_disparities = (int)n_disparities;
    g->ground = calloc(n_rows, sizeof *g->ground);
    g->sky = calloc(n_rows, sizeof *g->sky);
    g->object = calloc(n_rows * n_disparities, sizeof *g->object);
    g->sigma2 = malloc(n_disparities * sizeof *g->sigma2);
    g->log_z = malloc(n_disparities * sizeof *g->log_z);
    if (!g->ground || !g->sky || !g->object || !g->sigma2 || !g->log_z)
        return BENCH_FAIL(BENCH_ENOMEM,
                          "no memory for the costs of a column of %d rows at %zu disparities",
                          in->n_rows, n_disparities);
    return BENCH_OK;
}

static inline void general_free(struct general *g)
{
    free(g->ground);
    free(g->sky);
    free(g->object);
    free(g->sigma2);
    free(g->log_z);
}

#endif
