// The driver API before and after cuInit; its devices.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_start
#include "driver.h"

static CUdevice dev;
static CUcontext got;

static void init()
{
    int n = -1, active;
    CUdeviceptr p = 0;
    const char *text;
    CUstream s;
    unsigned flags;
    GIVES(3, cuDeviceGetCount(&n));
    GIVES(3, cuDeviceGet(&dev, 0));
    GIVES(3, cuCtxGetCurrent(&got));
    GIVES(3, cuCtxSynchronize());
    GIVES(3, cuMemAlloc(&p, 16));
    GIVES(3, cuStreamCreate(&s, 0));
    GIVES(3, cuDevicePrimaryCtxGetState(0, &flags, &active));
    GIVES(0, cuGetErrorName(CUDA_ERROR_NOT_READY, &text));
    GIVES(0, cuDriverGetVersion(&n));
    CHECK(n >= 13000);
    GIVES(1, cuDriverGetVersion(NULL));
    GIVES(1, cuInit(1));
    GIVES(0, cuInit(0));
    GIVES(0, cuInit(0));
    GIVES(1, cuInit(1));
}

static void devices()
{
    int n = -1, v = -7;
    char name[256] = "#";
    size_t bytes = 0;
    GIVES(1, cuDeviceGetCount(NULL));
    GIVES(0, cuDeviceGetCount(&n));
    GIVES(101, cuDeviceGet(&dev, 99));
    GIVES(101, cuDeviceGet(&dev, -1));
    GIVES(1, cuDeviceGet(NULL, 0));
    GIVES(0, cuDeviceGet(&dev, 0));
    CHECK(dev == 0);
    GIVES(1, cuDeviceGetName(NULL, 10, 0));
    GIVES(101, cuDeviceGetName(name, 256, 99));
    CUuuid uuid;
    GIVES(1, cuDeviceGetUuid(NULL, 0));
    GIVES(101, cuDeviceGetUuid(&uuid, 99));
    GIVES(0, cuDeviceGetUuid(&uuid, 0));
    GIVES(0, cuDeviceGetName(name, 256, 0));
    CHECK(strlen(name) > 0);
    GIVES(0, cuDeviceTotalMem(&bytes, 0));
    CHECK(bytes > 1u << 20);
    GIVES(0, cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    CHECK(v == 32);
    GIVES(0, cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    CHECK(v >= 3);
}

int main()
{
    init();
    devices();
    return finish("driver_start");
}
