/*
 * text.cu - column_kernel with nothing but what [STX] says: stixels/gpu-paper and gpu-cubic
 * under code = text
 *
 * Source: [STX] sect. 4.3-4.5.  Each table lies by itself in shared memory, classes are looped
 *         over, and nvcc has its default flags: multiply-adds are fused.  Logarithms are the
 *         GPU's own, which the paper's 18 tables of them would otherwise dominate.
 */
#ifdef __NVCC__ /* an emulated GPU has none of its own */
#define logf  __logf
#define log2f __log2f
#endif
#include "impl_gpu/stixels/choose.cuh"

struct chosen_kernel stixels_text_kernel(const struct stixels_input *in, bool rows)
{
    return rows ? choose_kernel<float, any_classes, true, false, SHARED_TABLES, true>(in)
                : choose_kernel<float, any_classes, false, false, SHARED_TABLES, true>(in);
}
