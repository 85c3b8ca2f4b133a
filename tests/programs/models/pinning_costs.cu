// What pinning costs where a model says so: new memory by the MiB, memory that is there far less, and giving either back.
// run: THREELANE_MODEL=unit+malloc_host=1000+malloc_host_per_mib=400000+free_host=2000+free_host_per_mib=100000+host_register=5000+host_register_per_mib=30000+host_unregister_per_mib=20000
// out: malloc 1601, free 402, register 125, unregister 82
#include "exact.h"

template <class F> static long long us(F call)
{
    long long begin = now_ns();
    call();
    return (now_ns() - begin) / 1000;
}

int main()
{
    const size_t bytes = 4 << 20;
    void *p, *there = aligned_alloc(4096, bytes);
    MUST(cudaDeviceSynchronize());
    printf("malloc %lld, ", us([&] { MUST(cudaMallocHost(&p, bytes)); }));
    printf("free %lld, ", us([&] { MUST(cudaFreeHost(p)); }));
    printf("register %lld, ", us([&] { MUST(cudaHostRegister(there, bytes, 0)); }));
    printf("unregister %lld\n", us([&] { MUST(cudaHostUnregister(there)); }));
    free(there);
    return 0;
}
