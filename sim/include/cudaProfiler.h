/* cudaProfiler.h - the driver's switches for a profiler: as those of the runtime. */
#ifndef CUDAPROFILER_H
#define CUDAPROFILER_H
#include "cuda.h"
#include "cuda_runtime_api.h"

static inline CUresult cuProfilerStart(void) { return (CUresult)cudaProfilerStart(); }
static inline CUresult cuProfilerStop(void) { return (CUresult)cudaProfilerStop(); }
#endif
