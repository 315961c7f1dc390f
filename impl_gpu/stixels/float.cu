/*
 * float.cu - column_kernel in float: what stixels/gpu-paper and stixels/gpu-cubic time
 *
 * Source: [STX] sect. 4.3-4.5.  Compiled with the Makefile's NVFASTFLAGS, --use_fast_math:
 *         multiply-adds fused, as nvcc does by default; log, log2, exp2 and divisions by the
 *         GPU's own approximate instructions; denormal numbers are 0.
 */
#include "impl_gpu/stixels/choose.cuh"

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

/* Only what the paper chose has an instantiation that times its stages. */
template <bool ROWS, bool OPTION_A, enum table_memory MEMORY>
static struct chosen_kernel choose_classes(const struct stixels_input *in)
{
    const bool stamped = !OPTION_A && MEMORY == SHARED_ROWS;

    return has_classes<cityscapes>(in)
               ? choose_kernel<float, cityscapes, ROWS, OPTION_A, MEMORY, stamped>(in)
               : choose_kernel<float, any_classes, ROWS, OPTION_A, MEMORY, stamped>(in);
}

struct chosen_kernel stixels_float_kernel(const struct stixels_input *in, bool rows,
                                          bool option_a, bool global)
{
    if (rows)
        return choose_classes<true, false, SHARED_ROWS>(in);
    if (option_a)
        return global ? choose_classes<false, true, GLOBAL_TABLES>(in)
                      : choose_classes<false, true, SHARED_ROWS>(in);
    return global ? choose_classes<false, false, GLOBAL_TABLES>(in)
                  : choose_classes<false, false, SHARED_ROWS>(in);
}
