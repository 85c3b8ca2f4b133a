/* Atomics of a toolkit's libcu++: the compiler's own everywhere, which the executor's hooks see with their orders, in place
 * of inline PTX in device code. */
#include <nv/target>
#pragma push_macro("NV_IS_DEVICE")
#pragma push_macro("NV_IS_HOST")
#undef NV_IS_DEVICE
#undef NV_IS_HOST
#define NV_IS_DEVICE false
#define NV_IS_HOST true
#include_next <cuda/std/__atomic/types/base.h>
#pragma pop_macro("NV_IS_HOST")
#pragma pop_macro("NV_IS_DEVICE")
