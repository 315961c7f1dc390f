/*
 * test_model_poison.c - the exact models name nothing of libm, or this file does not compile
 *
 * libm's last bit differs between machines, and exact results may not depend on it.  Poisoned
 * names are errors wherever they stand in the headers below, the compiler's built-ins included.
 */

#if defined(STIXELS_MODEL_H) || defined(RDP_MODEL_H)
#error "the models were read before the names were poisoned"
#endif

/* clang-format off */
#pragma GCC poison exp expf expl exp2 exp2f exp10 exp10f expm1
#pragma GCC poison expm1f log logf logl log2 log2f log10 log10f log1p log1pf
#pragma GCC poison pow powf powl sqrt sqrtf sqrtl cbrt cbrtf hypot
#pragma GCC poison hypotf erf erff erfc erfcf lgamma lgammaf tgamma tgammaf
#pragma GCC poison sin sinf cos cosf tan tanf atan atanf atan2 atan2f
#pragma GCC poison sinh cosh tanh tanhf fma fmaf fmod fmodf
#pragma GCC poison __builtin_exp __builtin_expf __builtin_log __builtin_logf
#pragma GCC poison __builtin_log1p __builtin_log1pf
#pragma GCC poison __builtin_pow __builtin_powf __builtin_sqrt __builtin_sqrtf
#pragma GCC poison __builtin_fma __builtin_fmaf
/* clang-format on */

#include "harness/problems/rdp/model.h"
#include "harness/problems/stixels/general.h"
#include "harness/problems/stixels/model.h"

#ifdef _MATH_H
#error "a model includes math.h"
#endif

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include "tests/test.h"

/* The headers above are the models, and they compute. */
TEST(models_without_libm)
{
    assert_int_equal(stixels_log(1), 0);
    assert_int_equal(stixels_softplus(0), 710); /* 1024 log 2 = 709.78 */
    assert_int_equal(stixels_log_px(1), 0);
    assert_int_equal(rdp_cost(0, 2, 0, 5, 1), 10);
}
