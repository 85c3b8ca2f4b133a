// The default pool of a device: how much it keeps, and what is in use.
// out: 0 0 1
// out: used 3000, at most 3000, kept 33554432
// out: after the frees 0, at most 3000, kept 33554432
// out: trimmed 0, begun anew 0
// out: 1 1 101 1
// out: threshold after a reset 0
#include <cstdint>
#include <cstdio>

__global__ void fill(char *p, int n) { for (int i = 0; i < n; i++) p[i] = 1; }

static uint64_t ask(cudaMemPool_t pool, cudaMemPoolAttr what)
{
    uint64_t value = 77;
    cudaMemPoolGetAttribute(pool, what, &value);
    return value;
}

int main()
{
    cudaMemPool_t pool, current;
    cudaStream_t s;
    uint64_t threshold = 40 << 20, zero = 0, one = 1;
    int reuse = 7;
    char *a, *b;
    cudaStreamCreate(&s);
    int got = cudaDeviceGetDefaultMemPool(&pool, 0), set = cudaDeviceSetMemPool(0, pool);
    cudaDeviceGetMemPool(&current, 0);
    printf("%d %d %d\n", got, set, pool == current);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);

    cudaMallocAsync(&a, 1000, s);
    cudaMallocAsync(&b, 2000, s);
    fill<<<1, 1, 0, s>>>(a, 1000);
    fill<<<1, 1, 0, s>>>(b, 2000);
    printf("used %d, at most %d, kept %d\n", (int)ask(pool, cudaMemPoolAttrUsedMemCurrent),
           (int)ask(pool, cudaMemPoolAttrUsedMemHigh), (int)ask(pool, cudaMemPoolAttrReservedMemCurrent));
    cudaFreeAsync(a, s);
    cudaFreeAsync(b, s);
    cudaStreamSynchronize(s);
    printf("after the frees %d, at most %d, kept %d\n", (int)ask(pool, cudaMemPoolAttrUsedMemCurrent),
           (int)ask(pool, cudaMemPoolAttrUsedMemHigh), (int)ask(pool, cudaMemPoolAttrReservedMemCurrent));
    cudaMemPoolTrimTo(pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero);
    printf("trimmed %d, begun anew %d\n", (int)ask(pool, cudaMemPoolAttrReservedMemCurrent),
           (int)ask(pool, cudaMemPoolAttrUsedMemHigh));

    int high = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one);
    int fixed = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero);
    int nowhere = cudaDeviceGetDefaultMemPool(&current, 99);
    cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
    printf("%d %d %d %d\n", high, fixed, nowhere, reuse);
    cudaGetLastError();
    cudaStreamDestroy(s);
    cudaDeviceReset();
    cudaDeviceGetDefaultMemPool(&pool, 0);
    printf("threshold after a reset %d\n", (int)ask(pool, cudaMemPoolAttrReleaseThreshold));
    return 0;
}
