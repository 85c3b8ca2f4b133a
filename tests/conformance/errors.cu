// What wrong calls return; none of it is sticky.
// run: THREELANE_MODEL=h200
// out: ok errors
#include "conformance.h"

__global__ void nothing() {}

static cudaError_t launch(dim3 grid, dim3 block, size_t shared = 0)
{
    nothing<<<grid, block, shared>>>();
    return cudaGetLastError();
}

int main()
{
    static char plain[4096], other[4096];
    char *d = NULL, *h = NULL, *p;
    void *null = NULL;
    size_t free_bytes, total_bytes;
    cudaStream_t s;
    cudaDeviceProp prop;
    warm_up();
    OK(cudaStreamCreate(&s));

    // Nothing to free, nothing to allocate.
    IS(cudaSuccess, cudaFree(NULL));
    IS(cudaSuccess, cudaFreeHost(NULL));
    IS(cudaSuccess, cudaMalloc(&null, 0));
    IS(cudaSuccess, cudaMallocHost(&null, 0));
    IS(cudaSuccess, cudaMallocAsync(&null, 0, s));
    IS(cudaSuccess, cudaFreeAsync(NULL, s));

    // Allocation.
    IS(cudaErrorInvalidValue, cudaMalloc((void **)NULL, 4));
    OK(cudaMemGetInfo(&free_bytes, &total_bytes));
    CHECK(free_bytes > 0 && free_bytes <= total_bytes);
    IS(cudaErrorMemoryAllocation, cudaMalloc(&null, 2 * total_bytes));
    IS(cudaErrorMemoryAllocation, cudaGetLastError());
    OK(cudaMalloc(&d, 4096));
    OK(cudaMallocHost(&h, 4096));
    IS(cudaErrorInvalidValue, cudaFree(h));
    IS(cudaErrorInvalidValue, cudaFree(plain));
    IS(cudaErrorInvalidValue, cudaFree(d + 4));
    IS(cudaErrorInvalidValue, cudaFreeHost(d));
    IS(cudaErrorInvalidValue, cudaFreeHost(plain));
    OK(cudaMalloc(&p, 4096));
    OK(cudaFree(p));
    IS(cudaErrorInvalidValue, cudaFree(p));

    // Copies and sets.
    IS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d, plain, 4, (cudaMemcpyKind)9));
    IS(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(d, h, 4, (cudaMemcpyKind)9, s));
    IS(cudaErrorInvalidValue, cudaMemcpy(plain, d, 4, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemcpy(d, plain, 4, cudaMemcpyDeviceToHost));
    IS(cudaErrorInvalidValue, cudaMemcpy(d, plain, 4, cudaMemcpyDeviceToDevice));
    IS(cudaErrorInvalidValue, cudaMemcpy(d, NULL, 4, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemcpy(NULL, d, 4, cudaMemcpyDeviceToHost));
    IS(cudaErrorInvalidValue, cudaMemset(plain, 0, 4));
    IS(cudaErrorInvalidValue, cudaMemsetAsync(plain, 0, 4, s));
    IS(cudaSuccess, cudaMemset(h, 5, 4));
    OK(cudaMemset(d, 0, 4));
    IS(cudaSuccess, cudaMemcpy(plain, d, 4, cudaMemcpyDefault));
    IS(cudaSuccess, cudaMemcpy(d, plain, 4, cudaMemcpyDefault));
    IS(cudaSuccess, cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    IS(cudaSuccess, cudaMemcpy(NULL, NULL, 0, (cudaMemcpyKind)9));
    IS(cudaSuccess, cudaMemcpy(h, plain, 4, cudaMemcpyHostToDevice));     // pinned memory may be either side
    IS(cudaSuccess, cudaMemcpy(h, d, 4, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemcpy(plain, other, 4, cudaMemcpyDeviceToHost));
    OK(cudaMemset(d, 9, 4));
    IS(cudaSuccess, cudaMemcpy(other, d, 4, cudaMemcpyHostToHost));       // unified addresses: it is a copy back
    CHECK(other[0] == 9);

    // Past the end of an allocation, by a byte or by 4 GiB.
    IS(cudaErrorInvalidValue, cudaMemcpy(d, h, 4097, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemcpyAsync(h, d + 4090, 7, cudaMemcpyDeviceToHost, s));
    IS(cudaErrorInvalidValue, cudaMemset(d, 0, 4097));
    IS(cudaErrorInvalidValue, cudaMemsetAsync(d + 4096, 0, 1, s));
    IS(cudaErrorInvalidValue, cudaMemcpy(d, h, 1ull << 32, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemset(d, 0, 1ull << 40));

    // Launches.
    IS(cudaErrorInvalidValue, launch(0, 1));
    IS(cudaErrorInvalidValue, launch(1, 0));
    IS(cudaErrorInvalidValue, launch(1, 1025));
    IS(cudaErrorInvalidValue, launch(1, dim3(32, 33)));
    IS(cudaErrorInvalidValue, launch(1, dim3(1, 1, 65)));
    IS(cudaErrorInvalidValue, launch(dim3(1, 65536), 1));
    IS(cudaErrorInvalidValue, launch(1, 1, 1 << 20));
    IS(cudaErrorInvalidValue, launch(1, 1, 100 << 10));       // more than 48 KiB must be asked for
    OK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    IS(cudaSuccess, launch(1, 1, 100 << 10));

    // Devices.
    IS(cudaErrorInvalidDevice, cudaSetDevice(99));
    IS(cudaErrorInvalidDevice, cudaSetDevice(-1));
    IS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, 9));
    IS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&s, 99));

    // Registering.
    OK(cudaHostRegister(plain, sizeof plain, cudaHostRegisterDefault));
    IS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(plain, sizeof plain, cudaHostRegisterDefault));
    OK(cudaHostUnregister(plain));
    IS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(plain));
    IS(cudaErrorInvalidValue, cudaHostUnregister(NULL));
    IS(cudaErrorInvalidValue, cudaHostUnregister(h));
    IS(cudaErrorInvalidValue, cudaHostRegister(h, 4096, cudaHostRegisterDefault));
    IS(cudaErrorInvalidValue, cudaHostRegister(NULL, 4096, cudaHostRegisterDefault));

    // Default streams cannot be destroyed; freed memory cannot be copied.
    IS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(0));
    IS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(cudaStreamPerThread));
    IS(cudaErrorInvalidValue, cudaMemcpy(p, h, 4, cudaMemcpyHostToDevice));

    // Nothing of this stays.
    cudaGetLastError();
    IS(cudaSuccess, cudaDeviceSynchronize());
    IS(cudaSuccess, cudaGetLastError());
    return finish("errors");
}
// hazard: wrong-memory 41
// hazard: wrong-memory 42
// hazard: wrong-memory 43
// hazard: wrong-memory 44
// hazard: wrong-memory 45
// hazard: use-after-free 47 112
// hazard: use-after-free 47 48
// hazard: wrong-memory 53
// hazard: wrong-memory 54
// hazard: wrong-memory 55
// hazard: wrong-memory 58
// hazard: wrong-memory 59
// hazard: wrong-memory 67
// hazard: wrong-memory 68
// hazard: wrong-memory 70
// hazard: out-of-bounds 74
// hazard: out-of-bounds 75
// hazard: out-of-bounds 76
// hazard: out-of-bounds 77
// hazard: out-of-bounds 78
// hazard: out-of-bounds 79
// hazard: use-after-free 102 103
// hazard: wrong-memory 105
