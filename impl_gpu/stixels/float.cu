/*
 * float.cu - column_kernel in float: what stixels/gpu-paper, gpu-cubic and gpu-cuts-cubic time
 *
 * Source: [STX] sect. 4.3-4.5.  Compiled with the Makefile's NVFASTFLAGS, --use_fast_math:
 *         multiply-adds fused, as nvcc does by default; log, log2, exp2 and divisions by the
 *         GPU's own approximate instructions; denormal numbers are 0.
 */
#include "impl_gpu/stixels/choose.cuh"

/* Only what the paper chose has an instantiation that times its stages. */
template <enum column_form FORM, enum table_memory MEMORY>
static struct chosen_kernel choose_float(const struct stixels_input *in)
{
    return choose_classes < FORM, MEMORY, FORM != FORM_A && MEMORY == SHARED_ROWS > (in);
}

struct chosen_kernel stixels_float_kernel(const struct stixels_input *in, enum column_form form,
                                          bool global)
{
    if (form == FORM_CUTS)
        return choose_float<FORM_CUTS, SHARED_ROWS>(in);
    if (form == FORM_ROWS)
        return choose_float<FORM_ROWS, SHARED_ROWS>(in);
    if (form == FORM_A)
        return global ? choose_float<FORM_A, GLOBAL_TABLES>(in)
                      : choose_float<FORM_A, SHARED_ROWS>(in);
    return global ? choose_float<FORM_B, GLOBAL_TABLES>(in)
                  : choose_float<FORM_B, SHARED_ROWS>(in);
}
