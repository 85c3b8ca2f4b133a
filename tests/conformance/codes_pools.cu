// What the calls of memory pools return, in right and in wrong uses: the table that an H200 printed (CUDA 13.0). What is
// left out crashes there, or is undefined.
// run: THREELANE_MODEL=h200
// check: off
// out: 1 cudaDeviceGetDefaultMemPool(&pool, 0): 0
// out: 2 cudaDeviceGetDefaultMemPool(NULL, 0): 1
// out: 3 cudaDeviceGetDefaultMemPool(&other, 99): 101
// out: 4 cudaDeviceGetDefaultMemPool(&other, -1): 101
// out: 5 cudaDeviceGetMemPool(&other, 0): 0
// out: 6 cudaDeviceGetMemPool(NULL, 0): 1
// out: 7 cudaDeviceGetMemPool(&other, 99): 1
// out: 8 cudaDeviceSetMemPool(0, pool): 0
// out: 9 cudaDeviceSetMemPool(99, pool): 1
// out: 10 cudaDeviceSetMemPool(0, NULL): 1
// out: 11 cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)0, &v): 1
// out: 12 cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &v): 1
// out: 13 cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, NULL): 1
// out: 14 cudaMemPoolGetAttribute(NULL, cudaMemPoolAttrReleaseThreshold, &v): 1
// out: 15 cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &i): 0
// out: 16 cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &i): 0
// out: 17 cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &i): 0
// out: 18 cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &i): 0
// out: 19 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v): 0
// out: 20 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v): 0
// out: 21 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v): 0
// out: 22 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &v): 1
// out: 23 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &v): 1
// out: 24 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &v): 0
// out: 25 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v): 0
// out: 26 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v): 1
// out: 27 cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &v): 1
// out: 28 cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)0, &v): 1
// out: 29 cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &v): 1
// out: 30 cudaMemPoolCreate(&own, &good): 0
// out: 31 cudaMemPoolCreate(NULL, &good): 1
// out: 32 cudaMemPoolCreate(&odd, NULL): 1
// out: 33 cudaMemPoolCreate(&odd, &bad): 1
// out: 34 cudaMemPoolCreate(&odd, &bad): 1
// out: 35 cudaMemPoolCreate(&odd, &bad): 1
// out: 36 cudaMemPoolCreate(&odd, &bad): 1
// out: 37 cudaMemPoolCreate(&odd, &bad): 1
// out: 38 cudaMemPoolCreate(&odd, &bad): 1
// out: 39 cudaMemPoolCreate(&odd, &bad): 1
// out: 40 cudaMemPoolCreate(&odd, &bad): 0
// out: 41 cudaMemPoolCreate(&odd, &bad): 1
// out: 42 cudaMemPoolCreate(&odd, &bad): 1
// out: 43 cudaMemPoolCreate(&odd, &bad): 0
// out: 44 cudaMemPoolCreate(&odd, &bad): 1
// out: 45 cudaMemPoolCreate(&odd, &bad): 0
// out: 46 cudaMemPoolCreate(&odd, &bad): 0
// out: 47 cudaMallocFromPoolAsync(&p, 1000, own, s): 0
// out: 48 cudaFreeAsync(p, s): 0
// out: 49 cudaMallocFromPoolAsync(NULL, 1000, own, s): 1
// out: 50 cudaMallocFromPoolAsync(&q, 0, own, s): 0
// out: 51 cudaMallocFromPoolAsync(&q, SIZE_MAX, own, s): 2
// out: 52 cudaMallocFromPoolAsync(&q, (size_t)1 << 50, own, s): 2
// out: 53 cudaMallocFromPoolAsync(&q, 1000, NULL, s): 1
// out: 54 cudaStreamSynchronize(s): 0
// out: 55 cudaMemPoolDestroy(pool): 1
// out: 56 cudaMemPoolDestroy(NULL): 1
// out: 57 cudaDeviceSetMemPool(0, own): 0
// out: 58 cudaMallocAsync(&p, 1000, s): 0
// out: 59 cudaMemPoolDestroy(own): 0
// out: 60 cudaMemsetAsync(p, 0, 1000, s): 0
// out: 61 cudaStreamSynchronize(s): 0
// out: 62 cudaFreeAsync(p, s): 0
// out: 63 cudaStreamSynchronize(s): 0
// out: 64 cudaMemPoolCreate(&own, &small): 0
// out: 65 cudaMallocFromPoolAsync(&q, 65 << 20, own, s): 2
// out: 66 cudaMallocFromPoolAsync(&q, 64 << 20, own, s): 0
// out: 67 cudaMemPoolDestroy(own): 0
// out: 68 cudaFree(q): 0
// out: 69 cudaMallocAsync((void **)NULL, 100, s): 1
// out: 70 cudaMallocAsync((void **)NULL, 0, s): 1
// out: 71 cudaMallocAsync(&q, 0, s): 0
// out: 72 cudaMallocAsync(&q, SIZE_MAX, s): 2
// out: 73 cudaMallocAsync(&q, (size_t)1 << 44, s): 2
// out: 74 cudaMallocAsync(&p, 1000, s): 0
// out: 75 cudaPointerGetAttributes(&a, p): 0
// out: 76 cudaMemsetAsync(p, 0, 1000, s): 0
// out: 77 cudaMemsetAsync(p, 0, 1024, s): 1
// out: 78 cudaMemsetAsync(p, 0, 1025, s): 1
// out: 79 cudaMemsetAsync(p, 0, 1 << 20, s): 1
// out: 80 cudaMemsetAsync(p, 0, 2 << 20, s): 1
// out: 81 cudaMemsetAsync(p, 0, 64 << 20, s): 1
// out: 82 cudaMemcpyAsync(p, h, 4096, cudaMemcpyHostToDevice, s): 1
// out: 83 cudaStreamSynchronize(s): 0
// out: 84 cudaFreeAsync((char *)p + 4, s): 1
// out: 85 cudaFree((char *)p + 4): 1
// out: 86 cudaFreeAsync((char *)d + 4, s): 1
// out: 87 cudaFreeAsync(h, s): 1
// out: 88 cudaFreeAsync(plain, s): 1
// out: 89 cudaFreeAsync((void *)0x10, s): 1
// out: 90 cudaFreeAsync(NULL, s): 0
// out: 91 cudaFreeHost(p): 1
// out: 92 cudaFreeAsync(p, s): 0
// out: 93 cudaFreeAsync(p, s): 1
// out: 94 cudaFree(p): 1
// out: 95 cudaPointerGetAttributes(&a, p): 0
// out: 96 cudaMemsetAsync(p, 0, 4, s): 1
// out: 97 cudaMemcpyAsync(p, h, 4, cudaMemcpyHostToDevice, s): 1
// out: 98 cudaStreamSynchronize(s): 0
// out: 99 cudaFreeAsync(p, s): 1
// out: 100 cudaPointerGetAttributes(&a, p): 0
// out: 101 cudaMemsetAsync(p, 0, 4, s): 1
// out: 102 cudaMemcpyAsync(p, h, 4, cudaMemcpyHostToDevice, s): 1
// out: 103 cudaMemset(p, 0, 4): 1
// out: 104 cudaStreamSynchronize(s): 0
// out: 105 cudaFreeAsync(d, s): 0
// out: 106 cudaMemsetAsync(d, 0, 4, s): 1
#include "conformance.h"

static cudaStream_t s;

static cudaMemPoolProps props(int kind = 1, int location = 1, int device = 0, size_t most = 0)
{
    cudaMemPoolProps p;
    memset(&p, 0, sizeof p);
    p.allocType = (cudaMemAllocationType)kind;
    p.location.type = (cudaMemLocationType)location;
    p.location.id = device;
    p.maxSize = most;
    return p;
}

static void attributes()
{
    cudaMemPool_t pool = NULL, other = NULL;
    uint64_t v = 0;
    int i = 0;
    CODE(cudaDeviceGetDefaultMemPool(&pool, 0));
    CODE(cudaDeviceGetDefaultMemPool(NULL, 0));
    CODE(cudaDeviceGetDefaultMemPool(&other, 99));
    CODE(cudaDeviceGetDefaultMemPool(&other, -1));
    CODE(cudaDeviceGetMemPool(&other, 0));
    CODE(cudaDeviceGetMemPool(NULL, 0));
    CODE(cudaDeviceGetMemPool(&other, 99));
    CODE(cudaDeviceSetMemPool(0, pool));
    CODE(cudaDeviceSetMemPool(99, pool));
    CODE(cudaDeviceSetMemPool(0, NULL));
    CODE(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)0, &v));
    CODE(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &v));
    CODE(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, NULL));
    CODE(cudaMemPoolGetAttribute(NULL, cudaMemPoolAttrReleaseThreshold, &v));
    i = 2;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &i));
    i = 7;
    cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &i);
    i = -1;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &i));
    i = 7;
    cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &i);
    i = 0;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &i));
    i = 0;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &i));
    i = 1;
    for (int a = 1; a <= 3; a++) cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)a, &i);
    v = UINT64_MAX;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v));
    v = 1;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v));
    v = 0;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v));
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &v));
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &v));
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &v));
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    v = 5;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    v = 5;
    CODE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &v));
    CODE(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)0, &v));
    CODE(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &v));
}

static void own_pools()
{
    cudaMemPool_t pool = NULL, own = NULL, current = NULL, odd = NULL;
    void *p = NULL, *q = NULL;
    int i;
    uint64_t v;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolProps good = props();
    CODE(cudaMemPoolCreate(&own, &good));
    CODE(cudaMemPoolCreate(NULL, &good));
    CODE(cudaMemPoolCreate(&odd, NULL));
    cudaMemPoolProps bad = props(0);
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props(3);
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props(1, 0);
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props(1, 4);
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props(1, 9);
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props(1, 1, 99);
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props(1, 1, -1);
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props();
    bad.handleTypes = (cudaMemAllocationHandleType)1;
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props();
    bad.handleTypes = (cudaMemAllocationHandleType)2;
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props();
    bad.handleTypes = (cudaMemAllocationHandleType)64;
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props();
    bad.win32SecurityAttributes = &bad;
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props();
    bad.reserved[0] = 1;
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props();
    bad.usage = 1;
    CODE(cudaMemPoolCreate(&odd, &bad));
    bad = props();
    bad.usage = 2;
    CODE(cudaMemPoolCreate(&odd, &bad));
    CODE(cudaMallocFromPoolAsync(&p, 1000, own, s));
    CODE(cudaFreeAsync(p, s));
    CODE(cudaMallocFromPoolAsync(NULL, 1000, own, s));
    q = (void *)1;
    CODE(cudaMallocFromPoolAsync(&q, 0, own, s));
    q = (void *)1;
    CODE(cudaMallocFromPoolAsync(&q, SIZE_MAX, own, s));
    q = (void *)1;
    CODE(cudaMallocFromPoolAsync(&q, (size_t)1 << 50, own, s));
    CODE(cudaMallocFromPoolAsync(&q, 1000, NULL, s));
    CODE(cudaStreamSynchronize(s));
    CODE(cudaMemPoolDestroy(pool));
    CODE(cudaMemPoolDestroy(NULL));
    CODE(cudaDeviceSetMemPool(0, own));
    cudaDeviceGetMemPool(&current, 0);
    cudaDeviceGetDefaultMemPool(&current, 0);
    CODE(cudaMallocAsync(&p, 1000, s));
    CODE(cudaMemPoolDestroy(own));
    cudaDeviceGetMemPool(&current, 0);
    CODE(cudaMemsetAsync(p, 0, 1000, s));
    CODE(cudaStreamSynchronize(s));
    CODE(cudaFreeAsync(p, s));
    CODE(cudaStreamSynchronize(s));
    cudaMemPoolProps small = props(1, 1, 0, 64 << 20);
    CODE(cudaMemPoolCreate(&own, &small));
    void *block[20];
    int n = 0;
    cudaError_t e = cudaSuccess;
    while (n < 20 && !(e = cudaMallocFromPoolAsync(&block[n], 10 << 20, own, s))) n++;
    cudaGetLastError();
    CODE(cudaMallocFromPoolAsync(&q, 65 << 20, own, s));
    while (n) cudaFreeAsync(block[--n], s);
    CODE(cudaMallocFromPoolAsync(&q, 64 << 20, own, s));
    CODE(cudaMemPoolDestroy(own));
    CODE(cudaFree(q));
}

static void in_stream_order()
{
    void *p = NULL, *q = NULL, *d = NULL, *h = NULL, *m = NULL;
    static char plain[4096];
    cudaPointerAttributes a;
    OK(cudaMalloc(&d, 4096));
    OK(cudaMallocHost(&h, 4096));
    OK(cudaMallocManaged(&m, 4096));
    CODE(cudaMallocAsync((void **)NULL, 100, s));
    CODE(cudaMallocAsync((void **)NULL, 0, s));
    q = (void *)1;
    CODE(cudaMallocAsync(&q, 0, s));
    q = (void *)1;
    CODE(cudaMallocAsync(&q, SIZE_MAX, s));
    q = (void *)1;
    CODE(cudaMallocAsync(&q, (size_t)1 << 44, s));
    CODE(cudaMallocAsync(&p, 1000, s));
    CODE(cudaPointerGetAttributes(&a, p));
    CODE(cudaMemsetAsync(p, 0, 1000, s));
    CODE(cudaMemsetAsync(p, 0, 1024, s));
    CODE(cudaMemsetAsync(p, 0, 1025, s));
    CODE(cudaMemsetAsync(p, 0, 1 << 20, s));
    CODE(cudaMemsetAsync(p, 0, 2 << 20, s));
    CODE(cudaMemsetAsync(p, 0, 64 << 20, s));
    CODE(cudaMemcpyAsync(p, h, 4096, cudaMemcpyHostToDevice, s));
    CODE(cudaStreamSynchronize(s));
    CODE(cudaFreeAsync((char *)p + 4, s));
    CODE(cudaFree((char *)p + 4));
    CODE(cudaFreeAsync((char *)d + 4, s));
    CODE(cudaFreeAsync(h, s));
    CODE(cudaFreeAsync(plain, s));
    CODE(cudaFreeAsync((void *)0x10, s));
    CODE(cudaFreeAsync(NULL, s));
    CODE(cudaFreeHost(p));
    CODE(cudaFreeAsync(p, s));
    CODE(cudaFreeAsync(p, s));
    CODE(cudaFree(p));
    CODE(cudaPointerGetAttributes(&a, p));
    CODE(cudaMemsetAsync(p, 0, 4, s));
    CODE(cudaMemcpyAsync(p, h, 4, cudaMemcpyHostToDevice, s));
    CODE(cudaStreamSynchronize(s));
    CODE(cudaFreeAsync(p, s));
    CODE(cudaPointerGetAttributes(&a, p));
    CODE(cudaMemsetAsync(p, 0, 4, s));
    CODE(cudaMemcpyAsync(p, h, 4, cudaMemcpyHostToDevice, s));
    CODE(cudaMemset(p, 0, 4));
    CODE(cudaStreamSynchronize(s));
    CODE(cudaFreeAsync(d, s));
    CODE(cudaMemsetAsync(d, 0, 4, s));
}

int main()
{
    warm_up();
    OK(cudaStreamCreate(&s));
    attributes();
    own_pools();
    in_stream_order();
    return finish("codes_pools");
}
