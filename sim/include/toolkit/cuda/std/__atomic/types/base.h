/* Atomics of a toolkit's libcu++: the compiler's own everywhere, which the executor's hooks see with their orders, in place
 * of inline PTX in device code. */
#include <nv/target>
#pragma push_macro("NV_DISPATCH_TARGET")
#pragma push_macro("NV_IF_TARGET")
#undef NV_DISPATCH_TARGET
#undef NV_IF_TARGET
#define NV_DISPATCH_TARGET(DEVICE, ON_DEVICE, HOST, ...) { THREELANE_STRIP(__VA_ARGS__) }
#define NV_IF_TARGET(DEVICE, ON_DEVICE, ...) { THREELANE_STRIP(__VA_ARGS__) }
#include_next <cuda/std/__atomic/types/base.h>
#pragma pop_macro("NV_IF_TARGET")
#pragma pop_macro("NV_DISPATCH_TARGET")
