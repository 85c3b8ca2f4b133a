/* nvToolsExt.h - NVTX where version 2 had it. */
#include "nvtx3/nvToolsExt.h"
