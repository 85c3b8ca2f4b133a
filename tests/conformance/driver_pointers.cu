// What the driver API says of a pointer; stream-ordered memory.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_pointers
#include "driver.h"

static CUcontext ctx;

static void pointers()
{
    static char plain[4096];
    CUdeviceptr p, m, dp;
    void *h, *hp;
    unsigned u;
    int v;
    unsigned long long id;
    size_t size;
    CUcontext c;

    bool flag;
    CUdeviceptr a;
    ctx = primary();
    cuMemAlloc(&p, 4096);
    cuMemAllocHost(&h, 4096);
    cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL);
    cuMemAllocAsync(&a, 4096, 0);
    cuStreamSynchronize(0);
    GIVES(1, cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    GIVES(1, cuPointerGetAttribute(&u, (CUpointer_attribute)0, p));
    GIVES(1, cuPointerGetAttribute(&u, (CUpointer_attribute)99, p));
    GIVES(1, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0));
    GIVES(1, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)plain));
    GIVES(0, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 8));
    CHECK(u == 2);
    GIVES(0, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)h));
    CHECK(u == 1);
    GIVES(0, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, m));
    CHECK(u == 2);
    GIVES(0, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
    CHECK(u == 2);
    GIVES(0, cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p));
    CHECK(c == ctx);
    GIVES(0, cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)h));
    CHECK(c == ctx);
    GIVES(0, cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, m));
    CHECK(c == ctx);
    c = (CUcontext)1;
    GIVES(0, cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, a));
    CHECK(c == NULL);
    GIVES(1, cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)plain));
    GIVES(0, cuPointerGetAttribute(&dp, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p + 8));
    CHECK(dp == p + 8);
    GIVES(0, cuPointerGetAttribute(&dp, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, (CUdeviceptr)h));
    CHECK(dp == (CUdeviceptr)h);
    GIVES(1, cuPointerGetAttribute(&dp, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, (CUdeviceptr)plain));
    GIVES(1, cuPointerGetAttribute(&hp, CU_POINTER_ATTRIBUTE_HOST_POINTER, p));
    GIVES(0, cuPointerGetAttribute(&hp, CU_POINTER_ATTRIBUTE_HOST_POINTER, (CUdeviceptr)h));
    CHECK(hp == h);
    GIVES(0, cuPointerGetAttribute(&hp, CU_POINTER_ATTRIBUTE_HOST_POINTER, m));
    CHECK(hp == (void *)m);
    GIVES(1, cuPointerGetAttribute(&hp, CU_POINTER_ATTRIBUTE_HOST_POINTER, (CUdeviceptr)plain));
    GIVES(0, cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
    CHECK(v == 0);
    v = 77;
    GIVES(0, cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)h));
    CHECK(v == 0);
    v = 77;
    GIVES(0, cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, m));
    CHECK(v == 0);
    v = 77;
    GIVES(1, cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)plain));
    CHECK(v == 77);
    GIVES(0, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_IS_MANAGED, m));
    CHECK((u & 255) == 1);
    GIVES(0, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    CHECK((u & 255) == 0);
    GIVES(1, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_IS_MANAGED, (CUdeviceptr)plain));
    CHECK((u & 255) == 0);
    GIVES(0, cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, p));
    GIVES(1, cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, (CUdeviceptr)plain));
    GIVES(0, cuPointerGetAttribute(&dp, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p + 8));
    CHECK(dp == p);
    GIVES(0, cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p + 8));
    CHECK(size == 4096);
    GIVES(0, cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, (CUdeviceptr)h));
    CHECK(size == 4096);
    GIVES(1, cuPointerGetAttribute(&dp, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, (CUdeviceptr)plain));
    GIVES(0, cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_MAPPED, p));
    CHECK(flag == 1);
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                   CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *to[] = {&u, &v, &hp};
    u = v = 77;
    hp = (void *)77;
    GIVES(0, cuPointerGetAttributes(3, which, to, p));
    CHECK(u == 2);
    CHECK(v == 0);
    u = v = 77;
    hp = (void *)77;
    GIVES(0, cuPointerGetAttributes(3, which, to, (CUdeviceptr)plain));
    CHECK(u == 0);
    CHECK(v == -2);
    GIVES(1, cuPointerGetAttributes(0, which, to, p));
    v = 1;
}

static void pools()
{
    CUmemoryPool pool = NULL, own = NULL;
    CUdeviceptr p = 0, q = 0;
    cuuint64_t value;
    int on;
    CUstream s;
    primary();
    cuStreamCreate(&s, 0);
    GIVES(1, cuDeviceGetDefaultMemPool(NULL, 0));
    GIVES(0, cuDeviceGetDefaultMemPool(&pool, 0));
    GIVES(0, cuDeviceGetMemPool(&own, 0));
    CHECK(own == pool);
    GIVES(0, cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
    CHECK(value == 0);
    GIVES(1, cuMemPoolGetAttribute(pool, (CUmemPool_attribute)99, &value));
    GIVES(1, cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, NULL));
    GIVES(0, cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &on));
    CHECK(on == 1);
    value = 1 << 26;
    GIVES(0, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
    GIVES(1, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
    GIVES(1, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
    value = 0;
    GIVES(0, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
    GIVES(1, cuMemAllocAsync(NULL, 16, s));
    p = 77;
    GIVES(0, cuMemAllocAsync(&p, 0, s));
    CHECK(p == 0);
    GIVES(0, cuMemAllocAsync(&p, 4096, s));
    GIVES(2, cuMemAllocAsync(&q, 1ull << 50, s));
    GIVES(0, cuMemFreeAsync(0, s));
    GIVES(0, cuMemFreeAsync(p, s));
    GIVES(1, cuMemFreeAsync(p, s));
    GIVES(1, cuMemFreeAsync((CUdeviceptr)&value, s));
    GIVES(0, cuMemAlloc(&p, 4096));
    GIVES(0, cuMemFreeAsync(p, s));
    GIVES(0, cuMemAllocAsync(&p, 4096, s));
    GIVES(0, cuMemFree(p));
    GIVES(0, cuStreamSynchronize(s));
    GIVES(0, cuMemPoolTrimTo(pool, 0));
    GIVES(1, cuMemPoolTrimTo(NULL, 0));
}

int main()
{
    pointers();
    pools();
    return finish("driver_pointers");
}
// hazard: use-after-free 141 142
// hazard: wrong-memory 143
// hazard: free-in-flight 146 147
