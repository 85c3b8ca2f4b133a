/* surface_types.h - what CUDA has in it is in driver_types.h. */
#include "driver_types.h"
