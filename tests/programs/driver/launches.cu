// Launches of the driver API by a configuration, cooperative ones, and what its queries say of functions, clusters,
// streams and blocks whose shared memory depends on their size.
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok launches
#include "../../conformance/driver.h"

__constant__ int table[4] = {1, 2, 3, 4};
__global__ void add(int *p, int by)
{
    __shared__ int part[64];
    part[threadIdx.x % 64] = by;
    p[threadIdx.x] += part[threadIdx.x % 64] * table[0];
}
__global__ void __cluster_dims__(2, 1, 1) pairs(int *p) { p[blockIdx.x] = (int)blockIdx.x; }

static size_t shared_of(int threads) { return (size_t)threads * 512; }

static void launches(CUfunction f, CUstream stream, CUdeviceptr p)
{
    int by = 3, host[8];
    void *arguments[] = {&p, &by};
    CUlaunchAttribute attributes[1] = {};
    CUlaunchConfig config = {};
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[0].value.cooperative = 1;
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 8, config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    GIVES(0, cuLaunchKernelEx(&config, f, arguments, NULL));
    config.attrs = attributes, config.numAttrs = 1;
    GIVES(0, cuLaunchKernelEx(&config, f, arguments, NULL));
    GIVES(1, cuLaunchKernelEx(NULL, f, arguments, NULL));
    config.gridDimY = 0;
    GIVES(1, cuLaunchKernelEx(&config, f, arguments, NULL));
    GIVES(0, cuLaunchCooperativeKernel(f, 1, 1, 1, 4, 1, 1, 0, stream, arguments));
    GIVES(720, cuLaunchCooperativeKernel(f, 1 << 20, 1, 1, 4, 1, 1, 0, stream, arguments));
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, arguments, CU_LAUNCH_PARAM_END};
    GIVES(1, cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, stream, arguments, extra));
    GIVES(0, cuStreamSynchronize(stream));
    GIVES(0, cuMemcpyDtoH(host, p, sizeof host));
    CHECK(host[0] == 9 && host[3] == 9 && host[4] == 6 && host[7] == 6);
}

static void attributes(CUfunction f, CUfunction two)
{
    static const struct {
        CUfunction_attribute attribute;
        int add, pairs;
    } all[] = {{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024, 1024},
               {CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, 0, 1},
               {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 0, 2},
               {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 0, 1},
               {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 0, 1},
               {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0, 0},
               {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, 0, 0}};
    int value;
    for (const auto &one : all) {
        GIVES(0, cuFuncGetAttribute(&value, one.attribute, f));
        if (value != one.add) printf("FAIL attribute %d of add: %d\n", (int)one.attribute, value), failures++;
        GIVES(0, cuFuncGetAttribute(&value, one.attribute, two));
        if (value != one.pairs) printf("FAIL attribute %d of pairs: %d\n", (int)one.attribute, value), failures++;
    }
    // what only has to be there
    for (CUfunction_attribute attribute : {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                           CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_PTX_VERSION,
                                           CU_FUNC_ATTRIBUTE_BINARY_VERSION,
                                           CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE}) {
        value = -7;
        GIVES(0, cuFuncGetAttribute(&value, attribute, f));
        CHECK(value >= 0);
    }
}

static void names(CUfunction f, CUkernel k)
{
    const char *name = NULL;
    CUmodule module = NULL, same = NULL;
    CUlibrary library = NULL;
    GIVES(0, cuKernelGetName(&name, k));
    CHECK(name && strstr(name, "add"));
    GIVES(1, cuKernelGetName(NULL, k));
    GIVES(1, cuKernelGetLibrary(NULL, k));
    GIVES(1, cuKernelGetLibrary(&library, NULL));
    GIVES(0, cuKernelGetLibrary(&library, k));
    GIVES(1, cuLibraryGetModule(NULL, library));
    GIVES(1, cuLibraryGetModule(&module, NULL));
    GIVES(0, cuLibraryGetModule(&module, library));
    GIVES(0, cuFuncGetModule(&same, f));
    CHECK(module == same);
    CUfunctionLoadingState state;
    GIVES(1, cuFuncIsLoaded(NULL, f));
    GIVES(400, cuFuncIsLoaded(&state, NULL));
    GIVES(400, cuFuncLoad(NULL));
}

static void occupancy(CUfunction f, CUfunction two)
{
    int grid = 0, size = 0, clusters = 0;
    CUlaunchConfig config = {};
    config.gridDimX = 2, config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 32, config.blockDimY = config.blockDimZ = 1;
    GIVES(0, cuOccupancyMaxPotentialClusterSize(&size, f, &config));
    CHECK(size == 8);
    GIVES(1, cuOccupancyMaxPotentialClusterSize(&size, f, NULL));
    GIVES(0, cuOccupancyMaxActiveClusters(&clusters, two, &config));
    CHECK(clusters > 0);
    GIVES(1, cuOccupancyMaxActiveClusters(NULL, two, &config));
    // 512 bytes for each thread: 48 KiB are enough for 95 of them beside `part`
    GIVES(0, cuOccupancyMaxPotentialBlockSize(&grid, &size, f, shared_of, 0, 64));
    CHECK(size > 0 && size <= 64 && grid > 0);
    GIVES(1, cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &size, f, NULL, 0, 0, 8));
    GIVES(0, cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &size, f, NULL, 0, 50,
                                                       CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
    CHECK(size <= 50);
    GIVES(1, cuOccupancyMaxPotentialBlockSize(&grid, NULL, f, NULL, 0, 0));
}

static void streams(CUstream stream)
{
    CUstream other;
    CUstreamAttrValue value = {}, again = {};
    GIVES(0, cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    value.syncPolicy = CU_SYNC_POLICY_YIELD;
    GIVES(0, cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    GIVES(0, cuStreamCopyAttributes(other, stream));
    GIVES(0, cuStreamGetAttribute(other, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &again));
    CHECK(again.syncPolicy == CU_SYNC_POLICY_YIELD);
    GIVES(0, cuStreamDestroy(other));
}

int main()
{
    CUdeviceptr p;
    CUfunction f, two;
    CUkernel k;
    CUstream stream;
    primary();
    GIVES(0, cuStreamCreate(&stream, 0));
    GIVES(0, cuMemAlloc(&p, 4096));
    GIVES(0, cuMemsetD32Async(p, 0, 1024, stream));
    GIVES(0, cudaGetFuncBySymbol((cudaFunction_t *)&f, (const void *)add));
    GIVES(0, cudaGetFuncBySymbol((cudaFunction_t *)&two, (const void *)pairs));
    GIVES(0, cudaGetKernel((cudaKernel_t *)&k, (const void *)add));
    launches(f, stream, p);
    attributes(f, two);
    names(f, k);
    occupancy(f, two);
    streams(stream);
    GIVES(0, cuMemFree(p));
    GIVES(0, cuStreamDestroy(stream));
    return finish("launches");
}
