/*
 * exact.cu - column_kernel: integer tables, double energies, nothing contracted
 *
 * Source: [STX] sect. 4.3-4.5: the source of float.cu's kernels with another number type.  All
 *         GPU variants run these under arith = exact.
 */
#include "impl_gpu/stixels/choose.cuh"

template <enum column_form FORM, enum table_memory MEMORY>
static struct chosen_kernel choose_exact(const struct stixels_input *in)
{
    return choose_kernel<double, any_classes, FORM, MEMORY, false>(in);
}

struct chosen_kernel stixels_exact_kernel(const struct stixels_input *in, enum column_form form,
                                          bool global)
{
    if (form == FORM_CUTS)
        return choose_exact<FORM_CUTS, SHARED_ROWS>(in);
    if (form == FORM_ROWS)
        return choose_exact<FORM_ROWS, SHARED_ROWS>(in);
    if (form == FORM_A)
        return global ? choose_exact<FORM_A, GLOBAL_TABLES>(in)
                      : choose_exact<FORM_A, SHARED_ROWS>(in);
    return global ? choose_exact<FORM_B, GLOBAL_TABLES>(in)
                  : choose_exact<FORM_B, SHARED_ROWS>(in);
}
