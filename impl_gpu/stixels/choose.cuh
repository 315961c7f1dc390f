/*
 * choose.cuh - which instantiation of column_kernel an input takes
 *
 * They are compiled in two files, since their flags differ: exact.cu (double, nothing
 * contracted: the Makefile's NVFPFLAGS) and float.cu (fused and fast: NVFASTFLAGS).
 */
#ifndef STIXELS_CHOOSE_CUH
#define STIXELS_CHOOSE_CUH

#include "impl_gpu/stixels/column_kernel.cuh"

typedef void column_kernel_fn(struct column_task task);

/* A kernel, usually an instantiation of column_kernel, and its shared memory. */
struct chosen_kernel {
    const void *function;
    /* the same with a clock at each border of its stages, for the stage pass; or NULL */
    const void *stamped;
    size_t shared_bytes;
    size_t workspace_bytes; /* of a column, where the tables lie in global memory; else 0 */
    int n_threads;          /* of a column */
};

/* 'global': tables in global memory, for eq. 12 alone. */
struct chosen_kernel stixels_exact_kernel(const struct stixels_input *in, enum column_form form,
                                          bool global);
struct chosen_kernel stixels_float_kernel(const struct stixels_input *in, enum column_form form,
                                          bool global);
/* FORM_B and FORM_ROWS alone. */
struct chosen_kernel stixels_text_kernel(const struct stixels_input *in, enum column_form form);

/* A column has a thread for each row, so many at most for many registers. */
#define FEW_ROWS 512

/* At candidate rows: so many for each row, as far as as many registers allow. */
#define CUTS_THREADS 4

template <typename REAL, typename CLASSES, enum column_form FORM, enum table_memory MEMORY,
          bool STAGES>
static const void *choose_threads(int n_rows)
{
    /* exact arithmetic is not timed: one form does for it */
    const bool many = sizeof(REAL) == sizeof(double);
    column_kernel_fn *const few = column_kernel < REAL, CLASSES, FORM, MEMORY,
                            many ? STIXELS_MAX_ROWS : FEW_ROWS, STAGES > ;
    column_kernel_fn *const all =
        column_kernel<REAL, CLASSES, FORM, MEMORY, STIXELS_MAX_ROWS, STAGES>;

    return (const void *)(n_rows <= FEW_ROWS ? few : all);
}

/* STAMPED: with stages of its stages. */
template <typename REAL, typename CLASSES, enum column_form FORM, enum table_memory MEMORY,
          bool STAMPED>
static struct chosen_kernel choose_kernel(const struct stixels_input *in)
{
    enum { ROWS = FORM >= FORM_ROWS };
    const int warps = (in->n_rows + STIXELS_WARP - 1) / STIXELS_WARP;
    const int most = in->n_rows <= FEW_ROWS ? FEW_ROWS : STIXELS_MAX_ROWS;
    struct chosen_kernel kernel;

    kernel.function = choose_threads<REAL, CLASSES, FORM, MEMORY, false>(in->n_rows);
    kernel.stamped =
        STAMPED ? choose_threads<REAL, CLASSES, FORM, MEMORY, STAMPED>(in->n_rows) : NULL;
    kernel.shared_bytes = column_shared_bytes<REAL, FORM, MEMORY>(in->n_rows, in->n_classes);
    kernel.workspace_bytes =
        MEMORY == GLOBAL_TABLES ? tables_bytes<REAL, ROWS>(in->n_rows, in->n_classes) : 0;
    kernel.n_threads = warps * STIXELS_WARP * (FORM == FORM_CUTS ? CUTS_THREADS : 1);
    kernel.n_threads = kernel.n_threads > most ? most : kernel.n_threads;
    return kernel;
}

/* The paper's 18 classes: Cityscapes without the last, as presets b12 and b6 sort them. */
typedef known_classes<14, 3, 1> cityscapes;

/* True if all frames have this number of classes of each geometry. */
template <typename CLASSES> static bool has_classes(const struct stixels_input *in)
{
    for (int f = 0; f < in->n_frames; f++) {
        int n[STIXELS_N_GEOMETRIES] = {0, 0, 0};

        for (int k = 0; k < in->n_classes; k++)
            if (in->model[f].geometry_of[k] >= 0)
                n[in->model[f].geometry_of[k]]++;
        for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
            if (n[g] != CLASSES::of(g))
                return false;
    }
    return in->n_classes == CLASSES::N;
}

/* A kernel in float; STAMPED: with stages of its stages. */
template <enum column_form FORM, enum table_memory MEMORY, bool STAMPED>
static struct chosen_kernel choose_classes(const struct stixels_input *in)
{
    return has_classes<cityscapes>(in)
               ? choose_kernel<float, cityscapes, FORM, MEMORY, STAMPED>(in)
               : choose_kernel<float, any_classes, FORM, MEMORY, STAMPED>(in);
}

#endif
