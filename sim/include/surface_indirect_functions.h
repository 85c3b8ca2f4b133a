/* surface_indirect_functions.h - what CUDA has in it is in threelane/texture.h. */
#ifdef __cplusplus
#include "threelane/texture.h"
#else
#include "cuda_runtime.h"
#endif
