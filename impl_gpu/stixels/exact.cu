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
        return choose_kernel<double, any_classes, true, false, false, false>(in);
    if (option_a)
        return global ? choose_kernel<double, any_classes, false, true, true, false>(in)
                      : choose_kernel<double, any_classes, false, true, false, false>(in);
    return global ? choose_kernel<double, any_classes, false, false, true, false>(in)
                  : choose_kernel<double, any_classes, false, false, false, false>(in);
}
