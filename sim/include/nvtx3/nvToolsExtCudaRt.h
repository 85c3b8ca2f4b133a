/* nvToolsExtCudaRt.h - the names NVTX gives to streams, events and devices: nvToolsExt.h has them. */
#include "nvToolsExt.h"
