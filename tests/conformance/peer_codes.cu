// What calls about several devices return, in odd and in wrong uses, by both APIs: as on two H200s (driver 580, CUDA
// 13.0). What crashes there is left out.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200+devices=2
// check: off
// out: ok peer_codes
#include "driver.h"

__global__ void add(int *p, int by) { *p += by; }

static int *d[2], *host;
static cudaStream_t s[2];
static CUcontext of[2];

/* Sets need access, whoever the stream belongs to; copies between devices and to the host do not. */
static void sets()
{
    GIVES(1, cudaMemset(d[1], 0, 4));
    GIVES(1, cudaMemsetAsync(d[1], 0, 4, s[0]));
    GIVES(1, cudaMemset2DAsync(d[1], 64, 0, 16, 4, s[0]));
    GIVES(1, cuMemsetD8((CUdeviceptr)d[1], 0, 4));
    GIVES(1, cudaMemsetAsync(d[0], 0, 4, s[1]));
    GIVES(0, cudaMemsetAsync(d[1], 0, 4, s[1]));
    GIVES(0, cudaMemsetAsync(d[1], 0, 0, s[0]));
    GIVES(0, cudaMemcpyAsync(d[1], host, 4, cudaMemcpyHostToDevice, s[0]));
    OK(cudaDeviceEnablePeerAccess(1, 0));
    GIVES(0, cudaMemset(d[1], 5, 4));
    GIVES(0, cudaMemsetAsync(d[1], 5, 4, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    OK(cudaMemcpy(host, d[1], 4, cudaMemcpyDefault));
    CHECK(host[0] == 0x05050505);
    OK(cudaDeviceDisablePeerAccess(1));
}

/* The pointers say where memory is: of the numbers it is only asked whether they are of devices. */
static void copies()
{
    GIVES(0, cudaMemcpyPeerAsync(d[1], 0, d[0], 0, 4, s[0]));
    GIVES(0, cudaMemcpyPeerAsync(d[1], 1, d[0], 1, 4, s[0]));
    GIVES(0, cudaMemcpyPeerAsync(d[0], 1, d[1], 0, 4, s[0]));
    GIVES(0, cudaMemcpyPeerAsync(host, 1, d[0], 0, 4, s[0]));
    GIVES(0, cudaMemcpyPeerAsync(d[0] + 64, 0, d[0], 0, 4, s[1]));
    GIVES(101, cudaMemcpyPeerAsync(d[1], 99, d[0], 0, 4, s[0]));
    GIVES(1, cudaMemcpyPeerAsync(NULL, 1, d[0], 0, 4, s[0]));
    GIVES(0, cudaMemcpyPeerAsync(NULL, 1, NULL, 0, 0, s[0]));
    GIVES(1, cudaMemcpyPeerAsync(d[1], 1, d[0], 0, (size_t)1 << 40, s[0]));
    GIVES(0, cudaMemcpyPeer(d[0], 0, d[1], 0, 4));
    GIVES(0, cudaMemcpyAsync(d[1], d[0], 4, cudaMemcpyDeviceToDevice, s[0]));
    GIVES(0, cudaMemcpyAsync(d[1], d[0], 4, cudaMemcpyDeviceToHost, s[0]));
    GIVES(0, cudaMemcpy2DAsync(d[1], 64, d[0], 64, 16, 4, cudaMemcpyDeviceToDevice, s[0]));
    GIVES(0, cuMemcpyPeer((CUdeviceptr)d[1], NULL, (CUdeviceptr)d[0], of[0], 4));
    GIVES(0, cuMemcpyPeer((CUdeviceptr)d[1], of[0], (CUdeviceptr)d[0], of[0], 4));
    GIVES(0, cuMemcpyPeer((CUdeviceptr)d[1], of[0], (CUdeviceptr)d[0], of[0], 0));
    GIVES(1, cuMemcpyPeer(0, of[1], (CUdeviceptr)d[0], of[0], 4));
    OK(cudaDeviceSynchronize());
}

static cudaMemcpy3DPeerParms runtime_box()
{
    cudaMemcpy3DPeerParms p = {};
    p.srcPtr = make_cudaPitchedPtr(d[0], 64, 64, 4);
    p.dstPtr = make_cudaPitchedPtr(d[1], 64, 64, 4);
    p.dstDevice = 1;
    p.extent = make_cudaExtent(16, 4, 2);
    return p;
}
static CUDA_MEMCPY3D_PEER driver_box()
{
    CUDA_MEMCPY3D_PEER p = {};
    p.srcMemoryType = p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    p.srcDevice = (CUdeviceptr)d[0];
    p.dstDevice = (CUdeviceptr)d[1];
    p.srcContext = of[0];
    p.dstContext = of[1];
    p.srcPitch = p.dstPitch = 64;
    p.srcHeight = p.dstHeight = 4;
    p.WidthInBytes = 16;
    p.Height = 4;
    p.Depth = 2;
    return p;
}
#define RUNTIME(CODE, CHANGE)                \
    do {                                     \
        auto p = runtime_box();              \
        CHANGE;                              \
        GIVES(CODE, cudaMemcpy3DPeer(&p));   \
    } while (0)
#define DRIVER(CODE, CHANGE)                 \
    do {                                     \
        auto p = driver_box();               \
        CHANGE;                              \
        GIVES(CODE, cuMemcpy3DPeer(&p));     \
    } while (0)
static void boxes()
{
    int copied = 0;
    OK(cudaMemset(d[0], 6, 4096));
    memset(host, 0, 4096);
    OK(cudaMemcpy(d[1], host, 4096, cudaMemcpyDefault));
    DRIVER(0, );
    OK(cudaMemcpy(host, d[1], 4096, cudaMemcpyDefault));
    for (int i = 0; i < 4096; i++) copied += ((char *)host)[i] == 6;
    CHECK(copied == 16 * 4 * 2);
    DRIVER(0, p.WidthInBytes = 0);
    DRIVER(0, p.srcContext = NULL);
    DRIVER(0, p.srcContext = of[1]);
    DRIVER(0, p.srcLOD = 1);
    DRIVER(0, p.srcMemoryType = CU_MEMORYTYPE_UNIFIED);
    DRIVER(0, (p.srcMemoryType = CU_MEMORYTYPE_HOST, p.srcHost = host));
    DRIVER(1, p.srcMemoryType = (CUmemorytype)0);
    DRIVER(1, p.srcPitch = 8);
    DRIVER(1, p.srcHeight = 2);
    DRIVER(1, p.srcXInBytes = 60);
    DRIVER(1, (p.Depth = 1, p.dstY = 4));
    auto p = driver_box();
    GIVES(0, cuMemcpy3DPeerAsync(&p, (CUstream)s[1]));
    OK(cudaStreamSynchronize(s[1]));

    RUNTIME(0, );
    RUNTIME(0, p.dstDevice = 0);
    RUNTIME(0, p.extent.width = 0);
    RUNTIME(101, p.dstDevice = 99);
    RUNTIME(1, p.srcPtr.ptr = NULL);
    RUNTIME(12, p.extent.width = 100);
    GIVES(1, cudaMemcpy3DPeer(NULL));
    GIVES(1, cudaMemcpy3DPeerAsync(NULL, 0));
}

static cudaMemAccessDesc *access(int device, int flags, int kind = cudaMemLocationTypeDevice)
{
    static cudaMemAccessDesc one;
    one.location.type = (cudaMemLocationType)kind;
    one.location.id = device;
    one.flags = (cudaMemAccessFlags)flags;
    return &one;
}
static CUmemAccessDesc *driver_access(int device, int flags)
{
    return (CUmemAccessDesc *)access(device, flags);
}
static void pools()
{
    cudaMemPool_t pool;
    CUmemAccess_flags flags;
    CUmemLocation where = {};
    void *memory;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    GIVES(101, cudaMemPoolSetAccess(pool, access(99, 3), 1));
    GIVES(101, cudaMemPoolSetAccess(pool, access(-1, 3), 1));
    GIVES(801, cudaMemPoolSetAccess(pool, access(1, 1), 1));
    GIVES(1, cudaMemPoolSetAccess(pool, access(1, 2), 1));
    GIVES(101, cudaMemPoolSetAccess(pool, access(0, 0), 1));
    GIVES(0, cudaMemPoolSetAccess(pool, access(0, 3), 1));
    GIVES(801, cudaMemPoolSetAccess(pool, access(1, 3, cudaMemLocationTypeInvalid), 1));
    GIVES(801, cudaMemPoolSetAccess(pool, access(0, 3, cudaMemLocationTypeHost), 1));
    GIVES(0, cudaMemPoolSetAccess(pool, NULL, 0));
    GIVES(1, cudaMemPoolSetAccess(NULL, access(1, 3), 1));

    CUmemoryPool same = (CUmemoryPool)pool;
    GIVES(101, cuMemPoolSetAccess(same, driver_access(99, 3), 1));
    GIVES(801, cuMemPoolSetAccess(same, driver_access(1, 1), 1));
    GIVES(101, cuMemPoolSetAccess(same, driver_access(0, 0), 1));
    GIVES(1, cuMemPoolSetAccess(same, NULL, 1));
    GIVES(1, cuMemPoolSetAccess(same, NULL, 0));
    GIVES(1, cuMemPoolSetAccess(NULL, driver_access(1, 3), 1));
    GIVES(0, cuMemPoolSetAccess(same, driver_access(1, 3), 1));
    where.type = CU_MEM_LOCATION_TYPE_DEVICE;
    where.id = 1;
    GIVES(0, cuMemPoolGetAccess(&flags, same, &where));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    GIVES(1, cuMemPoolGetAccess(NULL, same, &where));
    where.id = 99;
    GIVES(1, cuMemPoolGetAccess(&flags, same, &where));

    /* of a pool that is closed to it, a device sets nothing; while it is current nothing is copied there, in whichever
     * stream, unless the call names the devices */
    GIVES(0, cuMemPoolSetAccess(same, driver_access(1, 0), 1));
    OK(cudaMallocAsync(&memory, 4096, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    GIVES(1, cudaMemsetAsync(memory, 0, 4, s[1]));
    GIVES(0, cudaMemcpyAsync(memory, host, 4, cudaMemcpyHostToDevice, s[1]));
    GIVES(0, cudaMemcpyAsync(d[1], memory, 4, cudaMemcpyDeviceToDevice, s[1]));
    OK(cudaSetDevice(1));
    GIVES(1, cudaMemcpyAsync(memory, host, 4, cudaMemcpyHostToDevice, s[1]));
    GIVES(1, cudaMemcpyAsync(host, memory, 4, cudaMemcpyDeviceToHost, s[1]));
    GIVES(1, cudaMemcpyAsync(d[1], memory, 4, cudaMemcpyDeviceToDevice, s[1]));
    GIVES(1, cudaMemcpy(memory, host, 4, cudaMemcpyHostToDevice));
    OK(cudaSetDevice(0));
    GIVES(0, cudaMemcpyPeerAsync(d[1], 1, memory, 0, 4096, s[1]));
    GIVES(0, cudaMemcpyPeerAsync(d[1], 1, memory, 0, 4096, s[0]));
    OK(cudaStreamSynchronize(s[1]));
    GIVES(0, cudaFreeAsync(memory, s[0]));
    GIVES(1, cudaDeviceSetMemPool(1, pool));
    OK(cudaDeviceSynchronize());
}

static void handles()
{
    int by = 0;
    void *arguments[] = {&d[1], &by};
    CUfunction function;
    GIVES(0, cudaLaunchCooperativeKernel((void *)add, dim3(1), dim3(1), arguments, 0, s[1]));
    GIVES(0, cudaGetFuncBySymbol((cudaFunction_t *)&function, (void *)add)); /* device 0's */
    GIVES(400, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, (CUstream)s[1], arguments, NULL));
    GIVES(101, cudaSetDevice(99));
    GIVES(101, cudaSetDevice(-1));
    OK(cudaStreamSynchronize(s[1]));
}

int main()
{
    needs_devices(2, "peer_codes");
    GIVES(0, cuInit(0));
    for (int i = 1; i >= 0; i--) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc(&d[i], 1 << 16));
        OK(cudaMemset(d[i], 0, 1 << 16));
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        OK(cudaDeviceSynchronize());
        GIVES(0, cuDevicePrimaryCtxRetain(&of[i], i));
    }
    OK(cudaMallocHost(&host, 4096));
    sets();
    copies();
    boxes();
    pools();
    handles();
    return finish("peer_codes");
}
