// Messages about streams of the driver API have its names.
// flags: -lcuda
// hazard: race A B
// err: why: stream 1 was made with CU_STREAM_NON_BLOCKING: the default stream does not order it
// hazard: host-race C D
// err: wait for it with cuEventSynchronize before line 20
#include <cuda.h>
#include <cuda_runtime.h>

int main()
{
    CUstream stream;
    unsigned *host;
    static unsigned *device;
    cuInit(0), cudaFree(0);
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    cudaMalloc(&device, 4096), cudaMemset(device, 0, 4096), cuCtxSynchronize();
    cuMemAllocHost((void **)&host, 4096);
    cuMemcpyDtoHAsync(host, (CUdeviceptr)device, 4096, stream); // C
    unsigned first = host[0];                                   // D
    cuCtxSynchronize();
    cuMemsetD8Async((CUdeviceptr)device, 0, 4096, 0);      // A
    cuMemsetD8Async((CUdeviceptr)device, 0, 4096, stream); // B
    cuCtxSynchronize();
    return first == 12345;
}
