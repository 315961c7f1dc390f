/*
 * exact.cu - column_kernel: integer tables, double energies, nothing contracted
 *
 * Source: [STX] sect. 4.3-4.5: the source of float.cu's kernels with another number type.  All
 *         GPU variants run these under arith = exact.
 */
#include "impl_gpu/stixels/choose.cuh"

struct chosen_kernel stixels_exact_kernel(const struct stixels_input *in, bool rows,
                                          bool option_a, bool global)
{
    if (rows)
        return choose_kernel<double, any_classes, true, false, SHARED_ROWS, false>(in);
    if (option_a)
        return global
                   ? choose_kernel<double, any_classes, false, true, GLOBAL_TABLES, false>(in)
                   : choose_kernel<double, any_classes, false, true, SHARED_ROWS, false>(in);
    return global ? choose_kernel<double, any_classes, false, false, GLOBAL_TABLES, false>(in)
                  : choose_kernel<double, any_classes, false, false, SHARED_ROWS, false>(in);
}
