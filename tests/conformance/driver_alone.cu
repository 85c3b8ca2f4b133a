// A device that a kernel's failure took and that was reset: a thread that chose it keeps its dead context; one that did
// not is left without any, where no other device is in use (driver_goes_over).
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200+devices=2
// out: ok driver_alone
#include "driver.h"
#include <thread>

__global__ void touch(int *p) { *p = 1; }

static CUcontext dead;

static void look(bool chooses)
{
    CUdeviceptr p;
    CUcontext current;
    CUdevice device = 7;
    void *memory;
    if (chooses) IS(46, cudaSetDevice(0));
    GIVES(0, cuCtxSetCurrent(dead));
    GIVES(709, cuMemAlloc(&p, 16));
    GIVES(46, cudaMalloc(&memory, 16));
    GIVES(chooses ? 709 : 201, cuMemAlloc(&p, 16));
    GIVES(0, cuCtxGetCurrent(&current));
    CHECK(current == (chooses ? dead : NULL));
    GIVES(chooses ? 0 : 201, cuCtxGetDevice(&device));
    GIVES(0, cuCtxSetCurrent(dead));
    GIVES(709, cuMemAlloc(&p, 16));
    GIVES(0, cuCtxGetDevice(&device));
    CHECK(device == 0);
}

int main()
{
    int *plain = (int *)calloc(1, sizeof *plain);
    needs_devices(2, "driver_alone");
    dead = primary();
    touch<<<1, 1>>>(plain);
    GIVES(700, cuCtxSynchronize());
    GIVES(0, cuDevicePrimaryCtxReset(0));
    std::thread(look, true).join();
    std::thread(look, false).join();
    free(plain);
    return finish("driver_alone");
}
// hazard: wrong-memory 10
