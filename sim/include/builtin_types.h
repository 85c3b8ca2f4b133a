/* builtin_types.h - the types of the CUDA runtime API. */
#include "driver_types.h"
#include "vector_types.h"
