#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>

static void CUDA_CB add_one(void *data) { ++*(int *)data; }

int c_part(CUfunction add);
int c_part(CUfunction add)
{
    CUdevice device;
    CUcontext context, now;
    CUdeviceptr d;
    CUstream stream;
    CUevent done;
    int *h, by = 40;
    void *arguments[] = {&d, &by};
    if (cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxPushCurrent(context)) return 1;
    if (cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) || cuEventCreate(&done, CU_EVENT_DISABLE_TIMING)) return 2;
    if (cuMemAlloc_v2(&d, sizeof *h) || cuMemAllocHost((void **)&h, sizeof *h)) return 3;
    if (cuMemsetD32Async(d, 1, 1, stream) || cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL)) return 4;
    if (cuMemcpyDtoHAsync(h, d, sizeof *h, stream) || cuLaunchHostFunc(stream, add_one, h)) return 5;
    if (cuEventRecord(done, stream) || cuEventSynchronize(done)) return 6;
    if (cudaStreamSynchronize(stream) != cudaSuccess || cuCtxPopCurrent(&now) || now != context) return 7;
    if (cuStreamCreate(&stream, 0) != CUDA_SUCCESS) return 8;
    by = *h;
    return cuMemFree(d) || cuMemFreeHost(h) || cuEventDestroy(done) || cuDevicePrimaryCtxRelease(device) ? 9 : by;
}
