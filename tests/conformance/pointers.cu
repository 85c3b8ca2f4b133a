// What a pointer is; where pinned memory lies for the device; plain and pitched allocation.
// run: THREELANE_MODEL=h200
// out: ok pointers
#include "conformance.h"

int main()
{
    static int plain;
    int *d, *h, *m, *seen;
    unsigned flags;
    size_t pitch;
    cudaPointerAttributes a;
    warm_up();
    OK(cudaMalloc(&d, 4096));
    OK(cudaMallocHost(&h, 4096));
    OK(cudaMallocManaged(&m, 4096));

    OK(cudaPointerGetAttributes(&a, &plain));
    CHECK(a.type == cudaMemoryTypeUnregistered && (int)a.type == 0);
    OK(cudaPointerGetAttributes(&a, h + 8));
    CHECK(a.type == cudaMemoryTypeHost && (int)a.type == 1);
    CHECK(a.devicePointer == h + 8 && a.hostPointer == h + 8);
    OK(cudaPointerGetAttributes(&a, d + 8));
    CHECK(a.type == cudaMemoryTypeDevice && (int)a.type == 2 && a.device == 0 && a.devicePointer == d + 8);
    OK(cudaPointerGetAttributes(&a, m));
    CHECK(a.type == cudaMemoryTypeManaged);

    OK(cudaHostGetDevicePointer(&seen, h, 0));
    CHECK(seen == h);
    IS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&seen, &plain, 0));
    OK(cudaHostGetFlags(&flags, h));
    CHECK(flags & cudaHostAllocMapped);
    int *w;
    OK(cudaHostAlloc(&w, 4096, cudaHostAllocWriteCombined | cudaHostAllocPortable));
    OK(cudaHostGetFlags(&flags, w));
    CHECK((flags & cudaHostAllocWriteCombined) && (flags & cudaHostAllocPortable));
    IS(cudaErrorInvalidValue, cudaHostAlloc(&w, 4096, 0x80));

    CHECK((size_t)d % 256 == 0);
    char *p;
    OK(cudaMallocPitch(&p, &pitch, 100, 10));
    CHECK(pitch >= 100 && pitch % 256 == 0);
    CHECK((size_t)p % 256 == 0);
    return finish("pointers");
}
