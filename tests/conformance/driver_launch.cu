// Kernels by a handle, the program's variables by its module, occupancy, in the driver API.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_launch
#include "driver.h"

__device__ int counter = 5;
__constant__ int table[4] = {1, 2, 3, 4};
extern "C" __global__ void add(int *p, int by) { p[threadIdx.x] += by; }
__global__ void twice(int *p) { *p *= 2; }

static void launch()
{
    CUdeviceptr p, g;
    CUfunction f = NULL, f2 = NULL, t = NULL;
    CUmodule mod = NULL;
    CUkernel k = NULL;
    CUlibrary lib = NULL;
    int by = 3, v, blocks, grid;
    size_t bytes;
    const char *name;
    CUstream s;
    int host[4];
    primary();
    cuStreamCreate(&s, 0);
    GIVES(0, cuMemAlloc(&p, 4096));
    GIVES(0, cuMemsetD32(p, 1, 1024));
    GIVES(0, cudaGetFuncBySymbol((cudaFunction_t *)&f, (const void *)add));
    GIVES(0, cudaGetFuncBySymbol((cudaFunction_t *)&f2, (const void *)add));
    CHECK(f == f2);
    GIVES(0, cudaGetFuncBySymbol(NULL, (const void *)add));
    GIVES(0, cudaGetFuncBySymbol((cudaFunction_t *)&t, (const void *)twice));
    CHECK(t != f);
    cudaGetLastError();
    void *args[] = {&p, &by};
    GIVES(0, cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, s, args, NULL));
    GIVES(0, cuMemcpyDtoH(host, p, 16));
    CHECK(host[3] == 4);
    GIVES(400, cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, s, args, NULL));
    GIVES(1, cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, s, args, NULL));
    GIVES(1, cuLaunchKernel(f, 1, 1, 1, 0, 1, 1, 0, s, args, NULL));
    GIVES(1, cuLaunchKernel(f, 1, 1, 1, 1025, 1, 1, 0, s, args, NULL));
    GIVES(1, cuLaunchKernel(f, 1, 1, 1, 1, 1, 65, 0, s, args, NULL));
    GIVES(1, cuLaunchKernel(f, 1, 65536, 1, 1, 1, 1, 0, s, args, NULL));
    GIVES(1, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 1 << 20, s, args, NULL));
    GIVES(1, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 100 << 10, s, args, NULL));
    GIVES(0, cudaGetLastError());
    void *extra[] = {CU_LAUNCH_PARAM_END};
    GIVES(0, cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, s, args, extra));
    GIVES(0, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    CHECK(v == 1024);
    GIVES(0, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
    CHECK(v == 0);
    GIVES(0, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    CHECK(v == 49152);
    GIVES(0, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, f));
    CHECK(v == -1);
    GIVES(1, cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    GIVES(1, cuFuncGetAttribute(&v, (CUfunction_attribute)99, f));
    GIVES(400, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL));
    GIVES(0, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100 << 10));
    GIVES(0, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    CHECK(v == 102400);
    GIVES(0, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 100 << 10, s, args, NULL));
    GIVES(1, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
    GIVES(1, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
    GIVES(0, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
    GIVES(1, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
    GIVES(1, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 10));
    GIVES(1, cuFuncSetAttribute(f, (CUfunction_attribute)99, 10));
    GIVES(400, cuFuncSetAttribute(NULL, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1));
    GIVES(0, cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1));
    GIVES(1, cuFuncSetCacheConfig(f, (CUfunc_cache)9));
    GIVES(1, cuFuncGetName(NULL, f));
    GIVES(0, cuFuncGetName(&name, f));
    CHECK(!strcmp(name, "add"));
    GIVES(0, cuFuncGetModule(&mod, f));
    CHECK(mod != NULL);
    GIVES(1, cuFuncGetModule(NULL, f));
    GIVES(1, cuFuncGetModule(&mod, NULL));
    GIVES(0, cuFuncGetModule(&mod, f));
    // variables of the program, by the module of one of its kernels
    GIVES(0, cuModuleGetGlobal(&g, &bytes, mod, "table"));
    CHECK(bytes == 16);
    void *sym = NULL;
    GIVES(0, cudaGetSymbolAddress(&sym, table));
    CHECK((CUdeviceptr)sym == g);
    GIVES(0, cuModuleGetGlobal(&g, &bytes, mod, "counter"));
    CHECK(bytes == 4);
    GIVES(0, cuModuleGetGlobal(&g, NULL, mod, "counter"));
    GIVES(0, cuModuleGetGlobal(NULL, &bytes, mod, "counter"));
    GIVES(1, cuModuleGetGlobal(NULL, NULL, mod, "counter"));
    GIVES(500, cuModuleGetGlobal(&g, &bytes, mod, "no_such_thing"));
    GIVES(1, cuModuleGetGlobal(&g, &bytes, mod, NULL));
    GIVES(400, cuModuleGetGlobal(&g, &bytes, NULL, "counter"));
    GIVES(0, cuModuleGetGlobal(&g, &bytes, mod, "counter"));
    GIVES(0, cuMemcpyDtoH(host, g, 4));
    CHECK(host[0] == 5);
    GIVES(0, cuMemsetD32(g, 9, 1));
    GIVES(1, cuMemcpyDtoH(host, g, 8));
    GIVES(1, cuMemFree(g));
    // libraries
    GIVES(0, cudaGetKernel((cudaKernel_t *)&k, (const void *)add));
    GIVES(0, cuKernelGetFunction(&f2, k));
    CHECK(f2 == f);
    GIVES(0, cuKernelGetLibrary(&lib, k));
    CHECK(lib != NULL);
    GIVES(0, cuLibraryGetGlobal(&g, &bytes, lib, "counter"));
    CHECK(bytes == 4);
    GIVES(500, cuLibraryGetGlobal(&g, &bytes, lib, "no_such_thing"));
    GIVES(0, cuLibraryGetModule(&mod, lib));
    GIVES(0, cuLaunchKernel((CUfunction)k, 1, 1, 1, 4, 1, 1, 0, s, args, NULL));
    GIVES(400, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, (CUfunction)k));
    // a kernel's handle from the driver, launched by the runtime
    dim3 one(1), four(4);
    GIVES(0, cudaLaunchKernel((const void *)f, one, four, args, 0, s));
    GIVES(0, cudaLaunchKernel((const void *)k, one, four, args, 0, s));
    cudaGetLastError();
    // occupancy
    GIVES(0, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, t, 256, 0));
    CHECK(blocks == 8);
    GIVES(1, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, t, 0, 0));
    GIVES(0, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, t, 2048, 0));
    CHECK(blocks == 0);
    GIVES(1, cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, t, 256, 0));
    GIVES(400, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 256, 0));
    GIVES(0, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, t, 256, 0, 0));
    CHECK(blocks == 8);
    GIVES(1, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, t, 256, 0, 9));
    GIVES(0, cuOccupancyMaxPotentialBlockSize(&grid, &blocks, t, NULL, 0, 0));
    CHECK(grid == 264);
    CHECK(blocks == 1024);
    GIVES(0, cuOccupancyMaxPotentialBlockSize(&grid, &blocks, t, NULL, 0, 100));
    CHECK(grid == 4224);
    CHECK(blocks == 64);
    GIVES(1, cuOccupancyMaxPotentialBlockSize(NULL, &blocks, t, NULL, 0, 0));
    GIVES(0, cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &blocks, t, NULL, 0, 0, 0));
    CHECK(blocks == 1024);
    GIVES(0, cuOccupancyAvailableDynamicSMemPerBlock(&bytes, t, 1, 256));
    CHECK(bytes == 49152);
    CUfunctionLoadingState state;
    GIVES(0, cuFuncIsLoaded(&state, f));
    CHECK(state == 1);
    GIVES(0, cuFuncLoad(f));
    GIVES(0, cuCtxSynchronize());
}

int main()
{
    launch();
    return finish("driver_launch");
}
// hazard: wrong-memory 101
// hazard: wrong-memory 102
