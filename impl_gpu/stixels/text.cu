/*
 * text.cu - column_kernel with nothing but what [STX] says: stixels/gpu-paper and gpu-cubic
 * under code = text
 *
 * Source: [STX] sect. 4.3-4.5.  Each table lies by itself in shared memory.  The paper names no
 *         flags: multiply-adds are fused, divisions and logarithms are the GPU's own (TEXT_CU).
 * Millions of warp instructions of a frame of 18 classes, for the printed time x IPC x 8 SMs x
 * 1377 MHz of Fig. 9a, and registers of eq. 12, for the printed 79 (an H200, ncu):
 *
 *                                         eq. 12: 8 x 8   4 x 4   eq. 6: 8 x 8   4 x 4
 *   printed                                        29.1   187.9          158.9  1537.5
 *   this one                    89 registers       30.7   203.2          154.1  1622.0
 *   numbers of classes unknown to the compiler     38.5   256.2          151.1  1599.9
 *   and all by --use_fast_math                     38.0   253.5          132.1  1370.9
 *   exact divisions             63 registers       34.3   226.6          156.3  1635.4
 *   code = tuned                64 registers       27.8   183.5
 */
#ifdef __NVCC__ /* an emulated GPU has no logarithms of its own */
#define logf  __logf
#define log2f __log2f
#endif
#include "impl_gpu/stixels/choose.cuh"

struct chosen_kernel stixels_text_kernel(const struct stixels_input *in, enum column_form form)
{
    return form == FORM_ROWS ? choose_classes<FORM_ROWS, SHARED_TABLES, true>(in)
                             : choose_classes<FORM_B, SHARED_TABLES, true>(in);
}
