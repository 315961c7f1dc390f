/*
 * float.cu - column_kernel in float: what stixels/gpu-paper and stixels/gpu-cubic time
 *
 * Source: [STX] sect. 4.3-4.5.  Compiled with the Makefile's NVFASTFLAGS, --use_fast_math:
 *         multiply-adds fused, as nvcc does by default; log, log2, exp2 and divisions by the
 *         GPU's own approximate instructions; denormal numbers are 0.
 */
#include "impl_gpu/stixels/choose.cuh"

/* Only what the paper chose has an instantiation that times its stages. */
template <bool ROWS, bool OPTION_A, enum table_memory MEMORY>
static struct chosen_kernel choose_float(const struct stixels_input *in)
{
    return choose_classes < ROWS, OPTION_A, MEMORY, !OPTION_A && MEMORY == SHARED_ROWS > (in);
}

struct chosen_kernel stixels_float_kernel(const struct stixels_input *in, bool rows,
                                          bool option_a, bool global)
{
    if (rows)
        return choose_float<true, false, SHARED_ROWS>(in);
    if (option_a)
        return global ? choose_float<false, true, GLOBAL_TABLES>(in)
                      : choose_float<false, true, SHARED_ROWS>(in);
    return global ? choose_float<false, false, GLOBAL_TABLES>(in)
                  : choose_float<false, false, SHARED_ROWS>(in);
}
